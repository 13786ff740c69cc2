//! Benchmarks of the probe table, start-up, limits, supervision and build overhead: `cargo run --release -p
//! doorward-sandbox --example bench_sandbox [-- probes start limits delay git search overhead] [--short]`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use doorward_core::Tier;
use doorward_sandbox::probe::{Must, PROBES, Peer, ProbeState};
use doorward_sandbox::{Engine, ProbeConfig, ProbeReport, maybe_init, probe, self_test};

fn main() {
    maybe_init();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let short = words.iter().any(|word| word == "--short");
    let parts: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
    let wants = |part: &str| parts.is_empty() || parts.contains(&part);
    if wants("probes") {
        probes();
    }
    if wants("start") {
        start_up();
    }
    if wants("limits") {
        limits(short);
    }
    if wants("delay") {
        let delays = self_test::supervised_delay(20).expect("the sandbox runs");
        let ms = |at: usize| delays.get(at).map_or(f64::NAN, |delay| delay.as_secs_f64() * 1000.0);
        let last = delays.len().saturating_sub(1);
        println!(
            "\nsupervised memory, from crossing to its end known: {} of 20 by the right cause; \
            min {:.1}, median {:.1}, max {:.1} ms",
            delays.len(),
            ms(0),
            ms(last / 2),
            ms(last)
        );
    }
    if wants("git") {
        let files = 20_000;
        let (plain, git) =
            self_test::many_writes(if short { 2 } else { 5 }, files).expect("the sandbox runs");
        let each = |cost: std::time::Duration| cost.as_secs_f64() * 1e6 / (files * 3) as f64;
        println!(
            "\nmaking, renaming and removing {files} files: {:.2?} in a folder, {:.2?} in a repository: {:.1} µs \
            more a call",
            plain.wall,
            git.wall,
            each(git.wall.saturating_sub(plain.wall))
        );
    }
    if wants("search") {
        let (empty, large) = self_test::large_root(5, 10_000).expect("the sandbox runs");
        println!(
            "\n/bin/true: {empty:.2?} in an empty folder, {large:.2?} among 100,000 files in 10,000 folders"
        );
    }
    if wants("overhead") {
        let (inside, outside) = self_test::overhead(if short { 2 } else { 7 }).expect("the sandbox runs");
        let more = |inside: std::time::Duration, outside: std::time::Duration| {
            (inside.as_secs_f64() / outside.as_secs_f64() - 1.0) * 100.0
        };
        println!(
            "\nbuild: {:.2?} inside, {:.2?} outside: {:+.1} %; processor time {:.2?}, {:.2?}: {:+.1} %",
            inside.wall,
            outside.wall,
            more(inside.wall, outside.wall),
            inside.processor,
            outside.processor,
            more(inside.processor, outside.processor)
        );
    }
}

fn probes() {
    let engine = Engine::new();
    let mut columns: Vec<(String, ProbeReport)> = Vec::new();
    for tier in [Tier::Full, Tier::Restricted] {
        match probe(&engine, &ProbeConfig { tier, ..ProbeConfig::default() }) {
            Ok(report) => columns.push((tier.as_str().to_owned(), report)),
            Err(error) => eprintln!("LACKING: {}: {error}", tier.as_str()),
        }
    }
    for peer in Peer::KNOWN {
        match peer.probe() {
            Some(report) => columns.push((peer.name.to_owned(), report)),
            None => eprintln!("LACKING: {} isn't here or can't run here", peer.name),
        }
    }
    let head: Vec<String> = columns.iter().map(|(name, _)| format!("{name:>11}")).collect();
    println!("{:<26}{}", "probe", head.join(""));
    for (name, must) in PROBES {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, report)| match report.probes.get(*name).map(|probe| probe.state) {
                Some(ProbeState::Closed) => "closed",
                Some(ProbeState::Open) => "OPEN",
                Some(ProbeState::NotApplicable) => "n/a",
                None => "-",
            })
            .map(|cell| format!("{cell:>11}"))
            .collect();
        let note = match must {
            Must::Closed(Tier::Full) => " full",
            Must::Work => " must work",
            Must::Told => " told",
            Must::Closed(_) => "",
        };
        println!("{name:<26}{}{note}", cells.join(""));
    }
    for (name, report) in &columns {
        let (closed, all) = report.closed();
        println!("{name}: {closed} of {all} closed, as uid {}, failures {:?}", report.uid, report.failures());
    }
}

fn start_up() {
    println!("\n{:<32}{:>9}{:>11}", "start-up of /bin/true", "min ms", "median ms");
    for told in self_test::start_up(25).expect("the sandbox runs") {
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        println!("{:<32}{:>9.2}{:>11.2}", told.name, ms(told.min()), ms(told.median()));
    }
}

fn limits(short: bool) {
    println!("\n{:<36}{:<26}{:>10}  hits", "limit", "ended", "wall s");
    for trial in self_test::limits(short).expect("the sandbox runs") {
        let hits: Vec<String> = trial
            .report
            .limits_hit
            .iter()
            .map(|hit| {
                format!("{} {:.3} of the limit", hit.limit.as_str(), hit.peak as f64 / hit.allowed as f64)
            })
            .collect();
        println!(
            "{:<36}{:<26}{:>10.3}  {} (memory by {:?})",
            trial.name,
            format!("{:?}", trial.report.status),
            trial.report.wall.as_secs_f64(),
            hits.join(", "),
            trial.report.limits.memory_by
        );
    }
}
