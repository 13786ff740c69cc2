//! What is checked before any parser sees a text: length, bytes, nesting, characters that don't show.
//!
//! One linear pass. Counting is quote-aware but errs upward, so that no parser is given more nesting than the
//! stack was sized for.

use doorward_core::finding::Finding;
use doorward_core::intent::{Span, Unknown};

use crate::value::is_mark;

/// Longest text that is analysed.
pub(crate) const LONGEST: usize = 1 << 20;

/// Deepest nesting that is analysed, over all layers.
pub(crate) const DEEPEST: u32 = 200;

/// Deepest nesting of groups and `case`, which brush-parser 0.4.0 reads in time exponential in their depth when
/// the text around them is broken. A `case` counts twice.
const GROUPS: u32 = 20;

/// From this depth of groups on, the second parser must find the text whole before the first reads it.
const CHECKED: u32 = 6;

/// Deepest nesting of subscripts (`a[b[…`) that is analysed: brush-parser 0.4.0 reads an open one twice at every level.
const SUBSCRIPTS: u32 = 8;

/// Most zero-width spaces, soft hyphens and byte order marks in code that nobody is told about.
const FEW_BLANKS: usize = 3;

/// Whether brush-parser 0.4.0 may read this text without end, as it does where the tag of a here-document is white
/// space that bash takes for a letter (`<< \r`). A control character beside one is reported anyhow.
pub(crate) fn is_endless(text: &str) -> bool {
    if !text.contains("<<") {
        return false;
    }
    text.chars().any(|letter| letter.is_control() && !matches!(letter, '\t' | '\n'))
        || text.match_indices("<<").any(|(at, _)| {
            let rest = text.get(at..).unwrap_or_default().trim_start_matches(['<', '-', ' ', '\t']);
            rest.starts_with(|letter: char| letter.is_whitespace() && letter != '\n')
        })
}

/// Greatest number of `[` that are open at once outside quotes.
fn subscripts(text: &str) -> u32 {
    let (mut open, mut most, mut quote) = (0_u32, 0_u32, None);
    let mut escaped = false;
    for byte in text.bytes() {
        match (byte, quote) {
            _ if escaped => escaped = false,
            (b'\\', None | Some(b'"')) => escaped = true,
            (b'\'' | b'"', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'[', None) => {
                open += 1;
                most = most.max(open);
            }
            (b']', None) => open = open.saturating_sub(1),
            // A line of its own starts afresh, unless the last one ended within.
            (b'\n', None) if open < SUBSCRIPTS / 2 => open = 0,
            _ => {}
        }
    }
    most
}

/// Whether groups may nest so deep that a broken text would cost too much to read. Counted without any notion of what
/// is quoted or a comment, so that no reader can see more of them than this.
pub(crate) fn is_costly(text: &str) -> bool {
    text.len() > 12 && openers(text) > CHECKED
}

/// Every `(`, and every `case` twice.
fn openers(text: &str) -> u32 {
    let groups = text.bytes().filter(|byte| *byte == b'(').count() + 2 * text.matches("case").count();
    u32::try_from(groups).unwrap_or(u32::MAX)
}

/// Whether a here-document may stand open inside a substitution, which brush-parser 0.4.0 reads without end or panics
/// on (`$(a <<  } `): there are both, and after some `<<` nothing ends a document. A shift in arithmetic looks the
/// same.
pub(crate) fn has_open_document(text: &str) -> bool {
    if !text.contains("<<") || !["$(", "`", "<(", ">(", "$[", "${"].iter().any(|opener| text.contains(opener))
    {
        return false;
    }
    let mut rest = text;
    while let Some(at) = rest.find("<<") {
        let escaped = rest.get(..at).is_some_and(|before| before.ends_with('\\'));
        let run = rest.get(at..).unwrap_or_default();
        let behind = run.trim_start_matches('<');
        if (run.len() - behind.len() != 3 || escaped) && !is_closed_document(behind) {
            return true;
        }
        rest = behind;
    }
    false
}

