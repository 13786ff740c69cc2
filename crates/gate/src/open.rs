//! Permits without an outcome yet. Each gets exactly one: from its holder, an event of its session, a reported
//! outcome, the end of the session, a time limit, or the end of the service.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use doorward_core::approval::Presence;
use doorward_core::call::Custody;
use doorward_core::decision::Obligation;
use doorward_core::id::{CallId, DecisionId, Digest, RecordId, SessionId};
use doorward_core::json::{Object, Value};
use doorward_core::record::{
    ApprovalEvent, ApprovalRecord, Ledger, LedgerError, ObligationDone, Outcome, OutcomeRecord, Record,
    UserDecision, VIA_TRANSCRIPT,
};
use futures_util::future::join_all;
use jiff::Timestamp;

use crate::judged::Case;
use crate::permit::Done;
use crate::stages::Outcomes;

/// Default time that an advised decision waits for its outcome.
pub const OUTCOME_LIMIT: Duration = Duration::from_secs(24 * 3_600);

/// Stage of an open permit, which determines how it is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Admitted; its holder closes it.
    Held,
    /// Dropped by its holder.
    Dropped,
    /// Handed over; an event of its session, a reported outcome or the time limit closes it.
    Released,
    /// Not admitted by Doorward: the client decides, and an event reports that the call ran.
    LeftToClient,
}

/// A permit without an outcome.
#[derive(Debug, Clone)]
struct OpenPermit {
    session: SessionId,
    /// The client's id of the call.
    call: CallId,
    /// Digest of its arguments, for clients whose events have no call id.
    args_digest: Digest,
    /// Index of the decision record.
    index: u64,
    stage: Stage,
    /// The client shows its dialog to a person: Doorward told it to, or it reported so. If false, a rule or mode of
    /// the client may let the call pass without asking.
    dialog: bool,
    /// The client never reports outcomes.
    unreported: bool,
    /// Duties of the executor.
    owed: Vec<Obligation>,
    /// When the time limit closes it, once handed over.
    until: Option<Timestamp>,
    /// Whether another process executes the call.
    relayed: bool,
    /// Its outcome, if known but not recorded yet.
    known: Option<(Outcome, Done)>,
}

/// Why a reported outcome is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// No open decision has this id: unknown, not handed over, or closed already.
    #[error("outcome.unknown: no decision `{0}` waits for an outcome; each gets one, within its time limit")]
    Unknown(String),
    /// The ledger failed.
    #[error("{0}")]
    Ledger(#[from] LedgerError),
}

/// All permits without an outcome.
pub struct OpenPermits {
    ledger: Arc<dyn Ledger>,
    sessions: Arc<dyn Outcomes>,
    limit: Mutex<Duration>,
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    open: HashMap<DecisionId, OpenPermit>,
    by_call: HashMap<(SessionId, CallId), DecisionId>,
    by_session: HashMap<SessionId, HashSet<DecisionId>>,
    due: BTreeSet<(Timestamp, DecisionId)>,
    dropped: Vec<DecisionId>,
}

impl Book {
    fn insert(&mut self, decision: DecisionId, permit: OpenPermit) {
        self.by_call.insert((permit.session.clone(), permit.call.clone()), decision.clone());
        self.by_session.entry(permit.session.clone()).or_default().insert(decision.clone());
        if let Some(until) = permit.until {
            self.due.insert((until, decision.clone()));
        }
        self.open.insert(decision, permit);
    }

    fn remove(&mut self, decision: &DecisionId) -> Option<OpenPermit> {
        let permit = self.open.remove(decision)?;
        let call = (permit.session.clone(), permit.call.clone());
        // If a client reused a call id, the index keeps pointing to the later decision.
        if self.by_call.get(&call) == Some(decision) {
            self.by_call.remove(&call);
        }
        if let Some(own) = self.by_session.get_mut(&permit.session) {
            own.remove(decision);
            if own.is_empty() {
                self.by_session.remove(&permit.session);
            }
        }
        if let Some(until) = permit.until {
            self.due.remove(&(until, decision.clone()));
        }
        Some(permit)
    }

