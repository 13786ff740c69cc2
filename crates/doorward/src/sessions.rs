//! State of sessions in memory: what earlier calls did, for policy, guardian and flow rules.
//!
//! A session is the claimed id plus the client's process, so one client can't speak for another. Sessions that were
//! silent for a day are forgotten, the oldest first when there are too many; nothing an event says clears a taint.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use doorward_core::call::ToolCall;
use doorward_core::decision::{Decision, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::session::SessionView;
use doorward_inspect::Written;
use jiff::{SignedDuration, Timestamp};

/// Sessions that are kept at most.
const MOST: usize = 4_096;
/// A session this long silent is forgotten.
const SILENT: SignedDuration = SignedDuration::from_hours(24);

/// All sessions of this service.
#[derive(Debug, Default)]
pub struct SessionBook {
    sessions: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug, Clone)]
struct Kept {
    view: SessionView,
    began: Timestamp,
    last: Timestamp,
    workflow: Option<String>,
}

impl SessionBook {
    /// The view of every session, for the console and `status`.
    #[must_use]
    pub fn all(&self) -> Vec<SessionView> {
        self.lock().values().map(|kept| kept.view.clone()).collect()
    }

    /// The session ended.
    pub fn end(&self, session: &str) {
        self.lock().remove(session);
    }

    /// The view of one session.
    #[must_use]
    pub fn get(&self, session: &str) -> Option<SessionView> {
        self.lock().get(session).map(|kept| kept.view.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        // Every change is made on a copy and put back whole, so a poisoned map is still consistent.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionBook {
    /// The state before a call.
    pub(crate) fn view(&self, call: &ToolCall) -> SessionView {
        let now = Timestamp::now();
        let sessions = self.lock();
        let mut view = sessions.get(&call.session).map_or_else(
            || SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() },
            |kept| {
                let mut view = kept.view.clone();
                let age = now.duration_since(kept.began);
                view.minutes = u64::try_from(age.as_mins()).unwrap_or(0);
                view
            },
        );
        if let Some(workflow) = &call.workflow {
            let members = || sessions.values().filter(|kept| kept.workflow.as_ref() == Some(workflow));
            view.workflow_taints = members().flat_map(|kept| kept.view.taints.iter().cloned()).collect();
            view.workflow_agents = u64::try_from(members().count()).unwrap_or(u64::MAX);
        }
        view
    }

    /// Takes note of a settled call. `written` is only asked where the call may run.
    pub(crate) fn settled(
        &self,
        inspected: &Inspected,
        decision: &Decision,
        written: impl FnOnce() -> Written,
    ) {
        let now = Timestamp::now();
        let call = &inspected.call;
        let mut sessions = self.lock();
        let mut kept = sessions.get(&call.session).cloned().unwrap_or_else(|| Kept {
            view: SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() },
            began: now,
            last: now,
            workflow: call.workflow.clone(),
        });
        kept.last = now;
        kept.view.turn = kept.view.turn.saturating_add(1);
        if decision.verdict == Verdict::Deny {
            kept.view.calls = kept.view.calls.saturating_add(1);
            kept.view.denials = kept.view.denials.saturating_add(1);
        } else {
            // A confirmed call may run without another word from us (a client's own dialog), so what it would do is
            // remembered as if it had: memory errs towards caution.
            doorward_inspect::remember(inspected, written(), decision.verdict.as_str(), &mut kept.view);
        }
        sessions.insert(call.session.clone(), kept);
        if sessions.len() > MOST {
            sessions.retain(|_, kept| now.duration_since(kept.last) < SILENT);
            while sessions.len() > MOST {
                let oldest = sessions.iter().min_by_key(|(_, kept)| kept.last).map(|(id, _)| id.clone());
                let Some(oldest) = oldest else { break };
                sessions.remove(&oldest);
            }
        }
    }
}
