//! `doorward run -- CMD`: a command through the gate and into the sandbox; `doorward sandbox probe`: what holds here.

use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Settlement, Surface, ToolCall,
    Workplace,
};
use doorward_core::decision::Tier;
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::tool::{Client, ToolName};
use doorward_sandbox::{
    Engine, Input, Limits, Manner, Output, ProbeConfig, Report, Sandbox, probe, probe_cached,
};

use crate::output::{Failure, exit, json_line};
use crate::own_record::OwnRecord;
use crate::runtime::block_on;
use crate::way_out::{self, WayOut};

/// Exit code for what never ran.
const NOT_RUN: u8 = 125;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Wall time in seconds
    #[arg(long, default_value_t = 30)]
    wall: u64,
    /// Memory in MiB
    #[arg(long, default_value_t = 512)]
    memory: u64,
    /// Processes
    #[arg(long, default_value_t = 256)]
    processes: u32,
    /// Least tier: full, restricted, limited or none
    #[arg(long, default_value = "full")]
    min_tier: String,
    /// Further places to read
    #[arg(long = "read", value_name = "DIR")]
    readable: Vec<PathBuf>,
    /// Collect what the command writes and show it before anything is merged
    #[arg(long)]
    review: bool,
    /// With --review: merge without asking
    #[arg(long, requires = "review")]
    merge: bool,
    /// Say afterwards what bounded it
    #[arg(long)]
    report: bool,
    #[command(flatten)]
    out: way_out::Args,
    /// The command
    #[arg(trailing_var_arg = true, required = true)]
    command: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SandboxArgs {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Try to get out, from inside
    Probe {
        /// JSON
        #[arg(long)]
        json: bool,
        /// Run anew, whatever was found before
        #[arg(long)]
        fresh: bool,
        /// The tier to probe: full, restricted or limited
        #[arg(long, default_value = "full")]
        tier: String,
    },
    /// What can be had here
    Offer,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let own = OwnRecord::open("run")?;
    let call = call(&args.command)?;
    let mut manner = Manner {
        min_tier: tier(&args.min_tier)?,
        limits: Limits {
            wall: Duration::from_secs(args.wall),
            cpu: Duration::from_secs(args.wall),
            memory: args.memory << 20,
            processes: args.processes,
            ..Limits::default()
        },
        stdin: std::io::stdin().as_fd().try_clone_to_owned().map_or(Input::Null, Input::Descriptor),
        stdout: Output::Inherit,
        stderr: Output::Inherit,
        overlay: args.review,
        readable: args.readable.clone(),
        met_outside: vec!["log_output", "redact_output", "notify"],
        ..Manner::default()
    };
    let way = WayOut::of(&args.out, &call, Duration::from_secs(args.wall))?;
    if let Some(way) = &way {
        way.give(&mut manner);
    }
    // The helper is made ready while the gate decides.
    let sandbox = Arc::new(Sandbox::new(Engine::new().with_one_ahead()));
    let ahead = Arc::clone(&sandbox);
    std::thread::spawn(move || ahead.engine().prepare());
    let permit = match block_on(own.admit(call))? {
        Ok(permit) => permit,
        Err(refused) => {
            anstream::eprintln!("\u{1b}[31mDENY\u{1b}[0m  {} ({})", refused.message, refused.code);
            return Ok(ExitCode::from(NOT_RUN));
        }
    };
    match sandbox.run(permit, manner, None) {
        Err(refused) => {
            anstream::eprintln!("doorward: [{}] {}", refused.code, refused.reason);
            block_on(refused.owed.close())??;
            Ok(ExitCode::from(NOT_RUN))
        }
        Ok(finished) => {
            for hit in &finished.report.limits_hit {
                anstream::eprintln!("doorward: limit {:?} fired: {} of {}", hit.limit, hit.peak, hit.allowed);
            }
            tell_leftovers(&finished.report);
            if args.report {
                anstream::eprintln!("{}", serde_json::to_string_pretty(&finished.report)?);
                anstream::eprintln!("doorward: the record is in {}", own.folder().display());
            }
            block_on(finished.owed.close())??;
            for overlay in finished.overlays {
                review(overlay, args.merge)?;
            }
            Ok(ExitCode::from(u8::try_from(finished.report.status.exit_code()).unwrap_or(1)))
        }
    }
}

