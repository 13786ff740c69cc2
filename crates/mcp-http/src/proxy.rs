//! A client over HTTP before a server over HTTP: every request of the client becomes one of ours, whose answer goes
//! back as it came, status, headers, events and their ids included. Only the messages inside pass the relay.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use doorward_core::Boxed;
use doorward_mcp::frame::Frame;
use doorward_mcp::headers::{self, Repeated};
use doorward_mcp::message::{Kind as Rpc, Message};
use doorward_mcp::relay::{Ending, Relay, Route, Side, Via};
use doorward_mcp::sse::{Event, Events, Part};
use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};
use serde_json::{Map, Value};

use crate::LONGEST;
use crate::exchange::{Exchange, Outflow, error, status};
use crate::listen::{Asked, Front};
use crate::upstream::{Failed, Kind, Upstream, is_packed, kind_of};

/// Sessions that are remembered; the one that was quiet longest goes first.
const MOST_SESSIONS: usize = 10_000;
/// How long a server may be silent in the middle of a body or of a call's stream.
const SILENCE: Duration = Duration::from_secs(600);
/// Longest document about signing in.
const LONGEST_ABOUT: usize = 1 << 20;

/// The header that names a session.
pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// What belongs to one connection and not to the message.
const OF_THE_HOP: &[HeaderName] = &[
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::HOST,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];
/// The same, as names that the library doesn't know.
const OF_THE_HOP_TOO: &[&str] = &["http2-settings", "keep-alive", "proxy-connection"];
/// What isn't passed on besides: a cookie of a loopback address would go to every other port of it.
const LEFT_OUT: &[HeaderName] = &[
    header::ACCEPT_ENCODING,
    header::COOKIE,
    header::EXPECT,
    header::ORIGIN,
    header::REFERER,
    header::SET_COOKIE,
];

/// How the names of headers begin that replace a part of the request.
const OVERRIDES: &[&str] = &[
    "content-",
    "forwarded",
    "method-override",
    "x-forwarded-",
    "x-http-",
    "x-method",
    "x-original-",
    "x-override",
    "x-real-",
    "x-rewrite-",
];

/// A gateway before one server.
pub struct Proxy {
    upstream: Arc<Upstream>,
    root: Arc<Relay>,
    sessions: Mutex<HashMap<String, Session>>,
}

struct Session {
    relay: Arc<Relay>,
    used: Instant,
}

impl Proxy {
    /// Before a server.
    #[must_use]
    pub fn new(upstream: Arc<Upstream>, root: Arc<Relay>) -> Arc<Self> {
        Arc::new(Self { upstream, root, sessions: Mutex::default() })
    }

    /// Closes everything that is open.
    pub async fn close(&self) {
        let all: Vec<Session> = self.lock().drain().map(|(_, session)| session).collect();
        for session in all {
            session.relay.close(Side::Client).await;
        }
        self.root.close(Side::Client).await;
        self.root.withdraw_seals().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        // Every critical section is one change of the map, so a poisoned one is still whole.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The relay of a session that the client names; one that we never saw begin has its own from now on.
    fn relay_of(&self, session: &str) -> Arc<Relay> {
        if let Some(known) = self.lock().get_mut(session) {
            known.used = Instant::now();
            return Arc::clone(&known.relay);
        }
        let relay = self.root.beside();
        self.begin(session, &relay);
        relay
    }

    fn begin(&self, session: &str, relay: &Arc<Relay>) {
        let mut sessions = self.lock();
        if sessions.len() >= MOST_SESSIONS {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone());
            if let Some(gone) = oldest.and_then(|id| sessions.remove(&id)) {
                tokio::spawn(async move { gone.relay.close(Side::Client).await });
            }
        }
        sessions.insert(session.to_owned(), Session { relay: Arc::clone(relay), used: Instant::now() });
    }

    /// The client's headers as they go to the server. Keys come in headers of any name, so that there is no list of
    /// those that pass; but a name that a server may take for another one doesn't, and neither does one that would have
    /// the server read another method, path or body than was judged.
    fn passing(&self, given: &HeaderMap) -> HeaderMap {
        let mut passing = end_to_end(given);
        passing.retain_names(|name| {
            let name = name.as_str();
            let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            let overrides = OVERRIDES.iter().any(|begin| name.starts_with(begin));
            is_plain && !overrides && !headers::is_routing(name)
        });
        if given.contains_key(header::ORIGIN)
            && let Some(origin) = self.upstream.origin()
        {
            passing.insert(header::ORIGIN, origin);
        }
        passing
    }

