//! Calls that were answered, so that all events of one call belong to one decision: the event before it, the same event
//! again from a second installed hook, and the one by which a client says that it asks a person.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::decision::Decision;
use doorward_core::id::{CallId, DecisionId, Digest, SessionId};
use doorward_core::json::Value;
use doorward_hooks::emission::Emission;
use doorward_hooks::{Answer, HookCall};

/// Calls of one session that are remembered.
const MOST_CALLS: usize = 256;
/// Sessions that are remembered.
const MOST_SESSIONS: usize = 1_024;
/// How long after the hook was answered another judge in the client's process may take over its answer: longer than the
/// hooks of one turn take, each of which may wait for a person.
const TAKEN_OVER_WITHIN: Duration = Duration::from_mins(5);
/// The answer to one event, made once and waited for by whoever sends the event beside; with when it was made, in clock
/// ticks after boot. Hooks of one event start together: one that started before the answer was made gets the same.
pub(super) type Made = Arc<tokio::sync::Mutex<Option<(u64, Answer)>>>;

/// What a client was told about a call.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// The decision.
    pub(super) decision: DecisionId,
    /// What was said.
    pub(super) emission: Emission,
    /// A person is at the client's prompt, so that a dialog which it announces is seen by somebody.
    pub(super) attended: bool,
    /// Doorward was to run it: a later event about the command as it was written comes past the gate.
    pub(super) bound: bool,
    /// The decision's code, reason and policies.
    pub(super) why: Why,
    /// When.
    pub(super) at: Instant,
}

/// What a decision says about itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Why {
    pub(super) code: String,
    pub(super) reason: String,
    pub(super) policies: Vec<String>,
}

impl From<&Decision> for Why {
    fn from(decision: &Decision) -> Self {
        Self {
            code: decision.code.clone(),
            reason: decision.reason.clone(),
            policies: decision.policy.policies.clone(),
        }
    }
}

#[derive(Debug)]
struct Known {
    event: String,
    call: Option<CallId>,
    turn: Option<String>,
    /// A call of a sub-agent, whose turns aren't told.
    agent: bool,
    essence: Digest,
    /// Digest of the tool and all its arguments.
    digest: Digest,
    told: Option<Told>,
    /// Another judge in the client's process took over the answer.
    taken_over: bool,
    made: Made,
}

