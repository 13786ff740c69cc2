//! What the text of a call says it would do, before anything is looked up in the world.
//!
//! `shell` and the tool grammars produce an [`Intent`] without I/O; `inspect` resolves it into
//! [`Effects`](crate::Effects). Every item points at the bytes it came from, also through layers: a command
//! inside `bash -c '…'` points into the quotes, decoded text points at the encoded literal.

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

/// Whether an item happens for sure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// If the call runs, this happens.
    #[default]
    Exact,
    /// A branch, a loop over an unknown list, a glob.
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
    /// Partly or wholly unknown; unknown parts are written `…` in the text.
    Unknown,
}

/// Where a path lives.
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

/// A path as written: relative ones are relative to the call's `cwd` (a `cd` inside the command is already
/// joined in), `~` is already expanded to `home` where that was known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Operand {
    /// The text, see [`Form`].
    pub text: String,
    /// How much of it is known.
    #[serde(default)]
    pub form: Form,
    /// Where it lives.
    #[serde(default)]
    pub place: Place,
    /// Whether it happens for sure.
    #[serde(default)]
    pub certainty: Certainty,
    /// Where it is written.
    #[serde(default)]
    pub span: Span,
}

impl Operand {
    /// A literal local path.
    #[must_use]
    pub fn literal(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span, ..Self::default() }
    }

    /// An operand nothing is known about.
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
    /// Whether only the named file is read.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteMode {
    /// Made if missing; an existing one is overwritten with content (`cp`, `>`, `tee`, `-o`).
    Create,
    /// Emptied: the producer is known to write nothing, or `truncate -s 0`.
    Truncate,
    /// Added to at the end.
    Append,
    /// Changed in place (`sed -i`).
    InPlace,
    /// Mode, owner, times (`chmod`, `chown`, `touch`).
    Metadata,
}

/// How much below a folder is read with it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Below {
    /// Only what is named.
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
    /// Which.
    pub path: Operand,
    /// Only names, sizes, times (`ls`, `stat`, `test -f`).
    #[serde(default)]
    pub metadata: bool,
    /// Its content reaches a host in the same pipeline or command.
    #[serde(default)]
    pub reaches_host: bool,
    /// Its content reaches an interpreter.
    #[serde(default)]
    pub reaches_code: bool,
    /// How much below it is read with it.
    #[serde(default, skip_serializing_if = "Below::is_nothing")]
    pub below: Below,
}

/// A file that is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct WriteIntent {
    /// Which.
    pub path: Operand,
    /// How.
    pub mode: WriteMode,
    /// The content where it is known (here-document, `echo … >`), at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The content came from the network.
    #[serde(default)]
    pub downloaded: bool,
    /// Octal mode bits where a chmod sets them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chmod: Option<String>,
    /// Moved there: the source is a delete at its old place only if it leaves the roots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<Operand>,
    /// Written by a redirection, which belongs to no program: no rule about programs covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
}

/// A file that is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DeleteIntent {
    /// Which.
    pub path: Operand,
    /// With everything below it.
    #[serde(default)]
    pub recursive: bool,
    /// With a flag that asks no questions.
    #[serde(default)]
    pub force: bool,
    /// Made by this very command (`mktemp`), so nobody loses it.
    #[serde(default)]
    pub own: bool,
    /// Only what git doesn't track (`git clean`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untracked: Option<Untracked>,
}

/// What `git clean` takes of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Untracked {
    /// What git neither tracks nor ignores.
    NotIgnored,
    /// That, and what git ignores (`-x`).
    AndIgnored,
    /// Only what git ignores (`-X`).
    OnlyIgnored,
}

/// What kind of code a command carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    /// A plain program.
    #[default]
    None,
    /// Shell text.
    Shell,
    /// Another language, by its name (`python`, `sql`, …).
    Language(String),
}

/// Where what is executed comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Written in the text.
    #[default]
    Literal,
    /// A file: `inspect` reads it through `World` and analyses it too.
    File(Operand),
    /// The network.
    Network,
    /// Made on the spot from what can't be known.
    Generated,
}

/// A simple command after wrappers were stripped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct SimpleCommand {
    /// The words as they would be executed; an unknown word is `…` and listed in `unknown_words`.
    pub words: Vec<String>,
    /// Indices of words that aren't known exactly.
    #[serde(default)]
    pub unknown_words: Vec<u32>,
    /// The program's name: last path component of the first word.
    pub program: String,
    /// Wrappers that were stripped, outermost first.
    #[serde(default)]
    pub via: Vec<String>,
    /// What code it carries.
    #[serde(default)]
    pub code: Code,
    /// Where the program or code comes from.
    #[serde(default)]
    pub origin: Origin,
    /// How deep in nested code: 0 is the text itself.
    #[serde(default)]
    pub depth: u32,
    /// Assignments in front of it that could change what runs (not on the harmless list).
    #[serde(default)]
    pub assignments: Vec<String>,
    /// Only reads: this program with these options changes nothing and runs nothing else.
    #[serde(default)]
    pub read_only: bool,
    /// The program's plain use: nothing in options or operands runs other code, writes or deletes.
    #[serde(default)]
    pub plain: bool,
    /// The plain use of a program that publishes or sends away, but for that: a rule that names the sub-command
    /// covers it.
    #[serde(default)]
    pub plain_upload: bool,
    /// A program that Doorward doesn't know, given words of which none reads like a command line, code or an option
    /// that runs something. A rule that names the program covers it, since its author knows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
    /// Options by which the call chooses a server, a configuration or code beside the program's plain use. An allow
    /// rule covers them only if its own text names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chooses: Vec<String>,
    /// Its output goes to a file: that write stands among the effects and needs a rule of its own.
    #[serde(default)]
    pub redirected: bool,
    /// The folder it runs in, after `cd` in front of it: relative to the call's folder unless absolute. Empty is the
    /// call's own folder, `…` one that isn't known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// What joins two commands.
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
    /// The word in the policy context.
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

