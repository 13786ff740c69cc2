//! Runs a target for a given time and collects its findings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::mutate::SeededRandom;
use crate::targets::Target;

/// Time limit for one input: a client waits while it is read.
const TOO_SLOW: Duration = Duration::from_secs(5);
/// Limit on findings reported with their input.
const MOST_TOLD: usize = 10;

/// Result of a run.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Number of inputs.
    pub runs: u64,
    /// Their total bytes.
    pub bytes: u64,
    /// Time of the slowest input.
    pub slowest: Duration,
    /// Panics and inputs that took longer than five seconds: the problem and the input.
    pub found: Vec<(String, Vec<u8>)>,
}

/// Runs a target for `time`, with inputs from `seed`.
///
/// Failures that can't be caught (stack overflow, endless loop) are found through the environment variable
/// `DOORWARD_FUZZ_LAST`: it names a file to which the current input is written.
#[must_use]
pub fn run(target: &Target, time: Duration, seed: u64) -> Findings {
    let mutator = (target.inputs)();
    let mut random = SeededRandom::new(seed);
    let last = std::env::var_os("DOORWARD_FUZZ_LAST");
    let started = Instant::now();
    let mut findings = Findings::default();
    while started.elapsed() < time && findings.found.len() < MOST_TOLD {
        let input = mutator.input(&mut random);
        if let Some(last) = &last {
            // If this fails, the input of a later abort is unknown.
            let _ = std::fs::write(last, &input);
        }
        let before = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| (target.check)(&input)));
        let took = before.elapsed();
        findings.runs += 1;
        findings.bytes += input.len() as u64;
        findings.slowest = findings.slowest.max(took);
        if let Err(panic) = result {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            findings.found.push((text.unwrap_or_default(), input));
        } else if took > TOO_SLOW {
            findings.found.push((format!("took {took:?}"), input));
        }
    }
    findings
}
