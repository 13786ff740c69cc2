//! Brace expansion: `{a,b}` and `{1..9}`, on raw text, before anything else is expanded.

use super::scan::{self, Bytes};

/// The most words one word may become.
const MOST: usize = 1024;

/// The words a raw word stands for; `None` if there is nothing to expand, or too much.
pub(crate) fn expand(raw: &str) -> Option<Vec<String>> {
    if !raw.contains('{') {
        return None;
    }
    let mut out = Vec::new();
    let mut budget = MOST;
    let expanded = expand_into(raw, &mut out, &mut budget, 0);
    (expanded && budget > 0).then_some(out)
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
            assert_eq!(expand(raw).unwrap(), expected, "{raw}");
        }
        for raw in ["{}", "{a}", "${x,y}", "\\{a,b\\}", "x{", "{a,b"] {
            assert_eq!(expand(raw), None, "{raw}");
        }
        assert_eq!(expand(&"{a,b}".repeat(30)), None);
    }
}
