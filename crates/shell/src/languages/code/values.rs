//! Values of operators, members and methods, where what they are applied to is known.

use std::rc::Rc;

use super::item::{Given, Item};
use crate::languages::evaluate;
use crate::languages::{LISTED, Value};

/// The longest text and list that are computed.
const LONGEST: usize = 64 * 1024;
const MOST_ITEMS: usize = 4096;

fn each(item: &Item, of: impl Fn(&Item) -> Item) -> Item {
    match item {
        Item::Either(items) => Item::either(items.iter().map(of)),
        item => of(item),
    }
}

/// Texts in one; unknown parts stay `…`.
pub(in crate::languages) fn joined_texts(items: &[Item]) -> Item {
    if items.iter().any(|item| matches!(item, Item::Nothing)) {
        return Item::Nothing;
    }
    // One part that may be several things makes several texts.
    let several = items.iter().position(|item| matches!(item, Item::Either(_)));
    if let Some((at, Item::Either(choices))) = several.and_then(|at| Some((at, items.get(at)?))) {
        return Item::either(choices.iter().map(|choice| {
            let mut items = items.to_vec();
            if let Some(slot) = items.get_mut(at) {
                *slot = choice.clone();
            }
            // Further ones are left open, so that the number of texts stays small.
            for item in items.iter_mut().skip(at + 1) {
                if matches!(item, Item::Either(_)) {
                    *item = Item::Unknown;
                }
            }
            joined_texts(&items)
        }));
    }
    let mut whole = Value { assembled: items.len() > 1, ..Value::default() };
    for item in items {
        let part = item.shown();
        whole.text.push_str(&part.text);
        whole.assembled |= part.assembled;
        whole.decoded |= part.decoded;
        if whole.text.len() > LONGEST {
            return Item::Unknown;
        }
    }
    Item::Text(whole)
}

/// The value of an operator.
pub(in crate::languages) fn binary(operator: char, one: &Item, other: &Item) -> Item {
    match (one, other) {
        (Item::Nothing, _) | (_, Item::Nothing) => Item::Nothing,
        (Item::Made(name, _), _) if super::item::is_path(name) && matches!(operator, '+' | '/') => {
            let whole = binary('/', &Item::Text(one.shown()), &Item::Text(other.shown()));
            Item::Made(Rc::clone(name), Rc::new(vec![whole]))
        }
        (Item::Either(items), _) => Item::either(items.iter().map(|one| binary(operator, one, other))),
        (_, Item::Either(items)) => Item::either(items.iter().map(|other| binary(operator, one, other))),
        (Item::Number(one), Item::Number(other)) => number(operator, *one, *other),
        (Item::List(one), Item::List(other)) if operator == '+' => {
            if one.len() + other.len() > MOST_ITEMS {
                return Item::Unknown;
            }
            Item::list(one.iter().chain(other.iter()).cloned().collect())
        }
        // What is added to a list isn't known: words that are there stay.
        (Item::List(items), Item::Unknown | Item::Made(..)) if operator == '+' => {
            Item::list(items.iter().cloned().chain(std::iter::once(Item::Unknown)).collect())
        }
        (Item::Unknown | Item::Made(..), Item::List(items)) if operator == '+' => {
            Item::list(std::iter::once(Item::Unknown).chain(items.iter().cloned()).collect())
        }
        // A byte of what was decoded.
        (Item::Text(value), Item::Number(other)) | (Item::Number(other), Item::Text(value))
            if operator == '^' && value.is_known() && value.text.chars().count() == 1 =>
        {
            let letter = value.text.chars().next().map_or(0, u32::from);
            Item::Number(i64::from(letter) ^ other)
        }
        _ => binary_of_text(operator, one, other),
    }
}

