//! Lets the relay speak to a server over HTTP as if it were on pipes: each message becomes a POST. Messages that come
//! back, in its answer, on the listening stream or on a resumed stream, go to the relay. Servers of the oldest kind
//! (HTTP with SSE, 2024-11-05) are spoken to in their own way.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use doorward_core::Boxed;
use doorward_mcp::frame::LineFrame;
use doorward_mcp::headers;
use doorward_mcp::message::{Kind as Rpc, Message};
use doorward_mcp::relay::{CallEnding, Outlet, Relay, Side};
use doorward_mcp::sse::{Event, Events, StreamPart};
use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::LONGEST;
use crate::proxy::SESSION;
use crate::pump::{read, unread};
use crate::sessions::Link;
use crate::upstream::{Kind, Upstream, is_packed, kind_of};

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// How long a server of the oldest kind may take to name the endpoint for messages.
const ENDPOINT: Duration = Duration::from_secs(15);
/// How long a server may send nothing in the middle of a call's stream.
const SILENCE: Duration = Duration::from_secs(600);
/// Wait before a stream is resumed: the default if the server names no time, and the longest.
const AGAIN: Duration = Duration::from_secs(1);
const AGAIN_AT_MOST: Duration = Duration::from_secs(30);
/// Limit on consecutive resumptions that bring nothing.
const TRIES: u32 = 10;
/// Time limit for ending a session.
const LAST: Duration = Duration::from_secs(2);

/// The connection of one session.
pub struct Bridge {
    me: Weak<Bridge>,
    upstream: Arc<Upstream>,
    relay: Arc<Relay>,
    state: Mutex<State>,
    tasks: Mutex<JoinSet<()>>,
    /// The server is gone for good.
    over: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    session: Option<HeaderValue>,
    /// The agreed revision.
    version: Option<HeaderValue>,
    /// The id of the request that begins the session, as written.
    beginning: Option<String>,
    /// Endpoint for messages to a server of the oldest kind.
    endpoint: Option<String>,
    /// Set by the first answer, which shows the kind of server.
    known: bool,
}

