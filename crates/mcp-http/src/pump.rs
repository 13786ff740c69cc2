//! Passes a server's HTTP answer to the relay: one document or an event stream. Anything else doesn't count as an
//! answer.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use doorward_mcp::frame::LineFrame;
use doorward_mcp::relay::{CallEnding, Relay, Route, Via};
use doorward_mcp::sse::{Event, Events, StreamPart};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap};
use hyper::{Response, StatusCode};
use serde_json::{Map, Value};

use crate::LONGEST;
use crate::exchange::Exchange;
use crate::headed::{EVENTS, JSON, RetainNames as _, TEXT, coming, end_to_end};
use crate::upstream::{Kind, is_packed, kind_of};

/// How long a server may be silent in the middle of a body or of a call's stream.
const SILENCE: Duration = Duration::from_secs(600);

/// Delivers one answer of the server.
pub(crate) struct Pump {
    pub(crate) relay: Arc<Relay>,
    pub(crate) exchange: Arc<Exchange>,
    /// The request it answers.
    pub(crate) id: Option<String>,
    /// The client sees the answer; otherwise it is for the gateway's own request.
    pub(crate) visible: bool,
    /// It is the stream of messages that belong to no request.
    pub(crate) listens: bool,
}

impl Pump {
    pub(crate) async fn take(&self, response: Response<Incoming>) {
        let code = response.status();
        if code.is_redirection() {
            // A client that followed it would bypass the gateway and send its token elsewhere.
            let why = "mcp.redirect: the server sends its clients elsewhere, and that isn't followed";
            return self.lost(CallEnding::Failed, why).await;
        }
        if is_packed(response.headers()) {
            let why = "mcp.packed: the server's answer is compressed although it was asked not to";
            return self.lost(CallEnding::Failed, why).await;
        }
        if !code.is_success() {
            return self.refusal(response).await;
        }
        // Only checked content is forwarded: a lenient reader could take a body of another type or status for a
        // message.
        match (kind_of(response.headers()), code) {
            (Kind::Events, StatusCode::OK) => {
                let given = coming(response.headers(), EVENTS);
                self.events(response.into_body(), given).await;
            }
            (Kind::Json, StatusCode::OK) if self.id.is_some() => self.document(response).await,
            _ if self.id.is_some() || self.listens => {
                let why = format!(
                    "mcp.type: the server answered with status {code} and a body that is neither application/json nor \
                     text/event-stream with status 200; it wasn't passed on"
                );
                self.lost(CallEnding::Failed, &why).await;
            }
            _ => self.acknowledged(response).await,
        }
    }

    /// Handles the message that answers the request.
    async fn document(&self, response: Response<Incoming>) {
        let (code, given) = (response.status(), coming(response.headers(), JSON));
        match read(response.into_body(), LONGEST).await {
            Err(why) => self.lost(CallEnding::Unobserved, &why.to_string()).await,
            Ok(LineFrame::Line(text)) => {
                let via: Via = Arc::new(Document { pump: self.here(), code, given });
                let _ = self.relay.from_server(Some(&via), text).await;
                let why = "mcp.answer: the server answered something else than it was asked";
                self.lost(CallEnding::Failed, why).await;
            }
            Ok(broken) => {
                self.relay.broken_from_server(&broken).await;
                self.lost(CallEnding::Failed, unreadable(&broken)).await;
            }
        }
    }

    /// The server accepted a message that has no answer. A body has no meaning here and isn't forwarded.
    async fn acknowledged(&self, response: Response<Incoming>) {
        let code = response.status();
        let mut given = end_to_end(response.headers());
        given.retain_names(|name| !name.as_str().starts_with("content-"));
        if matches!(read(response.into_body(), LONGEST).await, Ok(LineFrame::Line(text)) if text.is_empty()) {
            return self.plain(code, given, "").await;
        }
        let why = "from the server: a body where none belongs; it was dropped";
        self.relay.fault("mcp.type", why);
        self.plain(StatusCode::ACCEPTED, given, "").await;
    }

