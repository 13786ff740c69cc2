//! Finds secrets in a whole text that a plain search misses: in full-width letters or with colours or invisible
//! characters between, in HTML entities, as numbers (a hex dump, a list of bytes), in base32, backwards, or split into
//! quoted pieces.
//!
//! Each form gives another reading of the text, with the original position of each byte. A reading is made only if
//! the text shows that form, so that ordinary text costs one look at each byte. Streams aren't searched this way,
//! because a stream releases text before the rest is known.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use doorward_core::text::is_unseen;

use crate::charset::at;
use crate::decode::Budget;
use crate::detect::{Detector, Hit};

/// Longer texts aren't searched backwards.
const LONGEST_REVERSED: usize = 64 << 10;
/// Shortest run of base32 that is decoded.
const SHORTEST_BASE32: usize = 24;
/// Limit on signs and blanks between two quoted pieces.
const WIDEST_JOINT: usize = 24;
/// Up to this length the items of a list are tried as pieces of one value.
const LONGEST_LIST: usize = 4 << 10;

/// How much of a text is looked at in one go for signs of a form.
const BLOCK: usize = 32;
/// How much of the text around a form is read with it, and how far the ends of its lines are looked for.
const NEAR: usize = 256;
const FURTHEST: usize = 4 << 10;

/// The byte that begins a terminal's control sequence.
const ESCAPE: u8 = 0x1b;
/// Fewest bytes in a line of a hex dump, and fewest numbers in a list, that are read as a text.
const FEWEST_BYTES: usize = 8;

/// How the reading of a hex dump is called; its hits cover whole lines, with the column of letters.
const DUMP: &str = "disguised:dump";

/// How the reading without colours and odd letters is called.
const LETTERS: &str = "disguised:letters";

/// Another reading of a text.
#[derive(Debug, Default)]
struct Reading {
    plain: Vec<u8>,
    /// The original position of each byte, and the end of the last.
    places: Vec<usize>,
    changed: bool,
}

impl Reading {
    fn push(&mut self, byte: u8, place: usize) {
        self.plain.push(byte);
        self.places.push(place);
    }

    /// Takes the last bytes away.
    fn cut(&mut self, count: usize) {
        let kept = self.plain.len().saturating_sub(count);
        self.plain.truncate(kept);
        self.places.truncate(kept);
    }

