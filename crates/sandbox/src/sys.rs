//! System calls: the only file of this crate with `unsafe`.
//!
//! Each function is a thin, safe face of one kernel call that neither libc nor std offers safely. Nothing here decides
//! anything. Functions that must only run in the single-threaded helper process say so.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::io::{Error, ErrorKind, Result};
use std::mem::{MaybeUninit, size_of, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::Duration;

/// A C string from bytes; an inner NUL is an error, never a truncation.
pub(crate) fn c_string(bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Error::from_raw_os_error(libc::EINVAL))
}

fn c_path(path: &Path) -> Result<CString> {
    c_string(path.as_os_str().as_bytes())
}

fn check(answer: c_long) -> Result<c_long> {
    if answer < 0 { Err(Error::last_os_error()) } else { Ok(answer) }
}

fn check_int(answer: c_int) -> Result<c_int> {
    if answer < 0 { Err(Error::last_os_error()) } else { Ok(answer) }
}

fn owned(fd: c_long) -> OwnedFd {
    // SAFETY: every caller passes a descriptor the kernel has just handed to this process and nobody else holds.
    unsafe { OwnedFd::from_raw_fd(fd as RawFd) }
}

// ---- processes ----------------------------------------------------------------------------------------------------

/// Which side of a fork this is.
pub(crate) enum Forked {
    /// The new process.
    Child,
    /// The old one, with the child's pid and a descriptor for it.
    Parent { pid: i32, pidfd: OwnedFd },
}

/// Forks into new namespaces. Only for the helper process: it has one thread, so the child may go on as an ordinary
/// program (no other thread can hold the allocator's lock).
pub(crate) fn fork_into(namespaces: c_int) -> Result<Forked> {
    let mut pidfd: c_int = -1;
    let flags = c_long::from(namespaces | libc::CLONE_PIDFD | libc::SIGCHLD);
    // SAFETY: no CLONE_VM: the child gets its own copy of memory and, with a null stack, goes on on a copy of this one.
    // `pidfd` outlives the call. The caller is single-threaded (see above).
    let pid = unsafe {
        libc::syscall(libc::SYS_clone, flags, 0 as c_long, &raw mut pidfd, 0 as c_long, 0 as c_long)
    };
    match check(pid)? {
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent { pid: pid as i32, pidfd: owned(c_long::from(pidfd)) }),
    }
}

/// Ends this process at once, without running anybody's exit handlers.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(code) }
}

/// `unshare(2)`.
pub(crate) fn unshare(flags: c_int) -> Result<()> {
    // SAFETY: plain integer argument.
    check_int(unsafe { libc::unshare(flags) }).map(drop)
}

/// `setns(2)`: enters a namespace that somebody else made.
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

/// `wait4(2)`: `None` when nothing has ended (with `WNOHANG`), `ECHILD` when there are no children.
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

/// CPU time of all waited-for children: user, system, largest resident size.
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

/// Default action for every signal and an empty mask, as a program expects to find them.
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

/// `execve(2)`; returns only when it failed.
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

/// The machine's clock, which every process on it reads alike.
pub(crate) fn monotonic() -> Duration {
    // SAFETY: `timespec` is plain data that outlives the call, which can't fail for this clock.
    let now = unsafe {
        let mut now: libc::timespec = zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now);
        now
    };
    Duration::new(now.tv_sec.max(0) as u64, now.tv_nsec.max(0) as u32)
}

/// A little before others when the processor is short, where that may be had: whoever holds limits must get to look.
/// Not inherited by what was started before.
pub(crate) fn hurry() {
    // SAFETY: plain integer arguments; a refusal leaves things as they are.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -10) };
}

// ---- identity -----------------------------------------------------------------------------------------------------

/// Effective uid and gid.
pub(crate) fn ids() -> (u32, u32) {
    // SAFETY: no arguments, can't fail.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Empties the supplementary groups.
pub(crate) fn clear_groups() -> Result<()> {
    // SAFETY: a null list of length 0.
    check_int(unsafe { libc::setgroups(0, null()) }).map(drop)
}

/// Becomes gid then uid, in all three slots. Raw calls: the single thread of the helper needs no broadcast.
pub(crate) fn become_ids(uid: u32, gid: u32) -> Result<()> {
    // SAFETY: plain integer arguments.
    check(unsafe { libc::syscall(libc::SYS_setresgid, gid, gid, gid) })?;
    // SAFETY: as above.
    check(unsafe { libc::syscall(libc::SYS_setresuid, uid, uid, uid) }).map(drop)
}

/// Empties the bounding set: no program started from here can gain a capability.
pub(crate) fn empty_bounding_set() -> Result<()> {
    for capability in 0..64_u64 {
        match prctl(libc::PR_CAPBSET_DROP, capability) {
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => break, // past the last one this kernel knows
            other => other?,
        }
    }
    Ok(())
}

/// Empties the ambient, inheritable, permitted and effective sets.
pub(crate) fn drop_capabilities() -> Result<()> {
    // SAFETY: plain integer arguments; EINVAL on kernels without ambient capabilities is harmless.
    unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong, 0, 0, 0) };
    let header: [u32; 2] = [0x2008_0522, 0]; // _LINUX_CAPABILITY_VERSION_3, this process
    let none = [0_u32; 6];
    // SAFETY: version 3 takes a header of two words and two data structs of three; both outlive the call.
    check(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) }).map(drop)
}

