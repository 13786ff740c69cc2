//! What Doorward ships about programs: the rows that `build.rs` packed, and the names by which they are found.

use std::sync::LazyLock;

use doorward_knowledge::{NamedRow, ProgramRow, Shipped};

use super::Named;

/// What Doorward ships about programs, packed by `build.rs`.
pub(super) static SHIPPED: LazyLock<Shipped> =
    LazyLock::new(|| Shipped::open(include_bytes!(concat!(env!("OUT_DIR"), "/programs.bin"))));

/// The row of a program.
pub(super) fn lookup(name: &str) -> Option<&'static ProgramRow> {
    resolve(name).map(|(_, row)| row)
}

/// The row of a program and its name there; versions (`python3.11`, `gcc-12`) and `.exe` are looked through.
pub(super) fn resolve(name: &str) -> Option<NamedRow> {
    let exact = |name: &str| SHIPPED.exact(name);
    if let Some(found) = exact(name) {
        return Some(found);
    }
    // `find.exe` has a row of its own.
    if name.len() > 4
        && name.get(name.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".exe") || end == ".com")
        && let Some(found) = SHIPPED.in_any_case(&name.to_ascii_lowercase())
    {
        return Some(found);
    }
    let base = name.strip_suffix(".exe").unwrap_or(name);
    let stem =
        base.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end_matches('-');
    if stem != name
        && stem.len() > 1
        && let Some(found) = exact(stem)
    {
        return Some(found);
    }
    if let Some((_, last)) = base.rsplit_once("-gnu-").or_else(|| base.rsplit_once("-elf-")) {
        return exact(last);
    }
    if name.starts_with("ld-linux") || name.starts_with("ld-musl") {
        return exact("ld.so");
    }
    if name.starts_with("mkfs.") || name.starts_with("mkfs_") {
        return exact("mkfs");
    }
    if name.starts_with("fsck.") {
        return exact("fsck");
    }
    let lower = base.to_ascii_lowercase();
    SHIPPED.in_any_case(&lower)
}

/// Names of all programs in the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.names()
}

/// The manual page and version that a program's row was written from.
#[must_use]
pub fn source(name: &str) -> Option<&'static str> {
    lookup(&Named::of(name).name).map(|row| row.source)
}

/// The name in the tables of a program that cmd starts by this one: `find` is `find.exe`, not the program of Unix.
pub(crate) fn of_windows(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let mut named = [".exe", ".com", ""].iter().map(|ending| format!("{lower}{ending}"));
    named.find_map(|name| SHIPPED.in_any_case(&name).map(|(own, _)| own))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use doorward_knowledge::row::Role;
    use doorward_knowledge::{load, shipped};

    use super::super::compact::{compact, deeds};
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        fn check(row: &ProgramRow, seen: &mut usize) {
            *seen += 1;
            for token in row.options.split_ascii_whitespace().chain(row.common.split_ascii_whitespace()) {
                assert!(token.starts_with('-') || token.starts_with('+'), "{}: {token}", row.names);
                for role in token.split_once('=').into_iter().flat_map(|(_, roles)| roles.split(',')) {
                    assert!(Role::named(role).is_some(), "{}: role of {token}", row.names);
                }
            }
            for token in row.operands.split_ascii_whitespace() {
                let role = token.split('!').next().unwrap_or_default().trim_end_matches(['*', '?']);
                let role: &'static str = Box::leak(role.to_owned().into_boxed_str());
                assert!(Role::named(role).is_some(), "{}: operand {token}", row.names);
            }
            row.commands().for_each(|sub| check(sub, seen));
        }
        let mut seen = 0;
        let mut names: HashMap<&str, usize> = HashMap::new();
        for row in SHIPPED.all() {
            let row = row.expect("a row can't be unpacked");
            assert!(!row.source.is_empty(), "{}", row.names);
            check(row, &mut seen);
            let exact = row.names.split_ascii_whitespace().filter(|_| !row.any_case);
            exact.for_each(|name| *names.entry(name).or_default() += 1);
        }
        let twice: Vec<_> = names.iter().filter(|(_, count)| **count > 1).collect();
        assert!(twice.is_empty(), "in two tables: {twice:?}");
        assert!(seen > 250 && names.len() > 250, "{seen} rows, {} programs", names.len());
    }

    #[test]
    fn examples_of_the_specs_hold() {
        let mut wrong = Vec::new();
        for spec in load(&shipped()).unwrap_or_else(|error| panic!("{error}")) {
            for program in &spec.programs {
                assert!(
                    program.examples.len() > 1,
                    "{}: {} has no examples",
                    spec.name,
                    program.row.names[0]
                );
                for example in &program.examples {
                    let found = compact(&deeds(&example.command));
                    if found != example.effects {
                        wrong.push(format!(
                            "knowledge/programs/{}.kdl:{}: {}\n  expected {}\n  found    {found}",
                            spec.name, example.line, example.command, example.effects
                        ));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}
