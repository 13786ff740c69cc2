//! Placeholders for protected names that don't exist.
//!
//! A missing name can't be mounted over, so during a run an empty directory is made in the real folder
//! (CVE-2026-25725: a settings file that did not exist was created from inside and run by the host later). Inside,
//! an empty read-only directory is mounted over it. An empty directory disturbs least outside: version control
//! doesn't list it, and a program that looks for a file in it finds none.
//!
//! Placeholders have the sticky bit set, so that the next run recognises and removes those left by a crash. A
//! placeholder that is no longer empty counts as the real thing. Every run that keeps names in a folder locks
//! [`LOCK`]; the last of them removes the placeholders.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// The protected name whose directory is the lock of a folder's placeholders.
pub(crate) const LOCK: &str = ".doorward";
const MODE: u32 = 0o1755;

/// Number of attempts to take the lock, and the pause between them, while another run is removing it.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_micros(500);

/// Whether a `st_mode` is that of a placeholder: a directory with the sticky bit, writable by its owner only.
const fn has_placeholder_mode(mode: u32) -> bool {
    mode & libc::S_IFMT == libc::S_IFDIR && mode & libc::S_ISVTX != 0 && mode & 0o022 == 0
}

/// Whether `path`, whose `st_mode` is `mode`, is a placeholder: an empty directory of the placeholders' mode.
pub(crate) fn is_placeholder(path: &Path, mode: u32) -> bool {
    has_placeholder_mode(mode) && path.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}

/// Makes a placeholder.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    let name = path.file_name().ok_or(io::Error::from_raw_os_error(libc::EINVAL))?;
    let above = path.parent().unwrap_or(Path::new("/"));
    let folder = sys::open_at(None, above, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)?;
    sys::make_directory_at(folder.as_fd(), name, MODE)
}

/// Removes a placeholder, if it still is one.
pub(crate) fn remove(path: &Path) {
    if std::fs::symlink_metadata(path).is_ok_and(|found| is_placeholder(path, found.mode())) {
        let _ = std::fs::remove_dir(path);
    }
}

/// The placeholders of one run in one folder. Dropped, they are removed unless another run keeps them too.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: OwnedFd,
    names: Vec<OsString>,
    /// The directory of the lock's name, shared with other runs.
    lock: OwnedFd,
    /// Whether the lock is itself a placeholder (otherwise it is the project's own directory).
    lock_is_placeholder: bool,
}

impl Kept {
    /// Keeps `names` in the folder `below` a root.
    ///
    /// # Errors
    /// `ESTALE` if one of the names was created meanwhile, `ENOTDIR` if the lock's name isn't a directory.
    pub(crate) fn keep(root: &Path, below: &Path, names: &[&OsStr]) -> io::Result<Self> {
        let root = sys::open_at(None, root, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)?;
        let folder = sys::open_at(Some(root.as_fd()), below, libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
        let lock_is_placeholder = names.iter().any(|name| *name == LOCK);
        let lock = lock(&folder, lock_is_placeholder)?;
        let mut kept = Self { folder, names: Vec::with_capacity(names.len()), lock, lock_is_placeholder };
        for name in names.iter().filter(|name| **name != LOCK) {
            kept.make(name)?;
        }
        Ok(kept)
    }

    /// Whether all of these names are kept here and still exist.
    pub(crate) fn keeps(&self, names: &[&OsStr]) -> bool {
        names.iter().all(|name| {
            (self.names.iter().any(|own| own == name) || (*name == LOCK && self.lock_is_placeholder))
                && self.open(name).is_ok()
        })
    }

    fn make(&mut self, name: &OsStr) -> io::Result<()> {
        match sys::make_directory_at(self.folder.as_fd(), name, MODE) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let place = self.open(name)?;
                if !has_placeholder_mode(sys::stat(place.as_fd())?.mode) {
                    // The real thing was created meanwhile: an empty directory must not hide it.
                    return Err(io::Error::from_raw_os_error(libc::ESTALE));
                }
            }
            Err(error) => return Err(error),
        }
        self.names.push(name.to_owned());
        Ok(())
    }

    fn open(&self, name: &OsStr) -> io::Result<OwnedFd> {
        sys::open_at(Some(self.folder.as_fd()), Path::new(name), libc::O_PATH | libc::O_NOFOLLOW, BELOW)
    }

    /// Removes the placeholders, unless another run keeps them. Dropping the returned descriptors frees them on
    /// disk.
    fn remove(&mut self) -> Vec<OwnedFd> {
        let names = std::mem::take(&mut self.names);
        if sys::lock(self.lock.as_fd(), true).is_err() {
            return Vec::new();
        }
        let mut open = Vec::with_capacity(names.len());
        // The lock goes last, so that the next run finds all names or none.
        let lock = self.lock_is_placeholder.then(|| OsString::from(LOCK));
        for name in names.into_iter().chain(lock) {
            let Ok(place) = self.open(&name) else { continue };
            // The real thing may have been created meanwhile; a directory that isn't empty stays.
            if sys::stat(place.as_fd()).is_ok_and(|stat| has_placeholder_mode(stat.mode)) {
                let _ = sys::unlink_at(self.folder.as_fd(), &name, true);
            }
            open.push(place);
        }
        open
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        drop(self.remove());
    }
}

