//! Functions of texts and arrays.

use super::*;

/// What a loop goes through: the values of an array.
pub(super) fn values(item: &Item) -> Item {
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

pub(super) fn pairs(item: &Item) -> Item {
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

/// `sprintf`, whose marks may have a width.
pub(super) fn formatted(template: &Value, arguments: &[Item]) -> Item {
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

/// Calls that make texts and arrays of others.
pub(super) fn of_arrays(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    let own_function = |run: &Run<'_>| matches!(run.get(name), Some(Item::Function(_)));
    Some(match name {
        "trim" | "rtrim" | "ltrim" if !own_function(run) => match item(0)? {
            text @ Item::Text(_) => {
                of_map(&text, "strip", all.get(1..).unwrap_or_default()).unwrap_or(Item::Unknown)
            }
            item => item,
        },
        _ if run.language.has(NameRole::Same, name) && !own_function(run) => item(0)?,
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
        _ => return of_texts(run, name, all),
    })
}

/// Calls that make a text.
pub(super) fn of_texts(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    Some(match name {
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
        _ => return of_others(run, name, all),
    })
}
