//! Methods of values, as Ruby finds them.

use super::*;

/// `text.tr(from, to)`
pub(super) fn translated(text: &str, from: &str, to: &str) -> String {
    let spread = |set: &str| {
        let letters: Vec<char> = set.chars().collect();
        let mut all = Vec::new();
        let mut at = 0;
        while let Some(&letter) = letters.get(at) {
            match (letters.get(at + 1), letters.get(at + 2)) {
                (Some('-'), Some(&end)) if end >= letter => {
                    all.extend((letter..=end).take(256));
                    at += 3;
                }
                _ => {
                    all.push(letter);
                    at += 1;
                }
            }
        }
        all
    };
    let (from, to) = (spread(from), spread(to));
    text.chars()
        .filter_map(|letter| match from.iter().position(|own| *own == letter) {
            Some(at) => to.get(at).or(to.last()).copied(),
            None => Some(letter),
        })
        .collect()
}

/// `object.send(:name, …)` calls a method by its name, `object.method(:name)` only finds it.
pub(super) fn sent(run: &mut Run<'_>, receiver: &Item, member: &str, all: &[Given]) -> Option<Item> {
    let name = without_block(all).first()?.item.clone();
    if let Item::Either(names) = &name {
        let mut found = Vec::new();
        for name in names.iter() {
            let mut with = vec![given(name.clone())];
            with.extend(all.iter().skip(1).cloned());
            found.push(run.method(receiver, member, &with));
        }
        return Some(Item::either(found));
    }
    let Some(text) = name.known_text().map(str::to_owned) else {
        if matches!(receiver, Item::Library(_) | Item::Unknown) && !run.uncalled {
            let acts = matches!(receiver, Item::Library(own) if run.acts_below(own));
            if acts {
                run.unnamed("a call whose name is computed");
            }
        }
        return Some(Item::Unknown);
    };
    let acting = match receiver {
        Item::Library(own) if matches!(&**own, "Kernel" | "Object") => run.rule(&text).is_some(),
        Item::Library(own) => run.rule(&format!("{own}.{text}")).is_some(),
        _ => false,
    };
    if acting {
        run.obfuscated("a call by a name in a string");
    }
    if !member.ends_with("send") && member != "__send__" {
        return Some(match receiver {
            Item::Library(own) if matches!(&**own, "Kernel" | "Object") => Item::library(text),
            Item::Library(own) => Item::library(format!("{own}.{text}")),
            Item::Object(_) | Item::Class(_) => run.member(receiver, &text),
            other => Item::Method(Rc::new((other.clone(), text))),
        });
    }
    // The name is the first that is no block.
    let rest: Vec<Given> = all.iter().skip(1).cloned().collect();
    Some(run.method(receiver, &text, &rest))
}

/// What every object can do; `None` for any other method.
pub(super) fn of_every_object(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    let plain = without_block(all);
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
    let block = block_of(all);
    match member {
        "instance_eval" | "instance_exec" | "class_eval" | "class_exec" | "module_eval" => {
            return Some(match (&block, item(0)) {
                (Some(block), _) => with_self(run, block, receiver, &plain),
                (None, Some(code)) if !all.iter().any(is_block) && !member.ends_with("exec") => {
                    template(run, &code)
                }
                _ => Item::Unknown,
            });
        }
        "tap" => {
            let block = block?;
            run.apply(&block, &[given(receiver.clone())]);
            return Some(receiver.clone());
        }
        "then" | "yield_self" => {
            let block = block?;
            return Some(run.apply(&block, &[given(receiver.clone())]));
        }
        _ if all.is_empty()
            && !matches!(receiver, Item::Library(_))
            && run.language.has(NameRole::SameSelf, member) =>
        {
            return Some(receiver.clone());
        }
        "const_get" => return Some(constant(run, Some(receiver), &item(0)?)),
        "send" | "public_send" | "__send__" | "method" | "public_method" | "instance_method" => {
            return sent(run, receiver, member, all);
        }
        "instance_variable_set" => {
            let name = item(0)?.known_text().map(str::to_owned)?;
            run.set_member(receiver, &name, &item(1)?);
            return Some(Item::Unknown);
        }
        "instance_variable_get" => {
            let name = item(0)?.known_text().map(str::to_owned)?;
            return Some(run.member(receiver, &name));
        }
        "define_method" | "define_singleton_method"
            if matches!(receiver, Item::Class(_) | Item::Object(_)) =>
        {
            let name = item(0)?.known_text().map(str::to_owned)?;
            let function = block.or_else(|| item(1))?;
            match receiver {
                Item::Class(class) => class.members.borrow_mut().insert(name, function),
                Item::Object(object) => object.fields.borrow_mut().insert(name, function),
                _ => None,
            };
            return Some(Item::Unknown);
        }
        "include" | "extend" => {
            if let (Item::Object(object), Some(Item::Class(module))) = (receiver, item(0)) {
                for (name, item) in module.members.borrow().iter() {
                    let item = match item {
                        Item::Function(closure) => bound(closure, receiver),
                        item => item.clone(),
                    };
                    object.fields.borrow_mut().insert(name.clone(), item);
                }
                return Some(receiver.clone());
            }
        }
        _ => {}
    }
    None
}

