//! What the scanners of the grammars can't bear, told before they see it.
//!
//! A grammar's scanner is written in C and keeps its state in a buffer of a kilobyte. Read in the sources of the
//! versions in `Cargo.lock`: the one of Perl never ends in a here-document that isn't closed, and compares only the
//! first eight letters of its mark; the one of Ruby ends the process for a mark of more than 255 letters; the one of
//! Python writes behind its buffer from 512 levels of indentation on; the ones of Lua and Ruby count levels of brackets
//! in a byte. No such text is written by people, and most are no valid programs, so they are read without a grammar.

use std::borrow::Cow;
use std::collections::HashSet;

/// The longest mark of a here-document, and the deepest nesting of brackets and indentation, that a scanner is given.
const MOST: usize = 200;

/// The text as the grammar may read it, or `None` if it may not.
pub(super) fn bearable<'t>(language: &str, text: &'t str) -> Option<Cow<'t, str>> {
    match super::parse::grammar_of(language)? {
        "perl" => {
            let plain = (closers_alone(text) <= MOST_ALONE).then(|| perl(text)).flatten();
            plain.and_then(folded).map(Cow::Owned)
        }
        "ruby" => (short_marks(text) && shallow(text)).then_some(Cow::Borrowed(text)),
        // `php -r` and `assert` take a statement without its end.
        "php" if !text.contains("<?") && !text.trim_end().ends_with([';', '}']) => {
            short_marks(text).then(|| Cow::Owned(format!("{text};")))
        }
        "php" => short_marks(text).then_some(Cow::Borrowed(text)),
        "python" => (indentations(text) <= MOST).then_some(Cow::Borrowed(text)),
        "lua" => (!text.contains(&"=".repeat(MOST))).then_some(Cow::Borrowed(text)),
        _ => Some(Cow::Borrowed(text)),
    }
}

/// Ruby in a template: what is between `<%` and `%>`.
pub(in crate::languages) fn template(text: &str) -> String {
    let inside = text.split("<%").skip(1).filter_map(|part| part.split("%>").next());
    let code = inside.map(|code| code.trim_start_matches(['=', '-']).trim_end_matches('-'));
    code.filter(|code| !code.starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// The longest line of Perl that the grammar is given: its scanner reads a line from its start for every token in it.
const LONGEST_LINE: usize = 4096;

/// Perl whose long lines go on in the next one behind a statement, where the language doesn't tell a blank from the end
/// of a line: a text that holds such a place holds the end of a command or query, too. `None` if a line has too few of
/// these places, or may hold a comment, which would end there.
fn folded(text: String) -> Option<String> {
    if text.split('\n').all(|line| line.len() <= LONGEST_LINE) {
        return Some(text);
    }
    let mut found = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.len() > LONGEST_LINE && line.contains('#') {
            return None;
        }
        let mut length = 0;
        for part in line.split_inclusive("; ") {
            // What begins with `=` at the start of a line is documentation.
            if length + part.len() > LONGEST_LINE && !part.starts_with('=') && found.ends_with("; ") {
                found.pop();
                found.push('\n');
                length = 0;
            }
            length += part.len();
            if length > 2 * LONGEST_LINE {
                return None;
            }
            found.push_str(part);
        }
    }
    Some(found)
}

/// Most closing brackets in a Perl program that close nothing, as far as a look at quotation marks and comments tells:
/// patterns hold some. Each may be an error, and the parser's way out of one takes the square of what is pending.
const MOST_ALONE: usize = 12;

/// How many closing brackets close nothing.
fn closers_alone(text: &str) -> usize {
    let (mut open, mut alone, mut quote) = (Vec::new(), 0, None);
    let mut letters = text.chars().peekable();
    let mut before = '\n';
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (_, '\\') => {
                letters.next();
            }
            (Some(end), letter) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(letter),
            // `$#x`, `s#a#b#` are no comments, nor is `don't` a quotation mark.
            (None, '\'') if !before.is_alphanumeric() => quote = Some(letter),
            (None, '#') if before.is_whitespace() => quote = Some('\n'),
            (None, '(' | '[' | '{') => open.push(letter),
            (None, ')' | ']' | '}') => {
                let matches =
                    matches!((open.last(), letter), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                if matches {
                    open.pop();
                } else {
                    alone += 1;
                }
            }
            _ => {}
        }
        before = letter;
    }
    alone
}

