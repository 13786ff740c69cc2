//! The executor with real permits: a gate admits, the sandbox runs what the permit owns, the outcome is recorded.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::call::{Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Surface, ToolCall};
use doorward_core::decision::{Basis, Decision, Obligation, PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::{Effects, Inspected, SandboxFacts};
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation};
use doorward_core::finding::Finding;
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::record::{Ledger, LedgerError, Outcome, OutcomeRecord, Record};
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};
use doorward_core::{Boxed, Tier};
use doorward_gate::{Admission, Gate, Inspect, Permit, Rooms, Sessions, Settle, Settling};
use jiff::{SignedDuration, Timestamp};

use super::Workspace;
use crate::{Engine, Finished, Manner, NotRun, Sandbox};

/// A gate's rooms that say yes to everything, with these obligations.
#[derive(Default)]
struct Rules {
    obligations: Vec<Obligation>,
    /// Something changes between the decision's final check and the executor's.
    changes_meanwhile: bool,
    looked: AtomicBool,
    records: Mutex<Vec<Record>>,
    appended: AtomicU64,
}

impl Inspect for Rules {
    fn inspect(&self, call: &ToolCall, _: &SessionView) -> Inspected {
        Inspected {
            args_digest: call.args_digest(),
            call: call.clone(),
            effects: Effects::default(),
            findings: Vec::new(),
            risk: SecurityRisk::Low,
            score: Some(0),
            classes: BTreeSet::new(),
            session: SessionView::default(),
            sandbox: SandboxFacts::default(),
            now: Timestamp::UNIX_EPOCH,
        }
    }

    fn final_check(&self, _: &ToolCall, _: &Inspected) -> Result<(), Finding> {
        let again = self.looked.swap(true, Ordering::Relaxed);
        if self.changes_meanwhile && again {
            Err(Finding::new("shell.obfuscated", "changed"))
        } else {
            Ok(())
        }
    }

    fn redact(&self, inspected: &Inspected) -> Inspected {
        inspected.clone()
    }
}

impl Sessions for Rules {
    fn view(&self, _: &ToolCall) -> SessionView {
        SessionView::default()
    }

    fn settled(&self, _: &Inspected, _: &Decision) {}
}

impl PolicyEngine for Rules {
    fn decide<'a>(
        &'a self,
        _: &'a Inspected,
        _: &'a Assessment,
        _: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision> {
        let allowed = PolicyDecision {
            decision: Verdict::Allow,
            obligations: self.obligations.clone(),
            ..PolicyDecision::deny("policy.test", "test")
        };
        Box::pin(async { allowed })
    }

    fn bundle(&self) -> String {
        "sha256:0".to_owned()
    }
}

impl Settle for Rules {
    fn settling(&self, _: &Inspected, _: &Assessment) -> Settling {
        Settling {
            mode: PermissionMode::Default,
            verdict: Verdict::Allow,
            code: "mode.test".into(),
            basis: Basis::Mode,
            fixed: false,
            delegate: Vec::new(),
        }
    }
}

impl Guardian for Rules {
    fn evaluate<'a>(&'a self, _: &'a GuardianContext, _: &'a Inspected) -> Boxed<'a, GuardianEvaluation> {
        Box::pin(async { panic!("nobody asks the guardian here") })
    }
}

impl Approver for Rules {
    fn ask<'a>(&'a self, _: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

    fn wait<'a>(&'a self, _: &'a str, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(async { Answer::NoApprover })
    }

    fn redeem<'a>(
        &'a self,
        _: &'a Binding,
        _: doorward_core::finding::Severity,
        _: Timestamp,
    ) -> Boxed<'a, Option<Grant>> {
        Box::pin(async { None })
    }
}

impl Ledger for Rules {
    fn append(&self, record: Record) -> Boxed<'_, Result<u64, LedgerError>> {
        Box::pin(async move {
            self.records.lock().unwrap().push(record);
            Ok(self.appended.fetch_add(1, Ordering::Relaxed))
        })
    }
}

