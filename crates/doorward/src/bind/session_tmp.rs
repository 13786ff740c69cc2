//! The folder that the bound calls of one session see as `/tmp`: what one writes there, the next finds.
//!
//! It lies in the state folder, which no run sees otherwise. One that no call used for a day is removed.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use doorward_core::id::{Digest, SessionId};

/// How long a session's folder is kept after its last call.
const KEPT: Duration = Duration::from_secs(24 * 3_600);

/// The session's folder, made if it is missing; `None`, logged, if it can't be had: then `/tmp` ends with the call.
pub(super) fn of(state: &Path, session: &SessionId) -> Option<PathBuf> {
    let folder = state.join("tmp").join(name(session));
    match made(&folder) {
        Ok(()) => Some(folder),
        Err(error) => {
            tracing::warn!("no /tmp for the session at {}: {error}", folder.display());
            None
        }
    }
}

/// A session's id may hold anything, so its folder is named by a digest.
fn name(session: &SessionId) -> String {
    let digest = Digest::of(session.as_str().as_bytes()).into_string();
    digest.chars().filter(char::is_ascii_alphanumeric).skip("sha256".len()).take(32).collect()
}

fn made(folder: &Path) -> io::Result<()> {
    if !folder.is_dir() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        remove_old(folder.parent().unwrap_or(folder));
    }
    fs::File::open(folder)?.set_modified(SystemTime::now())
}

fn remove_old(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|found| found.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_one_folder_and_old_ones_go() {
        let state = tempfile::tempdir().unwrap();
        let old = state.path().join("tmp/old");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("x"), "x").unwrap();
        fs::File::open(&old).unwrap().set_modified(SystemTime::now() - KEPT * 2).unwrap();
        let first = of(state.path(), &"s/../1".into()).unwrap();
        assert_eq!(first.parent(), Some(state.path().join("tmp").as_path()));
        assert_eq!(of(state.path(), &"s/../1".into()), Some(first.clone()));
        assert_ne!(of(state.path(), &"s2".into()), Some(first));
        assert!(!old.exists());
    }
}
