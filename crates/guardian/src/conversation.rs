//! The common part of one conversation's prompts: its earlier actions, which are only appended to.
//!
//! Providers cache by prefix, so unchanged text costs a fraction. An entry is therefore rendered once and repeated
//! unchanged, under a fixed number and in fences with one nonce. If there are too many, the oldest are dropped all at
//! once, down to the window; between two such cuts each prompt extends the one before. This is a copy of the
//! session's history; if they differ, the session counts and the text starts over.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::BuildHasher as _;
use std::sync::{Mutex, PoisonError};

use doorward_core::effect::Inspected;
use doorward_core::id::SessionId;
use doorward_core::session::PastCall;

use crate::fence::{self, Budgets, Fence, NoRandomness, tokens};

/// Most conversations kept. Forgetting one costs a cache miss, nothing else.
const MOST: usize = 1024;

/// The conversations of one reviewer.
#[derive(Debug, Default)]
pub struct Conversations {
    known: Mutex<HashMap<SessionId, Known>>,
    hasher: RandomState,
}

/// A conversation's earlier actions in the form of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// The fence around all text that stays the same between prompts.
    pub(crate) fence: Fence,
    /// Number of actions before the first one shown.
    pub(crate) left_out: u64,
    /// The text inside the fences, oldest first.
    pub(crate) entries: Vec<String>,
}

impl Past {
    /// Keeps the newest `window` actions. If that drops older ones, the prompt no longer begins like the previous
    /// one, and providers can't use their cache for it.
    #[must_use]
    pub fn newest(mut self, window: usize) -> Self {
        let over = self.entries.len().saturating_sub(window);
        self.entries.drain(..over);
        self.left_out = self.left_out.saturating_add(u64::try_from(over).unwrap_or(u64::MAX));
        self
    }
}

#[derive(Debug)]
struct Known {
    fence: Fence,
    /// Number of the first entry, counted from 0 at the session's start.
    first: u64,
    entries: VecDeque<Entry>,
    /// Tools used so far, for the text about them.
    tools: BTreeSet<String>,
}

#[derive(Debug)]
struct Entry {
    /// Changes if the session's history no longer matches.
    mark: u64,
    body: String,
    cost: usize,
}

impl Conversations {
    /// The actions before this one: at least `window` of them if the session has that many and the budget allows; at
    /// most twice as many.
    pub fn past(&self, inspected: &Inspected, window: usize, budgets: Budgets) -> Result<Past, NoRandomness> {
        self.with(inspected, |known| {
            self.follow(known, inspected, window, budgets);
            // A nonce that occurs in the fenced text is no longer secret.
            while known.entries.iter().any(|entry| entry.body.contains(known.fence.nonce())) {
                known.fence = Fence::random()?;
            }
            Ok(Past {
                fence: known.fence.clone(),
                left_out: known.first,
                entries: known.entries.iter().map(|entry| entry.body.clone()).collect(),
            })
        })
    }

    /// The tools used in this conversation so far, including this call's. None is ever removed, so that the text
    /// about them doesn't move.
    pub fn tools(&self, inspected: &Inspected) -> Result<BTreeSet<String>, NoRandomness> {
        self.with(inspected, |known| {
            let recent = inspected.session.recent.iter().map(|past| past.tool.as_str());
            for tool in recent.chain([inspected.call.tool.as_str()]) {
                if known.tools.len() < MOST_TOOLS && !known.tools.contains(tool) {
                    known.tools.insert(tool.to_owned());
                }
            }
            Ok(known.tools.clone())
        })
    }

    fn with<T>(
        &self,
        inspected: &Inspected,
        work: impl FnOnce(&mut Known) -> Result<T, NoRandomness>,
    ) -> Result<T, NoRandomness> {
        let session = &inspected.call.session;
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST && !all.contains_key(session) {
            all.clear();
        }
        let known = match all.entry(session.clone()) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => place.insert(Known {
                fence: Fence::random()?,
                first: 0,
                entries: VecDeque::new(),
                tools: BTreeSet::new(),
            }),
        };
        work(known)
    }

    /// Adds the session's latest actions.
    fn follow(&self, known: &mut Known, inspected: &Inspected, window: usize, budgets: Budgets) {
        let window = window.max(1);
        let session = &inspected.session;
        let recent = &session.recent;
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        // Denied calls had no effect and aren't among the latest actions.
        let end = session.calls.saturating_sub(session.denials).max(count(recent.len()));
        let begin = end - count(recent.len());
        let known_end = known.first + count(known.entries.len());
        let marks: Vec<u64> = recent.iter().map(|past| self.hasher.hash_one(told(past))).collect();
        let mark_of = |number: u64| {
            usize::try_from(number.checked_sub(begin)?).ok().and_then(|at| marks.get(at)).copied()
        };
        let goes_on = !known.entries.is_empty()
            && (begin..=end).contains(&known_end)
            && known
                .entries
                .iter()
                .zip(known.first..)
                .all(|(entry, number)| number < begin || mark_of(number) == Some(entry.mark));
        if !goes_on {
            known.entries.clear();
            known.first = end - count(recent.len().min(window));
        }
        let fresh = known.first + count(known.entries.len()) - begin;
        for (past, mark) in recent.iter().zip(&marks).skip(usize::try_from(fresh).unwrap_or(usize::MAX)) {
            let text = doorward_secrets::redact_text(&told(past));
            let cost = tokens(&text).min(budgets.evidence_entry);
            let (body, _) = fence::body(&text, budgets.evidence_entry);
            known.entries.push_back(Entry { mark: *mark, body, cost });
        }
        let cost = |entries: &VecDeque<Entry>| entries.iter().map(|entry| entry.cost).sum::<usize>();
        // Space of one entry is reserved for the list of files.
        let room = budgets.evidence.saturating_sub(budgets.evidence_entry);
        if known.entries.len() >= window.saturating_mul(2) || cost(&known.entries) > room {
            // Half of the budget is left to grow into; the newest action is always shown.
            while known.entries.len() > window
                || (known.entries.len() > 1 && cost(&known.entries) > budgets.evidence / 2)
            {
                known.entries.pop_front();
                known.first += 1;
            }
        }
    }
}

