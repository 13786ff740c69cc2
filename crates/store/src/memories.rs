//! Session memories (fingerprints, names and turns), which outlive a restart and are shared by instances.
//!
//! Rows have versions, and a writer names the version that it read, so that no instance overwrites another's changes.
//! The text contains no secrets and no text of other people.

use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// A stored memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptMemory {
    /// Increases with every write, from 1.
    pub version: i64,
    /// The text.
    pub content: String,
}

impl Store {
    /// The version of a session's memory; 0 if there is none.
    pub async fn memory_version(&self, name: &str) -> Result<i64, StoreError> {
        let row = sqlx::query("select version from session_memory where name = $1")
            .bind(name)
            .fetch_optional(&self.read)
            .await?;
        Ok(row.map(|row| row.try_get("version")).transpose()?.unwrap_or_default())
    }

    /// The memory of a session.
    pub async fn memory(&self, name: &str) -> Result<Option<KeptMemory>, StoreError> {
        let row = sqlx::query("select version, content from session_memory where name = $1")
            .bind(name)
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| Ok(KeptMemory { version: row.try_get("version")?, content: row.try_get("content")? }))
            .transpose()
    }

    /// Stores a memory that was read at `version` (0: there was none); returns the new version.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if it was written by another instance meanwhile: read it again, merge, and retry.
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

    /// Sets a setting to `value` unless it has one; returns its value, the same for all instances.
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
