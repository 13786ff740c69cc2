//! Requests for access, so that repeating a request doesn't ask a second question.

use doorward_core::id::{Digest, QuestionId};
use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// An earlier request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requested {
    /// Digest of the request.
    pub digest: Digest,
    /// The question asked for it.
    pub ask: QuestionId,
}

impl Store {
    /// The request that a caller made under this key.
    pub async fn requested(&self, caller: &str, key: &str) -> Result<Option<Requested>, StoreError> {
        let row = sqlx::query("select digest, ask from access_request where caller = $1 and key = $2")
            .bind(caller)
            .bind(key)
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| {
            Ok(Requested {
                digest: row.try_get::<String, _>("digest")?.into(),
                ask: row.try_get::<String, _>("ask")?.into(),
            })
        })
        .transpose()
    }

    /// Stores a request. Of concurrent requests with the same key exactly one is stored and returned to all.
    pub async fn remember_request(
        &self,
        caller: &str,
        key: &str,
        made: &Requested,
    ) -> Result<Requested, StoreError> {
        sqlx::query(
            "insert into access_request (caller, key, digest, ask, at) values ($1, $2, $3, $4, $5)
             on conflict (caller, key) do nothing",
        )
        .bind(caller)
        .bind(key)
        .bind(made.digest.as_str())
        .bind(made.ask.as_str())
        .bind(Timestamp::now().as_millisecond())
        .execute(&self.write)
        .await?;
        self.requested(caller, key).await?.ok_or_else(|| StoreError::NotFound(key.to_owned()))
    }
}
