//! The slow path: component by component on a stack of descriptors, reading one link at a time.
//!
//! Used if the fast path fails for a possibly harmless reason (an absolute link that stays inside, `..`, a missing
//! last component), and always without `openat2`. Paths outside every root are handled as text only: nothing there is
//! opened, so the result doesn't reveal whether it exists.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{self, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::code::Code;
use crate::root::Roots;

/// Most links followed, as in the kernel.
const MAX_LINKS: u8 = 40;
/// Most components in total, so that links to links can't make a path endless.
const MAX_STEPS: u16 = 8_192;
/// `PROC_SUPER_MAGIC` of linux/magic.h.
const PROC_MAGIC: i64 = 0x9fa0;

/// The result of a walk.
#[derive(Debug)]
pub(crate) struct Walked {
    /// Index of the root that the result lies in.
    pub(crate) root: usize,
    /// Resolved components below that root; missing ones included.
    pub(crate) below: Vec<OsString>,
    /// How many of `below` are missing.
    pub(crate) missing: usize,
    /// The file, or the deepest existing folder if something is missing. `None` means the root itself.
    pub(crate) fd: Option<OwnedFd>,
    /// Whether another device was entered.
    pub(crate) mounted: bool,
    /// Whether a dangling link named the missing part.
    pub(crate) dangling: bool,
}

/// Why a walk failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Astray {
    /// Outside every root.
    Outside {
        /// Whether a root was entered, a link followed or a `..` taken on the way.
        claimed: bool,
    },
    /// Another code.
    Code(Code),
}

enum Place {
    /// Outside the roots: a folded text in which links that are part of a root's given path are kept.
    Above(PathBuf),
    /// Inside a root, on a descriptor.
    In { root: usize, stack: Vec<(OsString, OwnedFd)> },
}

/// One walk.
pub(crate) struct Walk<'r> {
    roots: &'r Roots,
    place: Place,
    todo: VecDeque<OsString>,
    links: u8,
    steps: u16,
    claimed: bool,
    mounted: bool,
    /// Number of remaining components that don't come from a link's text.
    link_tail: usize,
    /// Whether the link at the end of the path must be a folder, by its spelling.
    folder_needed: bool,
}

impl<'r> Walk<'r> {
    /// Walks an absolute path. `follow_last`: whether a final link is followed.
    pub(crate) fn to(roots: &'r Roots, absolute: &Path, follow_last: bool) -> Result<Walked, Astray> {
        let mut walk = Self {
            roots,
            place: Place::Above(PathBuf::from("/")),
            todo: VecDeque::new(),
            links: 0,
            steps: 0,
            claimed: false,
            mounted: false,
            link_tail: usize::MAX,
            folder_needed: false,
        };
        walk.push(absolute.as_os_str());
        walk.enter();
        walk.run(follow_last)
    }

    fn push(&mut self, text: &OsStr) {
        let parts: Vec<OsString> = components(text).map(OsStr::to_owned).collect();
        for part in parts.into_iter().rev() {
            self.todo.push_front(part);
        }
    }

