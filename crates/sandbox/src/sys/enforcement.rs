//! Landlock and seccomp.

use super::*;

/// The kernel's Landlock ABI; 0 without Landlock.
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

/// Restricts this process to the ruleset, irrevocably.
pub(crate) fn landlock_restrict(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: open descriptor.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) }).map(drop)
}

/// Installs a seccomp program, irrevocably. With `listen`, returns the notification descriptor.
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
    // Each notified call is carried out once: until it is answered, only a fatal signal interrupts it (Linux 5.19).
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let answer = match install(flags | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => install(flags)?,
        other => other?,
    };
    Ok(Some(owned(answer)))
}

/// Checks that the kernel's filters can answer with an errno.
pub(crate) fn has_seccomp() -> Result<()> {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the action outlives the call.
    check(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) })
        .map(drop)
}

/// Makes a call by number, for probes. Returns the errno on failure.
pub(crate) fn raw_call(number: c_long, arguments: [c_long; 6]) -> std::result::Result<c_long, i32> {
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: only called from the probe program, whose one purpose is to try calls, with null or owned pointers.
    let answer = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    if answer < 0 { Err(Error::last_os_error().raw_os_error().unwrap_or(0)) } else { Ok(answer) }
}

/// Takes ownership of the helper's standard input, which is its control socket.
pub(crate) fn take_stdin() -> OwnedFd {
    // SAFETY: descriptor 0 is the control socket the engine gave this process; nothing else in it uses stdin.
    unsafe { OwnedFd::from_raw_fd(0) }
}
