//! Session histories, each owned by one instance at a time, and counters of workflows.
//!
//! Every write carries the owner's fence. An instance whose session was taken over is refused (`session.moved`), so
//! that two instances never judge one session with half of its history each.

use doorward_core::SessionView;
use doorward_core::id::SessionId;
use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::{Store, from_json, to_json};
use crate::error::StoreError;

/// A session that this instance may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owned {
    /// The history.
    pub view: SessionView,
    /// Sent with every write.
    pub fence: i64,
}

impl Store {
    /// Takes over a session for `instance` from any earlier owner. Returns its history (empty for a new one) and a
    /// new fence.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn claim_session(
        &self,
        id: &SessionId,
        instance: &str,
        now: Timestamp,
    ) -> Result<Owned, StoreError> {
        let empty = SessionView { id: id.clone(), ..SessionView::default() };
        let row = sqlx::query(
            "insert into session (id, instance, fence, view, updated_at) values ($1, $2, 1, $3, $4)
             on conflict (id) do update set instance = $2, fence = session.fence + 1
             returning fence, view",
        )
        .bind(id.as_str())
        .bind(instance)
        .bind(to_json(&empty)?)
        .bind(now.as_millisecond())
        .fetch_one(&self.write)
        .await?;
        Ok(Owned { view: from_json(row.try_get("view")?)?, fence: row.try_get("fence")? })
    }

    /// Stores the history of a session.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if another instance took over the session meanwhile.
    pub async fn save_session(&self, owned: &Owned, now: Timestamp) -> Result<(), StoreError> {
        let done = sqlx::query("update session set view = $3, updated_at = $4 where id = $1 and fence = $2")
            .bind(owned.view.id.as_str())
            .bind(owned.fence)
            .bind(to_json(&owned.view)?)
            .bind(now.as_millisecond())
            .execute(&self.write)
            .await?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(StoreError::Moved) }
    }

    /// The history of a session, read-only.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn session(&self, id: &SessionId) -> Result<Option<SessionView>, StoreError> {
        let row = sqlx::query("select view from session where id = $1")
            .bind(id.as_str())
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| from_json(row.try_get("view")?)).transpose()
    }

    /// The most recently used sessions with their times, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn sessions(&self, limit: u32) -> Result<Vec<(SessionView, Timestamp)>, StoreError> {
        let rows = sqlx::query("select view, updated_at from session order by updated_at desc, id limit $1")
            .bind(i64::from(limit))
            .fetch_all(&self.read)
            .await?;
        rows.iter()
            .map(|row| Ok((from_json(row.try_get("view")?)?, crate::db::time(row.try_get("updated_at")?)?)))
            .collect()
    }

    /// Adds to a workflow's counter in a time bucket and returns the new value. Atomic across instances.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn count(&self, workflow: &str, name: &str, bucket: i64, add: i64) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "insert into workflow_counter (workflow, name, bucket, n) values ($1, $2, $3, $4)
             on conflict (workflow, name, bucket) do update set n = workflow_counter.n + $4 returning n",
        )
        .bind(workflow)
        .bind(name)
        .bind(bucket)
        .bind(add)
        .fetch_one(&self.write)
        .await?;
        Ok(row.try_get("n")?)
    }
}
