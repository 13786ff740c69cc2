//! The folder that several runs see as `/tmp`.
//!
//! Roots and a home below `/tmp` are mounted in it. Their mount points are made here, on the host and without
//! following links: what lies in the folder was made by earlier runs. The folders above a mount point can't be written.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
const TMP: &str = "/tmp";

/// Makes the mount points of these places, each with whether it is a directory.
pub(super) fn make_mountpoints<'a>(
    folder: &Path,
    places: impl Iterator<Item = (&'a Path, bool)>,
) -> io::Result<()> {
    let flags = libc::O_PATH | libc::O_DIRECTORY;
    let top = sys::open_at(None, folder, flags, libc::RESOLVE_NO_SYMLINKS)?;
    for (place, directory) in places {
        let Ok(below) = place.strip_prefix(TMP) else { continue };
        let mut parts = below.components().peekable();
        let mut at = top.try_clone()?;
        let mut above = Vec::new();
        while let Some(part) = parts.next() {
            let Component::Normal(name) = part else { return Err(io::ErrorKind::InvalidInput.into()) };
            if parts.peek().is_some() {
                at = entered(at.as_fd(), name)?;
                above.push(at.try_clone()?);
            } else if directory {
                at = entered(at.as_fd(), name)?;
            } else if let Err(error) = sys::make_file_at(at.as_fd(), name, 0o600)
                && error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(error);
            }
        }
        for folder in above {
            sys::set_mode(folder.as_fd(), 0o500)?;
        }
    }
    Ok(())
}

fn entered(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    match sys::make_directory_at(parent, name, 0o700) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let folder = sys::open_at(Some(parent), Path::new(name), libc::O_PATH | libc::O_DIRECTORY, BELOW)?;
    sys::set_mode(folder.as_fd(), 0o700)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_an_earlier_run_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (root, beside) = (folder.path().join("tmp"), folder.path().join("beside"));
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(&beside).unwrap();
        let make = |place: &str| make_mountpoints(&root, [(Path::new(place), true)].into_iter());
        make("/tmp/a/b").unwrap();
        make("/tmp/a/c").unwrap();
        let mode = std::fs::metadata(root.join("a")).unwrap().permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o500);
        make("/home/other").unwrap();
        assert!(root.join("a/b").is_dir() && !root.join("other").exists());
        std::os::unix::fs::symlink(&beside, root.join("link")).unwrap();
        assert!(make("/tmp/link/x").is_err());
        assert_eq!(std::fs::read_dir(&beside).unwrap().count(), 0);
    }
}
