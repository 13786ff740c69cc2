//! The HTTP API.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use doorward::contract::{self, Trust};
use doorward::hook::{self, Peer};
use doorward::{Broker, Door};
use doorward_core::tool::Client;
use doorward_store::{Role, StoreError};
use serde_json::json;
use tokio::sync::watch;

use crate::metrics::Metrics;
use crate::rate::Rate;
use crate::who::{self, Unlocked, require};
use crate::{approvals, console, egress, policies, records, sign_in};

/// Longest body that is read.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// Who is calling, as the listener knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Through the socket, with the kernel's word for who it is.
    Local(Peer),
    /// Through the loopback port.
    Network,
}

/// What every request sees.
pub(crate) struct Service {
    pub(crate) door: Arc<Door>,
    /// People to ask, where there is a store.
    pub(crate) broker: Option<Arc<Broker>>,
    pub(crate) metrics: Metrics,
    pub(crate) ways_out: egress::Given,
    pub(crate) unlocked: Unlocked,
    /// Tries at signing in.
    pub(crate) logins: Rate,
    /// Turns true when the service stops.
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) address: Option<SocketAddr>,
    /// Ids of the tokens behind consoles' cookies, by digest, to revoke them by.
    consoles: Mutex<HashMap<String, String>>,
}

impl Service {
    pub(crate) fn new(
        door: Arc<Door>,
        broker: Option<Arc<Broker>>,
        address: Option<SocketAddr>,
        closing: watch::Receiver<bool>,
    ) -> Self {
        Self {
            door: Arc::clone(&door),
            broker,
            metrics: Metrics::new(door),
            ways_out: egress::Given::default(),
            unlocked: Unlocked::default(),
            logins: Rate::new(30),
            closing,
            address,
            consoles: Mutex::default(),
        }
    }

    pub(crate) fn signed_in(&self, credential: String, token: String) {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).insert(credential, token);
    }

    pub(crate) fn signed_out(&self, credential: &str) -> Option<String> {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).remove(credential)
    }
}

/// Every endpoint, by who may use it.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let anyone = Router::new()
        .route("/", get(async |headers: HeaderMap| console::PAGE.answer(&headers)))
        .route("/app.js", get(async |headers: HeaderMap| console::SCRIPT.answer(&headers)))
        .route("/app.css", get(async |headers: HeaderMap| console::STYLE.answer(&headers)))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/v1/openapi.json", get(openapi))
        .route("/v1/login", post(sign_in::login))
        // The socket says who it is; the port is refused inside.
        .route("/v1/hook/{client}", post(hook_event));
    let agent = Router::new()
        .route("/v1/decide", post(decide))
        .route("/v1/approvals/{id}/wait", get(approvals::wait))
        .route("/v1/egress/ways-out", post(egress::open))
        .route("/v1/egress/ways-out/{id}", delete(egress::give_back))
        .route_layer(middleware::from_fn_with_state(Role::Agent, require));
    let viewer = Router::new()
        .route("/v1/me", get(sign_in::me))
        .route("/v1/logout", post(sign_in::logout))
        .route("/v1/approvals", get(approvals::list))
        .route("/v1/approvals/{id}", get(approvals::show))
        .route("/v1/stops", get(approvals::stops))
        .route("/v1/sessions", get(policies::sessions))
        .route("/v1/sessions/{id}", get(policies::session))
        .route("/v1/records", get(records::query))
        .route("/v1/ledger/verify", get(records::verify))
        .route("/v1/ledger/receipt/{index}", get(records::receipt))
        .route("/v1/events", get(records::events))
        .route("/v1/policies", get(policies::policies))
        .route("/v1/policies/validate", post(policies::validate))
        .route("/v1/simulate", post(policies::simulate))
        .route("/v1/settings", get(policies::settings))
        .route_layer(middleware::from_fn_with_state(Role::Viewer, require));
    let approver = Router::new()
        .route("/v1/approvals/{id}/answer", post(approvals::answer))
        .route("/v1/approvals/{id}/recall", post(approvals::recall))
        .route("/v1/stops/new", post(approvals::stop))
        .route("/v1/stops/lift", post(approvals::lift))
        .route("/v1/unlock", post(sign_in::unlock))
        .route("/v1/passphrase", post(sign_in::passphrase))
        .route_layer(middleware::from_fn_with_state(Role::Approver, require));
    let admin = Router::new()
        .route("/v1/login-link", post(sign_in::link))
        .route_layer(middleware::from_fn_with_state(Role::Admin, require));
    anyone
        .merge(agent)
        .merge(viewer)
        .merge(approver)
        .merge(admin)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(service), guard))
        .with_state(Arc::clone(service))
}

/// DNS rebinding and cross-site requests end here: on the port the Host must be ours, and a page of another origin
/// may not call at all. Who is calling is found out here, once.
async fn guard(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    mut request: axum::extract::Request,
    next: Next,
) -> Response {
    if caller == Caller::Network
        && let Some(address) = service.address
    {
        let headers = request.headers();
        let port = address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        let host = text(headers, header::HOST).unwrap_or_default();
        let origin = text(headers, header::ORIGIN);
        let same = |origin: &str| {
            origin.strip_prefix("http://").is_some_and(|host| own.iter().any(|own| own == host))
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
    let store = service.broker.as_ref().map(|broker| broker.store());
    match who::identify(&service.door, store, &service.unlocked, caller, request.headers()).await {
        Ok(Some(who)) => drop(request.extensions_mut().insert(who)),
        Ok(None) => {}
        Err(error) => return store_problem(&error),
    }
    let mut response = next.run(request).await;
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
    response
}

async fn decide(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    let trust = match caller {
        Caller::Local(peer) if peer.uid == rustix::process::getuid().as_raw() => Trust::Local,
        Caller::Local(_) | Caller::Network => Trust::Network,
    };
    match contract::decide(&service.door, trust, &body).await {
        Ok(response) => {
            service.metrics.decided("http", response.decision.as_str(), started.elapsed());
            ([(header::CONTENT_TYPE, "application/json")], response.to_json()).into_response()
        }
        Err(error) => {
            service.metrics.refused();
            problem(StatusCode::BAD_REQUEST, error.code, &error.message)
        }
    }
}

async fn hook_event(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Path(client): Path<String>,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    let Caller::Local(peer) = caller else {
        return problem(StatusCode::FORBIDDEN, "service.local_only", "hooks come in through the socket");
    };
    let Some(client) = Client::from_word(&client) else {
        return problem(StatusCode::NOT_FOUND, "service.unknown_client", "no such client");
    };
    let reply = hook::answer(&service.door, peer, client, &body).await;
    let verdict = if reply.exit != 0 || reply.stdout.contains("\"deny\"") { "DENY" } else { "PASS" };
    service.metrics.decided("hook", verdict, started.elapsed());
    axum::Json(reply).into_response()
}

async fn health(State(service): State<Arc<Service>>) -> Response {
    let health = service.door.health();
    let status = if health.ok { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, axum::Json(health)).into_response()
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let text = service.metrics.text(service.door.open.len());
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
        .into_response()
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
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
    (status, axum::Json(json!({"code": code, "message": message}))).into_response()
}
