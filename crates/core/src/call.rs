//! A tool call as it enters, in one form for all surfaces.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::decision::Basis;
use crate::effect::SandboxFacts;
use crate::finding::Finding;
use crate::id::{CallId, Digest, SessionId};
use crate::json::{Object, Value};
use crate::mode::PermissionMode;
use crate::tool::{Client, ToolClass, ToolName};

/// Who makes the call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Principal {
    /// Never empty.
    pub id: String,
    /// Groups, as reported by the caller's authentication.
    #[serde(default)]
    pub groups: Vec<String>,
}

/// Who executes an allowed call, which determines how much of the decision can be enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Custody {
    /// Doorward runs the sealed call itself.
    Bound,
    /// Doorward forwards the sealed call.
    Relayed,
    /// Another process is told that the call is allowed; a later event closes the record.
    Advised,
}

impl Custody {
    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Relayed => "relayed",
            Self::Advised => "advised",
        }
    }
}

/// The interface through which a call enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// A hook of a coding agent.
    Hook,
    /// The MCP gateway.
    Mcp,
    /// The HTTP service.
    Http,
    /// The Rust library.
    Library,
    /// The Python package.
    Python,
    /// The command line.
    Cli,
}

/// Whether a person can be asked, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Prompt {
    /// No person can be asked: a confirm becomes a denial with outcome `no_approver`.
    #[default]
    None,
    /// The client's own dialog.
    Client,
    /// Doorward's approval queue.
    Queue,
}

/// A folder that calls may touch. Order matters: the first is the working root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Root {
    /// Absolute path.
    pub path: String,
    /// What is permitted below it.
    #[serde(default)]
    pub access: RootAccess,
}

/// What a root permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RootAccess {
    /// Read and write.
    #[default]
    Write,
    /// Read only (`ro:`).
    Read,
    /// No access, even where this root lies inside another one.
    Deny,
}

impl Root {
    /// Reads `P`, `ro:P` or `deny:P`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (access, path) = match text.split_once(':') {
            Some(("ro", path)) => (RootAccess::Read, path),
            Some(("deny", path)) => (RootAccess::Deny, path),
            _ => (RootAccess::Write, text),
        };
        Self { path: path.to_owned(), access }
    }
}

/// In the form that [`Root::parse`] reads.
impl std::fmt::Display for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.access {
            RootAccess::Read => write!(f, "ro:{}", self.path),
            RootAccess::Deny => write!(f, "deny:{}", self.path),
            RootAccess::Write => f.write_str(&self.path),
        }
    }
}

/// How paths outside every root are judged (`roots = "strict" | "ask"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutsideRoots {
    /// Any outside path is `path.escape`. Used by MCP, HTTP and the library.
    #[default]
    Strict,
    /// A path that openly names a place outside is `path.outside`, which the mode decides. Used by hooks of coding
    /// agents.
    Ask,
}

/// One call, ready to be judged: canonical names, strict JSON arguments, claimed modes already capped. Made only by
/// [`ToolCall::new`], which requires every field that has no safe default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ToolCall {
    /// The client's id of the call (`toolu_…`), or one that Doorward generated.
    pub id: CallId,
    /// Who makes the call.
    pub principal: Principal,
    /// Claimed session id plus the client process, so that one session can't impersonate another.
    pub session: SessionId,
    /// Agent name or sub-agent id, if known.
    #[serde(default)]
    pub agent: Option<String>,
    /// The workflow (all agents working on one task), if known; flow rules and counters may span it.
    #[serde(default)]
    pub workflow: Option<String>,
    /// The client whose tool names are used.
    pub client: Client,
    /// The interface it came through.
    pub surface: Surface,
    /// Who would execute it.
    pub custody: Custody,
    /// Canonical tool name.
    pub tool: ToolName,
    /// The verb of the seed contract; `tool:execute` unless the caller names another.
    pub action: String,
    /// Canonical arguments: an object.
    pub args: Object,
    /// Absolute working directory.
    pub cwd: String,
    /// Where the call may act. Never taken from a client's event.
    pub roots: Vec<Root>,
    /// How paths outside the roots are judged.
    #[serde(default)]
    pub outside: OutsideRoots,
    /// Permission mode of the session, already capped by `modes.max`.
    #[serde(default)]
    pub mode: PermissionMode,
    /// Whether and how a person can be asked.
    #[serde(default)]
    pub prompt: Prompt,
    /// Who is asked when only the mode asks, if not `prompt`: a client that shows its own dialog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode_prompt: Option<Prompt>,
    /// The executor never reports an outcome.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreported: bool,
    /// Context that the caller sent. Policies read it under `context.request` only.
    #[serde(default)]
    pub context: Object,
    /// After this time the caller no longer waits for the answer.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
    /// The executor accepts rewritten arguments (`rewrite_args`, bound shell calls).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewrites: bool,
    /// The caller used an alias of the tool, and so the alias's argument format.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub renamed: bool,
    /// The calling process runs inside Doorward's sandbox, according to the kernel.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enclosed: bool,
    /// The sandbox it would run in: Doorward's own, or the one that the executor declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Box<SandboxFacts>>,
    /// Names of the obligations that the settings trust this caller to meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vouched: Vec<String>,
    /// Digest of the tool's pinned definition, for tools of MCP servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Digest>,
    /// A trusted server declares, in a pinned definition, that the tool is read-only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declared_reading: bool,
    /// Findings from the surface, made before the call reached the gate: arguments that break the tool's schema, a
    /// definition that hasn't been approved. Judged like all other findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<Finding>,
}

