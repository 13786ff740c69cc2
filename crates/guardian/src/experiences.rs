//! Safety experiences: short rules learnt about a tool, stored in flat `exp.N` files.
//!
//! An unchanged file is written back byte for byte; a changed one keeps unknown keys. Rules are added to a prompt
//! only while their tool is in use, in an order that stays the same between calls.

pub mod inject;
pub mod names;
pub mod notes;
mod seeds;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use doorward_core::id::Digest;
use doorward_core::tool::mcp_parts;
use serde_json::{Map, Value};

pub use seeds::seeds;

/// Errors of experience files.
#[derive(Debug, thiserror::Error)]
pub enum ExperienceError {
    /// Invalid format.
    #[error("experiences.format: {0}")]
    Format(String),
    /// A name that could lead out of the folder.
    #[error("experiences.name: {0:?} is no tool name: lower case letters, digits and dashes")]
    Name(String),
    /// The rule doesn't exist.
    #[error("experiences.key: there is no rule {0:?}")]
    Key(String),
    /// An I/O error.
    #[error("experiences.io: {0}")]
    Io(#[from] std::io::Error),
}

/// Rules of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Experiences {
    members: Map<String, Value>,
    text: Option<String>,
}

/// The order in which rules are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `exp.2` before `exp.10`.
    Natural,
    /// As upstream orders: `exp.10` before `exp.2`.
    Lexicographic,
}

impl Experiences {
    /// Parses a file. Keeps unknown keys.
    ///
    /// # Errors
    /// [`ExperienceError::Format`] if it isn't one strict JSON object, or a rule isn't a string.
    pub fn parse(text: &str) -> Result<Self, ExperienceError> {
        let format = |message: &str| ExperienceError::Format(message.to_owned());
        doorward_core::json::Value::parse(text)
            .map_err(|error| ExperienceError::Format(error.to_string()))?;
        let value: Value =
            serde_json::from_str(text).map_err(|error| ExperienceError::Format(error.to_string()))?;
        let Value::Object(members) = value else { return Err(format("not a JSON object")) };
        if members.iter().any(|(key, value)| number(key).is_some() && !value.is_string()) {
            return Err(format("a rule that is no text"));
        }
        Ok(Self { members, text: Some(text.to_owned()) })
    }

    /// From rules in this order.
    #[must_use]
    pub fn of(rules: &[&str]) -> Self {
        let members = rules
            .iter()
            .enumerate()
            .map(|(at, rule)| (format!("exp.{}", at + 1), Value::from(*rule)))
            .collect();
        Self { members, text: None }
    }

    /// Rules with their keys, in order.
    #[must_use]
    pub fn rules(&self, order: Order) -> Vec<(&str, &str)> {
        let mut rules: Vec<(&str, &str)> = self
            .members
            .iter()
            .filter(|(key, _)| number(key).is_some())
            .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
            .collect();
        match order {
            Order::Natural => rules.sort_by_key(|(key, _)| number(key)),
            Order::Lexicographic => rules.sort_unstable(),
        }
        rules
    }

    /// Adds a rule with the next number above the highest; lower numbers aren't reused. Returns its key.
    pub fn add(&mut self, rule: &str) -> String {
        let highest = self.members.keys().filter_map(|key| number(key)).max().unwrap_or(0);
        let key = format!("exp.{}", highest.saturating_add(1));
        self.members.insert(key.clone(), Value::from(rule));
        self.text = None;
        key
    }

    /// Changes an existing rule.
    ///
    /// # Errors
    /// [`ExperienceError::Key`].
    pub fn update(&mut self, key: &str, rule: &str) -> Result<(), ExperienceError> {
        let slot = self.members.get_mut(key).filter(|_| number(key).is_some());
        *slot.ok_or_else(|| ExperienceError::Key(key.to_owned()))? = Value::from(rule);
        self.text = None;
        Ok(())
    }

    /// Removes a rule. Returns whether it existed.
    pub fn remove(&mut self, key: &str) -> bool {
        // `shift_remove` keeps the order of the others.
        let removed = number(key).is_some() && self.members.shift_remove(key).is_some();
        if removed {
            self.text = None;
        }
        removed
    }

