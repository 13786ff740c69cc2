//! Reads JavaScript: the tree of its grammar becomes the tree that is followed.
//!
//! Source: the grammars tree-sitter-javascript 0.25 and tree-sitter-typescript 0.23, whose names of nodes and fields
//! these are.

pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use super::Value;
use super::code::read::{Reader, call_of, escape, fields, joined, named, number, text, unknown};
use super::code::tree::{Argument, Class, Declares, Expr, Function, Parameter, Pattern, Stmt};

/// Reads a module or script.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    block(reader, root)
}

fn block(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let children = named(node);
    // Functions are there before the first statement runs.
    let (early, late): (Vec<Node<'_>>, Vec<Node<'_>>) =
        children.into_iter().partition(|child| child.kind().ends_with("function_declaration"));
    early.into_iter().chain(late).flat_map(|child| statement(reader, child)).collect()
}

fn statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    reader.deeper(Vec::new(), |reader| statement_within(reader, node))
}

fn of_field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Vec<Stmt> {
    node.child_by_field_name(name).map(|child| part_of(reader, child)).unwrap_or_default()
}

fn statement_within(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "expression_statement" => {
            named(node).into_iter().map(|child| Stmt::Do(expression(reader, child))).collect()
        }
        "lexical_declaration" | "variable_declaration" | "using_declaration" => {
            named(node).into_iter().filter_map(|child| declarator(reader, child)).collect()
        }
        "function_declaration" | "generator_function_declaration" => {
            vec![Stmt::Function(function(reader, node))]
        }
        "class_declaration" | "abstract_class_declaration" => vec![Stmt::Class(class(reader, node))],
        "import_statement" => imports(reader, node),
        "export_statement" => {
            let mut all = of_field(reader, node, "declaration");
            all.extend(of_field(reader, node, "value"));
            all
        }
        "if_statement" => {
            let mut all = vec![Stmt::Do(field(reader, node, "condition"))];
            let mut arms = vec![of_field(reader, node, "consequence")];
            let other = node.child_by_field_name("alternative");
            if let Some(other) = other {
                arms.push(named(other).into_iter().flat_map(|child| part_of(reader, child)).collect());
            }
            all.push(Stmt::Branch { arms, or_none: other.is_none() });
            all
        }
        "for_statement" => {
            let mut all = of_field(reader, node, "initializer");
            let mut body = of_field(reader, node, "condition");
            body.extend(of_field(reader, node, "body"));
            body.extend(of_field(reader, node, "increment"));
            all.push(Stmt::Loop { pattern: None, over: None, body });
            all
        }
        "for_in_statement" => {
            let pattern = node.child_by_field_name("left").map(|left| pattern(reader, left));
            let over = Some(field(reader, node, "right"));
            let body = of_field(reader, node, "body");
            vec![Stmt::Loop { pattern, over, body }]
        }
        "while_statement" | "do_statement" => {
            let mut body = of_field(reader, node, "condition");
            body.extend(of_field(reader, node, "body"));
            vec![Stmt::Loop { pattern: None, over: None, body }]
        }
        _ => other_statement(reader, node),
    }
}

/// A statement with blocks of several kinds, or without one.
fn other_statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "try_statement" => {
            let mut all = of_field(reader, node, "body");
            if let Some(handler) = node.child_by_field_name("handler") {
                let arm = of_field(reader, handler, "body");
                all.push(Stmt::Branch { arms: vec![arm], or_none: true });
            }
            if let Some(last) = node.child_by_field_name("finalizer") {
                all.extend(of_field(reader, last, "body"));
            }
            all
        }
        "switch_statement" => {
            let mut all = vec![Stmt::Do(field(reader, node, "value"))];
            let mut arms = Vec::new();
            if let Some(body) = node.child_by_field_name("body") {
                for case in named(body) {
                    arms.push(
                        fields(case, "body").into_iter().flat_map(|part| statement(reader, part)).collect(),
                    );
                }
            }
            all.push(Stmt::Branch { arms, or_none: true });
            all
        }
        "return_statement" => {
            let value = named(node).first().map(|value| expression(reader, *value));
            vec![Stmt::Return(value)]
        }
        "statement_block" | "program" => block(reader, node),
        "labeled_statement" => of_field(reader, node, "body"),
        "empty_statement"
        | "break_statement"
        | "continue_statement"
        | "debugger_statement"
        | "comment"
        | "hash_bang_line"
        | "interface_declaration"
        | "type_alias_declaration" => Vec::new(),
        _ => named(node).into_iter().flat_map(|child| part_of(reader, child)).collect(),
    }
}

