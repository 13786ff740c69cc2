//! What a client is told for a verdict: one table over client, mode, whether a person is at its prompt, verdict, basis
//! and level. docs/emission.md shows it, and a test holds that document and the rules below in every cell.
//!
//! 1. A denial is a denial.
//! 2. A confirm is left to the client without a word only where the mode alone asks, at level 1, and the client would
//!    itself ask, refuse or let its own classifier decide.
//! 3. `ask` is said only where it was measured to stop the call.
//! 4. Every other confirm is put in Doorward's queue: the hook waits for a while, then denies.
//! 5. A confirm of level 2 or more is never left to a client.
//! 6. An allow waives the client's own prompt only where a rule of the user, a person, the guardian about what the
//!    settings delegate to it, or `hooks.relieve` says so.

use doorward_core::decision::{Basis, Verdict};

use crate::clients::{Asked, Contract, Untold};

/// What is known about a call that was judged, as far as it matters for what the client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on.
    pub basis: Basis,
    /// How a confirm has to be answered: 1 a yes, 2 a typed phrase, 3 a second person.
    pub level: u8,
    /// What the client does with a call that it is told nothing about.
    pub untold: Untold,
    /// What the client does with a call that it is told to ask about.
    pub asked: Asked,
    /// An allow that waives the client's own prompt: by a rule of the user, a person's yes, the guardian's approval, or
    /// `hooks.relieve`.
    pub waives: bool,
    /// `hooks.ask = "queue"`: questions of ours go to our queue, also where the client could ask.
    pub queue_first: bool,
    /// Doorward runs the call itself. Then the client's prompt would show the words that stand for it, so a client is
    /// never left to ask without a word of ours.
    pub bound: bool,
}

/// What the client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emission {
    /// Nothing: it goes on as it would have without us.
    Nothing,
    /// Yes, also in place of its own prompt.
    Yes,
    /// Its dialog is to ask.
    Ask,
    /// The question is in our queue. The hook waits for its answer, then denies with the way to settle it.
    Queue,
    /// No.
    No,
}

impl Emission {
    /// The words of docs/emission.md.
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

/// What the client is told in this situation.
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

/// What a client then does, in the words of docs/emission.md.
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