    /// Secrets that only this reading shows, where they stand in the text.
    fn search(&self, detector: &Detector, text: &[u8], tag: &'static str) -> Vec<Hit> {
        let place = |index: usize| self.places.get(index).copied().unwrap_or(text.len());
        let mut hits = detector.inner(&self.plain, 1, &mut Budget::new(self.plain.len()));
        hits.retain_mut(|hit| {
            let (start, mut end) = (place(hit.start), place(hit.end.saturating_sub(1)) + 1);
            if tag == DUMP {
                let rest = text.get(end..).unwrap_or_default();
                end += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            // A secret that is also visible in the original text was found there.
            let is_plain = text.get(start..end) == self.plain.get(hit.start..hit.end);
            let covered = text.get(..end.max(place(hit.end))).unwrap_or(text);
            let between = |byte: &&u8| matches!(byte, b' ' | b',' | b'\n' | b'\r');
            let end = covered.len() - covered.iter().rev().take_while(between).count();
            (hit.start, hit.end, hit.shown) = (start, end, 0);
            hit.tags.push(tag);
            !is_plain
        });
        hits
    }

    fn ended(mut self, end: usize) -> Option<Self> {
        self.places.push(end);
        self.changed.then_some(self)
    }
}

/// Adds hits found in other readings. Only the parts of the text that show a form are read that way.
pub(crate) fn search(detector: &Detector, text: &[u8], hits: &mut Vec<Hit>) {
    let lists = text.len() <= LONGEST_LIST;
    let pieces = |part: &[u8]| unquoted(part, lists);
    // Nothing stands before the quotation mark of an empty string.
    let ends_piece = |pos: usize| {
        let before = pos.checked_sub(1).map_or(b' ', |before| at(text, before));
        before.is_ascii_graphic() && !b"([{,:;<>\"'`".contains(&before)
    };
    let joints = memchr::memchr3_iter(b'"', b'\'', b'`', text)
        .filter(|pos| ends_piece(*pos) && joint(text, *pos, lists).is_some());
    let numbers: Vec<usize> = numbers(text).collect();
    let mut read = |places: &mut dyn Iterator<Item = usize>, reading: Read<'_>, tag: &'static str| {
        for part in parts(text, places) {
            let Some(shown) = text.get(part.clone()) else { continue };
            let found =
                reading(shown).map(|reading| reading.search(detector, shown, tag)).unwrap_or_default();
            hits.extend(found.into_iter().map(|mut hit| {
                hit.start += part.start;
                hit.end += part.start;
                hit
            }));
        }
    };
    read(&mut odd_letters(text), &folded, LETTERS);
    read(&mut memchr::memmem::find_iter(text, b"&#"), &entities, "disguised:entities");
    read(&mut joints.into_iter(), &pieces, "disguised:pieces");
    read(&mut numbers.iter().copied(), &dumped, DUMP);
    read(&mut numbers.iter().copied(), &listed, "disguised:numbers");
    base32(detector, text, hits);
    reversed(detector, text, hits);
}

/// How a part of a text is read.
type Read<'a> = &'a dyn Fn(&[u8]) -> Option<Reading>;

/// The parts of a text around these ascending places: `NEAR` bytes on both sides, and on to the ends of the lines.
fn parts(text: &[u8], places: &mut dyn Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for place in places {
        let (from, to) = (place.saturating_sub(NEAR), (place + NEAR).min(text.len()));
        if parts.last().is_some_and(|last| to <= last.end) {
            continue;
        }
        let ends = |byte: &u8| *byte == b'\n';
        let before = text.get(from.saturating_sub(FURTHEST)..from).unwrap_or_default();
        let mut start = from - before.iter().rev().position(ends).unwrap_or(before.len());
        let after = text.get(to..(to + FURTHEST).min(text.len())).unwrap_or_default();
        let mut end = to + after.iter().position(ends).unwrap_or(after.len());
        let cuts_letter = |place: usize| at(text, place) & 0xc0 == 0x80;
        while start > 0 && cuts_letter(start) {
            start -= 1;
        }
        while cuts_letter(end) {
            end += 1;
        }
        match parts.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => parts.push(start..end),
        }
    }
    parts
}

/// Where colours of terminals, full-width letters and invisible characters stand.
fn odd_letters(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_plain = |block: &[u8]| block.is_ascii() && memchr::memchr(ESCAPE, block).is_none();
    let blocks = text.chunks(BLOCK).enumerate().filter(move |(_, block)| !is_plain(block));
    blocks.flat_map(move |(index, block)| {
        let start = index * BLOCK;
        (start..start + block.len()).filter(move |place| is_odd(text, *place))
    })
}

/// Whether a character stands here that a reading leaves out or makes plain.
fn is_odd(text: &[u8], place: usize) -> bool {
    let width = match at(text, place) {
        ESCAPE => return true,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return false,
    };
    let letter =
        text.get(place..place + width).and_then(|bytes| std::str::from_utf8(bytes).ok()?.chars().next());
    letter.is_some_and(|letter| {
        matches!(u32::from(letter), 0xff01..=0xff5e | 0xe_0020..=0xe_007e) || is_unseen(letter)
    })
}

/// Secrets with a terminal's colours in them, as `grep --color` prints what it found.
pub(crate) fn coloured(detector: &Detector, text: &[u8]) -> Vec<Hit> {
    match memchr::memchr(ESCAPE, text).and_then(|_| folded(text)) {
        Some(reading) => reading.search(detector, text, LETTERS),
        None => Vec::new(),
    }
}

