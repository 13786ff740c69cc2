//! Checks the ignore files of a folder before the walk opens them.
//!
//! The walk's library opens them unchecked: it would block on a FIFO, and fill the memory from an endless device.

use std::path::{Path, PathBuf};

/// Largest ignore file in bytes.
const MOST: u64 = 1 << 20;
/// Files that the library reads in each folder (`ignore` 0.4: `Ignore::add_child_path`).
const NAMES: &[&str] = &[".ignore", ".gitignore", ".git/info/exclude"];
/// Files that git opens in any repository (gitrepository-layout(5)): short ones, and those of any length.
const SHORT: &[&str] = &["HEAD", "commondir", "config", "config.worktree", "info/attributes", "info/exclude"];
const LONG: &[&str] = &["index", "packed-refs", "shallow"];
const REPOSITORY: &str = ".git";
const COMMON: &str = "commondir";

/// The first file of a folder that the walk would read but must not.
pub(crate) fn unreadable(folder: &Path) -> Option<PathBuf> {
    let named = NAMES.iter().map(|name| folder.join(name)).find(|file| !is_ordinary(file));
    named.or_else(|| {
        let repository = folder.join(REPOSITORY);
        // A linked worktree: a file names the repository, and another file in it names the shared directory.
        if !repository.is_file() {
            return None;
        }
        if !is_ordinary(&repository) {
            return Some(repository);
        }
        let text = std::fs::read_to_string(&repository).ok()?;
        let common = folder.join(text.trim().strip_prefix("gitdir: ")?).join(COMMON);
        if !is_ordinary(&common) {
            return Some(common);
        }
        let shared = std::fs::read_to_string(&common).ok()?;
        let exclude = common.parent()?.join(shared.trim()).join("info/exclude");
        (!is_ordinary(&exclude)).then_some(exclude)
    })
}

/// The first file of the surrounding repository on which git would block, or which has no end.
pub(crate) fn unreadable_repository(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let repository = folder.ancestors().map(|above| above.join(REPOSITORY)).find(|place| place.exists())?;
    if !repository.is_dir() {
        return unreadable(repository.parent()?);
    }
    let short = SHORT.iter().map(|name| repository.join(name)).find(|file| !is_ordinary(file));
    // These may have any length, but must be files.
    short.or_else(|| {
        let odd = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|found| !found.is_file());
        LONG.iter().map(|name| repository.join(name)).find(odd)
    })
}

/// Whether it is missing, or a regular file that isn't too long; follows links.
fn is_ordinary(file: &Path) -> bool {
    match std::fs::metadata(file) {
        Ok(found) => found.is_dir() || (found.is_file() && found.len() <= MOST),
        Err(_) => true,
    }
}
