//! How long whoever needs an answer waits for a database that others share: not at all while it is known to be gone,
//! and a bounded time otherwise. A call must not pay for a database that is stopped, refuses or says nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::db::Store;
use crate::error::StoreError;

/// How long a database that failed isn't asked again in the way of a call.
const REST: Duration = Duration::from_secs(3);

/// When a shared database failed last.
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
    /// Whoever asks a shared store beside the calls tells whether it answered.
    pub fn heard(&self, answers: bool) {
        self.patience.heard(!answers);
    }

    /// An answer of the store, for whoever must not wait long for one. A database on this machine is waited for. One
    /// that is shared has `limit`, and isn't asked at all for a while after it failed.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unavailable`] where it was too slow.
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
