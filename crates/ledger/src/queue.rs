//! The queue between callers and the writer: bounded, with one ticket per record on which its caller waits.
//!
//! A caller that stops waiting never gets its index, so it can't act on the record. If the record opened a permit,
//! the queue closes it at once with an outcome `abandoned`.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use doorward_core::id::{DecisionId, RecordId};
use doorward_core::record::{LedgerError, Outcome, OutcomeRecord, Record, Told};

use crate::entry::{Effect, Entry};
use crate::journal::{FRAME, MAX_BATCH};

/// Locks even if another thread panicked: the guarded data is consistent between any two statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a record without a waiting caller may stay in the queue, to share a write with the next record.
pub(crate) const LATER: Duration = Duration::from_millis(10);

/// One caller's wait.
#[derive(Debug)]
pub(crate) struct Ticket {
    state: Mutex<State>,
    /// The decision that this record admits, if any.
    opens: Option<DecisionId>,
}

enum State {
    Waiting(Option<Waker>),
    /// No caller waits; this function gets the result.
    Tells(Told),
    Done(Result<u64, LedgerError>),
    Taken,
    Gone,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Waiting(_) => "Waiting",
            Self::Tells(_) => "Tells",
            Self::Done(_) => "Done",
            Self::Taken => "Taken",
            Self::Gone => "Gone",
        })
    }
}

impl Ticket {
    fn new(effect: &Effect, state: State) -> Self {
        let opens = if let Effect::Opens { id, .. } = effect { Some(id.clone()) } else { None };
        Self { state: Mutex::new(state), opens }
    }

    /// Passes the result to the caller. `false` if the caller is gone.
    pub(crate) fn complete(&self, result: Result<u64, LedgerError>) -> bool {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut *state, State::Taken) {
            State::Waiting(waker) => {
                *state = State::Done(result);
                drop(state);
                if let Some(waker) = waker {
                    waker.wake();
                }
                true
            }
            State::Tells(told) => {
                drop(state);
                told(result);
                true
            }
            other => {
                *state = other;
                false
            }
        }
    }

    /// Whether a caller waits for the result.
    fn is_awaited(&self) -> bool {
        !matches!(&*lock(&self.state), State::Tells(_))
    }

    /// The outcome of a permit whose caller is gone.
    pub(crate) fn abandonment(&self) -> Option<Entry> {
        self.opens.as_ref().and_then(|of| closing(of, None, Outcome::Abandoned))
    }
}

/// The entry that closes a permit.
pub(crate) fn closing(of: &DecisionId, of_index: Option<u64>, outcome: Outcome) -> Option<Entry> {
    let record = OutcomeRecord {
        v: 1,
        id: RecordId::fresh(),
        time: jiff::Timestamp::now(),
        of: of.clone(),
        of_index,
        outcome,
        exit: None,
        limits_hit: Vec::new(),
        output_digest: None,
        bytes: 0,
        obligations: Vec::new(),
        detail: None,
    };
    Entry::new(Record::Outcome(record), crate::ArgsKept::default()).ok()
}

/// A queued record.
#[derive(Debug)]
pub(crate) struct QueuedRecord {
    pub(crate) entry: Entry,
    pub(crate) ticket: Arc<Ticket>,
    since: Instant,
    /// Whether it may wait for the next record, at most [`LATER`].
    later: bool,
}

/// The queue.
#[derive(Debug)]
pub(crate) struct Queue {
    inner: Mutex<Inner>,
    filled: Condvar,
    bound: usize,
    deadline: Duration,
}

#[derive(Debug, Default)]
struct Inner {
    waiting: VecDeque<QueuedRecord>,
    /// Number of records with a waiting caller.
    urgent: usize,
    /// Whether the writer sleeps until it is notified.
    asleep: bool,
    /// The batch being written, and when that began.
    writing: Option<(Instant, Vec<Arc<Ticket>>)>,
    closed: bool,
}

impl Queue {
    pub(crate) fn new(bound: usize, deadline: Duration) -> Self {
        Self { inner: Mutex::default(), filled: Condvar::new(), bound, deadline }
    }

    /// Queues a record. `forced`: even if the queue is full, for the ledger's own records.
    pub(crate) fn push(self: &Arc<Self>, entry: Entry, forced: bool) -> Result<Append, LedgerError> {
        let ticket = Arc::new(Ticket::new(&entry.effect, State::Waiting(None)));
        self.enter(entry, &ticket, forced, false)?;
        Ok(Append { queue: Arc::clone(self), ticket })
    }

    /// Queues a record that may share a write with the next one. `told` gets the result.
    pub(crate) fn push_later(&self, entry: Entry, told: Told) {
        let ticket = Arc::new(Ticket::new(&entry.effect, State::Tells(told)));
        if let Err(error) = self.enter(entry, &ticket, false, true) {
            ticket.complete(Err(error));
        }
    }

