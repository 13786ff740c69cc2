//! What PHP itself does with names: callables, functions that call what they are given, cURL, arrays, superglobals.

mod methods;
mod streams;
mod values;

use std::rc::Rc;

use doorward_core::intent::{Direction, WriteMode};

use super::{BY_NAME, PAIRS, PARENT, SELF, SET_VARIABLE, VALUES, VARIABLE};
use crate::languages::code::tree::Declares;
use crate::languages::code::{Given, Item, OwnClass, Run, binary, bound, joined_texts, of_map, parent};
use crate::languages::rules::{Act, NameRole};
use crate::languages::{LISTED, Value};

pub(in crate::languages) use methods::method;
use streams::of_streams;
use values::*;

/// What arrives from elsewhere.
const FROM_OUTSIDE: &[&str] = &["$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_FILES", "$HTTP_RAW_POST_DATA"];

/// Functions that call one of their arguments: which one it is, and which of them it is called with.
const CALLS: &[(&str, usize, With)] = &[
    ("array_map", 0, With::Each(1)),
    ("array_filter", 1, With::Each(0)),
    ("array_walk", 1, With::Each(0)),
    ("array_walk_recursive", 1, With::Each(0)),
    ("array_find", 1, With::Each(0)),
    ("array_any", 1, With::Each(0)),
    ("array_all", 1, With::Each(0)),
    ("call_user_func", 0, With::Rest),
    ("forward_static_call", 0, With::Rest),
    ("register_shutdown_function", 0, With::Rest),
    ("register_tick_function", 0, With::Rest),
    ("call_user_func_array", 0, With::List(1)),
    ("forward_static_call_array", 0, With::List(1)),
    ("iterator_apply", 1, With::List(2)),
    ("usort", 1, With::Nothing),
    ("uasort", 1, With::Nothing),
    ("uksort", 1, With::Nothing),
    ("preg_replace_callback", 1, With::Nothing),
    ("ob_start", 0, With::Nothing),
    ("set_error_handler", 0, With::Nothing),
    ("set_exception_handler", 0, With::Nothing),
    ("spl_autoload_register", 0, With::Nothing),
    ("header_register_callback", 0, With::Nothing),
    ("pcntl_signal", 1, With::Nothing),
];

/// What a function that calls another gives it.
#[derive(Clone, Copy)]
enum With {
    /// Each item of this argument.
    Each(usize),
    /// The items of this argument.
    List(usize),
    /// The arguments that follow.
    Rest,
    /// What nobody knows.
    Nothing,
}

fn given(item: Item) -> Given {
    Given { name: None, item }
}

/// What is called: a function by its name, a method in a list, or a function as it is.
fn callable(run: &mut Run<'_>, item: &Item) -> Item {
    match item {
        Item::Text(name) if name.is_known() => {
            let plain = name.text.trim_start_matches('\\').to_owned();
            if let Some((class, method)) = plain.split_once("::") {
                let class = class.rsplit('\\').next().unwrap_or(class);
                if let Some(class) = run.get(class) {
                    return run.member(&class, method);
                }
                return Item::library(format!("{class}.{method}"));
            }
            let short = plain.rsplit('\\').next().unwrap_or(&plain).to_owned();
            if let Some(own @ (Item::Function(_) | Item::Class(_))) = run.get(&short) {
                return own;
            }
            let lower = short.to_ascii_lowercase();
            if run.exact(&lower) && (name.assembled || name.decoded) {
                run.obfuscated("a call by a name in a string");
            }
            Item::library(if run.exact(&lower) { lower } else { short })
        }
        Item::Text(_) => {
            if !run.uncalled {
                run.unnamed("a call whose name is computed");
            }
            Item::Unknown
        }
        Item::List(items) => match items.as_slice() {
            [object, Item::Text(method)] if method.is_known() => {
                let object = match object {
                    Item::Text(class) => run.get(&class.text).unwrap_or_else(|| Item::library(&class.text)),
                    object => object.clone(),
                };
                Item::Method(Rc::new((object, method.text.clone())))
            }
            _ => Item::Unknown,
        },
        Item::Made(name, _) if FROM_OUTSIDE.contains(&&**name) => {
            run.obfuscated("a call whose name comes from outside");
            Item::Unknown
        }
        Item::Either(items) => {
            let items: Vec<Item> = items.iter().map(|item| callable(run, item)).collect();
            Item::either(items)
        }
        item => item.clone(),
    }
}

