//! Whether a snippet only computes and prints: every name in it is a keyword, its own, or listed here.
//!
//! Code that was read whole and holds nothing but these is LOW. A name that isn't listed proves nothing, and neither
//! does a loop without end. Sources: the library references of Python 3.12, ECMAScript 2023 and Node 20, Ruby 3.3,
//! Perl 5.38 and PHP 8.3.

use std::collections::HashSet;

use super::rules::{self, LanguageRow, NameRole};
use super::tokens::Token;

/// The row of a language, if it lists what only computes.
fn of(language: &str) -> Option<&'static LanguageRow> {
    let row = rules::of(language);
    (rules::is_well_read(language) && row.names_of(NameRole::Keywords).next().is_some()).then_some(row)
}

/// Whether a function of a language only computes or prints.
pub(super) fn computes(language: &str, name: &str) -> bool {
    of(language).is_some_and(|row| row.has(NameRole::Computes, name))
}

/// `f"…"` and `t"…"`, also raw.
fn fills_in(text: &str) -> bool {
    text.match_indices(['"', '\'']).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.strip_suffix(['r', 'R']).unwrap_or(before);
        before.ends_with(['f', 'F', 't', 'T'])
    })
}

/// Whether the code of a language, and its tokens, hold nothing but what is listed.
pub(super) fn only_computes(language: &str, text: &str, tokens: &[Token]) -> bool {
    let Some(row) = of(language) else { return false };
    if text.trim().is_empty() || text.contains('…') || tokens.len() > 4096 {
        return false;
    }
    // A text that the language fills in: Python's only with the letter in front.
    let filled = row.grammar != "python" || fills_in(text);
    let holes: Vec<&str> = row.names_of(NameRole::Holes).collect();
    let own = bound(tokens);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match token {
            Token::Command(_) => return false,
            Token::Text(value) if filled && holes.iter().any(|hole| value.text.contains(hole)) => {
                return false;
            }
            // `<>` of Perl reads files.
            Token::Mark('<')
                if row.grammar == "perl" && tokens.get(at + 1).is_some_and(|next| next.is('>')) =>
            {
                return false;
            }
            Token::Mark('(') if starts_endless(tokens, at) => return false,
            Token::Name(name) => match imported(row, tokens, at) {
                Some(0) => return false,
                Some(used) => {
                    at += used;
                    continue;
                }
                // A key of an object.
                None if row.grammar == "javascript"
                    && tokens.get(at + 1).is_some_and(|next| next.is(':')) => {}
                None if !is_listed(name, row, &own, before, tokens.get(at.wrapping_sub(2))) => {
                    return false;
                }
                None if name == "while" && tokens.get(at + 1).is_some_and(is_always) => return false,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    true
}

fn is_listed(
    name: &str,
    row: &LanguageRow,
    own: &HashSet<&str>,
    before: Option<&Token>,
    behind: Option<&Token>,
) -> bool {
    let bare = name.trim_start_matches(['$', '@', '%', '&']);
    if bare.starts_with("__") {
        return false;
    }
    let arrow = before.is_some_and(|token| token.is('>')) && behind.is_some_and(|token| token.is('-'));
    let scope = before.is_some_and(|token| token.is(':')) && behind.is_some_and(|token| token.is(':'));
    if before.is_some_and(|token| token.is('.')) || arrow || scope {
        return row.has(NameRole::Members, bare);
    }
    row.has(NameRole::Keywords, bare)
        || own.contains(name)
        || own.contains(bare)
        || row.has(NameRole::Computes, bare)
        || row.has(NameRole::Modules, bare)
        // `$_`, `$a` and `$b` of Perl; a keyword argument or key is bound by its `=` or `:`.
        || name != bare && matches!(bare, "_" | "a" | "b" | "")
}

/// How many tokens an import takes; `Some(0)` if it imports what isn't listed, `None` if it is none.
fn imported(row: &LanguageRow, tokens: &[Token], at: usize) -> Option<usize> {
    let name = tokens.get(at)?.name()?;
    match (row.grammar, name) {
        ("python", "import" | "from") => {
            let end = tokens.iter().skip(at).position(|token| matches!(token, Token::Line) || token.is(';'));
            let end = end.unwrap_or(tokens.len() - at);
            let words: Vec<&str> = tokens.get(at + 1..at + end)?.iter().filter_map(Token::name).collect();
            let modules: Vec<&str> = match name {
                "from" => words.first().copied().into_iter().collect(),
                _ => words
                    .iter()
                    .enumerate()
                    .filter(|(place, word)| {
                        **word != "as" && (*place == 0 || words.get(place - 1) != Some(&"as"))
                    })
                    .map(|(_, word)| *word)
                    .collect(),
            };
            let star = tokens.get(at..at + end)?.iter().any(|token| token.is('*'));
            let listed = !star
                && !modules.is_empty()
                && modules.iter().all(|module| row.has(NameRole::Modules, module));
            Some(if listed { end } else { 0 })
        }
        ("javascript", "import" | "export" | "require") => Some(0),
        ("ruby", "require") => {
            let listed = match tokens.get(at + 1) {
                Some(Token::Text(module)) => row.has(NameRole::Required, &module.text),
                _ => false,
            };
            Some(if listed { 2 } else { 0 })
        }
        _ => None,
    }
}

/// Names that the code itself gives to values, functions and parameters.
fn bound(tokens: &[Token]) -> HashSet<&str> {
    let mut own = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = token.name() else { continue };
        let next = |step: usize| tokens.get(at + step);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_member = before.is_some_and(|token| token.is('.'));
        let assigned = next(1).is_some_and(|mark| mark.is('='))
            && !next(2).is_some_and(|mark| mark.is('=') || mark.is('~'));
        let follows = before.and_then(Token::name).is_some_and(|word| {
            matches!(
                word,
                "for"
                    | "as"
                    | "def"
                    | "lambda"
                    | "class"
                    | "function"
                    | "const"
                    | "let"
                    | "var"
                    | "my"
                    | "foreach"
                    | "catch"
            )
        });
        // `a, b =`, `for a, b in`, `(a, b) =>`, `|a, b|`, `lambda a, b:` and parameter lists.
        let listed = before.is_some_and(|mark| mark.is(',') || mark.is('(') || mark.is('|'))
            && next(1).is_some_and(|mark| {
                mark.is(',') || mark.is(')') || mark.is('|') || mark.is(':') || mark.name() == Some("in")
            })
            && is_parameter(tokens, at);
        let arrow = next(1).is_some_and(|mark| mark.is('=')) && next(2).is_some_and(|mark| mark.is('>'));
        if !is_member && (assigned || follows || listed || arrow) {
            own.insert(name);
        }
    }
    own
}

/// How many tokens of a list of parameters are looked through: each name looks through them again.
const LONGEST_LIST: usize = 512;

/// Whether a name stands in a list that binds: parameters of a function, a block or a loop.
fn is_parameter(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(LONGEST_LIST);
    let start = tokens
        .get(from..at)
        .unwrap_or_default()
        .iter()
        .rposition(|token| !(token.is(',') || token.name().is_some_and(|name| !is_binder(name))))
        .map(|start| from + start);
    let binds_before = start
        .and_then(|start| tokens.get(start))
        .is_some_and(|token| token.is('|') || token.name().is_some_and(is_binder));
    let opens = start.and_then(|start| tokens.get(start)).is_some_and(|token| token.is('('));
    let named = opens && {
        let start = start.unwrap_or_default();
        let words = |back: usize| start.checked_sub(back).and_then(|at| tokens.get(at)).and_then(Token::name);
        matches!(words(1), Some("function" | "catch")) || matches!(words(2), Some("def" | "function"))
    };
    let close = tokens.iter().skip(at).take(LONGEST_LIST).position(|token| token.is(')'));
    let close = close.map(|end| at + end);
    let arrow = close.is_some_and(|close| {
        opens
            && tokens.get(close + 1).is_some_and(|token| token.is('='))
            && tokens.get(close + 2).is_some_and(|token| token.is('>'))
    });
    binds_before || named || arrow
}

fn is_binder(name: &str) -> bool {
    matches!(name, "for" | "lambda" | "const" | "let" | "var" | "my")
}

fn is_always(token: &Token) -> bool {
    matches!(token, Token::Number(number) if number != "0")
        || token.name().is_some_and(|name| matches!(name, "True" | "true"))
        || token.is('(')
}

/// `for (;;)` and `while (true)`.
fn starts_endless(tokens: &[Token], at: usize) -> bool {
    let word = at.checked_sub(1).and_then(|at| tokens.get(at)).and_then(Token::name);
    match word {
        Some("for") => tokens.get(at + 1).is_some_and(|token| token.is(';')),
        Some("while") => tokens.get(at + 1).is_some_and(|token| is_always(token) && !token.is('(')),
        _ => false,
    }
}
