//! The integration tests of `doorward-secrets` as one program, so that they are linked once. One module per
//! promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod cost;
mod documented;
mod oracle;
mod show_nowhere;
mod streams;
mod texts;
mod ways;
mod writings;