/// Whether what follows `<<` names a tag, and a later line is that tag.
fn is_closed_document(behind: &str) -> bool {
    let Some((line, body)) = behind.split_once('\n') else { return false };
    let word = line.trim_start_matches('-').trim_start_matches([' ', '\t']);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || b"_-.+%!:".contains(&(letter as u8));
    let tag = match word.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            word.get(1..).and_then(|word| word.split_once(quote)).map(|(tag, _)| tag).unwrap_or_default()
        }
        _ => {
            let word = word.trim_start_matches('\\');
            word.get(..word.find(|letter| !plain(letter)).unwrap_or(word.len())).unwrap_or_default()
        }
    };
    !tag.is_empty() && body.lines().any(|line| line.trim_start_matches('\t') == tag)
}

/// Costly, for a text that the second parser can't be asked about: what nests, read either way about comments.
pub(crate) fn is_deep(text: &str) -> bool {
    nesting(text).1 > CHECKED
}

/// What a look at the raw text gave.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// Nesting of groups, substitutions and compound commands.
    pub(crate) depth: u32,
    pub(crate) unknown: Vec<Unknown>,
    pub(crate) findings: Vec<Finding>,
    /// The text must not be parsed.
    pub(crate) refuse: bool,
}

fn unknown(code: &str, reason: &str, span: Span) -> Unknown {
    Unknown { code: code.to_owned(), reason: reason.to_owned(), span }
}

/// Looks a text over. `own`: the text was made here, so marks of unknown parts in it are ours.
pub(crate) fn look(text: &str, own: bool) -> Look {
    let mut look = Look::default();
    let whole = Span::new(0, text.len());
    if text.len() > LONGEST {
        look.unknown.push(unknown("shell.too_long", "longer than 1 MiB", whole));
        look.refuse = true;
        return look;
    }
    if let Some(at) = text.find('\0') {
        look.unknown.push(unknown("shell.control_character", "holds a NUL byte", Span::new(at, at + 1)));
        look.refuse = true;
        return look;
    }
    if let Some((at, hole)) = text.char_indices().find(|&(_, character)| !own && is_mark(character)) {
        look.unknown.push(unknown(
            "shell.control_character",
            "holds a Unicode noncharacter",
            Span::new(at, at + hole.len_utf8()),
        ));
    }
    let (depth, groups) = nesting(text);
    look.depth = depth;
    if look.depth > DEEPEST || groups > GROUPS || subscripts(text) > SUBSCRIPTS {
        look.unknown.push(unknown("shell.too_deep", "nested deeper than is analysed", whole));
        look.refuse = true;
    }
    characters(text, &mut look);
    look
}

/// The same for a text that PowerShell or cmd reads: brackets count wherever they stand, and lines may end in CRLF.
pub(crate) fn look_windows(text: &str) -> Look {
    let mut look = outside(text, brackets(text));
    characters(&text.replace("\r\n", " \n"), &mut look);
    look
}

/// The same for code of a programming language. Words of shells (`case`, `if`) open nothing in it, and a reader with a
/// grammar bounds its own depth (`bounded`), so brackets count only where there is none. Form feeds and a byte order
/// mark are white space there, and a few zero-width spaces, as they come along with a comment that was copied from a
/// page, say nothing. A carriage return alone ends a line, and a comment, for Python and JavaScript but not for their
/// grammars, so it is told.
pub(crate) fn look_code(text: &str, bounded: bool) -> Look {
    let mut look = outside(text, if bounded { 0 } else { brackets(text) });
    let blank = |letter: char| matches!(letter, '\u{200b}' | '\u{ad}' | '\u{feff}');
    let few = text.chars().filter(|letter| blank(*letter)).count() <= FEW_BLANKS;
    let plain = |letter: char| letter == '\u{c}' || few && blank(letter);
    if text.contains(plain) {
        // As many bytes as before, so that places stay.
        let mut spaced = String::with_capacity(text.len());
        for letter in text.chars() {
            if plain(letter) {
                spaced.extend(std::iter::repeat_n(' ', letter.len_utf8()));
            } else {
                spaced.push(letter);
            }
        }
        characters(&spaced, &mut look);
    } else {
        characters(text, &mut look);
    }
    look
}

