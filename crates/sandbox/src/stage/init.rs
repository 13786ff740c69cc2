//! Process 1 of the full tier: builds the root, gives everything up, starts the program and waits for it.
//!
//! When it ends the kernel ends everybody else in the namespace, so nothing can outlive the run.

use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use super::command::{Given, become_program};
use super::mounts::{self, IdMap};
use super::{At, Channel, Fault};
use crate::plan::Plan;
use crate::sys::{self, Forked, Watch};

/// How long orphans may wait for their parent's last service.
const REAP_EVERY: Duration = Duration::from_millis(50);

/// Everything init is started with.
pub(crate) struct Start<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) given: Given,
    pub(crate) channel: Channel,
    pub(crate) maps: Vec<IdMap>,
}

/// Runs init. The keeper holds the other end of `given.link`.
pub(crate) fn main(start: Start<'_>) -> ! {
    let (pid, pidfd) = match set_up(&start) {
        Ok(Forked::Child) => become_program(start.plan, &start.given, &start.channel),
        Ok(Forked::Parent { pid, pidfd }) => (pid, pidfd),
        Err(fault) => start.channel.fail(&fault),
    };
    let Start { given, channel, maps, .. } = start;
    let Given { stdin, final_cwd, link } = given;
    drop((channel, maps, stdin, final_cwd));
    // The program's streams are its own: when it closes them, their readers must see the end.
    for stream in 0..3 {
        let _ = std::fs::File::open("/dev/null").and_then(|null| sys::place(null.as_fd(), stream));
    }
    serve(pid, &pidfd, &link)
}

fn set_up(start: &Start<'_>) -> Result<Forked, Fault> {
    let plan = start.plan;
    let link = &start.given.link;
    if !plan.privileged {
        wait_for(link, b"mapped")?;
    }
    sys::set_host_name("doorward").at("hostname")?;
    sys::loopback_up().at("loopback")?;
    if let Some(port) = plan.relay_port {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).at("relay")?;
        sys::send(link.as_fd(), b"listener", &[listener.as_fd()]).at("relay")?;
    }
    let scratch = mounts::build(plan, &start.maps)?;
    sys::send(link.as_fd(), b"scratch", &[scratch.as_fd()]).at("scratch")?;
    // The group's own namespace starts at the group, so the keeper must have put us there.
    if plan.cgroup.is_some() {
        wait_for(link, b"joined")?;
    }
    sys::unshare(libc::CLONE_NEWCGROUP).at("cgroupns")?;
    if plan.privileged {
        sys::clear_groups().at("groups")?;
        sys::unshare(libc::CLONE_NEWUSER).at("userns")?;
        sys::send(link.as_fd(), b"map", &[]).at("userns")?;
        wait_for(link, b"mapped")?;
    }
    sys::empty_bounding_set().at("capabilities")?;
    if plan.privileged {
        sys::become_ids(plan.inside.0, plan.inside.1).at("uid")?;
    }
    sys::drop_capabilities().at("capabilities")?;
    sys::no_new_privileges().at("no_new_privs")?;
    // After the last change of identity, which would clear it.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64).at("pdeathsig")?;
    let forked = sys::fork_into(0).at("fork")?;
    if matches!(forked, Forked::Parent { .. }) {
        sys::prctl(libc::PR_SET_DUMPABLE, 0).at("dumpable")?;
    }
    Ok(forked)
}

fn wait_for(link: &OwnedFd, word: &[u8]) -> Result<(), Fault> {
    let mut buffer = [0; 64];
    match sys::receive(link.as_fd(), &mut buffer, 0).at("link")? {
        Some((length, _)) if buffer.get(..length) == Some(word) => Ok(()),
        _ => Err(Fault { stage: "link".to_owned(), errno: libc::EPIPE }),
    }
}

/// Reaps, passes signals on, and tells the keeper how the program ended.
fn serve(pid: i32, pidfd: &OwnedFd, link: &OwnedFd) -> ! {
    loop {
        let mut watches = [
            Watch { fd: Some(pidfd.as_fd()), write: false, ready: false },
            Watch { fd: Some(link.as_fd()), write: false, ready: false },
        ];
        let _ = sys::poll(&mut watches, Some(REAP_EVERY));
        if watches[1].ready {
            let mut buffer = [0; 64];
            match sys::receive(link.as_fd(), &mut buffer, libc::MSG_DONTWAIT) {
                Ok(Some((length, _))) if buffer.get(..length) == Some(b"term") => {
                    let _ = sys::kill(-1, libc::SIGTERM);
                }
                // The keeper is gone: so are we, and with us everybody.
                Ok(None) => sys::exit_now(125),
                _ => {}
            }
        }
        let mut ended = None;
        while let Ok(Some(waited)) = sys::wait(-1, libc::WNOHANG) {
            if waited.pid == pid {
                ended = Some(waited.status);
            }
        }
        if let Some(status) = ended {
            let (user, system, largest) = sys::children_usage();
            let text =
                format!("status {status} {} {} {} {largest}", others(), user.as_micros(), system.as_micros());
            let _ = sys::send(link.as_fd(), text.as_bytes(), &[]);
            sys::exit_now(0)
        }
    }
}

/// Processes in this namespace beside init.
fn others() -> usize {
    let Ok(all) = std::fs::read_dir("/proc") else { return 0 };
    let numbered = |name: &std::ffi::OsStr| name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
    all.flatten().filter(|entry| numbered(&entry.file_name())).count().saturating_sub(1)
}
