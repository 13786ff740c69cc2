//! The model's own label: advertised in the tool's schema, taken out of the arguments, never believed downwards.
//!
//! [`enhance`] adds a required `security_risk` to a tool's schema while this analyzer is on for the session,
//! [`extract`] removes it from what the tool receives and validates it, and [`SelfReport`] hands it to the ensemble.

mod enhance;
mod extract;

use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::json::Value;
use doorward_core::risk::SecurityRisk;

pub use enhance::{EnhanceError, Enhancement, enhance};
pub use extract::{ExtractError, Extracted, extract, take};

/// The analyzer's name in settings and records.
pub const NAME: &str = "llm";
/// The argument that carries the label.
pub const FIELD: &str = "security_risk";
/// The member of a call's context that says the label was asked for, so that a missing one counts.
pub const REQUESTED: &str = "security_risk_requested";
/// The optional argument of upstream that sums up the action.
pub const SUMMARY: &str = "summary";

/// Returns what the model said of its own action, as the surface put it beside the call.
#[derive(Debug, Clone, Copy, Default)]
pub struct SelfReport;

impl Analyzer for SelfReport {
    fn name(&self) -> &'static str {
        NAME
    }

    fn analyze<'a>(&'a self, inspected: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        let told = inspected.call.context.get(FIELD);
        let asked = inspected.call.context.get(REQUESTED).and_then(Value::as_bool) == Some(true);
        let known = told.and_then(Value::as_str).and_then(SecurityRisk::from_word);
        let mut findings = Vec::new();
        if told.is_some() && known.is_none() {
            findings.push(Finding::new(
                "risk_label.invalid",
                "the model's risk label is none of LOW, MEDIUM, HIGH, UNKNOWN",
            ));
        }
        Box::pin(std::future::ready(AnalyzerVerdict {
            analyzer: NAME.to_owned(),
            risk: known.unwrap_or_default(),
            score: None,
            // A label that was asked for and isn't there leaves the risk unknown.
            mandatory: asked,
            // Whoever wasn't asked for a label owes none.
            applies: asked || told.is_some(),
            findings,
            detail: if told.is_none() { "the model gave no label".to_owned() } else { String::new() },
        }))
    }
}
