//! Resolves a path to a file. The fast path asks the kernel once; the slow path walks, and then has the kernel prove
//! the link-free result. Ends with a descriptor that can't be read from (`O_PATH`) and its metadata.

use std::ffi::OsString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{self, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

use crate::code::{Code, PathRefusal};
use crate::root::{Pinned, Resolver, Roots};
use crate::walk::{Astray, Walk, Walked, code_of, components, names_a_folder};

/// Attempts before a constantly changing tree is refused.
const TRIES: u8 = 8;

/// The proof: no links on the path, no magic links, nothing above the root.
pub(crate) const PROOF: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link, if the operation acts on the name itself.
    Link,
    /// A pipe, socket or device.
    Special,
}

impl Kind {
    pub(crate) fn of(stat: &Stat) -> Self {
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            _ => Self::Special,
        }
    }
}

/// A location inside the roots, existing or not.
#[derive(Debug)]
pub(crate) struct Found<'r> {
    pub(crate) root: &'r Pinned,
    /// Components below `root`, free of links.
    pub(crate) below: Vec<OsString>,
    /// How many of them are missing.
    pub(crate) missing: usize,
    /// The file, or the deepest existing folder; `None` if that is the root itself.
    pub(crate) fd: Option<OwnedFd>,
    /// Metadata of the file, if it exists.
    pub(crate) stat: Option<Stat>,
    pub(crate) mounted: bool,
    pub(crate) dangling: bool,
}

impl Found<'_> {
    pub(crate) fn real(&self) -> PathBuf {
        let mut real = self.root.path.clone();
        real.extend(&self.below);
        real
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        self.stat.as_ref().map(Kind::of)
    }

    /// The file, or the deepest existing folder.
    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.fd.as_ref().map_or(self.root.fd.as_fd(), AsFd::as_fd)
    }
}

impl Roots {
    /// Resolves an absolute, unfolded path.
    pub(crate) fn locate(&self, absolute: &Path, follow_last: bool) -> Result<Found<'_>, Astray> {
        let folder = names_a_folder(absolute.as_os_str().as_bytes());
        let follow_last = follow_last || folder;
        for _ in 0..TRIES {
            let found = match self.fast(absolute, follow_last) {
                Some(found) => Ok(found),
                None => self.slow(absolute, follow_last),
            };
            match found {
                Err(Astray::Code(Code::Race)) => {}
                Ok(found) => {
                    let not_one = folder && found.kind().is_some_and(|kind| kind != Kind::Directory);
                    return if not_one { Err(Astray::Code(Code::WrongKind)) } else { Ok(found) };
                }
                Err(astray) => return Err(astray),
            }
        }
        Err(Astray::Code(Code::Race))
    }

    /// The link-free form of an absolute path, for look-ups only; missing components at its end are kept. `None` if
    /// it leads out of the roots or can't be resolved.
    #[must_use]
    pub fn real_path(&self, absolute: &Path) -> Option<PathBuf> {
        self.locate(absolute, true).ok().map(|found| found.real())
    }

    /// Opens a regular file for reading, for look-ups only: names aren't judged.
    #[must_use]
    pub fn open_for_look(&self, absolute: &Path) -> Option<OwnedFd> {
        let found = self.locate(absolute, true).ok()?;
        if found.kind() != Some(Kind::File) {
            return None;
        }
        let fd = self.reopen(&found, OFlags::RDONLY).ok()?;
        let stat = fs::fstat(&fd).ok()?;
        (Kind::of(&stat) == Kind::File).then_some(fd)
    }

    /// Resolves, in one system call, a path that begins with a root and has neither links nor `..`.
    fn fast(&self, absolute: &Path, follow_last: bool) -> Option<Found<'_>> {
        if self.resolver == Resolver::Walk {
            return None;
        }
        let parts: Vec<OsString> = components(absolute.as_os_str()).map(ToOwned::to_owned).collect();
        if parts.iter().any(|part| part == "..") {
            return None;
        }
        let root = self
            .pinned
            .iter()
            .filter(|root| spelled(&root.path, &parts).or_else(|| spelled(&root.given, &parts)).is_some())
            .max_by_key(|root| root.path.components().count())?;
        let skip = spelled(&root.path, &parts).or_else(|| spelled(&root.given, &parts))?;
        let below = parts.get(skip..)?.to_vec();
        match self.prove(root, &below, follow_last) {
            Ok((fd, stat)) => Some(Found {
                root,
                below,
                missing: 0,
                fd: Some(fd),
                stat: Some(stat),
                mounted: false,
                dangling: false,
            }),
            Err(Errno::NOENT) => {
                let parent = below.get(..below.len().checked_sub(1)?)?;
                let (fd, stat) = self.prove(root, parent, true).ok()?;
                let leaf = below.last()?;
                // If the last component exists after all, or is a dangling link, leave it to the walk.
                let gone = matches!(fs::statat(&fd, leaf, fs::AtFlags::SYMLINK_NOFOLLOW), Err(Errno::NOENT));
                (gone && crate::walk::is_directory(&stat)).then_some(Found {
                    root,
                    below,
                    missing: 1,
                    fd: Some(fd),
                    stat: None,
                    mounted: false,
                    dangling: false,
                })
            }
            Err(_) => None,
        }
    }

    fn slow(&self, absolute: &Path, follow_last: bool) -> Result<Found<'_>, Astray> {
        let Walked { root, below, missing, fd, mounted, dangling } = Walk::to(self, absolute, follow_last)?;
        let root = self.pinned.get(root).ok_or(Astray::Code(Code::RootMissing))?;
        let there = below.len().saturating_sub(missing);
        let existing = below.get(..there).unwrap_or_default();
        let walked = match &fd {
            Some(fd) => fs::fstat(fd),
            None => fs::fstat(&root.fd),
        }
        .map_err(|errno| Astray::Code(code_of(errno)))?;
        let (fd, mounted) = match self.resolver {
            Resolver::Walk => {
                if let Some(fd) = &fd {
                    same_name(fd, root, existing)?;
                }
                (fd, mounted)
            }
            Resolver::Kernel => {
                let (proof, stat, crossed) = match self.prove(root, existing, false) {
                    Ok((proof, stat)) => (proof, stat, false),
                    // The walk would have reported leaving the root, so this is a mount in between.
                    Err(Errno::XDEV) => {
                        let (proof, stat) = open_proof(root, existing, PROOF, false)
                            .map_err(|errno| Astray::Code(changed(errno)))?;
                        (proof, stat, true)
                    }
                    Err(errno) => return Err(Astray::Code(changed(errno))),
                };
                if (stat.st_dev, stat.st_ino) != (walked.st_dev, walked.st_ino) {
                    return Err(Astray::Code(Code::Race));
                }
                (Some(proof), crossed)
            }
        };
        let stat = (missing == 0).then_some(walked);
        Ok(Found { root, below, missing, fd, stat, mounted, dangling })
    }

    /// Opens link-free components below a root, on one mount.
    fn prove(&self, root: &Pinned, below: &[OsString], follow_last: bool) -> Result<(OwnedFd, Stat), Errno> {
        open_proof(root, below, PROOF | ResolveFlags::NO_XDEV, follow_last)
    }
}

