//! A call's names are read at the entrance. What comes after it asks what the tool is
//! (`doorward_core::tool::CanonicalTool`) and compares no text.

use std::path::Path;

/// Files with names of tools as text, each with its reason; folders end with `/`.
const WITH_NAMES: &[(&str, &str)] = &[
    ("crates/core/src/tool.rs", "the table of canonical names"),
    ("crates/doorward/src/always/propose.rs", "examples of rules, by their text"),
    ("crates/hooks/src/clients/", "each client's own names"),
    ("crates/inspect/src/", "the tables of arguments; its comparisons are still of text"),
    ("crates/lab/src/replay.rs", "names in recorded runs"),
    ("crates/policy/src/shorthand/parse.rs", "rules as users write them"),
    ("crates/sandbox/src/run.rs", "the table of interpreters"),
];

/// The canonical names, in quotation marks, and how a server's tool begins.
fn names() -> Vec<String> {
    let text = std::fs::read_to_string(super::root().join("crates/core/src/tool.rs")).unwrap();
    let row = |line: &str| {
        let (_, rest) = line.strip_suffix(';')?.split_once(" = \"")?;
        let (name, class) = rest.split_once("\", ")?;
        (name.contains(':') && class.chars().all(char::is_alphabetic)).then(|| format!("\"{name}\""))
    };
    text.lines().filter_map(row).chain(["\"mcp:\"", "\"mcp__\""].map(str::to_owned)).collect()
}

/// Whether a file is part of the product, and no test of it.
fn is_product(file: &str) -> bool {
    let tests = ["/tests/", "/tests.rs", "/testing.rs", "/examples/", "/benches/"];
    let own = file.starts_with("crates/") || file.starts_with("bindings/");
    own && !file.starts_with("crates/testing/") && !tests.iter().any(|part| file.contains(part))
}

#[test]
fn behind_the_entrance_no_tool_is_known_by_its_text() {
    let names = names();
    assert!(names.len() > 20, "{names:?}");
    let mut found = Vec::new();
    for file in super::limits::files().into_iter().filter(|file| is_product(file)) {
        let text = std::fs::read_to_string(Path::new(&super::root()).join(&file)).unwrap();
        let own = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = own.lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.into_iter().any(|line| names.iter().any(|name| line.contains(name.as_str()))) {
            found.push(file);
        }
    }
    let listed = |file: &&String| WITH_NAMES.iter().any(|(known, _)| file.starts_with(known));
    let others: Vec<&String> = found.iter().filter(|file| !listed(file)).collect();
    assert!(others.is_empty(), "they name tools as text: {others:?}");
    for (known, why) in WITH_NAMES {
        assert!(found.iter().any(|file| file.starts_with(known)), "{known} names none any more ({why})");
    }
}