/// Who makes a call, through which interface, and who would execute it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Who makes the call.
    pub principal: Principal,
    /// Claimed session id plus the client process.
    pub session: SessionId,
    /// The client whose tool names are used.
    pub client: Client,
    /// The interface it came through.
    pub surface: Surface,
    /// Who would execute it.
    pub custody: Custody,
}

/// Where a call may act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workplace {
    /// Absolute working directory.
    pub cwd: String,
    /// Roots of the call; the first writable one is the project.
    pub roots: Vec<Root>,
    /// How paths outside the roots are judged.
    pub outside: OutsideRoots,
}

/// How a call is decided when no rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// Permission mode of the session, already capped.
    pub mode: PermissionMode,
    /// Whether and how a person can be asked.
    pub prompt: Prompt,
}

impl ToolCall {
    /// A call from its required parts. The rest gets defaults: a generated id, the verb `tool:execute`, no context,
    /// no deadline.
    #[must_use]
    pub fn new(
        caller: Caller,
        tool: ToolName,
        args: Object,
        workplace: Workplace,
        settlement: Settlement,
    ) -> Self {
        Self {
            id: CallId::fresh(),
            principal: caller.principal,
            session: caller.session,
            agent: None,
            workflow: None,
            client: caller.client,
            surface: caller.surface,
            custody: caller.custody,
            tool,
            action: EXECUTE.to_owned(),
            args,
            cwd: workplace.cwd,
            roots: workplace.roots,
            outside: workplace.outside,
            mode: settlement.mode,
            prompt: settlement.prompt,
            mode_prompt: None,
            unreported: false,
            context: Object::new(),
            deadline: None,
            rewrites: false,
            renamed: false,
            enclosed: false,
            sandbox: None,
            vouched: Vec::new(),
            pin: None,
            declared_reading: false,
            found: Vec::new(),
        }
    }
}

/// The verb of the seed contract.
pub const EXECUTE: &str = "tool:execute";

impl ToolCall {
    /// The class of the tool; an unknown tool counts as Execute.
    #[must_use]
    pub fn class(&self) -> ToolClass {
        self.tool.class().unwrap_or(ToolClass::Execute)
    }

    /// The project of the call: its first writable root.
    #[must_use]
    pub fn project(&self) -> Option<&str> {
        self.roots.iter().find(|root| root.access == RootAccess::Write).map(|root| root.path.as_str())
    }

    /// Who is asked about this call. A typed phrase or a second person is asked for in Doorward's queue, never by the
    /// client. A question that comes from the mode alone goes through `mode_prompt`, if set.
    #[must_use]
    pub fn asked_through(&self, basis: Basis, level: u8) -> Prompt {
        match (level, self.prompt) {
            (0..=1, prompt) if basis == Basis::Mode => self.mode_prompt.unwrap_or(prompt),
            (0..=1, prompt) => prompt,
            (_, Prompt::None) => Prompt::None,
            (_, Prompt::Client | Prompt::Queue) => Prompt::Queue,
        }
    }

    /// The argument `name`, if it is a string.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.args.get(name)?.as_str()
    }

    /// The command or code that the call runs, if any.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.arg(self.tool.text_argument()?)
    }

    /// The arguments as one value.
    #[must_use]
    pub fn args_value(&self) -> Value {
        Value::Object(self.args.clone())
    }

    /// `sha256:` over the canonical arguments: what approvals and records are bound to.
    #[must_use]
    pub fn args_digest(&self) -> Digest {
        self.args_value().digest()
    }
}
