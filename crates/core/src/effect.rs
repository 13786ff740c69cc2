//! What a call would do on this machine: its intent with paths resolved, hosts judged and deletes assessed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::id::Digest;
use crate::intent::{
    Certainty, Connector, Direction, HistoryLoss, Install, Place, Privilege, SimpleCommand, Span, Unknown,
    WriteMode,
};

/// Where a path lies relative to the roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Inside a root that permits the operation.
    Inside,
    /// In the user's temp folder. Outside the roots, but losing it costs nothing.
    Scratch,
    /// A device that discards or supplies bytes (`/dev/null`, `/dev/stdin`).
    Harmless,
    /// Names a place outside the roots openly.
    Outside,
    /// Looks like a path inside the roots but resolves outside; or any outside path with strict roots.
    Escape,
    /// Inside a root that forbids the operation (`ro:`, `deny:`).
    Forbidden,
    /// On another machine or in a container.
    Elsewhere,
    /// Not known before the call runs.
    #[default]
    Unknown,
}

/// Protection of a protected name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protection {
    /// Changes need a confirmation.
    Ask,
    /// Denied to file tools.
    Deny,
    /// Doorward's own file: denied to every tool.
    Own,
}

/// A file that would be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ReadEffect {
    /// Canonical absolute path; as written if it can't be resolved.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// The name is that of a file with secrets.
    #[serde(default)]
    pub secret: bool,
    /// Only its metadata is read.
    #[serde(default)]
    pub metadata: bool,
    /// The content is sent to a host by the same command.
    #[serde(default)]
    pub reaches_host: bool,
    /// Whether it is certain.
    #[serde(default)]
    pub certainty: Certainty,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// A file that would be written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct WriteEffect {
    /// Canonical absolute path; as written if it can't be resolved.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// How it is written.
    pub mode: WriteMode,
    /// Protection of the name, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// Written by a shell redirection, so no rule about a program covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// Whether it is certain.
    #[serde(default)]
    pub certainty: Certainty,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// Yes, no or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tri {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Not known.
    #[default]
    Unknown,
}

/// A file that would be deleted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DeleteEffect {
    /// Canonical absolute path; as written if it can't be resolved.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// Including everything below it.
    #[serde(default)]
    pub recursive: bool,
    /// With a flag that suppresses questions.
    #[serde(default)]
    pub force: bool,
    /// Whether a build or install recreates it.
    pub regenerable: Tri,
    /// Whether version control has an unmodified copy.
    #[serde(default)]
    pub in_version_control: Tri,
    /// Protection of the name, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// Whether it is certain.
    #[serde(default)]
    pub certainty: Certainty,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// The kind of a host's address, judged from its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostClass {
    /// On the allow list.
    Allowed,
    /// A public name or address.
    Public,
    /// This machine.
    Loopback,
    /// Another private or internal address.
    Private,
    /// A cloud metadata service.
    Metadata,
    /// Refused for another reason (malformed, blocked by config).
    Refused,
    /// Not known before the call runs.
    #[default]
    Unknown,
}

/// A host that would be contacted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HostEffect {
    /// Canonical name or address, without port.
    pub host: String,
    /// Port, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Scheme.
    pub scheme: String,
    /// Which way bytes go.
    pub direction: Direction,
    /// Kind of address.
    pub class: HostClass,
    /// Reason code, if the verdict isn't plain allow (`net.<reason>`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A remote that the project's configuration already names.
    #[serde(default)]
    pub configured: bool,
    /// Opened by a shell redirection, so no rule about a program covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// Everything a call would do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Effects {
    /// Files read.
    pub reads: Vec<ReadEffect>,
    /// Files written.
    pub writes: Vec<WriteEffect>,
    /// Files deleted.
    pub deletes: Vec<DeleteEffect>,
    /// Simple commands, with wrappers removed.
    pub executes: Vec<SimpleCommand>,
    /// Connectors between the commands.
    pub connectors: BTreeSet<Connector>,
    /// Hosts contacted.
    pub hosts: Vec<HostEffect>,
    /// Environment variables read out; `*` for all.
    pub env_reads: BTreeSet<String>,
    /// Privileges used.
    pub privilege: Vec<Privilege>,
    /// Version history that is lost.
    pub history_loss: Vec<HistoryLoss>,
    /// Packages installed.
    pub installs: Vec<Install>,
    /// Parts that couldn't be analysed.
    pub unknown: Vec<Unknown>,
    /// Whether the network is used at all.
    pub network: bool,
    /// A recursive delete with a flag that suppresses questions, anywhere in the call.
    pub recursive_delete: bool,
    /// Proven to only read, and only files inside the roots or openly outside that aren't secret.
    pub read_only: bool,
    /// Files whose content was judged with the call, with digests; checked again before the call runs.
    pub judged_files: Vec<JudgedFile>,
}

