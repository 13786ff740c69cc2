//! Marks of sessions after a restart: read from the ledger, where each decision names the marks that its call leaves,
//! so a mark is as durable as the record that made it. What ran, and what was allowed and not known to be refused,
//! counts; a person's clearing is found there too.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use doorward_core::call::{Custody, Surface};
use doorward_core::decision::Verdict;
use doorward_core::id::{DecisionId, SessionId};
use doorward_core::json::{Object, Value};
use doorward_core::record::{AccessEvent, Outcome};
use doorward_core::session::SessionView;
use doorward_ledger::{Reader, Stored};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{Client, Kept, MOST_CLIENTS, SessionBook, client_of_parts, id_of, marks, memories};

/// The note about marks that no decision names: what a result or an access brought.
pub(super) const MARKED: &str = "session.marked";
/// The code of the note that a person cleared a session.
pub(crate) const CLEARED: &str = "approvals.session_cleared";
/// How far back marks are looked for. A client's context doesn't live longer.
const OLDEST: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Records that are read at most, so that a start takes no minutes.
const MOST_RECORDS: u64 = 250_000;
/// Records that are read at once.
const AT_ONCE: u64 = 4_096;

/// The members of a record that say something about marks.
#[derive(Deserialize)]
struct Line {
    kind: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    of: String,
    time: Timestamp,
    session: Option<SessionId>,
    surface: Option<Surface>,
    custody: Option<Custody>,
    workflow: Option<String>,
    principal: Option<Caller>,
    verdict: Option<Verdict>,
    #[serde(default)]
    marks: Vec<String>,
    outcome: Option<Outcome>,
    event: Option<serde_json::Value>,
    rule: Option<String>,
    code: Option<String>,
    detail: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Caller {
    id: String,
}

/// A session as the ledger tells of it.
struct Past {
    client: String,
    id: Option<String>,
    workflow: Option<String>,
    began: Timestamp,
    last: Timestamp,
    turn: u64,
    /// Marks, with the turn and the time that set them last.
    marks: BTreeMap<String, (u64, Timestamp)>,
}

/// What a decision leaves if it ran, until its outcome is read.
struct Waiting {
    session: SessionId,
    /// The marks it set that weren't there before.
    marks: Vec<String>,
    verdict: Verdict,
    custody: Custody,
}

#[derive(Default)]
struct Account {
    sessions: HashMap<SessionId, Past>,
    waiting: HashMap<DecisionId, Waiting>,
}

impl Account {
    fn read(&mut self, stored: &Stored) {
        let Ok(line) = serde_json::from_slice::<Line>(&stored.entry) else { return };
        match line.kind.as_str() {
            "decision" => self.decided(line),
            "outcome" => self.ended(&line),
            "access" => self.reached(&line),
            "note" => self.noted(&line),
            _ => {}
        }
    }

    fn decided(&mut self, line: Line) {
        let (Some(session), Some(verdict), Some(surface)) = (line.session, line.verdict, line.surface) else {
            return;
        };
        let principal = line.principal.map(|caller| caller.id).unwrap_or_default();
        let past = self.sessions.entry(session.clone()).or_insert_with(|| Past {
            client: client_of_parts(&session, surface, &principal),
            id: id_of(&session, surface),
            workflow: line.workflow,
            began: line.time,
            last: line.time,
            turn: 1,
            marks: BTreeMap::new(),
        });
        (past.turn, past.last) = (past.turn.saturating_add(1), line.time);
        if line.marks.is_empty() || verdict == Verdict::Deny {
            return;
        }
        let custody = line.custody.unwrap_or(Custody::Advised);
        let mut waiting = Waiting { session, marks: line.marks, verdict, custody };
        if verdict == Verdict::Allow {
            waiting.marks = past.set(waiting.marks, line.time);
        }
        self.waiting.insert(line.id.into(), waiting);
    }

    fn ended(&mut self, line: &Line) {
        let Some(outcome) = line.outcome else { return };
        let Some(of) = self.waiting.remove(&DecisionId::from(line.of.as_str())) else { return };
        let Some(past) = self.sessions.get_mut(&of.session) else { return };
        match (of.verdict, outcome) {
            (Verdict::Confirm, Outcome::Ran | Outcome::Failed | Outcome::Killed) => {
                past.set(of.marks, line.time);
            }
            // A run of our own that ended with the service may have read what it was to read.
            (Verdict::Allow, Outcome::Abandoned) if of.custody == Custody::Bound => {}
            (Verdict::Allow, Outcome::Refused | Outcome::Abandoned) => {
                for mark in &of.marks {
                    past.marks.remove(mark);
                }
            }
            _ => {}
        }
    }

