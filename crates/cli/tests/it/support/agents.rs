//! Real agents, driven without a screen against a model on loopback.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::Bench;
use super::model::Model;

/// The variables a client needs to leave the network alone.
const QUIET: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "sk-fake"),
    ("IS_SANDBOX", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
];

/// A command with the environment of a client whose home is the bench's.
pub fn quiet(program: &Path, bench: &Bench, model: &Model) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(bench.project())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", bench.home())
        .env("CLAUDE_CONFIG_DIR", bench.home().join(".claude"))
        .env("CODEX_HOME", bench.home().join(".codex"))
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", model.port))
        .envs(QUIET.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs to the end, or says after a long while that there was none.
pub fn finish(mut command: Command, what: &str) -> Output {
    let child = command.spawn().unwrap();
    let pid = child.id();
    let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = std::sync::Arc::clone(&over);
    let watch = std::thread::spawn(move || {
        let until = Instant::now() + Duration::from_secs(300);
        while !seen.load(std::sync::atomic::Ordering::Relaxed) {
            if Instant::now() > until {
                let _ = Command::new("kill").arg(pid.to_string()).status();
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    });
    let output = child.wait_with_output().unwrap();
    over.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(!watch.join().unwrap(), "{what}: never ended");
    output
}

/// Codex's configuration for a model on loopback.
pub fn codex_config(model: &Model) -> String {
    format!(
        "model = \"fake-model\"\nmodel_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\n\
         base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nrequest_max_retries = 0\n\
         stream_max_retries = 0\n[features]\nhooks = true\n[analytics]\nenabled = false\n",
        model.port
    )
}
