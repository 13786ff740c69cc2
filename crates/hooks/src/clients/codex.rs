//! Codex: rejects unknown fields at every level, requires a reason in a denial, and runs the command on `ask`.
//!
//! Measured on 0.169.0. `allow` is valid only with `updatedInput`. Its events report `default` or, with the dangerous
//! flag, `bypassPermissions`. In `default` its sandbox confines commands, and it asks before one leaves the sandbox.
//! That question is the event PermissionRequest, without the call's id and with a description beside the command.

use doorward_core::json::Value;
use doorward_core::tool::{AgentSwitches, Client};
use serde_json::json;

use super::alias::{CMD, PATH, alias, windows};
use super::reading::{self, started_with};
use super::{Alias, Asked, Behaviour, Contract, Enclosure, KeptMembers, Silencing, Untold, claude_code};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, Reply, Say};

pub(super) static CONTRACT: Contract = Contract {
    measured: &["0.169.0"],
    event,
    reply,
    behaviour: &BEHAVIOUR,
    asks_nobody,
    silencing: Some(Silencing { file: "config.toml", silences: silenced }),
    asks_by_event: Some("PermissionRequest"),
    takes_rewrites: true,
    config: Some(("CODEX_HOME", ".codex")),
    install: Some(&TARGET),
    settings: &[".codex/config.toml", ".codex/hooks.json"],
    hooks_off,
    switches: Some(SWITCHES),
    enclosure: Some(&ENCLOSURE),
    ..Contract::of(Client::Codex, "Codex", TOOLS)
};

const TOOLS: &[Alias] = &[
    alias("Bash", "shell:execute", CMD),
    windows("PowerShell", "powershell"),
    windows("powershell", "powershell"),
    alias("exec_command", "shell:execute", CMD),
    alias("local_shell", "shell:execute", CMD),
    alias("shell", "shell:execute", CMD),
    alias("apply_patch", "fs:write", &[("input", "patch"), ("command", "patch")]),
    alias("view_image", "fs:read", PATH),
    alias("update_plan", "plan:todo", &[]),
    alias("shell_command", "shell:execute", CMD),
    alias("container.exec", "shell:execute", CMD),
    alias("unified_exec", "shell:execute", CMD),
    alias("write_stdin", "shell:execute", &[("chars", "command")]),
    alias("read_file", "fs:read", PATH),
    alias("list_dir", "fs:read", PATH),
    alias("grep_files", "fs:read", PATH),
    alias("request_user_input", "plan:ask", &[]),
    alias("spawn_agent", "plan:delegate", &[]),
    alias("send_input", "plan:delegate", &[]),
    alias("resume_agent", "plan:delegate", &[]),
    alias("wait", "plan:watch", &[]),
    alias("wait_agent", "plan:watch", &[]),
    alias("list_mcp_resources", "plan:watch", &[]),
    alias("list_mcp_resource_templates", "plan:watch", &[]),
    alias("close_agent", "plan:stop", &[]),
    alias("web_search", "net:search", &[]),
];

/// Only `default` and `bypassPermissions` were observed; in any other mode Doorward answers explicitly.
const BEHAVIOUR: Behaviour = {
    let told = (Untold::Runs, Asked::Runs);
    Behaviour {
        attended: [
            (Untold::Asks, Asked::Runs), // default: it asks before a command leaves its sandbox
            told,
            told,
            told,
            told,
            told,
            told,
        ],
        unattended: [told; 7],
    }
};

/// Whether it never asks: `codex exec` runs with approval policy `never`, and without its sandbox nothing remains to
/// ask about (0.169.0, `codex --help` and `codex exec --help`).
fn asks_nobody(words: &[String]) -> bool {
    started_with(
        words,
        &["--dangerously-bypass-approvals-and-sandbox", "--full-auto", "--yolo", "e", "exec"],
        &[
            ("--ask-for-approval", "never"),
            ("--sandbox", "danger-full-access"),
            ("-a", "never"),
            ("-s", "danger-full-access"),
        ],
    ) || words.iter().any(|word| silenced(word))
}

