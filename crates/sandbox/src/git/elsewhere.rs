//! Finds a root's repository where it lies outside the root: a linked working tree, a submodule, a folder of a
//! larger repository.
//!
//! Git goes up from the working folder until it finds `.git`, and follows a `.git` file to the path in it. The view
//! must include both, or git inside finds no repository. But a `.git` file is only text, from an archive or a
//! program, and must not open an arbitrary folder: it is followed only if the git directory points back to this
//! tree.

use std::fs;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{config, find};
use crate::sys;

/// Limits on folders searched for secrets, secrets found, and time; past any of them the tree isn't shown.
const MOST_FOLDERS: usize = 20_000;
const MOST_SECRETS: usize = 128;
const LONGEST_SEARCH: Duration = Duration::from_millis(500);

/// The parts of a root's repository outside the root. Real paths.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct OutsideParts {
    /// The working tree, if the root is only a folder of it.
    pub(crate) tree: Option<PathBuf>,
    /// The git directory; for a linked working tree, the shared one.
    pub(crate) git: Option<PathBuf>,
}

/// Finds the repository of a root (a real path).
pub(crate) fn of(root: &Path, home: Option<&Path>) -> OutsideParts {
    let owner = |path: &Path| fs::symlink_metadata(path).map(|found| found.uid()).ok();
    let own = owner(root);
    for tree in root.ancestors() {
        let dot = tree.join(".git");
        let Ok(found) = fs::symlink_metadata(&dot) else { continue };
        let git = match found.file_type() {
            kind if kind.is_dir() && find::is_git_directory(&dot) => Some(dot.clone()),
            kind if kind.is_dir() => continue,
            kind if kind.is_file() => pointed_at(tree),
            _ => None,
        };
        let Some(git) = git else { return OutsideParts::default() };
        // Git ignores repositories of other owners, and a whole home or machine is too much to show for one
        // repository.
        let too_wide = |path: &Path| {
            path.parent().is_none() || home.is_some_and(|home| home.starts_with(path)) || owner(path) != own
        };
        if owner(&dot) != own || too_wide(&git) || (tree != root && too_wide(tree)) {
            return OutsideParts::default();
        }
        return OutsideParts {
            tree: (tree != root).then(|| tree.to_owned()),
            git: (!git.starts_with(root)).then_some(git),
        };
    }
    OutsideParts::default()
}

/// The git directory that the `.git` file of a tree points to, if it points back to this tree.
fn pointed_at(tree: &Path) -> Option<PathBuf> {
    let text = |folder: &Path, name: &str| {
        let place = sys::open_at(None, folder, libc::O_PATH | libc::O_DIRECTORY, libc::RESOLVE_NO_MAGICLINKS);
        config::text(place.ok()?.as_fd(), Path::new(name)).ok()?
    };
    let real = |folder: &Path, path: &[u8]| {
        let path = path.strip_suffix(b"\n").unwrap_or(path);
        fs::canonicalize(folder.join(Path::new(std::ffi::OsStr::from_bytes(path)))).ok()
    };
    let named = config::pointed_at(&text(tree, ".git")?)?;
    let git = fs::canonicalize(tree.join(named)).ok()?;
    if !find::is_git_directory(&git) {
        return None;
    }
    match text(&git, "commondir") {
        // A linked working tree: its folder is `worktrees/ID` of the shared git directory.
        Some(common) => {
            let above =
                git.parent().filter(|above| above.file_name().is_some_and(|name| name == "worktrees"))?;
            let common = real(&git, &common)?;
            let back = real(&git, &text(&git, "gitdir")?)?;
            let shared = above.parent() == Some(&common) && !common.join("commondir").exists();
            (shared && find::is_git_directory(&common) && back == tree.join(".git")).then_some(common)
        }
        // A submodule: its configuration names the tree.
        None => {
            let named = |name| config::value(&text(&git, name)?, "core", "worktree");
            let back = real(&git, named("config.worktree").or_else(|| named("config"))?.as_bytes())?;
            (back == tree).then_some(git)
        }
    }
}

/// Files of a tree with the names of secret files, outside `shown`, which is visible anyway. `None` if the tree is
/// too large to search.
pub(crate) fn secrets(tree: &Path, shown: &Path) -> Option<Vec<PathBuf>> {
    let until = Instant::now() + LONGEST_SEARCH;
    let (mut secrets, mut waiting, mut looked) = (Vec::new(), vec![tree.to_owned()], 0);
    while let Some(folder) = waiting.pop() {
        looked += 1;
        if looked > MOST_FOLDERS || secrets.len() > MOST_SECRETS || Instant::now() > until {
            return None;
        }
        // A folder we can't read, the run can't read either.
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if path == shown || name == ".git" {
                continue;
            }
            let kind = entry.file_type().ok()?;
            if path.to_str().is_none_or(doorward_paths::is_secret) {
                // The target of a link is judged separately.
                secrets.extend((!kind.is_symlink()).then_some(path));
            } else if kind.is_dir() && name != "node_modules" {
                waiting.push(path);
            }
        }
    }
    Some(secrets)
}
