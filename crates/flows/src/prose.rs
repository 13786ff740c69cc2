//! Splits the texts of a call's arguments into those written for people and others. Quoting somebody in a title or
//! message is harmless; a recipient, branch or path chosen by somebody else steers the call.

use doorward_core::effect::Inspected;
use doorward_core::json::{Object, Value};

use crate::named;
use crate::speech::Prose;
use crate::table::Table;

/// Limit on bytes searched of a call's arguments.
const MOST_SEARCHED: usize = 1 << 20;
/// Longer arguments aren't joined.
const LONGEST_JOINED: usize = 16 << 10;

/// Texts of a call's arguments.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    pub(crate) all: Vec<&'a str>,
    /// Names of arguments and members, which could carry a value too.
    pub(crate) names: Vec<&'a str>,
    pub(crate) steering: Vec<&'a str>,
    /// All except the values of login arguments.
    pub(crate) other: Vec<&'a str>,
    pub(crate) has_prose: bool,
    /// There is more text than is searched.
    pub(crate) cut: bool,
    length: usize,
}

impl<'a> Texts<'a> {
    pub(crate) fn of(table: &Table, inspected: &'a Inspected) -> Self {
        let mut texts = Self::default();
        texts.members(&table.prose, &inspected.call.args);
        texts
    }

    /// These texts joined, if there are several: a value may be split over the items of a list.
    pub(crate) fn joined(&self, texts: &[&str]) -> Option<String> {
        (texts.len() > 1 && self.length <= LONGEST_JOINED).then(|| texts.concat())
    }

    fn members(&mut self, prose: &Prose, members: &'a Object) {
        let fills_in = fills_in_a_login(members);
        for (name, value) in members {
            self.names.push(name);
            let signs_in = named::is_named(name) || (fills_in && matches!(name.as_str(), "value" | "text"));
            self.add(prose, name, signs_in, value);
        }
    }

    fn add(&mut self, prose: &Prose, name: &str, signs_in: bool, value: &'a Value) {
        match value {
            Value::String(_) if self.length >= MOST_SEARCHED => self.cut = true,
            Value::String(text) => {
                self.length += text.len();
                self.cut |= self.length > MOST_SEARCHED;
                self.all.push(text);
                if !signs_in {
                    self.other.push(text);
                }
                if prose.arguments.iter().any(|argument| argument == name) {
                    self.has_prose = true;
                } else {
                    self.steering.push(text);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(prose, name, signs_in, item)),
            Value::Object(members) => self.members(prose, members),
            _ => {}
        }
    }
}

/// Whether a secret's form field is filled in: `{"element": "Password textbox", "text": …}`.
fn fills_in_a_login(members: &Object) -> bool {
    const FIELDS: &[&str] = &["element", "field", "id", "key", "label", "name", "placeholder", "selector"];
    let is_login = |text: &str| {
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').any(named::is_named)
    };
    FIELDS.iter().filter_map(|field| members.get(*field)?.as_str()).any(is_login)
}

/// The texts of a value, at any depth.
pub(crate) fn strings<'a>(value: &'a Value, all: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => all.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
        Value::Object(members) => members.values().for_each(|item| strings(item, all)),
        _ => {}
    }
}

/// The words of a `git`, `gh` or similar command without titles, messages and bodies; `None` if other programs run
/// or files are written, so that all words count.
pub(crate) fn steering_words(prose: &Prose, inspected: &Inspected) -> Option<String> {
    let effects = &inspected.effects;
    let is_one = |names: &[String], program: &str| names.iter().any(|name| name == program);
    let is_plain = !effects.executes.is_empty()
        && effects.executes.iter().all(|command| {
            is_one(&prose.programs, &command.program) || is_one(&prose.beside, &command.program)
        })
        && effects.executes.iter().any(|command| is_one(&prose.programs, &command.program));
    let is_own = |path: &str| path.contains("/.git/");
    if !is_plain || effects.writes.iter().any(|write| !is_own(&write.path)) {
        return None;
    }
    let mut kept = String::new();
    for command in effects.executes.iter().filter(|command| is_one(&prose.programs, &command.program)) {
        let mut words = command.words.iter();
        while let Some(word) = words.next() {
            let (option, joined) =
                word.split_once('=').map_or((word.as_str(), false), |(option, _)| (option, true));
            let bundled = option.len() > 2 && !option.starts_with("--") && option.starts_with('-');
            let is_prose = is_one(&prose.options, option)
                || (bundled
                    && prose.options.iter().any(|known| known.len() == 2 && option.ends_with(&known[1..])));
            if !is_prose {
                kept.push_str(word);
                kept.push(' ');
            } else if !joined {
                words.next();
            }
        }
    }
    Some(kept)
}
