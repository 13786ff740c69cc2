//! Reads Python: the tree of its grammar becomes the tree that is followed.
//!
//! Source: the grammar tree-sitter-python 0.25, whose names of nodes and fields these are.

mod expressions;
pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use expressions::*;

use super::Value;
use super::code::read::{
    Reader, call_named, call_of, each, escape, fields, joined, named, number, text, unknown,
};
use super::code::tree::{Argument, Class, Declares, Each, Expr, Function, Parameter, Pattern, Stmt};

/// Reads a module.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    block(reader, root)
}

fn block(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    named(node).into_iter().flat_map(|child| statement(reader, child)).collect()
}

fn body(reader: &mut Reader<'_>, node: Node<'_>, field: &str) -> Vec<Stmt> {
    node.child_by_field_name(field).map(|body| block(reader, body)).unwrap_or_default()
}

fn statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    reader.deeper(Vec::new(), |reader| statement_within(reader, node))
}

fn statement_within(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "expression_statement" => named(node)
            .into_iter()
            .flat_map(|child| match child.kind() {
                "assignment" | "augmented_assignment" => assignment(reader, child),
                _ => vec![Stmt::Do(expression(reader, child))],
            })
            .collect(),
        "import_statement" => imports(reader, node, None),
        "import_from_statement" => {
            let module = reader.field(node, "module_name").unwrap_or_default().to_owned();
            imports(reader, node, Some(&module))
        }
        "future_import_statement"
        | "pass_statement"
        | "break_statement"
        | "continue_statement"
        | "comment" => Vec::new(),
        "function_definition" => vec![Stmt::Function(function(reader, node, false))],
        "class_definition" => vec![Stmt::Class(class(reader, node))],
        "decorated_definition" => decorated(reader, node),
        "if_statement" => {
            let mut before = Vec::new();
            let condition = node.child_by_field_name("condition");
            before.extend(condition.map(|condition| Stmt::Do(expression(reader, condition))));
            let mut arms = vec![body(reader, node, "consequence")];
            let mut or_none = true;
            for other in fields(node, "alternative") {
                let mut arm = Vec::new();
                if let Some(condition) = other.child_by_field_name("condition") {
                    arm.push(Stmt::Do(expression(reader, condition)));
                    arm.extend(body(reader, other, "consequence"));
                } else {
                    arm.extend(body(reader, other, "body"));
                    or_none = false;
                }
                arms.push(arm);
            }
            before.push(Stmt::Branch { arms, or_none });
            before
        }
        "for_statement" => {
            let pattern = node.child_by_field_name("left").map(|left| pattern(reader, left));
            let over = node.child_by_field_name("right").map(|right| expression(reader, right));
            let body_of = body(reader, node, "body");
            let mut all = vec![Stmt::Loop { pattern, over, body: body_of }];
            all.extend(fields(node, "alternative").into_iter().flat_map(|other| body(reader, other, "body")));
            all
        }
        "while_statement" => {
            let mut inside: Vec<Stmt> = Vec::new();
            let condition = node.child_by_field_name("condition");
            inside.extend(condition.map(|condition| Stmt::Do(expression(reader, condition))));
            inside.extend(body(reader, node, "body"));
            let mut all = vec![Stmt::Loop { pattern: None, over: None, body: inside }];
            all.extend(fields(node, "alternative").into_iter().flat_map(|other| body(reader, other, "body")));
            all
        }
        _ => other_statement(reader, node),
    }
}

