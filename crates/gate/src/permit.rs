//! The permit: what was allowed, sealed, with what is owed for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::approval::Presence;
use doorward_core::call::{Custody, ToolCall};
use doorward_core::decision::Obligation;
use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::json::Value;
use doorward_core::record::{
    self, ApprovalEvent, ApprovalRecord, Ledger, LedgerError, ObligationDone, Outcome, OutcomeRecord, Record,
    UserDecision,
};
use jiff::Timestamp;

use crate::stages::Inspect;

/// Id of a decision record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DecisionId(pub(crate) String);

impl DecisionId {
    /// The ULID.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Exactly what was judged: the call with its arguments, and what it was found to do.
#[derive(Debug)]
pub struct Sealed {
    call: ToolCall,
    inspected: Inspected,
}

impl Sealed {
    pub(crate) fn new(call: ToolCall, inspected: Inspected) -> Self {
        Self { call, inspected }
    }

    /// The call. What runs is made from this and nothing else.
    #[must_use]
    pub const fn call(&self) -> &ToolCall {
        &self.call
    }

    /// What it was found to do, for bounds that follow from effects.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.inspected
    }
}

/// Leave to run one call once. Not `Clone`, no public constructor, used by value.
#[must_use = "an admitted call has to be run, handed over or refused"]
pub struct Permit {
    // Boxed, so that an answer stays small to pass around.
    sealed: Box<Sealed>,
    obligations: Vec<Obligation>,
    duty: OutcomeDuty,
}

/// Why a permit couldn't be redeemed: the world changed between the judgement and the run.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", finding.code, finding.message)]
pub struct Refused {
    /// What changed.
    pub finding: Box<Finding>,
    /// The duty to record the refusal.
    pub duty: OutcomeDuty,
}

impl Permit {
    pub(crate) fn new(sealed: Sealed, obligations: Vec<Obligation>, duty: OutcomeDuty) -> Self {
        Self { sealed: Box::new(sealed), obligations, duty }
    }

    /// The decision this permit rests on.
    #[must_use]
    pub fn decision(&self) -> &DecisionId {
        &self.duty.decision
    }

    /// What is owed by whoever carries it out.
    #[must_use]
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// For executors (custody `bound` or `relayed`): the sealed call, what is owed, and the duty to say what
    /// became of it. Runs the final check first, as the last thing before execution.
    ///
    /// # Errors
    /// [`Refused`] if what would run is no longer what was judged; its duty must be closed as refused.
    pub fn redeem(self) -> Result<(Sealed, Vec<Obligation>, OutcomeDuty), Refused> {
        match self.duty.check.final_check(&self.sealed.call, &self.sealed.inspected) {
            Ok(()) => Ok((*self.sealed, self.obligations, self.duty)),
            Err(finding) => Err(Refused { finding: Box::new(finding), duty: self.duty }),
        }
    }

    /// For surfaces that only advise: another process was told yes. The record stays open until a later event
    /// closes it through [`OpenPermits`], or the end of the session writes `unobserved`.
    pub fn hand_over(self) -> DecisionId {
        self.duty.release()
    }
}

impl std::fmt::Debug for Permit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permit").field("decision", &self.duty.decision).finish_non_exhaustive()
    }
}

/// What became of a call.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// Exit status.
    pub exit: Option<i32>,
    /// Limits that fired.
    pub limits_hit: Vec<String>,
    /// Digest of the redacted output.
    pub output_digest: Option<String>,
    /// Bytes of output.
    pub bytes: u64,
    /// Obligations met or not.
    pub obligations: Vec<ObligationDone>,
    /// Tier reached, features, anything else worth keeping.
    pub detail: Option<Value>,
}

/// The duty to record what became of a permit.
#[must_use = "every permit gets exactly one outcome"]
pub struct OutcomeDuty {
    decision: DecisionId,
    index: Option<u64>,
    open: Arc<OpenPermits>,
    check: Arc<dyn Inspect>,
}

impl std::fmt::Debug for OutcomeDuty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutcomeDuty").field("decision", &self.decision).finish_non_exhaustive()
    }
}

impl OutcomeDuty {
    pub(crate) fn new(
        decision: DecisionId,
        index: u64,
        call: &ToolCall,
        args_digest: &str,
        open: Arc<OpenPermits>,
        check: Arc<dyn Inspect>,
    ) -> Self {
        open.opened(
            &decision,
            OpenPermit {
                session: call.session.clone(),
                call: call.id.clone(),
                args_digest: args_digest.to_owned(),
                custody: call.custody,
                index: Some(index),
                stage: Stage::Held,
            },
        );
        Self { decision, index: Some(index), open, check }
    }

