//! Origin and kind of a value.

/// Kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// A credential.
    Secret,
    /// A value under a secret's name that doesn't look like a secret.
    Likely,
    /// Text that other people can write.
    Untrusted,
    /// Lines of such text with commands, addresses or the start of a process: the part of copied code that acts.
    Commands,
    /// Personal data.
    Private,
}

impl Label {
    /// The word used in rules and findings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Likely => "likely",
            Self::Untrusted => "untrusted",
            Self::Commands => "commands",
            Self::Private => "private",
        }
    }

    /// Whether a rule about `wanted` applies to this label: commands of other people are also their text.
    #[must_use]
    pub const fn is(self, wanted: Self) -> bool {
        matches!(
            (self, wanted),
            (Self::Secret, Self::Secret)
                | (Self::Likely, Self::Likely)
                | (Self::Untrusted | Self::Commands, Self::Untrusted)
                | (Self::Commands, Self::Commands)
                | (Self::Private, Self::Private)
        )
    }
}

/// Origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// Kind of value.
    pub label: Label,
    /// In words: a path, an address, `mcp:server/tool`.
    pub from: String,
    /// The turn whose call brought it.
    pub turn: u64,
    /// Hosts found beside it, such as the service named next to a token in an `.env` file.
    pub hosts: Vec<String>,
}
