//! What is kept beside decisions, as a person meets it through the built programs: it is part of what `audit verify`
//! checks, it can be read and dropped, and a call costs the same whatever the session did before.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::support::Bench;
use serde_json::{Value, json};

/// A tool call announced by the client, in mode acceptEdits.
fn call(bench: &Bench, tool: &str, input: &Value) {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": tool,
        "permission_mode": "acceptEdits", "tool_input": input, "tool_use_id": "t"});
    let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    assert_eq!(code, 0, "{out}{err}");
}

fn audit(bench: &Bench, words: &[&str]) -> (i32, String) {
    let state = bench.state().display().to_string();
    bench.doorward(&[&["audit"], words, &["--state", &state]].concat())
}

/// `doorward audit verify --json`, once everything that was recorded is signed.
fn verified(bench: &Bench) -> (i32, Value) {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (code, text) = audit(bench, &["verify", "--json"]);
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
        if report["size"] == report["entries"] || Instant::now() > until {
            return (code, report);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn codes(report: &Value) -> Vec<&str> {
    report["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect()
}

fn content_files(bench: &Bench) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(bench.state().join("ledger/contents"));
    listing.into_iter().flatten().map(|item| item.unwrap().path()).collect()
}

/// Bytes of all entries and of what is kept beside them.
fn bytes(bench: &Bench) -> u64 {
    let (code, report) = verified(bench);
    assert_eq!((code, codes(&report)), (0, vec![]), "{report}");
    let entries: usize = bench.ledger().iter().map(|entry| entry.to_string().len()).sum();
    let kept: u64 = content_files(bench).iter().map(|path| path.metadata().unwrap().len()).sum();
    entries as u64 + kept
}

#[test]
fn what_is_kept_is_verified_shown_and_gone_only_where_the_log_says_so() {
    let mut bench = Bench::new("");
    bench.serve();
    call(&bench, "Bash", &json!({"command": "ls -la src"}));
    call(&bench, "Bash", &json!({"command": "git status"}));
    let (code, report) = verified(&bench);
    assert_eq!((code, &report["contents"], &report["dropped"]), (0, &json!(2), &json!(0)), "{report}");
    let ledger = bench.ledger();
    let index = ledger.iter().position(|entry| entry["kind"] == "decision").unwrap().to_string();
    let (code, text) = audit(&bench, &["show", &index, "--kept"]);
    let kept: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{code} {text}"));
    assert_eq!(kept["inspected"]["call"]["args"]["command"], "ls -la src", "{text}");
    assert_eq!(kept["facts"]["effects"]["executes"], json!(["ls"]), "{text}");
    let (code, text) = audit(&bench, &["drop-contents", "--older-than", "0"]);
    assert!(code != 0 && text.contains("ledger.locked") && text.contains("stop the service"), "{text}");
    bench.stop_service();
    let (code, text) = audit(&bench, &["drop-contents", "--older-than", "0"]);
    assert!(code == 0 && text.contains("nothing to drop"), "less than a whole bundle: {text}");

    let [path] = &content_files(&bench)[..] else { panic!("one bundle for these few records") };
    let good = std::fs::read(path).unwrap();
    let at = good.windows(6).position(|part| part == b"ls -la").unwrap();
    let mut bad = good.clone();
    bad[at] = b'L';
    std::fs::write(path, bad).unwrap();
    let (code, report) = verified(&bench);
    assert_eq!((code, codes(&report)), (1, vec!["ledger.content_mismatch"]), "{report}");
    assert_eq!(report["faults"][0]["at"].to_string(), index, "{report}");
    let (code, text) = audit(&bench, &["show", &index, "--kept"]);
    assert!(code != 0 && text.contains("ledger.nothing_kept"), "{text}");
    std::fs::remove_file(path).unwrap();
    let (code, report) = verified(&bench);
    assert_eq!((code, codes(&report)), (1, vec!["ledger.content_missing"]), "{report}");
    std::fs::write(path, good).unwrap();
    assert_eq!(verified(&bench).0, 0);
}

#[test]
fn a_call_costs_the_disk_the_same_after_two_megabytes_of_writes() {
    let mut bench = Bench::new("");
    bench.serve();
    let some_calls = |from: u32| {
        let before = bytes(&bench);
        (from..from + 12)
            .for_each(|n| call(&bench, "Bash", &json!({"command": format!("grep -rn main{n} src")})));
        bytes(&bench) - before
    };
    some_calls(100);
    let first = some_calls(200);
    for n in 0..40 {
        let path = bench.project().join(format!("made{n}.txt"));
        call(&bench, "Write", &json!({"file_path": path, "content": format!("line {n}\n").repeat(6_250)}));
    }
    let later = some_calls(300);
    assert!(
        later * 10 <= first * 12,
        "12 calls took {first} bytes before the writes and {later} behind them"
    );
}