fn open_proof(
    root: &Pinned,
    below: &[OsString],
    resolve: ResolveFlags,
    follow_last: bool,
) -> Result<(OwnedFd, Stat), Errno> {
    let mut flags = OFlags::PATH | OFlags::CLOEXEC;
    if !follow_last {
        flags |= OFlags::NOFOLLOW;
    }
    let text = relative(below);
    for _ in 0..TRIES {
        match fs::openat2(&root.fd, &text, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            Err(errno) => return Err(errno),
            Ok(fd) => {
                let stat = fs::fstat(&fd)?;
                return Ok((fd, stat));
            }
        }
    }
    Err(Errno::AGAIN)
}

/// The code for a failed proof after a successful walk: the tree was changed in between.
fn changed(errno: Errno) -> Code {
    match errno {
        Errno::LOOP | Errno::NOENT | Errno::NOTDIR | Errno::AGAIN | Errno::XDEV => Code::Race,
        errno => code_of(errno),
    }
}

/// Without `openat2`: the kernel's name for the descriptor must equal the walked path.
fn same_name(fd: &OwnedFd, root: &Pinned, below: &[OsString]) -> Result<(), Astray> {
    use std::os::fd::AsRawFd as _;
    let Ok(name) = fs::readlink(format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new()) else {
        return Err(Astray::Code(Code::UnsupportedKernel));
    };
    let mut expected = root.path.clone();
    expected.extend(below);
    if name.as_bytes() == expected.as_os_str().as_bytes() { Ok(()) } else { Err(Astray::Code(Code::Race)) }
}

/// Number of `parts` that make up the root's path, if they begin with it.
fn spelled(root: &Path, parts: &[OsString]) -> Option<usize> {
    let mut count = 0;
    for name in components(root.as_os_str()) {
        if parts.get(count).is_none_or(|part| part != name) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

pub(crate) fn relative(below: &[OsString]) -> OsString {
    if below.is_empty() {
        return OsString::from(".");
    }
    let mut text = OsString::new();
    for (index, part) in below.iter().enumerate() {
        if index > 0 {
            text.push("/");
        }
        text.push(part);
    }
    text
}

impl Astray {
    pub(crate) fn refusal(self, openly: bool) -> PathRefusal {
        match self {
            Self::Outside { .. } if openly => {
                PathRefusal::new(Code::Outside, "openly names a place outside the roots")
            }
            Self::Outside { .. } => PathRefusal::new(Code::Escape, "leads outside the roots"),
            Self::Code(code) => PathRefusal::new(code, detail(code)),
        }
    }
}

const fn detail(code: Code) -> &'static str {
    match code {
        Code::NotFound => "not there",
        Code::WrongKind => "a file where a folder is needed, or the other way round",
        Code::Loop => "too many links",
        Code::Race => "the tree kept changing",
        Code::UnsupportedKernel => "the kernel can't prove where it leads",
        _ => "the operating system refused",
    }
}