    /// The permit that a client's event refers to: same session and call id, or, for clients without ids, same
    /// session and arguments. Never a permit that its holder still has.
    fn spoken_of(
        &self,
        session: &SessionId,
        call: Option<&CallId>,
        args_digest: &Digest,
    ) -> Option<DecisionId> {
        let closable = |id: &&DecisionId| {
            self.open.get(*id).is_some_and(|permit| !matches!(permit.stage, Stage::Held | Stage::Dropped))
        };
        match call {
            Some(call) => self.by_call.get(&(session.clone(), call.clone())).filter(closable).cloned(),
            None => {
                let own = self.by_session.get(session)?.iter().filter(closable);
                let same = |id: &&DecisionId| {
                    self.open.get(*id).is_some_and(|permit| permit.args_digest == *args_digest)
                };
                // Take the oldest.
                own.filter(same).min().cloned()
            }
        }
    }
}

impl OpenPermits {
    /// Empty, with this ledger. `sessions` is told the outcomes.
    #[must_use]
    pub fn new(ledger: Arc<dyn Ledger>, sessions: Arc<dyn Outcomes>) -> Arc<Self> {
        Arc::new(Self { ledger, sessions, limit: Mutex::new(OUTCOME_LIMIT), book: Mutex::default() })
    }

    /// Sets how long decisions handed over from now on wait for their outcome.
    pub fn set_limit(&self, limit: Duration) {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = limit;
    }

