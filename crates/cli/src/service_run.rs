//! `doorward run` through the service that runs: its gate decides, its sandbox bounds, and this process passes bytes.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use doorward::rooms::core::tool::ToolName;
use doorward_hooks::exec::Exec;
use doorward_hooks::thin::SOCKET;
use doorward_hooks::ticket::NOT_RUN;
use serde_json::{Value, json};

use crate::approvals::visible;
use crate::output::Failure;
use crate::service;

/// How long one wait for an answer may take before it is asked again.
const ONE_WAIT: Duration = Duration::from_secs(25);

/// What the service is asked to run.
pub(crate) struct Wish<'a> {
    /// What runs it.
    pub(crate) tool: &'a ToolName,
    /// The command, or the code.
    pub(crate) command: &'a str,
    /// Put what needs a person into the queue and wait.
    pub(crate) queue: bool,
}

/// Asks the service; `None` where none runs. Ends the process with the command's exit code when it ran.
pub(crate) fn run(state: &Path, wish: &Wish<'_>) -> Result<Option<ExitCode>, Failure> {
    let socket = state.join(SOCKET);
    if std::os::unix::net::UnixStream::connect(&socket).is_err() {
        return Ok(None);
    }
    let body = json!({
        "tool": wish.tool,
        "command": wish.command,
        "cwd": std::env::current_dir()?,
        "queue": wish.queue,
    });
    loop {
        let answer = service::expect(&socket, "POST", "/v1/runs", Some(&body))?;
        let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("decision") {
            "ALLOW" => {
                let ticket = text("ticket").to_owned();
                let command = Some(wish.command.to_owned());
                Exec { state: state.to_owned(), ticket, command, folder: false }.run()
            }
            "REQUIRE_USER_CONFIRMATION" => {
                let id = text("confirmationId");
                anstream::eprintln!(
                    "doorward: it needs a person's yes: {}\n  answer it in the console or with: doorward approve {id}",
                    visible(text("reason"))
                );
                if !answered(&socket, id)? {
                    return Ok(Some(ExitCode::from(NOT_RUN)));
                }
            }
            _ => {
                anstream::eprintln!(
                    "\u{1b}[31mDENY\u{1b}[0m  {} ({})",
                    visible(text("reason")),
                    text("code")
                );
                return Ok(Some(ExitCode::from(NOT_RUN)));
            }
        }
    }
}

/// Waits until a question is answered; says why where the answer isn't yes.
fn answered(socket: &Path, id: &str) -> Result<bool, Failure> {
    let path = format!("/v1/approvals/{id}/wait?seconds={}", ONE_WAIT.as_secs());
    loop {
        let asked = Instant::now();
        let answer = service::expect(socket, "GET", &path, None)?;
        match answer.get("outcome").and_then(Value::as_str) {
            Some("allowed") => return Ok(true),
            Some("pending") => {
                // Whoever answers at once without an answer isn't asked in a hurry.
                if asked.elapsed() < Duration::from_secs(1) {
                    std::thread::sleep(Duration::from_secs(1));
                }
            }
            other => {
                let why = answer.get("reason").and_then(Value::as_str).unwrap_or("no reason was given");
                let how = other.unwrap_or("no answer");
                anstream::eprintln!("doorward: nothing ran: {how}: {}", visible(why));
                return Ok(false);
            }
        }
    }
}
