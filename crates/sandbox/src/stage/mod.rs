//! The helper: what runs between the engine and the program.
//!
//! The engine starts its own binary again under another name ([`HELPER`]), so set-up happens in a fresh process with
//! one thread and nothing of the gate's memory. That process is the **keeper**: it watches limits from outside. Below
//! it, in the full tier, **init** is process 1 of the new namespaces: it builds the root, gives everything up and
//! starts the program. In the other tiers the keeper's child becomes the program itself.
//!
//! What doesn't depend on the program (namespaces, control group, `/proc`, `/dev`) is the **ground**: it is laid as
//! soon as the helper starts, while the gate still makes its plan, or long before, when the gate keeps a helper
//! ready. Then keeper and child wait for the order.
//!
//! A set-up that fails says at which stage and with what errno over a pipe that closes on exec; the end of that pipe
//! without `ready` is a failure, never a success.

pub(crate) mod command;
pub(crate) mod init;
pub(crate) mod keeper;
pub(crate) mod mounts;
pub(crate) mod restore;
pub(crate) mod survey;

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use doorward_core::Tier;
use serde::{Deserialize, Serialize};

use crate::cgroup::Group;
use crate::plan::{Plan, Raw, Step};
use crate::report::{Cause, LimitHit};
use crate::sys;

/// The name the helper is started under.
pub(crate) const HELPER: &str = "doorward-sandbox-init";

/// The descriptor a shell tells its last directory to. The helper keeps it free of anything else.
pub(crate) const FINAL_CWD: i32 = 3;

/// Becomes the helper, or the probe program, when this process was started under its name; else returns at once.
///
/// The first thing in `main` of every binary that runs a sandbox:
///
/// ```
/// doorward_sandbox::maybe_init();
/// // the program proper
/// ```
pub fn maybe_init() {
    let Some(name) = std::env::args_os().next() else { return };
    if name == HELPER {
        keeper::main();
    }
    if std::path::Path::new(&name).file_name().is_some_and(|name| name == crate::probe::PROGRAM) {
        crate::probe::inside::main();
    }
    crate::engine::HOSTED.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// What the helper is started for: its one argument.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Errand {
    /// Look what can be had here.
    Survey,
    /// Lay the ground, then wait for a plan to carry out.
    Run(Ground),
    /// Put protective mounts back into a run whose namespaces come over the socket.
    Restore(Vec<Step>),
}

/// What can be made before anybody knows what will run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ground {
    pub(crate) tier: Tier,
    /// The helper starts with uid 0: real mounts, then a real change of uid.
    pub(crate) privileged: bool,
    /// Uid and gid as a program of the full tier sees them, and as the host does.
    pub(crate) inside: (u32, u32),
    pub(crate) outside: (u32, u32),
    pub(crate) cgroup: Option<Group>,
}

/// The order: a plan, with the roles of the descriptors that come with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// The plan, in an anonymous file.
    Plan,
    /// The program's standard input.
    Stdin,
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
    /// Where the shell tells its last working directory.
    FinalCwd,
    /// A user namespace that maps this owner on disk to the run's own ids.
    IdMap(crate::idmap::Ids),
    /// The user namespace that the program lives in, where init doesn't begin in it.
    Users,
}

/// Descriptors by role.
pub(crate) type Given = Vec<(Role, OwnedFd)>;

/// Gives an order.
pub(crate) fn give(to: &OwnedFd, given: &Given) -> io::Result<()> {
    let roles: Vec<Role> = given.iter().map(|(role, _)| *role).collect();
    let fds: Vec<_> = given.iter().map(|(_, fd)| fd.as_fd()).collect();
    sys::send(to.as_fd(), &serde_json::to_vec(&roles)?, &fds)
}

/// Waits for an order; none when whoever gives orders is gone.
pub(crate) fn await_order(from: &OwnedFd) -> io::Result<Option<(Plan, Given)>> {
    let mut buffer = vec![0; 4096];
    let Some((length, fds)) = sys::receive(from.as_fd(), &mut buffer, 0)? else { return Ok(None) };
    let roles: Vec<Role> = serde_json::from_slice(buffer.get(..length).unwrap_or_default())?;
    let given: Given = roles.into_iter().zip(fds).collect();
    let plan = given.iter().find(|(role, _)| *role == Role::Plan);
    let (_, plan) = plan.ok_or(io::Error::from(io::ErrorKind::InvalidData))?;
    let text = sys::read_all(plan.as_fd())?;
    Ok(Some((serde_json::from_slice(&text)?, given)))
}

