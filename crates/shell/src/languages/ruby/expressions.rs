//! Expressions of Ruby.

use super::*;

impl<'n> Ruby<'_, '_, 'n> {
    pub(super) fn expression(&mut self, node: Node<'n>) -> Expr {
        if !self.reader.enter() {
            return unknown();
        }
        let found = with_stack(|| self.expression_within(node));
        self.reader.leave();
        found
    }

    pub(super) fn all(&mut self, node: Node<'n>) -> Vec<Expr> {
        named(node).into_iter().map(|part| self.expression(part)).collect()
    }

    pub(super) fn list(&mut self, parts: &[Node<'n>]) -> Expr {
        let mut whole = Expr::List(Vec::new());
        let mut pairs = Vec::new();
        let mut plain = Vec::new();
        for part in parts {
            match part.kind() {
                "splat_argument" => {
                    let inner = match named(*part).first() {
                        Some(inner) => self.expression(*inner),
                        None => name("*"),
                    };
                    let before = Expr::List(std::mem::take(&mut plain));
                    whole = Expr::Binary('+', Box::new(whole), Box::new(before));
                    whole = Expr::Binary('+', Box::new(whole), Box::new(inner));
                }
                "pair" => pairs.push(self.pair(*part)),
                _ => plain.push(self.expression(*part)),
            }
        }
        if !pairs.is_empty() {
            plain.push(Expr::Map(pairs));
        }
        match whole {
            Expr::List(own) if own.is_empty() => Expr::List(plain),
            whole if plain.is_empty() => whole,
            whole => Expr::Binary('+', Box::new(whole), Box::new(Expr::List(plain))),
        }
    }

    pub(super) fn pair(&mut self, node: Node<'n>) -> (Expr, Expr) {
        let key_node = node.child_by_field_name("key");
        let key = match key_node {
            Some(key) if key.kind() == "hash_key_symbol" => text(self.of(key)),
            Some(key) => self.expression(key),
            None => unknown(),
        };
        let value = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            // `{name:}`
            None => match key_node.map(|key| self.of(key).to_owned()) {
                Some(own) => self.identifier(&own),
                None => unknown(),
            },
        };
        (key, value)
    }

    pub(super) fn identifier(&mut self, own: &str) -> Expr {
        if self.is_local(own) {
            return name(own);
        }
        if matches!(own, "it" | "_1" | "_2" | "_3")
            && let Some(scope) = self.scopes.last_mut()
            && scope.has_it
        {
            scope.names.insert(own.to_owned());
            return name(own);
        }
        if own.starts_with(|first: char| first.is_uppercase()) {
            return name(own);
        }
        call_of(name(own), Vec::new())
    }

    pub(super) fn arguments(&mut self, list: Option<Node<'n>>) -> Vec<Argument> {
        let mut all = Vec::new();
        let mut pairs = Vec::new();
        for part in list.map(named).unwrap_or_default() {
            match part.kind() {
                "pair" => {
                    let key = part.child_by_field_name("key");
                    let named = key.filter(|key| key.kind() == "hash_key_symbol");
                    let own = named.map(|key| self.of(key).to_owned());
                    let (key, value) = self.pair(part);
                    match own {
                        Some(own) => all.push(Argument { name: Some(own), spread: false, value }),
                        None => pairs.push((key, value)),
                    }
                }
                "splat_argument" | "hash_splat_argument" => {
                    let value = match named(part).first() {
                        Some(inner) => self.expression(*inner),
                        None => name(if part.kind() == "splat_argument" { "*" } else { "**" }),
                    };
                    all.push(Argument { name: None, spread: true, value });
                }
                "block_argument" => {
                    let value = match named(part).first() {
                        Some(symbol) if symbol.kind() == "simple_symbol" => {
                            let method = self.of(*symbol).trim_start_matches(':').to_owned();
                            let body = call_of(member(name("it"), &method), Vec::new());
                            Expr::Function(Rc::new(Function {
                                name: String::new(),
                                parameters: vec![Parameter {
                                    pattern: Pattern::Name("it".to_owned()),
                                    default: None,
                                    rest: false,
                                }],
                                body: vec![Stmt::Do(body)],
                            }))
                        }
                        Some(inner) => self.expression(*inner),
                        None => name("&&"),
                    };
                    all.push(Argument { name: Some(BLOCK.to_owned()), spread: false, value });
                }
                "forward_argument" => {
                    all.push(Argument { name: None, spread: true, value: name("*") });
                }
                _ => all.push(Argument::plain(self.expression(part))),
            }
        }
        if !pairs.is_empty() {
            all.push(Argument::plain(Expr::Map(pairs)));
        }
        all
    }

