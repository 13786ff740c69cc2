//! The records of the ledger as types. Their encoding on disk belongs to the `ledger` crate.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::approval::Presence;
use crate::call::{Custody, Principal, Surface};
use crate::decision::{Basis, Obligation, Verdict};
use crate::effect::SandboxFacts;
use crate::evaluation::{GuardianEvaluation, Spent};
use crate::id::{CallId, DecisionId, Digest, RecordId, SessionId};
use crate::json::Value;
use crate::mode::PermissionMode;
use crate::risk::SecurityRisk;
use crate::tool::ToolClass;

/// One entry of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// A decision.
    Decision(Box<DecisionRecord>),
    /// The outcome of an admitted call.
    Outcome(OutcomeRecord),
    /// A question or an answer.
    Approval(ApprovalRecord),
    /// A policy set was loaded, or failed to.
    Policy(PolicyRecord),
    /// The service started.
    Start(StartRecord),
    /// The service stopped.
    Stop(StopRecord),
    /// The signing key changed.
    Key(KeyRecord),
    /// An attempted connection of a child process through the egress proxy.
    Access(Box<AccessRecord>),
    /// Any other event worth recording.
    Note(NoteRecord),
}

/// A decision. Secrets are redacted before this is built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionRecord {
    /// Format version: [`DecisionRecord::VERSION`]. In version 1, verification doesn't cover the content that the
    /// record names.
    pub v: u8,
    /// ULID.
    pub id: DecisionId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The interface the call came through.
    pub surface: Surface,
    /// Who executes the call.
    pub custody: Custody,
    /// Who called.
    pub principal: Principal,
    /// Agent, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Session of the call.
    pub session: SessionId,
    /// Workflow, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// The client's id of the call; later events refer to it.
    pub call: CallId,
    /// Verb.
    pub action: String,
    /// Type and name.
    pub resource: ResourceName,
    /// Class of the tool.
    pub class: ToolClass,
    /// Digest of the canonical arguments; absent if the settings exclude them from the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_digest: Option<Digest>,
    /// Redacted arguments, if the settings include them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// Digest of the [`KeptCall`](crate::kept::KeptCall): the facts that rules read, and the redacted `Inspected`.
    pub inspected: Digest,
    /// The sandbox the call was to run in, if there was one or one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Box<SandboxFacts>>,
    /// The policy engine's decision.
    pub policy: PolicySummary,
    /// Active permission mode.
    pub mode: PermissionMode,
    /// The kind of source that decided.
    pub basis: Basis,
    /// Risk, fused and per analyzer.
    pub risk: RiskSummary,
    /// The guardian's evaluation, if consulted.
    pub guardian: Option<GuardianSummary>,
    /// The person's answer, if there is one already.
    pub user: Option<UserSummary>,
    /// The verdict.
    pub verdict: Verdict,
    /// Code of the rule or finding that decided.
    pub code: String,
    /// Explanation.
    pub reason: String,
    /// Duties of the executor.
    pub obligations: Vec<Obligation>,
    /// Marks that the call leaves in its session if it runs (`secret_read`, `egress`, …). A restarted service
    /// restores sessions from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// Microseconds from the call to the decision, without recording.
    pub took_us: u64,
}

impl DecisionRecord {
    /// Records of this version are appended together with the content they name.
    pub const VERSION: u8 = 2;
}

/// `resource` of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceName {
    /// `tool`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Canonical tool name.
    pub name: String,
}

/// The policy engine's part of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicySummary {
    /// The engine's decision; `unsettled` if no rule applied and the mode decided.
    #[serde(with = "engine_answer")]
    #[schemars(with = "String")]
    pub decision: Option<Verdict>,
    /// Its code.
    pub code: String,
    /// Its reason.
    pub reason: String,
    /// The policies that decided.
    pub ids: Vec<String>,
    /// Identity of the policy set.
    pub bundle: String,
    /// Log-only policies that would have changed the decision.
    #[serde(default)]
    pub flips: Vec<String>,
}

/// An engine's answer, or `unsettled`.
mod engine_answer {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::decision::Verdict;

    const UNSETTLED: &str = "unsettled";

    pub(super) fn serialize<S: Serializer>(
        answer: &Option<Verdict>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match answer {
            Some(verdict) => verdict.serialize(serializer),
            None => serializer.serialize_str(UNSETTLED),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Verdict>, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == UNSETTLED {
            return Ok(None);
        }
        let verdict = serde::de::value::StringDeserializer::<D::Error>::new(word);
        Verdict::deserialize(verdict).map(Some)
    }
}

/// Risk in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RiskSummary {
    /// Fused level.
    pub level: SecurityRisk,
    /// Fused score; null when UNKNOWN.
    pub score: Option<u8>,
    /// Verdicts of the analyzers.
    pub by: Vec<RiskBy>,
}

