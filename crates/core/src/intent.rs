//! The intent of a call: what its text says it would do, before any look at files or network.
//!
//! `shell` and the tool grammars produce an [`Intent`] without I/O; `inspect` resolves it into
//! [`Effects`](crate::Effects). Every item has a span in the analysed text, also through layers: a command inside
//! `bash -c '…'` points into the quotes, decoded text points at the encoded literal.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// Byte range in the analysed text, end exclusive.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From byte offsets; offsets beyond 4 GiB saturate.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text it names, if it lies inside on character boundaries.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?)
    }
}

/// Whether an item is certain to happen.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Happens whenever the call runs.
    #[default]
    Exact,
    /// May happen: in a branch, a loop over an unknown list, or by a glob.
    May,
}

/// How much of an operand's text is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Exactly this text.
    #[default]
    Literal,
    /// A shell glob pattern.
    Glob,
    /// Partly or wholly unknown; unknown parts are written `…`.
    Unknown,
}

/// The machine or container of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// This machine.
    #[default]
    Local,
    /// Another host (`ssh host …`).
    Remote(String),
    /// A container, unless a bind mount maps the path.
    Container(String),
}

/// A path as written. Relative paths are relative to the call's `cwd`, with an earlier `cd` of the command already
/// joined; `~` is already expanded if `home` was known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Operand {
    /// The text; see [`Form`].
    pub text: String,
    /// How much of it is known.
    #[serde(default)]
    pub form: Form,
    /// The machine or container it is on.
    #[serde(default)]
    pub place: Place,
    /// Whether it is certain.
    #[serde(default)]
    pub certainty: Certainty,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

impl Operand {
    /// A literal local path.
    #[must_use]
    pub fn literal(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span, ..Self::default() }
    }

    /// An operand with unknown text.
    #[must_use]
    pub fn unknown(span: Span) -> Self {
        Self {
            text: "…".to_owned(),
            form: Form::Unknown,
            span,
            certainty: Certainty::May,
            place: Place::Local,
        }
    }
}

impl Below {
    /// Whether only the named path itself is read.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// A path that a command is given, and nobody knows what for: the program may write there, or obey what the file says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Mention {
    /// The path.
    pub path: Operand,
    /// How it is mentioned.
    pub kind: MentionKind,
}

/// How a command mentions a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MentionKind {
    /// In the value of an option of a described program, or in code that no grammar reads.
    Described,
    /// In a word of a program that isn't described.
    Unlisted,
    /// What the file says is evaluated as arithmetic, which runs substitutions in a subscript.
    Arithmetic,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteMode {
    /// Created if missing, overwritten if present (`cp`, `>`, `tee`, `-o`).
    Create,
    /// Emptied: `truncate -s 0`, or a producer known to write nothing.
    Truncate,
    /// Appended to.
    Append,
    /// Changed in place (`sed -i`).
    InPlace,
    /// Mode, owner, times (`chmod`, `chown`, `touch`).
    Metadata,
}

/// How much of a folder's content is read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Below {
    /// Only the named path.
    #[default]
    Nothing,
    /// Everything but names that begin with a dot.
    Visible,
    /// Everything.
    Everything,
}

/// A file that is read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ReadIntent {
    /// The file.
    pub path: Operand,
    /// Only names, sizes, times (`ls`, `stat`, `test -f`).
    #[serde(default)]
    pub metadata: bool,
    /// Its content is sent to a host by the same pipeline or command.
    #[serde(default)]
    pub reaches_host: bool,
    /// Its content is run by an interpreter.
    #[serde(default)]
    pub reaches_code: bool,
    /// How much below the path is read.
    #[serde(default, skip_serializing_if = "Below::is_nothing")]
    pub below: Below,
}

/// A file that is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct WriteIntent {
    /// The file.
    pub path: Operand,
    /// How it is written.
    pub mode: WriteMode,
    /// The content, if known (here-document, `echo … >`); at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The content comes from the network.
    #[serde(default)]
    pub downloaded: bool,
    /// Octal mode bits set by a chmod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chmod: Option<String>,
    /// The source of a move. It counts as deleted only if it leaves the roots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<Operand>,
    /// Written by a shell redirection, so no rule about a program covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
}

