//! The way of a call through the gate, from top to bottom.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use doorward_core::approval::{Approver, Ask, Warning};
use doorward_core::call::{Prompt, ToolCall};
use doorward_core::decision::{Basis, Obligation};
use doorward_core::finding::Severity;
use doorward_core::id::{DecisionId, QuestionId};
use doorward_core::record::{Ledger, LedgerError};
use futures_util::FutureExt as _;
use jiff::SignedDuration;

use crate::judge::{Judge, refused, unasked};
use crate::judged::{AllowedCall, CallToConfirm, Case, DeniedCall, Judged};
use crate::obligations;
use crate::open::OpenPermits;
use crate::permit::Permit;
use crate::record::{HasCase, Keeping, Recorded, record};
use crate::stages::{Notice, Notices, Sessions, Turn};

/// How a call ends at the gate. The default way out is [`Admission::Denied`].
#[derive(Debug)]
#[must_use]
pub enum Admission {
    /// Go ahead, with this permit.
    Admitted(Permit),
    /// No, and why.
    Denied(Denial),
    /// A person decides; the question is durable. A yes becomes a grant, and the call comes again with it.
    Pending(Pending),
}

impl Admission {
    /// What was found out and decided; `None` where the gate failed before it knew.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
        match self {
            Self::Admitted(permit) => Some(permit.case()),
            Self::Denied(denial) => denial.case.as_deref(),
            Self::Pending(pending) => Some(&pending.case),
        }
    }
}

/// A denial that tells its reason. Never holds a secret.
#[derive(Debug)]
pub struct Denial {
    /// Stable code.
    pub code: String,
    /// For the agent and the person: which rule or finding, and what would make it pass.
    pub reason: String,
    /// The record, if one could be written.
    pub decision: Option<DecisionId>,
    /// What the denial rests on.
    pub basis: Basis,
    /// What was found out and decided, where the gate came that far.
    pub case: Option<Box<Case>>,
}

impl Denial {
    /// A denial because something failed, not because something forbade it.
    #[must_use]
    pub fn fault(code: &str, reason: &str) -> Self {
        Self {
            code: code.to_owned(),
            reason: reason.to_owned(),
            decision: None,
            basis: Basis::Finding,
            case: None,
        }
    }

    pub(crate) fn panicked() -> Self {
        Self::fault("internal.panic", "the gate failed inside; nothing runs")
    }

    fn unrecorded(error: &LedgerError, case: Box<Case>) -> Self {
        let reason = format!("the decision could not be recorded, so nothing runs: {error}");
        Self { case: Some(case), ..Self::fault(error.code(), &reason) }
    }
}

/// A question that is put, with what it is about.
#[derive(Debug)]
pub struct Pending {
    /// The question.
    pub ask: Box<Ask>,
    /// What was found out and decided.
    pub case: Box<Case>,
}

/// What a gate is built from, beside its judge.
#[derive(Clone)]
pub struct Rooms {
    /// State of sessions.
    pub sessions: Arc<dyn Sessions>,
    /// People.
    pub approver: Arc<dyn Approver>,
    /// The durable record.
    pub ledger: Arc<dyn Ledger>,
    /// Whoever is told of calls.
    pub notices: Arc<dyn Notices>,
    /// Permits without an outcome, over the same record: one service, several projects.
    pub open: Arc<OpenPermits>,
    /// Arguments are kept redacted in the record, not only as a digest.
    pub keep_args: bool,
    /// How long a question stays open.
    pub ask_ttl: SignedDuration,
}

/// The door: a judge, sessions, a durable record and people. Cheap to clone; every surface that lets something run
/// holds one.
#[derive(Clone)]
pub struct Gate {
    judge: Judge,
    rooms: Rooms,
}

impl Gate {
    /// A gate over these rooms.
    #[must_use]
    pub const fn new(judge: Judge, rooms: Rooms) -> Self {
        Self { judge, rooms }
    }

    /// Its judge, for those who only want to know.
    #[must_use]
    pub const fn judge(&self) -> &Judge {
        &self.judge
    }

    /// What it is built from, for a gate with another judge.
    #[must_use]
    pub const fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// Permits without an outcome.
    #[must_use]
    pub const fn open(&self) -> &Arc<OpenPermits> {
        &self.rooms.open
    }

    /// Takes a call through the gate. Every fault on the way is a denial with its own code.
    pub async fn admit(&self, call: ToolCall) -> Admission {
        let admitting = AssertUnwindSafe(self.admit_once(call)).catch_unwind();
        admitting.await.unwrap_or_else(|_| Admission::Denied(Denial::panicked()))
    }

    async fn admit_once(&self, call: ToolCall) -> Admission {
        let mut turn = match self.rooms.sessions.enter(&call).await {
            Ok(turn) => turn,
            Err(denial) => return Admission::Denied(denial),
        };
        let inspected = self.judge.inspect(call, turn.view());
        turn.under_way(&inspected);
        let judged = self.judge.judge(inspected).await;
        let judged = self.by_grant(judged).await;
        let turn = &mut *turn;
        match self.last_look(unasked(judged)) {
            Judged::Allowed(call) => self.recorded(call, turn).await.map_or_else(Admission::Denied, |call| {
                self.notify(&call);
                Admission::Admitted(Permit::new(
                    call,
                    Arc::clone(&self.rooms.open),
                    Arc::clone(&self.judge.stages().inspect),
                ))
            }),
            Judged::Confirm(call) => match self.recorded(call, turn).await {
                Ok(call) => self.ask(call).await,
                Err(denial) => Admission::Denied(denial),
            },
            Judged::Denied(call) => {
                Admission::Denied(self.recorded(call, turn).await.map_or_else(|denial| denial, denied))
            }
        }
    }

