//! The known name closest to one that isn't known, for "did you mean".

/// The closest of `known` by edits, if it is close enough to be a slip (a third of its length, at least two).
#[must_use]
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = folded(name);
    known
        .into_iter()
        .map(|candidate| (edits(&wanted, &folded(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `disableBypass`, `disable-bypass` and `disable_bypass` are one name to whoever mistypes it.
fn folded(name: &str) -> Vec<char> {
    name.chars().filter(char::is_ascii_alphanumeric).map(|ch| ch.to_ascii_lowercase()).take(64).collect()
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
fn edits(left: &[char], right: &[char]) -> usize {
    let width = right.len();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=width).collect();
    for (row, from) in left.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, to) in right.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, column) + usize::from(from != to))
                .min(at(&last, column + 1) + 1)
                .min(at(&line, column) + 1);
            let swapped =
                row > 0 && column > 0 && left.get(row - 1) == Some(to) && right.get(column - 1) == Some(from);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            line.push(best);
        }
        before = std::mem::replace(&mut last, line);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name_and_strangers_find_none() {
        let known = ["default", "max", "disable_bypass", "dont_ask"];
        for (name, found) in [
            ("defualt", Some("default")),
            ("disableBypas", Some("disable_bypass")),
            ("dontask", Some("dont_ask")),
            ("completely_else", None),
            ("", None),
        ] {
            // Two edits turn "" into nothing longer than two letters, and none of the names is that short
            // but for `max`, which is three away.
            assert_eq!(nearest(name, known), found, "{name}");
        }
    }
}
