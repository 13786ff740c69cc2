//! What Ruby itself does with names: calls on `self`, blocks, `send`, classes that are made by calls, paths.

mod calls;
mod methods;

use std::rc::Rc;

use super::{BLOCK, RANGE, SUPER};
use crate::languages::code::{Given, Item, OwnClass, Run, binary, bound, of_map};
use crate::languages::rules::{Act, NameRole};
use crate::languages::{LISTED, Value};

pub(in crate::languages) use calls::call;
pub(in crate::languages) use methods::method;

/// A path that is an object.
pub(in crate::languages) const PATH: &str = "Pathname.new";

/// Calls whose value is that of their block.
const GIVES_BLOCK: &[&str] =
    &["open", "create", "start", "mktmpdir", "catch", "synchronize", "popen", "timeout", "loop"];

/// Calls that run their block with each item of what they found.
const OF_EACH: &[&str] =
    &["glob", "children", "each_child", "foreach", "entries", "find", "each_entry", "readlines"];

fn given(item: Item) -> Given {
    Given { name: None, item }
}

fn is_block(given: &Given) -> bool {
    given.name.as_deref() == Some(BLOCK)
}

/// The block that a call was given.
pub(in crate::languages) fn block_of(given: &[Given]) -> Option<Item> {
    given
        .iter()
        .find(|given| is_block(given))
        .map(|given| given.item.clone())
        .filter(|item| !matches!(item, Item::Unknown))
}

fn without_block(given: &[Given]) -> Vec<Given> {
    given.iter().filter(|given| !is_block(given)).cloned().collect()
}

fn is_callable(item: &Item) -> bool {
    match item {
        Item::Either(items) => items.iter().any(is_callable),
        item => matches!(
            item,
            Item::Function(_) | Item::Partial(_) | Item::Library(_) | Item::Method(_) | Item::Class(_)
        ),
    }
}

