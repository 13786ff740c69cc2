//! An analyzer that always says UNKNOWN.

use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::risk::SecurityRisk;

/// Always UNKNOWN. Recorded, but never mandatory: it neither hides other findings nor counts as a judgement.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoOp;

impl Analyzer for NoOp {
    fn name(&self) -> &'static str {
        "noop"
    }

    fn analyze<'a>(&'a self, _: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        Box::pin(std::future::ready(AnalyzerVerdict {
            analyzer: "noop".to_owned(),
            risk: SecurityRisk::Unknown,
            score: None,
            mandatory: false,
            applies: true,
            findings: Vec::new(),
            detail: String::new(),
        }))
    }
}
