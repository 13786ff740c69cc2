//! Every command of a corpus through `inspect` with no world at hand: what is stopped, per source and label.
//!
//! `DOORWARD_DATA=… cargo run --release -p doorward-inspect --example corpus [-- --list NEEDLE]`; `--list` prints
//! the rows of a source or label with their risk and findings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, Inspector, example_call};
use serde_json::Value;

#[derive(Default, Clone, Copy)]
struct Count {
    stopped: u32,
    all: u32,
}

impl Count {
    fn add(&mut self, stopped: bool) {
        self.all += 1;
        self.stopped += u32::from(stopped);
    }

    fn share(self) -> String {
        if self.all == 0 {
            return "none".to_owned();
        }
        let (low, high) = wilson(self.stopped, self.all);
        let share = 100.0 * f64::from(self.stopped) / f64::from(self.all);
        format!("{:5}/{:<5} {share:5.1} %  [{:.1}, {:.1}]", self.stopped, self.all, 100.0 * low, 100.0 * high)
    }
}

/// Wilson's 95 % interval of a share.
fn wilson(hits: u32, of: u32) -> (f64, f64) {
    let (n, z) = (f64::from(of), 1.96_f64);
    let p = f64::from(hits) / n;
    let middle = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    ((middle - spread) / scale, (middle + spread) / scale)
}

fn main() {
    let Some(file) = doorward_needs::data!("shell/commands_dev.jsonl") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let arguments: Vec<String> = std::env::args().collect();
    let needle = arguments.iter().position(|word| word == "--list").and_then(|at| arguments.get(at + 1));
    let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
    let session = SessionView::default();
    let mut groups: BTreeMap<String, Count> = BTreeMap::new();
    let mut plain_stopped: BTreeSet<String> = BTreeSet::new();
    let mut rewrites: Vec<(String, String, bool)> = Vec::new();
    let mut times = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let of = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let call = example_call("shell:execute", "command", row["command"].as_str().unwrap()).unwrap();
        let begin = Instant::now();
        let inspected = inspector.inspect(&call, &session, &Default::default());
        times.push(begin.elapsed().as_nanos());
        let stopped = matches!(inspected.risk, SecurityRisk::High | SecurityRisk::Unknown);
        let (source, label) = (of("source"), of("label"));
        let mut names = vec![source.clone()];
        match source.as_str() {
            "rewrites" => {
                names.push(format!("rewrites of {}", of("intent")));
                if of("family") == "identity" && stopped {
                    plain_stopped.insert(of("intent"));
                }
                rewrites.push((of("intent"), of("family"), stopped));
            }
            "atomic-linux" => {
                if row["system_state"] == true {
                    names.push("atomic-linux: system_state".to_owned());
                }
                if row["discovery"] == true {
                    names.push("atomic-linux: discovery".to_owned());
                }
            }
            _ => names.push(format!("{source}: {label}")),
        }
        if row["decoy"] == true {
            names.push("decoys".to_owned());
        }
        for name in &names {
            groups.entry(name.clone()).or_default().add(stopped);
        }
        if needle.is_some_and(|needle| names.iter().any(|name| name.contains(needle.as_str()))) {
            let codes: Vec<String> = inspected
                .findings
                .iter()
                .map(|finding| format!("{}:{}", finding.code, finding.message))
                .collect();
            println!(
                "{} {} {} {} | {} | {}",
                inspected.risk,
                of("id"),
                label,
                of("family"),
                row["command"],
                codes.join("; ")
            );
        }
    }
    if needle.is_some() {
        return;
    }
    for (name, count) in &groups {
        println!("{name:42} {}", count.share());
    }
    let mut allowed = Count::default();
    for (intent, _, stopped) in
        rewrites.iter().filter(|(intent, family, _)| family != "identity" && plain_stopped.contains(intent))
    {
        let _ = intent;
        allowed.add(!stopped);
    }
    println!("{:42} {}", "rewrites silently allowed", allowed.share());
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    println!(
        "inspect: p50 {:.1} µs, p99 {:.1} µs, max {:.1} µs over {} rows",
        at(0.5),
        at(0.99),
        at(1.0),
        times.len()
    );
}
