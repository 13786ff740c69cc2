//! Relays bodies according to their framing, and nothing beyond it.
//!
//! Chunked bodies are decoded and encoded again: extensions and trailers are dropped, and the result can be read in
//! one way only.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout};

use super::credential::Watch;
use super::head::Framing;
use super::session::Meter;
use super::wire::Wire;

/// Direction of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteDirection {
    Up,
    Down,
}

/// Relays a body.
pub(crate) struct BodyRelay<'a> {
    pub(crate) meter: &'a Meter,
    pub(crate) way: ByteDirection,
    pub(crate) idle: Duration,
    /// Credentials that a response must not contain.
    pub(crate) watch: Option<&'a Watch>,
}

const CHUNK: usize = 16 << 10;

impl BodyRelay<'_> {
    /// Relays one body.
    pub(crate) async fn body<A: AsyncRead + Unpin, B: AsyncWrite + Unpin>(
        &self,
        from: &mut Wire<A>,
        to: &mut B,
        framing: Framing,
    ) -> io::Result<()> {
        match framing {
            Framing::Empty => {}
            Framing::Length(length) => self.exactly(from, to, length).await?,
            Framing::Chunked => self.chunked(from, to).await?,
            Framing::UntilEnd => loop {
                let bytes = self.some(from, CHUNK).await?;
                if bytes.is_empty() {
                    break;
                }
                self.put(to, &bytes).await?;
            },
        }
        to.flush().await
    }

    async fn some<A: AsyncRead + Unpin>(&self, from: &mut Wire<A>, limit: usize) -> io::Result<Vec<u8>> {
        timeout(self.idle, from.take_some(limit)).await.map_err(|_| io::ErrorKind::TimedOut)?
    }

    async fn put<B: AsyncWrite + Unpin>(&self, to: &mut B, bytes: &[u8]) -> io::Result<()> {
        if let Some(watch) = self.watch {
            watch.look(bytes)?;
        }
        self.meter.flow(self.way, bytes.len()).await?;
        timeout(self.idle, to.write_all(bytes)).await.map_err(|_| io::ErrorKind::TimedOut)?
    }

    async fn exactly<A: AsyncRead + Unpin, B: AsyncWrite + Unpin>(
        &self,
        from: &mut Wire<A>,
        to: &mut B,
        mut left: u64,
    ) -> io::Result<()> {
        while left > 0 {
            let bytes = self.some(from, usize::try_from(left).unwrap_or(CHUNK).min(CHUNK)).await?;
            if bytes.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            left -= u64::try_from(bytes.len()).unwrap_or(left);
            self.put(to, &bytes).await?;
        }
        Ok(())
    }

    async fn chunked<A: AsyncRead + Unpin, B: AsyncWrite + Unpin>(
        &self,
        from: &mut Wire<A>,
        to: &mut B,
    ) -> io::Result<()> {
        loop {
            let size = chunk_size(&self.line(from).await?)?;
            if size == 0 {
                break;
            }
            self.put(to, format!("{size:x}\r\n").as_bytes()).await?;
            self.exactly(from, to, size).await?;
            if from.take(2, Instant::now() + self.idle).await.as_deref() != Some(b"\r\n") {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.put(to, b"\r\n").await?;
        }
        // Trailers are dropped.
        let mut trailers = 0;
        while !self.line(from).await?.is_empty() {
            trailers += 1;
            if trailers > 64 {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        self.put(to, b"0\r\n\r\n").await
    }

    /// One line of at most 4 KiB, without its CR LF.
    async fn line<A: AsyncRead + Unpin>(&self, from: &mut Wire<A>) -> io::Result<Vec<u8>> {
        let line = from.take_line(4096, Instant::now() + self.idle).await;
        line.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

fn chunk_size(line: &[u8]) -> io::Result<u64> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or_default();
    let plain = (1..=15).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    let size = std::str::from_utf8(digits).ok().filter(|_| plain);
    size.and_then(|text| u64::from_str_radix(text, 16).ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_sizes_have_one_reading() {
        for (line, size) in [
            ("1a", Some(26)),
            ("0;x=y", Some(0)),
            ("", None),
            ("+1", None),
            ("0x1", None),
            (" 1", None),
            ("1 ", None),
            ("ffffffffffffffff1", None),
        ] {
            assert_eq!(chunk_size(line.as_bytes()).ok(), size, "{line:?}");
        }
    }
}
