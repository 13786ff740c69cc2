//! Processes, signals and limits.

use super::*;

/// The side of a fork.
pub(crate) enum Forked {
    /// In the new process.
    Child,
    /// In the old process, with the child's pid and a descriptor for it.
    Parent { pid: i32, pidfd: OwnedFd },
}

/// Forks into new namespaces. Only for the single-threaded helper: as no other thread can hold the allocator's
/// lock, the child may continue as an ordinary program.
pub(crate) fn fork_into(namespaces: c_int) -> Result<Forked> {
    let mut pidfd: c_int = -1;
    let flags = c_long::from(namespaces | libc::CLONE_PIDFD | libc::SIGCHLD);
    // SAFETY: no CLONE_VM: the child gets its own copy of memory and, with a null stack, continues on a copy of this
    // one. `pidfd` outlives the call. The caller is single-threaded (see above).
    let pid = unsafe {
        libc::syscall(libc::SYS_clone, flags, 0 as c_long, &raw mut pidfd, 0 as c_long, 0 as c_long)
    };
    match check(pid)? {
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent { pid: pid as i32, pidfd: owned(c_long::from(pidfd)) }),
    }
}

/// Ends this process at once, without exit handlers.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(code) }
}

/// `unshare(2)`.
pub(crate) fn unshare(flags: c_int) -> Result<()> {
    // SAFETY: plain integer argument.
    check_int(unsafe { libc::unshare(flags) }).map(drop)
}

/// `setns(2)`: enters a namespace that another process made.
pub(crate) fn enter_namespace(namespace: BorrowedFd<'_>, kind: c_int) -> Result<()> {
    // SAFETY: open descriptor, integer argument.
    check_int(unsafe { libc::setns(namespace.as_raw_fd(), kind) }).map(drop)
}

/// How a child ended, from `wait4(2)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waited {
    pub(crate) pid: i32,
    pub(crate) status: c_int,
    pub(crate) user: Duration,
    pub(crate) system: Duration,
    pub(crate) max_rss: u64,
}

/// `wait4(2)`: `None` if no child has ended (with `WNOHANG`), `ECHILD` if there are no children.
pub(crate) fn wait(pid: i32, flags: c_int) -> Result<Option<Waited>> {
    let mut status: c_int = 0;
    // SAFETY: `rusage` is plain data for which all zeroes is valid; both pointers outlive the call.
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = zeroed();
        (libc::wait4(pid, &raw mut status, flags, &raw mut usage), usage)
    };
    match check_int(pid)? {
        0 => Ok(None),
        pid => Ok(Some(Waited {
            pid,
            status,
            user: duration(usage.ru_utime),
            system: duration(usage.ru_stime),
            max_rss: (usage.ru_maxrss as u64).saturating_mul(1024),
        })),
    }
}

/// Usage of all reaped children: user time, system time, largest resident size.
pub(crate) fn children_usage() -> (Duration, Duration, u64) {
    // SAFETY: `rusage` is plain data; the pointer outlives the call, which can't fail for RUSAGE_CHILDREN.
    let usage = unsafe {
        let mut usage: libc::rusage = zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    (duration(usage.ru_utime), duration(usage.ru_stime), (usage.ru_maxrss as u64).saturating_mul(1024))
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec.max(0) as u64, (time.tv_usec.max(0) as u32).saturating_mul(1000))
}

/// `kill(2)`.
pub(crate) fn kill(pid: i32, signal: c_int) -> Result<()> {
    // SAFETY: plain integer arguments.
    check_int(unsafe { libc::kill(pid, signal) }).map(drop)
}

/// `pidfd_send_signal(2)`: can't hit a recycled pid.
pub(crate) fn signal_pidfd(pidfd: BorrowedFd<'_>, signal: c_int) -> Result<()> {
    // SAFETY: a borrowed descriptor is open; null siginfo is allowed.
    check(unsafe {
        libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), signal, null::<c_void>(), 0 as c_uint)
    })
    .map(drop)
}

/// `setsid(2)`.
pub(crate) fn new_session() -> Result<()> {
    // SAFETY: no arguments.
    check_int(unsafe { libc::setsid() }).map(drop)
}

/// Default action for every signal and an empty mask, as programs expect.
pub(crate) fn reset_signals() {
    // SAFETY: `signal` with SIG_DFL installs no code of ours; refusals for KILL and STOP are harmless. The set is
    // initialised by `sigemptyset` before it is read.
    unsafe {
        for number in 1..=64 {
            libc::signal(number, libc::SIG_DFL);
        }
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), null_mut());
    }
}

/// `execve(2)`; returns only on failure.
pub(crate) fn exec(path: &CStr, argv: &[CString], env: &[CString]) -> Error {
    let pointers = |list: &[CString]| -> Vec<*const c_char> {
        list.iter().map(|item| item.as_ptr()).chain(std::iter::once(null())).collect()
    };
    let (argv, env) = (pointers(argv), pointers(env));
    // SAFETY: both arrays are null-terminated and point into strings that live until the call returns.
    unsafe { libc::execve(path.as_ptr(), argv.as_ptr(), env.as_ptr()) };
    Error::last_os_error()
}

/// `setrlimit(2)`.
pub(crate) fn set_limit(resource: c_int, soft: u64, hard: u64) -> Result<()> {
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: the pointer outlives the call. The cast adapts glibc's enum type for the resource.
    check_int(unsafe { libc::setrlimit(resource as _, &raw const limit) }).map(drop)
}

/// The monotonic clock, the same for all processes of this machine.
pub(crate) fn monotonic() -> Duration {
    // SAFETY: `timespec` is plain data that outlives the call, which can't fail for this clock.
    let now = unsafe {
        let mut now: libc::timespec = zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now);
        now
    };
    Duration::new(now.tv_sec.max(0) as u64, now.tv_nsec.max(0) as u32)
}

/// Raises this process's priority if permitted, so that limits are checked even on a busy machine. Processes
/// started before don't inherit it.
pub(crate) fn hurry() {
    // SAFETY: plain integer arguments; a refusal leaves things as they are.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -10) };
}
