//! Who a socket's peer belongs to, as the kernel tells: the client's process, its folder, its environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How far up a client is looked for.
const MOST_STEPS: usize = 24;

/// The process a hook was spawned by: the nearest ancestor that is no shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientProcess {
    pub(crate) pid: i32,
    /// Clock ticks after boot, so that a reused number isn't taken for the same process.
    pub(crate) started: u64,
    pub(crate) cwd: Option<PathBuf>,
}

impl ClientProcess {
    pub(crate) fn of_hook(hook: i32) -> Option<Self> {
        let mut pid = Stat::of(hook)?.parent;
        for _ in 0..4 {
            let stat = Stat::of(pid)?;
            let shell =
                matches!(stat.name.as_str(), "sh" | "bash" | "dash" | "zsh" | "ksh" | "env" | "timeout");
            if !shell {
                let cwd =
                    std::fs::read_link(format!("/proc/{pid}/cwd")).ok().filter(|cwd| cwd != Path::new("/"));
                return Some(Self { pid, started: stat.started, cwd });
            }
            pid = stat.parent;
        }
        None
    }

    /// The agent to which a client's process belongs: the nearest one among the process itself and its ancestors whose
    /// program is a known agent, else the process itself. An agent's commands speak for the agent.
    pub(crate) fn agent_of(client: i32, started: u64) -> (i32, u64) {
        let own = (client, started);
        let mut pid = client;
        for step in 0..MOST_STEPS {
            let Some(stat) = Stat::of(pid).filter(|stat| step > 0 || stat.started == started) else {
                return own;
            };
            let process = Self { pid, started: stat.started, cwd: None };
            if is_agent(&stat.name, &process.words()) {
                return (pid, stat.started);
            }
            if stat.parent <= 1 {
                return own;
            }
            pid = stat.parent;
        }
        own
    }

    pub(crate) fn of(pid: i32) -> Option<Self> {
        Some(Self { pid, started: Stat::of(pid)?.started, cwd: None })
    }

    /// A process and the number of its parent.
    pub(crate) fn with_parent(pid: i32) -> Option<(Self, i32)> {
        let stat = Stat::of(pid)?;
        Some((Self { pid, started: stat.started, cwd: None }, stat.parent))
    }

    /// Its number.
    pub(crate) const fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether this process is `peer` or stands above it.
    pub(crate) fn is_above(&self, peer: i32) -> bool {
        let mut pid = peer;
        for _ in 0..MOST_STEPS {
            let Some(stat) = Stat::of(pid) else { return false };
            if pid == self.pid {
                return stat.started == self.started;
            }
            if stat.parent <= 1 {
                return false;
            }
            pid = stat.parent;
        }
        false
    }

    /// The environment it was started with, which nothing it does later changes. Empty where it can't be read.
    pub(crate) fn environment(&self) -> BTreeMap<String, String> {
        self.strings("environ")
            .into_iter()
            .filter_map(|line| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect()
    }

    /// Its controlling terminal: the path, and the device that must be found there.
    pub(crate) fn terminal(&self) -> Option<(PathBuf, u64)> {
        let stat = Stat::of(self.pid).filter(|stat| stat.started == self.started && stat.terminal != 0)?;
        // proc(5): the minor number is in bits 31 to 20 and 7 to 0, the major one in 15 to 8.
        let number = u64::try_from(stat.terminal).ok()?;
        let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00));
        let device = rustix::fs::makedev(u32::try_from(major).ok()?, u32::try_from(minor).ok()?);
        let streams = ["0", "1", "2"].into_iter();
        let named = streams
            .filter_map(|stream| std::fs::read_link(format!("/proc/{}/fd/{stream}", self.pid)).ok())
            .find(|path| path.starts_with("/dev/pts") || path.starts_with("/dev/tty"))?;
        Some((named, device))
    }

    /// The words it was started with.
    pub(crate) fn words(&self) -> Vec<String> {
        self.strings("cmdline")
    }

    fn strings(&self, file: &str) -> Vec<String> {
        let bytes = std::fs::read(format!("/proc/{}/{file}", self.pid)).unwrap_or_default();
        let same = Stat::of(self.pid).is_some_and(|stat| stat.started == self.started);
        let texts = bytes.split(|byte| *byte == 0).filter(|text| same && !text.is_empty());
        texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
    }
}

