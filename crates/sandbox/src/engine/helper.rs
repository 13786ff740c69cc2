//! The helper process, seen from the gate: starting it, keeping one ready, sending its plan.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use doorward_core::Tier;

use super::outside::random_name;
use crate::cgroup::Group;
use crate::error::SandboxError;
use crate::plan::Plan;
use crate::stage::{self, Errand, Given, Ground, HELPER, Role};
use crate::sys::{self, PollEvents, Watch};

/// Set by [`maybe_init`](crate::maybe_init) when it returns: this binary can be its own helper.
pub(crate) static HOSTED: AtomicBool = AtomicBool::new(false);

/// The ids used for runs started by uid 0: `nobody`, which owns no files.
pub(super) const NOBODY: (u32, u32) = (65534, 65534);
/// The ids that such a run sees as its own.
const USER: (u32, u32) = (1000, 1000);

/// Starts the helper.
pub(super) fn spawn(errand: &Errand) -> Result<(Helper, OwnedFd), SandboxError> {
    if !HOSTED.load(Ordering::Relaxed) {
        // Otherwise the helper would be a second copy of this whole program.
        return Err(SandboxError::Spec("maybe_init() must be called first in main"));
    }
    let start = || -> io::Result<(Helper, OwnedFd)> {
        let (control, far) = sys::packet_pair()?;
        let child = Command::new("/proc/self/exe")
            .arg0(HELPER)
            .arg(serde_json::to_string(errand)?)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(far))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok((Helper { child: Some(child), over: false }, control))
    };
    start().map_err(SandboxError::Helper)
}

/// The helper's process. Reaped when dropped, so that no zombie is left. It ends by itself once the control socket
/// is closed.
#[derive(Debug)]
pub(super) struct Helper {
    pub(super) child: Option<Child>,
    /// The helper is only cleaning up, so waiting for it isn't necessary.
    pub(super) over: bool,
}

impl Drop for Helper {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        if self.over && matches!(child.try_wait(), Ok(None)) {
            // If no thread can be started, it stays a zombie until this process ends: harmless.
            let _ = std::thread::Builder::new().spawn(move || child.wait());
        } else {
            let _ = child.wait();
        }
    }
}

/// A helper that prepares its namespaces, or has done so and waits for a plan.
#[derive(Debug)]
pub(super) struct Laid {
    // Field order matters when dropped: the control socket closes first, which ends the helper.
    pub(super) control: OwnedFd,
    pub(super) helper: Helper,
    pub(super) ground: Ground,
    /// The host's mounts when the helper started: its view doesn't include later mounts.
    mounts: Option<std::fs::File>,
}

impl Laid {
    pub(super) fn lay(tier: Tier, with_group: bool) -> Result<Self, SandboxError> {
        let own = sys::ids();
        let privileged = own.0 == 0;
        let (inside, outside) = if privileged { (USER, NOBODY) } else { (own, own) };
        let cgroup = if with_group && tier > Tier::None {
            Group::create(&format!("doorward-{}", random_name()?))
        } else {
            None
        };
        let ground = Ground { tier, privileged, inside, outside, cgroup };
        let mounts = std::fs::File::open("/proc/self/mountinfo").ok();
        let (helper, control) = spawn(&Errand::Run(ground.clone()))?;
        Ok(Self { control, helper, ground, mounts })
    }

    /// Sends the plan.
    pub(super) fn order(&self, plan: &Plan, mut given: Given) -> Result<(), SandboxError> {
        let mut give = || -> io::Result<()> {
            let mut file = std::fs::File::from(sys::memory_file(c"doorward-plan")?);
            file.write_all(&serde_json::to_vec(plan)?)?;
            given.push((Role::Plan, OwnedFd::from(file)));
            stage::give(&self.control, &given)
        };
        give().map_err(SandboxError::Helper)
    }

    /// Whether it still waits and the host's mounts haven't changed since.
    fn stands(&mut self) -> bool {
        let Some(mounts) = &self.mounts else { return false };
        // A change of the mounts is reported as an exceptional state of this file; the helper's end or an error
        // message from it, as readable data.
        let mut watches = [
            Watch { fd: Some(mounts.as_fd()), events: PollEvents::Exceptional, ready: false },
            Watch::read(Some(self.control.as_fd())),
        ];
        sys::poll(&mut watches, Some(std::time::Duration::ZERO)).is_ok()
            && !watches.iter().any(|watch| watch.ready)
    }
}

