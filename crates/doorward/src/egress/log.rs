//! What the egress proxy tells of accesses: records in the ledger, hosts reached in the memory of their session, hosts
//! refused for the last word of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::Boxed;
use doorward_core::decision::Verdict;
use doorward_core::record::{AccessEvent, AccessRecord, Ledger, Record};
use doorward_net::proxy::record::AccessLog;

use crate::sessions::SessionBook;

/// Most hosts kept of one command.
const MOST_REFUSED: usize = 16;

/// Hosts (`host:port`) that commands were refused, by command.
#[derive(Debug, Default)]
pub(super) struct RefusedHosts(Mutex<BTreeMap<String, Vec<String>>>);

impl RefusedHosts {
    fn note(&self, record: &AccessRecord) {
        let host = format!("{}:{}", record.host, record.port);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(record.command.clone()).or_default();
        if own.len() < MOST_REFUSED && !own.contains(&host) {
            own.push(host);
        }
    }

    pub(super) fn of(&self, command: &str) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(command).cloned().unwrap_or_default()
    }

    pub(super) fn forget(&self, command: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(command);
    }
}

/// Access records into the ledger.
pub(super) struct IntoLedger {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) sessions: Arc<SessionBook>,
    pub(super) refused: Arc<RefusedHosts>,
}

impl AccessLog for IntoLedger {
    fn decided<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, Result<(), String>> {
        Box::pin(async move {
            let kept = self.ledger.append(Record::Access(Box::new(record.clone()))).await;
            let kept = kept.map(drop).map_err(|error| error.to_string());
            if record.verdict != Verdict::Allow && record.event == AccessEvent::Decided {
                self.refused.note(record);
            } else if kept.is_ok() && record.verdict == Verdict::Allow {
                // A host that a rule names is known; one that a person or no rule let through is a stranger.
                self.sessions.reached(&record.session, &record.host, record.rule.is_none());
            }
            kept
        })
    }

    fn ended<'a>(&'a self, record: &'a AccessRecord) -> Boxed<'a, ()> {
        Box::pin(async move {
            if let Err(error) = self.ledger.append(Record::Access(Box::new(record.clone()))).await {
                tracing::error!("the end of an access couldn't be recorded: {error}");
            }
        })
    }
}
