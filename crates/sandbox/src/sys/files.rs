//! Files and directories.

use super::*;

/// `openat2(2)` below `directory`, or from `/` without one. With `resolve` 0 links are followed.
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

/// `openat2(2)` that may create the file with `mode`.
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

/// Sets the rights of what a descriptor of any kind names, `O_PATH` included.
pub(crate) fn set_mode(fd: BorrowedFd<'_>, mode: u32) -> Result<()> {
    let own = Path::new("/proc/self/fd").join(fd.as_raw_fd().to_string());
    std::fs::set_permissions(own, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o7777))
}

/// `mkdirat(2)`.
pub(crate) fn make_directory_at(directory: BorrowedFd<'_>, name: &OsStr, mode: u32) -> Result<()> {
    let name = c_string(name.as_bytes())?;
    // SAFETY: open descriptor, string outlives the call.
    check_int(unsafe { libc::mkdirat(directory.as_raw_fd(), name.as_ptr(), mode) }).map(drop)
}

/// Creates an empty file; fails if it exists.
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

/// The current time of file timestamps: the kernel's coarse clock, in nanoseconds since 1970.
pub(crate) fn file_time() -> i128 {
    // SAFETY: `timespec` is plain data that the call fills in.
    let now = unsafe {
        let mut now: libc::timespec = zeroed();
        libc::clock_gettime(libc::CLOCK_REALTIME_COARSE, &raw mut now);
        now
    };
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

/// Result of `fstat` on an open descriptor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stat {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) size: i64,
    /// Time of the last change of any kind, in nanoseconds since 1970. Programs can't set it.
    pub(crate) changed: i128,
}

impl Stat {
    pub(crate) const fn is_directory(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }

    /// Whether it is a symbolic link.
    pub(crate) fn is_link(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFLNK
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

/// Used and free bytes of the file system of `fd`.
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

/// An extended attribute of a file or link; `None` without it.
pub(crate) fn attribute(path: &Path, name: &CStr) -> Option<Vec<u8>> {
    let path = c_path(path).ok()?;
    let mut value = vec![0_u8; 256];
    // SAFETY: strings and buffer outlive the call; the length is the buffer's.
    let length =
        unsafe { libc::lgetxattr(path.as_ptr(), name.as_ptr(), value.as_mut_ptr().cast(), value.len()) };
    value.truncate(usize::try_from(length).ok()?);
    Some(value)
}
