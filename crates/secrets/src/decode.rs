//! Decodes layers of encoding within bounds: base64 (also of gzip and zlib), hex, percent, octal and JSON escapes.
//!
//! Only results that are text are searched, and only with rules that have a prefix, URLs, keys and assignments.
//! Spans of hits map back to the encoded bytes that contain them.

use std::io::Read as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::charset::{self, at, before};
use crate::detect::{Detector, Hit};

/// Limit on nested layers.
pub(crate) const DEPTH: usize = 3;
/// Shortest encoded runs that are decoded.
const SHORTEST: usize = 24;
/// Longest run decoded as one.
const LONGEST: usize = 64 * 1024;

const FORGIVING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, FORGIVING);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, FORGIVING);

/// Remaining bytes to decode for one run. It starts in proportion to the run's length, so that the work stays
/// linear and the result depends only on the run.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: usize,
    exhausted: bool,
}

impl Budget {
    pub(crate) fn new(run: usize) -> Self {
        Self { bytes: run * 4 + 256, exhausted: false }
    }

    fn take(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.exhausted |= left.is_none();
        self.bytes = left.unwrap_or(0);
        left.is_some()
    }
}

/// Decodes base64 of either alphabet, padded or not; empty if it isn't base64.
pub(crate) fn base64(text: &[u8]) -> Vec<u8> {
    let engine = if text.iter().any(|byte| matches!(byte, b'-' | b'_')) { &URL_SAFE } else { &STANDARD };
    engine.decode(text).unwrap_or_default()
}

/// Searches the encoded runs of a text. A run beyond the limits on depth or size becomes a hit itself. Returns the
/// lines that consist of one such run: they may be folded base64.
pub(crate) fn layers(detector: &Detector, text: &[u8], hits: &mut Vec<Hit>) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    encoded(text, &mut lines, |run| {
        let (start, end) = (run.start, run.end);
        let mut budget = Budget::new(end - start);
        run.open(detector, 0, &mut budget, hits);
        if budget.exhausted {
            hits.extend(Hit::undecoded(start, end));
        }
    });
    lines
}

/// Line lengths of folded base64: 64 and 76 by convention.
const FOLDED: std::ops::RangeInclusive<usize> = 40..=256;

/// Searches folded base64: lines of one length and a last one. For whole texts only, because a stream releases a
/// line before it has seen the next.
pub(crate) fn folded(detector: &Detector, text: &[u8], lines: &[(usize, usize)], hits: &mut Vec<Hit>) {
    let mut done = 0;
    for (start, end) in lines.iter().copied() {
        let newline = if at(text, end) == b'\n' { 1 } else { 2 };
        let width = end - start;
        if start < done {
            continue;
        }
        let (mut joined, mut pos) = (Vec::new(), start);
        loop {
            let length = charset::run(text, pos, charset::ANY_BASE64 | charset::EQUALS, width + 1);
            let ends = matches!(at(text, pos + length), b'\n' | b'\r') || pos + length >= text.len();
            if length == 0 || length > width || !ends || joined.len() + length > LONGEST {
                break;
            }
            joined.extend_from_slice(text.get(pos..pos + length).unwrap_or_default());
            pos += length + newline;
            if length < width {
                break;
            }
        }
        done = pos;
        let place = |index: usize| start + index + index / width * newline;
        if joined.len() > width
            && let Some(plain) = base64_text(&joined)
        {
            for mut hit in detector.inner(&plain, 1, &mut Budget::new(joined.len())) {
                let (from, to) = (hit.start / 3 * 4, (hit.end.div_ceil(3) * 4).min(joined.len()));
                (hit.start, hit.end) = (place(from), place(to.saturating_sub(1)) + 1);
                hit.shown = 0;
                hit.tags.push("decoded:base64");
                hits.push(hit);
            }
        }
    }
}

/// Searches the encoded runs of decoded text.
pub(crate) fn deeper(
    detector: &Detector,
    text: &[u8],
    depth: usize,
    budget: &mut Budget,
    hits: &mut Vec<Hit>,
) {
    encoded(text, &mut Vec::new(), |run| {
        if depth == DEPTH {
            budget.exhausted |= !matches!(run.writing, Writing::Escapes(_));
        } else if !budget.exhausted {
            run.open(detector, depth, budget, hits);
        }
    });
}

/// An encoded run and its decoded text.
struct Encoded {
    start: usize,
    end: usize,
    plain: Vec<u8>,
    writing: Writing,
}

enum Writing {
    Base64,
    /// Base64 of gzip or zlib, where no byte has a place of its own.
    Packed,
    Hex,
    /// The position in the run of each byte of the text.
    Escapes(Vec<usize>),
}