/// `no_new_privs`.
pub(crate) fn no_new_privileges() -> Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// `prctl(2)` with one argument.
pub(crate) fn prctl(option: c_int, value: u64) -> Result<()> {
    // SAFETY: only used with options that take integers.
    check_int(unsafe { libc::prctl(option, value as c_ulong, 0, 0, 0) }).map(drop)
}

/// `umask(2)`.
pub(crate) fn umask(mask: u32) {
    // SAFETY: plain integer argument, can't fail.
    unsafe { libc::umask(mask) };
}

// ---- descriptors --------------------------------------------------------------------------------------------------

/// Marks every descriptor from `first` up close-on-exec. Where the kernel has no `close_range` (Linux 5.11), or a
/// container refuses it, one by one as `/proc` lists them.
pub(crate) fn close_on_exec_from(first: u32) -> Result<()> {
    // SAFETY: integers only; nothing is closed yet.
    let all =
        check(unsafe { libc::syscall(libc::SYS_close_range, first, c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) });
    if all.is_ok() {
        return Ok(());
    }
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let Some(fd) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if fd >= first {
            // SAFETY: integers only; nothing is closed yet. The listing's own descriptor may be gone: harmless.
            unsafe { libc::fcntl(fd as RawFd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
    Ok(())
}

/// Puts `fd` at `number`, not close-on-exec.
pub(crate) fn place(fd: BorrowedFd<'_>, number: RawFd) -> Result<()> {
    if fd.as_raw_fd() == number {
        // SAFETY: the descriptor is open; F_SETFD takes an integer.
        return check_int(unsafe { libc::fcntl(number, libc::F_SETFD, 0) }).map(drop);
    }
    // SAFETY: `number` is a standard stream of the process about to exec; nothing in it owns that number.
    check_int(unsafe { libc::dup2(fd.as_raw_fd(), number) }).map(drop)
}

/// A copy of `fd`, numbered `least` or more, that children inherit.
pub(crate) fn inheritable(fd: BorrowedFd<'_>, least: RawFd) -> Result<OwnedFd> {
    // SAFETY: the descriptor is open; F_DUPFD takes an integer.
    check_int(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD, least) }).map(|fd| owned(c_long::from(fd)))
}

/// A pair of connected sockets that keep message borders.
pub(crate) fn packet_pair() -> Result<(OwnedFd, OwnedFd)> {
    let mut pair = [-1; 2];
    // SAFETY: the array holds the two descriptors the call writes.
    check_int(unsafe {
        libc::socketpair(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0, pair.as_mut_ptr())
    })?;
    let [left, right] = pair;
    Ok((owned(c_long::from(left)), owned(c_long::from(right))))
}

/// A pipe, read end first.
pub(crate) fn pipe() -> Result<(OwnedFd, OwnedFd)> {
    let mut pair = [-1; 2];
    // SAFETY: the array holds the two descriptors the call writes.
    check_int(unsafe { libc::pipe2(pair.as_mut_ptr(), libc::O_CLOEXEC) })?;
    let [read, write] = pair;
    Ok((owned(c_long::from(read)), owned(c_long::from(write))))
}

/// An anonymous file.
pub(crate) fn memory_file(name: &CStr) -> Result<OwnedFd> {
    // SAFETY: the name outlives the call.
    check_int(unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) })
        .map(|fd| owned(c_long::from(fd)))
}

