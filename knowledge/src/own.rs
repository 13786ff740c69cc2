//! Reads a spec that was written outside of Doorward: by a user, an administrator, or a project.
//!
//! The text may come from anyone. The KDL parser takes minutes on long texts that are wrong everywhere and more than
//! that on deep ones, so such a file keeps to a plain subset of KDL that is checked first, line by line: words, texts in
//! quotation marks, `key=value`, and braces (or a backslash, for a line that goes on below) at the ends of lines. It may name no function of Doorward either.

use crate::parse::{SpecError, parse};
use crate::spec::{Row, SpecFile};

/// Bytes that a file may have.
pub const LONGEST: usize = 64 << 10;
/// How deep braces may stand in each other, and over how many lines one may go on: the parser calls itself for each.
const DEEPEST: usize = 10;

/// What stands between words.
const BLANK: [char; 2] = [' ', '\t'];

/// Reads a spec named `file`, which isn't trusted.
///
/// # Errors
/// As [`parse`](crate::parse()); also a text that is too long or too deep, and one that names functions of Doorward.
pub fn parse_own(file: &str, text: &str) -> Result<SpecFile, SpecError> {
    let error =
        |line: usize, message: &str| SpecError { file: file.to_owned(), line, message: message.to_owned() };
    if text.len() > LONGEST {
        return Err(error(1, &format!("the file has more than {} KiB", LONGEST >> 10)));
    }
    shape(text).map_err(|(line, message)| error(line, &message))?;
    let parsed = parse(file, text);
    let spec = parsed.map_err(|wrong| SpecError { file: file.to_owned(), ..wrong })?;
    if !spec.functions.is_empty() {
        return Err(error(1, "`functions` names code of Doorward itself, which only a shipped spec can"));
    }
    let rows = spec.programs.iter().map(|program| &program.row).chain(spec.commands.values().flatten());
    if let Some(program) = spec.programs.iter().find(|program| program.any_case) {
        return Err(error(program.line, "`names any-case` is only for what Doorward ships"));
    }
    match rows.filter_map(rust_line).next() {
        Some(line) => {
            Err(error(line, "`rust` names a function of Doorward itself, which only a shipped spec can"))
        }
        None => Ok(spec),
    }
}

/// Whether the text keeps to the subset: every line is words with at most a brace at its end, or a closing brace.
fn shape(text: &str) -> Result<(), (usize, String)> {
    let forbidden = |letter: &char| {
        letter.is_control() && !matches!(letter, '\n' | '\t')
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut open = Vec::new();
    // How many lines in a row went on.
    let mut continued = 0;
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        if line.chars().any(|letter| forbidden(&letter)) {
            return Err((
                number,
                "no control characters, and no marks that change the direction of text".to_owned(),
            ));
        }
        let words = words(line).map_err(|message| (number, message))?;
        begins_well(&words, continued > 0).map_err(|message| (number, message))?;
        continued = if line.trim_end_matches(BLANK).ends_with('\\') { continued + 1 } else { 0 };
        if continued > DEEPEST {
            return Err((number, format!("a line goes on over more than {DEEPEST} others")));
        }
        let (last, front) = words.split_last().map_or(("", &[][..]), |(last, front)| (*last, front));
        match last {
            "}" if front.is_empty() => {
                open.pop().ok_or((number, "this `}` closes nothing".to_owned()))?;
            }
            "{" if !front.is_empty() => open.push(number),
            _ => {}
        }
        let misplaced = front.iter().any(|word| matches!(*word, "{" | "}"));
        if misplaced || matches!(last, "{" | "}") && front.is_empty() == (last == "{") {
            return Err((
                number,
                "`{` ends its line, after a word; `}` stands on a line of its own".to_owned(),
            ));
        }
        if open.len() > DEEPEST {
            return Err((number, format!("braces stand in each other more than {DEEPEST} deep")));
        }
    }
    match open.last() {
        None if continued > 0 => Err((1, "the last line goes on, and nothing follows".to_owned())),
        None => Ok(()),
        Some(line) => Err((*line, "this `{` isn't closed".to_owned())),
    }
}

/// Whether a line begins with a name, or goes on where the line above did.
fn begins_well(words: &[&str], goes_on: bool) -> Result<(), String> {
    let is_name = |word: &str| {
        word.starts_with('"')
            || !word.contains('=') && !word.starts_with(|letter: char| letter.is_ascii_digit())
    };
    match words.first() {
        Some(&"}") | None if goes_on => Err("the line above goes on here, where nothing stands".to_owned()),
        Some(first) if !goes_on && !is_name(first) => {
            Err(format!("a line begins with a name, not with `{first}`"))
        }
        _ => Ok(()),
    }
}