/// Most tools tracked per conversation.
const MOST_TOOLS: usize = 256;

fn told(past: &PastCall) -> String {
    format!("{} {}\nsettled: {}, risk {}", past.tool, past.args, past.verdict, past.risk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inspected;

    /// A session after this many calls, with the last twenty, as in the session book.
    fn after(calls: u64, length: usize) -> Inspected {
        let mut now = inspected("shell:execute", "{}");
        now.session_mut().calls = calls;
        let first = calls.saturating_sub(20);
        now.session_mut().recent = (first..calls)
            .map(|at| PastCall {
                tool: "shell:execute".into(),
                args: format!("call {at} {}", "x".repeat(length)),
                verdict: "ALLOW".into(),
                ..PastCall::default()
            })
            .collect();
        now
    }

    #[test]
    fn earlier_actions_grow_at_their_end_and_the_oldest_go_all_at_once() {
        let conversations = Conversations::default();
        let mut before: Option<Past> = None;
        let mut cuts = 0;
        for calls in 0..200 {
            let now = conversations.past(&after(calls, 10), 20, Budgets::default()).unwrap();
            assert_eq!(now.left_out + now.entries.len() as u64, calls);
            let shown = usize::try_from(calls).unwrap();
            assert!(now.entries.len() >= shown.min(20) && now.entries.len() < 40, "{}", now.entries.len());
            if let Some(before) = before {
                assert_eq!(now.fence, before.fence);
                if now.left_out == before.left_out {
                    assert_eq!(now.entries[..before.entries.len()], before.entries);
                } else {
                    cuts += 1;
                }
            }
            before = Some(now);
        }
        assert_eq!(cuts, 8, "one cut in twenty calls");
    }

    #[test]
    fn the_newest_are_shown_where_the_budget_holds_only_some() {
        let conversations = Conversations::default();
        for calls in 1..60 {
            let past = conversations.past(&after(calls, 50_000), 20, Budgets::default()).unwrap();
            let newest = past.entries.last().unwrap();
            assert!(newest.contains(&format!("call {} ", calls - 1)), "{calls}");
            assert!(newest.contains("<truncated omitted_approx_tokens="));
            assert!((1..=10).contains(&past.entries.len()), "{}", past.entries.len());
        }
    }

    #[test]
    fn what_the_session_tells_counts_where_memory_and_session_differ() {
        let conversations = Conversations::default();
        let past = |calls, change: &dyn Fn(&mut Inspected)| {
            let mut now = after(calls, 1);
            change(&mut now);
            conversations.past(&now, 20, Budgets::default()).unwrap()
        };
        assert_eq!(past(30, &|_| ()).left_out, 10);
        assert_eq!(past(35, &|_| ()).entries.len(), 25);
        // Restarted under the same name.
        assert_eq!((past(3, &|_| ()).left_out, past(3, &|_| ()).entries.len()), (0, 3));
        // Pauses longer than the session's history.
        assert_eq!((past(90, &|_| ()).left_out, past(90, &|_| ()).entries.len()), (70, 20));
        // A different history with the same numbers.
        let other = past(91, &|now| now.session_mut().recent[5].args = "other".into());
        assert!(other.entries.len() == 20 && other.entries.iter().any(|entry| entry.contains("other")));
        // Denied calls are counted but not among the latest.
        let denied = past(94, &|now| {
            now.session_mut().denials = 3;
            now.session_mut().recent = after(91, 1).session.recent.clone();
        });
        assert_eq!(denied.left_out + 20, 91);
        // Another session shows nothing of this one.
        let apart = past(2, &|now| now.call.session = "another".into());
        assert_eq!(apart.entries.len(), 2);
    }

    #[test]
    fn a_secret_in_an_earlier_action_is_masked_and_a_nonce_that_is_told_is_replaced() {
        let conversations = Conversations::default();
        let key = format!("AKIA{}", "QYLPMN5HHHFPZAM2");
        let mut now = after(2, 1);
        now.session_mut().recent[1].args = format!("export AWS_ACCESS_KEY_ID={key}");
        let past = conversations.past(&now, 20, Budgets::default()).unwrap();
        assert!(!past.entries.concat().contains(&key), "{past:?}");
        now.session_mut().calls = 3;
        now.session_mut().recent.push(PastCall { args: past.fence.nonce().into(), ..PastCall::default() });
        let next = conversations.past(&now, 20, Budgets::default()).unwrap();
        assert_ne!(next.fence, past.fence);
        assert_eq!(conversations.tools(&now).unwrap().len(), 2);
    }
}
