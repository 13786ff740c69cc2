//! Decodes forms in which text can be hidden: base64, base32, hex, percent-encoding, JSON escapes, HTML entities,
//! lists of character codes, full-width and interspersed invisible letters, gzip and zlib, also nested, and split
//! into pieces.
//!
//! The start of an encoded value is unknown, because an address path may run into it, so each alignment is decoded.
//! The results are searched for secrets even if unreadable as a whole. To search for other people's text, they must
//! be readable.
//!
//! Reversed and rot13 text isn't decoded here: the index has fingerprints of these forms of each secret.

use std::io::Read as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use doorward_core::text::is_unseen;

/// Limit on nested encodings.
const DEEPEST: u8 = 3;
/// Limit on bytes that decoding may produce for one text, all forms together.
const MOST: usize = 256 << 10;
/// Shorter runs encode fewer than the six bytes that a piece of a value needs.
const SHORTEST: usize = 8;
/// The same for base32.
const SHORTEST_BASE32: usize = 10;
/// Shorter rows of character codes are dates and versions.
const SHORTEST_ROW: usize = 6;
/// Random bytes don't contain so many letters in a row.
const LONG_RUN: usize = 12;
/// Longer texts aren't searched for values with signs between their pieces.
const LONGEST_JOINED: usize = 16 << 10;

/// The encoding in which something was found.
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
    /// `&#65;`.
    Entities,
    /// A row of character codes.
    Codes,
    /// Full-width letters, or invisible characters between letters.
    Folded,
    /// Gzip or zlib.
    Compressed,
}

impl Form {
    /// The form in words, for a finding.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "as it is",
            Self::Base64 => "in base64",
            Self::Base32 => "in base32",
            Self::Hex => "in hex",
            Self::Percent => "percent-encoded",
            Self::Escapes => "in JSON escapes",
            Self::Entities => "in HTML entities",
            Self::Codes => "in character codes",
            Self::Folded => "in full-width or interrupted letters",
            Self::Compressed => "compressed",
        }
    }
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);

/// Result of decoding.
pub(crate) struct Decoded<'a> {
    pub(crate) form: Form,
    pub(crate) bytes: &'a [u8],
    /// Readable text as a whole. Otherwise only bytes of a known value in it count.
    pub(crate) readable: bool,
}

/// Calls `visit` with the text and everything that can be decoded from it, each with the outermost form.
pub(crate) fn each(text: &[u8], mut visit: impl FnMut(&Decoded<'_>)) {
    visit(&Decoded { form: Form::Plain, bytes: text, readable: true });
    let mut left = MOST;
    within(text, None, 0, &mut left, &mut visit);
}

fn within(
    text: &[u8],
    outer: Option<Form>,
    depth: u8,
    left: &mut usize,
    visit: &mut impl FnMut(&Decoded<'_>),
) {
    if depth >= DEEPEST {
        return;
    }
    decoded(text, depth, &mut |form, bytes: &[u8]| {
        // A single layer is at most as long as the text; only nested layers could grow.
        if depth > 0 {
            let Some(rest) = left.checked_sub(bytes.len()) else { return };
            *left = rest;
        }
        let form = outer.unwrap_or(form);
        let readable = is_readable(bytes);
        visit(&Decoded { form, bytes, readable });
        if readable || has_long_run(bytes) {
            within(bytes, Some(form), depth + 1, left, visit);
        }
    });
}

/// Calls `found` with each reading of a text in one form.
fn decoded(text: &[u8], depth: u8, found: &mut impl FnMut(Form, &[u8])) {
    let mut give = |form: Form, bytes: Option<Vec<u8>>| {
        if let Some(bytes) = bytes {
            found(form, &bytes);
        }
    };
    give(Form::Compressed, inflated(text));
    give(Form::Percent, percent(text));
    give(Form::Escapes, escapes(text));
    give(Form::Entities, entities(text));
    give(Form::Folded, folded(text));
    // The code of every visible character contains a digit, in any notation.
    if text.iter().filter(|byte| byte.is_ascii_digit()).count() >= SHORTEST_ROW {
        [16, 10, 8].into_iter().for_each(|radix| give(Form::Codes, codes(text, radix)));
    }
    for run in text.split(|byte| !is_base64(*byte)).filter(|run| run.len() >= SHORTEST) {
        of_run(run, &mut give);
    }
    if text.len() > LONGEST_JOINED {
        return;
    }
    // A value split into pieces: joins the long runs, and all runs, with quotes, signs and blanks between removed.
    let long: Vec<&[u8]> = text.split(|byte| !is_base64(*byte)).filter(|run| run.len() >= SHORTEST).collect();
    if long.len() > 1 {
        of_run(&long.concat(), &mut give);
    }
    let joined = without_signs(text);
    if joined.len() < text.len() {
        of_run(&joined, &mut give);
    }
    if depth == 0 {
        let turned: Vec<u8> = joined.into_iter().rev().collect();
        of_run(&turned, &mut give);
    }
}

/// The letters and digits of a text, and the signs of base64 that touch one: ` + ` between two pieces is none. The
/// letter of an escape (`\n`) isn't the text's own.
fn without_signs(text: &[u8]) -> Vec<u8> {
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let stays = |at: usize, byte: u8| {
        let before = at.checked_sub(1);
        if byte.is_ascii_alphanumeric() {
            let escaped =
                matches!(byte, b'n' | b'r' | b't') && before.and_then(|at| text.get(at)) == Some(&b'\\');
            return !escaped;
        }
        is_base64(byte) && (is_letter(before) || is_letter(Some(at + 1)))
    };
    text.iter().enumerate().filter(|(at, byte)| stays(*at, **byte)).map(|(_, byte)| *byte).collect()
}

/// What a run of letters and digits could encode. It may begin with other text (`p/W2Rl…`), so that each alignment is
/// tried.
fn of_run(run: &[u8], give: &mut impl FnMut(Form, Option<Vec<u8>>)) {
    let digits = run.split(|byte| !byte.is_ascii_hexdigit()).filter(|part| part.len() >= 2 * SHORTEST - 4);
    for part in digits {
        give(Form::Hex, hex(part));
        give(Form::Hex, part.get(1..).and_then(hex));
    }
    // Words and paths are skipped: one in 750 runs of eight base64 letters has neither capital nor digit, and those
    // are still tried joined with the other runs.
    let is_word = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'/' | b'-' | b'_' | b'+');
    if run.len() < SHORTEST || run.iter().all(is_word) {
        return;
    }
    for start in 0..4 {
        give(Form::Base64, run.get(start..).and_then(base64));
    }
    for part in run.split(|byte| !is_base32(*byte)).filter(|part| part.len() >= SHORTEST_BASE32) {
        for start in 0..8 {
            give(Form::Base32, part.get(start..).and_then(base32));
        }
    }
}

const fn is_base32(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'2'..=b'7')
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
    STANDARD.decode(standard.get(..whole)?).ok()
}

