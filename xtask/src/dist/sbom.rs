//! The crates that the program is made of: as a CycloneDX list, and as the notice of their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::tree::PackageTree;
use super::{cargo, put, told};

/// A crate inside the program.
#[derive(Debug)]
pub(super) struct Component {
    name: String,
    version: String,
    licence: String,
    /// It comes from the registry, not from this repository.
    is_foreign: bool,
    folder: PathBuf,
}

/// Every crate that the program is built of, by name.
///
/// # Errors
/// What cargo couldn't tell.
pub(super) fn components() -> Result<Vec<Component>, String> {
    let mut ask = cargo();
    ask.args(["metadata", "--locked", "--format-version", "1", "--features", "doorward-cli/full"]);
    ask.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let metadata: Value = serde_json::from_str(&told(&mut ask)?).map_err(|error| error.to_string())?;
    let list =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let nodes: BTreeMap<String, Value> = metadata
        .get("resolve")
        .map(|resolve| list(resolve, "nodes"))
        .unwrap_or_default()
        .into_iter()
        .map(|node| (text(&node, "id"), node))
        .collect();
    let packages = list(&metadata, "packages");
    let program = packages.iter().find(|package| text(package, "name") == "doorward-cli");
    let mut waiting = vec![program.map(|package| text(package, "id")).ok_or("cargo knows no doorward-cli")?];
    let mut inside = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let deps = nodes.get(&id).map(|node| list(node, "deps")).unwrap_or_default();
        // What only tests and build scripts use has a kind of its own; what is compiled in has none.
        let compiled = deps.iter().filter(|dep| {
            list(dep, "dep_kinds").iter().any(|kind| kind.get("kind").is_none_or(Value::is_null))
        });
        let new: Vec<String> = compiled.map(|dep| text(dep, "pkg")).collect();
        if inside.insert(id) {
            waiting.extend(new);
        }
    }
    let mut found: Vec<Component> = packages
        .iter()
        .filter(|package| inside.contains(&text(package, "id")))
        .map(|package| Component {
            name: text(package, "name"),
            version: text(package, "version"),
            licence: text(package, "license").replace('/', " OR "),
            is_foreign: package.get("source").is_some_and(|source| !source.is_null())
                || text(package, "manifest_path").contains("/vendor/"),
            folder: Path::new(&text(package, "manifest_path")).parent().unwrap_or(Path::new("/")).to_owned(),
        })
        .collect();
    found.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(found)
}

/// The list of components, CycloneDX 1.6.
pub(super) fn cyclonedx(components: &[Component], tree: &PackageTree) -> String {
    let listed: Vec<Value> = components
        .iter()
        .map(|one| {
            let mut item = json!({
                "type": "library", "name": one.name, "version": one.version,
                "licenses": [{"expression": one.licence}],
            });
            if one.is_foreign {
                put(&mut item, "purl", json!(format!("pkg:cargo/{}@{}", one.name, one.version)));
            }
            item
        })
        .collect();
    let list = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {
            "type": "application", "name": "doorward", "version": tree.version,
            "licenses": [{"expression": "Apache-2.0 OR MIT"}],
        }},
        "components": listed,
    });
    format!("{list:#}\n")
}

/// The licences of all foreign crates: who is under which, then each text once.
///
/// # Errors
/// Which licence file can't be read.
pub(super) fn notice(components: &[Component]) -> Result<String, String> {
    let mut text =
        "Doorward is licensed under Apache-2.0 or MIT, at your option. It contains these crates:\n\n"
            .to_owned();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in components.iter().filter(|one| one.is_foreign) {
        let name = format!("{} {}", one.name, one.version);
        text.push_str(&format!("{name}: {}\n", one.licence));
        for licence in licences(&one.folder)? {
            texts.entry(licence).or_default().push(name.clone());
        }
    }
    for (licence, names) in texts {
        text.push_str(&format!("\n{}\n{}:\n\n{}\n", "-".repeat(78), names.join(", "), licence.trim_end()));
    }
    Ok(text)
}

/// The texts of the licence files of a crate.
fn licences(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files: Vec<PathBuf> =
        folder.read_dir().map_err(failed)?.flatten().map(|item| item.path()).collect();
    files.sort();
    let is_licence = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file()
            && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|word| name.starts_with(word))
    };
    let read = |path: &PathBuf| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    files.iter().filter(is_licence).map(|path| read(path).map_err(failed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    #[test]
    fn the_program_is_listed_with_what_is_compiled_in_and_without_what_tests_use() {
        let components = components().unwrap();
        let has = |name: &str| components.iter().any(|one| one.name == name);
        assert!(has("doorward-cli") && has("serde") && has("sqlx"), "{}", components.len());
        assert!(!has("proptest") && !has("doorward-testing") && !has("cc"));
        assert!(components.iter().all(|one| !one.licence.is_empty()));
        let notice = notice(&components).unwrap();
        assert!(notice.contains("\nserde ") && notice.contains("Permission is hereby granted"));
        assert!(!notice.contains(&root().display().to_string()));
    }
}
