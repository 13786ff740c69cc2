//! A session's memory, with which a call is judged together with the calls before it.
//!
//! Harm is often split into steps that look innocent: read a file, encode it, name a host. This crate remembers
//! what ran and which values came in, recognises those values when they leave in another form, and matches
//! sequences of facts against rules that are data (`flows.toml`). It does no I/O, holds no text of a secret, and
//! decides nothing: its findings join those of the call.
//!
//! ```
//! use std::sync::Arc;
//! use doorward_flows::{Arrived, Key, Memory};
//!
//! let mut memory = Memory::new(Arc::new(Key::new(b"sixteen random bytes or more")));
//! let content = b"DB_PASSWORD=hunter2hunter2\n";
//! memory.returned(&Arrived {
//!     content,
//!     source: "/w/.env",
//!     untrusted: false,
//!     secrets: &[],
//!     secret_file: true,
//!     private: false,
//!     turn: 1,
//!     step: None,
//! });
//! assert_eq!(memory.sources()[0].from, "/w/.env");
//! ```

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

mod arrived;
mod atoms;
mod canary;
mod common;
mod ends;
mod facts;
mod fingerprint;
mod forms;
mod graph;
mod held;
mod kind;
mod lists;
mod memory;
mod merge;
mod named;
mod pieces;
mod private;
mod prose;
mod rules;
mod score;
mod secrets;
mod snapshot;
mod source;
mod speech;
mod table;
mod texts;
mod values;

pub use arrived::Arrived;
pub use atoms::of as names_in;
pub use canary::Canaries;
pub use facts::Fact;
pub use fingerprint::Key;
pub use forms::Form;
pub use graph::drawn;
pub use kind::Kind;
pub use memory::{CompletedFlow, Judged, Memory, Step};
pub use score::ScoreStage;
pub use snapshot::{Snapshot, SnapshotError};
pub use source::{Label, Source};
pub use table::fits;
pub use table::{FlowRule, Joined, MarkWindow, Score, Signal, Table, TableError, Then};
