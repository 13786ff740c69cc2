//! Reads Go: the tree of its grammar becomes the tree that is followed.
//!
//! Source: the grammar tree-sitter-go 0.25, whose names of nodes and fields these are. A structure is a map of its
//! fields; a method is a function with a dot in front of its name, which gets the receiver first. `main` is called at
//! the end.

use std::rc::Rc;

use tree_sitter::Node;

use super::code::read::{Reader, call_of, escape, fields, joined, named, number, text, unknown};
use super::code::tree::{Argument, Declares, Expr, Function, Parameter, Pattern, Stmt};
use super::{LISTED, Value};

/// Reads a file.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    let (functions, others): (Vec<Node<'_>>, Vec<Node<'_>>) = named(root)
        .into_iter()
        .partition(|child| matches!(child.kind(), "function_declaration" | "method_declaration"));
    let starts: Vec<Stmt> = functions
        .iter()
        .filter_map(|function| reader.field(*function, "name"))
        .filter(|name| matches!(*name, "init" | "main"))
        .map(|name| Stmt::Do(call_of(Expr::Name(name.to_owned()), Vec::new())))
        .collect();
    let mut all: Vec<Stmt> = functions.into_iter().flat_map(|child| statement(reader, child)).collect();
    all.extend(others.into_iter().flat_map(|child| statement(reader, child)));
    all.extend(starts);
    all
}

fn block(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    named(node).into_iter().flat_map(|child| statement(reader, child)).collect()
}

fn of_field(reader: &mut Reader<'_>, node: Node<'_>, name: &str) -> Vec<Stmt> {
    node.child_by_field_name(name).map(|child| part_of(reader, child)).unwrap_or_default()
}

fn is_statement(kind: &str) -> bool {
    matches!(kind, "block" | "statement_list" | "short_var_declaration")
        || kind.ends_with("_statement")
        || kind.ends_with("_declaration")
}

fn part_of(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    if is_statement(node.kind()) { statement(reader, node) } else { vec![Stmt::Do(expression(reader, node))] }
}

fn statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    reader.deeper(Vec::new(), |reader| statement_within(reader, node))
}

fn statement_within(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "import_declaration" => imports(reader, node),
        "function_declaration" | "method_declaration" => vec![Stmt::Function(function(reader, node))],
        "const_declaration" | "var_declaration" => {
            let specs = named(node)
                .into_iter()
                .flat_map(|spec| if spec.kind() == "var_spec_list" { named(spec) } else { vec![spec] });
            let specs: Vec<Node<'_>> = specs.collect();
            specs.into_iter().flat_map(|spec| variables(reader, spec)).collect()
        }
        "short_var_declaration" => assignment(reader, node, Declares::Here),
        "assignment_statement" => assignment(reader, node, Declares::There),
        "if_statement" => {
            let mut all = of_field(reader, node, "initializer");
            all.extend(of_field(reader, node, "condition"));
            let mut arms = vec![of_field(reader, node, "consequence")];
            let other = node.child_by_field_name("alternative");
            if let Some(other) = other {
                arms.push(statement(reader, other));
            }
            all.push(Stmt::Branch { arms, or_none: other.is_none() });
            all
        }
        "for_statement" => {
            let inside = of_field(reader, node, "body");
            let clause = named(node).into_iter().find(|child| child.kind() != "block");
            match clause {
                Some(clause) if clause.kind() == "range_clause" => {
                    let names = clause.child_by_field_name("left").map(named).unwrap_or_default();
                    let names: Vec<Pattern> = names.into_iter().map(|name| pattern(reader, name)).collect();
                    let over = field(reader, clause, "right");
                    // The place or key comes first.
                    let over = call_of(Expr::Name(RANGED.to_owned()), vec![Argument::plain(over)]);
                    vec![Stmt::Loop {
                        pattern: Some(Pattern::Several(names)),
                        over: Some(over),
                        body: inside,
                    }]
                }
                Some(clause) if clause.kind() == "for_clause" => {
                    let mut all = of_field(reader, clause, "initializer");
                    let mut body = of_field(reader, clause, "condition");
                    body.extend(inside);
                    body.extend(of_field(reader, clause, "update"));
                    all.push(Stmt::Loop { pattern: None, over: None, body });
                    all
                }
                clause => {
                    let mut body: Vec<Stmt> =
                        clause.map(|clause| Stmt::Do(expression(reader, clause))).into_iter().collect();
                    body.extend(inside);
                    vec![Stmt::Loop { pattern: None, over: None, body }]
                }
            }
        }
        _ => other_statement(reader, node),
    }
}