/// A file whose content was judged with the call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct JudgedFile {
    /// Absolute path.
    pub path: String,
    /// Digest of the content that was analysed.
    pub digest: Digest,
}

/// Effects as the sets of strings that policies read (`context.effects`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EffectFacts {
    /// Program names.
    pub executes: BTreeSet<String>,
    /// Canonical paths read.
    pub reads: BTreeSet<String>,
    /// The subset of `reads` whose content is read and whose names mark secrets: keys, credentials, `.env`.
    pub secret_reads: BTreeSet<String>,
    /// Canonical paths written.
    pub writes: BTreeSet<String>,
    /// Canonical paths deleted.
    pub deletes: BTreeSet<String>,
    /// Hosts.
    pub hosts: BTreeSet<String>,
    /// Environment variables.
    pub env_reads: BTreeSet<String>,
    /// Packages, `manager:name`.
    pub installs: BTreeSet<String>,
    /// Codes of the unknown parts.
    pub unknown: BTreeSet<String>,
    /// Whether any privilege is used.
    pub privilege: bool,
    /// Whether any history is lost.
    pub history_loss: bool,
    /// Whether the network is used.
    pub network: bool,
    /// A recursive delete with a flag that suppresses questions.
    pub recursive_delete: bool,
    /// Paths outside the roots.
    pub outside: OutsideFacts,
    /// Connectors.
    pub connectors: BTreeSet<String>,
    /// Number of simple commands.
    pub commands: i64,
}

/// The part of the effects that lies outside the roots.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OutsideFacts {
    /// Read.
    pub reads: BTreeSet<String>,
    /// Written.
    pub writes: BTreeSet<String>,
    /// Deleted.
    pub deletes: BTreeSet<String>,
}

impl Effects {
    /// The effects in the form that policies read.
    #[must_use]
    pub fn facts(&self) -> EffectFacts {
        let is_outside = |scope: Scope| matches!(scope, Scope::Outside | Scope::Escape | Scope::Forbidden);
        EffectFacts {
            executes: self.executes.iter().map(|command| command.program.clone()).collect(),
            reads: self.reads.iter().map(|read| read.path.clone()).collect(),
            secret_reads: self
                .reads
                .iter()
                .filter(|read| read.secret && !read.metadata)
                .map(|read| read.path.clone())
                .collect(),
            writes: self.writes.iter().map(|write| write.path.clone()).collect(),
            deletes: self.deletes.iter().map(|delete| delete.path.clone()).collect(),
            hosts: self.hosts.iter().map(|host| host.host.clone()).collect(),
            env_reads: self.env_reads.clone(),
            installs: self.installs.iter().flat_map(install_names).collect(),
            unknown: self.unknown.iter().map(|unknown| unknown.code.clone()).collect(),
            privilege: !self.privilege.is_empty(),
            history_loss: !self.history_loss.is_empty(),
            network: self.network,
            recursive_delete: self.recursive_delete,
            outside: OutsideFacts {
                reads: self
                    .reads
                    .iter()
                    .filter(|read| is_outside(read.scope))
                    .map(|read| read.path.clone())
                    .collect(),
                writes: self
                    .writes
                    .iter()
                    .filter(|write| is_outside(write.scope))
                    .map(|write| write.path.clone())
                    .collect(),
                deletes: self
                    .deletes
                    .iter()
                    .filter(|delete| is_outside(delete.scope))
                    .map(|delete| delete.path.clone())
                    .collect(),
            },
            connectors: self.connectors.iter().map(|connector| connector.as_str().to_owned()).collect(),
            commands: i64::try_from(self.executes.len()).unwrap_or(i64::MAX),
        }
    }
}

fn install_names(install: &Install) -> Vec<String> {
    if install.packages.is_empty() {
        return vec![format!("{}:*", install.manager)];
    }
    install.packages.iter().map(|package| format!("{}:{package}", install.manager)).collect()
}

