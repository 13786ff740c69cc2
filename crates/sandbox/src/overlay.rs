//! Writes collected beside a root for review (`doorward run --review`).
//!
//! The program sees an overlay file system; its writes land in a store of ours. [`Overlay::changes`] lists the
//! changes, [`Overlay::merge`] applies them: below the root only, never through a link, and not over a file that
//! changed meanwhile. Links planted inside are checked again here, outside the sandbox, where they would be
//! followed (CVE-2026-39861). A store that isn't merged is deleted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use doorward_core::effect::{DeleteEffect, Effects, Scope, Tri, WriteEffect};
use doorward_core::intent::{Certainty, WriteMode};
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;
use crate::git::{config, find, names};
use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// Limit on changes listed; a run with more is merged or dropped as a whole.
const MOST: usize = 100_000;

/// Holds the collected writes of one root.
#[derive(Debug)]
pub(crate) struct WriteStore {
    folder: PathBuf,
    root: PathBuf,
    owner: Option<(u32, u32)>,
    since: SystemTime,
}

impl WriteStore {
    /// `owner` is the run's uid and gid, if not our own.
    pub(crate) fn create(
        below: Option<&Path>,
        root: &Path,
        owner: Option<(u32, u32)>,
    ) -> Result<Self, SandboxError> {
        let folder = crate::engine::private_folder(below)?;
        let store = Self { folder, root: root.to_owned(), owner, since: SystemTime::now() };
        let fault = |error: io::Error| SandboxError::Overlay(error.to_string());
        for part in ["upper", "work"] {
            fs::create_dir(store.folder.join(part)).map_err(fault)?;
        }
        store.mirror(Path::new("")).map_err(fault)?;
        Ok(store)
    }

    /// Makes the parent folders of `below` in the store with owner and mode of those in the root: a merged folder
    /// takes owner and mode from the upper one.
    pub(crate) fn mirror(&self, below: &Path) -> io::Result<()> {
        let mut place = PathBuf::new();
        for part in std::iter::once(std::path::Component::CurDir).chain(below.components()) {
            place.push(part);
            let upper = self.upper().join(&place);
            if !upper.exists() {
                fs::create_dir(&upper)?;
            }
            if let Some((uid, gid)) = self.owner {
                std::os::unix::fs::chown(&upper, Some(uid), Some(gid))?;
            }
            fs::set_permissions(&upper, fs::metadata(self.root.join(&place))?.permissions())?;
        }
        Ok(())
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn upper(&self) -> PathBuf {
        self.folder.join("upper")
    }
}

impl Drop for WriteStore {
    fn drop(&mut self) {
        // The kernel leaves its work folder without permissions.
        let _ = fs::set_permissions(self.folder.join("work/work"), PermissionsExt::from_mode(0o700));
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Didn't exist before.
    Created,
    /// Content changed.
    Modified,
    /// Only permissions changed.
    Mode,
    /// Was deleted.
    Deleted,
}

/// Type of the changed entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A plain file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A fifo, socket or device: never merged.
    Special,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectedChange {
    /// Relative to the root.
    pub path: PathBuf,
    /// Kind of change.
    pub kind: ChangeKind,
    /// Type of the entry, or its former type if deleted.
    pub entry: EntryKind,
    /// Bytes before.
    pub before: u64,
    /// Bytes after.
    pub after: u64,
    /// Why it isn't merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<MergeRefusal>,
}

/// Why a change isn't merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeRefusal {
    /// Part of a repository or settings folder from which other programs run code.
    Protected,
    /// A link that leads out of the root.
    LinkOut,
    /// Not a regular file, directory or link.
    Special,
    /// Changed from outside since the run began.
    Conflict,
}

/// Collected writes of one root.
#[derive(Debug)]
pub struct Overlay {
    store: WriteStore,
    /// Caches which folders of the root are repositories.
    known: RefCell<HashMap<PathBuf, bool>>,
    /// Repositories made inside; true if they would run programs.
    made: RefCell<HashMap<PathBuf, bool>>,
}

/// Result of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Merged {
    /// Number of changes applied.
    pub applied: usize,
    /// Changes left out, with the reason.
    pub refused: Vec<CollectedChange>,
}

