//! `POST /v1/runs`: a command or code of `doorward run`, judged here and run here for whoever asked.

use std::sync::Arc;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use doorward::rooms::core::tool::{CanonicalTool, ToolName};
use doorward::served;
use doorward::typed::{self, Offered, Typed};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Caller, Service, problem};
use crate::body::Body;

/// What to run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// What runs it: `shell:execute` unless given, or a code tool such as `python:execute`.
    #[serde(default)]
    tool: Option<String>,
    /// The command, or the code.
    command: String,
    /// The working folder, absolute.
    cwd: String,
    /// Put what needs a person into the queue, instead of denying it.
    #[serde(default)]
    queue: bool,
}

/// Answers with a ticket for `doorward exec`, a question, or why not.
pub(crate) async fn offer(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(wanted): Body<Wanted>,
) -> Response {
    let peer = match caller {
        Caller::Local(peer) if served::may_send_events(peer.uid) => peer,
        Caller::Local(_) | Caller::Network(_) => {
            let why =
                "a command is run here only for a program of the user whose service this is, on this machine";
            return problem(StatusCode::FORBIDDEN, "service.local_only", why);
        }
    };
    let tool = match ToolName::new(wanted.tool.as_deref().unwrap_or(CanonicalTool::Shell.as_str())) {
        Ok(tool) => tool,
        Err(error) => return problem(StatusCode::BAD_REQUEST, error.code(), &error.to_string()),
    };
    let typed = Typed { tool, text: wanted.command, cwd: wanted.cwd, queue: wanted.queue };
    let answer = match typed::offer(&service.door, peer, typed).await {
        Ok(Offered::Ticket(ticket)) => json!({"decision": "ALLOW", "ticket": ticket}),
        Ok(Offered::Asked(ask)) => json!({
            "decision": "REQUIRE_USER_CONFIRMATION",
            "confirmationId": ask.id,
            "reason": ask.reason,
            "level": ask.confirm.level,
            "phrase": ask.confirm.phrase,
            "security_warning": {"level": ask.warning.level.as_str(), "message": ask.warning.message},
            "expires": ask.expires,
        }),
        Err(refusal) => json!({"decision": "DENY", "code": refusal.code, "reason": refusal.reason}),
    };
    Json(answer).into_response()
}
