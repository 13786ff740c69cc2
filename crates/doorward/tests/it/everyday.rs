//! Sixty everyday sessions, call by call through the hook of Claude Code: how many questions Doorward adds to those that
//! the client asks by itself, and how many of these it saves. `testdata/everyday/README.md` describes the sessions.
//!
//! `cargo test -p doorward --test it everyday -- --nocapture` prints every question with its sentence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use doorward::hook::{Peer, answer};
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::approval::Presence;
use doorward_core::tool::Client;
use doorward_store::{Answering, Store};
use serde_json::{Value, json};

const FIELDS: [&str; 8] = ["web", "python", "rust", "go", "data", "ops", "embedded", "writing"];

/// One line of a session.
struct EverydayCall {
    /// The client alone asks.
    client_asks: bool,
    /// What is right: `.`, `?`, `y` or `x`.
    right: char,
    /// The command is carried out in the project.
    really_run: bool,
    tool: String,
    text: String,
}

struct Session {
    id: String,
    mode: String,
    calls: Vec<EverydayCall>,
}

/// What the client was told about a call.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
enum Emitted {
    NoOpinion,
    Allow,
    Ask,
    Deny,
}

#[derive(Default)]
struct Tally {
    calls: usize,
    /// Questions of the client alone.
    client_alone: usize,
    /// Questions that a person meets with Doorward.
    questions: usize,
    /// Questions and denials where the client alone would run the call, or denials where it would ask.
    beyond: usize,
    /// Those of them that are not right.
    wrong: usize,
    /// Calls that should be stopped and that nobody asks about.
    missed: Vec<String>,
    /// One line for each question beyond the client's own.
    list: Vec<String>,
    /// Questions of ours in the place of the client's own, where none of ours is right.
    in_its_place: Vec<String>,
    /// Questions of the client's own that stay its own: what they are about, and what it was.
    left: BTreeMap<&'static str, Vec<String>>,
    /// Questions that said what would let the call pass, where that was then done.
    followed: usize,
    /// Those whose call didn't pass then.
    untrue: Vec<String>,
}

/// What a question of the client's own is about, by the tool or the first words of the command that begin with one of
/// these.
const ABOUT: &[(&str, &[&str])] = &[
    ("edits of files", &["Edit", "Write", "NotebookEdit"]),
    ("pages and searches of the web", &["WebFetch", "WebSearch"]),
    ("tools of MCP servers", &["mcp__"]),
    ("plans", &["ExitPlanMode"]),
    (
        "tests, builds and checks, which run the project's code",
        &[
            "cargo test",
            "cargo build",
            "cargo run",
            "cargo check",
            "cargo clippy",
            "cargo bench",
            "cargo doc",
            "cargo fmt",
            "cargo nextest",
            "cargo expand",
            "cargo flamegraph",
            "cargo miri",
            "npm test",
            "npm run",
            "npx",
            "pnpm",
            "yarn",
            "node",
            "python",
            "pytest",
            "ruff",
            "mypy",
            "black",
            "tox",
            "go test",
            "go build",
            "go run",
            "go vet",
            "go generate",
            "golangci-lint",
            "staticcheck",
            "gofmt",
            "make",
            "cmake",
            "ninja",
            "west",
            "pio",
            "idf.py",
            "hugo",
            "pandoc",
            "mdbook",
            "dbt",
            "Rscript",
            "jupyter",
            "tsc",
            "vite",
            "latexmk",
            "vale",
            "bundle",
            "arduino-cli",
            "dvc",
            "prettier",
            "eslint",
            "uv run",
            "poetry run",
            ".venv",
            "./",
            "sh ",
            "bash ",
            "DATABASE_URL",
            "RUST",
            "CGO",
            "GO",
            "NODE",
            "PYTHON",
            "CI=",
        ],
    ),
    ("git: commits, branches, remotes", &["git"]),
    (
        "packages: installs and updates",
        &[
            "npm install",
            "npm i ",
            "npm ci",
            "npm uninstall",
            "pip",
            "uv ",
            "poetry",
            "cargo add",
            "cargo update",
            "cargo install",
            "go get",
            "go mod",
            "go install",
            "apt",
            "brew",
            "rustup",
            "conda",
        ],
    ),
    (
        "hosts, containers and clusters",
        &[
            "curl",
            "wget",
            "ssh",
            "scp",
            "rsync",
            "docker",
            "kubectl",
            "helm",
            "terraform",
            "ansible",
            "aws",
            "gcloud",
            "psql",
            "gh ",
            "kind",
            "nc ",
            "ping",
            "dig",
            "systemctl",
            "journalctl",
            "mysql",
            "redis-cli",
            "sqlite3",
            "duckdb",
        ],
    ),
    (
        "files: made, moved, deleted, changed in place",
        &[
            "mkdir", "touch", "rm", "mv", "cp", "sed", "chmod", "ln", "tar", "unzip", "zip", "gzip", "echo",
            "printf", "cat", "tee", "find", "for", "convert", "split",
        ],
    ),
];

