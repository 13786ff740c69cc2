//! What can be measured from outside, in Prometheus' text format.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use doorward::Door;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::egress::Counters;

/// Labels of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Decided {
    surface: String,
    verdict: String,
}

/// Labels of a failed authentication.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Failure {
    kind: String,
}

/// The service's metrics.
pub(crate) struct Metrics {
    registry: Registry,
    decisions: Family<Decided, Counter>,
    seconds: Histogram,
    open: Gauge<i64, std::sync::atomic::AtomicI64>,
    refused: Counter<u64, AtomicU64>,
    failed: Family<Failure, Counter>,
}

impl Metrics {
    pub(crate) fn new(door: Arc<Door>) -> Self {
        let mut registry = Registry::with_prefix("doorward");
        registry.register_collector(Box::new(Counters(door)));
        registry.register_collector(Box::new(crate::reviews::Counters));
        let decisions = Family::default();
        let seconds = Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
        let open = Gauge::default();
        let refused = Counter::default();
        registry.register("decisions", "Calls decided, by surface and verdict", decisions.clone());
        registry.register("decision_seconds", "Time from request to answer", seconds.clone());
        registry.register("open_permits", "Admitted calls without an outcome yet", open.clone());
        registry.register("requests_refused", "Requests refused before judging", refused.clone());
        let failed = Family::default();
        let told = "Tokens, links and passphrases that were wrong, by kind";
        registry.register("authentications_failed", told, failed.clone());
        Self { registry, decisions, seconds, open, refused, failed }
    }

    pub(crate) fn decided(&self, surface: &str, verdict: &str, took: Duration) {
        let labels = Decided { surface: surface.to_owned(), verdict: verdict.to_owned() };
        self.decisions.get_or_create(&labels).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn refused(&self) {
        self.refused.inc();
    }

    pub(crate) fn failed(&self, kind: &str) {
        self.failed.get_or_create(&Failure { kind: kind.to_owned() }).inc();
    }

    pub(crate) fn text(&self, open: usize) -> String {
        self.open.set(i64::try_from(open).unwrap_or(i64::MAX));
        let mut out = String::new();
        // Writing to a string can't fail.
        let _ = encode(&mut out, &self.registry);
        out
    }
}
