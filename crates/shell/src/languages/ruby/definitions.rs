//! Classes, methods and blocks of Ruby.

use super::*;

impl<'n> Ruby<'_, '_, 'n> {
    pub(super) fn class(&mut self, node: Node<'n>) -> Vec<Stmt> {
        let full = self.field(node, "name");
        let plain = full.rsplit("::").next().unwrap_or_default().to_owned();
        let mut bases = Vec::new();
        if let Some(base) = node.child_by_field_name("superclass") {
            for part in named(base) {
                bases.push(self.expression(part));
            }
        }
        self.scopes.push(Scope::default());
        self.classes += 1;
        let body_node = node.child_by_field_name("body");
        // What a class includes, it has.
        let mut stars = Vec::new();
        for part in body_node.map(named).unwrap_or_default() {
            let mixes = part.kind() == "call"
                && matches!(self.field(part, "method").as_str(), "include" | "extend" | "prepend");
            if mixes && let Some(list) = part.child_by_field_name("arguments") {
                for module in named(list) {
                    if matches!(module.kind(), "constant" | "scope_resolution") {
                        stars.push(Stmt::ImportAll(self.of(module).replace("::", ".")));
                        bases.push(self.expression(module));
                    }
                }
            }
        }
        let body = self.inside(body_node);
        self.classes -= 1;
        self.scopes.pop();
        stars.push(Stmt::Class(Rc::new(Class { name: plain, bases, body })));
        stars
    }

    pub(super) fn method(&mut self, node: Node<'n>) -> Rc<Function> {
        let name = self.field(node, "name");
        self.methods.push(name.clone());
        self.scopes.push(Scope::default());
        let (parameters, mut body) = self.parameters(node.child_by_field_name("parameters"));
        body.extend(self.inside(node.child_by_field_name("body")));
        self.scopes.pop();
        self.methods.pop();
        Rc::new(Function { name, parameters, body })
    }

    /// Parameters, and what the body begins with so that they hold what they should.
    pub(super) fn parameters(&mut self, list: Option<Node<'n>>) -> (Vec<Parameter>, Vec<Stmt>) {
        let mut all = Vec::new();
        let mut first = Vec::new();
        let Some(list) = list else { return (all, first) };
        let mut positional = 0_usize;
        for part in named(list) {
            let own = self.field(part, "name");
            let mut plain = |pattern, default, rest| all.push(Parameter { pattern, default, rest });
            let fresh = |ruby: &mut Self, name: &str| {
                if let Some(scope) = ruby.scopes.last_mut() {
                    scope.names.insert(name.to_owned());
                }
                Pattern::Name(name.to_owned())
            };
            match part.kind() {
                "identifier" => {
                    let own = self.of(part).to_owned();
                    positional += 1;
                    plain(fresh(self, &own), None, false);
                }
                "optional_parameter" | "keyword_parameter" => {
                    let default = part.child_by_field_name("value").map(|value| self.expression(value));
                    plain(fresh(self, &own), default, false);
                }
                "splat_parameter" => {
                    let pattern =
                        if own.is_empty() { Pattern::Name("*".to_owned()) } else { fresh(self, &own) };
                    plain(pattern, None, true);
                }
                "hash_splat_parameter" => {
                    let own = if own.is_empty() { "**".to_owned() } else { own };
                    let target = fresh(self, &own);
                    first.push(Stmt::Assign(target, name(KEYWORDS), Declares::Here));
                }
                "block_parameter" => {
                    let own = if own.is_empty() { "&&".to_owned() } else { own };
                    let target = fresh(self, &own);
                    first.push(Stmt::Assign(target, name(BLOCK), Declares::Here));
                }
                "destructured_parameter" => {
                    for inner in named(part) {
                        if inner.kind() == "identifier" {
                            let own = self.of(inner).to_owned();
                            fresh(self, &own);
                        }
                    }
                    let pattern = self.pattern(part);
                    plain(pattern, None, false);
                }
                _ => {}
            }
        }
        let mut cursor = list.walk();
        let locals: Vec<Node<'n>> =
            list.children_by_field_name("locals", &mut cursor).filter(Node::is_named).collect();
        for local in locals {
            let own = self.of(local).to_owned();
            if positional > 0 {
                all.retain(|parameter| !matches!(&parameter.pattern, Pattern::Name(name) if *name == own));
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.names.insert(own);
            }
        }
        (all, first)
    }

    /// A block or lambda.
    pub(super) fn closure(&mut self, parameters: Option<Node<'n>>, body: Option<Node<'n>>) -> Expr {
        self.scopes.push(Scope { is_block: true, has_it: parameters.is_none(), ..Scope::default() });
        let (mut all, mut first) = self.parameters(parameters);
        first.extend(self.inside(body));
        let scope = self.scopes.pop().unwrap_or_default();
        if parameters.is_none() {
            let most = ["_3", "_2", "_1"].iter().find(|name| scope.names.contains(**name));
            let names: &[&str] = match most {
                Some(&"_3") => &["_1", "_2", "_3"],
                Some(&"_2") => &["_1", "_2"],
                Some(_) => &["_1"],
                None => &["it"],
            };
            all = names
                .iter()
                .map(|name| Parameter {
                    pattern: Pattern::Name((*name).to_owned()),
                    default: None,
                    rest: false,
                })
                .collect();
        }
        Expr::Function(Rc::new(Function { name: String::new(), parameters: all, body: first }))
    }

    pub(super) fn of_block(&mut self, block: Node<'n>) -> Expr {
        self.closure(block.child_by_field_name("parameters"), block.child_by_field_name("body"))
    }
}
