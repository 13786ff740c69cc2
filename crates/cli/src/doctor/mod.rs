//! `doorward doctor`: whether every link between an agent and its answer holds, what is broken, and the one command
//! that mends it.
//!
//! The canary is the proof: a call goes through the very command line that the client is configured to run, and must
//! come back refused with the word that it carried. It is never recorded.

mod folder;
mod links;

pub(crate) use folder::broken;
pub(crate) use links::mend_of_problem;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use doorward_hooks::install;
use serde::Serialize;
use serde_json::json;

use self::links::{Link, State};
use crate::audit::alarm;
use crate::install::place;
use crate::output::{Failure, json_line};
use crate::state::StateOption;

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
    #[command(flatten)]
    state: StateOption,
    /// One line of JSON for Doorward itself, one a client, and one for the record if anything is wrong with it
    #[arg(long)]
    json: bool,
}

impl Args {
    /// For every client that is configured.
    pub(crate) fn whole(state: StateOption, json: bool) -> Self {
        Self { client: None, project: None, file: None, state, json }
    }
}

/// What was found out about one client, or about Doorward itself.
#[derive(Debug, Serialize)]
struct Health {
    /// The client; `doorward` for what all clients share.
    client: &'static str,
    /// Its configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    /// Every link, in the order a call takes.
    links: Vec<Link>,
    /// The canary event came back as the denial that it must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<bool>,
    /// What is wrong, and what to do.
    problems: Vec<String>,
}

impl Health {
    fn new(client: &'static str, file: Option<PathBuf>, links: Vec<Link>, reached: Option<bool>) -> Self {
        let problems = links.iter().filter(|link| link.state == State::Bad).map(Link::told).collect();
        Self { client, file, links, reached, problems }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let state = args.state.folder();
    let mut reports = vec![Health::new("doorward", None, links::own(&args.state), None)];
    match &args.client {
        Some(client) => {
            let (target, file) = place(client, args.project.as_deref(), args.file.as_deref())?;
            reports.push(examine(target, file, args.project.as_deref()));
        }
        None => {
            for target in install::targets() {
                let (target, file) = place(target.client.as_str(), args.project.as_deref(), None)?;
                if file.exists() {
                    reports.push(examine(target, file, args.project.as_deref()));
                }
            }
        }
    }
    let alarms = alarm::alarms(&state);
    let healthy = alarms.is_empty() && reports.iter().all(|report| report.problems.is_empty());
    for report in &reports {
        if args.json {
            json_line(report)?;
        } else {
            show(report);
        }
    }
    if args.json {
        if !alarms.is_empty() {
            json_line(&json!({"record": alarms}))?;
        }
    } else {
        alarm::draw(&alarms);
        if reports.len() == 1 {
            anstream::println!(
                "protected: no; no agent is configured here, install one with: doorward install claude-code"
            );
        } else if healthy {
            let any_note =
                reports.iter().flat_map(|report| &report.links).any(|link| link.state == State::Note);
            anstream::println!(
                "protected: yes; everything holds{}",
                if any_note { "; what is marked ! could be better" } else { "" }
            );
        } else {
            anstream::println!("protected: no; mend what is marked ✗");
        }
    }
    Ok(ExitCode::from(u8::from(!healthy)))
}

fn examine(target: &'static install::Target, file: PathBuf, project: Option<&Path>) -> Health {
    let (links, reached) = links::of_client(target, &file, project);
    Health::new(target.client.as_str(), Some(file), links, Some(reached))
}

fn show(health: &Health) {
    match &health.file {
        Some(file) => {
            anstream::println!("\u{1b}[1m{}\u{1b}[0m  \u{1b}[2m{}\u{1b}[0m", health.client, file.display())
        }
        None => anstream::println!("\u{1b}[1m{}\u{1b}[0m", health.client),
    }
    for link in &health.links {
        let mark = match link.state {
            State::Good => "\u{1b}[32m✓\u{1b}[0m",
            State::Bad => "\u{1b}[31m✗\u{1b}[0m",
            State::Note => "\u{1b}[33m!\u{1b}[0m",
        };
        anstream::println!("  {mark} {:<10} {}", link.name, link.says);
        if let Some(mend) = &link.mend {
            anstream::println!("    \u{1b}[1mmend it:\u{1b}[0m {mend}");
        }
    }
}
