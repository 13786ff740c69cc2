//! System calls: the only module of this crate with `unsafe`.
//!
//! Each function is a thin safe wrapper of one kernel call that neither libc nor std offers safely. Nothing is
//! decided here. Functions that may only run in the single-threaded helper process say so.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::io::{Error, ErrorKind, Result};
use std::mem::{MaybeUninit, size_of, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::Duration;

mod descriptors;
mod enforcement;
mod files;
mod identity;
mod mounts;
mod notifications;
mod probed;
mod processes;

pub(crate) use descriptors::*;
pub(crate) use enforcement::*;
pub(crate) use files::*;
pub(crate) use identity::*;
pub(crate) use mounts::*;
pub(crate) use notifications::*;
pub(crate) use probed::*;
pub(crate) use processes::*;

/// A C string from bytes. An inner NUL is an error and doesn't truncate.
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
    // SAFETY: every caller passes a descriptor that the kernel has just given to this process; nothing else owns
    // it.
    unsafe { OwnedFd::from_raw_fd(fd as RawFd) }
}
