//! The real coding agents, run by an ordinary user against a model on loopback: what Doorward tells them is what they
//! do. docs/emission.md says what that is; here each distinct reply is tried once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::model::{Model, Wire};
use crate::terminal::Terminal;
use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "clients",
        tries: "Claude Code without a terminal runs what was denied, or doesn't run what was allowed",
        run: claude_headless,
    },
    Attack {
        class: "clients",
        tries: "an older Claude Code without a terminal runs what was denied, or doesn't run what was allowed",
        run: older_claude_headless,
    },
    Attack {
        class: "clients",
        tries: "Claude Code passes a question without its dialog, or the record says what nobody did",
        run: claude_dialogs,
    },
    Attack {
        class: "clients",
        tries: "a bound question of Claude Code can be clicked away for good",
        run: claude_bound_dialog,
    },
    Attack {
        class: "clients",
        tries: "Codex runs what was denied or waits for an answer",
        run: codex_headless,
    },
];

pub const PROGRAM: &str = "touch RAN";
const ASKING: &str = "[rules]\nask = [\"shell(touch *)\"]\n";

/// A program of the npm packages that `cargo xtask test` installs.
pub fn program(name: &str) -> Result<PathBuf, Tried> {
    program_below("", name)
}

/// The same of an older version.
fn older(name: &str) -> Result<PathBuf, Tried> {
    program_below("older", name)
}

fn program_below(folder: &str, name: &str) -> Result<PathBuf, Tried> {
    let tools = std::env::var_os("DOORWARD_TOOLS").map(PathBuf::from);
    let place = tools.map(|tools| tools.join(folder).join("node_modules/.bin").join(name));
    place.filter(|place| place.exists()).ok_or_else(|| {
        let which = [folder, name].join(" ");
        Tried::Lacking(format!("the npm package with `{}`; `cargo xtask tools` installs it", which.trim()))
    })
}

pub fn quiet(mut command: Command, user: &User, model: &Model) -> Command {
    command
        .current_dir(user.project())
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", model.port))
        .env("ANTHROPIC_AUTH_TOKEN", "sk-fake")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_ERROR_REPORTING", "1");
    command
}

/// One turn of Claude Code without a terminal, with this command: what its model was told.
pub fn claude_turn(user: &User, claude: &Path, mode: &str, command: &str) -> String {
    claude_call(user, claude, mode, json!({"command": command, "description": "x"}))
}

/// The same with these arguments of the tool Bash.
pub fn claude_call(user: &User, claude: &Path, mode: &str, input: Value) -> String {
    let model = Model::start(Wire::Anthropic, "Bash", input);
    let mut run = quiet(user.command(claude), user, &model);
    run.args(["-p", "go", "--output-format", "json", "--permission-mode", mode]);
    let output = run.output().unwrap();
    let told = model.results().join("\n");
    if told.is_empty() {
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    } else {
        told
    }
}

