//! `doorward config`: the settings in force, and which layer set each.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use doorward::{Door, Options};
use doorward_hooks::thin::default_state;
use serde_json::json;

use crate::approvals::visible;
use crate::output::{Failure, json_line};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR", global = true)]
    state: Option<PathBuf>,
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every key with its value and the layer it comes from
    Explain {
        /// The project whose layer counts
        #[arg(long, value_name = "DIR", default_value = ".")]
        project: PathBuf,
        /// JSON
        #[arg(long)]
        json: bool,
    },
    /// Check settings, rules and policies without using them
    Check {
        /// The project whose layer counts
        #[arg(long, value_name = "DIR", default_value = ".")]
        project: PathBuf,
    },
    /// The JSON schema of doorward.toml, for editors
    Schema,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let places = Options::usual(&args.state.unwrap_or_else(default_state)).places;
    match args.command {
        What::Schema => {
            json_line(&doorward::rooms::settings::Settings::schema().json_schema())?;
        }
        What::Check { project } => {
            let door = Door::open(Options::simulation(places))?;
            let project = door.project(Some(&project));
            if let Some(problem) = project.problem() {
                return Err(Failure::of_problem(problem));
            }
            if !project.faults().is_empty() {
                let of_knowledge = |fault: &String| fault.starts_with("knowledge:");
                let code = match project.faults().iter().all(of_knowledge) {
                    true => "settings.knowledge",
                    false => "guardian.config",
                };
                return Err(Failure::new(code, project.faults().join("\n")));
            }
            for note in project.notes() {
                anstream::println!("note: {note}");
            }
            let lints = project.lints();
            for lint in &lints {
                let policy = visible(&lint.policy);
                anstream::println!(
                    "\u{1b}[33mwarning\u{1b}[0m {policy}: {} \u{1b}[2m({})\u{1b}[0m",
                    visible(&lint.message),
                    lint.code
                );
            }
            match lints.len() {
                0 => anstream::println!("settings, rules and policies are good"),
                1 => anstream::println!("settings, rules and policies load; 1 warning"),
                many => anstream::println!("settings, rules and policies load; {many} warnings"),
            }
        }
        What::Explain { project, json } => {
            let loaded = draw(places.read(Some(&project)).map_err(Failure::from)?)?;
            for row in loaded.explain() {
                let names: Vec<&str> = row.layers.iter().map(|(_, name)| name.as_str()).collect();
                if json {
                    json_line(&json!({"key": row.key, "value": row.value, "layers": names}))?;
                } else {
                    let from = if names.is_empty() { "built-in".to_owned() } else { names.join(", ") };
                    anstream::println!("{} = {}  \u{1b}[2m{from}\u{1b}[0m", row.key, row.value);
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Merges, and draws an error with its place in the file.
fn draw(layers: Vec<doorward::rooms::settings::Layer>) -> Result<doorward::rooms::settings::Loaded, Failure> {
    doorward::rooms::settings::Settings::load(&layers).map_err(|error| {
        let code = error.code_word().to_owned();
        Failure::new(code, format!("{:?}", miette::Report::new(error)))
    })
}