/// Takes the lock, shared with other runs. Creates it first if it is missing.
fn lock(folder: &OwnedFd, missing: bool) -> io::Result<OwnedFd> {
    let name = OsStr::new(LOCK);
    let flags = libc::O_RDONLY | libc::O_DIRECTORY;
    let open = || sys::open_at(Some(folder.as_fd()), Path::new(name), flags, BELOW);
    for _ in 0..TRIES {
        if missing {
            match sys::make_directory_at(folder.as_fd(), name, MODE) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        let place = match open() {
            Ok(place) => place,
            Err(error) if missing && error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let stat = sys::stat(place.as_fd())?;
        if missing && !has_placeholder_mode(stat.mode) {
            return Err(io::Error::from_raw_os_error(libc::ESTALE));
        }
        if sys::lock(place.as_fd(), false).is_err() {
            // Its last user is just removing it.
            std::thread::sleep(PAUSE);
            continue;
        }
        // It may have been removed between open and lock.
        let same = open().and_then(|again| sys::stat(again.as_fd()));
        if same.is_ok_and(|again| again.inode == stat.inode) {
            return Ok(place);
        }
    }
    Err(io::Error::from_raw_os_error(libc::EAGAIN))
}

/// Removes placeholders. The names are gone on return. A removed directory is freed on disk when its last
/// descriptor is closed, which can take milliseconds, so the caller drops the returned descriptors later.
#[must_use = "dropping it takes its time"]
pub(crate) fn give_back(places: impl Iterator<Item = Kept>) -> Vec<OwnedFd> {
    places.flat_map(|mut kept| kept.remove()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&'static str]) -> Vec<&'static OsStr> {
        list.iter().copied().map(OsStr::new).collect()
    }

    fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        (folder, root)
    }

    fn entries(root: &Path) -> Vec<OsString> {
        let mut all: Vec<_> = root.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        all.sort();
        all
    }

    #[test]
    fn they_are_empty_directories_that_their_owner_can_use() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, root) = folder();
        let kept = Kept::keep(&root, Path::new(""), &names(&[".doorward", ".claude", ".envrc"])).unwrap();
        for name in [".claude", ".envrc", ".doorward"] {
            let found = std::fs::symlink_metadata(root.join(name)).unwrap();
            assert!(found.is_dir() && is_placeholder(&root.join(name), found.permissions().mode()), "{name}");
            let missing = std::fs::read(root.join(name).join("settings.json")).unwrap_err();
            assert_eq!(missing.kind(), io::ErrorKind::NotFound, "{name}");
        }
        drop(kept);
        assert_eq!(entries(&root).len(), 0);
    }

    #[test]
    fn the_last_run_that_keeps_them_removes_them() {
        let (_folder, root) = folder();
        let list = &[".doorward", ".claude", ".envrc", ".git"];
        let first = Kept::keep(&root, Path::new(""), &names(list)).unwrap();
        let second = Kept::keep(&root, Path::new(""), &names(list)).unwrap();
        drop(first);
        assert_eq!(entries(&root).len(), list.len(), "another run still keeps them");
        drop(second);
        assert_eq!(entries(&root).len(), 0, "nothing is left");
    }

    #[test]
    fn the_lock_of_the_project_itself_is_used_and_stays() {
        let (_folder, root) = folder();
        std::fs::create_dir(root.join(LOCK)).unwrap();
        let first = Kept::keep(&root, Path::new(""), &names(&[".claude"])).unwrap();
        let second = Kept::keep(&root, Path::new(""), &names(&[".claude", ".envrc"])).unwrap();
        drop((first, second));
        assert_eq!(entries(&root), [LOCK]);
    }

    #[test]
    fn those_that_a_crash_left_are_removed_by_the_next_run() {
        let (_folder, root) = folder();
        let list = names(&[".doorward", ".claude"]);
        for name in &list {
            std::fs::create_dir(root.join(name)).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(MODE);
            std::fs::set_permissions(root.join(name), mode).unwrap();
        }
        drop(Kept::keep(&root, Path::new(""), &list).unwrap());
        assert_eq!(entries(&root).len(), 0);
    }

    #[test]
    fn the_real_thing_is_never_taken_for_one_nor_removed() {
        let (_folder, root) = folder();
        std::fs::create_dir(root.join(".vscode")).unwrap();
        std::fs::write(root.join(".envrc"), "x").unwrap();
        for list in
            [&[".doorward", ".vscode"][..], &[".doorward", ".envrc"], &[".doorward", ".claude", ".vscode"]]
        {
            assert!(Kept::keep(&root, Path::new(""), &names(list)).is_err(), "{list:?}");
        }
        assert!(Kept::keep(&root, Path::new("../up"), &names(&["x"])).is_err());
        let list = names(&[".doorward", ".claude", ".mcp.json", ".idea"]);
        let kept = Kept::keep(&root, Path::new(""), &list).unwrap();
        std::fs::remove_dir(root.join(".mcp.json")).unwrap();
        std::fs::write(root.join(".mcp.json"), "{}").unwrap();
        std::fs::write(root.join(".idea/workspace.xml"), "x").unwrap();
        drop(kept);
        assert_eq!(entries(&root), [".envrc", ".idea", ".mcp.json", ".vscode"]);
    }
}
