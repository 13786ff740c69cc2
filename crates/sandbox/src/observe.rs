//! Observes a run: the programs it starts and the hosts it contacts.
//!
//! The filter notifies the keeper of a few calls before they happen. If the run asks for it, the keeper reads the
//! arguments of calls that start programs or contact hosts, notes them, and lets the kernel continue. This only
//! observes: an argument may change after it was read, so nothing is decided here. Namespaces and rules confine the
//! program. Calls that write files go to the [`Broker`] of git directories.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::effect::{Effects, HostClass, HostEffect};
use doorward_core::intent::{Direction, SimpleCommand};
use serde::{Deserialize, Serialize};

use crate::absent::AbsentNames;
use crate::git::broker::{Answer, Broker};
use crate::plan::Raw;
use crate::sys;

/// Calls that the keeper is notified of before they happen.
pub(crate) const WATCHED: &[libc::c_long] =
    &[libc::SYS_connect, libc::SYS_sendto, libc::SYS_execve, libc::SYS_execveat];
/// Limit on observations of one run.
const MOST: usize = 4096;
/// Limits on words kept of a command, and on bytes of each.
const WORDS: usize = 64;
const WORD: usize = 512;

/// One observation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Seen {
    /// A program was about to start.
    Program(Vec<String>),
    /// An address was about to be contacted.
    Address { host: String, port: u16, datagram: bool },
    /// A Unix socket was about to be contacted.
    Socket(String),
    /// The run tried to change or create a protected place and couldn't.
    Withheld(Raw),
}

/// The keeper's end of the notifications. A thread of its own answers them, so that callers don't wait for other
/// work.
pub(crate) struct Watcher(Arc<Mutex<Vec<Seen>>>);

impl Watcher {
    /// Starts the thread that answers.
    pub(crate) fn start(fd: OwnedFd, broker: Broker, absent: Arc<AbsentNames>) -> io::Result<Self> {
        sys::wake_in_turn(fd.as_fd());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let desk = ConnectionWatch { fd, broker, absent, seen: Arc::clone(&seen) };
        // Ends with the keeper, or when no process of the run is left.
        std::thread::Builder::new().name("calls".to_owned()).spawn(move || while desk.serve() {})?;
        Ok(Self(seen))
    }

    /// Observations so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct ConnectionWatch {
    fd: OwnedFd,
    broker: Broker,
    absent: Arc<AbsentNames>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl ConnectionWatch {
    /// Waits for one notification and answers it. False after the last one.
    fn serve(&self) -> bool {
        let call = match sys::next_notification(self.fd.as_fd()) {
            Ok(Some(call)) => call,
            // The caller was killed before its call was read, or no process is left.
            Ok(None) => return !sys::is_hung_up(self.fd.as_fd()),
            Err(error) => return error.kind() == io::ErrorKind::Interrupted,
        };
        if !WATCHED.contains(&call.number) {
            self.broker(&call);
            return true;
        }
        self.note(&call);
        // Fails only if the caller is gone.
        let _ = sys::let_go_on(self.fd.as_fd(), call.id);
        true
    }

    /// Refuses a call that would create a protected name, and passes others to the broker.
    fn broker(&self, call: &sys::Notification) {
        let fd = self.fd.as_fd();
        let refused = self.absent.refused(call).filter(|_| sys::notification_holds(fd, call.id));
        if let Some(place) = refused {
            self.keep(Seen::Withheld(Raw::from(place.as_path())));
            let _ = sys::answer(fd, call.id, libc::EROFS);
            return;
        }
        let answered = match self.broker.answer(call, || sys::notification_holds(fd, call.id)) {
            Answer::GoOn => sys::let_go_on(fd, call.id),
            Answer::Withheld(place) => {
                self.keep(Seen::Withheld(Raw::from(place.as_path())));
                sys::let_go_on(fd, call.id)
            }
            Answer::Done(errno) => sys::answer(fd, call.id, errno),
            Answer::Opened(file, close_on_exec) => sys::answer_with(fd, call.id, file.as_fd(), close_on_exec)
                // The caller's descriptor table is full, or the kernel is older than Linux 5.14: answer as the
                // mount would.
                .or_else(|_| sys::answer(fd, call.id, libc::EROFS)),
        };
        // Fails only if the caller is gone.
        let _ = answered;
    }

    /// Notes a call's arguments.
    fn note(&self, call: &sys::Notification) {
        let seen = look(call);
        // The process may have died and its number been reused during the read: then the notification's id is no
        // longer valid and the data belongs to another process.
        if sys::notification_holds(self.fd.as_fd(), call.id)
            && let Some(seen) = seen
        {
            self.keep(seen);
        }
    }

    fn keep(&self, seen: Seen) {
        let mut noted = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < MOST && !noted.contains(&seen) {
            noted.push(seen);
        }
    }
}

fn look(call: &sys::Notification) -> Option<Seen> {
    let memory = fs::File::open(format!("/proc/{}/mem", call.pid)).ok()?;
    let [first, second, third, _, fifth, sixth] = call.arguments;
    match call.number {
        libc::SYS_connect => address(&memory, second, third, false),
        libc::SYS_sendto if fifth != 0 => address(&memory, fifth, sixth, true),
        libc::SYS_execve => program(&memory, first, second),
        libc::SYS_execveat => program(&memory, second, third),
        _ => None,
    }
}

fn address(memory: &fs::File, at: u64, length: u64, datagram: bool) -> Option<Seen> {
    let mut bytes = [0; 128];
    let length = usize::try_from(length).ok()?.min(bytes.len());
    memory.read_exact_at(bytes.get_mut(..length)?, at).ok()?;
    let family = i32::from(u16::from_ne_bytes(*bytes.first_chunk()?));
    let port = u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?);
    match family {
        libc::AF_INET => {
            let host = Ipv4Addr::from(*bytes.get(4..)?.first_chunk::<4>()?).to_string();
            Some(Seen::Address { host, port, datagram })
        }
        libc::AF_INET6 => {
            let host = Ipv6Addr::from(*bytes.get(8..)?.first_chunk::<16>()?).to_string();
            Some(Seen::Address { host, port, datagram })
        }
        libc::AF_UNIX => {
            let path = bytes.get(2..length)?;
            let path = if path.first() == Some(&0) { path } else { path.split(|byte| *byte == 0).next()? };
            Some(Seen::Socket(String::from_utf8_lossy(path).replace('\0', "@")))
        }
        _ => None,
    }
}

