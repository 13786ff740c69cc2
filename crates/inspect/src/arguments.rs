//! The arguments of the canonical tools: which there are, of which type, and which must be there. What a tool is
//! given in another shape can't be judged, so it is refused before anything else, with the place.
//!
//! A caller that speaks Doorward's own names is told of arguments that no tool has, too: what isn't judged isn't run
//! silently. The tools of coding agents get new arguments with every version; theirs are noted and deny nothing.

use doorward_core::call::{Surface, ToolCall};
use doorward_core::finding::Finding;
use doorward_core::json::Value;
use doorward_core::tool::Client;

use crate::risk;

/// What an argument may be. `null` stands for an argument that isn't given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A text.
    Text,
    /// A text, or a list of texts.
    Texts,
    /// A path: a text, a list of such, or members with a `path`.
    Paths,
    /// A number.
    Number,
    /// True or false.
    Bool,
    /// A list.
    List,
    /// An object.
    Object,
    /// Whatever the tool makes of it: nothing in it is acted on here.
    Any,
}

/// The arguments of a tool.
struct Schema {
    tool: &'static str,
    /// One of each group has to be there.
    needs: &'static [&'static [&'static str]],
    /// One of each group has to be there when the caller speaks our own names.
    needs_of_own: &'static [&'static [&'static str]],
    takes: &'static [(&'static str, Kind)],
}

const fn schema(
    tool: &'static str,
    needs: &'static [&'static [&'static str]],
    needs_of_own: &'static [&'static [&'static str]],
    takes: &'static [(&'static str, Kind)],
) -> Schema {
    Schema { tool, needs, needs_of_own, takes }
}

use Kind::{Any, Bool, List, Number, Object, Paths, Text, Texts};

const CODE: &[(&str, Kind)] =
    &[("code", Text), ("command", Text), ("timeout", Number), ("description", Text)];
const PLACE: &[&str] = &["path", "paths", "file", "files"];
const SOURCE: &[&str] = &["source", "from", "path", "src"];
const DESTINATION: &[&str] = &["destination", "to", "target", "dest", "new_path"];
const TRANSFER: &[(&str, Kind)] = &[
    ("source", Text),
    ("from", Text),
    ("path", Text),
    ("src", Text),
    ("destination", Text),
    ("to", Text),
    ("target", Text),
    ("dest", Text),
    ("new_path", Text),
    ("recursive", Bool),
    ("overwrite", Bool),
];

/// One row a tool. Tools with a language in their name share the row of `code:execute`.
const SCHEMAS: &[Schema] = &[
    schema(
        "shell:execute",
        &[&["command"]],
        &[],
        &[
            ("command", Texts),
            ("description", Text),
            ("timeout", Number),
            ("timeout_ms", Number),
            ("run_in_background", Bool),
            ("background", Bool),
            ("is_background", Bool),
            ("is_input", Any),
            ("reset", Any),
            ("shell", Text),
        ],
    ),
    schema(
        "code:execute",
        &[&["code", "command"]],
        &[],
        &[("code", Text), ("command", Text), ("language", Text), ("timeout", Number), ("description", Text)],
    ),
    schema(
        "fs:read",
        &[],
        &[],
        &[
            ("path", Paths),
            ("paths", Paths),
            ("file", Paths),
            ("files", Paths),
            ("pattern", Text),
            ("query", Text),
            ("glob", Text),
            ("include", Text),
            ("include_pattern", Text),
            ("includePattern", Text),
            ("file_pattern", Text),
            ("recursive", Bool),
            ("offset", Number),
            ("limit", Number),
            ("encoding", Text),
            ("view_range", List),
        ],
    ),
    schema(
        "fs:write",
        &[&["path", "paths", "file", "files", "patch"]],
        &[],
        &[
            ("path", Paths),
            ("paths", Paths),
            ("file", Paths),
            ("files", Paths),
            ("patch", Text),
            ("content", Text),
            ("contents", Text),
            ("file_text", Text),
            ("text", Text),
            ("old_str", Text),
            ("old_string", Text),
            ("new_str", Text),
            ("new_string", Text),
            ("edits", List),
            ("insert_line", Number),
            ("view_range", List),
            ("replace_all", Bool),
            ("append", Bool),
            ("overwrite", Bool),
            ("command", Text),
            ("encoding", Text),
        ],
    ),
    schema(
        "fs:mkdir",
        &[PLACE],
        &[],
        &[
            ("path", Paths),
            ("paths", Paths),
            ("file", Paths),
            ("files", Paths),
            ("parents", Bool),
            ("recursive", Bool),
        ],
    ),
    schema("fs:move", &[SOURCE, DESTINATION], &[], TRANSFER),
    schema("fs:copy", &[SOURCE, DESTINATION], &[], TRANSFER),
    schema(
        "fs:delete",
        &[PLACE],
        &[],
        &[
            ("path", Paths),
            ("paths", Paths),
            ("file", Paths),
            ("files", Paths),
            ("recursive", Bool),
            ("force", Bool),
        ],
    ),
    schema(
        "net:fetch",
        &[&["url", "urls", "prompt"]],
        &[],
        &[
            ("url", Texts),
            ("urls", Texts),
            ("prompt", Text),
            ("method", Text),
            ("headers", Object),
            ("body", Any),
            ("format", Text),
            ("timeout", Number),
        ],
    ),
    schema(
        "net:search",
        &[],
        &[&["query", "queries"]],
        &[
            ("query", Text),
            ("queries", Texts),
            ("limit", Number),
            ("allowed_domains", Texts),
            ("blocked_domains", Texts),
        ],
    ),
    schema("plan:submit", &[], &[&["plan", "steps"]], &[("plan", Any), ("steps", Any), ("title", Text)]),
    schema("plan:leave", &[], &[], &[("plan", Any), ("mode", Text)]),
    schema(
        "plan:ask",
        &[],
        &[&["question", "questions"]],
        &[("question", Text), ("questions", List), ("options", List)],
    ),
    schema("plan:todo", &[], &[&["todos", "items"]], &[("todos", List), ("items", List), ("merge", Bool)]),
    schema("plan:think", &[], &[&["thought"]], &[("thought", Text)]),
    schema(
        "plan:delegate",
        &[],
        &[&["prompt", "task"]],
        &[("prompt", Text), ("task", Text), ("description", Text), ("agent", Text)],
    ),
    schema("plan:watch", &[], &[&["id"]], &[("id", Text), ("timeout", Number)]),
    schema("plan:stop", &[], &[&["id"]], &[("id", Text)]),
];

