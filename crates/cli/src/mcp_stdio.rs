//! Standard input and output of a gateway, without a thread between.
//!
//! Tokio's own standard streams pass every read and write through a thread, because a terminal or a file can't be waited
//! for. Clients start a gateway with pipes or sockets, and those can be.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::fs::{FileType, Stat, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::unix::pipe;

/// Where the client's messages come from.
pub(crate) type Input = Box<dyn AsyncRead + Send + Unpin>;
/// Where messages to the client go.
pub(crate) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Standard input.
pub(crate) fn input() -> Input {
    let taken = own(io::stdin().as_fd(), &[]).and_then(|(kind, fd)| -> io::Result<Input> {
        Ok(match kind {
            FileType::Fifo => Box::new(pipe::Receiver::from_owned_fd(fd)?),
            _ => Box::new(socket(fd)?),
        })
    });
    taken.unwrap_or_else(|_| Box::new(tokio::io::stdin()))
}

/// Standard output.
pub(crate) fn output() -> Output {
    // What isn't waited for is set on the open file, which standard error may share: its lines would be cut then.
    let taken =
        own(io::stdout().as_fd(), &[io::stderr().as_fd()]).and_then(|(kind, fd)| -> io::Result<Output> {
            Ok(match kind {
                FileType::Fifo => Box::new(pipe::Sender::from_owned_fd(fd)?),
                _ => Box::new(socket(fd)?),
            })
        });
    taken.unwrap_or_else(|_| Box::new(tokio::io::stdout()))
}

/// A descriptor of our own of a pipe or a socket that none of the others is.
fn own(stream: BorrowedFd<'_>, others: &[BorrowedFd<'_>]) -> io::Result<(FileType, OwnedFd)> {
    let found = fstat(stream)?;
    let kind = FileType::from_raw_mode(found.st_mode);
    let is_same = |other: Stat| (other.st_dev, other.st_ino) == (found.st_dev, found.st_ino);
    let shared = others.iter().any(|other| fstat(other).is_ok_and(is_same));
    if shared || !matches!(kind, FileType::Fifo | FileType::Socket) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    Ok((kind, rustix::io::fcntl_dupfd_cloexec(stream, 3)?))
}

fn socket(fd: OwnedFd) -> io::Result<tokio::net::UnixStream> {
    let stream = UnixStream::from(fd);
    stream.set_nonblocking(true)?;
    tokio::net::UnixStream::from_std(stream)
}
