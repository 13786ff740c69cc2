//! Users, groups and capabilities.

use super::*;

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

/// Sets real, effective and saved gid, then uid. Raw calls suffice: the helper has a single thread.
pub(crate) fn become_ids(uid: u32, gid: u32) -> Result<()> {
    // SAFETY: plain integer arguments.
    check(unsafe { libc::syscall(libc::SYS_setresgid, gid, gid, gid) })?;
    // SAFETY: as above.
    check(unsafe { libc::syscall(libc::SYS_setresuid, uid, uid, uid) }).map(drop)
}

/// Empties the bounding set, so that no program started from here can gain a capability.
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

/// Sets `no_new_privs`.
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