    /// Number of open permits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.book().open.len()
    }

    /// Whether there are no open permits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.book().open.is_empty()
    }

    /// Closes the permit that a client's after-event refers to. `Ok(None)` if no permit matches.
    ///
    /// # Errors
    /// [`LedgerError`] if the outcome couldn't be recorded; the permit stays open.
    pub async fn observe(
        &self,
        session: &SessionId,
        call: Option<&CallId>,
        args_digest: &Digest,
        outcome: Outcome,
        done: Done,
    ) -> Result<Option<DecisionId>, LedgerError> {
        let Some(id) = self.book().spoken_of(session, call, args_digest) else { return Ok(None) };
        Ok(self.finish(id.clone(), outcome, done).await?.map(|_| id))
    }

    /// Closes a handed-over decision with the outcome that its caller reports.
    ///
    /// # Errors
    /// [`ReportError`].
    pub async fn report(
        &self,
        decision: &DecisionId,
        outcome: Outcome,
        done: Done,
    ) -> Result<u64, ReportError> {
        let unknown = || ReportError::Unknown(decision.as_str().to_owned());
        let stage = self.book().open.get(decision).map(|permit| permit.stage);
        if stage != Some(Stage::Released) {
            return Err(unknown());
        }
        self.finish(decision.clone(), outcome, done).await?.ok_or_else(unknown)
    }

    /// The session of a decision that waits for its outcome.
    #[must_use]
    pub fn session_of(&self, decision: &DecisionId) -> Option<SessionId> {
        self.book().open.get(decision).map(|permit| permit.session.clone())
    }

    /// Whether a call was handed over and its outcome is still unknown.
    #[must_use]
    pub fn is_handed_over(&self, decision: &DecisionId) -> bool {
        self.book().open.get(decision).is_some_and(|permit| permit.stage == Stage::Released)
    }

    /// The client shows its dialog for the call that this decision left to it.
    pub fn dialog_shown(&self, decision: &DecisionId) {
        let id = decision.clone();
        if let Some(permit) = self.book().open.get_mut(&id) {
            permit.dialog = true;
        }
    }

    /// The turn of this call is over, and no event reported that it ran. If the client's dialog was shown, records
    /// the meaning of that silence, as `meaning` returns it for the call id. Otherwise the decision stays open and
    /// the result is `false`.
    ///
    /// # Errors
    /// [`LedgerError`] if the answer couldn't be recorded; then the decision stays open.
    pub async fn turn_over(
        &self,
        decision: &DecisionId,
        meaning: impl Fn(&CallId) -> Silence,
    ) -> Result<bool, LedgerError> {
        let id = decision.clone();
        let call = self.book().open.get(&id).filter(|own| own.is_silent()).map(|own| own.call.clone());
        let Some(call) = call else { return Ok(false) };
        Ok(self.close_all(vec![(id, Ended::Turn(meaning(&call)))]).await? == 1)
    }

    /// The client's own flow let the call of this decision pass. Recorded once, with whether a person was asked. The
    /// call's outcome is recorded with the decision that admits it.
    ///
    /// # Errors
    /// [`LedgerError`] if the answer couldn't be recorded; then it doesn't count.
    pub async fn answered(&self, decision: &DecisionId) -> Result<Option<Presence>, LedgerError> {
        let id = decision.clone();
        let Some(permit) = self.take(&id, |stage| stage == Stage::LeftToClient) else {
            return Ok(None);
        };
        let dialog = permit.dialog;
        match self.ledger.append(passed_record(&id, dialog)).await {
            Ok(_) => Ok(Some(if dialog { Presence::ClientDialog } else { Presence::ClientRule })),
            Err(error) => {
                self.book().insert(id, permit);
                Err(error)
            }
        }
    }

    /// The session ended: handed-over calls become `unobserved`, unused permits `abandoned`. Written as one batch.
    ///
    /// # Errors
    /// [`LedgerError`] if an outcome couldn't be recorded; that permit stays open.
    pub async fn end_session(
        &self,
        session: &SessionId,
        meaning: impl Fn(&CallId) -> Silence,
    ) -> Result<usize, LedgerError> {
        let own: Vec<(DecisionId, CallId, bool)> = {
            let book = self.book();
            let ids = book.by_session.get(session).into_iter().flatten();
            ids.filter_map(|id| book.open.get(id).map(|own| (id.clone(), own.call.clone(), own.is_silent())))
                .collect()
        };
        // Look up the client's own account only for calls where it matters.
        let ended = own.into_iter().map(|(id, call, silent)| {
            (id, Ended::Turn(if silent { meaning(&call) } else { Silence::Unclear }))
        });
        self.close_all(ended.collect()).await
    }

    /// The service stops: every open permit gets its outcome, in one batch.
    ///
    /// # Errors
    /// As [`OpenPermits::end_session`].
    pub async fn end_all(&self) -> Result<usize, LedgerError> {
        let all = self.book().open.keys().map(|id| (id.clone(), Ended::Watching)).collect();
        self.close_all(all).await
    }

    /// Closes dropped permits, and those past their time limit. Call it regularly.
    ///
    /// # Errors
    /// As [`OpenPermits::end_session`].
    pub async fn sweep(&self, now: Timestamp) -> Result<usize, LedgerError> {
        let ended: Vec<DecisionId> = {
            let mut book = self.book();
            let mut ended = std::mem::take(&mut book.dropped);
            ended.extend(book.due.iter().take_while(|(until, _)| *until <= now).map(|(_, id)| id.clone()));
            ended
        };
        self.close_all(ended.into_iter().map(|id| (id, Ended::Watching)).collect()).await
    }

    /// Admitted and held.
    pub(crate) fn held(&self, decision: &DecisionId, case: &Case, index: u64) {
        self.insert(decision, case, index, Stage::Held);
    }

    /// Left to the client's own flow; an event may report that the call ran.
    pub(crate) fn left_to_client(&self, decision: &DecisionId, case: &Case, index: u64) {
        self.insert(decision, case, index, Stage::LeftToClient);
    }

    /// Handed over to another process: from now on its outcome may be reported.
    pub(crate) fn released(&self, decision: &DecisionId) {
        let mut book = self.book();
        if let Some(mut permit) = book.remove(decision) {
            permit.stage = Stage::Released;
            permit.until = self.until();
            book.insert(decision.clone(), permit);
        }
    }

    /// Dropped by its holder without an outcome.
    pub(crate) fn dropped(&self, decision: &DecisionId) {
        let mut book = self.book();
        if let Some(permit) = book.open.get_mut(decision) {
            permit.stage = Stage::Dropped;
            book.dropped.push(decision.clone());
        }
    }

    /// The holder reports the outcome.
    pub(crate) async fn close(
        &self,
        decision: &DecisionId,
        outcome: Outcome,
        done: Done,
    ) -> Result<u64, LedgerError> {
        // A duty exists only once per permit, so there is a permit to close.
        self.finish(decision.clone(), outcome, done).await.map(Option::unwrap_or_default)
    }

    /// The holder reports the outcome without waiting for the disk. The session is told at once, and the record
    /// precedes all later ones. If it can't be written, the permit is reopened and [`OpenPermits::sweep`] tries
    /// again.
    pub(crate) fn close_later(self: &Arc<Self>, decision: &DecisionId, outcome: Outcome, done: Done) {
        let Some(mut permit) = self.take(decision, |_| true) else { return };
        let record = outcome_record(decision, &permit, outcome, done.clone());
        self.sessions.observed(&permit.session, decision, outcome);
        let (open, id) = (Arc::clone(self), decision.clone());
        let told = move |kept: Result<u64, LedgerError>| {
            if kept.is_err() {
                permit.known = Some((outcome, done));
                permit.stage = Stage::Dropped;
                let mut book = open.book();
                book.dropped.push(id.clone());
                book.insert(id, permit);
            }
        };
        self.ledger.append_later(record, Box::new(told));
    }

    /// Whether the last write to the ledger succeeded.
    pub(crate) fn is_writable(&self) -> bool {
        self.ledger.is_writable()
    }

    fn insert(&self, decision: &DecisionId, case: &Case, index: u64, stage: Stage) {
        let inspected = &case.inspected;
        let call = &inspected.call;
        let until = (stage == Stage::LeftToClient).then(|| self.until()).flatten();
        let permit = OpenPermit {
            session: call.session.clone(),
            call: call.id.clone(),
            args_digest: inspected.args_digest.clone(),
            index,
            stage,
            dialog: false,
            unreported: call.unreported,
            owed: case.decision.obligations.clone(),
            until,
            relayed: call.custody == Custody::Relayed,
            known: None,
        };
        self.book().insert(decision.clone(), permit);
    }

    fn until(&self) -> Option<Timestamp> {
        let limit = *self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        Timestamp::now().checked_add(limit).ok()
    }

    fn take(&self, id: &DecisionId, which: impl Fn(Stage) -> bool) -> Option<OpenPermit> {
        let mut book = self.book();
        book.open.get(id).filter(|permit| which(permit.stage))?;
        book.remove(id)
    }

    /// Takes a permit and records its outcome; restores the permit on failure. `None` if it was closed already.
    async fn finish(&self, id: DecisionId, outcome: Outcome, done: Done) -> Result<Option<u64>, LedgerError> {
        // Taken out first, so that two events can't both record an outcome.
        let Some(mut permit) = self.take(&id, |_| true) else { return Ok(None) };
        let mut kept = Ok(0);
        if permit.stage == Stage::LeftToClient || permit.dialog {
            // The call ran, so the client's flow allowed it.
            kept = self.ledger.append(passed_record(&id, permit.dialog)).await;
        }
        if kept.is_ok() {
            kept = self.ledger.append(outcome_record(&id, &permit, outcome, done.clone())).await;
        }
        match kept {
            Ok(index) => {
                self.sessions.observed(&permit.session, &id, outcome);
                Ok(Some(index))
            }
            Err(error) => {
                permit.known = Some((outcome, done));
                self.book().insert(id, permit);
                Err(error)
            }
        }
    }

    /// Closes all of these at once, with the outcome that fits each stage.
    async fn close_all(&self, ids: Vec<(DecisionId, Ended)>) -> Result<usize, LedgerError> {
        let taken: Vec<(DecisionId, OpenPermit, Ended)> = {
            let mut book = self.book();
            ids.into_iter().filter_map(|(id, ended)| Some((id.clone(), book.remove(&id)?, ended))).collect()
        };
        // Start all appends before waiting for the first: the ledger then writes them as one group.
        let appended = join_all(taken.iter().map(async |(id, permit, ended)| {
            let mut kept = Ok(0);
            for record in last_records(id, permit, *ended) {
                kept = self.ledger.append(record).await;
                if kept.is_err() {
                    break;
                }
            }
            kept
        }))
        .await;
        let mut closed = 0;
        let mut failed = None;
        for ((id, permit, ended), kept) in taken.into_iter().zip(appended) {
            match kept {
                Ok(_) => {
                    closed += 1;
                    self.sessions.observed(&permit.session, &id, ended_as(&permit, ended));
                }
                Err(error) => {
                    let mut book = self.book();
                    if permit.stage == Stage::Dropped {
                        book.dropped.push(id.clone());
                    }
                    book.insert(id, permit);
                    failed = Some(error);
                }
            }
        }
        failed.map_or(Ok(closed), Err)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        // Every critical section leaves the maps consistent, so a poisoned lock can be used.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for OpenPermits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenPermits").field("open", &self.len()).finish_non_exhaustive()
    }
}

