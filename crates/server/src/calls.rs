//! Calls over HTTP: each decision with what it would have done, the answers it got and what became of it, as one row.
//! The timeline and the sessions of the console are drawn from these rows, so that no page has to join records.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use doorward::origins::client_of;
use doorward::rooms::core::effect::Inspected;
use doorward::rooms::core::id::SessionId;
use doorward::rooms::core::intent::SimpleCommand;
use doorward::rooms::core::kept::KeptCall;
use doorward::rooms::core::record::Record;
use doorward::rooms::ledger::{Filter, Reader, Stored};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::api::Service;
use crate::body::Params;
use crate::records::{read, shown};

/// Rows of one answer at most.
const MOST: usize = 500;
/// Decisions that one answer looks at to find rows of a project.
const LOOKED_AT: usize = 5_000;
/// Later records that are looked at for answers and outcomes.
const LATER: usize = 20_000;
/// Effects that are listed with a call.
const TOUCHES: usize = 200;
/// Commands that are listed with a call.
const COMMANDS: usize = 50;

/// Which calls; every member that is given must fit.
#[derive(Deserialize, Default, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The decision's id.
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
    /// Risk level.
    risk: Option<String>,
    /// A rule or policy that decided.
    rule: Option<String>,
    /// Folder of the project: the first writable root of the call.
    project: Option<String>,
    /// At this time or later.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    since: Option<Timestamp>,
    /// Before this time.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    until: Option<Timestamp>,
    /// Text anywhere in the decision's record.
    text: Option<String>,
    /// Only below this index: for paging.
    before: Option<u64>,
    /// At most so many, and never more than 500.
    limit: Option<usize>,
}

/// `GET /v1/calls`: the youngest that fit, youngest first. `next` is the `before` of the following page, where there
/// may be one.
pub(crate) async fn calls(State(service): State<Arc<Service>>, Params(wanted): Params<Wanted>) -> Response {
    match read(&service, move |dir| find(dir, &wanted)).await {
        Ok(mut found) => {
            let rows = found.get_mut("calls").and_then(Value::as_array_mut).into_iter().flatten();
            for row in rows.filter_map(Value::as_object_mut) {
                let session = row.get("session").and_then(Value::as_str).map(SessionId::from);
                let Some(session) = session else { continue };
                row.insert("title".to_owned(), json!(service.door.sessions().titles().of(&session)));
                row.insert("client".to_owned(), json!(client_of(&session)));
            }
            Json(found).into_response()
        }
        Err(response) => *response,
    }
}

fn find(dir: PathBuf, wanted: &Wanted) -> std::io::Result<Value> {
    let reader = Reader::open(dir)?;
    let limit = wanted.limit.unwrap_or(100).clamp(1, MOST);
    let mut before = wanted.before;
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    let mut seen = 0;
    let mut more = true;
    while rows.len() < limit && seen < LOOKED_AT && more {
        let page = reader.find(&wanted.filter(before), limit)?;
        more = page.len() == limit;
        seen += page.len();
        for stored in &page {
            before = Some(stored.index);
            rows.extend(row(&reader, stored, wanted.project.as_deref()));
            if rows.len() == limit {
                break;
            }
        }
    }
    let more = more || rows.len() == limit;
    add_lives(&reader, &mut rows)?;
    Ok(json!({"calls": rows, "next": before.filter(|_| more)}))
}

impl Wanted {
    fn filter(&self, before: Option<u64>) -> Filter {
        Filter {
            kind: Some("decision".to_owned()),
            id: self.id.clone(),
            session: self.session.clone(),
            principal: self.principal.clone(),
            agent: self.agent.clone(),
            tool: self.tool.clone(),
            verdict: self.verdict.clone(),
            code: None,
            risk: self.risk.clone(),
            policy: self.rule.clone(),
            since: self.since,
            until: self.until,
            text: self.text.clone(),
            before,
        }
    }
}

