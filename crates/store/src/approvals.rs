//! Questions to people and their answers. Every channel answers through this module, so the rules of answering are in
//! one place: who may answer, with which presence and phrase, and that the first recorded answer wins.

use doorward_core::approval::{Ask, Grant, Presence, Reach};
use doorward_core::finding::Severity;
use doorward_core::id::{DecisionId, QuestionId};
use doorward_core::json::{Limits, Value};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use crate::db::{Store, Tx, from_json, from_word, random_hex, time, to_json, word};
use crate::error::StoreError;
use crate::shown::kept;

/// State of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskState {
    /// Open.
    Pending,
    /// Approved.
    Allowed,
    /// Denied.
    Denied,
    /// No answer before the deadline.
    TimedOut,
    /// No approver was available.
    NoApprover,
    /// Asking failed.
    Error,
    /// Withdrawn.
    Cancelled,
}

/// A question with its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskRecord {
    /// The question.
    pub ask: Ask,
    /// Its state.
    pub state: AskState,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// Id of the person who settled it; empty if no person did.
    pub answered_by: String,
    /// Evidence that a person answered.
    pub presence: Option<Presence>,
    /// Channel of the answer.
    pub via: String,
    /// When it was answered.
    pub answered_at: Option<Timestamp>,
    /// Reason of a denial, or the error.
    pub reason: String,
    /// Nonce of the grant, if approved.
    pub nonce: String,
    /// Whether "always" is excluded, because a strict reason applies.
    pub strict: bool,
    /// Approvals so far, if more than one person is needed.
    pub votes: Vec<Vote>,
}

/// One person's approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Id of the person.
    pub by: String,
    /// Evidence that a person answered.
    pub presence: Presence,
    /// When it was given.
    pub at: Timestamp,
}

/// An answer from a channel, which authenticated the principal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answering {
    /// Id of the person who answers.
    pub by: String,
    /// Their groups.
    pub groups: Vec<String>,
    /// Evidence that a person answers.
    pub presence: Presence,
    /// Channel: `console`, `cli`, `mcp`, …
    pub via: String,
    /// Whether it is an approval.
    pub yes: bool,
    /// Which calls an approval covers.
    pub reach: Reach,
    /// The narrow rule, with [`Reach::Always`].
    pub rule: Option<String>,
    /// The typed phrase, if one is required.
    pub typed: Option<String>,
    /// Reason; shown to the agent.
    pub reason: Option<String>,
    /// Lifetime of an approval: of the grant, and of a rule with [`Reach::Always`].
    pub lifetime: SignedDuration,
}

impl Answering {
    /// An answer for one call, valid for ten minutes.
    #[must_use]
    pub fn new(by: &str, presence: Presence, via: &str, yes: bool) -> Self {
        Self {
            by: by.to_owned(),
            groups: Vec::new(),
            presence,
            via: via.to_owned(),
            yes,
            reach: Reach::Once,
            rule: None,
            typed: None,
            reason: None,
            lifetime: SignedDuration::from_secs(600),
        }
    }
}

/// The result of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It settled the question.
    Settled(Box<AskRecord>),
    /// Counted; more people must approve.
    Pending {
        /// Approvals so far.
        have: usize,
        /// Approvals needed.
        need: usize,
    },
    /// The question was settled before, as recorded here. A conflict, unless both answers are the same.
    Already(Box<AskRecord>),
    /// Rejected: `approve.phrase`, `approver.self`, `approver.group`, `grant.presence`, `always.strict`,
    /// `always.rule`. The question stays open.
    Refused(&'static str),
}

const PHRASE: &str = "I confirm";
/// Stored text passed the limits when it was first read, so none apply now.
const ANY: Limits = Limits { bytes: usize::MAX, depth: 128 };
const COLUMNS: &str =
    "id, state, body, strict, asked_at, expires_at, answered_by, presence, via, answered_at, reason, nonce";

/// A stored question; its numbers keep every digit, so that people approve exactly what they see.
fn ask_of(text: &str) -> Result<Ask, StoreError> {
    let mut ask: Ask = from_json(text)?;
    let exact = Value::parse_bytes(text.as_bytes(), ANY).ok().and_then(|kept| kept.get("args").cloned());
    if let Some(exact) = exact {
        ask.args = exact;
    }
    Ok(ask)
}