    async fn posted(self: Arc<Self>, asked: Asked) -> Response<Outflow> {
        let message = match Message::of(&asked.text) {
            Ok(message) => message,
            Err(malformed) => {
                self.root.fault("mcp.malformed", &format!("from the client: {malformed}"));
                return error(StatusCode::BAD_REQUEST, "null", malformed.code(), &malformed.to_string());
            }
        };
        let session = match session_of(&asked.headers) {
            Ok(session) => session,
            Err(why) => return error(StatusCode::BAD_REQUEST, message.id, -32600, why),
        };
        let alone = headers::is_stateless(&message) || session.is_none();
        let relay = match session {
            Some(session) if !alone => self.relay_of(session),
            _ => self.root.beside(),
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        let mut post = Post {
            me: Weak::new(),
            proxy: Arc::clone(&self),
            relay: Arc::clone(&relay),
            exchange: Arc::clone(&exchange),
            headers: self.passing(&asked.headers),
            repeated: Vec::new(),
            begins: message.method == "initialize",
            id: (message.kind == Rpc::Request).then(|| message.id.to_owned()),
        };
        let first: Via = Arc::new_cyclic(|me| Post { me: me.clone(), ..post.clone() });
        post.repeated = relay.repeated(&first, &message).await;
        let given: Vec<(String, Vec<u8>)> =
            asked.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        if let Err(wrong) = headers::check(&message, &given, &post.repeated) {
            self.root.fault("mcp.header", &format!("from the client: {}", wrong.why));
            let why = format!("mcp.header: {}", wrong.why);
            return error(StatusCode::BAD_REQUEST, message.id, wrong.code, &why);
        }
        let post = Arc::new_cyclic(|me| Post { me: me.clone(), ..post });
        let via: Via = Arc::clone(&post) as Via;
        let (kind, text) = (message.kind, asked.text.clone());
        tokio::spawn(async move {
            let sent = relay.from_client(&via, text).await;
            if kind != Rpc::Request {
                let code = if sent.is_err() { StatusCode::BAD_GATEWAY } else { StatusCode::ACCEPTED };
                post.exchange.finish(code).await;
            }
            post.exchange.gone().await;
            if let Some(id) = &post.id {
                relay.left(&via, id).await;
            }
            // In a session, what the client asks next belongs to the same relay.
            if alone && !post.has_begun(&relay) {
                relay.close(Side::Client).await;
            }
        });
        answer.response().await
    }

    async fn listened(self: Arc<Self>, given: HeaderMap) -> Response<Outflow> {
        let relay = match session_of(&given) {
            Ok(Some(session)) => self.relay_of(session),
            Ok(None) => self.root.beside(),
            Err(why) => return error(StatusCode::BAD_REQUEST, "null", -32600, why),
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        let headers = self.passing(&given);
        tokio::spawn(async move {
            let pump =
                Pump { relay, exchange: Arc::clone(&exchange), id: None, visible: true, listens: true };
            match self.upstream.send(Method::GET, &self.upstream.path(), headers, Bytes::new()).await {
                Ok(response) => pump.take(response).await,
                Err(failed) => {
                    pump.plain(StatusCode::BAD_GATEWAY, HeaderMap::new(), &failed.to_string()).await
                }
            }
            exchange.finish(StatusCode::BAD_GATEWAY).await;
        });
        answer.response().await
    }

    async fn deleted(self: Arc<Self>, given: HeaderMap) -> Response<Outflow> {
        let session = match session_of(&given) {
            Ok(session) => session.map(str::to_owned),
            Err(why) => return error(StatusCode::BAD_REQUEST, "null", -32600, why),
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        let headers = self.passing(&given);
        tokio::spawn(async move {
            let pump = Pump {
                relay: Arc::clone(&self.root),
                exchange: Arc::clone(&exchange),
                id: None,
                visible: true,
                listens: false,
            };
            match self.upstream.send(Method::DELETE, &self.upstream.path(), headers, Bytes::new()).await {
                Ok(response) => {
                    let ended = response.status().is_success();
                    pump.take(response).await;
                    let gone = session.filter(|_| ended).and_then(|session| self.lock().remove(&session));
                    if let Some(gone) = gone {
                        gone.relay.close(Side::Client).await;
                    }
                }
                Err(failed) => {
                    pump.plain(StatusCode::BAD_GATEWAY, HeaderMap::new(), &failed.to_string()).await
                }
            }
            exchange.finish(StatusCode::BAD_GATEWAY).await;
        });
        answer.response().await
    }

    async fn told_about(self: Arc<Self>, path: String, endpoint: String) -> Response<Outflow> {
        // The document is named after the path of the endpoint, which is another one at the server.
        let own = self.upstream.path();
        let own = own.split('?').next().unwrap_or_default().trim_end_matches('/');
        let path = path.strip_suffix(&endpoint).map_or(path.clone(), |rest| format!("{rest}{own}"));
        let Ok(response) = self.upstream.send(Method::GET, &path, HeaderMap::new(), Bytes::new()).await
        else {
            return status(StatusCode::BAD_GATEWAY);
        };
        let code = response.status();
        if code.is_client_error() {
            return status(code);
        }
        let is_json = kind_of(response.headers()) == Kind::Json && !is_packed(response.headers());
        if code != StatusCode::OK || !is_json {
            return status(StatusCode::BAD_GATEWAY);
        }
        let given = coming(response.headers(), JSON);
        let Ok(Frame::Line(text)) = read(response.into_body(), LONGEST_ABOUT).await else {
            return status(StatusCode::BAD_GATEWAY);
        };
        if serde_json::from_str::<Map<String, Value>>(&text).is_err() {
            return status(StatusCode::BAD_GATEWAY);
        }
        let Ok(text) = self.root.refused(None, &text).await else {
            return status(StatusCode::BAD_GATEWAY);
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        tokio::spawn(async move { exchange.whole(StatusCode::OK, given, &text).await });
        answer.response().await
    }
}

impl Front for Proxy {
    fn post(self: Arc<Self>, asked: Asked) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.posted(asked))
    }

    fn get(self: Arc<Self>, headers: HeaderMap) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.listened(headers))
    }

