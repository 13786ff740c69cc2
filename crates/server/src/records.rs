//! The ledger over HTTP: records, receipts, verification, and the stream of what happens.
//!
//! The stream's event ids are the ledger's indices: they only grow, survive a restart, and `Last-Event-ID` resumes
//! without a gap and without a buffer.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use doorward::rooms::core::id::DecisionId;
use doorward::rooms::core::record::{ApprovalEvent, Record};
use doorward::rooms::ledger::{Filter, Reader, Stored, VerifyOptions, verify as verify_log};
use futures_util::stream;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, problem};
use crate::approvals::{event, view};
use crate::body::{Params, number};

/// Records of one answer at most.
const MOST: usize = 1_000;
/// Records that one look of the stream takes.
const STEP: u64 = 256;
/// How often the stream looks where nothing rings.
const LOOK: Duration = Duration::from_millis(200);

/// Which records; every member that is given must fit.
#[derive(Deserialize, Default, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    /// `decision`, `outcome`, `approval`, `note`, `policy`, `start`.
    kind: Option<String>,
    /// Its own id, or the decision's it belongs to.
    id: Option<String>,
    /// Session.
    session: Option<String>,
    /// Principal.
    principal: Option<String>,
    /// Agent.
    agent: Option<String>,
    /// Tool; a trailing `*` fits any rest.
    tool: Option<String>,
    /// `ALLOW`, `DENY`, `REQUIRE_USER_CONFIRMATION`.
    verdict: Option<String>,
    /// What decided; a trailing `*` fits any rest.
    code: Option<String>,
    /// Risk level.
    risk: Option<String>,
    /// A policy that decided.
    policy: Option<String>,
    /// At this time or later.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    since: Option<Timestamp>,
    /// Before this time.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    until: Option<Timestamp>,
    /// Text anywhere in it.
    text: Option<String>,
    /// Only below this index: for paging.
    before: Option<u64>,
    /// At most so many, and never more than 1,000.
    limit: Option<usize>,
}

/// `GET /v1/records`: the youngest that fit, youngest first.
pub(crate) async fn query(State(service): State<Arc<Service>>, Params(wanted): Params<Wanted>) -> Response {
    let limit = wanted.limit.unwrap_or(100).min(MOST);
    let filter = Filter {
        kind: wanted.kind,
        id: wanted.id,
        session: wanted.session,
        principal: wanted.principal,
        agent: wanted.agent,
        tool: wanted.tool,
        verdict: wanted.verdict,
        code: wanted.code,
        risk: wanted.risk,
        policy: wanted.policy,
        since: wanted.since,
        until: wanted.until,
        text: wanted.text,
        before: wanted.before,
    };
    match read(&service, move |dir| Reader::open(dir)?.find(&filter, limit)).await {
        Ok(found) => Json(json!({"records": found.iter().map(shown).collect::<Vec<_>>()})).into_response(),
        Err(response) => *response,
    }
}

/// `GET /v1/ledger/verify`
pub(crate) async fn verify(State(service): State<Arc<Service>>) -> Response {
    match read(&service, |dir| verify_log(&dir, &VerifyOptions::default())).await {
        Ok(report) => {
            let faults: Vec<Value> = report
                .faults
                .iter()
                .map(|fault| {
                    json!({"code": fault.code, "at": fault.at, "message": fault.message, "harmless": fault.harmless})
                })
                .collect();
            Json(json!({
                "intact": report.intact(), "origin": report.origin, "size": report.size,
                "entries": report.entries, "trustworthy": report.trustworthy,
                "checkpoints": report.checkpoints, "faults": faults,
            }))
            .into_response()
        }
        Err(response) => *response,
    }
}

/// `GET /v1/ledger/receipt/{index}`
pub(crate) async fn receipt(State(service): State<Arc<Service>>, Path(index): Path<String>) -> Response {
    let index = match number(&index) {
        Ok(index) => index,
        Err(response) => return *response,
    };
    match read(&service, move |dir| Reader::open(dir)?.receipt(index)).await {
        Ok(Some(receipt)) => receipt.to_string().into_response(),
        Ok(None) => {
            problem(StatusCode::NOT_FOUND, "ledger.unsigned", "no such record, or it isn't signed yet")
        }
        Err(response) => *response,
    }
}

/// The decision record of an id.
pub(crate) async fn decision(service: &Service, id: DecisionId) -> Option<Value> {
    let filter =
        Filter { kind: Some("decision".to_owned()), id: Some(id.into_string()), ..Filter::default() };
    let found = read(service, move |dir| Reader::open(dir)?.find(&filter, 1)).await.ok()?;
    found.first().map(shown)
}

