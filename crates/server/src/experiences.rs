//! Safety experiences over HTTP: what is known of a tool, and keeping what a person made of it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::rooms::core::approval::Presence;
use doorward::rooms::guardian::experiences::{Experiences, Library, Order, names};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, no_people, problem};
use crate::approvals::person;
use crate::body::Body;
use crate::rules::broker_problem;
use crate::who::Who;

/// Rules of one tool at most.
const MOST: usize = 500;
/// Characters of a rule at most.
const LONGEST: usize = 2_000;

/// `GET /v1/experiences`
pub(crate) async fn list(State(service): State<Arc<Service>>) -> Response {
    let Some(folder) = service.door.experiences() else { return none() };
    let own = match Library::load(&folder) {
        Ok(own) => own,
        Err(error) => {
            return problem(StatusCode::SERVICE_UNAVAILABLE, "experiences.unreadable", &error.to_string());
        }
    };
    let kept: Vec<String> = own.tools().map(|(tool, _)| tool.to_owned()).collect();
    let tools: Vec<Value> = Library::seeded()
        .overlaid(own)
        .tools()
        .map(|(tool, rules)| {
            let rules: Vec<&str> = rules.rules(Order::Natural).into_iter().map(|(_, rule)| rule).collect();
            let source = if kept.iter().any(|own| own == tool) { "own" } else { "shipped" };
            json!({"tool": tool, "rules": rules, "source": source})
        })
        .collect();
    Json(json!({"tools": tools})).into_response()
}

/// The rules of a tool, as they shall be.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    /// In their order.
    #[schemars(length(max = 500))]
    rules: Vec<String>,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

/// `POST /v1/experiences/{tool}`: what the guardian is told is a person's to change.
pub(crate) async fn keep(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(tool): Path<String>,
    Body(kept): Body<Kept>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let Some(folder) = service.door.experiences() else { return none() };
    let tool = names::from_server(&tool);
    let fits = |rule: &String| !rule.trim().is_empty() && rule.chars().count() <= LONGEST;
    if !names::is_safe(&tool) || kept.rules.len() > MOST || !kept.rules.iter().all(fits) {
        let why =
            "a tool has a plain name and at most 500 rules of at most 2,000 characters, none of them empty";
        return problem(StatusCode::BAD_REQUEST, "experiences.invalid", why);
    }
    match person(broker, &who, kept.passphrase.as_deref()).await {
        Ok(Presence::PeerUid) => {
            return problem(StatusCode::FORBIDDEN, "grant.presence", "unlock with your passphrase first");
        }
        Ok(_) => {}
        Err(response) => return *response,
    }
    let told = format!("{} keeps {} experiences of {tool}", who.name, kept.rules.len());
    if let Err(error) = broker.note("experiences", &told).await {
        return broker_problem(&error);
    }
    let rules: Vec<&str> = kept.rules.iter().map(|rule| rule.trim()).collect();
    match Library::save(&folder, &tool, &Experiences::of(&rules)) {
        Ok(()) => Json(json!({"tool": tool, "rules": rules})).into_response(),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, "experiences.unwritable", &error.to_string()),
    }
}

fn none() -> Response {
    problem(StatusCode::NOT_FOUND, "experiences.none", "this service keeps no state")
}
