//! How a run ended and what bounded it: everything the ledger keeps of the sandbox.

use std::path::PathBuf;
use std::time::Duration;

use doorward_core::{Effects, Tier};
use serde::{Deserialize, Serialize};

use crate::last_word::Unreached;
use crate::leftover::Leftover;
use crate::spec::Limits;

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitName {
    /// Wall time.
    Wall,
    /// CPU time of a process.
    Cpu,
    /// Memory of the tree.
    Memory,
    /// Processes of the tree.
    Pids,
    /// Bytes of output.
    Output,
    /// A file's size, or the space of the private file system.
    Disk,
    /// Open descriptors of a process.
    Files,
}

impl LimitName {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::Output => "output",
            Self::Disk => "disk",
            Self::Files => "files",
        }
    }
}

/// Why a run was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The wall time was exceeded.
    Wall,
    /// CPU time was used up.
    Cpu,
    /// The tree held too much memory.
    Memory,
    /// The tree had too many processes.
    Pids,
    /// Too much output.
    Output,
    /// A file grew too large, or the private file system is full.
    Disk,
    /// Too many open descriptors.
    Files,
    /// The approval was revoked while the command ran.
    ApprovalRevoked,
    /// The gate stopped, or requested the end.
    GateStopped,
    /// A protected name was replaced from outside and couldn't be protected again.
    ProtectionLost,
}

impl Cause {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::Output => "output",
            Self::Disk => "disk",
            Self::Files => "files",
            Self::ApprovalRevoked => "approval_revoked",
            Self::GateStopped => "gate_stopped",
            Self::ProtectionLost => "protection_lost",
        }
    }
}

impl From<LimitName> for Cause {
    fn from(limit: LimitName) -> Self {
        match limit {
            LimitName::Wall => Self::Wall,
            LimitName::Cpu => Self::Cpu,
            LimitName::Memory => Self::Memory,
            LimitName::Pids => Self::Pids,
            LimitName::Output => Self::Output,
            LimitName::Disk => Self::Disk,
            LimitName::Files => Self::Files,
        }
    }
}

/// How the program ended. A failed set-up is an error and not a status: the program never ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Status {
    /// By itself.
    Exited {
        /// Exit code.
        code: i32,
    },
    /// By a signal that we didn't send.
    Signaled {
        /// Its number.
        signal: i32,
    },
    /// Ended by us.
    Killed {
        /// Why.
        by: Cause,
    },
    /// The program doesn't exist (127) or can't be executed (126).
    NotExecutable {
        /// The kernel's error number.
        errno: i32,
    },
}

impl Status {
    /// The exit code a shell would show: 128 + signal; 126 or 127 if it can't be executed; 137 if we ended it.
    #[must_use]
    pub const fn exit_code(self) -> i32 {
        match self {
            Self::Exited { code } => code,
            Self::Signaled { signal } => 128 + signal,
            Self::Killed { by: Cause::Wall } => 124,
            Self::Killed { .. } => 137,
            Self::NotExecutable { errno: libc::ENOENT } => 127,
            Self::NotExecutable { .. } => 126,
        }
    }
}

/// A limit that fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitHit {
    /// Its name.
    pub limit: LimitName,
    /// Highest measured value: bytes, processes, descriptors, or milliseconds.
    pub peak: u64,
    /// Allowed value, in the same unit.
    pub allowed: u64,
}

/// The mechanism that enforces a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// A v2 control group.
    CgroupV2,
    /// A v1 control group.
    CgroupV1,
    /// The keeper measures the process tree and ends it.
    Supervised,
    /// A resource limit of each process.
    Rlimit,
    /// The size of a private file system.
    Tmpfs,
    /// The engine counts the bytes it reads.
    Pipe,
    /// Nothing.
    None,
}

/// Limits and the mechanisms that enforced them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsHeld {
    /// The limits.
    pub limits: Limits,
    /// Enforces the memory limit.
    pub memory_by: Mechanism,
    /// Enforces the process limit.
    pub processes_by: Mechanism,
    /// Enforces the disk limit.
    pub disk_by: Mechanism,
}

