//! The rules that people saved with an answer, in `rules.toml` beside the user's settings, and the questions that the
//! ledger remembers, from which such rules are made. Only Doorward writes the file.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use doorward_core::effect::Inspected;
use doorward_core::id::DecisionId;
use doorward_core::kept::KeptCall;
use doorward_core::record::{DecisionRecord, Record};
use doorward_ledger::{Filter, Reader};
use doorward_policy::shorthand::{List, RuleSet};
use doorward_settings::{Layer, LayerKind, Rule, RuleText, Settings};
use jiff::Timestamp;
use serde::Serialize;

use crate::always::{AlwaysError, sources};
use crate::installation::Installation;
use crate::project::Project;
use crate::records::Records;

/// A saved rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// `allow`, `ask` or `deny`.
    pub list: &'static str,
    /// The rule.
    #[serde(flatten)]
    pub rule: RuleText,
    /// Whether its time is over.
    pub ended: bool,
}

/// What is known of a question: its decision record and what the call was found to do.
pub struct Asked {
    record: DecisionRecord,
    inspected: Inspected,
}

impl Asked {
    /// What was decided.
    #[must_use]
    pub const fn record(&self) -> &DecisionRecord {
        &self.record
    }

    /// The call, without its secrets, and what it was found to do.
    #[must_use]
    pub const fn inspected(&self) -> &Inspected {
        &self.inspected
    }
}

/// The file of saved rules, and the ledger.
pub(crate) struct SavedRules {
    installation: Arc<Installation>,
    records: Option<Arc<Records>>,
}

impl SavedRules {
    pub(crate) const fn new(installation: Arc<Installation>, records: Option<Arc<Records>>) -> Self {
        Self { installation, records }
    }

    /// The ledger, to look things up in.
    pub(crate) fn reader(&self) -> Option<Reader> {
        Reader::open(self.records.as_ref()?.log().dir()).ok()
    }

    /// What the ledger kept of a question. `None` where it can't be had; then nothing can be saved either.
    pub(crate) fn asked(&self, decision: &DecisionId) -> Option<Asked> {
        let reader = self.reader()?;
        let filter =
            Filter { kind: Some("decision".to_owned()), id: Some(decision.to_string()), ..Filter::default() };
        let found = reader.find(&filter, 1).ok()?;
        let stored = found.first()?;
        let Some(Record::Decision(record)) = stored.record() else { return None };
        let inspected =
            KeptCall::read_inspected(&reader.content(stored.index, &record.inspected).ok()??).ok()?;
        Some(Asked { record: *record, inspected })
    }

    /// The rules that were saved.
    ///
    /// # Errors
    /// [`AlwaysError::File`], or a file that someone else wrote and that isn't one.
    pub(crate) fn rules(&self) -> Result<Vec<Saved>, AlwaysError> {
        let Some(path) = self.installation.places().saved() else { return Ok(Vec::new()) };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(AlwaysError::File { path: path.display().to_string(), source }),
        };
        let layer = Layer::new(LayerKind::User, path.display().to_string(), text);
        let loaded = Settings::load(&[layer])
            .map_err(|error| AlwaysError::refused("always.rule", error.to_string()))?;
        let now = Timestamp::now();
        let rules = loaded.settings.rules;
        let lists = [(List::Allow, rules.allow), (List::Ask, rules.ask), (List::Deny, rules.deny)];
        Ok(lists
            .into_iter()
            .flat_map(|(list, rules)| rules.into_iter().map(move |rule| (list, rule)))
            .map(|(list, rule)| {
                let rule = match rule {
                    Rule::Plain(text) => RuleText { rule: text, ..RuleText::default() },
                    Rule::Full(full) => *full,
                };
                let until = rule.until.as_deref().and_then(|until| until.parse::<Timestamp>().ok());
                Saved { list: list.as_str(), ended: until.is_some_and(|until| until <= now), rule }
            })
            .collect())
    }

    /// Changes the file: read, change, check that everything still loads, write beside, sync, rename.
    ///
    /// # Errors
    /// [`AlwaysError`].
    pub(crate) fn rewrite(&self, change: impl FnOnce(&mut Vec<Saved>)) -> Result<(), AlwaysError> {
        let places = self.installation.places();
        let Some(path) = places.saved() else {
            return Err(AlwaysError::refused("always.rule", "this service has no settings of a user"));
        };
        let mut saved = self.rules()?;
        change(&mut saved);
        let text = file(&saved);
        let mut layers = places.read(None).unwrap_or_default();
        layers.retain(|layer| layer.name != path.display().to_string());
        layers.push(Layer::new(LayerKind::User, path.display().to_string(), text.clone()));
        let loads = Settings::load(&layers)
            .map_err(|error| error.to_string())
            .and_then(|loaded| Project::loads(&loaded.settings));
        loads.map_err(|reason| AlwaysError::refused("always.rule", reason))?;
        write_whole(&path, &text)
            .map_err(|source| AlwaysError::File { path: path.display().to_string(), source })
    }

    /// Whether a rule of another session, agent or project would have covered a call that is asked about: then the
    /// question says so.
    #[must_use]
    pub(crate) fn covered_elsewhere(&self, decision: &DecisionId) -> bool {
        let Ok(saved) = self.rules() else { return false };
        let texts: Vec<RuleText> = saved
            .into_iter()
            .filter(|rule| rule.list == "allow" && !rule.ended && rule.rule.only.is_some())
            .map(|rule| RuleText { only: None, ..rule.rule })
            .collect();
        if texts.is_empty() {
            return false;
        }
        let (Ok(set), Some(asked)) = (RuleSet::compile(&sources(List::Allow, &texts)), self.asked(decision))
        else {
            return false;
        };
        set.facts(&asked.inspected).covered
    }
}

