//! Records of accesses, questions to people, and counters.
//!
//! The log is a trait, so that it can be the ledger: [`AccessLog::decided`] is awaited before anything is dialled,
//! and an access that can't be recorded is refused.

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
    /// Records a decision; durable on return. An error denies the access.
    fn decided<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, Result<(), String>>;

    /// Records the end of a permitted access.
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

/// The question to a person, for which the connection waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AskEgress {
    /// The access, as its records name it.
    pub access: DecisionId,
    /// Agent session.
    pub agent_session: SessionId,
    /// Agent, if known.
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
    /// Yes, for this host and port from now on; the approver stores it.
    Always,
    /// No.
    Denied,
}

/// Asks a person.
pub trait ConfirmEgress: Send + Sync {
    /// Asks and waits for the answer. After its own time-out, the proxy refuses.
    fn ask<'a>(&'a self, question: &'a AskEgress) -> Boxed<'a, AskAnswer>;
}

/// For proxies without an approver: every question is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct NobodyToAsk;

impl ConfirmEgress for NobodyToAsk {
    fn ask<'a>(&'a self, _: &'a AskEgress) -> Boxed<'a, AskAnswer> {
        Box::pin(async { AskAnswer::Denied })
    }
}

/// Upper bounds of the histogram buckets, in microseconds; the last bucket has no bound.
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

    /// Upper bounds in seconds with their counts (the last bound is infinite), and the sum in seconds.
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
    /// Accesses permitted although the rules would refuse them (mode `report`).
    pub reported: AtomicU64,
    /// Bytes sent by children.
    pub bytes_up: AtomicU64,
    /// Bytes received by children.
    pub bytes_down: AtomicU64,
    /// Tunnels open now.
    pub tunnels: AtomicU64,
    /// Connections open now.
    pub connections: AtomicU64,
    /// Duration of DNS look-ups.
    pub dns: Histogram,
    /// Duration of connecting.
    pub connect: Histogram,
    /// Duration of decisions, without look-up and question.
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

    /// Denials by code; codes without denials are left out.
    #[must_use]
    pub fn denied(&self) -> BTreeMap<&'static str, u64> {
        let counts = Code::ALL.iter().zip(&self.denied);
        counts
            .map(|(code, count)| (code.as_str(), count.load(Relaxed)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}
