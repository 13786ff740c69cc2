//! `doorward config`: the settings in force, and which layer set each.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Subcommand;
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_hooks::thin::default_state;
use serde_json::json;

use crate::approvals::visible;
use crate::output::{Failure, json_line, said, say};

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
    /// Where the settings are read from: a line for each file, and whether it is there
    Path {
        /// The project whose layer counts
        #[arg(long, value_name = "DIR", default_value = ".")]
        project: PathBuf,
    },
    /// Open your settings in your editor ($VISUAL, $EDITOR); they are taken over only if they load
    Edit,
    /// The JSON schema of doorward.toml, for editors
    Schema,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let places = Options::usual(&args.state.unwrap_or_else(default_state)).places;
    match args.command {
        What::Schema => {
            json_line(&doorward::rooms::settings::Settings::schema().json_schema())?;
        }
        What::Path { project } => {
            for file in places.files(Some(&project)) {
                let there = if file.exists() { "" } else { "  (not there)" };
                let line = format!("{}{there}", file.display());
                said(&json!({"file": file, "exists": file.exists()}), &line);
            }
        }
        What::Edit => return edit(&places),
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
                say!("note: {note}");
            }
            let lints = project.lints();
            for lint in &lints {
                let (policy, message, code) = (visible(&lint.policy), visible(&lint.message), &lint.code);
                let drawn =
                    format!("\u{1b}[33mwarning\u{1b}[0m {policy}: {message} \u{1b}[2m({code})\u{1b}[0m");
                said(&json!({"warning": message, "policy": policy, "code": code.to_string()}), &drawn);
            }
            match lints.len() {
                0 => say!("settings, rules and policies are good"),
                1 => say!("settings, rules and policies load; 1 warning"),
                many => say!("settings, rules and policies load; {many} warnings"),
            }
        }
        What::Explain { project, json } => {
            let loaded = draw(places.read(Some(&project)).map_err(Failure::from)?)?;
            let notes = Door::open(Options::simulation(places))?.project(Some(&project)).notes().to_vec();
            for row in loaded.explain() {
                let names: Vec<&str> = row.layers.iter().map(|(_, name)| name.as_str()).collect();
                if json {
                    json_line(&json!({"key": row.key, "value": row.value, "layers": names}))?;
                } else {
                    let from = if names.is_empty() { "built-in".to_owned() } else { names.join(", ") };
                    say!("{} = {}  \u{1b}[2m{from}\u{1b}[0m", row.key, row.value);
                }
            }
            for note in notes {
                if json {
                    json_line(&json!({"note": note}))?;
                } else {
                    say!("\u{1b}[33mnote\u{1b}[0m {note}");
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Has a copy edited, and takes it over if everything loads with it: broken settings would deny every call.
fn edit(places: &Places) -> Result<ExitCode, Failure> {
    let Some(file) = places.user.clone() else {
        return Err(Failure::new("settings.file", "this state folder has no settings of a user"));
    };
    let copy = file.with_extension("toml.edited");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("/")))?;
    std::fs::write(&copy, &before)?;
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    // The variables hold command lines, such as `code --wait`.
    let ran = Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(&copy).status()?;
    if !ran.success() {
        return Err(Failure::new("settings.editor", format!("`{editor}` failed; nothing was changed")));
    }
    let edited = Places { user: Some(copy.clone()), ..places.clone() };
    if let Some(problem) = Door::open(Options::simulation(edited))?.project(None).problem() {
        let wrong = Failure::of_problem(problem);
        let kept = format!("nothing was changed; your text is kept in {}", copy.display());
        return Err(Failure::new(wrong.code(), format!("{}\n{kept}", wrong.message)));
    }
    // Through a link, where the file is one.
    std::fs::copy(&copy, &file)?;
    std::fs::remove_file(&copy)?;
    say!("settings are in force: {}", file.display());
    Ok(ExitCode::SUCCESS)
}

/// Merges, and draws an error with its place in the file.
fn draw(layers: Vec<doorward::rooms::settings::Layer>) -> Result<doorward::rooms::settings::Loaded, Failure> {
    doorward::rooms::settings::Settings::load(&layers).map_err(|error| {
        let code = error.code_word().to_owned();
        Failure::new(code, format!("{:?}", miette::Report::new(error)))
    })
}
