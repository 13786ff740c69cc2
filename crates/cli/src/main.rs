//! The `doorward` command.
//!
//! `doorward hook` is dispatched before anything else is set up: it runs once per tool call of an agent, so it pays
//! for no argument parser, no runtime and no logging.

use std::process::ExitCode;

mod approvals;
mod audit;
mod check;
mod codex;
mod config;
mod demo;
mod doctor;
mod eval;
mod experiences;
mod explore;
mod guard;
mod guardian;
mod help;
mod install;
mod lifecycle;
mod mcp;
mod mcp_http;
mod mcp_install;
mod mcp_keeper;
mod mcp_pins;
mod mcp_sandbox;
mod mcp_scan;
mod mcp_server;
mod net;
mod output;
mod own_record;
mod people;
mod policy;
mod programs;
mod queue;
mod replay;
mod run;
mod runtime;
mod scan;
mod serve;
mod service;
mod service_run;
mod sessions;
mod state;
mod status;
mod way_out;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// The door that every tool call of an AI agent passes through.
#[derive(Debug, Parser)]
#[command(name = "doorward", version, propagate_version = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a call without recording it: seed contract on standard input, or --command
    Check(check::Args),
    /// Run the service: Unix socket, loopback HTTP, ledger
    Serve(serve::Args),
    /// Run a command through the gate and inside the sandbox
    Run(run::Args),
    /// Run a coding agent itself inside the sandbox, with its shell calls bound
    Guard(guard::Args),
    /// Probe the sandbox
    Sandbox(run::SandboxArgs),
    /// Find secrets in files, staged changes, history
    Scan(scan::Args),
    /// Put the gate before an MCP server, look at pinned tools, scan the servers of this machine
    Mcp(mcp::Args),
    /// Judge URLs
    Net(net::Args),
    /// Fetch a URL through the guard
    Fetch(net::Fetch),
    /// Run the egress proxy
    Proxy(net::Proxy),
    /// Test policies against cases
    Policy(policy::Args),
    /// Look into the ledger and verify it
    Audit(audit::Args),
    /// Questions that wait for a person: list, show, approve, deny
    Approvals(approvals::Args),
    /// Print a link that signs a browser in to the console, once
    Console(approvals::Console),
    /// Put the hook into a coding agent's configuration, or the gateway before its MCP servers (`mcp`)
    Install(install::Args),
    /// Take the hook out again
    Uninstall(install::Removal),
    /// Prove every link between your agents and Doorward, and say what mends a broken one
    Doctor(doctor::Args),
    /// What sessions remember: where data came from and where it went
    Sessions(sessions::Args),
    /// One page: the service, your agents, what waits for you, what is stopped
    Status(status::Args),
    /// End the service
    Stop(lifecycle::Args),
    /// End the service and start this version of it
    Restart(lifecycle::Args),
    /// Show what the service wrote into its log
    Logs(lifecycle::Logs),
    /// Score a call without a model, or ask the configured one a canary question
    Guardian(guardian::Args),
    /// Safety rules about tools: list, change, exchange, put into agents' instruction files
    Experiences(experiences::Args),
    /// Evaluate: attacks and honest work under several settings
    Eval(eval::Args),
    /// Show the settings in force and where each comes from
    Config(config::Args),
    /// Answer one event of a coding agent (run by the agent, not by people)
    Hook {
        /// The agent
        client: String,
    },
    /// Run what a ticket stands for (run by the agent's shell, not by people)
    Exec {
        /// The ticket, as the hook wrote it
        ticket: String,
    },
    /// This overview, or what codes, settings, rules, modes and exit codes mean
    Help(help::Args),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    // The sandbox's helper is this very binary under another name; it never comes back from here.
    doorward_sandbox::maybe_init();
    let mut words = std::env::args_os();
    match words.nth(1).as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("hook") => doorward_hooks::thin::main(words),
        Some("exec") => doorward_hooks::exec::main(words),
        _ => {}
    }
    let mut matches = help::grouped(Cli::command()).get_matches();
    let command = match Cli::from_arg_matches_mut(&mut matches) {
        Ok(cli) => cli.command,
        Err(error) => error.exit(),
    };
    let done = match command {
        Command::Check(args) => check::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Run(args) => run::run(args),
        Command::Guard(args) => guard::run(args),
        Command::Sandbox(args) => run::sandbox(args),
        Command::Scan(args) => scan::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Net(args) => net::run(args),
        Command::Fetch(args) => net::fetch(args),
        Command::Proxy(args) => net::proxy(args),
        Command::Policy(args) => policy::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Approvals(args) => approvals::run(args),
        Command::Console(args) => approvals::console(args),
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Sessions(args) => sessions::run(args),
        Command::Status(args) => status::run(args),
        Command::Stop(args) => lifecycle::stop(args),
        Command::Restart(args) => lifecycle::restart(args),
        Command::Logs(args) => lifecycle::logs(args),
        Command::Guardian(args) => guardian::run(args),
        Command::Experiences(args) => experiences::run(args),
        Command::Eval(args) => eval::run(args),
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
    };
    done.unwrap_or_else(|failure| failure.report())
}
