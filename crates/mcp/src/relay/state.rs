//! What a relay remembers: requests under way, questions that wait, what the client can do.

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

/// How long tasks may take to end once a side is gone.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// How long a sealed question waits for its answer.
pub(super) const SEAL_GOOD: Duration = Duration::from_secs(600);
/// Sealed questions that wait at most.
const MOST_SEALS: usize = 256;

/// A request of the client's that wasn't answered yet.
#[derive(Clone)]
pub(super) struct Pending {
    /// Its id as the client wrote it.
    pub(super) id: String,
    pub(super) method: String,
    /// Where it came from.
    pub(super) via: Via,
    /// What it says beside its parameters.
    pub(super) meta: Value,
    /// How many came before it.
    number: u64,
    /// The decision and the tool, once a call was let pass.
    pub(super) call: Option<(String, String)>,
    /// It waits at the gate and isn't the server's to answer.
    at_gate: bool,
}

/// A question put in the answer to a call (2026-07-28), which comes again with what the person said.
pub(super) struct Sealed {
    pub(super) question: String,
    /// A tool and a prompt may have one name.
    pub(super) kind: Gated,
    pub(super) tool: String,
    pub(super) arguments: String,
    /// Parameters of the call as it first came.
    pub(super) params: String,
    until: Instant,
}

/// Whose answer one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ours {
    /// Not to a request of ours.
    No,
    /// To one of ours, by the side that was asked, or late.
    Taken,
    /// To one of ours, by the side that wasn't asked.
    Forged,
}

/// What all clients of one server have in common.
#[derive(Default)]
pub(super) struct Shared {
    inner: Mutex<InCommon>,
}

#[derive(Default)]
struct InCommon {
    sealed: HashMap<String, Sealed>,
    lists: bool,
    /// Somebody tried to read them because a prompt or a resource was asked for.
    looked: bool,
    /// Parameters that tools repeat in headers.
    repeated: HashMap<String, Vec<Repeated>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, InCommon> {
        // Every critical section is one change of one map, so a poisoned one is still whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server's tools were read and said to be as they were.
    pub(super) fn is_listed(&self) -> bool {
        self.lock().lists
    }

    pub(super) fn list_read(&self) {
        self.lock().lists = true;
    }

    /// Whether its tools are to be read because a prompt or a resource is: where nobody read or tried to read them.
    pub(super) fn begins_to_look(&self) -> bool {
        let mut shared = self.lock();
        !shared.lists && !std::mem::replace(&mut shared.looked, true)
    }

    /// The server says that its tools changed.
    pub(super) fn forget_list(&self) {
        self.lock().lists = false;
    }

    /// Seals a question into a state that only this relay knows; `None` where too many wait.
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

    /// Opens a seal, once.
    pub(super) fn unseal(&self, state: &str) -> Option<Sealed> {
        let sealed = self.lock().sealed.remove(state)?;
        (sealed.until > Instant::now()).then_some(sealed)
    }

    /// What tools ask to be repeated in headers.
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

    /// What a tool asks to be repeated in headers.
    pub(super) fn repeated(&self, tool: &str) -> Vec<Repeated> {
        self.lock().repeated.get(tool).cloned().unwrap_or_default()
    }

    /// Questions that nobody will answer any longer.
    pub(super) fn take_seals(&self) -> Vec<String> {
        self.lock().sealed.drain().map(|(_, sealed)| sealed.question).collect()
    }
}

/// What one client has under way.
#[derive(Default)]
pub(super) struct State {
    inner: Mutex<Inner>,
    tasks: Mutex<JoinSet<()>>,
    count: AtomicU64,
}

#[derive(Default)]
struct Inner {
    pending: HashMap<String, Pending>,
    /// Requests of our own, to either side.
    ours: HashMap<String, (Side, oneshot::Sender<String>)>,
    /// Questions of calls at the gate, by the call's id.
    asking: HashMap<String, String>,
    cancelled: Vec<String>,
    /// Where the client listens for what belongs to no request.
    listening: Option<Via>,
    /// The server is gone.
    over: bool,
    elicits: bool,
    /// The client speaks 2025-11-25 or older, where a server may send requests of its own at any time.
    initialized: bool,
    prefix: String,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every critical section is one change of one map, so a poisoned one is still whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs beside the reading of messages.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Waits a while for the tasks, and ends those that don't.
    pub(super) async fn finish_tasks(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
            tasks.shutdown().await;
        }
    }

    /// What the client's request says about the client.
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

    /// Whether the client's own dialog can be shown by a request of ours.
    pub(super) fn asks_by_request(&self) -> bool {
        let inner = self.lock();
        inner.initialized && inner.elicits
    }