/// `[$object, 'method'](…)`
pub(in crate::languages) fn call_list(run: &mut Run<'_>, list: &Item, all: &[Given]) -> Item {
    match callable(run, list) {
        Item::Method(method) => {
            let method = Rc::clone(&method);
            run.method(&method.0, &method.1, all)
        }
        _ => {
            run.hand_over(all);
            Item::Unknown
        }
    }
}

/// What a name with a mark of its own stands for, if the code gave it no value.
pub(in crate::languages) fn constant(run: &Run<'_>, name: &str) -> Option<Item> {
    if name == SELF {
        return Some(match run.get("$this") {
            Some(Item::Object(object)) => Item::Class(Rc::clone(&object.class)),
            Some(item) => item,
            None => Item::Unknown,
        });
    }
    if FROM_OUTSIDE.contains(&name) {
        return Some(Item::Made(Rc::from(name), Rc::new(Vec::new())));
    }
    let kept = matches!(name, "$_SERVER" | "$_ENV" | "$GLOBALS" | "$argv");
    (name.starts_with('$') && !kept).then_some(Item::Unknown)
}

fn call_with(run: &mut Run<'_>, last: &str, all: &[Given]) -> Option<Item> {
    let (_, at, with) = CALLS.iter().find(|(name, ..)| *name == last)?;
    let items: Vec<Item> = all.iter().map(|given| given.item.clone()).collect();
    let function = items.get(*at)?.clone();
    let function = callable(run, &function);
    let result = match with {
        With::Rest => run.apply(&function, all.get(at + 1..).unwrap_or_default()),
        With::List(list) => {
            let list = items.get(*list).map_or(Item::Unknown, values);
            let given: Vec<Given> =
                list.items().unwrap_or_else(|| vec![Item::Unknown]).into_iter().map(given).collect();
            run.apply(&function, &given)
        }
        With::Each(list) => {
            let list = items.get(*list).map_or(Item::Unknown, values);
            let Some(found) = list.items().filter(|found| found.len() <= 256) else {
                let made = run.apply(&function, &[given(Item::Unknown)]);
                return Some(if last == "array_map" { Item::list(vec![made]) } else { Item::Unknown });
            };
            let mut results = Vec::new();
            for item in found {
                let made = run.apply(&function, &[given(item.clone())]);
                results.push(if last == "array_map" { made } else { item });
            }
            return Some(Item::list(results));
        }
        With::Nothing => match (&function, last) {
            // What the pattern finds stands in the text.
            (_, "preg_replace_callback") => {
                let text = items.get(2).cloned().unwrap_or(Item::Unknown);
                let found = match &text {
                    Item::Text(value) if value.text.contains(['<', '[', '{', '(']) => {
                        let inner = value.text.split(['<', '>', '[', ']', '{', '}', '(', ')']).nth(1);
                        Item::list(vec![text.clone(), Item::text(inner.unwrap_or_default())])
                    }
                    text => Item::list(vec![text.clone(), text.clone()]),
                };
                run.apply(&function, &[given(found)])
            }
            (Item::Library(name), _) if run.exact(name) => run.apply(&function, &[given(Item::Unknown)]),
            (Item::Library(_), _) => Item::Unknown,
            // Nobody says what it is called with.
            (Item::Function(closure), _) => {
                let uncalled = std::mem::replace(&mut run.uncalled, true);
                run.closure(closure, None);
                run.uncalled = uncalled;
                Item::Unknown
            }
            (function @ Item::Method(_), _) => {
                let function = given(function.clone());
                run.hand_over(&[function]);
                Item::Unknown
            }
            _ => Item::Unknown,
        },
    };
    Some(result)
}

