//! Seccomp notifications.

use super::*;

/// A call that waits for the keeper's answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notification {
    pub(crate) id: u64,
    pub(crate) pid: u32,
    pub(crate) number: c_long,
    pub(crate) arguments: [u64; 6],
}

/// The next waiting call; `None` if its caller died meanwhile.
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

/// Lets a caller and the answering thread alternate on one processor, which makes each call several times as fast.
/// Since Linux 6.6; earlier kernels work without it.
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

/// Whether the caller of a notification still waits, so that its pid is still valid.
pub(crate) fn notification_holds(fd: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: the id outlives the call.
    unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID as _, &raw const id) == 0 }
}

/// Lets the kernel carry out a waiting call unchanged.
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

/// Answers a waiting call without carrying it out: with an errno, or 0 for success.
pub(crate) fn answer(fd: BorrowedFd<'_>, id: u64, errno: i32) -> Result<()> {
    let answer = libc::seccomp_notif_resp { id, val: 0, error: -errno, flags: 0 };
    // SAFETY: the answer outlives the call.
    check_int(unsafe { libc::ioctl(fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw const answer) })
        .map(drop)
}

/// Answers a waiting call with a descriptor: it is added to the caller's table, and the call returns its number.
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

/// Reads another process's memory; returns the number of bytes read.
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

/// Sets the ids with which this thread creates and opens files (`setfsuid(2)`). Returns whether they took effect.
pub(crate) fn file_ids(uid: u32, gid: u32) -> bool {
    // SAFETY: integer arguments. The calls report no failure: the second of each pair only queries.
    unsafe {
        libc::setfsgid(gid);
        libc::setfsuid(uid);
        libc::setfsgid(u32::MAX) as u32 == gid && libc::setfsuid(u32::MAX) as u32 == uid
    }
}