    /// A confirm that a person agreed to already: everything once more from the rules on, with the yes in hand.
    async fn by_grant(&self, judged: Judged) -> Judged {
        let Judged::Confirm(asked) = judged else { return judged };
        let decision = &asked.case().decision;
        let warned = decision.warning.as_ref().map_or(Severity::High, |warning| warning.level);
        let now = asked.case().inspected.now;
        match self.rooms.approver.redeem(asked.binding(), warned, now).await {
            Some(grant) => self.judge.with_grant(asked, grant).await,
            None => Judged::Confirm(asked),
        }
    }

    /// What an allowed call owes must be met by whoever holds the permit, and what would run must still be what was
    /// judged. Otherwise it is a denial before there is a permit.
    fn last_look(&self, judged: Judged) -> Judged {
        let Judged::Allowed(AllowedCall(mut case)) = judged else { return judged };
        let deny = |mut case: Box<Case>, code: &str, reason: String| {
            case.decision = refused(case.decision, code, reason);
            Judged::Denied(DeniedCall(case))
        };
        if let Err(unmet) =
            obligations::met(&case.inspected.call, &case.decision.obligations, &*self.rooms.notices)
        {
            return deny(case, obligations::UNMET, unmet);
        }
        if let Err(finding) = self.judge.stages().inspect.final_check(&case.inspected) {
            let reason = format!("the final check failed: {}", finding.message);
            return deny(case, &finding.code, reason);
        }
        case.decision.confirm = None;
        Judged::Allowed(AllowedCall(case))
    }

    /// The call with its durable record. What the session remembers of it is settled before the answer leaves.
    async fn recorded<T: HasCase + IntoCase>(
        &self,
        judged: T,
        turn: &mut dyn Turn,
    ) -> Result<Recorded<T>, Denial> {
        let (ledger, inspect) = (&*self.rooms.ledger, &*self.judge.stages().inspect);
        match record(ledger, inspect, Keeping { args: self.rooms.keep_args, marks: turn.marks() }, judged)
            .await
        {
            Ok(recorded) => {
                turn.settled(recorded.judged().case(), recorded.decision());
                Ok(recorded)
            }
            Err((error, judged)) => Err(Denial::unrecorded(&error, judged.into_case())),
        }
    }

    /// Tells whom the rules want told, now that the call is recorded.
    fn notify(&self, recorded: &Recorded<AllowedCall>) {
        let case = recorded.judged().case();
        let call = &case.inspected.call;
        for owed in &case.decision.obligations {
            if let Obligation::Notify { to, body } = owed {
                self.rooms.notices.tell(Notice {
                    decision: recorded.decision().clone(),
                    to: to.clone(),
                    body: body.clone(),
                    tool: call.tool.to_string(),
                    principal: call.principal.id.clone(),
                    session: call.session.clone(),
                });
            }
        }
    }

    async fn ask(&self, recorded: Recorded<CallToConfirm>) -> Admission {
        let (decision, index) = (recorded.decision().clone(), recorded.index());
        let CallToConfirm { case, binding } = recorded.into_judged();
        let now = case.inspected.now;
        let lapses = now.checked_add(self.rooms.ask_ttl).unwrap_or(now);
        let warned = || Warning { level: Severity::High, message: case.decision.reason.clone() };
        let ask = Box::new(Ask {
            id: QuestionId::fresh(),
            decision: decision.clone(),
            binding: *binding,
            confirm: case.decision.confirm.clone().unwrap_or_default(),
            warning: case.decision.warning.clone().unwrap_or_else(warned),
            args: self.judge.stages().inspect.shown(&case.inspected),
            reason: case.decision.reason.clone(),
            guardian: case.guardian.as_ref().map(|evaluation| Box::new(evaluation.into())),
            expires: lapses,
        });
        // A client that shows its own dialog is the channel; everyone else answers from the queue.
        let through = case.inspected.call.asked_through(case.decision.basis, ask.confirm.level);
        if through == Prompt::Client {
            self.rooms.open.left_to_client(&decision, &case, index);
            return Admission::Pending(Pending { ask, case });
        }
        match self.rooms.approver.ask(&ask).await {
            Ok(()) => Admission::Pending(Pending { ask, case }),
            Err(reason) => Admission::Denied(Denial {
                code: "approval.error".to_owned(),
                reason: format!("it needs a person, and the question could not be put: {reason}"),
                decision: Some(decision),
                basis: case.decision.basis,
                case: Some(case),
            }),
        }
    }
}

/// Gives the case back where a call couldn't be recorded.
trait IntoCase {
    fn into_case(self) -> Box<Case>;
}

impl IntoCase for AllowedCall {
    fn into_case(self) -> Box<Case> {
        self.0
    }
}

impl IntoCase for CallToConfirm {
    fn into_case(self) -> Box<Case> {
        self.case
    }
}

impl IntoCase for DeniedCall {
    fn into_case(self) -> Box<Case> {
        self.0
    }
}

fn denied(recorded: Recorded<DeniedCall>) -> Denial {
    let decision = Some(recorded.decision().clone());
    let DeniedCall(case) = recorded.into_judged();
    Denial {
        code: case.decision.code.clone(),
        reason: case.decision.reason.clone(),
        decision,
        basis: case.decision.basis,
        case: Some(case),
    }
}
