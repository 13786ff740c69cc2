//! Personal data in a text: mail addresses, which count if several leave together, and social security and card
//! numbers, one of which is enough.

/// Limit on pieces kept of one text.
const MOST: usize = 512;
/// This many addresses of one result that leave together count as a list of people.
pub(crate) const MANY: usize = 3;

/// The addresses of people in a text.
pub(crate) fn addresses(text: &str) -> Vec<&str> {
    let breaks = |letter: char| letter.is_whitespace() || "\"'`()<>[]{}|,;:=".contains(letter);
    let mut found: Vec<&str> = text
        .split(breaks)
        .map(|word| word.trim_matches(['.', '!', '?']))
        .filter(|word| {
            word.split_once('@').is_some_and(|(user, host)| {
                !user.is_empty()
                    && !user.eq_ignore_ascii_case("git")
                    && host.contains('.')
                    && !host.contains('/')
            })
        })
        .take(MOST)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Identity and payment numbers in a text: social security numbers, payment cards with their check digit.
pub(crate) fn numbers(text: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '-';
    text.split(|letter: char| !is_part(letter))
        .map(|word| word.trim_matches('-'))
        .filter(|word| is_social_security(word) || is_card(word))
        .take(MOST)
        .collect()
}

/// `AAA-GG-SSSS` with an assigned area number (SSA, 2011: not 000, 666, 900 to 999; no group 00, no serial 0000).
fn is_social_security(word: &str) -> bool {
    let mut parts = word.split('-');
    let (Some(area), Some(group), Some(serial), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let sizes = (area.len(), group.len(), serial.len()) == (3, 2, 4);
    sizes && area != "000" && area != "666" && !area.starts_with('9') && group != "00" && serial != "0000"
}

/// 15 or 16 digits in groups with hyphens (a run without groups is too often an identifier), whose check digit fits.
fn is_card(word: &str) -> bool {
    let digits: Vec<u32> = word.chars().filter_map(|letter| letter.to_digit(10)).collect();
    if !word.contains('-') || !(15..=16).contains(&digits.len()) {
        return false;
    }
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_their_numbers_are_found() {
        let text = "Ada <ada.m@a.example>, ben@b.example; git@github.com:x/y ssh://git@h.example/x";
        assert_eq!(addresses(text), ["ada.m@a.example", "ben@b.example"]);
        assert_eq!(
            numbers("mine is: 398-22-1134, card 4111-1111-1111-1111."),
            ["398-22-1134", "4111-1111-1111-1111"]
        );
        for text in ["2024-01-30", "1-800-555-0100", "000-12-3456", "4111-1111-1111-1112", "4111111111111111"]
        {
            assert!(numbers(text).is_empty(), "{text}");
        }
    }
}
