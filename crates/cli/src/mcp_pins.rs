//! `doorward mcp pins`, `approve` and `refuse`: tools under watch, and the difference a person says yes or no to.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

use doorward::mcp::{Approved, PinShown};
use doorward_hooks::thin::SOCKET;
use serde_json::Value;

use crate::approvals::visible;
use crate::output::{Failure, json_line, say};
use crate::service;
use crate::state::StateOption;

/// In the place of a tool's name: everything that waits.
const EVERY: &str = "*";

#[derive(Debug, clap::Args)]
pub(crate) struct Pins {
    /// Only this server
    server: Option<String>,
    /// JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    state: StateOption,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Approve {
    /// The tool as `server/tool`; `server` alone is how the server is started now, `server/*` everything of it that waits
    #[arg(value_name = "SERVER/TOOL")]
    what: String,
    /// Digest of what you were shown (`doorward mcp pins --json`), instead of looking at it here
    #[arg(long, value_name = "DIGEST")]
    shown: Option<String>,
    #[command(flatten)]
    state: StateOption,
}

/// Lists pins.
pub(crate) fn pins(args: &Pins) -> Result<ExitCode, Failure> {
    let all = read(&args.state, args.server.as_deref().unwrap_or_default())?;
    if args.json {
        json_line(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    if all.is_empty() {
        match &args.server {
            Some(server) => say!(
                "no MCP server `{server}` has come through the gateway; `doorward mcp pins` lists those that have"
            ),
            None => say!("no MCP server has come through the gateway yet"),
        }
    }
    for pin in &all {
        show(pin);
    }
    Ok(ExitCode::SUCCESS)
}

fn show(pin: &PinShown) {
    let name = if pin.tool.is_empty() { pin.server.clone() } else { format!("{}/{}", pin.server, pin.tool) };
    let colour = match pin.state.as_str() {
        "approved" => "\u{1b}[32m",
        "changed" => "\u{1b}[31m",
        _ => "\u{1b}[33m",
    };
    let mut found =
        if pin.findings.is_empty() { String::new() } else { format!("  found: {}", pin.findings.join(", ")) };
    if let Some(by) = &pin.refused {
        found.push_str(&format!("  refused by {by}"));
    }
    let by = if pin.state == "approved" { format!("  by {}", visible(&pin.by)) } else { String::new() };
    say!("{colour}{:<9}\u{1b}[0m {}{by}{}", pin.state, visible(&name), visible(&found));
    if pin.state != "approved" && !pin.told.is_empty() {
        say!("    {}", visible(&pin.told));
    }
    for difference in pin.differences.as_array().into_iter().flatten() {
        let (Some(member), Some(parts)) = (difference.get(0), difference.get(1).and_then(Value::as_array))
        else {
            continue;
        };
        let text = |part: &Value, key: &str| part.get(key).and_then(Value::as_str).map(visible);
        let mut line = String::new();
        for part in parts {
            if let Some(same) = text(part, "same") {
                line.push_str(&same);
            } else if let Some(gone) = text(part, "gone") {
                line.push_str(&format!("\u{1b}[31m[-{gone}-]\u{1b}[0m"));
            } else if let Some(new) = text(part, "new") {
                line.push_str(&format!("\u{1b}[32m{{+{new}+}}\u{1b}[0m"));
            }
        }
        say!("    {}: {line}", member.as_str().unwrap_or_default());
    }
}

/// Approves what is shown.
pub(crate) fn approve(args: &Approve) -> Result<ExitCode, Failure> {
    answer(args, true)
}

/// Refuses what is shown.
pub(crate) fn refuse(args: &Approve) -> Result<ExitCode, Failure> {
    answer(args, false)
}

fn answer(args: &Approve, yes: bool) -> Result<ExitCode, Failure> {
    let (server, tool) = args.what.split_once('/').unwrap_or((args.what.as_str(), ""));
    let all = read(&args.state, server)?;
    let wanted: Vec<&PinShown> = if tool == EVERY {
        all.iter().filter(|pin| pin.state != "approved" && pin.refused.is_none()).collect()
    } else {
        all.iter().filter(|pin| pin.tool == tool).collect()
    };
    if wanted.is_empty() && tool == EVERY && !all.is_empty() {
        say!("nothing of {server} waits");
        return Ok(ExitCode::SUCCESS);
    }
    let unknown = || Failure::new("mcp.unknown", format!("no pin of {}; see: doorward mcp pins", args.what));
    let first = wanted.first().ok_or_else(unknown)?;
    if yes && first.state == "approved" {
        say!("{} is approved already", args.what);
        return Ok(ExitCode::SUCCESS);
    }
    if args.shown.is_none() {
        for pin in &wanted {
            show(pin);
        }
        let (verb, name) = (if yes { "approve" } else { "refuse" }, visible(&args.what));
        if !asks(&format!("{verb} {name} as it is shown here? [y/N] "))? {
            say!("nothing was changed");
            return Ok(ExitCode::FAILURE);
        }
    } else if wanted.len() > 1 {
        return Err(Failure::new(
            "mcp.shown",
            "a digest is of one tool: name it, or look at all of them here",
        ));
    }
    let socket = args.state.folder().join(SOCKET);
    let path = if yes { "/v1/mcp/pins" } else { "/v1/mcp/refusals" };
    for pin in wanted {
        let unread = || Failure::new("mcp.pin", "the definition can't be read, so nothing can be said to it");
        let given = args.shown.as_deref().map(Into::into);
        let shown = given.or_else(|| pin.shown.clone()).ok_or_else(unread)?;
        let said = Approved { server: server.to_owned(), tool: pin.tool.clone(), shown };
        service::expect(&socket, "POST", path, Some(&serde_json::to_value(&said)?))?;
    }
    let then =
        if yes { "approved; clients see it at their next list of tools" } else { "refused and stays hidden" };
    say!("{} is {then}", args.what);
    Ok(ExitCode::SUCCESS)
}

fn asks(question: &str) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        let why = "nobody is there to say yes: run it at a terminal, or give the digest of what you saw with --shown";
        return Err(Failure::new("approval.no_terminal", why));
    }
    anstream::eprint!("{question}");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Pins, as the service tells them.
pub(crate) fn read(state: &StateOption, server: &str) -> Result<Vec<PinShown>, Failure> {
    let socket = state.folder().join(SOCKET);
    if std::os::unix::net::UnixStream::connect(&socket).is_err() {
        let why = "pins are read through the service; start it: doorward serve";
        return Err(Failure::new("service.unreachable", why));
    }
    let answer = service::expect(&socket, "GET", &format!("/v1/mcp/pins?server={server}"), None)?;
    Ok(serde_json::from_value(answer.get("pins").cloned().unwrap_or_default())?)
}
