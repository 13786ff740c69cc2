//! A permit to run a call once. It owns the call, is used by value, and always ends: redeemed, handed over or
//! withdrawn. A dropped one is closed as abandoned by [`OpenPermits`].

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

/// Exactly the judged call: its arguments, and the effects found.
#[derive(Debug)]
pub struct Sealed {
    case: Box<Case>,
}

impl Sealed {
    /// The call. What runs is built from this alone.
    #[must_use]
    pub const fn call(&self) -> &ToolCall {
        &self.case.inspected.call
    }

    /// The inspected call, for limits that follow from its effects.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.case.inspected
    }
}

/// Permission to run one call once. Not `Clone`, no public constructor, used by value.
#[must_use = "an admitted call has to be run, handed over or withdrawn"]
pub struct Permit {
    sealed: Sealed,
    duty: OutcomeDuty,
}

/// Why a permit couldn't be redeemed: the call's content changed after it was judged.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", finding.code, finding.message)]
pub struct Refused {
    /// What changed.
    pub finding: Box<Finding>,
    /// The duty to record the refusal.
    pub duty: OutcomeDuty,
}

impl Permit {
    /// Made only from a call that the ledger has recorded.
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

    /// The decision behind this permit.
    #[must_use]
    pub const fn decision(&self) -> &DecisionId {
        &self.duty.decision
    }

    /// The facts and the decision.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.sealed.case
    }

    /// Duties of the executor.
    #[must_use]
    pub fn obligations(&self) -> &[Obligation] {
        &self.sealed.case.decision.obligations
    }

    /// For executors (custody `bound` or `relayed`): returns the sealed call, its obligations, and the duty to report
    /// the outcome. Runs the final check first, as the last step before execution.
    ///
    /// # Errors
    /// [`Refused`] if the content to be run changed after it was judged; close its duty as refused.
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

    /// For surfaces that only advise: tells another process that the call is allowed. The decision stays open until a
    /// later event, a reported outcome or the time limit closes it.
    #[must_use = "the answer to the other process names the decision"]
    pub fn hand_over(mut self) -> DecisionId {
        self.duty.owed = false;
        self.duty.open.released(&self.duty.decision);
        self.duty.decision.clone()
    }

    /// Gives the permit back unused.
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

/// Details of an outcome.
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
    /// Obligations, and whether they were met.
    pub obligations: Vec<ObligationDone>,
    /// Tier reached, sandbox features and further details.
    pub detail: Option<Value>,
    /// The output without secrets, where the settings keep it: recorded if the decision demands `log_output`.
    pub output: Option<String>,
}

/// The duty to record a permit's outcome. If dropped, the permit is closed as abandoned.
#[must_use = "every permit gets exactly one outcome"]
pub struct OutcomeDuty {
    decision: DecisionId,
    open: Arc<OpenPermits>,
    check: Arc<dyn Inspect>,
    /// Whether the outcome is still to be recorded.
    owed: bool,
}

impl OutcomeDuty {
    /// The decision of the permit.
    #[must_use]
    pub const fn decision(&self) -> &DecisionId {
        &self.decision
    }

    /// Records the outcome; resolves to its index once durable.
    ///
    /// # Errors
    /// [`LedgerError`] if it couldn't be recorded; it is then retried as abandoned.
    pub async fn close(mut self, outcome: Outcome, done: Done) -> Result<u64, LedgerError> {
        let index = self.open.close(&self.decision, outcome, done).await?;
        self.owed = false;
        Ok(index)
    }

    /// Records the outcome within a few milliseconds, without waiting until it is durable: for callers that must go
    /// on at once. The session is told before this returns. If the last write failed, waits like
    /// [`OutcomeDuty::close`].
    ///
    /// # Errors
    /// As [`OutcomeDuty::close`]. A later write error is handled by another attempt.
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