/// The words of a line without its comment.
fn words(line: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start_matches(BLANK);
    while !rest.is_empty() && !rest.starts_with("//") {
        // The line goes on below.
        if rest.trim_end_matches(BLANK) == "\\" {
            break;
        }
        let end = word_end(rest)?;
        let (word, behind) = rest.split_at(end);
        if !(behind.is_empty() || behind.starts_with(BLANK)) {
            return Err(format!("`{word}` and what follows it need a space between them"));
        }
        words.push(word);
        rest = behind.trim_start_matches(BLANK);
    }
    Ok(words)
}

/// Where the word ends with which a text begins: `{`, `}`, `word`, `"text"`, `word=word` or `word="text"`.
fn word_end(text: &str) -> Result<usize, String> {
    if text.starts_with(['{', '}']) {
        return Ok(1);
    }
    let bare = |text: &str| {
        text.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-+_.:*?!@%<>,".contains(letter)))
            .unwrap_or(text.len())
    };
    let checked = |word: &str, is_value: bool| {
        let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
        let number = unsigned.strip_prefix('.').unwrap_or(unsigned);
        let number = number.starts_with(|letter: char| letter.is_ascii_digit());
        let keyword = matches!(word, "true" | "false" | "null" | "inf" | "-inf" | "nan");
        let whole = is_value && word.len() < 10 && word.bytes().all(|byte| byte.is_ascii_digit());
        if number && !whole || keyword { Err(format!("put `{word}` into quotation marks")) } else { Ok(()) }
    };
    if text.starts_with('"') {
        return quoted_end(text);
    }
    let end = bare(text);
    let (word, behind) = text.split_at(end);
    if word.is_empty() {
        let letter = text.chars().next().unwrap_or_default();
        return Err(format!("`{letter}` can only be used here in quotation marks"));
    }
    let Some(value) = behind.strip_prefix('=') else {
        return checked(word, true).map(|()| end);
    };
    checked(word, false)?;
    let length = if value.starts_with('"') { quoted_end(value)? } else { bare(value) };
    match value.get(..length) {
        Some(bare) if !bare.is_empty() => {
            checked(bare, true)?;
            Ok(end + 1 + length)
        }
        _ => Err(format!("`{word}=` lacks its value")),
    }
}

fn quoted_end(text: &str) -> Result<usize, String> {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok(at + 1),
            '\\' if !matches!(letters.next(), Some((_, '"' | '\\' | 'n' | 't'))) => {
                return Err("behind `\\` stands `\\`, `\"`, `n` or `t`".to_owned());
            }
            _ => {}
        }
    }
    Err("a text in quotation marks ends on its line".to_owned())
}

