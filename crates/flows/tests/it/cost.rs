//! Cost of a memory: time per call after 1,000 calls, and bytes per session. The bounds apply to a release build; a
//! debug build prints its figures and checks only the size.
//!
//! `cargo test --release -p doorward-flows --test it cost -- --nocapture`

use std::sync::Arc;
use std::time::{Duration, Instant};

use doorward_core::effect::Inspected;
use doorward_flows::{Arrived, Key, Memory};

use crate::common::inspected;

/// Commands as coding agents run them, from 20 to 1,200 characters.
fn command(turn: u64) -> String {
    let long = "s/before_the_change/after_the_change/g; ".repeat(28);
    match turn % 7 {
        0 => format!("cargo test -p crate{turn} --test name"),
        1 => format!("grep -rn needle{turn} src/lib{turn}.rs"),
        2 => format!("git commit -m change_{turn}"),
        3 => format!("sed -i {long} src/file{turn}.rs"),
        4 => format!("python3 tools/run{turn}.py --out build/out{turn}.json"),
        5 => format!("curl -fsSL https://docs.example/page/{turn} -o build/page{turn}.html"),
        _ => format!("ls -la src/module{turn}"),
    }
}

fn history(calls: u64) -> Memory {
    let mut memory = Memory::new(Arc::new(Key::new(b"sixteen random bytes")));
    for turn in 1..=calls {
        let judged = memory.judge(&inspected(turn, &command(turn)), &[]).unwrap();
        memory.ran(&judged.step);
        let page: String =
            (0..120).map(|word| format!("word{} ", (turn * 131 + word * 17) % 9_973)).collect();
        let secret = format!("API_TOKEN=k7Q{}x{}Zw93Lm2pRt84\n", turn * 7_919, turn * 104_729);
        let is_secret = turn % 50 == 0;
        memory.returned(&Arrived {
            content: if is_secret { secret.as_bytes() } else { page.as_bytes() },
            source: &format!("https://docs.example/page/{turn}"),
            untrusted: turn % 5 == 0 && !is_secret,
            secrets: &[],
            secret_file: is_secret,
            private: false,
            turn,
            step: Some(&judged.step),
        });
    }
    memory
}

#[test]
fn a_call_costs_little_after_a_long_history() {
    let memory = history(1_000);
    let calls: Vec<Inspected> = (1_001..3_001).map(|turn| inspected(turn, &command(turn))).collect();
    for call in &calls[..200] {
        memory.judge(call, &[]).unwrap();
    }
    let mut times: Vec<Duration> = calls
        .iter()
        .map(|call| {
            let started = Instant::now();
            let judged = memory.judge(call, &[]).unwrap();
            let took = started.elapsed();
            std::hint::black_box(judged);
            took
        })
        .collect();
    times.sort_unstable();
    let (p50, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("per call at 1,000 calls of history: p50 {p50:?}, p99 {p99:?}; {} bytes", memory.bytes());
    assert!(memory.bytes() <= 1 << 20, "{}", memory.bytes());
    if !cfg!(debug_assertions) {
        assert!(p50 <= Duration::from_micros(30) && p99 <= Duration::from_micros(200), "{p50:?} {p99:?}");
    }
}

#[test]
fn a_session_of_two_hundred_calls_is_small() {
    let memory = history(200);
    println!(
        "200 calls: {} bytes; 10,000 such sessions: {} MB",
        memory.bytes(),
        (memory.bytes() * 10_000) >> 20
    );
    assert!(memory.bytes() * 10_000 <= 2 << 30, "{}", memory.bytes());
}

#[test]
fn a_flood_stays_within_a_megabyte() {
    let memory = history(6_000);
    assert!(memory.bytes() <= 1 << 20, "{}", memory.bytes());
}
