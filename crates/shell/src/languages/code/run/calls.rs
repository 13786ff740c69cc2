//! Calls: the arguments of one, and the functions, classes and objects that it reaches.

use super::*;

impl Run<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Item {
        // The receiver first, so that a method that changes it can put it back.
        let (receiver, callee) = match &call.callee {
            Expr::Member(object, member) => {
                let receiver = self.eval(object);
                (Some((receiver, object.as_ref(), member.as_str())), None)
            }
            // Its own members first, and what is no function needs no call.
            Expr::Name(name) if self.dialect == Dialect::Ruby => {
                let given = self.given(&call.arguments);
                return ruby::own_call(self, name, &given);
            }
            callee => (None, Some(self.eval(callee))),
        };
        let given = self.given(&call.arguments);
        match (receiver, callee) {
            (Some((receiver, object, member)), _) => {
                if let Some((changed, value)) =
                    crate::languages::code::values::changes(&receiver, member, &given)
                {
                    self.put_back(object, changed);
                    return value;
                }
                self.method(&receiver, member, &given)
            }
            (None, Some(callee)) => self.apply(&callee, &given),
            (None, None) => Item::Unknown,
        }
    }

    pub(super) fn given(&mut self, arguments: &[Argument]) -> Vec<Given> {
        let mut given = Vec::new();
        for argument in arguments {
            let item = self.eval(&argument.value);
            match (&item, argument.spread) {
                (Item::Map(pairs), true) => given.extend(
                    pairs
                        .iter()
                        .map(|(key, item)| Given { name: Some(key.shown().text), item: item.clone() }),
                ),
                (_, true) => match item.items() {
                    Some(items) => {
                        given.extend(items.into_iter().map(|item| Given { name: None, item }));
                    }
                    None => given.push(Given { name: argument.name.clone(), item: Item::Unknown }),
                },
                _ => given.push(Given { name: argument.name.clone(), item }),
            }
        }
        given
    }

    /// Calls a value.
    pub(in crate::languages) fn apply(&mut self, callee: &Item, given: &[Given]) -> Item {
        // A name of the library may lead to itself.
        if !self.step() || self.calls >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        self.calls += 1;
        let item = with_stack(|| self.apply_within(callee, given));
        self.calls -= 1;
        item
    }

    pub(super) fn apply_within(&mut self, callee: &Item, given: &[Given]) -> Item {
        let decorates =
            |given: &Given| given.name.as_deref() == Some(crate::languages::python::library::DECORATED);
        let own = matches!(callee, Item::Function(_) | Item::Class(_) | Item::Partial(_) | Item::Object(_));
        if own && given.iter().any(decorates) {
            let given: Vec<Given> =
                given.iter().map(|given| Given { name: None, item: given.item.clone() }).collect();
            return self.apply(callee, &given);
        }
        match callee {
            Item::Library(name) => self.library_call(&Rc::clone(name), given),
            Item::Function(closure) => self.closure(closure, Some(given)),
            Item::Class(class) => self.made_object(class, given),
            Item::Partial(partial) => {
                let mut all = partial.1.clone();
                all.extend(given.iter().cloned());
                self.apply(&partial.0, &all)
            }
            Item::Either(callees) => {
                let values: Vec<Item> = callees.iter().map(|callee| self.apply(callee, given)).collect();
                Item::either(values)
            }
            Item::Object(object) => {
                let call = ["__call__", "call", "__invoke"]
                    .iter()
                    .find_map(|name| self.class_member(&object.class, name, 0));
                match call {
                    Some(Item::Function(closure)) => {
                        let Item::Function(closure) = bound(&closure, callee) else { return Item::Unknown };
                        self.closure(&closure, Some(given))
                    }
                    _ => Item::Unknown,
                }
            }
            Item::Method(method) => {
                let method = Rc::clone(method);
                self.method(&method.0, &method.1, given)
            }
            // Whatever is called with the name of such a module loads it.
            Item::Unknown if self.dialect == Dialect::JavaScript && loads_module(given) => {
                let name = given.first().and_then(|given| given.item.known_text()).unwrap_or_default();
                Item::library(name.trim_start_matches("node:"))
            }
            Item::Text(name) => self.call_by_text(&name.clone(), given),
            // A table of Lua that can be called.
            Item::Map(pairs) if pairs.iter().any(|(key, _)| key.known_text() == Some("__call")) => {
                let call = self.member(callee, "__call");
                let mut all = vec![Given { name: None, item: callee.clone() }];
                all.extend(given.iter().cloned());
                self.apply(&call, &all)
            }
            Item::List(_) if self.dialect == Dialect::Php => php::call_list(self, callee, given),
            Item::Made(name, first) => self.call_made(&Rc::clone(name), &Rc::clone(first), given),
            _ => {
                self.hand_over(given);
                Item::Unknown
            }
        }
    }

    /// Members through which code reaches what it was not given.
    pub(super) fn reaches_inside(&mut self, member: &str) {
        if matches!(member, "__subclasses__" | "__globals__" | "func_globals" | "f_globals" | "f_builtins") {
            self.unnamed("a call by a computed name");
        }
    }

    /// An operator, which a class of the code may define.
    pub(super) fn operated(&mut self, operator: char, one: &Item, other: &Item) -> Item {
        if let Item::Object(object) = one {
            let names: &[&str] = match operator {
                '+' => &["__add__", "__iadd__", "+"],
                '-' => &["__sub__", "-"],
                '*' => &["__mul__", "*"],
                '/' => &["__truediv__", "__floordiv__", "/"],
                '%' => &["__mod__", "%"],
                '|' => &["__or__", "|"],
                '&' => &["__and__", "&"],
                '^' => &["__xor__", "^"],
                '<' => &["__lshift__", "__lt__", "<<"],
                '>' => &["__rshift__", "__gt__", ">>"],
                _ => &[],
            };
            let own = names.iter().find_map(|name| self.class_member(&object.class, name, 0));
            if let Some(Item::Function(closure)) = own
                && let Item::Function(closure) = bound(&closure, one)
            {
                return self.closure(&closure, Some(&[Given { name: None, item: other.clone() }]));
            }
            return crate::languages::code::values::binary(operator, &Item::Text(one.shown()), other);
        }
        crate::languages::code::values::binary(operator, one, other)
    }

    /// What a class makes of a member that it doesn't have.
    pub(super) fn missing_member(&mut self, own: &Rc<Object>, object: &Item, member: &str) -> Option<Item> {
        let makes = ["__getattr__", "__getattribute__", "method_missing", "__call", "__get"]
            .iter()
            .find_map(|name| self.class_member(&own.class, name, 0))?;
        let Item::Function(closure) = makes else { return None };
        let Item::Function(closure) = bound(&closure, object) else { return None };
        let member = member.trim_start_matches('$');
        let given = Given { name: None, item: Item::text(member) };
        if matches!(closure.function.name.as_str(), "method_missing" | "__call") {
            return Some(Item::Partial(Rc::new((Item::Function(closure), vec![given]))));
        }
        Some(self.closure(&closure, Some(&[given])))
    }

    pub(super) fn made_object(&mut self, class: &Rc<OwnClass>, given: &[Given]) -> Item {
        let object = self.object(Rc::clone(class), Names::new());
        let maker = ["__init__", "constructor", "initialize", "__construct", "new"]
            .iter()
            .find_map(|name| self.class_member(class, name, 0));
        *class.last.borrow_mut() = Some(object.clone());
        if self.dialect == Dialect::Ruby
            && let Item::Object(own) = &object
        {
            ruby::fill(own, &class.bases, given);
        }
        let texts = class.bases.iter().any(
            |base| matches!(base, Item::Library(name) if matches!(&**name, "str" | "String" | "UserString")),
        );
        if let (true, Item::Object(own), Some(Given { item: item @ Item::Text(_), .. })) =
            (texts, &object, given.first())
        {
            own.fields.borrow_mut().insert(crate::languages::code::item::AS_TEXT.to_owned(), item.clone());
        }
        if let Some(Item::Function(closure)) = maker
            && let Item::Function(closure) = bound(&closure, &object)
        {
            self.closure(&closure, Some(given));
        }
        object
    }

    /// Follows a function with these arguments, or with unknown ones.
    pub(in crate::languages) fn closure(&mut self, closure: &Closure, given: Option<&[Given]>) -> Item {
        let function = Rc::clone(&closure.function);
        let own = Rc::as_ptr(&function);
        // Followed again and again, it would do nothing new.
        let is_open = self.uncalled
            && !function.name.is_empty()
            && given
                .unwrap_or_default()
                .iter()
                .all(|given| matches!(given.item, Item::Unknown | Item::Made(..)));
        if is_open
            && let Some((times, item)) = self.open.get(&own)
            && *times >= MOST_OPEN
        {
            return item.clone();
        }
        let active = self.under_way.entry(own).or_default();
        if self.depth >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        if *active >= MOST_AT_ONCE {
            return Item::Unknown;
        }
        *active += 1;
        self.ran.insert(own);
        let spread = self.spread(&function, given);
        let given = spread.as_deref().or(given);
        let mut frame = self.bound_parameters(&function.parameters, closure.this.as_ref(), given);
        if self.dialect == Dialect::Ruby {
            ruby::keep_block(&mut frame.names, &function, given);
        }
        self.frames.push(frame);
        self.seen.push(closure.seen.clone());
        self.depth += 1;
        let last = self.block(&function.body);
        self.depth -= 1;
        self.seen.pop();
        let frame = self.frames.pop().unwrap_or_default();
        if let Some(active) = self.under_way.get_mut(&own) {
            *active = active.saturating_sub(1);
        }
        if let Some(seen) = &closure.seen {
            // What it gave to names of the function around it is there at its next call.
            let mut seen = seen.borrow_mut();
            for name in &frame.outer {
                if let Some(item) = frame.names.get(name) {
                    seen.insert(name.clone(), item.clone());
                }
            }
        }
        let last = self.dialect.last_is_value().then_some(last);
        let value = Item::either(frame.returned.into_iter().chain(last));
        if is_open {
            let (times, kept) = self.open.entry(own).or_insert((0, Item::Unknown));
            *times += 1;
            kept.clone_from(&value);
        }
        value
    }

    /// A list that is given to a block with several parameters gives each of them one of its items.
    pub(super) fn spread(&self, function: &Function, given: Option<&[Given]>) -> Option<Vec<Given>> {
        let plain = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if self.dialect != Dialect::Ruby || !function.name.is_empty() || plain < 2 {
            return None;
        }
        match given? {
            [Given { name: None, item: Item::List(items) }] => {
                Some(items.iter().map(|item| Given { name: None, item: item.clone() }).collect())
            }
            _ => None,
        }
    }

    /// What a test framework gives a parameter of a test: what the function of that name returns.
    pub(super) fn fixture(&mut self, parameter: &Pattern) -> Item {
        let Pattern::Name(name) = parameter else { return Item::Unknown };
        match Self::of_fixture(name).or_else(|| self.get(name)) {
            Some(Item::Function(closure)) => self.closure(&closure, None),
            Some(item @ Item::Text(_)) if Self::of_fixture(name).is_some() => item,
            _ => Item::Unknown,
        }
    }

    pub(super) fn bound_parameters(
        &mut self,
        parameters: &[Parameter],
        this: Option<&Item>,
        given: Option<&[Given]>,
    ) -> Frame {
        let mut frame = Frame::default();
        let mut positional: std::collections::VecDeque<Item> = given
            .unwrap_or_default()
            .iter()
            .filter(|given| given.name.is_none())
            .map(|given| given.item.clone())
            .collect();
        if let Some(this) = this {
            frame.names.insert(self.dialect.this().to_owned(), this.clone());
            if self.dialect.passes_this() {
                positional.push_front(this.clone());
            }
        }
        // What is named and no parameter's is one map, in the last place.
        if self.dialect == Dialect::Ruby
            && let Some(map) = ruby::keywords(parameters, given.unwrap_or_default())
        {
            let wanted = parameters.iter().filter(|parameter| parameter.default.is_none()).count();
            if positional.len() < wanted {
                positional.push_back(map);
            }
        }
        let mut bindings: Vec<(Pattern, Item)> = Vec::new();
        for parameter in parameters {
            let named = match &parameter.pattern {
                Pattern::Name(name) => given
                    .unwrap_or_default()
                    .iter()
                    .find(|given| given.name.as_deref() == Some(name.as_str()))
                    .map(|given| given.item.clone()),
                _ => None,
            };
            let item = if parameter.rest {
                Item::list(std::mem::take(&mut positional).into())
            } else if let Some(item) = named {
                item
            } else if let Some(item) = positional.pop_front() {
                item
            } else {
                match &parameter.default {
                    Some(default) if given.is_none() => {
                        let default = self.eval(default);
                        Item::either([default, Item::Unknown])
                    }
                    Some(default) => self.eval(default),
                    None if given.is_none() && self.dialect == Dialect::Python => {
                        self.fixture(&parameter.pattern)
                    }
                    None => Item::Unknown,
                }
            };
            bindings.push((parameter.pattern.clone(), item));
        }
        self.frames.push(frame);
        self.seen.push(None);
        for (pattern, item) in &bindings {
            self.assign(pattern, item, Declares::Here);
        }
        self.seen.pop();
        self.frames.pop().unwrap_or_default()
    }
}

/// A method with its object.
pub(in crate::languages) fn bound(closure: &Rc<Closure>, object: &Item) -> Item {
    Item::Function(Rc::new(Closure {
        function: Rc::clone(&closure.function),
        seen: closure.seen.clone(),
        this: Some(object.clone()),
    }))
}

/// Whether a function of a class is called without an object: `@staticmethod`, `@classmethod`.
pub(super) fn takes_class(function: &Function) -> bool {
    match function.parameters.first().map(|parameter| &parameter.pattern) {
        Some(Pattern::Nothing) => true,
        Some(Pattern::Name(name)) => name == "cls",
        _ => false,
    }
}

/// Whether the only argument names a module of Node.js that acts.
pub(in crate::languages::code) fn loads_module(given: &[Given]) -> bool {
    let [only] = given else { return false };
    let name = only.item.known_text().unwrap_or_default();
    matches!(name.trim_start_matches("node:"), "child_process" | "fs" | "fs/promises" | "vm" | "net")
}
