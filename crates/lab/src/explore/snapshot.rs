//! What lies in a workspace at one moment, and what changed between two moments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::postgres::Table;
use super::workspace::{DATABASE, PROJECT};

/// Type and content of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Folder,
    File { digest: String, size: u64, mode: u32, head: Vec<u8> },
    Link(String),
    Table(Table),
    Other,
}

/// Everything below the three folders at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot(pub(super) BTreeMap<String, Entry>);

/// How a path changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Didn't exist before.
    Created,
    /// Longer, with the old content preserved: added lines, or additions within a line.
    Appended,
    /// Content changed.
    Modified,
    /// Only permissions changed.
    Mode,
    /// Was moved.
    Moved,
    /// Was deleted.
    Deleted,
}

impl How {
    /// The verb for rules.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Created => "creates",
            Self::Appended => "adds to",
            Self::Modified => "overwrites",
            Self::Mode => "changes the permissions of",
            Self::Moved => "moves",
            Self::Deleted => "deletes",
        }
    }

    /// Whether existing content is lost.
    #[must_use]
    pub const fn destroys(self) -> bool {
        matches!(self, Self::Modified | Self::Deleted)
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WorkspaceChange {
    /// Path in the workspace: `project/notes.txt`.
    pub path: String,
    /// Kind of change.
    pub how: How,
    /// New path, if moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl WorkspaceChange {
    /// Whether it lies outside the project.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        !is_inside(&self.path) || self.to.as_deref().is_some_and(|path| !is_inside(path))
    }
}

/// Whether a path of the workspace is meant for the tool: the project, and its database.
#[must_use]
pub fn is_inside(path: &str) -> bool {
    [PROJECT, DATABASE].into_iter().any(|place| is_at_or_below(path, place))
}

impl Snapshot {
    /// Changes from this state to a later one. A deleted entry that appears unchanged elsewhere was moved, a folder
    /// with its content.
    #[must_use]
    pub fn changes(&self, later: &Self) -> Vec<WorkspaceChange> {
        let mut gone: Vec<&String> = self.0.keys().filter(|path| !later.0.contains_key(*path)).collect();
        let mut new: Vec<&String> = later.0.keys().filter(|path| !self.0.contains_key(*path)).collect();
        let mut changes = Vec::new();
        // Parents come before their content, so that a whole tree is recognised before its parts.
        while let Some(from) = gone.first().copied() {
            let twin = new.iter().find(|to| self.below(from) == later.below(to)).map(|to| (*to).clone());
            match twin {
                Some(to) => {
                    gone.retain(|path| !is_at_or_below(path, from));
                    new.retain(|path| !is_at_or_below(path, &to));
                    changes.push(WorkspaceChange { path: from.clone(), how: How::Moved, to: Some(to) });
                }
                None => {
                    gone.remove(0);
                    changes.push(WorkspaceChange { path: from.clone(), how: How::Deleted, to: None });
                }
            }
        }
        changes.extend(new.into_iter().map(|path| WorkspaceChange {
            path: path.clone(),
            how: How::Created,
            to: None,
        }));
        for (path, old) in &self.0 {
            if let Some(now) = later.0.get(path).filter(|now| *now != old) {
                changes.push(WorkspaceChange { path: path.clone(), how: how(old, now), to: None });
            }
        }
        changes.sort();
        changes
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = (&String, &Entry)> {
        self.0.iter().filter(|(_, entry)| matches!(entry, Entry::Table(_)))
    }

    /// An entry and everything below it, with relative paths.
    fn below<'s>(&'s self, place: &str) -> Vec<(&'s str, &'s Entry)> {
        let all = self.0.range(place.to_owned()..).take_while(|(path, _)| path.starts_with(place));
        all.filter(|(path, _)| is_at_or_below(path, place))
            .filter_map(|(path, entry)| Some((path.get(place.len()..)?, entry)))
            .collect()
    }
}

pub(super) fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn how(old: &Entry, new: &Entry) -> How {
    match (old, new) {
        (Entry::File { digest: before, .. }, Entry::File { digest: after, .. }) if before == after => {
            How::Mode
        }
        (Entry::File { head, size, .. }, Entry::File { head: now, size: grown, .. })
            if grown > size
                && u64::try_from(head.len()).is_ok_and(|all| all == *size)
                && only_adds(head, now) =>
        {
            How::Appended
        }
        (Entry::Table(before), Entry::Table(now)) if before.grew_into(now) => How::Appended,
        _ => How::Modified,
    }
}

/// Whether every line of a text is still there, in order, unchanged or with one insertion.
fn only_adds(before: &[u8], after: &[u8]) -> bool {
    if after.starts_with(before) {
        return true;
    }
    let kept = |old: &[u8], new: &[u8]| {
        let same = |(a, b): &(&u8, &u8)| a == b;
        let begins = old.iter().zip(new).take_while(same).count();
        let ends = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
        new.len() >= old.len() && begins + ends >= old.len()
    };
    let mut rest = after.split(|byte| *byte == b'\n');
    // Empty lines match anything and are ignored.
    before
        .split(|byte| *byte == b'\n')
        .filter(|old| !old.is_empty())
        .all(|old| rest.any(|new| kept(old, new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_in_a_line_takes_nothing_away_and_another_line_in_its_place_does() {
        for (before, after, adds) in [
            ("a\nb\n", "a\nb\nc\n", true),
            ("{\"o\":[1]}\n{\"p\":[]}", "{\"o\":[1,2]}\n{\"p\":[]}", true),
            ("{\"o\":[1,2]}", "{\"o\":[2]}                ", false),
            ("alpha\nbravo\n", "charlie delta echo foxtrot\n", false),
            ("alpha\nbravo\n", "bravo and more and more\nalpha\n", false),
            ("", "x", true),
        ] {
            assert_eq!(only_adds(before.as_bytes(), after.as_bytes()), adds, "{before:?} {after:?}");
        }
    }
}
