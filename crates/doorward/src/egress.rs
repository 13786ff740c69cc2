//! The egress proxy of a door: the one way out for what a bound call runs.
//!
//! [`Egress::open`] starts it beside the door: rules from `[egress]`, names and addresses from `[net]`, every access in
//! the ledger before it is dialled, questions to the approver while the connection is held. [`Egress::way_out`] gives
//! one command its [`WayOut`]: a socket to relay to and the environment its programs need. A command's token ends when
//! its `WayOut` is dropped; a session's connections end when it is closed or stopped.
//!
//! ```no_run
//! # async fn example(door: std::sync::Arc<doorward::Door>) -> Result<(), Box<dyn std::error::Error>> {
//! use doorward::egress::{Egress, Errand};
//!
//! let egress = Egress::open(&door, "/run/doorward/egress.sock".into()).await?;
//! let way = egress.way_out(&Errand::new(&"session".into(), "command"))?;
//! // In a network namespace of its own, `127.0.0.1:3128` is joined to `way.socket()`.
//! let variables = way.environment("127.0.0.1:3128");
//! # Ok(()) }
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, AskOrigin, Binding, Reach, Warning};
use doorward_core::decision::Confirm;
use doorward_core::finding::Severity;
use doorward_core::id::{Digest, QuestionId, SessionId};
use doorward_core::json::{Object, Value};
use doorward_net::egress::{CredentialConfig, EgressConfig, Mode};
use doorward_net::proxy::record::Metrics;
use doorward_net::proxy::{
    AskAnswer, AskEgress, ConfirmEgress, Credential, EgressProxy, EgressRules, Interceptor, ListenOptions,
    Listening, ProxyLimits, ProxyParts, ProxyToken, SessionSpec,
};
use doorward_net::{Guard, GuardConfig, LiveGuard, Tls};
use jiff::{SignedDuration, Timestamp};

mod log;

use self::log::{IntoLedger, RefusedHosts};
use crate::Door;
use crate::placeholders::Placeholders;
use crate::projects::Projects;
use crate::stops::{self, Stops};

/// The tool that a question about an access is bound to.
pub const TOOL: &str = "net:connect";

/// Why there is no proxy.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// There is no record to write accesses into.
    #[error("egress.unrecorded: nothing is recorded here, so nothing may go out")]
    Unrecorded,
    /// A socket can't be had.
    #[error("egress.listen: {what}: {source}")]
    Listen {
        /// Which.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// The authority that opens TLS, or its bundle, can't be made.
    #[error("egress.intercept: {0}")]
    Intercept(io::Error),
    /// A credential can't be read or bound.
    #[error("egress.credential: {name}: {why}")]
    Credential {
        /// Its name.
        name: String,
        /// Why; never its value.
        why: String,
    },
}

/// The running proxy.
pub struct Egress {
    projects: Arc<Projects>,
    proxy: EgressProxy,
    guard: Arc<LiveGuard>,
    listening: Listening,
    socket: PathBuf,
    /// What the system trusts, and our own authority.
    ca_bundle: Option<PathBuf>,
    credentials: Vec<(String, Credential)>,
    placeholders: Arc<Placeholders>,
    /// Variables with placeholders, by session.
    bound: Mutex<HashMap<SessionId, Vec<(String, String)>>>,
    stops: Arc<Stops>,
    refused: Arc<RefusedHosts>,
    in_force: Mutex<(GuardConfig, EgressConfig)>,
}

/// What a way out is for.
#[derive(Debug, Clone, Default)]
pub struct Errand {
    /// Agent session.
    pub session: SessionId,
    /// The command: what its accesses are recorded under.
    pub command: String,
    /// Agent, if told.
    pub agent: Option<String>,
    /// Roles of the principal: rules may be limited to some.
    pub roles: Vec<String>,
    /// The project, which may tighten the rules. The first command of a session decides.
    pub root: Option<PathBuf>,
    /// The only hosts that the command may reach, of those that the rules permit. Absent: all of those.
    pub only: Option<Vec<String>>,
}

impl Errand {
    /// For a command of a session.
    #[must_use]
    pub fn new(session: &SessionId, command: &str) -> Self {
        Self { session: session.to_owned(), command: command.to_owned(), ..Self::default() }
    }
}

/// One command's way out. Its token ends when this is dropped.
pub struct WayOut {
    egress: Arc<Egress>,
    token: ProxyToken,
    command: String,
    variables: Vec<(String, String)>,
}

