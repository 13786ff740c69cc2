//! Gemini CLI without a terminal, and the dialogs of Gemini CLI and Codex: what Doorward tells them is what they do, and
//! the record says only what happened.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::clients::{answers, program, quiet, ran, until};
use crate::model::{Model, Wire};
use crate::people::{at_terminal, socket};
use crate::terminal::Terminal;
use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "clients",
        tries: "Gemini CLI without a terminal runs what was denied, or doesn't run what was allowed",
        run: gemini_headless,
    },
    Attack {
        class: "clients",
        tries: "Gemini CLI passes a question, its dialog's No runs the call, or the record says what nobody did",
        run: gemini_dialogs,
    },
    Attack {
        class: "clients",
        tries: "Codex passes a question, its dialog's No runs the call, or the record says what nobody did",
        run: codex_dialogs,
    },
];

const PROGRAM: &str = "touch RAN";
const ASKING: &str = "[rules]\nask = [\"shell(touch *)\"]\n";
const DENYING: &str = "[rules]\ndeny = [\"shell(touch *)\"]\n";
const ALLOWING: &str = "[rules]\nallow = [\"shell(touch *)\"]\n";

/// Gemini CLI's settings with the hook, and the answers of a model that asks for the same call in each of its turns.
/// The words that make it use them.
fn gemini_set_up(user: &User, turns: usize) -> String {
    let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}, "hooksConfig": {"enabled": true},
        "telemetry": {"enabled": false}, "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false}});
    user.write(&user.home.join(".gemini/settings.json"), &settings.to_string());
    let (code, installed) = user.doorward(&["install", "gemini-cli"]);
    assert_eq!(code, 0, "{installed}");
    let part = |part: Value| {
        let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
        json!({"method": "generateContentStream", "response": [{"candidates": [{"content": {"role": "model",
            "parts": [part]}, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}]})
        .to_string()
    };
    let call = part(json!({"functionCall": {"name": "run_shell_command",
        "args": {"command": PROGRAM, "description": "x"}}}));
    let turn = format!("{call}\n{}\n", part(json!({"text": "done"})));
    let file = user.home.join("answers.jsonl");
    user.write(&file, &turn.repeat(turns));
    format!("--fake-responses-non-strict {}", file.display())
}

fn gemini_command(user: &User, program: &str) -> std::process::Command {
    let mut command = user.command(program);
    command
        .current_dir(user.project())
        .env("GEMINI_API_KEY", "fake")
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    command
}

fn gemini_headless(world: &World) -> Tried {
    let gemini = match program("gemini") {
        Ok(gemini) => gemini,
        Err(lacking) => return lacking,
    };
    let user = world.user();
    let words = gemini_set_up(&user, 1);
    // Settings, mode, whether it runs, and what the model is told.
    let rows = [
        (DENYING, "yolo", false, "Doorward denied this"),
        (ASKING, "yolo", false, "doorward approve"),
        ("", "yolo", true, ""),
        (ALLOWING, "yolo", true, ""),
        // In its other modes it offers its model no shell where nobody can be asked.
        ("", "default", false, ""),
    ];
    let mut wrong = Vec::new();
    for (settings, mode, runs, said) in rows {
        user.settings(settings);
        let mut run = gemini_command(&user, gemini.to_str().unwrap());
        run.args(words.split(' ')).args([
            "--approval-mode",
            mode,
            "-p",
            "go",
            "--output-format",
            "stream-json",
        ]);
        let output = run.output().unwrap();
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let did = ran(&user);
        if did != runs || !told.contains(said) || (said.is_empty() && told.contains("Doorward")) {
            wrong.push(format!("{settings:?} {mode}: ran {did}, told {told}"));
        }
    }
    let answered = answers(&user).into_iter().filter(|(event, ..)| event == "answered").count();
    judged(
        wrong.is_empty() && answered == 0,
        format!("{} rows on Gemini CLI, {answered} answers recorded; wrong: {wrong:?}", rows.len()),
    )
}

/// What a person presses, and what must follow.
struct Pressed {
    settings: &'static str,
    /// `None` where no dialog may come: Doorward asks in its own queue.
    key: Option<&'static str>,
    runs: bool,
    /// The answer in the record: event, presence, decision.
    record: Option<(&'static str, &'static str, &'static str)>,
}

/// The first question in Doorward's queue.
fn waiting(user: &User) -> Option<String> {
    let open: Value = serde_json::from_str(&socket(user, "GET", "/v1/approvals", "")).unwrap_or_default();
    open["approvals"][0]["id"].as_str().map(str::to_owned)
}

/// Presses the keys in dialogs of one client, each in a session of its own.
fn press(
    world: &World,
    rows: &[Pressed],
    (ready, asks): (&[&str], &[&str]),
    start: impl Fn(&User) -> (Terminal, Option<Model>),
) -> Vec<String> {
    let mut wrong = Vec::new();
    for Pressed { settings, key, runs, record } in rows {
        let user = world.user();
        user.settings(settings);
        // The service runs before the client's first call, however busy the machine is.
        user.shell("default", "true");
        let (mut session, _model) = start(&user);
        let shown = match key {
            Some(key) => {
                let Some(shown) = session.dialog(ready, asks) else {
                    let drawn = session.drawn();
                    drop(session);
                    let (_, record) = user.doorward(&["audit", "tail"]);
                    wrong.push(format!("{settings:?}: no dialog: {drawn}; {record}"));
                    continue;
                };
                session.type_in(key);
                shown
            }
            None => {
                let shown = session.dialog(ready, &["done"]).unwrap_or_default();
                if waiting(&user).is_none() {
                    wrong.push(format!("{settings:?}: no question waits: {shown}"));
                }
                shown
            }
        };
        let ran = || user.project().join("RAN").exists();
        if *runs {
            until(ran);
        }
        std::thread::sleep(Duration::from_secs(3));
        let did = ran();
        drop(session);
        let expected = record
            .map(|(event, presence, decision)| (event.to_owned(), presence.to_owned(), decision.to_owned()));
        let found = answers(&user).into_iter().find(|(event, ..)| event != "asked");
        if did != *runs
            || found != expected
            || (key.is_none() && asks.iter().any(|words| shown.contains(words)))
        {
            wrong.push(format!("{settings:?} {key:?}: ran {did}, recorded {found:?}; shown {shown}"));
        }
    }
    wrong
}

fn gemini_dialogs(world: &World) -> Tried {
    let gemini = match program("gemini") {
        Ok(gemini) => gemini,
        Err(lacking) => return lacking,
    };
    let start = |user: &User, turns: usize| {
        let words = gemini_set_up(user, turns);
        let line = format!("{} {words} --approval-mode default", gemini.display());
        Terminal::start(gemini_command(user, "/usr/bin/script"), &line)
    };
    let passed = Some(("passed", "client_rule", ""));
    let rows = [
        // Gemini CLI doesn't report its dialogs: that the call ran is all that is known.
        Pressed { settings: "", key: Some("1"), runs: true, record: passed },
        Pressed { settings: "", key: Some("3"), runs: false, record: Some(("expired", "", "")) },
        Pressed { settings: ASKING, key: None, runs: false, record: None },
    ];
    let (ready, asks) = (&["Type your message"][..], &["Allow once"][..]);
    let mut wrong = press(world, &rows, (ready, asks), |user| (start(user, 1), None));
    // What was asked in our queue and approved there passes when it comes again; Gemini CLI asks in its own dialog then,
    // which no answer of a hook waives.
    let user = world.user();
    user.settings(ASKING);
    user.shell("default", "true");
    let mut session = start(&user, 2);
    session.dialog(ready, &["done"]);
    let id = waiting(&user).unwrap_or_default();
    let yes = at_terminal(&user, "work", &format!("doorward approvals approve {id}"), "");
    session.clear();
    session.enter("again");
    if session.wait_for(asks) {
        session.type_in("1");
    }
    if !until(|| user.project().join("RAN").exists()) {
        wrong.push(format!("approved with {yes:?}, and then: {}", session.drawn()));
    }
    drop(session);
    judged(wrong.is_empty(), format!("{} dialogs of Gemini CLI; wrong: {wrong:#?}", rows.len() + 1))
}

/// Codex in a project that it trusts, with the hook, which it trusts too. The call asks to leave Codex's own sandbox, so
/// that Codex asks.
fn codex_at_terminal(user: &User, codex: &Path) -> (Terminal, Option<Model>) {
    let input = json!({"cmd": PROGRAM, "yield_time_ms": 20_000, "sandbox_permissions": "require_escalated",
        "justification": "It is needed."});
    let model = Model::start(Wire::Responses, "exec_command", input);
    let config = format!(
        "model = \"fake-model\"\nmodel_provider = \"fake\"\napproval_policy = \"on-request\"\n\
         sandbox_mode = \"workspace-write\"\ncheck_for_update_on_startup = false\n[model_providers.fake]\n\
         name = \"fake\"\nbase_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n[features]\nhooks = true\n[analytics]\nenabled = false\n\
         [projects.\"{}\"]\ntrust_level = \"trusted\"\n",
        model.port,
        user.project().display()
    );
    user.write(&user.home.join(".codex/config.toml"), &config);
    let (code, installed) = user.doorward(&["install", "codex", "--trust", codex.to_str().unwrap()]);
    assert_eq!(code, 0, "{installed}");
    let script = quiet(user.command("/usr/bin/script"), user, &model);
    (Terminal::start(script, &codex.display().to_string()), Some(model))
}

fn codex_dialogs(world: &World) -> Tried {
    let codex = match program("codex") {
        Ok(codex) => codex,
        Err(lacking) => return lacking,
    };
    let rows = [
        Pressed {
            settings: "",
            key: Some("y"),
            runs: true,
            record: Some(("answered", "client_dialog", "allowed")),
        },
        Pressed { settings: "", key: Some("\u{1b}"), runs: false, record: Some(("expired", "", "")) },
        Pressed { settings: ASKING, key: None, runs: false, record: None },
    ];
    let seen = (&["? for shortcuts"][..], &["Yes, proceed", "Would you like to run"][..]);
    let wrong = press(world, &rows, seen, |user| codex_at_terminal(user, &codex));
    judged(wrong.is_empty(), format!("{} dialogs of Codex; wrong: {wrong:#?}", rows.len()))
}
