//! Private keys in armour: PEM and OpenPGP blocks, and PuTTY's own format.
//!
//! A header alone is nothing: base64 lines must follow, as lines, as one line with `\n` escapes, indented, quoted, in a
//! comment or behind the signs of a diff. Prose after the header ends it.

use crate::charset::{self, at, is};
use crate::value;

/// A private key in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Armour {
    pub(crate) start: usize,
    /// End of the header line, which may be shown.
    pub(crate) header: usize,
    pub(crate) end: usize,
    pub(crate) encrypted: bool,
    /// The text ended before the key did.
    pub(crate) open: bool,
}

/// What is there at a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// No key.
    Nothing,
    /// A header, and too little behind it to tell.
    Undecided(usize),
    /// A key.
    Key(Armour),
}

/// Fewer base64 characters than this are no key.
const LEAST: usize = 64;
/// Beyond this many bytes every character that may occur in a key belongs to it: a stream can't hold more.
const STRICT: usize = 12 * 1024;

/// The key whose header has `BEGIN` at `pos`.
pub(crate) fn at_begin(text: &[u8], pos: usize) -> Found {
    let Some(start) = pos.checked_sub(5) else { return Found::Nothing };
    if text.get(start..pos) != Some(b"-----") {
        return Found::Nothing;
    }
    let Some(window) = text.get(pos..(pos + 64).min(text.len())) else { return Found::Nothing };
    let Some(close) = memchr::memmem::find(window, b"-----") else {
        let label = window.iter().all(|byte| byte.is_ascii_uppercase() || b" -".contains(byte));
        return if label && window.len() < 64 { Found::Undecided(start) } else { Found::Nothing };
    };
    let label = window.get(..close).unwrap_or_default();
    if !(label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")) {
        return Found::Nothing;
    }
    let header = pos + close + 5;
    let line = text.get(start.saturating_sub(48)..start).unwrap_or_default();
    let prefix = line
        .iter()
        .rposition(|byte| *byte == b'\n')
        .and_then(|newline| line.get(newline + 1..))
        .unwrap_or_default();
    let body = body(text, header, prefix);
    if body.count < LEAST {
        return if body.open { Found::Undecided(start) } else { Found::Nothing };
    }
    let sample = text.get(header..body.end).unwrap_or_default();
    let letters: Vec<u8> =
        sample.iter().copied().filter(|byte| is(*byte, charset::BASE64)).take(512).collect();
    if value::masked(&letters) {
        return Found::Nothing;
    }
    let encrypted = memchr::memmem::find(label, b"ENCRYPTED").is_some()
        || memchr::memmem::find(sample.get(..sample.len().min(200)).unwrap_or_default(), b"ENCRYPTED")
            .is_some();
    Found::Key(Armour { start, header, end: body.end, encrypted, open: body.open })
}

struct Body {
    count: usize,
    end: usize,
    open: bool,
}

fn body(text: &[u8], header: usize, prefix: &[u8]) -> Body {
    let mut pos = header;
    let mut body = Body { count: 0, end: header, open: false };
    let mut line_has_word = false;
    while pos < text.len() {
        if pos - header > STRICT {
            return rest(text, pos, body.count);
        }
        match at(text, pos) {
            b'\n' | b'\r' => {
                line_has_word = false;
                pos += 1;
                // What stands before the header on its line (a log's own prefix) may stand before every line.
                if !prefix.is_empty() && text.get(pos..).is_some_and(|rest| rest.starts_with(prefix)) {
                    pos += prefix.len();
                }
            }
            b'\\' => {
                // `\n`, `\\n`, a line's last backslash.
                while at(text, pos) == b'\\' {
                    pos += 1;
                }
                if matches!(at(text, pos), b'n' | b'r' | b't') {
                    pos += 1;
                    line_has_word = false;
                } else if !matches!(at(text, pos), b'\n' | b'\r' | b'/' | b'"' | 0) {
                    return body;
                }
            }
            b'-' if text.get(pos..pos + 8) == Some(b"-----END") => {
                let tail = text.get(pos + 8..(pos + 72).min(text.len())).unwrap_or_default();
                let close = memchr::memmem::find(tail, b"-----");
                body.end = close.map_or(pos + 8, |close| pos + 8 + close + 5);
                body.open = close.is_none() && tail.len() < 64;
                return body;
            }
            b'-' if text.len() - pos < 8
                && text.get(pos..).is_some_and(|rest| b"-----END".starts_with(rest)) =>
            {
                body.open = true;
                return body;
            }
            b' ' | b'\t' | b'"' | b'\'' | b',' | b'`' | b'#' | b'*' | b'>' | b'|' | b'-' | b'.'
                if !line_has_word =>
            {
                pos += 1
            }
            b' ' | b'\t' | b'"' | b'\'' | b',' | b'`' | b';' | b'+' | b')' if line_has_word => {
                // Only closing marks may follow the word on its line.
                let tail = charset_tail(text, pos);
                match at(text, tail) {
                    b'\n' | b'\r' | b'\\' | 0 if tail >= text.len() || at(text, tail) != 0 => {
                        pos = tail.max(pos + 1)
                    }
                    b'-' if text.get(tail..tail + 8) == Some(b"-----END") => pos = tail,
                    _ => return body,
                }
            }
            byte if is(byte, charset::BASE64 | charset::EQUALS) || byte == b'-' => {
                let word = charset::run(text, pos, charset::BASE64 | charset::EQUALS | charset::DASH, 8192);
                let next = at(text, pos + word);
                let mark = word <= 3
                    && text
                        .get(pos..pos + word)
                        .is_some_and(|mark| mark.iter().all(|byte| b"+-/".contains(byte)));
                if mark && !line_has_word {
                    pos += word;
                    continue;
                }
                let end_mark = text.get(pos..pos + word).and_then(|run| memchr::memmem::find(run, b"-----"));
                if next == b':' && body.count == 0 {
                    // `Proc-Type: 4,ENCRYPTED`, `Version: …`: armour headers.
                    pos += word;
                    while pos < text.len()
                        && !matches!(at(text, pos), b'\n' | b'\r')
                        && !(at(text, pos) == b'\\' && at(text, pos + 1) == b'n')
                    {
                        pos += 1;
                    }
                    continue;
                }
                if let Some(mark) = end_mark {
                    body.count += mark;
                    pos += mark;
                    body.end = pos;
                    if text.get(pos..pos + 8) != Some(b"-----END") {
                        body.open = pos + 8 > text.len();
                        return body;
                    }
                    continue;
                }
                // Prose: short words of letters on one line.
                let lettered = text.get(pos..pos + word).is_some_and(|run| word < 24 && run.contains(&b'-'));
                if lettered && next != 0 {
                    return body;
                }
                pos += word;
                body.count += word;
                body.end = pos;
                line_has_word = true;
            }
            _ => return body,
        }
    }
    body.open = true;
    body.end = text.len();
    body
}