/// How many different indentations the lines have: no block can be nested deeper.
fn indentations(text: &str) -> usize {
    let width = |line: &str| line.len() - line.trim_start().len();
    text.split(['\n', '\r', '\u{c}']).map(width).collect::<HashSet<_>>().len()
}

/// Whether no bracket is open more than [`MOST`] times at once.
fn shallow(text: &str) -> bool {
    [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')].into_iter().all(|(open, close)| {
        let mut depth = 0_usize;
        text.chars().all(|letter| {
            if letter == open {
                depth += 1;
            } else if letter == close {
                depth = depth.saturating_sub(1);
            }
            depth <= MOST
        })
    })
}

/// Whether nothing that may be the mark of a here-document is long.
fn short_marks(text: &str) -> bool {
    text.match_indices("<<").all(|(at, _)| {
        let rest = text.get(at + 2..).unwrap_or_default();
        let rest = rest.trim_start_matches(['<', '-', '~', ' ', '\t']);
        let length = match rest.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => {
                let inside = rest.get(1..).unwrap_or_default();
                inside.find(quote).unwrap_or(inside.len())
            }
            _ => rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len()),
        };
        length <= MOST
    })
}

/// A mark of a here-document in Perl.
struct Mark<'t> {
    /// Where it stands in its line, `<<` included.
    at: std::ops::Range<usize>,
    word: &'t str,
    quote: char,
    indented: bool,
}

/// Perl without here-documents: each becomes a quoted text where its mark was. `None` if one isn't closed, or if its
/// text holds every letter that could quote it.
fn perl(text: &str) -> Option<String> {
    let mut found = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let mut from = 0;
        while let Some(mark) = mark_in(line, from)? {
            let body = body(&mut lines, &mark)?;
            found.push_str(line.get(from..mark.at.start)?);
            found.push_str(&quoted(&body, mark.quote)?);
            from = mark.at.end;
        }
        found.push_str(line.get(from..)?);
    }
    Some(found)
}

/// The next mark of a line, if there is one; `None` if it may stand on the next line.
fn mark_in(line: &str, from: usize) -> Option<Option<Mark<'_>>> {
    let mut from = from;
    loop {
        let Some(start) = line.get(from..)?.find("<<").map(|at| from + at) else { return Some(None) };
        let rest = line.get(start + 2..)?;
        let indented = rest.starts_with('~');
        let rest = rest.strip_prefix('~').unwrap_or(rest);
        let spaced = rest.trim_start();
        let (word, quote, rest) = match spaced.chars().next()? {
            quote @ ('"' | '\'' | '`') => {
                let (word, rest) = spaced.get(1..)?.split_once(quote)?;
                (word, quote, rest)
            }
            _ => {
                let (quote, bare) = match rest.strip_prefix('\\') {
                    Some(bare) => ('\'', bare),
                    None => ('"', rest),
                };
                let in_word =
                    |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii();
                let (word, rest) = bare.split_at(bare.find(|letter| !in_word(letter)).unwrap_or(bare.len()));
                if word.is_empty() || word.starts_with(|first: char| first.is_ascii_digit()) {
                    from = start + 1;
                    continue;
                }
                (word, quote, rest)
            }
        };
        return Some(Some(Mark { at: start..line.len() - rest.len(), word, quote, indented }));
    }
}

/// The lines up to the mark.
fn body<'t>(lines: &mut impl Iterator<Item = &'t str>, mark: &Mark<'_>) -> Option<String> {
    let mut body = Vec::new();
    loop {
        let line = lines.next()?;
        let bare = line.trim_end_matches(['\n', '\r']);
        let bare = if mark.indented { bare.trim_start() } else { bare };
        if bare == mark.word {
            break;
        }
        body.push(line);
    }
    if !mark.indented {
        return Some(body.concat());
    }
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let common = body.iter().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    Some(body.into_iter().map(|line| line.get(common..).unwrap_or("\n")).collect())
}

