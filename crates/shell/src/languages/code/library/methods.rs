//! Methods of values: of the language itself, of lists and texts, of what nobody knows.

use super::*;

impl Run<'_> {
    /// A method of any value.
    pub(in crate::languages) fn method(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        self.watched(member, given, |run| run.method_itself(receiver, member, given))
    }

    pub(super) fn method_itself(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        if let Some(item) = self.method_of_dialect(receiver, member, given) {
            return item;
        }
        match receiver {
            Item::Either(items) => {
                let values: Vec<Item> = items.iter().map(|item| self.method(item, member, given)).collect();
                Item::either(values)
            }
            Item::Library(name) => {
                if let Some(item) = self.reflected(receiver, member, given) {
                    return item;
                }
                // All that a module holds, to be chosen from by what only the running code knows.
                let module = name.strip_suffix(".__dict__").unwrap_or(name);
                let whole = matches!(member, "values" | "items")
                    && module != "globals"
                    && !Self::is_environment(name);
                if whole && self.acts_below(module) {
                    self.unnamed("a call by a computed name");
                }
                if let Some(line) = self.command_line(receiver) {
                    return self.method(&line, member, given);
                }
                let full = format!("{name}.{member}");
                let own = self.frames.first().and_then(|frame| frame.names.get(&full)).cloned();
                match own {
                    Some(item) => self.apply(&item, given),
                    None => self.library_call(&full, given),
                }
            }
            Item::Function(_) | Item::Partial(_) | Item::Class(_) | Item::Object(_) => {
                if let Some(item) = self.reflected(receiver, member, given) {
                    return item;
                }
                match receiver {
                    Item::Function(_) | Item::Partial(_) => {
                        // `task.delay(x)`, `f()()`
                        self.apply(receiver, given)
                    }
                    _ => match (self.member(receiver, member), receiver) {
                        (Item::Class(class), Item::Class(_)) => self.apply(&Item::Class(class), given),
                        (Item::Unknown, Item::Object(_)) => self.of_any(receiver, member, given),
                        (item, _) => self.apply(&item, given),
                    },
                }
            }
            Item::Map(_) => match self.member(receiver, member) {
                item @ (Item::Function(_) | Item::Library(_) | Item::Partial(_) | Item::Either(_)) => {
                    self.apply(&item, given)
                }
                _ => values::method(receiver, member, given)
                    .unwrap_or_else(|| self.on_each(receiver, member, given)),
            },
            Item::List(items) if member == "run" || member == "start" || member == "join" => {
                let _ = items;
                values::method(receiver, member, given).unwrap_or(Item::Unknown)
            }
            Item::List(_) if self.rule(&format!(".{member}")) == Some(Act::ShellSelf) => {
                self.act(Act::ShellSelf, member, Some(receiver), given)
            }
            Item::List(_) | Item::Number(_) => match values::method(receiver, member, given) {
                Some(item) => item,
                None => self.on_each(receiver, member, given),
            },
            Item::Made(name, first) => {
                let (name, first) = (Rc::clone(name), Rc::clone(first));
                self.made_method(&name, &first, receiver, member, given)
            }
            Item::Method(_) => self.apply(receiver, given),
            Item::Nothing => Item::Nothing,
            Item::Text(_) | Item::Unknown => self.of_any(receiver, member, given),
        }
    }

    /// A method as the language itself finds it; `None` where the receiver decides.
    pub(super) fn method_of_dialect(
        &mut self,
        receiver: &Item,
        member: &str,
        given: &[Given],
    ) -> Option<Item> {
        // What a promise holds: of a module, the module.
        if let (Dialect::JavaScript, "then", Some(then)) = (self.dialect, member, given.first())
            && matches!(then.item, Item::Function(_) | Item::Library(_) | Item::Method(_) | Item::Partial(_))
        {
            let held = match receiver {
                Item::Made(..) => Item::Unknown,
                held => held.clone(),
            };
            self.hand_over(given.get(1..).unwrap_or_default());
            return Some(self.apply(&then.item.clone(), &[Given { name: None, item: held }]));
        }
        // A method of Go is a function of the receiver, whatever that is.
        if self.dialect == Dialect::Go
            && !matches!(receiver, Item::Library(_))
            && matches!(self.member(receiver, member), Item::Unknown | Item::Method(_))
            && let Some(function @ Item::Function(_)) = self.get(&format!(".{member}"))
        {
            let mut all = vec![Given { name: None, item: receiver.clone() }];
            all.extend(given.iter().cloned());
            return Some(self.apply(&function, &all));
        }
        // A method is a function of the package, whatever the object is.
        if self.dialect == Dialect::Perl
            && let Some(function @ Item::Function(_)) = self.get(member).or_else(|| {
                let missing = matches!(receiver, Item::Library(_)) && !matches!(member, "new" | "import");
                missing.then(|| self.get("AUTOLOAD")).flatten()
            })
        {
            self.set("$AUTOLOAD", Item::text(member), crate::languages::code::tree::Declares::There);
            let mut all = vec![Given { name: None, item: receiver.clone() }];
            all.extend(given.iter().cloned());
            return Some(self.apply(&function, &all));
        }
        match (self.dialect, receiver) {
            (_, Item::Either(_)) => None,
            (Dialect::Ruby, _) => crate::languages::ruby::library::method(self, receiver, member, given),
            (Dialect::Php, _) => crate::languages::php::library::method(self, receiver, member, given),
            _ => None,
        }
    }

    /// A method of a text, a path, or of what nobody knows.
    pub(super) fn of_any(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        if !matches!(receiver, Item::Text(_))
            && let Some(item) = self.client(receiver, member, given)
        {
            return item;
        }
        let row = self.rule(&format!(".{member}"));
        let act = row.or_else(|| {
            let telling =
                is(NameRole::Telling, member) && matches!(receiver, Item::Unknown | Item::Object(_));
            telling.then(|| self.language.telling(member)).flatten()
        });
        // An event loop's own ways to start programs: a protocol, then the command.
        if matches!(member, "subprocess_exec" | "subprocess_shell") && given.len() > 1 {
            let act = if member == "subprocess_exec" { Act::Words } else { Act::Shell };
            return self.act(act, "asyncio.subprocess", None, given.get(1..).unwrap_or_default());
        }
        // A text that is no path has methods of its own.
        let of_text = matches!(receiver, Item::Text(_))
            && matches!(member, "replace" | "format" | "join" | "split" | "strip" | "encode" | "decode");
        match act {
            Some(act) if !of_text => {
                return self.act(act, &format!(".{member}"), Some(receiver), given);
            }
            _ => {}
        }
        if matches!(receiver, Item::Text(_)) {
            if member == "open" {
                let mut all = vec![Given { name: None, item: receiver.clone() }];
                all.extend(given.iter().cloned());
                return self.act(Act::Open, "open", None, &all);
            }
            if let ("rename" | "replace" | "move", [Given { item, .. }]) = (member, given) {
                let (from, to) = (receiver.shown(), item.shown());
                let (from, to) = (self.placed(from), self.placed(to));
                self.effects.move_to(&from, &to);
                return item.clone();
            }
        }
        // A function that makes what stands in the place of what a pattern fits.
        if matches!(receiver, Item::Text(_)) && !is(NameRole::OnEach, member) {
            let functions: Vec<Given> =
                given.iter().filter(|given| matches!(given.item, Item::Function(_))).cloned().collect();
            self.hand_over(&functions);
        }
        if let Some(item) = values::method(receiver, member, given) {
            return item;
        }
        if !matches!(receiver, Item::Text(_)) && !is(NameRole::OnEach, member) {
            self.offer(member, given);
        }
        self.on_each(receiver, member, given)
    }

    /// A method that runs a function on each item, or hands it to what nobody knows.
    pub(super) fn on_each(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        let function = match crate::languages::ruby::library::block_of(given) {
            None => given.first().map(|given| given.item.clone()),
            block => block,
        };
        if is(NameRole::OnEach, member)
            && let Some(function @ (Item::Function(_) | Item::Library(_) | Item::Partial(_))) = function
        {
            let items = match receiver {
                Item::Map(pairs) => Some(
                    pairs
                        .iter()
                        .map(|(key, item)| Item::list(vec![key.clone(), item.clone()]))
                        .collect::<Vec<_>>(),
                ),
                Item::Text(_) => None,
                item => item.items(),
            };
            let acts = matches!(&function, Item::Library(name) if self.rule(name).is_some());
            return match items {
                Some(items) if items.len() <= 64 => {
                    let mut results = Vec::new();
                    for item in items {
                        let given = match (&item, receiver) {
                            (Item::List(parts), Item::Map(_)) => parts.iter().cloned().collect(),
                            _ => vec![item.clone()],
                        };
                        let given: Vec<Given> =
                            given.into_iter().map(|item| Given { name: None, item }).collect();
                        let made = self.apply(&function, &given);
                        results.push(match member {
                            "map" | "collect" | "flatMap" | "flat_map" | "filter_map" => made,
                            _ => item,
                        });
                    }
                    match member {
                        "tap" | "forEach" | "each" => receiver.clone(),
                        _ => Item::list(results),
                    }
                }
                _ if acts => {
                    self.apply(&function, &[Given { name: None, item: Item::Unknown }]);
                    Item::Unknown
                }
                _ => {
                    let shown = match receiver {
                        Item::Text(_) => receiver.clone(),
                        _ => Item::Unknown,
                    };
                    self.apply(&function, &[Given { name: None, item: shown }]);
                    Item::Unknown
                }
            };
        }
        if let ("reduce" | "inject", Some(Item::Function(_))) = (member, &function) {
            return self.reduced(receiver, given);
        }
        self.hand_over(given);
        Item::Unknown
    }

    /// `list.reduce(function, start)`
    pub(in crate::languages) fn reduced(&mut self, receiver: &Item, given: &[Given]) -> Item {
        let Some(function) = given.first().map(|given| given.item.clone()) else { return Item::Unknown };
        let Some(mut items) = receiver.items().filter(|items| items.len() <= 512) else {
            self.hand_over(given);
            return Item::Unknown;
        };
        let mut whole = match given.get(1) {
            Some(start) => start.item.clone(),
            None if items.is_empty() => return Item::Unknown,
            None => items.remove(0),
        };
        for item in items {
            whole = self.apply(&function, &[Given { name: None, item: whole }, Given { name: None, item }]);
        }
        whole
    }

    /// A call through another: `f.call(x, …)`, `f.bind(x)`, `object.send(:name)`.
    pub(super) fn reflected(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Option<Item> {
        let callable = match receiver {
            Item::Library(name) => {
                self.rule(name).is_some() || name.contains('.') || self.dialect == Dialect::Lua
            }
            Item::Function(_) | Item::Partial(_) => true,
            _ => false,
        };
        let javascript = self.dialect == Dialect::JavaScript;
        match member {
            "call" if callable && javascript => {
                Some(self.apply(receiver, given.get(1..).unwrap_or_default()))
            }
            "apply" if callable && javascript => {
                let items =
                    given.get(1).map(|given| given.item.items().unwrap_or_else(|| vec![Item::Unknown]));
                let given: Vec<Given> =
                    items.unwrap_or_default().into_iter().map(|item| Given { name: None, item }).collect();
                Some(self.apply(receiver, &given))
            }
            "bind" if callable && javascript => {
                let first = given.get(1..).unwrap_or_default().to_vec();
                Some(Item::Partial(Rc::new((receiver.clone(), first))))
            }
            "call" | "()" | "yield" | "===" if matches!(receiver, Item::Function(_) | Item::Partial(_)) => {
                Some(self.apply(receiver, given))
            }
            "send" | "public_send" | "__send__" | "method" | "public_method" | "instance_method"
            | "__getattribute__"
                if matches!(self.dialect, Dialect::Ruby | Dialect::Python) =>
            {
                let name = given.first()?.item.clone();
                let Some(text) = name.known_text().map(str::to_owned) else {
                    if matches!(receiver, Item::Library(_)) {
                        self.unnamed("a call whose name is computed");
                    }
                    return Some(Item::Unknown);
                };
                let target = self.member(receiver, &text);
                let acts = matches!(&target, Item::Library(name) if self.rule(name).is_some());
                if acts {
                    self.obfuscated("a call by a name in a string");
                }
                if matches!(member, "send" | "public_send" | "__send__") {
                    return Some(self.method(receiver, &text, given.get(1..).unwrap_or_default()));
                }
                Some(target)
            }
            _ => None,
        }
    }
}