fn about(call: &EverydayCall) -> &'static str {
    let text = if call.tool == "Bash" { &call.text } else { &call.tool };
    // Packages come before the programs that also build.
    let packages = ABOUT.iter().filter(|(name, _)| name.starts_with("packages"));
    let mut all = packages.chain(ABOUT.iter());
    all.find(|(_, begin)| begin.iter().any(|begin| text.starts_with(begin))).map_or("other", |(name, _)| name)
}

/// What to look at.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Look {
    /// What is asked.
    Questions,
    /// What each question says about itself: it is done, and the call made again.
    TheirWord,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/everyday")
}

fn sessions(field: &str) -> Vec<Session> {
    let text = std::fs::read_to_string(folder().join(format!("{field}.txt"))).unwrap();
    let mut sessions: Vec<Session> = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let (id, rest) = head.split_once(' ').unwrap();
            let (mode, _) = rest.split_once(": ").unwrap();
            sessions.push(Session { id: id.to_owned(), mode: mode.to_owned(), calls: Vec::new() });
            continue;
        }
        let (marks, rest) = line.split_once(' ').unwrap_or_else(|| panic!("{field}: {line}"));
        let (tool, text) = rest.split_once(": ").unwrap_or_else(|| panic!("{field}: {line}"));
        let marks: Vec<char> = marks.chars().collect();
        assert!(matches!(marks[0], '.' | '?') && ".?yx".contains(marks[1]), "{field}: {line}");
        sessions.last_mut().unwrap().calls.push(EverydayCall {
            client_asks: marks[0] == '?',
            right: marks[1],
            really_run: marks.get(2) == Some(&'!'),
            tool: tool.to_owned(),
            text: text.to_owned(),
        });
    }
    sessions
}

/// The project of a field, made by its script.
fn project(field: &str, at: &Path) {
    std::fs::create_dir_all(at).unwrap();
    let script = folder().join(format!("{field}.sh"));
    let status = shell(at).arg("-e").arg(script).status().unwrap();
    assert!(status.success(), "{field}.sh");
}

/// A shell in the project that knows no settings of whoever runs the test.
fn shell(project: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.current_dir(project).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.com"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.com"),
    ] {
        command.env(name, value);
    }
    command
}

/// The arguments as Claude Code sends them.
fn input(call: &EverydayCall, project: &Path) -> Value {
    let shown = project.display().to_string();
    let text = call.text.replace("\\n", "\n").replace("\\t", "\t").replace("$P/", &format!("{shown}/"));
    let file = |name: &str| project.join(name).display().to_string();
    let (front, back) = text.split_once(" :: ").unwrap_or((&text, ""));
    match call.tool.as_str() {
        "Bash" => json!({"command": text, "description": "Run it"}),
        "Read" => json!({"file_path": file(&text)}),
        "Write" => json!({"file_path": file(front), "content": back}),
        "Edit" => {
            let (old, new) = back.split_once(" => ").unwrap_or((back, ""));
            json!({"file_path": file(front), "old_string": old, "new_string": new, "replace_all": false})
        }
        "NotebookEdit" => json!({"notebook_path": file(front), "new_source": back, "edit_mode": "insert"}),
        "Grep" => {
            let (pattern, path) = text.rsplit_once(" @ ").unwrap();
            json!({"pattern": pattern, "path": file(path), "output_mode": "content"})
        }
        "Glob" => json!({"pattern": text}),
        "WebFetch" => json!({"url": text, "prompt": "What does it say?"}),
        "WebSearch" => json!({"query": text}),
        "Task" => json!({"description": text, "prompt": text, "subagent_type": "Explore"}),
        "TodoWrite" => json!({"todos": [{"content": text, "status": "pending", "activeForm": text}]}),
        "ExitPlanMode" => json!({"plan": text}),
        tool if tool.starts_with("mcp__") => serde_json::from_str(&text).unwrap(),
        tool => panic!("no such tool: {tool}"),
    }
}

