//! Expressions of PHP.

use super::*;

/// The name of a property, or what it is computed from.
pub(super) fn property(reader: &mut Reader<'_>, node: Node<'_>) -> Result<String, Expr> {
    match node.child_by_field_name("name") {
        Some(own) if own.kind() == "name" => Ok(format!("${}", reader.of(own))),
        Some(own) => Err(expression(reader, own)),
        None => Err(unknown()),
    }
}

pub(super) fn expression(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    reader.deeper(unknown(), |reader| expression_within(reader, node))
}

pub(super) fn field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Expr {
    node.child_by_field_name(name).map_or_else(unknown, |node| expression(reader, node))
}

pub(super) fn all(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    named(node).into_iter().map(|part| expression(reader, part)).collect()
}

pub(super) fn sequence(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    match node.kind() {
        "sequence_expression" => all(reader, node),
        _ => vec![expression(reader, node)],
    }
}

/// The first expression below a node.
pub(super) fn first(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
}

pub(super) fn arguments(reader: &mut Reader<'_>, list: Option<Node<'_>>) -> Vec<Argument> {
    let mut arguments = Vec::new();
    for part in list.map(named).unwrap_or_default() {
        if part.kind() != "argument" {
            continue;
        }
        let own = part.child_by_field_name("name");
        let name = own.map(|own| reader.of(own).to_owned());
        let value = named(part).into_iter().find(|inner| Some(*inner) != own);
        let Some(value) = value else { continue };
        let spread = value.kind() == "variadic_unpacking";
        // A parameter keeps its mark.
        let name = name.map(|name| format!("${name}"));
        let value = if spread { first(reader, value) } else { expression(reader, value) };
        arguments.push(Argument { name, spread, value });
    }
    arguments
}

/// `f(...)`: the function itself.
pub(super) fn is_reference(node: Node<'_>) -> bool {
    let list = node.child_by_field_name("arguments");
    list.is_some_and(|list| named(list).iter().any(|part| part.kind() == "variadic_placeholder"))
}

pub(super) fn called(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let list = node.child_by_field_name("arguments");
    let (object, is_static) = match node.kind() {
        "scoped_call_expression" => (node.child_by_field_name("scope"), true),
        "function_call_expression" => {
            let callee = node.child_by_field_name("function");
            let callee = match callee {
                Some(own) if matches!(own.kind(), "name" | "qualified_name" | "relative_name") => {
                    name(short(reader.of(own)))
                }
                Some(own) => expression(reader, own),
                None => unknown(),
            };
            if is_reference(node) {
                return callee;
            }
            let arguments = arguments(reader, list);
            return call_of(callee, arguments);
        }
        _ => (node.child_by_field_name("object"), false),
    };
    let mut given = arguments(reader, list);
    let own = node.child_by_field_name("name");
    let parent = is_static && object.is_some_and(|object| reader.of(object) == "parent");
    let object = object.map_or_else(unknown, |object| scope(reader, object));
    match own {
        Some(own) if own.kind() == "name" => {
            let own = reader.of(own).to_owned();
            if parent {
                given.insert(0, Argument::plain(text(own)));
                return call_of(name(PARENT), given);
            }
            let callee = Expr::Member(Box::new(object), own);
            if is_reference(node) {
                return callee;
            }
            call_of(callee, given)
        }
        Some(own) => {
            let own = expression(reader, own);
            given.insert(0, Argument::plain(object));
            given.insert(1, Argument::plain(own));
            call_of(name(BY_NAME), given)
        }
        None => unknown(),
    }
}

/// What stands in front of `::` or `->`.
pub(super) fn scope(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "relative_scope" => name(SELF),
        // `new static`
        "name" if matches!(reader.of(node), "static" | "self") => name(SELF),
        "name" | "qualified_name" | "relative_name" => name(short(reader.of(node))),
        _ => expression(reader, node),
    }
}

