//! Benchmarks of this crate: detection on the development rows, throughput over a source tree, latency of a tool's
//! output.
//!
//! `cargo run --release -p doorward-secrets --example bench_secrets -- [rows|tree|line|latency|start]`, all without
//! an argument. The rows come from `$DOORWARD_DATA/secrets/dev.jsonl`, the tree from `$DOORWARD_TREE` (default: the
//! sources unpacked by cargo), and the peer for comparison (`pip install kingfisher-bin==2.14.0`) from
//! `$DOORWARD_KINGFISHER` (default: `kingfisher` in the path).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use doorward_secrets::scan::{self, Options};
use doorward_secrets::{Detector, Redactor, Style};
use serde_json::Value;

/// The best peer's recall on the same rows by type, in percent (as of November 2026).
const BEST_PEER: &[(&str, u32)] = &[
    ("github", 96),
    ("gitlab", 100),
    ("slack", 96),
    ("stripe", 69),
    ("aws", 88),
    ("google", 44),
    ("azure", 88),
    ("jwt", 92),
    ("private-key", 62),
    ("password", 68),
    ("db-uri", 70),
    ("basic-auth", 86),
    ("generic", 91),
    ("openai", 87),
    ("anthropic", 75),
    ("pypi", 96),
    ("npm", 75),
    ("vault", 73),
    ("ALL", 73),
];

fn main() {
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if only.as_deref() == Some("once") {
        // `start` measures: build the detector, scan a line, end.
        assert!(Detector::shared().find("nothing here").is_empty());
        return;
    }
    if wanted("rows") {
        rows();
    }
    if wanted("start") {
        start();
    }
    if wanted("latency") {
        latency();
    }
    if wanted("tree") {
        tree();
    }
    if wanted("line") {
        line();
    }
}

fn rows() {
    let Some(file) = doorward_needs::data!("secrets/dev.jsonl") else { return };
    let text = fs::read_to_string(file).unwrap();
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["grade"] != "core" {
            continue;
        }
        let text =
            base64::engine::general_purpose::STANDARD.decode(row["text_b64"].as_str().unwrap()).unwrap();
        let findings = scan::find_in(Detector::shared(), &text, "", Style::Unknown, None);
        let found = !findings.is_empty();
        if std::env::var_os("DOORWARD_LIST").is_some() {
            let found: Vec<_> = findings
                .iter()
                .map(|own| (&own.slug, own.confidence, own.tags.join(" "), own.byte_start, own.byte_end))
                .collect();
            println!("row {} {} {} {found:?}", row["id"], row["label"], row["type"]);
        }
        let place = if row["label"] == 1 { 0 } else { 2 };
        for name in [row["type"].as_str().unwrap(), "ALL"] {
            let cell = table.entry(name.to_owned()).or_default();
            cell[place] += 1;
            cell[place + 1] += usize::from(found);
        }
    }
    println!("{:14} {:>12} {:>8} {:>10} {:>16}", "type", "found", "recall", "best peer", "negatives");
    for (kind, [positive, found, negative, reported]) in table {
        let recall = 100.0 * found as f64 / positive.max(1) as f64;
        let peer = BEST_PEER.iter().find(|(name, _)| *name == kind);
        let peer = peer.map_or_else(String::new, |(_, recall)| format!("{recall} %"));
        println!("{kind:14} {found:5} / {positive:<4} {recall:6.1} % {peer:>10} {reported:8} / {negative}");
    }
}

fn start() {
    let own = std::env::current_exe().unwrap();
    let runs = 20;
    let before = children_cpu();
    for _ in 0..runs {
        assert!(Command::new(&own).arg("once").status().unwrap().success());
    }
    let each = (children_cpu() - before) / runs;
    let began = Instant::now();
    let detector = Detector::new();
    println!("start: {:.2} ms CPU a process, of which the detector {:.2} ms", ms(each), ms(began.elapsed()));
    drop(detector);
}

