//! Which process holds the other end of a connection. A gateway on a port has many clients, and what one of them reads
//! is no other's.

use std::collections::VecDeque;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use doorward_mcp::relay::Process;

/// Processes that are looked at first, because they connected before.
const MOST_RECENT: usize = 32;

/// Finds the processes that sockets belong to.
#[derive(Default)]
pub(crate) struct Owners {
    recent: Mutex<VecDeque<Process>>,
}

impl Owners {
    /// The process that holds the socket with this inode; `None` if it is gone or can't be looked into.
    pub(crate) fn of(&self, inode: u64) -> Option<Process> {
        let known: Vec<Process> = self.lock().iter().copied().collect();
        let is_same = |process: &Process| started(process.pid) == Some(process.started);
        let found = known.into_iter().find(|process| holds(process.pid, inode) && is_same(process));
        let found = found.or_else(|| among_all(inode))?;
        let mut recent = self.lock();
        recent.retain(|process| *process != found);
        recent.push_front(found);
        recent.truncate(MOST_RECENT);
        Some(found)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Process>> {
        // A list of places to look at first: any content is a valid one.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks through all processes of this user. Of several that share the socket the oldest counts: it opened it.
fn among_all(inode: u64) -> Option<Process> {
    let own = rustix::process::getuid().as_raw();
    let entries = std::fs::read_dir("/proc").ok()?;
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<i32>().ok()?, entry)))
        .filter(|(_, entry)| entry.metadata().is_ok_and(|found| found.uid() == own))
        .filter(|(pid, _)| holds(*pid, inode))
        .filter_map(|(pid, _)| Some(Process { pid, started: started(pid)? }))
        .min_by_key(|process| process.started)
}

fn holds(pid: i32, inode: u64) -> bool {
    let wanted = format!("socket:[{inode}]");
    let folder = Path::new("/proc").join(pid.to_string()).join("fd");
    let Ok(entries) = std::fs::read_dir(&folder) else { return false };
    let mut numbers: Vec<u32> =
        entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    // A connection that was just made mostly has the highest number of its process.
    numbers.sort_unstable();
    let mut links = numbers.iter().rev().filter_map(|number| folder.join(number.to_string()).read_link().ok());
    links.any(|link| link == Path::new(&wanted))
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
}
