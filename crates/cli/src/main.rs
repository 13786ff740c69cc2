//! The `doorward` command.
//!
//! `doorward hook` is dispatched before anything else is set up: it runs once per tool call of an agent, so it pays
//! for no argument parser, no runtime and no logging.

use std::process::ExitCode;

mod answers;
mod approvals;
mod audit;
mod check;
mod codex;
mod config;
mod demo;
mod detect;
mod doctor;
#[cfg(feature = "lab")]
mod eval;
mod experiences;
#[cfg(feature = "lab")]
mod explore;
mod first_meeting;
mod guard;
mod guardian;
mod help;
mod install;
mod knowledge;
mod lifecycle;
mod look_back;
mod mcp;
mod mcp_http;
mod mcp_install;
mod mcp_install_address;
mod mcp_keeper;
mod mcp_pins;
mod mcp_sandbox;
mod mcp_scan;
mod mcp_server;
mod mcp_stdio;
mod net;
mod observe;
mod output;
mod own_record;
mod people;
mod plugin;
mod policy;
mod programs;
mod queue;
#[cfg(feature = "lab")]
mod replay;
mod run;
mod runtime;
mod scan;
mod serve;
mod service;
mod service_run;
mod sessions;
mod setup;
mod state;
mod status;
mod verbs;
mod way_out;
#[cfg(not(feature = "lab"))]
mod without_lab;

