//! Memories of sessions: fingerprints, names and turns that outlive a restart and are shared by instances.
//!
//! A row has a version; whoever writes names the one that was read, so no instance writes over what another came to
//! know. The text holds no secret and nothing of other people's texts.

use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// A memory that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptMemory {
    /// Counted up with every write, from 1.
    pub version: i64,
    /// Its text.
    pub content: String,
}

impl Store {
    /// The version of a session's memory; 0 where none was kept.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn memory_version(&self, name: &str) -> Result<i64, StoreError> {
        let row = sqlx::query("select version from session_memory where name = $1")
            .bind(name)
            .fetch_optional(&self.read)
            .await?;
        Ok(row.map(|row| row.try_get("version")).transpose()?.unwrap_or_default())
    }

    /// A session's memory.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn memory(&self, name: &str) -> Result<Option<KeptMemory>, StoreError> {
        let row = sqlx::query("select version, content from session_memory where name = $1")
            .bind(name)
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| Ok(KeptMemory { version: row.try_get("version")?, content: row.try_get("content")? }))
            .transpose()
    }

    /// Keeps a memory that was read at `version` (0: there was none), and gives its new version.
    ///
    /// # Errors
    /// [`StoreError::Moved`] when somebody else wrote it meanwhile: read it, merge, and write again.
    pub async fn save_memory(
        &self,
        name: &str,
        version: i64,
        content: &str,
        now: Timestamp,
    ) -> Result<i64, StoreError> {
        let done = sqlx::query(
            "insert into session_memory (name, version, content, updated_at) values ($1, $2 + 1, $3, $4)
             on conflict (name) do update set version = $2 + 1, content = $3, updated_at = $4
             where session_memory.version = $2",
        )
        .bind(name)
        .bind(version)
        .bind(content)
        .bind(now.as_millisecond())
        .execute(&self.write)
        .await?;
        if done.rows_affected() == 1 { Ok(version + 1) } else { Err(StoreError::Moved) }
    }

    /// A setting, which becomes `value` if there is none yet: all instances get the same.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn set_once(&self, name: &str, value: &str, by: &str) -> Result<String, StoreError> {
        sqlx::query(
            "insert into setting (name, value, by_, at) values ($1, $2, $3, $4) on conflict (name) do nothing",
        )
        .bind(name)
        .bind(value)
        .bind(by)
        .bind(Timestamp::now().as_millisecond())
        .execute(&self.write)
        .await?;
        Ok(self.get(name).await?.unwrap_or_else(|| value.to_owned()))
    }
}
