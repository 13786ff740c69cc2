//! `doorward observe` and `doorward pause`: calls pass that would have been asked about, floors stand, what happened is
//! recorded and shown, and only a person pauses.

use std::process::Command;

use serde_json::{Value, json};

use crate::answering::{doorward, doorward_by, with_passphrase};
use crate::support::{Bench, DOORWARD};

fn observe(bench: &Bench, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(DOORWARD);
    let output = command.arg("observe").args(words).arg("--state").arg(bench.state()).output().unwrap();
    let told =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), told)
}

/// What Claude Code is told about a command in bypassPermissions: nothing, or the answer.
fn asked(bench: &Bench, command: &str, id: &str) -> String {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
        "tool_name": "Bash", "permission_mode": "bypassPermissions", "tool_input": {"command": command},
        "tool_use_id": id});
    let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    format!("{code:?} {out}{err}")
}

#[test]
fn only_floors_stop_a_call_while_it_is_observed_and_the_page_counts_the_others() {
    let mut bench = Bench::new("# mine\n");
    let (code, told) = observe(&bench, &["2h"]);
    assert!(code == Some(0) && told.contains("only floors stop a call"), "{told}");
    let settings = std::fs::read_to_string(bench.state().join("doorward.toml")).unwrap();
    assert!(settings.contains("# mine\n") && settings.contains("observe_until"), "{settings}");

    bench.serve();
    let passed = asked(&bench, "sudo rm -rf /opt/thing", "1");
    assert!(
        !passed.contains("permissionDecision"),
        "it passes, and no prompt of the client's is waived: {passed}"
    );
    let stopped = asked(&bench, "rm -rf ~", "2");
    assert!(stopped.contains("\"permissionDecision\":\"deny\""), "a floor stands: {stopped}");
    let event = ["check", "--mode", "plan", "--command", "sudo touch /opt/x", "--state"];
    let plan = Command::new(DOORWARD).args(event).arg(bench.state()).output().unwrap();
    assert_eq!(plan.status.code(), Some(11), "what plan mode refuses stays refused");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let (_, told) = observe(&bench, &["--json"]);
    let found: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(found["asked"].as_u64().unwrap() + found["stopped"].as_u64().unwrap(), 1, "{told}");
    assert!(
        found["last"][0]["reason"].as_str().unwrap().starts_with("Only observed; it would have been"),
        "{told}"
    );
    let status = Command::new(DOORWARD).args(["status", "--state"]).arg(bench.state()).output().unwrap();
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(status.contains("only floors stop calls until"), "{status}");

    let (code, told) = observe(&bench, &["off"]);
    assert!(code == Some(0) && told.contains("No observation goes on"), "{told}");
    // The service looks four times a second whether its settings changed.
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let asked = asked(&bench, "sudo rm -rf /opt/other", "3");
    assert!(asked.contains("permissionDecision"), "it is asked about again: {asked}");
}

/// What runs below a client, or has lost its parents since, is no person, by whatever name the program goes.
#[test]
fn an_agent_begins_no_observation_and_takes_no_hook_out() {
    let mut bench = Bench::new("");
    bench.serve();
    assert!(asked(&bench, "rm -rf ~", "1").contains("deny"), "the client of this test is known now");
    let copy = bench.project().join("helper");
    std::fs::copy(DOORWARD, &copy).unwrap();
    let state = bench.state().to_str().unwrap().to_owned();
    for program in [DOORWARD, copy.to_str().unwrap()] {
        for detached in ["", "setsid --fork --wait "] {
            let line = format!("{detached}script -qec '{program} observe 1h --state {state}' /dev/null");
            let output = Command::new("sh").args(["-c", &line]).output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(told.contains("grant.presence") && told.contains("takes a person"), "{line}: {told}");
        }
    }
    assert_eq!(std::fs::read_to_string(bench.state().join("doorward.toml")).unwrap(), "");
    let (code, told) = observe(&bench, &["off"]);
    assert_eq!(code, Some(0), "what tightens is anybody's: {told}");
}

