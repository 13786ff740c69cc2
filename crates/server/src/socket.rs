//! The stream of what happens over a WebSocket: the same events as over SSE, each a text frame
//! `{"event", "id", "data"}`. What a client sends is read and thrown away: answers go over the API.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Service, problem};
use crate::body::Params;
use crate::records::{Tail, nothing};

/// How often an idle connection is tried.
const BEAT: Duration = Duration::from_secs(15);
/// Longest frame that is read.
const MOST: usize = 4 * 1024;

/// Where to go on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    /// The last id that was seen.
    #[serde(default)]
    last_event_id: Option<u64>,
}

/// `GET /v1/ws`
pub(crate) async fn connect(
    State(service): State<Arc<Service>>,
    Params(from): Params<From>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            return problem(StatusCode::BAD_REQUEST, "request.websocket", &rejection.body_text());
        }
    };
    match Tail::new(service, from.last_event_id) {
        Some(tail) => upgrade.max_message_size(MOST).on_upgrade(|socket| follow(socket, tail)),
        None => nothing(),
    }
}

async fn follow(mut socket: WebSocket, mut tail: Tail) {
    loop {
        let frame = tokio::select! {
            told = tail.next() => match told {
                Some(told) => {
                    let (event, id) = (json!(&*told.kind), json!(told.index));
                    Message::Text(format!("{{\"event\":{event},\"id\":{id},\"data\":{}}}", told.data).into())
                }
                None => Message::Close(None),
            },
            read = socket.recv() => match read {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
            () = tokio::time::sleep(BEAT) => Message::Ping(Vec::new().into()),
        };
        let last = matches!(frame, Message::Close(_));
        if socket.send(frame).await.is_err() || last {
            return;
        }
    }
}
