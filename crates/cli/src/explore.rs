//! `doorward experiences explore`: a tool tried in the sandbox, with or without a model.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use doorward::rooms::core::id::Digest;
use doorward::rooms::core::risk::SecurityRisk;
use doorward_guardian::experiences::notes::{Notes, Status};
use doorward_guardian::experiences::{Experiences, Library, Order, names};
use doorward_lab::ask::Asker;
use doorward_lab::detect;
use doorward_lab::explore::model::ServerStage;
use doorward_lab::explore::postgres::Database;
use doorward_lab::explore::profile::{Profile, ToolProfile};
use doorward_lab::explore::server::{Bounds, Launch};
use doorward_lab::explore::terminal::TerminalStage;
use doorward_lab::explore::workspace::DATABASE;
use doorward_lab::explore::{self, Plan, Progress, terminal};
use doorward_lab::runner::{Lab, Runner};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::eval::Spending;
use crate::output::{Failure, exit, json_line};
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["mcp", "tool", "detected"])))]
pub(crate) struct Args {
    /// An MCP server: a command line (`{project}` stands for the folder it is given), or the URL of one that runs
    #[arg(long, value_name = "CMD|URL")]
    mcp: Option<String>,
    /// A built-in tool: terminal
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// A server that an agent is configured with, by its name (see `experiences detect`)
    #[arg(long, value_name = "NAME")]
    detected: Option<String>,
    /// The name its rules go by; from the server by default
    #[arg(long)]
    name: Option<String>,
    /// A variable the server gets; `{project}`, `{home}`, `{workspace}` and `{postgres}` are filled in
    #[arg(long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// Start a throw-away PostgreSQL and give its address to the server, in DATABASE_URL and in PGHOST and its kin
    #[arg(long, requires = "mcp")]
    postgres: bool,
    /// With a URL: the empty folder that server works on; it is filled with things to try, and looked at after each
    /// call
    #[arg(long, value_name = "DIR", requires = "mcp")]
    workspace: Option<PathBuf>,
    /// With a URL: also call tools that don't say of themselves that they only read. What they do is real
    #[arg(long)]
    call_all: bool,
    /// With a URL: the environment variable that holds the key (sent as a bearer token)
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// A further place the server may read
    #[arg(long = "read", value_name = "DIR")]
    readable: Vec<PathBuf>,
    /// Trial calls of each tool, at most
    #[arg(long, default_value_t = 40)]
    calls: usize,
    /// Seconds for one call
    #[arg(long, default_value_t = 20)]
    call_timeout: u64,
    /// Seconds for one session with the server
    #[arg(long, default_value_t = 300)]
    session_timeout: u64,
    /// Memory of the server in MiB
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Where state, transcript and profile go; below the state directory by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Begin anew, whatever an earlier run left
    #[arg(long)]
    fresh: bool,
    /// Show the rules and keep none of them
    #[arg(long)]
    no_save: bool,
    /// The new rules count at once; else they are proposed, for `experiences accept`
    #[arg(long)]
    activate: bool,
    /// A model that thinks up what could go wrong and learns from what did, `provider/model[@URL]`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    #[command(flatten)]
    spending: Spending,
}

/// Where a run is kept.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    /// The state directory that is meant.
    pub state: &'a Path,
    /// The folder of the rules.
    pub folder: &'a Path,
}

pub(crate) fn run(args: &Args, as_json: bool, kept: Kept<'_>) -> Result<ExitCode, Failure> {
    match args.tool.as_deref() {
        Some("terminal") => terminal(args, as_json, kept),
        Some(other) => Err(Failure::new(
            "explore.tool",
            format!("{other:?} isn't built in; there is: terminal. MCP servers are given with --mcp"),
        )),
        None => server(args, as_json, kept),
    }
}

fn runner() -> Result<Runner, Failure> {
    Ok(Runner::new(Lab::open()?)?)
}

/// For a server elsewhere: what may be reached is as the user's settings have it.
fn reaching_runner(kept: Kept<'_>) -> Result<Runner, Failure> {
    let settings = StateOption::at(kept.state).settings()?;
    Ok(runner()?.reaching(settings.net))
}