/// What is looked at before the characters of a text that isn't a POSIX shell's: its length, what can't stand in it,
/// and its depth.
fn outside(text: &str, depth: u32) -> Look {
    let whole = Span::new(0, text.len());
    let mut look = Look { depth, ..Look::default() };
    if text.len() > LONGEST {
        look.unknown.push(unknown("shell.too_long", "longer than 1 MiB", whole));
    }
    if let Some(at) = text.find('\0') {
        look.unknown.push(unknown("shell.control_character", "holds a NUL byte", Span::new(at, at + 1)));
    }
    if let Some((at, hole)) = text.char_indices().find(|&(_, character)| is_mark(character)) {
        let span = Span::new(at, at + hole.len_utf8());
        look.unknown.push(unknown("shell.control_character", "holds a Unicode noncharacter", span));
    }
    if depth > DEEPEST {
        look.unknown.push(unknown("shell.too_deep", "nested deeper than is analysed", whole));
    }
    look.refuse = text.len() > LONGEST || text.contains('\0') || depth > DEEPEST;
    look
}

/// How deep brackets lie in each other, wherever they stand.
fn brackets(text: &str) -> u32 {
    let (mut open, mut deepest) = (0_u32, 0_u32);
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' | b'[' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b')' | b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Control characters and characters that don't show, each reported once.
fn characters(text: &str, look: &mut Look) {
    let mut control = None;
    let mut hidden = None;
    for (at, character) in text.char_indices() {
        let span = || Span::new(at, at + character.len_utf8());
        match character {
            '\t' | '\n' => {}
            '\u{0}'..='\u{1f}' | '\u{7f}' => control = control.or_else(|| Some(span())),
            _ if character.is_ascii() => {}
            _ if is_invisible(character) => hidden = hidden.or_else(|| Some(span())),
            _ => {}
        }
    }
    if let Some(span) = control {
        look.unknown.push(unknown(
            "shell.control_character",
            "holds a control character, which shells and tools read differently",
            span,
        ));
    }
    if let Some(span) = hidden {
        look.findings
            .push(Finding::new("shell.invisible", "holds an invisible or bidirectional character").at(span));
    }
}

/// Zero-width, bidirectional, tag and other characters without a picture (Unicode 16, general category Cf and
/// the default-ignorable fillers). A variation selector or joiner is common after an emoji and stays quiet
/// there only because the word check looks at command words itself.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{80}'..='\u{9f}')
}

/// Whether a program word holds a character that looks like an ASCII one, or mixes scripts.
pub(crate) fn is_look_alike(word: &str) -> bool {
    !word.is_ascii()
        && word.chars().any(|character| {
            matches!(character,
                '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
                | '\u{370}'..='\u{5ff}' | '\u{13a0}'..='\u{13ff}' | '\u{1d00}'..='\u{1d7f}' | '\u{2010}'..='\u{2015}'
                | '\u{2044}' | '\u{2100}'..='\u{214f}' | '\u{2212}' | '\u{2215}' | '\u{a4d0}'..='\u{a4ff}'
                | '\u{ff00}'..='\u{ffef}' | '\u{1d400}'..='\u{1d7ff}')
                || is_invisible(character)
        })
}

/// Greatest nesting of anything a parser recurses into, and of groups and `case` alone. Where comments begin depends on
/// who reads, and a quote inside one hides what follows: both readings are counted, and the greater counts.
fn nesting(text: &str) -> (u32, u32) {
    let plain = Nesting::of(text, false);
    if !text.contains('#') {
        return plain;
    }
    let other = Nesting::of(text, true);
    (plain.0.max(other.0), plain.1.max(other.1))
}

/// What is open at a place in a text. Only what was opened is closed, and by its own kind: a stray `esac` or `]` takes
/// no group away.
#[derive(Default)]
struct Nesting {
    depth: u32,
    groups: u32,
    cases: u32,
    compounds: u32,
    open: Vec<Opener>,
    /// Inside double quotes.
    double: bool,
}

struct Opener {
    closes: u8,
    /// What it counts among the groups.
    weight: u32,
    /// The state of the quotes outside, since a substitution starts afresh inside them.
    double: bool,
}

