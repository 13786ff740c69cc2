//! The kill switch: what a person stopped stays stopped until a person lifts it, whatever a rule or a yes says.
//!
//! Judged as a floor finding, so that a stop is recorded, explained and simulated like every other denial. A stop of
//! this process counts from the moment it is said; one that another service on the same store said, from the next
//! time the store is asked. While a shared store can't be asked, nothing that changes anything runs: it may have been
//! stopped.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use doorward_core::call::ToolCall;
use doorward_core::effect::Inspected;
use doorward_core::finding::{Finding, Severity};
use doorward_core::risk::SecurityRisk;

/// Stops everything.
pub const ALL: &str = "all";

/// What is stopped, by scope: `all`, `session:ID`, `agent:NAME`, `server:NAME`.
#[derive(Debug, Default)]
pub struct Stops {
    scopes: Mutex<Scopes>,
}

#[derive(Debug, Default)]
struct Scopes {
    /// By scope, who stopped it: as the store has it.
    stored: BTreeMap<String, String>,
    /// The same, of what the store doesn't have yet, or couldn't take.
    unstored: BTreeMap<String, String>,
    /// Changes made here, so that an answer of the store from before one of them is told from one after it.
    changes: u64,
    /// Stops of other services may exist that aren't known here.
    unknown: bool,
}

impl Stops {
    /// Stops a scope.
    pub fn stop(&self, scope: &str, by: &str) {
        let mut scopes = self.lock();
        scopes.unstored.insert(scope.to_owned(), by.to_owned());
        scopes.changes += 1;
    }

    /// The store has a stop from now on: whoever lifts it there lifts it here.
    pub(crate) fn stored(&self, scope: &str) {
        let mut scopes = self.lock();
        if let Some(by) = scopes.unstored.remove(scope) {
            scopes.stored.insert(scope.to_owned(), by);
        }
        scopes.changes += 1;
    }

    /// Lifts a stop.
    pub fn lift(&self, scope: &str) {
        let mut scopes = self.lock();
        scopes.stored.remove(scope);
        scopes.unstored.remove(scope);
        scopes.changes += 1;
    }

    /// What is stopped, with who did it.
    #[must_use]
    pub fn all(&self) -> BTreeMap<String, String> {
        let scopes = self.lock();
        let all = scopes.stored.iter().chain(&scopes.unstored);
        all.map(|(scope, by)| (scope.clone(), by.clone())).collect()
    }

    /// The number of changes made here, to be asked for before the store is.
    pub(crate) fn changes(&self) -> u64 {
        self.lock().changes
    }

    /// Takes over what the store has. `false`, and nothing happens, if a change was made here since `changes`.
    pub(crate) fn replace(&self, stored: BTreeMap<String, String>, changes: u64) -> bool {
        let mut scopes = self.lock();
        let current = scopes.changes == changes;
        if current {
            scopes.stored = stored;
        }
        current
    }

    /// Whether stops of other services may exist that aren't known here.
    pub(crate) fn set_unknown(&self, unknown: bool) {
        self.lock().unknown = unknown;
    }

    /// The finding that denies a call that would change something while it can't be known whether it was stopped.
    pub(crate) fn doubt(&self, inspected: &Inspected) -> Option<Finding> {
        let doubtful = self.lock().unknown && !inspected.effects.read_only;
        doubtful.then(|| Finding {
            code: "kill_switch.unknown".into(),
            severity: Severity::High,
            risk: Some(SecurityRisk::High),
            blocking: true,
            floor: true,
            message: "the shared store can't be reached, so it isn't known whether somebody stopped this; \
                      only what reads runs until it is back (`doorward status` shows it)"
                .to_owned(),
            span: None,
            suggestion: None,
        })
    }

    /// The finding that denies a call, if anything it belongs to is stopped.
    #[must_use]
    pub fn finding(&self, call: &ToolCall) -> Option<Finding> {
        let stopped = self.lock();
        if stopped.stored.is_empty() && stopped.unstored.is_empty() {
            return None;
        }
        let server = call.tool.mcp_parts().map(|(server, _)| format!("server:{server}"));
        let agent = call.agent.as_ref().map(|agent| format!("agent:{agent}"));
        let own = [
            Some(ALL.to_owned()),
            Some(format!("session:{}", call.session)),
            Some(format!("agent:{}", call.principal.id)),
            agent,
            server,
        ];
        let (scope, by) = own.into_iter().flatten().find_map(|scope| {
            let by = stopped.stored.get(&scope).or_else(|| stopped.unstored.get(&scope))?.clone();
            Some((scope, by))
        })?;
        Some(Finding {
            code: "kill_switch".into(),
            severity: Severity::Critical,
            risk: Some(SecurityRisk::High),
            blocking: true,
            floor: true,
            message: format!("{by} stopped {scope}; a person has to lift it"),
            span: None,
            suggestion: None,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Scopes> {
        // Every critical section leaves the maps whole.
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(scopes: &[&str]) -> BTreeMap<String, String> {
        scopes.iter().map(|scope| ((*scope).to_owned(), "ana".to_owned())).collect()
    }

    fn scopes(stops: &Stops) -> Vec<String> {
        stops.all().into_keys().collect()
    }

    #[test]
    fn an_answer_from_before_a_change_made_here_is_not_taken_over() {
        let stops = Stops::default();
        // The store was asked, then somebody said stop here, and only then the answer came.
        let asked = stops.changes();
        stops.stop(ALL, "ana");
        stops.stored(ALL);
        assert!(!stops.replace(stored(&[]), asked));
        assert_eq!(scopes(&stops), [ALL], "the stop isn't lost");
        let asked = stops.changes();
        stops.lift(ALL);
        assert!(!stops.replace(stored(&[ALL]), asked));
        assert!(scopes(&stops).is_empty(), "nor does it come back");
    }

    #[test]
    fn a_stop_that_the_store_could_not_take_holds_here_and_others_follow_the_store() {
        let stops = Stops::default();
        stops.stop("session:s", "ana");
        assert!(stops.replace(stored(&["agent:a"]), stops.changes()));
        assert_eq!(scopes(&stops), ["agent:a", "session:s"]);
        assert!(stops.replace(stored(&[]), stops.changes()), "lifted elsewhere");
        assert_eq!(scopes(&stops), ["session:s"]);
        stops.stored("session:s");
        assert!(stops.replace(stored(&[]), stops.changes()), "stored, then lifted elsewhere");
        assert!(scopes(&stops).is_empty());
    }
}
