//! Checks of everything that reads bytes which an agent, a client, a peer or a repository can choose.
//!
//! A target is a function that takes any bytes and panics where something that must hold doesn't. The same targets are
//! run by `cargo xtask test` for a few seconds each (`tests/it/short.rs`), by `cargo xtask bench fuzz` for ten minutes
//! each (`examples/fuzz.rs`), both on a stable compiler and without coverage, and by cargo-fuzz (`fuzz/`) with
//! coverage. Shell text, paths and secrets have fuzzers of their own in their crates.
#![allow(clippy::panic, clippy::expect_used)]

mod mutate;
mod run;
mod targets;

pub use mutate::{Mutator, Random};
pub use run::{Findings, run};
pub use targets::{TARGETS, Target, check};
