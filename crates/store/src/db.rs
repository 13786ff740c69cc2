//! The database connection: kind of database, pools, schema, and conversion of column values.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{Any, AnyPool, AssertSqlSafe, Row as _, Transaction};
use tokio::sync::Notify;

use crate::error::StoreError;
use crate::migrations::VERSIONS;
use crate::patience::Patience;
use crate::seals::Seals;
use crate::stamp;

/// The store. Cheap to clone; all clones share the connections.
#[derive(Clone)]
pub struct Store {
    pub(crate) read: AnyPool,
    pub(crate) write: AnyPool,
    kind: Kind,
    /// Notified whenever this process records an answer.
    pub(crate) answered: Arc<Notify>,
    /// Number of account changes through this store and its clones.
    pub(crate) people: Arc<AtomicU64>,
    /// The index file of an SQLite database, whose header changes with each commit.
    pub(crate) index: Option<Arc<Path>>,
    /// Whether the schema was checked and is this program's.
    ready: Arc<AtomicBool>,
    pub(crate) patience: Patience,
    pub(crate) seals: Arc<OnceLock<Arc<dyn Seals>>>,
    /// Rows that nobody sealed, in words.
    pub(crate) forged: Arc<Mutex<BTreeSet<String>>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("kind", &self.kind).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

/// Time limit for connecting to a server.
const CONNECTING: Duration = Duration::from_secs(2);

pub(crate) type Tx = Transaction<'static, Any>;

/// Whether the location is a PostgreSQL server.
///
/// # Errors
/// [`StoreError::Unavailable`] if it is, but this build doesn't support PostgreSQL.
fn is_remote(place: &str) -> Result<bool, StoreError> {
    let remote = place.starts_with("postgres://") || place.starts_with("postgresql://");
    if remote && !cfg!(feature = "postgres") {
        return Err(StoreError::Unavailable(
            "this build has no PostgreSQL: take a released build, or build with `--features postgres`"
                .to_owned(),
        ));
    }
    Ok(remote)
}

impl Store {
    /// Opens by URL (`postgres://…`, `sqlite:PATH`) or by the path of an SQLite file; creates and migrates the
    /// database as needed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Newer`].
    pub async fn open(place: &str) -> Result<Self, StoreError> {
        if is_remote(place)? {
            sqlx::any::install_default_drivers();
            let pool = pool(Kind::Postgres, 8).connect(place).await?;
            return Self::ready(pool.clone(), pool, Kind::Postgres, None).await;
        }
        let path = place.strip_prefix("sqlite:").unwrap_or(place);
        Self::open_file(Path::new(path.strip_prefix("//").unwrap_or(path))).await
    }

    /// Like [`Store::open`], but connects later if the server can't be reached now. Until [`Store::prepare`]
    /// succeeds, all other requests fail or wait.
    ///
    /// # Errors
    /// As [`Store::open`], except that an unreachable server is no error.
    pub async fn open_later(place: &str) -> Result<Self, StoreError> {
        if !is_remote(place)? {
            return Self::open(place).await;
        }
        sqlx::any::install_default_drivers();
        let pool = pool(Kind::Postgres, 8).connect_lazy(place)?;
        Ok(Self::over(pool.clone(), pool, Kind::Postgres, None))
    }

    /// Creates or migrates the schema once. A store opened by [`Store::open_later`] needs this before any other
    /// request.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Newer`].
    pub async fn prepare(&self) -> Result<(), StoreError> {
        if !self.ready.load(Ordering::Acquire) {
            self.migrate().await?;
            self.ready.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn over(read: AnyPool, write: AnyPool, kind: Kind, index: Option<PathBuf>) -> Self {
        Self {
            read,
            write,
            kind,
            answered: Arc::default(),
            people: Arc::default(),
            index: index.map(Arc::from),
            ready: Arc::default(),
            patience: Patience::default(),
            seals: Arc::default(),
            forged: Arc::default(),
        }
    }

    /// Opens an SQLite file; creates it with permissions for the owner only.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_file(path: &Path) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let unusable = |error: std::io::Error| StoreError::Unavailable(error.kind().to_string());
        private(path).map_err(unusable)?;
        let options = file_options(path, "mode=rw")?;
        let write = pool(Kind::Sqlite, 1).connect_with(options.clone()).await?;
        let read = pool(Kind::Sqlite, 4).connect_lazy_with(options);
        Self::ready(read, write, Kind::Sqlite, stamp::index_of(path)).await
    }

    /// Opens for reading and changes nothing: doesn't create or migrate the schema, nor write to an SQLite file.
    /// `None` if the file doesn't exist.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; [`StoreError::Newer`] if a newer program made the schema; [`StoreError::Older`]
    /// if the service hasn't migrated it yet.
    pub async fn open_to_read(place: &str) -> Result<Option<Self>, StoreError> {
        sqlx::any::install_default_drivers();
        let remote = is_remote(place)?;
        let (pool, kind) = if remote {
            (pool(Kind::Postgres, 1).connect(place).await?, Kind::Postgres)
        } else {
            let path = place.strip_prefix("sqlite:").unwrap_or(place);
            let path = Path::new(path.strip_prefix("//").unwrap_or(path));
            if !path.exists() {
                return Ok(None);
            }
            let options = file_options(path, if is_in_use(path) { "mode=ro" } else { "immutable=true" })?;
            let pool = AnyPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(10));
            (pool.connect_with(options).await?, Kind::Sqlite)
        };
        let store = Self::over(pool.clone(), pool, kind, None);
        let row = sqlx::query("select coalesce(max(version), 0) from schema_version")
            .fetch_one(&store.read)
            .await?;
        let version: i64 = row.try_get(0)?;
        match usize::try_from(version).unwrap_or(usize::MAX).cmp(&VERSIONS.len()) {
            std::cmp::Ordering::Less => Err(StoreError::Older(version)),
            std::cmp::Ordering::Equal => Ok(Some(store)),
            std::cmp::Ordering::Greater => Err(StoreError::Newer(version)),
        }
    }

