//! `doorward mcp`: the gateway before an MCP server, and what people do about its tools.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use doorward::rooms::mcp::{Options, Pipes, Relay, Side};

use crate::first_meeting::{self, Reached};
use crate::mcp_http::Identity;
use crate::mcp_keeper::Gatekeeper;
use crate::mcp_server::{self, Started};
use crate::output::Failure;
use crate::runtime::{block_on, block_on_one_thread};
use crate::state::StateOption;
use crate::{mcp_http, mcp_pins, mcp_sandbox, mcp_scan, mcp_stdio, serve};

/// How long the server's list of tools may take.
const LIST: Duration = Duration::from_secs(15);

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The server's name, as rules write it: mcp(NAME/tool); taken from the command or URL unless given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A further place where its tools may act; `ro:DIR` to read only
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<String>,
    /// Seconds that a call waits for a person before it is denied for now; keep it below the client's own limit
    #[arg(long, value_name = "SECONDS", default_value_t = 45)]
    wait: u64,
    /// Run the server in the sandbox: it sees the working folder, what --root and --read name and the folders of the
    /// files in its command, has a clean environment and reaches no host
    #[arg(long)]
    sandbox: bool,
    #[command(flatten)]
    bounds: mcp_sandbox::Bounds,
    #[command(flatten)]
    state: StateOption,
    /// Listen for clients over HTTP on this loopback address, such as 127.0.0.1:8931, instead of standard input
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    upstream: mcp_http::UpstreamArgs,
    /// With --listen, one of several servers behind the port, at /mcp/NAME: a URL, or a command without blanks in
    /// its words
    #[arg(long = "server", value_name = "NAME=SERVER", requires = "listen", conflicts_with_all = ["url", "command", "name", "sandbox"])]
    servers: Vec<String>,
    /// The environment variable that holds the server's URL, for one whose URL is a secret
    #[arg(long = "url-from", value_name = "VARIABLE", conflicts_with_all = ["url", "command", "servers"])]
    url_from: Option<String>,
    /// The server's URL, if it is reached over HTTP
    #[arg(value_name = "URL", required_unless_present_any = ["command", "servers", "url_from"], conflicts_with = "command")]
    url: Option<String>,
    /// The server's command
    #[arg(last = true)]
    command: Vec<String>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Pinned tools: what was approved, what waits, what differs word by word
    Pins(mcp_pins::Pins),
    /// Allow a tool, or a server as it is started now, after looking at the difference
    #[command(name = "approve", visible_alias = "allow")]
    Approve(mcp_pins::Approve),
    /// Deny a tool as it is shown: it stays hidden and no longer waits
    #[command(name = "deny", alias = "refuse")]
    Refuse(mcp_pins::Approve),
    /// Look for poisoned definitions: the servers of this machine's agents, or rows on standard input
    Scan(mcp_scan::Args),
    /// Run a server inside the sandbox (started by the gateway, not by people)
    #[command(hide = true)]
    Inside(mcp_sandbox::Inside),
}

impl Args {
    /// Whether this is the gateway itself, which speaks MCP.
    pub(crate) const fn relays(&self) -> bool {
        self.what.is_none()
    }
}

pub(crate) fn run(mut args: Args) -> Result<ExitCode, Failure> {
    match args.what {
        Some(What::Pins(args)) => return mcp_pins::pins(&args),
        Some(What::Approve(args)) => return mcp_pins::approve(&args),
        Some(What::Refuse(args)) => return mcp_pins::refuse(&args),
        Some(What::Scan(args)) => return mcp_scan::run(&args),
        Some(What::Inside(args)) => return mcp_sandbox::run(args),
        None => {}
    }
    if !args.servers.is_empty() {
        return block_on(several(args))?;
    }
    if let Some(variable) = &args.url_from {
        let why = format!("--url-from {variable}: there is no such variable, or it is no text");
        args.url = Some(std::env::var(variable).map_err(|_| Failure::new("mcp.address", why))?);
    }
    let name = match (&args.name, &args.url) {
        (Some(name), _) => mcp_server::checked_name(name)?,
        (None, Some(url)) => mcp_http::name_of(url)?,
        (None, None) => mcp_server::name_of(&args.command)?,
    };
    if args.url.is_some() && args.sandbox {
        return Err(Failure::new(
            "mcp.options",
            "--sandbox bounds a server that is started here, not one at an address",
        ));
    }
    if args.url.is_none() && args.upstream.is_given() {
        let why = "--header-from, --bearer-from, --any-key, --plain-http and --sse are about a server at an address: give its URL";
        return Err(Failure::new("mcp.options", why));
    }
    if args.bounds.is_given() && !args.sandbox {
        let why = "--env, --read and --allow bound a server in the sandbox: give --sandbox too";
        return Err(Failure::new("mcp.options", why));
    }
    // One client's calls come one after the other: threads would only wake each other.
    if args.listen.is_none() { block_on_one_thread(relay(args, name))? } else { block_on(relay(args, name))? }
}

