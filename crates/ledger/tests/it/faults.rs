//! Failing disks and stopping machines: acknowledged records are never lost.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common;
use crate::common::{content, entry, fill, fill_kept, kept, open, quiet};
use crate::disk::{Break, DiskEvent, Left, TestDisk, after_power_loss};
use doorward_core::id::Digest;
use doorward_core::record::Record;
use doorward_ledger::{Entry, Log, Options, Reader, VerifyOptions, verify};

fn bytes(n: u64) -> Entry {
    Entry::from_canonical(entry(n).into_bytes()).unwrap()
}

fn intact(dir: &Path) {
    let report = verify(dir, &VerifyOptions::default()).unwrap();
    assert!(report.intact(), "{:?}", report.faults);
}

const ENOSPC: i32 = 28;
const EIO: i32 = 5;
const EROFS: i32 = 30;

#[test]
fn a_failing_disk_denies_and_loses_nothing_that_was_answered() {
    for fault in
        [Break::Write(ENOSPC), Break::Write(EROFS), Break::Write(EIO), Break::Sync(EIO), Break::Sync(ENOSPC)]
    {
        let dir = tempfile::tempdir().unwrap();
        let disk = Arc::new(TestDisk::default());
        let broken = Arc::clone(&disk.broken);
        let log = open(dir.path(), Options { disk, ..Options::default() });
        fill(&log, 0..20);
        *broken.lock().unwrap() = Some(fault);
        for _ in 0..3 {
            let refused = log.append_entry(bytes(999)).unwrap().wait().unwrap_err();
            assert_eq!(refused.code(), "ledger.unwritable", "{fault:?}");
        }
        assert!(log.health().unwritable.is_some());
        *broken.lock().unwrap() = None;
        fill(&log, 20..40);
        assert_eq!(log.health().unwritable, None);
        log.checkpoint().unwrap();
        fill(&log, 40..50);
        log.close();
        intact(dir.path());
        let stored = Reader::open(dir.path()).unwrap().tail(100).unwrap();
        let found: Vec<String> =
            stored.iter().map(|stored| String::from_utf8(stored.entry.clone()).unwrap()).collect();
        assert_eq!(found, (0..50).map(entry).collect::<Vec<_>>(), "{fault:?}");
    }
}

#[test]
fn short_and_interrupted_writes_are_carried_on() {
    for fault in [Break::Short, Break::Interrupted] {
        let dir = tempfile::tempdir().unwrap();
        let disk = Arc::new(TestDisk::default());
        *disk.broken.lock().unwrap() = Some(fault);
        let log = open(dir.path(), Options { disk, segment_bytes: 500, ..Options::default() });
        fill(&log, 0..100);
        log.close();
        intact(dir.path());
        assert_eq!(Reader::open(dir.path()).unwrap().size(), 100);
    }
}

#[test]
fn whatever_a_power_loss_leaves_recovers_with_every_answer() {
    let work = tempfile::tempdir().unwrap();
    let disk = Arc::new(TestDisk::default());
    let events = Arc::clone(&disk.events);
    let log = open(work.path(), Options { disk, segment_bytes: 48 << 10, ..Options::default() });
    let answered = |n: u64| events.lock().unwrap().push(DiskEvent::Answered(n));
    let mut next = 0;
    for (round, batch) in [1_u64, 40, 3, 120].into_iter().enumerate() {
        let waits: Vec<_> = (next..next + batch).map(|n| log.append_entry(kept(n)).unwrap()).collect();
        waits.into_iter().for_each(|wait| answered(wait.wait().unwrap()));
        next += batch;
        if round % 2 == 1 {
            log.checkpoint().unwrap();
        }
    }
    let recorded = events.lock().unwrap().clone();
    log.close();

    // Every state that the disk can be in, with the largest number of answers given before it.
    let mut states = HashMap::new();
    for prefix in 0..=recorded.len() {
        let behind_write = prefix > 0 && matches!(recorded[prefix - 1], DiskEvent::Write(..));
        let mut ways = vec![Left::Synced, Left::All];
        if behind_write {
            ways.extend((1..4).map(Left::Cut));
            ways.extend((0..3).map(Left::Hole));
        }
        for left in ways {
            for all_names in [false, true] {
                let (files, answers) = after_power_loss(&recorded[..prefix], all_names, left);
                let mut state: Vec<_> = files.iter().collect();
                state.sort();
                let what = format!("{prefix} {left:?} {all_names}");
                states.insert(common::sha256(format!("{state:?}").as_bytes()), (files, answers, what));
            }
        }
    }
    assert!(states.len() > 60, "{}", states.len());
    let expected: Vec<_> = (0..next).map(|n| (kept(n), content(n))).collect();
    for (files, answers, what) in states.values() {
        recovers(work.path(), files, &expected[..*answers as usize], what);
    }
}

