//! Permission modes and the classes of call their defaults speak about. The table itself is in `policy`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What fills in where no floor, rule or hook decided. Belongs to a session, never to the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PermissionMode {
    /// Ask for what changes something.
    #[default]
    Default,
    /// Read and think; change nothing.
    Plan,
    /// Edits inside the roots are settled.
    AcceptEdits,
    /// Act without prompting; what would need a prompt is refused.
    DontAsk,
    /// Everything but the floor and the rules.
    BypassPermissions,
}

impl PermissionMode {
    /// All five in the order of the matrix.
    pub const ALL: [Self; 5] =
        [Self::Default, Self::Plan, Self::AcceptEdits, Self::DontAsk, Self::BypassPermissions];

    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Plan => "plan",
            Self::AcceptEdits => "acceptEdits",
            Self::DontAsk => "dontAsk",
            Self::BypassPermissions => "bypassPermissions",
        }
    }

    /// From the wire word, exactly as spelled.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }

    /// How much the mode lets through without a person: plan, default, acceptEdits, dontAsk, bypass.
    #[must_use]
    pub const fn freedom(self) -> u8 {
        match self {
            Self::Plan => 0,
            Self::Default => 1,
            Self::AcceptEdits => 2,
            Self::DontAsk => 3,
            Self::BypassPermissions => 4,
        }
    }

    /// A claimed mode, never freer than `max`.
    #[must_use]
    pub const fn capped(self, max: Self) -> Self {
        if self.freedom() > max.freedom() { max } else { self }
    }
}

impl std::fmt::Display for PermissionMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A row of the mode matrix. One call may fall into several; the strictest answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// A read inside the roots.
    ReadInsideRoots,
    /// A read that openly names a place outside, or a sensitive path.
    ReadOutsideRootsOrSensitive,
    /// A path that claims to lie inside and doesn't; any outside path with strict roots.
    PathEscape,
    /// A write or create inside the roots or in scratch.
    EditInsideRoots,
    /// A write to a protected name of the ask class.
    EditProtectedAsk,
    /// A write to a protected name of the deny class by a file tool.
    EditProtectedDenyFileTool,
    /// The same in a command.
    EditProtectedDenyCommand,
    /// Doorward's own files, hook entries and trust state.
    EditOwnFiles,
    /// A write that openly names a place outside.
    EditOutsideRoots,
    /// Deleting what can be made again.
    DeleteRegenerable,
    /// A command or code with a verified sandbox marker that changes things.
    ShellOther,
    /// A command proven to read only.
    ShellReadOnly,
    /// A command that destroys, or that wasn't understood.
    ShellDestructiveOrUnparseable,
    /// `fs:delete` of what can't be made again.
    DeleteOther,
    /// A tool nobody knows.
    UnknownTool,
    /// A host on the allow list.
    NetAllowlisted,
    /// A public host.
    NetPublic,
    /// A private or loopback host.
    NetPrivateOrLoopback,
    /// An MCP tool that a trusted server calls read-only.
    McpReadOnlyTrusted,
    /// Any other MCP tool.
    McpOther,
    /// Submit a plan, ask the human, keep a todo list.
    PlanControl,
    /// Leave plan mode or change the mode upward.
    LeavePlanOrModeUpward,
    /// A code interpreter without a sandbox marker.
    CodeWithoutSandbox,
}
