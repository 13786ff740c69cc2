//! The integration tests of `doorward-policy` as one program, to link only once. One module per promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod decisions;
mod differential;
mod engine;
mod world;
