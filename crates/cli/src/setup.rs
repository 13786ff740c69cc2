//! `doorward setup`: every agent of this machine guarded after one yes. `doorward install --all` is the same without a
//! question.
//!
//! It finds the agents, shows what it would change, changes it, asks about the passphrase and about prompts, and
//! ends with the page of `doctor`, which proves it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use doorward_hooks::clients::{self, Contract};
use doorward_hooks::install::{self, Target};
use doorward_hooks::thin::default_state;
use doorward_lab::detect;
use serde::Serialize;

use crate::install::{Questions, at_terminal, gateway, own_home, place, put, relieve};
use crate::output::{Failure, json_line};
use crate::state::StateOption;
use crate::{codex, doctor, mcp_install, observe};

/// How long an agent may take to tell its version.
const TELLING: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Change what is shown without asking
    #[arg(long)]
    yes: bool,
    /// Leave the MCP servers of the agents as they are
    #[arg(long)]
    no_mcp: bool,
    /// The agents don't prompt for calls that are proved to only read inside the project (`hooks.relieve`)
    #[arg(long)]
    relieve: bool,
    /// Begin with watching for this time, such as 2h or 7d: calls are recorded, and only floors stop one
    #[arg(long, value_name = "TIME")]
    observe: Option<String>,
    /// Let the hooks start this program itself, instead of a copy in ~/.local/lib/doorward
    #[arg(long)]
    in_place: bool,
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Lines of JSON: what was found, what was changed, then those of `doctor --json`. Nothing is asked
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Everything is installed, nothing is asked.
    pub(crate) fn unasked(in_place: bool, relieve: bool, state: Option<PathBuf>) -> Self {
        Self { yes: true, no_mcp: false, relieve, observe: None, in_place, state, json: false }
    }
}

/// An agent of this machine.
#[derive(Debug, Serialize)]
struct Agent {
    agent: &'static str,
    /// What it says about its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Doorward was measured with this version; absent where the version isn't known.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<bool>,
    /// The file that gets the hook.
    file: PathBuf,
    /// The hook is there already.
    installed: bool,
    /// It has to be told to trust the hook.
    needs_trust: bool,
    #[serde(skip)]
    target: &'static Target,
    #[serde(skip)]
    program: Option<PathBuf>,
}

/// MCP servers of one file that the gateway isn't before.
#[derive(Debug, Serialize)]
struct Servers {
    file: PathBuf,
    servers: Vec<String>,
}

/// What is found, and so what is to be changed.
#[derive(Debug, Serialize)]
struct SetupPlan {
    agents: Vec<Agent>,
    mcp: Vec<Servers>,
}

/// What became of one file.
#[derive(Debug, Serialize)]
struct Done {
    file: PathBuf,
    /// An agent, or `mcp`.
    what: &'static str,
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let plan = SetupPlan::find(&own_home()?, args.no_mcp);
    if plan.agents.is_empty() {
        let known: Vec<&str> = install::targets().map(|target| target.client.as_str()).collect();
        let why = format!(
            "none of {} was found: neither a program on your PATH nor a folder in your home; to install a hook \
             all the same: doorward install claude-code",
            known.join(", ")
        );
        return Err(Failure::new("setup.no_agent", why));
    }
    if args.json {
        json_line(&plan)?;
    } else {
        plan.show();
    }
    let questions = Questions { asked: !args.yes && !args.json && at_terminal() };
    if !args.yes && !questions.asked {
        let why =
            "nothing was changed: there is no terminal to ask at; --yes makes the changes that are shown";
        return Err(Failure::new("setup.not_asked", why));
    }
    if !args.yes && !questions.ask("Make these changes? `doorward uninstall --all` takes them back.")? {
        anstream::println!("nothing was changed");
        return Ok(ExitCode::SUCCESS);
    }
    let state = args.state.as_deref().map(std::path::absolute).transpose()?;
    let own_state = state.clone().filter(|state| *state != default_state());
    let done = plan.carry_out(own_state.as_deref(), args.in_place)?;
    if args.json {
        json_line(&serde_json::json!({"changes": done}))?;
    } else {
        done.iter().for_each(Done::show);
    }
    if args.relieve || questions.relieve()? {
        relieve(args.json)?;
    }
    let state = state.unwrap_or_else(default_state);
    questions.passphrase(&state)?;
    let observed = args.observe.or(questions.observe()?.then(|| "7d".to_owned()));
    if let Some(time) = observed {
        observe::begin(&StateOption::at(&state), &time)?;
    }
    if !args.json {
        anstream::println!();
    }
    let ended = doctor::run(doctor::Args::whole(StateOption::at(&state), args.json))?;
    let failed = done.iter().any(|one| one.problem.is_some());
    Ok(if failed { ExitCode::FAILURE } else { ended })
}

impl SetupPlan {
    fn find(home: &Path, no_mcp: bool) -> Self {
        let agents = install::targets().filter_map(|target| Agent::find(target, home)).collect();
        let mcp = if no_mcp { Vec::new() } else { servers(home) };
        Self { agents, mcp }
    }

    fn show(&self) {
        anstream::println!("Found, and what `doorward setup` changes:\n");
        for agent in &self.agents {
            let version = agent.version.as_deref().unwrap_or("version not told");
            let unmeasured = if agent.measured == Some(false) { ", not measured yet" } else { "" };
            anstream::println!("  \u{1b}[1m{:<12}\u{1b}[0m {version}{unmeasured}", agent.agent);
            let file = agent.file.display();
            match (agent.installed, agent.needs_trust) {
                (true, _) => {
                    anstream::println!("               the hook is in {file}; it is renewed if it differs")
                }
                (false, true) => {
                    anstream::println!("               the hook goes into {file}, and the agent trusts it")
                }
                (false, false) => anstream::println!("               the hook goes into {file}"),
            }
        }
        for one in &self.mcp {
            anstream::println!("  \u{1b}[1m{:<12}\u{1b}[0m {}", "MCP servers", one.servers.join(", "));
            anstream::println!("               the gateway goes before them in {}", one.file.display());
        }
    }