    fn delete(self: Arc<Self>, headers: HeaderMap) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.deleted(headers))
    }

    fn about(self: Arc<Self>, path: String, endpoint: String) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.told_about(path, endpoint))
    }

    fn fault(&self, code: &str, why: &str) {
        self.root.fault(code, why);
    }
}

/// The session that a request names: visible characters, once.
pub(crate) fn session_of(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let mut given = headers.get_all(SESSION).iter();
    let Some(session) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err("the header Mcp-Session-Id stands there twice");
    }
    let text = session.to_str().ok().filter(|text| {
        (1..=1_024).contains(&text.len()) && text.bytes().all(|byte| (0x21..0x7f).contains(&byte))
    });
    text.map(Some).ok_or("the header Mcp-Session-Id is no visible ASCII of 1 to 1,024 characters")
}

/// Headers without those of the connection and those that it names itself.
fn end_to_end(given: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = given
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    let mut passing = given.clone();
    passing.retain_names(|name| {
        let is_of_hop =
            OF_THE_HOP.contains(name) || LEFT_OUT.contains(name) || OF_THE_HOP_TOO.contains(&name.as_str());
        !(is_of_hop || named.iter().any(|own| own == name.as_str()))
    });
    passing
}

/// A server's headers as they go to the client: what the body is, the gateway says itself.
fn coming(given: &HeaderMap, kind: HeaderValue) -> HeaderMap {
    let mut coming = end_to_end(given);
    coming.retain_names(|name| !name.as_str().starts_with("content-"));
    coming.insert(header::CONTENT_TYPE, kind);
    coming
}

/// Leaving headers out by their names.
trait RetainNames {
    fn retain_names(&mut self, keep: impl Fn(&HeaderName) -> bool);
}

impl RetainNames for HeaderMap {
    fn retain_names(&mut self, keep: impl Fn(&HeaderName) -> bool) {
        let gone: Vec<HeaderName> = self.keys().filter(|name| !keep(name)).cloned().collect();
        for name in gone {
            self.remove(name);
        }
    }
}

/// One POST of the client's, and the route of what belongs to it.
#[derive(Clone)]
struct Post {
    me: Weak<Post>,
    proxy: Arc<Proxy>,
    relay: Arc<Relay>,
    exchange: Arc<Exchange>,
    headers: HeaderMap,
    repeated: Vec<Repeated>,
    /// It begins a session.
    begins: bool,
    /// Id of the request; `None` for what has no answer.
    id: Option<String>,
}

impl Post {
    fn has_begun(&self, relay: &Arc<Relay>) -> bool {
        self.begins && self.proxy.lock().values().any(|session| Arc::ptr_eq(&session.relay, relay))
    }

