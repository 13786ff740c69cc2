//! Everything that people say about calls: the questions put to them, the yeses of clients' dialogs, what they stopped,
//! the rules they saved with an answer ("always"), and what they want to be told.

use std::sync::Arc;

use doorward_core::Approver;
use doorward_core::approval::{Ask, Presence, Reach};
use doorward_core::id::SessionId;
use doorward_store::{Answered, Answering, AskRecord};

use crate::always::{Always, AlwaysError, Preview, Wish, WrittenRule};
use crate::attendance::Attendance;
use crate::broker::{Broker, BrokerError};
use crate::dialogs::Dialogs;
use crate::notices::NoticeBoard;
use crate::saved_rules::Saved;
use crate::stops::Stops;

/// People, as the door reaches them.
pub struct Approvals {
    /// The durable queue of questions, where there is a store.
    broker: Option<Arc<Broker>>,
    /// Whoever is asked, behind the yeses that clients' dialogs gave.
    dialogs: Arc<Dialogs>,
    /// Whether anybody can be asked.
    asks: bool,
    stops: Arc<Stops>,
    notices: Arc<NoticeBoard>,
    always: Arc<Always>,
}

impl Approvals {
    pub(crate) fn new(
        broker: Option<Arc<Broker>>,
        dialogs: Arc<Dialogs>,
        asks: bool,
        stops: Arc<Stops>,
        notices: Arc<NoticeBoard>,
        always: Always,
    ) -> Self {
        Self { broker, dialogs, asks, stops, notices, always: Arc::new(always) }
    }

    /// The queue of questions, where there is a store.
    #[must_use]
    pub const fn broker(&self) -> Option<&Arc<Broker>> {
        self.broker.as_ref()
    }

    /// Whoever is asked.
    #[must_use]
    pub fn approver(&self) -> Arc<dyn Approver> {
        Arc::clone(&self.dialogs) as Arc<dyn Approver>
    }

    /// Whether somebody is there to answer a question, and where.
    #[must_use]
    pub fn attendance(&self) -> Arc<Attendance> {
        Arc::clone(self.dialogs.attendance())
    }

    pub(crate) const fn dialogs(&self) -> &Arc<Dialogs> {
        &self.dialogs
    }

    /// Whether anybody can be asked.
    #[must_use]
    pub const fn asks(&self) -> bool {
        self.asks
    }

    /// What people stopped.
    #[must_use]
    pub const fn stops(&self) -> &Arc<Stops> {
        &self.stops
    }

    /// What rules want told.
    #[must_use]
    pub const fn notices(&self) -> &Arc<NoticeBoard> {
        &self.notices
    }

    pub(crate) fn always(&self) -> &Always {
        &self.always
    }

    /// What saving a rule with an answer would do.
    ///
    /// # Errors
    /// [`BrokerError::Always`].
    pub async fn preview_rule(&self, ask: &Ask, wish: &Wish) -> Result<Preview, BrokerError> {
        let (ask, wish) = (ask.clone(), wish.clone());
        self.blocking(move |always| always.preview_rule(&ask, &wish)).await
    }

