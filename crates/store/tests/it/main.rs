//! The integration tests of `doorward-store` as one program, so that they are linked once. One module a promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod approvals;
mod claims;
mod common;
mod shared;
