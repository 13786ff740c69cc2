//! Compares a description with the manual page of its program: which options only one of the two has, and where they
//! differ on whether an option takes a value.
//!
//! The manual is read as plain text, as `man` prints it or as a program's `--help` was saved. A line that begins with
//! an option opens an entry. What a manual only mentions in running text isn't seen, so the result is a list to read
//! beside the manual, and no proof that a description is complete.

use std::collections::{BTreeMap, BTreeSet};

use crate::spec::{OptionSpec, Row, SpecFile};

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// It is a flag.
    Nothing,
    /// The next word is its value, unless one is attached.
    Value,
    /// It takes a value only if that is attached (`--color=always`).
    Attached,
}

impl Takes {
    const fn words(self) -> &'static str {
        match self {
            Self::Nothing => "takes no value",
            Self::Value => "takes a value",
            Self::Attached => "takes a value only if it is attached",
        }
    }
}

/// An option as a manual lists it: its spellings, and what it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Spellings in the manual's order, `-o` or `--output`.
    pub spellings: Vec<String>,
    /// What it takes.
    pub takes: Takes,
}

/// What differs between a description and a manual, each list in alphabetical order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Options that only the manual has.
    pub file_lacks: Vec<String>,
    /// Options that only the description has.
    pub manual_lacks: Vec<String>,
    /// An option, what it takes in the description, and what it takes in the manual.
    pub values: Vec<(String, Takes, Takes)>,
    /// A spelling that the description has, and another one of the same option that it lacks.
    pub spellings: Vec<(String, String)>,
}

impl Difference {
    /// The differences in one sentence each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let values = self.values.iter().map(|(option, file, manual)| {
            format!("{option} {} in the file, but {} in the manual.", file.words(), manual.words())
        });
        let spellings = self.spellings.iter();
        let spellings =
            spellings.map(|(known, other)| format!("The file lacks {other}, another spelling of {known}."));
        let lacks = self.file_lacks.iter().map(|option| format!("The file lacks {option}."));
        let only = self.manual_lacks.iter().map(|option| format!("The manual lacks {option}."));
        values.chain(spellings).chain(lacks).chain(only).collect()
    }
}

/// Compares the options of a row, those of its groups and of its commands, with a manual's text.
///
/// The row is a program or, as `git commit`, one of its commands. `None` if the file has no such row.
#[must_use]
pub fn compare(spec: &SpecFile, name: &str, manual: &str) -> Option<Difference> {
    // Commands of one program may differ about an option: then each of their answers is right.
    let mut file: BTreeMap<&str, Vec<Takes>> = BTreeMap::new();
    for option in options(spec, row(spec, name)?) {
        let takes = match (&option.role, option.attached) {
            (None, _) => Takes::Nothing,
            (Some(_), true) => Takes::Attached,
            (Some(_), false) => Takes::Value,
        };
        for spelling in &option.spellings {
            file.entry(spelling).or_default().push(takes);
        }
    }
    let mut difference = Difference::default();
    let mut in_manual = BTreeSet::new();
    for listed in read_manual(manual) {
        in_manual.extend(listed.spellings.iter().cloned());
        let known = listed.spellings.iter().find(|spelling| file.contains_key(spelling.as_str()));
        for spelling in &listed.spellings {
            match (file.get(spelling.as_str()), known) {
                (Some(takes), _) => {
                    let other = takes.first().filter(|_| !takes.contains(&listed.takes));
                    difference.values.extend(other.map(|takes| (spelling.clone(), *takes, listed.takes)));
                }
                (None, Some(known)) => difference.spellings.push((known.clone(), spelling.clone())),
                // Every program has these two: no description lists them.
                (None, None) if spelling == "--help" || spelling == "--version" => {}
                (None, None) => difference.file_lacks.push(spelling.clone()),
            }
        }
    }
    let only = file.keys().filter(|spelling| !in_manual.contains(**spelling));
    difference.manual_lacks = only.map(|spelling| (*spelling).to_owned()).collect();
    difference.file_lacks.sort();
    difference.file_lacks.dedup();
    difference.spellings.sort_by(|left, right| left.1.cmp(&right.1));
    difference.spellings.dedup();
    difference.values.sort_by(|left, right| left.0.cmp(&right.0));
    difference.values.dedup();
    Some(difference)
}

