//! A record's content belongs to the log: durable and verified with it, and dropped only after the log announces it.

use std::fs;
use std::path::Path;

use crate::common::{content, decision, fill_kept, kept, open, quiet};
use doorward_core::id::Digest;
use doorward_core::record::{DecisionRecord, Record};
use doorward_core::{Custody, Verdict};
use doorward_ledger::content::{MAX_CONTENT, bundle_path};
use doorward_ledger::{ArgsKept, Entry, Log, Options, Reader, VerifyOptions, VerifyReport, verify};

fn checked(dir: &Path) -> VerifyReport {
    verify(dir, &VerifyOptions::default()).unwrap()
}

fn codes(report: &VerifyReport) -> Vec<(&'static str, Option<u64>)> {
    report.faults.iter().map(|fault| (fault.code, fault.at)).collect()
}

fn read(dir: &Path, n: u64) -> Option<Vec<u8>> {
    Reader::open(dir).unwrap().content(n, &Digest::of(&content(n))).unwrap()
}

#[test]
fn content_is_read_from_the_journal_and_from_its_bundle() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    fill_kept(&log, 0..600);
    assert_eq!(read(dir.path(), 599), Some(content(599)), "from the journal");
    log.checkpoint().unwrap();
    fill_kept(&log, 600..700);
    for n in [0, 255, 256, 599, 600, 699] {
        assert_eq!(read(dir.path(), n), Some(content(n)), "{n}");
    }
    assert_eq!(Reader::open(dir.path()).unwrap().content(3, &Digest::of(&content(4))).unwrap(), None);
    log.close();
    assert!(!dir.path().join("blobs").exists());
    assert_eq!(fs::read_dir(dir.path().join("contents")).unwrap().count(), 3, "one file for 256 records");

    let log = open(dir.path(), Options::default());
    fill_kept(&log, 700..1000);
    log.close();
    let report = checked(dir.path());
    assert!(report.faults.is_empty() && report.contents == 1000, "{report:?}");
    (0..1000).for_each(|n| assert_eq!(read(dir.path(), n), Some(content(n)), "{n}"));
}

#[test]
fn a_record_isnt_taken_without_what_it_names() {
    let named = |v: u8, content: &[u8]| {
        let inspected = Digest::of(content);
        Record::Decision(Box::new(DecisionRecord { v, inspected, ..decision(Verdict::Deny, Custody::Bound) }))
    };
    let kept = ArgsKept::default();
    let version = DecisionRecord::VERSION;
    assert!(Entry::with_content(named(version, b"kept"), kept, b"kept".to_vec()).is_ok());
    for (what, entry) in [
        ("nothing", Entry::new(named(version, b"kept"), kept)),
        ("another content", Entry::with_content(named(version, b"kept"), kept, b"other".to_vec())),
        ("content nobody names", Entry::with_content(named(1, b"kept"), kept, b"kept".to_vec())),
    ] {
        assert_eq!(entry.unwrap_err().code(), "ledger.unwritable", "{what}");
    }
    let text =
        serde_json::to_string(&serde_json::json!({"inspected": "sha256:x", "kind": "decision", "v": 2}));
    assert!(Entry::from_canonical(text.unwrap().into_bytes()).is_err());
    let long = vec![b'x'; MAX_CONTENT];
    let entry = Entry::with_content(named(version, &long), kept, long);
    assert_eq!(entry.unwrap_err().code(), "ledger.too_large");
}

#[test]
fn content_longer_than_a_batch_is_kept_too() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options { segment_bytes: 1 << 20, ..Options::default() });
    let long = vec![b'x'; 5 << 20];
    let mut places = Vec::new();
    for round in 0..6 {
        fill_kept(&log, round * 11..round * 11 + 10);
        let mut record = decision(Verdict::Deny, Custody::Bound);
        (record.v, record.inspected) = (DecisionRecord::VERSION, Digest::of(&long));
        let record = Record::Decision(Box::new(record));
        places.push(log.append_with(record, long.clone()).unwrap().wait().unwrap());
    }
    // The state after a kill: from the journal alone.
    let killed = tempfile::tempdir().unwrap();
    assert!(
        std::process::Command::new("cp")
            .arg("-rT")
            .args([dir.path(), killed.path()])
            .status()
            .unwrap()
            .success()
    );
    log.close();
    Log::open(killed.path(), quiet(Options::default())).unwrap().close();
    for dir in [dir.path(), killed.path()] {
        let report = checked(dir);
        assert!(report.intact() && report.contents == 66, "{report:?}");
        let reader = Reader::open(dir).unwrap();
        for place in &places {
            assert!(reader.content(*place, &Digest::of(&long)).unwrap().is_some_and(|found| found == long));
        }
    }
}

