//! What is kept of every access, who is asked, and what is counted.
//!
//! The log is a trait, so that the ledger can stand behind it: [`AccessLog::decided`] is awaited before
//! anything is dialled, and an access that can't be recorded doesn't happen.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use doorward_core::Boxed;
use serde::Serialize;

use crate::code::Code;

/// One access, as decided; once more with the amounts when it ends.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AccessRecord {
    /// Id of the access, the same in both records.
    pub trace_id: String,
    /// Our clock.
    pub ts: jiff::Timestamp,
    /// Agent session.
    pub agent_session: String,
    /// Agent, if told.
    pub agent: Option<String>,
    /// Command that the child belongs to.
    pub command_id: String,
    /// `CONNECT`, `SOCKS5` or the HTTP method.
    pub method: String,
    /// `http` or `https`.
    pub scheme: String,
    /// Canonical host; as written where it has no canonical form.
    pub host: String,
    /// Port.
    pub port: u16,
    /// What the name resolved to.
    pub resolved: Vec<IpAddr>,
    /// What was dialled.
    pub dialed: Option<SocketAddr>,
    /// Who resolved: always `local`.
    pub resolved_by: &'static str,
    /// `allow` or `deny`.
    pub verdict: &'static str,
    /// Reason code with the class of the address: the ledger may know it.
    pub code: Option<String>,
    /// The rule that decided.
    pub rule: Option<String>,
    /// Mode of the rules.
    pub mode: &'static str,
    /// Name asked for in TLS.
    pub sni: Option<String>,
    /// Bytes of the child's.
    pub bytes_up: u64,
    /// Bytes for the child.
    pub bytes_down: u64,
    /// Time of the look-up.
    pub dns_ms: f64,
    /// Time of the connection.
    pub connect_ms: f64,
    /// Names of the secrets that were filled in.
    pub swapped_secrets: Vec<String>,
    /// How a permitted access ended: `done`, or what cut it.
    pub end: Option<String>,
}

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
    /// Agent session.
    pub agent_session: String,
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

    /// Counts by bucket, and the sum in microseconds.
    #[must_use]
    pub fn read(&self) -> (Vec<u64>, u64) {
        (self.counts.iter().map(|count| count.load(Relaxed)).collect(), self.sum_us.load(Relaxed))
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
