//! What can go wrong with the store, each with a stable code.

/// An error of the store. A decision that needed the store is denied under the same code.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be reached or refused.
    #[error("store.unavailable: {0}")]
    Unavailable(String),
    /// What is stored can't be read as what it should be.
    #[error("store.corrupt: {0}")]
    Corrupt(String),
    /// No such row.
    #[error("store.not_found: {0}")]
    NotFound(String),
    /// Another instance has taken the session over.
    #[error("session.moved: another instance owns this session")]
    Moved,
    /// An anchor would shrink.
    #[error("ledger.rollback: the anchor remembers size {known}, told was {told}")]
    Rollback {
        /// Size remembered.
        known: u64,
        /// Size told.
        told: u64,
    },
    /// An anchor would change its root or key.
    #[error("ledger.fork: the anchor remembers another root or key")]
    Fork,
    /// The database is of a newer program.
    #[error("store.newer: schema version {0} is newer than this program")]
    Newer(i64),
    /// The database is of an older program, and was opened only to be read.
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
        // The driver's own text may quote the connection string, password included.
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
