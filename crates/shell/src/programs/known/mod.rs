//! Tables generated from the specs under `knowledge/programs` by `cargo run -p doorward-knowledge`.
//!
//! Nothing here is written by hand: change the spec, run the generator, and run the tests, which compare these files
//! with the specs and run every example of them.

#[rustfmt::skip]
mod docker;
#[rustfmt::skip]
mod git;
#[rustfmt::skip]
mod kubectl;
#[rustfmt::skip]
mod npm;
#[rustfmt::skip]
mod pip;

use super::row::ProgramRow;

/// What the generated files are written with.
mod prelude {
    pub(super) use doorward_core::intent::{Direction, PrivilegeKind, RecoverableBy};

    pub(super) use super::super::effects::{AFTER_DASHES, Act, Condition, Rule};
    pub(super) use super::super::row::{ProgramRow, Role, Style, named, reads, works};
    pub(super) use crate::deed::{Output, StdinRole};
}

pub(super) static TABLES: &[&[ProgramRow]] = &[docker::ROWS, git::ROWS, kubectl::ROWS, npm::ROWS, pip::ROWS];

/// The commands of git, for the programs in git's own folder (`git-log`).
pub(super) fn git_commands() -> impl Iterator<Item = &'static ProgramRow> {
    git::ROWS.iter().flat_map(|row| row.subs)
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::{emit, generated, load, shipped};

    use super::super::compact::{compact, deeds};
    use super::super::is_known;

    #[test]
    fn tables_are_what_the_specs_say() {
        for spec in load(&shipped()).unwrap_or_else(|error| panic!("{error}")) {
            let path = generated(&spec.name);
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                found == emit(&spec),
                "{} isn't what its spec says: run `cargo run -p doorward-knowledge`",
                path.display()
            );
            let longest = found.lines().map(str::len).max().unwrap_or_default();
            assert!(longest <= 120, "{}: a line of {longest} columns", path.display());
            for program in &spec.programs {
                assert!(
                    program.row.names.iter().all(|name| is_known(name)),
                    "{} isn't in `TABLES`",
                    spec.name
                );
            }
        }
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
