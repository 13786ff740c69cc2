//! What calls do in the languages that commands carry: reads the files under `languages/`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::calls::{Backquote, CallAct, NameRole};
use crate::document::Node;
use crate::parse::{Reader, SpecError};
use crate::spec::{Example, Source};
use crate::vocabulary::words_of;

const KEYS: &[&str] = &["source", "well-read", "writes", "like", "names", "examples"];

/// How a language is written: `LanguageRow` and `Lexis` say each.
const WRITES: &[&str] = &[
    "hash",
    "slashes",
    "dashes",
    "interpolates",
    "sigils",
    "triple",
    "quotes-like",
    "bare",
    "lisp",
    "unlisted",
];
/// A language, and what its calls do.
#[derive(Debug, Clone)]
pub struct Language {
    /// Its names, and those of what runs it.
    pub names: Vec<String>,
    /// Where the calls were read.
    pub source: Source,
    /// Names under which the table says enough to tell what code does.
    pub well_read: Vec<String>,
    /// How it is written.
    pub writes: Vec<String>,
    /// What backquotes hold.
    pub backquote: String,
    /// The grammar that reads it; empty if there is none.
    pub grammar: String,
    /// The language whose calls it shares.
    pub like: Option<String>,
    /// What calls do, in the order in which they are looked up.
    pub calls: Vec<(String, Vec<String>)>,
    /// Names with a role beside that.
    pub roles: Vec<(String, Vec<String>)>,
    /// What code does, which the tests of `doorward-shell` compare.
    pub examples: Vec<Example>,
    /// Line in the file.
    pub line: usize,
}

/// One file under `languages/`.
#[derive(Debug, Clone)]
pub struct LanguageFile {
    /// The file's name without its extension.
    pub name: String,
    /// The languages that it describes; the first has calls of its own.
    pub languages: Vec<Language>,
}

/// The folder with the languages that are shipped.
#[must_use]
pub fn shipped_languages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages")
}

/// Reads one file; `name` is its name without the extension.
///
/// # Errors
/// Text that isn't KDL, unknown keys and words, a missing source, a call that is listed twice.
pub fn parse_language(name: &str, text: &str) -> Result<LanguageFile, SpecError> {
    let reader = Reader::new(name, text);
    let document = reader.document()?;
    let languages: Vec<Language> =
        document.iter().map(|node| reader.language(node)).collect::<Result<_, _>>()?;
    if languages.is_empty() {
        return Err(reader.error_at(1, "no `language` is described"));
    }
    Ok(LanguageFile { name: name.to_owned(), languages })
}

impl Reader<'_> {
    fn language(&self, node: &Node) -> Result<Language, SpecError> {
        self.one_of(node, "key of a file of languages", node.name.as_str(), ["language"].into_iter())?;
        let mut language = Language {
            names: node.values.clone(),
            source: Source { manual: String::new(), version: String::new(), read: String::new() },
            well_read: Vec::new(),
            writes: Vec::new(),
            backquote: "mark".to_owned(),
            grammar: String::new(),
            like: None,
            calls: Vec::new(),
            roles: Vec::new(),
            examples: Vec::new(),
            line: node.line,
        };
        let mut seen = BTreeSet::new();
        for child in node.children.iter() {
            let key = child.name.as_str();
            self.one_of(child, "key of a language", key, KEYS.iter().chain(words_of::<CallAct>()).copied())?;
            match key {
                "source" => language.source = self.source(child)?,
                "well-read" => language.well_read = child.values.clone(),
                "like" => language.like = Some(self.only(child)?),
                "names" => {
                    for row in child.children.iter() {
                        self.one_of(
                            row,
                            "role of a name",
                            &row.name,
                            words_of::<NameRole>().iter().copied(),
                        )?;
                        language.roles.push((row.name.clone(), names_below(row)));
                    }
                }
                "examples" => {
                    language.examples =
                        child.children.iter().map(|row| self.example(row)).collect::<Result<_, _>>()?;
                }
                "writes" => {
                    language.writes = child.values.clone();
                    for word in &language.writes {
                        self.one_of(child, "word of `writes`", word, WRITES.iter().copied())?;
                    }
                    let mut named = self.named(child, &["backquote", "grammar"])?;
                    language.grammar = named.remove("grammar").unwrap_or_default();
                    if let Some(backquote) = named.remove("backquote") {
                        self.one_of(
                            child,
                            "word of `backquote`",
                            &backquote,
                            words_of::<Backquote>().iter().copied(),
                        )?;
                        language.backquote = backquote;
                    }
                }
                _ => {
                    for row in child.children.iter() {
                        if let Some(twice) = names_of(row).find(|name| !seen.insert(name.to_owned())) {
                            return Err(self.error(row, format!("`{twice}` is listed twice")));
                        }
                    }
                    language.calls.push((key.to_owned(), names_below(child)));
                }
            }
        }
        let problem = if language.names.is_empty() {
            "it has no name"
        } else if language.source.manual.is_empty() {
            "no `source` is named"
        } else if language.calls.is_empty() && !language.roles.is_empty() {
            return Ok(language);
        } else if language.calls.is_empty() == language.like.is_none() {
            "a language lists its calls, or says whose it shares with `like`"
        } else if language.like.is_none() && language.examples.len() < 2 {
            "a language has two examples at least"
        } else {
            return Ok(language);
        };
        Err(self.error(node, problem))
    }
}

/// The names of a line.
fn names_of(row: &Node) -> impl Iterator<Item = &str> {
    std::iter::once(row.name.as_str()).chain(row.values.iter().map(String::as_str))
}

/// The names of all lines below.
fn names_below(node: &Node) -> Vec<String> {
    node.children.iter().flat_map(names_of).map(str::to_owned).collect()
}

/// Reads every file of a folder, in the order of their names.
///
/// # Errors
/// The first file that can't be read or is wrong.
pub fn load_languages(folder: &Path) -> Result<Vec<LanguageFile>, SpecError> {
    crate::files(folder)?.iter().map(|(name, text)| parse_language(name, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::parse_language;

    #[test]
    fn mistakes_are_named_with_their_line_and_what_would_be_right() {
        let source = "source \"x\" version=\"1\" read=\"taken-over\"\n";
        let language = |body: &str| format!("language x {{\n{source}{body}\n}}");
        for (text, line, says) in [
            ("languge x {\n}".to_owned(), 1, "did you mean `language`?"),
            (language("shel {\na.b\n}"), 3, "did you mean `shell`?"),
            (language("writes hsah"), 3, "did you mean `hash`?"),
            (language("shell {\na.b\n}\ndelete {\nc a.b\n}"), 7, "`a.b` is listed twice"),
            (language("shell {\na.b\n}"), 1, "two examples"),
            ("language x {\nshell {\na\n}\n}".to_owned(), 1, "no `source`"),
            (String::new(), 1, "no `language`"),
        ] {
            let error = parse_language("x", &text).map(|_| ()).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.message.contains(says), "{text}: {error}");
        }
    }
}