#[cfg(not(feature = "lab"))]
use without_lab as eval;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// The door that every tool call of an AI agent passes through.
#[derive(Debug, Parser)]
#[command(name = "doorward", version = doorward::BUILD, propagate_version = true, disable_help_subcommand = true)]
struct Cli {
    /// Print JSON, one line each; an error too, on standard error
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a call without recording or running it: `doorward check 'rm -rf x'`, or a JSON request on standard input
    Check(check::Args),
    /// Run the service: Unix socket, loopback HTTP, ledger
    Serve(serve::Args),
    /// Run a command through the gate and inside the sandbox
    Run(run::Args),
    /// Run a coding agent itself inside the sandbox; its shell calls are judged and run by the service
    Guard(guard::Args),
    /// Show what sandbox this machine offers, and try to break out of it
    Sandbox(run::SandboxArgs),
    /// Find secrets in files, staged changes, history
    Scan(scan::Args),
    /// Put the gate before an MCP server, look at pinned tools, scan the servers of this machine
    Mcp(Box<mcp::Args>),
    /// Say whether a URL may be reached
    Net(net::Args),
    /// Fetch a URL if it may be reached
    Fetch(net::Fetch),
    /// Run the egress proxy, which lets programs reach permitted hosts only
    Proxy(net::Proxy),
    /// Test policies against cases
    Policy(policy::Args),
    /// Look into the ledger and verify it
    Audit(audit::Args),
    /// Answer questions that wait for a person; also stops, saved rules and your passphrase
    Approvals(approvals::Args),
    /// Find the agents of this machine and guard them all, after one yes
    Setup(setup::Args),
    /// Allow a question that waits for you: the newest, or the one you name
    Approve(verbs::Act<answers::Approve>),
    /// Save a rule that lets calls pass without a question
    Allow(verbs::Rule),
    /// Save a rule that has calls asked about
    Ask(verbs::Rule),
    /// Deny a question that waits for you, or save a rule that denies calls
    Deny(verbs::Deny),
    /// Take back a saved rule, or an approval that wasn't used
    Revoke(verbs::Act<answers::Revoke>),
    /// List your rules, or take one back
    Rules(verbs::Rules),
    /// Open the console in a browser, signed in once
    Console(verbs::Console),
    /// Put the hook into a coding agent's configuration, or (`mcp`) the gateway before agents' MCP servers
    Install(install::Args),
    /// Take the hook or the gateway out again
    Uninstall(install::Removal),
    /// Build the plugins of Claude Code and Codex and the extension of Gemini CLI
    Plugin(plugin::Args),
    /// Check that your agents' calls really reach Doorward, and name the command that mends what is broken
    Doctor(doctor::Args),
    /// Judge the sessions that your agents wrote down, as if Doorward had been there; nothing is run or sent
    LookBack(look_back::Args),
    /// Watch for a time: everything is judged and recorded, and only floors stop a call; then see what it showed
    Observe(observe::Args),
    /// Let only floors stop a call for a short time, such as 10m; recorded, and it ends by itself
    Pause(observe::Pause),
    /// What sessions remember: where data came from and where it went
    Sessions(sessions::Args),
    /// One page: the service, your agents, what waits for you, what is stopped
    Status(status::Args),
    /// Refuse calls until you let them go on (`stop all`), or end the service (`stop service`)
    Stop(verbs::Stop),
    /// Let stopped calls pass again
    Resume(verbs::Act<answers::Resume>),
    /// Stop the service and start this version of it
    Restart(lifecycle::Args),
    /// Show the service's log
    Logs(lifecycle::Logs),
    /// Score a call without a model, or test the configured guardian model
    Guardian(guardian::Args),
    /// Safety rules about tools: list, edit, import, export, put into agents' instruction files
    Experiences(experiences::Args),
    /// Evaluate settings by attacks and honest work, or by recorded runs
    Eval(eval::Args),
    /// What is known about programs: check, show and draft descriptions
    Knowledge(knowledge::Args),
    /// Show the settings in force and where each comes from
    Config(config::Args),
    /// Answer one event of a coding agent (run by the agent, not by people)
    ///
    /// Reads the event as JSON from standard input, asks the service, starting it where none runs, and prints the
    /// answer in the agent's own form. `doorward install` writes this command into the agent's settings. Whatever goes
    /// wrong is a denial: exit code 2 with the reason on standard error.
    Hook {
        /// The agent: claude-code, codex, gemini-cli and the others that `doorward install` takes
        client: String,
        /// State directory of the service, if it isn't the usual one
        #[arg(long, value_name = "DIR")]
        state: Option<std::path::PathBuf>,
        /// Answer within this time or deny; at most 110000
        #[arg(long, value_name = "MS")]
        deadline_ms: Option<u64>,
        /// The agent runs in Doorward's sandbox (written by `doorward guard`)
        #[arg(long)]
        enclosed: bool,
    },
    /// Run the bound command of a ticket (run by the agent's shell, not by people)
    ///
    /// The hook puts this command in the place of a shell call that Doorward runs itself (hooks.shell = "bind"). It
    /// presents the ticket, passes input and output, and ends as the run ends; 125 means that nothing ran.
    Exec {
        /// State directory of the service, if it isn't the usual one
        #[arg(long, value_name = "DIR")]
        state: Option<std::path::PathBuf>,
        /// The ticket, as the hook wrote it: 32 hexadecimal digits, good for one run
        ticket: String,
        /// Print the folder that the run ended in, instead of running anything
        #[arg(long)]
        folder: bool,
        /// The command as it was shown to the agent; it has to be the one that was judged
        command: Option<String>,
    },
    /// Show this overview, or a topic: modes, rules, settings, codes, and whatever word you know
    Help(help::Args),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write man pages into a folder, one for each command
    Man {
        /// The folder; it is made if it isn't there
        folder: std::path::PathBuf,
    },
}

/// `doorward hook --help`, typed by a person. A hook's command line has the agent in that place.
fn asks_for_help() -> bool {
    std::env::args_os().nth(2).is_some_and(|word| word == "--help" || word == "-h")
}

