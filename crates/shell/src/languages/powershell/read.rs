//! Reads PowerShell (7.4 and 5.1): the tree of its grammar becomes the statements that are followed.
//!
//! What the grammar can't place is trouble with its place; the parts around it are read all the same.
//!
//! Source: the grammar tree-sitter-pwsh 0.38, whose names of nodes and fields these are.

mod expressions;
mod prepare;
mod words;

use std::rc::Rc;

use tree_sitter::Node;

use super::super::code::parse;
use super::super::code::read::{Reader, named};
use super::ast::{Argument, Block, Command, Expr, Param, Redirect, Stage, Statement};
use expressions::{expression, variable_name};
use words::{Quotes, argument, word};

/// Deepest nesting that is followed.
pub(super) const DEEPEST: u32 = 200;

/// Why a text can't be read, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) at: usize,
    pub(super) reason: &'static str,
    pub(super) deep: bool,
}

/// Reads a whole text, as far as it can be read.
pub(super) fn read(text: &str) -> (Block, Option<Trouble>) {
    let plain = prepare::plain(text);
    let text = plain.as_ref();
    let Some(tree) = prepare::tree(text) else {
        let trouble = Trouble { at: 0, reason: "more than is analysed", deep: true };
        return (Block::default(), Some(trouble));
    };
    let mut reader = Reader::new(text);
    let block = block_of(&mut reader, tree.root_node());
    let trouble = match first_error(tree.root_node()) {
        Some(at) => Some(Trouble { at, reason: "a part that can't be read", deep: false }),
        None if reader.is_cut() => {
            Some(Trouble { at: text.len(), reason: "nested deeper than is analysed", deep: true })
        }
        None => None,
    };
    (block, trouble)
}

/// Where the first part is that the grammar can't place.
fn first_error(root: Node<'_>) -> Option<usize> {
    let mut node = root;
    while !node.is_error() && !node.is_missing() {
        let mut cursor = node.walk();
        let wrong = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
        node = wrong?;
    }
    Some(node.start_byte())
}

/// The statements in a node, whatever lists and marks are around them.
fn block_of(reader: &mut Reader<'_>, node: Node<'_>) -> Block {
    let mut block = Block::default();
    collect(reader, node, &mut block);
    block
}

fn collect(reader: &mut Reader<'_>, node: Node<'_>, block: &mut Block) {
    for child in named(node) {
        match child.kind() {
            "param_block" => block.params.extend(parameters(reader, child)),
            "statement_list" | "script_block" | "script_block_body" | "named_block_list"
            | "statement_block" => {
                if reader.enter() {
                    collect(reader, child, block);
                    reader.leave();
                }
            }
            "empty_statement"
            | "attribute_statement"
            | "using_directive_list"
            | "requires_directive_list"
            | "block_name"
            | "type_literal"
            | "label"
            | "data_name"
            | "data_commands_allowed"
            | "foreach_parameter" => {}
            "command_name" if node.is_error() => broken_command(reader, node, child, block),
            _ => block.statements.push(statement(reader, child)),
        }
    }
}

/// The words from a command's name to the end of a part that the grammar can't place.
fn broken_command(reader: &Reader<'_>, part: Node<'_>, name: Node<'_>, block: &mut Block) {
    let rest = reader.text.get(name.start_byte()..part.end_byte()).unwrap_or_default();
    let mut words = rest.split([';', '\n', '|', '&']).next().unwrap_or_default().split_whitespace();
    let name_word = Expr::literal(words.next().unwrap_or_default());
    let args = words.map(|word| Argument::Value(Expr::literal(word))).collect();
    let range = (name.start_byte(), part.end_byte());
    let command = Command { operator: None, name: name_word, args, redirects: Vec::new(), range };
    block.statements.push(Statement::Pipeline(vec![Stage::Command(command)]));
}

