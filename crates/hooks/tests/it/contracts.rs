//! Recorded events give the expected calls, and every reply is one that its client obeys.

use doorward_core::json::Value;
use doorward_core::tool::{Client, ToolClass};
use doorward_hooks::{Answer, Event, Reply, event, fault, reply};

const CLIENTS: [(&str, Client); 7] = [
    ("claude", Client::ClaudeCode),
    ("codex", Client::Codex),
    ("gemini", Client::GeminiCli),
    ("cursor", Client::Cursor),
    ("copilot", Client::Copilot),
    ("windsurf", Client::Windsurf),
    ("openhands", Client::Openhands),
];

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/testdata/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().lines().map(|line| Value::parse(line).unwrap()).collect()
}

#[test]
fn recorded_events_become_the_calls_they_are() {
    let mut seen = 0;
    for (name, client) in CLIENTS {
        for row in rows(name) {
            let id = row.get("id").unwrap().as_str().unwrap();
            let got = event(client, row.get("stdin").unwrap().canonical().as_bytes()).unwrap();
            seen += 1;
            let expected = row.get("call").unwrap();
            let Event::Call(call) = got else {
                assert!(expected.is_null(), "{id}: {got:?}");
                continue;
            };
            assert_eq!(expected.get("tool").unwrap().as_str().unwrap(), call.tool.as_str(), "{id}");
            let class = call.tool.class().unwrap_or(ToolClass::Execute).as_str();
            assert_eq!(expected.get("class").unwrap().as_str().unwrap(), class, "{id}");
            for (key, value) in expected.get("args").unwrap().as_object().unwrap() {
                assert_eq!(call.args.get(key), Some(value), "{id}: {key}");
            }
        }
    }
    assert_eq!(seen, 49);
}

/// Whether the client stopped the call on a reply of this form, from the table of measurements.
fn stops(client: &str, reply: &Reply) -> Option<bool> {
    let shape = |stdout: &str| {
        // Reasons differ; the form of the reply was measured.
        let mut value = serde_json::from_str::<serde_json::Value>(stdout).ok()?;
        blank(&mut value);
        Some(value)
    };
    let wanted = shape(&reply.stdout);
    rows("hook_replies").iter().find_map(|row| {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        let same_exit = row.get("hook_exit").and_then(Value::as_i64) == Some(i64::from(reply.exit));
        let same = match &wanted {
            Some(wanted) => text("hook_stdout").and_then(shape).as_ref() == Some(wanted),
            None => reply.exit == 2 && text("hook_stderr").is_some_and(|stderr| !stderr.is_empty()),
        };
        let newest = text("version") != Some("2.1.197");
        (text("client") == Some(client)
            && same_exit
            && same
            && newest
            && text("event") != Some("PermissionRequest"))
        .then(|| row.get("stops").and_then(Value::as_bool))?
    })
}

fn blank(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text)
            if !["deny", "allow", "ask", "block", "PreToolUse"].contains(&text.as_str()) =>
        {
            "…".clone_into(text);
        }
        serde_json::Value::Object(members) => members.values_mut().for_each(blank),
        _ => {}
    }
}

#[test]
fn every_denial_and_every_fault_stops_the_clients_that_were_measured() {
    for (name, client, event) in [
        ("claude", Client::ClaudeCode, "PreToolUse"),
        ("codex", Client::Codex, "PreToolUse"),
        ("gemini", Client::GeminiCli, "BeforeTool"),
    ] {
        for reason in ["because", "", "  \n"] {
            let denial = reply(client, event, &Answer::Deny { reason: reason.into() });
            assert_eq!(stops(name, &denial), Some(true), "{name} {denial:?}");
            assert_eq!(stops(name, &fault(client, reason)), Some(true), "{name} fault");
        }
    }
}

#[test]
fn no_opinion_is_never_an_allow_and_a_denial_always_has_a_reason() {
    for (_, client) in CLIENTS {
        let silent = reply(client, "PreToolUse", &Answer::NoOpinion);
        assert!(!silent.stdout.contains("permissionDecision"), "{client:?}");
        assert_eq!(silent.exit, 0);
        for answer in [Answer::Deny { reason: String::new() }, Answer::Deny { reason: "x".into() }] {
            let denial = reply(client, "PreToolUse", &answer);
            assert!(!(denial.stdout.is_empty() && denial.stderr.trim().is_empty()), "{client:?}");
            assert!(denial.exit == 2 || denial.stdout.contains("deny"), "{client:?}");
        }
    }
    // `ask` runs the command in Codex and OpenHands, and hangs Gemini CLI.
    for client in [Client::Codex, Client::GeminiCli, Client::Cursor, Client::Windsurf, Client::Openhands] {
        let asked = reply(client, "PreToolUse", &Answer::Ask { reason: "x".into() });
        assert!(!asked.stdout.contains("\"ask\""), "{client:?}");
    }
}

#[test]
fn hostile_events_are_errors_not_guesses() {
    for bytes in [
        &b""[..],
        b"{}",
        b"[]",
        b"\xff\xfe",
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_name":"Read","session_id":"s","tool_input":{}}"#,
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"session_id\":\"s\",\
          \"tool_input\":{\"command\":\"ls\",\"Command\":\"rm\"}}",
        br#"{"hook_event_name":"PreToolUse","tool_name":"bash","session_id":"s","tool_input":{}}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","session_id":"","tool_input":{}}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","session_id":"s","tool_input":[1]}"#,
    ] {
        assert!(event(Client::ClaudeCode, bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
    }
}
