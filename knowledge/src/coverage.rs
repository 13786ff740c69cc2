//! How far the shipped specs were read: what was compared with its manual, and what Rust still says.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::spec::{Program, Row, SpecFile};

/// A report for people: how many programs were compared with their manual option by option, which weren't, and how
/// many functions of Rust the specs name.
#[must_use]
pub fn coverage(specs: &[SpecFile]) -> String {
    let programs: Vec<&Program> = specs.iter().flat_map(|spec| &spec.programs).collect();
    let (compared, taken_over): (Vec<&Program>, Vec<&Program>) =
        programs.iter().copied().partition(|program| program.source.is_compared());
    let names =
        |programs: &[&Program]| -> usize { programs.iter().map(|program| program.row.names.len()).sum() };
    let examples: usize = programs.iter().map(|program| program.examples.len()).sum();
    let mut functions = BTreeSet::new();
    let mut calling = 0;
    for spec in specs {
        let sets = spec.commands.values().flatten();
        sets.for_each(|row| named_functions(row, &spec.functions, &mut functions));
        for program in &spec.programs {
            let mut own = BTreeSet::new();
            named_functions(&program.row, &spec.functions, &mut own);
            calling += usize::from(!own.is_empty());
            functions.extend(own);
        }
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} files describe {} programs with {} names, in {examples} examples",
        specs.len(),
        programs.len(),
        names(&programs)
    );
    let _ = writeln!(
        out,
        "compared with the manual option by option: {} programs, {} names",
        compared.len(),
        names(&compared)
    );
    let _ = writeln!(
        out,
        "taken over and not compared: {} programs, {} names",
        taken_over.len(),
        names(&taken_over)
    );
    let _ = writeln!(
        out,
        "functions of Rust that are named: {}, by {calling} programs; {} programs are data alone",
        functions.len(),
        programs.len() - calling
    );
    out.push_str("\nnot compared:");
    let mut column = usize::MAX;
    for program in taken_over {
        let name = program.row.names.first().map_or("", String::as_str);
        if column.saturating_add(name.len()) > 100 {
            out.push_str("\n ");
            column = 1;
        }
        let _ = write!(out, " {name}");
        column += name.len() + 1;
    }
    out
}

/// The functions that a row and its commands name, each with its module.
fn named_functions(row: &Row, module: &str, found: &mut BTreeSet<String>) {
    for act in row.rules.iter().chain(&row.otherwise).flat_map(|rule| &rule.acts) {
        if let ("rust", Some(function)) = (act.key.as_str(), act.values.first()) {
            found.insert(format!("{module}::{function}"));
        }
    }
    row.commands.iter().for_each(|command| named_functions(command, module, found));
}

#[cfg(test)]
mod tests {
    use super::coverage;
    use crate::parse::parse;

    #[test]
    fn what_was_not_compared_is_counted_and_named() {
        let text = "functions git\nprogram x y {\nsource \"x(1)\" version=\"1\" read=\"2026-11-23\"\nrust a\n}\n\
                    program z {\nsource \"z(1)\" version=\"1\" read=\"taken-over\"\ncommand b {\nrust a\n}\n}\n\
                    program w {\nsource \"w(1)\" version=\"1\" read=\"taken-over\"\n}";
        let report = coverage(&[parse("x", text).unwrap_or_else(|error| panic!("{error}"))]);
        for line in [
            "1 files describe 3 programs with 4 names, in 0 examples",
            "compared with the manual option by option: 1 programs, 2 names",
            "taken over and not compared: 2 programs, 2 names",
            "functions of Rust that are named: 1, by 2 programs; 1 programs are data alone",
            "  z w",
        ] {
            assert!(report.contains(line), "{line}\n{report}");
        }
    }
}
