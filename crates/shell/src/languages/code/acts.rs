//! What a call does, by the row for its name, to each value that its arguments may have.

use std::rc::Rc;

use doorward_core::intent::{Code, Direction, WriteMode};

use super::item::{Given, Item};
use super::run::Run;
use super::{Dialect, values};
use crate::languages::rules::Act;
use crate::languages::{Value, is_interpreter};

/// Keyword arguments that carry what is sent.
const BODIES: [&str; 5] = ["data", "json", "files", "body", "content"];

/// Members of an options map that say that something is sent.
const SENDING: [&str; 2] = ["body", "data"];

/// Flags of `open(2)` that let a file be written.
const WRITING_FLAGS: [&str; 4] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];

/// Whether a text is the method of an HTTP request and no address.
fn is_http_method(item: &Item) -> bool {
    matches!(item.known_text(), Some(text) if ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
        .iter()
        .any(|method| method.eq_ignore_ascii_case(text)))
}

/// A value that is wholly unknown.
fn is_open(value: &Value) -> bool {
    value.text.chars().all(|letter| matches!(letter, '…' | '/' | ' ' | '.'))
}

impl Run<'_> {
    /// A path where it lies, once the code has gone to another folder.
    pub(in crate::languages) fn placed(&self, path: Value) -> Value {
        match &self.folder {
            Some(folder)
                if !path.text.starts_with(['/', '~'])
                    && !path.text.contains("://")
                    && !path.text.is_empty() =>
            {
                Value {
                    text: format!("{}/{}", folder.text.trim_end_matches('/'), path.text),
                    assembled: path.assembled,
                    decoded: path.decoded,
                }
            }
            _ => path,
        }
    }

    /// Whether an operand says nothing since nobody gives the parameters it comes from.
    fn is_nobodys(&self, value: &Value) -> bool {
        if !self.uncalled {
            return false;
        }
        // Below a folder, or as words of a program, that nobody names; what keeps secrets or starts later counts
        // wherever it lies.
        let below = value.text.strip_prefix('…').is_some_and(|rest| {
            !rest.contains("/.") && !rest.contains("://") && !rest.contains(char::is_whitespace)
        });
        is_open(value) || below
    }

    /// Each path that an argument may be: of a list, its items.
    pub(in crate::languages) fn paths(&self, item: &Item) -> Vec<Value> {
        item.alternatives()
            .iter()
            .flat_map(|item| match item {
                Item::List(items) => items.iter().flat_map(Item::alternatives).collect(),
                item => vec![item.clone()],
            })
            .filter(|item| !matches!(item, Item::Nothing))
            .map(|item| match &item {
                // An open file, or a path made by a call.
                Item::Made(_, given) => given.first().map_or_else(Value::unknown, Item::shown),
                item => item.shown(),
            })
            .map(|path| self.placed(path))
            .filter(|path| !self.is_nobodys(path))
            .collect()
    }

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

    pub(in crate::languages) fn wrote(&mut self, path: &Item, content: &Item) {
        let content = content.known_text();
        for path in self.paths(path) {
            self.effects.wrote(&path, content);
        }
    }

    /// Does what a row says.
    pub(in crate::languages) fn act(
        &mut self,
        act: Act,
        name: &str,
        receiver: Option<&Item>,
        given: &[Given],
    ) -> Item {
        let last = name.rsplit('.').next().unwrap_or(name);
        let positional: Vec<Item> =
            given.iter().filter(|given| given.name.is_none()).map(|given| given.item.clone()).collect();
        let first = positional.first().cloned().or_else(|| path_option(given)).unwrap_or(Item::Unknown);
        let second = positional.get(1).cloned().unwrap_or(Item::Unknown);
        let is_code = matches!(act, Act::Shell | Act::Words | Act::Delete | Act::DeleteTree);
        let decoded = |item: &Item| {
            item.alternatives().iter().any(|item| matches!(item, Item::Text(value) if value.decoded))
        };
        if decoded(&first) || is_code && decoded(&second) {
            self.obfuscated(format!("{name} is given what had to be decoded"));
        }
        if matches!(act, Act::Send | Act::Fetch) {
            self.shown_environment(given);
        }
        let made = || Item::Made(Rc::from(name), Rc::new(positional.clone()));
        match act {
            Act::Shell => {
                self.commands(name, given, &positional);
                return made();
            }
            Act::Words => {
                self.words(name, &positional, given);
                self.callbacks(given);
                return made();
            }
            Act::Delete => {
                for path in positional.iter().flat_map(|item| self.paths(item)).collect::<Vec<_>>() {
                    self.effects.delete(&path, false);
                }
                if positional.is_empty() {
                    for path in self.paths(&first) {
                        self.effects.delete(&path, false);
                    }
                }
                self.callbacks(given);
            }
            Act::DeleteTree => {
                // `.rmtree` of the path itself.
                let of = match receiver {
                    Some(receiver @ Item::Text(_)) if positional.is_empty() => receiver,
                    _ => &first,
                };
                for path in self.paths(of) {
                    self.effects.delete(&path, true);
                }
                self.callbacks(given);
            }
            Act::DeleteSelf => {
                for path in self.paths(receiver.unwrap_or(&Item::Unknown)) {
                    self.effects.delete(&path, last.contains("tree"));
                }
            }
            Act::ReadSelf => {
                for path in self.paths(receiver.unwrap_or(&Item::Unknown)) {
                    self.effects.read(&path);
                }
            }
            Act::WriteSelf => {
                let empty = first.known_text().is_some_and(str::is_empty);
                let mode =
                    if last.contains("write_") && empty { WriteMode::Truncate } else { WriteMode::Create };
                for path in self.paths(receiver.unwrap_or(&Item::Unknown)) {
                    self.effects.write(&path, mode);
                    if last.contains("write") {
                        self.effects.wrote(&path, first.known_text());
                    }
                }
            }
            Act::MetaSelf => {
                for path in self.paths(receiver.unwrap_or(&Item::Unknown)) {
                    self.effects.write(&path, WriteMode::Metadata);
                    self.mode(name, &first);
                }
            }
            // A database that is in no file.
            Act::Open if matches!(first.known_text(), Some(":memory:")) => return made(),
            // `logging.basicConfig(level=…)`: no file.
            Act::Open if positional.is_empty() && path_option(given).is_none() => return made(),
            Act::Open => return self.open(name, given, &first, &second, &positional),
            Act::Write => {
                let content = second.known_text();
                let mode = if last.contains("append") {
                    WriteMode::Append
                } else if last.contains("runcate") || content.is_some_and(str::is_empty) {
                    WriteMode::Truncate
                } else {
                    WriteMode::Create
                };
                let flag = option(given, &["flag"]).and_then(|flag| flag.known_text().map(str::to_owned));
                let mode =
                    if flag.is_some_and(|flag| flag.starts_with('a')) { WriteMode::Append } else { mode };
                for path in self.paths(&first) {
                    self.effects.write(&path, mode);
                    if positional.len() > 1 {
                        self.effects.wrote(&path, content);
                    }
                }
                self.callbacks(given);
                return made();
            }
            Act::WriteThird => {
                let third = positional.get(2).cloned().unwrap_or(Item::Unknown);
                for path in self.paths(&third) {
                    self.effects.write(&path, WriteMode::Create);
                }
            }
            Act::File => self.run_files(name, &first),
            Act::Module => {
                for module in self.paths(&first) {
                    self.effects.module(&module);
                }
            }
            Act::WriteSecond => {
                let empty = matches!(&first, Item::List(items) if items.is_empty());
                for path in self.paths(&second) {
                    self.effects.write(&path, if empty { WriteMode::Truncate } else { WriteMode::Create });
                }
            }
            Act::CommandWords => {
                let words: Vec<Value> = positional.iter().map(Item::shown).collect();
                self.argv(&words, given);
            }
            Act::Read => {
                for path in self.paths(&first) {
                    self.read(&path, last);
                }
                // dotenv's own default.
                if positional.is_empty() && last == "dotenv_values" {
                    self.effects.read(&Value::literal(".env"));
                }
                self.callbacks(given);
                return made();
            }
            Act::Move => {
                for from in self.paths(&first) {
                    for to in self.paths(&second) {
                        if from.text == "/dev/null" {
                            self.effects.write(&to, WriteMode::Truncate);
                        } else {
                            self.effects.move_to(&from, &to);
                        }
                    }
                }
            }
            Act::Copy | Act::HardLink => {
                for from in self.paths(&first) {
                    if from.text == "/dev/null" {
                        continue;
                    }
                    self.effects.read(&from);
                    if act == Act::HardLink {
                        self.effects.write(&from, WriteMode::Metadata);
                    }
                }
                let nothing = first.known_text() == Some("/dev/null");
                for to in self.paths(&second) {
                    self.effects.write(&to, if nothing { WriteMode::Truncate } else { WriteMode::Create });
                }
            }
            Act::Meta => {
                let mode_first = matches!(self.dialect, Dialect::Perl)
                    || name.starts_with("File.ch")
                    || name.starts_with("FileUtils.ch");
                let (path, mode) = if mode_first {
                    (Item::list(positional.get(1..).unwrap_or_default().to_vec()), first.clone())
                } else {
                    (first.clone(), second.clone())
                };
                for path in self.paths(&path) {
                    self.effects.write(&path, WriteMode::Metadata);
                    self.mode(name, &mode);
                }
            }
            Act::Fetch | Act::Send => {
                self.attached(given);
                self.contact(act, given, &positional, &first);
                self.callbacks(given);
                return made();
            }
            Act::Connect => {
                let host = match &first {
                    Item::List(items) => items.first().cloned().unwrap_or(Item::Unknown),
                    Item::Map(_) => self.member(&first, "host"),
                    _ => positional
                        .iter()
                        .find(|item| match item {
                            Item::Text(value) => value.text.parse::<u16>().is_err(),
                            _ => false,
                        })
                        .cloned()
                        .or_else(|| {
                            positional.iter().find_map(|item| match item {
                                Item::List(items) => items.first().cloned(),
                                _ => None,
                            })
                        })
                        .unwrap_or(Item::Unknown),
                };
                for host in host.alternatives() {
                    if matches!(host, Item::Nothing) {
                        continue;
                    }
                    let host = host.shown();
                    if !self.is_nobodys(&host) {
                        self.effects.host(&host, "tcp", Direction::Both);
                    }
                }
                self.callbacks(given);
                return made();
            }
            Act::Download => {
                self.effects.host(&first.shown(), "https", Direction::Fetch);
                if positional.len() > 1 {
                    for path in self.paths(&second) {
                        self.effects.write(&path, WriteMode::Create);
                        if let Some(write) = self.effects.deeds.writes.last_mut() {
                            write.downloaded = true;
                        }
                    }
                }
            }
            Act::Env => {
                return match first.known_text() {
                    Some(variable) => self.variable(variable),
                    None => {
                        self.effects.env("*");
                        Item::Unknown
                    }
                };
            }
            Act::Eval => {
                let code = if last == "create_function" { second } else { first };
                return self.evaluate(name, &code, given);
            }
            Act::Load => {
                // What this very code packed holds no surprise.
                let own = matches!(&first, Item::Made(from, _) if from.ends_with("dumps") || from.ends_with("dump"));
                let open = self.uncalled && positional.iter().all(|item| matches!(item, Item::Unknown));
                if !own && !open {
                    self.obfuscated(format!("{name} turns bytes into running code"));
                }
            }
            Act::Kill => {
                if !self.uncalled {
                    self.effects.finding("shell.resource", "stops processes");
                }
            }
            Act::Listen => {
                let host = match &first {
                    Item::List(items) => items.first().cloned(),
                    _ => None,
                };
                if host.is_some_and(|host| matches!(host.known_text(), Some("" | "0.0.0.0" | "::"))) {
                    let message = format!("{name} listens to every machine that reaches this one");
                    self.effects.finding("net.listen", message);
                }
                self.effects.host(&Value::literal("*"), "tcp", Direction::Listen);
                self.callbacks(given);
                return made();
            }
            Act::Drop => {
                let empty = matches!(&first, Item::Map(pairs) if pairs.is_empty()) || positional.is_empty();
                let some = ["One", "_one", "update", "Many", "_many"].iter().any(|part| name.contains(part));
                let forced = last == "sync"
                    && option(given, &["force"]).is_some_and(|force| matches!(force, Item::Number(1)));
                if last == "sync" && !forced {
                    return Item::Unknown;
                }
                if empty || !some {
                    self.effects.finding("shell.data_loss", format!("{name} destroys data"));
                }
            }
        }
        Item::Unknown
    }

    /// Functions among the arguments: they run once the call has done its work.
    fn callbacks(&mut self, given: &[Given]) {
        if given.iter().any(|given| matches!(given.item, Item::Function(_))) {
            self.hand_over(given);
        }
    }

    fn read(&mut self, path: &Value, last: &str) {
        if let Some((_, file)) =
            path.text.strip_prefix("php://filter/").and_then(|rest| rest.rsplit_once("resource="))
        {
            return self.effects.read(&Value::literal(file));
        }
        if path.text.contains("://") && !path.text.starts_with("file://") {
            return self.effects.host(path, "https", Direction::Fetch);
        }
        if matches!(last, "stdin" | "php://stdin")
            || matches!(path.text.as_str(), "/dev/stdin" | "php://stdin" | "-")
        {
            return;
        }
        self.effects.read(path);
    }

    fn contact(&mut self, act: Act, given: &[Given], positional: &[Item], first: &Item) {
        let url = positional
            .iter()
            .flat_map(Item::alternatives)
            .map(|item| item.shown())
            .find(|value| value.text.contains("://"))
            .or_else(|| option(given, &["url", "uri", "host", "hostname"]).map(|item| item.shown()))
            // `request("GET", address)`: the word before the address is what is done there.
            .unwrap_or_else(|| match positional.iter().find(|item| !is_http_method(item)) {
                Some(Item::Map(_)) => Value::unknown(),
                Some(item) => item.shown(),
                None => first.shown(),
            });
        let posts = |item: &Item| match item {
            Item::Map(pairs) => pairs.iter().any(|(key, value)| match key.known_text() {
                Some(key) if SENDING.contains(&key) => true,
                Some("method") => value
                    .known_text()
                    .is_none_or(|method| !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD")),
                _ => false,
            }),
            Item::Text(value) => matches!(value.text.as_str(), "POST" | "PUT" | "PATCH" | "DELETE"),
            _ => false,
        };
        let sends = act == Act::Send
            || given.iter().any(|given| {
                given.name.as_deref().is_some_and(|name| BODIES.contains(&name)) || posts(&given.item)
            })
            // An address that holds what was computed carries it away.
            || url.text.contains('…') && !self.effects.deeds.reads.is_empty() && !is_open(&url);
        let nothing = positional.iter().any(|item| matches!(item, Item::Nothing));
        if !self.is_nobodys(&url) && !nothing {
            self.effects.host(&url, "https", if sends { Direction::Send } else { Direction::Fetch });
        }
    }

    /// Mode bits of a `chmod`.
    fn mode(&mut self, name: &str, mode: &Item) {
        if !["chmod", "setfperm", "file-modes"].iter().any(|own| name.contains(own)) {
            return;
        }
        let bits = match mode {
            Item::Number(bits) => Some(*bits),
            Item::Text(text) => i64::from_str_radix(text.text.trim_start_matches("0o"), 8).ok(),
            _ => None,
        };
        let wide = match mode {
            // `a+w`, `o=rw`, or `rwxrwxrwx`, whose eighth letter is everyone's right to write.
            Item::Text(text) => {
                text.text.contains('w') && text.text.contains(['a', 'o'])
                    || text.text.len() == 9 && text.text.get(7..8) == Some("w")
            }
            mode => mode.alternatives().iter().any(|mode| match mode {
                Item::Library(name) => {
                    ["S_IRWXO", "S_IWOTH", "S_ISUID", "S_ISGID"].iter().any(|bits| name.ends_with(bits))
                }
                _ => false,
            }),
        };
        match bits {
            Some(bits) => {
                if let Some(write) = self.effects.deeds.writes.last_mut() {
                    write.chmod = Some(format!("{bits:o}"));
                }
            }
            None if wide => {
                self.effects.finding("shell.privilege", "a mode that lets everybody write, or sets set-id");
            }
            None => {}
        }
    }

    /// The first argument is shell text, or a list of words.
    fn commands(&mut self, name: &str, given: &[Given], positional: &[Item]) {
        let named = option(given, &["args", "command", "cmd"]);
        let first = match positional.first() {
            Some(first) => first.clone(),
            None => named.unwrap_or(Item::Unknown),
        };
        self.callbacks(given);
        match self.dialect {
            super::Dialect::Ruby => return self.ruby_command(name, given, positional),
            // What follows the command is filled by the call, or says how it is started.
            super::Dialect::Php => {
                for command in first.alternatives() {
                    match &command {
                        Item::List(items) => {
                            let words: Vec<Value> = items.iter().map(Item::shown).collect();
                            if !self.feeds(&words, given) {
                                self.alternatives_of(items, given);
                            }
                        }
                        other => {
                            let text = other.shown();
                            if !self.feeds(std::slice::from_ref(&text), given) {
                                self.shell_text(&text);
                            }
                        }
                    }
                }
                return;
            }
            _ => {}
        }
        // `new Deno.Command('rm', {args: ['x']})`
        if let (Some(Item::Map(_)), Item::Text(program)) = (positional.get(1), &first)
            && let Some(Item::List(items)) = option(given, &["args"])
        {
            let mut words = vec![program.clone()];
            words.extend(items.iter().map(Item::shown));
            return self.argv(&words, given);
        }
        let through_shell = option(given, &["shell"]).is_some_and(|item| !matches!(item, Item::Number(0)));
        for command in first.alternatives() {
            match &command {
                Item::List(items) => {
                    let words: Vec<Value> = items.iter().map(Item::shown).collect();
                    if self.feeds(&words, given) {
                        continue;
                    }
                    if through_shell && let Some(text) = words.first() {
                        self.shell_text(text);
                        continue;
                    }
                    self.alternatives_of(items, given);
                    // `run(["ls", "push"], executable="git")`: the first word is only the name that it sees.
                    if let Some(program) = option(given, &["executable"]) {
                        let mut words = words;
                        if let Some(first) = words.first_mut() {
                            *first = program.shown();
                        }
                        self.argv(&words, given);
                    }
                }
                Item::Text(text) => {
                    let text = text.clone();
                    if self.feeds(std::slice::from_ref(&text), given) {
                        continue;
                    }
                    // Ruby, Perl and Lua's kin: more than one argument is a list of words.
                    let plain = positional.len() > 1
                        && self.dialect != Dialect::Python
                        && self.dialect != Dialect::JavaScript
                        && (self.dialect == Dialect::Perl
                            || positional.iter().all(|item| matches!(item, Item::Text(_) | Item::List(_))));
                    if plain {
                        let mut words = Vec::new();
                        for item in positional {
                            match item {
                                Item::List(items) => words.extend(items.iter().map(Item::shown)),
                                item => words.push(item.shown()),
                            }
                        }
                        self.argv(&words, given);
                    } else if let (Some(Item::List(items)), true) =
                        (positional.get(1), name.ends_with("spawn"))
                    {
                        // `pexpect.spawn('rm', ['-rf', 'x'])`
                        let mut words = vec![text];
                        words.extend(items.iter().map(Item::shown));
                        self.argv(&words, given);
                    } else if let Some(folder) = option(given, &["cwd"]).map(|item| item.shown()) {
                        let text = Value { text: format!("cd '{}' && {}", folder.text, text.text), ..text };
                        self.shell_text(&text);
                    } else {
                        self.shell_text(&text);
                    }
                }
                Item::Map(_) | Item::Nothing => {}
                _ => self.shell_text(&Value::unknown()),
            }
        }
    }

    /// Ruby's ways to start a command: variables, a text or words, options; of `popen`, a mode.
    fn ruby_command(&mut self, name: &str, given: &[Given], positional: &[Item]) {
        let mut items: Vec<Item> =
            positional.iter().filter(|item| !matches!(item, Item::Map(_))).cloned().collect();
        if name.ends_with("popen") {
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
            let closed = matches!(&input, Some(Item::Library(name)) if name.ends_with("DEVNULL"));
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
    fn words(&mut self, name: &str, positional: &[Item], given: &[Given]) {
        let method = name.rsplit('.').next().unwrap_or(name);
        // `spawnl(mode, file, …)`
        let moded = method.starts_with("spawn") && name.starts_with("os.");
        let context = method == "CommandContext";
        let positional = positional.get(usize::from(moded || context)..).unwrap_or_default();
        let programs = positional.first().map(Item::alternatives).unwrap_or_else(|| vec![Item::Unknown]);
        for program in programs {
            let mut items = Vec::new();
            let mut listed = false;
            if let Item::List(all) = &program {
                self.alternatives_of(all, given);
                continue;
            }
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
            let shown = program.shown();
            if option(given, &["shell"]).is_some_and(|item| !matches!(item, Item::Number(0))) {
                let mut all = vec![shown.text.clone()];
                all.extend(items.iter().map(|item| item.shown().text));
                self.shell_text(&Value { text: all.join(" "), ..shown });
                continue;
            }
            // `execv(file, args)`: the first of these is the name that the program sees, whatever it says.
            if moded
                || ["exec", "posix_spawn"].iter().any(|front| method.starts_with(front))
                    && self.dialect == Dialect::Python
            {
                if let Some(named) = items.first_mut() {
                    *named = program;
                } else {
                    items.push(program);
                }
                self.alternatives_of(&items, given);
                continue;
            }
            let last = shown.text.rsplit('/').next().unwrap_or_default().to_owned();
            let repeats = items
                .first()
                .and_then(Item::known_text)
                .is_some_and(|word| word.rsplit('/').next() == Some(last.as_str()) && !last.is_empty());
            if !repeats || self.dialect != Dialect::Python {
                items.insert(0, program);
            }
            let words: Vec<Value> = items.iter().map(Item::shown).collect();
            if !self.feeds(&words, given) {
                self.alternatives_of(&items, given);
            }
        }
    }

    fn open(
        &mut self,
        name: &str,
        given: &[Given],
        first: &Item,
        second: &Item,
        positional: &[Item],
    ) -> Item {
        let made = Item::Made(Rc::from(name), Rc::new(vec![first.clone()]));
        for path in self.paths(first) {
            self.open_one(name, given, &path, second, positional);
        }
        made
    }

    fn open_one(&mut self, name: &str, given: &[Given], path: &Value, second: &Item, positional: &[Item]) {
        if name.contains("sqlite") {
            return self.effects.write(path, WriteMode::InPlace);
        }
        if let Some(command) = path.text.strip_prefix('|').filter(|_| self.dialect != Dialect::Python) {
            let command = Value { text: command.trim().to_owned(), ..path.clone() };
            return self.shell_text(&command);
        }
        if path.text.contains("://") && !path.text.starts_with("php://") {
            return self.effects.host(path, "https", Direction::Fetch);
        }
        if option(given, &["inplace"]).is_some_and(|item| !matches!(item, Item::Number(0))) {
            return self.effects.write(path, WriteMode::InPlace);
        }
        let mode = option(given, &["mode", "filemode", "flag", "flags"]).unwrap_or_else(|| second.clone());
        let flags = positional.iter().any(|item| match item {
            Item::Library(name) => WRITING_FLAGS.iter().any(|flag| name.ends_with(flag)),
            _ => false,
        }) || given.iter().any(|given| holds_flag(&given.item));
        let mode = match &mode {
            Item::Text(mode) => mode.text.clone(),
            // O_WRONLY, O_RDWR, O_CREAT or O_TRUNC by number.
            Item::Number(flags) if name.ends_with("os.open") && flags & 0o1103 != 0 => "w".to_owned(),
            Item::Unknown if positional.len() > 1 && matches!(second, Item::Unknown) => "…".to_owned(),
            _ if name.starts_with("logging.") => "a".to_owned(),
            _ => "r".to_owned(),
        };
        if name.ends_with("os.open") && !flags && mode != "w" {
            return self.effects.read(path);
        }
        let short = mode.len() <= 4;
        if flags || mode.contains(['w', 'x', 'c', '+']) && short || name.contains("rite") {
            let empties = mode.contains('w') && !mode.contains('+') && !self.puts;
            self.effects.write(path, if empties { WriteMode::Truncate } else { WriteMode::Create });
        } else if mode.contains('a') && short {
            self.effects.write(path, WriteMode::Append);
        } else if mode.contains('…') {
            // Nobody knows: reading is what is usual, writing what is worse.
            self.effects.write(path, WriteMode::Create);
        } else {
            self.effects.read(path);
        }
    }

    /// Files with code of the same language are run.
    fn run_files(&mut self, name: &str, files: &Item) {
        let last = name.rsplit('.').next().unwrap_or(name);
        for path in self.paths(files) {
            // A file below, by a name that only the running code knows.
            if path.text.starts_with("./") && !path.is_known() && !path.text.contains("..") {
                continue;
            }
            let elsewhere = ["data:", "php://", "http:", "https:", "/dev/", "/proc/"];
            if elsewhere.iter().any(|place| path.text.starts_with(place)) {
                self.obfuscated(format!("{name} runs code that is no file's"));
                continue;
            }
            if last.starts_with("include") || last.starts_with("require") {
                self.effects.read(&path);
            }
            self.effects.file(&path, Code::Language(self.effects.language.clone()));
        }
    }

    /// Code of the same language is run.
    fn evaluate(&mut self, name: &str, code: &Item, given: &[Given]) -> Item {
        let last = name.rsplit('.').next().unwrap_or(name);
        let language = self.effects.language.clone();
        if let Item::Function(_) = code {
            self.hand_over(given);
            return Item::Unknown;
        }
        // A function is what timers are usually given.
        let timer = matches!(last, "setTimeout" | "setInterval" | "setImmediate" | "Worker");
        if timer && code.known_text().is_none_or(|text| !text.contains('(')) {
            self.hand_over(given);
            return Item::Unknown;
        }
        // `new Function('a', 'return a + 1')`: the last text is the body.
        let body = if last == "Function" {
            given.last().map_or(Item::Unknown, |given| given.item.clone())
        } else {
            code.clone()
        };
        // This only prepares.
        if last == "compile" {
            return Item::Made(Rc::from(name), Rc::new(vec![code.clone()]));
        }
        for code in body.alternatives() {
            let code = match &code {
                Item::Made(name, given) if name.ends_with("compile") => {
                    given.first().map_or(Item::Unknown, Clone::clone)
                }
                code => code.clone(),
            };
            match &code {
                Item::Text(text) => {
                    if self.is_nobodys(text) {
                        continue;
                    }
                    if text.assembled && text.is_known() {
                        self.obfuscated("code that is put together from parts is run");
                    }
                    let text = text.clone();
                    self.effects.nested(&language, &text);
                }
                // `exec(open("version.py").read())`
                Item::Made(made, path) if **made == *super::library::FILE_TEXT => {
                    self.run_files(name, path.first().unwrap_or(&Item::Unknown));
                }
                Item::Number(_) | Item::Nothing => {}
                _ if self.uncalled => {}
                _ => self.effects.nested(&language, &Value::unknown()),
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

/// Whether flags that let a file be written are among the parts of an argument.
fn holds_flag(item: &Item) -> bool {
    match item {
        Item::Library(name) => WRITING_FLAGS.iter().any(|flag| name.ends_with(flag)),
        Item::Either(items) => items.iter().any(holds_flag),
        Item::List(items) => items.iter().any(holds_flag),
        _ => false,
    }
}

/// A named argument, or a member of an options map.
pub(in crate::languages) fn option(given: &[Given], names: &[&str]) -> Option<Item> {
    let named = given.iter().find(|given| given.name.as_deref().is_some_and(|name| names.contains(&name)));
    if let Some(named) = named {
        return Some(named.item.clone());
    }
    given.iter().rev().find_map(|given| match &given.item {
        Item::Map(pairs) if given.name.is_none() => pairs
            .iter()
            .rev()
            .find(|(key, _)| key.known_text().is_some_and(|key| names.contains(&key)))
            .map(|(_, item)| item.clone()),
        _ => None,
    })
}

/// The path of a call that names its arguments.
fn path_option(given: &[Given]) -> Option<Item> {
    let named = given.iter().find(|given| {
        matches!(
            given.name.as_deref(),
            Some(
                "path"
                    | "file"
                    | "filename"
                    | "src"
                    | "name"
                    | "url"
                    | "fname"
                    | "fp"
                    | "source"
                    | "code"
                    | "args"
            )
        )
    })?;
    Some(values::method(&named.item, "copy", &[]).unwrap_or_else(|| named.item.clone()))
}
