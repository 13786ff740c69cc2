//! Epochs: counters that increase with every change. One small query tells a service whether any state shared by all
//! services has changed.

use std::sync::atomic::Ordering;

use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::{Store, Tx};
use crate::error::StoreError;

/// Numbers of changes. Only compared with an earlier value, for equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Epochs {
    /// Stops set or lifted.
    pub stops: i64,
    /// Accounts created or changed.
    pub people: i64,
}

impl Epochs {
    pub(crate) const STOPS: &'static str = "epoch.stops";
    pub(crate) const PEOPLE: &'static str = "epoch.people";
}

impl Store {
    /// The current epochs.
    pub async fn epochs(&self) -> Result<Epochs, StoreError> {
        let rows = sqlx::query("select name, epoch from head where name = $1 or name = $2")
            .bind(Epochs::STOPS)
            .bind(Epochs::PEOPLE)
            .fetch_all(&self.read)
            .await?;
        let mut epochs = Epochs::default();
        for row in &rows {
            let (name, epoch): (String, i64) = (row.try_get("name")?, row.try_get("epoch")?);
            match name.as_str() {
                Epochs::STOPS => epochs.stops = epoch,
                _ => epochs.people = epoch,
            }
        }
        Ok(epochs)
    }

    /// Number of account changes through this store and its clones in this process.
    #[must_use]
    pub fn people_changes(&self) -> u64 {
        self.people.load(Ordering::Acquire)
    }

    pub(crate) fn people_changed(&self) {
        self.people.fetch_add(1, Ordering::AcqRel);
    }
}

/// Counts a change, within the transaction that makes it.
pub(crate) async fn bump(tx: &mut Tx, name: &str) -> Result<(), StoreError> {
    sqlx::query(
        "insert into head (name, epoch, value, by_, at) values ($1, 1, '', '', $2)
         on conflict (name) do update set epoch = head.epoch + 1, at = $2",
    )
    .bind(name)
    .bind(Timestamp::now().as_millisecond())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
