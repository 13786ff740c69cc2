//! Pins of servers as calls need them, read from the store once and again after any commit to it.
//!
//! A call is judged by the pins of that moment: another process may have approved or changed one just before. A store
//! that can't tell whether something was committed ([`Store::stamp`]) is asked at each call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use doorward_core::id::Digest;
use doorward_mcp::Definition;
use doorward_mcp::pins::State;
use doorward_mcp::schema::Prepared;
use doorward_store::{Stamp, Store, StoreError};

use super::Server;
use super::watch::{identity_digest, read};

/// Servers whose pins are kept.
const MOST_SERVERS: usize = 256;

/// Pins of the servers that calls came for.
#[derive(Default)]
pub(super) struct KnownPins {
    servers: Mutex<HashMap<String, (Stamp, Arc<KnownServer>)>>,
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
}

/// How a tool stands.
pub(super) struct Standing {
    pub(super) tool: Arc<KnownTool>,
    /// The server itself isn't what was approved.
    pub(super) other_server: bool,
}

impl KnownPins {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Stamp, Arc<KnownServer>)>> {
        // Every critical section is one change of the map, so a poisoned one is still whole.
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a tool stands now; `None` for one that was never listed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn tool(
        &self,
        store: &Store,
        server: &Server,
        tool: &str,
    ) -> Result<Option<Standing>, StoreError> {
        let known = self.server(store, &server.name).await?;
        let other_server = known.identity.as_ref() != Some(&identity_digest(server));
        Ok(known.tools.get(tool).map(|tool| Standing { tool: Arc::clone(tool), other_server }))
    }

    async fn server(&self, store: &Store, name: &str) -> Result<Arc<KnownServer>, StoreError> {
        // Taken before the rows are read: a commit in between makes it differ from the next one.
        let stamp = store.stamp();
        if let Some(stamp) = stamp
            && let Some((at, known)) = self.lock().get(name)
            && *at == stamp
        {
            return Ok(Arc::clone(known));
        }
        let known = Arc::new(read(&store.pins(name).await?));
        if let Some(stamp) = stamp {
            let mut servers = self.lock();
            if servers.len() >= MOST_SERVERS {
                servers.clear();
            }
            servers.insert(name.to_owned(), (stamp, Arc::clone(&known)));
        }
        Ok(known)
    }
}