/// Reads a file from its beginning to its end, wherever its offset stands.
pub(crate) fn read_all(fd: BorrowedFd<'_>) -> Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::from(fd.try_clone_to_owned()?);
    let length = usize::try_from(file.metadata()?.len()).map_err(Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// The most descriptors one message carries.
const MAX_FDS: usize = 16;

/// Sends one message with descriptors.
pub(crate) fn send(socket: BorrowedFd<'_>, bytes: &[u8], fds: &[BorrowedFd<'_>]) -> Result<()> {
    let raw: Vec<RawFd> = fds.iter().take(MAX_FDS).map(AsRawFd::as_raw_fd).collect();
    let mut control = [0_u64; 16];
    let mut part = libc::iovec { iov_base: bytes.as_ptr() as *mut c_void, iov_len: bytes.len() };
    // SAFETY: the header points at buffers that outlive the call; the control buffer is aligned for cmsghdr and holds
    // CMSG_SPACE of at most sixteen descriptors (80 bytes of 128).
    let sent = unsafe {
        let mut header: libc::msghdr = zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        if !raw.is_empty() {
            let length = (raw.len() * size_of::<RawFd>()) as c_uint;
            header.msg_control = control.as_mut_ptr().cast();
            header.msg_controllen = libc::CMSG_SPACE(length) as _;
            let first = libc::CMSG_FIRSTHDR(&raw const header);
            (*first).cmsg_level = libc::SOL_SOCKET;
            (*first).cmsg_type = libc::SCM_RIGHTS;
            (*first).cmsg_len = libc::CMSG_LEN(length) as _;
            std::ptr::copy_nonoverlapping(raw.as_ptr().cast::<u8>(), libc::CMSG_DATA(first), length as usize);
        }
        libc::sendmsg(socket.as_raw_fd(), &raw const header, libc::MSG_NOSIGNAL)
    };
    check(sent as c_long).map(drop)
}

/// Receives one message; `None` at end of stream.
pub(crate) fn receive(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    flags: c_int,
) -> Result<Option<(usize, Vec<OwnedFd>)>> {
    let mut control = [0_u64; 16];
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut fds = Vec::new();
    // SAFETY: as in `send`; received descriptors are new and ours, and read out of the kernel's own control message.
    let got = unsafe {
        let mut header: libc::msghdr = zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        header.msg_control = control.as_mut_ptr().cast();
        header.msg_controllen = size_of::<[u64; 16]>() as _;
        let got = libc::recvmsg(socket.as_raw_fd(), &raw mut header, flags | libc::MSG_CMSG_CLOEXEC);
        if got >= 0 {
            let first = libc::CMSG_FIRSTHDR(&raw const header);
            if !first.is_null() && (*first).cmsg_type == libc::SCM_RIGHTS {
                let count = ((*first).cmsg_len as usize - libc::CMSG_LEN(0) as usize) / size_of::<RawFd>();
                let list = libc::CMSG_DATA(first).cast::<RawFd>();
                fds.extend((0..count).map(|index| owned(c_long::from(list.add(index).read_unaligned()))));
            }
        }
        got
    };
    match check(got as c_long)? {
        0 => Ok(None),
        got => Ok(Some((got as usize, fds))),
    }
}

/// One descriptor to watch, and whether it is ready.
#[derive(Default)]
pub(crate) struct Watch<'a> {
    pub(crate) fd: Option<BorrowedFd<'a>>,
    pub(crate) events: Events,
    pub(crate) ready: bool,
}

/// What is waited for beside the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Events {
    /// Something to read.
    #[default]
    Read,
    /// Room to write.
    Write,
    /// An exceptional state: for `/proc/self/mountinfo`, that the mounts have changed since it was opened.
    Exceptional,
}

impl<'a> Watch<'a> {
    pub(crate) fn read(fd: Option<BorrowedFd<'a>>) -> Self {
        Self { fd, ..Self::default() }
    }
}

/// `poll(2)`; a signal counts as a time-out.
pub(crate) fn poll(watches: &mut [Watch<'_>], timeout: Option<Duration>) -> Result<()> {
    let mut list: Vec<libc::pollfd> = watches
        .iter()
        .map(|watch| libc::pollfd {
            fd: watch.fd.map_or(-1, |fd| fd.as_raw_fd()),
            events: match watch.events {
                Events::Read => libc::POLLIN,
                Events::Write => libc::POLLOUT,
                Events::Exceptional => libc::POLLPRI,
            },
            revents: 0,
        })
        .collect();
    let timeout =
        timeout.map(|time| libc::timespec { tv_sec: time.as_secs() as _, tv_nsec: time.subsec_nanos() as _ });
    let timeout = timeout.as_ref().map_or(null(), |time| time as *const _);
    // SAFETY: the list and the time outlive the call; a null mask keeps the present one.
    let answer = unsafe { libc::ppoll(list.as_mut_ptr(), list.len() as _, timeout, null()) };
    match check_int(answer) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        other => drop(other?),
    }
    for (watch, entry) in watches.iter_mut().zip(&list) {
        watch.ready = entry.revents != 0;
    }
    Ok(())
}

/// Makes reads and writes of `fd` return at once.
pub(crate) fn set_nonblocking(fd: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the descriptor is open; integer arguments.
    check_int(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) }).map(drop)
}

