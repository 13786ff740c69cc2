//! The decision interface ([`Keeper`]) and the types it exchanges with the relay.

use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;

/// The keeper's verdict on a listed tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStanding {
    /// The client may see and call it.
    pub shown: bool,
    /// Its definition with a changed input schema, if that is shown instead.
    pub definition: Option<String>,
    /// For a hidden tool: its name and the reason, for people.
    pub hidden: Option<(String, String)>,
}

/// Kinds of requests that the keeper decides about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gated {
    /// `tools/call`.
    Tool,
    /// `prompts/get`.
    Prompt,
    /// `resources/read`.
    Resource,
}

impl Gated {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Tool, Self::Prompt, Self::Resource];

    /// The method.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Tool => "tools/call",
            Self::Prompt => "prompts/get",
            Self::Resource => "resources/read",
        }
    }

    /// The kind with this method.
    #[must_use]
    pub fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.method() == method)
    }
}

/// A call to be decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The client's id of the call.
    pub id: String,
    /// The kind of request.
    pub kind: Gated,
    /// The name of the tool or prompt on its server, or the URI of the resource.
    pub tool: String,
    /// The arguments as written.
    pub arguments: String,
}

/// The keeper's answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run once; its end must be reported to the keeper.
    Allowed {
        /// Id of the decision.
        decision: String,
        /// Arguments to send instead.
        arguments: Option<String>,
    },
    /// A person must decide.
    Asked {
        /// Id of the question.
        question: String,
        /// Text for the person.
        message: String,
        /// The client's own dialog may ask it.
        by_client: bool,
        /// It can also be answered elsewhere, so waiting makes sense.
        waits: bool,
    },
    /// It must not run.
    Denied {
        /// Stable code.
        code: String,
        /// For the model and the person.
        reason: String,
    },
}

/// State of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// Approved: the call is offered again.
    Allowed,
    /// Rejected, or it can't be answered any more.
    Denied(String),
    /// Not yet.
    Pending,
}

/// How an allowed call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnding {
    /// Returned a result.
    Ran,
    /// Returned an error, or a result that reports failure.
    Failed,
    /// Sent, with unknown outcome.
    Unobserved,
    /// Never sent.
    NotSent,
}

/// Result of an allowed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Id of the decision.
    pub decision: String,
    /// The tool.
    pub tool: String,
    /// How it ended.
    pub ending: CallEnding,
    /// Original texts of the result, bounded.
    pub content: Vec<u8>,
    /// Size of the original result in bytes.
    pub bytes: u64,
    /// Codes of what was found in it.
    pub codes: Vec<&'static str>,
}

/// Server content outside the answers to calls: a resource, a prompt, a task's result, a notification, a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Came {
    /// The method that brought it.
    pub method: String,
    /// Its original texts, bounded.
    pub content: Vec<u8>,
    /// Codes of what was found in it.
    pub codes: Vec<&'static str>,
    /// The text of a question to the user or to the client's model.
    pub asked: Option<String>,
}

/// A client's process, as identified by the kernel from its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its pid.
    pub pid: i32,
    /// Start time in clock ticks after boot, which tells it from a later process with the same pid.
    pub started: u64,
}

/// One session of one of a gateway's clients.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversation {
    /// Unique name of the session; empty in the revision without sessions (2026-07-28).
    pub id: String,
    /// The client's process; `None` if the kernel can't identify it.
    pub process: Option<Process>,
}

impl Conversation {
    /// A new session.
    #[must_use]
    pub fn begun(process: Option<Process>) -> Self {
        Self { id: doorward_core::id::fresh().to_lowercase(), process }
    }

    /// All messages of a client that has no session.
    #[must_use]
    pub const fn without_session(process: Option<Process>) -> Self {
        Self { id: String::new(), process }
    }
}

/// Decides which messages pass.
pub trait Keeper: Send + Sync {
    /// The keeper for one of several clients: what that client reads is remembered as its own.
    fn of(&self, conversation: &Conversation) -> Arc<dyn Keeper>;

    /// Checks the tools that the server lists, given as written. Returns one verdict each, in this order.
    fn seen<'a>(&'a self, tools: &'a [&'a str], whole: bool) -> Boxed<'a, Result<Vec<ToolStanding>, String>>;

    /// Decides about a call.
    fn offer<'a>(&'a self, offer: &'a Offer) -> Boxed<'a, Answer>;

    /// Waits at most `most` for an answer to a question.
    fn wait<'a>(&'a self, question: &'a str, most: Duration) -> Boxed<'a, Waited>;

    /// The client's dialog answered a question.
    fn answered<'a>(&'a self, question: &'a str, yes: bool) -> Boxed<'a, Result<(), String>>;

    /// The answer to a question is no longer needed.
    fn withdrawn<'a>(&'a self, question: &'a str) -> Boxed<'a, ()>;

    /// An allowed call ended. Called before the client reads the result.
    fn ended<'a>(&'a self, ended: Ended) -> Boxed<'a, Result<(), String>>;

    /// The server sent content outside its answers to calls. Called before the client reads it.
    fn came<'a>(&'a self, came: Came) -> Boxed<'a, Result<(), String>>;

    /// An invalid or unrequested message arrived.
    fn fault(&self, code: &str, message: &str);
}
