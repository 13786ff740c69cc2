//! Fake implementations of a gate's stages, for tests. They behave as configured, or fail in one chosen way, and
//! keep the records they get. Only tests depend on this crate.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Settlement, Surface, ToolCall,
    Workplace,
};
use doorward_core::decision::{Basis, Confirm, Obligation, PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::{Effects, Inspected, SandboxFacts};
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation};
use doorward_core::finding::{Finding, Severity};
use doorward_core::id::{DecisionId, Digest, QuestionId, SessionId};
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::record::{Ledger, LedgerError, Outcome, OutcomeRecord, Record, Told};
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};
use doorward_gate::{
    Case, Denial, Gate, Inspect, Judge, Notice, Notices, OpenPermits, Outcomes, Returned, Review, Rooms,
    Sessions, Settle, Settling, Stages, Turn,
};
use jiff::{SignedDuration, Timestamp};

/// A fixed binding: equal to itself, and to no real one.
#[must_use]
pub fn binding() -> Binding {
    Binding {
        caller: String::new(),
        session: SessionId::default(),
        project: String::new(),
        cwd: String::new(),
        server: String::new(),
        tool: String::new(),
        args_digest: Digest::of(b"arguments"),
        effects_digest: Digest::of(b"effects"),
        pin_digest: None,
        preview_digest: Digest::of(b"preview"),
        policy_version: String::new(),
    }
}

/// How a stage fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// No failure.
    #[default]
    None,
    /// The session refuses a turn.
    NoTurn,
    /// The inspector panics.
    InspectPanics,
    /// The policy engine panics.
    PolicyPanics,
    /// The ledger refuses records.
    LedgerFull,
    /// The ledger can't store content.
    KeepFails,
    /// The final check finds a change.
    FinalCheck,
    /// The second final check, made by the executor of the call, finds a change.
    ChangesMeanwhile,
    /// No question can be asked.
    ApproverDown,
    /// The guardian panics; every confirm is delegated to it.
    GuardianPanics,
}

/// All stages in one.
#[derive(Default)]
pub struct FakeRooms {
    /// The failure.
    pub fault: Fault,
    /// The policy's verdict.
    pub verdict: Option<Verdict>,
    /// The policy's obligations.
    pub obligations: Vec<Obligation>,
    /// Records received.
    pub records: Mutex<Vec<Record>>,
    /// Outcomes reported to the session.
    pub heard: Mutex<Vec<Outcome>>,
    /// Notices sent.
    pub told: Mutex<Vec<Notice>>,
    /// The disk is full at the moment, which the last write didn't show.
    pub full: AtomicBool,
    looked: AtomicBool,
}

impl FakeRooms {
    /// Stages whose policy returns this verdict.
    #[must_use]
    pub fn saying(verdict: Verdict, fault: Fault) -> Arc<Self> {
        Arc::new(Self { fault, verdict: Some(verdict), ..Self::default() })
    }

    /// Stages that allow, with these obligations.
    #[must_use]
    pub fn owing(obligations: &[Obligation]) -> Arc<Self> {
        Arc::new(Self { obligations: obligations.to_vec(), ..Self::default() })
    }

    /// A gate that uses them.
    #[must_use]
    pub fn gate(self: &Arc<Self>) -> Gate {
        let judge = Judge::new(Stages {
            inspect: self.clone(),
            analyzers: Vec::new(),
            policy: self.clone(),
            settle: self.clone(),
            guardian: self.clone(),
            review: Review::Asked,
            effects_count: true,
        });
        let rooms = Rooms {
            sessions: self.clone(),
            approver: self.clone(),
            ledger: self.clone(),
            notices: self.clone(),
            open: OpenPermits::new(self.clone(), self.clone()),
            keep_args: true,
            ask_ttl: SignedDuration::from_mins(5),
        };
        Gate::new(judge, rooms)
    }

    /// The recorded outcomes.
    #[must_use]
    pub fn outcomes(&self) -> Vec<OutcomeRecord> {
        let records = self.records.lock().unwrap();
        records
            .iter()
            .filter_map(|record| match record {
                Record::Outcome(outcome) => Some(outcome.clone()),
                _ => None,
            })
            .collect()
    }
}

/// A call of a shell command in `/workspace`.
#[must_use]
pub fn shell_call(prompt: Prompt) -> ToolCall {
    call_of("shell:execute", "command", "ls", "/workspace", prompt)
}

/// A call with one argument in this folder.
#[must_use]
pub fn call_of(tool: &str, argument: &str, text: &str, cwd: &str, prompt: Prompt) -> ToolCall {
    let caller = Caller {
        principal: Principal { id: "u".into(), groups: Vec::new() },
        session: "s".into(),
        client: Client::Doorward,
        surface: Surface::Library,
        custody: Custody::Bound,
    };
    let place = Workplace {
        cwd: cwd.into(),
        roots: vec![Root { path: cwd.into(), access: RootAccess::Write }],
        outside: OutsideRoots::Strict,
    };
    let settlement = Settlement { mode: PermissionMode::Default, prompt };
    let args = Object::from([(argument.to_owned(), Value::from(text))]);
    let mut call = ToolCall::new(caller, ToolName::new(tool).unwrap(), args, place, settlement);
    call.id = "c1".into();
    call
}

/// An inspected call with only these findings.
#[must_use]
pub fn inspected(call: ToolCall, findings: Vec<Finding>, risk: SecurityRisk) -> Inspected {
    Inspected {
        args_digest: call.args_digest(),
        call,
        effects: Effects::default(),
        findings,
        risk,
        score: risk.band().map(|(from, _)| from),
        classes: BTreeSet::new(),
        session: Arc::new(SessionView::default()),
        session_digest: Digest::of(b""),
        sandbox: SandboxFacts::default(),
        now: Timestamp::UNIX_EPOCH,
    }
}

