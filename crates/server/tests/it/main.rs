//! The integration tests of `doorward-server` as one program, so that they are linked once. One module a promise.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub
)]

mod always;
mod authzen;
mod binding;
mod calls;
mod edit;
mod notify;
mod proposals;
mod security;
mod settled;
mod support;
mod tls;
