//! Numbers for the pictures: decisions over time, what decides, how long it takes, how people answer, and which tools
//! touch which paths and hosts. Counted over the youngest decisions of the ledger.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use doorward::rooms::core::effect::Inspected;
use doorward::rooms::core::id::DecisionId;
use doorward::rooms::core::kept::KeptCall;
use doorward::rooms::core::record::{ApprovalEvent, Record};
use doorward::rooms::ledger::{Filter, Reader};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::Service;
use crate::body::Params;
use crate::records::read;
use crate::tally::{CallTally, Fate, Lives};

/// Decisions that are counted.
const DECISIONS: usize = 5_000;
/// Of which what they touched is looked at.
const TOUCHED: usize = 500;
/// Columns of the picture over time.
const COLUMNS: i64 = 48;
/// Rows of a list.
const ROWS: usize = 12;

/// How far back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Span {
    /// Hours, 1 to 720; a day by default.
    #[serde(default)]
    #[schemars(range(min = 1, max = 720))]
    hours: Option<i64>,
}

/// `GET /v1/overview`
pub(crate) async fn overview(State(service): State<Arc<Service>>, Params(span): Params<Span>) -> Response {
    let hours = span.hours.unwrap_or(24).clamp(1, 720);
    match read(&service, move |dir| count(dir, hours)).await {
        Ok(counted) => Json(counted).into_response(),
        Err(response) => *response,
    }
}

#[derive(Default)]
struct Counts {
    columns: BTreeMap<i64, [u64; 4]>,
    tally: CallTally,
    rules: BTreeMap<String, u64>,
    risks: BTreeMap<String, u64>,
    took_us: Vec<u64>,
    touches: BTreeMap<(String, &'static str, String), u64>,
}

fn count(dir: PathBuf, hours: i64) -> std::io::Result<Value> {
    let now = Timestamp::now().as_second();
    let start = now.saturating_sub(hours.saturating_mul(3_600));
    let width = hours.saturating_mul(3_600) / COLUMNS;
    let since = Timestamp::from_second(start).unwrap_or(Timestamp::UNIX_EPOCH);
    let reader = Reader::open(dir)?;
    let of = |kind: &str| Filter { kind: Some(kind.to_owned()), since: Some(since), ..Filter::default() };
    let mut counts = Counts::default();
    let decisions = reader.find(&of("decision"), DECISIONS)?;
    let (lives, _) = Lives::read(&reader)?;
    for (place, stored) in decisions.iter().enumerate() {
        let Some(Record::Decision(record)) = stored.record() else { continue };
        let column = record.time.as_second().saturating_sub(start) / width.max(1);
        let fate = lives.fate(&record);
        counts.tally.add(fate, lives.is_needless(&record));
        let row = match fate {
            Fate::Passed => Some(0),
            Fate::Denied => Some(1),
            Fate::Asked(_) => Some(2),
            Fate::Left(_) => Some(3),
            Fate::Again => None,
        };
        if let Some(row) = row
            && let Some(cell) = counts.columns.entry(column).or_default().get_mut(row)
        {
            *cell += 1;
        }
        let mut rules = record.policy.ids.clone();
        if rules.is_empty() {
            rules.push(record.code.clone());
        }
        for rule in rules {
            *counts.rules.entry(rule).or_default() += 1;
        }
        *counts.risks.entry(record.risk.level.as_str().to_owned()).or_default() += 1;
        counts.took_us.push(record.took_us);
        if place < TOUCHED
            && let Ok(Some(kept)) = reader.content(stored.index, &record.inspected)
            && let Ok(inspected) = KeptCall::read_inspected(&kept)
        {
            touch(&mut counts, &record.resource.name, &inspected);
        }
    }
    let answers = answers(&reader, &of("approval"))?;
    counts.took_us.sort_unstable();
    let columns: Vec<Value> = (0..COLUMNS)
        .map(|column| {
            let [allowed, denied, asked, left] = counts.columns.get(&column).copied().unwrap_or_default();
            let at = Timestamp::from_second(start.saturating_add(column.saturating_mul(width)));
            json!({"at": at.ok(), "allowed": allowed, "denied": denied, "asked": asked, "left": left})
        })
        .collect();
    let touches: Vec<Value> = top(counts.touches)
        .into_iter()
        .map(|((tool, how, what), n)| json!({"tool": tool, "how": how, "what": what, "n": n}))
        .collect();
    Ok(json!({
        "hours": hours, "decisions": decisions.len(), "tally": counts.tally, "columns": columns,
        "rules": named(top(counts.rules)), "risks": named(top(counts.risks)),
        "latency_us": quantiles(&counts.took_us), "answers": answers, "touches": touches,
    }))
}

/// Folders rather than files: a picture with a row for every file shows nothing.
fn touch(counts: &mut Counts, tool: &str, inspected: &Inspected) {
    let folder = |path: &str| path.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
    let effects = &inspected.effects;
    let all = effects
        .reads
        .iter()
        .map(|read| ("reads", folder(&read.path)))
        .chain(effects.writes.iter().map(|write| ("writes", folder(&write.path))))
        .chain(effects.deletes.iter().map(|delete| ("deletes", folder(&delete.path))))
        .chain(effects.hosts.iter().map(|host| ("contacts", host.host.clone())));
    for (how, what) in all.take(64) {
        *counts.touches.entry((tool.to_owned(), how, what)).or_default() += 1;
    }
}

/// How questions ended, and how long people took.
fn answers(reader: &Reader, filter: &Filter) -> std::io::Result<Value> {
    let mut asked: BTreeMap<DecisionId, Timestamp> = BTreeMap::new();
    let mut ended: BTreeMap<String, u64> = BTreeMap::new();
    let mut took_s = Vec::new();
    let mut found = reader.find(filter, DECISIONS)?;
    found.reverse();
    for stored in &found {
        let Some(Record::Approval(record)) = stored.record() else { continue };
        if record.event == ApprovalEvent::Asked {
            asked.insert(record.of.clone(), record.time);
        } else if let Some(decision) = record.decision {
            let word = serde_json::to_value(decision).ok();
            let word = word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default();
            *ended.entry(word).or_default() += 1;
            if record.event == ApprovalEvent::Answered
                && let Some(at) = asked.get(&record.of)
            {
                took_s.push(u64::try_from(record.time.duration_since(*at).as_secs()).unwrap_or(0));
            }
        }
    }
    took_s.sort_unstable();
    Ok(json!({"ended": ended, "took_s": quantiles(&took_s)}))
}

fn quantiles(sorted: &[u64]) -> Value {
    let at = |share: usize| sorted.get((sorted.len().saturating_sub(1)) * share / 100).copied();
    json!({"n": sorted.len(), "p50": at(50), "p95": at(95), "p99": at(99)})
}

fn top<K: Ord>(counts: BTreeMap<K, u64>) -> Vec<(K, u64)> {
    let mut all: Vec<(K, u64)> = counts.into_iter().collect();
    all.sort_by(|(own, n), (other, m)| m.cmp(n).then_with(|| own.cmp(other)));
    all.truncate(ROWS);
    all
}

fn named(rows: Vec<(String, u64)>) -> Vec<Value> {
    rows.into_iter().map(|(name, n)| json!({"name": name, "n": n})).collect()
}
