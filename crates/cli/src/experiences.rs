//! `doorward experiences`: rules about tools, listed, changed, exchanged and put into agents' instruction files.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use doorward::reviewing;
use doorward_guardian::experiences::notes::{Notes, Status};
use doorward_guardian::experiences::{Experiences, Library, Order, inject, names};
use doorward_hooks::thin::{default_state, home_of};
use serde_json::{Value, json};

#[cfg(feature = "lab")]
use crate::explore;
use crate::output::Failure;
#[cfg(not(feature = "lab"))]
use crate::without_lab as explore;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR", global = true)]
    state: Option<PathBuf>,
    /// Where the files are; `experiences` in the state directory by default
    #[arg(long, value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
    /// One line of JSON
    #[arg(long, global = true)]
    json: bool,
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
    /// Accept proposed rules; only accepted ones count
    Accept {
        /// The tool
        tool: String,
        /// The rules: exp.3; all proposed ones without any
        keys: Vec<String>,
    },
    /// Take rules out of use and keep them
    Retire {
        /// The tool
        tool: String,
        /// The rules: exp.3
        #[arg(required = true)]
        keys: Vec<String>,
    },
    /// The versions of a tool's file that were kept
    Versions {
        /// The tool
        tool: String,
        /// Make this one the tool's file again
        #[arg(long, value_name = "VERSION")]
        restore: Option<String>,
    },
    /// Import a tool's file as it is
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
    Explore(Box<explore::Args>),
    /// Find the MCP servers that agents are configured with
    Detect {
        /// Also look for servers that listen on this machine's ports 8000 to 10000
        #[arg(long)]
        scan_ports: bool,
    },
    /// Put the rules into an agent's instruction file
    Load {
        /// claude-code, codex, gemini-cli, opencode, openclaw
        agent: String,
        /// Of these tools; terminal and filesystem by default
        #[arg(long = "tool", value_name = "TOOL")]
        tools: Vec<String>,
        /// Into the file of this project; into the user's own by default
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
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
        /// Out of the file of this project
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
        /// Show what the file would be
        #[arg(long)]
        dry_run: bool,
        /// Also a block that was changed by hand
        #[arg(long)]
        force: bool,
    },
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let state = args.state.clone().unwrap_or_else(default_state);
    let folder = args.folder.clone().unwrap_or_else(|| state.join(reviewing::EXPERIENCES));
    let library = Library::seeded().overlaid(Library::load(&folder)?);
    let as_json = args.json;
    let mut out = std::io::stdout().lock();
    match args.command {
        What::List => {
            let mut tools = Vec::new();
            for (tool, rules) in library.tools() {
                let kept = if folder.join(format!("{tool}.json")).exists() { "own" } else { "shipped" };
                let waiting = waiting(&Notes::load(&folder, tool)?, rules);
                let all = rules.rules(Order::Natural).len();
                if as_json {
                    tools.push(json!({"tool": tool, "rules": all, "kept": kept, "proposed": waiting}));
                    continue;
                }
                let proposed = if waiting == 0 { String::new() } else { format!("  {waiting} proposed") };
                writeln!(out, "{tool:<20} {all:>3} rules  {kept}{proposed}")?;
            }
            if as_json {
                writeln!(out, "{}", json!({ "tools": tools }))?;
            }
        }
        What::Show { tool } if as_json => {
            let (name, rules) = of(&library, &tool)?;
            let notes = Notes::load(&folder, &name)?;
            let told = |(key, rule): &(&str, &str)| {
                let note = notes.of(key, rule);
                json!({"key": key, "rule": rule, "status": notes.status(key, rule).as_str(),
                    "origin": note.map(|note| &note.origin), "created": note.map(|note| &note.created)})
            };
            let rules: Vec<Value> = rules.rules(Order::Natural).iter().map(told).collect();
            writeln!(out, "{}", json!({"tool": name, "rules": rules}))?;
        }
        What::Show { tool } => {
            let (name, rules) = of(&library, &tool)?;
            let notes = Notes::load(&folder, &name)?;
            for (key, rule) in rules.rules(Order::Natural) {
                match notes.of(key, rule) {
                    Some(note) => {
                        writeln!(
                            out,
                            "{key} ({}, {} {}): {rule}",
                            note.status.as_str(),
                            note.origin,
                            note.created
                        )?;
                    }
                    None => writeln!(out, "{key}: {rule}")?,
                }
            }
        }
        What::Export { tool } => out.write_all(of(&library, &tool)?.1.to_text().as_bytes())?,
        What::Edit { tool, add, set, remove } => {
            let name = names::from_server(&tool);
            if add.is_none() && set.is_none() && remove.is_none() {
                let message = "say what to change: --add RULE, --set KEY=RULE or --remove KEY";
                return Err(Failure::new("experiences.usage", message));
            }
            let mut rules = library.get(&name).cloned().unwrap_or_default();
            let mut changed = None;
            if let Some(text) = set {
                let (key, rule) = text
                    .split_once('=')
                    .ok_or_else(|| Failure::new("experiences.usage", "write --set exp.3=RULE"))?;
                rules.update(key, &written(rule)?)?;
                changed = Some(key.to_owned());
            }
            if let Some(key) = &remove
                && !rules.remove(key)
            {
                return Err(Failure::new("experiences.key", format!("there is no rule {key:?}")));
            }
            let added = match add {
                Some(rule) => Some(rules.add(&written(&rule)?)),
                None => None,
            };
            Library::save(&folder, &name, &rules)?;
            if as_json {
                let line = json!({"tool": name, "added": added, "changed": changed, "removed": remove});
                writeln!(out, "{line}")?;
            } else {
                for (key, what) in [(added, "added"), (changed, "changed"), (remove, "removed")] {
                    if let Some(key) = key {
                        writeln!(out, "{name}: {key} {what}")?;
                    }
                }
            }
        }
        What::Accept { tool, keys } => {
            let (name, rules) = of(&library, &tool)?;
            let mut notes = Notes::load(&folder, &name)?;
            let all = rules.rules(Order::Natural);
            let proposed = all.iter().filter(|(key, rule)| notes.status(key, rule) == Status::Proposed);
            let keys =
                if keys.is_empty() { proposed.map(|(key, _)| (*key).to_owned()).collect() } else { keys };
            for key in &keys {
                notes.set(rules, key, Status::Active)?;
            }
            notes.save(&folder, &name)?;
            tell(as_json, &mut out, json!({"tool": name, "accepted": keys}), || {
                format!("{name}: {} rules count now", keys.len())
            })?;
        }
        What::Retire { tool, keys } => {
            let (name, rules) = of(&library, &tool)?;
            let mut notes = Notes::load(&folder, &name)?;
            for key in &keys {
                notes.set(rules, key, Status::Retired)?;
            }
            // A shipped rule is retired in a file of the user's own.
            Library::save(&folder, &name, rules)?;
            notes.save(&folder, &name)?;
            tell(as_json, &mut out, json!({"tool": name, "retired": keys}), || {
                format!("{name}: {} rules retired", keys.len())
            })?;
        }
        What::Versions { tool, restore } => {
            let name = names::from_server(&tool);
            match restore {
                Some(version) => {
                    let plain = version.bytes().all(|byte| byte.is_ascii_hexdigit());
                    let file = folder.join("versions").join(format!("{name}.{version}.json"));
                    if !plain || !names::is_safe(&name) || !file.is_file() {
                        let message = format!("{name} has no version {version:?}");
                        return Err(Failure::new("experiences.version", message));
                    }
                    Library::save(
                        &folder,
                        &name,
                        &Experiences::parse(&doorward_paths::bounded::read_text_to(
                            &file,
                            crate::output::MOST_READ,
                        )?)?,
                    )?;
                    tell(as_json, &mut out, json!({"tool": name, "restored": version}), || {
                        format!("{name}: version {version} is in force")
                    })?;
                }
                None if as_json => {
                    writeln!(out, "{}", json!({"tool": name, "versions": versions(&folder, &name)}))?;
                }
                None => {
                    for version in versions(&folder, &name) {
                        writeln!(out, "{version}")?;
                    }
                }
            }
        }
        What::Import { file } => {
            let (name, rules) = read(&file)?;
            Library::save(&folder, &name, &rules)?;
            let all = rules.rules(Order::Natural).len();
            tell(as_json, &mut out, json!({"tool": name, "rules": all}), || format!("{name}: {all} rules"))?;
        }
        What::Merge { file } => {
            let (name, new) = read(&file)?;
            let mut rules = library.get(&name).cloned().unwrap_or_default();
            let added = rules.merge(&new);
            Library::save(&folder, &name, &rules)?;
            tell(as_json, &mut out, json!({"tool": name, "added": added}), || {
                format!("{name}: {added} rules added")
            })?;
        }
        What::Detect { scan_ports } => {
            drop(out);
            return crate::detect::run(scan_ports, as_json, &library);
        }
        What::Explore(args) => {
            drop(out);
            #[cfg(feature = "lab")]
            return explore::run(&args, as_json, explore::Kept { state: &state, folder: &folder });
            #[cfg(not(feature = "lab"))]
            return explore::run(&args);
        }
        What::Load { agent, tools, project, dry_run, force } => {
            let tools = if tools.is_empty() { vec!["terminal".into(), "filesystem".into()] } else { tools };
            let named: Vec<String> = tools.iter().map(|tool: &String| names::from_server(tool)).collect();
            for name in &named {
                of(&library, name)?;
            }
            let rules = library.render(&named, Order::Natural);
            drop(out);
            change(&agent, project.as_deref(), (dry_run, as_json), |file| {
                inject::load_into(file, &agent, &rules, force).map(Some)
            })?;
        }
        What::Unload { agent, project, dry_run, force } => {
            drop(out);
            change(&agent, project.as_deref(), (dry_run, as_json), |file| match file {
                Some(text) => inject::unload_from(text, &agent, force),
                None => Ok(None),
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The outcome, as one line of JSON or in words.
fn tell(
    as_json: bool,
    out: &mut impl std::io::Write,
    line: Value,
    words: impl FnOnce() -> String,
) -> std::io::Result<()> {
    if as_json { writeln!(out, "{line}") } else { writeln!(out, "{}", words()) }
}

/// A rule as a person writes it: some text, on one line.
fn written(rule: &str) -> Result<String, Failure> {
    let rule = rule.trim();
    if rule.is_empty() || rule.contains(['\n', '\r']) {
        return Err(Failure::new("experiences.rule", "a rule is one line of text"));
    }
    Ok(rule.to_owned())
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

fn read(file: &Path) -> Result<(String, Experiences), Failure> {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = names::from_server(&stem);
    if !names::is_safe(&name) {
        return Err(Failure::new("experiences.name", format!("{stem:?} is no tool's name")));
    }
    let text = doorward_paths::bounded::read_text_to(file, crate::output::MOST_READ)
        .map_err(|error| Failure::new("experiences.file", format!("{}: {error}", file.display())))?;
    let rules = Experiences::parse(&text)
        .map_err(|error| Failure::new("experiences.format", format!("{}: {error}", file.display())))?;
    Ok((name, rules))
}

/// Changes an agent's instruction file; a result of `None` is no file.
fn change(
    agent: &str,
    project: Option<&Path>,
    (dry_run, as_json): (bool, bool),
    how: impl FnOnce(Option<&str>) -> Result<Option<String>, inject::InjectError>,
) -> Result<(), Failure> {
    let (targets, target) = match project {
        Some(_) => (inject::PROJECT_TARGETS, inject::project_target(agent)),
        None => (inject::TARGETS, inject::target(agent)),
    };
    let known: Vec<&str> = targets.iter().map(|(agent, _)| *agent).collect();
    let target = target.ok_or_else(|| {
        Failure::new("experiences.agent", format!("{agent:?} is none of {}", known.join(", ")))
    })?;
    let below = match project {
        Some(project) => project.to_owned(),
        None => home_of(rustix::process::getuid().as_raw())
            .ok_or_else(|| Failure::new("experiences.home", "this user has no home folder"))?,
    };
    // A link stays one: what it leads to is changed.
    let path = below.join(target);
    let path = path.canonicalize().unwrap_or(path);
    let before = match doorward_paths::bounded::read_text_to(&path, crate::output::MOST_READ) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let after = how(before.as_deref())?;
    let mut out = std::io::stdout().lock();
    let removed = after.is_none() && before.is_some();
    let line = json!({"agent": agent, "file": path, "changed": after != before, "removed": removed,
        "dry_run": dry_run, "text": after.as_ref().filter(|_| dry_run)});
    let mut tell = |words: String| tell(as_json, &mut out, line.clone(), || words);
    if dry_run && as_json {
        tell(String::new())?;
    } else if dry_run && removed {
        tell(format!("{}: would be removed, it was made for the rules alone", path.display()))?;
    } else if dry_run {
        out.write_all(after.unwrap_or_default().as_bytes())?;
    } else if after == before {
        tell(format!("{}: nothing to change", path.display()))?;
    } else if let Some(text) = after {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let fresh = path.with_extension("doorward-new");
        std::fs::write(&fresh, text)?;
        if let Ok(metadata) = std::fs::metadata(&path) {
            std::fs::set_permissions(&fresh, metadata.permissions())?;
        }
        std::fs::rename(&fresh, &path)?;
        tell(format!("{}: written", path.display()))?;
    } else {
        std::fs::remove_file(&path)?;
        tell(format!("{}: removed, it was made for the rules alone", path.display()))?;
    }
    Ok(())
}

/// How many rules wait for a person.
fn waiting(notes: &Notes, rules: &Experiences) -> usize {
    let all = rules.rules(Order::Natural);
    all.iter().filter(|(key, rule)| notes.status(key, rule) == Status::Proposed).count()
}

/// Versions of a tool's file that were kept, the oldest first.
fn versions(folder: &Path, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("versions")).into_iter().flatten().flatten();
    let mut found: Vec<(std::time::SystemTime, String)> = entries
        .filter_map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            let version = file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".json")?.to_owned();
            Some((entry.metadata().ok()?.modified().ok()?, version))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, version)| version).collect()
}
