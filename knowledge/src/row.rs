//! The shape of a table row: how one program reads its words.
//!
//! A row is data. `options` and `operands` are small texts:
//!
//! * an option is `-o|--output=write`: its spellings, and the role of its argument. `--color?=data` takes an argument
//!   only when attached, `--print%=data` takes the next word unless that is an option, `-v|--verbose` takes none,
//!   `--arg=data,data` takes two, `-#` is a number as in `head -5`.
//! * operands are roles by position: `pat!-e,-f read*` is a pattern unless `-e` or `-f` was given, then any number of
//!   files to read. What follows a `*` is taken from the end.
//!
//! Roles are listed in [`Role`]. What a row does besides is said by its rules.

use serde::{Deserialize, Serialize};

use crate::effect::Rule;
use crate::list::List;

/// What using the program means before its options are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nature {
    /// It only reads, unless an option or operand says otherwise.
    Reads,
    /// It changes something in the ordinary course of work.
    Works,
    /// It writes or deletes its operands and its name says so (`mkdir`): that is its plain use.
    Named,
    /// It runs another command. An option that isn't in the row hides which.
    #[serde(rename = "wraps")]
    Wrapper,
}

/// How options are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Anywhere, clustered short ones, long ones that may be abbreviated.
    Gnu,
    /// As `Gnu`, but the first operand ends them.
    Posix,
    /// `-name value` or `-name=value`, also with two dashes; no clusters.
    Word,
    /// As `Word`, but the first operand ends them.
    WordPosix,
    /// Not parsed: every word is an operand, and a function reads them.
    Raw,
    /// As `Gnu`, for programs whose options aren't all listed: one that isn't listed is a switch, and takes the proof
    /// away that the call only reads.
    Lenient,
    /// As `Lenient`, but the first operand ends them.
    LenientPosix,
    /// As `Word`, with the same leave for what isn't listed. Without a mark a value is attached only to an option that
    /// must have it attached.
    LenientWord,
    /// As `LenientWord`, but the first operand ends them.
    LenientWordPosix,
    /// As programs of Windows do: `/name`, `/name:value` or `/name value`, also with a dash, in any case; a row writes
    /// them with a dash and in lower case.
    Windows,
}

impl Style {
    /// Whether the first operand ends the options.
    #[must_use]
    pub const fn ends_at_operand(self) -> bool {
        matches!(self, Self::Posix | Self::WordPosix | Self::LenientPosix | Self::LenientWordPosix)
    }

    /// The same for a program whose options stand in front of its sub-commands.
    pub(crate) const fn in_front_of_a_command(self) -> Self {
        match self {
            Self::Gnu => Self::Posix,
            Self::Word => Self::WordPosix,
            Self::Lenient => Self::LenientPosix,
            Self::LenientWord => Self::LenientWordPosix,
            other => other,
        }
    }

    /// Whether options that aren't listed are let pass where the call does more than read.
    #[must_use]
    pub const fn is_lenient(self) -> bool {
        matches!(self, Self::Lenient | Self::LenientPosix | Self::LenientWord | Self::LenientWordPosix)
    }
}

/// What the argument of an option, or an operand, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// File that is read.
    Read,
    /// File that lists the files which are read.
    List,
    /// File whose names, sizes or times are read.
    Look,
    /// File that is written.
    Write,
    /// File that is written with what a server sent.
    Download,
    /// File that is appended to.
    Append,
    /// File that is changed in place.
    InPlace,
    /// File that is deleted.
    Delete,
    /// File whose metadata is changed.
    Meta,
    /// Folder that files are put into.
    Dir,
    /// File or folder that is read with all that is below it.
    Tree,
    /// A mode, as of `chmod`.
    Mode,
    /// A setting of ssh, `NAME=VALUE`: some run commands, open tunnels or name further hosts.
    SshSetting,
    /// An address that is fetched into a file of its own name.
    Saved,
    /// A repository by its address or a configured name, that is fetched from (`true`: sent to).
    Remote(bool),
    /// Shell text.
    Shell,
    /// Words in which the shell's expansions are run.
    Expand,
    /// A command, split at white space, or the name of a program.
    Program,
    /// Code in a language.
    Lang(&'static str),
    /// A file that is run; the language, or empty for a build file or plugin.
    File(&'static str),
    /// A module that is loaded by its name; the language.
    Module(&'static str),
    /// Configuration that can run code.
    Config,
    /// A server, proxy or socket that is obeyed instead of the usual one.
    Choose,
    /// Host name.
    Host,
    /// URL that is fetched.
    Url,
    /// A secret as text or the name of where it is kept.
    Secret,
    /// Name of an environment variable; `NAME=VALUE` sets one and reads none.
    Env,
    /// A file that is read, or a URL that is fetched; behind `KEY=`, too.
    Source,
    /// Name of a container image that is fetched from its registry.
    Image,
    /// Name of a container image that is published.
    ImageSent,
    /// A folder of this machine that a container gets: `SOURCE:TARGET[:ro]`, or `type=bind,source=…,target=…`.
    Mount,
    /// A port that is published: `[[ADDRESS:]PORT:]INSIDE`.
    Port,
    /// Neither code nor path: a pattern, number, name, message.
    Data,
}

impl Role {
    /// From the word of a row; `None` for a word that isn't a role.
    #[must_use]
    pub fn named(word: &'static str) -> Option<Self> {
        if let Some(language) = word.strip_prefix("lang:") {
            return Some(Self::Lang(language));
        }
        if let Some(language) = word.strip_prefix("module:") {
            return Some(Self::Module(language));
        }
        if let Some(language) = word.strip_prefix("file:") {
            return Some(Self::File(language));
        }
        Some(match word {
            "read" => Self::Read,
            "list" => Self::List,
            "look" => Self::Look,
            "write" => Self::Write,
            "download" => Self::Download,
            "append" => Self::Append,
            "inplace" => Self::InPlace,
            "delete" => Self::Delete,
            "meta" => Self::Meta,
            "dir" => Self::Dir,
            "tree" => Self::Tree,
            "mode" => Self::Mode,
            "ssh-setting" => Self::SshSetting,
            "saved" => Self::Saved,
            "remote" => Self::Remote(false),
            "remote-sent" => Self::Remote(true),
            "sh" => Self::Shell,
            "expand" => Self::Expand,
            "prog" => Self::Program,
            "file" => Self::File(""),
            "config" => Self::Config,
            "choose" => Self::Choose,
            "host" => Self::Host,
            "url" => Self::Url,
            "secret" => Self::Secret,
            "env" => Self::Env,
            "source" => Self::Source,
            "image" => Self::Image,
            "image-sent" => Self::ImageSent,
            "mount" => Self::Mount,
            "port" => Self::Port,
            "data" | "pat" | "num" => Self::Data,
            _ => return None,
        })
    }

    /// Whether it does more than read: such an option takes the program out of its plain use.
    #[must_use]
    pub const fn acts(self) -> bool {
        !matches!(
            self,
            Self::Read
                | Self::List
                | Self::Look
                | Self::Host
                | Self::Url
                | Self::Secret
                | Self::Env
                | Self::Source
                | Self::Image
                | Self::ImageSent
                | Self::Mount
                | Self::Port
                | Self::Choose
                | Self::Expand
                | Self::Module(_)
                | Self::Tree
                | Self::Mode
                | Self::SshSetting
                | Self::Remote(_)
                | Self::Data
        )
    }
}

/// What a program prints, as far as the tables know; the interpreter evaluates pure producers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Nothing on standard output (so `: > file` truncates).
    Nothing,
    /// Standard input or file operands, passed through or filtered.
    Filtered,
    /// The same, made readable: unpacked, decoded, decrypted.
    Decoded,
    /// Bytes from the network.
    Network,
    /// Something else.
    #[default]
    Other,
}

/// What a program does with standard input when it gets no operand that says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StdinRole {
    /// Doesn't read it.
    Ignored,
    /// Reads it as data.
    #[default]
    Data,
    /// Sends it to a host.
    Sent,
}

