//! What the name of a tool says it does.

use doorward_core::call::ToolCall;
use doorward_core::json::Value;

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
    "upload",
    "write",
];
/// Further words of names that say a tool puts a content somewhere.
pub(super) const STORING: &[&str] = &["add", "apply", "commit", "new", "push", "store"];
/// Words of names that say a tool runs what it is given.
const RUNNING: &[&str] = &[
    "bash", "cmd", "command", "eval", "evaluate", "exec", "execute", "python", "repl", "run", "sh", "shell",
    "terminal",
];
/// Words of names that say a tool takes files away.
const DELETING: &[&str] = &["delete", "empty", "erase", "remove", "rm", "truncate", "unlink", "wipe"];
/// Words for folders in names of tools that take files away.
const FOLDERS: &[&str] = &["all", "dir", "directory", "folder", "recursive", "tree"];
/// First words of names of tools that only tell something.
pub(super) const READING: &[&str] = &[
    "check", "compare", "count", "describe", "diff", "explain", "fetch", "find", "get", "has", "inspect",
    "is", "list", "lookup", "preview", "query", "read", "search", "show", "status", "validate", "view",
];
/// Parameters that say that a path is one of another machine's.
const ELSEWHERE: &[&str] = &["bucket", "owner", "project_id", "projectid", "repo", "repository"];

/// What the name of a tool says.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolWords {
    /// Its words, in small letters.
    pub(crate) words: Vec<String>,
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
}

impl ToolWords {
    pub(crate) fn of(call: &ToolCall) -> Self {
        let name = call.tool.mcp_parts().map_or(call.tool.as_str(), |(_, tool)| tool);
        // Prompts and resources are texts that a client reads, whatever they are called.
        let is_text = ["prompts/", "resources/"].iter().any(|kind| name.starts_with(kind));
        let words = if is_text { Vec::new() } else { split(name) };
        let named = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
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
            searches: named(&["find", "lookup", "search"]),
            reads,
            words,
        }
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
