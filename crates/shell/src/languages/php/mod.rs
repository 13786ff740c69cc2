//! Reads PHP: the tree of its grammar becomes the tree that is followed.
//!
//! Variables and properties keep their `$`, so that they are never taken for functions, methods or constants.
//!
//! Source: the grammar tree-sitter-php 0.25, whose names of nodes and fields these are.

mod expressions;
pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use expressions::*;

use super::Value;
use super::code::read::{
    Reader, call_named, call_of, each, escape, fields, joined, named, number, text, unknown,
};
use super::code::tree::{Argument, Class, Declares, Expr, Function, Parameter, Pattern, Stmt};

/// A method whose name is computed: the object, the name, and what it is given.
pub(super) const BY_NAME: &str = "@method";
/// A variable whose name is computed.
pub(super) const VARIABLE: &str = "@variable";
/// Gives a value to a variable whose name is computed.
pub(super) const SET_VARIABLE: &str = "@set_variable";
/// What a loop over an array goes through.
pub(super) const VALUES: &str = "@values";
/// The keys and values of an array.
pub(super) const PAIRS: &str = "@pairs";
/// The class that a method belongs to.
pub(super) const SELF: &str = "@self";
/// A method of the class above.
pub(super) const PARENT: &str = "@parent";

/// Reads a file, or what `php -r` is given.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    block(reader, root)
}

fn block(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    // Functions and classes are there before the first statement runs.
    let (early, late): (Vec<Node<'_>>, Vec<Node<'_>>) = named(node).into_iter().partition(|child| {
        matches!(child.kind(), "function_definition" | "trait_declaration" | "enum_declaration")
            || child.kind() == "class_declaration"
                && named(*child).iter().all(|part| part.kind() != "base_clause")
    });
    early.into_iter().chain(late).flat_map(|child| statement(reader, child)).collect()
}

fn statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    reader.deeper(Vec::new(), |reader| statement_within(reader, node))
}

fn of_field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Vec<Stmt> {
    node.child_by_field_name(name).map(|child| part_of(reader, child)).unwrap_or_default()
}

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

/// The last part of a name with its namespace: what the code itself defines is known by that.
fn short(full: &str) -> &str {
    full.rsplit('\\').next().unwrap_or(full)
}

fn statement_within(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "expression_statement" => match named(node).as_slice() {
            [one] if one.kind() == "assignment_expression" => assignment(reader, *one),
            parts => each(parts.iter().map(|part| expression(reader, *part)).collect()),
        },
        "echo_statement" => {
            let parts = named(node).into_iter().flat_map(|part| sequence(reader, part)).collect();
            vec![Stmt::Do(call_named("echo", parts))]
        }
        "function_definition" => vec![Stmt::Function(function(reader, node))],
        "class_declaration" | "trait_declaration" | "enum_declaration" => {
            vec![Stmt::Class(class(reader, node))]
        }
        "interface_declaration"
        | "php_tag"
        | "php_end_tag"
        | "text"
        | "comment"
        | "goto_statement"
        | "named_label_statement"
        | "empty_statement"
        | "break_statement"
        | "continue_statement"
        | "text_interpolation"
        | "unset_statement" => Vec::new(),
        "if_statement" => {
            let mut all = vec![Stmt::Do(field(reader, node, "condition"))];
            let mut arms = vec![of_field(reader, node, "body")];
            let mut or_none = true;
            for other in fields(node, "alternative") {
                let mut arm = Vec::new();
                match other.child_by_field_name("condition") {
                    Some(condition) => arm.push(Stmt::Do(expression(reader, condition))),
                    None => or_none = false,
                }
                arm.extend(of_field(reader, other, "body"));
                arms.push(arm);
            }
            all.push(Stmt::Branch { arms, or_none });
            all
        }
        "foreach_statement" => foreach(reader, node),
        "for_statement" => {
            let mut all: Vec<Stmt> = fields(node, "initialize")
                .into_iter()
                .map(|part| Stmt::Do(expression(reader, part)))
                .collect();
            let mut body: Vec<Stmt> = Vec::new();
            body.extend(fields(node, "condition").into_iter().map(|part| Stmt::Do(expression(reader, part))));
            for part in fields(node, "body") {
                body.extend(part_of(reader, part));
            }
            body.extend(fields(node, "update").into_iter().map(|part| Stmt::Do(expression(reader, part))));
            all.push(Stmt::Loop { pattern: None, over: None, body });
            all
        }
        "while_statement" | "do_statement" => {
            let mut body = vec![Stmt::Do(field(reader, node, "condition"))];
            body.extend(of_field(reader, node, "body"));
            vec![Stmt::Loop { pattern: None, over: None, body }]
        }
        _ => other_statement(reader, node),
    }
}

