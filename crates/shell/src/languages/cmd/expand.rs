//! `%NAME%`, `!NAME!`, and their slices and replacements (help SET of Windows 11).

use std::collections::BTreeMap;

use super::super::windows;

/// Puts the values of variables in their place; `…` where nobody knows.
pub(super) fn expand(text: &str, variables: &BTreeMap<String, String>, home: Option<&str>) -> String {
    const LONGEST: usize = 64 << 10;
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['%', '!']) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let mark = if rest.get(at..).is_some_and(|rest| rest.starts_with('%')) { '%' } else { '!' };
        rest = rest.get(at + 1..).unwrap_or_default();
        // Arguments of a batch file.
        if mark == '%' && rest.starts_with(|letter: char| letter.is_ascii_digit() || letter == '*') {
            out.push('…');
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if mark == '%' && rest.starts_with("~") {
            let end = rest.find(|letter: char| letter.is_ascii_digit()).map_or(0, |end| end + 1);
            let parts = rest.get(..end).unwrap_or_default();
            if end > 0 && parts.len() < 12 && !parts.contains(char::is_whitespace) {
                // `%~dp0` is the folder of the batch file.
                out.push_str(if parts.ends_with('0') && parts.contains("dp") { ".\\" } else { "…" });
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
        }
        let end =
            rest.find([mark, '\n']).filter(|end| rest.get(*end..).is_some_and(|rest| rest.starts_with(mark)));
        let Some(end) = end.filter(|end| *end > 0 && out.len() < LONGEST) else {
            out.push(mark);
            continue;
        };
        let inside = rest.get(..end).unwrap_or_default();
        let (name, how) = inside.split_once(':').map_or((inside, None), |(name, how)| (name, Some(how)));
        let plain = !name.is_empty()
            && name.chars().all(|letter| letter.is_alphanumeric() || "_-.()#$@ ".contains(letter));
        if !plain || mark == '!' && name.contains(' ') {
            out.push(mark);
            continue;
        }
        let lower = name.to_ascii_lowercase();
        let value = variables.get(&lower).cloned().or_else(|| windows::variable(&lower, home));
        match (value, how) {
            (Some(value), None) => out.push_str(&value),
            (Some(value), Some(how)) => out.push_str(&changed(&value, how)),
            (None, _) => out.push('…'),
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether a word takes a variable apart.
pub(super) fn slices(word: &str) -> bool {
    word.contains(":~")
        || word.contains('%') && word.contains(':') && word.contains('=')
        || word.matches(['%', '!']).count() > 2
}

/// `~1,2` and `from=to`.
fn changed(value: &str, how: &str) -> String {
    if value.contains('…') {
        return "…".to_owned();
    }
    if let Some(slice) = how.strip_prefix('~') {
        let mut numbers = slice.split(',').map(|number| number.trim().parse::<i64>().unwrap_or_default());
        let letters: Vec<char> = value.chars().collect();
        let count = i64::try_from(letters.len()).unwrap_or_default();
        let from = numbers.next().unwrap_or_default();
        let from = if from < 0 { (count + from).max(0) } else { from.min(count) };
        let until = match numbers.next() {
            Some(length) if length < 0 => count + length,
            Some(length) => from + length,
            None => count,
        };
        let until = until.clamp(from, count);
        let range = |number: i64| usize::try_from(number).unwrap_or_default();
        return letters.iter().skip(range(from)).take(range(until - from)).collect();
    }
    let Some((from, to)) = how.split_once('=').filter(|(from, _)| !from.is_empty()) else {
        return "…".to_owned();
    };
    let (lower, from) = (value.to_ascii_lowercase(), from.to_ascii_lowercase());
    if let Some(from) = from.strip_prefix('*') {
        return match lower.find(from) {
            Some(at) if !from.is_empty() => {
                format!("{to}{}", value.get(at + from.len()..).unwrap_or_default())
            }
            _ => value.to_owned(),
        };
    }
    let mut out = String::new();
    let mut last = 0;
    for (at, part) in lower.match_indices(&from) {
        out.push_str(value.get(last..at).unwrap_or_default());
        out.push_str(to);
        last = at + part.len();
    }
    out.push_str(value.get(last..).unwrap_or_default());
    out
}
