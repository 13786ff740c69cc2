//! PowerShell's expressions: values, operators, members, calls, hash tables.

use tree_sitter::Node;

use super::super::super::code::read::{Reader, named};
use super::super::ast::{Expr, Part, Statement};
use super::words::{Quotes, word};
use super::{command, shared, statement};

pub(super) fn expression(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    reader.deeper(Expr::List(Vec::new()), |reader| within(reader, node))
}

fn boxed(reader: &mut Reader<'_>, node: Node<'_>) -> Box<Expr> {
    Box::new(expression(reader, node))
}

fn within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let parts = named(node);
    match node.kind() {
        "variable" | "braced_variable" => Expr::Variable(variable_name(reader.of(node))),
        "integer_literal" | "real_literal" => Expr::Number(reader.of(node).trim().to_owned()),
        "expandable_string_literal" => word(reader, node, Quotes::Double),
        "expandable_here_string_literal" => word(reader, node, Quotes::Here),
        "verbatim_string_characters" => word(reader, node, Quotes::Bare),
        "verbatim_here_string_characters" => {
            let text = reader.of(node).trim();
            let inside = text.strip_prefix("@'").and_then(|text| text.strip_suffix("'@")).unwrap_or(text);
            let inside = inside.split_once('\n').map_or(inside, |(_, inside)| inside);
            Expr::literal(inside.trim_end_matches('\n').trim_end_matches('\r'))
        }
        "parenthesized_expression" => Expr::Paren(Box::new(match parts.as_slice() {
            [only] => statement(reader, *only),
            parts => Statement::Parts(parts.iter().map(|part| shared(reader, *part)).collect()),
        })),
        "sub_expression" | "array_expression" => Expr::Statements(shared(reader, node)),
        "script_block_expression" => Expr::Script(shared(reader, node)),
        "hash_literal_expression" => {
            Expr::Hash(parts.into_iter().flat_map(named).map(|entry| pair(reader, entry)).collect())
        }
        "type_literal" => Expr::Type(type_name(reader.of(node))),
        "cast_expression" => match parts.as_slice() {
            [name, .., on] => Expr::Cast(type_name(reader.of(*name)), boxed(reader, *on)),
            _ => several(reader, &parts),
        },
        "array_literal_expression" => {
            Expr::List(parts.iter().map(|part| expression(reader, *part)).collect())
        }
        "expression_with_unary_operator" => unary(reader, node, &parts),
        "ternary_expression" | "ternary_argument_expression" => match parts.as_slice() {
            [condition, yes, no] => {
                let either = Expr::Binary("?:".to_owned(), boxed(reader, *yes), boxed(reader, *no));
                Expr::Binary("?:".to_owned(), boxed(reader, *condition), Box::new(either))
            }
            _ => several(reader, &parts),
        },
        "element_access" => match parts.as_slice() {
            [on, index] => Expr::Index(boxed(reader, *on), boxed(reader, *index)),
            _ => several(reader, &parts),
        },
        "member_access" => match parts.as_slice() {
            [on, name] => Expr::Member { on: boxed(reader, *on), name: Box::new(member_name(reader, *name)) },
            _ => several(reader, &parts),
        },
        "invocation_expression" => call(reader, node, &parts),
        "command" => Expr::Paren(Box::new(Statement::Pipeline(vec![command(reader, node)]))),
        "pipeline" | "pipeline_chain" | "statement_block" => Expr::Paren(Box::new(statement(reader, node))),
        kind => {
            match (kind.ends_with("_expression").then(|| operator(reader, node)).flatten(), parts.as_slice())
            {
                (Some(operator), [left, .., right]) => {
                    Expr::Binary(operator, boxed(reader, *left), boxed(reader, *right))
                }
                (_, [only]) => expression(reader, *only),
                (_, []) => Expr::literal(reader.of(node).trim()),
                (_, parts) => several(reader, parts),
            }
        }
    }
}

/// Parts that are evaluated for what they do.
fn several(reader: &mut Reader<'_>, parts: &[Node<'_>]) -> Expr {
    Expr::List(parts.iter().map(|part| expression(reader, *part)).collect())
}

/// The operator between two values, without its dash and the `c` or `i` that says whether case counts.
fn operator(reader: &Reader<'_>, node: Node<'_>) -> Option<String> {
    let mut cursor = node.walk();
    let own = node
        .children(&mut cursor)
        .skip(1)
        .find(|part| !part.is_named() || part.kind().ends_with("_operator"))?;
    let name = reader.of(own).trim().to_ascii_lowercase();
    let Some(word) = name.strip_prefix('-').filter(|word| !word.is_empty()) else { return Some(name) };
    let plain = word.strip_prefix(['c', 'i']).filter(|rest| {
        matches!(
            *rest,
            "eq" | "ne"
                | "gt"
                | "ge"
                | "lt"
                | "le"
                | "like"
                | "notlike"
                | "match"
                | "notmatch"
                | "replace"
                | "contains"
                | "notcontains"
                | "in"
                | "notin"
                | "split"
        )
    });
    Some(plain.unwrap_or(word).to_owned())
}

