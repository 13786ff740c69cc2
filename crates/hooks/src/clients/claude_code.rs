//! Claude Code: PreToolUse and PermissionRequest can stop a call; an empty reply leaves its own flow alone.
//!
//! Measured on 2.1.330. Exit codes other than 0 and 2 don't block unless the hook is installed with
//! `onFailure: "block"`; a plain allow waives the user's own prompt, so it is given only on purpose.

use doorward_core::json::Value;
use doorward_core::tool::{AgentSwitches, Client};
use serde_json::json;

use super::{Adapter, Common, arguments, optional, text};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) struct ClaudeCode;

impl Adapter for ClaudeCode {
    fn event(&self, value: &Value) -> Result<Event, EventError> {
        event_of(Client::ClaudeCode, value)
    }

    /// Claude Code 2.1.330, `claude --help` and its reference of environment variables.
    fn switches(&self) -> Option<AgentSwitches> {
        Some(AgentSwitches {
            program: "claude",
            words: &["--bare", "--safe-mode", "--setting-sources", "--settings"],
            pairs: &[],
            harmless: &[],
            variables: &["CLAUDE_CONFIG_DIR", "HOME"],
        })
    }

    fn reply(&self, event: &str, answer: &Answer) -> Reply {
        if event == "PermissionRequest" {
            return match answer {
                Answer::NoOpinion | Answer::Ask { .. } => Reply::default(),
                Answer::Allow => permission_request(&json!({"behavior": "allow"})),
                // The input was rewritten before this event; who would rewrite it here says yes as well.
                Answer::Rewrite { say: Say::Nothing | Say::Ask { .. }, .. } => Reply::default(),
                Answer::Rewrite { input, say: Say::Allow } => permission_request(
                    &json!({"behavior": "allow", "updatedInput": serde_json::Value::from(input)}),
                ),
                Answer::Deny { reason } => {
                    permission_request(&json!({"behavior": "deny", "message": crate::non_empty(reason)}))
                }
            };
        }
        match answer {
            Answer::NoOpinion => Reply::default(),
            Answer::Allow => pre_tool_use(json!({"permissionDecision": "allow"})),
            Answer::Rewrite { input, say } => {
                let input = serde_json::Value::from(input);
                pre_tool_use(match say {
                    Say::Nothing => json!({"updatedInput": input}),
                    Say::Allow => json!({"permissionDecision": "allow", "updatedInput": input}),
                    Say::Ask { reason } => json!({
                        "permissionDecision": "ask", "permissionDecisionReason": reason, "updatedInput": input,
                    }),
                })
            }
            Answer::Ask { reason } => {
                pre_tool_use(json!({"permissionDecision": "ask", "permissionDecisionReason": reason}))
            }
            Answer::Deny { reason } => pre_tool_use(
                json!({"permissionDecision": "deny", "permissionDecisionReason": crate::non_empty(reason)}),
            ),
        }
    }
}

/// Events in Claude Code's shape, which Codex and others share.
pub(super) fn event_of(client: Client, value: &Value) -> Result<Event, EventError> {
    let event = text(value, "hook_event_name")?;
    let common = || -> Result<Common<'_>, EventError> {
        Ok(Common {
            client,
            value,
            event,
            name: text(value, "tool_name")?,
            input: arguments(value, "tool_input")?,
        })
    };
    match event {
        "PreToolUse" | "PermissionRequest" => common()?.call(),
        "PostToolUse" => common()?.after(false, value.get("tool_response")),
        "PostToolUseFailure" => common()?.after(true, value.get("error")),
        "SessionEnd" => Ok(Event::SessionEnd { session: optional(value, "session_id").unwrap_or_default() }),
        other => super::not_judged(other),
    }
}

fn pre_tool_use(mut specific: serde_json::Value) -> Reply {
    if let Some(members) = specific.as_object_mut() {
        members.insert("hookEventName".to_owned(), "PreToolUse".into());
    }
    super::json(&json!({"hookSpecificOutput": specific}))
}

pub(super) fn permission_request(decision: &serde_json::Value) -> Reply {
    super::json(&json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}))
}