impl Egress {
    /// Starts the proxy that the user's settings ask for, with a Unix socket at `socket`. Settings that can't be
    /// read or compiled close it: everything is denied with `config_error`.
    ///
    /// # Errors
    /// [`EgressError`].
    pub async fn open(door: &Door, socket: PathBuf) -> Result<Arc<Self>, EgressError> {
        Self::over(door.projects(), socket).await
    }

    /// As [`Egress::open`], under other rules than the settings'.
    ///
    /// # Errors
    /// [`EgressError`].
    pub async fn open_with(
        door: &Door,
        net: GuardConfig,
        config: EgressConfig,
        socket: PathBuf,
    ) -> Result<Arc<Self>, EgressError> {
        Self::under(door.projects(), net, config, socket).await
    }

    /// As [`Egress::open`], for a door that is being put together.
    pub(crate) async fn over(projects: &Arc<Projects>, socket: PathBuf) -> Result<Arc<Self>, EgressError> {
        let settings = projects.get(None).settings().clone();
        let egress = Self::under(projects, settings.net, settings.egress, socket).await?;
        tokio::spawn(tended(Arc::downgrade(&egress)));
        Ok(egress)
    }

    async fn under(
        projects: &Arc<Projects>,
        net: GuardConfig,
        config: EgressConfig,
        socket: PathBuf,
    ) -> Result<Arc<Self>, EgressError> {
        let shared = projects.shared();
        let guard = Arc::new(LiveGuard::new(Guard::new(net.clone()).unwrap_or_else(Guard::closed)));
        let rules = EgressRules::new(&config).unwrap_or_else(EgressRules::closed);
        let interceptor = if config.intercept { Some(Arc::new(interceptor()?)) } else { None };
        let ca_bundle = match &interceptor {
            Some(interceptor) => Some(bundle(&socket, interceptor.ca_pem()).map_err(EgressError::Intercept)?),
            None => None,
        };
        let refused = Arc::<RefusedHosts>::default();
        let ledger = shared.records.as_ref().ok_or(EgressError::Unrecorded)?.ledger();
        let proxy = EgressProxy::new(ProxyParts {
            log: Arc::new(IntoLedger {
                ledger,
                sessions: Arc::clone(&shared.sessions),
                refused: Arc::clone(&refused),
            }),
            confirm: Arc::new(AskPeople { approver: Arc::clone(&shared.approver), wait: config.ask_s }),
            limits: ProxyLimits { ask: Duration::from_secs(config.ask_s), ..ProxyLimits::default() },
            intercept: interceptor,
            ..ProxyParts::new(Arc::clone(&guard), rules)
        });
        let failed = |source| EgressError::Listen { what: socket.display().to_string(), source };
        let tcp = config.tcp.then(|| SocketAddr::from((Ipv4Addr::LOCALHOST, config.port)));
        let options = ListenOptions { tcp, unix: Some(socket.clone()), ..ListenOptions::default() };
        let listening = proxy.listen(options).await.map_err(failed)?;
        let credentials = config
            .credentials
            .iter()
            .map(|(name, config)| credential(name, config))
            .collect::<Result<_, _>>()?;
        Ok(Arc::new(Self {
            projects: Arc::clone(projects),
            proxy,
            guard,
            listening,
            socket,
            ca_bundle,
            credentials,
            placeholders: Arc::clone(&shared.placeholders),
            bound: Mutex::default(),
            stops: Arc::clone(&shared.stops),
            refused,
            in_force: Mutex::new((net, config)),
        }))
    }

