//! Finds the process at the other end of a connection. A gateway on a port has many clients, and content that one
//! of them reads must not count as read by another.

use std::collections::{HashMap, VecDeque};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use doorward_mcp::relay::Process;

/// Limit on recently connected processes, which are searched first.
const MOST_RECENT: usize = 32;
/// Limit on remembered sockets.
const MOST_PLACES: usize = 8_192;

/// Finds the processes that sockets belong to.
#[derive(Default)]
pub(crate) struct Owners(Mutex<RecentProcesses>);

#[derive(Default)]
struct RecentProcesses {
    recent: VecDeque<Process>,
    /// Sockets (by inode) seen in earlier searches: the process and its descriptor number. One search covers all
    /// connections of a client that opens many. Each entry is verified before it is used.
    places: HashMap<u64, (Process, u32)>,
}

impl Owners {
    /// The process that holds the socket with this inode; `None` if it is gone or can't be inspected.
    pub(crate) fn of(&self, inode: u64) -> Option<Process> {
        // The cache only says where to look first, so any content is valid. Searches run one at a time: later ones
        // mostly find their socket in the cache.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.by_place(inode).or_else(|| known.by_process(inode))?;
        known.recent.retain(|process| *process != found);
        known.recent.push_front(found);
        known.recent.truncate(MOST_RECENT);
        Some(found)
    }
}

impl RecentProcesses {
    fn by_place(&mut self, inode: u64) -> Option<Process> {
        let (process, number) = self.places.remove(&inode)?;
        let is_there = socket_at(process.pid, number) == Some(inode) && is_same(&process);
        is_there.then_some(process)
    }

    fn by_process(&mut self, inode: u64) -> Option<Process> {
        let recent: Vec<Process> = self.recent.iter().copied().collect();
        for process in recent {
            let sockets = sockets_of(process.pid);
            if sockets.iter().any(|(own, _)| *own == inode) && is_same(&process) {
                if self.places.len() + sockets.len() > MOST_PLACES {
                    self.places.clear();
                }
                let others = sockets.into_iter().filter(|(own, _)| *own != inode).take(MOST_PLACES);
                self.places.extend(others.map(|(own, number)| (own, (process, number))));
                return Some(process);
            }
        }
        among_all(inode)
    }
}

/// Searches all processes of this user. If several share the socket, the oldest counts, because it opened it.
fn among_all(inode: u64) -> Option<Process> {
    let own = rustix::process::getuid().as_raw();
    let entries = std::fs::read_dir("/proc").ok()?;
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<i32>().ok()?, entry)))
        .filter(|(_, entry)| entry.metadata().is_ok_and(|found| found.uid() == own))
        .filter(|(pid, _)| sockets_of(*pid).iter().any(|(found, _)| *found == inode))
        .filter_map(|(pid, _)| Some(Process { pid, started: started(pid)? }))
        .min_by_key(|process| process.started)
}

fn is_same(process: &Process) -> bool {
    started(process.pid) == Some(process.started)
}

fn files_of(pid: i32) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/fd"))
}

/// The inodes of a process's sockets, with their descriptor numbers.
fn sockets_of(pid: i32) -> Vec<(u64, u32)> {
    let Ok(entries) = std::fs::read_dir(files_of(pid)) else { return Vec::new() };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter_map(|number| Some((socket_at(pid, number)?, number))).collect()
}

/// The inode of the socket at this descriptor of a process.
fn socket_at(pid: i32, number: u32) -> Option<u64> {
    let link = files_of(pid).join(number.to_string()).read_link().ok()?;
    link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

/// When a process was started, in clock ticks after boot: field 22 of proc(5)'s `stat`. The name before it is in
/// parentheses and may hold any character.
fn started(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_belongs_to_the_process_that_holds_it_and_to_nobody_once_it_is_closed() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let inode = rustix::fs::fstat(&socket).unwrap().st_ino;
        let owners = Owners::default();
        let own = i32::try_from(std::process::id()).unwrap();
        for _ in 0..2 {
            assert_eq!(owners.of(inode).map(|found| found.pid), Some(own));
        }
        drop(socket);
        assert_eq!(owners.of(inode), None);
    }

    #[test]
    fn a_remembered_place_counts_only_while_the_socket_is_there() {
        let own = i32::try_from(std::process::id()).unwrap();
        let owners = Owners::default();
        let first = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let inode = |socket: &std::net::TcpListener| rustix::fs::fstat(socket).unwrap().st_ino;
        assert!(owners.of(inode(&first)).is_some());
        let many: Vec<_> = (0..50).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        assert!(owners.of(inode(&many[0])).is_some());
        let remembered = |socket: u64| owners.0.lock().unwrap().places.contains_key(&socket);
        for socket in &many[1..] {
            assert!(remembered(inode(socket)));
        }
        assert_eq!(owners.of(inode(&many[1])).map(|found| found.pid), Some(own));
        assert!(!remembered(inode(&many[1])), "a place is used once");
        let gone: Vec<u64> = many.iter().map(inode).collect();
        drop(many);
        // Other sockets may reuse the descriptor numbers.
        let _others: Vec<_> = (0..50).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        for inode in gone {
            assert_eq!(owners.of(inode), None);
        }
    }
}
