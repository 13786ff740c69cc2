//! Requests for access: AuthZEN's way of asking a person about a denial.
//!
//! The denial is the decision record, found again by its id: what is requested has to be what was denied. The request
//! becomes a question in the queue; its task is the question's state, so it survives a restart and is answerable at
//! any instance. The approval's id is a name, not a key: the grant fits the identical call only.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::contract;
use doorward::rooms::core::call::Prompt;
use doorward::rooms::core::id::{DecisionId, Digest, QuestionId};
use doorward::rooms::core::json::{Object, Value};
use doorward::rooms::core::record::{DecisionRecord, Record};
use doorward::rooms::gate::{Admission, Permit};
use doorward::rooms::ledger::{Filter, Reader};
use doorward::rooms::store::{AskRecord, AskState, Requested};
use jiff::Timestamp;
use serde_json::json;

use crate::api::{Service, no_people, store_problem};
use crate::authzen::{Question, REQUESTABLE, base, echoed, invalid, open_for, read};
use crate::records;
use crate::rules::broker_problem;
use crate::who::Who;

/// Where requests go.
pub(crate) const PATH: &str = "/access/v1/requests";
/// What an approval's id begins with.
pub(crate) const APPROVAL: &str = "apr_";
/// What a task's id begins with.
const TASK: &str = "task_";

/// `POST /access/v1/requests`
pub(crate) async fn request(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let answer = match requested(&service, &who, &headers, &body).await {
        Ok(answer) | Err(answer) => *answer,
    };
    echoed(&headers, answer)
}

type Answered = Result<Box<Response>, Box<Response>>;

async fn requested(service: &Service, who: &Who, headers: &HeaderMap, bytes: &[u8]) -> Answered {
    let Some(broker) = &service.broker else { return Err(Box::new(no_people())) };
    let store = broker.store();
    let body = read(headers, bytes).map_err(|why| Box::new(invalid(&why)))?;
    let asked = Question::of(&body, &Object::new()).map_err(|why| Box::new(invalid(&why)))?;
    let digest = body.digest();
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    if let Some(key) = &key
        && let Some(made) =
            store.requested(&who.name, key).await.map_err(|error| Box::new(store_problem(&error)))?
    {
        return same(service, made, &digest).await;
    }
    let call = asked.call(service, Prompt::Queue).await.map_err(|why| fault("not_requestable", &why))?;
    let id = body.at(&["denial", "evaluation_id"]).and_then(Value::as_str).unwrap_or_default().into();
    let denial = denied(service, id)
        .await
        .ok_or_else(|| fault("invalid_denial_binding", "denial.evaluation_id names no denial of ours"))?;
    let fits = denial.principal.id == call.call.principal.id
        && denial.resource.name == call.call.tool.as_str()
        && denial.action == call.call.action
        && denial.session == call.call.session
        && denial.args_digest == Some(call.call.args_digest());
    if !fits {
        return Err(fault("invalid_denial_binding", "what is requested isn't what was denied"));
    }
    if denial.code != REQUESTABLE {
        return Err(fault("not_requestable", "nobody can turn this denial"));
    }
    let ends = denial.time.checked_add(open_for(service)).unwrap_or(Timestamp::MAX);
    if Timestamp::now() >= ends {
        return Err(fault("expired_denial", "the denial is too old: evaluate again"));
    }
    let ask = match contract::admit(&service.door, call).await {
        Admission::Pending(pending) => pending.ask,
        // It is decided without a person by now: the caller evaluates again.
        Admission::Admitted(permit) => {
            withdraw(permit).await;
            return Err(fault("not_requestable", "it is permitted by now: evaluate again"));
        }
        Admission::Denied(denial) => return Err(fault("not_requestable", &denial.reason)),
    };
    if let Some(key) = &key {
        let made = Requested { digest: digest.clone(), ask: ask.id.clone() };
        let kept = store
            .remember_request(&who.name, key, &made)
            .await
            .map_err(|error| Box::new(store_problem(&error)))?;
        if kept.ask != ask.id {
            let _ = broker.withdraw(&ask.id, &who.name).await;
            return same(service, kept, &digest).await;
        }
    }
    show(service, &ask.id, StatusCode::ACCEPTED).await
}

