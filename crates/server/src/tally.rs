//! What became of calls, counted as people speak of it: what passed, what Doorward asked about, what it left to the
//! client's own prompt and what the client then did, and what was denied. The overview, the sessions and the terminal
//! show these numbers.

use std::collections::{HashMap, HashSet};

use doorward::rooms::core::decision::{Basis, Verdict};
use doorward::rooms::core::id::DecisionId;
use doorward::rooms::core::record::{
    ApprovalEvent, ApprovalRecord, DecisionRecord, Outcome, Record, UserDecision,
};
use doorward::rooms::ledger::Reader;
use serde::Serialize;

/// Code of the note that says that a person found a question needless.
pub(crate) const NEEDLESS: &str = "needless";
/// The same, as the ledger has it.
const NOTED: &str = "approvals.needless";
/// The youngest records, which are looked at.
const LOOKED_AT: u64 = 40_000;

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionEnd {
    Allowed,
    Refused,
    Late,
    Unclear,
    Open,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Passed,
    Denied,
    /// Doorward asked, in its queue or in a dialog of the client's that it demanded.
    Asked(QuestionEnd),
    /// The client's own prompt, rules and modes decided.
    Left(QuestionEnd),
    /// The same call again after a yes: counted where it was asked.
    Again,
}

/// Questions, by how they ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Ends {
    all: u64,
    allowed: u64,
    refused: u64,
    late: u64,
    unclear: u64,
    open: u64,
}

/// Calls, by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct CallTally {
    calls: u64,
    passed: u64,
    denied: u64,
    asked: Ends,
    left: Ends,
    /// Questions that a person marked as needless.
    needless: u64,
}

impl CallTally {
    pub(crate) fn add(&mut self, fate: Fate, needless: bool) {
        self.calls += u64::from(fate != Fate::Again);
        self.needless += u64::from(needless);
        match fate {
            Fate::Passed => self.passed += 1,
            Fate::Denied => self.denied += 1,
            Fate::Asked(end) => self.asked.add(end),
            Fate::Left(end) => self.left.add(end),
            Fate::Again => {}
        }
    }
}

impl Ends {
    const fn add(&mut self, end: QuestionEnd) {
        self.all += 1;
        *match end {
            QuestionEnd::Allowed => &mut self.allowed,
            QuestionEnd::Refused => &mut self.refused,
            QuestionEnd::Late => &mut self.late,
            QuestionEnd::Unclear => &mut self.unclear,
            QuestionEnd::Open => &mut self.open,
        } += 1;
    }
}

/// What the ledger says of questions and outcomes, by decision.
pub(crate) struct Lives {
    approvals: HashMap<DecisionId, Vec<ApprovalRecord>>,
    outcomes: HashMap<DecisionId, Outcome>,
    needless: HashSet<String>,
}

impl Lives {
    /// Reads them, and the decisions among the same records, from the youngest records of the ledger.
    pub(crate) fn read(reader: &Reader) -> std::io::Result<(Self, Vec<DecisionRecord>)> {
        let mut lives =
            Self { approvals: HashMap::new(), outcomes: HashMap::new(), needless: HashSet::new() };
        let mut decisions = Vec::new();
        for stored in reader.tail(LOOKED_AT)? {
            match stored.record() {
                Some(Record::Decision(decision)) => decisions.push(*decision),
                Some(Record::Approval(approval)) => {
                    lives.approvals.entry(approval.of.clone()).or_default().push(approval);
                }
                Some(Record::Outcome(outcome)) => drop(lives.outcomes.insert(outcome.of, outcome.outcome)),
                Some(Record::Note(note)) if note.code == NOTED => drop(lives.needless.insert(note.message)),
                _ => {}
            }
        }
        Ok((lives, decisions))
    }

    /// What became of a call.
    pub(crate) fn fate(&self, record: &DecisionRecord) -> Fate {
        let approvals = self.approvals.get(&record.id).map(Vec::as_slice).unwrap_or_default();
        match record.verdict {
            Verdict::Deny => Fate::Denied,
            Verdict::Allow if record.user.is_some() => Fate::Again,
            Verdict::Allow => Fate::Passed,
            Verdict::Confirm => {
                let queued = approvals.iter().any(|one| one.event == ApprovalEvent::Asked);
                let end = self.end(record, approvals, queued);
                if queued || record.basis != Basis::Mode { Fate::Asked(end) } else { Fate::Left(end) }
            }
        }
    }

    fn end(&self, record: &DecisionRecord, approvals: &[ApprovalRecord], queued: bool) -> QuestionEnd {
        let last = approvals.iter().rev().find(|one| one.event != ApprovalEvent::Asked);
        match last.map(|last| (last.event, last.decision)) {
            Some((ApprovalEvent::Answered, Some(UserDecision::Allowed)) | (ApprovalEvent::Passed, _)) => {
                QuestionEnd::Allowed
            }
            Some((ApprovalEvent::Answered, Some(UserDecision::Denied))) => QuestionEnd::Refused,
            Some((ApprovalEvent::Unclear, _)) => QuestionEnd::Unclear,
            // A question of the client's own that ends without a word: the person said no there, or nobody was asked.
            Some((ApprovalEvent::Expired, _)) if !queued => QuestionEnd::Refused,
            Some(_) => QuestionEnd::Late,
            None => match self.outcomes.get(&record.id) {
                Some(Outcome::Ran | Outcome::Failed | Outcome::Killed | Outcome::Released) => {
                    QuestionEnd::Allowed
                }
                Some(Outcome::Refused | Outcome::Abandoned) => QuestionEnd::Refused,
                Some(Outcome::Unobserved) => QuestionEnd::Unclear,
                None => QuestionEnd::Open,
            },
        }
    }

    /// Whether a person found the question about this call needless.
    pub(crate) fn is_needless(&self, record: &DecisionRecord) -> bool {
        self.needless.contains(record.id.as_str())
    }
}

/// What became of the calls of each session, of the youngest ones that are looked at.
pub(crate) fn by_session(reader: &Reader) -> std::io::Result<HashMap<String, CallTally>> {
    let (lives, decisions) = Lives::read(reader)?;
    let mut tallies: HashMap<String, CallTally> = HashMap::new();
    for record in decisions {
        let tally = tallies.entry(record.session.to_string()).or_default();
        tally.add(lives.fate(&record), lives.is_needless(&record));
    }
    Ok(tallies)
}