impl Encoded {
    /// Searches the text; hits map back to the encoded bytes that hold them.
    fn open(self, detector: &Detector, depth: usize, budget: &mut Budget, hits: &mut Vec<Hit>) {
        if !budget.take(self.plain.len()) {
            return;
        }
        let tag = match self.writing {
            Writing::Base64 | Writing::Packed => "decoded:base64",
            Writing::Hex => "decoded:hex",
            Writing::Escapes(_) => "decoded:escape",
        };
        for mut hit in detector.inner(&self.plain, depth + 1, budget) {
            let (from, to) = match &self.writing {
                Writing::Base64 => (hit.start / 3 * 4, hit.end.div_ceil(3) * 4),
                Writing::Packed => (0, self.end - self.start),
                Writing::Hex => (hit.start * 2, hit.end * 2),
                Writing::Escapes(places) => {
                    let place = |index: usize| places.get(index).copied().unwrap_or(self.end - self.start);
                    (place(hit.start), place(hit.end))
                }
            };
            (hit.start, hit.end) = (self.start + from, (self.start + to).min(self.end));
            hit.shown = 0;
            hit.tags.push(tag);
            hits.push(hit);
        }
    }
}

fn encoded(text: &[u8], lines: &mut Vec<(usize, usize)>, mut found: impl FnMut(Encoded)) {
    runs(text, |start, end| {
        let whole_line = matches!(before(text, start), b'\n' | 0)
            && (at(text, end) == b'\n' || at(text, end) == b'\r' && at(text, end + 1) == b'\n');
        if whole_line && FOLDED.contains(&(end - start)) {
            lines.push((start, end));
        }
        let Some(run) = text.get(start..end) else { return };
        let hex = run.len() >= 32 && run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit);
        let (plain, writing) = match unpacked(run) {
            Some(plain) => (Some(plain), Writing::Packed),
            None if hex => (hex_text(run), Writing::Hex),
            None => (base64_text(run), Writing::Base64),
        };
        if let Some(plain) = plain {
            found(Encoded { start, end, plain, writing });
        }
    });
    escapes(text, found);
}

/// Runs of base64 characters of either alphabet, at least [`SHORTEST`] long, in parts of at most [`LONGEST`].
fn runs(text: &[u8], mut found: impl FnMut(usize, usize)) {
    let mut report = |start: usize, end: usize| {
        for from in (start..end).step_by(LONGEST) {
            let to = end.min(from + LONGEST);
            if to - from >= SHORTEST {
                // The letter of an escape (`\n`) isn't part of the run.
                found(if before(text, from) == b'\\' { from + 1 } else { from }, to);
            }
        }
    };
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last.iter_mut().zip(rest).for_each(|(slot, byte)| *slot = *byte);
    // Start of the run that extends into the current block.
    let mut open = 0;
    for (pos, block) in (0..).step_by(BLOCK).zip(blocks.iter().chain([&last])) {
        let members = members(block);
        if members == u64::MAX {
            continue;
        }
        let head = pos + members.trailing_ones() as usize;
        if head - open >= SHORTEST {
            report(open, head);
        }
        let mut inner = starts_of_long_runs(members & (members + 1));
        while inner != 0 {
            let from = inner.trailing_zeros();
            let length = (members >> from).trailing_ones();
            // A run that extends into the next block is reported there.
            if from + length < u64::BITS {
                report(pos + from as usize, pos + (from + length) as usize);
            }
            inner &= u64::MAX.checked_shl(from + length).unwrap_or(0);
        }
        open = pos + BLOCK - members.leading_ones() as usize;
    }
}

const BLOCK: usize = 64;

/// One bit for each byte, set for base64 characters. Uses comparisons and a multiplication, so that the compiler
/// can vectorise it.
fn members(block: &[u8; BLOCK]) -> u64 {
    let mut lanes = [0_u8; BLOCK];
    for (lane, byte) in lanes.iter_mut().zip(block) {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        let sign = (*byte == b'+') | (*byte == b'/') | (*byte == b'-') | (*byte == b'_');
        *lane = u8::from(letter | digit | sign);
    }
    let (eights, _) = lanes.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| {
        // Bit 8i of eight bytes of 0 or 1 becomes bit i of the topmost byte.
        mask << 8 | u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The bits at which `SHORTEST` set bits begin.
fn starts_of_long_runs(bits: u64) -> u64 {
    const { assert!(SHORTEST == 24) };
    let two = bits & bits >> 1;
    let four = two & two >> 2;
    let eight = four & four >> 4;
    let sixteen = eight & eight >> 8;
    sixteen & eight >> 16
}

/// Decodes a hex run to text.
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

/// Decodes a base64 run to text. Most runs are words or noise, which the first twelve characters show.
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

/// The text in a base64 run of gzip or zlib, as far as the budget of the run reaches.
fn unpacked(run: &[u8]) -> Option<Vec<u8>> {
    // The first bytes of gzip, and of zlib with each of its levels.
    if !matches!(run, [b'H', b'4', b's', b'I', ..] | [b'e', b'A' | b'F' | b'J' | b'N', ..]) {
        return None;
    }
    let usable = if run.len() % 4 == 1 { run.len() - 1 } else { run.len() };
    let packed = base64(run.get(..usable)?);
    let most = u64::try_from(run.len() * 4).ok()?;
    let mut plain = Vec::new();
    let read = match packed.first() {
        Some(0x1f) => flate2::read::GzDecoder::new(packed.as_slice()).take(most).read_to_end(&mut plain),
        _ => flate2::read::ZlibDecoder::new(packed.as_slice()).take(most).read_to_end(&mut plain),
    };
    // A run that was cut gives its beginning.
    (read.is_ok() || !plain.is_empty()).then_some(plain).filter(|plain| printable(plain))
}

/// At least 90 % printable.
fn printable(plain: &[u8]) -> bool {
    let text = plain.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
    !plain.is_empty() && text * 10 >= plain.len() * 9
}

/// Percent and JSON escapes: the word around them is unescaped as a whole.
fn escapes(text: &[u8], mut found: impl FnMut(Encoded)) {
    let mut done = 0;
    for pos in memchr::memchr2_iter(b'%', b'\\', text) {
        if pos < done || !escape_at(text, pos) {
            continue;
        }
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
        found(Encoded { start, end, plain, writing: Writing::Escapes(places) });
    }
}

/// Whether there is an escape at `pos` that could hide something. Escapes of only control characters and quotes
/// don't change what the rules see.
fn escape_at(text: &[u8], pos: usize) -> bool {
    // Only the escape of a visible character can hide one; escapes of control characters and binary tables can't.
    let visible = |from: usize, count: usize| {
        let digits = text.get(from..from + count).and_then(|digits| std::str::from_utf8(digits).ok());
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .is_some_and(|code| (0x21..0x7f).contains(&code))
    };
    match (at(text, pos), at(text, pos + 1)) {
        (b'%', _) => visible(pos + 1, 2),
        (b'\\', b'u') => visible(pos + 2, 4),
        (b'\\', b'x') => visible(pos + 2, 2),
        (b'\\', b'0'..=b'1') => octal(text, pos + 1).is_some_and(|code| (0o41..0o177).contains(&code)),
        (b'\\', b'/') => true,
        _ => false,
    }
}

/// The number that three octal digits write.
fn octal(text: &[u8], from: usize) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text.get(from..from + 3)?).ok()?, 8).ok()
}

