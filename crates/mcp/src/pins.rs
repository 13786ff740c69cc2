//! Pins: the definitions of a server that were accepted, by a person or at first use, and how they differ from the
//! current ones.
//!
//! Reading a definition never changes a pin. A changed tool stays hidden and can't be called until a person has
//! seen the difference.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use crate::definition::{Definition, UNPINNED};
use crate::scan::{ScanFinding, ScanVerdict};

/// Status of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Listed, and callable if the policy allows it.
    Approved,
    /// New: neither listed nor callable.
    Pending,
    /// Differs from what was approved: neither listed nor callable.
    Changed,
}

impl State {
    /// The stored word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Pending => "pending",
            Self::Changed => "changed",
        }
    }
}

/// Code for a change of an unpinned member: reported, without further effect.
pub const UNPINNED_CHANGED: &str = "pin.changed.unpinned";

/// Members whose change has a code of its own, in display order.
const CHANGES: &[(&str, &str)] = &[
    ("description", "pin.changed.description"),
    ("inputSchema", "pin.changed.input_schema"),
    ("outputSchema", "pin.changed.output_schema"),
    ("annotations", "pin.changed.annotations"),
];

/// Members of two definitions, the most important ones first.
fn members<'d>(pinned: &'d Definition, current: &'d Definition) -> impl Iterator<Item = &'d str> {
    let known = CHANGES.iter().map(|(member, _)| *member);
    let further: BTreeSet<&str> = pinned.names().chain(current.names()).collect();
    known.chain(further.into_iter().filter(|name| CHANGES.iter().all(|(member, _)| member != name)))
}

/// Changes of pinned members between a pinned definition and the current one.
#[must_use]
pub fn changes(server: &str, pinned: &Definition, current: &Definition) -> Vec<ScanFinding> {
    let (before, after) = (pinned.digests(), current.digests());
    members(pinned, current)
        .filter(|member| before.get(member) != after.get(member) && !UNPINNED.contains(member))
        .map(|member| {
            let known = CHANGES.iter().find(|(known, _)| *known == member);
            let code = known.map_or("pin.changed.other", |(_, code)| *code);
            let pointer = format!("/{}", member.replace('~', "~0").replace('/', "~1"));
            let message = format!("the {member} is not what was approved");
            ScanFinding::new(code, ScanVerdict::Review, server, &current.name, Some(pointer), message)
        })
        .collect()
}

/// Whether an unpinned member differs.
#[must_use]
pub fn differs_unpinned(pinned: &Definition, current: &Definition) -> bool {
    UNPINNED.iter().any(|member| pinned.get(member) != current.get(member))
}

/// Tools of a pinned server that are new, removed or renamed.
#[must_use]
pub fn comings(server: &str, pinned: &[Definition], current: &[Definition]) -> Vec<ScanFinding> {
    let is_in = |name: &str, list: &[Definition]| list.iter().any(|one| one.name == name);
    let gone: Vec<&Definition> = pinned.iter().filter(|one| !is_in(&one.name, current)).collect();
    let mut renamed: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for new in current.iter().filter(|one| !is_in(&one.name, pinned)) {
        let was = gone.iter().find(|old| {
            !renamed.contains(&old.name.as_str())
                && old.get("inputSchema") == new.get("inputSchema")
                && strsim::normalized_damerau_levenshtein(old.description(), new.description()) > 0.8
        });
        let (code, message) = match was {
            Some(old) => {
                renamed.push(&old.name);
                ("pin.renamed", format!("looks like `{}` under another name", old.name))
            }
            None => ("pin.new_tool", "wasn't there when the server was approved".to_owned()),
        };
        findings.push(ScanFinding::new(code, ScanVerdict::Review, server, &new.name, None, message));
    }
    for old in gone.iter().filter(|old| !renamed.contains(&old.name.as_str())) {
        let message = "was approved and is no longer listed".to_owned();
        findings.push(ScanFinding::new("pin.removed", ScanVerdict::Ok, server, &old.name, None, message));
    }
    findings
}

/// A run of words in a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiffPart {
    /// In both.
    Same(String),
    /// Only in the approved version.
    Gone(String),
    /// Only in the current version.
    New(String),
}

/// The word-by-word difference of two definitions, one list of parts for each differing member.
#[must_use]
pub fn differences(pinned: &Definition, current: &Definition) -> Vec<(String, Vec<DiffPart>)> {
    let text = |definition: &Definition, member: &str| {
        definition.get(member).map_or_else(String::new, |value| {
            value.as_str().map_or_else(
                || serde_json::to_string_pretty(&serde_json::Value::from(value)).unwrap_or_default(),
                str::to_owned,
            )
        })
    };
    // Unpinned members are shown too, because the scan may have found something in them.
    members(pinned, current)
        .filter(|member| pinned.get(member) != current.get(member))
        .map(|member| (member.to_owned(), words(&text(pinned, member), &text(current, member))))
        .collect()
}

/// The difference of two texts, word by word.
#[must_use]
pub fn words(before: &str, after: &str) -> Vec<DiffPart> {
    let mut parts: Vec<DiffPart> = Vec::new();
    for change in TextDiff::from_words(before, after).iter_all_changes() {
        let word = change.value();
        match (change.tag(), parts.last_mut()) {
            (ChangeTag::Equal, Some(DiffPart::Same(text)))
            | (ChangeTag::Delete, Some(DiffPart::Gone(text)))
            | (ChangeTag::Insert, Some(DiffPart::New(text))) => text.push_str(word),
            (ChangeTag::Equal, _) => parts.push(DiffPart::Same(word.to_owned())),
            (ChangeTag::Delete, _) => parts.push(DiffPart::Gone(word.to_owned())),
            (ChangeTag::Insert, _) => parts.push(DiffPart::New(word.to_owned())),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_word_by_word() {
        let before = Definition::of(r#"{"name":"a","description":"Return a random fact."}"#).unwrap();
        let after = Definition::of(r#"{"name":"a","description":"Return a fact and send it."}"#).unwrap();
        let differences = differences(&before, &after);
        assert_eq!(differences.len(), 1);
        let gone: String = differences[0]
            .1
            .iter()
            .filter_map(|part| if let DiffPart::Gone(text) = part { Some(text.as_str()) } else { None })
            .collect();
        assert!(gone.contains("random"), "{differences:?}");
        assert_eq!(changes("s", &before, &after)[0].code, "pin.changed.description");
    }

    #[test]
    fn a_change_of_any_member_is_told() {
        let before = Definition::of(r#"{"name":"a"}"#).unwrap();
        for (member, code) in [
            ("execution", Some("pin.changed.other")),
            ("title", Some("pin.changed.other")),
            ("x-vendor", Some("pin.changed.other")),
            ("annotations", Some("pin.changed.annotations")),
            ("_meta", None),
            ("icons", None),
        ] {
            let after = Definition::of(&format!(r#"{{"name":"a","{member}":{{"x":1}}}}"#)).unwrap();
            for (one, other) in [(&before, &after), (&after, &before)] {
                let found = changes("s", one, other);
                assert_eq!(found.first().map(|finding| finding.code.as_str()), code, "{member}: {found:?}");
                assert_eq!(differs_unpinned(one, other), code.is_none(), "{member}");
                assert_eq!(differences(one, other).len(), 1, "{member}");
            }
        }
    }
}
