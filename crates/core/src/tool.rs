//! Canonical tool names, their classes, and the one table of what each client calls them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::{Object, Value};

/// What a tool is, before anything is known about the call.
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
    /// The wire word, also the Cedar entity id.
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

/// Who speaks: the program whose tool names are used.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// Doorward's own names (HTTP, library, command line).
    #[default]
    Doorward,
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex.
    Codex,
    /// Google's Gemini CLI.
    GeminiCli,
    /// Cursor.
    Cursor,
    /// GitHub Copilot, CLI and VS Code.
    Copilot,
    /// Windsurf.
    Windsurf,
    /// OpenCode.
    Opencode,
    /// OpenHands.
    Openhands,
    /// Any MCP client behind the gateway.
    Mcp,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Doorward,
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::Cursor,
        Self::Copilot,
        Self::Windsurf,
        Self::Opencode,
        Self::Openhands,
        Self::Mcp,
    ];

    /// From the word used on the command line.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.as_str() == word)
    }

    /// The word used on the command line and in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Doorward => "doorward",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::Windsurf => "windsurf",
            Self::Opencode => "opencode",
            Self::Openhands => "openhands",
            Self::Mcp => "mcp",
        }
    }
}

/// A tool's name as policies see it: `shell:execute`, `fs:read`, `mcp:<server>/<tool>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct ToolName(String);

/// Why a name is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolNameError {
    /// Characters or length outside `[A-Za-z0-9_.:/-]{1,256}`.
    #[error("tool.name_invalid: a tool name has 1 to 256 characters of A-Z a-z 0-9 _ . : / -")]
    Invalid,
    /// Differs from a known tool only in letter case.
    #[error("tool.name_confusable: differs from {known} only in letter case")]
    Confusable {
        /// The tool it could be taken for.
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

/// The canonical tools with their classes. Everything else is `mcp:…` or unknown.
pub const CANONICAL: &[(&str, ToolClass)] = &[
    ("shell:execute", ToolClass::Execute),
    ("code:execute", ToolClass::Execute),
    ("python:execute", ToolClass::Execute),
    ("node:execute", ToolClass::Execute),
    ("ruby:execute", ToolClass::Execute),
    ("perl:execute", ToolClass::Execute),
    ("php:execute", ToolClass::Execute),
    ("powershell:execute", ToolClass::Execute),
    ("fs:read", ToolClass::ReadOnly),
    ("fs:write", ToolClass::Edit),
    ("fs:mkdir", ToolClass::Edit),
    ("fs:move", ToolClass::Edit),
    ("fs:copy", ToolClass::Edit),
    ("fs:delete", ToolClass::Execute),
    ("net:fetch", ToolClass::Network),
    ("net:search", ToolClass::Network),
    ("plan:submit", ToolClass::PlanControl),
    ("plan:leave", ToolClass::PlanControl),
    ("plan:ask", ToolClass::PlanControl),
    ("plan:todo", ToolClass::PlanControl),
    ("plan:think", ToolClass::PlanControl),
    // The client's own helpers: work handed to a helper whose calls pass the door themselves, what a job or helper says,
    // and the end of one.
    ("plan:delegate", ToolClass::PlanControl),
    ("plan:watch", ToolClass::PlanControl),
    ("plan:stop", ToolClass::PlanControl),
];

/// How a client's argument names become canonical ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// The client's tool name.
    pub name: &'static str,
    /// The canonical tool.
    pub canonical: &'static str,
    /// (client's argument, canonical argument); arguments not listed keep their names.
    pub arguments: &'static [(&'static str, &'static str)],
}

impl Alias {
    /// The arguments under their canonical names. The client's own spelling wins over a stray canonical one,
    /// since that is the one its tool reads; several sources of one name (two path arguments) become a list, so
    /// that all of them are judged.
    #[must_use]
    pub fn rename(&self, mut args: Object) -> Object {
        for (_, canonical) in self.arguments {
            let found: Vec<Value> = self
                .arguments
                .iter()
                .filter(|(_, to)| to == canonical)
                .filter_map(|(from, _)| args.remove(*from))
                .collect();
            match <[Value; 1]>::try_from(found) {
                Ok([only]) => {
                    args.insert((*canonical).to_owned(), only);
                }
                Err(found) if found.is_empty() => {}
                Err(mut found) => {
                    found.extend(args.remove(*canonical));
                    args.insert(format!("{canonical}s"), Value::Array(found));
                }
            }
        }
        args
    }
}

