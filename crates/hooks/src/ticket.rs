//! The words of a bound shell call: the command a client is given instead of its own, and the frames that
//! `doorward exec` and the service speak over the agents' socket.
//!
//! A ticket is 128 random bits that only the client which asked is told. The command it stands for travels beside it in
//! the clear, so that people see what they are asked about; the service compares it with what was judged, and runs what
//! was judged.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folder in the state directory with the sockets that agents may reach: nothing behind them can approve, answer or
/// read the ledger.
pub const AGENTS: &str = "agents";
/// Name of the socket in [`AGENTS`] that takes hooks' events.
pub const HOOK_SOCKET: &str = "hook.sock";
/// Name of the socket in [`AGENTS`] that takes tickets.
pub const EXEC_SOCKET: &str = "exec.sock";

/// Exit code of `doorward exec` when nothing ran.
pub const NOT_RUN: u8 = 125;

/// A longer command isn't repeated beside its ticket: one argument of a program holds 128 KiB (execve(2)).
const MOST_SHOWN: usize = 24 * 1024;
/// Longest frame.
const MOST_FRAME: usize = 256 * 1024;

/// The sockets of a state directory that agents may reach.
#[must_use]
pub fn agents(state: &Path) -> PathBuf {
    state.join(AGENTS)
}

/// How the command that stands for a call is written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The program, absolute.
    pub binary: &'a Path,
    /// State directory of the service.
    pub state: &'a Path,
    /// The secret.
    pub ticket: &'a str,
    /// The command that was judged.
    pub command: &'a str,
    /// The client's shell keeps its folder from call to call, and this command may change it.
    pub follows: bool,
}

impl Written<'_> {
    /// The text. With [`Written::follows`] the client's shell goes where the command ended, and still ends with the
    /// command's own exit code.
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
            // A client takes the folder over only where the command succeeded: so do we.
            format!("{exec}{shown} && cd -- \"$({exec} --folder)\"")
        } else {
            format!("{exec}{shown}")
        }
    }
}

/// A word as a POSIX shell reads it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// What `doorward exec` says first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presented {
    /// The secret.
    pub ticket: String,
    /// Where it was started.
    pub cwd: String,
    /// The command it was started with, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Asks for the folder that the run ended in, instead of a run.
    #[serde(default)]
    pub folder: bool,
    /// Input will follow.
    #[serde(default)]
    pub input: bool,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ended {
    /// Exit code.
    pub exit: i32,
    /// Why nothing ran, or what ended the run: a stable code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where the command ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// What travels. A frame is its kind, the length of the rest as four bytes, most significant first, and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// From the client, first: JSON of [`Presented`].
    Present(Presented),
    /// From the client: input; empty at its end.
    Input(Vec<u8>),
    /// To the client: standard output.
    Out(Vec<u8>),
    /// To the client: standard error.
    Err(Vec<u8>),
    /// To the client, last: JSON of [`Ended`].
    End(Ended),
}

impl Frame {
    /// Its bytes.
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

    /// The length that a head announces.
    ///
    /// # Errors
    /// A frame that is too long.
    pub fn length(head: [u8; 5]) -> io::Result<usize> {
        let [_, length @ ..] = head;
        usize::try_from(u32::from_be_bytes(length))
            .ok()
            .filter(|length| *length <= MOST_FRAME)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the frame is too long"))
    }

    /// The frame of a head and its body.
    ///
    /// # Errors
    /// An unknown kind, or a body that isn't what its kind says.
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

    /// Reads one; `None` at the end between two frames.
    ///
    /// # Errors
    /// As the stream says, or a broken frame.
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

    /// Writes it.
    ///
    /// # Errors
    /// As the stream says.
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