    /// Adds rules of another file that aren't here yet, with new numbers. Returns how many.
    pub fn merge(&mut self, other: &Self) -> usize {
        let known: Vec<String> =
            self.rules(Order::Natural).into_iter().map(|(_, rule)| rule.trim().to_owned()).collect();
        let new: Vec<String> = other
            .rules(Order::Natural)
            .into_iter()
            .map(|(_, rule)| rule.to_owned())
            .filter(|rule| !known.contains(&rule.trim().to_owned()))
            .collect();
        for rule in &new {
            self.add(rule);
        }
        new.len()
    }

    /// The file's text: if unchanged, exactly the bytes that were read.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.text.clone().unwrap_or_else(|| {
            let mut text = serde_json::to_string_pretty(&self.members).unwrap_or_default();
            text.push('\n');
            text
        })
    }
}

/// The number of a rule's key.
fn number(key: &str) -> Option<u64> {
    let digits = key.strip_prefix("exp.")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Experiences by tool, with names like `terminal-mcp`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    tools: BTreeMap<String, Experiences>,
    /// Rules that aren't in effect: proposed or retired ones.
    silent: BTreeMap<String, BTreeSet<String>>,
}

impl Library {
    /// The rules that Doorward ships for common tools.
    #[must_use]
    pub fn seeded() -> Self {
        Self { tools: seeds(), silent: BTreeMap::new() }
    }

    /// Every `<tool>-mcp.json` of a folder; empty if the folder doesn't exist.
    ///
    /// # Errors
    /// [`ExperienceError`] if a file is unreadable or invalid.
    pub fn load(folder: &Path) -> Result<Self, ExperienceError> {
        let mut library = Self::default();
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error.into()),
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Some(tool) = name.strip_suffix(".json").filter(|tool| names::is_safe(tool)) {
                let text = std::fs::read_to_string(folder.join(&name))?;
                let experiences = Experiences::parse(&text)?;
                let silent = notes::Notes::load(folder, tool)?.silent(&experiences);
                library.silent.insert(tool.to_owned(), silent);
                library.tools.insert(tool.to_owned(), experiences);
            }
        }
        Ok(library)
    }

    /// Writes one tool's file, and keeps the previous one next to it under its version.
    pub fn save(folder: &Path, tool: &str, experiences: &Experiences) -> Result<(), ExperienceError> {
        if !names::is_safe(tool) {
            return Err(ExperienceError::Name(tool.to_owned()));
        }
        std::fs::create_dir_all(folder)?;
        let file = folder.join(format!("{tool}.json"));
        if let Ok(before) = std::fs::read_to_string(&file) {
            if before == experiences.to_text() {
                return Ok(());
            }
            let digest = Digest::of(before.as_bytes());
            let version = digest.short();
            let versions = folder.join("versions");
            std::fs::create_dir_all(&versions)?;
            std::fs::write(versions.join(format!("{tool}.{version}.json")), before)?;
        }
        let fresh = folder.join(format!(".{tool}.json.new"));
        std::fs::write(&fresh, experiences.to_text())?;
        Ok(std::fs::rename(fresh, file)?)
    }

    /// Adds another library's tools; for a tool in both, the other's rules replace these.
    #[must_use]
    pub fn overlaid(mut self, other: Self) -> Self {
        self.tools.extend(other.tools);
        self.silent.extend(other.silent);
        self
    }

    /// Tools, in order.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Experiences)> {
        self.tools.iter().map(|(name, experiences)| (name.as_str(), experiences))
    }

    /// One tool's rules.
    #[must_use]
    pub fn get(&self, tool: &str) -> Option<&Experiences> {
        self.tools.get(tool)
    }

    /// The active rules of some tools as numbered text.
    #[must_use]
    pub fn render(&self, tools: &[String], order: Order) -> String {
        let mut shown = 0;
        let sections: Vec<String> = tools
            .iter()
            .filter_map(|tool| Some((tool, self.tools.get(tool)?)))
            .map(|(tool, experiences)| {
                let lines: Vec<String> = experiences
                    .rules(order)
                    .into_iter()
                    .filter(|(key, _)| !self.silent.get(tool).is_some_and(|keys| keys.contains(*key)))
                    .map(|(_, rule)| {
                        shown += 1;
                        format!("  {shown}. {rule}")
                    })
                    .collect();
                format!("## Safety Guidelines for {tool}\n\n{}", lines.join("\n"))
            })
            .collect();
        sections.join("\n\n")
    }
}

