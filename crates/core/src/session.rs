//! The read view of a session: what policy sees as context, the guardian as history, flow rules as memory.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, SessionId};

/// State of a session before the call in question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionView {
    /// Claimed id plus client process.
    pub id: SessionId,
    /// Turn, counted from 1.
    pub turn: u64,
    /// Calls so far.
    pub calls: u64,
    /// Denials so far.
    pub denials: u64,
    /// Minutes since it began.
    pub minutes: u64,
    /// When it began, where that is known.
    #[serde(skip)]
    pub began: Option<Timestamp>,
    /// Marks set by earlier calls (`secret_read`, `env_dump`, `untrusted_content`, …). No event clears one.
    pub taints: BTreeSet<String>,
    /// Files written in this session: canonical path → what is known of the content.
    pub written: BTreeMap<String, WrittenFile>,
    /// Files that earlier calls read which hold secrets.
    pub secrets_read: BTreeSet<String>,
    /// The turn in which each secret was first read: files of `secrets_read`, and the environment. For sentences only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub secret_turns: BTreeMap<String, u64>,
    /// Git remotes added in this session.
    pub remotes_added: BTreeSet<String>,
    /// The last calls, oldest first, redacted: at most 20.
    pub recent: Vec<PastCall>,
    /// Values of declared counters.
    pub counters: BTreeMap<String, i64>,
    /// Flows that the call in question completes: rules of `docs/flows.md`, by their names.
    pub flows: BTreeSet<String>,
    /// The staged intent score with the call in question.
    pub intent: i64,
    /// The workflow's marks, over all its agents.
    pub workflow_taints: BTreeSet<String>,
    /// Agents of the workflow.
    pub workflow_agents: u64,
}

impl SessionView {
    /// `sha256:` over the facts that rules read of a session: what a record names instead of a copy.
    ///
    /// # Errors
    /// [`JsonError`](crate::json::JsonError) for facts without a canonical text.
    pub fn digest(&self) -> Result<Digest, crate::json::JsonError> {
        let facts = (
            (&self.id, self.turn, self.calls, self.denials),
            (&self.taints, &self.secrets_read, &self.remotes_added),
            (&self.counters, &self.workflow_taints, self.workflow_agents),
            (&self.flows, self.intent),
            self.written.iter().map(|(path, file)| (path, &file.digest)).collect::<Vec<_>>(),
        );
        crate::json::canonical_of(&facts).map(|text| crate::id::Digest::of(text.as_bytes()))
    }
}

/// A file written earlier in the session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WrittenFile {
    /// Content where it is known and at most 64 KiB. Shared: every look at a session has it.
    #[schemars(with = "Option<String>")]
    pub content: Option<std::sync::Arc<str>>,
    /// Digest of the content where it is known.
    pub digest: Option<Digest>,
    /// Came from the network.
    pub downloaded: bool,
    /// This session made the file: nothing was there before. What was only changed isn't the session's own work.
    pub created: bool,
    /// Version control had the file as it was before the session changed it.
    pub from_clean: bool,
    /// It is something of the user's that was moved here, whatever the name says.
    pub moved: bool,
}

/// An earlier call, as the guardian sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PastCall {
    /// Canonical tool.
    pub tool: String,
    /// Arguments as canonical JSON, at most 16 KiB of it; what is left out is said in the text.
    pub args: String,
    /// What was settled.
    pub verdict: String,
    /// The risk it had.
    pub risk: crate::risk::SecurityRisk,
}