const fn alias(
    name: &'static str,
    canonical: &'static str,
    arguments: &'static [(&'static str, &'static str)],
) -> Alias {
    Alias { name, canonical, arguments }
}

const CMD: &[(&str, &str)] = &[("cmd", "command"), ("command_line", "command")];
const PATH: &[(&str, &str)] = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("absolute_path", "path"),
    ("notebook_path", "path"),
    ("target_file", "path"),
    ("dir_path", "path"),
    ("directory", "path"),
];
const CODE: &[(&str, &str)] = &[("source", "code"), ("script", "code")];

/// What each client calls the canonical tools. Source: the clients' references and recorded events
/// (Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, Cursor 3.9, OpenHands 1.58).
pub const ALIASES: &[(Client, &[Alias])] = &[
    (
        Client::ClaudeCode,
        &[
            alias("Bash", "shell:execute", CMD),
            // Runs its `command` in the background and hands each line to the model.
            alias("Monitor", "shell:execute", CMD),
            alias("Read", "fs:read", PATH),
            alias("NotebookRead", "fs:read", PATH),
            alias("Grep", "fs:read", PATH),
            alias("Glob", "fs:read", PATH),
            alias("LS", "fs:read", PATH),
            alias("Write", "fs:write", PATH),
            alias("Edit", "fs:write", PATH),
            alias("MultiEdit", "fs:write", PATH),
            alias("NotebookEdit", "fs:write", PATH),
            alias("WebFetch", "net:fetch", &[]),
            alias("WebSearch", "net:search", &[]),
            alias("ExitPlanMode", "plan:leave", &[]),
            alias("EnterPlanMode", "plan:todo", &[]),
            alias("TodoWrite", "plan:todo", &[]),
            alias("TaskCreate", "plan:todo", &[]),
            alias("TaskUpdate", "plan:todo", &[]),
            alias("TaskList", "plan:todo", &[]),
            alias("TaskGet", "plan:todo", &[]),
            alias("AskUserQuestion", "plan:ask", &[]),
            alias("Task", "plan:delegate", &[]),
            alias("Agent", "plan:delegate", &[]),
            alias("Skill", "plan:delegate", &[]),
            alias("SlashCommand", "plan:delegate", &[]),
            alias("SendMessage", "plan:delegate", &[]),
            alias("TodoRead", "plan:todo", &[]),
            alias("BashOutput", "plan:watch", &[]),
            alias("TaskOutput", "plan:watch", &[]),
            alias("AgentOutputTool", "plan:watch", &[]),
            alias("ToolSearch", "plan:watch", &[]),
            alias("ListMcpResourcesTool", "plan:watch", &[]),
            alias("KillShell", "plan:stop", &[]),
            alias("KillBash", "plan:stop", &[]),
            alias("TaskStop", "plan:stop", &[]),
            alias("LSP", "fs:read", PATH),
        ],
    ),
    (
        Client::Codex,
        &[
            alias("Bash", "shell:execute", CMD),
            alias("exec_command", "shell:execute", CMD),
            alias("local_shell", "shell:execute", CMD),
            alias("shell", "shell:execute", CMD),
            alias("apply_patch", "fs:write", &[("input", "patch"), ("command", "patch")]),
            alias("view_image", "fs:read", PATH),
            alias("update_plan", "plan:todo", &[]),
            alias("shell_command", "shell:execute", CMD),
            alias("container.exec", "shell:execute", CMD),
            alias("unified_exec", "shell:execute", CMD),
            alias("write_stdin", "shell:execute", &[("chars", "command")]),
            alias("read_file", "fs:read", PATH),
            alias("list_dir", "fs:read", PATH),
            alias("grep_files", "fs:read", PATH),
            alias("request_user_input", "plan:ask", &[]),
            alias("spawn_agent", "plan:delegate", &[]),
            alias("send_input", "plan:delegate", &[]),
            alias("resume_agent", "plan:delegate", &[]),
            alias("wait", "plan:watch", &[]),
            alias("wait_agent", "plan:watch", &[]),
            alias("list_mcp_resources", "plan:watch", &[]),
            alias("list_mcp_resource_templates", "plan:watch", &[]),
            alias("close_agent", "plan:stop", &[]),
            alias("web_search", "net:search", &[]),
        ],
    ),
    (
        Client::GeminiCli,
        &[
            alias("run_shell_command", "shell:execute", CMD),
            alias("read_file", "fs:read", PATH),
            alias("read_many_files", "fs:read", &[("include", "paths")]),
            alias("list_directory", "fs:read", PATH),
            alias("glob", "fs:read", PATH),
            alias("search_file_content", "fs:read", PATH),
            alias("grep_search", "fs:read", PATH),
            alias("write_file", "fs:write", PATH),
            alias("replace", "fs:write", PATH),
            alias("web_fetch", "net:fetch", &[]),
            alias("google_web_search", "net:search", &[]),
            alias("exit_plan_mode", "plan:leave", &[]),
            alias("write_todos", "plan:todo", &[]),
            alias("ask_user", "plan:ask", &[]),
            alias("enter_plan_mode", "plan:todo", &[]),
            alias("complete_task", "plan:submit", &[]),
            alias("activate_skill", "plan:delegate", &[]),
            alias("delegate_to_agent", "plan:delegate", &[]),
            alias("codebase_investigator", "plan:delegate", &[]),
            alias("cli_help", "plan:watch", &[]),
            alias("get_internal_docs", "plan:watch", &[]),
        ],
    ),
    (
        Client::Cursor,
        &[
            alias("Shell", "shell:execute", CMD),
            alias("Read", "fs:read", PATH),
            alias("Grep", "fs:read", PATH),
            alias("Write", "fs:write", PATH),
            alias("Delete", "fs:delete", PATH),
            alias("Glob", "fs:read", PATH),
            alias("LS", "fs:read", PATH),
            alias("SemanticSearch", "fs:read", PATH),
            alias("ReadLints", "fs:read", PATH),
            alias("StrReplace", "fs:write", PATH),
            alias("Edit", "fs:write", PATH),
            alias("MultiEdit", "fs:write", PATH),
            alias("EditNotebook", "fs:write", PATH),
            alias("WebFetch", "net:fetch", &[]),
            alias("WebSearch", "net:search", &[]),
            alias("TodoWrite", "plan:todo", &[]),
            alias("TodoRead", "plan:todo", &[]),
            alias("AskQuestion", "plan:ask", &[]),
            alias("Task", "plan:delegate", &[]),
            alias("Await", "plan:watch", &[]),
        ],
    ),
    (
        Client::Copilot,
        &[
            alias("bash", "shell:execute", CMD),
            alias("Bash", "shell:execute", CMD),
            alias("run_in_terminal", "shell:execute", CMD),
            alias("view", "fs:read", PATH),
            alias("read_file", "fs:read", PATH),
            alias("create", "fs:write", PATH),
            alias("edit", "fs:write", PATH),
            alias("create_file", "fs:write", PATH),
            alias("edit_file", "fs:write", PATH),
            alias("fetch", "net:fetch", &[]),
            alias("write_bash", "shell:execute", &[("input", "command")]),
            alias("read_bash", "plan:watch", &[]),
            alias("list_bash", "plan:watch", &[]),
            alias("stop_bash", "plan:stop", &[]),
            alias("grep", "fs:read", PATH),
            alias("glob", "fs:read", PATH),
            alias("rg", "fs:read", PATH),
            alias("list_dir", "fs:read", PATH),
            alias("file_search", "fs:read", PATH),
            alias("grep_search", "fs:read", PATH),
            alias("semantic_search", "fs:read", PATH),
            alias("get_errors", "fs:read", PATH),
            alias("create_directory", "fs:mkdir", PATH),
            alias("replace_string_in_file", "fs:write", PATH),
            alias("insert_edit_into_file", "fs:write", PATH),
            alias("apply_patch", "fs:write", &[("input", "patch")]),
            alias("fetch_webpage", "net:fetch", &[]),
            alias("web_fetch", "net:fetch", &[]),
            alias("update_todo", "plan:todo", &[]),
            alias("manage_todo_list", "plan:todo", &[]),
            alias("report_intent", "plan:think", &[]),
            alias("ask_user", "plan:ask", &[]),
            alias("exit_plan_mode", "plan:leave", &[]),
            alias("task", "plan:delegate", &[]),
            alias("runSubagent", "plan:delegate", &[]),
            alias("skill", "plan:delegate", &[]),
            alias("read_agent", "plan:watch", &[]),
            alias("list_agents", "plan:watch", &[]),
            alias("get_terminal_output", "plan:watch", &[]),
            alias("kill_terminal", "plan:stop", &[]),
        ],
    ),
    (
        Client::Windsurf,
        &[
            alias("run_command", "shell:execute", CMD),
            alias("read_code", "fs:read", PATH),
            alias("write_code", "fs:write", PATH),
        ],
    ),
    (
        Client::Opencode,
        &[
            alias("bash", "shell:execute", CMD),
            alias("read", "fs:read", &[("filePath", "path")]),
            alias("list", "fs:read", PATH),
            alias("grep", "fs:read", PATH),
            alias("glob", "fs:read", PATH),
            alias("write", "fs:write", &[("filePath", "path")]),
            alias("edit", "fs:write", &[("filePath", "path")]),
            alias("patch", "fs:write", &[("patchText", "patch")]),
            alias("webfetch", "net:fetch", &[]),
            alias("todowrite", "plan:todo", &[]),
            alias("todoread", "plan:todo", &[]),
            alias("multiedit", "fs:write", &[("filePath", "path")]),
            alias("apply_patch", "fs:write", &[("patchText", "patch")]),
            alias("lsp", "fs:read", PATH),
            alias("websearch", "net:search", &[]),
            alias("codesearch", "net:search", &[]),
            alias("question", "plan:ask", &[]),
            alias("plan_enter", "plan:todo", &[]),
            alias("plan_exit", "plan:leave", &[]),
            alias("task", "plan:delegate", &[]),
            alias("skill", "plan:delegate", &[]),
        ],
    ),
    (
        Client::Openhands,
        &[
            alias("terminal", "shell:execute", CMD),
            alias("execute_bash", "shell:execute", CMD),
            alias("execute_ipython_cell", "python:execute", CODE),
            alias("file_editor", "fs:write", PATH),
            alias("str_replace_editor", "fs:write", PATH),
            alias("think", "plan:think", &[]),
            alias("finish", "plan:submit", &[]),
            alias("task_tracker", "plan:todo", &[]),
            alias("glob", "fs:read", PATH),
            alias("grep", "fs:read", PATH),
            alias("delegate", "plan:delegate", &[]),
            alias("invoke_skill", "plan:delegate", &[]),
        ],
    ),
    (
        Client::Doorward,
        &[
            alias("shell_interpreter", "shell:execute", CMD),
            alias("python_interpreter", "python:execute", CODE),
            alias("execute_bash", "shell:execute", CMD),
            alias("bash", "shell:execute", CMD),
            alias("read_file", "fs:read", PATH),
            alias("view_file", "fs:read", PATH),
            alias("list_files", "fs:read", PATH),
            alias("search", "fs:read", PATH),
            alias("create_file", "fs:write", PATH),
            alias("edit_file", "fs:write", PATH),
            alias("multi_edit", "fs:write", PATH),
            alias("write_file", "fs:write", PATH),
            alias("str_replace_editor", "fs:write", PATH),
            alias("delete_file", "fs:delete", PATH),
            alias("rm", "fs:delete", PATH),
            alias("web_fetch", "net:fetch", &[]),
            alias("web_search", "net:search", &[]),
            alias("submit_plan", "plan:submit", &[]),
            alias("exit_plan_mode", "plan:leave", &[]),
            alias("plan", "plan:submit", &[]),
            alias("ask_human", "plan:ask", &[]),
            alias("think", "plan:think", &[]),
            alias("todo_update", "plan:todo", &[]),
        ],
    ),
];

