//! Pins of servers as calls need them, read from the store once and again after any commit to it.
//!
//! A call is judged by the pins of that moment: another process may have approved or changed one just before. A store
//! that can't tell whether something was committed ([`Store::stamp`]) is asked at each call, and one that others share
//! isn't waited for longer than [`PATIENCE`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use doorward_core::id::Digest;
use doorward_mcp::Definition;
use doorward_mcp::pins::State;
use doorward_mcp::schema::Prepared;
use doorward_store::{Stamp, Store, StoreError};

use super::Server;
use super::watch::{identity_digest, read};

/// How long a call waits for a shared store.
const PATIENCE: Duration = Duration::from_millis(100);
/// Servers whose pins are kept.
const MOST_SERVERS: usize = 256;

/// What was read of each server, and the state of the store then, where it can be told.
type ByServer = HashMap<String, (Option<Stamp>, Arc<KnownServer>)>;

/// Pins of the servers that calls came for.
#[derive(Default)]
pub(super) struct KnownPins {
    servers: Mutex<ByServer>,
}

/// A server's rows, as the gate needs them.
#[derive(Default)]
pub(super) struct KnownServer {
    /// What was approved of the server itself.
    pub(super) identity: Option<Digest>,
    pub(super) tools: HashMap<String, Arc<KnownTool>>,
}

/// A tool's row.
pub(super) struct KnownTool {
    pub(super) state: State,
    pub(super) digest: Option<Digest>,
    pub(super) approved: Option<Definition>,
    /// Schema of the arguments, of what was approved.
    pub(super) schema: Option<Arc<Prepared>>,
    /// A person approved it, and was told what was found.
    pub(super) by_person: bool,
}

/// How the server itself stands, beside what was approved of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// Nobody looked at it yet.
    Unseen,
    /// It is the one that was approved.
    Approved,
    /// It is started otherwise, or is another program.
    Other,
}

/// How a server stands, and one of its tools.
pub(super) struct Standing {
    pub(super) server: Identity,
    /// What was approved of the server.
    pub(super) identity: Option<Digest>,
    /// The tool; none where it was never listed, and for prompts and resources.
    pub(super) tool: Option<Arc<KnownTool>>,
}

impl KnownPins {
    fn lock(&self) -> MutexGuard<'_, ByServer> {
        // Every critical section is one change of the map, so a poisoned one is still whole.
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a server stands now, and the named one of its tools.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn standing(
        &self,
        store: &Store,
        server: &Server,
        tool: Option<&str>,
    ) -> Result<Standing, StoreError> {
        let known = self.server(store, &server.name).await?;
        let identity = known.identity.clone();
        let server = match &identity {
            None => Identity::Unseen,
            Some(approved) if *approved == identity_digest(server) => Identity::Approved,
            Some(_) => Identity::Other,
        };
        let tool = tool.and_then(|tool| known.tools.get(tool)).map(Arc::clone);
        Ok(Standing { server, identity, tool })
    }

    /// The approved schema of a tool's arguments, whatever command the server is started with.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn schema(
        &self,
        store: &Store,
        server: &str,
        tool: &str,
    ) -> Result<Option<Arc<Prepared>>, StoreError> {
        let known = self.server(store, server).await?;
        Ok(known.tools.get(tool).and_then(|tool| tool.schema.clone()))
    }

    async fn server(&self, store: &Store, name: &str) -> Result<Arc<KnownServer>, StoreError> {
        // Taken before the rows are read: a commit in between makes it differ from the next one.
        let stamp = store.stamp();
        if let Some(stamp) = stamp
            && let Some((Some(at), known)) = self.lock().get(name)
            && *at == stamp
        {
            return Ok(Arc::clone(known));
        }
        let known = match store.promptly(PATIENCE, store.pins(name)).await {
            Ok(pins) => Arc::new(read(&pins)),
            // What was known a moment ago is what a shared store that is gone had: approvals only come through it.
            Err(StoreError::Unavailable(why)) if store.is_shared() => {
                let known = self.lock().get(name).map(|(_, known)| Arc::clone(known));
                return known.ok_or(StoreError::Unavailable(why));
            }
            Err(error) => return Err(error),
        };
        let mut servers = self.lock();
        if servers.len() >= MOST_SERVERS {
            servers.clear();
        }
        servers.insert(name.to_owned(), (stamp, Arc::clone(&known)));
        Ok(known)
    }
}