/// A statement that neither branches nor repeats.
fn other_statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "try_statement" => {
            let mut all = of_field(reader, node, "body");
            let (mut arms, mut last) = (Vec::new(), Vec::new());
            for child in named(node) {
                match child.kind() {
                    "catch_clause" => {
                        let mut arm = Vec::new();
                        if let Some(variable) = reader.field(child, "name") {
                            let target = Pattern::Name(variable.to_owned());
                            arm.push(Stmt::Assign(target, unknown(), Declares::Here));
                        }
                        arm.extend(of_field(reader, child, "body"));
                        arms.push(arm);
                    }
                    "finally_clause" => last.extend(of_field(reader, child, "body")),
                    _ => {}
                }
            }
            if !arms.is_empty() {
                all.push(Stmt::Branch { arms, or_none: true });
            }
            all.extend(last);
            all
        }
        "switch_statement" => {
            let mut all = vec![Stmt::Do(field(reader, node, "condition"))];
            let mut arms = Vec::new();
            for case in node.child_by_field_name("body").map(named).unwrap_or_default() {
                arms.push(named(case).into_iter().flat_map(|part| part_of(reader, part)).collect());
            }
            all.push(Stmt::Branch { arms, or_none: true });
            all
        }
        "return_statement" => {
            let value = named(node).first().map(|value| expression(reader, *value));
            vec![Stmt::Return(value)]
        }
        "global_declaration" => {
            vec![Stmt::Outer(named(node).iter().map(|name| reader.of(*name).to_owned()).collect())]
        }
        "function_static_declaration" => named(node)
            .into_iter()
            .filter_map(|part| {
                let name = reader.field(part, "name")?.to_owned();
                let value = field(reader, part, "value");
                Some(Stmt::Assign(Pattern::Name(name), value, Declares::Here))
            })
            .collect(),
        "const_declaration" => constants(reader, node),
        "namespace_use_declaration" => imports(reader, node),
        "namespace_definition" => of_field(reader, node, "body"),
        "compound_statement" | "colon_block" | "program" => block(reader, node),
        _ => named(node).into_iter().flat_map(|child| part_of(reader, child)).collect(),
    }
}

/// A statement or an expression, whichever stands there.
fn part_of(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let kind = node.kind();
    let is_statement = kind.ends_with("_statement")
        || kind.ends_with("_declaration")
        || matches!(kind, "colon_block" | "function_definition" | "namespace_definition" | "ERROR" | "text");
    if is_statement {
        return statement(reader, node);
    }
    vec![Stmt::Do(expression(reader, node))]
}

fn constants(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let mut all = Vec::new();
    for element in named(node).into_iter().filter(|part| part.kind() == "const_element") {
        if let [own, value] = named(element).as_slice() {
            let target = Pattern::Name(reader.of(*own).to_owned());
            let value = expression(reader, *value);
            all.push(Stmt::Assign(target, value, Declares::Here));
        }
    }
    all
}

