//! `/v1/mcp/…`: what gateways of this machine (`doorward mcp`) ask of the service, and the pins of their tools.

use std::sync::Arc;

use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Broker;
use doorward::hook::Peer;
use doorward::mcp::{self, Approved, Finished, Offering, Refused, Said, Seeing};
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::QuestionId;
use doorward::rooms::core::tool::mcp_parts;
use doorward::rooms::store::Store;
use doorward::served;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::{Caller, Service, problem};
use crate::body::{Body, Params};
use crate::who::Who;

/// A question that nobody waits for any longer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdrawn {
    /// The question.
    question: QuestionId,
}

/// Something that came to a gateway and is no message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    /// The server.
    server: String,
    /// Stable code.
    code: String,
    /// In words.
    message: String,
}

/// Whose pins.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Which {
    /// The server; all without one.
    server: String,
}

/// `POST /v1/mcp/tools`: what a server lists, and how each of its tools stands.
pub(crate) async fn seen(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(seeing): Body<Seeing>,
) -> Response {
    let (_, store) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    let project = service.door.project(Some(seeing.cwd.as_ref()));
    let seen = mcp::seen(store, project.settings(), &seeing).await;
    let told = seen.as_ref().ok().and_then(|tools| mcp::waiting(&seeing.server.name, tools));
    if let (Some(told), Some(broker)) = (told, &service.broker)
        && let Err(error) = broker.note("mcp.waits", &told).await
    {
        return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
    }
    answer(seen.map(|tools| json!({"tools": tools})))
}

/// `POST /v1/mcp/calls`: a call of a tool.
pub(crate) async fn offer(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(offering): Body<Offering>,
) -> Response {
    let (peer, store) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    answer(mcp::offer(&service.door, store, peer, offering).await)
}

/// `POST /v1/mcp/answers`: what the client's dialog said.
pub(crate) async fn answered(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(said): Body<Said>,
) -> Response {
    let (peer, _) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    answer(mcp::answered(&service.door, peer, &said).await.map(|()| json!({})))
}

/// `POST /v1/mcp/ends`: how a call ended, with what it brought back.
pub(crate) async fn ended(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(finished): Body<Finished>,
) -> Response {
    let (peer, _) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    answer(mcp::ended(&service.door, peer, finished).await.map(|()| json!({})))
}

/// `POST /v1/mcp/contents`: what a server said beside its answers to calls.
pub(crate) async fn came(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(came): Body<mcp::Came>,
) -> Response {
    let (peer, _) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    answer(mcp::came(&service.door, peer, &came).map(|()| json!({})))
}

/// `POST /v1/mcp/withdrawals`: nobody waits for a question any longer.
pub(crate) async fn withdrawn(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(withdrawn): Body<Withdrawn>,
) -> Response {
    let (peer, store) = match gateway(&service, caller) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    let record = store.ask_record(&withdrawn.question, Timestamp::now()).await.ok().flatten();
    let name = served::name_of(peer.uid);
    let Some(broker) = service.broker.as_ref() else { return no_store() };
    // Only the caller's own question, and only one of a gateway.
    let own = |record: &doorward::rooms::store::AskRecord| {
        record.ask.binding.caller == name && mcp_parts(&record.ask.binding.tool).is_some()
    };
    if !record.as_ref().is_some_and(own) {
        return problem(StatusCode::NOT_FOUND, "mcp.question", "no question of this caller's");
    }
    match broker.withdraw(&withdrawn.question, &name).await {
        Ok(withdrawn) => Json(json!({"withdrawn": withdrawn})).into_response(),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string()),
    }
}

/// `POST /v1/mcp/faults`: what came to a gateway and is no message, for the record. Of a flood some are kept.
pub(crate) async fn fault(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(fault): Body<Fault>,
) -> Response {
    if let Err(refused) = gateway(&service, caller) {
        return *refused;
    }
    if let Some(records) = service.door.records() {
        let code: String = fault.code.chars().filter(|c| c.is_ascii_graphic()).take(60).collect();
        records.fault(&code, &fault.message, &[("server", fault.server)]);
    }
    Json(json!({})).into_response()
}

/// `GET /v1/mcp/pins`: what was approved, what waits, and what differs.
pub(crate) async fn pins(State(service): State<Arc<Service>>, Params(which): Params<Which>) -> Response {
    let Some(broker) = &service.broker else { return no_store() };
    answer(mcp::pins(broker.store(), &which.server).await.map(|pins| json!({"pins": pins})))
}

/// `POST /v1/mcp/pins`: approves what was shown. Takes a person.
pub(crate) async fn approve(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(approved): Body<Approved>,
) -> Response {
    let Some(broker) = &service.broker else { return no_store() };
    if who.presence == Presence::PeerUid {
        let why = "approving a tool takes a person: do it at a terminal, or unlock with your passphrase";
        return problem(StatusCode::FORBIDDEN, "grant.presence", why);
    }
    let done = mcp::approve(broker.store(), &approved, &who.name).await;
    let what = format!("{}/{} is approved as it was shown, by {}", approved.server, approved.tool, who.name);
    noted(broker, done, "mcp.approved", &what, "approved").await
}

/// `POST /v1/mcp/refusals`: says no to what was shown, which stays hidden.
pub(crate) async fn refuse(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(refused): Body<Approved>,
) -> Response {
    let Some(broker) = &service.broker else { return no_store() };
    let done = mcp::refuse(broker.store(), &refused, &who.name).await;
    let what = format!("{}/{} was refused as it was shown, by {}", refused.server, refused.tool, who.name);
    noted(broker, done, "mcp.refused", &what, "refused").await
}

/// Records what a person said about a pin, and answers with what was done.
async fn noted(
    broker: &Broker,
    done: Result<(), Refused>,
    code: &str,
    what: &str,
    word: &'static str,
) -> Response {
    if done.is_ok()
        && let Err(error) = broker.note(code, what).await
    {
        return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
    }
    answer(done.map(|()| json!({word: true, "recorded": true})))
}

/// The peer behind the socket, and the store.
fn gateway(service: &Service, caller: Caller) -> Result<(Peer, &Store), Box<Response>> {
    let Caller::Local(peer) = caller else {
        let why = "a gateway speaks to the service of its own machine, over its socket";
        return Err(Box::new(problem(StatusCode::FORBIDDEN, "service.local_only", why)));
    };
    if !served::may_send_events(peer.uid) {
        let why = "a gateway belongs to the user whose service this is";
        return Err(Box::new(problem(StatusCode::FORBIDDEN, "service.local_only", why)));
    }
    let store = service.broker.as_ref().map(|broker| broker.store());
    store.map(|store| (peer, store)).ok_or_else(|| Box::new(no_store()))
}

fn no_store() -> Response {
    problem(StatusCode::SERVICE_UNAVAILABLE, "mcp.store", "this service keeps no questions and no pins")
}

fn answer<T: Serialize>(done: Result<T, Refused>) -> Response {
    match done {
        Ok(value) => Json(value).into_response(),
        Err(refused) => {
            let status = match refused.code.as_str() {
                "outcome.unknown" | "mcp.question" | "mcp.unknown" => StatusCode::NOT_FOUND,
                "mcp.foreign" => StatusCode::FORBIDDEN,
                "mcp.shown" => StatusCode::CONFLICT,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            problem(status, &refused.code, &refused.reason)
        }
    }
}