/// Waits for one word of the other end.
pub(crate) fn wait_for(link: &OwnedFd, word: &[u8]) -> Result<(), Fault> {
    let mut buffer = [0; 64];
    match sys::receive(link.as_fd(), &mut buffer, 0).at("link")? {
        Some((length, _)) if buffer.get(..length) == Some(word) => Ok(()),
        _ => Err(Fault { stage: "link".to_owned(), errno: libc::EPIPE }),
    }
}

/// Takes the descriptor of a role.
pub(crate) fn take(given: &mut Given, role: Role) -> Option<OwnedFd> {
    let at = given.iter().position(|(other, _)| *other == role)?;
    Some(given.swap_remove(at).1)
}

/// Later messages to the keeper.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    /// End the run.
    Stop(Cause),
}

/// Messages from the keeper.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tell {
    /// What can be had here.
    Survey(survey::Survey),
    /// The relay's listener comes with this message.
    Listener,
    /// A new id map comes with this message, for later runs.
    IdMap {
        /// Ids on disk.
        owner: crate::idmap::Ids,
        /// Ids of the run.
        outside: crate::idmap::Ids,
    },
    /// The program runs.
    Started,
    /// Set-up failed; nothing ran.
    Failed {
        /// Stage.
        stage: String,
        /// The kernel's answer.
        errno: i32,
    },
    /// Everything is over, nobody is left.
    Ended(Box<End>),
}

/// The end, as the keeper saw it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct End {
    /// `wait` status of the program; none when it had no time to end by itself.
    pub(crate) status: Option<i32>,
    /// The kernel's answer to exec, when that failed.
    pub(crate) exec_errno: Option<i32>,
    pub(crate) killed_by: Option<Cause>,
    pub(crate) hits: Vec<LimitHit>,
    pub(crate) wall_us: u64,
    pub(crate) user_us: u64,
    pub(crate) system_us: u64,
    pub(crate) peak_memory: u64,
    pub(crate) peak_processes: u32,
    pub(crate) oom_kills: u32,
    pub(crate) left_behind: u32,
    pub(crate) observed: Vec<crate::observe::Seen>,
    /// Protected places that lay open for a moment, because somebody outside replaced what was there.
    pub(crate) lifted: Vec<Raw>,
}

/// Tells the engine.
pub(crate) fn tell(control: &OwnedFd, message: &Tell) -> io::Result<()> {
    let text = serde_json::to_vec(message).map_err(io::Error::other)?;
    sys::send(control.as_fd(), &text, &[])
}

/// A stage that failed.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) stage: String,
    pub(crate) errno: i32,
}

/// Names the stage of an error.
pub(crate) trait At<T> {
    fn at(self, stage: &str) -> Result<T, Fault>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, stage: &str) -> Result<T, Fault> {
        self.map_err(|error| Fault {
            stage: stage.to_owned(),
            errno: error.raw_os_error().unwrap_or(libc::EIO),
        })
    }
}

/// The set-up channel's write end.
#[derive(Debug)]
pub(crate) struct Channel(pub(crate) std::fs::File);

impl Channel {
    /// Says where it failed and ends the process.
    pub(crate) fn fail(&self, fault: &Fault) -> ! {
        use std::io::Write;
        let _ = (&self.0).write_all(format!("{} {}\n", fault.errno, fault.stage).as_bytes());
        sys::exit_now(125)
    }

    /// Says that exec comes next.
    pub(crate) fn ready(&self) -> io::Result<()> {
        use std::io::Write;
        (&self.0).write_all(b"ready\n")
    }
}

/// What the set-up channel said until its end.
pub(crate) fn verdict(text: &str) -> Result<Option<i32>, Fault> {
    let mut ready = false;
    for line in text.lines() {
        match line.split_once(' ') {
            None if line == "ready" => ready = true,
            // After `ready` the only thing that can fail is exec itself, which is the program's affair.
            Some((errno, "exec")) if ready => return Ok(Some(errno.parse().unwrap_or(libc::EIO))),
            Some((errno, stage)) => {
                return Err(Fault { stage: stage.to_owned(), errno: errno.parse().unwrap_or(libc::EIO) });
            }
            None => {}
        }
    }
    if ready { Ok(None) } else { Err(Fault { stage: "silent".to_owned(), errno: libc::EPIPE }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_a_failure() {
        assert!(verdict("").is_err());
        assert!(verdict("read").is_err());
        assert_eq!(verdict("ready\n").unwrap(), None);
        assert_eq!(verdict("ready\n2 exec\n").unwrap(), Some(libc::ENOENT));
        assert_eq!(verdict("1 landlock\n").unwrap_err().stage, "landlock");
        assert!(verdict("13 exec\n").is_err(), "exec can't be reached before ready");
    }
}
