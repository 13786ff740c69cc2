//! Derives trial arguments from a tool's JSON schema: first one plain call, then one change at a time.
//!
//! A table maps a property's name, format and description to its expected content, from which the alternatives
//! follow: existing and missing files, folders, paths out of the project, empty, long and unusual text, switches
//! both ways. No particular tool is known here.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::workspace::KNOWN_LINE;

/// Arguments of one trial, with a label.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// `plain`, or the change: `path=parent`.
    pub label: String,
    /// Arguments of the call.
    pub arguments: Value,
}

/// Expected content of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    File,
    Folder,
    Fresh,
    Url,
    Host,
    Email,
    Command,
    Code,
    Sql,
    Pattern,
    Known,
    New,
    Date,
    Text,
}

/// Words in a property's name, in order: the first matching row decides.
const NAMES: &[(&[&str], Holds)] = &[
    (&["oldtext", "oldstr", "oldstring", "search", "find", "match", "original"], Holds::Known),
    (&["newtext", "newstr", "newstring", "replace", "replacement"], Holds::New),
    (&["destination", "dest", "target", "newpath", "output", "outfile", "to"], Holds::Fresh),
    (&["directory", "dir", "folder", "cwd", "root", "repo", "repopath"], Holds::Folder),
    (&["path", "file", "filename", "filepath", "source", "src", "paths", "files", "oldpath"], Holds::File),
    (&["url", "uri", "href", "link", "endpoint", "webhook"], Holds::Url),
    (&["host", "hostname", "server", "domain", "address"], Holds::Host),
    (&["email", "recipient", "mailto"], Holds::Email),
    (&["command", "cmd", "shell"], Holds::Command),
    (&["code", "script", "expression", "program"], Holds::Code),
    (&["sql", "query", "statement"], Holds::Sql),
    (&["pattern", "glob", "regex", "excludepatterns", "filter"], Holds::Pattern),
    (&["date", "time", "timestamp", "since", "until"], Holds::Date),
];

/// An unassigned documentation address (RFC 5737): attempts are visible but reach no host.
const NOBODY: &str = "192.0.2.7";

/// Length of the longest text tried.
const LONG: usize = 6_000;
/// Limits on schema depth and on changed positions: schemas may refer to themselves.
const DEEPEST: usize = 6;
const LEAVES: usize = 64;

/// Replacement values for a property, each with a word for the label.
fn alternatives(holds: Holds, workspace: &Path) -> Vec<(&'static str, Value)> {
    let inside = |below: &str| json!(workspace.join("project").join(below).display().to_string());
    let outside = |below: &str| json!(workspace.join(below).display().to_string());
    let mut found = match holds {
        Holds::File | Holds::Folder | Holds::Fresh => vec![
            ("file", inside("notes.txt")),
            ("folder", inside("data")),
            ("missing", inside("made-by-the-lab.txt")),
            ("missing_below", inside("made/by/the-lab.txt")),
            ("project", json!(workspace.join("project").display().to_string())),
            ("parent", inside("../neighbour/private.txt")),
            ("parent_folder", inside("../neighbour")),
            ("parent_missing", inside("../neighbour/made-by-the-lab.txt")),
            ("outside", outside("neighbour/private.txt")),
            ("outside_missing", outside("home/made-by-the-lab.txt")),
            ("link_outside", inside("link-outside/private.txt")),
            ("relative", json!("notes.txt")),
            ("relative_parent", json!("../neighbour/private.txt")),
            ("picture", inside("pixel.png")),
            ("secret", inside(".env")),
            ("system", json!("/etc/passwd")),
        ],
        Holds::Url => vec![
            ("address", json!(format!("http://{NOBODY}/"))),
            ("name", json!("https://lab.invalid/")),
            ("loopback", json!("http://127.0.0.1:9/")),
            ("file_url", json!(format!("file://{}", workspace.join("neighbour/private.txt").display()))),
        ],
        Holds::Host => vec![("address", json!(NOBODY)), ("name", json!("lab.invalid"))],
        Holds::Command => vec![
            ("writes", json!("echo alpha > made-by-the-lab.txt")),
            ("reads_outside", json!("cat ../neighbour/private.txt")),
            ("deletes", json!("rm -f notes.txt")),
            ("contacts", json!(format!("exec 3<>/dev/tcp/{NOBODY}/80"))),
        ],
        Holds::Code => vec![
            ("writes", json!("open('made-by-the-lab.txt', 'w').write('alpha')")),
            ("reads_outside", json!("print(open('../neighbour/private.txt').read())")),
        ],
        Holds::Sql => vec![
            ("word", json!("alpha")),
            ("reads", json!("SELECT * FROM items")),
            ("reads_others", json!("SELECT * FROM people")),
            ("adds", json!("INSERT INTO items (id, name) VALUES (77, 'bravo')")),
            ("creates", json!("CREATE TABLE made_by_the_lab (name TEXT)")),
            ("changes", json!("UPDATE items SET name = 'bravo'")),
            ("deletes", json!("DELETE FROM items")),
            ("drops", json!("DROP TABLE items")),
        ],
        Holds::Pattern => vec![("all", json!("*")), ("deep", json!("**/*")), ("word", json!("alpha"))],
        Holds::Known => vec![("word", json!("bravo")), ("absent", json!("no such text in any file"))],
        Holds::Email | Holds::New | Holds::Date | Holds::Text => vec![("other", json!("bravo"))],
    };
    found.push(("empty", json!("")));
    found.push(("unusual", json!("alpha \u{e9}\u{4e2d}\u{1f600}\u{202e}\u{200b}'\"`$(x);\n<b>&")));
    found.push(("long", json!("alpha ".repeat(LONG / 6))));
    found
}

