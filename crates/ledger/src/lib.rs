//! An append-only transparency log: every later change of a record is detected.
//!
//! Entries are the leaves of an RFC 6962 tree, stored as C2SP tiles and entry bundles and signed as C2SP checkpoints.
//! A record is acknowledged once its journal frame is on disk (group commit: one sync for all waiting records); tiles
//! and checkpoints are written later. [`verify`] finds every change of signed data, and reports the first bad index
//! and the trustworthy part.
//!
//! ```
//! use doorward_core::RecordId;
//! use doorward_core::record::{NoteRecord, Record};
//! use doorward_ledger::{Log, Options, Reader, VerifyOptions, verify};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dir = tempfile::tempdir()?;
//! let log = Log::open(dir.path().join("ledger"), Options::default())?;
//! let note = NoteRecord {
//!     v: 1,
//!     id: RecordId::fresh(),
//!     time: jiff::Timestamp::now(),
//!     code: "example".into(),
//!     message: "hello".into(),
//!     detail: None,
//! };
//! let index = log.append_blocking(Record::Note(note))?;
//! log.close();
//!
//! let reader = Reader::open(log.dir())?;
//! assert_eq!(reader.tail(1)?.first().map(|stored| stored.index), Some(index));
//! assert!(reader.receipt(index)?.is_some());
//! assert!(verify(log.dir(), &VerifyOptions::default())?.intact());
//! # Ok(()) }
//! ```

pub mod content;
pub mod disk;
mod entry;
pub mod export;
mod files;
mod filter;
pub mod journal;
mod keeping;
mod log;
mod meaning;
pub mod note;
mod publish;
mod queue;
mod reader;
mod receipt;
mod recover;
mod skim;
mod sweep;
pub mod tile;
pub mod tree;
mod verify;
mod writer;

pub use entry::{ArgsKept, Entry};
pub use filter::Filter;
pub use log::{Dropped, Log, LogHealth, Options, Remember};
pub use note::{Checkpoint, Key, VerifierKey};
pub use queue::Append;
pub use reader::{Reader, Stored};
pub use receipt::{Receipt, ReceiptError};
pub use recover::{OpenError, Recovery, wiped};
pub use tree::Hash;
pub use verify::{Anchor, Fault, VerifyOptions, VerifyReport, verify};
