//! Opening both doors and closing them in order.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward::{Broker, Door, served};
use tokio::net::{TcpListener, UnixListener};

use crate::agents;
use crate::api::{self, Service};
use crate::connections::{self, LOCAL, PORT, Socket};
use crate::tls::{Secured, Tls};

/// Where the service listens.
#[derive(Debug, Clone)]
pub struct Options {
    /// Path of the Unix socket. Everybody may connect where the service serves another user; who it is, the kernel
    /// tells.
    pub socket: PathBuf,
    /// Folder of the sockets that agents inside our sandbox reach; `None` where none run as the service's own user.
    pub agents: Option<PathBuf>,
    /// Which loopback port to listen on.
    pub port: Port,
    /// TLS on the port; without it, plain HTTP on loopback.
    pub tls: Option<Tls>,
}

/// The loopback port of the HTTP API. Hooks never need it: they use the Unix socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// No port: the Unix socket only.
    Off,
    /// This port, because a person named it; 0 for any free one. It is an error if the port is taken.
    Exactly(u16),
    /// This port, or any free one if it is taken.
    Preferably(u16),
}

/// Why the service can't listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another service answers on the socket.
    #[error("service.running: another Doorward service already listens on {0}; `doorward status` shows it")]
    Running(PathBuf),
    /// The socket or port can't be opened.
    #[error("service.listen: {what}: {source}")]
    Listen {
        /// Which.
        what: String,
        /// Why.
        source: io::Error,
    },
}

/// Serves until `stop` resolves. Tells the bound loopback address through `ready`.
///
/// # Errors
/// [`ListenError`].
pub async fn serve(
    door: Arc<Door>,
    options: Options,
    ready: impl FnOnce(Option<SocketAddr>),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ListenError> {
    let broker = door.approvals().broker().cloned();
    let config = options.tls.as_ref().map(Tls::config).transpose()?;
    connections::raise_file_limit();
    let (stopping, closing) = tokio::sync::watch::channel(false);
    // Whoever finds the service's socket may start an agent inside our sandbox, which needs these at once.
    let agents = match &options.agents {
        Some(state) => Some(agents::open(&door, state, stopping.subscribe())?),
        None => None,
    };
    let unix = bind_unix(&options.socket)?;
    let (tcp, differs) = bind_port(options.port).await?;
    if let Some(why) = differs {
        tracing::warn!("{why}");
        door.approvals().attendance().port_differs(why);
    }
    let address = tcp.as_ref().and_then(|tcp| tcp.local_addr().ok());
    if let Some(address) = address {
        door.add_port(address.port());
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        door.approvals().attendance().console_at(format!("{scheme}://{address}"));
    }
    let secure = config.is_some();
    let service = Arc::new(Service::new(Arc::clone(&door), broker.clone(), address, secure, closing));
    let lapses = tokio::spawn(lapses(Arc::clone(&door), broker.clone()));
    let hooks = tokio::spawn(crate::webhook::run(Arc::clone(&service)));
    let told = tokio::spawn(crate::notices::run(Arc::clone(&service), door.approvals().notices().listen()));
    let failures = tokio::spawn(crate::failures::tell(Arc::clone(&service)));
    ready(address);

    let local = tokio::spawn(connections::serve(unix, api::router(&service), LOCAL, stopping.subscribe()));
    let failed = |source| ListenError::Listen { what: "TLS".to_owned(), source };
    let app = api::router(&service);
    let remote = match (tcp, config) {
        (Some(tcp), Some(config)) => {
            let secured = Secured::new(tcp, config).map_err(failed)?;
            Some(tokio::spawn(connections::serve(secured, app, PORT, stopping.subscribe())))
        }
        (Some(tcp), None) => Some(tokio::spawn(connections::serve(tcp, app, PORT, stopping.subscribe()))),
        (None, _) => None,
    };
    stop.await;
    // No new calls, then the outcomes that are still owed, then the ledger.
    let _ = stopping.send(true);
    let grace = std::time::Duration::from_secs(3);
    let _ = tokio::time::timeout(grace, local).await;
    if let Some(remote) = remote {
        let _ = tokio::time::timeout(grace, remote).await;
    }
    drop(agents);
    let _ = tokio::time::timeout(grace, failures).await;
    hooks.abort();
    told.abort();
    lapses.abort();
    let _ = std::fs::remove_file(&options.socket);
    door.close().await;
    // Moves what SQLite's write-ahead log holds into the database file, so that the file alone is complete.
    if let Some(broker) = broker {
        broker.store().close().await;
    }
    Ok(())
}

/// Records the lapse of questions that nobody answered and of permits that nobody spoke about.
async fn lapses(door: Arc<Door>, broker: Option<Arc<Broker>>) {
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        if let Some(broker) = &broker
            && let Err(error) = broker.sweep().await
        {
            tracing::error!("{error}");
        }
        if let Some(records) = door.records() {
            records.sweep().await;
        }
    }
}

pub(crate) fn bind_unix(socket: &Path) -> Result<Socket, ListenError> {
    let failed = |source| ListenError::Listen { what: socket.display().to_string(), source };
    if std::os::unix::net::UnixStream::connect(socket).is_ok() {
        return Err(ListenError::Running(socket.to_owned()));
    }
    // Nobody answers: a socket left by a service that was killed.
    match std::fs::remove_file(socket) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    // Bound under another name and renamed when its mode is right, so that it is never open to others.
    let fresh = socket.with_extension("new");
    let _ = std::fs::remove_file(&fresh);
    let listener = UnixListener::bind(&fresh).map_err(failed)?;
    let mode = if served::is_another() { 0o666 } else { 0o600 };
    std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    // Its identity before anybody can reach it, and remove it.
    let bound = Socket::new(socket, listener, &fresh);
    std::fs::rename(&fresh, socket).map_err(failed)?;
    Ok(bound)
}

/// The listener, and why it isn't the one that was wanted.
async fn bind_port(port: Port) -> Result<(Option<TcpListener>, Option<String>), ListenError> {
    match port {
        Port::Off => Ok((None, None)),
        Port::Exactly(port) => Ok((Some(bind_tcp(port).await?), None)),
        Port::Preferably(port) => match bind_tcp(port).await {
            Ok(listener) => Ok((Some(listener), None)),
            Err(taken) => {
                // Somebody else on this machine may hold the port, another user's Doorward for one. The hooks of
                // coding agents don't need it, so their service must not stop here.
                let listener = bind_tcp(0).await.ok();
                let instead = listener.as_ref().and_then(|listener| listener.local_addr().ok());
                let taken = match &taken {
                    ListenError::Listen { what, source } if source.kind() == io::ErrorKind::AddrInUse => {
                        format!("another program has {what}")
                    }
                    other => other.to_string(),
                };
                let why = match instead {
                    Some(address) => {
                        format!(
                            "{taken}; the console and the HTTP API are at {address} instead (service.listen)"
                        )
                    }
                    None => format!("{taken}; the console and the HTTP API stay off (service.listen)"),
                };
                Ok((listener, Some(why)))
            }
        },
    }
}

async fn bind_tcp(port: u16) -> Result<TcpListener, ListenError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address)
        .await
        .map_err(|source| ListenError::Listen { what: address.to_string(), source })
}