fn base32(run: &[u8]) -> Option<Vec<u8>> {
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
    Some(out)
}

fn hex(run: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, _) = run.as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    bytes
}

fn percent(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b"%", 2).or_else(|| unescape(text, b"\\x", 2))
}

fn escapes(text: &[u8]) -> Option<Vec<u8>> {
    unescape(text, b"\\u", 4)
}

/// Decodes escapes of a marker and a fixed number of hex digits; `None` if the text has none.
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

/// `&#104;` and `&#x68;`.
fn entities(text: &[u8]) -> Option<Vec<u8>> {
    if !text.contains(&b'&') || !text.windows(2).any(|pair| pair == b"&#") {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match entity(rest) {
            Some((letter, length)) => {
                out.extend(letter.to_string().bytes());
                rest = rest.get(length..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    Some(out)
}

fn entity(text: &[u8]) -> Option<(char, usize)> {
    let inner = text.strip_prefix(b"&#")?;
    let (inner, radix) = match inner.strip_prefix(b"x").or(inner.strip_prefix(b"X")) {
        Some(digits) => (digits, 16),
        None => (inner, 10),
    };
    let digits = inner.iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let value = u32::from_str_radix(std::str::from_utf8(inner.get(..digits)?).ok()?, radix).ok()?;
    let end = text.len() - inner.len() + digits;
    Some((char::from_u32(value)?, end + usize::from(text.get(end) == Some(&b';'))))
}

/// A row of character codes: `61 62 63`, `0x61,0x62`, `[104, 117]`, `\\u{61}`, `chr(104)`.
fn codes(text: &[u8], radix: u32) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut row: Vec<u8> = Vec::new();
    let mut end = |row: &mut Vec<u8>| {
        if row.len() >= SHORTEST_ROW {
            out.append(row);
        }
        row.clear();
    };
    for token in text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|token| !token.is_empty()) {
        let digits =
            token.iter().rposition(|byte| *byte == b'x').and_then(|at| token.get(at + 1..)).unwrap_or(token);
        let code = (digits.len() <= 3)
            .then(|| std::str::from_utf8(digits).ok().and_then(|text| u8::from_str_radix(text, radix).ok()))
            .flatten();
        match code {
            Some(code @ b' '..=b'~') => row.push(code),
            // `chr`, `u`, `x`.
            _ if token.len() <= 3 && token.iter().all(u8::is_ascii_alphabetic) => {}
            _ => end(&mut row),
        }
    }
    end(&mut row);
    (!out.is_empty()).then_some(out)
}

/// Full-width letters converted to plain ones, invisible characters removed.
fn folded(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_ascii() {
        return None;
    }
    let text = String::from_utf8_lossy(text);
    let mut changed = false;
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let plain = match u32::from(letter) {
            code @ 0xff01..=0xff5e => char::from_u32(code - 0xff01 + 0x21),
            0x3000 => Some(' '),
            code @ 0xe_0020..=0xe_007e => char::from_u32(code - 0xe_0000),
            _ if is_unseen(letter) || is_mark(letter) => None,
            _ => {
                out.push(letter);
                continue;
            }
        };
        changed = true;
        out.extend(plain);
    }
    changed.then(|| out.into_bytes())
}

/// A combining mark on the letter before it.
const fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// Whether decoded bytes are text or a compressed stream. Decoding an ordinary word gives neither.
fn is_readable(bytes: &[u8]) -> bool {
    let compressed = matches!(bytes, [0x1f, 0x8b, ..] | [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..]);
    let text = |byte: &&u8| matches!(**byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let plain = bytes.iter().filter(text).count();
    bytes.len() >= 5 && (compressed || plain * 8 >= bytes.len() * 7)
}

/// Whether unreadable bytes may contain a further layer: decoding ordinary text gives no long run of letters.
fn has_long_run(bytes: &[u8]) -> bool {
    bytes.split(|byte| !is_base64(*byte)).any(|run| run.len() >= LONG_RUN)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const VALUE: &str = "correct-horse-7312";

    fn found(text: &str) -> Vec<Form> {
        let mut forms = Vec::new();
        each(text.as_bytes(), |decoded| {
            if String::from_utf8_lossy(decoded.bytes).contains(VALUE) {
                forms.push(decoded.form);
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
        each(&bomb.finish().unwrap(), |decoded| sum += decoded.bytes.len());
        assert!(sum < 1 << 20, "{sum}");
    }
}
