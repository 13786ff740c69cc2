//! Framing on standard input and output: one JSON value per line, in UTF-8, of bounded length.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

/// Longest message in bytes.
pub const LONGEST: usize = 16 << 20;

/// Content of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineFrame {
    /// A message, without its line end.
    Line(String),
    /// A line longer than [`LONGEST`], read to its end and dropped; with its length.
    TooLong(usize),
    /// A line that isn't UTF-8; with the position of the first invalid byte.
    NotText(usize),
    /// A line with a carriage return inside; with its position. Some readers end the line there and would read a
    /// message that wasn't judged.
    Return(usize),
    /// A line that can't be a message, and isn't UTF-8 or contains a carriage return: program output such as the
    /// progress of a download. With its length.
    Noise(usize),
}

/// Whether a line could be a JSON-RPC message or batch, however broken: it begins like one and contains `jsonrpc`,
/// or the members of an answer. Other output of a program can't answer a request.
#[must_use]
pub fn may_be_message(line: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii_start();
    let opens = line.starts_with(b"{")
        || line.strip_prefix(b"[").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"));
    let has = |name: &[u8]| line.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name));
    opens && (has(b"\"jsonrpc\"") || (has(b"\"id\"") && (has(b"\"result\"") || has(b"\"error\""))))
}

/// Messages up to this length are copied so that they are written in one piece.
const AT_ONCE: usize = 64 << 10;

/// Reads lines.
pub struct Frames<R> {
    from: BufReader<R>,
    longest: usize,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Reads from a byte stream.
    #[must_use]
    pub fn new(from: R) -> Self {
        Self { from: BufReader::with_capacity(64 << 10, from), longest: LONGEST }
    }

    /// Sets another maximum length, in bytes.
    #[must_use]
    pub fn with_longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// The next line that isn't empty; `None` at the end of the stream.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn next(&mut self) -> io::Result<Option<LineFrame>> {
        loop {
            let Some(frame) = self.line().await? else { return Ok(None) };
            match frame {
                LineFrame::Line(text) if text.trim().is_empty() => {}
                frame => return Ok(Some(frame)),
            }
        }
    }

    async fn line(&mut self) -> io::Result<Option<LineFrame>> {
        let mut line: Vec<u8> = Vec::new();
        let mut length = 0_usize;
        let mut any = false;
        loop {
            let part = self.from.fill_buf().await?;
            if part.is_empty() {
                return Ok(if any { Some(self.finished(line, length)) } else { None });
            }
            any = true;
            let end = part.iter().position(|byte| *byte == b'\n');
            let own = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
            length = length.saturating_add(own.len());
            if length <= self.longest {
                line.extend_from_slice(own);
            } else {
                // A dropped line needs no memory.
                line = Vec::new();
            }
            let used = end.map_or(part.len(), |end| end + 1);
            self.from.consume(used);
            if end.is_some() {
                return Ok(Some(self.finished(line, length)));
            }
        }
    }

    fn finished(&self, mut line: Vec<u8>, length: usize) -> LineFrame {
        if length > self.longest {
            return LineFrame::TooLong(length);
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if let Some(at) = line.iter().position(|byte| *byte == b'\r') {
            return if may_be_message(&line) { LineFrame::Return(at) } else { LineFrame::Noise(length) };
        }
        match String::from_utf8(line) {
            Ok(text) => LineFrame::Line(text),
            Err(error) if !may_be_message(error.as_bytes()) => LineFrame::Noise(length),
            Err(error) => LineFrame::NotText(error.utf8_error().valid_up_to()),
        }
    }
}

/// Writes lines one at a time; can be shared by several tasks.
pub struct Sink<W> {
    to: Mutex<W>,
}

impl<W: AsyncWrite + Unpin> Sink<W> {
    /// Writes to a byte stream.
    #[must_use]
    pub fn new(to: W) -> Self {
        Self { to: Mutex::new(to) }
    }

    /// Writes one message and its line end, and flushes.
    ///
    /// # Errors
    /// Those of the stream: the other side is gone.
    pub async fn send(&self, text: &str) -> io::Result<()> {
        let mut to = self.to.lock().await;
        if text.len() <= AT_ONCE {
            // A single write wakes the reader once.
            let mut line = Vec::with_capacity(text.len() + 1);
            line.extend_from_slice(text.as_bytes());
            line.push(b'\n');
            to.write_all(&line).await?;
        } else {
            to.write_all(text.as_bytes()).await?;
            to.write_all(b"\n").await?;
        }
        to.flush().await
    }

    /// Closes the stream, so that the other side reads its end.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn close(&self) -> io::Result<()> {
        self.to.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8], longest: usize) -> Vec<LineFrame> {
        let mut frames = Frames::new(bytes).with_longest(longest);
        let mut found = Vec::new();
        while let Some(frame) = frames.next().await.unwrap() {
            found.push(frame);
        }
        found
    }

    #[tokio::test]
    async fn a_broken_line_is_told_and_the_next_one_is_read() {
        let lines = b"{\"a\":1}\r\n{\"jsonrpc\":\r}\n\n  \n{\"JSONRPC\":\xfe\n\
            0123456789abcdefg\n{}\n10 %\r20 %\n\xff\xfe\n";
        let found = all(lines, 16).await;
        let expected = [
            LineFrame::Line("{\"a\":1}".to_owned()),
            LineFrame::Return(11),
            LineFrame::NotText(11),
            LineFrame::TooLong(17),
            LineFrame::Line("{}".to_owned()),
            LineFrame::Noise(9),
            LineFrame::Noise(2),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_program_prints_beside_its_messages_is_no_message() {
        for noise in [
            "DEBUG: calling add",
            "[INFO] sending {\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}",
            "{'jsonrpc': '2.0'}",
            "{\"level\": 30, \"msg\": \"request done\", \"id\": 4}",
            "42",
            "null",
            "[1, 2]",
            "\u{1b}[32mready\u{1b}[0m",
        ] {
            assert!(!may_be_message(noise.as_bytes()), "{noise}");
        }
        for broken in [
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": ",
            " \u{feff}{\"jsonrpc\"",
            "\u{feff}{\"JsonRpc\": 2}",
            "[ {\"jsonrpc\": \"2.0\"}]",
            "{\"id\": 1, \"result\": {}}",
            "{\"id\": 1, \"error\": {",
        ] {
            assert_eq!(may_be_message(broken.as_bytes()), !broken.starts_with(" \u{feff}"), "{broken}");
        }
    }

    #[tokio::test]
    async fn a_line_that_never_ends_takes_no_memory() {
        let mut frames = Frames::new(tokio::io::AsyncReadExt::take(tokio::io::repeat(b'x'), 64 << 20));
        assert_eq!(frames.next().await.unwrap(), Some(LineFrame::TooLong(64 << 20)));
    }
}
