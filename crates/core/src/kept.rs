//! What is kept of a decision beside its record: the facts that a policy engine reads, then the whole call as it was
//! inspected, without its secrets. The record names it by digest, so changing a byte of it is found by verification.
//!
//! The facts come first in the canonical text, so that a replay reads them without parsing the rest.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::{EffectFacts, Inspected, SandboxFacts};
use crate::id::SessionId;
use crate::json::{self, JsonError, Object, Value};
use crate::session::SessionView;

/// What the ledger keeps of a decision beside its record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeptCall {
    /// What a policy engine reads of the call.
    pub facts: CallFacts,
    /// The call and everything that was found out about it, redacted.
    pub inspected: Inspected,
}

impl KeptCall {
    /// Of a redacted call. The session is the one it was judged in, of which `redacted` holds only a digest.
    #[must_use]
    pub fn new(redacted: Inspected, session: &SessionView) -> Self {
        Self { facts: CallFacts::of(&redacted, session), inspected: redacted }
    }

    /// The bytes that are kept and hashed.
    ///
    /// # Errors
    /// [`JsonError`] for a call that has no canonical text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, JsonError> {
        let mut facts = json::to_value(&self.facts)?;
        if let Value::Object(members) = &mut facts {
            // The caller's own context and the counters stay as they are, and so does a sandbox: no host there and no
            // list of hosts are two things.
            let whole: &[&str] = if self.facts.sandbox.declared {
                &["count", "request", "sandbox"]
            } else {
                &["count", "request"]
            };
            let ours = members.iter_mut().filter(|(name, _)| !whole.contains(&name.as_str()));
            ours.for_each(|(_, member)| leave_out_empty(member));
            members.retain(|_, member| !is_empty(member));
        }
        let inspected = json::canonical_of(&self.inspected)?;
        Ok([FACTS, facts.canonical().as_bytes(), b",\"inspected\":", inspected.as_bytes(), b"}"].concat())
    }

    /// The inspected call of what was kept, the numbers of its arguments with every digit. Also of what earlier
    /// versions kept, which was the inspected call alone.
    ///
    /// # Errors
    /// For bytes that are something else.
    pub fn read_inspected(kept: &[u8]) -> Result<Inspected, serde_json::Error> {
        let (mut inspected, args): (Inspected, &[&str]) = if kept.starts_with(FACTS) {
            let kept: Self = serde_json::from_slice(kept)?;
            (kept.inspected, &["inspected", "call", "args"])
        } else {
            (serde_json::from_slice(kept)?, &["call", "args"])
        };
        let limits = json::Limits { bytes: usize::MAX, depth: 128 };
        let exact = Value::parse_bytes(kept, limits).map_err(serde::de::Error::custom)?;
        if let Some(args) = exact.at(args).and_then(Value::as_object) {
            inspected.call.args.clone_from(args);
        }
        Ok(inspected)
    }
}

/// What a policy engine reads of a call, beside what the decision record holds: principal, action, tool, arguments,
/// risk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallFacts {
    /// What it would do.
    #[serde(default)]
    pub effects: EffectFacts,
    /// Codes of what was found.
    #[serde(default)]
    pub findings: BTreeSet<String>,
    /// Where it would run.
    #[serde(default)]
    pub sandbox: SandboxFacts,
    /// The session before it.
    #[serde(default)]
    pub session: SessionFacts,
    /// The workflow before it.
    #[serde(default)]
    pub workflow: WorkflowFacts,
    /// Declared counters that could be read.
    #[serde(default)]
    pub count: BTreeMap<String, i64>,
    /// Our clock.
    #[schemars(with = "String")]
    pub now: Timestamp,
    /// The caller's address as it claims it.
    #[serde(default)]
    pub ip: Option<String>,
    /// The caller's other context.
    #[serde(default)]
    pub request: Object,
}

impl CallFacts {
    /// Of an inspected call in this session.
    #[must_use]
    pub fn of(inspected: &Inspected, session: &SessionView) -> Self {
        let call = &inspected.call;
        let mut request = call.context.clone();
        let ip = match request.remove("ip_address") {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        request.remove("session_id");
        Self {
            effects: inspected.effects.facts(),
            findings: inspected.findings.iter().map(|finding| finding.code.to_string()).collect(),
            sandbox: inspected.sandbox.clone(),
            session: SessionFacts {
                id: call.session.clone(),
                turn: long(session.turn),
                calls: long(session.calls),
                denials: long(session.denials),
                minutes: long(session.minutes),
                taints: session.taints.clone(),
                flows: session.flows.clone(),
                intent: session.intent,
            },
            workflow: WorkflowFacts {
                id: call.workflow.clone().unwrap_or_default(),
                agents: long(session.workflow_agents),
                taints: session.workflow_taints.clone(),
            },
            count: session.counters.clone(),
            now: inspected.now,
            ip,
            request,
        }
    }

    /// Reads only the facts of what was kept; the rest isn't looked at.
    ///
    /// # Errors
    /// For bytes that don't begin with facts.
    pub fn read(kept: &[u8]) -> Result<Self, serde_json::Error> {
        let rest = kept.strip_prefix(FACTS).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
        values
            .next()
            .unwrap_or_else(|| Err(serde::de::Error::custom("the kept bytes don't begin with facts")))
    }
}

/// Takes out of an object what its reader takes for granted.
fn leave_out_empty(value: &mut Value) {
    let Value::Object(members) = value else { return };
    members.values_mut().for_each(leave_out_empty);
    members.retain(|_, member| !is_empty(member));
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(yes) => !yes,
        Value::Null => true,
        Value::Number(_) => false,
    }
}

/// How the canonical text of a [`KeptCall`] begins.
const FACTS: &[u8] = b"{\"facts\":";

/// A session as policies read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionFacts {
    /// Its id.
    pub id: SessionId,
    /// Turn, from 1.
    pub turn: i64,
    /// Calls so far.
    pub calls: i64,
    /// Denials so far.
    pub denials: i64,
    /// Minutes since it began.
    pub minutes: i64,
    /// Marks of earlier calls.
    pub taints: BTreeSet<String>,
    /// Flows that this call completes, by their rules' names.
    pub flows: BTreeSet<String>,
    /// The staged intent score with this call.
    #[serde(skip_serializing_if = "is_nothing")]
    pub intent: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_nothing(number: &i64) -> bool {
    *number == 0
}

/// A workflow as policies read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorkflowFacts {
    /// Its id.
    pub id: String,
    /// Agents in it.
    pub agents: i64,
    /// Marks of all its agents' calls.
    pub taints: BTreeSet<String>,
}

fn long(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_without_the_rest() {
        let text = concat!(
            r#"{"facts":{"effects":{"reads":["/w/a"]},"findings":["code.x"],"now":"2026-11-21T12:00:00Z","sandbox":{},"#,
            r#""session":{"calls":3,"denials":1,"id":"s","minutes":0,"taints":["secret_read"],"turn":2},"#,
            r#""workflow":{"agents":0,"id":"","taints":[]}},"inspected":this isn't even read"#
        );
        let facts = CallFacts::read(text.as_bytes()).unwrap();
        assert_eq!((facts.session.calls, facts.session.taints.len(), facts.effects.reads.len()), (3, 1, 1));
        for other in ["", "{}", r#"{"call":{}}"#, r#"{"facts":{"#, r#"{"facts":{}}"#] {
            assert!(CallFacts::read(other.as_bytes()).is_err(), "{other}");
        }
    }
}
