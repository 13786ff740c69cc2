//! Reads Lua: the tree of its grammar becomes the tree that is followed.
//!
//! Source: the grammar tree-sitter-lua 0.5, whose names of nodes and fields these are. A table with keys is a map, one
//! without a list; `a:b(c)` is a call of the member `b`, which gets `a` first if the code defined it.

pub(super) mod library;

use std::rc::Rc;

use tree_sitter::Node;

use super::Value;
use super::code::read::{Reader, call_of, escape, fields, joined, named, number, text, unknown};
use super::code::tree::{Argument, Declares, Expr, Function, Parameter, Pattern, Stmt};

/// Reads a chunk.
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
        "variable_declaration" => {
            named(node).into_iter().flat_map(|child| assignment(reader, child, Declares::Here)).collect()
        }
        "assignment_statement" => assignment(reader, node, Declares::There),
        "function_declaration" => {
            let function = function(reader, node);
            let Some(name) = node.child_by_field_name("name") else { return Vec::new() };
            let pattern = pattern(reader, name);
            let declares = match node.child(0).map(|first| first.kind()) {
                Some("local") => Declares::Here,
                _ => Declares::There,
            };
            vec![Stmt::Assign(pattern, Expr::Function(function), declares)]
        }
        "if_statement" => {
            let mut all = vec![Stmt::Do(field(reader, node, "condition"))];
            let mut arms = vec![body(reader, node, "consequence")];
            let mut or_none = true;
            for other in fields(node, "alternative") {
                if other.kind() == "elseif_statement" {
                    let mut arm = vec![Stmt::Do(field(reader, other, "condition"))];
                    arm.extend(body(reader, other, "consequence"));
                    arms.push(arm);
                } else {
                    arms.push(body(reader, other, "body"));
                    or_none = false;
                }
            }
            all.push(Stmt::Branch { arms, or_none });
            all
        }
        "for_statement" => {
            let inside = body(reader, node, "body");
            let Some(clause) = node.child_by_field_name("clause") else { return inside };
            if clause.kind() != "for_generic_clause" {
                let mut all: Vec<Stmt> = named(clause)
                    .into_iter()
                    .skip(1)
                    .map(|part| Stmt::Do(expression(reader, part)))
                    .collect();
                all.push(Stmt::Loop { pattern: None, over: None, body: inside });
                return all;
            }
            let parts = named(clause);
            let names = parts.first().map(|list| named(*list)).unwrap_or_default();
            let names = names.into_iter().map(|name| pattern(reader, name)).collect();
            let over = parts.get(1).and_then(|list| named(*list).first().copied());
            let over = over.map(|over| expression(reader, over));
            vec![Stmt::Loop { pattern: Some(Pattern::Several(names)), over, body: inside }]
        }
        "while_statement" | "repeat_statement" => {
            let mut inside = vec![Stmt::Do(field(reader, node, "condition"))];
            inside.extend(body(reader, node, "body"));
            vec![Stmt::Loop { pattern: None, over: None, body: inside }]
        }
        "do_statement" => body(reader, node, "body"),
        "return_statement" => {
            let values: Vec<Expr> = named(node)
                .into_iter()
                .flat_map(|list| if list.kind() == "expression_list" { named(list) } else { vec![list] })
                .map(|value| expression(reader, value))
                .collect();
            vec![Stmt::Return(Some(one_or_list(values)))]
        }
        "block" | "chunk" => block(reader, node),
        "empty_statement" | "break_statement" | "goto_statement" | "label_statement" | "comment"
        | "hash_bang_line" => Vec::new(),
        _ => vec![Stmt::Do(expression(reader, node))],
    }
}

fn one_or_list(mut values: Vec<Expr>) -> Expr {
    if values.len() == 1 { values.remove(0) } else { Expr::List(values) }
}

