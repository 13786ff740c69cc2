//! Expressions of Python.

use super::*;

pub(super) fn expression(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    reader.deeper(unknown(), |reader| expression_within(reader, node))
}

pub(super) fn field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Expr {
    node.child_by_field_name(name).map_or_else(unknown, |node| expression(reader, node))
}

pub(super) fn all(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    named(node).into_iter().map(|part| expression(reader, part)).collect()
}

pub(super) fn expression_within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "identifier" => Expr::Name(reader.of(node).to_owned()),
        "true" => Expr::Number(1),
        "false" => Expr::Number(0),
        "none" => unknown(),
        "integer" | "float" => number(reader.of(node)),
        "string" => string(reader, node),
        "concatenated_string" => joined(all(reader, node)),
        "attribute" => {
            let object = field(reader, node, "object");
            Expr::Member(Box::new(object), reader.field(node, "attribute").unwrap_or_default().to_owned())
        }
        "subscript" => {
            let object = Box::new(field(reader, node, "value"));
            let keys = fields(node, "subscript");
            match keys.as_slice() {
                [key] if key.kind() == "slice" => Expr::Slice(object, bounds(reader, *key)),
                [key] => Expr::Index(object, Box::new(expression(reader, *key))),
                keys => {
                    let keys = keys.iter().map(|key| expression(reader, *key)).collect();
                    Expr::Index(object, Box::new(Expr::List(keys)))
                }
            }
        }
        "call" => {
            let callee = field(reader, node, "function");
            let arguments = match node.child_by_field_name("arguments") {
                Some(list) if list.kind() == "generator_expression" => {
                    vec![Argument::plain(expression(reader, list))]
                }
                Some(list) => named(list).into_iter().map(|part| argument(reader, part)).collect(),
                None => Vec::new(),
            };
            call_of(callee, arguments)
        }
        "binary_operator" => {
            let operator = reader.field(node, "operator").unwrap_or_default();
            let operator = match operator {
                "//" => '/',
                "**" => '?',
                other => other.chars().next().unwrap_or('?'),
            };
            let (left, right) = (field(reader, node, "left"), field(reader, node, "right"));
            Expr::Binary(operator, Box::new(left), Box::new(right))
        }
        "boolean_operator" => Expr::Either(vec![field(reader, node, "left"), field(reader, node, "right")]),
        "unary_operator" => match (reader.field(node, "operator"), field(reader, node, "argument")) {
            (Some("-"), Expr::Number(number)) => Expr::Number(number.wrapping_neg()),
            (_, inner) => Expr::Opaque(vec![inner]),
        },
        "conditional_expression" => {
            let parts = all(reader, node);
            let mut parts = parts.into_iter();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(yes), Some(condition), Some(no)) => {
                    Expr::Block(vec![Stmt::Do(condition), Stmt::Do(Expr::Either(vec![yes, no]))])
                }
                _ => unknown(),
            }
        }
        "named_expression" => {
            let name =
                node.child_by_field_name("name").map_or(Pattern::Nothing, |name| pattern(reader, name));
            let value = field(reader, node, "value");
            Expr::Assign(Box::new(name), Box::new(value))
        }
        _ => made(reader, node),
    }
}

/// A value that is made: functions, lists, maps.
pub(super) fn made(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "lambda" => Expr::Function(function(reader, node, false)),
        "list_comprehension" | "generator_expression" | "set_comprehension" => comprehension(reader, node),
        "dictionary_comprehension" => comprehension(reader, node),
        "list" | "tuple" | "set" | "expression_list" => {
            let parts = named(node);
            if parts.iter().any(|part| part.kind() == "list_splat") {
                // Lists side by side.
                return parts.into_iter().fold(Expr::List(Vec::new()), |whole, part| {
                    let more = if part.kind() == "list_splat" {
                        named(part).first().map_or_else(unknown, |inner| expression(reader, *inner))
                    } else {
                        Expr::List(vec![expression(reader, part)])
                    };
                    Expr::Binary('+', Box::new(whole), Box::new(more))
                });
            }
            Expr::List(parts.into_iter().map(|part| expression(reader, part)).collect())
        }
        "dictionary" => {
            let mut pairs = Vec::new();
            let mut rest = Vec::new();
            for part in named(node) {
                match part.kind() {
                    "pair" => pairs.push((field(reader, part, "key"), field(reader, part, "value"))),
                    _ => rest.extend(all(reader, part)),
                }
            }
            let own = Expr::Map(pairs);
            rest.into_iter().fold(own, |whole, more| Expr::Binary('|', Box::new(more), Box::new(whole)))
        }
        "parenthesized_expression" | "await" | "type" | "interpolation" => {
            named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
        }
        "yield" => {
            let value = named(node).first().map(|inner| expression(reader, *inner));
            match value {
                Some(value) => Expr::Block(vec![Stmt::Return(Some(Expr::List(vec![value])))]),
                None => unknown(),
            }
        }
        "keyword_argument" => field(reader, node, "value"),
        "assignment" | "augmented_assignment" => Expr::Block(assignment(reader, node)),
        "ellipsis" | "comment" | "type_conversion" | "format_specifier" => unknown(),
        kind if kind.ends_with("_statement") || kind.ends_with("_definition") => {
            Expr::Block(statement(reader, node))
        }
        _ => Expr::Opaque(all(reader, node)),
    }
}