fn part_of(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let kind = node.kind();
    if kind == "statement_block" || kind.ends_with("_statement") || kind.ends_with("_declaration") {
        return statement(reader, node);
    }
    vec![Stmt::Do(expression(reader, node))]
}

fn declarator(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Stmt> {
    let name = node.child_by_field_name("name")?;
    let value = match node.child_by_field_name("value") {
        Some(value) => expression(reader, value),
        None => unknown(),
    };
    Some(Stmt::Assign(pattern(reader, name), value, Declares::Here))
}

/// The full name of a module: `node:fs/promises` is `fs.promises`.
pub(super) fn module(source: &str) -> String {
    source.trim_start_matches("node:").replace('/', ".")
}

fn imports(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let source = node.child_by_field_name("source").map(|source| reader.of(source)).unwrap_or_default();
    let source = source.trim_matches(['"', '\'', '`']);
    let mut all = vec![Stmt::Load(source.to_owned())];
    let source = module(source);
    for clause in named(node).into_iter().filter(|child| child.kind() == "import_clause") {
        for part in named(clause) {
            match part.kind() {
                "identifier" => all.push(Stmt::Import(reader.of(part).to_owned(), source.clone())),
                "namespace_import" => {
                    if let Some(name) = named(part).first() {
                        all.push(Stmt::Import(reader.of(*name).to_owned(), source.clone()));
                    }
                }
                "named_imports" => {
                    for one in named(part) {
                        let Some(name) = reader.field(one, "name") else { continue };
                        let alias = reader.field(one, "alias").unwrap_or(name);
                        let name = name.trim_matches(['"', '\'']);
                        let full =
                            if name == "default" { source.clone() } else { format!("{source}.{name}") };
                        all.push(Stmt::Import(alias.to_owned(), full));
                    }
                }
                _ => {}
            }
        }
    }
    all
}

fn function(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Function> {
    let name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut parameters = Vec::new();
    if let Some(only) = node.child_by_field_name("parameter") {
        parameters.push(Parameter { pattern: pattern(reader, only), default: None, rest: false });
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        parameters.extend(named(list).into_iter().map(|part| parameter(reader, part)));
    }
    let body = match node.child_by_field_name("body") {
        Some(body) if body.kind() == "statement_block" => block(reader, body),
        Some(body) => vec![Stmt::Return(Some(expression(reader, body)))],
        None => Vec::new(),
    };
    Rc::new(Function { name, parameters, body })
}

fn parameter(reader: &mut Reader<'_>, node: Node<'_>) -> Parameter {
    match node.kind() {
        "assignment_pattern" => Parameter {
            pattern: node.child_by_field_name("left").map_or(Pattern::Nothing, |left| pattern(reader, left)),
            default: Some(field(reader, node, "right")),
            rest: false,
        },
        "rest_pattern" => Parameter {
            pattern: named(node).first().map_or(Pattern::Nothing, |name| pattern(reader, *name)),
            default: None,
            rest: true,
        },
        // TypeScript: `name: type = value`.
        "required_parameter" | "optional_parameter" => {
            let default = node.child_by_field_name("value").map(|value| expression(reader, value));
            let inner = node.child_by_field_name("pattern");
            let rest = inner.is_some_and(|inner| inner.kind() == "rest_pattern");
            let name = match inner {
                Some(inner) if rest => named(inner).first().copied(),
                inner => inner,
            };
            Parameter { pattern: name.map_or(Pattern::Nothing, |name| pattern(reader, name)), default, rest }
        }
        _ => Parameter { pattern: pattern(reader, node), default: None, rest: false },
    }
}

fn pattern(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    reader.deeper(Pattern::Nothing, |reader| match node.kind() {
        "identifier" | "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
            Pattern::Name(reader.of(node).to_owned())
        }
        "member_expression" => {
            let object = field(reader, node, "object");
            Pattern::Member(Box::new(object), reader.field(node, "property").unwrap_or_default().to_owned())
        }
        "subscript_expression" => {
            let object = field(reader, node, "object");
            let key = field(reader, node, "index");
            Pattern::Index(Box::new(object), Box::new(key))
        }
        "array_pattern" | "array" => {
            Pattern::Several(named(node).into_iter().map(|part| pattern(reader, part)).collect())
        }
        "object_pattern" | "object" => Pattern::Keys(
            named(node)
                .into_iter()
                .filter_map(|part| match part.kind() {
                    "pair_pattern" | "pair" => {
                        let key = node_key(reader, part.child_by_field_name("key")?);
                        Some((key, pattern(reader, part.child_by_field_name("value")?)))
                    }
                    "object_assignment_pattern" => {
                        let name = reader.field(part, "left")?.to_owned();
                        Some((name.clone(), Pattern::Name(name)))
                    }
                    "rest_pattern" => None,
                    _ => {
                        let name = reader.of(part).to_owned();
                        Some((name.clone(), Pattern::Name(name)))
                    }
                })
                .collect(),
        ),
        "rest_pattern" => {
            let name = named(node).first().map_or(Pattern::Nothing, |name| pattern(reader, *name));
            Pattern::Rest(Box::new(name))
        }
        "assignment_pattern" => {
            node.child_by_field_name("left").map_or(Pattern::Nothing, |left| pattern(reader, left))
        }
        "lexical_declaration"
        | "variable_declaration"
        | "variable_declarator"
        | "parenthesized_expression" => {
            named(node).first().map_or(Pattern::Nothing, |inner| pattern(reader, *inner))
        }
        "required_parameter" | "optional_parameter" => {
            node.child_by_field_name("pattern").map_or(Pattern::Nothing, |inner| pattern(reader, inner))
        }
        _ => Pattern::Nothing,
    })
}

/// The name of a key that is written as one.
fn node_key(reader: &mut Reader<'_>, node: Node<'_>) -> String {
    match node.kind() {
        "string" => reader.of(node).trim_matches(['"', '\'']).to_owned(),
        _ => reader.of(node).to_owned(),
    }
}

fn class(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Class> {
    let name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut bases = Vec::new();
    for heritage in named(node).into_iter().filter(|child| child.kind() == "class_heritage") {
        for base in named(heritage) {
            let inner =
                if base.kind() == "extends_clause" { base.child_by_field_name("value") } else { Some(base) };
            bases.extend(inner.map(|inner| expression(reader, inner)));
        }
    }
    let mut body = Vec::new();
    if let Some(list) = node.child_by_field_name("body") {
        for part in named(list) {
            match part.kind() {
                "method_definition" => body.push(Stmt::Function(function(reader, part))),
                "field_definition" | "public_field_definition" => {
                    let key = reader.field(part, "property").or_else(|| reader.field(part, "name"));
                    let value = part.child_by_field_name("value").map(|value| expression(reader, value));
                    if let (Some(key), Some(value)) = (key, value) {
                        body.push(Stmt::Assign(Pattern::Name(key.to_owned()), value, Declares::Here));
                    }
                }
                "class_static_block" => body.extend(of_field(reader, part, "body")),
                _ => {}
            }
        }
    }
    Rc::new(Class { name, bases, body })
}

fn expression(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    reader.deeper(unknown(), |reader| expression_within(reader, node))
}

fn field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Expr {
    node.child_by_field_name(name).map_or_else(unknown, |node| expression(reader, node))
}

fn all(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    named(node).into_iter().map(|part| expression(reader, part)).collect()
}

fn expression_within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "identifier" | "this" | "super" | "shorthand_property_identifier" => {
            Expr::Name(reader.of(node).to_owned())
        }
        "import" => Expr::Name("import".to_owned()),
        "undefined" | "null" => unknown(),
        "regex" => {
            let callee = Expr::Name("RegExp".to_owned());
            call_of(callee, Vec::new())
        }
        "true" => Expr::Number(1),
        "false" => Expr::Number(0),
        "number" => number(reader.of(node)),
        "string" => string(reader, node),
        "template_string" => template(reader, node),
        "member_expression" => {
            let object = field(reader, node, "object");
            Expr::Member(Box::new(object), reader.field(node, "property").unwrap_or_default().to_owned())
        }
        "meta_property" => Expr::Member(Box::new(Expr::Name("import".to_owned())), "meta".to_owned()),
        "subscript_expression" => {
            let object = field(reader, node, "object");
            let key = field(reader, node, "index");
            Expr::Index(Box::new(object), Box::new(key))
        }
        "call_expression" => {
            let callee = field(reader, node, "function");
            match node.child_by_field_name("arguments") {
                Some(list) if list.kind() == "template_string" => tagged(reader, callee, list),
                Some(list) => {
                    let arguments = arguments(reader, list);
                    call_of(callee, arguments)
                }
                None => callee,
            }
        }
        "new_expression" => {
            let callee = field(reader, node, "constructor");
            let arguments =
                node.child_by_field_name("arguments").map(|list| arguments(reader, list)).unwrap_or_default();
            call_of(callee, arguments)
        }
        "arrow_function"
        | "function_expression"
        | "generator_function"
        | "function_declaration"
        | "generator_function_declaration"
        | "method_definition" => Expr::Function(function(reader, node)),
        "class" | "class_declaration" => Expr::Class(class(reader, node)),
        _ => operated(reader, node),
    }
}

