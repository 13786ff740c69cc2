//! A policy engine elsewhere (`policy.remote`): asked about every call beside the embedded one; the stricter wins.
//!
//! Whatever keeps it from answering is a denial with a code of its own (`remote.timeout`, `remote.transport`,
//! `remote.status`, `remote.malformed`, `remote.too_large`, `remote.undefined`). After five faults in a row it isn't
//! asked for ten seconds, and calls are denied meanwhile.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::Boxed;
use doorward_core::approval::Grant;
use doorward_core::assessment::Assessment;
use doorward_core::decision::{PolicyDecision, PolicyEngine};
use doorward_core::effect::Inspected;
use doorward_net::client::{FetchError, FetchRequest};
use doorward_net::unix::{self, UnixError};
use doorward_net::{ClientLimits, GuardedClient, LiveGuard};
use doorward_policy::remote::{self, Answer, Breaker, MAX_BODY};
use doorward_policy::request::SeedRequest;
use doorward_settings::{Net, Remote, Settings};
use jiff::Timestamp;
use serde::Serialize;

const FAULTS: u32 = 5;
const REST: Duration = Duration::from_secs(10);

/// How the engine elsewhere is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineHealth {
    /// Where it is asked.
    pub url: String,
    /// When it last gave an answer that could be read.
    pub answered: Option<Timestamp>,
    /// Why the newest question has no answer, where it has none.
    pub fault: Option<String>,
}

/// The engines in use, one for each way to one: projects with the same settings share it, and its breaker with it.
#[derive(Default)]
pub(crate) struct Engines(Mutex<Vec<(Remote, Net, Arc<Elsewhere>)>>);

impl Engines {
    /// The engine of these settings, if they name one.
    ///
    /// # Errors
    /// A bearer token that is named but isn't there, or a URL that is none.
    pub(crate) fn of(&self, settings: &Settings) -> Result<Option<Arc<Elsewhere>>, String> {
        let Some(remote) = &settings.policy.remote else { return Ok(None) };
        let mut engines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = engines.iter().find(|(own, net, _)| own == remote && *net == settings.net);
        if let Some((_, _, engine)) = known {
            return Ok(Some(Arc::clone(engine)));
        }
        let engine = Arc::new(Elsewhere::new(remote.clone(), settings.net.clone())?);
        // Of engines that no project asks any more nobody needs to hear.
        engines.retain(|(_, _, engine)| Arc::strong_count(engine) > 1);
        engines.push((remote.clone(), settings.net.clone(), Arc::clone(&engine)));
        Ok(Some(engine))
    }

    /// How they are doing.
    pub(crate) fn health(&self) -> Vec<EngineHealth> {
        let engines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let in_use = engines.iter().filter(|(_, _, engine)| Arc::strong_count(engine) > 1);
        in_use.map(|(_, _, engine)| engine.health()).collect()
    }
}

/// The engine, and the way to it.
pub(crate) struct Elsewhere {
    remote: Remote,
    /// The URL as people may see it.
    shown: String,
    token: Option<String>,
    http: Result<GuardedClient, String>,
    breaker: Breaker,
    health: Mutex<EngineHealth>,
}

/// A URL without what may be a credential in it: its query is left out.
fn shown(mut url: url::Url) -> String {
    let has_query = url.query().is_some();
    url.set_query(None);
    url.set_fragment(None);
    format!("{url}{}", if has_query { "?…" } else { "" })
}

/// What came back.
struct Came {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

enum Missing {
    Late,
    Broken(String),
    TooLarge,
}

impl Elsewhere {
    fn new(remote: Remote, mut net: Net) -> Result<Self, String> {
        // Whatever is wrong with it, the text isn't shown: it may hold a credential.
        let url = url::Url::parse(&remote.url)
            .map_err(|error| format!("policy.remote.url isn't a URL: {error}"))?;
        if !url.username().is_empty() || url.password().is_some() {
            let why = "holds a user name or a password, which isn't sent; put a bearer token into an environment variable \
                       and name it in policy.remote.token_env";
            return Err(format!("policy.remote.url {why}"));
        }
        let token = match &remote.token_env {
            None => None,
            Some(name) => {
                let value = std::env::var(name).ok().filter(|value| !value.trim().is_empty());
                let missing = || {
                    format!("policy.remote.token_env: {name} isn't set where the service runs, or is empty")
                };
                Some(value.ok_or_else(missing)?)
            }
        };
        net.max_redirects = 0;
        net.allowed_hosts.extend(doorward_guardian::client::loopback_entry(&url));
        let deadline = Duration::from_millis(remote.deadline_ms);
        let limits = ClientLimits { total: deadline, connect: deadline, body: MAX_BODY };
        let http = GuardedClient::new(Arc::new(LiveGuard::from_config(net)))
            .map(|client| client.with_limits(limits))
            .map_err(|error| format!("TLS can't be set up: {error}"));
        let shown = shown(url);
        let health = EngineHealth { url: shown.clone(), answered: None, fault: None };
        Ok(Self {
            shown,
            token,
            http,
            breaker: Breaker::new(FAULTS, REST),
            health: Mutex::new(health),
            remote,
        })
    }

