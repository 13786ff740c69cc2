//! The door with people to ask: store, broker and door, opened in their order and joined.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

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
    let configured = options.places.load(None).ok().and_then(|loaded| loaded.settings.store.url);
    let store = match configured {
        Some(url) => Store::open(&url).await?,
        None => Store::open_file(&state.join(FILE)).await?,
    };
    let broker = Broker::new(store);
    let anchoring = broker.anchoring().await?;
    let door = Door::open_anchored(options, Some(Arc::clone(&broker) as Arc<dyn Approver>), anchoring)?;
    broker.attach(&door).await?;
    Ok((door, broker))
}

/// The user this runs as, as accounts are named.
pub(crate) fn own_name() -> String {
    doorward::hook::user_name(rustix::process::getuid().as_raw())
}