pub(super) fn expression_within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "variable_name" => name(reader.of(node)),
        "name" | "qualified_name" | "relative_name" => name(short(reader.of(node))),
        "relative_scope" => name(SELF),
        "dynamic_variable_name" => {
            let own = named(node).first().map_or_else(unknown, |inner| dynamic(reader, *inner));
            call_named(VARIABLE, vec![own])
        }
        "null" => unknown(),
        "boolean" => Expr::Number(i64::from(reader.of(node).eq_ignore_ascii_case("true"))),
        "integer" => number(reader.of(node)),
        "float" => unknown(),
        "string" => text(single(reader.of(node))),
        "encapsed_string" => joined(parts(reader, node, 0)),
        "heredoc" => heredoc(reader, node),
        "nowdoc" => heredoc(reader, node),
        "shell_command_expression" => Expr::Command(Box::new(joined(parts(reader, node, 0)))),
        "function_call_expression"
        | "member_call_expression"
        | "nullsafe_member_call_expression"
        | "scoped_call_expression" => called(reader, node),
        "object_creation_expression" => created(reader, node),
        "member_access_expression" | "nullsafe_member_access_expression" => {
            let object = field(reader, node, "object");
            match property(reader, node) {
                Ok(name) => Expr::Member(Box::new(object), name),
                Err(key) => Expr::Index(Box::new(object), Box::new(key)),
            }
        }
        "scoped_property_access_expression" => {
            let object =
                node.child_by_field_name("scope").map_or_else(unknown, |object| scope(reader, object));
            Expr::Member(Box::new(object), reader.field(node, "name").unwrap_or_default().to_owned())
        }
        "class_constant_access_expression" => match named(node).as_slice() {
            [object, own] if reader.of(*own) == "class" => match object.kind() {
                "name" | "qualified_name" => text(short(reader.of(*object))),
                _ => scope(reader, *object),
            },
            [object, own] => {
                let object = scope(reader, *object);
                match own.kind() {
                    "name" => Expr::Member(Box::new(object), reader.of(*own).to_owned()),
                    _ => {
                        let own = expression(reader, *own);
                        Expr::Index(Box::new(object), Box::new(own))
                    }
                }
            }
            _ => unknown(),
        },
        "subscript_expression" => match named(node).as_slice() {
            [object, key] => {
                let object = expression(reader, *object);
                let in_text = node.parent().is_some_and(|around| {
                    matches!(around.kind(), "encapsed_string" | "heredoc_body" | "shell_command_expression")
                });
                let key = match key.kind() {
                    "name" if in_text => text(reader.of(*key)),
                    _ => expression(reader, *key),
                };
                Expr::Index(Box::new(object), Box::new(key))
            }
            _ => Expr::Opaque(all(reader, node)),
        },
        _ => operated(reader, node),
    }
}

/// An expression with an operator.
pub(super) fn operated(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "assignment_expression" | "reference_assignment_expression" => {
            let mut steps = assignment(reader, node);
            // `$a[] = x` is x.
            if matches!(steps.as_slice(), [Stmt::Do(_)]) {
                steps.push(Stmt::Do(field(reader, node, "right")));
            }
            Expr::Block(steps)
        }
        "augmented_assignment_expression" => {
            let Some(left) = node.child_by_field_name("left") else { return unknown() };
            let operator = reader.field(node, "operator").unwrap_or_default().to_owned();
            let (before, value) = (expression(reader, left), field(reader, node, "right"));
            let value = match operator.as_str() {
                ".=" => Expr::Joined(vec![before, value]),
                "??=" => Expr::Either(vec![before, value]),
                other => Expr::Binary(other.chars().next().unwrap_or('?'), Box::new(before), Box::new(value)),
            };
            Expr::Block(assigned(reader, left, value))
        }
        "binary_expression" => binary(reader, node),
        "unary_op_expression" => {
            match (reader.field(node, "operator"), named(node).last().map(|inner| expression(reader, *inner)))
            {
                (Some("-"), Some(Expr::Number(number))) => Expr::Number(number.wrapping_neg()),
                (Some("~"), Some(inner)) => call_named("~", vec![inner]),
                (_, inner) => Expr::Opaque(inner.into_iter().collect()),
            }
        }
        "conditional_expression" => {
            let condition = field(reader, node, "condition");
            let no = field(reader, node, "alternative");
            match node.child_by_field_name("body") {
                Some(yes) => {
                    let yes = expression(reader, yes);
                    Expr::Block(vec![Stmt::Do(condition), Stmt::Do(Expr::Either(vec![yes, no]))])
                }
                None => Expr::Either(vec![condition, no]),
            }
        }
        "match_expression" => {
            let mut steps = vec![Stmt::Do(field(reader, node, "condition"))];
            let mut values = Vec::new();
            for arm in node.child_by_field_name("body").map(named).unwrap_or_default() {
                if let Some(conditions) = arm.child_by_field_name("conditional_expressions") {
                    steps.extend(each(all(reader, conditions)));
                }
                values.push(field(reader, arm, "return_expression"));
            }
            steps.push(Stmt::Do(Expr::Either(values)));
            Expr::Block(steps)
        }
        _ => made(reader, node),
    }
}

