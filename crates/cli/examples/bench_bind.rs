//! `cargo xtask bench bind`: what a bound shell call costs beside the same call run by the client's shell.
//!
//! Everything real: the binary, its service, its ledger on this disk, the sandbox in its full tier. A call is what a
//! client does for one: the hook's process, then the shell with what the hook wrote. Plain and bound runs alternate.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const ROUNDS: usize = 120;
/// Between two calls, as a model takes at the very least for its next one.
const THINKING: Duration = Duration::from_millis(150);

fn main() {
    let binary = std::env::var_os("DOORWARD_BINARY").map_or_else(release_binary, PathBuf::from);
    assert!(binary.exists(), "build it first: cargo build --release -p doorward-cli ({})", binary.display());
    // What `doorward install` writes into a client's configuration, where it stands beside the other.
    let thin = Some(binary.with_file_name("doorward-thin")).filter(|thin| thin.exists());
    let thin = thin.unwrap_or_else(|| binary.clone());
    println!("the hook is {}", thin.file_name().unwrap().display());
    let dir = std::env::temp_dir().join(format!("doorward-bench-bind-{}", std::process::id()));
    let (state, project) = (dir.join("state"), dir.join("project"));
    std::fs::create_dir_all(&state).unwrap();
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(
        state.join("doorward.toml"),
        "[hooks]\nshell = \"bind\"\n[rules]\nallow = [\"shell(touch *)\"]\n",
    )
    .unwrap();
    // The client's folder is the session's root.
    std::env::set_current_dir(&project).unwrap();
    let mut service = Command::new(&binary)
        .args(["serve", "--port", "0", "--state"])
        .arg(&state)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while std::os::unix::net::UnixStream::connect(state.join("agents/exec.sock")).is_err() {
        assert!(Instant::now() < until, "no service");
        std::thread::sleep(Duration::from_millis(10));
    }
    for command in ["true", "ls", "touch made"] {
        let (mut plain, mut hooks, mut execs, mut added) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            std::thread::sleep(THINKING);
            let started = Instant::now();
            shell(command);
            let bare = started.elapsed();
            let started = Instant::now();
            let text = hook(&thin, &state, &project, command);
            let asked = started.elapsed();
            let started = Instant::now();
            shell(&text);
            let ran = started.elapsed();
            // The first runs look what the sandbox offers, and warm what is cached.
            if round >= ROUNDS / 10 {
                plain.push(bare);
                hooks.push(asked);
                execs.push(ran);
                added.push((asked + ran).saturating_sub(bare));
            }
        }
        println!("\n`{command}`");
        show("the client's shell", &mut plain);
        show("the hook", &mut hooks);
        show("its shell with the ticket", &mut execs);
        show("added by binding", &mut added);
    }
    service.kill().unwrap();
    service.wait().unwrap();
    std::env::set_current_dir("/").unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}

fn release_binary() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("doorward")
}

fn shell(text: &str) {
    let status = Command::new("bash").args(["-c", text]).stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.unwrap().success(), "{text}");
}

fn hook(binary: &Path, state: &Path, project: &Path, command: &str) -> String {
    let event = json!({"session_id": "bench", "transcript_path": "/t", "cwd": project,
        "hook_event_name": "PreToolUse", "permission_mode": "bypassPermissions", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "t"});
    let mut child = Command::new(binary)
        .args(["hook", "claude-code", "--state"])
        .arg(state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap().to_owned()
}

fn show(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!("  {what:<28} min {:>7.2} ms   p50 {:>7.2} ms   p90 {:>7.2} ms", at(0), at(50), at(90));
}
