//! Stable codes for refusing or asking about a path, with the answer of each.

/// The answers, in order of strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// In scope.
    Allow,
    /// In scope only if a person or a rule agrees.
    Ask,
    /// Refused.
    Deny,
}

impl Answer {
    /// Name on the wire.
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
            /// Name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Its answer.
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
    /// Resolves outside every root, whether or not the target exists.
    Escape = "path.escape" Deny,
    /// Openly names a place outside the roots, if the settings allow asking about that.
    Outside = "path.outside" Ask,
    /// A protected name, existing or not.
    Protected = "path.protected" Deny,
    /// Doorward's own files.
    OwnFiles = "path.own_files" Deny,
    /// A secret name inside a root.
    Secret = "path.secret" Ask,
    /// A pipe, socket or device.
    SpecialFile = "path.special_file" Deny,
    /// A regular file with hard links that weren't all found inside.
    Hardlink = "path.hardlink" Ask,
    /// `~`, `$NAME`, `$(…)` or backquotes that nothing will expand.
    Unexpanded = "path.unexpanded" Deny,
    /// A wildcard that nothing will expand.
    Wildcard = "path.wildcard" Ask,
    /// Crosses a mount below the root.
    Mount = "path.mount" Ask,
    /// Control, bidirectional or zero-width characters.
    ControlCharacter = "path.control_character" Ask,
    /// Percent-encoded text such as `%2e`.
    Encoded = "path.encoded" Ask,
    /// Characters that resemble others: full-width dots, division slash, backslash, drive letters.
    Confusable = "path.confusable" Ask,
    /// A NUL byte.
    Nul = "path.nul" Deny,
    /// An empty text.
    Empty = "path.empty" Deny,
    /// Longer than `PATH_MAX`, or a component longer than `NAME_MAX`.
    TooLong = "path.too_long" Deny,
    /// More than 40 links.
    Loop = "path.loop" Deny,
    /// The tree kept changing.
    Race = "path.race" Deny,
    /// Inside, but missing although the access requires it.
    NotFound = "path.not_found" Deny,
    /// Inside, but of the wrong kind (a file where a folder is needed).
    WrongKind = "path.wrong_kind" Deny,
    /// Absolute or with `..`, although only plain relative paths are accepted.
    NotRelative = "path.not_relative" Deny,
    /// A root that is missing or isn't a directory.
    RootMissing = "path.root_missing" Deny,
    /// A root that is no longer the directory that was opened at start.
    RootReplaced = "path.root_replaced" Deny,
    /// A root given as a relative path.
    RootRelative = "path.root_relative" Deny,
    /// The kernel lacks a feature that the proof needs.
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
    /// An error of the operating system.
    Io = "path.io" Deny,
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {detail}")]
pub struct PathRefusal {
    /// Its code.
    pub code: Code,
    /// Whether a person or a rule may lift it.
    pub answer: Answer,
    /// Explanation; quotes names, never content.
    pub detail: String,
}

impl PathRefusal {
    /// A refusal with the code's own answer.
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
