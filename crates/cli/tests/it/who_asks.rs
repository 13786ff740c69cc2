//! Who asks: agent, project, branch and the session's title, wherever a question or a session is shown.

use std::process::Command;

use serde_json::{Value, json};

use crate::answering::doorward;
use crate::support::Bench;
use crate::support::said;

const QUEUE: &str = "[hooks]\nask = \"queue\"\nwait_s = 0\n[rules]\nask = [\"shell(touch *)\"]\n";

fn event(bench: &Bench, session: &str, more: &Value) {
    let mut event = json!({"session_id": session, "cwd": bench.project(), "permission_mode": "default"});
    for (key, value) in more.as_object().unwrap() {
        event[key] = value.clone();
    }
    bench.hook("claude-code", &event.to_string(), &[]);
}

fn prompt(bench: &Bench, session: &str, said: &str) {
    event(bench, session, &json!({"hook_event_name": "UserPromptSubmit", "prompt": said}));
}

fn touch(bench: &Bench, session: &str, file: &str) {
    let call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": file,
        "tool_input": {"command": format!("touch {file}")}});
    event(bench, session, &call);
}

#[test]
fn a_question_names_agent_project_branch_and_the_first_prompt_without_its_secrets() {
    let mut bench = Bench::new(QUEUE);
    let git = |words: &[&str]| Command::new("git").args(words).current_dir(bench.project()).output().unwrap();
    git(&["init", "-q"]);
    git(&["symbolic-ref", "HEAD", "refs/heads/login-page"]);
    bench.serve();
    let secret = said::secret();
    prompt(&bench, "one", &format!("Fix the login page\nthe token is {secret}"));
    prompt(&bench, "one", "and now the tests");
    touch(&bench, "one", "a");
    prompt(&bench, "two", &format!("Deploy with {secret} to staging"));
    touch(&bench, "two", "b");
    touch(&bench, "three", "c");

    let asks = bench.ask("GET", "/v1/approvals", &Value::Null);
    let of = |file: &str| {
        let all = asks["approvals"].as_array().unwrap();
        all.iter().find(|one| one["args"]["command"] == format!("touch {file}")).unwrap().clone()
    };
    let one = of("a");
    assert_eq!(
        (&one["agent"], &one["branch"], &one["title"]),
        (&json!("claude-code"), &json!("login-page"), &json!("Fix the login page")),
        "the first prompt stays the title: {one}"
    );
    let two = of("b")["title"].as_str().unwrap().to_owned();
    assert!(two.starts_with("Deploy with") && two.ends_with("to staging"), "{two}");
    assert!(of("c")["title"].is_null(), "a session whose user said nothing has no title");

    let project = bench.project().file_name().unwrap().to_string_lossy().into_owned();
    let (_, list) = doorward(&bench, &["approvals", "list"]);
    let whole = format!("claude-code in {project} (login-page) “Fix the login page”");
    assert!(list.contains(&whole), "{whole}: {list}");
    let (_, sessions) = doorward(&bench, &["sessions", "list"]);
    assert!(sessions.contains("“Fix the login page”"), "{sessions}");
    let calls = bench.ask("GET", "/v1/calls?limit=10", &Value::Null);
    let titles: Vec<&Value> = calls["calls"].as_array().unwrap().iter().map(|call| &call["title"]).collect();
    assert!(titles.contains(&&json!("Fix the login page")), "{titles:?}");

    let records = bench.ledger();
    let noted: Vec<&Value> = records.iter().filter(|record| record["code"] == "session.title").collect();
    assert_eq!(noted.len(), 2, "{noted:?}");
    for shown in [list, sessions, calls.to_string(), asks.to_string(), json!(noted).to_string()] {
        assert!(!shown.contains(&secret), "{shown}");
    }
}
