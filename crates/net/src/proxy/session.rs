//! Who is behind a connection: agent sessions, their tokens, and what they have used up.
//!
//! A token is 128 random bits, of which only the digest is kept. It ends with its session, and so do the
//! session's tunnels.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::body::Way;
use super::credential::Vault;
use super::record::Metrics;
use super::rules::{Budget, EgressRules};

/// What a session brings along.
#[derive(Debug, Clone, Default)]
pub struct SessionSpec {
    /// Agent session id.
    pub session: String,
    /// Agent, if told.
    pub agent: Option<String>,
    /// Roles of the principal: rules may be limited to some.
    pub roles: Vec<String>,
    /// Rules of its own instead of the proxy's.
    pub rules: Option<Arc<EgressRules>>,
}

/// The secret of one session. Printed only by [`ProxyToken::url`].
#[derive(Clone)]
pub struct ProxyToken {
    session: String,
    token: String,
}

impl fmt::Debug for ProxyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProxyToken({})", self.session)
    }
}

impl ProxyToken {
    /// The proxy URL for one command's environment. `scheme` is `http` or `socks5h`.
    #[must_use]
    pub fn url(&self, scheme: &str, command_id: &str, authority: &str) -> String {
        format!("{scheme}://{}.{command_id}:{}@{authority}", self.session, self.token)
    }

    /// What a child's environment must hold so that its programs find the proxy at `authority`.
    #[must_use]
    pub fn environment(&self, command_id: &str, authority: &str) -> Vec<(&'static str, String)> {
        let http = self.url("http", command_id, authority);
        let socks = self.url("socks5h", command_id, authority);
        vec![
            ("HTTP_PROXY", http.clone()),
            ("HTTPS_PROXY", http.clone()),
            ("ALL_PROXY", socks.clone()),
            ("http_proxy", http.clone()),
            ("https_proxy", http),
            ("all_proxy", socks),
            ("NO_PROXY", String::new()),
            ("no_proxy", String::new()),
            ("NODE_USE_ENV_PROXY", "1".to_owned()),
        ]
    }
}

/// A session as the proxy knows it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) spec: SessionSpec,
    digest: [u8; 32],
    used: Mutex<Used>,
    /// Hosts and ports a person permitted for the session.
    permitted: Mutex<Vec<(String, u16)>>,
    pub(crate) vault: Vault,
    /// One question at a time.
    pub(crate) asking: tokio::sync::Mutex<()>,
    closed: watch::Sender<bool>,
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
}

impl Session {
    pub(crate) fn is_permitted(&self, host: &str, port: u16) -> bool {
        let permitted = self.permitted.lock().unwrap_or_else(PoisonError::into_inner);
        permitted.iter().any(|(own, at)| own == host && *at == port)
    }

    pub(crate) fn permit(&self, host: &str, port: u16) {
        self.permitted.lock().unwrap_or_else(PoisonError::into_inner).push((host.to_owned(), port));
    }

    /// Resolves when the session is closed.
    pub(crate) async fn ended(&self) {
        let mut closed = self.closed.subscribe();
        // An error means the sender is gone: closed as well.
        let _ = closed.wait_for(|closed| *closed).await;
    }

    /// Counts a request; `None` where a budget is used up.
    pub(crate) fn spend(
        &self,
        rules: &EgressRules,
        host: &str,
        tunnel: bool,
        metrics: &Arc<Metrics>,
    ) -> Option<Meter> {
        let of_host = rules.host_budget(host);
        let (total, host) = {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            let host = of_host.is_some().then(|| used.hosts.entry(host.to_owned()).or_default().clone());
            (used.total.clone(), host)
        };
        let mut accounts = vec![Account { amounts: total, budget: rules.budget().clone() }];
        if let (Some(amounts), Some(budget)) = (host, of_host) {
            accounts.push(Account { amounts, budget: budget.clone() });
        }
        // Every account counts, also after one that is used up: the meter takes all of them back.
        let fits = accounts.iter().fold(true, |fits, account| account.admits(tunnel) & fits);
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
        fits.then_some(meter)
    }
}

#[derive(Debug)]
struct Account {
    amounts: Arc<Amounts>,
    budget: Budget,
}

