//! The approvals broker: the store's questions and answers, with every step of them in the ledger.
//!
//! A question is durable in the store and recorded before anyone is told that it waits; an answer is recorded before
//! whoever waits goes on. Where the record can't be kept, the question isn't put and the yes is taken back. Channels
//! (console, command line, hooks) only bring answers in; the rules of answering are the store's.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant, Reach};
use doorward_core::finding::Severity;
use doorward_core::id::{DecisionId, QuestionId, RecordId, SessionId};
use doorward_core::json::Value;
use doorward_core::record::{ApprovalEvent, ApprovalRecord, Ledger, NoteRecord, Record, UserDecision};
use doorward_store::{
    Answered, Answering, AskRecord, AskState, FORGED, GrantRequest, PersonAccount, Redemption, Store,
    StoreError,
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

use crate::always::AlwaysError;
use crate::origins;
use crate::saved_rules::SavedRules;
use crate::sessions::{SessionBook, restoring};
use crate::stops::Stops;
use crate::store_watch::StoreWatch;

/// Calls remembered for which an earlier yes was close.
const MOST_DIFFERENCES: usize = 256;
/// How long a yes to a call counts that couldn't be followed to its end, where its caller waits.
const WAITED: SignedDuration = SignedDuration::from_secs(60);
/// The same where the caller was told to come again.
const UNWAITED: SignedDuration = SignedDuration::from_mins(10);

/// Why an answer or a stop couldn't be taken.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// It couldn't be recorded, so it doesn't count.
    #[error("{code}: it could not be recorded, so it doesn't count: {reason}")]
    Record {
        /// The ledger's code.
        code: &'static str,
        /// In words.
        reason: String,
    },
    /// The rule of an "always" can't be had or saved.
    #[error("{0}")]
    Always(#[from] AlwaysError),
}

impl BrokerError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Record { code, .. } => code,
            Self::Always(error) => error.code(),
        }
    }
}

/// People, as the gate asks for them.
pub struct Broker {
    watch: Arc<StoreWatch>,
    ledger: Arc<dyn Ledger>,
    stops: Arc<Stops>,
    saved: Arc<SavedRules>,
    sessions: Arc<SessionBook>,
    /// Open questions of this process, to record their lapse.
    open: Mutex<HashMap<QuestionId, Open>>,
    /// How many callers wait for the answer right now, by question.
    waiting: Mutex<HashMap<QuestionId, usize>>,
    /// Calls for which an earlier yes didn't fit, with what differed.
    differences: Mutex<VecDeque<(Binding, &'static str)>>,
    /// Held from the moment an answer is stored until it is recorded.
    settling: tokio::sync::Mutex<()>,
    changed: watch::Sender<u64>,
    /// Questions that outlived the last process are known.
    taken_up: AtomicBool,
    /// The last row that said yes without a seal.
    alarm: Mutex<Option<(Instant, String)>>,
    /// Rows that nobody sealed and that were noted.
    told: Mutex<BTreeSet<String>>,
}

/// A caller that waits, for as long as this lives.
struct Waits<'a> {
    all: &'a Mutex<HashMap<QuestionId, usize>>,
    id: &'a QuestionId,
}

impl<'a> Waits<'a> {
    fn new(all: &'a Mutex<HashMap<QuestionId, usize>>, id: &'a QuestionId) -> Self {
        *lock(all).entry(id.to_owned()).or_default() += 1;
        Self { all, id }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let mut all = lock(self.all);
        if let Some(count) = all.get_mut(self.id) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                all.remove(self.id);
            }
        }
    }
}

#[derive(Debug, Clone)]
struct Open {
    decision: DecisionId,
    level: u8,
    expires: Timestamp,
}

