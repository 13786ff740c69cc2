//! OpenTelemetry: the attributes of the span `execute_tool <tool>`. The `gen_ai` conventions are still in
//! development, so their names are all in this table.

use doorward_core::record::DecisionRecord;
use serde_json::Value;

/// The attributes of a decision's span, without missing ones. Arguments are never included.
#[must_use]
pub fn attributes(decision: &DecisionRecord, index: u64) -> Vec<(&'static str, Value)> {
    let rows: [(&'static str, Value); 12] = [
        ("gen_ai.operation.name", "execute_tool".into()),
        ("gen_ai.tool.name", decision.resource.name.as_str().into()),
        ("gen_ai.tool.call.id", decision.call.as_str().into()),
        ("gen_ai.conversation.id", decision.session.as_str().into()),
        ("gen_ai.agent.id", decision.principal.id.as_str().into()),
        ("gen_ai.agent.name", decision.agent.as_deref().into()),
        ("doorward.verdict", decision.verdict.as_str().into()),
        ("doorward.code", decision.code.as_str().into()),
        ("doorward.policy.ids", decision.policy.ids.as_slice().into()),
        ("doorward.risk.level", decision.risk.level.as_str().into()),
        ("doorward.risk.score", decision.risk.score.into()),
        ("doorward.record.index", index.into()),
    ];
    rows.into_iter().filter(|(_, value)| !value.is_null()).collect()
}
