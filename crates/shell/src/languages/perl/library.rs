//! What Perl itself does with names and files: modes of `open`, calls by a name, transliteration.

use std::rc::Rc;

use doorward_core::intent::WriteMode;

use crate::languages::code::{Given, Item, Run};
use crate::languages::{LISTED, Value};

/// A text whose letters are exchanged. No name of Perl looks like this.
pub(super) const TRANSLITERATED: &str = "@transliterated";
/// `<>`: a line of the files that the script is given.
pub(super) const READ_LINE: &str = "@read-line";
/// A method by a name that is a value.
pub(super) const BY_NAME: &str = "@by-name";
/// What the function, or outside of one the script, is given.
pub(super) const GIVEN: &str = "@given";

/// `require Foo::Bar`: a module by its name.
pub(super) const LOADED: &str = "@loaded";
/// `use lib 'folder'`: folders that modules are looked for in.
pub(super) const SEARCHED: &str = "@searched";

/// A call that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
        TRANSLITERATED => {
            let text = item(0)?.shown();
            let (from, to) = (ranges(&item(1)?.shown().text), ranges(&item(2)?.shown().text));
            if !text.is_known() || from.is_empty() || to.is_empty() {
                return Some(Item::Unknown);
            }
            let exchanged =
                text.text.chars().map(|letter| match from.iter().position(|own| *own == letter) {
                    Some(at) => to.get(at).or(to.last()).copied().unwrap_or(letter),
                    None => letter,
                });
            Item::Text(Value { text: exchanged.collect(), assembled: true, decoded: true })
        }
        READ_LINE => {
            if let Some(Item::List(files)) = item(0) {
                for path in files.iter().flat_map(|file| run.paths(file)).collect::<Vec<_>>() {
                    run.effects.read(&path);
                }
            }
            Item::Unknown
        }
        LOADED | SEARCHED => loads(run, name, given),
        BY_NAME => {
            let (object, method) = (item(0)?, item(1)?);
            let rest = given.get(2..).unwrap_or_default();
            match &method {
                Item::Text(name) if name.is_known() => run.method(&object, &name.text.clone(), rest),
                Item::Function(_) => {
                    let mut all = vec![Given { name: None, item: object }];
                    all.extend(rest.iter().cloned());
                    run.apply(&method, &all)
                }
                _ => Item::Unknown,
            }
        }
        "IO.File.new" | "open" | "sysopen" => {
            opened(run, name, given);
            Item::Made(Rc::from("open"), Rc::new(vec![item(1).or_else(|| item(0))?]))
        }
        "bless" | "scalar" | "ref" | "local" => item(0)?,
        "split" => {
            let text = item(1)?;
            let pattern = item(0)?.shown();
            let parts = text.known_text()?.to_owned();
            let parts: Vec<Item> = match pattern.text.as_str() {
                "" | "…" => return None,
                " " => parts.split_whitespace().map(Item::text).collect(),
                separator => parts.split(separator).map(Item::text).collect(),
            };
            Item::list(parts)
        }
        "wantarray" | "defined" | "exists" | "die" | "warn" | "print" | "printf" | "say" | "close"
        | "binmode" | "chomp" | "opendir" | "closedir" | "delete" | "keys" | "values" | "each" | "length"
        | "index" | "time" | "localtime" => match (name, item(0)) {
            ("keys", Some(Item::Map(pairs))) => {
                Item::list(pairs.iter().map(|(key, _)| key.clone()).collect())
            }
            ("values", Some(Item::Map(pairs))) => {
                Item::list(pairs.iter().map(|(_, item)| item.clone()).collect())
            }
            ("print" | "printf" | "say", _) => {
                run.shown_environment(given);
                Item::Unknown
            }
            _ => Item::Unknown,
        },
        "readdir" => Item::list(vec![Item::text(LISTED)]),
        "chdir" => {
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            Item::Unknown
        }
        _ => return None,
    })
}

/// `open`: the mode is an argument of its own, or stands in front of or behind the path.
fn loads(run: &mut Run<'_>, name: &str, given: &[Given]) -> Item {
    for value in given.iter().flat_map(|given| run.paths(&given.item)).collect::<Vec<_>>() {
        match name {
            LOADED => run.effects.module(&value),
            _ => run.effects.module_folder(&value),
        }
    }
    Item::Unknown
}

fn opened(run: &mut Run<'_>, name: &str, given: &[Given]) {
    let Some(first) = given.first().map(|given| given.item.clone()) else { return };
    if name == "sysopen" {
        let writes = given.iter().skip(1).any(|given| match &given.item {
            Item::Number(flags) => flags & 0o1103 != 0,
            Item::Library(flag) => ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains(&&**flag),
            Item::Either(flags) => flags.iter().any(
                |flag| matches!(flag, Item::Library(flag) if flag.contains("O_") && !flag.contains("RDONLY")),
            ),
            _ => false,
        });
        for path in run.paths(&first) {
            if writes { run.effects.write(&path, WriteMode::Create) } else { run.effects.read(&path) }
        }
        return;
    }
    let mode = first.shown();
    if let Some(second) = given.get(1).map(|given| given.item.clone()) {
        if mode.text.contains('|') {
            let words: Vec<Value> = given.iter().skip(1).map(|given| given.item.shown()).collect();
            if mode.text.starts_with('|') && run.feeds(&words, &[]) {
                return;
            }
            if words.len() > 1 {
                run.argv(&words, given)
            } else {
                run.shell_text(&second.shown())
            }
            return;
        }
        for path in run.paths(&second) {
            by_mode(run, &mode.text, &path);
        }
        return;
    }
    for whole in first.alternatives() {
        if matches!(whole, Item::Nothing) {
            continue;
        }
        let whole = whole.shown();
        let trimmed = whole.text.trim();
        let bare = |text: &str| Value {
            text: text.trim_matches(['<', '>', '|', '+', ' ', '&']).to_owned(),
            ..whole.clone()
        };
        let words: Vec<Value> = bare(trimmed).text.split_ascii_whitespace().map(Value::literal).collect();
        if trimmed.starts_with('|') && run.feeds(&words, &[]) {
            continue;
        }
        if trimmed.starts_with('|') || trimmed.ends_with('|') {
            run.shell_text(&bare(trimmed));
        } else {
            let marks: String = trimmed.chars().take_while(|letter| "<>+&".contains(*letter)).collect();
            for path in run.paths(&Item::Text(bare(trimmed))) {
                by_mode(run, &marks, &path);
            }
        }
    }
}

fn by_mode(run: &mut Run<'_>, mode: &str, path: &Value) {
    if path.text.is_empty() || mode.contains('&') || path.text == "-" {
        return;
    }
    if mode.contains(">>") {
        run.effects.write(path, WriteMode::Append);
    } else if mode.contains('>') {
        let empties = !run.puts && !mode.contains('+');
        run.effects.write(path, if empties { WriteMode::Truncate } else { WriteMode::Create });
    } else {
        run.effects.read(path);
    }
}

/// `a-cx` is `abcx`.
fn ranges(text: &str) -> Vec<char> {
    let letters: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        match (letters.get(at + 1), letters.get(at + 2)) {
            (Some('-'), Some(end)) if end >= letter => {
                all.extend(*letter..=*end);
                at += 3;
            }
            _ => {
                all.push(*letter);
                at += 1;
            }
        }
        if all.len() > 1024 {
            break;
        }
    }
    all
}