fn latency() {
    let detector = Detector::shared();
    let log = "2026-11-21T10:00:00Z INFO request id=7f3a path=/v1/items status=200 took=12ms user=anna\n";
    let source = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/detect.rs")).unwrap();
    for (name, text) in
        [("log lines", log.repeat(10_240 / log.len())), ("source", source[..10_240].to_owned())]
    {
        let find = best(|| {
            std::hint::black_box(detector.find(&text).len());
        });
        let redact = best(|| {
            std::hint::black_box(Redactor::new(detector).text(&text).len());
        });
        println!("latency: 10 KB of {name}: find {:.1} us, redact {:.1} us", us(find), us(redact));
    }
}

fn tree() {
    let root = std::env::var("DOORWARD_TREE").map_or_else(
        |_| PathBuf::from(std::env::var("HOME").unwrap_or_default()).join(".cargo/registry/src"),
        PathBuf::from,
    );
    if !root.is_dir() {
        eprintln!("tree: NOT RUN, {} is no folder (set DOORWARD_TREE)", root.display());
        return;
    }
    let detector = Detector::shared();
    let options =
        Options { paths: vec![root], ignore_files: false, allow_comments: false, ..Options::default() };
    let plain = |work: &(dyn Fn(&[u8]) + Sync), threads| -> (u64, Duration, Duration) {
        let bytes = AtomicU64::new(0);
        let (cpu, wall) = (own_cpu(), Instant::now());
        let options = Options { threads, ..options.clone() };
        walk_bytes(&options, &|text| {
            bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
            work(text);
        });
        (bytes.into_inner(), own_cpu() - cpu, wall.elapsed())
    };
    let rate = |bytes: u64, time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    // Warms the page cache.
    plain(&|_| {}, 2);
    let (bytes, cpu, _) = plain(&|_| {}, 1);
    println!(
        "tree: {:.0} MB; walk and read alone {:.0} MB per CPU-second",
        bytes as f64 / 1e6,
        rate(bytes, cpu)
    );
    let read = cpu;
    let (_, cpu, _) = plain(
        &|text| {
            std::hint::black_box(memchr::memchr_iter(b'\n', text).count());
        },
        1,
    );
    println!("tree: with a bare memchr walk {:.0} MB per CPU-second", rate(bytes, cpu));
    let (_, cpu, _) = plain(
        &|text| {
            std::hint::black_box(detector.search(text, Style::Source).hits.len());
        },
        1,
    );
    println!(
        "tree: with the search {:.0} MB per CPU-second; the search alone {:.0}",
        rate(bytes, cpu),
        rate(bytes, cpu.saturating_sub(read))
    );
    for threads in [1, 2] {
        let options = Options { threads, ..options.clone() };
        let (cpu, wall) = (own_cpu(), Instant::now());
        let report = scan::run(detector, &options, &|_| {});
        let (cpu, wall) = (own_cpu() - cpu, wall.elapsed());
        println!(
            "tree: scan with {threads} threads: {} files, {:.0} MB, {:.2} s wall, {:.2} CPU-s, {:.0} MB per \
            CPU-second, {} findings ({:.3} per MB), peak {} MB",
            report.stats.files,
            report.stats.bytes as f64 / 1e6,
            wall.as_secs_f64(),
            cpu.as_secs_f64(),
            rate(report.stats.bytes, cpu),
            report.findings.len(),
            report.findings.len() as f64 / (report.stats.bytes as f64 / 1e6),
            peak_mb(),
        );
        if threads == 2 && std::env::var_os("DOORWARD_LIST").is_some() {
            print!("{}", scan::render(&report, scan::Format::Text));
        }
    }
    peer(detector, &Options { threads: 2, ..options });
}

/// The peer's version behind the published figures; other versions aren't comparable.
const KINGFISHER: &str = "2.14.0";

