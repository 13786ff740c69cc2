//! Operations on descriptors: exactly the judged file is opened, created, moved or removed.
//!
//! Every function judges first and then acts on the judged descriptor. If a name changed in between, the result is
//! `path.race`, never another file.

use std::ffi::OsString;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use doorward_core::call::OutsideRoots;
use rustix::fs::{self, AtFlags, Mode, OFlags, RenameFlags, ResolveFlags, Stat};
use rustix::io::Errno;

use crate::access::Access;
use crate::check::Verdict;
use crate::code::{Answer, Code, Refusal};
use crate::resolve::{Found, Kind, PROOF, relative};
use crate::root::{Resolver, Roots};
use crate::walk::{code_of, names_of};

/// Most nested folders in one recursive delete.
const TREE_DEPTH: usize = 512;

/// A requested operation.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The path as the agent sent it.
    pub input: &'a str,
    /// The call's working folder.
    pub cwd: &'a Path,
    /// How paths outside the roots are judged.
    pub outside: OutsideRoots,
    /// Reasons to ask that a person or a rule has approved. Never lifts a denial.
    pub granted: &'a [Code],
}

impl<'a> Request<'a> {
    /// With strict roots and no approvals.
    #[must_use]
    pub const fn new(input: &'a str, cwd: &'a Path) -> Self {
        Self { input, cwd, outside: OutsideRoots::Strict, granted: &[] }
    }
}

/// An open file inside the roots.
#[derive(Debug)]
pub struct Scoped {
    /// The descriptor; close-on-exec, blocking.
    pub fd: OwnedFd,
    /// Its kind.
    pub kind: Kind,
    /// Its path without links, for people and the ledger only.
    pub real: PathBuf,
    /// Number of its hard links.
    pub nlink: u64,
    /// Whether this call created it.
    pub created: bool,
    /// Remarks about an allowed access (such as reading a hard link).
    pub remarks: Vec<Code>,
}

impl Roots {
    /// Opens for [`Access::Read`], [`Access::List`], [`Access::Write`], [`Access::Append`] or [`Access::Create`].
    ///
    /// Creates missing parent folders of a new file. Writing doesn't truncate; the caller does, after its own checks.
    ///
    /// # Errors
    /// [`Refusal`]; with [`Answer::Ask`], an approval of its code would allow the access.
    pub fn open_scoped(&self, request: &Request<'_>, access: &Access) -> Result<Scoped, Refusal> {
        let (verdict, found) = self.admitted(request, access)?;
        let Some(found) = found else { return open_sink(&verdict, access) };
        let flags = flags_of(access)?;
        if found.missing > 0 {
            if !access.writes() || found.dangling {
                return Err(Refusal::new(Code::NotFound, "not there"));
            }
            return self.create(&found, flags);
        }
        if *access == Access::Create {
            return Err(Refusal::new(Code::WrongKind, "already there"));
        }
        let judged = found.stat.ok_or_else(|| Refusal::new(Code::Race, "the tree kept changing"))?;
        let fd = self.reopen(&found, flags)?;
        let stat = fs::fstat(&fd).map_err(refused)?;
        if (stat.st_dev, stat.st_ino) != (judged.st_dev, judged.st_ino) {
            return Err(Refusal::new(Code::Race, "the name leads to another object now"));
        }
        let mut remarks = Vec::new();
        if Kind::of(&stat) == Kind::File && stat.st_nlink > 1 {
            remarks.push(Code::Hardlink);
        }
        scoped(fd, &stat, verdict.real, false, remarks)
    }

