//! The helper's `main`: prepares namespaces, control group and id maps, waits for the plan, and hands over to the
//! keeper.

use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use doorward_core::Tier;

use super::command::{Streams, Tasks, become_program};
use super::keeper::Keeper;
use super::{
    At, Channel, Errand, FINAL_CWD, Fault, Given, Ground, Role, RunEnd, Tell, await_order, give, init,
    restore, survey, tell, wait_for,
};
use crate::absent::{AbsentNames, NameWatch};
use crate::cgroup::Group;
use crate::plan::Plan;
use crate::sys::{self, Forked};
use crate::tree;

/// The helper's `main`.
pub(crate) fn main() -> ! {
    let control = sys::take_stdin();
    let errand = std::env::args().nth(1).unwrap_or_default();
    let code = match serde_json::from_str(&errand) {
        Ok(Errand::Survey) => i32::from(tell(&control, &Tell::Survey(survey::survey())).is_err()),
        Ok(Errand::Run(ground)) => serve(&control, &ground),
        Ok(Errand::Restore(steps)) => restore::main(&control, &steps),
        Err(_) => 125,
    };
    sys::exit_now(code)
}

/// Prepares the namespaces, waits for the plan, carries it out, and cleans up.
fn serve(control: &OwnedFd, ground: &Ground) -> i32 {
    let code = match run(control, ground) {
        Ok(Some(end)) => i32::from(tell(control, &Tell::Ended(Box::new(end))).is_err()),
        Ok(None) => 0,
        Err(Fault { stage, errno }) => {
            let _ = tell(control, &Tell::Failed { stage, errno });
            125
        }
    };
    // After the report, so that the engine doesn't wait for it; in the helper, so that it also happens if the gate
    // is gone.
    while let Ok(Some(_)) = sys::wait(-1, 0) {}
    if let Some(group) = &ground.cgroup {
        group.kill();
        group.remove();
    }
    code
}

fn run(control: &OwnedFd, ground: &Ground) -> Result<Option<RunEnd>, Fault> {
    // Reserves the number for the program's descriptor: none of ours may occupy it then.
    let null = File::open("/dev/null").at("descriptors")?;
    sys::place(null.as_fd(), FINAL_CWD).at("descriptors")?;
    // Other descriptors that the gate left open without close-on-exec must not reach the program.
    sys::close_on_exec_from(3).at("descriptors")?;
    let laid = lay(ground, &null);
    // A preparation that failed is reported when a plan arrives.
    let Some((plan, given)) = await_order(control).at("order")? else { return Ok(None) };
    laid?.carry_out(control, &plan, given).map(Some)
}

/// Init, or the process that becomes the program, prepared and waiting for the plan. Dropping this ends it.
struct Laid {
    pid: i32,
    pidfd: OwnedFd,
    link: OwnedFd,
    channel: File,
    users: Option<OwnedFd>,
}

fn lay(ground: &Ground, null: &File) -> Result<Laid, Fault> {
    let (read, write) = sys::pipe().at("channel")?;
    let (link, far_link) = sys::packet_pair().at("channel")?;
    let full = ground.tier == Tier::Full;
    let namespaces = if full {
        let own = libc::CLONE_NEWPID
            | libc::CLONE_NEWNS
            | libc::CLONE_NEWNET
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUTS;
        own | if ground.privileged { 0 } else { libc::CLONE_NEWUSER }
    } else {
        sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1).at("subreaper")?;
        0
    };
    let (pid, pidfd) = match sys::fork_into(namespaces).at("namespaces")? {
        Forked::Child => {
            drop((link, read));
            // Only the keeper uses the control socket.
            let _ = sys::place(null.as_fd(), 0);
            let channel = Channel(File::from(write));
            if full { init::main(ground, far_link, channel) } else { program(ground, &far_link, &channel) }
        }
        Forked::Parent { pid, pidfd } => (pid, pidfd),
    };
    drop((far_link, write));
    let mut users = None;
    if full && ground.privileged {
        users = Some(id_map(ground.inside, ground.outside, "userns")?);
    } else if full {
        write_maps(pid, ground.inside, ground.outside)?;
        sys::send(link.as_fd(), b"mapped", &[]).at("userns.map")?;
    }
    if let Some(group) = &ground.cgroup {
        join(group, pid, &link)?;
    }
    Ok(Laid { pid, pidfd, link, channel: File::from(read), users })
}

