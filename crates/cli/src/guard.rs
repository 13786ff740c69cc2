//! `doorward guard -- AGENT …`: the agent itself inside our sandbox (posture `enclosed`).
//!
//! It sees its project read-write, its programs read-only, a copy of its own configuration whose settings it can't
//! change, and of Doorward only the sockets that can't approve. Its way out is the egress proxy, which lets it reach
//! its provider and what the settings allow. Its shell calls are bound: the service runs them, in bounds of their
//! own.

use std::collections::BTreeMap;
use std::os::fd::AsFd as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use doorward::Door;
use doorward::bind::Surroundings;
use doorward::egress::{Egress, Errand};
use doorward::entrance::{Entrance, LabelDuty};
use doorward::rooms::core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Surface, ToolCall, Workplace,
};
use doorward::rooms::core::decision::Tier;
use doorward::rooms::core::json::{Object, Value};
use doorward::rooms::core::tool::{CanonicalTool, Client};
use doorward::rooms::settings::Settings;
use doorward_hooks::clients::{self, ClientMode, Contract, Enclosure};
use doorward_hooks::companion;
use doorward_hooks::install::{self, Target};
use doorward_hooks::thin::{self, default_state};
use doorward_hooks::ticket::{NOT_RUN, quoted};
use doorward_sandbox::{Engine, Limits, Manner, Network, Output, ProgramInput, Sandbox};

use crate::output::Failure;
use crate::own_record::{self, OwnRecord};
use crate::runtime::block_on;
use crate::state::StateOption;

mod login;
mod terminal;

/// Where the proxy is reached inside.
const PORT: u16 = 3128;
/// A session ends when a person ends it.
const WALL: Duration = Duration::from_secs(30 * 24 * 3_600);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory of the service
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Further hosts the agent itself may reach: HOST or HOST:PORT
    #[arg(long = "allow-host", value_name = "HOST")]
    hosts: Vec<String>,
    /// Further places to read
    #[arg(long = "read", value_name = "DIR")]
    readable: Vec<PathBuf>,
    /// Memory in MiB, for the agent itself
    #[arg(long, default_value_t = 8_192)]
    memory: u64,
    /// The agent and its words
    #[arg(trailing_var_arg = true, required = true)]
    command: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let (name, words) = args.command.split_first().ok_or_else(|| unknown(""))?;
    let program = found(name)?;
    let agent = agents()
        .find(|agent| program.real.file_stem().is_some_and(|stem| stem == agent.inside.program))
        .or_else(|| {
            let own = Path::new(name).file_name();
            agents().find(|agent| own.is_some_and(|own| own == agent.inside.program))
        })
        .ok_or_else(|| unknown(name))?;
    let state = std::path::absolute(args.state.clone().unwrap_or_else(default_state))?;
    thin::reach(&state).map_err(|reason| Failure::new("service.unavailable", reason))?;

    let scratch = Scratch::new()?;
    let config = prepare(&agent, &program.place, &scratch.0, &state)?;
    let own = OwnRecord::open("guard", &StateOption::at(&state))?;
    let door = &own.door;
    let call = call(&agent, &program.place, words, &config, &door.settings())?;
    let socket = scratch.0.join("egress.sock");
    let (exit, _) = block_on(async {
        let hosts = hosts(&agent, &args.hosts, &config);
        let egress = egress(door, &hosts, socket).await?;
        let way = egress.way_out(&Errand::new(&call.session, "agent"))?;
        let permit = own.admit(call, own_record::Typed::IsTheYes).await?;
        let environment = way.environment(&format!("127.0.0.1:{PORT}"));
        let manner = manner(&agent, &args, &program, &config, &state, egress.socket(), environment)?;
        anstream::eprintln!(
            "doorward: {} runs inside Doorward's sandbox; what it asks for is judged by the service in {}",
            agent.contract.title,
            state.display()
        );
        let resizing = terminal::follow_resizes();
        let ran = tokio::task::spawn_blocking(move || Sandbox::new(Engine::new()).run(permit, manner, None))
            .await?;
        drop(resizing);
        let code = match ran {
            Err(refused) => {
                anstream::eprintln!("doorward: [{}] {}", refused.code, refused.reason);
                let code = i32::from(NOT_RUN);
                refused.owed.close().await?;
                code
            }
            Ok(finished) => {
                crate::run::tell_leftovers(&finished.report);
                let code = finished.report.status.exit_code();
                let report = finished.report;
                finished.owed.close().await?;
                crate::run::tell_last_word(&report);
                code
            }
        };
        Ok::<_, Failure>((code, way))
    })??;
    keep_login(&agent, &config);
    Ok(ExitCode::from(u8::try_from(exit).unwrap_or(1)))
}

/// An agent that can be enclosed.
#[derive(Clone, Copy)]
struct Agent {
    contract: &'static Contract,
    inside: &'static Enclosure,
    /// Variable that names its configuration folder, and where that is without it, below the home.
    config: (&'static str, &'static str),
}