/// The row that a name stands for: `tar`, or `git commit`.
fn row<'a>(spec: &'a SpecFile, name: &str) -> Option<&'a Row> {
    let mut words = name.split(' ');
    let program = words.next()?;
    let mut found = spec
        .programs
        .iter()
        .map(|program| &program.row)
        .find(|row| row.names.iter().any(|name| name == program))?;
    for word in words {
        let shared = found.shared.iter().filter_map(|set| spec.commands.get(set)).flatten();
        found = found.commands.iter().chain(shared).find(|row| row.names.iter().any(|name| name == word))?;
    }
    Some(found)
}

/// The options of a row, of its groups and of its commands.
fn options<'a>(spec: &'a SpecFile, row: &'a Row) -> Vec<&'a OptionSpec> {
    let mut all: Vec<&OptionSpec> = row.options.iter().collect();
    all.extend(row.uses.iter().filter_map(|group| spec.groups.get(group)).flatten());
    let shared = row.shared.iter().filter_map(|set| spec.commands.get(set)).flatten();
    all.extend(row.commands.iter().chain(shared).flat_map(|command| options(spec, command)));
    all
}

/// The options that a manual or help text lists.
#[must_use]
pub fn read_manual(text: &str) -> Vec<Listed> {
    let mut all: Vec<Listed> = Vec::new();
    // The indent of an entry whose tag filled the previous line: the next line may give another spelling of it.
    let mut open: Option<usize> = None;
    // The indent of the previous line if it is running text: a dash below it at the same indent is running text, too.
    let mut prose: Option<usize> = None;
    for line in text.lines() {
        let line = plain(line);
        let tag = line.trim_start();
        let indent = line.chars().count() - tag.chars().count();
        if !tag.starts_with('-') || prose == Some(indent) {
            open = None;
            prose = (!tag.is_empty()).then_some(indent);
            continue;
        }
        // The explanation follows after two spaces at least.
        let (tag, explained) = tag.split_once("  ").map_or((tag, false), |(tag, _)| (tag, true));
        let Some(listed) = read_tag(tag) else {
            (open, prose) = (None, Some(indent));
            continue;
        };
        prose = None;
        match all.last_mut().filter(|_| open == Some(indent)) {
            Some(last) => {
                last.spellings.extend(listed.spellings);
                last.takes = joined(last.takes, listed.takes);
            }
            None => all.push(listed),
        }
        open = (!explained).then_some(indent);
    }
    all
}

/// A line without the overstrikes and escape sequences that show letters in bold, and with plain hyphens.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{8}' => drop(out.pop()),
            '\u{1b}' => drop(letters.by_ref().find(char::is_ascii_alphabetic)),
            '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2212}' => out.push('-'),
            '\t' => out.push_str("        "),
            letter => out.push(letter),
        }
    }
    out
}

/// The spellings of one entry, separated by commas, bars or "or". `None` for what only looks like an option.
fn read_tag(tag: &str) -> Option<Listed> {
    let mut spellings = Vec::new();
    let mut takes = Takes::Nothing;
    let tag = tag.replace(" or -", ", -").replace(" | -", ", -").replace("|-", ", -").replace(" / -", ", -");
    // A usage line is a list of options without commas, and its entries stand elsewhere.
    let parts: Vec<&str> = tag.split(", -").flat_map(|part| part.split(",-")).collect();
    for (at, part) in parts.iter().enumerate() {
        let part = if at == 0 { (*part).to_owned() } else { format!("-{part}") };
        let (forms, part_takes) = read_spelling(part.trim().trim_end_matches([',', ':', '.']))?;
        spellings.extend(forms);
        takes = joined(takes, part_takes);
    }
    Some(Listed { spellings, takes })
}

