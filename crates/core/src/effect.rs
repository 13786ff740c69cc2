//! What a call would do in this world: intent with paths scoped, hosts judged and deletes weighed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::id::Digest;
use crate::intent::{
    Certainty, Connector, Direction, HistoryLoss, Install, Place, Privilege, SimpleCommand, Span, Unknown,
    WriteMode,
};

/// Where a path lies, seen from the roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Inside a root that permits the operation.
    Inside,
    /// The user's temp folder: no root, but nobody's treasure.
    Scratch,
    /// A device or the like that swallows or makes bytes (`/dev/null`, `/dev/stdin`).
    Harmless,
    /// Openly outside.
    Outside,
    /// Claims to lie inside and doesn't, or outside with strict roots.
    Escape,
    /// Inside a root that forbids the operation (`ro:`, `deny:`).
    Forbidden,
    /// Another machine or container.
    Elsewhere,
    /// Can't be told beforehand.
    #[default]
    Unknown,
}

/// How a protected name is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protection {
    /// Asked about.
    Ask,
    /// Refused to file tools.
    Deny,
    /// Doorward's own: refused to everything.
    Own,
}

/// A file that would be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ReadEffect {
    /// Canonical absolute path, or as written where it can't be known.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// Holds secrets by name.
    #[serde(default)]
    pub secret: bool,
    /// Only its metadata.
    #[serde(default)]
    pub metadata: bool,
    /// Content reaches a host in the same command.
    #[serde(default)]
    pub reaches_host: bool,
    /// For sure, or maybe.
    #[serde(default)]
    pub certainty: Certainty,
    /// Where it is written.
    #[serde(default)]
    pub span: Span,
}

/// A file that would be written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct WriteEffect {
    /// Canonical absolute path, or as written where it can't be known.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// How.
    pub mode: WriteMode,
    /// A protected name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// Written by a redirection, which belongs to no program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// For sure, or maybe.
    #[serde(default)]
    pub certainty: Certainty,
    /// Where it is written.
    #[serde(default)]
    pub span: Span,
}

/// Three answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tri {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Can't be told.
    #[default]
    Unknown,
}

/// A file that would be deleted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DeleteEffect {
    /// Canonical absolute path, or as written where it can't be known.
    pub path: String,
    /// Where it lies.
    pub scope: Scope,
    /// With everything below.
    #[serde(default)]
    pub recursive: bool,
    /// Without questions.
    #[serde(default)]
    pub force: bool,
    /// Whether a build or install makes it again.
    pub regenerable: Tri,
    /// Whether version control has a clean copy.
    #[serde(default)]
    pub in_version_control: Tri,
    /// A protected name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// For sure, or maybe.
    #[serde(default)]
    pub certainty: Certainty,
    /// Where it is written.
    #[serde(default)]
    pub span: Span,
}

/// What kind of address a host is, as far as its text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostClass {
    /// On the allow list.
    Allowed,
    /// A public name or address.
    Public,
    /// This machine.
    Loopback,
    /// Another private or internal one.
    Private,
    /// Cloud metadata.
    Metadata,
    /// Refused for another reason (malformed, blocked by config).
    Refused,
    /// Can't be told beforehand.
    #[default]
    Unknown,
}

/// A host that would be contacted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HostEffect {
    /// Canonical name or address, without port.
    pub host: String,
    /// Port, where told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Scheme.
    pub scheme: String,
    /// Which way bytes go.
    pub direction: Direction,
    /// What kind of address.
    pub class: HostClass,
    /// Reason code of the verdict where it isn't plain allow (`net.<reason>`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A remote the project's configuration names already.
    #[serde(default)]
    pub configured: bool,
    /// Opened by a redirection, which belongs to no program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// Where it is written.
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
    /// Simple commands, wrappers seen through.
    pub executes: Vec<SimpleCommand>,
    /// What joins them.
    pub connectors: BTreeSet<Connector>,
    /// Hosts contacted.
    pub hosts: Vec<HostEffect>,
    /// Environment variables read out; `*` for all.
    pub env_reads: BTreeSet<String>,
    /// Privilege used.
    pub privilege: Vec<Privilege>,
    /// History lost.
    pub history_loss: Vec<HistoryLoss>,
    /// Packages installed.
    pub installs: Vec<Install>,
    /// What wasn't understood.
    pub unknown: Vec<Unknown>,
    /// Any contact with the network.
    pub network: bool,
    /// A recursive delete without questions, anywhere in the call.
    pub recursive_delete: bool,
    /// Proven to read only, inside the roots or openly outside and not secret.
    pub read_only: bool,
    /// Files whose content was judged with the call: path and `sha256:…`; checked again before it runs.
    pub judged_files: Vec<JudgedFile>,
}

