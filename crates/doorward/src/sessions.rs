//! State of sessions in memory: what earlier calls did, for policy, guardian and flow rules.
//!
//! A session is the claimed id plus the client's process, so one client can't speak for another. Its calls are
//! inspected one after the other; what each does counts for the next from then on, also while it is still under way,
//! and for good once it ran. A call that was denied, refused or never answered leaves nothing.
//!
//! A client's process that goes on under another id keeps the marks of all its sessions, and an id that is resumed in
//! another process brings its marks along. Marks outlive the service: its records name them (`restoring`). What
//! other people wrote counts for a window that `flows.toml` gives (`[[mark]]`), and for other sessions no longer
//! than the one it came into; every other mark stays, whatever an event says. A person may clear what other people
//! wrote. Room is made within one client first, so that thousands of invented sessions push out only the inventor's
//! own, whose marks stay with the client; then among clients that are gone, the longest silent first.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use doorward_core::call::{Surface, ToolCall};
use doorward_core::decision::Verdict;
use doorward_core::effect::Inspected;
use doorward_core::id::{CallId, DecisionId, SessionId};
use doorward_core::record::{Ledger, Outcome};
use doorward_core::session::SessionView;
use doorward_flows::{CompletedFlow, Key, Memory, Step};
use doorward_gate::{Outcomes, Returned};
use doorward_store::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::counters::Counting;
use crate::origins::Titles;
use crate::process::{self, ClientProcess};
use keeping::Keeping;
use memories::{CallTrace, Memories, Origin};
pub(crate) use place::Place;

/// Sessions that are kept of one client.
const MOST_OF_ONE: usize = 32;
/// Clients that are kept.
const MOST_CLIENTS: usize = 4_096;
/// Ids of sessions whose marks are kept, for a client that resumes one of them.
const MOST_IDS: usize = 4 * MOST_CLIENTS;
/// Calls of one session whose outcome is awaited. What is older counts as run.
const MOST_OPEN: usize = 256;
/// Calls of one session that were looked at and are in nobody's turn yet.
const MOST_LOOKED_AT: usize = 64;
/// Calls of one session that ran and whose result may still come.
const MOST_RAN: usize = 64;
/// How often a shared store that doesn't answer at the start is tried.
const LATER: Duration = Duration::from_secs(1);
/// How long a client that is gone counts among those that may have made a terminal.
const LATELY: SignedDuration = SignedDuration::from_hours(12);

/// All sessions of this service.
#[derive(Default)]
pub struct SessionBook {
    kept: Mutex<Everything>,
    memories: Memories,
    /// Memories in the store, where there is one.
    keeping: OnceLock<Arc<Keeping>>,
    /// Where marks are noted that no decision names.
    ledger: OnceLock<Arc<dyn Ledger>>,
    titles: Titles,
}

impl std::fmt::Debug for SessionBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionBook").field("kept", &self.kept).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Everything {
    sessions: HashMap<SessionId, Kept>,
    clients: HashMap<String, Client>,
    /// What is known of sessions by the id that their client gave them, in whichever process.
    ids: HashMap<String, Resumable>,
    /// Numbers calls under way, whose decisions have no id yet.
    next: u64,
}

#[derive(Debug)]
struct Kept {
    /// What ran, and everything that is settled.
    base: Arc<SessionView>,
    began: Timestamp,
    workflow: Option<String>,
    /// Whose marks its own join.
    client: String,
    /// The id that another process could resume it under.
    id: Option<String>,
    /// Calls that are being judged.
    under_way: BTreeMap<u64, Arc<CallTrace>>,
    /// Calls that were allowed and may be running: they count.
    allowed: BTreeMap<DecisionId, Arc<CallTrace>>,
    /// Calls that a person or the client decides about: they count once they ran.
    asked: BTreeMap<DecisionId, Arc<CallTrace>>,
    /// Calls that ran, the youngest last, for results that come after that was told.
    ran: VecDeque<(DecisionId, Arc<CallTrace>)>,
    /// What calls that were looked at leave in the memory, by their ids, until they are under way. A call that somebody
    /// only tries stands here too, and must not push out the one in turn.
    inspected: VecDeque<(CallId, Step, Origin)>,
    /// Flows that the call judged last completes.
    completed: Vec<String>,
    /// Marks with a window, by the turn that set them last.
    windowed: BTreeMap<String, u64>,
    /// Values and flows, and the name they are found again under.
    memory: Arc<Mutex<Memory>>,
    name: String,
    /// Held while a call is inspected.
    order: Arc<tokio::sync::Mutex<()>>,
}

