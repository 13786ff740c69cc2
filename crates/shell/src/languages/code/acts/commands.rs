//! Calls that run commands, files with code, or code that is a text.

use std::rc::Rc;

use doorward_core::intent::Code;

use super::{Called, option};
use crate::languages::code::Dialect;
use crate::languages::code::item::{Given, Item};
use crate::languages::code::library::FILE_TEXT;
use crate::languages::code::run::Run;
use crate::languages::rules::Act;
use crate::languages::{Value, is_interpreter};

/// Words of CMake that end a command's own (cmake-commands(7), `execute_process`).
const BEHIND_COMMAND: [&str; 5] =
    ["WORKING_DIRECTORY", "RESULT_VARIABLE", "OUTPUT_VARIABLE", "ERROR_VARIABLE", "TIMEOUT"];

/// Where code lies that is no file's.
const ELSEWHERE: [&str; 6] = ["data:", "php://", "http:", "https:", "/dev/", "/proc/"];

/// Whether an option is there and isn't false.
fn is_set(given: &[Given], name: &str) -> bool {
    option(given, &[name]).is_some_and(|item| !matches!(item, Item::Number(0)))
}

impl Run<'_> {
    /// Shell text is run.
    pub(in crate::languages) fn shell_text(&mut self, text: &Value) {
        let program = text.text.split_ascii_whitespace().next().unwrap_or_default();
        let open_program = self.uncalled
            && matches!(self.dialect, Dialect::Ruby | Dialect::Php)
            && program.contains('…')
            && !text.text.contains(['|', ';', '&', '`', '$', '<', '>', '\n']);
        if self.is_nobodys(text) || open_program {
            return;
        }
        let text = match &self.folder {
            Some(folder) => Value { text: format!("cd '{}' && {}", folder.text, text.text), ..text.clone() },
            None => text.clone(),
        };
        self.effects.shell(&text);
    }

    /// A command is run.
    pub(in crate::languages) fn argv(&mut self, words: &[Value], given: &[Given]) {
        if words.iter().all(|word| self.is_nobodys(word)) {
            return;
        }
        let folder =
            option(given, &["cwd", "chdir"]).map(|item| item.shown()).filter(|folder| folder.text != ".");
        let folder = folder.or_else(|| self.folder.clone());
        self.effects.argv_in(words, folder.as_ref());
    }

    pub(super) fn run_commands(&mut self, act: Act, called: Called<'_>) -> Item {
        let Called { given, positional, .. } = called;
        match act {
            Act::Shell | Act::ShellWords => self.commands(act, given, positional),
            Act::ShellSelf => match called.receiver {
                Item::List(items) => self.listed_words(items, given),
                Item::Text(text) => self.shell_text(text),
                _ => {}
            },
            Act::CommandWords => {
                let words: Vec<Value> = positional.iter().map(Item::shown).collect();
                for command in words.split(|word| word.text == "COMMAND").skip(1) {
                    let end = command.iter().position(|word| BEHIND_COMMAND.contains(&word.text.as_str()));
                    self.argv(command.get(..end.unwrap_or(command.len())).unwrap_or_default(), given);
                }
            }
            _ => self.words(act, given, positional),
        }
        self.callbacks(given);
        called.made()
    }

    /// The first argument is shell text, or a list of words; with `shell-words`, several arguments are words.
    fn commands(&mut self, act: Act, given: &[Given], positional: &[Item]) {
        let first = positional.first().cloned().or_else(|| option(given, &["args", "command", "cmd"]));
        let first = first.unwrap_or(Item::Unknown);
        if self.dialect == Dialect::Ruby {
            return self.ruby_command(act, given, positional);
        }
        // `new Deno.Command('rm', {args: ['x']})`
        if let (Some(Item::Map(_)), Item::Text(program)) = (positional.get(1), &first)
            && let Some(Item::List(items)) = option(given, &["args"])
        {
            let words: Vec<Value> =
                std::iter::once(program.clone()).chain(items.iter().map(Item::shown)).collect();
            return self.argv(&words, given);
        }
        for command in first.alternatives() {
            match &command {
                Item::List(items) => self.listed_words(items, given),
                Item::Map(_) | Item::Nothing => {}
                command => self.one_command(act, &command.shown(), given, positional),
            }
        }
    }

    fn listed_words(&mut self, items: &[Item], given: &[Given]) {
        let mut words: Vec<Value> = items.iter().map(Item::shown).collect();
        if self.feeds(&words, given) {
            return;
        }
        if is_set(given, "shell")
            && let Some(text) = words.first()
        {
            return self.shell_text(&text.clone());
        }
        self.alternatives_of(items, given);
        // `run(["ls", "push"], executable="git")`: the first word is only the name that it sees.
        if let (Some(program), Some(first)) = (option(given, &["executable"]), words.first_mut()) {
            *first = program.shown();
            self.argv(&words, given);
        }
    }

    fn one_command(&mut self, act: Act, text: &Value, given: &[Given], positional: &[Item]) {
        if self.feeds(std::slice::from_ref(text), given) {
            return;
        }
        let plain = |item: &Item| matches!(item, Item::Text(_) | Item::List(_));
        let several = act == Act::ShellWords && positional.len() > 1;
        if several && (positional.iter().all(plain) || !text.text.contains(char::is_whitespace)) {
            let words = positional.iter().flat_map(|item| match item {
                Item::List(items) => items.iter().map(Item::shown).collect(),
                item => vec![item.shown()],
            });
            return self.argv(&words.collect::<Vec<_>>(), given);
        }
        // `popen(command, "w")`: what the code writes is what the command reads.
        if positional.get(1).and_then(Item::known_text) == Some("w") {
            return self.effects.fed(text, &Value::unknown());
        }
        match option(given, &["cwd"]).map(|item| item.shown()) {
            Some(folder) => {
                let inside = format!("cd '{}' && {}", folder.text, text.text);
                self.shell_text(&Value { text: inside, ..text.clone() });
            }
            None => self.shell_text(text),
        }
    }

    /// Ruby's ways to start a command: variables, a text or words, options.
    fn ruby_command(&mut self, act: Act, given: &[Given], positional: &[Item]) {
        let mut items: Vec<Item> =
            positional.iter().filter(|item| !matches!(item, Item::Map(_))).cloned().collect();
        if act == Act::Shell {
            items.truncate(1);
        }
        match items.as_slice() {
            [] => {}
            // `['rm', 'argv0']` is the program and the name that it sees.
            [Item::List(only)] => {
                let mut words: Vec<Item> =
                    only.iter().filter(|item| !matches!(item, Item::Map(_))).cloned().collect();
                if words.len() == 2 && matches!(words.first(), Some(Item::List(_))) {
                    words = words.first().and_then(Item::items).unwrap_or_default();
                }
                let shown: Vec<Value> = words.iter().map(Item::shown).collect();
                if !self.feeds(&shown, given) {
                    self.alternatives_of(&words, given);
                }
            }
            [only] => {
                for command in only.alternatives() {
                    let text = command.shown();
                    if self.feeds(std::slice::from_ref(&text), given) {
                        continue;
                    }
                    match option(given, &["chdir"]).map(|item| item.shown()) {
                        Some(folder) => {
                            let text =
                                Value { text: format!("cd '{}' && {}", folder.text, text.text), ..text };
                            self.shell_text(&text);
                        }
                        None => self.shell_text(&text),
                    }
                }
            }
            _ => {
                let mut words = Vec::new();
                for (at, item) in items.into_iter().enumerate() {
                    match item {
                        Item::List(own) if at == 0 => words.extend(own.first().cloned()),
                        Item::List(own) => words.extend(own.iter().cloned()),
                        item => words.push(item),
                    }
                }
                let shown: Vec<Value> = words.iter().map(Item::shown).collect();
                if !self.feeds(&shown, given) {
                    self.alternatives_of(&words, given);
                }
            }
        }
    }

    /// A list of words, each of which may be several things.
    fn alternatives_of(&mut self, items: &[Item], given: &[Given]) {
        if items.iter().any(|item| matches!(item, Item::Nothing)) {
            return;
        }
        let at = items.iter().position(|item| matches!(item, Item::Either(_)));
        let words: Vec<Value> = items.iter().map(Item::shown).collect();
        match at.and_then(|at| Some((at, items.get(at)?))) {
            Some((at, Item::Either(choices))) => {
                for choice in choices.iter() {
                    let mut words = words.clone();
                    match choice {
                        Item::List(more) => {
                            words.splice(at..=at, more.iter().map(Item::shown));
                        }
                        choice => {
                            if let Some(slot) = words.get_mut(at) {
                                *slot = choice.shown();
                            }
                        }
                    }
                    self.argv(&words, given);
                }
            }
            _ => self.argv(&words, given),
        }
    }

    /// A bare interpreter that is fed by this code: what it is fed, where that is known, else nobody can tell.
    pub(in crate::languages) fn feeds(&mut self, words: &[Value], given: &[Given]) -> bool {
        if !words.iter().all(Value::is_known) {
            return false;
        }
        let command = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let shell = words.first().is_some_and(|word| is_interpreter(&word.text));
        let fed = is_interpreter(&command) || shell && words.iter().any(|word| word.text == "-s");
        if !fed {
            // What arrives there may become the command's operands.
            let input = option(given, &["stdin", "input", "stdin_data"]);
            let closed = matches!(&input, Some(Item::Library(name)) if name.ends_with(".DEVNULL"));
            if let (Some(input), false, false) = (input, closed, self.uncalled) {
                let quoted: Vec<String> = words.iter().map(|word| quoted(&word.text)).collect();
                let input = match input {
                    Item::Text(input) => input,
                    _ => Value::unknown(),
                };
                self.effects.fed(&Value::literal(quoted.join(" ")), &input);
                return true;
            }
            return false;
        }
        match option(given, &["input", "stdin_data"]) {
            Some(Item::Text(input)) => self.effects.fed(&Value::literal(command), &input),
            _ => self.obfuscated("an interpreter that this code feeds"),
        }
        true
    }

    /// The arguments are a command's words.
    fn words(&mut self, act: Act, given: &[Given], positional: &[Item]) {
        let from = usize::from(matches!(act, Act::WordsSecond | Act::ExecSecond));
        let positional = positional.get(from..).unwrap_or_default();
        let programs = positional.first().map_or_else(|| vec![Item::Unknown], Item::alternatives);
        for program in programs {
            if let Item::List(all) = &program {
                self.alternatives_of(all, given);
                continue;
            }
            let mut items = Vec::new();
            let mut listed = false;
            for argument in positional.iter().skip(1) {
                match argument {
                    Item::List(all) => {
                        items.extend(all.iter().cloned());
                        listed = true;
                    }
                    Item::Map(_) | Item::Function(_) => {}
                    _ if listed => {}
                    item => items.push(item.clone()),
                }
            }
            self.program_with(act, program, items, given);
        }
    }

    /// A program and the words behind it.
    fn program_with(&mut self, act: Act, program: Item, mut items: Vec<Item>, given: &[Given]) {
        let shown = program.shown();
        if is_set(given, "shell") {
            let mut all = vec![shown.text.clone()];
            all.extend(items.iter().map(|item| item.shown().text));
            return self.shell_text(&Value { text: all.join(" "), ..shown });
        }
        // `execv(file, args)`: the first of these is the name that the program sees, whatever it says.
        if matches!(act, Act::Exec | Act::ExecSecond) {
            match items.first_mut() {
                Some(named) => *named = program,
                None => items.push(program),
            }
            return self.alternatives_of(&items, given);
        }
        let last = shown.text.rsplit('/').next().unwrap_or_default();
        let first = items.first().and_then(Item::known_text).and_then(|word| word.rsplit('/').next());
        if self.dialect != Dialect::Python || last.is_empty() || first != Some(last) {
            items.insert(0, program);
        }
        let words: Vec<Value> = items.iter().map(Item::shown).collect();
        if !self.feeds(&words, given) {
            self.alternatives_of(&items, given);
        }
    }

    /// Files and modules that run, bytes that become code, processes that end.
    pub(super) fn run_other(&mut self, act: Act, called: Called<'_>) -> Item {
        let Called { name, positional, first, .. } = called;
        match act {
            Act::File | Act::Include => self.run_files(act, name, first),
            Act::Module => {
                for module in self.paths(first) {
                    self.effects.module(&module);
                }
            }
            Act::Load => {
                // What this very code packed holds no surprise.
                let packs = |from: &str| matches!(from.rsplit('.').next(), Some("dump" | "dumps"));
                let own = matches!(first, Item::Made(from, _) if packs(from));
                let open = self.uncalled && positional.iter().all(|item| matches!(item, Item::Unknown));
                if !own && !open {
                    self.obfuscated(format!("{name} turns bytes into running code"));
                }
            }
            _ if self.uncalled => {}
            _ => self.effects.finding("shell.resource", "stops processes"),
        }
        Item::Unknown
    }

    /// Files with code of the same language are run.
    fn run_files(&mut self, act: Act, name: &str, files: &Item) {
        for path in self.paths(files) {
            // A file below, by a name that only the running code knows.
            if path.text.starts_with("./") && !path.is_known() && !path.text.contains("..") {
                continue;
            }
            if ELSEWHERE.iter().any(|place| path.text.starts_with(place)) {
                self.obfuscated(format!("{name} runs code that is no file's"));
                continue;
            }
            if act == Act::Include {
                self.effects.read(&path);
            }
            self.effects.file(&path, Code::Language(self.effects.language.clone()));
        }
    }

    /// Code of the same language is run.
    pub(super) fn run_code(&mut self, act: Act, called: Called<'_>) -> Item {
        let Called { name, given, first, second, .. } = called;
        let code = match act {
            Act::EvalSecond => second,
            // `new Function('a', 'return a + 1')`: the last text is the body.
            Act::EvalLast => given.last().map_or(&Item::Unknown, |given| &given.item),
            Act::Prepare => return Item::Made(Rc::from(name), Rc::new(vec![first.clone()])),
            _ => first,
        };
        // A function is what timers are usually given.
        let no_code = act == Act::EvalLater && code.known_text().is_none_or(|text| !text.contains('('));
        if no_code || matches!(first, Item::Function(_)) {
            self.hand_over(given);
            return Item::Unknown;
        }
        for code in code.alternatives() {
            let code = match &code {
                Item::Made(name, given) if self.rule(name) == Some(Act::Prepare) => {
                    given.first().map_or(Item::Unknown, Clone::clone)
                }
                code => code.clone(),
            };
            match &code {
                Item::Text(text) if self.is_nobodys(text) => {}
                Item::Text(text) => {
                    if text.assembled && text.is_known() {
                        self.obfuscated("code that is put together from parts is run");
                    }
                    self.effects.nested(&self.effects.language.clone(), text);
                }
                // `exec(open("version.py").read())`
                Item::Made(made, path) if **made == *FILE_TEXT => {
                    self.run_files(Act::File, name, path.first().unwrap_or(&Item::Unknown));
                }
                Item::Number(_) | Item::Nothing => {}
                _ if self.uncalled => {}
                _ => self.effects.nested(&self.effects.language.clone(), &Value::unknown()),
            }
        }
        Item::Unknown
    }
}

/// A word as a shell reads it whole.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
