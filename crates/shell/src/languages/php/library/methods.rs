//! Methods of values, as PHP finds them.

use super::*;

/// A method of a class of the code.
pub(super) fn of_class(
    run: &mut Run<'_>,
    class: &Rc<OwnClass>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    match member {
        "newInstance" | "newInstanceArgs" | "newInstanceWithoutConstructor" => Some(run.apply(receiver, all)),
        _ => match run.class_member(class, member, 0) {
            Some(Item::Function(closure)) => {
                // `self::method()` has the object.
                let this = match run.get("$this") {
                    Some(this @ Item::Object(_)) => this,
                    _ => receiver.clone(),
                };
                let method = bound(&closure, &this);
                Some(run.apply(&method, all))
            }
            Some(item) => Some(run.apply(&item, all)),
            None => {
                let Some(Item::Function(closure)) = run.class_member(class, "__callStatic", 0) else {
                    return None;
                };
                let method = bound(&closure, receiver);
                let list = Item::list(all.iter().map(|given| given.item.clone()).collect());
                Some(run.apply(&method, &[given(Item::text(member)), given(list)]))
            }
        },
    }
}

/// A method of any value; `None` if it is none of PHP's own.
pub(in crate::languages) fn method(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    match receiver {
        Item::Function(_) | Item::Partial(_) => Some(match member {
            "call" => {
                let rest = all.get(1..).unwrap_or_default();
                match (receiver, all.first()) {
                    (Item::Function(closure), Some(this)) => {
                        let method = bound(closure, &this.item);
                        run.apply(&method, rest)
                    }
                    _ => run.apply(receiver, rest),
                }
            }
            "bindTo" | "bind" | "getClosure" => receiver.clone(),
            "invokeArgs" => {
                let list = all.last().map_or(Item::Unknown, |given| values(&given.item));
                let given: Vec<Given> = list.items().unwrap_or_default().into_iter().map(given).collect();
                run.apply(receiver, &given)
            }
            "__invoke" | "invoke" => run.apply(receiver, all),
            _ => return None,
        }),
        Item::Library(name) if matches!(member, "__invoke" | "invoke" | "invokeArgs" | "getClosure") => {
            let name = Rc::clone(name);
            if member == "getClosure" {
                return Some(receiver.clone());
            }
            if run.exact(&name) {
                run.obfuscated("a call by a name in a string");
            }
            let list = match member {
                "invokeArgs" => all.last().map_or(Item::Unknown, |given| values(&given.item)).items(),
                _ => None,
            };
            let given = match list {
                Some(list) => list.into_iter().map(given).collect(),
                None => all.to_vec(),
            };
            Some(run.library_call(&name, &given))
        }
        Item::Class(class) => of_class(run, class, receiver, member, all),
        Item::Object(object) => {
            if run.class_member(&object.class, member, 0).is_some() {
                return None;
            }
            let Some(Item::Function(closure)) = run.class_member(&object.class, "__call", 0) else {
                return None;
            };
            let method = bound(&closure, receiver);
            let list = Item::list(all.iter().map(|given| given.item.clone()).collect());
            Some(run.apply(&method, &[given(Item::text(member)), given(list)]))
        }
        Item::Made(name, first) => match (&**name, member) {
            (
                "SplFileInfo",
                "getPathname" | "getRealPath" | "__toString" | "getFilename" | "getPath" | "getBasename",
            ) => Some(first.first().cloned().unwrap_or(Item::Unknown)),
            ("SplFileInfo", "openFile") => Some(run.act(Act::Open, "fopen", None, &{
                let mut with = vec![given(first.first().cloned().unwrap_or(Item::Unknown))];
                with.extend(all.iter().cloned());
                with
            })),
            ("SplFileObject", "fwrite") => {
                run.wrote(first.first()?, &all.first()?.item);
                Some(Item::Unknown)
            }
            ("ArrayIterator" | "ArrayObject", "current" | "offsetGet" | "next") => match values(receiver) {
                Item::List(items) => Some(Item::either(items.iter().take(8).cloned())),
                _ => Some(Item::Unknown),
            },
            _ => None,
        },
        _ => None,
    }
}
