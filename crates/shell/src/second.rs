//! A second opinion: tree-sitter-bash on where commands start.
//!
//! Two parsers that read a text differently are how commands hide: what one takes for data the other may run. So the
//! command words that the walk visited are compared with those of tree-sitter-bash. A command that only the second
//! parser sees, and that none of its known gaps explains, makes the text UNKNOWN (`shell.parser_difference`).

use std::cell::RefCell;
use std::collections::BTreeSet;

use doorward_core::intent::Span;
use tree_sitter::{Node, Parser, Tree};

use crate::guard;

/// Longest text that gets a second opinion; beyond it the first must do.
const LONGEST: usize = 64 * 1024;

/// Most operators in such a text. This parser's recovery from errors costs more than the square of them, and can't be
/// interrupted: a text of 30,000 takes a minute, one of this many a quarter of a second.
const MOST_OPERATORS: usize = 3_000;

fn is_in_reach(text: &str) -> bool {
    text.len() <= LONGEST && text.bytes().filter(|byte| b"()|<[".contains(byte)).count() <= MOST_OPERATORS
}

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(parser());
}

fn parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    Some(parser)
}

/// Constructs whose insides the grammar (0.25.1) reads differently from bash, seen on the development data.
const GAPS: &[&str] = &[
    // It takes words in arithmetic and tests for commands.
    "arithmetic_expansion",
    "test_command",
    // Bodies are read as text or as code, depending on quotes it doesn't follow.
    "heredoc_body",
    "heredoc_redirect",
    // `{a,b}` and `r$()m` are split.
    "brace_expression",
    "concatenation",
    // `${x@P}`, `${x:$(…)}`.
    "expansion",
];

/// Reserved words of bash that this grammar doesn't know, or not everywhere.
const RESERVED: &[&str] = &["time", "coproc", "select", "function", "}", "do", "done", "then", "fi", "esac"];

/// Whether the first parser could take very long over this text: groups or here-documents that don't close, as far as
/// this one can tell.
pub(crate) fn may_be_costly(text: &str) -> bool {
    let open = guard::has_open_document(text);
    (open || guard::is_costly(text))
        && if is_in_reach(text) { !reads(text) } else { open || guard::is_deep(text) }
}

/// Whether the second parser reads the whole text without an error.
fn reads(text: &str) -> bool {
    PARSER.with_borrow_mut(|parser| parse(parser, text).is_some_and(|tree| !tree.root_node().has_error()))
}

/// Reads a text with a letter in the place of every byte beyond ASCII, which is what it means to a shell. The scanner
/// of tree-sitter-bash 0.25.1 looks characters up in C's table of 384, and beyond its end for others.
fn parse(parser: &mut Option<Parser>, text: &str) -> Option<Tree> {
    let plain: Vec<u8> = text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'x' }).collect();
    parser.as_mut()?.parse(plain, None)
}

/// Reserved words of bash: with one of them a text is more than plain commands.
const KEYWORDS: &[&str] = &[
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while",
];

/// Where the commands start of a text that can be read in one way only: words of letters, digits and a few signs that
/// mean nothing to a shell, with blanks around `&&`, `||`, `|` and `;` between commands. `None` for every other text.
fn plain_starts(text: &str) -> Option<Vec<usize>> {
    let means_nothing = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,@%+=".contains(&byte);
    let mut starts = Vec::new();
    let mut at_start = true;
    let mut at = 0;
    for word in text.split(' ') {
        if matches!(word, "&&" | "||" | "|" | ";") {
            if at_start {
                return None;
            }
            at_start = true;
        } else if !word.is_empty() {
            // An assignment in front of a command moves where that starts.
            let moves = at_start && word.contains('=');
            if moves || !word.bytes().all(means_nothing) || KEYWORDS.contains(&word) {
                return None;
            }
            if at_start {
                starts.push(at);
            }
            at_start = false;
        }
        at += word.len() + 1;
    }
    Some(starts)
}

/// Which commands of a text are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of them.
    Everything,
    /// Not those in command substitutions, which the walk reads as texts of their own.
    OwnCommands,
}

/// Where the second parser sees a command that the walk didn't visit.
pub(crate) fn unseen(text: &str, visited: &BTreeSet<usize>, reach: Reach) -> Option<Span> {
    if !is_in_reach(text) {
        return None;
    }
    // Most commands are plain, and the second parser could only say what the walk says.
    if plain_starts(text).is_some_and(|starts| starts.iter().all(|start| visited.contains(start))) {
        return None;
    }
    PARSER.with_borrow_mut(|parser| {
        let tree = parse(parser, text)?;
        let root = tree.root_node();
        if root.has_error() {
            // It didn't understand the text, so it has no opinion.
            return None;
        }
        first_unseen(root, text, visited, reach)
    })
}

