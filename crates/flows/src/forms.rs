//! Decodes the forms that a text may be hidden in: base64, base32, hex, percent-encoding, JSON escapes, gzip and zlib,
//! also nested, and cut into pieces. A form is decoded only if the text looks like it.
//!
//! Reversed and rot13 text isn't decoded here: the index has fingerprints of these forms of each secret.

use std::io::Read as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// How deep encodings may be nested.
const DEEPEST: u8 = 3;
/// Most bytes that decoding may produce for one text, all forms together.
const MOST: usize = 256 << 10;
/// Shorter runs aren't decoded: they encode fewer than the six bytes that a piece of a value needs.
const SHORTEST: usize = 8;

/// The encoding that was undone to find something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Not encoded.
    Plain,
    /// Base64, either alphabet, with or without padding.
    Base64,
    /// Base32.
    Base32,
    /// Hexadecimal digits, also as `\x41`.
    Hex,
    /// `%41`.
    Percent,
    /// `\u0041`.
    Escapes,
    /// Gzip or zlib.
    Compressed,
}

impl Form {
    /// In words, for a finding.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "as it is",
            Self::Base64 => "in base64",
            Self::Base32 => "in base32",
            Self::Hex => "in hex",
            Self::Percent => "percent-encoded",
            Self::Escapes => "in JSON escapes",
            Self::Compressed => "compressed",
        }
    }
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);

/// Calls `visit` with the text and with everything that can be decoded from it, each with the outermost form.
pub(crate) fn each(text: &[u8], mut visit: impl FnMut(Form, &[u8])) {
    visit(Form::Plain, text);
    let mut left = MOST;
    within(text, None, 0, &mut left, &mut visit);
}

fn within(
    text: &[u8],
    outer: Option<Form>,
    depth: u8,
    left: &mut usize,
    visit: &mut impl FnMut(Form, &[u8]),
) {
    if depth >= DEEPEST {
        return;
    }
    for (form, decoded) in decoded(text) {
        if decoded.len() > *left {
            return;
        }
        *left -= decoded.len();
        let named = outer.unwrap_or(form);
        visit(named, &decoded);
        within(&decoded, Some(named), depth + 1, left, visit);
    }
}

fn decoded(text: &[u8]) -> Vec<(Form, Vec<u8>)> {
    let mut out = Vec::new();
    out.extend(inflated(text).map(|bytes| (Form::Compressed, bytes)));
    out.extend(percent(text).map(|bytes| (Form::Percent, bytes)));
    out.extend(escapes(text).map(|bytes| (Form::Escapes, bytes)));
    let mut joined = Vec::new();
    let mut runs = 0;
    for run in text.split(|byte| !is_base64(*byte)).filter(|run| run.len() >= SHORTEST) {
        out.extend(of_run(run));
        // Paths and words aren't pieces of an encoded value: pieces mix letters and digits densely.
        joined.extend_from_slice(run);
        runs += 1;
    }
    if (2..=64).contains(&runs) {
        out.extend(hex(&joined).map(|bytes| (Form::Hex, bytes)));
        out.extend(base64(&joined).map(|bytes| (Form::Base64, bytes)));
        out.extend(base32(&joined).map(|bytes| (Form::Base32, bytes)));
    }
    out
}

/// What a run of letters and digits could encode. A run may begin with other text (`p/W2Rl…`), so base64 is tried from
/// each of its first four characters.
fn of_run(run: &[u8]) -> Vec<(Form, Vec<u8>)> {
    let mut out = Vec::new();
    let digits = run.split(|byte| !byte.is_ascii_hexdigit()).filter(|part| part.len() >= 2 * SHORTEST - 4);
    for part in digits {
        out.extend(hex(part).map(|bytes| (Form::Hex, bytes)));
    }
    // Words and paths: eight letters of base64 without a capital or a digit come once in 750 times, and are still tried
    // joined with the other runs.
    let is_word = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'/' | b'-' | b'_' | b'+');
    if run.len() < SHORTEST || run.iter().all(is_word) {
        return out;
    }
    for start in 0..4 {
        let part = run.get(start..).unwrap_or_default();
        out.extend(base64(part).map(|bytes| (Form::Base64, bytes)));
    }
    out.extend(base32(run).map(|bytes| (Form::Base32, bytes)));
    out
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

