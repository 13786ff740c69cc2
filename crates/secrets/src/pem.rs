//! Armoured private keys: PEM and OpenPGP blocks, and PuTTY's own format.
//!
//! A header alone doesn't count: base64 lines must follow, as lines, as one line with `\n` escapes, indented,
//! quoted, in a comment or after diff markers. Prose after the header ends it.

use crate::charset::{self, at, is};
use crate::value;

/// Result at a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// No key.
    Nothing,
    /// A header begins here, but too little follows to decide.
    Undecided(usize),
    /// A key.
    Key(Key),
}

/// A private key in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) start: usize,
    /// End of the header line, which may be shown.
    pub(crate) header: usize,
    pub(crate) end: usize,
    pub(crate) encrypted: bool,
    /// The text ended before the key did: the state to continue from.
    pub(crate) open: Option<Body>,
}

/// With fewer base64 characters it isn't a key.
const LEAST: usize = 64;
/// The minimum if they look random and an END line follows.
const LEAST_CLOSED: usize = 32;
/// After this many bytes, a header with less key material isn't a key's. A stream may have to hold that much.
pub(crate) const UNDECIDED: usize = 2 * 1024;
/// Limit on white space and marks between two pieces of a key.
pub(crate) const GAP: usize = 512;
/// Limit on the distance from a PuTTY key's beginning to its private lines.
pub(crate) const PUTTY_HEAD: usize = 2 * 1024;

/// The key whose header has `BEGIN` at `pos`.
pub(crate) fn at_begin(text: &[u8], pos: usize) -> Found {
    let Some(start) = pos.checked_sub(5) else { return Found::Nothing };
    if text.get(start..pos) != Some(b"-----") {
        return Found::Nothing;
    }
    let Some(window) = text.get(pos..(pos + 64).min(text.len())) else { return Found::Nothing };
    let Some(close) = memchr::memmem::find(window, b"-----") else { return Found::Nothing };
    let label = window.get(..close).unwrap_or_default();
    let private = label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK");
    if !private || label.contains(&b'\n') {
        return Found::Nothing;
    }
    let header = pos + close + 5;
    let line = text.get(start.saturating_sub(48)..start).unwrap_or_default();
    let prefix = line
        .iter()
        .rposition(|byte| *byte == b'\n')
        .and_then(|newline| line.get(newline + 1..))
        .unwrap_or_default();
    let mut body = Body::after(header, Lines::Armour { prefix: prefix.to_owned() });
    body.follow(text);
    let closed = || {
        let inner = text.get(header..body.end).unwrap_or_default();
        body.over && body.count >= LEAST_CLOSED && memchr::memmem::find(inner, b"-----END").is_some()
    };
    if body.count < LEAST && !closed() {
        return if body.over { Found::Nothing } else { Found::Undecided(start) };
    }
    let sample = text.get(header..body.end).unwrap_or_default();
    let close = memchr::memmem::find(sample, b"-----").unwrap_or(sample.len());
    let letters: Vec<u8> =
        sample.iter().take(close).copied().filter(|byte| is(*byte, charset::BASE64)).take(LEAST).collect();
    if value::masked(&letters) || body.count < LEAST && !noise(&letters) {
        return Found::Nothing;
    }
    let head = sample.get(..sample.len().min(200)).unwrap_or_default();
    let encrypted = [label, head].iter().any(|part| memchr::memmem::find(part, b"ENCRYPTED").is_some());
    let end = body.end;
    Found::Key(Key { start, header, end, encrypted, open: (!body.over).then_some(body) })
}

/// Whether a short body may belong to a key: random, and not base64 of text.
fn noise(letters: &[u8]) -> bool {
    let plain = crate::decode::base64(letters);
    value::random(letters, LEAST_CLOSED) && !plain.iter().all(|byte| (b' '..0x7f).contains(byte))
}

/// The private lines of a PuTTY key whose field `Private-Lines` begins at `pos`.
pub(crate) fn at_private_lines(text: &[u8], pos: usize) -> Option<Key> {
    let rest = text.get(pos..)?;
    rest.strip_prefix(b"Private-Lines:")?;
    let head = text.get(pos.saturating_sub(PUTTY_HEAD)..pos)?;
    let header = memchr::memmem::rfind(head, b"PuTTY-User-Key-File-")?;
    let encrypted = memchr::memmem::find(head.get(header..)?, b"Encryption: none").is_none();
    let first = pos + memchr::memchr(b'\n', rest)? + 1;
    let mut body = Body::after(first, Lines::Bare);
    body.follow(text);
    let end = body.end;
    (end > first).then_some(Key {
        start: first,
        header: first,
        end,
        encrypted,
        open: (!body.over).then_some(body),
    })
}

/// Line format of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Lines {
    /// Indented, quoted, commented, or with the same prefix as the header; header fields may come first.
    Armour { prefix: Vec<u8> },
    /// Only base64.
    Bare,
}

/// The body of a key, read line by line: later text doesn't change the result for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    lines: Lines,
    /// End of the header.
    from: usize,
    /// End of the text read so far.
    seen: usize,
    /// End of the last piece of the key.
    pub(crate) end: usize,
    /// Base64 characters so far.
    count: usize,
    /// The current line already has its base64.
    worded: bool,
    /// The key has ended.
    pub(crate) over: bool,
}

impl Body {
    fn after(header: usize, lines: Lines) -> Self {
        Self { lines, from: header, seen: header, end: header, count: 0, worded: false, over: false }
    }

    /// Adjusts positions after the first `cut` bytes of the text were dropped.
    pub(crate) fn forget(&mut self, cut: usize) {
        self.from = self.from.saturating_sub(cut);
        self.seen = self.seen.saturating_sub(cut);
        self.end = self.end.saturating_sub(cut);
    }