fn recovers(
    work: &Path,
    files: &std::collections::HashMap<std::path::PathBuf, Vec<u8>>,
    expected: &[(Entry, Vec<u8>)],
    what: &str,
) {
    let dir = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = dir.path().join(path.strip_prefix(work).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let log =
        Log::open(dir.path(), quiet(Options::default())).unwrap_or_else(|error| panic!("{what}: {error}"));
    log.close();
    let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
    assert!(report.faults.is_empty(), "{what}: {:?}", report.faults);
    let reader = Reader::open(dir.path()).unwrap();
    let stored = reader.range(0, expected.len() as u64).unwrap();
    assert_eq!(stored.len(), expected.len(), "{what}");
    for (stored, (entry, content)) in stored.iter().zip(expected) {
        assert_eq!(stored.entry, entry.bytes(), "{what}");
        let Some(Record::Decision(record)) = stored.record() else { panic!("{what}") };
        let found = reader.content(stored.index, &record.inspected).unwrap();
        assert!(found.is_some_and(|found| found == *content), "{what}: content of {}", stored.index);
    }
}

#[test]
fn content_that_cant_be_bundled_stays_in_the_journal_until_it_can() {
    for fault in [Break::Contents(ENOSPC), Break::Contents(EIO)] {
        let dir = tempfile::tempdir().unwrap();
        let disk = Arc::new(TestDisk::default());
        let broken = Arc::clone(&disk.broken);
        let log = open(dir.path(), Options { disk, ..Options::default() });
        fill_kept(&log, 0..300);
        log.checkpoint().unwrap();
        *broken.lock().unwrap() = Some(fault);
        // The writer itself still succeeds: the journal contains entry and content.
        fill_kept(&log, 300..600);
        assert!(log.checkpoint().is_err(), "nothing is signed whose content isn't in its bundle");
        assert_eq!(log.health().signed, 300);
        let reader = Reader::open(dir.path()).unwrap();
        let digest = Digest::of(&content(599));
        assert_eq!(reader.content(599, &digest).unwrap(), Some(content(599)), "{fault:?}");
        *broken.lock().unwrap() = None;
        log.checkpoint().unwrap();
        fill_kept(&log, 600..610);
        log.close();
        let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
        assert!(report.faults.is_empty() && report.contents == 610, "{fault:?}: {report:?}");
    }
}

#[test]
fn a_second_service_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let second = Log::open(dir.path(), quiet(Options::default())).unwrap_err();
    assert_eq!(second.code, "ledger.locked");
    fill(&log, 0..3);
    log.close();
    Log::open(dir.path(), quiet(Options::default())).unwrap();
}

#[test]
fn a_queue_that_is_full_or_a_disk_that_hangs_denies() {
    struct Hanging(Arc<std::sync::Mutex<()>>);
    struct HangingSink(Box<dyn doorward_ledger::disk::SegmentFile>, Arc<std::sync::Mutex<()>>, bool);
    impl doorward_ledger::disk::SegmentFile for HangingSink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes)
        }
        fn sync(&mut self) -> std::io::Result<()> {
            let _held = self.2.then(|| self.1.lock().unwrap());
            self.0.sync()
        }
    }
    impl doorward_ledger::disk::Disk for Hanging {
        fn create(&self, path: &Path) -> std::io::Result<Box<dyn doorward_ledger::disk::SegmentFile>> {
            let journal = path.extension().is_some_and(|extension| extension == "j");
            let inner = doorward_ledger::disk::System.create(path)?;
            Ok(Box::new(HangingSink(inner, Arc::clone(&self.0), journal)))
        }
        fn append(&self, path: &Path) -> std::io::Result<Box<dyn doorward_ledger::disk::SegmentFile>> {
            doorward_ledger::disk::System.append(path)
        }
        fn read_back(&self, path: &Path) -> std::io::Result<Vec<u8>> {
            doorward_ledger::disk::System.read_back(path)
        }
        fn truncate(&self, path: &Path, length: u64) -> std::io::Result<()> {
            doorward_ledger::disk::System.truncate(path, length)
        }
        fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
            doorward_ledger::disk::System.rename(from, to)
        }
        fn remove(&self, path: &Path) -> std::io::Result<()> {
            doorward_ledger::disk::System.remove(path)
        }
        fn make_dir(&self, path: &Path) -> std::io::Result<()> {
            doorward_ledger::disk::System.make_dir(path)
        }
        fn sync_dir(&self, path: &Path) -> std::io::Result<()> {
            doorward_ledger::disk::System.sync_dir(path)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let gate = Arc::new(std::sync::Mutex::new(()));
    let options = Options {
        disk: Arc::new(Hanging(Arc::clone(&gate))),
        queue: 8,
        deadline: Duration::from_millis(300),
        ..Options::default()
    };
    let log = open(dir.path(), options);
    fill(&log, 0..4);
    let held = gate.lock().unwrap();
    let mut waits = Vec::new();
    let full = (0..40).find_map(|n| log.append_entry(bytes(n)).map(|wait| waits.push(wait)).err());
    assert_eq!(full.unwrap().code(), "ledger.overloaded");
    for wait in waits {
        assert_eq!(wait.wait().unwrap_err().code(), "ledger.overloaded");
    }
    drop(held);
    assert!(log.append_entry(bytes(7)).unwrap().wait().is_ok());
    log.close();
    intact(dir.path());
}
