//! Calls of the library that the tables can't say.

use super::*;

/// A call of the library that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let item =
        |at: usize| plain.iter().filter(|given| given.name.is_none()).nth(at).map(|given| given.item.clone());
    let block = block_of(all);
    for front in ["Kernel.", "Object.", "self.", "main."] {
        if let Some(rest) = name.strip_prefix(front)
            && !rest.contains('.')
            && !matches!(rest, "new" | "const_get")
        {
            return Some(if front == "Kernel." {
                run.library_call(rest, all)
            } else {
                own_call(run, rest, all)
            });
        }
    }
    if let Some(front) = name.strip_suffix(".call").or_else(|| name.strip_suffix(".()"))
        && run.rule(front).is_some()
    {
        return Some(run.library_call(front, all));
    }
    Some(match name {
        "`" => {
            run.shell_text(&item(0)?.shown());
            Item::Unknown
        }
        SUPER => return Some(inherited_call(run, &item(0)?, all)),
        RANGE => range(&item(0)?, &item(1)?, matches!(item(2), Some(Item::Number(1)))),
        "__dir__" => Item::text("."),
        "Gem.activate_bin_path" | "Gem.bin_path" => Item::Made(Rc::from(name), Rc::new(Vec::new())),
        "__method__" | "method_missing" => Item::Unknown,
        "lambda" | "proc" | "Proc.new" => block?,
        "method" | "instance_method" | "public_method" => by_name(run, &item(0)?),
        "send" | "public_send" | "__send__" => {
            let callee = by_name(run, &item(0)?);
            let rest = all.get(1..).unwrap_or_default();
            if matches!(&callee, Item::Library(name) if run.rule(name).is_some()) {
                run.obfuscated("a call by a name in a string");
            }
            if is_callable(&callee) { run.apply(&callee, rest) } else { callee }
        }
        "define_method" | "define_singleton_method" => {
            let name = item(0)?;
            let function = block.or_else(|| item(1))?;
            match name.known_text() {
                Some(name) => run.set_in_class(name, function),
                None => run.hand_over(&[given(function)]),
            }
            name
        }
        "alias_method" => {
            let (new, old) = (item(0)?, item(1)?);
            let old = old.known_text().map(str::to_owned)?;
            let function = run.get(&old).unwrap_or_else(|| callee(run, &old));
            run.set_in_class(new.known_text()?, function);
            Item::Unknown
        }
        _ => return of_classes(run, name, all),
    })
}

/// Calls that make classes and reach constants.
pub(super) fn of_classes(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let item =
        |at: usize| plain.iter().filter(|given| given.name.is_none()).nth(at).map(|given| given.item.clone());
    let block = block_of(all);
    Some(match name {
        "Class.new" | "Module.new" => match &block {
            Some(Item::Function(closure)) => {
                let bases = item(0).into_iter().collect();
                run.class_of(bases, &closure.function.body, closure.seen.clone())
            }
            _ => run.class_of(item(0).into_iter().collect(), &[], None),
        },
        "Struct.new" | "Data.define" => {
            let names: Vec<Item> = plain
                .iter()
                .filter(|given| given.name.is_none())
                .map(|given| given.item.clone())
                .filter(|item| matches!(item, Item::Text(_)))
                .collect();
            let base = Item::Made(Rc::from("Struct.new"), Rc::new(names));
            match &block {
                Some(Item::Function(closure)) => {
                    run.class_of(vec![base], &closure.function.body, closure.seen.clone())
                }
                _ => run.class_of(vec![base], &[], None),
            }
        }
        "OpenStruct.new" => Item::Map(Rc::new(
            plain
                .iter()
                .filter_map(|given| Some((Item::text(given.name.clone()?), given.item.clone())))
                .collect(),
        )),
        "refine" => {
            let Some(Item::Function(closure)) = &block else { return None };
            let class = run.class_of(Vec::new(), &closure.function.body, closure.seen.clone());
            if let Item::Class(class) = &class {
                for (name, item) in class.members.borrow().iter() {
                    run.patched.insert(name.clone(), item.clone());
                }
            }
            Item::Unknown
        }
        "const_get" | "Object.const_get" | "Kernel.const_get" | "Module.const_get" => {
            constant(run, None, &item(0)?)
        }
        _ => return of_code(run, name, all),
    })
}

