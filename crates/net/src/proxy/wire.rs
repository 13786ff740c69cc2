//! A buffered connection, so that a head can be read without losing the bytes after it.

use std::io;
#[cfg(feature = "intercept")]
use std::pin::Pin;
#[cfg(feature = "intercept")]
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{Instant, timeout_at};

/// Any bidirectional byte stream.
pub(crate) trait ByteStream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> ByteStream for S {}

/// A stream, and bytes read from it but not yet used.
pub(crate) struct Wire<S> {
    pub(crate) stream: S,
    buffer: Vec<u8>,
}

/// Why no head could be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HeadError {
    /// Longer than the limit.
    TooLarge,
    /// The time limit passed, or the connection ended.
    Gone,
}

impl<S: AsyncRead + Unpin> Wire<S> {
    pub(crate) const fn new(stream: S) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Splits into the reading side with its buffer, and the writing side.
    pub(crate) fn split(self) -> (Wire<ReadHalf<S>>, WriteHalf<S>)
    where
        S: AsyncWrite,
    {
        let (reader, writer) = tokio::io::split(self.stream);
        (Wire { stream: reader, buffer: self.buffer }, writer)
    }

    /// Buffered bytes.
    pub(crate) fn buffered(&self) -> &[u8] {
        &self.buffer
    }

    /// Takes all buffered bytes.
    pub(crate) fn drain(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    /// Takes at most `limit` buffered bytes, or reads more. Empty at the end of the stream.
    pub(crate) async fn take_some(&mut self, limit: usize) -> io::Result<Vec<u8>> {
        if self.buffer.is_empty() {
            self.fill().await?;
        }
        let rest = self.buffer.split_off(self.buffer.len().min(limit));
        Ok(std::mem::replace(&mut self.buffer, rest))
    }

    /// Reads once. 0 at the end of the stream.
    pub(crate) async fn fill(&mut self) -> io::Result<usize> {
        let mut chunk = [0; 8192];
        let read = self.stream.read(&mut chunk).await?;
        self.buffer.extend_from_slice(chunk.get(..read).unwrap_or_default());
        Ok(read)
    }

    /// Takes exactly `length` bytes before `deadline`.
    pub(crate) async fn take(&mut self, length: usize, deadline: Instant) -> Option<Vec<u8>> {
        while self.buffer.len() < length {
            match timeout_at(deadline, self.fill()).await {
                Ok(Ok(1..)) => {}
                _ => return None,
            }
        }
        let rest = self.buffer.split_off(length);
        Some(std::mem::replace(&mut self.buffer, rest))
    }

    /// Takes bytes up to and including the empty line. The time limit covers the whole head, so that sending byte
    /// by byte gains nothing.
    pub(crate) async fn take_head(&mut self, limit: usize, within: Duration) -> Result<Vec<u8>, HeadError> {
        let deadline = Instant::now() + within;
        let mut searched: usize = 0;
        loop {
            let from = searched.saturating_sub(3);
            let found =
                self.buffer.get(from..).and_then(|tail| tail.windows(4).position(|at| at == b"\r\n\r\n"));
            if let Some(at) = found {
                let end = from + at + 4;
                if end > limit {
                    return Err(HeadError::TooLarge);
                }
                let rest = self.buffer.split_off(end);
                return Ok(std::mem::replace(&mut self.buffer, rest));
            }
            searched = self.buffer.len();
            if searched > limit {
                return Err(HeadError::TooLarge);
            }
            match timeout_at(deadline, self.fill()).await {
                Ok(Ok(1..)) => {}
                _ => return Err(HeadError::Gone),
            }
        }
    }

    /// Takes one line before `deadline`, without its CR LF. A line with a bare CR or LF isn't accepted.
    pub(crate) async fn take_line(&mut self, limit: usize, deadline: Instant) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(at + 1);
                let line = std::mem::replace(&mut self.buffer, rest);
                let content = line.strip_suffix(b"\r\n")?;
                return (content.len() <= limit && !content.contains(&b'\r')).then(|| content.to_vec());
            }
            if self.buffer.len() > limit + 2 {
                return None;
            }
            match timeout_at(deadline, self.fill()).await {
                Ok(Ok(1..)) => {}
                _ => return None,
            }
        }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()>
    where
        S: AsyncWrite,
    {
        self.stream.write_all(bytes).await?;
        self.stream.flush().await
    }
}

/// Reads buffered bytes first; used to accept TLS after its first bytes were checked.
#[cfg(feature = "intercept")]
impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut tokio::io::ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.buffer.is_empty() {
            return Pin::new(&mut self.stream).poll_read(cx, into);
        }
        let length = self.buffer.len().min(into.remaining());
        let rest = self.buffer.split_off(length);
        into.put_slice(&std::mem::replace(&mut self.buffer, rest));
        Poll::Ready(Ok(()))
    }
}

#[cfg(feature = "intercept")]
impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