/// Full-width letters converted to plain ones; colours of terminals and invisible characters removed.
fn folded(text: &[u8]) -> Option<Reading> {
    if text.is_ascii() && memchr::memchr(ESCAPE, text).is_none() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let mut reading = Reading::default();
    let mut done = 0;
    for (place, letter) in text.char_indices() {
        if letter == char::from(ESCAPE) && at(text.as_bytes(), place + 1) == b'[' {
            let rest = text.as_bytes().get(place + 2..).unwrap_or_default();
            done = place + 3 + rest.iter().take_while(|byte| !matches!(byte, b'@'..=b'~')).count();
            reading.changed = true;
        }
        if place < done {
            continue;
        }
        let plain = match u32::from(letter) {
            code @ 0xff01..=0xff5e => u8::try_from(code - 0xff01 + 0x21).ok(),
            code @ 0xe_0020..=0xe_007e => u8::try_from(code - 0xe_0000).ok(),
            _ if is_unseen(letter) => None,
            _ => {
                let mut buffer = [0; 4];
                letter.encode_utf8(&mut buffer).bytes().for_each(|byte| reading.push(byte, place));
                continue;
            }
        };
        reading.changed = true;
        plain.into_iter().for_each(|byte| reading.push(byte, place));
    }
    reading.ended(text.len())
}

/// `&#104;`, `&#x68;` converted to letters.
fn entities(text: &[u8]) -> Option<Reading> {
    memchr::memmem::find(text, b"&#")?;
    let mut reading = Reading::default();
    let mut pos = 0;
    while pos < text.len() {
        match entity(text.get(pos..).unwrap_or_default()) {
            Some((byte, length)) => {
                reading.push(byte, pos);
                reading.changed = true;
                pos += length;
            }
            None => {
                reading.push(at(text, pos), pos);
                pos += 1;
            }
        }
    }
    reading.ended(text.len())
}

fn entity(text: &[u8]) -> Option<(u8, usize)> {
    let inner = text.strip_prefix(b"&#")?;
    let (digits, radix) = match inner.first() {
        Some(b'x' | b'X') => (inner.get(1..)?, 16),
        _ => (inner, 10),
    };
    let count = digits.iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let code = u32::from_str_radix(std::str::from_utf8(digits.get(..count)?).ok()?, radix).ok()?;
    let length = text.len() - digits.len() + count;
    let byte = u8::try_from(code).ok().filter(u8::is_ascii_graphic)?;
    Some((byte, length + usize::from(at(text, length) == b';')))
}

/// How far it is from a quotation mark that ends a piece over the one that begins the next: `" + "`. In a list, a comma
/// and other marks part them, too.
fn joint(text: &[u8], pos: usize, lists: bool) -> Option<usize> {
    let rest = text.get(pos + 1..)?;
    let joins = |byte: &u8| {
        matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'+' | b'.' | b'\\' | b'&' | b'~')
            || (lists && *byte == b',')
    };
    let width = rest.iter().take(WIDEST_JOINT).take_while(|byte| joins(byte)).count();
    let opens = at(rest, width);
    (matches!(opens, b'"' | b'\'' | b'`') && (opens == at(text, pos) || lists)).then_some(width + 2)
}

/// Quoted pieces joined: `"abc" + "def"`, `'abc''def'`, `"abc" \⏎ "def"`.
fn unquoted(text: &[u8], lists: bool) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut done = 0;
    for pos in memchr::memchr3_iter(b'"', b'\'', b'`', text) {
        if pos < done {
            continue;
        }
        let Some(width) = joint(text, pos, lists) else { continue };
        (done..pos).for_each(|place| reading.push(at(text, place), place));
        done = pos + width;
        reading.changed = true;
    }
    (done..text.len()).for_each(|place| reading.push(at(text, place), place));
    reading.ended(text.len())
}