    /// Creates a folder and missing parents.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn make_directory(&self, request: &Request<'_>) -> Result<(), Refusal> {
        let (_, found) = self.admitted(request, &Access::MakeDir)?;
        let found = found.ok_or_else(|| Refusal::new(Code::WrongKind, "already there"))?;
        if found.missing == 0 || found.dangling {
            return Err(Refusal::new(Code::WrongKind, "already there"));
        }
        make_folders(&found, 0).map(drop)
    }

    /// Removes one name: a file, a link (never its target), an empty folder.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn delete(&self, request: &Request<'_>) -> Result<(), Refusal> {
        let (found, judged) = self.existing(request, &Access::Delete)?;
        let (parent, leaf) = self.parent(&found)?;
        unlink(parent.as_fd(), &leaf, &judged)
    }

    /// Removes a folder with its content, on one device, without following links.
    ///
    /// # Errors
    /// [`Refusal`]; files removed until then stay removed.
    pub fn delete_tree(&self, request: &Request<'_>) -> Result<(), Refusal> {
        let (found, judged) = self.existing(request, &Access::DeleteTree)?;
        let (parent, leaf) = self.parent(&found)?;
        if Kind::of(&judged) == Kind::Directory {
            empty(found.handle(), judged.st_dev, TREE_DEPTH)?;
        }
        unlink(parent.as_fd(), &leaf, &judged)
    }

    /// Moves. Replaces an existing target only with `replace`.
    ///
    /// # Errors
    /// [`Refusal`] of either path.
    pub fn rename(&self, from: &Request<'_>, to: &Request<'_>, replace: bool) -> Result<(), Refusal> {
        let (source, judged) = self.existing(from, &Access::RenameFrom)?;
        let (target_parent, target_leaf) = self.place_for(to, &Access::RenameTo)?;
        let (source_parent, source_leaf) = self.parent(&source)?;
        same(source_parent.as_fd(), &source_leaf, &judged)?;
        let flags = if replace { RenameFlags::empty() } else { RenameFlags::NOREPLACE };
        fs::renameat_with(&source_parent, &source_leaf, &target_parent, &target_leaf, flags).map_err(refused)
    }

    /// Creates a symbolic link. Its target is judged as if the link were followed at once.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn symlink(&self, link: &Request<'_>, target: &str) -> Result<(), Refusal> {
        let (parent, leaf) = self.place_for(link, &Access::SymlinkTo(target.to_owned()))?;
        fs::symlinkat(target, &parent, &leaf).map_err(refused)
    }

    /// Creates a hard link to an existing file that is neither protected nor secret.
    ///
    /// # Errors
    /// [`Refusal`] of either path.
    pub fn hard_link(&self, existing: &Request<'_>, link: &Request<'_>) -> Result<(), Refusal> {
        let (source, judged) = self.existing(existing, &Access::LinkFrom)?;
        if Kind::of(&judged) != Kind::File {
            return Err(Refusal::new(Code::WrongKind, "only files have hard links"));
        }
        let (source_parent, source_leaf) = self.parent(&source)?;
        let (parent, leaf) = self.place_for(link, &Access::LinkTo)?;
        same(source_parent.as_fd(), &source_leaf, &judged)?;
        fs::linkat(&source_parent, &source_leaf, &parent, &leaf, AtFlags::empty()).map_err(refused)
    }

    /// Sets mode bits on the descriptor; never set-uid, set-gid or world-writable.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn change_mode(&self, request: &Request<'_>, mode: u32) -> Result<(), Refusal> {
        let (found, judged) = self.existing(request, &Access::Chmod(mode))?;
        let fd = self.reopen(&found, OFlags::RDONLY)?;
        let stat = fs::fstat(&fd).map_err(refused)?;
        if (stat.st_dev, stat.st_ino) != (judged.st_dev, judged.st_ino) {
            return Err(Refusal::new(Code::Race, "the name leads to another object now"));
        }
        fs::fchmod(&fd, Mode::from_raw_mode(mode)).map_err(refused)
    }

    fn admitted(
        &self,
        request: &Request<'_>,
        access: &Access,
    ) -> Result<(Verdict, Option<Found<'_>>), Refusal> {
        let (verdict, found) = self.judge(request.input, access, request.cwd, request.outside);
        let unsettled = verdict
            .reasons
            .iter()
            .find(|reason| reason.answer == Answer::Deny || !request.granted.contains(&reason.code));
        match unsettled {
            Some(reason) => Err(reason.clone()),
            None if found.is_none() && verdict.kind.is_none() => {
                Err(Refusal::new(Code::Escape, "not inside"))
            }
            None => Ok((verdict, found)),
        }
    }

    fn existing(&self, request: &Request<'_>, access: &Access) -> Result<(Found<'_>, Stat), Refusal> {
        let (_, found) = self.admitted(request, access)?;
        let found = found.ok_or_else(|| Refusal::new(Code::SpecialFile, "a device"))?;
        let stat = found.stat.ok_or_else(|| Refusal::new(Code::NotFound, "not there"))?;
        Ok((found, stat))
    }

    /// The folder and the unused name for a new file; doesn't create missing folders.
    fn place_for(&self, request: &Request<'_>, access: &Access) -> Result<(OwnedFd, OsString), Refusal> {
        let (_, found) = self.admitted(request, access)?;
        let found = found.ok_or_else(|| Refusal::new(Code::SpecialFile, "a device"))?;
        if found.missing > 1 || found.dangling {
            return Err(Refusal::new(Code::NotFound, "the folder is not there"));
        }
        self.parent(&found)
    }

    /// The parent folder, proven again to be below the root.
    fn parent(&self, found: &Found<'_>) -> Result<(OwnedFd, OsString), Refusal> {
        let Some((leaf, above)) = found.below.split_last() else {
            return Err(Refusal::new(Code::WholeRoot, "the root itself"));
        };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok((self.descend(found, above, flags)?, leaf.clone()))
    }

    pub(crate) fn reopen(&self, found: &Found<'_>, flags: OFlags) -> Result<OwnedFd, Refusal> {
        // Non-blocking until the kind is checked again: a pipe swapped in must not block.
        let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = self.descend(found, &found.below, flags)?;
        let blocking = fs::fcntl_getfl(&fd).map_err(refused)?.difference(OFlags::NONBLOCK);
        let stat = fs::fstat(&fd).map_err(refused)?;
        if Kind::of(&stat) == Kind::Special {
            return Err(Refusal::new(Code::SpecialFile, "a pipe, socket or device"));
        }
        fs::fcntl_setfl(&fd, blocking).map_err(refused)?;
        Ok(fd)
    }

    /// Opens components without links below the root of `found`.
    fn descend(&self, found: &Found<'_>, below: &[OsString], flags: OFlags) -> Result<OwnedFd, Refusal> {
        let root = found.root;
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

    fn create(&self, found: &Found<'_>, flags: OFlags) -> Result<Scoped, Refusal> {
        let leaf = found.below.last().ok_or_else(|| Refusal::new(Code::WholeRoot, "the root itself"))?;
        let made = make_folders(found, 1)?;
        let folder = made.as_ref().map_or_else(|| found.handle(), |fd| fd.as_fd());
        let flags =
            flags | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let fd = fs::openat(folder, leaf, flags, Mode::from_raw_mode(0o666)).map_err(raced)?;
        let stat = fs::fstat(&fd).map_err(refused)?;
        scoped(fd, &stat, found.real(), true, Vec::new())
    }
}

