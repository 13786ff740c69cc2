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

/// Root's programs that let a person in. What runs below one has a terminal that a login made.
const LOGINS: &[&str] = &[
    "agetty",
    "gdm-session-wor",
    "getty",
    "lightdm",
    "login",
    "sddm-helper",
    "sshd",
    "sshd-auth",
    "sshd-session",
];

/// Programs that start others for whoever asks: at a time, on a message, or when one ended. What runs below one may be
/// an agent's, however old that program is.
const STARTERS: &[&str] = &[
    "anacron",
    "atd",
    "cron",
    "crond",
    "dbus-broker",
    "dbus-broker-lau",
    "dbus-daemon",
    "fcron",
    "inetd",
    "runsv",
    "runsvdir",
    "s6-supervise",
    "s6-svscan",
    "supervisord",
    "xinetd",
];

/// The agents that a terminal is compared with.
pub(crate) struct KnownClients<'a> {
    /// Whether a process sent a client's events.
    pub(crate) is_client: &'a dyn Fn(i32, u64) -> bool,
    /// When the one that began first did, in clock ticks after boot.
    pub(crate) oldest: Option<u64>,
}

/// Whether a process has a terminal that no agent can have made: it descends from a login, or from something that is
/// older than every known agent, and from no agent and no program that starts others on request.
///
/// A program that detaches itself from an agent and makes itself a terminal loses the agent as an ancestor: the first
/// process of the system or of the user's session takes it in. What that took in is as young as the agent at least.
pub(crate) fn at_terminal(peer: i32, clients: &KnownClients<'_>) -> bool {
    let mut pid = peer;
    for step in 0..MOST_STEPS {
        let Some(stat) = Stat::of(pid) else { return false };
        if step == 0 && stat.terminal == 0 {
            return false;
        }
        let process = ClientProcess { pid, started: stat.started, cwd: None };
        let of_agent = (clients.is_client)(pid, stat.started) || is_agent(&stat.name, &process.words());
        if of_agent || STARTERS.contains(&stat.name.as_str()) {
            return false;
        }
        if is_login(peer, pid, &stat.name) {
            return true;
        }
        if stat.parent <= 1 || takes_in_orphans(stat.parent) {
            return clients.oldest.is_none_or(|oldest| stat.started < oldest);
        }
        pid = stat.parent;
    }
    false
}

/// Whether this very process was started by a known agent, however far up.
#[must_use]
pub fn started_by_agent() -> bool {
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let started = Stat::of(own).map(|stat| stat.started).unwrap_or_default();
    let (found, _) = ClientProcess::agent_of(own, started);
    found != own
}

/// Whether a process is root's and lets people in. Its name proves that only where the peer isn't root itself.
fn is_login(peer: i32, pid: i32, name: &str) -> bool {
    let users = |pid: i32| -> Option<Vec<String>> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        Some(line.split_whitespace().map(str::to_owned).collect())
    };
    let all_root = |pid: i32| users(pid).is_some_and(|users| users.iter().all(|user| user == "0"));
    LOGINS.contains(&name) && pid != peer && all_root(pid) && !all_root(peer)
}

/// Whether a process is the manager of a user's session, to which what lost its parent belongs.
fn takes_in_orphans(pid: i32) -> bool {
    let Some(stat) = Stat::of(pid) else { return true };
    let words = ClientProcess { pid, started: stat.started, cwd: None }.words();
    stat.name == "systemd" && words.iter().any(|word| word == "--user")
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

    /// A shell that a client detached and gave a terminal of its own, and the shell of a person, whose parents are gone
    /// alike: only what is older than every client is a person's.
    #[test]
    fn a_terminal_that_was_made_after_a_client_began_is_no_persons() {
        if !Path::new("/usr/bin/script").exists() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("pid");
        let line = format!("/usr/bin/script -qefc 'echo $$ > {}; sleep 60' /dev/null", told.display());
        let mut shell = std::process::Command::new("setsid");
        shell.args(["--fork", "/bin/sh", "-c", &line]).stdin(std::process::Stdio::null());
        shell.stdout(std::process::Stdio::null());
        assert!(shell.status().unwrap().success());
        let peer = (0..500).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::fs::read_to_string(&told).ok()?.trim().parse::<i32>().ok()
        });
        let peer = peer.expect("the shell at the terminal tells its number");
        let mut top = Stat::of(peer).unwrap();
        assert!(top.terminal != 0, "it has a terminal");
        while top.parent > 1 && !takes_in_orphans(top.parent) {
            top = Stat::of(top.parent).unwrap();
        }
        let at = |oldest| at_terminal(peer, &KnownClients { is_client: &|_, _| false, oldest });
        assert!(at(None), "no agent is known");
        assert!(at(Some(top.started + 1)), "older than every agent");
        assert!(!at(Some(top.started)) && !at(Some(1)), "an agent can have made it");
        assert!(!at_terminal(peer, &KnownClients { is_client: &|pid, _| pid == peer, oldest: None }));
        let _ = std::process::Command::new("kill").arg(peer.to_string()).status();
    }

    #[test]
    fn what_a_scheduler_starts_is_no_persons() {
        let shell = Path::new("/bin/bash");
        if !shell.exists() || !Path::new("/usr/bin/script").exists() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let (cron, told) = (folder.path().join("cron"), folder.path().join("pid"));
        std::fs::copy(shell, &cron).unwrap();
        let line = format!("/usr/bin/script -qefc 'echo $$ > {}; sleep 60' /dev/null; true", told.display());
        let mut scheduler = std::process::Command::new(&cron);
        scheduler.args(["-c", &line]).stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        let mut scheduler = scheduler.spawn().unwrap();
        let peer = (0..500).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::fs::read_to_string(&told).ok()?.trim().parse::<i32>().ok()
        });
        let peer = peer.expect("the shell at the terminal tells its number");
        assert!(!at_terminal(peer, &KnownClients { is_client: &|_, _| false, oldest: None }));
        let _ = std::process::Command::new("kill").arg(peer.to_string()).status();
        scheduler.wait().unwrap();
    }

    #[test]
    fn a_login_is_roots_and_not_by_its_name_alone() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(!is_login(own, own, "sshd"), "nobody is their own login");
        let parent = Stat::of(own).unwrap().parent;
        assert!(!is_login(own, parent, "sshd"), "a process of the peer's own user that calls itself sshd");
        assert!(!is_login(own, 1, "init") && !takes_in_orphans(own));
    }

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