/// Where digits stand as close as in a dump or list of bytes.
fn numbers(text: &[u8]) -> impl Iterator<Item = usize> {
    let digits = |block: &[u8]| block.iter().map(|byte| u8::from(byte.is_ascii_digit())).sum::<u8>();
    let is_close = move |block: &[u8]| usize::from(digits(block)) * 5 >= block.len() * 2;
    text.chunks(BLOCK).enumerate().filter(move |(_, block)| is_close(block)).map(|(index, _)| index * BLOCK)
}

/// The bytes that lines of a hex dump show (`xxd`, `od -tx1`, `67:68:70`), joined over the lines. The bytes of a line
/// have its beginning as their place.
fn dumped(text: &[u8]) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let shown = dump_line(line);
        reading.changed |= shown.len() >= FEWEST_BYTES;
        if !reading.changed {
            start += line.len();
            continue;
        }
        if shown.is_empty() {
            reading.push(b'\n', start);
        }
        shown.iter().for_each(|byte| reading.push(*byte, start));
        start += line.len();
    }
    reading.ended(text.len())
}

/// The bytes in a line of a hex dump, or none.
fn dump_line(line: &[u8]) -> Vec<u8> {
    let Ok(line) = std::str::from_utf8(line) else { return Vec::new() };
    // An offset stands in front, apart: `00000010:`, `0000020 `.
    let (_, rest) = line.split_once(": ").unwrap_or(("", line));
    let mut shown = Vec::new();
    for group in rest.trim().split([' ', ':', ',']) {
        let digits = group.strip_prefix("0x").unwrap_or(group);
        let is_group =
            matches!(digits.len(), 2 | 4 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_group {
            // Two blanks part the bytes from the column with letters, or a dump's two halves.
            if group.is_empty() || shown.is_empty() {
                continue;
            }
            break;
        }
        shown.extend(
            digits
                .as_bytes()
                .chunks(2)
                .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()),
        );
    }
    // The last line of a dump may be short, and holds text like the others.
    let is_text = shown.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'));
    if is_text { shown } else { Vec::new() }
}

/// A list of the codes of letters: `[103, 104, 112, 95]`.
fn listed(text: &[u8]) -> Option<Reading> {
    let mut reading = Reading::default();
    let (mut pos, mut count) = (0, 0);
    while pos < text.len() {
        let rest = text.get(pos..)?;
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        match rest.get(..digits).and_then(number) {
            Some(code @ b' '..=b'~') => {
                reading.push(code, pos);
                count += 1;
                reading.changed |= count >= 2 * FEWEST_BYTES;
            }
            _ if matches!(at(text, pos), b',' | b' ' | b'\n') => {}
            _ => {
                // What is too short for a list isn't kept.
                if count < 2 * FEWEST_BYTES {
                    reading.cut(count);
                } else {
                    reading.push(b'\n', pos);
                }
                count = 0;
            }
        }
        pos += digits.max(1);
    }
    reading.ended(text.len())
}

/// The number that these digits write, if a byte holds it.
fn number(digits: &[u8]) -> Option<u8> {
    let (first, rest) = digits.split_first()?;
    rest.iter().try_fold(first - b'0', |number, digit| number.checked_mul(10)?.checked_add(digit - b'0'))
}

/// Runs of base32 that decode to text.
fn base32(detector: &Detector, text: &[u8], hits: &mut Vec<Hit>) {
    let is_letter = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7');
    let mut pos = 0;
    while pos + SHORTEST_BASE32 <= text.len() {
        // A run of that length contains a multiple of it.
        let anchor = pos + SHORTEST_BASE32 - 1;
        if !is_letter(&at(text, anchor)) {
            pos = anchor + 1;
            continue;
        }
        let back =
            text.get(pos..anchor).unwrap_or_default().iter().rev().take_while(|byte| is_letter(byte)).count();
        let ahead = text.get(anchor..).unwrap_or_default().iter().take_while(|byte| is_letter(byte)).count();
        let (start, end) = (anchor - back, anchor + ahead);
        if end - start >= SHORTEST_BASE32
            && let Some(run) = text.get(start..end)
            && let Some(plain) = base32_text(run)
        {
            for mut hit in detector.inner(&plain, 1, &mut Budget::new(run.len())) {
                let (from, to) = (hit.start / 5 * 8, (hit.end.div_ceil(5) * 8).min(run.len()));
                (hit.start, hit.end, hit.shown) = (start + from, start + to, 0);
                hit.tags.push("disguised:base32");
                hits.push(hit);
            }
        }
        pos = end;
    }
}