/// Nobody runs what was admitted: the caller is to ask again.
pub(crate) async fn withdraw(permit: Permit) {
    if let Err(error) = permit.withdraw().await {
        tracing::error!("{error}");
    }
}

/// The task of a request that was made before under the same key.
async fn same(service: &Service, made: Requested, digest: &Digest) -> Answered {
    if made.digest != *digest {
        let why = "this Idempotency-Key belongs to another request";
        return Err(Box::new(typed(StatusCode::CONFLICT, "duplicate_request", why)));
    }
    show(service, &made.ask, StatusCode::ACCEPTED).await
}

/// `GET /access/v1/requests/{task}`
pub(crate) async fn task(State(service): State<Arc<Service>>, Path(task): Path<String>) -> Response {
    match task.strip_prefix(TASK) {
        Some(id) => match show(&service, &id.into(), StatusCode::OK).await {
            Ok(answer) | Err(answer) => *answer,
        },
        None => unknown(),
    }
}

/// `POST /access/v1/requests/{task}/cancel`
pub(crate) async fn cancel(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(task): Path<String>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let Some(id) = task.strip_prefix(TASK).map(QuestionId::from) else { return unknown() };
    match broker.store().ask_record(&id, Timestamp::now()).await {
        Ok(Some(_)) => {}
        Ok(None) => return unknown(),
        Err(error) => return store_problem(&error),
    }
    match broker.withdraw(&id, &who.name).await {
        Ok(true) => match show(&service, &id, StatusCode::OK).await {
            Ok(answer) | Err(answer) => *answer,
        },
        Ok(false) => typed(StatusCode::CONFLICT, "invalid_task_state", "the task has ended"),
        Err(error) => broker_problem(&error),
    }
}

async fn show(service: &Service, id: &QuestionId, status: StatusCode) -> Answered {
    let Some(broker) = &service.broker else { return Err(Box::new(no_people())) };
    let record = broker.store().ask_record(id, Timestamp::now()).await;
    let record =
        record.map_err(|error| Box::new(store_problem(&error)))?.ok_or_else(|| Box::new(unknown()))?;
    let mut task = json!({
        "id": format!("{TASK}{id}"),
        "status": word(&record),
        "status_endpoint": format!("{}{PATH}/{TASK}{id}", base(service)),
        "expires_at": record.ask.expires,
        "links": {"cancel": format!("{}{PATH}/{TASK}{id}/cancel", base(service))},
    });
    if record.state == AskState::Allowed
        && let Some(task) = task.as_object_mut()
    {
        let grant = broker.store().grant(&record.nonce).await.ok().flatten();
        let until = grant.map(|grant| grant.expires);
        let approval = json!({
            "id": format!("{APPROVAL}{id}"), "approved_at": record.answered_at, "approved_until": until,
        });
        task.insert("result".to_owned(), json!({"mode": "reevaluate", "approval": approval}));
    }
    Ok(Box::new((status, Json(json!({"task": task}))).into_response()))
}

fn word(record: &AskRecord) -> &'static str {
    match record.state {
        AskState::Pending => "pending",
        AskState::Allowed => "approved",
        AskState::Denied => "denied",
        AskState::TimedOut => "expired",
        AskState::Cancelled => "cancelled",
        AskState::NoApprover | AskState::Error => "failed",
    }
}

/// The decision record of a denial.
async fn denied(service: &Service, id: DecisionId) -> Option<DecisionRecord> {
    let filter =
        Filter { kind: Some("decision".to_owned()), id: Some(id.into_string()), ..Filter::default() };
    let found = records::read(service, move |dir| Reader::open(dir)?.find(&filter, 1)).await.ok()?;
    match found.first()?.record()? {
        Record::Decision(record) => Some(*record),
        _ => None,
    }
}

fn unknown() -> Response {
    typed(StatusCode::NOT_FOUND, "unknown_task", "there is no such task")
}

fn fault(kind: &str, why: &str) -> Box<Response> {
    Box::new(typed(StatusCode::BAD_REQUEST, kind, why))
}

/// A problem of the profile.
fn typed(status: StatusCode, kind: &str, why: &str) -> Response {
    let body = json!({
        "type": format!("urn:openid:authzen:access-request:error:{kind}"),
        "title": why, "status": status.as_u16(), "code": kind, "message": why,
    });
    (status, [(header::CONTENT_TYPE, "application/problem+json")], body.to_string()).into_response()
}
