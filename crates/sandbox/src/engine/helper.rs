//! The helper's process, seen from the gate: started, kept ready, given its order.

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
use crate::sys::{self, Events, Watch};

/// Set by [`maybe_init`](crate::maybe_init) when it returned: this binary can be its own helper.
pub(crate) static HOSTED: AtomicBool = AtomicBool::new(false);

/// The ids of runs that are started by uid 0: nobody's, which own no files.
pub(super) const NOBODY: (u32, u32) = (65534, 65534);
/// The ids such a run sees itself as.
const USER: (u32, u32) = (1000, 1000);

/// Starts the helper.
pub(super) fn spawn(errand: &Errand) -> Result<(Helper, OwnedFd), SandboxError> {
    if !HOSTED.load(Ordering::Relaxed) {
        // Without it the helper would be this whole program once more.
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

/// The helper's process; waited for when dropped, so that none is left a zombie. It ends by itself once the control
/// socket is closed.
#[derive(Debug)]
pub(super) struct Helper {
    pub(super) child: Option<Child>,
    /// Only its own clearing up is still to come, which nobody need wait for.
    pub(super) over: bool,
}

impl Drop for Helper {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        if self.over && matches!(child.try_wait(), Ok(None)) {
            // Without a thread to wait it stays a zombie until this process ends: harmless.
            let _ = std::thread::Builder::new().spawn(move || child.wait());
        } else {
            let _ = child.wait();
        }
    }
}

/// A helper that lays the ground, or has laid it and waits for its order.
#[derive(Debug)]
pub(super) struct Laid {
    // Field order matters when dropped: the control socket closes first, which ends the helper.
    pub(super) control: OwnedFd,
    pub(super) helper: Helper,
    pub(super) ground: Ground,
    /// The host's mounts as they were: a view made before they changed doesn't show what came later.
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

    /// Gives the order.
    pub(super) fn order(&self, plan: &Plan, mut given: Given) -> Result<(), SandboxError> {
        let mut give = || -> io::Result<()> {
            let mut file = std::fs::File::from(sys::memory_file(c"doorward-plan")?);
            file.write_all(&serde_json::to_vec(plan)?)?;
            given.push((Role::Plan, OwnedFd::from(file)));
            stage::give(&self.control, &given)
        };
        give().map_err(SandboxError::Helper)
    }

    /// Whether it still waits, in a view of the host's mounts that still holds.
    fn stands(&mut self) -> bool {
        let Some(mounts) = &self.mounts else { return false };
        // A change of the mounts shows as an exceptional state of this file; the helper's end, or its word that
        // something went wrong, as something to read.
        let mut watches = [
            Watch { fd: Some(mounts.as_fd()), events: Events::Exceptional, ready: false },
            Watch::read(Some(self.control.as_fd())),
        ];
        sys::poll(&mut watches, Some(std::time::Duration::ZERO)).is_ok()
            && !watches.iter().any(|watch| watch.ready)
    }
}

/// A place for one helper that is kept ready.
#[derive(Debug)]
pub(super) struct Slot {
    kept: Mutex<Option<Laid>>,
    with_group: bool,
}

impl Slot {
    pub(super) fn new(with_group: bool) -> Self {
        Self { kept: Mutex::new(None), with_group }
    }

    /// Lays the ground of the full tier for the next run, unless it is laid. Where that fails the next run finds out by
    /// itself.
    pub(super) fn fill(&self) {
        let empty = |slot: &Self| slot.kept.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if empty(self)
            && let Ok(laid) = Laid::lay(Tier::Full, self.with_group)
        {
            let before = self.kept.lock().unwrap_or_else(PoisonError::into_inner).replace(laid);
            let _ = before.map(give_up);
        }
    }

    /// What is kept, if it can be used.
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

/// Lets one go without waiting for its end.
fn give_up(mut laid: Laid) {
    laid.helper.over = true;
}
