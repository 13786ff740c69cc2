//! An MCP server in the sandbox, over its standard streams; or a remote one (`remote`), which isn't observed.
//!
//! The protocol is JSON-RPC, one message per line, at the revision that all current servers support. Requests from
//! the server get minimal answers: our single root, a pong, and a refusal otherwise; each request is recorded.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use doorward_sandbox::{Cause, Limits, Listener, Manner, Output, ProgramInput, Report, Stopper, Stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::postgres::Database;
use super::remote::Place;
use super::workspace::{HOME, NEIGHBOUR, Workspace};
use crate::runner::{RecordedRun, RunError, Runner};

/// The revision that we request.
const REVISION: &str = "2025-06-18";
/// Longest line of the server in bytes.
const LONGEST_LINE: usize = 16 << 20;
/// Limit on kept bytes of standard error.
const STDERR: usize = 8 << 10;
/// Limit on the output of a session in bytes.
const OUTPUT: u64 = 256 << 20;
/// How long a server may take to exit after its input has ended.
const LEAVE: Duration = Duration::from_secs(3);

/// How a server is started.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Launch {
    /// The command line; `{project}`, `{home}` and `{workspace}` are replaced by places of the workspace,
    /// `{postgres}` by its database's address. Empty for a running server.
    pub command: String,
    /// Address of a running server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The environment variable with the key for that address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// Variables of the server, with the same placeholders.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Further readable places; the program's own folder is determined automatically.
    #[serde(default)]
    pub readable: Vec<PathBuf>,
}

impl Launch {
    /// Replaces placeholders by places of a workspace.
    fn filled(&self, text: &str, workspace: &Workspace) -> String {
        text.replace("{project}", &workspace.project().display().to_string())
            .replace("{home}", &workspace.at(HOME).display().to_string())
            .replace("{workspace}", &workspace.path().display().to_string())
            .replace("{postgres}", &workspace.database().map(Database::url).unwrap_or_default())
            .replace(
                "{postgres_socket}",
                &workspace
                    .database()
                    .map(|database| database.socket().display().to_string())
                    .unwrap_or_default(),
            )
    }

    /// Places the program needs to see: the package trees of the files on the command line.
    fn places(&self) -> Vec<PathBuf> {
        let mut places = self.readable.clone();
        for word in self.command.split_whitespace() {
            let word = word.trim_matches(['\'', '"']);
            let path = if word.contains('/') {
                PathBuf::from(word)
            } else {
                let Some(found) = on_path(word) else { continue };
                found
            };
            let Ok(real) = path.canonicalize() else { continue };
            if real.is_file() && !real.starts_with("/usr") && !real.starts_with("/bin") {
                places.push(package_of(&real));
                // Also the link's own folder: programs look up where they were started from.
                places.extend(path.parent().filter(|_| path.is_absolute()).map(Path::to_owned));
            }
        }
        places.sort();
        places.dedup();
        places
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A program's package folder: the outermost `node_modules` around it, the virtual environment, or its own folder.
fn package_of(program: &Path) -> PathBuf {
    let around = |name: &str| {
        let found =
            program.ancestors().filter(|folder| folder.file_name().is_some_and(|last| last == name)).last();
        found.map(Path::to_owned)
    };
    let environment =
        program.ancestors().find(|folder| folder.join("pyvenv.cfg").is_file()).map(Path::to_owned);
    let own = program.parent().unwrap_or(program).to_owned();
    around("node_modules").or(environment).unwrap_or(own)
}

/// Limits of a session with a server.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Time for one call.
    pub call: Duration,
    /// Time for the whole session.
    pub session: Duration,
    /// Memory in bytes.
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { call: Duration::from_secs(20), session: Duration::from_secs(300), memory: 1 << 30 }
    }
}

/// One line of the transcript.
#[derive(Debug, Clone, Serialize)]
pub struct TranscriptLine {
    /// `sent`, `received`, or `note`.
    pub direction: &'static str,
    /// The message, or a note on an event.
    pub message: Value,
}

/// Receives every line of the transcript.
pub type Transcript = Arc<Mutex<dyn FnMut(&TranscriptLine) + Send>>;