/// Creates the missing folders except the last `keep` components; reopens each without following links.
fn make_folders(found: &Found<'_>, keep: usize) -> Result<Option<OwnedFd>, Refusal> {
    let there = found.below.len().saturating_sub(found.missing);
    let until = found.below.len().saturating_sub(keep);
    let mut at: Option<OwnedFd> = None;
    for name in found.below.get(there..until).unwrap_or_default() {
        let folder = at.as_ref().map_or_else(|| found.handle(), |fd| fd.as_fd());
        match fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(refused(errno)),
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let next = fs::openat(folder, name, flags, Mode::empty()).map_err(raced)?;
        at = Some(next);
    }
    Ok(at)
}

fn flags_of(access: &Access) -> Result<OFlags, Refusal> {
    match access {
        Access::Read => Ok(OFlags::RDONLY),
        Access::List => Ok(OFlags::RDONLY | OFlags::DIRECTORY),
        Access::Write | Access::Create => Ok(OFlags::RDWR),
        Access::Append => Ok(OFlags::WRONLY | OFlags::APPEND),
        _ => Err(Refusal::new(Code::WrongKind, "not an access that opens")),
    }
}

fn open_sink(verdict: &Verdict, access: &Access) -> Result<Scoped, Refusal> {
    let flags = flags_of(access)? | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let fd = fs::open("/dev/null", flags, Mode::empty()).map_err(refused)?;
    let stat = fs::fstat(&fd).map_err(refused)?;
    // Number assigned by Linux: character device 1:3.
    if fs::FileType::from_raw_mode(stat.st_mode) != fs::FileType::CharacterDevice
        || (fs::major(stat.st_rdev), fs::minor(stat.st_rdev)) != (1, 3)
    {
        return Err(Refusal::new(Code::SpecialFile, "/dev/null is something else here"));
    }
    Ok(Scoped {
        fd,
        kind: Kind::Special,
        real: verdict.real.clone(),
        nlink: 1,
        created: false,
        remarks: Vec::new(),
    })
}