    /// Takes an answer and saves the rule that `shown` names: the digest of the preview the person saw. The answer is
    /// recorded first, then that the rule is saved, then it is; where the rule can't be written the answer stays what
    /// it was, once, and the error says so.
    ///
    /// # Errors
    /// [`BrokerError`]; with [`AlwaysError::Refused`] nothing was answered.
    pub async fn answer_with_rule(
        &self,
        record: &AskRecord,
        mut answering: Answering,
        wish: &Wish,
        shown: &str,
    ) -> Result<(Answered, Vec<Saved>), BrokerError> {
        let refused =
            |code: &'static str, message: &str| BrokerError::Always(AlwaysError::refused(code, message));
        if wish.deny == answering.yes {
            return Err(refused("always.rule", "a yes saves what is allowed, a no what is denied"));
        }
        let preview = self.preview_rule(&record.ask, wish).await?;
        if preview.digest.as_ref().is_none_or(|digest| *digest != *shown) {
            return Err(refused("always.preview", "this is not the rule that was shown: look at it again"));
        }
        if !preview.offered {
            let why = preview.message.as_deref().unwrap_or("no rule for this question");
            let code = preview.why_not.as_deref().unwrap_or_default();
            let known = ["always.rule", "always.too_wide", "always.uncovered", "always.asked"];
            let code = known.into_iter().find(|known| *known == code).unwrap_or("always.strict");
            return Err(refused(code, why));
        }
        if answering.presence == Presence::PeerUid {
            return Ok((Answered::Refused("grant.presence"), Vec::new()));
        }
        answering.reach = Reach::Always;
        answering.rule = Some(preview.rules.join("\n"));
        let by = answering.by.clone();
        let broker = self.queue()?;
        let answered = broker.answer(&record.ask.id, &answering).await?;
        if !matches!(answered, Answered::Settled(_)) {
            return Ok((answered, Vec::new()));
        }
        let text = preview.rules.join(", ");
        broker.note("rule_saved", &format!("{by} saves {} {text}", preview.list)).await?;
        let reason = format!("{by} answered {}", record.ask.id);
        let saved = self.blocking(move |always| always.save_rule(&preview, &by, &reason)).await?;
        broker.ring();
        Ok((answered, saved))
    }

    /// Saves a rule that no question asked for. That it is saved is recorded first; where it can't be written, nothing
    /// changed and the error says so.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn save_rule(
        &self,
        wanted: WrittenRule,
        by: &str,
        reason: &str,
    ) -> Result<Vec<Saved>, BrokerError> {
        let broker = self.queue()?;
        broker.note("rule_saved", &format!("{by} saves {} {}", wanted.list.as_str(), wanted.rule)).await?;
        let preview = Preview::of_rule(wanted);
        let (by, reason) = (by.to_owned(), reason.to_owned());
        let saved = self.blocking(move |always| always.save_rule(&preview, &by, &reason)).await?;
        broker.ring();
        Ok(saved)
    }

    /// The rules that were saved.
    ///
    /// # Errors
    /// [`BrokerError::Always`].
    pub async fn saved_rules(&self) -> Result<Vec<Saved>, BrokerError> {
        self.blocking(|always| always.saved().rules()).await
    }

    /// Takes a saved rule back. `None` if there is none of that name.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn revoke_rule(&self, id: &str, by: &str) -> Result<Option<Saved>, BrokerError> {
        let broker = self.queue()?;
        broker.note("rule_revoked", &format!("{by} takes back {id}")).await?;
        let id = id.to_owned();
        let gone = self.blocking(move |always| always.revoke_rule(&id)).await?;
        broker.ring();
        Ok(gone)
    }

    /// Ends the grants for the task of a session that is over.
    pub(crate) async fn end_tasks(&self, session: &SessionId) {
        let Some(broker) = &self.broker else { return };
        let own = session.to_string();
        match self.blocking(move |always| always.end_tasks(&own)).await {
            Ok(0) => {}
            Ok(ended) => {
                let told = format!("session {session} is over: {ended} rules for its task end");
                if let Err(error) = broker.note("task_ended", &told).await {
                    tracing::error!("{error}");
                }
                broker.ring();
            }
            Err(error) => tracing::error!("{error}"),
        }
    }

    fn queue(&self) -> Result<&Arc<Broker>, BrokerError> {
        let nobody = || AlwaysError::refused("always.rule", "this service has no people to answer");
        self.broker.as_ref().ok_or_else(|| BrokerError::Always(nobody()))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Always) -> Result<T, AlwaysError> + Send + 'static,
    ) -> Result<T, BrokerError> {
        let always = Arc::clone(&self.always);
        let failed = |_| AlwaysError::refused("always.rule", "the rules could not be worked on");
        Ok(tokio::task::spawn_blocking(move || work(&always)).await.map_err(failed)??)
    }
}
