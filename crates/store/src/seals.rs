//! Rows that say yes are claims: whoever can write to the database can write one. A grant counts only with the seal of
//! the service that saw the person, made after the answer was recorded in its ledger. In a store that several services
//! share, the same holds of roles, of pins and of the end of a stop.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use doorward_core::id::Digest;
use sqlx::Row as _;

use crate::db::Store;
use crate::error::StoreError;
use crate::pins::Pin;

/// Forged rows that are told apart.
const MOST_FORGED: usize = 64;

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

/// What the seal of an account is under.
pub(crate) fn role_text(name: &str, role: &str, groups: &str) -> String {
    format!("role\n{name}\n{role}\n{groups}")
}

/// What the seal of a pin is under.
pub(crate) fn pin_text(pin: &Pin) -> String {
    let digest = pin.digest.as_ref().map_or("", Digest::as_str);
    let (server, tool, state) = (&pin.server, &pin.tool, &pin.state);
    format!("pin\n{server}\n{tool}\n{state}\n{digest}\n{}\n{}", pin.by, pin.definition)
}

/// What the seal of a lift is under. With its time, so that no older lift ends a newer stop.
pub(crate) fn lift_text(scope: &str, at: i64) -> String {
    format!("lift\n{scope}\n{at}")
}

impl Store {
    /// The seal of this service; empty where nothing checks seals.
    pub(crate) fn sealed(&self, text: &str) -> String {
        self.seals.get().map(|seals| seals.seal(text)).unwrap_or_default()
    }

    /// Whether a row of a shared store counts: a service that is known here sealed it. One that nobody sealed is noted
    /// for an alarm, as `what`.
    pub(crate) fn counts(&self, text: &str, seal: &str, what: impl FnOnce() -> String) -> bool {
        let Some(seals) = self.seals.get().filter(|_| self.is_shared()) else { return true };
        let known = seals.knows(text, seal);
        if !known {
            let mut forged = self.forged.lock().unwrap_or_else(PoisonError::into_inner);
            if forged.len() < MOST_FORGED {
                forged.insert(what());
            }
        }
        known
    }

    /// Rows of a shared store that say something and that no known service sealed, in words.
    #[must_use]
    pub fn forged(&self) -> BTreeSet<String> {
        self.forged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether somebody whom a known service saw lifted the stop of this scope that began then.
    pub async fn was_lifted(&self, scope: &str, stopped_at: i64) -> Result<bool, StoreError> {
        let row = sqlx::query("select at, seal from lifted where scope = $1")
            .bind(scope)
            .fetch_optional(&self.read)
            .await?;
        let what = || format!("the stop of {scope} is gone and nobody lifted it");
        let Some(row) = row else { return Ok(self.counts("", "", what)) };
        let (lifted, seal): (i64, String) = (row.try_get("at")?, row.try_get("seal")?);
        let text = if lifted >= stopped_at { lift_text(scope, lifted) } else { String::new() };
        Ok(self.counts(&text, &seal, what))
    }

    /// From now on grants of this store and its clones count only with a seal. Comes before the first call.
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
