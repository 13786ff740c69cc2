//! Looks up what `knowledge/cmdlets` says of cmdlets, their parameters, and methods of .NET.

use std::collections::HashMap;
use std::sync::LazyLock;

pub(super) use crate::knowledge::cmdlet::{
    CmdletDeed, CmdletOutput, CmdletParameter, CmdletRow, MethodAct, MethodDeed, ParameterRole,
};

use crate::knowledge::cmdlet::Cmdlets;

static CMDLETS: LazyLock<Cmdlets> =
    LazyLock::new(|| Cmdlets::open(include_bytes!(concat!(env!("OUT_DIR"), "/cmdlets.bin"))));

static INDEX: LazyLock<HashMap<String, &'static CmdletRow>> = LazyLock::new(|| {
    let named = |row: &'static CmdletRow| row.names.iter().map(move |name| (name.to_ascii_lowercase(), row));
    CMDLETS.rows.iter().flat_map(named).collect()
});

/// The row of a cmdlet by its name or alias in lower case.
pub(super) fn lookup(name: &str) -> Option<&'static CmdletRow> {
    INDEX.get(name).copied()
}

/// Whether an alias is a program of its own where PowerShell doesn't define it.
pub(super) fn is_foreign(name: &str) -> bool {
    CMDLETS.programs.contains(&name)
}

fn is_named(parameter: &CmdletParameter, name: &str) -> bool {
    parameter.names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

fn begins(own: &str, name: &str) -> bool {
    own.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The parameter of this name, which may be shortened to what only one begins with.
pub(super) fn parameter(row: &'static CmdletRow, name: &str) -> Option<&'static CmdletParameter> {
    let parameters = row.parameters.all();
    let exact = parameters.iter().find(|parameter| is_named(parameter, name));
    exact.or_else(|| {
        // Where several begin so PowerShell refuses; the one that does most stands for them.
        let acts = |parameter: &CmdletParameter| {
            let places = parameter.role.is_some_and(|role| role != ParameterRole::Data);
            (places, row.recursive.contains(&parameter.name()))
        };
        let begun = parameters.iter().filter(|parameter| !name.is_empty() && begins(parameter.name(), name));
        begun.max_by_key(|parameter| acts(parameter))
    })
}

/// A parameter of every cmdlet, which may be shortened to three letters.
pub(super) fn common(name: &str) -> Option<&'static CmdletParameter> {
    let parameters = &CMDLETS.common;
    let exact = parameters.iter().find(|parameter| is_named(parameter, name));
    exact.or_else(|| parameters.iter().find(|parameter| name.len() > 2 && begins(parameter.name(), name)))
}

/// The full name of a type in lower case.
pub(super) fn full_type(name: &str) -> String {
    let lower = name.trim_matches(['[', ']', ' ']).to_ascii_lowercase();
    let lower = if name.ends_with("[]") { format!("{lower}[]") } else { lower };
    if let Some((_, full)) = CMDLETS.types.iter().find(|(short, _)| *short == lower) {
        return (*full).to_owned();
    }
    let first = lower.split('.').next().unwrap_or_default();
    if matches!(first, "system" | "microsoft" | "windows") || lower.starts_with("type:") {
        lower
    } else {
        format!("system.{lower}")
    }
}

/// What a method does: `type::method` if it is static, `class.method`, or `.method` of an object that isn't known.
pub(super) fn method(name: &str) -> Option<MethodDeed> {
    let fits = |own: &str| {
        let ends = own.starts_with('.') && name.ends_with(own);
        own == name
            || ends
            || own.contains('*') && crate::expand::pattern::matches_str(own, name) == Some(true)
    };
    CMDLETS.methods.iter().find_map(|(own, deed)| fits(own).then_some(*deed))
}

/// Whether a word is the name of a method of some object.
pub(super) fn is_method(name: &str) -> bool {
    let ending = format!(".{}", name.to_ascii_lowercase());
    CMDLETS.methods.iter().any(|(own, _)| own.ends_with(&ending))
}

#[cfg(test)]
mod tests {
    use crate::knowledge::cmdlet::{load_cmdlets, shipped_cmdlets};
    use crate::languages::{Invocation, describe};
    use crate::programs::compact::compact;

    use super::super::functions;
    use super::{CMDLETS, CmdletDeed};

    #[test]
    fn every_function_that_a_cmdlet_names_is_here() {
        let rules = CMDLETS.rows.iter().flat_map(|row| row.rules.iter().map(move |rule| (row, rule)));
        let mut seen = 0;
        for (row, rule) in rules {
            if let CmdletDeed::Rust(name) = rule.deed {
                assert!(functions::named(name).is_some(), "{}: {name} isn't in `functions.rs`", row.name());
                seen += 1;
            }
        }
        assert!(seen > 20 && CMDLETS.rows.len() > 300, "{seen} of {}", CMDLETS.rows.len());
    }

    #[test]
    fn examples_of_the_cmdlets_hold() {
        let cmdlets = load_cmdlets(&shipped_cmdlets()).unwrap_or_else(|error| panic!("{error}"));
        let span = doorward_core::intent::Span::default();
        let wrong: Vec<String> = cmdlets
            .examples
            .iter()
            .filter_map(|(file, example)| {
                let context = crate::programs::Context::default();
                let deeds = describe("powershell", &example.command, Invocation::default(), span, &context);
                let (found, expected) = (compact(&deeds), &example.effects);
                let place = format!("knowledge/cmdlets/{file}.kdl:{}: {}", example.line, example.command);
                (found != *expected).then(|| format!("{place}\n  expected {expected}\n  found    {found}"))
            })
            .collect();
        assert!(wrong.is_empty() && cmdlets.examples.len() > 60, "\n{}", wrong.join("\n"));
    }
}