/// A value that is made or handed on.
pub(super) fn made(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "array_creation_expression" => array(reader, node),
        "anonymous_function" | "arrow_function" => Expr::Function(function(reader, node)),
        "include_expression"
        | "include_once_expression"
        | "require_expression"
        | "require_once_expression" => {
            let own = node.kind().trim_end_matches("_expression");
            call_named(own, vec![first(reader, node)])
        }
        "print_intrinsic" => call_named("echo", vec![first(reader, node)]),
        "cast_expression" => {
            let kind = reader.field(node, "type").unwrap_or_default().to_ascii_lowercase();
            let value = field(reader, node, "value");
            if kind.contains("int") { call_named("intval", vec![value]) } else { value }
        }
        "parenthesized_expression"
        | "error_suppression_expression"
        | "by_ref"
        | "clone_expression"
        | "variadic_unpacking"
        | "argument"
        | "throw_expression" => first(reader, node),
        "yield_expression" => {
            let value = first(reader, node);
            Expr::Block(vec![Stmt::Return(Some(Expr::List(vec![value])))])
        }
        "sequence_expression" => Expr::Block(each(all(reader, node))),
        "array_element_initializer" => Expr::Opaque(all(reader, node)),
        "update_expression" => {
            let Some(inner) = node.child_by_field_name("argument") else { return unknown() };
            let operator = if reader.of(node).contains("++") { '+' } else { '-' };
            let before = expression(reader, inner);
            let value = Expr::Binary(operator, Box::new(before), Box::new(Expr::Number(1)));
            Expr::Block(assigned(reader, inner, value))
        }
        "comment" | "text" | "php_tag" | "php_end_tag" | "text_interpolation" => unknown(),
        kind if kind.ends_with("_statement")
            || kind.ends_with("_declaration")
            || kind == "function_definition" =>
        {
            Expr::Block(statement(reader, node))
        }
        _ => Expr::Opaque(all(reader, node)),
    }
}

pub(super) fn created(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let parts = named(node);
    let Some(what) = parts.first().copied() else { return unknown() };
    if what.kind() == "anonymous_class" {
        let list = named(what).into_iter().find(|part| part.kind() == "arguments");
        let callee = Expr::Class(class(reader, what));
        let arguments = arguments(reader, list);
        return call_of(callee, arguments);
    }
    let callee = scope(reader, what);
    let list = parts.into_iter().find(|part| part.kind() == "arguments");
    let arguments = arguments(reader, list);
    call_of(callee, arguments)
}

pub(super) fn binary(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let operator = reader.field(node, "operator").unwrap_or_default().to_ascii_lowercase();
    // A long row of `.` is one text, however deep it lies in the tree.
    if operator == "." {
        let mut operands = Vec::new();
        let mut at = node;
        loop {
            operands.extend(at.child_by_field_name("right"));
            let Some(left) = at.child_by_field_name("left") else { break };
            let again = left.kind() == "binary_expression" && reader.field(left, "operator") == Some(".");
            if !again {
                operands.push(left);
                break;
            }
            at = left;
        }
        return Expr::Joined(operands.into_iter().rev().map(|part| expression(reader, part)).collect());
    }
    let (left, right) = (field(reader, node, "left"), field(reader, node, "right"));
    match operator.as_str() {
        // `$x |> f(...)` of PHP 8.5.
        "|>" => call_of(right, vec![Argument::plain(left)]),
        "||" | "or" | "??" => Expr::Either(vec![left, right]),
        "&&" | "and" => Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)]),
        "+" | "-" | "*" | "/" | "%" | "^" | "|" | "&" | "<<" | ">>" => {
            Expr::Binary(operator.chars().next().unwrap_or('?'), Box::new(left), Box::new(right))
        }
        _ => Expr::Opaque(vec![left, right]),
    }
}

