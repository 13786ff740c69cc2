//! The content stored beside a decision's record: the facts that a policy engine reads, then the whole inspected call
//! with its secrets redacted. The record holds its digest, so verification detects any change.
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

/// The content that the ledger stores beside a decision's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeptCall {
    /// The facts of the call that a policy engine reads.
    pub facts: CallFacts,
    /// The inspected call, redacted.
    pub inspected: Inspected,
}

impl KeptCall {
    /// From a redacted call and the session it was judged in; `redacted` itself holds only the session's digest.
    #[must_use]
    pub fn new(redacted: Inspected, session: &SessionView) -> Self {
        Self { facts: CallFacts::of(&redacted, session), inspected: redacted }
    }

    /// The bytes that are stored and hashed.
    ///
    /// # Errors
    /// [`JsonError`] if the call has no canonical text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, JsonError> {
        let mut facts = json::to_value(&self.facts)?;
        if let Value::Object(members) = &mut facts {
            // Keep empty values in the caller's context, the counters and a declared sandbox: there, an empty list of
            // hosts differs from a missing one.
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

    /// Reads the inspected call from stored content; numbers in its arguments keep every digit. Also reads content of
    /// earlier versions, which held the inspected call alone.
    ///
    /// # Errors
    /// If the bytes are in neither format.
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

/// The facts of a call that a policy engine reads, besides those in the decision record: principal, action, tool,
/// arguments, risk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallFacts {
    /// Effects of the call.
    #[serde(default)]
    pub effects: EffectFacts,
    /// Codes of the findings.
    #[serde(default)]
    pub findings: BTreeSet<String>,
    /// The sandbox it would run in.
    #[serde(default)]
    pub sandbox: SandboxFacts,
    /// The session before the call.
    #[serde(default)]
    pub session: SessionFacts,
    /// The workflow before the call.
    #[serde(default)]
    pub workflow: WorkflowFacts,
    /// The declared counters that could be read.
    #[serde(default)]
    pub count: BTreeMap<String, i64>,
    /// Doorward's clock.
    #[schemars(with = "String")]
    pub now: Timestamp,
    /// The caller's address, as claimed.
    #[serde(default)]
    pub ip: Option<String>,
    /// The rest of the caller's context.
    #[serde(default)]
    pub request: Object,
}

impl CallFacts {
    /// The facts of an inspected call in this session.
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

    /// Reads only the facts of stored content and skips the rest.
    ///
    /// # Errors
    /// If the bytes don't begin with facts.
    pub fn read(kept: &[u8]) -> Result<Self, serde_json::Error> {
        let rest = kept.strip_prefix(FACTS).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
        values
            .next()
            .unwrap_or_else(|| Err(serde::de::Error::custom("the kept bytes don't begin with facts")))
    }
}

/// Removes members with default values, which the reader fills in.
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

/// Prefix of the canonical text of a [`KeptCall`].
const FACTS: &[u8] = b"{\"facts\":";

/// A session as policies read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionFacts {
    /// Session id.
    pub id: SessionId,
    /// Turn number, from 1.
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
    /// The staged intent score, including this call.
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
    /// Workflow id.
    pub id: String,
    /// Number of agents.
    pub agents: i64,
    /// Marks left by the calls of all its agents.
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
            r#"{"facts":{"effects":{"reads":["/w/a"]},"findings":["code.x"],"now":"2026-11-21T12:00:00Z","#,
            r#""sandbox":{},"#,
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