/// The text without its escapes, and the original position of each byte.
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
            (b'\\', b'0'..=b'1') => octal(run, pos + 1).map_or((u32::from(b'\\'), 1), |code| (code, 4)),
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
    use std::io::Write as _;

    use super::*;

    fn token() -> String {
        ["gh", "p_", "zX8kq2LmWv93Tb7Rp0YdaB", "cDeF1gHiJkLmN9"].concat()
    }

    #[test]
    fn runs_are_found_wherever_they_begin_and_end() {
        for byte in 0..=255 {
            let expected = if charset::is(byte, charset::ANY_BASE64) { u64::MAX } else { 0 };
            assert_eq!(members(&[byte; BLOCK]), expected, "{byte}");
        }
        for start in 0..200 {
            for length in (20..30).chain([60, 64, 65, 127, 128, 129, 200]) {
                for tail in [0, 1, 63, 64, 70] {
                    let mut text = vec![b' '; start];
                    text.extend(vec![b'a'; length]);
                    text.extend(vec![b'.'; tail]);
                    let mut found = vec![];
                    runs(&text, |from, to| found.push((from, to)));
                    let expected =
                        if length >= SHORTEST { vec![(start, start + length)] } else { Vec::new() };
                    assert_eq!(found, expected, "{start} {length} {tail}");
                }
            }
        }
        let two = [&b"x ".repeat(5)[..], &b"a".repeat(24), b" ", &b"b".repeat(25), b"\\", &b"n".repeat(26)]
            .concat();
        let mut found = vec![];
        runs(&two, |from, to| found.push((from, to)));
        assert_eq!(found, [(10, 34), (35, 60), (62, 87)]);
        let mut found = vec![];
        runs(&[b'a'; LONGEST + 24], |from, to| found.push((from, to)));
        assert_eq!(found, [(0, LONGEST), (LONGEST, LONGEST + 24)]);
    }

    #[test]
    fn base64_over_lines_is_unfolded_in_whole_texts() {
        let encoded = STANDARD.encode(format!(
            "{} {} and some more words behind it",
            "some words before it ".repeat(5),
            token()
        ));
        for (width, newline) in [(76, "\n"), (64, "\r\n"), (60, "\n")] {
            let lines: Vec<_> =
                encoded.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
            let text = format!("attachment:\n\n{}{newline}\nend", lines.join(newline));
            let hits = Detector::shared().find(&text);
            assert_eq!(hits.len(), 1, "{width}: {hits:?}");
            let unfolded = text[hits[0].start..hits[0].end].replace(['\n', '\r'], "");
            assert!(encoded.contains(&unfolded), "{width}");
        }
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
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        let written = [gzip.write_all(plain.as_bytes()), zlib.write_all(plain.as_bytes())];
        assert!(written.iter().all(Result::is_ok));
        let packed = [gzip.finish().unwrap(), zlib.finish().unwrap()].map(|bytes| STANDARD.encode(bytes));
        let plainly = [base64, twice, hex, percent, json, URL_SAFE.encode(&plain)];
        for text in plainly.iter().chain(&packed) {
            let hits = detector.find(text);
            assert!(hits.iter().any(|hit| hit.slug == "github-token"), "{text}");
        }
    }
}
