//! Finds git directories below a writable root, and their parts that are mounted writable.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use super::names::MOUNTED;

/// Limits on directories visited and on depth when a root is searched for repositories.
const SEARCH_DIRECTORIES: usize = 2000;
const SEARCH_DEPTH: usize = 4;
/// Levels below `modules`: a submodule's name may contain slashes.
const MODULES_DEPTH: usize = 6;

/// Repositories found in a root. All paths are relative to it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Working trees: directories that hold `.git`. The root itself is always the first.
    pub(crate) trees: Vec<PathBuf>,
    /// Bare repositories.
    pub(crate) bare: Vec<PathBuf>,
    /// The search stopped before it had seen everything.
    pub(crate) incomplete: bool,
}

/// Searches a root four levels deep, skipping `node_modules` and `target`.
pub(crate) fn repositories(root: &Path) -> Found {
    let mut found = Found { trees: vec![PathBuf::new()], ..Found::default() };
    let mut waiting = VecDeque::from([(PathBuf::new(), 0)]);
    let mut looked = 0;
    while let Some((below, depth)) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(root.join(&below)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || name == ".git" {
                continue;
            }
            let child = below.join(&name);
            looked += 1;
            if looked > SEARCH_DIRECTORIES || depth >= SEARCH_DEPTH {
                found.incomplete = true;
                continue;
            }
            if fs::symlink_metadata(root.join(&child).join(".git")).is_ok() {
                found.trees.push(child.clone());
            } else if is_git_directory(&root.join(&child)) {
                found.bare.push(child);
                continue;
            }
            if name != "node_modules" && name != "target" {
                waiting.push_back((child, depth + 1));
            }
        }
    }
    found
}

/// Whether git accepts a directory as a git directory: it has `HEAD`, and `objects` and `refs` of its own or in its
/// `commondir`.
pub(crate) fn is_git_directory(path: &Path) -> bool {
    let has = |name: &str| fs::symlink_metadata(path.join(name)).is_ok();
    has("HEAD") && ((has("objects") && has("refs")) || has("commondir"))
}

/// The git directories at `git`: itself, and those of its submodules below `modules`.
pub(crate) fn with_modules(git: &Path) -> Vec<PathBuf> {
    let mut all = vec![git.to_owned()];
    let mut waiting = VecDeque::from([(git.join("modules"), 0)]);
    while let Some((folder, depth)) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let path = entry.path();
            if is_git_directory(&path) {
                waiting.push_back((path.join("modules"), 0));
                all.push(path);
            } else if depth < MODULES_DEPTH {
                waiting.push_back((path, depth + 1));
            }
        }
    }
    all
}

/// The directories of a git directory that are mounted writable: those that exist and aren't links.
pub(crate) fn writable(git: &Path) -> BTreeSet<PathBuf> {
    let real = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    MOUNTED.iter().map(|name| git.join(name)).filter(real).collect()
}
