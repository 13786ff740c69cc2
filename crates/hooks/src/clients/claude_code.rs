//! Claude Code: PreToolUse and PermissionRequest can stop a call; an empty reply doesn't influence its own flow.
//!
//! Measured on 2.1.197 and 2.1.330. Exit codes other than 0 and 2 don't block unless the hook is installed with
//! `onFailure: "block"`. A plain allow also skips the user's own prompt, so it is only given deliberately. `ask`
//! shows the dialog in all six modes, even against an allow rule, with Yes and No but without "don't ask again"
//! (2.1.330, at a terminal). Without a terminal (`-p`), calls that it would ask about are refused. It reports neither
//! a No in its dialog nor an interrupted call: in both cases the turn just ends.

use doorward_core::json::{Object, Value};
use doorward_core::tool::{AgentSwitches, CanonicalTool, Client};
use serde_json::json;

use super::alias::{CMD, PATH, alias, windows};
use super::reading::{self, Common, arguments, optional, started_with, text};
use super::{
    Alias, Asked, Behaviour, ClientMode, Contract, Enclosure, GivenRules, KeptMembers, OwnRules, ShellRules,
    Untold,
};
use crate::install::{Shape, Target};
use crate::{Answer, Event, EventError, HookCall, Reply, Say};

pub(super) static CONTRACT: Contract = Contract {
    measured: &["2.1.197", "2.1.330"],
    split_tool,
    behaviour: &BEHAVIOUR,
    runs_unasked,
    asks_nobody,
    refused_in: Some(refused_in),
    takes_rewrites: true,
    keeps_folder: true,
    config: Some(("CLAUDE_CONFIG_DIR", ".claude")),
    own_rules: Some(&OWN_RULES),
    install: Some(&TARGET),
    settings: &[".claude/settings.json", ".claude/settings.local.json"],
    hooks_off,
    switches: Some(SWITCHES),
    enclosure: Some(&ENCLOSURE),
    ..Contract::of(Client::ClaudeCode, "Claude Code", TOOLS)
};

/// A No and an interrupted call leave the same result in the transcript. Only for a running call does the following
/// note name the interrupted message (measured on 2.1.197 and 2.1.330).
fn refused_in(transcript: &str, call: &str) -> bool {
    let user = |line: &str| {
        let entry: serde_json::Value = serde_json::from_str(line).ok()?;
        (entry.get("type")?.as_str()? == "user").then_some(entry)
    };
    let mut lines = transcript.lines().filter_map(user);
    let rejected = lines.by_ref().any(|entry| {
        let blocks = entry.pointer("/message/content").and_then(serde_json::Value::as_array);
        let own = |block: &serde_json::Value| block.get("tool_use_id").is_some_and(|id| id == call);
        blocks.is_some_and(|blocks| blocks.iter().any(own))
            && entry.get("toolUseResult").is_some_and(|result| result == "User rejected tool use")
    });
    rejected && lines.next().is_none_or(|next| next.get("interruptedMessageId").is_none())
}

fn hooks_off(settings: &str) -> Option<&'static str> {
    let settings: serde_json::Value = serde_json::from_str(settings).ok()?;
    (settings.get("disableAllHooks") == Some(&serde_json::Value::Bool(true))).then_some("disableAllHooks")
}

