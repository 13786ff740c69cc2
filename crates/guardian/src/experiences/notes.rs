//! Facts about rules besides their text: whether they are in effect, their origin and evidence.
//!
//! Notes are in a separate file, so that the rules' file keeps the plain format that other programs read. A note
//! applies only to the exact text it was written for. A rule whose text has changed since was edited by a person, so
//! it is in effect.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use doorward_core::id::Digest;

use serde::{Deserialize, Serialize};

use super::{ExperienceError, Experiences, Order, names};

/// Whether a rule is in effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Proposed; waits for a person.
    Proposed,
    /// In effect.
    Active,
    /// No longer in effect.
    Retired,
}

impl Status {
    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Active => "active",
            Self::Retired => "retired",
        }
    }
}

/// A note about one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Digest of the rule's text.
    pub rule: Digest,
    /// Whether the rule is in effect.
    pub status: Status,
    /// Its origin: `explore`, `explore:<model>`, `import`, …
    pub origin: String,
    /// When it was created.
    pub created: String,
    /// Digest of the evidence: the pin of the tools that were tried, or a transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// The notes about one tool's rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// Notes by the rule's key.
    #[serde(default)]
    pub rules: BTreeMap<String, Note>,
}

fn file(folder: &Path, tool: &str) -> PathBuf {
    // The dot distinguishes it from a tool's rules.
    folder.join(format!("{tool}.notes.json"))
}

fn digest(rule: &str) -> Digest {
    Digest::of(rule.trim().as_bytes())
}

impl Notes {
    /// The notes of a tool; empty if there is no file.
    ///
    /// # Errors
    /// [`ExperienceError`] if the notes exist but can't be read. Ignoring them could put inactive rules into effect.
    pub fn load(folder: &Path, tool: &str) -> Result<Self, ExperienceError> {
        match std::fs::read_to_string(file(folder, tool)) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| ExperienceError::Format(format!("the notes of {tool}: {error}"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the notes.
    pub fn save(&self, folder: &Path, tool: &str) -> Result<(), ExperienceError> {
        if !names::is_safe(tool) {
            return Err(ExperienceError::Name(tool.to_owned()));
        }
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        let fresh = folder.join(format!(".{tool}.notes.json.new"));
        std::fs::write(&fresh, text)?;
        Ok(std::fs::rename(fresh, file(folder, tool))?)
    }

    /// Adds a note about a rule.
    pub fn note(&mut self, key: &str, rule: &str, status: Status, origin: &str, evidence: Option<&str>) {
        let note = Note {
            rule: digest(rule),
            status,
            origin: origin.to_owned(),
            created: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            evidence: evidence.map(str::to_owned),
        };
        self.rules.insert(key.to_owned(), note);
    }

    /// The note that applies to a rule's text.
    #[must_use]
    pub fn of(&self, key: &str, rule: &str) -> Option<&Note> {
        self.rules.get(key).filter(|note| note.rule == digest(rule))
    }

    /// Whether a rule is in effect; without a note it is.
    #[must_use]
    pub fn status(&self, key: &str, rule: &str) -> Status {
        self.of(key, rule).map_or(Status::Active, |note| note.status)
    }

    /// Changes whether a rule is in effect.
    ///
    /// # Errors
    /// [`ExperienceError::Key`] if the rule doesn't exist.
    pub fn set(
        &mut self,
        experiences: &Experiences,
        key: &str,
        status: Status,
    ) -> Result<(), ExperienceError> {
        let rules = experiences.rules(Order::Natural);
        let (_, rule) = rules
            .iter()
            .find(|(known, _)| *known == key)
            .ok_or_else(|| ExperienceError::Key(key.to_owned()))?;
        let before = self.of(key, rule).cloned();
        let (origin, evidence) =
            before.map_or_else(|| ("a person".to_owned(), None), |note| (note.origin, note.evidence));
        self.note(key, rule, status, &origin, evidence.as_deref());
        Ok(())
    }

    /// Keys of the rules that aren't in effect.
    #[must_use]
    pub fn silent(&self, experiences: &Experiences) -> BTreeSet<String> {
        experiences
            .rules(Order::Natural)
            .into_iter()
            .filter(|(key, rule)| self.status(key, rule) != Status::Active)
            .map(|(key, _)| key.to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposed_rule_waits_and_a_changed_one_is_a_persons() {
        let folder = tempfile::tempdir().unwrap();
        let mut rules = Experiences::of(&["a", "b"]);
        let mut notes = Notes::default();
        notes.note("exp.2", "b", Status::Proposed, "explore", Some("sha256:0"));
        notes.save(folder.path(), "x-mcp").unwrap();
        super::super::Library::save(folder.path(), "x-mcp", &rules).unwrap();
        let library = super::super::Library::load(folder.path()).unwrap();
        let shown = library.render(&["x-mcp".to_owned()], Order::Natural);
        assert!(shown.contains("1. a") && !shown.contains("2. b"), "{shown}");
        let mut notes = Notes::load(folder.path(), "x-mcp").unwrap();
        assert_eq!(notes.status("exp.2", "b"), Status::Proposed);
        rules.update("exp.2", "mine").unwrap();
        assert_eq!(notes.status("exp.2", "mine"), Status::Active);
        notes.set(&rules, "exp.1", Status::Retired).unwrap();
        assert_eq!(notes.silent(&rules).into_iter().collect::<Vec<_>>(), ["exp.1"]);
        assert!(notes.set(&rules, "exp.9", Status::Active).is_err());
        std::fs::write(folder.path().join("x-mcp.notes.json"), "{").unwrap();
        assert!(
            super::super::Library::load(folder.path()).is_err(),
            "unreadable notes are no notes that say yes"
        );
    }
}
