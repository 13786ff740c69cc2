//! `cargo xtask bench growth [CALLS]`: what one more call costs a session that already did much.
//!
//! Decisions with their durable records, through a real project and ledger on this disk: the first calls of a session, then
//! 2 MB of file writes in the same session, then the same calls again. A call must cost what the first cost, in bytes on
//! disk and in time. Then how long the whole ledger takes to be verified, and to be read back for a replay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use doorward::rooms::core::kept::{CallFacts, KeptCall};
use doorward::rooms::core::record::Record;
use doorward::{Door, Options, contract};
use doorward_ledger::{Reader, VerifyOptions, verify};
use serde_json::json;

/// Calls that are counted before the writes.
const FIRST: usize = 2_000;
/// Writes of 50,000 bytes: 2 MB.
const WRITES: usize = 40;

fn main() {
    let calls: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let dir = std::env::temp_dir().join(format!("doorward-growth-{}", std::process::id()));
    let project = dir.join("project");
    std::fs::create_dir_all(project.join("src")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let state = Some(dir.join("state"));
    let door =
        Door::open(Options { state, ..Options::simulation(doorward::layers::Places::default()) }).unwrap();
    let ledger: PathBuf = door.log().unwrap().dir().to_owned();
    let decide = |tool: &str, args: serde_json::Value| {
        let body = json!({"principal": {"id": "bench"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
            "context": {"cwd": project, "roots": [project], "session_id": "bench"}})
        .to_string();
        let started = Instant::now();
        runtime.block_on(contract::decide(&door, contract::Trust::Local, body.as_bytes())).unwrap();
        started.elapsed()
    };
    let run = |count: usize, from: usize| {
        door.log().unwrap().checkpoint().unwrap();
        let before = on_disk(&ledger);
        let mut times: Vec<Duration> = (from..from + count)
            .map(|n| {
                decide("shell:execute", json!({"command": format!("grep -rn 'fn main{n}' src | head -20")}))
            })
            .collect();
        door.log().unwrap().checkpoint().unwrap();
        times.sort();
        ((on_disk(&ledger) - before) as f64 / count as f64, times[count / 2])
    };
    for n in 0..200 {
        decide("shell:execute", json!({"command": format!("ls -la src/{n}")}));
    }
    let (bytes, p50) = run(FIRST, 0);
    println!("first {FIRST} calls: {bytes:.0} bytes on disk a decision, p50 {p50:?}");
    for n in 0..WRITES {
        let content = format!("// file {n}\n").repeat(50_000 / 11);
        decide("file:write", json!({"path": project.join(format!("src/made{n}.rs")), "content": content}));
    }
    let (later_bytes, later_p50) = run(calls, FIRST);
    println!(
        "{calls} calls after 2 MB of writes: {later_bytes:.0} bytes on disk a decision, p50 {later_p50:?}"
    );
    println!(
        "ratio: bytes {:.2}, p50 {:.2} (goal: at most 1.20)",
        later_bytes / bytes,
        later_p50.as_secs_f64() / p50.as_secs_f64()
    );
    runtime.block_on(door.close());
    let started = Instant::now();
    let report = verify(&ledger, &VerifyOptions::default()).unwrap();
    assert!(report.intact(), "{:?}", report.faults);
    println!("verify of {} records: {:?}", report.entries, started.elapsed());
    read_back(&ledger);
    println!("ledger: {} bytes on disk in {} files", on_disk(&ledger), files(&ledger).len());
    std::fs::remove_dir_all(dir).unwrap();
}

/// What a replay reads: every decision with the facts that were kept of it; then, for comparison, the whole of it.
fn read_back(ledger: &Path) {
    let reader = Reader::open(ledger).unwrap();
    let read = |what: &str, parse: &dyn Fn(&[u8])| {
        let (started, mut read, mut kept_bytes) = (Instant::now(), 0, 0);
        for stored in reader.range(0, reader.size()).unwrap() {
            let Some(Record::Decision(record)) = stored.record() else { continue };
            let kept = reader.content(stored.index, &record.inspected).unwrap().unwrap();
            kept_bytes += kept.len();
            parse(&kept);
            read += 1;
        }
        println!(
            "{what} of {read} decisions read back: {:?}, {} bytes kept each",
            started.elapsed(),
            kept_bytes / read
        );
    };
    read("facts", &|kept| drop(CallFacts::read(kept).unwrap()));
    read("whole", &|kept| drop(serde_json::from_slice::<KeptCall>(kept).unwrap()));
}

/// Allocated bytes below a folder, without the journal, which is removed behind the checkpoints.
fn on_disk(dir: &Path) -> u64 {
    files(dir).iter().map(|(_, bytes)| bytes).sum()
}

fn files(dir: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for item in std::fs::read_dir(dir).unwrap() {
            let item = item.unwrap();
            let meta = item.metadata().unwrap();
            if meta.is_dir() {
                dirs.extend((item.file_name() != "journal").then(|| item.path()));
            } else {
                found.push((item.path(), meta.blocks() * 512));
            }
        }
    }
    found
}
