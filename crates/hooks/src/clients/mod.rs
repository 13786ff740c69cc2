//! The facts about each client, one file per client. No other code names a client.
//!
//! A [`Contract`] is data and pure functions: the client's names for tools and arguments, its events and the replies
//! it obeys, its behaviour in each mode, its own rules, where its hooks are installed, how it runs in Doorward's
//! sandbox, the event that tests its hook, and the versions on which all this was measured.

use doorward_core::json::{Object, Value};
use doorward_core::tool::{AgentSwitches, Client};

use crate::install::Target;
use crate::{Answer, Event, EventError, HookCall, Reply};

mod alias;
mod behaviour;
mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod doorward;
mod gemini_cli;
mod mcp;
mod opencode;
mod openhands;
mod reading;
mod windsurf;

pub use alias::Alias;
pub use behaviour::{Asked, Behaviour, ClientMode, Untold};
pub use reading::{canonical, canonical_call};

/// The contract of every client, in the order of [`Client::ALL`].
static CONTRACTS: &[&Contract] = &[
    &doorward::CONTRACT,
    &claude_code::CONTRACT,
    &codex::CONTRACT,
    &gemini_cli::CONTRACT,
    &cursor::CONTRACT,
    &copilot::CONTRACT,
    &windsurf::CONTRACT,
    &opencode::CONTRACT,
    &openhands::CONTRACT,
    &mcp::CONTRACT,
];

/// The facts about a client. A client without hooks has the defaults of [`Contract::of`].
#[derive(Debug)]
pub struct Contract {
    /// The client.
    pub client: Client,
    /// Its name for people.
    pub title: &'static str,
    /// Versions on which its events and replies were measured; empty if they are only documented.
    pub measured: &'static [&'static str],
    /// Its names of the canonical tools.
    pub tools: &'static [Alias],
    /// Splits a joined MCP name into server and tool, if the client has a form of its own.
    pub mcp_name: fn(&str) -> Option<(&str, &str)>,
    /// Picks the canonical tool, by arguments, for a client's tool that stands for several.
    pub split_tool: fn(&str, &Object) -> Option<(&'static str, Object)>,
    /// Parses an event.
    pub event: fn(&Value) -> Result<Event, EventError>,
    /// Formats an answer. The first argument is the name of the event.
    pub reply: fn(&str, &Answer) -> Reply,
    /// Formats the denial of an event that couldn't be read, judged or recorded.
    pub fault: fn(&str) -> Reply,
    /// Its behaviour in each mode.
    pub behaviour: &'static Behaviour,
    /// Whether it runs this call without asking, although it asks about others in this mode.
    pub runs_unasked: fn(ClientMode, &HookCall) -> bool,
    /// The mode from its command line, if its events report none.
    pub started_in: fn(&[String]) -> Option<ClientMode>,
    /// Whether its command line makes it non-interactive.
    pub asks_nobody: fn(&[String]) -> bool,
    /// A configuration file that can make it never ask.
    pub silencing: Option<Silencing>,
    /// Whether it reports outcomes of calls.
    pub reports_outcomes: bool,
    /// Whether the end of its transcript says that the person refused the call of this id before it ran. `None` if
    /// its transcript doesn't distinguish that from an interrupted call.
    pub refused_in: Option<fn(transcript: &str, call: &str) -> bool>,
    /// The event that asks for an approval in place of its own prompt. `None`: the event before the call.
    pub asks_by_event: Option<&'static str>,
    /// Whether a hook's allow replaces its own prompt.
    pub yes_waives: bool,
    /// Whether it accepts rewritten arguments from a hook, so that shell calls can be bound.
    pub takes_rewrites: bool,
    /// Whether its shell keeps its folder between calls.
    pub keeps_folder: bool,
    /// Whether a project's hooks file makes it ignore the user's.
    pub project_hides_user: bool,
    /// Whether it has a terminal that keeps its folder between calls but whose folder isn't reported before a call.
    pub keeps_terminal: bool,
    /// Whether the folder in its events is the conversation's workspace, while its process may run elsewhere.
    pub tells_workspace: bool,
    /// Whether a second judge of Doorward may run in its process and ask after the hook.
    pub judges_twice: bool,
    /// The environment variable that names its configuration folder, and the default below the home folder.
    pub config: Option<(&'static str, &'static str)>,
    /// Its own rules about shell commands.
    pub own_rules: Option<&'static OwnRules>,
    /// Where its hooks are installed.
    pub install: Option<&'static Target>,
    /// Files that decide whether it runs its hooks, below a home folder or a project.
    pub settings: &'static [&'static str],
    /// The setting in one of these files' text that disables hooks, in the file's spelling; `None` if hooks are
    /// enabled.
    pub hooks_off: fn(&str) -> Option<&'static str>,
    /// Ways to start it without its hooks.
    pub switches: Option<AgentSwitches>,
    /// How it runs inside Doorward's sandbox.
    pub enclosure: Option<&'static Enclosure>,
    /// A sample event of a shell command in a working folder, with which `doctor` tests the hook.
    pub canary: fn(command: &str, cwd: &str) -> serde_json::Value,
}