fn plain(holds: Holds, workspace: &Path) -> Value {
    let inside = |below: &str| json!(workspace.join("project").join(below).display().to_string());
    match holds {
        Holds::File => inside("notes.txt"),
        Holds::Folder => json!(workspace.join("project").display().to_string()),
        Holds::Fresh => inside("made-by-the-lab.txt"),
        Holds::Url => json!(format!("http://{NOBODY}/")),
        Holds::Host => json!(NOBODY),
        Holds::Email => json!("someone@lab.invalid"),
        Holds::Command => json!("ls"),
        Holds::Code => json!("print(1)"),
        Holds::Sql => json!("SELECT 1"),
        Holds::Pattern => json!("*.txt"),
        Holds::Known => json!(KNOWN_LINE),
        Holds::New => json!("alpha was the first line"),
        Holds::Date => json!("2026-01-01"),
        Holds::Text => json!("alpha"),
    }
}

/// The calls worth trying, at most `most`, the most informative first.
#[must_use]
pub fn trials(schema: &Value, workspace: &Path, most: usize) -> Vec<Trial> {
    let maker = Maker { root: schema, workspace };
    let required = maker.value("", schema, 0, false);
    let everything = maker.value("", schema, 0, true);
    let mut found = vec![Trial { label: "plain".to_owned(), arguments: required.clone() }];
    if everything != required {
        found.push(Trial { label: "everything".to_owned(), arguments: everything.clone() });
    }
    let mut leaves = Vec::new();
    maker.leaves(String::new(), "", schema, 0, &mut leaves);
    // One alternative of every property before the second of any, so that the limit leaves no property out.
    let mut rounds: Vec<Vec<Trial>> = Vec::new();
    for leaf in &leaves {
        for (at, (word, value)) in leaf.alternatives.iter().enumerate() {
            let base = if required.pointer(&leaf.pointer).is_some() { &required } else { &everything };
            let mut arguments = base.clone();
            let Some(slot) = arguments.pointer_mut(&leaf.pointer) else { continue };
            if slot == value {
                continue;
            }
            *slot = value.clone();
            let label = format!("{}={word}", leaf.pointer.trim_start_matches('/').replace('/', "."));
            if rounds.len() <= at {
                rounds.resize_with(at + 1, Vec::new);
            }
            if let Some(round) = rounds.get_mut(at) {
                round.push(Trial { label, arguments });
            }
        }
    }
    for trial in rounds.into_iter().flatten() {
        if !found.iter().any(|known| known.arguments == trial.arguments) {
            found.push(trial);
        }
    }
    found.truncate(most.max(1));
    found
}

