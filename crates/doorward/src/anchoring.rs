//! The store as the memory of the ledger's checkpoints: what it remembers of the ledger of one state folder, and how
//! the next checkpoint gets there.
//!
//! A ledger that was rolled back, replaced or removed beside a database that remembers it doesn't open. A database
//! that is shared knows the ledgers of many state folders; each is remembered with the machine and folder it
//! belongs to, so that an empty folder in its place is noticed too.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use doorward_ledger::Anchor;
use doorward_store::{Store, StoreError};
use tokio::sync::watch;

/// Checkpoints of the ledger outside its directory.
#[derive(Clone, Default)]
pub struct Anchoring {
    /// What is remembered of the ledger of this state folder.
    pub known: Vec<Anchor>,
    /// The store couldn't be asked yet what it remembers.
    pub unknown: Option<Remembered>,
    /// Remembers the next checkpoint.
    pub remember: Option<Arc<doorward_ledger::Remember>>,
    /// The checkpoint that is being stored.
    pub pending: Option<Pending>,
}

/// The last checkpoint on its way into the store.
#[derive(Clone)]
pub struct Pending {
    latest: Arc<watch::Sender<Option<Anchor>>>,
    /// Size of the last checkpoint for which the store answered, with success or an error.
    tried_up_to: watch::Receiver<u64>,
}

/// How long a start waits for a shared store.
const AT_START: Duration = Duration::from_secs(2);
/// How often a store that is out of reach is asked what it remembers.
const AGAIN: Duration = Duration::from_secs(1);
/// How long a service that ends waits for the store to take its last checkpoint.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// What a person can do about a ledger that isn't the one that is remembered; empty for any other code.
#[must_use]
pub fn what_to_do(code: &str) -> &'static str {
    match code {
        "ledger.wiped" | "ledger.replaced" | "ledger.rollback" | "ledger.fork" => {
            "; put the folder back as it was, or, if you lost or replaced it yourself, run: doorward audit accept"
        }
        _ => "",
    }
}

/// Whose ledgers a store remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remembered {
    /// The store lies in the state folder: whatever it remembers is the ledger of that folder.
    OfItsFolder,
    /// The store is shared: ledgers are told apart by the machine and folder they belong to.
    OfManyFolders {
        /// This machine and this folder.
        home: String,
        /// Name of the ledger that lies in the folder now. What is remembered of it counts wherever it was remembered:
        /// the folder may have been moved, or the machine renamed.
        origin: Option<String>,
    },
}

/// Names a state folder among those of all machines: the machine's id, its host name, and the folder's path. None of
/// the three is kept in the folder, so emptying the folder doesn't change the name.
fn home(state: &Path) -> String {
    let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let path = state.canonicalize().unwrap_or_else(|_| state.to_owned());
    format!("{}@{}:{}", machine.trim(), host.trim(), path.display())
}

impl Remembered {
    /// Of a shared store: what belongs to this state folder.
    #[must_use]
    pub fn in_shared_store(state: &Path) -> Self {
        let origin = std::fs::read_to_string(state.join("ledger/origin")).ok();
        Self::OfManyFolders { home: home(state), origin: origin.map(|line| line.trim_end().to_owned()) }
    }

    /// What `store` remembers of the ledger of this state folder.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn anchors(&self, store: &Store) -> Result<Vec<Anchor>, StoreError> {
        let mine = |anchor: &doorward_store::StoredAnchor| match self {
            Self::OfItsFolder => true,
            Self::OfManyFolders { home, origin } => {
                anchor.home == *home || origin.as_ref() == Some(&anchor.origin)
            }
        };
        let known = store.anchors().await?.into_iter().filter(mine);
        Ok(known
            .map(|known| Anchor {
                origin: known.origin,
                vkey: known.vkey,
                size: known.size,
                root: known.root,
            })
            .collect())
    }

    /// A checkpoint as the store keeps it.
    fn row(&self, anchor: &Anchor) -> doorward_store::StoredAnchor {
        let home = match self {
            Self::OfItsFolder => String::new(),
            Self::OfManyFolders { home, .. } => home.clone(),
        };
        doorward_store::StoredAnchor {
            home,
            origin: anchor.origin.clone(),
            vkey: anchor.vkey.clone(),
            size: anchor.size,
            root: anchor.root,
        }
    }
}

