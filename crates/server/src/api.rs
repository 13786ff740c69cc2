//! The HTTP API.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use doorward::contract::{self, Trust};
use doorward::hook::{self, Peer, Second};
use doorward::rooms::core::id::Digest;
use doorward::rooms::core::tool::Client;
use doorward::rooms::hooks::thin::TIME_LEFT;
use doorward::rooms::store::{Role, StoreError};
use doorward::{Broker, Door, served};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::failures::{self, Failed, Failures};
use crate::metrics::Metrics;
use crate::rate::Rates;
use crate::records::Feed;
use crate::routes::{Endpoint, Routes, document};
use crate::who::{self, Unlocked};
use crate::{
    access, admin, approvals, authzen, calls, console, edit, egress, experiences, guardian_setup, in_force,
    mcp, outcomes, overview, policies, records, rules, runs, settings, sign_in, socket, tools,
};

/// Requests of one credential in a minute.
const MOST_REQUESTS: u32 = 60_000;
/// Requests without one that counts, of one user of this machine, in a minute.
const MOST_UNKNOWN: u32 = 3_000;
/// Longest body that is read.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// Who is calling, as the listener knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Through the socket, with the kernel's word for who it is.
    Local(Peer),
    /// Through the loopback port, with the kernel's word for whose program it is, where it gives one.
    Network(Option<u32>),
}

impl Caller {
    /// Whether it came through the port.
    pub(crate) const fn is_network(self) -> bool {
        matches!(self, Self::Network(_))
    }

    /// Whose tries and requests these are, where nothing else tells callers apart: the user of this machine.
    pub(crate) fn sender(self) -> String {
        match self {
            Self::Local(peer) => format!("user {}", peer.uid),
            Self::Network(Some(uid)) => format!("user {uid}"),
            Self::Network(None) => String::new(),
        }
    }
}

/// Set once a request arrived whole: its connection no longer gives way to new ones.
#[derive(Debug, Clone)]
pub(crate) struct Arrived(pub(crate) Arc<std::sync::atomic::AtomicBool>);

/// Bytes that are read of somebody without a credential.
const MOST_OF_UNKNOWN: usize = 64 * 1024;
/// How long a request's body may take to arrive.
const BODY: Duration = Duration::from_secs(30);

/// What every request sees.
pub(crate) struct Service {
    pub(crate) door: Arc<Door>,
    /// People to ask, where there is a store.
    pub(crate) broker: Option<Arc<Broker>>,
    pub(crate) metrics: Metrics,
    pub(crate) ways_out: egress::Given,
    pub(crate) unlocked: Unlocked,
    /// Tries at signing in, of each user of this machine.
    pub(crate) logins: Rates,
    /// Requests of each credential over the port.
    pub(crate) requests: Rates,
    /// What happens, read once for all who listen.
    pub(crate) feed: Feed,
    /// Turns true when the service stops.
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) address: Option<SocketAddr>,
    /// The port speaks TLS.
    pub(crate) secure: bool,
    /// Failed authentications that the ledger doesn't know yet.
    pub(crate) failures: Failures,
    /// Ids of the consoles' tokens, by digest, to revoke them by.
    consoles: Mutex<HashMap<Digest, String>>,
}

impl Service {
    pub(crate) fn new(
        door: Arc<Door>,
        broker: Option<Arc<Broker>>,
        address: Option<SocketAddr>,
        secure: bool,
        closing: watch::Receiver<bool>,
    ) -> Self {
        Self {
            door: Arc::clone(&door),
            broker,
            metrics: Metrics::new(door),
            ways_out: egress::Given::default(),
            unlocked: Unlocked::default(),
            logins: Rates::default(),
            requests: Rates::default(),
            feed: Feed::default(),
            closing,
            address,
            secure,
            failures: Failures::default(),
            consoles: Mutex::default(),
        }
    }

    /// What addresses of the port begin with.
    pub(crate) const fn scheme(&self) -> &'static str {
        if self.secure { "https://" } else { "http://" }
    }

    fn failed(&self, kind: &'static str, account: &str) {
        self.metrics.failed(kind);
        self.failures.count(kind, account);
    }

    pub(crate) fn signed_in(&self, credential: Digest, token: String) {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).insert(credential, token);
    }

    pub(crate) fn signed_out(&self, credential: &Digest) -> Option<String> {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).remove(credential)
    }
}

