//! What the names of a language's library are, and what calling them does.
//!
//! The tables of `rules` say which calls act; here is what only a language itself does with names: imports by text,
//! `getattr`, functions handed over to be called. Code that calls what only the running code knows the name of gets
//! a finding.

mod made;
mod methods;
mod pure;

use std::rc::Rc;

use super::item::{Given, Item};
use super::run::Run;
use super::{Dialect, values};
use crate::languages::evaluate;
use crate::languages::rules::{Act, NameRole, is};
use crate::languages::{LISTED, Value};

pub(in crate::languages) use made::FILE_TEXT;
use pure::pure;

impl Run<'_> {
    /// What the table says of a full name, or of a method on a receiver that nobody knows.
    pub(in crate::languages) fn rule(&self, name: &str) -> Option<Act> {
        self.language.rule(name)
    }

    pub(in crate::languages) fn obfuscated(&mut self, message: impl Into<String>) {
        self.effects.finding("shell.obfuscated", message);
    }

    /// What a name of the language itself stands for.
    pub(in crate::languages) fn constant(&self, name: &str) -> Option<Item> {
        Some(match (self.dialect, name) {
            (_, "True" | "true") => Item::Number(1),
            (_, "False" | "false") => Item::Number(0),
            (_, "None" | "null" | "undefined" | "nil" | "NULL") => Item::Unknown,
            (Dialect::Python, "__name__") => Item::text("__main__"),
            (_, "__file__" | "__FILE__" | "__filename") => Item::text(self.own_file()),
            (_, "__dirname" | "__DIR__") => Item::text(values::parent(self.own_file())),
            (_, "PHP_EOL") => Item::text("\n"),
            (_, "DIRECTORY_SEPARATOR") => Item::text("/"),
            (Dialect::Ruby | Dialect::Perl, "$0" | "$PROGRAM_NAME") => Item::text(self.own_file()),
            (Dialect::Ruby, _) if name.starts_with(['@', '&', '*']) => Item::Unknown,
            (Dialect::Ruby, "$!" | "$?" | "$~" | "$1" | "$2" | "$_") => Item::Unknown,
            _ => return None,
        })
    }

    /// A member of a module, class or function of the library.
    pub(in crate::languages) fn library_member(&mut self, full: &str) -> Item {
        if let Some(place) = evaluate::place(full) {
            // A place that is called is the same place.
            return match full.rsplit('.').next() {
                Some("HOME" | "curdir") => Item::text(place),
                _ => Item::library(full),
            };
        }
        match full {
            "File.SEPARATOR" => Item::text("/"),
            _ if matches!(full.strip_suffix(".sep"), Some("os" | "path" | "os.path")) => Item::text("/"),
            "os.linesep" | "os.EOL" => Item::text("\n"),
            "os.devnull" => Item::text("/dev/null"),
            "string.ascii_lowercase" => Item::text("abcdefghijklmnopqrstuvwxyz"),
            "string.ascii_uppercase" => Item::text("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            "string.ascii_letters" => Item::text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            "string.digits" => Item::text("0123456789"),
            "sys.executable" | "process.execPath" => Item::text(match self.dialect {
                Dialect::JavaScript => "node",
                _ => "python3",
            }),
            "import.meta.dirname" => Item::text(values::parent(self.own_file())),
            "import.meta.url" | "import.meta.filename" => Item::text(self.own_file()),
            _ => match full.strip_prefix("process.env.").or_else(|| full.strip_prefix("Bun.env.")) {
                Some(name) if !name.contains('.') => self.variable(name),
                _ => Item::library(full),
            },
        }
    }

    /// The path of the file that the code stands in.
    fn own_file(&self) -> &str {
        self.script.as_deref().unwrap_or("./…")
    }

    /// The command line that the code is given, if it is known and this is it.
    pub(in crate::languages) fn command_line(&self, item: &Item) -> Option<Item> {
        let Item::Library(name) = item else { return None };
        let arguments = self.arguments.as_ref()?;
        let before: &[&str] = match &**name {
            "sys.argv" | "$argv" | "os.Args" => &[self.own_file()],
            "process.argv" | "Bun.argv" => &["node", self.own_file()],
            "ARGV" | "@ARGV" | "arg" | "Deno.args" => &[],
            _ => return None,
        };
        Some(Item::list(
            before.iter().map(|word| Item::text(*word)).chain(arguments.iter().cloned()).collect(),
        ))
    }

    /// A variable of the environment.
    pub(in crate::languages) fn variable(&mut self, name: &str) -> Item {
        self.effects.env(name);
        match name {
            "HOME" => Item::text("~"),
            "PWD" => Item::text("."),
            _ => Item::Unknown,
        }
    }

    pub(in crate::languages) fn is_environment(name: &str) -> bool {
        matches!(
            name,
            "os.environ"
                | "os.environb"
                | "process.env"
                | "Bun.env"
                | "ENV"
                | "$ENV"
                | "$_ENV"
                | "import.meta.env"
        )
    }

    /// `library[key]`
    pub(in crate::languages) fn library_index(&mut self, name: &str, key: &Item) -> Item {
        if Self::is_environment(name) {
            return match key.known_text() {
                Some(variable) => self.variable(variable),
                None => {
                    self.effects.env("*");
                    Item::Unknown
                }
            };
        }
        let key_value = key.shown();
        if let (Some(Item::List(words)), Item::Number(at)) = (self.command_line(&Item::library(name)), key) {
            let last = i64::try_from(words.len()).unwrap_or(i64::MAX);
            let at = usize::try_from(if *at < 0 { last + at } else { *at }).ok();
            return at.and_then(|at| words.get(at).cloned()).unwrap_or(Item::Nothing);
        }
        match name {
            "$_SERVER" if matches!(key.known_text(), Some("HOME" | "PWD" | "DOCUMENT_ROOT")) => {
                return Item::text(if key.known_text() == Some("HOME") { "~" } else { "." });
            }
            "$GLOBALS" => {
                return key
                    .known_text()
                    .and_then(|key| self.get(&format!("${key}")))
                    .unwrap_or(Item::Unknown);
            }
            "Dir" => return Item::list(vec![key.clone()]),
            "sys.argv" | "process.argv" | "ARGV" | "$argv" | "arg" | "os.Args" | "$_SERVER" | "$_GET" => {
                return Item::Unknown;
            }
            "sys.modules" => {
                return match key.known_text() {
                    Some(module) => {
                        self.hidden(&key_value, "a module by a computed name");
                        Item::library(module)
                    }
                    None => Item::Unknown,
                };
            }
            _ => {}
        }
        // `child_process['exec']`, `globalThis["ev" + "al"]`, `vars(os)['system']`.
        match key.known_text() {
            Some(member) => {
                let member = member.to_owned();
                let module = name.strip_suffix(".__dict__").unwrap_or(name);
                if self.acts_below(module) || self.rule(&format!("{module}.{member}")).is_some() {
                    self.hidden(&key_value, "a call whose name is put together");
                }
                self.named_member(name, &member)
            }
            None if matches!(key, Item::Number(_)) => Item::Unknown,
            None => {
                if self.acts_below(name) {
                    self.unnamed("a call whose name is computed");
                }
                Item::Unknown
            }
        }
    }

    /// Reports a name that nobody can tell, unless it comes from what nobody gives: the parameters of a function that
    /// nothing calls.
    pub(in crate::languages) fn unnamed(&mut self, message: &str) {
        if !self.uncalled {
            self.obfuscated(message);
        }
    }

    /// A member by its name, of a module or of everything.
    pub(in crate::languages) fn named_member(&mut self, object: &str, member: &str) -> Item {
        if matches!(
            object,
            "globals"
                | "locals"
                | "vars"
                | "builtins"
                | "__builtins__"
                | "globalThis"
                | "global"
                | "window"
                | "self"
                | "builtins.__dict__"
                | "__builtins__.__dict__"
                | "Object"
                | "Kernel"
                | "_G"
                | "_ENV"
        ) {
            return self.get(member).unwrap_or_else(|| Item::library(member));
        }
        let object = object.strip_suffix(".__dict__").unwrap_or(object);
        self.library_member(&format!("{object}.{member}"))
    }

    /// Reports a name that had to be put together, once it is used to reach something.
    pub(in crate::languages) fn hidden(&mut self, value: &Value, message: &str) {
        if value.assembled || value.decoded {
            self.obfuscated(message);
        }
    }

    /// Whether a module has calls that act.
    pub(in crate::languages) fn acts_below(&self, module: &str) -> bool {
        let front = format!("{module}.");
        matches!(
            module,
            "builtins" | "__builtins__" | "globals" | "locals" | "globalThis" | "global" | "Kernel" | "_G"
        ) || self
            .language
            .rules
            .iter()
            // What only stops processes is told where it is called by its name.
            .filter(|(_, act)| *act != Act::Kill)
            .any(|(names, _)| names.split_ascii_whitespace().any(|name| name.starts_with(&front)))
    }

    /// `library[key] = item`: a variable of the environment, a module that is exchanged.
    pub(in crate::languages) fn index_of_library(&mut self, object: &Item, key: &Item, item: &Item) {
        let Item::Library(name) = object else { return };
        if matches!(&**name, "builtins" | "globals" | "globalThis" | "global" | "_G")
            && let Some(key) = key.known_text()
        {
            let key = key.to_owned();
            if let Some(frame) = self.frames.first_mut() {
                frame.names.insert(key, item.clone());
            }
        }
    }

    /// Calls a function or class of the library.
    pub(in crate::languages) fn library_call(&mut self, name: &str, given: &[Given]) -> Item {
        self.watched(name, given, |run| run.library_call_itself(name, given))
    }

    fn library_call_itself(&mut self, name: &str, given: &[Given]) -> Item {
        if let Some(rest) = name.strip_prefix("builtins.").or_else(|| name.strip_prefix("__builtins__.")) {
            return self.library_call(rest, given);
        }
        let special = match self.dialect {
            Dialect::Python => super::super::python::library::call(self, name, given),
            Dialect::JavaScript => super::super::javascript::library::call(self, name, given),
            Dialect::Perl => super::super::perl::library::call(self, name, given),
            Dialect::Lua => super::super::lua::library::call(self, name, given),
            Dialect::Go => super::super::go::library(self, name, given),
            Dialect::Ruby => super::super::ruby::library::call(self, name, given),
            Dialect::Php => super::super::php::library::call(self, name, given),
            Dialect::Plain => None,
        };
        if let Some(item) = special {
            return item;
        }
        if let Some(item) = Self::temporary(name, given) {
            return item;
        }
        if let Some(item) = self.client(&Item::library(name), name, given) {
            return item;
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        if Self::is_environment(name)
            || name.strip_suffix(last).is_some_and(|front| Self::is_environment(front.trim_end_matches('.')))
        {
            return self.environment(name, last, given);
        }
        if self.shows(last) {
            self.shown_environment(given);
        }
        if let Some(act) = self.rule(name) {
            return self.act(act, name, None, given);
        }
        if let Some(place) = evaluate::place(name) {
            return Item::text(place);
        }
        if given.is_empty() && matches!(name, "pathlib.Path" | "Path" | "pathlib.PurePath") {
            return Item::text(".");
        }
        let positional: Vec<Item> =
            given.iter().filter(|given| given.name.is_none()).map(|given| given.item.clone()).collect();
        if !positional.is_empty()
            && positional.iter().any(|item| !matches!(item, Item::Unknown))
            && let Some(item) = pure(name, last, &positional)
        {
            return item;
        }
        if self.dialect == Dialect::JavaScript && super::run::loads_module(given) {
            return self.apply(&Item::Unknown, given);
        }
        self.hand_over(given);
        self.run_given(last, given);
        if !crate::languages::effect_free::computes(&self.effects.language, name) {
            self.offer(last, given);
        }
        Item::Made(Rc::from(name), Rc::new(positional))
    }

    /// A call that nobody knows may run what it is given.
    fn offer(&mut self, call: &str, given: &[Given]) {
        let mut arguments = Vec::new();
        for given in given.iter().filter(|given| given.name.is_none()) {
            match &given.item {
                Item::List(items) => arguments.extend(items.iter().map(text_of)),
                item => arguments.push(text_of(item)),
            }
        }
        crate::languages::literals::offered(self.effects, call, &arguments);
    }

    /// Whether a call shows what it is given, or turns it into a text.
    fn shows(&self, last: &str) -> bool {
        matches!(
            last,
            "print"
                | "pprint"
                | "pp"
                | "dumps"
                | "dump"
                | "log"
                | "info"
                | "dir"
                | "table"
                | "stringify"
                | "puts"
                | "p"
                | "str"
                | "repr"
                | "sorted"
                | "items"
                | "entries"
                | "inspect"
                | "print_r"
                | "var_dump"
                | "json_encode"
                | "post"
                | "send"
        )
    }

    pub(in crate::languages) fn shown_environment(&mut self, given: &[Given]) {
        let whole = |item: &Item| match item {
            Item::Library(name) | Item::Made(name, _) => Self::is_environment(name),
            _ => false,
        };
        if given.iter().any(|given| whole(&given.item)) {
            self.effects.env("*");
        }
    }

    /// Calls of the environment's own methods.
    fn environment(&mut self, name: &str, last: &str, given: &[Given]) -> Item {
        let root = name.strip_suffix(last).unwrap_or(name).trim_end_matches('.');
        match last {
            "copy" | "to_h" | "dup" | "clone" => Item::library(root),
            "update" | "setdefault" | "__setitem__" | "putenv" | "delete" | "pop" | "store" | "replace" => {
                Item::Unknown
            }
            _ => {
                let Some(first) = given.first() else {
                    self.effects.env("*");
                    return Item::Unknown;
                };
                let read = match first.item.known_text() {
                    Some(variable) => self.variable(variable),
                    None => {
                        self.effects.env("*");
                        Item::Unknown
                    }
                };
                match given.get(1) {
                    Some(default) if !matches!(default.item, Item::Function(_)) => {
                        Item::either([read, default.item.clone()])
                    }
                    _ => read,
                }
            }
        }
    }

    /// Functions among the arguments of a call that is known to run them.
    fn run_given(&mut self, last: &str, given: &[Given]) {
        let callable = |item: &Item| {
            matches!(item, Item::Function(_) | Item::Partial(_) | Item::Method(_))
                || matches!(item, Item::Library(name) if self.language.rule(name).is_some())
        };
        // `Thread(target=f, args=(x,))`
        let target = given.iter().find(|given| {
            matches!(given.name.as_deref(), Some("target" | "func" | "function" | "fn" | "callback"))
                && callable(&given.item)
        });
        if let Some(target) = target {
            let arguments = given
                .iter()
                .find(|given| matches!(given.name.as_deref(), Some("args")))
                .and_then(|given| given.item.items())
                .unwrap_or_default();
            let arguments: Vec<Given> =
                arguments.into_iter().map(|item| Given { name: None, item }).collect();
            self.apply(&target.item.clone(), &arguments);
            return;
        }
        let skip = usize::from(is(NameRole::RunsSecond, last));
        if let Some(function) = given.get(skip).filter(|given| callable(&given.item)) {
            let rest = given.get(skip + 1..).unwrap_or_default();
            if is(NameRole::RunsEach, last) {
                let items = rest.first().and_then(|rest| rest.item.items());
                match items {
                    Some(items) if items.len() <= 64 => {
                        for item in items {
                            let arguments = match (&item, last) {
                                (Item::List(items), "starmap") => items
                                    .iter()
                                    .map(|item| Given { name: None, item: item.clone() })
                                    .collect(),
                                _ => vec![Given { name: None, item }],
                            };
                            self.apply(&function.item.clone(), &arguments);
                        }
                    }
                    _ => {
                        self.apply(&function.item.clone(), &[Given { name: None, item: Item::Unknown }]);
                    }
                }
            } else if skip == 1 || is(NameRole::RunsFirst, last) {
                self.apply(&function.item.clone(), rest);
            }
        }
    }

    /// Functions among the arguments of a call that nobody knows: they are run, with what nobody knows.
    pub(in crate::languages) fn hand_over(&mut self, given: &[Given]) {
        // Blocks are everywhere in these: inside of what nobody calls, nobody calls them.
        let strict = !matches!(self.dialect, Dialect::Ruby | Dialect::Php);
        let uncalled = self.uncalled;
        self.uncalled &= !strict;
        for given in given {
            // A decorator keeps what it is given, to be called by others.
            if given.name.as_deref() == Some(crate::languages::python::library::DECORATED) {
                continue;
            }
            match &given.item {
                Item::Function(closure) => {
                    if self.handed.len() < 256 {
                        self.handed.push(given.item.clone());
                    }
                    self.closure(&Rc::clone(closure), None);
                }
                Item::Library(name) => match self.rule(name) {
                    Some(act) if act.runs() && (name.contains('.') || matches!(&**name, "exec" | "eval")) => {
                        self.obfuscated(format!("{name} is handed over to be called"));
                    }
                    Some(Act::Delete | Act::DeleteTree) if name.contains('.') => {
                        self.effects.delete(&Value::unknown(), true);
                    }
                    _ => {}
                },
                Item::Method(method) => {
                    let method = Rc::clone(method);
                    self.apply(&Item::Method(method), &[]);
                }
                Item::Partial(partial) => {
                    let partial = Rc::clone(partial);
                    self.apply(&Item::Partial(partial), &[]);
                }
                _ => {}
            }
        }
        self.uncalled = uncalled;
    }
}

/// A text that is known, at least in part.
fn text_of(item: &Item) -> Option<Value> {
    match item {
        Item::Text(value) => Some(value.clone()),
        _ => None,
    }
}
