//! The lab: tools and defences tried out before anybody relies on them.
//!
//! [`explore`] tries an MCP server or the terminal in the sandbox and writes down what really happens; [`eval`] runs
//! attacks and honest work through the gate under several settings and counts; [`detect`] finds the MCP servers that
//! agents are configured with. Whatever runs here runs by a permit ([`runner`]), like everywhere else.

#![cfg_attr(doctest, doc = include_str!("../README.md"))]

pub mod ask;
pub mod detect;
pub mod eval;
pub mod explore;
pub mod jsonc;
pub mod replay;
pub mod replay_page;
pub mod runner;
