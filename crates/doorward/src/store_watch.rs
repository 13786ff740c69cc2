//! What all services on one store must agree on, as this one knows it: stops and accounts. The store is asked for its
//! epochs every [`ASK_EVERY`], beside the calls and never by one, and for the rest only when an epoch changed. So a
//! store that is down holds up no call; it is told once, in the log and in the health of the service, and what
//! depends on it isn't allowed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use doorward_store::{Epochs, PersonAccount, Stop, Store, StoreError};

use crate::stops::Stops;

/// How often the store is asked whether anything changed.
const ASK_EVERY: Duration = Duration::from_millis(250);
/// How long the store may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// What the store said longer ago than this is no longer known.
const STALE: Duration = Duration::from_secs(2);

/// The store, watched.
pub(crate) struct StoreWatch {
    store: Store,
    stops: Arc<Stops>,
    known: Mutex<Known>,
}

struct Known {
    epochs: Epochs,
    accounts: Arc<Vec<PersonAccount>>,
    /// Changes of accounts through this process when `accounts` was read.
    changes: u64,
    /// When the store last answered.
    answered: Instant,
    /// Why it doesn't.
    trouble: Option<String>,
    /// Everything was read once.
    begun: bool,
    /// What is stopped, by scope.
    stopped: BTreeMap<String, Stop>,
}

impl StoreWatch {
    /// Reads everything once, and goes on asking as long as the watch is there. A shared store may be out of reach:
    /// then only what reads runs until it answers.
    ///
    /// # Errors
    /// [`StoreError`]: a store on this machine doesn't answer, or a shared one isn't what it should be.
    pub(crate) async fn start(store: Store, stops: Arc<Stops>) -> Result<Arc<Self>, StoreError> {
        let known = Known {
            epochs: Epochs::default(),
            accounts: Arc::default(),
            changes: 0,
            answered: Instant::now(),
            trouble: None,
            begun: false,
            stopped: BTreeMap::new(),
        };
        let watch = Arc::new(Self { store, stops, known: Mutex::new(known) });
        match watch.begin().await {
            Err(StoreError::Unavailable(why)) if watch.store.is_shared() => {
                tracing::error!("store.unavailable: {why}; it is tried again until it answers");
                watch.lock().trouble = Some(why);
                watch.stops.set_unknown(true);
            }
            begun => begun?,
        }
        let watched = Arc::downgrade(&watch);
        tokio::spawn(watching(watched));
        Ok(watch)
    }

    /// The store.
    pub(crate) const fn store(&self) -> &Store {
        &self.store
    }

    /// All accounts, as the store had them a moment ago; what this process changed counts at once.
    ///
    /// # Errors
    /// [`StoreError`]: it isn't known who has which role.
    pub(crate) async fn accounts(&self) -> Result<Arc<Vec<PersonAccount>>, StoreError> {
        let changes = self.store.people_changes();
        self.is_there()?;
        {
            let known = self.lock();
            // Where the watch itself is late, the store may have an answer all the same.
            if known.changes == changes && known.answered.elapsed() < STALE {
                return Ok(Arc::clone(&known.accounts));
            }
        }
        let accounts = Arc::new(timely(self.store.accounts()).await?);
        let mut known = self.lock();
        (known.accounts, known.changes) = (Arc::clone(&accounts), changes);
        Ok(accounts)
    }

    /// Whether the store answered when it was asked last.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], why not, without asking it.
    pub(crate) fn is_there(&self) -> Result<(), StoreError> {
        match &self.lock().trouble {
            Some(why) => Err(StoreError::Unavailable(why.clone())),
            None => Ok(()),
        }
    }

    /// An answer of the store that a call needs. What keeps it waiting too long is trouble from then on, so that
    /// the next call doesn't wait.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn promptly<T>(
        &self,
        asked: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.is_there()?;
        self.store.promptly(PATIENCE, asked).await
    }

    /// What is wrong with the store, for people.
    pub(crate) fn problem(&self) -> Option<String> {
        let error = self.is_there().err()?;
        let stops = if self.store.is_shared() {
            "; stops of other services aren't known, so only what reads runs"
        } else {
            ""
        };
        Some(format!("{error}; questions can't be put{stops}"))
    }

    /// What comes first: the schema, stops and accounts.
    async fn begin(&self) -> Result<(), StoreError> {
        let begun = async {
            self.store.prepare().await?;
            let epochs = self.store.epochs().await?;
            self.take_up(epochs, true).await
        };
        if self.store.is_shared() {
            timely(begun).await?
        } else {
            begun.await?
        }
        self.lock().begun = true;
        Ok(())
    }

    async fn look(&self) {
        let asked = async {
            if !self.lock().begun {
                return self.begin().await;
            }
            let epochs = timely(self.store.epochs()).await?;
            timely(self.take_up(epochs, false)).await
        };
        let error = asked.await.err();
        self.store.heard(error.is_none());
        let mut known = self.lock();
        match (&known.trouble, &error) {
            (None, Some(error)) => tracing::error!("{error}; it is tried again until it answers"),
            (Some(_), None) => tracing::info!("the store answers again"),
            _ => {}
        }
        if error.is_none() {
            known.answered = Instant::now();
        }
        known.trouble = error.map(|error| match error {
            StoreError::Unavailable(why) => why,
            other => other.to_string(),
        });
        let unknown = self.store.is_shared() && (!known.begun || known.answered.elapsed() > STALE);
        drop(known);
        self.stops.set_unknown(unknown);
    }

    /// Reads what changed.
    async fn take_up(&self, epochs: Epochs, first: bool) -> Result<(), StoreError> {
        let before = self.lock().epochs;
        if first || before.stops != epochs.stops {
            let changes = self.stops.changes();
            let stopped = self.stopped().await?;
            let by_scope = stopped.values().map(|stop| (stop.scope.clone(), stop.by.clone())).collect();
            if self.stops.replace(by_scope, changes) {
                let mut known = self.lock();
                (known.epochs.stops, known.stopped) = (epochs.stops, stopped);
            }
        }
        if first || before.people != epochs.people {
            let changes = self.store.people_changes();
            let accounts = Arc::new(self.store.accounts().await?);
            let mut known = self.lock();
            (known.accounts, known.changes, known.epochs.people) = (accounts, changes, epochs.people);
        }
        Ok(())
    }

    /// What is stopped: as the store has it, and what was stopped before and nobody lifted whom a known service saw. A
    /// stop whose row somebody deleted stays.
    async fn stopped(&self) -> Result<BTreeMap<String, Stop>, StoreError> {
        let stops = self.store.stops().await?;
        let mut stopped: BTreeMap<String, Stop> =
            stops.into_iter().map(|stop| (stop.scope.clone(), stop)).collect();
        let before = self.lock().stopped.clone();
        for (scope, stop) in before {
            let gone = !stopped.contains_key(&scope);
            if gone && !self.store.was_lifted(&scope, stop.at.as_millisecond()).await? {
                stopped.insert(scope, stop);
            }
        }
        Ok(stopped)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Every critical section sets whole fields.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn watching(watched: Weak<StoreWatch>) {
    loop {
        tokio::time::sleep(ASK_EVERY).await;
        let Some(watch) = watched.upgrade() else { return };
        watch.look().await;
    }
}

/// An answer of the store, or that it took too long.
async fn timely<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let late = |_| StoreError::Unavailable("it didn't answer in time".to_owned());
    tokio::time::timeout(PATIENCE, asked).await.map_err(late)?
}
