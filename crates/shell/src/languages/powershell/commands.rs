//! Commands: what their name stands for, and what cmdlets do.

use std::rc::Rc;

use super::super::Value as Plain;
use super::ast::{Argument, Block, Command};
use super::bound::Given;
use super::cmdlets::{self, CmdletRow};
use super::eval::Runner;
use super::value::{Data, HOLE, Value};
use crate::deed::{Deeds, Run, Word};

impl Runner<'_> {
    pub(super) fn word(&self, value: &Value) -> Word {
        self.effects.word(&Plain::literal(value.shown()))
    }

    /// A command that the tables of cmdlets judged.
    pub(super) fn judged(&mut self, words: Vec<Word>, deeds: Deeds) {
        let via = self.effects.language.clone();
        self.effects.deeds.runs.push(Run::Judged { words, deeds: Box::new(deeds), via });
    }

    pub(super) fn command(&mut self, command: &Command) -> Value {
        let outer = self.effects.span;
        self.effects.span = self.part(command.range.0, command.range.1);
        let value = self.placed_command(command);
        self.effects.span = outer;
        value
    }

    fn placed_command(&mut self, command: &Command) -> Value {
        let piped = self.piped.take();
        let name = self.expr(&command.name);
        let given = self.given(&command.args);
        match &name.data {
            Data::Script(block) => {
                let block = Rc::clone(block);
                return self.called(&block, given, piped, command.operator == Some('.'));
            }
            Data::Object(class, held) if class == "scriptblock" => {
                let code = held.as_deref().cloned().unwrap_or_else(Value::unknown);
                return self.run_text(&code);
            }
            _ => {}
        }
        let known = match &name.data {
            Data::List(items) if items.len() > 1 => None,
            _ => name.known().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()),
        };
        let Some(text) = known else {
            if name.is(|marks| marks.network) {
                self.find("shell.remote_code", "the command comes from the network");
            }
            self.find("shell.obfuscated", "which command runs can't be seen");
            let words =
                std::iter::once(Value::unknown()).chain(given.into_iter().filter_map(|given| match given {
                    Given::Value(value) | Given::Named(_, Some(value)) => Some(value),
                    Given::Named(..) => None,
                }));
            let words: Vec<Word> = words.map(|word| self.word(&word)).collect();
            self.judged(words, Deeds::default());
            return Value::unknown();
        };
        if name.is(|marks| marks.assembled || marks.decoded) {
            self.find("shell.obfuscated", "the name of the command is put together on the spot");
        }
        if crate::guard::is_look_alike(&text) {
            self.find("shell.invisible", "a command word with look-alike or invisible characters");
        }
        self.named(&text, given, piped, 0)
    }

    fn given(&mut self, args: &[Argument]) -> Vec<Given> {
        let mut given = Vec::new();
        for arg in args {
            match arg {
                Argument::Named(name, value) => {
                    let value = value.as_ref().map(|value| self.expr(value));
                    given.push(Given::Named(name.clone(), value));
                }
                Argument::Value(expr) => {
                    let value = self.expr(expr);
                    given.push(Given::Value(value));
                }
                Argument::Splat(name) => {
                    let value = self.variable(name);
                    match &value.data {
                        Data::Map(pairs) => {
                            given.extend(
                                pairs
                                    .iter()
                                    .map(|(key, value)| Given::Named(key.clone(), Some(value.clone()))),
                            );
                        }
                        Data::List(items) => given.extend(items.iter().cloned().map(Given::Value)),
                        _ => given.push(Given::Value(value)),
                    }
                }
            }
        }
        given
    }

    fn called(&mut self, block: &Rc<Block>, given: Vec<Given>, piped: Option<Value>, shares: bool) -> Value {
        let mut args = Vec::new();
        let mut given = given.into_iter().peekable();
        while let Some(arg) = given.next() {
            match arg {
                Given::Value(value) => args.push((String::new(), value)),
                Given::Named(name, Some(value)) => args.push((name, value)),
                Given::Named(name, None) => {
                    let lower = name.to_ascii_lowercase();
                    let param = block.params.iter().find(|param| param.name.starts_with(&lower));
                    let is_switch = param.is_none_or(|param| param.switch);
                    let name = param.map_or(name, |param| param.name.clone());
                    match given.next_if(|next| !is_switch && matches!(next, Given::Value(_))) {
                        Some(Given::Value(value)) => args.push((name, value)),
                        _ => args.push((name, Value::text("True"))),
                    }
                }
            }
        }
        if shares && args.is_empty() {
            return self.inline(block, piped.as_ref());
        }
        self.body(block, args, piped)
    }

    /// A command of this name: a function, an alias, a cmdlet, a program.
    fn named(&mut self, name: &str, given: Vec<Given>, piped: Option<Value>, layer: u32) -> Value {
        let lower = name.to_ascii_lowercase();
        let bare = lower.rsplit('\\').next().unwrap_or_default();
        let module = lower.contains('\\')
            && cmdlets::lookup(bare).is_some()
            && !lower.starts_with(['.', '\\'])
            && !lower.contains(':');
        let lower = if module { bare.to_owned() } else { lower };
        if let Some(target) = self.scope.aliases.get(&lower).cloned().filter(|_| layer < 8) {
            if target.contains(HOLE) {
                self.find("shell.obfuscated", "an alias of what can't be seen");
            } else if cmdlets::lookup(&target.to_ascii_lowercase()).is_some_and(|row| !row.reads) {
                self.find("shell.obfuscated", "another name for a command that changes things");
            }
            return self.named(&target, given, piped, layer + 1);
        }
        if let Some(body) = self.scope.functions.get(&lower).cloned() {
            return self.called(&body, given, piped, false);
        }
        let row = cmdlets::lookup(&lower);
        match row {
            Some(row) if cmdlets::is_foreign(&lower) && !fits(row, &given) => self.native(name, given, piped),
            Some(row) => self.cmdlet(row, given, piped),
            None => self.native(name, given, piped),
        }
    }

    fn cmdlet(&mut self, row: &'static CmdletRow, given: Vec<Given>, piped: Option<Value>) -> Value {
        let words = self.words_of(row, &given);
        let outer = std::mem::replace(&mut self.effects.deeds, Deeds { known: true, ..Deeds::default() });
        let harmless = std::mem::replace(&mut self.harmless, true);
        let bound = self.bind(row, given, piped);
        let pretends = bound.has("WhatIf") && !row.reads;
        let value = if pretends { Value::null() } else { self.act(row, &bound) };
        let mut own = std::mem::replace(&mut self.effects.deeds, outer);
        let runs = std::mem::take(&mut own.runs);
        let quiet = own.writes.is_empty()
            && own.deletes.is_empty()
            && own.hosts.is_empty()
            && own.privilege.is_empty()
            && own.unknown.is_empty()
            && own.findings.is_empty();
        own.read_only = (row.reads || pretends) && quiet && self.harmless;
        own.plain = own.read_only
            || (own.findings.is_empty()
                && own.deletes.is_empty()
                && own.privilege.is_empty()
                && self.harmless);
        self.harmless &= harmless;
        self.judged(words, own);
        self.effects.deeds.runs.extend(runs);
        value
    }

    /// The words of a cmdlet with its full name and the full names of its parameters.
    fn words_of(&self, row: &'static CmdletRow, given: &[Given]) -> Vec<Word> {
        let mut words = vec![self.effects.word(&Plain::literal(row.name()))];
        for given in given {
            match given {
                Given::Named(name, value) => {
                    let name = cmdlets::parameter(row, name).map_or(name.as_str(), |own| own.name());
                    words.push(self.effects.word(&Plain::literal(format!("-{name}"))));
                    words.extend(value.iter().map(|value| self.word(value)));
                }
                Given::Value(value) => words.push(self.word(value)),
            }
        }
        words
    }
}

/// Whether the arguments are a cmdlet's, and not those of the Unix program of that name.
fn fits(row: &'static CmdletRow, given: &[Given]) -> bool {
    let named: Vec<&String> = given
        .iter()
        .filter_map(|given| if let Given::Named(name, _) = given { Some(name) } else { None })
        .collect();
    named.iter().all(|name| cmdlets::parameter(row, name).is_some() || cmdlets::common(name).is_some())
        && !given.iter().any(|given| matches!(given, Given::Value(value) if value.shown().starts_with("--")))
}
