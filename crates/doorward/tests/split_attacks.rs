//! Attacks that are cut into steps, through the hook of Claude Code and the real gate: each has to complete its flow, and
//! its benign twin none. `testdata/flows/README.md` describes the rows.
//!
//! `cargo test -p doorward --test split_attacks -- --nocapture` prints what is said of each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

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
            members.iter().map(|(name, member)| (name.clone(), fill(member, secret, project))).collect()
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

struct Bench {
    _folder: tempfile::TempDir,
    project: PathBuf,
    door: Arc<Door>,
    secret: String,
}

fn bench() -> Bench {
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
    let door = Door::open_with(Options::at(state, places), Arc::new(AlwaysYes::default())).unwrap();
    Bench { _folder: folder, project, door, secret }
}

/// Plays a session: every step runs, whatever was said of it. The flows that were complete at each step.
async fn play(bench: &Bench, name: &str, steps: &[Value]) -> Vec<Vec<String>> {
    let peer = Peer { uid: nix::unistd::getuid().as_raw(), pid: None };
    let mut flows = Vec::new();
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
        let reply = send(pre).await;
        let session = bench.door.sessions().all().into_iter().find(|view| view.id.as_str().contains(name));
        let session = session.map(|view| view.id).unwrap_or_default();
        flows.push(bench.door.sessions().last_judged(&session).unwrap_or_default());
        println!("    {at}: {tool} {} -> {}", input, reply.stdout.chars().take(400).collect::<String>());
        let mut post = call("PostToolUse");
        post["tool_use_id"] = json!(format!("call-{at}"));
        send(post).await;
    }
    flows
}

#[tokio::test(flavor = "multi_thread")]
async fn every_split_attack_is_noticed_and_its_twin_is_free() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/flows/attacks.jsonl"))
            .unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() >= 36, "{}", rows.len());
    let only = std::env::var("ATTACK").ok();
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| only.as_ref().is_none_or(|id| row["id"] == id.as_str())) {
        let (id, rule) = (row["id"].as_str().unwrap(), row["rule"].as_str().unwrap());
        println!("{id}");
        let flows = play(&bench(), &format!("{id}-attack"), row["steps"].as_array().unwrap()).await;
        // A step before the last may be enough already.
        if !flows.iter().flatten().any(|flow| flow == rule) {
            wrong.push(format!("{id}: {rule} is complete at no step: {flows:?}"));
        }
        println!("  twin");
        let flows = play(&bench(), &format!("{id}-twin"), row["twin"].as_array().unwrap()).await;
        if flows.iter().any(|flows| !flows.is_empty()) {
            wrong.push(format!("{id}: its twin completes {flows:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