/// A call of the library that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let last = name.rsplit('.').next().unwrap_or(name);
    // Names of functions have no case.
    if !run.exact(name) {
        let lower = name.to_ascii_lowercase();
        if lower != name && run.exact(&lower) {
            return Some(run.library_call(&lower, all));
        }
    }
    // Arguments that are named stand in the order they are written in.
    if all.iter().any(|given| given.name.is_some()) {
        let plain: Vec<Given> = all.iter().map(|own| given(own.item.clone())).collect();
        return Some(run.library_call(name, &plain));
    }
    if let Some(item) = call_with(run, last, all) {
        return Some(item);
    }
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    Some(match name {
        BY_NAME => {
            let (object, method) = (item(0)?, item(1)?);
            let rest = all.get(2..).unwrap_or_default();
            match method {
                Item::Text(method) if method.is_known() => {
                    if let Item::Library(object) = &object
                        && run.exact(&format!("{object}.{}", method.text))
                    {
                        run.obfuscated("a call by a name in a string");
                    }
                    run.method(&object, &method.text, rest)
                }
                function @ (Item::Function(_) | Item::Partial(_)) => run.apply(&function, rest),
                Item::Made(from, _) if FROM_OUTSIDE.contains(&&*from) => {
                    run.obfuscated("a call whose name comes from outside");
                    Item::Unknown
                }
                _ => {
                    run.hand_over(rest);
                    Item::Unknown
                }
            }
        }
        VARIABLE => match item(0)?.known_text() {
            Some(own) => {
                let own = format!("${own}");
                run.get(&own).or_else(|| constant(run, &own)).unwrap_or(Item::Unknown)
            }
            None => Item::Unknown,
        },
        SET_VARIABLE => {
            if let Some(own) = item(0)?.known_text() {
                run.set(&format!("${own}"), item(1)?, Declares::Here);
            }
            item(1)?
        }
        VALUES => values(&item(0)?),
        PAIRS => pairs(&item(0)?),
        PARENT => return Some(crate::languages::ruby::library::of_parent(run, &item(0)?, all)),
        _ => return of_names(run, name, all),
    })
}

/// Constants and variables by their names.
fn of_names(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    Some(match name {
        "define" => {
            if let (Some(own), Some(value)) = (item(0)?.known_text(), item(1)) {
                run.set(own, value, Declares::There);
            }
            Item::Unknown
        }
        "constant" => item(0)?.known_text().and_then(|own| run.get(own)).unwrap_or(Item::Unknown),
        "compact" => Item::Map(Rc::new(
            all.iter()
                .filter_map(|given| given.item.known_text())
                .filter_map(|own| Some((Item::text(own), run.get(&format!("${own}"))?)))
                .collect(),
        )),
        "extract" => {
            match item(0)? {
                Item::Map(pairs) => {
                    for (key, value) in pairs.iter() {
                        if let Some(key) = key.known_text() {
                            run.set(&format!("${key}"), value.clone(), Declares::Here);
                        }
                    }
                }
                Item::Made(from, _) if FROM_OUTSIDE.contains(&&*from) => {
                    run.obfuscated("variables that come from outside");
                }
                _ => {}
            }
            Item::Unknown
        }
        _ => return of_code(run, name, all),
    })
}

