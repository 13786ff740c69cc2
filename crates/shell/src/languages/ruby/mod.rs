//! Reads Ruby: the tree of its grammar becomes the tree that is followed.
//!
//! A name that was assigned to before, or is a parameter, is a variable; any other name is a call on `self`. A block
//! is an argument whose name is [`BLOCK`].
//!
//! Source: the grammar tree-sitter-ruby 0.23, whose names of nodes and fields these are.

mod definitions;
mod expressions;
pub(super) mod library;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::Value;
use super::code::read::{
    Reader, call_named, call_of, escape, joined, named, number, text, unknown, with_stack,
};
use super::code::tree::{Argument, Class, Declares, Expr, Function, Parameter, Pattern, Stmt};

/// The name of the argument that is a block, and the variable that holds it in a method.
pub(super) const BLOCK: &str = "&";
/// The variable that holds what a call named.
pub(super) const KEYWORDS: &str = "@keywords";
/// `from..to`
pub(super) const RANGE: &str = "@range";
/// The method that a class inherits: its name, and what it is given.
pub(super) const SUPER: &str = "super";

/// Reads a program.
pub(super) fn read(reader: &mut Reader<'_>, root: Node<'_>) -> Vec<Stmt> {
    let bodies = heredocs(root);
    let mut ruby = Ruby { reader, scopes: vec![Scope::default()], bodies, classes: 0, methods: Vec::new() };
    let children = named(root);
    ruby.block(&children)
}

/// The bodies of heredocs by where they are begun: they follow in the same order.
fn heredocs(root: Node<'_>) -> HashMap<usize, Node<'_>> {
    let (mut starts, mut bodies) = (Vec::new(), Vec::new());
    let mut cursor = root.walk();
    'all: loop {
        let node = cursor.node();
        match node.kind() {
            "heredoc_beginning" => starts.push(node.start_byte()),
            "heredoc_body" => bodies.push(node),
            _ => {}
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'all;
            }
        }
    }
    starts.into_iter().zip(bodies).collect()
}

/// The names that are variables in a method, or in a block inside it.
#[derive(Default)]
struct Scope {
    names: HashSet<String>,
    /// The names around it are seen, too.
    is_block: bool,
    /// A block without parameters has some that are named by themselves.
    has_it: bool,
}

struct Ruby<'r, 't, 'n> {
    reader: &'r mut Reader<'t>,
    scopes: Vec<Scope>,
    bodies: HashMap<usize, Node<'n>>,
    /// How many classes lie around what is read.
    classes: usize,
    /// The names of the methods around what is read.
    methods: Vec<String>,
}

fn member(object: Expr, name: &str) -> Expr {
    Expr::Member(Box::new(object), name.to_owned())
}

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

impl<'n> Ruby<'_, '_, 'n> {
    fn of(&self, node: Node<'_>) -> &str {
        self.reader.of(node)
    }

    fn field(&self, node: Node<'_>, name: &str) -> String {
        self.reader.field(node, name).unwrap_or_default().to_owned()
    }

    fn is_local(&self, name: &str) -> bool {
        for scope in self.scopes.iter().rev() {
            if scope.names.contains(name) {
                return true;
            }
            if !scope.is_block {
                return false;
            }
        }
        false
    }

