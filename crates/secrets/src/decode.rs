//! Layers of encoding, undone with bounds: base64, hex, percent and JSON escapes.
//!
//! Only what decodes to text is looked at, and only rules with a prefix, URLs, keys and assignments run on it. Spans of what
//! is found map back to the encoded bytes that hold it.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::assign::Style;
use crate::charset::{self, at, before, is};
use crate::detect::{Detector, Hit};

/// Layers inside one another.
pub(crate) const DEPTH: usize = 3;
/// Shortest encoded runs worth a look.
const SHORTEST: usize = 24;
/// Longest run decoded as one.
const LONGEST: usize = 64 * 1024;

const FORGIVING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, FORGIVING);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, FORGIVING);

/// How much may still be decoded of one input.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: usize,
    candidates: usize,
    exhausted: bool,
}

impl Budget {
    pub(crate) fn new(input: usize) -> Self {
        Self { bytes: (input * 2).clamp(4096, 8 << 20), candidates: 10_000, exhausted: false }
    }

    pub(crate) fn exhausted(&self) -> bool {
        self.exhausted
    }

    fn take(&mut self, bytes: usize) -> bool {
        match (self.bytes.checked_sub(bytes), self.candidates.checked_sub(1)) {
            (Some(left), Some(candidates)) => {
                (self.bytes, self.candidates) = (left, candidates);
                true
            }
            _ => {
                self.exhausted = true;
                false
            }
        }
    }
}

/// Base64 of either alphabet, padded or not; empty if it isn't.
pub(crate) fn base64(text: &[u8]) -> Vec<u8> {
    let engine = if text.iter().any(|byte| matches!(byte, b'-' | b'_')) { &URL_SAFE } else { &STANDARD };
    engine.decode(text).unwrap_or_default()
}

/// Looks into the encoded runs of `text`.
pub(crate) fn layers(
    detector: &Detector,
    text: &[u8],
    depth: usize,
    budget: &mut Budget,
    hits: &mut Vec<Hit>,
) {
    runs(text, |start, end| {
        let Some(run) = text.get(start..end) else { return };
        if run.len() >= 32 && run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit) {
            if let Some(plain) = hex_text(run)
                && budget.take(plain.len())
            {
                inner(detector, &plain, depth, budget, hits, "decoded:hex", |from, to| {
                    (start + from * 2, start + to * 2)
                });
            }
            return;
        }
        if let Some(plain) = base64_text(run)
            && budget.take(plain.len())
        {
            let limit = end;
            inner(detector, &plain, depth, budget, hits, "decoded:base64", move |from, to| {
                (start + from / 3 * 4, (start + to.div_ceil(3) * 4).min(limit))
            });
        }
    });
    escapes(detector, text, depth, budget, hits);
}

fn inner(
    detector: &Detector,
    plain: &[u8],
    depth: usize,
    budget: &mut Budget,
    hits: &mut Vec<Hit>,
    tag: &'static str,
    map: impl Fn(usize, usize) -> (usize, usize),
) {
    for mut hit in detector.layer(plain, Style::Unknown, depth + 1, budget).hits {
        (hit.start, hit.end) = map(hit.start, hit.end);
        hit.shown = 0;
        hit.open = false;
        hit.tags.push(tag);
        hits.push(hit);
    }
}

/// Runs of base64 characters of either alphabet, found by looking at every `SHORTEST`th byte: a run that long can't hide between.
fn runs(text: &[u8], mut found: impl FnMut(usize, usize)) {
    let step = SHORTEST;
    let mut pos = step - 1;
    let mut done = 0;
    while pos < text.len() {
        if !is(at(text, pos), charset::ANY_BASE64) {
            pos += step;
            continue;
        }
        let mut start = pos;
        while start > done && is(before(text, start), charset::ANY_BASE64) {
            start -= 1;
        }
        let mut end = pos + 1;
        let stop = (start + LONGEST).min(text.len());
        while end < stop && is(at(text, end), charset::ANY_BASE64) {
            end += 1;
        }
        if end - start >= SHORTEST {
            // The letter of an escape (`\n`) is no part of the run.
            let start = if before(text, start) == b'\\' { start + 1 } else { start };
            found(start, end);
        }
        done = end;
        pos = end + step;
    }
}

/// The text a hex run stands for.
fn hex_text(run: &[u8]) -> Option<Vec<u8>> {
    let nibble = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut plain = Vec::with_capacity(run.len() / 2);
    for pair in run.chunks_exact(2) {
        let [high, low] = pair else { return None };
        let byte = nibble(*high)? << 4 | nibble(*low)?;
        plain.push(byte);
        if plain.len() == 8 && !printable(&plain) {
            return None;
        }
    }
    printable(&plain).then_some(plain)
}

