//! `doorward serve`: the service.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use doorward::{Egress, Options};
use doorward_hooks::thin::{SOCKET, default_state};
use doorward_server::Port;

use crate::demo;
use crate::output::Failure;
use crate::people;
use crate::runtime::block_on;

/// Name of the egress proxy's socket in the state directory.
pub(crate) const EGRESS_SOCKET: &str = "egress.sock";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory: socket, ledger, store
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Loopback port of the HTTP API; 0 for any free one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Play a bundled agent session through the gate, then stay up
    #[arg(long)]
    demo: bool,
    /// With --demo: end after the session instead of staying up
    #[arg(long, requires = "demo")]
    once: bool,
    /// Write the JSON schema of the API and exit
    #[arg(long, hide = true)]
    openapi: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new("info"))
        .with_writer(std::io::stderr)
        .without_time()
        .init();
    // A memory image would hold arguments and keys: nobody gets one.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    if args.demo {
        return block_on(demo::run(args.port, args.once))?;
    }
    let state = args.state.unwrap_or_else(default_state);
    let state = std::path::absolute(&state)?;
    block_on(async move {
        let (door, broker) = people::open(&state, Options::usual(&state)).await?;
        let egress = Egress::open(&door, state.join(EGRESS_SOCKET)).await?;
        door.set_egress(Arc::clone(&egress));
        // It stays up and denies every call until the files are mended; the person who started it should see why.
        if let Some(problem) = door.project(None).problem() {
            Failure::of_problem(problem).report();
        }
        // For whoever has to end exactly this service.
        std::fs::write(state.join("service.pid"), std::process::id().to_string())?;
        let service = door.settings().service;
        let port = match (args.port, service.http_port) {
            (Some(port), _) => Port::Exactly(port),
            (None, 0) => Port::Off,
            (None, port) => Port::Preferably(port),
        };
        let tls = match (service.tls_certificate, service.tls_key) {
            (Some(certificate), Some(key)) => {
                Some(doorward_server::Tls { certificate: certificate.into(), key: key.into() })
            }
            // The settings refuse one without the other.
            _ => None,
        };
        let scheme = if tls.is_some() { "https" } else { "http" };
        let options = doorward_server::Options { socket: state.join(SOCKET), port, tls };
        let ready = |address: Option<std::net::SocketAddr>| {
            tracing::info!("state in {}", state.display());
            if let Some(address) = address {
                tracing::info!("listening on {scheme}://{address} and {}", state.join(SOCKET).display());
                if let Some(proxy) = egress.tcp() {
                    tracing::info!("egress proxy on {proxy} and {}", egress.socket().display());
                }
                tracing::info!("open the console: doorward console --state {}", state.display());
            }
        };
        doorward_server::serve(door, Some(broker), options, ready, ended()).await?;
        Ok::<_, Failure>(())
    })??;
    Ok(ExitCode::SUCCESS)
}

/// Resolves on SIGTERM or an interrupt.
pub(crate) async fn ended() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
