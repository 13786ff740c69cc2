//! Connects a client and a server through a [`Keeper`].
//!
//! Every message is forwarded unchanged, with three exceptions. A tool call, or a request for a prompt or resource,
//! is sent to the server only after the keeper allowed it. The list of tools shows only what the keeper approved.
//! Everything from the server is cleaned before the client reads it. Invalid messages are answered or dropped,
//! reported to the keeper, and never forwarded.
//!
//! The relay is independent of transports: the owner of a connection passes each message in together with the
//! [`Route`] for its answers. [`Relay::run`] does so for two pairs of pipes.

mod answers;
mod calls;
mod keeper;
mod pipes;
mod questions;
mod state;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use serde_json::value::RawValue;

use crate::frame::{self, LineFrame};
use crate::message::{self, Kind, Members, Message};
use state::{Ours, PendingRequest, SharedRelay, State};

pub use keeper::{
    Answer, CallEnding, Came, Conversation, Ended, Gated, Keeper, Offer, Process, ToolStanding, Waited,
};
pub use pipes::{Outlet, Pair, Pipes};

/// The `_meta` member of a notification that names the request which subscribed to it.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
/// JSON-RPC code for a call whose server is gone.
const SERVER_GONE: i64 = -32000;

/// Options of a relay.
#[derive(Debug, Clone)]
pub struct Options {
    /// Name of the server.
    pub server: String,
    /// How long a call waits for a person before it is denied for the time being.
    pub wait: Duration,
    /// Time limit for the server's list of tools.
    pub list: Duration,
}

/// A side of the relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// Destination of the messages of one exchange. On pipes one route serves everything. Over HTTP every client
/// request has its own, so that an answer travels on the response to its request.
pub trait Route: Send + Sync {
    /// Sends a message to the client.
    fn to_client<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>>;

    /// Sends a message of the client's to the server. An error means that the server never got it.
    fn forward<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>>;

    /// Sends a request of the gateway's own to the server. The client doesn't see its answer.
    fn ask_server<'a>(&'a self, text: &'a str) -> Boxed<'a, io::Result<()>>;
}

/// A route that several messages share.
pub type Via = Arc<dyn Route>;

/// The relay of one client and one server.
pub struct Relay {
    keeper: Arc<dyn Keeper>,
    options: Options,
    state: State,
    shared: Arc<SharedRelay>,
}

impl Relay {
    /// A relay without open requests.
    #[must_use]
    pub fn new(keeper: Arc<dyn Keeper>, options: Options) -> Arc<Self> {
        Arc::new(Self { keeper, options, state: State::default(), shared: Arc::default() })
    }

    /// A relay for another client of the same server: it has its own requests and keeper, and shares the server's
    /// list and the questions that travel in answers.
    #[must_use]
    pub fn beside(&self, conversation: &Conversation) -> Arc<Self> {
        Arc::new(Self {
            keeper: self.keeper.of(conversation),
            options: self.options.clone(),
            state: State::default(),
            shared: Arc::clone(&self.shared),
        })
    }

    /// Closes everything that this client has open, because one side is gone.
    pub async fn close(&self, gone: Side) {
        if gone == Side::Server {
            self.state.server_gone();
        }
        self.stop_questions().await;
        self.state.finish_tasks().await;
        self.close_calls(gone).await;
    }

    /// Withdraws waiting questions, because the client is gone and can't read an answer.
    pub async fn stop_questions(&self) {
        self.state.stop_questions(&*self.keeper).await;
    }

    /// Withdraws the questions that travelled in answers, because no client of this server is left to answer them.
    pub async fn withdraw_seals(&self) {
        for question in self.shared.take_seals() {
            self.keeper.withdrawn(&question).await;
        }
    }

