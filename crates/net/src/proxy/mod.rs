//! The egress proxy: the only way out for a tool's process.
//!
//! It listens on loopback and on a Unix socket of mode 0600, and speaks HTTP and SOCKS5 on the same port
//! (distinguished by the first byte). It identifies every caller by a session token, and permits what the session's
//! [`EgressRules`] and the [`crate::Guard`] permit. Names are resolved here, outside the sandbox. In a network
//! namespace whose only way out is the socket, traffic that bypasses the proxy reaches nothing.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use doorward_core::id::SessionId;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, timeout_at};

use crate::config::ConfigError;
use crate::live::LiveGuard;
use crate::resolve::{Resolver, SystemResolver};

mod access;
mod body;
mod credential;
mod environment;
#[doc(hidden)]
#[allow(clippy::panic)]
pub mod fuzz;
mod head;
mod hello;
mod http;
#[cfg(feature = "intercept")]
mod intercept;
pub mod record;
mod reply;
pub mod rules;
pub mod session;
mod socks;
mod tunnel;
mod upstream;
mod wire;

#[cfg(feature = "intercept")]
pub use credential::Credential;
#[cfg(feature = "intercept")]
pub use intercept::Interceptor;
pub use record::{AccessLog, AccessRecord, AskAnswer, AskEgress, ConfirmEgress, Metrics};
pub use rules::EgressRules;

pub use crate::egress::{EgressConfig, Mode};
pub use session::{ProxyToken, SessionSpec};

use session::{OpenSession, OpenSessions};
use wire::{ByteStream, Wire};

/// Limits of a connection.
#[derive(Debug, Clone)]
pub struct ProxyLimits {
    /// Bytes of a head.
    pub head: usize,
    /// Time for a whole head.
    pub head_time: Duration,
    /// Time for a ClientHello.
    pub hello_time: Duration,
    /// Time to connect.
    pub connect: Duration,
    /// Time without a byte in either direction.
    pub idle: Duration,
    /// Time for a whole access.
    pub total: Duration,
    /// Time for a person to answer.
    pub ask: Duration,
    /// Concurrent connections, of all sessions together.
    pub connections: usize,
}

impl Default for ProxyLimits {
    fn default() -> Self {
        Self {
            head: 64 << 10,
            head_time: Duration::from_secs(15),
            hello_time: Duration::from_secs(5),
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            total: Duration::from_secs(6 * 3600),
            ask: Duration::from_secs(300),
            connections: 4096,
        }
    }
}

/// Where to listen.
#[derive(Debug, Clone, Default)]
pub struct ListenOptions {
    /// TCP address; port 0 for any.
    pub tcp: Option<SocketAddr>,
    /// Unix socket.
    pub unix: Option<PathBuf>,
    /// Allow listening beyond loopback. Every connection still needs a token.
    pub dangerously_allow_non_loopback: bool,
}

/// The proxy. Clones share everything.
#[derive(Clone)]
pub struct EgressProxy {
    shared: Arc<SharedProxy>,
}

pub(crate) struct SharedProxy {
    guard: Arc<LiveGuard>,
    rules: ArcSwap<EgressRules>,
    resolver: Arc<dyn Resolver>,
    log: Arc<dyn AccessLog>,
    confirm: Arc<dyn ConfirmEgress>,
    limits: ProxyLimits,
    sessions: OpenSessions,
    metrics: Arc<Metrics>,
    /// Hosts and ports that a person permitted permanently, until the rules include them.
    always: Mutex<Vec<(String, u16)>>,
    /// Limits records of clients without a token.
    strangers: access::OnceASecond,
    #[cfg(feature = "intercept")]
    intercept: Option<Arc<Interceptor>>,
}

/// Components of a proxy.
pub struct ProxyParts {
    /// Names, ports and addresses.
    pub guard: Arc<LiveGuard>,
    /// Rules of sessions without rules of their own.
    pub rules: EgressRules,
    /// Resolves names.
    pub resolver: Arc<dyn Resolver>,
    /// Keeps access records.
    pub log: Arc<dyn AccessLog>,
    /// Asks people.
    pub confirm: Arc<dyn ConfirmEgress>,
    /// Limits.
    pub limits: ProxyLimits,
    /// Inserts credentials in requests to the hosts they are bound to.
    #[cfg(feature = "intercept")]
    pub intercept: Option<Arc<Interceptor>>,
}

