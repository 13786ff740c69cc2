//! What is kept of every call. The bytes on disk are the ledger's business; the words are here.

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
    /// What was decided.
    Decision(Box<DecisionRecord>),
    /// What became of it.
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
    /// What a child reached, or tried to, through the egress proxy.
    Access(Box<AccessRecord>),
    /// Something worth keeping that is none of these.
    Note(NoteRecord),
}

/// A decision. Secrets are redacted before this is built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionRecord {
    /// Format version: [`DecisionRecord::VERSION`]. A record of version 1 names content that verification doesn't
    /// cover.
    pub v: u8,
    /// ULID.
    pub id: DecisionId,
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The way in.
    pub surface: Surface,
    /// Who runs it.
    pub custody: Custody,
    /// Who called.
    pub principal: Principal,
    /// Agent, if told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Session.
    pub session: SessionId,
    /// Workflow, if told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// The client's id of the call, to bind later events.
    pub call: CallId,
    /// Verb.
    pub action: String,
    /// Type and name.
    pub resource: ResourceName,
    /// Class of the tool.
    pub class: ToolClass,
    /// Digest of the canonical arguments; absent where the settings keep nothing of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_digest: Option<Digest>,
    /// Redacted arguments, if kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// Digest of the [`KeptCall`](crate::kept::KeptCall): the facts that rules read, and the redacted `Inspected`.
    pub inspected: Digest,
    /// The sandbox it was to run in, where there was one or somebody declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Box<SandboxFacts>>,
    /// What the policy engine said.
    pub policy: PolicySummary,
    /// Mode of the session.
    pub mode: PermissionMode,
    /// What the verdict rests on.
    pub basis: Basis,
    /// Risk, fused and by analyzer.
    pub risk: RiskSummary,
    /// Guardian, if it was asked.
    pub guardian: Option<GuardianSummary>,
    /// Person, if one answered already.
    pub user: Option<UserSummary>,
    /// The answer.
    pub verdict: Verdict,
    /// The code of what decided.
    pub code: String,
    /// Why.
    pub reason: String,
    /// What is owed.
    pub obligations: Vec<Obligation>,
    /// Marks that the call leaves in its session if it runs (`secret_read`, `egress`, …): a service that starts again
    /// finds them here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// Time from call to decision, record excluded.
    pub took_us: u64,
}

impl DecisionRecord {
    /// Records of this version are appended together with the content that they name.
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
    /// What it said about the call; `unsettled` where it had no opinion and the mode decided.
    #[serde(with = "engine_answer")]
    #[schemars(with = "String")]
    pub decision: Option<Verdict>,
    /// Its code.
    pub code: String,
    /// Its reason.
    pub reason: String,
    /// The policies that decided.
    pub ids: Vec<String>,
    /// Identity of the set.
    pub bundle: String,
    /// Log-only policies that would have changed it.
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
    /// By analyzer.
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
    /// How it came about.
    pub status: crate::evaluation::GuardianStatus,
    /// Which model.
    pub model: String,
    /// Why, in the reviewer's words, secrets masked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Risks it named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Digest of the prompt.
    pub prompt_digest: Option<Digest>,
    /// What is worth knowing beside the verdict: `contradiction`, `repaired`, `cached`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What it took, where a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<ReviewSpent>,
}

/// What a review took, over all its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReviewSpent {
    /// Requests to the model.
    pub requests: u32,
    /// From the question to the answer.
    pub took_ms: u64,
    /// Tokens read, cached ones included.
    pub tokens_in: u64,
    /// Of which from the provider's cache.
    pub tokens_cached: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// The counts are ours, because the provider gave none.
    pub estimated: bool,
    /// In millionths of a dollar; null where the model's price isn't known.
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
    /// Yes.
    Allowed,
    /// No.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    /// Nobody can be asked.
    NoApprover,
    /// Asking failed.
    Error,
}

/// A person's part of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserSummary {
    /// How it ended.
    pub decision: UserDecision,
    /// Who.
    pub by: String,
    /// How it is known that a person answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
    /// Level reached.
    pub level: u8,
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// Nonce of the grant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
}

/// What became of an admitted call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It ran.
    Ran,
    /// It ran and failed.
    Failed,
    /// A limit or a person ended it.
    Killed,
    /// It was refused after all (final check, obligation).
    Refused,
    /// The holder went away.
    Abandoned,
    /// Handed over; a later event closes it.
    Released,
    /// Handed over, and no event told what became of it.
    Unobserved,
}

/// An outcome, bound to its decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The decision's id.
    pub of: DecisionId,
    /// The decision's index in the log, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_index: Option<u64>,
    /// What became of it.
    pub outcome: Outcome,
    /// Exit status, if there is one.
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
    /// Obligations and whether they were met.
    #[serde(default)]
    pub obligations: Vec<ObligationDone>,
    /// Tier reached, features and anything else worth keeping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

/// An obligation met or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObligationDone {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it was met.
    pub done: bool,
}

