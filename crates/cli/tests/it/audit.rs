//! What the record says beside decisions: what came in and was no call, what became of obligations, and that the mode's
//! answer isn't told as the policy engine's.

use crate::support::Bench;
use serde_json::{Value, json};

fn event(bench: &Bench, name: &str, call: &str, command: &str) -> String {
    json!({"session_id": "s", "hook_event_name": name, "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "acceptEdits", "tool_input": {"command": command}, "tool_use_id": call,
        "tool_response": {"stdout": "done", "stderr": ""}})
    .to_string()
}

fn notes(bench: &Bench, code: &str) -> Vec<Value> {
    bench.ledger().into_iter().filter(|entry| entry["kind"] == "note" && entry["code"] == code).collect()
}

#[test]
fn what_was_no_call_is_recorded_without_its_secrets() {
    let mut bench = Bench::new("");
    bench.serve();
    for broken in ["", "{", r#"{"hook_event_name": 7}"#] {
        let (code, out, _) = bench.hook("claude-code", broken, &[]);
        assert!(code == 2 || out.contains("\"deny\""), "{broken:?}: {code} {out}");
    }
    let faults = notes(&bench, "hook.fault");
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults.iter().all(|fault| fault["detail"]["client"] == "claude-code"), "{faults:?}");
    assert!(faults.iter().all(|fault| !fault["message"].as_str().unwrap().is_empty()), "{faults:?}");

    let answer = bench.ask("POST", "/v1/decide", &json!({"principal": 7}));
    assert!(answer["code"].is_string(), "{answer}");
    bench.ask("POST", "/access/v1/evaluation", &json!({"subject": 1}));
    let malformed = notes(&bench, "request.malformed");
    let paths: Vec<&str> = malformed.iter().map(|note| note["detail"]["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/v1/decide", "/access/v1/evaluation"], "{malformed:?}");
}

#[test]
fn a_flood_of_malformed_requests_is_counted_not_kept() {
    let mut bench = Bench::new("");
    bench.serve();
    for _ in 0..100 {
        bench.ask("POST", "/v1/decide", &json!({"principal": 7}));
    }
    let kept = notes(&bench, "request.malformed").len();
    assert!((1..=60).contains(&kept), "{kept}");
}

#[test]
fn what_became_of_obligations_is_part_of_the_outcome() {
    let mut bench = Bench::new("");
    let policy = bench.file("owing.cedar");
    let owing = "@obligations(\"log_output\")\n@id(\"owing\")\n\
                 permit(principal, action == Action::\"shell:execute\", resource);\n";
    std::fs::write(&policy, owing).unwrap();
    let settings = format!("[policy]\nfiles = [\"{}\"]\n", policy.display());
    std::fs::write(bench.state().join("doorward.toml"), settings).unwrap();
    bench.serve();
    for (call, reported) in [("seen", true), ("unseen", false)] {
        let (_, out, err) = bench.hook("claude-code", &event(&bench, "PreToolUse", call, "ls"), &[]);
        assert!(!out.contains("\"deny\""), "{out}{err}");
        if reported {
            bench.hook("claude-code", &event(&bench, "PostToolUse", call, "ls"), &[]);
        }
    }
    bench.stop_service();
    let outcomes: Vec<Value> =
        bench.ledger().into_iter().filter(|entry| entry["kind"] == "outcome").collect();
    let owed: Vec<&Value> = outcomes.iter().map(|outcome| &outcome["obligations"]).collect();
    let log_output = |done: bool| json!([{"type": "log_output", "done": done}]);
    assert_eq!(owed, [&log_output(true), &log_output(false)], "{outcomes:?}");
}

#[test]
fn what_the_mode_allowed_is_not_told_as_the_engines_answer() {
    let mut bench = Bench::new("");
    bench.serve();
    bench.hook("claude-code", &event(&bench, "PreToolUse", "t", "ls -la"), &[]);
    let record = bench.ledger().into_iter().find(|entry| entry["kind"] == "decision").unwrap();
    assert_eq!((&record["verdict"], &record["basis"]), (&json!("ALLOW"), &json!("mode")), "{record}");
    assert_eq!(record["policy"]["decision"], "unsettled", "{record}");
}
