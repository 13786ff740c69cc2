//! The licences of everything in Cargo.lock, against the list of `deny.toml`. `cargo deny check` does this and more, where
//! it is installed; this test needs nothing but cargo.

use std::collections::BTreeSet;

use serde_json::Value;

/// The licences that `deny.toml` allows.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(super::root().join("deny.toml")).unwrap();
    let (_, section) = text.split_once("\n[licenses]\n").unwrap();
    let (_, list) = section.split_once("allow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an SPDX expression (annex D of the specification) can be met with these licences: of `OR` one side is enough,
/// `AND` binds closer and needs both, `X WITH Y` is one licence. Old manifests write `/` for `OR`.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let met = any_of(&mut rest, allowed);
    met == Some(true) && rest.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut met = all_of(words, allowed)?;
    while let Some(("OR", rest)) = words.split_first().map(|(word, rest)| (*word, rest)) {
        *words = rest;
        met |= all_of(words, allowed)?;
    }
    Some(met)
}

fn all_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut met = one(words, allowed)?;
    while let Some(("AND", rest)) = words.split_first().map(|(word, rest)| (*word, rest)) {
        *words = rest;
        met &= one(words, allowed)?;
    }
    Some(met)
}

fn one(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let (word, rest) = words.split_first()?;
    *words = rest;
    if *word == "(" {
        let met = any_of(words, allowed)?;
        let (close, rest) = words.split_first()?;
        *words = rest;
        return (*close == ")").then_some(met);
    }
    if let ["WITH", exception, rest @ ..] = rest {
        *words = rest;
        return Some(allowed.contains(&format!("{word} WITH {exception}")));
    }
    Some(allowed.contains(*word))
}

#[test]
fn an_expression_is_met_by_what_is_allowed() {
    let allowed = BTreeSet::from(["MIT", "Apache-2.0 WITH LLVM-exception", "Zlib"].map(str::to_owned));
    for met in [
        "MIT",
        "MIT/GPL-3.0",
        "GPL-3.0 OR MIT",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for not in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "GPL-3.0 OR Apache-2.0 WITH X",
        "(MIT",
        "MIT MIT",
        "MIT OR",
    ] {
        assert!(!is_met(not, &allowed), "{not}");
    }
}

#[test]
fn everything_in_the_lock_file_has_a_licence_that_is_allowed() {
    let told =
        super::cargo().args(["metadata", "--locked", "--all-features", "--format-version", "1"]).output();
    let told = told.unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let metadata: Value = serde_json::from_slice(&told.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let named = |package: &Value| {
        format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
    };
    let allowed = allowed();
    let wrong: Vec<String> = packages
        .iter()
        .filter(|package| !is_met(package["license"].as_str().unwrap_or_default(), &allowed))
        .map(|package| format!("{}: {}", named(package), package["license"]))
        .collect();
    assert!(wrong.is_empty(), "deny.toml allows none of these:\n{}", wrong.join("\n"));
    // What cargo didn't tell of wasn't looked at.
    let told: BTreeSet<String> = packages.iter().map(named).collect();
    let lock = std::fs::read_to_string(super::root().join("Cargo.lock")).unwrap();
    let value = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
    for package in lock.split("[[package]]\n").skip(1) {
        let mut lines = package.lines();
        let name = format!("{} {}", value(lines.next().unwrap()), value(lines.next().unwrap()));
        assert!(told.contains(&name), "{name} is in Cargo.lock, and its licence isn't known");
    }
}
