//! The last checkpoint of each ledger, stored outside its directory, so that a rollback is noticed.

use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// The last checkpoint of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnchor {
    /// The ledger's machine and state folder; empty if unknown.
    pub home: String,
    /// The ledger's name.
    pub origin: String,
    /// Its verifier key, as a vkey line.
    pub vkey: String,
    /// Size.
    pub size: u64,
    /// Root at that size.
    pub root: [u8; 32],
}

impl Store {
    /// Stores a checkpoint. Sizes may only grow.
    ///
    /// # Errors
    /// [`StoreError::Rollback`] for a smaller size, [`StoreError::Fork`] for another root or key.
    pub async fn remember(&self, anchor: &StoredAnchor) -> Result<(), StoreError> {
        let root: String = anchor.root.iter().map(|byte| format!("{byte:02x}")).collect();
        let size = i64::try_from(anchor.size).map_err(|_| StoreError::Corrupt("size".to_owned()))?;
        let done = sqlx::query(
            "insert into log_head (origin, vkey, size, root, at, home) values ($1, $2, $3, $4, $5, $6)
             on conflict (origin) do update set size = $3, root = $4, at = $5, home = $6
             where log_head.vkey = $2 and (log_head.size < $3 or (log_head.size = $3 and log_head.root = $4))",
        )
        .bind(anchor.origin.as_str())
        .bind(anchor.vkey.as_str())
        .bind(size)
        .bind(root)
        .bind(Timestamp::now().as_millisecond())
        .bind(anchor.home.as_str())
        .execute(&self.write)
        .await?;
        if done.rows_affected() == 1 {
            return Ok(());
        }
        let known = self.anchor(&anchor.origin).await?.ok_or(StoreError::Fork)?;
        if known.size > anchor.size && known.vkey == anchor.vkey {
            return Err(StoreError::Rollback { known: known.size, told: anchor.size });
        }
        Err(StoreError::Fork)
    }

    /// The stored checkpoint of a ledger.
    pub async fn anchor(&self, origin: &str) -> Result<Option<StoredAnchor>, StoreError> {
        Ok(self.anchors().await?.into_iter().find(|anchor| anchor.origin == origin))
    }

    /// The stored checkpoints of all ledgers.
    pub async fn anchors(&self) -> Result<Vec<StoredAnchor>, StoreError> {
        let rows = sqlx::query("select origin, vkey, size, root, home from log_head order by origin")
            .fetch_all(&self.read)
            .await?;
        rows.iter()
            .map(|row| {
                let (size, root): (i64, String) = (row.try_get("size")?, row.try_get("root")?);
                Ok(StoredAnchor {
                    home: row.try_get("home")?,
                    origin: row.try_get("origin")?,
                    vkey: row.try_get("vkey")?,
                    size: u64::try_from(size).map_err(|_| StoreError::Corrupt("size".to_owned()))?,
                    root: unhex(&root).ok_or_else(|| StoreError::Corrupt("root".to_owned()))?,
                })
            })
            .collect()
    }

    /// Removes a ledger's checkpoint: the only way to accept a deliberate replacement. `false` if unknown.
    pub async fn forget_anchor(&self, origin: &str) -> Result<bool, StoreError> {
        let done =
            sqlx::query("delete from log_head where origin = $1").bind(origin).execute(&self.write).await?;
        Ok(done.rows_affected() == 1)
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let bytes: Option<Vec<u8>> = text
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    bytes?.try_into().ok()
}