/// Programs of coding agents: what runs below one of them isn't a person, whatever terminal it shares.
const AGENTS: &[&str] = &[
    "claude",
    "codex",
    "copilot",
    "cursor",
    "cursor-agent",
    "gemini",
    "opencode",
    "openhands",
    "qwen",
    "windsurf",
];

/// Whether a process has a terminal and no agent stands above it: `is_client` knows those that sent events.
///
/// A program that an agent starts shares its terminal but not its ancestors. One that detaches itself from the agent
/// and makes a terminal of its own isn't told from a person's: in posture `personal` nothing of the same user can be.
pub(crate) fn at_terminal(peer: i32, is_client: &dyn Fn(i32, u64) -> bool) -> bool {
    let mut pid = peer;
    for step in 0..MOST_STEPS {
        let Some(stat) = Stat::of(pid) else { return false };
        if step == 0 && stat.terminal == 0 {
            return false;
        }
        let process = ClientProcess { pid, started: stat.started, cwd: None };
        if is_client(pid, stat.started) || is_agent(&stat.name, &process.words()) {
            return false;
        }
        if stat.parent <= 1 {
            return true;
        }
        pid = stat.parent;
    }
    false
}

fn is_agent(name: &str, words: &[String]) -> bool {
    let base = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        name.split('.').next().unwrap_or(name).to_owned()
    };
    // The name in the kernel, the program, and the script that an interpreter runs.
    AGENTS.contains(&name) || words.iter().take(2).map(base).any(|word| AGENTS.contains(&word.as_str()))
}

/// Whether a process runs below `doorward guard`: one of its ancestors is this very program in that role.
pub(crate) fn is_guarded(peer: i32) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &str| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    let Some(own) = identity("/proc/self/exe") else { return false };
    let mut pid = peer;
    for _ in 0..MOST_STEPS {
        let Some(stat) = Stat::of(pid) else { return false };
        if identity(&format!("/proc/{pid}/exe")) == Some(own) {
            let process = ClientProcess { pid, started: stat.started, cwd: None };
            if process.words().get(1).is_some_and(|word| word == "guard") {
                return true;
            }
        }
        if stat.parent <= 1 {
            return false;
        }
        pid = stat.parent;
    }
    false
}

/// Clock ticks after boot, as processes' starts are told: proc(5) says both in hundredths of a second.
pub(crate) fn ticks_now() -> u64 {
    let text = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds = text.split_whitespace().next().unwrap_or_default();
    seconds.replace('.', "").parse().unwrap_or_default()
}

struct Stat {
    name: String,
    parent: i32,
    /// Device number of the controlling terminal; 0 for none.
    terminal: i64,
    started: u64,
}

impl Stat {
    /// Fields of `/proc/<pid>/stat` (proc(5)): the name is in parentheses and may itself hold any character.
    fn of(pid: i32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (before, after) = text.rsplit_once(')')?;
        let name = before.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = after.split_whitespace().collect();
        Some(Self {
            name,
            parent: fields.get(1)?.parse().ok()?,
            terminal: fields.get(4)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_stands_above_its_children_and_nobody_elses() {
        let own = i32::try_from(std::process::id()).unwrap();
        let me = ClientProcess { pid: own, started: Stat::of(own).unwrap().started, cwd: None };
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        assert!(me.is_above(pid) && me.is_above(own));
        assert!(!me.is_above(1));
        let reused = ClientProcess { started: me.started + 1, ..me.clone() };
        assert!(!reused.is_above(pid), "a reused number is another process");
        assert!(reused.words().is_empty() && !me.words().is_empty());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
