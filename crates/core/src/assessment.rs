//! Fuses the risk verdicts of several analyzers so that no analyzer can lower another's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::effect::Inspected;
use crate::finding::Finding;
use crate::risk::SecurityRisk;

/// One analyzer's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnalyzerVerdict {
    /// Name of the analyzer: `effects`, `llm`, `toolshield`, `noop`, …
    pub analyzer: String,
    /// Its risk.
    pub risk: SecurityRisk,
    /// Its score, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u8>,
    /// Whether UNKNOWN from this analyzer makes the fused risk UNKNOWN.
    #[serde(default)]
    pub mandatory: bool,
    /// Whether the analyzer applies to this call. If not, its verdict is recorded but not fused.
    pub applies: bool,
    /// Findings of the analyzer.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Explanation for people.
    #[serde(default)]
    pub detail: String,
}

/// All verdicts with the fused result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// The fused risk.
    pub risk: SecurityRisk,
    /// Score in the band of `risk`; null when UNKNOWN.
    pub score: Option<u8>,
    /// Every analyzer's verdict.
    pub by: Vec<AnalyzerVerdict>,
}

impl Assessment {
    /// HIGH if any verdict is HIGH; else UNKNOWN if a mandatory analyzer says UNKNOWN; else the maximum of the known
    /// ones; UNKNOWN if no verdict applies.
    #[must_use]
    pub fn fuse(by: Vec<AnalyzerVerdict>) -> Self {
        let taking_part = || by.iter().filter(|verdict| verdict.applies);
        let risk = if taking_part().any(|verdict| verdict.risk == SecurityRisk::High) {
            SecurityRisk::High
        } else if taking_part().any(|verdict| verdict.mandatory && !verdict.risk.is_known()) {
            SecurityRisk::Unknown
        } else {
            taking_part()
                .map(|verdict| verdict.risk)
                .filter(|risk| risk.is_known())
                .reduce(SecurityRisk::join)
                .unwrap_or(SecurityRisk::Unknown)
        };
        let score = risk.band().map(|(from, to)| {
            taking_part().filter_map(|verdict| verdict.score).max().unwrap_or(from).clamp(from, to)
        });
        Self { risk, score, by }
    }
}

/// Estimates the risk of a call.
pub trait Analyzer: Send + Sync {
    /// Its name in settings and records.
    fn name(&self) -> &str;

    /// Its verdict. An internal error is a verdict too (UNKNOWN or HIGH with a finding), never a panic.
    fn analyze<'a>(&'a self, inspected: &'a Inspected) -> Boxed<'a, AnalyzerVerdict>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Medium, Unknown};

    fn verdict(risk: SecurityRisk, mandatory: bool, applies: bool) -> AnalyzerVerdict {
        AnalyzerVerdict {
            analyzer: "x".into(),
            risk,
            score: None,
            mandatory,
            applies,
            findings: vec![],
            detail: String::new(),
        }
    }

    #[test]
    fn fusion_never_lets_one_judge_lower_another() {
        for (by, fused) in [
            (vec![], Unknown),
            (vec![verdict(Low, true, true)], Low),
            (vec![verdict(Low, true, true), verdict(High, false, true)], High),
            (vec![verdict(Unknown, true, true), verdict(Low, false, true)], Unknown),
            (vec![verdict(Unknown, true, true), verdict(High, false, true)], High),
            (vec![verdict(Medium, true, true), verdict(Unknown, false, true)], Medium),
            (vec![verdict(Low, true, true), verdict(High, false, false)], Low),
        ] {
            assert_eq!(Assessment::fuse(by.clone()).risk, fused, "{by:?}");
        }
    }
}
