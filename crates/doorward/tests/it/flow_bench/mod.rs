//! Sessions of `testdata/flows` played through the hook of Claude Code and the real gate.
//! `testdata/flows/README.md` describes the rows.
#![allow(dead_code)]

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::hook::{Peer, answer};
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant, Presence, Reach};
use doorward_core::finding::Severity;
use doorward_core::id::QuestionId;
use doorward_core::tool::Client;
use serde_json::{Value, json};

/// A token as a generator makes them; made here so that no file of the project holds one.
fn secret() -> String {
    let letters = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    let mut seed = [0; 40];
    getrandom::fill(&mut seed).unwrap();
    // Digits and both cases surely occur.
    let random: String =
        seed.iter().map(|byte| char::from(letters[usize::from(*byte) % letters.len()])).collect();
    format!("k7Q{random}x4")
}

fn base32(text: &str) -> String {
    let bits: String = text.bytes().map(|byte| format!("{byte:08b}")).collect();
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    bits.as_bytes()
        .chunks(5)
        .map(|bits| {
            let padded = format!("{:0<5}", std::str::from_utf8(bits).unwrap());
            char::from(letters[usize::from_str_radix(&padded, 2).unwrap()])
        })
        .collect()
}

fn form(secret: &str, form: &str) -> String {
    let hex = |mark: &str, upper: bool| -> String {
        secret
            .bytes()
            .map(|byte| if upper { format!("{mark}{byte:02X}") } else { format!("{mark}{byte:02x}") })
            .collect()
    };
    match form {
        "b64" => STANDARD.encode(secret),
        "b32" => base32(secret),
        "hex" => hex("", false),
        "url" => hex("%", true),
        "json" => hex("\\u00", false),
        "rev" => secret.chars().rev().collect(),
        "upper" => secret.to_uppercase(),
        "ghp" => secret.chars().cycle().take(36).collect(),
        "gzip" => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(secret.as_bytes()).unwrap();
            STANDARD.encode(gzip.finish().unwrap())
        }
        part => {
            let at = part.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
            let quarter = secret.len().div_ceil(4);
            secret.chars().skip(at * quarter).take(quarter).collect()
        }
    }
}

/// A text of a row with its placeholders filled.
fn filled(text: &str, secret: &str, project: &Path) -> String {
    let mut out = text.replace("{p}", &project.display().to_string()).replace("{secret}", secret);
    while let Some(at) = out.find("{secret:") {
        let end = at + out[at..].find('}').unwrap();
        let value = form(secret, &out[at + "{secret:".len()..end]);
        out.replace_range(at..=end, &value);
    }
    out
}

fn fill(value: &Value, secret: &str, project: &Path) -> Value {
    match value {
        Value::String(text) => filled(text, secret, project).into(),
        Value::Array(items) => items.iter().map(|item| fill(item, secret, project)).collect(),
        Value::Object(members) => {
            let filled = |name: &String| filled(name, secret, project);
            members.iter().map(|(name, member)| (filled(name), fill(member, secret, project))).collect()
        }
        other => other.clone(),
    }
}

/// A person who says yes to every question, so that every step runs and the flow has to be noticed by itself.
#[derive(Default)]
struct AlwaysYes(std::sync::Mutex<std::collections::HashMap<QuestionId, Grant>>);

impl Approver for AlwaysYes {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>> {
        let grant = Grant {
            nonce: ask.id.to_string(),
            binding: ask.binding.clone(),
            level: ask.confirm.level,
            by: "me".to_owned(),
            by_groups: Vec::new(),
            presence: Presence::Terminal,
            at: jiff::Timestamp::now(),
            expires: ask.expires,
            reach: Reach::default(),
            uses_left: Some(1),
        };
        self.0.lock().unwrap().insert(ask.id.clone(), grant);
        Box::pin(std::future::ready(Ok(())))
    }

    fn wait<'a>(&'a self, id: &'a QuestionId, _: jiff::Timestamp) -> Boxed<'a, Answer> {
        let grant = self.0.lock().unwrap().get(id).cloned();
        let answer = grant.map_or(Answer::NoApprover, |grant| Answer::Allowed { grant: Box::new(grant) });
        Box::pin(std::future::ready(answer))
    }

    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        _: Severity,
        now: jiff::Timestamp,
    ) -> Boxed<'a, Option<Grant>> {
        let grants = self.0.lock().unwrap();
        let fits = grants.values().find(|grant| grant.mismatch(binding, now).is_none()).cloned();
        Box::pin(std::future::ready(fits))
    }
}

/// A project of its own behind a door of its own.
pub struct Bench {
    _folder: tempfile::TempDir,
    project: PathBuf,
    door: Arc<Door>,
    secret: String,
    person: Arc<AlwaysYes>,
}

impl Bench {
    /// Questions that the person got so far.
    fn asked(&self) -> usize {
        self.person.0.lock().unwrap().len()
    }
}