/// `flock(2)`, never waiting.
pub(crate) fn lock(fd: BorrowedFd<'_>, exclusive: bool) -> Result<()> {
    let kind = if exclusive { libc::LOCK_EX } else { libc::LOCK_SH };
    // SAFETY: the descriptor is open.
    check_int(unsafe { libc::flock(fd.as_raw_fd(), kind | libc::LOCK_NB) }).map(drop)
}

// ---- files --------------------------------------------------------------------------------------------------------

/// `openat2(2)` below `directory`, or from the root when there is none. With `resolve` 0 links are followed.
pub(crate) fn open_at(
    directory: Option<BorrowedFd<'_>>,
    path: &Path,
    flags: c_int,
    resolve: u64,
) -> Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() { c_string(b".")? } else { c_path(path)? };
    // SAFETY: `open_how` is plain data (zero mode, as no file is made); path and struct outlive the call.
    let fd = unsafe {
        let mut how: libc::open_how = zeroed();
        how.flags = (flags | libc::O_CLOEXEC) as u64;
        how.resolve = resolve;
        let directory = directory.map_or(libc::AT_FDCWD, |fd| fd.as_raw_fd());
        libc::syscall(
            libc::SYS_openat2,
            directory,
            path.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        )
    };
    check(fd).map(owned)
}

/// `openat2(2)` that may make the file, with `mode`.
pub(crate) fn create_at(
    directory: BorrowedFd<'_>,
    path: &Path,
    flags: c_int,
    mode: u32,
    resolve: u64,
) -> Result<OwnedFd> {
    let path = c_path(path)?;
    // SAFETY: `open_how` is plain data; path and struct outlive the call.
    let fd = unsafe {
        let mut how: libc::open_how = zeroed();
        how.flags = (flags | libc::O_CLOEXEC) as u64;
        how.mode = if flags & libc::O_CREAT != 0 { u64::from(mode) } else { 0 };
        how.resolve = resolve;
        libc::syscall(
            libc::SYS_openat2,
            directory.as_raw_fd(),
            path.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        )
    };
    check(fd).map(owned)
}

/// Sets the status flags of an open file (`F_SETFL`).
pub(crate) fn set_status_flags(fd: BorrowedFd<'_>, flags: c_int) -> Result<()> {
    // SAFETY: open descriptor, integer argument.
    check_int(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags) }).map(drop)
}

/// `mkdirat(2)`.
pub(crate) fn make_directory_at(directory: BorrowedFd<'_>, name: &OsStr, mode: u32) -> Result<()> {
    let name = c_string(name.as_bytes())?;
    // SAFETY: open descriptor, string outlives the call.
    check_int(unsafe { libc::mkdirat(directory.as_raw_fd(), name.as_ptr(), mode) }).map(drop)
}

/// Makes an empty file, which must not exist yet.
pub(crate) fn make_file_at(directory: BorrowedFd<'_>, name: &OsStr, mode: u32) -> Result<OwnedFd> {
    let name = c_string(name.as_bytes())?;
    let flags = libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_WRONLY;
    // SAFETY: open descriptor, string outlives the call.
    check_int(unsafe { libc::openat(directory.as_raw_fd(), name.as_ptr(), flags, mode) })
        .map(|fd| owned(c_long::from(fd)))
}

/// `unlinkat(2)`.
pub(crate) fn unlink_at(directory: BorrowedFd<'_>, name: &OsStr, is_directory: bool) -> Result<()> {
    let name = c_string(name.as_bytes())?;
    let flags = if is_directory { libc::AT_REMOVEDIR } else { 0 };
    // SAFETY: open descriptor, string outlives the call.
    check_int(unsafe { libc::unlinkat(directory.as_raw_fd(), name.as_ptr(), flags) }).map(drop)
}