    /// A way out for one command.
    ///
    /// # Errors
    /// If the session is stopped, its id is empty, it has too many commands, or a credential can't be bound.
    pub fn way_out(self: &Arc<Self>, errand: &Errand) -> io::Result<WayOut> {
        if let Some(scope) = stopped(&self.stops, &errand.session, errand.agent.as_deref()) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!("kill_switch: {scope} is stopped"),
            ));
        }
        let spec = SessionSpec {
            session: errand.session.clone(),
            agent: errand.agent.clone(),
            roles: errand.roles.clone(),
            rules: self.rules_of(errand.root.as_deref()),
        };
        let token = match &errand.only {
            Some(hosts) => self.proxy.join_session_only(spec, &errand.command, hosts)?,
            None => self.proxy.join_session(spec, &errand.command)?,
        };
        let variables = self.bind(&errand.session)?;
        Ok(WayOut { egress: Arc::clone(self), token, command: errand.command.clone(), variables })
    }

    /// Ends a session: its tokens, its connections, its placeholders.
    pub fn close_session(&self, session: &SessionId) {
        self.proxy.close_session(session);
        for (_, placeholder) in lock(&self.bound).remove(session).unwrap_or_default() {
            self.placeholders.forget(&placeholder);
        }
    }

    /// Takes up changed settings and ends what was stopped. What doesn't compile leaves the last good rules in force.
    fn tend(&self) {
        for spec in self.proxy.sessions() {
            if stopped(&self.stops, &spec.session, spec.agent.as_deref()).is_some() {
                self.close_session(&spec.session);
            }
        }
        for session in self.proxy.idle_sessions(IDLE) {
            self.close_session(&session);
        }
        let project = self.projects.get(None);
        let settings = project.settings();
        let mut in_force = lock(&self.in_force);
        if in_force.0 == settings.net && in_force.1 == settings.egress {
            return;
        }
        let taken = self.guard.replace(settings.net.clone()).and(self.proxy.replace_rules(&settings.egress));
        match taken {
            Ok(()) => tracing::info!("the egress rules changed"),
            Err(error) => tracing::error!("the egress rules stay as they were: {error}"),
        }
        *in_force = (settings.net.clone(), settings.egress.clone());
    }

    /// The Unix socket, mode 0600.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The loopback address, where it listens on one.
    #[must_use]
    pub const fn tcp(&self) -> Option<SocketAddr> {
        self.listening.tcp
    }

    /// The certificates that children must trust, where TLS is opened towards bound hosts.
    #[must_use]
    pub fn ca_bundle(&self) -> Option<&Path> {
        self.ca_bundle.as_deref()
    }

    /// The counters.
    #[must_use]
    pub fn metrics(&self) -> Arc<Metrics> {
        self.proxy.metrics()
    }

    /// The hosts that commands of a project can reach; absent where the rules hold nothing back.
    #[must_use]
    pub fn hosts(&self, root: &Path) -> Option<BTreeSet<String>> {
        hosts_of(&self.projects.get(Some(root)).settings().egress)
    }

    /// A project's rules, where they differ from the user's.
    fn rules_of(&self, root: Option<&Path>) -> Option<Arc<EgressRules>> {
        let project = self.projects.get(Some(root?));
        let own = &project.settings().egress;
        if *own == lock(&self.in_force).1 {
            return None;
        }
        Some(Arc::new(EgressRules::new(own).unwrap_or_else(EgressRules::closed)))
    }

    /// The variables with the session's placeholders, which are drawn on its first command.
    fn bind(&self, session: &SessionId) -> io::Result<Vec<(String, String)>> {
        let mut bound = lock(&self.bound);
        if let Some(variables) = bound.get(session) {
            return Ok(variables.clone());
        }
        let mut variables = Vec::new();
        for (variable, credential) in &self.credentials {
            let placeholder = self.proxy.bind_credential(session, credential.clone())?;
            self.placeholders.know(&placeholder);
            variables.push((variable.clone(), placeholder));
        }
        bound.insert(session.to_owned(), variables.clone());
        Ok(variables)
    }
}

/// The hosts that egress rules permit or ask about, as they are written; absent where they hold nothing back.
#[must_use]
pub fn hosts_of(config: &EgressConfig) -> Option<BTreeSet<String>> {
    if config.mode != Mode::Enforce {
        return None;
    }
    let listed = config.allow.iter().chain(&config.ask).flat_map(|entries| entries.split(','));
    let ruled = config.rules.iter().map(|rule| rule.host.as_str());
    let written = listed.chain(ruled).map(|entry| entry.split('=').next().unwrap_or(entry));
    Some(written.map(|entry| entry.trim().to_owned()).collect())
}

/// Tends a proxy as long as it is there.
async fn tended(egress: Weak<Egress>) {
    loop {
        tokio::time::sleep(TEND_EVERY).await;
        let Some(egress) = egress.upgrade() else { return };
        egress.tend();
    }
}

const TEND_EVERY: Duration = Duration::from_millis(500);
/// How long a session without commands keeps its budgets, its yeses and its placeholders.
const IDLE: Duration = Duration::from_secs(24 * 3600);

