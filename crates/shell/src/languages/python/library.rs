//! What Python itself does with names: `getattr`, imports by text, functions that make functions.

use std::rc::Rc;

use crate::languages::code::{Given, Item, Run};

/// A function with a decorator: the function, and what its decorator made of it. No name of Python looks like this.
pub(in crate::languages) const DECORATED: &str = "@decorated";
/// The pairs of a comprehension, as a map.
pub(super) const PAIRS: &str = "@pairs";

/// A call that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    let name = name.strip_prefix("builtins.").or_else(|| name.strip_prefix("__builtins__.")).unwrap_or(name);
    Some(match name {
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
        "importlib.util.spec_from_file_location"
        | "importlib.machinery.SourceFileLoader"
        | "imp.load_source" => {
            let path = item(1).map(|path| path.shown()).unwrap_or_else(crate::languages::Value::unknown);
            if path.is_known() {
                let code = doorward_core::intent::Code::Language("python".to_owned());
                run.effects.file(&path, code);
                return Some(Item::Made(Rc::from(LOADED), Rc::new(Vec::new())));
            }
            return None;
        }
        "getopt.getopt" | "getopt.gnu_getopt" => match item(0).and_then(|words| words.items()) {
            Some(words) if words.is_empty() => {
                Item::list(vec![Item::list(Vec::new()), Item::list(Vec::new())])
            }
            Some(words) => Item::list(vec![Item::Unknown, Item::list(words)]),
            None => Item::list(vec![Item::Unknown, Item::Unknown]),
        },
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
                        run.unnamed("a call whose name is computed");
                    }
                    let _ = shown_members(run, &object);
                    Item::Unknown
                }
            }
        }
        _ => return of_names(run, name, given),
    })
}

/// Calls that reach modules and functions by their names.
fn of_names(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
        "setattr" => {
            let (object, key, value) = (item(0)?, item(1)?, item(2)?);
            if let (Item::Object(object), Some(key)) = (&object, key.known_text()) {
                object.fields.borrow_mut().insert(key.to_owned(), value);
            }
            Item::Unknown
        }
        "vars" | "globals" | "locals" | "inspect.getmembers" => match item(0) {
            Some(Item::Library(module)) => Item::library(&*module),
            Some(_) => Item::Unknown,
            None => Item::library("globals"),
        },
        "__import__" | "importlib.import_module" | "import_module" | "importlib.__import__" => {
            let module = item(0)?;
            run.effects.module(&module.shown());
            match module.known_text() {
                Some(text) => {
                    let text = text.to_owned();
                    run.hidden(&module.shown(), "a module by a computed name");
                    Item::library(text)
                }
                None => {
                    run.unnamed("a module by a computed name");
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
                Some(Item::Class(base)) => {
                    let fields = object.fields.borrow().clone();
                    run.object(Rc::clone(base), fields)
                }
                Some(Item::Library(base)) => Item::Made(Rc::clone(base), Rc::new(Vec::new())),
                _ => Item::Unknown,
            },
            _ => Item::Unknown,
        },
        "type" if given.len() == 3 => Item::Unknown,
        _ => return of_values(run, name, given),
    })
}

/// Calls that make a value, or only ask.
fn of_values(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
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
            (one, Some(other)) => Item::Map(Rc::new(one.items()?.into_iter().zip(other.items()?).collect())),
            _ => return None,
        },
        "str.join" => {
            let (separator, list) = (item(0)?, given.get(1)?.clone());
            run.method(&separator, "join", &[list])
        }
        "operator.add" | "operator.concat" => crate::languages::code::binary('+', &item(0)?, &item(1)?),
        "operator.xor" => crate::languages::code::binary('^', &item(0)?, &item(1)?),
        "sys.path.insert" | "sys.path.append" | "site.addsitedir" => {
            let folder = given.last()?.item.shown();
            run.effects.module_folder(&folder);
            Item::Unknown
        }
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
        // A comparison of types calls none of them.
        "isinstance" | "issubclass" => Item::Unknown,
        "print" | "repr" | "ascii" | "len" | "id" | "hash" | "any" | "all" | "max" | "min" | "sum"
        | "abs" | "round"
            if !given
                .iter()
                .any(|given| matches!(given.item, Item::Library(_) | Item::Function(_) | Item::List(_))) =>
        {
            Item::Unknown
        }
        "os.path.exists" | "os.path.isfile" | "os.path.isdir" | "os.path.getsize" | "os.path.getmtime"
        | "os.stat" | "os.access" => Item::Unknown,
        _ => return None,
    })
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