    /// Our headers for a message: the client's own, with those anew that repeat parts of the message.
    fn headers_for(&self, text: &str) -> HeaderMap {
        let mut sent = self.headers.clone();
        sent.insert(header::CONTENT_TYPE, JSON);
        let Ok(message) = Message::of(text) else { return sent };
        for (name, value) in headers::of(&message, &self.repeated) {
            if let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value))
            {
                sent.insert(name, value);
            }
        }
        sent
    }

    /// Sends a message and takes what comes back.
    async fn carry(&self, text: &str, visible: bool) -> io::Result<()> {
        let id = Message::of(text)
            .ok()
            .filter(|message| message.kind == Rpc::Request)
            .map(|own| own.id.to_owned());
        let upstream = &self.proxy.upstream;
        let body = Bytes::copy_from_slice(text.as_bytes());
        let path = upstream.path();
        let sending = upstream.send(Method::POST, &path, self.headers_for(text), body);
        let sent = tokio::select! {
            sent = sending => sent,
            // Whether it arrived, nobody will know.
            () = self.exchange.gone(), if visible => {
                if let Some(id) = &id {
                    self.relay.unanswered(id, Ending::Unobserved, Vec::new(), None).await;
                }
                return Ok(());
            }
        };
        let pump = Pump {
            relay: Arc::clone(&self.relay),
            exchange: Arc::clone(&self.exchange),
            id: id.clone(),
            visible,
            listens: false,
        };
        match sent {
            Err(Failed::NotSent(why)) => return Err(io::Error::other(why)),
            Err(lost @ Failed::Lost(_)) => pump.lost(Ending::Unobserved, &lost.to_string()).await,
            Ok(response) => {
                let begun =
                    response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
                if let Some(session) =
                    begun.filter(|_| visible && self.begins && response.status().is_success())
                {
                    self.proxy.begin(&session, &self.relay);
                }
                pump.take(response).await;
            }
        }
        Ok(())
    }
}

impl Route for Post {
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        doorward_mcp::relay::Outlet::send(&*self.exchange, text)
    }

    fn forward<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.carry(text, true))
    }

    fn ask_server<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>> {
        Box::pin(async move {
            let me = self.me.upgrade().ok_or(io::ErrorKind::BrokenPipe)?;
            let text = text.to_owned();
            // Whoever asked waits for the answer, with a limit of its own.
            tokio::spawn(async move {
                if let Err(error) = me.carry(&text, false).await {
                    me.relay.fault("mcp.server", &error.to_string());
                }
            });
            Ok(())
        })
    }
}

/// Takes one answer of the server's to where it belongs.
pub(crate) struct Pump {
    pub(crate) relay: Arc<Relay>,
    pub(crate) exchange: Arc<Exchange>,
    /// The request that it answers.
    pub(crate) id: Option<String>,
    /// The client reads it; otherwise the request was the gateway's own.
    pub(crate) visible: bool,
    /// It is the stream of what belongs to no request.
    pub(crate) listens: bool,
}

