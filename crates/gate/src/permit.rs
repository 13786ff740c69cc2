//! Leave to run a call once. A permit owns what runs, is used by value, and always ends: it is redeemed, handed over or
//! withdrawn, and one that is dropped is closed as abandoned by [`OpenPermits`].

use std::sync::Arc;

use doorward_core::call::ToolCall;
use doorward_core::decision::Obligation;
use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::id::{DecisionId, Digest};
use doorward_core::json::Value;
use doorward_core::record::{LedgerError, ObligationDone, Outcome};

use crate::judged::{AllowedCall, Case};
use crate::open::OpenPermits;
use crate::record::Recorded;
use crate::stages::Inspect;

/// Exactly what was judged: the call with its arguments, and what it was found to do.
#[derive(Debug)]
pub struct Sealed {
    case: Box<Case>,
}

impl Sealed {
    /// The call. What runs is made from this and nothing else.
    #[must_use]
    pub const fn call(&self) -> &ToolCall {
        &self.case.inspected.call
    }

    /// What it was found to do, for bounds that follow from effects.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.case.inspected
    }
}

/// Leave to run one call once. Not `Clone`, no public constructor, used by value.
#[must_use = "an admitted call has to be run, handed over or withdrawn"]
pub struct Permit {
    sealed: Sealed,
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
    /// Only what the ledger has recorded becomes a permit.
    pub(crate) fn new(
        recorded: Recorded<AllowedCall>,
        open: Arc<OpenPermits>,
        check: Arc<dyn Inspect>,
    ) -> Self {
        let decision = recorded.decision().clone();
        let index = recorded.index();
        let AllowedCall(case) = recorded.into_judged();
        open.held(&decision, &case, index);
        Self { sealed: Sealed { case }, duty: OutcomeDuty { decision, open, check, owed: true } }
    }

    /// The decision this permit rests on.
    #[must_use]
    pub const fn decision(&self) -> &DecisionId {
        &self.duty.decision
    }

    /// What was found out and decided.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.sealed.case
    }

    /// What is owed by whoever carries it out.
    #[must_use]
    pub fn obligations(&self) -> &[Obligation] {
        &self.sealed.case.decision.obligations
    }

    /// For executors (custody `bound` or `relayed`): the sealed call, what is owed, and the duty to say what
    /// became of it. Runs the final check first, as the last thing before execution.
    ///
    /// # Errors
    /// [`Refused`] if what would run is no longer what was judged; its duty must be closed as refused.
    pub fn redeem(self) -> Result<(Sealed, Vec<Obligation>, OutcomeDuty), Refused> {
        let Self { sealed, duty } = self;
        match duty.check.final_check(&sealed.case.inspected) {
            Ok(()) => {
                let owed = sealed.case.decision.obligations.clone();
                Ok((sealed, owed, duty))
            }
            Err(finding) => Err(Refused { finding: Box::new(finding), duty }),
        }
    }

    /// For surfaces that only advise: another process was told yes. The record stays open until a later event, a
    /// reported outcome or the time limit closes it.
    #[must_use = "the answer to the other process names the decision"]
    pub fn hand_over(mut self) -> DecisionId {
        self.duty.owed = false;
        self.duty.open.released(&self.duty.decision);
        self.duty.decision.clone()
    }

    /// Nobody will run it after all.
    ///
    /// # Errors
    /// [`LedgerError`] if that couldn't be recorded; the permit is closed later.
    pub async fn withdraw(self) -> Result<(), LedgerError> {
        self.duty.close(Outcome::Abandoned, Done::default()).await.map(drop)
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
    pub output_digest: Option<Digest>,
    /// Bytes of output.
    pub bytes: u64,
    /// Obligations met or not.
    pub obligations: Vec<ObligationDone>,
    /// Tier reached, features, anything else worth keeping.
    pub detail: Option<Value>,
}

/// The duty to record what became of a permit. Dropped, it is closed as abandoned.
#[must_use = "every permit gets exactly one outcome"]
pub struct OutcomeDuty {
    decision: DecisionId,
    open: Arc<OpenPermits>,
    check: Arc<dyn Inspect>,
    /// Not closed or handed over yet.
    owed: bool,
}

impl OutcomeDuty {
    /// The decision it belongs to.
    #[must_use]
    pub const fn decision(&self) -> &DecisionId {
        &self.decision
    }

    /// Records the outcome; resolves to its index when it is durable.
    ///
    /// # Errors
    /// [`LedgerError`] if it couldn't be kept; it is then tried again as abandoned.
    pub async fn close(mut self, outcome: Outcome, done: Done) -> Result<u64, LedgerError> {
        let index = self.open.close(&self.decision, outcome, done).await?;
        self.owed = false;
        Ok(index)
    }

    /// Records the outcome without waiting until it is durable, a few milliseconds later: for what has to go on at once.
    /// The session hears before this returns. Where the last write failed, this waits like [`OutcomeDuty::close`].
    ///
    /// # Errors
    /// As [`OutcomeDuty::close`]; an error that shows itself later is met by another attempt.
    pub async fn close_soon(mut self, outcome: Outcome, done: Done) -> Result<(), LedgerError> {
        if !self.open.is_writable() {
            return self.close(outcome, done).await.map(drop);
        }
        self.owed = false;
        self.open.close_later(&self.decision, outcome, done);
        Ok(())
    }
}

impl Drop for OutcomeDuty {
    fn drop(&mut self) {
        if self.owed {
            self.open.dropped(&self.decision);
        }
    }
}

impl std::fmt::Debug for OutcomeDuty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutcomeDuty").field("decision", &self.decision).finish_non_exhaustive()
    }
}
