//! What the whole-way tests share: a fake model server, a service in a folder of its own, a real client.
#![allow(dead_code)]

pub mod agents;
pub mod model;
pub mod said;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub const DOORWARD: &str = env!("CARGO_BIN_EXE_doorward");
/// What agents start for every call.
pub const THIN: &str = env!("CARGO_BIN_EXE_doorward-thin");

/// A folder for one test: state, project, settings of the client.
pub struct Bench {
    dir: tempfile::TempDir,
    service: Option<Child>,
}

impl Bench {
    /// With this `doorward.toml` as the user's layer.
    pub fn new(config: &str) -> Self {
        // A session's root is where its client's process runs. Here the client is this test; from `/`, which is no
        // project, the service takes the folder that the event names.
        std::env::set_current_dir("/").unwrap();
        let bench = Self { dir: tempfile::tempdir().unwrap(), service: None };
        for folder in [bench.state(), bench.project(), bench.home()] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(bench.state().join("doorward.toml"), config).unwrap();
        run(Command::new("git").args(["init", "-q"]).arg(bench.project()));
        bench
    }

    pub fn state(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Starts the service and waits until it answers.
    pub fn serve(&mut self) {
        self.serve_by(&mut Command::new(DOORWARD));
    }

    /// The same by a command of the test's own, to which the words after `doorward` are added.
    pub fn serve_by(&mut self, command: &mut Command) {
        self.spawn_by(command);
        self.wait_for_service();
    }

    /// The same without waiting.
    pub fn spawn_by(&mut self, command: &mut Command) {
        let log = std::fs::File::create(self.file("service.log")).unwrap();
        let child = command
            .args(["serve", "--port", "0", "--state"])
            .arg(self.state())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.service = Some(child);
    }

    /// Process number of the service that [`serve`](Self::serve) started.
    pub fn service_pid(&self) -> u32 {
        self.service.as_ref().unwrap().id()
    }

    pub fn wait_for_service(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        while std::os::unix::net::UnixStream::connect(self.state().join("doorward.sock")).is_err() {
            assert!(Instant::now() < until, "no service: {}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn log(&self) -> String {
        let own = std::fs::read_to_string(self.file("service.log")).unwrap_or_default();
        own + &std::fs::read_to_string(self.state().join("service.log")).unwrap_or_default()
    }

    /// SIGKILL, as an attacker or the kernel would.
    pub fn kill_service(&mut self) {
        if let Some(mut child) = self.service.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// SIGTERM, and waits for the end.
    pub fn stop_service(&mut self) {
        if let Some(mut child) = self.service.take() {
            run(Command::new("kill").arg(child.id().to_string()));
            child.wait().unwrap();
        }
    }

    /// A service that a hook started in this folder, if one runs.
    fn stop_started(&self) {
        let Ok(pid) = std::fs::read_to_string(self.state().join("service.pid")) else { return };
        let Ok(link) = std::fs::read_link(format!("/proc/{}/exe", pid.trim())) else { return };
        // Only a process of this very binary, so that a reused number hits nobody else.
        if link == Path::new(DOORWARD) {
            let _ = Command::new("kill").arg(pid.trim()).status();
        }
    }

    /// Runs `doorward` with these words and gives standard output.
    pub fn doorward(&self, words: &[&str]) -> (i32, String) {
        let output = Command::new(DOORWARD).args(words).current_dir(self.project()).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(-1), text)
    }

    /// One event through the hook, as the client would send it.
    pub fn hook(&self, client: &str, event: &str, more: &[&str]) -> (i32, String, String) {
        use std::io::Write as _;
        let mut child = Command::new(THIN)
            .args(["hook", client, "--state"])
            .arg(self.state())
            .args(more)
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// A request to the service over its socket, as its own user: the answer's body as JSON.
    pub fn ask(&self, method: &str, path: &str, body: &serde_json::Value) -> serde_json::Value {
        let answer = self.answered(method, path, body);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// The whole answer to a request, head and body.
    pub fn answered(&self, method: &str, path: &str, body: &serde_json::Value) -> String {
        use std::io::{Read as _, Write as _};
        let body = body.to_string();
        let mut stream = std::os::unix::net::UnixStream::connect(self.state().join("doorward.sock")).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: doorward\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// A request over the HTTP port with the service's token: a caller over the network. The answer's body as JSON.
    pub fn ask_over_http(&self, path: &str, body: &serde_json::Value) -> serde_json::Value {
        use std::io::{Read as _, Write as _};
        let health = self.ask("GET", "/healthz", &serde_json::Value::Null);
        let address = health["console"].as_str().unwrap().trim_start_matches("http://").to_owned();
        let token = std::fs::read_to_string(self.state().join("token")).unwrap();
        let body = body.to_string();
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            token.trim(),
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Every entry of the ledger.
    pub fn ledger(&self) -> Vec<serde_json::Value> {
        let (code, text) = self.doorward(&[
            "audit",
            "tail",
            "-n",
            "1000000",
            "--json",
            "--state",
            &self.state().display().to_string(),
        ]);
        assert_eq!(code, 0, "{text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.kill_service();
        self.stop_started();
    }
}

/// A program of an npm package that `cargo xtask test` installs; says loudly if it isn't there.
pub fn npm_program(name: &str) -> Option<PathBuf> {
    let program = PathBuf::from(std::env::var_os("DOORWARD_TOOLS")?).join("node_modules/.bin").join(name);
    program.exists().then_some(program)
}

/// Tells what a test lacked.
pub fn lacking(test: &str, what: &str) {
    let what = format!("{what} is missing; `cargo xtask test` installs what can be installed");
    doorward_needs::say(doorward_needs::Kind::Tool, test, &what);
}

pub fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}

/// A letter thirteen places on: a form in which only whoever remembers a secret knows it.
pub fn rotated(letter: char) -> char {
    let turned = |first: u8| char::from((letter as u8 - first + 13) % 26 + first);
    match letter {
        'a'..='z' => turned(b'a'),
        'A'..='Z' => turned(b'A'),
        other => other,
    }
}