    /// Waits until the server has answered everything, or until this time is over.
    pub async fn drained(&self, most: Duration) {
        let quiet = async {
            while self.state.has_sent() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(most, quiet).await;
    }

    /// Reports a fault in a message to the keeper.
    pub fn fault(&self, code: &str, message: &str) {
        self.keeper.fault(code, message);
    }

    /// Answers and closes the open calls.
    async fn close_calls(&self, ended: Side) {
        for pending in self.state.take_pending() {
            if ended == Side::Server {
                let why = format!("the server `{}` ended before it answered", self.options.server);
                let _ = pending.via.to_client(&message::error(&pending.id, SERVER_GONE, &why)).await;
            }
            self.close_call(pending, CallEnding::Unobserved, Vec::new()).await;
        }
    }

    /// Reports the end of a call without a readable answer to the keeper.
    async fn close_call(&self, pending: PendingRequest, ending: CallEnding, content: Vec<u8>) {
        let Some((decision, tool)) = pending.call else { return };
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let ended = Ended { decision, tool, ending, content, bytes, codes: Vec::new() };
        if let Err(error) = self.keeper.ended(ended).await {
            self.keeper.fault("mcp.unrecorded", &error);
        }
    }

    /// A request's exchange ended without an answer. The client gets an error on its route, unless `told` says that
    /// it already read something in place of the answer. `content` is what the server sent instead.
    pub async fn unanswered(&self, id: &str, ending: CallEnding, content: Vec<u8>, told: Option<&str>) {
        let Some(pending) = self.state.take(id) else { return };
        if let Some(why) = told {
            let _ = pending.via.to_client(&message::error(&pending.id, SERVER_GONE, why)).await;
        }
        self.close_call(pending, ending, content).await;
    }

    /// Whether a request of this id waits for the server's answer.
    #[must_use]
    pub fn awaits(&self, id: &str) -> bool {
        self.state.awaits(id)
    }

    /// Whether a request with this id is open.
    #[must_use]
    pub fn knows(&self, id: &str) -> bool {
        self.state.knows(id)
    }

    /// Whether no request is open.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.state.is_idle()
    }

    /// Whether an id belongs to a request of the gateway's own that waits for its answer.
    #[must_use]
    pub fn is_ours(&self, id: &str) -> bool {
        self.state.is_ours(id)
    }

    /// Whether the server is gone.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Answers a request of the gateway's own in place of the server; other ids are ignored.
    pub async fn answer_ourselves(&self, id: &str, why: &str) {
        let _ = self.state.answer_ours(Side::Server, id, &message::error(id, SERVER_GONE, why));
    }

    /// Sets the route for messages that belong to no request.
    pub fn listen(&self, via: Option<Via>) {
        self.state.listen(via);
    }

    /// The client of a call went away: at the gate the call stops and its question is withdrawn. `false` if it had
    /// already been sent to the server.
    ///
    /// Applies only to a call that came on this route: a duplicate of an open id has no effect on it.
    pub async fn left(&self, via: &Via, id: &str) -> bool {
        self.state.came_on(via, id) && self.state.cancel(id, &*self.keeper).await
    }

    /// The route for a message that the server sends without one: that of the request whose progress it reports,
    /// else of the newest open request.
    #[must_use]
    pub fn route_of(&self, text: &str) -> Option<Via> {
        let message = Message::of(text).ok()?;
        let params = message.params().ok().flatten();
        let token = params.as_ref().and_then(|params| params.get("progressToken").map(RawValue::get));
        let meta = params.as_ref().and_then(|params| Members::of(params.get("_meta")?.get()).ok());
        let subscription = meta.and_then(|meta| meta.get(SUBSCRIPTION).map(RawValue::get));
        self.state.route_of(token, subscription)
    }

    /// A broken line or body from the client: answers with an error.
    ///
    /// # Errors
    /// The client is gone.
    pub async fn broken_from_client(&self, via: &Via, broken: &LineFrame) -> io::Result<()> {
        let (code, why) = told(broken);
        self.keeper.fault(code, &format!("from the client: {why}"));
        via.to_client(&message::error("null", -32700, &format!("{code}: {why}"))).await
    }

    /// Handles a message from the client.
    ///
    /// # Errors
    /// A side is gone.
    pub async fn from_client(self: &Arc<Self>, via: &Via, text: String) -> io::Result<()> {
        let message = match Message::of(&text) {
            Ok(message) => message,
            Err(malformed) => {
                self.keeper.fault("mcp.malformed", &format!("from the client: {malformed}"));
                let told = message::error("null", malformed.code(), &malformed.to_string());
                return via.to_client(&told).await;
            }
        };
        match message.kind {
            Kind::Answer => match self.state.answer_ours(Side::Client, message.id, message.text) {
                Ours::Taken => Ok(()),
                Ours::Forged => {
                    self.forged("client");
                    Ok(())
                }
                Ours::No => via.forward(&text).await,
            },
            Kind::Notification if !is_notification(&message.method) => {
                // A server may also run a call without an id, which would bypass the gate.
                self.no_notification("client", &message.method);
                Ok(())
            }
            Kind::Notification => {
                let cancelled = message.method == "notifications/cancelled";
                if !(cancelled && self.cancel(&message).await) {
                    via.forward(&text).await?;
                }
                Ok(())
            }
            Kind::Request => self.request(via, &message).await,
        }
    }