fn shared(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Block> {
    Rc::new(reader.deeper(Block::default(), |reader| block_of(reader, node)))
}

/// The first block in braces below a node.
fn braces(reader: &mut Reader<'_>, node: Node<'_>) -> Rc<Block> {
    let body = named(node).into_iter().find(|child| child.kind() == "statement_block");
    body.map_or_else(Rc::default, |body| shared(reader, body))
}

/// The parameters of `param (…)` or of a function's parentheses.
fn parameters(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Param> {
    let mut found = Vec::new();
    for parameter in named(node).into_iter().flat_map(named).filter(|part| part.kind() == "script_parameter")
    {
        let (mut name, mut default, mut switch) = (String::new(), None, false);
        for part in named(parameter) {
            match part.kind() {
                "variable" => name = variable_name(reader.of(part)),
                "script_parameter_default" => default = Some(expression(reader, part)),
                _ => switch |= reader.of(part).to_ascii_lowercase().contains("switch"),
            }
        }
        found.push(Param { name, default, switch });
    }
    found
}

pub(super) fn statement(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let nothing = Statement::Pipeline(Vec::new());
    reader.deeper(nothing, |reader| statement_within(reader, node))
}

fn statement_within(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    match node.kind() {
        "pipeline" | "assignment_value" | "while_condition" | "for_initializer" | "for_condition"
        | "for_iterator" => chain(reader, node),
        "assignment_expression" => assignment(reader, node),
        "if_statement" => choice(reader, node),
        "switch_statement" => switch(reader, node),
        "foreach_statement" => for_each(reader, node),
        "for_statement" | "while_statement" | "do_statement" => {
            let (mut around, mut body) = (Vec::new(), Rc::default());
            for part in named(node) {
                match part.kind() {
                    "statement_block" => body = shared(reader, part),
                    _ => around.push(statement(reader, part)),
                }
            }
            Statement::Loop(around, body)
        }
        "function_statement" => function(reader, node),
        "class_statement" | "enum_statement" => Statement::Class(Rc::new(class(reader, node))),
        "flow_control_statement" => {
            let value = named(node).into_iter().find(|part| part.kind() != "label_expression");
            Statement::Leave(value.map(|value| Box::new(statement(reader, value))))
        }
        "try_statement" | "catch_clauses" => Statement::Parts(parts(reader, node)),
        "named_block"
        | "trap_statement"
        | "data_statement"
        | "inlinescript_statement"
        | "parallel_statement"
        | "sequence_statement" => Statement::Parts(vec![braces(reader, node)]),
        "ERROR" => Statement::Parts(vec![shared(reader, node)]),
        "using_statement" | "requires_statement" | "attribute" => Statement::Pipeline(Vec::new()),
        "pipeline_chain" => Statement::Pipeline(stages(reader, node)),
        "command" => Statement::Pipeline(vec![command(reader, node)]),
        _ => Statement::Pipeline(vec![Stage::Expr(expression(reader, node), Vec::new())]),
    }
}

/// Every block in braces of `try`, with those of its `catch` and `finally`.
fn parts(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Rc<Block>> {
    let mut found = Vec::new();
    for part in named(node) {
        match part.kind() {
            "statement_block" => found.push(shared(reader, part)),
            "catch_clauses" | "catch_clause" | "finally_clause" => found.extend(parts(reader, part)),
            _ => {}
        }
    }
    found
}

/// A pipeline with those that `&&` and `||` join to it, or an assignment.
fn chain(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let mut links = Vec::new();
    for part in named(node) {
        match part.kind() {
            "pipeline_chain_tail" => {}
            "pipeline_chain" => {
                let stages = stages(reader, part);
                links.push(keyword_of(&stages).unwrap_or(Statement::Pipeline(stages)));
            }
            _ => links.push(statement(reader, part)),
        }
    }
    match <[Statement; 1]>::try_from(links) {
        Ok([only]) => only,
        Err(links) => Statement::Chain(links),
    }
}

/// What a command is whose name is a keyword that the grammar knows at the beginning of a block only: `using`, which
/// runs nothing, and `begin`, `process` and `end`, whose blocks run.
fn keyword_of(stages: &[Stage]) -> Option<Statement> {
    let [Stage::Command(Command { operator: None, name: Expr::Literal { text, ticked: false }, args, .. })] =
        stages
    else {
        return None;
    };
    match text.to_ascii_lowercase().as_str() {
        "using" => Some(Statement::Pipeline(Vec::new())),
        "begin" | "process" | "end" | "dynamicparam" | "clean" => {
            let blocks: Vec<_> = args
                .iter()
                .filter_map(|arg| match arg {
                    Argument::Value(Expr::Script(block)) => Some(Rc::clone(block)),
                    _ => None,
                })
                .collect();
            (!blocks.is_empty()).then_some(Statement::Parts(blocks))
        }
        _ => None,
    }
}

fn stages(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Stage> {
    let mut stages = Vec::new();
    for part in named(node) {
        match part.kind() {
            "command" => {
                let stage = command(reader, part);
                stages.push(stage);
                stages.extend(behind_stop(reader, part));
            }
            "redirections" => {
                let redirects = redirects(reader, part);
                if let Some(Stage::Expr(_, own)) = stages.last_mut() {
                    own.extend(redirects);
                }
            }
            "verbatim_command_argument" => {
                let words = stopped(reader.of(part));
                if let Some(Stage::Command(command)) = stages.last_mut() {
                    command.args.extend(words);
                }
            }
            _ => stages.push(Stage::Expr(expression(reader, part), Vec::new())),
        }
    }
    stages
}

fn assignment(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let (mut target, mut operator, mut value) = (Expr::literal(""), String::new(), None);
    for part in named(node) {
        match part.kind() {
            "left_assignment_expression" => target = expression(reader, part),
            "assignment_operator" => operator = reader.of(part).to_owned(),
            _ => value = Some(statement(reader, part)),
        }
    }
    let value = Box::new(value.unwrap_or(Statement::Pipeline(Vec::new())));
    Statement::Assign { target, operator, value }
}

fn choice(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let (mut branches, mut otherwise) = (Vec::new(), None);
    let clauses = named(node).into_iter().find(|part| part.kind() == "elseif_clauses");
    for branch in std::iter::once(node).chain(clauses.into_iter().flat_map(named)) {
        let condition = branch.child_by_field_name("condition").map(|condition| statement(reader, condition));
        let condition = condition.unwrap_or(Statement::Pipeline(Vec::new()));
        branches.push((condition, braces(reader, branch)));
    }
    if let Some(other) = named(node).into_iter().find(|part| part.kind() == "else_clause") {
        otherwise = Some(braces(reader, other));
    }
    Statement::If(branches, otherwise)
}

fn for_each(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let (mut variable, mut list, mut body) = (String::new(), None, Rc::default());
    for part in named(node) {
        match part.kind() {
            "variable" => variable = variable_name(reader.of(part)),
            "statement_block" => body = shared(reader, part),
            "foreach_parameter" => {}
            _ => list = Some(statement(reader, part)),
        }
    }
    let list = Box::new(list.unwrap_or(Statement::Pipeline(Vec::new())));
    Statement::ForEach { variable, list, body }
}

fn switch(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let (mut value, mut cases) = (Statement::Pipeline(Vec::new()), Vec::new());
    for part in named(node) {
        match part.kind() {
            "switch_condition" => {
                if let Some(inner) = named(part).into_iter().next() {
                    value = match inner.kind() {
                        "switch_filename" => {
                            let file = word(reader, inner, Quotes::Bare);
                            Statement::Pipeline(vec![Stage::Expr(file, Vec::new())])
                        }
                        _ => statement(reader, inner),
                    };
                }
            }
            "switch_body" => {
                for clause in named(part).into_iter().flat_map(named) {
                    let case = named(clause).into_iter().find(|part| part.kind() != "statement_block");
                    let case = case.map_or_else(|| Expr::literal(""), |case| argument(reader, case));
                    cases.push((case, braces(reader, clause)));
                }
            }
            _ => {}
        }
    }
    Statement::Switch(Box::new(value), cases)
}

fn function(reader: &mut Reader<'_>, node: Node<'_>) -> Statement {
    let (mut name, mut params) = (String::new(), Vec::new());
    for part in named(node) {
        match part.kind() {
            "function_name" => {
                let full = reader.of(part).trim();
                name = full.rsplit(':').next().unwrap_or_default().to_owned();
            }
            "function_parameter_declaration" => params = parameters(reader, part),
            _ => {}
        }
    }
    let mut body = Block { params, ..Block::default() };
    for part in named(node) {
        if !matches!(part.kind(), "function_name" | "function_parameter_declaration") {
            collect(reader, part, &mut body);
        }
    }
    Statement::Function { name, body: Rc::new(body) }
}

/// What a class holds: the first values of its fields, and the bodies of its methods.
fn class(reader: &mut Reader<'_>, node: Node<'_>) -> Block {
    let mut block = Block::default();
    for member in named(node) {
        match member.kind() {
            "class_method_definition" => {
                for part in named(member) {
                    match part.kind() {
                        "script_block" => block.statements.push(Statement::Parts(vec![shared(reader, part)])),
                        "class_method_base_ctor" => block.statements.push(statement(reader, part)),
                        _ => {}
                    }
                }
            }
            "class_property_definition" => {
                let values = named(member).into_iter().filter(|part| {
                    !matches!(part.kind(), "attribute" | "class_attribute" | "type_literal" | "variable")
                });
                for value in values {
                    block.statements.push(statement(reader, value));
                }
            }
            "ERROR" => block.statements.push(statement(reader, member)),
            _ => {}
        }
    }
    block
}

fn command(reader: &mut Reader<'_>, node: Node<'_>) -> Stage {
    let operator = named(node).into_iter().find(|part| part.kind() == "command_invocation_operator");
    let operator = operator.and_then(|operator| reader.of(operator).trim().chars().next());
    let Some(name_node) = node.child_by_field_name("command_name") else {
        return Stage::Expr(expression(reader, node), Vec::new());
    };
    let name = match named(name_node).first() {
        Some(inner) if name_node.kind() == "command_name_expr" => argument(reader, *inner),
        _ => word(reader, name_node, Quotes::Bare),
    };
    let (mut args, mut redirects) = (Vec::new(), Vec::new());
    if let Some(elements) = node.child_by_field_name("command_elements") {
        words::arguments(reader, elements, &mut args, &mut redirects);
    }
    for part in named(node).into_iter().filter(|part| part.is_error()) {
        words::arguments(reader, part, &mut args, &mut redirects);
    }
    if operator.is_none()
        && args.is_empty()
        && let Some(range) = expressions::range_of_numbers(&name)
    {
        return Stage::Expr(range, redirects);
    }
    Stage::Command(Command {
        operator,
        name,
        args,
        redirects,
        range: (name_node.start_byte(), node.end_byte()),
    })
}

fn redirects(reader: &mut Reader<'_>, node: Node<'_>) -> Vec<Redirect> {
    let parts = named(node);
    parts.into_iter().filter_map(|part| words::redirect(reader, part)).collect()
}

/// The words behind `--%`, which are the program's own up to a bar.
fn stopped(text: &str) -> Vec<Argument> {
    let words = text.trim_start_matches("--%").split('|').next().unwrap_or_default();
    let mut quoted = false;
    let pieces = words.split(|letter: char| {
        quoted ^= letter == '"';
        letter.is_whitespace() && !quoted
    });
    let pieces = pieces.map(|piece| piece.replace('"', "")).filter(|piece| !piece.is_empty());
    pieces.map(|piece| Argument::Value(Expr::literal(piece))).collect()
}

/// The stages behind a bar that the grammar takes for words behind `--%`.
fn behind_stop(reader: &mut Reader<'_>, command: Node<'_>) -> Vec<Stage> {
    let elements = command.child_by_field_name("command_elements");
    let stop = elements.and_then(|all| named(all).into_iter().find(|part| part.kind() == "stop_parsing"));
    let Some((_, rest)) = stop.and_then(|stop| reader.of(stop).split_once('|')) else { return Vec::new() };
    if !reader.enter() {
        return Vec::new();
    }
    let (block, _) = read(rest);
    reader.leave();
    block
        .statements
        .into_iter()
        .flat_map(|statement| match statement {
            Statement::Pipeline(stages) => stages,
            other => vec![Stage::Expr(Expr::Paren(Box::new(other)), Vec::new())],
        })
        .collect()
}