fn main() -> ExitCode {
    // The sandbox's helper is this very binary under another name; it never comes back from here.
    doorward_sandbox::maybe_init();
    let mut words = std::env::args_os();
    match words.nth(1).as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("hook") if !asks_for_help() => doorward_hooks::thin::main(words),
        Some("exec") if !asks_for_help() => doorward_hooks::exec::main(words),
        _ => {}
    }
    output::end_quietly_on_closed_pipe();
    let mut matches = help::grouped(Cli::command()).get_matches();
    if wants_json(&matches) {
        output::speak_json();
    }
    let command = match Cli::from_arg_matches_mut(&mut matches) {
        Ok(cli) => cli.command,
        Err(error) => error.exit(),
    };
    if let (true, Some(name)) = (output::as_json(), command.has_output_of_others()) {
        let why = format!(
            "`doorward {name}` takes no --json: it prints a log, a file or what another program prints"
        );
        return output::Failure::new("options.json", why).report();
    }
    run(command).unwrap_or_else(|failure| failure.report())
}

/// `--json`, before or behind the subcommand.
fn wants_json(matches: &clap::ArgMatches) -> bool {
    let own = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false);
    own || matches.subcommand().is_some_and(|(_, of_it)| wants_json(of_it))
}

impl Command {
    /// The name of a subcommand whose standard output belongs to another program or protocol.
    fn has_output_of_others(&self) -> Option<&'static str> {
        match self {
            Self::Serve(_) => Some("serve"),
            Self::Proxy(_) => Some("proxy"),
            Self::Run(_) => Some("run"),
            Self::Guard(_) => Some("guard"),
            Self::Fetch(_) => Some("fetch"),
            Self::Scan(_) => Some("scan"),
            Self::Completions { .. } => Some("completions"),
            Self::Mcp(args) if args.relays() => Some("mcp"),
            _ => None,
        }
    }
}

fn run(command: Command) -> Result<ExitCode, output::Failure> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Run(args) => run::run(args),
        Command::Guard(args) => guard::run(args),
        Command::Sandbox(args) => run::sandbox(args),
        Command::Scan(args) => scan::run(args),
        Command::Mcp(args) => mcp::run(*args),
        Command::Net(args) => net::run(args),
        Command::Fetch(args) => net::fetch(args),
        Command::Proxy(args) => net::proxy(args),
        Command::Policy(args) => policy::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Approvals(args) => approvals::run(args),
        Command::Setup(args) => setup::run(args),
        Command::Approve(args) => verbs::approve(args),
        Command::Allow(args) => verbs::rule("allow", &args),
        Command::Ask(args) => verbs::rule("ask", &args),
        Command::Deny(args) => verbs::deny(&args),
        Command::Revoke(args) => verbs::revoke(&args),
        Command::Rules(args) => verbs::rules(&args),
        Command::Console(args) => verbs::console(&args),
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Plugin(args) => plugin::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::LookBack(args) => look_back::run(args),
        Command::Observe(args) => observe::run(args),
        Command::Pause(args) => observe::pause(&args),
        Command::Sessions(args) => sessions::run(args),
        Command::Status(args) => status::run(args),
        Command::Stop(args) => verbs::stop(&args),
        Command::Resume(args) => verbs::resume(&args),
        Command::Restart(args) => lifecycle::restart(args),
        Command::Logs(args) => lifecycle::logs(args),
        Command::Guardian(args) => guardian::run(args),
        Command::Experiences(args) => experiences::run(args),
        Command::Eval(args) => eval::run(&args),
        Command::Knowledge(args) => knowledge::run(args),
        Command::Config(args) => config::run(args),
        Command::Hook { .. } => {
            Err(output::Failure::new("hook.usage", "give the agent: doorward hook claude-code"))
        }
        Command::Exec { .. } => {
            Err(output::Failure::new("exec.usage", "give the ticket: doorward exec TICKET"))
        }
        Command::Help(args) => help::run(&args, help::grouped(Cli::command())),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "doorward", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Command::Man { folder } => man(&folder),
    }
}

/// One page for the program and one for each of its commands.
fn man(folder: &std::path::Path) -> Result<ExitCode, output::Failure> {
    let failed =
        |error: std::io::Error| output::Failure::new("man.write", format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}