/// A statement that neither declares nor repeats.
fn other_statement(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    match node.kind() {
        "expression_switch_statement" | "type_switch_statement" | "select_statement" => {
            let mut all = of_field(reader, node, "initializer");
            all.extend(of_field(reader, node, "value"));
            let mut arms = Vec::new();
            for case in named(node) {
                if matches!(
                    case.kind(),
                    "expression_case" | "default_case" | "type_case" | "communication_case"
                ) {
                    arms.push(named(case).into_iter().flat_map(|part| part_of(reader, part)).collect());
                }
            }
            all.push(Stmt::Branch { arms, or_none: true });
            all
        }
        "return_statement" => {
            let values: Vec<Expr> = named(node)
                .into_iter()
                .flat_map(|list| if list.kind() == "expression_list" { named(list) } else { vec![list] })
                .map(|value| expression(reader, value))
                .collect();
            vec![Stmt::Return(Some(one_or_list(values)))]
        }
        "block" | "statement_list" | "labeled_statement" | "source_file" => block(reader, node),
        "package_clause" | "type_declaration" | "comment" | "break_statement" | "continue_statement"
        | "empty_statement" => Vec::new(),
        // `defer f(x)`, `go f(x)`, `x++`, a call.
        _ => named(node).into_iter().flat_map(|child| part_of(reader, child)).collect(),
    }
}

/// The function whose call gives each item of a list with its place. No name of Go looks like this.
pub(super) const RANGED: &str = "@ranged";

fn one_or_list(mut values: Vec<Expr>) -> Expr {
    if values.len() == 1 { values.remove(0) } else { Expr::List(values) }
}

fn imports(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let specs: Vec<Node<'_>> = named(node)
        .into_iter()
        .flat_map(|part| if part.kind() == "import_spec_list" { named(part) } else { vec![part] })
        .collect();
    let mut all = Vec::new();
    for spec in specs {
        let path = reader.field(spec, "path").unwrap_or_default().trim_matches(['"', '`']).to_owned();
        let package = path.rsplit('/').next().unwrap_or_default().to_owned();
        match reader.field(spec, "name") {
            Some(".") => all.push(Stmt::ImportAll(package)),
            Some(name) => all.push(Stmt::Import(name.to_owned(), package)),
            None => all.push(Stmt::Import(package.clone(), package)),
        }
    }
    all
}

