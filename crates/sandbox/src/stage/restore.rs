//! Restores protective mounts that disappeared during a run.
//!
//! If a mounted-over name is removed or replaced from outside, the kernel removes the mount in every namespace, and
//! the new file is unprotected. The keeper is notified of each change of the run's mounts, finds the missing ones,
//! and has a helper restore them. Until then, for some milliseconds, the name could be written from inside, so it
//! is reported with the run's outcome. If a name can't be protected again, the run ends.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::mounts::Root;
use super::{At, Errand, Fault, HELPER};
use crate::git::find;
use crate::plan::{Plan, Raw, Step};
use crate::sys;

/// Number of attempts to restore a mount, and the pause between them.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(2);

/// What became of places whose mounts disappeared.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// They are mounted again, and were unprotected meanwhile.
    pub(crate) lost: Vec<PathBuf>,
    /// They don't exist any more.
    pub(crate) gone: Vec<PathBuf>,
}

/// Watches the run's mounts.
#[derive(Debug)]
pub(crate) struct Mounts {
    /// `/proc/self/mountinfo`, opened inside.
    pub(crate) list: File,
    /// The namespaces to enter: the mount namespace, and the user namespace if it isn't ours.
    namespaces: Vec<OwnedFd>,
}

impl Mounts {
    /// Built from the descriptors that init sends: the list, then the namespaces.
    pub(crate) fn new(mut sent: Vec<OwnedFd>) -> Option<Self> {
        if sent.len() < 2 {
            return None;
        }
        let list = File::from(sent.remove(0));
        Some(Self { list, namespaces: sent })
    }

    /// Restores missing mounts.
    ///
    /// # Errors
    /// If a place can't be protected again.
    pub(crate) fn restore(&self, plan: &Plan) -> io::Result<Restored> {
        for attempt in 1.. {
            let there = self.points()?;
            if there.is_empty() {
                // The run is over and its namespace gone.
                return Ok(Restored::default());
            }
            let (mut steps, mut restored) = (Vec::new(), Restored::default());
            for step in &plan.steps {
                let Some(at) = protects(step).map(Raw::path).filter(|at| !there.contains(at)) else {
                    continue;
                };
                match (again(&at, step)?, step) {
                    (Some(again), _) => {
                        steps.push(again);
                        restored.lost.push(at);
                    }
                    (None, Step::Vacant { .. }) => {}
                    (None, _) => restored.gone.push(at),
                }
            }
            match self.have_put_back(steps) {
                // The old mount disappears some milliseconds before the new file exists; until then mounting fails.
                Err(_) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
                other => return other.map(|()| restored),
            }
        }
        Ok(Restored::default())
    }

    /// The mount points.
    fn points(&self) -> io::Result<Vec<PathBuf>> {
        let mut text = Vec::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let length = self.list.read_at(&mut buffer, text.len() as u64)?;
            if length == 0 {
                break;
            }
            text.extend(buffer.get(..length).unwrap_or_default());
        }
        let lines = text.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(|line| line.split(|byte| *byte == b' ').nth(4)).map(unescaped).collect())
    }

    fn have_put_back(&self, steps: Vec<Step>) -> io::Result<()> {
        if steps.is_empty() {
            return Ok(());
        }
        let (near, far) = sys::packet_pair()?;
        let mut child = Command::new("/proc/self/exe")
            .arg0(HELPER)
            .arg(serde_json::to_string(&Errand::Restore(steps))?)
            .env_clear()
            .stdin(Stdio::from(far))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let fds: Vec<_> = self.namespaces.iter().map(AsFd::as_fd).collect();
        let sent = sys::send(near.as_fd(), b"namespaces", &fds);
        let status = child.wait()?;
        sent?;
        if status.success() {
            return Ok(());
        }
        let mut reason = [0; 256];
        let told = sys::receive(near.as_fd(), &mut reason, libc::MSG_DONTWAIT);
        let length = told.ok().flatten().map_or(0, |(length, _)| length);
        Err(io::Error::other(String::from_utf8_lossy(reason.get(..length).unwrap_or_default()).into_owned()))
    }
}

/// The helper's part: enters the namespaces and mounts. Returns the exit code; the reason of a failure goes to the
/// keeper.
pub(crate) fn main(control: &OwnedFd, steps: &[Step]) -> i32 {
    match put_back(control, steps) {
        Ok(()) => 0,
        Err(Fault { stage, errno }) => {
            let reason = format!("{stage}: {}", io::Error::from_raw_os_error(errno));
            let _ = sys::send(control.as_fd(), reason.as_bytes(), &[]);
            125
        }
    }
}

fn put_back(control: &OwnedFd, steps: &[Step]) -> Result<(), Fault> {
    let lost = || Fault { stage: "namespaces".to_owned(), errno: libc::EINVAL };
    let mut buffer = [0; 64];
    let (_, fds) = sys::receive(control.as_fd(), &mut buffer, 0).at("namespaces")?.ok_or_else(lost)?;
    let mut namespaces = fds.into_iter();
    let mounts = namespaces.next().ok_or_else(lost)?;
    // As owner of the user namespace we have all rights over its mounts.
    if let Some(users) = namespaces.next() {
        sys::enter_namespace(users.as_fd(), libc::CLONE_NEWUSER).at("userns")?;
    }
    sys::enter_namespace(mounts.as_fd(), libc::CLONE_NEWNS).at("mountns")?;
    let root = Root::present().at("root")?;
    steps.iter().try_for_each(|step| root.hold(step))
}

/// The place that a step protects.
fn protects(step: &Step) -> Option<&Raw> {
    match step {
        Step::Pin { at }
        | Step::Freeze { at }
        | Step::Cover { at, .. }
        | Step::Vacant { at }
        | Step::Git { at, .. } => Some(at),
        _ => None,
    }
}

/// The step that protects a place again, given what is there now; `None` if nothing is.
fn again(at: &Path, before: &Step) -> io::Result<Option<Step>> {
    let raw = Raw::from(at);
    let found = match fs::symlink_metadata(at) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if found.is_symlink() {
        return Err(io::Error::from_raw_os_error(libc::ELOOP));
    }
    Ok(Some(match before {
        Step::Git { .. } if found.is_dir() => {
            let all = find::with_modules(at);
            let writable = all.iter().flat_map(|git| find::writable(git));
            Step::Git { at: raw, writable: writable.map(|path| Raw::from(path.as_path())).collect() }
        }
        _ => Step::Freeze { at: raw },
    }))
}

/// Decodes a path of `mountinfo`, where blanks and backslashes are written as three octal digits.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|_| *byte == b'\\').and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(escaped.unwrap_or(*byte));
        rest = if escaped.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    Raw(plain).path()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_mountinfo_writes_them() {
        assert_eq!(unescaped(br"/a\040b\134c"), Path::new(r"/a b\c"));
        assert_eq!(unescaped(br"/a\04"), Path::new(r"/a\04"));
    }
}
