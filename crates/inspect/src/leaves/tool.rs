//! What the name of a tool says it does.

use doorward_core::call::ToolCall;
use doorward_core::json::Value;
use doorward_shell::programs::is_known;

/// Words of names that say a tool changes things.
pub(super) const CHANGING: &[&str] = &[
    "append",
    "clear",
    "copy",
    "create",
    "delete",
    "edit",
    "empty",
    "erase",
    "insert",
    "mkdir",
    "move",
    "overwrite",
    "patch",
    "put",
    "remove",
    "rename",
    "replace",
    "save",
    "set",
    "truncate",
    "unlink",
    "update",
    "write",
];
/// Further words of names that say a tool puts a content somewhere.
pub(super) const STORING: &[&str] = &["add", "apply", "commit", "new", "push", "store", "upload"];
/// Words of names that say a tool runs what it is given.
const RUNNING: &[&str] = &[
    "bash", "cmd", "command", "eval", "evaluate", "exec", "execute", "python", "repl", "run", "sh", "shell",
    "terminal",
];
/// Words of servers whose texts are typed into a shell.
const TYPED: &[&str] = &["console", "pty", "screen", "ssh", "tmux", "zellij"];
/// Words of names that say a tool takes files away.
const DELETING: &[&str] = &["delete", "empty", "erase", "remove", "rm", "truncate", "unlink", "wipe"];
/// Words for folders in names of tools that take files away.
const FOLDERS: &[&str] = &["all", "dir", "directory", "folder", "recursive", "tree"];
/// First words of names of tools that only tell something.
pub(super) const READING: &[&str] = &[
    "check", "compare", "count", "describe", "diff", "explain", "fetch", "find", "get", "has", "inspect",
    "is", "list", "lookup", "preview", "query", "read", "search", "show", "status", "validate", "view",
];
/// Words of names that say a tool makes a file of something.
const MAKING: &[&str] = &["backup", "download", "dump", "export", "render", "screenshot", "snapshot"];
/// Words for what people read, and for pages that a tool fills in.
const PEOPLE: &[&str] = &[
    "browser",
    "chat",
    "comment",
    "email",
    "issue",
    "mail",
    "message",
    "note",
    "notes",
    "playwright",
    "puppeteer",
    "review",
    "search",
    "ticket",
];
/// Programs that do everything by their sub-commands and run no other program by themselves.
const SUBCOMMANDS: &[&str] =
    &["aws", "az", "gcloud", "gh", "git", "glab", "helm", "pulumi", "terraform", "tofu"];
/// Parameters that say that a path is one of another machine's.
const ELSEWHERE: &[&str] = &["bucket", "owner", "project_id", "projectid", "repo", "repository"];

/// What the name of a tool says.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolWords {
    /// Its words, in small letters.
    pub(crate) words: Vec<String>,
    /// The words of each name that the arguments give to what is to be done, and of all of them together.
    pub(crate) said: Vec<Vec<String>>,
    /// It changes what it is given.
    pub(crate) changes: bool,
    /// It puts a content somewhere.
    pub(crate) stores: bool,
    /// It runs what it is given.
    pub(crate) runs: bool,
    /// It takes away the files that it is given, on this machine.
    pub(crate) deletes: bool,
    /// With everything below them.
    pub(crate) recursive: bool,
    /// It gives a place another name.
    pub(crate) moves: bool,
    /// It searches.
    pub(crate) searches: bool,
    /// It only tells something.
    pub(crate) reads: bool,
    /// It makes a file of something.
    pub(crate) gives_out: bool,
    /// Its texts are for people, or are sought: they run nowhere.
    pub(crate) tells_people: bool,
    /// The program that its server is called by.
    pub(crate) program: Option<String>,
    /// The same, if a command line given to it may begin with the program's own words.
    pub(crate) takes_words: Option<String>,
}

impl ToolWords {
    pub(crate) fn of(call: &ToolCall) -> Self {
        let (server, name) = call.tool.mcp_parts().unwrap_or(("", call.tool.as_str()));
        // Prompts and resources are texts that a client reads, whatever they are called.
        let is_text = ["prompts/", "resources/"].iter().any(|kind| name.starts_with(kind));
        let words = if is_text { Vec::new() } else { split(name) };
        let named = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let program = Some(server.to_owned()).filter(|name| is_known(name) && !RUNNING.contains(&server));
        let server_words = split(server);
        let of_server = |list: &[&str]| server_words.iter().any(|word| list.contains(&word.as_str()));
        let reads = words.first().is_some_and(|first| READING.contains(&first.as_str()));
        let elsewhere = call.args.keys().any(|name| ELSEWHERE.contains(&name.to_ascii_lowercase().as_str()));
        let says_recursive = call.args.get("recursive").and_then(Value::as_bool).unwrap_or(false);
        Self {
            changes: named(CHANGING),
            stores: named(CHANGING) || named(STORING),
            runs: named(RUNNING),
            deletes: !reads && !elsewhere && named(DELETING),
            recursive: says_recursive || named(FOLDERS),
            moves: !reads && !elsewhere && named(&["move", "mv", "rename"]),
            searches: named(&["find", "lookup", "search"]) || of_server(&["search"]),
            gives_out: named(MAKING),
            tells_people: !(named(RUNNING) || of_server(RUNNING) || of_server(TYPED))
                && (named(PEOPLE) || of_server(PEOPLE)),
            takes_words: Some(server.to_owned()).filter(|server| SUBCOMMANDS.contains(&server.as_str())),
            program,
            reads,
            words,
            said: Vec::new(),
        }
    }

    /// With the names that its arguments give to what is to be done.
    pub(crate) fn with_said(mut self, names: Vec<Vec<String>>) -> Self {
        self.said = names;
        if self.said.len() > 1 {
            self.said.push(self.said.concat());
        }
        self
    }

    /// The first of these words in the tool's name, or in the names that its arguments give to what is to be done.
    pub(crate) fn says(&self, list: &[&str]) -> Option<&str> {
        let mut words = self.words.iter().chain(self.said.iter().flatten()).map(String::as_str);
        words.find(|word| list.contains(word) || list.contains(&word.trim_end_matches('s')))
    }
}

/// The words of a name, split at signs and at capitals.
pub(crate) fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small_before = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && small_before {
            words.push(String::new());
        }
        small_before = letter.is_lowercase() || letter.is_numeric();
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_signs_and_capitals() {
        for (name, expected) in [
            ("read_text_file", "read text file"),
            ("writeFile", "write file"),
            ("drop-collection", "drop collection"),
            ("pg.executeSQL", "pg execute sql"),
            ("ec2TerminateInstances", "ec2 terminate instances"),
        ] {
            assert_eq!(split(name).join(" "), expected, "{name}");
        }
    }
}