    /// A request begins; `false` where one of this id is under way.
    pub(super) fn open(&self, message: &Message<'_>, via: &Via) -> bool {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let key = key_of(message.id);
        let mut inner = self.lock();
        if inner.pending.contains_key(&key) {
            return false;
        }
        let params = message.params().ok().flatten();
        let meta = params.and_then(|params| serde_json::from_str(params.get("_meta")?.get()).ok());
        let pending = Pending {
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

    /// Whether a request of this id waits for the server.
    pub(super) fn awaits(&self, id: &str) -> bool {
        self.lock().pending.get(&key_of(id)).is_some_and(|pending| !pending.at_gate)
    }

    /// The route of the request with this token of progress or this subscription, else of the newest request.
    pub(super) fn route_of(&self, token: Option<&str>, subscription: Option<&str>) -> Option<Via> {
        let token: Option<Value> = token.and_then(|token| serde_json::from_str(token).ok());
        let inner = self.lock();
        let told = inner
            .pending
            .values()
            .find(|pending| token.is_some() && pending.meta.get("progressToken") == token.as_ref());
        // What names no request comes from a call that runs more often than from anything else.
        let newest =
            || inner.pending.values().max_by_key(|pending| (pending.method == "tools/call", pending.number));
        let subscribed = subscription.and_then(|id| inner.pending.get(&key_of(id)));
        told.or(subscribed)
            .or_else(newest)
            .map(|pending| Arc::clone(&pending.via))
            .or_else(|| inner.listening.clone())
    }

    /// Whether the request of this id came on this route.
    pub(super) fn came_on(&self, via: &Via, id: &str) -> bool {
        let inner = self.lock();
        let own = inner.pending.get(&key_of(id));
        own.is_some_and(|pending| std::ptr::addr_eq(Arc::as_ptr(&pending.via), Arc::as_ptr(via)))
    }

    /// Whether the server owes an answer.
    pub(super) fn has_sent(&self) -> bool {
        self.lock().pending.values().any(|pending| !pending.at_gate)
    }

    /// Whether no request is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.lock().pending.is_empty()
    }

    /// Whether a request of this id is under way.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.lock().pending.contains_key(&key_of(id))
    }

    /// Whether an id is of a request of our own that waits.
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

    /// A call was let pass and is the server's to answer from now on. `false` where it was cancelled.
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

    /// A request that the server answers.
    pub(super) fn take(&self, id: &str) -> Option<Pending> {
        let id = key_of(id);
        let mut inner = self.lock();
        inner.pending.get(&id).filter(|pending| !pending.at_gate)?;
        inner.pending.remove(&id)
    }

    /// A request that we answer ourselves. `false` where it was cancelled, so that nobody waits for the answer.
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

    /// The request that waits for the server, where there is exactly one.
    pub(super) fn take_only(&self) -> Option<Pending> {
        let mut inner = self.lock();
        let mut waiting = inner.pending.iter().filter(|(_, pending)| !pending.at_gate);
        let id = waiting.next()?.0.clone();
        if waiting.next().is_some() {
            return None;
        }
        inner.pending.remove(&id)
    }

    /// Everything that was never answered.
    pub(super) fn take_pending(&self) -> Vec<Pending> {
        self.lock().pending.drain().map(|(_, pending)| pending).collect()
    }

    /// The question of a call at the gate.
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

    /// Cancels a call that waits at the gate; `false` where none of this id does.
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

    /// Withdraws every question, because nobody waits any longer.
    pub(super) async fn stop_questions(&self, keeper: &dyn Keeper) {
        let (questions, waiting): (Vec<String>, Vec<String>) = {
            let mut inner = self.lock();
            // Whoever waits for an answer of ours reads its end.
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

    /// An id for a request of our own to one side that nobody else's can be and nobody can guess, and where that side's
    /// answer arrives.
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

    /// Nobody waits for it any longer.
    pub(super) fn drop_ours(&self, id: &str) {
        self.lock().ours.remove(id);
    }

    /// Delivers the answer of one side to a request of our own. A late one is one of ours too; one of the side that
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

/// What our states begin with, so that a server's are told from them.
pub(super) const SEAL: &str = "doorward-1-";

/// An id as the value that it is: `1e1` and `10` are one number to every reader, and so are two integers that a reader
/// with floating-point numbers can't tell apart.
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

/// Whether capabilities hold the client's own dialog in form mode.
pub(super) fn elicits(capabilities: &Value) -> bool {
    match capabilities.get("elicitation") {
        // Without modes it is the form, as it was before there were others.
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
        // The number of the next question is no secret; the rest of its id is.
        let (prefix, _) = first.rsplit_once('-').unwrap();
        assert!(!question.starts_with(prefix), "{first} {question}");
        assert_eq!(state.answer_ours(Side::Client, &quoted(&question), "own"), Ours::Taken);
        assert_eq!(answer.try_recv().unwrap(), "own");
        assert_eq!(state.answer_ours(Side::Client, &quoted(&question), "late"), Ours::Taken);
        assert_eq!(state.answer_ours(Side::Client, "7", "another's"), Ours::No);
    }
}
