//! Agent sessions, their tokens, and their use of budgets.
//!
//! A token is 128 random bits, of which only the digest is kept. A session may have several, each bound to one
//! command, so that a child's traffic is attributed to its real command, and not to one it names. A token ends when
//! it is revoked or its session is closed; closing the session also ends its tunnels.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward_core::id::SessionId;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::body::ByteDirection;
use super::credential::Vault;
use super::environment;
use super::record::Metrics;
use super::rules::{Budget, EgressRules};
use crate::code::Code;
use crate::config::{Entry, Grammar};
use crate::target::Target;

/// Specification of a session.
#[derive(Debug, Clone, Default)]
pub struct SessionSpec {
    /// Agent session id.
    pub session: SessionId,
    /// Agent, if known.
    pub agent: Option<String>,
    /// Roles of the principal: rules may be limited to some.
    pub roles: Vec<String>,
    /// Rules of its own instead of the proxy's.
    pub rules: Option<Arc<EgressRules>>,
}

/// A token for one session, or for one command of it. Printed only by [`ProxyToken::url`].
#[derive(Clone)]
pub struct ProxyToken {
    /// In its URL form.
    session: String,
    /// The only command it is for; any if `None`.
    command: Option<String>,
    token: String,
}

impl fmt::Debug for ProxyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProxyToken({})", self.session)
    }
}

impl ProxyToken {
    /// User name and password at the proxy. A token that is bound to a command ignores `command_id`.
    #[must_use]
    pub fn credentials(&self, command_id: &str) -> (String, String) {
        let command = self.command.clone().unwrap_or_else(|| command_key(command_id));
        (format!("{}.{command}", self.session), self.token.clone())
    }

    /// The proxy URL for one command's environment. `scheme` is `http` or `socks5h`.
    #[must_use]
    pub fn url(&self, scheme: &str, command_id: &str, authority: &str) -> String {
        let (user, password) = self.credentials(command_id);
        format!("{scheme}://{user}:{password}@{authority}")
    }

    /// Environment variables through which a child's programs find the proxy at `authority` and, if TLS is
    /// intercepted, accept `ca_bundle` in place of their own certificate bundle.
    #[must_use]
    pub fn environment(
        &self,
        command_id: &str,
        authority: &str,
        ca_bundle: Option<&Path>,
    ) -> Vec<(&'static str, String)> {
        let (user, password) = self.credentials(command_id);
        environment::of(&user, &password, authority, ca_bundle)
    }
}

/// An open session.
#[derive(Debug)]
pub(crate) struct OpenSession {
    pub(crate) spec: SessionSpec,
    tokens: RwLock<Vec<Issued>>,
    /// When a token was last issued or revoked.
    touched: Mutex<Instant>,
    used: Mutex<Used>,
    /// Hosts and ports a person permitted for the session.
    permitted: Mutex<Vec<(String, u16)>>,
    /// The only hosts of restricted commands, by recorded command id. Kept until the session ends, so that revoking
    /// a token doesn't lift the restriction from an open request.
    narrowed: Mutex<HashMap<String, Vec<Entry>>>,
    pub(crate) vault: Vault,
    /// One question at a time.
    pub(crate) asking: tokio::sync::Mutex<()>,
    closed: watch::Sender<bool>,
}

/// The stored part of a token.
#[derive(Debug)]
struct Issued {
    digest: [u8; 32],
    /// The command it is bound to: in its user-name form, and as recorded.
    command: Option<(String, String)>,
}

#[derive(Debug, Default)]
struct Used {
    total: Arc<Amounts>,
    hosts: HashMap<String, Arc<Amounts>>,
}

#[derive(Debug, Default)]
struct Amounts {
    requests: AtomicU64,
    tunnels: AtomicU64,
    up: AtomicU64,
    down: AtomicU64,
    /// When the next request, byte up and byte down would be due at a constant rate.
    due: Mutex<[Option<Instant>; 3]>,
}

/// Burst allowed above the constant rate.
const BURST: Duration = Duration::from_secs(1);