    /// Makes the changes, one after the other. One that fails keeps none of the others away.
    fn carry_out(&self, state: Option<&Path>, in_place: bool) -> Result<Vec<Done>, Failure> {
        let mut done: Vec<Done> = self.agents.iter().map(|agent| agent.install(state, in_place)).collect();
        if self.mcp.is_empty() {
            return Ok(done);
        }
        let program = gateway(in_place)?;
        let folder = state.map_or_else(default_state, Path::to_owned);
        for one in &self.mcp {
            let wrapped = mcp_install::wrap(&one.file, &program, &folder, state.is_some());
            let (changed, problem) = match wrapped {
                Ok(changed) => {
                    let left =
                        changed.left.iter().map(|(name, why)| format!("{name} is left as it is: {why}"));
                    let left: Vec<String> = left.collect();
                    (!changed.servers.is_empty(), (!left.is_empty()).then(|| left.join("; ")))
                }
                Err(failure) => (false, Some(failure.told())),
            };
            done.push(Done { file: one.file.clone(), what: "mcp", changed, backup: None, problem });
        }
        Ok(done)
    }
}

impl Agent {
    /// The agent of a contract, if its program or its folder is here.
    fn find(target: &'static Target, home: &Path) -> Option<Self> {
        let contract = clients::contract(target.client);
        let program = contract.enclosure.and_then(|own| on_path(own.program));
        let folder = Path::new(target.user_file).components().next()?;
        if program.is_none() && !home.join(folder).is_dir() {
            return None;
        }
        let (_, file) = place(target.client.as_str(), None, None).ok()?;
        let version = program.as_deref().and_then(version_of);
        let installed = install::installed(target, &file).is_ok_and(|entries| !entries.is_empty());
        Some(Self {
            agent: target.client.as_str(),
            measured: version.as_deref().map(|version| is_measured(contract, version)),
            version,
            file,
            installed,
            needs_trust: contract.enclosure.is_some_and(|own| own.needs_trust),
            target,
            program,
        })
    }

    fn install(&self, state: Option<&Path>, in_place: bool) -> Done {
        let installed = put(self.target, &self.file, state, in_place, false);
        let mut done =
            Done { file: self.file.clone(), what: self.agent, changed: false, backup: None, problem: None };
        match installed {
            Ok(hook) => (done.changed, done.backup) = (hook.change.changed, hook.change.backup),
            Err(failure) => done.problem = Some(failure.told()),
        }
        if self.needs_trust && done.problem.is_none() {
            done.problem = self.trusted().err();
        }
        done
    }

    /// Has the agent trust the hook; else why its calls run unguarded.
    fn trusted(&self) -> Result<(), String> {
        let program = self.program.as_deref();
        let program =
            program.ok_or("skips hooks that it doesn't trust, and its program isn't on your PATH")?;
        let hooks = codex::Hooks::of(&self.file, None);
        if hooks.is_trusted(program).unwrap_or(false) {
            return Ok(());
        }
        hooks.trust(program).map_err(|failure| format!("doesn't trust the hook: {}", failure.told()))
    }
}

impl Done {
    fn show(&self) {
        let file = self.file.display();
        match (&self.problem, self.changed) {
            (Some(problem), _) => {
                anstream::println!("\u{1b}[31m✗\u{1b}[0m {:<12} {file}: {problem}", self.what)
            }
            (None, true) => anstream::println!("\u{1b}[32m✓\u{1b}[0m {:<12} {file}", self.what),
            (None, false) => anstream::println!("\u{1b}[32m✓\u{1b}[0m {:<12} {file}, as it was", self.what),
        }
        if let Some(backup) = &self.backup {
            anstream::println!("  the file as it was: {}", backup.display());
        }
    }
}

/// Files with servers that the gateway isn't before.
fn servers(home: &Path) -> Vec<Servers> {
    let declared = detect::declared(Some(home), None).declared;
    let mut found = Vec::new();
    for file in mcp_install::files(Some(home), None, None) {
        let own = declared.iter().filter(|one| one.file == file && !mcp_install::is_ours(&one.command));
        let servers: Vec<String> = own.map(|one| one.name.clone()).collect();
        if !servers.is_empty() {
            found.push(Servers { file, servers });
        }
    }
    found
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|place| place.is_file())
}

/// The first word of `PROGRAM --version` that looks like a version, if the program tells it in time.
fn version_of(program: &Path) -> Option<String> {
    let mut asked = Command::new(program);
    asked.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = asked.spawn().ok()?;
    let until = Instant::now() + TELLING;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = child.wait_with_output().ok()?;
    version_in(&String::from_utf8_lossy(&told.stdout))
}

fn version_in(told: &str) -> Option<String> {
    let is_version = |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    let words = told.split_whitespace().map(|word| word.trim_start_matches('v'));
    words.map(|word| word.trim_end_matches(',')).find(is_version).map(str::to_owned)
}

fn is_measured(contract: &Contract, version: &str) -> bool {
    contract.measured.contains(&version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_agents_print() {
        assert_eq!(version_in("2.1.330 (Claude Code)\n").as_deref(), Some("2.1.330"));
        assert_eq!(version_in("codex-cli 0.169.0\n").as_deref(), Some("0.169.0"));
        assert_eq!(version_in("v0.61.0").as_deref(), Some("0.61.0"));
        assert_eq!(version_in("no version"), None);
    }
}