/// The meaning of a client's silence after it showed its dialog for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// The client's transcript says that the person said no. Any process that can write the file can forge it, so it
    /// is recorded as a claim, and the call counts as one that may have run.
    SaidRefused,
    /// The person said no, or approved and then interrupted the call; which one is unknown.
    Unclear,
}

/// Why permits without any report are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The client's turn or session is over, so no more reports will come.
    Turn(Silence),
    /// Observation ended: the service stops, or a time limit passed.
    Watching,
}

impl OpenPermit {
    /// Whether a dialog was shown and a client that reports executed calls didn't report this one.
    fn is_silent(&self) -> bool {
        self.dialog && !self.unreported && matches!(self.stage, Stage::LeftToClient | Stage::Released)
    }
}

/// The outcome of a permit without any report.
fn ended_as(permit: &OpenPermit, ended: Ended) -> Outcome {
    if let Some((outcome, _)) = permit.known {
        return outcome;
    }
    match permit.stage {
        // It may have been sent: the relay no longer knows.
        Stage::Held if permit.relayed => Outcome::Unobserved,
        Stage::Held | Stage::Dropped => Outcome::Abandoned,
        // It may have run, so its effects count for the session.
        Stage::LeftToClient if permit.is_silent() && ended != Ended::Watching => Outcome::Unobserved,
        Stage::Released => Outcome::Unobserved,
        Stage::LeftToClient if permit.unreported => Outcome::Unobserved,
        // Not admitted: the person said no, or the client never asked.
        Stage::LeftToClient => Outcome::Refused,
    }
}

