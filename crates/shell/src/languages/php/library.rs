//! What PHP itself does with names: callables, functions that call what they are given, cURL, arrays, superglobals.

use std::rc::Rc;

use doorward_core::intent::{Direction, WriteMode};

use super::{BY_NAME, PAIRS, PARENT, SELF, SET_VARIABLE, VALUES, VARIABLE};
use crate::languages::code::tree::Declares;
use crate::languages::code::{Given, Item, Run, binary, bound, joined_texts, of_map, parent};
use crate::languages::rules::Act;
use crate::languages::{LISTED, Value};

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

/// What a loop goes through: the values of an array.
fn values(item: &Item) -> Item {
    match item {
        Item::Map(pairs) => Item::list(pairs.iter().map(|(_, item)| item.clone()).collect()),
        Item::Either(items) => Item::either(items.iter().map(values)),
        Item::Made(name, given) => {
            let folder = given.first().map_or(Item::Unknown, |first| match first {
                Item::Made(_, given) => given.first().cloned().unwrap_or(Item::Unknown),
                item => item.clone(),
            });
            match name.rsplit('.').next().unwrap_or(name) {
                "ArrayIterator" | "ArrayObject" => given.first().map_or(Item::Unknown, values),
                "DirectoryIterator"
                | "FilesystemIterator"
                | "RecursiveDirectoryIterator"
                | "RecursiveIteratorIterator"
                | "GlobIterator"
                    if matches!(folder, Item::Text(_) | Item::Unknown) =>
                {
                    let below = match name.contains("Glob") {
                        true => folder,
                        false => binary('/', &Item::Text(folder.shown()), &Item::text(LISTED)),
                    };
                    Item::list(vec![Item::Made(Rc::from("SplFileInfo"), Rc::new(vec![below]))])
                }
                _ => Item::Unknown,
            }
        }
        Item::List(_) => item.clone(),
        _ => Item::Unknown,
    }
}

fn pairs(item: &Item) -> Item {
    let both = |key: Item, item: &Item| Item::list(vec![key, item.clone()]);
    match item {
        Item::Map(pairs) => Item::list(pairs.iter().map(|(key, item)| both(key.clone(), item)).collect()),
        Item::Either(items) => Item::either(items.iter().map(pairs)),
        item => match values(item) {
            Item::List(items) => Item::list(
                items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| both(i64::try_from(at).map_or(Item::Unknown, Item::Number), item))
                    .collect(),
            ),
            _ => Item::Unknown,
        },
    }
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

/// Where cURL's next transfer goes, as far as it is known.
const URL: &str = "@url";
/// A transfer that sends something.
const SENDS: &str = "@sends";

fn curl(run: &mut Run<'_>, handle: &Item, option: &Item, value: &Item) {
    let Item::Library(option) = option else { return };
    let url = match handle {
        Item::Made(_, given) => given.first().filter(|item| matches!(item, Item::Text(_))).cloned(),
        _ => None,
    };
    let url = run.get(URL).filter(|item| matches!(item, Item::Text(_))).or(url);
    match &**option {
        "CURLOPT_URL" => {
            run.set(URL, value.clone(), Declares::There);
            let sends = matches!(run.get(SENDS), Some(Item::Number(1)));
            for value in value.alternatives() {
                let direction = if sends { Direction::Send } else { Direction::Fetch };
                run.effects.host(&value.shown(), "https", direction);
            }
        }
        "CURLOPT_POSTFIELDS"
        | "CURLOPT_POST"
        | "CURLOPT_UPLOAD"
        | "CURLOPT_INFILE"
        | "CURLOPT_PUT"
        | "CURLOPT_CUSTOMREQUEST"
        | "CURLOPT_READFUNCTION" => {
            let empty = matches!(value, Item::Number(0));
            let only_gets = matches!(value.known_text(), Some("GET" | "HEAD"));
            if empty || only_gets {
                return;
            }
            run.set(SENDS, Item::Number(1), Declares::There);
            if let Some(url) = url {
                run.effects.host(&url.shown(), "https", Direction::Send);
            }
        }
        "CURLOPT_FILE" => {}
        _ => {}
    }
}

