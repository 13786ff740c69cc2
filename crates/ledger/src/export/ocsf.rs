//! OCSF 1.8.0: API Activity (6003) for decisions, outcomes and approvals, Network Activity (4001) for accesses
//! through the egress proxy, and an additional Detection Finding (2004) for each denial of HIGH risk.

use doorward_core::record::{
    AccessEvent, AccessRecord, ApprovalEvent, ApprovalRecord, DecisionRecord, Outcome, OutcomeRecord, Record,
};
use doorward_core::tool::mcp_parts;
use doorward_core::{CanonicalTool, Obligation, SecurityRisk, ToolClass, Verdict};
use serde_json::{Map, Value, json};

use super::{Disposition, severities};

const VERSION: &str = "1.8.0";
const API_ACTIVITY: u64 = 6003;
const NETWORK_ACTIVITY: u64 = 4001;
const DETECTION_FINDING: u64 = 2004;

/// The API Activity of a record. `None` for records that aren't about a call.
#[must_use]
pub fn ocsf(record: &Record, index: u64, origin: &str) -> Option<Value> {
    match record {
        Record::Decision(decision) => Some(decision_event(decision, index, origin)),
        Record::Outcome(outcome) => Some(outcome_event(outcome, index, origin)),
        Record::Approval(approval) => Some(approval_event(approval, index, origin)),
        Record::Access(access) => Some(access_event(access, index, origin)),
        Record::Policy(_) | Record::Start(_) | Record::Stop(_) | Record::Key(_) | Record::Note(_) => None,
    }
}

/// The Detection Finding of a denied call of HIGH or UNKNOWN risk. `None` for other records.
#[must_use]
pub fn ocsf_finding(record: &Record, index: u64, origin: &str) -> Option<Value> {
    let Record::Decision(decision) = record else { return None };
    if !is_alert(decision) {
        return None;
    }
    Some(json!({
        "activity_id": 1,
        "category_uid": 2,
        "class_uid": DETECTION_FINDING,
        "type_uid": DETECTION_FINDING * 100 + 1,
        "time": decision.time.as_millisecond(),
        "severity_id": severities(decision.risk.level).1,
        "status_id": 1,
        "message": decision.reason,
        "is_alert": true,
        "finding_info": {
            "uid": decision.id,
            "title": format!("{} denied: {}", decision.resource.name, decision.code),
            "desc": decision.reason,
            "types": decision.risk.by.iter().flat_map(|by| &by.findings).collect::<Vec<_>>(),
        },
        "metadata": metadata(decision.id.as_str(), index, origin, decision.workflow.as_deref()),
        "unmapped": { "custody": decision.custody.as_str(), "session": decision.session },
    }))
}

fn decision_event(decision: &DecisionRecord, index: u64, origin: &str) -> Value {
    let (activity, name) = activity(decision);
    let disposition = Disposition::of(decision);
    let mut event = base(activity, decision.time.as_millisecond());
    let (level, level_name) = match decision.risk.level {
        SecurityRisk::Low => (1, "Low"),
        SecurityRisk::Medium => (2, "Medium"),
        SecurityRisk::High => (3, "High"),
        // 0 means Info, which must not stand for an unknown risk.
        SecurityRisk::Unknown => (99, "Unknown"),
    };
    let policies = decision.policy.ids.iter().map(|id| {
        json!({
            "decision": decision.policy.decision.map_or("unsettled", |answer| answer.as_str()),
            "policy": { "uid": id, "name": id, "version": decision.policy.bundle, "is_applied": true },
        })
    });
    let fields = json!({
        "activity_name": name,
        "severity_id": severities(decision.risk.level).1,
        "status_id": if decision.verdict == Verdict::Deny { 2 } else { 0 },
        "status_code": decision.code,
        "status_detail": decision.reason,
        "actor": {
            "user": {
                "uid": decision.principal.id,
                "groups": decision.principal.groups.iter().map(|group| json!({ "name": group })).collect::<Vec<_>>(),
            },
            "session": { "uid": decision.session },
            "app_name": decision.agent.as_deref().unwrap_or("unknown"),
        },
        "api": {
            "operation": decision.resource.name,
            "request": { "uid": decision.call },
            "service": { "name": service(decision) },
        },
        "src_endpoint": { "name": surface(decision), "instance_uid": decision.session },
        "resources": [{ "type": decision.resource.kind, "name": decision.resource.name }],
        "metadata": metadata(decision.id.as_str(), index, origin, decision.workflow.as_deref()),
        "action_id": action_id(decision, disposition),
        "disposition_id": disposition_id(disposition),
        "disposition": disposition.word(),
        "authorizations": policies.collect::<Vec<_>>(),
        "risk_level_id": level,
        "risk_level": level_name,
        "is_alert": is_alert(decision),
        "duration": decision.took_us / 1000,
        "unmapped": {
            "custody": decision.custody.as_str(),
            "mode": serde_json::to_value(decision.mode).unwrap_or_default(),
            "basis": serde_json::to_value(decision.basis).unwrap_or_default(),
            "args_digest": decision.args_digest,
            "inspected": decision.inspected,
            "flips": decision.policy.flips,
        },
    });
    merge(&mut event, fields);
    if let Some(score) = decision.risk.score {
        event.insert("risk_score".to_owned(), score.into());
    }
    Value::Object(event)
}

