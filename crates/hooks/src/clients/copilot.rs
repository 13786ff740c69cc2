//! GitHub Copilot, CLI and VS Code: two spellings of events; replies are written both flat and nested.
//!
//! Documented, and observed by others. VS Code ignores matchers, so the hook decides on every event. It isn't
//! measured that the documented `ask` stops a call, so Doorward's questions go to its own queue.

use doorward_core::json::Value;
use doorward_core::tool::Client;
use serde_json::json;

use super::alias::{CMD, PATH, alias, windows};
use super::reading::{self, Common, arguments, optional, started_with, text};
use super::{Alias, Asked, Behaviour, Contract, Untold};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) static CONTRACT: Contract = Contract {
    event,
    reply,
    fault: |reason| reply("preToolUse", &Answer::Deny { reason: crate::non_empty(reason) }),
    behaviour: &BEHAVIOUR,
    asks_nobody: |words| started_with(words, &["--allow-all", "--allow-all-tools", "--yolo"], &[]),
    install: Some(&TARGET),
    settings: &[".copilot/hooks/doorward.json", ".github/hooks/doorward.json"],
    ..Contract::of(Client::Copilot, "GitHub Copilot", TOOLS)
};

const TOOLS: &[Alias] = &[
    alias("bash", "shell:execute", CMD),
    alias("Bash", "shell:execute", CMD),
    windows("powershell", "powershell"),
    windows("PowerShell", "powershell"),
    alias("run_in_terminal", "shell:execute", CMD),
    alias("view", "fs:read", PATH),
    alias("read_file", "fs:read", PATH),
    alias("create", "fs:write", PATH),
    alias("edit", "fs:write", PATH),
    alias("create_file", "fs:write", PATH),
    alias("edit_file", "fs:write", PATH),
    alias("fetch", "net:fetch", &[]),
    alias("write_bash", "shell:execute", &[("input", "command")]),
    Alias { arguments: &[("input", "command")], ..windows("write_powershell", "powershell") },
    alias("read_powershell", "plan:watch", &[]),
    alias("list_powershell", "plan:watch", &[]),
    alias("stop_powershell", "plan:stop", &[]),
    alias("read_bash", "plan:watch", &[]),
    alias("list_bash", "plan:watch", &[]),
    alias("stop_bash", "plan:stop", &[]),
    alias("grep", "fs:read", PATH),
    alias("glob", "fs:read", PATH),
    alias("rg", "fs:read", PATH),
    alias("list_dir", "fs:read", PATH),
    alias("file_search", "fs:read", PATH),
    alias("grep_search", "fs:read", PATH),
    alias("semantic_search", "fs:read", PATH),
    alias("get_errors", "fs:read", PATH),
    alias("create_directory", "fs:mkdir", PATH),
    alias("replace_string_in_file", "fs:write", PATH),
    alias("insert_edit_into_file", "fs:write", PATH),
    alias("apply_patch", "fs:write", &[("input", "patch")]),
    alias("fetch_webpage", "net:fetch", &[]),
    alias("web_fetch", "net:fetch", &[]),
    alias("update_todo", "plan:todo", &[]),
    alias("manage_todo_list", "plan:todo", &[]),
    alias("report_intent", "plan:think", &[]),
    alias("ask_user", "plan:ask", &[]),
    alias("exit_plan_mode", "plan:leave", &[]),
    alias("task", "plan:delegate", &[]),
    alias("runSubagent", "plan:delegate", &[]),
    alias("skill", "plan:delegate", &[]),
    alias("read_agent", "plan:watch", &[]),
    alias("list_agents", "plan:watch", &[]),
    alias("get_terminal_output", "plan:watch", &[]),
    alias("kill_terminal", "plan:stop", &[]),
];

/// Its events report no mode. That it asks if the hook gives no opinion is documented.
const BEHAVIOUR: Behaviour = {
    let told = (Untold::Runs, Asked::Runs);
    Behaviour {
        attended: [(Untold::Asks, Asked::Runs), told, told, told, told, told, told],
        unattended: [told; 7],
    }
};

static TARGET: Target = Target {
    client: Client::Copilot,
    user_file: ".copilot/hooks/doorward.json",
    project_file: ".github/hooks/doorward.json",
    // PascalCase only: VS Code knows no other form, and with both spellings the CLI would fire twice.
    events: &["PreToolUse", "PostToolUse"],
    plain_events: &[],
    shape: Shape::Flat { command: "bash", fail_closed: false },
    timeout: 120,
    comments: false,
};

fn event(value: &Value) -> Result<Event, EventError> {
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
        "sessionEnd" | "SessionEnd" => {
            let session = optional(value, "session_id").or_else(|| optional(value, "sessionId"));
            Ok(Event::SessionEnd { session: session.unwrap_or_default(), transcript: None })
        }
        other => reading::not_judged(other),
    }
}

fn reply(_event: &str, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion | Answer::Noted { .. } => reading::json(&json!({})),
        Answer::Allow => both("allow", None, None),
        Answer::Rewrite { input, say } => {
            let (decision, reason) = match say {
                Say::Allow => ("allow", None),
                // No neutral form of a rewrite is known, so its own dialog decides.
                Say::Nothing => ("ask", Some("Doorward runs it".to_owned())),
                Say::Ask { reason } => ("ask", Some(reason.clone())),
            };
            both(decision, reason, Some(serde_json::Value::from(input)))
        }
        Answer::Ask { reason } => both("ask", Some(reason.clone()), None),
        Answer::Deny { reason } => both("deny", Some(crate::non_empty(reason)), None),
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
    reading::json(&flat)
}

fn put(object: &mut serde_json::Value, key: &str, value: serde_json::Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}