fn imports(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let mut all = Vec::new();
    let mut prefix = String::new();
    let mut clauses: Vec<Node<'_>> = Vec::new();
    for part in named(node) {
        match part.kind() {
            "namespace_name" => prefix = format!("{}\\", reader.of(part)),
            "namespace_use_clause" => clauses.push(part),
            _ => {}
        }
    }
    clauses.extend(node.child_by_field_name("body").map(named).unwrap_or_default());
    for clause in clauses {
        let alias = reader.field(clause, "alias");
        let full = named(clause).first().map(|full| reader.of(*full)).unwrap_or_default();
        let full = format!("{prefix}{}", full.trim_start_matches('\\'));
        let own = alias.unwrap_or(short(&full)).to_owned();
        // Of what the code itself defines, nothing is known by its full name.
        all.push(Stmt::Import(own, full.replace('\\', ".")));
    }
    all
}

fn foreach(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let body_node = node.child_by_field_name("body");
    let parts: Vec<Node<'_>> = named(node).into_iter().filter(|part| Some(*part) != body_node).collect();
    let [over, target, ..] = parts.as_slice() else { return Vec::new() };
    let over = expression(reader, *over);
    let (pattern, over) = match target.kind() {
        "pair" => {
            let both = named(*target).into_iter().map(|part| pattern(reader, part)).collect();
            (Pattern::Several(both), call_named(PAIRS, vec![over]))
        }
        _ => (pattern(reader, *target), call_named(VALUES, vec![over])),
    };
    let body = of_field(reader, node, "body");
    vec![Stmt::Loop { pattern: Some(pattern), over: Some(over), body }]
}

