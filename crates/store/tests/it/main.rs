//! The integration tests of `doorward-store` as one program, to link only once. One module per promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod approvals;
mod claims;
mod common;
mod shared;