/// A method of a class of the code.
pub(super) fn of_class(
    run: &mut Run<'_>,
    class: &Rc<OwnClass>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    if member == "new" || member == "allocate" {
        return None;
    }
    match run.class_member(class, member, 0) {
        Some(Item::Function(closure)) => {
            let method = bound(&closure, receiver);
            Some(run.apply(&method, all))
        }
        Some(item) if all.is_empty() => Some(item),
        Some(item) => Some(run.apply(&item, all)),
        None => match inherited(run, &class.bases, member) {
            Some(item) => Some(run.apply(&item, all)),
            None => {
                let missing = run.class_member(class, "method_missing", 0);
                if let Some(Item::Function(closure)) = missing {
                    let method = bound(&closure, receiver);
                    let mut given = vec![given(Item::text(member))];
                    given.extend(all.iter().cloned());
                    return Some(run.apply(&method, &given));
                }
                if !matches!(member, "class_exec" | "name" | "to_s" | "instance") {
                    run.hand_over(all);
                }
                Some(if member == "instance" { run.apply(receiver, &[]) } else { Item::Unknown })
            }
        },
    }
}

/// A method of any value; `None` if it is none of Ruby's own.
pub(in crate::languages) fn method(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    let plain = without_block(all);
    let block = block_of(all);
    if let Item::Library(name) = receiver
        && matches!(&**name, "self" | "main")
    {
        return Some(own_call(run, member, all));
    }
    // A method that the code gave to a class of the language.
    if !matches!(receiver, Item::Object(_) | Item::Class(_) | Item::Library(_))
        && let Some(Item::Function(closure)) = run.patched.get(member).cloned()
    {
        let method = bound(&closure, receiver);
        return Some(run.apply(&method, all));
    }
    if let Some(item) = of_every_object(run, receiver, member, all) {
        return Some(item);
    }
    match receiver {
        Item::Function(_) | Item::Partial(_) => Some(match member {
            "call" | "()" | "yield" | "===" | "[]" => run.apply(receiver, all),
            "bind" | "unbind" | "source_location" | "arity" | "parameters" => receiver.clone(),
            "bind_call" => run.apply(receiver, all.get(1..).unwrap_or_default()),
            _ => return None,
        }),
        Item::Library(name) if matches!(member, "call" | "()" | "yield" | "===" | "bind_call" | "[]") => {
            let name = Rc::clone(name);
            run.rule(&name)?;
            let rest = if member == "bind_call" { all.get(1..).unwrap_or_default() } else { all };
            Some(run.library_call(&name, rest))
        }
        Item::Method(method) if matches!(member, "call" | "()" | "yield" | "===" | "[]") => {
            let method = Rc::clone(method);
            Some(run.method(&method.0, &method.1, all))
        }
        Item::Class(class) => of_class(run, class, receiver, member, all),
        Item::Object(object) => {
            let found = run.member(receiver, member);
            match found {
                Item::Unknown => {
                    if member == "class" {
                        return Some(Item::Class(Rc::clone(&object.class)));
                    }
                    None
                }
                Item::Function(_) | Item::Partial(_)
                    if object.fields.borrow().contains_key(&format!("@{member}")) && all.is_empty() =>
                {
                    Some(found)
                }
                found if is_callable(&found) => Some(run.apply(&found, all)),
                found => Some(found),
            }
        }
        Item::Made(name, first) if &**name == PATH => of_path(run, receiver, first, member, all),
        Item::Made(name, first) => match member {
            "<<" | "syswrite" | "binwrite" | "write_nonblock" => {
                let given: Vec<Given> = plain.clone();
                let _ = first;
                Some(run.method(&Item::Made(Rc::clone(name), Rc::clone(first)), "write", &given))
            }
            "puts" | "print" | "write" if plain.len() > 1 => {
                let texts: Vec<Item> = plain.iter().map(|given| given.item.clone()).collect();
                let text = of_map(&Item::list(texts), "join", &[given(Item::text("\n"))])?;
                Some(run.method(receiver, member, &[given(text)]))
            }
            "run" | "value" | "read" | "join" if all.is_empty() => Some(Item::Unknown),
            _ => None,
        },
        Item::Text(value) => of_text(run, receiver, value, member, &plain, block.as_ref()),
        Item::List(_) | Item::Map(_) => of_list(run, receiver, member, &plain, block.as_ref()),
        _ => None,
    }
}