/// What is wrong with the arguments of a call.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// They can't be judged: refused.
    pub(crate) broken: Vec<Finding>,
    /// They are a client's own and no schema of ours describes them: noted.
    pub(crate) unchecked: Option<Finding>,
}

/// Looks at the arguments of a call. A tool that isn't canonical has no schema here.
pub(crate) fn check(call: &ToolCall) -> Checked {
    let mut checked = Checked::default();
    let Some(schema) = schema_of(call.tool.as_str()) else { return checked };
    let takes = || schema.takes.iter().chain(if call.tool.is_code() { CODE } else { &[] });
    let is_own = speaks_our_names(call);
    let given = |name: &str| call.args.get(name).is_some_and(|value| *value != Value::Null);
    let own = if is_own { schema.needs_of_own } else { &[] };
    for group in schema.needs.iter().chain(own) {
        if !group.iter().any(|name| given(name)) {
            let names = group.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
            checked.broken.push(broken("", &format!("{names} is missing")));
        }
    }
    let mut unknown = Vec::new();
    for (name, value) in &call.args {
        match takes().find(|(known, _)| known == name) {
            Some((_, kind)) if kind.fits(value) => {}
            Some((_, kind)) => checked.broken.push(broken(name, &format!("has to be {}", kind.words()))),
            None => unknown.push(name.as_str()),
        }
    }
    for name in unknown {
        if is_own {
            let known = takes().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            checked
                .broken
                .push(broken(name, &format!("is no argument of {}, which takes {known}", call.tool)));
        } else if checked.unchecked.is_none() {
            let why = format!("no schema describes /{} of {}", pointer(name), call.tool);
            checked.unchecked = Some(Finding::new("args.unchecked", why));
        }
    }
    checked
}

/// The canonical tool of that name; languages share a row.
fn schema_of(tool: &str) -> Option<&'static Schema> {
    let is_code = tool.strip_suffix(":execute").is_some_and(|language| {
        ["code", "python", "node", "ruby", "perl", "php", "powershell"].contains(&language)
    });
    let row = if is_code { "code:execute" } else { tool };
    SCHEMAS.iter().find(|schema| schema.tool == row)
}

/// Whether the caller used Doorward's own name for the tool, and so its arguments.
fn speaks_our_names(call: &ToolCall) -> bool {
    call.client == Client::Doorward
        && !call.renamed
        && matches!(call.surface, Surface::Http | Surface::Library | Surface::Cli)
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        let text = |value: &Value| matches!(value, Value::String(_));
        match (self, value) {
            (_, Value::Null) | (Any, _) => true,
            (Text | Texts | Paths, Value::String(_))
            | (Number, Value::Number(_))
            | (Bool, Value::Bool(_))
            | (List, Value::Array(_))
            | (Object, Value::Object(_)) => true,
            (Texts, Value::Array(items)) => items.iter().all(text),
            (Paths, Value::Array(items)) => items.iter().all(|item| Paths.fits(item) && *item != Value::Null),
            (Paths, Value::Object(members)) => members.get("path").is_some_and(text),
            _ => false,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Text => "a text",
            Texts => "a text or a list of texts",
            Paths => "a path or a list of paths",
            Number => "a number",
            Bool => "true or false",
            List => "a list",
            Object => "an object",
            Any => "anything",
        }
    }
}

