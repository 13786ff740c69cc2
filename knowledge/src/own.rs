//! Reads a spec that was written outside of Doorward: by a user, an administrator, or a project.
//!
//! The text may come from anyone. The KDL parser takes minutes on long texts that are wrong everywhere and more than
//! that on deep ones, so such a file keeps to a plain subset of KDL that is checked first, line by line: words, texts in
//! quotation marks, `key=value`, and braces (or a backslash, for a line that goes on below) at the ends of lines. It may name no function of Doorward either.

use crate::parse::{SpecError, parse};
use crate::spec::{Row, SpecFile};

/// Bytes that a file may have.
pub const LONGEST: usize = 64 << 10;
/// How deep braces may stand in each other.
const DEEPEST: usize = 10;

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
    match rows.filter_map(rust_line).next() {
        Some(line) => {
            Err(error(line, "`rust` names a function of Doorward itself, which only a shipped spec can"))
        }
        None => Ok(spec),
    }
}

/// Whether the text keeps to the subset: every line is words with at most a brace at its end, or a closing brace.
fn shape(text: &str) -> Result<(), (usize, String)> {
    let mut open = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        let words = words(line).map_err(|message| (number, message))?;
        let (last, front) = words.split_last().map_or(("", &[][..]), |(last, front)| (*last, front));
        match last {
            "}" if front.is_empty() => {
                drop(open.pop().ok_or((number, "this `}` closes nothing".to_owned()))?)
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
        None => Ok(()),
        Some(line) => Err((*line, "this `{` isn't closed".to_owned())),
    }
}

/// The words of a line without its comment.
fn words(line: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() && !rest.starts_with("//") {
        // The line goes on below.
        if rest.trim_end() == "\\" {
            break;
        }
        let end = word_end(rest)?;
        let (word, behind) = rest.split_at(end);
        if !(behind.is_empty() || behind.starts_with([' ', '\t', '\r'])) {
            return Err(format!("`{word}` and what follows it need a space between them"));
        }
        words.push(word);
        rest = behind.trim_start();
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
        let number =
            word.trim_start_matches(['-', '+', '.']).starts_with(|letter: char| letter.is_ascii_digit());
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
            letter if letter.is_control() || matches!(letter, '\u{85}' | '\u{2028}' | '\u{2029}') => {
                return Err("a text may hold no control characters".to_owned());
            }
            // Marks that KDL forbids everywhere.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
                return Err("a text may hold no marks that change its direction".to_owned());
            }
            _ => {}
        }
    }
    Err("a text in quotation marks ends on its line".to_owned())
}

/// Where a row names a Rust function, if it does.
fn rust_line(row: &Row) -> Option<usize> {
    let rules = row.rules.iter().chain(&row.otherwise);
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
            (nested("\"a\"b", 1), "a space between"),
            (nested("a= ", 1), "`a=` lacks its value"),
            (nested("-1 -2", 1), "put `-1` into quotation marks"),
            (nested("null", 1), "put `null` into"),
            (nested("{= {= }\n}\n", 5_000), "need a space"),
            (nested("\\ = = ", 5_000), "`\\` can only"),
            (nested("a \\\n", 5_000), ""),
            // Long and well formed, but no spec.
            (nested("a=b \"c\" 7\n", 6_000), "key"),
            (nested(&format!("{{\n{}}}\n", "a \"\"\n".repeat(9_000)), 1), "key"),
            (format!("functions git\nprogram x {{\n{SOURCE}}}"), "functions"),
            (format!("program x {{\n{SOURCE}rust mounts\n}}"), "`rust` names"),
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
