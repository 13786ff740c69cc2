//! What JavaScript itself does with names: modules by text, `Reflect`, functions that make functions.

use std::rc::Rc;

use crate::languages::code::{Given, Item, Run};

/// A call that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    let last = name.rsplit('.').next().unwrap_or(name);
    // What a module exports by default is the module.
    if let Some(rest) = name.strip_suffix(".default") {
        return Some(run.apply(&Item::library(rest), given));
    }
    if let Some(rest) = name.strip_prefix("fs.promises.").or_else(|| name.strip_prefix("fs-extra.")) {
        return Some(run.apply(&Item::library(format!("fs.{rest}")), given));
    }
    for front in ["globalThis.", "global.", "window.", "self."] {
        if let Some(rest) = name.strip_prefix(front) {
            let own = run.named_member("globalThis", rest);
            return Some(run.apply(&own, given));
        }
    }
    Some(match name {
        _ if matches!(last, "require" | "import" | "_load" | "getBuiltinModule") && !given.is_empty() => {
            let module = item(0)?;
            run.effects.module(&module.shown());
            let local = matches!(&module, Item::Text(value) if value.text.starts_with(['.', '/']));
            match module.known_text().map(super::module) {
                Some(full) => {
                    if !local {
                        run.hidden(&module.shown(), "a module by a computed name");
                    }
                    if full.starts_with("data:") {
                        run.obfuscated("a module that is no file's");
                    }
                    Item::library(full)
                }
                None if local => Item::Unknown,
                None if matches!(&module, Item::Text(value) if value.text.contains("data:")) => {
                    run.obfuscated("a module that is no file's");
                    Item::Unknown
                }
                None if run.uncalled => Item::Unknown,
                None => {
                    run.unnamed("a module by a computed name");
                    Item::Unknown
                }
            }
        }
        "module.createRequire" | "createRequire" => Item::library("require"),
        "util.promisify" | "promisify" | "util.callbackify" => item(0)?,
        "Reflect.get" => {
            let (object, key) = (item(0)?, item(1)?);
            match (&object, key.known_text().map(str::to_owned)) {
                (Item::Library(module), Some(member)) => {
                    run.hidden(&key.shown(), "a call whose name is put together");
                    run.named_member(module, &member)
                }
                (object, Some(member)) => run.member(object, &member),
                (Item::Library(module), None) if run.acts_below(module) => {
                    run.unnamed("a call whose name is computed");
                    Item::Unknown
                }
                _ => Item::Unknown,
            }
        }
        "Reflect.apply" => {
            let items = item(2).and_then(|items| items.items()).unwrap_or_else(|| vec![Item::Unknown]);
            let given: Vec<Given> = items.into_iter().map(|item| Given { name: None, item }).collect();
            run.apply(&item(0)?, &given)
        }
        "Reflect.construct" => {
            let items = item(1).and_then(|items| items.items()).unwrap_or_else(|| vec![Item::Unknown]);
            let given: Vec<Given> = items.into_iter().map(|item| Given { name: None, item }).collect();
            run.apply(&item(0)?, &given)
        }
        "Proxy" => {
            let handlers = item(1).unwrap_or(Item::Unknown);
            Item::Made(Rc::from("Proxy"), Rc::new(vec![item(0)?, handlers]))
        }
        _ => return of_objects(run, name, given),
    })
}

/// Calls that make a value of others.
fn of_objects(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
        "Object.assign" | "Object.create" | "Object.freeze" | "structuredClone" | "Object.seal" => {
            let library = given.iter().find(|given| matches!(given.item, Item::Library(_)));
            if let Some(library) = library {
                return Some(library.item.clone());
            }
            let mut whole = item(0)?;
            for more in given.iter().skip(1) {
                whole = crate::languages::code::binary('|', &whole, &more.item);
            }
            whole
        }
        "Object.entries" | "Object.keys" | "Object.values" | "Object.fromEntries" => {
            let map = item(0)?;
            if let Item::Library(library) = &map
                && Run::is_environment(library)
            {
                run.effects.env("*");
                return Some(Item::Unknown);
            }
            // All that a module holds, to be chosen from by what only the running code knows.
            if let Item::Library(library) = &map
                && last != "keys"
                && run.acts_below(library)
            {
                run.unnamed("a call by a computed name");
            }
            crate::languages::code::of_map(&map, last, &[]).unwrap_or(Item::Unknown)
        }
        "Promise.all" | "Promise.allSettled" | "Promise.race" | "Promise.resolve" | "Array.of" => item(0)?,
        "Promise" => {
            run.hand_over(given);
            Item::Unknown
        }
        "Buffer.concat" => crate::languages::code::of_map(&item(0)?, "join", &[]).unwrap_or(Item::Unknown),
        "process.chdir" => {
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            Item::Unknown
        }
        "JSON.parse" | "Number" | "parseFloat" | "isNaN" | "Symbol" | "Error" | "Date" => Item::Unknown,
        "Map" | "Set" | "WeakMap" => match item(0) {
            Some(Item::List(items)) if name == "Map" => Item::Map(Rc::new(
                items
                    .iter()
                    .filter_map(|pair| match pair {
                        Item::List(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
                        _ => None,
                    })
                    .collect(),
            )),
            Some(list @ Item::List(_)) => list,
            None if name == "Set" => Item::list(Vec::new()),
            None => Item::Map(Rc::new(Vec::new())),
            _ => Item::Unknown,
        },
        _ => return None,
    })
}