/// Direction of contact with a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Bytes come in.
    Fetch,
    /// Bytes go out.
    Send,
    /// Both, or not known.
    Both,
    /// A port is opened.
    Listen,
}

/// A host that is contacted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HostIntent {
    /// Name or address as written; `…` where unknown.
    pub host: String,
    /// Whether `host` is exact.
    #[serde(default)]
    pub form: Form,
    /// Port, where told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// `https`, `ssh`, `git`, `tcp`, …
    pub scheme: String,
    /// The whole URL where there is one, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Which way bytes go.
    pub direction: Direction,
    /// Files and variables whose content is sent: paths as written, `$NAME`, `-` for standard input.
    #[serde(default)]
    pub body_from: Vec<String>,
    /// A remote that the project's configuration names already (`git push origin`), so its host isn't new.
    #[serde(default)]
    pub configured_remote: Option<String>,
    /// Opened by a redirection (`/dev/tcp/…`), which belongs to no program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// An environment variable that is read out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct EnvRead {
    /// Its name; `*` for the whole environment.
    pub name: String,
    /// Its value reaches a host.
    #[serde(default)]
    pub reaches_host: bool,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// What kind of privilege is used or handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrivilegeKind {
    /// sudo and kin.
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
    /// In words.
    pub detail: String,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// How something lost can be found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecoverableBy {
    /// The reflog still has it.
    Reflog,
    /// A remote may have it.
    Remote,
    /// Nothing.
    None,
}

/// Version history or uncommitted work that is lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLoss {
    /// In words.
    pub what: String,
    /// How it can be found again.
    pub recoverable_by: RecoverableBy,
    /// Where.
    #[serde(default)]
    pub span: Span,
    /// What has to be looked up in the repository to say whether anything is lost; absent where no look tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<LossFacts>,
}

/// Facts of a repository that decide whether a command loses anything. If all of them say no, nothing is lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct LossFacts {
    /// Changes of tracked files at or below these paths that aren't in the index.
    pub changed: Vec<Operand>,
    /// Changes in the index that no commit has.
    pub staged: bool,
    /// Where the branch that is checked out will stand (`HEAD~2`, a branch, a hash): commits that only it reaches now.
    #[serde(default)]
    pub target: Option<String>,
    /// Entries of the stash: one of them (`stash@{0}`), or `*` for all.
    #[serde(default)]
    pub stash: Option<String>,
    /// Changes anywhere in the repository, not only below those paths.
    pub everywhere: bool,
    /// Another commit is checked out, which writes over files that git doesn't track.
    pub moves: bool,
    /// Files that git doesn't track; each is judged as a delete of its own.
    pub untracked: bool,
    /// Commits that only these branches reach; the repository is the one around the first of `changed`.
    #[serde(default)]
    pub branches: Vec<String>,
}

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InstallSource {
    /// What the project's lock file names.
    Lockfile,
    /// A registry, by name.
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
    /// Named packages.
    #[serde(default)]
    pub packages: Vec<String>,
    /// From where.
    pub source: InstallSource,
    /// Whether install scripts may run.
    pub scripts: bool,
    /// System wide.
    #[serde(default)]
    pub system: bool,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// Something that wasn't understood, with a code of the `shell.*` UNKNOWN family.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// `shell.parse_error`, `shell.too_deep`, …
    pub code: String,
    /// In words.
    pub reason: String,
    /// Where.
    #[serde(default)]
    pub span: Span,
}

/// Everything the text says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Intent {
    /// Simple commands in order of appearance, nested ones included.
    pub commands: Vec<SimpleCommand>,
    /// What joins them.
    pub connectors: BTreeSet<Connector>,
    /// Files read.
    pub reads: Vec<ReadIntent>,
    /// Files written.
    pub writes: Vec<WriteIntent>,
    /// Files deleted.
    pub deletes: Vec<DeleteIntent>,
    /// Hosts contacted.
    pub hosts: Vec<HostIntent>,
    /// Environment read out.
    pub env_reads: Vec<EnvRead>,
    /// Privilege used.
    pub privilege: Vec<Privilege>,
    /// History lost.
    pub history_loss: Vec<HistoryLoss>,
    /// Packages installed.
    pub installs: Vec<Install>,
    /// What wasn't understood.
    pub unknown: Vec<Unknown>,
    /// What is already certain from the text (`shell.obfuscated`, `shell.data_loss`, `shell.remote_code`, …).
    pub findings: Vec<Finding>,
    /// Working directory after the command, where it changes: relative to the call's `cwd` or absolute.
    pub final_cwd: Option<Operand>,
}

impl Intent {
    /// Adds everything of `other`, spans moved to `span` (the place that led there).
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
        self.findings.extend(other.findings);
    }

    /// Whether every simple command is proven to read only and nothing else happens.
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
        for span in self.findings.iter_mut().filter_map(|finding| finding.span.as_mut()) {
            visit(span);
        }
    }
}
