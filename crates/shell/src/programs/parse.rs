//! The option parser: one for all programs.
//!
//! Short options cluster, long ones may be shortened to an unambiguous prefix and take `=value`, `--` ends them. An
//! ambiguous prefix is read as the candidate that does most, and counts as unknown.

use doorward_knowledge::row::{ProgramRow, Role, Spec, Style};

use crate::deed::Word;

use super::word::slice;

/// An option that was given.
#[derive(Debug, Clone)]
pub(crate) struct GivenOption {
    /// First spelling in the row.
    pub(crate) name: &'static str,
    pub(crate) role: Option<Role>,
    pub(crate) value: Option<Word>,
}

/// An option that isn't in the row.
#[derive(Debug, Clone)]
pub(crate) struct Stranger {
    /// The word it is written in.
    pub(crate) word: Word,
    /// What is attached with `=`.
    pub(crate) value: Option<Word>,
}

/// Words taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parsed {
    pub(crate) given: Vec<GivenOption>,
    pub(crate) operands: Vec<Word>,
    pub(crate) strangers: Vec<Stranger>,
    /// How many operands stood before `--`, if there was one.
    pub(crate) dashes_at: Option<usize>,
    /// A word that may turn out to be an option stood where options are read.
    pub(crate) loose: bool,
}

/// Takes `words` (without the program's name) apart.
pub(crate) fn parse(words: &[Word], row: &ProgramRow) -> Parsed {
    let mut parser = Parser { row, parsed: Parsed::default(), rest: words };
    parser.run();
    parser.parsed
}

struct Parser<'a> {
    row: &'a ProgramRow,
    parsed: Parsed,
    rest: &'a [Word],
}

