//! A short run of every target, part of `cargo xtask test`. `cargo xtask bench fuzz` runs them for ten minutes each.

use std::time::Duration;

use doorward_fuzzing::{TARGETS, run};

#[test]
fn every_target_holds_for_a_few_seconds() {
    let threads: Vec<_> = TARGETS
        .iter()
        .map(|target| (target.name, std::thread::spawn(|| run(target, Duration::from_secs(4), 1))))
        .collect();
    for (name, thread) in threads {
        let findings = thread.join().unwrap_or_else(|_| panic!("{name}: the run itself ended"));
        assert!(findings.runs > 10, "{name}: only {} inputs", findings.runs);
        for (what, input) in &findings.found {
            println!(
                "{name}: {what}\n  {}",
                input.get(..input.len().min(2000)).unwrap_or_default().escape_ascii()
            );
        }
        assert!(findings.found.is_empty(), "{name}: {} findings", findings.found.len());
    }
}
