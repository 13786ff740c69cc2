//! Finds git state left by a run that would run a program, or lead outside the root, when git goes on outside: a
//! step list with `exec`, a strategy that is a program, a `HEAD` or reference in a form that git doesn't write.
//!
//! Git inside needs to write these files, so they are checked when the run is over.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use super::config;
use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;

/// Directories of unfinished operations, with their lists of remaining steps (git-rebase(1), sequencer.c).
const OPERATIONS: &[(&str, &[&str])] = &[
    ("rebase-apply", &[]),
    ("rebase-merge", &["git-rebase-todo", "git-rebase-todo.backup"]),
    ("sequencer", &["todo"]),
];

/// Merge strategies that git has built in (git-merge(1)). Any other name runs `git-merge-NAME`.
const STRATEGIES: &[&str] = &["octopus", "ort", "ours", "recursive", "resolve", "subtree"];

/// Directories that git adds to while it works, with how deep below them it does: a file of objects is written under a
/// name of its own and never through another one.
const WRITTEN: &[(&str, usize)] = &[
    ("lfs", 1),
    ("logs", DEEPEST),
    ("objects", 0),
    ("objects/info", 0),
    ("objects/pack", 0),
    ("rebase-apply", 1),
    ("rebase-merge", 1),
    ("reftable", 0),
    ("rr-cache", 1),
    ("sequencer", 0),
];
const WRITES_OUT: &str = "git would write to where this link leads";

/// Places that are looked at in one git directory.
const MOST: usize = 20_000;
/// Greatest depth of reference and submodule folders.
const DEEPEST: usize = 16;

/// A file or folder that must be quarantined.
pub(crate) struct ArmedState {
    /// Its path, in the same form as the git directory's.
    pub(crate) place: PathBuf,
    /// The reason, as the end of a sentence.
    pub(crate) why: String,
}

/// What of this git directory, its linked working trees and its submodules was changed and must not stay.
/// `is_recent` tells whether the run changed a place. While the run lasts (`over` is false) only what git itself never
/// leaves there, not even half-way, is named.
pub(crate) fn armed(
    root: BorrowedFd<'_>,
    git: &Path,
    over: bool,
    is_recent: &dyn Fn(&Path) -> bool,
) -> Vec<ArmedState> {
    let mut found = Vec::new();
    let mut budget = MOST;
    for admin in directories(root, git, &mut budget) {
        links(root, &admin, is_recent, &mut budget, &mut found);
        if !over {
            continue;
        }
        found.extend(operations(root, &admin, is_recent));
        let head = admin.join("HEAD");
        if is_recent(&head) && !is_head(root, &head) {
            let why = "its `HEAD` names neither a branch nor a commit".to_owned();
            found.push(ArmedState { place: head, why });
        }
        references(root, &admin.join("refs"), is_recent, &mut budget, &mut found);
    }
    found
}

/// The git directory, those of its linked working trees and those of its submodules.
fn directories(root: BorrowedFd<'_>, git: &Path, budget: &mut usize) -> Vec<PathBuf> {
    let mut all = vec![git.to_owned()];
    let trees = git.join("worktrees");
    all.extend(entries(root, &trees, budget).into_iter().map(|(name, _)| trees.join(name)));
    let mut waiting = vec![(git.join("modules"), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for (name, kind) in entries(root, &folder, budget) {
            let below = folder.join(name);
            if kind != libc::DT_DIR || depth >= DEEPEST {
                continue;
            }
            if exists(root, &below.join("HEAD")) {
                waiting.push((below.join("modules"), depth + 1));
                all.push(below);
            } else {
                waiting.push((below, depth + 1));
            }
        }
    }
    all
}

fn operations(root: BorrowedFd<'_>, admin: &Path, is_recent: &dyn Fn(&Path) -> bool) -> Vec<ArmedState> {
    let mut found = Vec::new();
    for (name, lists) in OPERATIONS {
        let folder = admin.join(name);
        let steps = lists.iter().map(|list| folder.join(list)).filter(|list| is_recent(list));
        let runs = steps.into_iter().any(|list| runs_programs(root, &list));
        let strategy = folder.join("strategy");
        let strange = is_recent(&strategy) && !is_built_in(root, &strategy);
        let replaced = exists(root, &folder) && !is_directory(root, &folder);
        if runs || strange || replaced {
            let why = format!("`git` would run a program when the {name} that it left half-way goes on");
            found.push(ArmedState { place: folder, why });
        }
    }
    found
}

/// Whether a step list runs a program. An unreadable list counts as running one.
fn runs_programs(root: BorrowedFd<'_>, list: &Path) -> bool {
    match config::text(root, list) {
        Ok(None) => false,
        Ok(Some(text)) => text.split(|byte| *byte == b'\n').any(|line| {
            let line = line.trim_ascii_start();
            let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            matches!(word, b"exec" | b"x")
        }),
        Err(()) => true,
    }
}

fn is_built_in(root: BorrowedFd<'_>, strategy: &Path) -> bool {
    match config::text(root, strategy) {
        Ok(None) => true,
        Ok(Some(text)) => std::str::from_utf8(&text).is_ok_and(|text| STRATEGIES.contains(&text.trim())),
        Err(()) => false,
    }
}

/// `ref: refs/…`, or a commit id.
fn is_head(root: BorrowedFd<'_>, head: &Path) -> bool {
    match config::text(root, head) {
        Ok(None) => true,
        Ok(Some(text)) => names_reference(&text) || is_object(&text),
        Err(()) => false,
    }
}

fn names_reference(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"ref:") else { return false };
    let name = name.trim_ascii();
    let parts = || name.split(|byte| *byte == b'/');
    name.starts_with(b"refs/")
        && parts().all(|part| !part.is_empty() && part != b".." && part != b".")
        && !name.iter().any(|byte| byte.is_ascii_control() || *byte == b' ')
}