impl Overlay {
    pub(crate) fn new(store: WriteStore) -> Self {
        Self { store, known: RefCell::default(), made: RefCell::default() }
    }

    /// The root the writes are meant for.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.store.root()
    }

    /// The changes, parents before children.
    ///
    /// # Errors
    /// [`SandboxError::Overlay`] if the store can't be read.
    pub fn changes(&self) -> Result<Vec<CollectedChange>, SandboxError> {
        let mut changes = Vec::new();
        self.compare(Path::new(""), &mut changes)
            .map_err(|error| SandboxError::Overlay(error.to_string()))?;
        Ok(changes)
    }

    /// The changes as readable text: one line per entry, and a line diff for text files.
    ///
    /// # Errors
    /// [`SandboxError::Overlay`] if the store can't be read.
    pub fn diff(&self) -> Result<String, SandboxError> {
        let mut text = String::new();
        for change in self.changes()? {
            crate::patch::describe(
                &change,
                &self.store.root.join(&change.path),
                &self.store.upper().join(&change.path),
                &mut text,
            );
        }
        Ok(text)
    }

    /// Applies the changes. Refused ones are left out and listed.
    ///
    /// # Errors
    /// [`SandboxError::Overlay`] at the first change that can't be applied; earlier ones stay applied.
    pub fn merge(self) -> Result<Merged, SandboxError> {
        let mut merged = Merged::default();
        let changes = self.changes()?;
        let root =
            sys::open_at(None, &self.store.root, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)
                .map_err(|error| SandboxError::Overlay(error.to_string()))?;
        // Deletes the deepest paths first, so that directories are empty when deleted.
        let (deleted, kept): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.kind == ChangeKind::Deleted);
        for change in deleted.into_iter().rev().chain(kept) {
            if change.refused.is_some() {
                merged.refused.push(change);
                continue;
            }
            self.apply(&root, &change)
                .map_err(|error| SandboxError::Overlay(format!("{}: {error}", change.path.display())))?;
            merged.applied += 1;
        }
        Ok(merged)
    }

    fn compare(&self, below: &Path, changes: &mut Vec<CollectedChange>) -> io::Result<()> {
        let upper = self.store.upper().join(below);
        let mut entries: Vec<_> = fs::read_dir(&upper)?.flatten().map(|entry| entry.file_name()).collect();
        entries.sort();
        if is_opaque(&upper) {
            for name in names(&self.store.root.join(below)) {
                if !entries.contains(&name) {
                    self.deleted(&below.join(name), changes);
                }
            }
        }
        for name in entries {
            if changes.len() >= MOST {
                return Err(io::Error::from_raw_os_error(libc::E2BIG));
            }
            let path = below.join(&name);
            let new = fs::symlink_metadata(upper.join(&name))?;
            let old = fs::symlink_metadata(self.store.root.join(&path)).ok();
            if new.file_type().is_char_device() && new.rdev() == 0 {
                self.deleted(&path, changes);
                continue;
            }
            self.entry(&path, &new, old.as_ref(), changes)?;
        }
        Ok(())
    }

    fn entry(
        &self,
        path: &Path,
        new: &fs::Metadata,
        old: Option<&fs::Metadata>,
        changes: &mut Vec<CollectedChange>,
    ) -> io::Result<()> {
        let entry = kind(new);
        let old_kind = old.map(kind);
        if let (Some(old_kind), true) = (old_kind, old_kind.is_some_and(|old| old != entry)) {
            let _ = old_kind;
            self.deleted(path, changes);
        }
        let same_kind = old.filter(|_| old_kind == Some(entry));
        let change = match same_kind {
            None => Some(ChangeKind::Created),
            Some(old) if self.differs(path, entry, new, old)? => Some(ChangeKind::Modified),
            Some(old) if old.mode() != new.mode() && entry != EntryKind::Link => Some(ChangeKind::Mode),
            Some(_) => None,
        };
        if let Some(kind) = change {
            let refused = self.refusal(path, entry, same_kind);
            let before = same_kind.map_or(0, fs::Metadata::len);
            changes.push(CollectedChange {
                path: path.to_owned(),
                kind,
                entry,
                before,
                after: new.len(),
                refused,
            });
        }
        if entry == EntryKind::Directory {
            self.compare(path, changes)?;
        }
        Ok(())
    }

    fn differs(
        &self,
        path: &Path,
        entry: EntryKind,
        new: &fs::Metadata,
        old: &fs::Metadata,
    ) -> io::Result<bool> {
        let (lower, upper) = (self.store.root.join(path), self.store.upper().join(path));
        Ok(match entry {
            EntryKind::File => new.len() != old.len() || fs::read(&lower).ok() != Some(fs::read(&upper)?),
            EntryKind::Link => fs::read_link(&lower).ok() != Some(fs::read_link(&upper)?),
            EntryKind::Directory => false,
            EntryKind::Special => true,
        })
    }

    /// Adds a deletion, and one for everything below it.
    fn deleted(&self, path: &Path, changes: &mut Vec<CollectedChange>) {
        let Ok(old) = fs::symlink_metadata(self.store.root.join(path)) else { return };
        let entry = kind(&old);
        let refused = self
            .refusal(path, EntryKind::File, Some(&old))
            .filter(|refusal| *refusal != MergeRefusal::LinkOut);
        let before = old.len();
        let kind = ChangeKind::Deleted;
        changes.push(CollectedChange { path: path.to_owned(), kind, entry, before, after: 0, refused });
        if entry == EntryKind::Directory {
            for name in names(&self.store.root.join(path)) {
                self.deleted(&path.join(name), changes);
            }
        }
    }

    fn refusal(&self, path: &Path, entry: EntryKind, old: Option<&fs::Metadata>) -> Option<MergeRefusal> {
        if entry == EntryKind::Special {
            return Some(MergeRefusal::Special);
        }
        if has_protected_name(path) || self.in_closed_repository(path) {
            return Some(MergeRefusal::Protected);
        }
        if entry == EntryKind::Link && !self.link_stays_inside(path) {
            return Some(MergeRefusal::LinkOut);
        }
        let touched = |old: &fs::Metadata| old.modified().is_ok_and(|time| time > self.store.since);
        (old.filter(|old| !old.is_dir()).is_some_and(touched)).then_some(MergeRefusal::Conflict)
    }

    /// Whether a path can make git run programs: in an existing repository, the names that git itself doesn't
    /// write; in one made inside, everything, if it would run programs.
    fn in_closed_repository(&self, path: &Path) -> bool {
        let content = || fs::read(self.store.upper().join(path)).ok();
        let mut folder = PathBuf::new();
        let mut parts = path.components();
        loop {
            if self.repository(&folder, find::is_git_directory) && is_closed(parts.as_path(), content) {
                return true;
            }
            let Some(part) = parts.next() else { break };
            folder.push(part);
            if part.as_os_str() == ".git" {
                let there = fs::symlink_metadata(self.store.root.join(&folder)).is_ok();
                return if there {
                    is_closed(parts.as_path(), content)
                } else {
                    self.would_run_programs(&folder)
                };
            }
        }
        // A bare repository made inside counts as one once it has HEAD.
        path.file_name().is_some_and(|name| name == "HEAD") && {
            let bare = path.parent().unwrap_or(Path::new(""));
            self.is_bare(bare) && self.would_run_programs(bare)
        }
    }

    fn is_bare(&self, folder: &Path) -> bool {
        let has = |name: &str| {
            let name = folder.join(name);
            [self.store.upper(), self.store.root.clone()]
                .iter()
                .any(|place| fs::symlink_metadata(place.join(&name)).is_ok())
        };
        (has("objects") && has("refs")) || has("commondir")
    }

    /// Whether a folder of the root holds a repository. Cached.
    fn repository(&self, folder: &Path, is: fn(&Path) -> bool) -> bool {
        let mut known = self.known.borrow_mut();
        *known.entry(folder.to_owned()).or_insert_with(|| is(&self.store.root.join(folder)))
    }

    /// Whether a repository made inside would run programs. A `.git` file leads to another repository: allowed only
    /// for a linked working tree of an existing one, whose names follow the same rules.
    fn would_run_programs(&self, git: &Path) -> bool {
        let mut known = self.made.borrow_mut();
        *known.entry(git.to_owned()).or_insert_with(|| {
            let upper = self.store.upper();
            if fs::symlink_metadata(upper.join(git)).is_ok_and(|found| found.is_dir()) {
                let place =
                    sys::open_at(None, &upper, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS);
                return place.map_or(true, |place| config::runs_programs(place.as_fd(), git).is_some());
            }
            let written = fs::read(upper.join(git)).ok().and_then(|text| config::pointed_at(&text));
            let leads_home = written.is_some_and(|written| {
                let below = written.strip_prefix(&self.store.root).unwrap_or(Path::new(""));
                let mut parts = below.components().map(|part| part.as_os_str());
                parts.next().is_some_and(|part| part == ".git")
                    && parts.next().is_some_and(|part| part == "worktrees")
                    && parts.next().is_some_and(|part| part != "..")
                    && parts.next().is_none()
                    && self.store.root.join(".git").is_dir()
            });
            !leads_home
        })
    }

    fn link_stays_inside(&self, path: &Path) -> bool {
        let Ok(target) = fs::read_link(self.store.upper().join(path)) else { return false };
        if target.is_absolute() {
            return target.starts_with(&self.store.root)
                && !target.components().any(|part| part.as_os_str() == "..");
        }
        let mut depth = path.components().count().saturating_sub(1);
        for part in target.components() {
            match part {
                std::path::Component::ParentDir if depth == 0 => return false,
                std::path::Component::ParentDir => depth -= 1,
                std::path::Component::Normal(_) => depth += 1,
                _ => {}
            }
        }
        true
    }

    fn apply(&self, root: &OwnedFd, change: &CollectedChange) -> io::Result<()> {
        let above = change.path.parent().unwrap_or(Path::new(""));
        let name = change.path.file_name().ok_or(io::Error::from_raw_os_error(libc::EINVAL))?;
        let parent = sys::open_at(Some(root.as_fd()), above, libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
        if change.kind == ChangeKind::Deleted {
            return sys::unlink_at(parent.as_fd(), name, change.entry == EntryKind::Directory);
        }
        let from = self.store.upper().join(&change.path);
        let metadata = fs::symlink_metadata(&from)?;
        // Set-uid, set-gid and world-writable bits never leave the sandbox.
        let mode = metadata.mode() & 0o775;
        match (change.entry, change.kind) {
            (EntryKind::Directory, ChangeKind::Created) => {
                sys::make_directory_at(parent.as_fd(), name, mode)?;
                self.own(&parent, Path::new(name), mode)
            }
            (EntryKind::Directory | EntryKind::File, ChangeKind::Mode) => {
                self.own(&parent, Path::new(name), mode)
            }
            (EntryKind::File, _) => {
                let fresh = std::ffi::OsString::from(format!(".doorward-{}", std::process::id()));
                let file = sys::make_file_at(parent.as_fd(), &fresh, 0o600)?;
                let copied = io::copy(&mut fs::File::open(&from)?, &mut fs::File::from(file))
                    .and_then(|_| self.own(&parent, Path::new(&fresh), mode))
                    .and_then(|()| sys::rename_at(parent.as_fd(), &fresh, name));
                if copied.is_err() {
                    let _ = sys::unlink_at(parent.as_fd(), &fresh, false);
                }
                copied
            }
            (EntryKind::Link, kind) => {
                if kind == ChangeKind::Modified {
                    sys::unlink_at(parent.as_fd(), name, false)?;
                }
                sys::make_link_at(&fs::read_link(&from)?, parent.as_fd(), name)
            }
            _ => Err(io::Error::from_raw_os_error(libc::EINVAL)),
        }
    }

    /// Gives a new entry the owner of its root.
    fn own(&self, parent: &OwnedFd, name: &Path, mode: u32) -> io::Result<()> {
        let place = fs::File::from(sys::open_at(
            Some(parent.as_fd()),
            name,
            libc::O_RDONLY | libc::O_NOFOLLOW,
            BELOW,
        )?);
        let root = fs::metadata(&self.store.root)?;
        if sys::ids().0 == 0 {
            std::os::unix::fs::fchown(&place, Some(root.uid()), Some(root.gid()))?;
        }
        place.set_permissions(PermissionsExt::from_mode(mode))
    }

    /// Adds the collected writes as effects on the root.
    pub(crate) fn add_effects(&self, effects: &mut Effects) {
        let Ok(changes) = self.changes() else { return };
        for change in changes {
            let path = self.store.root.join(&change.path).display().to_string();
            if change.kind == ChangeKind::Deleted {
                effects.deletes.push(DeleteEffect {
                    path,
                    scope: Scope::Inside,
                    recursive: change.entry == EntryKind::Directory,
                    force: false,
                    regenerable: Tri::Unknown,
                    in_version_control: Tri::Unknown,
                    protection: None,
                    certainty: Certainty::default(),
                    span: doorward_core::Span::default(),
                });
            } else {
                let mode = match change.kind {
                    ChangeKind::Created => WriteMode::Create,
                    ChangeKind::Mode => WriteMode::Metadata,
                    ChangeKind::Modified | ChangeKind::Deleted => WriteMode::InPlace,
                };
                effects.writes.push(WriteEffect {
                    path,
                    scope: Scope::Inside,
                    mode,
                    protection: None,
                    redirected: false,
                    certainty: Certainty::default(),
                    span: doorward_core::Span::default(),
                });
            }
        }
    }
}

fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

fn kind(found: &fs::Metadata) -> EntryKind {
    let file_type = found.file_type();
    if file_type.is_file() {
        EntryKind::File
    } else if file_type.is_dir() {
        EntryKind::Directory
    } else if file_type.is_symlink() {
        EntryKind::Link
    } else {
        EntryKind::Special
    }
}

fn is_opaque(folder: &Path) -> bool {
    [c"trusted.overlay.opaque", c"user.overlay.opaque"]
        .iter()
        .any(|name| sys::attribute(folder, name).as_deref() == Some(b"y"))
}

/// Whether a name below an existing git directory can't be changed. `content` returns the new content of a file.
fn is_closed(below: &Path, content: impl FnOnce() -> Option<Vec<u8>>) -> bool {
    match names::file(below) {
        names::FileAccess::State => false,
        names::FileAccess::Fixed(fixed) => content().is_none_or(|content| content != fixed),
        names::FileAccess::Draft => true,
        names::FileAccess::Closed => {
            !below.as_os_str().is_empty()
                && !names::directory(below)
                && !names::MOUNTED.iter().any(|name| below == Path::new(name))
        }
    }
}

/// Whether any component is a name from which other programs run code.
fn has_protected_name(path: &Path) -> bool {
    let parts: Vec<&std::ffi::OsStr> = path.components().map(|part| part.as_os_str()).collect();
    crate::spec::protected_names().iter().any(|protected| {
        let name: Vec<&std::ffi::OsStr> =
            Path::new(&protected.name).components().map(|part| part.as_os_str()).collect();
        parts.windows(name.len()).any(|window| window == name)
    })
}