fn scoped(
    fd: OwnedFd,
    stat: &Stat,
    real: PathBuf,
    created: bool,
    remarks: Vec<Code>,
) -> Result<Scoped, Refusal> {
    Ok(Scoped { fd, kind: Kind::of(stat), real, nlink: names_of(stat), created, remarks })
}

fn same(parent: BorrowedFd<'_>, leaf: &OsString, judged: &Stat) -> Result<(), Refusal> {
    let now = fs::statat(parent, leaf, AtFlags::SYMLINK_NOFOLLOW).map_err(raced)?;
    if (now.st_dev, now.st_ino) == (judged.st_dev, judged.st_ino) {
        Ok(())
    } else {
        Err(Refusal::new(Code::Race, "the name leads to another object now"))
    }
}

fn unlink(parent: BorrowedFd<'_>, leaf: &OsString, judged: &Stat) -> Result<(), Refusal> {
    same(parent, leaf, judged)?;
    let flags = if Kind::of(judged) == Kind::Directory { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    fs::unlinkat(parent, leaf, flags).map_err(refused)
}

/// Empties a folder by descriptor. Links are removed as names; another device stops it.
fn empty(folder: BorrowedFd<'_>, device: u64, depth: usize) -> Result<(), Refusal> {
    if depth == 0 {
        return Err(Refusal::new(Code::TooLong, "nested deeper than is descended into"));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let listing = fs::openat(folder, ".", flags, Mode::empty()).map_err(raced)?;
    let entries: Vec<OsString> = fs::Dir::read_from(&listing)
        .map_err(refused)?
        .filter_map(Result::ok)
        .map(|entry| std::os::unix::ffi::OsStringExt::from_vec(entry.file_name().to_bytes().to_vec()))
        .filter(|name: &OsString| name != "." && name != "..")
        .collect();
    for name in entries {
        let stat = fs::statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW).map_err(raced)?;
        if Kind::of(&stat) != Kind::Directory {
            fs::unlinkat(folder, &name, AtFlags::empty()).map_err(refused)?;
            continue;
        }
        let child = fs::openat(folder, &name, flags, Mode::empty()).map_err(raced)?;
        let opened = fs::fstat(&child).map_err(refused)?;
        if opened.st_dev != device {
            return Err(Refusal::new(Code::Mount, "another device below the folder"));
        }
        empty(child.as_fd(), device, depth - 1)?;
        fs::unlinkat(folder, &name, AtFlags::REMOVEDIR).map_err(refused)?;
    }
    Ok(())
}

fn refused(errno: Errno) -> Refusal {
    Refusal::new(code_of(errno), format!("the operating system answered {errno}"))
}

/// The error for a link or gap that appeared after the judgement: the tree was changed meanwhile.
fn raced(errno: Errno) -> Refusal {
    match errno {
        Errno::LOOP | Errno::NOENT | Errno::NOTDIR | Errno::XDEV | Errno::AGAIN | Errno::EXIST => {
            Refusal::new(Code::Race, "the tree changed meanwhile")
        }
        errno => refused(errno),
    }
}