const HEADER: &str = "# Rules that people saved with an answer. Doorward writes this file whole; take one back with\n\
    # `doorward rules remove ID` or in the console. Deny and ask rules elsewhere beat what is allowed here.\n";

fn file(saved: &[Saved]) -> String {
    let mut text = HEADER.to_owned();
    for rule in saved {
        text.push_str(&entry(list_named(rule.list), &rule.rule));
    }
    text
}

/// The list of this name.
pub(crate) fn list_named(name: &str) -> List {
    [List::Ask, List::Deny].into_iter().find(|list| list.as_str() == name).unwrap_or(List::Allow)
}

/// One rule as it stands in the file.
pub(crate) fn entry(list: List, rule: &RuleText) -> String {
    use std::fmt::Write as _;
    let mut out = format!("\n[[rules.{}]]\nrule = {}\n", list.as_str(), literal(&rule.rule));
    let own = [("id", &rule.id), ("by", &rule.by), ("until", &rule.until), ("reason", &rule.reason)];
    for (key, value) in own {
        if let Some(value) = value {
            let _ = writeln!(out, "{key} = {}", literal(value));
        }
    }
    for (key, _) in [("alone", rule.alone), ("task", rule.task)].into_iter().filter(|(_, is_set)| *is_set) {
        let _ = writeln!(out, "{key} = true");
    }
    for (key, values) in [("match", &rule.matches), ("not_match", &rule.not_matches)] {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(|value| literal(value)).collect();
            let _ = writeln!(out, "{key} = [{}]", values.join(", "));
        }
    }
    if let Some(only) = &rule.only {
        let members = [("caller", &only.caller), ("project", &only.project), ("session", &only.session)];
        let members: Vec<String> = members
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key} = {}", literal(value.as_deref()?))))
            .collect();
        let _ = writeln!(out, "only = {{ {} }}", members.join(", "));
    }
    out
}

/// A TOML basic string: JSON's escapes, and DEL, which JSON leaves as it is.
fn literal(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default().replace('\u{7f}', "\\u007F")
}

/// Replaces a file whole: written beside it, synced, renamed.
pub(crate) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)?;
    let beside = path.with_extension("toml.new");
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&beside, path)?;
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use doorward_settings::Only;

    use super::*;

    #[test]
    fn an_entry_is_read_back_as_it_was_written() {
        let rule = RuleText {
            rule: "shell(echo 'a \"b\" \\ \u{7f}\u{202e}')".to_owned(),
            reason: Some("line\nbreak".to_owned()),
            matches: Vec::new(),
            not_matches: Vec::new(),
            only: Some(Only { caller: Some("agent \"a\"".to_owned()), ..Only::default() }),
            until: Some("2026-12-24T00:00:00Z".to_owned()),
            alone: true,
            task: true,
            id: Some("always-1".to_owned()),
            by: Some("ana".to_owned()),
        };
        let layer =
            Layer::new(LayerKind::User, "rules.toml", format!("{HEADER}{}", entry(List::Allow, &rule)));
        let loaded = Settings::load(&[layer]).unwrap();
        assert_eq!(loaded.settings.rules.allow, [Rule::Full(Box::new(rule))]);
    }
}
