//! A scripted MCP client over the gateway's pipes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Bench, DOORWARD, lacking, npm_program};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    state: PathBuf,
    errors: PathBuf,
    next: u64,
    /// What the dialog answers; without one there is none.
    pub elicit: Option<Value>,
    /// What the dialog was asked.
    pub asked: Vec<String>,
    /// Notifications that came.
    pub notes: Vec<Value>,
    /// A secret that the server knows, made for this run.
    pub secret: String,
}

impl Client {
    /// With the scripted server; `None` (told) where Python is lacking.
    pub fn scripted(bench: &Bench, more: &[&str]) -> Option<Self> {
        Self::python(bench, "", more, false)
    }

    /// The same, with other definitions, and as the child of another process, so that this one is no agent.
    pub fn variant(bench: &Bench, variant: &str, more: &[&str]) -> Option<Self> {
        Self::python(bench, variant, more, true)
    }

    /// A server under the same name that is started by another command line.
    pub fn exchanged(bench: &Bench) -> Option<Self> {
        Self::python_with(bench, "", &[], true, &["--another"])
    }

    fn python(bench: &Bench, variant: &str, more: &[&str], apart: bool) -> Option<Self> {
        Self::python_with(bench, variant, more, apart, &[])
    }

    fn python_with(
        bench: &Bench,
        variant: &str,
        more: &[&str],
        apart: bool,
        words_of_server: &[&str],
    ) -> Option<Self> {
        if Command::new("python3").arg("--version").output().is_err() {
            lacking("mcp", "python3");
            return None;
        }
        std::fs::write(bench.file("variant"), variant).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp/server.py");
        let mut words = if more.contains(&"--name") { Vec::new() } else { vec!["--name", "scripted"] };
        words.extend(more);
        let script = script.display().to_string();
        let mut command = vec!["python3", "-u", &script];
        command.extend(words_of_server);
        Some(Self::start(bench, &words, &command, apart))
    }

    /// The scripted server inside the sandbox, with the system's own Python; `None` (told) where there is none.
    pub fn sandboxed(bench: &Bench, port: u16, more: &[&str]) -> Option<Self> {
        const PYTHON: &str = "/usr/bin/python3";
        if !Path::new(PYTHON).exists() {
            lacking("mcp", PYTHON);
            return None;
        }
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp/server.py").display().to_string();
        let words: Vec<&str> = ["--name", "scripted"].iter().chain(more).copied().collect();
        let outside = bench.home().display().to_string();
        std::fs::write(bench.home().join("private"), "x").unwrap();
        let command =
            ["/usr/bin/env", &format!("OUTSIDE={outside}"), &format!("PORT={port}"), PYTHON, "-u", &script];
        Some(Self::start(bench, &words, &command, false))
    }

    /// With a published server; `None` (told) where it isn't installed.
    pub fn published(bench: &Bench, program: &str, args: &[&str]) -> Option<Self> {
        let Some(path) = npm_program(program) else {
            lacking("mcp", program);
            return None;
        };
        let path = path.display().to_string();
        let mut command = vec![path.as_str()];
        command.extend(args);
        Some(Self::start(bench, &[], &command, false))
    }

    /// As a client's configuration starts it.
    pub fn configured(bench: &Bench, command: &str, words: &[&str]) -> Option<Self> {
        if Command::new("python3").arg("--version").output().is_err() {
            lacking("mcp", "python3");
            return None;
        }
        let mut gateway = Command::new(command);
        gateway.args(words);
        Some(Self::spawn(bench, gateway))
    }

    fn start(bench: &Bench, words: &[&str], command: &[&str], apart: bool) -> Self {
        let mut gateway = Command::new(if apart { "python3" } else { DOORWARD });
        if apart {
            gateway.args(["-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))", DOORWARD]);
        }
        gateway.args(["mcp", "--state"]).arg(bench.state()).args(words).arg("--").args(command);
        Self::spawn(bench, gateway)
    }

    fn spawn(bench: &Bench, mut gateway: Command) -> Self {
        let errors = bench.file("gateway.log");
        let random = std::fs::read("/proc/sys/kernel/random/uuid").unwrap();
        let letters: String =
            random.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(|byte| char::from(*byte)).collect();
        let secret = format!("ghp_{}{}", letters, &letters[..4]);
        let mut child = gateway
            .current_dir(bench.project())
            .env("VARIANT", bench.file("variant"))
            .env("MEMORY_FILE_PATH", bench.file("memory.jsonl"))
            .env("SECRET", &secret)
            .env("DECLARED", "told")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = child.stdout.take().unwrap();
        let (to, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            input,
            lines,
            state: bench.state(),
            errors,
            next: 100,
            elicit: None,
            asked: Vec::new(),
            notes: Vec::new(),
            secret,
        }
    }

    pub fn write(&mut self, line: &str) {
        self.write_bytes(format!("{line}\n").as_bytes());
    }

    pub fn write_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line as it was written.
    pub fn line_with(&mut self, part: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("nothing with {part}: {}", self.errors()));
            if line.contains(part) {
                return line;
            }
        }
    }

    /// The answer to a request, answering what the server or the gateway asks meanwhile.
    pub fn answer_to(&mut self, id: &Value) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("no answer to {id}: {}", self.errors()));
            let message: Value =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            match message["method"].as_str() {
                Some("elicitation/create") => {
                    self.asked.push(message["params"]["message"].as_str().unwrap_or_default().to_owned());
                    let said = self.elicit.clone().expect("a client without a dialog isn't asked");
                    self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "result": said}).to_string());
                }
                Some("sampling/createMessage") => {
                    let said = json!({"role": "assistant", "content": {"type": "text", "text": "sampled"}, "model": "m"});
                    self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "result": said}).to_string());
                }
                Some(_) => self.notes.push(message),
                None if message["id"] == *id => return message,
                None => panic!("an answer that nobody asked for: {line}"),
            }
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = json!(self.next);
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        self.answer_to(&id)
    }

    pub fn initialize(&mut self, capabilities: Value) -> Value {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}});
        let answer = self.request("initialize", params);
        self.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Closes our side and waits for the end: the exit code.
    pub fn end(&mut self) -> i32 {
        drop(self.input.take());
        self.wait()
    }

    pub fn wait(&mut self) -> i32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < until, "it doesn't end: {}", self.errors());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks the gateway to end, as a session manager does.
    pub fn terminate(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn errors(&self) -> String {
        std::fs::read_to_string(&self.errors).unwrap_or_default()
    }

    /// Entries of the newest record that a gateway kept by itself.
    pub fn own_ledger(&self) -> Vec<Value> {
        let newest =
            std::fs::read_dir(self.state.join("runs")).unwrap().map(|one| one.unwrap().path()).max().unwrap();
        let output = Command::new(DOORWARD)
            .args(["audit", "tail", "-n", "100000", "--json", "--state"])
            .arg(newest)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `doorward` at a terminal of its own and answers `y`; `false` (told) where no terminal can be had.
pub fn at_terminal(bench: &Bench, words: &[&str]) -> bool {
    let line = format!("{DOORWARD} {}", words.join(" "));
    let started = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        lacking("mcp", "script (util-linux)");
        return false;
    };
    let mut input = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    input.write_all(b"y\n").unwrap();
    let mut told = String::new();
    child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    let status = child.wait().unwrap();
    assert!(status.success() && told.contains("is approved"), "{told}");
    true
}
