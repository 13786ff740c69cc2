//! Calls that only the probe program makes.

/// Calls `getpid` through the 32-bit entry; negative if refused. Raises a signal if the kernel has no such entry.
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

/// This architecture has no second table that our filter could miss: AArch32 calls carry their own.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn legacy_getpid() -> i64 {
    -1
}
