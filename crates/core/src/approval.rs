//! Questions to a person, and the call that an approval is bound to.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::decision::Confirm;
use crate::finding::Severity;
use crate::id::{DecisionId, Digest, QuestionId, SessionId};
use crate::record::GuardianSummary;
use crate::tool::mcp_parts;

/// The warning shown to the person who is asked: `security_warning` of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// The maximum of the asking rules' severity, the findings' and the risk (UNKNOWN as HIGH).
    pub level: Severity,
    /// Text of the warning.
    pub message: String,
}

/// Evidence that a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Another user of this machine.
    OtherUid,
    /// A security key or platform authenticator.
    Webauthn,
    /// The approver's passphrase.
    Passphrase,
    /// A terminal the agent doesn't own.
    Terminal,
    /// A person answered the client's own dialog, as the client reported.
    ClientDialog,
    /// A rule or mode of the client let the call pass without asking. Never counts as a person's approval.
    ClientRule,
    /// Peer credentials alone: never enough for HIGH or for writing a rule.
    PeerUid,
}

/// Which calls an approval covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// This call, once.
    #[default]
    Once,
    /// Identical calls of this session.
    Session,
    /// A narrow rule.
    Always,
}

/// Everything an approval is bound to. If any field differs at redemption, the grant doesn't apply.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    /// Principal id.
    pub caller: String,
    /// Session of the call.
    pub session: SessionId,
    /// Project: the working root.
    pub project: String,
    /// Working directory.
    pub cwd: String,
    /// MCP server, if any.
    pub server: String,
    /// Canonical tool.
    pub tool: String,
    /// Digest of the canonical arguments.
    pub args_digest: Digest,
    /// Digest of the effects shown to the person.
    pub effects_digest: Digest,
    /// Digest of the tool's pinned definition, for tools of MCP servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin_digest: Option<Digest>,
    /// Digest of the arguments in the form the person saw.
    pub preview_digest: Digest,
    /// Identity of the policy set.
    pub policy_version: String,
}

/// An approval that can be redeemed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grant {
    /// Unique id.
    pub nonce: String,
    /// What the grant is bound to.
    pub binding: Binding,
    /// Confirm level reached: 1 one answer, 2 typed phrase, 3 second person.
    pub level: u8,
    /// Id of the approver.
    pub by: String,
    /// Groups of the approver.
    #[serde(default)]
    pub by_groups: Vec<String>,
    /// Evidence that a person answered.
    pub presence: Presence,
    /// When it was given.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// First instant at which it no longer counts.
    #[schemars(with = "String")]
    pub expires: Timestamp,
    /// Which calls it covers.
    #[serde(default)]
    pub reach: Reach,
    /// Uses left; `None` for a session grant.
    #[serde(default)]
    pub uses_left: Option<u32>,
}

impl Grant {
    /// Why this grant doesn't fit a call bound to `binding` at `now`, as the word after `approval.` or `grant.` in
    /// the code. `None` if it fits.
    #[must_use]
    pub fn mismatch(&self, binding: &Binding, now: Timestamp) -> Option<&'static str> {
        let own = &self.binding;
        // An MCP tool's name contains its server's name. If only that part differs, report `server`, not `tool`.
        let named = |binding: &Binding| {
            let own = mcp_parts(&binding.tool).filter(|(server, _)| *server == binding.server);
            own.map_or(binding.tool.as_str(), |(_, tool)| tool).to_owned()
        };
        let (wanted, given) = (named(own), named(binding));
        [
            (own.caller != binding.caller, "caller"),
            (own.server != binding.server && wanted == given, "server"),
            (own.tool != binding.tool, "tool"),
            (own.args_digest != binding.args_digest, "args"),
            (own.session != binding.session, "session"),
            (own.project != binding.project, "project"),
            (own.cwd != binding.cwd, "cwd"),
            (own.effects_digest != binding.effects_digest, "effects"),
            (own.pin_digest != binding.pin_digest, "pin"),
            (own.preview_digest != binding.preview_digest, "preview"),
            (own.policy_version != binding.policy_version, "policy"),
            (now >= self.expires, "expired"),
            (self.uses_left == Some(0), "used"),
        ]
        .into_iter()
        .find_map(|(differs, word)| differs.then_some(word))
    }
}

/// Where a question comes from, in words that people know it by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AskOrigin {
    /// The agent: `claude-code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The branch that the project was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The session's title: the first thing that its user said, without secrets, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl AskOrigin {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// A question to a person, stored durably before anyone is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    /// `confirmationId` of the contract.
    pub id: QuestionId,
    /// The decision that asks.
    pub decision: DecisionId,
    /// What an approval would be bound to.
    pub binding: Binding,
    /// Level, phrase and groups that the answer needs.
    pub confirm: Confirm,
    /// The warning that is shown.
    pub warning: Warning,
    /// Redacted arguments, for display.
    pub args: crate::json::Value,
    /// Why the person is asked.
    pub reason: String,
    /// The guardian's evaluation, if it was consulted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guardian: Option<Box<GuardianSummary>>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "AskOrigin::is_unknown")]
    pub origin: AskOrigin,
    /// After this time the question counts as denied.
    #[schemars(with = "String")]
    pub expires: Timestamp,
}

/// How asking ended. Only `Denied` is a person's no; `TimedOut` and `NoApprover` mean that no one answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Answer {
    /// A person approved.
    Allowed {
        /// The approval.
        grant: Box<Grant>,
    },
    /// A person denied.
    Denied {
        /// Id of the person.
        by: String,
        /// The person's reason; shown to the agent.
        reason: Option<String>,
    },
    /// No answer before the deadline.
    TimedOut,
    /// No approver is available.
    NoApprover,
    /// Asking failed.
    Error {
        /// Text of the error.
        reason: String,
    },
}

/// Asks people; independent of the channel that carries the question.
pub trait Approver: Send + Sync {
    /// Stores a question; it is durable when the future resolves.
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>>;

    /// Waits for the answer, no longer than until `deadline`. The question stays open after that.
    fn wait<'a>(&'a self, id: &'a QuestionId, deadline: Timestamp) -> Boxed<'a, Answer>;

    /// Redeems a grant that fits this binding and was given for at least `severity`. A single-use grant is consumed.
    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        severity: Severity,
        now: Timestamp,
    ) -> Boxed<'a, Option<Grant>>;
}
