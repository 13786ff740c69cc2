//! What calls do in the languages that commands carry: reads the files under `languages/` and writes their table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kdl::{KdlDocument, KdlNode};

use crate::parse::{Reader, SpecError, children};
use crate::spec::{Example, Source};

/// What a call can do with its arguments; `docs/knowledge.md` says each. The names are those of `rules::Act`.
const ACTS: &[&str] = &[
    "shell",
    "words",
    "command-words",
    "delete",
    "delete-tree",
    "delete-self",
    "open",
    "write",
    "write-self",
    "write-second",
    "write-third",
    "read",
    "read-self",
    "move",
    "copy",
    "hard-link",
    "meta",
    "meta-self",
    "fetch",
    "send",
    "connect",
    "download",
    "listen",
    "env",
    "eval",
    "file",
    "load",
    "kill",
    "drop",
];

const KEYS: &[&str] = &["source", "well-read", "writes", "like", "examples"];

/// How a language is written: `rules::Language` and `tokens::Lexis` say each.
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
const BACKQUOTES: &[&str] = &["command", "template", "mark"];

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
    /// The language whose calls it shares.
    pub like: Option<String>,
    /// What calls do, in the order in which they are looked up.
    pub calls: Vec<(String, Vec<String>)>,
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

/// The generated Rust file of all languages.
#[must_use]
pub fn generated_languages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/shell/src/languages/known.rs")
}

/// Reads one file; `name` is its name without the extension.
///
/// # Errors
/// Text that isn't KDL, unknown keys and words, a missing source, a call that is listed twice.
pub fn parse_language(name: &str, text: &str) -> Result<LanguageFile, SpecError> {
    let reader = Reader::new(name, text);
    let document: KdlDocument = reader.document()?;
    let languages: Vec<Language> =
        document.nodes().iter().map(|node| reader.language(node)).collect::<Result<_, _>>()?;
    if languages.is_empty() {
        return Err(reader.error_at(0, "no `language` is described"));
    }
    Ok(LanguageFile { name: name.to_owned(), languages })
}

impl Reader<'_> {
    fn language(&self, node: &KdlNode) -> Result<Language, SpecError> {
        self.one_of(node, "key of a file of languages", node.name().value(), ["language"].into_iter())?;
        let mut language = Language {
            names: self.values(node)?,
            source: Source { manual: String::new(), version: String::new(), read: String::new() },
            well_read: Vec::new(),
            writes: Vec::new(),
            backquote: "mark".to_owned(),
            like: None,
            calls: Vec::new(),
            examples: Vec::new(),
            line: self.line(node.span().offset()),
        };
        let mut seen = BTreeSet::new();
        for child in children(node) {
            let key = child.name().value();
            self.one_of(child, "key of a language", key, KEYS.iter().chain(ACTS).copied())?;
            match key {
                "source" => language.source = self.source(child)?,
                "well-read" => language.well_read = self.values(child)?,
                "like" => language.like = Some(self.only(child)?),
                "examples" => {
                    language.examples =
                        children(child).map(|row| self.example(row)).collect::<Result<_, _>>()?;
                }
                "writes" => {
                    language.writes = self.values(child)?;
                    for word in &language.writes {
                        self.one_of(child, "word of `writes`", word, WRITES.iter().copied())?;
                    }
                    if let Some(backquote) = self.named(child, &["backquote"])?.remove("backquote") {
                        self.one_of(child, "word of `backquote`", &backquote, BACKQUOTES.iter().copied())?;
                        language.backquote = backquote;
                    }
                }
                _ => {
                    let mut calls = Vec::new();
                    for row in children(child) {
                        let mut names = vec![row.name().value().to_owned()];
                        names.extend(self.values(row)?);
                        if let Some(twice) = names.iter().find(|name| !seen.insert((*name).clone())) {
                            return Err(self.error(row, format!("`{twice}` is listed twice")));
                        }
                        calls.extend(names);
                    }
                    language.calls.push((key.to_owned(), calls));
                }
            }
        }
        let problem = if language.names.is_empty() {
            "it has no name"
        } else if language.source.manual.is_empty() {
            "no `source` is named"
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

/// Reads every file of a folder, in the order of their names.
///
/// # Errors
/// The first file that can't be read or is wrong.
pub fn load_languages(folder: &Path) -> Result<Vec<LanguageFile>, SpecError> {
    crate::files(folder)?.iter().map(|(name, text)| parse_language(name, text)).collect()
}

/// The generated table.
#[must_use]
pub fn emit_languages(files: &[LanguageFile]) -> String {
    let mut out = String::from(
        "//! What calls of each language do. Generated from knowledge/languages by `cargo run -p doorward-knowledge`;\n\
         //! edit those files.\n\n\
         use super::rules::Act::{self, *};\n\
         use super::rules::Language;\n\
         use super::tokens::{Backquote, Lexis};\n",
    );
    for file in files {
        let Some(language) = file.languages.first() else { continue };
        let _ = writeln!(out, "\n/// {} {}.", language.source.manual, language.source.version);
        let _ = writeln!(out, "const {}: &[(&str, Act)] = &[", constant(&file.name));
        for (act, calls) in &language.calls {
            let _ = writeln!(out, "    ({}, {}),", crate::emit::folded_words(calls), variant(act));
        }
        out.push_str("];\n");
    }
    out.push_str("\n/// Every language; the one named `other` stands for those that have no table.\n");
    out.push_str("pub(super) static LANGUAGES: &[Language] = &[\n");
    for file in files {
        for language in &file.languages {
            let has = |word: &str| language.writes.iter().any(|own| own == word);
            let calls = language.like.as_deref().unwrap_or(&file.name);
            let _ = writeln!(
                out,
                "    Language {{\n        names: {},\n        well_read: {},\n        rules: {},\n        \
                 bare: {},\n        lisp: {},\n        unlisted: {},\n        lexis: Lexis {{\n            \
                 hash: {},\n            slashes: {},\n            dashes: {},\n            backquote: Backquote::{},\n            \
                 interpolates: {},\n            sigils: {},\n            triple: {},\n            quotes_like: {},\n        }},\n    }},",
                crate::emit::folded_words(&language.names),
                crate::emit::folded_words(&language.well_read),
                constant(calls),
                has("bare"),
                has("lisp"),
                has("unlisted"),
                has("hash"),
                has("slashes"),
                has("dashes"),
                variant(&language.backquote),
                has("interpolates"),
                has("sigils"),
                has("triple"),
                has("quotes-like"),
            );
        }
    }
    out.push_str("];\n");
    out
}

fn constant(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// `delete-tree` is `DeleteTree`.
fn variant(act: &str) -> String {
    act.split('-')
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            format!("{}{rest}", first.to_uppercase())
        })
        .collect()
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
