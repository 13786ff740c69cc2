//! Limits how long a caller waits for a shared database: not at all while it is known to be down, otherwise a limited
//! time. Calls must not be delayed by a database that is stopped, refuses or doesn't answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::db::Store;
use crate::error::StoreError;

/// After a failure, calls don't ask the database for this long.
const REST: Duration = Duration::from_secs(3);

/// The time of a shared database's last failure.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patience {
    failed: Arc<Mutex<Option<Instant>>>,
}

impl Patience {
    fn rests(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|at| at.elapsed() < REST)
    }

    pub(crate) fn heard(&self, failed: bool) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed.then(Instant::now);
    }
}

impl Store {
    /// Records whether a shared store answered a request made outside of calls.
    pub fn heard(&self, answers: bool) {
        self.patience.heard(!answers);
    }

    /// Asks the store on behalf of a caller that must not wait long. A local database is waited for; a shared one
    /// gets `limit`, and isn't asked at all for a while after a failure.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unavailable`] if it was too slow.
    pub async fn promptly<T>(
        &self,
        limit: Duration,
        asked: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        if !self.is_shared() {
            return asked.await;
        }
        if self.patience.rests() {
            return Err(StoreError::Unavailable("it didn't answer a moment ago".to_owned()));
        }
        let late = |_| StoreError::Unavailable("it didn't answer in time".to_owned());
        let answer = tokio::time::timeout(limit, asked).await.map_err(late).and_then(|answer| answer);
        self.patience.heard(matches!(&answer, Err(StoreError::Unavailable(_))));
        answer
    }
}