    async fn request(self: &Arc<Self>, via: &Via, message: &Message<'_>) -> io::Result<()> {
        self.state.learn(message);
        let gated = Gated::of(&message.method);
        let like = |own: &Gated| letters(&message.method) == letters(own.method());
        if gated.is_none()
            && let Some(own) = Gated::ALL.iter().find(|own| like(own))
        {
            // A server that tolerates another spelling would run a call that wasn't judged.
            let why = format!("mcp.method: this has to be written `{}`", own.method());
            self.keeper.fault("mcp.method", &format!("from the client: {why}"));
            return via.to_client(&message::error(message.id, -32601, &why)).await;
        }
        if !message.method.bytes().all(|byte| byte.is_ascii_graphic()) {
            let why = "mcp.method: the name of a method is made of visible ASCII";
            self.keeper.fault("mcp.method", &format!("from the client: {why}"));
            return via.to_client(&message::error(message.id, -32601, why)).await;
        }
        if !self.state.open(message, via) {
            let why = "mcp.id: a request with this id is under way";
            return via.to_client(&message::error(message.id, -32600, why)).await;
        }
        if gated.is_some() {
            let relay = Arc::clone(self);
            let (text, id, via) = (message.text.to_owned(), message.id.to_owned(), Arc::clone(via));
            self.state.spawn(async move { relay.call(via, id, text).await });
            return Ok(());
        }
        let sent = via.forward(message.text).await;
        if let Err(error) = &sent {
            let why = format!("mcp.server: the server `{}` can't be reached: {error}", self.options.server);
            self.keeper.fault("mcp.server", &why);
            self.unanswered(message.id, CallEnding::NotSent, Vec::new(), Some(&why)).await;
        }
        sent
    }

    /// Cancels a call that still waits at the gate, so that it never reaches the server.
    async fn cancel(&self, message: &Message<'_>) -> bool {
        let id =
            message.params().ok().flatten().and_then(|params| params.get("requestId").map(RawValue::get));
        let Some(id) = id else { return false };
        self.state.cancel(id, &*self.keeper).await
    }

    /// A broken line or event from the server: drops it, and tells the client if a request waits for it.
    pub async fn broken_from_server(&self, broken: &LineFrame) {
        let (code, why) = told(broken);
        self.keeper.fault(code, &format!("from the server: {why}; it was dropped"));
        if !matches!(broken, LineFrame::Noise(_)) {
            self.answer_the_only_one(code, &why).await;
        }
    }

    /// A broken line may have been an answer. If exactly one request waits, it is answered with an error.
    async fn answer_the_only_one(&self, code: &str, why: &str) {
        let Some(pending) = self.state.take_only() else { return };
        let told = format!("{code}: the server's answer can't be read: {why}");
        let (id, via) = (pending.id.clone(), Arc::clone(&pending.via));
        self.close_call(pending, CallEnding::Failed, Vec::new()).await;
        let _ = via.to_client(&message::error(&id, SERVER_GONE, &told)).await;
    }

    /// Handles a message from the server, on the route where it came. Without a route (a pipe that all requests
    /// share), an answer goes to its request's route, and other messages to [`Relay::route_of`].
    ///
    /// # Errors
    /// The client is gone.
    pub async fn from_server(self: &Arc<Self>, came: Option<&Via>, text: String) -> io::Result<()> {
        let message = match Message::of(&text) {
            Ok(message) => message,
            Err(malformed) => {
                self.keeper.fault("mcp.malformed", &format!("from the server: {malformed}; it was dropped"));
                // Other program output isn't an answer: the request keeps waiting.
                if frame::may_be_message(text.as_bytes()) {
                    self.answer_the_only_one("mcp.malformed", &malformed.to_string()).await;
                }
                return Ok(());
            }
        };
        match message.kind {
            Kind::Notification if !is_notification(&message.method) => {
                self.no_notification("server", &message.method);
                Ok(())
            }
            Kind::Notification | Kind::Request => {
                if message.method == "notifications/tools/list_changed" {
                    self.shared.forget_list();
                }
                let Some(via) = came.cloned().or_else(|| self.route_of(&text)) else {
                    let why = format!(
                        "from the server: `{}`, and the client listens nowhere; it was dropped",
                        message.method
                    );
                    self.keeper.fault("mcp.nowhere", &why);
                    return Ok(());
                };
                self.server_speaks(&via, &message).await
            }
            Kind::Answer => match self.state.answer_ours(Side::Server, message.id, &text) {
                Ours::No => self.answered(came, &message).await,
                Ours::Taken => Ok(()),
                Ours::Forged => {
                    self.forged("server");
                    Ok(())
                }
            },
        }
    }