/// The tool families for canonical tool names; the terminal and the file system are always included.
#[must_use]
pub fn in_play<'t>(tools: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut found = vec!["terminal-mcp".to_owned(), "filesystem-mcp".to_owned()];
    let mut servers: Vec<String> = tools
        .into_iter()
        .filter_map(|tool| Some(mcp_parts(tool)?.0))
        .map(names::from_server)
        .filter(|name| names::is_safe(name))
        .collect();
    servers.sort_unstable();
    servers.dedup();
    found.extend(servers.into_iter().filter(|name| name != "terminal-mcp" && name != "filesystem-mcp"));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_goes_back_byte_for_byte_and_unknown_keys_stay() {
        let text = "{\n   \"exp.2\": \"b\", \"note\": {\"x\": 1.50},\n\"exp.10\": \"j\", \"exp.1\": \"a\"}";
        let mut read = Experiences::parse(text).unwrap();
        assert_eq!(read.to_text(), text);
        assert_eq!(
            read.rules(Order::Natural).iter().map(|(key, _)| *key).collect::<Vec<_>>(),
            ["exp.1", "exp.2", "exp.10"]
        );
        assert_eq!(read.rules(Order::Lexicographic)[1].0, "exp.10");
        assert_eq!(read.add("k"), "exp.11");
        assert!(read.remove("exp.11") && !read.remove("note"));
        assert_eq!(read.add("l"), "exp.11");
        assert!(read.update("exp.99", "x").is_err());
        let back = Experiences::parse(&read.to_text()).unwrap();
        assert_eq!(back.members, read.members);
        assert!(back.to_text().contains("note"));
    }

    #[test]
    fn what_is_no_file_of_the_format_is_refused() {
        for text in ["", "[]", "{\"exp.1\": 1}", "{\"exp.1\": \"a\", \"exp.1\": \"b\"}", "{} {}"] {
            assert!(Experiences::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn merging_twice_adds_nothing_the_second_time() {
        let mut into = Experiences::of(&["a", "b"]);
        let other = Experiences::of(&["b ", "c"]);
        assert_eq!((into.merge(&other), into.merge(&other)), (1, 0));
        assert_eq!(into.rules(Order::Natural).len(), 3);
    }

    #[test]
    fn rules_are_shown_only_where_their_tool_is_in_play() {
        let library = Library::seeded();
        let text = library.render(&in_play(["shell:execute"]), Order::Natural);
        assert!(text.contains("terminal-mcp") && !text.contains("postgres-mcp"));
        let text = library.render(&in_play(["shell:execute", "mcp:postgres/query"]), Order::Natural);
        assert!(text.contains("postgres-mcp"));
    }

    #[test]
    fn a_saved_file_keeps_its_forerunner() {
        let folder = tempfile::tempdir().unwrap();
        Library::save(folder.path(), "x-mcp", &Experiences::of(&["a"])).unwrap();
        Library::save(folder.path(), "x-mcp", &Experiences::of(&["a", "b"])).unwrap();
        assert!(Library::save(folder.path(), "../x", &Experiences::default()).is_err());
        assert_eq!(std::fs::read_dir(folder.path().join("versions")).unwrap().count(), 1);
        assert_eq!(
            Library::load(folder.path()).unwrap().get("x-mcp").unwrap().rules(Order::Natural).len(),
            2
        );
    }

    #[test]
    fn upstreams_files_are_rendered_as_upstream_renders_them() {
        let Some(folder) = doorward_needs::data!("openhands/experiences") else { return };
        let library = Library::load(&folder).unwrap();
        for (tool, experiences) in library.tools() {
            let text = std::fs::read_to_string(folder.join(format!("{tool}.json"))).unwrap();
            assert_eq!(experiences.to_text(), text);
        }
        let both = library.render(&in_play([]), Order::Lexicographic);
        assert_eq!(both.chars().count(), 14_083);
        assert_eq!(
            Digest::of(both.as_bytes()),
            "sha256:04d25f1c070111adabae19210e3c1b023da62f2d0036ef99ede943b77251a64d"
        );
    }
}
