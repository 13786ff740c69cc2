//! The decision on a call, with the policies that made it and its obligations.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::approval::{Grant, Warning};
use crate::assessment::Assessment;
use crate::effect::Inspected;

/// The three verdicts of the contract. The default is Deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub enum Verdict {
    /// The call may run, subject to the obligations.
    #[serde(rename = "ALLOW")]
    Allow,
    /// The call must not run.
    #[default]
    #[serde(rename = "DENY")]
    Deny,
    /// A person must confirm.
    #[serde(rename = "REQUIRE_USER_CONFIRMATION")]
    Confirm,
}

impl Verdict {
    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "ALLOW",
            Self::Deny => "DENY",
            Self::Confirm => "REQUIRE_USER_CONFIRMATION",
        }
    }

    /// Word shown to people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "Allow",
            Self::Deny => "Deny",
            Self::Confirm => "Ask",
        }
    }

    /// The verdict with this wire name.
    #[must_use]
    pub fn of_wire(word: &str) -> Option<Self> {
        [Self::Allow, Self::Deny, Self::Confirm].into_iter().find(|verdict| verdict.as_str() == word)
    }

    /// The stricter of two: deny beats confirm beats allow.
    pub const fn stricter(self, other: Self) -> Self {
        match (self, other) {
            (Self::Deny, _) | (_, Self::Deny) => Self::Deny,
            (Self::Confirm, _) | (_, Self::Confirm) => Self::Confirm,
            (Self::Allow, Self::Allow) => Self::Allow,
        }
    }
}

/// The kind of source that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// A rule or policy.
    Rule,
    /// The confirmation policy, from the risk.
    Risk,
    /// A finding, including the hard floor.
    Finding,
    /// The guardian.
    Guardian,
    /// The permission mode's default.
    Mode,
}

/// Sandbox tiers, weakest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// T0: no isolation.
    #[default]
    None,
    /// T1.
    Limited,
    /// T2.
    Restricted,
    /// T3.
    Full,
}

impl Tier {
    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Limited => "limited",
            Self::Restricted => "restricted",
            Self::Full => "full",
        }
    }
}

/// A duty of the executor of an allowed call. If it can't be met, the call is denied.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Obligation {
    /// Keep the output in the log.
    LogOutput,
    /// Redact secrets in the output.
    RedactOutput,
    /// Run in the sandbox.
    Sandbox {
        /// At least this tier.
        min_tier: Tier,
        /// Wall time in seconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wall_s: Option<u32>,
        /// Memory in MiB.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory_mb: Option<u32>,
        /// The only hosts the call may reach; the egress rules still apply. `None`: the egress rules alone decide.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hosts: Option<Vec<String>>,
    },
    /// Send a notice.
    Notify {
        /// Name of the recipient.
        to: String,
        /// Text of the notice, if the rule gives one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// Run with other arguments.
    RewriteArgs,
    /// The permission ends.
    Expires {
        /// End of the permission, exclusive.
        #[schemars(with = "String")]
        at: Timestamp,
    },
}

impl Obligation {
    /// Wire name of its type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LogOutput => "log_output",
            Self::RedactOutput => "redact_output",
            Self::Sandbox { .. } => "sandbox",
            Self::Notify { .. } => "notify",
            Self::RewriteArgs => "rewrite_args",
            Self::Expires { .. } => "expires",
        }
    }
}

/// How a confirmation must be given: the strictest of all asking policies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Confirm {
    /// 1 one answer, 2 typed phrase, 3 second person.
    pub level: u8,
    /// The phrase to type, at level 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
    /// Groups of approvers: a member of any of them must answer. Empty: no restriction.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Ids of the policies that ask.
    #[serde(default)]
    pub policies: Vec<String>,
    /// Whether the guardian may approve in place of a person.
    #[serde(default)]
    pub delegable: bool,
    /// Something that the verdict read couldn't be followed to its end (an import by a computed name, a file that is no
    /// text), so a yes counts for one attempt and soon lapses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_attempt: bool,
}

/// A permit policy that almost applied, with the clause that failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Nearest {
    /// The policy.
    pub policy: String,
    /// The clause, as written.
    pub clause: String,
}

/// A policy engine's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub struct PolicyDecision {
    /// The answer.
    pub decision: Verdict,
    /// `policy.permit`, `policy.forbid`, `policy.confirm`, `policy.no_permit`, `policy.error`, `rule.deny`,
    /// `remote.*`, …
    pub code: String,
    /// Explanation for people; names the rule.
    pub reason: String,
    /// Duties of the executor.
    #[serde(default)]
    pub obligations: Vec<Obligation>,
    /// Ids of the policies that decided.
    #[serde(default)]
    pub policies: Vec<String>,
    /// How to confirm, if `decision` is Confirm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// No rule applied, so the mode decides (`on_no_match = "mode"` and only `mode.default` permits).
    #[serde(default)]
    pub unsettled: bool,
    /// Whether this policy set has `policy.on_no_match = "mode"`.
    #[serde(default)]
    pub mode_applies: bool,
    /// Log-only policies that would have changed the decision.
    #[serde(default)]
    pub flips: Vec<String>,
    /// Permit policies that almost applied.
    #[serde(default)]
    pub nearest: Vec<Nearest>,
    /// Highest `@severity` of the asking or denying policies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<crate::finding::Severity>,
    /// The one question is about a delete that another engine's yes settles.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yields: bool,
    /// Identity of the policy set.
    #[serde(default)]
    pub bundle: String,
}

impl PolicyDecision {
    /// A denial with this code.
    pub fn deny(code: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            decision: Verdict::Deny,
            code: code.into(),
            reason: reason.into(),
            obligations: Vec::new(),
            policies: Vec::new(),
            confirm: None,
            unsettled: false,
            mode_applies: false,
            flips: Vec::new(),
            nearest: Vec::new(),
            severity: None,
            yields: false,
            bundle: String::new(),
        }
    }
}

/// Decides by policies. The embedded engine answers at once; a remote one enforces its own deadline.
pub trait PolicyEngine: Send + Sync {
    /// The decision for a call. Every error is a denial with its own code.
    fn decide<'a>(
        &'a self,
        inspected: &'a Inspected,
        assessment: &'a Assessment,
        grant: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision>;

    /// Identity of the active policy set: `sha256:` over names, contents and schema.
    fn bundle(&self) -> String;
}

/// The final decision for a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// Stable code of the rule or finding that decided.
    pub code: String,
    /// Explanation for people: the rule or finding, and what to change so that the call passes.
    pub reason: String,
    /// The kind of source that decided.
    pub basis: Basis,
    /// Duties of the executor.
    pub obligations: Vec<Obligation>,
    /// How to confirm, if the verdict is Confirm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// The warning shown to the person who is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
    /// The policy engine's decision.
    pub policy: PolicyDecision,
    /// What the mode's default would have been, and whether it decided.
    pub mode: crate::mode::PermissionMode,
}
