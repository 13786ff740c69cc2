//! A relay's state: open requests, waiting questions, the client's capabilities.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::{Gated, Keeper, Side, Via};
use crate::headers::{self, Repeated};
use crate::message::{Members, Message};

/// How long tasks may take to finish once a side is gone.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// How long a sealed question may wait for its answer.
pub(super) const SEAL_GOOD: Duration = Duration::from_secs(600);
/// Limit on waiting sealed questions.
const MOST_SEALS: usize = 256;

/// An unanswered request of the client.
#[derive(Clone)]
pub(super) struct PendingRequest {
    /// Its id as written by the client.
    pub(super) id: String,
    pub(super) method: String,
    /// Its route.
    pub(super) via: Via,
    /// Its `_meta`.
    pub(super) meta: Value,
    /// Sequence number.
    number: u64,
    /// The decision and the tool, once the call was allowed.
    pub(super) call: Option<(String, String)>,
    /// It waits at the gate; the server doesn't have it yet.
    at_gate: bool,
}

/// A question put in the answer to a call (2026-07-28); the client repeats the call with the person's answer.
pub(super) struct Sealed {
    pub(super) question: String,
    /// Needed because a tool and a prompt may have the same name.
    pub(super) kind: Gated,
    pub(super) tool: String,
    pub(super) arguments: String,
    /// Original parameters of the call.
    pub(super) params: String,
    until: Instant,
}

/// Whether an answer belongs to a request of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ours {
    /// It doesn't.
    No,
    /// It does and came from the side that was asked, perhaps late.
    Taken,
    /// It does but came from the other side.
    Forged,
}

/// State shared by all clients of one server.
#[derive(Default)]
pub(super) struct SharedRelay {
    inner: Mutex<InCommon>,
}

#[derive(Default)]
struct InCommon {
    sealed: HashMap<String, Sealed>,
    lists: bool,
    /// A prompt or resource request has already triggered reading the tools.
    looked: bool,
    /// Parameters that tools repeat in headers.
    repeated: HashMap<String, Vec<Repeated>>,
}

impl SharedRelay {
    fn lock(&self) -> MutexGuard<'_, InCommon> {
        // Every critical section changes one map once, so even a poisoned state is consistent.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server's tools have been read and haven't changed since.
    pub(super) fn is_listed(&self) -> bool {
        self.lock().lists
    }

    pub(super) fn list_read(&self) {
        self.lock().lists = true;
    }

    /// Whether to read the tools because of a prompt or resource request: true once, if they haven't been read.
    pub(super) fn begins_to_look(&self) -> bool {
        let mut shared = self.lock();
        !shared.lists && !std::mem::replace(&mut shared.looked, true)
    }

    /// The server says that its tools changed.
    pub(super) fn forget_list(&self) {
        self.lock().lists = false;
    }

    /// Stores a question under a random state that only this relay knows; `None` if too many wait.
    pub(super) fn seal(
        &self,
        question: &str,
        kind: Gated,
        tool: &str,
        arguments: &str,
        params: &str,
    ) -> Option<String> {
        let mut inner = self.lock();
        let now = Instant::now();
        inner.sealed.retain(|_, sealed| sealed.until > now);
        if inner.sealed.len() >= MOST_SEALS {
            return None;
        }
        let state = format!("{SEAL}{}{}", doorward_core::id::fresh(), doorward_core::id::fresh());
        let sealed = Sealed {
            question: question.to_owned(),
            kind,
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            params: params.to_owned(),
            until: now + SEAL_GOOD,
        };
        inner.sealed.insert(state.clone(), sealed);
        Some(state)
    }

    /// Takes a sealed question; each works once.
    pub(super) fn unseal(&self, state: &str) -> Option<Sealed> {
        let sealed = self.lock().sealed.remove(state)?;
        (sealed.until > Instant::now()).then_some(sealed)
    }

    /// Stores the parameters that tools repeat in headers.
    pub(super) fn learn_tools(&self, tools: &[&str]) {
        let mut inner = self.lock();
        for tool in tools {
            let Some(name) = Members::of(tool).ok().and_then(|members| members.text("name")) else {
                continue;
            };
            let repeated = headers::repeated(tool);
            if repeated.is_empty() {
                inner.repeated.remove(&name);
            } else {
                inner.repeated.insert(name, repeated);
            }
        }
    }