/// One analyzer's verdict in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RiskBy {
    /// Its name.
    pub analyzer: String,
    /// Its risk.
    pub risk: SecurityRisk,
    /// Its score.
    pub score: Option<u8>,
    /// Codes of its findings.
    pub findings: Vec<String>,
}

/// The guardian's part of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardianSummary {
    /// Score.
    pub score: Option<u8>,
    /// `approve`, `prompt_user`, `deny`.
    pub decision: crate::evaluation::GuardianDecision,
    /// How the evaluation ended.
    pub status: crate::evaluation::GuardianStatus,
    /// Model.
    pub model: String,
    /// Explanation in the guardian's words, secrets masked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Risks that the guardian named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Digest of the prompt.
    pub prompt_digest: Option<Digest>,
    /// Remarks about the evaluation: `contradiction`, `repaired`, `cached`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Time, tokens and cost, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<ReviewSpent>,
}

/// Time, tokens and cost of a review, over all requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReviewSpent {
    /// Requests to the model.
    pub requests: u32,
    /// Milliseconds from the question to the answer.
    pub took_ms: u64,
    /// Input tokens, including cached ones.
    pub tokens_in: u64,
    /// Input tokens read from the provider's cache.
    pub tokens_cached: u64,
    /// Output tokens.
    pub tokens_out: u64,
    /// Doorward estimated the counts because the provider reported none.
    pub estimated: bool,
    /// In millionths of a dollar; `None` if the model's price is unknown.
    pub cost_micro_usd: Option<u64>,
}

impl From<&GuardianEvaluation> for GuardianSummary {
    fn from(evaluation: &GuardianEvaluation) -> Self {
        Self {
            score: evaluation.risk_score,
            decision: evaluation.decision,
            status: evaluation.status,
            model: evaluation.model.clone(),
            reasoning: evaluation.reasoning.clone(),
            risks: evaluation.risks.clone(),
            prompt_digest: evaluation.prompt_digest.clone(),
            flags: evaluation.flags.clone(),
            spent: (evaluation.spent.attempts > 0).then(|| ReviewSpent::from(&evaluation.spent)),
        }
    }
}

impl From<&Spent> for ReviewSpent {
    fn from(spent: &Spent) -> Self {
        Self {
            requests: spent.attempts,
            took_ms: spent.latency_ms,
            tokens_in: spent.input_total,
            tokens_cached: spent.cached_read,
            tokens_out: spent.output_total,
            estimated: spent.estimated,
            cost_micro_usd: spent.cost_micro_usd,
        }
    }
}

/// How asking a person ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserDecision {
    /// Approved.
    Allowed,
    /// No.
    Denied,
    /// No answer before the deadline.
    TimedOut,
    /// No approver was available.
    NoApprover,
    /// Asking failed.
    Error,
}

/// A person's answer within a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserSummary {
    /// How it ended.
    pub decision: UserDecision,
    /// Id of the person.
    pub by: String,
    /// Evidence that a person answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
    /// Level reached.
    pub level: u8,
    /// When it was given.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// Nonce of the grant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
}

/// The outcome of an admitted call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It ran.
    Ran,
    /// It ran and failed.
    Failed,
    /// Ended by a limit or a person.
    Killed,
    /// Refused before it ran (final check, obligation).
    Refused,
    /// The permit was dropped without use.
    Abandoned,
    /// Handed over; a later event closes it.
    Released,
    /// Handed over, and no outcome was ever reported.
    Unobserved,
}

/// An outcome, bound to its decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Id of the decision.
    pub of: DecisionId,
    /// Log index of the decision, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_index: Option<u64>,
    /// The outcome.
    pub outcome: Outcome,
    /// Exit status, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Limits that fired.
    #[serde(default)]
    pub limits_hit: Vec<String>,
    /// Digest of the redacted output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_digest: Option<Digest>,
    /// Bytes of output.
    #[serde(default)]
    pub bytes: u64,
    /// The obligations, and whether they were met.
    #[serde(default)]
    pub obligations: Vec<ObligationDone>,
    /// Tier reached, sandbox features and further details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

/// Whether an obligation was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObligationDone {
    /// Wire name of the obligation.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it was met.
    pub done: bool,
}

/// What happened to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalEvent {
    /// The question was asked.
    Asked,
    /// Answered.
    Answered,
    /// A rule or mode of the client let the call pass; no person was asked.
    Passed,
    /// The client showed a dialog, but didn't report whether the person said no, or approved and then interrupted the
    /// call. If `via` is [`VIA_TRANSCRIPT`], the client's transcript says that the person said no.
    Unclear,
    /// The question expired.
    Expired,
    /// The question was withdrawn.
    Cancelled,
}

/// Value of `via` for facts from the client's own transcript. They are claims, because any process that can write the
/// file can forge them.
pub const VIA_TRANSCRIPT: &str = "client_transcript";

