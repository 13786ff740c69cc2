//! `doorward doctor`: whether the hook of a client is installed, reached and obeyed, and whether the record is the one
//! that the database remembers.
//!
//! The canary is the proof: an event with a command that must be denied goes through the very command line that the
//! client is configured to run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use doorward::rooms::core::tool::Client;
use doorward_hooks::clients;
use doorward_hooks::install::{self, Target};
use doorward_hooks::thin::{SOCKET, default_state};
use serde::Serialize;
use serde_json::json;

use crate::audit::alarm;
use crate::install::place;
use crate::output::{Failure, json_line};
use crate::status;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One client only
    client: Option<String>,
    /// Look into this project's configuration
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Look into this file
    #[arg(long, value_name = "FILE", requires = "client")]
    file: Option<PathBuf>,
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// One line of JSON a client, and one for the record if anything is wrong with it
    #[arg(long)]
    json: bool,
}

/// What was found out about one client.
#[derive(Debug, Serialize)]
struct Health {
    client: &'static str,
    file: PathBuf,
    /// Events the hook is installed for.
    events: Vec<String>,
    /// The binary that the entry names is there and can be run.
    executable: bool,
    /// The canary event came back as a denial.
    reached: bool,
    /// What is wrong, and what to do.
    problems: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let mut reports = Vec::new();
    match &args.client {
        Some(client) => {
            let (target, file) = place(client, args.project.as_deref(), args.file.as_deref())?;
            reports.push(examine(target, &file));
        }
        None => {
            for target in install::targets() {
                let (target, file) = place(target.client.as_str(), args.project.as_deref(), None)?;
                if file.exists() {
                    reports.push(examine(target, &file));
                }
            }
        }
    }
    let state = args.state.clone().unwrap_or_else(default_state);
    let alarms = alarm::alarms(&state);
    let healthy = alarms.is_empty() && reports.iter().all(|report| report.problems.is_empty());
    for report in &reports {
        if args.json {
            json_line(report)?;
        } else {
            show(report);
        }
    }
    for note in notes(&state) {
        anstream::eprintln!("\u{1b}[33m!\u{1b}[0m {note}");
    }
    if !args.json {
        alarm::draw(&alarms);
    } else if !alarms.is_empty() {
        json_line(&json!({"record": alarms}))?;
    }
    if reports.is_empty() && !args.json {
        anstream::println!("no agent is configured here; install one with: doorward install claude-code");
    }
    Ok(ExitCode::from(u8::from(!healthy)))
}

/// What the running service says isn't as the settings want it, and keeps no hook from working.
fn notes(state: &Path) -> Vec<String> {
    let health = status::ask(&state.join(SOCKET)).unwrap_or_default();
    let notes = health.get("notes").and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
    notes.iter().filter_map(serde_json::Value::as_str).map(str::to_owned).collect()
}

fn examine(target: &'static Target, file: &Path) -> Health {
    let mut health = Health {
        client: target.client.as_str(),
        file: file.to_owned(),
        events: Vec::new(),
        executable: false,
        reached: false,
        problems: Vec::new(),
    };
    let entries = match install::installed(target, file) {
        Ok(entries) => entries,
        Err(error) => {
            health.problems.push(error.to_string());
            return health;
        }
    };
    health.events = entries.iter().map(|(event, _)| event.clone()).collect();
    for event in target.events {
        if !health.events.iter().any(|found| found == event) {
            health.problems.push(format!("no hook for {event}: run `doorward install {}`", health.client));
        }
    }
    if let Ok(text) = std::fs::read_to_string(file)
        && text.contains("\"disableAllHooks\": true")
    {
        health.problems.push("`disableAllHooks` is set: no hook runs at all".to_owned());
    }
    let Some((_, command)) = entries.first() else { return health };
    match canary(target.client, command) {
        Ok(reached) => {
            health.executable = true;
            health.reached = reached;
            if !reached {
                health.problems.push(
                    "the canary was not denied: the hook answers, but lets through what it must not"
                        .to_owned(),
                );
            }
        }
        Err(reason) => health
            .problems
            .push(format!("the hook can't be run ({reason}): a missing hook stops nothing; reinstall it")),
    }
    health
}

/// Sends an event that has to be denied through the configured command line.
fn canary(client: Client, command: &str) -> Result<bool, String> {
    let cwd = std::env::temp_dir().display().to_string();
    let event = (clients::contract(client).canary)("rm -rf / --no-preserve-root", &cwd);
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(event.to_string().as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(126 | 127) | None => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Some(2) => Ok(!output.stderr.is_empty()),
        Some(0) => Ok(stdout.contains("\"deny\"")),
        Some(_) => Ok(false),
    }
}

fn show(health: &Health) {
    let word = |yes: bool| if yes { "\u{1b}[32myes\u{1b}[0m" } else { "\u{1b}[31mno\u{1b}[0m" };
    anstream::println!("{}  ({})", health.client, health.file.display());
    anstream::println!(
        "  installed for: {}",
        if health.events.is_empty() { "nothing".to_owned() } else { health.events.join(", ") }
    );
    anstream::println!("  hook can be run: {}", word(health.executable));
    anstream::println!("  hook reached, canary denied: {}", word(health.reached));
    for problem in &health.problems {
        anstream::println!("  \u{1b}[33m!\u{1b}[0m {problem}");
    }
}