/// A statement with blocks of several kinds, or without one.
fn other_statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "try_statement" => {
            let mut all = body(reader, node, "body");
            let mut arms = Vec::new();
            let mut last = Vec::new();
            for child in named(node) {
                match child.kind() {
                    "except_clause" | "except_group_clause" => {
                        arms.push(named(child).into_iter().flat_map(|part| part_of(reader, part)).collect());
                    }
                    "else_clause" => all.extend(body(reader, child, "body")),
                    "finally_clause" => {
                        last.extend(named(child).into_iter().flat_map(|part| part_of(reader, part)));
                    }
                    _ => {}
                }
            }
            if !arms.is_empty() {
                all.push(Stmt::Branch { arms, or_none: true });
            }
            all.extend(last);
            all
        }
        "with_statement" => {
            let mut all = Vec::new();
            for clause in named(node) {
                if clause.kind() == "with_clause" {
                    for item in named(clause) {
                        all.extend(with_item(reader, item));
                    }
                }
            }
            all.extend(body(reader, node, "body"));
            all
        }
        "match_statement" => {
            let mut all: Vec<Stmt> = fields(node, "subject")
                .into_iter()
                .map(|subject| Stmt::Do(expression(reader, subject)))
                .collect();
            let mut arms = Vec::new();
            if let Some(block_of) = node.child_by_field_name("body") {
                for case in named(block_of) {
                    let mut arm: Vec<Stmt> = Vec::new();
                    if let Some(guard) = case.child_by_field_name("guard") {
                        arm.extend(each(
                            named(guard).into_iter().map(|part| expression(reader, part)).collect(),
                        ));
                    }
                    arm.extend(body(reader, case, "consequence"));
                    arms.push(arm);
                }
            }
            all.push(Stmt::Branch { arms, or_none: true });
            all
        }
        "return_statement" => {
            let value = named(node).first().map(|value| expression(reader, *value));
            vec![Stmt::Return(value)]
        }
        "global_statement" | "nonlocal_statement" => {
            vec![Stmt::Outer(named(node).iter().map(|name| reader.of(*name).to_owned()).collect())]
        }
        "exec_statement" => {
            let code = node.child_by_field_name("code").map_or_else(unknown, |code| expression(reader, code));
            vec![Stmt::Do(call_named("exec", vec![code]))]
        }
        "print_statement" => {
            let arguments = named(node).into_iter().map(|part| expression(reader, part)).collect();
            vec![Stmt::Do(call_named("print", arguments))]
        }
        "block" | "module" => block(reader, node),
        "ERROR" => named(node).into_iter().flat_map(|child| part_of(reader, child)).collect(),
        // `raise`, `assert`, `del`, and what a later grammar may bring.
        _ => each(named(node).into_iter().map(|part| expression(reader, part)).collect()),
    }
}

/// A statement or an expression, whichever stands there.
fn part_of(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let kind = node.kind();
    if kind == "as_pattern" {
        return with_item(reader, node);
    }
    if kind == "block" || kind.ends_with("_statement") || kind.ends_with("_definition") {
        return statement(reader, node);
    }
    vec![Stmt::Do(expression(reader, node))]
}

/// `with open(x) as f`, `except E as e`: a value and its name.
fn with_item(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let value = node.child_by_field_name("value").unwrap_or(node);
    if value.kind() != "as_pattern" {
        return vec![Stmt::Do(expression(reader, value))];
    }
    let parts = named(value);
    let Some((first, rest)) = parts.split_first() else { return Vec::new() };
    let item = expression(reader, *first);
    match rest.first().and_then(|target| named(*target).first().copied().or(Some(*target))) {
        Some(target) => vec![Stmt::Assign(pattern(reader, target), item, Declares::Here)],
        None => vec![Stmt::Do(item)],
    }
}

fn assignment(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let Some(left) = node.child_by_field_name("left") else { return Vec::new() };
    let Some(right) = node.child_by_field_name("right") else { return Vec::new() };
    if node.kind() == "augmented_assignment" {
        let operator = reader.field(node, "operator").unwrap_or_default().chars().next().unwrap_or('?');
        let value = expression(reader, right);
        let own = expression(reader, left);
        let target = pattern(reader, left);
        return vec![Stmt::Assign(
            target,
            Expr::Binary(operator, Box::new(own), Box::new(value)),
            Declares::Here,
        )];
    }
    // `a = b = value`: the innermost first.
    if right.kind() == "assignment" {
        let mut all = assignment(reader, right);
        let inner = right.child_by_field_name("left").map_or_else(unknown, |inner| expression(reader, inner));
        all.push(Stmt::Assign(pattern(reader, left), inner, Declares::Here));
        return all;
    }
    let value = expression(reader, right);
    vec![Stmt::Assign(pattern(reader, left), value, Declares::Here)]
}

fn pattern(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    reader.deeper(Pattern::Nothing, |reader| match node.kind() {
        "identifier" => Pattern::Name(reader.of(node).to_owned()),
        "attribute" => {
            let object =
                node.child_by_field_name("object").map_or_else(unknown, |node| expression(reader, node));
            Pattern::Member(Box::new(object), reader.field(node, "attribute").unwrap_or_default().to_owned())
        }
        "subscript" => {
            let object =
                node.child_by_field_name("value").map_or_else(unknown, |node| expression(reader, node));
            let key = fields(node, "subscript").first().map_or_else(unknown, |key| expression(reader, *key));
            Pattern::Index(Box::new(object), Box::new(key))
        }
        "pattern_list"
        | "tuple_pattern"
        | "list_pattern"
        | "tuple"
        | "list"
        | "expression_list"
        | "parenthesized_expression" => {
            Pattern::Several(named(node).into_iter().map(|part| pattern(reader, part)).collect())
        }
        "list_splat_pattern" => {
            let name = named(node).first().map_or(Pattern::Nothing, |name| pattern(reader, *name));
            Pattern::Rest(Box::new(name))
        }
        "as_pattern_target" => {
            named(node).first().map_or(Pattern::Nothing, |target| pattern(reader, *target))
        }
        _ => Pattern::Nothing,
    })
}

