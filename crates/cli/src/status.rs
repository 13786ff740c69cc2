//! `doorward status`: whether the service runs, where, in which posture, and whether its record is the one that the
//! database remembers.

use std::path::PathBuf;
use std::process::ExitCode;

use doorward_hooks::thin::{SOCKET, default_state};
use serde_json::json;

use crate::audit::alarm;
use crate::output::{Failure, exit, json_line};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Print the token for the HTTP API
    #[arg(long)]
    token: bool,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let state = args.state.unwrap_or_else(default_state);
    if args.token {
        let file = state.join(doorward::TOKEN_FILE);
        let token = std::fs::read_to_string(&file).map_err(|error| {
            Failure::new("status.no_token", format!("{}: {error}; start the service first", file.display()))
        })?;
        anstream::println!("{}", token.trim());
        return Ok(ExitCode::SUCCESS);
    }
    let health = ask(&state.join(SOCKET));
    let alarms = alarm::alarms(&state);
    if args.json {
        json_line(&json!({
            "state": state, "running": health.is_ok(), "health": health.as_ref().ok(), "record": alarms,
        }))?;
    } else {
        match &health {
            Ok(health) => anstream::println!("running, state in {}\n{}", state.display(), pretty(health)),
            Err(reason) => anstream::println!("not running ({reason}); start it with: doorward serve"),
        }
        alarm::draw(&alarms);
    }
    Ok(ExitCode::from(if health.is_ok() && alarms.is_empty() { exit::ALLOW } else { 1 }))
}

/// `GET /healthz` over the socket.
pub(crate) fn ask(socket: &std::path::Path) -> Result<serde_json::Value, String> {
    use std::io::{Read as _, Write as _};
    let text = |error: std::io::Error| error.to_string();
    let mut stream = std::os::unix::net::UnixStream::connect(socket).map_err(text)?;
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5))).map_err(text)?;
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: doorward\r\nConnection: close\r\n\r\n")
        .map_err(text)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(text)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("a broken answer")?;
    serde_json::from_str(body).map_err(|error| error.to_string())
}

fn pretty(health: &serde_json::Value) -> String {
    let lines = health.as_object().into_iter().flatten();
    lines
        .map(|(key, value)| {
            format!("  {key}: {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
        .collect::<Vec<_>>()
        .join("\n")
}