impl Account {
    /// Counts a request, and a tunnel; false where a budget is used up. What was counted stays counted.
    fn admits(&self, tunnel: bool) -> bool {
        let within = |count: u64, limit: Option<u64>| limit.is_none_or(|limit| count <= limit);
        let left =
            |amount: &AtomicU64, limit: Option<u64>| limit.is_none_or(|limit| amount.load(Relaxed) < limit);
        let requests = self.amounts.requests.fetch_add(1, Relaxed) + 1;
        let tunnels = self.amounts.tunnels.fetch_add(u64::from(tunnel), Relaxed) + u64::from(tunnel);
        within(requests, self.budget.requests)
            && within(tunnels, self.budget.tunnels)
            && left(&self.amounts.up, self.budget.bytes_up)
            && left(&self.amounts.down, self.budget.bytes_down)
    }

    fn takes(&self, way: Way, bytes: u64) -> bool {
        let (amount, limit) = match way {
            Way::Up => (&self.amounts.up, self.budget.bytes_up),
            Way::Down => (&self.amounts.down, self.budget.bytes_down),
        };
        let total = amount.fetch_add(bytes, Relaxed) + bytes;
        limit.is_none_or(|limit| total <= limit)
    }
}

/// Counts the bytes of one access against the budgets it draws on.
#[derive(Debug)]
pub(crate) struct Meter {
    accounts: Vec<Account>,
    tunnel: bool,
    up: AtomicU64,
    down: AtomicU64,
    metrics: Arc<Metrics>,
}

/// The error of a budget that is used up.
pub(crate) const OVER_BUDGET: io::ErrorKind = io::ErrorKind::QuotaExceeded;

impl Meter {
    /// Counts bytes that are about to flow.
    pub(crate) fn count(&self, way: Way, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        // Every account counts, also after one that is used up.
        let fits = self.accounts.iter().fold(true, |fits, account| account.takes(way, bytes) & fits);
        if !fits {
            return Err(OVER_BUDGET.into());
        }
        let (own, of_all) = match way {
            Way::Up => (&self.up, &self.metrics.bytes_up),
            Way::Down => (&self.down, &self.metrics.bytes_down),
        };
        own.fetch_add(bytes, Relaxed);
        of_all.fetch_add(bytes, Relaxed);
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

/// Every open session.
#[derive(Debug, Default)]
pub(crate) struct Sessions(RwLock<HashMap<String, Arc<Session>>>);

impl Sessions {
    /// Opens a session; one of the same id is closed.
    pub(crate) fn open(&self, spec: SessionSpec) -> io::Result<ProxyToken> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let id = spec.session.clone();
        if id.is_empty() || id.contains([':', '@', '/', '\\']) || id.contains(char::is_whitespace) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a session id"));
        }
        self.close(&id);
        let session = Session {
            spec,
            digest: Sha256::digest(token.as_bytes()).into(),
            used: Mutex::default(),
            permitted: Mutex::default(),
            vault: Vault::default(),
            asking: tokio::sync::Mutex::default(),
            closed: watch::Sender::new(false),
        };
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), Arc::new(session));
        Ok(ProxyToken { session: id, token })
    }

    /// Closes a session: its token ends, and its connections with it.
    pub(crate) fn close(&self, id: &str) {
        let closed = self.0.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(session) = closed {
            session.closed.send_replace(true);
        }
    }

    /// An open session.
    #[cfg(feature = "intercept")]
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Session>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// The session and command behind `<session>.<command>` and a token.
    pub(crate) fn authenticate(&self, user: &str, token: &str) -> Option<(Arc<Session>, String)> {
        let (id, command) = user.rsplit_once('.').unwrap_or((user, ""));
        let session = self.0.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let session = session?;
        let differs =
            session.digest.iter().zip(digest).fold(0, |differs, (own, given)| differs | (own ^ given));
        (differs == 0).then(|| (session, command.chars().take(128).collect()))
    }

    /// The same from a `Proxy-Authorization` value.
    pub(crate) fn authenticate_basic(&self, value: &str) -> Option<(Arc<Session>, String)> {
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
        let sessions = Sessions::default();
        let open = |id: &str| sessions.open(SessionSpec { session: id.to_owned(), ..SessionSpec::default() });
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
        assert!(open("a:b").is_err() && !format!("{token:?}").contains(&token.token));
    }
}