fn base32_text(run: &[u8]) -> Option<Vec<u8>> {
    let (mut plain, mut bits, mut held) = (Vec::with_capacity(run.len() * 5 / 8), 0_u32, 0_u32);
    for byte in run {
        let value = if byte.is_ascii_uppercase() { byte - b'A' } else { byte - b'2' + 26 };
        bits = (bits << 5) | u32::from(value);
        held += 5;
        if held >= 8 {
            held -= 8;
            let decoded = (bits >> held).to_le_bytes()[0];
            if !matches!(decoded, b' '..=b'~' | b'\n' | b'\r' | b'\t') {
                return None;
            }
            plain.push(decoded);
            bits &= (1 << held) - 1;
        }
    }
    Some(plain)
}

/// Prefixes of providers' keys, reversed.
const BACKWARDS: &[&str] = &[
    "_phg",
    "_ohg",
    "_uhg",
    "_shg",
    "_rhg",
    "_tap_buhtig",
    "-talpglg",
    "-talplg",
    "AIKA",
    "AISA",
    "azIA",
    "XPSCOG",
    "-tna-ks",
    "-jorp-ks",
    "-ks",
    "_evil_ks",
    "_tset_ks",
    "_evil_kr",
    "-bxox",
    "-pxox",
    "-axox",
    "-rxox",
    "_mpn",
    "-ipyp",
    "_fh",
    "_ksg",
    "-iax",
    ".sb.svh",
    "_1v_pod",
    "QA.",
    "JyeG",
    "JyE",
];

