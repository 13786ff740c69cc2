//! Stamps of files: what changes when a file's content does, to be had without reading it.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A file that changed less than this before it was looked at may change again without another stamp: clocks of
/// file systems are coarse. Its content is compared until it is older.
const SETTLED: Duration = Duration::from_secs(2);

/// How long equal stamps stand for equal content. A program that has a file mapped changes it without a new stamp: Linux
/// takes the time at its first write after the last flush, which on `tmpfs` never comes. So content is compared this often.
const TRUSTED: Duration = Duration::from_secs(5);

/// The stamps of some files, in order, at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Stamps {
    files: Vec<(PathBuf, Stamp)>,
    taken: Instant,
    /// Whether every file was older than [`SETTLED`].
    settled: bool,
}

/// What tells one state of a file from another. The time of the last change can't be set by who may write the file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stamp {
    /// It can't be looked at; for one that isn't there this is the common case.
    Absent(std::io::ErrorKind),
    There {
        device: u64,
        inode: u64,
        mode: u32,
        owner: u32,
        size: u64,
        modified: (i64, i64),
        changed: (i64, i64),
    },
}

impl Stamps {
    /// Looks at these files. Links are followed, as they are when the files are read.
    pub(crate) fn of(files: impl Iterator<Item = PathBuf>) -> Self {
        let taken = Instant::now();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut settled = true;
        let files = files
            .map(|file| {
                let stamp = match std::fs::metadata(&file) {
                    Ok(meta) => {
                        let seconds = u64::try_from(meta.ctime()).unwrap_or(u64::MAX);
                        let nanoseconds = u32::try_from(meta.ctime_nsec()).unwrap_or(0);
                        let changed = Duration::from_secs(seconds)
                            .saturating_add(Duration::from_nanos(nanoseconds.into()));
                        settled &= now.checked_sub(changed).is_some_and(|age| age > SETTLED);
                        Stamp::There {
                            device: meta.dev(),
                            inode: meta.ino(),
                            mode: meta.mode(),
                            owner: meta.uid(),
                            size: meta.size(),
                            modified: (meta.mtime(), meta.mtime_nsec()),
                            changed: (meta.ctime(), meta.ctime_nsec()),
                        }
                    }
                    Err(error) => Stamp::Absent(error.kind()),
                };
                (file, stamp)
            })
            .collect();
        Self { files, taken, settled }
    }

    /// The same stamps, with which nothing ever counts as unchanged.
    pub(crate) fn never(stamps: Self) -> Self {
        Self { settled: false, ..stamps }
    }

    /// Whether the files are as they were when these stamps were taken, with `now` their stamps of now. Never true for
    /// stamps older than [`TRUSTED`]: then the content has to be compared.
    pub(crate) fn unchanged(&self, now: &Self) -> bool {
        let is_fresh = now.taken.saturating_duration_since(self.taken) < TRUSTED;
        self.settled && is_fresh && self.files == now.files
    }
}

/// What was made of some files and words, kept as long as the files' stamps say that they didn't change, and no longer than
/// [`TRUSTED`].
#[derive(Debug)]
pub(crate) struct Stamped<T>(Mutex<HashMap<Source, (Stamps, T)>>);

/// The files that something is made of, and the words beside them.
pub(crate) type Source = (Vec<PathBuf>, Vec<String>);

/// More than this isn't kept: it is made anew.
const MOST_KEPT: usize = 1024;

impl<T> Default for Stamped<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Stamped<T> {
    /// What `make` makes of this source, which it reads only if it changed since it was made last.
    pub(crate) fn get(&self, source: Source, make: impl FnOnce() -> T) -> T {
        let stamps = Stamps::of(source.0.iter().cloned());
        if let Some((before, made)) = self.lock().get(&source)
            && before.unchanged(&stamps)
        {
            return made.clone();
        }
        // The stamps are older than the reading, so that a change between them is seen at the next call.
        let made = make();
        let mut kept = self.lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(source, (stamps, made.clone()));
        made
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Source, (Stamps, T)>> {
        // Every critical section is one operation of the map, so a poisoned one is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_just_written_never_counts_as_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        let look = || Stamps::of([file.clone()].into_iter());
        let none = look();
        assert!(none.unchanged(&look()), "what isn't there stays so");
        std::fs::write(&file, "a").unwrap();
        let young = look();
        assert!(!none.unchanged(&young));
        // The same size, within the same tick of the file system's clock.
        std::fs::write(&file, "b").unwrap();
        assert!(!young.unchanged(&look()));
    }

    #[test]
    fn what_was_made_of_a_file_is_made_again_once_the_file_or_the_words_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        std::fs::write(&file, "a").unwrap();
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        let kept = Stamped::default();
        let read = |words: &str| {
            let mut reads = 0;
            let text = kept.get((vec![file.clone()], vec![words.to_owned()]), || {
                reads += 1;
                std::fs::read_to_string(&file).unwrap()
            });
            (text, reads)
        };
        assert_eq!(read("x"), ("a".to_owned(), 1));
        assert_eq!(read("x"), ("a".to_owned(), 0));
        assert_eq!(read("y"), ("a".to_owned(), 1), "other words");
        std::fs::write(&file, "b").unwrap();
        assert_eq!(read("x"), ("b".to_owned(), 1));
        assert_eq!(read("x"), ("b".to_owned(), 1), "young files are read again");
    }

    #[test]
    fn an_old_file_counts_as_unchanged_until_anything_of_it_changes() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        let look = || Stamps::of([file.clone()].into_iter());
        std::fs::write(&file, "a").unwrap();
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        let old = look();
        assert!(old.unchanged(&look()));
        // A write that sets the old time again still changes the time of the last change.
        let time = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::write(&file, "b").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        assert!(!old.unchanged(&look()), "rewritten under its old time");
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        let again = look();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
        assert!(!again.unchanged(&look()), "made unreadable");
        std::fs::remove_file(&file).unwrap();
        assert!(!again.unchanged(&look()), "removed");
        // A mapped file changes without a stamp, so equal stamps don't count for long.
        std::fs::write(&file, "c").unwrap();
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        let mut aged = look();
        assert!(aged.unchanged(&look()));
        aged.taken = aged.taken.checked_sub(TRUSTED).unwrap();
        assert!(!aged.unchanged(&look()), "trusted for too long");
    }
}