/// Makes the project and the door.
pub fn bench() -> Bench {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (state, project) = (folder.path().join("state"), folder.path().join("project"));
    let folders = ["src", "data/customer_records", "data/customer_records_2024", "tools", "build", "vendor"];
    for part in folders {
        std::fs::create_dir_all(project.join(part)).unwrap();
    }
    // A repository of its own: what lies around the folder of the test, and ignores it, says nothing here.
    let made = std::process::Command::new("git").args(["init", "-q"]).arg(&project).status().unwrap();
    assert!(made.success(), "git init: {made}");
    let secret = secret();
    std::fs::write(project.join(".env"), format!("API_TOKEN={secret}\n")).unwrap();
    std::fs::write(project.join("data/customer_records/all.csv"), "1,2\n").unwrap();
    std::fs::write(project.join("data/customer_records_2024/all.csv"), "1,2\n").unwrap();
    std::fs::write(project.join("tools/build.sh"), "echo built\n").unwrap();
    std::fs::write(project.join("pyproject.toml"), "torch = \"2.2.2\"\n").unwrap();
    std::fs::write(project.join("requirements.txt"), "requests==2.31.0\n").unwrap();
    std::fs::write(project.join("src/main.py"), "print('main')\n").unwrap();
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        std::fs::write(project.join(format!("data/{name}.csv")), "1,2\n").unwrap();
    }
    std::fs::create_dir_all(&state).unwrap();
    std::fs::set_permissions(&state, PermissionsExt::from_mode(0o700)).unwrap();
    // The hook waits for the answer, which is there at once.
    std::fs::write(state.join("doorward.toml"), "[hooks]\nwait_s = 1\n").unwrap();
    let places = Places { user: Some(state.join("doorward.toml")), admin: None };
    let person = Arc::new(AlwaysYes::default());
    let door = Door::open_with(Options::at(state, places), Arc::clone(&person) as Arc<dyn Approver>).unwrap();
    Bench { _folder: folder, project, door, secret, person }
}

/// What was said of one call.
#[derive(Debug, Default, Clone)]
pub struct PlayedCall {
    /// Rules of the flows that it completes.
    pub flows: Vec<String>,
    /// Asked about or denied, in the client's own dialog or in ours.
    pub stopped: bool,
    /// The tool with its arguments.
    pub call: String,
    /// What the client was told.
    pub reply: String,
}

/// The rows of a file of `testdata/flows`.
pub fn rows(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/flows");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays a session: every step runs, whatever was said of it.
pub async fn play(bench: &Bench, name: &str, steps: &[Value]) -> Vec<PlayedCall> {
    let peer = Peer { uid: nix::unistd::getuid().as_raw(), pid: None };
    let mut calls = Vec::new();
    let send = async |event: Value| {
        answer(
            &bench.door,
            peer,
            Client::ClaudeCode,
            event.to_string().as_bytes(),
            Some(Duration::from_secs(20)),
        )
        .await
    };
    for (at, step) in steps.iter().enumerate() {
        let step = fill(step, &bench.secret, &bench.project);
        let base = json!({"session_id": name, "cwd": bench.project, "permission_mode": "default"});
        let event = |more: Value| {
            let mut event = base.clone();
            event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            event
        };
        if let Some(prompt) = step["say"].as_str() {
            send(event(json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}))).await;
            continue;
        }
        let (tool, input) = match step["run"].as_str() {
            Some(command) => ("Bash", json!({"command": command})),
            None => (step["tool"].as_str().unwrap(), step["args"].clone()),
        };
        let call = |name: &str| {
            event(json!({"hook_event_name": name, "tool_name": tool, "tool_input": input,
                "tool_response": {"stdout": step["out"]}, "tool_use_id": format!("{name}-{at}")}))
        };
        let pre = {
            let mut pre = call("PreToolUse");
            pre["tool_use_id"] = json!(format!("call-{at}"));
            pre
        };
        let asked = bench.asked();
        let reply = send(pre).await;
        let session = bench.door.sessions().all().into_iter().find(|view| view.id.as_str().contains(name));
        let session = session.map(|view| view.id).unwrap_or_default();
        let flows = bench.door.sessions().last_judged(&session).unwrap_or_default();
        println!("    {at}: {tool} {} -> {}", input, reply.stdout.chars().take(400).collect::<String>());
        let told = |word: &str| reply.stdout.contains(&format!("\"permissionDecision\":\"{word}\""));
        let stopped = told("ask") || told("deny") || bench.asked() > asked;
        let project = bench.project.display().to_string();
        let shown = format!("{tool} {input}").replace(&project, "{p}").replace(&bench.secret, "{secret}");
        calls.push(PlayedCall { flows, stopped, call: shown, reply: reply.stdout.clone() });
        if step["really"] == true {
            really(bench, &input);
        }
        let mut post = call("PostToolUse");
        post["tool_use_id"] = json!(format!("call-{at}"));
        send(post).await;
    }
    calls
}

/// Does what the client would do after a yes: writes the file, or runs a command of the table that only moves files.
fn really(bench: &Bench, input: &Value) {
    if let (Some(path), Some(content)) = (input["file_path"].as_str(), input["content"].as_str()) {
        std::fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        return;
    }
    let command = input["command"].as_str().unwrap();
    assert!(["cat > ", "cat >> ", "mv ", "cp "].iter().any(|head| command.starts_with(head)), "{command}");
    let folder = command.split_whitespace().nth(2).and_then(|path| path.rsplit_once('/'));
    if let Some((folder, _)) = folder {
        std::fs::create_dir_all(bench.project.join(folder)).unwrap();
    }
    let ran =
        std::process::Command::new("sh").args(["-c", command]).current_dir(&bench.project).status().unwrap();
    assert!(ran.success(), "{command}: {ran}");
}
