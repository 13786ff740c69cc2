//! What calls of a language do, as `doorward-shell` looks it up.

use serde::{Deserialize, Serialize};

use crate::language::{Language, LanguageFile};
use crate::list::List;
use crate::make::text;
use crate::vocabulary::word;

/// What a call does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallAct {
    /// The first argument is shell text, or a list of words.
    Shell,
    /// The same, but several arguments are a command's words.
    ShellWords,
    /// The arguments are a command's words (`execvp("rm", ["rm", …])`, `spawn("rm", ["-rf"])`).
    Words,
    /// The same from the second argument on.
    WordsSecond,
    /// The receiver is shell text, or a list of words.
    ShellSelf,
    /// A program, and its words, of which the first is only the name that the program sees.
    Exec,
    /// The same from the second argument on.
    ExecSecond,
    /// Every argument is a file that is deleted.
    Delete,
    /// A folder with everything below.
    DeleteTree,
    /// The receiver `Path(x)` is deleted.
    DeleteSelf,
    /// The receiver `Path(x)` is deleted with everything below.
    DeleteTreeSelf,
    /// The first argument is opened; the mode decides.
    Open,
    /// The same; without a mode it is written at its end.
    OpenAppend,
    /// The same; only the flags of `open(2)` let it be written.
    OpenFlags,
    /// A file of a database is opened, and changed in place.
    OpenDatabase,
    /// The first argument is written.
    Write,
    /// The first argument is written at its end.
    Append,
    /// The first argument is cut off.
    Truncate,
    /// The receiver `Path(x)` is written.
    WriteSelf,
    /// The first argument is read.
    Read,
    /// The receiver `Path(x)` is read.
    ReadSelf,
    /// The second argument is written.
    WriteSecond,
    /// The third argument is written.
    WriteThird,
    /// The first argument is a file with code of the same language, which runs.
    File,
    /// The same, and what isn't code in it is shown.
    Include,
    /// The words behind `COMMAND`.
    CommandWords,
    /// From the first to the second.
    Move,
    /// From the first, which stays, to the second.
    Copy,
    /// A second name for the first: whoever may write there from now on writes the first.
    HardLink,
    /// Owner, times or attributes of the first argument.
    Meta,
    /// The same of the third argument and those behind it.
    MetaThird,
    /// The mode of the first argument becomes the second.
    Chmod,
    /// The mode of all arguments but the first becomes that one.
    ChmodFirst,
    /// The mode of the receiver `Path(x)`.
    ChmodSelf,
    /// A URL or host that is fetched from.
    Fetch,
    /// A URL or host that is sent to.
    Send,
    /// Host and port in a pair.
    Connect,
    /// Fetches the first, writes the second.
    Download,
    /// The environment, or one variable of it.
    Env,
    /// Code in the same language.
    Eval,
    /// The same, in the second argument.
    EvalSecond,
    /// The same, in the last argument.
    EvalLast,
    /// The same if it is a text with a call; a function is called later.
    EvalLater,
    /// Code in the same language, which a call of another row runs.
    Prepare,
    /// A module of the same language, by its name.
    Module,
    /// Loads native code or turns bytes into code.
    Load,
    /// Stops processes.
    Kill,
    /// Opens a port.
    Listen,
    /// Drops or empties what a database keeps.
    Drop,
    /// The same, unless a filter says what goes.
    DropMatching,
    /// The same, if the option `force` says so.
    DropForced,
}

impl CallAct {
    /// Whether commands run.
    #[must_use]
    pub const fn runs_commands(self) -> bool {
        matches!(
            self,
            Self::Shell
                | Self::ShellWords
                | Self::ShellSelf
                | Self::Words
                | Self::WordsSecond
                | Self::Exec
                | Self::ExecSecond
                | Self::CommandWords
        )
    }

    /// Whether commands or code run.
    #[must_use]
    pub const fn runs(self) -> bool {
        self.runs_commands()
            || matches!(
                self,
                Self::Eval | Self::EvalSecond | Self::EvalLast | Self::File | Self::Include | Self::Load
            )
    }
}

/// What a name says beside what its call does with files, hosts and commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameRole {
    /// Prints, compares or keeps text.
    Data,
    /// Asks about a path, or makes another of it.
    About,
    /// Loads what it is given.
    Loads,
    /// Reads keyboard, clipboard, screen, camera, microphone or place.
    Senses,
    /// Drives a browser.
    Browsers,
    /// Puts content into a file that was opened.
    Puts,
    /// Runs its first argument with those behind it.
    RunsFirst,
    /// Runs its second argument with those behind it.
    RunsSecond,
    /// Runs its first argument on each item of the second.
    RunsEach,
    /// A method that runs a function on each item of a list.
    OnEach,
    /// A method that acts whatever it is called on.
    Telling,
    /// Looks at a function that it is given, and never calls it.
    NeverCalls,
    /// A method whose text is a statement for a database.
    Statements,
    /// Makes a text as long as one of its arguments says.
    Repeats,
    /// Needs no look.
    Quiet,
    /// Says something about its arguments, and does nothing.
    Asks,
    /// A function that gives its first argument, as far as it matters here.
    Same,
    /// A method that gives what it is called on.
    SameSelf,
    /// A method that gives the text it is called on.
    SameText,
    /// Acts on the default variable if it is given nothing.
    OnDefault,
    /// A clause or function that reads a file.
    ReadsFile,
    /// A word of statements that change something.
    Changes,
    /// A command of a client that changes nothing.
    Looks,
    /// A reserved word or constant.
    Keywords,
    /// A function that computes or prints.
    Computes,
    /// A module or object all of whose `members` compute.
    Modules,
    /// A member that computes, called or not.
    Members,
    /// What may be loaded by its name, and does nothing else.
    Required,
    /// A mark in a text that stands for code.
    Holes,
}

