//! The egress proxy at the API: ways out for processes beside the service, and the proxy's counters.
//!
//! A way out is given to local callers of the service's own user only, under the service's rules: it lets a process
//! that runs a command elsewhere (`doorward run`, `doorward guard`) put it behind this proxy. It ends when it is
//! given back, when its time is over, or with its session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use doorward::egress::{Errand, WayOut};
use doorward::rooms::core::id::SessionId;
use doorward::{Door, Egress};
use jiff::{SignedDuration, Timestamp};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use serde::Deserialize;
use serde_json::json;

use crate::api::{Caller, Service, problem};
use crate::body::Body;

/// Ways out that were given and not taken back yet, by id.
#[derive(Default)]
pub(crate) struct Given(Mutex<HashMap<String, (Timestamp, WayOut)>>);

/// Most at a time.
const MOST: usize = 4096;
/// The longest a way out is good for, in seconds.
const LONGEST: u32 = 24 * 3600;

impl Given {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Timestamp, WayOut)>> {
        // Every critical section is one map operation, so a poisoned map is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a way out is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    session: SessionId,
    command: String,
    #[serde(default)]
    agent: Option<String>,
    #[serde(default)]
    root: Option<std::path::PathBuf>,
    /// Where the child will reach the proxy: `host:port`.
    authority: String,
    /// For how long.
    seconds: u32,
}

pub(crate) async fn open(
    State(service): State<Arc<Service>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    Body(wanted): Body<Wanted>,
) -> Response {
    let own = rustix::process::getuid().as_raw();
    if !matches!(caller, Caller::Local(peer) if peer.uid == own) {
        return problem(
            StatusCode::FORBIDDEN,
            "service.local_only",
            "ways out are for the service's own user",
        );
    }
    let Some(egress) = service.door.custody().egress() else {
        return problem(StatusCode::NOT_FOUND, "egress.none", "this service runs no egress proxy");
    };
    let now = Timestamp::now();
    let mut given = service.ways_out.lock();
    given.retain(|_, (until, _)| *until > now);
    if given.len() >= MOST {
        return problem(StatusCode::TOO_MANY_REQUESTS, "egress.too_many", "too many ways out are open");
    }
    let Wanted { session, command, agent, root, authority, seconds } = wanted;
    let errand = Errand { session, command, agent, root, roles: Vec::new(), only: None };
    match egress.way_out(&errand) {
        Ok(way) => {
            let id = doorward::rooms::core::id::fresh();
            let seconds = SignedDuration::from_secs(i64::from(seconds.min(LONGEST)));
            let until = now.checked_add(seconds).unwrap_or(Timestamp::MAX);
            let answer = json!({
                "id": id,
                "socket": way.socket(),
                "readable": way.readable(),
                "environment": way.environment(&authority),
                "until": until,
            });
            given.insert(id, (until, way));
            Json(answer).into_response()
        }
        Err(error) => problem(StatusCode::FORBIDDEN, "egress.refused", &error.to_string()),
    }
}

pub(crate) async fn give_back(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Response {
    match service.ways_out.lock().remove(&id) {
        Some(_) => StatusCode::NO_CONTENT.into_response(),
        None => problem(StatusCode::NOT_FOUND, "egress.unknown", "no such way out"),
    }
}

/// The counters of hooks and of the proxy as they are when asked for.
pub(crate) struct Counters(pub(crate) Arc<Door>);

impl std::fmt::Debug for Counters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Counters")
    }
}

impl Collector for Counters {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), std::fmt::Error> {
        let mut told = encoder.encode_descriptor(
            "told",
            "Calls of hooks: passed, left to the client's own prompt, asked about, denied",
            None,
            MetricType::Counter,
        )?;
        for (said, count) in doorward::hook::counted(&self.0) {
            ConstCounter::new(count).encode(told.encode_family(&[("said", said)])?)?;
        }
        let Some(metrics) = self.0.custody().egress().map(|egress: &Arc<Egress>| egress.metrics()) else {
            return Ok(());
        };
        let read =
            |counter: &std::sync::atomic::AtomicU64| counter.load(std::sync::atomic::Ordering::Relaxed);
        for (name, help, value) in [
            ("egress_allowed", "Accesses permitted", read(&metrics.allowed)),
            (
                "egress_reported",
                "Accesses let through that the rules would have refused",
                read(&metrics.reported),
            ),
            ("egress_bytes_up", "Bytes of the children's", read(&metrics.bytes_up)),
            ("egress_bytes_down", "Bytes for the children", read(&metrics.bytes_down)),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        for (name, help, value) in [
            ("egress_tunnels", "Tunnels open", read(&metrics.tunnels)),
            ("egress_connections", "Connections open", read(&metrics.connections)),
        ] {
            let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
        }
        let mut denied = encoder.encode_descriptor(
            "egress_denied",
            "Accesses refused, by code",
            None,
            MetricType::Counter,
        )?;
        for (code, count) in metrics.denied() {
            ConstCounter::new(count).encode(denied.encode_family(&[("code", code)])?)?;
        }
        for (name, help, histogram) in [
            ("egress_dns_seconds", "Time of look-ups", &metrics.dns),
            ("egress_connect_seconds", "Time of connections", &metrics.connect),
            ("egress_decision_seconds", "Time of decisions, look-up and asking excluded", &metrics.decision),
        ] {
            let (buckets, sum) = histogram.buckets();
            let count = buckets.iter().map(|(_, count)| count).sum();
            encoder
                .encode_descriptor(name, help, None, MetricType::Histogram)?
                .encode_histogram::<[(&str, &str); 0]>(sum, count, &buckets, None)?;
        }
        Ok(())
    }
}
