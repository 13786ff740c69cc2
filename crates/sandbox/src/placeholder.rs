//! Places kept for protected names that don't exist.
//!
//! A name that isn't there can't be mounted over, so while a run lasts something stands for it on the host
//! (CVE-2026-25725: a settings file that did not exist was created from inside and run by the host later). It must be
//! cheap, and nothing that version control would list:
//!
//! * A **socket** nobody listens on, which can be neither read nor written; one for a folder, the other names being
//!   links to it, because to free an inode takes a file system a hundred times as long as to unlink a name.
//! * An empty **directory** for what git looks into itself (`.git`), where there are no hard links, and for one name of
//!   ours, [`LOCK`], which every run that keeps names in a folder holds locked: the last one removes them.
//!
//! Both are of a telling mode, so that one a crash left is known.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// The name whose directory is the lock of a folder's placeholders.
const LOCK: &str = ".doorward";
/// The telling modes.
const DIRECTORY_MODE: u32 = 0o1500;
const SOCKET_MODE: u32 = 0o1000;

/// How often, and how long apart, a place is tried for that another run is just giving up.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_micros(500);

/// Whether this is a placeholder (also one that a crash left), by its whole `st_mode`.
pub(crate) const fn is_placeholder(mode: u32) -> bool {
    mode == libc::S_IFDIR | DIRECTORY_MODE || mode == libc::S_IFSOCK | SOCKET_MODE
}

/// What is kept in one folder; given back when dropped, but for what another run keeps too.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: OwnedFd,
    directories: Vec<Directory>,
    sockets: Vec<OsString>,
    /// The real directory of the lock's name, where there is one.
    lock: Option<OwnedFd>,
}

/// An empty directory, open and locked.
#[derive(Debug)]
struct Directory {
    name: OsString,
    place: OwnedFd,
}

impl Kept {
    /// Keeps `names` in the folder `below` a root.
    pub(crate) fn keep(root: &Path, below: &Path, names: &[&OsStr]) -> io::Result<Self> {
        let root = sys::open_at(None, root, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)?;
        let folder = sys::open_at(Some(root.as_fd()), below, libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
        let mut kept = Self { folder, directories: Vec::new(), sockets: Vec::new(), lock: None };
        let locked = if names.iter().any(|name| *name == LOCK) {
            kept.directory(OsStr::new(LOCK))?;
            true
        } else {
            kept.lock_real()?
        };
        for name in names.iter().filter(|name| **name != LOCK) {
            // Git looks into `.git` whatever it is; and without the lock nobody knows who is last.
            if !locked || *name == ".git" || kept.socket(name)?.is_none() {
                kept.directory(name)?;
            }
        }
        Ok(kept)
    }

    fn open(&self, name: &OsStr) -> io::Result<OwnedFd> {
        sys::open_at(Some(self.folder.as_fd()), Path::new(name), libc::O_RDONLY | libc::O_DIRECTORY, BELOW)
    }

    fn mode(&self, name: &OsStr) -> io::Result<u32> {
        let flags = libc::O_PATH | libc::O_NOFOLLOW;
        let place = sys::open_at(Some(self.folder.as_fd()), Path::new(name), flags, BELOW)?;
        Ok(sys::stat(place.as_fd())?.mode)
    }

    /// Locks the directory of the lock's name where it really exists. False where it doesn't.
    fn lock_real(&mut self) -> io::Result<bool> {
        for _ in 0..TRIES {
            let Ok(place) = self.open(OsStr::new(LOCK)) else { return Ok(false) };
            if sys::lock(place.as_fd(), false).is_ok() {
                self.lock = Some(place);
                return Ok(true);
            }
            std::thread::sleep(PAUSE);
        }
        Err(io::Error::from_raw_os_error(libc::EAGAIN))
    }

    /// Keeps a name by a socket. None where that can't be had, or a directory keeps it already.
    fn socket(&mut self, name: &OsStr) -> io::Result<Option<()>> {
        let folder = self.folder.as_fd();
        let made = match self.sockets.first() {
            Some(first) => sys::link_at(folder, first, folder, name),
            None => sys::make_socket_at(folder, name, SOCKET_MODE),
        };
        match made {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let mode = self.mode(name)?;
                if !is_placeholder(mode) {
                    // Somebody made the real thing meanwhile: it must not be hidden behind an empty one.
                    return Err(io::Error::from_raw_os_error(libc::ESTALE));
                }
                if mode & libc::S_IFMT == libc::S_IFDIR {
                    return Ok(None);
                }
            }
            // No sockets or no hard links on this file system.
            Err(_) => return Ok(None),
        }
        self.sockets.push(name.to_owned());
        Ok(Some(()))
    }

