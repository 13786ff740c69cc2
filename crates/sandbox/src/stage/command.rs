//! The last steps before the program: drops every privilege in turn, then calls exec.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use doorward_core::Tier;

use super::{At, Channel, Fault, Given, Role, take};
use crate::plan::Plan;
use crate::{landlock, seccomp, sys};

/// Tasks that each user had before: the base of the process limit if only the rlimit can hold it.
pub(crate) type Tasks = BTreeMap<u32, u32>;

/// The program's streams, and the descriptor to which its shell writes its last directory.
#[derive(Debug)]
pub(crate) struct Streams {
    standard: [Option<OwnedFd>; 3],
    final_cwd: Option<OwnedFd>,
}

impl Streams {
    /// Takes them from the received descriptors.
    pub(crate) fn take(given: &mut Given) -> Self {
        let standard = [Role::Stdin, Role::Stdout, Role::Stderr].map(|role| take(given, role));
        Self { standard, final_cwd: take(given, Role::FinalCwd) }
    }
}

/// Becomes the program. Never returns: a failure goes to the channel. If calls are observed, the filter's
/// notification descriptor is sent over `link`.
pub(crate) fn become_program(
    plan: &Plan,
    streams: &Streams,
    others: &Tasks,
    link: &OwnedFd,
    channel: &Channel,
) -> ! {
    if let Err(fault) = prepare(plan, streams, others, link, channel) {
        channel.fail(&fault);
    }
    let error = execute(plan);
    channel.fail(&Fault { stage: "exec".to_owned(), errno: error.raw_os_error().unwrap_or(libc::EIO) })
}

fn prepare(
    plan: &Plan,
    streams: &Streams,
    others: &Tasks,
    link: &OwnedFd,
    channel: &Channel,
) -> Result<(), Fault> {
    sys::new_session().at("session")?;
    sys::reset_signals();
    sys::umask(0o022);
    // A stream that isn't given stays the helper's own `/dev/null`.
    for (number, stream) in streams.standard.iter().enumerate() {
        if let Some(stream) = stream {
            sys::place(stream.as_fd(), number as i32).at("streams")?;
        }
    }
    limits(plan, others)?;
    if plan.tier == Tier::Restricted && plan.privileged {
        sys::clear_groups().at("groups")?;
        sys::empty_bounding_set().at("capabilities")?;
        sys::become_ids(plan.outside.0, plan.outside.1).at("uid")?;
    }
    std::env::set_current_dir(plan.cwd.path()).at("cwd")?;
    if let Some(pipe) = &streams.final_cwd {
        sys::place(pipe.as_fd(), super::FINAL_CWD).at("final_cwd")?;
    }
    let first = super::FINAL_CWD as u32 + u32::from(streams.final_cwd.is_some());
    sys::close_on_exec_from(first).at("descriptors")?;
    if plan.tier >= Tier::Restricted {
        sys::drop_capabilities().at("capabilities")?;
        sys::no_new_privileges().at("no_new_privs")?;
        landlock::restrict(&plan.rules, plan.landlock_abi, plan.tier == Tier::Restricted).at("landlock")?;
        let filter = plan.filter();
        if let Some(watcher) =
            sys::install_filter(&seccomp::program(&filter), filter.heard.any()).at("seccomp")?
        {
            sys::send(link.as_fd(), b"watch", &[watcher.as_fd()]).at("watch")?;
        }
    }
    channel.ready().at("ready")
}

fn limits(plan: &Plan, others: &Tasks) -> Result<(), Fault> {
    let limits = &plan.limits;
    let seconds = limits.cpu.as_millis().div_ceil(1000) as u64;
    let set = |resource, soft, hard, stage: &str| sys::set_limit(resource, soft, hard).at(stage);
    set(libc::RLIMIT_CORE as i32, 0, 0, "limit.core")?;
    if plan.tier == Tier::None {
        return Ok(());
    }
    set(libc::RLIMIT_CPU as i32, seconds, seconds + 1, "limit.cpu")?;
    set(libc::RLIMIT_FSIZE as i32, limits.file_size, limits.file_size, "limit.file_size")?;
    let files = u64::from(limits.open_files);
    set(libc::RLIMIT_NOFILE as i32, files, files, "limit.open_files")?;
    set(libc::RLIMIT_RTPRIO as i32, 0, 0, "limit.real_time")?;
    let held = plan.cgroup.as_ref().and_then(crate::cgroup::Group::pids_by).is_some();
    if !held {
        // A backstop against growth between two measurements, set high enough that the keeper usually acts first
        // and reports the cause. Inside its own user namespace the kernel counts only tasks there (Linux 5.14).
        // Elsewhere it counts all tasks of this uid, so existing ones are added, with room for others that the user
        // starts meanwhile.
        let most = match plan.tier {
            Tier::Full => u64::from(limits.processes) * 2 + 16,
            _ => {
                let before = others.get(&plan.outside.0).copied().unwrap_or(0);
                u64::from(limits.processes) * 2 + u64::from(before) + 64
            }
        };
        set(libc::RLIMIT_NPROC as i32, most, most, "limit.processes")?;
    }
    Ok(())
}

/// Executes the program: as given if it contains a slash, else the first executable along `PATH`.
fn execute(plan: &Plan) -> io::Error {
    let strings = |list: &[crate::plan::Raw]| -> io::Result<Vec<CString>> {
        list.iter().map(|item| sys::c_string(&item.0)).collect()
    };
    let (argv, env) = match (strings(&plan.argv), strings(&plan.env)) {
        (Ok(argv), Ok(env)) => (argv, env),
        (Err(error), _) | (_, Err(error)) => return error,
    };
    let Some(program) = plan.argv.first().filter(|program| !program.0.is_empty()) else {
        return io::Error::from_raw_os_error(libc::ENOENT);
    };
    if program.0.contains(&b'/') {
        return sys::c_string(&program.0).map_or_else(|error| error, |path| sys::exec(&path, &argv, &env));
    }
    let path = plan.env.iter().find_map(|line| line.0.strip_prefix(b"PATH=")).unwrap_or(b"/usr/bin:/bin");
    let mut last = io::Error::from_raw_os_error(libc::ENOENT);
    for folder in path.split(|byte| *byte == b':').filter(|folder| folder.starts_with(b"/")) {
        let candidate = [folder, b"/", &program.0].concat();
        let Ok(candidate) = sys::c_string(&candidate) else { continue };
        let error = sys::exec(&candidate, &argv, &env);
        match error.raw_os_error() {
            Some(libc::ENOENT | libc::ENOTDIR) => {}
            // As in a shell, a folder on `PATH` that can't be entered doesn't end the search: keep the error and go
            // on.
            _ => last = error,
        }
    }
    last
}