fn agents() -> impl Iterator<Item = Agent> {
    clients::all().filter_map(|contract| {
        Some(Agent { contract, inside: contract.enclosure?, config: contract.config? })
    })
}

fn unknown(name: &str) -> Failure {
    let known: Vec<&str> = agents().map(|agent| agent.inside.program).collect();
    Failure::new(
        "guard.unknown_agent",
        format!("{name:?} is none of the agents whose hooks are known: {}", known.join(", ")),
    )
}

/// A program on this machine.
struct Program {
    /// As it is named, in a folder without links: inside the sandbox there are no others.
    place: PathBuf,
    /// What it really is.
    real: PathBuf,
}

/// The program of this name.
fn found(name: &str) -> Result<Program, Failure> {
    let missing = || Failure::new("guard.not_found", format!("there is no program {name:?}"));
    let named = if name.contains('/') {
        std::path::absolute(name)?
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::env::split_paths(&path).map(|folder| folder.join(name));
        all.into_iter().find(|place| place.is_file()).ok_or_else(missing)?
    };
    let real = std::fs::canonicalize(&named).map_err(|_| missing())?;
    let folder = named.parent().and_then(|folder| std::fs::canonicalize(folder).ok()).ok_or_else(missing)?;
    let place = folder.join(named.file_name().ok_or_else(missing)?);
    Ok(Program { place, real })
}

/// A folder only we can enter; gone with the guard.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Failure> {
        let folder = std::env::temp_dir()
            .join(format!("doorward-guard-{}", doorward::rooms::core::id::fresh().to_lowercase()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Self(std::fs::canonicalize(folder)?))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A copy of the agent's configuration, with our hook in it. What the agent changes there is thrown away.
fn prepare(agent: &Agent, program: &Path, scratch: &Path, state: &Path) -> Result<PathBuf, Failure> {
    let config = scratch.join("config");
    std::fs::DirBuilder::new().mode(0o700).create(&config)?;
    let (variable, below) = agent.config;
    let home = doorward::home();
    let own = std::env::var_os(variable).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(below)));
    for name in agent.inside.copied {
        if let Some(own) = &own {
            copy(&own.join(name), &config.join(name))?;
        }
    }
    if let (Some(home), Some(name)) = (home, agent.inside.copied_from_home)
        && std::env::var_os(variable).is_none()
    {
        copy(&home.join(name), &config.join(name))?;
    }
    let client = agent.contract.client;
    let target: &Target = agent.contract.install.ok_or_else(|| unknown(agent.inside.program))?;
    let binary = companion::program()?;
    let command =
        install::HookCommand { program: &binary, client, state: Some(state), enclosed: true }.to_string();
    install::install(target, &config.join(agent.inside.hooks), &command)?;
    if agent.inside.needs_trust {
        // Without its trust the agent would run unguarded, so it isn't started.
        crate::codex::Hooks::trust_all(program, &config)?;
    }
    Ok(config)
}

