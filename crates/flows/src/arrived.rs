//! The result of a call, as input for a session's memory.

use crate::memory::{Memory, Step, TurnedFact};
use crate::named;
use crate::private;
use crate::secrets;
use crate::source::{Label, Source};
use crate::table::Table;
use crate::values::CommandLines;

/// The result of a call.
#[derive(Debug, Clone, Copy)]
pub struct Arrived<'a> {
    /// The bytes.
    pub content: &'a [u8],
    /// Its source, in words.
    pub source: &'a str,
    /// Whether people other than the user can write it.
    pub untrusted: bool,
    /// Credentials in it, as ranges of its text.
    pub secrets: &'a [std::ops::Range<usize>],
    /// It is the content of a file whose name says that it holds secrets.
    pub secret_file: bool,
    /// The settings declare its source private.
    pub private: bool,
    /// The turn of the call.
    pub turn: u64,
    /// What the call did, if known.
    pub step: Option<&'a Step>,
}

impl Memory {
    /// Records a call's result.
    pub fn returned(&mut self, returned: &Arrived<'_>) {
        let Ok(table) = Table::shipped() else { return };
        let text = String::from_utf8_lossy(returned.content);
        let mut found: Vec<&str> =
            returned.secrets.iter().map(|range| text.get(range.clone()).unwrap_or_default()).collect();
        let secret_place = returned.step.is_some_and(|step| step.reads_secret) || returned.secret_file;
        if secret_place {
            found.extend(secrets::values(&text));
        }
        // Turns of the memory: a resumed session counts its own turns from 1 again.
        let turn = returned.step.map_or(0, |step| step.turn).max(returned.turn);
        let from: String = returned.source.chars().take(200).collect();
        let source = |label| Source { label, from: from.clone(), turn, hosts: Vec::new() };
        let event = || TurnedFact { turn, objects: vec![Box::from(returned.source)], ends: false };
        if !found.is_empty() {
            let hosts = secrets::hosts(&text);
            if let Some(number) = self.values.add_source(Source { hosts, ..source(Label::Secret) }) {
                found.iter().for_each(|secret| self.values.add_secret(&self.key, number, secret));
                self.happened(table.known.secret_seen, event());
                self.mark_writes(returned.step, number);
            }
        }
        self.likely_in(named::values(&text, secret_place), &text, &source(Label::Likely), returned.step);
        if returned.private
            && let Some(number) = self.values.add_source(source(Label::Private))
        {
            self.values.add_private_text(&self.key, number, returned.content);
            self.happened(table.known.private_seen, event());
            self.mark_writes(returned.step, number);
        }
        self.private_in(table, &text, &source(Label::Private), event());
        if returned.untrusted
            && let Some(number) = self.values.add_source(source(Label::Untrusted))
        {
            let named = returned.step.is_some_and(|step| self.values.said_one_of(&step.used));
            let is_command = |line: &str| table.commands(line);
            let commands =
                text.lines().any(is_command).then(|| self.values.add_source(source(Label::Commands)));
            let commands = commands.flatten().map(|source| CommandLines { source, is_command: &is_command });
            self.values.add_untrusted(&self.key, number, returned.content, named, commands);
            if table.instructs(&text) {
                self.happened(table.known.instructed, event());
            }
            if table.requests(returned.source, &text) {
                self.happened(table.known.requested, event());
            }
            self.happened(table.known.untrusted_seen, event());
        }
    }

    /// Keeps fingerprints of values under a secret's name, whether reported or not.
    fn likely_in(&mut self, mut values: Vec<(&str, bool)>, text: &str, source: &Source, step: Option<&Step>) {
        values.retain(|(value, _)| !self.values.has_secret(&self.key, value));
        if values.is_empty() {
            return;
        }
        let mut hosts = secrets::hosts(text);
        hosts.extend(secrets::hosts(&source.from));
        let Some(number) = self.values.add_source(Source { hosts, ..source.clone() }) else { return };
        for (value, of_words) in values {
            self.values.add_likely(&self.key, number, value, of_words);
        }
        if let Ok(table) = Table::shipped() {
            let event =
                TurnedFact { turn: source.turn, objects: vec![Box::from(source.from.as_str())], ends: false };
            self.happened(table.known.likely_seen, event);
        }
        self.mark_writes(step, number);
    }

    /// Keeps fingerprints of personal data in a result: a list of people, or identity numbers.
    fn private_in(&mut self, table: &Table, text: &str, source: &Source, event: TurnedFact) {
        let (people, numbers) = (private::addresses(text), private::numbers(text));
        if people.is_empty() && numbers.is_empty() {
            return;
        }
        let Some(number) = self.values.add_source(source.clone()) else { return };
        self.values.add_private(&self.key, number, &numbers, true);
        self.values.add_private(&self.key, number, &people, false);
        if !numbers.is_empty() {
            self.happened(table.known.identity_seen, event.clone());
        }
        if people.len() >= private::MANY || !numbers.is_empty() {
            self.happened(table.known.private_seen, event);
        }
    }

    /// Files that the same call wrote contain what it returned.
    fn mark_writes(&mut self, step: Option<&Step>, source: u16) {
        let written = step.into_iter().flat_map(|step| &step.marks).map(|(path, _)| path.clone());
        for path in written.collect::<Vec<_>>() {
            self.marks.entry(path).or_default().push(source);
        }
    }
}
