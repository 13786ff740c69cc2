//! Risk analyzers beside the effects: self-report, ensembles, upstream compatibility.
//!
//! The effects analyzer is part of every `Inspected` and always takes part; what lives here joins it by choice. How
//! several verdicts become one is `core::Assessment::fuse`, and no analyzer can lower another.

pub mod compat;
pub mod noop;
pub mod self_report;

pub use noop::NoOp;
pub use self_report::SelfReport;
