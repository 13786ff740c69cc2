//! Codex: unknown fields are refused at every level, a denial needs a non-empty reason, `ask` would run the command.
//!
//! Measured on 0.169.0. `allow` is valid only together with `updatedInput`.

use doorward_core::json::Value;
use doorward_core::tool::{AgentSwitches, Client};
use serde_json::json;

use super::{Adapter, claude_code};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) struct Codex;

impl Adapter for Codex {
    fn event(&self, value: &Value) -> Result<Event, EventError> {
        claude_code::event_of(Client::Codex, value)
    }

    fn asks_nobody(&self, words: &[String]) -> bool {
        // `codex exec` runs with approval policy `never` (Codex 0.169.0, `codex exec --help`).
        super::started_with(
            words,
            &["exec", "e", "--full-auto", "--yolo", "--dangerously-bypass-approvals-and-sandbox"],
            &[("-a", "never"), ("--ask-for-approval", "never")],
        )
    }

    /// Codex 0.169.0, `codex --help`.
    fn switches(&self) -> Option<AgentSwitches> {
        Some(AgentSwitches {
            program: "codex",
            words: &["--remote"],
            pairs: &[("--disable", "hooks"), ("disable", "hooks"), ("-c", "hooks"), ("--config", "hooks")],
            harmless: &["features.hooks=true"],
            variables: &["CODEX_HOME", "HOME"],
        })
    }

    fn reply(&self, event: &str, answer: &Answer) -> Reply {
        if event == "PermissionRequest" {
            return match answer {
                Answer::NoOpinion | Answer::Rewrite { say: Say::Nothing, .. } => Reply::default(),
                Answer::Allow | Answer::Rewrite { say: Say::Allow, .. } => {
                    claude_code::permission_request(&json!({"behavior": "allow"}))
                }
                Answer::Ask { reason }
                | Answer::Deny { reason }
                | Answer::Rewrite { say: Say::Ask { reason }, .. } => claude_code::permission_request(
                    &json!({"behavior": "deny", "message": crate::non_empty(reason)}),
                ),
            };
        }
        let specific = match answer {
            Answer::NoOpinion | Answer::Allow => return Reply::default(),
            // Rewritten input counts only beside `allow`, which waives nothing: approvals come after it.
            Answer::Rewrite { input, say: Say::Nothing | Say::Allow } => json!({
                "hookEventName": "PreToolUse", "permissionDecision": "allow",
                "updatedInput": serde_json::Value::from(input),
            }),
            Answer::Ask { reason }
            | Answer::Deny { reason }
            | Answer::Rewrite { say: Say::Ask { reason }, .. } => json!({
                "hookEventName": "PreToolUse", "permissionDecision": "deny",
                "permissionDecisionReason": crate::non_empty(reason),
            }),
        };
        super::json(&json!({"hookSpecificOutput": specific}))
    }
}