    /// The decision it belongs to.
    #[must_use]
    pub fn decision(&self) -> &DecisionId {
        &self.decision
    }

    /// Records the outcome; resolves when it is durable.
    ///
    /// # Errors
    /// [`LedgerError`] if it couldn't be kept; the permit then stays open and recovery closes it.
    pub async fn close(self, ledger: &dyn Ledger, outcome: Outcome, done: Done) -> Result<u64, LedgerError> {
        let index = ledger.append(outcome_record(&self.decision, self.index, outcome, done)).await?;
        self.open.take(&self.decision);
        Ok(index)
    }

    fn release(self) -> DecisionId {
        self.open.released(&self.decision);
        self.decision
    }
}

/// An admitted call without an outcome yet.
#[derive(Debug, Clone)]
pub struct OpenPermit {
    /// Session it belongs to.
    pub session: String,
    /// The client's id of the call.
    pub call: String,
    /// Digest of its arguments, for clients whose events carry no id.
    pub args_digest: String,
    /// Who runs it.
    pub custody: Custody,
    /// Index of the decision record.
    pub index: Option<u64>,
    /// How far it went.
    pub stage: Stage,
}

/// How far an open permit went, and so what closes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Admitted: its holder closes it.
    Held,
    /// Handed over: only an event of its session closes it.
    Released,
    /// Not admitted by us: the client's own flow decides, and an event tells that it ran.
    Asked {
        /// The client put its dialog before a person: we told it to, or it reported that it does. Otherwise a rule or
        /// mode of its own may let the call pass without asking anybody.
        dialog: bool,
    },
}

/// All permits without an outcome. The writer's memory: a drop closes nothing.
#[derive(Debug, Default)]
pub struct OpenPermits {
    open: Mutex<HashMap<String, OpenPermit>>,
}