    /// Adjusts positions to a text with `base` more bytes in front.
    pub(crate) fn moved(self, base: usize) -> Self {
        Self { from: self.from + base, seen: self.seen + base, end: self.end + base, ..self }
    }

    /// Continues to the end of the text.
    pub(crate) fn follow(&mut self, text: &[u8]) {
        while !self.over && self.seen < text.len() {
            let next = match &self.lines {
                Lines::Armour { .. } => self.step(text, self.seen),
                Lines::Bare => self.bare_line(text, self.seen),
            };
            match next {
                Some(next) => self.seen = next.max(self.seen + 1),
                None => self.over = true,
            }
            let (since, limit) = if self.count < LEAST { (self.from, UNDECIDED) } else { (self.end, GAP) };
            self.over |= self.seen.saturating_sub(since) > limit;
        }
    }

    /// A line of base64 and its newline.
    fn bare_line(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        let word = charset::run(text, pos, charset::BASE64 | charset::EQUALS, 128);
        let after = pos + word;
        self.count += word;
        self.end = after;
        match at(text, after) {
            b'\n' if word > 0 => Some(after + 1),
            b'\r' if word > 0 && at(text, after + 1) == b'\n' => Some(after + 2),
            _ if word > 0 && after == text.len() => Some(after),
            _ => None,
        }
    }

    /// Reads one word, one mark, or a line end. `None` if the key ends here.
    fn step(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        match at(text, pos) {
            b'\n' | b'\r' => {
                self.worded = false;
                let next = pos + 1;
                // The text before the header on its line (such as a log's prefix) may precede every line.
                let Lines::Armour { prefix } = &self.lines else { return Some(next) };
                let again =
                    !prefix.is_empty() && text.get(next..).is_some_and(|rest| rest.starts_with(prefix));
                Some(if again { next + prefix.len() } else { next })
            }
            b'\\' => self.escape(text, pos),
            b'-' if text.get(pos..pos + 8) == Some(b"-----END") => {
                let tail = text.get(pos + 8..(pos + 72).min(text.len())).unwrap_or_default();
                let line = tail.split(|byte| *byte == b'\n').next().unwrap_or_default();
                let close = memchr::memmem::find(line, b"-----");
                self.end = close.map_or(pos + 8, |close| pos + 8 + close + 5);
                None
            }
            byte if !self.worded && b" \t\"',`#*>|-.".contains(&byte) => Some(pos + 1),
            byte if self.worded && b" \t\"',`;+)".contains(&byte) => {
                // Only closing marks may follow the word on its line.
                let tail = pos
                    + 1
                    + text.get(pos + 1..).map_or(0, |rest| {
                        rest.iter().take(24).take_while(|byte| b" \t\"'`,;+)".contains(byte)).count()
                    });
                let closed = tail >= text.len()
                    || matches!(at(text, tail), b'\n' | b'\r' | b'\\')
                    || text.get(tail..tail + 8) == Some(b"-----END");
                closed.then_some(tail)
            }
            byte if is(byte, charset::BASE64 | charset::EQUALS | charset::DASH) => self.word(text, pos),
            _ => None,
        }
    }

    /// `\n`, `\\n`, or a backslash at the end of a line.
    fn escape(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        let next =
            pos + text.get(pos..).map_or(0, |rest| rest.iter().take_while(|byte| **byte == b'\\').count());
        match at(text, next) {
            b'n' | b'r' | b't' => {
                self.worded = false;
                Some(next + 1)
            }
            b'\n' | b'\r' | b'/' | b'"' => Some(next),
            0 if next >= text.len() => Some(next),
            _ => None,
        }
    }

    fn word(&mut self, text: &[u8], pos: usize) -> Option<usize> {
        let word = charset::run(text, pos, charset::BASE64 | charset::EQUALS | charset::DASH, 8192);
        let run = text.get(pos..pos + word).unwrap_or_default();
        let next = at(text, pos + word);
        if !self.worded && word <= 3 && run.iter().all(|byte| b"+-/".contains(byte)) {
            return Some(pos + word);
        }
        if next == b':' && self.count == 0 {
            // `Proc-Type: 4,ENCRYPTED`, `Version: …`: armour headers.
            let rest = text.get(pos + word..).unwrap_or_default();
            let line = rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            let escaped = memchr::memmem::find(rest.get(..line).unwrap_or_default(), b"\\n");
            return Some(pos + word + escaped.unwrap_or(line));
        }
        if let Some(mark) = memchr::memmem::find(run, b"-----") {
            self.count += mark;
            self.end = pos + mark;
            return (text.get(self.end..self.end + 8) == Some(b"-----END")).then_some(self.end);
        }
        // Prose: short words with a dash.
        if word < 24 && run.contains(&b'-') && pos + word < text.len() {
            return None;
        }
        self.count += word;
        self.end = pos + word;
        self.worded = true;
        Some(self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random base64 in lines.
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
            assert_eq!(key.open, None);
        }
        for text in [
            format!("{begin} is how a key begins, and then it goes on"),
            format!("`{begin}` and\n/// more words\n/// {end}"),
            format!("{begin}\n...\n{end}"),
            format!("{begin}\\n\" + key + \"{end}"),
        ] {
            assert_eq!(find(&text), Found::Nothing, "{text}");
        }
        assert!(matches!(find(&format!("{begin}\n{}", body[0])), Found::Key(key) if key.open.is_some()));
        assert!(matches!(find(&format!("{begin}\nMII")), Found::Undecided(0)));
    }
}