impl Store {
    /// Stores a question; durable when this returns. `strict`: an answer "always" will be rejected. Idempotent for
    /// the same id.
    pub async fn put_ask(&self, ask: &Ask, strict: bool, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "insert into ask (id, state, version, decision, caller, session, tool, level, body, strict, asked_at,
             expires_at, answered_by, presence, via, answered_at, reason, nonce)
             values ($1, 'pending', 0, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', '', '', -1, '', '')
             on conflict (id) do nothing",
        )
        .bind(ask.id.as_str())
        .bind(ask.decision.as_str())
        .bind(ask.binding.caller.as_str())
        .bind(ask.binding.session.as_str())
        .bind(ask.binding.tool.as_str())
        .bind(word(&ask.warning.level))
        .bind(to_json(kept(ask).as_ref())?)
        .bind(i64::from(strict))
        .bind(now.as_millisecond())
        .bind(ask.expires.as_millisecond())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// A question by its id; marked as timed out if it has expired.
    pub async fn ask_record(&self, id: &QuestionId, now: Timestamp) -> Result<Option<AskRecord>, StoreError> {
        let text = format!("select {COLUMNS} from ask where id = $1");
        let Some(row) = sqlx::query(AssertSqlSafe(text)).bind(id.as_str()).fetch_optional(&self.read).await?
        else {
            return Ok(None);
        };
        let expires: i64 = row.try_get("expires_at")?;
        let mut record = self.record(&row).await?;
        // Expiry takes effect on reading; the sweep only tidies up.
        if record.state == AskState::Pending && self.clock(now).await? >= expires {
            record.state = AskState::TimedOut;
        }
        Ok(Some(record))
    }

    /// Open questions, oldest first.
    pub async fn pending(&self, now: Timestamp) -> Result<Vec<AskRecord>, StoreError> {
        let text = format!(
            "select {COLUMNS} from ask where state = 'pending' and expires_at > $1 order by asked_at, id limit 1000"
        );
        let now = self.clock(now).await?;
        let rows = sqlx::query(AssertSqlSafe(text)).bind(now).fetch_all(&self.read).await?;
        self.records(&rows).await
    }

    /// The open question of a decision.
    pub async fn pending_of(
        &self,
        decision: &DecisionId,
        now: Timestamp,
    ) -> Result<Option<AskRecord>, StoreError> {
        let text = format!(
            "select {COLUMNS} from ask where state = 'pending' and decision = $1 and expires_at > $2 limit 1"
        );
        let now = self.clock(now).await?;
        let row = sqlx::query(AssertSqlSafe(text))
            .bind(decision.as_str())
            .bind(now)
            .fetch_optional(&self.read)
            .await?;
        match row {
            Some(row) => self.record(&row).await.map(Some),
            None => Ok(None),
        }
    }

    /// The latest questions of any state, newest first.
    pub async fn asks(&self, limit: u32) -> Result<Vec<AskRecord>, StoreError> {
        let text = format!("select {COLUMNS} from ask order by asked_at desc, id desc limit $1");
        let rows = sqlx::query(AssertSqlSafe(text)).bind(i64::from(limit)).fetch_all(&self.read).await?;
        self.records(&rows).await
    }