/// `GET /v1/events`: what happens, as it happens.
pub(crate) async fn events(State(service): State<Arc<Service>>, headers: HeaderMap) -> Response {
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let Some(tail) = Tail::new(service, resumed) else { return nothing() };
    let events = stream::unfold(tail, |mut tail| async move {
        let told = tail.next().await?;
        let event = Event::default().event(told.kind).data(told.data);
        let event = match told.index {
            Some(index) => event.id(index.to_string()),
            None => event,
        };
        Some((Ok::<_, Infallible>(event), tail))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}

/// Something that happened, as every channel tells it.
#[derive(Clone)]
pub(crate) struct Told {
    /// Index in the ledger, where it has one.
    pub(crate) index: Option<u64>,
    /// `hello`, the kind of record, or `onToolCallRequest`.
    pub(crate) kind: Arc<str>,
    /// JSON.
    pub(crate) data: Arc<str>,
}

/// One listener's place in the ledger.
pub(crate) struct Tail {
    service: Arc<Service>,
    next: u64,
    changes: Option<tokio::sync::watch::Receiver<u64>>,
    closing: tokio::sync::watch::Receiver<bool>,
    waiting: VecDeque<Told>,
    /// Whoever follows events is there to answer questions.
    _watching: doorward::attendance::Watching,
}

impl Tail {
    /// From behind the last event that was seen, or from now on. `None` where nothing is recorded.
    pub(crate) fn new(service: Arc<Service>, seen: Option<u64>) -> Option<Self> {
        let size = service.door.log()?.size();
        // What lies ahead of the ledger belongs to another one: from now on, then.
        let next = seen.map_or(size, |last| last.saturating_add(1)).min(size);
        let changes = service.broker.as_ref().map(|broker| broker.changes());
        let closing = service.closing.clone();
        let hello = Told::new(None, "hello", &json!({"next": next}));
        let watching = service.door.approvals().attendance().watch();
        let waiting = VecDeque::from([hello]);
        Some(Self { service, next, changes, closing, waiting, _watching: watching })
    }

    /// What happens next; `None` when the service stops.
    pub(crate) async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.waiting.pop_front() {
                return Some(told);
            }
            let size = self.service.door.log()?.size();
            if size > self.next {
                let (from, to) = (self.next, size.min(self.next.saturating_add(STEP)));
                let found = self.service.feed.range(&self.service, from, to).await?;
                self.waiting.extend(found.iter().flat_map(|one| one.told.iter().cloned()));
                // What couldn't be read back yet is looked for again.
                self.next = found.last().map_or(self.next, |one| one.index.saturating_add(1));
                if !found.is_empty() {
                    continue;
                }
            }
            let rung = async {
                match &mut self.changes {
                    Some(changes) => drop(changes.changed().await),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = rung => {}
                () = tokio::time::sleep(LOOK) => {}
                _ = self.closing.wait_for(|closing| *closing) => return None,
            }
        }
    }
}

impl Told {
    fn new(index: Option<u64>, kind: &str, data: &Value) -> Self {
        Self { index, kind: kind.into(), data: data.to_string().into() }
    }
}

/// A record as it is told.
pub(crate) struct Heard {
    index: u64,
    told: Vec<Told>,
}

/// The youngest records as they are told, read once for all who listen.
#[derive(Default)]
pub(crate) struct Feed {
    kept: tokio::sync::Mutex<VecDeque<Arc<Heard>>>,
}

/// Records that the feed keeps.
const KEPT: usize = 1_024;

impl Feed {
    /// The records from `from` on, before `to`.
    async fn range(&self, service: &Service, from: u64, to: u64) -> Option<Vec<Arc<Heard>>> {
        let mut kept = self.kept.lock().await;
        if let Some(first) = kept.front().map(|one| one.index)
            && from < first
        {
            // An old place: read for this listener alone.
            drop(kept);
            return Some(heard(service, from, to.min(first)).await?.into_iter().map(Arc::new).collect());
        }
        let mut next = kept.back().map_or(from, |one| one.index.saturating_add(1));
        if from > next {
            kept.clear();
            next = from;
        }
        if next < to {
            kept.extend(heard(service, next, to).await?.into_iter().map(Arc::new));
            while kept.len() > KEPT {
                kept.pop_front();
            }
        }
        Some(kept.iter().filter(|one| (from..to).contains(&one.index)).cloned().collect())
    }
}

async fn heard(service: &Service, from: u64, to: u64) -> Option<Vec<Heard>> {
    let found = read(service, move |dir| Reader::open(dir)?.range(from, to)).await.ok()?;
    let mut all = Vec::with_capacity(found.len());
    for stored in &found {
        all.push(Heard { index: stored.index, told: tell(service, stored).await });
    }
    Some(all)
}

async fn tell(service: &Service, stored: &Stored) -> Vec<Told> {
    let data = shown(stored);
    let kind = data.get("kind").and_then(Value::as_str).unwrap_or("record").to_owned();
    let mut told = vec![Told::new(Some(stored.index), &kind, &data)];
    if let Some(Record::Approval(approval)) = stored.record()
        && approval.event == ApprovalEvent::Asked
        && let Some(broker) = &service.broker
    {
        let asked = broker.store().pending_of(&approval.of, Timestamp::now()).await.ok().flatten();
        if let Some(asked) = asked {
            told.push(Told::new(Some(stored.index), "onToolCallRequest", &event(&asked.ask)));
            // As the list shows it, so that a page needn't ask for the list.
            told.push(Told::new(Some(stored.index), "question", &view(&asked)));
        }
    }
    told
}

/// There is no ledger.
pub(crate) fn nothing() -> Response {
    problem(StatusCode::NOT_FOUND, "ledger.missing", "nothing is recorded here")
}

pub(crate) fn shown(stored: &Stored) -> Value {
    let mut record: Value = serde_json::from_slice(&stored.entry).unwrap_or(Value::Null);
    if let Some(record) = record.as_object_mut() {
        record.insert("index".to_owned(), stored.index.into());
    }
    record
}

pub(crate) async fn read<T: Send + 'static>(
    service: &Service,
    work: impl FnOnce(PathBuf) -> std::io::Result<T> + Send + 'static,
) -> Result<T, Box<Response>> {
    let Some(log) = service.door.log() else {
        return Err(Box::new(nothing()));
    };
    let dir = log.dir().to_owned();
    let failed =
        |reason: String| Box::new(problem(StatusCode::SERVICE_UNAVAILABLE, "ledger.unreadable", &reason));
    tokio::task::spawn_blocking(move || work(dir))
        .await
        .map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))
}
