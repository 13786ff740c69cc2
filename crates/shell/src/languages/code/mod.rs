//! Code in languages that have a grammar: a tree, and what following it does.
//!
//! [`describe`] parses a text with the grammar of its language, lets the language's reader turn it into the one tree
//! of [`tree`], and follows that ([`run`]). What is called acts by the rows of `rules`. A text with errors is followed
//! as far as it can be read, and says so, so that the reader of tokens looks at it, too.

mod acts;
mod bearable;
mod clients;
mod handed;
mod item;
mod library;
mod parse;
pub(super) mod read;
mod run;
mod scope;
mod temporary;
pub(super) mod tree;
mod values;

pub(in crate::languages) use item::{Given, Item, Object};
pub(in crate::languages) use run::{Run, bound};
pub(super) use temporary::is_made;
pub(in crate::languages) use values::{binary, index, joined_texts, method as of_map, parent, slice};

use super::CodeEffects;
use super::rules::LanguageRow;

/// What languages differ in while they are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "each is made once its reader is there")]
pub(in crate::languages) enum Dialect {
    Python,
    JavaScript,
    Ruby,
    Php,
    Perl,
    Lua,
    Go,
}

impl Dialect {
    /// The name of the object in a method.
    fn this(self) -> &'static str {
        match self {
            Self::JavaScript => "this",
            Self::Php => "$this",
            _ => "self",
        }
    }

    /// Whether the object is a method's first parameter.
    fn passes_this(self) -> bool {
        matches!(self, Self::Python | Self::Perl)
    }

    /// Whether the last value of a function is what it returns.
    fn last_is_value(self) -> bool {
        matches!(self, Self::Ruby | Self::Perl)
    }
}

/// How well a text was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// All of it was followed.
    Whole,
    /// Parts were not understood, or there was more than is followed.
    InPart,
    /// There is no grammar for the language.
    NotAtAll,
}

type ReadTree = fn(&mut read::Reader<'_>, tree_sitter::Node<'_>) -> Vec<tree::Stmt>;

/// How code of a language is read; `None` if there is no grammar for it.
fn reader(language: &str) -> Option<(Dialect, ReadTree)> {
    Some(match language {
        "python" | "python3" => (Dialect::Python, super::python::read),
        "javascript" | "node" | "typescript" => (Dialect::JavaScript, super::javascript::read),
        "go" => (Dialect::Go, super::go::read),
        "lua" | "luajit" => (Dialect::Lua, super::lua::read),
        "ruby" => (Dialect::Ruby, super::ruby::read),
        "php" => (Dialect::Php, super::php::read),
        "perl" => (Dialect::Perl, super::perl::read),
        _ => return None,
    })
}

/// Whether code of a language is read by a grammar.
pub(crate) fn has_grammar(language: &str) -> bool {
    reader(language).is_some()
}

/// What code of a language that has a grammar does.
pub(super) fn describe(
    effects: &mut CodeEffects,
    text: &str,
    called: super::Invocation<'_>,
    language: &LanguageRow,
    puts: bool,
) -> Read {
    let Some((dialect, reader)) = reader(&effects.language) else { return Read::NotAtAll };
    let Some(text) = bearable::bearable(&effects.language, text) else { return Read::InPart };
    let text = text.as_ref();
    let Some(mut parsed) = parse::tree(&effects.language, text) else { return Read::InPart };
    // What runs JavaScript often runs TypeScript, too.
    if dialect == Dialect::JavaScript
        && parsed.root_node().has_error()
        && let Some(typed) = parse::tree("typescript", text).filter(|typed| !typed.root_node().has_error())
    {
        parsed = typed;
    }
    let mut reading = read::Reader::new(text);
    let program = reader(&mut reading, parsed.root_node());
    let complete = !parsed.root_node().has_error() && !reading.is_cut() && !text.contains('\0');
    // Ruby's `<<` writes, too.
    let puts = puts || dialect == Dialect::Ruby && text.contains("<<");
    let mut run = Run::new(effects, language, dialect, called, puts);
    run.program(&program);
    if complete && !run.cut { Read::Whole } else { Read::InPart }
}