/// Puts the child into its control group. Moving a process makes the kernel wait for every processor; done this
/// early, that wait overlaps with the making of the plan.
fn join(group: &Group, pid: i32, link: &OwnedFd) -> Result<(), Fault> {
    for door in group.doors() {
        match fs::write(door, pid.to_string()) {
            // The child failed meanwhile; its own error report counts.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => return Ok(()),
            other => other.at("cgroup")?,
        }
    }
    // The child waits for this message. If it is gone, the failed send doesn't matter.
    let _ = sys::send(link.as_fd(), b"joined", &[]);
    Ok(())
}

/// The child of the lower tiers: becomes the program itself.
fn program(ground: &Ground, link: &OwnedFd, channel: &Channel) -> ! {
    let held = ground.cgroup.as_ref().and_then(Group::pids_by).is_some();
    let others = if held { Tasks::new() } else { tree::tasks_by_user() };
    let ordered = || {
        if ground.cgroup.is_some() {
            wait_for(link, b"joined")?;
        }
        let order = await_order(link).at("order")?;
        order.ok_or_else(|| Fault { stage: "order".to_owned(), errno: libc::EPIPE })
    };
    match ordered() {
        Ok((plan, mut given)) => become_program(&plan, &Streams::take(&mut given), &others, link, channel),
        Err(fault) => channel.fail(&fault),
    }
}

impl Laid {
    fn carry_out(self, control: &OwnedFd, plan: &Plan, mut given: Given) -> Result<RunEnd, Fault> {
        let Self { pid, pidfd, link, channel, users } = self;
        add_id_maps(control, plan, &mut given)?;
        given.extend(users.map(|users| (Role::Users, users)));
        // If the child is gone, the channel has its error report.
        let _ = give(&link, &given);
        drop(given);
        sys::hurry();
        let keeper = Keeper {
            control,
            plan,
            pid,
            pidfd,
            link: Some(link),
            channel: Some((channel, Vec::new())),
            scratch: None,
            segments: None,
            mounts: None,
            absent: Arc::new(AbsentNames::new(plan.reserved())),
            names: NameWatch::of(&plan.vacant()),
            watcher: None,
            started: Instant::now(),
            running: false,
            killed_by: None,
            terminate_at: None,
            told: None,
            largest: 0,
            end: RunEnd::default(),
        };
        keeper.watch()
    }
}

/// The id maps a plan needs: one for each owner of a root other than the sandbox's own uid. New maps are also sent
/// to the engine, for later runs.
fn add_id_maps(control: &OwnedFd, plan: &Plan, given: &mut Given) -> Result<(), Fault> {
    for owner in crate::idmap::owners(plan) {
        if given.iter().any(|(role, _)| *role == Role::IdMap(owner)) {
            continue;
        }
        let fresh = id_map(owner, plan.outside, "idmap")?;
        let text = serde_json::to_vec(&Tell::IdMap { owner, outside: plan.outside }).unwrap_or_default();
        sys::send(control.as_fd(), &text, &[fresh.as_fd()]).at("idmap")?;
        given.push((Role::IdMap(owner), fresh));
    }
    Ok(())
}

/// A user namespace whose map turns `inside` (or the owner on disk) into `outside`.
pub(crate) fn id_map(inside: (u32, u32), outside: (u32, u32), stage: &str) -> Result<OwnedFd, Fault> {
    match sys::fork_into(libc::CLONE_NEWUSER).at(stage)? {
        Forked::Child => {
            // Needed only until a descriptor holds its namespace.
            std::thread::sleep(Duration::from_secs(5));
            sys::exit_now(0)
        }
        Forked::Parent { pid, pidfd } => {
            let made = write_maps(pid, inside, outside)
                .and_then(|()| File::open(format!("/proc/{pid}/ns/user")).map(OwnedFd::from).at(stage));
            let _ = sys::signal_pidfd(pidfd.as_fd(), libc::SIGKILL);
            let _ = sys::wait(pid, 0);
            made
        }
    }
}

fn write_maps(pid: i32, inside: (u32, u32), outside: (u32, u32)) -> Result<(), Fault> {
    let place = Path::new("/proc").join(pid.to_string());
    fs::write(place.join("setgroups"), "deny").at("userns.map")?;
    fs::write(place.join("uid_map"), format!("{} {} 1", inside.0, outside.0)).at("userns.map")?;
    fs::write(place.join("gid_map"), format!("{} {} 1", inside.1, outside.1)).at("userns.map")
}
