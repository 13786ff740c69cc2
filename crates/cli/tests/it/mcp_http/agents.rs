//! Real coding agents as clients over HTTP: what is allowed runs, what is denied doesn't, and what is asked runs once a
//! person said yes in the queue.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::http::{Gateway, Server};
use crate::support::agents::{codex_config, finish, quiet};
use crate::support::model::{Model, Wire};
use crate::support::{Bench, lacking, npm_program};

const CONFIG: &str = "[rules]\nallow = [\"mcp(far/echo)\"]\nask = [\"mcp(far/stamp)\"]\ndeny = [\"mcp(far/drop)\"]\n\
                      [mcp]\nelicitation = false\n";

/// The three calls that a model makes, in this order.
fn calls(prefix: &str) -> Vec<(String, Value)> {
    ["echo", "drop", "stamp"]
        .iter()
        .map(|tool| (format!("{prefix}{tool}"), json!({"text": format!("words for {tool}")})))
        .collect()
}

/// Says yes to the first question that stands in the queue.
fn approve_when_asked(state: String) -> std::thread::JoinHandle<Result<(), String>> {
    std::thread::spawn(move || {
        let doorward = |words: &[&str]| {
            let output =
                Command::new(crate::support::DOORWARD).args(words).args(["--state", &state]).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        let until = Instant::now() + Duration::from_secs(240);
        while Instant::now() < until {
            let told = doorward(&["approvals", "list", "--json"]);
            let first: Value =
                serde_json::from_str(told.lines().next().unwrap_or_default()).unwrap_or_default();
            if let Some(id) = first["id"].as_str().or_else(|| first["ask"]["id"].as_str()) {
                let told = doorward(&["approvals", "approve", id]);
                return if told.is_empty() { Err("the answer wasn't taken".to_owned()) } else { Ok(()) };
            }
            std::thread::sleep(Duration::from_millis(300));
        }
        Err(format!("nothing was ever asked: {}", doorward(&["approvals", "list", "--json"])))
    })
}

/// The gateway before a server, and the server.
fn open(bench: &Bench) -> (Gateway, Server) {
    let server = Server::with_tools(&["echo", "drop", "stamp"], super::echo);
    let gateway = Gateway::listen(bench, &["--name", "far", "--wait", "60", &server.url()]);
    (gateway, server)
}

/// What the model read, and what the server got.
fn checked(model: &Model, server: &Server, bench: &Bench, output: &std::process::Output) {
    let results = model.results();
    let told = format!(
        "{results:?}\n{}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        bench.log()
    );
    assert_eq!(results.len(), 3, "{told}");
    assert!(results[0].contains("words for echo"), "allowed: {told}");
    assert!(results[1].contains("Doorward did not let this call pass"), "denied: {told}");
    assert!(results[2].contains("words for stamp"), "asked, and a person said yes: {told}");
    let names: Vec<String> = server
        .with("tools/call")
        .iter()
        .map(|got| got.message()["params"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["echo", "stamp"], "what reached the server");
}

#[test]
fn claude_code_calls_is_denied_and_is_asked_about_over_http() {
    let Some(claude) = npm_program("claude") else {
        return lacking("mcp_http", "npm package @anthropic-ai/claude-code");
    };
    let mut bench = Bench::new(CONFIG);
    bench.serve();
    let (gateway, server) = open(&bench);
    let model = Model::asking(Wire::Anthropic, calls("mcp__far__"));
    let servers = json!({"mcpServers": {"far": {"type": "http",
        "url": format!("http://127.0.0.1:{}/mcp", gateway.port)}}});
    let yes = approve_when_asked(bench.state().display().to_string());
    let mut command = quiet(&claude, &bench, &model);
    // Else the model would have to search for the tools first.
    command
        .env("ENABLE_TOOL_SEARCH", "false")
        .args(["-p", "please call them", "--output-format", "json", "--permission-mode", "bypassPermissions"])
        .args(["--strict-mcp-config", "--mcp-config", &servers.to_string()]);
    let output = finish(command, "claude");
    checked(&model, &server, &bench, &output);
    yes.join().unwrap().unwrap();
}

#[test]
fn codex_calls_is_denied_and_is_asked_about_over_http() {
    let Some(codex) = npm_program("codex") else {
        return lacking("mcp_http", "npm package @openai/codex");
    };
    let mut bench = Bench::new(CONFIG);
    bench.serve();
    let (gateway, server) = open(&bench);
    let model = Model::asking(Wire::Responses, calls("mcp__far/"));
    let config = bench.home().join(".codex");
    std::fs::create_dir_all(&config).unwrap();
    let mut text = codex_config(&model);
    text += &format!(
        "[mcp_servers.far]\nurl = \"http://127.0.0.1:{}/mcp\"\ntool_timeout_sec = 120\n",
        gateway.port
    );
    std::fs::write(config.join("config.toml"), text).unwrap();
    let yes = approve_when_asked(bench.state().display().to_string());
    let output = finish(codex_command(&codex, &bench, &model), "codex");
    checked(&model, &server, &bench, &output);
    yes.join().unwrap().unwrap();
}

fn codex_command(codex: &Path, bench: &Bench, model: &Model) -> Command {
    let mut command = quiet(codex, bench, model);
    command.args(["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]);
    command.arg("please call them");
    command
}
