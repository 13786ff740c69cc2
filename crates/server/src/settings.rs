//! Changing a setting over HTTP. Whoever loosens the door could be an agent at a console, so it takes a person: the
//! admin's passphrase, never a credential alone. It is recorded before it holds.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::choose::{Choice, ChooseError, Confirm};
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::mode::PermissionMode;
use doorward::rooms::core::risk::SecurityRisk;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, no_people, problem};
use crate::approvals::{PHRASE, person};
use crate::body::Body;
use crate::rules::broker_problem;
use crate::who::Who;

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
    if let Err(error) = broker.note("setting", &format!("{} sets {}", who.name, choice.told())).await {
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
