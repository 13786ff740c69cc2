//! Seals of grants. Any program that can write to the database could forge a grant, so a grant counts only with the
//! seal of the service that saw the person, made after the answer was recorded in its ledger.

use std::sync::Arc;

use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// Makes and checks seals.
pub trait Seals: Send + Sync {
    /// This service's seal of a text.
    fn seal(&self, text: &str) -> String;

    /// Whether the seal of a text was made by this service or by one that it trusts.
    fn knows(&self, text: &str, seal: &str) -> bool;
}

/// The sealed text of a grant: the severity that the person saw, and the grant with its binding and lifetime.
pub(crate) fn grant_text(severity: i64, body: &str) -> String {
    format!("grant\n{severity}\n{body}")
}

impl Store {
    /// From now on, grants of this store and its clones count only if sealed. Call it before any other request.
    pub fn seal_with(&self, seals: Arc<dyn Seals>) {
        let _ = self.seals.set(seals);
    }

    /// Seals a grant whose answer has been recorded. Does nothing if seals aren't checked.
    ///
    /// # Errors
    /// [`StoreError`]; then the grant doesn't count.
    pub async fn seal_grant(&self, nonce: &str) -> Result<(), StoreError> {
        let Some(seals) = self.seals.get() else { return Ok(()) };
        let row = sqlx::query("select severity, body from grant_ where nonce = $1")
            .bind(nonce)
            .fetch_optional(&self.write)
            .await?
            .ok_or_else(|| StoreError::NotFound(nonce.to_owned()))?;
        let (severity, body): (i64, String) = (row.try_get("severity")?, row.try_get("body")?);
        let seal = seals.seal(&grant_text(severity, &body));
        sqlx::query("update grant_ set seal = $2 where nonce = $1")
            .bind(nonce)
            .bind(seal)
            .execute(&self.write)
            .await?;
        Ok(())
    }
}
