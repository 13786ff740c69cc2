//! Finds the known name closest to an unknown one, for "did you mean".

/// The closest of `known` by edit distance, if near enough for a typing error (a third of its length, at least two).
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

/// `disableBypass`, `disable-bypass` and `disable_bypass` count as the same name.
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
            // Two edits can't turn "" into a known name: the shortest, `max`, needs three.
            assert_eq!(nearest(name, known), found, "{name}");
        }
    }
}
