//! What hooks of coding agents do.

use super::*;

/// Where a level-1 question of a hook is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// The client's own dialog.
    #[default]
    Client,
    /// Doorward's queue.
    Queue,
}

/// Which allowed calls are answered in place of the client's own prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relieve {
    /// Never.
    #[default]
    Off,
    /// With complete effects, LOW, inside the roots.
    Proven,
    /// Also what the user's confirmation policy or the permission mode allows.
    Policy,
}

/// How far a hook goes for shell calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShellCustody {
    /// It advises; the client runs.
    #[default]
    Advise,
    /// The call is rewritten into a ticket that Doorward runs.
    Bind,
}

/// Hooks of coding agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Where a question that a plain yes answers is asked: in the `client`'s own dialog, or in Doorward's `queue`.
    pub ask: Ask,
    /// Which prompts of the client are waived: `off`, none; `proven`, for calls that are proved to only read inside
    /// the roots; `policy`, also for calls that the confirmation policy or the permission mode allows.
    pub relieve: Relieve,
    /// Who runs shell calls: `advise`, the client; `bind`, Doorward in its sandbox.
    pub shell: ShellCustody,
    /// How long a hook waits for a person's answer to a question in Doorward's queue, in seconds. Unset: 20 while
    /// somebody has the console or the list of questions open, else 0.
    pub wait_s: Option<u64>,
}

section!(
    Hooks,
    "hooks",
    [
        key("ask", Tighten::Along(&["client", "queue"])),
        key("relieve", Tighten::Along(&["policy", "proven", "off"])),
        key("shell", Tighten::Along(&["advise", "bind"])),
        key("wait_s", Tighten::Lower),
    ]
);