/// Every endpoint.
fn routes() -> Routes {
    use Role::{Admin, Agent, Approver, Viewer};
    const METRICS: &str = "application/openmetrics-text";
    Routes::default()
        .add(Endpoint::get("/", None, "The console").answers("text/html"), async |headers: HeaderMap| {
            console::PAGE.answer(&headers)
        })
        .add(
            Endpoint::get("/app.js", None, "The console's script").answers("text/javascript"),
            async |headers: HeaderMap| console::SCRIPT.answer(&headers),
        )
        .add(
            Endpoint::get("/app.css", None, "The console's style").answers("text/css"),
            async |headers: HeaderMap| console::STYLE.answer(&headers),
        )
        .add(Endpoint::get("/healthz", None, "How the service is doing"), health)
        .add(Endpoint::get("/metrics", None, "Metrics, as Prometheus reads them").answers(METRICS), metrics)
        .add(Endpoint::get("/v1/openapi.json", None, "This document"), openapi)
        .add(
            Endpoint::post("/v1/login", None, "A one-time code for a console's token")
                .body::<sign_in::Code>(),
            sign_in::login,
        )
        .add(
            // The socket says who it is; the port is refused inside.
            Endpoint::post("/v1/hook/{client}", None, "An event of a coding agent's hook")
                .body_of(json!({"type": "object"})),
            hook_event,
        )
        .add(
            Endpoint::post(
                "/v1/hook/{client}/told",
                None,
                "What the hook of the caller's own process was told about a call",
            )
            .body_of(json!({"type": "object"})),
            hook_told,
        )
        .add(
            Endpoint::get(authzen::DISCOVERY, None, "AuthZEN: where the endpoints are"),
            authzen::configuration,
        )
        .add(
            Endpoint::post("/v1/decide", Agent, "Decide a call (seed contract) and record it")
                .body_of(contract_schema()),
            decide,
        )
        .add(
            Endpoint::post("/v1/decisions/{id}/outcome", Agent, "Report what became of an allowed call")
                .body::<outcomes::Reported>(),
            outcomes::report,
        )
        .add(
            Endpoint::get("/v1/approvals/{id}/wait", Agent, "Wait for how a question ends")
                .query::<approvals::Waiting>(),
            approvals::wait,
        )
        .add(
            Endpoint::post(
                "/v1/tools/schemas",
                Agent,
                "Tools' schemas with the risk label that the model fills in",
            )
            .body::<tools::Offered>(),
            tools::schemas,
        )
        .add(
            Endpoint::post("/v1/runs", Agent, "Judge a command of `doorward run` and run it here")
                .body::<runs::Wanted>(),
            runs::offer,
        )
        .add(
            Endpoint::post("/v1/mcp/tools", Agent, "How the tools that an MCP server lists stand")
                .body::<doorward::mcp::Seeing>(),
            mcp::seen,
        )
        .add(
            Endpoint::post("/v1/mcp/calls", Agent, "Judge a call that an MCP gateway would forward")
                .body::<doorward::mcp::Offering>(),
            mcp::offer,
        )
        .add(
            Endpoint::post("/v1/mcp/answers", Agent, "What an MCP client's own dialog said to a question")
                .body::<doorward::mcp::Said>(),
            mcp::answered,
        )
        .add(
            Endpoint::post("/v1/mcp/ends", Agent, "How a forwarded call ended, with what it brought back")
                .body::<doorward::mcp::Finished>(),
            mcp::ended,
        )
        .add(
            Endpoint::post("/v1/mcp/contents", Agent, "What an MCP server said beside its answers to calls")
                .body::<doorward::mcp::Came>(),
            mcp::came,
        )
        .add(
            Endpoint::post("/v1/mcp/withdrawals", Agent, "Withdraw the question of a gateway's call")
                .body::<mcp::Withdrawn>(),
            mcp::withdrawn,
        )
        .add(
            Endpoint::post("/v1/mcp/faults", Agent, "Record what came to a gateway and is no message")
                .body::<mcp::Fault>(),
            mcp::fault,
        )
        .add(
            Endpoint::get("/v1/mcp/pins", Viewer, "Pinned tools of MCP servers, with what differs")
                .query::<mcp::Which>(),
            mcp::pins,
        )
        .add(
            Endpoint::post("/v1/mcp/pins", Approver, "Approve a tool as it was shown; takes a person")
                .body::<doorward::mcp::Approved>(),
            mcp::approve,
        )
        .add(
            Endpoint::post("/v1/mcp/refusals", Approver, "Refuse a tool as it was shown; it stays hidden")
                .body::<doorward::mcp::Approved>(),
            mcp::refuse,
        )
        .add(
            Endpoint::post("/v1/egress/ways-out", Agent, "A way out for a process beside the service")
                .body_of(json!({"type": "object"})),
            egress::open,
        )
        .add(Endpoint::delete("/v1/egress/ways-out/{id}", Agent, "Give a way out back"), egress::give_back)
        .add(
            Endpoint::post("/access/v1/evaluation", Agent, "AuthZEN: one question")
                .body_of(authzen::question_schema()),
            authzen::evaluation,
        )
        .add(
            Endpoint::post("/access/v1/evaluations", Agent, "AuthZEN: many questions")
                .body_of(json!({"type": "object"})),
            authzen::evaluations,
        )
        .add(
            Endpoint::post("/access/v1/search/{kind}", Agent, "AuthZEN: who may, what, and how")
                .body_of(json!({"type": "object"})),
            authzen::search,
        )
        .add(
            Endpoint::post("/access/v1/requests", Agent, "AuthZEN: ask a person about a denial")
                .body_of(json!({"type": "object"}))
                .success("202"),
            access::request,
        )
        .add(
            Endpoint::get("/access/v1/requests/{task}", Agent, "AuthZEN: how a request stands"),
            access::task,
        )
        .add(
            Endpoint::post("/access/v1/requests/{task}/cancel", Agent, "AuthZEN: withdraw a request"),
            access::cancel,
        )
        .add(Endpoint::get("/v1/me", Viewer, "Who is calling, and the CSRF word of a console"), sign_in::me)
        .add(Endpoint::post("/v1/logout", Viewer, "End this console"), sign_in::logout)
        .add(
            Endpoint::get("/v1/approvals", Viewer, "Open questions, riskiest first")
                .query::<approvals::Which>(),
            approvals::list,
        )
        .add(
            Endpoint::get("/v1/approvals/{id}", Viewer, "One question with its decision record"),
            approvals::show,
        )
        .add(Endpoint::get("/v1/stops", Viewer, "What is stopped"), approvals::stops)
        .add(Endpoint::get("/v1/sessions", Viewer, "Sessions"), policies::sessions)
        .add(Endpoint::get("/v1/sessions/{id}", Viewer, "One session"), policies::session)
        .add(
            Endpoint::get("/v1/records", Viewer, "Records, youngest first").query::<records::Wanted>(),
            records::query,
        )
        .add(
            Endpoint::get(
                "/v1/calls",
                Viewer,
                "Calls with their effects, answers and outcomes, youngest first",
            )
            .query::<calls::Wanted>(),
            calls::calls,
        )
        .add(
            Endpoint::get("/v1/overview", Viewer, "Decisions over time, rules, latency, answers, tools")
                .query::<overview::Span>(),
            overview::overview,
        )
        .add(Endpoint::get("/v1/ledger/verify", Viewer, "Verify the ledger"), records::verify)
        .add(
            Endpoint::get("/v1/ledger/receipt/{index}", Viewer, "A record's receipt").answers("text/plain"),
            records::receipt,
        )
        .add(
            Endpoint::get("/v1/events", Viewer, "What happens, as server-sent events")
                .answers("text/event-stream"),
            records::events,
        )
        .add(
            Endpoint::get("/v1/ws", Viewer, "What happens, over a WebSocket")
                .query::<socket::From>()
                .success("101")
                .answers(""),
            socket::connect,
        )
        .add(Endpoint::get("/v1/policies", Viewer, "Rules and policies in force"), policies::policies)
        .add(
            Endpoint::post("/v1/policies/validate", Viewer, "Would this Cedar text load")
                .body::<policies::Draft>(),
            policies::validate,
        )
        .add(
            Endpoint::post("/v1/simulate", Viewer, "What would be decided, recorded nowhere")
                .body_of(contract_schema()),
            policies::simulate,
        )
        .add(Endpoint::get("/v1/settings", Viewer, "Settings in force"), policies::settings)
        .add(Endpoint::get("/v1/rules", Viewer, "Rules that people saved"), rules::list)
        .add(
            Endpoint::get(
                "/v1/rules/in-force",
                Viewer,
                "Rules in force, packs included, with a week's matches",
            ),
            in_force::in_force,
        )
        .add(
            Endpoint::post("/v1/rules/try", Viewer, "Whether a rule loads, and which past calls it meets")
                .body::<in_force::Draft>(),
            in_force::try_rule,
        )
        .add(
            Endpoint::post("/v1/rules", Approver, "Save a rule; takes a person").body::<in_force::Draft>(),
            in_force::save,
        )
        .add(Endpoint::get("/v1/experiences", Viewer, "Safety experiences by tool"), experiences::list)
        .add(
            Endpoint::post("/v1/approvals/{id}/rule", Approver, "What an always would save")
                .body::<rules::Asked>(),
            rules::preview,
        )
        .add(
            Endpoint::post("/v1/approvals/{id}/answer", Approver, "Answer a question")
                .body::<approvals::Given>(),
            approvals::answer,
        )
        .add(
            Endpoint::post("/v1/approvals/{id}/edit", Approver, "Judge its call with other arguments")
                .body::<edit::Edited>(),
            edit::edit,
        )
        .add(
            Endpoint::post("/v1/approvals/{id}/recall", Approver, "Take back an unused yes"),
            approvals::recall,
        )
        .add(
            Endpoint::post("/v1/approvals/{id}/needless", Approver, "Note that nobody needed to be asked"),
            approvals::needless,
        )
        .add(
            Endpoint::post("/v1/rules/{id}/revoke", Approver, "Take back a saved rule")
                .body::<approvals::Confirming>(),
            rules::revoke,
        )
        .add(
            Endpoint::post("/v1/stops/new", Approver, "Stop everything, a session, an agent or a server")
                .body::<approvals::Stopping>(),
            approvals::stop,
        )
        .add(
            Endpoint::post("/v1/stops/lift", Approver, "Lift a stop; takes the phrase")
                .body::<approvals::Stopping>(),
            approvals::lift,
        )
        .add(
            Endpoint::post(
                "/v1/sessions/{id}/clear",
                Approver,
                "Forget what other people wrote in a session; takes a person",
            ),
            policies::clear_session,
        )
        .add(
            Endpoint::post("/v1/unlock", Approver, "Unlock this console by the passphrase")
                .body::<sign_in::Passphrase>(),
            sign_in::unlock,
        )
        .add(
            Endpoint::post("/v1/passphrase", Approver, "Set one's passphrase").body::<sign_in::Passphrase>(),
            sign_in::passphrase,
        )
        .add(
            Endpoint::post("/v1/experiences/{tool}", Approver, "Keep the experiences of a tool")
                .body::<experiences::Kept>(),
            experiences::keep,
        )
        .add(
            Endpoint::post("/v1/login-link", Admin, "A one-time link that signs a console in"),
            sign_in::link,
        )
        .add(
            Endpoint::post("/v1/settings/choose", Admin, "Change the analyzer, the mode or when to confirm")
                .body::<settings::Chosen>(),
            settings::choose,
        )
        .add(
            Endpoint::post("/v1/pause", Admin, "Let only floors stop a call, for an hour at most; 0 ends it")
                .body::<settings::Pausing>(),
            settings::pause,
        )
        .add(
            Endpoint::post("/v1/guardian", Admin, "Set the guardian's model up")
                .body::<guardian_setup::Wanted>(),
            guardian_setup::choose,
        )
        .add(
            Endpoint::post("/v1/guardian/test", Admin, "Ask the guardian's model for one word"),
            guardian_setup::test,
        )
        .add(Endpoint::get("/v1/accounts", Admin, "Accounts"), admin::accounts)
        .add(
            Endpoint::post("/v1/accounts", Admin, "Add or change an account").body::<admin::Wanted>(),
            admin::put_account,
        )
        .add(Endpoint::get("/v1/tokens", Admin, "Tokens, never their secrets"), admin::tokens)
        .add(
            Endpoint::post("/v1/tokens", Admin, "Make a token; shown this once").body::<admin::Making>(),
            admin::new_token,
        )
        .add(Endpoint::post("/v1/tokens/{id}/revoke", Admin, "Revoke a token"), admin::revoke)
}

