//! What a call does, by the row for its name, to each value that its arguments may have.
//!
//! [`commands`] has what runs commands and code, [`files`] what touches files, [`hosts`] what leaves this machine.

mod commands;
mod files;
mod hosts;

use std::rc::Rc;

use super::item::{Given, Item};
use super::run::Run;
use super::values;
use crate::languages::Value;
use crate::languages::rules::Act;

/// A value that is wholly unknown.
fn is_open(value: &Value) -> bool {
    value.text.chars().all(|letter| matches!(letter, '…' | '/' | ' ' | '.'))
}

/// A call that a row describes: its name, the object that it is a method of, and what it is given.
#[derive(Clone, Copy)]
struct Called<'c> {
    name: &'c str,
    receiver: &'c Item,
    given: &'c [Given],
    /// Arguments without a name.
    positional: &'c [Item],
    /// The first of these, or the argument that is named as it.
    first: &'c Item,
    second: &'c Item,
}

impl Called<'_> {
    /// The last part of its name.
    fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// What it returns, for those who use that.
    fn made(&self) -> Item {
        Item::Made(Rc::from(self.name), Rc::new(self.positional.to_vec()))
    }

    fn from(&self, place: usize) -> Item {
        Item::list(self.positional.get(place..).unwrap_or_default().to_vec())
    }
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
                Value { text: format!("{}/{}", folder.text.trim_end_matches('/'), path.text), ..path }
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

    /// Does what a row says.
    pub(in crate::languages) fn act(
        &mut self,
        act: Act,
        name: &str,
        receiver: Option<&Item>,
        given: &[Given],
    ) -> Item {
        let positional: Vec<Item> =
            given.iter().filter(|given| given.name.is_none()).map(|given| given.item.clone()).collect();
        let first = positional.first().cloned().or_else(|| path_option(given)).unwrap_or(Item::Unknown);
        let second = positional.get(1).cloned().unwrap_or(Item::Unknown);
        let receiver = receiver.unwrap_or(&Item::Unknown);
        let called =
            Called { name, receiver, given, positional: &positional, first: &first, second: &second };
        let runs = act.runs_commands();
        let decoded = |item: &Item| {
            item.alternatives().iter().any(|item| matches!(item, Item::Text(value) if value.decoded))
        };
        if decoded(&first) || (runs || matches!(act, Act::Delete | Act::DeleteTree)) && decoded(&second) {
            self.obfuscated(format!("{name} is given what had to be decoded"));
        }
        match act {
            _ if runs => self.run_commands(act, called),
            Act::Eval | Act::EvalSecond | Act::EvalLast | Act::EvalLater | Act::Prepare => {
                self.run_code(act, called)
            }
            Act::File | Act::Include | Act::Module | Act::Load | Act::Kill => self.run_other(act, called),
            Act::Fetch | Act::Send | Act::Connect | Act::Download | Act::Listen | Act::Env => {
                self.reach(act, called)
            }
            Act::Drop | Act::DropMatching | Act::DropForced => self.destroy(act, called),
            _ => self.touch(act, called),
        }
    }

    /// Functions among the arguments: they run once the call has done its work.
    fn callbacks(&mut self, given: &[Given]) {
        if given.iter().any(|given| matches!(given.item, Item::Function(_))) {
            self.hand_over(given);
        }
    }

    /// What a database or a service keeps is lost.
    fn destroy(&mut self, act: Act, called: Called<'_>) -> Item {
        let all =
            called.positional.is_empty() || matches!(called.first, Item::Map(pairs) if pairs.is_empty());
        let forced =
            || option(called.given, &["force"]).is_some_and(|force| matches!(force, Item::Number(1)));
        let destroys = match act {
            Act::DropMatching => all,
            Act::DropForced => forced(),
            _ => true,
        };
        if destroys {
            self.effects.finding("shell.data_loss", format!("{} destroys data", called.name));
        }
        Item::Unknown
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

/// Names of the argument that is a path, where a call names its arguments.
const PATHS: &[&str] =
    &["path", "file", "filename", "src", "name", "url", "fname", "fp", "source", "code", "args"];

/// The path of a call that names its arguments.
fn path_option(given: &[Given]) -> Option<Item> {
    let named = given.iter().find(|given| given.name.as_deref().is_some_and(|name| PATHS.contains(&name)))?;
    Some(values::method(&named.item, "copy", &[]).unwrap_or_else(|| named.item.clone()))
}