impl Parser<'_> {
    fn run(&mut self) {
        if self.row.style == Style::Raw {
            self.parsed.operands.extend_from_slice(self.rest);
            return;
        }
        while let Some(word) = self.next() {
            let text = word.text.as_str();
            if text == "--" && word.known().is_some() {
                self.parsed.dashes_at = Some(self.parsed.operands.len());
                self.parsed.operands.extend_from_slice(self.rest);
                return;
            }
            if self.row.style == Style::Windows {
                if self.windows(word) {
                    return;
                }
                continue;
            }
            self.parsed.loose |= word.form == doorward_core::intent::Form::Unknown && text.starts_with('…');
            if let Some(spec) = self.toolchain(text) {
                self.take(&spec, None);
                continue;
            }
            if text.len() < 2 || !text.starts_with('-') {
                self.parsed.operands.push(word);
                if self.row.style.ends_at_operand() {
                    self.parsed.operands.extend_from_slice(self.rest);
                    return;
                }
                continue;
            }
            match self.row.style {
                Style::Word | Style::WordPosix | Style::LenientWord | Style::LenientWordPosix => {
                    self.word_option(&word);
                }
                _ if text.starts_with("--") => self.long_option(&word),
                _ => self.cluster(&word),
            }
        }
    }

    /// A word of a program of Windows; whether it was the last that is read. `/mnt/c` is a path, `/s/q` are two
    /// options, `-ano` three.
    fn windows(&mut self, word: Word) -> bool {
        let text = word.text.as_str();
        self.parsed.loose |= word.known().is_none() && text.starts_with('…');
        let Some(body) = text.strip_prefix(['/', '-']).filter(|body| !body.is_empty()) else {
            self.parsed.operands.push(word);
            if self.row.has_commands() {
                self.parsed.operands.extend_from_slice(self.rest);
                return true;
            }
            return false;
        };
        let find = |name: &str| {
            let name = format!("-{}", name.to_ascii_lowercase());
            self.row.specs().find(|spec| spec.spellings().any(|own| own == name))
        };
        let colon = text.find(':');
        let name = colon.map_or(body, |at| text.get(1..at).unwrap_or_default());
        if let Some(spec) = find(name) {
            let value = colon.map(|at| slice(&word, at + 1, text.len()));
            self.take(&spec, value);
            return false;
        }
        let several: Option<Vec<Spec>> = if body.contains('/') {
            body.split('/').map(find).collect()
        } else {
            body.char_indices().map(|(at, letter)| find(body.get(at..at + letter.len_utf8())?)).collect()
        };
        match several {
            Some(specs) if specs.iter().all(|spec| spec.role.is_none()) => {
                specs.iter().for_each(|spec| self.take(spec, None));
            }
            _ if text.starts_with('/') && body.contains('/') => self.parsed.operands.push(word),
            _ => self.stranger(&word, colon.map(|at| slice(&word, at + 1, text.len()))),
        }
        false
    }

    /// `+nightly`, for a program that lists such an option.
    fn toolchain(&self, text: &str) -> Option<Spec> {
        let is_one = text.len() > 1 && text.starts_with('+');
        is_one.then(|| self.row.specs().find(|spec| spec.name() == "+toolchain")).flatten()
    }

    fn next(&mut self) -> Option<Word> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first.clone())
    }

    fn take(&mut self, spec: &Spec, attached: Option<Word>) {
        let value = match (spec.role, attached) {
            (None, _) => None,
            (Some(_), Some(value)) => Some(value),
            (Some(_), None) if spec.optional => None,
            (Some(_), None) if spec.maybe && self.rest.first().is_some_and(is_dashed) => None,
            (Some(_), None) => self.next(),
        };
        self.parsed.given.push(GivenOption { name: spec.name(), role: spec.role, value });
        for role in spec.further.split(',').filter(|role| !role.is_empty()) {
            let value = self.next();
            self.parsed.given.push(GivenOption { name: spec.name(), role: Role::named(role), value });
        }
    }

    fn long_option(&mut self, word: &Word) {
        let (name, attached) = split_value(word);
        match find_long(self.row, &name) {
            Match::One(spec) => self.take(&spec, attached),
            Match::Ambiguous(spec) => {
                self.stranger(word, attached.clone());
                self.take(&spec, attached);
            }
            Match::None => self.stranger(word, attached),
        }
    }

    fn word_option(&mut self, word: &Word) {
        let (mut name, mut attached) = split_value(word);
        let lenient = self.row.style.is_lenient();
        let listed = |name: &str| {
            self.row.specs().any(|spec| spec.role.is_some() && spec.spellings().any(|own| own == name))
        };
        let is_name =
            |own: &str, name: &str| own == name || self.row.any_case && own.eq_ignore_ascii_case(name);
        // `-javaagent:FILE`.
        if let Some(at) = word.text.find(':')
            && word.text.get(..at).is_some_and(listed)
        {
            name.truncate(at);
            attached = Some(slice(word, at + 1, word.text.len()));
        }
        let one_dash = name.strip_prefix('-').filter(|rest| rest.starts_with('-'));
        let found = self
            .row
            .specs()
            .find(|spec| spec.spellings().any(|own| is_name(own, &name) || one_dash == Some(own)))
            .or_else(|| {
                let mut specs = self.row.specs().filter(|spec| !lenient || spec.optional);
                specs.find(|spec| glued(spec, &name).is_some())
            });
        let exact = |spec: &Spec| spec.spellings().any(|own| is_name(own, &name) || one_dash == Some(own));
        match found {
            Some(spec) => match glued(&spec, &name).filter(|_| !exact(&spec)) {
                Some(at) if attached.is_none() => {
                    let value = slice(word, at, word.text.len());
                    self.take(&spec, Some(value));
                }
                _ => self.take(&spec, attached),
            },
            None => self.stranger(word, attached),
        }
    }

    fn cluster(&mut self, word: &Word) {
        let text = word.text.as_str();
        if text.get(1..).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            && let Some(spec) = self.row.specs().find(|spec| spec.spellings().any(|own| own == "-#"))
        {
            let spec = Spec { role: None, ..spec };
            return self.take(&spec, None);
        }
        if text.len() > 2
            && let Some(spec) = self.row.specs().find(|spec| spec.spellings().any(|own| own == text))
        {
            return self.take(&spec, None);
        }
        for (at, letter) in text.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            let found = self.row.specs().find(|spec| {
                spec.spellings().any(|own| own.strip_prefix('-').is_some_and(|own| own.chars().eq([letter])))
            });
            let Some(spec) = found else {
                if end == text.len() || letter.is_ascii_digit() {
                    // A lone stranger in a cluster, or a number after one.
                    self.stranger(word, None);
                    continue;
                }
                return self.stranger(word, Some(slice(word, end, text.len())));
            };
            if spec.maybe && end < text.len() {
                self.parsed.given.push(GivenOption { name: spec.name(), role: spec.role, value: None });
                continue;
            }
            if spec.role.is_some() {
                let attached = (end < text.len()).then(|| slice(word, end, text.len()));
                return self.take(&spec, attached);
            }
            self.take(&spec, None);
        }
    }

    fn stranger(&mut self, word: &Word, value: Option<Word>) {
        self.parsed.strangers.push(Stranger { word: word.clone(), value });
    }
}

fn is_dashed(word: &Word) -> bool {
    word.text.starts_with('-')
}

enum Match {
    One(Spec),
    Ambiguous(Spec),
    None,
}

fn find_long(row: &ProgramRow, name: &str) -> Match {
    let mut found: Option<Spec> = None;
    let mut ambiguous = false;
    for spec in row.specs() {
        if spec.spellings().any(|own| own == name) {
            return Match::One(spec);
        }
        if name.len() > 2 && spec.spellings().any(|own| own.starts_with("--") && own.starts_with(name)) {
            ambiguous |= found.is_some();
            let acts = |spec: &Spec| spec.role.is_some_and(Role::acts);
            if found.is_none_or(|before| !acts(&before) && acts(&spec)) {
                found = Some(spec);
            }
        }
    }
    match found {
        Some(spec) if ambiguous => Match::Ambiguous(spec),
        Some(spec) => Match::One(spec),
        None => Match::None,
    }
}

/// Where the value starts when it is glued to a one-letter option of a word-style program (`-Iinclude`).
fn glued(spec: &Spec, name: &str) -> Option<usize> {
    let role = spec.role?;
    let _ = role;
    spec.spellings()
        .filter(|own| own.len() == 2 && name.len() > 2 && !name.starts_with("--") && name.starts_with(own))
        .map(str::len)
        .next()
}

fn split_value(word: &Word) -> (String, Option<Word>) {
    match word.text.find('=') {
        Some(at) => {
            (word.text.get(..at).unwrap_or_default().to_owned(), Some(slice(word, at + 1, word.text.len())))
        }
        None => (word.text.clone(), None),
    }
}