/// A client's configuration file that can make it never ask.
#[derive(Debug, Clone, Copy)]
pub struct Silencing {
    /// Its name, in the configuration folder.
    pub file: &'static str,
    /// Whether this content makes the client never ask.
    pub silences: fn(&str) -> bool,
}

impl Contract {
    /// A client without hooks of its own: only its tool names are known. Events in its name are handled like Claude
    /// Code's.
    #[must_use]
    pub const fn of(client: Client, title: &'static str, tools: &'static [Alias]) -> Self {
        Self {
            client,
            title,
            measured: &[],
            tools,
            mcp_name: |_| None,
            split_tool: |_, _| None,
            event: claude_code::event,
            reply: claude_code::reply,
            fault: reading::fault_by_exit,
            behaviour: &Behaviour::UNKNOWN,
            runs_unasked: |_, _| false,
            started_in: |_| None,
            asks_nobody: |_| false,
            silencing: None,
            reports_outcomes: true,
            refused_in: None,
            yes_waives: true,
            asks_by_event: None,
            takes_rewrites: false,
            keeps_folder: false,
            project_hides_user: false,
            keeps_terminal: false,
            tells_workspace: false,
            judges_twice: false,
            config: None,
            own_rules: None,
            install: None,
            settings: &[],
            hooks_off: |_| None,
            switches: None,
            enclosure: None,
            canary: claude_code::canary,
        }
    }

    /// What it does with a call if Doorward gives no opinion, and if Doorward answers `ask`.
    #[must_use]
    pub fn does(&self, mode: ClientMode, attended: bool, call: &HookCall) -> (Untold, Asked) {
        let (untold, asked) = self.behaviour.of(mode, attended);
        if (self.runs_unasked)(mode, call) { (Untold::Runs, asked) } else { (untold, asked) }
    }
}

/// A client's own rules for shell commands, in its syntax: `Bash(git push:*)`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellRules {
    /// Rules that refuse.
    pub deny: Vec<String>,
    /// Rules that ask.
    pub ask: Vec<String>,
    /// Rules that allow without asking.
    pub allow: Vec<String>,
}

/// Rules given on a client's command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenRules {
    /// The path of a settings file.
    File(String),
    /// The content of a settings file.
    Text(String),
    /// Single rules, with the option that gave them.
    Rules(String, ShellRules),
}

/// Where a client keeps its own rules, and how to read them.
#[derive(Debug)]
pub struct OwnRules {
    /// System-wide files.
    pub system: &'static [&'static str],
    /// Files in the client's configuration folder.
    pub user: &'static [&'static str],
    /// Files in the project.
    pub project: &'static [&'static str],
    /// Reads the shell rules from such a file.
    pub read: fn(&str) -> Result<ShellRules, String>,
    /// Reads the rules of a command line.
    pub given: fn(&[String]) -> Vec<GivenRules>,
}

/// Members of a JSON configuration file that an enclosed client may change permanently: its login and completed
/// set-up, but nothing that makes it run, load or allow something.
#[derive(Debug)]
pub struct KeptMembers {
    /// The file in the configuration folder.
    pub file: &'static str,
    /// Its path below the home folder, if it lies there while no variable names the configuration folder.
    pub home_file: Option<&'static str>,
    /// The members that are kept; empty for all.
    pub members: &'static [&'static str],
}

