//! The overview of commands in groups, and `doorward help TOPIC`: codes, settings, exit codes, and pages of `docs/` by
//! their names or by other words for what is on them.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Command;
use doorward::rooms::settings::{Settings, nearest};
use serde_json::Value;

use crate::output::{Failure, document};

mod codes;
mod pages;
mod render;

/// Commands by what a person wants to do. A test holds that every command is in one group.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Set up",
        &["setup", "install", "uninstall", "plugin", "doctor", "config", "knowledge", "completions", "man"],
    ),
    (
        "Every day",
        &[
            "status",
            "observe",
            "pause",
            "approvals",
            "approve",
            "deny",
            "console",
            "sessions",
            "run",
            "guard",
            "mcp",
        ],
    ),
    ("Rules and stops", &["allow", "ask", "rules", "revoke", "stop", "resume"]),
    ("Ask without running", &["check", "look-back", "scan", "net", "sandbox", "policy"]),
    ("The record", &["audit"]),
    ("The service", &["serve", "restart", "logs", "fetch", "proxy"]),
    ("Models that judge", &["guardian", "experiences", "eval"]),
    ("Run by agents, not by people", &["hook", "exec"]),
    ("More", &["help"]),
];

const EXIT_CODES: &str = "\
\x20  0   allowed, or done
   1   `status` and `doctor`: something is wrong; `install`: the agent skips the hook, because it doesn't trust it yet
   2   the question itself was wrong, or something failed; the error names its code
  10   a person would be asked
  11   denied
`doorward run` exits as the command does, and with 125 if the command wasn't run.";

/// Topics that are made here; the others are pages.
const MADE: [&str; 3] = ["codes", "settings", "exit-codes"];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A topic, such as `modes`, or a word for it, such as `allowedHosts`; behind `codes` a code, behind `settings` a
    /// key, or its beginning
    words: Vec<String>,
}

pub(crate) fn run(args: &Args, mut command: Command) -> Result<ExitCode, Failure> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let text = match words.as_slice() {
        [] => command.render_help().ansi().to_string(),
        ["codes", name @ ..] if name.len() < 2 => codes::text(name.first().copied())?,
        ["settings", name @ ..] if name.len() < 2 => settings(name.first().copied())?,
        ["exit-codes"] => EXIT_CODES.to_owned(),
        words => about(&words.join(" "), &mut command)?,
    };
    document(&format!("{}\n", text.trim_end()))?;
    Ok(ExitCode::SUCCESS)
}

/// A page, a settings key, a code, or a command's own help.
fn about(words: &str, command: &mut Command) -> Result<String, Failure> {
    if let Some(page) = pages::page(words) {
        return Ok(render::rendered(page.text));
    }
    let found = settings(Some(words)).or_else(|_| codes::text(Some(words)));
    match found {
        Ok(text) if words.contains(['.', '_']) => return Ok(text),
        _ => {}
    }
    // Only then a subcommand's usage begins with `doorward`.
    command.build();
    if let Some(own) = command.find_subcommand_mut(words) {
        return Ok(own.render_long_help().ansi().to_string());
    }
    let mut why = format!("there is no topic `{words}`");
    let naming = pages::naming(words);
    if let Some(near) = nearest(words, pages::known().chain(MADE)) {
        let _ = write!(why, "; did you mean `{near}`?");
    } else if !naming.is_empty() {
        let _ = write!(why, "; these name it: {}", naming.join(", "));
    } else {
        let topics: Vec<&str> = pages::PAGES.iter().map(|page| page.topic).chain(MADE).collect();
        let _ = write!(why, "; there are {}", topics.join(", "));
    }
    Err(Failure::new("help.unknown_topic", why))
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
    text.push_str("\n\u{1b}[1;4mTopics\u{1b}[0m, for `doorward help TOPIC`\n");
    let made = [
        ("codes", "What each code in an answer or an error stands for"),
        ("settings", "Every key of doorward.toml"),
        ("exit-codes", "What the exit codes mean"),
    ];
    for (topic, about) in pages::PAGES.iter().map(|page| (page.topic, page.about)).chain(made) {
        let _ = writeln!(text, "  \u{1b}[1m{topic:<13}\u{1b}[0m {about}");
    }
    text.push_str(
        "\nBegin with `doorward setup`. `doorward COMMAND --help` tells more;\n\
         `doorward help` also takes a word that you know from elsewhere, such as `allowedHosts`.\n\n\
         \u{1b}[1;4mOptions:\u{1b}[0m\n  \u{1b}[1m-h, --help\u{1b}[0m     Print help\n  \u{1b}[1m-V, --version\u{1b}[0m  Print version\n  \u{1b}[1m--json\u{1b}[0m         Print JSON, one line each",
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

    #[test]
    fn words_find_a_page_a_key_a_code_or_a_command() {
        let mut command = grouped(crate::Cli::command());
        let mut help = |words| about(words, &mut command).map_err(|failure| failure.message);
        assert!(help("ConfirmRisky threshold").unwrap().contains("confirm_unknown"));
        assert!(help("net.allowed_hosts").unwrap().contains("net.allowed_hosts"));
        assert!(help("flow.secret_to_egress").unwrap().contains("flow.secret_to_egress"));
        let check = help("check").unwrap();
        assert!(check.contains("--batch") && check.contains("doorward check"), "{check}");
        assert!(help("alowedHosts").unwrap_err().contains("did you mean `allowedHosts`"));
        assert!(help("postgres://").unwrap_err().contains("these name it: record"));
        assert!(help("zebra crossing in Lisbon").unwrap_err().contains("there are analyzers"));
    }
}
