//! The Guardian: a reviewer separate from the actor, with a score we compute the decision from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::effect::Inspected;
use crate::id::Digest;

/// What a guardian is asked. Field names are the seed's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GuardianContext {
    /// Canonical tool name.
    pub tool_name: String,
    /// Redacted canonical arguments.
    pub content: String,
    /// Working directory.
    pub cwd: String,
    /// Files the session touched last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recent_files: Vec<String>,
    /// The mode in force skips prompts (`bypassPermissions`, `dontAsk`): every prompt_user becomes deny.
    pub yolo_mode: bool,
    /// The mode that the client says it is in, where another one is in force: `bypassPermissions` that the settings
    /// don't allow, `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_mode: Option<String>,
    /// Whether a person could be asked.
    pub can_prompt_user: bool,
    /// What the user and the developer said, oldest first: the only text that authorises anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted_messages: Vec<String>,
}

/// What a guardian says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardianDecision {
    /// Score below the threshold.
    Approve,
    /// A person should look.
    PromptUser,
    /// No.
    Deny,
}

/// How the evaluation came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardianStatus {
    /// A model answered and its reply was valid; or none is configured, and the deterministic score answered as the
    /// model `builtin`.
    Evaluated,
    /// The model couldn't be reached, or the breaker is open.
    Unavailable,
    /// The reply was no valid evaluation.
    Invalid,
    /// No reply in time.
    TimedOut,
    /// The call was withdrawn.
    Cancelled,
}

/// A guardian's evaluation. The decision is ours, computed from the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuardianEvaluation {
    /// 0..=100, or null if there is none.
    pub risk_score: Option<u8>,
    /// Why.
    pub reasoning: String,
    /// What follows.
    pub decision: GuardianDecision,
    /// Risks it named.
    pub risks: Vec<String>,
    /// How it came about.
    pub status: GuardianStatus,
    /// The model, or `builtin`.
    #[serde(default)]
    pub model: String,
    /// Digest of the prompt that was sent, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_digest: Option<Digest>,
    /// What is worth knowing beside the verdict: `contradiction`, `repaired`, `cached`, `breaker_open`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What it took.
    #[serde(default)]
    pub spent: Spent,
}

/// What an evaluation took, over all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Spent {
    /// Requests that were sent.
    pub attempts: u32,
    /// From the question to the answer.
    pub latency_ms: u64,
    /// Tokens of the input, cached ones included.
    pub input_total: u64,
    /// Of which read from the provider's cache.
    pub cached_read: u64,
    /// Of which written to a cache that lives five minutes, or as long as the provider says.
    pub cache_write_5m: u64,
    /// Of which written to a cache that lives an hour.
    pub cache_write_1h: u64,
    /// Tokens of the output, reasoning included.
    pub output_total: u64,
    /// Of which reasoning.
    pub reasoning: u64,
    /// The counts are ours, because the provider gave none.
    pub estimated: bool,
    /// In millionths of a dollar; null where the model's price isn't known, never 0 for that.
    pub cost_micro_usd: Option<u64>,
}

impl GuardianEvaluation {
    /// A denial without a score.
    #[must_use]
    pub fn fault(status: GuardianStatus, reasoning: impl Into<String>) -> Self {
        Self {
            risk_score: None,
            reasoning: reasoning.into(),
            decision: GuardianDecision::Deny,
            risks: Vec::new(),
            status,
            model: String::new(),
            prompt_digest: None,
            flags: Vec::new(),
            spent: Spent::default(),
        }
    }
}

/// A reviewer. Never holds a permit: it can't run anything by type.
pub trait Guardian: Send + Sync {
    /// Evaluates a call. Every fault is a denial with its own status, never an approval.
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        inspected: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation>;
}
