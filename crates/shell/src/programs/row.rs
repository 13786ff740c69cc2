//! The shape of a table row: how one program reads its words.
//!
//! A row is data. `options` and `operands` are small texts:
//!
//! * an option is `-o|--output=write`: its spellings, and the role of its argument. `--color?=data` takes an argument
//!   only when attached, `-v|--verbose` takes none, `--arg=data,data` takes two, `-#` is a number as in `head -5`.
//! * operands are roles by position: `pat!-e,-f read*` is a pattern unless `-e` or `-f` was given, then any number of
//!   files to read. What follows a `*` is taken from the end.
//!
//! Roles are listed in [`Role`]. What a row does besides is said by its rules.

use crate::deed::{Output, StdinRole};

use super::effects::Rule;

/// What using the program means before its options are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// It only reads, unless an option or operand says otherwise.
    Reads,
    /// It changes something in the ordinary course of work.
    Works,
    /// It writes or deletes its operands and its name says so (`mkdir`): that is its plain use.
    Named,
    /// It runs another command. An option that isn't in the row hides which.
    Wrapper,
}

/// How options are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
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
    pub(crate) const fn ends_at_operand(self) -> bool {
        matches!(self, Self::Posix | Self::WordPosix | Self::LenientPosix | Self::LenientWordPosix)
    }

    /// Whether options that aren't listed are let pass where the call does more than read.
    pub(crate) const fn is_lenient(self) -> bool {
        matches!(self, Self::Lenient | Self::LenientPosix | Self::LenientWord | Self::LenientWordPosix)
    }
}

/// What the argument of an option, or an operand, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
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
    pub(crate) fn named(word: &'static str) -> Option<Self> {
        if let Some(language) = word.strip_prefix("lang:") {
            return Some(Self::Lang(language));
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
    pub(crate) const fn acts(self) -> bool {
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
                | Self::Tree
                | Self::Mode
                | Self::SshSetting
                | Self::Remote(_)
                | Self::Data
        )
    }
}

/// What a program prints, by the word of a spec.
pub(crate) fn output(word: &str) -> Output {
    match word {
        "filtered" => Output::Filtered,
        "decoded" => Output::Decoded,
        "network" => Output::Network,
        "nothing" => Output::Nothing,
        _ => Output::Other,
    }
}

/// One program, or one sub-command.
#[derive(Clone, Copy)]
pub(crate) struct ProgramRow {
    /// Its names, separated by spaces.
    pub(crate) names: &'static str,
    /// Manual page and version it was written from.
    pub(crate) source: &'static str,
    pub(crate) nature: Nature,
    pub(crate) style: Style,
    pub(crate) options: &'static str,
    /// Options shared with others of the family.
    pub(crate) common: &'static str,
    /// More of the same.
    pub(crate) more: &'static str,
    pub(crate) operands: &'static str,
    pub(crate) subs: &'static [ProgramRow],
    /// Sub-commands that it shares with others.
    pub(crate) shared: &'static [&'static [ProgramRow]],
    /// What it does besides the roles of its words.
    pub(crate) rules: &'static [Rule],
    /// What a word does that names none of its sub-commands.
    pub(crate) otherwise: &'static [Rule],
    /// What holds for it and all its sub-commands, asked once when all words are known.
    pub(crate) throughout: &'static [Rule],
    pub(crate) output: Output,
    pub(crate) stdin: StdinRole,
    /// For a row whose function reads the words: how options are spelled where it only reads. `Raw` says that the
    /// function answers for every option itself.
    pub(crate) reading: Style,
    /// Whether its names are known in any case.
    pub(crate) any_case: bool,
    /// Whether the row was compared with its manual option by option.
    pub(crate) compared: bool,
}

const fn row(
    nature: Nature,
    names: &'static str,
    source: &'static str,
    options: &'static str,
    operands: &'static str,
) -> ProgramRow {
    ProgramRow {
        names,
        source,
        nature,
        style: if matches!(nature, Nature::Wrapper) { Style::Posix } else { Style::Gnu },
        options,
        common: "",
        more: "",
        operands,
        subs: &[],
        shared: &[],
        rules: &[],
        otherwise: &[],
        throughout: &[],
        output: Output::Other,
        stdin: StdinRole::Data,
        reading: Style::Gnu,
        any_case: false,
        compared: true,
    }
}

/// A program that only reads.
pub(crate) const fn reads(
    names: &'static str,
    source: &'static str,
    options: &'static str,
    operands: &'static str,
) -> ProgramRow {
    row(Nature::Reads, names, source, options, operands)
}

/// A program that changes something.
pub(crate) const fn works(
    names: &'static str,
    source: &'static str,
    options: &'static str,
    operands: &'static str,
) -> ProgramRow {
    row(Nature::Works, names, source, options, operands)
}

