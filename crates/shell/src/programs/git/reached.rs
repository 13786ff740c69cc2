//! Which sub-commands of git reach a setting that runs a program.

use super::settings::{Key, key};

/// What git runs because a setting names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingRuns {
    /// A shell runs this text.
    Shell(String),
    /// Hooks are looked for in this folder.
    Hooks(String),
}

/// When git runs what a setting names: the sub-commands that reach it, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// By every sub-command that looks at the work tree or the index.
    Always,
    /// By these sub-commands.
    By(&'static [&'static str]),
    /// By these, and by every one that shows signatures.
    BySigned(&'static [&'static str]),
    /// By the sub-command of this very name (an alias).
    ByName,
}

const SHOWS: &[&str] = &[
    "add",
    "blame",
    "branch",
    "cat-file",
    "checkout",
    "commit",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "format-patch",
    "grep",
    "help",
    "log",
    "merge",
    "reflog",
    "restore",
    "shortlog",
    "show",
    "stash",
    "tag",
    "whatchanged",
];

const RECORDS: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clone",
    "commit",
    "gc",
    "merge",
    "notes",
    "pull",
    "push",
    "rebase",
    "replay",
    "reset",
    "restore",
    "revert",
    "stash",
    "switch",
    "tag",
    "verify-commit",
    "verify-tag",
    "worktree",
];

const CONTACTS: &[&str] = &[
    "archive",
    "clone",
    "credential",
    "fetch",
    "fetch-pack",
    "lfs",
    "ls-remote",
    "maintenance",
    "pull",
    "push",
    "remote",
    "send-pack",
    "submodule",
];

/// What a setting makes git run, and when; `None` where it runs nothing.
///
/// The key is written as `git config --list` writes it. Source: git-config(1), git 2.51.
#[must_use]
pub fn setting_runs(name: &str, value: &str) -> Option<(SettingRuns, Reached)> {
    let name_as_written = name;
    let name = name.to_ascii_lowercase();
    let first = name.split('.').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    let shell = |text: &str| SettingRuns::Shell(text.to_owned());
    let reached = match (first, last) {
        ("core", "fsmonitor") | ("filter", _) | ("submodule", "update") => Reached::Always,
        ("core", "pager") | ("diff" | "interactive" | "man" | "browser" | "web", _) => Reached::By(SHOWS),
        ("core", "sshcommand" | "askpass" | "gitproxy" | "alternaterefscommand")
        | ("credential" | "remote" | "uploadpack" | "receive" | "imap" | "url", _) => Reached::By(CONTACTS),
        ("core", "editor" | "hookspath") | ("sequence" | "merge", _) => Reached::By(RECORDS),
        ("gpg", _) => Reached::BySigned(RECORDS),
        ("trailer", _) => {
            Reached::By(&["am", "cherry-pick", "commit", "interpret-trailers", "merge", "rebase", "tag"])
        }
        ("alias" | "pager", _) => Reached::ByName,
        ("tar", _) => Reached::By(&["archive"]),
        ("difftool", _) => Reached::By(&["difftool"]),
        ("mergetool" | "guitool" | "instaweb" | "sendemail" | "lfs", _) => {
            Reached::By(&["citool", "gui", "instaweb", "lfs", "mergetool", "send-email"])
        }
        _ => Reached::Always,
    };
    let runs = match key(&name) {
        Key::Runs if last == "update" => shell(value.strip_prefix('!')?),
        Key::Runs if is_plain_value(value) => return None,
        Key::Runs => shell(value),
        Key::Helper => match value.strip_prefix('!') {
            Some(text) => shell(text),
            None if value.is_empty() => return None,
            None if value.contains('/') => shell(value),
            None => shell(&format!("git credential-{value}")),
        },
        Key::Alias => match value.strip_prefix('!') {
            Some(text) => shell(text),
            None => shell(&format!("git {value}")),
        },
        Key::Loads if last == "hookspath" => SettingRuns::Hooks(value.to_owned()),
        // `ext::COMMAND` as an address.
        Key::Trust if first == "remote" && last.ends_with("url") => shell(value.strip_prefix("ext::")?),
        Key::Trust if first == "url" => shell(&by_transport(name_as_written)?),
        Key::Loads | Key::Trust | Key::Harmless => return None,
    };
    Some((runs, reached))
}

/// The command in `url.ext::COMMAND.insteadOf`.
fn by_transport(name: &str) -> Option<String> {
    let address = name.get("url.".len()..)?.rsplit_once('.')?.0;
    address.strip_prefix("ext::").map(str::to_owned)
}

/// The global options of a git command line that choose its folder, and its sub-command.
#[must_use]
pub fn invocation(words: &[String]) -> Invocation {
    let mut found = Invocation::default();
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-C" => found.folders.extend(rest.next().map(str::to_owned)),
            "-c" | "--config-env" | "--namespace" | "--super-prefix" | "--attr-source" => drop(rest.next()),
            "--git-dir" => found.directory = rest.next().map(str::to_owned),
            "--work-tree" | "--exec-path" => drop(rest.next()),
            _ if word.starts_with("--git-dir=") => {
                found.directory = word.strip_prefix("--git-dir=").map(str::to_owned);
            }
            _ if word.starts_with('-') => {}
            _ => {
                found.subcommand = Some(word.to_owned());
                break;
            }
        }
    }
    found
}

/// Where a git command line looks, and what it does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Values of `-C`, each relative to the one before.
    pub folders: Vec<String>,
    /// The repository, where `--git-dir` names it.
    pub directory: Option<String>,
    /// The sub-command.
    pub subcommand: Option<String>,
}

pub(super) fn is_plain_value(value: &str) -> bool {
    matches!(
        value,
        "" | "true"
            | "false"
            | "yes"
            | "no"
            | "on"
            | "off"
            | "0"
            | "1"
            | "cat"
            | "less"
            | "less -R"
            | "less -FRX"
            | "more"
            | "vim"
            | "vi"
            | "nano"
            | "emacs"
            | "code --wait"
            | "nvim"
            | "delta"
            | "gpg"
            | "gpg2"
            | "ssh"
            | ":"
    )
}
