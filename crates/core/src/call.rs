//! A tool call as it comes in, whichever surface it came through.

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
    /// Not empty.
    pub id: String,
    /// Groups, as the caller's authentication gave them.
    #[serde(default)]
    pub groups: Vec<String>,
}

/// Who runs what was decided, and so how much of the decision can be enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Custody {
    /// Doorward runs the sealed bytes itself.
    Bound,
    /// Doorward forwards the sealed bytes.
    Relayed,
    /// Another process was told yes; a later event closes the record.
    Advised,
}

impl Custody {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Relayed => "relayed",
            Self::Advised => "advised",
        }
    }
}

/// The way in.
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
    /// Nobody is there: a confirm becomes a denial with outcome `no_approver`.
    #[default]
    None,
    /// The client's own dialog.
    Client,
    /// Doorward's approval queue.
    Queue,
}

/// A place calls may touch. Order matters: the first is the working root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Root {
    /// Absolute path.
    pub path: String,
    /// What may be done below it.
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
    /// Nothing (`deny:`), also inside another root.
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

/// As [`Root::parse`] reads it.
impl std::fmt::Display for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.access {
            RootAccess::Read => write!(f, "ro:{}", self.path),
            RootAccess::Deny => write!(f, "deny:{}", self.path),
            RootAccess::Write => f.write_str(&self.path),
        }
    }
}

/// How paths outside every root are taken (`roots = "strict" | "ask"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutsideRoots {
    /// Any outside path is `path.escape`: MCP, HTTP, library.
    #[default]
    Strict,
    /// An outside path that openly says so is `path.outside` and goes to the mode: coding-agent hooks.
    Ask,
}

/// One call, as judged: names canonical, arguments strict JSON, claims already capped. Made by [`ToolCall::new`] alone,
/// which demands everything that must be said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ToolCall {
    /// The client's id of the call (`toolu_…`), or ours.
    pub id: CallId,
    /// Who.
    pub principal: Principal,
    /// Claimed session id plus the client process, so that one session can't speak for another.
    pub session: SessionId,
    /// Agent name or sub-agent id, if told.
    #[serde(default)]
    pub agent: Option<String>,
    /// All agents of one piece of work, if told; flow rules and counters may span it.
    #[serde(default)]
    pub workflow: Option<String>,
    /// Whose tool names were used.
    pub client: Client,
    /// The way in.
    pub surface: Surface,
    /// Who would run it.
    pub custody: Custody,
    /// Canonical name.
    pub tool: ToolName,
    /// The verb of the seed contract, `tool:execute` unless a caller says otherwise.
    pub action: String,
    /// Canonical arguments: an object.
    pub args: Object,
    /// Absolute working directory.
    pub cwd: String,
    /// Where the call may act. Never from a client's event.
    pub roots: Vec<Root>,
    /// How other paths are taken.
    #[serde(default)]
    pub outside: OutsideRoots,
    /// Permission mode of the session, already capped by `modes.max`.
    #[serde(default)]
    pub mode: PermissionMode,
    /// Whether and how a person can be asked.
    #[serde(default)]
    pub prompt: Prompt,
    /// Who is asked where the mode alone asks, if that is somebody else: a client that asks by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode_prompt: Option<Prompt>,
    /// Whoever carries it out never reports what became of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreported: bool,
    /// What the caller said beside it: readable by policy under `context.request` only.
    #[serde(default)]
    pub context: Object,
    /// When the answer is no longer of use.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
    /// Whoever carries it out takes other arguments from us (`rewrite_args`, bound shell calls).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewrites: bool,
    /// The caller used another name for the tool, and so the arguments of another contract.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub renamed: bool,
    /// Who makes it runs inside our sandbox, as the kernel told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enclosed: bool,
    /// The sandbox it would run in: what the way in promises of Doorward's own, or what whoever carries it out
    /// declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Box<SandboxFacts>>,
    /// Names of the obligations that the settings trust this caller to meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vouched: Vec<String>,
    /// Digest of the tool's pinned definition, for tools of MCP servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Digest>,
    /// A server that the settings trust declares, in a pinned definition, that the tool only reads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declared_reading: bool,
    /// What the way in found before the call came here: arguments that break the tool's schema, a definition that
    /// nobody approved. Judged like every other finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<Finding>,
}

/// Who makes a call, through what, and who would run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub principal: Principal,
    /// Claimed session id plus the client process.
    pub session: SessionId,
    /// Whose tool names were used.
    pub client: Client,
    /// The way in.
    pub surface: Surface,
    /// Who would run it.
    pub custody: Custody,
}

/// Where a call may act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workplace {
    /// Absolute working directory.
    pub cwd: String,
    /// Where it may act; the first writable one is the project.
    pub roots: Vec<Root>,
    /// How other paths are taken.
    pub outside: OutsideRoots,
}

/// How a call is settled where no rule speaks about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// Permission mode of the session, already capped.
    pub mode: PermissionMode,
    /// Whether and how a person can be asked.
    pub prompt: Prompt,
}

impl ToolCall {
    /// A call, from everything that has to be said about one. The rest has a default: an id of ours, the verb
    /// `tool:execute`, no context, no deadline.
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
    /// The class, where an unknown tool counts as Execute.
    #[must_use]
    pub fn class(&self) -> ToolClass {
        self.tool.class().unwrap_or(ToolClass::Execute)
    }

    /// The project it belongs to: the first root that may be written.
    #[must_use]
    pub fn project(&self) -> Option<&str> {
        self.roots.iter().find(|root| root.access == RootAccess::Write).map(|root| root.path.as_str())
    }

    /// Who is asked about it: a typed phrase and a second person are never left to a client, and what the mode alone
    /// asks may be somebody else's question than the rest.
    #[must_use]
    pub fn asked_through(&self, basis: Basis, level: u8) -> Prompt {
        match (level, self.prompt) {
            (0..=1, prompt) if basis == Basis::Mode => self.mode_prompt.unwrap_or(prompt),
            (0..=1, prompt) => prompt,
            (_, Prompt::None) => Prompt::None,
            (_, Prompt::Client | Prompt::Queue) => Prompt::Queue,
        }
    }

    /// A string argument.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.args.get(name)?.as_str()
    }

    /// The command or code that it runs, if it runs one.
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