    /// The parameters that a tool repeats in headers.
    pub(super) fn repeated(&self, tool: &str) -> Vec<Repeated> {
        self.lock().repeated.get(tool).cloned().unwrap_or_default()
    }

    /// Takes all questions, which can't be answered any more.
    pub(super) fn take_seals(&self) -> Vec<String> {
        self.lock().sealed.drain().map(|(_, sealed)| sealed.question).collect()
    }
}

/// Open requests of one client.
#[derive(Default)]
pub(super) struct State {
    inner: Mutex<Inner>,
    tasks: Mutex<JoinSet<()>>,
    count: AtomicU64,
}

#[derive(Default)]
struct Inner {
    pending: HashMap<String, PendingRequest>,
    /// The gateway's own requests, to either side.
    ours: HashMap<String, (Side, oneshot::Sender<String>)>,
    /// Questions of calls that wait at the gate, by the call's id.
    asking: HashMap<String, String>,
    cancelled: Vec<String>,
    /// The client's route for messages that belong to no request.
    listening: Option<Via>,
    /// The server is gone.
    over: bool,
    elicits: bool,
    /// The client uses 2025-11-25 or older, where a server may send requests at any time.
    initialized: bool,
    prefix: String,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every critical section changes one map once, so even a poisoned state is consistent.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a task concurrently with the reading of messages.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Waits a while for the tasks, then aborts the rest.
    pub(super) async fn finish_tasks(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
            tasks.shutdown().await;
        }
    }

    /// Learns the client's capabilities from its request.
    pub(super) fn learn(&self, message: &Message<'_>) {
        let Ok(Some(params)) = message.params() else { return };
        let of = |raw: Option<&RawValue>| raw.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        if message.method == "initialize" {
            let capabilities = of(params.get("capabilities")).unwrap_or_default();
            let mut inner = self.lock();
            inner.initialized = true;
            inner.elicits = elicits(&capabilities);
        }
    }

    /// Whether we can open the client's dialog by a request.
    pub(super) fn asks_by_request(&self) -> bool {
        let inner = self.lock();
        inner.initialized && inner.elicits
    }

    /// Opens a request; `false` if one with this id is open.
    pub(super) fn open(&self, message: &Message<'_>, via: &Via) -> bool {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let key = key_of(message.id);
        let mut inner = self.lock();
        if inner.pending.contains_key(&key) {
            return false;
        }
        let params = message.params().ok().flatten();
        let meta = params.and_then(|params| serde_json::from_str(params.get("_meta")?.get()).ok());
        let pending = PendingRequest {
            id: message.id.to_owned(),
            method: message.method.clone(),
            via: Arc::clone(via),
            meta: meta.unwrap_or_default(),
            number,
            call: None,
            at_gate: Gated::of(&message.method).is_some(),
        };
        inner.pending.insert(key, pending);
        true
    }

    /// Whether a request with this id waits for the server.
    pub(super) fn awaits(&self, id: &str) -> bool {
        self.lock().pending.get(&key_of(id)).is_some_and(|pending| !pending.at_gate)
    }

    /// The route of the request with this progress token or subscription, else of the newest request.
    pub(super) fn route_of(&self, token: Option<&str>, subscription: Option<&str>) -> Option<Via> {
        let token: Option<Value> = token.and_then(|token| serde_json::from_str(token).ok());
        let inner = self.lock();
        let told = inner
            .pending
            .values()
            .find(|pending| token.is_some() && pending.meta.get("progressToken") == token.as_ref());
        // A message that names no request most likely belongs to a running call.
        let newest =
            || inner.pending.values().max_by_key(|pending| (pending.method == "tools/call", pending.number));
        let subscribed = subscription.and_then(|id| inner.pending.get(&key_of(id)));
        told.or(subscribed)
            .or_else(newest)
            .map(|pending| Arc::clone(&pending.via))
            .or_else(|| inner.listening.clone())
    }

    /// Whether the request with this id came on this route.
    pub(super) fn came_on(&self, via: &Via, id: &str) -> bool {
        let inner = self.lock();
        let own = inner.pending.get(&key_of(id));
        own.is_some_and(|pending| std::ptr::addr_eq(Arc::as_ptr(&pending.via), Arc::as_ptr(via)))
    }

    /// Whether the server owes an answer.
    pub(super) fn has_sent(&self) -> bool {
        self.lock().pending.values().any(|pending| !pending.at_gate)
    }

    /// Whether no request is open.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().pending.is_empty()
    }

    /// Whether a request with this id is open.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.lock().pending.contains_key(&key_of(id))
    }

    /// Whether an id belongs to a waiting request of ours.
    pub(super) fn is_ours(&self, id: &str) -> bool {
        serde_json::from_str::<String>(id).is_ok_and(|id| self.lock().ours.contains_key(&id))
    }

    pub(super) fn server_gone(&self) {
        self.lock().over = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().over
    }

    pub(super) fn listen(&self, via: Option<Via>) {
        self.lock().listening = via;
    }

    /// A call was allowed, and the server must answer it from now on. `false` if it was cancelled.
    pub(super) fn let_pass(&self, id: &str, decision: &str, tool: &str) -> bool {
        let id = key_of(id);
        let mut inner = self.lock();
        if let Some(at) = inner.cancelled.iter().position(|own| *own == id) {
            inner.cancelled.swap_remove(at);
            inner.pending.remove(&id);
            return false;
        }
        let Some(pending) = inner.pending.get_mut(&id) else { return false };
        pending.call = Some((decision.to_owned(), tool.to_owned()));
        pending.at_gate = false;
        true
    }

    /// Takes a request that the server has answered.
    pub(super) fn take(&self, id: &str) -> Option<PendingRequest> {
        let id = key_of(id);
        let mut inner = self.lock();
        inner.pending.get(&id).filter(|pending| !pending.at_gate)?;
        inner.pending.remove(&id)
    }

    /// Takes a request that we answer ourselves. `false` if it was cancelled and needs no answer.
    pub(super) fn settle(&self, id: &str) -> bool {
        let id = key_of(id);
        let mut inner = self.lock();
        inner.pending.remove(&id);
        match inner.cancelled.iter().position(|own| *own == id) {
            Some(at) => {
                inner.cancelled.swap_remove(at);
                false
            }
            None => true,
        }
    }

    /// Takes the request that waits for the server, if there is exactly one.
    pub(super) fn take_only(&self) -> Option<PendingRequest> {
        let mut inner = self.lock();
        let mut waiting = inner.pending.iter().filter(|(_, pending)| !pending.at_gate);
        let id = waiting.next()?.0.clone();
        if waiting.next().is_some() {
            return None;
        }
        inner.pending.remove(&id)
    }

    /// Takes all unanswered requests.
    pub(super) fn take_pending(&self) -> Vec<PendingRequest> {
        self.lock().pending.drain().map(|(_, pending)| pending).collect()
    }

    /// Notes the question of a call at the gate.
    pub(super) fn asks(&self, id: &str, question: &str) {
        let id = key_of(id);
        self.lock().asking.insert(id, question.to_owned());
    }

    /// The call of this id no longer waits for a person.
    pub(super) fn asked(&self, id: &str) {
        let id = key_of(id);
        self.lock().asking.remove(&id);
    }

    pub(super) fn is_cancelled(&self, id: &str) -> bool {
        let id = key_of(id);
        self.lock().cancelled.contains(&id)
    }

    /// Cancels a call that waits at the gate; `false` if there is none with this id.
    pub(super) async fn cancel(&self, id: &str, keeper: &dyn Keeper) -> bool {
        let id = key_of(id);
        let question = {
            let mut inner = self.lock();
            if !inner.pending.get(&id).is_some_and(|pending| pending.at_gate) {
                return false;
            }
            let question = inner.asking.remove(&id);
            inner.cancelled.push(id);
            question
        };
        if let Some(question) = question {
            keeper.withdrawn(&question).await;
        }
        true
    }

    /// Withdraws all questions, because no answer is needed any more.
    pub(super) async fn stop_questions(&self, keeper: &dyn Keeper) {
        let (questions, waiting): (Vec<String>, Vec<String>) = {
            let mut inner = self.lock();
            // Dropping the senders ends every wait for an answer.
            inner.ours.clear();
            let waiting =
                inner.pending.iter().filter(|(_, one)| one.at_gate).map(|(id, _)| id.clone()).collect();
            (inner.asking.drain().map(|(_, question)| question).collect(), waiting)
        };
        self.lock().cancelled.extend(waiting);
        for question in questions {
            keeper.withdrawn(&question).await;
        }
    }

    /// Makes a unique, unguessable id for a request of ours to one side, and a receiver for its answer.
    pub(super) fn ask_ours(&self, of: Side) -> (String, oneshot::Receiver<String>) {
        let (to, from) = oneshot::channel();
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let mut inner = self.lock();
        if inner.prefix.is_empty() {
            inner.prefix = format!("dw-{}", doorward_core::id::fresh());
        }
        let id = format!("{}-{number}-{}", inner.prefix, doorward_core::id::fresh());
        inner.ours.insert(id.clone(), (of, to));
        (id, from)
    }

    /// Its answer is no longer needed.
    pub(super) fn drop_ours(&self, id: &str) {
        self.lock().ours.remove(id);
    }

    /// Delivers an answer to a request of ours. A late answer counts as ours too; an answer from the side that
    /// wasn't asked leaves the question open.
    pub(super) fn answer_ours(&self, by: Side, id: &str, text: &str) -> Ours {
        let Ok(id) = serde_json::from_str::<String>(id) else { return Ours::No };
        let mut inner = self.lock();
        if inner.prefix.is_empty() || !id.starts_with(inner.prefix.as_str()) {
            return Ours::No;
        }
        if inner.ours.get(&id).is_some_and(|(asked, _)| *asked != by) {
            return Ours::Forged;
        }
        if let Some((_, to)) = inner.ours.remove(&id) {
            let _ = to.send(text.to_owned());
        }
        Ours::Taken
    }
}

