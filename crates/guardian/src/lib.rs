//! The guardian: a reviewer separate from the agent.
//!
//! Without a model, [`builtin`] scores a call from its effects. With one, [`review`] sends a fenced prompt
//! ([`prompt`], [`conversation`], [`fence`]) to a provider ([`client`], [`wire`]), parses the answer strictly
//! ([`reply`]) and computes score and decision itself ([`rule`]); in doubt it may look at files first
//! ([`investigate`]). [`toolshield`] is a separate analyzer that uses the [`experiences`] about the tools in use.
//! Every failure is a denial with its own status. Nothing here can run anything, since only the gate makes permits.

#![cfg_attr(doctest, doc = include_str!("../README.md"))]

pub mod builtin;
pub mod client;
pub mod conversation;
pub mod experiences;
pub mod fence;
pub mod investigate;
pub mod prompt;
pub mod reply;
pub mod review;
pub mod risk_line;
pub mod rule;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod toolshield;
pub mod wire;

pub use builtin::Builtin;
pub use client::{Model, ModelConfig};
pub use conversation::Conversations;
pub use investigate::{EffectsOf, Investigator};
pub use prompt::Prefix;
pub use review::{ModelGuardian, ReviewConfig};
pub use rule::Thresholds;
pub use toolshield::{ToolShield, ToolShieldConfig};
