//! Gemini CLI: BeforeTool decides. Output that isn't JSON with exit code 0 is an allow; exit code 2 with text blocks.
//!
//! Measured on 0.61.0. Server and tool of an MCP call are in `mcp_context`, which avoids guessing them from the
//! joined name. Its events report no mode, so the mode is taken from its command line; a later switch at its prompt
//! isn't visible. Headless, `ask` hung for more than 90 s.

use doorward_core::json::Value;
use doorward_core::tool::{AgentSwitches, Client};
use serde_json::json;

use super::alias::{CMD, PATH, alias};
use super::reading::{self, Common, arguments, optional, started_with, text};
use super::{Alias, Asked, Behaviour, ClientMode, Contract, Untold};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) static CONTRACT: Contract = Contract {
    measured: &["0.61.0"],
    // Splits at the first underscore, which may be wrong; `mcp_context` is preferred if present.
    mcp_name: |name| name.strip_prefix("mcp_")?.split_once('_'),
    event,
    reply,
    behaviour: &BEHAVIOUR,
    started_in,
    asks_nobody: |words| started_in(words) == Some(ClientMode::Bypass),
    // Measured: after an allow it still shows its own dialog.
    yes_waives: false,
    takes_rewrites: true,
    config: Some(("GEMINI_CLI_HOME", ".gemini")),
    install: Some(&TARGET),
    settings: &[".gemini/settings.json"],
    hooks_off,
    switches: Some(SWITCHES),
    canary,
    ..Contract::of(Client::GeminiCli, "Gemini CLI", TOOLS)
};

fn hooks_off(settings: &str) -> Option<&'static str> {
    let settings: serde_json::Value = serde_json::from_str(settings).ok()?;
    let enabled = settings.get("hooksConfig")?.get("enabled")?;
    (*enabled == serde_json::Value::Bool(false)).then_some("hooksConfig.enabled = false")
}

const TOOLS: &[Alias] = &[
    alias("run_shell_command", "shell:execute", CMD),
    alias("read_file", "fs:read", PATH),
    alias("read_many_files", "fs:read", &[("include", "paths")]),
    alias("list_directory", "fs:read", PATH),
    alias("glob", "fs:read", PATH),
    alias("search_file_content", "fs:read", PATH),
    alias("grep_search", "fs:read", PATH),
    alias("write_file", "fs:write", PATH),
    alias("replace", "fs:write", PATH),
    alias("web_fetch", "net:fetch", &[]),
    alias("google_web_search", "net:search", &[]),
    alias("exit_plan_mode", "plan:leave", &[]),
    alias("write_todos", "plan:todo", &[]),
    alias("ask_user", "plan:ask", &[]),
    alias("enter_plan_mode", "plan:todo", &[]),
    alias("complete_task", "plan:submit", &[]),
    alias("activate_skill", "plan:delegate", &[]),
    alias("delegate_to_agent", "plan:delegate", &[]),
    alias("codebase_investigator", "plan:delegate", &[]),
    alias("cli_help", "plan:watch", &[]),
    alias("get_internal_docs", "plan:watch", &[]),
];

const BEHAVIOUR: Behaviour = {
    let asks = (Untold::Asks, Asked::Runs);
    let told = (Untold::Runs, Asked::Runs);
    Behaviour {
        attended: [
            asks, // default
            asks, // plan
            asks, // acceptEdits (auto_edit)
            told, // dontAsk: it has no such mode
            told, // bypassPermissions (yolo)
            told, // auto: it has no such mode
            told, // an unknown mode
        ],
        unattended: [told; 7],
    }
};

/// Gemini CLI 0.61.0: `gemini --help`.
fn started_in(words: &[String]) -> Option<ClientMode> {
    const MODES: &[(&str, ClientMode)] = &[
        ("auto_edit", ClientMode::AcceptEdits),
        ("default", ClientMode::Default),
        ("plan", ClientMode::Plan),
        ("yolo", ClientMode::Bypass),
    ];
    if started_with(words, &["--yolo", "-y"], &[]) {
        return Some(ClientMode::Bypass);
    }
    let named = |word: &&(&str, ClientMode)| started_with(words, &[], &[("--approval-mode", word.0)]);
    let known = MODES.iter().find(named).map(|(_, mode)| *mode);
    let any = words.iter().any(|word| word == "--approval-mode" || word.starts_with("--approval-mode="));
    known.or(any.then_some(ClientMode::Unknown))
}

/// Gemini CLI 0.61.0, its configuration reference.
const SWITCHES: AgentSwitches = AgentSwitches {
    program: "gemini",
    words: &[],
    pairs: &[("hooks", "disable")],
    harmless: &[],
    variables: &["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "HOME"],
};

static TARGET: Target = Target {
    client: Client::GeminiCli,
    user_file: ".gemini/settings.json",
    project_file: ".gemini/settings.json",
    events: &["BeforeTool", "AfterTool", "SessionEnd"],
    plain_events: &["SessionEnd"],
    shape: Shape::Nested { on_failure: false, status: false, named: true },
    timeout: 120_000,
    // It strips comments and trailing commas before parsing the file.
    comments: true,
};

fn event(value: &Value) -> Result<Event, EventError> {
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
        let input = arguments(value, "tool_input")?;
        Ok(Common { client: Client::GeminiCli, value, event, name, input })
    };
    match event {
        "BeforeTool" => common()?.call(),
        "AfterTool" => {
            let response = value.get("tool_response");
            let failed =
                response.and_then(|response| response.get("error")).is_some_and(|error| !error.is_null());
            common()?.after(failed, response)
        }
        "SessionEnd" => Ok(Event::SessionEnd {
            session: optional(value, "session_id").unwrap_or_default(),
            transcript: None,
        }),
        other => reading::not_judged(other),
    }
}

fn reply(_event: &str, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion | Answer::Noted { .. } => Reply::default(),
        Answer::Allow => reading::json(&json!({"decision": "allow"})),
        Answer::Rewrite { input, say: Say::Nothing | Say::Allow } => {
            reading::json(&json!({"hookSpecificOutput": {"tool_input": serde_json::Value::from(input)}}))
        }
        Answer::Ask { reason }
        | Answer::Deny { reason }
        | Answer::Rewrite { say: Say::Ask { reason }, .. } => {
            reading::json(&json!({"decision": "deny", "reason": crate::non_empty(reason)}))
        }
    }
}

fn canary(command: &str, cwd: &str) -> serde_json::Value {
    json!({"session_id": "doorward-doctor", "hook_event_name": "BeforeTool", "cwd": cwd,
        "tool_name": "run_shell_command", "tool_input": {"command": command}})
}
