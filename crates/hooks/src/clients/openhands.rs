//! OpenHands: its tool names and its command hooks (`hooks.json`).
//!
//! Measured on openhands-sdk 1.58.0. Only exit code 2, `decision: deny` and `continue: false` stop a call. It runs
//! the call on any other answer, after a time-out, and on `ask`. So questions go to Doorward's queue, and the hook
//! then denies. Events contain neither a call id nor a permission mode. Before a call they give the conversation's
//! workspace; the terminal's folder is reported only after a command, and may be out of date. The hook runs before
//! OpenHands' own security analyzer.

use doorward_core::json::{Object, Value};
use doorward_core::tool::Client;
use serde_json::json;

use super::alias::{CMD, CODE, PATH, alias};
use super::reading::{self, Common, arguments, blocked, optional, text};
use super::{Alias, Contract};
use crate::install::{Shape, Target};
use crate::terminal::TerminalEnd;
use crate::{Answer, Event, EventError, Reply};

pub(super) static CONTRACT: Contract = Contract {
    measured: &["1.58.0"],
    split_tool,
    event,
    reply,
    tells_workspace: true,
    judges_twice: true,
    project_hides_user: true,
    keeps_terminal: true,
    config: Some(("OH_PERSISTENCE_DIR", ".openhands")),
    install: Some(&TARGET),
    settings: &[".openhands/hooks.json"],
    canary,
    ..Contract::of(Client::Openhands, "OpenHands", TOOLS)
};

const TOOLS: &[Alias] = &[
    alias("terminal", "shell:execute", CMD),
    alias("execute_bash", "shell:execute", CMD),
    alias("execute_ipython_cell", "python:execute", CODE),
    alias("file_editor", "fs:write", PATH),
    alias("planning_file_editor", "fs:write", PATH),
    alias("str_replace_editor", "fs:write", PATH),
    alias("apply_patch", "fs:write", &[]),
    alias("read_file", "fs:read", PATH),
    alias("write_file", "fs:write", PATH),
    alias("edit", "fs:write", PATH),
    alias("list_directory", "fs:read", PATH),
    alias("glob", "fs:read", PATH),
    alias("grep", "fs:read", PATH),
    alias("browser_navigate", "net:fetch", &[]),
    alias("think", "plan:think", &[]),
    alias("finish", "plan:submit", &[]),
    alias("task_tracker", "plan:todo", &[]),
    alias("delegate", "plan:delegate", &[]),
    alias("task", "plan:delegate", &[]),
    alias("invoke_skill", "plan:delegate", &[]),
];

/// Tools that run a command in a persistent shell.
const TERMINALS: &[&str] = &["terminal", "execute_bash"];

/// Tools whose argument `command` determines whether they read or write.
const EDITORS: &[&str] = &["file_editor", "planning_file_editor", "str_replace_editor"];

static TARGET: Target = Target {
    client: Client::Openhands,
    user_file: ".openhands/hooks.json",
    project_file: ".openhands/hooks.json",
    events: &["PreToolUse", "PostToolUse", "SessionEnd"],
    plain_events: &["SessionEnd"],
    shape: Shape::Nested { on_failure: false, status: false, named: true },
    timeout: 120,
    comments: false,
};

/// An editor's `view` command counts as a read.
fn split_tool(name: &str, args: &Object) -> Option<(&'static str, Object)> {
    let views = EDITORS.contains(&name) && args.get("command").and_then(Value::as_str) == Some("view");
    let mut read = args.clone();
    read.remove("command");
    views.then_some(("fs:read", read))
}

/// The arguments as the tool receives them. `kind` is OpenHands' type of the action; a missing argument is null.
/// Arguments of MCP tools are wrapped in `data`.
fn input(value: &Value) -> Result<Object, EventError> {
    let mut input = arguments(value, "tool_input")?;
    let kind = input.remove("kind");
    if kind.as_ref().and_then(Value::as_str) == Some("MCPToolAction") {
        return arguments(&Value::Object(input), "data");
    }
    input.retain(|_, argument| !argument.is_null());
    Ok(input)
}

fn event(value: &Value) -> Result<Event, EventError> {
    let event = text(value, "event_type")?;
    let common = || -> Result<Common<'_>, EventError> {
        let name = text(value, "tool_name")?;
        Ok(Common { client: Client::Openhands, value, event, name, input: input(value)? })
    };
    match event {
        "PreToolUse" => Ok(match common()?.call()? {
            Event::Call(mut call) => {
                call.cwd = optional(value, "working_dir").unwrap_or_default();
                Event::Call(call)
            }
            other => other,
        }),
        "PostToolUse" => {
            let response = value.get("tool_response");
            let failed = response.and_then(|response| response.get("is_error")?.as_bool());
            Ok(match common()?.after(failed == Some(true), response)? {
                Event::After(mut after) => {
                    let shell = TERMINALS.contains(&text(value, "tool_name")?);
                    after.terminal = response.filter(|_| shell).map(TerminalEnd::of);
                    Event::After(after)
                }
                other => other,
            })
        }
        "SessionEnd" => Ok(Event::SessionEnd { session: reading::session(value)?, transcript: None }),
        other => reading::not_judged(other),
    }
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
    json!({"event_type": "PreToolUse", "session_id": "doorward-doctor", "working_dir": cwd,
        "tool_name": "terminal", "tool_input": {"command": command, "kind": "TerminalAction"}})
}
