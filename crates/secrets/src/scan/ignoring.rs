//! The files of a folder that say what is ignored, looked at before the walk opens them.
//!
//! The walk's library opens them as they are: a FIFO would keep it waiting, and an endless device fill the memory.

use std::path::{Path, PathBuf};

/// Bytes of a file that says what is ignored.
const MOST: u64 = 1 << 20;
/// What the library reads of each folder (`ignore` 0.4: `Ignore::add_child_path`).
const NAMES: &[&str] = &[".ignore", ".gitignore", ".git/info/exclude"];
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

/// Missing, or a regular file that isn't too long; behind a link too.
fn is_ordinary(file: &Path) -> bool {
    match std::fs::metadata(file) {
        Ok(found) => found.is_dir() || (found.is_file() && found.len() <= MOST),
        Err(_) => true,
    }
}