pub(super) fn of_text(
    run: &mut Run<'_>,
    receiver: &Item,
    value: &Value,
    member: &str,
    plain: &[Given],
    block: Option<&Item>,
) -> Option<Item> {
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
    let decoded = |text: String| Item::Text(Value { text, assembled: true, decoded: true });
    Some(match member {
        "tr" | "tr_s" => {
            let (from, to) = (item(0)?, item(1)?);
            decoded(translated(&value.text, from.known_text()?, to.known_text()?))
        }
        "delete" => {
            let gone = item(0)?;
            let gone = gone.known_text()?;
            decoded(value.text.chars().filter(|letter| !gone.contains(*letter)).collect())
        }
        "chars" | "each_char" => {
            let list = Item::list(receiver.items()?);
            match block {
                Some(block) => each(run, &list, block),
                None => list,
            }
        }
        "bytes" | "codepoints" | "each_byte" if value.is_known() && value.text.len() < 4096 => {
            Item::list(value.text.chars().map(|letter| Item::Number(i64::from(u32::from(letter)))).collect())
        }
        "lines" | "each_line" if value.is_known() => {
            let list = Item::list(value.text.split_inclusive('\n').take(1024).map(Item::text).collect());
            match block {
                Some(block) => each(run, &list, block),
                None => list,
            }
        }
        "+" | "<<" | "concat" => binary('+', receiver, &item(0)?),
        "%" => binary('%', receiver, &item(0)?),
        "*" => binary('*', receiver, &item(0)?),
        "unpack1" | "unpack" if item(0)?.known_text() == Some("u") => Item::Unknown,
        "to_i" | "hex" | "oct" => {
            let radix = match (member, item(0)) {
                ("hex", _) => 16,
                ("oct", _) => 8,
                (_, Some(Item::Number(radix @ 2..=36))) => u32::try_from(radix).unwrap_or(10),
                _ => 10,
            };
            i64::from_str_radix(&value.text, radix).map_or(Item::Unknown, Item::Number)
        }
        _ => return of_text_or_address(run, receiver, value, member, plain, block),
    })
}

/// A method that leaves a text as it is, or takes it for an address or a name.
pub(super) fn of_text_or_address(
    run: &mut Run<'_>,
    receiver: &Item,
    value: &Value,
    member: &str,
    plain: &[Given],
    block: Option<&Item>,
) -> Option<Item> {
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
    Some(match member {
        _ if run.language.has(NameRole::SameText, member)
            && (plain.is_empty() || matches!(member, "force_encoding" | "encode")) =>
        {
            receiver.clone()
        }
        "shellsplit" => of_map(receiver, "split", &[])?,
        "host" | "hostname" if value.text.contains("://") => {
            let rest = value.text.split("://").nth(1).unwrap_or_default();
            Item::Text(Value {
                text: rest.split(['/', ':', '?']).next().unwrap_or_default().to_owned(),
                ..value.clone()
            })
        }
        "read" | "open" if value.text.contains("://") => {
            let all = [given(receiver.clone())];
            let made = run.act(Act::Fetch, "URI.open", None, &all);
            match block {
                Some(block) => run.apply(block, &[given(made)]),
                None => made,
            }
        }
        "path" | "port" | "scheme" | "request_uri" | "query" => Item::Unknown,
        "replace" if plain.len() == 1 => item(0)?,
        "constantize" | "safe_constantize" => constant(run, None, receiver),
        "call" => return None,
        // What a pattern makes of it isn't known.
        "gsub" | "sub" | "gsub!" | "sub!" | "scan" | "match" | "each_match" | "slice" | "[]" => {
            if let Some(block) = block {
                run.apply(block, &[given(Item::Unknown)]);
                return Some(Item::Unknown);
            }
            return None;
        }
        // Words that only a path has a meaning for are those of a text here.
        "rename" | "move" | "open" | "unlink" | "rmdir" | "glob" | "children" | "chmod" => Item::Unknown,
        _ => return None,
    })
}

