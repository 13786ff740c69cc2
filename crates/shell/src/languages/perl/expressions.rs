//! Expressions of Perl.

use super::*;

impl<'n> Perl<'_, '_> {
    pub(super) fn expression_within(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "scalar" => match named(node).first() {
                // `$$x`, `${…}`: what a reference leads to is kept as the value itself.
                Some(name) if name.kind() == "block" || !named(*name).is_empty() => {
                    let inner =
                        if name.kind() == "block" { Some(*name) } else { named(*name).first().copied() };
                    inner.map_or_else(unknown, |inner| self.inner(inner))
                }
                _ => Expr::Name(self.variable(node)),
            },
            "array" | "hash" => match named(node).first() {
                Some(name) if name.kind() == "block" => self.inner(*name),
                Some(name) if !named(*name).is_empty() => {
                    named(*name).first().map_or_else(unknown, |inner| self.inner(*inner))
                }
                _ => Expr::Name(self.variable(node)),
            },
            "hash_element_expression" | "array_element_expression" => {
                let (object, key) = self.element(node);
                Expr::Index(Box::new(object), Box::new(key))
            }
            "number" => number(self.reader.of(node)),
            "string_literal" | "interpolated_string_literal" => self.string(node),
            "command_string" => Expr::Command(Box::new(self.string(node))),
            "quoted_word_list" => {
                let words = named(node).first().map(|words| self.reader.of(*words)).unwrap_or_default();
                Expr::List(words.split_whitespace().map(text).collect())
            }
            "autoquoted_bareword" => text(self.reader.of(node)),
            "bareword" | "package" => Expr::Name(dotted(self.reader.of(node))),
            "function" => {
                let name = dotted(self.reader.of(node).trim_start_matches('&'));
                self.call(&name, Vec::new())
            }
            "assignment_expression" => self.assignment(node),
            "variable_declaration" | "localization_expression" => {
                let pattern = self.pattern(node);
                Expr::Block(vec![Stmt::Assign(pattern, unknown(), Declares::Here)])
            }
            "binary_expression" => self.binary(node),
            "equality_expression" | "relational_expression" => {
                Expr::Opaque(vec![self.field(node, "left"), self.field(node, "right")])
            }
            "lowprec_logical_expression" => self.logical(node),
            "conditional_expression" => {
                let condition = self.field(node, "condition");
                let (yes, no) = (self.field(node, "consequent"), self.field(node, "alternative"));
                Expr::Block(vec![Stmt::Do(condition), Stmt::Do(Expr::Either(vec![yes, no]))])
            }
            _ => self.applied(node),
        }
    }

    /// A call, or what is made of functions, lists and references.
    pub(super) fn applied(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "function_call_expression" | "ambiguous_function_call_expression" => self.called(node),
            "func1op_call_expression" | "func0op_call_expression" => {
                let name = node.child(0).map(|name| self.reader.of(name)).unwrap_or_default().to_owned();
                let arguments = named(node).into_iter().flat_map(|part| self.arguments(part)).collect();
                if name.starts_with('-') {
                    return Expr::Opaque(arguments_values(arguments));
                }
                self.call(&name, arguments)
            }
            "coderef_call_expression" => {
                let callee = named(node).first().map_or_else(unknown, |callee| self.expression(*callee));
                let arguments = self.arguments_of(node);
                call_of(callee, arguments)
            }
            "method_call_expression" => self.method(node),
            "anonymous_subroutine_expression" => Expr::Function(self.function(node)),
            "anonymous_array_expression" => {
                let parts = named(node);
                match parts.as_slice() {
                    [] => Expr::List(Vec::new()),
                    [only] => self.list(*only),
                    _ => Expr::List(parts.into_iter().map(|part| self.expression(part)).collect()),
                }
            }
            "anonymous_hash_expression" => {
                let parts = named(node).into_iter().flat_map(|part| self.parts(part)).collect();
                self.pairs(parts)
            }
            "refgen_expression" => match named(node).first() {
                // `\&name`
                Some(inner) if inner.kind() == "function" => match named(*inner).first() {
                    Some(name) if name.kind() == "varname" && named(*name).is_empty() => {
                        Expr::Name(dotted(self.reader.of(*name)))
                    }
                    Some(name) => named(*name).first().map_or_else(unknown, |inner| self.inner(*inner)),
                    None => unknown(),
                },
                Some(inner) => self.expression(*inner),
                None => unknown(),
            },
            "code_deref_expression" => named(node).first().map_or_else(unknown, |inner| self.inner(*inner)),
            "eval_expression" => match named(node).first() {
                Some(block) if block.kind() == "block" => Expr::Block(self.block(*block)),
                Some(file) if file.kind() == "filename" => {
                    let arguments = self.all(*file).into_iter().map(Argument::plain).collect();
                    self.call("dofile", arguments)
                }
                Some(code) => {
                    let code = self.expression(*code);
                    self.call("eval", vec![Argument::plain(code)])
                }
                None => self.call("eval", Vec::new()),
            },
            "do_expression" => match named(node).first() {
                Some(block) if block.kind() == "block" => Expr::Block(self.block(*block)),
                Some(file) => {
                    let file = self.expression(*file);
                    self.call("dofile", vec![Argument::plain(file)])
                }
                None => unknown(),
            },
            "require_expression" | "require_version_expression" => match named(node).first() {
                Some(file) if !matches!(file.kind(), "bareword" | "package") => {
                    let file = self.expression(*file);
                    self.call("require", vec![Argument::plain(file)])
                }
                Some(name) => {
                    let name = Expr::Text(Value::literal(self.reader.of(*name)));
                    self.call(library::LOADED, vec![Argument::plain(name)])
                }
                None => unknown(),
            },
            _ => self.grouped(node),
        }
    }

    /// What goes through a list, or only holds other expressions.
    pub(super) fn grouped(&mut self, node: Node<'n>) -> Expr {
        match node.kind() {
            "map_grep_expression" => {
                let item = match node.child_by_field_name("callback") {
                    Some(callback) => self.inner(callback),
                    None => unknown(),
                };
                let over = node.child_by_field_name("list").map_or_else(unknown, |list| self.list(list));
                let keeps = node.child(0).is_some_and(|word| self.reader.of(word) == "grep");
                let item = if keeps {
                    Expr::Block(vec![Stmt::Do(item), Stmt::Do(Expr::Name("$_".to_owned()))])
                } else {
                    item
                };
                Expr::Each(Box::new(Each { item, loops: vec![(Pattern::Name("$_".to_owned()), over)] }))
            }
            "sort_expression" | "reverse_expression" => {
                node.child_by_field_name("list").map_or_else(unknown, |list| self.list(list))
            }
            "fileglob_expression" => {
                let pattern = self.string(node);
                self.call("glob", vec![Argument::plain(pattern)])
            }
            "parenthesized_expression" | "list_expression" => match self.parts(node).as_slice() {
                [only] => self.expression(*only),
                _ => self.list(node),
            },
            "slice_expression" => {
                let name = node.child_by_field_name("array").or_else(|| node.child_by_field_name("hash"));
                let of = name.and_then(|name| named(name).first().copied());
                let kind = if node.child_by_field_name("hash").is_some() { '%' } else { '@' };
                match of {
                    Some(name) if named(name).is_empty() => {
                        Expr::Opaque(vec![Expr::Name(format!("{kind}{}", self.reader.of(name)))])
                    }
                    _ => Expr::Opaque(self.all(node)),
                }
            }
            "substitution_regexp" => self.substitution(node),
            // Code in a pattern: `(?{ … })`.
            "match_regexp" | "quote_regexp"
                if self.reader.of(node).contains("(?{") || self.reader.of(node).contains("(??{") =>
            {
                let code = self.reader.of(node).split_once('{').map_or("", |(_, code)| code);
                let code = code.rsplit_once("})").map_or(code, |(code, _)| code).to_owned();
                self.call("eval", vec![Argument::plain(text(code))])
            }
            "match_regexp" => unknown(),
            "return_expression" => {
                let value = named(node).first().map(|value| self.expression(*value));
                Expr::Block(vec![Stmt::Return(value)])
            }
            "postfix_conditional_expression" | "postfix_for_expression" | "postfix_loop_expression" => {
                Expr::Block(self.simple(node))
            }
            "block" => Expr::Block(self.block(node)),
            "readline_expression" if named(node).is_empty() => {
                self.call(library::READ_LINE, vec![Argument::plain(Expr::Name("@ARGV".to_owned()))])
            }
            "readline_expression" | "undef_expression" | "loopex_expression" | "comment" => unknown(),
            kind if kind.ends_with("_statement") => Expr::Block(self.statement(node)),
            _ => Expr::Opaque(self.all(node)),
        }
    }

    pub(super) fn assignment(&mut self, node: Node<'n>) -> Expr {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return unknown();
        };
        let operator = self.reader.field(node, "operator").unwrap_or("=");
        let declares = matches!(left.kind(), "variable_declaration");
        let holder = match left.kind() {
            "variable_declaration" | "localization_expression" => {
                left.child_by_field_name("variable").or_else(|| named(left).first().copied()).unwrap_or(left)
            }
            _ => left,
        };
        let pattern = match self.pattern(left) {
            Pattern::Rest(whole) => *whole,
            pattern => pattern,
        };
        let value = match (&pattern, holder.kind()) {
            (Pattern::Several(_), _) => self.list(right),
            (_, "array") => self.list(right),
            (_, "hash") => {
                let parts = self.parts(right);
                if parts.len() > 1 { self.pairs(parts) } else { self.expression(right) }
            }
            _ => self.expression(right),
        };
        let value = match operator.trim_end_matches('=') {
            "" => value,
            "||" | "//" | "&&" => Expr::Either(vec![self.expression(left), value]),
            "." => Expr::Binary('.', Box::new(self.expression(left)), Box::new(value)),
            "x" => Expr::Binary('*', Box::new(self.expression(left)), Box::new(value)),
            other => Expr::Binary(
                other.chars().next().unwrap_or('?'),
                Box::new(self.expression(left)),
                Box::new(value),
            ),
        };
        if declares {
            return Expr::Block(vec![Stmt::Assign(pattern, value, Declares::Here)]);
        }
        Expr::Assign(Box::new(pattern), Box::new(value))
    }

    /// A list of keys and values.
    pub(super) fn pairs(&mut self, parts: Vec<Node<'n>>) -> Expr {
        let mut pairs = Vec::new();
        let mut more = Vec::new();
        let mut parts = parts.into_iter();
        while let Some(key) = parts.next() {
            if spreads(key) {
                more.push(self.expression(key));
                continue;
            }
            let Some(value) = parts.next() else { break };
            pairs.push((self.expression(key), self.expression(value)));
        }
        more.into_iter()
            .fold(Expr::Map(pairs), |whole, more| Expr::Binary('|', Box::new(more), Box::new(whole)))
    }

    pub(super) fn logical(&mut self, node: Node<'n>) -> Expr {
        let (left, right) = (self.field(node, "left"), self.field(node, "right"));
        let operator = self.reader.field(node, "operator").unwrap_or("or");
        if matches!(operator, "and" | "&&") {
            Expr::Block(vec![Stmt::Do(left), Stmt::Do(right)])
        } else {
            Expr::Either(vec![left, right])
        }
    }

    pub(super) fn binary(&mut self, node: Node<'n>) -> Expr {
        let operator = self.reader.field(node, "operator").unwrap_or_default();
        let right = node.child_by_field_name("right");
        match (operator, right.map(|right| right.kind())) {
            (_, Some("substitution_regexp")) => self.substitution(node),
            (_, Some("transliteration_expression")) => self.transliteration(node),
            ("||" | "//" | "&&", _) => self.logical(node),
            (_, Some("match_regexp")) => {
                let left = self.field(node, "left");
                let code = right.map_or_else(unknown, |right| self.expression(right));
                Expr::Opaque(vec![left, code])
            }
            ("=~" | "!~", _) => Expr::Opaque(vec![self.field(node, "left")]),
            _ => {
                let (left, right) = (self.field(node, "left"), self.field(node, "right"));
                let operator = match operator {
                    "x" => '*',
                    "**" => '?',
                    other => other.chars().next().unwrap_or('?'),
                };
                Expr::Binary(operator, Box::new(left), Box::new(right))
            }
        }
    }

    /// `$x =~ s/a/b/e`: the replacement may be code.
    pub(super) fn substitution(&mut self, node: Node<'n>) -> Expr {
        let right = node.child_by_field_name("right").unwrap_or(node);
        let modifiers = self.reader.field(right, "modifiers").unwrap_or_default();
        let runs = modifiers.contains('e');
        // What the replacement amounts to is code once more.
        let runs_twice = modifiers.matches('e').count() > 1;
        let pattern = node.child_by_field_name("left").map(|left| self.pattern(left));
        let mut steps = vec![Stmt::Do(self.field(node, "left"))];
        if runs {
            let code = named(right)
                .into_iter()
                .find(|part| part.kind() == "replacement")
                .map(|part| self.reader.of(part).to_owned())
                .unwrap_or_default();
            let code = if runs_twice { unknown() } else { text(code) };
            let call = self.call("eval", vec![Argument::plain(code)]);
            steps.push(Stmt::Do(call));
        }
        if let Some(pattern) = pattern {
            steps.push(Stmt::Assign(pattern, unknown(), Declares::There));
        }
        Expr::Block(steps)
    }

    /// `$x =~ tr/a-z/n-za-m/`
    pub(super) fn transliteration(&mut self, node: Node<'n>) -> Expr {
        let Some(right) = node.child_by_field_name("right") else { return unknown() };
        let part = |kind: &str| {
            let part = named(right).into_iter().find(|part| part.kind() == kind);
            text(part.map(|part| self.reader.of(part)).unwrap_or_default())
        };
        let (from, to) = (part("transliteration_content"), part("replacement"));
        let target = node.child_by_field_name("left");
        let own = self.field(node, "left");
        let call = self.call(library::TRANSLITERATED, [own, from, to].map(Argument::plain).into());
        let keeps = self.reader.field(right, "modifiers").is_some_and(|modifiers| modifiers.contains('r'));
        match target {
            Some(target) if !keeps => {
                let pattern = match target.kind() {
                    // `(my $copy = $x) =~ tr/…/…/`
                    "parenthesized_expression" => named(target)
                        .first()
                        .and_then(|inner| inner.child_by_field_name("left"))
                        .map_or(Pattern::Nothing, |inner| self.pattern(inner)),
                    _ => self.pattern(target),
                };
                Expr::Block(vec![Stmt::Assign(pattern, call, Declares::There)])
            }
            _ => call,
        }
    }

    pub(super) fn called(&mut self, node: Node<'n>) -> Expr {
        let Some(function) = node.child_by_field_name("function") else { return unknown() };
        let indirect = named(node).into_iter().find(|part| part.kind() == "indirect_object");
        let name = dotted(self.reader.of(function).trim_start_matches('&'));
        // `exec { $program } @words`: the first word is only the name that it sees.
        if let Some(indirect) = indirect
            && matches!(name.as_str(), "exec" | "system")
        {
            let object = named(indirect).first().map_or_else(unknown, |object| self.inner(*object));
            let given = fields(node, "arguments");
            let given = given.first().map_or_else(|| Expr::List(Vec::new()), |list| self.list(*list));
            let rest = Expr::Slice(Box::new(given), [Some(Box::new(Expr::Number(1))), None, None]);
            let rest = Argument { name: None, spread: true, value: rest };
            return self.call(&name, vec![Argument::plain(object), rest]);
        }
        let mut arguments = self.arguments_of(node);
        // `&$name(…)`, `&{"name"}(…)`
        if let Some(inner) =
            named(function).first().filter(|inner| inner.kind() != "varname" || !named(**inner).is_empty())
        {
            let inner = if inner.kind() == "varname" {
                named(*inner).first().copied().unwrap_or(*inner)
            } else {
                *inner
            };
            let callee = self.inner(inner);
            return call_of(callee, arguments);
        }
        if let Some(indirect) = indirect {
            let object = named(indirect).first().map_or_else(unknown, |object| self.inner(*object));
            match name.as_str() {
                // `print {$file} "…"`
                "print" | "printf" | "say" => {
                    let callee = Expr::Member(Box::new(object), "print".to_owned());
                    return call_of(callee, arguments);
                }
                _ => arguments.insert(0, Argument::plain(object)),
            }
        }
        match name.as_str() {
            "open" | "sysopen" if arguments.len() > 1 => self.opened(node, &name, arguments),
            // `push @list, …`
            "push" | "unshift" | "pop" | "shift" | "splice" if !arguments.is_empty() => {
                let object = arguments.remove(0).value;
                let callee = Expr::Member(Box::new(object), name);
                call_of(callee, arguments)
            }
            _ => self.call(&name, arguments),
        }
    }

    /// `open(my $file, MODE, PATH)`: the file is what the variable holds.
    pub(super) fn opened(&mut self, node: Node<'n>, name: &str, mut arguments: Vec<Argument>) -> Expr {
        let handle = fields(node, "arguments").into_iter().flat_map(|list| self.parts(list)).next();
        let pattern = handle.map_or(Pattern::Nothing, |handle| self.pattern(handle));
        arguments.remove(0);
        let declares = handle.is_some_and(|handle| handle.kind() == "variable_declaration");
        let call = self.call(name, arguments);
        let declares = if declares { Declares::Here } else { Declares::There };
        Expr::Block(vec![Stmt::Assign(pattern, call, declares)])
    }

    pub(super) fn method(&mut self, node: Node<'n>) -> Expr {
        let object = self.field(node, "invocant");
        let arguments = self.arguments_of(node);
        let Some(method) = node.child_by_field_name("method") else { return unknown() };
        match named(method).first() {
            // `$object->$name(…)`
            Some(name) => {
                let name = self.expression(*name);
                let mut all = vec![Argument::plain(object), Argument::plain(name)];
                all.extend(arguments);
                self.call(library::BY_NAME, all)
            }
            None => {
                let member = self.reader.of(method).rsplit("::").next().unwrap_or_default().to_owned();
                let callee = Expr::Member(Box::new(object), member);
                call_of(callee, arguments)
            }
        }
    }

    /// A function by its name. `shift` takes from what the function or script is given.
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Argument>) -> Expr {
        let mut arguments = arguments;
        if arguments.is_empty() {
            if matches!(name, "shift" | "pop") {
                let callee =
                    Expr::Member(Box::new(Expr::Name(library::GIVEN.to_owned())), "shift".to_owned());
                return call_of(callee, arguments);
            }
            if rules::of("perl").has(NameRole::OnDefault, name) {
                arguments.push(Argument::plain(Expr::Name("$_".to_owned())));
            }
        }
        if matches!(name, "shift" | "pop")
            && let [only] = arguments.as_slice()
        {
            let callee = Expr::Member(Box::new(only.value.clone()), name.to_owned());
            return call_of(callee, Vec::new());
        }
        call_of(Expr::Name(name.to_owned()), arguments)
    }

    pub(super) fn string(&mut self, node: Node<'n>) -> Expr {
        // What the grammar calls the content leaves out blanks at its beginning.
        let mut cursor = node.walk();
        let parts: Vec<Node<'n>> = node.children(&mut cursor).collect();
        let content = node.child_by_field_name("content");
        let close = parts.last().map_or(node.end_byte(), Node::start_byte);
        let first = content.map_or(close, |content| content.start_byte());
        let open = parts
            .iter()
            .filter(|part| !part.is_named() && part.end_byte() <= first && part.start_byte() < close);
        let start = open.map(Node::end_byte).max().unwrap_or(node.start_byte());
        self.filled(content, start, close, node.kind() == "string_literal")
    }

    /// A text with what is filled into it.
    pub(super) fn filled(&mut self, node: Option<Node<'n>>, start: usize, end: usize, raw: bool) -> Expr {
        let mut parts = Vec::new();
        let mut value = String::new();
        let mut from = start;
        for child in node.map(named).unwrap_or_default() {
            value.push_str(self.reader.text.get(from..child.start_byte()).unwrap_or_default());
            from = child.end_byte();
            match child.kind() {
                "escape_sequence" if raw => {
                    let written = self.reader.of(child);
                    value.push_str(if written == "\\\\" { "\\" } else { written.trim_start_matches('\\') });
                }
                "escape_sequence" => value.push_str(&escape(self.reader.of(child))),
                _ => {
                    if !value.is_empty() {
                        parts.push(Expr::Text(Value::literal(std::mem::take(&mut value))));
                    }
                    let filled = self.expression(child);
                    // The items of an array stand with blanks between them.
                    parts.push(if child.kind() == "array" {
                        self.call("join", [text(" "), filled].map(Argument::plain).into())
                    } else {
                        filled
                    });
                }
            }
        }
        value.push_str(self.reader.text.get(from..end).unwrap_or_default());
        if !value.is_empty() {
            parts.push(Expr::Text(Value::literal(value)));
        }
        joined(parts)
    }
}
