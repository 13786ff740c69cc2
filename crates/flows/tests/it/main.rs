//! The integration tests of `doorward-flows` as one program, so that they are linked once. One module per promise.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, missing_docs)]

mod common;
mod cost;
mod leaving;
mod order;
mod windows;