    /// Makes a name a variable, and says where it belongs.
    fn declare(&mut self, name: &str) -> Declares {
        let plain = name.starts_with(|first: char| first.is_lowercase() || first == '_');
        if !plain {
            return if name.starts_with(['$', '@']) { Declares::There } else { Declares::Here };
        }
        let here = self.scopes.last().is_some_and(|scope| scope.names.contains(name));
        if !here && self.is_local(name) {
            return Declares::There;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned());
        }
        Declares::Here
    }

    fn block(&mut self, children: &[Node<'n>]) -> Vec<Stmt> {
        children.iter().flat_map(|child| self.statement(*child)).collect()
    }

    fn inside(&mut self, node: Option<Node<'n>>) -> Vec<Stmt> {
        match node {
            Some(node) if matches!(node.kind(), "body_statement" | "block_body" | "then" | "do" | "else") => {
                let children = named(node);
                self.body(&children)
            }
            Some(node) => self.statement(node),
            None => Vec::new(),
        }
    }

    /// Statements, with what rescues them and what always follows.
    fn body(&mut self, children: &[Node<'n>]) -> Vec<Stmt> {
        let is_clause = |node: &Node<'_>| matches!(node.kind(), "rescue" | "ensure" | "else");
        if !children.iter().any(is_clause) {
            return self.block(children);
        }
        let (mut main, mut last) = (Vec::new(), Vec::new());
        let mut rescues = Vec::new();
        for child in children {
            match child.kind() {
                "rescue" => {
                    if let Some(variable) = child.child_by_field_name("variable") {
                        for one in named(variable) {
                            let target = self.pattern(one);
                            let declares = self.declares(&target);
                            rescues.push(Expr::Block(vec![Stmt::Assign(target, unknown(), declares)]));
                        }
                    }
                    let body = self.inside(child.child_by_field_name("body"));
                    rescues.push(Expr::Block(body));
                }
                "ensure" => {
                    let inner = named(*child);
                    last.extend(self.block(&inner));
                }
                "else" => {
                    let inner = named(*child);
                    main.extend(self.block(&inner));
                }
                _ => main.extend(self.statement(*child)),
            }
        }
        let value = if rescues.is_empty() {
            Expr::Block(main)
        } else {
            rescues.insert(0, Expr::Block(main));
            Expr::Either(rescues)
        };
        if last.is_empty() {
            return vec![Stmt::Do(value)];
        }
        let kept = "@value".to_owned();
        let mut all = vec![Stmt::Assign(Pattern::Name(kept.clone()), value, Declares::Here)];
        all.extend(last);
        all.push(Stmt::Do(Expr::Name(kept)));
        all
    }

    fn statement(&mut self, node: Node<'n>) -> Vec<Stmt> {
        if !self.reader.enter() {
            return Vec::new();
        }
        let found = with_stack(|| self.statement_within(node));
        self.reader.leave();
        found
    }

    fn condition(&mut self, node: Node<'n>) -> Stmt {
        Stmt::Do(self.of_field(node, "condition"))
    }

    fn statement_within(&mut self, node: Node<'n>) -> Vec<Stmt> {
        match node.kind() {
            "assignment" => self.assignment(node),
            "operator_assignment" => self.operator_assignment(node),
            "method" => vec![Stmt::Function(self.method(node))],
            "singleton_method" => {
                let function = self.method(node);
                let object = node.child_by_field_name("object");
                match object.map(|object| (object, self.of(object).to_owned())) {
                    // `def object.name`
                    Some((object, name)) if name != "self" && self.is_local(&name) => {
                        let target = self.expression(object);
                        let member = function.name.clone();
                        let value = Expr::Function(function);
                        vec![Stmt::Assign(Pattern::Member(Box::new(target), member), value, Declares::Here)]
                    }
                    _ => vec![Stmt::Function(function)],
                }
            }
            "class" | "module" => self.class(node),
            "singleton_class" => self.inside(node.child_by_field_name("body")),
            "if" | "unless" | "elsif" => {
                let mut all = vec![self.condition(node)];
                let mut arms = vec![self.inside(node.child_by_field_name("consequence"))];
                let other = node.child_by_field_name("alternative");
                if let Some(other) = other {
                    arms.push(self.inside(Some(other)));
                }
                all.push(Stmt::Branch { arms, or_none: other.is_none() });
                all
            }
            "if_modifier" | "unless_modifier" => {
                let condition = self.condition(node);
                let body = self.inside(node.child_by_field_name("body"));
                vec![condition, Stmt::Branch { arms: vec![body], or_none: true }]
            }
            "while_modifier" | "until_modifier" | "while" | "until" => {
                let mut body = vec![self.condition(node)];
                body.extend(self.inside(node.child_by_field_name("body")));
                vec![Stmt::Loop { pattern: None, over: None, body }]
            }
            "for" => {
                let over = node
                    .child_by_field_name("value")
                    .and_then(|value| named(value).first().copied())
                    .map(|value| self.expression(value));
                let pattern = node.child_by_field_name("pattern").map(|pattern| self.pattern(pattern));
                let body = self.inside(node.child_by_field_name("body"));
                vec![Stmt::Loop { pattern, over, body }]
            }
            "case" | "case_match" => self.case(node),
            _ => self.other_statement(node),
        }
    }

    /// A statement that neither branches nor repeats.
    fn other_statement(&mut self, node: Node<'n>) -> Vec<Stmt> {
        match node.kind() {
            "begin"
            | "body_statement"
            | "block_body"
            | "then"
            | "do"
            | "else"
            | "begin_block"
            | "parenthesized_statements" => {
                let children = named(node);
                self.body(&children)
            }
            "end_block" => {
                let children = named(node);
                self.block(&children)
            }
            "return" | "next" => {
                let value = named(node).first().copied();
                let value = value.map(|list| match named(list).as_slice() {
                    [one] => self.expression(*one),
                    several => Expr::List(several.iter().map(|one| self.expression(*one)).collect()),
                });
                vec![Stmt::Return(value)]
            }
            "alias" => {
                let (new, old) = (self.field(node, "name"), self.field(node, "alias"));
                let (new, old) =
                    (new.trim_start_matches(':').to_owned(), old.trim_start_matches(':').to_owned());
                vec![Stmt::Assign(Pattern::Name(new), call_named("method", vec![text(old)]), Declares::Here)]
            }
            "undef" | "empty_statement" | "comment" | "uninterpreted" | "heredoc_body" => Vec::new(),
            "ERROR" => {
                let children = named(node);
                self.block(&children)
            }
            _ => vec![Stmt::Do(self.expression(node))],
        }
    }

    fn case(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let value = node.child_by_field_name("value").map(|value| self.expression(value));
        let kept = "@case".to_owned();
        let mut all = Vec::new();
        if let Some(value) = value {
            all.push(Stmt::Assign(Pattern::Name(kept.clone()), value, Declares::Here));
        }
        let mut arms = Vec::new();
        let mut or_none = true;
        for child in named(node) {
            match child.kind() {
                "when" => {
                    let mut arm = Vec::new();
                    let mut cursor = child.walk();
                    let patterns: Vec<Node<'n>> =
                        child.children_by_field_name("pattern", &mut cursor).filter(Node::is_named).collect();
                    for one in patterns {
                        for part in named(one) {
                            arm.push(Stmt::Do(self.expression(part)));
                        }
                    }
                    arm.extend(self.inside(child.child_by_field_name("body")));
                    arms.push(arm);
                }
                "in_clause" => {
                    let mut arm = Vec::new();
                    if let Some(pattern) = child.child_by_field_name("pattern") {
                        let target = self.matched(pattern);
                        arm.push(Stmt::Assign(target, Expr::Name(kept.clone()), Declares::Here));
                    }
                    if let Some(guard) = child.child_by_field_name("guard") {
                        arm.push(self.condition(guard));
                    }
                    arm.extend(self.inside(child.child_by_field_name("body")));
                    arms.push(arm);
                }
                "else" => {
                    arms.push(self.inside(Some(child)));
                    or_none = false;
                }
                _ => {}
            }
        }
        all.push(Stmt::Branch { arms, or_none });
        all
    }

    /// What a pattern of `case … in` gives names to.
    fn matched(&mut self, node: Node<'n>) -> Pattern {
        if !self.reader.enter() {
            return Pattern::Nothing;
        }
        let found = match node.kind() {
            "identifier" => self.pattern(node),
            "as_pattern" => match node.child_by_field_name("name") {
                Some(name) => self.pattern(name),
                None => Pattern::Nothing,
            },
            "array_pattern" | "find_pattern" => {
                let class = node.child_by_field_name("class");
                let parts = named(node);
                let parts = parts.into_iter().filter(|part| Some(*part) != class);
                Pattern::Several(parts.map(|part| self.matched(part)).collect())
            }
            "hash_pattern" => {
                let mut keys = Vec::new();
                for part in named(node).into_iter().filter(|part| part.kind() == "keyword_pattern") {
                    let key = self.field(part, "key");
                    let target = match part.child_by_field_name("value") {
                        Some(value) => self.matched(value),
                        None => {
                            self.declare(&key);
                            Pattern::Name(key.clone())
                        }
                    };
                    keys.push((key, target));
                }
                Pattern::Keys(keys)
            }
            _ => Pattern::Nothing,
        };
        self.reader.leave();
        found
    }

    fn declares(&mut self, target: &Pattern) -> Declares {
        match target {
            Pattern::Name(name) => self.declare(name),
            _ => Declares::Here,
        }
    }

    fn assignment(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return Vec::new();
        };
        let value = if right.kind() == "right_assignment_list" {
            let parts = named(right);
            self.list(&parts)
        } else {
            self.expression(right)
        };
        let target = self.pattern(left);
        let declares = self.declares(&target);
        vec![Stmt::Assign(target, value, declares)]
    }

    fn operator_assignment(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return Vec::new();
        };
        let operator = self.field(node, "operator");
        let value = self.expression(right);
        let known = left.kind() != "identifier" || self.is_local(self.of(left));
        let before = if known { self.expression(left) } else { unknown() };
        let target = self.pattern(left);
        let declares = self.declares(&target);
        let value = match operator.as_str() {
            "||=" | "&&=" if known => Expr::Either(vec![before, value]),
            "||=" | "&&=" => value,
            "<<=" => call_of(member(before, "<<"), vec![Argument::plain(value)]),
            other => Expr::Binary(other.chars().next().unwrap_or('?'), Box::new(before), Box::new(value)),
        };
        vec![Stmt::Assign(target, value, declares)]
    }

    /// What is assigned to. Names become variables.
    fn pattern(&mut self, node: Node<'n>) -> Pattern {
        if !self.reader.enter() {
            return Pattern::Nothing;
        }
        let found = match node.kind() {
            "identifier" | "constant" | "global_variable" | "class_variable" => {
                let name = self.of(node).to_owned();
                if !self.is_local(&name) {
                    self.declare(&name);
                }
                Pattern::Name(name)
            }
            "instance_variable" => match self.instance_variable(node) {
                Expr::Member(object, member) => Pattern::Member(object, member),
                _ => Pattern::Name(self.of(node).to_owned()),
            },
            "call" => {
                let object = node
                    .child_by_field_name("receiver")
                    .map_or_else(|| name("self"), |object| self.expression(object));
                Pattern::Member(Box::new(object), self.field(node, "method"))
            }
            "element_reference" => {
                let object = self.of_field(node, "object");
                let keys = self.keys(node);
                Pattern::Index(Box::new(object), Box::new(keys.into_iter().next().unwrap_or_else(unknown)))
            }
            "scope_resolution" => Pattern::Name(self.field(node, "name")),
            "left_assignment_list" | "destructured_left_assignment" | "destructured_parameter" => {
                let parts = named(node);
                Pattern::Several(parts.into_iter().map(|part| self.pattern(part)).collect())
            }
            "rest_assignment" | "splat_parameter" | "block_parameter" => Pattern::Nothing,
            _ => Pattern::Nothing,
        };
        self.reader.leave();
        found
    }

    fn instance_variable(&self, node: Node<'_>) -> Expr {
        let own = self.of(node);
        if self.classes > 0 { member(name("self"), own) } else { name(own) }
    }

    fn of_field(&mut self, node: Node<'n>, name: &str) -> Expr {
        match node.child_by_field_name(name) {
            Some(node) => self.expression(node),
            None => unknown(),
        }
    }
}

#[cfg(test)]
mod tests;
