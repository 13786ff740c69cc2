//! Layered `doorward.toml`: built-in < user < project < admin, where a project may only tighten.
//!
//! A section is defined once: a plain `serde` struct with a table of how each key may be tightened ([`Section`]).
//! Loading reads every layer with positions, refuses unknown keys (suggesting the nearest one) and loosening, and
//! records which layer set which value. Reading and watching files and applying the values is left to others.
//!
//! ```
//! use doorward_settings::{Layer, LayerKind, Settings};
//!
//! let user = Layer::new(LayerKind::User, "doorward.toml", "[modes]\ndefault = \"acceptEdits\"\n");
//! let loaded = Settings::load(&[user]).unwrap();
//! assert_eq!(loaded.settings.modes.default.as_str(), "acceptEdits");
//!
//! let typo = Layer::new(LayerKind::User, "doorward.toml", "[modes]\ndefualt = \"plan\"\n");
//! let error = Settings::load(&[typo]).unwrap_err();
//! assert_eq!(error.code_word(), "settings.unknown_key");
//! assert!(error.to_string().contains("defualt"));
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct SettingsReadme;

mod error;
mod layer;
mod merge;
mod nearest;
mod section;
mod sections;

pub use error::SettingsError;
pub use layer::{Layer, LayerKind};
pub use merge::{Explained, Merged, Schema, without_credentials};
pub use nearest::nearest;
pub use section::{Key, Section, Tighten, free, key};
pub use sections::{
    Analyzers, Approvals, Ask, ConfirmPolicy, ConfirmSection, Counter, Counters, DontAsk, Egress, Explore,
    Guardian, Hooks, Knowledge, Ledger, LedgerArgs, Loaded, Modes, Net, Obligations, OnNoMatch,
    OnUnavailable, Owed, Paths, Policy, Posture, Profile, Relieve, Remote, RemoteKind, Review, Rule,
    RuleText, Rules, RunProfile, Sandbox, ServiceSettings, Settings, Shell, ShellCustody, Store, Structure,
};
pub use sections::{Authzen, FirstSight, Mcp, Notify, Only, Webhook, WebhookFormat};