/// Calls that run code.
pub(super) fn of_code(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let item =
        |at: usize| plain.iter().filter(|given| given.name.is_none()).nth(at).map(|given| given.item.clone());
    let block = block_of(all);
    let last = name.rsplit('.').next().unwrap_or(name);
    Some(match name {
        "require" | "load" | "require_relative" => {
            let file = item(0)?;
            let local = matches!(&file, Item::Text(value) if value.text.starts_with(['/', '~']));
            // The scripts that a package installs.
            let own = matches!(&file, Item::Made(from, _) if from.starts_with("Gem."));
            if !own && (local || name == "load") {
                return Some(run.act(Act::File, "dofile", None, &plain));
            }
            run.effects.module(&file.shown());
            Item::Unknown
        }
        "instance_eval" | "class_eval" | "module_eval" | "instance_exec" | "class_exec" => match block {
            Some(block) => run.apply(&block, &plain),
            // A block that nobody knows.
            None if all.iter().any(is_block) || name.ends_with("exec") => Item::Unknown,
            None => template(run, &item(0)?),
        },
        "ERB.new" => {
            match item(0)? {
                Item::Text(template) if template.is_known() => {
                    let text = crate::languages::code::template(&template.text);
                    let code = Value { text, ..template };
                    if !code.text.trim().is_empty() {
                        let code = Item::Text(code);
                        run.act(Act::Eval, "eval", None, &[given(code)]);
                    }
                }
                // A template of the project's is no more than what its code does anyway.
                Item::Made(from, _) if from.starts_with("File.") || from.starts_with("IO.") => {}
                Item::Unknown => {}
                other => {
                    run.act(Act::Eval, "eval", None, &[given(other)]);
                }
            }
            Item::Unknown
        }
        "eval" if matches!(item(0), Some(Item::Text(code)) if is_template(&code) && code.text.contains('…')) => {
            template(run, &item(0)?)
        }
        "binding" | "TOPLEVEL_BINDING" => Item::library("binding"),
        "binding.local_variable_get" => item(0)?.known_text().and_then(|name| run.get(name))?,
        _ if last == "eval" && matches!(name, "TOPLEVEL_BINDING.eval" | "binding.eval" | "binding.irb") => {
            run.act(Act::Eval, "eval", None, &plain)
        }
        _ => return of_places(run, name, all),
    })
}

/// Addresses and paths.
pub(super) fn of_places(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let item =
        |at: usize| plain.iter().filter(|given| given.name.is_none()).nth(at).map(|given| given.item.clone());
    let block = block_of(all);
    Some(match name {
        "Dir.chdir" | "FileUtils.cd" | "FileUtils.chdir" | "chdir" | "cd" if !plain.is_empty() => {
            let before = run.folder.clone();
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            match block {
                Some(block) => {
                    let value = run.apply(&block, &[given(item(0)?)]);
                    run.folder = before;
                    value
                }
                None => Item::Unknown,
            }
        }
        _ if run.language.has(NameRole::Same, name) => item(0)?,
        "URI.join" => {
            let (front, path) = (item(0)?.shown(), item(1)?.shown());
            let text = format!("{}/{}", front.text.trim_end_matches('/'), path.text.trim_start_matches('/'));
            Item::Text(Value { text, ..front })
        }
        "URI.HTTPS.build" | "URI.HTTP.build" => {
            let host = plain.iter().find(|given| given.name.as_deref() == Some("host"))?.item.shown();
            Item::Text(Value { text: format!("https://{}/", host.text), ..host })
        }
        "Pathname" | PATH | "Pathname.pwd" | "Pathname.getwd" => {
            let path = item(0).unwrap_or_else(|| Item::text("."));
            match path {
                Item::Made(name, given) if &*name == PATH => Item::Made(name, given),
                path => Item::Made(Rc::from(PATH), Rc::new(vec![path])),
            }
        }
        "Net.HTTP.Post.new" | "Net.HTTP.Put.new" | "Net.HTTP.Patch.new" => {
            let address = item(0)?.shown();
            if address.text.contains("://") {
                run.act(Act::Send, name, None, &plain);
            }
            Item::Unknown
        }
        "Pathname.glob" => Item::list(vec![Item::Made(Rc::from(PATH), Rc::new(vec![item(0)?]))]),
        "File.expand_path" | "File.absolute_path" | "File.realpath" => match (item(0)?, item(1)) {
            (path @ Item::Made(..), _) => Item::Text(path.shown()),
            (path, None) => path,
            (Item::Text(path), Some(base)) if !path.text.starts_with(['/', '~']) => {
                binary('/', &Item::Text(base.shown()), &Item::Text(path))
            }
            (path, _) => path,
        },
        _ => return of_others(run, name, all),
    })
}

