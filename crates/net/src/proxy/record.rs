//! What is kept of every access, who is asked, and what is counted.
//!
//! The log is a trait, so that the ledger can stand behind it: [`AccessLog::decided`] is awaited before
//! anything is dialled, and an access that can't be recorded doesn't happen.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use doorward_core::Boxed;
use doorward_core::id::{DecisionId, SessionId};
pub use doorward_core::record::{AccessEvent, AccessRecord};
use serde::Serialize;

use crate::code::Code;

/// Keeps access records.
pub trait AccessLog: Send + Sync {
    /// Keeps a decision; durable when this returns. An error denies the access.
    fn decided<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, Result<(), String>>;

    /// Keeps the end of a permitted access.
    fn ended<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, ()>;
}

/// A log that keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLog;

impl AccessLog for NoLog {
    fn decided<'a>(&'a self, _: &'a AccessRecord) -> Boxed<'a, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

    fn ended<'a>(&'a self, _: &'a AccessRecord) -> Boxed<'a, ()> {
        Box::pin(async {})
    }
}

/// What a person is asked while the connection waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AskEgress {
    /// The access, as its records name it.
    pub access: DecisionId,
    /// Agent session.
    pub agent_session: SessionId,
    /// Agent, if told.
    pub agent: Option<String>,
    /// Command.
    pub command_id: String,
    /// `CONNECT`, `SOCKS5` or the HTTP method.
    pub method: String,
    /// Canonical host.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The rule that asks.
    pub rule: String,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskAnswer {
    /// Yes, this once.
    Once,
    /// Yes, for this host and port in this session.
    Session,
    /// Yes, for this host and port from now on; keeping it is the asker's business.
    Always,
    /// No.
    Denied,
}

/// Asks a person.
pub trait ConfirmEgress: Send + Sync {
    /// Puts the question and waits. The proxy stops waiting at its own time-out, which is a no.
    fn ask<'a>(&'a self, question: &'a AskEgress) -> Boxed<'a, AskAnswer>;
}

/// Nobody to ask: every question is a no.
#[derive(Debug, Clone, Copy, Default)]
pub struct NobodyToAsk;

impl ConfirmEgress for NobodyToAsk {
    fn ask<'a>(&'a self, _: &'a AskEgress) -> Boxed<'a, AskAnswer> {
        Box::pin(async { AskAnswer::Denied })
    }
}

/// Upper bounds of the histograms' buckets, in microseconds; the last bucket has none.
pub const BUCKETS_US: [u64; 8] = [50, 200, 1_000, 5_000, 20_000, 100_000, 500_000, 2_000_000];

/// A duration histogram.
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; BUCKETS_US.len() + 1],
    sum_us: AtomicU64,
}

impl Histogram {
    pub(crate) fn observe(&self, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.iter().position(|bound| us <= *bound).unwrap_or(BUCKETS_US.len());
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Relaxed);
        }
        self.sum_us.fetch_add(us, Relaxed);
    }

    /// Upper bounds in seconds with their counts (the last bound is the largest number there is), and the sum in
    /// seconds.
    #[must_use]
    pub fn buckets(&self) -> (Vec<(f64, u64)>, f64) {
        let bounds = BUCKETS_US.iter().map(|us| Duration::from_micros(*us).as_secs_f64());
        let counts = self.counts.iter().map(|count| count.load(Relaxed));
        let sum = Duration::from_micros(self.sum_us.load(Relaxed)).as_secs_f64();
        (bounds.chain([f64::MAX]).zip(counts).collect(), sum)
    }
}

/// Counters of a proxy.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Accesses permitted.
    pub allowed: AtomicU64,
    /// Accesses let through that the rules would have refused (mode `report`).
    pub reported: AtomicU64,
    /// Bytes of the children's.
    pub bytes_up: AtomicU64,
    /// Bytes for the children.
    pub bytes_down: AtomicU64,
    /// Tunnels open now.
    pub tunnels: AtomicU64,
    /// Connections open now.
    pub connections: AtomicU64,
    /// Time of look-ups.
    pub dns: Histogram,
    /// Time of connections.
    pub connect: Histogram,
    /// Time of decisions, look-up and asking excluded.
    pub decision: Histogram,
    denied: [AtomicU64; Code::ALL.len()],
}

impl Metrics {
    pub(crate) fn deny(&self, code: Code) {
        let at = Code::ALL.iter().position(|own| *own == code);
        if let Some(count) = at.and_then(|at| self.denied.get(at)) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Denials by code; codes without one are left out.
    #[must_use]
    pub fn denied(&self) -> BTreeMap<&'static str, u64> {
        let counts = Code::ALL.iter().zip(&self.denied);
        counts
            .map(|(code, count)| (code.as_str(), count.load(Relaxed)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}