impl OpenPermits {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Closes the permit that an after-event speaks of: same session and call id, else (for clients without
    /// ids) same session and arguments. An event that opened nothing closes nothing: `Ok(None)`.
    ///
    /// # Errors
    /// [`LedgerError`] if the outcome couldn't be kept; the permit stays open.
    pub async fn observe(
        &self,
        ledger: &dyn Ledger,
        session: &str,
        call: Option<&str>,
        args_digest: &str,
        outcome: Outcome,
        done: Done,
    ) -> Result<Option<DecisionId>, LedgerError> {
        let found = self
            .lock()
            .iter()
            .find(|(_, permit)| {
                permit.stage != Stage::Held
                    && permit.session == session
                    && call.map_or(permit.args_digest == args_digest, |call| permit.call == call)
            })
            .map(|(id, permit)| (DecisionId(id.clone()), permit.clone()));
        let Some((id, permit)) = found else { return Ok(None) };
        // Taken first, so that two events can't both write an outcome; put back if it couldn't be kept.
        if self.take(&id).is_none() {
            return Ok(None);
        }
        let mut kept = Ok(0);
        if let Stage::Asked { dialog } = permit.stage {
            // It ran, so the client's flow said yes.
            kept = ledger.append(passed_record(&id, dialog)).await;
        }
        if kept.is_ok() {
            kept = ledger.append(outcome_record(&id, permit.index, outcome, done)).await;
        }
        match kept {
            Ok(_) => Ok(Some(id)),
            Err(error) => {
                self.opened(&id, permit);
                Err(error)
            }
        }
    }

    /// The client puts its dialog before a person, about the call that this decision left to it.
    pub fn dialog_shown(&self, decision: &str) {
        if let Some(permit) = self.lock().get_mut(decision)
            && let Stage::Asked { dialog } = &mut permit.stage
        {
            *dialog = true;
        }
    }

    /// The decision that left this call of a session to the client's own flow, if there is one without an outcome.
    #[must_use]
    pub fn left_to_client(&self, session: &str, args_digest: &str) -> Option<String> {
        let open = self.lock();
        let mut left = open.iter().filter(|(_, permit)| {
            matches!(permit.stage, Stage::Asked { .. })
                && permit.session == session
                && permit.args_digest == args_digest
        });
        left.next().map(|(id, _)| id.clone())
    }

    /// The client's own flow let the call of this decision go on: recorded, once, with whether a person was asked.
    /// What becomes of the call is recorded with the decision that admits it.
    ///
    /// # Errors
    /// [`LedgerError`] if the answer couldn't be kept; then it wasn't given.
    pub async fn answered(
        &self,
        ledger: &dyn Ledger,
        decision: &str,
    ) -> Result<Option<Presence>, LedgerError> {
        let id = DecisionId(decision.to_owned());
        let Some(Stage::Asked { dialog }) = self.lock().get(decision).map(|permit| permit.stage) else {
            return Ok(None);
        };
        let Some(permit) = self.take(&id) else { return Ok(None) };
        match ledger.append(passed_record(&id, dialog)).await {
            Ok(_) => Ok(Some(if dialog { Presence::ClientDialog } else { Presence::ClientRule })),
            Err(error) => {
                self.opened(&id, permit);
                Err(error)
            }
        }
    }

    /// The session ended: what nobody reported is `unobserved`, what nobody ran is `abandoned`.
    ///
    /// # Errors
    /// [`LedgerError`] if an outcome couldn't be kept; that permit stays open.
    pub async fn end_session(&self, ledger: &dyn Ledger, session: &str) -> Result<usize, LedgerError> {
        self.close_where(ledger, |permit| permit.session == session).await
    }

    /// The service stops: every open permit gets its outcome.
    ///
    /// # Errors
    /// As [`OpenPermits::end_session`].
    pub async fn end_all(&self, ledger: &dyn Ledger) -> Result<usize, LedgerError> {
        self.close_where(ledger, |_| true).await
    }

    async fn close_where(
        &self,
        ledger: &dyn Ledger,
        which: impl Fn(&OpenPermit) -> bool,
    ) -> Result<usize, LedgerError> {
        let mut closed = 0;
        loop {
            let next =
                self.lock().iter().find(|(_, permit)| which(permit)).map(|(id, _)| DecisionId(id.clone()));
            let Some(id) = next else { return Ok(closed) };
            let Some(permit) = self.take(&id) else { continue };
            let record = match permit.stage {
                Stage::Held => outcome_record(&id, permit.index, Outcome::Abandoned, Done::default()),
                Stage::Released => outcome_record(&id, permit.index, Outcome::Unobserved, Done::default()),
                // No event: the person said no, or the client never asked. Nothing was admitted, so no outcome.
                Stage::Asked { .. } => client_record(&id, ApprovalEvent::Expired, None, None),
            };
            if let Err(error) = ledger.append(record).await {
                self.opened(&id, permit);
                return Err(error);
            }
            closed += 1;
        }
    }

    /// The client's own dialog decides about this call; an event may tell that it ran.
    pub(crate) fn asked(&self, decision: &DecisionId, call: &ToolCall, args_digest: &str, index: u64) {
        self.opened(
            decision,
            OpenPermit {
                session: call.session.clone(),
                call: call.id.clone(),
                args_digest: args_digest.to_owned(),
                custody: call.custody,
                index: Some(index),
                stage: Stage::Asked { dialog: false },
            },
        );
    }

    fn opened(&self, decision: &DecisionId, permit: OpenPermit) {
        self.lock().insert(decision.0.clone(), permit);
    }

    fn released(&self, decision: &DecisionId) {
        if let Some(permit) = self.lock().get_mut(&decision.0) {
            permit.stage = Stage::Released;
        }
    }

    fn take(&self, decision: &DecisionId) -> Option<OpenPermit> {
        self.lock().remove(&decision.0)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, OpenPermit>> {
        // Every critical section is one map operation, so a poisoned map is still whole.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The client's own flow let a call pass: a person's answer where its dialog was shown, else its own rule or mode, which
/// is no answer of anybody.
fn passed_record(decision: &DecisionId, dialog: bool) -> Record {
    if dialog {
        let said = Some(UserDecision::Allowed);
        client_record(decision, ApprovalEvent::Answered, said, Some(Presence::ClientDialog))
    } else {
        client_record(decision, ApprovalEvent::Passed, None, Some(Presence::ClientRule))
    }
}

fn client_record(
    decision: &DecisionId,
    event: ApprovalEvent,
    said: Option<UserDecision>,
    presence: Option<Presence>,
) -> Record {
    Record::Approval(ApprovalRecord {
        v: 1,
        id: record::new_id(),
        time: Timestamp::now(),
        of: decision.0.clone(),
        event,
        decision: said,
        by: String::new(),
        presence,
        level: 1,
        via: "client".to_owned(),
    })
}

fn outcome_record(decision: &DecisionId, index: Option<u64>, outcome: Outcome, done: Done) -> Record {
    Record::Outcome(OutcomeRecord {
        v: 1,
        id: record::new_id(),
        time: Timestamp::now(),
        of: decision.0.clone(),
        of_index: index,
        outcome,
        exit: done.exit,
        limits_hit: done.limits_hit,
        output_digest: done.output_digest,
        bytes: done.bytes,
        obligations: done.obligations,
        detail: done.detail,
    })
}