/// A policy decision.
pub fn policy(decision: Verdict, unsettled: bool) -> PolicyDecision {
    PolicyDecision {
        decision,
        unsettled,
        confirm: (decision == Verdict::Confirm).then(|| Confirm { level: 1, ..Confirm::default() }),
        ..PolicyDecision::deny("policy.test", "test")
    }
}

impl Inspect for FakeRooms {
    fn inspect(&self, call: ToolCall, _: Arc<SessionView>) -> Inspected {
        assert!(self.fault != Fault::InspectPanics, "inspect");
        inspected(call, Vec::new(), SecurityRisk::Low)
    }

    fn final_check(&self, _: &Inspected) -> Result<(), Finding> {
        let again = self.looked.swap(true, Ordering::Relaxed);
        match self.fault {
            Fault::FinalCheck => Err(Finding::new("shell.obfuscated", "changed")),
            Fault::ChangesMeanwhile if again => Err(Finding::new("shell.obfuscated", "changed")),
            _ => Ok(()),
        }
    }

    fn redact(&self, inspected: &Inspected) -> Inspected {
        inspected.clone()
    }

    fn redact_session(&self, session: &SessionView) -> SessionView {
        session.clone()
    }
}

impl Sessions for FakeRooms {
    fn enter<'a>(&'a self, _: &'a ToolCall) -> Boxed<'a, Result<Box<dyn Turn>, Denial>> {
        let turn: Result<Box<dyn Turn>, Denial> = match self.fault {
            Fault::NoTurn => Err(Denial::fault("session.busy", "no turn")),
            _ => Ok(Box::new(FakeTurn)),
        };
        Box::pin(std::future::ready(turn))
    }
}

struct FakeTurn;

impl Turn for FakeTurn {
    fn view(&self) -> Arc<SessionView> {
        Arc::default()
    }

    fn under_way(&mut self, _: &Inspected) {}

    fn settled(&mut self, _: &Case, _: &DecisionId) {}
}

impl Notices for FakeRooms {
    fn reaches(&self, to: &str) -> bool {
        to != "nobody"
    }

    fn tell(&self, notice: Notice) {
        self.told.lock().unwrap().push(notice);
    }
}

impl Outcomes for FakeRooms {
    fn observed(&self, _: &SessionId, _: &DecisionId, outcome: Outcome) {
        self.heard.lock().unwrap().push(outcome);
    }

    fn returned(&self, _: &SessionId, _: &DecisionId, _: &Returned<'_>) {}
}

impl PolicyEngine for FakeRooms {
    fn decide<'a>(
        &'a self,
        _: &'a Inspected,
        _: &'a Assessment,
        _: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision> {
        Box::pin(async {
            assert!(self.fault != Fault::PolicyPanics, "policy");
            let mut decision = policy(self.verdict.unwrap_or(Verdict::Allow), false);
            decision.obligations.clone_from(&self.obligations);
            if let Some(confirm) = &mut decision.confirm {
                confirm.delegable = self.fault == Fault::GuardianPanics;
            }
            decision
        })
    }

    fn bundle(&self) -> String {
        "sha256:0".into()
    }
}

impl Settle for FakeRooms {
    fn settling(&self, _: &Inspected, _: &Assessment) -> Settling {
        Settling {
            mode: PermissionMode::Default,
            verdict: Verdict::Allow,
            code: "mode.test".into(),
            basis: Basis::Mode,
            fixed: false,
            delegate: Vec::new(),
            observed: false,
        }
    }
}

impl Guardian for FakeRooms {
    fn evaluate<'a>(&'a self, _: &'a GuardianContext, _: &'a Inspected) -> Boxed<'a, GuardianEvaluation> {
        Box::pin(async { panic!("nobody asks the guardian here") })
    }
}

impl Approver for FakeRooms {
    fn ask<'a>(&'a self, _: &'a Ask) -> Boxed<'a, Result<(), String>> {
        let put = if self.fault == Fault::ApproverDown { Err("down".into()) } else { Ok(()) };
        Box::pin(std::future::ready(put))
    }

    fn wait<'a>(&'a self, _: &'a QuestionId, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(std::future::ready(Answer::NoApprover))
    }

    fn redeem<'a>(&'a self, _: &'a Binding, _: Severity, _: Timestamp) -> Boxed<'a, Option<Grant>> {
        Box::pin(std::future::ready(None))
    }
}

impl Ledger for FakeRooms {
    fn append(&self, record: Record) -> Boxed<'_, Result<u64, LedgerError>> {
        Box::pin(async move {
            if self.fault == Fault::LedgerFull || self.full.load(Ordering::Relaxed) {
                return Err(LedgerError::Unwritable("No space left on device".into()));
            }
            let mut records = self.records.lock().unwrap();
            records.push(record);
            Ok(u64::try_from(records.len()).unwrap_or(u64::MAX) - 1)
        })
    }

    fn append_with(&self, record: Record, _: Vec<u8>) -> Boxed<'_, Result<u64, LedgerError>> {
        if self.fault == Fault::KeepFails {
            let error = LedgerError::Unwritable("Not a directory".into());
            return Box::pin(std::future::ready(Err(error)));
        }
        self.append(record)
    }

    fn append_later(&self, record: Record, told: Told) {
        let kept = if self.fault == Fault::LedgerFull || self.full.load(Ordering::Relaxed) {
            Err(LedgerError::Unwritable("No space left on device".into()))
        } else {
            let mut records = self.records.lock().unwrap();
            records.push(record);
            Ok(u64::try_from(records.len()).unwrap_or(u64::MAX) - 1)
        };
        told(kept);
    }

    fn is_writable(&self) -> bool {
        self.fault != Fault::LedgerFull
    }
}
