//! The lab: tools and defences are tried out before people rely on them.
//!
//! With the feature `trials`, `explore` tries an MCP server or the terminal in the sandbox and writes down what really happens; `eval` runs
//! attacks and honest work through the gate under several settings and counts; [`detect`] finds the MCP servers that
//! agents are configured with. Whatever runs here runs by a permit (`runner`), like everywhere else.

#![cfg_attr(all(doctest, feature = "trials"), doc = include_str!("../README.md"))]

#[cfg(feature = "trials")]
pub mod ask;
pub mod detect;
#[cfg(feature = "trials")]
pub mod eval;
#[cfg(feature = "trials")]
pub mod explore;
#[cfg(feature = "trials")]
pub mod replay;
#[cfg(feature = "trials")]
pub mod replay_page;
#[cfg(feature = "trials")]
pub mod runner;
