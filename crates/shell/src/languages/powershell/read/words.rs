//! PowerShell's words: quotes, escapes, values in texts, and the arguments of commands.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::code::read::{Reader, named};
use super::super::ast::{Argument, Block, Expr, Part, Redirect};
use super::expressions::{call_arguments, expression, variable_name};
use super::{read, stopped};

/// What is around the letters of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Nothing: quotes may stand inside.
    Bare,
    /// Double quotation marks.
    Double,
    /// `@"` and `"@` on lines of their own.
    Here,
}

/// The text that a node stands for.
pub(super) fn word(reader: &mut Reader<'_>, node: Node<'_>, quotes: Quotes) -> Expr {
    let whole = reader.of(node);
    let (start, text) = (node.start_byte() + whole.len() - whole.trim_start().len(), whole.trim());
    let end = start + text.len();
    let (from, to) = match quotes {
        Quotes::Bare => (start, end),
        Quotes::Double => (start + 1, end.saturating_sub(1)),
        Quotes::Here => {
            let first = text.find('\n').map_or(0, |at| at + 1);
            let inside = text.get(first..text.len().saturating_sub(2)).unwrap_or_default();
            let inside = inside.strip_suffix('\n').unwrap_or(inside);
            (start + first, start + first + inside.len())
        }
    };
    piece(reader, node, from, to, quotes)
}

/// The text between two places, of which the second is no part.
fn piece(reader: &mut Reader<'_>, node: Node<'_>, from: usize, to: usize, quotes: Quotes) -> Expr {
    let mut scan = Scan { node, at: from, to, parts: Vec::new(), text: String::new(), ticked: false };
    match quotes {
        Quotes::Bare => scan.bare(reader),
        Quotes::Double => scan.quoted(reader, true),
        Quotes::Here => scan.quoted(reader, false),
    }
    scan.whole()
}

struct Scan<'n> {
    node: Node<'n>,
    at: usize,
    to: usize,
    parts: Vec<Part>,
    text: String,
    ticked: bool,
}

impl Scan<'_> {
    fn rest<'t>(&self, reader: &Reader<'t>) -> &'t str {
        reader.text.get(self.at..self.to).unwrap_or_default()
    }

    fn bare(&mut self, reader: &mut Reader<'_>) {
        let start = self.at;
        while let Some(letter) = self.rest(reader).chars().next() {
            let rest = self.rest(reader);
            match letter {
                '\'' => {
                    self.ticked |= self.at > start;
                    let (inside, length) = single_quoted(rest);
                    self.text.push_str(&inside);
                    self.at += length;
                }
                '"' => {
                    self.ticked |= self.at > start;
                    self.at += 1;
                    self.quoted(reader, true);
                }
                _ => {
                    self.ticked |= letter == '`';
                    self.letter(reader, letter);
                }
            }
        }
    }

    /// Letters up to the mark that closes them, or up to the end.
    fn quoted(&mut self, reader: &mut Reader<'_>, closes: bool) {
        while let Some(letter) = self.rest(reader).chars().next() {
            if letter == '"' && closes {
                let doubled = self.rest(reader).starts_with("\"\"");
                self.at += if doubled { 2 } else { 1 };
                if !doubled {
                    return;
                }
                self.text.push('"');
            } else {
                self.letter(reader, letter);
            }
        }
    }

    /// One letter, escape or value.
    fn letter(&mut self, reader: &mut Reader<'_>, letter: char) {
        let rest = self.rest(reader);
        match letter {
            '`' => {
                let (escaped, length) = escape(rest.get(1..).unwrap_or_default());
                self.text.extend(escaped);
                self.at += 1 + length;
            }
            '$' if rest.starts_with("$(") => match sub_expression(self.node, self.at) {
                Some(node) => {
                    self.value(expression(reader, node));
                    self.at = node.end_byte();
                }
                // The grammar can't place it, so whatever follows may be a command.
                None => {
                    let (block, _) =
                        reader.deeper((Block::default(), None), |_| read(rest.get(2..).unwrap_or_default()));
                    self.value(Expr::Statements(Rc::new(block)));
                    self.at = self.to;
                }
            },
            '$' => match variable(rest) {
                Some(name) => {
                    self.value(Expr::Variable(variable_name(name)));
                    self.at += name.len();
                }
                None => self.plain(letter),
            },
            _ => self.plain(letter),
        }
    }

    fn plain(&mut self, letter: char) {
        self.text.push(letter);
        self.at += letter.len_utf8();
    }

    fn value(&mut self, value: Expr) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text)));
        }
        self.parts.push(Part::Value(value));
    }

    fn whole(mut self) -> Expr {
        if self.parts.is_empty() {
            return Expr::Literal { text: self.text, ticked: self.ticked };
        }
        if !self.text.is_empty() {
            self.parts.push(Part::Text(self.text));
        }
        Expr::Text(self.parts)
    }
}