fn variables(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stmt> {
    let names: Vec<Pattern> = fields(node, "name").into_iter().map(|name| pattern(reader, name)).collect();
    let values = node.child_by_field_name("value").map(named).unwrap_or_default();
    let values: Vec<Expr> = values.into_iter().map(|value| expression(reader, value)).collect();
    // A list that is only declared is empty.
    let empty = node.child_by_field_name("type").is_some_and(|kind| kind.kind() == "slice_type");
    assigned(names, values, Declares::Here, if empty { Expr::List(Vec::new()) } else { unknown() })
}

fn assigned(names: Vec<Pattern>, mut values: Vec<Expr>, declares: Declares, otherwise: Expr) -> Vec<Stmt> {
    if names.len() > 1 && values.len() == 1 {
        return vec![Stmt::Assign(Pattern::Several(names), values.remove(0), declares)];
    }
    let mut values = values.into_iter();
    names
        .into_iter()
        .map(|name| Stmt::Assign(name, values.next().unwrap_or_else(|| otherwise.clone()), declares))
        .collect()
}

fn assignment(reader: &mut Reader<'_>, node: Node<'_>, declares: Declares) -> Vec<Stmt> {
    let lefts = node.child_by_field_name("left").map(named).unwrap_or_default();
    let operator = reader.field(node, "operator").unwrap_or("=").to_owned();
    let own = lefts.first().copied();
    let names: Vec<Pattern> = lefts.into_iter().map(|name| pattern(reader, name)).collect();
    let values = node.child_by_field_name("right").map(named).unwrap_or_default();
    let mut values: Vec<Expr> = values.into_iter().map(|value| expression(reader, value)).collect();
    if operator.len() > 1
        && operator != ":="
        && let (Some(own), Some(value)) = (own, values.pop())
    {
        let own = expression(reader, own);
        let sign = operator.chars().next().unwrap_or('?');
        values.push(Expr::Binary(sign, Box::new(own), Box::new(value)));
    }
    assigned(names, values, declares, unknown())
}

fn pattern(reader: &mut Reader<'_>, node: Node<'_>) -> Pattern {
    match node.kind() {
        "identifier" if reader.of(node) == "_" => Pattern::Nothing,
        "identifier" => Pattern::Name(reader.of(node).to_owned()),
        "selector_expression" => {
            let object = field(reader, node, "operand");
            let key = reader.field(node, "field").unwrap_or_default().to_owned();
            Pattern::Index(Box::new(object), Box::new(text(key)))
        }
        "index_expression" => {
            let (object, key) = (field(reader, node, "operand"), field(reader, node, "index"));
            Pattern::Index(Box::new(object), Box::new(key))
        }
        _ => Pattern::Nothing,
    }
}

fn function(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Function> {
    let mut name = reader.field(node, "name").unwrap_or_default().to_owned();
    let mut parameters = Vec::new();
    if let Some(receiver) = node.child_by_field_name("receiver") {
        name.insert(0, '.');
        parameters.extend(named(receiver).into_iter().flat_map(|part| declared(reader, part)));
    }
    let list = node.child_by_field_name("parameters").map(named).unwrap_or_default();
    parameters.extend(list.into_iter().flat_map(|part| declared(reader, part)));
    Rc::new(Function { name, parameters, body: of_field(reader, node, "body") })
}

fn declared(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Parameter> {
    let rest = node.kind() == "variadic_parameter_declaration";
    let names = fields(node, "name");
    if names.is_empty() {
        return vec![Parameter { pattern: Pattern::Nothing, default: None, rest }];
    }
    names.into_iter().map(|name| Parameter { pattern: pattern(reader, name), default: None, rest }).collect()
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
        "true" => Expr::Number(1),
        "false" => Expr::Number(0),
        "nil" => unknown(),
        "int_literal" => number(reader.of(node)),
        "rune_literal" => {
            let inner = reader.of(node).trim_matches('\'');
            let letter = escape(inner).chars().next().map_or(0, u32::from);
            Expr::Number(i64::from(letter))
        }
        "raw_string_literal" => text(reader.of(node).trim_matches('`')),
        "interpreted_string_literal" => {
            let mut value = String::new();
            for part in named(node) {
                match part.kind() {
                    "escape_sequence" => value.push_str(&escape(reader.of(part))),
                    _ => value.push_str(reader.of(part)),
                }
            }
            joined(vec![Expr::Text(Value::literal(value))])
        }
        "selector_expression" => {
            let object = field(reader, node, "operand");
            Expr::Member(Box::new(object), reader.field(node, "field").unwrap_or_default().to_owned())
        }
        "index_expression" => {
            let (object, key) = (field(reader, node, "operand"), field(reader, node, "index"));
            Expr::Index(Box::new(object), Box::new(key))
        }
        "slice_expression" => {
            let object = field(reader, node, "operand");
            let bound = |reader: &mut Reader<'_>, name: &str| {
                node.child_by_field_name(name).map(|bound| Box::new(expression(reader, bound)))
            };
            let (from, to) = (bound(reader, "start"), bound(reader, "end"));
            Expr::Slice(Box::new(object), [from, to, None])
        }
        "call_expression" => {
            let callee = field(reader, node, "function");
            let arguments = node.child_by_field_name("arguments").map(named).unwrap_or_default();
            let arguments = arguments
                .into_iter()
                .map(|part| Argument {
                    name: None,
                    spread: part.kind() == "variadic_argument",
                    value: expression(reader, part),
                })
                .collect();
            call_of(callee, arguments)
        }
        "composite_literal" => composite(reader, node),
        "literal_value" => composite_body(reader, node, false),
        "func_literal" => Expr::Function(function(reader, node)),
        _ => operated(reader, node),
    }
}

/// An expression with an operator or a type.
fn operated(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "type_conversion_expression" | "type_assertion_expression" => {
            let inner = node.child_by_field_name("operand").or_else(|| named(node).last().copied());
            inner.map_or_else(unknown, |inner| expression(reader, inner))
        }
        "parenthesized_expression" | "variadic_argument" | "literal_element" | "expression_list" => {
            named(node).first().map_or_else(unknown, |inner| expression(reader, *inner))
        }
        "unary_expression" => {
            let operand = field(reader, node, "operand");
            match (reader.field(node, "operator"), operand) {
                (Some("&" | "*"), operand) => operand,
                (Some("-"), Expr::Number(number)) => Expr::Number(number.wrapping_neg()),
                (_, operand) => Expr::Opaque(vec![operand]),
            }
        }
        "binary_expression" => {
            let operator = reader.field(node, "operator").unwrap_or_default().to_owned();
            let (left, right) = (field(reader, node, "left"), field(reader, node, "right"));
            match operator.as_str() {
                "+" | "-" | "*" | "/" | "%" | "^" | "|" | "&" | "<<" | ">>" => {
                    Expr::Binary(operator.chars().next().unwrap_or('?'), Box::new(left), Box::new(right))
                }
                _ => Expr::Opaque(vec![left, right]),
            }
        }
        kind if is_statement(kind) => Expr::Block(statement(reader, node)),
        kind if kind.ends_with("_type") || kind == "type_identifier" || kind == "comment" => unknown(),
        _ => Expr::Opaque(named(node).into_iter().map(|part| expression(reader, part)).collect()),
    }
}