impl Bridge {
    /// A connection to a server, whose messages go to the relay.
    #[must_use]
    pub fn new(upstream: Arc<Upstream>, relay: Arc<Relay>) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            upstream,
            relay,
            state: Mutex::default(),
            tasks: Mutex::default(),
            over: watch::Sender::new(false),
        })
    }

    /// Waits until the server is gone for good.
    pub async fn gone(&self) {
        let mut over = self.over.subscribe();
        let _ = over.wait_for(|over| *over).await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every critical section changes one field, so the state is consistent even if the lock is poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let state = self.lock();
        headers.extend(state.session.clone().map(|session| (SESSION, session)));
        headers.extend(state.version.clone().map(|version| (VERSION, version)));
        headers
    }

    async fn post(&self, text: &str) -> Result<Response<Incoming>, crate::upstream::Failed> {
        let mut sent = self.headers();
        sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        sent.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Ok(message) = Message::of(text) {
            let repeated = self.relay.repeated_of(&message);
            for (name, value) in headers::of(&message, &repeated) {
                if let (Ok(name), Ok(value)) =
                    (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value))
                {
                    sent.insert(name, value);
                }
            }
        }
        let path = self.lock().endpoint.clone().unwrap_or_else(|| self.upstream.path());
        self.upstream.send(Method::POST, &path, sent, Bytes::copy_from_slice(text.as_bytes())).await
    }

    async fn get(&self, last: Option<&str>) -> Option<Response<Incoming>> {
        let mut sent = self.headers();
        sent.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        sent.extend(last.and_then(|last| HeaderValue::from_str(last).ok()).map(|last| (LAST_EVENT, last)));
        let response =
            self.upstream.send(Method::GET, &self.upstream.path(), sent, Bytes::new()).await.ok()?;
        let is_stream = response.status() == StatusCode::OK && kind_of(response.headers()) == Kind::Events;
        (is_stream && !is_packed(response.headers())).then_some(response)
    }

    async fn put(&self, text: &str) -> io::Result<()> {
        let Ok(message) = Message::of(text) else { return Err(io::ErrorKind::InvalidData.into()) };
        let me = self.me.upgrade().ok_or(io::ErrorKind::BrokenPipe)?;
        if message.kind == Rpc::Request {
            if message.method == "initialize" {
                self.lock().beginning = Some(message.id.to_owned());
            }
            let (id, text) = (message.id.to_owned(), text.to_owned());
            // Later messages don't wait for the answer to this one.
            self.spawn(async move { me.request(&id, &text).await });
            return Ok(());
        }
        let answered = self.post(text).await.map_err(|failed| io::Error::other(failed.to_string()))?;
        if !answered.status().is_success() {
            let why = format!("the server refused `{}` with status {}", message.method, answered.status());
            self.relay.fault("mcp.server", &why);
        }
        if message.method == "notifications/initialized" && self.lock().endpoint.is_none() {
            self.spawn(async move { me.listen().await });
        }
        Ok(())
    }

    async fn request(self: Arc<Self>, id: &str, text: &str) {
        let response = match self.post(text).await {
            Ok(response) => response,
            Err(failed) => {
                let ending = match failed {
                    crate::upstream::Failed::NotSent(_) => CallEnding::NotSent,
                    crate::upstream::Failed::Lost(_) => CallEnding::Unobserved,
                };
                return self.lost(id, ending, &format!("mcp.server: {failed}")).await;
            }
        };
        let code = response.status();
        let was_known = std::mem::replace(&mut self.lock().known, true);
        if !was_known && matches!(code.as_u16(), 400 | 404 | 405) && self.speak_oldest().await {
            return self.request_again(id, text).await;
        }
        if code == StatusCode::ACCEPTED && self.lock().endpoint.is_some() {
            // A server of the oldest kind answers on its stream.
            return;
        }
        if let Some(session) = response.headers().get(SESSION).filter(|_| code.is_success()) {
            self.lock().session = Some(session.clone());
        }
        if is_packed(response.headers()) || code.is_redirection() {
            let why = "mcp.server: the server sent a compressed answer or a redirect; neither is accepted";
            return self.lost(id, CallEnding::Failed, why).await;
        }
        match kind_of(response.headers()) {
            Kind::Events if code == StatusCode::OK => self.streamed(id, response).await,
            kind => match read(response.into_body(), LONGEST).await {
                // Revision 2026-07-28 sends JSON-RPC errors with a status other than 200.
                Ok(LineFrame::Line(text)) if kind == Kind::Json && is_answer_to(&text, id) => {
                    self.take(text).await
                }
                Ok(LineFrame::Line(_)) => {
                    let why = format!("mcp.server: the server refused the request with status {code}");
                    self.lost(id, CallEnding::Failed, &why).await;
                }
                Ok(broken) => self.relay.broken_from_server(&broken).await,
                Err(error) => self.lost(id, CallEnding::Unobserved, &format!("mcp.server: {error}")).await,
            },
        }
        self.lost(id, CallEnding::Failed, "mcp.answer: the server's answer doesn't belong to the request")
            .await;
    }

    /// Answers a request with an error in place of the server, unless it was answered.
    async fn lost(&self, id: &str, ending: CallEnding, why: &str) {
        // A request of the gateway's own: its caller gets the error.
        if self.relay.is_ours(id) {
            self.relay.answer_ourselves(id, why).await;
        }
        if self.relay.awaits(id) {
            self.relay.fault("mcp.server", why);
            self.relay.unanswered(id, ending, Vec::new(), Some(why)).await;
        }
    }

    async fn take(&self, text: String) {
        let begun = Message::of(&text).ok().filter(|message| {
            message.kind == Rpc::Answer && self.lock().beginning.as_deref() == Some(message.id)
        });
        if let Some(result) = begun.as_ref().and_then(Message::result) {
            let version = doorward_mcp::message::Members::of(result).ok();
            let version = version.and_then(|members| members.text("protocolVersion"));
            let mut state = self.lock();
            state.version = version.and_then(|version| HeaderValue::from_str(&version).ok());
            state.beginning = None;
        }
        let _ = self.relay.from_server(None, text).await;
    }

    /// Reads the stream of a request's answer, and resumes it if the server closes it before the answer.
    async fn streamed(&self, id: &str, response: Response<Incoming>) {
        let mut cursor = Cursor::default();
        let mut response = response;
        for _ in 0..TRIES {
            if let Err(broken) = self.events(response.into_body(), &mut cursor, SILENCE, None).await {
                return self.lost(id, CallEnding::Failed, unread(&broken)).await;
            }
            let Some(last) = cursor.last.clone().filter(|_| self.relay.awaits(id) || self.relay.is_ours(id))
            else {
                break;
            };
            tokio::time::sleep(cursor.wait()).await;
            match self.get(Some(&last)).await {
                Some(again) => response = again,
                None => break,
            }
        }
        self.lost(id, CallEnding::Unobserved, "mcp.server: the server ended its stream before it answered")
            .await;
    }

    /// Reads the stream of messages that belong to no request, while the server offers one.
    async fn listen(self: Arc<Self>) {
        let mut cursor = Cursor::default();
        let mut tries = 0;
        while tries < TRIES {
            let Some(response) = self.get(cursor.last.as_deref()).await else { return };
            let before = cursor.last.clone();
            if self.events(response.into_body(), &mut cursor, Duration::MAX, None).await.is_err() {
                return;
            }
            tries = if cursor.last == before { tries + 1 } else { 0 };
            tokio::time::sleep(cursor.wait()).await;
        }
    }

    /// Reads the events of a stream until it ends or an event is unreadable.
    async fn events(
        &self,
        mut body: Incoming,
        cursor: &mut Cursor,
        silence: Duration,
        mut endpoint: Option<tokio::sync::oneshot::Sender<String>>,
    ) -> Result<(), LineFrame> {
        let mut reader = Events::default();
        while let Ok(Some(Ok(frame))) = timeout(silence, body.frame()).await {
            let Some(data) = frame.data_ref() else { continue };
            for part in reader.feed(data) {
                let read = match part {
                    StreamPart::Event(event) => Ok(event),
                    StreamPart::TooLong(length) => Err(LineFrame::TooLong(length)),
                    StreamPart::NotText(at) => Err(LineFrame::NotText(at)),
                };
                let event = match read {
                    Ok(event) => event,
                    Err(broken) => {
                        self.relay.broken_from_server(&broken).await;
                        return Err(broken);
                    }
                };
                cursor.take(&event);
                let data = event.data.filter(|data| !data.is_empty());
                match (event.event.as_str(), data, &mut endpoint) {
                    ("message", Some(data), _) => self.take(data).await,
                    ("endpoint", Some(data), waiting @ Some(_)) => {
                        if let Some(waiting) = waiting.take() {
                            let _ = waiting.send(data);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Opens the stream of a server of the oldest kind; `false` if the server isn't of that kind.
    async fn speak_oldest(self: &Arc<Self>) -> bool {
        let Some(response) = self.get(None).await else { return false };
        let (to, named) = tokio::sync::oneshot::channel();
        let me = Arc::clone(self);
        self.spawn(async move {
            let _ = me.events(response.into_body(), &mut Cursor::default(), Duration::MAX, Some(to)).await;
            // Such a server can't answer without its stream.
            me.over.send_replace(true);
            me.relay.close(Side::Server).await;
        });
        let Ok(Ok(endpoint)) = timeout(ENDPOINT, named).await else { return false };
        match self.upstream.path_of(&endpoint) {
            Some(path) => {
                self.lock().endpoint = Some(path);
                true
            }
            None => {
                // Messages, and the token meant for this server, would go to another one.
                let why = "from the server: its endpoint is on another server, which the gateway doesn't use";
                self.relay.fault("mcp.endpoint", why);
                false
            }
        }
    }

    async fn request_again(&self, id: &str, text: &str) {
        match self.post(text).await {
            Ok(response) if response.status().is_success() => {}
            Ok(response) => {
                let why =
                    format!("mcp.server: the server refused the request with status {}", response.status());
                self.lost(id, CallEnding::Failed, &why).await;
            }
            Err(failed) => self.lost(id, CallEnding::Unobserved, &format!("mcp.server: {failed}")).await,
        }
    }
}

/// The event after which a stream is resumed, and the wait before.
#[derive(Default)]
struct Cursor {
    last: Option<String>,
    retry: Option<u64>,
}

impl Cursor {
    fn take(&mut self, event: &Event) {
        if let Some(id) = &event.id {
            self.last = Some(id.clone()).filter(|id| !id.is_empty());
        }
        self.retry = event.retry.or(self.retry);
    }

    fn wait(&self) -> Duration {
        self.retry.map_or(AGAIN, Duration::from_millis).min(AGAIN_AT_MOST)
    }
}

/// Whether a document is the answer to a request. An error without an id belongs to the only request that was sent.
fn is_answer_to(text: &str, id: &str) -> bool {
    Message::of(text)
        .is_ok_and(|message| message.kind == Rpc::Answer && doorward_mcp::relay::is_same_id(message.id, id))
}

impl Outlet for Bridge {
    fn send<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.put(text))
    }
}

impl Link for Bridge {
    fn close(&self) -> Boxed<'_, ()> {
        Box::pin(async move {
            let headers = self.headers();
            if headers.contains_key(SESSION) {
                let path = self.upstream.path();
                let ended = self.upstream.send(Method::DELETE, &path, headers, Bytes::new());
                let _ = timeout(LAST, ended).await;
            }
            let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
            tasks.shutdown().await;
        })
    }
}