/// `renameat(2)` within one directory.
pub(crate) fn rename_at(directory: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<()> {
    let (from, to) = (c_string(from.as_bytes())?, c_string(to.as_bytes())?);
    let directory = directory.as_raw_fd();
    // SAFETY: open descriptor, strings outlive the call.
    check_int(unsafe { libc::renameat(directory, from.as_ptr(), directory, to.as_ptr()) }).map(drop)
}

/// `renameat2(2)` from one directory to another.
pub(crate) fn rename_between(
    from: (BorrowedFd<'_>, &OsStr),
    to: (BorrowedFd<'_>, &OsStr),
    flags: u32,
) -> Result<()> {
    let (name, fresh) = (c_string(from.1.as_bytes())?, c_string(to.1.as_bytes())?);
    let (from, to) = (from.0.as_raw_fd(), to.0.as_raw_fd());
    // SAFETY: open descriptors, strings outlive the call.
    check(unsafe { libc::syscall(libc::SYS_renameat2, from, name.as_ptr(), to, fresh.as_ptr(), flags) })
        .map(drop)
}

/// `symlinkat(2)`.
pub(crate) fn make_link_at(target: &Path, directory: BorrowedFd<'_>, name: &OsStr) -> Result<()> {
    let (target, name) = (c_path(target)?, c_string(name.as_bytes())?);
    // SAFETY: open descriptor, strings outlive the call.
    check_int(unsafe { libc::symlinkat(target.as_ptr(), directory.as_raw_fd(), name.as_ptr()) }).map(drop)
}

/// The names in an open directory, without `.` and `..`, each with its `DT_*` kind.
pub(crate) fn read_directory(directory: BorrowedFd<'_>) -> Result<Vec<(OsString, u8)>> {
    // `struct linux_dirent64` (getdents(2)): inode 8, offset 8, length of the record 2, kind 1, then the name.
    const NAME: usize = 19;
    let mut all = Vec::new();
    // Aligned for the kernel's records.
    let mut words = [0_u64; 2048];
    loop {
        // SAFETY: open descriptor; the buffer outlives the call and is as long as it says.
        let length = check(unsafe {
            libc::syscall(
                libc::SYS_getdents64,
                directory.as_raw_fd(),
                words.as_mut_ptr(),
                size_of_val(&words),
            )
        })?;
        if length == 0 {
            return Ok(all);
        }
        // SAFETY: any bytes are valid, the length is at most the buffer's, and nothing writes to it meanwhile.
        let buffer = unsafe {
            let most = usize::try_from(length).unwrap_or(0).min(size_of_val(&words));
            std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), most)
        };
        let mut rest = buffer;
        while let Some(size) = rest.get(16..18).and_then(|size| size.first_chunk().copied()) {
            let size = usize::from(u16::from_ne_bytes(size));
            let Some(record) = rest.get(..size).filter(|record| record.len() > NAME) else { break };
            let name =
                record.get(NAME..).and_then(|name| name.split(|byte| *byte == 0).next()).unwrap_or_default();
            let kind = record.get(18).copied().unwrap_or(libc::DT_UNKNOWN);
            if name != b"." && name != b".." {
                all.push((OsStr::from_bytes(name).to_owned(), kind));
            }
            rest = rest.get(size..).unwrap_or_default();
        }
    }
}

/// The time that files get now: the kernel's coarse clock, in nanoseconds since 1970.
pub(crate) fn file_time() -> i128 {
    // SAFETY: `timespec` is plain data that the call fills in.
    let now = unsafe {
        let mut now: libc::timespec = zeroed();
        libc::clock_gettime(libc::CLOCK_REALTIME_COARSE, &raw mut now);
        now
    };
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

/// What `fstat` says of an open descriptor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stat {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) size: i64,
    /// When it was last changed in any way, in nanoseconds since 1970: nobody can set it.
    pub(crate) changed: i128,
}

impl Stat {
    pub(crate) const fn is_directory(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }
}

/// `fstat(2)`.
pub(crate) fn stat(fd: BorrowedFd<'_>) -> Result<Stat> {
    // SAFETY: `stat` is plain data; descriptor open, pointer outlives the call.
    let found = unsafe {
        let mut found: libc::stat = zeroed();
        check_int(libc::fstat(fd.as_raw_fd(), &raw mut found))?;
        found
    };
    Ok(Stat {
        device: found.st_dev as u64,
        inode: found.st_ino as u64,
        mode: found.st_mode,
        uid: found.st_uid,
        gid: found.st_gid,
        size: found.st_size,
        changed: i128::from(found.st_ctime) * 1_000_000_000 + i128::from(found.st_ctime_nsec),
    })
}

/// Bytes in use and bytes free of the file system behind `fd`.
pub(crate) fn file_system_use(fd: BorrowedFd<'_>) -> Result<(u64, u64)> {
    // SAFETY: as in `stat`.
    let found = unsafe {
        let mut found: libc::statfs = zeroed();
        check_int(libc::fstatfs(fd.as_raw_fd(), &raw mut found))?;
        found
    };
    let block = found.f_bsize.max(0) as u64;
    Ok((
        found.f_blocks.saturating_sub(found.f_bfree).saturating_mul(block),
        found.f_bavail.saturating_mul(block),
    ))
}

/// An extended attribute of a link or file, if it has it.
pub(crate) fn attribute(path: &Path, name: &CStr) -> Option<Vec<u8>> {
    let path = c_path(path).ok()?;
    let mut value = vec![0_u8; 256];
    // SAFETY: strings and buffer outlive the call; the length is the buffer's.
    let length =
        unsafe { libc::lgetxattr(path.as_ptr(), name.as_ptr(), value.as_mut_ptr().cast(), value.len()) };
    value.truncate(usize::try_from(length).ok()?);
    Some(value)
}

// ---- mounts -------------------------------------------------------------------------------------------------------

/// `mount(2)`.
pub(crate) fn mount(source: &str, target: &Path, kind: &str, flags: c_ulong, options: &str) -> Result<()> {
    let (source, target) = (c_string(source.as_bytes())?, c_path(target)?);
    let (kind, options) = (c_string(kind.as_bytes())?, c_string(options.as_bytes())?);
    // SAFETY: all strings outlive the call.
    check_int(unsafe {
        libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast())
    })
    .map(drop)
}