/// A client's process, or the principal of a network caller.
#[derive(Debug, Default)]
struct Client {
    /// Marks of all its sessions, those that were forgotten included.
    taints: BTreeSet<String>,
    /// Marks with a window, by their session, with when they were set last.
    lingering: BTreeMap<(SessionId, String), Timestamp>,
    /// Its sessions, the oldest first.
    sessions: VecDeque<SessionId>,
    last: Timestamp,
}

/// Sessions of one id, which a client may resume in another process.
#[derive(Debug, Default)]
struct Resumable {
    taints: BTreeSet<String>,
    /// Marks with a window, with when they were set last.
    lingering: BTreeMap<String, Timestamp>,
    /// Those that are kept.
    sessions: BTreeSet<SessionId>,
    last: Timestamp,
}

/// Who a session's marks stay with: the process of a client with hooks or MCP servers (`PID.START`), else the
/// principal.
fn client_of(call: &ToolCall) -> String {
    client_of_parts(&call.session, call.surface, &call.principal.id)
}

fn client_of_parts(session: &SessionId, surface: Surface, principal: &str) -> String {
    let process = session.as_str().rsplit_once('@').map(|(_, process)| process);
    match process {
        Some(process) if matches!(surface, Surface::Hook | Surface::Mcp) => process.to_owned(),
        _ => format!("principal {principal}"),
    }
}

/// The id that a client with hooks gave its session (`CLIENT/ID`), without the process. `None` where it gave none.
fn id_of(session: &SessionId, surface: Surface) -> Option<String> {
    let name = session.as_str().rsplit_once('@').map_or(session.as_str(), |(name, _)| name);
    let is_given = name.split_once('/').is_some_and(|(_, id)| !id.is_empty());
    (surface == Surface::Hook && is_given).then(|| name.to_owned())
}

impl SessionBook {
    /// The view of every session, for the console and `status`.
    #[must_use]
    pub fn all(&self) -> Vec<SessionView> {
        self.lock().sessions.values().map(Kept::view).collect()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().sessions.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().sessions.is_empty()
    }

    /// The view of one session.
    #[must_use]
    pub fn get(&self, session: &SessionId) -> Option<SessionView> {
        self.lock().sessions.get(session).map(Kept::view)
    }

    /// The session as a call would see it now, for those who only judge.
    #[must_use]
    pub fn look(&self, call: &ToolCall) -> Arc<SessionView> {
        self.lock().view(call)
    }

    /// Whether a process sent events of a client: an agent, then.
    pub(crate) fn is_client(&self, pid: i32, started: u64) -> bool {
        self.lock().clients.contains_key(&format!("{pid}.{started}"))
    }

    /// When the client that began first did, in clock ticks after boot: of those that still run, or that spoke within
    /// [`LATELY`] and may have left something running.
    pub(crate) fn oldest_client(&self) -> Option<u64> {
        let now = Timestamp::now();
        let up = i64::try_from(process::ticks_now() / 100).unwrap_or_default();
        let all = self.lock();
        let ages = all.clients.iter().filter_map(|(name, client)| {
            let (pid, started) = name.split_once('.')?;
            let (pid, started): (i32, u64) = (pid.parse().ok()?, started.parse().ok()?);
            let silent = now.duration_since(client.last).as_secs();
            let runs = || ClientProcess::of(pid).is_some_and(|process| process.started == started);
            // One of an earlier boot counts its ticks otherwise.
            (silent < up && (silent < LATELY.as_secs() || runs())).then_some(started)
        });
        ages.min()
    }

