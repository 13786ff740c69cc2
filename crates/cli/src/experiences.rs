//! `doorward experiences`: rules about tools, listed, changed, exchanged and put into agents' instruction files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use doorward::reviewing;
use doorward_guardian::experiences::{Experiences, Library, Order, inject, names};
use doorward_hooks::thin::{default_state, home_of};

use crate::explore;
use crate::output::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the files are; `experiences` in the state directory by default
    #[arg(long, value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Tools with the number of their rules
    List,
    /// The rules of a tool
    Show {
        /// The tool: terminal, filesystem, …
        tool: String,
    },
    /// Add, change or remove a rule
    Edit {
        /// The tool
        tool: String,
        /// Add this rule
        #[arg(long, value_name = "RULE")]
        add: Option<String>,
        /// Change a rule: `exp.3=RULE`
        #[arg(long, value_name = "KEY=RULE")]
        set: Option<String>,
        /// Remove a rule
        #[arg(long, value_name = "KEY")]
        remove: Option<String>,
    },
    /// Take a tool's file over as it is
    Import {
        /// `<tool>-mcp.json`
        file: PathBuf,
    },
    /// Write a tool's file to standard output
    Export {
        /// The tool
        tool: String,
    },
    /// Add the rules of a file that aren't there yet
    Merge {
        /// `<tool>-mcp.json`
        file: PathBuf,
    },
    /// Try a tool in the sandbox, write down what it really does and make rules of it
    Explore(explore::Args),
    /// Put the rules into an agent's instruction file
    Load {
        /// claude-code, codex, gemini-cli, opencode, openclaw
        agent: String,
        /// Of these tools; terminal and filesystem by default
        #[arg(long = "tool", value_name = "TOOL")]
        tools: Vec<String>,
        /// Show what the file would be
        #[arg(long)]
        dry_run: bool,
        /// Replace a block that was changed by hand
        #[arg(long)]
        force: bool,
    },
    /// Take the rules out again; the rest of the file stays as it is
    Unload {
        /// The agent
        agent: String,
        /// Show what the file would be
        #[arg(long)]
        dry_run: bool,
        /// Also a block that was changed by hand
        #[arg(long)]
        force: bool,
    },
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let folder = args.folder.clone().unwrap_or_else(|| default_state().join("experiences"));
    let library = match &args.folder {
        Some(folder) => Library::seeded().overlaid(Library::load(folder)?),
        None => reviewing::experiences(),
    };
    let mut out = std::io::stdout().lock();
    match args.command {
        What::List => {
            for (tool, rules) in library.tools() {
                let kept = if folder.join(format!("{tool}.json")).exists() { "own" } else { "shipped" };
                writeln!(out, "{tool:<20} {:>3} rules  {kept}", rules.rules(Order::Natural).len())?;
            }
        }
        What::Show { tool } => {
            for (key, rule) in of(&library, &tool)?.1.rules(Order::Natural) {
                writeln!(out, "{key}: {rule}")?;
            }
        }
        What::Export { tool } => out.write_all(of(&library, &tool)?.1.to_text().as_bytes())?,
        What::Edit { tool, add, set, remove } => {
            let name = names::from_server(&tool);
            let mut rules = library.get(&name).cloned().unwrap_or_default();
            if let Some(rule) = add {
                writeln!(out, "{}", rules.add(&rule))?;
            }
            if let Some(text) = set {
                let (key, rule) = text
                    .split_once('=')
                    .ok_or_else(|| Failure::new("experiences.usage", "write --set exp.3=RULE"))?;
                rules.update(key, rule)?;
            }
            if let Some(key) = remove
                && !rules.remove(&key)
            {
                return Err(Failure::new("experiences.key", format!("there is no rule {key:?}")));
            }
            Library::save(&folder, &name, &rules)?;
        }
        What::Import { file } => {
            let (name, rules) = read(&file)?;
            Library::save(&folder, &name, &rules)?;
            writeln!(out, "{name}: {} rules", rules.rules(Order::Natural).len())?;
        }
        What::Merge { file } => {
            let (name, new) = read(&file)?;
            let mut rules = library.get(&name).cloned().unwrap_or_default();
            let added = rules.merge(&new);
            Library::save(&folder, &name, &rules)?;
            writeln!(out, "{name}: {added} rules added")?;
        }
        What::Explore(args) => {
            drop(out);
            return explore::run(args, &folder);
        }
        What::Load { agent, tools, dry_run, force } => {
            let tools = if tools.is_empty() { vec!["terminal".into(), "filesystem".into()] } else { tools };
            let named: Vec<String> = tools.iter().map(|tool: &String| names::from_server(tool)).collect();
            for name in &named {
                of(&library, name)?;
            }
            let rules = library.render(&named, Order::Natural);
            change(&agent, dry_run, |file| inject::load(file, &rules, force))?;
        }
        What::Unload { agent, dry_run, force } => {
            change(&agent, dry_run, |file| inject::unload(file, force))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn of<'l>(library: &'l Library, tool: &str) -> Result<(String, &'l Experiences), Failure> {
    let name = names::from_server(tool);
    match library.get(&name) {
        Some(rules) => Ok((name, rules)),
        None => {
            let known: Vec<&str> = library.tools().map(|(tool, _)| tool).collect();
            let known = known.join(", ");
            Err(Failure::new("experiences.tool", format!("nothing is known of {name}; there are {known}")))
        }
    }
}

fn read(file: &std::path::Path) -> Result<(String, Experiences), Failure> {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = names::from_server(&stem);
    if !names::is_safe(&name) {
        return Err(Failure::new("experiences.name", format!("{stem:?} is no tool's name")));
    }
    Ok((name, Experiences::parse(&std::fs::read_to_string(file)?)?))
}

fn change(
    agent: &str,
    dry_run: bool,
    how: impl FnOnce(&str) -> Result<String, inject::InjectError>,
) -> Result<(), Failure> {
    let known: Vec<&str> = inject::TARGETS.iter().map(|(agent, _)| *agent).collect();
    let target = inject::target(agent).ok_or_else(|| {
        Failure::new("experiences.agent", format!("{agent:?} is none of {}", known.join(", ")))
    })?;
    let home = home_of(rustix::process::getuid().as_raw())
        .ok_or_else(|| Failure::new("experiences.home", "this user has no home folder"))?;
    let path = home.join(target);
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    let after = how(&before)?;
    let mut out = std::io::stdout().lock();
    if dry_run {
        out.write_all(after.as_bytes())?;
    } else if after == before {
        writeln!(out, "{}: nothing to change", path.display())?;
    } else {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, after)?;
        writeln!(out, "{}: written", path.display())?;
    }
    Ok(())
}
