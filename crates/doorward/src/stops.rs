//! The kill switch: what a person stopped stays stopped until a person lifts it, whatever a rule or a yes says.
//!
//! Judged as a floor finding, so that a stop is recorded, explained and simulated like every other denial.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use doorward_core::call::ToolCall;
use doorward_core::finding::{Finding, Severity};
use doorward_core::risk::SecurityRisk;

/// Stops everything.
pub const ALL: &str = "all";

/// What is stopped, by scope: `all`, `session:ID`, `agent:NAME`, `server:NAME`.
#[derive(Debug, Default)]
pub struct Stops {
    scopes: Mutex<BTreeMap<String, String>>,
}

impl Stops {
    /// Stops a scope.
    pub fn stop(&self, scope: &str, by: &str) {
        self.lock().insert(scope.to_owned(), by.to_owned());
    }

    /// Lifts a stop.
    pub fn lift(&self, scope: &str) {
        self.lock().remove(scope);
    }

    /// What is stopped, with who did it.
    #[must_use]
    pub fn all(&self) -> BTreeMap<String, String> {
        self.lock().clone()
    }

    /// The finding that denies a call, if anything it belongs to is stopped.
    #[must_use]
    pub fn finding(&self, call: &ToolCall) -> Option<Finding> {
        let stopped = self.lock();
        if stopped.is_empty() {
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
            let by = stopped.get(&scope)?.clone();
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

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        // Every critical section is one map operation, so a poisoned map is still whole.
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
