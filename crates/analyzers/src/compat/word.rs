//! The value of a shell word: its literal after removing quotes, and whether it can become several words.
//!
//! Only what the text itself determines counts as known. Expansions, substitutions and ANSI-C strings have no literal
//! here, as in upstream.

use super::tree::{Id, Tree};

/// Kinds of nodes without a literal.
const UNRESOLVED: &[&str] = words! {
    "command_substitution" "process_substitution" "expansion" "simple_expansion" "arithmetic_expansion"
    "ansi_c_string"
};

/// Kinds of nodes that stay one word whatever they expand to.
const ONE_WORD: &[&str] =
    &["raw_string", "ansi_c_string", "arithmetic_expansion", "process_substitution", "word", "number"];

/// Characters that a backslash escapes inside double quotes.
const ESCAPABLE: &str = "$`\"\\";

/// The literal of a word, or `None`.
pub(super) fn literal(tree: &Tree, id: Id) -> Option<String> {
    let mut out = String::new();
    collect(tree, id, &mut out).then_some(out)
}

/// The literal up to the first part without one.
pub(super) fn prefix(tree: &Tree, id: Id) -> String {
    let mut out = String::new();
    collect(tree, id, &mut out);
    out
}

/// Appends literal parts; `false` at the first part that isn't literal. Compound words nest no deeper than quotes in
/// a word.
fn collect(tree: &Tree, id: Id, out: &mut String) -> bool {
    let text = tree.text(id);
    match tree.kind(id) {
        kind if UNRESOLVED.contains(&kind) => false,
        "word" | "number" => {
            unescape(text, None, out);
            true
        }
        "raw_string" => {
            let mut inner = text.chars();
            if text.chars().nth(1).is_some() {
                inner.next();
                inner.next_back();
                out.push_str(inner.as_str());
            }
            true
        }
        "string_content" => {
            unescape(text, Some(ESCAPABLE), out);
            true
        }
        "string" | "command_name" | "concatenation" => tree.named(id).all(|child| collect(tree, child, out)),
        _ => false,
    }
}

/// Removes backslashes before escapable characters; a backslash before a line end removes both.
fn unescape(text: &str, escapable: Option<&str>, out: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('\\', Some(next)) if escapable.is_none_or(|set| set.contains(*next)) => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
}

/// Whether a word can become zero or several words, given its literal if it has one.
pub(super) fn arity_is_open(tree: &Tree, id: Id, literal: Option<&str>) -> bool {
    if literal.is_some() {
        let expands = expands(tree.text(id));
        return expands.paths || expands.braces;
    }
    open(tree, id)
}

fn open(tree: &Tree, id: Id) -> bool {
    match tree.kind(id) {
        "string" => expands_to_many(tree, id),
        "concatenation" => {
            let expands = expands(tree.text(id));
            expands.paths || expands.braces || tree.named(id).any(|child| open(tree, child))
        }
        kind => !ONE_WORD.contains(&kind),
    }
}

/// Whether it contains a quoted `$@` or similar expansion.
fn expands_to_many(tree: &Tree, id: Id) -> bool {
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        let kind = tree.kind(id);
        if matches!(kind, "expansion" | "simple_expansion") {
            let at = |child: Id| tree.text(child) == "@";
            if tree.named(id).any(|child| tree.kind(child) == "special_variable_name" && at(child)) {
                return true;
            }
            if kind == "expansion" {
                let subscript = tree.named(id).find(|child| tree.kind(*child) == "subscript");
                if subscript.and_then(|subscript| tree.field(subscript, "index")).is_some_and(at) {
                    return true;
                }
                let kinds: Vec<&str> = tree.at(id).children.iter().map(|child| tree.kind(*child)).collect();
                if kinds.contains(&"!") && kinds.ends_with(&["@", "}"]) {
                    return true;
                }
            }
        }
        left.extend(tree.named(id));
    }
    false
}

/// The unquoted syntax in a word that expands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expands {
    /// `*`, `?`, `[…]`.
    pub(super) paths: bool,
    /// `{a,b}`, `{1..9}`.
    pub(super) braces: bool,
}

/// Scans a word's source text, including quotes.
pub(super) fn expands(text: &str) -> Expands {
    let mut found = Expands::default();
    let mut bracket = false;
    let mut open: Vec<bool> = Vec::new();
    let mut quote = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match (quote, c) {
            (Some('\''), _) => {
                if c == '\'' {
                    quote = None;
                }
            }
            (Some(_), '\\') if next.is_some_and(|next| next == '\n' || ESCAPABLE.contains(next)) => {
                rest.next();
            }
            (Some(_), _) => {
                if c == '"' {
                    quote = None;
                }
            }
            (None, '\\') => {
                rest.next();
            }
            (None, '\'' | '"') => quote = Some(c),
            (None, '*' | '?') => found.paths = true,
            (None, '[') => bracket = true,
            (None, ']') if bracket => {
                found.paths = true;
                bracket = false;
            }
            (None, '{') => open.push(false),
            (None, '}') if !open.is_empty() => found.braces |= open.pop() == Some(true),
            (None, c) if c == ',' || (c == '.' && next == Some('.')) => {
                if let Some(last) = open.last_mut() {
                    *last = true;
                }
            }
            (None, _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_argument(source: &str) -> (Option<String>, bool) {
        let tree = Tree::parse(&format!("x {source}")).unwrap();
        let command = tree.all("command").next().unwrap();
        let word = tree.named(command).nth(1).unwrap();
        let literal = literal(&tree, word);
        let open = arity_is_open(&tree, word, literal.as_deref());
        (literal, open)
    }

    #[test]
    fn literals_are_what_the_shell_would_pass() {
        for (source, expected, open) in [
            ("plain", Some("plain"), false),
            ("r\\m", Some("rm"), false),
            ("\"r\\m\"", Some("r\\m"), false),
            ("\"a\\\"b\"", Some("a\"b"), false),
            ("r''m", Some("rm"), false),
            ("'a*b'", Some("a*b"), false),
            ("a*b", Some("a*b"), true),
            ("\"a*\"b", Some("a*b"), false),
            ("{a,b}", Some("{a,b}"), true),
            ("{a}", Some("{a}"), false),
            ("{1..3}", None, true),
            ("a[bc]", Some("a[bc]"), true),
            ("$x", None, true),
            ("\"$x\"", None, false),
            ("\"$@\"", None, true),
            ("\"${a[@]}\"", None, true),
            ("\"${!a@}\"", None, true),
            ("$'a'", None, false),
            ("$(a)", None, true),
            ("\"$(a)\"", None, false),
        ] {
            let (literal, is_open) = first_argument(source);
            assert_eq!(literal.as_deref(), expected, "{source}");
            assert_eq!(is_open, open, "{source}");
        }
    }
}
