//! Asking a person, and what their yes is bound to.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::decision::Confirm;
use crate::finding::Severity;
use crate::id::{DecisionId, Digest, QuestionId, SessionId};
use crate::record::GuardianSummary;

/// What a person who is asked must see: `security_warning` of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// The maximum of the asking rules' severity, the findings' and the risk (UNKNOWN as HIGH).
    pub level: Severity,
    /// In words.
    pub message: String,
}

/// How it is known that a person answered.
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
    /// A rule or mode of the client's own let the call pass. Nobody was asked: never an approval by a person.
    ClientRule,
    /// Peer credentials alone: never enough for HIGH or for writing a rule.
    PeerUid,
}

/// How far a yes reaches.
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

/// Everything a yes is bound to. If any of it differs at redemption, the grant is treated as absent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    /// Principal id.
    pub caller: String,
    /// Session.
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
    /// Digest of the effects that were shown.
    pub effects_digest: Digest,
    /// Digest of the tool's pinned definition, for tools of MCP servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin_digest: Option<Digest>,
    /// Digest of the arguments as the person was shown them.
    pub preview_digest: Digest,
    /// Identity of the policy set.
    pub policy_version: String,
}

/// A yes, ready to be redeemed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grant {
    /// Unique.
    pub nonce: String,
    /// What it is bound to.
    pub binding: Binding,
    /// The level that was reached: 1 yes, 2 typed phrase, 3 second person.
    pub level: u8,
    /// Who said yes.
    pub by: String,
    /// Their groups.
    #[serde(default)]
    pub by_groups: Vec<String>,
    /// How it is known that a person answered.
    pub presence: Presence,
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// Exclusive end.
    #[schemars(with = "String")]
    pub expires: Timestamp,
    /// How far it reaches.
    #[serde(default)]
    pub reach: Reach,
    /// Uses left; `None` for a session grant.
    #[serde(default)]
    pub uses_left: Option<u32>,
}

impl Grant {
    /// Why this grant can't settle a call bound like `binding` at `now`: the word after `approval.` or
    /// `grant.`. `None` if it can.
    #[must_use]
    pub fn mismatch(&self, binding: &Binding, now: Timestamp) -> Option<&'static str> {
        let own = &self.binding;
        // A tool's name holds its server's: of another server's tool of the same name, the server differs.
        let named = |binding: &Binding| {
            let server =
                binding.tool.strip_prefix("mcp:").and_then(|rest| rest.strip_prefix(&binding.server));
            server.map_or_else(|| binding.tool.clone(), str::to_owned)
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

/// A question to a person, durable before anyone is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    /// `confirmationId` of the contract.
    pub id: QuestionId,
    /// The decision record it belongs to.
    pub decision: DecisionId,
    /// What a yes would be bound to.
    pub binding: Binding,
    /// How to answer.
    pub confirm: Confirm,
    /// What must be seen.
    pub warning: Warning,
    /// Redacted arguments, for display.
    pub args: crate::json::Value,
    /// Why it is asked.
    pub reason: String,
    /// What the guardian said about the call, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guardian: Option<Box<GuardianSummary>>,
    /// When the question lapses into a denial.
    #[schemars(with = "String")]
    pub expires: Timestamp,
}

/// How asking ended. A time-out is not a no, and nobody there is neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Answer {
    /// A yes.
    Allowed {
        /// What it grants.
        grant: Box<Grant>,
    },
    /// A no.
    Denied {
        /// Who.
        by: String,
        /// Why, for the agent to read.
        reason: Option<String>,
    },
    /// Nobody answered in time.
    TimedOut,
    /// Nobody can be asked.
    NoApprover,
    /// Asking failed.
    Error {
        /// In words.
        reason: String,
    },
}

/// Asks people. Knows nothing of channels.
pub trait Approver: Send + Sync {
    /// Puts a question; durable when this returns.
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>>;

    /// Waits for the answer until `deadline` at the latest; the question stays open beyond it.
    fn wait<'a>(&'a self, id: &'a QuestionId, deadline: Timestamp) -> Boxed<'a, Answer>;

    /// A grant that fits this binding, given for no less than `severity`, taken (a single use is gone after this).
    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        severity: Severity,
        now: Timestamp,
    ) -> Boxed<'a, Option<Grant>>;
}