    /// Answers a question. Of concurrent answers exactly one settles it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an unknown id.
    pub async fn answer(
        &self,
        id: &QuestionId,
        answering: &Answering,
        now: Timestamp,
    ) -> Result<Answered, StoreError> {
        let clock = self.clock(now).await?;
        let mut tx = self.begin().await?;
        // Locks the row first: a second answer waits here and then finds the question settled.
        let held = sqlx::query(
            "update ask set version = version + 1 where id = $1 and state = 'pending' and expires_at > $2",
        )
        .bind(id.as_str())
        .bind(clock)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if held == 0 {
            drop(tx);
            let known =
                self.ask_record(id, now).await?.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
            return Ok(Answered::Already(Box::new(known)));
        }
        let row = sqlx::query("select body, strict from ask where id = $1")
            .bind(id.as_str())
            .fetch_one(&mut *tx)
            .await?;
        let ask = ask_of(row.try_get("body")?)?;
        let strict: i64 = row.try_get("strict")?;
        if let Some(code) = refusal(&ask, strict != 0, answering) {
            return Ok(Answered::Refused(code));
        }
        let need = if ask.confirm.level >= 3 { 2 } else { 1 };
        if answering.yes && need > 1 {
            let have = vote(&mut tx, id, answering, clock).await?;
            if have < need {
                tx.commit().await?;
                return Ok(Answered::Pending { have, need });
            }
        }
        let nonce = if answering.yes { random_hex(16)? } else { String::new() };
        if answering.yes {
            put_grant(&mut tx, &ask, answering, &nonce, clock).await?;
        }
        let state = if answering.yes { AskState::Allowed } else { AskState::Denied };
        settle(&mut tx, id, state, answering, &nonce, clock).await?;
        tx.commit().await?;
        self.answered.notify_waiters();
        let settled = self.ask_record(id, now).await?.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
        Ok(Answered::Settled(Box::new(settled)))
    }

    /// Ends an open question without a person's answer: no approver, error, cancelled, expired. `false` if it was
    /// settled before.
    ///
    /// # Errors
    /// [`StoreError`]. An approval can't be given this way; the attempt is rejected as corrupt.
    pub async fn end_ask(
        &self,
        id: &QuestionId,
        state: AskState,
        reason: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if matches!(state, AskState::Allowed | AskState::Pending) {
            return Err(StoreError::Corrupt("only a person's answer allows".to_owned()));
        }
        let done = sqlx::query(
            "update ask set state = $2, reason = $3, answered_at = $4, version = version + 1
             where id = $1 and state = 'pending'",
        )
        .bind(id.as_str())
        .bind(word(&state))
        .bind(reason)
        .bind(now.as_millisecond())
        .execute(&self.write)
        .await?
        .rows_affected();
        self.answered.notify_waiters();
        Ok(done == 1)
    }

    /// Marks expired questions as timed out; returns their number.
    pub async fn sweep(&self, now: Timestamp) -> Result<u64, StoreError> {
        let clock = self.clock(now).await?;
        let swept = sqlx::query(
            "update ask set state = 'timed_out', answered_at = $1 where state = 'pending' and \
            expires_at <= $1",
        )
        .bind(clock)
        .execute(&self.write)
        .await?
        .rows_affected();
        if swept > 0 {
            self.answered.notify_waiters();
        }
        Ok(swept)
    }

    async fn records(&self, rows: &[AnyRow]) -> Result<Vec<AskRecord>, StoreError> {
        let mut records = Vec::with_capacity(rows.len());
        for row in rows {
            records.push(self.record(row).await?);
        }
        Ok(records)
    }

    async fn record(&self, row: &AnyRow) -> Result<AskRecord, StoreError> {
        let (state, presence): (String, String) = (row.try_get("state")?, row.try_get("presence")?);
        let (asked, answered, strict): (i64, i64, i64) =
            (row.try_get("asked_at")?, row.try_get("answered_at")?, row.try_get("strict")?);
        let ask = ask_of(row.try_get("body")?)?;
        let votes = if ask.confirm.level >= 3 { self.votes(&ask.id).await? } else { Vec::new() };
        Ok(AskRecord {
            ask,
            state: from_word(&state)?,
            asked_at: time(asked)?,
            answered_by: row.try_get("answered_by")?,
            presence: if presence.is_empty() { None } else { Some(from_word(&presence)?) },
            via: row.try_get("via")?,
            answered_at: if answered < 0 { None } else { Some(time(answered)?) },
            reason: row.try_get("reason")?,
            nonce: row.try_get("nonce")?,
            strict: strict != 0,
            votes,
        })
    }

    async fn votes(&self, id: &QuestionId) -> Result<Vec<Vote>, StoreError> {
        let rows = sqlx::query("select by_, presence, at from ask_vote where ask = $1 order by at, by_")
            .bind(id.as_str())
            .fetch_all(&self.read)
            .await?;
        rows.iter()
            .map(|row| {
                let presence: String = row.try_get("presence")?;
                Ok(Vote {
                    by: row.try_get("by_")?,
                    presence: from_word(&presence)?,
                    at: time(row.try_get("at")?)?,
                })
            })
            .collect()
    }
}

