//! Checks of all code that reads bytes chosen by an agent, a client, a peer or a repository.
//!
//! A target is a function that takes any bytes and panics if an invariant is violated. `cargo xtask test` runs the
//! targets for a few seconds each (`tests/it/short.rs`) and `cargo xtask bench fuzz` for ten minutes each
//! (`examples/fuzz.rs`), both on a stable compiler without coverage; cargo-fuzz (`fuzz/`) runs them with coverage.
//! Shell text, paths and secrets have their own fuzzers in their crates.
#![allow(clippy::panic, clippy::expect_used)]

mod mutate;
mod run;
mod targets;

pub use mutate::{Mutator, SeededRandom};
pub use run::{Findings, run};
pub use targets::{TARGETS, Target, check};