fn broken(name: &str, why: &str) -> Finding {
    let place = if name.is_empty() { String::new() } else { format!("/{} ", pointer(name)) };
    risk::floor(Finding::new("args.schema", format!("{place}{why}")))
}

/// A name as it stands in a JSON pointer, at a length that can be shown.
fn pointer(name: &str) -> String {
    name.chars().take(64).collect::<String>().replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use doorward_core::json::Object;
    use doorward_core::tool::{CANONICAL, ToolName};

    use super::*;

    fn call(tool: &str, args: &str) -> ToolCall {
        let mut call = crate::example_call("shell:execute", "command", "ls").unwrap();
        call.tool = ToolName::new(tool).unwrap();
        call.args = match Value::parse(args).unwrap() {
            Value::Object(args) => args,
            other => panic!("{other:?}"),
        };
        call
    }

    fn told(tool: &str, args: &str) -> String {
        let broken = check(&call(tool, args)).broken;
        broken.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn every_canonical_tool_has_a_schema_and_every_schema_is_of_one() {
        for (tool, _) in CANONICAL {
            assert!(schema_of(tool).is_some(), "{tool}");
        }
        for schema in SCHEMAS {
            assert!(CANONICAL.iter().any(|(tool, _)| *tool == schema.tool), "{}", schema.tool);
            for name in schema.needs.iter().chain(schema.needs_of_own).copied().flatten() {
                assert!(schema.takes.iter().any(|(known, _)| known == name), "{}: {name}", schema.tool);
            }
        }
    }

    #[test]
    fn every_argument_of_every_tool_is_refused_in_a_wrong_type() {
        for (tool, _) in CANONICAL {
            for (name, kind) in schema_of(tool).unwrap().takes.iter().filter(|(_, kind)| *kind != Any) {
                let wrong = if matches!(kind, Number) { "true" } else { "7" };
                let told = told(tool, &format!("{{\"{name}\": {wrong}}}"));
                assert!(told.contains(&format!("/{name} has to be {}", kind.words())), "{tool}: {told}");
            }
        }
    }

    #[test]
    fn places_are_named() {
        for (tool, args, expected) in [
            ("shell:execute", "{}", "`command` is missing"),
            ("shell:execute", r#"{"command": null}"#, "`command` is missing"),
            ("shell:execute", r#"{"command": ["ls", 7]}"#, "/command has to be a text or a list of texts"),
            ("fs:delete", r#"{"path": "a", "recursive": "true"}"#, "/recursive has to be true or false"),
            (
                "fs:write",
                r#"{"content": "x"}"#,
                "`path` or `paths` or `file` or `files` or `patch` is missing",
            ),
            (
                "fs:move",
                r#"{"source": "a"}"#,
                "`destination` or `to` or `target` or `dest` or `new_path` is missing",
            ),
            ("net:fetch", r#"{"url": {"href": "x"}}"#, "/url has to be a text or a list of texts"),
            ("fs:read", r#"{"path": "a", "wipe": true}"#, "/wipe is no argument of fs:read"),
            ("fs:read", r#"{"path": "a", "a/b~c": 1}"#, "/a~1b~0c is no argument"),
        ] {
            assert!(told(tool, args).contains(expected), "{tool} {args}: {}", told(tool, args));
        }
        for (tool, args) in [
            ("shell:execute", r#"{"command": "ls", "timeout": 5, "description": null}"#),
            ("python:execute", r#"{"code": "print(1)"}"#),
            ("fs:read", "{}"),
            ("fs:write", r#"{"paths": ["a", {"path": "b"}]}"#),
            ("net:fetch", r#"{"url": "https://example.com"}"#),
        ] {
            assert_eq!(told(tool, args), "", "{tool} {args}");
        }
    }

    #[test]
    fn a_clients_new_argument_is_noted_and_denies_nothing() {
        let mut new = call("shell:execute", r#"{"command": "ls", "sparkle": true}"#);
        new.client = Client::ClaudeCode;
        new.surface = Surface::Hook;
        let checked = check(&new);
        assert!(checked.broken.is_empty());
        assert_eq!(checked.unchecked.unwrap().code.to_string(), "args.unchecked");
        new.args = Object::from([("command".to_owned(), Value::from(vec!["ls".to_owned()]))]);
        assert!(check(&new).unchecked.is_none());
    }
}
