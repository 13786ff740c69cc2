//! The integration tests of `doorward-ledger` as one program, to link only once. One module per promise.
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
