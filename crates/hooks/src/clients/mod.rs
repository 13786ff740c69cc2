//! One file a client: everything that Doorward knows about it. Nothing elsewhere names a client.
//!
//! A [`Contract`] is data and pure functions: the client's names for tools and arguments, the events it sends and the
//! replies it obeys, what it does in each mode, its own rules, where its hooks are installed, how it is enclosed, the
//! event that proves its hook, and the versions on which all of this was measured.

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

/// What Doorward knows about a client. A client without hooks of its own has the defaults of [`Contract::of`].
#[derive(Debug)]
pub struct Contract {
    /// Whose it is.
    pub client: Client,
    /// Its name as people write it.
    pub title: &'static str,
    /// Versions on which its events and replies were measured; empty where they are only documented.
    pub measured: &'static [&'static str],
    /// Its names of the canonical tools.
    pub tools: &'static [Alias],
    /// Server and tool of a joined MCP name, where it has a form of its own.
    pub mcp_name: fn(&str) -> Option<(&str, &str)>,
    /// A tool that is more than one canonical tool, told apart by its arguments.
    pub split_tool: fn(&str, &Object) -> Option<(&'static str, Object)>,
    /// What an event says.
    pub event: fn(&Value) -> Result<Event, EventError>,
    /// An answer in its shape. The first argument is the name of the event that is answered.
    pub reply: fn(&str, &Answer) -> Reply,
    /// The denial for an event that could not be read, judged or recorded.
    pub fault: fn(&str) -> Reply,
    /// What it does in each mode.
    pub behaviour: &'static Behaviour,
    /// Calls that it runs without asking although it asks about others in this mode.
    pub runs_unasked: fn(ClientMode, &HookCall) -> bool,
    /// The mode that it was started in, where its events don't tell one.
    pub started_in: fn(&[String]) -> Option<ClientMode>,
    /// Whether it asks nobody, as it was started.
    pub asks_nobody: fn(&[String]) -> bool,
    /// A file in its configuration folder that can make it ask nobody.
    pub silencing: Option<Silencing>,
    /// It reports what became of a call.
    pub reports_outcomes: bool,
    /// Whether the end of its own account of the conversation says that the person refused the call of this id before
    /// it ran; `None` where its account doesn't tell that from a call that was interrupted while it ran.
    pub refused_in: Option<fn(transcript: &str, call: &str) -> bool>,
    /// The event by which it asks for a yes that replaces its own prompt; else that is the event before the call.
    pub asks_by_event: Option<&'static str>,
    /// A yes of a hook replaces its own prompt.
    pub yes_waives: bool,
    /// It takes other arguments from a hook, so that shell calls can be bound.
    pub takes_rewrites: bool,
    /// Its shell keeps its folder from call to call.
    pub keeps_folder: bool,
    /// Of a project's hooks file and the user's it reads the project's alone.
    pub project_hides_user: bool,
    /// It has a terminal whose folder it doesn't tell before a call: a `cd` lasts from call to call.
    pub keeps_terminal: bool,
    /// The folder in its events is the workspace that the conversation was started with. Its process may run anywhere.
    pub tells_workspace: bool,
    /// Its program may have a second judge of ours beside the hook, in the same process, which asks after the hook.
    pub judges_twice: bool,
    /// Variable that names its configuration folder, and where that is without it, below the home folder.
    pub config: Option<(&'static str, &'static str)>,
    /// Its own rules about shell commands.
    pub own_rules: Option<&'static OwnRules>,
    /// Where its hooks are installed.
    pub install: Option<&'static Target>,
    /// Files that decide whether it runs its hooks, below a home folder or a project.
    pub settings: &'static [&'static str],
    /// Whether the text of one of these files switches hooks off: the setting that does it, as the file spells it.
    pub hooks_off: fn(&str) -> Option<&'static str>,
    /// What starts it without its hooks.
    pub switches: Option<AgentSwitches>,
    /// How it runs inside our sandbox.
    pub enclosure: Option<&'static Enclosure>,
    /// The event of a shell command in a working folder; what `doctor` proves a hook with.
    pub canary: fn(command: &str, cwd: &str) -> serde_json::Value,
}

