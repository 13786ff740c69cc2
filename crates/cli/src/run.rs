//! `doorward run -- CMD`: a command through the gate and into the sandbox; `doorward sandbox probe`: what holds here.

use std::io::{IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use doorward::bind::{self, MET_BY_TELLING, Promised, Surroundings, only_hosts, redacted};
use doorward::rooms::core::call::ToolCall;
use doorward::rooms::core::decision::Tier;
use doorward::rooms::core::id::Digest;
use doorward::rooms::core::tool::ToolName;
use doorward::rooms::gate::Permit;
use doorward::rooms::settings::Settings;
use doorward::typed::{self, Typed};
use doorward_hooks::thin::default_state;
use doorward_hooks::ticket::quoted;
use doorward_sandbox::{
    Engine, Limits, Listener, Manner, Output, ProbeConfig, ProgramInput, Report, Sandbox, Stream, probe,
    probe_cached,
};

use crate::output::{Failure, exit, json_line, say};
use crate::own_record::{self, OwnRecord};
use crate::runtime::block_on;
use crate::service_run::{self, Wish};
use crate::state::StateOption;
use crate::way_out::{self, WayOut};

/// Exit code for what never ran.
const NOT_RUN: u8 = 125;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Wall time in seconds, or as 90s, 10m, 2h; else `sandbox.wall_s`, else 10m, and 30s for code of --tool
    #[arg(long, value_parser = seconds)]
    wall: Option<u64>,
    /// Memory in MiB, or as 512M, 2G; else `sandbox.memory_mb`, else 4G, and 512M for code of --tool
    #[arg(long, value_parser = mebibytes)]
    memory: Option<u64>,
    /// Processes; 2048 unless given
    #[arg(long)]
    processes: Option<u32>,
    /// Least tier: full, restricted, limited or none, but never less than `sandbox.min_tier`; full unless given
    #[arg(long)]
    min_tier: Option<String>,
    /// Further places to read
    #[arg(long = "read", value_name = "DIR")]
    readable: Vec<PathBuf>,
    /// Collect what the command writes and show it before anything is merged
    #[arg(long)]
    review: bool,
    /// With --review: merge without asking
    #[arg(long, requires = "review")]
    merge: bool,
    /// Where a person's yes comes from: `terminal` asks here, `queue` asks through the running service and waits
    #[arg(long, value_name = "WHERE", default_value = "terminal")]
    yes_from: YesFrom,
    /// Say afterwards what bounded it
    #[arg(long)]
    report: bool,
    #[command(flatten)]
    state: StateOption,
    #[command(flatten)]
    out: way_out::Args,
    /// What runs it: the shell, or the interpreter of a language, which is given the code as one word
    #[arg(
        long,
        value_name = "TOOL",
        default_value = typed::TOOLS[0].as_str(),
        value_parser = typed::TOOLS.map(|tool| tool.as_str())
    )]
    tool: String,
    /// The command, or the code
    #[arg(trailing_var_arg = true, required = true)]
    command: Vec<String>,
}

fn seconds(text: &str) -> Result<u64, String> {
    scaled(text, &[("s", 1), ("m", 60), ("h", 3_600)])
        .ok_or_else(|| "a time is 90, 90s, 10m or 2h".to_owned())
}

fn mebibytes(text: &str) -> Result<u64, String> {
    scaled(text, &[("M", 1), ("G", 1 << 10)]).ok_or_else(|| "memory is 512, 512M or 2G".to_owned())
}

/// A number with one of these units, or with none.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let unit = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = unit.unwrap_or((text, 1));
    number.parse::<u64>().ok()?.checked_mul(factor)
}

/// Where what needs a person is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum YesFrom {
    /// The terminal that the command was typed at.
    Terminal,
    /// The approvals of the running service.
    Queue,
}

impl Args {
    /// Whether only this process can do as it was told: flags that the service doesn't take, or a terminal that the
    /// command is to have.
    fn runs_here(&self) -> bool {
        let bounds = self.wall.is_some() || self.memory.is_some() || self.processes.is_some();
        let shape = self.min_tier.is_some() || self.review || self.report || !self.readable.is_empty();
        let terminal = std::io::stdin().is_terminal() || std::io::stdout().is_terminal();
        bounds || shape || self.out.is_given() || (terminal && self.yes_from == YesFrom::Terminal)
    }