fn function(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Function> {
    let name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut parameters = Vec::new();
    let mut body = Vec::new();
    for part in node.child_by_field_name("parameters").map(named).unwrap_or_default() {
        let own = reader.field(part, "name").unwrap_or_default().trim_start_matches('&').to_owned();
        let default = part.child_by_field_name("default_value").map(|value| expression(reader, value));
        // `private string $dir`: a property of the same name.
        if part.kind() == "property_promotion_parameter" {
            let target = Pattern::Member(Box::new(self::name("$this")), own.clone());
            body.push(Stmt::Assign(target, Expr::Name(own.clone()), Declares::Here));
        }
        let rest = part.kind() == "variadic_parameter";
        parameters.push(Parameter { pattern: Pattern::Name(own), default, rest });
    }
    for clause in named(node).into_iter().filter(|part| part.kind() == "anonymous_function_use_clause") {
        let shared = named(clause)
            .into_iter()
            .filter(|part| part.kind() == "by_ref")
            .map(|part| reader.of(part).trim_start_matches(['&', ' ']).to_owned())
            .collect();
        body.push(Stmt::Outer(shared));
    }
    match node.child_by_field_name("body") {
        Some(inner) if inner.kind() == "compound_statement" => body.extend(block(reader, inner)),
        Some(inner) => {
            let value = expression(reader, inner);
            body.push(Stmt::Return(Some(value)));
        }
        None => {}
    }
    Rc::new(Function { name, parameters, body })
}

fn class(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Class> {
    let own = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut bases = Vec::new();
    let mut body = Vec::new();
    for clause in named(node).into_iter().filter(|part| part.kind() == "base_clause") {
        bases.extend(named(clause).into_iter().map(|base| name(short(reader.of(base)))));
    }
    for part in node.child_by_field_name("body").map(named).unwrap_or_default() {
        match part.kind() {
            "method_declaration" => body.push(Stmt::Function(function(reader, part))),
            "property_declaration" => {
                for element in named(part).into_iter().filter(|part| part.kind() == "property_element") {
                    let Some(own) = reader.field(element, "name").map(str::to_owned) else { continue };
                    if let Some(value) = element.child_by_field_name("default_value") {
                        let value = expression(reader, value);
                        body.push(Stmt::Assign(Pattern::Name(own), value, Declares::Here));
                    }
                }
            }
            "const_declaration" => body.extend(constants(reader, part)),
            "enum_case" => {
                let Some(own) = reader.field(part, "name").map(str::to_owned) else { continue };
                let value = match part.child_by_field_name("value") {
                    Some(value) => expression(reader, value),
                    None => text(own.clone()),
                };
                // A case of an enumeration holds its value.
                let value = Expr::Map(vec![(text("value"), value), (text("name"), text(own.clone()))]);
                body.push(Stmt::Assign(Pattern::Name(own), value, Declares::Here));
            }
            "use_declaration" => {
                for used in named(part) {
                    if matches!(used.kind(), "name" | "qualified_name") {
                        bases.push(name(short(reader.of(used))));
                    }
                }
            }
            _ => {}
        }
    }
    Rc::new(Class { name: own, bases, body })
}

fn assignment(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    else {
        return Vec::new();
    };
    let value = expression(reader, right);
    assigned(reader, left, value)
}

fn assigned(reader: &mut Reader<'_>, left: Node<'_>, value: Expr) -> Vec<Stmt> {
    match left.kind() {
        // `$list[] = …`
        "subscript_expression" if named(left).len() == 1 => {
            let object = named(left).first().map_or_else(unknown, |object| expression(reader, *object));
            let callee = Expr::Member(Box::new(object), "push".to_owned());
            vec![Stmt::Do(call_of(callee, vec![Argument::plain(value)]))]
        }
        "dynamic_variable_name" => {
            let named = named(left).first().map_or_else(unknown, |inner| dynamic(reader, *inner));
            vec![Stmt::Do(call_named(SET_VARIABLE, vec![named, value]))]
        }
        _ => vec![Stmt::Assign(pattern(reader, left), value, Declares::Here)],
    }
}

/// The name of a variable that is computed.
fn dynamic(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    if node.kind() == "name" { text(reader.of(node)) } else { expression(reader, node) }
}

fn pattern(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    reader.deeper(Pattern::Nothing, |reader| match node.kind() {
        "variable_name" => Pattern::Name(reader.of(node).to_owned()),
        "by_ref" => named(node).first().map_or(Pattern::Nothing, |inner| pattern(reader, *inner)),
        "member_access_expression" | "nullsafe_member_access_expression" => {
            let object = field(reader, node, "object");
            match property(reader, node) {
                Ok(name) => Pattern::Member(Box::new(object), name),
                Err(key) => Pattern::Index(Box::new(object), Box::new(key)),
            }
        }
        "scoped_property_access_expression" => {
            let object = field(reader, node, "scope");
            Pattern::Member(Box::new(object), reader.field(node, "name").unwrap_or_default().to_owned())
        }
        "subscript_expression" => match named(node).as_slice() {
            [object, key] => {
                let (object, key) = (expression(reader, *object), expression(reader, *key));
                Pattern::Index(Box::new(object), Box::new(key))
            }
            _ => Pattern::Nothing,
        },
        "list_literal" | "array_creation_expression" => several(reader, node),
        _ => Pattern::Nothing,
    })
}

/// `[$a, $b]`, `['key' => $a]`
fn several(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    if children.iter().any(|child| child.kind() == "=>") {
        let mut keys = Vec::new();
        let mut key = None;
        for child in children.iter().filter(|child| child.is_named() && !child.is_extra()) {
            match key.take() {
                None => key = Some(reader.of(*child).trim_matches(['"', '\'']).to_owned()),
                Some(own) => keys.push((own, pattern(reader, *child))),
            }
        }
        return Pattern::Keys(keys);
    }
    let mut all = Vec::new();
    let mut is_open = false;
    for child in children {
        match child.kind() {
            "," => {
                // `[, $b]`
                if is_open {
                    all.push(Pattern::Nothing);
                }
                is_open = true;
            }
            "[" | "(" => is_open = true,
            _ if child.is_named() && !child.is_extra() => {
                all.push(pattern(reader, child));
                is_open = false;
            }
            _ => {}
        }
    }
    Pattern::Several(all)
}

#[cfg(test)]
mod tests;
