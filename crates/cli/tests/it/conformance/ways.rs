//! The ways in: how each is asked, and how its answer is read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use doorward::layers::Places;
use doorward::rooms::core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Settlement, Surface, ToolCall, Workplace,
};
use doorward::rooms::core::json::Object;
use doorward::rooms::core::mode::PermissionMode;
use doorward::rooms::core::tool::{Client, ToolName};
use doorward::rooms::gate::Admission;
use doorward::{Door, Options};
use serde_json::{Value, json};

use super::foreign;
use super::judge;
use super::requirements::{Call, End, Side, Told};
use crate::support::{Bench, DOORWARD};

/// A way in.
pub struct Way {
    pub name: &'static str,
    /// Asks; `None` where it has no such call.
    pub ask: fn(&Ground, &Side) -> Option<Told>,
    /// Why it may have none.
    pub lacks: &'static str,
}

const ONLY_COMMANDS: &str = "it carries shell commands only";
const NO_FETCH: &str = "this client has no tool that fetches";

pub const WAYS: &[Way] = &[
    Way { name: "library", ask: by_library, lacks: "" },
    Way { name: "check", ask: by_check, lacks: "" },
    Way { name: "HTTP port", ask: by_port, lacks: "" },
    Way { name: "Unix socket", ask: by_socket, lacks: "" },
    Way { name: "AuthZEN", ask: by_authzen, lacks: "" },
    Way { name: "Claude Code", ask: by_claude, lacks: "" },
    Way { name: "Codex", ask: by_codex, lacks: NO_FETCH },
    Way { name: "Gemini CLI", ask: by_gemini, lacks: "" },
    Way { name: "Cursor", ask: by_cursor, lacks: NO_FETCH },
    Way { name: "Copilot", ask: by_copilot, lacks: NO_FETCH },
    Way { name: "Windsurf", ask: by_windsurf, lacks: NO_FETCH },
    Way { name: "OpenHands", ask: by_openhands, lacks: "" },
    Way { name: "bound call", ask: by_bound, lacks: ONLY_COMMANDS },
    Way { name: "run", ask: by_run, lacks: ONLY_COMMANDS },
    Way { name: "MCP gateway", ask: foreign::by_gateway, lacks: "" },
    Way { name: "Python gate", ask: foreign::by_python_gate, lacks: "" },
    Way { name: "Python client", ask: foreign::by_python_client, lacks: "" },
];

/// One side's settings, with a service for those who ask one and another whose shell calls are bound.
pub struct Ground {
    free: Bench,
    bound: Bench,
    /// The settings, for those who open their own.
    config: String,
}

impl Ground {
    pub fn new(side: &Side) -> Self {
        let judge = side.judge.map(judge::start).unwrap_or_default();
        let modes = match side.settings.contains("[modes]") {
            // It says itself which modes there are.
            true => side.settings.to_owned(),
            false => format!("{}[modes]\ndefault = \"{}\"\n", side.settings, side.mode),
        };
        // The judge's server is on loopback, which is no place for a model unless the settings say so.
        let config = modes.replace("{judge}", &judge);
        let made = |more: &str| {
            let mut bench = Bench::new("");
            furnish(&bench.project());
            // Callers over the network have the roots that the settings give them.
            let callers =
                format!("[paths]\ncallers = {{ conformance = [\"{}\"] }}\n", bench.project().display());
            std::fs::write(bench.state().join("doorward.toml"), format!("{config}{more}{callers}")).unwrap();
            bench.serve_by(Command::new(DOORWARD).env("OPENAI_API_KEY", "none"));
            bench
        };
        Self { free: made(""), bound: made("[hooks]\nshell = \"bind\"\n"), config }
    }
}

impl Ground {
    /// The service that runs nothing itself.
    pub const fn free(&self) -> &Bench {
        &self.free
    }

    /// The settings.
    pub fn config(&self) -> &str {
        &self.config
    }
}