impl ToolName {
    /// Checks the character set and that no canonical tool is imitated by letter case.
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

    /// The class of a canonical or MCP name; `None` for a tool nobody knows.
    #[must_use]
    pub fn class(&self) -> Option<ToolClass> {
        if self.0.starts_with("mcp:") {
            return Some(ToolClass::Mcp);
        }
        CANONICAL.iter().find(|(known, _)| *known == self.0).map(|(_, class)| *class)
    }

    /// Server and tool of an `mcp:<server>/<tool>` name.
    #[must_use]
    pub fn mcp_parts(&self) -> Option<(&str, &str)> {
        self.0.strip_prefix("mcp:")?.split_once('/')
    }

    /// Whether it is one of the code interpreters (`python:execute`, …).
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.0 != "shell:execute" && self.0.ends_with(":execute")
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

/// The known name that `name` differs from only in letter case, if any.
#[must_use]
pub fn confusable<'k>(name: &str, mut known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known.find(|known| *known != name && known.eq_ignore_ascii_case(name))
}

/// What a client's tool name means: the canonical name, and the alias row if it came from the table.
///
/// Names are compared after trimming; canonical names are accepted from every client. MCP names are
/// `mcp__server__tool` (Claude, Codex), `mcp_server_tool` (Gemini, first underscore splits) and `MCP:tool` (Cursor).
/// A name nobody knows stays as it is (its class is then `None`: judged as Execute with `tool.unknown`).
///
/// # Errors
/// [`ToolNameError`] for a name outside the character set or one that imitates a known tool.
pub fn canonical(client: Client, name: &str) -> Result<(ToolName, Option<&'static Alias>), ToolNameError> {
    let name = name.trim();
    let own = ALIASES.iter().find(|(owner, _)| *owner == client).map_or(&[][..], |(_, rows)| rows);
    if let Some(row) = own.iter().find(|row| row.name == name) {
        return Ok((ToolName(row.canonical.to_owned()), Some(row)));
    }
    if let Some(known) = confusable(name, own.iter().map(|row| row.name)) {
        return Err(ToolNameError::Confusable { known: known.to_owned() });
    }
    if let Some((server, tool)) = mcp_name(client, name) {
        return ToolName::new(&format!("mcp:{server}/{tool}")).map(|name| (name, None));
    }
    ToolName::new(name).map(|name| (name, None))
}

