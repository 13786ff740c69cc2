//! A client and a server with a [`Keeper`] between them.
//!
//! Every message is forwarded as it came, but for three: a call of a tool goes to the server only after the keeper let
//! it pass; the list of tools shows what the keeper approved of; a result is cleaned before the client reads it. What
//! is no message is answered or dropped, told to the keeper, and never forwarded.

mod calls;
mod questions;
mod state;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::clean;
use crate::frame::{Frame, Frames, Sink};
use crate::message::{self, Kind, Members, Message};
use state::{Ours, State};

/// How long answers of the server are waited for after the client is gone.
const AFTER_CLIENT: Duration = Duration::from_secs(2);
/// JSON-RPC code of an answer to a call whose server is gone.
const SERVER_GONE: i64 = -32000;

/// How a tool stands with the keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The client may see it and call it.
    pub shown: bool,
    /// Its definition with a changed input schema, where that is shown instead.
    pub definition: Option<String>,
}

/// A call on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The client's id of the call.
    pub id: String,
    /// The tool's name on its server.
    pub tool: String,
    /// The arguments as they were written.
    pub arguments: String,
}

/// What the keeper says to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run, once; its end is owed to the keeper.
    Allowed {
        /// Identity of the decision.
        decision: String,
        /// Arguments to send instead.
        arguments: Option<String>,
    },
    /// A person decides.
    Asked {
        /// Identity of the question.
        question: String,
        /// What the person is told.
        message: String,
        /// The client's own dialog may ask it.
        by_client: bool,
        /// Somebody else may answer it too, so that waiting makes sense.
        waits: bool,
    },
    /// It doesn't run.
    Denied {
        /// Stable code.
        code: String,
        /// For the model and the person.
        reason: String,
    },
}

/// How a question stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// Somebody said yes: the call enters again.
    Allowed,
    /// Somebody said no, or nobody can be asked any longer.
    Denied(String),
    /// Not yet.
    Pending,
}

/// How an allowed call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With a result.
    Ran,
    /// With a result that says it failed, or an error.
    Failed,
    /// It was sent, and nobody will know.
    Unobserved,
    /// It was never sent.
    NotSent,
}

/// What an allowed call brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Identity of the decision.
    pub decision: String,
    /// The tool.
    pub tool: String,
    /// How.
    pub ending: Ending,
    /// Texts of the result as they came, bounded.
    pub content: Vec<u8>,
    /// Bytes of the result as it came.
    pub bytes: u64,
    /// What was found in it.
    pub codes: Vec<&'static str>,
}

/// Decides what passes.
pub trait Keeper: Send + Sync {
    /// The tools that the server lists, as they are written. One standing each, in this order.
    fn seen<'a>(&'a self, tools: &'a [&'a str], whole: bool) -> Boxed<'a, Result<Vec<Standing>, String>>;

    /// A call asks to pass.
    fn offer<'a>(&'a self, offer: &'a Offer) -> Boxed<'a, Answer>;

    /// Waits a while for somebody to answer a question.
    fn wait<'a>(&'a self, question: &'a str, most: Duration) -> Boxed<'a, Waited>;

    /// The client's dialog answered a question.
    fn answered<'a>(&'a self, question: &'a str, yes: bool) -> Boxed<'a, Result<(), String>>;

    /// Nobody waits for the answer to a question any longer.
    fn withdrawn<'a>(&'a self, question: &'a str) -> Boxed<'a, ()>;

    /// An allowed call ended. The client reads its result after this.
    fn ended<'a>(&'a self, ended: Ended) -> Boxed<'a, Result<(), String>>;

    /// Something came that is no message, or that nobody asked for.
    fn fault(&self, code: &str, message: &str);
}

/// How a relay behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// Name of the server.
    pub server: String,
    /// How long a call waits for a person before it is denied for now.
    pub wait: Duration,
    /// How long the server's list of tools may take.
    pub list: Duration,
}

/// A side of a relay: which one closed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// The relay of one client and one server.
pub struct Relay<C, S> {
    to_client: Sink<C>,
    to_server: Sink<S>,
    keeper: Arc<dyn Keeper>,
    options: Options,
    state: State,
}

