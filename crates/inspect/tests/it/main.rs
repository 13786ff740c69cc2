//! The integration tests of `doorward-inspect` as one program, so that they are linked once. One module a promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod blind;
mod classes;
mod files;
mod leaves;
mod live;
mod loads;
mod memory;
mod rewrites;
mod shapes;
mod supplied;
mod taken;
mod verdicts;
mod windows;
mod words;
