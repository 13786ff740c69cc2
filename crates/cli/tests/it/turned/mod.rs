//! One row a key, and the ways to look at what a user sees.

mod rows;
pub mod server;

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub use rows::rows;
use server::Server;

use crate::support::{Bench, DOORWARD};

/// A key, two texts of settings that differ in it alone, and what a user must see under each. `{server}` in a text is
/// the address of a local server, `{dir}` the test's folder, `{project}` its project.
pub struct Row {
    pub key: &'static str,
    pub base: &'static str,
    pub turned: &'static str,
    pub look: Look,
    /// What must be seen under `base`.
    pub before: &'static str,
    /// What must be seen under `turned`.
    pub after: &'static str,
}

/// How a user looks.
#[derive(Clone, Copy)]
pub enum Look {
    /// `doorward check` on a call of a tool, in a mode; and what the local server was asked.
    Judge { tool: &'static str, args: &'static str, mode: &'static str },
    /// The command line.
    Words(&'static [&'static str]),
    /// A call of Claude Code through the hook and the service.
    Hook { tool: &'static str, args: &'static str, mode: &'static str },
    /// A call through the service's socket; then the ledger's last lines.
    Decide { tool: &'static str, args: &'static str },
    /// As [`Look::Decide`], with this result reported for it.
    Reported { tool: &'static str, args: &'static str, result: &'static str },
    /// A request to the service's socket.
    Ask { method: &'static str, path: &'static str, body: &'static str },
    /// Two commands over the service's socket, then this one; and whether the model heard of the first.
    Followed(&'static str),
    /// A call that is asked about, approved, and made again two seconds later.
    Approved { tool: &'static str, args: &'static str },
    /// Two requests for the local server through `doorward proxy`.
    Proxied,
    /// What the service says about itself when it starts.
    Started,
    /// What an MCP client with a dialog reads first: the greeting, the list of tools, and what a call of `echo` brings.
    Gateway,
}

/// What a user sees under these settings, and what is expected there with this run's names in it.
pub fn observe(row: &Row, settings: &str, expected: &str) -> (String, String) {
    let server = Server::start();
    let free_port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut bench = Bench::new("");
    let places = [
        ("{server}", server.address.to_string()),
        ("{port}", server.address.port().to_string()),
        ("{free}", free_port.to_string()),
        ("{soon}", (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)).to_string()),
        ("{dir}", bench.file("").display().to_string()),
        ("{project}", bench.project().display().to_string()),
        ("{state}", bench.state().display().to_string()),
    ];
    let fill =
        |text: &str| places.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    std::fs::write(bench.state().join("doorward.toml"), fill(settings)).unwrap();
    let owing = "@obligations(\"redact_output\")\n@id(\"owing\")\npermit(principal, action == Action::\"shell:execute\", resource);\n";
    std::fs::write(bench.file("owing.cedar"), owing).unwrap();
    std::fs::write(bench.file("logged.cedar"), owing.replace("redact_output", "log_output")).unwrap();
    let counting = "@id(\"counting\")\nforbid(principal, action, resource)\n\
        when { context has count && context.count has writes && context.count.writes >= 1 };\n";
    std::fs::write(bench.file("counting.cedar"), counting).unwrap();
    let program = |name: &str, body: &str| {
        format!("program {name} {{\nsource \"{name}(1)\" version=\"1\" read=\"2026-11-23\"\n{body}\n}}\n")
    };
    std::fs::write(bench.file("mytool.kdl"), program("mytool", "does reads\noperands look*")).unwrap();
    std::fs::write(bench.project().join("ls.kdl"), program("ls", "finding remote_code \"runs {first}\""))
        .unwrap();
    std::fs::create_dir(bench.project().join("src")).unwrap();
    std::fs::write(bench.project().join("src/main.c"), "int main() { return 0; }\n").unwrap();
    std::fs::write(bench.project().join("notes.txt"), "remember the milk\n").unwrap();
    let state = bench.state().display().to_string();
    let seen = match row.look {
        Look::Judge { tool, args, mode } => {
            let args = fill(args);
            let call =
                ["check", "--json", "--state", &state, "--tool", tool, "--args", &args, "--mode", mode];
            format!("{}\nserver saw: {}", words(&bench, &call), server.seen())
        }
        Look::Words(given) => {
            let given: Vec<String> = given.iter().map(|word| fill(word)).collect();
            words(&bench, &given.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Look::Hook { tool, args, mode } => {
            let input: Value = serde_json::from_str(&fill(args)).unwrap();
            bench.serve();
            let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
                "tool_name": tool, "permission_mode": mode, "tool_input": input, "tool_use_id": "t"});
            let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
            format!("exit {code} {out}{err}")
        }
        Look::Decide { tool, args } => {
            bench.serve();
            let answer = decided(&bench, tool, &fill(args));
            std::thread::sleep(Duration::from_millis(2_500));
            let lines: Vec<String> = bench.ledger().iter().map(Value::to_string).collect();
            format!("{answer}\n{}\nserver saw: {}", lines.join("\n"), server.seen())
        }
        Look::Reported { tool, args, result } => {
            bench.serve();
            let answer = decided(&bench, tool, &fill(args));
            let id = answer.split("\"record_id\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            let body = json!({"outcome": "ran", "exit": 0, "result": result}).to_string();
            let told = request(&bench, "POST", &format!("/v1/decisions/{id}/outcome"), &body);
            let lines: Vec<String> = bench.ledger().iter().map(Value::to_string).collect();
            format!("{answer}\n{told}\n{}", lines.join("\n"))
        }
        Look::Ask { method, path, body } => {
            bench.serve();
            request(&bench, method, path, &fill(body))
        }
        Look::Followed(command) => {
            bench.serve();
            for command in ["touch first", "touch second", command] {
                decided(&bench, "shell:execute", &json!({"command": command}).to_string());
            }
            let seen = server.seen();
            let last = seen.rsplit("\n---\n").next().unwrap_or_default();
            let word = if last.contains("touch first") { "" } else { "not seen: touch first\n" };
            format!("{word}{last}")
        }
        Look::Approved { tool, args } => {
            bench.serve();
            let answer = decided(&bench, tool, &fill(args));
            let id = answer.split("\"confirmationId\":\"").nth(1).and_then(|rest| rest.split('"').next());
            let approved = words(&bench, &["approvals", "approve", id.unwrap_or("none"), "--state", &state]);
            std::thread::sleep(Duration::from_secs(2));
            format!("{approved}\n{}", decided(&bench, tool, &fill(args)))
        }
        Look::Proxied => proxied(&bench, &server),
        Look::Gateway => gateway(&bench),
        Look::Started => {
            let mut service = Command::new(DOORWARD)
                .args(["serve", "--state", &state])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(std::fs::File::create(bench.file("service.log")).unwrap())
                .spawn()
                .unwrap();
            for _ in 0..100 {
                std::thread::sleep(Duration::from_millis(50));
                if bench.log().contains("open the console") || bench.log().contains("error") {
                    break;
                }
            }
            std::thread::sleep(Duration::from_millis(300));
            let (_, status) = bench.doorward(&["status", "--state", &state]);
            let _ = service.kill();
            service.wait().unwrap();
            format!("{}\n{status}", bench.log())
        }
    };
    (seen, fill(expected))
}

fn words(bench: &Bench, words: &[&str]) -> String {
    let (code, text) = bench.doorward(words);
    format!("exit {code} {text}")
}

/// What the service decides about a call in the project.
fn decided(bench: &Bench, tool: &str, args: &str) -> String {
    let args: Value = serde_json::from_str(args).unwrap();
    let body = json!({"principal": {"id": "u"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"cwd": bench.project(), "roots": [bench.project()], "session_id": "s"}});
    request(bench, "POST", "/v1/decide", &body.to_string())
}

/// A request over the service's Unix socket, as its own user.
fn request(bench: &Bench, method: &str, path: &str, body: &str) -> String {
    let stream = UnixStream::connect(bench.state().join("doorward.sock")).unwrap();
    exchange(
        stream,
        &format!(
            "{method} {path} HTTP/1.1\r\nHost: doorward\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ),
    )
}

fn exchange(mut stream: impl std::io::Read + std::io::Write, text: &str) -> String {
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Two requests for the local server through `doorward proxy`, which has the settings' rules.
fn proxied(bench: &Bench, server: &Server) -> String {
    let mut child = Command::new(DOORWARD)
        .args(["proxy", "--state"])
        .arg(bench.state())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let mut told = String::new();
    if let Some((user, place)) = url.trim().strip_prefix("http://").and_then(|rest| rest.split_once('@')) {
        for _ in 0..2 {
            let stream = TcpStream::connect(place).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let head = format!(
                "GET http://{0}/hello HTTP/1.1\r\nHost: {0}\r\nProxy-Authorization: Basic {1}\r\nConnection: close\r\n\r\n",
                server.address,
                base64(user.as_bytes())
            );
            told += &format!("answer: {}\n", exchange(stream, &head));
        }
    }
    child.kill().unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    child.wait().unwrap();
    told + &err
}

/// The first three messages that a client of the gateway reads.
fn gateway(bench: &Bench) -> String {
    use std::io::Write as _;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/server.py");
    let mut child = Command::new(DOORWARD)
        .args(["mcp", "--name", "scripted", "--wait", "20", "--state"])
        .arg(bench.state())
        .args(["--", "python3", "-u", script])
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "turned", "version": "1"}}});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "one"}}});
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut read = String::new();
    for message in [greeting, list, call] {
        writeln!(input, "{message}").unwrap();
        read += &lines.next().map_or_else(String::new, Result::unwrap_or_default);
        read.push('\n');
    }
    drop(input);
    child.wait().unwrap();
    read
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number =
            three.iter().fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[usize::try_from((number >> (18 - 6 * place)) & 63).unwrap()];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