pub(super) fn of_list(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    plain: &[Given],
    block: Option<&Item>,
) -> Option<Item> {
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
    match (member, receiver) {
        ("inject" | "reduce" | "sum", Item::List(items)) if block.is_none() => {
            let operator = plain.last().and_then(|given| given.item.known_text()).map(str::to_owned);
            let operator = match (member, operator) {
                ("sum", _) => '+',
                (_, Some(operator)) => operator.chars().next()?,
                _ => return None,
            };
            let mut all = items.iter().take(1024).cloned();
            let first = match (member, plain) {
                ("sum", [start]) => start.item.clone(),
                (_, [start, _]) => start.item.clone(),
                _ => all.next()?,
            };
            Some(all.fold(first, |whole, item| binary(operator, &whole, &item)))
        }
        ("inject" | "reduce", Item::List(_)) => {
            let mut all = vec![given(block?.clone())];
            all.extend(plain.iter().cloned());
            Some(run.reduced(receiver, &all))
        }
        ("each_with_object" | "with_object", _) => {
            let memo = item(0)?;
            let block = block?;
            let items = receiver.items().unwrap_or_else(|| vec![Item::Unknown]);
            for one in items.into_iter().take(48) {
                run.apply(block, &[given(one), given(memo.clone())]);
            }
            Some(memo)
        }
        ("each_with_index" | "with_index" | "each_index" | "map.with_index", Item::List(items)) => {
            let pairs = items.iter().enumerate().map(|(at, item)| {
                let at = i64::try_from(at).map_or(Item::Unknown, Item::Number);
                Item::list(vec![item.clone(), at])
            });
            let pairs: Vec<Item> = pairs.collect();
            match block {
                Some(block) => {
                    let mut results = Vec::new();
                    for pair in pairs.into_iter().take(64) {
                        let both =
                            pair.items().unwrap_or_default().into_iter().map(given).collect::<Vec<_>>();
                        results.push(run.apply(block, &both));
                    }
                    Some(if member == "with_index" { Item::list(results) } else { receiver.clone() })
                }
                None => Some(Item::list(pairs)),
            }
        }
        ("each" | "map" | "each_entry" | "select" | "each_slice" | "each_cons", _)
            if block.is_none() && plain.is_empty() =>
        {
            Some(receiver.clone())
        }
        ("reverse_each", Item::List(items)) => {
            let list = Item::list(items.iter().rev().cloned().collect());
            Some(match block {
                Some(block) => each(run, &list, block),
                None => list,
            })
        }
        _ => of_list_or_map(run, receiver, member, plain, block),
    }
}