/// The tools that 2.1.330 and earlier versions offer their model. CronCreate, EnterWorktree, ExitWorktree and
/// Workflow are deliberately missing: their later effects are unknown, so Doorward asks about them.
const TOOLS: &[Alias] = &[
    alias("Bash", "shell:execute", CMD),
    windows("PowerShell", "powershell"),
    // Runs its `command` in the background and passes each output line to the model; for `ws` see `split_tool`.
    alias("Monitor", "shell:execute", CMD),
    alias("Read", "fs:read", PATH),
    alias("NotebookRead", "fs:read", PATH),
    alias("Grep", "fs:read", PATH),
    alias("Glob", "fs:read", PATH),
    alias("LS", "fs:read", PATH),
    alias("Write", "fs:write", PATH),
    alias("Edit", "fs:write", PATH),
    alias("MultiEdit", "fs:write", PATH),
    alias("NotebookEdit", "fs:write", PATH),
    alias("WebFetch", "net:fetch", &[]),
    alias("WebSearch", "net:search", &[]),
    alias("ExitPlanMode", "plan:leave", &[]),
    alias("EnterPlanMode", "plan:todo", &[]),
    alias("TodoWrite", "plan:todo", &[]),
    alias("TaskCreate", "plan:todo", &[]),
    alias("TaskUpdate", "plan:todo", &[]),
    alias("TaskList", "plan:todo", &[]),
    alias("TaskGet", "plan:todo", &[]),
    alias("AskUserQuestion", "plan:ask", &[]),
    alias("Task", "plan:delegate", &[]),
    alias("Agent", "plan:delegate", &[]),
    alias("Skill", "plan:delegate", &[]),
    alias("SlashCommand", "plan:delegate", &[]),
    alias("SendMessage", "plan:delegate", &[]),
    alias("TodoRead", "plan:todo", &[]),
    alias("BashOutput", "plan:watch", &[]),
    alias("TaskOutput", "plan:watch", &[]),
    alias("AgentOutputTool", "plan:watch", &[]),
    alias("ToolSearch", "plan:watch", &[]),
    alias("ListMcpResourcesTool", "plan:watch", &[]),
    alias("KillShell", "plan:stop", &[]),
    alias("KillBash", "plan:stop", &[]),
    alias("TaskStop", "plan:stop", &[]),
    alias("LSP", "fs:read", PATH),
    alias("CronDelete", "plan:stop", &[]),
    alias("CronList", "plan:watch", &[]),
    alias("ListAgents", "plan:watch", &[]),
    alias("ReportFindings", "plan:think", &[]),
    alias("ScheduleWakeup", "plan:delegate", &[]),
];

const BEHAVIOUR: Behaviour = {
    use Asked::Asks as Stops;
    use Untold::{Asks, Classifies, Refuses, Runs};
    // Without a person at the prompt, `ask` is refused (2.1.330, `-p`).
    let off = Asked::Refuses;
    Behaviour {
        attended: [
            (Asks, Stops),       // default
            (Asks, Stops),       // plan
            (Asks, Stops),       // acceptEdits
            (Refuses, Stops),    // dontAsk
            (Runs, Stops),       // bypassPermissions
            (Classifies, Stops), // auto
            (Runs, Stops),       // an unknown mode
        ],
        unattended: [
            (Refuses, off),    // default
            (Refuses, off),    // plan
            (Refuses, off),    // acceptEdits
            (Refuses, off),    // dontAsk
            (Runs, off),       // bypassPermissions
            (Classifies, off), // auto
            (Runs, off),       // an unknown mode
        ],
    }
};

/// Commands that acceptEdits runs in the project without asking (2.1.330: mkdir, rm and touch measured, the others
/// documented). Matches any word of the command, so a mere mention may cause an unnecessary question.
const EDITING: &[&str] = &["cp", "mkdir", "mv", "rm", "rmdir", "sed", "touch"];