async fn relay(args: Args, name: String) -> Result<ExitCode, Failure> {
    let roots = args.roots.iter().map(|root| absolute(root)).collect::<Result<Vec<_>, Failure>>()?;
    let key = args.url.as_ref().and_then(|url| args.upstream.key_of(url));
    let identity = match &args.url {
        Some(url) => Identity::Address(url.clone(), key.clone()),
        None => Identity::Command(mcp_server::identity_of(&args.command)),
    };
    let command = if args.sandbox {
        let state = std::path::absolute(args.state.folder())?;
        mcp_sandbox::command(&args.bounds, &roots, &state, &args.command)?
    } else {
        args.command.clone()
    };
    // A server on pipes starts while its gate opens. It hears nothing before the gate is there.
    let started =
        if args.url.is_none() && args.listen.is_none() { Some(Started::of(&command)?) } else { None };
    let (keeper, relay) = open(&args, &name, identity, &roots).await?;
    let reached = args.url.as_deref().map_or(Reached::Command(&args.command), Reached::Address);
    // Settings that can't be read deny each call, and say so there.
    if let Ok(settings) = args.state.settings() {
        first_meeting::meet(&args.state.folder(), &settings, &name, &reached);
    }
    let code = match (&args.url, args.listen) {
        (None, None) => pipes(&relay, started, &name).await?,
        (Some(url), None) => mcp_http::bridge(&relay, url, &args.upstream, key, &name).await?,
        (url, Some(address)) => {
            let behind = match url {
                Some(url) => mcp_http::Behind::Address(url.clone(), args.upstream.clone(), key),
                None => mcp_http::Behind::Command(command),
            };
            let served = mcp_http::Served { path: "/mcp".to_owned(), name, relay, behind };
            mcp_http::listen(address, vec![served]).await?
        }
    };
    keeper.close().await;
    // A reading thread of standard input can't be ended: the process is.
    std::process::exit(code)
}

/// The gate of one server.
async fn open(
    args: &Args,
    name: &str,
    identity: Identity,
    roots: &[String],
) -> Result<(Arc<Gatekeeper>, Arc<Relay>), Failure> {
    let cwd = std::env::current_dir()?;
    let keeper = Arc::new(Gatekeeper::open(&args.state, name, identity, cwd, roots.to_vec()).await?);
    let options = Options { server: name.to_owned(), wait: Duration::from_secs(args.wait), list: LIST };
    let relay = Relay::new(Arc::clone(&keeper) as Arc<_>, options);
    Ok((keeper, relay))
}

/// Several servers behind one port, each at a path of its own with pins, rules and sessions of its own.
async fn several(args: Args) -> Result<ExitCode, Failure> {
    let roots = args.roots.iter().map(|root| absolute(root)).collect::<Result<Vec<_>, Failure>>()?;
    let (mut keepers, mut all) = (Vec::new(), Vec::new());
    for given in &args.servers {
        let wrong =
            || Failure::new("mcp.server", format!("--server {given}: write NAME=URL or NAME=COMMAND"));
        let (name, server) = given.split_once('=').ok_or_else(wrong)?;
        let name = mcp_server::checked_name(name)?;
        let path = format!("/mcp/{name}");
        if all.iter().any(|one: &mcp_http::Served| one.path == path) {
            return Err(Failure::new("mcp.server", format!("two servers are named {name}")));
        }
        let (identity, behind) = if server.contains("://") {
            let key = args.upstream.key_of(server);
            let identity = Identity::Address(server.to_owned(), key.clone());
            (identity, mcp_http::Behind::Address(server.to_owned(), args.upstream.clone(), key))
        } else {
            let command: Vec<String> = server.split_whitespace().map(str::to_owned).collect();
            (Identity::Command(mcp_server::identity_of(&command)), mcp_http::Behind::Command(command))
        };
        let (keeper, relay) = open(&args, &name, identity, &roots).await?;
        keepers.push(keeper);
        all.push(mcp_http::Served { path, name, relay, behind });
    }
    if args.upstream.is_given() && args.servers.iter().filter(|given| given.contains("://")).count() > 1 {
        // A header that is meant for one server would go to the others too.
        let why = "--header-from, --plain-http and --sse are about one server; start the others by gateways of \
            their own";
        return Err(Failure::new("mcp.options", why));
    }
    let Some(address) = args.listen else {
        return Err(Failure::new("mcp.options", "--server takes --listen"));
    };
    let code = mcp_http::listen(address, all).await?;
    for keeper in keepers {
        keeper.close().await;
    }
    std::process::exit(code)
}

/// A client and a server on pipes.
async fn pipes(relay: &Arc<Relay>, started: Option<Started>, name: &str) -> Result<i32, Failure> {
    let mut server = started.ok_or_else(|| Failure::new("mcp.command", "no server was started"))?;
    let (input, output) = server.pipes()?;
    let pipes = Pipes::new(mcp_stdio::output(), input);
    let ended = tokio::select! {
        ended = relay.run(pipes, mcp_stdio::input(), output) => ended?,
        () = serve::ended() => Side::Client,
    };
    let status = server.end(ended == Side::Client).await;
    if ended == Side::Server {
        anstream::eprintln!("doorward: the MCP server `{name}` ended before its client ({status})");
        return Ok(1);
    }
    Ok(0)
}

fn absolute(root: &str) -> Result<String, Failure> {
    let (access, path) = match root.split_once(':') {
        Some((access @ ("ro" | "deny"), path)) => (format!("{access}:"), path),
        _ => (String::new(), root),
    };
    let path = std::path::absolute(PathBuf::from(path))?;
    Ok(format!("{access}{}", path.display()))
}