/// What the call leaves in the project.
fn carry_out(call: &EverydayCall, input: &Value, project: &Path) {
    match call.tool.as_str() {
        "Bash" if call.really_run => {
            shell(project).arg("-c").arg(input["command"].as_str().unwrap()).status().unwrap();
        }
        "Write" => {
            let path = Path::new(input["file_path"].as_str().unwrap());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, input["content"].as_str().unwrap()).unwrap();
        }
        "Edit" => {
            let path = Path::new(input["file_path"].as_str().unwrap());
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let (old, new) = (input["old_string"].as_str().unwrap(), input["new_string"].as_str().unwrap());
            if path.exists() {
                std::fs::write(path, text.replacen(old, new, 1)).unwrap();
            }
        }
        _ => {}
    }
}

fn emitted(stdout: &str) -> (Emitted, String) {
    let value: Value = serde_json::from_str(stdout).unwrap_or_default();
    let specific = &value["hookSpecificOutput"];
    let reason = specific["permissionDecisionReason"].as_str().unwrap_or_default().to_owned();
    let emitted = match specific["permissionDecision"].as_str() {
        Some("allow") => Emitted::Allow,
        Some("ask") => Emitted::Ask,
        Some("deny") => Emitted::Deny,
        _ => Emitted::NoOpinion,
    };
    (emitted, reason)
}

/// The rules of a printed line, each in single quotes as a shell reads them.
fn rules_of(line: &str) -> Vec<String> {
    let mut rules = Vec::new();
    let mut rest = line;
    while let Some(text) = rest.strip_prefix('\'') {
        let mut rule = String::new();
        let mut text = text;
        loop {
            let (part, after) = text.split_once('\'').expect("a quote that ends");
            rule.push_str(part);
            match after.strip_prefix("\\''") {
                Some(more) => {
                    rule.push('\'');
                    text = more;
                }
                None => {
                    rest = after.trim_start();
                    break;
                }
            }
        }
        rules.push(rule);
    }
    rules
}

/// Does what a question says would let its call pass, and makes the call again: whether it said what to do, and whether
/// the call then passed. A question that only a person answers, in the client's own dialog, can't be followed here.
async fn follow(
    door: &Door,
    settings: &Path,
    reason: &str,
    again: impl AsyncFn() -> Emitted,
) -> Option<bool> {
    if let Some(line) = reason.split("To be asked no more: doorward allow ").nth(1) {
        let list = rules_of(line);
        assert!(!list.is_empty(), "{reason}");
        let before = std::fs::read_to_string(settings).unwrap();
        std::fs::write(settings, format!("{before}\n[rules]\nallow = {list:?}\n")).unwrap();
        tokio::time::sleep(TAKEN_UP).await;
        let told = again().await;
        std::fs::write(settings, before).unwrap();
        tokio::time::sleep(TAKEN_UP).await;
        return Some(told == Emitted::Allow || told == Emitted::NoOpinion);
    }
    let Some(queued) = reason.split("doorward approve ").nth(1) else {
        assert!(reason.contains("No rule lifts this question"), "{reason}");
        return None;
    };
    // The last letters of its id.
    let name = queued.split('`').next()?;
    let yes = Answering {
        typed: Some("I confirm".to_owned()),
        ..Answering::new("ada", Presence::Terminal, "cli", true)
    };
    let broker = door.approvals().broker().unwrap();
    let waiting = broker.store().pending(jiff::Timestamp::now()).await.unwrap();
    let mut named = waiting.iter().filter(|record| record.ask.id.as_str().ends_with(name));
    let id = named.next().expect("a question of that name").ask.id.clone();
    broker.answer(&id, &yes).await.unwrap();
    Some(again().await == Emitted::Allow)
}

