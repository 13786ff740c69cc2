//! `doorward mcp scan`: the MCP servers that this machine's agents are configured with, whether the gateway is before
//! them, and what is known of their tools. With `--batch`, definitions on standard input looked at for poisoning.

use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;

use doorward::mcp::PinShown;
use doorward::rooms::core::json::{Limits, Value};
use doorward::rooms::mcp::{Definition, Listed, scan, verdict};
use doorward_hooks::thin::home_of;
use doorward_lab::detect;
use serde_json::json;

use crate::approvals::visible;
use crate::output::{Failure, exit, json_line};
use crate::state::StateOption;
use crate::{mcp_install, mcp_pins};

/// Longest row.
const LIMITS: Limits = Limits { bytes: 16 << 20, depth: 1_024 };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Rows `{"id", "current": [{"server", "trust", "tools"}], "pinned"?}` on standard input, one answer a line
    #[arg(long)]
    batch: bool,
    /// JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    state: StateOption,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if !args.batch {
        return machine(args);
    }
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", row(&line))?;
    }
    Ok(ExitCode::from(exit::ALLOW))
}

/// The servers of this machine's agents. Nothing is started: what isn't known of a server is said to be unknown.
fn machine(args: &Args) -> Result<ExitCode, Failure> {
    let home = home_of(rustix::process::getuid().as_raw());
    let project = std::env::current_dir().ok();
    let found = detect::declared(home.as_deref(), project.as_deref());
    let pins = mcp_pins::read(&args.state, "").ok();
    let mut rows = Vec::new();
    for one in &found.declared {
        let wrapped = mcp_install::is_ours(&one.command);
        let name = named(&one.command).unwrap_or_else(|| one.name.clone());
        let own: Vec<&PinShown> = pins.iter().flatten().filter(|pin| pin.server == name && wrapped).collect();
        let waiting: Vec<&str> =
            own.iter().filter(|pin| pin.state != "approved").map(|pin| pin.tool.as_str()).collect();
        let mut codes: Vec<&str> =
            own.iter().flat_map(|pin| pin.findings.iter().map(String::as_str)).collect();
        codes.sort_unstable();
        codes.dedup();
        rows.push(json!({"agent": one.agent, "name": one.name, "file": one.file, "off": one.off, "gateway": wrapped,
            "url": one.url, "tools": own.iter().filter(|pin| !pin.tool.is_empty()).count(), "waiting": waiting,
            "found": codes}));
    }
    if args.json {
        json_line(&json!({"servers": rows, "problems": found.problems}))?;
        return Ok(ExitCode::SUCCESS);
    }
    for (row, one) in rows.iter().zip(&found.declared) {
        let list = |key: &str| {
            let words = row.get(key).and_then(serde_json::Value::as_array).into_iter().flatten();
            words.filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(", ")
        };
        let gateway = match (mcp_install::is_ours(&one.command), &one.url) {
            (true, _) => "\u{1b}[32mbehind the gateway\u{1b}[0m",
            (false, Some(_)) => "\u{1b}[33mreached by its address, without the gateway\u{1b}[0m",
            (false, None) => "\u{1b}[33mwithout the gateway\u{1b}[0m",
        };
        anstream::println!("{:<14} {:<20} {gateway}", one.agent, visible(&one.name));
        let (waiting, codes) = (list("waiting"), list("found"));
        if !waiting.is_empty() {
            anstream::println!("    waits for you or changed: {}", visible(&waiting));
        }
        if !codes.is_empty() {
            anstream::println!("    found in definitions: {codes}");
        }
    }
    for problem in &found.problems {
        anstream::println!("can't be read: {}", visible(problem));
    }
    if pins.is_none() {
        anstream::println!("no service runs, so nothing is told about pinned tools: doorward serve");
    }
    if found.declared.is_empty() {
        anstream::println!("no agent of this machine is configured with an MCP server");
    } else {
        anstream::println!("put the gateway before them: doorward install mcp");
    }
    Ok(ExitCode::SUCCESS)
}

/// The name behind `--name` of a wrapped command.
fn named(command: &[String]) -> Option<String> {
    let at = command.iter().position(|word| word == "--name")?;
    command.get(at + 1).cloned()
}

/// One row's answer, also for a row that can't be read.
fn row(line: &[u8]) -> serde_json::Value {
    let row = match Value::parse_bytes(line, LIMITS) {
        Ok(row) => row,
        Err(error) => {
            return json!({"id": null, "error": {"code": error.code(), "message": error.to_string()}});
        }
    };
    let id = row.get("id").map_or(serde_json::Value::Null, serde_json::Value::from);
    let read = |member: &str| listed(row.get(member));
    match (read("current"), read("pinned")) {
        (Ok(current), Ok(pinned)) => {
            let findings = scan(&current, &pinned);
            json!({"id": id, "verdict": verdict(&findings), "findings": findings})
        }
        (Err(why), _) | (_, Err(why)) => {
            json!({"id": id, "error": {"code": "request.invalid", "message": why}})
        }
    }
}

fn listed(servers: Option<&Value>) -> Result<Vec<Listed>, String> {
    let mut all = Vec::new();
    for one in servers.and_then(Value::as_array).unwrap_or_default() {
        let server = one.get("server").and_then(Value::as_str).ok_or("a server without its name `server`")?;
        let trusted = one.get("trust").and_then(Value::as_str) == Some("trusted");
        let tools = one.get("tools").and_then(Value::as_array).ok_or("a server without its list `tools`")?;
        let tools: Result<Vec<Definition>, String> = tools
            .iter()
            .map(|tool| Definition::of(&tool.canonical()).map_err(|error| error.to_string()))
            .collect();
        all.push(Listed { server: server.to_owned(), trusted, tools: tools? });
    }
    Ok(all)
}
