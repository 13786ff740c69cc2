//! `doorward mcp --sandbox`: the server inside our sandbox. The gateway starts this very program in the server's place,
//! which takes the server's command through a gate with a record of its own and runs it in bounds.

use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use doorward::bind::{Promised, only_hosts};
use doorward::rooms::core::call::Root;
use doorward::rooms::core::decision::Tier;
use doorward::rooms::core::tool::CanonicalTool;
use doorward::typed::{self, Typed};
use doorward_hooks::ticket::quoted;
use doorward_sandbox::{Engine, Limits, Manner, Output, ProgramInput, Sandbox};

use crate::output::Failure;
use crate::own_record::{self, OwnRecord};
use crate::runtime::block_on;
use crate::state::StateOption;
use crate::way_out::{self, WayOut};

/// Exit code for what never ran.
const NOT_RUN: u8 = 125;
/// A server runs as long as its client does.
const NO_LIMIT: Duration = Duration::from_secs(365 * 24 * 3_600);
/// Where the sandbox shows programs and libraries anyway.
const SHOWN: &[&str] = &["/usr", "/bin", "/lib", "/lib64", "/sbin", "/opt"];

/// What bounds the server.
#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
pub(crate) struct Bounds {
    /// With --sandbox: a variable of the environment that the server gets; it gets no others
    #[arg(long = "env", value_name = "NAME")]
    env: Vec<String>,
    /// With --sandbox: a further place that the server may read
    #[arg(long = "read", value_name = "DIR")]
    read: Vec<PathBuf>,
    /// With --sandbox: a host that the server may reach, `host[:port][=cidr]`
    #[arg(long, value_name = "HOST")]
    allow: Vec<String>,
}

impl Bounds {
    /// Whether any was given.
    pub(crate) fn is_given(&self) -> bool {
        !(self.env.is_empty() && self.read.is_empty() && self.allow.is_empty())
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Inside {
    #[command(flatten)]
    bounds: Bounds,
    /// A place where the server may act
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<String>,
    #[command(flatten)]
    state: StateOption,
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// The command that the gateway starts in the server's place.
pub(crate) fn command(
    bounds: &Bounds,
    roots: &[String],
    state: &Path,
    command: &[String],
) -> Result<Vec<String>, Failure> {
    let mut words =
        vec![std::env::current_exe()?.display().to_string(), "mcp".to_owned(), "inside".to_owned()];
    words.extend(["--state".to_owned(), state.display().to_string()]);
    let reads = bounds.read.iter().map(|place| place.display().to_string());
    let named =
        [("--env", bounds.env.clone()), ("--read", reads.collect()), ("--allow", bounds.allow.clone())];
    for (option, values) in named.into_iter().chain([("--root", roots.to_vec())]) {
        words.extend(values.into_iter().flat_map(|value| [option.to_owned(), value]));
    }
    words.push("--".to_owned());
    words.extend(command.iter().cloned());
    Ok(words)
}

/// Runs the server, which speaks to the gateway over our own pipes.
pub(crate) fn run(args: Inside) -> Result<ExitCode, Failure> {
    let own = OwnRecord::open("mcp-server", &args.state)?;
    let cwd = std::env::current_dir()?.display().to_string();
    let user = doorward::hook::user_name(rustix::process::getuid().as_raw());
    let text = args.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let settings = own.door.settings();
    let wanted = Typed { tool: CanonicalTool::Shell.into(), text, cwd, queue: true };
    let session = format!("mcp-server-{}", std::process::id());
    let mut call = typed::call_of(&wanted, &settings, &user, session.into())
        .map_err(|refusal| Failure::new(refusal.code, refusal.reason))?;
    call.roots.extend(args.roots.iter().map(|root| Root::parse(root)));
    let only = way_out::Args::only(&args.bounds.allow);
    let engine = Engine::new();
    let promised = Promised {
        offered: engine.offer().map_or(Tier::None, |offer| offer.best),
        least: settings.sandbox.min_tier,
        wall_s: None,
        memory_mb: None,
        hosts: only.hosts(&settings.egress),
    };
    call.sandbox = Some(Box::new(promised.over(&call.roots)));
    let limits = Limits {
        wall: NO_LIMIT,
        cpu: NO_LIMIT,
        memory: u64::MAX >> 1,
        processes: 1_024,
        ..Limits::default()
    };
    let declared = |name: &String| Some((name.clone(), std::env::var(name).ok()?));
    let mut manner = Manner {
        min_tier: settings.sandbox.min_tier,
        limits,
        stdin: std::io::stdin()
            .as_fd()
            .try_clone_to_owned()
            .map_or(ProgramInput::Null, ProgramInput::Descriptor),
        stdout: Output::Inherit,
        stderr: Output::Inherit,
        env: args.bounds.env.iter().filter_map(declared).collect(),
        readable: args.bounds.read.iter().cloned().chain(places(&args.command)).collect(),
        hidden: own.door.own_files().into_iter().map(PathBuf::from).collect(),
        fixed: own.door.fixed_files(),
        ..Manner::default()
    };
    // Whoever put the command into a configuration wants exactly it; floors and deny rules hold all the same.
    let permit = block_on(own.admit(call.clone(), own_record::Typed::IsTheYes))??;
    let named = only_hosts(&permit.case().decision().obligations);
    let way = match WayOut::of(&only, &call, named.as_deref(), NO_LIMIT, &args.state, &own.door) {
        Ok(way) => way,
        Err(failure) => {
            block_on(permit.withdraw())??;
            return Err(failure);
        }
    };
    manner.only_hosts = named;
    if let Some(way) = &way {
        way.give(&mut manner);
    }
    match Sandbox::new(engine).run(permit, manner, None) {
        Err(refused) => {
            anstream::eprintln!("doorward: [{}] {}", refused.code, refused.reason);
            block_on(refused.owed.close())??;
            Ok(ExitCode::from(NOT_RUN))
        }
        Ok(finished) => {
            let code = finished.report.status.exit_code();
            block_on(finished.owed.close())??;
            Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
        }
    }
}

/// Folders of the files that a command names: a package's whole `node_modules`, else the file's own folder.
fn places(command: &[String]) -> Vec<PathBuf> {
    let files =
        command.iter().filter_map(|word| std::fs::canonicalize(word).ok()).filter(|path| path.is_file());
    files
        .filter(|file| !SHOWN.iter().any(|shown| file.starts_with(shown)))
        .filter_map(|file| {
            let package = file.ancestors().filter(|folder| folder.ends_with("node_modules")).last();
            package.or(file.parent()).map(PathBuf::from)
        })
        .collect()
}