/// What a user may write for tools of everyday use. Nothing but a user's own rule waives a client's prompt for a call that
/// changes something.
const OWN_RULES: &str = r#"
[hooks]
relieve = "proven"
[rules]
allow = [
    "Edit(**)", "shell(cargo *)", "shell(npm *)", "shell(npx *)", "shell(pytest *)", "shell(python *)", "shell(go *)",
    "shell(make *)", "shell(git add *)", "shell(git commit *)", "shell(git checkout *)", "shell(git stash *)",
    "shell(git push)", "shell(docker compose *)", "shell(gh run *)", "shell(curl *)",
]
"#;

/// A running service takes an edit of its settings up within this time.
const TAKEN_UP: Duration = Duration::from_millis(800);

async fn run(
    session: &Session,
    door: &Door,
    project: &Path,
    (look, settings): (Look, &Path),
    tally: &mut Tally,
) {
    let peer = Peer { uid: nix::unistd::getuid().as_raw(), pid: None };
    for (at, call) in session.calls.iter().enumerate() {
        let input = input(call, project);
        let event_of = |name: &str, id: String| {
            json!({"session_id": session.id, "cwd": project, "permission_mode": session.mode,
                "hook_event_name": name, "tool_name": call.tool, "tool_input": input,
                "tool_response": {"stdout": ""}, "tool_use_id": id})
            .to_string()
        };
        let event = |name: &str| event_of(name, format!("{}-{at}", session.id));
        let pre = event("PreToolUse");
        let reply =
            answer(door, peer, Client::ClaudeCode, pre.as_bytes(), Some(Duration::from_secs(2))).await;
        let (mut told, mut reason) = emitted(&reply.stdout);
        if reply.exit == 2 {
            (told, reason) = (Emitted::Deny, reply.stderr.clone());
        }
        let stopped = matches!(told, Emitted::Ask | Emitted::Deny);
        let wanted = call.right != '.';
        let line = || {
            let shown = call.text.chars().take(110).collect::<String>();
            format!("{} `{}: {shown}`\n      {told:?}: {reason}", session.id, call.tool)
        };
        // A denial that nobody can lift has nothing to say about that.
        if look == Look::TheirWord && stopped && !reason.contains("Doorward denied this") {
            let again = async || {
                let event = event_of("PreToolUse", format!("{}-{at}-again", session.id));
                let left = Some(Duration::from_secs(2));
                emitted(&answer(door, peer, Client::ClaudeCode, event.as_bytes(), left).await.stdout).0
            };
            let passed = follow(door, settings, &reason, again).await;
            tally.followed += usize::from(passed.is_some());
            if passed == Some(false) {
                tally.untrue.push(line());
            }
        }
        tally.calls += 1;
        tally.client_alone += usize::from(call.client_asks);
        tally.questions += usize::from(stopped || (call.client_asks && told != Emitted::Allow));
        if call.client_asks && told == Emitted::NoOpinion {
            tally.left.entry(about(call)).or_default().push(call.text.chars().take(90).collect());
        }
        let beyond = stopped && (!call.client_asks || (told == Emitted::Deny && !wanted));
        if beyond {
            tally.beyond += 1;
            tally.wrong += usize::from(!wanted);
            tally.list.push(format!("{} {}", if wanted { "right" } else { "WRONG" }, line()));
        } else if stopped && !wanted {
            tally.in_its_place.push(line());
        }
        if wanted && !stopped && (!call.client_asks || told == Emitted::Allow) {
            tally.missed.push(line());
        }
        if !stopped || (call.right == 'y' && told == Emitted::Ask) {
            carry_out(call, &input, project);
            let post = event("PostToolUse");
            answer(door, peer, Client::ClaudeCode, post.as_bytes(), None).await;
        }
    }
}

