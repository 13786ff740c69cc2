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
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use doorward_core::record::{ApprovalEvent, Record};
use doorward_ledger::{Filter, Reader, Stored, VerifyOptions, verify as verify_log};
use futures_util::stream;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, problem};
use crate::approvals::event;

/// Records of one answer at most.
const MOST: usize = 1_000;
/// Records that one look of the stream takes.
const STEP: u64 = 256;
/// How often the stream looks where nothing rings.
const LOOK: Duration = Duration::from_millis(200);

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    kind: Option<String>,
    id: Option<String>,
    session: Option<String>,
    principal: Option<String>,
    agent: Option<String>,
    tool: Option<String>,
    verdict: Option<String>,
    code: Option<String>,
    risk: Option<String>,
    policy: Option<String>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    text: Option<String>,
    before: Option<u64>,
    limit: Option<usize>,
}

/// `GET /v1/records`: the youngest that fit, youngest first.
pub(crate) async fn query(State(service): State<Arc<Service>>, Query(wanted): Query<Wanted>) -> Response {
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
pub(crate) async fn receipt(State(service): State<Arc<Service>>, Path(index): Path<u64>) -> Response {
    match read(&service, move |dir| Reader::open(dir)?.receipt(index)).await {
        Ok(Some(receipt)) => receipt.to_string().into_response(),
        Ok(None) => {
            problem(StatusCode::NOT_FOUND, "ledger.unsigned", "no such record, or it isn't signed yet")
        }
        Err(response) => *response,
    }
}

/// The decision record of an id.
pub(crate) async fn decision(service: &Service, id: String) -> Option<Value> {
    let filter = Filter { kind: Some("decision".to_owned()), id: Some(id), ..Filter::default() };
    let found = read(service, move |dir| Reader::open(dir)?.find(&filter, 1)).await.ok()?;
    found.first().map(shown)
}

/// `GET /v1/events`: what happens, as it happens.
pub(crate) async fn events(State(service): State<Arc<Service>>, headers: HeaderMap) -> Response {
    let Some(log) = service.door.log() else {
        return problem(StatusCode::NOT_FOUND, "ledger.missing", "nothing is recorded here");
    };
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let next = resumed.map_or_else(|| log.size(), |last| last.saturating_add(1));
    let changes = service.broker.as_ref().map(|broker| broker.changes());
    let mut waiting = VecDeque::new();
    waiting.push_back(Event::default().event("hello").data(json!({"next": next}).to_string()));
    let closing = service.closing.clone();
    let tail = Tail { service, next, changes, closing, waiting };
    let events = stream::unfold(tail, |mut tail| async move {
        let event = tail.next_event().await?;
        Some((Ok::<_, Infallible>(event), tail))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}

/// One listener's place in the ledger.
struct Tail {
    service: Arc<Service>,
    next: u64,
    changes: Option<tokio::sync::watch::Receiver<u64>>,
    closing: tokio::sync::watch::Receiver<bool>,
    waiting: VecDeque<Event>,
}

impl Tail {
    async fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let size = self.service.door.log()?.size();
            if size > self.next {
                let (from, to) = (self.next, size.min(self.next.saturating_add(STEP)));
                let found = read(&self.service, move |dir| Reader::open(dir)?.range(from, to)).await.ok()?;
                for stored in &found {
                    self.tell(stored).await;
                }
                // What couldn't be read back yet is looked for again.
                self.next = found.last().map_or(self.next, |stored| stored.index.saturating_add(1));
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

    async fn tell(&mut self, stored: &Stored) {
        let record = shown(stored);
        let kind = record.get("kind").and_then(Value::as_str).unwrap_or("record").to_owned();
        let id = stored.index.to_string();
        self.waiting.push_back(Event::default().id(id.clone()).event(kind).data(record.to_string()));
        let Some(Record::Approval(approval)) = stored.record() else { return };
        let (ApprovalEvent::Asked, Some(broker)) = (approval.event, &self.service.broker) else { return };
        let pending = broker.store().pending(Timestamp::now()).await.unwrap_or_default();
        if let Some(asked) = pending.iter().find(|record| record.ask.decision == approval.of) {
            let event = event(&asked.ask).to_string();
            self.waiting.push_back(Event::default().id(id).event("onToolCallRequest").data(event));
        }
    }
}

fn shown(stored: &Stored) -> Value {
    let mut record: Value = serde_json::from_slice(&stored.entry).unwrap_or(Value::Null);
    if let Some(record) = record.as_object_mut() {
        record.insert("index".to_owned(), stored.index.into());
    }
    record
}

async fn read<T: Send + 'static>(
    service: &Service,
    work: impl FnOnce(PathBuf) -> std::io::Result<T> + Send + 'static,
) -> Result<T, Box<Response>> {
    let Some(log) = service.door.log() else {
        let why = "nothing is recorded here";
        return Err(Box::new(problem(StatusCode::NOT_FOUND, "ledger.missing", why)));
    };
    let dir = log.dir().to_owned();
    let failed =
        |reason: String| Box::new(problem(StatusCode::SERVICE_UNAVAILABLE, "ledger.unreadable", &reason));
    tokio::task::spawn_blocking(move || work(dir))
        .await
        .map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))
}
