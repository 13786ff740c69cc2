//! Benchmarks of the ledger, next to a bare append and fdatasync in the same run.
//!
//! `cargo run --release -p doorward-ledger --example bench_ledger [RECORDS]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use doorward_ledger::{Entry, Log, Options, Reader, VerifyOptions, verify};

/// 445 bytes, as in the published figures.
fn entry(n: u64) -> Entry {
    let mut text = format!(
        concat!(
            r#"{{"action":"tool:execute","agent":"coder","args_digest":"sha256:{n:064x}","custody":"bound","#,
            r#""id":"01{n:024}","kind":"decision","principal":{{"groups":["dev"],"id":"user:ana"}},"reason":""#
        ),
        n = n
    );
    let tail = format!(
        r#"","session":"s1","time":"2026-11-21T12:00:{:02}.{:06}Z","v":1,"verdict":"DENY"}}"#,
        n / 1_000_000 % 60,
        n % 1_000_000
    );
    text.push_str(&"x".repeat(445 - text.len() - tail.len()));
    text.push_str(&tail);
    Entry::from_canonical(text.into_bytes()).unwrap()
}

/// CPU time of this process so far, in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn percentile(sorted: &[Duration], of: usize) -> Duration {
    sorted[(sorted.len() * of / 100).min(sorted.len() - 1)]
}

fn bare(dir: &Path) -> (f64, Duration, Duration) {
    let mut file = std::fs::File::create(dir.join("bare")).unwrap();
    let block = vec![b'x'; 461];
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        let begin = Instant::now();
        file.write_all(&block).unwrap();
        file.sync_data().unwrap();
        times.push(begin.elapsed());
    }
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort();
    (rate, percentile(&times, 50), percentile(&times, 99))
}

fn callers(log: &Log, count: usize, made: &[Entry], next: &AtomicU64) -> (f64, Duration, Duration) {
    let stop = Instant::now() + Duration::from_secs(3);
    let start = Instant::now();
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|_| {
                std::thread::Builder::new()
                    .stack_size(128 << 10)
                    .spawn_scoped(scope, || {
                        let mut times = Vec::new();
                        while Instant::now() < stop {
                            let entry =
                                made[next.fetch_add(1, Ordering::Relaxed) as usize % made.len()].clone();
                            let begin = Instant::now();
                            log.append_entry(entry).unwrap().wait().unwrap();
                            times.push(begin.elapsed());
                        }
                        times
                    })
                    .unwrap()
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort();
    (rate, percentile(&times, 50), percentile(&times, 99))
}

/// Many records from few tasks, as in an asynchronous service: each caller waits for its own.
fn tasks(log: &Log, count: usize, made: &[Entry]) -> f64 {
    let (start, mut done) = (Instant::now(), 0_u64);
    while start.elapsed() < Duration::from_secs(3) {
        let waits: Vec<_> =
            (0..count).map(|n| log.append_entry(made[n % made.len()].clone()).unwrap()).collect();
        done += waits.len() as u64;
        waits.into_iter().for_each(|wait| assert!(wait.wait().is_ok()));
    }
    done as f64 / start.elapsed().as_secs_f64()
}

fn main() {
    let records: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let base =
        tempfile::tempdir_in(std::env::var("DOORWARD_BENCH_DIR").unwrap_or_else(|_| "/var/tmp".to_owned()))
            .unwrap();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before: {}", load.trim());
    rates(base.path());
    let dir = base.path().join("size");
    written_and_opened(base.path(), &dir, records);
    verified(&dir);
    receipts(&dir, records);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    println!("load after: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}

/// Appends of several callers at once, beside bare appends to a file.
fn rates(base: &Path) {
    let (rate, p50, p99) = bare(base);
    println!("bare append + fdatasync      {rate:>10.0}/s  p50 {p50:?}  p99 {p99:?}");
    let next = AtomicU64::new(0);
    // Built in advance; building entries is measured separately.
    let made: Vec<Entry> = (0..1000).map(entry).collect();
    let log = Log::open(base.join("rates"), Options::default()).unwrap();
    for count in [1, 8, 64, 512] {
        let (own, own50, own99) = callers(&log, count, &made, &next);
        println!(
            "{count:>4} callers                 {own:>10.0}/s  p50 {own50:?}  p99 {own99:?}  \
             {:.1} x bare, p50 {:.2} x bare",
            own / rate,
            own50.as_secs_f64() / p50.as_secs_f64()
        );
    }
    println!("batches of 512 from one task {:>10.0}/s", tasks(&log, 512, &made));
    log.close();
}

/// Times of writing a large log, and of opening it after a kill and after a stop.
fn written_and_opened(base: &Path, dir: &Path, records: u64) {
    let quiet = || Options {
        checkpoint_records: u64::MAX,
        checkpoint_every: Duration::from_secs(3600),
        ..Options::default()
    };
    let log = Log::open(dir, quiet()).unwrap();
    let start = Instant::now();
    for first in (0..records).step_by(2048) {
        let waits: Vec<_> =
            (first..records.min(first + 2048)).map(|n| log.append_entry(entry(n)).unwrap()).collect();
        waits.into_iter().for_each(|wait| assert!(wait.wait().is_ok()));
    }
    println!("{records} records written     {:>10.0}/s", records as f64 / start.elapsed().as_secs_f64());
    // The state after a kill: a copy of the files of an open log, without its last checkpoint.
    let killed = base.join("killed");
    assert!(std::process::Command::new("cp").arg("-r").arg(dir).arg(&killed).status().unwrap().success());
    let start = Instant::now();
    let again = Log::open(&killed, quiet()).unwrap();
    println!("start with {} records behind the checkpoint: {:?}", again.recovery().unsigned, start.elapsed());
    drop(again);
    let start = Instant::now();
    log.close();
    println!("tiles and checkpoint of {records}: {:?}", start.elapsed());
    let start = Instant::now();
    drop(Log::open(dir, quiet()).unwrap());
    println!("start of a closed log of {records}: {:?}", start.elapsed());
}

fn verified(dir: &Path) {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for structure_only in [true, false] {
            let options = VerifyOptions { structure_only, ..VerifyOptions::default() };
            let (start, before) = (Instant::now(), cpu());
            let report = pool.install(|| verify(dir, &options)).unwrap();
            assert!(report.intact(), "{:?}", report.faults);
            let rate = report.entries as f64 / start.elapsed().as_secs_f64();
            let what = if structure_only { "hashes and roots" } else { "and the meaning" };
            let own = report.entries as f64 / (cpu() - before).max(0.01);
            println!("verify, {threads} thread(s), {what:<18} {rate:>10.0}/s, {own:.0} per CPU second");
        }
    }
}

fn receipts(dir: &Path, records: u64) {
    let reader = Reader::open(dir).unwrap();
    let mut times: Vec<Duration> = (0..1000_u64)
        .map(|n| {
            let index = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % records;
            let start = Instant::now();
            let receipt = reader.receipt(index).unwrap().unwrap();
            let time = start.elapsed();
            assert_eq!(receipt.index, index);
            time
        })
        .collect();
    times.sort();
    println!(
        "receipt of a random record   p50 {:?}  p99 {:?}",
        percentile(&times, 50),
        percentile(&times, 99)
    );
}