fn runs_unasked(mode: ClientMode, call: &HookCall) -> bool {
    if mode != ClientMode::AcceptEdits || call.tool != CanonicalTool::Shell {
        return false;
    }
    let command = call.args.get("command").and_then(Value::as_str).unwrap_or_default();
    let mut words = command.split(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-')));
    words.any(|word| EDITING.contains(&word))
}

/// Whether it runs as `-p` without a program that answers in a person's place (2.1.330, `claude --help`).
fn asks_nobody(words: &[String]) -> bool {
    let answered = words.iter().any(|word| word.starts_with("--permission-prompt-tool"));
    !answered && started_with(words, &["-p", "--print"], &[])
}

/// Monitor takes a shell command or a WebSocket (`ws: {url, protocols}`), according to the schema that 2.1.330 sends
/// its model. With both, or with a WebSocket without address, it counts as an unknown tool.
fn split_tool(name: &str, args: &Object) -> Option<(&'static str, Object)> {
    let socket = args.get("ws").filter(|socket| name == "Monitor" && !socket.is_null())?;
    let url = socket.get("url").and_then(Value::as_str);
    match url.filter(|_| !args.contains_key("command")) {
        Some(url) => Some(("net:fetch", Object::from([("url".to_owned(), Value::from(url))]))),
        None => Some(("Monitor", args.clone())),
    }
}

/// Claude Code 2.1.330, `claude --help` and its reference of environment variables.
const SWITCHES: AgentSwitches = AgentSwitches {
    program: "claude",
    words: &["--bare", "--safe-mode", "--setting-sources", "--settings"],
    pairs: &[],
    harmless: &[],
    variables: &["CLAUDE_CONFIG_DIR", "HOME"],
};

static TARGET: Target = Target {
    client: Client::ClaudeCode,
    user_file: ".claude/settings.json",
    project_file: ".claude/settings.json",
    events: &[
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "UserPromptSubmit",
        "Stop",
        "SessionEnd",
    ],
    plain_events: &["UserPromptSubmit", "Stop", "SessionEnd"],
    shape: Shape::Nested { on_failure: true, status: true, named: false },
    timeout: 120,
    comments: false,
};

static ENCLOSURE: Enclosure = Enclosure {
    program: "claude",
    copied: &[
        "settings.json",
        ".claude.json",
        ".credentials.json",
        "CLAUDE.md",
        "agents",
        "commands",
        "skills",
    ],
    copied_from_home: Some(".claude.json"),
    fixed: &["settings.json"],
    hooks: "settings.json",
    kept: &[
        KeptMembers {
            file: ".credentials.json",
            home_file: None,
            members: &["claudeAiOauth", "organizationUuid"],
        },
        KeptMembers {
            file: ".claude.json",
            home_file: Some(".claude.json"),
            members: &["hasCompletedOnboarding", "lastOnboardingVersion", "oauthAccount", "theme", "userID"],
        },
    ],
    variables: &["ANTHROPIC_", "API_TIMEOUT_MS", "CLAUDE_", "DISABLE_", "IS_SANDBOX", "MAX_THINKING_TOKENS"],
    hosts: &["api.anthropic.com", "claude.ai", "console.anthropic.com", "platform.claude.com"],
    provider: &["ANTHROPIC_BASE_URL"],
    words: &[],
    needs_trust: false,
};

/// Measured on 2.1.330: its rules are matched with a hook's rewritten command, not with the original one.
static OWN_RULES: OwnRules = OwnRules {
    system: &["/etc/claude-code/managed-settings.json"],
    user: &["settings.json"],
    project: &[".claude/settings.json", ".claude/settings.local.json"],
    read: shell_rules,
    given: given_rules,
};

fn shell_rules(settings: &str) -> Result<ShellRules, String> {
    let settings = settings.trim_start_matches('\u{feff}').trim();
    if settings.is_empty() {
        return Ok(ShellRules::default());
    }
    let settings: serde_json::Value = serde_json::from_str(settings).map_err(|error| error.to_string())?;
    let list = |name: &str| {
        let all = settings.get("permissions").and_then(|permissions| permissions.get(name));
        let all = all.and_then(serde_json::Value::as_array).into_iter().flatten();
        let all = all.filter_map(serde_json::Value::as_str);
        all.map(str::trim).filter(|rule| is_shell(rule)).map(str::to_owned).collect()
    };
    Ok(ShellRules { deny: list("deny"), ask: list("ask"), allow: list("allow") })
}

fn is_shell(rule: &str) -> bool {
    rule == "Bash" || rule.starts_with("Bash(")
}

/// `--settings FILE|JSON`, `--disallowedTools A,B…`, `--allowedTools A,B…`.
fn given_rules(words: &[String]) -> Vec<GivenRules> {
    let mut given = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let (name, joined) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        let mut rules = || {
            let mut listed: Vec<String> = joined.clone().into_iter().collect();
            while let Some(value) = words.next_if(|value| !value.starts_with('-')) {
                listed.push(value.clone());
            }
            let all = listed.iter().flat_map(|text| rules_in(text));
            all.filter(|rule| is_shell(rule)).collect::<Vec<_>>()
        };
        match name {
            "--disallowedTools" | "--disallowed-tools" => {
                let rules = ShellRules { deny: rules(), ..ShellRules::default() };
                given.push(GivenRules::Rules(name.to_owned(), rules));
            }
            "--allowedTools" | "--allowed-tools" => {
                let rules = ShellRules { allow: rules(), ..ShellRules::default() };
                given.push(GivenRules::Rules(name.to_owned(), rules));
            }
            "--settings" => {
                let Some(value) = joined.or_else(|| words.next().cloned()) else { break };
                let inline = value.trim_start().starts_with('{');
                given.push(if inline { GivenRules::Text(value) } else { GivenRules::File(value) });
            }
            _ => {}
        }
    }
    given
}

