//! Connects clients over HTTP to servers on pipes. Every session has its own server process, so that sessions share
//! neither ids nor the server's memory. Requests without session (2026-07-28) from one process share a server, as
//! long as their ids differ.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use doorward_core::Boxed;
use doorward_mcp::headers::{self, Repeated};
use doorward_mcp::message::{Kind, Message};
use doorward_mcp::relay::{Conversation, Outlet, Pair, Process, Relay, Side, Via};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};

use crate::exchange::{Exchange, Outflow, error, status};
use crate::listen::{Asked, Front};
use crate::proxy::{OF_ANOTHER, SESSION, session_of};

/// Limit on concurrent sessions; each has a process.
const MOST: usize = 64;
/// Limit on servers shared by the requests without session of one process.
const MOST_LANES: usize = 8;

/// The server of one session.
pub trait Link: Outlet {
    /// Ends it.
    fn close(&self) -> Boxed<'_, ()>;
}

/// Starts servers.
pub trait Links: Send + Sync {
    /// Starts a server whose messages go to this relay. The relay is closed when the server ends.
    fn open(&self, relay: &Arc<Relay>) -> Boxed<'_, Result<Arc<dyn Link>, String>>;
}

/// A gateway to servers that it starts.
pub struct Sessions {
    root: Arc<Relay>,
    links: Arc<dyn Links>,
    open: Mutex<HashMap<String, Arc<RelayedSession>>>,
    lanes: tokio::sync::Mutex<Vec<Arc<RelayedSession>>>,
}

struct RelayedSession {
    relay: Arc<Relay>,
    link: Arc<dyn Link>,
    used: Mutex<Instant>,
    /// The client's process that began it.
    process: Option<Process>,
    /// The client's listening stream; one at a time.
    listening: Mutex<Option<Arc<Exchange>>>,
}

impl RelayedSession {
    async fn close(&self) {
        self.link.close().await;
        self.relay.close(Side::Client).await;
    }

    fn is_over(&self) -> bool {
        self.relay.is_over()
    }

