//! Makes a text bearable for the grammar where PowerShell reads more than it does.
//!
//! The grammar sees a copy whose bytes stand at the same places, so words are taken from the text itself.

use std::borrow::Cow;

use tree_sitter::{Node, Tree};

use super::parse;

/// The text as PowerShell reads it: with plain quotation marks and dashes, and with calls on lines of their own
/// (`.Name(…)`) joined to the value above them.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_curly = |letter: char| matches!(letter, '‘' | '’' | '‚' | '‛' | '“' | '”' | '„' | '–' | '—' | '―');
    if !text.contains(is_curly) && !text.lines().any(calls_member) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let joins = calls_member(line) && !plain.is_empty();
        if joins {
            plain.truncate(plain.trim_end().len());
        }
        plain.extend(if joins { line.trim_start() } else { line }.chars().map(|letter| match letter {
            '‘' | '’' | '‚' | '‛' => '\'',
            '“' | '”' | '„' => '"',
            '–' | '—' | '―' => '-',
            letter => letter,
        }));
    }
    Cow::Owned(plain)
}

fn calls_member(line: &str) -> bool {
    let Some(name) = line.trim_start().strip_prefix('.') else { return false };
    let rest = name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    name.starts_with(char::is_alphabetic) && rest.starts_with('(')
}

/// How often a text is made more bearable before it is taken as it is, and a long one.
const ROUNDS: usize = 8;
const ROUNDS_OF_LONG: usize = 2;
const LONG: usize = 16 << 10;

/// The tree of a text; `None` if it is too long, or the parser would take too long.
pub(super) fn tree(text: &str) -> Option<Tree> {
    let mut copy = text.as_bytes().to_vec();
    hide_dashes(&mut copy);
    let mut best = parsed(&copy)?;
    for _ in 0..if text.len() > LONG { ROUNDS_OF_LONG } else { ROUNDS } {
        let Some(wrong) = super::first_error(best.root_node()) else { break };
        let before = copy.clone();
        separate(best.root_node(), &mut copy);
        if copy == before {
            break;
        }
        let next = parsed(&copy)?;
        if super::first_error(next.root_node()).is_some_and(|at| at < wrong) {
            break;
        }
        best = next;
    }
    Some(best)
}

fn parsed(copy: &[u8]) -> Option<Tree> {
    parse::tree("powershell", std::str::from_utf8(copy).ok()?)
}

/// Makes words of `--` and of options of a program's own, as `--name="value"` and `-I./folder`.
fn hide_dashes(copy: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = copy.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'-')) {
        let start = at + found;
        let rest = copy.get(start..).unwrap_or_default();
        let dashes = rest.iter().take_while(|byte| **byte == b'-').count();
        let named = rest.iter().skip(dashes).take_while(|byte| is_name(**byte)).count();
        let begins =
            start.checked_sub(1).and_then(|before| copy.get(before)).is_some_and(u8::is_ascii_whitespace);
        let next = rest.get(dashes + named).copied();
        let is_own = match named {
            0 => dashes > 1 && next.is_none_or(|next| next.is_ascii_whitespace() || b";)}|".contains(&next)),
            _ => next.is_some_and(|next| b"=./\\+".contains(&next)),
        };
        if begins
            && is_own
            && let Some(hidden) = copy.get_mut(start..start + dashes)
        {
            hidden.fill(b'~');
        }
        at = start + dashes + named;
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"_?-".contains(&byte)
}

/// Puts a mark behind `param (…)`, behind the cases of `switch`, and in the place of the `&` of a job; makes plain
/// words and gaps of what else the grammar can't place.
fn separate(root: Node<'_>, copy: &mut [u8]) {
    let mut left = vec![(root, false)];
    while let Some((node, in_switch)) = left.pop() {
        let is_error = node.is_error();
        let mut cursor = node.walk();
        let children: Vec<_> = node.children(&mut cursor).collect();
        let in_switch = node.kind().starts_with("switch")
            || is_error && (in_switch || children.iter().any(|child| child.kind() == "switch"));
        for child in children {
            let (start, end) = (child.start_byte(), child.end_byte());
            let ends = copy.get(end).is_none_or(u8::is_ascii_whitespace);
            match child.kind() {
                "&" if ends => put(copy, start, b'&', b';'),
                "," if is_error => put(copy, start, b',', b' '),
                "-" if is_error && ends => put(copy, start, b'-', b'~'),
                "param_block" => put(copy, end, b' ', b';'),
                "statement_block" | "script_block_expression" if in_switch => put(copy, end, b' ', b';'),
                "/" | "\\" | "variable" | "simple_name" if is_error => plain_word(copy, start),
                _ => {}
            }
            left.push((child, in_switch));
        }
    }
}

/// Makes one word of the letters around a place, if values are joined to others in it (`$a.txt/x`, `$a$b`, `-1a`).
fn plain_word(copy: &mut [u8], at: usize) {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b";|&(){},\"'`<>".contains(byte);
    let before = copy.get(..at).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let word = copy.get_mut(start..).unwrap_or_default();
    let length = word.iter().position(ends).unwrap_or(word.len());
    let word = word.get_mut(..length).unwrap_or_default();
    let joins = word.iter().skip(1).any(|byte| b"$/\\".contains(byte));
    for at in 0..length {
        let next = word.get(at + 1).copied().unwrap_or_default();
        // `$(…)` and `${…}` keep what they hold.
        if joins && (next == b'_' || next.is_ascii_alphanumeric()) {
            put(word, at, b'$', b'~');
        }
        if at == 0 && next.is_ascii_digit() {
            put(word, at, b'-', b'~');
        }
    }
}

fn put(copy: &mut [u8], at: usize, over: u8, mark: u8) {
    if let Some(byte) = copy.get_mut(at).filter(|byte| **byte == over) {
        *byte = mark;
    }
}