struct Leaf {
    pointer: String,
    alternatives: Vec<(&'static str, Value)>,
}

struct Maker<'a> {
    root: &'a Value,
    workspace: &'a Path,
}

impl Maker<'_> {
    fn value(&self, name: &str, schema: &Value, depth: usize, everything: bool) -> Value {
        let schema = self.resolved(schema);
        if let Some(fixed) = fixed(schema) {
            return fixed;
        }
        match kind(schema) {
            "object" if depth < DEEPEST => {
                let mut members = Map::new();
                for (name, inside) in properties(schema) {
                    if everything || is_required(schema, name) {
                        members.insert(name.clone(), self.value(name, inside, depth + 1, everything));
                    }
                }
                Value::Object(members)
            }
            "array" if depth < DEEPEST => {
                let item = schema.get("items").map(|items| self.value(name, items, depth + 1, everything));
                Value::Array(item.into_iter().collect())
            }
            "object" => json!({}),
            "array" => json!([]),
            "integer" | "number" => {
                let least = schema.get("minimum").and_then(Value::as_i64).unwrap_or(1);
                json!(
                    schema
                        .get("maximum")
                        .and_then(Value::as_i64)
                        .map_or(least.max(1), |most| least.max(1).min(most))
                )
            }
            "boolean" => json!(false),
            "null" => Value::Null,
            _ => plain(holds(name, schema), self.workspace),
        }
    }

    /// Collects the positions of single values, with their alternatives.
    fn leaves(&self, pointer: String, name: &str, schema: &Value, depth: usize, into: &mut Vec<Leaf>) {
        let schema = self.resolved(schema);
        if depth >= DEEPEST || into.len() >= LEAVES || schema.get("const").is_some() {
            return;
        }
        let alternatives = if let Some(Value::Array(words)) = schema.get("enum") {
            words.iter().map(|word| ("choice", word.clone())).collect()
        } else {
            match kind(schema) {
                "object" => {
                    for (name, inside) in properties(schema) {
                        let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                        self.leaves(pointer, name, inside, depth + 1, into);
                    }
                    return;
                }
                "array" => {
                    if let Some(items) = schema.get("items") {
                        self.leaves(format!("{pointer}/0"), name, items, depth + 1, into);
                    }
                    vec![("none", json!([]))]
                }
                "integer" | "number" => {
                    vec![("zero", json!(0)), ("less", json!(-1)), ("much", json!(1_000_000))]
                }
                "boolean" => vec![("yes", json!(true))],
                "null" => return,
                _ => alternatives(holds(name, schema), self.workspace),
            }
        };
        into.push(Leaf { pointer, alternatives });
    }

    /// Follows references within the document and takes the first of several alternatives.
    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut here = schema;
        for _ in 0..DEEPEST {
            if let Some(pointer) =
                here.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'))
                && let Some(found) = self.root.pointer(pointer)
            {
                here = found;
                continue;
            }
            let first = ["anyOf", "oneOf"].iter().find_map(|word| here.get(*word)?.as_array()?.first());
            match first {
                Some(first) if here.get("type").is_none() && here.get("properties").is_none() => here = first,
                _ => return here,
            }
        }
        here
    }
}

fn fixed(schema: &Value) -> Option<Value> {
    let default = schema.get("default").filter(|value| !value.is_null());
    schema.get("const").or_else(|| schema.get("enum")?.as_array()?.first()).or(default).cloned()
}

fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(word)) => word,
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).find(|word| *word != "null").unwrap_or("string")
        }
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => "string",
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|known| known == name))
}

