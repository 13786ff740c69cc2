//! Placeholders kept for a moment after a run, for reuse by the next one.
//!
//! Creating and freeing twenty directories takes longer than building the rest of a run's view. A service that runs
//! one call after the other keeps them for one second after a run, and the next run in the same folder takes them
//! over. They are removed when that time is over, or with the engine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::placeholder::Kept;

/// How long placeholders are kept for the next run.
const WAIT: Duration = Duration::from_secs(1);

/// Kept placeholders, each with its folder and expiry.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<Vec<KeptPlaceholders>>);

#[derive(Debug)]
struct KeptPlaceholders {
    folder: PathBuf,
    kept: Kept,
    until: Instant,
}

impl Places {
    /// Takes the placeholders kept for a folder, if they include all of `names`.
    pub(super) fn take(&self, folder: &Path, names: &[&OsStr]) -> Option<Kept> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting.iter().position(|one| one.folder == folder && one.kept.keeps(names))?;
        Some(waiting.swap_remove(at).kept)
    }

    /// Keeps placeholders that a run no longer needs.
    pub(super) fn wait(this: &Arc<Self>, kept: impl IntoIterator<Item = (PathBuf, Kept)>) {
        let until = Instant::now() + WAIT;
        let mut waiting = this.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = waiting.is_empty();
        waiting.extend(kept.into_iter().map(|(folder, kept)| KeptPlaceholders { folder, kept, until }));
        if is_first && !waiting.is_empty() {
            let own = Arc::downgrade(this);
            let started =
                std::thread::Builder::new().name("sandbox-places".into()).spawn(move || remove_in_time(&own));
            if started.is_err() {
                waiting.clear();
            }
        }
    }

    /// Removes expired placeholders; returns the time until the next expiry.
    fn remove(&self) -> Option<Duration> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        // Under the lock, so that a run that takes them over finds all names of a folder or none.
        waiting.retain(|one| one.until > now);
        waiting.iter().map(|one| one.until.saturating_duration_since(now)).min()
    }
}

fn remove_in_time(places: &Weak<Places>) {
    std::thread::sleep(WAIT);
    while let Some(left) = places.upgrade().and_then(|places| places.remove()) {
        std::thread::sleep(left);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::{Engine, Spec};

    #[test]
    fn a_service_keeps_them_for_the_next_run_and_no_longer() {
        let work = tempfile::tempdir().unwrap();
        let root = work.path().canonicalize().unwrap();
        let count = || root.read_dir().unwrap().count();
        let engine = Engine::new().with_spare();
        let inode = || std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(root.join(".claude")).unwrap());
        engine.run(Spec::new("/bin/true", &root)).unwrap();
        let first = inode();
        engine.run(Spec::new("/bin/true", &root)).unwrap();
        assert_eq!(inode(), first, "the same are used again");
        let until = Instant::now() + Duration::from_secs(20);
        while count() > 0 {
            assert!(Instant::now() < until, "they go when nobody comes");
            std::thread::sleep(Duration::from_millis(10));
        }
        engine.run(Spec::new("/bin/true", &root)).unwrap();
        assert!(count() > 0);
        drop(engine);
        assert_eq!(count(), 0, "and with the engine");
    }

    #[test]
    fn one_that_somebody_used_or_removed_meanwhile_does_no_harm() {
        let work = tempfile::tempdir().unwrap();
        let root = work.path().canonicalize().unwrap();
        let engine = Engine::new().with_spare();
        let run = || {
            engine
                .run(Spec::new("/bin/sh", &root).arg("-c").arg("ls -A .claude; mkdir .vscode 2>/dev/null"))
                .unwrap()
        };
        run();
        std::fs::write(root.join(".claude/settings.json"), "{}").unwrap();
        std::fs::remove_dir(root.join(".vscode")).unwrap();
        let report = run();
        assert_eq!(String::from_utf8_lossy(&report.stdout), "settings.json\n", "it is real now, and seen");
        assert_eq!(report.status.exit_code(), 1, "the other still can't be made");
        drop(engine);
        assert_eq!(root.read_dir().unwrap().count(), 1);
    }
}
