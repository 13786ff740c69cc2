//! Members and items of values: what each is, and what an assignment makes of it.

use super::*;

impl Run<'_> {
    /// What a member of a value is.
    pub(in crate::languages) fn member(&mut self, object: &Item, member: &str) -> Item {
        match object {
            Item::Library(name) => {
                let full = format!("{name}.{member}");
                match self.frames.first().and_then(|frame| frame.names.get(&full)) {
                    Some(item) => item.clone(),
                    None => self.library_member(&full),
                }
            }
            Item::Object(own) => {
                if let Some(field) = own.fields.borrow().get(member) {
                    return field.clone();
                }
                let attribute = match self.dialect {
                    Dialect::Ruby => own.fields.borrow().get(&format!("@{member}")).cloned(),
                    _ => None,
                };
                match self.class_member(&own.class, member, 0) {
                    Some(Item::Function(closure)) => bound(&closure, object),
                    Some(item) => item,
                    None if attribute.is_some() => attribute.unwrap_or(Item::Unknown),
                    None => own
                        .class
                        .bases
                        .iter()
                        .find_map(|base| match base {
                            Item::Library(base) => {
                                let full = format!("{base}.{member}");
                                let told = !matches!(self.dialect, Dialect::Ruby | Dialect::Php);
                                (told || self.exact(&full)).then(|| Item::library(full))
                            }
                            _ => None,
                        })
                        .or_else(|| self.missing_member(own, object, member))
                        .unwrap_or(Item::Unknown),
                }
            }
            Item::Class(class) => match self.class_member(class, member, 0) {
                Some(Item::Function(closure))
                    if takes_class(&closure.function)
                        || matches!(self.dialect, Dialect::Ruby | Dialect::Php) =>
                {
                    bound(&closure, object)
                }
                Some(item) => item,
                None if matches!(member, "new" | "allocate") => object.clone(),
                None => Item::Unknown,
            },
            Item::Either(items) => {
                let members: Vec<Item> = items.iter().map(|item| self.member(item, member)).collect();
                Item::either(members)
            }
            Item::Map(pairs) => pairs
                .iter()
                .rev()
                .find(|(key, _)| key.known_text() == Some(member.trim_start_matches('$')))
                .map_or(Item::Unknown, |(_, item)| item.clone()),
            Item::Text(_) | Item::List(_) | Item::Number(_) => {
                crate::languages::code::values::member(object, member)
                    .unwrap_or_else(|| Item::Method(Rc::new((object.clone(), member.to_owned()))))
            }
            Item::Made(name, given) => self.made_member(name, given, member),
            _ => Item::Unknown,
        }
    }

    pub(in crate::languages) fn class_member(
        &self,
        class: &OwnClass,
        member: &str,
        depth: usize,
    ) -> Option<Item> {
        if let Some(item) = class.members.borrow().get(member) {
            return Some(item.clone());
        }
        if depth > 8 {
            return None;
        }
        class.bases.iter().find_map(|base| match base {
            Item::Class(base) => self.class_member(base, member, depth + 1),
            _ => None,
        })
    }

    pub(super) fn index(&mut self, object: &Item, key: &Item) -> Item {
        if let Some(item) = self.client_index(object, key) {
            return item;
        }
        match (object, key) {
            (Item::Either(items), _) => {
                let found: Vec<Item> = items.iter().map(|item| self.index(item, key)).collect();
                Item::either(found)
            }
            (_, Item::Either(keys)) => {
                let found: Vec<Item> = keys.iter().map(|key| self.index(object, key)).collect();
                Item::either(found)
            }
            (Item::Map(pairs), _) => {
                match pairs.iter().rev().find(|(own, _)| own.is_same(key) || same_key(own, key)) {
                    Some((_, item)) => item.clone(),
                    // Any of them, so that what a table of functions holds is seen.
                    None => Item::either(
                        pairs.iter().map(|(_, item)| item.clone()).chain(std::iter::once(Item::Unknown)),
                    ),
                }
            }
            (Item::Library(name), _) => self.library_index(name, key),
            // What comes from outside, all of it.
            (Item::Made(name, _), _) if name.starts_with('$') => object.clone(),
            (Item::Function(_) | Item::Partial(_), _) if self.dialect == Dialect::Ruby => {
                self.apply(object, &[Given { name: None, item: key.clone() }])
            }
            (Item::Class(class), _) => match self.class_member(class, "__class_getitem__", 0) {
                Some(own) => self.apply(&own, &[Given { name: None, item: key.clone() }]),
                None => Item::Unknown,
            },
            (Item::Made(name, given), Item::Text(_)) if **name == *"Proxy" => {
                let member = key.shown().text;
                self.made_member(name, given, &member)
            }
            (Item::Object(own), Item::Text(_)) => {
                let field = key.known_text().and_then(|key| own.fields.borrow().get(key).cloned());
                field.unwrap_or(Item::Unknown)
            }
            _ => crate::languages::code::values::index(object, key),
        }
    }

    pub(in crate::languages) fn set_member(&mut self, object: &Item, member: &str, item: &Item) {
        let item = &item.clone().kept();
        match object {
            Item::Object(own) if self.dialect == Dialect::Ruby && !member.starts_with('@') => {
                match self.class_member(&own.class, &format!("{member}="), 0) {
                    Some(Item::Function(setter)) => {
                        let given = Given { name: None, item: item.clone() };
                        self.apply(&bound(&setter, object), &[given]);
                    }
                    _ => {
                        own.fields.borrow_mut().insert(format!("@{member}"), item.clone());
                    }
                }
            }
            Item::Object(object) => {
                let setter = match object.fields.borrow().get(member) {
                    Some(_) => None,
                    None => self.class_member(&object.class, member, 0),
                };
                // A descriptor decides what an assignment does.
                if let Some(setter @ Item::Object(_)) = setter {
                    let given = [Item::Unknown, item.clone()].map(|item| Given { name: None, item });
                    self.method(&setter, "__set__", &given);
                }
                object.fields.borrow_mut().insert(member.to_owned(), item.clone());
            }
            Item::Class(class) => {
                class.members.borrow_mut().insert(member.to_owned(), item.clone());
            }
            // `os.system = …`: both, from now on.
            Item::Library(name) => {
                let full = format!("{name}.{member}");
                let either = Item::either([Item::library(&full), item.clone()]);
                if let Some(frame) = self.frames.first_mut() {
                    frame.names.insert(full, either);
                }
            }
            Item::Either(objects) => {
                for object in objects.iter() {
                    self.set_member(object, member, item);
                }
            }
            _ => {}
        }
    }

    /// `object[key] = item`, where the object is a variable's.
    pub(super) fn set_index(&mut self, object: &Expr, key: &Item, item: &Item) {
        let held = self.eval(object);
        let changed = match &held {
            Item::Map(pairs) if pairs.len() < 512 => {
                let mut pairs: Vec<(Item, Item)> = pairs.as_ref().clone();
                pairs.retain(|(own, _)| !own.is_same(key));
                pairs.push((key.clone(), item.clone()));
                Item::Map(Rc::new(pairs))
            }
            // PHP's arrays are lists and maps.
            Item::List(items) if self.dialect == Dialect::Php && !matches!(key, Item::Number(_)) => {
                let numbered = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| (i64::try_from(at).map_or(Item::Unknown, Item::Number), item.clone()));
                Item::Map(Rc::new(numbered.chain(std::iter::once((key.clone(), item.clone()))).collect()))
            }
            Item::List(items) => {
                let mut items: Vec<Item> = items.as_ref().clone();
                match key {
                    Item::Number(at) => {
                        if let Some(slot) = usize::try_from(*at).ok().and_then(|at| items.get_mut(at)) {
                            *slot = item.clone();
                        }
                    }
                    _ => items.iter_mut().for_each(|own| *own = Item::either([own.clone(), item.clone()])),
                }
                Item::list(items)
            }
            Item::Object(object) => {
                if let Some(key) = key.known_text() {
                    object.fields.borrow_mut().insert(key.to_owned(), item.clone().kept());
                }
                return;
            }
            _ => return self.index_of_library(&held, key, item),
        };
        self.put_back(object, changed);
    }

    /// Keeps what a call or assignment made of the value of a variable.
    pub(in crate::languages) fn put_back(&mut self, object: &Expr, changed: Item) {
        match object {
            Expr::Name(name) => {
                let name = self.given_name(name);
                self.set(name, changed, Declares::There);
            }
            // `text << one << other`
            Expr::Call(call) => {
                if let Expr::Member(object, member) = &call.callee
                    && matches!(member.as_str(), "<<" | "push" | "append" | "concat" | "freeze")
                {
                    self.put_back(object, changed);
                }
            }
            Expr::Member(of, member) => {
                let of = self.eval(of);
                self.set_member(&of, member, &changed);
            }
            _ => {}
        }
    }
}
