//! What the names of a language's library are, and what calling them does.
//!
//! The tables of `rules` say which calls act; here is what only a language itself does with names: imports by text,
//! `getattr`, functions handed over to be called. Code that calls what only the running code knows the name of gets
//! a finding.

use std::rc::Rc;

use super::item::{Given, Item};
use super::run::Run;
use super::{Dialect, values};
use crate::languages::evaluate::functions;
use crate::languages::rules::Act;
use crate::languages::{LISTED, Value};

/// Calls that run what they are given first with what follows: threads, pools, timers, queues.
const RUNS_FIRST: &[&str] = &[
    "submit",
    "apply_async",
    "apply",
    "call_soon",
    "call_soon_threadsafe",
    "to_thread",
    "register",
    "spawn",
    "start_new_thread",
    "nextTick",
    "queueMicrotask",
    "setImmediate",
    "call_user_func",
    "forward_static_call",
    "register_shutdown_function",
    "Task",
    "pcall",
    "run_sync",
    "invoke",
    "wraps",
    "Fiber",
    "coroutine.wrap",
    "run",
];

/// Calls that run their second argument with what follows.
const RUNS_SECOND: &[&str] = &["run_in_executor", "call_later", "call_at", "Timer", "xpcall", "signal"];

/// Calls that run their first argument on each item of the second.
const RUNS_ON_EACH: &[&str] =
    &["map", "filter", "starmap", "imap", "imap_unordered", "map_async", "array_map"];

