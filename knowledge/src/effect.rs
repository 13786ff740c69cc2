//! What a program does besides the roles of its words: conditions and effects as data.
//!
//! This is the one vocabulary: specs are turned into it, the packed rows hold it, and the engine of `doorward-shell`
//! carries it out.

use serde::{Deserialize, Deserializer, Serialize};

use crate::list::List;
use crate::row::{Output, Role};

/// Effects that hold together, if every condition does.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Rule {
    /// All of these must hold.
    pub when: List<Condition>,
    /// What then happens.
    pub acts: List<Act>,
}

/// A list of words of which one must fit.
pub type AnyOf = List<&'static str>;

/// A place among the operands: behind `--`, if that was given.
pub const AFTER_DASHES: u16 = u16::MAX;

/// A place among the operands: where a command begins. That is the first known program, what stands behind `--`, or
/// else the last operand.
pub const FROM_COMMAND: u16 = u16::MAX - 1;

/// What must hold for a rule.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub enum Condition {
    /// One of these options was given.
    Has(AnyOf),
    /// None of these options was given.
    Lacks(AnyOf),
    /// The first operand is one of these.
    First(AnyOf),
    /// The first operand is none of these, or there is none.
    FirstNot(AnyOf),
    /// A rule picks at least one word.
    At(Pick),
    /// The first operand names one of these kinds of things: `secret/x`, `pods,secrets`.
    Kind(AnyOf),
    /// The command was spelled like this.
    Called(AnyOf),
    /// It is one of these programs.
    Program(AnyOf),
    /// How many operands there are, from the least to the most.
    Operands(u16, u16),
    /// Which operand it is can't be seen.
    HiddenOperand,
    /// One of these options has a value that is one of these; `*` stands for any characters.
    Value(AnyOf, AnyOf),
    /// One of the words, as typed, is one of these.
    Word(AnyOf),
    /// One of the words contains one of these.
    Contains(AnyOf),
    /// One of the operands is one of these, in the patterns of [`Condition::Value`].
    Operand(AnyOf),
    /// None of the operands is one of these.
    NoOperand(AnyOf),
    /// The operands begin with these words: `secrets/versions/access`. A word may be a pattern of
    /// [`Condition::Value`], `*` any word.
    Path(AnyOf),
    /// One of the operands is, or begins with, one of these verbs: `delete-stack`, `apps:delete`.
    Verb(AnyOf),
    /// How many options were given, from the least to the most.
    Options(u16, u16),
    /// How many words stand behind the program's name, from the least to the most.
    Words(u16, u16),
    /// What standard input is.
    Stdin(Arrives),
}

/// What is known of standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrives {
    /// Another program writes it, and what it writes can't be seen.
    Piped,
    /// It holds nothing.
    Empty,
    /// It is anything but the caller's own.
    Given,
}