/// Says what a run left that other programs would run.
pub(crate) fn tell_leftovers(report: &Report) {
    for left in &report.leftovers {
        anstream::eprintln!("doorward: {}: {} ({})", left.path.display(), left.message, left.code.as_str());
    }
}

/// Shows what was collected; merges it if a person says so.
fn review(overlay: doorward_sandbox::Overlay, merge: bool) -> Result<(), Failure> {
    use std::io::{IsTerminal as _, Write as _};
    let changes = overlay.changes()?;
    if changes.is_empty() {
        anstream::eprintln!("nothing was written below {}", overlay.root().display());
        return Ok(());
    }
    print!("{}", overlay.diff()?);
    let yes = merge || {
        if !std::io::stdin().is_terminal() {
            anstream::eprintln!("not merged: nobody to ask; use --merge");
            return Ok(());
        }
        anstream::eprint!("merge {} changes into {}? [y/N] ", changes.len(), overlay.root().display());
        std::io::stderr().flush()?;
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        answer.trim().eq_ignore_ascii_case("y")
    };
    if yes {
        let merged = overlay.merge()?;
        anstream::eprintln!("merged {} changes, refused {}", merged.applied, merged.refused.len());
    } else {
        anstream::eprintln!("not merged");
    }
    Ok(())
}

/// The command as a call of the person who types it. What nothing allows is asked at the terminal.
fn call(words: &[String]) -> Result<ToolCall, Failure> {
    let cwd = std::env::current_dir()?.display().to_string();
    let command = match words {
        [one] => one.clone(),
        many => many.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    };
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    let caller = Caller {
        principal: Principal { id: user, groups: Vec::new() },
        session: format!("run-{}", std::process::id()),
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Bound,
    };
    let roots = vec![Root { path: cwd.clone(), access: RootAccess::Write }];
    let place = Workplace { cwd, roots, outside: OutsideRoots::Ask };
    let settlement = Settlement { mode: PermissionMode::Default, prompt: Prompt::Queue };
    let args = Object::from([("command".to_owned(), Value::from(command))]);
    Ok(ToolCall::new(caller, ToolName::new("shell:execute")?, args, place, settlement))
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(&byte));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

pub(crate) fn sandbox(args: SandboxArgs) -> Result<ExitCode, Failure> {
    let engine = Engine::new();
    match args.command {
        What::Offer => {
            let offer = engine.offer()?;
            anstream::println!("best tier: {}  (Landlock ABI {})", offer.best.as_str(), offer.landlock_abi);
            for missing in offer.missing {
                anstream::println!("  missing: {}: {}", missing.feature, missing.hint);
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Probe { json, fresh, tier: wanted } => {
            let config = ProbeConfig { tier: tier(&wanted)?, ..ProbeConfig::default() };
            let state = doorward_hooks::thin::default_state();
            std::fs::create_dir_all(&state)?;
            let cache = state.join("probes.json");
            let report =
                if fresh { probe(&engine, &config)? } else { probe_cached(&engine, &config, &cache)? };
            let failures = report.failures();
            if json {
                json_line(&report)?;
            } else {
                anstream::println!(
                    "tier {}  uid {}  kernel {}",
                    report.tier.as_str(),
                    report.uid,
                    report.kernel
                );
                for (name, probe) in &report.probes {
                    let open = failures.iter().any(|failed| failed == name);
                    let mark = if open { "\u{1b}[31m✗\u{1b}[0m" } else { "\u{1b}[32m✓\u{1b}[0m" };
                    anstream::println!("  {mark} {name:<28} {:?}", probe.state);
                }
                let (closed, all) = report.closed();
                anstream::println!("{closed} of {all} closed");
            }
            Ok(ExitCode::from(if failures.is_empty() { exit::ALLOW } else { 1 }))
        }
    }
}

fn tier(word: &str) -> Result<Tier, Failure> {
    [Tier::Full, Tier::Restricted, Tier::Limited, Tier::None]
        .into_iter()
        .find(|tier| tier.as_str() == word)
        .ok_or_else(|| {
            Failure::new("sandbox.tier", format!("{word:?} is none of full, restricted, limited, none"))
        })
}
