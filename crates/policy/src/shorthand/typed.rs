//! Typed wildcards in allow rules: parts that change from call to call without changing the meaning.
//!
//! `shell(gh run view <int> --log)` covers every run id and nothing else: the wildcard matches characters of its
//! type, never a blank, a slash, a leading dash or a further word. Generalised rules are suggested to a person, so
//! only tokens whose form is volatile are replaced: never a short number, never a name.

/// A kind of wildcard: its name, what it matches, and how to recognise a volatile token.
struct Kind {
    name: &'static str,
    fits: fn(&str) -> bool,
}

/// The kinds, most specific first: a UUID is also hexadecimal, a time is also a number.
const KINDS: &[Kind] = &[
    Kind { name: "uuid", fits: is_uuid },
    Kind { name: "time", fits: is_time },
    Kind { name: "tempname", fits: is_temporary },
    Kind { name: "int", fits: is_int },
    Kind { name: "hex", fits: is_hex },
    Kind { name: "name", fits: is_name },
    Kind { name: "path", fits: is_path },
];

/// Marks the ends of a wildcard in a word. Private-use characters, which no real command contains; a command that
/// does contain them matches no rule.
const OPEN: char = '\u{f0d00}';
const CLOSE: char = '\u{f0d01}';

/// The text with its wildcards marked.
pub(crate) fn mark(text: &str) -> String {
    KINDS.iter().fold(text.to_owned(), |text, kind| {
        text.replace(&format!("<{}>", kind.name), &format!("{OPEN}{}{CLOSE}", kind.name))
    })
}

pub(crate) fn is_typed(word: &str) -> bool {
    word.contains(OPEN)
}

/// Whether a command's word matches the rule's word.
pub(crate) fn fits(wanted: &str, given: &str) -> bool {
    let Some((before, rest)) = wanted.split_once(OPEN) else { return wanted == given };
    let (Some((name, after)), Some(left)) = (rest.split_once(CLOSE), given.strip_prefix(before)) else {
        return false;
    };
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else { return false };
    // Longest first. A token has at most `LONGEST` characters, so this stays small.
    let ends = left.char_indices().map(|(at, ch)| at + ch.len_utf8()).take(LONGEST);
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends.into_iter().any(|end| match left.split_at_checked(end) {
        Some((token, tail)) => (kind.fits)(token) && fits(after, tail),
        None => false,
    })
}

const LONGEST: usize = 256;

/// A pattern that covers two texts of the same form, with wildcards where they differ and both have a token of one
/// kind. `None` if they differ otherwise.
#[must_use]
pub fn common(one: &str, other: &str) -> Option<String> {
    if one == other {
        return Some(generalised(one).unwrap_or_else(|| one.to_owned()));
    }
    if let (Some((scheme, rest)), Some((_, second))) = (one.split_once("://"), other.split_once("://")) {
        let authority =
            rest.split(['/', '?', '#']).next().filter(|own| !own.is_empty() && !own.contains('@'))?;
        let origin = format!("{scheme}://{authority}/");
        let plain = |rest: &str| rest.split_once('/').is_some_and(|(_, path)| is_path(path));
        let same = one.starts_with(&origin) && other.starts_with(&origin) && plain(rest) && plain(second);
        return same.then(|| format!("{origin}<path>"));
    }
    if let Some(same) = aligned(one, other) {
        return Some(same);
    }
    let (folder, name) = one.rsplit_once('/')?;
    let (second, fellow) = other.rsplit_once('/')?;
    let ((stem, kind), (peer, like)) = (name.rsplit_once('.')?, fellow.rsplit_once('.')?);
    let fits = folder == second && kind == like && !kind.is_empty() && is_name(stem) && is_name(peer);
    fits.then(|| format!("{folder}/<name>.{kind}"))
}

/// Compares token by token: equal, or of one kind in both.
fn aligned(one: &str, other: &str) -> Option<String> {
    let (first, second) = (tokens(one), tokens(other));
    if first.len() != second.len() {
        return None;
    }
    let mut out = String::new();
    for (own, fellow) in first.into_iter().zip(second) {
        if own == fellow {
            out.push_str(&generalised(own).unwrap_or_else(|| own.to_owned()));
            continue;
        }
        let named = |kind: &&Kind| !matches!(kind.name, "name" | "path");
        let kind = KINDS.iter().filter(named).find(|kind| (kind.fits)(own) && (kind.fits)(fellow))?;
        out.push_str(&format!("<{}>", kind.name));
    }
    Some(out)
}

/// Runs of token characters, and the text between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut inside = false;
    for (at, ch) in text.char_indices() {
        let token = ch.is_ascii_alphanumeric() || inside && matches!(ch, '-' | ':');
        if token != inside && at > from {
            out.extend(text.get(from..at));
            from = at;
        }
        inside = token;
    }
    out.extend(text.get(from..).filter(|rest| !rest.is_empty()));
    out
}

/// The word with its volatile tokens replaced by wildcards in rule syntax; `None` if it has none.
#[must_use]
pub fn generalised(word: &str) -> Option<String> {
    let mut out = String::new();
    let mut changed = false;
    let mut token = String::new();
    let mut flush = |token: &mut String, out: &mut String| {
        let kind = KINDS.iter().find(|kind| (kind.fits)(token) && is_volatile(kind.name, token));
        match kind {
            Some(kind) => {
                changed = true;
                out.push_str(&format!("<{}>", kind.name));
            }
            None => out.push_str(token),
        }
        token.clear();
    };
    for ch in word.chars() {
        // A UUID and a time contain dashes and colons but are one token.
        if ch.is_ascii_alphanumeric() || matches!(ch, '-' | ':') && !token.is_empty() {
            token.push(ch);
        } else {
            flush(&mut token, &mut out);
            out.push(ch);
        }
    }
    flush(&mut token, &mut out);
    changed.then_some(out)
}

