//! Memories of sessions in the store: read when a session first appears, written in the background so that calls don't
//! wait, and merged if instances share the store.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use doorward_flows::{Key, Memory, Snapshot};
use doorward_store::{Store, StoreError};
use jiff::Timestamp;
use tokio::sync::Notify;

use super::memories::{Memories, open};

/// The name under which the store keeps the key of fingerprints.
const KEY: &str = "flows.key";
/// Changes that come this close together are written at once.
const TOGETHER: Duration = Duration::from_millis(50);
/// How long a call waits for what another instance learned of its session.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long a write to a shared store may take.
const WRITING: Duration = Duration::from_secs(5);
/// How often a write is tried while another instance writes the same memory.
const TRIES: usize = 4;

/// The store of memories.
#[derive(Debug)]
pub(crate) struct Keeping {
    store: Store,
    /// Versions that were read or written last.
    versions: Mutex<HashMap<String, i64>>,
    changed: Mutex<BTreeSet<String>>,
    wake: Notify,
}

impl Keeping {
    /// Memories in a store, with its key, which is made the first time and is the same for every instance.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn over(store: Store, made: [u8; 32]) -> Result<(Self, Key), StoreError> {
        let text: String = made.iter().map(|byte| format!("{byte:02x}")).collect();
        let asked = store.set_once(KEY, &text, "doorward");
        let key = Key::new(store.promptly(WRITING, asked).await?.as_bytes());
        let keeping =
            Self { store, versions: Mutex::default(), changed: Mutex::default(), wake: Notify::new() };
        Ok((keeping, key))
    }

    /// Reads the kept memory of a session that is new here, or that another instance changed meanwhile. If the store
    /// doesn't answer, the session continues with what is known here.
    pub(crate) async fn refresh(&self, name: &str, memories: &Memories) {
        let known = self.versions().get(name).copied();
        if known.is_some() && !self.store.is_shared() {
            return;
        }
        let read = self.read(name, known, memories);
        if let Err(error) = self.store.promptly(PATIENCE, read).await {
            tell("read", name, &error);
        }
    }

    async fn read(&self, name: &str, known: Option<i64>, memories: &Memories) -> Result<(), StoreError> {
        if let Some(known) = known
            && self.store.memory_version(name).await? == known
        {
            return Ok(());
        }
        let kept = self.store.memory(name).await?;
        let version = kept.as_ref().map_or(0, |kept| kept.version);
        if let Some(kept) = kept {
            match restored(memories, &kept.content) {
                Ok(other) => open(&memories.get(name)).absorb(other),
                Err(why) => tracing::error!("the memory of session {name} can't be read: {why}"),
            }
        }
        self.versions().insert(name.to_owned(), version);
        Ok(())
    }

    /// Notes that a memory changed and has to be written.
    pub(crate) fn changed(&self, name: &str) {
        self.names().insert(name.to_owned());
        self.wake.notify_one();
    }

    /// Writes changes as they come, until the session book is dropped.
    pub(crate) async fn write_on(self: Arc<Self>, memories: std::sync::Weak<super::SessionBook>) {
        loop {
            self.wake.notified().await;
            if !self.store.is_shared() {
                tokio::time::sleep(TOGETHER).await;
            }
            let Some(book) = memories.upgrade() else { return };
            self.write_all(&book.memories).await;
            // What a store that is gone couldn't take is written when it is back.
            if !self.names().is_empty() {
                let keeping = Arc::clone(&self);
                tokio::spawn(async move {
                    tokio::time::sleep(WRITING).await;
                    keeping.wake.notify_one();
                });
            }
        }
    }

    /// Writes everything that changed.
    pub(crate) async fn write_all(&self, memories: &Memories) {
        let names = std::mem::take(&mut *self.names());
        for name in names {
            let Some(memory) = memories.find(&name) else { continue };
            for _ in 0..TRIES {
                let Ok(snapshot) = open(&memory).snapshot() else { break };
                let Ok(content) = serde_json::to_string(&snapshot) else { break };
                let version = self.versions().get(&name).copied().unwrap_or_default();
                let saved = self.store.save_memory(&name, version, &content, Timestamp::now());
                match bounded(&self.store, saved).await {
                    Ok(version) => {
                        self.versions().insert(name.clone(), version);
                        break;
                    }
                    Err(StoreError::Moved) => {
                        if let Err(error) = bounded(&self.store, self.read(&name, None, memories)).await {
                            tell("read", &name, &error);
                            break;
                        }
                    }
                    Err(error) => {
                        tell("kept", &name, &error);
                        if self.store.is_shared() && matches!(error, StoreError::Unavailable(_)) {
                            self.names().insert(name.clone());
                        }
                        break;
                    }
                }
            }
        }
    }

    fn versions(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn names(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer of the store, which is shared and may have none.
async fn bounded<T>(
    store: &Store,
    asked: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    if !store.is_shared() {
        return asked.await;
    }
    let late = |_| StoreError::Unavailable("it didn't answer in time".to_owned());
    tokio::time::timeout(WRITING, asked).await.map_err(late)?
}

fn restored(memories: &Memories, content: &str) -> Result<Memory, String> {
    let snapshot: Snapshot = serde_json::from_str(content).map_err(|error| error.to_string())?;
    Memory::restored(memories.key(), snapshot).map_err(|error| error.to_string())
}
/// Logs that a memory can't be read or kept. That the store can't be reached is reported once by `store_watch`, not at
/// every call.
fn tell(what: &str, name: &str, error: &StoreError) {
    if matches!(error, StoreError::Unavailable(_)) {
        tracing::debug!("the memory of session {name} can't be {what}: {error}");
    } else {
        tracing::error!("the memory of session {name} can't be {what}: {error}");
    }
}
