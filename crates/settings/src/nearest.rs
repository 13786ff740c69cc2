//! The known name closest to one that isn't known, for "did you mean".

/// The closest of `known` by edits, if it is close enough to be a slip (a third of its length, at least two).
#[must_use]
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = folded(name);
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &folded(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `disableBypass`, `disable-bypass` and `disable_bypass` are one name to whoever mistypes it.
fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|ch| ch.to_ascii_lowercase()).take(64).collect()
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