/// Nothing in these rooms waits for anything.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}

impl Rules {
    fn owing(obligations: &[Obligation]) -> Arc<Self> {
        Arc::new(Self { obligations: obligations.to_vec(), ..Self::default() })
    }

    fn permit(self: &Arc<Self>, work: &Workspace, tool: &str, argument: &str, text: &str) -> Permit {
        let cwd = work.path().display().to_string();
        let call = ToolCall {
            id: "c1".into(),
            principal: Principal { id: "u".into(), groups: Vec::new() },
            session: "s".into(),
            agent: None,
            workflow: None,
            client: Client::Doorward,
            surface: Surface::Library,
            custody: Custody::Bound,
            tool: ToolName::new(tool).unwrap(),
            action: "tool:execute".into(),
            args: Object::from([(argument.to_owned(), Value::from(text))]),
            roots: vec![Root { path: cwd.clone(), access: RootAccess::Write }],
            cwd,
            outside: OutsideRoots::Strict,
            mode: PermissionMode::Default,
            prompt: Prompt::None,
            context: Object::new(),
            deadline: None,
        };
        let gate = Gate::new(Rooms {
            inspect: self.clone(),
            sessions: self.clone(),
            analyzers: Vec::new(),
            policy: self.clone(),
            settle: self.clone(),
            guardian: self.clone(),
            review_all: false,
            approver: self.clone(),
            ledger: self.clone(),
            keep_args: true,
            ask_ttl: SignedDuration::from_mins(5),
        });
        match block_on(gate.admit(call)) {
            Admission::Admitted(permit) => permit,
            other => panic!("{other:?}"),
        }
    }

    /// Runs a shell command by a permit of its own and records what became of it.
    fn run(
        self: &Arc<Self>,
        work: &Workspace,
        command: &str,
        manner: Manner,
    ) -> (Result<Finished, Box<NotRun>>, String) {
        let permit = self.permit(work, "shell:execute", "command", command);
        let decision = permit.decision().as_str().to_owned();
        (Sandbox::new(Engine::new()).run(permit, manner, None), decision)
    }

