//! What Ruby itself does with names: calls on `self`, blocks, `send`, classes that are made by calls, paths.

use std::rc::Rc;

use super::{BLOCK, RANGE, SUPER};
use crate::languages::code::{Given, Item, Run, binary, bound, of_map};
use crate::languages::rules::Act;
use crate::languages::{LISTED, Value};

/// A path that is an object.
pub(in crate::languages) const PATH: &str = "Pathname.new";

/// Calls of the language itself that need no look.
const PLAIN: &[&str] = &[
    "attr_reader",
    "attr_writer",
    "attr_accessor",
    "private",
    "public",
    "protected",
    "module_function",
    "include",
    "extend",
    "prepend",
    "private_constant",
    "private_class_method",
    "raise",
    "fail",
    "abort",
    "exit",
    "autoload",
    "block_given?",
    "binding",
    "sleep",
    "using",
    "rand",
    "srand",
    "gets",
    "caller",
    "freeze",
    "nil",
    "desc",
    "warn",
    "format_usage",
];

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
    let last = name.rsplit('.').next().unwrap_or(name);
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
                    let code: Vec<&str> = template
                        .text
                        .split("<%")
                        .skip(1)
                        .filter_map(|part| part.split("%>").next())
                        .map(|code| code.trim_start_matches(['=', '-']).trim_end_matches('-'))
                        .filter(|code| !code.starts_with('#'))
                        .collect();
                    let code = Value { text: code.join("\n"), ..template };
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
        "URI"
        | "URI.parse"
        | "Addressable.URI.parse"
        | "URI.encode"
        | "String"
        | "Shellwords.escape"
        | "Shellwords.shellescape"
        | "Array" => item(0)?,
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
        "Process.wait" | "Process.waitpid" | "Process.detach" => Item::Unknown,
        "ENV.key?" | "ENV.include?" | "ENV.has_key?" | "ENV.delete" | "ENV.[]=" | "ENV.store" => {
            Item::Unknown
        }
        "File.exist?" | "File.exists?" | "File.file?" | "File.directory?" | "File.readable?"
        | "File.executable?" | "File.writable?" | "File.symlink?" | "Dir.exist?" | "File.size"
        | "File.stat" | "File.mtime" | "File.extname" | "Dir.empty?" | "File.lstat" | "File.zero?" => {
            Item::Unknown
        }
        "Signal.trap" | "trap" => {
            let handler = block.or_else(|| item(1))?;
            if let Item::Text(_) = handler {
                return Some(Item::Unknown);
            }
            run.apply(&handler, &[])
        }
        _ if PLAIN.contains(&name) => {
            run.hand_over(all);
            item(0).unwrap_or(Item::Unknown)
        }
        _ => {
            let block = block?;
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
            if GIVES_BLOCK.contains(&last) { value } else { made }
        }
    })
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

/// `text.tr(from, to)`
fn translated(text: &str, from: &str, to: &str) -> String {
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

/// A method of any value; `None` if it is none of Ruby's own.
pub(in crate::languages) fn method(
    run: &mut Run<'_>,
    receiver: &Item,
    member: &str,
    all: &[Given],
) -> Option<Item> {
    let plain = without_block(all);
    let item = |at: usize| plain.get(at).map(|given| given.item.clone());
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
        "freeze" | "dup" | "clone" | "itself" | "to_proc" | "lazy" | "curry" | "each_entry" | "to_enum"
        | "compact" | "compact!" | "uniq" | "sort" | "sort!" | "shuffle" | "entries" | "force"
            if all.is_empty() && !matches!(receiver, Item::Library(_)) =>
        {
            return Some(receiver.clone());
        }
        "const_get" => return Some(constant(run, Some(receiver), &item(0)?)),
        "send" | "public_send" | "__send__" | "method" | "public_method" | "instance_method" => {
            let name = item(0)?;
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
            return Some(run.method(receiver, &text, &rest));
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
        Item::Class(class) => {
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

fn of_text(
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
        "to_sym" | "to_s" | "to_str" | "intern" | "strip" | "chomp" | "squeeze" | "shellescape"
        | "inspect" | "b" | "unicode_normalize" | "scrub" | "encode" | "force_encoding" | "dump"
        | "undump" | "lstrip" | "rstrip" | "html_safe" | "succ" | "to_json" | "to_yaml" | "squish"
            if plain.is_empty() || member.starts_with("force") || member == "encode" =>
        {
            match member {
                "strip" | "chomp" | "lstrip" | "rstrip" => return None,
                _ => receiver.clone(),
            }
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

fn of_list(
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
fn of_path(run: &mut Run<'_>, receiver: &Item, first: &[Item], member: &str, all: &[Given]) -> Option<Item> {
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
            Some((Act::Meta, "File.chmod"))
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
