//! The protocol of bound shell calls: the command that replaces the client's own, and the frames between
//! `doorward exec` and the service on the agents' socket.
//!
//! A ticket is 128 random bits, known only to the client that asked. The original command stands next to it in plain
//! text, so that people see what they are asked about. The service compares it with the judged command, and runs the
//! judged one.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folder, in the state directory, of the sockets that agents may reach. None of them allows approving, answering or
/// reading the ledger.
pub const AGENTS: &str = "agents";
/// Name of the socket in [`AGENTS`] for hook events.
pub const HOOK_SOCKET: &str = "hook.sock";
/// Name of the socket in [`AGENTS`] for tickets.
pub const EXEC_SOCKET: &str = "exec.sock";

/// Exit code of `doorward exec` if nothing ran.
pub const NOT_RUN: u8 = 125;

/// A longer command isn't repeated next to its ticket: a program's argument holds at most 128 KiB (execve(2)).
const MOST_SHOWN: usize = 24 * 1024;
/// Longest frame, in bytes.
const MOST_FRAME: usize = 256 * 1024;

/// Folder of the sockets that agents may reach.
#[must_use]
pub fn agents(state: &Path) -> PathBuf {
    state.join(AGENTS)
}

/// The parts of the command that replaces a call's own.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// Absolute path of the program.
    pub binary: &'a Path,
    /// State directory of the service.
    pub state: &'a Path,
    /// The ticket's secret.
    pub ticket: &'a str,
    /// The judged command.
    pub command: &'a str,
    /// Whether the client's shell keeps its folder between calls and this command may change it.
    pub follows: bool,
}

impl Written<'_> {
    /// The command text. With [`Written::follows`], the client's shell then changes to the folder in which the run
    /// ended, and keeps the run's exit code.
    #[must_use]
    pub fn text(&self) -> String {
        let exec = format!(
            "{} exec --state {} {}",
            quoted(&self.binary.to_string_lossy()),
            quoted(&self.state.to_string_lossy()),
            self.ticket
        );
        let shown = if self.command.len() > MOST_SHOWN || self.command.contains('\0') {
            String::new()
        } else {
            format!(" {}", quoted(self.command))
        };
        if self.follows {
            // Like the client, follow the folder only if the command succeeded.
            format!("{exec}{shown} && cd -- \"$({exec} --folder)\"")
        } else {
            format!("{exec}{shown}")
        }
    }
}

/// Quotes a word for a POSIX shell.
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// First message of `doorward exec`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presented {
    /// The ticket's secret.
    pub ticket: String,
    /// Folder in which it was started.
    pub cwd: String,
    /// The command on its command line, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Asks for the folder in which the run ended instead of a run.
    #[serde(default)]
    pub folder: bool,
    /// Whether input will follow.
    #[serde(default)]
    pub input: bool,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ended {
    /// Exit code.
    pub exit: i32,
    /// Stable code if nothing ran or the run was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Explanation of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Folder in which the command ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// A message of the protocol: one byte of kind, the length of the body as four bytes in big-endian order, the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// From the client, first: [`Presented`] as JSON.
    Present(Presented),
    /// From the client: input; empty at the end.
    Input(Vec<u8>),
    /// To the client: standard output.
    Out(Vec<u8>),
    /// To the client: standard error.
    Err(Vec<u8>),
    /// To the client, last: [`Ended`] as JSON.
    End(Ended),
}

impl Frame {
    /// The encoded frame.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let (kind, body) = match self {
            Self::Present(presented) => (b'p', serde_json::to_vec(presented).unwrap_or_default()),
            Self::Input(bytes) => (b'i', bytes.clone()),
            Self::Out(bytes) => (b'o', bytes.clone()),
            Self::Err(bytes) => (b'e', bytes.clone()),
            Self::End(ended) => (b'x', serde_json::to_vec(ended).unwrap_or_default()),
        };
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let mut bytes = Vec::with_capacity(body.len() + 5);
        bytes.push(kind);
        bytes.extend(length.to_be_bytes());
        bytes.extend(body);
        bytes
    }

    /// The body length in a frame's header.
    ///
    /// # Errors
    /// If the frame is too long.
    pub fn length(head: [u8; 5]) -> io::Result<usize> {
        let [_, length @ ..] = head;
        usize::try_from(u32::from_be_bytes(length))
            .ok()
            .filter(|length| *length <= MOST_FRAME)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the frame is too long"))
    }

    /// The frame of a header and its body.
    ///
    /// # Errors
    /// If the kind is unknown, or the body doesn't fit it.
    pub fn of(head: [u8; 5], body: Vec<u8>) -> io::Result<Self> {
        let [kind, ..] = head;
        Ok(match kind {
            b'p' => Self::Present(serde_json::from_slice(&body)?),
            b'i' => Self::Input(body),
            b'o' => Self::Out(body),
            b'e' => Self::Err(body),
            b'x' => Self::End(serde_json::from_slice(&body)?),
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "an unknown frame")),
        })
    }

    /// Reads one frame; `None` if the stream ends between two frames.
    ///
    /// # Errors
    /// The stream's error, or an invalid frame.
    pub fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 5];
        if stream.read(head.get_mut(..1).unwrap_or_default())? == 0 {
            return Ok(None);
        }
        stream.read_exact(head.get_mut(1..).unwrap_or_default())?;
        let mut body = vec![0; Self::length(head)?];
        stream.read_exact(&mut body)?;
        Self::of(head, body).map(Some)
    }

    /// Writes the frame.
    ///
    /// # Errors
    /// The stream's error.
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        stream.write_all(&self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_command_is_one_program_with_its_words() {
        let written = |command: &str, follows| {
            Written {
                binary: Path::new("/opt/my tools/doorward"),
                state: Path::new("/s"),
                ticket: "abc",
                command,
                follows,
            }
            .text()
        };
        assert_eq!(written("ls", false), "'/opt/my tools/doorward' exec --state /s abc ls");
        assert_eq!(
            written("echo 'a'; rm -rf $HOME", false),
            r"'/opt/my tools/doorward' exec --state /s abc 'echo '\''a'\''; rm -rf $HOME'"
        );
        assert!(
            written("cd x", true)
                .ends_with("&& cd -- \"$('/opt/my tools/doorward' exec --state /s abc --folder)\"")
        );
        assert!(written(&"x".repeat(MOST_SHOWN + 1), false).ends_with(" abc"), "too long to be shown");
    }

    #[test]
    fn frames_survive_the_way_and_broken_ones_are_errors() {
        let frames = [
            Frame::Present(Presented {
                ticket: "t".to_owned(),
                cwd: "/w".to_owned(),
                command: None,
                folder: false,
                input: true,
            }),
            Frame::Input(Vec::new()),
            Frame::Out(vec![0, 255]),
            Frame::Err(b"e".to_vec()),
            Frame::End(Ended { exit: 3, ..Ended::default() }),
        ];
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        let mut stream = bytes.as_slice();
        for frame in &frames {
            assert_eq!(Frame::read(&mut stream).unwrap().as_ref(), Some(frame));
        }
        assert_eq!(Frame::read(&mut stream).unwrap(), None);
        for broken in [&b"z\0\0\0\0"[..], b"p\0\0\0\x02{}", b"o\xff\xff\xff\xff", b"o\0\0\0\x05ab", b"o\0"] {
            assert!(Frame::read(&mut &*broken).is_err(), "{broken:?}");
        }
    }
}