impl ProxyParts {
    /// Uses the system's resolver, no log, and nobody to ask.
    #[must_use]
    pub fn new(guard: Arc<LiveGuard>, rules: EgressRules) -> Self {
        Self {
            guard,
            rules,
            resolver: Arc::new(SystemResolver::default()),
            log: Arc::new(record::NoLog),
            confirm: Arc::new(record::NobodyToAsk),
            limits: ProxyLimits::default(),
            #[cfg(feature = "intercept")]
            intercept: None,
        }
    }
}

impl EgressProxy {
    /// A proxy that doesn't listen yet.
    #[must_use]
    pub fn new(parts: ProxyParts) -> Self {
        let shared = SharedProxy {
            guard: parts.guard,
            rules: ArcSwap::from_pointee(parts.rules),
            resolver: parts.resolver,
            log: parts.log,
            confirm: parts.confirm,
            limits: parts.limits,
            sessions: OpenSessions::default(),
            metrics: Arc::default(),
            always: Mutex::default(),
            strangers: access::OnceASecond::default(),
            #[cfg(feature = "intercept")]
            intercept: parts.intercept,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Opens a session. Its token ends with [`EgressProxy::close_session`], and so do its connections.
    ///
    /// # Errors
    /// If the id is empty, or there is no randomness.
    pub fn open_session(&self, spec: SessionSpec) -> io::Result<ProxyToken> {
        self.shared.sessions.open(spec)
    }

    /// Issues a token for one command of a session, for that command's process. Opens the session if necessary.
    ///
    /// # Errors
    /// If the id is empty, too many commands of the session have a token, or there is no randomness.
    pub fn join_session(&self, spec: SessionSpec, command_id: &str) -> io::Result<ProxyToken> {
        self.shared.sessions.join(spec, command_id)
    }

    /// As [`join_session`](Self::join_session), for a command that may reach only those of these hosts
    /// (`host[:port]`) that the rules permit.
    ///
    /// # Errors
    /// As there, or if a host can't be parsed.
    pub fn join_session_only(
        &self,
        spec: SessionSpec,
        command_id: &str,
        hosts: &[String],
    ) -> io::Result<ProxyToken> {
        self.shared.sessions.join_only(spec, command_id, hosts)
    }

    /// Revokes one token. Open tunnels stay until their session is closed.
    pub fn revoke(&self, token: &ProxyToken) {
        self.shared.sessions.revoke(token);
    }

    /// The ids of sessions that have had no token for `limit`: they can be closed without harm.
    #[must_use]
    pub fn idle_sessions(&self, limit: Duration) -> Vec<SessionId> {
        self.shared.sessions.idle(limit)
    }

    /// The specifications of the open sessions.
    #[must_use]
    pub fn sessions(&self) -> Vec<SessionSpec> {
        self.shared.sessions.specs()
    }

    /// Binds a credential to a session and returns the placeholder for the child's environment. Without
    /// [`ProxyParts::intercept`] the placeholder is never replaced, and refused wherever it appears.
    ///
    /// # Errors
    /// If there is no such session, or the credential can't be bound.
    #[cfg(feature = "intercept")]
    pub fn bind_credential(&self, session: &SessionId, credential: Credential) -> io::Result<String> {
        let session = self.shared.sessions.get(session.as_str()).ok_or(io::ErrorKind::NotFound)?;
        session.vault.bind(credential)
    }

    /// Closes a session.
    pub fn close_session(&self, id: &SessionId) {
        self.shared.sessions.close(id.as_str());
    }

    /// Replaces the rules; if the new ones don't parse, the previous ones stay in force.
    pub fn replace_rules(&self, config: &EgressConfig) -> Result<(), ConfigError> {
        self.shared.rules.store(Arc::new(EgressRules::new(config)?));
        Ok(())
    }

    /// The counters.
    #[must_use]
    pub fn metrics(&self) -> Arc<Metrics> {
        self.shared.metrics.clone()
    }

    /// Starts to listen. The listeners, and every connection through them, end with the returned value.
    ///
    /// # Errors
    /// If a socket can't be bound, or lies beyond loopback without permission.
    pub async fn listen(&self, options: ListenOptions) -> io::Result<Listening> {
        let slots = Arc::new(Semaphore::new(self.shared.limits.connections));
        let mut listening = Listening { tcp: None, unix: None, tasks: vec![] };
        if let Some(address) = options.tcp {
            if !address.ip().is_loopback() && !options.dangerously_allow_non_loopback {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the proxy listens on loopback only",
                ));
            }
            let listener = TcpListener::bind(address).await?;
            let bound = listener.local_addr()?;
            self.shared.guard.close_listener(bound);
            listening.tcp = Some(bound);
            let (shared, slots) = (self.shared.clone(), slots.clone());
            let accept = async move || {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Ok(stream)
            };
            listening.tasks.push(tokio::spawn(accept_loop(shared, slots, accept)).abort_handle());
        }
        if let Some(path) = options.unix {
            let listener = bind_private(&path)?;
            listening.unix = Some(path);
            let (shared, slots) = (self.shared.clone(), slots);
            let accept = async move || Ok(listener.accept().await?.0);
            listening.tasks.push(tokio::spawn(accept_loop(shared, slots, accept)).abort_handle());
        }
        Ok(listening)
    }
}