/// What every project of the suite holds.
fn furnish(project: &Path) {
    for (file, text) in [
        ("notes.txt", "a note\n"),
        (".env", "TOKEN=x\n"),
        ("letters/one.txt", "a letter\n"),
        ("node_modules/x/index.js", "0\n"),
        ("package.json", "{}\n"),
        ("src/lib.rs", "\n"),
        ("Makefile", "all:\n\ttrue\n"),
    ] {
        let path = project.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The canonical tool and its arguments.
pub fn canonical(call: Call) -> (&'static str, Value) {
    match call {
        Call::Shell(command) => ("shell:execute", json!({"command": command})),
        Call::Write(path, content) => ("fs:write", json!({"path": path, "content": content})),
        Call::Fetch(url) => ("net:fetch", json!({"url": url})),
        Call::Broken => ("shell:execute", json!({"command": 5})),
    }
}

fn by_library(ground: &Ground, side: &Side) -> Option<Told> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let user = folder.path().join("doorward.toml");
    std::fs::write(&user, &ground.config).unwrap();
    let places = Places { user: Some(user), ..Places::default() };
    let project = ground.free.project().display().to_string();
    Some(runtime.block_on(async {
        let state = folder.path().join("state");
        let door = Door::open_service(&state, Options::at(state.clone(), places)).await.unwrap();
        let (tool, args) = canonical(side.call);
        let caller = Caller {
            principal: Principal { id: "me".to_owned(), groups: Vec::new() },
            session: "conformance".into(),
            client: Client::Doorward,
            surface: Surface::Library,
            custody: Custody::Advised,
        };
        let place = Workplace {
            roots: vec![Root::parse(&project)],
            cwd: project.clone(),
            outside: OutsideRoots::Ask,
        };
        let mode = PermissionMode::from_word(side.mode).unwrap();
        let args: Object = serde_json::from_value(args).unwrap();
        let settlement = Settlement { mode, prompt: Prompt::Queue };
        let call = ToolCall::new(caller, ToolName::new(tool).unwrap(), args, place, settlement);
        let told = match door.project(Some(Path::new(&project))).admit(call).await {
            Admission::Admitted(permit) => {
                permit.withdraw().await.unwrap();
                Told { end: End::Runs, text: String::new() }
            }
            Admission::Denied(denial) => {
                Told { end: End::Refused, text: format!("{} ({})", denial.reason, denial.code) }
            }
            Admission::Pending(pending) => {
                let case = pending.case.decision();
                Told { end: End::Asked, text: format!("{} ({})", pending.ask.reason, case.code) }
            }
        };
        door.close().await;
        told
    }))
}

fn by_check(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, args) = canonical(side.call);
    let output = Command::new(DOORWARD)
        .args([
            "check",
            "--json",
            "--mode",
            side.mode,
            "--tool",
            tool,
            "--args",
            &args.to_string(),
            "--state",
        ])
        .arg(ground.free.state())
        .arg("--cwd")
        .arg(ground.free.project())
        .env("OPENAI_API_KEY", "none")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = match output.status.code() {
        Some(0) => End::Runs,
        Some(10) => End::Asked,
        _ => End::Refused,
    };
    Some(Told { end, text: text + &String::from_utf8_lossy(&output.stderr) })
}

/// A request of the decision contract.
fn request(ground: &Ground, side: &Side) -> Value {
    let (tool, args) = canonical(side.call);
    let project = ground.free.project();
    json!({"principal": {"id": "conformance"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"cwd": project, "roots": [project], "session_id": "s", "mode": side.mode}})
}

fn of_contract(answer: &Value) -> Told {
    let end = match answer["decision"].as_str() {
        Some("ALLOW") => End::Runs,
        Some("REQUIRE_USER_CONFIRMATION") => End::Asked,
        _ => End::Refused,
    };
    Told { end, text: answer.to_string() }
}

