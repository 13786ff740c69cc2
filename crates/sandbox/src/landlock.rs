//! Landlock: the second layer of file protection, and the only one in the restricted tier.
//!
//! Rights are handled up to the kernel's ABI; a right the kernel doesn't know can't be denied and is reported as a
//! gap. Landlock doesn't cover chmod, chown, utime and xattr, can't exclude a child of an allowed parent, and
//! before ABI 9 doesn't stop `connect()` to a Unix socket by path (Linux
//! `Documentation/userspace-api/landlock.rst`).

use std::io;
use std::os::fd::AsFd;

use serde::{Deserialize, Serialize};

use crate::plan::Raw;
use crate::sys;

const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const TRUNCATE: u64 = 1 << 14; // ABI 3
const IOCTL_DEV: u64 = 1 << 15; // ABI 5
const TCP_BIND_CONNECT: u64 = 0b11; // ABI 4
const SCOPE_ABSTRACT_SIGNAL: u64 = 0b11; // ABI 6

/// Rights below a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Grant {
    /// Read and execute a tree.
    Tree,
    /// Everything except creating device nodes.
    Write,
    /// Read one file.
    File,
    /// Read and write one device.
    Device,
}

/// One rule. A missing path grants nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) at: Raw,
    pub(crate) grant: Grant,
}

impl Rule {
    pub(crate) fn new(at: impl Into<Raw>, grant: Grant) -> Self {
        Self { at: at.into(), grant }
    }
}

/// Every file right that this ABI knows.
const fn handled(abi: u32) -> u64 {
    let base = (1 << 13) - 1; // ABI 1: thirteen rights, EXECUTE to MAKE_SYM
    let refer = if abi >= 2 { 1 << 13 } else { 0 };
    let truncate = if abi >= 3 { TRUNCATE } else { 0 };
    let ioctl = if abi >= 5 { IOCTL_DEV } else { 0 };
    base | refer | truncate | ioctl
}

/// Restricts this process and all it starts. `network` also denies TCP (restricted tier, which has no namespace).
pub(crate) fn restrict(rules: &[Rule], abi: u32, network: bool) -> io::Result<()> {
    const MAKE_CHAR: u64 = 1 << 6;
    const MAKE_BLOCK: u64 = 1 << 11;
    let all = handled(abi);
    let net = if network && abi >= 4 { TCP_BIND_CONNECT } else { 0 };
    let scoped = if abi >= 6 { SCOPE_ABSTRACT_SIGNAL } else { 0 };
    let ruleset = sys::landlock_ruleset(all, net, scoped)?;
    for rule in rules {
        let place = match sys::open_at(None, &rule.at.path(), libc::O_PATH, 0) {
            Ok(place) => place,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let on_file = READ_FILE | WRITE_FILE | EXECUTE | TRUNCATE | IOCTL_DEV;
        let access = match rule.grant {
            Grant::Tree => READ_FILE | READ_DIR | EXECUTE,
            Grant::Write => all & !(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV),
            Grant::File => READ_FILE | EXECUTE,
            Grant::Device => READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
        };
        let access = if sys::stat(place.as_fd())?.is_directory() { access } else { access & on_file };
        sys::landlock_allow(ruleset.as_fd(), place.as_fd(), access & all)?;
    }
    sys::landlock_restrict(ruleset.as_fd())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_abi_handles_what_it_knows() {
        assert_eq!(handled(1), 0x1fff);
        assert_eq!(handled(2), 0x3fff);
        assert_eq!(handled(3), 0x7fff);
        assert_eq!(handled(4), 0x7fff);
        assert_eq!(handled(7), 0xffff);
    }
}