impl Anchoring {
    /// What the store remembers, and a way to remember more. Checkpoints are stored by a task of their own, so that
    /// signing never waits for the database; a failure shows in the health from the next checkpoint on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn over(store: &Store, remembered: Remembered) -> Result<Self, StoreError> {
        let prepared = async {
            store.prepare().await?;
            remembered.anchors(store).await
        };
        let (known, unknown) = match store.promptly(AT_START, prepared).await {
            // A shared store that is out of reach: the ledger is compared with it when it answers.
            Err(StoreError::Unavailable(_)) if store.is_shared() => (Vec::new(), Some(remembered.clone())),
            known => (known?, None),
        };
        // A newer checkpoint replaces one that still waits: only the last one matters.
        let (latest, mut wanted) = watch::channel(None::<Anchor>);
        let (tried, tried_up_to) = watch::channel(0);
        let failed: Arc<Mutex<Option<String>>> = Arc::default();
        let (store, failure) = (store.clone(), Arc::clone(&failed));
        tokio::spawn(async move {
            while wanted.changed().await.is_ok() {
                let Some(next) = wanted.borrow_and_update().clone() else { continue };
                let error = store.remember(&remembered.row(&next)).await.err().map(|error| error.to_string());
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = error;
                tried.send_replace(next.size);
            }
        });
        let latest = Arc::new(latest);
        let pending = Pending { latest: Arc::clone(&latest), tried_up_to };
        let remember = move |anchor: &Anchor| {
            latest.send_replace(Some(anchor.clone()));
            failed.lock().unwrap_or_else(PoisonError::into_inner).clone().map_or(Ok(()), Err)
        };
        Ok(Self { known, unknown, remember: Some(Arc::new(remember)), pending: Some(pending) })
    }
}

/// Compares a ledger that was opened while its store was out of reach with what the store remembers of it, as soon as
/// that answers. A ledger that isn't the one that is remembered stops everything.
pub(crate) async fn compare_later(
    store: Store,
    remembered: Remembered,
    (ledger, size): (std::path::PathBuf, u64),
    stops: std::sync::Weak<crate::stops::Stops>,
) {
    let anchors = loop {
        tokio::time::sleep(AGAIN).await;
        if stops.strong_count() == 0 {
            return;
        }
        let asked = async {
            store.prepare().await?;
            remembered.anchors(&store).await
        };
        if let Ok(Ok(anchors)) = tokio::time::timeout(FLUSH_TIMEOUT, asked).await {
            break anchors;
        }
    };
    let options = doorward_ledger::VerifyOptions {
        anchors,
        from: size,
        skip_contents: true,
        ..doorward_ledger::VerifyOptions::default()
    };
    let looked = tokio::task::spawn_blocking(move || doorward_ledger::verify(&ledger, &options)).await;
    let fault = match looked {
        Ok(Ok(report)) => report.first().filter(|fault| !fault.harmless).map(|fault| fault.message.clone()),
        Ok(Err(error)) => Some(error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    if let (Some(fault), Some(stops)) = (fault, stops.upgrade()) {
        tracing::error!("the store answers, and remembers another ledger: {fault}");
        stops.stop(
            crate::stops::ALL,
            &format!("Doorward (its ledger isn't the one that the store remembers: {fault})"),
        );
    }
}

impl Pending {
    /// Waits until the store has answered for the last checkpoint, at most five seconds. Without this the
    /// service could end before the checkpoint that it signs when it stops is stored.
    pub async fn stored(&self) {
        let size = self.latest.borrow().as_ref().map_or(0, |anchor| anchor.size);
        let mut tried_up_to = self.tried_up_to.clone();
        let stored = tokio::time::timeout(FLUSH_TIMEOUT, tried_up_to.wait_for(|tried| *tried >= size)).await;
        if !matches!(stored, Ok(Ok(_))) {
            tracing::warn!("the last checkpoint of the ledger was not stored in the database");
        }
    }
}
