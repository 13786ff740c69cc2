//! SIGKILL at random times: acknowledged records are recovered, and the log verifies.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::decision;
use doorward_core::id::Digest;
use doorward_core::record::{DecisionRecord, Record};
use doorward_core::{Custody, Verdict};
use doorward_ledger::{Log, Options, Reader, VerifyOptions, verify};

const DIR: &str = "DOORWARD_CRASH_TEST_DIR";

fn options() -> Options {
    Options {
        checkpoint_records: 512,
        checkpoint_every: Duration::from_millis(20),
        segment_bytes: 256 << 10,
        ..Options::default()
    }
}

/// The process that is killed; not a test of its own.
#[test]
fn child() {
    let Ok(dir) = std::env::var(DIR) else { return };
    let log = Log::open(dir, options()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                loop {
                    let mut record = decision(Verdict::Allow, Custody::Bound);
                    let id = record.id.clone();
                    let content = kept(id.as_str());
                    record.v = DecisionRecord::VERSION;
                    record.inspected = Digest::of(&content);
                    let record = Record::Decision(Box::new(record));
                    let index = log.append_with(record, content).unwrap().wait().unwrap();
                    let line = format!("ack {index} {id}\n");
                    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                }
            });
        }
    });
}

/// Content of a decision, sometimes longer than several disk blocks.
fn kept(id: &str) -> Vec<u8> {
    let long = id.bytes().map(usize::from).sum::<usize>() % 5;
    format!(r#"{{"facts":{{}},"id":"{id}","text":"{}"}}"#, "kept ".repeat(long * 200)).into_bytes()
}

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_time() {
    let rounds = std::env::var("DOORWARD_CRASH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged: HashMap<u64, String> = HashMap::new();
    let mut signed = 0;
    for round in 0..rounds {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::child", "--nocapture"])
            .env(DIR, dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, heard) = std::sync::mpsc::channel();
        let reading = std::thread::spawn(move || {
            let lines = out.split(b'\n').map_while(Result::ok);
            let acks = lines.filter_map(|line| parse(&String::from_utf8(line).ok()?));
            acks.inspect(|_| tell.send(()).unwrap_or_default()).collect::<Vec<_>>()
        });
        // Every other child is killed while it works; the others may still be starting.
        if round % 2 == 0 {
            (0..10).for_each(|_| heard.recv_timeout(Duration::from_secs(120)).unwrap());
        }
        let mut byte = [0];
        getrandom::fill(&mut byte).unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(byte[0]) / 2));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(reading.join().unwrap());

        let log = Log::open(dir.path(), options()).unwrap_or_else(|error| panic!("round {round}: {error}"));
        log.close();
        let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
        assert!(
            report.intact() && report.open.is_empty(),
            "round {round}: {:?} {:?}",
            report.faults,
            report.open
        );
        assert!(report.size >= signed, "round {round}");
        signed = report.size;
        let reader = Reader::open(dir.path()).unwrap();
        let stored = reader.range(0, reader.size()).unwrap();
        for (index, id) in &acknowledged {
            let Some(Record::Decision(found)) = stored[*index as usize].record() else {
                panic!("{index} is another")
            };
            assert_eq!(found.id.as_str(), id, "round {round}");
            let content = reader.content(*index, &found.inspected).unwrap();
            assert!(content.is_some_and(|content| content == kept(id)), "round {round}: content of {index}");
        }
    }
    assert!(acknowledged.len() >= 5 * rounds, "only {} records were acknowledged", acknowledged.len());
}

fn parse(line: &str) -> Option<(u64, String)> {
    let mut parts = line.strip_prefix("ack ")?.split(' ');
    let (index, id) = (parts.next()?.parse().ok()?, parts.next()?.to_owned());
    (id.len() == 26).then_some((index, id))
}