    /// Keeps a name by a directory.
    fn directory(&mut self, name: &OsStr) -> io::Result<()> {
        for _ in 0..TRIES {
            match sys::make_directory_at(self.folder.as_fd(), name, DIRECTORY_MODE) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            let Ok(place) = self.open(name) else { continue };
            let stat = sys::stat(place.as_fd())?;
            if !is_placeholder(stat.mode) {
                return Err(io::Error::from_raw_os_error(libc::ESTALE));
            }
            if sys::lock(place.as_fd(), false).is_err() {
                // Its last keeper is just removing it.
                std::thread::sleep(PAUSE);
                continue;
            }
            // Whoever removed it between open and lock did so knowing of no lock.
            let same = self
                .open(name)
                .and_then(|again| sys::stat(again.as_fd()))
                .is_ok_and(|again| again.inode == stat.inode);
            if same {
                self.directories.push(Directory { name: name.to_owned(), place });
                return Ok(());
            }
        }
        Err(io::Error::from_raw_os_error(libc::EAGAIN))
    }

    /// Removes the names that no other run keeps. What comes back clears the rest from the disk when it is dropped.
    fn remove(&mut self) -> Vec<OwnedFd> {
        let directories = std::mem::take(&mut self.directories);
        let lock = directories.iter().find(|kept| kept.name == LOCK).map(|kept| &kept.place);
        let last = lock.or(self.lock.as_ref()).is_some_and(|lock| sys::lock(lock.as_fd(), true).is_ok());
        let mut open: Vec<OwnedFd> = Vec::new();
        if last {
            let flags = libc::O_PATH | libc::O_NOFOLLOW;
            for name in &self.sockets {
                let place = sys::open_at(Some(self.folder.as_fd()), Path::new(name), flags, BELOW);
                let Ok(place) = place else { continue };
                // Only what is ours: the real thing may have come meanwhile.
                if sys::stat(place.as_fd()).is_ok_and(|stat| is_placeholder(stat.mode)) {
                    let _ = sys::unlink_at(self.folder.as_fd(), name, false);
                }
                // One is enough: they are all the same.
                if open.is_empty() {
                    open.push(place);
                }
            }
        }
        self.sockets.clear();
        // The lock's own directory comes last, as it came first.
        for kept in directories.into_iter().rev() {
            if sys::lock(kept.place.as_fd(), true).is_ok() {
                let _ = sys::unlink_at(self.folder.as_fd(), &kept.name, true);
            }
            open.push(kept.place);
        }
        open
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        drop(self.remove());
    }
}

/// Gives places back. A removed entry that is still open is cleared from the disk when it is closed, which can take
/// milliseconds: the names are gone on return, and the closing is left to whoever drops what comes back.
#[must_use = "dropping it takes its time"]
pub(crate) fn give_back(places: &mut Vec<Kept>) -> Vec<OwnedFd> {
    places.drain(..).flat_map(|mut kept| kept.remove()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&'static str]) -> Vec<&'static OsStr> {
        list.iter().copied().map(OsStr::new).collect()
    }

    #[test]
    fn the_last_keeper_removes_them() {
        for list in [&[".doorward", ".claude", ".envrc", ".git"][..], &[".claude", ".vscode"]] {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            let first = Kept::keep(&root, Path::new(""), &names(list)).unwrap();
            let second = Kept::keep(&root, Path::new(""), &names(list)).unwrap();
            drop(first);
            assert_eq!(root.read_dir().unwrap().count(), list.len(), "another run still keeps them");
            drop(second);
            assert_eq!(root.read_dir().unwrap().count(), 0, "nor is anything else left");
        }
    }

    #[test]
    fn a_lock_that_really_exists_is_used_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join(LOCK)).unwrap();
        let first = Kept::keep(&root, Path::new(""), &names(&[".claude"])).unwrap();
        let second = Kept::keep(&root, Path::new(""), &names(&[".claude", ".envrc"])).unwrap();
        assert!(!root.join(".claude").is_dir() && first.lock.is_some());
        drop((first, second));
        assert_eq!(root.read_dir().unwrap().count(), 1);
    }

    #[test]
    fn the_real_thing_is_never_taken_for_one_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join(".vscode")).unwrap();
        std::fs::write(root.join(".envrc"), "x").unwrap();
        for list in [&[".vscode"][..], &[".doorward", ".envrc"], &[".doorward", ".claude", ".vscode"]] {
            assert!(Kept::keep(&root, Path::new(""), &names(list)).is_err(), "{list:?}");
        }
        assert!(Kept::keep(&root, Path::new("../up"), &names(&["x"])).is_err());
        let kept = Kept::keep(&root, Path::new(""), &names(&[".doorward", ".claude", ".mcp.json"])).unwrap();
        std::fs::remove_file(root.join(".mcp.json")).unwrap();
        std::fs::write(root.join(".mcp.json"), "{}").unwrap();
        drop(kept);
        let mut left: Vec<_> = root.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".envrc", ".mcp.json", ".vscode"]);
    }
}
