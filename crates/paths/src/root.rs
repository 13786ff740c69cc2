//! Permitted roots, pinned once: canonical path, descriptor, device and inode. If the directory at the path changed,
//! every access is refused.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use doorward_core::call::{Root, RootAccess};
use doorward_core::effect::Protection;
use rustix::fs::{self, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use crate::code::{Code, PathRefusal};
use crate::protected::OwnFiles;

/// Why the roots can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {path}: {detail}", code.as_str())]
pub struct PathError {
    /// `path.root_missing`, `path.root_relative` or `path.unsupported_kernel`.
    pub code: Code,
    /// The root as given.
    pub path: String,
    /// Explanation.
    pub detail: String,
}

/// How paths are resolved; recorded with the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resolver {
    /// `openat2`: the kernel proves that the path stays inside.
    Kernel,
    /// A stack of descriptors, for kernels and containers without `openat2`. Doesn't notice mounts of the same
    /// device.
    Walk,
}

/// A directory as it was when pinned.
#[derive(Debug)]
pub(crate) struct Pinned {
    /// The path as given, folded; absolute paths may begin with this form too.
    pub(crate) given: PathBuf,
    /// The path without links.
    pub(crate) path: PathBuf,
    pub(crate) fd: OwnedFd,
    pub(crate) dev: u64,
    pub(crate) ino: u64,
    pub(crate) access: RootAccess,
}

/// Permitted roots. The longest one that contains a resolved path decides.
#[derive(Debug)]
pub struct Roots {
    pub(crate) pinned: Vec<Pinned>,
    pub(crate) own: OwnFiles,
    pub(crate) relative_only: bool,
    pub(crate) resolver: Resolver,
}

impl Roots {
    /// Pins the roots.
    ///
    /// # Errors
    /// [`PathError`] if one is relative, missing or not a directory. Nothing is permitted then.
    pub fn open(roots: &[Root]) -> Result<Self, PathError> {
        let pinned = roots.iter().map(pin).collect::<Result<Vec<_>, _>>()?;
        let resolver = pinned.first().map_or(Resolver::Kernel, |root| resolver_of(&root.fd));
        let mut own = OwnFiles::new();
        for target in pinned.iter().filter_map(|root| git_directory(&root.path)) {
            own.add(target, Protection::Deny);
        }
        Ok(Self { pinned, own, relative_only: false, resolver })
    }

    /// Adds Doorward's own files and other protected locations.
    #[must_use]
    pub fn protecting(mut self, places: impl IntoIterator<Item = (PathBuf, Protection)>) -> Self {
        for (place, class) in places {
            self.own.add(place, class);
        }
        self
    }

    /// Refuses absolute paths and `..` (`paths.relative_only`).
    #[must_use]
    pub const fn relative_only(mut self, only: bool) -> Self {
        self.relative_only = only;
        self
    }

    /// Selects a resolver; [`Resolver::Kernel`] is used only if the kernel supports it.
    #[must_use]
    pub fn resolving(mut self, resolver: Resolver) -> Self {
        if resolver == Resolver::Walk || self.pinned.iter().all(|root| resolver_of(&root.fd) == resolver) {
            self.resolver = resolver;
        }
        self
    }

    /// How paths are resolved.
    #[must_use]
    pub const fn resolver(&self) -> Resolver {
        self.resolver
    }

    /// The canonical path of the working root.
    #[must_use]
    pub fn working(&self) -> Option<&Path> {
        self.pinned.first().map(|root| root.path.as_path())
    }

    /// The root that decides about a resolved path.
    pub(crate) fn deciding(&self, real: &Path) -> Option<(usize, &Pinned)> {
        self.pinned
            .iter()
            .enumerate()
            .filter(|(_, root)| real.starts_with(&root.path))
            // Of two equal roots, the stricter decides.
            .max_by_key(|(_, root)| (root.path.components().count(), root.access != RootAccess::Write))
    }

    /// Compares the root `entered`, and all roots below it, with their pinned identity.
    pub(crate) fn verify(&self, entered: &Pinned) -> Result<(), PathRefusal> {
        self.pinned
            .iter()
            .filter(|root| std::ptr::eq(*root, entered) || root.path.starts_with(&entered.path))
            .try_for_each(|root| match fs::stat(&root.path) {
                Ok(stat) if (stat.st_dev, stat.st_ino) == (root.dev, root.ino) => Ok(()),
                Ok(_) => {
                    Err(PathRefusal::new(Code::RootReplaced, "a root is not the directory it was at start"))
                }
                Err(_) => Err(PathRefusal::new(Code::RootReplaced, "a root is gone")),
            })
    }
}

fn pin(root: &Root) -> Result<Pinned, PathError> {
    let refuse = |code, detail: &str| PathError { code, path: root.path.clone(), detail: detail.to_owned() };
    let given = Path::new(&root.path);
    if !given.is_absolute() {
        return Err(refuse(Code::RootRelative, "a root must be an absolute path"));
    }
    let path =
        std::fs::canonicalize(given).map_err(|_| refuse(Code::RootMissing, "not there, or not reachable"))?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let fd =
        fs::open(&path, flags, Mode::empty()).map_err(|_| refuse(Code::RootMissing, "not a directory"))?;
    let stat = fs::fstat(&fd).map_err(|_| refuse(Code::RootMissing, "can't be looked at"))?;
    let given = PathBuf::from(crate::lexical::fold(&root.path));
    Ok(Pinned { given, path, fd, dev: stat.st_dev, ino: stat.st_ino, access: root.access })
}

fn resolver_of(fd: &OwnedFd) -> Resolver {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    match fs::openat2(fd, ".", flags, Mode::empty(), ResolveFlags::BENEATH) {
        // Old container filters answer EPERM for unknown system calls.
        Err(Errno::NOSYS | Errno::PERM) => Resolver::Walk,
        _ => Resolver::Kernel,
    }
}

/// The repository folder that a `.git` file points to.
fn git_directory(root: &Path) -> Option<PathBuf> {
    let file = root.join(".git");
    let meta = std::fs::symlink_metadata(&file).ok()?;
    if meta.is_symlink() {
        return std::fs::canonicalize(&file).ok();
    }
    if !meta.is_file() || meta.len() > 4096 {
        return None;
    }
    let text = crate::bounded::read_text(&file).ok()?;
    let target = text.strip_prefix("gitdir:")?.trim();
    std::fs::canonicalize(root.join(target)).ok()
}
