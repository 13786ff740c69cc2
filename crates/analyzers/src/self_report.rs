//! The model's own risk label: requested in the tool's schema, removed from the arguments, never trusted to lower
//! risk.
//!
//! [`enhance`] adds a required `security_risk` to a tool's schema if this analyzer is enabled for the session,
//! [`extract`] removes it from the tool's arguments and validates it, and [`SelfReport`] reports it as a verdict.

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
/// The argument with the label.
pub const FIELD: &str = "security_risk";
/// The member of a call's context that says that the label was requested, so that a missing one counts.
pub const REQUESTED: &str = "security_risk_requested";
/// Upstream's optional argument with a summary of the action.
pub const SUMMARY: &str = "summary";

/// Reports the model's label for its own action, as supplied by the surface in the call's context.
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
            // If a label was requested but is missing, the risk is UNKNOWN.
            mandatory: asked,
            // Without a request, a missing label is no verdict.
            applies: asked || told.is_some(),
            findings,
            detail: if told.is_none() { "the model gave no label".to_owned() } else { String::new() },
        }))
    }
}