/// A program whose name says what it does to its operands.
pub(crate) const fn named(
    names: &'static str,
    source: &'static str,
    options: &'static str,
    operands: &'static str,
) -> ProgramRow {
    row(Nature::Named, names, source, options, operands).prints(Output::Nothing)
}

/// A program that runs another.
pub(crate) const fn wraps(
    names: &'static str,
    source: &'static str,
    options: &'static str,
    operands: &'static str,
) -> ProgramRow {
    row(Nature::Wrapper, names, source, options, operands)
}

impl ProgramRow {
    pub(crate) const fn rules(mut self, rules: &'static [Rule]) -> Self {
        self.rules = rules;
        self
    }

    pub(crate) const fn otherwise(mut self, rules: &'static [Rule]) -> Self {
        self.otherwise = rules;
        self
    }

    pub(crate) const fn throughout(mut self, rules: &'static [Rule]) -> Self {
        self.throughout = rules;
        self
    }

    pub(crate) const fn also(mut self, common: &'static str) -> Self {
        self.common = common;
        self
    }

    pub(crate) const fn and(mut self, more: &'static str) -> Self {
        self.more = more;
        self
    }

    pub(crate) const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Sub-commands: the options of this row are the global ones in front of them.
    pub(crate) const fn subs(mut self, subs: &'static [ProgramRow]) -> Self {
        self.subs = subs;
        self.ends_at_command()
    }

    /// Sub-commands that several programs share.
    pub(crate) const fn shares(mut self, sets: &'static [&'static [ProgramRow]]) -> Self {
        self.shared = sets;
        self.ends_at_command()
    }

    /// Its own options stand in front of the sub-command.
    const fn ends_at_command(mut self) -> Self {
        self.style = match self.style {
            Style::Gnu => Style::Posix,
            Style::Word => Style::WordPosix,
            Style::Lenient => Style::LenientPosix,
            Style::LenientWord => Style::LenientWordPosix,
            other => other,
        };
        self
    }

    pub(crate) const fn prints(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    pub(crate) const fn takes(mut self, stdin: StdinRole) -> Self {
        self.stdin = stdin;
        self
    }

    /// The function beside the row reads every option, and says of those it doesn't know.
    pub(crate) const fn answers(mut self) -> Self {
        self.reading = Style::Raw;
        self
    }

    /// Its names are known in any case, as Windows reads them.
    pub(crate) const fn any_case(mut self) -> Self {
        self.any_case = true;
        self
    }

    /// It was taken over from an earlier table and not compared with its manual option by option.
    pub(crate) const fn taken_over(mut self) -> Self {
        self.compared = false;
        self
    }

    /// Its sub-commands, shared ones last.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &'static ProgramRow> + use<> {
        self.subs.iter().chain(self.shared.iter().flat_map(|set| set.iter()))
    }

    /// Whether it has this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.spelled(name).is_some()
    }

    /// The name of its own that this one is: the same, or on Windows one that differs in case.
    pub(crate) fn spelled(&self, name: &str) -> Option<&'static str> {
        let any_case = self.style == Style::Windows;
        self.names
            .split_ascii_whitespace()
            .find(|own| *own == name || any_case && own.eq_ignore_ascii_case(name))
    }

    /// Whether it has sub-commands.
    pub(crate) const fn has_commands(&self) -> bool {
        !self.subs.is_empty() || !self.shared.is_empty()
    }

    /// Its options.
    pub(crate) fn specs(&self) -> impl Iterator<Item = Spec> + use<> {
        self.options
            .split_ascii_whitespace()
            .chain(self.common.split_ascii_whitespace())
            .chain(self.more.split_ascii_whitespace())
            .map(Spec::of)
    }
}

/// One option of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec {
    pub(crate) spellings: &'static str,
    /// Role of the argument, if it takes one.
    pub(crate) role: Option<Role>,
    /// Roles of further arguments, with commas between them.
    pub(crate) further: &'static str,
    /// The argument must be attached to be one.
    pub(crate) optional: bool,
}

impl Spec {
    fn of(token: &'static str) -> Self {
        let (spellings, roles) = token.split_once('=').unwrap_or((token, ""));
        let (role, further) = roles.split_once(',').unwrap_or((roles, ""));
        let role = Role::named(role);
        match spellings.strip_suffix('?') {
            Some(spellings) => Self { spellings, role, further, optional: true },
            None => Self { spellings, role, further, optional: false },
        }
    }

    /// Its spellings; the first is the name by which `act` asks for it.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.spellings.split('|')
    }

    pub(crate) fn name(&self) -> &'static str {
        self.spellings.split('|').next().unwrap_or_default()
    }
}