/// An operator of which one side is a text, a name or a map.
fn binary_of_text(operator: char, one: &Item, other: &Item) -> Item {
    match (one, other) {
        (Item::List(items), Item::Number(times)) | (Item::Number(times), Item::List(items))
            if operator == '*' =>
        {
            let times = usize::try_from(*times).unwrap_or(0);
            if items.len().saturating_mul(times) > MOST_ITEMS {
                return Item::Unknown;
            }
            Item::list(std::iter::repeat_n(items.iter().cloned(), times).flatten().collect())
        }
        (Item::Text(text), Item::Number(times)) | (Item::Number(times), Item::Text(text))
            if operator == '*' =>
        {
            let times = usize::try_from(*times).unwrap_or(0);
            if text.text.len().saturating_mul(times) > LONGEST {
                return Item::Unknown;
            }
            Item::Text(Value { text: text.text.repeat(times), assembled: true, decoded: text.decoded })
        }
        (Item::Text(_), Item::List(items))
            if operator == '%' && items.iter().any(|item| matches!(item, Item::Nothing)) =>
        {
            Item::Nothing
        }
        (Item::Text(template), arguments) if operator == '%' => {
            let arguments = match arguments {
                Item::List(items) => items.iter().map(Item::literal).collect(),
                item => vec![item.literal()],
            };
            match evaluate::formatted(template, &arguments) {
                Some(item) => item,
                None => unknown_like(template),
            }
        }
        (Item::Text(_) | Item::Unknown, Item::Text(_) | Item::Unknown) if operator == '/' => {
            match (one, other) {
                (Item::Unknown, Item::Unknown) => Item::Unknown,
                _ => evaluate::path(&[one.literal(), other.literal()]).unwrap_or(Item::Unknown),
            }
        }
        (Item::Text(_), _) | (_, Item::Text(_)) if matches!(operator, '+' | '.') => {
            joined_texts(&[one.clone(), other.clone()])
        }
        // Flags by name.
        (Item::Library(_), _) | (_, Item::Library(_)) if matches!(operator, '|' | '+') => {
            Item::either([one.clone(), other.clone()])
        }
        (Item::Map(one), Item::Map(other)) if operator == '|' => {
            Item::Map(Rc::new(one.iter().chain(other.iter()).cloned().collect()))
        }
        _ => Item::Unknown,
    }
}

fn number(operator: char, one: i64, other: i64) -> Item {
    let shift = u32::try_from(other).ok();
    let result = match operator {
        '+' => one.checked_add(other),
        '-' => one.checked_sub(other),
        '*' => one.checked_mul(other),
        '/' => one.checked_div(other),
        '%' => one.checked_rem_euclid(other),
        '^' => Some(one ^ other),
        '|' => Some(one | other),
        '&' => Some(one & other),
        '<' => shift.and_then(|shift| one.checked_shl(shift)),
        '>' => shift.and_then(|shift| one.checked_shr(shift)),
        _ => None,
    };
    result.map_or(Item::Unknown, Item::Number)
}

/// A text of which only the beginning, up to its first hole, is known.
fn unknown_like(template: &Value) -> Item {
    let known = template.text.split(['%', '{']).next().unwrap_or_default();
    Item::Text(Value { text: format!("{known}…"), assembled: true, decoded: template.decoded })
}

/// `object[from:to:step]`
pub(in crate::languages) fn slice(object: &Item, bounds: &[Option<Item>]) -> Item {
    each(object, |object| {
        let bound = |at: usize| match bounds.get(at) {
            Some(Some(Item::Number(number))) => Ok(Some(*number)),
            Some(Some(_)) => Err(()),
            _ => Ok(None),
        };
        let (Ok(from), Ok(to), Ok(step)) = (bound(0), bound(1), bound(2)) else { return Item::Unknown };
        let Some(items) = object.items() else { return Item::Unknown };
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let place = |index: i64| {
            usize::try_from(if index < 0 { length + index } else { index }.max(0)).unwrap_or(usize::MAX)
        };
        let step = step.unwrap_or(1);
        let chosen: Vec<Item> = if step < 0 {
            let from = from.map_or(usize::MAX, place);
            let to = to.map(place);
            items
                .into_iter()
                .enumerate()
                .rev()
                .filter(|(at, _)| *at <= from && to.is_none_or(|to| *at > to))
                .map(|(_, item)| item)
                .step_by(usize::try_from(-step).unwrap_or(1).max(1))
                .collect()
        } else {
            let (from, to) = (place(from.unwrap_or(0)), place(to.unwrap_or(length)));
            let by = usize::try_from(step).unwrap_or(1).max(1);
            items.into_iter().take(to).skip(from).step_by(by).collect()
        };
        match object {
            Item::Text(value) => Item::Text(Value {
                text: chosen.iter().map(|item| item.shown().text).collect(),
                assembled: true,
                decoded: value.decoded,
            }),
            _ => Item::list(chosen),
        }
    })
}

