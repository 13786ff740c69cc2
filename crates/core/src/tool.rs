//! Canonical tool names and their classes. Each client's own names are in `doorward-hooks`, one file per client.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The class of a tool, from its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum ToolClass {
    /// Reads files, lists, searches.
    ReadOnly,
    /// Creates or changes files.
    Edit,
    /// Runs commands or code, or deletes.
    Execute,
    /// Fetches or searches the network.
    Network,
    /// A tool of an MCP server.
    Mcp,
    /// Plans, questions to the human, todo lists.
    PlanControl,
}

impl ToolClass {
    /// Name on the wire and Cedar entity id.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "ReadOnly",
            Self::Edit => "Edit",
            Self::Execute => "Execute",
            Self::Network => "Network",
            Self::Mcp => "Mcp",
            Self::PlanControl => "PlanControl",
        }
    }
}

/// Declares the enum of clients, with each one's word on the command line, on the wire and in records.
macro_rules! clients {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The client program whose tool names are used. The facts about each are one file in `doorward-hooks`.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
        )]
        pub enum Client {
            $($(#[$doc])* #[serde(rename = $word)] $name,)*
        }

        impl Client {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word used on the command line and in records.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

clients! {
    /// Doorward's own names (HTTP, library, command line).
    #[default]
    Doorward = "doorward",
    /// Anthropic's Claude Code.
    ClaudeCode = "claude-code",
    /// OpenAI's Codex.
    Codex = "codex",
    /// Google's Gemini CLI.
    GeminiCli = "gemini-cli",
    /// Cursor.
    Cursor = "cursor",
    /// GitHub Copilot, CLI and VS Code.
    Copilot = "copilot",
    /// Windsurf.
    Windsurf = "windsurf",
    /// OpenCode.
    Opencode = "opencode",
    /// OpenHands.
    Openhands = "openhands",
    /// Any MCP client behind the gateway.
    Mcp = "mcp",
}

impl Client {
    /// From the word used on the command line.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|client| client.as_str() == word)
    }
}

/// A tool's name as policies see it: `shell:execute`, `fs:read`, `mcp:<server>/<tool>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct ToolName(String);

/// Why a name is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolNameError {
    /// Characters or length don't match `[A-Za-z0-9_.:/-]{1,256}`.
    #[error("tool.name_invalid: a tool name has 1 to 256 characters of A-Z a-z 0-9 _ . : / -")]
    Invalid,
    /// Differs from a known tool only in letter case.
    #[error("tool.name_confusable: differs from {known} only in letter case")]
    Confusable {
        /// The tool that it resembles.
        known: String,
    },
}

impl ToolNameError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid => "tool.name_invalid",
            Self::Confusable { .. } => "tool.name_confusable",
        }
    }
}

/// Declares the canonical tools, each with its name and class.
macro_rules! canonical_tools {
    ($($(#[$doc:meta])* $tool:ident = $name:literal, $class:ident;)*) => {
        /// A tool that Doorward knows by its canonical name.
        ///
        /// Names are text at the entrance only. Later code compares a [`ToolName`] with one of these.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum CanonicalTool {
            $($(#[$doc])* $tool,)*
        }

        /// The canonical tools with their classes. Every other name is `mcp:…` or unknown.
        pub const CANONICAL: &[(&str, ToolClass)] = &[$(($name, ToolClass::$class)),*];

        impl CanonicalTool {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$tool),*];

            /// The canonical name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$tool => $name,)*
                }
            }

            /// Its class.
            #[must_use]
            pub const fn class(self) -> ToolClass {
                match self {
                    $(Self::$tool => ToolClass::$class,)*
                }
            }
        }
    };
}

canonical_tools! {
    /// Runs a shell command.
    Shell = "shell:execute", Execute;
    /// Runs code whose language isn't told.
    Code = "code:execute", Execute;
    /// Runs Python.
    Python = "python:execute", Execute;
    /// Runs JavaScript with Node.
    Node = "node:execute", Execute;
    /// Runs Ruby.
    Ruby = "ruby:execute", Execute;
    /// Runs Perl.
    Perl = "perl:execute", Execute;
    /// Runs PHP.
    Php = "php:execute", Execute;
    /// Runs PowerShell.
    PowerShell = "powershell:execute", Execute;
    /// Reads, lists or searches files.
    Read = "fs:read", ReadOnly;
    /// Creates or changes files.
    Write = "fs:write", Edit;
    /// Makes folders.
    Mkdir = "fs:mkdir", Edit;
    /// Moves files.
    Move = "fs:move", Edit;
    /// Copies files.
    Copy = "fs:copy", Edit;
    /// Deletes files.
    Delete = "fs:delete", Execute;
    /// Fetches a URL.
    Fetch = "net:fetch", Network;
    /// Searches the web.
    Search = "net:search", Network;
    /// Hands in a plan.
    SubmitPlan = "plan:submit", PlanControl;
    /// Leaves plan mode.
    LeavePlan = "plan:leave", PlanControl;
    /// Asks the human.
    Ask = "plan:ask", PlanControl;
    /// Keeps a list of tasks.
    Todo = "plan:todo", PlanControl;
    /// Thinks aloud.
    Think = "plan:think", PlanControl;
    /// Hands work to a sub-agent or a background job, whose own calls pass the gate.
    Delegate = "plan:delegate", PlanControl;
    /// Reads what such a job printed.
    Watch = "plan:watch", PlanControl;
    /// Ends such a job.
    Stop = "plan:stop", PlanControl;
}

