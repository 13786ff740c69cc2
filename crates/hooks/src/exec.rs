//! `doorward exec TICKET`: presents a ticket, forwards input and output, and exits like the run. It runs nothing
//! itself, reads no settings and judges nothing.
//!
//! If this process ends, its connection closes and the run is stopped, so an interrupt by the client works. Without a
//! service, with another user's service or a refused ticket, it exits with 125 and the reason on standard error.

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use crate::thin;
use crate::ticket::{self, EXEC_SOCKET, Ended, Frame, NOT_RUN, Presented};

/// Main function of the process that replaces a bound shell call.
pub fn main(words: impl Iterator<Item = std::ffi::OsString>) -> ! {
    if let Some(exec) = arguments(words) {
        exec.run()
    }
    eprintln!("doorward: give the ticket a hook was answered with: doorward exec TICKET (exec.usage)");
    std::process::exit(i32::from(NOT_RUN))
}

/// Options of `doorward exec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exec {
    /// State directory of the service.
    pub state: PathBuf,
    /// The ticket's secret.
    pub ticket: String,
    /// The command as displayed.
    pub command: Option<String>,
    /// Whether to print the folder in which the run ended.
    pub folder: bool,
}

impl Exec {
    /// Runs and exits the process.
    pub fn run(self) -> ! {
        let ended = self.present().unwrap_or_else(|reason| Ended {
            exit: i32::from(NOT_RUN),
            code: Some("service.unavailable".to_owned()),
            reason: Some(reason),
            folder: None,
        });
        if let Some(reason) = &ended.reason {
            let code = ended.code.as_deref().unwrap_or("error");
            let _ = writeln!(std::io::stderr(), "doorward: {reason} ({code})");
        }
        std::process::exit(ended.exit)
    }

    fn present(&self) -> Result<Ended, String> {
        let text = |error: std::io::Error| error.to_string();
        let socket = ticket::agents(&self.state).join(EXEC_SOCKET);
        let mut stream = thin::dial(&socket, true).map_err(|reason| {
            format!("no service answers on {}, so nothing ran: {reason}", socket.display())
        })?;
        let input = !self.folder && gives_input();
        let presented = Presented {
            ticket: self.ticket.clone(),
            cwd: std::env::current_dir().map_err(text)?.display().to_string(),
            command: self.command.clone(),
            folder: self.folder,
            input,
        };
        Frame::Present(presented).write(&mut stream).map_err(text)?;
        if input {
            feed(stream.try_clone().map_err(text)?);
        }
        let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
        loop {
            match Frame::read(&mut stream).map_err(text)? {
                // Nobody reads the output any more; exiting stops the run.
                Some(Frame::Out(bytes)) => out.write_all(&bytes).and_then(|()| out.flush()).map_err(text)?,
                Some(Frame::Err(bytes)) => err.write_all(&bytes).map_err(text)?,
                Some(Frame::End(ended)) => {
                    if let Some(folder) = ended.folder.as_ref().filter(|_| self.folder) {
                        out.write_all(folder.as_bytes()).and_then(|()| out.flush()).map_err(text)?;
                    }
                    return Ok(ended);
                }
                Some(_) => return Err("the service spoke out of turn".to_owned()),
                None => return Err("the service went away, and the run with it".to_owned()),
            }
        }
    }
}

/// Whether standard input is something other than `/dev/null`, which most clients pass.
fn gives_input() -> bool {
    let null = std::fs::metadata("/dev/null").ok();
    let Ok(own) = rustix::fs::fstat(std::io::stdin().as_fd()) else { return false };
    null.is_none_or(|null| {
        use std::os::unix::fs::MetadataExt as _;
        (null.dev(), null.ino()) != (own.st_dev, own.st_ino)
    })
}

/// Forwards standard input until it ends or the process exits.
fn feed(mut stream: UnixStream) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 32 * 1024];
        loop {
            let length = std::io::stdin().lock().read(&mut buffer).unwrap_or(0);
            let bytes = buffer.get(..length).unwrap_or_default().to_vec();
            if Frame::Input(bytes).write(&mut stream).is_err() || length == 0 {
                return;
            }
        }
    });
}

/// Parses the arguments of `doorward exec`. `--` may precede the ticket.
#[must_use]
pub fn arguments(words: impl Iterator<Item = std::ffi::OsString>) -> Option<Exec> {
    let mut exec = Exec { state: PathBuf::new(), ticket: String::new(), command: None, folder: false };
    let mut state = None;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word.to_str()? {
            "--state" if exec.ticket.is_empty() => state = Some(PathBuf::from(words.next()?)),
            "--folder" if !exec.ticket.is_empty() && exec.command.is_none() => exec.folder = true,
            word if exec.ticket.is_empty() && is_ticket(word) => word.clone_into(&mut exec.ticket),
            word if !exec.ticket.is_empty() && exec.command.is_none() => exec.command = Some(word.to_owned()),
            _ => return None,
        }
    }
    exec.state = state.filter(|state: &PathBuf| Path::is_absolute(state)).unwrap_or_else(thin::default_state);
    (!exec.ticket.is_empty()).then_some(exec)
}

/// Whether it is 32 hexadecimal digits.
#[must_use]
pub fn is_ticket(word: &str) -> bool {
    word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        let ticket = "0123456789abcdef0123456789abcdef";
        let read = |words: &[&str]| arguments(words.iter().map(Into::into));
        let plain = read(&["--state", "/s", ticket, "ls -l"]).unwrap();
        assert_eq!((plain.state.as_path(), plain.ticket.as_str()), (Path::new("/s"), ticket));
        assert_eq!((plain.command.as_deref(), plain.folder), (Some("ls -l"), false));
        assert!(read(&["--state", "/s", ticket, "--folder"]).unwrap().folder);
        // The command may look like an option only after the ticket.
        assert_eq!(read(&[ticket, "--state"]).unwrap().command.as_deref(), Some("--state"));
        for wrong in [&["ls"][..], &[], &["--state", "/s"], &[ticket, "a", "b"], &["--folder", ticket]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