impl<C, S> Relay<C, S>
where
    C: AsyncWrite + Unpin + Send + 'static,
    S: AsyncWrite + Unpin + Send + 'static,
{
    /// Over the writing sides of both.
    pub fn new(to_client: C, to_server: S, keeper: Arc<dyn Keeper>, options: Options) -> Arc<Self> {
        Arc::new(Self {
            to_client: Sink::new(to_client),
            to_server: Sink::new(to_server),
            keeper,
            options,
            state: State::default(),
        })
    }

    /// Passes messages until one side is gone, and closes everything that is open.
    ///
    /// # Errors
    /// A stream's own.
    pub async fn run(
        self: &Arc<Self>,
        from_client: impl AsyncRead + Unpin + Send + 'static,
        from_server: impl AsyncRead + Unpin + Send + 'static,
    ) -> io::Result<Side> {
        let mut client = tokio::spawn(Arc::clone(self).read_client(Frames::new(from_client)));
        let mut server = tokio::spawn(Arc::clone(self).read_server(Frames::new(from_server)));
        let ended = tokio::select! {
            _ = &mut client => Side::Client,
            _ = &mut server => Side::Server,
        };
        self.state.stop_questions(&*self.keeper).await;
        if ended == Side::Client {
            let _ = self.to_server.close().await;
            let _ = tokio::time::timeout(AFTER_CLIENT, &mut server).await;
        }
        client.abort();
        server.abort();
        self.state.finish_tasks().await;
        self.close_calls(ended).await;
        Ok(ended)
    }

    /// Answers and closes the calls that are still under way.
    async fn close_calls(&self, ended: Side) {
        for (id, pending) in self.state.take_pending() {
            if ended == Side::Server {
                let why = format!("the server `{}` ended before it answered", self.options.server);
                let _ = self.to_client.send(&message::error(&id, SERVER_GONE, &why)).await;
            }
            if let Some((decision, tool)) = pending.call {
                let end = Ended {
                    decision,
                    tool,
                    ending: Ending::Unobserved,
                    content: Vec::new(),
                    bytes: 0,
                    codes: Vec::new(),
                };
                if let Err(error) = self.keeper.ended(end).await {
                    self.keeper.fault("mcp.unrecorded", &error);
                }
            }
        }
    }

    async fn read_client(self: Arc<Self>, mut frames: Frames<impl AsyncRead + Unpin + Send>) {
        while let Ok(Some(frame)) = frames.next().await {
            let text = match frame {
                Frame::Line(text) => text,
                broken => {
                    let (code, why) = told(&broken);
                    self.keeper.fault(code, &format!("from the client: {why}"));
                    let _ =
                        self.to_client.send(&message::error("null", -32700, &format!("{code}: {why}"))).await;
                    continue;
                }
            };
            if self.from_client(text).await.is_err() {
                return;
            }
        }
    }

    async fn from_client(self: &Arc<Self>, text: String) -> io::Result<()> {
        let message = match Message::of(&text) {
            Ok(message) => message,
            Err(malformed) => {
                self.keeper.fault("mcp.malformed", &format!("from the client: {malformed}"));
                let told = message::error("null", malformed.code(), &malformed.to_string());
                return self.to_client.send(&told).await;
            }
        };
        match message.kind {
            Kind::Answer => match self.state.answer_ours(Side::Client, message.id, message.text) {
                Ours::Taken => Ok(()),
                Ours::Forged => {
                    self.forged("client");
                    Ok(())
                }
                Ours::No => self.to_server.send(&text).await,
            },
            Kind::Notification if !is_notification(&message.method) => {
                // A server may run what it is told without an id, too; then nobody would have judged it.
                let method = &message.method;
                let why =
                    format!("from the client: `{method}` without an id is no notification; it was dropped");
                self.keeper.fault("mcp.notification", &why);
                Ok(())
            }
            Kind::Notification => {
                let cancelled = message.method == "notifications/cancelled";
                if !(cancelled && self.cancel(&message).await) {
                    self.to_server.send(&text).await?;
                }
                Ok(())
            }
            Kind::Request => self.request(&message).await,
        }
    }

    async fn request(self: &Arc<Self>, message: &Message<'_>) -> io::Result<()> {
        self.state.learn(message);
        let is_call = message.method == "tools/call";
        if !self.state.open(message.id, &message.method) {
            let why = "mcp.id: a request with this id is under way";
            return self.to_client.send(&message::error(message.id, -32600, why)).await;
        }
        if is_call {
            let relay = Arc::clone(self);
            let (text, id) = (message.text.to_owned(), message.id.to_owned());
            self.state.spawn(async move { relay.call(id, text).await });
            return Ok(());
        }
        self.to_server.send(message.text).await
    }

    /// A cancelled call that still waits at the gate never reaches the server.
    async fn cancel(&self, message: &Message<'_>) -> bool {
        let id =
            message.params().ok().flatten().and_then(|params| params.get("requestId").map(RawValue::get));
        let Some(id) = id else { return false };
        self.state.cancel(id, &*self.keeper).await
    }

    async fn read_server(self: Arc<Self>, mut frames: Frames<impl AsyncRead + Unpin + Send>) {
        while let Ok(Some(frame)) = frames.next().await {
            let text = match frame {
                Frame::Line(text) => text,
                broken => {
                    let (code, why) = told(&broken);
                    self.keeper.fault(code, &format!("from the server: {why}; it was dropped"));
                    self.answer_the_only_one(code, &why).await;
                    continue;
                }
            };
            if self.from_server(text).await.is_err() {
                return;
            }
        }
    }

    /// A broken line may have been the answer to a request. Where only one waits, it is told so and waits no longer.
    async fn answer_the_only_one(&self, code: &str, why: &str) {
        let Some((id, pending)) = self.state.take_only() else { return };
        let told = format!("{code}: the server's answer can't be read: {why}");
        if let Some((decision, tool)) = pending.call {
            let ended = Ended {
                decision,
                tool,
                ending: Ending::Failed,
                content: Vec::new(),
                bytes: 0,
                codes: Vec::new(),
            };
            if let Err(error) = self.keeper.ended(ended).await {
                self.keeper.fault("mcp.unrecorded", &error);
            }
        }
        let _ = self.to_client.send(&message::error(&id, SERVER_GONE, &told)).await;
    }

    async fn from_server(self: &Arc<Self>, text: String) -> io::Result<()> {
        let message = match Message::of(&text) {
            Ok(message) => message,
            Err(malformed) => {
                self.keeper.fault("mcp.malformed", &format!("from the server: {malformed}; it was dropped"));
                self.answer_the_only_one("mcp.malformed", &malformed.to_string()).await;
                return Ok(());
            }
        };
        match message.kind {
            Kind::Notification if !is_notification(&message.method) => {
                let method = &message.method;
                let why =
                    format!("from the server: `{method}` without an id is no notification; it was dropped");
                self.keeper.fault("mcp.notification", &why);
                Ok(())
            }
            Kind::Notification | Kind::Request => {
                if message.method == "notifications/tools/list_changed" {
                    self.state.forget_list();
                }
                self.to_client.send(&text).await
            }
            Kind::Answer => {
                match self.state.answer_ours(Side::Server, message.id, &text) {
                    Ours::No => {}
                    Ours::Taken => return Ok(()),
                    Ours::Forged => {
                        self.forged("server");
                        return Ok(());
                    }
                }
                let Some(pending) = self.state.take(message.id) else {
                    // An answer to a call that waits at the gate would be one that nobody let pass.
                    self.keeper.fault(
                        "mcp.unasked",
                        "from the server: an answer that nobody waits for; it was dropped",
                    );
                    return Ok(());
                };
                match (pending.call, pending.method.as_str()) {
                    (Some((decision, tool)), _) => {
                        let relay = Arc::clone(self);
                        self.state.spawn(async move { relay.returned(decision, tool, text).await });
                        Ok(())
                    }
                    (None, "tools/list") => self.listed(&message).await,
                    // Everything that a model may read, the instructions of a server and the results of its tasks too.
                    (None, _) => {
                        let source = format!("mcp:{}/{}", self.options.server, pending.method);
                        let cleaned = self.cleaned(&message, &source).map(|cleaned| cleaned.result);
                        let out = cleaned.and_then(|result| with_result(&message, result));
                        self.to_client.send(out.as_deref().unwrap_or(&text)).await
                    }
                }
            }
        }
    }

    /// An answer to a question of our own by the side that wasn't asked: nobody's answer.
    fn forged(&self, side: &str) {
        let why =
            format!("from the {side}: an answer to a question that the other side was asked; it was dropped");
        self.keeper.fault("mcp.forged", &why);
    }

    fn cleaned(&self, message: &Message<'_>, source: &str) -> Option<clean::Cleaned> {
        match clean::clean(message.result()?, source) {
            Ok(cleaned) => Some(cleaned),
            Err(error) => {
                self.keeper.fault("mcp.result", &error.to_string());
                None
            }
        }
    }
}

