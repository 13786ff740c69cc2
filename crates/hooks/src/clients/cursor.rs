//! Cursor: flat replies, and with `failClosed` even an empty reply blocks, so every yes is spelled out.
//!
//! Contract observed by others on 3.9.16, documented. `ask` isn't enforced on every event, so a confirm waits in our
//! queue or is a denial. The model reads `user_message`.

use doorward_core::json::Value;
use doorward_core::tool::Client;
use serde_json::json;

use super::{Adapter, Common, arguments, optional, text};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) struct Cursor;

impl Adapter for Cursor {
    fn event(&self, value: &Value) -> Result<Event, EventError> {
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
            "sessionEnd" => {
                Ok(Event::SessionEnd { session: optional(value, "session_id").unwrap_or_default() })
            }
            other => super::not_judged(other),
        }?;
        Ok(with_workspace(called, value))
    }

    fn reply(&self, _event: &str, answer: &Answer) -> Reply {
        match answer {
            Answer::NoOpinion | Answer::Allow => super::json(&json!({"permission": "allow"})),
            Answer::Rewrite { input, say: Say::Nothing | Say::Allow } => {
                super::json(&json!({"permission": "allow", "updated_input": serde_json::Value::from(input)}))
            }
            Answer::Ask { reason }
            | Answer::Deny { reason }
            | Answer::Rewrite { say: Say::Ask { reason }, .. } => {
                let reason = crate::non_empty(reason);
                super::json(&json!({"permission": "deny", "user_message": reason, "agent_message": reason}))
            }
        }
    }
}

/// The server of an MCP call: host of its URL, or the program of its command line.
fn server(value: &Value) -> Option<String> {
    if let Some(url) = value.get("url").and_then(Value::as_str) {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        return rest.split(['/', '?', '#', ':']).next().map(str::to_owned);
    }
    let command = value.get("command").and_then(Value::as_str)?;
    let program = command.split_whitespace().next()?;
    program.rsplit('/').next().map(str::to_owned)
}

/// `cwd` is empty on some events; the first workspace root stands in.
fn with_workspace(event: Event, value: &Value) -> Event {
    let Event::Call(mut call) = event else { return event };
    if call.cwd.is_empty()
        && let Some(root) = value.get("workspace_roots").and_then(Value::as_array).and_then(<[Value]>::first)
    {
        root.as_str().unwrap_or_default().clone_into(&mut call.cwd);
    }
    Event::Call(call)
}
