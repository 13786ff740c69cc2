//! Reads the plain subset of [KDL](https://kdl.dev) in which all specs are written.
//!
//! A line is a name with words, texts in quotation marks and `key=value`; `{` at its end opens a list of lines, which
//! `}` on a line of its own closes; a backslash at its end lets it go on below; `//` begins a comment. The text may come
//! from anyone: it is read in one pass, and neither braces nor lines nest deeper than [`DEEPEST`].

/// How deep braces may stand in each other, and over how many lines one may go on.
const DEEPEST: usize = 10;

/// What stands between words.
const BLANK: [char; 2] = [' ', '\t'];

/// A line with all that stands in its braces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Node {
    /// Its first word.
    pub(crate) name: String,
    /// Its other words.
    pub(crate) values: Vec<String>,
    /// Its words with a key, in their order.
    pub(crate) named: Vec<(String, String)>,
    /// The lines in its braces.
    pub(crate) children: Vec<Node>,
    /// Line, from 1.
    pub(crate) line: usize,
}

/// The lines of a text.
///
/// # Errors
/// Text that isn't of the subset: the line, and what is wrong there.
pub(crate) fn read(text: &str) -> Result<Vec<Node>, (usize, String)> {
    // Of every open brace the lines that came before it, and its own.
    let mut open: Vec<(Vec<Node>, Node)> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    // How many lines in a row went on.
    let mut continued = 0;
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        let wrong = |message: String| (number, message);
        if line.chars().any(is_forbidden) {
            let message = "no control characters, and no marks that change the direction of text";
            return Err(wrong(message.to_owned()));
        }
        let (words, goes_on) = words(line).map_err(wrong)?;
        begins_well(&words, continued > 0).map_err(wrong)?;
        let (last, front) = words.split_last().map_or(("", &[][..]), |(last, front)| (*last, front));
        let misplaced = front.iter().any(|word| matches!(*word, "{" | "}"));
        if misplaced || matches!(last, "{" | "}") && front.is_empty() == (last == "{") {
            let message = "`{` ends its line, after a word; `}` stands on a line of its own";
            return Err(wrong(message.to_owned()));
        }
        if goes_on && matches!(last, "" | "{" | "}") {
            return Err(wrong("a line goes on behind a word".to_owned()));
        }
        match last {
            "}" => {
                let (before, mut node) = open.pop().ok_or(wrong("this `}` closes nothing".to_owned()))?;
                node.children = std::mem::replace(&mut nodes, before);
                nodes.push(node);
            }
            "{" => {
                let node = extended(&mut nodes, continued > 0, front, number);
                open.push((std::mem::take(&mut nodes), node));
            }
            "" => {}
            _ => {
                let node = extended(&mut nodes, continued > 0, &words, number);
                nodes.push(node);
            }
        }
        continued = if goes_on { continued + 1 } else { 0 };
        if continued > DEEPEST {
            return Err(wrong(format!("a line goes on over more than {DEEPEST} others")));
        }
        if open.len() > DEEPEST {
            return Err(wrong(format!("braces stand in each other more than {DEEPEST} deep")));
        }
    }
    match open.last() {
        None if continued > 0 => Err((1, "the last line goes on, and nothing follows".to_owned())),
        None => Ok(nodes),
        Some((_, node)) => Err((node.line, "this `{` isn't closed".to_owned())),
    }
}

fn is_forbidden(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line of these words, or the line above if that goes on here.
fn extended(nodes: &mut Vec<Node>, goes_on: bool, words: &[&str], number: usize) -> Node {
    let mut node = if goes_on { nodes.pop().unwrap_or_default() } else { Node::default() };
    for word in words {
        let quoted = word.starts_with('"');
        if node.line == 0 {
            (node.name, node.line) = (value(word), number);
        } else if let Some((key, text)) = word.split_once('=').filter(|_| !quoted) {
            node.named.push((key.to_owned(), value(text)));
        } else {
            node.values.push(value(word));
        }
    }
    node
}

/// What a word or a text in quotation marks says.
fn value(word: &str) -> String {
    let Some(quoted) = word.strip_prefix('"') else {
        // `007` is a number of KDL.
        return word.parse::<u32>().map_or_else(|_| word.to_owned(), |number| number.to_string());
    };
    let quoted = quoted.strip_suffix('"').unwrap_or(quoted);
    if !quoted.contains('\\') {
        return quoted.to_owned();
    }
    let mut text = String::with_capacity(quoted.len());
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        text.push(match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => break,
            },
            (letter, false) => letter,
        });
    }
    text
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

/// The words of a line without its comment, and whether it goes on below.
fn words(line: &str) -> Result<(Vec<&str>, bool), String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start_matches(BLANK);
    while !rest.is_empty() && !rest.starts_with("//") {
        if rest.trim_end_matches(BLANK) == "\\" {
            return Ok((words, true));
        }
        let end = word_end(rest)?;
        let (word, behind) = rest.split_at(end);
        if !(behind.is_empty() || behind.starts_with(BLANK)) {
            return Err(format!("`{word}` and what follows it need a space between them"));
        }
        words.push(word);
        rest = behind.trim_start_matches(BLANK);
    }
    Ok((words, false))
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

#[cfg(test)]
mod tests {
    use kdl::{KdlDocument, KdlValue};

    use super::{Node, read};

    /// What a parser of all of KDL reads.
    fn of_kdl(text: &str, document: &KdlDocument) -> Vec<Node> {
        let said = |value: &KdlValue| match value {
            KdlValue::String(text) => text.clone(),
            KdlValue::Integer(number) => number.to_string(),
            other => panic!("{other}"),
        };
        let node = |node: &kdl::KdlNode| {
            let mut read = Node { name: node.name().value().to_owned(), ..Node::default() };
            for entry in node.entries() {
                match entry.name() {
                    Some(key) => read.named.push((key.value().to_owned(), said(entry.value()))),
                    None => read.values.push(said(entry.value())),
                }
            }
            let before = text.get(..node.span().offset()).unwrap_or_default();
            read.line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            read.children = node.children().map(|children| of_kdl(text, children)).unwrap_or_default();
            read
        };
        document.nodes().iter().map(node).collect()
    }

    /// Whatever is read here is KDL, and says the same there.
    #[test]
    fn mutated_specs_are_refused_or_are_kdl() {
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
            if let Ok(nodes) = read(&mutated) {
                passed += 1;
                let parsed = kdl::KdlDocument::parse(&mutated);
                let wrong = parsed.as_ref().err().and_then(|error| error.diagnostics.first());
                let place = wrong.map_or(0, |wrong| wrong.span.offset());
                let shown: String = mutated.chars().skip(place.saturating_sub(60)).take(120).collect();
                assert!(wrong.is_none(), "{:?}\n{shown}", wrong.and_then(|wrong| wrong.message.as_ref()));
                assert_eq!(nodes, of_kdl(&mutated, &parsed.unwrap_or_default()), "{mutated}");
            }
        }
        assert!(passed > 20, "only {passed} were well formed");
    }

    #[test]
    fn shipped_files_are_read_as_kdl_is() {
        for folder in [crate::shipped(), crate::shipped_languages(), crate::cmdlet::shipped_cmdlets()] {
            for (name, text) in crate::files(&folder).unwrap_or_else(|error| panic!("{error}")) {
                let nodes =
                    read(&text).unwrap_or_else(|(line, message)| panic!("{name}.kdl:{line}: {message}"));
                let document = KdlDocument::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(nodes == of_kdl(&text, &document), "{name}");
            }
        }
    }
}