/// How a client runs inside Doorward's sandbox.
#[derive(Debug)]
pub struct Enclosure {
    /// Name of its program.
    pub program: &'static str,
    /// Entries of its configuration folder that are copied into the sandbox.
    pub copied: &'static [&'static str],
    /// A configuration file that lies in the home folder unless a variable names another folder.
    pub copied_from_home: Option<&'static str>,
    /// Entries of the copy that it can't change.
    pub fixed: &'static [&'static str],
    /// The file of the copy into which the hook is installed.
    pub hooks: &'static str,
    /// Members that it may change permanently.
    pub kept: &'static [KeptMembers],
    /// Prefixes of its own environment variables that are passed in.
    pub variables: &'static [&'static str],
    /// Hosts of its provider.
    pub hosts: &'static [&'static str],
    /// Environment variables that select another provider.
    pub provider: &'static [&'static str],
    /// Options inserted before the user's.
    pub words: &'static [&'static str],
    /// Whether it skips hooks that it wasn't told to trust.
    pub needs_trust: bool,
}

/// Every contract.
pub fn all() -> impl Iterator<Item = &'static Contract> {
    CONTRACTS.iter().copied()
}

/// The contract of a client.
#[must_use]
pub fn contract(client: Client) -> &'static Contract {
    // Test `every_client_has_its_contract` ensures that each is found.
    all().find(|contract| contract.client == client).unwrap_or(&doorward::CONTRACT)
}

/// Every client's name of a tool, with the canonical one.
pub fn aliases() -> impl Iterator<Item = (Client, &'static Alias)> {
    all().flat_map(|contract| contract.tools.iter().map(|row| (contract.client, row)))
}

/// Ways to start each known agent without its hooks.
#[must_use]
pub fn switches() -> Vec<AgentSwitches> {
    all().filter_map(|contract| contract.switches).collect()
}

/// Files that decide whether a client runs its hooks, below a home folder or a project.
#[must_use]
pub fn settings_files() -> Vec<&'static str> {
    all().flat_map(|contract| contract.settings.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_core::tool::{CANONICAL, ToolClass};

    #[test]
    fn every_client_has_its_contract() {
        for client in Client::ALL.iter().copied() {
            assert_eq!(contract(client).client, client);
        }
    }

    #[test]
    fn aliases_lead_to_canonical_tools_only() {
        for (client, row) in aliases() {
            let known = CANONICAL.iter().any(|(known, _)| *known == row.canonical);
            assert!(known, "{client:?} {} → {}", row.name, row.canonical);
        }
    }

    #[test]
    fn names_are_checked_not_guessed() {
        let name = |client, text| canonical(client, text).map(|(name, _)| name.to_string());
        assert_eq!(name(Client::ClaudeCode, " Bash ").unwrap(), "shell:execute");
        assert_eq!(name(Client::ClaudeCode, "mcp__github__get_issue").unwrap(), "mcp:github/get_issue");
        assert_eq!(name(Client::GeminiCli, "mcp_fs_read_file").unwrap(), "mcp:fs/read_file");
        assert_eq!(name(Client::Cursor, "MCP:search").unwrap(), "mcp:cursor/search");
        assert_eq!(name(Client::ClaudeCode, "bash").unwrap_err().code(), "tool.name_confusable");
        assert_eq!(name(Client::Doorward, "Shell:Execute").unwrap_err().code(), "tool.name_confusable");
        assert_eq!(name(Client::Doorward, "shell:execute\n").unwrap(), "shell:execute");
        assert_eq!(name(Client::Doorward, "shеll:execute").unwrap_err().code(), "tool.name_invalid");
        assert_eq!(canonical(Client::Doorward, "frobnicate").unwrap().0.class(), None);
        // A server's tool named `read_file` is still an MCP tool.
        let of_server = canonical(Client::ClaudeCode, "mcp__x__read_file").unwrap().0;
        assert_eq!(of_server.class(), Some(ToolClass::Mcp));
    }

    #[test]
    fn a_client_that_can_be_enclosed_has_a_folder_and_hooks() {
        for contract in all().filter(|contract| contract.enclosure.is_some()) {
            assert!(contract.config.is_some() && contract.install.is_some(), "{}", contract.title);
            assert!(contract.takes_rewrites, "{}: its shell calls are bound", contract.title);
        }
    }
}