/// `object[key]` of a text or list.
pub(in crate::languages) fn index(object: &Item, key: &Item) -> Item {
    let Item::Number(at) = key else {
        return match object {
            Item::List(items) if items.len() <= 16 => {
                Item::either(items.iter().cloned().chain(std::iter::once(Item::Unknown)))
            }
            _ => Item::Unknown,
        };
    };
    let Some(items) = object.items() else { return Item::Unknown };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let at = if *at < 0 { length.saturating_add(*at) } else { *at };
    usize::try_from(at).ok().and_then(|at| items.get(at).cloned()).unwrap_or(Item::Unknown)
}

/// A member of a value that is no call: `path.parent`.
pub(in crate::languages) fn member(object: &Item, member: &str) -> Option<Item> {
    let Item::Text(value) = object else {
        return match (object, member) {
            (Item::List(items), "length" | "size") => i64::try_from(items.len()).ok().map(Item::Number),
            (Item::List(items), "first") => items.first().cloned(),
            (Item::List(items), "last") => items.last().cloned(),
            _ => None,
        };
    };
    let with =
        |text: String| Some(Item::Text(Value { text, assembled: value.assembled, decoded: value.decoded }));
    match member {
        "parent" => with(parent(&value.text)),
        // An entry of a listed folder.
        "path" => with(value.text.clone()),
        "name" => with(value.text.rsplit('/').next().unwrap_or_default().to_owned()),
        "stem" => {
            let name = value.text.rsplit('/').next().unwrap_or_default();
            with(name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned())
        }
        "suffix" => {
            let name = value.text.rsplit('/').next().unwrap_or_default();
            with(name.rsplit_once('.').map_or(String::new(), |(_, end)| format!(".{end}")))
        }
        "length" if value.is_known() => i64::try_from(value.text.chars().count()).ok().map(Item::Number),
        "parents" => {
            let mut at = value.text.clone();
            let mut all = Vec::new();
            for _ in 0..8 {
                at = parent(&at);
                all.push(Item::text(at.clone()));
            }
            Some(Item::list(all))
        }
        _ => None,
    }
}

/// The folder of a path.
pub(in crate::languages) fn parent(path: &str) -> String {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        // The folder of what lies here is here, and nobody knows what lies above.
        None if matches!(path, "." | "") || path.ends_with("..") => format!("{path}/.."),
        None => ".".to_owned(),
    }
}