/// Where a row names a Rust function, if it does.
fn rust_line(row: &Row) -> Option<usize> {
    let rules = row.rules.iter().chain(&row.otherwise).chain(&row.throughout);
    let own = rules.filter(|rule| rule.acts.iter().any(|act| act.key == "rust")).map(|rule| rule.line).next();
    own.or_else(|| row.commands.iter().filter_map(rust_line).next())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, parse_own};

    const SOURCE: &str = "source \"x(1)\" version=\"1\" read=\"2026-11-23\"\n";

    #[test]
    fn hostile_texts_are_refused() {
        let nested = |open: &str, count: usize| format!("program x {}", open.repeat(count));
        for (text, says) in [
            (" ".repeat(LONGEST + 1), "more than 64 KiB"),
            (nested("{\na ", 11), "10 deep"),
            (nested("{\na ", 100_000), "more than 64 KiB"),
            (nested("{\na ", 9), "isn't closed"),
            (nested("{\n}\n}\n", 1), "closes nothing"),
            (nested("{ a }", 1), "`{` ends its line"),
            (nested("\n{\n}", 1), "`{` ends its line"),
            (nested("/* ", 4000), "`/` can only"),
            (nested("/- ", 4000), "`/` can only"),
            (nested("(a)", 4000), "`(` can only"),
            (nested("#\"{\"#", 1), "`#` can only"),
            (nested("\"\n{\"", 1), "ends on its line"),
            (nested("\"\\\"{", 1), "ends on its line"),
            (nested("\"\\u{41}\"", 1), "behind `\\`"),
            (nested("\"\u{202e}\"", 1), "direction"),
            (nested("// \r}", 1), "control characters"),
            (nested("\"a\"b", 1), "a space between"),
            (nested("a= ", 1), "`a=` lacks its value"),
            (nested("-1 -2", 1), "put `-1` into quotation marks"),
            (nested("null", 1), "put `null` into"),
            (nested("{= {= }\n}\n", 5_000), "need a space"),
            (nested("\\ = = ", 5_000), "`\\` can only"),
            (nested("a \\\n", 5_000), "goes on over more"),
            (format!("program x\n{}", "a=b \"c\" 7\n".repeat(5_000)), "begins with a name"),
            (nested("\n7", 5_000), "begins with a name"),
            (nested("{\na \\\n}\n", 3_000), "nothing stands"),
            (nested("\\", 1), "nothing follows"),
            // Long and well formed, but no spec.
            (nested("\na b=c \"c\" 7", 5_000), ""),
            (nested(&format!("{{\n{}}}\n", "a \"\"\n".repeat(9_000)), 1), ""),
            (format!("functions git\nprogram x {{\n{SOURCE}}}"), "functions"),
            (format!("program x {{\n{SOURCE}rust mounts\n}}"), "`rust` names"),
            (format!("program x {{\n{SOURCE}names any-case\n}}"), "any-case` is only"),
            (
                format!("program x {{\n{SOURCE}command a {{\nwhen first=x {{\nrust mounts\n}}\n}}\n}}"),
                "`rust` names",
            ),
            (format!("program x {{\n{SOURCE}{}{}}}", "command a {\n".repeat(9), "}\n".repeat(9)), "6 deep"),
            (format!("program x {{\n{SOURCE}replaces everything\n}}"), "did you mean `shipped`?"),
        ] {
            let before = std::time::Instant::now();
            let error = parse_own("/home/ada/x.kdl", &text).expect_err(&text);
            let start: String = text.chars().take(40).collect();
            assert!(before.elapsed().as_secs() < 20, "{start}: {:?}", before.elapsed());
            assert!(error.message.contains(says), "{error}, not {says}");
            assert_eq!(error.file, "/home/ada/x.kdl");
        }
        let error = parse_own("x.kdl", &format!("program x {{\n{SOURCE}rust mounts\n}}")).expect_err("rust");
        assert_eq!(error.line, 3);
    }

    /// Whatever passes the check of the subset is KDL to the parser, too: it never meets the errors it is slow on.
    #[test]
    fn mutated_specs_are_refused_before_the_parser_or_are_kdl() {
        const PIECES: &[&str] = &[
            "{", "}", "\n", "\"", "\\", "=", " ", "//", "#", "-1", "null", ";", "(", "é", "\u{0}", "\r",
            "/*", "a=\"b\"", "\\\n",
        ];
        let text = std::fs::read_to_string(crate::shipped().join("mdbook.kdl")).unwrap_or_default();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % below as u64).unwrap_or_default()
        };
        let mut passed = 0;
        for _ in 0..1_500 {
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..=next(3) {
                let at = next(letters.len());
                let end = at + next(4).min(letters.len() - at);
                letters.splice(at..end, PIECES[next(PIECES.len())].chars());
            }
            let mutated: String = letters.into_iter().collect();
            if super::shape(&mutated).is_ok() {
                passed += 1;
                let parsed = kdl::KdlDocument::parse(&mutated);
                let wrong = parsed.err().and_then(|error| error.diagnostics.first().cloned());
                let place = wrong.as_ref().map_or(0, |wrong| wrong.span.offset());
                let shown: String = mutated.chars().skip(place.saturating_sub(60)).take(120).collect();
                assert!(wrong.is_none(), "{:?}\n{shown}", wrong.and_then(|wrong| wrong.message));
            }
        }
        assert!(passed > 20, "only {passed} were well formed");
    }

    #[test]
    fn shipped_specs_that_name_no_function_fit_the_subset() {
        let mut read = 0;
        for spec in crate::load(&crate::shipped()).unwrap_or_else(|error| panic!("{error}")) {
            let path = crate::shipped().join(format!("{}.kdl", spec.name));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            super::shape(&text)
                .unwrap_or_else(|(line, message)| panic!("{}.kdl:{line}: {message}", spec.name));
            read += 1;
        }
        assert!(read > 5, "only {read} specs");
    }
}
