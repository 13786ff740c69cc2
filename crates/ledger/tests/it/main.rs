//! The integration tests of `doorward-ledger` as one program, so that they are linked once. One module a promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod common;
mod contents;
mod crash;
#[path = "common/disk.rs"]
mod disk;
mod export;
mod faults;
mod later;
mod permits;
mod tamper;
mod vectors;