/// Carries the login that the agent made or renewed inside into its own configuration. A failure is told and stops
/// nothing: the person logs in again.
fn keep_login(agent: &Agent, config: &Path) {
    let (variable, below) = agent.config;
    let named = std::env::var_os(variable).map(PathBuf::from);
    let home = doorward::home();
    for kept in agent.inside.kept {
        let own = match (&named, kept.home_file, &home) {
            (Some(folder), ..) => folder.join(kept.file),
            (None, Some(file), Some(home)) => home.join(file),
            (None, None, Some(home)) => home.join(below).join(kept.file),
            (None, _, None) => continue,
        };
        if let Err(error) = login::keep(&config.join(kept.file), &own, kept.members) {
            anstream::eprintln!("doorward: the login isn't kept: {}: {error}", own.display());
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let Ok(found) = std::fs::metadata(from) else { return Ok(()) };
    if found.is_dir() {
        std::fs::create_dir(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if found.is_file() {
        std::fs::copy(from, to)?;
    }
    Ok(())
}

/// The agent as a call of the person who starts it: an explicit yes, still under the floor and every deny rule.
fn call(
    agent: &Agent,
    program: &Path,
    words: &[String],
    config: &Path,
    settings: &Settings,
) -> Result<ToolCall, Failure> {
    let cwd = std::env::current_dir()?.display().to_string();
    let first = program.display().to_string();
    let all = std::iter::once(first.as_str())
        .chain(agent.inside.words.iter().copied())
        .chain(words.iter().map(String::as_str));
    let command = all.map(quoted).collect::<Vec<_>>().join(" ");
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    let root = |path: String, access| Root { path, access };
    let mut roots =
        vec![root(cwd.clone(), RootAccess::Write), root(config.display().to_string(), RootAccess::Write)];
    roots.extend(
        agent.inside.fixed.iter().map(|name| root(config.join(name).display().to_string(), RootAccess::Read)),
    );
    let caller = Caller {
        principal: Principal { groups: settings.policy.groups_of(&user), id: user },
        session: format!("guard-{}", std::process::id()).into(),
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Bound,
    };
    let place = Workplace { cwd, roots, outside: OutsideRoots::Ask };
    let args = Object::from([("command".to_owned(), Value::from(command))]);
    let entrance = Entrance::new(caller, CanonicalTool::Shell.into(), args, place);
    let entrance = entrance.settled(Some(ClientMode::Bypass), Prompt::Queue);
    // A person's own words carry no label.
    let mut call = Entrance { label: LabelDuty::Volunteered, ..entrance }.call(settings);
    call.agent = Some(agent.contract.client.as_str().to_owned());
    Ok(call)
}

/// The provider, as the environment and the configuration name it, and what the person adds.
fn hosts(agent: &Agent, more: &[String], config: &Path) -> Vec<String> {
    let mut hosts: Vec<String> = agent.inside.hosts.iter().map(|host| (*host).to_owned()).collect();
    let named = agent.inside.provider.iter().filter_map(|name| std::env::var(name).ok());
    // `base_url` of Codex's own providers; a line of TOML is enough to find a URL, and the proxy judges the host.
    let settings = std::fs::read_to_string(config.join("config.toml")).unwrap_or_default();
    let written = settings.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "base_url").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    hosts.extend(named.chain(written).filter_map(|url| authority(&url)));
    hosts.extend(more.iter().cloned());
    hosts
}

/// `host` or `host:port` of a URL.
fn authority(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    (!authority.is_empty()).then(|| authority.to_owned())
}

/// A proxy of this session's own: the provider and what the settings allow.
async fn egress(
    door: &std::sync::Arc<Door>,
    hosts: &[String],
    socket: PathBuf,
) -> Result<std::sync::Arc<Egress>, Failure> {
    let settings = door.settings();
    let mut net = settings.net.clone();
    let mut config = settings.egress.clone();
    for host in hosts {
        config.allow.push(host.clone());
        // A provider on this machine or in the own network was named by the person who starts the agent.
        let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        if name == "localhost" {
            net.allowed_hosts.push(format!("{host}=127.0.0.0/8"));
        } else if name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok() {
            net.allowed_hosts.push(host.clone());
        }
    }
    config.tcp = false;
    Ok(Egress::open_with(door, net, config, socket).await?)
}

fn manner(
    agent: &Agent,
    args: &Args,
    program: &Program,
    config: &Path,
    state: &Path,
    egress: &Path,
    proxy: BTreeMap<String, String>,
) -> Result<Manner, Failure> {
    let around = Surroundings::of(std::env::vars());
    let mut env = around.env;
    env.extend(proxy);
    for (name, value) in std::env::vars() {
        if agent.inside.variables.iter().any(|begin| name.starts_with(begin)) {
            env.insert(name, value);
        }
    }
    env.insert(agent.config.0.to_owned(), config.display().to_string());
    let mut readable = args.readable.clone();
    readable.extend([std::env::current_exe()?, companion::program()?]);
    readable.push(doorward_hooks::ticket::agents(state));
    readable.extend([&program.place, &program.real].into_iter().filter_map(|place| installed(place)));
    let home = doorward::home();
    readable.extend(around.readable);
    // Ours are hidden also while they aren't there: the agent must not make them.
    let mut hidden = vec![state.to_owned()];
    hidden.extend(home.map(|home| home.join(".config/doorward")));
    readable.sort();
    readable.dedup();
    Ok(Manner {
        min_tier: Tier::Full,
        limits: Limits {
            wall: WALL,
            cpu: WALL,
            memory: args.memory << 20,
            processes: 4_096,
            file_size: 16 << 30,
            open_files: doorward::bind::open_files(65_536),
            disk: 4 << 30,
            ..Limits::default()
        },
        network: Network::Relay { socket: egress.to_owned(), token: String::new(), port: PORT },
        stdin: std::io::stdin()
            .as_fd()
            .try_clone_to_owned()
            .map_or(ProgramInput::Null, ProgramInput::Descriptor),
        stdout: Output::Inherit,
        stderr: Output::Inherit,
        env,
        readable: readable.into_iter().filter(|path| path.exists()).collect(),
        hidden,
        ..Manner::default()
    })
}

/// Where a program is installed: its npm folder, or the folder it lies in if that isn't the system's anyway.
fn installed(program: &Path) -> Option<PathBuf> {
    let modules =
        program.ancestors().filter(|place| place.file_name().is_some_and(|name| name == "node_modules"));
    let folder = modules.last().or_else(|| program.parent())?;
    let system = ["/usr/bin", "/bin", "/usr/local/bin"].iter().any(|own| folder == Path::new(own));
    (!system).then(|| folder.to_owned())
}