/// A question or an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Id of the decision.
    pub of: DecisionId,
    /// What happened.
    pub event: ApprovalEvent,
    /// How the question ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<UserDecision>,
    /// Id of the person.
    #[serde(default)]
    pub by: String,
    /// Evidence that a person answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
    /// Level.
    #[serde(default)]
    pub level: u8,
    /// Channel of the answer.
    #[serde(default)]
    pub via: String,
}

/// A policy set was loaded, or failed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// `loaded` or `reload_failed`.
    pub event: String,
    /// The policy set.
    pub bundle: String,
    /// The previous policy set.
    #[serde(default)]
    pub previous: String,
    /// Who loaded it.
    #[serde(default)]
    pub by: String,
}

/// How well Doorward is isolated from the agent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Posture {
    /// Runs as the same user as the agent.
    #[default]
    Personal,
    /// Runs as a user of its own.
    Separate,
    /// The agent runs inside Doorward's sandbox.
    Enclosed,
}

/// The service started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Posture.
    pub posture: Posture,
    /// Version of the program.
    pub version: String,
}

/// The service stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
}

/// The signing key changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Verifier key that applies from now on.
    pub new_vkey: String,
    /// Previous verifier key.
    pub old_vkey: String,
}

/// Stage of an access through the egress proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccessEvent {
    /// Decided, not connected yet.
    Decided,
    /// Ended; byte counts are final.
    Ended,
}

/// One access through the egress proxy: recorded when decided, and again with the byte counts when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Id of the access: the same in both records. A question about the access names it as its decision.
    pub access: DecisionId,
    /// Which of the two records this is.
    pub event: AccessEvent,
    /// Agent session.
    pub session: SessionId,
    /// Agent, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Command that the child process belongs to.
    #[serde(default)]
    pub command: String,
    /// `CONNECT`, `SOCKS5` or the HTTP method.
    pub method: String,
    /// `http` or `https`.
    pub scheme: String,
    /// Canonical host; as written if it has no canonical form.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Addresses that the name resolved to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<std::net::IpAddr>,
    /// Address that was connected to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub dialed: Option<std::net::SocketAddr>,
    /// Which side resolved the name: `local` or `upstream`.
    pub resolved_by: String,
    /// ALLOW or DENY.
    pub verdict: Verdict,
    /// Reason code with the address class. Only the ledger may show the class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Mode of the rules: `off`, `report`, `enforce`.
    pub mode: String,
    /// Server name in the TLS handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sni: Option<String>,
    /// Bytes sent by the child.
    #[serde(default)]
    pub bytes_up: u64,
    /// Bytes sent to the child.
    #[serde(default)]
    pub bytes_down: u64,
    /// Microseconds of the DNS look-up.
    #[serde(default)]
    pub dns_us: u64,
    /// Microseconds to connect.
    #[serde(default)]
    pub connect_us: u64,
    /// Names of the secrets that the proxy inserted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swapped_secrets: Vec<String>,
    /// How a permitted access ended: `done`, or what cut it off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// Any other event worth recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Stable code.
    pub code: String,
    /// Text for people.
    #[serde(default)]
    pub message: String,
    /// Further details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

/// Why a record couldn't be written. Its call is denied with the same code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Disk full, read-only, I/O error.
    #[error("ledger.unwritable: {0}")]
    Unwritable(String),
    /// The queue is full, or the write took too long.
    #[error("ledger.overloaded: {0}")]
    Overloaded(String),
    /// The service is stopping.
    #[error("ledger.closed: the ledger is closed")]
    Closed,
    /// The entry exceeds the size limit of an entry bundle.
    #[error("ledger.too_large: {0} bytes")]
    TooLarge(usize),
}

impl LedgerError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unwritable(_) => "ledger.unwritable",
            Self::Overloaded(_) => "ledger.overloaded",
            Self::Closed => "ledger.closed",
            Self::TooLarge(_) => "ledger.too_large",
        }
    }
}

/// Stores records durably. The future resolves to the record's index once it is durable.
pub trait Ledger: Send + Sync {
    /// Appends one record. The write has started when this returns, whether or not the future is polled. Dropping the
    /// future doesn't undo it; if the record admitted a call, an outcome `abandoned` follows.
    fn append(&self, record: Record) -> Boxed<'_, Result<u64, LedgerError>>;

    /// Like [`Ledger::append`], together with the content that the record names by digest. If the future resolves to
    /// an index, both are durable; otherwise neither may be relied on.
    fn append_with(&self, record: Record, content: Vec<u8>) -> Boxed<'_, Result<u64, LedgerError>>;

    /// Appends a record without making the caller wait. Its place in the log, behind all earlier appends, is fixed
    /// when this returns; it may be written together with the next record, a few milliseconds later. `told` receives
    /// the result on a thread that must not be blocked.
    fn append_later(&self, record: Record, told: Told);

    /// Whether the last write succeeded, so that the next one probably will.
    fn is_writable(&self) -> bool;
}

/// Receives the index of a written record, or the error.
pub type Told = Box<dyn FnOnce(Result<u64, LedgerError>) + Send>;
