//! Opens exactly the judged file or folder for reading.
//!
//! If a name changed since the judgement, the result is `path.race`, never another file.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use doorward_core::call::OutsideRoots;
use rustix::fs::{self, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use crate::access::Access;
use crate::code::{Code, PathRefusal};
use crate::resolve::{Found, Kind, PROOF, relative};
use crate::root::{Resolver, Roots};
use crate::walk::code_of;

/// An open file or folder inside the roots.
#[derive(Debug)]
pub struct Scoped {
    /// The descriptor; close-on-exec, blocking.
    pub fd: OwnedFd,
    /// Its path without links, for people and the ledger only.
    pub real: PathBuf,
}

impl Roots {
    /// Opens a path, as the agent sent it, for [`Access::Read`] or [`Access::List`]. `cwd`: the call's working folder.
    ///
    /// # Errors
    /// [`PathRefusal`]; what a person would be asked about is refused too.
    pub fn open_scoped(&self, input: &str, cwd: &Path, access: &Access) -> Result<Scoped, PathRefusal> {
        let flags = match access {
            Access::Read => OFlags::RDONLY,
            Access::List => OFlags::RDONLY | OFlags::DIRECTORY,
            _ => return Err(PathRefusal::new(Code::WrongKind, "not an access that opens")),
        };
        let (verdict, found) = self.judge(input, access, cwd, OutsideRoots::Strict);
        if let Some(reason) = verdict.reasons.first() {
            return Err(reason.clone());
        }
        let Some(found) = found else {
            let kind = verdict.kind.map(|_| PathRefusal::new(Code::WrongKind, "a device"));
            return Err(kind.unwrap_or_else(|| PathRefusal::new(Code::Escape, "not inside")));
        };
        if found.missing > 0 {
            return Err(PathRefusal::new(Code::NotFound, "not there"));
        }
        let judged = found.stat.ok_or_else(|| PathRefusal::new(Code::Race, "the tree kept changing"))?;
        let fd = self.reopen(&found, flags)?;
        let stat = fs::fstat(&fd).map_err(refused)?;
        if (stat.st_dev, stat.st_ino) != (judged.st_dev, judged.st_ino) {
            return Err(PathRefusal::new(Code::Race, "the name leads to another object now"));
        }
        Ok(Scoped { fd, real: verdict.real })
    }

    pub(crate) fn reopen(&self, found: &Found<'_>, flags: OFlags) -> Result<OwnedFd, PathRefusal> {
        // Non-blocking until the kind is checked again: a pipe swapped in must not block.
        let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = self.descend(found, flags)?;
        let blocking = fs::fcntl_getfl(&fd).map_err(refused)?.difference(OFlags::NONBLOCK);
        let stat = fs::fstat(&fd).map_err(refused)?;
        if Kind::of(&stat) == Kind::Special {
            return Err(PathRefusal::new(Code::SpecialFile, "a pipe, socket or device"));
        }
        fs::fcntl_setfl(&fd, blocking).map_err(refused)?;
        Ok(fd)
    }

    /// Opens the components below the root of `found` without following links.
    fn descend(&self, found: &Found<'_>, flags: OFlags) -> Result<OwnedFd, PathRefusal> {
        let (root, below) = (found.root, found.below.as_slice());
        if self.resolver == Resolver::Kernel {
            let mut resolve: ResolveFlags = PROOF;
            if !found.mounted {
                resolve |= ResolveFlags::NO_XDEV;
            }
            return fs::openat2(&root.fd, relative(below), flags, Mode::empty(), resolve).map_err(raced);
        }
        let mut at =
            fs::openat(&root.fd, ".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(refused)?;
        let Some((leaf, above)) = below.split_last() else {
            return fs::openat(&root.fd, ".", flags, Mode::empty()).map_err(refused);
        };
        for name in above {
            let step = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            at = fs::openat(&at, name, step, Mode::empty()).map_err(raced)?;
        }
        fs::openat(&at, leaf, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(raced)
    }
}

fn refused(errno: Errno) -> PathRefusal {
    PathRefusal::new(code_of(errno), format!("the operating system answered {errno}"))
}

/// The error for a link or gap that appeared after the judgement: the tree was changed meanwhile.
fn raced(errno: Errno) -> PathRefusal {
    match errno {
        Errno::LOOP | Errno::NOENT | Errno::NOTDIR | Errno::XDEV | Errno::AGAIN | Errno::EXIST => {
            PathRefusal::new(Code::Race, "the tree changed meanwhile")
        }
        errno => refused(errno),
    }
}