    fn enter(
        &self,
        entry: Entry,
        ticket: &Arc<Ticket>,
        forced: bool,
        later: bool,
    ) -> Result<(), LedgerError> {
        let mut inner = lock(&self.inner);
        if inner.closed {
            return Err(LedgerError::Closed);
        }
        if !forced && inner.waiting.len() >= self.bound {
            return Err(LedgerError::Overloaded(format!("{} records are waiting", inner.waiting.len())));
        }
        inner.waiting.push_back(QueuedRecord {
            entry,
            ticket: Arc::clone(ticket),
            since: Instant::now(),
            later,
        });
        inner.urgent += usize::from(!later);
        // A writer that waits with a time-out will see a delayable record in time.
        let wakes = !later || inner.asleep;
        drop(inner);
        if wakes {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Queues a record without a waiting caller.
    pub(crate) fn push_unattended(self: &Arc<Self>, entry: Entry) {
        if let Ok(append) = self.push(entry, true) {
            append.detach();
        }
    }

    /// Waits for the next batch. `None` once the queue is closed and empty.
    pub(crate) fn take(&self) -> Option<Vec<QueuedRecord>> {
        let mut inner = self.filled();
        if inner.waiting.is_empty() {
            return None;
        }
        let mut bytes = 0;
        let mut batch = Vec::with_capacity(inner.waiting.len());
        while let Some(next) = inner.waiting.front() {
            bytes += next.entry.bytes.len() + next.entry.contents.len() + FRAME;
            if bytes > MAX_BATCH && !batch.is_empty() {
                break;
            }
            inner.urgent -= usize::from(!next.later);
            batch.extend(inner.waiting.pop_front());
        }
        let tickets = batch.iter().map(|pending| Arc::clone(&pending.ticket)).collect();
        inner.writing = Some((Instant::now(), tickets));
        Some(batch)
    }

    /// Waits until something must be written now: a record with a waiting caller, or one that waited [`LATER`]. Empty
    /// only once the queue is closed.
    fn filled(&self) -> MutexGuard<'_, Inner> {
        let mut inner = lock(&self.inner);
        inner.writing = None;
        let mut dozed = false;
        while !inner.closed && inner.urgent == 0 {
            let left = inner.waiting.front().map(|oldest| LATER.saturating_sub(oldest.since.elapsed()));
            inner = match left {
                Some(Duration::ZERO) => break,
                // The writer waited once already; it now sleeps until it is notified.
                None if dozed => {
                    inner.asleep = true;
                    let mut woken = self.filled.wait(inner).unwrap_or_else(PoisonError::into_inner);
                    woken.asleep = false;
                    woken
                }
                left => {
                    dozed = true;
                    let left = left.unwrap_or(LATER);
                    self.filled.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        inner
    }

    /// Fails records with a waiting caller that exceeded the deadline. If writing hasn't begun, they are never
    /// written; otherwise their callers get the error now, and permits are closed once the write succeeds. Records
    /// without a waiting caller stay until they are written or refused.
    pub(crate) fn expire(&self) {
        let mut late = Vec::new();
        let mut inner = lock(&self.inner);
        let is_late = |pending: &QueuedRecord| !pending.later && pending.since.elapsed() > self.deadline;
        if inner.waiting.iter().any(is_late) {
            let (gone, kept): (VecDeque<_>, VecDeque<_>) = inner.waiting.drain(..).partition(is_late);
            inner.waiting = kept;
            inner.urgent -= gone.len();
            late.extend(gone.into_iter().map(|pending| pending.ticket));
        }
        if let Some((_, tickets)) = inner.writing.take_if(|(since, _)| since.elapsed() > self.deadline) {
            late.extend(tickets.into_iter().filter(|ticket| ticket.is_awaited()));
        }
        drop(inner);
        for ticket in late {
            ticket.complete(Err(LedgerError::Overloaded("no answer within the deadline".to_owned())));
        }
    }

    pub(crate) fn close(&self) {
        lock(&self.inner).closed = true;
        self.filled.notify_all();
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.inner).waiting.len()
    }
}

/// A record being appended: resolves to its index once it is on disk.
///
/// Dropping it doesn't undo the record. If it admitted a call, an outcome `abandoned` follows.
#[derive(Debug)]
#[must_use = "the answer may leave only after the record is durable"]
pub struct Append {
    queue: Arc<Queue>,
    ticket: Arc<Ticket>,
}

impl Append {
    /// Blocks until the result.
    ///
    /// # Errors
    /// As [`doorward_core::Ledger::append`].
    pub fn wait(mut self) -> Result<u64, LedgerError> {
        let parker = Arc::new(Parker { thread: std::thread::current(), woken: AtomicBool::new(false) });
        let waker = Waker::from(Arc::clone(&parker));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(result) = Pin::new(&mut self).poll(&mut context) {
                return result;
            }
            while !parker.woken.swap(false, Ordering::Acquire) {
                std::thread::park();
            }
        }
    }

    fn detach(self) {
        let mut state = lock(&self.ticket.state);
        *state = State::Taken;
    }
}

impl Future for Append {
    type Output = Result<u64, LedgerError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = lock(&self.ticket.state);
        match &mut *state {
            State::Waiting(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            State::Done(_) => match std::mem::replace(&mut *state, State::Taken) {
                State::Done(result) => Poll::Ready(result),
                _ => Poll::Ready(Err(LedgerError::Closed)),
            },
            State::Tells(_) | State::Taken | State::Gone => Poll::Ready(Err(LedgerError::Closed)),
        }
    }
}

impl Drop for Append {
    fn drop(&mut self) {
        let mut state = lock(&self.ticket.state);
        let unseen = matches!(&*state, State::Done(Ok(_)));
        if !matches!(&*state, State::Taken) {
            *state = State::Gone;
        }
        drop(state);
        if unseen && let Some(entry) = self.ticket.abandonment() {
            self.queue.push_unattended(entry);
        }
    }
}

struct Parker {
    thread: std::thread::Thread,
    woken: AtomicBool,
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}