/// A file of a client's configuration that can make it ask nobody.
#[derive(Debug, Clone, Copy)]
pub struct Silencing {
    /// Its name in the configuration folder.
    pub file: &'static str,
    /// Whether this text makes the client ask nobody.
    pub silences: fn(&str) -> bool,
}

impl Contract {
    /// A client without hooks of its own: only its tool names are known, and what else comes in its name is read and
    /// answered like Claude Code's.
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

    /// What it does with a call that it is told nothing about, and with one that it is told to ask about.
    #[must_use]
    pub fn does(&self, mode: ClientMode, attended: bool, call: &HookCall) -> (Untold, Asked) {
        let (untold, asked) = self.behaviour.of(mode, attended);
        if (self.runs_unasked)(mode, call) { (Untold::Runs, asked) } else { (untold, asked) }
    }
}

/// Rules of a client's own about shell commands, as it writes them: `Bash(git push:*)`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellRules {
    /// What it refuses.
    pub deny: Vec<String>,
    /// What it asks about.
    pub ask: Vec<String>,
    /// What it lets pass without asking.
    pub allow: Vec<String>,
}

/// Rules that a client was given on its command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenRules {
    /// In a file.
    File(String),
    /// As the text of a settings file.
    Text(String),
    /// One by one, under the name of the word they stood behind.
    Rules(String, ShellRules),
}

/// Where a client keeps its own rules, and how they are read.
#[derive(Debug)]
pub struct OwnRules {
    /// Files of the system.
    pub system: &'static [&'static str],
    /// Files in the client's configuration folder.
    pub user: &'static [&'static str],
    /// Files in the project.
    pub project: &'static [&'static str],
    /// The shell rules in the text of such a file.
    pub read: fn(&str) -> Result<ShellRules, String>,
    /// What the command line adds.
    pub given: fn(&[String]) -> Vec<GivenRules>,
}

/// Members of a JSON file in the configuration that an enclosed client may change for good: its login, and that it
/// was set up. Nothing that makes it run, load or allow something.
#[derive(Debug)]
pub struct KeptMembers {
    /// The file in the configuration folder.
    pub file: &'static str,
    /// Where it is below the home folder while no variable names the configuration folder, if that is elsewhere.
    pub home_file: Option<&'static str>,
    /// Its members that are kept; all of them if there are none here.
    pub members: &'static [&'static str],
}

/// How a client runs inside our sandbox.
#[derive(Debug)]
pub struct Enclosure {
    /// Name of its program.
    pub program: &'static str,
    /// What of its configuration folder it gets a copy of.
    pub copied: &'static [&'static str],
    /// A file of its configuration that lies in the home folder while no variable names another one.
    pub copied_from_home: Option<&'static str>,
    /// What of the copy it can't change.
    pub fixed: &'static [&'static str],
    /// The file of the copy that gets the hook.
    pub hooks: &'static str,
    /// What it may change for good.
    pub kept: &'static [KeptMembers],
    /// Variables of its own that it gets from the person's environment, by how they begin.
    pub variables: &'static [&'static str],
    /// Its provider's hosts.
    pub hosts: &'static [&'static str],
    /// Variables that name another provider.
    pub provider: &'static [&'static str],
    /// Words it is started with before the person's.
    pub words: &'static [&'static str],
    /// It skips hooks that it wasn't told to trust.
    pub needs_trust: bool,
}

/// Every contract.
pub fn all() -> impl Iterator<Item = &'static Contract> {
    CONTRACTS.iter().copied()
}

/// The contract of a client.
#[must_use]
pub fn contract(client: Client) -> &'static Contract {
    // `every_client_has_its_contract` holds that each is found.
    all().find(|contract| contract.client == client).unwrap_or(&doorward::CONTRACT)
}

/// Every client's name of a tool, with the canonical one.
pub fn aliases() -> impl Iterator<Item = (Client, &'static Alias)> {
    all().flat_map(|contract| contract.tools.iter().map(|row| (contract.client, row)))
}

/// What starts a coding agent without its hooks, for every agent that is known.
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
        // An MCP server may call its tool `read_file`; that doesn't make it one of ours.
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
