//! Adapters for hooks of coding agents: pure functions from event to answer, and the installation.
//!
//! A client's hook passes one JSON event to [`event`] and gets an [`Event`]: a call to judge, the outcome of a call,
//! or the end of a session. [`reply`] formats the answer for the client: text on standard output or error, and an
//! exit code. Measured: all clients' hooks fail *open*, so every error here becomes a denial in the client's format
//! ([`fault`]); nothing else is ever written.

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

/// A client's event.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A call that needs an answer.
    Call(Box<HookCall>),
    /// The outcome of a call.
    After(After),
    /// The session ended: open permits become `unobserved`.
    SessionEnd {
        /// Claimed session id.
        session: String,
        /// File with the client's transcript of the conversation.
        transcript: Option<String>,
    },
    /// A turn, which is the client's work on one prompt, began or ended.
    Turn {
        /// Claimed session id.
        session: String,
        /// The client's id of the turn.
        turn: Option<String>,
        /// Whether this turn ended. If not, it may have just begun, so earlier turns ended.
        over: bool,
        /// The person's prompt, if the event contains it.
        prompt: Option<String>,
        /// File with the client's transcript of the conversation.
        transcript: Option<String>,
    },
    /// An event without anything to judge (session start, notification).
    Other,
}

/// A call as reported by a hook. All fields are claims of the client.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// Name of the event; the reply's format depends on it.
    pub event: String,
    /// Claimed session id.
    pub session: String,
    /// Sub-agent, if known.
    pub agent: Option<String>,
    /// The client's id of the call.
    pub call: Option<CallId>,
    /// The client's id of the turn.
    pub turn: Option<String>,
    /// Canonical name.
    pub tool: ToolName,
    /// Canonical arguments.
    pub args: Object,
    /// The client's own arguments, unchanged; needed for a rewrite.
    pub raw_args: Value,
    /// Claimed working directory; may be empty.
    pub cwd: String,
    /// Claimed mode, if the event contains one.
    pub mode: Option<ClientMode>,
}

impl HookCall {
    /// Digest of the tool and of the arguments that determine what it does. Other arguments may differ between events
    /// of the same call: Codex adds a description to the command when it asks.
    #[must_use]
    pub fn essence(&self) -> Digest {
        let mut args = self.args.clone();
        args.remove("description");
        args.insert("tool".to_owned(), Value::from(self.tool.as_str()));
        Value::Object(args).digest()
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct After {
    /// Claimed session id.
    pub session: String,
    /// The client's id of the call.
    pub call: Option<CallId>,
    /// Digest of the canonical arguments, for clients without call ids.
    pub args_digest: Digest,
    /// Whether the call failed.
    pub failed: bool,
    /// Digest of the result.
    pub output_digest: Option<Digest>,
    /// Length of the result in bytes.
    pub bytes: u64,
    /// Texts of the result, at most 256 KiB.
    pub output: String,
    /// The end state of a persistent terminal, if the client reports it.
    pub terminal: Option<terminal::TerminalEnd>,
}

/// The answer, independent of the client's format.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No opinion: the client proceeds as it would without Doorward.
    NoOpinion,
    /// No opinion, and a line for the person, where the client shows one.
    Noted {
        /// The line.
        note: String,
    },
    /// Allow, without the client's own prompt.
    Allow,
    /// Run with other arguments (`hooks.shell = "bind"`).
    Rewrite {
        /// The arguments.
        input: Value,
        /// The opinion that goes with them.
        say: Say,
    },
    /// The client's own dialog decides.
    Ask {
        /// Shown to the person.
        reason: String,
    },
    /// Deny.
    Deny {
        /// Read by the model and the person.
        reason: String,
    },
}

/// The opinion that goes with rewritten arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// No opinion: the client proceeds as usual, with the new arguments.
    Nothing,
    /// Allow, without the client's own prompt.
    Allow,
    /// The client's own dialog decides.
    Ask {
        /// Shown to the person.
        reason: String,
    },
}

/// Output and exit code of the hook process.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Reply {
    /// Whole standard output.
    pub stdout: String,
    /// Whole standard error.
    pub stderr: String,
    /// Exit code.
    pub exit: u8,
}

/// Why an event couldn't be read. Its call is denied.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// Not strict JSON.
    #[error("the event is not strict JSON: {0}")]
    Json(#[from] JsonError),
    /// A member is missing or has the wrong type.
    #[error("hook.event_malformed: the event has no usable `{0}`")]
    Member(&'static str),
    /// An unknown event that may announce a call.
    #[error(
        "hook.unknown_event: `{0}` isn't an event that this version of Doorward knows, and it may announce a call; \
         update Doorward"
    )]
    Unknown(String),
    /// The tool's name is refused.
    #[error("{0}")]
    Tool(#[from] ToolNameError),
}

/// Reads one event of a client.
///
/// # Errors
/// [`EventError`]; answer it with [`fault`].
pub fn event(client: Client, stdin: &[u8]) -> Result<Event, EventError> {
    let value = Value::parse_bytes(stdin, Limits::default())?;
    (clients::contract(client).event)(&value)
}

/// Formats the answer for the client.
#[must_use]
pub fn reply(client: Client, event: &str, answer: &Answer) -> Reply {
    (clients::contract(client).reply)(event, answer)
}

/// The reply if an event couldn't be read, judged or recorded: a denial that every client obeys.
#[must_use]
pub fn fault(client: Client, reason: &str) -> Reply {
    (clients::contract(client).fault)(reason)
}

pub(crate) fn non_empty(reason: &str) -> String {
    // Codex runs the command if a denial has no reason.
    if reason.trim().is_empty() { "denied by Doorward".to_owned() } else { reason.to_owned() }
}