impl Amounts {
    /// Advances the due time by `count` at `rate` per second; returns how far it is then beyond the burst.
    fn ahead(&self, of: usize, count: u64, rate: u64) -> Duration {
        let now = Instant::now();
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(due) = due.get_mut(of) else { return Duration::ZERO };
        let nanos = u128::from(count) * 1_000_000_000 / u128::from(rate.max(1));
        let step = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX).min(3_600_000_000_000));
        let next = due.map_or(now, |due| due.max(now)) + step;
        let ahead = next.saturating_duration_since(now + BURST);
        // A refused request doesn't delay the next one.
        if of != REQUEST || ahead.is_zero() {
            *due = Some(next);
        }
        ahead
    }
}

const REQUEST: usize = 0;

impl OpenSession {
    pub(crate) fn is_permitted(&self, host: &str, port: u16) -> bool {
        let permitted = self.permitted.lock().unwrap_or_else(PoisonError::into_inner);
        permitted.iter().any(|(own, at)| own == host && *at == port)
    }

    pub(crate) fn permit(&self, host: &str, port: u16) {
        self.permitted.lock().unwrap_or_else(PoisonError::into_inner).push((host.to_owned(), port));
    }

    /// Restricts a command to some hosts, whatever else the rules permit.
    fn narrow(&self, command: &str, hosts: &[String]) -> io::Result<()> {
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        let entries = hosts.iter().map(|host| Entry::parse(host, Grammar::Egress)).collect::<Result<_, _>>();
        let entries = entries.map_err(invalid)?;
        self.narrowed.lock().unwrap_or_else(PoisonError::into_inner).insert(command.to_owned(), entries);
        Ok(())
    }

    /// Whether a command is restricted to other hosts than this.
    pub(crate) fn is_beyond(&self, command: &str, target: &Target) -> bool {
        let narrowed = self.narrowed.lock().unwrap_or_else(PoisonError::into_inner);
        let only = narrowed.get(command);
        only.is_some_and(|only| !only.iter().any(|entry| entry.matches(&target.host, target.port)))
    }

    fn issue(&self, command: Option<&str>) -> io::Result<ProxyToken> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let key = command.map(command_key);
        let issued = Issued {
            digest: Sha256::digest(token.as_bytes()).into(),
            command: key.clone().zip(command.map(str::to_owned)),
        };
        let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MOST_TOKENS {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "too many commands of one session"));
        }
        tokens.push(issued);
        self.touch();
        Ok(ProxyToken { session: session_key(self.spec.session.as_str()), command: key, token })
    }

    fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether there has been no token for `limit`.
    fn is_idle(&self, limit: Duration) -> bool {
        let without = self.tokens.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        without && self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= limit
    }

    /// Resolves when the session is closed.
    pub(crate) async fn ended(&self) {
        let mut closed = self.closed.subscribe();
        // An error means the sender is gone: closed as well.
        let _ = closed.wait_for(|closed| *closed).await;
    }

    /// Counts a request.
    ///
    /// # Errors
    /// `budget_exceeded` or `rate_limited`.
    pub(crate) fn spend(
        &self,
        rules: &EgressRules,
        host: &str,
        tunnel: bool,
        metrics: &Arc<Metrics>,
    ) -> Result<Meter, Code> {
        let of_host = rules.host_budget(host);
        let (total, host) = {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            let host = of_host.is_some().then(|| used.hosts.entry(host.to_owned()).or_default().clone());
            (used.total.clone(), host)
        };
        let mut accounts = vec![SessionBudget { amounts: total, budget: rules.budget().clone() }];
        if let (Some(amounts), Some(budget)) = (host, of_host) {
            accounts.push(SessionBudget { amounts, budget: budget.clone() });
        }
        // All accounts count it, even after one is used up, because the meter later reverts all of them.
        let admitted: Vec<Result<(), Code>> = accounts.iter().map(|account| account.admits(tunnel)).collect();
        if tunnel {
            metrics.tunnels.fetch_add(1, Relaxed);
        }
        let meter = Meter {
            accounts,
            tunnel,
            up: AtomicU64::new(0),
            down: AtomicU64::new(0),
            metrics: metrics.clone(),
        };
        admitted.into_iter().collect::<Result<(), Code>>().map(|()| meter)
    }
}

#[derive(Debug)]
struct SessionBudget {
    amounts: Arc<Amounts>,
    budget: Budget,
}

