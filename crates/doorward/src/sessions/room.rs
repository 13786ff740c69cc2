//! Which sessions, clients and ids are kept, what a call sees of them, and who makes room for others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex};

use doorward_core::call::ToolCall;
use doorward_core::id::SessionId;
use doorward_core::session::SessionView;
use doorward_flows::Memory;
use jiff::Timestamp;

use super::memories::CallTrace;
use super::{Client, Everything, Kept, MOST_CLIENTS, MOST_IDS, MOST_OF_ONE, marks};

impl Everything {
    pub(super) fn session(&mut self, call: &ToolCall, memory: &Arc<Mutex<Memory>>) -> &mut Kept {
        let ids = &self.ids;
        self.sessions.entry(call.session.clone()).or_insert_with(|| {
            let mut kept = Kept::new(call, Arc::clone(memory));
            // Resumed in another process: its context holds what it held.
            if let Some(known) = kept.id.as_ref().and_then(|id| ids.get(id)) {
                for mark in known.taints.iter().chain(known.lingering.keys()) {
                    Arc::make_mut(&mut kept.base).taints.insert(mark.clone());
                    kept.set(mark);
                }
            }
            kept
        })
    }

    /// What calls leave that are allowed or under way: of the session, and of the workflow it belongs to.
    pub(super) fn pending(&self, call: &ToolCall) -> Vec<Arc<CallTrace>> {
        let of = |kept: &Kept| {
            let all = kept.allowed.values().chain(kept.under_way.values());
            all.map(Arc::clone).collect::<Vec<_>>()
        };
        match &call.workflow {
            None => self.sessions.get(&call.session).map(of).unwrap_or_default(),
            Some(_) => {
                self.sessions.values().filter(|kept| kept.workflow == call.workflow).flat_map(of).collect()
            }
        }
    }

    pub(super) fn view(&self, call: &ToolCall) -> Arc<SessionView> {
        let kept = self.sessions.get(&call.session);
        let mut marks = self.marks_of_client(call);
        marks.extend(self.marks_of_id(call));
        let foreign = kept.is_none_or(|kept| !marks.iter().all(|mark| kept.base.taints.contains(*mark)));
        let minutes = |kept: &Kept| {
            u64::try_from(Timestamp::now().duration_since(kept.began).as_mins()).unwrap_or_default()
        };
        if let Some(kept) = kept
            && kept.is_plain()
            && !foreign
            && call.workflow.is_none()
            && minutes(kept) == kept.base.minutes
        {
            // Nothing to add: everybody looks at the same.
            return Arc::clone(&kept.base);
        }
        let mut view = kept.map_or_else(
            || SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() },
            |kept| SessionView { minutes: minutes(kept), ..kept.view() },
        );
        view.taints.extend(marks.into_iter().cloned());
        if let Some(workflow) = &call.workflow {
            let members = || self.sessions.values().filter(|kept| kept.workflow.as_ref() == Some(workflow));
            view.workflow_taints = members().flat_map(|kept| kept.base.taints.iter().cloned()).collect();
            view.workflow_agents = u64::try_from(members().count()).unwrap_or(u64::MAX);
        }
        Arc::new(view)
    }

    pub(super) fn keep(&mut self, client: String, session: SessionId, now: Timestamp) {
        let taints = self.sessions.get(&session).map(|kept| kept.base.taints.clone());
        let own = self.clients.entry(client).or_insert_with(|| Client {
            taints: BTreeSet::new(),
            lingering: BTreeMap::new(),
            sessions: VecDeque::new(),
            last: now,
        });
        own.last = now;
        let lasting = |mark: &String| marks::window_of(mark).is_none();
        if let Some(id) = self.sessions.get(&session).and_then(|kept| kept.id.as_ref()) {
            let resumable = self.ids.entry(id.clone()).or_default();
            resumable.sessions.insert(session.clone());
            // Whatever its process is marked with: the next process that resumes the id gets it too.
            let inherited = own.taints.iter().chain(taints.iter().flatten());
            resumable.taints.extend(inherited.filter(|mark| lasting(mark)).cloned());
            resumable.last = now;
        }
        if !own.sessions.contains(&session) {
            own.sessions.push_back(session);
        }
        own.taints.extend(taints.into_iter().flatten().filter(lasting));
        let mut oldest = Vec::new();
        while own.sessions.len() > MOST_OF_ONE {
            oldest.extend(own.sessions.pop_front());
        }
        for session in oldest {
            let Some(left) = self.forget(&session) else { continue };
            if let Some(own) = self.clients.get_mut(&left.client) {
                own.taints.extend(left.view().taints.into_iter().filter(lasting));
            }
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
                self.forget(&session);
            }
        }
    }

    /// Makes room for another session. Its marks stay with its id.
    fn forget(&mut self, session: &SessionId) -> Option<Kept> {
        let kept = self.sessions.remove(session)?;
        if let Some(id) = &kept.id
            && let Some(own) = self.ids.get_mut(id)
        {
            own.sessions.remove(session);
            let lasting = |mark: &String| marks::window_of(mark).is_none();
            own.taints.extend(kept.view().taints.into_iter().filter(lasting));
            if own.sessions.is_empty() && own.taints.is_empty() && own.lingering.is_empty() {
                self.ids.remove(id);
            }
        }
        if self.ids.len() > MOST_IDS {
            let mut order: Vec<(Timestamp, String)> =
                self.ids.iter().map(|(id, own)| (own.last, id.clone())).collect();
            order.sort();
            for (_, id) in order.into_iter().take(MOST_IDS / 16) {
                self.ids.remove(&id);
            }
        }
        Some(kept)
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
