//! What Python itself does with names: `getattr`, imports by text, functions that make functions.

use std::rc::Rc;

use crate::languages::code::{Given, Item, Run};

/// A function with a decorator: the function, and what its decorator made of it. No name of Python looks like this.
pub(super) const DECORATED: &str = "@decorated";
/// The pairs of a comprehension, as a map.
pub(super) const PAIRS: &str = "@pairs";

/// A call that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(
        match name.strip_prefix("builtins.").or_else(|| name.strip_prefix("__builtins__.")).unwrap_or(name) {
            DECORATED => match (item(0)?, item(1)?) {
                (_, made @ (Item::Function(_) | Item::Partial(_) | Item::Object(_))) => made,
                (_, Item::Library(made)) if run.rule(&made).is_some() => Item::Library(made),
                (own, _) => own,
            },
            PAIRS => Item::Map(Rc::new(
                item(0)?
                    .items()
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(|pair| match pair {
                        Item::List(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
                        _ => None,
                    })
                    .collect(),
            )),
            "getattr" | "hasattr" | "inspect.getattr_static" | "object.__getattribute__" => {
                if name.ends_with("hasattr") {
                    return Some(Item::Unknown);
                }
                let (object, key) = (item(0)?, item(1)?);
                match key.known_text().map(str::to_owned) {
                    Some(member) => {
                        let shown = key.shown();
                        let found = match &object {
                            Item::Library(module) => run.named_member(module, &member),
                            object => run.member(object, &member),
                        };
                        if matches!(object, Item::Library(_)) {
                            run.hidden(&shown, "a call whose name is put together");
                        }
                        found
                    }
                    None => {
                        if let Item::Library(module) = &object
                            && run.acts_below(module)
                        {
                            run.obfuscated("a call whose name is computed");
                        }
                        let _ = shown_members(run, &object);
                        Item::Unknown
                    }
                }
            }
            "setattr" => {
                let (object, key, value) = (item(0)?, item(1)?, item(2)?);
                if let (Item::Object(object), Some(key)) = (&object, key.known_text()) {
                    object.fields.borrow_mut().insert(key.to_owned(), value);
                }
                Item::Unknown
            }
            "vars" | "globals" | "locals" | "inspect.getmembers" => match item(0) {
                Some(Item::Library(module)) => Item::library(&*module),
                _ => Item::library("globals"),
            },
            "__import__" | "importlib.import_module" | "import_module" | "importlib.__import__" => {
                let module = item(0)?;
                match module.known_text() {
                    Some(text) => {
                        let text = text.to_owned();
                        run.hidden(&module.shown(), "a module by a computed name");
                        Item::library(text)
                    }
                    None => {
                        run.obfuscated("a module by a computed name");
                        Item::Unknown
                    }
                }
            }
            "functools.partial" | "functools.partialmethod" | "partial" => {
                let (first, rest) = given.split_first()?;
                Item::Partial(Rc::new((first.item.clone(), rest.to_vec())))
            }
            "functools.reduce" | "reduce" => {
                let (function, list) = (given.first()?.clone(), item(1)?);
                let mut all = vec![function];
                all.extend(given.get(2).cloned());
                run.reduced(&list, &all)
            }
            "map" | "itertools.starmap" | "filter" => {
                let (function, list) = (item(0)?, item(1)?);
                let Some(items) = list.items().filter(|items| items.len() <= 4096) else {
                    if matches!(function, Item::Function(_) | Item::Library(_) | Item::Partial(_)) {
                        run.apply(&function, &[Given { name: None, item: Item::Unknown }]);
                    }
                    return Some(Item::Unknown);
                };
                let mut results = Vec::new();
                for item in items {
                    let given = match (&item, name) {
                        (Item::List(parts), "itertools.starmap") => {
                            parts.iter().map(|item| Given { name: None, item: item.clone() }).collect()
                        }
                        _ => vec![Given { name: None, item: item.clone() }],
                    };
                    let made = run.apply(&function, &given);
                    results.push(if name == "filter" { item } else { made });
                }
                Item::list(results)
            }
            "super" => match run.get("self") {
                Some(Item::Object(object)) => match object.class.bases.first() {
                    Some(Item::Class(base)) => Item::Object(Rc::new(crate::languages::code::Object {
                        class: Rc::clone(base),
                        fields: std::cell::RefCell::new(object.fields.borrow().clone()),
                    })),
                    Some(Item::Library(base)) => Item::Made(Rc::clone(base), Rc::new(Vec::new())),
                    _ => Item::Unknown,
                },
                _ => Item::Unknown,
            },
            "type" if given.len() == 3 => Item::Unknown,
            "dict" if given.iter().all(|given| given.name.is_some()) => Item::Map(Rc::new(
                given
                    .iter()
                    .filter_map(|given| Some((Item::text(given.name.clone()?), given.item.clone())))
                    .collect(),
            )),
            "dict" => match item(0)? {
                Item::List(pairs) => Item::Map(Rc::new(
                    pairs
                        .iter()
                        .filter_map(|pair| match pair {
                            Item::List(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
                            _ => None,
                        })
                        .collect(),
                )),
                item @ (Item::Map(_) | Item::Library(_)) => item,
                _ => return None,
            },
            "dict.fromkeys" | "OrderedDict.fromkeys" => {
                let value = item(1).unwrap_or(Item::Unknown);
                Item::Map(Rc::new(item(0)?.items()?.into_iter().map(|key| (key, value.clone())).collect()))
            }
            "str.maketrans" | "bytes.maketrans" => match (item(0)?, item(1)) {
                (map @ Item::Map(_), None) => map,
                (one, Some(other)) => {
                    Item::Map(Rc::new(one.items()?.into_iter().zip(other.items()?).collect()))
                }
                _ => return None,
            },
            "str.join" => {
                let (separator, list) = (item(0)?, given.get(1)?.clone());
                run.method(&separator, "join", &[list])
            }
            "operator.add" | "operator.concat" => crate::languages::code::binary('+', &item(0)?, &item(1)?),
            "operator.xor" => crate::languages::code::binary('^', &item(0)?, &item(1)?),
            "os.chdir" | "os.fchdir" | "contextlib.chdir" => {
                run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
                Item::Unknown
            }
            "asyncio.run"
            | "asyncio.gather"
            | "asyncio.wait_for"
            | "anyio.run"
            | "asyncio.ensure_future"
            | "asyncio.create_task" => {
                run.hand_over(given);
                item(0)?
            }
            "print" | "repr" | "ascii" | "len" | "isinstance" | "issubclass" | "id" | "hash" | "any"
            | "all" | "max" | "min" | "sum" | "abs" | "round"
                if !given.iter().any(|given| {
                    matches!(given.item, Item::Library(_) | Item::Function(_) | Item::List(_))
                }) =>
            {
                Item::Unknown
            }
            "os.path.exists" | "os.path.isfile" | "os.path.isdir" | "os.path.getsize"
            | "os.path.getmtime" | "os.stat" | "os.access" => Item::Unknown,
            _ => return None,
        },
    )
}

/// Every member of an object of the code may be meant.
fn shown_members(run: &mut Run<'_>, object: &Item) -> Option<()> {
    if let Item::Object(own) = object {
        let names: Vec<String> = own.class.members.borrow().keys().cloned().collect();
        for name in names.iter().take(64) {
            let member = run.member(object, name);
            if matches!(member, Item::Function(_)) {
                run.hand_over(&[Given { name: None, item: member }]);
            }
        }
    }
    Some(())
}

/// A member of what a library call returned.
pub(in crate::languages) fn member(_name: &str, member: &str) -> Option<Item> {
    match member {
        "text" | "content" | "stdout" | "stderr" | "body" => Some(Item::Unknown),
        _ => None,
    }
}