/// The rules of a list, separated by commas or spaces outside parentheses.
fn rules_in(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let mut rules = vec![String::new()];
    for ch in text.chars() {
        match ch {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (ch == ',' || ch == ' ') {
            rules.push(String::new());
        } else if let Some(rule) = rules.last_mut() {
            rule.push(ch);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

pub(super) fn event(value: &Value) -> Result<Event, EventError> {
    event_of(Client::ClaudeCode, value)
}

/// Parses events in Claude Code's format, which Codex and others share.
pub(super) fn event_of(client: Client, value: &Value) -> Result<Event, EventError> {
    let event = text(value, "hook_event_name")?;
    let common = || -> Result<Common<'_>, EventError> {
        let (name, input) = (text(value, "tool_name")?, arguments(value, "tool_input")?);
        Ok(Common { client, value, event, name, input })
    };
    let session = || optional(value, "session_id").unwrap_or_default();
    let transcript = || optional(value, "transcript_path");
    match event {
        "PreToolUse" | "PermissionRequest" => common()?.call(),
        "PostToolUse" => common()?.after(false, value.get("tool_response")),
        "PostToolUseFailure" => common()?.after(true, value.get("error")),
        // A prompt typed during a turn has that turn's id (2.1.330).
        "UserPromptSubmit" => Ok(Event::Turn {
            session: session(),
            turn: reading::turn(value),
            over: false,
            prompt: reading::optional(value, "prompt"),
            transcript: transcript(),
        }),
        "Stop" => Ok(Event::Turn {
            session: session(),
            turn: reading::turn(value),
            over: true,
            prompt: None,
            transcript: transcript(),
        }),
        "SessionEnd" => Ok(Event::SessionEnd { session: session(), transcript: transcript() }),
        other => reading::not_judged(other),
    }
}

pub(super) fn reply(event: &str, answer: &Answer) -> Reply {
    if event == "PermissionRequest" {
        return match answer {
            Answer::NoOpinion | Answer::Noted { .. } | Answer::Ask { .. } => Reply::default(),
            Answer::Allow => permission_request(&json!({"behavior": "allow"})),
            // The input was already rewritten before this event; rewriting it again would count as approval.
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
        Answer::Noted { note } => reading::json(&json!({"systemMessage": note})),
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

fn pre_tool_use(mut specific: serde_json::Value) -> Reply {
    if let Some(members) = specific.as_object_mut() {
        members.insert("hookEventName".to_owned(), "PreToolUse".into());
    }
    reading::json(&json!({"hookSpecificOutput": specific}))
}

pub(super) fn permission_request(decision: &serde_json::Value) -> Reply {
    let specific = json!({"hookEventName": "PermissionRequest", "decision": decision});
    reading::json(&json!({"hookSpecificOutput": specific}))
}

pub(super) fn canary(command: &str, cwd: &str) -> serde_json::Value {
    json!({"session_id": "doorward-doctor", "hook_event_name": "PreToolUse", "cwd": cwd,
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "doctor"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shell_rules_are_taken_over() {
        let settings = concat!(
            r#"{"permissions": {"deny": ["Bash(git push:*)", "Read(./.env)", " Bash "], "#,
            r#""allow": ["Bash(ls)"], "ask": ["Bash(npm \"x\")"]}}"#
        );
        let rules = shell_rules(settings).unwrap();
        assert_eq!(rules.deny, ["Bash(git push:*)", "Bash"]);
        assert_eq!(rules.ask, ["Bash(npm \"x\")"]);
        assert_eq!(rules.allow, ["Bash(ls)"]);
        assert_eq!(shell_rules("  ").unwrap(), ShellRules::default());
        assert!(shell_rules("{// comment\n}").is_err());
    }

    #[test]
    fn rules_of_the_command_line_count_too() {
        let words = |text: &[&str]| text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let listed =
            words(&["claude", "--disallowedTools", "Bash(git push *),Edit", "Bash(rm:*)", "-p", "go"]);
        let deny = vec!["Bash(git push *)".to_owned(), "Bash(rm:*)".to_owned()];
        let rules = ShellRules { deny, ..ShellRules::default() };
        assert_eq!(given_rules(&listed), [GivenRules::Rules("--disallowedTools".to_owned(), rules)]);
        let inline = words(&["claude", r#"--settings={"permissions":{"deny":["Bash"]}}"#]);
        assert!(matches!(given_rules(&inline).as_slice(), [GivenRules::Text(_)]));
    }

    /// Lines written by 2.1.197 and 2.1.330, shortened.
    #[test]
    fn a_no_is_told_from_an_interrupted_call() {
        let result = concat!(
            r#"{"type":"user","message":{"role":"user","content":"#,
            r#"[{"type":"tool_result","is_error":true,"tool_use_id":"toolu_1"}]},"#,
            r#""toolUseResult":"User rejected tool use"}"#,
        );
        let note = concat!(
            r#"{"type":"user","message":{"role":"user","content":"#,
            r#"[{"type":"text","text":"[Request interrupted by user for tool use]"}]}"#
        );
        let no = format!("{result}\n{note}}}\n");
        assert!(refused_in(&no, "toolu_1") && !refused_in(&no, "toolu_2"));
        assert!(refused_in(result, "toolu_1"), "a No with words for the agent has no note");
        assert!(!refused_in(&format!("{result}\n{note},\"interruptedMessageId\":\"msg_1\"}}\n"), "toolu_1"));
        assert!(!refused_in("broken\n", "toolu_1"));
    }

    #[test]
    fn monitor_is_a_command_or_an_address() {
        let tool = |text: &str| {
            let Value::Object(args) = Value::parse(text).unwrap() else { panic!("{text}") };
            super::super::canonical_call(Client::ClaudeCode, "Monitor", args).unwrap()
        };
        assert_eq!(tool(r#"{"command": "tail -f x", "ws": null}"#).0.as_str(), "shell:execute");
        let (name, args) = tool(r#"{"ws": {"url": "wss://a.example/b"}}"#);
        assert_eq!((name.as_str(), args["url"].as_str()), ("net:fetch", Some("wss://a.example/b")));
        for odd in [r#"{"command": "true", "ws": {"url": "wss://a.example"}}"#, r#"{"ws": {}}"#] {
            assert_eq!(tool(odd).0.class(), None, "{odd}");
        }
    }
}