impl Pump {
    async fn take(&self, response: Response<Incoming>) {
        let code = response.status();
        if code.is_redirection() {
            // Whoever followed it would take its token elsewhere, and leave the gateway.
            let why = "mcp.redirect: the server sends its clients elsewhere, and that isn't followed";
            return self.lost(Ending::Failed, why).await;
        }
        if is_packed(response.headers()) {
            let why = "mcp.packed: the server's answer is compressed although it was asked not to";
            return self.lost(Ending::Failed, why).await;
        }
        if !code.is_success() {
            return self.refusal(response).await;
        }
        // Only what was looked at goes on: a reader may take another type or status for a message all the same.
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
                self.lost(Ending::Failed, &why).await;
            }
            _ => self.acknowledged(response).await,
        }
    }

    /// The message that answers the request.
    async fn document(&self, response: Response<Incoming>) {
        let (code, given) = (response.status(), coming(response.headers(), JSON));
        match read(response.into_body(), LONGEST).await {
            Err(why) => self.lost(Ending::Unobserved, &why.to_string()).await,
            Ok(Frame::Line(text)) => {
                let via: Via = Arc::new(Document { pump: self.here(), code, given });
                let _ = self.relay.from_server(Some(&via), text).await;
                let why = "mcp.answer: the server answered something else than it was asked";
                self.lost(Ending::Failed, why).await;
            }
            Ok(broken) => {
                self.relay.broken_from_server(&broken).await;
                self.lost(Ending::Failed, "mcp.answer: the server's answer can't be read").await;
            }
        }
    }

    /// What has no answer was taken. A body beside that means nothing, and isn't passed on.
    async fn acknowledged(&self, response: Response<Incoming>) {
        let code = response.status();
        let mut given = end_to_end(response.headers());
        given.retain_names(|name| !name.as_str().starts_with("content-"));
        if matches!(read(response.into_body(), LONGEST).await, Ok(Frame::Line(text)) if text.is_empty()) {
            return self.plain(code, given, "").await;
        }
        let why = "from the server: a body where none belongs; it was dropped";
        self.relay.fault("mcp.type", why);
        self.plain(StatusCode::ACCEPTED, given, "").await;
    }

    /// The server refused, in words of its own, which aren't taken for a message.
    async fn refusal(&self, response: Response<Incoming>) {
        let code = response.status();
        if !(code.is_client_error() || code.is_server_error()) {
            let why = format!("mcp.status: the server answered with status {code}, which ends no request");
            return self.lost(Ending::Failed, &why).await;
        }
        let kind = if kind_of(response.headers()) == Kind::Json { JSON } else { TEXT };
        let given = coming(response.headers(), kind);
        match read(response.into_body(), LONGEST).await {
            Err(why) => self.lost(Ending::Unobserved, &why.to_string()).await,
            Ok(Frame::Line(text)) if holds_message(&text) => {
                let why = format!(
                    "mcp.status: the server put a message that is no error into an answer with status {code}; it \
                     wasn't passed on"
                );
                self.lost(Ending::Failed, &why).await;
            }
            Ok(Frame::Line(text)) => self.plain(code, given, &text).await,
            Ok(broken) => {
                self.relay.broken_from_server(&broken).await;
                self.lost(Ending::Failed, "mcp.answer: the server's answer can't be read").await;
            }
        }
    }

    fn here(&self) -> Self {
        let (relay, exchange) = (Arc::clone(&self.relay), Arc::clone(&self.exchange));
        let (id, visible, listens) = (self.id.clone(), self.visible, self.listens);
        Self { relay, exchange, id, visible, listens }
    }

    /// The request has no answer and gets none any more. Does nothing for one that was answered.
    async fn lost(&self, ending: Ending, why: &str) {
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

    /// A request of the gateway's own got no message for an answer: whoever asked waits no longer. One that was
    /// answered is no longer known.
    async fn tell_ourselves(&self, id: &str, why: &str) {
        self.relay.answer_ourselves(id, why).await;
    }

    /// An answer that is no message: a refusal, a request to sign in, an acknowledgement.
    async fn plain(&self, code: StatusCode, mut given: HeaderMap, text: &str) {
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
            return self.lost(Ending::Unobserved, "the client is gone").await;
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
                    Part::Event(event) => {
                        resumable |= event.id.as_ref().is_some_and(|id| !id.is_empty());
                        if self.event(event).await.is_err() {
                            break;
                        }
                    }
                    Part::TooLong(length) => return self.broken(&Frame::TooLong(length)).await,
                    Part::NotText(at) => return self.broken(&Frame::NotText(at)).await,
                }
            }
        }
        // With an id the client may come back for the rest of it.
        if !resumable {
            self.lost(Ending::Unobserved, "mcp.server: the server ended its stream before it answered").await;
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

    /// An event that can't be read ends the stream: what it was, nobody judged.
    async fn broken(&self, broken: &Frame) {
        self.relay.broken_from_server(broken).await;
        self.lost(Ending::Failed, "mcp.event: the server sent an event that can't be read").await;
        if self.visible {
            self.exchange.finish(StatusCode::OK).await;
        }
    }
}

/// What comes in one event goes on in one event.
struct Streamed {
    pump: Pump,
    event: Event,
}

/// What comes as a document goes on as one.
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

/// Whether a text holds a message that is no error, however its members are written: a client that doesn't look at the
/// status would read it.
fn holds_message(text: &str) -> bool {
    let is_message = |object: &Map<String, Value>| {
        let mut names = object.keys().map(|name| name.to_lowercase());
        names.any(|name| matches!(name.as_str(), "result" | "method" | "params"))
    };
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => is_message(&object),
        Ok(Value::Array(items)) => items.iter().filter_map(Value::as_object).any(is_message),
        _ => false,
    }
}

/// A whole body as text.
pub(crate) async fn read(mut body: Incoming, longest: usize) -> io::Result<Frame> {
    let mut bytes = Vec::new();
    loop {
        let frame = tokio::time::timeout(SILENCE, body.frame()).await;
        let frame = frame.map_err(|_| io::Error::other("the server's answer stopped in its middle"))?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(io::Error::other)?;
        let Some(data) = frame.data_ref() else { continue };
        if bytes.len().saturating_add(data.len()) > longest {
            return Ok(Frame::TooLong(bytes.len().saturating_add(data.len())));
        }
        bytes.extend_from_slice(data);
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Frame::Line(text),
        Err(error) => Frame::NotText(error.utf8_error().valid_up_to()),
    })
}
