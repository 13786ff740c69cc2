//! The parts of the MCP gateway that need no service: framing and messages, tool definitions with their pins, the
//! scan of definitions for poisoning, the cleaning of results, and the relay that puts a [`relay::Keeper`] between a
//! client and a server.
//!
//! Everything here works on the original bytes. A message is forwarded as it came unless something in it had to change,
//! and then only the changed member is written anew.

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod clean;
pub mod definition;
pub mod dialogs;
pub mod frame;
pub mod headers;
pub mod message;
pub mod pins;
pub mod relay;
pub mod scan;
pub mod schema;
pub mod sse;

pub use definition::Definition;
pub use scan::{Listed, ScanFinding, ScanVerdict, scan};