    fn health(&self) -> EngineHealth {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn decide(&self, request: &SeedRequest) -> PolicyDecision {
        let id = doorward_core::id::fresh();
        if !self.breaker.may_ask(Instant::now()) {
            return remote::interpret(self.remote.kind, Answer::Open, &id, Timestamp::now());
        }
        let body = remote::body(self.remote.kind, request).canonical().into_bytes();
        let deadline = Duration::from_millis(self.remote.deadline_ms);
        let came = tokio::time::timeout(deadline, self.ask(&id, body)).await.unwrap_or(Err(Missing::Late));
        let mut cause = None;
        let answer = match &came {
            Ok(came) => Answer::Response { status: came.status, headers: &came.headers, body: &came.body },
            Err(Missing::Late) => Answer::TimedOut,
            Err(Missing::Broken(why)) => {
                cause = Some(why.as_str());
                Answer::Broken
            }
            Err(Missing::TooLarge) => {
                Answer::Response { status: 200, headers: &[], body: &[0; MAX_BODY + 1] }
            }
        };
        let mut decision = remote::interpret(self.remote.kind, answer, &id, Timestamp::now());
        if let Some(cause) = cause {
            decision.reason = format!("{}: {cause}", decision.reason);
        }
        self.breaker.note(&decision, Instant::now());
        self.note(&decision);
        decision
    }

    /// Asks; once more where the connection broke, since a kept one may have been closed meanwhile.
    async fn ask(&self, id: &str, body: Vec<u8>) -> Result<Came, Missing> {
        match self.once(id, body.clone()).await {
            Err(Missing::Broken(_)) => self.once(id, body).await,
            other => other,
        }
    }

    async fn once(&self, id: &str, body: Vec<u8>) -> Result<Came, Missing> {
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("accept".to_owned(), "application/json".to_owned()),
            ("x-request-id".to_owned(), id.to_owned()),
        ];
        headers
            .extend(self.token.iter().map(|token| ("authorization".to_owned(), format!("Bearer {token}"))));
        if let Some(socket) = &self.remote.socket {
            let path = url::Url::parse(&self.remote.url).map_or_else(
                |_| "/".to_owned(),
                |url| url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
            );
            let answer = unix::post(&PathBuf::from(socket), &path, &headers, body, MAX_BODY).await;
            return match answer {
                Ok(answer) => Ok(Came { status: answer.status, headers: answer.headers, body: answer.body }),
                Err(UnixError::TooLarge(_)) => Err(Missing::TooLarge),
                Err(error) => Err(Missing::Broken(format!("{socket}: {error}"))),
            };
        }
        let http = self.http.as_ref().map_err(|why| Missing::Broken(why.clone()))?;
        let request = FetchRequest { method: "POST".to_owned(), url: self.remote.url.clone(), headers, body };
        match http.fetch(request).await {
            Ok(answer) => Ok(Came { status: answer.status, headers: answer.headers, body: answer.body }),
            Err(FetchError::Timeout) => Err(Missing::Late),
            Err(FetchError::TooLarge(_)) => Err(Missing::TooLarge),
            Err(error @ FetchError::Refused { .. }) => {
                let why = format!("{error}; an entry in net.allowed_hosts permits it");
                Err(Missing::Broken(self.without_query(&why)))
            }
            Err(error) => Err(Missing::Broken(self.without_query(&error.to_string()))),
        }
    }

    /// A text that may quote the URL, as people may see it.
    fn without_query(&self, text: &str) -> String {
        let query = self.remote.url.split_once('?').map(|(_, query)| query).filter(|query| !query.is_empty());
        let text = text.replace(&self.remote.url, &self.shown);
        query.map_or_else(|| text.clone(), |query| text.replace(query, "…"))
    }

    fn note(&self, decision: &PolicyDecision) {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let fault =
            ["remote.timeout", "remote.transport", "remote.status", "remote.malformed", "remote.too_large"];
        if fault.contains(&decision.code.as_str()) {
            let text = format!("{} ({})", decision.reason, decision.code);
            if health.fault.is_none() {
                tracing::error!("policy.remote: {text}");
            }
            health.fault = Some(text);
        } else {
            health.answered = Some(Timestamp::now());
            health.fault = None;
        }
    }
}

/// The embedded engine and the one elsewhere, as one.
pub(crate) struct Both {
    local: Arc<dyn PolicyEngine>,
    elsewhere: Arc<Elsewhere>,
}

impl Both {
    /// The local engine alone where the settings name no other.
    pub(crate) fn of(
        local: Arc<dyn PolicyEngine>,
        elsewhere: Option<&Arc<Elsewhere>>,
    ) -> Arc<dyn PolicyEngine> {
        match elsewhere {
            Some(elsewhere) => Arc::new(Self { local, elsewhere: Arc::clone(elsewhere) }),
            None => local,
        }
    }
}

impl PolicyEngine for Both {
    fn decide<'a>(
        &'a self,
        inspected: &'a Inspected,
        assessment: &'a Assessment,
        grant: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision> {
        Box::pin(async move {
            let local = self.local.decide(inspected, assessment, grant).await;
            let request = SeedRequest::of_call(inspected, assessment);
            remote::combine(local, self.elsewhere.decide(&request).await)
        })
    }

    fn bundle(&self) -> String {
        self.local.bundle()
    }
}
