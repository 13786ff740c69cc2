//! The helper: everything between the engine and the program.
//!
//! The engine starts its own binary again under another name ([`HELPER`]), so set-up happens in a fresh
//! single-threaded process without the gate's memory. That process is the **keeper**: it watches limits from
//! outside. Below it, in the full tier, **init** is process 1 of the new namespaces: it builds the root, drops
//! privileges and starts the program. In the other tiers the keeper's child becomes the program itself.
//!
//! The parts that don't depend on the program (namespaces, control group, `/proc`, `/dev`) are the **ground**. It
//! is prepared as soon as the helper starts, while the gate still makes its plan, or long before, if the gate keeps
//! a helper ready. Then keeper and child wait for the plan.
//!
//! A failed set-up reports its stage and errno over a pipe that closes on exec. If that pipe ends without `ready`,
//! the set-up has failed.

pub(crate) mod command;
pub(crate) mod init;
pub(crate) mod keeper;
pub(crate) mod mounts;
pub(crate) mod restore;
pub(crate) mod start;
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

/// The descriptor to which a shell writes its last directory. The helper keeps this number free.
pub(crate) const FINAL_CWD: i32 = 3;

/// Becomes the helper, or the probe program, if this process was started under its name; else returns at once.
///
/// Call it first in `main` of every binary that runs a sandbox:
///
/// ```
/// doorward_sandbox::maybe_init();
/// // the program proper
/// ```
pub fn maybe_init() {
    let Some(name) = std::env::args_os().next() else { return };
    if name == HELPER {
        start::main();
    }
    if std::path::Path::new(&name).file_name().is_some_and(|name| name == crate::probe::PROGRAM) {
        crate::probe::inside::main();
    }
    crate::engine::HOSTED.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// Task of the helper: its one argument.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Errand {
    /// Survey the features of this machine.
    Survey,
    /// Prepare the ground, then wait for a plan and carry it out.
    Run(Ground),
    /// Restore protective mounts in a run whose namespaces come over the socket.
    Restore(Vec<Step>),
}

/// Everything that can be prepared before the program is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ground {
    pub(crate) tier: Tier,
    /// The helper starts with uid 0: it makes real mounts and then changes its uid.
    pub(crate) privileged: bool,
    /// Uid and gid of a program of the full tier, as seen inside, and as seen by the host.
    pub(crate) inside: (u32, u32),
    pub(crate) outside: (u32, u32),
    pub(crate) cgroup: Option<Group>,
}

/// Role of a descriptor sent with a plan.
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
    /// Receives the shell's last working directory.
    FinalCwd,
    /// A user namespace that maps this owner on disk to the run's own ids.
    IdMap(crate::idmap::Ids),
    /// The program's user namespace, if init doesn't start in it.
    Users,
}

/// Descriptors by role.
pub(crate) type Given = Vec<(Role, OwnedFd)>;

/// Sends a plan with its descriptors.
pub(crate) fn give(to: &OwnedFd, given: &Given) -> io::Result<()> {
    let roles: Vec<Role> = given.iter().map(|(role, _)| *role).collect();
    let fds: Vec<_> = given.iter().map(|(_, fd)| fd.as_fd()).collect();
    sys::send(to.as_fd(), &serde_json::to_vec(&roles)?, &fds)
}

/// Waits for a plan; `None` if the sender is gone.
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

/// Waits for one expected message.
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

/// Further messages to the keeper.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KeeperMessage {
    /// End the run.
    Stop(Cause),
}

/// Messages from the keeper.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tell {
    /// Result of the survey.
    Survey(survey::Survey),
    /// The relay's listener is attached to this message.
    Listener,
    /// A new id map for later runs is attached to this message.
    IdMap {
        /// Ids on disk.
        owner: crate::idmap::Ids,
        /// Ids of the run.
        outside: crate::idmap::Ids,
    },
    /// The program was started.
    Started,
    /// Set-up failed; the program never ran.
    Failed {
        /// Stage.
        stage: String,
        /// The kernel's error number.
        errno: i32,
    },
    /// The run is over; no process is left.
    Ended(Box<RunEnd>),
}

/// The end of a run, as the keeper saw it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct RunEnd {
    /// `wait` status of the program; `None` if it was ended before it could exit.
    pub(crate) status: Option<i32>,
    /// The error number, if exec failed.
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
    /// Protected places that were briefly unprotected, because they were replaced from outside.
    pub(crate) lifted: Vec<Raw>,
    /// Protected names that the run created nevertheless, and what they are called now.
    pub(crate) moved: Vec<(Raw, Raw)>,
    /// Names in the private temp folder at the end.
    pub(crate) in_tmp: Vec<Raw>,
}

/// Sends a message to the engine.
pub(crate) fn tell(control: &OwnedFd, message: &Tell) -> io::Result<()> {
    let text = serde_json::to_vec(message).map_err(io::Error::other)?;
    sys::send(control.as_fd(), &text, &[])
}

/// A failed stage.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) stage: String,
    pub(crate) errno: i32,
}

/// Adds the stage to an error.
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

/// The write end of the set-up channel.
#[derive(Debug)]
pub(crate) struct Channel(pub(crate) std::fs::File);

impl Channel {
    /// Reports the fault and ends the process.
    pub(crate) fn fail(&self, fault: &Fault) -> ! {
        use std::io::Write;
        let _ = (&self.0).write_all(format!("{} {}\n", fault.errno, fault.stage).as_bytes());
        sys::exit_now(125)
    }

    /// Reports that exec comes next.
    pub(crate) fn ready(&self) -> io::Result<()> {
        use std::io::Write;
        (&self.0).write_all(b"ready\n")
    }
}

/// Interprets the whole text of the set-up channel.
pub(crate) fn verdict(text: &str) -> Result<Option<i32>, Fault> {
    let mut ready = false;
    for line in text.lines() {
        match line.split_once(' ') {
            None if line == "ready" => ready = true,
            // After `ready` only exec itself can fail, which is reported as the program's status.
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