/// Methods that change what they are called on: what it is afterwards, and what the call returns.
pub(in crate::languages) fn changes(receiver: &Item, method: &str, given: &[Given]) -> Option<(Item, Item)> {
    let first = given.first().map(|given| given.item.clone());
    match (receiver, method) {
        // Ruby's texts grow.
        (Item::Text(_), "<<" | "concat") if given.len() == 1 => {
            let whole = joined_texts(&[receiver.clone(), first?]);
            Some((whole.clone(), whole))
        }
        (Item::List(items), "append" | "push" | "add" | "push_back" | "<<") => {
            let mut items = items.as_ref().clone();
            items.extend(given.iter().map(|given| given.item.clone()));
            (items.len() <= MOST_ITEMS).then(|| (Item::list(items.clone()), Item::list(items)))
        }
        (Item::List(items), "extend" | "concat" | "update") if method != "concat" || first.is_some() => {
            let more = first.as_ref().and_then(Item::items).unwrap_or_else(|| vec![Item::Unknown]);
            let all: Vec<Item> = items.iter().cloned().chain(more).collect();
            (all.len() <= MOST_ITEMS).then(|| (Item::list(all.clone()), Item::list(all)))
        }
        (Item::List(items), "insert" | "unshift" | "prepend") => {
            let mut all = items.as_ref().clone();
            let (at, item) = match (method, given) {
                ("insert", [Given { item: Item::Number(at), .. }, Given { item, .. }]) => {
                    (usize::try_from(*at).unwrap_or(0).min(all.len()), item.clone())
                }
                ("insert", _) => return None,
                _ => (0, first?),
            };
            all.insert(at, item);
            Some((Item::list(all), Item::Unknown))
        }
        (Item::List(items), "pop" | "shift") if !items.is_empty() => {
            let mut all = items.as_ref().clone();
            let at = match (method, &first) {
                ("shift", _) => 0,
                (_, Some(Item::Number(at))) => usize::try_from(*at).unwrap_or(0).min(all.len() - 1),
                (_, Some(_)) => return None,
                _ => all.len() - 1,
            };
            let item = all.remove(at);
            Some((Item::list(all), item))
        }
        (Item::List(items), "reverse") => {
            let all: Vec<Item> = items.iter().rev().cloned().collect();
            Some((Item::list(all.clone()), Item::list(all)))
        }
        (Item::Map(pairs), "update" | "set" | "setdefault" | "store" | "merge!") => {
            let mut all = pairs.as_ref().clone();
            match (method, given) {
                ("update" | "merge!", [Given { item: Item::Map(more), .. }]) => {
                    all.extend(more.iter().cloned());
                }
                ("update", _) => all.extend(
                    given
                        .iter()
                        .filter_map(|given| Some((Item::text(given.name.clone()?), given.item.clone()))),
                ),
                (_, [key, value]) => all.push((key.item.clone(), value.item.clone())),
                _ => return None,
            }
            (all.len() <= MOST_ITEMS).then(|| (Item::Map(Rc::new(all)), Item::Unknown))
        }
        _ => None,
    }
}

/// A method of a value that is known, without effects.
pub(in crate::languages) fn method(receiver: &Item, name: &str, given: &[Given]) -> Option<Item> {
    let positional: Vec<&Item> =
        given.iter().filter(|given| given.name.is_none()).map(|given| &given.item).collect();
    match (receiver, name, positional.as_slice()) {
        (Item::Map(pairs), "get" | "fetch", [key, rest @ ..]) => {
            let found = pairs.iter().rev().find(|(own, _)| {
                own.is_same(key) || own.known_text().is_some() && own.known_text() == key.known_text()
            });
            Some(match found {
                Some((_, item)) => item.clone(),
                None if key.known_text().is_some() => {
                    rest.first().map_or(Item::Unknown, |item| (*item).clone())
                }
                None => Item::either(
                    pairs
                        .iter()
                        .map(|(_, item)| item.clone())
                        .chain(rest.iter().map(|item| (*item).clone()))
                        .chain(std::iter::once(Item::Unknown)),
                ),
            })
        }
        (Item::Map(pairs), "items" | "entries" | "each_pair" | "to_a", []) => Some(Item::list(
            pairs.iter().map(|(key, item)| Item::list(vec![key.clone(), item.clone()])).collect(),
        )),
        (Item::Map(pairs), "values", []) => {
            Some(Item::list(pairs.iter().map(|(_, item)| item.clone()).collect()))
        }
        (Item::Map(pairs), "keys", []) => {
            Some(Item::list(pairs.iter().map(|(key, _)| key.clone()).collect()))
        }
        (Item::List(_), "slice", bounds) => {
            Some(slice(receiver, &bounds.iter().map(|bound| Some((*bound).clone())).collect::<Vec<_>>()))
        }
        (Item::List(items), "shift" | "pop", []) => Some(items.first().cloned().unwrap_or(Item::Unknown)),
        (Item::Text(value), "format", _) if given.iter().any(|given| given.name.is_some()) => {
            let mut text = value.text.clone();
            for given in given {
                if let Some(name) = &given.name {
                    text = text.replace(&format!("{{{name}}}"), &given.item.shown().text);
                }
            }
            let text = Value { text, assembled: true, decoded: value.decoded };
            let literals: Vec<_> = positional.iter().map(|item| item.literal()).collect();
            Some(evaluate::formatted(&text, &literals).unwrap_or_else(|| unknown_like(&text)))
        }
        (Item::Text(value), "format", _) => {
            let literals: Vec<_> = positional.iter().map(|item| item.literal()).collect();
            Some(evaluate::formatted(value, &literals).unwrap_or_else(|| unknown_like(value)))
        }
        _ => method_of_text(receiver, name, given),
    }
}