/// A feature that the kernel or this account doesn't offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Its name, as in the report's features.
    pub feature: String,
    /// The kernel's error number.
    pub errno: i32,
    /// One line: how to enable it.
    pub hint: String,
}

/// Paths as texts that people read. What ran inside chooses names, also such as are no UTF-8, which JSON can't hold: a
/// report shows the replacement character there and is never lost for one name.
pub(crate) mod readable {
    use std::path::{Path, PathBuf};

    use serde::Serializer;

    pub(crate) fn path<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&path.to_string_lossy())
    }

    pub(crate) fn option<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(own) => to.serialize_some(&own.to_string_lossy()),
            None => to.serialize_none(),
        }
    }

    pub(super) fn list<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
    }

    pub(super) fn pairs<S: Serializer>(paths: &[(PathBuf, PathBuf)], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|(from, target)| (from.to_string_lossy(), target.to_string_lossy())))
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Tier reached.
    pub tier: Tier,
    /// Least tier required; the run would not have started with less.
    pub least_tier: Tier,
    /// Mechanisms that confined the program, by name (`userns`, `landlock:7`, …).
    pub features: Vec<String>,
    /// What this tier doesn't contain on this machine, by name.
    pub gaps: Vec<String>,
    /// Uid the program ran as, seen from outside.
    pub uid: u32,
    /// `sha256:` of the plan: mounts, rules, filter, limits.
    pub ruleset: String,
    /// Limits and mechanisms.
    pub limits: LimitsHeld,
    /// How the program ended.
    pub status: Status,
    /// Limits that fired; the one that ended the run comes first.
    pub limits_hit: Vec<LimitHit>,
    /// Wall time, from exec to the end of the whole tree.
    pub wall: Duration,
    /// CPU time in user mode, of all reaped processes.
    pub cpu_user: Duration,
    /// CPU time in the kernel, of all reaped processes.
    pub cpu_system: Duration,
    /// Peak memory in bytes: of the tree if a control group or the keeper measured it, else of the largest process.
    pub peak_memory: u64,
    /// Highest number of processes seen.
    pub peak_processes: u32,
    /// Processes that the kernel's OOM killer ended.
    pub oom_kills: u32,
    /// Bytes written to standard output, including those past the limit.
    pub stdout_bytes: u64,
    /// Bytes written to standard error, including those past the limit.
    pub stderr_bytes: u64,
    /// Standard output up to the limit, when captured.
    #[serde(skip)]
    pub stdout: Vec<u8>,
    /// Standard error up to the limit, when captured.
    #[serde(skip)]
    pub stderr: Vec<u8>,
    /// Processes still running when the program ended; they were killed.
    pub left_behind: u32,
    /// The shell's last working directory, as the shell told it: a claim from inside, to be scoped before use.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "readable::option")]
    pub final_cwd: Option<PathBuf>,
    /// Observed effects, if observation was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Box<Effects>>,
    /// Files that the run left in its writable roots and that other programs would run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<Leftover>,
    /// Protected places that the program wanted to change, as it names them from its working folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "readable::list")]
    pub withheld: Vec<PathBuf>,
    /// What a run that failed couldn't see: paths among its programs' words and links in its working folder, with
    /// their targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "readable::pairs")]
    pub unseen: Vec<(PathBuf, PathBuf)>,
    /// Hosts (`host:port`) that the proxy refused; whoever runs the proxy adds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// An attempt to reach a host without the proxy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreached: Option<Unreached>,
    /// Files of the private `/tmp` that the command names.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "readable::list")]
    pub made_in_tmp: Vec<PathBuf>,
}

impl Report {
    /// Whether this limit fired.
    #[must_use]
    pub fn hit(&self, limit: LimitName) -> Option<&LimitHit> {
        self.limits_hit.iter().find(|hit| hit.limit == limit)
    }
}