/// A file that is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DeleteIntent {
    /// The path.
    pub path: Operand,
    /// Including everything below it.
    #[serde(default)]
    pub recursive: bool,
    /// With a flag that suppresses questions.
    #[serde(default)]
    pub force: bool,
    /// Created by this same command (`mktemp`), so the delete loses nothing.
    #[serde(default)]
    pub own: bool,
    /// Only files that git doesn't track (`git clean`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untracked: Option<Untracked>,
}

/// Which files of a folder `git clean` deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Untracked {
    /// Untracked files, except ignored ones.
    NotIgnored,
    /// Untracked and ignored files (`-x`).
    AndIgnored,
    /// Only ignored files (`-X`).
    OnlyIgnored,
}

/// What kind of code a command carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    /// An ordinary program.
    #[default]
    None,
    /// Shell text.
    Shell,
    /// Another language, by its name (`python`, `sql`, …).
    Language(String),
}

/// Where the executed code comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Literally in the text.
    #[default]
    Literal,
    /// A file, which `inspect` reads through `World` and analyses too.
    File(Operand),
    /// The network.
    Network,
    /// Generated at run time from unknown values.
    Generated,
}

/// A simple command with its wrappers removed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct SimpleCommand {
    /// The words as executed; an unknown word is `…` and listed in `unknown_words`.
    pub words: Vec<String>,
    /// Indices of words that aren't fully known.
    #[serde(default)]
    pub unknown_words: Vec<u32>,
    /// The program's name: last path component of the first word.
    pub program: String,
    /// Wrappers that were removed, outermost first.
    #[serde(default)]
    pub via: Vec<String>,
    /// The kind of code it carries.
    #[serde(default)]
    pub code: Code,
    /// Where the program or code comes from.
    #[serde(default)]
    pub origin: Origin,
    /// Nesting depth: 0 is the analysed text itself.
    #[serde(default)]
    pub depth: u32,
    /// Preceding assignments that could change what runs (those not on the harmless list).
    #[serde(default)]
    pub assignments: Vec<String>,
    /// Read-only: with these options the program changes nothing and runs nothing else.
    #[serde(default)]
    pub read_only: bool,
    /// Ordinary use: no option or operand runs other code, writes or deletes.
    #[serde(default)]
    pub plain: bool,
    /// Ordinary use of a program that publishes or uploads. A rule that names the sub-command covers it.
    #[serde(default)]
    pub plain_upload: bool,
    /// A program without a spec, whose words don't look like a command line, code or an option that runs something. A
    /// rule that names the program covers it, since its author knows the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
    /// Options that select a server, a configuration or code outside the program's ordinary use. An allow rule covers
    /// them only if its own text names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chooses: Vec<String>,
    /// Its output goes to a file. That write is listed in the effects and needs a rule of its own.
    #[serde(default)]
    pub redirected: bool,
    /// The folder it runs in after preceding `cd`s, relative to the call's folder unless absolute. Empty: the call's
    /// folder. `…`: unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// The operator between two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Connector {
    /// `;`
    #[serde(rename = ";")]
    Semicolon,
    /// `&&`
    #[serde(rename = "&&")]
    And,
    /// `||`
    #[serde(rename = "||")]
    Or,
    /// `|` or `|&`
    #[serde(rename = "|")]
    Pipe,
    /// `&`
    #[serde(rename = "&")]
    Background,
    /// A line end.
    #[serde(rename = "newline")]
    Newline,
    /// `$(…)`, backquotes, `<(…)`
    #[serde(rename = "substitution")]
    Substitution,
    /// `( … )` or `{ …; }`
    #[serde(rename = "subshell")]
    Subshell,
}

impl Connector {
    /// Its word in the policy context.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Semicolon => ";",
            Self::And => "&&",
            Self::Or => "||",
            Self::Pipe => "|",
            Self::Background => "&",
            Self::Newline => "newline",
            Self::Substitution => "substitution",
            Self::Subshell => "subshell",
        }
    }
}

/// Direction of a connection to a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Data is received.
    Fetch,
    /// Data is sent.
    Send,
    /// Both, or unknown.
    Both,
    /// A port is opened.
    Listen,
}