/// Methods of a list that run a function on each item.
const ON_EACH: &[&str] = &[
    "forEach",
    "map",
    "filter",
    "flatMap",
    "find",
    "some",
    "every",
    "each",
    "collect",
    "select",
    "reject",
    "each_with_index",
    "each_entry",
    "grep",
    "grep_v",
    "flat_map",
    "any?",
    "all?",
    "detect",
    "partition",
    "filter_map",
    "sum",
    "times",
    "tap",
    "then",
    "each_value",
    "each_key",
    "each_slice",
    "each_cons",
    "sort_by",
    "group_by",
];

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
        if let Some(place) = functions::place(full) {
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
        if let Some(place) = functions::place(name) {
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
        let skip = if RUNS_SECOND.contains(&last) { 1 } else { 0 };
        if let Some(function) = given.get(skip).filter(|given| callable(&given.item)) {
            let rest = given.get(skip + 1..).unwrap_or_default();
            if RUNS_ON_EACH.contains(&last) {
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
            } else if skip == 1 || RUNS_FIRST.contains(&last) {
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
                    Some(Act::Shell | Act::Words | Act::Eval | Act::File | Act::Load)
                        if name.contains('.') || matches!(&**name, "exec" | "eval") =>
                    {
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

    /// A method of any value.
    pub(in crate::languages) fn method(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        self.watched(member, given, |run| run.method_itself(receiver, member, given))
    }

    fn method_itself(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        if let Some(item) = self.method_of_dialect(receiver, member, given) {
            return item;
        }
        match receiver {
            Item::Either(items) => {
                let values: Vec<Item> = items.iter().map(|item| self.method(item, member, given)).collect();
                Item::either(values)
            }
            Item::Library(name) => {
                if let Some(item) = self.reflected(receiver, member, given) {
                    return item;
                }
                // All that a module holds, to be chosen from by what only the running code knows.
                let module = name.strip_suffix(".__dict__").unwrap_or(name);
                let whole = matches!(member, "values" | "items")
                    && module != "globals"
                    && !Self::is_environment(name);
                if whole && self.acts_below(module) {
                    self.unnamed("a call by a computed name");
                }
                if let Some(line) = self.command_line(receiver) {
                    return self.method(&line, member, given);
                }
                let full = format!("{name}.{member}");
                let own = self.frames.first().and_then(|frame| frame.names.get(&full)).cloned();
                match own {
                    Some(item) => self.apply(&item, given),
                    None => self.library_call(&full, given),
                }
            }
            Item::Function(_) | Item::Partial(_) | Item::Class(_) | Item::Object(_) => {
                if let Some(item) = self.reflected(receiver, member, given) {
                    return item;
                }
                match receiver {
                    Item::Function(_) | Item::Partial(_) => {
                        // `task.delay(x)`, `f()()`
                        self.apply(receiver, given)
                    }
                    _ => match (self.member(receiver, member), receiver) {
                        (Item::Class(class), Item::Class(_)) => self.apply(&Item::Class(class), given),
                        (Item::Unknown, Item::Object(_)) => self.of_any(receiver, member, given),
                        (item, _) => self.apply(&item, given),
                    },
                }
            }
            Item::Map(_) => match self.member(receiver, member) {
                item @ (Item::Function(_) | Item::Library(_) | Item::Partial(_) | Item::Either(_)) => {
                    self.apply(&item, given)
                }
                _ => values::method(receiver, member, given)
                    .unwrap_or_else(|| self.on_each(receiver, member, given)),
            },
            Item::List(items) if member == "run" || member == "start" || member == "join" => {
                let _ = items;
                values::method(receiver, member, given).unwrap_or(Item::Unknown)
            }
            Item::List(_) | Item::Number(_) => match values::method(receiver, member, given) {
                Some(item) => item,
                None => self.on_each(receiver, member, given),
            },
            Item::Made(name, first) => {
                let (name, first) = (Rc::clone(name), Rc::clone(first));
                self.made_method(&name, &first, receiver, member, given)
            }
            Item::Method(_) => self.apply(receiver, given),
            Item::Nothing => Item::Nothing,
            Item::Text(_) | Item::Unknown => self.of_any(receiver, member, given),
        }
    }

    /// A method as the language itself finds it; `None` where the receiver decides.
    fn method_of_dialect(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Option<Item> {
        // What a promise holds: of a module, the module.
        if let (Dialect::JavaScript, "then", Some(then)) = (self.dialect, member, given.first())
            && matches!(then.item, Item::Function(_) | Item::Library(_) | Item::Method(_) | Item::Partial(_))
        {
            let held = match receiver {
                Item::Made(..) => Item::Unknown,
                held => held.clone(),
            };
            self.hand_over(given.get(1..).unwrap_or_default());
            return Some(self.apply(&then.item.clone(), &[Given { name: None, item: held }]));
        }
        // A method of Go is a function of the receiver, whatever that is.
        if self.dialect == Dialect::Go
            && !matches!(receiver, Item::Library(_))
            && matches!(self.member(receiver, member), Item::Unknown | Item::Method(_))
            && let Some(function @ Item::Function(_)) = self.get(&format!(".{member}"))
        {
            let mut all = vec![Given { name: None, item: receiver.clone() }];
            all.extend(given.iter().cloned());
            return Some(self.apply(&function, &all));
        }
        // A method is a function of the package, whatever the object is.
        if self.dialect == Dialect::Perl
            && let Some(function @ Item::Function(_)) = self.get(member).or_else(|| {
                let missing = matches!(receiver, Item::Library(_)) && !matches!(member, "new" | "import");
                missing.then(|| self.get("AUTOLOAD")).flatten()
            })
        {
            self.set("$AUTOLOAD", Item::text(member), super::tree::Declares::There);
            let mut all = vec![Given { name: None, item: receiver.clone() }];
            all.extend(given.iter().cloned());
            return Some(self.apply(&function, &all));
        }
        match (self.dialect, receiver) {
            (_, Item::Either(_)) => None,
            (Dialect::Ruby, _) => super::super::ruby::library::method(self, receiver, member, given),
            (Dialect::Php, _) => super::super::php::library::method(self, receiver, member, given),
            _ => None,
        }
    }

    /// A method of a text, a path, or of what nobody knows.
    fn of_any(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        if !matches!(receiver, Item::Text(_))
            && let Some(item) = self.client(receiver, member, given)
        {
            return item;
        }
        let row = self.rule(&format!(".{member}"));
        let act = row.or_else(|| {
            let telling = crate::languages::calls::TELLING.contains(&member)
                && matches!(receiver, Item::Unknown | Item::Object(_));
            telling.then(|| self.language.telling(member)).flatten()
        });
        // An event loop's own ways to start programs: a protocol, then the command.
        if matches!(member, "subprocess_exec" | "subprocess_shell") && given.len() > 1 {
            let act = if member == "subprocess_exec" { Act::Words } else { Act::Shell };
            return self.act(act, "asyncio.subprocess", None, given.get(1..).unwrap_or_default());
        }
        // A text that is no path has methods of its own.
        let of_text = matches!(receiver, Item::Text(_))
            && matches!(member, "replace" | "format" | "join" | "split" | "strip" | "encode" | "decode");
        match act {
            Some(act) if !of_text => {
                return self.act(act, &format!(".{member}"), Some(receiver), given);
            }
            _ => {}
        }
        if matches!(receiver, Item::Text(_)) {
            if member == "open" {
                let mut all = vec![Given { name: None, item: receiver.clone() }];
                all.extend(given.iter().cloned());
                return self.act(Act::Open, "open", None, &all);
            }
            if let ("rename" | "replace" | "move", [Given { item, .. }]) = (member, given) {
                let (from, to) = (receiver.shown(), item.shown());
                let (from, to) = (self.placed(from), self.placed(to));
                self.effects.move_to(&from, &to);
                return item.clone();
            }
        }
        // A function that makes what stands in the place of what a pattern fits.
        if matches!(receiver, Item::Text(_)) && !ON_EACH.contains(&member) {
            let functions: Vec<Given> =
                given.iter().filter(|given| matches!(given.item, Item::Function(_))).cloned().collect();
            self.hand_over(&functions);
        }
        if let Some(item) = values::method(receiver, member, given) {
            return item;
        }
        if !matches!(receiver, Item::Text(_)) && !ON_EACH.contains(&member) {
            self.offer(member, given);
        }
        self.on_each(receiver, member, given)
    }

    /// A method that runs a function on each item, or hands it to what nobody knows.
    fn on_each(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Item {
        let function = match super::super::ruby::library::block_of(given) {
            None => given.first().map(|given| given.item.clone()),
            block => block,
        };
        if ON_EACH.contains(&member)
            && let Some(function @ (Item::Function(_) | Item::Library(_) | Item::Partial(_))) = function
        {
            let items = match receiver {
                Item::Map(pairs) => Some(
                    pairs
                        .iter()
                        .map(|(key, item)| Item::list(vec![key.clone(), item.clone()]))
                        .collect::<Vec<_>>(),
                ),
                Item::Text(_) => None,
                item => item.items(),
            };
            let acts = matches!(&function, Item::Library(name) if self.rule(name).is_some());
            return match items {
                Some(items) if items.len() <= 64 => {
                    let mut results = Vec::new();
                    for item in items {
                        let given = match (&item, receiver) {
                            (Item::List(parts), Item::Map(_)) => parts.iter().cloned().collect(),
                            _ => vec![item.clone()],
                        };
                        let given: Vec<Given> =
                            given.into_iter().map(|item| Given { name: None, item }).collect();
                        let made = self.apply(&function, &given);
                        results.push(match member {
                            "map" | "collect" | "flatMap" | "flat_map" | "filter_map" => made,
                            _ => item,
                        });
                    }
                    match member {
                        "tap" | "forEach" | "each" => receiver.clone(),
                        _ => Item::list(results),
                    }
                }
                _ if acts => {
                    self.apply(&function, &[Given { name: None, item: Item::Unknown }]);
                    Item::Unknown
                }
                _ => {
                    let shown = match receiver {
                        Item::Text(_) => receiver.clone(),
                        _ => Item::Unknown,
                    };
                    self.apply(&function, &[Given { name: None, item: shown }]);
                    Item::Unknown
                }
            };
        }
        if let ("reduce" | "inject", Some(Item::Function(_))) = (member, &function) {
            return self.reduced(receiver, given);
        }
        self.hand_over(given);
        Item::Unknown
    }

    /// `list.reduce(function, start)`
    pub(in crate::languages) fn reduced(&mut self, receiver: &Item, given: &[Given]) -> Item {
        let Some(function) = given.first().map(|given| given.item.clone()) else { return Item::Unknown };
        let Some(mut items) = receiver.items().filter(|items| items.len() <= 512) else {
            self.hand_over(given);
            return Item::Unknown;
        };
        let mut whole = match given.get(1) {
            Some(start) => start.item.clone(),
            None if items.is_empty() => return Item::Unknown,
            None => items.remove(0),
        };
        for item in items {
            whole = self.apply(&function, &[Given { name: None, item: whole }, Given { name: None, item }]);
        }
        whole
    }

    /// A call through another: `f.call(x, …)`, `f.bind(x)`, `object.send(:name)`.
    fn reflected(&mut self, receiver: &Item, member: &str, given: &[Given]) -> Option<Item> {
        let callable = match receiver {
            Item::Library(name) => {
                self.rule(name).is_some() || name.contains('.') || self.dialect == Dialect::Lua
            }
            Item::Function(_) | Item::Partial(_) => true,
            _ => false,
        };
        let javascript = self.dialect == Dialect::JavaScript;
        match member {
            "call" if callable && javascript => {
                Some(self.apply(receiver, given.get(1..).unwrap_or_default()))
            }
            "apply" if callable && javascript => {
                let items =
                    given.get(1).map(|given| given.item.items().unwrap_or_else(|| vec![Item::Unknown]));
                let given: Vec<Given> =
                    items.unwrap_or_default().into_iter().map(|item| Given { name: None, item }).collect();
                Some(self.apply(receiver, &given))
            }
            "bind" if callable && javascript => {
                let first = given.get(1..).unwrap_or_default().to_vec();
                Some(Item::Partial(Rc::new((receiver.clone(), first))))
            }
            "call" | "()" | "yield" | "===" if matches!(receiver, Item::Function(_) | Item::Partial(_)) => {
                Some(self.apply(receiver, given))
            }
            "send" | "public_send" | "__send__" | "method" | "public_method" | "instance_method"
            | "__getattribute__"
                if matches!(self.dialect, Dialect::Ruby | Dialect::Python) =>
            {
                let name = given.first()?.item.clone();
                let Some(text) = name.known_text().map(str::to_owned) else {
                    if matches!(receiver, Item::Library(_)) {
                        self.unnamed("a call whose name is computed");
                    }
                    return Some(Item::Unknown);
                };
                let target = self.member(receiver, &text);
                let acts = matches!(&target, Item::Library(name) if self.rule(name).is_some());
                if acts {
                    self.obfuscated("a call by a name in a string");
                }
                if matches!(member, "send" | "public_send" | "__send__") {
                    return Some(self.method(receiver, &text, given.get(1..).unwrap_or_default()));
                }
                Some(target)
            }
            _ => None,
        }
    }

    /// A member of what a library call returned.
    pub(in crate::languages) fn made_member(&mut self, name: &str, given: &[Item], member: &str) -> Item {
        // The path of a temporary file or folder.
        if let ("open" | super::temporary::PLACE, [path], "name" | "path") = (name, given, member) {
            return path.clone();
        }
        if let ("Proxy", [target, Item::Map(handlers)]) = (name, given) {
            let get = handlers
                .iter()
                .find(|(key, _)| key.known_text() == Some("get"))
                .map(|(_, item)| item.clone());
            return match get {
                Some(get) => {
                    let given = [target.clone(), Item::text(member)].map(|item| Given { name: None, item });
                    self.apply(&get, &given)
                }
                None => self.member(&target.clone(), member),
            };
        }
        if let Some(item) = match self.dialect {
            Dialect::Python => super::super::python::library::member(self, name, given, member),
            _ => None,
        } {
            return item;
        }
        if let Some(item) = self.client_member(name, given, member) {
            return item;
        }
        if self.rule(&format!("{name}.{member}")).is_some() {
            return Item::library(format!("{name}.{member}"));
        }
        Item::Unknown
    }

    fn made_method(
        &mut self,
        name: &str,
        first: &[Item],
        receiver: &Item,
        member: &str,
        given: &[Given],
    ) -> Item {
        if self.dialect == Dialect::Python
            && let Some(item) = super::super::python::library::method(self, name, member, given)
        {
            return item;
        }
        if name == "Proxy" {
            let found = self.made_member(name, first, member);
            return self.apply(&found, given);
        }
        if let Some(item) = self.client(receiver, member, given) {
            return item;
        }
        // A client's own methods are the module's: `requests.Session().post`.
        let module = name.split('.').next().unwrap_or(name);
        let class = name.strip_suffix(".new").unwrap_or(name);
        for full in [format!("{name}.{member}"), format!("{class}.{member}"), format!("{module}.{member}")] {
            if full.contains('.')
                && let Some(act) = self.language.exact(&full)
            {
                return self.act(act, &full, Some(receiver), given);
            }
        }
        let archive = name.starts_with("tarfile.") || name.starts_with("zipfile.");
        match member {
            "add" | "write" | "append" if archive => {
                let path = given.first().map_or_else(Value::unknown, |given| given.item.shown());
                let path = self.placed(path);
                self.effects.read(&path);
                return Item::Unknown;
            }
            "write" | "writelines" | "puts" | "print" | "end" if is_file(name) => {
                if let (Some(path), Some(content)) = (first.first(), given.first()) {
                    self.wrote(path, &content.item);
                }
                return Item::Unknown;
            }
            // In a script. On a command line there is a plain way to run a file, and this one hides it.
            "read"
                if given.is_empty()
                    && self.script.is_some()
                    && matches!(name, "open" | "io.open" | "codecs.open") =>
            {
                return match first.first() {
                    Some(path) if is_ordinary(path) => {
                        Item::Made(Rc::from(FILE_TEXT), Rc::new(vec![path.clone()]))
                    }
                    _ => Item::Unknown,
                };
            }
            // What a chain returns is still what it began with.
            "then" | "catch" | "finally" | "on" | "once" | "pipe" | "addListener" => {
                self.hand_over(given);
                for given in given {
                    if let Item::Made(own, _) = &given.item
                        && own.contains("spawn")
                    {
                        self.obfuscated("an interpreter that this code feeds");
                    }
                }
                return receiver.clone();
            }
            "copy" | "clone" | "dup" if Self::is_environment(name) => return receiver.clone(),
            _ => {}
        }
        let of = self.of_any(&Item::Unknown, member, given);
        match of {
            Item::Unknown if matches!(member, "__enter__" | "open" | "start" | "new") => receiver.clone(),
            item => item,
        }
    }

    /// Calls what a library call returned.
    pub(in crate::languages) fn call_made(&mut self, name: &str, first: &[Item], given: &[Given]) -> Item {
        let last = name.rsplit('.').next().unwrap_or(name);
        match (last, first, given) {
            ("methodcaller", [Item::Text(method), rest @ ..], [object, ..]) => {
                let method = method.text.clone();
                let rest: Vec<Given> =
                    rest.iter().map(|item| Given { name: None, item: item.clone() }).collect();
                let object = object.item.clone();
                if matches!(&object, Item::Library(own) if self.rule(&format!("{own}.{method}")).is_some()) {
                    self.obfuscated("a call by a name in a string");
                }
                self.method(&object, &method, &rest)
            }
            ("attrgetter", [Item::Text(member)], [object, ..]) => {
                let (object, member) = (object.item.clone(), member.text.clone());
                let found = self.member(&object, &member);
                if matches!(&found, Item::Library(own) if self.rule(own).is_some()) {
                    self.obfuscated("a call by a name in a string");
                }
                found
            }
            ("Proxy", [target, Item::Map(handlers)], _) => {
                let handler =
                    handlers.iter().find(|(key, _)| matches!(key.known_text(), Some("apply" | "construct")));
                let all = Item::list(given.iter().map(|given| given.item.clone()).collect());
                match handler.map(|(_, item)| item.clone()) {
                    Some(handler) => {
                        let given =
                            [target.clone(), Item::Unknown, all].map(|item| Given { name: None, item });
                        self.apply(&handler, &given)
                    }
                    None => self.apply(&target.clone(), given),
                }
            }
            _ => {
                if name == "plumbum.command" {
                    self.run_program(first, given);
                    return Item::Unknown;
                }
                if name.starts_with('$') {
                    self.obfuscated("a call whose name comes from outside");
                }
                self.hand_over(given);
                Item::Unknown
            }
        }
    }

    /// A text that is called: in PHP and Perl the name of a function, elsewhere nothing.
    pub(in crate::languages) fn call_by_text(&mut self, name: &Value, given: &[Given]) -> Item {
        if !matches!(self.dialect, Dialect::Php | Dialect::Perl) {
            self.hand_over(given);
            return Item::Unknown;
        }
        if !name.is_known() {
            if !self.uncalled {
                self.unnamed("a call whose name is computed");
            }
            self.hand_over(given);
            return Item::Unknown;
        }
        if let Some(item @ Item::Function(_)) = self.get(&name.text) {
            return self.apply(&item, given);
        }
        if self.rule(&name.text).is_some() {
            self.obfuscated("a call by a name in a string");
        }
        self.library_call(&name.text.trim_start_matches('\\').replace("::", "."), given)
    }
}

/// A text that is known, at least in part.
fn text_of(item: &Item) -> Option<Value> {
    match item {
        Item::Text(value) => Some(value.clone()),
        _ => None,
    }
}

/// What a file holds, by its path: who runs that text runs the file.
pub(in crate::languages) const FILE_TEXT: &str = " file's text";

/// Whether a path is known, and of a file that others may look at: no stream of this very process.
fn is_ordinary(path: &Item) -> bool {
    path.known_text().is_some_and(|path| !path.contains("dev/") && !path.contains("proc/"))
}

/// Whether a library call returned an open file.
fn is_file(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    matches!(last, "open" | "fopen" | "createWriteStream" | "new" | "Create" | "OpenFile" | "fdopen")
}

/// Most values that a function is given one after the other, where its arguments may be several things.
const MOST_CHOICES: usize = 64;

/// The value of a function that has no effect.
fn pure(name: &str, last: &str, positional: &[Item]) -> Option<Item> {
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
            return functions::path(&literals).map(Item::from);
        }
        ("hexlify" | "b64encode" | "md5" | "sha1" | "sha256", _) => return None,
        _ => {}
    }
    // A decoder of what isn't known gives nothing that is.
    let literals: Vec<_> = positional.iter().map(Item::literal).collect();
    if positional.iter().all(|item| matches!(item, Item::Text(_) | Item::Number(_) | Item::List(_))) {
        return functions::function(name, last, &literals).map(Item::from);
    }
    match last {
        "join" | "format" | "sprintf" | "implode" | "str" | "String" => {
            functions::function(name, last, &literals).map(Item::from)
        }
        _ => None,
    }
}

fn functions_of_paths(name: &str) -> bool {
    name.contains("path.") || name == "path" || name.starts_with("File.") || name.contains("filepath.")
}