/// One turn of Codex without a terminal, with the hook installed and trusted: what its model was told, and what Codex
/// printed.
pub fn codex_turn(user: &User, codex: &Path) -> (String, String) {
    let model =
        Model::start(Wire::Responses, "exec_command", json!({"cmd": PROGRAM, "yield_time_ms": 20_000}));
    let config = format!(
        "model = \"fake-model\"\nmodel_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\n\
         base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nrequest_max_retries = 0\n\
         stream_max_retries = 0\n[features]\nhooks = true\n[analytics]\nenabled = false\n",
        model.port
    );
    user.write(&user.home.join(".codex/config.toml"), &config);
    let (code, installed) = user.doorward(&["install", "codex", "--trust", codex.to_str().unwrap()]);
    assert_eq!(code, 0, "{installed}");
    let mut run = quiet(user.command(codex), user, &model);
    run.args(["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "go"]);
    let output = run.output().unwrap();
    (model.results().join("\n"), String::from_utf8_lossy(&output.stdout).into_owned())
}

pub fn ran(user: &User) -> bool {
    let ran = user.project().join("RAN").exists();
    user.sh("rm -f project/RAN");
    ran
}

fn claude_headless(world: &World) -> Tried {
    program("claude").map_or_else(|lacking| lacking, |claude| headless(world, &claude))
}

fn older_claude_headless(world: &World) -> Tried {
    older("claude").map_or_else(|lacking| lacking, |claude| headless(world, &claude))
}

fn headless(world: &World, claude: &Path) -> Tried {
    let user = world.user();
    let (code, installed) = user.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{installed}");
    // Settings, mode, whether it runs, and what the model is told.
    let rows: &[(&str, &str, bool, &str)] = &[
        ("[rules]\ndeny = [\"shell(touch *)\"]\n", "bypassPermissions", false, "Doorward denied this"),
        (ASKING, "bypassPermissions", false, "run exactly this again"),
        (ASKING, "default", false, "doorward approve"),
        ("", "default", false, ""),
        ("", "bypassPermissions", true, ""),
        ("[rules]\nallow = [\"shell(touch *)\"]\n", "default", true, ""),
    ];
    let mut wrong = Vec::new();
    for (settings, mode, runs, words) in rows {
        user.settings(settings);
        let told = claude_turn(&user, claude, mode, PROGRAM);
        let did = ran(&user);
        if did != *runs || !told.contains(words) || (words.is_empty() && told.contains("Doorward")) {
            wrong.push(format!("{settings:?} {mode}: ran {did}, told {told}"));
        }
    }
    user.settings("");
    let told = claude_turn(&user, claude, "bypassPermissions", "rm -rf .git");
    if !user.project().join(".git/HEAD").exists() || !told.contains("Doorward") {
        wrong.push(format!("rm -rf .git: {told}"));
    }
    user.end_service();
    let answered: Vec<Value> = user
        .ledger()
        .into_iter()
        .filter(|entry| entry["kind"] == "approval" && entry["event"] == "answered")
        .collect();
    if !answered.is_empty() {
        wrong.push(format!("nobody answered anything, and the record says: {answered:?}"));
    }
    judged(wrong.is_empty(), format!("{} rows on Claude Code; wrong: {wrong:?}", rows.len() + 1))
}

/// Claude Code at a terminal of its own, in a project that it trusts.
pub fn claude_at_terminal(user: &User, claude: &Path, model: &Model, mode: &str) -> Terminal {
    let config = json!({"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
        "projects": {user.project().display().to_string(): {"hasTrustDialogAccepted": true,
            "hasCompletedProjectOnboarding": true}}});
    user.write(&user.home.join(".claude.json"), &config.to_string());
    let script = quiet(user.command("/usr/bin/script"), user, model);
    Terminal::start(script, &format!("{} --permission-mode {mode}", claude.display()))
}

/// What Claude Code shows when it is ready, and its dialog.
pub const CLAUDE_READY: &[&str] = &["for shortcuts", "shift+tab"];
pub const CLAUDE_ASKS: &[&str] = &["Do you want to proceed?"];

pub fn until(done: impl Fn() -> bool) -> bool {
    let over = Instant::now() + Duration::from_secs(20);
    while Instant::now() < over {
        if done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// The answers in the record: event, presence and decision.
pub fn answers(user: &User) -> Vec<(String, String, String)> {
    user.end_service();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let approvals = user.ledger().into_iter().filter(|entry| entry["kind"] == "approval");
    approvals
        .map(|entry| (text(&entry["event"]), text(&entry["presence"]), text(&entry["decision"])))
        .collect()
}

fn claude_dialogs(world: &World) -> Tried {
    let claude = match program("claude") {
        Ok(claude) => claude,
        Err(lacking) => return lacking,
    };
    let mut wrong = Vec::new();
    // Settings, mode, the key that is pressed, whether it then runs, and what the record says.
    let rows = [
        ("", "default", "1", true, ("answered", "client_dialog", "allowed")),
        (ASKING, "bypassPermissions", "1", true, ("answered", "client_dialog", "allowed")),
        (ASKING, "bypassPermissions", "2", false, ("unclear", "", "")),
        (ASKING, "auto", "2", false, ("unclear", "", "")),
        ("", "acceptEdits", "1", true, ("answered", "client_dialog", "allowed")),
    ];
    for (settings, mode, key, runs, record) in rows {
        let user = world.user();
        user.settings(settings);
        let (code, installed) = user.doorward(&["install", "claude-code"]);
        assert_eq!(code, 0, "{installed}");
        // acceptEdits is tried with a command that Claude Code itself would run without a word.
        let command = if mode == "acceptEdits" { "touch ../RAN && mv ../RAN RAN" } else { PROGRAM };
        let model = Model::start(Wire::Anthropic, "Bash", json!({"command": command, "description": "x"}));
        let mut session = claude_at_terminal(&user, &claude, &model, mode);
        let Some(shown) = session.dialog(CLAUDE_READY, CLAUDE_ASKS) else {
            wrong.push(format!("{mode} {settings:?}: no dialog: {}", session.drawn()));
            continue;
        };
        if !settings.is_empty() && !shown.contains("Doorward:") {
            wrong.push(format!("{mode}: the dialog doesn't say why: {shown}"));
        }
        session.type_in(key);
        let done = || if runs { user.project().join("RAN").exists() } else { !model.results().is_empty() };
        if runs {
            until(done);
            until(|| !model.results().is_empty());
        } else {
            std::thread::sleep(Duration::from_secs(2));
            // The next prompt begins another turn: the one before is over.
            session.enter("more");
            std::thread::sleep(Duration::from_secs(3));
        }
        std::thread::sleep(Duration::from_millis(500));
        let did = user.project().join("RAN").exists();
        let found = answers(&user);
        let expected = (record.0.to_owned(), record.1.to_owned(), record.2.to_owned());
        // What only the client's transcript says is recorded as its claim, and the call as one that may have run.
        let claimed = user.ledger().iter().any(|entry| entry["via"] == "client_transcript")
            && user.ledger().iter().any(|entry| entry["outcome"] == "unobserved");
        if did != runs || found.first() != Some(&expected) || claimed == runs {
            wrong
                .push(format!("{mode} {settings:?} {key}: ran {did}, recorded {found:?}, claimed {claimed}"));
        }
    }
    judged(wrong.is_empty(), format!("5 dialogs of Claude Code; wrong: {wrong:?}"))
}

fn claude_bound_dialog(world: &World) -> Tried {
    let claude = match program("claude") {
        Ok(claude) => claude,
        Err(lacking) => return lacking,
    };
    let user = world.user();
    user.settings("[hooks]\nshell = \"bind\"\n");
    let (code, installed) = user.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{installed}");
    let model = Model::start(Wire::Anthropic, "Bash", json!({"command": PROGRAM, "description": "x"}));
    let mut session = claude_at_terminal(&user, &claude, &model, "default");
    let Some(shown) = session.dialog(CLAUDE_READY, CLAUDE_ASKS) else {
        return Tried::Succeeded(format!("no dialog: {}\n{}", session.drawn(), user.log()));
    };
    let named = shown.contains("touchRAN") && shown.contains("Doorwardruns");
    let offers = ["don'taskagain", "alwaysallow"].iter().any(|words| shown.contains(words));
    session.type_in("1");
    let did = until(|| user.project().join("RAN").exists());
    drop(session);
    let found = answers(&user);
    let bound = user.ledger().iter().any(|entry| entry["kind"] == "decision" && entry["custody"] == "bound");
    // With a rule for the program in place of every command, nothing passes.
    user.write(
        &user.home.join(".claude/settings.local.json"),
        r#"{"permissions": {"allow": ["Bash(doorward-thin:*)"]}}"#,
    );
    user.sh("mkdir -p project/.claude && mv .claude/settings.local.json project/.claude/; rm -f project/RAN");
    let told = claude_turn(&user, &claude, "bypassPermissions", PROGRAM);
    let refused = told.contains("client.rule_too_wide") && !user.project().join("RAN").exists();
    let yes = ("answered".to_owned(), "client_dialog".to_owned(), "allowed".to_owned());
    judged(
        named && !offers && did && bound && found.first() == Some(&yes) && refused,
        format!(
            "named {named}, offers for good {offers}, ran {did}, bound {bound}, {found:?}, refused {refused}: {told}"
        ),
    )
}

fn codex_headless(world: &World) -> Tried {
    let codex = match program("codex") {
        Ok(codex) => codex,
        Err(lacking) => return lacking,
    };
    let user = world.user();
    let mut wrong = Vec::new();
    let rows: &[(&str, bool, &str)] = &[
        ("[rules]\ndeny = [\"shell(touch *)\"]\n", false, "Doorward denied this"),
        (ASKING, false, "doorward approve"),
        ("", true, ""),
    ];
    for (settings, runs, words) in rows {
        user.settings(settings);
        let begun = Instant::now();
        let (told, said) = codex_turn(&user, &codex);
        let did = ran(&user);
        if did != *runs || !told.contains(words) || begun.elapsed() > Duration::from_secs(30) {
            wrong.push(format!("{settings:?}: ran {did}, told {told}, {said}"));
        }
    }
    judged(wrong.is_empty(), format!("{} rows on Codex; wrong: {wrong:?}", rows.len()))
}