/// Runs the peer over the same tree, right after ours, twice each; the better run counts.
fn peer(detector: &Detector, options: &Options) {
    let binary = std::env::var("DOORWARD_KINGFISHER").unwrap_or_else(|_| "kingfisher".to_owned());
    let version = Command::new(&binary).arg("--version").output();
    let version =
        version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default();
    if !version.contains(KINGFISHER) {
        eprintln!(
            "tree: PEER NOT RUN: kingfisher {KINGFISHER} isn't there ({version:?}); \
            pip install kingfisher-bin=={KINGFISHER}"
        );
        return;
    }
    let (mut own, mut theirs) = (Duration::MAX, Duration::MAX);
    let mut cpu = Duration::MAX;
    for _ in 0..2 {
        let began = Instant::now();
        std::hint::black_box(scan::run(detector, options, &|_| {}).findings.len());
        own = own.min(began.elapsed());
        let (began, before) = (Instant::now(), children_cpu());
        let done = Command::new(&binary)
            .args(["scan", "--no-validate", "--git-history=none", "--no-update-check", "--format", "jsonl"])
            .arg(&options.paths[0])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status();
        if !done.is_ok_and(|status| status.code().is_some_and(|code| code == 0 || code >= 200)) {
            eprintln!("tree: PEER NOT RUN: kingfisher failed");
            return;
        }
        theirs = theirs.min(began.elapsed());
        cpu = cpu.min(children_cpu() - before);
    }
    println!(
        "tree: kingfisher {KINGFISHER} {:.2} s wall, {:.2} CPU-s; ours in the same run {:.2} s wall: {:.1} times \
        as fast",
        theirs.as_secs_f64(),
        cpu.as_secs_f64(),
        own.as_secs_f64(),
        theirs.as_secs_f64() / own.as_secs_f64(),
    );
}

/// Scans a one-gigabyte line from a reader: time grows, memory doesn't.
fn line() {
    struct Endless(u64);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = usize::try_from(self.0).unwrap_or(usize::MAX).min(buffer.len());
            for (slot, byte) in buffer[..length]
                .iter_mut()
                .zip(b"{\"id\":7341,\"name\":\"anna\",\"note\":\"x\"},".iter().cycle())
            {
                *slot = *byte;
            }
            self.0 -= length as u64;
            Ok(length)
        }
    }
    let (cpu, size) = (own_cpu(), 1_u64 << 30);
    let found =
        scan::scan_reader(Detector::shared(), Endless(size), "one.json", &Options::default()).unwrap();
    let cpu = own_cpu() - cpu;
    println!(
        "line: one line of 1 GiB: {} findings, {:.2} CPU-s, {:.0} MB per CPU-second, peak {} MB",
        found.len(),
        cpu.as_secs_f64(),
        size as f64 / 1e6 / cpu.as_secs_f64(),
        peak_mb()
    );
}

/// Reads every file below the paths into a reused buffer.
fn walk_bytes(options: &Options, work: &(dyn Fn(&[u8]) + Sync)) {
    use std::io::Read as _;
    let mut walk = ignore::WalkBuilder::new(&options.paths[0]);
    walk.standard_filters(false).threads(options.threads);
    walk.build_parallel().run(|| {
        let mut buffer = Vec::new();
        Box::new(move |entry| {
            let Ok(entry) = entry else { return ignore::WalkState::Continue };
            if entry.file_type().is_some_and(|kind| kind.is_file())
                && let Ok(mut file) = fs::File::open(entry.path())
            {
                buffer.clear();
                if file.read_to_end(&mut buffer).is_ok() {
                    work(&buffer);
                }
            }
            ignore::WalkState::Continue
        })
    });
}

fn best(mut work: impl FnMut()) -> Duration {
    (0..300)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed()
        })
        .min()
        .unwrap()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Fields 14 to 17 of `/proc/self/stat`: CPU time of this process and its children in ticks of 10 ms.
fn stat(fields: [usize; 2]) -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields.iter().filter_map(|field| rest.get(field - 3)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn own_cpu() -> Duration {
    stat([14, 15])
}

fn children_cpu() -> Duration {
    stat([16, 17])
}

fn peak_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1024
}