/// Whether a line of `config.toml` or of a command-line override disables its questions or its sandbox. Lines of any
/// profile count, since the active profile isn't determined.
fn silenced(config: &str) -> bool {
    config.lines().any(|line| {
        let Some((name, value)) = line.split_once('=') else { return false };
        let value = value.split('#').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        matches!((name.trim(), value), ("approval_policy", "never") | ("sandbox_mode", "danger-full-access"))
    })
}

/// `[features] hooks = false`, in a section or as a dotted key.
fn hooks_off(config: &str) -> Option<&'static str> {
    let mut section = "";
    config.lines().map(str::trim).find_map(|line| {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = name.trim();
            return None;
        }
        let (name, value) = line.split_once('=')?;
        let is_off = value.split('#').next().is_some_and(|value| value.trim() == "false");
        let whole =
            if section.is_empty() { name.trim().to_owned() } else { format!("{section}.{}", name.trim()) };
        (is_off && whole == "features.hooks").then_some("features.hooks = false")
    })
}

/// Codex 0.169.0, `codex --help`.
const SWITCHES: AgentSwitches = AgentSwitches {
    program: "codex",
    words: &["--remote"],
    pairs: &[("--disable", "hooks"), ("disable", "hooks"), ("-c", "hooks"), ("--config", "hooks")],
    harmless: &["features.hooks=true"],
    variables: &["CODEX_HOME", "HOME"],
};

static TARGET: Target = Target {
    client: Client::Codex,
    user_file: ".codex/hooks.json",
    project_file: ".codex/hooks.json",
    events: &["PreToolUse", "PermissionRequest", "PostToolUse"],
    plain_events: &[],
    shape: Shape::Nested { on_failure: false, status: true, named: false },
    timeout: 120,
    comments: false,
};

static ENCLOSURE: Enclosure = Enclosure {
    program: "codex",
    copied: &["AGENTS.md", "auth.json", "config.toml", "prompts", "rules"],
    copied_from_home: None,
    fixed: &["hooks.json"],
    hooks: "hooks.json",
    kept: &[KeptMembers {
        file: "auth.json",
        home_file: None,
        members: &["OPENAI_API_KEY", "auth_mode", "last_refresh", "tokens"],
    }],
    variables: &["CODEX_", "OPENAI_"],
    hosts: &["api.openai.com", "auth.openai.com", "chatgpt.com"],
    provider: &["OPENAI_BASE_URL"],
    // Codex's own sandbox is off: it would block the connection to Doorward, and can't be nested in Doorward's
    // sandbox. Shell calls are bound instead.
    words: &["-c", "sandbox_mode=\"danger-full-access\"", "-c", "features.hooks=true"],
    needs_trust: true,
};

fn event(value: &Value) -> Result<Event, EventError> {
    claude_code::event_of(Client::Codex, value)
}

fn reply(event: &str, answer: &Answer) -> Reply {
    if event == "PermissionRequest" {
        return match answer {
            Answer::NoOpinion | Answer::Noted { .. } | Answer::Rewrite { say: Say::Nothing, .. } => {
                Reply::default()
            }
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
        Answer::NoOpinion | Answer::Noted { .. } | Answer::Allow => return Reply::default(),
        // Rewritten input is accepted only with `allow`. That skips no approval, since Codex asks for approvals
        // later.
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
    reading::json(&json!({"hookSpecificOutput": specific}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_switches_hooks_off_is_seen() {
        for (text, off) in [
            ("[features]\nhooks = false # for now\n", true),
            ("features.hooks = false\n", true),
            ("[features]\nhooks = true\n", false),
            ("[other]\nhooks = false\n", false),
            ("", false),
        ] {
            assert_eq!(hooks_off(text).is_some(), off, "{text}");
        }
    }

    #[test]
    fn a_codex_that_asks_nobody_is_told_apart() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for silent in [
            "codex exec x",
            "codex -a never",
            "codex -c approval_policy=never",
            "codex -s danger-full-access",
        ] {
            assert!(asks_nobody(&words(silent)), "{silent}");
        }
        assert!(!asks_nobody(&words("codex -a on-request")));
        assert!(silenced("model = \"x\"\napproval_policy = \"never\" # quiet\n"));
        assert!(!silenced("approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n"));
    }
}
