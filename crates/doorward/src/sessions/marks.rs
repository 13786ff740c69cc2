//! Marks of sessions and how long they last. Most last as long as the client's process. Those with a window (`[[mark]]`
//! in `flows.toml`) last a number of calls in their own session and a number of minutes in the client's other sessions.

use std::collections::BTreeSet;
use std::sync::Arc;

use doorward_core::call::ToolCall;
use doorward_core::id::{RecordId, SessionId};
use doorward_core::record::{Ledger, NoteRecord, Record};
use doorward_flows::{MarkWindow, Table};
use jiff::Timestamp;

use super::{Everything, Kept, SessionBook, client_of, id_of, memories, restoring};

/// Windowed marks that a client's other sessions get.
const MOST_LINGERING: usize = 256;

/// The window of a mark; `None` for one that lasts as long as its client, and where the table can't be read.
pub(super) fn window_of(mark: &str) -> Option<&'static MarkWindow> {
    Table::shipped().ok()?.marks.iter().find(|window| window.name == mark)
}

impl SessionBook {
    /// Notes that a process of this session reached a host through the egress proxy, whatever its command said. For
    /// later calls it counts like any other contact. `strange` says that no rule names the host.
    pub fn reached(&self, session: &SessionId, host: &str, strange: bool) {
        let Some(memory) = self.memory_of(session) else { return };
        memories::open(&memory).reached(host);
        if strange {
            self.mark(session, doorward_inspect::EGRESS);
            self.mark(session, doorward_inspect::UNTRUSTED_CONTENT);
        }
        let name = self.lock().sessions.get(session).map(|kept| kept.name.clone());
        if let Some(name) = name {
            self.changed(&name);
        }
    }

    /// Notes that a session ended, as its client says: its windowed marks no longer count in the client's other
    /// sessions. If it continues under its own id after all, the marks are still set.
    pub(crate) fn ended(&self, session: &SessionId) {
        let mut all = self.lock();
        let Some(client) = all.sessions.get(session).map(|kept| kept.client.clone()) else { return };
        if let Some(client) = all.clients.get_mut(&client) {
            client.lingering.retain(|(of, _), _| of != session);
        }
    }

    /// Forgets what other people wrote in this session, as a person asked: its windowed marks and the values of their
    /// texts. Secrets and facts of calls stay. False for an unknown session.
    pub fn clear(&self, session: &SessionId) -> bool {
        let memory = self.memory_of(session);
        let mut all = self.lock();
        let known = all.sessions.get_mut(session).map(|kept| {
            kept.windowed.clear();
            let base = Arc::make_mut(&mut kept.base);
            base.taints.retain(|mark| window_of(mark).is_none());
            (kept.client.clone(), kept.id.clone(), kept.name.clone())
        });
        let Some((client, id, name)) = known else { return false };
        if let Some(client) = all.clients.get_mut(&client) {
            client.lingering.retain(|(of, _), _| of != session);
        }
        if let Some(own) = id.and_then(|id| all.ids.get_mut(&id)) {
            own.lingering.clear();
        }
        drop(all);
        if let Some(memory) = memory {
            memories::open(&memory).forget_untrusted();
        }
        self.changed(&name);
        true
    }

    /// Marks a session and the client that it belongs to, for something that no decision names. A mark that is new is
    /// noted in the ledger before whatever is recorded next.
    pub(super) fn mark(&self, session: &SessionId, mark: &str) {
        let mut all = self.lock();
        let Some(kept) = all.sessions.get_mut(session) else { return };
        let is_new = Arc::make_mut(&mut kept.base).taints.insert(mark.to_owned());
        kept.set(mark);
        all.mark_owners(session, [mark], Timestamp::now());
        drop(all);
        if let Some(ledger) = self.ledger.get().filter(|_| is_new) {
            let note = NoteRecord {
                v: 1,
                id: RecordId::fresh(),
                time: Timestamp::now(),
                code: restoring::MARKED.to_owned(),
                message: format!("what came back marks session {session}: {mark}"),
                detail: Some(restoring::about(session, Some(mark))),
            };
            ledger.append_later(Record::Note(note), Box::new(|_| ()));
        }
    }