/// Calls that run code, or reach functions and classes by their names.
fn of_code(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    Some(match name {
        "assert"
            if !matches!(&item(0), Some(Item::Text(_)))
                && !matches!(&item(0), Some(Item::Made(from, _)) if from.starts_with('$')) =>
        {
            Item::Unknown
        }
        "preg_replace" => {
            let pattern = item(0)?;
            let ends = pattern.known_text().and_then(|pattern| {
                let mark = pattern.trim_start().chars().next()?;
                let close = match mark {
                    '(' => ')',
                    '{' => '}',
                    '[' => ']',
                    '<' => '>',
                    mark => mark,
                };
                pattern.rsplit_once(close).map(|(_, modifiers)| modifiers.contains('e'))
            });
            if ends == Some(true) {
                run.act(Act::Eval, "eval", None, &[given(item(1)?)]);
            }
            Item::Unknown
        }
        "mb_ereg_replace"
            if item(3).is_some_and(|flags| flags.known_text().is_some_and(|text| text.contains('e'))) =>
        {
            run.act(Act::Eval, "eval", None, &[given(item(1)?)])
        }
        "unserialize" => {
            let from = item(0)?;
            let outside = matches!(&from, Item::Made(own, _)
                if FROM_OUTSIDE.contains(&&**own) || own.contains("curl") || own.contains("socket"));
            if outside {
                run.obfuscated("objects that come from outside");
            }
            unserialized(run, &from);
            Item::Unknown
        }
        "ReflectionFunction" | "ReflectionMethod" | "Closure.fromCallable" => {
            let what = match (item(0)?, item(1)) {
                (object, Some(method @ Item::Text(_))) => Item::list(vec![object, method]),
                (item, _) => item,
            };
            callable(run, &what)
        }
        "ReflectionClass" => match item(0)? {
            Item::Text(class) => run.get(&class.text).unwrap_or_else(|| Item::library(&class.text)),
            Item::Object(object) => Item::Class(Rc::clone(&object.class)),
            item => item,
        },
        "func_get_args" => Item::Unknown,
        _ => return of_streams(run, name, all),
    })
}

/// Numbers, files that are looked at, and what only asks.
fn of_others(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    let own_function = |run: &Run<'_>| matches!(run.get(name), Some(Item::Function(_)));
    Some(match name {
        "intval" | "hexdec" | "bindec" | "octdec" => match (item(0)?, name) {
            (number @ Item::Number(_), _) => number,
            (Item::Text(text), kind) => {
                let radix = match kind {
                    "hexdec" => 16,
                    "bindec" => 2,
                    "octdec" => 8,
                    _ => 10,
                };
                i64::from_str_radix(text.text.trim(), radix).map_or(Item::Unknown, Item::Number)
            }
            _ => Item::Unknown,
        },
        "glob" => Item::list(vec![Item::Text(item(0)?.shown())]),
        "tempnam" | "sys_get_temp_dir" | "tmpfile" | "uniqid" => {
            let name = Value::literal(if name == "sys_get_temp_dir" { "/tmp" } else { "/tmp/…" });
            Item::Text(name)
        }
        "getcwd" => Item::text("."),
        _ if run.language.has(NameRole::Asks, name)
            && !own_function(run)
            && !all.iter().any(|given| matches!(given.item, Item::Library(_))) =>
        {
            Item::Unknown
        }
        "SplFileInfo" | "DirectoryIterator.current" => {
            Item::Made(Rc::from("SplFileInfo"), Rc::new(vec![Item::Text(item(0)?.shown())]))
        }
        "pcntl_exec" => {
            run.act(Act::Words, name, None, all);
            Item::Unknown
        }
        "ftruncate" => {
            if let Item::Made(_, given) = item(0)?
                && let Some(path) = given.first()
            {
                run.effects.write(&path.shown(), WriteMode::Truncate);
            }
            Item::Unknown
        }
        _ => return None,
    })
}

/// Objects of the code's own classes that a text may make: what they do when they are made and when they go.
fn unserialized(run: &mut Run<'_>, from: &Item) {
    let text = from.shown().text;
    let names: Vec<String> = run.class_names();
    for name in names.into_iter().take(32) {
        let open = matches!(from, Item::Unknown | Item::Made(..));
        if !open && !text.contains(&format!("\"{name}\"")) {
            continue;
        }
        let Some(class @ Item::Class(_)) = run.get(&name) else { continue };
        let Item::Class(own) = &class else { continue };
        for magic in ["__wakeup", "__destruct", "__unserialize", "__toString"] {
            let Some(Item::Function(closure)) = run.class_member(own, magic, 0) else { continue };
            let parts: Vec<&str> = text.split('"').skip(3).step_by(2).collect();
            let field = |pair: &[&str]| match pair {
                [key, value] => Some((format!("${key}"), Item::text(*value))),
                _ => None,
            };
            let object = run.object(Rc::clone(own), parts.chunks(2).filter_map(field).collect());
            let method = bound(&closure, &object);
            run.apply(&method, &[]);
        }
    }
}
