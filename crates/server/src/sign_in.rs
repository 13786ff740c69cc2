//! Signing in: one-time links, the console's token, the approver's passphrase.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use doorward::Broker;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::Digest;
use doorward::rooms::store::{Role, StoreError, TokenLabel};
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Caller, Service, problem, store_problem};
use crate::body::Body;
use crate::who::Who;

/// How long a link waits to be opened.
const LINK: SignedDuration = SignedDuration::from_mins(10);
/// How long a console stays signed in.
const SIGNED_IN: SignedDuration = SignedDuration::from_hours(12);
/// How long a passphrase that is said to be forgotten still counts.
const OBJECTING: SignedDuration = SignedDuration::from_hours(24);
/// Tries at signing in that one user of this machine has in a minute.
const MOST_LOGINS: u32 = 30;
/// A passphrase shorter than this is no passphrase.
const SHORTEST: usize = 8;

/// A link that signs one console in, once, below `base` (`http://127.0.0.1:7717`). The code is in the fragment, which
/// browsers don't send. `at_terminal`: a person's terminal shows it, so that the console may set the first passphrase.
///
/// # Errors
/// [`StoreError`].
pub async fn login_link(
    broker: &Broker,
    base: &str,
    name: &str,
    at_terminal: bool,
) -> Result<String, StoreError> {
    let store = broker.store();
    if !store.accounts().await?.iter().any(|account| account.name == name) {
        store.put_account(name, Role::Admin, &[]).await?;
    }
    let label = if at_terminal { TokenLabel::LoginAtTerminal } else { TokenLabel::Login };
    let code = store.new_token(name, &label.word(), after(LINK), Some(1)).await?;
    Ok(format!("{base}/#login={}", code.secret))
}

/// The code of a link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    /// As in the link's fragment.
    code: String,
}

/// `POST /v1/login`: a one-time code for a console's token.
pub(crate) async fn login(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(body): Body<Code>,
) -> Response {
    let Some(broker) = &service.broker else { return crate::api::no_people() };
    if !service.logins.take(&caller.sender(), MOST_LOGINS) {
        return problem(StatusCode::TOO_MANY_REQUESTS, "service.rate", "too many tries; wait a minute");
    }
    let store = broker.store();
    let found = match store.authenticate(&body.code, Timestamp::now()).await {
        Ok(found) => found.filter(|(account, _)| account.role >= Role::Viewer),
        Err(error) => return store_problem(&error),
    };
    let (account, label) = match found.and_then(|(account, label)| Some((account, label.signs_in()?))) {
        Some(found) => found,
        None => {
            service.metrics.refused();
            let why = "this link was used or has lapsed; `doorward console` makes another";
            return problem(StatusCode::UNAUTHORIZED, "login.used", why);
        }
    };
    let token = match store.new_token(&account.name, &label.word(), after(SIGNED_IN), None).await {
        Ok(token) => token,
        Err(error) => return store_problem(&error),
    };
    if let Err(error) = broker.note("login", &format!("{} signed in at the console", account.name)).await {
        return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
    }
    service.signed_in(Digest::of(token.secret.as_bytes()), token.id);
    Json(json!({"name": account.name, "role": account.role, "token": token.secret})).into_response()
}

/// `POST /v1/logout`
pub(crate) async fn logout(State(service): State<Arc<Service>>, Extension(who): Extension<Who>) -> Response {
    let id = who.credential.as_ref().and_then(|credential| {
        service.unlocked.lock(credential);
        service.signed_out(credential)
    });
    if let (Some(broker), Some(id)) = (&service.broker, id)
        && let Err(error) = broker.store().revoke_token(&id).await
    {
        return store_problem(&error);
    }
    Json(json!({"ok": true})).into_response()
}

/// `GET /v1/me`
pub(crate) async fn me(State(service): State<Arc<Service>>, Extension(who): Extension<Who>) -> Response {
    Json(json!({
        "name": who.name, "role": who.role, "groups": who.groups, "presence": who.presence,
        "has_passphrase": who.has_passphrase, "may_set_passphrase": may_set_first(&who), "only": who.only,
        "posture": service.door.measured().posture, "version": env!("CARGO_PKG_VERSION"),
        "paused_until": service.door.paused_until(),
        "may_loosen": service.door.may_loosen(matches!(who.presence, Presence::Terminal | Presence::Passphrase)),
    }))
    .into_response()
}

/// `POST /v1/login-link`: for whoever is on the socket.
pub(crate) async fn link(State(service): State<Arc<Service>>, Extension(who): Extension<Who>) -> Response {
    let (Some(broker), Some(address)) = (&service.broker, service.address) else {
        return problem(StatusCode::CONFLICT, "service.no_port", "the console needs the loopback port");
    };
    if who.via != "socket" {
        return problem(
            StatusCode::FORBIDDEN,
            "service.local_only",
            "links are made through the socket only",
        );
    }
    let at_terminal = who.presence == Presence::Terminal;
    match login_link(broker, &format!("{}{address}", service.scheme()), &who.name, at_terminal).await {
        Ok(url) => Json(json!({"url": url})).into_response(),
        Err(error) => store_problem(&error),
    }
}

/// A passphrase.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Passphrase {
    /// The one to check or to set.
    passphrase: String,
    /// The one before, to change it.
    #[serde(default)]
    old: String,
    /// The one before is forgotten: at a terminal, asked for twice with a day in between.
    #[serde(default)]
    forgotten: bool,
}

