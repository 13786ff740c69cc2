//! `doorward net check`, `doorward fetch`, `doorward proxy`: the network door by hand.

use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;
use doorward_net::proxy::{EgressConfig, EgressProxy, EgressRules, ListenOptions, ProxyParts, SessionSpec};
use doorward_net::{FetchError, FetchRequest, GuardedClient, LiveGuard};
use serde_json::json;

use crate::output::{Failure, exit, json_line};
use crate::runtime::block_on;
use crate::serve::ended;
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Whether a URL may be reached
    Check {
        /// The URL
        #[arg(required_unless_present = "batch")]
        url: Option<String>,
        /// Rows on standard input, one answer a line; no name is ever looked up
        #[arg(long)]
        batch: bool,
        /// One line of JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        state: StateOption,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fetch {
    /// The URL
    url: String,
    /// Method
    #[arg(short = 'X', long, default_value = "GET")]
    method: String,
    /// Header, `Name: value`
    #[arg(short = 'H', long = "header", value_name = "HEADER")]
    headers: Vec<String>,
    /// Body
    #[arg(short, long)]
    data: Option<String>,
    /// Write the body here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show status and headers
    #[arg(short, long)]
    include: bool,
    #[command(flatten)]
    state: StateOption,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Proxy {
    /// Loopback port; 0 for any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Unix socket, made with mode 0600
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,
    /// What may be reached: `host[:port][=cidr]`; without any, what `[egress]` of the settings says
    #[arg(long, value_name = "HOST")]
    allow: Vec<String>,
    /// What may not be reached, whatever else is permitted
    #[arg(long, value_name = "HOST")]
    deny: Vec<String>,
    /// Name of the session the printed token is for
    #[arg(long, default_value = "cli")]
    session: String,
    #[command(flatten)]
    state: StateOption,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        What::Check { batch: true, .. } => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            for line in std::io::stdin().lock().split(b'\n') {
                let line = line?;
                if !line.iter().all(u8::is_ascii_whitespace) {
                    writeln!(out, "{}", doorward_net::batch_line(&String::from_utf8_lossy(&line)))?;
                }
            }
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        What::Check { url, json, state, .. } => check(&url.unwrap_or_default(), json, &state),
    }
}

fn check(url: &str, as_json: bool, state: &StateOption) -> Result<ExitCode, Failure> {
    let client = GuardedClient::new(guard(state)?)?;
    let checked = block_on(client.check(url))?;
    let (allowed, code, message) = match &checked {
        Ok(target) => (true, String::new(), format!("{} may be reached", target.host_header())),
        Err(refusal) => (false, refusal.public_code(), refusal.to_string()),
    };
    if as_json {
        json_line(&json!({"url": url, "allowed": allowed, "code": code, "message": message}))?;
    } else {
        let word = if allowed { "\u{1b}[32mAllow\u{1b}[0m" } else { "\u{1b}[31mDeny\u{1b}[0m" };
        anstream::println!("{word}  {message}");
    }
    Ok(ExitCode::from(if allowed { exit::ALLOW } else { exit::DENY }))
}

pub(crate) fn fetch(args: Fetch) -> Result<ExitCode, Failure> {
    let client = GuardedClient::new(guard(&args.state)?)?;
    let mut headers = Vec::new();
    for header in &args.headers {
        let (name, value) = header.split_once(':').ok_or_else(|| {
            Failure::new("fetch.header", format!("{header:?} is no header: write Name: value"))
        })?;
        headers.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    let body = args.data.map(String::into_bytes).unwrap_or_default();
    let request = FetchRequest { method: args.method, url: args.url, headers, body };
    match block_on(client.fetch(request))? {
        Ok(response) => {
            let mut out = std::io::stdout().lock();
            if args.include {
                writeln!(out, "{} {}", response.status, response.url)?;
                for (name, value) in &response.headers {
                    writeln!(out, "{name}: {value}")?;
                }
                writeln!(out)?;
            }
            match &args.output {
                Some(file) => std::fs::write(file, &response.body)?,
                None => out.write_all(&response.body)?,
            }
            Ok(ExitCode::from(u8::from(response.status >= 400)))
        }
        Err(error @ FetchError::Refused { .. }) => {
            anstream::eprintln!("\u{1b}[31mDeny\u{1b}[0m  {error}");
            Ok(ExitCode::from(exit::DENY))
        }
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn proxy(args: Proxy) -> Result<ExitCode, Failure> {
    let settings = args.state.settings()?;
    let mut config = match args.allow.as_slice() {
        [] => settings.egress,
        allow => EgressConfig { allow: allow.to_vec(), ..EgressConfig::default() },
    };
    config.deny.extend(args.deny);
    let rules = EgressRules::new(&config)?;
    let guard = Arc::new(LiveGuard::from_config(settings.net));
    block_on(async move {
        let proxy = EgressProxy::new(ProxyParts::new(guard, rules));
        let spec = SessionSpec { session: args.session.into(), agent: None, roles: Vec::new(), rules: None };
        let token = proxy.open_session(spec)?;
        let tcp = Some(std::net::SocketAddr::from((std::net::Ipv4Addr::LOCALHOST, args.port)));
        let listening =
            proxy.listen(ListenOptions { tcp, unix: args.socket, ..ListenOptions::default() }).await?;
        if let Some(address) = listening.tcp {
            anstream::println!("{}", token.url("http", "cli", &address.to_string()));
        }
        if let Some(socket) = &listening.unix {
            anstream::println!("{}", socket.display());
        }
        anstream::eprintln!("give it to a program as https_proxy and http_proxy; end with Ctrl-C");
        ended().await;
        drop(listening);
        Ok(ExitCode::SUCCESS)
    })?
}

fn guard(state: &StateOption) -> Result<Arc<LiveGuard>, Failure> {
    Ok(Arc::new(LiveGuard::from_config(state.settings()?.net)))
}