    /// The options, and the settings where an option isn't given.
    fn limits(&self, set: &doorward::rooms::settings::Sandbox, code: bool) -> Limits {
        let profile = set.profile(code);
        let wall = Duration::from_secs(self.wall.unwrap_or(u64::from(profile.wall_s)));
        let usual = bind::limits(wall, Some(self.memory.unwrap_or(u64::from(profile.memory_mb))));
        Limits { processes: self.processes.unwrap_or(usual.processes), ..usual }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct SandboxArgs {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Try to break out of the sandbox from inside, and report what held
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
    /// Show the sandbox tiers that this machine offers
    Offer,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let tool = ToolName::new(&args.tool).map_err(|error| Failure::new(error.code(), error.to_string()))?;
    let command = text_of(&tool, &args.command)?;
    let queue = args.yes_from == YesFrom::Queue;
    if args.runs_here() {
        if queue {
            let why =
                "with --yes-from queue the service runs the command, and it takes none of the other options";
            return Err(Failure::new("run.options", why));
        }
    } else if let Some(ended) =
        service_run::run(&args.state.folder(), &Wish { tool: &tool, command: &command, queue })?
    {
        return Ok(ended);
    } else if queue {
        return Err(Failure::new("service.unreachable", "no service runs; start it: doorward serve"));
    }
    let own = OwnRecord::open("run", &args.state)?;
    let settings = own.door.settings();
    let set = &settings.sandbox;
    let mut call = call(tool, command, &settings)?;
    let limits = args.limits(set, call.tool.is_code());
    let wall = limits.wall;
    // The helper is made ready while the gate decides.
    let sandbox = Arc::new(Sandbox::new(Engine::new().with_one_ahead()));
    let least = tier(args.min_tier.as_deref().unwrap_or("full"))?.max(set.min_tier);
    let offered = sandbox.engine().offer().map_or(Tier::None, |offer| offer.best);
    // Whoever asks for less by --min-tier is promised no more: the run is held to what the policies were told.
    let offered = if args.min_tier.is_some() { offered.min(least) } else { offered };
    let promised = Promised {
        offered,
        least,
        wall_s: u32::try_from(wall.as_secs()).ok(),
        memory_mb: u32::try_from(limits.memory >> 20).ok(),
        hosts: args.out.hosts(&settings.egress),
    };
    call.sandbox = Some(Box::new(promised.over(&call.roots)));
    let Surroundings { env, mut readable } = Surroundings::of(std::env::vars());
    readable.extend(args.readable.iter().cloned());
    let mut manner = Manner {
        min_tier: least,
        limits,
        env,
        stdin: std::io::stdin()
            .as_fd()
            .try_clone_to_owned()
            .map_or(ProgramInput::Null, ProgramInput::Descriptor),
        stdout: Output::Inherit,
        stderr: Output::Inherit,
        observe: true,
        overlay: args.review,
        readable,
        hidden: own.door.own_files().into_iter().map(PathBuf::from).collect(),
        fixed: own.door.fixed_files(),
        ..Manner::default()
    };
    let ahead = Arc::clone(&sandbox);
    std::thread::spawn(move || ahead.engine().prepare());
    let permit = match block_on(own.admit(call.clone(), own_record::Typed::SaysNothing))? {
        Ok(permit) => permit,
        Err(refused) => {
            anstream::eprintln!("\u{1b}[31mDeny\u{1b}[0m  {} ({})", refused.message, refused.code);
            return Ok(ExitCode::from(NOT_RUN));
        }
    };
    manner.judged = bind::judged(&permit.case().inspected().effects);
    let only = only_hosts(&permit.case().decision().obligations);
    let way = match WayOut::of(&args.out, &call, only.as_deref(), wall, &args.state, &own.door) {
        Ok(way) => way,
        Err(failure) => {
            block_on(permit.withdraw())??;
            return Err(failure);
        }
    };
    manner.only_hosts = only;
    if let Some(way) = &way {
        way.give(&mut manner);
    }
    let telling = is_told(&permit).then(|| telling(&mut manner));
    let (listener, telling) =
        telling.map(|(listener, telling)| (Some(listener), Some(telling))).unwrap_or_default();
    let ran = sandbox.run(permit, manner, listener);
    let digest = telling.and_then(|telling| telling.join().ok().flatten());
    match ran {
        Err(refused) => {
            anstream::eprintln!("doorward: [{}] {}", refused.code, refused.reason);
            block_on(refused.owed.close())??;
            Ok(ExitCode::from(NOT_RUN))
        }
        Ok(mut finished) => {
            if digest.is_some() {
                finished.owed.note(digest, []);
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
            finished.report.refused = way.map(|way| way.refused()).unwrap_or_default();
            tell_last_word(&finished.report);
            Ok(ExitCode::from(u8::try_from(finished.report.status.exit_code()).unwrap_or(1)))
        }
    }
}

/// Whether a rule wants the output recorded or redacted, so that it has to pass through here.
fn is_told(permit: &Permit) -> bool {
    let owed = &permit.case().decision().obligations;
    owed.iter().any(|owed| MET_BY_TELLING.contains(&owed.name()))
}

/// Passes on a run's output without secrets; the thread ends with the digest of what was passed on.
fn telling(manner: &mut Manner) -> (Listener, std::thread::JoinHandle<Option<Digest>>) {
    (manner.stdout, manner.stderr) = (Output::Stream, Output::Stream);
    manner.met_outside = MET_BY_TELLING.to_vec();
    let (to_tell, heard) = std::sync::mpsc::channel::<(Stream, Vec<u8>)>();
    let listener: Listener = Box::new(move |stream, bytes| drop(to_tell.send((stream, bytes.to_vec()))));
    let telling = std::thread::spawn(move || {
        redacted(&heard, &mut |stream, bytes| {
            // Whoever reads no further is told no more; the run goes on, and its record with it.
            let _ = match stream {
                Stream::Out => std::io::stdout().write_all(&bytes).and_then(|()| std::io::stdout().flush()),
                Stream::Err => std::io::stderr().write_all(&bytes),
            };
        })
    });
    (listener, telling)
}

/// Says what a run left that other programs would run.
pub(crate) fn tell_leftovers(report: &Report) {
    for left in &report.leftovers {
        anstream::eprintln!("doorward: {}: {} ({})", left.path.display(), left.message, left.code.as_str());
    }
}

/// Says last why a run failed, where that was our doing.
pub(crate) fn tell_last_word(report: &Report) {
    if let Some(word) = report.last_word() {
        anstream::eprintln!("Doorward: {word}.");
    }
}

/// Shows what was collected; merges it if a person says so.
fn review(overlay: doorward_sandbox::Overlay, merge: bool) -> Result<(), Failure> {
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
fn call(tool: ToolName, text: String, settings: &Settings) -> Result<ToolCall, Failure> {
    let cwd = std::env::current_dir()?.display().to_string();
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    let typed = Typed { tool, text, cwd, queue: true };
    let session = format!("run-{}", std::process::id());
    typed::call_of(&typed, settings, &user, session.into())
        .map_err(|refusal| Failure::new(refusal.code, refusal.reason))
}

/// What the tool is given: a command line for the shell, one word of code for an interpreter.
fn text_of(tool: &ToolName, words: &[String]) -> Result<String, Failure> {
    match words {
        _ if !tool.is_code() => Ok(command_of(words)),
        [code] => Ok(code.clone()),
        _ => {
            let why = format!("{tool} takes the code as one word; put it into quotation marks");
            Err(Failure::new("run.code", why))
        }
    }
}

/// The words as one text for a shell: one word is that text already.
fn command_of(words: &[String]) -> String {
    match words {
        [one] => one.clone(),
        many => many.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

pub(crate) fn sandbox(args: SandboxArgs) -> Result<ExitCode, Failure> {
    let engine = Engine::new();
    match args.command {
        What::Offer => {
            let offer = engine.offer()?;
            let (best, abi) = (offer.best.as_str(), offer.landlock_abi);
            say!("best tier: {best}  (Landlock ABI {abi})");
            for missing in offer.missing {
                say!("  missing: {}: {}", missing.feature, missing.hint);
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Probe { json, fresh, tier: wanted } => {
            let config = ProbeConfig { tier: tier(&wanted)?, ..ProbeConfig::default() };
            let state = default_state();
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