/// The `$(…)` that begins at a place of the text.
fn sub_expression(node: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut found = node.descendant_for_byte_range(at, at + 1)?;
    while found.kind() != "sub_expression" || found.start_byte() != at {
        found = found
            .parent()
            .filter(|parent| parent.end_byte() > at && parent.start_byte() >= node.start_byte())?;
    }
    Some(found)
}

/// The variable that a text begins with, with its mark.
fn variable(text: &str) -> Option<&str> {
    let rest = text.get(1..)?;
    if rest.starts_with('{') {
        return text.get(..rest.find('}')? + 2);
    }
    if rest.starts_with(['$', '?', '^']) {
        return text.get(..2);
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let length = |text: &str| text.find(|letter| !is_letter(letter)).unwrap_or(text.len());
    let first = length(rest);
    let scoped = rest.get(first..).and_then(|rest| rest.strip_prefix(':')).map_or(0, length);
    let whole = if first > 0 && scoped > 0 { first + 1 + scoped } else { first };
    text.get(..=whole).filter(|name| name.len() > 1)
}

/// `@name`: the items of a variable are the arguments.
fn is_splat(text: &str) -> bool {
    text.starts_with('@')
        && variable(text).is_some_and(|name| name.len() == text.len())
        && !text.starts_with("@{")
}

/// What `'…'` at the beginning of a text holds, and its length.
fn single_quoted(text: &str) -> (String, usize) {
    let mut inside = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != '\'' {
            inside.push(letter);
        } else if letters.next_if(|(_, next)| *next == '\'').is_some() {
            inside.push('\'');
        } else {
            return (inside, at + 1);
        }
    }
    (inside, text.len())
}

/// The letter that a backquote in front of a text makes, and how many bytes it takes.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(letter) = text.chars().next() else { return (None, 0) };
    let made = match letter {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\u{1}',
        'a' | 'b' | 'f' | 'v' | 'e' => ' ',
        'u' => {
            let code =
                text.get(1..).and_then(|rest| rest.strip_prefix('{')).and_then(|rest| rest.split_once('}'));
            let made = code.and_then(|(code, _)| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
            return match (made, code) {
                (Some(made), Some((code, _))) => (Some(made), code.len() + 3),
                _ => (Some('u'), 1),
            };
        }
        letter => letter,
    };
    (Some(made), letter.len_utf8())
}

/// The arguments and redirections of a command.
pub(super) fn arguments(
    reader: &mut Reader<'_>,
    elements: Node<'_>,
    args: &mut Vec<Argument>,
    redirects: &mut Vec<Redirect>,
) {
    let parts = named(elements);
    let mut at = 0;
    while let Some(part) = parts.get(at).copied() {
        at += 1;
        match part.kind() {
            "command_argument_sep" | "command_name" => {}
            "command_parameter" => {
                let end = word_end(&parts, at, part.end_byte());
                let given = parts
                    .get(at)
                    .filter(|next| reader.of(**next).contains(':') && next.kind() == "command_argument_sep");
                let text = reader.text.get(part.start_byte()..end).unwrap_or_default().trim();
                match (parameter_name(text), given) {
                    (Some(name), Some(_)) => {
                        let value = parts.get(at + 1).map(|value| argument_list(reader, *value));
                        at += 2;
                        args.push(Argument::Named(name, value));
                    }
                    (Some(name), None) => args.push(Argument::Named(name, None)),
                    (None, _) => {
                        let start = end - text.len();
                        args.push(Argument::Value(piece(reader, elements, start, end, Quotes::Bare)));
                        while parts.get(at).is_some_and(|next| next.end_byte() <= end) {
                            at += 1;
                        }
                    }
                }
            }
            "redirection" => redirects.extend(redirect(reader, part)),
            "stop_parsing" => args.extend(stopped(reader.of(part))),
            "argument_list" => {
                let given = call_arguments(reader, part);
                match args.pop() {
                    Some(Argument::Value(Expr::Member { on, name })) => {
                        args.push(Argument::Value(Expr::Call { on, name, args: given }));
                    }
                    before => args.extend(before.into_iter().chain(given.into_iter().map(Argument::Value))),
                }
            }
            "ERROR" => arguments(reader, part, args, redirects),
            _ => {
                let end = word_end(&parts, at, part.end_byte());
                let text = reader.of(part);
                let value = if end > part.end_byte() {
                    let start =
                        end - reader.text.get(part.start_byte()..end).unwrap_or_default().trim_start().len();
                    while parts.get(at).is_some_and(|next| next.end_byte() <= end) {
                        at += 1;
                    }
                    Argument::Value(piece(reader, elements, start, end, Quotes::Bare))
                } else if is_splat(text.trim()) {
                    Argument::Splat(variable_name(text))
                } else {
                    Argument::Value(argument_list(reader, part))
                };
                let gap = reader.text.get(..part.start_byte()).unwrap_or_default();
                let joins = gap.trim_end().ends_with(',') || text.trim_start().starts_with(',');
                match (args.last_mut(), value) {
                    // A list of values and words.
                    (Some(Argument::Value(before)), Argument::Value(value)) if joins => {
                        join(before, value);
                    }
                    (_, value) => args.push(value),
                }
            }
        }
    }
}

