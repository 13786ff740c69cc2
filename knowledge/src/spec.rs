//! A spec after it was read and checked.

use std::collections::BTreeMap;

/// One file under `programs/`.
#[derive(Debug, Clone, Default)]
pub struct SpecFile {
    /// The file's name without its extension.
    pub name: String,
    /// Module of `doorward-shell` below `programs` that holds the functions named by `rust`.
    pub functions: String,
    /// Options that several commands share, by name.
    pub groups: BTreeMap<String, Vec<OptionSpec>>,
    /// Commands that several programs or commands share, by name.
    pub commands: BTreeMap<String, Vec<Row>>,
    /// The programs that the file describes.
    pub programs: Vec<Program>,
}

/// A program: a row of the tables, with its source and examples.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it takes and does.
    pub row: Row,
    /// Where that was read.
    pub source: Source,
    /// What its commands do, which the tests of `doorward-shell` compare.
    pub examples: Vec<Example>,
    /// In a user's own file: it stands instead of what is shipped about a program of this name.
    pub replaces: bool,
    /// Its names are known in any case, as Windows reads them.
    pub any_case: bool,
    /// Line in the file.
    pub line: usize,
}

/// The manual that a spec was written from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name of the manual.
    pub manual: String,
    /// Version of the program it describes.
    pub version: String,
    /// Day it was read, `YYYY-MM-DD`, or `taken-over`.
    pub read: String,
}

impl Source {
    /// Whether the facts were compared with the manual option by option.
    #[must_use]
    pub fn is_compared(&self) -> bool {
        self.read != crate::vocabulary::TAKEN_OVER
    }
}

/// A program or one of its commands.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Its names.
    pub names: Vec<String>,
    /// `reads`, `works`, `named` or `wraps`.
    pub nature: String,
    /// How options are spelled: `gnu`, `posix`, `word`, `word-posix`, `raw`, `raw-all`, `lenient`, `lenient-posix`.
    pub style: String,
    /// What it prints: `other`, `filtered`, `decoded`, `network` or `nothing`.
    pub prints: String,
    /// Standard input: `data`, `sent` or `ignored`.
    pub stdin: String,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// Names of the option groups it shares.
    pub uses: Vec<String>,
    /// Roles of the operands by position.
    pub operands: Vec<String>,
    /// What it does besides the roles of its words.
    pub rules: Vec<Rule>,
    /// What a word does that names none of its commands.
    pub otherwise: Vec<Rule>,
    /// What holds for it and all its commands, asked once when all words are known.
    pub throughout: Vec<Rule>,
    /// Its own commands.
    pub commands: Vec<Row>,
    /// Names of the command sets it shares.
    pub shared: Vec<String>,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its spellings; functions and conditions ask for it by the first.
    pub spellings: Vec<String>,
    /// Role of its value, if it takes one; of several, with commas between them.
    pub role: Option<String>,
    /// The value must be attached to be one (`--color=always`).
    pub attached: bool,
    /// The next word is its value, unless that is an option (`node -p CODE`, `node -p -e CODE`).
    pub maybe: bool,
    /// Line in the file.
    pub line: usize,
}

/// Acts, and the conditions under which they hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// What then happens.
    pub acts: Vec<Act>,
    /// Line in the file.
    pub line: usize,
}

/// A key of `when` with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The key.
    pub key: String,
    /// The words it is given.
    pub words: Vec<String>,
}

/// One effect: its key, plain values and named values, checked against the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// The key.
    pub key: String,
    /// Values by position.
    pub values: Vec<String>,
    /// Values by name.
    pub named: BTreeMap<String, String>,
}

/// A command line, and what it does in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The command line.
    pub command: String,
    /// Its effects.
    pub effects: String,
    /// Line in the file.
    pub line: usize,
}