fn server(args: &Args, as_json: bool, kept: Kept<'_>) -> Result<ExitCode, Failure> {
    let (command, url) = tried(args)?;
    if url.is_none() && (args.workspace.is_some() || args.call_all || args.key_env.is_some()) {
        return Err(Failure::new(
            "explore.usage",
            "--workspace, --call-all and --key-env go with a server's URL",
        ));
    }
    if url.is_some() && (args.postgres || !args.env.is_empty() || !args.readable.is_empty()) {
        let why =
            "--postgres, --env and --read are for a server that is started here, and this one runs already";
        return Err(Failure::new("explore.usage", why));
    }
    let mut env = BTreeMap::new();
    for pair in &args.env {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| Failure::new("explore.usage", "write --env NAME=VALUE"))?;
        env.insert(name.to_owned(), value.to_owned());
    }
    if args.postgres {
        for (name, value) in [
            ("DATABASE_URL", "{postgres}"),
            ("POSTGRES_URL", "{postgres}"),
            ("PGHOST", "{postgres_socket}"),
            ("PGUSER", "lab"),
            ("PGDATABASE", "lab"),
        ] {
            env.entry(name.to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    let name = args.name.as_deref().map_or_else(
        || url.as_deref().map_or_else(|| named_after(&command), named_after_place),
        names::from_server,
    );
    if !names::is_safe(&name) {
        return Err(Failure::new("experiences.name", format!("{name:?} is no name; give one with --name")));
    }
    let plan = Plan {
        // A server that runs already does what it does for real, unless it was given a folder to do it in.
        readers_only: url.is_some() && !args.call_all && args.workspace.is_none(),
        folder: args.workspace.clone(),
        database: if args.postgres { Some(Arc::new(Database::start()?)) } else { None },
        launch: Launch { command, url, key_env: args.key_env.clone(), env, readable: args.readable.clone() },
        trials: args.calls,
        bounds: Bounds {
            call: Duration::from_secs(args.call_timeout),
            session: Duration::from_secs(args.session_timeout),
            memory: args.memory << 20,
        },
        out: out(args, kept, &name),
        fresh: args.fresh,
        name,
    };
    let runner = if plan.launch.url.is_some() { reaching_runner(kept)? } else { runner()? };
    let bar = Bar::new(as_json);
    let (profile, definitions) = explore::explore(&runner, &plan, &mut |progress| bar.hear(&progress))?;
    let mut rules = profile.experiences();
    let mut learnt = Ok(Vec::new());
    if let Some(named) = &args.model {
        let asker = Asker::new(args.spending.model(named)?, args.spending.cap());
        // A cap that is reached ends the learning, not what was learnt.
        let stage = ServerStage::new(&runner, &plan, &definitions)?;
        let kept = (plan.out.as_path(), plan.fresh);
        learnt = explore::model::explore(&runner, &stage, kept, &asker, &mut rules, &mut |progress| {
            bar.hear(&progress);
        });
    }
    bar.clear();
    let saved = keep(args, kept.folder, &profile.name, &rules, &profile.pin)?;
    let learnt = learnt?;
    if as_json {
        let mut line = serde_json::to_value(&profile)?;
        if let Some(members) = line.as_object_mut() {
            members.insert("experiences".to_owned(), rules_of(&rules));
            members.insert("learnt".to_owned(), json!(learnt));
            members.insert("out".to_owned(), json!(plan.out));
        }
        json_line(&line)?;
    } else {
        show(&profile, &rules, &plan.out, saved)?;
    }
    let grave = profile.notes().any(|(_, note)| note.severity == SecurityRisk::High);
    Ok(ExitCode::from(if grave { exit::CONFIRM } else { exit::ALLOW }))
}

/// What was given, or what an agent is configured with: a command line, or where a server runs.
fn tried(args: &Args) -> Result<(String, Option<String>), Failure> {
    let wanted = match (&args.mcp, &args.detected) {
        (Some(text), _) if text.starts_with("http://") || text.starts_with("https://") => {
            return Ok((String::new(), Some(text.clone())));
        }
        (Some(text), _) if text.trim().is_empty() => {
            return Err(Failure::new(
                "explore.usage",
                "--mcp takes the command that starts a server, or its URL",
            ));
        }
        (Some(text), _) => return Ok((text.clone(), None)),
        (None, wanted) => wanted.clone().unwrap_or_default(),
    };
    let found = detect::declared(doorward::home().as_deref(), std::env::current_dir().ok().as_deref());
    let known: Vec<&str> = found.declared.iter().map(|server| server.name.as_str()).collect();
    let server = found.declared.iter().find(|server| server.name == wanted).ok_or_else(|| {
        Failure::new(
            "explore.detected",
            format!("no agent has a server {wanted:?}; there are: {}", known.join(", ")),
        )
    })?;
    match (server.command_line(), &server.url) {
        (Some(command), _) => Ok((command, None)),
        (None, Some(url)) => Ok((String::new(), Some(url.clone()))),
        (None, None) => Err(Failure::new(
            "explore.detected",
            format!("{wanted:?} has neither a command nor a URL in the agent's configuration"),
        )),
    }
}

/// `http://127.0.0.1:8123/notes/mcp` → `notes-mcp`; without a telling path, the host's name.
fn named_after_place(url: &str) -> String {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    let place = place.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let plain = |part: &str| -> String {
        part.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
    };
    let says_nothing = ["mcp", "sse", "api", "v1"];
    let named =
        path.split('/').map(plain).rfind(|part| !part.is_empty() && !says_nothing.contains(&part.as_str()));
    names::from_server(&named.unwrap_or_else(|| plain(host)))
}

fn terminal(args: &Args, as_json: bool, kept: Kept<'_>) -> Result<ExitCode, Failure> {
    let runner = runner()?;
    let out = out(args, kept, "terminal-mcp");
    let bar = Bar::new(as_json);
    let found = terminal::explore(&runner, &out, args.fresh, &mut |progress| bar.hear(&progress))?;
    let mut rules = found.experiences();
    let mut learnt = Ok(Vec::new());
    if let Some(named) = &args.model {
        let asker = Asker::new(args.spending.model(named)?, args.spending.cap());
        let stage = TerminalStage::new(&runner);
        learnt = explore::model::explore(
            &runner,
            &stage,
            (&out, args.fresh),
            &asker,
            &mut rules,
            &mut |progress| {
                bar.hear(&progress);
            },
        );
    }
    bar.clear();
    let pin = Digest::of(serde_json::to_string(&found)?.as_bytes());
    let saved = keep(args, kept.folder, "terminal-mcp", &rules, pin.as_str())?;
    let learnt = learnt?;
    if as_json {
        json_line(
            &json!({"rows": found.rows, "experiences": rules_of(&rules), "learnt": learnt, "out": out}),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = std::io::stdout().lock();
    for row in &found.rows {
        let done = match (&row.refused, row.changes.len(), row.hosts.len()) {
            (Some(code), ..) => format!("refused: {code}"),
            (None, 0, 0) => "changed nothing".to_owned(),
            (None, changes, hosts) => format!("{changes} changes, {hosts} hosts"),
        };
        writeln!(text, "{:<8} {:<56} {done}", row.risk, row.command.chars().take(56).collect::<String>())?;
        for surprise in &row.unforeseen {
            writeln!(text, "         not foreseen: {surprise}")?;
        }
    }
    tell_rules(&mut text, &rules, &out, saved)?;
    Ok(ExitCode::SUCCESS)
}

fn out(args: &Args, kept: Kept<'_>, name: &str) -> PathBuf {
    args.out.clone().unwrap_or_else(|| kept.state.join("lab").join(name))
}

/// `node /x/server-filesystem/dist/index.js {project}` → `filesystem-mcp`.
fn named_after(command: &str) -> String {
    let mut words = command.split_whitespace().filter(|word| !word.starts_with(['-', '{']));
    let file = words
        .rfind(|word| word.contains('/') || word.contains('.'))
        .or_else(|| command.split_whitespace().next())
        .unwrap_or_default();
    let plain = |part: &str| {
        let part = part.trim_start_matches("mcp-").trim_start_matches("server-");
        let part = part.split('.').next().unwrap_or_default().to_lowercase();
        part.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>()
    };
    let says_nothing = ["index", "main", "dist", "server", "bin", "src", "cli", "build", "node_modules"];
    let named = file
        .trim_matches(['\'', '"'])
        .rsplit('/')
        .map(plain)
        .find(|part| !part.is_empty() && !says_nothing.contains(&part.as_str()));
    names::from_server(&named.unwrap_or_else(|| "server".to_owned()))
}

/// Adds the rules to the tool's file. Gives how many were new, or nothing if none were to be kept.
fn keep(
    args: &Args,
    folder: &Path,
    name: &str,
    rules: &Experiences,
    pin: &str,
) -> Result<Option<usize>, Failure> {
    if args.no_save {
        return Ok(None);
    }
    let library = Library::seeded().overlaid(Library::load(folder)?);
    let mut kept = library.get(name).cloned().unwrap_or_default();
    let known: Vec<String> = kept.rules(Order::Natural).into_iter().map(|(key, _)| key.to_owned()).collect();
    let added = kept.merge(rules);
    if added > 0 {
        let mut notes = Notes::load(folder, name)?;
        let status = if args.activate { Status::Active } else { Status::Proposed };
        for (key, rule) in kept.rules(Order::Natural) {
            if !known.iter().any(|before| before == key) {
                notes.note(key, rule, status, "explore", Some(pin));
            }
        }
        // The notes first: a rule must not count for the moment in between.
        notes.save(folder, name)?;
        Library::save(folder, name, &kept)?;
    }
    Ok(Some(added))
}

fn rules_of(rules: &Experiences) -> serde_json::Value {
    rules.rules(Order::Natural).into_iter().map(|(key, rule)| (key.to_owned(), json!(rule))).collect()
}

fn show(profile: &Profile, rules: &Experiences, out: &Path, saved: Option<usize>) -> Result<(), Failure> {
    let mut text = std::io::stdout().lock();
    let said = |member: &str| profile.server.get(member).and_then(|value| value.as_str()).unwrap_or("?");
    writeln!(
        text,
        "{}: {} {}, {} tools, tier {}",
        profile.name,
        said("name"),
        said("version"),
        profile.tools.len(),
        profile.tier
    )?;
    for tool in &profile.tools {
        let claims = [
            ("reads only", tool.claims.read_only_hint),
            ("destroys", tool.claims.destructive_hint),
            ("repeatable", tool.claims.idempotent_hint),
            ("open world", tool.claims.open_world_hint),
        ];
        let claims: Vec<String> = claims
            .into_iter()
            .filter_map(|(what, said)| Some(format!("{what}: {}", if said? { "yes" } else { "no" })))
            .collect();
        let mut hows: Vec<&str> = tool.changes.iter().map(|change| change.how.verb()).collect();
        hows.sort_unstable();
        hows.dedup();
        let deeds = match (hows.is_empty(), tool.succeeded) {
            _ if tool.skipped => {
                "not called: it doesn't say that it only reads (--call-all calls it for real)".to_owned()
            }
            (true, 0) => "no call succeeded".to_owned(),
            (true, _) => "changed nothing".to_owned(),
            (false, _) => hows.join(", ") + if in_database(tool) { " files or tables" } else { " files" },
        };
        writeln!(
            text,
            "\n{}  {} of {} calls succeeded; {deeds}; {} ways out refused",
            tool.name, tool.succeeded, tool.calls, tool.held
        )?;
        writeln!(
            text,
            "  says: {}",
            if claims.is_empty() { "nothing".to_owned() } else { claims.join(", ") }
        )?;
        for (what, set) in
            [("hosts", &tool.hosts), ("programs", &tool.programs), ("asked its client for", &tool.asked)]
        {
            if !set.is_empty() {
                writeln!(text, "  {what}: {}", set.iter().cloned().collect::<Vec<_>>().join(", "))?;
            }
        }
        for note in &tool.notes {
            writeln!(text, "  {} {} [{}]", note.severity.as_str(), note.message, note.code)?;
        }
    }
    writeln!(text, "\npin {}", profile.pin)?;
    if profile.tier == explore::ELSEWHERE {
        writeln!(
            text,
            "it runs elsewhere: hosts and programs weren't watched, and files only below --workspace"
        )?;
    }
    tell_rules(&mut text, rules, out, saved)
}

fn in_database(tool: &ToolProfile) -> bool {
    tool.changes.iter().any(|change| change.path.starts_with(DATABASE))
}

fn tell_rules(
    text: &mut impl std::io::Write,
    rules: &Experiences,
    out: &Path,
    saved: Option<usize>,
) -> Result<(), Failure> {
    writeln!(text, "\nrules:")?;
    for (key, rule) in rules.rules(Order::Natural) {
        writeln!(text, "  {key}: {rule}")?;
    }
    match saved {
        Some(new) => writeln!(
            text,
            "{new} new rules kept (see `experiences show`, `accept`); profile and transcript in {}",
            out.display()
        )?,
        None => writeln!(text, "not kept; profile and transcript in {}", out.display())?,
    }
    Ok(())
}

/// A progress bar on a terminal, nothing elsewhere.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = ProgressBar::new(0);
        let shown = !quiet && std::io::stderr().is_terminal();
        bar.set_draw_target(if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
        if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub(crate) fn hear(&self, progress: &Progress<'_>) {
        match progress {
            Progress::Begins { steps, done } => {
                self.0.set_length(u64::try_from(*steps).unwrap_or_default());
                self.0.set_position(u64::try_from(*done).unwrap_or_default());
            }
            Progress::Step(what) => self.0.set_message((*what).to_owned()),
            Progress::Done => self.0.inc(1),
        }
    }

    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_go_by_the_servers_own_name() {
        for (command, name) in [
            ("node /n/node_modules/@m/server-filesystem/dist/index.js {project}", "filesystem-mcp"),
            ("python3 /x/notes_server.py", "notes-server-mcp"),
            ("mcp-server-git", "git-mcp"),
            ("/opt/tool --stdio", "tool-mcp"),
        ] {
            assert_eq!(named_after(command), name, "{command}");
        }
        for (url, name) in [
            ("http://127.0.0.1:8123/mcp", "127-0-0-1-8123-mcp"),
            ("http://127.0.0.1:8123/notes/mcp?x=/y", "notes-mcp"),
            ("https://user@mcp.example.com", "mcp-example-com-mcp"),
            ("https://example.com/../%2e/mcp", "-2e-mcp"),
        ] {
            assert_eq!(named_after_place(url), name, "{url}");
        }
        assert!(!names::is_safe("-2e-mcp"));
    }
}
