//! Upstream's rule for combining risks: the highest known one.
//!
//! The result is UNKNOWN only if all are UNKNOWN, or with `propagate_unknown` if any is, even before HIGH. Both lose
//! information. That is why [`doorward_core::assessment::Assessment::fuse`] uses another rule, and this one is only
//! for compatibility.

use std::fmt;
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::risk::SecurityRisk;

use super::{PatternRules, Rail};

/// Several analyzers combined by upstream's rule.
#[derive(Clone)]
pub struct Ensemble {
    children: Vec<Arc<dyn Analyzer>>,
    propagate_unknown: bool,
}

impl fmt::Debug for Ensemble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.children.iter().map(|child| child.name()).collect();
        f.debug_struct("Ensemble").field("children", &names).finish_non_exhaustive()
    }
}

/// The list of analyzers is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("analyzers.ensemble: at least one analyzer takes part")]
pub struct Empty;

impl Ensemble {
    /// From at least one analyzer.
    pub fn new(children: Vec<Arc<dyn Analyzer>>, propagate_unknown: bool) -> Result<Self, Empty> {
        if children.is_empty() { Err(Empty) } else { Ok(Self { children, propagate_unknown }) }
    }

    /// Those of upstream's analyzers that need no model: policy rail and patterns.
    #[must_use]
    pub fn without_model() -> Self {
        Self { children: vec![Arc::new(Rail), Arc::new(PatternRules)], propagate_unknown: false }
    }
}

impl Analyzer for Ensemble {
    fn name(&self) -> &'static str {
        "ensemble"
    }

    fn analyze<'a>(&'a self, inspected: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        Box::pin(async move {
            let mut by = Vec::with_capacity(self.children.len());
            for child in &self.children {
                by.push(child.analyze(inspected).await);
            }
            let risks: Vec<SecurityRisk> = by.iter().map(|verdict| verdict.risk).collect();
            let told: Vec<String> = by
                .iter()
                .map(|verdict| match verdict.detail.as_str() {
                    "" => format!("{} {}", verdict.analyzer, verdict.risk),
                    detail => format!("{} {} ({detail})", verdict.analyzer, verdict.risk),
                })
                .collect();
            AnalyzerVerdict {
                analyzer: self.name().to_owned(),
                risk: fuse(&risks, self.propagate_unknown),
                score: None,
                mandatory: false,
                applies: true,
                // Upstream loses its children's findings; they are kept here.
                findings: by.into_iter().flat_map(|verdict| verdict.findings).collect(),
                detail: told.join(", "),
            }
        })
    }
}

/// Upstream's rule. Pass HIGH for an analyzer that raised an error.
#[must_use]
pub fn fuse(risks: &[SecurityRisk], propagate_unknown: bool) -> SecurityRisk {
    if propagate_unknown && risks.contains(&SecurityRisk::Unknown) {
        return SecurityRisk::Unknown;
    }
    risks.iter().copied().filter(|risk| risk.is_known()).reduce(SecurityRisk::join).unwrap_or_default()
}

/// The risk for a remote judge's score from 0 to 1: LOW up to `low`, MEDIUM up to `medium`, else HIGH, also for NaN.
#[must_use]
pub fn risk_of_score(score: f64, low: f64, medium: f64) -> SecurityRisk {
    if score <= low {
        SecurityRisk::Low
    } else if score <= medium {
        SecurityRisk::Medium
    } else {
        SecurityRisk::High
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SecurityRisk::{High, Low, Medium, Unknown};

    #[test]
    fn the_highest_known_risk_counts_and_unknown_only_as_upstream_has_it() {
        for (risks, propagate, fused) in [
            (vec![Low, High], false, High),
            (vec![Unknown, Low], false, Low),
            (vec![Unknown, Low], true, Unknown),
            (vec![Unknown, High], true, Unknown),
            (vec![Unknown, Unknown], false, Unknown),
            (vec![Medium], true, Medium),
        ] {
            assert_eq!(fuse(&risks, propagate), fused, "{risks:?}");
        }
        assert!(Ensemble::new(vec![], false).is_err());
    }
}
