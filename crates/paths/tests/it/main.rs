//! The integration tests of `doorward-paths` as one program, to link only once. One module per promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod operations;
mod properties;
mod races;
mod vectors;
