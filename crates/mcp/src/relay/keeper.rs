//! Who decides what passes ([`Keeper`]), and the words that the relay and it speak with each other.

use std::sync::Arc;
use std::time::Duration;

use doorward_core::Boxed;

/// How a tool stands with the keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The client may see it and call it.
    pub shown: bool,
    /// Its definition with a changed input schema, where that is shown instead.
    pub definition: Option<String>,
    /// For a tool that is left out: its name and why, for people.
    pub hidden: Option<(String, String)>,
}

/// Requests that the keeper decides about.
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
    /// All of them.
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

    /// The one of this method.
    #[must_use]
    pub fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.method() == method)
    }
}

/// A call on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The client's id of the call.
    pub id: String,
    /// What is asked for.
    pub kind: Gated,
    /// The name of the tool or prompt on its server, or the URI of the resource.
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

/// What a server said beside its answers to calls: a resource, a prompt, a task's result, a notification, a question of
/// its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Came {
    /// The method that brought it.
    pub method: String,
    /// Its texts as they came, bounded.
    pub content: Vec<u8>,
    /// What was found in it.
    pub codes: Vec<&'static str>,
    /// The words of a question that the server puts to the user or to the client's model.
    pub asked: Option<String>,
}

/// A client's process, as the kernel tells whose connection it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// Clock ticks after boot, so that a reused number isn't taken for the same process.
    pub started: u64,
}

/// One of several clients of a gateway, in one of its sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversation {
    /// Name of the session, which no other has; empty at the revision without sessions (2026-07-28).
    pub id: String,
    /// The client's process; `None` where the kernel doesn't tell.
    pub process: Option<Process>,
}

impl Conversation {
    /// A session that begins.
    #[must_use]
    pub fn begun(process: Option<Process>) -> Self {
        Self { id: doorward_core::id::fresh().to_lowercase(), process }
    }

    /// Everything that a client says without a session.
    #[must_use]
    pub const fn without_session(process: Option<Process>) -> Self {
        Self { id: String::new(), process }
    }
}

/// Decides what passes.
pub trait Keeper: Send + Sync {
    /// The keeper of one of several clients: what that client reads is remembered as its own.
    fn of(&self, conversation: &Conversation) -> Arc<dyn Keeper>;

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

    /// The server said something beside its answers to calls. The client reads it after this.
    fn came<'a>(&'a self, came: Came) -> Boxed<'a, Result<(), String>>;

    /// Something came that is no message, or that nobody asked for.
    fn fault(&self, code: &str, message: &str);
}
