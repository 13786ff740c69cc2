//! State that outlives a process and is shared between instances: questions and answers, grants, memories of sessions,
//! pinned tool definitions, accounts and tokens, and the anchors of ledgers.
//!
//! SQLite by default (WAL, `synchronous=FULL`, one writing connection), PostgreSQL by URL for several instances; the
//! same portable SQL on both. Two guarantees matter most: of several answers to one question exactly one is recorded,
//! and of several calls that fit a single-use grant exactly one gets it.
//!
//! ```
//! use doorward_store::Store;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), doorward_store::StoreError> {
//! let store = Store::in_memory().await?;
//! store.set("approver.sound", "off", "user:ana").await?;
//! assert_eq!(store.get("approver.sound").await?.as_deref(), Some("off"));
//! # Ok(()) }
//! ```

mod access;
mod anchors;
mod approvals;
mod db;
mod epochs;
mod error;
mod grants;
mod memories;
mod migrations;
mod patience;
mod people;
mod pins;
mod seals;
mod shown;
mod stamp;
mod waiting;

pub use access::Requested;
pub use anchors::StoredAnchor;
pub use approvals::{Answered, Answering, AskRecord, AskState, Vote};
pub use db::Store;
pub use epochs::Epochs;
pub use error::StoreError;
pub use grants::{FORGED, GrantRequest, Redemption};
pub use memories::KeptMemory;
pub use people::{NewToken, PersonAccount, Role, TokenInfo, TokenLabel};
pub use pins::{Pin, Stop};
pub use seals::Seals;
pub use shown::MARK as NOT_SHOWN;
pub use stamp::Stamp;