fn mcp_name(client: Client, name: &str) -> Option<(&str, &str)> {
    if let Some(rest) = name.strip_prefix("mcp__") {
        return rest.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty());
    }
    match client {
        Client::GeminiCli => name.strip_prefix("mcp_")?.split_once('_'),
        Client::Cursor => name.strip_prefix("MCP:").map(|tool| ("cursor", tool)),
        _ => None,
    }
}

/// What starts a coding agent without the hooks it is installed with.
#[derive(Debug, Clone, Copy)]
pub struct AgentSwitches {
    /// Name of the agent's program.
    pub program: &'static str,
    /// Words that switch hooks off, or put other settings in place of those with the hooks. A word matches as a whole
    /// or up to `=`.
    pub words: &'static [&'static str],
    /// Words of which the next one, or the part behind `=`, switches hooks off where it holds this text.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Values behind such a word that leave hooks on.
    pub harmless: &'static [&'static str],
    /// Environment variables that make it read its settings from elsewhere.
    pub variables: &'static [&'static str],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_lead_to_canonical_tools_only() {
        for (client, rows) in ALIASES {
            for row in *rows {
                assert!(
                    CANONICAL.iter().any(|(known, _)| *known == row.canonical),
                    "{client:?} {} → {}",
                    row.name,
                    row.canonical
                );
            }
        }
    }

    #[test]
    fn names_are_checked_not_guessed() {
        let name = |client, text| canonical(client, text).map(|(name, _)| name.to_string());
        assert_eq!(name(Client::ClaudeCode, " Bash ").unwrap(), "shell:execute");
        assert_eq!(name(Client::ClaudeCode, "mcp__github__get_issue").unwrap(), "mcp:github/get_issue");
        assert_eq!(name(Client::GeminiCli, "mcp_fs_read_file").unwrap(), "mcp:fs/read_file");
        assert_eq!(name(Client::ClaudeCode, "bash").unwrap_err().code(), "tool.name_confusable");
        assert_eq!(name(Client::Doorward, "Shell:Execute").unwrap_err().code(), "tool.name_confusable");
        assert_eq!(name(Client::Doorward, "shell:execute\n").unwrap(), "shell:execute");
        assert_eq!(name(Client::Doorward, "shеll:execute").unwrap_err().code(), "tool.name_invalid");
        assert_eq!(canonical(Client::Doorward, "frobnicate").unwrap().0.class(), None);
        // An MCP server may call its tool `read_file`; that doesn't make it one of ours.
        assert_eq!(
            canonical(Client::ClaudeCode, "mcp__x__read_file").unwrap().0.class(),
            Some(ToolClass::Mcp)
        );
    }
}
