//! Which obligations each holder of a permit can meet, as one table. If the holder can't meet an obligation, the call
//! is denied before a permit exists; the denial names the surfaces that could meet it.

use doorward_core::call::{Custody, Surface, ToolCall};
use doorward_core::decision::Obligation;

use crate::stages::Notices;

/// The code of a denial for an obligation that the holder can't meet.
pub const UNMET: &str = "obligation.unmet";

/// The party that executes an allowed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Doorward runs it in the sandbox.
    Bound,
    /// Doorward forwards it to a server.
    Relayed,
    /// A coding agent that takes rewritten arguments from its hook.
    RewritingClient,
    /// A coding agent whose hook says yes or no.
    Client,
    /// A caller of the decision point. It gets the obligations in the answer and meets those that the settings list
    /// for it.
    Caller,
    /// The program that embeds the gate.
    Embedder,
}

impl Holder {
    /// All holders.
    pub const ALL: [Self; 6] =
        [Self::Bound, Self::Relayed, Self::RewritingClient, Self::Client, Self::Caller, Self::Embedder];

    /// The holder for this call.
    #[must_use]
    pub const fn of(call: &ToolCall) -> Self {
        match (call.custody, call.surface) {
            (Custody::Bound, _) => Self::Bound,
            (Custody::Relayed, _) => Self::Relayed,
            (Custody::Advised, Surface::Hook) if call.rewrites => Self::RewritingClient,
            (Custody::Advised, Surface::Hook) => Self::Client,
            (Custody::Advised, Surface::Http) => Self::Caller,
            (Custody::Advised, _) => Self::Embedder,
        }
    }

    /// Description for the author of the rule.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Bound => "calls that Doorward runs itself (hooks.shell = \"bind\", doorward run)",
            Self::Relayed => "calls through the MCP gateway",
            Self::RewritingClient => "hooks that take rewritten arguments",
            Self::Client => "hooks",
            Self::Caller => "callers of the decision point that list it under [obligations]",
            Self::Embedder => "programs that embed the gate",
        }
    }

    /// The table. `vouched`: obligations that the settings trust a decision point's caller to meet.
    #[must_use]
    pub fn meets(self, obligation: &Obligation, vouched: &[String]) -> bool {
        use Obligation::{Expires, LogOutput, Notify, RedactOutput, RewriteArgs, Sandbox};
        match (self, obligation) {
            // The gate itself sends notices, if the recipient can be reached, and ends permissions in time.
            (_, Notify { .. } | Expires { .. }) => true,
            // The client's after-event or the caller's report brings the output's digest into the record.
            (_, LogOutput) => true,
            (Self::Bound | Self::Relayed, RedactOutput) => true,
            (Self::Bound, Sandbox { .. }) => true,
            (Self::Bound | Self::Relayed | Self::RewritingClient, RewriteArgs) => true,
            // The embedding program follows every obligation it is given.
            (Self::Embedder, _) => true,
            (Self::Caller, owed) => vouched.iter().any(|name| name == owed.name()),
            (Self::Relayed | Self::RewritingClient | Self::Client, _) => false,
        }
    }
}

/// Whether the executor can meet every obligation.
///
/// # Errors
/// A text that names the unmet obligation and the holders that could meet it.
pub(crate) fn met(call: &ToolCall, owed: &[Obligation], notices: &dyn Notices) -> Result<(), String> {
    let told = owed.iter().find_map(|owed| match owed {
        Obligation::Notify { to, .. } if !notices.reaches(to) => Some(to),
        _ => None,
    });
    if let Some(to) = told {
        return Err(format!(
            "a rule demands a notice to {to:?}, but nobody of that name can be reached: add a webhook with this \
             name under [notify], and run the service"
        ));
    }
    let holder = Holder::of(call);
    let Some(unmet) = owed.iter().find(|owed| !holder.meets(owed, &call.vouched)) else { return Ok(()) };
    let could: Vec<&str> = Holder::ALL
        .into_iter()
        .filter(|other| *other != holder && (other.meets(unmet, &[]) || *other == Holder::Caller))
        .map(Holder::words)
        .collect();
    Err(format!(
        "a rule asks for `{}`, which {} can't do; these could: {}",
        unmet.name(),
        holder.words(),
        could.join("; ")
    ))
}
