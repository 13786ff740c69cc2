//! Functions without an effect, of which only the value matters.

use super::*;

/// Most values that a function is given one after the other, where its arguments may be several things.
pub(super) const MOST_CHOICES: usize = 64;

/// The value of a function that has no effect.
pub(super) fn pure(name: &str, last: &str, positional: &[Item]) -> Option<Item> {
    if positional.iter().any(|item| matches!(item, Item::Nothing)) {
        return Some(Item::Nothing);
    }
    // One argument that may be several things gives several values.
    if let [Item::Either(items)] = positional {
        let values: Vec<Item> = items
            .iter()
            .map(|item| pure(name, last, std::slice::from_ref(item)).unwrap_or(Item::Unknown))
            .collect();
        return Some(Item::either(values));
    }
    // Several such arguments give every pair, up to a bound; further ones are left open.
    let choices = |item: &Item| match item {
        Item::Either(items) => items.len(),
        _ => 1,
    };
    if positional.iter().map(choices).fold(1, usize::saturating_mul) > MOST_CHOICES {
        let mut some = 1_usize;
        let fewer: Vec<Item> = positional
            .iter()
            .map(|item| {
                let more = some.saturating_mul(choices(item));
                if more > MOST_CHOICES {
                    return Item::Unknown;
                }
                some = more;
                item.clone()
            })
            .collect();
        return pure(name, last, &fewer);
    }
    let at = positional.iter().position(|item| matches!(item, Item::Either(_)));
    if let Some((at, Item::Either(items))) = at.and_then(|at| Some((at, positional.get(at)?))) {
        let values: Vec<Item> = items
            .iter()
            .map(|item| {
                let mut positional = positional.to_vec();
                if let Some(slot) = positional.get_mut(at) {
                    *slot = item.clone();
                }
                pure(name, last, &positional).unwrap_or(Item::Unknown)
            })
            .collect();
        return Some(Item::either(values));
    }
    computed(name, last, positional)
}

/// The value of a function of paths and lists.
pub(super) fn computed(name: &str, last: &str, positional: &[Item]) -> Option<Item> {
    match (last, positional) {
        ("dirname", [Item::Text(path)]) => {
            return Some(Item::Text(Value { text: values::parent(&path.text), ..path.clone() }));
        }
        ("basename", [path @ Item::Text(_)]) => return values::member(path, "name"),
        ("split", [Item::Text(path)]) if name == "os.path.split" => {
            let folder = Item::Text(Value { text: values::parent(&path.text), ..path.clone() });
            let own = values::member(&Item::Text(path.clone()), "name").unwrap_or(Item::Unknown);
            return Some(Item::list(vec![folder, own]));
        }
        ("relpath" | "normpath" | "abspath" | "realpath" | "expandvars", [path @ Item::Text(_), ..]) => {
            return Some(path.clone());
        }
        ("dict" | "OrderedDict" | "MappingProxyType", [map @ Item::Map(_)]) => return Some(map.clone()),
        (
            "reversed" | "sorted" | "list" | "tuple" | "set" | "frozenset" | "iter" | "enumerate"
            | "deepcopy" | "copy",
            [item],
        ) => {
            if let Item::List(items) = item {
                return Some(match last {
                    "reversed" => Item::list(items.iter().rev().cloned().collect()),
                    "enumerate" => Item::list(
                        items
                            .iter()
                            .enumerate()
                            .map(|(at, item)| {
                                Item::list(vec![
                                    i64::try_from(at).map_or(Item::Unknown, Item::Number),
                                    item.clone(),
                                ])
                            })
                            .collect(),
                    ),
                    _ => item.clone(),
                });
            }
            if matches!(last, "copy" | "deepcopy" | "iter" | "enumerate") {
                return matches!(item, Item::Map(_)).then(|| item.clone());
            }
        }
        _ => return counted(name, last, positional),
    }
    literal(name, last, positional)
}