/// An expression with an operator, and whatever is left.
fn operated(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "assignment_expression" => {
            let left =
                node.child_by_field_name("left").map_or(Pattern::Nothing, |left| pattern(reader, left));
            let right = field(reader, node, "right");
            Expr::Assign(Box::new(left), Box::new(right))
        }
        "augmented_assignment_expression" => {
            let target = node.child_by_field_name("left");
            let left = target.map_or(Pattern::Nothing, |left| pattern(reader, left));
            let own = field(reader, node, "left");
            let right = field(reader, node, "right");
            let operator = reader.field(node, "operator").unwrap_or_default().chars().next().unwrap_or('?');
            let value = match operator {
                '|' | '&' | '?' => Expr::Either(vec![own, right]),
                _ => Expr::Binary(operator, Box::new(own), Box::new(right)),
            };
            Expr::Assign(Box::new(left), Box::new(value))
        }
        "binary_expression" => {
            let operator = reader.field(node, "operator").unwrap_or_default();
            let (left, right) = (field(reader, node, "left"), field(reader, node, "right"));
            match operator {
                "||" | "??" => Expr::Either(vec![left, right]),
                "&&" => Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)]),
                "+" | "-" | "*" | "/" | "%" | "^" | "|" | "&" | "<<" | ">>" | ">>>" => {
                    Expr::Binary(operator.chars().next().unwrap_or('?'), Box::new(left), Box::new(right))
                }
                _ => Expr::Opaque(vec![left, right]),
            }
        }
        "unary_expression" => match (reader.field(node, "operator"), field(reader, node, "argument")) {
            (Some("-"), Expr::Number(number)) => Expr::Number(number.wrapping_neg()),
            (_, inner) => Expr::Opaque(vec![inner]),
        },
        "ternary_expression" => {
            let condition = field(reader, node, "condition");
            let yes = field(reader, node, "consequence");
            let no = field(reader, node, "alternative");
            Expr::Block(vec![Stmt::Do(condition), Stmt::Do(Expr::Either(vec![yes, no]))])
        }
        "await_expression"
        | "parenthesized_expression"
        | "non_null_expression"
        | "as_expression"
        | "satisfies_expression"
        | "spread_element"
        | "template_substitution"
        | "instantiation_expression" => {
            named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
        }
        "type_assertion" => named(node).last().map_or_else(unknown, |inner| expression(reader, *inner)),
        "sequence_expression" => Expr::Block(all(reader, node).into_iter().map(Stmt::Do).collect()),
        "yield_expression" => match named(node).first().map(|inner| expression(reader, *inner)) {
            Some(value) => Expr::Block(vec![Stmt::Return(Some(Expr::List(vec![value])))]),
            None => unknown(),
        },
        _ => grouped(reader, node),
    }
}