/// How a request ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A result.
    Result(Value),
    /// A protocol error.
    Error(String),
    /// No answer in time.
    Silence,
    /// The server is gone.
    Gone,
}

/// A running server. Dropping it ends it.
pub struct Session {
    send: Option<Box<dyn Fn(String) + Send>>,
    heard: Receiver<String>,
    remote: Option<Place>,
    stopper: Arc<Mutex<Option<Stopper>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    run: Option<JoinHandle<Result<RecordedRun, RunError>>>,
    transcript: Transcript,
    bounds: Bounds,
    root: String,
    next: u64,
    /// Requests from the server.
    pub asked: Vec<String>,
    /// The server's own description of itself.
    pub info: Value,
}

/// Why a session can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The server couldn't be run.
    #[error("{0}")]
    Run(#[from] RunError),
    /// The server doesn't answer.
    #[error("lab.server: {what}{stderr}")]
    Mute {
        /// The expected answer.
        what: String,
        /// Its output on standard error.
        stderr: String,
    },
}

impl Session {
    /// Starts a server and initialises the session.
    pub fn start(
        runner: &Runner,
        launch: &Launch,
        workspace: &Workspace,
        bounds: Bounds,
        transcript: Transcript,
    ) -> Result<Self, ServerError> {
        if let Some(url) = &launch.url {
            return Self::join(runner, url, launch.key_env.as_deref(), workspace, bounds, transcript);
        }
        let (read, mut write) = std::io::pipe().map_err(RunError::Io)?;
        let (project, neighbour, home) = (workspace.project(), workspace.at(NEIGHBOUR), workspace.at(HOME));
        let command = launch.filled(&launch.command, workspace);
        let roots = [project.as_path(), neighbour.as_path(), home.as_path()];
        let call = runner.command(&command, &project, &roots, "lab");
        let mut env: BTreeMap<String, String> =
            launch.env.iter().map(|(name, value)| (name.clone(), launch.filled(value, workspace))).collect();
        env.insert("HOME".to_owned(), home.display().to_string());
        let manner = Manner {
            limits: Limits {
                wall: bounds.session,
                cpu: bounds.session,
                memory: bounds.memory,
                output: OUTPUT,
                ..Limits::default()
            },
            stdin: ProgramInput::Descriptor(read.into()),
            stdout: Output::Stream,
            stderr: Output::Stream,
            observe: true,
            env,
            readable: launch.places().into_iter().chain(workspace.database().map(Database::socket)).collect(),
            met_outside: vec!["log_output", "redact_output"],
            ..Manner::default()
        };
        let permit = runner.admit(call)?;
        let (lines, heard) = mpsc::channel();
        let stderr = Arc::<Mutex<Vec<u8>>>::default();
        let stopper = Arc::<Mutex<Option<Stopper>>>::default();
        let run = runner.start(permit, manner, listener(lines, Arc::clone(&stderr)), {
            let stopper = Arc::clone(&stopper);
            move |handle| *lock(&stopper) = Some(handle)
        });
        let (send, to_send) = mpsc::channel::<String>();
        // Written by another thread, because a server that doesn't read would block us.
        std::thread::spawn(move || {
            for line in to_send {
                if write.write_all(line.as_bytes()).and_then(|()| write.write_all(b"\n")).is_err() {
                    break;
                }
            }
        });
        let mut session = Self {
            send: Some(Box::new(move |line| drop(send.send(line)))),
            heard,
            remote: None,
            stopper,
            stderr,
            run: Some(run),
            transcript,
            bounds,
            root: root(&project),
            next: 0,
            asked: Vec::new(),
            info: Value::Null,
        };
        session.shake_hands()?;
        Ok(session)
    }