/// Makes the whole tree private, so that nothing mounted here shows outside.
pub(crate) fn make_private() -> Result<()> {
    // SAFETY: constant strings; null source, type and data are allowed for a propagation change.
    check_int(unsafe { libc::mount(null(), c"/".as_ptr(), null(), libc::MS_REC | libc::MS_PRIVATE, null()) })
        .map(drop)
}

/// A detached copy of the mount tree at an open place (`open_tree(2)`).
pub(crate) fn copy_tree(place: BorrowedFd<'_>) -> Result<OwnedFd> {
    let flags = libc::OPEN_TREE_CLONE
        | libc::OPEN_TREE_CLOEXEC
        | (libc::AT_EMPTY_PATH | libc::AT_RECURSIVE) as c_uint;
    // SAFETY: open descriptor, constant string.
    check(unsafe { libc::syscall(libc::SYS_open_tree, place.as_raw_fd(), c"".as_ptr(), flags) }).map(owned)
}

/// The same for a path, whose last part isn't followed.
pub(crate) fn copy_tree_at(path: &Path) -> Result<OwnedFd> {
    let path = c_path(path)?;
    let flags = libc::OPEN_TREE_CLONE
        | libc::OPEN_TREE_CLOEXEC
        | (libc::AT_SYMLINK_NOFOLLOW | libc::AT_RECURSIVE) as c_uint;
    // SAFETY: the string outlives the call.
    check(unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path.as_ptr(), flags) }).map(owned)
}

/// Attaches a detached tree at an open place (`move_mount(2)`).
pub(crate) fn attach(tree: BorrowedFd<'_>, place: BorrowedFd<'_>) -> Result<()> {
    const FROM_EMPTY: c_uint = 0x4;
    const TO_EMPTY: c_uint = 0x40;
    // SAFETY: open descriptors, constant strings.
    check(unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            place.as_raw_fd(),
            c"".as_ptr(),
            FROM_EMPTY | TO_EMPTY,
        )
    })
    .map(drop)
}

/// `MOUNT_ATTR_*` of `mount_setattr(2)`.
pub(crate) const ATTR_RDONLY: u64 = 1;
pub(crate) const ATTR_NOSUID: u64 = 2;
pub(crate) const ATTR_NODEV: u64 = 4;
pub(crate) const ATTR_NOEXEC: u64 = 8;
const ATTR_IDMAP: u64 = 0x0010_0000;

#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns: u64,
}

/// Sets attributes of a mount, with `recursive` of everything below, with `userns` its id mapping.
pub(crate) fn set_mount(
    tree: BorrowedFd<'_>,
    set: u64,
    recursive: bool,
    userns: Option<BorrowedFd<'_>>,
) -> Result<()> {
    let attr = MountAttr {
        set: set | userns.map_or(0, |_| ATTR_IDMAP),
        clear: 0,
        propagation: 0,
        userns: userns.map_or(0, |fd| fd.as_raw_fd() as u64),
    };
    let flags = (libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 }) as c_uint;
    // SAFETY: open descriptors; the struct has the kernel's layout (mount_attr, 32 bytes) and outlives the call.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    })
    .map(drop)
}

/// Makes `new_root` (the working directory, a mount) the root and lets the old one go.
pub(crate) fn enter_root() -> Result<()> {
    // SAFETY: constant strings. `pivot_root(".", ".")` stacks the old root on the new one, from where it is detached.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) })?;
    // SAFETY: as above.
    check_int(unsafe { libc::umount2(c".".as_ptr(), libc::MNT_DETACH) })?;
    std::env::set_current_dir("/")
}

/// Detaches what is mounted at `path`.
pub(crate) fn detach(path: &Path) -> Result<()> {
    let path = c_path(path)?;
    // SAFETY: the string outlives the call.
    check_int(unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH | libc::UMOUNT_NOFOLLOW) }).map(drop)
}

/// `sethostname(2)`.
pub(crate) fn set_host_name(name: &str) -> Result<()> {
    // SAFETY: pointer and length of one string.
    check_int(unsafe { libc::sethostname(name.as_ptr().cast(), name.len()) }).map(drop)
}