/// All sessions, each in a project and with a service of its own.
async fn measure(settings: &str, look: Look) -> Tally {
    let mut tally = Tally::default();
    // One session alone, for whoever looks into it.
    let only = std::env::var("EVERYDAY").ok();
    for field in FIELDS {
        for session in
            sessions(field).into_iter().filter(|session| only.as_ref().is_none_or(|id| &session.id == id))
        {
            let base = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            let (state, project_folder) = (base.path().join("state"), base.path().join(field));
            std::fs::create_dir_all(&state).unwrap();
            std::fs::write(state.join("doorward.toml"), settings).unwrap();
            project(field, &project_folder);
            let file = state.join("doorward.toml");
            let places = Places { user: Some(file.clone()), admin: None };
            std::fs::set_permissions(&state, PermissionsExt::from_mode(0o700)).unwrap();
            let store = Store::open_file(&state.join("doorward.db")).await.unwrap();
            let remembered = doorward::anchoring::Remembered::OfItsFolder;
            let door = Door::open_with_store(Options::at(state, places), store, remembered).await.unwrap();
            run(&session, &door, &project_folder, (look, &file), &mut tally).await;
            door.close().await;
        }
    }
    tally
}

fn show(name: &str, tally: &Tally) -> String {
    let mut text = format!(
        "{name}: {} calls; the client alone asks {}, with Doorward {} questions; {} beyond the client's own \
         ({} wrong), {:.1} of 100 calls; {} in the place of the client's own; {} missed\n",
        tally.calls,
        tally.client_alone,
        tally.questions,
        tally.beyond,
        tally.wrong,
        100.0 * tally.beyond as f64 / tally.calls as f64,
        tally.in_its_place.len(),
        tally.missed.len()
    );
    for (title, lines) in [
        ("beyond the client's own", &tally.list),
        ("in the place of the client's own", &tally.in_its_place),
        ("missed", &tally.missed),
    ] {
        writeln!(text, "  {title}:").unwrap();
        lines.iter().for_each(|line| writeln!(text, "    {line}").unwrap());
    }
    writeln!(text, "  left to the client:").unwrap();
    for (about, calls) in &tally.left {
        writeln!(text, "    {:>4} {about}", calls.len()).unwrap();
        if std::env::var_os("EVERYDAY_LEFT").is_some() {
            calls.iter().for_each(|call| writeln!(text, "           {call}").unwrap());
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_work_is_hardly_interrupted() {
    let off = measure("", Look::Questions).await;
    println!("{}", show("relieve = off", &off));
    let proven = measure("[hooks]\nrelieve = \"proven\"\n", Look::Questions).await;
    println!("{}", show("relieve = proven", &proven));
    let own = measure(OWN_RULES, Look::Questions).await;
    println!("{}", show("relieve = proven, and sixteen rules of the user's", &own));
    // The bounds of docs/figures.md: at most three questions for each hundred calls beyond the client's own, and with
    // `relieve` fewer than the client alone.
    assert!(off.calls >= 900, "{} calls", off.calls);
    assert!(100 * off.beyond <= 3 * off.calls, "{} of {}", off.beyond, off.calls);
    assert!(100 * off.wrong <= off.calls, "{} wrong of {}", off.wrong, off.calls);
    assert!(proven.questions < proven.client_alone, "{} {}", proven.questions, proven.client_alone);
    assert!(own.questions < proven.questions, "{} {}", own.questions, proven.questions);
    // The user's rules for whole programs let nothing pass that should be asked about.
    assert_eq!(own.missed, proven.missed);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_question_says_would_let_the_call_pass_does() {
    let tally = measure("", Look::TheirWord).await;
    println!("{} questions followed; untrue:", tally.followed);
    tally.untrue.iter().for_each(|line| println!("    {line}"));
    assert!(tally.followed >= 20, "{}", tally.followed);
    assert!(tally.untrue.is_empty(), "{:#?}", tally.untrue);
}