/// What is found in folders, what is made of nothing, and every other call with a block.
pub(super) fn of_others(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let item =
        |at: usize| plain.iter().filter(|given| given.name.is_none()).nth(at).map(|given| given.item.clone());
    let block = block_of(all);
    Some(match name {
        "Dir.[]" | "Dir.glob" => {
            let found: Vec<Item> = plain
                .iter()
                .filter(|given| given.name.is_none())
                .flat_map(|given| match &given.item {
                    Item::List(items) => items.as_ref().clone(),
                    item => vec![item.clone()],
                })
                .filter(|item| matches!(item, Item::Text(_)))
                .collect();
            let list = Item::list(found);
            match block {
                Some(block) => each(run, &list, &block),
                None => list,
            }
        }
        "Find.find" | "Dir.each_child" | "Dir.foreach" | "Dir.entries" | "Dir.children" => {
            let folder = Item::Text(item(0)?.shown());
            let list = match name {
                "Find.find" => {
                    let below = binary('/', &folder, &Item::text(LISTED));
                    Item::list(vec![folder, below])
                }
                _ => Item::list(vec![Item::text(LISTED)]),
            };
            match block {
                Some(block) => each(run, &list, &block),
                None => list,
            }
        }
        "Hash" | "Hash.new" => Item::Map(Rc::new(Vec::new())),
        "Array.new" | "Set.new" | "Hash.[]" => match item(0) {
            Some(list @ (Item::List(_) | Item::Map(_))) => list,
            None => Item::list(Vec::new()),
            _ => Item::Unknown,
        },
        "String.new" => item(0).unwrap_or_else(|| Item::text("")),
        "Set.[]" | "Array.[]" => Item::list(plain.iter().map(|given| given.item.clone()).collect()),
        "ENV.delete" | "ENV.[]=" | "ENV.store" => Item::Unknown,
        _ if run.language.has(NameRole::Asks, name) => Item::Unknown,
        "Signal.trap" | "trap" => {
            let handler = block.or_else(|| item(1))?;
            if let Item::Text(_) = handler {
                return Some(Item::Unknown);
            }
            run.apply(&handler, &[])
        }
        _ if run.language.has(NameRole::Quiet, name) => {
            run.hand_over(all);
            item(0).unwrap_or(Item::Unknown)
        }
        _ => return with_block(run, name, all),
    })
}

/// Any other call with a block, which is given what the call found or made.
fn with_block(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let plain = without_block(all);
    let last = name.rsplit('.').next().unwrap_or(name);
    let block = block_of(all)?;
    let made = run.library_call(name, &plain);
    if OF_EACH.contains(&last)
        && let Item::List(_) = &made
    {
        return Some(each(run, &made, &block));
    }
    let first = match (&made, last) {
        // `Thread.new(x) { |x| … }`
        (_, "new" | "start" | "fork") if name.starts_with("Thread") => {
            return Some(run.apply(&block, &plain));
        }
        (Item::Made(..), _) => made.clone(),
        _ => Item::Unknown,
    };
    let value = run.apply(&block, &[given(first)]);
    Some(if GIVES_BLOCK.contains(&last) { value } else { made })
}