impl CanonicalTool {
    /// From its canonical name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.as_str() == name)
    }

    /// Whether its arguments name files.
    #[must_use]
    pub const fn is_of_files(self) -> bool {
        matches!(self, Self::Read | Self::Write | Self::Mkdir | Self::Move | Self::Copy | Self::Delete)
    }
}

impl From<CanonicalTool> for ToolName {
    fn from(tool: CanonicalTool) -> Self {
        Self(tool.as_str().to_owned())
    }
}

impl fmt::Display for CanonicalTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<CanonicalTool> for ToolName {
    fn eq(&self, tool: &CanonicalTool) -> bool {
        self.0 == tool.as_str()
    }
}

/// Server and tool of a name `mcp:<server>/<tool>`, as calls, records and bindings write it.
#[must_use]
pub fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp:")?.split_once('/')
}

impl ToolName {
    /// Checks the character set, and that the name doesn't imitate a canonical tool by letter case.
    ///
    /// # Errors
    /// [`ToolNameError`].
    pub fn new(name: &str) -> Result<Self, ToolNameError> {
        let fits = (1..=256).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte));
        if !fits {
            return Err(ToolNameError::Invalid);
        }
        match confusable(name, CANONICAL.iter().map(|(known, _)| *known)) {
            Some(known) => Err(ToolNameError::Confusable { known: known.to_owned() }),
            None => Ok(Self(name.to_owned())),
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The canonical tool of this name; `None` for a server's tool and an unknown one.
    #[must_use]
    pub fn canonical(&self) -> Option<CanonicalTool> {
        CanonicalTool::from_name(&self.0)
    }

    /// The class of a canonical or MCP name; `None` for an unknown tool.
    #[must_use]
    pub fn class(&self) -> Option<ToolClass> {
        if self.0.starts_with("mcp:") {
            return Some(ToolClass::Mcp);
        }
        self.canonical().map(CanonicalTool::class)
    }

    /// Server and tool of a name `mcp:<server>/<tool>`.
    #[must_use]
    pub fn mcp_parts(&self) -> Option<(&str, &str)> {
        mcp_parts(&self.0)
    }

    /// Whether it is one of the code interpreters (`python:execute`, …), also of a language that has no name here.
    #[must_use]
    pub fn is_code(&self) -> bool {
        *self != CanonicalTool::Shell && self.0.ends_with(":execute")
    }

    /// The name of the argument with the text to run, for tools that run text.
    #[must_use]
    pub fn text_argument(&self) -> Option<&'static str> {
        match self.canonical() {
            Some(CanonicalTool::Shell) => Some("command"),
            _ if self.is_code() => Some("code"),
            _ => None,
        }
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ToolName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The known name that differs from `name` only in letter case, if any.
#[must_use]
pub fn confusable<'k>(name: &str, mut known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known.find(|known| *known != name && known.eq_ignore_ascii_case(name))
}

/// Ways to start a coding agent without its installed hooks.
#[derive(Debug, Clone, Copy)]
pub struct AgentSwitches {
    /// Name of the agent's program.
    pub program: &'static str,
    /// Words that disable hooks, or replace the settings that contain them. Matched whole or up to `=`.
    pub words: &'static [&'static str],
    /// Words whose value (the next word, or the part after `=`) disables hooks if it contains this text.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Values of such a word that leave hooks enabled.
    pub harmless: &'static [&'static str],
    /// Environment variables that make the agent read other settings.
    pub variables: &'static [&'static str],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_not_guessed() {
        let code = |name| ToolName::new(name).unwrap_err().code();
        assert_eq!(code("Shell:Execute"), "tool.name_confusable");
        assert_eq!(code("shеll:execute"), "tool.name_invalid");
        assert_eq!(code("shell:execute\n"), "tool.name_invalid");
        assert_eq!(ToolName::new("frobnicate").unwrap().class(), None);
        assert_eq!(ToolName::new("mcp:x/read_file").unwrap().class(), Some(ToolClass::Mcp));
    }
}
