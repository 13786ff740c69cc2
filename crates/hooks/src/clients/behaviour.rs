//! What a client does with a call, depending on the mode it is in: the measured ground of `crate::emission`.

use doorward_core::mode::PermissionMode;

/// The mode that a client says it is in. Wider than [`PermissionMode`]: `auto` is a mode of clients alone, and a word
/// that nobody here knows must not be taken for a mode in which the client asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientMode {
    /// It asks a person about what changes something.
    Default,
    /// It reads and thinks.
    Plan,
    /// Edits in the working folder are settled.
    AcceptEdits,
    /// What it would ask about is refused.
    DontAsk,
    /// It asks nobody.
    Bypass,
    /// A model of the client's decides what it would ask about.
    Auto,
    /// A word that this version of Doorward doesn't know.
    Unknown,
}

impl ClientMode {
    /// All of them, in the order of the tables of clients.
    pub const ALL: [Self; 7] = [
        Self::Default,
        Self::Plan,
        Self::AcceptEdits,
        Self::DontAsk,
        Self::Bypass,
        Self::Auto,
        Self::Unknown,
    ];

    /// From the word in an event.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        match PermissionMode::from_word(word) {
            Some(PermissionMode::Default) => Self::Default,
            Some(PermissionMode::Plan) => Self::Plan,
            Some(PermissionMode::AcceptEdits) => Self::AcceptEdits,
            Some(PermissionMode::DontAsk) => Self::DontAsk,
            Some(PermissionMode::BypassPermissions) => Self::Bypass,
            None if word == "auto" => Self::Auto,
            None => Self::Unknown,
        }
    }

    /// The word in tables and records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Plan => "plan",
            Self::AcceptEdits => "acceptEdits",
            Self::DontAsk => "dontAsk",
            Self::Bypass => "bypassPermissions",
            Self::Auto => "auto",
            Self::Unknown => "unknown",
        }
    }

    /// The column of the mode matrix that holds: `auto` has the cells of `default`, and so has an unknown word.
    #[must_use]
    pub const fn permission(self) -> PermissionMode {
        match self {
            Self::Default | Self::Auto | Self::Unknown => PermissionMode::Default,
            Self::Plan => PermissionMode::Plan,
            Self::AcceptEdits => PermissionMode::AcceptEdits,
            Self::DontAsk => PermissionMode::DontAsk,
            Self::Bypass => PermissionMode::BypassPermissions,
        }
    }
}

/// What the client does with a call that it is told nothing about and that its own rules don't settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untold {
    /// It asks a person.
    Asks,
    /// A model of its own decides, and asks a person where it is unsure.
    Classifies,
    /// It refuses it.
    Refuses,
    /// It runs it, or it isn't known what it does.
    Runs,
}

/// What the client does with a call that it is told to ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Its dialog stops the call until a person answers. Only where that was measured.
    Asks,
    /// It refuses it: nobody sees its dialog.
    Refuses,
    /// It runs it, or it isn't known what it does.
    Runs,
}

/// What a client does in each mode, in the order of [`ClientMode::ALL`].
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// A person is at its prompt.
    pub attended: [(Untold, Asked); 7],
    /// It was started so that it asks nobody.
    pub unattended: [(Untold, Asked); 7],
}

impl Behaviour {
    /// A client of which nothing is known: it is told everything.
    pub const UNKNOWN: Self = Self::always(Untold::Runs, Asked::Runs);

    /// The same in every mode.
    #[must_use]
    pub const fn always(untold: Untold, asked: Asked) -> Self {
        Self { attended: [(untold, asked); 7], unattended: [(untold, asked); 7] }
    }

    /// The row of a mode.
    #[must_use]
    pub fn of(&self, mode: ClientMode, attended: bool) -> (Untold, Asked) {
        let rows = if attended { &self.attended } else { &self.unattended };
        let at = ClientMode::ALL.iter().position(|other| *other == mode);
        at.and_then(|at| rows.get(at).copied()).unwrap_or((Untold::Runs, Asked::Runs))
    }
}