    /// The keys of `object[…]`; a range is none.
    pub(super) fn keys(&mut self, node: Node<'n>) -> Vec<Expr> {
        let object = node.child_by_field_name("object");
        let block = node.child_by_field_name("block");
        named(node)
            .into_iter()
            .filter(|part| Some(*part) != object && Some(*part) != block)
            .map(|part| self.expression(part))
            .collect()
    }

    pub(super) fn called(&mut self, node: Node<'n>) -> Expr {
        let mut arguments = self.arguments(node.child_by_field_name("arguments"));
        if let Some(block) = node.child_by_field_name("block") {
            let value = self.of_block(block);
            arguments.push(Argument { name: Some(BLOCK.to_owned()), spread: false, value });
        }
        let method_node = node.child_by_field_name("method");
        let method = method_node.map(|method| self.of(method).to_owned()).unwrap_or_default();
        match node.child_by_field_name("receiver") {
            Some(receiver) => {
                let object = self.expression(receiver);
                // `block.(x)`
                let method = if method.is_empty() { "call".to_owned() } else { method };
                call_of(member(object, &method), arguments)
            }
            None if method == SUPER => {
                let current = self.methods.last().cloned().unwrap_or_default();
                arguments.insert(0, Argument::plain(text(current)));
                call_of(name(SUPER), arguments)
            }
            None => call_of(name(&method), arguments),
        }
    }

