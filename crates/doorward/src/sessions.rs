//! State of sessions in memory: what earlier calls did, for policy, guardian and flow rules.
//!
//! A session is the claimed id plus the client's process, so one client can't speak for another. Nothing an event says
//! clears a mark, not even the end of a session: a client's process that goes on under another id keeps the marks of
//! all its sessions. Room is made within one client first, so that thousands of invented sessions push out only the
//! inventor's own, whose marks stay with the client; then among clients that are gone, the longest silent first.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use doorward_core::call::{Surface, ToolCall};
use doorward_core::decision::{Decision, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::session::SessionView;
use doorward_inspect::Written;
use jiff::Timestamp;

/// Sessions that are kept of one client.
const MOST_OF_ONE: usize = 32;
/// Clients that are kept.
const MOST_CLIENTS: usize = 4_096;

/// All sessions of this service.
#[derive(Debug, Default)]
pub struct SessionBook {
    kept: Mutex<Everything>,
}

#[derive(Debug, Default)]
struct Everything {
    sessions: HashMap<String, Kept>,
    clients: HashMap<String, Client>,
}

#[derive(Debug, Clone)]
struct Kept {
    view: SessionView,
    began: Timestamp,
    workflow: Option<String>,
}

/// A client's process, or the principal of a network caller.
#[derive(Debug)]
struct Client {
    /// Marks of all its sessions, those that were forgotten included.
    taints: BTreeSet<String>,
    /// Its sessions, the oldest first.
    sessions: VecDeque<String>,
    last: Timestamp,
}

/// Who a session's marks stay with: the process of a hook's client (`PID.START`), else the principal.
fn client_of(call: &ToolCall) -> String {
    let process = call.session.rsplit_once('@').map(|(_, process)| process);
    match process {
        Some(process) if call.surface == Surface::Hook => process.to_owned(),
        _ => format!("principal {}", call.principal.id),
    }
}

impl SessionBook {
    /// The view of every session, for the console and `status`.
    #[must_use]
    pub fn all(&self) -> Vec<SessionView> {
        self.lock().sessions.values().map(|kept| kept.view.clone()).collect()
    }

    /// The view of one session.
    #[must_use]
    pub fn get(&self, session: &str) -> Option<SessionView> {
        self.lock().sessions.get(session).map(|kept| kept.view.clone())
    }

    /// Whether a process sent events of a client: an agent, then.
    pub(crate) fn is_client(&self, pid: i32, started: u64) -> bool {
        self.lock().clients.contains_key(&format!("{pid}.{started}"))
    }

    fn lock(&self) -> MutexGuard<'_, Everything> {
        // Every change is made on a copy and put back whole, so a poisoned map is still consistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionBook {
    /// The state before a call.
    pub(crate) fn view(&self, call: &ToolCall) -> SessionView {
        let now = Timestamp::now();
        let all = self.lock();
        let mut view = all.sessions.get(&call.session).map_or_else(
            || SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() },
            |kept| {
                let mut view = kept.view.clone();
                let age = now.duration_since(kept.began);
                view.minutes = u64::try_from(age.as_mins()).unwrap_or(0);
                view
            },
        );
        if let Some(client) = all.clients.get(&client_of(call)) {
            view.taints.extend(client.taints.iter().cloned());
        }
        if let Some(workflow) = &call.workflow {
            let members = || all.sessions.values().filter(|kept| kept.workflow.as_ref() == Some(workflow));
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
        let mut all = self.lock();
        let mut kept = all.sessions.get(&call.session).cloned().unwrap_or_else(|| Kept {
            view: SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() },
            began: now,
            workflow: call.workflow.clone(),
        });
        kept.view.turn = kept.view.turn.saturating_add(1);
        if decision.verdict == Verdict::Deny {
            kept.view.calls = kept.view.calls.saturating_add(1);
            kept.view.denials = kept.view.denials.saturating_add(1);
        } else {
            // A confirmed call may run without another word from us (a client's own dialog), so what it would do is
            // remembered as if it had: memory errs towards caution.
            doorward_inspect::remember(inspected, written(), decision.verdict.as_str(), &mut kept.view);
        }
        all.keep(client_of(call), kept, now);
    }
}

impl Everything {
    fn keep(&mut self, client: String, kept: Kept, now: Timestamp) {
        let session = kept.view.id.clone();
        let own = self.clients.entry(client).or_insert_with(|| Client {
            taints: BTreeSet::new(),
            sessions: VecDeque::new(),
            last: now,
        });
        own.last = now;
        own.taints.extend(kept.view.taints.iter().cloned());
        if self.sessions.insert(session.clone(), kept).is_none() {
            own.sessions.push_back(session);
        }
        while own.sessions.len() > MOST_OF_ONE {
            let Some(oldest) = own.sessions.pop_front() else { break };
            self.sessions.remove(&oldest);
        }
        if self.clients.len() > MOST_CLIENTS {
            self.forget_clients();
        }
    }

    /// Those that are gone before those that may come back; of each, the longest silent.
    fn forget_clients(&mut self) {
        let mut order: Vec<(bool, Timestamp, String)> =
            self.clients.iter().map(|(name, client)| (is_there(name), client.last, name.clone())).collect();
        order.sort();
        for (.., name) in order.into_iter().take(MOST_CLIENTS / 16) {
            let forgotten = self.clients.remove(&name).map(|client| client.sessions).unwrap_or_default();
            for session in forgotten {
                self.sessions.remove(&session);
            }
        }
    }
}

/// Whether a client's process still runs. Principals have none and may always come back.
fn is_there(client: &str) -> bool {
    let pid = client.split_once('.').map(|(pid, _)| pid);
    match pid.filter(|pid| pid.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(pid) => Path::new("/proc").join(pid).exists(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(session: &str, taint: &str) -> Kept {
        let mut view = SessionView { id: session.to_owned(), ..SessionView::default() };
        view.taints.insert(taint.to_owned());
        Kept { view, began: Timestamp::now(), workflow: None }
    }

    #[test]
    fn invented_sessions_push_out_only_their_inventors_and_marks_stay() {
        let mut all = Everything::default();
        let now = Timestamp::now();
        all.keep("1.1".to_owned(), kept("honest", "secret_read"), now);
        for number in 0..10_000 {
            all.keep("2.2".to_owned(), kept(&format!("invented {number}"), "egress"), now);
        }
        assert!(all.sessions.contains_key("honest"));
        assert!(all.sessions.len() <= MOST_OF_ONE + 1);
        assert!(all.clients["2.2"].taints.contains("egress"));
    }

    #[test]
    fn clients_that_are_gone_make_room_for_those_that_live() {
        let mut all = Everything::default();
        let own = format!("{}.1", std::process::id());
        all.keep(own.clone(), kept("own", "secret_read"), Timestamp::UNIX_EPOCH);
        for number in 0..MOST_CLIENTS + 10 {
            let gone = format!("4194304{number}.1");
            all.keep(gone.clone(), kept(&gone, "egress"), Timestamp::now());
        }
        assert!(all.clients.len() <= MOST_CLIENTS);
        assert!(all.clients.contains_key(&own), "silent for long, but there");
        assert_eq!(all.clients.len(), all.sessions.len());
    }
}
