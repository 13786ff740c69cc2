//! A real Claude Code against a model on loopback: what Doorward denies doesn't run, in any mode, whatever breaks.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::model::{Model, Wire};
use crate::support::{Bench, lacking, npm_program};
use serde_json::{Value, json};

const MODES: [&str; 5] = ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions"];

/// The client, installed into `settings`, as `doorward install` does it.
fn installed(bench: &Bench) -> PathBuf {
    let settings = bench.file("settings.json");
    let (code, text) = bench.doorward(&[
        "install",
        "claude-code",
        "--in-place",
        "--file",
        settings.to_str().unwrap(),
        "--state",
        bench.state().to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{text}");
    settings
}

/// Runs one turn of the client and gives what the model was told the tool had returned.
fn turn(bench: &Bench, claude: &Path, settings: &Path, mode: &str, command: &str) -> String {
    let model = Model::start(Wire::Anthropic, "Bash", json!({"command": command, "description": "x"}));
    let output = Command::new(claude)
        .args(["-p", "please run it", "--output-format", "json", "--permission-mode", mode, "--settings"])
        .arg(settings)
        .current_dir(bench.project())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", bench.home())
        .env("CLAUDE_CONFIG_DIR", bench.home().join(".claude"))
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", model.port))
        .env("ANTHROPIC_API_KEY", "sk-fake")
        .env("IS_SANDBOX", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_ERROR_REPORTING", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let results = model.results();
    assert!(
        !results.is_empty(),
        "{mode}: the client never reported a result\n{}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        bench.log()
    );
    results.join("\n")
}

fn client(test: &str) -> Option<PathBuf> {
    let found = npm_program("claude");
    if found.is_none() {
        lacking(test, "npm package @anthropic-ai/claude-code");
    }
    found
}

#[test]
fn a_denied_command_runs_in_no_mode_and_a_reading_one_runs() {
    let Some(claude) = client("a_denied_command_runs_in_no_mode_and_a_reading_one_runs") else { return };
    let mut bench = Bench::new("[rules]\ndeny = [\"shell(touch *)\"]\n[hooks]\nrelieve = \"proven\"\n");
    bench.serve();
    let settings = installed(&bench);
    std::fs::write(bench.project().join("notes.txt"), "forty-two\n").unwrap();
    for mode in MODES {
        let told = turn(&bench, &claude, &settings, mode, "touch PWNED");
        assert!(!bench.project().join("PWNED").exists(), "{mode}: ran");
        assert!(told.contains("Doorward"), "{mode}: denied by something else: {told}");
        let told = turn(&bench, &claude, &settings, mode, "cat notes.txt");
        assert!(told.contains("forty-two"), "{mode}: {told}");
    }
    bench.stop_service();
    let entries = bench.ledger();
    let decisions = |verdict: &str| {
        entries.iter().filter(|entry| entry["kind"] == "decision" && entry["verdict"] == verdict).count()
    };
    assert_eq!(decisions("DENY"), MODES.len());
    assert_eq!(decisions("ALLOW"), MODES.len());
    let ran = entries.iter().filter(|entry| entry["kind"] == "outcome" && entry["outcome"] == "ran").count();
    assert_eq!(ran, MODES.len(), "the after-event closes the record");
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_killed_service_a_broken_policy_and_a_broken_hook_stop_the_command() {
    let Some(claude) = client("a_killed_service_a_broken_policy_and_a_broken_hook_stop_the_command") else {
        return;
    };
    let runs = |bench: &Bench, settings: &Path, what: &str| {
        turn(bench, &claude, settings, "bypassPermissions", "touch PWNED");
        assert!(!bench.project().join("PWNED").exists(), "{what}: ran");
    };

    // Killed: the hook starts a new one, which decides the same.
    let mut bench = Bench::new("[rules]\ndeny = [\"shell(touch *)\"]\n");
    bench.serve();
    let settings = installed(&bench);
    bench.kill_service();
    runs(&bench, &settings, "killed and started again");

    // Killed, and none can be started.
    let mut bench = Bench::new("");
    bench.serve();
    let settings = installed(&bench);
    bench.kill_service();
    std::fs::remove_dir_all(bench.state()).unwrap();
    std::fs::write(bench.state(), "not a folder").unwrap();
    runs(&bench, &settings, "killed for good");

    // A policy that can't be read.
    let bench = Bench::new("[rules]\ndeny = [\"shell(touch\"]\n");
    let settings = installed(&bench);
    runs(&bench, &settings, "broken policy");

    // A hook that crashes, as the client sees a panic.
    let bench = Bench::new("");
    let settings = installed(&bench);
    let mut config: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    for event in ["PreToolUse", "PermissionRequest"] {
        config["hooks"][event][0]["hooks"][0]["command"] = json!("exit 101");
    }
    std::fs::write(&settings, config.to_string()).unwrap();
    runs(&bench, &settings, "hook crashed");

    // A service that accepts and never answers: the watchdog denies.
    let bench = Bench::new("");
    let settings = installed(&bench);
    let silent = std::os::unix::net::UnixListener::bind(bench.state().join("doorward.sock")).unwrap();
    let text = std::fs::read_to_string(&settings).unwrap();
    let state = bench.state().display().to_string();
    std::fs::write(&settings, text.replace(&state, &format!("{state} --deadline-ms 400"))).unwrap();
    runs(&bench, &settings, "hung");
    drop(silent);
}
