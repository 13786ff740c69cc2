//! Rules that people save with an answer: what one would do, which there are, and taking one back.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::always::{AlwaysError, Lasts, Scope, Wish};
use doorward::broker::BrokerError;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::QuestionId;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, no_people, problem, store_problem};
use crate::approvals::{Confirming, person, unknown};
use crate::body::Body;
use crate::who::Who;

/// What to save. What is left out is proposed.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    /// In shorthand; empty: the narrowest that cover the call.
    rules: Vec<String>,
    /// `session`, `agent` (in this project), `project` or `user`.
    #[schemars(extend("enum" = ["session", "agent", "project", "user"]))]
    scope: Option<String>,
    /// `1h`, `today`, `30d` or `none`.
    #[schemars(extend("enum" = ["1h", "today", "30d", "none"]))]
    lasts: Option<String>,
    /// Never instead of always.
    deny: bool,
    /// A scope for the session's task: for this session, two hours at most.
    task: bool,
}

impl Asked {
    pub(crate) fn wish(&self) -> Result<Wish, Box<Response>> {
        let invalid = |what: &str| Box::new(problem(StatusCode::BAD_REQUEST, "request.invalid", what));
        let scope = match self.scope.as_deref() {
            None | Some("agent") => Scope::Agent,
            Some("session") => Scope::Session,
            Some("project") => Scope::Project,
            Some("user") => Scope::User,
            Some(_) => return Err(invalid("scope is session, agent, project or user")),
        };
        let lasts = match self.lasts.as_deref() {
            None | Some("30d") => Lasts::Month,
            Some("1h") => Lasts::Hour,
            Some("today") => Lasts::Today,
            Some("none") => Lasts::Ever,
            Some(_) => return Err(invalid("lasts is 1h, today, 30d or none")),
        };
        Ok(Wish { rules: self.rules.clone(), scope, lasts, deny: self.deny, task: self.task })
    }
}

/// `POST /v1/approvals/{id}/rule`: the rule that an "always" would save, what it matches and what it doesn't.
pub(crate) async fn preview(
    State(service): State<Arc<Service>>,
    Path(id): Path<QuestionId>,
    Body(asked): Body<Asked>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let wish = match asked.wish() {
        Ok(wish) => wish,
        Err(response) => return *response,
    };
    match broker.store().ask_record(&id, Timestamp::now()).await {
        Ok(Some(record)) => match service.door.approvals().preview_rule(&record.ask, &wish).await {
            Ok(preview) => Json(preview).into_response(),
            Err(error) => broker_problem(&error),
        },
        Ok(None) => unknown(),
        Err(error) => store_problem(&error),
    }
}

/// `GET /v1/rules`
pub(crate) async fn list(State(service): State<Arc<Service>>) -> Response {
    if service.broker.is_none() {
        return no_people();
    }
    match service.door.approvals().saved_rules().await {
        Ok(rules) => Json(json!({"rules": rules})).into_response(),
        Err(error) => broker_problem(&error),
    }
}

/// `POST /v1/rules/{id}/revoke`: taking back what was allowed only tightens; taking back what asks or denies takes
/// a person.
pub(crate) async fn revoke(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
    Body(confirming): Body<Confirming>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let known = match service.door.approvals().saved_rules().await {
        Ok(rules) => rules.into_iter().find(|rule| rule.rule.id.as_deref() == Some(id.as_str())),
        Err(error) => return broker_problem(&error),
    };
    let Some(known) = known else { return no_rule() };
    if known.list != "allow" {
        match person(broker, &who, confirming.passphrase.as_deref()).await {
            Ok(Presence::PeerUid) => {
                let why = "taking back an ask or deny rule takes your passphrase";
                return problem(StatusCode::FORBIDDEN, "grant.presence", why);
            }
            Ok(_) => {}
            Err(response) => return *response,
        }
    }
    match service.door.approvals().revoke_rule(&id, &who.name).await {
        Ok(Some(rule)) => Json(json!({"revoked": rule})).into_response(),
        Ok(None) => no_rule(),
        Err(error) => broker_problem(&error),
    }
}

fn no_rule() -> Response {
    problem(StatusCode::NOT_FOUND, "always.unknown", "there is no saved rule of that name")
}

pub(crate) fn broker_problem(error: &BrokerError) -> Response {
    let status = match error {
        BrokerError::Always(AlwaysError::Refused { code: "always.strict", .. }) => StatusCode::FORBIDDEN,
        BrokerError::Always(AlwaysError::Refused { code: "always.preview", .. }) => StatusCode::CONFLICT,
        BrokerError::Always(AlwaysError::Refused { .. }) => StatusCode::BAD_REQUEST,
        BrokerError::Store(error) => return store_problem(error),
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    problem(status, error.code(), &error.to_string())
}
