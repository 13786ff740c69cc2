//! Settings that are edited while the service runs, as a user does it: in an editor, through the built programs. What is
//! saved is in force a second later, for the next call, and nothing that can't be read lets anything through.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Bench, THIN};
use serde_json::{Value, json};

/// What the product promises about an edit.
const IN_FORCE: Duration = Duration::from_secs(1);

/// The hook's answer to a shell command in mode `default`: `allow`, `ask`, `deny`, or `none` for no opinion. The client
/// is a program that runs in the project.
fn answer(bench: &Bench, command: &str) -> String {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "t"});
    let mut client = Command::new("find")
        .args(["/dev/null", "-exec", THIN, "hook", "claude-code", "--state"])
        .arg(bench.state())
        .arg(";")
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    client.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let output = client.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    reply["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none").to_owned()
}

fn edit(bench: &Bench, text: &str) {
    std::fs::write(bench.state().join("doorward.toml"), text).unwrap();
    std::thread::sleep(IN_FORCE);
}

#[test]
fn an_edit_is_in_force_for_the_next_call_a_second_later() {
    let mut bench = Bench::new("[rules]\nallow = [\"shell(make)\"]\n");
    bench.serve();
    assert_eq!(answer(&bench, "make"), "allow");
    edit(&bench, "[rules]\ndeny = [\"shell(make)\"]\n");
    assert_eq!(answer(&bench, "make"), "deny");
    // The same length, so that neither size nor, on a coarse clock, the time of the change tells.
    edit(&bench, "[rules]\ndeny = [\"shell(mace)\"]\n");
    assert_ne!(answer(&bench, "make"), "deny");
    assert_eq!(answer(&bench, "mace"), "deny");
    // Saved as editors do it: a new file in place of the old one.
    let fresh = bench.state().join("doorward.toml.new");
    std::fs::write(&fresh, "[rules]\ndeny = [\"shell(make)\"]\n").unwrap();
    std::fs::rename(&fresh, bench.state().join("doorward.toml")).unwrap();
    std::thread::sleep(IN_FORCE);
    assert_eq!(answer(&bench, "make"), "deny");
}

#[test]
fn a_policy_file_and_a_project_are_looked_at_like_the_settings() {
    let policy = |verb: &str| format!("@id(\"p\") {verb}(principal, action, resource);\n");
    let mut bench = Bench::new("");
    let file = bench.state().join("p.cedar");
    std::fs::write(&file, policy("permit")).unwrap();
    std::fs::write(
        bench.state().join("doorward.toml"),
        format!("[policy]\npacks = []\nfiles = ['{}']\n", file.display()),
    )
    .unwrap();
    bench.serve();
    let before = answer(&bench, "make");
    assert_ne!(before, "deny");
    std::fs::write(&file, policy("forbid")).unwrap();
    std::thread::sleep(IN_FORCE);
    assert_eq!(answer(&bench, "make"), "deny", "the policy file changed");
    std::fs::write(&file, policy("permit")).unwrap();
    std::thread::sleep(IN_FORCE);
    assert_eq!(answer(&bench, "make"), before);
    // A project's own file, which wasn't there when the project was loaded.
    std::fs::write(bench.project().join("doorward.toml"), "[rules]\ndeny = [\"shell(make)\"]\n").unwrap();
    std::thread::sleep(IN_FORCE);
    assert_eq!(answer(&bench, "make"), "deny", "the project forbids it now");
}

#[test]
fn a_file_that_can_no_longer_be_read_leaves_the_last_good_rules_and_says_so() {
    let mut bench = Bench::new("[rules]\ndeny = [\"shell(make)\"]\n");
    bench.serve();
    assert_eq!(answer(&bench, "make"), "deny");
    let file = bench.state().join("doorward.toml");
    // Nobody's permissions keep root from reading: a file that is no text can't be read by anybody.
    for unreadable in [&b"\xff\xfe[rules]\n"[..], b"[rules\n"] {
        std::fs::write(&file, unreadable).unwrap();
        std::thread::sleep(IN_FORCE);
        assert_eq!(answer(&bench, "make"), "deny", "what forbids stays in force");
        let (code, status) = bench.doorward(&["status", "--state", bench.state().to_str().unwrap()]);
        assert_eq!(code, 0, "{status}");
        assert!(status.contains("problem ") && status.contains("the last good settings"), "{status}");
    }
    let told = bench.log().matches("the last good settings").count();
    std::thread::sleep(IN_FORCE);
    assert_eq!(
        bench.log().matches("the last good settings").count(),
        told,
        "it is told once, not at every look"
    );
    edit(&bench, "");
    let (code, status) = bench.doorward(&["status", "--state", bench.state().to_str().unwrap()]);
    assert!(code == 0 && !status.contains("problem "), "{status}");
}
