//! The numbers are true: one session with a call of each kind, and what the overview and the terminal say of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::answering::{between, doorward};
use crate::support::Bench;

const RULES: &str = "[hooks]\nask = \"queue\"\nwait_s = 0\n[rules]\nask = [\"shell(make ship)\", \"shell(make tag)\", \
    \"shell(make late)\"]\ndeny = [\"shell(make wipe)\"]\n";

/// One event of Claude Code about a command; what it is told.
fn event(bench: &Bench, name: &str, command: &str) -> String {
    let event = json!({"session_id": "s", "hook_event_name": name, "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_response": {"stdout": ""},
        "tool_use_id": command});
    bench.hook("claude-code", &event.to_string(), &[]).1
}

fn called(bench: &Bench, command: &str) -> String {
    event(bench, "PreToolUse", command)
}

fn tally(bench: &Bench) -> Value {
    bench.ask("GET", "/v1/overview?hours=1", &Value::Null)["tally"].clone()
}

/// The members that aren't zero.
fn ends(ends: &Value) -> BTreeMap<String, u64> {
    let members = ends.as_object().unwrap().iter();
    members.filter_map(|(word, n)| Some((word.clone(), n.as_u64().filter(|n| *n > 0)?))).collect()
}

#[test]
fn what_passed_was_asked_left_to_the_client_and_denied_is_told_apart() {
    let mut bench = Bench::new(RULES);
    bench.serve();
    let words = |all: &[(&str, u64)]| -> BTreeMap<String, u64> {
        all.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect()
    };

    called(&bench, "ls");
    called(&bench, "pwd");
    called(&bench, "make wipe");
    // Left to the client's own prompt: one ran, of the other nothing was heard.
    assert_eq!(called(&bench, "touch one"), "");
    event(&bench, "PostToolUse", "touch one");
    assert_eq!(called(&bench, "touch two"), "");
    // Asked: one allowed and called again, one denied, one open.
    let asked = called(&bench, "make ship");
    doorward(&bench, &["approve", between(&asked, "`doorward approve ", "`")]);
    assert!(called(&bench, "make ship").contains("\"allow\""), "the yes is used");
    let asked = called(&bench, "make tag");
    doorward(&bench, &["deny", between(&asked, "`doorward approve ", "`")]);
    let open = called(&bench, "make late");

    std::thread::sleep(std::time::Duration::from_millis(200));
    let counted = tally(&bench);
    assert_eq!(
        (&counted["calls"], &counted["passed"], &counted["denied"]),
        (&json!(8), &json!(2), &json!(1)),
        "{counted}"
    );
    assert_eq!(ends(&counted["asked"]), words(&[("all", 3), ("allowed", 1), ("open", 1), ("refused", 1)]));
    assert_eq!(ends(&counted["left"]), words(&[("all", 2), ("allowed", 1), ("open", 1)]));
    assert_eq!(counted["needless"], 0);
    let (_, list) = doorward(&bench, &["sessions", "list"]);
    assert!(list.contains("(2 passed, 3 asked, 2 left to the agent's own prompt, 1 denied)"), "{list}");
    let metrics = bench.answered("GET", "/metrics", &Value::Null);
    for line in [
        "doorward_told_total{said=\"passed\"} 3",
        "doorward_told_total{said=\"left\"} 2",
        "doorward_told_total{said=\"asked\"} 3",
        "doorward_told_total{said=\"denied\"} 1",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }

    let short = between(&open, "`doorward approve ", "`").to_owned();
    let asks = bench.ask("GET", "/v1/approvals", &Value::Null);
    let id = asks["approvals"][0]["id"].as_str().unwrap().to_owned();
    assert!(id.ends_with(&short));
    assert_eq!(bench.ask("POST", &format!("/v1/approvals/{id}/needless"), &json!({}))["needless"], true);
    bench.ask("POST", &format!("/v1/approvals/{id}/needless"), &json!({}));
    assert_eq!(tally(&bench)["needless"], 1, "a question counts once, however often it is said");

    let end =
        json!({"session_id": "s", "hook_event_name": "SessionEnd", "cwd": bench.project(), "reason": "exit"});
    bench.hook("claude-code", &end.to_string(), &[]);
    std::thread::sleep(std::time::Duration::from_millis(200));
    let left = tally(&bench)["left"].clone();
    assert_eq!(ends(&left), words(&[("all", 2), ("allowed", 1), ("refused", 1)]), "the client never ran it");
}
