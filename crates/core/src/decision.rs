//! What was settled, by which policy, with which obligations.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::approval::{Grant, Warning};
use crate::assessment::Assessment;
use crate::effect::Inspected;

/// The three answers of the contract. The default is the denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub enum Verdict {
    /// Go ahead, with the obligations.
    #[serde(rename = "ALLOW")]
    Allow,
    /// No.
    #[default]
    #[serde(rename = "DENY")]
    Deny,
    /// A person decides.
    #[serde(rename = "REQUIRE_USER_CONFIRMATION")]
    Confirm,
}

impl Verdict {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "ALLOW",
            Self::Deny => "DENY",
            Self::Confirm => "REQUIRE_USER_CONFIRMATION",
        }
    }

    /// The word that people read.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "Allow",
            Self::Deny => "Deny",
            Self::Confirm => "Ask",
        }
    }

    /// The verdict of a wire word.
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

/// What the verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// A rule or policy.
    Rule,
    /// The confirmation policy, from the risk.
    Risk,
    /// A finding, the hard floor included.
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
    /// The wire word.
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

/// What whoever carries out an allowed call owes. One that the holder can't meet is a denial.
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
        /// The only hosts it may reach, of those that the egress rules permit. Absent: those rules alone decide.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hosts: Option<Vec<String>>,
    },
    /// Tell someone.
    Notify {
        /// Whom.
        to: String,
        /// What to tell, where that was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// Run with other arguments.
    RewriteArgs,
    /// The permission ends.
    Expires {
        /// When, exclusive.
        #[schemars(with = "String")]
        at: Timestamp,
    },
}

impl Obligation {
    /// The wire word of its type.
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

/// How a confirmation has to be given: the strictest of all that ask.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Confirm {
    /// 1 a yes, 2 a typed phrase, 3 a second person.
    pub level: u8,
    /// The phrase to type, at level 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
    /// Groups one of whose members must answer.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Ids of the policies that ask.
    #[serde(default)]
    pub policies: Vec<String>,
    /// Whether the guardian's yes may settle it.
    #[serde(default)]
    pub delegable: bool,
    /// Something that the verdict read couldn't be followed to its end (an import by a computed name, a file that is no
    /// text), so a yes counts for one attempt and soon lapses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_attempt: bool,
}

/// A permit that would have applied, and the clause that failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Nearest {
    /// The policy.
    pub policy: String,
    /// The clause, as written.
    pub clause: String,
}

/// What a policy engine says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub struct PolicyDecision {
    /// The answer.
    pub decision: Verdict,
    /// `policy.permit`, `policy.forbid`, `policy.confirm`, `policy.no_permit`, `policy.error`, `rule.deny`,
    /// `remote.*`, …
    pub code: String,
    /// For people, naming the rule.
    pub reason: String,
    /// What is owed.
    #[serde(default)]
    pub obligations: Vec<Obligation>,
    /// Ids of the policies that decided.
    #[serde(default)]
    pub policies: Vec<String>,
    /// How to confirm, where that is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// No rule settled it: the mode decides (`on_no_match = "mode"` and only `mode.default` permits).
    #[serde(default)]
    pub unsettled: bool,
    /// `policy.on_no_match = "mode"` holds for this set.
    #[serde(default)]
    pub mode_applies: bool,
    /// Log-only policies that would have changed the answer.
    #[serde(default)]
    pub flips: Vec<String>,
    /// Permits that nearly applied.
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
    /// A denial under a code.
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

/// Decides by policy. The embedded engine is ready at once; a remote one keeps its own deadline.
pub trait PolicyEngine: Send + Sync {
    /// The decision for a call. Every fault is a denial with its own code.
    fn decide<'a>(
        &'a self,
        inspected: &'a Inspected,
        assessment: &'a Assessment,
        grant: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision>;

    /// Identity of the set in force: `sha256:` over names, contents and schema.
    fn bundle(&self) -> String;
}

/// The settled answer for a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[must_use]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// The stable code of what decided.
    pub code: String,
    /// For people: the rule or finding, and what would make it pass.
    pub reason: String,
    /// What the verdict rests on.
    pub basis: Basis,
    /// What is owed.
    pub obligations: Vec<Obligation>,
    /// How to confirm, where that is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// What a person who is asked must see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
    /// What the policy engine said.
    pub policy: PolicyDecision,
    /// What the mode's default would have been, and whether it decided.
    pub mode: crate::mode::PermissionMode,
}