fn base64(run: &[u8]) -> Option<Vec<u8>> {
    let standard: Vec<u8> = run
        .iter()
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => *byte,
        })
        .collect();
    // A single character left over encodes nothing.
    let whole = standard.len() - usize::from(standard.len() % 4 == 1);
    readable(STANDARD.decode(standard.get(..whole)?).ok()?)
}

fn base32(run: &[u8]) -> Option<Vec<u8>> {
    if run.len() < 10 {
        return None;
    }
    let (mut out, mut bits, mut held) = (Vec::with_capacity(run.len() * 5 / 8), 0_u32, 0_u32);
    for byte in run {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        bits = (bits << 5) | u32::from(value);
        held += 5;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held).to_le_bytes()[0]);
            bits &= (1 << held) - 1;
        }
    }
    readable(out)
}

fn hex(run: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, _) = run.as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    readable(bytes?)
}

fn percent(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b"%", 2).or_else(|| unescape(text, b"\\x", 2))
}

fn escapes(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b"\\u", 4)
}

/// A text with `MARK` and so many hex digits read as a byte or character; `None` where it has none.
fn unescape(text: &[u8], mark: &[u8], digits: usize) -> Option<Vec<u8>> {
    if !text.windows(mark.len()).any(|bytes| bytes == mark) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some((first, after)) = rest.split_first() {
        let value = rest
            .strip_prefix(mark)
            .and_then(|rest| rest.get(..digits))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(value) = value else {
            out.push(*first);
            rest = after;
            continue;
        };
        found = true;
        match (u8::try_from(value), char::from_u32(value)) {
            (Ok(byte), _) => out.push(byte),
            (_, Some(letter)) => out.extend(letter.to_string().bytes()),
            _ => {}
        }
        rest = rest.get(mark.len() + digits..).unwrap_or_default();
    }
    found.then_some(out)
}

fn inflated(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let limit = u64::try_from(MOST / 4).unwrap_or(u64::MAX);
    let read = match text {
        [0x1f, 0x8b, ..] => flate2::read::GzDecoder::new(text).take(limit).read_to_end(&mut out),
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => {
            flate2::read::ZlibDecoder::new(text).take(limit).read_to_end(&mut out)
        }
        _ => return None,
    };
    // A truncated stream still gives the bytes before the cut.
    (read.is_ok() || !out.is_empty()).then_some(out)
}

/// Decoded bytes that are text or a compressed stream. Decoding an ordinary word gives neither.
fn readable(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let compressed = matches!(bytes.as_slice(), [0x1f, 0x8b, ..] | [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..]);
    let text = |byte: &&u8| matches!(**byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let plain = bytes.iter().filter(text).count();
    (bytes.len() >= 5 && (compressed || plain * 8 >= bytes.len() * 7)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const VALUE: &str = "correct-horse-7312";

    fn found(text: &str) -> Vec<Form> {
        let mut forms = Vec::new();
        each(text.as_bytes(), |form, decoded| {
            if String::from_utf8_lossy(decoded).contains(VALUE) {
                forms.push(form);
            }
        });
        forms
    }

    #[test]
    fn every_form_is_undone() {
        let standard = STANDARD.encode(VALUE);
        let twice = STANDARD.encode(&standard);
        let hex: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
        let percent: String = VALUE.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let escapes: String = VALUE.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(VALUE.as_bytes()).unwrap();
        let gzip = STANDARD.encode(gzip.finish().unwrap());
        for (text, form) in [
            (VALUE.to_owned(), Form::Plain),
            (format!("https://x.example/p/{}", standard.trim_end_matches('=')), Form::Base64),
            (format!("x={twice}&y"), Form::Base64),
            (format!("https://x.example/{hex}.png"), Form::Hex),
            (percent, Form::Percent),
            (escapes, Form::Escapes),
            (gzip, Form::Base64),
            ("MNXXE4TFMN2C22DPOJZWKLJXGMYTE===".to_owned(), Form::Base32),
            (format!("a='{}'; b='{}'", &standard[..12], &standard[12..]), Form::Base64),
        ] {
            assert!(found(&text).contains(&form), "{text}: {:?}", found(&text));
        }
        assert!(found("nothing of it, only words").is_empty());
    }

    #[test]
    fn a_bomb_stays_small() {
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        bomb.write_all(&vec![b'a'; 16 << 20]).unwrap();
        let mut sum = 0;
        each(&bomb.finish().unwrap(), |_, decoded| sum += decoded.len());
        assert!(sum < 1 << 20, "{sum}");
    }
}
