//! Ways in that take a program of another language: the MCP gateway before a server of the suite's own, and the Python
//! package, as a gate in the process and as a client of the service. Each program is started once for a ground.

use std::cell::{OnceCell, RefCell};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::rows::{End, Kind, Told};
use super::ways::{Answer, AskedCall, Ground, canonical, recorded};
use crate::support::DOORWARD;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/conformance").join(name)
}

/// A program that answers lines of JSON with lines of JSON.
pub struct Talk {
    program: Child,
    input: ChildStdin,
    lines: BufReader<ChildStdout>,
    asked: u64,
}

impl Talk {
    fn with(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = command.env("OPENAI_API_KEY", "none").spawn().unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        Self { program, input, lines: BufReader::new(output), asked: 0 }
    }

    /// Sends a question under a number of its own, and waits for the answer of that number.
    fn ask(&mut self, mut question: Value) -> Value {
        self.asked += 1;
        question["id"] = json!(self.asked);
        writeln!(self.input, "{question}").unwrap();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "it ended: {question}");
            match serde_json::from_str::<Value>(&line) {
                Ok(answer) if answer["id"] == self.asked => return answer,
                _ => {}
            }
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // The end of its input may not reach one that waits for an answer of its own.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The programs of a ground.
#[derive(Default)]
pub struct Programs {
    gateway: OnceCell<RefCell<Talk>>,
    gate: OnceCell<RefCell<Talk>>,
    client: OnceCell<RefCell<Talk>>,
}

fn gateway(ground: &Ground) -> RefCell<Talk> {
    let mut talk = Talk::with(
        Command::new(DOORWARD)
            .args(["mcp", "--state"])
            .arg(ground.free.state())
            .args(["--name", "suite", "--wait", "0", "--", "python3", "-u"])
            .arg(script("server.py"))
            .current_dir(ground.free.project()),
    );
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}});
    for (method, params) in [("initialize", client), ("tools/list", json!({}))] {
        talk.ask(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }
    RefCell::new(talk)
}

/// A call of a tool of an MCP server behind the gateway, which reads its mode from the settings.
pub fn by_gateway(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let tool = match question.call.kind {
        Kind::Shell | Kind::Raw => "run_command",
        Kind::Write => "write_file",
        Kind::Fetch => "fetch",
        _ => return Err("the suite's server has no tool for it"),
    };
    let (_, args) = canonical(question.call);
    let talk = ground.programs.gateway.get_or_init(|| gateway(ground));
    let call = json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": tool, "arguments": args}});
    let answer = talk.borrow_mut().ask(call);
    let text = answer.to_string() + &recorded(&ground.free);
    let end = match answer["result"]["isError"].as_bool() {
        Some(true) if text.contains("doorward approve") => End::Asked,
        Some(true) => End::Refused,
        _ if text.contains("done") => End::Runs,
        _ => End::Refused,
    };
    Ok(Told { end, text })
}

/// The package as a wheel lays it out: the Python sources with the built library among them.
static PACKAGE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("doorward");
    std::fs::create_dir(&package).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python/python/doorward");
    for item in std::fs::read_dir(sources).unwrap() {
        let item = item.unwrap().path();
        if item.is_file() {
            std::fs::copy(&item, package.join(item.file_name().unwrap())).unwrap();
        }
    }
    let built = Path::new(DOORWARD).parent().unwrap().join("deps/libdoorward_python.so");
    assert!(built.exists(), "{} isn't built: cargo build -p doorward-python", built.display());
    std::os::unix::fs::symlink(built, package.join("_core.abi3.so")).unwrap();
    folder
});

fn python(way: &str, state: &Path, settings: &Path) -> RefCell<Talk> {
    RefCell::new(Talk::with(
        Command::new("python3")
            .arg(script("ask.py"))
            .args([Path::new(way), state, settings])
            .env("PYTHONPATH", PACKAGE.path())
            .env("PYTHONPYCACHEPREFIX", PACKAGE.path().join("pycache")),
    ))
}

fn by_python(talk: &RefCell<Talk>, ground: &Ground, question: &AskedCall<'_>) -> Told {
    let (tool, args) = canonical(question.call);
    let answer = talk.borrow_mut().ask(json!({"tool": tool, "args": args, "cwd": ground.free.project(),
        "mode": question.mode, "session": question.session}));
    let end = match answer["end"].as_str() {
        Some("runs") => End::Runs,
        Some("asked") => End::Asked,
        _ => End::Refused,
    };
    Told { end, text: answer.to_string() }
}

/// The gate in a Python process of its own, with a record of its own.
pub fn by_python_gate(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let talk = ground.programs.gate.get_or_init(|| python("gate", &ground.free.file("own"), &ground.config));
    Ok(by_python(talk, ground, question))
}

/// A Python client of the service, over its socket.
pub fn by_python_client(ground: &Ground, question: &AskedCall<'_>) -> Answer {
    let talk = ground.programs.client.get_or_init(|| python("client", &ground.free.state(), Path::new("")));
    Ok(by_python(talk, ground, question))
}