/// Prefix of our states, which tells them from a server's.
pub(super) const SEAL: &str = "doorward-1-";

/// An id as its value: readers treat `1e1` and `10` as the same number, and those that use floating point can't
/// tell some large integers apart.
pub(super) fn key_of(id: &str) -> String {
    match serde_json::from_str::<Value>(id) {
        Ok(Value::Number(number)) => match number.as_f64() {
            Some(value) => format!("{:?}", if value == 0.0 { 0.0 } else { value }),
            None => number.to_string(),
        },
        Ok(other) => other.to_string(),
        Err(_) => id.to_owned(),
    }
}

/// Whether the capabilities include elicitation in form mode.
pub(super) fn elicits(capabilities: &Value) -> bool {
    match capabilities.get("elicitation") {
        // Without modes it means the form, the only kind in older revisions.
        Some(Value::Object(modes)) => modes.is_empty() || modes.contains_key("form"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_answers_for_the_side_that_was_asked() {
        let state = State::default();
        let (first, _) = state.ask_ours(Side::Server);
        let (question, mut answer) = state.ask_ours(Side::Client);
        let quoted = |id: &str| Value::from(id).to_string();
        assert_eq!(state.answer_ours(Side::Server, &quoted(&question), "forged"), Ours::Forged);
        assert!(answer.try_recv().is_err(), "the question is still open");
        // The next question's number is predictable; the rest of its id must not be.
        let (prefix, _) = first.rsplit_once('-').unwrap();
        assert!(!question.starts_with(prefix), "{first} {question}");
        assert_eq!(state.answer_ours(Side::Client, &quoted(&question), "own"), Ours::Taken);
        assert_eq!(answer.try_recv().unwrap(), "own");
        assert_eq!(state.answer_ours(Side::Client, &quoted(&question), "late"), Ours::Taken);
        assert_eq!(state.answer_ours(Side::Client, "7", "another's"), Ours::No);
    }
}