fn assignment(reader: &mut Reader<'_>, node: Node<'_>, declares: Declares) -> Vec<Stmt> {
    let parts = named(node);
    let targets = match parts.first() {
        Some(list) if list.kind() == "variable_list" => named(*list),
        Some(_) if node.kind() == "variable_list" => parts.clone(),
        _ => Vec::new(),
    };
    let targets: Vec<Pattern> = targets
        .into_iter()
        .filter(|target| target.kind() != "attribute")
        .map(|target| pattern(reader, target))
        .collect();
    let values = parts
        .get(1)
        .filter(|list| list.kind() == "expression_list")
        .map(|list| named(*list))
        .unwrap_or_default();
    let mut values: Vec<Expr> = values.into_iter().map(|value| expression(reader, value)).collect();
    if targets.len() > 1 && values.len() == 1 {
        return vec![Stmt::Assign(Pattern::Several(targets), values.remove(0), declares)];
    }
    let mut values = values.into_iter();
    targets
        .into_iter()
        .map(|target| Stmt::Assign(target, values.next().unwrap_or_else(unknown), declares))
        .collect()
}

fn pattern(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    match node.kind() {
        "identifier" => Pattern::Name(reader.of(node).to_owned()),
        "dot_index_expression" | "method_index_expression" | "bracket_index_expression" => {
            let object = field(reader, node, "table");
            match (
                node.kind(),
                node.child_by_field_name("field").or_else(|| node.child_by_field_name("method")),
            ) {
                ("bracket_index_expression", Some(key)) => {
                    Pattern::Index(Box::new(object), Box::new(expression(reader, key)))
                }
                (_, Some(key)) => Pattern::Index(Box::new(object), Box::new(text(reader.of(key)))),
                _ => Pattern::Nothing,
            }
        }
        _ => Pattern::Nothing,
    }
}

fn function(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Function> {
    let name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut parameters = Vec::new();
    let method =
        node.child_by_field_name("name").is_some_and(|name| name.kind() == "method_index_expression");
    let plain = |pattern| Parameter { pattern, default: None, rest: false };
    if method {
        parameters.push(plain(Pattern::Name("self".to_owned())));
    }
    for part in node.child_by_field_name("parameters").map(named).unwrap_or_default() {
        if part.kind() == "vararg_expression" {
            parameters.push(Parameter {
                pattern: Pattern::Name("...".to_owned()),
                default: None,
                rest: true,
            });
        } else {
            parameters.push(plain(Pattern::Name(reader.of(part).to_owned())));
        }
    }
    Rc::new(Function { name, parameters, body: body(reader, node, "body") })
}

fn expression(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    reader.deeper(unknown(), |reader| expression_within(reader, node))
}

fn field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Expr {
    node.child_by_field_name(name).map_or_else(unknown, |node| expression(reader, node))
}

fn expression_within(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "identifier" => Expr::Name(reader.of(node).to_owned()),
        "vararg_expression" => Expr::Name("...".to_owned()),
        "true" => Expr::Number(1),
        "false" => Expr::Number(0),
        "nil" => unknown(),
        "number" => number(reader.of(node)),
        "string" => string(reader, node),
        "dot_index_expression" => {
            let object = field(reader, node, "table");
            Expr::Member(Box::new(object), reader.field(node, "field").unwrap_or_default().to_owned())
        }
        "bracket_index_expression" => {
            let (object, key) = (field(reader, node, "table"), field(reader, node, "field"));
            Expr::Index(Box::new(object), Box::new(key))
        }
        "function_call" => call(reader, node),
        "function_definition" => Expr::Function(function(reader, node)),
        "parenthesized_expression" => {
            named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
        }
        "binary_expression" => {
            let operator = node.child(1).map(|operator| reader.of(operator)).unwrap_or_default().to_owned();
            let (left, right) = (field(reader, node, "left"), field(reader, node, "right"));
            match operator.as_str() {
                "or" => Expr::Either(vec![left, right]),
                "and" => Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)]),
                ".." => Expr::Joined(vec![left, right]),
                "~" => Expr::Binary('^', Box::new(left), Box::new(right)),
                "==" | "~=" | "<=" | ">=" | "<" | ">" => Expr::Opaque(vec![left, right]),
                other => Expr::Binary(other.chars().next().unwrap_or('?'), Box::new(left), Box::new(right)),
            }
        }
        "table_constructor" => {
            let parts = named(node);
            let keyed = parts.iter().any(|part| part.child_by_field_name("name").is_some());
            if !keyed {
                // `{...}` holds all that it is given.
                let all: Vec<Expr> = parts.iter().map(|part| field(reader, *part, "value")).collect();
                return match all.as_slice() {
                    [only @ Expr::Name(name)] if name == "..." => only.clone(),
                    _ => Expr::List(all),
                };
            }
            let mut place = 0;
            let pairs = parts
                .into_iter()
                .map(|part| {
                    let key = match part.child_by_field_name("name") {
                        Some(key) if key.kind() == "identifier" => text(reader.of(key)),
                        Some(key) => expression(reader, key),
                        None => {
                            place += 1;
                            Expr::Number(place)
                        }
                    };
                    (key, field(reader, part, "value"))
                })
                .collect();
            Expr::Map(pairs)
        }
        "function_declaration" | "variable_declaration" | "assignment_statement" => {
            Expr::Block(statement(reader, node))
        }
        "comment" => unknown(),
        _ => Expr::Opaque(named(node).into_iter().map(|part| expression(reader, part)).collect()),
    }
}

