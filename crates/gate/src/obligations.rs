//! What whoever holds a permit can meet: one table, surface by obligation. What can't be met is a denial before there
//! is a permit, naming the surfaces that could.

use doorward_core::call::{Custody, Surface, ToolCall};
use doorward_core::decision::Obligation;

use crate::stages::Notices;

/// The code of a denial for an obligation that nobody here can meet.
pub const UNMET: &str = "obligation.unmet";

/// Whoever carries out an allowed call.
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
    /// A caller of the decision point, who gets the obligations in the answer and vouches for what its settings list.
    Caller,
    /// The program that embeds the gate.
    Embedder,
}

impl Holder {
    /// Everybody there is.
    pub const ALL: [Self; 6] =
        [Self::Bound, Self::Relayed, Self::RewritingClient, Self::Client, Self::Caller, Self::Embedder];

    /// Who carries out this call.
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

    /// In words, for the person who wrote the rule.
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

    /// The table. A decision point's caller vouches for what the settings list of it.
    #[must_use]
    pub fn meets(self, obligation: &Obligation, vouched: &[String]) -> bool {
        use Obligation::{Expires, LogOutput, Notify, RedactOutput, RewriteArgs, Sandbox};
        match (self, obligation) {
            // The gate itself tells, where somebody is reached, and lets no permission outlive its end.
            (_, Notify { .. } | Expires { .. }) => true,
            // The client's after-event, or the caller's report, brings the output's digest into the record.
            (_, LogOutput) => true,
            (Self::Bound | Self::Relayed, RedactOutput) => true,
            (Self::Bound, Sandbox { .. }) => true,
            (Self::Bound | Self::Relayed | Self::RewritingClient, RewriteArgs) => true,
            // Its own program: what it is told, it does.
            (Self::Embedder, _) => true,
            (Self::Caller, owed) => vouched.iter().any(|name| name == owed.name()),
            (Self::Relayed | Self::RewritingClient | Self::Client, _) => false,
        }
    }
}

/// Whether everything owed can be met by whoever carries out the call.
///
/// # Errors
/// In words: what can't be met, and who could.
pub(crate) fn met(call: &ToolCall, owed: &[Obligation], notices: &dyn Notices) -> Result<(), String> {
    let told = owed.iter().find_map(|owed| match owed {
        Obligation::Notify { to, .. } if !notices.reaches(to) => Some(to),
        _ => None,
    });
    if let Some(to) = told {
        return Err(format!(
            "a rule asks that {to:?} be told, and nobody of this name is reached: name a webhook so under [notify], \
             and let the service run"
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
