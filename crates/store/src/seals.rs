//! Rows that say yes are claims: whoever can write to the database can write one. A grant counts only with the seal of
//! the service that saw the person, made after the answer was recorded in its ledger.

use std::sync::Arc;

use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;

/// Makes and checks seals.
pub trait Seals: Send + Sync {
    /// The seal of this service under a text.
    fn seal(&self, text: &str) -> String;

    /// Whether a seal under a text is of this service, or of one that it trusts.
    fn knows(&self, text: &str, seal: &str) -> bool;
}

/// What a seal of a grant is under: the severity that the person saw, and the grant with its binding and lifetime.
pub(crate) fn grant_text(severity: i64, body: &str) -> String {
    format!("grant\n{severity}\n{body}")
}

impl Store {
    /// From now on grants of this store and its clones count only with a seal. Comes before the first call.
    pub fn seal_with(&self, seals: Arc<dyn Seals>) {
        let _ = self.seals.set(seals);
    }

    /// Seals a grant, whose answer is recorded by now. Where nothing checks seals this does nothing.
    ///
    /// # Errors
    /// [`StoreError`]: then the grant doesn't count.
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
