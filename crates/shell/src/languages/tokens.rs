//! Tokens of the C-like and script languages: names, strings, numbers and marks; comments are dropped.

use super::Value;

pub(super) use crate::knowledge::calls::{Backquote, Lexis};

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    Text(Value),
    /// Text that the language gives to a shell: backquotes, `qx`, `%x`.
    Command(Value),
    Number(String),
    Mark(char),
    Line,
}

impl Token {
    pub(super) fn is(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }

    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// Takes code apart.
pub(super) fn tokens(text: &str, lexis: Lexis) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        if let Some(end) = comment(&letters, at, lexis) {
            at = end;
        } else if letter == '\n' {
            found.push(Token::Line);
            at += 1;
        } else if letter.is_whitespace() {
            at += 1;
        } else if letter == '\'' || letter == '"' || letter == '`' && lexis.backquote != Backquote::Mark {
            let prefix = prefix(&mut found, &letters, at, lexis);
            let (value, end) = quoted(&letters, at, lexis, &prefix);
            let is_command = letter == '`' && lexis.backquote == Backquote::Command;
            found.push(if is_command { Token::Command(value) } else { Token::Text(value) });
            at = end;
        } else if begins_name(letter, next, lexis) {
            let (token, end) = name_or_quote(&letters, at, lexis);
            found.push(token);
            at = end;
        } else if lexis.quotes_like
            && letter == '%'
            && matches!(next, Some('x' | 'q' | 'Q'))
            && letters.get(at + 2).is_some_and(|letter| matches!(letter, '(' | '{' | '[' | '<' | '|' | '!'))
        {
            match quote_like(&letters, at + 2, next != Some('q')) {
                Some((value, end)) => {
                    found.push(if next == Some('x') { Token::Command(value) } else { Token::Text(value) });
                    at = end;
                }
                None => at += 1,
            }
        } else if letter.is_ascii_digit() {
            let end = end_of(&letters, at, |letter| letter.is_alphanumeric() || letter == '.');
            found.push(Token::Number(letters.get(at..end).unwrap_or_default().iter().collect()));
            at = end;
        } else {
            found.push(Token::Mark(letter));
            at += 1;
        }
    }
    found
}

/// Where the letters end that fit.
fn end_of(letters: &[char], from: usize, fits: impl Fn(char) -> bool) -> usize {
    from + letters.iter().skip(from).take_while(|letter| fits(**letter)).count()
}

/// Where the comment ends that begins here, if one does.
fn comment(letters: &[char], at: usize, lexis: Lexis) -> Option<usize> {
    let (first, second) = (letters.get(at)?, letters.get(at + 1));
    let to_line_end = lexis.hash && *first == '#'
        || lexis.slashes && *first == '/' && second == Some(&'/')
        || lexis.dashes && *first == '-' && second == Some(&'-');
    if to_line_end {
        return Some(end_of(letters, at, |letter| letter != '\n'));
    }
    if !(lexis.slashes && *first == '/' && second == Some(&'*')) {
        return None;
    }
    let inside = letters.get(at + 2..).unwrap_or_default();
    let length = inside.windows(2).position(|pair| *pair == ['*', '/']).unwrap_or(inside.len());
    Some(at + 2 + length + 2)
}

fn begins_name(letter: char, next: Option<char>, lexis: Lexis) -> bool {
    let names = next.is_some_and(|next| next.is_alphabetic() || next == '_');
    letter.is_alphabetic()
        || letter == '_'
        || lexis.sigils && matches!(letter, '$' | '@') && names
        || letter == '$' && !lexis.sigils
}

/// A name, or the text behind `q`, `qq`, `qx` and `qw`, and where it ends.
fn name_or_quote(letters: &[char], at: usize, lexis: Lexis) -> (Token, usize) {
    let in_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$' && !lexis.sigils;
    let end = end_of(letters, at + 1, in_name);
    let name: String = letters.get(at..end).unwrap_or_default().iter().collect();
    if lexis.quotes_like
        && matches!(name.as_str(), "q" | "qq" | "qx" | "qw")
        && let Some((value, end)) = quote_like(letters, end, name != "q" && name != "qw")
    {
        return (if name == "qx" { Token::Command(value) } else { Token::Text(value) }, end);
    }
    (Token::Name(name), end)
}

/// The letters in front of a quotation mark that say how Python reads the text.
fn prefix(found: &mut Vec<Token>, letters: &[char], at: usize, lexis: Lexis) -> String {
    match found.last() {
        Some(Token::Name(name))
            if lexis.triple
                && name.len() <= 2
                && name.chars().all(|letter| "rRbBfFuU".contains(letter))
                && at > 0
                && letters.get(at - 1).is_some_and(|letter| letter.is_alphabetic()) =>
        {
            let name = name.to_ascii_lowercase();
            found.pop();
            name
        }
        _ => String::new(),
    }
}

