//! Runs the targets one after the other: `cargo xtask bench fuzz [SECONDS [SEED [TARGET…]]]`, by default ten
//! minutes each. Exits with code 1 if anything was found; the inputs are printed escaped.

use std::process::ExitCode;
use std::time::Duration;

use doorward_fuzzing::{TARGETS, run};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let seconds = words.next().and_then(|text| text.parse().ok()).unwrap_or(600);
    let seed = words.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let wanted: Vec<String> = words.collect();
    for name in &wanted {
        if !TARGETS.iter().any(|target| target.name == name) {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("no target {name:?}; there are {}", names.join(", "));
            return ExitCode::from(2);
        }
    }
    // Panics are caught and printed with their input below.
    std::panic::set_hook(Box::new(|_| {}));
    let mut clean = true;
    for target in
        TARGETS.iter().filter(|target| wanted.is_empty() || wanted.iter().any(|name| name == target.name))
    {
        let findings = run(target, Duration::from_secs(seconds), seed);
        println!(
            "{}: {} inputs, {} bytes, slowest {:?}, {} found, seed {seed}",
            target.name,
            findings.runs,
            findings.bytes,
            findings.slowest,
            findings.found.len()
        );
        for (what, input) in &findings.found {
            clean = false;
            let shown = input.get(..input.len().min(2000)).unwrap_or_default();
            println!("  {what}\n  input of {} bytes: {}", input.len(), shown.escape_ascii());
        }
    }
    ExitCode::from(u8::from(!clean))
}