/// A member of the object whose method is followed.
fn of_self(run: &mut Run<'_>, name: &str) -> Option<Item> {
    let this = run.get("self")?;
    match &this {
        Item::Object(object) => match run.class_member(&object.class, name, 0) {
            Some(Item::Function(closure)) => Some(bound(&closure, &this)),
            Some(item) => Some(item),
            None => {
                let field = object.fields.borrow().get(&format!("@{name}")).cloned();
                field.or_else(|| inherited(run, &object.class.bases, name))
            }
        },
        Item::Class(class) => match run.class_member(class, name, 0) {
            Some(Item::Function(closure)) => Some(bound(&closure, &this)),
            Some(item) => Some(item),
            None => inherited(run, &class.bases, name),
        },
        Item::Text(_) | Item::List(_) | Item::Map(_) => match name {
            "gsub" | "sub" | "tr" | "split" | "reverse" | "map" | "each" | "join" | "chars" => {
                Some(Item::Method(Rc::new((this.clone(), name.to_owned()))))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a class has from a module of the library.
fn inherited(run: &Run<'_>, bases: &[Item], name: &str) -> Option<Item> {
    bases.iter().find_map(|base| match base {
        Item::Library(base) => {
            let full = format!("{base}.{name}");
            run.exact(&full).then(|| Item::library(full))
        }
        _ => None,
    })
}

/// What a name is that is called without a receiver.
pub(in crate::languages) fn callee(run: &mut Run<'_>, name: &str) -> Item {
    if name == BLOCK {
        return run.get(BLOCK).unwrap_or(Item::Unknown);
    }
    if let Some(item) = of_self(run, name) {
        return item;
    }
    match run.get(name) {
        Some(item) => item,
        None => run.library_name(name),
    }
}

/// Calls without a receiver.
pub(in crate::languages) fn own_call(run: &mut Run<'_>, name: &str, all: &[Given]) -> Item {
    let callee = callee(run, name);
    if !is_callable(&callee) {
        if all.is_empty() {
            return callee;
        }
        if name == BLOCK || matches!(callee, Item::Unknown) {
            run.hand_over(all);
            return Item::Unknown;
        }
    }
    // What every object can do.
    let of_object = matches!(
        name,
        "tap"
            | "then"
            | "yield_self"
            | "instance_eval"
            | "instance_exec"
            | "instance_variable_set"
            | "instance_variable_get"
            | "class"
            | "extend"
            | "freeze"
            | "dup"
            | "itself"
            | "define_singleton_method"
            | "new"
            | "class_eval"
            | "module_eval"
            | "class_exec"
    );
    if of_object
        && matches!(callee, Item::Library(_))
        && let Some(this @ (Item::Object(_) | Item::Class(_))) = run.get("self")
    {
        return run.method(&this, name, all);
    }
    run.apply(&callee, all)
}

/// Follows a function with another object as its own.
fn with_self(run: &mut Run<'_>, function: &Item, this: &Item, all: &[Given]) -> Item {
    match function {
        Item::Function(closure) => {
            let bound = bound(closure, this);
            run.apply(&bound, all)
        }
        other => run.apply(other, all),
    }
}

/// A method, a function or a call of the library by its name.
fn by_name(run: &mut Run<'_>, name: &Item) -> Item {
    if let Item::Either(names) = name {
        let found: Vec<Item> = names.iter().map(|name| by_name(run, name)).collect();
        return Item::either(found);
    }
    let Some(text) = name.known_text().map(str::to_owned) else {
        // An object of the code's own calls its own methods.
        let own = matches!(run.get("self"), Some(Item::Object(_) | Item::Class(_)));
        if !run.uncalled && !own {
            run.unnamed("a call whose name is computed");
        }
        return Item::Unknown;
    };
    let found = callee(run, text.trim_start_matches(':'));
    if matches!(&found, Item::Library(own) if run.rule(own).is_some()) {
        run.hidden(&name.shown(), "a call whose name is put together");
    }
    found
}

/// Whether code defines something, with names that are filled in, and runs nothing that was filled in.
fn is_template(code: &Value) -> bool {
    let defines = ["def ", "class ", "module ", "alias "].iter().any(|word| code.text.contains(word));
    let runs = ["`", "%x", "system", "exec", "spawn", "popen", "eval"];
    defines && !code.decoded && !runs.iter().any(|word| code.text.contains(word))
}

/// Code that a class runs to make its methods. Names that are filled in are no more than names, unless they come from
/// who knows where.
fn template(run: &mut Run<'_>, code: &Item) -> Item {
    if let Item::Either(codes) = code {
        let values: Vec<Item> = codes.iter().map(|code| template(run, code)).collect();
        return Item::either(values);
    }
    let code = match code {
        Item::Text(value) if is_template(value) => {
            let text = value.text.replace('…', "name");
            Item::Text(Value::literal(text))
        }
        code => code.clone(),
    };
    run.act(Act::Eval, "eval", None, &[given(code)])
}

/// A constant by its name.
fn constant(run: &mut Run<'_>, object: Option<&Item>, name: &Item) -> Item {
    let Some(text) = name.known_text().map(str::to_owned) else {
        let anywhere = match object {
            Some(Item::Library(own)) => matches!(&**own, "Object" | "Kernel" | "Module"),
            Some(_) => false,
            None => !matches!(run.get("self"), Some(Item::Object(_) | Item::Class(_))),
        };
        if !run.uncalled && anywhere {
            run.unnamed("a constant by a computed name");
        }
        return Item::Unknown;
    };
    let full = text.trim_start_matches("::").replace("::", ".");
    let front = match object {
        Some(Item::Library(own)) if !matches!(&**own, "Object" | "Kernel" | "self" | "Module") => {
            format!("{own}.{full}")
        }
        Some(object @ (Item::Class(_) | Item::Object(_))) => {
            let found = run.member(object, &full);
            if !matches!(found, Item::Unknown) {
                return found;
            }
            full
        }
        _ => full,
    };
    if run.acts_below(&front) {
        run.hidden(&name.shown(), "a constant by a name that is put together");
    }
    run.get(&front).unwrap_or_else(|| Item::library(front))
}

/// Runs a block on each item.
fn each(run: &mut Run<'_>, list: &Item, block: &Item) -> Item {
    for item in list.items().unwrap_or_default().into_iter().take(48) {
        run.apply(block, &[given(item)]);
    }
    list.clone()
}

/// `super`: the method of the same name of the class above.
fn inherited_call(run: &mut Run<'_>, name: &Item, all: &[Given]) -> Item {
    let Some(name) = name.known_text().map(str::to_owned) else { return Item::Unknown };
    let rest = all.get(1..).unwrap_or_default();
    let Some(this) = run.get(run.this()) else { return Item::Unknown };
    let class = match &this {
        Item::Object(object) => Rc::clone(&object.class),
        Item::Class(class) => Rc::clone(class),
        _ => return Item::Unknown,
    };
    for base in &class.bases {
        match base {
            Item::Class(base) => {
                if let Some(Item::Function(closure)) = run.class_member(base, &name, 0) {
                    let method = bound(&closure, &this);
                    return run.apply(&method, rest);
                }
            }
            Item::Library(base) => {
                let full = format!("{base}.{name}");
                if run.exact(&full) {
                    return run.library_call(&full, rest);
                }
            }
            _ => {}
        }
    }
    // What a method that nobody defined is given may be text that is run.
    run.hand_over(rest);
    Item::Unknown
}

/// The method of the class above, as PHP's `parent::` calls it.
pub(in crate::languages) fn of_parent(run: &mut Run<'_>, name: &Item, all: &[Given]) -> Item {
    inherited_call(run, name, all)
}

fn range(from: &Item, to: &Item, open: bool) -> Item {
    match (from, to) {
        (Item::Number(from), Item::Number(to)) => {
            let to = if open { *to } else { to.saturating_add(1) };
            if to.saturating_sub(*from) > 256 || to < *from {
                return Item::Unknown;
            }
            Item::list((*from..to).map(Item::Number).collect())
        }
        (Item::Text(one), Item::Text(other)) => {
            let mut letters = (one.text.chars(), other.text.chars());
            match (letters.0.next(), letters.0.next(), letters.1.next(), letters.1.next()) {
                (Some(from), None, Some(to), None) => {
                    Item::list((from..=to).take(256).map(|letter| Item::text(letter.to_string())).collect())
                }
                _ => Item::Unknown,
            }
        }
        _ => Item::Unknown,
    }
}

/// Keeps the block and the names that a method was given.
pub(in crate::languages) fn keep_block(
    names: &mut std::collections::HashMap<String, Item>,
    function: &crate::languages::code::tree::Function,
    all: Option<&[Given]>,
) {
    let all = all.unwrap_or_default();
    match block_of(all) {
        Some(block) => {
            names.insert(BLOCK.to_owned(), block);
        }
        // A block without one sees that of its method.
        None if !function.name.is_empty() => {
            names.insert(BLOCK.to_owned(), Item::Unknown);
        }
        None => {}
    }
    if let Some(map) = keywords(&[], all) {
        names.insert(super::KEYWORDS.to_owned(), map);
    }
}

/// What a call names that is no parameter, as one map.
pub(in crate::languages) fn keywords(
    parameters: &[crate::languages::code::tree::Parameter],
    all: &[Given],
) -> Option<Item> {
    let is_parameter = |name: &str| {
        parameters.iter().any(|parameter| {
            matches!(&parameter.pattern, crate::languages::code::tree::Pattern::Name(own) if own == name)
        })
    };
    let pairs: Vec<(Item, Item)> = all
        .iter()
        .filter(|given| !is_block(given))
        .filter_map(|given| Some((given.name.clone()?, given.item.clone())))
        .filter(|(name, _)| !is_parameter(name))
        .map(|(name, item)| (Item::text(name), item))
        .collect();
    (!pairs.is_empty()).then(|| Item::Map(Rc::new(pairs)))
}

/// Fills the members of an object of a `Struct`.
pub(in crate::languages) fn fill(object: &crate::languages::code::Object, bases: &[Item], all: &[Given]) {
    let mut positional = all.iter().filter(|given| given.name.is_none());
    for base in bases {
        match base {
            Item::Made(name, names) if &**name == "Struct.new" => {
                for own in names.iter().filter_map(Item::known_text) {
                    let named = all.iter().find(|given| given.name.as_deref() == Some(own));
                    let item = named.or_else(|| positional.next()).map(|given| given.item.clone());
                    object.fields.borrow_mut().insert(format!("@{own}"), item.unwrap_or(Item::Unknown));
                }
            }
            Item::Class(class) => fill(object, &class.bases, all),
            _ => {}
        }
    }
}