pub(super) fn bounds(reader: &mut Reader<'_>, node: Node<'_>) -> [Option<Box<Expr>>; 3] {
    let mut bounds = [None, None, None];
    let mut at = 0;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if child.kind() == ":" {
            at += 1;
        } else if child.is_named()
            && let Some(slot) = bounds.get_mut(at)
        {
            *slot = Some(Box::new(expression(reader, child)));
        }
    }
    bounds
}

pub(super) fn argument(reader: &mut Reader<'_>, node: Node<'_>) -> Argument {
    match node.kind() {
        "keyword_argument" => Argument {
            name: reader.field(node, "name").map(str::to_owned),
            spread: false,
            value: field(reader, node, "value"),
        },
        "list_splat" | "dictionary_splat" => Argument {
            name: None,
            spread: true,
            value: named(node).first().map_or_else(unknown, |inner| expression(reader, *inner)),
        },
        _ => Argument::plain(expression(reader, node)),
    }
}

pub(super) fn comprehension(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let item = match node.child_by_field_name("body") {
        Some(body) if body.kind() == "pair" => {
            Expr::List(vec![field(reader, body, "key"), field(reader, body, "value")])
        }
        Some(body) => expression(reader, body),
        None => unknown(),
    };
    let mut loops = Vec::new();
    let mut conditions = Vec::new();
    for clause in named(node) {
        match clause.kind() {
            "for_in_clause" => {
                let target =
                    clause.child_by_field_name("left").map_or(Pattern::Nothing, |left| pattern(reader, left));
                let over = field(reader, clause, "right");
                loops.push((target, over));
            }
            "if_clause" => conditions.extend(all(reader, clause)),
            _ => {}
        }
    }
    let item = if conditions.is_empty() {
        item
    } else {
        let mut steps = each(conditions);
        steps.push(Stmt::Do(item));
        Expr::Block(steps)
    };
    let each_of = Expr::Each(Box::new(Each { item, loops }));
    if node.kind() == "dictionary_comprehension" {
        call_named(library::PAIRS, vec![each_of])
    } else {
        each_of
    }
}

pub(super) fn string(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let mut cursor = node.walk();
    let start = node.children(&mut cursor).find(|child| child.kind() == "string_start");
    let prefix = start.map(|start| reader.of(start).to_ascii_lowercase()).unwrap_or_default();
    let raw = prefix.contains('r');
    let mut parts = Vec::new();
    let mut value = String::new();
    let push = |value: &mut String, parts: &mut Vec<Expr>| {
        if !value.is_empty() {
            parts.push(Expr::Text(Value::literal(std::mem::take(value))));
        }
    };
    for child in named(node) {
        match child.kind() {
            "string_content" => {
                let mut from = child.start_byte();
                for inner in named(child) {
                    value.push_str(reader.text.get(from..inner.start_byte()).unwrap_or_default());
                    from = inner.end_byte();
                    match inner.kind() {
                        "escape_sequence" if !raw => value.push_str(&escape(reader.of(inner))),
                        "escape_interpolation" => {
                            value.push_str(reader.of(inner).get(..1).unwrap_or_default())
                        }
                        _ => value.push_str(reader.of(inner)),
                    }
                }
                value.push_str(reader.text.get(from..child.end_byte()).unwrap_or_default());
            }
            "interpolation" => {
                push(&mut value, &mut parts);
                parts.push(expression(reader, child));
            }
            _ => {}
        }
    }
    push(&mut value, &mut parts);
    if parts.is_empty() { text("") } else { joined(parts) }
}
