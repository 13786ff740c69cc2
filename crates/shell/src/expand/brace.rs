//! Brace expansion: `{a,b}` and `{1..9}`, on raw text, before anything else is expanded.

use super::scan::{self, Bytes};
use crate::value::HOLE;

/// The most words one word may become.
const MOST: usize = 1024;

/// The words a raw word stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    /// There is nothing to expand.
    Nothing,
    Words(Vec<String>),
    /// More than are made: a text that all of them fit.
    Pattern(String),
}

/// The words a raw word stands for.
pub(crate) fn expand(raw: &str) -> Expanded {
    if !raw.contains('{') {
        return Expanded::Nothing;
    }
    let mut out = Vec::new();
    let mut budget = MOST;
    match (expand_into(raw, &mut out, &mut budget, 0), budget) {
        (false, _) => Expanded::Nothing,
        (true, 0) => pattern(raw).map_or(Expanded::Nothing, Expanded::Pattern),
        (true, _) => Expanded::Words(out),
    }
}

/// A text that fits every word of a raw word: what a list holds isn't known, and a range stands for any letters.
/// `None` where numbers are all that differ, which tell nothing about what is named.
fn pattern(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut only_numbers = true;
    while let Some((open, close, commas)) = find(Bytes(rest.as_bytes())) {
        text.push_str(rest.get(..open).unwrap_or_default());
        text.push(if commas.is_empty() { '*' } else { HOLE });
        only_numbers &= commas.is_empty() && numbers(rest.get(open + 1..close).unwrap_or_default()).is_some();
        rest = rest.get(close + 1..).unwrap_or_default();
    }
    text.push_str(rest);
    (!only_numbers).then_some(text)
}

/// How many words a raw word stands for.
pub(crate) fn count(raw: &str, depth: u32) -> u128 {
    let bytes = Bytes(raw.as_bytes());
    let Some((open, close, commas)) = find(bytes).filter(|_| depth < 8) else { return 1 };
    let inner = raw.get(open + 1..close).unwrap_or_default();
    let mut from = open + 1;
    let mut own: u128 = 0;
    for &end in commas.iter().chain(std::iter::once(&close)) {
        own = own.saturating_add(count(raw.get(from..end).unwrap_or_default(), depth + 1));
        from = end + 1;
    }
    if commas.is_empty() {
        own = numbers(inner).unwrap_or(1);
    }
    own.saturating_mul(count(raw.get(close + 1..).unwrap_or_default(), depth + 1))
}

/// How many numbers `1..5` or `1..9..2` is.
fn numbers(inner: &str) -> Option<u128> {
    let mut parts = inner.split("..").map(|part| part.parse::<i64>());
    let (from, to) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let step = parts.next().and_then(Result::ok).unwrap_or(1).unsigned_abs().max(1);
    Some(u128::from(from.abs_diff(to) / step) + 1)
}

/// Appends the expansions of `raw`; false if it holds no brace expression.
fn expand_into(raw: &str, out: &mut Vec<String>, budget: &mut usize, depth: u32) -> bool {
    let bytes = Bytes(raw.as_bytes());
    let Some((open, close, commas)) = find(bytes) else {
        *budget = budget.saturating_sub(1);
        out.push(raw.to_owned());
        return false;
    };
    let before = raw.get(..open).unwrap_or_default();
    let after = raw.get(close + 1..).unwrap_or_default();
    let inner = raw.get(open + 1..close).unwrap_or_default();
    let mut middles = Vec::new();
    if commas.is_empty() {
        middles = sequence(inner).unwrap_or_default();
    } else {
        let mut from = open + 1;
        for &end in commas.iter().chain(std::iter::once(&close)) {
            let part = raw.get(from..end).unwrap_or_default();
            if depth < 32 {
                expand_into(part, &mut middles, budget, depth + 1);
            } else {
                middles.push(part.to_owned());
            }
            from = end + 1;
        }
    }
    let mut tails = Vec::new();
    if depth < 32 {
        expand_into(after, &mut tails, budget, depth + 1);
    } else {
        tails.push(after.to_owned());
    }
    for middle in &middles {
        for tail in &tails {
            if *budget == 0 || out.len() >= MOST {
                *budget = 0;
                return true;
            }
            out.push(format!("{before}{middle}{tail}"));
        }
    }
    true
}

/// The first brace expression: its braces and its top-level commas.
fn find(bytes: Bytes<'_>) -> Option<(usize, usize, Vec<usize>)> {
    let mut at = 0;
    while at < bytes.len() {
        match bytes.at(at) {
            b'{' if at == 0 || bytes.at(at - 1) != b'$' => {
                if let Some((close, commas)) = close(bytes, at + 1) {
                    return Some((at, close, commas));
                }
            }
            _ => at = skip(bytes, at),
        }
        at += 1;
    }
    None
}

