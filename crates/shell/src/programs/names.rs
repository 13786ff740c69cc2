//! Lists of programs' names, written as one text and looked up by hash.

use std::collections::HashSet;
use std::sync::OnceLock;

use doorward_knowledge::row::ProgramRow;

/// Names of programs.
pub(super) struct Names {
    /// The names, between blanks.
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl Names {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, set: OnceLock::new() }
    }

    /// Whether a program is in the list.
    pub(super) fn has(&self, program: &str) -> bool {
        self.set.get_or_init(|| self.text.split_ascii_whitespace().collect()).contains(program)
    }
}

/// Whether a short list holds a name. For a list that is looked at once per call there is [`Names`].
pub(super) fn lists(list: &str, program: &str) -> bool {
    list.split_ascii_whitespace().any(|name| name == program)
}

/// Programs whose names are words that sentences begin with.
static WORDS: Names = Names::new(
    "act alias apply as at banner batch bind break build case cat cd check clear code column command \
    complete config continue convert cut date delta diff do dot echo ed entr eval ex exit expand expect \
    export factor false file find for format fortune get go help history host id if import info init \
    install jobs join jq just kill last less let link list local log login look ls mail make more mount \
    nice node open paste patch print printf read reset return route run say script service set shell \
    show sort source split start status stop sum sync tar task test then time top trap tree true type \
    units users view w wait watch while who write yes",
);

/// Whether a program's name is a word that sentences begin with, so that it alone doesn't make a command line.
pub(crate) fn is_word(name: &str) -> bool {
    WORDS.has(name)
}

/// The sub-command that a word names, or is short for, and its full name. Where a word that names none has a meaning of
/// its own (an alias, a script), only a full name counts.
pub(super) fn command_of(row: &ProgramRow, word: &str) -> Option<(&'static ProgramRow, &'static str)> {
    let exact = row.commands().find_map(|sub| Some((sub, sub.spelled(word)?)));
    if exact.is_some() || word.len() < 2 || !row.otherwise.is_empty() {
        return exact;
    }
    let mut fitting = row.commands().filter_map(|sub| {
        let own = sub.names.split_ascii_whitespace().find(|own| own.starts_with(word))?;
        Some((sub, own))
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word() {
        static SOME: Names = Names::new("one two-three  four");
        for (name, there) in [("one", true), ("two", false), ("two-three", true), ("four", true), ("", false)]
        {
            assert_eq!(SOME.has(name), there, "{name}");
            assert_eq!(lists("one two-three  four", name), there, "{name}");
        }
    }
}