    /// Keeps memories in a store from now on, and writes them while the book lives. With a shared store that doesn't
    /// answer yet, from when it does.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn keep_in(book: &Arc<Self>, store: Store) -> Result<(), StoreError> {
        let kept = Keeping::over(store.clone(), memories::random()).await;
        match kept {
            Ok((keeping, key)) => book.begin_keeping(keeping, key),
            Err(StoreError::Unavailable(_)) if store.is_shared() => {
                tokio::spawn(keep_later(Arc::downgrade(book), store));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn begin_keeping(self: &Arc<Self>, keeping: Keeping, key: Key) {
        if !self.memories.use_key(key) {
            tracing::warn!(
                "the store answered only after the first calls: what sessions remember is shared with other services \
                 from the next start on"
            );
            return;
        }
        let keeping = Arc::new(keeping);
        if self.keeping.set(Arc::clone(&keeping)).is_ok() {
            tokio::spawn(keeping.write_on(Arc::downgrade(self)));
        }
    }

    /// Writes what memories still have to be written.
    pub async fn flush(&self) {
        if let Some(keeping) = self.keeping.get() {
            keeping.write_all(&self.memories).await;
        }
    }

    fn changed(&self, name: &str) {
        if let Some(keeping) = self.keeping.get() {
            keeping.changed(name);
        }
    }

    /// Judges a call by what its session remembers, and notes what the call leaves for when it is under way.
    pub(crate) fn judge(&self, inspected: &mut Inspected, counting: &Counting) {
        let memory = self.memories.get(&memories::name_of(&inspected.call));
        let pending = self.lock().pending(&inspected.call);
        let steps: Vec<&Step> = pending.iter().map(|trace| &trace.step).collect();
        let step = memories::judge(&memory, inspected, &steps, counting);
        let noted = (inspected.call.id.clone(), step, Origin::of(inspected));
        if let Some(kept) = self.lock().sessions.get_mut(&inspected.call.session) {
            kept.completed = inspected.session.flows.iter().cloned().collect();
            if kept.inspected.len() >= MOST_LOOKED_AT {
                kept.inspected.pop_front();
            }
            kept.inspected.push_back(noted);
        }
    }

    /// The person said something in this session: what it names is no stranger's word.
    pub fn said(&self, session: &SessionId, text: &str) -> Option<String> {
        let memory = self.memories.get(&memories::name_of_session(session));
        memories::open(&memory).said(text);
        self.changed(&memories::name_of_session(session));
        self.titles.said(session, text)
    }

    /// Titles of sessions.
    #[must_use]
    pub const fn titles(&self) -> &Titles {
        &self.titles
    }

    /// A call brought something back, and its source is what the call itself tells of it.
    pub fn brought(&self, session: &SessionId, decision: &DecisionId, content: &[u8]) {
        let trace = self.lock().sessions.get(session).and_then(|kept| kept.trace(decision));
        let Some(origin) = trace.as_ref().map(|trace| trace.origin.clone()) else { return };
        self.returned(
            session,
            decision,
            &Returned { content, source: &origin.source, untrusted: origin.untrusted },
        );
    }

    /// The flows that the call which was judged last completes, by their rules.
    #[must_use]
    pub fn last_judged(&self, session: &SessionId) -> Option<Vec<String>> {
        self.lock().sessions.get(session).map(|kept| kept.completed.clone())
    }

    /// The flows of a session, oldest first.
    #[must_use]
    pub fn flows(&self, session: &SessionId) -> Vec<CompletedFlow> {
        let memory = self.memory_of(session);
        memory.map(|memory| memories::open(&memory).flows().cloned().collect()).unwrap_or_default()
    }

    /// A session as a graph in text: where data came from and where it went.
    #[must_use]
    pub fn drawn(&self, session: &SessionId) -> Option<String> {
        let memory = self.memory_of(session)?;
        let memory = memories::open(&memory);
        doorward_flows::drawn(&memory).ok()
    }

    fn memory_of(&self, session: &SessionId) -> Option<Arc<Mutex<Memory>>> {
        let kept = self.lock().sessions.get(session).map(|kept| Arc::clone(&kept.memory));
        kept.or_else(|| self.memories.find(&memories::name_of_session(session)))
    }

    fn lock(&self) -> MutexGuard<'_, Everything> {
        // Every change leaves the maps whole, so a poisoned lock guards whole maps too.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outcomes for SessionBook {
    fn observed(&self, session: &SessionId, decision: &DecisionId, outcome: Outcome) {
        let mut all = self.lock();
        let Some(kept) = all.sessions.get_mut(session) else { return };
        let ran = match outcome {
            Outcome::Ran | Outcome::Failed | Outcome::Killed => true,
            // Nobody told: it was allowed, so it may have run.
            Outcome::Unobserved | Outcome::Released => kept.allowed.contains_key(decision),
            Outcome::Refused | Outcome::Abandoned => false,
        };
        let asked = kept.asked.remove(decision);
        let was_asked = asked.is_some();
        let trace = kept.allowed.remove(decision).or(asked);
        let Some(trace) = trace.filter(|_| ran) else { return };
        kept.remember(decision, &trace, outcome == Outcome::Ran);
        if was_asked {
            // Whoever was asked let it run.
            memories::open(&kept.memory).allowed(&trace.step);
        }
        self.changed(&kept.name);
        // Marks outlive the session that they were made in.
        all.mark_owners(session, trace.deed.taints().iter().map(String::as_str), Timestamp::now());
    }

    fn returned(&self, session: &SessionId, decision: &DecisionId, result: &Returned<'_>) {
        if result.untrusted {
            self.mark(session, doorward_inspect::UNTRUSTED_CONTENT);
        }
        let known = self
            .lock()
            .sessions
            .get(session)
            .map(|kept| (Arc::clone(&kept.memory), kept.trace(decision), kept.name.clone()));
        let Some((memory, trace, name)) = known else { return };
        memories::returned(&memory, trace.as_deref(), result);
        self.changed(&name);
    }
}

impl Kept {
    fn new(call: &ToolCall, memory: Arc<Mutex<Memory>>) -> Self {
        let base = SessionView { id: call.session.clone(), turn: 1, ..SessionView::default() };
        let (client, id) = (client_of(call), id_of(&call.session, call.surface));
        Self::of(client, id, call.workflow.clone(), memories::name_of(call), base, memory)
    }

    fn of(
        client: String,
        id: Option<String>,
        workflow: Option<String>,
        name: String,
        base: SessionView,
        memory: Arc<Mutex<Memory>>,
    ) -> Self {
        let began = Timestamp::now();
        Self {
            base: Arc::new(SessionView { began: Some(began), ..base }),
            began,
            workflow,
            client,
            id,
            under_way: BTreeMap::new(),
            allowed: BTreeMap::new(),
            asked: BTreeMap::new(),
            ran: VecDeque::new(),
            inspected: VecDeque::new(),
            completed: Vec::new(),
            windowed: BTreeMap::new(),
            memory,
            name,
            order: Arc::default(),
        }
    }

    /// With what is under way.
    fn view(&self) -> SessionView {
        let mut view = (*self.base).clone();
        for trace in self.allowed.values().chain(self.under_way.values()) {
            trace.deed.add_to(&mut view, Verdict::Allow.as_str());
        }
        view
    }

    /// Takes over what a call left. Unless it surely succeeded, nothing that it was to undo counts as undone.
    fn remember(&mut self, decision: &DecisionId, trace: &Arc<CallTrace>, succeeded: bool) {
        trace.deed.taints().iter().for_each(|mark| self.set(mark));
        trace.deed.add_to(Arc::make_mut(&mut self.base), Verdict::Allow.as_str());
        let mut memory = memories::open(&self.memory);
        if succeeded {
            memory.ran(&trace.step);
        } else {
            memory.may_have_run(&trace.step);
        }
        drop(memory);
        if self.ran.len() >= MOST_RAN {
            self.ran.pop_front();
        }
        self.ran.push_back((decision.clone(), Arc::clone(trace)));
    }

    /// What a call left, whether it is under way, asked about or ran lately.
    fn trace(&self, decision: &DecisionId) -> Option<Arc<CallTrace>> {
        let waiting = self.allowed.get(decision).or_else(|| self.asked.get(decision));
        let ran = || self.ran.iter().rev().find(|(id, _)| id == decision).map(|(_, trace)| trace);
        waiting.or_else(ran).map(Arc::clone)
    }

    fn is_plain(&self) -> bool {
        self.allowed.is_empty() && self.under_way.is_empty()
    }

    /// What waits too long for its outcome: an allowed call counts as run, a question as never answered.
    fn bound(&mut self) {
        while self.allowed.len() > MOST_OPEN {
            let Some((decision, trace)) = self.allowed.pop_first() else { break };
            self.remember(&decision, &trace, false);
        }
        while self.asked.len() > MOST_OPEN {
            self.asked.pop_first();
        }
    }
}

/// Tries again until the store answers, while the book lives.
async fn keep_later(book: Weak<SessionBook>, store: Store) {
    loop {
        tokio::time::sleep(LATER).await;
        let Some(book) = book.upgrade() else { return };
        if let Ok((keeping, key)) = Keeping::over(store.clone(), memories::random()).await {
            book.begin_keeping(keeping, key);
            return;
        }
    }
}

mod keeping;
mod marks;
mod memories;
mod place;
pub(crate) mod restoring;
mod room;
#[cfg(test)]
mod tests;