impl SessionBudget {
    /// Counts a request and, with `tunnel`, a tunnel. They stay counted even if a budget is used up.
    fn admits(&self, tunnel: bool) -> Result<(), Code> {
        let within = |count: u64, limit: Option<u64>| limit.is_none_or(|limit| count <= limit);
        let left =
            |amount: &AtomicU64, limit: Option<u64>| limit.is_none_or(|limit| amount.load(Relaxed) < limit);
        let requests = self.amounts.requests.fetch_add(1, Relaxed) + 1;
        let tunnels = self.amounts.tunnels.fetch_add(u64::from(tunnel), Relaxed) + u64::from(tunnel);
        let fits = within(requests, self.budget.requests)
            && within(tunnels, self.budget.tunnels)
            && left(&self.amounts.up, self.budget.bytes_up)
            && left(&self.amounts.down, self.budget.bytes_down);
        if !fits {
            return Err(Code::BudgetExceeded);
        }
        match self.budget.requests_per_s {
            Some(rate) if rate == 0 || !self.amounts.ahead(REQUEST, 1, rate).is_zero() => {
                Err(Code::RateLimited)
            }
            _ => Ok(()),
        }
    }

    fn takes(&self, way: ByteDirection, bytes: u64) -> bool {
        let (amount, limit) = match way {
            ByteDirection::Up => (&self.amounts.up, self.budget.bytes_up),
            ByteDirection::Down => (&self.amounts.down, self.budget.bytes_down),
        };
        let total = amount.fetch_add(bytes, Relaxed) + bytes;
        limit.is_none_or(|limit| total <= limit)
    }

    /// How long to wait after these bytes.
    fn pace(&self, way: ByteDirection, bytes: u64) -> Duration {
        let of = match way {
            ByteDirection::Up => 1,
            ByteDirection::Down => 2,
        };
        self.budget.bytes_per_s.map_or(Duration::ZERO, |rate| self.amounts.ahead(of, bytes, rate))
    }
}

/// Counts the bytes of one access against its budgets.
#[derive(Debug)]
pub(crate) struct Meter {
    accounts: Vec<SessionBudget>,
    tunnel: bool,
    up: AtomicU64,
    down: AtomicU64,
    metrics: Arc<Metrics>,
}

/// The error for a used-up budget.
pub(crate) const OVER_BUDGET: io::ErrorKind = io::ErrorKind::QuotaExceeded;

impl Meter {
    /// Counts bytes before they are forwarded.
    pub(crate) fn count(&self, way: ByteDirection, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        // All accounts count them, even after one is used up.
        let fits = self.accounts.iter().fold(true, |fits, account| account.takes(way, bytes) & fits);
        if !fits {
            return Err(OVER_BUDGET.into());
        }
        let (own, of_all) = match way {
            ByteDirection::Up => (&self.up, &self.metrics.bytes_up),
            ByteDirection::Down => (&self.down, &self.metrics.bytes_down),
        };
        own.fetch_add(bytes, Relaxed);
        of_all.fetch_add(bytes, Relaxed);
        Ok(())
    }

    /// Counts bytes before they are forwarded, and waits if the rate is exceeded.
    pub(crate) async fn flow(&self, way: ByteDirection, bytes: usize) -> io::Result<()> {
        self.count(way, bytes)?;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let wait = self.accounts.iter().map(|account| account.pace(way, bytes)).max().unwrap_or_default();
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        Ok(())
    }

    /// Bytes up and down.
    pub(crate) fn totals(&self) -> (u64, u64) {
        (self.up.load(Relaxed), self.down.load(Relaxed))
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.tunnel {
            self.metrics.tunnels.fetch_sub(1, Relaxed);
            for account in &self.accounts {
                account.amounts.tunnels.fetch_sub(1, Relaxed);
            }
        }
    }
}

/// Limit on valid tokens of one session.
const MOST_TOKENS: usize = 1024;

/// A session id in the form used in URLs and in SOCKS user names of at most 255 bytes.
fn session_key(id: &str) -> String {
    plain(id, b"-_.", 96)
}

/// A command id in the same form, without the separating dot.
fn command_key(id: &str) -> String {
    plain(id, b"-_", 96)
}