/// A language.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct LanguageRow {
    /// Its names, and those of what runs it.
    pub names: &'static str,
    /// Names under which the table says enough to tell what its code does; under others, only what stands out is
    /// known.
    pub well_read: &'static str,
    /// The grammar that reads it; empty if there is none.
    pub grammar: &'static str,
    /// How it writes comments and strings.
    pub lexis: Lexis,
    /// Names of calls, and what these do, in the order in which they are looked up.
    pub rules: List<(&'static str, CallAct)>,
    /// Names that say something beside that.
    pub roles: List<(&'static str, NameRole)>,
    /// Calls may leave the parentheses out.
    pub bare: bool,
    /// Calls are `(name arg arg)`.
    pub lisp: bool,
    /// Stands for languages that have no table of their own.
    pub unlisted: bool,
}

impl LanguageRow {
    /// Whether a name has a role.
    #[must_use]
    pub fn has(&self, role: NameRole, name: &str) -> bool {
        self.names_of(role).any(|own| own == name)
    }

    /// The names that have a role.
    pub fn names_of(&self, role: NameRole) -> impl Iterator<Item = &'static str> {
        let rows = self.roles.all().iter().filter(move |(_, own)| *own == role);
        rows.flat_map(|(names, _)| names.split_ascii_whitespace())
    }

    /// Read by the table for languages that have none of their own.
    #[must_use]
    pub const fn is_unlisted(&self) -> bool {
        self.unlisted
    }

    /// What the table says of a full name as it stands.
    #[must_use]
    pub fn exact(&self, name: &str) -> Option<CallAct> {
        let is = |own: &str| own == name;
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }

    /// What the table says of a method of this name, whatever it belongs to.
    #[must_use]
    pub fn telling(&self, method: &str) -> Option<CallAct> {
        let is = |own: &str| own.rsplit('.').next() == Some(method);
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }

    /// What the table says of exactly this name, else of the end of a dotted one or of a method.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<CallAct> {
        if let Some(act) = self.exact(name) {
            return Some(act);
        }
        let is = |own: &str| match own.strip_prefix('.') {
            Some(method) => name.rsplit_once('.').is_some_and(|(_, last)| last == method),
            None => own.contains('.') && name.strip_suffix(own).is_some_and(|front| front.ends_with('.')),
        };
        self.rules.iter().find_map(|(names, act)| names.split_ascii_whitespace().any(is).then_some(*act))
    }
}

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Lexis {
    /// `#` starts a comment.
    pub hash: bool,
    /// `//` and `/* */` do.
    pub slashes: bool,
    /// `--` does.
    pub dashes: bool,
    /// What backquotes hold.
    pub backquote: Backquote,
    /// `"…#{x}…"` or `"…$x…"`.
    pub interpolates: bool,
    /// Names may start with `$`, `@` or `%`.
    pub sigils: bool,
    /// Triple quotes.
    pub triple: bool,
    /// `q()`, `qq()`, `qx()`, `%q()`, `%x()`.
    pub quotes_like: bool,
}

/// What backquotes hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backquote {
    /// A command line.
    Command,
    /// A text with values in it.
    Template,
    /// Nothing: a mark like others.
    Mark,
}

/// The rows of all languages as bytes.
///
/// # Errors
/// A row that can't be written.
pub fn pack_languages(files: &[LanguageFile]) -> Result<Vec<u8>, postcard::Error> {
    let rows = files.iter().flat_map(|file| file.languages.iter().map(move |language| (file, language)));
    let rows: Vec<LanguageRow> =
        rows.map(|(file, language)| row(language, calls(files, file, language))).collect();
    postcard::to_allocvec(&rows)
}

/// The rows that [`pack_languages`] packed; none if these aren't its bytes.
#[must_use]
pub fn unpack_languages(bytes: &'static [u8]) -> List<LanguageRow> {
    postcard::from_bytes(bytes).unwrap_or(List::EMPTY)
}

/// The calls of a language: its own, or those of the file whose calls it shares.
fn calls<'f>(
    files: &'f [LanguageFile],
    file: &'f LanguageFile,
    language: &Language,
) -> &'f [(String, Vec<String>)] {
    let name = language.like.as_deref().unwrap_or(&file.name);
    let described = files.iter().find(|file| file.name == name).and_then(|file| file.languages.first());
    described.map_or(&[], |language| language.calls.as_slice())
}

fn row(language: &Language, calls: &[(String, Vec<String>)]) -> LanguageRow {
    let has = |word: &str| language.writes.iter().any(|own| own == word);
    // The parser has checked the words.
    let call = |(act, names): &(String, Vec<String>)| Some((text(names.join(" ")), word::<CallAct>(act)?));
    let role = |(role, names): &(String, Vec<String>)| Some((text(names.join(" ")), word::<NameRole>(role)?));
    LanguageRow {
        names: text(language.names.join(" ")),
        well_read: text(language.well_read.join(" ")),
        grammar: text(language.grammar.clone()),
        lexis: Lexis {
            hash: has("hash"),
            slashes: has("slashes"),
            dashes: has("dashes"),
            backquote: word(&language.backquote).unwrap_or(Backquote::Mark),
            interpolates: has("interpolates"),
            sigils: has("sigils"),
            triple: has("triple"),
            quotes_like: has("quotes-like"),
        },
        rules: calls.iter().filter_map(call).collect(),
        roles: language.roles.iter().filter_map(role).collect(),
        bare: has("bare"),
        lisp: has("lisp"),
        unlisted: has("unlisted"),
    }
}