/// The decision's record with what was kept of its call. `None` for a call of another project.
fn row(reader: &Reader, stored: &Stored, project: Option<&str>) -> Option<Map<String, Value>> {
    let Some(Record::Decision(record)) = stored.record() else { return None };
    let kept = reader.content(stored.index, &record.inspected).ok().flatten();
    let inspected = kept.and_then(|kept| KeptCall::read_inspected(&kept).ok());
    let own = inspected.as_ref().and_then(|inspected| inspected.call.project());
    if project.is_some() && own != project {
        return None;
    }
    let Value::Object(mut row) = shown(stored) else { return None };
    row.insert("project".to_owned(), json!(own.unwrap_or_default()));
    if let Some(inspected) = &inspected {
        row.insert("cwd".to_owned(), json!(inspected.call.cwd));
        row.insert("effects".to_owned(), effects(inspected));
        row.insert("findings".to_owned(), json!(inspected.findings));
    }
    Some(row)
}

/// Answers and outcomes, oldest first, as the member `life` of each row.
fn add_lives(reader: &Reader, rows: &mut [Map<String, Value>]) -> std::io::Result<()> {
    let Some(oldest) = rows.last().and_then(|row| row.get("time")?.as_str()?.parse::<Timestamp>().ok())
    else {
        return Ok(());
    };
    let mut lives: HashMap<String, Vec<Value>> = HashMap::new();
    for kind in ["approval", "outcome"] {
        let filter = Filter { kind: Some(kind.to_owned()), since: Some(oldest), ..Filter::default() };
        for stored in reader.find(&filter, LATER)?.iter().rev() {
            let record = shown(stored);
            if let Some(of) = record.get("of").and_then(Value::as_str) {
                lives.entry(of.to_owned()).or_default().push(record);
            }
        }
    }
    for row in rows {
        let own = row.get("id").and_then(Value::as_str).and_then(|id| lives.remove(id));
        row.insert("life".to_owned(), Value::Array(own.unwrap_or_default()));
    }
    Ok(())
}

/// What a call would do, as it was resolved: `touches` with where a path ends behind its links and what kind of
/// address a host is, the commands that would run with everything decoded, and what wasn't understood.
pub(crate) fn effects(inspected: &Inspected) -> Value {
    let effects = &inspected.effects;
    let touch = |how: &str, what: &str, place: Value| json!({"how": how, "what": what, "where": place});
    let mut touches: Vec<Value> = Vec::new();
    touches.extend(effects.deletes.iter().map(|one| touch("deletes", &one.path, json!(one.scope))));
    touches.extend(effects.history_loss.iter().map(|one| touch("loses", &one.what, Value::Null)));
    touches.extend(effects.privilege.iter().map(|one| touch("privilege", &one.detail, json!(one.kind))));
    touches.extend(effects.hosts.iter().map(|one| touch("contacts", &one.host, json!(one.class))));
    touches.extend(effects.installs.iter().map(|one| {
        touch("installs", &format!("{}: {}", one.manager, one.packages.join(" ")), json!(one.source))
    }));
    touches.extend(effects.writes.iter().map(|one| touch("writes", &one.path, json!(one.scope))));
    touches.extend(effects.reads.iter().map(|one| {
        let mut read = touch("reads", &one.path, json!(one.scope));
        if let Some(read) = read.as_object_mut().filter(|_| one.secret) {
            read.insert("secret".to_owned(), Value::Bool(true));
        }
        read
    }));
    touches.truncate(TOUCHES);
    let unknown: Vec<&str> = effects.unknown.iter().map(|one| one.reason.as_str()).collect();
    let runs: Vec<String> = effects.executes.iter().take(COMMANDS).map(spelled).collect();
    json!({"touches": touches, "unknown": unknown, "runs": runs})
}

/// A command as a shell would read it.
fn spelled(command: &SimpleCommand) -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./:=@%+,~…*?[]{}".contains(c))
    };
    let word = |word: &String| {
        if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = command.assignments.iter().cloned().chain(command.words.iter().map(word));
    words.collect::<Vec<_>>().join(" ")
}
