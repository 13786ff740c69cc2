//! The record and the database beside it, as a person meets them through the built programs: a ledger that was
//! removed, replaced or rolled back is an alarm, and what a call costs on the disk is bounded.
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
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Bench, DOORWARD, run};

fn shell(bench: &Bench, command: &str) -> String {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "t"})
    .to_string()
}

/// `doorward audit verify --json`: its exit code and what it says.
fn verify(bench: &Bench) -> (i32, Value) {
    let (code, text) =
        bench.doorward(&["audit", "verify", "--json", "--state", bench.state().to_str().unwrap()]);
    (code, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")))
}

fn faults(report: &Value) -> Vec<&str> {
    report["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect()
}

/// Size of the log that the database remembers.
fn remembered(report: &Value) -> u64 {
    report["anchors"][0]["size"].as_u64().unwrap_or(0)
}

/// Calls until the database remembers more than so many records; gives what it remembers then.
fn call_until_remembered(bench: &Bench, more_than: u64) -> u64 {
    let (code, out, err) = bench.hook("claude-code", &shell(bench, "ls"), &[]);
    assert_eq!(code, 0, "{out}{err}");
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (code, report) = verify(bench);
        assert_eq!(code, 0, "while the service runs: {report}");
        if remembered(&report) > more_than && report["size"] == report["entries"] {
            return remembered(&report);
        }
        assert!(Instant::now() < until, "never remembered: {report}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn copy(from: &Path, to: &Path) {
    run(Command::new("cp").arg("-a").arg(from).arg(to));
}

/// Names and contents of the files in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|item| item.path().is_file());
    files
        .map(|item| (item.file_name().into_string().unwrap(), std::fs::read(item.path()).unwrap()))
        .collect()
}

/// The service doesn't start, says why by this code, and calls are denied.
fn refuses_to_start(bench: &Bench, code: &str) {
    let state = bench.state().display().to_string();
    let (exit, text) = bench.doorward(&["serve", "--port", "0", "--state", &state]);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains(&format!("[{code}]")) && text.contains("doorward audit accept"), "{text}");
    let (exit, out, err) = bench.hook("claude-code", &shell(bench, "touch x"), &[]);
    let denied = exit == 2 || out.contains("\"permissionDecision\":\"deny\"");
    assert!(denied, "{exit} {out}{err}");
}

#[test]
fn a_ledger_removed_beside_a_database_that_knows_it_is_an_alarm() {
    let mut bench = Bench::new("");
    bench.serve();
    let known = call_until_remembered(&bench, 1);
    bench.stop_service();
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();

    let before = contents(&bench.state());
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.wiped"]), "{report}");
    assert!(remembered(&report) >= known, "{report}");
    assert!(contents(&bench.state()) == before, "verifying only reads");
    refuses_to_start(&bench, "ledger.wiped");
    assert!(!bench.state().join("ledger/tile").exists(), "no fresh log was begun");
}

#[test]
fn another_ledger_in_its_place_is_called_by_name() {
    let mut bench = Bench::new("");
    let mut other = Bench::new("");
    for one in [&mut bench, &mut other] {
        one.serve();
        call_until_remembered(one, 1);
        one.stop_service();
    }
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    copy(&other.state().join("ledger"), &bench.state());
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.replaced"]), "{report}");
    refuses_to_start(&bench, "ledger.replaced");
}

#[test]
fn a_ledger_rolled_back_to_a_genuine_older_state_is_called_by_name() {
    let mut bench = Bench::new("");
    bench.serve();
    let early = call_until_remembered(&bench, 1);
    bench.stop_service();
    copy(&bench.state().join("ledger"), &bench.file("older"));
    bench.serve();
    call_until_remembered(&bench, early + 2);
    bench.stop_service();
    let (code, report) = verify(&bench);
    assert_eq!(code, 0, "nothing was changed yet: {report}");

    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    copy(&bench.file("older"), &bench.state().join("ledger"));
    let (code, report) = verify(&bench);
    assert_eq!((code, faults(&report)), (1, vec!["ledger.rollback"]), "{report}");
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["audit", "verify", "--no-anchors", "--state", &state]);
    assert_eq!(code, 0, "in itself the older state is intact: {text}");
    assert!(text.contains("not compared"), "and what wasn't looked at is said: {text}");
    refuses_to_start(&bench, "ledger.rollback");
}

#[test]
fn a_person_at_a_terminal_gives_a_lost_ledger_up_and_that_is_recorded() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    let state = bench.state().display().to_string();
    let name = std::fs::read_to_string(bench.state().join("ledger/origin")).unwrap();
    std::fs::remove_dir_all(bench.state().join("ledger")).unwrap();
    let accept = |typed: &str| {
        let line = format!("{DOORWARD} audit accept --state {state}");
        let mut child = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(format!("{typed}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let without_terminal = Command::new("setsid")
        .args(["--wait", DOORWARD, "audit", "accept", "--state", &state])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&without_terminal.stderr).contains("[ledger.terminal]"));
    let (done, text) = accept("yes");
    assert!(!done && text.contains("nothing was changed"), "{text}");
    refuses_to_start(&bench, "ledger.wiped");
    let (done, text) = accept(name.trim());
    assert!(done, "{text}");
    bench.serve();
    let given_up = |entry: &Value| {
        entry["code"] == "ledger.given_up" && entry["message"].as_str().unwrap().contains(name.trim())
    };
    assert!(bench.ledger().iter().any(given_up), "{:#?}", bench.ledger());
    call_until_remembered(&bench, 1);
}

#[test]
fn a_ledger_whose_database_was_removed_says_so_in_its_next_records() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    for item in std::fs::read_dir(bench.state()).unwrap().map(Result::unwrap) {
        if item.file_name().to_string_lossy().starts_with("doorward.db") {
            std::fs::remove_file(item.path()).unwrap();
        }
    }
    let (code, report) = verify(&bench);
    assert_eq!(code, 0, "{report}");
    assert!(report["compared"].as_str().unwrap().contains("there is no database"), "{report}");
    bench.serve();
    let forgotten = bench.ledger().into_iter().find(|entry| entry["code"] == "ledger.unremembered");
    assert!(forgotten.is_some(), "{:#?}", bench.ledger());
    // From here on it is remembered again.
    call_until_remembered(&bench, 1);
}

#[test]
fn a_database_that_cannot_be_read_is_an_error_not_a_clean_bill() {
    let mut bench = Bench::new("");
    bench.serve();
    call_until_remembered(&bench, 1);
    bench.stop_service();
    std::fs::write(bench.state().join("doorward.db"), "no database").unwrap();
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("--no-anchors"), "{text}");
}