/// A file whose content was part of the judgement.
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
    /// Those of them whose content is read and that hold secrets by their name: keys, credentials, `.env`.
    pub secret_reads: BTreeSet<String>,
    /// Canonical paths written.
    pub writes: BTreeSet<String>,
    /// Canonical paths deleted.
    pub deletes: BTreeSet<String>,
    /// Hosts.
    pub hosts: BTreeSet<String>,
    /// Variables.
    pub env_reads: BTreeSet<String>,
    /// Packages, `manager:name`.
    pub installs: BTreeSet<String>,
    /// Reasons.
    pub unknown: BTreeSet<String>,
    /// Any privilege.
    pub privilege: bool,
    /// Any history loss.
    pub history_loss: bool,
    /// Any contact.
    pub network: bool,
    /// A recursive delete without questions.
    pub recursive_delete: bool,
    /// Outside the roots.
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
    /// As policies read them.
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

/// A call with everything that was found out about it. Judging starts from here and needs nothing else, so a
/// recorded one can be judged again under other policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inspected {
    /// The call.
    pub call: crate::call::ToolCall,
    /// Digest of its canonical arguments.
    pub args_digest: Digest,
    /// What it would do.
    pub effects: Effects,
    /// What is worth telling.
    pub findings: Vec<Finding>,
    /// Risk from the effects alone.
    pub risk: crate::risk::SecurityRisk,
    /// Score in the band of `risk`; null when UNKNOWN.
    pub score: Option<u8>,
    /// Rows of the mode matrix it falls into.
    pub classes: BTreeSet<crate::mode::CallClass>,
    /// State of the session when it was inspected: shared, and never kept with the record, which names its digest.
    #[serde(skip)]
    pub session: std::sync::Arc<crate::session::SessionView>,
    /// Digest of that state.
    pub session_digest: Digest,
    /// Sandbox facts: declared and verified markers, tier, limits.
    pub sandbox: SandboxFacts,
    /// Our clock when it was inspected.
    #[schemars(with = "String")]
    pub now: jiff::Timestamp,
}

impl Inspected {
    /// The session, to change it: a copy of its own where others look at it too.
    pub fn session_mut(&mut self) -> &mut crate::session::SessionView {
        std::sync::Arc::make_mut(&mut self.session)
    }

    /// `sha256:` over what the call would do: what approvals are bound to beside the arguments.
    ///
    /// # Errors
    /// [`JsonError`](crate::json::JsonError) for effects that have no canonical text; nothing can be bound to them.
    pub fn effects_digest(&self) -> Result<Digest, crate::json::JsonError> {
        crate::json::canonical_of(&self.effects).map(|text| crate::id::Digest::of(text.as_bytes()))
    }
}

/// What is known of the sandbox a call would run in.
///
/// Everything but `declared` and `declares` is what Doorward itself holds the run to: without `verified` it is the
/// default, which is no tier and no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SandboxFacts {
    /// Whoever runs the tool says that it is sandboxed.
    pub declared: bool,
    /// Doorward runs it in its own sandbox and refuses to run it with less than what stands here.
    pub verified: bool,
    /// The tier that the run gets at least.
    pub tier: crate::decision::Tier,
    /// Wall time limit in seconds, if limited.
    pub wall_s: Option<u32>,
    /// Memory limit in MiB, if limited.
    pub memory_mb: Option<u32>,
    /// The hosts it can reach, as the egress rules write them; empty for none. Absent: not limited to a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<BTreeSet<String>>,
    /// The folders whose files it can read, beside the system's programs. Absent: not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<BTreeSet<String>>,
    /// The folders whose files it can change. Absent: not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<BTreeSet<String>>,
    /// What whoever runs it says about its sandbox. Nothing of it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declares: Option<SandboxBounds>,
}

/// The bounds of a sandbox, as somebody states them.
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
    /// The hosts it can reach, if limited; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<BTreeSet<String>>,
    /// The folders whose files it can read, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<BTreeSet<String>>,
    /// The folders whose files it can change, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<BTreeSet<String>>,
}

impl SandboxFacts {
    /// What somebody else declares, and Doorward can't check.
    #[must_use]
    pub fn declared(bounds: SandboxBounds) -> Self {
        Self { declared: true, declares: Some(bounds), ..Self::default() }
    }

    /// The facts of a call that somebody else carries out: whatever it says it holds is only declared.
    #[must_use]
    pub fn unchecked(self) -> Self {
        let Self { declared, verified, tier, wall_s, memory_mb, hosts, reads, writes, declares } = self;
        let held =
            verified.then_some(SandboxBounds { tier: Some(tier), wall_s, memory_mb, hosts, reads, writes });
        Self { declared: declared || verified, declares: declares.or(held), ..Self::default() }
    }
}

/// Where a path lives, from its operand.
#[must_use]
pub fn scope_of_place(place: &Place) -> Option<Scope> {
    match place {
        Place::Local => None,
        Place::Remote(_) | Place::Container(_) => Some(Scope::Elsewhere),
    }
}
