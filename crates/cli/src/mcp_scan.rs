//! `doorward mcp scan`: definitions of tools looked at for poisoning. With `--batch`, rows on standard input.

use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;

use doorward::rooms::core::json::{Limits, Value};
use doorward::rooms::mcp::{Definition, Listed, scan, verdict};
use serde_json::json;

use crate::output::{Failure, exit};

/// Longest row.
const LIMITS: Limits = Limits { bytes: 16 << 20, depth: 1_024 };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Rows `{"id", "current": [{"server", "trust", "tools"}], "pinned"?}` on standard input, one answer a line
    #[arg(long)]
    batch: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if !args.batch {
        return Err(Failure::new(
            "mcp.scan",
            "give rows on standard input: doorward mcp scan --batch < rows.jsonl",
        ));
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