/// Holds one helper that is kept ready.
#[derive(Debug)]
pub(super) struct Slot {
    kept: Mutex<Option<Laid>>,
    with_group: bool,
    /// Filled again after each run.
    pub(super) again: bool,
}

impl Slot {
    pub(super) fn new(with_group: bool, again: bool) -> Self {
        Self { kept: Mutex::new(None), with_group, again }
    }

    /// Prepares a helper of the full tier for the next run, unless one is ready. A failure is ignored: the next run
    /// meets it again and reports it.
    pub(super) fn fill(&self) {
        let empty = |slot: &Self| slot.kept.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if empty(self)
            && let Ok(laid) = Laid::lay(Tier::Full, self.with_group)
        {
            let before = self.kept.lock().unwrap_or_else(PoisonError::into_inner).replace(laid);
            let _ = before.map(give_up);
        }
    }

    /// The ready helper, if it can be used.
    pub(super) fn take(&self, with_group: bool) -> Option<Laid> {
        let mut laid = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let own = sys::ids();
        if with_group == self.with_group && laid.ground.privileged == (own.0 == 0) && laid.stands() {
            return Some(laid);
        }
        give_up(laid);
        None
    }
}

/// Discards a helper without waiting for its end. Its control group is removed here, because a killed helper can't.
fn give_up(laid: Laid) {
    let _ = std::thread::Builder::new().name("sandbox-after".into()).spawn(move || {
        let group = laid.ground.cgroup.clone();
        drop(laid);
        if let Some(group) = group {
            group.kill();
            group.remove();
        }
    });
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{Cause, Engine, Limits, Spec, Status};

    /// Waits for the ready helper; returns its process id and the folders of its control group.
    fn kept(engine: &Engine) -> (u32, Vec<PathBuf>) {
        let started = Instant::now();
        loop {
            if let Some(laid) = engine.spare.as_ref().unwrap().kept.lock().unwrap().as_ref() {
                let doors = laid.ground.cgroup.as_ref().map(Group::doors).unwrap_or_default();
                return (laid.helper.child.as_ref().unwrap().id(), doors);
            }
            assert!(started.elapsed() < Duration::from_secs(60), "no helper is made ready");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn command(text: &str) -> (tempfile::TempDir, Spec) {
        let work = tempfile::tempdir().unwrap();
        let spec = Spec::new("/bin/sh", work.path().canonicalize().unwrap()).arg("-c").arg(text);
        (work, spec)
    }

    #[test]
    fn a_helper_kept_ready_serves_once_and_is_replaced() {
        let engine = Engine::new().with_spare();
        engine.prepare();
        let mut seen = Vec::new();
        for _ in 0..3 {
            let (helper, _) = kept(&engine);
            assert!(!seen.contains(&helper), "one helper for two runs");
            seen.push(helper);
            let (work, mut spec) =
                command("echo x > file; exec perl -e 'my @b; while (1) { push @b, \"x\" x (1 << 20) }'");
            spec.limits = Limits { memory: 64 << 20, disk: 1 << 20, ..Limits::default() };
            let report = engine.run(spec).unwrap();
            assert_eq!(report.status, Status::Killed { by: Cause::Memory }, "its limits come with the order");
            assert!(work.path().join("file").exists());
            let (_work, mut spec) = command("head -c 20m /dev/zero > /tmp/fill; sleep 20");
            spec.limits.disk = 1 << 20;
            assert_eq!(engine.run(spec).unwrap().status, Status::Killed { by: Cause::Disk });
        }
    }

    #[test]
    fn a_helper_that_is_gone_is_not_missed_and_an_engine_leaves_none() {
        let engine = Engine::new().with_spare();
        engine.prepare();
        let (helper, _) = kept(&engine);
        sys::kill(helper as i32, libc::SIGKILL).unwrap();
        let stands = || engine.spare.as_ref().unwrap().kept.lock().unwrap().as_mut().unwrap().stands();
        while stands() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let (_work, spec) = command("exit 6");
        assert_eq!(engine.run(spec).unwrap().status, Status::Exited { code: 6 });
        let (helper, doors) = kept(&engine);
        assert!(doors.iter().all(|door| door.exists()));
        drop(engine);
        let started = Instant::now();
        let here = |helper: u32| std::path::Path::new(&format!("/proc/{helper}")).exists();
        while here(helper) || doors.iter().any(|door| door.exists()) {
            assert!(started.elapsed() < Duration::from_secs(60), "it is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
