//! The integration tests of `doorward-guardian` as one program, to link only once. One module per promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod hostile;
mod investigation;
mod local_model;
mod parity;
mod providers;
