//! Redeems grants: each field is compared, exactly one caller gets a single use, and a mismatch is named.

use doorward_core::approval::{Binding, Grant};
use doorward_core::finding::Severity;
use jiff::{SignedDuration, Timestamp};
use sqlx::Row as _;

use crate::db::{Store, from_json, time};
use crate::error::StoreError;
use crate::seals::grant_text;

/// A grant from further in the future is void, because the clock was probably set back.
const SKEW: SignedDuration = SignedDuration::from_secs(5);

/// Longest time between writing a grant's row and its seal.
const SEALING: SignedDuration = SignedDuration::from_secs(10);
/// A matching grant exists, but no known service sealed it.
pub const FORGED: &str = "grant.forged";

/// The call that needs a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRequest<'a> {
    /// The call's current binding.
    pub binding: &'a Binding,
    /// The call's current severity: if higher than the one that the person saw, a new answer is needed.
    pub severity: Option<Severity>,
    /// The grant to redeem, if the caller names one.
    pub nonce: Option<&'a str>,
}

/// The result of redeeming.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Redemption {
    /// Redeemed; a single use is consumed.
    Granted(Box<Grant>),
    /// A grant for a similar call exists; this code names the difference: `grant.args`, `grant.expired`, …
    Differs(&'static str),
    /// No similar grant exists.
    None,
}

impl Store {
    /// Redeems a grant that fits. Of concurrent callers exactly one gets a single use.
    pub async fn redeem_grant(
        &self,
        wanted: &GrantRequest<'_>,
        now: Timestamp,
    ) -> Result<Redemption, StoreError> {
        let clock = self.clock(now).await?;
        let now = time(clock)?;
        let mut tx = self.begin().await?;
        let rows = sqlx::query(
            "select nonce, severity, uses_left, revoked, body, seal from grant_
             where caller = $1 or nonce = $2 or args_digest = $3 order by at desc, nonce limit 256",
        )
        .bind(wanted.binding.caller.as_str())
        .bind(wanted.nonce.unwrap_or_default())
        .bind(wanted.binding.args_digest.as_str())
        .fetch_all(&mut *tx)
        .await?;
        let mut nearest: Option<&'static str> = None;
        for row in &rows {
            let (body, seal): (String, String) = (row.try_get("body")?, row.try_get("seal")?);
            let mut grant: Grant = from_json(&body)?;
            let (severity, uses, revoked): (i64, i64, i64) =
                (row.try_get("severity")?, row.try_get("uses_left")?, row.try_get("revoked")?);
            if wanted.nonce.is_some_and(|nonce| nonce != grant.nonce) {
                continue;
            }
            grant.uses_left = u32::try_from(uses).ok();
            let differs = grant
                .mismatch(wanted.binding, now)
                .map(code)
                .or_else(|| (revoked != 0).then_some("grant.revoked"))
                .or_else(|| (grant.at > now + SKEW).then_some("grant.clock"))
                .or_else(|| wanted.severity.filter(|own| *own as i64 > severity).map(|_| "grant.level"));
            if let Some(differs) = differs {
                // A difference in tool, server or caller is only worth reporting if everything else is the same.
                let other = ["grant.caller", "grant.server", "grant.tool"].contains(&differs);
                let (own, now) = (&grant.binding, wanted.binding);
                if other && (own.args_digest != now.args_digest || own.session != now.session) {
                    continue;
                }
                nearest = nearest.into_iter().chain([differs]).max_by_key(|code| closeness(code));
                continue;
            }
            if let Some(seals) = self.seals.get()
                && !seals.knows(&grant_text(severity, &body), &seal)
            {
                // It was answered a moment ago and isn't recorded yet. Otherwise no known service saw a person.
                let is_being_sealed = seal.is_empty() && grant.at.duration_since(now).abs() < SEALING;
                let forged = (!is_being_sealed).then_some(FORGED);
                nearest = nearest.into_iter().chain(forged).max_by_key(|code| closeness(code));
                continue;
            }
            let taken = sqlx::query(
                "update grant_ set uses_left = case when uses_left > 0 then uses_left - 1 else uses_left end, \
                 used_at = $2
                 where nonce = $1 and uses_left <> 0 and revoked = 0 and expires_at > $2",
            )
            .bind(grant.nonce.as_str())
            .bind(clock)
            .execute(&mut *tx)
            .await?
            .rows_affected();
            if taken == 1 {
                tx.commit().await?;
                grant.uses_left = grant.uses_left.map(|left| left.saturating_sub(1));
                return Ok(Redemption::Granted(Box::new(grant)));
            }
            nearest = Some("grant.used");
        }
        Ok(match (nearest, wanted.nonce) {
            (Some(differs), _) => Redemption::Differs(differs),
            (None, Some(_)) => Redemption::Differs("grant.nonce"),
            (None, None) => Redemption::None,
        })
    }

    /// Revokes an unused grant. `false` if it was used or doesn't exist.
    pub async fn revoke_grant(&self, nonce: &str) -> Result<bool, StoreError> {
        let done =
            sqlx::query("update grant_ set revoked = 1 where nonce = $1 and uses_left <> 0 and revoked = 0")
                .bind(nonce)
                .execute(&self.write)
                .await?;
        Ok(done.rows_affected() == 1)
    }
}

/// Codes of mismatches, from least to most similar call.
const WORDS: [(&str, &str); 18] = [
    ("caller", "grant.caller"),
    ("tool", "grant.tool"),
    ("server", "grant.server"),
    ("args", "grant.args"),
    ("session", "grant.session"),
    ("project", "grant.project"),
    ("cwd", "grant.cwd"),
    ("effects", "grant.effects"),
    ("pin", "grant.pin"),
    ("preview", "grant.preview"),
    ("policy", "grant.policy"),
    ("expired", "grant.expired"),
    ("used", "grant.used"),
    ("", "grant.revoked"),
    ("", "grant.clock"),
    ("", "grant.level"),
    ("", "grant.nonce"),
    ("", FORGED),
];

fn code(word: &str) -> &'static str {
    WORDS.iter().find(|(own, _)| *own == word).map_or("grant.other", |(_, code)| code)
}

fn closeness(code: &str) -> usize {
    WORDS.iter().position(|(_, own)| *own == code).unwrap_or(0)
}
