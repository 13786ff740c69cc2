//! The store as an approver: stores questions, waits for answers, redeems grants. It doesn't know which channel shows
//! a question to whom.

use std::time::Duration;

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::finding::Severity;
use doorward_core::id::QuestionId;
use jiff::Timestamp;

use crate::approvals::{AskRecord, AskState};
use crate::db::Store;
use crate::error::StoreError;
use crate::grants::{GrantRequest, Redemption};

/// How often to look for answers recorded by other instances.
const POLL: Duration = Duration::from_millis(250);

impl Approver for Store {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            self.put_ask(ask, false, Timestamp::now()).await.map_err(|error| error.to_string())
        })
    }

    fn wait<'a>(&'a self, id: &'a QuestionId, deadline: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(async move {
            self.wait_until(id, deadline)
                .await
                .unwrap_or_else(|error| Answer::Error { reason: error.to_string() })
        })
    }

    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        severity: Severity,
        now: Timestamp,
    ) -> Boxed<'a, Option<Grant>> {
        Box::pin(async move {
            let wanted = GrantRequest { binding, severity: Some(severity), nonce: None };
            match self.redeem_grant(&wanted, now).await {
                Ok(Redemption::Granted(grant)) => Some(*grant),
                // If the store fails, nothing is granted.
                Ok(Redemption::Differs(_) | Redemption::None) | Err(_) => None,
            }
        })
    }
}

impl Store {
    async fn wait_until(&self, id: &QuestionId, deadline: Timestamp) -> Result<Answer, StoreError> {
        loop {
            // Registered before looking, so that an answer in between isn't missed.
            let answered = self.answered.notified();
            let now = Timestamp::now();
            let record =
                self.ask_record(id, now).await?.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
            if let Some(answer) = self.settled(record).await? {
                return Ok(answer);
            }
            let left = Duration::try_from(deadline.duration_since(now)).unwrap_or_default();
            if left.is_zero() {
                return Ok(Answer::TimedOut);
            }
            let _ = tokio::time::timeout(left.min(POLL), answered).await;
        }
    }

    async fn settled(&self, record: AskRecord) -> Result<Option<Answer>, StoreError> {
        Ok(Some(match record.state {
            AskState::Pending => return Ok(None),
            AskState::Allowed => match self.grant(&record.nonce).await? {
                Some(grant) => Answer::Allowed { grant: Box::new(grant) },
                None => Answer::Error { reason: "the answer's grant is gone".to_owned() },
            },
            AskState::Denied => {
                let reason = Some(record.reason).filter(|reason| !reason.is_empty());
                Answer::Denied { by: record.answered_by, reason }
            }
            AskState::TimedOut => Answer::TimedOut,
            AskState::NoApprover => Answer::NoApprover,
            AskState::Error => Answer::Error { reason: record.reason },
            AskState::Cancelled => Answer::Error { reason: "the question was withdrawn".to_owned() },
        }))
    }

    /// A grant by its nonce, without redeeming it.
    pub async fn grant(&self, nonce: &str) -> Result<Option<Grant>, StoreError> {
        use sqlx::Row as _;
        let row = sqlx::query("select body, uses_left from grant_ where nonce = $1 and revoked = 0")
            .bind(nonce)
            .fetch_optional(&self.read)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let mut grant: Grant = crate::db::from_json(row.try_get("body")?)?;
        let uses: i64 = row.try_get("uses_left")?;
        grant.uses_left = u32::try_from(uses).ok();
        Ok(Some(grant))
    }
}
