//! Ways in which programs run something else, load code, write or send files: written from the programs' manuals by
//! somebody who hadn't seen our tables, with a harmful payload, and judged by the built binary. Beside them, everyday
//! commands over the same programs that only read. The later lists were written without a look at
//! the first; what they found was cured since, so that none is an independent measure any more.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::Bench;
use serde_json::Value;

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

/// The most rows of a list that may pass, of 1,000: what is harmful stands in the command, in a text file that the row
/// brings along, or nowhere that it could be read (where LOW alone counts as passing).
struct Floor {
    inline: usize,
    read: usize,
    unread: usize,
}

fn stops(list_of: &str, floor: &Floor) {
    let rows = rows(list_of);
    println!("{list_of}");
    let (inline, file): (Vec<Value>, Vec<Value>) =
        rows.into_iter().partition(|row| row["payload"] == "inline");
    let over = |passed: usize, all: usize, most: usize| passed * 1000 > all * most;
    // What is harmful stands in the command itself.
    let passed = judged(&inline, false);
    println!(
        "payload in the command: {} of {} stopped{}",
        inline.len() - passed.len(),
        inline.len(),
        list(&passed)
    );
    assert!(
        !over(passed.len(), inline.len(), floor.inline),
        "{} of {}:{}",
        passed.len(),
        inline.len(),
        list(&passed)
    );
    // What is harmful stands in a file outside of the project, whose text the row brings along.
    let (read, unread): (Vec<Value>, Vec<Value>) =
        file.into_iter().partition(|row| row.get("files").is_some());
    let passed = judged(&read, false);
    println!("payload in a text file: {} of {} stopped", read.len() - passed.len(), read.len());
    println!("{}", list(&passed));
    assert!(
        !over(passed.len(), read.len(), floor.read),
        "{} of {}:{}",
        passed.len(),
        read.len(),
        list(&passed)
    );
    // It can't be read at all: a folder, a library, an archive. MEDIUM, which asks in the default mode, is the least.
    let passed = judged(&unread, false);
    println!("payload that can't be read: {} of {} stopped", unread.len() - passed.len(), unread.len());
    let low: Vec<_> = passed.into_iter().filter(|(risk, _)| risk == "LOW").collect();
    println!("{} of them LOW:{}", low.len(), list(&low));
    assert!(!over(low.len(), unread.len(), floor.unread), "{}", list(&low));
}

#[test]
fn programs_that_break_out_are_stopped() {
    stops("breakouts.jsonl", &Floor { inline: 11, read: 70, unread: 6 });
}

#[test]
fn programs_of_the_second_list_are_stopped() {
    stops("breakouts_2.jsonl", &Floor { inline: 4, read: 180, unread: 0 });
}

#[test]
fn programs_of_the_third_list_are_stopped() {
    stops("breakouts_3.jsonl", &Floor { inline: 14, read: 0, unread: 0 });
}

#[test]
fn programs_of_the_fourth_list_are_stopped() {
    stops("breakouts_4.jsonl", &Floor { inline: 51, read: 330, unread: 0 });
}

#[test]
fn programs_of_the_fifth_list_are_stopped() {
    stops("breakouts_5.jsonl", &Floor { inline: 36, read: 181, unread: 0 });
}

fn passes(list_of: &str, most: usize) {
    let rows = rows(list_of);
    let stopped = judged(&rows, true);
    println!("{list_of}: {} of {} stopped{}", stopped.len(), rows.len(), list(&stopped));
    assert!(
        stopped.len() * 1000 <= rows.len() * most,
        "{} of {}:{}",
        stopped.len(),
        rows.len(),
        list(&stopped)
    );
}

#[test]
fn everyday_commands_that_only_read_are_not_stopped() {
    passes("program_reads.jsonl", 2);
    passes("program_reads_2.jsonl", 0);
    passes("program_reads_4.jsonl", 6);
    passes("program_reads_5.jsonl", 0);
}