#[test]
fn an_observation_is_short_and_no_projects() {
    let bench = Bench::new("");
    for wrong in ["8d", "0h", "forever", "-1h"] {
        let (code, told) = observe(&bench, &["--", wrong]);
        assert_eq!(code, Some(2), "{wrong}: {told}");
    }
    assert_eq!(
        std::fs::read_to_string(bench.state().join("doorward.toml")).unwrap(),
        "",
        "nothing was written"
    );
    let far = "[modes]\nobserve_until = \"2999-01-01T00:00:00Z\"\n";
    std::fs::write(bench.state().join("doorward.toml"), far).unwrap();
    let (_, told) = observe(&bench, &[]);
    assert!(told.contains("No observation goes on"), "a time that is far away counts as unset: {told}");

    let bench = Bench::new("");
    std::fs::write(bench.project().join("doorward.toml"), far).unwrap();
    let check = Command::new(DOORWARD)
        .args(["config", "check", "--state"])
        .arg(bench.state())
        .current_dir(bench.project())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&check.stdout).into_owned() + &String::from_utf8_lossy(&check.stderr);
    assert!(told.contains("observe_until") && !check.status.success(), "{told}");
}

#[test]
fn a_pause_takes_a_person_is_recorded_is_shown_and_ends() {
    let (bench, passphrase) = with_passphrase("");
    let before = asked(&bench, "sudo rm -rf /opt/thing", "1");
    assert!(before.contains("permissionDecision"), "{before}");
    let (code, told) = doorward_by(&bench, "a wrong one", &["pause", "10m"]);
    assert!(code == 2 && told.contains("passphrase.wrong"), "{told}");
    let body = json!({"seconds": 600, "reason": "I am an agent"});
    let refused = bench.ask("POST", "/v1/pause", &body);
    assert_eq!(refused["code"], "grant.presence", "a credential alone is no person: {refused}");
    let (code, told) = doorward_by(&bench, &passphrase, &["pause", "2h"]);
    assert!(code == 2 && told.contains("pause.time"), "{told}");

    let (code, told) = doorward_by(&bench, &passphrase, &["pause", "10m", "--reason", "a long rebase"]);
    assert!(code == 0 && told.contains("Paused for 10m"), "{told}");
    let passed = asked(&bench, "sudo rm -rf /opt/thing", "2");
    assert!(!passed.contains("permissionDecision"), "no opinion of its own: {passed}");
    assert!(passed.contains("systemMessage") && passed.contains("Doorward is paused until"), "{passed}");
    assert!(passed.contains("it would have been asked about"), "the person is told of what: {passed}");
    let quiet = asked(&bench, "ls", "3");
    assert!(!quiet.contains("systemMessage"), "what passes anyway needs no word: {quiet}");
    let floor = asked(&bench, "rm -rf ~", "4");
    assert!(floor.contains("\"permissionDecision\":\"deny\""), "a floor stands: {floor}");
    let own = asked(&bench, "doorward pause 10m", "5");
    assert!(own.contains("own.command"), "never by an agent: {own}");
    let (_, status) = doorward(&bench, &["status"]);
    assert!(
        status.contains("only floors stop calls until") && status.contains("doorward pause off"),
        "{status}"
    );
    assert!(bench.ask("GET", "/v1/me", &json!({}))["paused_until"].is_string(), "for the console");
    let note = |record: &Value| record["code"] == "approvals.pause";
    let notes: Vec<Value> = bench.ledger().into_iter().filter(note).collect();
    assert!(
        notes.len() == 1 && notes[0]["message"].as_str().unwrap().ends_with("a long rebase"),
        "{notes:?}"
    );

    let (code, told) = doorward(&bench, &["pause", "off"]);
    assert!(code == 0 && told.contains("asks and stops"), "ending it takes no passphrase: {told}");
    let after = asked(&bench, "sudo rm -rf /opt/thing", "6");
    assert!(after.contains("permissionDecision"), "{after}");
    assert!(bench.ask("GET", "/v1/me", &json!({}))["paused_until"].is_null());
}