    pub(super) fn expression_within(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "identifier" => {
                let own = self.of(node).to_owned();
                self.identifier(&own)
            }
            "constant" | "self" | "global_variable" | "class_variable" => name(self.of(node)),
            "instance_variable" => self.instance_variable(node),
            "super" => {
                let current = self.methods.last().cloned().unwrap_or_default();
                call_named(SUPER, vec![text(current)])
            }
            "nil" | "encoding" | "line" => unknown(),
            "true" => Expr::Number(1),
            "false" => Expr::Number(0),
            "file" => text("./…"),
            "integer" => number(self.of(node)),
            "character" => text(self.of(node).trim_start_matches('?')),
            "float" | "complex" | "rational" => unknown(),
            "string" | "bare_string" | "delimited_symbol" | "bare_symbol" => joined(self.parts(node)),
            "chained_string" => Expr::Joined(self.all(node)),
            "simple_symbol" => text(self.of(node).trim_start_matches(':')),
            "hash_key_symbol" => text(self.of(node)),
            "regex" => Expr::Opaque(self.parts(node)),
            "subshell" => Expr::Command(Box::new(joined(self.parts(node)))),
            "heredoc_beginning" => self.heredoc(node),
            "string_array" | "symbol_array" => {
                let plain = self.of(node).starts_with("%w") || self.of(node).starts_with("%i");
                Expr::List(
                    self.all(node)
                        .into_iter()
                        .map(|word| match word {
                            // A space may stand inside a word.
                            Expr::Text(value) if plain => text(value.text.replace("\\ ", " ")),
                            word => word,
                        })
                        .collect(),
                )
            }
            "array" => {
                let parts = named(node);
                self.list(&parts)
            }
            "hash" => {
                let mut pairs = Vec::new();
                let mut rest = Vec::new();
                for part in named(node) {
                    match part.kind() {
                        "pair" => pairs.push(self.pair(part)),
                        _ => rest.extend(self.all(part)),
                    }
                }
                let own = Expr::Map(pairs);
                rest.into_iter().fold(own, |whole, more| Expr::Binary('|', Box::new(more), Box::new(whole)))
            }
            _ => self.operated(node),
        }
    }

    /// A call, or an expression with an operator.
    pub(super) fn operated(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "call" => self.called(node),
            "scope_resolution" => {
                let own = self.field(node, "name");
                match node.child_by_field_name("scope") {
                    Some(scope) => member(self.expression(scope), &own),
                    None => name(&own),
                }
            }
            "element_reference" => self.element(node),
            "lambda" => {
                let parameters = node.child_by_field_name("parameters");
                let body = node.child_by_field_name("body");
                let body = match body {
                    Some(body) if matches!(body.kind(), "block" | "do_block") => {
                        body.child_by_field_name("body")
                    }
                    body => body,
                };
                self.closure(parameters, body)
            }
            "binary" => self.binary(node),
            "unary" => {
                let operator = self.field(node, "operator");
                match (operator.as_str(), self.of_field(node, "operand")) {
                    ("-", Expr::Number(number)) => Expr::Number(number.wrapping_neg()),
                    ("defined?", _) => unknown(),
                    (_, inner) => Expr::Opaque(vec![inner]),
                }
            }
            "conditional" => {
                let condition = self.of_field(node, "condition");
                let yes = self.of_field(node, "consequence");
                let no = self.of_field(node, "alternative");
                Expr::Block(vec![Stmt::Do(condition), Stmt::Do(Expr::Either(vec![yes, no]))])
            }
            "range" => {
                let (from, to) = (self.of_field(node, "begin"), self.of_field(node, "end"));
                let open = self.field(node, "operator") == "...";
                let open = Expr::Number(i64::from(open));
                call_named(RANGE, vec![from, to, open])
            }
            "yield" => {
                let arguments = self.arguments(named(node).first().copied());
                call_of(name(BLOCK), arguments)
            }
            "rescue_modifier" => {
                let body = self.of_field(node, "body");
                let handler = self.of_field(node, "handler");
                Expr::Either(vec![body, handler])
            }
            "match_pattern" | "test_pattern" => {
                let value = self.of_field(node, "value");
                match node.child_by_field_name("pattern") {
                    Some(pattern) => {
                        let target = self.matched(pattern);
                        Expr::Block(vec![Stmt::Assign(target, value, Declares::Here)])
                    }
                    None => value,
                }
            }
            _ => self.grouped(node),
        }
    }

    /// What only holds other expressions, and statements that are expressions.
    pub(super) fn grouped(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "argument_list" | "right_assignment_list" => {
                let parts = named(node);
                self.list(&parts)
            }
            "splat_argument" | "parenthesized_statements" | "block_argument" | "hash_splat_argument"
                if named(node).len() == 1 =>
            {
                match named(node).first() {
                    Some(inner) => self.expression(*inner),
                    None => unknown(),
                }
            }
            "interpolation" => match named(node).as_slice() {
                [one] => self.expression(*one),
                several => Expr::Block(self.block(several)),
            },
            "break" | "redo" | "retry" => Expr::Opaque(self.all(node)),
            // `def` gives its name.
            "method" | "singleton_method" => {
                let own = self.field(node, "name");
                let mut all = self.statement(node);
                all.push(Stmt::Do(text(own)));
                Expr::Block(all)
            }
            "assignment"
            | "operator_assignment"
            | "class"
            | "module"
            | "singleton_class"
            | "if"
            | "unless"
            | "while"
            | "until"
            | "for"
            | "case"
            | "case_match"
            | "begin"
            | "return"
            | "next"
            | "if_modifier"
            | "unless_modifier"
            | "while_modifier"
            | "until_modifier"
            | "alias"
            | "undef"
            | "begin_block"
            | "parenthesized_statements" => Expr::Block(self.statement(node)),
            "end_block" => {
                let body = Expr::Block(self.statement(node));
                Expr::Opaque(vec![body])
            }
            "comment" | "heredoc_body" | "empty_statement" => unknown(),
            "block" | "do_block" => self.of_block(node),
            _ => Expr::Opaque(self.all(node)),
        }
    }

    pub(super) fn element(&mut self, node: Node<'n>) -> Expr {
        let object = Box::new(self.of_field(node, "object"));
        let keys = self.keys(node);
        match keys.as_slice() {
            [Expr::Call(range)] if matches!(&range.callee, Expr::Name(name) if name == RANGE) => {
                let bound = |at: usize| range.arguments.get(at).map(|argument| argument.value.clone());
                let known = |bound: Option<Expr>| match bound {
                    Some(Expr::Opaque(parts)) if parts.is_empty() => None,
                    bound => bound.map(Box::new),
                };
                let open = matches!(bound(2), Some(Expr::Number(1)));
                let to = match (known(bound(1)), open) {
                    // The last one belongs to it.
                    (Some(to), false) => match *to {
                        Expr::Number(-1) => None,
                        Expr::Number(last) => Some(Box::new(Expr::Number(last.saturating_add(1)))),
                        to => Some(Box::new(Expr::Binary('+', Box::new(to), Box::new(Expr::Number(1))))),
                    },
                    (to, _) => to,
                };
                Expr::Slice(object, [known(bound(0)), to, None])
            }
            [from @ Expr::Number(start), Expr::Number(length)] => {
                let to = Expr::Number(start.saturating_add(*length));
                Expr::Slice(object, [Some(Box::new(from.clone())), Some(Box::new(to)), None])
            }
            [key] => Expr::Index(object, Box::new(key.clone())),
            [] => call_of(Expr::Member(object, "[]".to_owned()), Vec::new()),
            _ => call_of(
                Expr::Member(object, "[]".to_owned()),
                keys.into_iter().map(Argument::plain).collect(),
            ),
        }
    }

    pub(super) fn binary(&mut self, node: Node<'n>) -> Expr {
        let operator = self.field(node, "operator");
        let (left, right) = (self.of_field(node, "left"), self.of_field(node, "right"));
        match operator.as_str() {
            "||" | "or" => Expr::Either(vec![left, right]),
            "&&" | "and" => Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)]),
            "<<" => call_of(member(left, "<<"), vec![Argument::plain(right)]),
            "+" | "-" | "*" | "/" | "%" | "^" | "|" | "&" | ">>" => {
                Expr::Binary(operator.chars().next().unwrap_or('?'), Box::new(left), Box::new(right))
            }
            _ => Expr::Opaque(vec![left, right]),
        }
    }

    /// The parts of a text.
    pub(super) fn parts(&mut self, node: Node<'n>) -> Vec<Expr> {
        let opening = node.child(0).map(|mark| self.of(mark).to_owned()).unwrap_or_default();
        let plain = opening == "'" || opening.starts_with("%q") || opening.starts_with("%w");
        let mut parts = Vec::new();
        let mut value = String::new();
        for child in named(node) {
            match child.kind() {
                "escape_sequence" => {
                    let own = self.of(child);
                    if plain && !matches!(own, "\\'" | "\\\\") {
                        value.push_str(own);
                    } else {
                        value.push_str(&escape(own));
                    }
                }
                "interpolation" => {
                    if !value.is_empty() {
                        parts.push(Expr::Text(Value::literal(std::mem::take(&mut value))));
                    }
                    parts.push(self.expression(child));
                }
                _ if plain => {
                    let own = self.of(child).replace("\\\\", "\u{0}").replace("\\'", "'");
                    value.push_str(&own.replace('\u{0}', "\\"));
                }
                _ => value.push_str(self.of(child)),
            }
        }
        if !value.is_empty() {
            parts.push(Expr::Text(Value::literal(value)));
        }
        parts
    }

    pub(super) fn heredoc(&mut self, node: Node<'n>) -> Expr {
        let Some(body) = self.bodies.get(&node.start_byte()).copied() else { return unknown() };
        let opening = self.of(node).to_owned();
        let indented = opening.contains('~');
        let raw = self.of(body).to_owned();
        let depth = raw
            .trim_end_matches(|letter| letter != '\n')
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start().len())
            .min()
            .filter(|_| indented)
            .unwrap_or(0);
        let mut parts = Vec::new();
        let mut value = String::new();
        let mut starts_line = true;
        for child in named(body) {
            match child.kind() {
                "heredoc_content" | "string_content" => {
                    for line in self.of(child).split_inclusive('\n') {
                        let line = if starts_line {
                            let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
                            line.get(spaces.min(depth)..).unwrap_or(line)
                        } else {
                            line
                        };
                        value.push_str(line);
                        starts_line = line.ends_with('\n');
                    }
                }
                "escape_sequence" => {
                    value.push_str(&escape(self.of(child)));
                    starts_line = false;
                }
                "interpolation" => {
                    if !value.is_empty() {
                        parts.push(Expr::Text(Value::literal(std::mem::take(&mut value))));
                    }
                    parts.push(self.expression(child));
                    starts_line = false;
                }
                _ => {}
            }
        }
        // The grammar leaves the line end in front.
        if parts.is_empty() && value.starts_with('\n') {
            value.remove(0);
        } else if let Some(Expr::Text(first)) = parts.first_mut()
            && first.text.starts_with('\n')
        {
            first.text.remove(0);
        }
        if !value.is_empty() {
            parts.push(Expr::Text(Value::literal(value)));
        }
        let whole = joined(parts);
        if opening.contains('`') { Expr::Command(Box::new(whole)) } else { whole }
    }
}
