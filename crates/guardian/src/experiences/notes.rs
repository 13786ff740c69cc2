//! What is known about rules beside their text: whether they count, where they came from, what they rest on.
//!
//! Notes lie in a file of their own, so that the rules' file stays the plain format that others read. A note holds for
//! the very text it was written about: a rule that was changed since is a person's, and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use doorward_core::id::Digest;

use serde::{Deserialize, Serialize};

use super::{ExperienceError, Experiences, Order, names};

/// Whether a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waits for a person.
    Proposed,
    /// Counts.
    Active,
    /// Was taken out of use.
    Retired,
}

impl Status {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Active => "active",
            Self::Retired => "retired",
        }
    }
}

/// About one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Digest of the text it is about.
    pub rule: Digest,
    /// Whether it counts.
    pub status: Status,
    /// Where it came from: `explore`, `explore:<model>`, `import`, …
    pub origin: String,
    /// When.
    pub created: String,
    /// Digest of what it rests on: the pin of the tools that were tried, a transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// About the rules of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// By the rule's key.
    #[serde(default)]
    pub rules: BTreeMap<String, Note>,
}

fn file(folder: &Path, tool: &str) -> PathBuf {
    // The dot keeps it from being taken for a tool's rules.
    folder.join(format!("{tool}.notes.json"))
}

fn digest(rule: &str) -> Digest {
    Digest::of(rule.trim().as_bytes())
}

impl Notes {
    /// The notes of a tool; none are no notes.
    ///
    /// # Errors
    /// [`ExperienceError`]: notes that are there and can't be read. Rules would count that shouldn't.
    pub fn load(folder: &Path, tool: &str) -> Result<Self, ExperienceError> {
        match std::fs::read_to_string(file(folder, tool)) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| ExperienceError::Format(format!("the notes of {tool}: {error}"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes them.
    ///
    /// # Errors
    /// [`ExperienceError`].
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

    /// Notes something about a rule.
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

    /// The note that holds for a rule's text.
    #[must_use]
    pub fn of(&self, key: &str, rule: &str) -> Option<&Note> {
        self.rules.get(key).filter(|note| note.rule == digest(rule))
    }

    /// Whether a rule counts; one nobody noted anything about does.
    #[must_use]
    pub fn status(&self, key: &str, rule: &str) -> Status {
        self.of(key, rule).map_or(Status::Active, |note| note.status)
    }

    /// Changes whether a rule counts.
    ///
    /// # Errors
    /// [`ExperienceError::Key`]: there is no such rule.
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

    /// Keys of the rules that don't count.
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
