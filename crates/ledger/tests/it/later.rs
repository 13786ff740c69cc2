//! Records without a waiting caller: they keep their order, are soon on disk, and are never lost silently.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{decision, open};
use crate::disk::{Break, DiskEvent, TestDisk};
use doorward_core::record::{Ledger as _, LedgerError, Outcome, OutcomeRecord, Record};
use doorward_core::{Custody, DecisionId, Verdict};
use doorward_ledger::{Log, Options, Reader};

fn admit(log: &Log) -> DecisionId {
    let record = decision(Verdict::Allow, Custody::Relayed);
    let id = record.id.clone();
    log.append_blocking(Record::Decision(Box::new(record))).unwrap();
    id
}

fn outcome(of: &DecisionId) -> Record {
    Record::Outcome(OutcomeRecord {
        v: 1,
        id: doorward_core::id::RecordId::fresh(),
        time: jiff::Timestamp::now(),
        of: of.clone(),
        of_index: None,
        outcome: Outcome::Ran,
        exit: None,
        limits_hit: Vec::new(),
        output_digest: None,
        bytes: 0,
        obligations: Vec::new(),
        detail: None,
    })
}

fn later(log: &Log, record: Record) -> Receiver<Result<u64, LedgerError>> {
    let (to, from) = channel();
    log.append_later(record, Box::new(move |kept| to.send(kept).unwrap()));
    from
}

fn syncs(events: &Mutex<Vec<DiskEvent>>) -> usize {
    let of_journal = |event: &&DiskEvent| match event {
        DiskEvent::Sync(path) => path.extension().is_some_and(|extension| extension == "j"),
        _ => false,
    };
    events.lock().unwrap().iter().filter(of_journal).count()
}

#[test]
fn an_outcome_shares_the_write_of_the_next_call_and_comes_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Arc::new(TestDisk { lax: true, ..TestDisk::default() });
    let events = Arc::clone(&disk.events);
    let log = open(dir.path(), Options { disk, ..Options::default() });
    let mut last = admit(&log);
    let before = syncs(&events);
    let mut told = Vec::new();
    for _ in 0..50 {
        told.push(later(&log, outcome(&last)));
        last = admit(&log);
    }
    let after = syncs(&events) - before;
    assert!((50..70).contains(&after), "about one sync for a call and the outcome before it: {after}");
    let indices: Vec<u64> = told.iter().map(|told| told.recv().unwrap().unwrap()).collect();
    assert_eq!(indices, (0..50).map(|n| 2 * n + 1).collect::<Vec<_>>(), "each right behind its own call");
    assert!(log.is_open(&last));
    log.close();
    assert_eq!(Reader::open(dir.path()).unwrap().tail(1000).unwrap().len(), 102);
}

#[test]
fn it_is_durable_soon_without_another_record_and_at_the_end_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    for pause in [0, 5, 40] {
        let id = admit(&log);
        // The writer waits with a time-out, or sleeps until it is notified.
        std::thread::sleep(Duration::from_millis(pause));
        let told = later(&log, outcome(&id));
        assert!(told.recv_timeout(Duration::from_secs(5)).unwrap().is_ok(), "after {pause} ms");
        assert!(!log.is_open(&id));
    }
    let id = admit(&log);
    let told = later(&log, outcome(&id));
    log.close();
    assert!(told.try_recv().unwrap().is_ok());
    assert_eq!(later(&log, outcome(&id)).try_recv().unwrap(), Err(LedgerError::Closed));
}

#[test]
fn one_that_cannot_be_kept_is_told_and_the_log_says_that_it_is_not_writable() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Arc::new(TestDisk::default());
    let broken = Arc::clone(&disk.broken);
    let log = open(dir.path(), Options { disk, ..Options::default() });
    let id = admit(&log);
    assert!(log.is_writable());
    *broken.lock().unwrap() = Some(Break::Sync(5));
    let refused = later(&log, outcome(&id)).recv_timeout(Duration::from_secs(5)).unwrap();
    assert_eq!(refused.unwrap_err().code(), "ledger.unwritable");
    assert!(!log.is_writable() && log.is_open(&id));
    *broken.lock().unwrap() = None;
    let kept = later(&log, outcome(&id)).recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(kept.is_ok() && log.is_writable() && !log.is_open(&id));
}
