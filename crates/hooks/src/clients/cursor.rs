//! Cursor: flat replies. With `failClosed` even an empty reply blocks, so every allow is explicit.
//!
//! Documented, and observed by others on 3.9.16. `ask` isn't enforced on every event, and no reply is known that
//! leaves a call to Cursor's own flow. So a confirm waits in Doorward's queue or is denied. The model reads
//! `user_message`.

use doorward_core::json::Value;
use doorward_core::tool::Client;
use serde_json::json;

use super::alias::{CMD, PATH, alias, windows};
use super::reading::{self, Common, arguments, optional, text};
use super::{Alias, Contract};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) static CONTRACT: Contract = Contract {
    mcp_name: |name| name.strip_prefix("MCP:").map(|tool| ("cursor", tool)),
    event,
    reply,
    fault: |reason| reply("preToolUse", &Answer::Deny { reason: crate::non_empty(reason) }),
    install: Some(&TARGET),
    settings: &[".cursor/hooks.json"],
    canary,
    ..Contract::of(Client::Cursor, "Cursor", TOOLS)
};

const TOOLS: &[Alias] = &[
    alias("Shell", "shell:execute", CMD),
    windows("PowerShell", "powershell"),
    alias("Read", "fs:read", PATH),
    alias("Grep", "fs:read", PATH),
    alias("Write", "fs:write", PATH),
    alias("Delete", "fs:delete", PATH),
    alias("Glob", "fs:read", PATH),
    alias("LS", "fs:read", PATH),
    alias("SemanticSearch", "fs:read", PATH),
    alias("ReadLints", "fs:read", PATH),
    alias("StrReplace", "fs:write", PATH),
    alias("Edit", "fs:write", PATH),
    alias("MultiEdit", "fs:write", PATH),
    alias("EditNotebook", "fs:write", PATH),
    alias("WebFetch", "net:fetch", &[]),
    alias("WebSearch", "net:search", &[]),
    alias("TodoWrite", "plan:todo", &[]),
    alias("TodoRead", "plan:todo", &[]),
    alias("AskQuestion", "plan:ask", &[]),
    alias("Task", "plan:delegate", &[]),
    alias("Await", "plan:watch", &[]),
];

static TARGET: Target = Target {
    client: Client::Cursor,
    user_file: ".cursor/hooks.json",
    project_file: ".cursor/hooks.json",
    // One layer of events only: generic and granular hooks both fire for the same call.
    events: &["preToolUse", "postToolUse", "sessionEnd"],
    plain_events: &[],
    shape: Shape::Flat { command: "command", fail_closed: true },
    timeout: 120,
    comments: false,
};

fn event(value: &Value) -> Result<Event, EventError> {
    let event = text(value, "hook_event_name")?;
    let built_in = |name, member: &'static str, argument: &'static str| -> Result<Event, EventError> {
        let input = [(argument.to_owned(), Value::from(text(value, member)?))].into();
        Common { client: Client::Cursor, value, event, name, input }.call()
    };
    let mcp = server(value).map(|server| {
        let tool = value.get("tool_name").and_then(Value::as_str).unwrap_or_default();
        format!("mcp:{server}/{tool}")
    });
    let common = |name| -> Result<Common<'_>, EventError> {
        Ok(Common { client: Client::Cursor, value, event, name, input: arguments(value, "tool_input")? })
    };
    let called = match event {
        "beforeShellExecution" => built_in("shell:execute", "command", "command"),
        "beforeReadFile" => built_in("fs:read", "file_path", "path"),
        "beforeMCPExecution" => common(mcp.as_deref().ok_or(EventError::Member("url"))?)?.call(),
        "preToolUse" => common(text(value, "tool_name")?)?.call(),
        "postToolUse" | "afterShellExecution" | "afterMCPExecution" => {
            common(text(value, "tool_name").unwrap_or("Shell"))?.after(false, value.get("tool_output"))
        }
        "sessionEnd" => Ok(Event::SessionEnd {
            session: optional(value, "session_id").unwrap_or_default(),
            transcript: None,
        }),
        other => reading::not_judged(other),
    }?;
    Ok(with_workspace(called, value))
}

fn reply(_event: &str, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion | Answer::Noted { .. } | Answer::Allow => {
            reading::json(&json!({"permission": "allow"}))
        }
        Answer::Rewrite { input, say: Say::Nothing | Say::Allow } => {
            reading::json(&json!({"permission": "allow", "updated_input": serde_json::Value::from(input)}))
        }
        Answer::Ask { reason }
        | Answer::Deny { reason }
        | Answer::Rewrite { say: Say::Ask { reason }, .. } => {
            let reason = crate::non_empty(reason);
            reading::json(&json!({"permission": "deny", "user_message": reason, "agent_message": reason}))
        }
    }
}

/// The server of an MCP call: the host of its URL, or the program of its command line.
fn server(value: &Value) -> Option<String> {
    if let Some(url) = value.get("url").and_then(Value::as_str) {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        return rest.split(['/', '?', '#', ':']).next().map(str::to_owned);
    }
    let command = value.get("command").and_then(Value::as_str)?;
    let program = command.split_whitespace().next()?;
    program.rsplit('/').next().map(str::to_owned)
}

/// `cwd` is empty on some events; then the first workspace root is used.
fn with_workspace(event: Event, value: &Value) -> Event {
    let Event::Call(mut call) = event else { return event };
    if call.cwd.is_empty()
        && let Some(root) = value.get("workspace_roots").and_then(Value::as_array).and_then(<[Value]>::first)
    {
        root.as_str().unwrap_or_default().clone_into(&mut call.cwd);
    }
    Event::Call(call)
}

fn canary(command: &str, cwd: &str) -> serde_json::Value {
    json!({"session_id": "doorward-doctor", "hook_event_name": "preToolUse", "cwd": cwd,
        "tool_name": "Shell", "tool_input": {"command": command}})
}