/// Calls by session.
#[derive(Debug, Default)]
pub(super) struct Calls {
    sessions: Mutex<HashMap<SessionId, VecDeque<Known>>>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, VecDeque<Known>>> {
        // Every change leaves the map whole.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was told about this call at an earlier event of another name.
    pub(super) fn told_before(&self, session: &SessionId, hook: &HookCall) -> Option<Told> {
        let sessions = self.lock();
        let essence = hook.essence();
        let same = |known: &&Known| {
            let ids = known.call.is_none() || hook.call.is_none() || known.call == hook.call;
            known.event != hook.event && known.essence == essence && ids
        };
        sessions.get(session)?.iter().rev().find(same)?.told.clone()
    }

    /// The place of this event's answer: the one of the same event if that is under way, or was answered after the hook
    /// process that asks now had started.
    pub(super) fn place(&self, session: &SessionId, hook: &HookCall, started: Option<u64>) -> Made {
        let mut sessions = self.lock();
        if sessions.len() >= MOST_SESSIONS && !sessions.contains_key(session) {
            sessions.clear();
        }
        let own = sessions.entry(session.to_owned()).or_default();
        let essence = hook.essence();
        let same =
            |known: &&Known| known.event == hook.event && known.call == hook.call && known.essence == essence;
        if hook.call.is_some()
            && let Some(known) = own.iter().find(same)
            && known.made.try_lock().map_or(true, |made| {
                made.as_ref().is_some_and(|(at, _)| started.is_some_and(|started| started < *at))
            })
        {
            return Arc::clone(&known.made);
        }
        while own.len() >= MOST_CALLS {
            own.pop_front();
        }
        let made = Made::default();
        own.push_back(Known {
            event: hook.event.clone(),
            call: hook.call.clone(),
            turn: hook.turn.clone(),
            agent: hook.agent.is_some(),
            essence,
            digest: whole(hook),
            told: None,
            taken_over: false,
            made: Arc::clone(&made),
        });
        made
    }

    /// Notes what was told about the call whose answer is in this place.
    pub(super) fn told(&self, session: &SessionId, place: &Made, told: Told) {
        if let Some(known) = self
            .lock()
            .get_mut(session)
            .and_then(|own| own.iter_mut().rev().find(|known| Arc::ptr_eq(&known.made, place)))
        {
            known.told = Some(told);
        }
    }

    /// What a hook was told about the identical call, for another judge in the same client process. A permit is given
    /// once: the oldest that is open and that nobody took over. Where there is none, the newest answer counts if it was
    /// a denial.
    pub(super) fn take_over(
        &self,
        session: &SessionId,
        hook: &HookCall,
        is_open: impl Fn(&DecisionId) -> bool,
    ) -> Option<(Told, bool)> {
        let mut sessions = self.lock();
        let own = sessions.get_mut(session)?;
        let digest = whole(hook);
        let recent = |told: &Told| told.at.elapsed() <= TAKEN_OVER_WITHIN && !told.bound;
        let allowed = |told: &Told| {
            matches!(told.emission, Emission::Nothing | Emission::Yes) && is_open(&told.decision)
        };
        let mut newest = None;
        for known in own.iter_mut().filter(|known| known.digest == digest) {
            newest = None;
            let Some(told) = known.told.as_ref().filter(|told| recent(told)) else { continue };
            if !known.taken_over && allowed(told) {
                known.taken_over = true;
                return Some((told.clone(), true));
            }
            newest =
                Some(told.clone()).filter(|told| matches!(told.emission, Emission::Queue | Emission::No));
        }
        newest.map(|told| (told, false))
    }

    /// Decisions of turns that are over: of this one, or of those before it. They are forgotten.
    pub(super) fn over(&self, session: &SessionId, turn: Option<&str>, over: bool) -> Vec<DecisionId> {
        let mut sessions = self.lock();
        let Some(own) = sessions.get_mut(session) else { return Vec::new() };
        let ended =
            |known: &Known| !known.agent && known.turn.is_some() && (over || known.turn.as_deref() != turn);
        let decisions = own
            .iter()
            .filter(|known| ended(known))
            .filter_map(|known| Some(known.told.as_ref()?.decision.clone()));
        let decisions = decisions.collect();
        own.retain(|known| !ended(known));
        decisions
    }

    /// Forgets a session.
    pub(super) fn forget(&self, session: &SessionId) {
        self.lock().remove(session);
    }
}

/// Digest of the tool and all its arguments.
fn whole(hook: &HookCall) -> Digest {
    let named = [
        ("args".to_owned(), Value::Object(hook.args.clone())),
        ("tool".to_owned(), Value::from(hook.tool.as_str())),
    ];
    Value::Object(named.into()).digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_core::tool::ToolName;

    fn hook(event: &str, call: Option<&str>, turn: &str, command: &str, description: &str) -> HookCall {
        let text = |text: &str| Value::from(text);
        HookCall {
            event: event.to_owned(),
            session: "s".to_owned(),
            agent: None,
            call: call.map(CallId::from),
            turn: Some(turn.to_owned()),
            tool: ToolName::new("shell:execute").unwrap(),
            args: [("command".to_owned(), text(command)), ("description".to_owned(), text(description))]
                .into(),
            raw_args: Value::Null,
            cwd: "/".to_owned(),
            mode: None,
        }
    }

    fn told(decision: &str) -> Told {
        let (why, at) = (Why::default(), Instant::now());
        Told { decision: decision.into(), emission: Emission::Nothing, attended: true, bound: false, why, at }
    }

    #[test]
    fn a_dialogs_event_belongs_to_the_call_that_came_before_it() {
        let calls = Calls::default();
        let first = hook("PreToolUse", Some("1"), "a", "make", "builds");
        let place = calls.place(&"s".into(), &first, Some(5));
        calls.told(&"s".into(), &place, told("d1"));
        let dialog = |command| hook("PermissionRequest", None, "a", command, "why it is needed");
        assert_eq!(calls.told_before(&"s".into(), &dialog("make")).unwrap().decision, "d1");
        assert!(calls.told_before(&"s".into(), &dialog("make install")).is_none(), "another command");
        assert!(calls.told_before(&"t".into(), &dialog("make")).is_none(), "another session");
        assert!(calls.told_before(&"s".into(), &first).is_none(), "an event isn't before itself");
    }

    #[test]
    fn the_same_event_twice_has_one_place() {
        let calls = Calls::default();
        let first = hook("PreToolUse", Some("1"), "a", "make", "");
        let place = calls.place(&"s".into(), &first, Some(5));
        let held = place.try_lock().unwrap();
        assert!(Arc::ptr_eq(&place, &calls.place(&"s".into(), &first, Some(5))), "under way");
        drop(held);
        *place.try_lock().unwrap() = Some((6, Answer::NoOpinion));
        assert!(Arc::ptr_eq(&place, &calls.place(&"s".into(), &first, Some(5))), "started before");
        *place.try_lock().unwrap() = Some((5, Answer::NoOpinion));
        assert!(
            !Arc::ptr_eq(&place, &calls.place(&"s".into(), &first, Some(5))),
            "started afterwards: judged again"
        );
        let unnamed = hook("PreToolUse", None, "a", "make", "");
        let place = calls.place(&"s".into(), &unnamed, Some(5));
        assert!(
            !Arc::ptr_eq(&place, &calls.place(&"s".into(), &unnamed, Some(5))),
            "without an id they can't be told apart"
        );
    }

    #[test]
    fn an_answer_is_taken_over_once_by_whoever_has_the_identical_call() {
        let calls = Calls::default();
        let session = SessionId::from("s");
        let make = |description: &str| hook("PreToolUse", None, "a", "make", description);
        let note = |hook: &HookCall, told: Told| {
            let place = calls.place(&session, hook, None);
            calls.told(&session, &place, told);
        };
        let decision =
            |found: Option<(Told, bool)>| found.map(|(told, allowed)| (told.decision.to_string(), allowed));
        let open = |_: &DecisionId| true;
        let told_as = |name: &str, emission| Told { emission, ..told(name) };

        assert!(calls.take_over(&session, &make("x"), open).is_none(), "no hook asked");
        note(&make("x"), told("d1"));
        note(&make("x"), told("d2"));
        assert!(calls.take_over(&session, &make("another argument"), open).is_none());
        assert!(calls.take_over(&"t".into(), &make("x"), open).is_none(), "another session");
        assert!(calls.take_over(&session, &make("x"), |_| false).is_none(), "it has ended");
        assert_eq!(decision(calls.take_over(&session, &make("x"), open)), Some(("d1".to_owned(), true)));
        assert_eq!(decision(calls.take_over(&session, &make("x"), open)), Some(("d2".to_owned(), true)));
        assert!(calls.take_over(&session, &make("x"), open).is_none(), "each is taken over once");

        note(&make("x"), told_as("d3", Emission::Queue));
        assert_eq!(decision(calls.take_over(&session, &make("x"), open)), Some(("d3".to_owned(), false)));
        note(&make("x"), told("d4"));
        assert_eq!(decision(calls.take_over(&session, &make("x"), open)), Some(("d4".to_owned(), true)));
        assert!(calls.take_over(&session, &make("x"), open).is_none(), "the denial was of an earlier call");

        let long_ago = Instant::now().checked_sub(TAKEN_OVER_WITHIN + Duration::from_secs(1));
        if let Some(at) = long_ago {
            note(&make("y"), Told { at, ..told("d5") });
            assert!(calls.take_over(&session, &make("y"), open).is_none(), "too long ago");
        }
        note(&make("z"), Told { bound: true, ..told("d6") });
        assert!(calls.take_over(&session, &make("z"), open).is_none(), "a bound call runs elsewhere");
    }

    #[test]
    fn a_turn_is_over_when_another_begins_or_it_says_so() {
        let calls = Calls::default();
        for (turn, decision) in [("a", "d1"), ("b", "d2")] {
            let place =
                calls.place(&"s".into(), &hook("PreToolUse", Some(decision), turn, decision, ""), None);
            calls.told(&"s".into(), &place, told(decision));
        }
        assert_eq!(calls.over(&"s".into(), Some("b"), false), ["d1"]);
        assert!(
            calls.over(&"s".into(), Some("b"), false).is_empty(),
            "a prompt typed while a turn is under way"
        );
        assert_eq!(calls.over(&"s".into(), Some("b"), true), ["d2"]);
    }
}
