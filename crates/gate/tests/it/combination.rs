//! The combination of sources, modes and risks, and the result when a stage fails.

use doorward_core::approval::{Grant, Presence, Reach};
use doorward_core::assessment::{AnalyzerVerdict, Assessment};
use doorward_core::call::Prompt;
use doorward_core::decision::{Basis, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{GuardianDecision, GuardianEvaluation, GuardianStatus};
use doorward_core::finding::{Finding, Severity};
use doorward_core::id::Digest;
use doorward_core::mode::PermissionMode;
use doorward_core::record::Outcome;
use doorward_core::risk::SecurityRisk;
use doorward_gate::{Admission, Done, Evidence, Settling, Silence, combine, with_guardian, without_prompt};
use doorward_testing::{FakeRooms, Fault, policy, shell_call as call};
use jiff::Timestamp;

fn inspected(findings: Vec<Finding>, risk: SecurityRisk) -> Inspected {
    doorward_testing::inspected(call(Prompt::Queue), findings, risk)
}

/// The combined answer of mode and confirmation policy; their combination is tested in `policy`.
fn settling(mode: PermissionMode, default: Verdict, confirm_risk: bool) -> Settling {
    let by_risk = confirm_risk && default != Verdict::Deny && mode != PermissionMode::BypassPermissions;
    Settling {
        mode,
        verdict: if by_risk { Verdict::Confirm } else { default },
        code: "mode.test".into(),
        basis: if by_risk { Basis::Risk } else { Basis::Mode },
        fixed: mode == PermissionMode::Plan && default == Verdict::Deny,
        delegate: vec![],
        observed: false,
    }
}

fn assessment(risk: SecurityRisk) -> Assessment {
    Assessment::fuse(vec![AnalyzerVerdict {
        analyzer: "effects".into(),
        risk,
        score: None,
        mandatory: true,
        applies: true,
        findings: vec![],
        detail: String::new(),
    }])
}

/// Source of the verdict × mode × risk → verdict and basis, for every source, mode and risk.
#[test]
fn sources_modes_and_risks_combine_as_the_design_says() {
    use PermissionMode::{BypassPermissions, Default, DontAsk, Plan};
    use SecurityRisk::{High, Low, Unknown};
    use Verdict::{Allow, Confirm, Deny};
    let floor = || vec![Finding::new("net.metadata", "metadata")];
    let critical = || vec![Finding::new("shell.delete_much", "x")];
    // A bounded loss of a few files: an allow rule for exactly that settles it.
    let bounded = || vec![Finding { severity: Severity::Critical, ..Finding::new("shell.delete", "x") }];

    for mode in PermissionMode::ALL {
        for risk in SecurityRisk::ALL {
            let bypass = mode == BypassPermissions;
            // (name, findings, policy, mode default, verdict, basis)
            let mut rows = vec![
                ("floor over an allow rule", floor(), policy(Allow, false), Allow, Deny, Basis::Finding),
                ("floor over the mode", floor(), policy(Allow, true), Allow, Deny, Basis::Finding),
                ("deny rule", vec![], policy(Deny, false), Allow, Deny, Basis::Rule),
                (
                    "critical finding over an allow rule",
                    critical(),
                    policy(Allow, false),
                    Allow,
                    Confirm,
                    Basis::Finding,
                ),
                (
                    "a bounded loss under an allow rule",
                    bounded(),
                    policy(Allow, false),
                    Allow,
                    Allow,
                    Basis::Rule,
                ),
                ("mode denies what no rule settles", vec![], policy(Allow, true), Deny, Deny, Basis::Mode),
            ];
            if mode == Plan {
                rows.push((
                    "plan's denial over an allow rule",
                    vec![],
                    policy(Allow, false),
                    Deny,
                    Deny,
                    Basis::Mode,
                ));
                rows.push((
                    "plan's denial over a confirm rule",
                    vec![],
                    policy(Confirm, false),
                    Deny,
                    Deny,
                    Basis::Mode,
                ));
            } else {
                rows.push((
                    "allow rule over the mode's denial",
                    vec![],
                    policy(Allow, false),
                    Deny,
                    Allow,
                    Basis::Rule,
                ));
                rows.push(("confirm rule", vec![], policy(Confirm, false), Allow, Confirm, Basis::Rule));
            }
            rows.push((
                "allow rule over the mode's question",
                vec![],
                policy(Allow, false),
                Confirm,
                Allow,
                Basis::Rule,
            ));
            let asks_for_risk = matches!(risk, High | Unknown);
            let by_risk = match (bypass, risk) {
                (true, _) => (Allow, Basis::Mode),
                (false, High | Unknown) => (Confirm, Basis::Risk),
                _ => (Allow, Basis::Mode),
            };
            rows.push((
                "nothing settles, mode allows",
                vec![],
                policy(Allow, true),
                Allow,
                by_risk.0,
                by_risk.1,
            ));
            for (name, findings, policy, default, verdict, basis) in rows {
                let inspected = inspected(findings, risk);
                let assessment = assessment(risk);
                let settling = settling(mode, default, asks_for_risk);
                let decision = combine(Evidence {
                    inspected: &inspected,
                    assessment: &assessment,
                    policy: &policy,
                    settling: &settling,
                    grant: None,
                });
                assert_eq!(
                    (decision.verdict, decision.basis),
                    (verdict, basis),
                    "{name} in {mode} at {risk}"
                );
            }
        }
    }

    // A mode's question has its own basis, so that a client with modes of its own doesn't ask twice.
    let decision = combine(Evidence {
        inspected: &inspected(vec![], Low),
        assessment: &assessment(Low),
        policy: &policy(Allow, true),
        settling: &settling(Default, Confirm, false),
        grant: None,
    });
    assert_eq!((decision.verdict, decision.basis), (Confirm, Basis::Mode));

    // dontAsk turns a confirm from any source into a denial with its own code.
    for (policy, confirm_risk) in [(policy(Confirm, false), false), (policy(Allow, true), true)] {
        let decision = combine(Evidence {
            inspected: &inspected(vec![], High),
            assessment: &assessment(High),
            policy: &policy,
            settling: &settling(DontAsk, Allow, confirm_risk),
            grant: None,
        });
        let decision = without_prompt(decision, DontAsk, Prompt::Queue);
        assert_eq!((decision.verdict, decision.code.as_str()), (Deny, "mode.dont_ask"));
    }
}

#[test]
fn a_guardian_only_tightens_but_for_what_was_delegated() {
    use GuardianDecision::{Approve, Deny as No, PromptUser};
    use Verdict::{Allow, Confirm, Deny};
    for (before, delegable, says, after) in [
        (Deny, false, Approve, Deny),
        (Confirm, false, Approve, Confirm),
        (Confirm, true, Approve, Allow),
        (Confirm, true, PromptUser, Confirm),
        (Confirm, true, No, Deny),
        (Allow, false, Approve, Allow),
        (Allow, false, PromptUser, Confirm),
        (Allow, false, No, Deny),
    ] {
        let mut decision = combine(Evidence {
            inspected: &inspected(vec![], SecurityRisk::Low),
            assessment: &assessment(SecurityRisk::Low),
            policy: &policy(before, false),
            settling: &settling(PermissionMode::Default, Allow, false),
            grant: None,
        });
        if let Some(confirm) = &mut decision.confirm {
            confirm.delegable = delegable;
        }
        let evaluation = GuardianEvaluation {
            decision: says,
            ..GuardianEvaluation::fault(GuardianStatus::Evaluated, "why")
        };
        let decision = with_guardian(decision, &evaluation);
        assert_eq!(decision.verdict, after, "{before:?} {delegable} {says:?}");
    }
}

#[test]
fn a_critical_warning_needs_the_typed_phrase_and_a_mere_yes_does_not_settle_it() {
    let inspected = inspected(vec![Finding::new("shell.delete_much", "x")], SecurityRisk::High);
    let grant = |level| Grant {
        nonce: "n".into(),
        binding: doorward_testing::binding(),
        level,
        by: "alice".into(),
        by_groups: vec![],
        presence: Presence::Terminal,
        at: Timestamp::UNIX_EPOCH,
        expires: Timestamp::UNIX_EPOCH,
        reach: Reach::Once,
        uses_left: Some(1),
    };
    for (level, verdict) in [(1, Verdict::Confirm), (2, Verdict::Allow)] {
        let grant = grant(level);
        let decision = combine(Evidence {
            inspected: &inspected,
            assessment: &assessment(SecurityRisk::High),
            policy: &policy(Verdict::Allow, true),
            settling: &settling(PermissionMode::Default, Verdict::Confirm, true),
            grant: Some(&grant),
        });
        assert_eq!(decision.verdict, verdict, "level {level}");
        if verdict == Verdict::Confirm {
            assert_eq!(decision.confirm.unwrap().phrase.as_deref(), Some("I confirm"));
        }
    }
}

fn gate(fault: Fault, verdict: Verdict) -> (doorward_gate::Gate, std::sync::Arc<FakeRooms>) {
    let rooms = FakeRooms::saying(verdict, fault);
    (rooms.gate(), rooms)
}

#[tokio::test]
async fn every_fault_is_a_denial_with_its_own_code() {
    for (fault, verdict, code) in [
        (Fault::NoTurn, Verdict::Allow, "session.busy"),
        (Fault::InspectPanics, Verdict::Allow, "internal.panic"),
        (Fault::PolicyPanics, Verdict::Allow, "internal.panic"),
        (Fault::LedgerFull, Verdict::Allow, "ledger.unwritable"),
        (Fault::LedgerFull, Verdict::Confirm, "ledger.unwritable"),
        (Fault::KeepFails, Verdict::Allow, "ledger.unwritable"),
        (Fault::KeepFails, Verdict::Confirm, "ledger.unwritable"),
        (Fault::FinalCheck, Verdict::Allow, "shell.obfuscated"),
        (Fault::ApproverDown, Verdict::Confirm, "approval.error"),
        (Fault::GuardianPanics, Verdict::Confirm, "guardian.unavailable"),
    ] {
        let (gate, _) = gate(fault, verdict);
        match gate.admit(call(Prompt::Queue)).await {
            Admission::Denied(denial) => assert_eq!(denial.code, code),
            other => panic!("{code}: {other:?}"),
        }
        assert!(gate.open().is_empty(), "{code}: no permit may be open");
    }
}

#[tokio::test]
async fn headless_confirms_are_denials_named_as_such() {
    let (gate, _) = gate(Fault::None, Verdict::Confirm);
    match gate.admit(call(Prompt::None)).await {
        Admission::Denied(denial) => assert_eq!(denial.code, "no_approver"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(gate.admit(call(Prompt::Queue)).await, Admission::Pending(_)));
}

#[tokio::test]
async fn every_permit_gets_exactly_one_outcome() {
    let (gate, room) = gate(Fault::None, Verdict::Allow);
    let admitted = async || match gate.admit(call(Prompt::Queue)).await {
        Admission::Admitted(permit) => permit,
        other => panic!("{other:?}"),
    };
    let outcomes = || room.outcomes().iter().map(|outcome| outcome.outcome).collect::<Vec<_>>();

    // Bound: the executor closes it.
    let (sealed, _, duty) = admitted().await.redeem().unwrap();
    assert_eq!(sealed.call().arg("command"), Some("ls"));
    duty.close(Outcome::Ran, Done::default()).await.unwrap();
    assert_eq!(outcomes(), [Outcome::Ran]);

    // Advised: the after-event closes it, once; an event of another session closes nothing.
    let id = admitted().await.hand_over();
    let observe = async |session: &str| {
        gate.open()
            .observe(&session.into(), Some(&"c1".into()), &Digest::of(b""), Outcome::Failed, Done::default())
            .await
            .unwrap()
    };
    assert_eq!(observe("other").await, None);
    assert_eq!(observe("s").await, Some(id));
    assert_eq!(observe("s").await, None);
    assert_eq!(outcomes(), [Outcome::Ran, Outcome::Failed]);

    // The client's own dialog: Doorward gives no permit, but an event that the call ran counts as approval and
    // outcome.
    let (asking, asked) = self::gate(Fault::None, Verdict::Confirm);
    assert!(matches!(asking.admit(call(Prompt::Client)).await, Admission::Pending(_)));
    let ran = asking
        .open()
        .observe(&"s".into(), Some(&"c1".into()), &Digest::of(b""), Outcome::Ran, Done::default())
        .await
        .unwrap();
    assert!(ran.is_some() && asking.open().is_empty());
    let kinds: Vec<_> = asked.records.lock().unwrap().iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 3, "decision, answered approval, outcome");

    // Dropping a permit doesn't close it; the end of the session does.
    drop(admitted().await);
    let _ = admitted().await.hand_over();
    assert_eq!(gate.open().len(), 2);
    assert_eq!(gate.open().end_session(&"s".into(), |_| Silence::SaidRefused).await.unwrap(), 2);
    let mut last = outcomes().split_off(2);
    last.sort_by_key(|outcome| format!("{outcome:?}"));
    assert_eq!(last, [Outcome::Abandoned, Outcome::Unobserved]);
}

#[tokio::test]
async fn an_end_that_could_not_be_recorded_is_recorded_later_as_what_it_was() {
    let (gate, room) = gate(Fault::None, Verdict::Allow);
    let duty = async || match gate.admit(call(Prompt::Queue)).await {
        Admission::Admitted(permit) => permit.redeem().unwrap().2,
        other => panic!("{other:?}"),
    };
    let done = || Done { bytes: 7, ..Done::default() };
    let told = || room.outcomes().iter().map(|outcome| (outcome.outcome, outcome.bytes)).collect::<Vec<_>>();
    let full = |full: bool| room.full.store(full, std::sync::atomic::Ordering::Relaxed);

    duty().await.close_soon(Outcome::Ran, done()).await.unwrap();
    assert_eq!(told(), [(Outcome::Ran, 7)]);
    assert_eq!(*room.heard.lock().unwrap(), [Outcome::Ran], "the session hears at once");

    let (later, waited) = (duty().await, duty().await);
    full(true);
    later.close_soon(Outcome::Failed, done()).await.unwrap();
    assert_eq!(room.heard.lock().unwrap().last(), Some(&Outcome::Failed), "with or without a record");
    assert!(waited.close(Outcome::Ran, done()).await.is_err());
    assert_eq!((gate.open().len(), told().len()), (2, 1), "both are open again");
    assert!(gate.open().sweep(Timestamp::now()).await.is_err());
    full(false);
    assert_eq!(gate.open().sweep(Timestamp::now()).await.unwrap(), 2);
    let mut last = told().split_off(1);
    last.sort_by_key(|(outcome, _)| format!("{outcome:?}"));
    assert_eq!(last, [(Outcome::Failed, 7), (Outcome::Ran, 7)], "as they ended, and not as abandoned");
    assert!(gate.open().is_empty());
}
