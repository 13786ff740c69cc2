//! Detects commits to an SQLite store since an earlier look, without a query.
//!
//! In WAL mode each commit, by any process, changes the header of the index file next to the database (`-shm`), which
//! has a counter of transactions and checksums of the log (<https://www.sqlite.org/walformat.html>, section 2.1). So
//! if two headers of one file are equal, nothing was committed in between. Reading one takes about two microseconds;
//! a query needs a round trip to the connection's thread.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::db::Store;

/// Bytes of one copy of the header. A writer changes the second copy first.
const COPY: usize = 48;
/// Offset of the byte that says whether a copy is valid.
const IS_INIT: usize = 12;

/// The state of a store. If two stamps of one store are equal, nothing was committed between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    opened: u64,
    header: [u8; COPY],
}

/// Index files that this process reads, by device and inode.
///
/// INVARIANT: a file stays open as long as a connection of this process may have it open. SQLite holds POSIX locks on
/// it, and a process loses all its locks on a file when it closes any descriptor of that file.
static OPEN: Mutex<Option<IndexFiles>> = Mutex::new(None);

/// Open index files.
#[derive(Default)]
struct IndexFiles {
    by_path: HashMap<PathBuf, Index>,
    /// Number of files opened so far. SQLite removes the file with the last connection and creates it again with the
    /// next one; the new file may have the same inode and header but belong to another state.
    opened: u64,
}

struct Index {
    /// Device and inode.
    id: (u64, u64),
    file: File,
    /// Sequence number of the opened file, which tells files apart.
    number: u64,
}

fn open() -> MutexGuard<'static, Option<IndexFiles>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// The store's current state; `None` if only a query can tell (a shared database, or a commit in progress). Take
    /// it before the query whose result it will validate.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        stamp_of(self.index.as_deref()?)
    }
}

/// The path of the index file of a database.
pub(crate) fn index_of(database: &Path) -> Option<PathBuf> {
    // SQLite places it next to the file itself, not next to a link to it.
    let mut name = database.canonicalize().ok()?.into_os_string();
    name.push("-shm");
    Some(name.into())
}

fn stamp_of(index: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(index).ok()?;
    let id = (found.dev(), found.ino());
    let mut all = open();
    let all = all.get_or_insert_default();
    if all.by_path.get(index).is_none_or(|known| known.id != id) {
        let file = File::open(index).ok()?;
        let opened = file.metadata().ok()?;
        if (opened.dev(), opened.ino()) != id {
            // Closing the file would release SQLite's locks on it.
            std::mem::forget(file);
            return None;
        }
        all.opened += 1;
        let number = all.opened;
        if let Some(old) = all.by_path.insert(index.to_owned(), Index { id, file, number })
            && old.file.metadata().is_ok_and(|old| old.nlink() > 0)
        {
            // The file was moved and may still be in use. SQLite itself removes it only when no connection uses it.
            std::mem::forget(old.file);
        }
    }
    let Index { file, number, .. } = all.by_path.get(index)?;
    let mut both = [0; 2 * COPY];
    file.read_exact_at(&mut both, 0).ok()?;
    let (first, second) = both.split_at(COPY);
    let is_whole = first == second && first.get(IS_INIT).is_some_and(|flag| *flag != 0);
    Some(Stamp { opened: *number, header: first.try_into().ok()? }).filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pins::Pin;

    fn pin(tool: &str) -> Pin {
        Pin {
            server: "s".into(),
            tool: tool.into(),
            state: "pending".into(),
            digest: None,
            definition: String::new(),
            by: String::new(),
        }
    }

    #[tokio::test]
    async fn every_commit_of_any_connection_changes_the_stamp_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let (one, other) = (Store::open_file(&path).await.unwrap(), Store::open_file(&path).await.unwrap());
        let mut last = None;
        for number in 0..50 {
            let writer = if number % 2 == 0 { &one } else { &other };
            writer.put_pin(&pin(&format!("t{}", number % 3))).await.unwrap();
            let now = one.stamp();
            assert!(now.is_some() && now != last, "commit {number}");
            assert_eq!(one.pins("s").await.unwrap().len(), 3.min(number + 1));
            assert_eq!(one.stamp(), now, "a query commits nothing");
            last = now;
        }
        other.stop("all", "ana", "").await.unwrap();
        assert_ne!(one.stamp(), last);
    }

    #[tokio::test]
    async fn a_log_that_begins_anew_is_no_old_state() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("store.db")).await.unwrap();
        let mut seen: Vec<Stamp> = Vec::new();
        for _ in 0..20 {
            // The log is written back and starts again, so that its length is the same each time.
            sqlx::query("pragma wal_checkpoint(truncate)").execute(&store.write).await.unwrap();
            store.put_pin(&pin("same")).await.unwrap();
            let now = store.stamp().unwrap();
            assert!(!seen.contains(&now));
            seen.push(now);
        }
        assert!(Store::in_memory().await.unwrap().stamp().is_none());
    }

    /// In each round another database file is at the path, mostly with the inode of an earlier one, and its index
    /// header is that of an empty log.
    #[tokio::test]
    async fn an_index_that_was_made_anew_is_no_old_state_though_it_looks_like_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let (mut seen, mut looks): (Vec<Stamp>, Vec<_>) = (Vec::new(), Vec::new());
        for round in 0..6 {
            let store = Store::open_file(&path).await.unwrap();
            store.pins("s").await.unwrap();
            let now = store.stamp();
            if let Some(now) = now {
                assert!(!seen.contains(&now), "round {round}: {now:?}");
                let (_, inode) = open().as_ref().unwrap().by_path[&index_of(&path).unwrap()].id;
                looks.push((inode, now.header));
                seen.push(now);
            }
            store.put_pin(&pin(&format!("t{round}"))).await.unwrap();
            store.read.close().await;
            store.write.close().await;
            assert!(!index_of(&path).unwrap().exists(), "SQLite removes it with the last connection");
        }
        let repeated = looks.iter().enumerate().any(|(at, look)| looks[..at].contains(look));
        println!("{} stamps, one of which looks like an earlier one: {repeated}", looks.len());
        assert!(looks.len() > 2);
    }
}