fn is_object(text: &[u8]) -> bool {
    let name = text.trim_ascii();
    matches!(name.len(), 40 | 64) && name.iter().all(u8::is_ascii_hexdigit)
}

/// References that the run changed to a form that git doesn't write.
fn references(
    root: BorrowedFd<'_>,
    refs: &Path,
    is_recent: &dyn Fn(&Path) -> bool,
    budget: &mut usize,
    found: &mut Vec<ArmedState>,
) {
    let mut waiting = vec![(refs.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for (name, kind) in entries(root, &folder, budget) {
            let below = folder.join(name);
            if kind == libc::DT_DIR {
                if depth < DEEPEST {
                    waiting.push((below, depth + 1));
                }
            } else if is_recent(&below)
                && !below.to_string_lossy().ends_with(".lock")
                && !is_head(root, &below)
            {
                let why = "a reference names neither a branch nor a commit".to_owned();
                found.push(ArmedState { place: below, why });
            }
        }
    }
}

/// Links that the run put where git writes: outside, git would write where they lead.
fn links(
    root: BorrowedFd<'_>,
    admin: &Path,
    is_recent: &dyn Fn(&Path) -> bool,
    budget: &mut usize,
    found: &mut Vec<ArmedState>,
) {
    let tops = WRITTEN.iter().map(|(name, deepest)| (admin.join(name), *deepest));
    for (top, deepest) in tops {
        if is_recent(&top) && is_link(root, &top) {
            found.push(ArmedState { place: top, why: WRITES_OUT.to_owned() });
            continue;
        }
        let mut waiting = vec![(top, 0)];
        while let Some((folder, depth)) = waiting.pop() {
            for (name, kind) in entries(root, &folder, budget) {
                let below = folder.join(name);
                if kind == libc::DT_DIR && depth < deepest {
                    waiting.push((below, depth + 1));
                } else if kind != libc::DT_DIR && is_recent(&below) && is_link(root, &below) {
                    found.push(ArmedState { place: below, why: WRITES_OUT.to_owned() });
                }
            }
        }
    }
}

fn entries(root: BorrowedFd<'_>, folder: &Path, budget: &mut usize) -> Vec<(std::ffi::OsString, u8)> {
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let opened = sys::open_at(Some(root), folder, flags, BELOW).ok();
    let mut all = opened.and_then(|folder| sys::read_directory(folder.as_fd()).ok()).unwrap_or_default();
    all.truncate(*budget);
    *budget -= all.len();
    all
}

fn exists(root: BorrowedFd<'_>, place: &Path) -> bool {
    sys::open_at(Some(root), place, libc::O_PATH | libc::O_NOFOLLOW, BELOW).is_ok()
}

fn is_link(root: BorrowedFd<'_>, place: &Path) -> bool {
    let opened = sys::open_at(Some(root), place, libc::O_PATH | libc::O_NOFOLLOW, BELOW);
    opened.and_then(|found| sys::stat(found.as_fd())).is_ok_and(|found| found.is_link())
}

fn is_directory(root: BorrowedFd<'_>, place: &Path) -> bool {
    let opened = sys::open_at(Some(root), place, libc::O_PATH | libc::O_NOFOLLOW, BELOW);
    opened.and_then(|found| sys::stat(found.as_fd())).is_ok_and(|found| found.is_directory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_git_writes_is_a_head() {
        let commit = "a".repeat(40);
        for good in
            ["ref: refs/heads/main\n", "ref: refs/heads/a/b.c", "ref:refs/x", &commit, &"0".repeat(64)]
        {
            assert!(names_reference(good.as_bytes()) || is_object(good.as_bytes()), "{good}");
        }
        for bad in [
            "",
            "ref: ",
            "ref: ../evil",
            "ref: refs/../../evil",
            "ref: refs//x",
            "ref: /etc/passwd",
            "ref: HEAD",
            "ref: refs/heads/a b",
            "ref: refs/heads/x\nexec",
            "aaaa",
            "gitdir: ../evil",
            "ref: refs/./x",
        ] {
            assert!(!names_reference(bad.as_bytes()) && !is_object(bad.as_bytes()), "{bad}");
        }
    }
}
