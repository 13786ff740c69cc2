//! How many threads of this process's descendants want a processor: those in state R of `/proc/PID/task/TID/stat`
//! (proc(5)). It doesn't depend on what else the machine does, as the idle time of its processors would: a suite that waits
//! for a client leaves its share to the next suite also where somebody else compiles beside it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long they are watched before the number counts.
const WATCHED: Duration = Duration::from_millis(800);
/// How often they are counted: a look at every process costs some milliseconds.
const EVERY: Duration = Duration::from_millis(100);

/// Counts since the last suite was started.
pub(crate) struct Runnable {
    since: Instant,
    last: Instant,
    counted: usize,
    looks: usize,
}

impl Runnable {
    /// Begins to watch.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { since: now, last: now, counted: 0, looks: 0 }
    }

    /// The threads that wanted a processor on average, in tenths, once they were watched long enough; then watches anew.
    pub(crate) fn tenths(&mut self) -> Option<usize> {
        if self.last.elapsed() < EVERY {
            return None;
        }
        self.last = Instant::now();
        self.counted += now(std::process::id())?;
        self.looks += 1;
        if self.since.elapsed() < WATCHED {
            return None;
        }
        let tenths = self.counted * 10 / self.looks;
        *self = Self::new();
        Some(tenths)
    }
}

/// Threads in state R of all processes below this one. Where the system doesn't tell, nothing.
fn now(process: u32) -> Option<usize> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for item in std::fs::read_dir("/proc").ok()?.flatten() {
        let number = item.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        if let Some((number, (_, parent))) =
            number.and_then(|number| Some((number, stat(&format!("/proc/{number}/stat"))?)))
        {
            children.entry(parent).or_default().push(number);
        }
    }
    let mut below = vec![process];
    let mut runnable = 0;
    while let Some(parent) = below.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            below.push(child);
            let threads = std::fs::read_dir(format!("/proc/{child}/task")).into_iter().flatten().flatten();
            let states = threads.filter_map(|thread| stat(thread.path().join("stat").to_str()?));
            runnable += states.filter(|(state, _)| *state == 'R').count();
        }
    }
    Some(runnable)
}

/// State and parent of a process or a thread; nothing if it has ended meanwhile.
fn stat(file: &str) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(file).ok()?;
    // The name of the program, in brackets, may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_that_computes_is_counted_and_one_that_waits_is_not() {
        let own = std::process::id();
        let mut waits = Command::new("sleep").arg("30").spawn().unwrap();
        let mut computes = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let mut seen = 0;
        while seen < 5 && Instant::now() < until {
            // Other tests of this program have children, too.
            seen += usize::from(now(own).unwrap() > 0);
            std::thread::sleep(Duration::from_millis(20));
        }
        let state = |child: u32| stat(&format!("/proc/{child}/stat")).unwrap();
        assert_eq!(state(waits.id()), ('S', own));
        assert_eq!(state(computes.id()).1, own);
        for child in [&mut waits, &mut computes] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(seen, 5, "the child that computes wasn't seen");
    }
}