fn last_records(id: &DecisionId, permit: &OpenPermit, ended: Ended) -> Vec<Record> {
    let mut records = Vec::new();
    let mut admitted = permit.stage != Stage::LeftToClient || permit.unreported;
    match ended {
        Ended::Turn(silence) if permit.is_silent() => {
            let mut record = client_record(id, ApprovalEvent::Unclear, None, None);
            if silence == Silence::SaidRefused {
                VIA_TRANSCRIPT.clone_into(&mut record.via);
            }
            records.push(Record::Approval(record));
            admitted = true;
        }
        Ended::Turn(_) | Ended::Watching => {}
    }
    // A call that was only left to the client wasn't admitted: its question ends without an outcome.
    if admitted || permit.known.is_some() {
        let done = permit.known.as_ref().map(|(_, done)| done.clone()).unwrap_or_default();
        records.push(outcome_record(id, permit, ended_as(permit, ended), done));
    } else if records.is_empty() {
        records.push(Record::Approval(client_record(id, ApprovalEvent::Expired, None, None)));
    }
    records
}

/// The client's own flow let a call pass: a person's answer if its dialog was shown, else a rule or mode of the
/// client, which isn't a person's answer.
fn passed_record(decision: &DecisionId, dialog: bool) -> Record {
    Record::Approval(if dialog {
        let said = Some(UserDecision::Allowed);
        client_record(decision, ApprovalEvent::Answered, said, Some(Presence::ClientDialog))
    } else {
        client_record(decision, ApprovalEvent::Passed, None, Some(Presence::ClientRule))
    })
}

fn client_record(
    decision: &DecisionId,
    event: ApprovalEvent,
    said: Option<UserDecision>,
    presence: Option<Presence>,
) -> ApprovalRecord {
    ApprovalRecord {
        v: 1,
        id: RecordId::fresh(),
        time: Timestamp::now(),
        of: decision.clone(),
        event,
        decision: said,
        by: String::new(),
        presence,
        level: 1,
        via: "client".to_owned(),
    }
}

/// Whether each obligation was met: as the executor reports, else as far as the outcome shows. Notices (`notify`)
/// have records of their own.
fn obligations(owed: &[Obligation], done: &Done) -> Vec<ObligationDone> {
    let mut all = done.obligations.clone();
    for obligation in owed {
        let kind = obligation.name();
        if matches!(obligation, Obligation::Notify { .. }) || all.iter().any(|known| known.kind == kind) {
            continue;
        }
        let shown = match obligation {
            // The gate ends permissions in time.
            Obligation::Expires { .. } => true,
            Obligation::LogOutput => done.output_digest.is_some(),
            _ => false,
        };
        all.push(ObligationDone { kind: kind.to_owned(), done: shown });
    }
    all
}

/// Details of an outcome, with the output where it is to be kept.
fn detail(owed: &[Obligation], detail: Option<Value>, output: Option<String>) -> Option<Value> {
    let output = output.filter(|_| owed.iter().any(|obligation| matches!(obligation, Obligation::LogOutput)));
    let Some(output) = output else { return detail };
    let mut members = match detail {
        Some(Value::Object(members)) => members,
        _ => Object::new(),
    };
    members.insert("output".to_owned(), Value::from(output));
    Some(Value::Object(members))
}

fn outcome_record(decision: &DecisionId, permit: &OpenPermit, outcome: Outcome, done: Done) -> Record {
    let obligations = obligations(&permit.owed, &done);
    Record::Outcome(OutcomeRecord {
        v: 1,
        id: RecordId::fresh(),
        time: Timestamp::now(),
        of: decision.clone(),
        of_index: Some(permit.index),
        outcome,
        exit: done.exit,
        limits_hit: done.limits_hit,
        output_digest: done.output_digest,
        bytes: done.bytes,
        obligations,
        detail: detail(&permit.owed, done.detail, done.output),
    })
}
