//! The integration tests of `doorward` as one program, so that they are linked once. One module a promise.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub
)]

mod egress;
mod everyday;
mod examples;
mod explaining;
mod flow_bench;
mod marks;
mod parallel;
mod parity;
mod reviewing;
mod rules;
mod session_memory;
mod split_attacks;
mod written_then_run;