/// Past closing marks and white space of a line.
fn charset_tail(text: &[u8], pos: usize) -> usize {
    pos + text
        .get(pos..)
        .map_or(0, |rest| rest.iter().take(24).take_while(|byte| b" \t\"'`,;+)".contains(byte)).count())
}

/// Whether a byte may stand in the body of an overlong key.
pub(crate) fn may_belong(byte: u8) -> bool {
    is(byte, charset::BASE64 | charset::EQUALS | charset::DASH) || b" \t\r\n\\\"',:".contains(&byte)
}

fn rest(text: &[u8], from: usize, count: usize) -> Body {
    let length = text.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| may_belong(**byte)).count());
    Body { count, end: from + length, open: from + length == text.len() }
}

/// The private lines of a PuTTY key whose file header begins at `pos`.
pub(crate) fn at_putty(text: &[u8], pos: usize) -> Option<Armour> {
    let window = text.get(pos..(pos + 16 * 1024).min(text.len()))?;
    window.strip_prefix(b"PuTTY-User-Key-File-")?;
    let label = memchr::memmem::find(window, b"Private-Lines:")?;
    let encrypted = memchr::memmem::find(window.get(..label)?, b"Encryption: none").is_none();
    let first = label + memchr::memchr(b'\n', window.get(label..)?)? + 1;
    let mut end = first;
    let mut open = true;
    while end < window.len() {
        let line = charset::run(window, end, charset::BASE64 | charset::EQUALS, 128);
        let after = end + line;
        match at(window, after) {
            b'\n' if line > 0 => end = after + 1,
            b'\r' if line > 0 => end = after + 1 + usize::from(at(window, after + 1) == b'\n'),
            _ => {
                open = after == window.len();
                end = if open { after } else { end };
                break;
            }
        }
    }
    (end > first).then_some(Armour {
        start: pos + first,
        header: pos + first,
        end: pos + end,
        encrypted,
        open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Base64 of nothing in particular, in lines.
    fn lines(count: usize) -> Vec<String> {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..count)
            .map(|line| {
                (0..64).map(|index| alphabet[(index * 7 + line * 13 + index * index) % 64] as char).collect()
            })
            .collect()
    }

    fn find(text: &str) -> Found {
        at_begin(text.as_bytes(), text.find("BEGIN").unwrap())
    }

    #[test]
    fn keys_in_every_dress_and_headers_alone() {
        let (begin, end) =
            (concat!("-----BEGIN RSA PRIV", "ATE KEY-----"), concat!("-----END RSA PRIV", "ATE KEY-----"));
        let body = lines(4);
        let dressed = |before: &str, after: &str| {
            let inner: String = body.iter().map(|line| format!("{before}{line}{after}\n")).collect();
            format!("{begin}{after}\n{inner}{before}{end}")
        };
        for text in [
            dressed("", ""),
            dressed("    ", ""),
            dressed("+ ", ""),
            dressed("# ", ""),
            dressed("\"", "\\n\" +"),
            format!("\"{begin}\\n{}\\n{end}\\n\"", body.join("\\n")),
            format!(
                "{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{}\n{end}",
                body.join("\n")
            ),
        ] {
            let Found::Key(key) = find(&text) else { panic!("{text}") };
            assert!(text[..key.end].ends_with(end), "{text}\n{}", &text[..key.end]);
            assert!(!key.open);
        }
        for text in [
            format!("{begin} is how a key begins, and then it goes on"),
            format!("`{begin}` and\n/// more words\n/// {end}"),
            format!("{begin}\n...\n{end}"),
            format!("{begin}\\n\" + key + \"{end}"),
        ] {
            assert_eq!(find(&text), Found::Nothing, "{text}");
        }
        assert!(matches!(find(&format!("{begin}\n{}", body[0])), Found::Key(key) if key.open));
        assert!(matches!(find(&format!("{begin}\nMII")), Found::Undecided(0)));
    }
}
