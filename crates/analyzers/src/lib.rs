//! Risk analyzers beside the effects: self-report, ensembles, upstream compatibility.
//!
//! The effects analyzer is part of every `Inspected` and always takes part; what lives here joins it by choice. How
//! several verdicts become one is `core::Assessment::fuse`, and no analyzer can lower another.

pub mod compat;
pub mod noop;
pub mod self_report;

pub use noop::NoOp;
pub use self_report::SelfReport;

use std::sync::Arc;

use compat::{Ensemble, Pattern, Rail};
use doorward_core::assessment::Analyzer;

/// An analyzer that the settings can list by name.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Our name.
    pub name: &'static str,
    /// The name of the class that OpenHands gives the same analyzer.
    pub upstream: &'static str,
    /// Makes one.
    pub make: fn() -> Arc<dyn Analyzer>,
}

/// The analyzers of this crate that the settings can list. One that needs a model is put together in `doorward`.
pub const LISTED: &[Listed] = &[
    Listed { name: "noop", upstream: "NoOpSecurityAnalyzer", make: || Arc::new(NoOp) },
    Listed { name: self_report::NAME, upstream: "LLMSecurityAnalyzer", make: || Arc::new(SelfReport) },
    Listed { name: "pattern", upstream: "PatternSecurityAnalyzer", make: || Arc::new(Pattern) },
    Listed { name: "rail", upstream: "PolicyRailSecurityAnalyzer", make: || Arc::new(Rail) },
    Listed {
        name: "ensemble",
        upstream: "EnsembleSecurityAnalyzer",
        make: || Arc::new(Ensemble::without_model()),
    },
];

/// The analyzer of this name, by ours.
#[must_use]
pub fn listed(name: &str) -> Option<Arc<dyn Analyzer>> {
    LISTED.iter().find(|row| row.name == name).map(|row| (row.make)())
}
