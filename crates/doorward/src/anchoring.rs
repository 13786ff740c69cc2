//! The store as the memory of the ledger's checkpoints: what it remembers of the ledger of one state folder, and how
//! the next checkpoint gets there.
//!
//! A ledger that was rolled back, replaced or removed beside a database that remembers it doesn't open. A database
//! that is shared knows the ledgers of many state folders; each is remembered with the machine and folder it
//! belongs to, so that an empty folder in its place is noticed too.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use doorward_ledger::Anchor;
use doorward_store::{Store, StoreError};

/// Checkpoints of the ledger outside its directory.
#[derive(Clone, Default)]
pub struct Anchoring {
    /// What is remembered of the ledger of this state folder.
    pub known: Vec<Anchor>,
    /// Remembers the next checkpoint.
    pub remember: Option<Arc<doorward_ledger::Remember>>,
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
        let mine = |anchor: &doorward_store::Anchor| match self {
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

    fn home(&self) -> &str {
        match self {
            Self::OfItsFolder => "",
            Self::OfManyFolders { home, .. } => home,
        }
    }
}

impl Anchoring {
    /// What the store remembers, and a way to remember more. Checkpoints are written behind the log's back, so that
    /// signing waits for no database; a failure shows in the health from the next checkpoint on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn over(store: &Store, remembered: Remembered) -> Result<Self, StoreError> {
        let known = remembered.anchors(store).await?;
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel::<Message>();
        let failed: Arc<Mutex<Option<String>>> = Arc::default();
        let (store, failure) = (store.clone(), Arc::clone(&failed));
        tokio::spawn(async move {
            while let Some(mut message) = told.recv().await {
                // Of checkpoints that wait only the last one matters.
                while let Message::Remember(_) = &message {
                    let Ok(later) = told.try_recv() else { break };
                    if let (Message::Remember(earlier), Message::Drain(_)) = (&message, &later) {
                        keep(&store, &remembered, earlier, &failure).await;
                    }
                    message = later;
                }
                match message {
                    Message::Remember(next) => keep(&store, &remembered, &next, &failure).await,
                    // Whoever waited may be gone.
                    Message::Drain(done) => drop(done.send(())),
                }
            }
        });
        let (remembering, draining) = (tell.clone(), tell);
        let remember = doorward_store::Anchor {
                    home: remembered.home().to_owned(),
                    origin: next.origin,
                    vkey: next.vkey,
                    size: next.size,
                    root: next.root,
                };
                let error = store.remember(&anchor).await.err().map(|error| error.to_string());
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = error;
            }
        });
        let remember = move |anchor: &Anchor| {
            let _ = tell.send(anchor.clone());
            failed.lock().unwrap_or_else(PoisonError::into_inner).clone().map_or(Ok(()), Err)
        };
        Ok(Self { known, remember: Some(Arc::new(remember)) })
    }
}