/// The endpoints of the API, by who may use them.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    routes().split().1
}

pub(crate) fn router(service: &Arc<Service>) -> Router {
    let (router, _) = routes().split();
    router
        .fallback(async || problem(StatusCode::NOT_FOUND, "service.unknown", "there is nothing here"))
        .method_not_allowed_fallback(async || {
            problem(StatusCode::METHOD_NOT_ALLOWED, "service.method", "not with this method")
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(service), guard))
        .with_state(Arc::clone(service))
}

/// A request of the contract.
fn contract_schema() -> Value {
    let text = json!({"type": "string", "minLength": 1});
    json!({
        "type": "object",
        "required": ["principal", "action", "resource"],
        "properties": {
            "principal": {
                "type": "object", "required": ["id"],
                "properties": {"id": text, "groups": {"type": "array", "items": {"type": "string"}}},
            },
            "action": text,
            "resource": {
                "type": "object", "required": ["type", "name"],
                "properties": {
                    "type": text,
                    "name": {"type": "string", "pattern": "^[A-Za-z0-9_.:/-]{1,256}$"},
                    "attributes": {"type": "object", "properties": {
                        "args": {"type": "object"}, "sandbox": {}, "schema": {"type": "object"}}},
                },
            },
            "context": {"type": "object"},
        },
    })
}

