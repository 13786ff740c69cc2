//! Shell patterns: matching for `case`, `${x#p}`, `${x/p/r}` and globs against known names.

/// Texts longer than this are not matched; the result is unknown.
pub(crate) const LONGEST: usize = 4096;

/// Steps one match may take, so that a pattern full of `*` stays cheap.
const STEPS: u32 = 200_000;

/// Whether `pattern` matches all of `text`; `None` when it took too long to find out.
pub(crate) fn matches(pattern: &[char], text: &[char]) -> Option<bool> {
    let mut steps = STEPS;
    let found = match_here(pattern, text, &mut steps, 0);
    (steps > 0).then_some(found)
}

/// Convenience over strings.
pub(crate) fn matches_str(pattern: &str, text: &str) -> Option<bool> {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    matches(&pattern, &text)
}

fn match_here(pattern: &[char], text: &[char], steps: &mut u32, depth: u32) -> bool {
    let (mut p, mut t) = (0, 0);
    // The last `*` seen and how much of the text it has swallowed: the usual greedy match with one retreat.
    let mut star: Option<(usize, usize)> = None;
    loop {
        *steps = steps.saturating_sub(1);
        if *steps == 0 || depth > 64 {
            *steps = 0;
            return false;
        }
        if let Some((alternatives, kind, after)) = extended(pattern, p) {
            let rest = pattern.get(after..).unwrap_or_default();
            if match_extended(&alternatives, kind, rest, text.get(t..).unwrap_or_default(), steps, depth) {
                return true;
            }
        } else if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, t));
            p += 1;
            continue;
        } else if let Some(&character) = text.get(t) {
            if let Some(next) = match_one(pattern, p, character) {
                p = next;
                t += 1;
                continue;
            }
        } else if p >= pattern.len() {
            return true;
        }
        match star {
            Some((after, swallowed)) if swallowed < text.len() => {
                star = Some((after, swallowed + 1));
                p = after;
                t = swallowed + 1;
            }
            _ => return false,
        }
    }
}

/// Matches one character; the index after the pattern element that did.
fn match_one(pattern: &[char], at: usize, character: char) -> Option<usize> {
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' => (pattern.get(at + 1).copied().unwrap_or('\\') == character).then_some(at + 2),
        '[' => match set(pattern, at) {
            Some((members, negated, after)) => (contains(&members, character) != negated).then_some(after),
            None => (character == '[').then_some(at + 1),
        },
        &literal => (literal == character).then_some(at + 1),
    }
}

fn set(pattern: &[char], at: usize) -> Option<(Vec<char>, bool, usize)> {
    let mut from = at + 1;
    let negated = matches!(pattern.get(from), Some('!' | '^'));
    from += usize::from(negated);
    let mut end = from;
    loop {
        match pattern.get(end)? {
            ']' if end > from => break,
            '[' if pattern.get(end + 1) == Some(&':') => {
                let mut close = end + 2;
                while pattern.get(close).is_some_and(|&character| character != ':') {
                    close += 1;
                }
                end = close + 2;
            }
            '\\' => end += 2,
            _ => end += 1,
        }
    }
    Some((pattern.get(from..end)?.to_vec(), negated, end + 1))
}

fn contains(members: &[char], character: char) -> bool {
    let mut at = 0;
    while let Some(&member) = members.get(at) {
        if member == '[' && members.get(at + 1) == Some(&':') {
            let name: String =
                members.iter().skip(at + 2).take_while(|&&character| character != ':').collect();
            if class(&name, character) {
                return true;
            }
            at += name.chars().count() + 4;
            continue;
        }
        if members.get(at + 1) == Some(&'-')
            && let Some(&last) = members.get(at + 2)
        {
            if (member..=last).contains(&character) {
                return true;
            }
            at += 3;
            continue;
        }
        if member == '\\' {
            at += 1;
            if members.get(at) == Some(&character) {
                return true;
            }
        } else if member == character {
            return true;
        }
        at += 1;
    }
    false
}

/// Members of a POSIX character class.
pub(crate) fn class(name: &str, character: char) -> bool {
    match name {
        "alpha" => character.is_alphabetic(),
        "digit" => character.is_ascii_digit(),
        "alnum" => character.is_alphanumeric(),
        "upper" => character.is_uppercase(),
        "lower" => character.is_lowercase(),
        "space" => character.is_whitespace(),
        "blank" => matches!(character, ' ' | '\t'),
        "punct" => character.is_ascii_punctuation(),
        "xdigit" => character.is_ascii_hexdigit(),
        "print" => !character.is_control(),
        "graph" => !character.is_control() && character != ' ',
        "cntrl" => character.is_control(),
        "word" => character.is_alphanumeric() || character == '_',
        _ => false,
    }
}

type Extended = (Vec<Vec<char>>, char, usize);