/// The text in quotation marks that it doesn't hold. It has no marks of its own: what is filled in may be code, and a
/// parser that has met an error may take any of it for code.
fn quoted(body: &str, quote: char) -> Option<String> {
    if body.split_inclusive('\n').any(|line| !matches!(mark_in(line, 0), Some(None))) {
        return None;
    }
    let with = ['~', '|', '!', '^', '%', '+', ',', ':'].into_iter().find(|with| !body.contains(*with))?;
    Some(match quote {
        '\'' => format!("q{with}{}{with}", body.replace('\\', "\\\\")),
        '`' => format!("qx{with}{body}{with}"),
        _ => format!("qq{with}{body}{with}"),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_lines_of_perl_go_on_behind_a_statement() {
        let long = "print 1; ".repeat(2_000);
        let folded = super::folded(long.clone()).unwrap();
        assert_eq!(folded.replace('\n', " "), long);
        assert!(folded.split('\n').all(|line| line.len() <= super::LONGEST_LINE));
        assert_eq!(super::folded("x".repeat(10_000)), None);
        assert_eq!(super::folded(format!("{long} # print 1")), None, "a comment would end early");
        assert_eq!(super::folded("print 1; # a\n".repeat(2_000)), Some("print 1; # a\n".repeat(2_000)));
        let pod = format!("{}=pod; x", "print 1; ".repeat(455));
        assert!(!super::folded(pod).unwrap().contains("\n="));
    }

    use super::bearable;

    #[test]
    fn here_documents_of_perl_become_quoted_texts() {
        for (text, expected) in [
            ("print <<E . 'x';\na ~ $b\nE\nnext;\n", Some("print qq|a ~ $b\n| . 'x';\nnext;\n")),
            ("f(<<'A', <<~\"B\");\n\\n\nA\n  x\n   y\n  B\n", Some("f(q~\\\\n\n~, qq~x\n y\n~);\n")),
            ("<<`S`;\nrm x\nS\n", Some("qx~rm x\n~;\n")),
            ("<<\\E;\n$x\nE", Some("q~$x\n~;\n")),
            ("1 << 3; $x <<= 2; $y << $z\n", Some("1 << 3; $x <<= 2; $y << $z\n")),
            // Perl compares the whole mark.
            ("<<ENDOFTEXT_A;\nENDOFTEXT_B\nENDOFTEXT_A\n", Some("qq~ENDOFTEXT_B\n~;\n")),
            ("<<E\n$a", None),
            ("<<\"E\n$a", None),
            ("1 <<<<<E\n$a", None),
            ("<<E\n$#<<E\n'a'a[=~ <<E\nx\nE\n", None),
            ("/*<<<'E'\n$x os--<<E\nE\n", None),
            ("<<\n\"E\";\n$a\nE\n", None),
            ("<<é;\n$a\né\n", Some("qq~$a\n~;\n")),
            ("<<E;\n~|!^%+,:\nE\n", None),
        ] {
            assert_eq!(bearable("perl", text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn scanners_get_nothing_that_they_cannot_bear() {
        let deep: String = (0..600).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
        for (language, text) in [
            ("ruby", format!("x = <<{0}\nrm\n{0}\n", "E".repeat(300))),
            ("ruby", format!("x = <<-'{0}'\nrm\n{0}\n", "E e".repeat(100))),
            ("ruby", format!("x = %q{}", "(".repeat(300))),
            ("php", format!("x = <<<{0}\nrm\n{0}\n", "E".repeat(300))),
            ("python", deep),
            ("lua", format!("--[{0}[\nx ]{0}]", "=".repeat(256))),
            ("perl", ")printf -v x ".repeat(125)),
        ] {
            assert_eq!(bearable(language, &text), None, "{language}: {text:.60?}");
        }
        for (language, text) in [
            ("ruby", "x = <<~SQL\n  select 1\nSQL\n"),
            ("python", "if x:\n    if y:\n        z()\n"),
            ("lua", "--[==[ x ]==]"),
        ] {
            assert_eq!(bearable(language, text).as_deref(), Some(text));
        }
    }
}
