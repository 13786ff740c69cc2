//! Windsurf: exit code 2 with text blocks, every other reply allows. No `ask`, no rewriting, no outcomes. Documented,
//! not measured.

use doorward_core::id::CallId;
use doorward_core::json::{Object, Value};
use doorward_core::tool::Client;
use serde_json::json;

use super::alias::{CMD, PATH, alias};
use super::reading::{self, Common, arguments, blocked, text};
use super::{Alias, Contract};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, Reply};

pub(super) static CONTRACT: Contract = Contract {
    event,
    reply,
    reports_outcomes: false,
    install: Some(&TARGET),
    settings: &[".codeium/windsurf/hooks.json", ".windsurf/hooks.json"],
    canary,
    ..Contract::of(Client::Windsurf, "Windsurf", TOOLS)
};

const TOOLS: &[Alias] = &[
    alias("run_command", "shell:execute", CMD),
    alias("read_code", "fs:read", PATH),
    alias("write_code", "fs:write", PATH),
];

static TARGET: Target = Target {
    client: Client::Windsurf,
    user_file: ".codeium/windsurf/hooks.json",
    project_file: ".windsurf/hooks.json",
    events: &["pre_run_command", "pre_read_code", "pre_write_code", "pre_mcp_tool_use"],
    plain_events: &[],
    shape: Shape::Flat { command: "command", fail_closed: false },
    timeout: 120,
    comments: false,
};

fn event(value: &Value) -> Result<Event, EventError> {
    let event = text(value, "agent_action_name")?;
    let info = value.get("tool_info").ok_or(EventError::Member("tool_info"))?;
    let built_in = |name, member: &'static str, argument: &str| -> Result<Event, EventError> {
        let mut input: Object = [(argument.to_owned(), Value::from(text(info, member)?))].into();
        if let Some(edits) = info.get("edits") {
            input.insert("edits".to_owned(), edits.clone());
        }
        Common { client: Client::Windsurf, value, event, name, input }.call()
    };
    let called = match event {
        "pre_run_command" => built_in("shell:execute", "command_line", "command"),
        "pre_read_code" => built_in("fs:read", "file_path", "path"),
        "pre_write_code" => built_in("fs:write", "file_path", "path"),
        "pre_mcp_tool_use" => {
            let name = format!("mcp:{}/{}", text(info, "mcp_server_name")?, text(info, "mcp_tool_name")?);
            let input = arguments(info, "mcp_tool_arguments")?;
            Common { client: Client::Windsurf, value, event, name: &name, input }.call()
        }
        other => reading::not_judged(other),
    }?;
    Ok(match called {
        Event::Call(mut call) => {
            info.get("cwd").and_then(Value::as_str).unwrap_or_default().clone_into(&mut call.cwd);
            call.call = value.get("execution_id").and_then(Value::as_str).map(CallId::from);
            Event::Call(call)
        }
        other => other,
    })
}

fn reply(_event: &str, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion | Answer::Noted { .. } | Answer::Allow => Reply::default(),
        Answer::Rewrite { input, .. } => {
            let command = input.get("command").and_then(Value::as_str).unwrap_or_default();
            blocked(&format!("run this instead: {command}"))
        }
        Answer::Ask { reason } | Answer::Deny { reason } => blocked(reason),
    }
}

fn canary(command: &str, cwd: &str) -> serde_json::Value {
    json!({"trajectory_id": "doorward-doctor", "execution_id": "1", "agent_action_name": "pre_run_command",
        "tool_info": {"command_line": command, "cwd": cwd}})
}
