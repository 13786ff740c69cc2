//! Exported records are well-formed and complete, and can't be read as more than one event.

use crate::common::decision;
use doorward_core::id::RecordId;
use doorward_core::record::{
    ApprovalEvent, ApprovalRecord, Outcome, OutcomeRecord, Record, UserDecision, UserSummary,
};
use doorward_core::{Custody, Presence, SecurityRisk, ToolClass, Verdict};
use doorward_ledger::export;
use serde_json::Value;

fn record(change: impl FnOnce(&mut doorward_core::record::DecisionRecord)) -> Record {
    let mut record = decision(Verdict::Deny, Custody::Bound);
    change(&mut record);
    Record::Decision(Box::new(record))
}

/// Checks the fields that OCSF 1.8.0 requires of API Activity with the profile `security_control`.
fn check(event: &Value) {
    let among = |path: &str, values: &[u64]| {
        let found = event.pointer(path).and_then(Value::as_u64);
        assert!(found.is_some_and(|found| values.contains(&found)), "{path}: {found:?} in {event}");
    };
    among("/class_uid", &[6003]);
    among("/category_uid", &[6]);
    among("/activity_id", &[0, 1, 2, 3, 4, 99]);
    among("/severity_id", &[0, 1, 2, 3, 4, 5, 6, 99]);
    among("/status_id", &[0, 1, 2, 99]);
    among("/action_id", &[0, 1, 2, 3, 4, 99]);
    among("/disposition_id", &[1, 2, 8, 14, 17, 24, 25, 27]);
    assert_eq!(event["type_uid"].as_u64(), event["activity_id"].as_u64().map(|id| 600_300 + id));
    assert!(event["time"].as_i64().is_some_and(|time| time > 1_600_000_000_000));
    for path in [
        "/actor",
        "/api/operation",
        "/src_endpoint/name",
        "/metadata/version",
        "/metadata/product/vendor_name",
        "/metadata/uid",
    ] {
        assert!(
            event.pointer(path).is_some_and(|value| !value.is_null() && value != ""),
            "{path} in {event}"
        );
    }
    assert!(
        event["actor"]["user"].is_object() || event["actor"]["app_name"].is_string(),
        "actor needs one of its parts"
    );
}

#[test]
fn decisions_are_api_activity_by_what_became_of_them() {
    let person = |decision| {
        Some(UserSummary {
            decision,
            by: "user:ana".into(),
            presence: Some(Presence::Webauthn),
            level: 1,
            at: jiff::Timestamp::now(),
            approval: None,
        })
    };
    type Change = Box<dyn Fn(&mut doorward_core::record::DecisionRecord)>;
    let cases: Vec<(u64, u64, Change)> = vec![
        (2, 2, Box::new(|_| {})),
        (1, 1, Box::new(|d| d.verdict = Verdict::Allow)),
        (3, 17, Box::new(|d| (d.verdict, d.policy.flips) = (Verdict::Allow, vec!["p9".into()]))),
        (
            4,
            1,
            Box::new(|d| {
                (d.verdict, d.obligations) = (Verdict::Allow, vec![doorward_core::Obligation::RewriteArgs])
            }),
        ),
        (1, 8, Box::new(move |d| (d.verdict, d.user) = (Verdict::Allow, person(UserDecision::Allowed)))),
        (2, 25, Box::new(move |d| d.user = person(UserDecision::Denied))),
        (2, 14, Box::new(|d| d.verdict = Verdict::Confirm)),
        (2, 27, Box::new(|d| d.code = "ledger.unwritable".into())),
    ];
    for (action, disposition, change) in cases {
        let event = export::ocsf(&record(|decision| change(decision)), 7, "a/log").unwrap();
        check(&event);
        assert_eq!(
            (event["action_id"].as_u64(), event["disposition_id"].as_u64()),
            (Some(action), Some(disposition)),
            "{event}"
        );
        assert_eq!(
            (event["metadata"]["sequence"].as_u64(), event["metadata"]["log_name"].as_str()),
            (Some(7), Some("a/log"))
        );
    }
}

#[test]
fn decisions_are_api_activity_by_their_tool() {
    for (class, name, activity) in [
        (ToolClass::ReadOnly, "fs:read", 2),
        (ToolClass::Edit, "fs:write", 3),
        (ToolClass::Edit, "fs:delete", 4),
        (ToolClass::Execute, "shell:execute", 99),
        (ToolClass::Mcp, "mcp:files/read", 99),
    ] {
        let event =
            export::ocsf(&record(|d| (d.class, d.resource.name) = (class, name.into())), 0, "a/log").unwrap();
        check(&event);
        assert_eq!(event["activity_id"].as_u64(), Some(activity), "{name}");
        assert_eq!(
            event["api"]["service"]["name"],
            if name.starts_with("mcp:") { "files" } else { "doorward" }
        );
    }
}