impl Drop for Egress {
    fn drop(&mut self) {
        if let Some(bundle) = &self.ca_bundle {
            let _ = std::fs::remove_file(bundle);
        }
    }
}

impl WayOut {
    /// The Unix socket to relay to.
    #[must_use]
    pub fn socket(&self) -> &Path {
        self.egress.socket()
    }

    /// The loopback address, for a child that isn't in a network namespace.
    #[must_use]
    pub fn tcp(&self) -> Option<SocketAddr> {
        self.egress.tcp()
    }

    /// A file the child must be able to read, if any: the certificates its programs are pointed to.
    #[must_use]
    pub fn readable(&self) -> Option<&Path> {
        self.egress.ca_bundle()
    }

    /// Hosts (`host:port`) that the command was refused so far.
    #[must_use]
    pub fn refused(&self) -> Vec<String> {
        self.egress.refused.of(&self.command)
    }

    /// The child's variables for a proxy that it reaches at `authority` (`host:port`): the proxy's address with the
    /// command's token, and the placeholders of credentials.
    #[must_use]
    pub fn environment(&self, authority: &str) -> BTreeMap<String, String> {
        let proxy = self.token.environment("", authority, self.readable());
        let proxy = proxy.into_iter().map(|(name, value)| (name.to_owned(), value));
        let own = {
            let (net, config) = &*lock(&self.egress.in_force);
            own_loopback(net, config)
        };
        let direct = ["NO_PROXY", "no_proxy"].map(|name| (name.to_owned(), own.clone()));
        proxy.chain(direct).chain(self.variables.iter().cloned()).collect()
    }
}

impl Drop for WayOut {
    fn drop(&mut self) {
        self.egress.proxy.revoke(&self.token);
        self.egress.refused.forget(&self.command);
    }
}

/// The names of the run's own loopback interface, which need no proxy: its servers and their clients find each other.
/// Not those that the settings open on this machine's loopback: they are reached through the proxy.
fn own_loopback(net: &GuardConfig, config: &EgressConfig) -> String {
    let listed = net.allowed_hosts.iter().chain(&config.allow).chain(&config.ask);
    let ruled = config.rules.iter().map(|rule| rule.host.as_str());
    let written: Vec<&str> =
        listed.flat_map(|entries| entries.split(',')).chain(ruled).map(str::trim).collect();
    let opens = |entry: &str, name: &str| {
        let host = entry.split('=').next().unwrap_or(entry);
        let plain = host.trim_start_matches('[');
        let rest = plain.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ']', '/']))
            // A network of loopback addresses.
            || (name == "127.0.0.1" && plain.starts_with("127."))
    };
    let own = ["localhost", "127.0.0.1", "::1"].into_iter();
    own.filter(|name| !written.iter().any(|entry| opens(entry, name))).collect::<Vec<_>>().join(",")
}

/// Questions about accesses, put to the people who are asked about calls.
struct AskPeople {
    approver: Arc<dyn Approver>,
    /// Seconds until no answer is a no.
    wait: u64,
}

impl ConfirmEgress for AskPeople {
    fn ask<'a>(&'a self, question: &'a AskEgress) -> Boxed<'a, AskAnswer> {
        Box::pin(async move {
            let now = Timestamp::now();
            let wait = SignedDuration::from_secs(i64::try_from(self.wait).unwrap_or(i64::MAX));
            let expires = now.checked_add(wait).unwrap_or(Timestamp::MAX);
            let ask = ask(question, binding(question), expires);
            let level = ask.warning.level;
            // An earlier yes that reaches this far.
            if self.approver.redeem(&ask.binding, level, now).await.is_some() {
                return AskAnswer::Once;
            }
            if let Err(error) = self.approver.ask(&ask).await {
                tracing::warn!("nobody could be asked about {}: {error}", question.host);
                return AskAnswer::Denied;
            }
            match self.approver.wait(&ask.id, expires).await {
                Answer::Allowed { grant } => {
                    // Taken here, so that a yes for once isn't good for a second connection.
                    let taken = self.approver.redeem(&ask.binding, level, Timestamp::now()).await;
                    match (taken.is_some(), grant.reach) {
                        (false, _) => AskAnswer::Denied,
                        (true, Reach::Once) => AskAnswer::Once,
                        (true, Reach::Session) => AskAnswer::Session,
                        (true, Reach::Always) => AskAnswer::Always,
                    }
                }
                Answer::Denied { .. } | Answer::TimedOut | Answer::NoApprover | Answer::Error { .. } => {
                    AskAnswer::Denied
                }
            }
        })
    }
}

