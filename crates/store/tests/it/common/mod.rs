//! Both databases: always SQLite in a file, and a separate PostgreSQL cluster if the server is installed.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "postgres.rs"]
mod postgres;

use std::path::Path;
use std::time::Duration;

use doorward_store::Store;
pub(crate) use postgres::Postgres;

/// Runs a test on each available database.
pub(crate) async fn on_each<F, W>(test: F)
where
    F: Fn(Store) -> W,
    W: Future<Output = ()>,
{
    let dir = tempfile::tempdir().unwrap();
    test(sqlite(dir.path()).await).await;
    if let Some(server) = Postgres::start() {
        let store = retry(&server.url()).await;
        test(store.clone()).await;
        store.close().await;
    }
}

pub(crate) async fn sqlite(dir: &Path) -> Store {
    Store::open(dir.join("a store.db").to_str().unwrap()).await.unwrap()
}

/// The socket exists shortly before the server accepts connections.
async fn retry(url: &str) -> Store {
    for _ in 0..50 {
        if let Ok(store) = Store::open(url).await {
            return store;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Store::open(url).await.unwrap()
}
