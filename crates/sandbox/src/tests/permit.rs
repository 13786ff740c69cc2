//! The executor with real permits: a gate admits, the sandbox runs the permit's call, the outcome is recorded.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use doorward_core::Tier;
use doorward_core::call::Prompt;
use doorward_core::decision::{Obligation, Verdict};
use doorward_core::id::DecisionId;
use doorward_core::record::{Outcome, OutcomeRecord};
use doorward_gate::{Admission, Permit};
use doorward_testing::{FakeRooms, Fault, call_of};
use jiff::{SignedDuration, Timestamp};

use super::Workspace;
use crate::{Engine, Finished, Manner, NotRun, Sandbox};

/// No future in these tests is ever pending.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}

fn permit(rooms: &Arc<FakeRooms>, work: &Workspace, tool: &str, argument: &str, text: &str) -> Permit {
    let cwd = work.path().display().to_string();
    match block_on(rooms.gate().admit(call_of(tool, argument, text, &cwd, Prompt::None))) {
        Admission::Admitted(permit) => permit,
        other => panic!("{other:?}"),
    }
}

/// Runs a shell command with a permit of its own and records its outcome.
fn run(
    rooms: &Arc<FakeRooms>,
    work: &Workspace,
    command: &str,
    manner: Manner,
) -> (Result<Finished, Box<NotRun>>, DecisionId) {
    let permit = permit(rooms, work, "shell:execute", "command", command);
    let decision = permit.decision().clone();
    (Sandbox::new(Engine::new()).run(permit, manner, None), decision)
}

fn outcome(rooms: &FakeRooms) -> OutcomeRecord {
    rooms.outcomes().pop().unwrap()
}

#[test]
fn what_the_permit_owns_runs_and_its_outcome_is_recorded() {
    let work = Workspace::new();
    let rules = FakeRooms::owing(&[]);
    let (ran, decision) = run(&rules, &work, "echo kept > file; pwd; exit 3", Manner::default());
    let finished = ran.unwrap();
    assert_eq!(String::from_utf8_lossy(&finished.report.stdout).trim(), work.path().display().to_string());
    assert_eq!(std::fs::read_to_string(work.path().join("file")).unwrap(), "kept\n");
    block_on(finished.owed.close()).unwrap();
    let outcome = outcome(&rules);
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
    let bounds =
        Obligation::Sandbox { min_tier: Tier::Full, wall_s: Some(1), memory_mb: Some(64), hosts: None };
    let later = Obligation::Expires { at: Timestamp::now() + SignedDuration::from_hours(1) };
    let rules = FakeRooms::owing(&[bounds, later]);
    // The caller would accept a lower tier.
    let loose = Manner { min_tier: Tier::None, ..Manner::default() };
    let finished = run(&rules, &work, "sleep 25", loose).0.unwrap();
    assert_eq!(finished.report.tier, Tier::Full);
    assert_eq!(finished.report.limits.limits.memory, 64 << 20);
    block_on(finished.owed.close()).unwrap();
    let outcome = outcome(&rules);
    assert_eq!((outcome.outcome, outcome.limits_hit), (Outcome::Killed, vec!["wall".to_owned()]));
    assert!(outcome.obligations.iter().all(|met| met.done) && outcome.obligations.len() == 2);
}

#[test]
fn what_cant_be_met_is_refused_and_the_refusal_recorded() {
    let past = Obligation::Expires { at: Timestamp::now() - SignedDuration::from_secs(1) };
    let changed = FakeRooms::saying(Verdict::Allow, Fault::ChangesMeanwhile);
    for (rules, code) in [
        (FakeRooms::owing(&[Obligation::RedactOutput]), "obligation.unmet"),
        (FakeRooms::owing(&[Obligation::RewriteArgs]), "obligation.unmet"),
        (FakeRooms::owing(&[past]), "obligation.expired"),
        (changed, "shell.obfuscated"),
    ] {
        let work = Workspace::new();
        let refused = run(&rules, &work, "touch ran", Manner::default()).0.unwrap_err();
        assert_eq!(refused.code, code);
        assert!(!work.path().join("ran").exists(), "{code}");
        block_on(refused.owed.close()).unwrap();
        assert_eq!(outcome(&rules).outcome, Outcome::Refused, "{code}");
    }
    // Obligations that the caller declares as its own aren't checked here.
    let work = Workspace::new();
    let rules = FakeRooms::owing(&[Obligation::RedactOutput]);
    let manner = Manner { met_outside: vec!["redact_output"], ..Manner::default() };
    let finished = run(&rules, &work, "touch ran", manner).0.unwrap();
    assert!(work.path().join("ran").exists());
    block_on(finished.owed.close()).unwrap();
}

#[test]
fn a_tier_that_cant_be_had_is_a_refusal_with_everything_missing() {
    std::thread::spawn(|| {
        super::features::without(&[(libc::SYS_clone, Some(libc::CLONE_NEWUSER))], libc::EPERM);
        let work = Workspace::new();
        let full = Obligation::Sandbox { min_tier: Tier::Full, wall_s: None, memory_mb: None, hosts: None };
        let rules = FakeRooms::owing(&[full]);
        let loose = Manner { min_tier: Tier::None, ..Manner::default() };
        let refused = run(&rules, &work, "touch ran", loose).0.unwrap_err();
        assert_eq!(refused.code, "sandbox.tier_unavailable");
        assert!(
            refused.reason.contains("userns") && refused.reason.contains("restricted"),
            "{}",
            refused.reason
        );
        assert!(!work.path().join("ran").exists(), "could not be bounded, and ran");
        block_on(refused.owed.close()).unwrap();
        assert_eq!(outcome(&rules).outcome, Outcome::Refused);
    })
    .join()
    .unwrap();
}

#[test]
fn only_tools_that_are_programs_run() {
    let work = Workspace::new();
    let rules = FakeRooms::owing(&[]);
    let asked = permit(&rules, &work, "fs:write", "path", "x");
    let refused = Sandbox::default().run(asked, Manner::default(), None).unwrap_err();
    assert_eq!(refused.code, "sandbox.not_runnable");
    block_on(refused.owed.close()).unwrap();
    let asked = permit(&rules, &work, "perl:execute", "code", "print 6 * 7");
    let finished = Sandbox::default().run(asked, Manner::default(), None).unwrap();
    assert_eq!(finished.report.stdout, b"42", "{}", String::from_utf8_lossy(&finished.report.stderr));
    block_on(finished.owed.close()).unwrap();
}
