//! Forwards the program's output to the listener.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};

use super::Stream;
use crate::error::SandboxError;
use crate::spec::Output;
use crate::sys;

/// Appended to a stream that was cut.
pub(crate) const CUT: &[u8] = b"\n[doorward: output cut here]\n";

/// One output pipe, read without blocking.
#[derive(Debug)]
pub(super) struct Pipe {
    pub(super) file: Option<std::fs::File>,
    pub(super) kept: Vec<u8>,
    pub(super) total: u64,
    pub(super) cap: u64,
    pub(super) cut: bool,
}

impl Pipe {
    pub(super) fn new(read: OwnedFd, cap: u64) -> Result<Self, SandboxError> {
        sys::set_nonblocking(read.as_fd()).map_err(SandboxError::Helper)?;
        Ok(Self { file: Some(std::fs::File::from(read)), kept: Vec::new(), total: 0, cap, cut: false })
    }

    /// Reads up to one buffer. True when this read passed the cap.
    pub(super) fn take(&mut self, keep: bool, mut hear: impl FnMut(&[u8])) -> bool {
        let Some(file) = &mut self.file else { return false };
        let mut buffer = [0; 64 << 10];
        match file.read(&mut buffer) {
            Ok(0) => self.file = None,
            Ok(length) => {
                let room = usize::try_from(self.cap.saturating_sub(self.total)).unwrap_or(usize::MAX);
                self.total = self.total.saturating_add(length as u64);
                let fresh = buffer.get(..length.min(room)).unwrap_or_default();
                let mut pass = |bytes: &[u8]| {
                    if keep {
                        self.kept.extend(bytes);
                    }
                    hear(bytes);
                };
                if !fresh.is_empty() {
                    pass(fresh);
                }
                if length > room && !self.cut {
                    pass(CUT);
                    self.cut = true;
                    return true;
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.file = None,
        }
        false
    }
}

#[derive(Debug)]
pub(super) struct OutputSink {
    pub(super) stream: Stream,
    pub(super) keep: bool,
    pub(super) pipe: Option<Pipe>,
}

/// The program's end of a stream, if it has one, and ours.
pub(super) fn sink(
    output: Output,
    stream: Stream,
    cap: u64,
) -> Result<(Option<OwnedFd>, OutputSink), SandboxError> {
    let keep = output == Output::Capture;
    Ok(match output {
        Output::Null => (None, OutputSink { stream, keep, pipe: None }),
        Output::Inherit => {
            let own = match stream {
                Stream::Out => io::stdout().as_fd().try_clone_to_owned(),
                Stream::Err => io::stderr().as_fd().try_clone_to_owned(),
            };
            (Some(own.map_err(SandboxError::Helper)?), OutputSink { stream, keep, pipe: None })
        }
        Output::Capture | Output::Stream => {
            let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
            (Some(write), OutputSink { stream, keep, pipe: Some(Pipe::new(read, cap)?) })
        }
    })
}

pub(super) fn readable(pipe: Option<&Pipe>) -> Option<std::os::fd::BorrowedFd<'_>> {
    pipe.and_then(|pipe| pipe.file.as_ref()).map(AsFd::as_fd)
}