/// Whether flags name one.
fn holds(item: Option<&Item>, flag: &str) -> bool {
    match item {
        Some(Item::Library(name)) => &**name == flag,
        Some(Item::Number(flags)) => flag == "FILE_APPEND" && flags & 8 != 0,
        Some(Item::Either(items)) => items.iter().any(|item| holds(Some(item), flag)),
        _ => false,
    }
}

/// Whether a stream's context sends something.
fn context_sends(item: &Item) -> bool {
    let Item::Made(name, given) = item else { return false };
    if &**name != "stream_context_create" {
        return false;
    }
    let Some(Item::Map(schemes)) = given.first() else { return false };
    schemes.iter().any(|(_, options)| match options {
        Item::Map(options) => options.iter().any(|(key, value)| match key.known_text() {
            Some("content") => true,
            Some("method") => !matches!(value.known_text(), Some("GET" | "HEAD")),
            _ => false,
        }),
        _ => false,
    })
}

/// `sprintf`, whose marks may have a width.
fn formatted(template: &Value, arguments: &[Item]) -> Item {
    let mut parts = Vec::new();
    let mut rest = template.text.as_str();
    let mut next = arguments.iter();
    while let Some((before, mark)) = rest.split_once('%') {
        parts.push(Item::Text(Value::literal(before)));
        if let Some(after) = mark.strip_prefix('%') {
            parts.push(Item::text("%"));
            rest = after;
            continue;
        }
        let end = mark.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(mark.len());
        let numbered = mark.split_once('$').filter(|(at, _)| at.bytes().all(|byte| byte.is_ascii_digit()));
        let item = match numbered.and_then(|(at, _)| at.parse::<usize>().ok()) {
            Some(at) => arguments.get(at.saturating_sub(1)).cloned(),
            None => next.next().cloned(),
        };
        let item = item.unwrap_or(Item::Unknown);
        parts.push(match (mark.get(end..end + 1), &item) {
            (Some("c"), Item::Number(code)) => {
                let letter = u32::try_from(*code).ok().and_then(char::from_u32).unwrap_or('…');
                Item::Text(Value { text: letter.to_string(), assembled: true, decoded: true })
            }
            _ => item,
        });
        rest = mark.get(end + 1..).unwrap_or_default();
    }
    parts.push(Item::Text(Value::literal(rest)));
    joined_texts(&parts)
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
    let own_function = |run: &Run<'_>| matches!(run.get(name), Some(Item::Function(_)));
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
        "create_function" => {
            let code = item(1)?;
            run.act(Act::Eval, "eval", None, &[given(code)])
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
        "curl_setopt" => {
            curl(run, &item(0)?, &item(1)?, &item(2)?);
            Item::Unknown
        }
        "curl_setopt_array" => {
            if let Item::Map(options) = item(1)? {
                // The address first, so that what is sent has one.
                let is_url = |key: &Item| matches!(key, Item::Library(key) if &**key == "CURLOPT_URL");
                let (first, rest): (Vec<_>, Vec<_>) = options.iter().partition(|(key, _)| is_url(key));
                for (key, value) in first.into_iter().chain(rest) {
                    curl(run, &item(0)?, key, value);
                }
            }
            Item::Unknown
        }
        "curl_init" if all.is_empty() => {
            run.set(URL, Item::Unknown, Declares::There);
            run.set(SENDS, Item::Unknown, Declares::There);
            Item::Made(Rc::from("curl_init"), Rc::new(Vec::new()))
        }
        "fopen"
            if item(0)?
                .known_text()
                .is_some_and(|path| path.starts_with("php://") && !path.contains("filter")) =>
        {
            Item::Made(Rc::from("php"), Rc::new(Vec::new()))
        }
        "file_get_contents" | "fopen" | "file" | "readfile"
            if all.iter().any(|given| context_sends(&given.item)) =>
        {
            run.act(Act::Send, name, None, &[given(item(0)?)])
        }
        "file_put_contents" => {
            let (path, content) = (item(0)?, item(1).unwrap_or(Item::Unknown));
            if path.shown().text.contains("://") && !path.shown().text.starts_with("php://") {
                return Some(run.act(Act::Send, name, None, &[given(path)]));
            }
            if path.known_text().is_some_and(|path| path.starts_with("php://")) {
                return Some(Item::Unknown);
            }
            let append = holds(item(2).as_ref(), "FILE_APPEND");
            let empty = content.known_text().is_some_and(str::is_empty);
            let name = match (append, empty) {
                (true, _) => "file_append",
                _ => "file_put_contents",
            };
            let fetched = matches!(&content, Item::Made(_, given)
                if given.first().is_some_and(|from| from.shown().text.contains("://")));
            run.act(Act::Write, name, None, &[given(path), given(content)]);
            if fetched && let Some(write) = run.effects.deeds.writes.last_mut() {
                write.downloaded = true;
            }
            Item::Unknown
        }
        "copy" if item(0)?.shown().text.contains("://") => run.act(Act::Download, name, None, all),
        "fwrite" | "fputs" => {
            match item(0)? {
                Item::Made(from, given) if matches!(&*from, "fopen" | "SplFileObject" | "gzopen") => {
                    if let Some(path) = given.first() {
                        run.wrote(path, &item(1)?);
                    }
                }
                _ => {}
            }
            Item::Unknown
        }
        "chdir" => {
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            Item::Unknown
        }
        "dirname" => match item(0)? {
            Item::Text(path) => Item::Text(Value { text: parent(&path.text), ..path }),
            _ => Item::Unknown,
        },
        "realpath"
        | "escapeshellarg"
        | "escapeshellcmd"
        | "trim"
        | "rtrim"
        | "ltrim"
        | "strval"
        | "addslashes"
        | "stripslashes"
        | "array_unique"
        | "array_filter"
        | "iterator_to_array"
        | "settype"
        | "utf8_encode"
        | "mb_convert_encoding"
        | "nl2br"
        | "htmlspecialchars"
            if !own_function(run) =>
        {
            match (item(0)?, name) {
                (Item::Text(text), "trim" | "rtrim" | "ltrim") => {
                    of_map(&Item::Text(text), "strip", all.get(1..).unwrap_or_default())
                        .unwrap_or(Item::Unknown)
                }
                (item, _) => item,
            }
        }
        "array_values" => values(&item(0)?),
        "array_keys" => of_map(&item(0)?, "keys", &[]).unwrap_or(Item::Unknown),
        "array_merge" | "array_merge_recursive" | "array_replace" => {
            let mut whole = item(0).unwrap_or_else(|| Item::list(Vec::new()));
            for more in all.iter().skip(1) {
                let operator = if matches!(whole, Item::Map(_)) { '|' } else { '+' };
                whole = match binary(operator, &whole, &more.item) {
                    Item::Unknown if matches!(&more.item, Item::Map(_)) => more.item.clone(),
                    item => item,
                };
            }
            whole
        }
        "array_combine" => {
            Item::Map(Rc::new(item(0)?.items()?.into_iter().zip(values(&item(1)?).items()?).collect()))
        }
        "array_pop" | "array_shift" | "current" | "reset" | "end" | "next" | "array_rand" | "max" => {
            match values(&item(0)?) {
                Item::List(items) => Item::either(items.iter().take(8).cloned()),
                _ => Item::Unknown,
            }
        }
        "array_slice" => item(0)?,
        "array_reverse" => of_map(&item(0)?, "reverse", &[]).unwrap_or(Item::Unknown),
        "array_reduce" => {
            let function = callable(run, &item(1)?);
            let mut given_all = vec![given(function)];
            given_all.extend(item(2).map(given));
            run.reduced(&values(&item(0)?), &given_all)
        }
        "explode" => {
            let (separator, text) = (item(0)?, item(1)?);
            of_map(&text, "split", &[given(separator)]).unwrap_or(Item::Unknown)
        }
        "implode" | "join" if all.len() == 1 => {
            of_map(&values(&item(0)?), "join", &[]).unwrap_or(Item::Unknown)
        }
        "implode" | "join" => {
            let (one, other) = (item(0)?, item(1)?);
            let (separator, list) =
                if matches!(one, Item::List(_) | Item::Map(_)) { (other, one) } else { (one, other) };
            match values(&list) {
                list @ Item::List(_) => of_map(&list, "join", &[given(separator)]).unwrap_or(Item::Unknown),
                _ => Item::Unknown,
            }
        }
        "sprintf" => match item(0)? {
            Item::Text(template) => {
                let rest: Vec<Item> = all.iter().skip(1).map(|given| given.item.clone()).collect();
                formatted(&template, &rest)
            }
            _ => Item::Unknown,
        },
        "vsprintf" => match item(0)? {
            Item::Text(template) => formatted(&template, &values(&item(1)?).items().unwrap_or_default()),
            _ => Item::Unknown,
        },
        "str_replace" | "str_ireplace" => {
            let (from, to, text) = (item(0)?, item(1)?, item(2)?);
            match (&from, &to) {
                (Item::Text(_), Item::Text(_)) => {
                    of_map(&text, "replace", &[given(from), given(to)]).unwrap_or(Item::Unknown)
                }
                (Item::List(from), to) => {
                    let mut whole = text;
                    for (at, one) in from.iter().enumerate().take(64) {
                        let with = match to {
                            Item::List(to) => to.get(at).cloned().unwrap_or_else(|| Item::text("")),
                            to => to.clone(),
                        };
                        whole = of_map(&whole, "replace", &[given(one.clone()), given(with)])
                            .unwrap_or(Item::Unknown);
                    }
                    whole
                }
                _ => Item::Unknown,
            }
        }
        "strtr" => match (item(0)?, item(1)?, item(2)) {
            (Item::Text(text), Item::Text(from), Some(Item::Text(to))) => {
                let to: Vec<char> = to.text.chars().collect();
                let from: Vec<char> = from.text.chars().collect();
                let letters = text.text.chars().map(|letter| {
                    from.iter()
                        .position(|own| *own == letter)
                        .and_then(|at| to.get(at))
                        .copied()
                        .unwrap_or(letter)
                });
                Item::Text(Value { text: letters.collect(), assembled: true, decoded: true })
            }
            (Item::Text(text), Item::Map(pairs), None) => {
                let mut whole = text.text;
                for (from, to) in pairs.iter().take(64) {
                    if let (Some(from), Some(to)) = (from.known_text(), to.known_text())
                        && !from.is_empty()
                    {
                        whole = whole.replace(from, to);
                    }
                }
                Item::Text(Value { text: whole, assembled: true, decoded: text.decoded })
            }
            _ => Item::Unknown,
        },
        "substr" | "mb_substr" => match (item(0)?, item(1)?, item(2)) {
            (text @ Item::Text(_), Item::Number(from), length) => {
                let to = match length {
                    Some(Item::Number(length)) if length < 0 => Some(Item::Number(length)),
                    Some(Item::Number(length)) => Some(Item::Number(from.saturating_add(length))),
                    Some(_) => return Some(Item::Unknown),
                    None => None,
                };
                crate::languages::code::slice(&text, &[Some(Item::Number(from)), to, None])
            }
            _ => Item::Unknown,
        },
        "str_split" | "mb_str_split" if all.len() == 1 => Item::list(item(0)?.items()?),
        "str_repeat" => binary('*', &item(0)?, &item(1)?),
        "ucfirst" | "lcfirst" | "ucwords" => Item::Text(item(0)?.shown()),
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
        "is_callable" | "function_exists" | "is_dir" | "is_file" | "file_exists" | "is_readable"
        | "is_writable" | "filesize" | "filemtime" | "class_exists" | "method_exists" | "defined"
        | "extension_loaded" | "ini_set" | "ini_get" | "set_time_limit" | "error_reporting" | "header"
        | "count" | "strlen" | "json_decode" | "var_dump" | "is_string" | "is_array" | "in_array"
        | "strpos" | "str_contains" | "str_starts_with" | "preg_match" | "preg_match_all" | "strcmp"
            if !own_function(run) && !all.iter().any(|given| matches!(given.item, Item::Library(_))) =>
        {
            Item::Unknown
        }
        "SplFileInfo" | "DirectoryIterator.current" => {
            Item::Made(Rc::from("SplFileInfo"), Rc::new(vec![Item::Text(item(0)?.shown())]))
        }
        "posix_getpid" | "getmypid" => Item::Unknown,
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
        Item::Class(class) => match member {
            "newInstance" | "newInstanceArgs" | "newInstanceWithoutConstructor" => {
                Some(run.apply(receiver, all))
            }
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
        },
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
