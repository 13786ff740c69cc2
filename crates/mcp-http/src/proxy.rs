//! Connects a client and a server that both use HTTP. Each client request becomes one request to the server, whose
//! answer is returned unchanged: status, headers, events and their ids. Only the messages inside pass through the
//! relay.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use doorward_core::Boxed;
use doorward_mcp::frame::LineFrame;
use doorward_mcp::headers::{self, Repeated};
use doorward_mcp::message::{Kind as Rpc, Message};
use doorward_mcp::relay::{CallEnding, Conversation, Process, Relay, Route, Side, Via};
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};
use serde_json::{Map, Value};

use crate::exchange::{Exchange, Outflow, error, status};
use crate::headed::{self, JSON, coming};
use crate::listen::{Asked, Front};
use crate::pump::{Pump, read};
use crate::upstream::{Failed, Kind, Upstream, is_packed, kind_of};

/// Limit on remembered sessions; the one idle longest is forgotten first.
const MOST_SESSIONS: usize = 10_000;
/// Largest discovery document in bytes.
const LONGEST_ABOUT: usize = 1 << 20;

/// Why a session is refused to a program that didn't begin it.
pub(crate) const OF_ANOTHER: &str =
    "mcp.session: another program began this session; begin one of your own with `initialize`";

/// The header that names a session.
pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// A gateway to one server.
pub struct Proxy {
    upstream: Arc<Upstream>,
    root: Arc<Relay>,
    sessions: Mutex<HashMap<String, RelayedSession>>,
}

struct RelayedSession {
    relay: Arc<Relay>,
    used: Instant,
    /// The client's process that began it.
    process: Option<Process>,
}

impl Proxy {
    /// A gateway to this server.
    #[must_use]
    pub fn new(upstream: Arc<Upstream>, root: Arc<Relay>) -> Arc<Self> {
        Arc::new(Self { upstream, root, sessions: Mutex::default() })
    }

    /// Closes everything that is open.
    pub async fn close(&self) {
        let all: Vec<RelayedSession> = self.lock().drain().map(|(_, session)| session).collect();
        for session in all {
            session.relay.close(Side::Client).await;
        }
        self.root.close(Side::Client).await;
        self.root.withdraw_seals().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, RelayedSession>> {
        // Every critical section changes the map once, so it is consistent even if the lock is poisoned.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The relay of the session that the client names. A session that began before the gateway gets a new relay. A
    /// session of another program is treated as ended: the client begins a new one, and what it read is attributed
    /// to itself.
    fn relay_of(&self, session: &str, process: Option<Process>) -> Result<Arc<Relay>, &'static str> {
        if let Some(known) = self.lock().get_mut(session) {
            if known.process != process {
                return Err(OF_ANOTHER);
            }
            known.used = Instant::now();
            return Ok(Arc::clone(&known.relay));
        }
        let relay = self.root.beside(&Conversation::begun(process));
        self.begin(session, &relay, process);
        Ok(relay)
    }

    fn begin(&self, session: &str, relay: &Arc<Relay>, process: Option<Process>) {
        let mut sessions = self.lock();
        if sessions.len() >= MOST_SESSIONS {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone());
            if let Some(gone) = oldest.and_then(|id| sessions.remove(&id)) {
                tokio::spawn(async move { gone.relay.close(Side::Client).await });
            }
        }
        let begun = RelayedSession { relay: Arc::clone(relay), used: Instant::now(), process };
        sessions.insert(session.to_owned(), begun);
    }

    /// The client's headers for the server.
    fn passing(&self, given: &HeaderMap) -> HeaderMap {
        let mut passing = headed::going(given);
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
        let begins = message.method == "initialize";
        let relay = match session {
            Some(session) if !alone => match self.relay_of(session, asked.process) {
                Ok(relay) => relay,
                Err(why) => return error(StatusCode::NOT_FOUND, message.id, -32600, why),
            },
            _ if begins => self.root.beside(&Conversation::begun(asked.process)),
            _ => self.root.beside(&Conversation::without_session(asked.process)),
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        let mut post = Post {
            me: Weak::new(),
            proxy: Arc::clone(&self),
            relay: Arc::clone(&relay),
            exchange: Arc::clone(&exchange),
            headers: self.passing(&asked.headers),
            repeated: Vec::new(),
            begins,
            process: asked.process,
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
            // Later requests of this session use the same relay.
            if alone && !post.has_begun(&relay) {
                relay.close(Side::Client).await;
            }
        });
        answer.response().await
    }

