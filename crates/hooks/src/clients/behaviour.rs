//! How a client treats a call in each of its modes, as measured. `crate::emission` is based on this.

use doorward_core::mode::PermissionMode;

/// The mode that a client reports. More than [`PermissionMode`]: only clients have `auto`, and an unknown word must
/// not be taken for a mode in which the client asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientMode {
    /// Asks a person about calls that change something.
    Default,
    /// Only reads.
    Plan,
    /// Runs edits in the working folder without asking.
    AcceptEdits,
    /// Refuses what it would ask about.
    DontAsk,
    /// Never asks.
    Bypass,
    /// A model of the client decides in place of the person.
    Auto,
    /// A word unknown to this version of Doorward.
    Unknown,
}

impl ClientMode {
    /// All modes, in the order of the clients' tables.
    pub const ALL: [Self; 7] = [
        Self::Default,
        Self::Plan,
        Self::AcceptEdits,
        Self::DontAsk,
        Self::Bypass,
        Self::Auto,
        Self::Unknown,
    ];

    /// The mode of an event's word.
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

    /// The mode that a caller claims by this word.
    ///
    /// # Errors
    /// The words there are.
    pub fn claimed(word: &str) -> Result<Self, String> {
        match Self::from_word(word) {
            Self::Unknown => {
                let known = Self::ALL.into_iter().filter(|mode| *mode != Self::Unknown);
                Err(format!("one of {}", known.map(Self::as_str).collect::<Vec<_>>().join(", ")))
            }
            mode => Ok(mode),
        }
    }

    /// Its word in tables and records.
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

    /// The column of the mode matrix; `auto` and unknown words use that of `default`.
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

/// What the client does with a call if Doorward gives no opinion and its own rules don't decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untold {
    /// It asks a person.
    Asks,
    /// A model decides, and asks a person if unsure.
    Classifies,
    /// It refuses the call.
    Refuses,
    /// It runs the call, or its behaviour is unknown.
    Runs,
}

/// What the client does with a call if Doorward answers `ask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Its dialog stops the call until a person answers. Only used where measured.
    Asks,
    /// It refuses the call without showing a dialog.
    Refuses,
    /// It runs the call, or its behaviour is unknown.
    Runs,
}

/// What a client does in each mode, in the order of [`ClientMode::ALL`].
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// While a person is at its prompt.
    pub attended: [(Untold, Asked); 7],
    /// When it was started non-interactively.
    pub unattended: [(Untold, Asked); 7],
}

impl Behaviour {
    /// For a client of unknown behaviour: Doorward always answers explicitly.
    pub const UNKNOWN: Self = Self::always(Untold::Runs, Asked::Runs);

    /// The same behaviour in every mode.
    #[must_use]
    pub const fn always(untold: Untold, asked: Asked) -> Self {
        Self { attended: [(untold, asked); 7], unattended: [(untold, asked); 7] }
    }

    /// The behaviour in a mode.
    #[must_use]
    pub fn of(&self, mode: ClientMode, attended: bool) -> (Untold, Asked) {
        let rows = if attended { &self.attended } else { &self.unattended };
        let at = ClientMode::ALL.iter().position(|other| *other == mode);
        at.and_then(|at| rows.get(at).copied()).unwrap_or((Untold::Runs, Asked::Runs))
    }
}
