//! Setting the guardian's model up over HTTP, and asking it something to see that it answers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::choose::{Choice, GuardianModel};
use doorward::reviewing;
use doorward::rooms::guardian::ModelInquiry;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::api::{Service, problem};
use crate::body::Body;
use crate::settings::keep;
use crate::who::Who;

/// Longest that a test waits for the model.
const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of the model's answer that a test shows.
const SHOWN: usize = 200;

/// The model that judges beside the rules.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// `provider/model`; empty for none.
    #[schemars(length(max = 200))]
    model: String,
    /// Where its API is; empty for the provider's own place.
    #[serde(default)]
    base_url: String,
    /// Name of the environment variable that holds its key, or `file:/path`; empty for the provider's usual one.
    #[serde(default)]
    api_key_env: String,
    /// Shows that a person is there.
    #[serde(default)]
    passphrase: Option<String>,
}

impl Wanted {
    fn chosen(&self) -> GuardianModel {
        let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        GuardianModel {
            model: some(&self.model),
            base_url: some(&self.base_url),
            api_key_env: some(&self.api_key_env),
        }
    }
}

/// `POST /v1/guardian`: keeps the model in the user's settings.
pub(crate) async fn choose(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Body(wanted): Body<Wanted>,
) -> Response {
    let choice = Choice::Guardian(wanted.chosen());
    keep(&service, &who, wanted.passphrase.as_deref(), choice, "").await
}

/// `POST /v1/guardian/test`: asks the model of the settings for one word. Nothing of any call is sent.
pub(crate) async fn test(State(service): State<Arc<Service>>) -> Response {
    let project = service.door.project(None);
    let model = match reviewing::model(project.settings()) {
        None => {
            let why = "no model is set up: the built-in score answers, and needs no test";
            return problem(StatusCode::CONFLICT, "guardian.none", why);
        }
        Some(Err(why)) => return problem(StatusCode::CONFLICT, "guardian.config", &why),
        Some(Ok(model)) => model,
    };
    let started = Instant::now();
    let mut spent = doorward::rooms::core::evaluation::Spent::default();
    let ask = ModelInquiry {
        system: "This is a test of the connection. Answer with the single word: ready",
        stays: &[],
        user: &["ready?"],
        schema: None,
        deadline: started + PATIENCE,
    };
    let answer = model.ask(ask, &mut spent).await;
    let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match answer {
        Ok(text) => {
            let text: String = text.chars().take(SHOWN).collect();
            Json(json!({"ok": true, "model": model.name(), "took_ms": took_ms, "answer": text}))
                .into_response()
        }
        Err(fault) => {
            let message = fault.to_string();
            Json(json!({"ok": false, "model": model.name(), "took_ms": took_ms, "message": message}))
                .into_response()
        }
    }
}