/// Why an answer is rejected. A denial is always accepted from a person who may answer.
fn refusal(ask: &Ask, strict: bool, answering: &Answering) -> Option<&'static str> {
    let confirm = &ask.confirm;
    let severity = ask.warning.level;
    let member =
        confirm.groups.is_empty() || confirm.groups.iter().any(|group| answering.groups.contains(group));
    if !member {
        return Some("approver.group");
    }
    if !answering.yes {
        return None;
    }
    if confirm.level >= 3 && answering.by == ask.binding.caller {
        return Some("approver.self");
    }
    // Peer credentials alone never approve HIGH and never write a rule.
    let always = answering.reach == Reach::Always;
    if answering.presence == Presence::PeerUid && (severity >= Severity::High || always) {
        return Some("grant.presence");
    }
    if always && (strict || severity >= Severity::Critical && confirm.level >= 2) {
        return Some("always.strict");
    }
    if always && answering.rule.as_ref().is_none_or(|rule| rule.trim().is_empty()) {
        return Some("always.rule");
    }
    let phrase = confirm.phrase.as_deref().unwrap_or(PHRASE);
    let needed = confirm.level == 2 || confirm.phrase.is_some();
    let typed = answering.typed.as_deref().map(str::trim);
    (needed && typed != Some(phrase)).then_some("approve.phrase")
}

/// Counts one person's approval; returns the number of different people so far.
async fn vote(tx: &mut Tx, id: &QuestionId, answering: &Answering, clock: i64) -> Result<usize, StoreError> {
    sqlx::query(
        "insert into ask_vote (ask, by_, presence, at) values ($1, $2, $3, $4) on conflict (ask, by_) do \
        nothing",
    )
    .bind(id.as_str())
    .bind(answering.by.as_str())
    .bind(word(&answering.presence))
    .bind(clock)
    .execute(&mut **tx)
    .await?;
    let row = sqlx::query("select count(*) from ask_vote where ask = $1")
        .bind(id.as_str())
        .fetch_one(&mut **tx)
        .await?;
    let have: i64 = row.try_get(0)?;
    Ok(usize::try_from(have).unwrap_or(0))
}

async fn put_grant(
    tx: &mut Tx,
    ask: &Ask,
    answering: &Answering,
    nonce: &str,
    clock: i64,
) -> Result<(), StoreError> {
    let expires = clock.saturating_add(i64::try_from(answering.lifetime.as_millis()).unwrap_or(i64::MAX));
    // "Always" creates a rule for future calls; this call gets a single-use grant.
    let uses = (answering.reach != Reach::Session).then_some(1_u32);
    let grant = Grant {
        nonce: nonce.to_owned(),
        binding: ask.binding.clone(),
        level: ask.confirm.level.max(1),
        by: answering.by.clone(),
        by_groups: answering.groups.clone(),
        presence: answering.presence,
        at: time(clock)?,
        expires: time(expires)?,
        reach: answering.reach,
        uses_left: uses,
    };
    sqlx::query(
        "insert into grant_ (nonce, ask, caller, session, tool, args_digest, severity, at, expires_at, uses_left,
         revoked, used_at, body) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, -1, $11)",
    )
    .bind(nonce)
    .bind(ask.id.as_str())
    .bind(ask.binding.caller.as_str())
    .bind(ask.binding.session.as_str())
    .bind(ask.binding.tool.as_str())
    .bind(ask.binding.args_digest.as_str())
    .bind(ask.warning.level as i64)
    .bind(clock)
    .bind(expires)
    .bind(uses.map_or(-1, i64::from))
    .bind(to_json(&grant)?)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn settle(
    tx: &mut Tx,
    id: &QuestionId,
    state: AskState,
    answering: &Answering,
    nonce: &str,
    clock: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "update ask set state = $2, answered_by = $3, presence = $4, via = $5, answered_at = $6, reason = $7, nonce = $8
         where id = $1",
    )
    .bind(id.as_str())
    .bind(word(&state))
    .bind(answering.by.as_str())
    .bind(word(&answering.presence))
    .bind(answering.via.as_str())
    .bind(clock)
    .bind(answering.reason.as_deref().unwrap_or_default())
    .bind(nonce)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