#[test]
fn verification_says_what_is_missing_and_what_was_changed() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    fill_kept(&log, 0..1000);
    log.close();
    let path = dir.path().join(bundle_path(1));
    let good = fs::read(&path).unwrap();

    fs::remove_file(&path).unwrap();
    let report = checked(dir.path());
    assert_eq!(codes(&report), [("ledger.content_missing", Some(256))]);
    assert!(!report.intact() && report.contents == 744 && report.trustworthy == 1000);
    assert!(report.faults[0].message.contains("256 in all"), "{}", report.faults[0].message);

    let change = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        codes(&checked(dir.path()))
    };
    let at = good.windows(8).position(|part| part == 400_u64.to_be_bytes()).unwrap();
    let mut bad = good.clone();
    bad[at + 30] ^= 1;
    assert_eq!(change(&bad), [("ledger.content_mismatch", Some(400))]);
    let next = good.windows(8).position(|part| part == 401_u64.to_be_bytes()).unwrap();
    assert_eq!(change(&[&good[..at], &good[next..]].concat()), [("ledger.content_missing", Some(400))]);
    assert_eq!(
        change(&good[..at + 20])[0],
        ("ledger.content_mismatch", Some(400)),
        "cut inside the content of a record"
    );
    assert_eq!(change(&[&good[..], b"more"].concat()), [("ledger.content_mismatch", Some(511))]);
    let other = fs::read(dir.path().join(bundle_path(2))).unwrap();
    assert_eq!(change(&other)[0], ("ledger.content_mismatch", Some(256)), "the bundle of other records");
    // The records are unchanged; a reader gets no content instead of wrong content.
    assert_eq!(read(dir.path(), 300), None);
    assert_eq!(change(&good), []);
}

#[test]
fn what_retention_drops_is_said_in_the_log_and_anything_else_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    fill_kept(&log, 0..1000);
    assert_eq!(log.drop_contents(700, "test").unwrap().bundles, 0, "nothing is signed yet");
    log.checkpoint().unwrap();
    let dropped = log.drop_contents(700, "older than 30 days").unwrap();
    assert_eq!((dropped.bundles, dropped.index), (2, Some(1000)), "whole bundles only");
    assert_eq!(log.drop_contents(700, "again").unwrap().index, None, "nothing is left to drop");
    log.close();
    let report = checked(dir.path());
    assert_eq!(codes(&report), [("ledger.content_dropped", Some(0))]);
    assert!(report.intact() && (report.dropped, report.contents) == (512, 488));
    assert!(report.faults[0].message.contains("512 records below 512, as record 1000 says"));
    assert_eq!((read(dir.path(), 511), read(dir.path(), 512)), (None, Some(content(512))));

    // Missing content that the note doesn't cover is still damage, whether or not the service runs.
    fs::remove_file(dir.path().join(bundle_path(2))).unwrap();
    assert!(!checked(dir.path()).intact());
    let log = open(dir.path(), Options::default());
    assert_eq!(log.append_entry(kept(2000)).unwrap().wait(), Ok(1001));
    log.close();
    let report = checked(dir.path());
    assert_eq!(codes(&report)[0], ("ledger.content_missing", Some(512)));
}

#[test]
fn a_note_excuses_nothing_behind_itself() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let note = concat!(
        r#"{"code":"ledger.contents_dropped","detail":{"before":5000},"id":"01","kind":"note","message":"","#,
        r#""time":"2020-01-01T00:00:00Z","v":1}"#
    );
    log.append_entry(Entry::from_canonical(note.as_bytes().to_vec()).unwrap()).unwrap().wait().unwrap();
    for n in 1..600 {
        log.append_entry(kept(n)).unwrap().wait().unwrap();
    }
    log.close();
    fs::remove_file(dir.path().join(bundle_path(0))).unwrap();
    assert_eq!(codes(&checked(dir.path())), [("ledger.content_missing", Some(1))]);
}

#[test]
fn a_log_of_an_earlier_version_is_read_and_its_open_journal_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let bytes = b"kept by an earlier version";
    let mut record = decision(Verdict::Deny, Custody::Bound);
    record.inspected = Digest::of(bytes);
    let name = record.inspected.clone();
    let index = log.append_blocking(Record::Decision(Box::new(record))).unwrap();
    log.checkpoint().unwrap();
    let hex = name.as_str().strip_prefix("sha256:").unwrap();
    let folder = dir.path().join("blobs/sha256").join(&hex[..2]);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(hex), bytes).unwrap();
    assert_eq!(Reader::open(dir.path()).unwrap().content(index, &name).unwrap().unwrap(), bytes);
    assert!(checked(dir.path()).intact());

    let killed = tempfile::tempdir().unwrap();
    assert!(
        std::process::Command::new("cp")
            .arg("-rT")
            .args([dir.path(), killed.path()])
            .status()
            .unwrap()
            .success()
    );
    log.close();
    let segment = fs::read_dir(killed.path().join("journal")).unwrap().next().unwrap().unwrap().path();
    let mut journal = fs::read(&segment).unwrap();
    journal[..4].copy_from_slice(b"DWJ1");
    fs::write(&segment, journal).unwrap();
    let refused = Log::open(killed.path(), quiet(Options::default())).unwrap_err();
    assert_eq!(refused.code, "ledger.old_format", "{refused}");
}
