//! One call's place in its session, from its turn until it is settled.

use std::sync::Arc;
use std::time::Duration;

use doorward_core::call::ToolCall;
use doorward_core::decision::Verdict;
use doorward_core::id::{CallId, DecisionId, SessionId};
use doorward_core::session::SessionView;
use doorward_gate::Denial;
use doorward_inspect::Deed;
use jiff::Timestamp;
use tokio::sync::OwnedMutexGuard;

use super::memories::{self, CallTrace};
use super::{SessionBook, client_of};

/// How long a call waits for its turn where it says no deadline.
const PATIENCE: Duration = Duration::from_secs(30);

impl SessionBook {
    /// A call's turn: after every call of its session that came before it was inspected.
    pub(crate) async fn enter(book: &Arc<Self>, call: &ToolCall) -> Result<Place, Denial> {
        let name = memories::name_of(call);
        if let Some(keeping) = book.keeping.get() {
            keeping.refresh(&name, &book.memories).await;
        }
        let memory = book.memories.get(&name);
        let order = Arc::clone(&book.lock().session(call, &memory).order);
        let left = call.deadline.map_or(PATIENCE, |deadline| {
            Duration::try_from(deadline.duration_since(Timestamp::now())).unwrap_or_default().min(PATIENCE)
        });
        let Ok(order) = tokio::time::timeout(left, order.lock_owned()).await else {
            let why = "an earlier call of this session is still being looked at; try again";
            return Err(Denial::fault("session.busy", why));
        };
        let mut all = book.lock();
        let view = all.view(call);
        all.next += 1;
        Ok(Place {
            number: all.next,
            book: Arc::clone(book),
            client: client_of(call),
            session: call.session.clone(),
            call: call.id.clone(),
            view,
            order: Some(order),
            settled: false,
        })
    }
}

/// One call's place in its session, from its turn until it is settled.
pub(crate) struct Place {
    number: u64,
    book: Arc<SessionBook>,
    client: String,
    session: SessionId,
    /// The call's id.
    call: CallId,
    view: Arc<SessionView>,
    order: Option<OwnedMutexGuard<()>>,
    settled: bool,
}

impl Place {
    pub(crate) fn view(&self) -> Arc<SessionView> {
        Arc::clone(&self.view)
    }

    /// The marks that the call leaves if it runs.
    pub(crate) fn marks(&self) -> Vec<String> {
        let all = self.book.lock();
        let trace = all.sessions.get(&self.session).and_then(|kept| kept.under_way.get(&self.number));
        trace.map(|trace| trace.deed.taints().iter().cloned().collect()).unwrap_or_default()
    }

    /// Later calls see what it does, and may have their turns.
    pub(crate) fn under_way(&mut self, deed: Deed) {
        if let Some(kept) = self.book.lock().sessions.get_mut(&self.session) {
            let noted = kept.inspected.iter().rposition(|(call, ..)| *call == self.call);
            let noted = noted.and_then(|at| kept.inspected.remove(at));
            let (step, origin) = noted.map(|(_, step, origin)| (step, origin)).unwrap_or_default();
            kept.under_way.insert(self.number, Arc::new(CallTrace { deed, step, origin }));
        }
        self.order = None;
    }

    /// A person said yes to this call: the flows that it completes aren't asked about again.
    pub(crate) fn agreed(&self) {
        let all = self.book.lock();
        let Some(kept) = all.sessions.get(&self.session) else { return };
        let Some(trace) = kept.under_way.get(&self.number) else { return };
        memories::open(&kept.memory).allowed(&trace.step);
        self.book.changed(&kept.name);
    }

    pub(crate) fn settled(&mut self, verdict: Verdict, decision: &DecisionId) {
        self.settled = true;
        let mut all = self.book.lock();
        let Some(kept) = all.sessions.get_mut(&self.session) else { return };
        let deed = kept.under_way.remove(&self.number).unwrap_or_default();
        let base = Arc::make_mut(&mut kept.base);
        base.turn = base.turn.saturating_add(1);
        let (over, id) = (kept.expire(), kept.id.clone());
        let base = Arc::make_mut(&mut kept.base);
        match verdict {
            Verdict::Deny => {
                base.calls = base.calls.saturating_add(1);
                base.denials = base.denials.saturating_add(1);
            }
            Verdict::Allow => drop(kept.allowed.insert(decision.clone(), deed)),
            Verdict::Confirm => drop(kept.asked.insert(decision.clone(), deed)),
        }
        kept.bound();
        if let Some(own) = id.and_then(|id| all.ids.get_mut(&id)) {
            own.lingering.retain(|mark, _| !over.contains(mark));
        }
        let (client, session) = (self.client.clone(), self.session.clone());
        all.keep(client, session, Timestamp::now());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Never settled: judging failed, or the record. It leaves nothing behind.
        if !self.settled
            && let Some(kept) = self.book.lock().sessions.get_mut(&self.session)
        {
            kept.under_way.remove(&self.number);
        }
    }
}