/// DNS rebinding and cross-site requests end here: on the port the Host must be ours, and a page of another origin
/// may not call at all. Who is calling is found out here, once.
async fn guard(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    request: axum::extract::Request,
    next: Next,
) -> Response {
    // Read whole, also where nobody looks at it: closing a socket over unread bytes resets it, and the answer is lost.
    let (parts, body) = request.into_parts();
    // Callers of the port who show no credential have nothing long to say, and there may be many of them.
    let unknown = caller.is_network() && !who::has_credential(&parts.headers);
    let most = if unknown { MOST_OF_UNKNOWN } else { MAX_BODY };
    let read = tokio::time::timeout(BODY, axum::body::to_bytes(body, most)).await;
    let Ok(read) = read else {
        return problem(StatusCode::REQUEST_TIMEOUT, "request.slow", "the body took too long to arrive");
    };
    let Ok(body) = read else {
        return problem(
            StatusCode::PAYLOAD_TOO_LARGE,
            "request.body",
            "the body is too long, or it broke off",
        );
    };
    if let Some(Arrived(arrived)) = parts.extensions.get::<Arrived>() {
        arrived.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    let mut request = axum::extract::Request::from_parts(parts, axum::body::Body::from(body));
    if caller.is_network()
        && let Some(address) = service.address
    {
        let headers = request.headers();
        let port = address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        // With two of them a proxy in between may have checked the other one.
        if headers.get_all(header::HOST).iter().count() > 1
            || headers.get_all(header::ORIGIN).iter().count() > 1
        {
            service.metrics.refused();
            return problem(StatusCode::BAD_REQUEST, "service.host", "a request has one Host and one Origin");
        }
        let host = text(headers, header::HOST).unwrap_or_default();
        let origin = text(headers, header::ORIGIN);
        let same = |origin: &str| {
            origin.strip_prefix(service.scheme()).is_some_and(|host| own.iter().any(|own| own == host))
        };
        if !own.iter().any(|own| own == host) || origin.is_some_and(|origin| !same(origin)) {
            service.metrics.refused();
            return problem(
                StatusCode::MISDIRECTED_REQUEST,
                "service.host",
                "this host or origin is not served here",
            );
        }
    }
    let broker = service.broker.as_deref();
    let mut account = String::new();
    match who::identify(&service.door, broker, &service.unlocked, caller, request.headers()).await {
        Ok(Some(who)) => {
            let key = who.credential.as_ref().map_or(who.name.as_str(), Digest::as_str);
            if caller.is_network() && !service.requests.take(key, MOST_REQUESTS) {
                return too_many();
            }
            account.clone_from(&who.name);
            drop(request.extensions_mut().insert(who));
        }
        // Whoever isn't known gets less: pages, health, and tries at tokens.
        Ok(None) if caller.is_network() && !service.requests.take(&caller.sender(), MOST_UNKNOWN) => {
            return too_many();
        }
        Ok(None) => {
            if who::has_credential(request.headers()) {
                service.failed("token", "");
            }
        }
        Err(error) => return store_problem(&error),
    }
    let mut response = next.run(request).await;
    if let Some(Failed(kind)) = failures::of(&response) {
        service.failed(kind, &account);
    }
    if response.status() == StatusCode::UNAUTHORIZED || response.status() == StatusCode::FORBIDDEN {
        service.metrics.refused();
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, console::CSP),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(header::HeaderValue::from_static(value));
    }
    if service.secure && caller.is_network() {
        let year = header::HeaderValue::from_static("max-age=31536000");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(year);
    }
    response
}

