//! The files of a folder that say what is ignored, looked at before the walk opens them.
//!
//! The walk's library opens them as they are: a FIFO would keep it waiting, and an endless device fill the memory.

use std::path::{Path, PathBuf};

/// Bytes of a file that says what is ignored.
const MOST: u64 = 1 << 20;
/// What the library reads of each folder (`ignore` 0.4: `Ignore::add_child_path`).
const NAMES: &[&str] = &[".ignore", ".gitignore", ".git/info/exclude"];
/// Short files that git opens in a repository whatever it is asked (gitrepository-layout(5)), and those of any length.
const SHORT: &[&str] = &["HEAD", "commondir", "config", "config.worktree", "info/attributes", "info/exclude"];
const LONG: &[&str] = &["index", "packed-refs", "shallow"];
const REPOSITORY: &str = ".git";
const COMMON: &str = "commondir";

/// The first file of a folder that the walk would read and mustn't.
pub(crate) fn unreadable(folder: &Path) -> Option<PathBuf> {
    let named = NAMES.iter().map(|name| folder.join(name)).find(|file| !is_ordinary(file));
    named.or_else(|| {
        let repository = folder.join(REPOSITORY);
        // A linked worktree: a file that names the repository, in which another one names what is shared.
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

/// The first file of the repository around a folder that git would open and wait for, or never come to the end of.
pub(crate) fn unreadable_repository(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let repository = folder.ancestors().map(|above| above.join(REPOSITORY)).find(|place| place.exists())?;
    if !repository.is_dir() {
        return unreadable(repository.parent()?);
    }
    let short = SHORT.iter().map(|name| repository.join(name)).find(|file| !is_ordinary(file));
    // Of any length, but files.
    short.or_else(|| {
        let odd = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|found| !found.is_file());
        LONG.iter().map(|name| repository.join(name)).find(odd)
    })
}

/// Missing, or a regular file that isn't too long; behind a link too.
fn is_ordinary(file: &Path) -> bool {
    match std::fs::metadata(file) {
        Ok(found) => found.is_dir() || (found.is_file() && found.len() <= MOST),
        Err(_) => true,
    }
}
