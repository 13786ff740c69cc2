//! The overview of commands in groups, and `doorward help TOPIC`: codes, settings, rules, modes, exit codes.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Command, ValueEnum};
use doorward::rooms::settings::Settings;
use serde_json::Value;

use crate::output::Failure;

mod codes;

/// Commands by what a person wants to do. A test holds that every command is in one group.
const GROUPS: &[(&str, &[&str])] = &[
    ("Set up", &["install", "uninstall", "doctor", "config", "knowledge", "completions"]),
    ("Every day", &["status", "approvals", "console", "sessions", "run", "guard", "mcp"]),
    ("Ask without running", &["check", "scan", "net", "sandbox", "policy"]),
    ("The record", &["audit"]),
    ("The service", &["serve", "stop", "restart", "logs", "fetch", "proxy"]),
    ("Models that judge", &["guardian", "experiences", "eval"]),
    ("Run by agents, not by people", &["hook", "exec"]),
    ("More", &["help"]),
];

const RULES: &str = "\
Rules stand under [rules] in doorward.toml, in the lists allow, ask and deny. Deny wins over ask, ask over allow.

  shell(git status)            exactly these words
  shell(git diff *)            these words, then any others
  shell(cargo test <name>)     a word of this kind: <name>, <path>, <int>, <hex>, <tempname> (allow only)
  Read(docs/**)                reading files: from the project; ~/x from home, //etc/x from the root of the machine
  Edit(src/**)                 writing and deleting files, the same way
  net(docs.rs)                 contacts to a host; *.x is below x, **.x is x and below
  mcp(github/list_issues)      one tool of an MCP server; mcp(github/*) all of them
  call(mcp:db/query {\"sql\": \"SELECT 1\"})   one tool with exactly these arguments (allow only)
  shell, Read, Edit, net       every call of that kind

An allow rule covers a command line only where it covers every command in it, and never what a floor denies. One that
names a program which Doorward doesn't know settles that question, but nothing else that was found about the command. A
deny or ask rule sees through wrappers, interpreters and spellings. A rule may be a table:

  { rule = \"shell(git push *)\", reason = \"only after review\", until = \"2027-01-01T00:00:00Z\",
    matches = [\"git push origin main\"], not_matches = [\"git pull\"], only = { project = \"/home/me/work\" } }

`doorward config check` warns of rules that can't do what they seem to; `doorward check -c CMD --explain` shows which
rule decided.";

const MODES: &str = "\
What happens to a call that no floor and no rule settles (modes.default, or what the agent says it is in):

  default             asks before anything changes; reading inside the project passes
  plan                refuses everything that changes something
  acceptEdits         edits of files inside the project pass; the rest as in default
  dontAsk             passes what default asks about, and refuses what a rule or a shipped question asks about;
                      modes.dont_ask = \"deny\" refuses both
  bypassPermissions   passes what no floor, rule or shipped question stops; modes.disable_bypass = true turns it off

Floors, deny rules, and the questions of the shipped pack hold in every mode.";

const EXIT_CODES: &str = "\
\x20  0   allowed, or done
   1   `status` and `doctor`: something is wrong; `install`: the agent skips the hook, because it doesn't trust it yet
   2   the question itself was wrong, or something failed; the error names its code
  10   a person would be asked
  11   denied
`doorward run` exits as the command does, and with 125 if the command wasn't run.";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to tell about
    topic: Option<Topic>,
    /// A code, or a settings key or its beginning
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Topic {
    /// What each code in an answer or an error stands for
    Codes,
    /// Every key of doorward.toml
    Settings,
    /// How rules are written
    Rules,
    /// Permission modes
    Modes,
    /// What the exit codes mean
    ExitCodes,
}

pub(crate) fn run(args: &Args, mut command: Command) -> Result<ExitCode, Failure> {
    let name = args.name.as_deref();
    let text = match args.topic {
        None => command.render_help().ansi().to_string(),
        Some(Topic::Codes) => codes::text(name)?,
        Some(Topic::Settings) => settings(name)?,
        Some(Topic::Rules) => RULES.to_owned(),
        Some(Topic::Modes) => MODES.to_owned(),
        Some(Topic::ExitCodes) => EXIT_CODES.to_owned(),
    };
    anstream::println!("{}", text.trim_end());
    Ok(ExitCode::SUCCESS)
}

/// The command with its subcommands listed in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{about}\n\n\u{1b}[1;4mUsage:\u{1b}[0m \u{1b}[1mdoorward\u{1b}[0m <COMMAND>\n");
    for (title, names) in GROUPS {
        let _ = write!(text, "\n\u{1b}[1;4m{title}\u{1b}[0m\n");
        for name in *names {
            let told = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let _ = writeln!(text, "  \u{1b}[1m{name:<12}\u{1b}[0m {}", told.unwrap_or_default());
        }
    }
    text.push_str(
        "\nBegin with `doorward install claude-code`, then `doorward doctor`. `doorward COMMAND --help` tells more;\n\
         `doorward help codes`, `settings`, `rules`, `modes` and `exit-codes` explain what you meet.\n\n\
         \u{1b}[1;4mOptions:\u{1b}[0m\n  \u{1b}[1m-h, --help\u{1b}[0m     Print help\n  \u{1b}[1m-V, --version\u{1b}[0m  Print version",
    );
    command.override_help(clap::builder::StyledStr::from(text))
}

/// Keys of the settings with what they mean, from the schema that editors use.
fn settings(name: Option<&str>) -> Result<String, Failure> {
    let schema = Settings::schema().json_schema();
    let sections = schema.get("properties").and_then(Value::as_object);
    let mut text = String::new();
    for (section, about) in sections.into_iter().flatten() {
        let mut keys = String::new();
        for (key, what) in about.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let whole = format!("{section}.{key}");
            if name.is_some_and(|name| !whole.starts_with(name)) {
                continue;
            }
            let word = |member: &str| {
                what.get(member).and_then(Value::as_str).unwrap_or_default().replace('\n', " ")
            };
            let default = what.get("default").filter(|value| !value.is_null());
            let default = default.map(|value| format!(" (default {value})")).unwrap_or_default();
            let _ = writeln!(keys, "  {whole:<32} {}{default}", word("description"));
        }
        if !keys.is_empty() {
            let told =
                about.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
            let _ = write!(text, "\n\u{1b}[1m[{section}]\u{1b}[0m {told}\n{keys}");
        }
    }
    match (text.is_empty(), name) {
        (true, Some(name)) => {
            let why = format!("no key begins with `{name}`; `doorward help settings` lists all");
            Err(Failure::new("help.unknown_key", why))
        }
        _ => Ok(text.trim_start().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::Cli::command();
        let mut own: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        own.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(own, grouped);
    }

    #[test]
    fn topics_tell_what_there_is() {
        assert!(settings(Some("hooks.relieve")).unwrap().contains("hooks.relieve"));
        assert!(settings(Some("nothing")).is_err());
    }
}
