//! What calls of a language do. The tables are data: `knowledge/languages`, one file a language.
//!
//! A row's names are full names (`os.system`), or methods of any receiver (`.unlink`).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::knowledge::List;
use crate::knowledge::calls::unpack_languages;

use super::tokens::{Backquote, Lexis};

pub(super) use crate::knowledge::calls::{CallAct as Act, LanguageRow, NameRole};

/// Every language; the one named `other` stands for those that have no table.
static LANGUAGES: LazyLock<List<LanguageRow>> =
    LazyLock::new(|| unpack_languages(include_bytes!(concat!(env!("OUT_DIR"), "/languages.bin"))));

/// The names that have a role in every language.
static ROLES: LazyLock<HashMap<NameRole, HashSet<&'static str>>> = LazyLock::new(|| {
    let mut roles: HashMap<NameRole, HashSet<&'static str>> = HashMap::new();
    for (names, role) in of("any").roles.all() {
        roles.entry(*role).or_default().extend(names.split_ascii_whitespace());
    }
    roles
});

/// Whether a name has a role in every language.
pub(super) fn is(role: NameRole, name: &str) -> bool {
    ROLES.get(&role).is_some_and(|names| names.contains(name))
}

fn is_in(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|own| own == name)
}

/// A language that no file describes.
static UNTOLD: LanguageRow = LanguageRow {
    names: "",
    well_read: "",
    grammar: "",
    lexis: Lexis {
        hash: true,
        slashes: false,
        dashes: false,
        backquote: Backquote::Mark,
        interpolates: false,
        sigils: false,
        triple: false,
        quotes_like: false,
    },
    rules: List::EMPTY,
    roles: List::EMPTY,
    bare: true,
    lisp: false,
    unlisted: true,
};

/// How a language is read; one that has no table is read by the table of all.
pub(super) fn of(language: &str) -> &'static LanguageRow {
    let named = |name: &str| LANGUAGES.all().iter().find(|own| is_in(own.names, name));
    named(language).or_else(|| named("other")).unwrap_or(&UNTOLD)
}

/// Whether the table of this language says enough to tell what its code does.
pub(super) fn is_well_read(language: &str) -> bool {
    is_in(of(language).well_read, language)
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::{load_languages, shipped_languages};

    use crate::languages::{Invocation, describe};
    use crate::programs::compact::compact;

    #[test]
    fn examples_of_the_languages_hold() {
        let mut wrong = Vec::new();
        for file in load_languages(&shipped_languages()).unwrap_or_else(|error| panic!("{error}")) {
            for language in &file.languages {
                for example in &language.examples {
                    let mut deeds = describe(
                        &language.names[0],
                        &example.command,
                        Invocation::default(),
                        doorward_core::intent::Span::default(),
                        &crate::programs::Context::default(),
                    );
                    deeds.modules.clear();
                    let found = compact(&deeds);
                    if found != example.effects {
                        wrong.push(format!(
                            "knowledge/languages/{}.kdl:{}: {}\n  expected {}\n  found    {found}",
                            file.name, example.line, example.command, example.effects
                        ));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}