fn first_unseen(root: Node<'_>, text: &str, visited: &BTreeSet<usize>, reach: Reach) -> Option<Span> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let kind = node.kind();
        if kind == "command_name" {
            let (start, end) = (node.start_byte(), node.end_byte());
            if !visited.contains(&start) && !is_gap(text, start, end) {
                return Some(Span::new(start, end));
            }
        }
        // What stands behind a continuation, or in backquotes behind a backslash, moves once that is taken out.
        let shifts = |inner: &str| inner.contains("\\\n") || inner.starts_with('`') && inner.contains('\\');
        let moved = kind == "command_substitution"
            && (reach == Reach::OwnCommands || text.get(node.byte_range()).is_some_and(shifts));
        if !GAPS.contains(&kind) && !moved && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

/// A difference that one of the grammar's habits explains.
fn is_gap(text: &str, start: usize, end: usize) -> bool {
    let word = text.get(start..end).unwrap_or_default();
    // Line continuations and redirections in front of a command move where it says the word starts.
    word.is_empty()
        // A reserved word that it takes for a program: bash never runs one that is written without quotes.
        || RESERVED.contains(&word)
        || word.contains("\\\n")
        || word.starts_with(['{', '<', '>', '\\'])
        || text.get(..start).is_some_and(|before| before.ends_with("\\\n") || before.ends_with("\\\r\n"))
        || word.starts_with(|character: char| character.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_only_one_parser_sees_is_told() {
        let text = "ls; rm x";
        assert_eq!(unseen(text, &BTreeSet::from([0, 4]), Reach::Everything), None);
        assert_eq!(unseen(text, &BTreeSet::from([0]), Reach::Everything), Some(Span::new(4, 6)));
    }

    #[test]
    fn a_plain_text_needs_no_second_parser() {
        for (text, starts) in [
            ("ls", vec![0]),
            ("  ls  -la src", vec![2]),
            ("git status && git diff --stat ; ls | wc -l || a", vec![0, 14, 32, 37, 46]),
            ("make CC=gcc a+b user@host:x 50% a,b", vec![0]),
            ("", vec![]),
        ] {
            assert_eq!(plain_starts(text), Some(starts.clone()), "{text}");
            // The second parser agrees where it is asked all the same.
            PARSER.with_borrow_mut(|parser| {
                let tree = parse(parser, text).unwrap();
                let visited = starts.iter().copied().collect();
                assert_eq!(first_unseen(tree.root_node(), text, &visited, Reach::Everything), None, "{text}");
            });
            if let Some(last) = starts.last() {
                let without = starts.iter().filter(|start| *start != last).copied().collect();
                assert!(
                    unseen(text, &without, Reach::Everything).is_some(),
                    "{text}: a start that the walk missed is told"
                );
            }
        }
        for text in [
            "ls;rm x",
            "ls\nrm x",
            "ls & rm x",
            "a=b ls",
            "time ls",
            "if a ; then b ; fi",
            "ls > x",
            "ls $x",
            "echo 'a'",
            "{ ls ; }",
            "! ls",
            "ls #x",
            "ls ~",
            "ls *",
            "ls\\ x",
            "ls\tx",
            "&& ls",
            "ls é",
            "| ls",
            "ls ; ; a",
            "[ a ]",
            "ls ;; a",
            "in x",
        ] {
            assert_eq!(plain_starts(text), None, "{text}");
        }
    }

    #[test]
    fn no_character_is_looked_up_beyond_the_scanners_table() {
        // Read at twice the character's number behind a table in the C library: with luck a crash, without it a guess.
        for last in ['\u{10fffd}', '\u{e0001}', '\u{202e}', 'é'] {
            for before in ["", "${x", "$(", "cat <<", "x=", "[[ a =~ ", "{", "a ", "#", "${x:", "cat <<E\n"] {
                let text = format!("{before}{last} {before}{last}");
                PARSER.with_borrow_mut(|parser| assert!(parse(parser, &text).is_some()));
            }
        }
        let text = "é; rm x";
        assert_eq!(
            unseen(text, &BTreeSet::from([0]), Reach::Everything),
            Some(Span::new(4, 6)),
            "places stay what they are"
        );
    }

    #[test]
    fn a_text_of_little_but_operators_is_out_of_reach() {
        let text = |pipes: usize| "a|".repeat(pipes) + "a";
        assert!(reads(&text(100)) && is_in_reach(&text(100)) && !is_in_reach(&text(MOST_OPERATORS + 1)));
        assert_eq!(unseen(&text(MOST_OPERATORS + 1), &BTreeSet::new(), Reach::Everything), None);
    }
}
