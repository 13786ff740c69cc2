//! Process 1 of the full tier: builds the root, drops privileges, starts the program and waits for it.
//!
//! When it ends, the kernel kills all other processes of the namespace, so none can outlive the run.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use super::command::{Streams, Tasks, become_program};
use super::mounts::{IdMap, Root};
use super::{At, Channel, Fault, Ground, Role, await_order, take, wait_for};
use crate::sys::{self, Forked, Watch};

/// How long exited orphans may wait to be reaped.
const REAP_EVERY: Duration = Duration::from_millis(50);

/// Runs init. The keeper holds the other end of `link`.
pub(crate) fn main(ground: &Ground, link: OwnedFd, channel: Channel) -> ! {
    match set_up(ground, &link, &channel) {
        Ok((pid, pidfd)) => {
            drop(channel);
            serve(pid, &pidfd, &link)
        }
        Err(fault) => channel.fail(&fault),
    }
}

/// Returns, in init only, once the program has been started.
fn set_up(ground: &Ground, link: &OwnedFd, channel: &Channel) -> Result<(i32, OwnedFd), Fault> {
    if !ground.privileged {
        wait_for(link, b"mapped")?;
    }
    sys::set_host_name("doorward").at("hostname")?;
    sys::loopback_up().at("loopback")?;
    let early = Root::early(ground)?;
    // The cgroup namespace is rooted at the current group, so the keeper must have moved us first.
    if ground.cgroup.is_some() {
        wait_for(link, b"joined")?;
    }
    sys::unshare(libc::CLONE_NEWCGROUP).at("cgroupns")?;

    let order = await_order(link).at("order")?;
    let (plan, mut given) = order.ok_or_else(|| Fault { stage: "order".to_owned(), errno: libc::EPIPE })?;
    if let Some(port) = plan.relay_port {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).at("relay")?;
        sys::send(link.as_fd(), b"listener", &[listener.as_fd()]).at("relay")?;
    }
    if plan.system_v {
        bound_system_v(plan.limits.memory).at("system_v")?;
    }
    if plan.system_v && !plan.filter().memory_files {
        // Nothing else counts segments. The file shows the namespace in which it was opened.
        let segments = std::fs::File::open("/proc/sysvipc/shm").at("system_v")?;
        sys::send(link.as_fd(), b"segments", &[segments.as_fd()]).at("system_v")?;
    }
    let scratch = Root::finish(early, ground, &plan, &IdMap::take(&mut given))?;
    sys::send(link.as_fd(), b"scratch", &[scratch.as_fd()]).at("scratch")?;
    if plan.is_watched() {
        show_mounts(ground, link).at("mounts")?;
    }
    if ground.privileged {
        sys::clear_groups().at("groups")?;
        let users = take(&mut given, Role::Users);
        let users = users.ok_or_else(|| Fault { stage: "userns".to_owned(), errno: libc::EINVAL })?;
        sys::enter_namespace(users.as_fd(), libc::CLONE_NEWUSER).at("userns")?;
    }
    sys::empty_bounding_set().at("capabilities")?;
    if ground.privileged {
        sys::become_ids(plan.inside.0, plan.inside.1).at("uid")?;
    }
    sys::drop_capabilities().at("capabilities")?;
    sys::no_new_privileges().at("no_new_privs")?;
    // After the last change of identity, which would clear it.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64).at("pdeathsig")?;
    let streams = Streams::take(&mut given);
    match sys::fork_into(0).at("fork")? {
        Forked::Child => become_program(&plan, &streams, &Tasks::new(), link, channel),
        Forked::Parent { pid, pidfd } => {
            sys::prctl(libc::PR_SET_DUMPABLE, 0).at("dumpable")?;
            Ok((pid, pidfd))
        }
    }
}

/// Sends the keeper what it needs to watch the mounts of this namespace and to restore one.
fn show_mounts(ground: &Ground, link: &OwnedFd) -> io::Result<()> {
    let names: &[&str] =
        if ground.privileged { &["mountinfo", "ns/mnt"] } else { &["mountinfo", "ns/mnt", "ns/user"] };
    let open = |name: &&str| std::fs::File::open(format!("/proc/self/{name}"));
    let files: Vec<std::fs::File> = names.iter().map(open).collect::<io::Result<_>>()?;
    let fds: Vec<_> = files.iter().map(AsFd::as_fd).collect();
    sys::send(link.as_fd(), b"mounts", &fds)
}

/// Limits System V segments and queues of this namespace. Possible for ordinary users since Linux 6.9.
pub(crate) fn bound_system_v(memory: u64) -> io::Result<()> {
    const PAGE: u64 = 4096;
    /// Number of queues, of 16 KiB each.
    const QUEUES: u64 = 64;
    for (name, value) in [("shmall", memory.div_ceil(PAGE)), ("shmmax", memory), ("msgmni", QUEUES)] {
        std::fs::write(format!("/proc/sys/kernel/{name}"), value.to_string())?;
    }
    Ok(())
}

/// Reaps processes, forwards signals, and tells the keeper how the program ended.
fn serve(pid: i32, pidfd: &OwnedFd, link: &OwnedFd) -> ! {
    loop {
        let mut watches = [pidfd, link].map(|fd| Watch::read(Some(fd.as_fd())));
        let _ = sys::poll(&mut watches, Some(REAP_EVERY));
        if watches[1].ready {
            let mut buffer = [0; 64];
            match sys::receive(link.as_fd(), &mut buffer, libc::MSG_DONTWAIT) {
                Ok(Some((length, _))) if buffer.get(..length) == Some(b"term") => {
                    let _ = sys::kill(-1, libc::SIGTERM);
                }
                // The keeper is gone: exit, which ends the whole namespace.
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
            let left = clear();
            let (user, system, largest) = sys::children_usage();
            let text =
                format!("status {status} {left} {} {} {largest}", user.as_micros(), system.as_micros());
            let _ = sys::send(link.as_fd(), text.as_bytes(), &[]);
            sys::exit_now(0)
        }
    }
}

/// Kills and reaps all other processes of this namespace; returns how many there were.
///
/// Init is every orphan's parent, so "no children" means that none is left.
fn clear() -> usize {
    loop {
        match sys::wait(-1, libc::WNOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(_) => return 0,
        }
    }
    let left = others();
    let _ = sys::kill(-1, libc::SIGKILL);
    while let Ok(Some(_)) = sys::wait(-1, 0) {}
    left
}

/// Number of processes in this namespace besides init.
fn others() -> usize {
    let Ok(all) = std::fs::read_dir("/proc") else { return 0 };
    let numbered = |name: &std::ffi::OsStr| name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
    all.flatten().filter(|entry| numbered(&entry.file_name())).count().saturating_sub(1)
}