/// `T{a: b}`, `[]string{…}`, `map[string]f{…}`
fn composite(reader: &mut Reader<'_>, node: Node<'_>) -> Expr {
    let is_map = node.child_by_field_name("type").is_some_and(|kind| kind.kind() == "map_type");
    let bytes = node
        .child_by_field_name("type")
        .is_some_and(|kind| matches!(reader.of(kind), "[]byte" | "[]rune" | "[]uint8" | "[]int32"));
    let Some(body) = node.child_by_field_name("body") else { return unknown() };
    let value = composite_body(reader, body, is_map);
    // Characters by their numbers.
    if bytes { call_of(Expr::Name("string".to_owned()), vec![Argument::plain(value)]) } else { value }
}

fn composite_body(reader: &mut Reader<'_>, body: Node<'_>, is_map: bool) -> Expr {
    let parts = named(body);
    if !parts.iter().any(|part| part.kind() == "keyed_element") {
        return Expr::List(parts.into_iter().map(|part| expression(reader, part)).collect());
    }
    let mut pairs = Vec::new();
    for part in parts {
        let Some(key) = part.child_by_field_name("key") else { continue };
        let inner = named(key).first().copied().unwrap_or(key);
        let key = if inner.kind() == "identifier" && !is_map {
            text(reader.of(inner))
        } else {
            expression(reader, inner)
        };
        pairs.push((key, field(reader, part, "value")));
    }
    Expr::Map(pairs)
}