/// The text a base64 run stands for. Most runs are words or noise: the first twelve characters tell.
fn base64_text(run: &[u8]) -> Option<Vec<u8>> {
    let upper = run.iter().any(u8::is_ascii_uppercase);
    if !upper
        || run.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
        || !printable(&base64(run.get(..12)?))
    {
        return None;
    }
    let usable = if run.len() % 4 == 1 { run.len() - 1 } else { run.len() };
    let plain = base64(run.get(..usable)?);
    printable(&plain).then_some(plain)
}

/// At least 90 % printable.
fn printable(plain: &[u8]) -> bool {
    let text = plain.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
    !plain.is_empty() && text * 10 >= plain.len() * 9
}

/// Percent and JSON escapes: the line around them is unescaped as a whole.
fn escapes(detector: &Detector, text: &[u8], depth: usize, budget: &mut Budget, hits: &mut Vec<Hit>) {
    let mut done = 0;
    for pos in memchr::memchr2_iter(b'%', b'\\', text) {
        if pos < done {
            continue;
        }
        let Some(tag) = escape_at(text, pos) else { continue };
        let start = text
            .get(..pos)
            .and_then(|head| head.iter().rev().take(2048).position(|byte| byte.is_ascii_whitespace()))
            .map_or(pos.saturating_sub(2048), |back| pos - back);
        let start = start.max(done);
        let length = text
            .get(pos..)
            .map_or(0, |rest| rest.iter().take(8192).take_while(|byte| !byte.is_ascii_whitespace()).count());
        let end = pos + length;
        done = end;
        let Some(run) = text.get(start..end) else { continue };
        let (plain, places) = unescape(run);
        if !budget.take(plain.len()) {
            return;
        }
        let place = |index: usize| places.get(index).copied().unwrap_or(run.len());
        inner(detector, &plain, depth, budget, hits, tag, |from, to| {
            (start + place(from), start + place(to))
        });
    }
}

/// Which escape stands at `pos`; those of control characters and quotes alone change nothing that the rules don't see anyway.
fn escape_at(text: &[u8], pos: usize) -> Option<&'static str> {
    // Only an escape of a visible character can hide one; those of control characters and bytes of a table can't.
    let visible = |from: usize, count: usize| {
        let digits = text.get(from..from + count).and_then(|digits| std::str::from_utf8(digits).ok());
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .is_some_and(|code| (0x21..0x7f).contains(&code))
    };
    match (at(text, pos), at(text, pos + 1)) {
        (b'%', _) if visible(pos + 1, 2) => Some("decoded:percent"),
        (b'\\', b'u') if visible(pos + 2, 4) => Some("decoded:escape"),
        (b'\\', b'x') if visible(pos + 2, 2) => Some("decoded:escape"),
        (b'\\', b'/') => Some("decoded:escape"),
        _ => None,
    }
}

/// The text without its escapes, and for each of its bytes where it came from.
fn unescape(run: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let number = |from: usize, count: usize| {
        let digits = run.get(from..from + count)?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut plain, mut places) = (Vec::with_capacity(run.len()), Vec::with_capacity(run.len() + 1));
    let mut pos = 0;
    while pos < run.len() {
        let (byte, length) = match (at(run, pos), at(run, pos + 1)) {
            (b'%', _) => number(pos + 1, 2).map_or((u32::from(b'%'), 1), |code| (code, 3)),
            (b'\\', b'u') => number(pos + 2, 4).map_or((u32::from(b'\\'), 1), |code| (code, 6)),
            (b'\\', b'x') => number(pos + 2, 2).map_or((u32::from(b'\\'), 1), |code| (code, 4)),
            (b'\\', b'n') => (u32::from(b'\n'), 2),
            (b'\\', b'r' | b't') => (u32::from(b' '), 2),
            (b'\\', quoted @ (b'"' | b'\\' | b'/' | b'\'')) => (u32::from(quoted), 2),
            (byte, _) => (u32::from(byte), 1),
        };
        plain.push(u8::try_from(byte).unwrap_or(b'?'));
        places.push(pos);
        pos += length;
    }
    places.push(run.len());
    (plain, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        ["gh", "p_", "zX8kq2LmWv93Tb7Rp0YdaB", "cDeF1gHiJkLmN9"].concat()
    }

    #[test]
    fn tokens_are_found_under_every_layer() {
        let detector = Detector::new();
        let token = token();
        let plain = format!("value {token} end of it");
        let base64 = STANDARD.encode(&plain);
        let twice = STANDARD.encode(format!("inner: {base64} ."));
        let hex: String = plain.bytes().map(|byte| format!("{byte:02x}")).collect();
        let percent = plain.replace('_', "%5F").replace(' ', "%20");
        let json = plain.replace('_', "\\u005f").replace(' ', "\\u0020");
        for text in [&base64, &twice, &hex, &percent, &json, &URL_SAFE.encode(&plain)] {
            let hits = detector.find(text);
            assert!(hits.iter().any(|hit| hit.slug == "github-token"), "{text}");
        }
    }
}
