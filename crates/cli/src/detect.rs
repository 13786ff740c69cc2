//! `doorward experiences detect`: the MCP servers that agents are configured with.

use std::io::Write as _;
use std::process::ExitCode;

use doorward_guardian::experiences::{Library, Order, names};
use doorward_lab::detect;

use crate::output::{Failure, json_line};

/// Lists the servers, with how many rules there are for each.
pub(crate) fn run(scan_ports: bool, as_json: bool, library: &Library) -> Result<ExitCode, Failure> {
    let mut found = detect::declared(doorward::home().as_deref(), std::env::current_dir().ok().as_deref());
    if scan_ports {
        found.listening = crate::runtime::block_on(detect::listening(detect::PORTS))?;
    }
    if as_json {
        json_line(&found)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = std::io::stdout().lock();
    for server in &found.declared {
        let name = names::from_server(&server.name);
        let rules = library.get(&name).map_or(0, |rules| rules.rules(Order::Natural).len());
        let how = server.command_line().or_else(|| server.url.clone()).unwrap_or_default();
        let off = if server.off { "  (off)" } else { "" };
        writeln!(text, "{:<14} {:<20} {rules:>3} rules  {how}{off}", server.agent, server.name)?;
    }
    for server in &found.listening {
        writeln!(text, "{:<14} {:<20}            {}", "listening", server.name, server.url)?;
    }
    for problem in &found.problems {
        writeln!(text, "unreadable: {problem}")?;
    }
    if found.declared.is_empty() && found.listening.is_empty() {
        writeln!(text, "no MCP server is configured for any known agent")?;
    }
    Ok(ExitCode::SUCCESS)
}
