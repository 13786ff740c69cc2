//! File descriptors, sockets and polling.

use super::*;

/// Marks every descriptor from `first` up as close-on-exec. Without `close_range` (before Linux 5.11, or if a
/// container refuses it), goes through those listed in `/proc`.
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

/// A copy of `fd` with a number of at least `least` that children inherit.
pub(crate) fn inheritable(fd: BorrowedFd<'_>, least: RawFd) -> Result<OwnedFd> {
    // SAFETY: the descriptor is open; F_DUPFD takes an integer.
    check_int(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD, least) }).map(|fd| owned(c_long::from(fd)))
}

/// A pair of connected sockets that preserve message boundaries.
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

/// An anonymous file (`memfd_create(2)`).
pub(crate) fn memory_file(name: &CStr) -> Result<OwnedFd> {
    // SAFETY: the name outlives the call.
    check_int(unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) })
        .map(|fd| owned(c_long::from(fd)))
}

/// Reads a whole file from the beginning, whatever its offset.
pub(crate) fn read_all(fd: BorrowedFd<'_>) -> Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::from(fd.try_clone_to_owned()?);
    let length = usize::try_from(file.metadata()?.len()).map_err(Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// Limit on descriptors in one message.
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

/// A descriptor to poll, and whether it is ready.
#[derive(Default)]
pub(crate) struct Watch<'a> {
    pub(crate) fd: Option<BorrowedFd<'a>>,
    pub(crate) events: PollEvents,
    pub(crate) ready: bool,
}

/// Event to poll for; the end of a stream is always reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PollEvents {
    /// Readable.
    #[default]
    Read,
    /// Writable.
    Write,
    /// An exceptional state: for `/proc/self/mountinfo`, mounts have changed since it was opened.
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
                PollEvents::Read => libc::POLLIN,
                PollEvents::Write => libc::POLLOUT,
                PollEvents::Exceptional => libc::POLLPRI,
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

/// Makes `fd` non-blocking.
pub(crate) fn set_nonblocking(fd: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the descriptor is open; integer arguments.
    check_int(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) }).map(drop)
}