impl SharedProxy {
    fn rules_of(&self, session: &OpenSession) -> Arc<EgressRules> {
        session.spec.rules.clone().unwrap_or_else(|| self.rules.load_full())
    }

    fn is_always_permitted(&self, host: &str, port: u16) -> bool {
        let always = self.always.lock().unwrap_or_else(PoisonError::into_inner);
        always.iter().any(|(own, at)| own == host && *at == port)
    }

    fn permit_always(&self, host: &str, port: u16) {
        self.always.lock().unwrap_or_else(PoisonError::into_inner).push((host.to_owned(), port));
    }

    async fn serve<S: ByteStream>(&self, stream: S) {
        let mut wire = Wire::new(stream);
        let deadline = Instant::now() + self.limits.head_time;
        if !matches!(timeout_at(deadline, wire.fill()).await, Ok(Ok(1..))) {
            return;
        }
        match wire.buffered().first() {
            Some(5) => self.serve_socks(wire).await,
            _ => self.serve_http(wire).await,
        }
    }
}

/// Listening sockets. Dropping this closes them and their connections.
#[derive(Debug)]
pub struct Listening {
    /// The TCP address.
    pub tcp: Option<SocketAddr>,
    /// The Unix socket.
    pub unix: Option<PathBuf>,
    tasks: Vec<AbortHandle>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        if let Some(path) = &self.unix {
            // An error means that it is already gone.
            let _ = std::fs::remove_file(path);
        }
    }
}

async fn accept_loop<S, A>(shared: Arc<SharedProxy>, slots: Arc<Semaphore>, mut accept: A)
where
    S: ByteStream + 'static,
    A: AsyncFnMut() -> io::Result<S>,
{
    let mut connections = JoinSet::new();
    loop {
        let Ok(slot) = slots.clone().acquire_owned().await else { return };
        let stream = loop {
            tokio::select! {
                accepted = accept() => match accepted {
                    Ok(stream) => break stream,
                    // Out of descriptors, or the peer disconnected: the next accept may work.
                    Err(_) => sleep(Duration::from_millis(20)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        };
        let shared = shared.clone();
        connections.spawn(async move {
            shared.metrics.connections.fetch_add(1, Relaxed);
            shared.serve(stream).await;
            shared.metrics.connections.fetch_sub(1, Relaxed);
            drop(slot);
        });
    }
}

/// Binds a socket without a moment in which others could open it: created in a folder of mode 0700, then moved.
fn bind_private(path: &Path) -> io::Result<UnixListener> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let suffix: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = parent.join(format!(".{suffix}"));
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let inner = folder.join("s");
    let bound = UnixListener::bind(&inner).and_then(|listener| {
        std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&inner, path)?;
        Ok(listener)
    });
    let _ = std::fs::remove_file(&inner);
    std::fs::remove_dir(&folder)?;
    bound
}