/// A method of a list or map that takes parts of it.
pub(super) fn of_list_or_map(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    plain: &[Given],
    block: Option<&Item>,
) -> Option<Item> {
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
    match (member, receiver) {
        ("each_pair" | "each_value" | "each_key" | "transform_values" | "map" | "each", Item::Map(pairs))
            if block.is_some() =>
        {
            let block = block?;
            let mut results = Vec::new();
            for (key, item) in pairs.iter().take(64) {
                let both = match member {
                    "each_value" | "transform_values" => vec![given(item.clone())],
                    "each_key" => vec![given(key.clone())],
                    _ => vec![given(key.clone()), given(item.clone())],
                };
                results.push((key.clone(), run.apply(block, &both)));
            }
            Some(match member {
                "map" => Item::list(results.into_iter().map(|(_, item)| item).collect()),
                "transform_values" => Item::Map(Rc::new(results)),
                _ => receiver.clone(),
            })
        }
        ("to_a" | "flatten", Item::List(items)) => {
            let flat = items.iter().flat_map(|item| match item {
                Item::List(items) if member == "flatten" => items.as_ref().clone(),
                item => vec![item.clone()],
            });
            Some(Item::list(flat.take(4096).collect()))
        }
        ("concat" | "+" | "|", _) => Some(binary('+', receiver, &item(0)?)),
        ("values_at", Item::List(items)) => {
            let found = plain.iter().map(|given| match &given.item {
                Item::Number(at) => {
                    usize::try_from(*at).ok().and_then(|at| items.get(at).cloned()).unwrap_or(Item::Unknown)
                }
                _ => Item::Unknown,
            });
            Some(Item::list(found.collect()))
        }
        ("at" | "dig" | "fetch", Item::List(_)) => Some(crate::languages::code::index(receiver, &item(0)?)),
        ("first", Item::List(items)) if plain.is_empty() => items.first().cloned(),
        ("last", Item::List(items)) if plain.is_empty() => items.last().cloned(),
        ("sample", Item::List(items)) => Some(Item::either(items.iter().take(8).cloned())),
        ("dig", Item::Map(_)) => {
            let mut at = receiver.clone();
            for key in plain {
                at = of_map(&at, "fetch", std::slice::from_ref(key))?;
            }
            Some(at)
        }
        ("fetch", Item::Map(_)) => match block {
            Some(block) => {
                let found = of_map(receiver, "fetch", plain);
                match found {
                    Some(Item::Unknown) | None => Some(run.apply(block, plain)),
                    found => found,
                }
            }
            None => None,
        },
        ("merge" | "merge!", Item::Map(_)) => match item(0) {
            Some(more) => Some(binary('|', receiver, &more)),
            None => Some(receiver.clone()),
        },
        ("[]", _) => item(0).map(|key| crate::languages::code::index(receiver, &key)),
        ("call" | "delete", _) => Some(Item::Unknown),
        (_, Item::Map(pairs)) if plain.is_empty() && block.is_none() => {
            // A member of an `OpenStruct`.
            let found = pairs.iter().find(|(key, _)| key.known_text() == Some(member));
            found.map(|(_, item)| item.clone())
        }
        _ => None,
    }
}

/// A method of a path.
pub(super) fn of_path(
    run: &mut Run<'_>,
    receiver: &Item,
    first: &[Item],
    member: &str,
    all: &[Given],
) -> Option<Item> {
    let plain = without_block(all);
    let block = block_of(all);
    let path = Item::Text(receiver.shown());
    let _ = first;
    let as_path = |item: Item| Item::Made(Rc::from(PATH), Rc::new(vec![item]));
    let mut with = vec![given(path.clone())];
    with.extend(plain.iter().cloned());
    let act = match member {
        "delete" | "unlink" | "rmdir" => Some((Act::Delete, "File.delete")),
        "rmtree" => Some((Act::DeleteTree, "FileUtils.rm_rf")),
        "read" | "binread" | "readlines" | "each_line" | "sysopen" => Some((Act::Read, "File.read")),
        "write" | "binwrite" | "mkpath" | "mkdir" | "truncate" => Some((Act::Write, "File.write")),
        "open" => Some((Act::Open, "File.open")),
        "rename" => Some((Act::Move, "File.rename")),
        "make_symlink" => Some((Act::Copy, "File.symlink")),
        "make_link" => Some((Act::HardLink, "File.link")),
        "chmod" | "chown" | "lchmod" => {
            with.reverse();
            Some((Act::ChmodFirst, "File.chmod"))
        }
        _ => None,
    };
    if let Some((act, name)) = act {
        let made = run.act(act, name, None, &with);
        return Some(match block {
            Some(block) => run.apply(&block, &[given(made)]),
            None => made,
        });
    }
    Some(match member {
        "+" | "/" | "join" => {
            let mut whole = path;
            for more in &plain {
                whole = binary('/', &whole, &Item::Text(more.item.shown()));
            }
            as_path(whole)
        }
        "to_s" | "to_path" | "to_str" | "inspect" => path,
        "expand_path" | "realpath" | "cleanpath" | "relative_path_from" => receiver.clone(),
        "parent" | "dirname" => as_path(run.member(&path, "parent")),
        "basename" => as_path(run.member(&path, "name")),
        "children" | "entries" | "each_child" | "each_entry" | "glob" | "find" => {
            let pattern = match (member, plain.first()) {
                ("glob", Some(pattern)) => Item::Text(pattern.item.shown()),
                _ => Item::text(LISTED),
            };
            let list = Item::list(vec![as_path(binary('/', &path, &pattern))]);
            match block {
                Some(block) => each(run, &list, &block),
                None => list,
            }
        }
        _ => Item::Unknown,
    })
}