/// A method that declares or reads options of the command line; `None` for any other.
pub(in crate::languages) fn method(
    run: &mut Run<'_>,
    name: &str,
    member: &str,
    given: &[Given],
) -> Option<Item> {
    match (name, member) {
        (LOADED, _) => Some(Item::Made(Rc::from(LOADED), Rc::new(Vec::new()))),
        (_, "add_argument" | "add_option") => {
            let long = given
                .iter()
                .filter(|given| given.name.is_none())
                .filter_map(|given| given.item.known_text())
                .max_by_key(|text| (text.starts_with("--") || !text.starts_with('-'), text.len()))
                .map(|text| text.trim_start_matches('-').replace('-', "_"));
            let named = |key: &str| {
                given.iter().find(|given| given.name.as_deref() == Some(key)).map(|given| given.item.clone())
            };
            let name = named("dest").and_then(|dest| dest.known_text().map(str::to_owned)).or(long)?;
            run.options.push((name, named("default").unwrap_or(Item::Nothing)));
            Some(Item::Unknown)
        }
        (_, "set_defaults") => {
            for given in given {
                if let Some(name) = &given.name {
                    run.options.push((name.clone(), given.item.clone()));
                }
            }
            Some(Item::Unknown)
        }
        (
            "argparse.ArgumentParser" | "optparse.OptionParser",
            "parse_args" | "parse_known_args" | "parse_intermixed_args",
        ) => {
            let words = match given.first() {
                Some(words) => words.item.items(),
                None => run.arguments.clone(),
            };
            let options = Item::Made(
                Rc::from(NAMESPACE),
                Rc::new(vec![words.clone().map_or(Item::Unknown, Item::list)]),
            );
            let rest = words.map_or(Item::Unknown, Item::list);
            // `optparse` and `parse_known_args` also return what is left.
            let pair = member == "parse_known_args" || name == "optparse.OptionParser";
            Some(if pair { Item::list(vec![options, rest]) } else { options })
        }
        _ => None,
    }
}

/// A module out of a file that is judged by itself.
const LOADED: &str = "importlib.loaded";

/// What a parser of the command line returns: its options as members.
const NAMESPACE: &str = "argparse.Namespace";

/// An option of the command line: what is given, where that is known, or what it is otherwise.
fn option(run: &Run<'_>, words: &[Item], name: &str) -> Item {
    let declared: Vec<Item> =
        run.options.iter().filter(|(own, _)| own == name).map(|(_, default)| default.clone()).collect();
    let words = match words.first() {
        Some(Item::List(words)) => words.as_ref().clone(),
        _ => {
            return Item::either(
                declared.into_iter().filter(|item| !matches!(item, Item::Nothing)).chain([Item::Unknown]),
            );
        }
    };
    if declared.is_empty() && !words.is_empty() {
        return Item::Unknown;
    }
    let values: Vec<Item> = words
        .iter()
        .filter_map(|word| match word.known_text() {
            Some(text) if text.starts_with('-') => text.split_once('=').map(|(_, value)| Item::text(value)),
            Some(_) => Some(word.clone()),
            None => Some(Item::Unknown),
        })
        .collect();
    let all = if values.is_empty() { Vec::new() } else { vec![Item::list(values.clone())] };
    Item::either(declared.into_iter().chain(values).chain(all))
}

/// A member of what a library call returned.
pub(in crate::languages) fn member(
    run: &mut Run<'_>,
    name: &str,
    given: &[Item],
    member: &str,
) -> Option<Item> {
    match member {
        _ if name == NAMESPACE => Some(option(run, given, member)),
        _ if name == LOADED => Some(Item::Made(Rc::from(LOADED), Rc::new(Vec::new()))),
        "text" | "content" | "stdout" | "stderr" | "body" => Some(Item::Unknown),
        _ => None,
    }
}
