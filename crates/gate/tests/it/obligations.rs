//! Each holder × obligation: met, or denied before a permit exists.

use doorward_core::Tier;
use doorward_core::call::{Custody, Prompt, Surface, ToolCall};
use doorward_core::decision::Obligation;
use doorward_gate::{Admission, Holder};
use doorward_testing::{FakeRooms, shell_call};
use jiff::Timestamp;

fn carried_out_by(holder: Holder) -> ToolCall {
    let (custody, surface, rewrites) = match holder {
        Holder::Bound => (Custody::Bound, Surface::Hook, true),
        Holder::Relayed => (Custody::Relayed, Surface::Mcp, false),
        Holder::RewritingClient => (Custody::Advised, Surface::Hook, true),
        Holder::Client => (Custody::Advised, Surface::Hook, false),
        Holder::Caller => (Custody::Advised, Surface::Http, false),
        Holder::Embedder => (Custody::Advised, Surface::Library, false),
    };
    let mut call = shell_call(Prompt::None);
    (call.custody, call.surface, call.rewrites) = (custody, surface, rewrites);
    call
}

fn obligations() -> [Obligation; 7] {
    [
        Obligation::LogOutput,
        Obligation::RedactOutput,
        Obligation::Sandbox { min_tier: Tier::Full, wall_s: None, memory_mb: None, hosts: None },
        Obligation::Notify { to: "ops".into(), body: None },
        Obligation::Notify { to: "nobody".into(), body: None },
        Obligation::RewriteArgs,
        Obligation::Expires { at: Timestamp::MAX },
    ]
}

#[tokio::test]
async fn every_holder_meets_what_the_table_says_and_nothing_else() {
    // log_output, redact_output, sandbox, notify, notify to nobody, rewrite_args, expires
    let table = [
        (Holder::Bound, [true, true, true, true, false, true, true]),
        (Holder::Relayed, [true, true, false, true, false, true, true]),
        (Holder::RewritingClient, [true, false, false, true, false, true, true]),
        (Holder::Client, [true, false, false, true, false, false, true]),
        (Holder::Caller, [true, false, false, true, false, false, true]),
        (Holder::Embedder, [true, true, true, true, false, true, true]),
    ];
    assert_eq!(table.len(), Holder::ALL.len());
    for (holder, row) in table {
        for (owed, met) in obligations().into_iter().zip(row) {
            let rooms = FakeRooms::owing(std::slice::from_ref(&owed));
            let call = carried_out_by(holder);
            assert_eq!(Holder::of(&call), holder);
            match rooms.gate().admit(call).await {
                Admission::Admitted(permit) => {
                    assert!(met, "{holder:?} was trusted with {owed:?}");
                    permit.withdraw().await.unwrap();
                }
                Admission::Denied(denial) => {
                    assert!(!met, "{holder:?}, {owed:?}: {}", denial.reason);
                    assert_eq!(denial.code, "obligation.unmet");
                }
                Admission::Pending(pending) => panic!("{pending:?}"),
            }
            let told = rooms.told.lock().unwrap().len();
            assert_eq!(
                told,
                usize::from(met && matches!(owed, Obligation::Notify { .. })),
                "{holder:?} {owed:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_caller_meets_what_the_settings_trust_it_with() {
    for owed in [Obligation::RedactOutput, Obligation::RewriteArgs] {
        let rooms = FakeRooms::owing(std::slice::from_ref(&owed));
        let mut call = carried_out_by(Holder::Caller);
        call.vouched = vec![owed.name().to_owned()];
        assert!(matches!(rooms.gate().admit(call).await, Admission::Admitted(_)), "{owed:?}");
    }
    let rooms = FakeRooms::owing(&[Obligation::RedactOutput]);
    let Admission::Denied(denial) = rooms.gate().admit(carried_out_by(Holder::Caller)).await else {
        panic!()
    };
    assert!(
        denial.reason.contains("MCP gateway") && denial.reason.contains("redact_output"),
        "{}",
        denial.reason
    );
}
