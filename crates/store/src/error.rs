//! Errors of the store, with stable codes.

/// An error of the store. A decision that needed the store is denied under the same code.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be reached, or refused the request.
    #[error("store.unavailable: {0}")]
    Unavailable(String),
    /// A stored value is invalid.
    #[error("store.corrupt: {0}")]
    Corrupt(String),
    /// The row doesn't exist.
    #[error("store.not_found: {0}")]
    NotFound(String),
    /// Another instance took over the session.
    #[error("session.moved: another instance owns this session")]
    Moved,
    /// An anchor's size would decrease.
    #[error("ledger.rollback: the stored checkpoint has size {known}, the new one only {told}")]
    Rollback {
        /// Stored size.
        known: u64,
        /// New size.
        told: u64,
    },
    /// An anchor's root or key would change.
    #[error("ledger.fork: the anchor remembers another root or key")]
    Fork,
    /// A newer program made the schema of this version.
    #[error("store.newer: schema version {0} is newer than this program")]
    Newer(i64),
    /// An older program made the schema, and the store was opened only for reading.
    #[error(
        "store.older: schema version {0} is older than this program; start the service once, which migrates it"
    )]
    Older(i64),
}

impl StoreError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "store.unavailable",
            Self::Corrupt(_) => "store.corrupt",
            Self::NotFound(_) => "store.not_found",
            Self::Moved => "session.moved",
            Self::Rollback { .. } => "ledger.rollback",
            Self::Fork => "ledger.fork",
            Self::Newer(_) => "store.newer",
            Self::Older(_) => "store.older",
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        // The driver's own message may quote the connection string with its password.
        match error {
            sqlx::Error::Configuration(_) => Self::Unavailable("the database URL is not usable".to_owned()),
            sqlx::Error::Database(error) => Self::Unavailable(error.message().to_owned()),
            sqlx::Error::PoolTimedOut => Self::Unavailable("no connection became free".to_owned()),
            sqlx::Error::Io(error) => Self::Unavailable(error.kind().to_string()),
            sqlx::Error::ColumnDecode { index, .. } => Self::Corrupt(format!("column {index}")),
            _ => Self::Unavailable("the database did not answer".to_owned()),
        }
    }
}