fn outcome_event(outcome: &OutcomeRecord, index: u64, origin: &str) -> Value {
    let status = match outcome.outcome {
        Outcome::Ran => 1,
        Outcome::Failed | Outcome::Killed | Outcome::Refused | Outcome::Abandoned => 2,
        Outcome::Released | Outcome::Unobserved => 0,
    };
    let mut event = base(99, outcome.time.as_millisecond());
    let word = serde_json::to_value(outcome.outcome).unwrap_or_default();
    merge(
        &mut event,
        json!({
            "activity_name": "Outcome",
            "severity_id": 1,
            "status_id": status,
            "status_code": word,
            "actor": { "app_name": "Doorward" },
            "api": { "operation": "outcome", "request": { "uid": outcome.of } },
            "src_endpoint": { "name": "doorward" },
            "metadata": metadata(outcome.id.as_str(), index, origin, None),
            "action_id": if outcome.outcome == Outcome::Refused { 2 } else { 1 },
            "disposition_id": if outcome.outcome == Outcome::Refused { 2 } else { 1 },
            "unmapped": {
                "decision": outcome.of,
                "exit": outcome.exit,
                "limits_hit": outcome.limits_hit,
                "output_digest": outcome.output_digest,
                "bytes": outcome.bytes,
            },
        }),
    );
    Value::Object(event)
}

fn approval_event(approval: &ApprovalRecord, index: u64, origin: &str) -> Value {
    use doorward_core::record::UserDecision::{Allowed, Denied};
    let (action, disposition, status) = match (approval.event, approval.decision) {
        (ApprovalEvent::Asked, _) => (3, 14, 0),
        (ApprovalEvent::Answered, Some(Allowed)) | (ApprovalEvent::Passed, _) => (1, 8, 1),
        (ApprovalEvent::Answered, Some(Denied)) => (2, 25, 2),
        (ApprovalEvent::Answered, _) => (2, 27, 2),
        (ApprovalEvent::Expired | ApprovalEvent::Cancelled | ApprovalEvent::Unclear, _) => (2, 24, 2),
    };
    let mut event = base(99, approval.time.as_millisecond());
    let who = if approval.by.is_empty() { "doorward" } else { &approval.by };
    merge(
        &mut event,
        json!({
            "activity_name": "Approval",
            "severity_id": 1,
            "status_id": status,
            "actor": { "user": { "uid": who } },
            "api": { "operation": "approval", "request": { "uid": approval.of } },
            "src_endpoint": { "name": if approval.via.is_empty() { "doorward" } else { &approval.via } },
            "metadata": metadata(approval.id.as_str(), index, origin, None),
            "action_id": action,
            "disposition_id": disposition,
            "unmapped": { "decision": approval.of, "level": approval.level, "presence": approval.presence },
        }),
    );
    Value::Object(event)
}

