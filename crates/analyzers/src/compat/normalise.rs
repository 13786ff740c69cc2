//! Normalises text for comparison: removes invisible characters, replaces compatibility forms, collapses white space.
//!
//! Look-alikes of other scripts and combining marks are kept, as upstream does.

use unicode_normalization::UnicodeNormalization as _;

/// Removes NUL and invisible characters, applies NFKC, and collapses white space.
///
/// ```
/// use doorward_analyzers::compat::normalise;
/// assert_eq!(normalise("r\u{200b}m  -rf\n/"), "rm -rf /");
/// assert_eq!(normalise("\u{ff52}\u{ff4d}"), "rm");
/// ```
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars().filter(|c| !is_dropped(*c)).nfkc() {
        if is_space(c) {
            if !space {
                out.push(' ');
            }
            space = true;
        } else {
            out.push(c);
            space = false;
        }
    }
    out
}

/// White space as in the `\s` of upstream's regex engine, which includes the four ASCII separators.
const fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Zero-width, bidirectional, tag and filler characters, variation selectors, and controls other than tab and line
/// ends. Some are white space, which upstream removes rather than collapses.
const fn is_dropped(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}'
            | '\u{b}'..='\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{1680}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2009}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffc}'
            | '\u{e0000}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_go_and_white_space_is_one_space() {
        for (text, expected) in [
            ("r\u{200d}m", "rm"),
            ("r\0m", "rm"),
            ("\u{202e}rm\u{e0041}", "rm"),
            ("a\u{2028}b\u{2029}c", "a b c"),
            ("a\u{3000}\u{a0} b", "a b"),
            ("\u{1d42b}\u{1d426}", "rm"),
            ("e\u{301}al(", "\u{e9}al("),
            ("\u{435}al(", "\u{435}al("),
            ("a\u{2009}b", "ab"),
            ("", ""),
        ] {
            assert_eq!(normalise(text), expected, "{text:?}");
        }
    }
}
