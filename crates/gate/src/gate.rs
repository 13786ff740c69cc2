//! The gate: takes a call through all stages, from top to bottom of this file.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use doorward_core::approval::{Approver, Ask, AskOrigin, Warning};
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

/// The result of admission. [`Admission::Denied`] is the default.
#[derive(Debug)]
#[must_use]
pub enum Admission {
    /// The call may run with this permit.
    Admitted(Permit),
    /// The call is denied.
    Denied(Denial),
    /// A person must decide. The question is stored durably; an approval becomes a grant, and the client sends the
    /// call again.
    Pending(Pending),
}

impl Admission {
    /// The facts and the decision; `None` if the gate failed before it had them.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
        match self {
            Self::Admitted(permit) => Some(permit.case()),
            Self::Denied(denial) => denial.case.as_deref(),
            Self::Pending(pending) => Some(&pending.case),
        }
    }
}

/// A denial with its reason. Never contains a secret.
#[derive(Debug)]
pub struct Denial {
    /// Stable code.
    pub code: String,
    /// For the agent and the person: the rule or finding, and what to change so that the call passes.
    pub reason: String,
    /// The decision's record, if it could be written.
    pub decision: Option<DecisionId>,
    /// The kind of source that decided.
    pub basis: Basis,
    /// The facts and the decision, if the gate got that far.
    pub case: Option<Box<Case>>,
}

impl Denial {
    /// A denial caused by an error, not by a rule.
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

/// An open question with its case.
#[derive(Debug)]
pub struct Pending {
    /// The question.
    pub ask: Box<Ask>,
    /// The facts and the decision.
    pub case: Box<Case>,
}

/// The parts of a gate besides its judge.
#[derive(Clone)]
pub struct Rooms {
    /// State of sessions.
    pub sessions: Arc<dyn Sessions>,
    /// Asks people.
    pub approver: Arc<dyn Approver>,
    /// The durable ledger.
    pub ledger: Arc<dyn Ledger>,
    /// Sends notices about calls.
    pub notices: Arc<dyn Notices>,
    /// Open permits on the same ledger, shared by all projects of a service.
    pub open: Arc<OpenPermits>,
    /// Whether records contain redacted arguments, not only their digest.
    pub keep_args: bool,
    /// How long a question stays open.
    pub ask_ttl: SignedDuration,
}

/// A judge with sessions, a durable ledger and people. Cheap to clone. Every surface that lets calls run holds one.
#[derive(Clone)]
pub struct Gate {
    judge: Judge,
    rooms: Rooms,
}

impl Gate {
    /// A gate from these parts.
    #[must_use]
    pub const fn new(judge: Judge, rooms: Rooms) -> Self {
        Self { judge, rooms }
    }

    /// Its judge, for callers that need only a verdict.
    #[must_use]
    pub const fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Its parts, for building a gate with another judge.
    #[must_use]
    pub const fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// Permits without an outcome.
    #[must_use]
    pub const fn open(&self) -> &Arc<OpenPermits> {
        &self.rooms.open
    }

    /// Admits a call or not. Every error on the way is a denial with its own code.
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

    /// Judges again, from the rules on, with the grant that a person gave.
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

    /// Denies a call, before any permit exists, if the holder can't meet an obligation or if the content to be run
    /// changed since it was judged.
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

    /// Writes the call's durable record. The session is updated before the answer is returned.
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

    /// Sends the notices that the rules demand, now that the call is recorded.
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
            origin: AskOrigin { agent: case.inspected.call.agent.clone(), ..AskOrigin::default() },
            expires: lapses,
        });
        // The question goes to the client's own dialog if it shows one, else to Doorward's queue.
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

/// Gives the case back if the call couldn't be recorded.
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
