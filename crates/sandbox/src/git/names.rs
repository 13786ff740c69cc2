//! The names that may be written in a git directory, from gitrepository-layout(5) of git 2.47. Unlisted names can't
//! be written.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Write access to one file of a git directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileAccess {
    /// Git's state: any content.
    State,
    /// May exist with this content only.
    Fixed(&'static [u8]),
    /// A new configuration: any content, but it replaces the old one only if the broker finds it harmless.
    Draft,
    /// Can't be changed or created.
    Closed,
}

/// Directories that hold state at any depth.
const STATE_DIRECTORIES: &[&str] =
    &["lfs", "logs", "objects", "rebase-apply", "rebase-merge", "refs", "reftable", "rr-cache", "sequencer"];

/// The state directories that are mounted writable if they exist. Git creates and removes the others while it
/// works.
pub(crate) const MOUNTED: &[&str] = &["objects", "refs", "logs", "lfs", "reftable", "rr-cache"];

/// State files at the top of a git directory whose names aren't all capitals.
const STATE_FILES: &[&str] = &["addp-hunk-edit.diff", "gc.log", "gc.pid", "index", "packed-refs", "shallow"];

/// Prefixes of temporary and split files: `sharedindex.SHA`, `index.stash.PID`, `next-index-PID`, `shallow_XXXXXX`.
const STATE_BEGINNINGS: &[&str] = &["sharedindex", "index.stash.", "next-index-", "shallow_"];

/// Files of `info` that say what is tracked. `info/attributes` isn't among them: it chooses among configured
/// programs.
const INFO_FILES: &[&str] = &["exclude", "refs", "rev-cache", "sparse-checkout"];

/// The temporary form of `info/refs`: `refs_XXXXXX`.
const INFO_REFS: &[u8] = b"refs_";

/// A linked working tree's administrative directory is at `worktrees/ID`, so its repository is always two levels up.
const COMMON_OF_WORKTREE: &[u8] = b"../..\n";

/// Access to a file, by its path below the git directory.
pub(crate) fn file(below: &Path) -> FileAccess {
    let Some(parts) = parts(below) else { return FileAccess::Closed };
    match parts.as_slice() {
        [b"config.lock"] => FileAccess::Draft,
        [b"worktrees", _, b"commondir"] => FileAccess::Fixed(COMMON_OF_WORKTREE),
        [b"worktrees", _, b"gitdir" | b"locked"] => FileAccess::State,
        [b"worktrees", _, rest @ ..] => state(rest),
        parts => state(parts),
    }
}

fn state(parts: &[&[u8]]) -> FileAccess {
    let allowed = match parts {
        [name] => is_state_file(name),
        [b"info", name] => contains(INFO_FILES, without_lock(name)) || name.starts_with(INFO_REFS),
        [directory, _, ..] => contains(STATE_DIRECTORIES, directory),
        [] => false,
    };
    if allowed { FileAccess::State } else { FileAccess::Closed }
}

/// Whether a directory may be made or removed, by its path below the git directory.
pub(crate) fn directory(below: &Path) -> bool {
    let Some(parts) = parts(below) else { return false };
    match parts.as_slice() {
        [b"worktrees"] | [b"worktrees", _] | [b"worktrees", _, b"info"] | [b"info"] => true,
        [b"worktrees", _, name, ..] | [name, ..] => contains(STATE_DIRECTORIES, name),
        [] => false,
    }
}

fn is_state_file(name: &[u8]) -> bool {
    let name = without_lock(name);
    let name = name.strip_suffix(b".new").unwrap_or(name);
    let in_capitals = name.iter().any(u8::is_ascii_uppercase)
        && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    in_capitals
        || contains(STATE_FILES, name)
        || STATE_BEGINNINGS.iter().any(|begin| name.starts_with(begin.as_bytes()))
}

/// Git writes `NAME.lock` and renames it to `NAME`.
fn without_lock(name: &[u8]) -> &[u8] {
    name.strip_suffix(b".lock").unwrap_or(name)
}

fn contains(list: &[&str], name: &[u8]) -> bool {
    list.iter().any(|own| own.as_bytes() == name)
}

/// The plain components of a path; `None` if it has others, such as `..`.
fn parts(below: &Path) -> Option<Vec<&[u8]>> {
    below
        .components()
        .map(|part| match part {
            std::path::Component::Normal(name) => Some(OsStr::as_bytes(name)),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_written_and_what_runs_programs_is_not() {
        for name in [
            "index",
            "index.lock",
            "HEAD",
            "HEAD.lock",
            "ORIG_HEAD",
            "FETCH_HEAD",
            "MERGE_MSG",
            "COMMIT_EDITMSG",
            "BISECT_EXPECTED_REV",
            "packed-refs.lock",
            "packed-refs.new",
            "shallow.lock",
            "index.stash.4711.lock",
            "rebase-merge/git-rebase-todo",
            "rebase-apply/0001",
            "sequencer/todo",
            "info/exclude",
            "info/refs_tLVsdE",
            "info/sparse-checkout.lock",
            "logs/refs/heads/x",
            "worktrees/w/HEAD",
            "worktrees/w/index.lock",
            "worktrees/w/gitdir",
            "worktrees/w/locked",
            "worktrees/w/logs/HEAD",
        ] {
            assert_eq!(file(Path::new(name)), FileAccess::State, "{name}");
        }
        assert_eq!(file(Path::new("config.lock")), FileAccess::Draft);
        assert_eq!(file(Path::new("worktrees/w/commondir")), FileAccess::Fixed(b"../..\n"));
        for name in [
            "",
            "config",
            "config.worktree",
            "modules/m/config.lock",
            "commondir",
            "commondir.lock",
            "gitdir",
            "description",
            "hooks/post-commit",
            "info/attributes",
            "info/attributes.lock",
            "info/deep/exclude",
            "remotes/origin",
            "branches/x",
            "modules/m/config",
            "modules/m/index",
            "worktrees/config",
            "worktrees/w/config.worktree",
            "worktrees/w/config",
            "worktrees/w/hooks/x",
            "worktrees/w/worktrees/v/index",
            "../config",
            "fsmonitor--daemon.ipc",
            "objects",
            "refs",
        ] {
            assert_eq!(file(Path::new(name)), FileAccess::Closed, "{name}");
        }
    }

    #[test]
    fn only_directories_of_state_are_made() {
        for name in
            ["rebase-merge", "rebase-merge/x/y", "logs", "worktrees", "worktrees/w", "worktrees/w/logs/refs"]
        {
            assert!(directory(Path::new(name)), "{name}");
        }
        for name in
            ["", "hooks", "modules", "modules/m", "worktrees/w/hooks", "worktrees/w/modules", "x", "info/x"]
        {
            assert!(!directory(Path::new(name)), "{name}");
        }
    }
}