#[test]
fn outcomes_and_approvals_are_api_activity() {
    for outcome in [
        Outcome::Ran,
        Outcome::Failed,
        Outcome::Killed,
        Outcome::Refused,
        Outcome::Abandoned,
        Outcome::Released,
        Outcome::Unobserved,
    ] {
        let record = OutcomeRecord {
            v: 1,
            id: RecordId::fresh(),
            time: jiff::Timestamp::now(),
            of: "d".into(),
            of_index: None,
            outcome,
            exit: None,
            limits_hit: Vec::new(),
            output_digest: None,
            bytes: 0,
            obligations: Vec::new(),
            detail: None,
        };
        check(&export::ocsf(&Record::Outcome(record), 1, "a/log").unwrap());
    }
    for event in
        [ApprovalEvent::Asked, ApprovalEvent::Answered, ApprovalEvent::Expired, ApprovalEvent::Cancelled]
    {
        let record = ApprovalRecord {
            v: 1,
            id: RecordId::fresh(),
            time: jiff::Timestamp::now(),
            of: "d".into(),
            event,
            decision: None,
            by: String::new(),
            presence: None,
            level: 1,
            via: String::new(),
        };
        check(&export::ocsf(&Record::Approval(record), 1, "a/log").unwrap());
    }
}

#[test]
fn what_is_unknown_is_never_told_as_low() {
    let unknown = record(|d| (d.risk.level, d.risk.score) = (SecurityRisk::Unknown, None));
    let event = export::ocsf(&unknown, 0, "a/log").unwrap();
    assert_eq!((event["risk_level_id"].as_u64(), event["risk_level"].as_str()), (Some(99), Some("Unknown")));
    assert!(event.get("risk_score").is_none() && event["severity_id"].as_u64() >= Some(4));
    let finding = export::ocsf_finding(&unknown, 0, "a/log").unwrap();
    assert_eq!((finding["class_uid"].as_u64(), finding["type_uid"].as_u64()), (Some(2004), Some(200_401)));
    assert!(export::ocsf_finding(&record(|_| {}), 0, "a/log").is_none(), "MEDIUM is no finding");
    assert!(!export::cef(&unknown, 0, "a/log").unwrap().contains("cn1"));
}

#[test]
fn no_name_can_forge_a_second_line_or_field() {
    let hostile = "x|9|\\ name=1\r\nCEF:0|Evil|Evil|1|ok|fine|0|act=ALLOW\u{2028}\u{85}\u{0}";
    let line = export::cef(
        &record(|d| {
            d.resource.name = hostile.into();
            d.code = hostile.into();
            d.reason = hostile.into();
            d.session = hostile.into();
            d.principal.id = hostile.into();
        }),
        3,
        "a/log",
    )
    .unwrap();
    assert!(!line.chars().any(|ch| ch.is_control() || ch == '\u{2028}'), "{line:?}");
    // Unescaped bars: the seven of the header; unescaped equal signs: one per field.
    let unescaped = |text: &str, wanted: char| {
        let mut escaped = false;
        text.chars()
            .filter(|ch| {
                let hit = *ch == wanted && !escaped;
                escaped = *ch == '\\' && !escaped;
                hit
            })
            .count()
    };
    let mut bars = 0;
    let mut escaped = false;
    let header_end = line.char_indices().find_map(|(at, ch)| {
        bars += usize::from(ch == '|' && !escaped);
        escaped = ch == '\\' && !escaped;
        (bars == 7).then_some(at)
    });
    let extension = &line[header_end.unwrap() + 1..];
    assert_eq!(unescaped(extension, '='), 16, "{extension}");
}

#[test]
fn spans_carry_no_arguments() {
    let Record::Decision(decision) = record(|_| {}) else { panic!() };
    let attributes = export::attributes(&decision, 9);
    assert!(attributes.iter().any(|(key, value)| *key == "gen_ai.operation.name" && value == "execute_tool"));
    assert!(
        !attributes
            .iter()
            .any(|(key, value)| key.contains("arguments") || value.to_string().contains("cargo test"))
    );
}