/// One effect.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Act {
    /// It only reads after all.
    OnlyReads,
    /// It doesn't only read.
    Acts,
    /// It changes things itself, as far as its rights go, and runs no command.
    Works,
    /// It does what its name says.
    Named,
    /// It is more than the program's plain use.
    BeyondPlain,
    /// What it does isn't known after all.
    Unknown,
    /// A finding with its sentence.
    Finding(&'static str, &'static str),
    /// What is lost, and the way back.
    Loses(&'static str, WayBack),
    /// A server by name.
    Contacts(&'static str, &'static str, Transfer),
    /// A server that the project's own configuration names.
    ContactsRemote(&'static str, &'static str, Transfer),
    /// A server that the words don't name.
    ContactsUnknown(&'static str, Transfer),
    /// The addresses among the operands (`://`).
    ContactsUrls(&'static str, Transfer),
    /// A port is opened: address, scheme, and the words that name the port, or a number.
    Listens(&'static str, &'static str, AnyOf),
    /// A build folder that the program made is deleted, which is its plain use.
    DeletesBuild(&'static str),
    /// The folder or file that an option names is deleted with all below.
    DeletesValue(&'static str),
    /// A file that isn't among the words is written; `{--option|DEFAULT}` is the value of an option.
    WritesFile(&'static str),
    /// The operand at a place, or all from there on, has this role. [`AFTER_DASHES`] is the place behind `--`.
    Operand(u16, bool, Role),
    /// Operands are deleted; the options that make it recursive, and that force it.
    DeletesOperand(u16, bool, AnyOf, AnyOf),
    /// The value of an option has this role.
    Value(&'static str, Role),
    /// Operands are read, and written to the last of them or to a folder.
    Copies(#[serde(deserialize_with = "kept")] &'static Copying),
    /// A pattern is searched in the operands.
    Searches(#[serde(deserialize_with = "kept")] &'static Searching),
    /// What it prints are names.
    Lists(Names),
    /// Rights that the call takes or gives.
    Privilege(Rights, &'static str),
    /// A file of the project that running this program is for; `{first}` is the one that the first operand names.
    RunsProject(&'static str, &'static str),
    /// The operands from a place on are a command.
    Runs(u16),
    /// The value of an option is a program or file that is run, if it is a path.
    RunsPath(&'static str),
    /// The operands from a place on are a command, or arguments of the program that an option names.
    RunsWith(u16, &'static str),
    /// The operands from a place on are a command in the container, or under the root, that an option names.
    RunsInsideOf(u16, AnyOf),
    /// The same inside a container, which the first operand names; the option names the program in front of them.
    RunsInside(u16, &'static str),
    /// The operands behind `--` are a command inside a container, which the first operand names; without `--` those
    /// from this place on.
    RunsInsideAfterDashes(u16),
    /// Words that a rule picks have this role.
    Picked(Pick, Role),
    /// The same without these letters at their front and back.
    PickedBare(Pick, Role, [&'static str; 2]),
    /// Words that a rule picks are deleted; the options that make it recursive, and that force it.
    DeletesPicked(Pick, AnyOf, AnyOf),
    /// Words that a rule picks, joined, are shell text, or code of a language.
    RunsCode(Pick, &'static str),
    /// Settings in the value of an option have this role: by their keys; with `true` also a value that is no setting.
    Part(&'static str, AnyOf, Role, bool),
    /// The server that words name: scheme, direction, the words that name the port, and the usual server; with `true`
    /// it gets what stands on standard input.
    ContactsAt(Pick, &'static str, Transfer, AnyOf, &'static str, bool),
    /// Files that words name are sent to the host that was named last.
    SendsPicked(Pick),
    /// The words behind the first of these are a command.
    RunsBehind(AnyOf),
    /// The value of an option is shell text, and the operands are its parameters.
    ShellText(&'static str),
    /// The operands from this one on are words for another program, which is run.
    RunsAs(&'static str, u16),
    /// The operands from this one on, joined, are shell text.
    RunsShell(u16),
    /// The operands from this one on are a command that is judged in the place of the program.
    Wraps(u16),
    /// The same behind assignments, and in the folder that an option names; or as arguments of the program that an
    /// option names.
    WrapsWith(u16, #[serde(deserialize_with = "kept")] &'static Wrapping),
    /// The same, joined, as shell text.
    WrapsShell(u16),
    /// The operands from this one on, joined, are shell text that runs on another machine; which one, in words.
    RunsRemote(u16, &'static str),
    /// The value of an option is.
    RunsRemoteValue(&'static str, &'static str),
    /// Words are packages of a registry; the options with which none of their scripts run and those with which
    /// everybody gets them (`always` for no matter which), and whether newer ones than the lock file names are meant.
    Installs(Pick, &'static str, AnyOf, AnyOf, bool),
    /// The operand at a place, or all from there on, are files whose content goes to the host that was named last.
    Sends(u16, bool),
    /// The file that an option names is.
    SendsValue(&'static str),
    /// What stands behind this mark, in a word that begins with it, is shell text.
    RunsAfter(&'static str),
    /// Words that hold one of these marks name a file behind it, which is read: `@`, `file://`.
    ReadsAfter(AnyOf),
    /// The first operand is a file of a language, else standard input is, unless one of these options was given.
    Interprets(&'static str, AnyOf),
    /// Standard input is code of a language.
    RunsStdin(&'static str),
    /// What it does is what its command does.
    Transparent,
    /// All variables of the environment are printed (`true`), or filled into what it prints.
    Environment(bool),
    /// The value of an option is a mode that may give rights away.
    Mode(&'static str),
    /// What it prints after all.
    Prints(Output),
    /// Files that it changes in place lose what was in them.
    Empties,
    /// Hidden files and secrets that the operands name may be read.
    Mentions,
    /// What only code can say: a function of `doorward-shell`, `MODULE::NAME`.
    Rust(&'static str),
    /// The first operand is a command that isn't described.
    UnknownCommand,
    /// Later rules don't hold.
    Stop,
}

/// What stands in front of a command that is judged in the place of the program.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Wrapping {
    /// `NAME=VALUE` in front of it sets variables.
    pub assignments: bool,
    /// The option that names the folder it runs in.
    pub chdir: &'static str,
    /// The option that names the program.
    pub program: &'static str,
}

/// Which words are meant.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Pick {
    /// Where they stand: a place (`0`, `1..`, `last`, `--`), an option whose value is meant, `stdin` for names that
    /// arrive there, `://` for the addresses among the operands (`-d://`: if the option's value is one), or `>WORD` for
    /// what stands behind a word or is attached to it. `lock` is nowhere: what a lock file names.
    pub at: AnyOf,
    /// They fit one of these patterns, if there are any.
    pub fits: AnyOf,
    /// They fit none of these.
    pub except: AnyOf,
    /// Only what stands behind the first of these marks counts; a word without one isn't meant.
    pub after: AnyOf,
}

/// How sources become the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Copies {
    /// Their content is written there.
    Content,
    /// The target is a second name of the same file.
    Hard,
    /// The target is a link.
    Soft,
    /// A file is made of them, wherever they come from; alone it is only read.
    Made,
    /// They are gone afterwards.
    Move,
}

/// What a program copies.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Copying {
    /// How.
    pub kind: Copies,
    /// Options that name the folder which all operands go to.
    pub into: AnyOf,
    /// Options with which folders are copied with all below.
    pub whole: AnyOf,
    /// Which operands.
    pub pick: Pick,
}

/// How a program searches. All are options; `always` stands for one that needn't be given.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Searching {
    /// They give the pattern, which else is the first operand.
    pub pattern: AnyOf,
    /// With them folders are searched with all below.
    pub below: AnyOf,
    /// With them hidden names are searched, too.
    pub hidden: AnyOf,
    /// Their values choose among the files below.
    pub chosen: AnyOf,
    /// With them names are printed.
    pub names: AnyOf,
}

/// Which names a program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    /// Those of its operands.
    Operands,
    /// Those of its operands and of what is in them.
    Folders,
    /// Those of all files whose path holds the text of an operand.
    Containing,
}

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transfer {
    /// From the server.
    Fetch,
    /// To the server.
    Send,
    /// Both ways.
    Both,
}

/// Rights that a call takes or gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rights {
    /// Those of root.
    Root,
    /// Those of a group.
    Group,
    /// What is outside of its container.
    Container,
    /// Code or settings of the kernel.
    Kernel,
    /// A capability.
    Capability,
}

/// The way back from a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WayBack {
    /// There is none.
    None,
    /// The reflog of git.
    Reflog,
    /// Another copy on a server.
    Remote,
}

/// Reads an item that lives as long as the process.
fn kept<'de, D, T>(from: D) -> Result<&'static T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + 'static,
{
    T::deserialize(from).map(|item| &*Box::leak(Box::new(item)))
}
