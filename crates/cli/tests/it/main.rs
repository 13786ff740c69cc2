//! The integration tests of `doorward-cli` as one program, so that they are linked once. One module a promise.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub
)]

mod agents_bound;
mod answering;
mod arguments;
mod audit;
mod authzen;
mod bad_input;
mod bind;
mod breakouts;
mod claude_code;
mod code_files;
mod code_tools;
mod codex_trust;
mod confirmation;
mod conformance;
mod decisions;
mod demo;
mod edits;
mod faults;
mod grammar;
mod guardian;
#[path = "support/http.rs"]
mod http;
mod interrupted;
mod kept;
mod knowledge;
mod lab;
mod labels;
mod logins;
mod look_back;
mod losses;
mod mcp;
mod mcp_http;
mod mentions;
mod numbers;
mod obeyed;
mod observe;
mod ordinary;
mod own_programs;
mod pages;
mod plugin;
mod policy_engine;
#[path = "../../../store/tests/it/common/postgres.rs"]
mod postgres;
mod records;
mod repositories;
mod scratch;
mod seed_contract;
mod seeds;
mod sessions;
mod settings;
mod setup;
mod shared_store;
mod states;
mod store_proxy;
mod support;
mod task_grants;
mod toolshield;
mod turned;
mod uninstall;
mod ways_agree;
mod who_asks;