impl Nesting {
    fn of(text: &str, comments: bool) -> (u32, u32) {
        let mut own = Self::default();
        let (mut deepest, mut most) = (0_u32, 0_u32);
        let bytes = text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        let mut word_start = true;
        let mut at = 0;
        while at < bytes.len() {
            let here = byte(at);
            let mut next_word_start = false;
            match here {
                b'\\' => at += 1,
                b'\'' if !own.double => {
                    let rest = bytes.get(at + 1..).unwrap_or_default();
                    let ansi = at > 0 && byte(at - 1) == b'$';
                    at += 1 + closing_quote(rest, ansi);
                }
                b'"' => own.double = !own.double,
                b'#' if comments && word_start && !own.double => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                    next_word_start = true;
                }
                b'$' if matches!(byte(at + 1), b'(' | b'{' | b'[') => {
                    own.open(byte(at + 1), 0);
                    if byte(at + 1) == b'(' {
                        own.double = false;
                        next_word_start = true;
                    }
                    at += 1;
                }
                b'(' | b'{' | b'[' if !own.double => {
                    // A process substitution is read as one, as a redirection's target, and as a word.
                    let substitution = at > 0 && matches!(byte(at - 1), b'<' | b'>');
                    let weight = u32::from(here == b'(') * (1 + u32::from(substitution));
                    own.open(here, weight);
                    next_word_start = true;
                }
                b')' | b'}' | b']' => own.close(here),
                b'`' => deepest = deepest.max(own.depth + 1),
                b'\n' | b';' | b'&' | b'|' | b' ' | b'\t' => next_word_start = !own.double,
                b'<' if byte(at + 1) == b'<' => deepest = deepest.max(own.depth + 1),
                b'a'..=b'z' if word_start && !own.double => {
                    let rest = bytes.get(at..).unwrap_or_default().iter();
                    let length = rest.take(10).take_while(|byte| byte.is_ascii_lowercase()).count();
                    match bytes.get(at..at + length).unwrap_or_default() {
                        b"time" | b"coproc" | b"function" => deepest = deepest.max(own.depth + 1),
                        word => own.word(word),
                    }
                    at += length.saturating_sub(1);
                }
                b'!' => next_word_start = !own.double,
                _ => {}
            }
            deepest = deepest.max(own.depth);
            most = most.max(own.groups);
            if deepest > DEEPEST || most > GROUPS {
                // Refused anyhow; and what is open stays short enough to look through.
                break;
            }
            word_start = next_word_start;
            at += 1;
        }
        (deepest, most)
    }

    fn open(&mut self, opener: u8, weight: u32) {
        let closes = match opener {
            b'(' => b')',
            b'{' => b'}',
            _ => b']',
        };
        self.open.push(Opener { closes, weight, double: self.double });
        self.depth += 1;
        self.groups += weight;
    }

    /// Closes the nearest opener of this kind, and with it what stands open inside; a brace or bracket reaches out of
    /// no parenthesis. The bare `)` of a `case` pattern closes nothing.
    fn close(&mut self, closer: u8) {
        if self.double && !self.open.last().is_some_and(|opener| opener.double) {
            return;
        }
        let inside = |opener: &Opener| opener.closes == closer || closer != b')' && opener.closes == b')';
        let Some(at) = self.open.iter().rposition(inside) else { return };
        if self.open.get(at).is_none_or(|opener| opener.closes != closer) {
            return;
        }
        for (nth, opener) in self.open.drain(at..).enumerate() {
            self.depth = self.depth.saturating_sub(1);
            self.groups = self.groups.saturating_sub(opener.weight);
            if nth == 0 {
                self.double = opener.double;
            }
        }
    }

    fn word(&mut self, word: &[u8]) {
        match word {
            b"case" => {
                self.cases += 1;
                self.depth += 1;
                self.groups += 2;
            }
            b"if" | b"do" | b"while" | b"until" | b"for" | b"select" => {
                self.compounds += 1;
                self.depth += 1;
            }
            b"esac" if self.cases > 0 => {
                self.cases -= 1;
                self.depth = self.depth.saturating_sub(1);
                self.groups = self.groups.saturating_sub(2);
            }
            b"fi" | b"done" => {
                let closed = self.compounds.min(if word.len() == 4 { 2 } else { 1 });
                self.compounds -= closed;
                self.depth = self.depth.saturating_sub(closed);
            }
            _ => {}
        }
    }
}

