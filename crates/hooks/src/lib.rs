//! Adapters of coding agents' hooks: pure functions from event to answer, and their installation.
//!
//! A client's hook hands one JSON event to [`event`] and gets back an [`Event`]: a call to judge, what became of one,
//! or the end of a session. The answer goes through [`reply`] into the client's own shape: text on standard output or
//! error, and an exit code. Measured: every client's hooks fail *open*, so whatever goes wrong here becomes a denial
//! in the client's shape ([`fault`]); nothing else is ever written.

use doorward_core::id::{CallId, Digest};
use doorward_core::json::{JsonError, Limits, Object, Value};
use doorward_core::tool::{Client, ToolName, ToolNameError};

use crate::clients::ClientMode;

pub mod clients;
pub mod companion;
pub mod emission;
pub mod exec;
pub mod install;
pub mod jsonc;
pub mod terminal;
pub mod thin;
pub mod ticket;

/// What a client's event says.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A call that waits for an answer.
    Call(Box<HookCall>),
    /// What became of a call.
    After(After),
    /// The session is over: open permits become `unobserved`.
    SessionEnd {
        /// Claimed session id.
        session: String,
        /// The file in which the client keeps the conversation.
        transcript: Option<String>,
    },
    /// The client works on a turn: what the person asked for with one prompt.
    Turn {
        /// Claimed session id.
        session: String,
        /// Its own name of the turn.
        turn: Option<String>,
        /// This turn is over. Else it may have just begun: then the turns before it are.
        over: bool,
        /// What the person wrote, where the event tells.
        prompt: Option<String>,
        /// The file in which the client keeps the conversation.
        transcript: Option<String>,
    },
    /// Nothing to judge (session start, a notification).
    Other,
}

/// A call as a hook tells it. Everything here is a claim of the client.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// The event's name, for the reply's shape.
    pub event: String,
    /// Claimed session id.
    pub session: String,
    /// Sub-agent, if told.
    pub agent: Option<String>,
    /// The client's id of the call.
    pub call: Option<CallId>,
    /// The client's name of the turn it belongs to.
    pub turn: Option<String>,
    /// Canonical name.
    pub tool: ToolName,
    /// Canonical arguments.
    pub args: Object,
    /// The client's own arguments, unchanged, for a rewrite.
    pub raw_args: Value,
    /// Claimed working directory; may be empty.
    pub cwd: String,
    /// Claimed mode, where the event tells one.
    pub mode: Option<ClientMode>,
}

impl HookCall {
    /// Digest of the tool and of those arguments that say what it does. The events of one call may differ in the rest:
    /// Codex puts a description beside a command when it asks about it.
    #[must_use]
    pub fn essence(&self) -> Digest {
        let mut args = self.args.clone();
        args.remove("description");
        args.insert("tool".to_owned(), Value::from(self.tool.as_str()));
        Value::Object(args).digest()
    }
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct After {
    /// Claimed session id.
    pub session: String,
    /// The client's id of the call.
    pub call: Option<CallId>,
    /// Digest of the canonical arguments, for clients without ids.
    pub args_digest: Digest,
    /// Whether it failed.
    pub failed: bool,
    /// Digest of what it returned.
    pub output_digest: Option<Digest>,
    /// Length of what it returned.
    pub bytes: u64,
    /// The texts of what it returned, at most 256 KiB of them.
    pub output: String,
    /// How a call to a terminal that keeps its shell ended, where the client tells.
    pub terminal: Option<terminal::TerminalEnd>,
}

/// The answer, before it takes the client's shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Nothing to say: the client goes on as it would have without us.
    NoOpinion,
    /// Yes, also in place of the client's own prompt.
    Allow,
    /// With other arguments (`hooks.shell = "bind"`).
    Rewrite {
        /// The arguments.
        input: Value,
        /// What is said beside them.
        say: Say,
    },
    /// The client's own dialog decides.
    Ask {
        /// Shown to the person.
        reason: String,
    },
    /// No.
    Deny {
        /// Read by the model and the person.
        reason: String,
    },
}

/// What is said about a rewritten call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// Nothing: the client goes on as it would have without us, with what is written now.
    Nothing,
    /// Yes, also in place of the client's own prompt.
    Allow,
    /// The client's own dialog decides.
    Ask {
        /// Shown to the person.
        reason: String,
    },
}

/// What the hook process writes, and how it exits.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Reply {
    /// Standard output, whole.
    pub stdout: String,
    /// Standard error, whole.
    pub stderr: String,
    /// Exit code.
    pub exit: u8,
}

/// Why an event can't be read. The call behind it is denied.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// Not strict JSON.
    #[error("the event is not strict JSON: {0}")]
    Json(#[from] JsonError),
    /// A member is missing or of another type.
    #[error("hook.event_malformed: the event has no usable `{0}`")]
    Member(&'static str),
    /// An event that may announce a call, and isn't known.
    #[error(
        "hook.unknown_event: `{0}` isn't an event that this version of Doorward knows, and it may announce a call; \
         update Doorward"
    )]
    Unknown(String),
    /// A tool name that is refused.
    #[error("{0}")]
    Tool(#[from] ToolNameError),
}

/// Reads one event of a client.
///
/// # Errors
/// [`EventError`]; the surface answers with [`fault`].
pub fn event(client: Client, stdin: &[u8]) -> Result<Event, EventError> {
    let value = Value::parse_bytes(stdin, Limits::default())?;
    (clients::contract(client).event)(&value)
}

/// The answer in the client's shape.
#[must_use]
pub fn reply(client: Client, event: &str, answer: &Answer) -> Reply {
    (clients::contract(client).reply)(event, answer)
}

/// The reply to an event that could not be read, judged or recorded: a denial that every client obeys.
#[must_use]
pub fn fault(client: Client, reason: &str) -> Reply {
    (clients::contract(client).fault)(reason)
}

pub(crate) fn non_empty(reason: &str) -> String {
    // Codex runs the command when a denial has no reason.
    if reason.trim().is_empty() { "denied by Doorward".to_owned() } else { reason.to_owned() }
}