/// Whether a token's form shows that it changes from call to call, so it isn't a name, a port or a mode.
fn is_volatile(kind: &str, token: &str) -> bool {
    match kind {
        "int" => token.len() >= 6,
        "name" | "path" => false,
        "hex" => {
            let digits = token.bytes().filter(u8::is_ascii_digit).count();
            token.len() >= 7 && digits >= 2 && digits < token.len()
        }
        _ => true,
    }
}

fn is_int(token: &str) -> bool {
    (1..=20).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hex(token: &str) -> bool {
    (7..=64).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_uuid(token: &str) -> bool {
    let lengths: Vec<usize> = token.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && token.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// `20261122`, `20261122T0448`, `2026-11-22T04:48:31Z` and similar: a year of this century with only digits around
/// it.
fn is_time(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    let marks = token.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'T' | b'Z'));
    token.starts_with("20") && marks && (8..=17).contains(&digits) && token.contains(['-', ':', 'T'])
}

/// A name as made by `mktemp`: `tmp` or `temp` and at least four more characters, one of them a digit.
fn is_temporary(token: &str) -> bool {
    let Some(rest) = token.strip_prefix("tmp").or_else(|| token.strip_prefix("temp")) else { return false };
    (4..=32).contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && rest.bytes().any(|byte| byte.is_ascii_digit())
}

/// A file name without its extension: no slash, no leading dot or dash, never `..`.
fn is_name(token: &str) -> bool {
    let first = token.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    first && token.len() <= 128 && token.bytes().all(plain) && !token.contains("..")
}

/// The path of a URL: no `..`, no query, no percent-encoding.
fn is_path(token: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'/');
    token.len() <= LONGEST && token.bytes().all(plain) && !token.contains("..") && !token.contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_calls_have_in_common_is_kept() {
        for (one, other, expected) in [
            ("/w/docs/a.md", "/w/docs/b.md", Some("/w/docs/<name>.md")),
            ("/w/docs/a.md", "/w/docs/b.sh", None),
            ("/w/docs/a.md", "/w/src/a.md", None),
            ("/w/docs/.env.md", "/w/docs/b.md", None),
            (
                "https://docs.example/tokio/1.54.1/",
                "https://docs.example/hyper/1.12.0/",
                Some("https://docs.example/<path>"),
            ),
            ("https://docs.example/a", "http://docs.example/b", None),
            ("https://docs.example/a", "https://docs.example.c.example/b", None),
            ("https://u@docs.example/a", "https://u@docs.example/b", None),
            ("https://docs.example/a", "https://docs.example/b?q=1", None),
            ("id = 17", "id = 23", Some("id = <int>")),
            (
                "SELECT name FROM users WHERE id = 17",
                "SELECT name FROM users WHERE id = 23",
                Some("SELECT name FROM users WHERE id = <int>"),
            ),
            ("SELECT name", "SELECT password", None),
            ("pr 12 main", "pr 13 main", Some("pr <int> main")),
            ("same", "same", Some("same")),
            ("run 81234567", "run 81234567", Some("run <int>")),
            ("é 1", "é 2", Some("é <int>")),
        ] {
            assert_eq!(common(one, other).as_deref(), expected, "{one} / {other}");
        }
    }

    #[test]
    fn volatile_tokens_become_wildcards_and_nothing_else_does() {
        for (word, expected) in [
            ("81234567", Some("<int>")),
            ("3f9a1c2e77", Some("<hex>")),
            ("/w/scratch/tmpab12cd.py", Some("/w/scratch/<tempname>.py")),
            ("run-9b2d3f1c-7a44-4c1e-8f00-0123456789ab", None),
            ("9b2d3f1c-7a44-4c1e-8f00-0123456789ab", Some("<uuid>")),
            ("logs/2026-11-22T04:48:31Z.txt", Some("logs/<time>.txt")),
            ("8080", None),
            ("--log", None),
            ("main", None),
            ("deadbeef", None),
            ("template", None),
            ("644", None),
            ("a.md", None),
        ] {
            assert_eq!(generalised(word).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn a_wildcard_fits_its_type_and_no_further() {
        for (wanted, given, expected) in [
            ("<int>", "99999999", true),
            ("<int>", "-1", false),
            ("<int>", "1;2", false),
            ("<int>", "", false),
            ("<hex>", "00112233aa", true),
            ("<hex>", "--ext-diff", false),
            ("/w/<tempname>.py", "/w/tmpzz99xx.py", true),
            ("/w/<tempname>.py", "/w/../tmpzz99xx.py", false),
            ("/w/<tempname>.py", "/w/tmpzz99/xx1.py", false),
            ("a<int>b<int>", "a1b22", true),
            ("a<int>b<int>", "a1b", false),
            ("/w/docs/<name>.md", "/w/docs/c.md", true),
            ("/w/docs/<name>.md", "/w/docs/x/c.md", false),
            ("/w/docs/<name>.md", "/w/docs/../c.md", false),
            ("https://d.example/<path>", "https://d.example/a/b/", true),
            ("https://d.example/<path>", "https://d.example/a/../b", false),
            ("https://d.example/<path>", "https://d.example/a?b=c", false),
            ("https://d.example/<path>", "https://u@d.example/a", false),
            ("id = <int>", "id = 5 OR 1=1", false),
            ("plain", "plain", true),
            ("plain", "plainer", false),
        ] {
            assert_eq!(fits(&mark(wanted), given), expected, "{wanted} / {given}");
        }
    }
}
