//! How large things may be: functions of 80 lines, files of 600, lines of 120 characters, and a bare name of a type in
//! two crates. What was larger when this came stands in `xtask/limits.txt`, which may lose rows and never gains one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const LINES_OF_FUNCTION: usize = 80;
const LINES_OF_FILE: usize = 600;
const CHARACTERS: usize = 120;
const CRATES_OF_NAME: usize = 2;

/// The committed Rust files of the project's own, from the root.
pub(crate) fn files() -> Vec<String> {
    let output = Command::new("git").args(["ls-files", "*.rs"]).current_dir(super::root()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let own: Vec<String> =
        text.lines().filter(|file| !file.starts_with("vendor/")).map(str::to_owned).collect();
    assert!(own.len() > 500, "only {} files: is this a clone?", own.len());
    own
}

/// The crate that a file is of: `crates/NAME`, `bindings/NAME`, `xtask`.
fn crate_of(file: &str) -> &str {
    let parts = if file.starts_with("xtask") { 1 } else { 2 };
    let end = file.match_indices('/').nth(parts - 1).map_or(file.len(), |(at, _)| at);
    &file[..end]
}

/// The name that a line declares by one of these words, whatever stands before them.
fn declared<'l>(line: &'l str, words: &[&str]) -> Option<&'l str> {
    let mut rest = line.trim_start();
    while let Some((word, after)) = rest.split_once(' ') {
        if words.contains(&word) {
            let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
            return (end > 0).then(|| &after[..end]);
        }
        let before = ["async", "const", "extern", "unsafe", "\"C\""];
        if !word.starts_with("pub") && !before.contains(&word) && !word.ends_with(')') {
            return None;
        }
        rest = after;
    }
    None
}

/// Names of functions with their lines. rustfmt puts the end of an item at its own indentation.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = declared(line, &["fn"]) else { continue };
        let ends = |end: &&str| indentation(end) == indentation(line) && end.trim_start().starts_with('}');
        if !line.ends_with(['}', ';'])
            && let Some(more) = lines[first + 1..].iter().position(ends)
        {
            found.push((name.to_owned(), more + 2));
        }
    }
    found
}

/// What is over its limit, a row each.
fn over() -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files() {
        let text = std::fs::read_to_string(Path::new(&super::root()).join(&file)).unwrap();
        if text.lines().count() > LINES_OF_FILE {
            rows.insert(format!("file {file}"));
        }
        if text.lines().any(|line| line.chars().count() > CHARACTERS) {
            rows.insert(format!("line {file}"));
        }
        let long = functions(&text).into_iter().filter(|(_, lines)| *lines > LINES_OF_FUNCTION);
        rows.extend(long.map(|(name, _)| format!("function {file} {name}")));
        let at_the_margin = text.lines().filter(|line| !line.starts_with(' '));
        for name in at_the_margin.filter_map(|line| declared(line, &["struct", "enum", "trait", "type"])) {
            names.entry(name.to_owned()).or_default().insert(crate_of(&file).to_owned());
        }
    }
    let shared = names.into_iter().filter(|(_, crates)| crates.len() > CRATES_OF_NAME);
    rows.extend(shared.map(|(name, _)| format!("name {name}")));
    rows
}

#[test]
fn limits_only_shrink() {
    let listed: BTreeSet<String> = include_str!("../limits.txt")
        .lines()
        .filter(|row| !row.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let over = over();
    let new: Vec<&String> = over.difference(&listed).collect();
    assert!(new.is_empty(), "over a limit of xtask/src/limits.rs, so cut or rename it:\n{new:#?}");
    let gone: Vec<&String> = listed.difference(&over).collect();
    assert!(gone.is_empty(), "keeps its limit now, so take its row out of xtask/limits.txt:\n{gone:#?}");
}

#[test]
fn declarations_are_found() {
    assert_eq!(declared("    pub(crate) const unsafe fn f<T>(x: T) {", &["fn"]), Some("f"));
    assert_eq!(declared("pub(in crate::a) struct Row;", &["struct"]), Some("Row"));
    assert_eq!(declared("let fn_of = 1;", &["fn"]), None);
    assert_eq!(declared("// a type of its own", &["type"]), None);
    let text = "fn short() {}\nimpl A {\n    fn two(\n    ) {\n        x();\n    }\n}\n";
    assert_eq!(functions(text), [("two".to_owned(), 4)]);
    assert_eq!(crate_of("crates/shell/src/lib.rs"), "crates/shell");
    assert_eq!(crate_of("xtask/src/main.rs"), "xtask");
}
