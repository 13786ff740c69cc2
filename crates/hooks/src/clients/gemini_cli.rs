//! Gemini CLI: BeforeTool decides; anything that isn't JSON at exit 0 is an allow, exit 2 with text blocks.
//!
//! Measured on 0.61.0. The server and tool of an MCP call come in `mcp_context`, which is better than guessing them
//! from the joined name.

use doorward_core::json::Value;
use doorward_core::tool::{AgentSwitches, Client};
use serde_json::json;

use super::{Adapter, Common, arguments, optional, text};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) struct GeminiCli;

impl Adapter for GeminiCli {
    fn event(&self, value: &Value) -> Result<Event, EventError> {
        let event = text(value, "hook_event_name")?;
        let told = value.get("mcp_context").and_then(|context| {
            let server = context.get("server_name")?.as_str()?;
            let tool = context.get("tool_name")?.as_str()?;
            Some(format!("mcp:{server}/{tool}"))
        });
        let common = || -> Result<Common<'_>, EventError> {
            let name = match &told {
                Some(name) => name.as_str(),
                None => text(value, "tool_name")?,
            };
            Ok(Common {
                client: Client::GeminiCli,
                value,
                event,
                name,
                input: arguments(value, "tool_input")?,
            })
        };
        match event {
            "BeforeTool" => common()?.call(),
            "AfterTool" => {
                let response = value.get("tool_response");
                let failed =
                    response.and_then(|response| response.get("error")).is_some_and(|error| !error.is_null());
                common()?.after(failed, response)
            }
            "SessionEnd" => {
                Ok(Event::SessionEnd { session: optional(value, "session_id").unwrap_or_default() })
            }
            other => super::not_judged(other),
        }
    }

    fn asks_nobody(&self, words: &[String]) -> bool {
        // Gemini CLI 0.61.0: `gemini --help`.
        super::started_with(words, &["-y", "--yolo"], &[("--approval-mode", "yolo")])
    }

    /// Gemini CLI 0.61.0, its configuration reference.
    fn switches(&self) -> Option<AgentSwitches> {
        Some(AgentSwitches {
            program: "gemini",
            words: &[],
            pairs: &[("hooks", "disable")],
            harmless: &[],
            variables: &["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "HOME"],
        })
    }

    fn reply(&self, _event: &str, answer: &Answer) -> Reply {
        match answer {
            Answer::NoOpinion => Reply::default(),
            Answer::Allow => super::json(&json!({"decision": "allow"})),
            Answer::Rewrite { input, say: Say::Nothing | Say::Allow } => {
                super::json(&json!({"hookSpecificOutput": {"tool_input": serde_json::Value::from(input)}}))
            }
            // Headless, `ask` hung for more than 90 s: our own queue has answered by now, or it is a denial.
            Answer::Ask { reason }
            | Answer::Deny { reason }
            | Answer::Rewrite { say: Say::Ask { reason }, .. } => {
                super::json(&json!({"decision": "deny", "reason": crate::non_empty(reason)}))
            }
        }
    }
}
