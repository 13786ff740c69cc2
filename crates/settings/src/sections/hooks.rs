//! Settings for hooks of coding agents.

use super::*;

/// Where a hook's level-1 question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// The client's own dialog.
    #[default]
    Client,
    /// Doorward's queue.
    Queue,
}

/// Which allowed calls skip the client's own prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relieve {
    /// None.
    #[default]
    Off,
    /// LOW-risk calls with complete effects inside the roots.
    Proven,
    /// Also calls that the confirmation policy or the permission mode allows.
    Policy,
}

/// Who runs shell calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShellCustody {
    /// The client runs them; Doorward advises.
    #[default]
    Advise,
    /// Doorward runs them; each call is rewritten into a ticket.
    Bind,
}

/// Hooks of coding agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Where a question that needs one answer is asked: in the `client`'s own dialog, or in Doorward's `queue`.
    pub ask: Ask,
    /// Which calls skip the client's own prompt: `off`, none; `proven`, calls proved to only read inside the roots;
    /// `policy`, also calls that the confirmation policy or the permission mode allows.
    pub relieve: Relieve,
    /// Who runs shell calls: `advise`, the client; `bind`, Doorward in its sandbox.
    pub shell: ShellCustody,
    /// How long a hook waits for a person's answer to a question in Doorward's queue, in seconds. Unset: 20 while the
    /// console or the list of questions is open, else 0.
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
