//! Keeps protected names missing that don't exist when a run begins.
//!
//! Nothing is put in their place: inside and outside, the name stays free. The filter notifies the keeper of calls
//! that create an entry, and one whose target is such a name is refused as a read-only file system would. The path of
//! a call can change after it was read here (another thread, shared memory, a link), so the keeper also looks at the
//! folders: a name that the run may have created nevertheless is renamed at once. One that somebody else
//! created while the run created nothing is held by a mount, like names that existed before.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::git::broker::path_at;
use crate::leftover::quarantine;
use crate::sys::{self, Notification};

/// For this long after the run created anything, a name that appears counts as the run's.
const BLAMED_FOR: Duration = Duration::from_secs(2);

/// The names, shared by the keeper's threads.
#[derive(Debug, Default)]
pub(crate) struct AbsentNames {
    /// All protected places of the run: one that exists can be removed from outside.
    places: Vec<PathBuf>,
    /// Device and inode of the folder of each, as the run sees them before it creates or renames anything.
    folders: OnceLock<Vec<Option<FolderId>>>,
    /// When the run last created something.
    created: Mutex<Option<Instant>>,
}

type FolderId = (u64, u64);

/// The files as a process of the run sees them.
struct InsideView(OwnedFd);

impl InsideView {
    fn of(pid: u32) -> Option<Self> {
        let root = format!("/proc/{pid}/root");
        sys::open_at(None, Path::new(&root), libc::O_PATH | libc::O_DIRECTORY, 0).ok().map(Self)
    }

    fn id(&self, path: &Path, flags: i32) -> Option<FolderId> {
        let inside = libc::RESOLVE_IN_ROOT | libc::RESOLVE_NO_MAGICLINKS;
        let found = sys::open_at(Some(self.0.as_fd()), path, libc::O_PATH | flags, inside).ok()?;
        sys::stat(found.as_fd()).ok().map(|found| (found.device, found.inode))
    }

    fn folder(&self, path: &Path) -> Option<FolderId> {
        self.id(path, libc::O_DIRECTORY)
    }
}

impl AbsentNames {
    pub(crate) fn new(places: Vec<PathBuf>) -> Self {
        Self { places, ..Self::default() }
    }

    /// The protected name that a call would create, if it is one.
    pub(crate) fn refused(&self, call: &Notification) -> Option<PathBuf> {
        let (folder, path) = created(call)?;
        let text = path_at(call.pid, path)?;
        let refused = self.target(call.pid, folder, Path::new(OsStr::from_bytes(&text)));
        if refused.is_none() {
            *self.created.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        refused
    }

    /// Whether the run created something a moment ago.
    fn is_run_creating(&self) -> bool {
        let created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.is_some_and(|at| at.elapsed() < BLAMED_FOR)
    }

    /// Resolves a path as the caller sees it.
    fn target(&self, pid: u32, folder: i32, path: &Path) -> Option<PathBuf> {
        let name = path.file_name()?;
        let is_named = |place: &Path| place.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name));
        let folders = match self.folders.get() {
            Some(folders) => folders,
            None => {
                let view = InsideView::of(pid)?;
                let ids = self.places.iter().map(|place| view.folder(place.parent()?)).collect();
                self.folders.get_or_init(|| ids)
            }
        };
        if !self.places.iter().any(|place| is_named(place)) {
            return None;
        }
        let base = match (path.is_absolute(), folder) {
            (true, _) => PathBuf::from("/"),
            (false, libc::AT_FDCWD) => fs::read_link(format!("/proc/{pid}/cwd")).ok()?,
            (false, folder) => fs::read_link(format!("/proc/{pid}/fd/{folder}")).ok()?,
        };
        let view = InsideView::of(pid)?;
        let whole = base.join(path);
        // The last component isn't resolved: `mkdir` and `rename` don't follow it either.
        let parent = view.folder(&whole.parent()?.join("."));
        let same = |(place, folder): &(&PathBuf, &Option<FolderId>)| is_named(place) && **folder == parent;
        let (place, _) = self.places.iter().zip(folders).filter(|_| parent.is_some()).find(same)?;
        // If it exists, the call fails by itself, or a mount protects it.
        view.id(&whole.parent()?.join(name), libc::O_NOFOLLOW).is_none().then(|| place.clone())
    }
}