pub(super) fn array(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let elements: Vec<Node<'_>> =
        named(node).into_iter().filter(|part| part.kind() == "array_element_initializer").collect();
    let keyed = elements.iter().any(|part| named(*part).len() > 1);
    let mut pairs = Vec::new();
    let mut whole = Expr::List(Vec::new());
    let mut plain = Vec::new();
    for (at, element) in elements.into_iter().enumerate() {
        match named(element).as_slice() {
            [key, value] => pairs.push((expression(reader, *key), expression(reader, *value))),
            [spread] if spread.kind() == "variadic_unpacking" => {
                let more = first(reader, *spread);
                let before = Expr::List(std::mem::take(&mut plain));
                whole = Expr::Binary('+', Box::new(whole), Box::new(before));
                whole = Expr::Binary('+', Box::new(whole), Box::new(more));
            }
            [value] if keyed => {
                let at = i64::try_from(at).unwrap_or(i64::MAX);
                pairs.push((Expr::Number(at), expression(reader, *value)));
            }
            [value] => plain.push(expression(reader, *value)),
            _ => {}
        }
    }
    if keyed {
        return Expr::Map(pairs);
    }
    match whole {
        Expr::List(own) if own.is_empty() => Expr::List(plain),
        whole if plain.is_empty() => whole,
        whole => Expr::Binary('+', Box::new(whole), Box::new(Expr::List(plain))),
    }
}

/// A text between single quotes, where only these and `\` can be escaped.
pub(super) fn single(raw: &str) -> String {
    let inner = raw.trim_start_matches(['b', 'B']);
    let inner = inner.strip_prefix('\'').unwrap_or(inner);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let mut value = String::new();
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(next @ ('\'' | '\\'))) => {
                value.push(*next);
                letters.next();
            }
            _ => value.push(letter),
        }
    }
    value
}

/// The parts of a text; of a heredoc, `indent` letters of each line go.
pub(super) fn parts(reader: &mut Reader<'_>, node: Node<'_>, indent: usize) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut value = String::new();
    let in_heredoc = node.kind() == "heredoc_body" || node.kind() == "nowdoc_body";
    let children = named(node);
    let mut end = children.first().map_or(node.start_byte(), Node::start_byte);
    for child in children {
        // The grammar leaves line ends out.
        if in_heredoc {
            let gap = reader.text.get(end..child.start_byte()).unwrap_or_default();
            value.extend(gap.chars().filter(|letter| *letter == '\n'));
        }
        end = child.end_byte();
        match child.kind() {
            "escape_sequence" => value.push_str(&escape(reader.of(child))),
            "string_content" | "nowdoc_string" => {
                let own = reader.of(child);
                let starts_line =
                    reader.text.get(..child.start_byte()).is_some_and(|before| before.ends_with('\n'));
                for (at, line) in own.split_inclusive('\n').enumerate() {
                    let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
                    let gone = if at > 0 || starts_line { spaces.min(indent) } else { 0 };
                    value.push_str(line.get(gone..).unwrap_or(line));
                }
            }
            _ => {
                if !value.is_empty() {
                    parts.push(Expr::Text(Value::literal(std::mem::take(&mut value))));
                }
                parts.push(expression(reader, child));
            }
        }
    }
    if !value.is_empty() {
        parts.push(Expr::Text(Value::literal(value)));
    }
    parts
}

pub(super) fn heredoc(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let indent = node.child_by_field_name("end_tag").map_or(0, |end| {
        let before = reader.text.get(..end.start_byte()).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.len() - line.trim_start().len() + reader.of(end).len() - reader.of(end).trim_start().len()
    });
    match node.child_by_field_name("value") {
        Some(body) => joined(parts(reader, body, indent)),
        None => text(""),
    }
}