/// One spelling with the name of its value, as `--sort=WORD`, `-o file`, `-C[<n>]` or `--[no-]verify`.
fn read_spelling(part: &str) -> Option<(Vec<String>, Takes)> {
    let optional_no = part.strip_prefix("--[no-]").or_else(|| part.strip_prefix("--(no-)"));
    let rest = optional_no.or_else(|| part.strip_prefix("--")).or_else(|| part.strip_prefix('-'))?;
    let in_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+');
    let name: String = rest.chars().take_while(|letter| in_name(*letter)).collect();
    let value = rest.get(name.len()..)?;
    let mut name = name.trim_end_matches(['.', '-']).to_owned();
    if name.is_empty() {
        return None;
    }
    // `-nNUM`: the capitals are the name of the value.
    let mut glued = false;
    if !part.starts_with("--")
        && name.len() > 2
        && name.chars().skip(1).all(|letter| letter.is_ascii_uppercase())
    {
        name.truncate(1);
        glued = true;
    }
    let takes = match value.chars().next() {
        None if glued => Takes::Value,
        None => Takes::Nothing,
        Some('[') => Takes::Attached,
        Some('=' | '<') => Takes::Value,
        Some(' ') => match value.trim() {
            "" => Takes::Nothing,
            // The name of a value is one word, or several in angle brackets. Anything longer is running text.
            word if word.starts_with("[-") || word.starts_with('-') => return None,
            word if word.starts_with('[') && word.ends_with(']') => Takes::Attached,
            word if word.contains(' ') && !word.starts_with('<') => return None,
            _ => Takes::Value,
        },
        Some(_) => return None,
    };
    let dashes = if part.starts_with("--") { "--" } else { "-" };
    let mut forms = vec![format!("{dashes}{name}")];
    if optional_no.is_some() {
        forms.push(format!("--no-{name}"));
    }
    Some((forms, takes))
}

/// What an entry takes: a manual often names the value at one of its spellings only.
const fn joined(left: Takes, right: Takes) -> Takes {
    match (left, right) {
        (Takes::Attached, _) | (_, Takes::Attached) => Takes::Attached,
        (Takes::Value, _) | (_, Takes::Value) => Takes::Value,
        _ => Takes::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Takes, compare, read_manual};
    use crate::parse::parse;

    const MANUAL: &str = include_str!("../testdata/compare.txt");

    #[test]
    fn each_difference_between_a_file_and_its_manual_is_one_sentence() {
        let text = "program snip {\nsource \"snip(1)\" version=\"1\" read=\"2026-11-24\"\noptions {\n-q --quiet\n\
                    --width value=num\n-o value=write\n--color value=data\n-C --chdir\n--older\n--check\n}\n}";
        let spec = parse("snip", text).unwrap_or_else(|error| panic!("{error}"));
        let found = compare(&spec, "snip", MANUAL).unwrap_or_default().sentences();
        let expected = [
            "--chdir takes no value in the file, but takes a value in the manual.",
            "--color takes a value in the file, but takes a value only if it is attached in the manual.",
            "-C takes no value in the file, but takes a value in the manual.",
            "The file lacks --no-check, another spelling of --check.",
            "The file lacks --output, another spelling of -o.",
            "The file lacks -w, another spelling of --width.",
            "The file lacks --filter.",
            "The file lacks --log-file.",
            "The manual lacks --older.",
        ];
        assert_eq!(found, expected);
        assert_eq!(compare(&spec, "other", MANUAL), None);
    }

    #[test]
    fn running_text_that_begins_with_a_dash_is_no_option() {
        assert_eq!(read_manual("   what follows\n   -q word\n"), []);
        assert_eq!(read_manual("   --quiet is the way to say nothing\n   - an item\n   -- a dash\n"), []);
        let bold = read_manual("   -\u{8}-o\u{8}o \u{1b}[4mfile\u{1b}[0m\n");
        assert_eq!(
            bold.first().map(|listed| (listed.spellings.clone(), listed.takes)),
            Some((vec!["-o".into()], Takes::Value))
        );
    }
}
