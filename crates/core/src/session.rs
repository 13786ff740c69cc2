//! The read view of a session: what policy sees as context, the guardian as history, flow rules as memory.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// State of a session before the call in question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionView {
    /// Claimed id plus client process.
    pub id: String,
    /// Turn, counted from 1.
    pub turn: u64,
    /// Calls so far.
    pub calls: u64,
    /// Denials so far.
    pub denials: u64,
    /// Minutes since it began.
    pub minutes: u64,
    /// Marks set by earlier calls (`secret_read`, `env_dump`, `untrusted_content`, …). No event clears one.
    pub taints: BTreeSet<String>,
    /// Files written in this session: canonical path → what is known of the content.
    pub written: BTreeMap<String, WrittenFile>,
    /// Files that earlier calls read which hold secrets.
    pub secrets_read: BTreeSet<String>,
    /// Git remotes added in this session.
    pub remotes_added: BTreeSet<String>,
    /// The last calls, oldest first, redacted: at most 20.
    pub recent: Vec<PastCall>,
    /// Values of declared counters.
    pub counters: BTreeMap<String, i64>,
    /// The workflow's marks, over all its agents.
    pub workflow_taints: BTreeSet<String>,
    /// Agents of the workflow.
    pub workflow_agents: u64,
}

impl SessionView {
    /// The same without earlier calls and without the files they wrote.
    #[must_use]
    pub fn without_history(&self) -> Self {
        Self {
            id: self.id.clone(),
            turn: self.turn,
            calls: self.calls,
            denials: self.denials,
            minutes: self.minutes,
            taints: self.taints.clone(),
            written: BTreeMap::new(),
            secrets_read: self.secrets_read.clone(),
            remotes_added: self.remotes_added.clone(),
            recent: Vec::new(),
            counters: self.counters.clone(),
            workflow_taints: self.workflow_taints.clone(),
            workflow_agents: self.workflow_agents,
        }
    }
}

/// A file written earlier in the session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WrittenFile {
    /// Content where it is known and at most 64 KiB.
    pub content: Option<String>,
    /// Digest of the content where it is known.
    pub digest: Option<String>,
    /// Came from the network.
    pub downloaded: bool,
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
