//! The ways in that speak Doorward's own words: how each is asked, and how its answer is read.

use std::cell::OnceCell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use doorward::entrance::Entrance;
use doorward::layers::Places;
use doorward::rooms::core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Surface, Workplace,
};
use doorward::rooms::core::json::Object;
use doorward::rooms::core::tool::{Client, ToolName};
use doorward::rooms::gate::Admission;
use doorward::rooms::hooks::ClientMode;
use doorward::{Door, Options};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::rows::{Call, End, Kind, Told, Under, merge};
use super::{foreign, hooks, judge};
use crate::support::{Bench, DOORWARD};

/// What a way in answered, or why it has no such call.
pub type Answer = Result<Told, &'static str>;

/// One question: the call, the mode that is claimed for it, and a session of its own.
pub struct AskedCall<'a> {
    pub call: &'a Call,
    pub mode: &'a str,
    pub session: String,
}

/// A way in.
pub struct Way {
    pub name: &'static str,
    pub ask: fn(&Ground, &AskedCall<'_>) -> Answer,
}

pub const ONLY_COMMANDS: &str = "it carries shell commands only";
const OF_A_PERSON: &str =
    "`doorward run` is a person's own command: it has no label, and its mode is default";

pub const WAYS: &[Way] = &[
    Way { name: "library", ask: by_library },
    Way { name: "check", ask: by_check },
    Way { name: "check --batch", ask: by_batch },
    Way { name: "simulate", ask: by_simulation },
    Way { name: "HTTP port", ask: by_port },
    Way { name: "Unix socket", ask: by_socket },
    Way { name: "AuthZEN", ask: by_authzen },
    Way { name: "Claude Code", ask: hooks::by_claude },
    Way { name: "Codex", ask: hooks::by_codex },
    Way { name: "Gemini CLI", ask: hooks::by_gemini },
    Way { name: "Cursor", ask: hooks::by_cursor },
    Way { name: "Copilot", ask: hooks::by_copilot },
    Way { name: "Windsurf", ask: hooks::by_windsurf },
    Way { name: "OpenHands", ask: hooks::by_openhands },
    Way { name: "bound call", ask: hooks::by_bound },
    Way { name: "run", ask: by_run },
    Way { name: "MCP gateway", ask: foreign::by_gateway },
    Way { name: "Python gate", ask: foreign::by_python_gate },
    Way { name: "Python client", ask: foreign::by_python_client },
];

/// Services under one row's settings: one that runs nothing itself, and another whose shell calls are bound.
pub struct Ground {
    pub free: Bench,
    pub bound: Bench,
    /// The settings, for those who open a gate of their own.
    pub config: PathBuf,
    pub programs: foreign::Programs,
    library: OnceCell<(Runtime, Arc<Door>)>,
}

impl Ground {
    pub fn new(under: &Under, mode: &str) -> Self {
        let judge = under.judge.map(judge::start).unwrap_or_default();
        let mut whole = under.settings.clone();
        // A coding agent asks by its own settings, unless what the user's settings allow is answered in its place.
        merge(&mut whole, &"hooks.relieve = \"policy\"".parse().unwrap());
        // Clients that tell no mode are in the settings' default, unless the row is about modes.
        if !under.settings.contains_key("modes") {
            merge(&mut whole, &format!("modes.default = \"{mode}\"").parse().unwrap());
        }
        let made = |more: &str| {
            let mut bench = Bench::new("");
            furnish(&bench.project());
            let mut own = whole.clone();
            let callers = format!("paths.callers = {{ conformance = [{:?}] }}\n{more}", bench.project());
            merge(&mut own, &callers.parse().unwrap());
            let text = own.to_string().replace("{judge}", &judge);
            std::fs::write(bench.state().join("doorward.toml"), text).unwrap();
            bench.serve_by(Command::new(DOORWARD).env("OPENAI_API_KEY", "none"));
            bench
        };
        let (free, bound) = (made(""), made("hooks.shell = \"bind\"\n"));
        let config = free.state().join("doorward.toml");
        Self { free, bound, config, programs: foreign::Programs::default(), library: OnceCell::new() }
    }
}

/// What the project holds: a secret, work that git doesn't hold, and what a build makes.
fn furnish(project: &Path) {
    let key = format!("AKIA{}", "Q7RT2XW5ZK3M6N4P");
    for (file, text) in [
        (".env", format!("AWS_ACCESS_KEY_ID={key}\n").as_str()),
        ("notes.txt", "no KEY here\n"),
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
pub fn canonical(call: &Call) -> (&'static str, Value) {
    let text = call.text.as_str();
    let (tool, mut args) = match call.kind {
        Kind::Shell => ("shell:execute", json!({"command": text})),
        Kind::Raw => ("shell:execute", serde_json::from_str(text).unwrap()),
        Kind::Write => ("fs:write", json!({"path": text, "content": "x\n"})),
        Kind::Read => ("fs:read", json!({"path": text})),
        Kind::Delete => ("fs:delete", json!({"path": text})),
        Kind::Mkdir => ("fs:mkdir", json!({"path": text})),
        Kind::Fetch => ("net:fetch", json!({"url": text})),
        Kind::Python => ("python:execute", json!({"code": text})),
    };
    if let Some(label) = &call.label {
        args["security_risk"] = json!(label);
    }
    (tool, args)
}

/// What the newest decision in the record says.
pub fn recorded(bench: &Bench) -> String {
    let found = bench.ask("GET", "/v1/calls?limit=1", &Value::Null);
    let call = &found["calls"][0];
    format!(" [recorded: {} {} \"basis\":{}]", call["verdict"], call["code"], call["basis"])
}

/// A gate of this process, with a record of its own.
fn opened(ground: &Ground) -> (Runtime, Arc<Door>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let places = Places { user: Some(ground.config.clone()), ..Places::default() };
    let state = ground.free.file("library");
    let door = runtime.block_on(Door::open_service(&state, Options::at(state.clone(), places))).unwrap();
    (runtime, door)
}

fn by_library(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let (runtime, door) = ground.library.get_or_init(|| opened(ground));
    let project = ground.free.project().display().to_string();
    let (tool, args) = canonical(question.call);
    let caller = Caller {
        principal: Principal { id: "me".to_owned(), groups: Vec::new() },
        session: question.session.clone().into(),
        client: Client::Doorward,
        surface: Surface::Library,
        custody: Custody::Advised,
    };
    let place = Workplace { roots: vec![Root::parse(&project)], cwd: project, outside: OutsideRoots::Strict };
    let args: Object = serde_json::from_value(args).unwrap();
    let mode = Some(ClientMode::from_word(question.mode));
    let entrance = Entrance::new(caller, ToolName::new(tool).unwrap(), args, place);
    let rooms = door.project(None);
    let call = entrance.settled(mode, Prompt::Queue).call(rooms.settings());
    Ok(runtime.block_on(async {
        match rooms.admit(call).await {
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
        }
    }))
}

/// `doorward check` with these words and this on standard input: its exit code and what it prints.
fn checked(ground: &Ground, words: &[&str], input: &str) -> (i32, String) {
    let mut child = Command::new(DOORWARD)
        .arg("check")
        .args(words)
        .arg("--state")
        .arg(ground.free.state())
        .current_dir(ground.free.project())
        .env("OPENAI_API_KEY", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap_or(-1), text + &String::from_utf8_lossy(&output.stderr))
}

fn by_check(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let (tool, args) = canonical(question.call);
    let words = ["--json", "--mode", question.mode, "--tool", tool, "--args", &args.to_string()];
    let (code, text) = checked(ground, &words, "");
    let end = match code {
        0 => End::Runs,
        10 => End::Asked,
        _ => End::Refused,
    };
    Ok(Told { end, text })
}

fn by_batch(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let mut row = request(ground, question);
    row["id"] = json!("row");
    let (_, text) = checked(ground, &["--batch"], &format!("{row}\n"));
    Ok(of_contract(&serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))))
}

/// A request of the decision contract.
fn request(ground: &Ground, question: &AskedCall<'_>) -> Value {
    let (tool, args) = canonical(question.call);
    let project = ground.free.project();
    json!({"principal": {"id": "conformance"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"cwd": project, "roots": [project], "session_id": question.session, "mode": question.mode}})
}

fn of_contract(answer: &Value) -> Told {
    let end = match answer["decision"].as_str() {
        Some("ALLOW") => End::Runs,
        Some("REQUIRE_USER_CONFIRMATION") => End::Asked,
        _ => End::Refused,
    };
    Told { end, text: answer.to_string() }
}

fn by_simulation(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    Ok(of_contract(&ground.free.ask("POST", "/v1/simulate", &request(ground, question))))
}

fn by_socket(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let told = of_contract(&ground.free.ask("POST", "/v1/decide", &request(ground, question)));
    Ok(Told { text: told.text + &recorded(&ground.free), ..told })
}

/// The same over the loopback port, where folders, roots and the mode are the settings' to give.
fn by_port(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    Ok(of_contract(&ground.free.ask_over_http("/v1/decide", &request(ground, question))))
}

/// AuthZEN knows yes and no: what a person is asked is a no that says how to ask.
fn by_authzen(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let (tool, args) = canonical(question.call);
    let body = json!({"subject": {"type": "user", "id": "conformance"}, "action": {"name": "tool:execute"},
        "resource": {"type": "tool", "id": tool, "properties": {"args": args}},
        "context": {"session_id": question.session}});
    let answer = ground.free.ask("POST", "/access/v1/evaluation", &body);
    let end = match (&answer["decision"], answer["context"].get("access_request")) {
        (Value::Bool(true), _) => End::Runs,
        (_, Some(_)) => End::Asked,
        _ => End::Refused,
    };
    Ok(Told { end, text: answer.to_string() + &recorded(&ground.free) })
}

fn by_run(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let call = question.call;
    if call.kind != Kind::Shell {
        return Err(ONLY_COMMANDS);
    }
    if question.mode != "default" || call.label.is_some() {
        return Err(OF_A_PERSON);
    }
    let output = Command::new(DOORWARD)
        .args(["run", "--state"])
        .arg(ground.free.state())
        .args(["--", &call.text])
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
    Ok(Told { end, text: text + &recorded(&ground.free) })
}
