//! Ways in through the hooks of coding agents: each is sent its client's own event.
//!
//! A client that is told nothing does what it does without Doorward. Then the record says what was decided: a cell is
//! never met by silence. What the real clients do with each answer is tried by `attack/clients.rs`.

use serde_json::{Value, json};

use super::rows::{Call, End, Kind, Told};
use super::ways::{Answer, AskedCall, Ground, ONLY_COMMANDS, recorded};
use crate::support::Bench;

const NO_TOOL: &str = "this client has no tool for it";
const NO_LABEL: &str = "the schemas of a client's own tools can't be extended, so no model labels its calls";

/// Sends an event, and reads from the client's reply which word it was told.
fn sent(bench: &Bench, client: &str, event: &Value, decision: fn(&Value) -> &str) -> Answer {
    let (code, out, err) = bench.hook(client, &event.to_string(), &[]);
    let reply: Value = serde_json::from_str(&out).unwrap_or_default();
    let record = recorded(bench);
    let text = format!("exit {code}: {out}{err}{record}");
    let said = if code == 2 { "deny" } else { decision(&reply) };
    let end = match said {
        "ask" => End::Asked,
        "deny" if text.contains("doorward approve") => End::Asked,
        "deny" => End::Refused,
        "allow" => End::Runs,
        _ if record.contains("ALLOW") => End::Runs,
        // Silence about a question leaves it to the client, which asks by itself in this mode.
        _ if record.contains("CONFIRM") && code == 0 => End::Asked,
        _ => End::Refused,
    };
    Ok(Told { end, text })
}

/// A shell call's arguments under the client's own name for the command.
fn command(call: &Call, name: &str) -> Option<Value> {
    match call.kind {
        Kind::Shell => Some(json!({name: call.text})),
        Kind::Raw => {
            let raw: Value = serde_json::from_str(&call.text).unwrap();
            Some(
                raw.as_object()
                    .unwrap()
                    .iter()
                    .map(|(key, value)| (key.replace("command", name), value.clone()))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
            )
        }
        _ => None,
    }
}

fn nested(reply: &Value) -> &str {
    reply["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default()
}

/// A number for a call, so that no two are one.
fn call_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("call-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Refuses what no client of this kind has.
fn unlabelled<'c>(question: &'c AskedCall<'_>) -> Result<&'c Call, &'static str> {
    if question.call.label.is_some() { Err(NO_LABEL) } else { Ok(question.call) }
}

fn claude_event(bench: &Bench, question: &AskedCall<'_>) -> Result<Value, &'static str> {
    let call = unlabelled(question)?;
    let project = bench.project();
    let (tool, input) = match call.kind {
        Kind::Write => ("Write", json!({"file_path": project.join(&call.text), "content": "x\n"})),
        Kind::Read => ("Read", json!({"file_path": project.join(&call.text)})),
        Kind::Fetch => ("WebFetch", json!({"url": call.text, "prompt": "read it"})),
        _ => ("Bash", command(call, "command").ok_or(NO_TOOL)?),
    };
    Ok(json!({"session_id": question.session, "hook_event_name": "PreToolUse", "cwd": project,
        "permission_mode": question.mode, "tool_name": tool, "tool_input": input, "tool_use_id": call_id()}))
}

pub fn by_claude(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    sent(&ground.free, "claude-code", &claude_event(&ground.free, question)?, nested)
}

pub fn by_bound(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    if !matches!(question.call.kind, Kind::Shell | Kind::Raw) {
        return Err(ONLY_COMMANDS);
    }
    sent(&ground.bound, "claude-code", &claude_event(&ground.bound, question)?, nested)
}

pub fn by_codex(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = unlabelled(question)?;
    let (tool, input) = match call.kind {
        Kind::Write => {
            let patch = format!("*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n", call.text);
            ("apply_patch", json!({"command": patch}))
        }
        _ => ("Bash", command(call, "command").ok_or(NO_TOOL)?),
    };
    let event = json!({"session_id": question.session, "hook_event_name": "PreToolUse",
        "cwd": ground.free.project(), "permission_mode": question.mode, "tool_name": tool, "tool_input": input,
        "tool_use_id": call_id(), "turn_id": "1"});
    sent(&ground.free, "codex", &event, nested)
}

pub fn by_gemini(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = unlabelled(question)?;
    let (tool, input) = match call.kind {
        Kind::Write => ("write_file", json!({"file_path": call.text, "content": "x\n"})),
        Kind::Read => ("read_file", json!({"absolute_path": ground.free.project().join(&call.text)})),
        Kind::Fetch => ("web_fetch", json!({"prompt": format!("Read {}", call.text)})),
        _ => ("run_shell_command", command(call, "command").ok_or(NO_TOOL)?),
    };
    let event = json!({"session_id": question.session, "hook_event_name": "BeforeTool",
        "cwd": ground.free.project(), "tool_name": tool, "tool_input": input});
    sent(&ground.free, "gemini-cli", &event, |reply| reply["decision"].as_str().unwrap_or_default())
}

pub fn by_cursor(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = unlabelled(question)?;
    let (tool, input) = match call.kind {
        Kind::Write => ("Write", json!({"file_path": call.text, "content": "x\n"})),
        _ => ("Shell", command(call, "command").ok_or(NO_TOOL)?),
    };
    let event = json!({"session_id": question.session, "hook_event_name": "preToolUse",
        "cwd": ground.free.project(), "tool_name": tool, "tool_input": input});
    sent(&ground.free, "cursor", &event, |reply| reply["permission"].as_str().unwrap_or_default())
}

pub fn by_copilot(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = unlabelled(question)?;
    let (tool, input) = match call.kind {
        Kind::Write => ("create", json!({"path": call.text, "file_text": "x\n"})),
        _ => ("bash", command(call, "command").ok_or(NO_TOOL)?),
    };
    let event = json!({"sessionId": question.session, "cwd": ground.free.project(), "toolName": tool,
        "toolArgs": input.to_string()});
    sent(&ground.free, "copilot", &event, |reply| reply["permissionDecision"].as_str().unwrap_or_default())
}

pub fn by_windsurf(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = unlabelled(question)?;
    let project = ground.free.project();
    let (action, mut info) = match call.kind {
        Kind::Write => (
            "pre_write_code",
            json!({"file_path": call.text, "edits": [{"old_string": "", "new_string": "x\n"}]}),
        ),
        _ => ("pre_run_command", command(call, "command_line").ok_or(NO_TOOL)?),
    };
    info["cwd"] = json!(project);
    let event = json!({"trajectory_id": question.session, "execution_id": call_id(),
        "agent_action_name": action, "tool_info": info});
    sent(&ground.free, "windsurf", &event, |_| "")
}

pub fn by_openhands(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = question.call;
    let (tool, kind, mut input) = match call.kind {
        Kind::Write => (
            "file_editor",
            "FileEditorAction",
            json!({"command": "create", "path": call.text, "file_text": "x\n"}),
        ),
        Kind::Read => ("file_editor", "FileEditorAction", json!({"command": "view", "path": call.text})),
        Kind::Fetch => ("browser_navigate", "BrowserNavigateAction", json!({"url": call.text})),
        _ => ("terminal", "TerminalAction", command(call, "command").ok_or(NO_TOOL)?),
    };
    input["kind"] = json!(kind);
    if let Some(label) = &call.label {
        input["security_risk"] = json!(label);
    }
    let event = json!({"event_type": "PreToolUse", "session_id": question.session,
        "working_dir": ground.free.project(), "tool_name": tool, "tool_input": input});
    sent(&ground.free, "openhands", &event, |_| "")
}
