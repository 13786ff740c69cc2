//! The read view of a session: context for policies, history for the guardian, memory for flow rules.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, SessionId};

/// State of a session before the judged call.
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
    /// Files written in this session: canonical path → facts about the content.
    pub written: BTreeMap<String, WrittenFile>,
    /// Files with secrets that earlier calls read.
    pub secrets_read: BTreeSet<String>,
    /// The turn in which each secret (a file of `secrets_read`, or the environment) was first read. For messages
    /// only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub secret_turns: BTreeMap<String, u64>,
    /// Git remotes added in this session.
    pub remotes_added: BTreeSet<String>,
    /// The latest calls, oldest first, redacted: at most 20.
    pub recent: Vec<PastCall>,
    /// Values of the declared counters.
    pub counters: BTreeMap<String, i64>,
    /// Flows that the judged call completes, by the rule names in `docs/flows.md`.
    pub flows: BTreeSet<String>,
    /// The staged intent score, including the judged call.
    pub intent: i64,
    /// Marks of the workflow, over all its agents.
    pub workflow_taints: BTreeSet<String>,
    /// Number of agents in the workflow.
    pub workflow_agents: u64,
}

impl SessionView {
    /// `sha256:` over the session facts that rules read. A record stores this instead of a copy.
    ///
    /// # Errors
    /// [`JsonError`](crate::json::JsonError) if the facts have no canonical text.
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
    /// Content, if known and at most 64 KiB. Shared between all views of the session.
    #[schemars(with = "Option<String>")]
    pub content: Option<std::sync::Arc<str>>,
    /// Digest of the content, if known.
    pub digest: Option<Digest>,
    /// Downloaded from the network.
    pub downloaded: bool,
    /// Created by this session: the file didn't exist before. False if it was only changed.
    pub created: bool,
    /// Version control had the file's state from before the session's first change.
    pub from_clean: bool,
    /// A file of the user's that was moved here.
    pub moved: bool,
}

/// An earlier call, as shown to the guardian.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PastCall {
    /// Canonical tool.
    pub tool: String,
    /// Arguments as canonical JSON, at most 16 KiB; the text marks omissions.
    pub args: String,
    /// The verdict.
    pub verdict: String,
    /// The risk.
    pub risk: crate::risk::SecurityRisk,
}
