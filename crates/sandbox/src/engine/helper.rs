//! The helper's process, seen from the gate.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::SandboxError;
use crate::stage::{HELPER, Order, Role};
use crate::sys;

/// Set by [`maybe_init`](crate::maybe_init) when it returned: this binary can be its own helper.
pub(crate) static HOSTED: AtomicBool = AtomicBool::new(false);

/// Starts the helper.
pub(super) fn spawn(stdout: Stdio, stderr: Stdio) -> Result<(Helper, OwnedFd), SandboxError> {
    if !HOSTED.load(Ordering::Relaxed) {
        // Without it the helper would be this whole program once more.
        return Err(SandboxError::Spec("maybe_init() must be called first in main"));
    }
    let give = || -> io::Result<(Helper, OwnedFd)> {
        let (control, far) = sys::packet_pair()?;
        let child = Command::new("/proc/self/exe")
            .arg0(HELPER)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(far))
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0)
            .spawn()?;
        Ok((Helper { child: Some(child), over: false }, control))
    };
    give().map_err(SandboxError::Helper)
}

/// Gives the helper its order.
pub(super) fn give_order(
    control: &OwnedFd,
    order: &Order,
    fds: Vec<(Role, OwnedFd)>,
) -> Result<(), SandboxError> {
    let give = || -> io::Result<()> {
        let mut file = std::fs::File::from(sys::memory_file(c"doorward-order")?);
        file.write_all(&serde_json::to_vec(order)?)?;
        let mut roles = vec![Role::Order];
        let mut all = vec![OwnedFd::from(file)];
        for (role, fd) in fds {
            roles.push(role);
            all.push(fd);
        }
        let borrowed: Vec<_> = all.iter().map(AsFd::as_fd).collect();
        sys::send(control.as_fd(), &serde_json::to_vec(&roles)?, &borrowed)
    };
    give().map_err(SandboxError::Helper)
}

/// The helper's process; waited for when dropped, so that none is left a zombie. It ends by itself once the control
/// socket is closed.
#[derive(Debug)]
pub(super) struct Helper {
    pub(super) child: Option<Child>,
    /// It has told that nobody is left: only its own clearing up is still to come, which nobody need wait for.
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
