//! Characters that people don't see but models read.

use std::borrow::Cow;

/// The first reason why a text counts as hiding something, in words.
pub(super) fn reason(text: &str) -> Option<&'static str> {
    let text = without_colours(text);
    // Fast path: nearly every text is plain.
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut blank = 0_usize;
    for (at, c) in chars.iter().enumerate() {
        let around = Neighbours::of(&chars, at);
        if let Some(reason) = hides(*c, &around) {
            return Some(reason);
        }
        blank = if c.is_whitespace() { blank + 1 } else { 0 };
        if blank >= MOST_BLANK {
            return Some("a long run of blanks or empty lines that moves what follows out of sight");
        }
    }
    None
}

/// Longest run of white space; more would push the rest out of sight.
const MOST_BLANK: usize = 40;

/// The text without invisible characters; runs of white space are cut to at most one blank line.
#[must_use]
pub fn without_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, colour, after)) = next_colour(rest) {
        out.push_str(&part_without_hidden(before));
        out.push_str(colour);
        rest = after;
    }
    out.push_str(&part_without_hidden(rest));
    out
}

/// The text without terminal colour sequences, which hide nothing.
pub(super) fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, _, after)) = next_colour(rest) {
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The next colour or style sequence, with the text before and after it. Style 8 (concealed) doesn't count.
fn next_colour(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find("\u{1b}[").map(|at| from + at) {
        let values = text.get(at + 2..)?;
        let length = values.bytes().take_while(|byte| byte.is_ascii_digit() || b";:".contains(byte)).count();
        let hides = values.get(..length)?.split([';', ':']).any(|value| value.trim_start_matches('0') == "8");
        from = at + 2 + length;
        if values.as_bytes().get(length) == Some(&b'm') && !hides {
            let end = from + 1;
            return Some((text.get(..at)?, text.get(at..end)?, text.get(end..)?));
        }
    }
    None
}

fn part_without_hidden(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let shown = |(at, c): (usize, &char)| hides(*c, &Neighbours::of(&chars, at)).is_none().then_some(*c);
    chars.iter().enumerate().filter_map(shown).collect()
}

/// The characters before and after a character.
struct Neighbours {
    before: Option<char>,
    after: Option<char>,
    /// Inside a well-formed emoji flag of a region, made of tag characters.
    in_flag: bool,
}

impl Neighbours {
    fn of(chars: &[char], at: usize) -> Self {
        let before = at.checked_sub(1).and_then(|before| chars.get(before)).copied();
        let after = chars.get(at + 1).copied();
        let in_flag = chars.get(at).is_some_and(|c| is_tag(*c)) && Self::is_flag(chars, at);
        Self { before, after, in_flag }
    }

    /// A region's flag: a black flag, up to seven tags of letters and digits, and the closing tag.
    fn is_flag(chars: &[char], at: usize) -> bool {
        let head = chars.get(..at).unwrap_or_default();
        let tags_before = head.iter().rev().take_while(|c| is_tag(**c)).count();
        let begins = head.len().checked_sub(tags_before + 1).and_then(|flag| chars.get(flag));
        let run: Vec<char> = chars
            .get(at - tags_before..)
            .unwrap_or_default()
            .iter()
            .copied()
            .take_while(|c| is_tag(*c))
            .collect();
        let named = |c: &char| matches!(*c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
        begins == Some(&'\u{1f3f4}')
            && (3..=7).contains(&run.len())
            && run.last() == Some(&'\u{e007f}')
            && run.iter().rev().skip(1).all(named)
    }
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn hides(c: char, around: &Neighbours) -> Option<&'static str> {
    let beside = |test: fn(char) -> bool| around.before.is_some_and(test) || around.after.is_some_and(test);
    match c {
        '\n' | '\t' | '\r' => None,
        '\u{1b}' | '\u{9b}' => Some("terminal escapes"),
        c if c.is_ascii_control() || matches!(c, '\u{80}'..='\u{9f}') => Some("control characters"),
        c if is_tag(c) => (!around.in_flag).then_some("tag characters, which no screen shows"),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some("characters that turn the reading direction")
        }
        '\u{200e}' | '\u{200f}' | '\u{61c}' => (!beside(reads_from_right)).then_some("direction marks"),
        // Joiners are legitimate in emoji and in scripts that join letters.
        '\u{200d}' => (!beside(joins) && !beside(is_emoji)).then_some("zero-width characters"),
        '\u{200c}' => (!beside(joins)).then_some("zero-width characters"),
        '\u{feff}' if around.before.is_none() => None,
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{180e}' => {
            Some("zero-width characters")
        }
        '\u{fe00}'..='\u{fe0f}' => beside(is_selector).then_some("a run of variation selectors"),
        '\u{e0100}'..='\u{e01ef}' => {
            (beside(is_selector) || !around.before.is_some_and(is_ideograph)).then_some("variation selectors")
        }
        '\u{ad}' => (around.before.is_some_and(char::is_alphabetic)
            && around.after.is_some_and(char::is_alphabetic))
        .then_some("soft hyphens inside words"),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some("filler letters, which are blank"),
        '\u{2800}' => beside(|c| c == '\u{2800}').then_some("blank letters"),
        _ => None,
    }
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

const fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2190}'..='\u{21ff}' | '\u{fe0f}')
}

