//! Calls that come through the MCP gateway: the definitions of a server's tools and their pins, a call's way through
//! the gate, and what it brought back.
//!
//! A gateway is a process of its own (`doorward mcp`). It speaks to the service that runs, whose gate decides, or holds
//! a door of its own ([`own`]). Both answer with the types here.

mod calls;
mod gatekeeper;
mod gateway;
mod known;
mod names;
pub mod own;
mod watch;

use doorward_core::id::{CallId, DecisionId, Digest, QuestionId};
use doorward_mcp::pins::State;
use doorward_mcp::scan::ScanFinding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use calls::hold_to_pinned_schema;
pub use calls::{Relayed, answered, came, ended, offer, sweep};
pub use gateway::Gateway;
pub use watch::{Approved, PinShown, approve, pins, refuse, seen};

/// A server as the settings of its client start it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its name, as policies write it: `mcp:NAME/TOOL`.
    pub name: String,
    /// What is pinned of the server itself: its command with the digests of its files, or its address.
    pub identity: String,
}

/// One of several clients of a gateway over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// Name of its session; empty at the revision without sessions.
    pub id: String,
    /// The client's process, as the kernel told the gateway; none where it didn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<i32>,
    /// When that process was started, in clock ticks after boot.
    #[serde(default)]
    pub started: u64,
}

/// The tools that a server lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seeing {
    /// The server.
    pub server: Server,
    /// Definitions, as they were written.
    pub tools: Vec<String>,
    /// Working folder of the gateway, whose project's settings count.
    pub cwd: String,
}

/// How one listed tool stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// Its name; empty where the definition can't be read.
    pub name: String,
    /// Digest of the definition as it is listed now; none where it can't be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Whether a client may see and call it.
    pub shown: bool,
    /// Why not, or what was found all the same.
    pub why: String,
    /// The definition with another input schema, where that is shown instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// It waits for a person, and didn't before.
    #[serde(skip)]
    pub waits_now: bool,
}

/// What a person is told about tools that wait now; none where none does.
#[must_use]
pub fn waiting(server: &str, seen: &[Seen]) -> Option<String> {
    /// Tools that are named at most, and characters of each name.
    const NAMED: (usize, usize) = (5, 64);
    let new: Vec<&Seen> = seen.iter().filter(|one| one.waits_now).collect();
    let first = new.first()?;
    let name = |one: &&&Seen| one.name.chars().take(NAMED.1).collect::<String>();
    let names: Vec<String> = new.iter().take(NAMED.0).map(|one| name(&one)).collect();
    let more = if new.len() > NAMED.0 { ", …" } else { "" };
    Some(format!(
        "{} of the tools of `{server}` are hidden until a person looked at them: {}{more} ({})",
        new.len(),
        names.join(", "),
        first.why
    ))
}

/// What a client asks a server for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A call of a tool.
    #[default]
    Tool,
    /// A prompt.
    Prompt,
    /// A resource.
    Resource,
}

/// A call of a tool, or a request for a prompt or a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offering {
    /// The server.
    pub server: Server,
    /// What is asked for.
    #[serde(default)]
    pub kind: Kind,
    /// The name of the tool or the prompt, or the URI of the resource.
    pub tool: String,
    /// Digest of its definition as the server lists it now; none where it lists none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The arguments as they were written.
    pub arguments: String,
    /// The client's id of the call.
    pub call: CallId,
    /// Working folder of the gateway.
    pub cwd: String,
    /// Further places where the call may act, as `doorward mcp --root` names them.
    #[serde(default)]
    pub roots: Vec<String>,
    /// The client reads the label `security_risk` in the schemas, so that a missing one counts.
    #[serde(default)]
    pub labelled: bool,
    /// Which client of the gateway calls; none on pipes, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Conversation>,
}

/// What the gate says to a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "decision", rename_all = "lowercase")]
pub enum Offered {
    /// It may be sent, once.
    Allowed {
        /// Identity of the decision: its end is reported under it.
        id: DecisionId,
        /// Arguments to send instead, where they differ from what came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<String>,
    },
    /// A person is asked.
    Asked {
        /// Identity of the question.
        question: QuestionId,
        /// What the person is told.
        message: String,
        /// A plain yes in the client's own dialog would do.
        by_client: bool,
    },
    /// It isn't sent.
    Denied {
        /// Stable code.
        code: String,
        /// For the model and the person.
        reason: String,
    },
}

/// What the client's dialog said to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The question.
    pub question: QuestionId,
    /// Yes or no.
    pub yes: bool,
    /// Which client of the gateway answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Conversation>,
}

/// How a call that was sent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With a result.
    Ran,
    /// With an error, or a result that says it failed.
    Failed,
    /// It was sent, and nobody will know.
    Unobserved,
    /// It was never sent.
    NotSent,
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The decision.
    pub id: DecisionId,
    /// The server's name.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// How.
    pub ending: Ending,
    /// Texts of the result as they came, in Base64, at most 1 MiB of them.
    #[serde(default)]
    pub content: String,
    /// Bytes of the whole answer.
    #[serde(default)]
    pub bytes: u64,
    /// What was found in it.
    #[serde(default)]
    pub codes: Vec<String>,
}

/// What a server said beside its answers to calls: a resource, a prompt, a task's result, a question of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Came {
    /// The server's name.
    pub server: String,
    /// The method that brought it.
    pub method: String,
    /// Its texts as they came, in Base64, at most 1 MiB of them.
    #[serde(default)]
    pub content: String,
    /// What was found in it.
    #[serde(default)]
    pub codes: Vec<String>,
    /// The words of a question that the server puts to the user or to the client's model.
    #[serde(default)]
    pub asked: Option<String>,
    /// Which client of the gateway reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Conversation>,
}

/// Why the gateway's request isn't taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {reason}")]
pub struct Refused {
    /// Stable code.
    pub code: String,
    /// In words.
    pub reason: String,
}

impl Refused {
    pub(crate) fn new(code: &str, reason: impl Into<String>) -> Self {
        Self { code: code.to_owned(), reason: reason.into() }
    }
}

/// Sentences for findings, at most three.
fn told(findings: &[ScanFinding]) -> String {
    let mut told: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity > doorward_mcp::ScanVerdict::Ok)
        .map(|finding| format!("{} ({})", finding.message, finding.code))
        .collect();
    told.dedup();
    told.truncate(3);
    told.join("; ")
}

/// Whether a tool in this state may be seen and called.
fn is_shown(state: State) -> bool {
    state == State::Approved
}
