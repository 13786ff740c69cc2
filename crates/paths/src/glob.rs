//! Shell wildcards within one path component, for tables of names and for operands that couldn't be expanded because
//! no folder was available.

/// Whether `pattern` (with `*`, `?`, `[…]`) matches the whole of `name`. Linear in pattern × name.
///
/// A wildcard at the start doesn't match a leading dot, as in a shell without `dotglob`.
#[must_use]
pub fn matches_component(pattern: &str, name: &str) -> bool {
    let first_is_wild = pattern.starts_with(['*', '?', '[']);
    !(first_is_wild && name.starts_with('.')) && wild(&tokens(pattern), &name.chars().collect::<Vec<_>>())
}

/// Whether a path pattern matches the whole path. `**` stands for any number of components; in a pattern with it,
/// wildcards also match a leading dot, as in find(1).
#[must_use]
pub fn matches_path(pattern: &str, path: &str) -> bool {
    matches_components(&names(pattern), &names(path))
}

/// Whether it matches the path or one of its parent folders, except the topmost.
#[must_use]
pub fn matches_path_or_above(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (names(pattern), names(path));
    (2..=path.len()).filter_map(|count| path.get(..count)).any(|part| matches_components(&pattern, part))
}

fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".").collect()
}

/// Two-row table over the components: time is linear in pattern × path, for any number of `**`.
fn matches_components(pattern: &[&str], path: &[&str]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for own in pattern {
        let mut next = vec![false; path.len() + 1];
        let mut before = false;
        for (at, cell) in next.iter_mut().enumerate() {
            let here = reached.get(at).copied().unwrap_or(false);
            *cell = if *own == "**" {
                before || here
            } else {
                let last = at.checked_sub(1);
                let came = last.and_then(|last| reached.get(last)).copied().unwrap_or(false);
                came && last
                    .and_then(|last| path.get(last))
                    .is_some_and(|name| wild(&tokens(own), &name.chars().collect::<Vec<_>>()))
            };
            before = *cell;
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

/// Whether one name could match both patterns: a command's and a table's.
#[must_use]
pub fn overlaps(command: &str, table: &str) -> bool {
    if command.starts_with(['*', '?', '[']) && table.starts_with('.') {
        return false;
    }
    meet(&tokens(command), &tokens(table))
}

/// Whether the text contains a wildcard.
#[must_use]
pub fn is_pattern(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

/// Number of characters that a pattern fixes.
#[must_use]
pub fn fixed_characters(pattern: &str) -> usize {
    tokens(pattern).iter().filter(|token| matches!(token, Token::Is(_))).count()
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Any,
    One,
    Is(char),
    Of { members: Vec<(char, char)>, negated: bool },
}

impl Token {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Is(own) => *own == c,
            Self::Of { members, negated } => {
                members.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut out = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        match c {
            '*' if out.last() == Some(&Token::Any) => {}
            '*' => out.push(Token::Any),
            '?' => out.push(Token::One),
            '[' => match bracket(chars.get(at..).unwrap_or_default()) {
                Some((token, used)) => {
                    out.push(token);
                    at += used;
                }
                None => out.push(Token::Is('[')),
            },
            other => out.push(Token::Is(*other)),
        }
    }
    out
}

fn bracket(rest: &[char]) -> Option<(Token, usize)> {
    let negated = matches!(rest.first(), Some('!' | '^'));
    let from = usize::from(negated);
    let end = rest.iter().skip(from + 1).position(|c| *c == ']')? + from + 1;
    let inner = rest.get(from..end)?;
    let mut members = Vec::new();
    let mut at = 0;
    while let Some(low) = inner.get(at) {
        match (inner.get(at + 1), inner.get(at + 2)) {
            (Some('-'), Some(high)) => {
                members.push((*low, *high));
                at += 3;
            }
            _ => {
                members.push((*low, *low));
                at += 1;
            }
        }
    }
    // A bracket of one character is that character: `[e]nv` fixes as much as `env`.
    match members.as_slice() {
        [(low, high)] if low == high && !negated => Some((Token::Is(*low), end + 1)),
        _ => Some((Token::Of { members, negated }, end + 1)),
    }
}

fn wild(pattern: &[Token], name: &[char]) -> bool {
    let (mut p, mut n, mut star, mut mark) = (0, 0, None, 0);
    while let Some(c) = name.get(n) {
        match pattern.get(p) {
            Some(Token::Any) => {
                star = Some(p);
                mark = n;
                p += 1;
            }
            Some(token) if token.takes(*c) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some(at) => {
                    p = at + 1;
                    mark += 1;
                    n = mark;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|token| *token == Token::Any)
}

fn meet(left: &[Token], right: &[Token]) -> bool {
    // reachable[j]: the part of `left` read so far can match the first j tokens of `right`.
    let width = right.len() + 1;
    let mut reachable = vec![false; width];
    close(&mut reachable, right, true);
    for token in left {
        let mut next = vec![false; width];
        for (index, was) in reachable.iter().enumerate().filter(|(_, was)| **was) {
            debug_assert!(*was);
            if *token == Token::Any {
                for slot in next.iter_mut().skip(index) {
                    *slot = true;
                }
                continue;
            }
            let Some(other) = right.get(index) else { continue };
            let agree = match (token, other) {
                (_, Token::Any | Token::One) | (Token::One, _) => true,
                (Token::Is(c), other) => other.takes(*c),
                (own, Token::Is(c)) => own.takes(*c),
                _ => true,
            };
            if agree {
                let target = if *other == Token::Any { index } else { index + 1 };
                if let Some(slot) = next.get_mut(target) {
                    *slot = true;
                }
            }
        }
        close(&mut next, right, false);
        reachable = next;
    }
    reachable.last().copied().unwrap_or(false)
}

/// A star of the right side may match nothing.
fn close(reachable: &mut [bool], right: &[Token], start: bool) {
    if start && let Some(first) = reachable.first_mut() {
        *first = true;
    }
    for (index, token) in right.iter().enumerate() {
        if *token == Token::Any
            && reachable.get(index).copied().unwrap_or(false)
            && let Some(slot) = reachable.get_mut(index + 1)
        {
            *slot = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_whole_paths_match_through_any_folders() {
        for (pattern, path, whole, above) in [
            ("/home/u/**/settings.json", "/home/u/.claude/settings.json", true, true),
            ("/home/u/**/*.json", "/home/u/.claude/settings.json", true, true),
            ("/home/u/**", "/home/u/.claude/settings.json", true, true),
            ("/home/u/**/.claude", "/home/u/.claude/settings.json", false, true),
            ("/home/u/**/node_modules", "/home/u/.claude/settings.json", false, false),
            ("/home/u/project/**/*.json", "/home/u/.claude/settings.json", false, false),
            ("/**/**/**/x", "/a/b/c/d", false, false),
        ] {
            assert_eq!(matches_path(pattern, path), whole, "{pattern}");
            assert_eq!(matches_path_or_above(pattern, path), above, "{pattern}");
        }
    }

    #[test]
    fn matches_like_a_shell() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*", ".env", false),
            (".e*", ".env", true),
            (".??v", ".env", true),
            ("[.]env", ".env", false),
            (".[a-f]nv", ".env", true),
            (".[!e]nv", ".env", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("[", "[", true),
            ("", "", true),
        ] {
            assert_eq!(matches_component(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_overlap_when_some_name_fits_both() {
        for (left, right, expected) in [
            (".env*", ".env", true),
            (".e*", ".env.*", true),
            ("*.p?m", "*.pem", true),
            ("*", ".env", false),
            ("*.rs", "*.pem", false),
            ("id_*", "id_rsa", true),
            ("a*", "b*", false),
        ] {
            assert_eq!(overlaps(left, right), expected, "{left} {right}");
        }
    }
}
