//! Permission modes and the classes of calls in the mode matrix. The matrix itself is in `policy`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Decides calls that no floor, rule or hook decided. A property of the session, never of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PermissionMode {
    /// Asks before calls that change something.
    #[default]
    Default,
    /// Only reads; calls that change something are denied.
    Plan,
    /// Edits inside the roots are allowed without a question.
    AcceptEdits,
    /// Never asks: calls that would need a confirmation are denied.
    DontAsk,
    /// Allows everything except what floors and rules forbid.
    BypassPermissions,
}

impl PermissionMode {
    /// All five in the order of the matrix.
    pub const ALL: [Self; 5] =
        [Self::Default, Self::Plan, Self::AcceptEdits, Self::DontAsk, Self::BypassPermissions];

    /// Name on the wire.
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

    /// The mode with exactly this wire name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }

    /// Rank by how much the mode allows without a person: plan, default, acceptEdits, dontAsk, bypass.
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

    /// The mode, or `max` if it allows more than `max`.
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

/// A row of the mode matrix. If several apply to a call, the strictest answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// A read inside the roots.
    ReadInsideRoots,
    /// A read of a sensitive path, or of a place openly named outside the roots.
    ReadOutsideRootsOrSensitive,
    /// A path that looks inside the roots but resolves outside; with strict roots, any outside path.
    PathEscape,
    /// A write inside the roots or in the temp folder.
    EditInsideRoots,
    /// A write to a protected name of the ask class.
    EditProtectedAsk,
    /// A write to a protected name of the deny class by a file tool.
    EditProtectedDenyFileTool,
    /// The same, by a command.
    EditProtectedDenyCommand,
    /// A write to Doorward's own files, hook entries or trust state.
    EditOwnFiles,
    /// A write to a place openly named outside the roots.
    EditOutsideRoots,
    /// A delete of something that can be regenerated.
    DeleteRegenerable,
    /// A command or code that changes things, with a verified sandbox marker.
    ShellOther,
    /// A command proven read-only.
    ShellReadOnly,
    /// A destructive command, or one that couldn't be analysed.
    ShellDestructiveOrUnparseable,
    /// `fs:delete` of something that can't be regenerated.
    DeleteOther,
    /// An unknown tool.
    UnknownTool,
    /// A host on the allow list.
    NetAllowlisted,
    /// A public host.
    NetPublic,
    /// A private or loopback host.
    NetPrivateOrLoopback,
    /// An MCP tool that a trusted server declares read-only.
    McpReadOnlyTrusted,
    /// Any other MCP tool.
    McpOther,
    /// Submits a plan, asks the user, or edits a todo list.
    PlanControl,
    /// Leaves plan mode, or switches to a mode that allows more.
    LeavePlanOrModeUpward,
    /// A code interpreter without a sandbox marker.
    CodeWithoutSandbox,
}