/// The message with another result; `None` where it stays.
fn with_result(message: &Message<'_>, result: Option<String>) -> Option<String> {
    Some(message.members.with("result", Some(&result?)))
}

/// Whether a message without an id may be one: only methods of this name space have no answer.
fn is_notification(method: &str) -> bool {
    method.starts_with("notifications/")
}

fn told(frame: &Frame) -> (&'static str, String) {
    match frame {
        Frame::TooLong(length) => {
            ("mcp.too_long", format!("a message of {length} bytes; the most is 16 MiB"))
        }
        Frame::NotText(at) => ("mcp.utf8", format!("a message that isn't UTF-8 at byte {at}")),
        Frame::Return(at) => (
            "mcp.line",
            format!("a carriage return inside a message, at byte {at}; some readers end a line there"),
        ),
        Frame::Line(_) => ("mcp.line", String::new()),
    }
}

/// What a list shows of a definition; `None` leaves it out.
fn shown<'a>(tool: &'a str, standing: Option<&'a Standing>) -> Option<&'a str> {
    let standing = standing.filter(|standing| standing.shown)?;
    Some(standing.definition.as_deref().unwrap_or(tool))
}

/// The tools of a list's result, as they are written.
fn tools_of<'a>(result: &Members<'a>) -> Option<Vec<&'a str>> {
    let raw = result.get("tools")?.get();
    let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}