    fn run(mut self, follow_last: bool) -> Result<Walked, Astray> {
        while let Some(name) = self.todo.pop_front() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Astray::Code(Code::Loop));
            }
            if name == ".." {
                self.claimed = true;
                self.up();
                continue;
            }
            match &mut self.place {
                Place::Above(above) => {
                    above.push(&name);
                    self.enter();
                    if let Place::Above(above) = &self.place
                        && !self
                            .roots
                            .pinned
                            .iter()
                            .any(|root| root.path.starts_with(above) || root.given.starts_with(above))
                    {
                        return Err(Astray::Outside { claimed: self.claimed });
                    }
                }
                Place::In { .. } => {
                    if let Some(end) = self.step(name, follow_last)? {
                        return Ok(end);
                    }
                }
            }
        }
        match self.place {
            Place::Above(_) => Err(Astray::Outside { claimed: self.claimed }),
            Place::In { root, mut stack } => {
                let below = stack.iter().map(|(name, _)| name.clone()).collect();
                let fd = stack.pop().map(|(_, fd)| fd);
                Ok(Walked { root, below, missing: 0, fd, mounted: self.mounted, dangling: false })
            }
        }
    }

    /// Enters a root if the text has reached one.
    fn enter(&mut self) {
        let Place::Above(above) = &self.place else { return };
        let found = self.roots.pinned.iter().position(|root| root.path == *above || root.given == *above);
        if let Some(root) = found {
            self.place = Place::In { root, stack: Vec::new() };
        }
    }

    fn up(&mut self) {
        match &mut self.place {
            Place::In { root, stack } => {
                if stack.pop().is_some() {
                    return;
                }
                let path = self.roots.pinned.get(*root).map(|root| root.path.clone()).unwrap_or_default();
                self.place =
                    Place::Above(path.parent().map_or_else(|| PathBuf::from("/"), Path::to_path_buf));
                self.enter();
            }
            Place::Above(above) => {
                above.pop();
                self.enter();
            }
        }
    }

    /// Takes one component below a root; `Some` when the walk is over.
    fn step(&mut self, name: OsString, follow_last: bool) -> Result<Option<Walked>, Astray> {
        let last = self.todo.is_empty();
        let Place::In { root, stack } = &mut self.place else { return Ok(None) };
        let Some(pinned) = self.roots.pinned.get(*root) else { return Err(Astray::Code(Code::RootMissing)) };
        let folder: BorrowedFd<'_> = stack.last().map_or(pinned.fd.as_fd(), |(_, fd)| fd.as_fd());
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = match fs::openat(folder, &name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return self.missing(name).map(Some),
            Err(errno) => return Err(Astray::Code(code_of(errno))),
        };
        let stat = fs::fstat(&fd).map_err(|errno| Astray::Code(code_of(errno)))?;
        if is_link(&stat) && (follow_last || self.folder_needed || !last) {
            self.links += 1;
            if self.links > MAX_LINKS {
                return Err(Astray::Code(Code::Loop));
            }
            let magic = fs::fstatfs(&fd).is_ok_and(|file_system| is_proc(&file_system));
            if magic {
                return Err(Astray::Outside { claimed: true });
            }
            let target = fs::readlinkat(&fd, "", Vec::new()).map_err(|errno| Astray::Code(code_of(errno)))?;
            let target = OsString::from_vec(target.into_bytes());
            self.claimed = true;
            self.folder_needed |= last && names_a_folder(target.as_bytes());
            let in_link_text = self.todo.len() >= self.link_tail;
            if !in_link_text {
                self.link_tail = self.todo.len();
            }
            if target.as_bytes().first() == Some(&b'/') {
                self.place = Place::Above(PathBuf::from("/"));
                self.push(&target);
                self.enter();
            } else {
                self.push(&target);
            }
            return Ok(None);
        }
        let outer = fs::fstat(folder).map_err(|errno| Astray::Code(code_of(errno)))?;
        self.mounted |= outer.st_dev != stat.st_dev;
        if (!last || self.folder_needed) && !is_directory(&stat) {
            // A file that isn't a folder contains nothing, not even `..`.
            return Err(Astray::Code(Code::WrongKind));
        }
        stack.push((name, fd));
        Ok(None)
    }

    /// Handles a missing component: the rest is missing too. A `..` in the rest is refused. If it would lead out of
    /// the root, the error is the same as for existing folders.
    fn missing(&mut self, name: OsString) -> Result<Walked, Astray> {
        let dangling = self.todo.len() >= self.link_tail;
        let rest: Vec<OsString> = std::iter::once(name).chain(self.todo.drain(..)).collect();
        let Place::In { root, stack } = &mut self.place else {
            return Err(Astray::Outside { claimed: true });
        };
        let mut depth = i64::try_from(stack.len()).unwrap_or(i64::MAX);
        let mut climbs = false;
        for part in &rest {
            let up = part == "..";
            climbs |= up;
            depth += if up { -1 } else { 1 };
            if depth < 0 {
                return Err(Astray::Outside { claimed: true });
            }
        }
        if climbs {
            return Err(Astray::Code(Code::NotFound));
        }
        let mut below: Vec<OsString> = stack.iter().map(|(name, _)| name.clone()).collect();
        let fd = stack.pop().map(|(_, fd)| fd);
        let missing = rest.len();
        below.extend(rest);
        Ok(Walked { root: *root, below, missing, fd, mounted: self.mounted, dangling })
    }
}

/// Components of a path, without empty ones and `.`, but with `..`.
pub(crate) fn components(text: &OsStr) -> impl Iterator<Item = &OsStr> {
    text.as_bytes()
        .split(|byte| *byte == b'/')
        .filter(|name| !matches!(*name, b"" | b"."))
        .map(OsStr::from_bytes)
}

/// Whether a path can only mean a folder: it ends in `/` or `.`.
pub(crate) fn names_a_folder(text: &[u8]) -> bool {
    matches!(text.rsplit(|byte| *byte == b'/').next(), Some(b"" | b"."))
}

/// Links in procfs are magic: they jump instead of being resolved.
fn is_proc(file_system: &fs::StatFs) -> bool {
    #[allow(clippy::useless_conversion, reason = "narrower on some platforms")]
    let magic = i64::from(file_system.f_type);
    magic == PROC_MAGIC
}

/// Number of hard links.
pub(crate) fn names_of(stat: &Stat) -> u64 {
    #[allow(clippy::useless_conversion, reason = "narrower on some platforms")]
    let names = u64::from(stat.st_nlink);
    names
}

pub(crate) fn is_link(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Symlink
}

pub(crate) fn is_directory(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

pub(crate) fn code_of(errno: Errno) -> Code {
    match errno {
        Errno::NOENT => Code::NotFound,
        Errno::NOTDIR | Errno::ISDIR => Code::WrongKind,
        Errno::LOOP => Code::Loop,
        Errno::NAMETOOLONG => Code::TooLong,
        Errno::AGAIN => Code::Race,
        Errno::XDEV => Code::Escape,
        Errno::NOSYS | Errno::INVAL | Errno::TOOBIG => Code::UnsupportedKernel,
        _ => Code::Io,
    }
}