    /// The server refused, with a text that isn't treated as a message.
    async fn refusal(&self, response: Response<Incoming>) {
        let code = response.status();
        if !(code.is_client_error() || code.is_server_error()) {
            let why = format!("mcp.status: the server answered with status {code}, which ends no request");
            return self.lost(CallEnding::Failed, &why).await;
        }
        let kind = if kind_of(response.headers()) == Kind::Json { JSON } else { TEXT };
        let given = coming(response.headers(), kind);
        match read(response.into_body(), LONGEST).await {
            Err(why) => self.lost(CallEnding::Unobserved, &why.to_string()).await,
            Ok(LineFrame::Line(text)) if holds_message(&text) => {
                let why = format!(
                    "mcp.status: the server put a message that is no error into an answer with status {code}; it \
                     wasn't passed on"
                );
                self.lost(CallEnding::Failed, &why).await;
            }
            Ok(LineFrame::Line(text)) => self.plain(code, given, &text).await,
            Ok(broken) => {
                self.relay.broken_from_server(&broken).await;
                self.lost(CallEnding::Failed, "mcp.answer: the server's answer can't be read").await;
            }
        }
    }

    fn here(&self) -> Self {
        let (relay, exchange) = (Arc::clone(&self.relay), Arc::clone(&self.exchange));
        let (id, visible, listens) = (self.id.clone(), self.visible, self.listens);
        Self { relay, exchange, id, visible, listens }
    }

    /// The request will get no answer: reports it, unless it was answered.
    pub(crate) async fn lost(&self, ending: CallEnding, why: &str) {
        let waits = self.id.as_ref().is_some_and(|id| self.relay.awaits(id));
        if let Some(id) = self.id.as_ref().filter(|_| !self.visible) {
            self.tell_ourselves(id, why).await;
        } else if let Some(id) = self.id.as_ref().filter(|_| waits) {
            self.relay.fault("mcp.server", why);
            self.relay.unanswered(id, ending, Vec::new(), Some(why)).await;
        } else if self.visible && self.id.is_none() {
            self.relay.fault("mcp.server", why);
            self.exchange.finish(StatusCode::BAD_GATEWAY).await;
        }
    }

    /// Ends the wait for a request of the gateway's own that got no message as answer. Ignored if it was answered.
    async fn tell_ourselves(&self, id: &str, why: &str) {
        self.relay.answer_ourselves(id, why).await;
    }

    /// Sends an answer that isn't a message: a refusal, a request to sign in, an acknowledgement.
    pub(crate) async fn plain(&self, code: StatusCode, mut given: HeaderMap, text: &str) {
        if !self.visible {
            if let Some(id) = &self.id {
                self.tell_ourselves(id, &format!("the server refused with status {code}")).await;
            }
            return;
        }
        let shown = match self.relay.refused(self.id.as_deref(), text).await {
            Ok(shown) => shown,
            Err(error) => {
                let why =
                    format!("the server's refusal couldn't be recorded, so it isn't passed on: {error}");
                self.relay.fault("mcp.unrecorded", &why);
                given.insert(header::CONTENT_TYPE, TEXT);
                format!("mcp.unrecorded: {why}")
            }
        };
        let _ = self.exchange.whole(code, given, &shown).await;
    }

    async fn events(&self, mut body: Incoming, given: HeaderMap) {
        if self.visible && self.exchange.stream(given).await.is_err() {
            return self.lost(CallEnding::Unobserved, "the client is gone").await;
        }
        let mut reader = Events::default();
        let mut resumable = false;
        loop {
            let silence = if self.id.is_some() { SILENCE } else { Duration::MAX };
            let frame = tokio::select! {
                frame = tokio::time::timeout(silence, body.frame()) => frame,
                () = self.exchange.gone(), if self.visible => break,
            };
            let Ok(Some(Ok(frame))) = frame else { break };
            let Some(data) = frame.data_ref() else { continue };
            for part in reader.feed(data) {
                match part {
                    StreamPart::Event(event) => {
                        resumable |= event.id.as_ref().is_some_and(|id| !id.is_empty());
                        if self.event(event).await.is_err() {
                            break;
                        }
                    }
                    StreamPart::TooLong(length) => return self.broken(&LineFrame::TooLong(length)).await,
                    StreamPart::NotText(at) => return self.broken(&LineFrame::NotText(at)).await,
                }
            }
        }
        // With an event id the client may resume the stream.
        if !resumable {
            self.lost(CallEnding::Unobserved, "mcp.server: the server ended its stream before it answered")
                .await;
        }
        if self.visible {
            self.exchange.finish(StatusCode::OK).await;
        }
    }