/// A host that is contacted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HostIntent {
    /// Name or address as written; `…` for unknown parts.
    pub host: String,
    /// Whether `host` is exact.
    #[serde(default)]
    pub form: Form,
    /// Port, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// `https`, `ssh`, `git`, `tcp`, …
    pub scheme: String,
    /// The whole URL as written, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Direction of the data.
    pub direction: Direction,
    /// Files and variables whose content is sent: paths as written, `$NAME`, `-` for standard input.
    #[serde(default)]
    pub body_from: Vec<String>,
    /// The git remote that the project's configuration already names (`git push origin`), so the host isn't new.
    #[serde(default)]
    pub configured_remote: Option<String>,
    /// Opened by a shell redirection (`/dev/tcp/…`), so no rule about a program covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// An environment variable that is read out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct EnvRead {
    /// Its name; `*` for the whole environment.
    pub name: String,
    /// Its value is sent to a host.
    #[serde(default)]
    pub reaches_host: bool,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// What kind of privilege is used or handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrivilegeKind {
    /// sudo and similar programs.
    Root,
    /// Set-uid, set-gid or world-writable modes.
    Setuid,
    /// File or process capabilities.
    Capability,
    /// Group or user changes.
    Group,
    /// Kernel settings and modules.
    Kernel,
    /// Privileged containers, host mounts, host namespaces.
    ContainerEscape,
}

/// Privilege used or handed out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Privilege {
    /// What kind.
    pub kind: PrivilegeKind,
    /// Description.
    pub detail: String,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// Where lost data can still be recovered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecoverableBy {
    /// The reflog still has it.
    Reflog,
    /// A remote may have it.
    Remote,
    /// Nowhere.
    None,
}

/// Version history or uncommitted work that is lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLoss {
    /// Description of the loss.
    pub what: String,
    /// Where it can be recovered from.
    pub recoverable_by: RecoverableBy,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
    /// Facts of the repository that decide whether anything is lost; `None` if no look-up can decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<LossFacts>,
}

/// Repository facts that decide whether a command loses anything. If none of them holds, nothing is lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct LossFacts {
    /// Unstaged changes of tracked files at or below these paths.
    pub changed: Vec<Operand>,
    /// Staged changes that aren't committed.
    pub staged: bool,
    /// Where the branch that is checked out will stand (`HEAD~2`, a branch, a hash): commits that only it reaches now.
    #[serde(default)]
    pub target: Option<String>,
    /// Entries of the stash: one of them (`stash@{0}`), or `*` for all.
    #[serde(default)]
    pub stash: Option<String>,
    /// Changes anywhere in the repository, not only below those paths.
    pub everywhere: bool,
    /// Another commit is checked out, which may overwrite untracked files.
    pub moves: bool,
    /// Untracked files; each is judged as a separate delete.
    pub untracked: bool,
    /// Commits that only these branches contain. The repository is the one around the first path of `changed`.
    #[serde(default)]
    pub branches: Vec<String>,
    /// Something is lost only where the branch that is checked out is a usual default branch.
    #[serde(default)]
    pub on_default_branch: bool,
}

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InstallSource {
    /// The project's lock file.
    Lockfile,
    /// A package registry.
    Registry,
    /// A URL.
    Url,
    /// A path.
    Path,
}

/// Packages that are installed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Install {
    /// `npm`, `pip`, `cargo`, `apt`, …
    pub manager: String,
    /// Names of the packages.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Their source.
    pub source: InstallSource,
    /// Whether install scripts may run.
    pub scripts: bool,
    /// Installed system-wide.
    #[serde(default)]
    pub system: bool,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// A part that couldn't be analysed, with a code of the `shell.*` UNKNOWN family.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// `shell.parse_error`, `shell.too_deep`, …
    pub code: String,
    /// Explanation.
    pub reason: String,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

/// A module that code or a program loads by its name, from the folders where its language looks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ModuleLoad {
    /// The language of the module.
    pub language: String,
    /// Its name as written (`a.b`, `Foo::Bar`), or a path.
    pub name: String,
    /// The folder in which it is loaded, relative to the call's folder unless absolute. Empty: the call's folder.
    #[serde(default)]
    pub folder: String,
    /// Position in the text.
    #[serde(default)]
    pub span: Span,
}