fn unary(reader: &mut Reader<'_>, node: Node<'_>, parts: &[Node<'_>]) -> Expr {
    let [on] = parts else { return several(reader, parts) };
    let mark =
        reader.text.get(node.start_byte()..on.start_byte()).unwrap_or_default().trim().to_ascii_lowercase();
    let value = expression(reader, *on);
    match (mark.as_str(), value) {
        ("" | "+" | "++" | "--", value) => value,
        (",", value) => Expr::List(vec![value]),
        ("!", value) => Expr::Unary("not".to_owned(), Box::new(value)),
        ("-", Expr::Number(number)) => Expr::Number(format!("-{number}")),
        (mark, value) => {
            let name = mark.trim_start_matches('-');
            Expr::Unary(if name.is_empty() { "-" } else { name }.to_owned(), Box::new(value))
        }
    }
}

fn pair(reader: &mut Reader<'_>, entry: Node<'_>) -> (Expr, Statement) {
    let (mut key, mut value) = (Expr::literal(""), Statement::Pipeline(Vec::new()));
    for part in named(entry) {
        match part.kind() {
            "key_expression" => key = member_name(reader, part),
            "empty_statement" => {}
            _ => value = statement(reader, part),
        }
    }
    (key, value)
}

/// The name behind a dot, or of an entry of a table: a word, or what a value says.
fn member_name(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match named(node).first() {
        Some(name) if name.kind() == "simple_name" => Expr::literal(reader.of(*name).trim()),
        Some(name) => expression(reader, *name),
        None => Expr::literal(reader.of(node).trim()),
    }
}

fn call(reader: &mut Reader<'_>, node: Node<'_>, parts: &[Node<'_>]) -> Expr {
    match parts {
        // `.ForEach{ … }`, `.Where({ … })`.
        [inner] => match named(*inner).as_slice() {
            [on, arguments] => {
                let name = reader.text.get(on.end_byte()..arguments.start_byte()).unwrap_or_default();
                let name = Box::new(Expr::literal(name.trim().trim_start_matches('.')));
                Expr::Call { on: boxed(reader, *on), name, args: call_arguments(reader, *arguments) }
            }
            parts => several(reader, parts),
        },
        [on, name, arguments] => {
            let name = Box::new(member_name(reader, *name));
            Expr::Call { on: boxed(reader, *on), name, args: call_arguments(reader, *arguments) }
        }
        _ => several(reader, &named(node)),
    }
}

pub(super) fn call_arguments(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    match node.kind() {
        "argument_list" => {
            let list = named(node).into_iter().flat_map(|part| match part.kind() {
                "argument_expression_list" => named(part),
                _ => vec![part],
            });
            list.map(|part| expression(reader, part)).collect()
        }
        _ => vec![expression(reader, node)],
    }
}

/// `[System.IO.File]`, without its brackets, spaces and backquotes.
fn type_name(text: &str) -> String {
    let text = text.trim();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    inside.chars().filter(|letter| !letter.is_whitespace() && *letter != '`').collect()
}

/// A variable's name: with its scope or drive, in lower case, without its mark and braces.
pub(super) fn variable_name(text: &str) -> String {
    let name = text.trim();
    let name = name.strip_prefix(['$', '@']).unwrap_or(name);
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    name.to_ascii_lowercase()
}

/// `1..5` and `1..$n` at the beginning of a statement, which the grammar takes for a command's name.
pub(super) fn range_of_numbers(name: &Expr) -> Option<Expr> {
    let (text, behind) = match name {
        Expr::Literal { text, ticked: false } => (text, None),
        Expr::Text(parts) => match parts.as_slice() {
            [Part::Text(text), Part::Value(Expr::Variable(to))] => (text, Some(to.clone())),
            _ => return None,
        },
        _ => return None,
    };
    let (from, to) = text.split_once("..")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let to = match behind {
        Some(name) => to.is_empty().then_some(Expr::Variable(name)),
        None => is_number(to).then(|| Expr::Number(to.to_owned())),
    }?;
    is_number(from)
        .then(|| Expr::Binary("..".to_owned(), Box::new(Expr::Number(from.to_owned())), Box::new(to)))
}