/// Brings the loopback interface of this network namespace up.
pub(crate) fn loopback_up() -> Result<()> {
    // SAFETY: integer arguments.
    let socket = check_int(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) })?;
    let socket = owned(c_long::from(socket));
    // SAFETY: `ifreq` is plain data; name and flags are set before the kernel reads it.
    check_int(unsafe {
        let mut request: libc::ifreq = zeroed();
        for (slot, byte) in request.ifr_name.iter_mut().zip(b"lo") {
            *slot = *byte as c_char;
        }
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as _;
        libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &raw const request)
    })
    .map(drop)
}

// ---- Landlock and seccomp -----------------------------------------------------------------------------------------

/// The kernel's Landlock ABI, 0 when it has none.
pub(crate) fn landlock_abi() -> Result<u32> {
    // SAFETY: null attribute and zero size ask for the version.
    check(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, null::<c_void>(), 0_usize, 1_u32) })
        .map(|abi| abi as u32)
}

#[repr(C)]
struct RulesetAttr {
    fs: u64,
    net: u64,
    scoped: u64,
}

/// An empty Landlock ruleset that handles the given rights.
pub(crate) fn landlock_ruleset(fs: u64, net: u64, scoped: u64) -> Result<OwnedFd> {
    let attr = RulesetAttr { fs, net, scoped };
    // Older kernels take shorter structs, and longer ones whose tail is zero.
    let size = size_of::<RulesetAttr>();
    // SAFETY: the struct has the kernel's layout (landlock_ruleset_attr) and outlives the call.
    check(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attr, size, 0_u32) })
        .map(owned)
}

#[repr(C, packed)]
struct PathBeneath {
    access: u64,
    parent: i32,
}

/// Allows `access` below the open place.
pub(crate) fn landlock_allow(ruleset: BorrowedFd<'_>, place: BorrowedFd<'_>, access: u64) -> Result<()> {
    let rule = PathBeneath { access, parent: place.as_raw_fd() };
    // SAFETY: the packed struct has the kernel's layout (landlock_path_beneath_attr) and outlives the call.
    check(unsafe {
        libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), 1_u32, &raw const rule, 0_u32)
    })
    .map(drop)
}

/// Binds this process to the ruleset, for good.
pub(crate) fn landlock_restrict(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: open descriptor.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) }).map(drop)
}

/// Installs a seccomp program, for good. With `listen` the notification descriptor comes back.
pub(crate) fn install_filter(program: &[libc::sock_filter], listen: bool) -> Result<Option<OwnedFd>> {
    let length = u16::try_from(program.len()).map_err(|_| Error::from_raw_os_error(libc::E2BIG))?;
    let filter = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    let install = |flags: c_ulong| {
        // SAFETY: the program outlives the call; the kernel copies and checks it.
        check(unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const filter)
        })
    };
    if !listen {
        return install(0).map(|_| None);
    }
    // A call that was heard is carried out once: until it is answered only a deadly signal interrupts it (Linux 5.19).
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let answer = match install(flags | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => install(flags)?,
        other => other?,
    };
    Ok(Some(owned(answer)))
}

/// Whether the kernel can filter calls with an errno answer.
pub(crate) fn has_seccomp() -> Result<()> {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the action outlives the call.
    check(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) })
        .map(drop)
}

/// A call by number, for probes that look whether a door is open. Returns the errno on failure.
pub(crate) fn raw_call(number: c_long, arguments: [c_long; 6]) -> std::result::Result<c_long, i32> {
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: only called from the probe program, whose one purpose is to try calls, with null or owned pointers.
    let answer = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    if answer < 0 { Err(Error::last_os_error().raw_os_error().unwrap_or(0)) } else { Ok(answer) }
}

/// Takes the standard input of the helper, which is its control socket.
pub(crate) fn take_stdin() -> OwnedFd {
    // SAFETY: descriptor 0 is the control socket the engine gave this process; nothing else in it uses stdin.
    unsafe { OwnedFd::from_raw_fd(0) }
}

// ---- seccomp notifications ----------------------------------------------------------------------------------------

/// A call that waits for the keeper's word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notification {
    pub(crate) id: u64,
    pub(crate) pid: u32,
    pub(crate) number: c_long,
    pub(crate) arguments: [u64; 6],
}

/// The next waiting call; `None` when the caller died meanwhile.
pub(crate) fn next_notification(fd: BorrowedFd<'_>) -> Result<Option<Notification>> {
    // SAFETY: `seccomp_notif` is plain data and must be zero when handed in; it outlives the call.
    let call = unsafe {
        let mut call: libc::seccomp_notif = zeroed();
        match check_int(libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, &raw mut call)) {
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => return Ok(None),
            other => drop(other?),
        }
        call
    };
    Ok(Some(Notification {
        id: call.id,
        pid: call.pid,
        number: c_long::from(call.data.nr),
        arguments: call.data.args,
    }))
}