/// A quoted string that starts at `at`; the position after it.
fn quoted(letters: &[char], at: usize, lexis: Lexis, prefix: &str) -> (Value, usize) {
    let quote = letters.get(at).copied().unwrap_or('"');
    let triple = lexis.triple && letters.get(at + 1) == Some(&quote) && letters.get(at + 2) == Some(&quote);
    let width = if triple { 3 } else { 1 };
    let raw = prefix.contains('r');
    let format = prefix.contains('f');
    let template = quote == '`' && lexis.backquote == Backquote::Template;
    let interpolates = lexis.interpolates && quote != '\'';
    let mut text = String::new();
    let mut assembled = false;
    let mut at = at + width;
    while let Some(&letter) = letters.get(at) {
        let closes = letter == quote
            && (!triple || letters.get(at + 1) == Some(&quote) && letters.get(at + 2) == Some(&quote));
        if closes {
            return (Value { text, assembled, decoded: false }, at + width);
        }
        let next = letters.get(at + 1).copied();
        if letter == '\\' && !raw {
            let (decoded, used, hidden) = escape(letters, at);
            text.extend(decoded);
            assembled |= hidden;
            at += used;
        } else if format && letter == '{' && next != Some('{')
            || template && letter == '$' && next == Some('{')
            || interpolates && (letter == '#' || letter == '$') && next == Some('{')
        {
            text.push('…');
            let mut depth = 0;
            while let Some(&letter) = letters.get(at) {
                at += 1;
                match letter {
                    '{' => depth += 1,
                    '}' => {
                        depth -= 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    _ => {}
                }
            }
        } else if interpolates
            && lexis.sigils
            && matches!(letter, '$' | '@')
            && next.is_some_and(|next| next.is_alphabetic() || next == '_')
        {
            text.push('…');
            at += 1;
            while letters.get(at).is_some_and(|letter| letter.is_alphanumeric() || *letter == '_') {
                at += 1;
            }
        } else {
            if format && matches!((letter, next), ('{', Some('{')) | ('}', Some('}'))) {
                at += 1;
            }
            text.push(letter);
            at += 1;
        }
    }
    (Value { text, assembled, decoded: false }, letters.len())
}

/// An escape: what it stands for, how many letters it took, and whether it hides a plain letter.
fn escape(letters: &[char], at: usize) -> (Option<char>, usize, bool) {
    let digits = |from: usize, most: usize, radix: u32| -> (Option<char>, usize) {
        let text: String =
            letters.iter().skip(from).take(most).take_while(|letter| letter.is_digit(radix)).collect();
        (u32::from_str_radix(&text, radix).ok().and_then(char::from_u32), text.len())
    };
    match letters.get(at + 1) {
        Some('n') => (Some('\n'), 2, false),
        Some('t') => (Some('\t'), 2, false),
        Some('r') => (Some('\r'), 2, false),
        Some('\n') => (None, 2, false),
        Some('x') => {
            let (letter, used) = digits(at + 2, 2, 16);
            (letter, 2 + used, true)
        }
        Some('u') => {
            let (letter, used) = digits(at + 2, 4, 16);
            (letter, 2 + used, true)
        }
        Some('0'..='7') => {
            let (letter, used) = digits(at + 1, 3, 8);
            (letter, 1 + used, true)
        }
        Some(&letter) => (Some(letter), 2, false),
        None => (None, 1, false),
    }
}

/// `(…)`, `{…}`, `/…/` after `q`, `qq`, `qx`, `%x`.
fn quote_like(letters: &[char], at: usize, interpolates: bool) -> Option<(Value, usize)> {
    let mut at = at;
    while letters.get(at).is_some_and(|letter| letter.is_whitespace()) {
        at += 1;
    }
    let open = *letters.get(at)?;
    let close = match open {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        '/' | '|' | '!' | '#' | '~' | '\'' | '"' => open,
        _ => return None,
    };
    let mut depth = 1;
    let mut text = String::new();
    at += 1;
    while let Some(&letter) = letters.get(at) {
        at += 1;
        if letter == close && open == close {
            return Some((Value::literal(text), at));
        }
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some((Value::literal(text), at));
            }
        }
        if interpolates
            && matches!(letter, '$' | '@')
            && letters.get(at).is_some_and(|next| next.is_alphabetic() || *next == '{')
        {
            text.push('…');
            while letters
                .get(at)
                .is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '{' | '}'))
            {
                at += 1;
            }
        } else {
            text.push(letter);
        }
    }
    Some((Value::literal(text), at))
}