/// The folder and the path of the entry that a call creates.
fn created(call: &Notification) -> Option<(i32, u64)> {
    let [first, second, third, fourth, ..] = call.arguments;
    let creates = |flags: u64| flags as u32 as i32 & libc::O_CREAT != 0;
    let at = |folder: u64, path: u64| Some((folder as u32 as i32, path));
    let here = |path: u64| Some((libc::AT_FDCWD, path));
    match call.number {
        libc::SYS_openat if creates(third) => at(first, second),
        libc::SYS_mkdirat | libc::SYS_mknodat => at(first, second),
        libc::SYS_renameat | libc::SYS_renameat2 | libc::SYS_linkat => at(third, fourth),
        libc::SYS_symlinkat => at(second, third),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open if creates(second) => here(first),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_creat | libc::SYS_mkdir | libc::SYS_mknod => here(first),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename | libc::SYS_link | libc::SYS_symlink => here(second),
        _ => None,
    }
}

/// Looks for missing names that appeared, folder by folder, and only in folders that changed.
#[derive(Debug, Default)]
pub(crate) struct NameWatch(BTreeMap<PathBuf, WatchedFolder>);

#[derive(Debug, Default)]
struct WatchedFolder {
    /// Each with whether the run can be the one that creates it.
    names: Vec<(OsString, bool)>,
    /// Time of the last change that was looked at.
    changed: Option<(i64, i64)>,
}

/// What became of a name that appeared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Appeared {
    /// It was renamed to this.
    Moved(PathBuf, PathBuf),
    /// Somebody outside created it, or it can't be renamed.
    Stays(PathBuf),
}

impl NameWatch {
    pub(crate) fn of(places: &[PathBuf]) -> Self {
        let mut watch = Self::default();
        places.iter().for_each(|place| watch.add(place, true));
        watch
    }

    /// One that existed and that somebody removed comes back from outside as well (`by_run` is false).
    pub(crate) fn add(&mut self, place: &Path, by_run: bool) {
        if let (Some(folder), Some(name)) = (place.parent(), place.file_name()) {
            let watched = self.0.entry(folder.to_owned()).or_default();
            watched.names.push((name.to_owned(), by_run));
            watched.changed = None;
        }
    }

    /// The names that appeared since the last look. Those that stay aren't watched any more.
    pub(crate) fn look(&mut self, absent: &AbsentNames) -> Vec<Appeared> {
        let mut all = Vec::new();
        for (folder, watched) in &mut self.0 {
            let Ok(found) = fs::symlink_metadata(folder) else { continue };
            let changed = Some((found.ctime(), found.ctime_nsec()));
            if changed == watched.changed {
                continue;
            }
            watched.changed = changed;
            watched.names.retain(|(name, by_run)| {
                let place = folder.join(name);
                if fs::symlink_metadata(&place).is_err() {
                    return true;
                }
                let blamed = *by_run && absent.is_run_creating();
                match blamed.then(|| put_aside(folder, name)) {
                    Some(Ok(moved)) => all.push(Appeared::Moved(place, moved)),
                    _ => all.push(Appeared::Stays(place)),
                }
                matches!(all.last(), Some(Appeared::Moved(..)))
            });
        }
        all
    }
}

fn put_aside(folder: &Path, name: &OsStr) -> io::Result<PathBuf> {
    let place = sys::open_at(None, folder, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)?;
    quarantine(&place, Path::new(name)).map(|moved| folder.join(moved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_the_run_may_have_made_is_renamed_and_anothers_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let place = root.join(".envrc");
        let absent = AbsentNames::new(vec![place.clone()]);
        let mut watch = NameWatch::of(std::slice::from_ref(&place));
        assert_eq!(watch.look(&absent), []);
        *absent.created.lock().unwrap() = Some(Instant::now());
        fs::write(&place, "run").unwrap();
        let moved = root.join(".envrc.quarantined-by-doorward");
        assert_eq!(watch.look(&absent), [Appeared::Moved(place.clone(), moved.clone())]);
        assert_eq!(fs::read_to_string(moved).unwrap(), "run");
        *absent.created.lock().unwrap() = None;
        fs::write(&place, "outside").unwrap();
        assert_eq!(watch.look(&absent), [Appeared::Stays(place.clone())]);
        assert_eq!(
            (watch.look(&absent), fs::read_to_string(&place).unwrap()),
            (vec![], "outside".to_owned())
        );
    }
}
