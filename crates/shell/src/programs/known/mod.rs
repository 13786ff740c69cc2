//! Tables generated from the specs under `knowledge/programs` by `cargo run -p doorward-knowledge`.
//!
//! Nothing here is written by hand: change the spec, run the generator, and run the tests, which compare these files
//! with the specs and run every example of them.

mod tables;

use super::row::ProgramRow;

/// What the generated files are written with.
mod prelude {
    pub(super) use doorward_core::intent::{Direction, PrivilegeKind, RecoverableBy};

    pub(super) use super::super::copying::{Copies, Copying};
    pub(super) use super::super::effects::{
        AFTER_DASHES, Act, Arrives, Condition, FROM_COMMAND, Rule, Wrapping,
    };
    pub(super) use super::super::picks::Pick;
    pub(super) use super::super::row::{ProgramRow, Role, Style, named, reads, works, wraps};
    pub(super) use super::super::searching::{Names, Searching};
    pub(super) use crate::deed::{Output, StdinRole};
}

pub(super) use tables::TABLES;

/// The commands of git, for the programs in git's own folder (`git-log`).
pub(super) fn git_commands() -> impl Iterator<Item = &'static ProgramRow> {
    TABLES.iter().flat_map(|table| table.iter()).filter(|row| row.is("git")).flat_map(|row| row.commands())
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::{emit, emit_list, generated, load, shipped};

    use super::super::compact::{compact, deeds};
    use super::super::is_known;

    #[test]
    fn tables_are_what_the_specs_say() {
        let specs = load(&shipped()).unwrap_or_else(|error| panic!("{error}"));
        let list = std::fs::read_to_string(generated("tables")).unwrap_or_default();
        assert!(list == emit_list(&specs), "a spec isn't in the list: run `cargo run -p doorward-knowledge`");
        for spec in specs {
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
