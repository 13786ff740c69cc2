//! `doorward sessions`: what sessions of the running service remember.

use std::process::ExitCode;

use doorward_hooks::thin::SOCKET;
use serde_json::Value;

use crate::approvals::visible;
use crate::output::{Failure, json_line, say};
use crate::service::expect;
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Sessions, with how many calls each made and its marks
    List(List),
    /// One session as a graph: where data came from, what was done with it, where it went
    Show(Show),
    /// Forget what other people wrote in a session, so that it no longer counts; takes a person at a terminal
    Clear(Clear),
}

#[derive(Debug, clap::Args)]
struct List {
    /// One line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    state: StateOption,
}

#[derive(Debug, clap::Args)]
struct Show {
    /// The session, as `sessions list` names it
    #[arg(value_name = "ID")]
    id: String,
    /// One line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    state: StateOption,
}

#[derive(Debug, clap::Args)]
struct Clear {
    /// The session, as `sessions list` names it
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    state: StateOption,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        What::List(args) => list(&args),
        What::Show(args) => show(&args),
        What::Clear(args) => clear(&args),
    }
}

fn list(args: &List) -> Result<ExitCode, Failure> {
    let answer = expect(&args.state.folder().join(SOCKET), "GET", "/v1/sessions", None)?;
    if args.json {
        json_line(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    for session in answer.get("sessions").and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| session.get(name).and_then(Value::as_str).unwrap_or_default();
        let calls = session.get("calls").and_then(Value::as_u64).unwrap_or_default();
        let names = |name: &str| {
            let all = session.get(name).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        };
        let title = Some(text("title")).filter(|title| !title.is_empty());
        let title = title.map(|title| format!("  \u{201c}{}\u{201d}", visible(title))).unwrap_or_default();
        say!("{}{title}  {calls} calls{}  {}", text("id"), counted(session), names("taints"));
    }
    Ok(ExitCode::SUCCESS)
}

/// What became of a session's calls: each word that isn't zero.
fn counted(session: &Value) -> String {
    let number = |path: &str| session.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let words = [
        ("passed", "/tally/passed"),
        ("asked", "/tally/asked/all"),
        ("left to the agent's own prompt", "/tally/left/all"),
        ("denied", "/tally/denied"),
        ("needless", "/tally/needless"),
    ];
    let said: Vec<String> = words
        .into_iter()
        .filter(|(_, path)| number(path) > 0)
        .map(|(word, path)| format!("{} {word}", number(path)))
        .collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

fn clear(args: &Clear) -> Result<ExitCode, Failure> {
    let path = format!("/v1/sessions/{}/clear", encoded(&args.id));
    expect(&args.state.folder().join(SOCKET), "POST", &path, Some(&serde_json::json!({})))?;
    say!(
        "cleared: {} no longer counts what other people wrote; secrets, and what its calls did, stay",
        args.id
    );
    Ok(ExitCode::SUCCESS)
}

fn show(args: &Show) -> Result<ExitCode, Failure> {
    let path = format!("/v1/sessions/{}", encoded(&args.id));
    let answer = expect(&args.state.folder().join(SOCKET), "GET", &path, None)?;
    if args.json {
        json_line(&answer)?;
    } else {
        let graph = answer.get("graph").and_then(Value::as_str).unwrap_or_default();
        say!("{}", if graph.is_empty() { "nothing is remembered of this session" } else { graph });
    }
    Ok(ExitCode::SUCCESS)
}

/// An id as one segment of a path.
fn encoded(id: &str) -> String {
    id.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
