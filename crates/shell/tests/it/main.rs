//! The integration tests of `doorward-shell` as one program, so that they are linked once. One module a promise.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, missing_docs)]

mod account;
mod budgets;
mod floods;
mod folders;
mod hostile_code;
mod mechanisms;
mod tables;
mod uncertain;
