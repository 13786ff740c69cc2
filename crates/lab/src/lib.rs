//! The lab tests tools and defences before people rely on them.
//!
//! With the feature `trials`, `explore` tries an MCP server or the terminal in the sandbox and records its effects;
//! `eval` runs attacks and honest work through the gate under several settings and counts the results; [`detect`]
//! finds the MCP servers that agents are configured with. Everything that runs here needs a permit (`runner`), as
//! elsewhere.

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
