//! What calls of a language do. The tables are data: `knowledge/languages`, one file a language.
//!
//! A row's names are full names (`os.system`), or methods of any receiver (`.unlink`).

use super::known::LANGUAGES;
use super::tokens::{Backquote, Lexis};

/// What a call does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// The first argument is shell text, or a list of words.
    Shell,
    /// The arguments are a command's words (`execvp("rm", ["rm", …])`, `spawn("rm", ["-rf"])`).
    Words,
    /// Every argument is a file that is deleted.
    Delete,
    /// A folder with everything below.
    DeleteTree,
    /// The receiver `Path(x)` is deleted.
    DeleteSelf,
    /// The first argument is opened; the mode decides.
    Open,
    /// The first argument is written.
    Write,
    /// The receiver `Path(x)` is written.
    WriteSelf,
    /// The first argument is read.
    Read,
    /// The receiver `Path(x)` is read.
    ReadSelf,
    /// The second argument is written.
    WriteSecond,
    /// The third argument is written.
    WriteThird,
    /// The first argument is a file with code of the same language, which runs.
    File,
    /// The words behind `COMMAND`.
    CommandWords,
    /// From the first to the second.
    Move,
    /// From the first, which stays, to the second.
    Copy,
    /// A second name for the first: whoever may write there from now on writes the first.
    HardLink,
    /// Mode or owner of the first argument.
    Meta,
    /// Mode of the receiver `Path(x)`.
    MetaSelf,
    /// A URL or host that is fetched from.
    Fetch,
    /// A URL or host that is sent to.
    Send,
    /// Host and port in a pair.
    Connect,
    /// Fetches the first, writes the second.
    Download,
    /// The environment, or one variable of it.
    Env,
    /// Code in the same language.
    Eval,
    /// Loads native code or turns bytes into code.
    Load,
    /// Stops processes.
    Kill,
    /// Opens a port.
    Listen,
    /// Drops or empties what a database keeps.
    Drop,
}

/// A language.
#[derive(Debug)]
pub(super) struct Language {
    /// Its names, and those of what runs it.
    pub(super) names: &'static str,
    /// Names under which the table says enough to tell what its code does; under others, only what stands out is
    /// known.
    pub(super) well_read: &'static str,
    pub(super) lexis: Lexis,
    pub(super) rules: &'static [(&'static str, Act)],
    /// Calls may leave the parentheses out.
    pub(super) bare: bool,
    /// Calls are `(name arg arg)`.
    pub(super) lisp: bool,
    /// Stands for languages that have no table of their own.
    pub(super) unlisted: bool,
}

impl Language {
    /// Read by the table for languages that have none of their own.
    pub(super) const fn is_unlisted(&self) -> bool {
        self.unlisted
    }

    /// What the table says of a full name as it stands.
    pub(super) fn exact(&self, name: &str) -> Option<Act> {
        let is = |own: &str| own == name;
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }

    /// What the table says of a method of this name, whatever it belongs to.
    pub(super) fn telling(&self, method: &str) -> Option<Act> {
        let is = |own: &str| own.rsplit('.').next() == Some(method);
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }

    /// What the table says of exactly this name, or of the end of a dotted one.
    pub(super) fn rule(&self, name: &str) -> Option<Act> {
        let is = |own: &str| match own.strip_prefix('.') {
            Some(method) => name.rsplit_once('.').is_some_and(|(_, last)| last == method),
            None => {
                own == name
                    || own.contains('.') && name.strip_suffix(own).is_some_and(|front| front.ends_with('.'))
            }
        };
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }
}

fn is_in(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|own| own == name)
}

/// A language that no file describes.
static UNTOLD: Language = Language {
    names: "",
    well_read: "",
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
    rules: &[],
    bare: true,
    lisp: false,
    unlisted: true,
};

/// How a language is read; one that has no table is read by the table of all.
pub(super) fn of(language: &str) -> &'static Language {
    let named = |name: &str| LANGUAGES.iter().find(|own| is_in(own.names, name));
    named(language).or_else(|| named("other")).unwrap_or(&UNTOLD)
}

/// Whether the table of this language says enough to tell what its code does.
pub(super) fn is_well_read(language: &str) -> bool {
    is_in(of(language).well_read, language)
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::{emit_languages, generated_languages, load_languages, shipped_languages};

    use crate::languages::{Invocation, describe};
    use crate::programs::compact::compact;

    #[test]
    fn the_table_is_what_the_files_say() {
        let files = load_languages(&shipped_languages()).unwrap_or_else(|error| panic!("{error}"));
        let found = std::fs::read_to_string(generated_languages()).unwrap_or_default();
        assert!(found == emit_languages(&files), "run `cargo run -p doorward-knowledge`");
        assert!(found.lines().all(|line| line.len() <= 120), "a line is longer than 120 columns");
    }

    #[test]
    fn examples_of_the_languages_hold() {
        let mut wrong = Vec::new();
        for file in load_languages(&shipped_languages()).unwrap_or_else(|error| panic!("{error}")) {
            for language in &file.languages {
                for example in &language.examples {
                    let deeds = describe(
                        &language.names[0],
                        &example.command,
                        Invocation::default(),
                        doorward_core::intent::Span::default(),
                        &crate::programs::Context::default(),
                    );
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
