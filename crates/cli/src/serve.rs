//! `doorward serve`: the service.

use std::path::PathBuf;
use std::process::ExitCode;

use doorward::{Door, Options};
use doorward_hooks::thin::{SOCKET, default_state, system_folder};
use doorward_server::Port;

use crate::demo;
use crate::output::Failure;
use crate::runtime::block_on;

/// Name of the egress proxy's socket in the state directory.
pub(crate) const EGRESS_SOCKET: &str = "egress.sock";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// State directory: socket, ledger, store
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Serve another user, by name or number, as a user of its own (posture `separate`; docs/separate.md)
    #[arg(long = "for", value_name = "USER")]
    user: Option<String>,
    /// Path of the socket; with --for it is /run/doorward/UID/doorward.sock
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Loopback port of the HTTP API; 0 for any free one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Play a bundled agent session through the gate in a temporary state directory, then stay up
    #[arg(long, conflicts_with_all = ["state", "user", "socket"])]
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
    let served = args.user.as_deref().map(serve_for).transpose()?;
    let state = match (args.state, served) {
        (Some(state), _) => state,
        (None, None) => default_state(),
        (None, Some(_)) => {
            return Err(Failure::new(
                "serve.state",
                "--for needs --state DIR: a folder of the service's own user",
            ));
        }
    };
    let state = std::path::absolute(&state)?;
    let socket = match (args.socket, served) {
        (Some(socket), _) => std::path::absolute(&socket)?,
        (None, Some(uid)) => system_folder(uid).join(SOCKET),
        (None, None) => state.join(SOCKET),
    };
    block_on(async move {
        let egress = state.join(EGRESS_SOCKET);
        let options =
            Options { socket: Some(socket.clone()), egress: Some(egress), ..Options::usual(&state) };
        let door = Door::open_service(&state, options).await?;
        let egress = door.custody().egress().cloned();
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
        let agents = served.is_none().then(|| state.clone());
        let options = doorward_server::Options { socket: socket.clone(), agents, port, tls };
        let ready = |address: Option<std::net::SocketAddr>| {
            tracing::info!("state in {}", state.display());
            let on = address.map_or_else(String::new, |address| format!("{scheme}://{address} and "));
            tracing::info!("listening on {on}{}", socket.display());
            if let Some(egress) = &egress {
                let proxy = egress.tcp().map_or_else(String::new, |address| format!("{address} and "));
                tracing::info!("egress proxy on {proxy}{}", egress.socket().display());
            }
            if address.is_some() {
                tracing::info!("open the console: doorward console --state {}", state.display());
            }
        };
        doorward_server::serve(door, options, ready, ended()).await?;
        Ok::<_, Failure>(())
    })??;
    Ok(ExitCode::SUCCESS)
}

/// Serves the user of this name or number.
fn serve_for(user: &str) -> Result<u32, Failure> {
    let found = match user.parse::<u32>() {
        Ok(uid) => nix::unistd::User::from_uid(uid.into()),
        Err(_) => nix::unistd::User::from_name(user),
    };
    let unknown = || Failure::new("serve.user", format!("there is no user {user} on this machine"));
    let uid = found.ok().flatten().ok_or_else(unknown)?.uid.as_raw();
    if uid == doorward::served::own_uid() {
        let why = "--for names another user than the service's own: run it as a user of its own";
        return Err(Failure::new("serve.user", why));
    }
    doorward::served::serve_for(uid).map_err(|_| unknown())?;
    Ok(uid)
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
