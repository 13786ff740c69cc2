//! The probe suite: checks whether the sandbox holds on this machine.
//!
//! A program of ours runs inside, in the same environment as a tool, and tries each forbidden action ("door");
//! effects outside are checked from outside. A door is `closed`, `open`, or `n/a` if this machine has none.
//! [`ProbeReport::failures`] lists those that this tier has to close and that are open. The suite runs nothing but
//! its own program, so it needs no permit.

pub(crate) mod inside;
mod outside;

use std::collections::BTreeMap;
use std::path::Path;

use doorward_core::Tier;
use doorward_core::id::Digest;
use serde::{Deserialize, Serialize};

pub use outside::Peer;

use crate::error::SandboxError;
use crate::report::LimitName;
use crate::spec::Limits;
use crate::{Engine, Status};

/// The name the probe program is started under.
pub(crate) const PROGRAM: &str = "doorward-sandbox-probe";

/// Exit codes besides errnos: failed without an errno, killed for trying, not applicable on this machine.
pub(crate) const FAILED: i32 = 201;
pub(crate) const KILLED: i32 = 202;
pub(crate) const NOT_HERE: i32 = 200;

/// Result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeState {
    /// The attempt was refused.
    #[serde(rename = "closed")]
    Closed,
    /// The attempt succeeded.
    #[serde(rename = "open")]
    Open,
    /// Doesn't exist on this machine.
    #[serde(rename = "n/a")]
    NotApplicable,
}

/// One probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Its result.
    pub state: ProbeState,
    /// The kernel's error number; 0 if the attempt succeeded or was refused without one.
    pub errno: i32,
}

/// What a probe requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Must {
    /// Closed at this tier and above.
    Closed(Tier),
    /// Must succeed.
    Work,
    /// Reported only.
    Told,
}

/// Every probe with its requirement (the suite's contract).
pub const PROBES: &[(&str, Must)] = {
    use Must::{Closed, Told, Work};
    const T2: Must = Closed(Tier::Restricted);
    const T3: Must = Closed(Tier::Full);
    const LIMITED: Must = Closed(Tier::Limited);
    &[
        ("env.secret", T2),
        ("fd.inherited_9", T2),
        ("fs.cgroup_write", T2),
        ("fs.chmod_outside", T3),
        ("fs.chown_outside", T3),
        ("fs.core_pattern_write", T2),
        ("fs.hardlink_then_write", T2),
        ("fs.mknod", T2),
        ("fs.raw_disk_read", T2),
        ("fs.read_etc_shadow", T2),
        ("fs.read_outside", T2),
        ("fs.rename_out", T2),
        ("fs.set_user_id", T2),
        ("fs.setxattr_outside", T3),
        ("fs.sysrq_open_w", T2),
        ("fs.truncate_outside", T2),
        ("fs.unlink_outside", T2),
        ("fs.utime_outside", T3),
        ("fs.write_agent_settings", T3),
        ("fs.write_git_commondir", T3),
        ("fs.write_git_config", T3),
        ("fs.write_git_hook", T3),
        ("fs.write_git_index", Work),
        ("fs.write_outside", T2),
        ("fs.write_shm", T2),
        ("fs.write_tmp", T2),
        ("fs.write_via_symlink", T2),
        ("fs.write_ws", Work),
        ("ipc.unix_abstract_host", T2),
        ("ipc.unix_path_outside", T2),
        ("lim.core_dump", LIMITED),
        ("lim.forks_600", LIMITED),
        ("lim.mem_700MB", LIMITED),
        ("lim.mem_hidden_700MB", T2),
        ("lim.survivor", LIMITED),
        ("net.alg", T2),
        ("net.bind_listen", Told),
        ("net.netlink", T2),
        ("net.packet", T2),
        ("net.raw", T2),
        ("net.tcp_loopback_host", T2),
        ("net.udp_loopback_host", T2),
        ("net.udp_route_ext", T2),
        ("net.vsock", T2),
        ("proc.count_visible", T3),
        ("proc.host_environ", T3),
        ("proc.oom_score_adj", T2),
        ("proc.parent_memory", T2),
        ("proc.ptrace_child", T2),
        ("proc.ptrace_host", T2),
        ("proc.signal_host", T2),
        ("st.CapBnd", T3),
        ("st.CapEff", T3),
        ("st.NoNewPrivs", T2),
        ("st.Seccomp", T2),
        ("st.uid", T3),
        ("sys.add_key", T2),
        ("sys.bpf", T2),
        ("sys.chroot", T2),
        ("sys.clone3_userns", T2),
        ("sys.clone_userns", T2),
        ("sys.fsopen", T2),
        ("sys.i386_entry", T2),
        ("sys.io_uring_setup", T2),
        ("sys.keyctl", T2),
        ("sys.landlock_self", Work),
        ("sys.memfd_execveat", Told),
        ("sys.mount_setattr", T2),
        ("sys.mount_tmpfs", T2),
        ("sys.move_mount", T2),
        ("sys.open_by_handle_at", T2),
        ("sys.open_tree", T2),
        ("sys.perf_event_open", T2),
        ("sys.personality", T2),
        ("sys.pidfd_getfd", T2),
        ("sys.process_madvise", T2),
        ("sys.process_vm_readv", T2),
        ("sys.process_vm_writev", T2),
        ("sys.sched_realtime", T2),
        ("sys.setns", T2),
        ("sys.unshare_userns", T2),
        ("sys.userfaultfd", T2),
        ("sys.x32_numbers", T2),
        ("tty.tioclinux", T2),
        ("tty.tiocsti", T2),
    ]
};

