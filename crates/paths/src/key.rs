//! The comparison key of a path component: equal for names that some file system or a reader would take for the same.
//!
//! NFKC, case-folded, without default-ignorable characters and trailing dots and spaces, cut at `:` (alternate
//! streams). Only for comparison: files are opened by their original bytes, because normalising before opening would
//! turn full-width dots into `..`. Source: git's CVE-2014-9390 and the rules of HFS+ and NTFS behind it.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// The key of one component.
#[must_use]
pub fn key(component: &str) -> Cow<'_, str> {
    if component.is_ascii() {
        let trimmed = trim(component);
        return if trimmed.bytes().any(|byte| byte.is_ascii_uppercase() || is_ascii_control(byte)) {
            Cow::Owned(
                trimmed.chars().filter(|c| !c.is_ascii_control()).map(|c| c.to_ascii_lowercase()).collect(),
            )
        } else {
            Cow::Borrowed(trimmed)
        };
    }
    let visible = component.chars().filter(|c| !is_ignorable(*c));
    let folded: String = visible.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    Cow::Owned(trim(&folded).to_owned())
}

fn is_ascii_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

fn trim(name: &str) -> &str {
    let name = match name.find(':') {
        Some(at) if at > 0 => name.get(..at).unwrap_or(name),
        _ => name,
    };
    // `.` and `..` aren't names; from all others remove what NTFS ignores at the end.
    if matches!(name, "." | "..") { name } else { name.trim_end_matches(['.', ' ']) }
}

/// Invisible characters (Unicode `Default_Ignorable_Code_Point`, and bidi controls).
#[must_use]
pub const fn is_ignorable(c: char) -> bool {
    doorward_core::text::is_unseen(c)
}

/// The key with letters of other scripts replaced by similar Latin ones. Equal skeletons are a reason to ask, never
/// to refuse.
#[must_use]
pub fn skeleton(component: &str) -> Option<String> {
    if component.is_ascii() {
        return None;
    }
    let key = key(component);
    let skeleton: String = key.chars().map(look_alike).collect();
    (skeleton != *key).then_some(skeleton)
}

const fn look_alike(c: char) -> char {
    match c {
        'ı' | 'і' | 'ι' | 'ɩ' | 'í' | 'ì' => 'i',
        'а' | 'α' | 'ɑ' => 'a',
        'е' | 'ε' => 'e',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'с' | 'ϲ' => 'c',
        'у' => 'y',
        'х' => 'x',
        'ѕ' => 's',
        'ј' => 'j',
        'ԁ' => 'd',
        'ɡ' | 'ց' => 'g',
        'һ' => 'h',
        'ո' | 'п' => 'n',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'т' | 'τ' => 't',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'ӏ' | 'ǀ' => 'l',
        '․' => '.',
        _ => c,
    }
}

/// Whether `key` is the short (8.3) form that NTFS would give `name`: `git~1` for `.git`.
#[must_use]
pub fn is_short_form(key: &str, name: &str) -> bool {
    let Some((stem, number)) = key.split_once('~') else { return false };
    let number = number.split('.').next().unwrap_or_default();
    let counted = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let long = name.trim_start_matches('.');
    let needs_short_form = name.starts_with('.') || long.len() > 8;
    counted
        && needs_short_form
        && !stem.is_empty()
        && long.bytes().filter(|byte| *byte != b'.').take(stem.len().max(1)).eq(stem.bytes())
        && (stem.len() == 6 || stem.len() == long.split('.').next().unwrap_or_default().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguises_of_git_have_its_key() {
        for disguise in [
            ".GIT",
            ".git ",
            ".git.",
            ".git. .",
            ".g\u{200c}it",
            ".git::$INDEX_ALLOCATION",
            ".gi\u{ad}t",
            ".ｇit",
            ".gi\tt",
        ] {
            assert_eq!(key(disguise), ".git", "{disguise:?}");
        }
        assert!(is_short_form("git~1", ".git"));
        assert!(is_short_form("gitmod~1", ".gitmodules"));
        assert!(!is_short_form("g~1", ".git"));
        assert!(!is_short_form("git~x", ".git"));
    }

    #[test]
    fn honest_names_keep_their_own_key() {
        for (name, expected) in [
            ("..", ".."),
            (".", "."),
            ("a.txt:stream", "a.txt"),
            (":x", ":x"),
            ("Straße", "straße"),
            ("cafe\u{301}", "café"),
        ] {
            assert_eq!(key(name), expected);
        }
        assert_eq!(skeleton(".gıt").as_deref(), Some(".git"));
        assert_eq!(skeleton(".git"), None);
    }
}
