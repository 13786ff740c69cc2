//! Scripts in nine languages, each run as a file by its interpreter and judged by the built binary: harmful ones with
//! many ways to hide what they do, and harmless ones of the kind that projects keep. Two lists of each were written by
//! somebody who hadn't seen our readers; what they found was cured since, so that neither is an independent measure any
//! more. `docs/measurements/shell.md` has what each showed when it was run first.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::Bench;
use serde_json::{Value, json};

fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How a script of a language is run.
fn command(language: &str) -> (&'static str, &'static str) {
    match language {
        "python" => ("python3", "s.py"),
        "javascript" => ("node", "s.js"),
        "typescript" => ("npx tsx", "s.ts"),
        "ruby" => ("ruby", "s.rb"),
        "perl" => ("perl", "s.pl"),
        "php" => ("php", "s.php"),
        "lua" => ("lua", "s.lua"),
        "go" => ("go run", "s.go"),
        "r" => ("Rscript", "s.R"),
        other => panic!("{other}"),
    }
}

/// The rows that are stopped (HIGH or UNKNOWN), or those that aren't.
fn judged(rows: &[Value], stopped: bool) -> Vec<String> {
    let bench = Bench::new("");
    let input: String = rows
        .iter()
        .map(|row| {
            let (run, file) = command(row["language"].as_str().unwrap());
            let path = format!("/workspace/{file}");
            let request = json!({
                "id": row["id"],
                "command": format!("{run} {file}"),
                "cwd": "/workspace",
                "files": { path: row["code"] },
            });
            format!("{request}\n")
        })
        .collect();
    let path = bench.file("rows.jsonl");
    std::fs::write(&path, input).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_doorward"))
        .args(["check", "--no-config", "--batch"])
        // A home that no machine has: what lies in the real one (many files in a folder, say) changes verdicts.
        .env("HOME", "/home/of-nobody")
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
        .map(|(risk, row)| format!("\n  {risk} {} {} {}", row["id"], row["language"], row["why"]))
        .collect()
}

/// At most so many of 1,000 rows are judged in the wrong way.
fn wrong(list: &str, harmful: bool, most: usize) {
    let rows = rows(list);
    let wrong = judged(&rows, !harmful);
    println!("{list}: {} of {} wrong{}", wrong.len(), rows.len(), wrong.concat());
    assert!(
        wrong.len() * 1000 <= rows.len() * most,
        "{list}: {} of {}{}",
        wrong.len(),
        rows.len(),
        wrong.concat()
    );
}

#[test]
fn harmful_scripts_are_stopped() {
    wrong("code_harmful.jsonl", true, 34);
    wrong("code_harmful_2.jsonl", true, 75);
}

#[test]
fn harmless_scripts_are_not_stopped() {
    wrong("code_harmless.jsonl", false, 14);
    wrong("code_harmless_2.jsonl", false, 10);
}