/// Hebrew, Arabic and other right-to-left scripts.
const fn reads_from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// Arabic and the scripts of India and neighbouring countries, where joiners change the form of letters.
const fn joins(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{18af}')
        || matches!(c, '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// The text spelled by tag characters and variation selectors, if any.
pub(super) fn spelled(text: &str) -> Option<String> {
    let byte = |c: char| match u32::from(c) {
        code @ 0xe0020..=0xe007e => u8::try_from(code - 0xe0000).ok(),
        code @ 0xfe00..=0xfe0f => u8::try_from(code - 0xfe00).ok(),
        code @ 0xe0100..=0xe01ef => u8::try_from(code - 0xe0100 + 16).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = text.chars().filter_map(byte).collect();
    String::from_utf8(bytes).ok().filter(|spelled| spelled.len() >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_and_emoji_need_stays_and_what_hides_is_told() {
        for plain in [
            "plain",
            "👨‍👩‍👧",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "❤\u{fe0f}",
            "葛\u{e0100}",
            "עברית\u{200f}!",
            "two\n\nparagraphs\n  - and a list",
        ] {
            assert_eq!(reason(plain), None, "{plain:?}");
            assert_eq!(without_hidden(plain), plain);
        }
        for hiding in [
            "a\u{e0061}\u{e0062}",
            "Ig\u{200b}nore",
            "a\u{202e}b",
            "x\u{2062}\u{2063}y",
            "😀\u{e0151}\u{e0160}",
            "wo\u{ad}rd",
            "a\u{1b}[2Kb",
            "a\u{3164}b",
            "a\u{200d}b",
        ] {
            assert!(reason(hiding).is_some(), "{hiding:?}");
            assert!(reason(&without_hidden(hiding)).is_none(), "{hiding:?}");
        }
        assert!(reason(&format!("a{}b", "\n".repeat(60))).is_some());
    }

    #[test]
    fn colours_hide_nothing_and_other_escapes_do() {
        let coloured = "\u{1b}[32mPASS\u{1b}[0m a \u{1b}[1;38;5;196mb\u{1b}[m";
        assert_eq!((reason(coloured), without_hidden(coloured).as_str()), (None, coloured));
        assert_eq!(without_colours(coloured), "PASS a b");
        for hidden in
            ["a\u{1b}[8mb\u{1b}[0m", "a\u{1b}[2Kb", "a\u{1b}]0;x\u{7}", "a\u{1b}[1;08mb", "\u{1b}[32"]
        {
            assert!(reason(hidden).is_some() && without_hidden(hidden) != hidden, "{hidden:?}");
        }
    }
}