    /// Notes marks in this ledger from now on.
    pub(crate) fn note_in(&self, ledger: Arc<dyn Ledger>) {
        let _ = self.ledger.set(ledger);
    }
}

impl Kept {
    /// Notes when a mark with a window was set.
    pub(super) fn set(&mut self, mark: &str) {
        if window_of(mark).is_some() {
            self.windowed.insert(mark.to_owned(), self.base.turn);
        }
    }

    /// Removes marks whose window is over, and gives them.
    pub(super) fn expire(&mut self) -> Vec<String> {
        let turn = self.base.turn;
        let over = |mark: &str, set: u64| {
            window_of(mark).is_some_and(|window| set.saturating_add(window.turns) < turn)
        };
        let gone: Vec<String> = self
            .windowed
            .iter()
            .filter(|(mark, set)| over(mark, **set))
            .map(|(mark, _)| mark.clone())
            .collect();
        for mark in &gone {
            self.windowed.remove(mark);
            Arc::make_mut(&mut self.base).taints.remove(mark);
        }
        gone
    }
}

impl Everything {
    /// Marks that a client's other sessions get from this one, and this one's id wherever it is resumed.
    pub(super) fn mark_owners<'m>(
        &mut self,
        session: &SessionId,
        marks: impl IntoIterator<Item = &'m str>,
        at: Timestamp,
    ) {
        let Some(kept) = self.sessions.get(session) else { return };
        let marks: Vec<&str> = marks.into_iter().collect();
        if let Some(own) = kept.id.as_ref().and_then(|id| self.ids.get_mut(id)) {
            for mark in &marks {
                if window_of(mark).is_some() {
                    own.lingering.insert((*mark).to_owned(), at);
                } else {
                    own.taints.insert((*mark).to_owned());
                }
            }
        }
        let Some(client) = self.clients.get_mut(&kept.client) else { return };
        for mark in marks {
            if window_of(mark).is_some() {
                client.lingering.insert((session.clone(), mark.to_owned()), at);
            } else {
                client.taints.insert(mark.to_owned());
            }
        }
        while client.lingering.len() > MOST_LINGERING {
            let oldest = client.lingering.iter().min_by_key(|(_, at)| **at).map(|(name, _)| name.clone());
            let Some(oldest) = oldest else { break };
            client.lingering.remove(&oldest);
        }
    }

    /// Marks that a call's session has by its id: of all sessions of that id, with what is still under way in them.
    pub(super) fn marks_of_id(&self, call: &ToolCall) -> BTreeSet<&String> {
        let own = id_of(&call.session, call.surface).and_then(|id| self.ids.get(&id));
        let Some(own) = own else { return BTreeSet::new() };
        let siblings = own.sessions.iter().filter_map(|session| self.sessions.get(session));
        let under_way = siblings.flat_map(|kept| kept.allowed.values().chain(kept.under_way.values()));
        let is_known = self.sessions.contains_key(&call.session);
        let lingering = own.lingering.keys().filter(|_| !is_known);
        own.taints.iter().chain(lingering).chain(under_way.flat_map(|trace| trace.deed.taints())).collect()
    }

    /// Marks of all sessions of a call's client, with what is still under way in them. The call's own session has its
    /// windowed marks in its own view.
    pub(super) fn marks_of_client(&self, call: &ToolCall) -> BTreeSet<&String> {
        let Some(client) = self.clients.get(&client_of(call)) else { return BTreeSet::new() };
        let siblings = client.sessions.iter().filter_map(|session| self.sessions.get(session));
        let under_way = siblings.flat_map(|kept| kept.allowed.values().chain(kept.under_way.values()));
        let now = Timestamp::now();
        let lasts = |mark: &str, at: Timestamp| {
            window_of(mark).is_some_and(|window| now.duration_since(at).as_mins() < window.minutes)
        };
        let lingering = client
            .lingering
            .iter()
            .filter(|((session, mark), at)| *session != call.session && lasts(mark, **at))
            .map(|((_, mark), _)| mark);
        client.taints.iter().chain(lingering).chain(under_way.flat_map(|trace| trace.deed.taints())).collect()
    }
}