impl Broker {
    /// A broker over a store, writing to this ledger. Questions and stops that outlived the last process are taken up
    /// again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn over(
        store: Store,
        ledger: Arc<dyn Ledger>,
        stops: Arc<Stops>,
        saved: Arc<SavedRules>,
        sessions: Arc<SessionBook>,
    ) -> Result<Arc<Self>, StoreError> {
        let broker = Self {
            watch: StoreWatch::start(store, Arc::clone(&stops)).await?,
            ledger,
            stops,
            saved,
            sessions,
            open: Mutex::default(),
            waiting: Mutex::default(),
            differences: Mutex::default(),
            settling: tokio::sync::Mutex::new(()),
            changed: watch::Sender::new(0),
            taken_up: AtomicBool::new(false),
            alarm: Mutex::default(),
            told: Mutex::default(),
        };
        match broker.take_up_questions().await {
            // A shared store that is out of reach: with the first sweep that finds it.
            Err(StoreError::Unavailable(_)) if broker.store().is_shared() => {}
            taken => taken?,
        }
        Ok(Arc::new(broker))
    }

    /// Takes up the questions that outlived the last process, once.
    async fn take_up_questions(&self) -> Result<(), StoreError> {
        if self.taken_up.load(Ordering::Acquire) {
            return Ok(());
        }
        for record in self.watch.promptly(self.store().pending(Timestamp::now())).await? {
            self.opened(&record.ask);
        }
        self.taken_up.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether a caller waits for the answer to a question. Where nobody does, the caller was told to come again, and a
    /// yes counts for the identical call then.
    #[must_use]
    pub fn is_waited_for(&self, id: &QuestionId) -> bool {
        lock(&self.waiting).contains_key(id)
    }

    /// The store behind it.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.watch.store()
    }

    /// All accounts, as the store had them a moment ago. A store that is down is told at once, without asking it.
    ///
    /// # Errors
    /// [`StoreError`]: it isn't known who has which role.
    pub async fn accounts(&self) -> Result<Arc<Vec<PersonAccount>>, StoreError> {
        self.watch.accounts().await
    }

    /// What is wrong with the store, if anything.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.watch.problem().or_else(|| self.forged())
    }

    /// Changes whenever a question is put, answered or lapses, or something is stopped or lifted.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Takes an answer. When this returns [`Answered::Settled`], it is recorded.
    ///
    /// # Errors
    /// [`BrokerError`]: the question is unknown, or the answer couldn't be kept. A yes that couldn't be recorded is
    /// taken back.
    pub async fn answer(&self, id: &QuestionId, answering: &Answering) -> Result<Answered, BrokerError> {
        let settling = self.settling.lock().await;
        let asked = self.store().ask_record(id, Timestamp::now()).await?;
        let once = asked.is_some_and(|record| record.ask.confirm.one_attempt);
        let answering = &if once { self.for_one_attempt(id, answering) } else { answering.clone() };
        let answered = self.store().answer(id, answering, Timestamp::now()).await?;
        let settled = match &answered {
            Answered::Settled(record) => Some((record.ask.clone(), Some(decided(record.state)))),
            Answered::Pending { .. } => {
                let known = self.store().ask_record(id, Timestamp::now()).await?;
                known.map(|record| (record.ask, None))
            }
            Answered::Already(_) | Answered::Refused(_) => None,
        };
        if let Some((ask, decision)) = settled {
            let kept = self.record(ApprovalRecord {
                event: ApprovalEvent::Answered,
                decision,
                by: answering.by.clone(),
                presence: Some(answering.presence),
                via: answering.via.clone(),
                ..blank(&ask.decision, ask.confirm.level)
            });
            if let Err(error) = kept.await {
                if let Answered::Settled(record) = &answered
                    && !record.nonce.is_empty()
                {
                    self.store().revoke_grant(&record.nonce).await?;
                }
                return Err(error);
            }
            // Only now it counts: what isn't recorded has no seal.
            if let Answered::Settled(record) = &answered
                && !record.nonce.is_empty()
            {
                self.store().seal_grant(&record.nonce).await?;
            }
            if decision.is_some() {
                self.lock_open().remove(id);
            }
        }
        drop(settling);
        self.ring();
        Ok(answered)
    }

    /// The answer to a call that couldn't be followed to its end: what it would run may change without a sign, so that
    /// a yes is good for one attempt and not for long.
    fn for_one_attempt(&self, id: &QuestionId, answering: &Answering) -> Answering {
        let most = if self.is_waited_for(id) { WAITED } else { UNWAITED };
        let reach = if answering.reach == Reach::Session { Reach::Once } else { answering.reach };
        Answering { lifetime: answering.lifetime.min(most), reach, ..answering.clone() }
    }

    /// Takes back a yes that wasn't used yet. `false` if it was.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn recall(&self, record: &AskRecord, by: &str) -> Result<bool, BrokerError> {
        let recalled = !record.nonce.is_empty() && self.store().revoke_grant(&record.nonce).await?;
        if recalled {
            let kept = ApprovalRecord {
                event: ApprovalEvent::Cancelled,
                by: by.to_owned(),
                ..blank(&record.ask.decision, record.ask.confirm.level)
            };
            self.record(kept).await?;
            self.ring();
        }
        Ok(recalled)
    }

    /// Withdraws an open question. `false` if it was settled.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn withdraw(&self, id: &QuestionId, by: &str) -> Result<bool, BrokerError> {
        let _settling = self.settling.lock().await;
        let now = Timestamp::now();
        let Some(record) = self.store().ask_record(id, now).await? else { return Ok(false) };
        let open = record.state == AskState::Pending;
        if !open || !self.store().end_ask(id, AskState::Cancelled, "withdrawn", now).await? {
            return Ok(false);
        }
        let kept = ApprovalRecord {
            event: ApprovalEvent::Cancelled,
            by: by.to_owned(),
            ..blank(&record.ask.decision, record.ask.confirm.level)
        };
        self.record(kept).await?;
        self.lock_open().remove(id);
        self.ring();
        Ok(true)
    }

    /// Stops a scope: its calls are denied and its open questions answered with no.
    ///
    /// # Errors
    /// [`BrokerError`]; the stop holds in this process even if it couldn't be kept.
    pub async fn stop(&self, scope: &str, by: &str, reason: &str) -> Result<(), BrokerError> {
        self.stops.stop(scope, by);
        self.store().stop(scope, by, reason).await?;
        self.stops.stored(scope);
        for record in self.store().pending(Timestamp::now()).await? {
            if concerns(scope, &record.ask.binding)
                && self
                    .store()
                    .end_ask(&record.ask.id, AskState::Denied, "kill_switch", Timestamp::now())
                    .await?
            {
                let kept = ApprovalRecord {
                    event: ApprovalEvent::Answered,
                    decision: Some(UserDecision::Denied),
                    by: by.to_owned(),
                    via: "kill_switch".to_owned(),
                    ..blank(&record.ask.decision, record.ask.confirm.level)
                };
                self.record(kept).await?;
                self.lock_open().remove(&record.ask.id);
            }
        }
        self.note("stopped", &format!("{by} stopped {scope}")).await
    }

    /// Lifts a stop. `false` if there was none.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn lift(&self, scope: &str, by: &str) -> Result<bool, BrokerError> {
        // Recorded first: what can't be recorded stays stopped.
        self.note("lifted", &format!("{by} lifted the stop of {scope}")).await?;
        let lifted = self.store().lift(scope).await?;
        self.stops.lift(scope);
        self.ring();
        Ok(lifted)
    }

    /// Records the lapse of questions whose time has come; their number.
    ///
    /// # Errors
    /// [`BrokerError`].
    pub async fn sweep(&self) -> Result<usize, BrokerError> {
        let now = Timestamp::now();
        if self.watch.is_there().is_ok() {
            let _ = self.take_up_questions().await;
        }
        self.tell_forged_rows().await;
        let due: Vec<(QuestionId, Open)> = self
            .lock_open()
            .iter()
            .filter(|(_, open)| open.expires <= now)
            .map(|(id, open)| (id.clone(), open.clone()))
            .collect();
        if due.is_empty() {
            return Ok(0);
        }
        let _settling = self.settling.lock().await;
        self.store().sweep(now).await?;
        let mut lapsed = 0;
        for (id, open) in due {
            let state = self.store().ask_record(&id, now).await?.map(|record| record.state);
            if state == Some(AskState::TimedOut) {
                let kept = ApprovalRecord {
                    event: ApprovalEvent::Expired,
                    decision: Some(UserDecision::TimedOut),
                    ..blank(&open.decision, open.level)
                };
                self.record(kept).await?;
                lapsed += 1;
            }
            self.lock_open().remove(&id);
        }
        self.ring();
        Ok(lapsed)
    }

    /// Something about people worth keeping: who signed in, who set a passphrase.
    ///
    /// # Errors
    /// [`BrokerError::Record`].
    pub async fn note(&self, code: &str, message: &str) -> Result<(), BrokerError> {
        self.note_with(code, message, None).await
    }

    /// The same about a session whose foreign text no longer counts, as a person said: a service that starts again
    /// finds it.
    ///
    /// # Errors
    /// [`BrokerError::Record`].
    pub async fn note_cleared(&self, session: &SessionId, message: &str) -> Result<(), BrokerError> {
        let code = restoring::CLEARED.strip_prefix("approvals.").unwrap_or_default();
        self.note_with(code, message, Some(restoring::about(session, None))).await
    }

    async fn note_with(&self, code: &str, message: &str, detail: Option<Value>) -> Result<(), BrokerError> {
        let note = Record::Note(NoteRecord {
            v: 1,
            id: RecordId::fresh(),
            time: Timestamp::now(),
            code: format!("approvals.{code}"),
            message: message.to_owned(),
            detail,
        });
        self.append(note).await?;
        self.ring();
        Ok(())
    }

    async fn record(&self, record: ApprovalRecord) -> Result<(), BrokerError> {
        self.append(Record::Approval(record)).await
    }

    async fn append(&self, record: Record) -> Result<(), BrokerError> {
        match self.ledger.append(record).await {
            Ok(_) => Ok(()),
            Err(error) => Err(BrokerError::Record { code: error.code(), reason: error.to_string() }),
        }
    }

    async fn put(&self, ask: &Ask) -> Result<(), String> {
        self.watch.is_there().map_err(|error| error.to_string())?;
        let mut ask = ask.clone();
        let project = Path::new(&ask.binding.project);
        ask.origin.branch = if project.is_absolute() { origins::branch(project) } else { None };
        if let Some(client) = origins::client_of(&ask.binding.session) {
            ask.origin.agent = Some(client.to_owned());
        }
        ask.origin.title = self.sessions.titles().of(&ask.binding.session);
        let differs = self.difference(&ask.binding);
        if let Some(differs) = self.other_scope(&ask.decision).await.or(differs) {
            ask.reason = format!("{} (asked again: {differs})", ask.reason);
        }
        let two = ask.confirm.level >= 3;
        let put = self.store().put_ask(&ask, two, Timestamp::now());
        self.watch.promptly(put).await.map_err(|error| error.to_string())?;
        let asked = ApprovalRecord { event: ApprovalEvent::Asked, ..blank(&ask.decision, ask.confirm.level) };
        if let Err(error) = self.record(asked).await {
            let ended = self.store().end_ask(&ask.id, AskState::Error, error.code(), Timestamp::now()).await;
            return Err(ended.err().map_or_else(|| error.to_string(), |ended| ended.to_string()));
        }
        self.opened(&ask);
        self.ring();
        Ok(())
    }

    /// Whether a saved rule of another session, agent or project would have covered this.
    async fn other_scope(&self, decision: &DecisionId) -> Option<&'static str> {
        let decision = decision.to_owned();
        let saved = Arc::clone(&self.saved);
        let covered = tokio::task::spawn_blocking(move || saved.covered_elsewhere(&decision)).await;
        covered.is_ok_and(|covered| covered).then_some("rule.scope")
    }

    /// What differed when an earlier yes to something like this call was looked for.
    fn difference(&self, binding: &Binding) -> Option<&'static str> {
        let mut known = lock(&self.differences);
        let at = known.iter().position(|(own, _)| own == binding)?;
        known.remove(at).map(|(_, differs)| differs)
    }

    fn opened(&self, ask: &Ask) {
        let open = Open { decision: ask.decision.clone(), level: ask.confirm.level, expires: ask.expires };
        self.lock_open().insert(ask.id.clone(), open);
    }

    fn lock_open(&self) -> MutexGuard<'_, HashMap<QuestionId, Open>> {
        lock(&self.open)
    }

    /// Tells everybody who listens that something changed.
    pub(crate) fn ring(&self) {
        self.changed.send_modify(|changes| *changes = changes.wrapping_add(1));
    }
}

