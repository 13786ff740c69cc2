//! Changing a setting over HTTP. Whoever loosens the door could be an agent at a console, so it takes a person: the
//! admin's passphrase, never a credential alone. It is recorded before it holds.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::Broker;
use doorward::choose::{Choice, ChooseError, Confirm};
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::mode::PermissionMode;
use doorward::rooms::core::risk::SecurityRisk;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, no_people, problem};
use crate::approvals::{PHRASE, person};
use crate::body::Body;
use crate::rules::broker_problem;
use crate::who::Who;

/// Seconds of the longest pause.
const LONGEST_PAUSE_S: u32 = 3600;

/// One setting as it shall be.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Chosen {
    /// `effects`, `llm`, `toolshield`, `pattern`, `rail` or `noop`.
    #[schemars(extend("enum" = ["effects", "llm", "toolshield", "pattern", "rail", "noop"]))]
    analyzer: Option<String>,
    /// The permission mode that calls begin in.
    mode: Option<PermissionMode>,
    /// `AlwaysConfirm`, `NeverConfirm` or `ConfirmRisky`.
    #[schemars(extend("enum" = ["AlwaysConfirm", "NeverConfirm", "ConfirmRisky"]))]
    confirm: Option<String>,
    /// With `ConfirmRisky`: the least risk that is asked about; HIGH where nothing is said.
    #[schemars(extend("enum" = ["LOW", "MEDIUM", "HIGH"]))]
    threshold: Option<SecurityRisk>,
    /// With `ConfirmRisky`: also where the risk isn't known; so where nothing is said.
    confirm_unknown: Option<bool>,
    /// The phrase, for what switches asking off.
    typed: String,
    /// Shows that a person is there.
    passphrase: Option<String>,
}

impl Chosen {
    fn choice(&self) -> Option<Choice> {
        let confirm = match self.confirm.as_deref() {
            Some("AlwaysConfirm") => Some(Confirm::Always),
            Some("NeverConfirm") => Some(Confirm::Never),
            Some("ConfirmRisky") => Some(Confirm::Risky {
                threshold: self.threshold.unwrap_or(SecurityRisk::High),
                unknown: self.confirm_unknown.unwrap_or(true),
            }),
            Some(_) => return None,
            None => None,
        };
        if matches!(confirm, Some(Confirm::Risky { threshold: SecurityRisk::Unknown, .. })) {
            return None;
        }
        match (&self.analyzer, self.mode, confirm) {
            (Some(name), None, None) => Some(Choice::Analyzer(name.clone())),
            (None, Some(mode), None) => Some(Choice::Mode(mode)),
            (None, None, Some(confirm)) => Some(Choice::Confirm(confirm)),
            _ => None,
        }
    }
}

/// `POST /v1/settings/choose`
pub(crate) async fn choose(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(chosen): Body<Chosen>,
) -> Response {
    let Some(choice) = chosen.choice() else {
        let why = "one of analyzer, mode and confirm, by a name it has";
        return problem(StatusCode::BAD_REQUEST, "request.invalid", why);
    };
    keep(&service, &who, chosen.passphrase.as_deref(), choice, &chosen.typed).await
}

/// How long only floors stop a call.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pausing {
    /// Seconds from now; 0 ends the pause.
    #[schemars(range(min = 0, max = 3600))]
    seconds: u32,
    /// Why, for the record.
    #[serde(default)]
    reason: String,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

/// `POST /v1/pause`: everything is judged and recorded, and only floors stop a call. It ends by itself. Ending it
/// early takes nobody's passphrase.
pub(crate) async fn pause(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(wanted): Body<Pausing>,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    if wanted.seconds > LONGEST_PAUSE_S {
        let why = "a pause is an hour at most; `doorward observe 7d` watches for longer";
        return problem(StatusCode::BAD_REQUEST, "pause.time", why);
    }
    let until = (wanted.seconds > 0)
        .then(|| Timestamp::now() + SignedDuration::from_secs(i64::from(wanted.seconds)))
        .and_then(|until| Timestamp::from_second(until.as_second()).ok());
    let loosens = until.is_some();
    if loosens {
        let presence = match person(broker, &who, wanted.passphrase.as_deref()).await {
            Ok(presence) => presence,
            Err(response) => return *response,
        };
        // Whoever has a passphrase loosens nothing without it.
        if presence == Presence::PeerUid || presence == Presence::Terminal && who.has_passphrase {
            let why = "a pause takes a person: your passphrase, or a terminal of yours while none is set";
            return problem(StatusCode::FORBIDDEN, "grant.presence", why);
        }
    }
    let choice = Choice::Pause(until);
    let told = match until {
        Some(until) => format!("{} pauses until {until}: {}", who.name, wanted.reason.trim()),
        None => format!("{} ends the pause", who.name),
    };
    record_and_keep(&service, broker, "pause", &told, choice).await
}

/// Keeps a choice, where a person makes it: recorded first, then in force.
pub(crate) async fn keep(
    service: &Service,
    who: &Who,
    passphrase: Option<&str>,
    choice: Choice,
    typed: &str,
) -> Response {
    let Some(broker) = &service.broker else { return no_people() };
    match person(broker, who, passphrase).await {
        Ok(Presence::PeerUid) => {
            let why = "settings take the admin's passphrase; `doorward approvals passphrase` sets one";
            return problem(StatusCode::FORBIDDEN, "grant.presence", why);
        }
        Ok(_) => {}
        Err(response) => return *response,
    }
    let bypass = choice == Choice::Mode(PermissionMode::BypassPermissions);
    if bypass && service.door.settings().modes.disable_bypass {
        let why = "the settings forbid this mode (modes.disable_bypass)";
        return problem(StatusCode::FORBIDDEN, "settings.fixed", why);
    }
    let off = bypass || choice == Choice::Confirm(Confirm::Never);
    if off && typed.trim() != PHRASE {
        return problem(StatusCode::FORBIDDEN, "approve.phrase", "type: I confirm");
    }
    let told = format!("{} sets {}", who.name, choice.told());
    record_and_keep(service, broker, "setting", &told, choice).await
}

/// Records a choice, then puts it in force.
async fn record_and_keep(
    service: &Service,
    broker: &Broker,
    kind: &'static str,
    told: &str,
    choice: Choice,
) -> Response {
    if let Err(error) = broker.note(kind, told).await {
        return broker_problem(&error);
    }
    let (door, wanted) = (Arc::clone(&service.door), choice.clone());
    match tokio::task::spawn_blocking(move || door.choose(&wanted)).await {
        Ok(Ok(())) => Json(json!({"kept": choice.told()})).into_response(),
        Ok(Err(error)) => refused(&error),
        Err(error) => problem(StatusCode::SERVICE_UNAVAILABLE, "internal.panic", &error.to_string()),
    }
}

fn refused(error: &ChooseError) -> Response {
    let status = match error {
        ChooseError::Refused { code: "settings.fixed", .. } => StatusCode::FORBIDDEN,
        ChooseError::Refused { code: "settings.unknown", .. } => StatusCode::BAD_REQUEST,
        ChooseError::Refused { .. } => StatusCode::CONFLICT,
        ChooseError::File { .. } => StatusCode::SERVICE_UNAVAILABLE,
    };
    problem(status, error.code(), &error.to_string())
}