/// Lets a caller and whoever answers it take turns on one processor, which makes each call several times as fast. Since
/// Linux 6.6; before, everything works without.
pub(crate) fn wake_in_turn(fd: BorrowedFd<'_>) {
    // `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP` (linux/seccomp.h), which libc lacks.
    const SYNC_WAKE_UP: c_ulong = 1;
    // SAFETY: open descriptor, integer argument.
    unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS as _, SYNC_WAKE_UP) };
}

/// Whether the other end of a descriptor is gone.
pub(crate) fn is_hung_up(fd: BorrowedFd<'_>) -> bool {
    let mut watch = libc::pollfd { fd: fd.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: one entry, which outlives the call.
    let answer = unsafe { libc::poll(&raw mut watch, 1, 0) };
    answer > 0 && watch.revents & (libc::POLLHUP | libc::POLLNVAL | libc::POLLERR) != 0
}

/// Whether the caller of a notification still waits, so that its pid still means it.
pub(crate) fn notification_holds(fd: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: the id outlives the call.
    unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID as _, &raw const id) == 0 }
}

/// Lets a waiting call go on as it is.
pub(crate) fn let_go_on(fd: BorrowedFd<'_>, id: u64) -> Result<()> {
    let answer = libc::seccomp_notif_resp {
        id,
        val: 0,
        error: 0,
        flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
    };
    // SAFETY: the answer outlives the call.
    check_int(unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw const answer) })
        .map(drop)
}

/// Answers a waiting call without carrying it out: with an errno, or with 0 for success.
pub(crate) fn answer(fd: BorrowedFd<'_>, id: u64, errno: i32) -> Result<()> {
    let answer = libc::seccomp_notif_resp { id, val: 0, error: -errno, flags: 0 };
    // SAFETY: the answer outlives the call.
    check_int(unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw const answer) })
        .map(drop)
}

/// Answers a waiting call with a descriptor: it is placed in the caller's table, and its number is what the call returns.
pub(crate) fn answer_with(
    fd: BorrowedFd<'_>,
    id: u64,
    file: BorrowedFd<'_>,
    close_on_exec: bool,
) -> Result<()> {
    let give = libc::seccomp_notif_addfd {
        id,
        flags: libc::SECCOMP_ADDFD_FLAG_SEND as u32,
        srcfd: file.as_raw_fd() as u32,
        newfd: 0,
        newfd_flags: if close_on_exec { libc::O_CLOEXEC as u32 } else { 0 },
    };
    // SAFETY: the request outlives the call.
    check_int(unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ADDFD as _, &raw const give) })
        .map(drop)
}

/// Reads another process's memory; how many bytes could be read.
pub(crate) fn read_memory(pid: u32, at: u64, buffer: &mut [u8]) -> Result<usize> {
    let pid = i32::try_from(pid).map_err(|_| Error::from_raw_os_error(libc::ESRCH))?;
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let remote = libc::iovec { iov_base: at as *mut c_void, iov_len: buffer.len() };
    // SAFETY: the local buffer is ours and as long as it says; the remote one is only read, and the kernel checks it.
    let length = check(unsafe {
        libc::syscall(
            libc::SYS_process_vm_readv,
            pid,
            &raw const local,
            1_u64,
            &raw const remote,
            1_u64,
            0_u64,
        )
    })?;
    Ok(usize::try_from(length).unwrap_or(0))
}

/// Sets the ids that this thread makes and opens files as (`setfsuid(2)`). Returns whether they are in force.
pub(crate) fn file_ids(uid: u32, gid: u32) -> bool {
    // SAFETY: integer arguments. The calls report no failure: the second of each pair only asks.
    unsafe {
        libc::setfsgid(gid);
        libc::setfsuid(uid);
        libc::setfsgid(u32::MAX) as u32 == gid && libc::setfsuid(u32::MAX) as u32 == uid
    }
}

// ---- for the probe program ----------------------------------------------------------------------------------------

/// `getpid` by the 32-bit entry; negative when refused, and a signal where the kernel has no such entry.
#[cfg(target_arch = "x86_64")]
pub(crate) fn legacy_getpid() -> i64 {
    const GETPID: i64 = 20; // i386 numbering
    let answer: i64;
    // SAFETY: the call takes no arguments and changes nothing; the entry may clobber r8 to r11, which are named.
    unsafe {
        std::arch::asm!(
            "int 0x80",
            inlateout("rax") GETPID => answer,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    i64::from(answer as i32)
}

/// There is no second table on this architecture that our filter could miss: AArch32 calls carry their own.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn legacy_getpid() -> i64 {
    -1
}
