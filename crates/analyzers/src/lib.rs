//! Risk analyzers in addition to the effects: self-report, ensembles, upstream compatibility.
//!
//! The effects analyzer is part of every `Inspected` and always counts; the analyzers here are optional.
//! `core::Assessment::fuse` combines verdicts, and no analyzer can lower another's.

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod compat;
pub mod noop;
pub mod self_report;

pub use noop::NoOp;
pub use self_report::SelfReport;

use std::sync::Arc;

use compat::{Ensemble, PatternRules, Rail};
use doorward_core::assessment::Analyzer;

/// An analyzer that the settings can name.
#[derive(Debug, Clone, Copy)]
pub struct NamedAnalyzer {
    /// Doorward's name.
    pub name: &'static str,
    /// OpenHands' class name of the same analyzer.
    pub upstream: &'static str,
    /// Creates one.
    pub make: fn() -> Arc<dyn Analyzer>,
}

/// The analyzers of this crate that the settings can name. Those that need a model are built in `doorward`.
pub const LISTED: &[NamedAnalyzer] = &[
    NamedAnalyzer { name: "noop", upstream: "NoOpSecurityAnalyzer", make: || Arc::new(NoOp) },
    NamedAnalyzer { name: self_report::NAME, upstream: "LLMSecurityAnalyzer", make: || Arc::new(SelfReport) },
    NamedAnalyzer { name: "pattern", upstream: "PatternSecurityAnalyzer", make: || Arc::new(PatternRules) },
    NamedAnalyzer { name: "rail", upstream: "PolicyRailSecurityAnalyzer", make: || Arc::new(Rail) },
    NamedAnalyzer {
        name: "ensemble",
        upstream: "EnsembleSecurityAnalyzer",
        make: || Arc::new(Ensemble::without_model()),
    },
];

/// The analyzer with this Doorward name.
#[must_use]
pub fn listed(name: &str) -> Option<Arc<dyn Analyzer>> {
    LISTED.iter().find(|row| row.name == name).map(|row| (row.make)())
}
