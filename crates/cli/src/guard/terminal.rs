//! The terminal of an enclosed agent. It is the person's own, and the kernel tells its changes of size only to its own
//! session; the agent has another one, so the news is passed on.

use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How often the terminal's size is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// Processes that are told at most.
const MOST: usize = 4_096;

/// Tells the agent of changes until it is dropped.
pub(super) struct Following {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Follows the size of the terminal that standard output is. Nothing to follow without one.
pub(super) fn follow_resizes() -> Following {
    let over = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&over);
    let thread = size().and_then(|mut last| {
        let follow = move || {
            while !seen.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                if let Some(now) = size().filter(|now| *now != last) {
                    last = now;
                    tell();
                }
            }
        };
        std::thread::Builder::new().name("terminal-size".into()).spawn(follow).ok()
    });
    Following { over, thread }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn size() -> Option<(u16, u16)> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some((size.ws_row, size.ws_col))
}

/// Every process below this one whose standard output is the same terminal.
fn tell() {
    let device = |pid: &str| std::fs::metadata(format!("/proc/{pid}/fd/1")).ok().map(|file| file.rdev());
    let Some(own) = device("self") else { return };
    let mut waiting = vec![std::process::id()];
    let mut told = 0;
    while let Some(parent) = waiting.pop() {
        for child in children(parent) {
            told += 1;
            if told > MOST {
                return;
            }
            waiting.push(child);
            let pid = i32::try_from(child).ok().and_then(Pid::from_raw);
            if let Some(pid) = pid.filter(|_| device(&child.to_string()) == Some(own)) {
                // One that is gone needs no news.
                let _ = kill_process(pid, Signal::WINCH);
            }
        }
    }
}

/// proc(5): the children of each thread of a process.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|one| std::fs::read_to_string(one.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}