async fn decide(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    let trust = match caller {
        Caller::Local(peer) if served::may_send_events(peer.uid) => Trust::Local,
        Caller::Local(_) | Caller::Network(_) => Trust::Network,
    };
    match contract::decide(&service.door, trust, &body).await {
        Ok(response) => {
            service.metrics.decided("http", response.decision.as_str(), started.elapsed());
            ([(header::CONTENT_TYPE, "application/json")], response.to_json()).into_response()
        }
        Err(error) => {
            service.metrics.refused();
            malformed(&service, "/v1/decide", &error.message);
            problem(StatusCode::BAD_REQUEST, error.code, &error.message)
        }
    }
}

/// Records that a request came in that is none.
pub(crate) fn malformed(service: &Service, path: &str, why: &str) {
    if let Some(records) = service.door.records() {
        records.fault("request.malformed", why, &[("path", path.to_owned())]);
    }
}

async fn hook_event(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Path(client): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    let Caller::Local(peer) = caller else {
        return problem(StatusCode::FORBIDDEN, "service.local_only", "hooks come in through the socket");
    };
    let Some(client) = Client::from_word(&client) else {
        return problem(StatusCode::NOT_FOUND, "service.unknown_client", "no such client");
    };
    let reply = hook::answer(&service.door, peer, client, &body, time_left(&headers)).await;
    let verdict = if reply.exit != 0 || reply.stdout.contains("\"deny\"") { "DENY" } else { "PASS" };
    service.metrics.decided("hook", verdict, started.elapsed());
    axum::Json(reply).into_response()
}