fn plain(id: &str, signs: &[u8], most: usize) -> String {
    let fits = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte));
    if fits && id.len() <= most {
        return id.to_owned();
    }
    let digest = Sha256::digest(id.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The open sessions.
#[derive(Debug, Default)]
pub(crate) struct OpenSessions(RwLock<HashMap<String, Arc<OpenSession>>>);

impl OpenSessions {
    /// Opens a session with a token for any command; closes an older one with the same id.
    pub(crate) fn open(&self, spec: SessionSpec) -> io::Result<ProxyToken> {
        self.close(spec.session.as_str());
        let session = self.opened(spec)?;
        session.issue(None)
    }

    /// Issues a token for one command of a session. Opens the session if necessary.
    pub(crate) fn join(&self, spec: SessionSpec, command: &str) -> io::Result<ProxyToken> {
        self.opened(spec)?.issue(Some(command))
    }

    /// The same for a command restricted to these hosts.
    pub(crate) fn join_only(
        &self,
        spec: SessionSpec,
        command: &str,
        hosts: &[String],
    ) -> io::Result<ProxyToken> {
        let session = self.opened(spec)?;
        session.narrow(command, hosts)?;
        session.issue(Some(command))
    }

    fn opened(&self, spec: SessionSpec) -> io::Result<Arc<OpenSession>> {
        if spec.session.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a session has an id"));
        }
        let key = session_key(spec.session.as_str());
        let mut sessions = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let session = sessions.entry(key).or_insert_with(|| {
            Arc::new(OpenSession {
                spec,
                tokens: RwLock::default(),
                touched: Mutex::new(Instant::now()),
                used: Mutex::default(),
                permitted: Mutex::default(),
                narrowed: Mutex::default(),
                vault: Vault::default(),
                asking: tokio::sync::Mutex::default(),
                closed: watch::Sender::new(false),
            })
        });
        Ok(session.clone())
    }

    /// Revokes one token. Open tunnels stay until their session is closed.
    pub(crate) fn revoke(&self, token: &ProxyToken) {
        let session = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&token.session).cloned();
        let digest: [u8; 32] = Sha256::digest(token.token.as_bytes()).into();
        if let Some(session) = session {
            let mut tokens = session.tokens.write().unwrap_or_else(PoisonError::into_inner);
            tokens.retain(|issued| issued.digest != digest);
            session.touch();
        }
    }

    /// Closes a session, its tokens and its connections.
    pub(crate) fn close(&self, id: &str) {
        let closed = self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&session_key(id));
        if let Some(session) = closed {
            session.closed.send_replace(true);
        }
    }

    /// The ids of sessions that have had no token for `limit`.
    pub(crate) fn idle(&self, limit: Duration) -> Vec<SessionId> {
        let sessions = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let idle = sessions.values().filter(|session| session.is_idle(limit));
        idle.map(|session| session.spec.session.clone()).collect()
    }

    /// The specifications of the open sessions.
    pub(crate) fn specs(&self) -> Vec<SessionSpec> {
        let sessions = self.0.read().unwrap_or_else(PoisonError::into_inner);
        sessions.values().map(|session| session.spec.clone()).collect()
    }

    /// An open session.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<OpenSession>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&session_key(id)).cloned()
    }

    /// The session and command of a user name `<session>.<command>` and a token.
    pub(crate) fn authenticate(&self, user: &str, token: &str) -> Option<(Arc<OpenSession>, String)> {
        let (id, command) = user.rsplit_once('.').unwrap_or((user, ""));
        let session = self.0.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let session = session?;
        let tokens = session.tokens.read().unwrap_or_else(PoisonError::into_inner);
        let same = |issued: &&Issued| {
            issued.digest.iter().zip(digest).fold(0, |differs, (own, given)| differs | (own ^ given)) == 0
        };
        let command = match &tokens.iter().find(same)?.command {
            Some((key, recorded)) => (key == command).then(|| recorded.clone())?,
            None => command.chars().take(128).collect(),
        };
        drop(tokens);
        Some((session, command))
    }

    /// The same from a `Proxy-Authorization` value.
    pub(crate) fn authenticate_basic(&self, value: &str) -> Option<(Arc<OpenSession>, String)> {
        let (scheme, encoded) = value.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
        let (user, token) = decoded.split_once(':')?;
        self.authenticate(user, token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_end_with_their_session() {
        let sessions = OpenSessions::default();
        let open = |id: &str| sessions.open(SessionSpec { session: id.into(), ..SessionSpec::default() });
        let token = open("a.b").unwrap();
        let basic = |token: &ProxyToken, command: &str| {
            STANDARD.encode(format!("{}.{command}:{}", token.session, token.token))
        };
        let known = |text: String| sessions.authenticate_basic(&text).map(|(_, command)| command);
        assert_eq!(known(format!("Basic {}", basic(&token, "c7"))).as_deref(), Some("c7"));
        assert_eq!(known(format!("Bearer {}", basic(&token, "c7"))), None);
        assert_eq!(sessions.authenticate("a.b.c7", "0123").map(|_| ()), None);
        assert_eq!(sessions.authenticate("x.c7", &token.token).map(|_| ()), None);
        let again = open("a.b").unwrap();
        assert_eq!(known(format!("Basic {}", basic(&token, "c7"))), None);
        sessions.close("a.b");
        assert_eq!(known(format!("Basic {}", basic(&again, "c7"))), None);
        assert!(open("").is_err() && !format!("{token:?}").contains(&token.token));
    }

    #[test]
    fn a_token_is_for_its_own_command() {
        let sessions = OpenSessions::default();
        let spec = |id: &str| SessionSpec { session: id.into(), ..SessionSpec::default() };
        let one = sessions.join(spec("agent/1 @x"), "toolu_01").unwrap();
        let two = sessions.join(spec("agent/1 @x"), "a.b:c").unwrap();
        let known = |(user, password): (String, String)| {
            sessions
                .authenticate(&user, &password)
                .map(|(session, command)| (session.spec.session.clone(), command))
        };
        let of = |command: &str| Some(("agent/1 @x".into(), command.to_owned()));
        assert_eq!(known(one.credentials("ignored")), of("toolu_01"));
        assert_eq!(known(two.credentials("")), of("a.b:c"));
        let (user, password) = one.credentials("");
        assert_eq!(known((user.replace("toolu_01", "toolu_02"), password)), None);
        let url = two.url("http", "", "127.0.0.1:1");
        assert!(url::Url::parse(&url).is_ok_and(|url| url.host_str() == Some("127.0.0.1")), "{url}");
        sessions.revoke(&one);
        assert_eq!(known(one.credentials("")), None);
        assert_eq!(sessions.idle(Duration::ZERO), Vec::<SessionId>::new(), "another command is at it");
        assert_eq!(known(two.credentials("")), of("a.b:c"));
        sessions.close("agent/1 @x");
        assert_eq!(known(two.credentials("")), None);
    }

    #[test]
    fn rates_hold_for_requests_and_bytes() {
        let rules = |json: &str| EgressRules::new(&serde_json::from_str(json).unwrap()).unwrap();
        let sessions = OpenSessions::default();
        sessions.open(SessionSpec { session: "s".into(), ..SessionSpec::default() }).unwrap();
        let session = sessions.get("s").unwrap();
        let metrics = Arc::default();
        // Two in a burst; the next one is due half a minute later.
        let slow = rules(r#"{"budgets": {"per_host": {"a.example": {"requests_per_s": 0}}}}"#);
        assert_eq!(session.spend(&slow, "a.example", false, &metrics).err(), Some(Code::RateLimited));
        assert!(session.spend(&slow, "b.example", false, &metrics).is_ok());
        let paced = rules(r#"{"budgets": {"requests_per_s": 1, "bytes_per_s": "1KiB"}}"#);
        let meter = session.spend(&paced, "b.example", true, &metrics).unwrap();
        assert_eq!(session.spend(&paced, "b.example", true, &metrics).err(), Some(Code::RateLimited));
        let waits: Vec<Duration> = [1 << 10, 60 << 10]
            .iter()
            .map(|bytes| meter.accounts[0].pace(ByteDirection::Down, *bytes))
            .collect();
        assert!(waits[0].is_zero() && waits[1] > Duration::from_secs(50), "{waits:?}");
        assert!(meter.accounts[0].pace(ByteDirection::Up, 1).is_zero());
    }
}