/// One program, or one sub-command.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ProgramRow {
    /// Its names, separated by spaces.
    pub names: &'static str,
    /// Manual page and version it was written from.
    pub source: &'static str,
    /// What using it means.
    pub nature: Nature,
    /// How its options are spelled.
    pub style: Style,
    /// Its options, separated by spaces.
    pub options: &'static str,
    /// Options shared with others of the family.
    pub common: &'static str,
    /// More of the same.
    pub more: &'static str,
    /// Roles of its operands, separated by spaces.
    pub operands: &'static str,
    /// Its sub-commands, those that it shares with others last.
    pub subs: List<ProgramRow>,
    /// What it does besides the roles of its words.
    pub rules: List<Rule>,
    /// What a word does that names none of its sub-commands.
    pub otherwise: List<Rule>,
    /// What holds for it and all its sub-commands, asked once when all words are known.
    pub throughout: List<Rule>,
    /// What it prints.
    pub output: Output,
    /// What it does with standard input.
    pub stdin: StdinRole,
    /// For a row whose function reads the words: how options are spelled where it only reads. `Raw` says that the
    /// function answers for every option itself.
    pub reading: Style,
    /// Whether its names are known in any case.
    pub any_case: bool,
    /// Whether the row was compared with its manual option by option.
    pub compared: bool,
}

impl ProgramRow {
    /// Its sub-commands, shared ones last.
    pub fn commands(&self) -> impl Iterator<Item = &'static ProgramRow> + use<> {
        self.subs.all().iter()
    }

    /// Whether it has this name.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.spelled(name).is_some()
    }

    /// The name of its own that this one is: the same, or on Windows one that differs in case.
    #[must_use]
    pub fn spelled(&self, name: &str) -> Option<&'static str> {
        let any_case = self.style == Style::Windows;
        self.names
            .split_ascii_whitespace()
            .find(|own| *own == name || any_case && own.eq_ignore_ascii_case(name))
    }

    /// Whether it has sub-commands.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        !self.subs.is_empty()
    }

    /// Its options.
    pub fn specs(&self) -> impl Iterator<Item = Spec> + use<> {
        self.options
            .split_ascii_whitespace()
            .chain(self.common.split_ascii_whitespace())
            .chain(self.more.split_ascii_whitespace())
            .map(Spec::of)
    }
}

/// One option of a row.
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    /// Its spellings, with `|` between them.
    pub spellings: &'static str,
    /// Role of the argument, if it takes one.
    pub role: Option<Role>,
    /// Roles of further arguments, with commas between them.
    pub further: &'static str,
    /// The argument must be attached to be one.
    pub optional: bool,
    /// The next word is its argument, unless that is an option.
    pub maybe: bool,
}

impl Spec {
    fn of(token: &'static str) -> Self {
        let (spellings, roles) = token.split_once('=').unwrap_or((token, ""));
        let (role, further) = roles.split_once(',').unwrap_or((roles, ""));
        let role = Role::named(role);
        let bare = spellings.trim_end_matches(['?', '%']);
        let (optional, maybe) = (spellings.ends_with('?'), spellings.ends_with('%'));
        Self { spellings: bare, role, further, optional, maybe }
    }

    /// Its spellings; the first is the name by which `act` asks for it.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.spellings.split('|')
    }

    /// Its first spelling.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.spellings.split('|').next().unwrap_or_default()
    }
}