fn extended(pattern: &[char], at: usize) -> Option<Extended> {
    let kind = *pattern.get(at)?;
    if !matches!(kind, '@' | '?' | '*' | '+' | '!') || pattern.get(at + 1) != Some(&'(') {
        return None;
    }
    let mut alternatives = vec![Vec::new()];
    let mut depth = 0_u32;
    let mut index = at + 2;
    loop {
        let character = *pattern.get(index)?;
        match character {
            ')' if depth == 0 => return Some((alternatives, kind, index + 1)),
            '|' if depth == 0 => alternatives.push(Vec::new()),
            _ => {
                match character {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                alternatives.last_mut()?.push(character);
            }
        }
        index += 1;
    }
}

fn match_extended(
    alternatives: &[Vec<char>],
    kind: char,
    rest: &[char],
    text: &[char],
    steps: &mut u32,
    depth: u32,
) -> bool {
    if matches!(kind, '?' | '*') && match_here(rest, text, steps, depth + 1) {
        return true;
    }
    for end in 0..=text.len() {
        let (head, tail) = text.split_at(end);
        let hit = alternatives.iter().any(|alternative| match_here(alternative, head, steps, depth + 1));
        if *steps == 0 {
            return false;
        }
        let goes_on = match kind {
            '!' => !hit && match_here(rest, tail, steps, depth + 1),
            '+' | '*' if hit && end > 0 => {
                match_here(rest, tail, steps, depth + 1)
                    || match_extended(alternatives, '*', rest, tail, steps, depth + 1)
            }
            _ => hit && match_here(rest, tail, steps, depth + 1),
        };
        if goes_on {
            return true;
        }
    }
    false
}

/// Takes the shortest or longest match of `pattern` off the front or back of `text`.
pub(crate) fn trim(text: &str, pattern: &str, front: bool, longest: bool) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    if characters.len() > LONGEST {
        return None;
    }
    let lengths: Box<dyn Iterator<Item = usize>> =
        if longest { Box::new((0..=characters.len()).rev()) } else { Box::new(0..=characters.len()) };
    let mut steps = STEPS;
    for length in lengths {
        let cut = if front { length } else { characters.len() - length };
        let (head, tail) = characters.split_at(cut);
        let (taken, kept) = if front { (head, tail) } else { (tail, head) };
        if match_here(&pattern, taken, &mut steps, 0) {
            return Some(kept.iter().collect());
        }
        if steps == 0 {
            return None;
        }
    }
    Some(text.to_owned())
}

/// Where a replacement may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The first match.
    First,
    /// Every match.
    All,
    /// Only at the front.
    Front,
    /// Only at the back.
    Back,
}

/// `${x/p/r}`: the longest match at each place.
pub(crate) fn replace(text: &str, pattern: &str, with: &str, anchor: Anchor) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    if characters.len() > LONGEST {
        return None;
    }
    if pattern.is_empty() {
        return Some(match anchor {
            Anchor::Front => format!("{with}{text}"),
            Anchor::Back => format!("{text}{with}"),
            _ => text.to_owned(),
        });
    }
    let mut steps = STEPS;
    let mut out = String::new();
    let mut at = 0;
    while at <= characters.len() {
        let rest = characters.get(at..).unwrap_or_default();
        let mut hit = None;
        for length in (0..=rest.len()).rev() {
            if anchor == Anchor::Back && length != rest.len() {
                break;
            }
            if match_here(&pattern, rest.get(..length).unwrap_or_default(), &mut steps, 0) {
                hit = Some(length);
                break;
            }
            if steps == 0 {
                return None;
            }
        }
        if let Some(length) = hit.filter(|&length| length > 0) {
            out.push_str(with);
            at += length;
            if anchor != Anchor::All {
                out.extend(characters.get(at..).unwrap_or_default());
                return Some(out);
            }
        } else {
            if anchor == Anchor::Front {
                return Some(text.to_owned());
            }
            out.extend(characters.get(at));
            at += 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_bash() {
        let cases = [
            ("*.rs", "main.rs", true),
            ("r?", "rm", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[[:digit:]]*", "1a", true),
            ("a\\*b", "a*b", true),
            ("@(foo|bar)z", "barz", true),
            ("+(a|b)", "abba", true),
            ("!(a)", "a", false),
            ("!(a)", "b", true),
            ("*a*b*", "xxaybz", true),
            ("", "", true),
            ("?", "", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches_str(pattern, text), Some(expected), "{pattern} {text}");
        }
        assert!(matches_str(&"*a".repeat(200), &"a".repeat(4000)).is_some());
    }

    #[test]
    fn parts_are_taken_off_and_replaced() {
        assert_eq!(trim("a/b/c", "*/", true, false).as_deref(), Some("b/c"));
        assert_eq!(trim("a/b/c", "*/", true, true).as_deref(), Some("c"));
        assert_eq!(trim("a.b.c", ".*", false, false).as_deref(), Some("a.b"));
        assert_eq!(replace("gQitQ", "Q", "", Anchor::First).as_deref(), Some("gitQ"));
        assert_eq!(replace("aXbX", "X", "-", Anchor::All).as_deref(), Some("a-b-"));
        assert_eq!(replace("rmm", "m", "x", Anchor::Back).as_deref(), Some("rmx"));
    }
}