/// What happened to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalEvent {
    /// Put.
    Asked,
    /// Answered.
    Answered,
    /// A rule or mode of the client's own let the call pass; nobody was asked.
    Passed,
    /// A dialog of the client's was shown, and nothing tells whether the person said no, or said yes and then
    /// interrupted the call. Where `via` is [`VIA_TRANSCRIPT`], the client's transcript says that the person said no.
    Unclear,
    /// Lapsed.
    Expired,
    /// Withdrawn.
    Cancelled,
}

/// How an approval record names the client's own transcript: what it says is a claim, because whoever may write the file
/// can make it say anything.
pub const VIA_TRANSCRIPT: &str = "client_transcript";

/// A question or an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The decision's id.
    pub of: DecisionId,
    /// What happened.
    pub event: ApprovalEvent,
    /// How it ended, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<UserDecision>,
    /// Who.
    #[serde(default)]
    pub by: String,
    /// How it is known that a person answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
    /// Level.
    #[serde(default)]
    pub level: u8,
    /// Channel.
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
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// `loaded` or `reload_failed`.
    pub event: String,
    /// The set.
    pub bundle: String,
    /// The one before.
    #[serde(default)]
    pub previous: String,
    /// Who.
    #[serde(default)]
    pub by: String,
}

/// How far Doorward is out of the agent's reach.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Posture {
    /// Same user as the agent.
    #[default]
    Personal,
    /// Own user.
    Separate,
    /// The agent runs in our sandbox.
    Enclosed,
}

/// The service started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Our clock.
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
    /// Our clock.
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
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Verifier key from now on.
    pub new_vkey: String,
    /// Verifier key until now.
    pub old_vkey: String,
}

/// Where an access through the egress proxy stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccessEvent {
    /// Judged, and not dialled yet.
    Decided,
    /// Over, with what flowed.
    Ended,
}

/// One access through the egress proxy: as decided, and once more with the amounts when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The access: the same in both records, and what a question about it names as its decision.
    pub access: DecisionId,
    /// Which of the two.
    pub event: AccessEvent,
    /// Agent session.
    pub session: SessionId,
    /// Agent, if told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Command that the child belongs to.
    #[serde(default)]
    pub command: String,
    /// `CONNECT`, `SOCKS5` or the HTTP method.
    pub method: String,
    /// `http` or `https`.
    pub scheme: String,
    /// Canonical host; as written where it has no canonical form.
    pub host: String,
    /// Port.
    pub port: u16,
    /// What the name resolved to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<std::net::IpAddr>,
    /// What was dialled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub dialed: Option<std::net::SocketAddr>,
    /// Who resolved for the connection: `local` or `upstream`.
    pub resolved_by: String,
    /// ALLOW or DENY.
    pub verdict: Verdict,
    /// Reason code with the class of the address, which only the ledger may know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Mode of the rules: `off`, `report`, `enforce`.
    pub mode: String,
    /// Name asked for in TLS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sni: Option<String>,
    /// Bytes of the child's.
    #[serde(default)]
    pub bytes_up: u64,
    /// Bytes for the child.
    #[serde(default)]
    pub bytes_down: u64,
    /// Time of the look-up.
    #[serde(default)]
    pub dns_us: u64,
    /// Time of the connection.
    #[serde(default)]
    pub connect_us: u64,
    /// Names of the secrets that were filled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swapped_secrets: Vec<String>,
    /// How a permitted access ended: `done`, or what cut it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// Something worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteRecord {
    /// Format version, 1.
    pub v: u8,
    /// ULID.
    pub id: RecordId,
    /// Our clock.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Stable code.
    pub code: String,
    /// In words.
    #[serde(default)]
    pub message: String,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

/// Why a record couldn't be kept. The call it belongs to is denied with the same code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Disk full, read-only, I/O error.
    #[error("ledger.unwritable: {0}")]
    Unwritable(String),
    /// The queue is full or the answer took too long.
    #[error("ledger.overloaded: {0}")]
    Overloaded(String),
    /// The service is going down.
    #[error("ledger.closed: the ledger is closed")]
    Closed,
    /// The entry is longer than a bundle holds.
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

/// Keeps records. The future resolves when the record is durable, to its index.
pub trait Ledger: Send + Sync {
    /// Appends one record: it is on its way when this returns, whether or not the future is polled. Dropping the future
    /// doesn't take it back; if it admitted a call, an outcome `abandoned` follows.
    fn append(&self, record: Record) -> Boxed<'_, Result<u64, LedgerError>>;

    /// As [`Ledger::append`], together with the content that the record names by digest. When the future resolves to an
    /// index both are durable; otherwise neither may be relied on.
    fn append_with(&self, record: Record, content: Vec<u8>) -> Boxed<'_, Result<u64, LedgerError>>;

    /// Appends a record that no answer waits for. It has its place in the log when this returns, behind everything that
    /// was appended before; it may be written together with the next record, a few milliseconds later. `told` hears how
    /// that went, on a thread that must not be held up.
    fn append_later(&self, record: Record, told: Told);

    /// Whether the last write succeeded, so that the next one is expected to.
    fn is_writable(&self) -> bool;
}

/// Hears at which index a record was kept, or why it couldn't be.
pub type Told = Box<dyn FnOnce(Result<u64, LedgerError>) + Send>;