fn by_socket(ground: &Ground, side: &Side) -> Option<Told> {
    Some(of_contract(&ground.free.ask("POST", "/v1/decide", &request(ground, side))))
}

/// The same over the loopback port, where folders and roots are the service's to give: paths are absolute there.
fn by_port(ground: &Ground, side: &Side) -> Option<Told> {
    Some(of_contract(&ground.free.ask_over_http("/v1/decide", &request(ground, side))))
}

/// AuthZEN knows yes and no: what a person is asked is a no that says how to ask.
fn by_authzen(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, args) = canonical(side.call);
    let project = ground.free.project();
    let body = json!({"subject": {"type": "user", "id": "conformance"}, "action": {"name": "tool:execute"},
        "resource": {"type": "tool", "id": tool, "properties": {"args": args}},
        "context": {"cwd": project, "roots": [project], "mode": side.mode}});
    let answer = ground.free.ask("POST", "/access/v1/evaluation", &body);
    let end = match (&answer["decision"], answer["context"].get("access_request")) {
        (Value::Bool(true), _) => End::Runs,
        (_, Some(_)) => End::Asked,
        _ => End::Refused,
    };
    Some(Told { end, text: answer.to_string() })
}

/// What a client is told, by the words that Doorward's denials and questions have in common.
fn of_client(code: i32, out: &str, err: &str, decision: &str) -> Told {
    let text = format!("exit {code}: {out}{err}");
    let end = match decision {
        "ask" => End::Asked,
        "deny" if text.contains("doorward approve") => End::Asked,
        "deny" => End::Refused,
        "allow" => End::Runs,
        _ if code == 0 => End::Left,
        _ => End::Refused,
    };
    Told { end, text }
}

fn sent(bench: &Bench, client: &str, event: &Value, decision: fn(&Value) -> &str) -> Told {
    let (code, out, err) = bench.hook(client, &event.to_string(), &[]);
    let reply: Value = serde_json::from_str(&out).unwrap_or_default();
    let said = if code == 2 { "deny" } else { decision(&reply) };
    of_client(code, &out, &err, said)
}

fn nested(reply: &Value) -> &str {
    reply["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default()
}

/// A number for a call, so that no two are one.
fn call_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("call-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn claude_event(bench: &Bench, side: &Side) -> Value {
    let project = bench.project();
    let (tool, input) = match side.call {
        Call::Shell(command) => ("Bash", json!({"command": command})),
        Call::Write(path, content) => ("Write", json!({"file_path": project.join(path), "content": content})),
        Call::Fetch(url) => ("WebFetch", json!({"url": url, "prompt": "read it"})),
        Call::Broken => ("Bash", json!({"command": 5})),
    };
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": project, "permission_mode": side.mode,
        "tool_name": tool, "tool_input": input, "tool_use_id": call_id()})
}

fn by_claude(ground: &Ground, side: &Side) -> Option<Told> {
    Some(sent(&ground.free, "claude-code", &claude_event(&ground.free, side), nested))
}

fn by_bound(ground: &Ground, side: &Side) -> Option<Told> {
    let (Call::Shell(_) | Call::Broken) = side.call else { return None };
    Some(sent(&ground.bound, "claude-code", &claude_event(&ground.bound, side), nested))
}

fn by_codex(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, input) = match side.call {
        Call::Shell(command) => ("Bash", json!({"command": command})),
        Call::Write(path, content) => {
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n+{content}\n*** End Patch\n");
            ("apply_patch", json!({"command": patch}))
        }
        Call::Broken => ("Bash", json!({"command": 5})),
        Call::Fetch(_) => return None,
    };
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": ground.free.project(),
        "permission_mode": side.mode, "tool_name": tool, "tool_input": input, "tool_use_id": call_id(), "turn_id": "1"});
    Some(sent(&ground.free, "codex", &event, nested))
}

