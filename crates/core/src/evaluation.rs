//! The guardian: a reviewer separate from the agent. It gives a score; Doorward computes the decision from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::effect::Inspected;
use crate::id::Digest;

/// Input of an evaluation. Field names are those of the seed contract.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GuardianContext {
    /// Canonical tool name.
    pub tool_name: String,
    /// Redacted canonical arguments.
    pub content: String,
    /// Working directory.
    pub cwd: String,
    /// The files that the session touched most recently.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recent_files: Vec<String>,
    /// The active mode skips prompts (`bypassPermissions`, `dontAsk`), so prompt_user becomes deny.
    pub yolo_mode: bool,
    /// The mode that the client reports, if Doorward's active mode differs: `auto`, or a `bypassPermissions` that the
    /// settings don't allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_mode: Option<String>,
    /// Whether a person could be asked.
    pub can_prompt_user: bool,
    /// Messages of the user and the developer, oldest first. No other text authorises anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted_messages: Vec<String>,
}

/// The decision of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardianDecision {
    /// Score below the threshold.
    Approve,
    /// A person should look.
    PromptUser,
    /// The call must not run.
    Deny,
}

/// How the evaluation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuardianStatus {
    /// A model gave a valid reply; or no model is configured and the deterministic score answered as the model
    /// `builtin`.
    Evaluated,
    /// The model couldn't be reached, or the breaker is open.
    Unavailable,
    /// The reply wasn't a valid evaluation.
    Invalid,
    /// No reply in time.
    TimedOut,
    /// The call was cancelled.
    Cancelled,
}

/// A guardian's evaluation. Doorward computes the decision from the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuardianEvaluation {
    /// 0..=100; `None` without a valid reply.
    pub risk_score: Option<u8>,
    /// Explanation of the score.
    pub reasoning: String,
    /// Computed decision.
    pub decision: GuardianDecision,
    /// Risks that the guardian named.
    pub risks: Vec<String>,
    /// How the evaluation ended.
    pub status: GuardianStatus,
    /// The model, or `builtin`.
    #[serde(default)]
    pub model: String,
    /// Digest of the prompt that was sent, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_digest: Option<Digest>,
    /// Remarks about the evaluation: `contradiction`, `repaired`, `cached`, `breaker_open`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Time, tokens and cost.
    #[serde(default)]
    pub spent: Spent,
}

/// Time, tokens and cost of an evaluation, over all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Spent {
    /// Requests that were sent.
    pub attempts: u32,
    /// Milliseconds from the question to the answer.
    pub latency_ms: u64,
    /// Input tokens, including cached ones.
    pub input_total: u64,
    /// Input tokens read from the provider's cache.
    pub cached_read: u64,
    /// Input tokens written to a cache with a lifetime of five minutes, or the provider's default.
    pub cache_write_5m: u64,
    /// Input tokens written to a cache with a lifetime of an hour.
    pub cache_write_1h: u64,
    /// Output tokens, including reasoning.
    pub output_total: u64,
    /// Output tokens used for reasoning.
    pub reasoning: u64,
    /// Doorward estimated the counts because the provider reported none.
    pub estimated: bool,
    /// In millionths of a dollar; `None`, never 0, if the model's price is unknown.
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

/// A reviewer. It can't run anything, because its type never holds a permit.
pub trait Guardian: Send + Sync {
    /// Evaluates a call. Every error is a denial with its own status, never an approval.
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        inspected: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation>;
}