    async fn listened(self: Arc<Self>, given: HeaderMap, process: Option<Process>) -> Response<Outflow> {
        let relay = match session_of(&given) {
            Ok(Some(session)) => match self.relay_of(session, process) {
                Ok(relay) => relay,
                Err(why) => return error(StatusCode::NOT_FOUND, "null", -32600, why),
            },
            Ok(None) => self.root.beside(&Conversation::without_session(process)),
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

    async fn deleted(self: Arc<Self>, given: HeaderMap, process: Option<Process>) -> Response<Outflow> {
        let session = match session_of(&given) {
            Ok(session) => session.map(str::to_owned),
            Err(why) => return error(StatusCode::BAD_REQUEST, "null", -32600, why),
        };
        let begun_by =
            session.as_ref().and_then(|session| self.lock().get(session).map(|known| known.process));
        if begun_by.is_some_and(|begun_by| begun_by != process) {
            return error(StatusCode::NOT_FOUND, "null", -32600, OF_ANOTHER);
        }
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
        // The document's path ends in the endpoint's path, which differs at the server.
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
        let Ok(LineFrame::Line(text)) = read(response.into_body(), LONGEST_ABOUT).await else {
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

    fn get(
        self: Arc<Self>,
        headers: HeaderMap,
        process: Option<Process>,
    ) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.listened(headers, process))
    }

    fn delete(
        self: Arc<Self>,
        headers: HeaderMap,
        process: Option<Process>,
    ) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.deleted(headers, process))
    }

    fn about(self: Arc<Self>, path: String, endpoint: String) -> Boxed<'static, Response<Outflow>> {
        Box::pin(self.told_about(path, endpoint))
    }

    fn fault(&self, code: &str, why: &str) {
        self.root.fault(code, why);
    }
}

/// The session that a request names. The header may occur once, with visible ASCII only.
pub(crate) fn session_of(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let mut given = headers.get_all(SESSION).iter();
    let Some(session) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err("the header Mcp-Session-Id occurs twice");
    }
    let text = session.to_str().ok().filter(|text| {
        (1..=1_024).contains(&text.len()) && text.bytes().all(|byte| (0x21..0x7f).contains(&byte))
    });
    text.map(Some).ok_or("the header Mcp-Session-Id isn't 1 to 1,024 characters of visible ASCII")
}

/// One POST of the client, and the route for messages that belong to it.
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
    /// The client's process.
    process: Option<Process>,
    /// Id of the request; `None` for a message without answer.
    id: Option<String>,
}

impl Post {
    fn has_begun(&self, relay: &Arc<Relay>) -> bool {
        self.begins && self.proxy.lock().values().any(|session| Arc::ptr_eq(&session.relay, relay))
    }

    /// Headers for a message: the client's, with those that repeat parts of the message derived from it again.
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

    /// Sends a message and handles the response.
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
            // The server may or may not have received the request.
            () = self.exchange.gone(), if visible => {
                if let Some(id) = &id {
                    self.relay.unanswered(id, CallEnding::Unobserved, Vec::new(), None).await;
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
            Err(lost @ Failed::Lost(_)) => pump.lost(CallEnding::Unobserved, &lost.to_string()).await,
            Ok(response) => {
                let begun =
                    response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
                if let Some(session) =
                    begun.filter(|_| visible && self.begins && response.status().is_success())
                {
                    self.proxy.begin(&session, &self.relay, self.process);
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
            // The caller awaits the answer with its own time limit.
            tokio::spawn(async move {
                if let Err(error) = me.carry(&text, false).await {
                    me.relay.fault("mcp.server", &error.to_string());
                }
            });
            Ok(())
        })
    }
}
