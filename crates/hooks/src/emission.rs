//! Chooses the answer to a client, from one table over client, mode, person at the prompt, verdict, basis and level.
//! docs/emission.md shows the table; a test checks every cell against that document and these rules:
//!
//! 1. A denial is a denial.
//! 2. A confirm is answered with "no opinion" only if the mode alone asks, at level 1, and the client would then ask,
//!    refuse or let its own classifier decide.
//! 3. `ask` is used only where it was measured to stop the call.
//! 4. Every other confirm goes to Doorward's queue: the hook waits for a while, then denies.
//! 5. A confirm of level 2 or more is never left to a client.
//! 6. An allow replaces the client's own prompt only by a user's rule, a person's answer, the guardian (for what the
//!    settings delegate to it), or `hooks.relieve`.

use doorward_core::decision::{Basis, Verdict};

use crate::clients::{Asked, Contract, Untold};

/// The facts about a judged call that determine the answer to its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// The verdict.
    pub verdict: Verdict,
    /// The kind of source that decided.
    pub basis: Basis,
    /// Confirm level: 1 one answer, 2 typed phrase, 3 second person.
    pub level: u8,
    /// What the client does if it gets no opinion.
    pub untold: Untold,
    /// What the client does if it is told to ask.
    pub asked: Asked,
    /// Whether an allow replaces the client's own prompt: by a user's rule, a person's answer, the guardian's
    /// approval, or `hooks.relieve`.
    pub waives: bool,
    /// `hooks.ask = "queue"`: questions go to Doorward's queue even if the client could ask.
    pub queue_first: bool,
    /// Whether Doorward runs the call itself. The client's own prompt would show only the ticket command, so it never
    /// gets "no opinion".
    pub bound: bool,
}

/// The answer to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emission {
    /// No opinion: the client proceeds as it would without Doorward.
    Nothing,
    /// Allow, without the client's own prompt.
    Yes,
    /// The client must show its dialog.
    Ask,
    /// The question is in Doorward's queue. The hook waits for an answer, then denies and says how to answer.
    Queue,
    /// Deny.
    No,
}

impl Emission {
    /// Its word in docs/emission.md.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Yes => "yes",
            Self::Ask => "ask",
            Self::Queue => "queue, then no",
            Self::No => "no",
        }
    }
}

/// The answer to the client in this situation.
#[must_use]
pub const fn emission(situation: &Situation) -> Emission {
    match situation.verdict {
        Verdict::Deny => Emission::No,
        Verdict::Allow => {
            if situation.waives {
                Emission::Yes
            } else {
                Emission::Nothing
            }
        }
        Verdict::Confirm => confirm(situation),
    }
}

const fn confirm(situation: &Situation) -> Emission {
    if situation.level > 1 {
        return Emission::Queue;
    }
    let settles_it = !matches!(situation.untold, Untold::Runs);
    if matches!(situation.basis, Basis::Mode) && settles_it && !situation.bound {
        return Emission::Nothing;
    }
    if matches!(situation.asked, Asked::Asks) && !situation.queue_first {
        return Emission::Ask;
    }
    Emission::Queue
}

/// What the client then does, in the words of docs/emission.md.
#[must_use]
pub fn then(contract: &Contract, said: Emission, untold: Untold) -> &'static str {
    match said {
        Emission::No => "doesn't run it",
        Emission::Queue => "doesn't run it; the identical call passes once it is approved",
        Emission::Ask => "asks in its dialog, with the reason",
        Emission::Yes if contract.asks_by_event.is_some() => "runs it; where it asks, that is answered yes",
        Emission::Yes if !contract.yes_waives => {
            "runs it, or asks in its own dialog where it would without Doorward"
        }
        Emission::Yes => "runs it without asking",
        Emission::Nothing => match untold {
            Untold::Asks => "asks in its dialog, unless its own rules settle it",
            Untold::Classifies => "lets its classifier decide, unless its own rules settle it",
            Untold::Refuses => "refuses it, unless its own rules allow it",
            Untold::Runs => "runs it",
        },
    }
}