/// Makes one list of two values.
fn join(before: &mut Expr, value: Expr) {
    let mut items = match std::mem::replace(before, Expr::List(Vec::new())) {
        Expr::List(items) => items,
        other => vec![other],
    };
    match value {
        Expr::List(more) => items.extend(more),
        value => items.push(value),
    }
    *before = Expr::List(items);
}

/// Where a word ends whose parts follow one another without a gap.
fn word_end(parts: &[Node<'_>], from: usize, mut end: usize) -> usize {
    let is_part = |part: &Node<'_>| {
        let inner = named(*part);
        let is_value = inner.len() == 1
            && inner.iter().all(|inner| matches!(inner.kind(), "variable" | "string_literal"));
        match part.kind() {
            "unary_expression" => is_value,
            kind => matches!(kind, "generic_token" | "concatenated_command_argument" | "expandable_bareword"),
        }
    };
    for part in parts.get(from..).unwrap_or_default() {
        if part.start_byte() != end || !is_part(part) {
            break;
        }
        end = part.end_byte();
    }
    end
}

/// The name in `-Name`; `--long`, `-5` and `-Dname=value` are words of a program's own.
fn parameter_name(text: &str) -> Option<String> {
    let name = text.strip_prefix('-')?;
    let begins = name.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '?'));
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '?' | '-' | '`');
    (begins && name.chars().all(is_name)).then(|| name.replace('`', ""))
}

/// An argument, or the list that commas make of several.
fn argument_list(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "bareword_argument_list" | "array_literal_expression" => {
            Expr::List(named(node).into_iter().map(|item| argument(reader, item)).collect())
        }
        _ => argument(reader, node),
    }
}

/// One argument of a command: a value in brackets or quotes, or a word.
pub(super) fn argument(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let text = reader.of(node).trim();
    if text.starts_with('$') && variable(text).is_some_and(|name| name.len() == text.len()) {
        return Expr::Variable(variable_name(text));
    }
    let is_value = match node.kind() {
        "generic_token"
        | "concatenated_command_argument"
        | "expandable_bareword"
        | "escape_character"
        | "command_name"
        | "path_command_name" => false,
        _ => text.starts_with(['(', '{', '"', '\'', '@']) || text.starts_with('$') && !text.starts_with("$("),
    };
    if is_value { expression(reader, node) } else { word(reader, node, Quotes::Bare) }
}

/// `>`, `>>`, `2>&1`, `*>`.
pub(super) fn redirect(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Redirect> {
    let parts = named(node);
    let operator = reader.of(*parts.first()?);
    let append = operator.contains(">>");
    let target = match parts.get(1) {
        Some(file) => match named(*file).into_iter().find(|part| part.kind() != "command_argument_sep") {
            Some(name) => argument_list(reader, name),
            None => word(reader, *file, Quotes::Bare),
        },
        None => Expr::Variable("null".to_owned()),
    };
    Some(Redirect { append, target })
}