/// A call with all facts established about it. Judging needs nothing else, so a recorded call can be judged again
/// under other policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inspected {
    /// The call.
    pub call: crate::call::ToolCall,
    /// Digest of its canonical arguments.
    pub args_digest: Digest,
    /// What the call would do.
    pub effects: Effects,
    /// Findings about the call.
    pub findings: Vec<Finding>,
    /// Risk from the effects alone.
    pub risk: crate::risk::SecurityRisk,
    /// Score in the band of `risk`; null when UNKNOWN.
    pub score: Option<u8>,
    /// Rows of the mode matrix that apply.
    pub classes: BTreeSet<crate::mode::CallClass>,
    /// The session when the call was inspected. Shared, and never stored with the record, which holds its digest.
    #[serde(skip)]
    pub session: std::sync::Arc<crate::session::SessionView>,
    /// Digest of the session.
    pub session_digest: Digest,
    /// Declared and verified facts of the sandbox.
    pub sandbox: SandboxFacts,
    /// Doorward's clock at inspection.
    #[schemars(with = "String")]
    pub now: jiff::Timestamp,
}

impl Inspected {
    /// The session, for changes. Copied first if others share it.
    pub fn session_mut(&mut self) -> &mut crate::session::SessionView {
        std::sync::Arc::make_mut(&mut self.session)
    }

    /// `sha256:` over the effects. Approvals are bound to it and to the arguments' digest.
    ///
    /// # Errors
    /// [`JsonError`](crate::json::JsonError) if the effects have no canonical text; then no approval can be bound.
    pub fn effects_digest(&self) -> Result<Digest, crate::json::JsonError> {
        crate::json::canonical_of(&self.effects).map(|text| crate::id::Digest::of(text.as_bytes()))
    }
}

/// Known facts of the sandbox that a call would run in.
///
/// All fields except `declared` and `declares` are limits that Doorward enforces. Without `verified` they hold their
/// defaults: no tier and no limits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SandboxFacts {
    /// The executor claims that the tool is sandboxed.
    pub declared: bool,
    /// Doorward runs the call in its own sandbox and refuses to run it with weaker limits than these.
    pub verified: bool,
    /// Minimum tier of the run.
    pub tier: crate::decision::Tier,
    /// Wall time limit in seconds, if limited.
    pub wall_s: Option<u32>,
    /// Memory limit in MiB, if limited.
    pub memory_mb: Option<u32>,
    /// The reachable hosts, as patterns of the egress rules; empty for none. `None`: no list applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<BTreeSet<String>>,
    /// The readable folders, besides the system's programs. `None`: not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<BTreeSet<String>>,
    /// The writable folders. `None`: not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<BTreeSet<String>>,
    /// The executor's unchecked claims about its sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declares: Option<SandboxBounds>,
}

/// The limits of a sandbox, as claimed by its operator.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SandboxBounds {
    /// The tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<crate::decision::Tier>,
    /// Wall time limit in seconds, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<u32>,
    /// Memory limit in MiB, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u32>,
    /// The reachable hosts, if limited; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<BTreeSet<String>>,
    /// The readable folders, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<BTreeSet<String>>,
    /// The writable folders, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<BTreeSet<String>>,
}

impl SandboxFacts {
    /// Facts that another party declares and Doorward can't check.
    #[must_use]
    pub fn declared(bounds: SandboxBounds) -> Self {
        Self { declared: true, declares: Some(bounds), ..Self::default() }
    }

    /// The facts for a call that another party executes: enforced limits become mere declarations.
    #[must_use]
    pub fn unchecked(self) -> Self {
        let Self { declared, verified, tier, wall_s, memory_mb, hosts, reads, writes, declares } = self;
        let held =
            verified.then_some(SandboxBounds { tier: Some(tier), wall_s, memory_mb, hosts, reads, writes });
        Self { declared: declared || verified, declares: declares.or(held), ..Self::default() }
    }
}

/// The scope that follows from an operand's place; `None` for a local one.
#[must_use]
pub fn scope_of_place(place: &Place) -> Option<Scope> {
    match place {
        Place::Local => None,
        Place::Remote(_) | Place::Container(_) => Some(Scope::Elsewhere),
    }
}
