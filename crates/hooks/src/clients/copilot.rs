//! GitHub Copilot, CLI and VS Code: two spellings of the event, and a reply that is emitted flat and nested.
//!
//! Documented, observed by others. VS Code ignores matchers, so every event is decided here.

use doorward_core::json::Value;
use doorward_core::tool::Client;
use serde_json::json;

use super::{Adapter, Common, arguments, optional, text};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) struct Copilot;

impl Adapter for Copilot {
    fn event(&self, value: &Value) -> Result<Event, EventError> {
        let camel = value.get("toolName").is_some();
        let event = value.get("hook_event_name").and_then(Value::as_str).unwrap_or("preToolUse");
        let common = || -> Result<Common<'_>, EventError> {
            let (name, input) = if camel {
                (text(value, "toolName")?, arguments(value, "toolArgs")?)
            } else {
                (text(value, "tool_name")?, arguments(value, "tool_input")?)
            };
            Ok(Common { client: Client::Copilot, value, event, name, input })
        };
        match event {
            "preToolUse" | "PreToolUse" => common()?.call(),
            "postToolUse" | "PostToolUse" => {
                common()?.after(false, value.get("tool_response").or_else(|| value.get("toolResult")))
            }
            "sessionEnd" | "SessionEnd" => Ok(Event::SessionEnd {
                session: optional(value, "session_id")
                    .or_else(|| optional(value, "sessionId"))
                    .unwrap_or_default(),
            }),
            other => super::not_judged(other),
        }
    }

    fn reply(&self, _event: &str, answer: &Answer) -> Reply {
        match answer {
            Answer::NoOpinion => super::json(&json!({})),
            Answer::Allow => both("allow", None, None),
            Answer::Rewrite { input, say } => {
                let (decision, reason) = match say {
                    Say::Allow => ("allow", None),
                    // No neutral rewrite is known, so its own dialog decides.
                    Say::Nothing => ("ask", Some("Doorward runs it".to_owned())),
                    Say::Ask { reason } => ("ask", Some(reason.clone())),
                };
                both(decision, reason, Some(serde_json::Value::from(input)))
            }
            Answer::Ask { reason } => both("ask", Some(reason.clone()), None),
            Answer::Deny { reason } => both("deny", Some(crate::non_empty(reason)), None),
        }
    }
}

fn both(decision: &str, reason: Option<String>, input: Option<serde_json::Value>) -> Reply {
    let mut flat = json!({"permissionDecision": decision});
    let mut nested = json!({"hookEventName": "PreToolUse", "permissionDecision": decision});
    if let Some(reason) = reason {
        put(&mut flat, "permissionDecisionReason", reason.clone().into());
        put(&mut nested, "permissionDecisionReason", reason.into());
    }
    if let Some(input) = input {
        put(&mut flat, "modifiedArgs", input.clone());
        put(&mut nested, "updatedInput", input);
    }
    put(&mut flat, "hookSpecificOutput", nested);
    super::json(&flat)
}

fn put(object: &mut serde_json::Value, key: &str, value: serde_json::Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}