/// `POST /v1/unlock`: the passphrase shows that a person is at this console, for ten minutes.
pub(crate) async fn unlock(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(body): Body<Passphrase>,
) -> Response {
    let Some(broker) = &service.broker else { return crate::api::no_people() };
    let Some(credential) = &who.credential else {
        let why =
            "only a signed-in console can be unlocked; on the socket give the passphrase with each answer";
        return problem(StatusCode::FORBIDDEN, "service.console_only", why);
    };
    match broker.store().check_passphrase(&who.name, &body.passphrase, Timestamp::now()).await {
        Ok(true) => match service.unlocked.unlock(credential) {
            Some((secret, until)) => {
                is_known(broker, &who.name).await;
                Json(json!({"presence": Presence::Passphrase, "until": until, "unlocked": secret}))
                    .into_response()
            }
            None => problem(StatusCode::SERVICE_UNAVAILABLE, "service.random", "there is no randomness"),
        },
        Ok(false) => problem(StatusCode::FORBIDDEN, "passphrase.wrong", "this is not the passphrase"),
        Err(error) => store_problem(&error),
    }
}

/// Whether this caller may set a first passphrase: at a terminal, or at a console whose link a terminal showed. Peer
/// credentials alone may not: the agent has them too.
fn may_set_first(who: &Who) -> bool {
    who.presence == Presence::Terminal || who.from_terminal
}

/// `POST /v1/passphrase`: sets one's own; changing it takes the old one, also at a terminal.
pub(crate) async fn passphrase(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(body): Body<Passphrase>,
) -> Response {
    let Some(broker) = &service.broker else { return crate::api::no_people() };
    let store = broker.store();
    if body.passphrase.chars().count() < SHORTEST {
        return problem(StatusCode::BAD_REQUEST, "passphrase.short", "at least eight characters");
    }
    if !who.has_passphrase && !may_set_first(&who) {
        let why = "a first passphrase is set at a terminal: run `doorward approvals passphrase` there, or open the link \
                   that `doorward console` shows";
        return problem(StatusCode::FORBIDDEN, "passphrase.terminal", why);
    }
    if who.has_passphrase && body.forgotten {
        if let Err(refused) = forgotten(broker, &who).await {
            return *refused;
        }
    } else if who.has_passphrase {
        match store.check_passphrase(&who.name, &body.old, Timestamp::now()).await {
            Ok(true) => {}
            Ok(false) => {
                let why =
                    "one is set already: give the old one too, or say that it is forgotten (--forgotten)";
                return problem(StatusCode::FORBIDDEN, "passphrase.wrong", why);
            }
            Err(error) => return store_problem(&error),
        }
    } else if who.via == "socket" {
        let known = store.accounts().await;
        let missing =
            known.as_ref().is_ok_and(|accounts| !accounts.iter().any(|account| account.name == who.name));
        if missing && let Err(error) = store.put_account(&who.name, who.role, &who.groups).await {
            return store_problem(&error);
        }
    }
    if let Err(error) = broker.note("passphrase", &format!("{} set a passphrase", who.name)).await {
        return problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string());
    }
    match store.set_passphrase(&who.name, &body.passphrase).await {
        Ok(()) => {
            is_known(broker, &who.name).await;
            Json(json!({"ok": true})).into_response()
        }
        Err(error) => store_problem(&error),
    }
}

/// Where the store keeps since when somebody says that their passphrase is forgotten.
fn forgotten_key(name: &str) -> String {
    format!("passphrase.forgotten {name}")
}

/// A terminal alone doesn't replace a passphrase: it takes a day in which whoever knows the old one can object, by
/// using it.
async fn forgotten(broker: &Broker, who: &Who) -> Result<(), Box<Response>> {
    if who.presence != Presence::Terminal {
        let why = "a forgotten passphrase is replaced at a terminal that was there before every agent";
        return Err(Box::new(problem(StatusCode::FORBIDDEN, "passphrase.terminal", why)));
    }
    let (store, key) = (broker.store(), forgotten_key(&who.name));
    let since = store.get(&key).await.map_err(|error| Box::new(store_problem(&error)))?;
    let since = since.and_then(|since| since.parse::<Timestamp>().ok());
    let now = Timestamp::now();
    if since.is_some_and(|since| now.duration_since(since) >= OBJECTING) {
        return Ok(());
    }
    let begun = since.unwrap_or(now);
    if since.is_none() {
        let told = format!("{} says that their passphrase is forgotten", who.name);
        if let Err(error) = broker.note("passphrase_forgotten", &told).await {
            return Err(Box::new(problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string())));
        }
        let kept = store.set(&key, &begun.to_string(), &who.name).await;
        kept.map_err(|error| Box::new(store_problem(&error)))?;
    }
    let until = begun.checked_add(OBJECTING).unwrap_or(Timestamp::MAX);
    let why = format!("run the same again after {until}; using the old passphrase before then ends this");
    Err(Box::new(problem(StatusCode::CONFLICT, "passphrase.waits", &why)))
}

/// Somebody used the passphrase, so it isn't forgotten.
pub(crate) async fn is_known(broker: &Broker, name: &str) {
    let (store, key) = (broker.store(), forgotten_key(name));
    if matches!(store.get(&key).await, Ok(Some(since)) if !since.is_empty())
        && let Err(error) = store.set(&key, "", name).await
    {
        tracing::error!("{error}");
    }
}

fn after(span: SignedDuration) -> Timestamp {
    Timestamp::now().checked_add(span).unwrap_or(Timestamp::MAX)
}
