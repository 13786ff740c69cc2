//! The sandbox runs allowed calls inside measured bounds.
//!
//! A run is described by a [`Spec`] and started by an [`Engine`], which reaches a [`Tier`](doorward_core::Tier) or
//! refuses: a run that can't be bounded doesn't start. The [`Report`] names the bounds, the limit that ended the
//! run and the measured values. Only the holder of a permit can start a run; this crate has no public way to run a
//! command without one.
//!
//! Linux only. A binary that runs sandboxes calls [`maybe_init`] first in `main`, because it is its own helper.

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

mod absent;
mod cgroup;
mod engine;
mod error;
mod git;
mod idmap;
mod landlock;
mod last_word;
mod leftover;
mod linked;
mod observe;
mod overlay;
mod patch;
mod plan;
pub mod probe;
mod relay;
mod report;
mod run;
mod runtimes;
mod seccomp;
pub mod self_test;
mod spec;
mod stage;
mod sys;
#[cfg(test)]
mod tests;
mod tree;

pub use engine::{Engine, Listener, Offer, Running, Stopper, Stream};
pub use error::SandboxError;
pub use last_word::Unreached;
pub use leftover::{Leftover, LeftoverCode};
pub use overlay::{ChangeKind, CollectedChange, EntryKind, MergeRefusal, Merged, Overlay};
pub use probe::{ProbeConfig, ProbeReport, probe, probe_cached};
pub use report::{Cause, LimitHit, LimitName, LimitsHeld, Mechanism, Missing, Report, Status};
pub use run::{Finished, Manner, NotRun, Owed, Sandbox};
pub use spec::{
    Access, Limits, Network, Output, ProgramInput, Protected, Root, Spec, WhenMissing, clean_environment,
    protected_names,
};
pub use stage::maybe_init;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
