//! The door with people to ask: store, broker and door, opened in their order and joined.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use doorward::anchoring::Remembered;
use doorward::{Broker, Door, OpenError, Options};
use doorward_core::Approver;
use doorward_store::Store;

use crate::output::Failure;

/// The store's file in the state directory.
const FILE: &str = "doorward.db";

/// Opens everything that a service needs.
pub(crate) async fn open(state: &Path, options: Options) -> Result<(Arc<Door>, Arc<Broker>), Failure> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(state)
        .map_err(|source| OpenError::State { path: state.to_owned(), source })?;
    let (place, remembered) = store_of(state, &options);
    let store = match &remembered {
        Remembered::OfManyFolders { .. } => Store::open(&place).await?,
        Remembered::OfItsFolder => Store::open_file(place.as_ref()).await?,
    };
    let broker = Broker::new(store);
    let anchoring = broker.anchoring(remembered).await?;
    let door = Door::open_anchored(options, Some(Arc::clone(&broker) as Arc<dyn Approver>), anchoring)?;
    broker.attach(&door).await?;
    Ok((door, broker))
}

/// Where the database of a state folder is, and which of the ledgers it remembers are that folder's.
pub(crate) fn store_of(state: &Path, options: &Options) -> (String, Remembered) {
    let configured = options.places.load(None).ok().and_then(|loaded| loaded.settings.store.url);
    match configured {
        Some(url) => (url, Remembered::in_shared_store(state)),
        None => (state.join(FILE).display().to_string(), Remembered::OfItsFolder),
    }
}

/// The user this runs as, as accounts are named.
pub(crate) fn own_name() -> String {
    doorward::hook::user_name(rustix::process::getuid().as_raw())
}