/// What only holds other expressions.
fn grouped(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "object" => object(reader, node),
        "array" => {
            let parts = named(node);
            if parts.iter().any(|part| part.kind() == "spread_element") {
                return parts.into_iter().fold(Expr::List(Vec::new()), |whole, part| {
                    let more = if part.kind() == "spread_element" {
                        expression(reader, part)
                    } else {
                        Expr::List(vec![expression(reader, part)])
                    };
                    Expr::Binary('+', Box::new(whole), Box::new(more))
                });
            }
            Expr::List(parts.into_iter().map(|part| expression(reader, part)).collect())
        }
        kind if kind == "statement_block" || kind.ends_with("_statement") => {
            Expr::Block(statement(reader, node))
        }
        "lexical_declaration" | "variable_declaration" => Expr::Block(statement(reader, node)),
        "type_annotation" | "type_arguments" | "comment" | "decorator" => unknown(),
        _ => Expr::Opaque(all(reader, node)),
    }
}

fn object(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let mut pairs = Vec::new();
    let mut spread = Vec::new();
    for part in named(node) {
        match part.kind() {
            "pair" => {
                let key = match part.child_by_field_name("key") {
                    Some(key) if key.kind() == "computed_property_name" => {
                        named(key).first().map_or_else(unknown, |inner| expression(reader, *inner))
                    }
                    Some(key) => text(node_key(reader, key)),
                    None => unknown(),
                };
                pairs.push((key, field(reader, part, "value")));
            }
            "shorthand_property_identifier" => {
                let name = reader.of(part).to_owned();
                pairs.push((text(name.clone()), Expr::Name(name)));
            }
            "method_definition" => {
                let name = reader.field(part, "name").unwrap_or_default().to_owned();
                pairs.push((text(name), Expr::Function(function(reader, part))));
            }
            "spread_element" => spread.push(expression(reader, part)),
            _ => {}
        }
    }
    let own = Expr::Map(pairs);
    spread.into_iter().fold(own, |whole, more| Expr::Binary('|', Box::new(more), Box::new(whole)))
}