fn access_event(access: &AccessRecord, index: u64, origin: &str) -> Value {
    let allowed = access.verdict == Verdict::Allow;
    let (activity, name) = match (access.event, allowed) {
        (AccessEvent::Decided, true) => (1, "Open"),
        (AccessEvent::Decided, false) => (5, "Refuse"),
        (AccessEvent::Ended, true) => (2, "Close"),
        (AccessEvent::Ended, false) => (3, "Reset"),
    };
    json!({
        "activity_id": activity,
        "activity_name": name,
        "category_uid": 4,
        "class_uid": NETWORK_ACTIVITY,
        "type_uid": NETWORK_ACTIVITY * 100 + activity,
        "time": access.time.as_millisecond(),
        "severity_id": if allowed { 1 } else { 2 },
        "status_id": if allowed { 1 } else { 2 },
        "status_detail": access.code,
        "action_id": if allowed { 1 } else { 2 },
        "disposition_id": if allowed { 1 } else { 2 },
        "actor": { "session": { "uid": access.session }, "process": { "uid": access.command } },
        "dst_endpoint": { "hostname": access.host, "port": access.port, "ip": access.dialed.map(|socket| socket.ip()) },
        "connection_info": { "direction_id": 2, "protocol_num": 6 },
        "traffic": { "bytes_out": access.bytes_up, "bytes_in": access.bytes_down },
        "metadata": metadata(access.id.as_str(), index, origin, None),
        "unmapped": { "access": access.access, "method": access.method, "rule": access.rule, "mode": access.mode },
    })
}

fn base(activity: u64, time: i64) -> Map<String, Value> {
    let mut event = Map::new();
    merge(
        &mut event,
        json!({
            "activity_id": activity,
            "category_uid": 6,
            "class_uid": API_ACTIVITY,
            "type_uid": API_ACTIVITY * 100 + activity,
            "time": time,
        }),
    );
    event
}

fn merge(event: &mut Map<String, Value>, fields: Value) {
    if let Value::Object(fields) = fields {
        event.extend(fields);
    }
}

fn metadata(id: &str, index: u64, origin: &str, workflow: Option<&str>) -> Value {
    let mut metadata = json!({
        "version": VERSION,
        "product": { "name": "Doorward", "vendor_name": "Doorward", "version": env!("CARGO_PKG_VERSION") },
        "profiles": ["security_control"],
        "uid": id,
        "sequence": index,
        "log_name": origin,
    });
    if let (Some(workflow), Some(fields)) = (workflow, metadata.as_object_mut()) {
        fields.insert("correlation_uid".to_owned(), workflow.into());
    }
    metadata
}

fn activity(decision: &DecisionRecord) -> (u64, &'static str) {
    match (decision.class, CanonicalTool::from_name(&decision.resource.name)) {
        (_, Some(CanonicalTool::Delete)) => (4, "Delete"),
        (_, Some(CanonicalTool::Mkdir)) => (1, "Create"),
        (ToolClass::ReadOnly, _) => (2, "Read"),
        (ToolClass::Edit, _) => (3, "Update"),
        _ => (99, "Execute"),
    }
}

fn action_id(decision: &DecisionRecord, disposition: Disposition) -> u64 {
    let rewritten = decision.obligations.contains(&Obligation::RewriteArgs);
    match disposition {
        Disposition::Observed => 3,
        Disposition::Allowed | Disposition::Approved if rewritten => 4,
        Disposition::Allowed | Disposition::Approved => 1,
        Disposition::Delayed | Disposition::Blocked | Disposition::Rejected | Disposition::Failed => 2,
    }
}

const fn disposition_id(disposition: Disposition) -> u64 {
    match disposition {
        Disposition::Allowed => 1,
        Disposition::Blocked => 2,
        Disposition::Approved => 8,
        Disposition::Delayed => 14,
        Disposition::Observed => 17,
        Disposition::Rejected => 25,
        Disposition::Failed => 27,
    }
}

fn is_alert(decision: &DecisionRecord) -> bool {
    decision.verdict == Verdict::Deny
        && matches!(decision.risk.level, SecurityRisk::High | SecurityRisk::Unknown)
}

/// The MCP server of a tool named `mcp:<server>/<tool>`; `doorward` for all others.
fn service(decision: &DecisionRecord) -> &str {
    mcp_parts(&decision.resource.name).map_or("doorward", |(server, _)| server)
}

fn surface(decision: &DecisionRecord) -> Value {
    serde_json::to_value(decision.surface).unwrap_or_default()
}
