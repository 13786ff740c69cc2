//! Accounts and tokens over HTTP. Whoever makes an approver could become one, so every change takes a person: the
//! admin's passphrase, never a credential alone.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Broker;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::store::Role;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, no_people, problem, store_problem};
use crate::approvals::person;
use crate::body::Body;
use crate::rules::broker_problem;
use crate::who::Who;

/// Longest that a token lives.
const LONGEST_DAYS: i64 = 366;

/// `GET /v1/accounts`
pub(crate) async fn accounts(State(service): State<Arc<Service>>) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    match broker.store().accounts().await {
        Ok(accounts) => Json(json!({"accounts": accounts})).into_response(),
        Err(error) => store_problem(&error),
    }
}

/// An account as it shall be.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// Principal id, such as `ana`.
    #[schemars(length(min = 1, max = 128))]
    name: String,
    /// `agent`, `viewer`, `approver` or `admin`.
    #[schemars(extend("enum" = ["agent", "viewer", "approver", "admin"]))]
    role: String,
    /// Groups.
    #[serde(default)]
    groups: Vec<String>,
    /// Locked out.
    #[serde(default)]
    disabled: bool,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

/// `POST /v1/accounts`: adds an account or changes one.
pub(crate) async fn put_account(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(wanted): Body<Wanted>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let invalid = |what: &str| problem(StatusCode::BAD_REQUEST, "request.invalid", what);
    let Some(role) = role(&wanted.role) else { return invalid("role is agent, viewer, approver or admin") };
    let name = wanted.name.trim();
    if name.is_empty() || name.len() > 128 || name.chars().any(char::is_control) {
        return invalid("a name has 1 to 128 characters");
    }
    if let Err(response) = admin(broker, &who, wanted.passphrase.as_deref()).await {
        return *response;
    }
    if name == who.name && (role < Role::Admin || wanted.disabled) {
        return problem(StatusCode::CONFLICT, "account.own", "nobody takes the admin role from themselves");
    }
    let groups = wanted.groups.join(",");
    let told = format!("{} sets {name}: {} [{groups}] disabled={}", who.name, wanted.role, wanted.disabled);
    if let Err(error) = broker.note("account", &told).await {
        return broker_problem(&error);
    }
    let store = broker.store();
    let done = match store.put_account(name, role, &wanted.groups).await {
        Ok(()) => store.disable_account(name, wanted.disabled).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(_) => Json(json!({"name": name, "role": role, "disabled": wanted.disabled})).into_response(),
        Err(error) => store_problem(&error),
    }
}

/// `GET /v1/tokens`: never the tokens themselves.
pub(crate) async fn tokens(State(service): State<Arc<Service>>) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    match broker.store().tokens().await {
        Ok(tokens) => Json(json!({"tokens": tokens})).into_response(),
        Err(error) => store_problem(&error),
    }
}

/// A token to make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Making {
    /// Whose.
    account: String,
    /// What for.
    #[serde(default)]
    label: String,
    /// Days it is good for.
    #[serde(default)]
    #[schemars(range(min = 1, max = 366))]
    days: Option<i64>,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

/// `POST /v1/tokens`: the only time a token can be seen.
pub(crate) async fn new_token(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(making): Body<Making>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    let days = making.days.unwrap_or(90);
    if !(1..=LONGEST_DAYS).contains(&days) {
        return problem(StatusCode::BAD_REQUEST, "request.invalid", "days is 1 to 366");
    }
    if let Err(response) = admin(broker, &who, making.passphrase.as_deref()).await {
        return *response;
    }
    let label: String = making.label.chars().filter(|ch| !ch.is_control()).take(64).collect();
    if let Err(error) =
        broker.note("token", &format!("{} makes a token for {}", who.name, making.account)).await
    {
        return broker_problem(&error);
    }
    let ends = Timestamp::now().checked_add(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MAX);
    match broker.store().new_token(&making.account, &label, ends, None).await {
        Ok(token) => {
            Json(json!({"id": token.id, "token": token.secret, "account": making.account, "expires": ends}))
                .into_response()
        }
        Err(error) => store_problem(&error),
    }
}

/// `POST /v1/tokens/{id}/revoke`: taking away takes no passphrase.
pub(crate) async fn revoke(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    if let Err(error) = broker.note("token", &format!("{} revokes token {id}", who.name)).await {
        return broker_problem(&error);
    }
    match broker.store().revoke_token(&id).await {
        Ok(true) => Json(json!({"revoked": id})).into_response(),
        Ok(false) => problem(StatusCode::NOT_FOUND, "token.unknown", "there is no such token"),
        Err(error) => store_problem(&error),
    }
}

async fn admin(broker: &Broker, who: &Who, passphrase: Option<&str>) -> Result<(), Box<Response>> {
    if person(broker, who, passphrase).await? == Presence::PeerUid {
        let why = "accounts and tokens take the admin's passphrase; `doorward approvals passphrase` sets one";
        return Err(Box::new(problem(StatusCode::FORBIDDEN, "grant.presence", why)));
    }
    Ok(())
}

fn role(word: &str) -> Option<Role> {
    [("agent", Role::Agent), ("viewer", Role::Viewer), ("approver", Role::Approver), ("admin", Role::Admin)]
        .into_iter()
        .find_map(|(own, role)| (own == word).then_some(role))
}