    /// A session with a running server.
    fn join(
        runner: &Runner,
        url: &str,
        key_env: Option<&str>,
        workspace: &Workspace,
        bounds: Bounds,
        transcript: Transcript,
    ) -> Result<Self, ServerError> {
        let fault = |what: String| ServerError::Mute { what, stderr: String::new() };
        let key = match key_env {
            Some(name) => {
                let key = std::env::var(name).ok().filter(|key| !key.trim().is_empty());
                Some(key.ok_or_else(|| fault(format!("the variable {name} isn't set")))?)
            }
            None => None,
        };
        let place = Place::new(url, key, REVISION, runner.net().clone(), (bounds.call, bounds.session))
            .map_err(fault)?;
        let (lines, heard) = mpsc::channel();
        let (send, to_send) = tokio::sync::mpsc::unbounded_channel::<String>();
        runner.spawn(place.clone().speak(to_send, lines));
        let mut session = Self {
            send: Some(Box::new(move |line| drop(send.send(line)))),
            heard,
            remote: Some(place),
            stopper: Arc::default(),
            stderr: Arc::default(),
            run: None,
            transcript,
            bounds,
            root: root(&workspace.project()),
            next: 0,
            asked: Vec::new(),
            info: Value::Null,
        };
        session.shake_hands()?;
        Ok(session)
    }

    fn shake_hands(&mut self) -> Result<(), ServerError> {
        let hello = json!({"protocolVersion": REVISION, "capabilities": {"roots": {"listChanged": false}},
            "clientInfo": {"name": "doorward-lab", "version": env!("CARGO_PKG_VERSION")}});
        match self.request("initialize", hello) {
            Answer::Result(result) => {
                self.info = result.get("serverInfo").cloned().unwrap_or_default();
                self.notify("notifications/initialized");
                Ok(())
            }
            Answer::Error(text) => {
                Err(self.mute(&format!("the greeting was answered with an error: {text}")))
            }
            Answer::Silence => Err(self.mute("the server didn't answer the greeting in time")),
            Answer::Gone => Err(self.mute("the server ended before it answered the greeting")),
        }
    }

    fn mute(&mut self, what: &str) -> ServerError {
        self.stop();
        if let Some(Err(error)) = self.run.take().and_then(|run| run.join().ok()) {
            return ServerError::Run(error);
        }
        let said = String::from_utf8_lossy(&lock(&self.stderr)).trim().to_owned();
        let said: String = said.chars().take(600).collect();
        let stderr = if said.is_empty() { String::new() } else { format!("; it said: {said}") };
        ServerError::Mute { what: what.to_owned(), stderr }
    }

    /// All tools, from all pages.
    ///
    /// # Errors
    /// [`ServerError::Mute`].
    pub fn tools(&mut self) -> Result<Vec<Value>, ServerError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        // Endless pages count as no answer.
        for _ in 0..64 {
            let params = cursor.take().map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
            match self.request("tools/list", params) {
                Answer::Result(result) => {
                    tools.extend(result.get("tools").and_then(Value::as_array).cloned().unwrap_or_default());
                    match result.get("nextCursor").filter(|cursor| !cursor.is_null()) {
                        Some(next) => cursor = Some(next.clone()),
                        None => return Ok(tools),
                    }
                }
                Answer::Error(text) => return Err(self.mute(&format!("tools/list failed: {text}"))),
                Answer::Silence | Answer::Gone => return Err(self.mute("tools/list wasn't answered")),
            }
        }
        Err(self.mute("tools/list has endless pages"))
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Answer {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Whether it is still running.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        match &self.remote {
            Some(place) => place.is_there(),
            None => self.run.as_ref().is_some_and(|run| !run.is_finished()),
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Answer {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let until = Instant::now() + self.bounds.call;
        loop {
            let line = match self.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    self.note("no answer in time");
                    return Answer::Silence;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.note("the server is gone");
                    return Answer::Gone;
                }
            };
            let Ok(message) = serde_json::from_str::<Value>(&line) else {
                self.note(&line.chars().take(500).collect::<String>());
                continue;
            };
            self.tell("received", &message);
            if message.get("method").is_some() {
                self.asked_of_us(&message);
            } else if message.get("id") == Some(&json!(id)) {
                return match (message.get("result"), message.get("error")) {
                    (Some(result), None) => Answer::Result(result.clone()),
                    (_, Some(error)) => Answer::Error(
                        error.get("message").and_then(Value::as_str).unwrap_or("an error").to_owned(),
                    ),
                    (None, None) => Answer::Error("neither a result nor an error".to_owned()),
                };
            }
        }
    }

