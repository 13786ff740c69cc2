//! Checks a path by its text alone, before any look-up: removes one `file://` prefix, refuses texts that can't be
//! paths, and marks suspicious ones. Expands, folds and normalises nothing.

use std::borrow::Cow;

use crate::code::{Code, PathRefusal};
use crate::key::is_ignorable;

/// `PATH_MAX` of Linux, including the final NUL.
const PATH_MAX: usize = 4096;
/// `NAME_MAX` of Linux.
const NAME_MAX: usize = 255;

/// A path in the form that will be opened, with the findings about its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text, without a `file://` prefix.
    pub path: Cow<'a, str>,
    /// The code if a shell would expand it; harmless only if a file of exactly this name exists.
    pub expands: Option<Code>,
    /// Reasons to ask.
    pub marks: Vec<Code>,
}

/// Reads a path from an agent.
///
/// # Errors
/// [`PathRefusal`] for a text that can't be a path: with NUL, empty, too long, or clearly meant for a shell.
pub fn read(input: &str) -> Result<Text<'_>, PathRefusal> {
    let path = without_uri(input)?;
    if path.is_empty() {
        return Err(PathRefusal::new(Code::Empty, "no path"));
    }
    if path.contains('\0') {
        return Err(PathRefusal::new(Code::Nul, "a NUL byte in a path"));
    }
    if path.len() >= PATH_MAX || path.split('/').any(|name| name.len() > NAME_MAX) {
        return Err(PathRefusal::new(Code::TooLong, "longer than the kernel takes"));
    }
    if let Some(sign) = meant_for_a_shell(&path) {
        return Err(PathRefusal::new(Code::Unexpanded, format!("{sign} is not expanded here")));
    }
    if climbs_in_disguise(&path) {
        return Err(PathRefusal::new(Code::Escape, "`..` is written so that it doesn't look like one"));
    }
    let marks = marks(&path);
    let expands = may_expand(&path);
    Ok(Text { path, expands, marks })
}

fn without_uri(input: &str) -> Result<Cow<'_, str>, PathRefusal> {
    let scheme = input.get(..7).filter(|head| head.eq_ignore_ascii_case("file://"));
    let Some(rest) = scheme.and_then(|_| input.get(7..)) else { return Ok(Cow::Borrowed(input)) };
    let local = rest
        .get(..9)
        .filter(|host| host.eq_ignore_ascii_case("localhost"))
        .and_then(|_| rest.get(9..))
        .unwrap_or(rest);
    if !local.starts_with('/') {
        return Err(PathRefusal::new(Code::Escape, "a file URL of another machine"));
    }
    let decoded = percent_encoding::percent_decode_str(local).decode_utf8();
    decoded
        .map(|path| Cow::Owned(path.into_owned()))
        .map_err(|_| PathRefusal::new(Code::Encoded, "a URL that isn't UTF-8"))
}

/// Layers of `%2e` and `%252e` that are taken off.
const LAYERS: usize = 4;

/// Whether a part of the path is `..` only for a reader who decodes, folds or takes `\` for `/`. No honest name is such
/// a part.
fn climbs_in_disguise(path: &str) -> bool {
    let plain = |text: &str| {
        let shown = text.chars().filter(|letter| !is_ignorable(*letter)).collect::<String>();
        let parts =
            shown.split(['/', '\\', '\u{ff0f}', '\u{2044}', '\u{2215}', '\u{29f8}', '\u{ff3c}', '\u{2216}']);
        parts.filter(|part| is_parent(part)).count()
    };
    let open = path.split('/').filter(|part| *part == "..").count();
    let mut text = Cow::Borrowed(path);
    for _ in 0..LAYERS {
        if plain(&text) > open {
            return true;
        }
        if !has_encoding(&text) {
            return false;
        }
        text = Cow::Owned(percent_encoding::percent_decode_str(&text).decode_utf8_lossy().into_owned());
    }
    plain(&text) > open
}

/// Two dots, in whichever block.
fn is_parent(part: &str) -> bool {
    let dots = part.chars().map(|letter| match letter {
        '.' | '\u{2024}' | '\u{ff0e}' | '\u{fe52}' => 1,
        '\u{2025}' => 2,
        _ => 3,
    });
    dots.sum::<usize>() == 2
}

/// Forms that no tool author names a file by.
fn meant_for_a_shell(path: &str) -> Option<&'static str> {
    let first = path.split('/').next().unwrap_or_default();
    let user = first.strip_prefix('~');
    let is_home = user.is_some_and(|user| {
        user.is_empty()
            || user.starts_with(['+', '-'])
            || user.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
    });
    let signs: [(bool, &'static str); 4] = [
        (is_home, "`~`"),
        (path.contains("$("), "`$(…)`"),
        (path.contains("${"), "`${…}`"),
        (path.contains('`'), "a backquote"),
    ];
    signs.into_iter().find(|(present, _)| *present).map(|(_, sign)| sign)
}

/// Forms that also occur in real names (`routes/$id.tsx`, `app/[slug]/page.tsx`): refused or asked about unless a
/// file of exactly this name exists.
fn may_expand(path: &str) -> Option<Code> {
    let variable = path.char_indices().any(|(at, c)| {
        c == '$'
            && path
                .get(at + 1..)
                .and_then(|rest| rest.chars().next())
                .is_some_and(|next| next.is_ascii_alphanumeric() || "_@*#?$!-".contains(next))
    });
    if variable {
        return Some(Code::Unexpanded);
    }
    let braces = path.contains('{') && path.contains('}') && (path.contains(',') || path.contains(".."));
    (path.contains(['*', '?']) || (path.contains('[') && path.contains(']')) || braces)
        .then_some(Code::Wildcard)
}

