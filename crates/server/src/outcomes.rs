//! What became of a call that its caller carried out: reported once, and bound to its decision.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use doorward::rooms::core::id::{DecisionId, Digest};
use doorward::rooms::core::json::{Object, Value};
use doorward::rooms::core::record::{ObligationDone, Outcome};
use doorward::rooms::gate::{Done, ReportError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, problem};
use crate::body::Body;
use crate::who::Who;

/// What the caller tells.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reported {
    /// How it ended.
    outcome: Ending,
    /// Exit code, where there is one.
    exit: Option<i32>,
    /// `sha256:` over what came back.
    output_digest: Option<Digest>,
    /// Length of what came back.
    #[serde(default)]
    bytes: u64,
    /// What came back: a text, or content blocks as MCP has them; at most 1 MiB. The session looks at it and keeps
    /// fingerprints alone.
    #[serde(default)]
    result: Option<serde_json::Value>,
    /// Obligations of the decision, each with whether it was met.
    #[serde(default)]
    obligations: Vec<ObligationDone>,
}

/// Bytes of text that a reported result may have.
const MOST_RESULT: usize = 1 << 20;

/// The texts of a result, one a line.
fn texts(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => format!("{text}\n"),
        serde_json::Value::Array(items) => items.iter().map(texts).collect(),
        serde_json::Value::Object(members) => members.values().map(texts).collect(),
        _ => String::new(),
    }
}

/// How a call ended, as its caller may say it.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Ending {
    /// It ran.
    Ran,
    /// It ran and failed.
    Failed,
    /// A limit or a person ended it.
    Killed,
    /// It was refused after all.
    Refused,
    /// It was never started.
    Abandoned,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Ran => Self::Ran,
            Ending::Failed => Self::Failed,
            Ending::Killed => Self::Killed,
            Ending::Refused => Self::Refused,
            Ending::Abandoned => Self::Abandoned,
        }
    }
}

/// `POST /v1/decisions/{id}/outcome`: closes an allowed call by what its caller reports.
pub(crate) async fn report(
    State(service): State<Arc<Service>>,
    Extension(who): Extension<Who>,
    Path(id): Path<DecisionId>,
    Body(reported): Body<Reported>,
) -> Response {
    let Some(records) = service.door.records() else {
        return problem(StatusCode::SERVICE_UNAVAILABLE, "ledger.none", "this service keeps no record");
    };
    let by = Object::from([("reported_by".to_owned(), Value::from(who.name.as_str()))]);
    let done = Done {
        exit: reported.exit,
        output_digest: reported.output_digest,
        bytes: reported.bytes,
        obligations: reported.obligations,
        detail: Some(Value::Object(by)),
        ..Done::default()
    };
    let result = reported.result.as_ref().map(texts).unwrap_or_default();
    if result.len() > MOST_RESULT {
        let why = "`result` has more than 1 MiB of text; send its beginning";
        return problem(StatusCode::PAYLOAD_TOO_LARGE, "outcome.result_too_long", why);
    }
    let (digest, output) = service.door.output(&result);
    let bytes = done.bytes.max(result.len() as u64);
    let done = Done { output_digest: done.output_digest.or(digest), bytes, output, ..done };
    let decision = id;
    let session = records.open().session_of(&decision);
    match records.open().report(&decision, reported.outcome.into(), done).await {
        Ok(index) => {
            if let Some(session) = session.filter(|_| !result.is_empty()) {
                service.door.sessions().brought(&session, &decision, result.as_bytes());
            }
            Json(json!({"index": index})).into_response()
        }
        Err(error @ ReportError::Unknown(_)) => {
            problem(StatusCode::NOT_FOUND, "outcome.unknown", &error.to_string())
        }
        Err(ReportError::Ledger(error)) => {
            problem(StatusCode::SERVICE_UNAVAILABLE, error.code(), &error.to_string())
        }
    }
}