    fn asked_of_us(&mut self, message: &Value) {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let Some(id) = message.get("id").filter(|id| !id.is_null()) else { return };
        let answer = match method {
            "ping" => json!({"result": {}}),
            "roots/list" => json!({"result": {"roots": [{"uri": self.root, "name": "project"}]}}),
            _ => {
                let method: String = method.chars().take(60).collect();
                if !self.asked.contains(&method) {
                    self.asked.push(method);
                }
                json!({"error": {"code": -32601, "message": "not offered"}})
            }
        };
        let mut answer = answer;
        if let Some(members) = answer.as_object_mut() {
            members.insert("jsonrpc".to_owned(), json!("2.0"));
            members.insert("id".to_owned(), id.clone());
        }
        self.say(&answer);
    }

    fn notify(&mut self, method: &str) {
        self.say(&json!({"jsonrpc": "2.0", "method": method}));
    }

    fn say(&mut self, message: &Value) {
        self.tell("sent", message);
        if let Some(send) = &self.send {
            send(message.to_string());
        }
    }

    fn note(&mut self, text: &str) {
        self.tell("note", &json!(text));
    }

    fn tell(&mut self, direction: &'static str, message: &Value) {
        let line = TranscriptLine { direction, message: message.clone() };
        (self.transcript.lock().unwrap_or_else(PoisonError::into_inner))(&line);
    }

    /// Closes its input, waits for it to exit, ends it, and returns the report; `None` for a remote server.
    pub fn finish(mut self) -> Result<Option<Report>, RunError> {
        self.send = None;
        if self.remote.is_some() {
            return Ok(None);
        }
        let until = Instant::now() + LEAVE;
        while self.is_alive() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.stop();
        match self.run.take().map(JoinHandle::join) {
            Some(Ok(ran)) => ran.map(|ran| Some(ran.report)),
            _ => Err(RunError::Io(std::io::Error::other("the run's thread ended without a word"))),
        }
    }

    fn stop(&mut self) {
        self.send = None;
        if let Some(place) = &self.remote {
            place.leave();
        }
        // If the run hasn't begun yet, its handle arrives shortly.
        while self.is_alive() {
            if let Some(stopper) = lock(&self.stopper).as_ref() {
                stopper.stop(Cause::GateStopped);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The one root we offer.
fn root(project: &Path) -> String {
    url::Url::from_file_path(project).map(|url| url.to_string()).unwrap_or_default()
}

/// Splits standard output into lines, and keeps a limited part of standard error.
fn listener(lines: Sender<String>, stderr: Arc<Mutex<Vec<u8>>>) -> Listener {
    let mut pending = Vec::new();
    Box::new(move |stream, bytes| match stream {
        Stream::Err => {
            let mut kept = lock(&stderr);
            let room = STDERR.saturating_sub(kept.len());
            kept.extend_from_slice(bytes.get(..bytes.len().min(room)).unwrap_or_default());
        }
        Stream::Out => {
            pending.extend_from_slice(bytes);
            while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = pending.drain(..=end).collect();
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if !text.is_empty() {
                    let _ = lines.send(text);
                }
            }
            if pending.len() > LONGEST_LINE {
                pending.clear();
            }
        }
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_becomes_lines_wherever_it_is_cut() {
        let (send, heard) = mpsc::channel();
        let stderr = Arc::<Mutex<Vec<u8>>>::default();
        let mut hear = listener(send, Arc::clone(&stderr));
        hear(Stream::Out, b"{\"a\":");
        hear(Stream::Out, b"1}\n\n{\"b\":2}\nrest");
        hear(Stream::Err, &[b'x'; STDERR * 2]);
        let lines: Vec<String> = heard.try_iter().collect();
        assert_eq!(lines, ["{\"a\":1}", "{\"b\":2}"]);
        assert_eq!(lock(&stderr).len(), STDERR);
    }

    #[test]
    fn a_programs_package_is_what_it_needs_to_see() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("node_modules/a/node_modules/b/cli.js");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "").unwrap();
        assert_eq!(package_of(&program), folder.path().join("node_modules"));
        let launch = Launch {
            command: format!("node {} {{project}}", program.display()),
            url: None,
            key_env: None,
            env: BTreeMap::new(),
            readable: vec![],
        };
        assert!(launch.places().contains(&folder.path().canonicalize().unwrap().join("node_modules")));
    }
}