/// Probes where only these errors prove a refusal; another error says that the attempt itself was wrong.
const REFUSALS: &[i32] = &[libc::EPERM, libc::EACCES, libc::ENOSYS, libc::EROFS, FAILED, KILLED];
const STRICT: &[&str] = words! {
    "sys.keyctl" "sys.add_key" "sys.io_uring_setup" "sys.bpf" "sys.perf_event_open" "sys.userfaultfd"
    "sys.open_by_handle_at" "sys.unshare_userns" "sys.clone_userns" "sys.clone3_userns" "sys.setns"
    "sys.mount_tmpfs" "sys.fsopen" "sys.open_tree" "sys.move_mount" "sys.mount_setattr" "sys.chroot"
    "sys.pidfd_getfd" "sys.process_vm_readv" "sys.process_vm_writev" "sys.process_madvise"
    "sys.personality" "sys.sched_realtime" "sys.x32_numbers"
};

/// Results of the probe suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// Tier reached.
    pub tier: Tier,
    /// Uid that started the suite.
    pub uid: u32,
    /// Kernel release.
    pub kernel: String,
    /// Results by probe name.
    pub probes: BTreeMap<String, Probe>,
}

impl ProbeReport {
    /// Names of probes that break the tier's promise, or gave no answer.
    #[must_use]
    pub fn failures(&self) -> Vec<&'static str> {
        let state = |name: &str| self.probes.get(name).map(|probe| probe.state);
        PROBES
            .iter()
            .filter(|(name, must)| match must {
                Must::Closed(least) if *least <= self.tier => {
                    !matches!(state(name), Some(ProbeState::Closed | ProbeState::NotApplicable))
                }
                Must::Work if self.tier >= Tier::Restricted => state(name) != Some(ProbeState::Open),
                _ => false,
            })
            .map(|(name, _)| *name)
            .collect()
    }

    /// Number of doors closed, of those required at the full tier, and their number on this machine.
    #[must_use]
    pub fn closed(&self) -> (usize, usize) {
        let counted = PROBES.iter().filter(|(_, must)| matches!(must, Must::Closed(_)));
        let states: Vec<ProbeState> =
            counted.filter_map(|(name, _)| self.probes.get(*name)).map(|probe| probe.state).collect();
        let closed = states.iter().filter(|state| **state == ProbeState::Closed).count();
        (closed, states.iter().filter(|state| **state != ProbeState::NotApplicable).count())
    }
}

/// The tier and limits to probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeConfig {
    /// Required tier; as in any run, a lower one is an error.
    pub tier: Tier,
    /// Limits.
    pub limits: Limits,
}

impl Default for ProbeConfig {
    fn default() -> Self {
        Self { tier: Tier::Full, limits: Limits::default() }
    }
}

/// Targets of the probes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Targets {
    pub(crate) workspace: String,
    pub(crate) outside: String,
    pub(crate) mark: String,
    pub(crate) disk: String,
    pub(crate) cgroups: Vec<String>,
    pub(crate) tcp_port: u16,
    pub(crate) udp_port: u16,
    pub(crate) canary: i32,
    pub(crate) inherited: i32,
}

impl Targets {
    /// Whether the canary's process number means another process inside: then a signal to it proves nothing.
    pub(crate) fn canary_is_hidden(&self) -> bool {
        match std::fs::read_to_string(format!("/proc/{}/comm", self.canary)) {
            Ok(name) => name.trim() != "sleep",
            // Without a view of /proc the signal is really sent.
            Err(error) => {
                error.kind() == std::io::ErrorKind::NotFound && Path::new("/proc/self/comm").exists()
            }
        }
    }
}