fn close(bytes: Bytes<'_>, from: usize) -> Option<(usize, Vec<usize>)> {
    let mut commas = Vec::new();
    let mut depth = 0_u32;
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            b'}' => {
                let inner =
                    std::str::from_utf8(bytes.0.get(from..at).unwrap_or_default()).unwrap_or_default();
                let expands = !commas.is_empty() || sequence(inner).is_some();
                return expands.then_some((at, commas));
            }
            b',' if depth == 0 => commas.push(at),
            _ => at = skip(bytes, at),
        }
        at += 1;
    }
    None
}

/// Last index of the quoted or nested part that starts at `at`.
fn skip(bytes: Bytes<'_>, at: usize) -> usize {
    match bytes.at(at) {
        b'\\' => at + 1,
        b'\'' => scan::single_quote(bytes, at + 1, at > 0 && bytes.at(at - 1) == b'$'),
        b'"' => scan::double_quote(bytes, at + 1),
        b'`' => scan::backquote(bytes, at + 1),
        b'$' if bytes.at(at + 1) == b'(' => scan::substitution(bytes, at + 2),
        b'$' if bytes.at(at + 1) == b'{' => scan::braces(bytes, at + 2, false),
        _ => at,
    }
}

/// `{1..5}`, `{a..e}`, with an optional step.
fn sequence(inner: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = inner.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?.unsigned_abs().max(1)),
        _ => return None,
    };
    let step = i64::try_from(step).unwrap_or(1).max(1);
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.len() > 1;
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        return Some(range(from, to, step).map(|number| format!("{number:0width$}")).collect());
    }
    let (mut from, mut to) = (first.chars(), last.chars());
    let (from, to) = match (from.next(), from.next(), to.next(), to.next()) {
        (Some(from), None, Some(to), None) if from.is_ascii() && to.is_ascii() => (from, to),
        _ => return None,
    };
    let letters = range(i64::from(u32::from(from)), i64::from(u32::from(to)), step);
    Some(
        letters
            .filter_map(|code| u32::try_from(code).ok().and_then(char::from_u32))
            .map(String::from)
            .collect(),
    )
}

fn range(from: i64, to: i64, step: i64) -> impl Iterator<Item = i64> {
    let count = from.abs_diff(to) / step.unsigned_abs() + 1;
    let sign = if from <= to { 1 } else { -1 };
    (0..i64::try_from(count).unwrap_or(i64::MAX))
        .take(MOST + 1)
        .map(move |index| from.wrapping_add(index.wrapping_mul(step).wrapping_mul(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_expand_as_in_bash() {
        let cases: [(&str, &[&str]); 9] = [
            ("{rm,-rf,dir}", &["rm", "-rf", "dir"]),
            ("a{b,c{d,e}}f", &["abf", "acdf", "acef"]),
            ("{1..3}", &["1", "2", "3"]),
            ("{01..3}", &["01", "02", "03"]),
            ("{c..a}", &["c", "b", "a"]),
            ("x{,y}", &["x", "xy"]),
            ("{a,b}{1,2}", &["a1", "a2", "b1", "b2"]),
            ("'{a,b}'{c,d}", &["'{a,b}'c", "'{a,b}'d"]),
            ("{a,\"b,c\"}", &["a", "\"b,c\""]),
        ];
        for (raw, expected) in cases {
            let expected = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(expand(raw), Expanded::Words(expected), "{raw}");
        }
        for raw in ["{}", "{a}", "${x,y}", "\\{a,b\\}", "x{", "{a,b"] {
            assert_eq!(expand(raw), Expanded::Nothing, "{raw}");
        }
        assert_eq!(expand(&"{a,b}".repeat(30)), Expanded::Pattern(HOLE.to_string().repeat(30)));
        assert_eq!(
            expand("~/.ss{f..h}/id_{a..z}{a..z}{a..z}"),
            Expanded::Pattern("~/.ss*/id_***".to_owned())
        );
        assert_eq!(expand("x{1..2000}"), Expanded::Nothing);
    }

    #[test]
    fn words_are_counted_without_being_made() {
        for (raw, expected) in [
            ("a", 1),
            ("{a,b}c", 2),
            ("{1..3}{a,b}", 6),
            ("{a,{1..1000000}}", 1_000_001),
            ("{1..999999999}", 999_999_999),
            ("{0..1000000..10}", 100_001),
            ("{1..100000}{1..100000}", 10_000_000_000),
            ("{a..e}", 1),
            ("'{1..999999999}'", 1),
        ] {
            assert_eq!(count(raw, 0), expected, "{raw}");
        }
    }
}