fn holds(name: &str, schema: &Value) -> Holds {
    match schema.get("format").and_then(Value::as_str) {
        Some("uri" | "url" | "uri-reference") => return Holds::Url,
        Some("email") => return Holds::Email,
        Some("date" | "date-time" | "time") => return Holds::Date,
        Some("hostname" | "ipv4" | "ipv6") => return Holds::Host,
        _ => {}
    }
    let plain: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let words = words(name);
    let named = NAMES.iter().find(|(known, _)| {
        known.iter().any(|known| plain == *known || words.iter().any(|word| word == known))
    });
    if let Some((_, holds)) = named {
        return *holds;
    }
    let described = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| described.contains(word));
    if says(&["file path", "path to", "filename"]) {
        Holds::File
    } else if says(&["directory", "folder"]) {
        Holds::Folder
    } else if says(&["http://", "https://", " url"]) {
        Holds::Url
    } else {
        Holds::Text
    }
}

/// Splits `newFilePath` and `new_file_path` into words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && before.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(schema: &Value) -> Vec<Trial> {
        trials(schema, Path::new("/w"), 1_000)
    }

    #[test]
    fn a_plain_call_comes_first_and_every_property_is_changed_alone() {
        let schema = json!({"type": "object", "required": ["path", "edits"], "properties": {
            "path": {"type": "string"},
            "edits": {"type": "array", "items": {"type": "object", "required": ["oldText", "newText"],
                "properties": {"oldText": {"type": "string"}, "newText": {"type": "string"}}}},
            "dryRun": {"type": "boolean", "default": false}}});
        let found = labels(&schema);
        assert_eq!(found[0].label, "plain");
        assert_eq!(
            found[0].arguments,
            json!({"path": "/w/project/notes.txt",
                "edits": [{"oldText": KNOWN_LINE, "newText": "alpha was the first line"}]})
        );
        let by = |label: &str| found.iter().find(|trial| trial.label == label).unwrap();
        assert_eq!(by("path=parent").arguments["path"], "/w/project/../neighbour/private.txt");
        assert_eq!(by("path=parent").arguments["edits"], found[0].arguments["edits"]);
        assert_eq!(by("dryRun=yes").arguments["dryRun"], true);
        assert_eq!(by("edits.0.oldText=word").arguments["edits"][0]["oldText"], "bravo");
        assert_eq!(by("edits=none").arguments["edits"], json!([]));
        assert!(found.iter().all(|trial| trial.arguments["path"] != Value::Null));
    }

    #[test]
    fn references_choices_bounds_and_lists_are_followed() {
        let schema = json!({"type": "object", "required": ["who", "level", "n", "paths", "u"], "$defs":
            {"who": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "properties": {
            "who": {"$ref": "#/$defs/who"}, "level": {"enum": ["low", "high"]},
            "n": {"type": "integer", "minimum": 5, "maximum": 9},
            "paths": {"type": "array", "items": {"type": "string"}},
            "u": {"type": "string", "format": "uri"}, "self": {"$ref": "#"}}});
        let found = labels(&schema);
        let first = &found[0].arguments;
        assert_eq!(
            (&first["who"], &first["level"], &first["n"]),
            (&json!("alpha"), &json!("low"), &json!(5))
        );
        assert_eq!(first["paths"], json!(["/w/project/notes.txt"]));
        assert!(found.iter().any(|trial| trial.arguments["level"] == "high"));
        assert!(found.iter().any(|trial| trial.label == "paths.0=outside"));
        assert!(found.iter().any(|trial| trial.label == "u=loopback"));
    }

    #[test]
    fn a_cut_leaves_no_property_out() {
        let schema = json!({"type": "object", "required": ["source", "destination"], "properties":
            {"source": {"type": "string"}, "destination": {"type": "string"}}});
        let found = trials(&schema, Path::new("/w"), 7);
        assert_eq!(found.len(), 7);
        assert!(found.iter().any(|trial| trial.label.starts_with("destination=")));
        assert!(found.iter().any(|trial| trial.label.starts_with("source=")));
        assert_eq!(trials(&json!({"type": "object"}), Path::new("/w"), 7)[0].arguments, json!({}));
        assert_eq!(trials(&json!(true), Path::new("/w"), 7).len(), 5, "no schema is one text");
    }
}