    fn reached(&mut self, line: &Line) {
        let decided = serde_json::to_value(AccessEvent::Decided).ok();
        let strange = line.verdict == Some(Verdict::Allow) && line.rule.is_none() && line.event == decided;
        if let Some(past) = line.session.as_ref().and_then(|session| self.sessions.get_mut(session))
            && strange
        {
            let marks = [doorward_inspect::EGRESS, doorward_inspect::UNTRUSTED_CONTENT];
            past.set(marks.map(str::to_owned).to_vec(), line.time);
        }
    }

    fn noted(&mut self, line: &Line) {
        let member = |name: &str| line.detail.as_ref().and_then(|detail| detail.get(name));
        let session = member("session").and_then(|session| session.as_str()).map(SessionId::from);
        let Some(past) = session.and_then(|session| self.sessions.get_mut(&session)) else { return };
        match line.code.as_deref() {
            Some(MARKED) => {
                let marks = member("mark").and_then(|mark| mark.as_str()).map(str::to_owned);
                past.set(marks.into_iter().collect(), line.time);
            }
            Some(CLEARED) => past.marks.retain(|mark, _| marks::window_of(mark).is_none()),
            _ => {}
        }
    }
}

impl Past {
    /// Sets marks, and gives those that weren't there.
    fn set(&mut self, marks: Vec<String>, at: Timestamp) -> Vec<String> {
        let turn = self.turn;
        let mut fresh = Vec::new();
        for mark in marks {
            if self.marks.insert(mark.clone(), (turn, at)).is_none() {
                fresh.push(mark);
            }
        }
        fresh
    }
}

/// The detail of a note about one session.
pub(crate) fn about(session: &SessionId, mark: Option<&str>) -> Value {
    let session = [("session".to_owned(), Value::from(session.as_str()))];
    let mark = mark.map(|mark| ("mark".to_owned(), Value::from(mark)));
    Value::Object(session.into_iter().chain(mark).collect::<Object>())
}

impl SessionBook {
    /// Takes up the marks that the records of this log tell of. Comes before the first call.
    ///
    /// # Errors
    /// The log can't be read.
    pub(crate) fn restore(&self, log: &Reader) -> std::io::Result<()> {
        let now = Timestamp::now();
        let since = now.checked_sub(OLDEST).unwrap_or(Timestamp::MIN);
        let mut at = log.first_since(since)?;
        if log.size() - at > MOST_RECORDS {
            tracing::warn!("marks of sessions are looked for in the last {MOST_RECORDS} records only");
            at = log.size() - MOST_RECORDS;
        }
        let mut account = Account::default();
        while at < log.size() {
            log.range(at, at + AT_ONCE)?.iter().for_each(|stored| account.read(stored));
            at += AT_ONCE;
        }
        let mut known: Vec<(SessionId, Past)> = account.sessions.into_iter().collect();
        // Those with marks of their own first, then as they were used, so that room is made for the youngest.
        known.sort_by(|(id, one), (other_id, other)| {
            let place = |past: &Past, id: &SessionId| (past.marks.is_empty(), past.last, id.clone());
            place(one, id).cmp(&place(other, other_id))
        });
        let heard: Vec<_> = known.iter().map(|(_, past)| (past.client.clone(), past.last)).collect();
        for (session, past) in known {
            let all = self.lock();
            // One without has what its process or its id is marked with.
            let of_client = all.clients.contains_key(&past.client);
            let of_id = past.id.as_ref().is_some_and(|id| all.ids.contains_key(id));
            drop(all);
            if !past.marks.is_empty() || of_client || of_id {
                self.take_up(session, past);
            }
        }
        // Clients without marks are known as well: what they left running must not pass for a person's.
        let mut all = self.lock();
        for (client, last) in heard.into_iter().rev().take(MOST_CLIENTS) {
            all.clients.entry(client).or_insert_with(|| Client { last, ..Client::default() });
        }
        Ok(())
    }

    fn take_up(&self, session: SessionId, past: Past) {
        let name = past
            .workflow
            .as_ref()
            .map_or_else(|| memories::name_of_session(&session), |workflow| format!("workflow {workflow}"));
        let memory = self.memories.get(&name);
        let base = SessionView { id: session.clone(), turn: past.turn, ..SessionView::default() };
        let mut kept = Kept::of(past.client.clone(), past.id, past.workflow, name, base, memory);
        kept.began = past.began;
        Arc::make_mut(&mut kept.base).began = Some(past.began);
        for (mark, (turn, _)) in &past.marks {
            Arc::make_mut(&mut kept.base).taints.insert(mark.clone());
            if marks::window_of(mark).is_some() {
                kept.windowed.insert(mark.clone(), *turn);
            }
        }
        let over = kept.expire();
        let mut all = self.lock();
        all.sessions.insert(session.clone(), kept);
        all.keep(past.client, session.clone(), past.last);
        for (mark, (_, at)) in past.marks.into_iter().filter(|(mark, _)| !over.contains(mark)) {
            all.mark_owners(&session, [mark.as_str()], at);
        }
    }
}
