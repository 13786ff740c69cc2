//! Mounts and namespaces.

use super::*;

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

/// Makes the whole tree private, so that mounts made here don't propagate outside.
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

/// The same for a path; a final link isn't followed.
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

/// Sets attributes of a mount; with `recursive` also of all below it, with `userns` its id mapping.
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

/// Makes the working directory (a mount) the new root and releases the old one.
pub(crate) fn enter_root() -> Result<()> {
    // SAFETY: constant strings. `pivot_root(".", ".")` stacks the old root on the new one, from where it is detached.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) })?;
    // SAFETY: as above.
    check_int(unsafe { libc::umount2(c".".as_ptr(), libc::MNT_DETACH) })?;
    std::env::set_current_dir("/")
}

/// Detaches the mount at `path`.
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