/// The value of a function of numbers and lists, or of what lies in folders.
pub(super) fn counted(name: &str, last: &str, positional: &[Item]) -> Option<Item> {
    match (last, positional) {
        ("zip", lists) => {
            let lists: Vec<Vec<Item>> = lists.iter().map(Item::items).collect::<Option<_>>()?;
            let length = lists.iter().map(Vec::len).min().unwrap_or(0).min(4096);
            return Some(Item::list(
                (0..length)
                    .map(|at| Item::list(lists.iter().filter_map(|list| list.get(at).cloned()).collect()))
                    .collect(),
            ));
        }
        ("range", _) => {
            let numbers: Vec<i64> = positional
                .iter()
                .map(|item| match item {
                    Item::Number(number) => Some(*number),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let (from, to, by) = match numbers.as_slice() {
                [to] => (0, *to, 1),
                [from, to] => (*from, *to, 1),
                [from, to, by] => (*from, *to, *by),
                _ => return None,
            };
            if by == 0 || ((to - from) / by).abs() > 4096 {
                return None;
            }
            let mut all = Vec::new();
            let mut at = from;
            while if by > 0 { at < to } else { at > to } {
                all.push(Item::Number(at));
                at += by;
            }
            return Some(Item::list(all));
        }
        ("oct" | "octdec", [Item::Text(digits)]) => {
            return i64::from_str_radix(digits.text.trim_start_matches("0o"), 8).ok().map(Item::Number);
        }
        ("next", [Item::List(items), ..]) => return items.first().cloned(),
        ("len", [Item::List(items)]) => return i64::try_from(items.len()).ok().map(Item::Number),
        ("len" | "strlen", [Item::Text(value)]) if value.is_known() => {
            return i64::try_from(value.text.chars().count()).ok().map(Item::Number);
        }
        ("glob" | "iglob" | "sync", [pattern @ Item::Text(_), ..])
            if last != "sync" || name.contains("glob") =>
        {
            return Some(Item::list(vec![pattern.clone()]));
        }
        // Its entries have names and paths, where PHP's function of this name gives names alone.
        ("scandir", [folder @ Item::Text(_), ..]) if name == "os.scandir" => {
            let below = values::joined_texts(&[folder.clone(), Item::text("/"), Item::text(LISTED)]);
            return Some(Item::list(vec![below]));
        }
        ("listdir" | "scandir" | "readdirSync" | "readdir" | "children" | "entries", [Item::Text(_), ..])
            if name != "Object.entries" =>
        {
            return Some(Item::list(vec![Item::text(LISTED)]));
        }
        ("walk", [top @ Item::Text(_), ..]) => {
            let below = values::joined_texts(&[top.clone(), Item::text("/"), Item::text(LISTED)]);
            return Some(Item::list(vec![Item::list(vec![
                Item::either([top.clone(), below]),
                Item::list(vec![Item::text(LISTED)]),
                Item::list(vec![Item::text(LISTED)]),
            ])]));
        }
        ("join", _) if functions_of_paths(name) => {
            let literals: Vec<_> = positional.iter().map(Item::literal).collect();
            return evaluate::path(&literals);
        }
        ("hexlify" | "b64encode" | "md5" | "sha1" | "sha256", _) => return None,
        _ => {}
    }
    literal(name, last, positional)
}

/// The value of a function of literals.
pub(super) fn literal(name: &str, last: &str, positional: &[Item]) -> Option<Item> {
    // A decoder of what isn't known gives nothing that is.
    let literals: Vec<_> = positional.iter().map(Item::literal).collect();
    if positional.iter().all(|item| matches!(item, Item::Text(_) | Item::Number(_) | Item::List(_))) {
        return evaluate::function(name, last, &literals);
    }
    match last {
        "join" | "format" | "sprintf" | "implode" | "str" | "String" => {
            evaluate::function(name, last, &literals)
        }
        _ => None,
    }
}

pub(super) fn functions_of_paths(name: &str) -> bool {
    name.contains("path.") || name == "path" || name.starts_with("File.") || name.contains("filepath.")
}