    /// A store in memory, deleted with its last clone: for tests and trials.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn in_memory() -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let pool =
            pool(Kind::Sqlite, 1).idle_timeout(None).max_lifetime(None).connect("sqlite::memory:").await?;
        Self::ready(pool.clone(), pool, Kind::Sqlite, None).await
    }

    async fn ready(
        read: AnyPool,
        write: AnyPool,
        kind: Kind,
        index: Option<PathBuf>,
    ) -> Result<Self, StoreError> {
        let store = Self::over(read, write, kind, index);
        store.prepare().await?;
        Ok(store)
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        if self.kind == Kind::Postgres {
            // Two instances that start at the same time must not both create the tables.
            sqlx::query("select pg_advisory_xact_lock(7276001)").execute(&mut *tx).await?;
        }
        sqlx::query("create table if not exists schema_version (version bigint primary key)")
            .execute(&mut *tx)
            .await?;
        let row =
            sqlx::query("select coalesce(max(version), 0) from schema_version").fetch_one(&mut *tx).await?;
        let version: i64 = row.try_get(0)?;
        let done = usize::try_from(version).unwrap_or(usize::MAX);
        if done > VERSIONS.len() {
            return Err(StoreError::Newer(version));
        }
        for (number, statements) in (1_i64..).zip(VERSIONS).skip(done) {
            for statement in *statements {
                let (bytes, strict) = match self.kind {
                    Kind::Sqlite => ("blob", " strict"),
                    Kind::Postgres => ("bytea", ""),
                };
                // SQLite's STRICT tables accept INTEGER, not BIGINT; both have 64 bits.
                let text = statement.replace("{bytes}", bytes).replace("{strict}", strict);
                let text = if self.kind == Kind::Sqlite { text.replace(" bigint", " integer") } else { text };
                sqlx::query(AssertSqlSafe(text)).execute(&mut *tx).await?;
            }
            sqlx::query("insert into schema_version (version) values ($1)")
                .bind(number)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// A write transaction. On SQLite it takes the write lock at once, so that it can't fail half-way.
    pub(crate) async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match self.kind {
            Kind::Sqlite => self.write.begin_with("begin immediate").await?,
            Kind::Postgres => self.write.begin().await?,
        })
    }

    /// The time for checking expiry: for a shared database, not earlier than the database's own clock.
    pub(crate) async fn clock(&self, now: Timestamp) -> Result<i64, StoreError> {
        let own = now.as_millisecond();
        if self.kind == Kind::Sqlite {
            return Ok(own);
        }
        let text = "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
        let theirs: i64 = sqlx::query(text).fetch_one(&self.read).await?.try_get(0)?;
        Ok(own.max(theirs))
    }

    /// Whether other services may write to the same database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.kind == Kind::Postgres
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1").execute(&self.read).await?;
        Ok(())
    }

    /// Closes the connections. Later calls fail.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// Options for opening an SQLite file.
fn file_options(path: &Path, how: &str) -> Result<AnyConnectOptions, StoreError> {
    let text = path.to_str().ok_or_else(|| StoreError::Unavailable("the path isn't UTF-8".to_owned()))?;
    let escaped: String = text
        .chars()
        .map(|ch| match ch {
            '%' | '?' | '#' | ' ' => format!("%{:02X}", u32::from(ch)),
            other => other.to_string(),
        })
        .collect();
    Ok(format!("sqlite://{escaped}?{how}").parse()?)
}

/// Whether a service has an SQLite file open, or crashed with it open: then rows are in its write-ahead log, and the
/// file alone is incomplete. Otherwise no one writes, and SQLite can be told so; without that it would create files
/// next to the database even for reading.
fn is_in_use(path: &Path) -> bool {
    let mut beside = path.as_os_str().to_owned();
    beside.push("-wal");
    std::fs::metadata(beside).is_ok_and(|log| log.len() > 0)
}

fn pool(kind: Kind, connections: u32) -> AnyPoolOptions {
    let pool = AnyPoolOptions::new().max_connections(connections);
    if kind == Kind::Postgres {
        return pool.acquire_timeout(CONNECTING);
    }
    let pool = pool.acquire_timeout(Duration::from_secs(10));
    pool.after_connect(|connection, _| {
        Box::pin(async move {
            for pragma in [
                "pragma busy_timeout = 10000",
                "pragma journal_mode = wal",
                "pragma synchronous = full",
                "pragma trusted_schema = off",
            ] {
                sqlx::query(pragma).execute(&mut *connection).await?;
            }
            Ok(())
        })
    })
}

/// Creates the file with permissions for the owner only, so that SQLite's additional files are private too.
fn private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// The wire name of a unit-like value.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The value with a wire name.
pub(crate) fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, StoreError> {
    serde_json::from_value(serde_json::Value::String(word.to_owned()))
        .map_err(|_| StoreError::Corrupt(format!("unknown word {word:?}")))
}

pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()))
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(error.to_string()))
}

pub(crate) fn time(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Random bytes as hexadecimal text; callers use at least 128 bits.
pub(crate) fn random_hex(bytes: usize) -> Result<String, StoreError> {
    let mut buffer = vec![0; bytes];
    getrandom::fill(&mut buffer).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(buffer.iter().map(|byte| format!("{byte:02x}")).collect())
}
