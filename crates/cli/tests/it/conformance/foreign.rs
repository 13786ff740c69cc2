//! Ways in that take a program of another language: the MCP gateway before a server of the suite's own, and the Python
//! package, as a gate in the process and as a client of the service.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::rows::{End, Kind, Told};
use super::ways::{Answer, Ground, Question, canonical, recorded};
use crate::support::DOORWARD;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/conformance").join(name)
}

/// A call of a tool of an MCP server behind the gateway, which reads its mode from the settings.
pub fn by_gateway(ground: &Ground, question: &Question<'_>) -> Answer {
    let tool = match question.call.kind {
        Kind::Shell | Kind::Raw => "run_command",
        Kind::Write => "write_file",
        Kind::Fetch => "fetch",
        _ => return Err("the suite's server has no tool for it"),
    };
    let (_, args) = canonical(question.call);
    let bench = &ground.free;
    let mut gateway = Command::new(DOORWARD)
        .args(["mcp", "--state"])
        .arg(bench.state())
        .args(["--name", "suite", "--wait", "0", "--", "python3", "-u"])
        .arg(script("server.py"))
        .current_dir(bench.project())
        .env("OPENAI_API_KEY", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = gateway.stdin.take().unwrap();
    let mut lines = BufReader::new(gateway.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut request = |id: u64, method: &str, params: Value| {
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .unwrap();
        let answers = lines.by_ref().filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        answers.into_iter().find(|answer| answer["id"] == id).unwrap_or_default()
    };
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    request(1, "initialize", client);
    request(2, "tools/list", json!({}));
    let answer = request(3, "tools/call", json!({"name": tool, "arguments": args}));
    drop(input);
    gateway.wait().unwrap();
    let text = answer.to_string() + &recorded(bench);
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

fn by_python(ground: &Ground, question: &Question<'_>, way: &str, state: &Path, settings: &Path) -> Answer {
    let (tool, args) = canonical(question.call);
    let wanted = json!({"way": way, "state": state, "settings": settings, "tool": tool, "args": args,
        "cwd": ground.free.project(), "mode": question.mode,
        "session": question.session});
    let mut python = Command::new("python3")
        .arg(script("ask.py"))
        .env("PYTHONPATH", PACKAGE.path())
        .env("PYTHONPYCACHEPREFIX", PACKAGE.path().join("pycache"))
        .env("OPENAI_API_KEY", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(wanted.to_string().as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer: Value = serde_json::from_str(told.lines().last().unwrap_or_default()).unwrap_or_default();
    let end = match answer["end"].as_str() {
        Some("runs") => End::Runs,
        Some("asked") => End::Asked,
        _ => End::Refused,
    };
    Ok(Told { end, text: told + &String::from_utf8_lossy(&output.stderr) })
}

/// The gate in a Python process of its own.
pub fn by_python_gate(ground: &Ground, question: &Question<'_>) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    by_python(ground, question, "gate", &folder.path().join("state"), &ground.config)
}

/// A Python client of the service, over its socket.
pub fn by_python_client(ground: &Ground, question: &Question<'_>) -> Answer {
    by_python(ground, question, "client", &ground.free.state(), Path::new(""))
}
