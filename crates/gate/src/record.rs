//! Records judged calls. A [`Recorded`] is required for a permit, and only a durable append returns one.

use doorward_core::approval::Presence;
use doorward_core::id::{DecisionId, Digest};
use doorward_core::json;
use doorward_core::kept::KeptCall;
use doorward_core::record::{
    DecisionRecord, Ledger, LedgerError, PolicySummary, Record, ResourceName, RiskBy, RiskSummary,
    UserDecision, UserSummary,
};
use jiff::Timestamp;

use crate::judged::{AllowedCall, CallToConfirm, Case, DeniedCall};
use crate::stages::Inspect;

/// A judged call whose case can be recorded.
pub(crate) trait HasCase {
    fn case(&self) -> &Case;
}

impl HasCase for AllowedCall {
    fn case(&self) -> &Case {
        &self.0
    }
}

impl HasCase for CallToConfirm {
    fn case(&self) -> &Case {
        &self.case
    }
}

impl HasCase for DeniedCall {
    fn case(&self) -> &Case {
        &self.0
    }
}

/// A judged call whose record is durable.
#[derive(Debug)]
pub struct Recorded<T> {
    judged: T,
    decision: DecisionId,
    index: u64,
}

impl<T> Recorded<T> {
    /// The recorded decision.
    #[must_use]
    pub const fn decision(&self) -> &DecisionId {
        &self.decision
    }

    /// The record's index in the log.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    pub(crate) const fn judged(&self) -> &T {
        &self.judged
    }

    pub(crate) fn into_judged(self) -> T {
        self.judged
    }
}

/// Content of a record besides the judgement.
pub(crate) struct Keeping {
    /// Whether to include the redacted arguments; otherwise only their digest is recorded.
    pub(crate) args: bool,
    /// Marks that the call leaves in its session.
    pub(crate) marks: Vec<String>,
}

/// Records a judged call, with the facts and the redacted `Inspected` that the record names. Resolves when both are
/// durable.
///
/// # Errors
/// The error, with the call given back; the call must not run.
pub(crate) async fn record<T: HasCase>(
    ledger: &dyn Ledger,
    inspect: &dyn Inspect,
    keeping: Keeping,
    judged: T,
) -> Result<Recorded<T>, (LedgerError, T)> {
    let (record, decision, kept) = match written(inspect, keeping, judged.case()) {
        Ok(written) => written,
        Err(error) => return Err((LedgerError::Unwritable(error.to_string()), judged)),
    };
    match ledger.append_with(record, kept).await {
        Ok(index) => Ok(Recorded { judged, decision, index }),
        Err(error) => Err((error, judged)),
    }
}

fn written(
    inspect: &dyn Inspect,
    keeping: Keeping,
    case: &Case,
) -> Result<(Record, DecisionId, Vec<u8>), json::JsonError> {
    let kept = KeptCall::new(inspect.redact(&case.inspected), &case.inspected.session);
    let bytes = kept.to_bytes()?;
    let id = DecisionId::fresh();
    let call = &case.inspected.call;
    let decision = &case.decision;
    let record = DecisionRecord {
        v: DecisionRecord::VERSION,
        id: id.clone(),
        time: Timestamp::now(),
        surface: call.surface,
        custody: call.custody,
        principal: call.principal.clone(),
        agent: call.agent.clone(),
        session: call.session.clone(),
        workflow: call.workflow.clone(),
        call: call.id.clone(),
        action: call.action.clone(),
        resource: ResourceName { kind: "tool".to_owned(), name: call.tool.to_string() },
        class: call.class(),
        args_digest: Some(case.inspected.args_digest.clone()),
        args: keeping.args.then(|| bounded(kept.inspected.call.args_value())),
        inspected: Digest::of(&bytes),
        sandbox: kept.inspected.sandbox.declared.then(|| Box::new(kept.inspected.sandbox.clone())),
        policy: policy_of(case),
        mode: decision.mode,
        basis: decision.basis,
        risk: risk_of(case),
        guardian: case.guardian.as_ref().map(Into::into),
        user: user_of(case),
        verdict: decision.verdict,
        code: decision.code.clone(),
        reason: decision.reason.chars().take(REASON).collect(),
        obligations: decision.obligations.clone(),
        marks: keeping.marks,
        took_us: case.took_us,
    };
    Ok((Record::Decision(Box::new(record)), id, bytes))
}

/// Entries hold at most 64 KiB; longer arguments are recorded as their digest only.
const KEPT_ARGS: usize = 24 * 1024;
/// Most characters of a reason.
const REASON: usize = 2_000;

fn bounded(args: json::Value) -> json::Value {
    let text = args.canonical();
    if text.len() <= KEPT_ARGS {
        return args;
    }
    json::Value::Object(json::Object::from([
        ("…".to_owned(), json::Value::from(format!("{} bytes left out", text.len()))),
        ("digest".to_owned(), json::Value::from(Digest::of(text.as_bytes()))),
    ]))
}

/// The person who settled it. `None` if a client's own rule did.
fn user_of(case: &Case) -> Option<UserSummary> {
    let grant = case.grant.as_ref().filter(|grant| grant.presence != Presence::ClientRule)?;
    Some(UserSummary {
        decision: UserDecision::Allowed,
        by: grant.by.clone(),
        presence: Some(grant.presence),
        level: grant.level,
        at: grant.at,
        approval: Some(grant.nonce.clone()),
    })
}

fn policy_of(case: &Case) -> PolicySummary {
    let policy = &case.decision.policy;
    PolicySummary {
        // `None`: no rule applied. This must not be recorded as a denial.
        decision: (!policy.unsettled).then_some(policy.decision),
        code: policy.code.clone(),
        reason: policy.reason.chars().take(REASON).collect(),
        ids: policy.policies.clone(),
        bundle: policy.bundle.clone(),
        flips: policy.flips.clone(),
    }
}

fn risk_of(case: &Case) -> RiskSummary {
    let by = case.assessment.by.iter().map(|verdict| RiskBy {
        analyzer: verdict.analyzer.clone(),
        risk: verdict.risk,
        score: verdict.score,
        findings: verdict.findings.iter().map(|finding| finding.code.to_string()).collect(),
    });
    RiskSummary { level: case.assessment.risk, score: case.assessment.score, by: by.collect() }
}
