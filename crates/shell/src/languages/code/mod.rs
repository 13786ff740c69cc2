//! Code of every language but those of shells: a tree, and what following it does.
//!
//! [`describe`] parses a text with the grammar of its language, lets the language's reader turn it into the one tree
//! of [`tree`], and follows that ([`run`]). What is called acts by the rows of `rules`. A language without a grammar
//! is read by `plain`, into the same tree. A text with errors is followed as far as it can be read; the rest is
//! unknown.

mod acts;
mod bearable;
mod clients;
mod handed;
mod item;
mod library;
pub(in crate::languages) mod parse;
pub(super) mod read;
mod run;
mod scope;
mod temporary;
pub(super) mod tree;
mod values;

pub(in crate::languages) use bearable::template;
pub(in crate::languages) use item::{Given, Item, Object, OwnClass};
pub(in crate::languages) use run::{Run, bound};
pub(super) use temporary::is_made;
pub(in crate::languages) use values::{binary, index, joined_texts, method as of_map, parent, slice};

use super::CodeEffects;
use super::rules::{LanguageRow, NameRole, is};
use super::tokens::Token;

/// What languages differ in while they are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::languages) enum Dialect {
    Python,
    JavaScript,
    Ruby,
    Php,
    Perl,
    Lua,
    Go,
    /// A language without a grammar.
    Plain,
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

type ReadTree = fn(&mut read::Reader<'_>, tree_sitter::Node<'_>) -> Vec<tree::Stmt>;

/// How code of a language is read by its grammar; `None` if there is none.
fn reader(language: &str) -> Option<(Dialect, ReadTree)> {
    Some(match parse::grammar_of(language)? {
        "python" => (Dialect::Python, super::python::read),
        "javascript" | "typescript" => (Dialect::JavaScript, super::javascript::read),
        "go" => (Dialect::Go, super::go::read),
        "lua" => (Dialect::Lua, super::lua::read),
        "ruby" => (Dialect::Ruby, super::ruby::read),
        "php" => (Dialect::Php, super::php::read),
        _ => (Dialect::Perl, super::perl::read),
    })
}

/// Whether code of a language is read by a grammar.
pub(crate) fn has_grammar(language: &str) -> bool {
    parse::grammar_of(language).is_some()
}

/// Whether the grammar of a language takes a text.
pub(super) fn parses(language: &str, text: &str) -> bool {
    parse::tree(language, text).is_some_and(|tree| !tree.root_node().has_error())
}

/// A text as the tree that is followed.
struct Program {
    dialect: Dialect,
    statements: Vec<tree::Stmt>,
    /// Nothing of the text was left out.
    whole: bool,
}

/// Most tokens that are read.
const MOST_TOKENS: usize = 200_000;

/// What code does.
pub(super) fn describe(effects: &mut CodeEffects, text: &str, called: super::Invocation<'_>) {
    let row = super::rules::of(&effects.language);
    let tokens = super::tokens::tokens(text, row.lexis);
    let program =
        by_grammar(&effects.language, text).unwrap_or_else(|| without_grammar(effects, text, &tokens, row));
    // Ruby's `<<` writes, too.
    let puts = tokens.iter().filter_map(Token::name).any(|name| is(NameRole::Puts, name))
        || program.dialect == Dialect::Ruby && text.contains("<<");
    let mut run = Run::new(effects, row, program.dialect, called, puts);
    run.program(&program.statements);
    let cut = run.cut;
    let language = effects.language.clone();
    if cut {
        effects.unknown("shell.too_long", format!("{language} code that takes more steps than are followed"));
    } else if !program.whole {
        effects.unknown("shell.parse_error", format!("{language} code of which a part can't be read"));
    }
    effects.effect_free = super::effect_free::only_computes(&language, text, &tokens);
    super::habits::describe(effects, &tokens);
}

/// What the grammar of a language makes of a text; `None` if there is none, or it can't take the text.
fn by_grammar(language: &str, text: &str) -> Option<Program> {
    let (dialect, reader) = reader(language)?;
    let text = bearable::bearable(language, text)?;
    let text = text.as_ref();
    let mut parsed = parse::tree(language, text)?;
    // What runs JavaScript often runs TypeScript, too.
    if dialect == Dialect::JavaScript
        && parsed.root_node().has_error()
        && let Some(typed) = parse::tree("typescript", text).filter(|typed| !typed.root_node().has_error())
    {
        parsed = typed;
    }
    let mut reading = read::Reader::new(text);
    let mut statements = reader(&mut reading, parsed.root_node());
    let hides = parsed.root_node().has_error() && errors_hide(&parsed, text, dialect);
    let mut whole = !hides && !reading.is_cut() && !text.contains('\0');
    // A template is no Ruby, but the code in it is.
    if !whole && dialect == Dialect::Ruby && text.contains("<%") {
        let inside = by_grammar(language, &bearable::template(text).replace("<%", ""))?;
        statements.extend(inside.statements);
        whole = inside.whole;
    }
    Some(Program { dialect, statements, whole })
}

/// Whether something may act in what the grammar couldn't place. Without a bracket or a quotation mark nothing is
/// called but in Ruby and Perl, by `exec` and `new`, and by words that load what they name.
fn errors_hide(parsed: &tree_sitter::Tree, text: &str, dialect: Dialect) -> bool {
    if matches!(dialect, Dialect::Ruby | Dialect::Perl) {
        return true;
    }
    let is_plain =
        |letter: char| letter.is_alphanumeric() || letter.is_whitespace() || "_.,;:=-/".contains(letter);
    let loads = |word: &str| matches!(word, "exec" | "new" | "use") || is(NameRole::Loads, word);
    let may_act = |part: &str| {
        !part.chars().all(is_plain)
            || part.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(loads)
    };
    let mut cursor = parsed.walk();
    loop {
        let node = cursor.node();
        if node.is_missing() || node.is_error() && text.get(node.byte_range()).is_none_or(may_act) {
            return true;
        }
        let inside = node.has_error() && !node.is_error() && cursor.goto_first_child();
        while !inside && !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// What is told of a text without a grammar: its names and literals.
fn without_grammar(effects: &CodeEffects, text: &str, tokens: &[Token], row: &LanguageRow) -> Program {
    let (statements, cut) = match effects.language.as_str() {
        "tcl" | "expect" => (super::commands::tcl(text), false),
        "cmake" => (super::commands::cmake(text), false),
        _ => super::plain::read(tokens.get(..MOST_TOKENS).unwrap_or(tokens), row),
    };
    let whole = !cut && tokens.len() <= MOST_TOKENS && !has_grammar(&effects.language);
    Program { dialect: Dialect::Plain, statements, whole }
}

#[cfg(test)]
mod tests;