/// What this process's hook was told about a call, for another judge in the same process.
async fn hook_told(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Path(client): Path<String>,
    body: Bytes,
) -> Response {
    let Caller::Local(peer) = caller else {
        return problem(
            StatusCode::FORBIDDEN,
            "service.local_only",
            "only the socket tells which process asks",
        );
    };
    let Some(client) = Client::from_word(&client) else {
        return problem(StatusCode::NOT_FOUND, "service.unknown_client", "no such client");
    };
    match hook::second(&service.door, peer, client, &body) {
        Second::Told(told) => ([(header::CONTENT_TYPE, "application/json")], told.to_json()).into_response(),
        Second::Nothing => {
            let why = "no hook of this process waits for this call to run: ask for a decision";
            problem(StatusCode::NOT_FOUND, "hook.not_told", why)
        }
        Second::Unreadable(why) => problem(StatusCode::BAD_REQUEST, "request.invalid", &why),
    }
}

/// How long a hook waits, as it says itself; hooks of older versions don't.
pub(crate) fn time_left(headers: &HeaderMap) -> Option<Duration> {
    headers.get(TIME_LEFT)?.to_str().ok()?.parse().ok().map(Duration::from_millis)
}

async fn health(State(service): State<Arc<Service>>) -> Response {
    let health = service.door.health();
    let status = if health.ok { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, axum::Json(health)).into_response()
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let text = service.metrics.text(service.door.health().open_permits);
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
        .into_response()
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

async fn openapi() -> Response {
    static TEXT: LazyLock<String> = LazyLock::new(|| document(&endpoints()).to_string());
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

fn too_many() -> Response {
    let mut response =
        problem(StatusCode::TOO_MANY_REQUESTS, "service.rate", "too many requests; wait a minute");
    response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("60"));
    response
}

/// There is no store, so nobody to ask.
pub(crate) fn no_people() -> Response {
    problem(StatusCode::NOT_FOUND, "no_approver", "this service keeps no approvals")
}

pub(crate) fn store_problem(error: &StoreError) -> Response {
    let status = match error {
        StoreError::NotFound(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    problem(status, error.code(), &error.to_string())
}

pub(crate) fn problem(status: StatusCode, code: &str, message: &str) -> Response {
    let mut response = (status, axum::Json(json!({"code": code, "message": message}))).into_response();
    if let Some(failed) = failures::of_code(code) {
        response.extensions_mut().insert(failed);
    }
    response
}
