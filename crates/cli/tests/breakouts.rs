//! Ways in which programs run something else, load code, write or send files: written from the programs' manuals by
//! somebody who hadn't seen our tables, with a harmful payload, and judged by the built binary. Beside them, everyday
//! commands over the same programs that only read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub
)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::Bench;

fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows that aren't stopped (neither HIGH nor UNKNOWN), each with its risk, or those that are.
fn judged(rows: &[Value], stopped: bool) -> Vec<(String, &Value)> {
    let bench = Bench::new("");
    let input: String = rows
        .iter()
        .map(|row| {
            let mut request = serde_json::json!({ "id": row["id"], "command": row["command"] });
            if let Some(files) = row.get("files") {
                request["files"] = files.clone();
            }
            format!("{request}\n")
        })
        .collect();
    let path = bench.file("rows.jsonl");
    std::fs::write(&path, input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_doorward"))
        .args(["check", "--no-config", "--batch"])
        .stdin(std::fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let risks: BTreeMap<String, String> = text
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap();
            (answer["id"].as_str().unwrap().to_owned(), answer["risk"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(risks.len(), rows.len(), "every row has an answer");
    rows.iter()
        .map(|row| (risks[row["id"].as_str().unwrap()].clone(), row))
        .filter(|(risk, _)| matches!(risk.as_str(), "HIGH" | "UNKNOWN") == stopped)
        .collect()
}

fn list(found: &[(String, &Value)]) -> String {
    found.iter().map(|(risk, row)| format!("\n  {risk} {}", row["command"])).collect()
}

#[test]
fn programs_that_break_out_are_stopped() {
    let rows = rows("breakouts.jsonl");
    let (inline, file): (Vec<Value>, Vec<Value>) =
        rows.into_iter().partition(|row| row["payload"] == "inline");
    // What is harmful stands in the command itself.
    let passed = judged(&inline, false);
    println!("payload in the command: {} of {} stopped", inline.len() - passed.len(), inline.len());
    assert!(passed.len() * 100 <= inline.len() * 3, "{} of {}:{}", passed.len(), inline.len(), list(&passed));
    // What is harmful stands in a file outside of the project, whose text the row brings along.
    let (read, unread): (Vec<Value>, Vec<Value>) =
        file.into_iter().partition(|row| row.get("files").is_some());
    let passed = judged(&read, false);
    println!("payload in a text file: {} of {} stopped", read.len() - passed.len(), read.len());
    println!("{}", list(&passed));
    assert!(passed.len() * 100 <= read.len() * 12, "{} of {}:{}", passed.len(), read.len(), list(&passed));
    // It can't be read at all: a folder, a library, an archive. MEDIUM, which asks in the default mode, is the least.
    let passed = judged(&unread, false);
    println!("payload that can't be read: {} of {} stopped", unread.len() - passed.len(), unread.len());
    let low: Vec<_> = passed.into_iter().filter(|(risk, _)| risk == "LOW").collect();
    println!("{} of them LOW:{}", low.len(), list(&low));
    assert!(low.len() * 50 <= unread.len(), "{}", list(&low));
}

#[test]
fn everyday_commands_that_only_read_are_not_stopped() {
    let rows = rows("program_reads.jsonl");
    let stopped = judged(&rows, true);
    println!("read-only: {} of {} stopped", stopped.len(), rows.len());
    assert!(stopped.len() * 100 <= rows.len(), "{} of {}:{}", stopped.len(), rows.len(), list(&stopped));
}