fn arguments(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Argument> {
    named(node)
        .into_iter()
        .map(|part| Argument {
            name: None,
            spread: part.kind() == "spread_element",
            value: expression(reader, part),
        })
        .collect()
}

/// A template behind a name: of zx, Bun and execa it is a command.
fn tagged(reader: &mut Reader<'_>, tag: Expr, node: Node<'_>) -> Expr {
    let value = template(reader, node);
    let runs = match &tag {
        Expr::Name(name) => matches!(name.as_str(), "$" | "sh" | "exec" | "command"),
        Expr::Member(_, name) => name == "$",
        // `$({cwd: 'x'})`…``
        Expr::Call(call) => matches!(&call.callee, Expr::Name(name) if name == "$"),
        _ => false,
    };
    if runs {
        return Expr::Command(Box::new(value));
    }
    let is_string = |object: &Expr| matches!(object, Expr::Name(name) if name == "String");
    if matches!(&tag, Expr::Member(object, name) if name == "raw" && is_string(object)) {
        return value;
    }
    call_of(tag, vec![Argument::plain(value)])
}

fn string(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let mut value = String::new();
    for child in named(node) {
        match child.kind() {
            "escape_sequence" => value.push_str(&escape(reader.of(child))),
            _ => value.push_str(reader.of(child)),
        }
    }
    text(value)
}

fn template(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let mut parts = Vec::new();
    let mut value = String::new();
    for child in named(node) {
        match child.kind() {
            "escape_sequence" => value.push_str(&escape(reader.of(child))),
            "template_substitution" => {
                if !value.is_empty() {
                    parts.push(Expr::Text(Value::literal(std::mem::take(&mut value))));
                }
                parts.push(expression(reader, child));
            }
            _ => value.push_str(reader.of(child)),
        }
    }
    if !value.is_empty() {
        parts.push(Expr::Text(Value::literal(value)));
    }
    joined(parts)
}