/// A method of a text or a number.
fn method_of_text(receiver: &Item, name: &str, given: &[Given]) -> Option<Item> {
    let positional: Vec<&Item> =
        given.iter().filter(|given| given.name.is_none()).map(|given| &given.item).collect();
    match (receiver, name, positional.as_slice()) {
        (Item::Text(value), "with_name", [name]) => {
            Some(joined_texts(&[Item::text(format!("{}/", parent(&value.text))), (*name).clone()]))
        }
        (Item::Text(value), "with_suffix", [end]) => {
            let stem = value.text.rsplit_once('.').map_or(value.text.as_str(), |(stem, _)| stem);
            Some(joined_texts(&[Item::text(stem), (*end).clone()]))
        }
        (Item::Text(_), "glob" | "rglob", [pattern]) => {
            // pathlib's patterns fit hidden names, too.
            let all = matches!(pattern, Item::Text(text) if text.text.trim_start_matches("**/") == "*");
            let pattern = if all { Item::text(LISTED).literal() } else { pattern.literal() };
            let whole = evaluate::path(&[receiver.literal(), pattern])?;
            Some(Item::list(vec![whole]))
        }
        (Item::Text(_), "iterdir" | "children", []) => {
            let whole = evaluate::path(&[receiver.literal(), Item::text(LISTED).literal()])?;
            Some(Item::list(vec![whole]))
        }
        (Item::Text(_), "translate", [Item::Map(pairs)]) => {
            let mut value = receiver.shown();
            value.text = value
                .text
                .chars()
                .map(|letter| {
                    let code = i64::from(u32::from(letter));
                    let found = pairs.iter().find(|(key, _)| match key {
                        Item::Number(number) => *number == code,
                        Item::Text(key) => key.text.chars().eq(std::iter::once(letter)),
                        _ => false,
                    });
                    match found {
                        Some((_, Item::Number(number))) => {
                            u32::try_from(*number).ok().and_then(char::from_u32).unwrap_or(letter).to_string()
                        }
                        Some((_, Item::Text(value))) => value.text.clone(),
                        _ => letter.to_string(),
                    }
                })
                .collect();
            value.assembled = true;
            value.decoded = true;
            Some(Item::Text(value))
        }
        _ => part_of_text(receiver, name, given),
    }
}

/// A method that gives a part of a text or its letters as numbers.
fn part_of_text(receiver: &Item, name: &str, given: &[Given]) -> Option<Item> {
    let positional: Vec<&Item> =
        given.iter().filter(|given| given.name.is_none()).map(|given| &given.item).collect();
    match (receiver, name, positional.as_slice()) {
        (Item::Text(_), "removesuffix" | "removeprefix" | "delete_suffix" | "delete_prefix", [end]) => {
            let (mut value, end) = (receiver.shown(), end.known_text()?);
            let rest = if name.contains("suffix") {
                value.text.strip_suffix(end)
            } else {
                value.text.strip_prefix(end)
            };
            value.text = rest.unwrap_or(&value.text).to_owned();
            Some(Item::Text(value))
        }
        (Item::Text(value), "repeat" | "*", [Item::Number(times)]) => {
            Some(binary('*', &Item::Text(value.clone()), &Item::Number(*times)))
        }
        (Item::Text(_), "charCodeAt" | "codePointAt" | "ord", _) => {
            let at = match positional.first() {
                Some(Item::Number(at)) => *at,
                _ => 0,
            };
            let letter = receiver.shown().text.chars().nth(usize::try_from(at).ok()?)?;
            Some(Item::Number(i64::from(u32::from(letter))))
        }
        (Item::Number(number), "chr" | "to_s" | "toString", []) => Some(if name == "chr" {
            let letter = u32::try_from(*number).ok().and_then(char::from_u32)?;
            Item::Text(Value { text: letter.to_string(), assembled: true, decoded: true })
        } else {
            Item::text(number.to_string())
        }),
        (Item::Text(_) | Item::List(_), _, _) => {
            let literals: Vec<_> = positional.iter().map(|item| item.literal()).collect();
            evaluate::method(receiver.literal(), name, &literals)
        }
        _ => None,
    }
}