    fn used(&self) -> Instant {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn use_now(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

impl Sessions {
    /// A gateway to servers started by `links`.
    #[must_use]
    pub fn new(root: Arc<Relay>, links: Arc<dyn Links>) -> Arc<Self> {
        Arc::new(Self { root, links, open: Mutex::default(), lanes: tokio::sync::Mutex::default() })
    }

    /// Ends every session.
    pub async fn close(&self) {
        let mut all: Vec<Arc<RelayedSession>> = self.lock().drain().map(|(_, session)| session).collect();
        all.append(&mut *self.lanes.lock().await);
        let ends: Vec<_> =
            all.into_iter().map(|session| tokio::spawn(async move { session.close().await })).collect();
        for end in ends {
            let _ = end.await;
        }
        self.root.withdraw_seals().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<RelayedSession>>> {
        // Every critical section changes the map once, so it is consistent even if the lock is poisoned.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn start(&self, conversation: &Conversation) -> Result<Arc<RelayedSession>, String> {
        let relay = self.root.beside(conversation);
        let link = self.links.open(&relay).await?;
        let used = Mutex::new(Instant::now());
        Ok(Arc::new(RelayedSession {
            relay,
            link,
            used,
            process: conversation.process,
            listening: Mutex::default(),
        }))
    }

    /// Begins a session with an unguessable id.
    async fn begin(&self, process: Option<Process>) -> Result<(String, Arc<RelayedSession>), String> {
        let session = self.start(&Conversation::begun(process)).await?;
        let name = format!("{}{}", doorward_core::id::fresh(), doorward_core::id::fresh());
        let gone = {
            let mut open = self.lock();
            open.retain(|_, session| !session.is_over());
            let oldest = open.iter().min_by_key(|(_, session)| session.used()).map(|(name, _)| name.clone());
            let gone = oldest.filter(|_| open.len() >= MOST).and_then(|name| open.remove(&name));
            open.insert(name.clone(), Arc::clone(&session));
            gone
        };
        if let Some(gone) = gone {
            self.root.fault("mcp.sessions", "more than 64 sessions: the one idle longest was ended");
            tokio::spawn(async move { gone.close().await });
        }
        Ok((name, session))
    }

    fn known(
        &self,
        headers: &HeaderMap,
        process: Option<Process>,
        id: &str,
    ) -> Result<Arc<RelayedSession>, Box<Response<Outflow>>> {
        let refused = |code, why: &str| Box::new(error(code, id, -32600, why));
        let name = session_of(headers).map_err(|why| refused(StatusCode::BAD_REQUEST, why))?;
        let why = "mcp.session: the header Mcp-Session-Id is missing; begin with `initialize`";
        let name = name.ok_or_else(|| refused(StatusCode::BAD_REQUEST, why))?;
        let mut open = self.lock();
        if open.get(name).is_some_and(|session| session.is_over()) {
            open.remove(name);
        }
        let found = open.get(name).map(Arc::clone);
        let why = "mcp.session: there is no such session, or it ended; begin with `initialize`";
        let session = found.ok_or_else(|| refused(StatusCode::NOT_FOUND, why))?;
        if session.process != process {
            return Err(refused(StatusCode::NOT_FOUND, OF_ANOTHER));
        }
        session.use_now();
        Ok(session)
    }

    /// A server for a request without session: one used by its process, without an open request of the same id.
    async fn lane(&self, process: Option<Process>, id: &str) -> Result<Arc<RelayedSession>, String> {
        let mut lanes = self.lanes.lock().await;
        lanes.retain(|lane| !lane.is_over());
        let own = || lanes.iter().filter(|lane| lane.process == process);
        if let Some(free) = own().find(|lane| !lane.relay.knows(id)) {
            free.use_now();
            return Ok(Arc::clone(free));
        }
        if own().count() >= MOST_LANES {
            return Err("too many requests with this id are under way".to_owned());
        }
        if lanes.len() >= MOST {
            let idle = lanes.iter().enumerate().filter(|(_, lane)| lane.relay.is_idle());
            let Some(oldest) = idle.min_by_key(|(_, lane)| lane.used()).map(|(at, _)| at) else {
                return Err(format!("{MOST} servers of this gateway are busy"));
            };
            let gone = lanes.swap_remove(oldest);
            tokio::spawn(async move { gone.close().await });
        }
        let lane = self.start(&Conversation::without_session(process)).await?;
        lanes.push(Arc::clone(&lane));
        Ok(lane)
    }

    /// Refuses headers that disagree with the message.
    fn checked(
        &self,
        message: &Message<'_>,
        headers: &HeaderMap,
        repeated: &[Repeated],
    ) -> Result<(), Box<Response<Outflow>>> {
        let given: Vec<(String, Vec<u8>)> =
            headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        headers::check(message, &given, repeated).map_err(|wrong| {
            self.root.fault("mcp.header", &format!("from the client: {}", wrong.why));
            let why = format!("mcp.header: {}", wrong.why);
            Box::new(error(StatusCode::BAD_REQUEST, message.id, wrong.code, &why))
        })
    }

    async fn posted(self: Arc<Self>, asked: Asked) -> Response<Outflow> {
        if !takes(&asked.headers, "application/json") || !takes(&asked.headers, "text/event-stream") {
            let why = "the header Accept has to name both application/json and text/event-stream";
            return error(StatusCode::NOT_ACCEPTABLE, "null", -32000, why);
        }
        let message = match Message::of(&asked.text) {
            Ok(message) => message,
            Err(malformed) => {
                self.root.fault("mcp.malformed", &format!("from the client: {malformed}"));
                return error(StatusCode::BAD_REQUEST, "null", malformed.code(), &malformed.to_string());
            }
        };
        if let Err(refused) = self.checked(&message, &asked.headers, &[]) {
            return *refused;
        }
        let unstarted = |why: String| error(StatusCode::SERVICE_UNAVAILABLE, message.id, -32000, &why);
        let mut own = HeaderMap::new();
        let stateless = headers::is_stateless(&message);
        let session = if stateless {
            match self.lane(asked.process, message.id).await {
                Ok(lane) => lane,
                Err(why) => return unstarted(why),
            }
        } else if message.method == "initialize" && !asked.headers.contains_key(SESSION) {
            match self.begin(asked.process).await {
                Ok((name, session)) => {
                    own.extend(HeaderValue::from_str(&name).ok().map(|name| (SESSION, name)));
                    session
                }
                Err(why) => return unstarted(why),
            }
        } else {
            match self.known(&asked.headers, asked.process, message.id) {
                Ok(session) => session,
                Err(refused) => return *refused,
            }
        };
        let (exchange, answer) = Exchange::new(own, stateless);
        let client: Arc<dyn Outlet> = Arc::clone(&exchange) as Arc<dyn Outlet>;
        let via: Via = Arc::new(Pair { client, server: Arc::clone(&session.link) as Arc<dyn Outlet> });
        let repeated = session.relay.repeated(&via, &message).await;
        if let Err(refused) = self.checked(&message, &asked.headers, &repeated) {
            return *refused;
        }
        let (kind, id, text) = (message.kind, message.id.to_owned(), asked.text.clone());
        tokio::spawn(async move {
            let sent = session.relay.from_client(&via, text).await;
            if kind != Kind::Request {
                let code = if sent.is_err() { StatusCode::BAD_GATEWAY } else { StatusCode::ACCEPTED };
                exchange.finish(code).await;
            }
            exchange.gone().await;
            // The client is gone and can't read the answer to a call that still waits at the gate.
            if kind == Kind::Request {
                session.relay.left(&via, &id).await;
            }
        });
        answer.response().await
    }

    async fn listened(self: Arc<Self>, given: HeaderMap, process: Option<Process>) -> Response<Outflow> {
        if !takes(&given, "text/event-stream") {
            return status(StatusCode::NOT_ACCEPTABLE);
        }
        let session = match self.known(&given, process, "null") {
            Ok(session) => session,
            Err(refused) => return *refused,
        };
        let (exchange, answer) = Exchange::new(HeaderMap::new(), false);
        {
            let mut listening = session.listening.lock().unwrap_or_else(PoisonError::into_inner);
            if listening.as_ref().is_some_and(|stream| !stream.is_gone()) {
                return error(
                    StatusCode::CONFLICT,
                    "null",
                    -32000,
                    "mcp.stream: the session has a stream already",
                );
            }
            *listening = Some(Arc::clone(&exchange));
        }
        let client: Arc<dyn Outlet> = Arc::clone(&exchange) as Arc<dyn Outlet>;
        session
            .relay
            .listen(Some(Arc::new(Pair { client, server: Arc::clone(&session.link) as Arc<dyn Outlet> })));
        let kind = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"))]);
        tokio::spawn(async move { exchange.stream(kind).await });
        answer.response().await
    }

    async fn deleted(self: Arc<Self>, given: HeaderMap, process: Option<Process>) -> Response<Outflow> {
        let session = match self.known(&given, process, "null") {
            Ok(session) => session,
            Err(refused) => return *refused,
        };
        self.lock().retain(|_, open| !Arc::ptr_eq(open, &session));
        tokio::spawn(async move { session.close().await });
        status(StatusCode::OK)
    }
}

impl Front for Sessions {
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

    fn about(self: Arc<Self>, _: String, _: String) -> Boxed<'static, Response<Outflow>> {
        Box::pin(std::future::ready(status(StatusCode::NOT_FOUND)))
    }

    fn fault(&self, code: &str, why: &str) {
        self.root.fault(code, why);
    }
}

/// Whether a client's `Accept` includes a media type.
fn takes(headers: &HeaderMap, kind: &str) -> bool {
    let of = |value: &HeaderValue| {
        let text = value.to_str().unwrap_or_default().to_ascii_lowercase();
        text.split(',').any(
            |one| matches!(one.split(';').next().map(str::trim), Some(own) if own == kind || own == "*/*"),
        )
    };
    headers.get_all(ACCEPT).iter().any(of)
}
