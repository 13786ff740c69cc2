//! Between callers and the writer: a bounded queue, and one ticket a record on which its caller waits.
//!
//! A caller that goes away never gets its index, so it can't act on it; a permit opened that way is closed at
//! once by an outcome `abandoned` that the queue itself asks for.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use doorward_core::id::{DecisionId, RecordId};
use doorward_core::record::{LedgerError, Outcome, OutcomeRecord, Record};

use crate::entry::{Effect, Entry};
use crate::journal::{FRAME, MAX_BATCH};

/// Locks, whoever panicked before: what the locks guard is whole between any two statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One caller's wait.
#[derive(Debug)]
pub(crate) struct Ticket {
    state: Mutex<State>,
    /// The decision that this record admits, if it does.
    opens: Option<DecisionId>,
}

#[derive(Debug)]
enum State {
    Waiting(Option<Waker>),
    Done(Result<u64, LedgerError>),
    Taken,
    Gone,
}

impl Ticket {
    fn new(effect: &Effect) -> Self {
        let opens = if let Effect::Opens { id, .. } = effect { Some(id.clone()) } else { None };
        Self { state: Mutex::new(State::Waiting(None)), opens }
    }

    /// Tells the caller. `false` if there is none any more.
    pub(crate) fn complete(&self, result: Result<u64, LedgerError>) -> bool {
        let mut state = lock(&self.state);
        let State::Waiting(waker) = &mut *state else { return false };
        let waker = waker.take();
        *state = State::Done(result);
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// The outcome of a permit that nobody received.
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

/// A record on its way.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) entry: Entry,
    pub(crate) ticket: Arc<Ticket>,
    since: Instant,
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
    waiting: VecDeque<Pending>,
    /// The batch being written, and since when.
    writing: Option<(Instant, Vec<Arc<Ticket>>)>,
    closed: bool,
}

impl Queue {
    pub(crate) fn new(bound: usize, deadline: Duration) -> Self {
        Self { inner: Mutex::default(), filled: Condvar::new(), bound, deadline }
    }

    /// Puts a record at the end. `forced`: also over the bound, for what the ledger itself has to say.
    pub(crate) fn push(self: &Arc<Self>, entry: Entry, forced: bool) -> Result<Append, LedgerError> {
        let ticket = Arc::new(Ticket::new(&entry.effect));
        let mut inner = lock(&self.inner);
        if inner.closed {
            return Err(LedgerError::Closed);
        }
        if !forced && inner.waiting.len() >= self.bound {
            return Err(LedgerError::Overloaded(format!("{} records are waiting", inner.waiting.len())));
        }
        inner.waiting.push_back(Pending { entry, ticket: Arc::clone(&ticket), since: Instant::now() });
        drop(inner);
        self.filled.notify_one();
        Ok(Append { queue: Arc::clone(self), ticket })
    }

    /// Puts a record nobody waits for.
    pub(crate) fn push_unattended(self: &Arc<Self>, entry: Entry) {
        if let Ok(append) = self.push(entry, true) {
            append.detach();
        }
    }

    /// The next batch; waits for one. `None` once closed and empty.
    pub(crate) fn take(&self) -> Option<Vec<Pending>> {
        let mut inner = lock(&self.inner);
        inner.writing = None;
        while inner.waiting.is_empty() {
            if inner.closed {
                return None;
            }
            inner = self.filled.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        let mut bytes = 0;
        let mut batch = Vec::with_capacity(inner.waiting.len());
        while let Some(next) = inner.waiting.front() {
            bytes += next.entry.bytes.len() + next.entry.contents.len() + FRAME;
            if bytes > MAX_BATCH && !batch.is_empty() {
                break;
            }
            batch.extend(inner.waiting.pop_front());
        }
        let tickets = batch.iter().map(|pending| Arc::clone(&pending.ticket)).collect();
        inner.writing = Some((Instant::now(), tickets));
        Some(batch)
    }

    /// Gives up on records that waited longer than the deadline: those not begun are never written, those
    /// being written are answered now and closed when they turn out to be there.
    pub(crate) fn expire(&self) {
        let mut late = Vec::new();
        let mut inner = lock(&self.inner);
        while inner.waiting.front().is_some_and(|pending| pending.since.elapsed() > self.deadline) {
            late.extend(inner.waiting.pop_front().map(|pending| pending.ticket));
        }
        if let Some((_, tickets)) = inner.writing.take_if(|(since, _)| since.elapsed() > self.deadline) {
            late.extend(tickets);
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

/// A record on its way: resolves to its index once it is on disk.
///
/// Dropping it doesn't take the record back; if it admitted a call, an outcome `abandoned` follows.
#[derive(Debug)]
#[must_use = "the answer may leave only after the record is durable"]
pub struct Append {
    queue: Arc<Queue>,
    ticket: Arc<Ticket>,
}

impl Append {
    /// Waits on this thread.
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
            State::Taken | State::Gone => Poll::Ready(Err(LedgerError::Closed)),
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