    fn outcome(&self) -> OutcomeRecord {
        let records = self.records.lock().unwrap();
        match records.last() {
            Some(Record::Outcome(outcome)) => outcome.clone(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_the_permit_owns_runs_and_its_outcome_is_recorded() {
    let work = Workspace::new();
    let rules = Rules::owing(&[]);
    let (ran, decision) = rules.run(&work, "echo kept > file; pwd; exit 3", Manner::default());
    let finished = ran.unwrap();
    assert_eq!(String::from_utf8_lossy(&finished.report.stdout).trim(), work.path().display().to_string());
    assert_eq!(std::fs::read_to_string(work.path().join("file")).unwrap(), "kept\n");
    block_on(finished.owed.close(&*rules)).unwrap();
    let outcome = rules.outcome();
    assert_eq!((outcome.of, outcome.outcome, outcome.exit), (decision, Outcome::Failed, Some(3)));
    let detail = serde_json::to_value(outcome.detail.unwrap()).unwrap();
    assert_eq!(detail["tier"], "full");
    assert!(detail["ruleset"].as_str().unwrap().starts_with("sha256:"), "{detail}");
    assert!(detail["limits"]["memory_by"].is_string(), "{detail}");
    assert_eq!(outcome.bytes, finished.report.stdout_bytes);
}

#[test]
fn obligations_tighten_and_are_recorded_as_met() {
    let work = Workspace::new();
    let bounds = Obligation::Sandbox { min_tier: Tier::Full, wall_s: Some(1), memory_mb: Some(64) };
    let later = Obligation::Expires { at: Timestamp::now() + SignedDuration::from_hours(1) };
    let rules = Rules::owing(&[bounds, later]);
    // The caller would be content with less.
    let loose = Manner { min_tier: Tier::None, ..Manner::default() };
    let finished = rules.run(&work, "sleep 25", loose).0.unwrap();
    assert_eq!(finished.report.tier, Tier::Full);
    assert_eq!(finished.report.limits.limits.memory, 64 << 20);
    block_on(finished.owed.close(&*rules)).unwrap();
    let outcome = rules.outcome();
    assert_eq!((outcome.outcome, outcome.limits_hit), (Outcome::Killed, vec!["wall".to_owned()]));
    assert!(outcome.obligations.iter().all(|met| met.done) && outcome.obligations.len() == 2);
}

#[test]
fn what_cant_be_met_is_refused_and_the_refusal_recorded() {
    let past = Obligation::Expires { at: Timestamp::now() - SignedDuration::from_secs(1) };
    let changed = Arc::new(Rules { changes_meanwhile: true, ..Rules::default() });
    for (rules, code) in [
        (Rules::owing(&[Obligation::RedactOutput]), "obligation.unmet"),
        (Rules::owing(&[Obligation::RewriteArgs]), "obligation.unmet"),
        (Rules::owing(&[past]), "obligation.expired"),
        (changed, "shell.obfuscated"),
    ] {
        let work = Workspace::new();
        let refused = rules.run(&work, "touch ran", Manner::default()).0.unwrap_err();
        assert_eq!(refused.code, code);
        assert!(!work.path().join("ran").exists(), "{code}");
        block_on(refused.owed.close(&*rules)).unwrap();
        assert_eq!(rules.outcome().outcome, Outcome::Refused, "{code}");
    }
    // What the caller says it meets itself is its own affair.
    let work = Workspace::new();
    let rules = Rules::owing(&[Obligation::RedactOutput]);
    let manner = Manner { met_outside: vec!["redact_output"], ..Manner::default() };
    let finished = rules.run(&work, "touch ran", manner).0.unwrap();
    assert!(work.path().join("ran").exists());
    block_on(finished.owed.close(&*rules)).unwrap();
}

#[test]
fn a_tier_that_cant_be_had_is_a_refusal_with_everything_missing() {
    std::thread::spawn(|| {
        super::features::without(&[(libc::SYS_clone, Some(libc::CLONE_NEWUSER))], libc::EPERM);
        let work = Workspace::new();
        let full = Obligation::Sandbox { min_tier: Tier::Full, wall_s: None, memory_mb: None };
        let rules = Rules::owing(&[full]);
        let loose = Manner { min_tier: Tier::None, ..Manner::default() };
        let refused = rules.run(&work, "touch ran", loose).0.unwrap_err();
        assert_eq!(refused.code, "sandbox.tier_unavailable");
        assert!(
            refused.reason.contains("userns") && refused.reason.contains("restricted"),
            "{}",
            refused.reason
        );
        assert!(!work.path().join("ran").exists(), "could not be bounded, and ran");
        block_on(refused.owed.close(&*rules)).unwrap();
        assert_eq!(rules.outcome().outcome, Outcome::Refused);
    })
    .join()
    .unwrap();
}

#[test]
fn only_tools_that_are_programs_run() {
    let work = Workspace::new();
    let rules = Rules::owing(&[]);
    let permit = rules.permit(&work, "fs:write", "path", "x");
    let refused = Sandbox::default().run(permit, Manner::default(), None).unwrap_err();
    assert_eq!(refused.code, "sandbox.not_runnable");
    block_on(refused.owed.close(&*rules)).unwrap();
    let permit = rules.permit(&work, "perl:execute", "code", "print 6 * 7");
    let finished = Sandbox::default().run(permit, Manner::default(), None).unwrap();
    assert_eq!(finished.report.stdout, b"42", "{}", String::from_utf8_lossy(&finished.report.stderr));
    block_on(finished.owed.close(&*rules)).unwrap();
}