/// Runs the suite.
///
/// # Errors
/// As in any run: the tier isn't available, or the set-up failed.
pub fn probe(engine: &Engine, config: &ProbeConfig) -> Result<ProbeReport, SandboxError> {
    let stage = outside::ProbeTargets::set(&config.limits)?;
    let run = |part: &str, wall| stage.run_in(engine, config, part, wall);
    let report = run("all", config.limits.wall)?;
    if report.status != (Status::Exited { code: 0 }) {
        return Err(SandboxError::Helper(std::io::Error::other(format!(
            "the probe program ended: {:?}",
            report.status
        ))));
    }
    let mut probes = stage.judge(&report.stdout)?;
    for (name, part, limit) in
        [("lim.mem_700MB", "memory", LimitName::Memory), ("lim.forks_600", "forks", LimitName::Pids)]
    {
        let report = run(part, config.limits.wall)?;
        let open = report.stdout.starts_with(b"open") || report.hit(limit).is_none();
        probes.insert(name.to_owned(), outside::state(!open, 0));
    }
    // Whether refused or killed, the memory wasn't held.
    let report = run("hidden", config.limits.wall)?;
    let open = report.stdout.starts_with(b"open");
    probes.insert("lim.mem_hidden_700MB".to_owned(), outside::state(!open, 0));
    run("survive", std::time::Duration::from_millis(300))?;
    probes.insert("lim.survivor".to_owned(), outside::state(!stage.heart_beats(), 0));
    Ok(ProbeReport { tier: config.tier, uid: crate::sys::ids().0, kernel: outside::kernel(), probes })
}

/// As [`probe`], but results for this kernel and configuration are cached in a file.
///
/// # Errors
/// As [`probe`]. A cache that can't be read or written is ignored.
pub fn probe_cached(
    engine: &Engine,
    config: &ProbeConfig,
    cache: &Path,
) -> Result<ProbeReport, SandboxError> {
    let config_text = serde_json::to_vec(config).unwrap_or_default();
    let key = format!(
        "{} {} {}",
        outside::kernel(),
        crate::sys::ids().0,
        Digest::of(&[&config_text[..], env!("CARGO_PKG_VERSION").as_bytes()].concat())
    );
    let kept = std::fs::read(cache).unwrap_or_default();
    let mut kept: BTreeMap<String, ProbeReport> = serde_json::from_slice(&kept).unwrap_or_default();
    if let Some(report) = kept.get(&key) {
        return Ok(report.clone());
    }
    let report = probe(engine, config)?;
    kept.insert(key, report.clone());
    let fresh = cache.with_extension("new");
    let text = serde_json::to_vec(&kept).unwrap_or_default();
    let _ = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, cache));
    Ok(report)
}

/// Whether an exit code from inside means closed.
fn answer(name: &str, code: i32) -> Probe {
    let state = match code {
        0 => ProbeState::Open,
        NOT_HERE => ProbeState::NotApplicable,
        libc::ENOTTY if name.starts_with("tty.") => ProbeState::NotApplicable,
        code if STRICT.contains(&name) && !REFUSALS.contains(&code) => ProbeState::Open,
        _ => ProbeState::Closed,
    };
    Probe { state, errno: if code > 200 { 0 } else { code } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_its_agreed_shape() {
        let probes = BTreeMap::from([("fs.mknod".to_owned(), answer("fs.mknod", libc::EPERM))]);
        let report = ProbeReport { tier: Tier::Full, uid: 0, kernel: "6.18".to_owned(), probes };
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(
            text,
            r#"{"tier":"full","uid":0,"kernel":"6.18","probes":{"fs.mknod":{"state":"closed","errno":1}}}"#
        );
        assert!(report.failures().contains(&"fs.read_outside"), "no answer is a failure");
        assert!(!report.failures().contains(&"fs.mknod"));
    }

    #[test]
    fn a_clumsy_attempt_is_not_a_closed_door() {
        assert_eq!(answer("sys.bpf", libc::EINVAL).state, ProbeState::Open);
        assert_eq!(answer("sys.bpf", libc::EPERM).state, ProbeState::Closed);
        assert_eq!(answer("sys.bpf", KILLED).state, ProbeState::Closed);
        assert_eq!(answer("fs.read_outside", libc::ENOENT).state, ProbeState::Closed);
        assert_eq!(answer("tty.tiocsti", libc::ENOTTY).state, ProbeState::NotApplicable);
    }
}
