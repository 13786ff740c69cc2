//! Calls that read, write, delete, move or open files.

use std::rc::Rc;

use doorward_core::intent::{Direction, WriteMode};

use super::{Called, option};
use crate::languages::Value;
use crate::languages::code::Dialect;
use crate::languages::code::item::Item;
use crate::languages::code::run::Run;
use crate::languages::rules::Act;

/// Flags of `open(2)` that let a file be written.
const WRITING_FLAGS: [&str; 4] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];

/// Bits of a mode, by name, that let everybody write or set set-id.
const WIDE_BITS: [&str; 4] = ["S_IRWXO", "S_IWOTH", "S_ISUID", "S_ISGID"];

/// The device that holds nothing.
const NOTHING: &str = "/dev/null";

impl Run<'_> {
    pub(super) fn touch(&mut self, act: Act, called: Called<'_>) -> Item {
        let Called { given, positional, first, second, receiver, .. } = called;
        match act {
            Act::Delete if positional.is_empty() => self.delete(first, false),
            Act::Delete => positional.iter().for_each(|item| self.delete(item, false)),
            // `.rmtree` of the path itself.
            Act::DeleteTree if positional.is_empty() && matches!(receiver, Item::Text(_)) => {
                self.delete(receiver, true);
            }
            Act::DeleteTree => self.delete(first, true),
            Act::DeleteSelf => self.delete(receiver, false),
            Act::DeleteTreeSelf => self.delete(receiver, true),
            Act::Read => {
                for path in self.paths(first) {
                    self.read(&path, called.last());
                }
                // dotenv's own default.
                if positional.is_empty() && called.last() == "dotenv_values" {
                    self.effects.read(&Value::literal(".env"));
                }
            }
            Act::ReadSelf => self.paths(receiver).iter().for_each(|path| self.effects.read(path)),
            Act::WriteSelf => self.write(receiver, WriteMode::Create, Some(first)),
            Act::Write | Act::Append | Act::Truncate => {
                let appends = option(given, &["flag"])
                    .is_some_and(|flag| flag.known_text().is_some_and(|flag| flag.starts_with('a')));
                let mode = match act {
                    Act::Append => WriteMode::Append,
                    Act::Truncate => WriteMode::Truncate,
                    _ if appends => WriteMode::Append,
                    _ => WriteMode::Create,
                };
                self.write(first, mode, positional.get(1));
            }
            Act::WriteSecond => {
                let empty = matches!(first, Item::List(items) if items.is_empty());
                self.write(second, if empty { WriteMode::Truncate } else { WriteMode::Create }, None);
            }
            Act::WriteThird => {
                self.write(positional.get(2).unwrap_or(&Item::Unknown), WriteMode::Create, None);
            }
            Act::Move => self.move_or_copy(act, first, second),
            Act::Copy | Act::HardLink => self.move_or_copy(act, first, second),
            Act::Meta => self.metadata(first, None),
            Act::MetaThird => self.metadata(&called.from(2), None),
            Act::Chmod => self.metadata(first, Some(second)),
            Act::ChmodFirst => self.metadata(&called.from(1), Some(first)),
            Act::ChmodSelf => self.metadata(receiver, Some(first)),
            _ => return self.open(act, called),
        }
        self.callbacks(given);
        if matches!(act, Act::Write | Act::Append | Act::Truncate | Act::Read) {
            called.made()
        } else {
            Item::Unknown
        }
    }

    fn delete(&mut self, item: &Item, recursive: bool) {
        for path in self.paths(item) {
            self.effects.delete(&path, recursive);
        }
    }

    /// Writes what may be several paths; an empty text empties them.
    fn write(&mut self, path: &Item, mode: WriteMode, content: Option<&Item>) {
        let text = content.and_then(Item::known_text);
        let empties = mode == WriteMode::Create && text.is_some_and(str::is_empty);
        for path in self.paths(path) {
            self.effects.write(&path, if empties { WriteMode::Truncate } else { mode });
            if content.is_some() {
                self.effects.wrote(&path, text);
            }
        }
    }

    pub(in crate::languages) fn wrote(&mut self, path: &Item, content: &Item) {
        let content = content.known_text();
        for path in self.paths(path) {
            self.effects.wrote(&path, content);
        }
    }

    fn move_or_copy(&mut self, act: Act, from: &Item, to: &Item) {
        let (sources, targets) = (self.paths(from), self.paths(to));
        for from in sources.iter().filter(|from| act != Act::Move && from.text != NOTHING) {
            self.effects.read(from);
            if act == Act::HardLink {
                self.effects.write(from, WriteMode::Metadata);
            }
        }
        for to in &targets {
            if sources.iter().any(|from| from.text == NOTHING) {
                self.effects.write(to, WriteMode::Truncate);
            } else if act == Act::Move {
                sources.iter().for_each(|from| self.effects.move_to(from, to));
            } else {
                self.effects.write(to, WriteMode::Create);
            }
        }
    }

    fn metadata(&mut self, path: &Item, mode: Option<&Item>) {
        for path in self.paths(path) {
            self.effects.write(&path, WriteMode::Metadata);
            if let Some(mode) = mode {
                self.mode(mode);
            }
        }
    }

    /// Mode bits of a `chmod`.
    fn mode(&mut self, mode: &Item) {
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
            mode => mode.alternatives().iter().any(|mode| is_named(mode, &WIDE_BITS)),
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

    /// A file is opened.
    fn open(&mut self, act: Act, called: Called<'_>) -> Item {
        // A database that is in no file.
        if act == Act::OpenDatabase && called.first.known_text() == Some(":memory:") {
            return called.made();
        }
        // `logging.basicConfig(level=…)`: no file.
        if called.positional.is_empty() && super::path_option(called.given).is_none() {
            return called.made();
        }
        for path in self.paths(called.first) {
            self.open_one(act, called, &path);
        }
        Item::Made(Rc::from(called.name), Rc::new(vec![called.first.clone()]))
    }

    fn open_one(&mut self, act: Act, called: Called<'_>, path: &Value) {
        let Called { given, positional, second, .. } = called;
        if act == Act::OpenDatabase {
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
        let flags = given.iter().any(|given| is_named(&given.item, &WRITING_FLAGS));
        let mode = match &mode {
            Item::Text(mode) => mode.text.as_str(),
            // O_WRONLY, O_RDWR, O_CREAT or O_TRUNC by number.
            Item::Number(flags) if act == Act::OpenFlags && flags & 0o1103 != 0 => "w",
            Item::Unknown if positional.len() > 1 && matches!(second, Item::Unknown) => "…",
            _ if act == Act::OpenAppend => "a",
            _ => "r",
        };
        if act == Act::OpenFlags && !flags && mode != "w" {
            return self.effects.read(path);
        }
        let short = mode.len() <= 4;
        if flags || mode.contains(['w', 'x', 'c', '+']) && short {
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
}

/// Whether an argument is one of these constants of a library, or holds it.
fn is_named(item: &Item, constants: &[&str]) -> bool {
    match item {
        Item::Library(name) => name.rsplit('.').next().is_some_and(|last| constants.contains(&last)),
        Item::Either(items) | Item::List(items) => items.iter().any(|item| is_named(item, constants)),
        _ => false,
    }
}
