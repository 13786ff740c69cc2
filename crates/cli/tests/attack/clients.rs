//! The real coding agents, run by an ordinary user against a model on loopback: what Doorward tells them is what they
//! do. docs/emission.md says what that is; here each distinct reply is tried once.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::model::{Model, Wire};
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
    let tools = std::env::var_os("DOORWARD_TOOLS").map(PathBuf::from);
    let found = tools.map(|tools| tools.join("node_modules/.bin").join(name)).filter(|place| place.exists());
    found.ok_or_else(|| {
        Tried::Lacking(format!("the npm package with `{name}`; `cargo xtask test` installs it"))
    })
}

fn quiet(mut command: Command, user: &User, model: &Model) -> Command {
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

/// One turn of Claude Code without a terminal: what its model was told.
pub fn claude_turn(user: &User, claude: &std::path::Path, mode: &str, command: &str) -> String {
    let model = Model::start(Wire::Anthropic, "Bash", json!({"command": command, "description": "x"}));
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
pub fn codex_turn(user: &User, codex: &std::path::Path) -> (String, String) {
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
    let claude = match program("claude") {
        Ok(claude) => claude,
        Err(lacking) => return lacking,
    };
    let user = world.user();
    let (code, installed) = user.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{installed}");
    // Settings, mode, whether it runs, and what the model is told.
    let rows: &[(&str, &str, bool, &str)] = &[
        ("[rules]\ndeny = [\"shell(touch *)\"]\n", "bypassPermissions", false, "Doorward denied this"),
        (ASKING, "bypassPermissions", false, "run exactly this again"),
        (ASKING, "default", false, "doorward approvals approve"),
        ("", "default", false, ""),
        ("", "bypassPermissions", true, ""),
        ("[rules]\nallow = [\"shell(touch *)\"]\n", "default", true, ""),
    ];
    let mut wrong = Vec::new();
    for (settings, mode, runs, words) in rows {
        user.settings(settings);
        let told = claude_turn(&user, &claude, mode, PROGRAM);
        let did = ran(&user);
        if did != *runs || !told.contains(words) || (words.is_empty() && told.contains("Doorward")) {
            wrong.push(format!("{settings:?} {mode}: ran {did}, told {told}"));
        }
    }
    user.settings("");
    let told = claude_turn(&user, &claude, "bypassPermissions", "rm -rf .git");
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

/// A Claude Code at a terminal of its own.
struct Session {
    child: Child,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Session {
    fn start(user: &User, claude: &std::path::Path, model: &Model, mode: &str) -> Self {
        let config = json!({"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
            "projects": {user.project().display().to_string(): {"hasTrustDialogAccepted": true,
                "hasCompletedProjectOnboarding": true}}});
        user.write(&user.home.join(".claude.json"), &config.to_string());
        let line = format!("stty rows 40 cols 140; exec {} --permission-mode {mode}", claude.display());
        let mut script = quiet(user.command("/usr/bin/script"), user, model);
        let mut child = script
            .args(["-qefc", &line, "/dev/null"])
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let screen: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (mut from, kept) = (child.stdout.take().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut piece) {
                kept.lock().unwrap().extend_from_slice(&piece[..read]);
            }
        });
        Self { child, screen }
    }

    fn type_in(&mut self, keys: &str) {
        self.child.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// What was drawn, without escape sequences and white space: words are placed by moving the cursor.
    fn drawn(&self) -> String {
        let bytes = self.screen.lock().unwrap().clone();
        let mut drawn = String::new();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut letters = text.chars().peekable();
        while let Some(ch) = letters.next() {
            if ch == '\u{1b}' {
                if letters.next() == Some('[') {
                    while letters.next().is_some_and(|ch| !ch.is_ascii_alphabetic() && ch != '~') {}
                }
            } else if !ch.is_whitespace() && !ch.is_control() {
                drawn.push(ch);
            }
        }
        drawn
    }

    /// Waits until one of these is drawn.
    fn wait_for(&self, any: &[&str]) -> bool {
        let plain = |words: &&str| words.chars().filter(|ch| !ch.is_whitespace()).collect::<String>();
        let wanted: Vec<String> = any.iter().map(plain).collect();
        let until = Instant::now() + Duration::from_secs(40);
        while Instant::now() < until {
            let drawn = self.drawn();
            if wanted.iter().any(|words| drawn.contains(words)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }

    /// Asks for something and waits for the dialog; what it shows.
    fn dialog(&mut self) -> Option<String> {
        if !self.wait_for(&["for shortcuts", "shift+tab"]) {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1_500));
        self.type_in("go");
        std::thread::sleep(Duration::from_millis(300));
        self.type_in("\r");
        self.wait_for(&["Do you want to proceed?"]).then(|| {
            std::thread::sleep(Duration::from_millis(700));
            self.drawn()
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Its terminal goes, and with it everything on it.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn until(done: impl Fn() -> bool) -> bool {
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
fn answers(user: &User) -> Vec<(String, String, String)> {
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
        (ASKING, "bypassPermissions", "2", false, ("answered", "client_dialog", "denied")),
        (ASKING, "auto", "2", false, ("answered", "client_dialog", "denied")),
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
        let mut session = Session::start(&user, &claude, &model, mode);
        let Some(shown) = session.dialog() else {
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
            session.type_in("more");
            std::thread::sleep(Duration::from_millis(300));
            session.type_in("\r");
            std::thread::sleep(Duration::from_secs(3));
        }
        std::thread::sleep(Duration::from_millis(500));
        let did = user.project().join("RAN").exists();
        let found = answers(&user);
        let expected = (record.0.to_owned(), record.1.to_owned(), record.2.to_owned());
        if did != runs || found.first() != Some(&expected) {
            wrong.push(format!("{mode} {settings:?} {key}: ran {did}, recorded {found:?}"));
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
    let mut session = Session::start(&user, &claude, &model, "default");
    let Some(shown) = session.dialog() else {
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
        (ASKING, false, "doorward approvals approve"),
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