fn by_gemini(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, input) = match side.call {
        Call::Shell(command) => ("run_shell_command", json!({"command": command})),
        Call::Write(path, content) => ("write_file", json!({"file_path": path, "content": content})),
        Call::Fetch(url) => ("web_fetch", json!({"prompt": format!("Read {url}")})),
        Call::Broken => ("run_shell_command", json!({"command": 5})),
    };
    let event = json!({"session_id": "s", "hook_event_name": "BeforeTool", "cwd": ground.free.project(),
        "tool_name": tool, "tool_input": input});
    Some(sent(&ground.free, "gemini-cli", &event, |reply| reply["decision"].as_str().unwrap_or_default()))
}

fn by_cursor(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, input) = match side.call {
        Call::Shell(command) => ("Shell", json!({"command": command})),
        Call::Write(path, content) => ("Write", json!({"file_path": path, "content": content})),
        Call::Broken => ("Shell", json!({"command": 5})),
        Call::Fetch(_) => return None,
    };
    let event = json!({"session_id": "s", "hook_event_name": "preToolUse", "cwd": ground.free.project(),
        "tool_name": tool, "tool_input": input});
    Some(sent(&ground.free, "cursor", &event, |reply| reply["permission"].as_str().unwrap_or_default()))
}

fn by_copilot(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, input) = match side.call {
        Call::Shell(command) => ("bash", json!({"command": command})),
        Call::Write(path, content) => ("create", json!({"path": path, "file_text": content})),
        Call::Broken => ("bash", json!({"command": 5})),
        Call::Fetch(_) => return None,
    };
    let event = json!({"sessionId": "s", "cwd": ground.free.project(), "toolName": tool,
        "toolArgs": input.to_string()});
    Some(sent(&ground.free, "copilot", &event, |reply| {
        reply["permissionDecision"].as_str().unwrap_or_default()
    }))
}

fn by_windsurf(ground: &Ground, side: &Side) -> Option<Told> {
    let project = ground.free.project();
    let (action, info) = match side.call {
        Call::Shell(command) => ("pre_run_command", json!({"command_line": command, "cwd": project})),
        Call::Write(path, content) => (
            "pre_write_code",
            json!({"file_path": path, "cwd": project, "edits": [{"old_string": "", "new_string": content}]}),
        ),
        Call::Fetch(_) => return None,
        Call::Broken => ("pre_run_command", json!({"command_line": 5, "cwd": project})),
    };
    let event = json!({"trajectory_id": "s", "execution_id": call_id(), "agent_action_name": action, "tool_info": info});
    Some(sent(&ground.free, "windsurf", &event, |_| ""))
}

fn by_openhands(ground: &Ground, side: &Side) -> Option<Told> {
    let (tool, kind, mut input) = match side.call {
        Call::Shell(command) => ("terminal", "TerminalAction", json!({"command": command})),
        Call::Write(path, content) => (
            "file_editor",
            "FileEditorAction",
            json!({"command": "create", "path": path, "file_text": content}),
        ),
        Call::Fetch(url) => ("browser_navigate", "BrowserNavigateAction", json!({"url": url})),
        Call::Broken => ("terminal", "TerminalAction", json!({"command": 5})),
    };
    input["kind"] = json!(kind);
    let event = json!({"event_type": "PreToolUse", "session_id": call_id(), "working_dir": ground.free.project(),
        "tool_name": tool, "tool_input": input});
    Some(sent(&ground.free, "openhands", &event, |_| ""))
}

fn by_run(ground: &Ground, side: &Side) -> Option<Told> {
    let Call::Shell(command) = side.call else { return None };
    let output = Command::new(DOORWARD)
        .args(["run", "--state"])
        .arg(ground.free.state())
        .args(["--", command])
        .current_dir(ground.free.project())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let end = match output.status.code() {
        Some(125) if text.contains("no_approver") => End::Asked,
        Some(125) => End::Refused,
        _ => End::Runs,
    };
    Some(Told { end, text })
}

/// Where the suite keeps its page.
pub fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/conformance.md")
}
