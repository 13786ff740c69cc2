//! Places kept for protected names that don't exist.
//!
//! A name that isn't there can't be mounted over, so while a run lasts an empty directory stands for it on the host
//! (CVE-2026-25725: a settings file that did not exist was created from inside and run by the host later). A directory,
//! because version control doesn't see empty ones; of a telling mode, so that one a crash left is known; locked, because
//! removing it under another run would take that run's mount away with it.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use crate::plan::PLACEHOLDER_MODE;
use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;

/// How often, and how long apart, a place is tried for that another run is just giving up.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_micros(500);

/// One kept place; given back when dropped, unless another run keeps it too.
#[derive(Debug)]
pub(crate) struct Placeholder {
    parent: OwnedFd,
    name: OsString,
    /// Open and locked; none once it is given back.
    place: Option<OwnedFd>,
}

impl Placeholder {
    /// Keeps `name` below `root`.
    pub(crate) fn keep(root: &Path, name: &Path) -> io::Result<Self> {
        let root = sys::open_at(None, root, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_SYMLINKS)?;
        let above = name.parent().unwrap_or(Path::new(""));
        let parent = sys::open_at(Some(root.as_fd()), above, libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
        let name = name.file_name().ok_or(io::Error::from_raw_os_error(libc::EINVAL))?.to_owned();
        for _ in 0..TRIES {
            match sys::make_directory_at(parent.as_fd(), &name, PLACEHOLDER_MODE) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            let open = || {
                sys::open_at(
                    Some(parent.as_fd()),
                    Path::new(&name),
                    libc::O_RDONLY | libc::O_DIRECTORY,
                    BELOW,
                )
            };
            let Ok(place) = open() else { continue };
            let stat = sys::stat(place.as_fd())?;
            if stat.mode & 0o7777 != PLACEHOLDER_MODE {
                // Somebody made the real thing meanwhile: it must not be hidden behind an empty one.
                return Err(io::Error::from_raw_os_error(libc::ESTALE));
            }
            if sys::lock(place.as_fd(), false).is_err() {
                // Its last keeper is just removing it.
                std::thread::sleep(PAUSE);
                continue;
            }
            // Whoever removed it between open and lock did so knowing of no lock.
            let same = open()
                .and_then(|again| sys::stat(again.as_fd()))
                .is_ok_and(|again| again.inode == stat.inode);
            if same {
                return Ok(Self { parent, name, place: Some(place) });
            }
        }
        Err(io::Error::from_raw_os_error(libc::EAGAIN))
    }
}

/// Gives places back. A removed directory that is still open is cleared from the disk when it is closed, which can take
/// milliseconds for each: the names are gone on return, the closing is left to a thread nobody waits for.
pub(crate) fn give_back(places: &mut Vec<Placeholder>) {
    let open: Vec<OwnedFd> = places.drain(..).filter_map(|mut place| place.remove()).collect();
    if !open.is_empty() {
        let _ = std::thread::Builder::new().spawn(move || drop(open));
    }
}

impl Placeholder {
    /// Removes the name, unless another run keeps it too.
    fn remove(&mut self) -> Option<OwnedFd> {
        let place = self.place.take()?;
        if sys::lock(place.as_fd(), true).is_ok() {
            let _ = sys::unlink_at(self.parent.as_fd(), &self.name, true);
        }
        Some(place)
    }
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        drop(self.remove());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_keeper_removes_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let first = Placeholder::keep(&root, Path::new(".claude")).unwrap();
        let second = Placeholder::keep(&root, Path::new(".claude")).unwrap();
        drop(first);
        assert!(root.join(".claude").is_dir(), "another run still keeps it");
        drop(second);
        assert_eq!(root.read_dir().unwrap().count(), 0, "nor is anything else left");
    }

    #[test]
    fn a_real_directory_is_never_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join(".vscode")).unwrap();
        assert!(Placeholder::keep(&root, Path::new(".vscode")).is_err());
        assert!(root.join(".vscode").is_dir());
        assert!(Placeholder::keep(&root, Path::new("../up")).is_err());
    }
}
