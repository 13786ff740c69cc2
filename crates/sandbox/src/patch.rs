//! Changes as text: one line per entry, and the changed lines of small text files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::overlay::{ChangeKind, CollectedChange, EntryKind};

/// For files larger than this only the size is shown.
const LARGEST: u64 = 64 << 10;
/// Limit on lines compared on each side; the comparison is quadratic in the part that differs.
const MOST_LINES: usize = 2000;

/// Appends a change to the text.
pub(crate) fn describe(change: &CollectedChange, lower: &Path, upper: &Path, text: &mut String) {
    let mark = match change.kind {
        ChangeKind::Created => "A",
        ChangeKind::Modified => "M",
        ChangeKind::Mode => "m",
        ChangeKind::Deleted => "D",
    };
    let slash = if change.entry == EntryKind::Directory { "/" } else { "" };
    // File names are untrusted text: control characters are shown escaped.
    let name = change.path.to_string_lossy().chars().flat_map(visible).collect::<String>();
    let refused = change.refused.map_or_else(String::new, |refusal| format!(" (not merged: {refusal:?})"));
    let _ = writeln!(text, "{mark} {name}{slash} {} -> {} bytes{refused}", change.before, change.after);
    let is_text = change.entry == EntryKind::File && change.before.max(change.after) <= LARGEST;
    if !is_text || change.kind == ChangeKind::Mode {
        return;
    }
    let read = |path: &Path, there: bool| {
        if there {
            fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        } else {
            Some(String::new())
        }
    };
    let old = read(lower, change.kind != ChangeKind::Created);
    let new = read(upper, change.kind != ChangeKind::Deleted);
    if let (Some(old), Some(new)) = (old, new) {
        lines(&old, &new, text);
    }
}

fn visible(letter: char) -> Vec<char> {
    if letter.is_control() { letter.escape_default().collect() } else { vec![letter] }
}

/// The changed lines: common start and end are left out, the rest is compared by longest common subsequence.
fn lines(old: &str, new: &str, text: &mut String) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(left, right)| left == right).count();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(left, right)| left == right).count();
    let old = old.get(..old.len() - end).unwrap_or_default();
    let new = new.get(..new.len() - end).unwrap_or_default();
    if old.is_empty() && new.is_empty() {
        return;
    }
    let _ = writeln!(text, "@@ line {} @@", start + 1);
    if old.len() > MOST_LINES || new.len() > MOST_LINES {
        let _ = writeln!(text, "-{} lines\n+{} lines", old.len(), new.len());
        return;
    }
    let common = common_lengths(old, new);
    let length =
        |row: usize, column: usize| common.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0);
    let (mut left, mut right) = (0, 0);
    while left < old.len() || right < new.len() {
        match (old.get(left), new.get(right)) {
            (Some(gone), Some(come)) if gone == come => {
                let _ = writeln!(text, " {gone}");
                (left, right) = (left + 1, right + 1);
            }
            (Some(gone), come) if come.is_none() || length(left + 1, right) >= length(left, right + 1) => {
                let _ = writeln!(text, "-{gone}");
                left += 1;
            }
            (_, Some(come)) => {
                let _ = writeln!(text, "+{come}");
                right += 1;
            }
            _ => break,
        }
    }
}

/// `result[i][j]` is the length of the longest common subsequence of `old[i..]` and `new[j..]`.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<u16>> {
    let mut rows = vec![vec![0_u16; new.len() + 1]];
    for gone in old.iter().rev() {
        let below = rows.last().cloned().unwrap_or_default();
        let mut row = vec![0_u16; new.len() + 1];
        let mut right = 0;
        for (column, come) in new.iter().enumerate().rev() {
            let diagonal = below.get(column + 1).copied().unwrap_or(0);
            let down = below.get(column).copied().unwrap_or(0);
            right = if gone == come { diagonal + 1 } else { down.max(right) };
            if let Some(cell) = row.get_mut(column) {
                *cell = right;
            }
        }
        rows.push(row);
    }
    rows.reverse();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_shown() {
        for (old, new, shown) in [
            ("a\nb\nc\n", "a\nB\nc\n", "@@ line 2 @@\n-b\n+B\n"),
            ("", "x\n", "@@ line 1 @@\n+x\n"),
            ("x\ny\n", "", "@@ line 1 @@\n-x\n-y\n"),
            ("same\n", "same\n", ""),
            ("1\n2\n3\n4\n", "0\n2\n3\n5\n", "@@ line 1 @@\n-1\n+0\n 2\n 3\n-4\n+5\n"),
        ] {
            let mut text = String::new();
            lines(old, new, &mut text);
            assert_eq!(text, shown, "{old:?} {new:?}");
        }
    }
}