/// Providers' keys written backwards.
fn reversed(detector: &Detector, text: &[u8], hits: &mut Vec<Hit>) {
    static ENDS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let Some(ends) = ENDS.get_or_init(|| AhoCorasick::new(BACKWARDS).ok()) else { return };
    if text.len() > LONGEST_REVERSED || !ends.is_match(text) {
        return;
    }
    let turned: Vec<u8> = text.iter().rev().copied().collect();
    for mut hit in detector.inner(&turned, 1, &mut Budget::new(turned.len())) {
        // Names are read forwards, so backwards only a provider's format counts.
        if hit.is_guess() {
            continue;
        }
        (hit.start, hit.end, hit.shown) = (text.len() - hit.end, text.len() - hit.start, 0);
        hit.tags.push("disguised:reversed");
        hits.push(hit);
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::redact_text;
    use crate::{Detector, Style};

    /// A token in GitHub's format, built from parts.
    fn token() -> String {
        ["gh", "p_", "zX8kq2LmWv93Tb7Rp0YdaB", "cDeF1gHiJkLmN9"].concat()
    }

    fn base32(text: &str) -> String {
        let bits: String = text.bytes().map(|byte| format!("{byte:08b}")).collect();
        let letter = |bits: &[u8]| {
            let padded = format!("{:0<5}", std::str::from_utf8(bits).unwrap());
            char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[usize::from_str_radix(&padded, 2).unwrap()])
        };
        bits.as_bytes().chunks(5).map(letter).collect()
    }

    #[test]
    fn a_disguised_key_is_found_in_the_middle_of_long_lines() {
        let coloured = token().chars().map(|letter| format!("\x1b[31m{letter}")).collect::<String>();
        for around in ["word ", "é", "漢字", "\"\" ", "1, 2, "] {
            let line = around.repeat(20_000 / around.len());
            let text = format!("{line}\n{line} {coloured} {line}");
            let found = Detector::shared().search_whole(text.as_bytes(), Style::Unknown).hits;
            assert!(found.iter().any(|hit| hit.tags.contains(&super::LETTERS)), "{around:?}: {found:?}");
        }
    }

    #[test]
    fn a_disguised_key_is_masked_and_the_text_around_it_stays() {
        let token = token();
        let spaced = |mark: &str| token.chars().map(String::from).collect::<Vec<_>>().join(mark);
        let each = |write: fn(u8) -> String| token.bytes().map(write).collect::<String>();
        let (first, second) = token.split_at(17);
        for (form, text) in [
            ("soft hyphens", spaced("\u{ad}")),
            ("zero width", spaced("\u{200b}")),
            ("word joiner", spaced("\u{2060}")),
            ("full width", token.bytes().map(|b| char::from_u32(u32::from(b) + 0xfee0).unwrap()).collect()),
            ("entities", each(|byte| format!("&#{byte};"))),
            ("hex entities", each(|byte| format!("&#x{byte:x};"))),
            ("some entities", token.replace('_', "&#95;")),
            ("pieces", format!("\"{first}\" + \"{second}\"")),
            ("shell pieces", format!("'{first}''{second}'")),
            ("over lines", format!("'{first}' \\\n  '{second}'")),
            ("list", format!("['{first}', '{second}']")),
            ("base32", base32(&token)),
            ("colours", format!("\u{1b}[01;31m\u{1b}[K{}\u{1b}[m\u{1b}[K{}", &token[..4], &token[4..])),
            ("numbers", each(|byte| format!("{byte}, "))),
            ("octal", each(|byte| format!("\\{byte:03o}"))),
            ("reversed", token.chars().rev().collect()),
        ] {
            let shown = redact_text(&format!("before {text} after"));
            assert!(shown.starts_with("before ") && shown.ends_with(" after"), "{form}: {shown}");
            let left: String = shown.chars().filter(|c| c.is_alphanumeric()).collect();
            assert!(left.len() < 40 && shown.contains("****"), "{form}: {shown}");
        }
    }

    #[test]
    fn lines_of_a_hex_dump_are_masked_with_their_letters() {
        let text = format!("key: {} end of it\n", token());
        let lines = text.as_bytes().chunks(16).enumerate().map(|(at, bytes)| {
            let pairs: String = bytes
                .chunks(2)
                .map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + " ")
                .collect();
            format!("{:08x}: {pairs} {}\n", at * 16, String::from_utf8_lossy(bytes).replace('\n', "."))
        });
        let shown = redact_text(&format!("before\n{}after\n", lines.collect::<String>()));
        assert!(shown.starts_with("before\n") && shown.ends_with("after\n"), "{shown}");
        assert!(!shown.contains("zX8kq2") && !shown.contains("6770 5f") && shown.contains("****"), "{shown}");
        for apart in [" ", ":", ", 0x"] {
            let pairs: Vec<String> = token().bytes().map(|byte| format!("{byte:02X}")).collect();
            assert_eq!(redact_text(&format!("before\n{}\nafter", pairs.join(apart))), "before\n****\nafter");
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "an ordinary text, \"in\" + \"quotes\" and 'more' 'of' it",
            "日本語の文章、全角１２３と「引用」",
            "soft\u{ad}hyphen&#39;s and &#x2014; dashes",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            "MNXXE4TFMN2C22DPOJZWKLJXGMYTE",
            "{\"a\": \"b\", \"c\": [\"d\", \"e\"]}",
            "a risk-free desk_ksg",
            "[101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117]",
            "00000000: 7573 6520 7374 643a 3a66 733b 0a0a 7075  use std::fs;..pu\n",
            "\u{1b}[1mbold\u{1b}[0m and plain",
        ] {
            assert_eq!(redact_text(text), text);
        }
    }
}
