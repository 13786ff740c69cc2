//! Where words, commands and groups of a command line end, and what stands in them.

/// A command's words, and what stands between them.
#[derive(Debug, Default)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// The name was put together.
    pub(super) hidden: bool,
    pub(super) writes: Vec<(String, bool)>,
    pub(super) reads: Vec<String>,
}

/// Words and redirections, quotes and carets taken out.
pub(super) fn words(text: &str) -> Command {
    let mut command = Command::default();
    let (mut word, mut any, mut quoted, mut marks) = (String::new(), false, false, 0_u32);
    let mut letters = text.chars().peekable();
    let mut target: Option<char> = None;
    let finish = |word: &mut String, any: &mut bool, command: &mut Command, target: &mut Option<char>| {
        if word.is_empty() && !*any {
            return;
        }
        let word = std::mem::take(word);
        *any = false;
        match target.take() {
            Some('<') => command.reads.push(word),
            Some(mark) => command.writes.push((word, mark == 'a')),
            None => command.words.push(word),
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            '^' if !quoted => {
                marks += u32::from(command.words.is_empty());
                word.extend(letters.next());
            }
            '"' => {
                // Quotes around the whole name are plain.
                let inside = !word.is_empty() && !quoted
                    || quoted && letters.peek().is_some_and(|next| next.is_alphanumeric() || *next == '"');
                marks += u32::from(command.words.is_empty() && inside);
                quoted = !quoted;
                any = true;
            }
            '>' | '<' if !quoted => {
                if word.chars().all(|letter| letter.is_ascii_digit()) {
                    word.clear();
                }
                finish(&mut word, &mut any, &mut command, &mut target);
                let append = letter == '>' && letters.next_if_eq(&'>').is_some();
                if letters.next_if_eq(&'&').is_some() {
                    letters.next();
                    continue;
                }
                target = Some(if letter == '<' {
                    '<'
                } else if append {
                    'a'
                } else {
                    '>'
                });
            }
            letter
                if (letter.is_whitespace()
                    || matches!(letter, ';' | ',')
                    || letter == '=' && command.words.is_empty())
                    && !quoted =>
            {
                finish(&mut word, &mut any, &mut command, &mut target);
            }
            letter => word.push(letter),
        }
    }
    finish(&mut word, &mut any, &mut command, &mut target);
    command.hidden = marks > 0;
    command
}

pub(super) fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./:=@+,*?".contains(letter));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''").replace('…', "'…'")) }
}

/// What follows a word that stands here, in any case.
pub(super) fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let start = text.get(..word.len())?;
    let rest = text.get(word.len()..)?;
    let ends = rest.chars().next().is_none_or(|next| {
        next.is_whitespace() || matches!(next, '(' | '/' | '"' | ',' | ';' | '=' | '&' | '|' | '.')
    });
    (start.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

/// The first word, quotes kept, and what is behind it.
pub(super) fn word(text: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            letter if letter.is_whitespace() && !quoted => return text.split_at(at),
            _ => {}
        }
    }
    (text, "")
}

/// Where a command ends: at an operator or line end outside quotes.
pub(super) fn segment(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => return at,
            _ if escaped => escaped = false,
            '^' if !quoted => escaped = true,
            '"' => quoted = !quoted,
            // `2>&1`
            '&' if !quoted && text.get(..at).is_some_and(|before| before.ends_with(['>', '<'])) => {}
            '&' | '|' | ')' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// Where the parenthesis ends that was opened before this text.
pub(super) fn closing(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped, mut open) = (false, false, 1_u32);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '^' if !quoted => escaped = true,
            '"' => quoted = !quoted,
            '\n' => quoted = false,
            '(' if !quoted => open += 1,
            ')' if !quoted => {
                open -= 1;
                if open == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `start "title" /b program …` without what belongs to `start`.
pub(super) fn started(text: &str) -> String {
    let mut rest = text.trim_start();
    if rest.starts_with('"') {
        let (title, after) = word(rest);
        // A title, unless nothing is behind it.
        if !after.trim().is_empty() || title == "\"\"" {
            rest = after.trim_start();
        }
    }
    while rest.starts_with('/') {
        let (option, after) = word(rest);
        rest = after.trim_start();
        if matches!(option.to_ascii_lowercase().as_str(), "/d" | "/node" | "/affinity" | "/machine") {
            rest = word(rest).1.trim_start();
        }
    }
    rest.to_owned()
}

/// `%~fi`, `%~dpnxi`: the item's path in parts.
pub(super) fn with_modifiers(text: &str, variable: char, item: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("%~") {
        out.push_str(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 2..).unwrap_or_default();
        let end = after.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(after.len());
        let letters = after.get(..end).unwrap_or_default();
        if letters.ends_with(variable) {
            out.push_str(item);
        } else {
            out.push('…');
        }
        rest = after.get(end..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}
