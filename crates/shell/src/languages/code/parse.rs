//! Grammars, and how long a parser may take.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::languages::rules;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Longest text that is parsed.
const LONGEST: usize = 1 << 20;

/// How often a parser may report its progress, for each KiB of text and in all. A parser that recovers from errors may
/// look at a place again and again. The libraries of Python and Perl take 4 to 16 for each KiB.
const REPORTS_PER_KIB: usize = 40;
const REPORTS: usize = 400;

/// How long a parser may go on once it has met an error. Most recover in thousandths of a second; Perl's may look at
/// hundreds of readings side by side.
const LONGEST_RECOVERY: Duration = Duration::from_millis(300);

thread_local! {
    static PARSERS: RefCell<HashMap<&'static str, Parser>> = RefCell::new(HashMap::new());
}

/// The grammar that code of a language is read by.
pub(super) fn grammar_of(language: &str) -> Option<&'static str> {
    match rules::of(language).grammar {
        "" => None,
        _ if language == "typescript" => Some("typescript"),
        grammar => Some(grammar),
    }
}

fn grammar(language: &str, text: &str) -> Option<(&'static str, tree_sitter::Language)> {
    if language == "powershell" {
        return Some(("powershell", tree_sitter_pwsh::LANGUAGE.into()));
    }
    let name = grammar_of(language)?;
    Some(match name {
        "python" => (name, tree_sitter_python::LANGUAGE.into()),
        "javascript" => (name, tree_sitter_javascript::LANGUAGE.into()),
        "typescript" => (name, tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        "go" => (name, tree_sitter_go::LANGUAGE.into()),
        "lua" => (name, tree_sitter_lua::LANGUAGE.into()),
        "perl" => (name, ts_parser_perl::LANGUAGE.into()),
        "ruby" => (name, tree_sitter_ruby::LANGUAGE.into()),
        // Code that is given on a command line has no mark in front.
        "php" if text.contains("<?") => (name, tree_sitter_php::LANGUAGE_PHP.into()),
        _ => ("php_only", tree_sitter_php::LANGUAGE_PHP_ONLY.into()),
    })
}

/// The tree of a text; `None` if it is too long, or the parser would take too long.
pub(in crate::languages) fn tree(language: &str, text: &str) -> Option<Tree> {
    if text.len() > LONGEST {
        return None;
    }
    let (name, language) = grammar(language, text)?;
    PARSERS.with_borrow_mut(|parsers| {
        let parser = match parsers.entry(name) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let mut parser = Parser::new();
                parser.set_language(&language).ok()?;
                entry.insert(parser)
            }
        };
        let mut left = REPORTS + text.len() / 1024 * REPORTS_PER_KIB;
        let started = Instant::now();
        let mut progress = |state: &ParseState| match left.checked_sub(1) {
            Some(_) if state.has_error() && started.elapsed() > LONGEST_RECOVERY => ControlFlow::Break(()),
            Some(rest) => {
                left = rest;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        let tree =
            parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        parser.reset();
        tree
    })
}