/// A yes is for this host and port in this session, whatever the method.
fn binding(question: &AskEgress) -> Binding {
    let what = format!("{}:{}", question.host, question.port);
    Binding {
        caller: question.agent.clone().unwrap_or_default(),
        session: question.agent_session.clone(),
        tool: TOOL.to_owned(),
        project: String::new(),
        cwd: String::new(),
        server: String::new(),
        args_digest: Digest::of(what.as_bytes()),
        // What is shown and what it would do are the same: this host and port are reached.
        effects_digest: Digest::of(what.as_bytes()),
        pin_digest: None,
        preview_digest: Digest::of(what.as_bytes()),
        policy_version: String::new(),
    }
}

fn ask(question: &AskEgress, binding: Binding, expires: Timestamp) -> Ask {
    let text = |value: &str| Value::from(value.to_owned());
    let args = Object::from([
        ("host".to_owned(), text(&question.host)),
        ("port".to_owned(), Value::from(i64::from(question.port))),
        ("method".to_owned(), text(&question.method)),
        ("command".to_owned(), text(&question.command_id)),
    ]);
    let reason = format!("a command wants to reach {}:{}", question.host, question.port);
    Ask {
        id: QuestionId::fresh(),
        decision: question.access.clone(),
        binding,
        confirm: Confirm {
            level: 1,
            phrase: None,
            groups: Vec::new(),
            policies: vec![format!("egress.ask {}", question.rule)],
            delegable: false,
            one_attempt: false,
        },
        warning: Warning { level: Severity::Medium, message: reason.clone() },
        args: Value::Object(args),
        reason,
        guardian: None,
        origin: AskOrigin::default(),
        expires,
    }
}

/// The scope that stops a session, if any does.
fn stopped(stops: &Stops, session: &SessionId, agent: Option<&str>) -> Option<String> {
    let all = stops.all();
    let own = [
        Some(stops::ALL.to_owned()),
        Some(format!("session:{session}")),
        agent.map(|name| format!("agent:{name}")),
    ];
    own.into_iter().flatten().find(|scope| all.contains_key(scope))
}

fn interceptor() -> Result<Interceptor, EgressError> {
    Tls::system().and_then(Interceptor::new).map_err(EgressError::Intercept)
}

/// Writes what the system trusts and our own authority beside the socket. Certificates are public; only the folder
/// keeps others from replacing the file.
fn bundle(socket: &Path, own: &str) -> io::Result<PathBuf> {
    let path = socket.with_extension("pem");
    let system =
        SYSTEM_BUNDLES.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o644).open(&path)?;
    io::Write::write_all(&mut file, format!("{system}\n{own}").as_bytes())?;
    Ok(path)
}

/// Where distributions keep the bundle of trusted authorities.
const SYSTEM_BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// A configured credential with its value, and the variable that its placeholder stands in.
/// Whether a credential says where its value is and who gets it.
pub(crate) fn readable(name: &str, config: &CredentialConfig) -> Result<(), EgressError> {
    let wrong = |why: &str| Err(EgressError::Credential { name: name.to_owned(), why: why.to_owned() });
    if config.file.is_some() == config.from_env.is_some() {
        return wrong("give one of file and from_env");
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if config.env.is_empty() || !config.env.bytes().all(plain) || config.hosts.is_empty() {
        return wrong("give env, the child's variable, and hosts");
    }
    Ok(())
}

fn credential(name: &str, config: &CredentialConfig) -> Result<(String, Credential), EgressError> {
    readable(name, config)?;
    let wrong = |why: &str| EgressError::Credential { name: name.to_owned(), why: why.to_owned() };
    let value = match (&config.file, &config.from_env) {
        (Some(file), None) => std::fs::read_to_string(file).map_err(|error| wrong(&error.to_string()))?,
        (None, Some(variable)) => std::env::var(variable).map_err(|_| wrong("its variable isn't set"))?,
        _ => return Err(wrong("give one of file and from_env")),
    };
    let value = value.trim().to_owned();
    let (hosts, headers) = (config.hosts.clone(), config.headers.clone());
    Ok((config.env.clone(), Credential { name: name.to_owned(), value, hosts, headers }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section leaves the value whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
