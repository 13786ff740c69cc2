//! The integration tests of `doorward-net` as one program, so that they are linked once. One module per promise.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub
)]

mod any_input;
mod classes;
mod client;
#[cfg(feature = "proxy")]
mod common;
mod intercept;
mod killed;
mod proxy;
mod proxy_bounds;
mod real_clients;
mod rebinding;
mod vectors;
