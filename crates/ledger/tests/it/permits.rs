//! Every permit ends once: by its holder, by the writer if the holder is gone, or at recovery.

use crate::common::{decision, open, quiet};
use doorward_core::id::{DecisionId, RecordId};
use doorward_core::record::{Outcome, OutcomeRecord, Posture, Record, StartRecord};
use doorward_core::{Custody, Verdict};
use doorward_ledger::{ArgsKept, Entry, Filter, Log, Options, Reader, VerifyOptions, verify};

fn admit(log: &Log, custody: Custody) -> DecisionId {
    let record = decision(Verdict::Allow, custody);
    let id = record.id.clone();
    log.append_blocking(Record::Decision(Box::new(record))).unwrap();
    id
}

fn outcome(of: &DecisionId, outcome: Outcome) -> Record {
    Record::Outcome(OutcomeRecord {
        v: 1,
        id: RecordId::fresh(),
        time: jiff::Timestamp::now(),
        of: of.clone(),
        of_index: None,
        outcome,
        exit: Some(0),
        limits_hit: Vec::new(),
        output_digest: None,
        bytes: 0,
        obligations: Vec::new(),
        detail: None,
    })
}

fn outcomes(dir: &std::path::Path) -> Vec<(DecisionId, Outcome)> {
    let reader = Reader::open(dir).unwrap();
    let mut found = reader.find(&Filter { kind: Some("outcome".into()), ..Filter::default() }, 100).unwrap();
    found.reverse();
    found
        .iter()
        .map(|stored| match stored.record() {
            Some(Record::Outcome(outcome)) => (outcome.of, outcome.outcome),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn what_is_open_at_a_crash_is_closed_at_the_start() {
    let (work, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let log = open(work.path(), Options::default());
    let done = admit(&log, Custody::Bound);
    log.append_blocking(outcome(&done, Outcome::Ran)).unwrap();
    let signed = admit(&log, Custody::Bound);
    log.checkpoint().unwrap();
    let advised = admit(&log, Custody::Advised);
    log.append_blocking(outcome(&advised, Outcome::Released)).unwrap();
    let relayed = admit(&log, Custody::Relayed);
    log.append_blocking(Record::Decision(Box::new(decision(Verdict::Deny, Custody::Bound)))).unwrap();
    let status =
        std::process::Command::new("cp").arg("-r").arg(work.path()).arg(crashed.path().join("log")).status();
    assert!(status.unwrap().success());
    let dir = crashed.path().join("log");
    let report = verify(&dir, &VerifyOptions::default()).unwrap();
    assert_eq!((report.open.len(), report.intact()), (3, true));
    let log = Log::open(&dir, quiet(Options::default())).unwrap();
    assert_eq!(log.recovery().closed, 3);
    log.close();
    let wanted = [
        (done, Outcome::Ran),
        (advised.clone(), Outcome::Released),
        (signed, Outcome::Abandoned),
        (advised, Outcome::Unobserved),
        (relayed, Outcome::Unobserved),
    ];
    assert_eq!(outcomes(&dir), wanted);
    let report = verify(&dir, &VerifyOptions::default()).unwrap();
    assert!(report.faults.is_empty() && report.open.is_empty(), "{:?}", report.faults);
}

#[test]
fn a_caller_that_goes_away_leaves_no_open_permit() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let record = decision(Verdict::Allow, Custody::Bound);
    let id = record.id.clone();
    drop(log.append(Record::Decision(Box::new(record))).unwrap());
    // The next answer comes after the records that the first batch caused.
    for _ in 0..100 {
        admit(&log, Custody::Bound);
        if !log.is_open(&id) && log.size() > 2 {
            break;
        }
    }
    assert!(!log.is_open(&id));
    log.close();
    assert!(outcomes(dir.path()).contains(&(id, Outcome::Abandoned)));
    assert!(verify(dir.path(), &VerifyOptions::default()).unwrap().intact());
}

#[test]
fn a_service_that_started_says_that_it_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let start = StartRecord {
        v: 1,
        id: RecordId::fresh(),
        time: jiff::Timestamp::now(),
        posture: Posture::Personal,
        version: "0".into(),
    };
    log.append_blocking(Record::Start(start)).unwrap();
    admit(&log, Custody::Bound);
    log.close();
    assert_eq!(log.append(outcome(&"x".into(), Outcome::Ran)).unwrap_err().code(), "ledger.closed");
    let kinds: Vec<_> = Reader::open(dir.path())
        .unwrap()
        .tail(9)
        .unwrap()
        .iter()
        .map(|stored| stored.record().unwrap())
        .collect();
    assert!(matches!(
        kinds[..],
        [Record::Start(_), Record::Decision(_), Record::Outcome(_), Record::Stop(_)]
    ));
}

#[test]
fn what_is_too_long_goes_out_of_line() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    let mut record = decision(Verdict::Deny, Custody::Bound);
    let args = doorward_core::json::Value::Array(vec!["x".repeat(70_000).as_str().into()]);
    record.args = Some(args.clone());
    record.reason = "y".repeat(5000);
    let index = log.append_blocking(Record::Decision(Box::new(record))).unwrap();
    log.close();
    let reader = Reader::open(dir.path()).unwrap();
    let Some(Record::Decision(found)) = reader.get(index).unwrap().unwrap().record() else { panic!() };
    let kept = found.args.unwrap();
    assert_eq!(kept.get("out_of_line").unwrap().as_str().unwrap(), args.digest().as_str());
    assert_eq!(reader.content(index, &args.digest()).unwrap().unwrap(), args.canonical().into_bytes());
    assert!(found.reason.starts_with("out of line: sha256:"));
}

#[test]
fn arguments_are_kept_as_configured() {
    for (kept, args, digest) in
        [(ArgsKept::Redacted, true, true), (ArgsKept::Digest, false, true), (ArgsKept::None, false, false)]
    {
        let record = Record::Decision(Box::new(decision(Verdict::Deny, Custody::Bound)));
        let entry = Entry::new(record, kept).unwrap();
        let Ok(Record::Decision(found)) = serde_json::from_slice(entry.bytes()) else { panic!() };
        assert_eq!((found.args.is_some(), found.args_digest.is_some()), (args, digest));
    }
}

#[test]
fn a_kill_while_a_segment_is_begun_closes_the_permits_before_it() {
    let (dir, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let log = open(dir.path(), Options::default());
    admit(&log, Custody::Bound);
    let copied =
        std::process::Command::new("cp").arg("-rT").args([dir.path(), killed.path()]).status().unwrap();
    assert!(copied.success());
    std::fs::write(killed.path().join("journal/0000000000000001.j"), b"").unwrap();
    let again = open(killed.path(), Options::default());
    assert_eq!((again.recovery().closed, again.recovery().torn_bytes), (1, 1));
}
