//! Editing a question's arguments over HTTP: the edited call is judged anew and becomes a question of its own, or is
//! settled by the rules; the first question is answered when the edited one is.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Broker;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::{Digest, QuestionId};
use doorward::rooms::core::json::Value as Exact;
use doorward::rooms::gate::Admission;
use doorward::rooms::store::{Answering, AskRecord, AskState};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, no_people, problem, store_problem};
use crate::approvals::{digest, known, unknown, view};
use crate::body::Body;
use crate::who::Who;

/// Arguments as they shall be.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edited {
    /// JSON text of an object, so that every number stays as it is written.
    args: String,
    /// Digest of what the person was shown, as `GET` told it.
    shown: Digest,
}

/// `POST /v1/approvals/{id}/edit`
pub(crate) async fn edit(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<QuestionId>,
    Body(edited): Body<Edited>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let known = match known(broker, &id).await {
        Ok(known) => known,
        Err(response) => return *response,
    };
    if known.state != AskState::Pending {
        return (StatusCode::CONFLICT, Json(view(&known))).into_response();
    }
    if digest(&known.ask).as_ref() != Some(&edited.shown) {
        return problem(StatusCode::CONFLICT, "grant.preview", "what was shown is not what is asked");
    }
    let args = match Exact::parse(&edited.args) {
        Ok(Exact::Object(args)) => args,
        Ok(_) => return problem(StatusCode::BAD_REQUEST, "edit.arguments", "arguments are a JSON object"),
        Err(error) => return problem(StatusCode::BAD_REQUEST, error.code(), &error.to_string()),
    };
    let told = format!("{} edits the arguments of {id}", who.name);
    if let Err(error) = broker.note("edited", &told).await {
        return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
    }
    let text = Exact::Object(args.clone()).canonical();
    match service.door.edited(&known.ask.decision, args).await {
        Err(error) => problem(StatusCode::CONFLICT, error.code(), &error.to_string()),
        Ok(Admission::Pending(pending)) => {
            match broker.store().ask_record(&pending.ask.id, Timestamp::now()).await {
                Ok(Some(record)) => (StatusCode::ACCEPTED, Json(view(&record))).into_response(),
                Ok(None) => unknown(),
                Err(error) => store_problem(&error),
            }
        }
        // The rules let the edited call pass without anyone: the agent is told to make it.
        Ok(Admission::Admitted(permit)) => {
            crate::access::withdraw(permit).await;
            match replace(broker, &who, Presence::PeerUid, &known, &text).await {
                Ok(()) => Json(json!({"id": id, "state": "denied", "passes": true})).into_response(),
                Err(response) => *response,
            }
        }
        Ok(Admission::Denied(denial)) => {
            problem(StatusCode::CONFLICT, "edit.denied", &format!("{} ({})", denial.reason, denial.code))
        }
    }
}

/// Answers a question with no: another call is to be made in its place.
pub(crate) async fn replace(
    broker: &Broker,
    who: &Who,
    presence: Presence,
    known: &AskRecord,
    args: &str,
) -> Result<(), Box<Response>> {
    let tool = &known.ask.binding.tool;
    let reason = format!("{} changed the arguments. Make this call instead: {tool} {args}", who.name);
    let answering = Answering {
        groups: who.groups.clone(),
        reason: Some(reason),
        ..Answering::new(&who.name, presence, who.via, false)
    };
    let answered = broker.answer(&known.ask.id, &answering).await;
    answered
        .map(drop)
        .map_err(|error| Box::new(problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string())))
}
