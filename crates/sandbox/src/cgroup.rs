//! Control groups: the kernel limits memory and processes of a whole process tree.
//!
//! A group is made below the caller's own: in v2 if the controllers are delegated, else in v1. A mounted v2 file
//! system alone proves nothing, so `cgroup.controllers` is read. If neither works, the keeper supervises the tree,
//! and the report says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::plan::Raw;
use crate::report::Mechanism;
use crate::spec::Limits;

/// A control group made for one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Group {
    version: u8,
    memory: Option<Raw>,
    pids: Option<Raw>,
}

/// Usage that a group has measured.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measured {
    pub(crate) memory_peak: Option<u64>,
    pub(crate) oom_kills: u32,
    pub(crate) pids_refused: bool,
    pub(crate) pids_peak: Option<u32>,
}

impl Group {
    /// Creates a group without limits, if this account may.
    pub(crate) fn create(name: &str) -> Option<Self> {
        Self::version2(name).or_else(|| Self::version1(name))
    }

    /// Sets the limits. Called once.
    pub(crate) fn limit(&self, limits: &Limits) -> io::Result<()> {
        let bytes = limits.memory.to_string();
        if let Some(group) = self.memory.as_ref().map(Raw::path) {
            if self.version == 2 {
                fs::write(group.join("memory.max"), bytes)?;
                fs::write(group.join("memory.oom.group"), "1")?;
                // Fails where swap accounting is off; then no swap can be used either.
                let _ = fs::write(group.join("memory.swap.max"), "0");
            } else {
                fs::write(group.join("memory.limit_in_bytes"), &bytes)?;
                let _ = fs::write(group.join("memory.swappiness"), "0");
                let _ = fs::write(group.join("memory.memsw.limit_in_bytes"), bytes);
            }
        }
        if let Some(group) = self.pids.as_ref().map(Raw::path) {
            fs::write(group.join("pids.max"), limits.processes.to_string())?;
        }
        Ok(())
    }

    fn version2(name: &str) -> Option<Self> {
        let own = own_directory("")?;
        // A group with processes of its own can't pass controllers on (the "no internal processes" rule), so a
        // sibling is tried first.
        let places = [own.parent().map(Path::to_owned), Some(own)];
        places.into_iter().flatten().find_map(|place| {
            let has = |file: &str| {
                let text = fs::read_to_string(place.join(file)).unwrap_or_default();
                ["memory", "pids"].iter().all(|name| text.split_whitespace().any(|word| word == *name))
            };
            if !has("cgroup.controllers") {
                return None;
            }
            if !has("cgroup.subtree_control") {
                fs::write(place.join("cgroup.subtree_control"), "+memory +pids").ok()?;
            }
            let group = make(&place.join(name), &["memory.max", "memory.oom.group", "pids.max"])?;
            let group = Raw::from(group.as_path());
            Some(Self { version: 2, memory: Some(group.clone()), pids: Some(group) })
        })
    }

    fn version1(name: &str) -> Option<Self> {
        let made = |controller, file| {
            let group = make(&own_directory(controller)?.join(name), &[file])?;
            Some(Raw::from(group.as_path()))
        };
        let (memory, pids) = (made("memory", "memory.limit_in_bytes"), made("pids", "pids.max"));
        (memory.is_some() || pids.is_some()).then_some(Self { version: 1, memory, pids })
    }

    fn mechanism(&self) -> Mechanism {
        if self.version == 2 { Mechanism::CgroupV2 } else { Mechanism::CgroupV1 }
    }

    /// The mechanism that limits memory.
    pub(crate) fn memory_by(&self) -> Option<Mechanism> {
        self.memory.as_ref().map(|_| self.mechanism())
    }

    /// The mechanism that limits processes.
    pub(crate) fn pids_by(&self) -> Option<Mechanism> {
        self.pids.as_ref().map(|_| self.mechanism())
    }

    fn directories(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = [&self.memory, &self.pids].into_iter().flatten().map(Raw::path).collect();
        all.dedup();
        all
    }

    /// The `cgroup.procs` files: a process joins by writing `0` to them.
    pub(crate) fn doors(&self) -> Vec<PathBuf> {
        self.directories().into_iter().map(|group| group.join("cgroup.procs")).collect()
    }

    /// Usage and limit events so far.
    pub(crate) fn measure(&self) -> Measured {
        let mut measured = Measured::default();
        let (peak, events) = if self.version == 2 {
            ("memory.peak", "memory.events")
        } else {
            ("memory.max_usage_in_bytes", "memory.oom_control")
        };
        if let Some(group) = self.memory.as_ref().map(Raw::path) {
            measured.memory_peak = number(&group.join(peak));
            measured.oom_kills = keyed(&group.join(events), "oom_kill").unwrap_or(0);
        }
        if let Some(group) = self.pids.as_ref().map(Raw::path) {
            measured.pids_refused = keyed(&group.join("pids.events"), "max").unwrap_or(0) > 0;
            measured.pids_peak = number(&group.join("pids.peak"))
                .or_else(|| number(&group.join("pids.current")))
                .map(|peak| peak as u32);
        }
        measured
    }

    /// Kills every process left in the group.
    pub(crate) fn kill(&self) {
        for group in self.directories() {
            if self.version == 2 && fs::write(group.join("cgroup.kill"), "1").is_ok() {
                continue;
            }
            for pid in fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default().lines() {
                if let Ok(pid) = pid.parse() {
                    let _ = crate::sys::kill(pid, libc::SIGKILL);
                }
            }
        }
    }

    /// Removes the group. Retries, because the kernel takes a moment after the last process is gone.
    pub(crate) fn remove(&self) {
        for group in self.directories() {
            for _ in 0..100 {
                match fs::remove_dir(&group) {
                    Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// Creates a group whose members and limits this account may set.
fn make(group: &Path, settings: &[&str]) -> Option<PathBuf> {
    fs::create_dir(group).ok()?;
    let may = |file: &&str| fs::OpenOptions::new().write(true).open(group.join(file)).is_ok();
    if !settings.iter().chain(&["cgroup.procs"]).all(may) {
        let _ = fs::remove_dir(group);
        return None;
    }
    Some(group.to_owned())
}

/// This process's group in the hierarchy of a controller (v2: the empty name).
fn own_directory(controller: &str) -> Option<PathBuf> {
    let place = fs::read_to_string("/proc/self/cgroup").ok()?;
    let place = place.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let found = if controller.is_empty() {
            controllers.is_empty()
        } else {
            controllers.split(',').any(|name| name == controller)
        };
        found.then(|| path.trim_start_matches('/').to_owned())
    })?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mount = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut after = after.split(' ');
        let (kind, _, options) = (after.next()?, after.next()?, after.next()?);
        let found = match controller {
            "" => kind == "cgroup2",
            name => kind == "cgroup" && options.split(',').any(|option| option == name),
        };
        found.then(|| before.split(' ').nth(4).map(PathBuf::from))?
    })?;
    Some(mount.join(place))
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn keyed(path: &Path, key: &str) -> Option<u32> {
    let text: io::Result<String> = fs::read_to_string(path);
    text.ok()?.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}
