//! Why a path is refused or asked about: stable codes, and what each answers.

/// Three answers, in order of strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// In scope.
    Allow,
    /// In scope only if a person or a rule says so.
    Ask,
    /// Refused.
    Deny,
}

impl Answer {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal $answer:ident,)*) => {
        /// A stable code. The answer of [`Code::Protected`] depends on the name's class.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// The wire word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What it answers.
            #[must_use]
            pub const fn answer(self) -> Answer {
                match self { $(Self::$name => Answer::$answer,)* }
            }

            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

codes! {
    /// Resolves outside every root, whether the target exists or not.
    Escape = "path.escape" Deny,
    /// Openly names a place outside the roots, where that may be asked about.
    Outside = "path.outside" Ask,
    /// A protected name, existing or not.
    Protected = "path.protected" Deny,
    /// Doorward's own files.
    OwnFiles = "path.own_files" Deny,
    /// A secret name inside a root.
    Secret = "path.secret" Ask,
    /// A pipe, socket or device.
    SpecialFile = "path.special_file" Deny,
    /// A regular file with names that weren't all found inside.
    Hardlink = "path.hardlink" Ask,
    /// `~`, `$NAME`, `$(…)` or backquotes where nothing expands them.
    Unexpanded = "path.unexpanded" Deny,
    /// A wildcard where nothing expands it.
    Wildcard = "path.wildcard" Ask,
    /// Crosses a mount below the root.
    Mount = "path.mount" Ask,
    /// Control, bidirectional or zero-width characters.
    ControlCharacter = "path.control_character" Ask,
    /// `%2e`-like text.
    Encoded = "path.encoded" Ask,
    /// Looks like something else: full-width dots, division slash, backslash, drive forms.
    Confusable = "path.confusable" Ask,
    /// A NUL byte.
    Nul = "path.nul" Deny,
    /// No text.
    Empty = "path.empty" Deny,
    /// Longer than `PATH_MAX`, or a component longer than `NAME_MAX`.
    TooLong = "path.too_long" Deny,
    /// More than 40 links.
    Loop = "path.loop" Deny,
    /// The tree kept changing.
    Race = "path.race" Deny,
    /// Inside, but missing, and the access needs it.
    NotFound = "path.not_found" Deny,
    /// Inside, but something in its place is of the wrong kind (a file where a folder is needed).
    WrongKind = "path.wrong_kind" Deny,
    /// Absolute or with `..` where only plain relative paths are taken.
    NotRelative = "path.not_relative" Deny,
    /// A root that is absent or not a directory.
    RootMissing = "path.root_missing" Deny,
    /// A root that isn't the directory it was at start.
    RootReplaced = "path.root_replaced" Deny,
    /// A root given as a relative path.
    RootRelative = "path.root_relative" Deny,
    /// The kernel can't do what the proof needs.
    UnsupportedKernel = "path.unsupported_kernel" Deny,
    /// Writing below a read-only root.
    ReadOnly = "path.read_only" Deny,
    /// Inside a denied folder.
    Denied = "path.denied" Deny,
    /// Deleting a root itself.
    WholeRoot = "path.whole_root" Ask,
    /// A recursive delete that names a link.
    LinkedTree = "path.linked_tree" Ask,
    /// Set-uid, set-gid or world-writable.
    Mode = "path.mode" Deny,
    /// The operating system refused for a reason of its own.
    Io = "path.io" Deny,
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a path wasn't handed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {detail}")]
pub struct Refusal {
    /// Why.
    pub code: Code,
    /// Whether a person or a rule could lift it.
    pub answer: Answer,
    /// In words; quotes names, never content.
    pub detail: String,
}

impl Refusal {
    /// With the code's own answer.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, answer: code.answer(), detail: detail.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_of_the_family() {
        for (index, code) in Code::ALL.iter().enumerate() {
            assert!(code.as_str().starts_with("path."));
            assert!(!Code::ALL[..index].iter().any(|other| other.as_str() == code.as_str()));
            assert_ne!(code.answer(), Answer::Allow);
        }
    }
}