/// Bytes up to the closing quote; all of them when there is none.
fn closing_quote(rest: &[u8], ansi: bool) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\'' => return at,
            b'\\' if ansi => at += 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_counted_in_code_and_not_in_quotes() {
        let cases = [
            ("ls", 0),
            ("echo '((((('", 0),
            ("(ls)", 1),
            ("echo $(echo $(echo x))", 2),
            ("if a; then if b; then c; fi; fi; if d; then e; fi", 2),
            ("echo \"$(echo \"$(x)\")\"", 2),
            ("for x in a; do for y in b; do c; done; done; for z in d; do e; done", 4),
            ("a; b; c && d | e", 0),
        ];
        for (text, depth) in cases {
            assert_eq!(nesting(text).0, depth, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_levels_are_refused_in_one_pass() {
        for piece in ["(", "$(", "${x:-", "if a; then ", "{ ", "\"$(", "`", "while a; do "] {
            let look = look(&piece.repeat(100_000 / piece.len().max(1)), false);
            assert!(look.refuse || piece == "`", "{piece}");
        }
    }

    #[test]
    fn what_the_parser_reads_without_end_is_refused() {
        for text in ["a << \r y \"$((", "a[ cat << \r x", "a <<\u{a0} b", "cat <<-\u{2003}x"] {
            assert!(is_endless(text), "{text:?}");
        }
        for text in ["cat <<E\n\u{a0}\nE\n", "cat <<< x", "echo $((1<<2))", "ls\r"] {
            assert!(!is_endless(text), "{text:?}");
        }
        assert!(look(&"a[${x}".repeat(12), false).refuse);
        assert!(look(&"(( esac".repeat(14), false).refuse && look(&"$( fi; ".repeat(300), false).refuse);
        for piece in ["(( ]]", "(( }", "(( ;; ", "[ ( ] ", "<(a "] {
            assert!(look(&piece.repeat(21), false).refuse, "{piece}");
        }
        for text in ["$(\\<<<  } ", "$(a <<  } ", "$(a << ) ", "x=`cat <<E\na\n`", "$(cat <<E)\nE x\n"] {
            assert!(has_open_document(text), "{text:?}");
        }
        for text in ["cat <<E", "x=$(cat <<-'E F' | tr a b\na\n\tE F\n)", "$(cat <<<x) <<\\E\na\nE\n"] {
            assert!(!has_open_document(text), "{text:?}");
        }
        let hidden = "# it's\n".to_owned() + &"(( ".repeat(14);
        assert!(look(&hidden, false).refuse, "a comment's quote hides nothing");
        assert!(
            look(&("ls#it's\n".to_owned() + &"(( ".repeat(14) + "'"), false).depth < 3,
            "quoted for everybody"
        );
        assert!(!look("x=${a[${b[$((i[0]))]}]}; [[ -n ${y[1]} ]]", false).refuse);
        assert!(!look(&"[ -f x ] && echo 'a[b[c[' \"[[[[[[[[[\"; ".repeat(50), false).refuse);
    }

    #[test]
    fn hidden_characters_are_told() {
        assert_eq!(look("ls \u{202e}x", false).findings[0].code, "shell.invisible");
        assert_eq!(look("ls\rx", false).unknown[0].code, "shell.control_character");
        assert!(look("echo 'grüße 日本 🎉'", false).findings.is_empty());
        assert!(is_look_alike("ｒm") && is_look_alike("\u{440}m") && !is_look_alike("größe"));
    }

    #[test]
    fn code_is_not_measured_as_shell_text() {
        let cases = "switch (x) {\n".to_owned() + &"case 'a':\ncase 'b':\n".repeat(200) + "}\n";
        assert!(look(&cases, false).refuse && !look_code(&cases, true).refuse);
        assert!(!look_code(&"if (a) {} // if x\n".repeat(300), false).refuse);
        for text in ["\u{feff}import os\n", "x = 1\u{c}\n", "# 3.12.\u{200b}\n"] {
            let seen = look_code(text, true);
            assert!(seen.unknown.is_empty() && seen.findings.is_empty(), "{text:?}");
        }
        for text in ["# \u{202e}x\n", "\u{200b}\u{200b}\u{200b}\u{200b}", "x = '\u{e0041}'", "\u{3164} = 1"] {
            assert_eq!(look_code(text, true).findings[0].code, "shell.invisible", "{text:?}");
        }
        for hidden in ["# x\rimport os", "x = 1\u{b}"] {
            assert_eq!(look_code(hidden, true).unknown[0].code, "shell.control_character", "{hidden:?}");
        }
        assert!(look_code("x = 1\0", true).refuse && !look_code("x = '\u{1b}[0m'", true).unknown.is_empty());
        assert!(
            look_code(&"(".repeat(201), false).refuse && look_code(&"x".repeat(LONGEST + 1), true).refuse
        );
    }
}