fn program(memory: &fs::File, path: u64, argv: u64) -> Option<Seen> {
    let mut words = vec![text(memory, path)?];
    for index in 1..WORDS as u64 {
        let mut pointer = [0; 8];
        if memory.read_exact_at(&mut pointer, argv.checked_add(index.checked_mul(8)?)?).is_err() {
            break;
        }
        match u64::from_ne_bytes(pointer) {
            0 => break,
            at => words.push(text(memory, at)?),
        }
    }
    Some(Seen::Program(words))
}

fn text(memory: &fs::File, at: u64) -> Option<String> {
    let mut bytes = [0; WORD];
    // A read past the end of a mapped page fails, so stop at the page's end.
    let to_page_end = usize::try_from(4096 - at % 4096).ok()?;
    let first = memory.read_at(bytes.get_mut(..to_page_end.min(WORD))?, at).ok()?;
    let mut got = first;
    if !bytes.get(..got)?.contains(&0) && got < WORD {
        got += memory.read_at(bytes.get_mut(got..)?, at + got as u64).unwrap_or(0);
    }
    let bytes = bytes.get(..got)?.split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The observations as effects.
pub(crate) fn effects(seen: &[Seen]) -> Effects {
    let mut effects = Effects::default();
    for item in seen {
        match item {
            Seen::Program(words) => {
                let program = words.first().map_or("", |path| path.rsplit('/').next().unwrap_or(path));
                effects.executes.push(SimpleCommand {
                    program: program.to_owned(),
                    words: words.clone(),
                    ..SimpleCommand::default()
                });
            }
            Seen::Address { host, port, datagram } => {
                effects.network = true;
                effects.hosts.push(HostEffect {
                    host: host.clone(),
                    port: Some(*port),
                    scheme: if *datagram { "udp" } else { "tcp" }.to_owned(),
                    direction: Direction::Both,
                    class: class(host),
                    code: None,
                    configured: false,
                    redirected: false,
                    span: doorward_core::Span::default(),
                });
            }
            Seen::Socket(_) | Seen::Withheld(_) => {}
        }
    }
    effects
}

fn class(host: &str) -> HostClass {
    let Ok(address) = host.parse::<std::net::IpAddr>() else { return HostClass::Unknown };
    if address.is_loopback() { HostClass::Loopback } else { HostClass::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_calls_lay_it_out() {
        let own = fs::File::open("/proc/self/mem").unwrap();
        let name = b"/usr/bin/env\0";
        let second = b"--version\0";
        let argv = [name.as_ptr() as u64, second.as_ptr() as u64, 0];
        let seen = program(&own, name.as_ptr() as u64, argv.as_ptr() as u64);
        assert_eq!(seen, Some(Seen::Program(vec!["/usr/bin/env".to_owned(), "--version".to_owned()])));
        let mut inet = vec![2_u8, 0, 0x01, 0xbb, 192, 0, 2, 7];
        inet.resize(16, 0);
        assert_eq!(
            address(&own, inet.as_ptr() as u64, 16, false),
            Some(Seen::Address { host: "192.0.2.7".to_owned(), port: 443, datagram: false })
        );
        assert_eq!(address(&own, 0, 16, false), None, "an address that can't be read is no reason to stop");
    }
}
