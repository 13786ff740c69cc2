//! The durable record of a service: its log, and the permits that wait for an outcome.

use std::sync::Arc;

use doorward_core::record::{Ledger, LedgerError, Record};
use doorward_gate::{OpenPermits, Outcomes};
use doorward_ledger::Log;
use jiff::Timestamp;

/// The log with its open permits.
pub struct Records {
    log: Arc<Log>,
    open: Arc<OpenPermits>,
}

impl Records {
    /// Over a log that is open. `sessions` hears what became of calls.
    #[must_use]
    pub fn new(log: Arc<Log>, sessions: Arc<dyn Outcomes>) -> Self {
        let open = OpenPermits::new(Arc::clone(&log) as Arc<dyn Ledger>, sessions);
        Self { log, open }
    }

    /// The log.
    #[must_use]
    pub const fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// The log, as the gate takes it.
    #[must_use]
    pub fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::clone(&self.log) as Arc<dyn Ledger>
    }

    /// Permits without an outcome.
    #[must_use]
    pub const fn open(&self) -> &Arc<OpenPermits> {
        &self.open
    }

    /// Appends a record; resolves to its index when it is durable.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn append(&self, record: Record) -> Result<u64, LedgerError> {
        Ledger::append(&*self.log, record).await
    }

    /// Closes permits that were dropped, and those that waited longer than their limit. To be called every now and then.
    pub async fn sweep(&self) {
        if let Err(error) = self.open.sweep(Timestamp::now()).await {
            tracing::error!("{error}");
        }
    }

    /// Writes the outcomes that are owed and closes the log.
    pub async fn close(&self) {
        if let Err(error) = self.open.end_all().await {
            tracing::error!("{error}");
        }
        self.log.close();
    }
}