impl Approver for Broker {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(self.put(ask))
    }

    fn wait<'a>(&'a self, id: &'a QuestionId, deadline: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(async move {
            let _waits = Waits::new(&self.waiting, id);
            // A shared store that says nothing must not be waited for beyond the deadline.
            let left = deadline.duration_since(Timestamp::now());
            let left = Duration::try_from(left).unwrap_or_default().saturating_add(Duration::from_secs(1));
            let waited = tokio::time::timeout(left, self.store().wait(id, deadline)).await;
            let answer = waited.unwrap_or(Answer::TimedOut);
            // Whoever waits goes on only after the answer is recorded.
            let _recorded = self.settling.lock().await;
            answer
        })
    }

    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        severity: Severity,
        now: Timestamp,
    ) -> Boxed<'a, Option<Grant>> {
        Box::pin(async move {
            // A store that is down grants nothing, and isn't waited for.
            let wanted = GrantRequest { binding, severity: Some(severity), nonce: None };
            match self.watch.promptly(self.store().redeem_grant(&wanted, now)).await {
                Ok(Redemption::Granted(grant)) => Some(*grant),
                Ok(Redemption::Differs(FORGED)) => {
                    self.tell_forged(binding).await;
                    None
                }
                Ok(Redemption::Differs(differs)) => {
                    let mut known = lock(&self.differences);
                    known.truncate(MOST_DIFFERENCES - 1);
                    known.push_front((binding.clone(), differs));
                    None
                }
                // A store that fails grants nothing.
                Ok(Redemption::None) | Err(_) => None,
            }
        })
    }
}

fn decided(state: AskState) -> UserDecision {
    match state {
        AskState::Allowed => UserDecision::Allowed,
        AskState::Denied => UserDecision::Denied,
        AskState::TimedOut => UserDecision::TimedOut,
        AskState::NoApprover => UserDecision::NoApprover,
        AskState::Pending | AskState::Error | AskState::Cancelled => UserDecision::Error,
    }
}

/// Whether a stop of this scope ends a question bound like this.
fn concerns(scope: &str, binding: &Binding) -> bool {
    match scope.split_once(':') {
        None => scope == crate::stops::ALL,
        Some(("session", id)) => binding.session == id,
        Some(("agent", name)) => binding.caller == name,
        Some(("server", name)) => binding.server == name,
        Some(_) => false,
    }
}

fn blank(decision: &DecisionId, level: u8) -> ApprovalRecord {
    ApprovalRecord {
        v: 1,
        id: RecordId::fresh(),
        time: Timestamp::now(),
        of: decision.clone(),
        event: ApprovalEvent::Asked,
        decision: None,
        by: String::new(),
        presence: None,
        level,
        via: String::new(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section leaves the collection whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

mod forged;