    /// Handles the server's answer to a request of the client.
    async fn answered(self: &Arc<Self>, came: Option<&Via>, message: &Message<'_>) -> io::Result<()> {
        let Some(pending) = self.state.take(message.id) else {
            // A server can't answer a call that still waits at the gate.
            self.keeper.fault("mcp.unasked", "from the server: dropped an answer to no open request");
            return Ok(());
        };
        let asked_on = Arc::clone(&pending.via);
        let via = came.cloned().unwrap_or_else(|| Arc::clone(&pending.via));
        let (relay, text) = (Arc::clone(self), message.text.to_owned());
        match (pending.call, pending.method.as_str()) {
            (Some((decision, tool)), _) => {
                let returned = async move { relay.returned(&via, decision, tool, text).await };
                // On its own route it blocks no other message.
                if came.is_some() {
                    returned.await;
                } else {
                    self.state.spawn(returned);
                }
                Ok(())
            }
            (None, "tools/list") if message.result().is_some() => {
                // The other pages may have to be read first, and they arrive through the same reader.
                let on_own_route = came.is_some_and(|came| !Arc::ptr_eq(came, &pending.via));
                let listed = async move {
                    let Ok(message) = Message::of(&text) else { return Ok(()) };
                    relay.listed(&via, &asked_on, pending.meta, &message).await
                };
                if on_own_route {
                    return listed.await;
                }
                self.state.spawn(async move {
                    let _ = listed.await;
                });
                Ok(())
            }
            // Everything that a model may read, including a server's instructions and the results of its tasks.
            (None, method) => self.read(&via, message, method).await,
        }
    }

    /// Reports a message without an id whose method expects an answer.
    fn no_notification(&self, side: &str, method: &str) {
        let why = format!("from the {side}: dropped `{method}`: it has no id and isn't a notification");
        self.keeper.fault("mcp.notification", &why);
    }

    /// Reports an answer to one of our questions from the side that wasn't asked.
    fn forged(&self, side: &str) {
        let why =
            format!("from the {side}: an answer to a question that the other side was asked; it was dropped");
        self.keeper.fault("mcp.forged", &why);
    }
}

/// Whether two ids are the same JSON value.
#[must_use]
pub fn is_same_id(one: &str, other: &str) -> bool {
    state::key_of(one) == state::key_of(other)
}

/// Whether a message without an id is allowed: only methods under `notifications/` expect no answer.
fn is_notification(method: &str) -> bool {
    method.starts_with("notifications/")
}

fn told(frame: &LineFrame) -> (&'static str, String) {
    match frame {
        LineFrame::TooLong(length) => {
            ("mcp.too_long", format!("a message of {length} bytes or more; the most is 16 MiB"))
        }
        LineFrame::NotText(at) => ("mcp.utf8", format!("a message that isn't UTF-8 at byte {at}")),
        LineFrame::Return(at) => (
            "mcp.line",
            format!("a carriage return inside a message, at byte {at}; some readers end a line there"),
        ),
        LineFrame::Noise(length) => {
            ("mcp.malformed", format!("a line of {length} bytes that isn't a message"))
        }
        LineFrame::Line(_) => ("mcp.line", String::new()),
    }
}

/// The definition to list for a tool; `None` hides it.
fn shown<'a>(tool: &'a str, standing: Option<&'a ToolStanding>) -> Option<&'a str> {
    let standing = standing.filter(|standing| standing.shown)?;
    Some(standing.definition.as_deref().unwrap_or(tool))
}

/// The tools of a list's result, as written.
fn tools_of<'a>(result: &Members<'a>) -> Option<Vec<&'a str>> {
    let raw = result.get("tools")?.get();
    let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// A method's name folded to letters and digits, for readers that ignore case and separators and confuse look-alike
/// letters.
fn letters(method: &str) -> String {
    let folded = method.to_uppercase().to_lowercase();
    folded.chars().filter(char::is_ascii_alphanumeric).collect()
}
