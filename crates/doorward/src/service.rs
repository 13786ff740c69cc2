//! A door as a service has it: with the store that its settings name, or the one in its state directory.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use doorward_store::Store;

use crate::anchoring::Remembered;
use crate::door::{Door, OpenError};
use crate::installation::Options;

/// How long a store is waited for by whoever only judges.
const PATIENCE: Duration = Duration::from_secs(2);
/// The store's file in the state directory.
const FILE: &str = "doorward.db";

impl Door {
    /// Opens everything that a service needs: the store, then the door over it.
    ///
    /// # Errors
    /// As [`Door::open_with_store`].
    pub async fn open_service(state: &Path, options: Options) -> Result<Arc<Self>, OpenError> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(state)
            .map_err(|source| OpenError::State { path: state.to_owned(), source })?;
        let (place, remembered) = store_of(state, &options);
        let store = match &remembered {
            Remembered::OfManyFolders { .. } => Store::open_later(&place).await?,
            Remembered::OfItsFolder => Store::open_file(place.as_ref()).await?,
        };
        Self::open_with_store(options, store, remembered).await
    }

    /// Takes over what is stopped at the service of a state folder, for a door that only judges: what its gate would
    /// deny is denied here too. A store that can't be read could hold a stop, so then only what reads is let pass.
    pub async fn know_stops(&self, state: &Path) {
        let (place, _) = store_of(state, &Options::usual(state));
        let stops = &self.projects().shared().stops;
        let read = async {
            let Some(store) = Store::open_to_read(&place).await? else { return Ok(Vec::new()) };
            store.stops().await
        };
        match tokio::time::timeout(PATIENCE, read).await {
            Ok(Ok(stopped)) => stopped.iter().for_each(|stop| stops.stop(&stop.scope, &stop.by)),
            Ok(Err(_)) | Err(_) => stops.set_unknown(true),
        }
    }
}

/// Where the database of a state folder is, and which of the ledgers it remembers are that folder's.
#[must_use]
pub fn store_of(state: &Path, options: &Options) -> (String, Remembered) {
    let configured = options.places.load(None).ok().and_then(|loaded| loaded.settings.store.url);
    match configured {
        Some(url) => (url, Remembered::in_shared_store(state)),
        None => (state.join(FILE).display().to_string(), Remembered::OfItsFolder),
    }
}