impl ModuleLoad {
    /// The name for all that the modules of the language's own library load: files of such names in a folder that is
    /// looked through first run in their place.
    pub const LIBRARY: &str = "(library)";
}

/// Everything that the text of a call says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Intent {
    /// Simple commands in order of appearance, nested ones included.
    pub commands: Vec<SimpleCommand>,
    /// Connectors between the commands.
    pub connectors: BTreeSet<Connector>,
    /// Files read.
    pub reads: Vec<ReadIntent>,
    /// Files written.
    pub writes: Vec<WriteIntent>,
    /// Files deleted.
    pub deletes: Vec<DeleteIntent>,
    /// Hosts contacted.
    pub hosts: Vec<HostIntent>,
    /// Environment variables read out.
    pub env_reads: Vec<EnvRead>,
    /// Privileges used.
    pub privilege: Vec<Privilege>,
    /// Version history lost.
    pub history_loss: Vec<HistoryLoss>,
    /// Packages installed.
    pub installs: Vec<Install>,
    /// Parts that couldn't be analysed.
    pub unknown: Vec<Unknown>,
    /// Findings that are certain from the text alone (`shell.obfuscated`, `shell.data_loss`, `shell.remote_code`, …).
    pub findings: Vec<Finding>,
    /// Modules loaded by name. Most are the language's own; what lies in the project runs as part of the call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<ModuleLoad>,
    /// Folders that modules are looked for in, beside the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub module_folders: Vec<Operand>,
    /// Paths of which nobody knows what the program does with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
    /// Working directory after the command, if it changes: absolute, or relative to the call's `cwd`.
    pub final_cwd: Option<Operand>,
}

impl Intent {
    /// Adds everything of `other`, with all spans set to `span`, the place that led to it.
    pub fn absorb(&mut self, mut other: Self, span: Span) {
        other.for_each_span(&mut |item| *item = span);
        self.commands.extend(other.commands);
        self.connectors.extend(other.connectors);
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.deletes.extend(other.deletes);
        self.hosts.extend(other.hosts);
        self.env_reads.extend(other.env_reads);
        self.privilege.extend(other.privilege);
        self.history_loss.extend(other.history_loss);
        self.installs.extend(other.installs);
        self.unknown.extend(other.unknown);
        self.modules.extend(other.modules);
        self.module_folders.extend(other.module_folders);
        self.mentions.extend(other.mentions);
        self.findings.extend(other.findings);
    }

    /// Whether every simple command is proven read-only and nothing else happens.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        !self.commands.is_empty()
            && self.commands.iter().all(|command| command.read_only)
            && self.writes.is_empty()
            && self.deletes.is_empty()
            && self.hosts.is_empty()
            && self.privilege.is_empty()
            && self.history_loss.is_empty()
            && self.installs.is_empty()
            && self.unknown.is_empty()
    }

    fn for_each_span(&mut self, visit: &mut impl FnMut(&mut Span)) {
        self.commands.iter_mut().for_each(|item| visit(&mut item.span));
        self.reads.iter_mut().for_each(|item| visit(&mut item.path.span));
        self.writes.iter_mut().for_each(|item| visit(&mut item.path.span));
        self.deletes.iter_mut().for_each(|item| visit(&mut item.path.span));
        self.hosts.iter_mut().for_each(|item| visit(&mut item.span));
        self.env_reads.iter_mut().for_each(|item| visit(&mut item.span));
        self.privilege.iter_mut().for_each(|item| visit(&mut item.span));
        self.history_loss.iter_mut().for_each(|item| visit(&mut item.span));
        self.installs.iter_mut().for_each(|item| visit(&mut item.span));
        self.unknown.iter_mut().for_each(|item| visit(&mut item.span));
        self.modules.iter_mut().for_each(|item| visit(&mut item.span));
        self.mentions.iter_mut().for_each(|item| visit(&mut item.path.span));
        for span in self.findings.iter_mut().filter_map(|finding| finding.span.as_mut()) {
            visit(span);
        }
    }
}