    async fn event(&self, event: Event) -> io::Result<()> {
        let data = event.data.clone().unwrap_or_default();
        if data.is_empty() {
            return if self.visible { self.exchange.event(event.with_data_as_it_is()).await } else { Ok(()) };
        }
        if event.event != "message" {
            let why = format!(
                "from the server: an event `{}`, which the protocol doesn't have; it was dropped",
                event.event
            );
            self.relay.fault("mcp.event", &why);
            return Ok(());
        }
        let via: Via = Arc::new(Streamed { pump: self.here(), event });
        self.relay.from_server(Some(&via), data).await
    }

    /// Ends the stream at an unreadable event, because its content couldn't be judged.
    async fn broken(&self, broken: &LineFrame) {
        self.relay.broken_from_server(broken).await;
        self.lost(CallEnding::Failed, unread(broken)).await;
        if self.visible {
            self.exchange.finish(StatusCode::OK).await;
        }
    }
}

/// Why the document that answers a request can't be forwarded.
const fn unreadable(document: &LineFrame) -> &'static str {
    match document {
        LineFrame::TooLong(_) => "mcp.answer: the server's answer is longer than 16 MiB",
        _ => "mcp.answer: the server's answer can't be read",
    }
}

/// Why a response stream ended at an unreadable event.
pub(crate) const fn unread(event: &LineFrame) -> &'static str {
    match event {
        LineFrame::TooLong(_) => "mcp.event: the server sent an event of more than 16 MiB",
        _ => "mcp.event: the server sent an event that can't be read",
    }
}

/// Forwards messages from an event as one event.
struct Streamed {
    pump: Pump,
    event: Event,
}

/// Forwards a message from a document as a document.
struct Document {
    pump: Pump,
    code: StatusCode,
    given: HeaderMap,
}

impl Route for Streamed {
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(async move {
            if !self.pump.visible {
                return Ok(());
            }
            self.pump.exchange.event(self.event.with_data(text)).await
        })
    }

    fn forward<'a>(&'a self, _: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(std::future::ready(Err(io::ErrorKind::Unsupported.into())))
    }

    fn ask_server<'a>(&'a self, _: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(std::future::ready(Err(io::ErrorKind::Unsupported.into())))
    }
}

impl Route for Document {
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(async move {
            if !self.pump.visible {
                return Ok(());
            }
            self.pump.exchange.whole(self.code, self.given.clone(), text).await
        })
    }

    fn forward<'a>(&'a self, _: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(std::future::ready(Err(io::ErrorKind::Unsupported.into())))
    }

    fn ask_server<'a>(&'a self, _: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(std::future::ready(Err(io::ErrorKind::Unsupported.into())))
    }
}

/// Whether a text is a message other than an error, however its members are spelled: a client that ignores the
/// status would read it.
fn holds_message(text: &str) -> bool {
    let is_message = |object: &Map<String, Value>| {
        let mut names = object.keys().map(|name| name.to_uppercase().to_lowercase());
        names.any(|name| matches!(name.as_str(), "result" | "method" | "params"))
    };
    // Some readers skip a byte order mark.
    match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(object)) => is_message(&object),
        Ok(Value::Array(items)) => items.iter().filter_map(Value::as_object).any(is_message),
        _ => false,
    }
}

/// A whole body as text.
pub(crate) async fn read(mut body: Incoming, longest: usize) -> io::Result<LineFrame> {
    let mut bytes = Vec::new();
    loop {
        let frame = tokio::time::timeout(SILENCE, body.frame()).await;
        let frame = frame.map_err(|_| io::Error::other("the server's answer stopped in its middle"))?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(io::Error::other)?;
        let Some(data) = frame.data_ref() else { continue };
        if bytes.len().saturating_add(data.len()) > longest {
            return Ok(LineFrame::TooLong(bytes.len().saturating_add(data.len())));
        }
        bytes.extend_from_slice(data);
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => LineFrame::Line(text),
        Err(error) => LineFrame::NotText(error.utf8_error().valid_up_to()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_in_a_refusal_is_found_however_it_is_written() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"RESULT":{}}"#,
            "{\"re\u{17f}ult\":{}}",
            r#"{"r\u0065sult":{}}"#,
            "\u{feff} {\"result\":{}}",
            r#"{"id":1,"method":"elicitation/create"}"#,
            r#"[1,{"result":{}}]"#,
        ] {
            assert!(holds_message(text), "{text}");
        }
        for text in [r#"{"jsonrpc":"2.0","id":1,"error":{"message":"result"}}"#, "result", "", "7", "{"] {
            assert!(!holds_message(text), "{text}");
        }
    }
}