fn imports(reader: &mut Reader<'_>, node: Node<'_>, module: Option<&str>) -> Vec<Stmt> {
    let mut all: Vec<Stmt> = module.map(|module| Stmt::Load(module.to_owned())).into_iter().collect();
    let mut cursor = node.walk();
    let star = node.children(&mut cursor).any(|child| child.kind() == "wildcard_import");
    if let (Some(module), true) = (module, star) {
        all.push(Stmt::ImportAll(module.to_owned()));
    }
    for name in fields(node, "name") {
        let (full, alias) = match name.kind() {
            "aliased_import" => (reader.field(name, "name").unwrap_or_default(), reader.field(name, "alias")),
            _ => (reader.of(name), None),
        };
        let full: String = full.split_whitespace().collect();
        all.push(Stmt::Load(module.map_or_else(|| full.clone(), |module| format!("{module}.{full}"))));
        all.push(match (module, alias) {
            (Some(module), alias) => {
                Stmt::Import(alias.unwrap_or(&full).to_owned(), format!("{module}.{full}"))
            }
            (None, Some(alias)) => Stmt::Import(alias.to_owned(), full.clone()),
            (None, None) => {
                let first = full.split('.').next().unwrap_or_default().to_owned();
                Stmt::Import(first.clone(), first)
            }
        });
    }
    all
}

fn function(reader: &mut Reader<'_>, node: Node<'_>, is_static: bool) -> Rc<Function> {
    let name = reader.field(node, "name").unwrap_or("lambda").to_owned();
    let mut all: Vec<Parameter> = Vec::new();
    if is_static {
        all.push(Parameter { pattern: Pattern::Nothing, default: None, rest: false });
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        all.extend(named(list).into_iter().filter_map(|part| parameter(reader, part)));
    }
    let body = match node.child_by_field_name("body") {
        Some(body) if node.kind() == "lambda" => vec![Stmt::Return(Some(expression(reader, body)))],
        Some(body) => block(reader, body),
        None => Vec::new(),
    };
    Rc::new(Function { name, parameters: all, body })
}

fn parameter(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Parameter> {
    let plain = |pattern| Parameter { pattern, default: None, rest: false };
    Some(match node.kind() {
        "identifier" | "tuple_pattern" => plain(pattern(reader, node)),
        "typed_parameter" => {
            let first = named(node).first().copied()?;
            return parameter(reader, first);
        }
        "default_parameter" | "typed_default_parameter" => {
            let name = node.child_by_field_name("name")?;
            let default = node.child_by_field_name("value").map(|value| expression(reader, value));
            Parameter { pattern: pattern(reader, name), default, rest: false }
        }
        "list_splat_pattern" => {
            let name = named(node).first().map_or(Pattern::Nothing, |name| pattern(reader, *name));
            Parameter { pattern: name, default: None, rest: true }
        }
        "dictionary_splat_pattern" => return None,
        _ => return None,
    })
}

fn class(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Class> {
    let name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut bases = Vec::new();
    if let Some(list) = node.child_by_field_name("superclasses") {
        bases.extend(
            named(list)
                .into_iter()
                .filter(|part| part.kind() != "keyword_argument")
                .map(|part| expression(reader, part)),
        );
    }
    Rc::new(Class { name, bases, body: body(reader, node, "body") })
}

/// A definition with decorators, each of which is called with what stands below it.
fn decorated(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let Some(definition) = node.child_by_field_name("definition") else { return Vec::new() };
    let decorators: Vec<Node<'_>> =
        named(node).into_iter().filter(|child| child.kind() == "decorator").collect();
    let is_static = decorators.iter().any(|decorator| reader.of(*decorator).trim() == "@staticmethod");
    let mut all = match definition.kind() {
        "class_definition" => vec![Stmt::Class(class(reader, definition))],
        _ => vec![Stmt::Function(function(reader, definition, is_static))],
    };
    let name = reader.field(definition, "name").unwrap_or_default().to_owned();
    for decorator in decorators.into_iter().rev() {
        let Some(by) = named(decorator).first().copied() else { continue };
        let plain = reader.of(by);
        // These leave the function what it is.
        if matches!(plain, "staticmethod" | "classmethod" | "property" | "abstractmethod")
            || plain.ends_with(".setter")
        {
            continue;
        }
        let callee = expression(reader, by);
        let below = Argument {
            name: Some(library::DECORATED.to_owned()),
            ..Argument::plain(Expr::Name(name.clone()))
        };
        let call = call_of(callee, vec![below]);
        all.push(Stmt::Assign(
            Pattern::Name(name.clone()),
            call_named(library::DECORATED, vec![Expr::Name(name.clone()), call]),
            Declares::Here,
        ));
    }
    all
}
