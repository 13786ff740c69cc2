//! Risk from several analyzers, fused so that no judge can lower another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Boxed;
use crate::effect::Inspected;
use crate::finding::Finding;
use crate::risk::SecurityRisk;

/// What one analyzer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnalyzerVerdict {
    /// Its name: `effects`, `llm`, `toolshield`, `noop`, …
    pub analyzer: String,
    /// Its risk.
    pub risk: SecurityRisk,
    /// Its score, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u8>,
    /// Whether UNKNOWN from it makes the whole UNKNOWN.
    #[serde(default)]
    pub mandatory: bool,
    /// Whether it applies to this call; one that doesn't is recorded and takes no part.
    pub applies: bool,
    /// What it found.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// In words, for people.
    #[serde(default)]
    pub detail: String,
}

/// All of them, fused.
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
    /// HIGH if any says HIGH; else UNKNOWN if a mandatory one is unsure; else the maximum of the known
    /// ones; UNKNOWN if none says anything.
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

/// Something that says how risky a call is.
pub trait Analyzer: Send + Sync {
    /// Its name in settings and records.
    fn name(&self) -> &str;

    /// Its verdict. A fault is a verdict too (UNKNOWN or HIGH with a finding), never a panic.
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