fn call(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let Some(name) = node.child_by_field_name("name") else { return unknown() };
    let callee = match name.kind() {
        "method_index_expression" => {
            let object = field(reader, name, "table");
            Expr::Member(Box::new(object), reader.field(name, "method").unwrap_or_default().to_owned())
        }
        _ => expression(reader, name),
    };
    let arguments = node.child_by_field_name("arguments").map(named).unwrap_or_default();
    let arguments = arguments
        .into_iter()
        .map(|part| Argument {
            name: None,
            spread: part.kind() == "vararg_expression",
            value: expression(reader, part),
        })
        .collect();
    call_of(callee, arguments)
}

fn string(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let written = reader.of(node);
    // `[[long]]`, `[==[long]==]`
    if written.starts_with('[') {
        let inner = written.trim_start_matches('[').trim_start_matches('=').trim_start_matches('[');
        let inner = inner.trim_end_matches(']').trim_end_matches('=').trim_end_matches(']');
        return text(inner.strip_prefix('\n').unwrap_or(inner));
    }
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let mut value = String::new();
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        value.push_str(rest.get(..at).unwrap_or_default());
        let body = rest.get(at + 1..).unwrap_or_default();
        let digits = body.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let width = match body.chars().next() {
            Some('x') => 3,
            Some('u') => body.find('}').map_or(1, |end| end + 1),
            // Lua counts these in tens.
            Some('0'..='9') => {
                let code =
                    body.get(..digits).and_then(|digits| digits.parse::<u32>().ok()).and_then(char::from_u32);
                value.extend(code);
                rest = body.get(digits..).unwrap_or_default();
                continue;
            }
            Some(letter) => letter.len_utf8(),
            None => 0,
        };
        value.push_str(&escape(rest.get(at..at + 1 + width).unwrap_or_default()));
        rest = body.get(width..).unwrap_or_default();
    }
    value.push_str(rest);
    joined(vec![Expr::Text(Value::literal(value))])
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn values_are_followed_to_what_runs() {
        check(
            "lua",
            &[
                ("local c = 'rm'; os.execute(c .. ' -rf x')", "sh rm -rf x"),
                (
                    "local function run(c, ...) os.execute(c .. ' ' .. table.concat({...}, ' ')) end\n\
                     run('rm', 'a', 'b')",
                    "sh rm a b",
                ),
                ("for _, f in ipairs({'a', 'b'}) do os.remove(f) end", "delete-f a; delete-f b"),
                ("local t = {gone = os.remove}; t.gone('a')", "delete-f a"),
                ("os['exe' .. 'cute']('rm x')", "obfuscated; sh rm x"),
                ("local f = io.open('a', 'w'); f:write('x'); f:close()", "create a"),
                ("os.execute(string.char(114, 109) .. ' x')", "obfuscated; sh rm x"),
                ("pcall(os.execute, 'rm x')", "sh rm x"),
                ("-- os.execute('rm x')\nprint('os.execute')", "code.snippet"),
            ],
        );
    }
}