fn marks(path: &str) -> Vec<Code> {
    let mut marks = Vec::new();
    if path.chars().any(|c| c.is_control() || is_ignorable(c) || matches!(c, '\u{2028}' | '\u{2029}')) {
        marks.push(Code::ControlCharacter);
    }
    if has_encoding(path) {
        marks.push(Code::Encoded);
    }
    if path.chars().any(is_look_alike) || has_windows_form(path) || crate::protected::looks_protected(path) {
        marks.push(Code::Confusable);
    }
    marks
}

fn has_encoding(path: &str) -> bool {
    path.as_bytes()
        .windows(3)
        .any(|w| matches!(w, [b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// Dots and slashes of other Unicode blocks.
const fn is_look_alike(c: char) -> bool {
    matches!(
        c,
        '\u{2024}'
            | '\u{2025}'
            | '\u{2026}'
            | '\u{ff0e}'
            | '\u{fe52}'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{29f8}'
            | '\u{ff0f}'
            | '\u{29f5}'
            | '\u{fe68}'
            | '\u{ff3c}'
            | '\u{2571}'
            | '\u{27cb}'
            | '\u{a789}'
            | '\u{ff1a}'
            | '\u{ff5e}'
            | '\u{2216}'
    )
}

/// Backslashes, `C:x` and `%NAME%`: legal names on Linux, but probably meant differently.
fn has_windows_form(path: &str) -> bool {
    let mut start = path.chars();
    let drive = start.next().is_some_and(|c| c.is_ascii_alphabetic()) && start.next() == Some(':');
    let variable = path.split('%').nth(1).is_some_and(|name| {
        path.matches('%').count() > 1
            && name.len() > 1
            && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    });
    path.contains('\\') || drive || variable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_by_text() {
        for (input, code) in [
            ("", Code::Empty),
            ("a\0b", Code::Nul),
            ("~/x", Code::Unexpanded),
            ("~root/.bashrc", Code::Unexpanded),
            ("${HOME}/x", Code::Unexpanded),
            ("a/$(id)", Code::Unexpanded),
            ("`id`", Code::Unexpanded),
            ("file://host/etc/passwd", Code::Escape),
            ("file:///a%00b", Code::Nul),
            ("FILE://", Code::Escape),
        ] {
            assert_eq!(read(input).unwrap_err().code, code, "{input:?}");
        }
        assert_eq!(read(&"a".repeat(256)).unwrap_err().code, Code::TooLong);
        assert_eq!(read(&"a/".repeat(2048)).unwrap_err().code, Code::TooLong);
        assert!(read(&"./".repeat(2000)).is_ok());
    }

    #[test]
    fn a_file_url_is_decoded_exactly_once() {
        assert_eq!(read("file:///w/%2e%2e/x").unwrap().path, "/w/../x");
        let twice = read("File://localhost/w/%252e").unwrap();
        assert_eq!((twice.path.as_ref(), twice.marks.as_slice()), ("/w/%2e", &[Code::Encoded][..]));
    }

    #[test]
    fn a_disguised_parent_folder_is_refused() {
        for input in [
            "%2e%2e/x",
            "src/%2E%2E/%2e%2e/etc/passwd",
            "%252e%252e/x",
            "%25252e%25252e/x",
            "..%2f..%2fetc",
            "..%5cx",
            "..\\x",
            "src\\..\\..\\x",
            "．．/x",
            "..∕x",
            "‥/x",
            ".\u{200b}./x",
            "%e2%80%a5/x",
        ] {
            assert_eq!(read(input).unwrap_err().code, Code::Escape, "{input:?}");
        }
        // An open `..` is judged by where it leads; three dots and dots in names are names.
        for input in ["../x", "src/../x", "...", "a..b", "a%2fb/../c", "…/x", "v1.%2e.txt", "100%/..", "a\\b"]
        {
            assert!(read(input).is_ok(), "{input:?}");
        }
    }

    #[test]
    fn marks_are_reasons_to_ask() {
        for (input, code) in [
            ("a\nb", Code::ControlCharacter),
            ("a\u{202e}b", Code::ControlCharacter),
            ("%2e/etc", Code::Encoded),
            ("．/x", Code::Confusable),
            ("…∕x", Code::Confusable),
            ("a\\b", Code::Confusable),
            ("C:/x", Code::Confusable),
            ("%USERPROFILE%/x", Code::Confusable),
            (".gıt/config", Code::Confusable),
        ] {
            assert_eq!(read(input).unwrap().marks, [code], "{input:?}");
        }
        for honest in ["-rf", "a.txt:stream", "CON", "café.txt", "50% off.txt", "a~", "x #1.md"] {
            assert_eq!(read(honest).unwrap().marks, [], "{honest:?}");
        }
    }

    #[test]
    fn names_that_a_shell_would_expand_are_told_apart_from_plain_ones() {
        assert_eq!(read("$HOME/x").unwrap().expands, Some(Code::Unexpanded));
        assert_eq!(read("src/*.rs").unwrap().expands, Some(Code::Wildcard));
        assert_eq!(read("{a,b}").unwrap().expands, Some(Code::Wildcard));
        assert_eq!(read("price$").unwrap().expands, None);
        assert_eq!(read("{slug}").unwrap().expands, None);
    }
}