/// What Go itself does with names; `None` for any other call.
pub(in crate::languages) fn library(
    run: &mut super::code::Run<'_>,
    name: &str,
    given: &[super::code::Given],
) -> Option<super::code::Item> {
    use super::code::{Item, joined_texts};
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
        RANGED => match run.command_line(&item(0)?).unwrap_or(item(0)?) {
            Item::List(items) => {
                Item::list(items.iter().map(|item| Item::list(vec![Item::Unknown, item.clone()])).collect())
            }
            Item::Map(pairs) => Item::list(
                pairs.iter().map(|(key, item)| Item::list(vec![key.clone(), item.clone()])).collect(),
            ),
            _ => Item::Unknown,
        },
        "append" => {
            let first = item(0)?;
            let more: Vec<Item> = given.iter().skip(1).map(|given| given.item.clone()).collect();
            super::code::binary('+', &first, &Item::list(more))
        }
        "string" => match item(0)? {
            Item::List(items) => run
                .apply(&Item::library("chr"), &[super::code::Given { name: None, item: Item::List(items) }]),
            Item::Number(code) => run.apply(
                &Item::library("chr"),
                &[super::code::Given { name: None, item: Item::list(vec![Item::Number(code)]) }],
            ),
            item => item,
        },
        "strings.Join" => {
            let items = item(0)?.items()?;
            let separator = item(1)?;
            let mut parts = Vec::new();
            for (at, item) in items.into_iter().enumerate() {
                if at > 0 {
                    parts.push(separator.clone());
                }
                parts.push(item);
            }
            joined_texts(&parts)
        }
        "fmt.Sprintf" => run.apply(&Item::library("sprintf"), given),
        "fmt.Sprint" => joined_texts(&given.iter().map(|given| given.item.clone()).collect::<Vec<_>>()),
        "strings.Split" | "strings.ToLower" | "strings.ToUpper" | "strings.ReplaceAll"
        | "strings.TrimSpace" | "strings.Fields" | "strings.Repeat" => {
            let method = match name {
                "strings.Split" | "strings.Fields" => "split",
                "strings.ToLower" => "lower",
                "strings.ToUpper" => "upper",
                "strings.ReplaceAll" => "replace",
                "strings.Repeat" => "repeat",
                _ => "strip",
            };
            run.method(&item(0)?, method, given.get(1..).unwrap_or_default())
        }
        "os.UserHomeDir" => Item::text("~"),
        "os.Getwd" => Item::text("."),
        "filepath.Glob" => Item::list(vec![item(0)?]),
        "filepath.Walk" | "filepath.WalkDir" => {
            let below = joined_texts(&[item(0)?, Item::text("/"), Item::text(LISTED)]);
            let given =
                [below, Item::Unknown, Item::Unknown].map(|item| super::code::Given { name: None, item });
            run.apply(&item(1)?, &given)
        }
        "os.Chdir" => {
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            Item::Unknown
        }
        "base64.StdEncoding.DecodeString"
        | "base64.URLEncoding.DecodeString"
        | "base64.RawStdEncoding.DecodeString" => run.apply(&Item::library("b64decode"), given),
        "hex.DecodeString" => run.apply(&Item::library("unhexlify"), given),
        "fmt.Println" | "fmt.Printf" | "fmt.Print" | "fmt.Fprintln" | "fmt.Fprintf" | "fmt.Errorf"
        | "errors.New" | "log.Fatal" | "log.Println" | "log.Printf" | "panic" | "len" | "make" | "close"
        | "os.Exit" => Item::Unknown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn values_are_followed_to_what_runs() {
        let rows = [
            ("exec.Command(\"rm\", \"-rf\", \"x\").Run()", "argv rm -rf x"),
            ("for _, d := range []string{\"a\", \"b\"} { os.RemoveAll(d) }", "delete-rf a; delete-rf b"),
            ("t := &T{f: os.Remove}; t.f(\"a\")", "delete-f a"),
            ("t := T{n: \"a\"}; t.gone()", "delete-rf a"),
            ("os.WriteFile(\"a\", []byte(\"x\"), 0644)", "create a"),
            ("run(\"rm\", \"x\")", "argv rm x"),
            ("f := func(p string) { os.Remove(p) }; f(\"a\" + \"b\")", "delete-f ab"),
            ("exec.Command(string([]byte{114, 109}), \"x\").Run()", "obfuscated; argv rm x"),
        ];
        let programs: Vec<(String, &str)> = rows
            .iter()
            .map(|(code, effects)| {
                let program = format!(
                    "package main\nimport (\"os\"; \"os/exec\")\ntype T struct {{ f func(string) error; n string }}\n\
                     func (t T) gone() {{ os.RemoveAll(t.n) }}\n\
                     func run(n string, a ...string) {{ exec.Command(n, a...).Run() }}\nfunc main() {{ {code} }}\n"
                );
                (program, *effects)
            })
            .collect();
        let rows: Vec<(&str, &str)> =
            programs.iter().map(|(program, effects)| (program.as_str(), *effects)).collect();
        check("go", &rows);
    }
}
