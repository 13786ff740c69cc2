//! Risk from effects: one table a kind of effect, read from the top; the first row that fits gives the level and
//! the finding. The most severe level over all effects is the call's.

use doorward_core::effect::{
    DeleteEffect, HostClass, HostEffect, Protection, ReadEffect, Scope, WriteEffect,
};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{Certainty, Code, Direction, Form, InstallSource, Span, WriteMode};
use doorward_core::risk::SecurityRisk;

use crate::place::Via;

pub(crate) mod system;

use SecurityRisk::{High, Low, Medium};

/// What a row gives.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gives {
    /// A level and nothing to tell.
    Level(SecurityRisk),
    /// The catalogue's row of a code.
    Tell(&'static str),
    /// A code at another level than the catalogue's.
    TellAt(&'static str, SecurityRisk),
    /// A denial whatever the policy says.
    Floor(&'static str),
    /// The code of the root that forbids it: always a denial.
    Forbidden,
    /// The code of the host's verdict.
    Verdict,
}

/// A row of a table.
pub(crate) struct RiskRow<T: ?Sized> {
    /// What it does, as a sentence with `{}` for the file or host; the message of the finding.
    pub(crate) why: &'static str,
    pub(crate) when: fn(&T) -> bool,
    pub(crate) gives: Gives,
}

const fn row<T>(why: &'static str, when: fn(&T) -> bool, gives: Gives) -> RiskRow<T> {
    RiskRow { why, when, gives }
}

use Gives::{Floor, Forbidden, Level, Tell, TellAt, Verdict};

/// A read with what the effect doesn't carry.
pub(crate) struct Read {
    pub(crate) effect: ReadEffect,
    pub(crate) form: Form,
    pub(crate) maybe_secret: bool,
    pub(crate) reaches_code: bool,
    /// A walk or a pattern that leads over places where the user keeps secrets.
    pub(crate) walks_secrets: bool,
    /// Content may leave: some host of the call isn't on the list.
    pub(crate) sent_to_stranger: bool,
    /// The only host is this machine.
    pub(crate) stays_here: bool,
    pub(crate) forbidden: bool,
    pub(crate) via: Via,
}

/// Reads.
pub(crate) const READS: &[RiskRow<Read>] = &[
    row("Reads {}, which your settings deny.", |r| r.forbidden, Forbidden),
    row(
        "Reads {}, which leads out of your project.",
        |r| r.effect.scope == Scope::Escape,
        Tell("path.escape"),
    ),
    row(
        "Sends the secrets in {} to another host.",
        |r| content(r) && r.effect.secret && r.effect.reaches_host && r.sent_to_stranger && !r.stays_here,
        Floor("flow.secret_to_egress"),
    ),
    row(
        "Reads {}, a file that holds secrets.",
        |r| content(r) && r.effect.secret && r.via == Via::Argument,
        Tell("path.secret"),
    ),
    row("Reads {}, a file that holds secrets.", |r| content(r) && r.effect.secret, Tell("shell.secret_read")),
    row(
        "Reads {}, where you keep secrets.",
        |r| content(r) && r.walks_secrets && r.via == Via::Argument,
        Tell("path.secret"),
    ),
    row("Reads {}, where you keep secrets.", |r| content(r) && r.walks_secrets, Tell("shell.secret_read")),
    row(
        "Sends {}, which could be a secret, to another host.",
        |r| content(r) && r.maybe_secret && r.effect.reaches_host,
        Tell("shell.secret_read"),
    ),
    row("Reads {}, which could be a secret.", |r| content(r) && r.maybe_secret, Tell("shell.secret_read")),
    row(
        "Reads {}, a camera, microphone, screen or keyboard.",
        |r| content(r) && is_sensor(&r.effect.path) && r.effect.scope != Scope::Elsewhere,
        Tell("shell.sensing"),
    ),
    row("Reads {} on another machine or in a container.", |r| r.effect.scope == Scope::Elsewhere, Level(Low)),
    row("Reads {}, a device that only makes bytes.", |r| r.effect.scope == Scope::Harmless, Level(Low)),
    row(
        "Reads {}, which is outside your project.",
        |r| r.via == Via::Argument && r.effect.scope == Scope::Outside,
        TellAt("path.outside", Medium),
    ),
    row("Looks at the name, size or date of {}.", |r| r.effect.metadata, Level(Low)),
    row(
        "Sends or runs {}, whose name is only known when it runs.",
        |r| r.form == Form::Unknown && (r.effect.reaches_host || r.reaches_code),
        TellAt("shell.read_unknown", High),
    ),
    row(
        "Sends {}, which is outside your project, to another host.",
        |r| r.effect.scope == Scope::Outside && r.effect.reaches_host && r.sent_to_stranger,
        Tell("shell.upload"),
    ),
    row(
        "Reads {}, which is outside your project.",
        |r| r.effect.scope == Scope::Outside,
        Tell("shell.read_outside"),
    ),
    row(
        "Reads {}, whose name is only known when it runs.",
        |r| r.form != Form::Literal || r.effect.scope == Scope::Unknown,
        Tell("shell.read_unknown"),
    ),
    row("Reads {}.", |_| true, Level(Low)),
];

/// Devices of the Linux input, video and sound subsystems, and screens (the kernel's list of devices).
fn is_sensor(path: &str) -> bool {
    const FRONTS: &[&str] = &[
        "/dev/video",
        "/dev/snd/",
        "/dev/input/",
        "/dev/fb",
        "/dev/dri/",
        "/dev/audio",
        "/dev/dsp",
        "/dev/vcs",
        "/dev/uinput",
        "/dev/hidraw",
    ];
    FRONTS.iter().any(|front| path.starts_with(front))
}

fn content(read: &Read) -> bool {
    !read.effect.metadata
}

/// A write with what the effect doesn't carry.
pub(crate) struct Write {
    pub(crate) effect: WriteEffect,
    pub(crate) secret: bool,
    pub(crate) forbidden: bool,
    pub(crate) via: Via,
    /// Octal mode bits.
    pub(crate) chmod: Option<u32>,
    /// Moved there from inside the roots.
    pub(crate) moved_from_inside: bool,
    /// Moved there from a place outside, or from a protected one.
    pub(crate) moved_from_elsewhere: bool,
    /// Known to be missing before, or the session's own.
    pub(crate) new: bool,
    /// A log or a temporary file by its name.
    pub(crate) disposable: bool,
    /// Content that nobody else has stands there and goes.
    pub(crate) replaces: bool,
    /// Version control has what stands there.
    pub(crate) kept: bool,
    /// Something outside the roots leaves its place.
    pub(crate) takes_away: bool,
    /// A file in the home folder's hidden files and folders, named by the call itself.
    pub(crate) settings: bool,
    /// An empty folder is made there.
    pub(crate) makes_folder: bool,
    /// A folder stands there now.
    pub(crate) is_folder: bool,
}

/// Writes.
pub(crate) const WRITES: &[RiskRow<Write>] = &[
    row(
        "Changes {}, which is or holds Doorward's own files.",
        |w| w.effect.protection == Some(Protection::Own),
        Tell("path.own_files"),
    ),
    row("Changes {}, which your settings deny.", |w| w.forbidden, Forbidden),
    row(
        "Changes {}, which leads out of your project.",
        |w| w.effect.scope == Scope::Escape,
        Tell("path.escape"),
    ),
    row("Makes the folder {}, which is there already.", |w| w.makes_folder && w.is_folder, Level(Medium)),
    row("Writes to {}, a device that keeps nothing.", |w| w.effect.scope == Scope::Harmless, Level(Low)),
    row(
        "Gives {} rights that everybody can use.",
        |w| w.chmod.is_some_and(|bits| bits & 0o6002 != 0),
        Tell("shell.privilege"),
    ),
    row(
        "Changes {}, a protected file that other programs obey.",
        |w| w.effect.protection.is_some(),
        Tell("path.protected"),
    ),
    row(
        "Changes {}, which makes something run later.",
        |w| system::is_persistence(&w.effect.path),
        Tell("shell.persistence"),
    ),
    row(
        "Changes {}, a log or history of the system.",
        |w| system::is_trail(&w.effect.path),
        Tell("shell.tamper"),
    ),
    row(
        "Changes {}, which says who may log in or act as root.",
        |w| away(w) && system::names_accounts(&w.effect.path),
        Tell("shell.privilege"),
    ),
    row(
        "Changes {}, a setting of the kernel or of another process.",
        |w| away(w) && system::is_of_kernel(&w.effect.path),
        Tell("shell.privilege"),
    ),
    row(
        "Changes {}, a file of the system.",
        |w| away(w) && system::is_of_system(&w.effect.path),
        Tell("shell.privilege"),
    ),
    row(
        "Changes {}, a program that later commands may run.",
        |w| {
            let holds_something = w.effect.mode != WriteMode::Metadata && !w.makes_folder;
            away(w) && holds_something && system::is_program(&w.effect.path)
        },
        Tell("shell.persistence"),
    ),
    row(
        "Changes {}, settings in your home folder that programs obey later.",
        |w| away(w) && w.settings,
        Tell("shell.persistence"),
    ),
    row(
        "Overwrites {}, a disk or device.",
        |w| w.effect.path.starts_with("/dev/") && !w.effect.path.starts_with("/dev/shm/"),
        Tell("shell.data_loss"),
    ),
    row(
        "Changes {} on another machine or in a container.",
        |w| w.effect.scope == Scope::Elsewhere,
        Level(Medium),
    ),
    row(
        "Moves files out of your project, to {}.",
        |w| w.moved_from_inside && w.effect.scope != Scope::Inside,
        Tell("shell.delete"),
    ),
    row("Overwrites {}, of which there is no other copy.", |w| w.replaces, Tell("shell.delete")),
    row("Moves {} away, which is outside your project.", |w| w.takes_away, Tell("shell.delete")),
    row(
        "Empties {}.",
        |w| {
            w.effect.mode == WriteMode::Truncate
                && matches!(w.effect.scope, Scope::Inside | Scope::Outside)
                && !(w.new || w.disposable || w.kept)
        },
        Tell("shell.delete"),
    ),
    row(
        "Writes to {}, which is outside your project.",
        |w| w.effect.scope == Scope::Outside,
        Tell("path.outside"),
    ),
    row(
        "Writes to {}, a place that is only known when it runs.",
        |w| w.effect.scope == Scope::Unknown,
        Tell("path.outside"),
    ),
    row(
        "Moves {} into your project from outside.",
        |w| w.moved_from_elsewhere && w.effect.scope == Scope::Inside,
        Tell("path.outside"),
    ),
    row("Moves files from outside your project to {}.", |w| w.moved_from_elsewhere, Tell("path.outside")),
    row(
        "Changes {}, a file that holds secrets.",
        |w| w.secret && w.via == Via::Argument,
        Tell("path.secret"),
    ),
    row("Writes {}.", |_| true, Level(Medium)),
];

/// Whether what is written to a path runs later, or says who may act as root. What everybody reads (`/etc/passwd`) is
/// only named to be read.
pub(crate) fn decides_later(path: &str, is_secret: bool) -> bool {
    system::is_persistence(path) || is_secret && system::names_accounts(path)
}

/// Outside the roots, on this machine.
fn away(write: &Write) -> bool {
    write.effect.scope == Scope::Outside
}

/// A delete with what the effect doesn't carry.
pub(crate) struct Delete {
    pub(crate) effect: DeleteEffect,
    pub(crate) forbidden: bool,
    /// Made by this very command, or only what git ignores.
    pub(crate) harmless: bool,
    /// A build, an install or a tool makes it again.
    pub(crate) by_build: bool,
    /// Not there, so nothing is lost.
    pub(crate) missing: bool,
    /// Version control has this very content.
    pub(crate) comes_back: bool,
    /// Written by this session.
    pub(crate) own_work: bool,
    /// The root, home or a folder of the system.
    pub(crate) everything: bool,
    /// All that is in one of them, as a pattern says it (`/*`).
    pub(crate) all_in_it: bool,
}

/// Deletes.
pub(crate) const DELETES: &[RiskRow<Delete>] = &[
    row(
        "Deletes {}: your whole project, home folder or a system folder.",
        |d| d.effect.recursive && (d.all_in_it || d.everything && d.effect.certainty == Certainty::Exact),
        Tell("shell.delete_everything"),
    ),
    row(
        "Deletes {}, which is or holds Doorward's own files.",
        |d| d.effect.protection == Some(Protection::Own),
        Tell("path.own_files"),
    ),
    row(
        "Deletes {}, which could be your project, home folder or a system folder.",
        |d| d.everything,
        Tell("shell.delete"),
    ),
    row("Deletes {}, which your settings deny.", |d| d.forbidden, Forbidden),
    row(
        "Deletes {}, which leads out of your project.",
        |d| d.effect.scope == Scope::Escape,
        Tell("path.escape"),
    ),
    row(
        "Deletes {}, which holds the version history.",
        |d| d.effect.protection.is_some() && d.effect.path.rsplit('/').next() == Some(".git"),
        Tell("path.protected"),
    ),
    row(
        "Deletes {}, a protected file that other programs obey.",
        |d| d.effect.protection.is_some(),
        Tell("path.protected"),
    ),
    row(
        "Deletes {}, a log or history of the system.",
        |d| system::is_trail(&d.effect.path),
        Tell("shell.tamper"),
    ),
    row("Deletes {}, which this command made.", |d| d.harmless, Tell("shell.delete_regenerable")),
    row(
        "Deletes {}, a temporary file.",
        |d| d.effect.scope == Scope::Scratch,
        Tell("shell.delete_regenerable"),
    ),
    row(
        "Deletes {}, which a build or install makes again.",
        |d| d.by_build,
        Tell("shell.delete_regenerable"),
    ),
    row("Deletes {}, where there is nothing to lose.", |d| d.missing, Tell("shell.delete_regenerable")),
    row("Deletes {}, which git can bring back.", |d| d.comes_back, Tell("shell.delete_regenerable")),
    row(
        "Deletes {}, which this session made.",
        |d| d.own_work && !d.effect.recursive,
        Tell("shell.delete_regenerable"),
    ),
    row("Deletes {}, which may not come back.", |_| true, Tell("shell.delete")),
];

/// A host with what the effect doesn't carry.
pub(crate) struct Host {
    pub(crate) effect: HostEffect,
    /// Files or standard input are sent.
    pub(crate) sends_content: bool,
    /// Bytes as they are, not a request of a protocol that development servers speak.
    pub(crate) raw_socket: bool,
    /// A push to a remote that was added in this session, or given as a URL.
    pub(crate) new_remote: bool,
}

/// Hosts that a command contacts.
pub(crate) const HOSTS: &[RiskRow<Host>] = &[
    row(
        "Contacts {}, a cloud metadata address that hands out credentials.",
        |h| h.effect.class == HostClass::Metadata,
        Floor("net.metadata"),
    ),
    row(
        "Opens port {} for connections.",
        |h| h.effect.direction == Direction::Listen,
        TellAt("net.loopback", Medium),
    ),
    row("Contacts {}, which your settings list.", |h| h.effect.class == HostClass::Allowed, Level(Medium)),
    row(
        "Contacts {}, a remote of this repository.",
        |h| h.effect.configured && !h.new_remote,
        TellAt("net.contact", Medium),
    ),
    row(
        "Sends data to {} through a raw connection.",
        |h| h.raw_socket && h.sends_content,
        Tell("shell.upload"),
    ),
    row(
        "Contacts {}, a service on this machine.",
        |h| h.effect.class == HostClass::Loopback,
        Tell("net.loopback"),
    ),
    row(
        "Logs in to {}, a host of the inner network.",
        |h| {
            h.effect.class == HostClass::Private
                && h.effect.scheme == "ssh"
                && !h.sends_content
                && !h.new_remote
        },
        TellAt("net.private", Medium),
    ),
    row(
        "Contacts {}, a host of the inner network.",
        |h| h.effect.class == HostClass::Private,
        Tell("net.private"),
    ),
    row("Contacts {}, a host that was refused.", |h| h.effect.class == HostClass::Refused, Verdict),
    row("Pushes to {}, a remote that this project did not have.", |h| h.new_remote, Tell("shell.upload")),
    row("Sends data to {}, which your settings do not list.", |h| h.sends_content, Tell("shell.upload")),
    row("Contacts {}.", |_| true, Tell("net.contact")),
];

/// Hosts that a fetch tool or an MCP tool's argument names.
pub(crate) const FETCHES: &[RiskRow<Host>] = &[
    row(
        "Contacts {}, a cloud metadata address that hands out credentials.",
        |h| h.effect.class == HostClass::Metadata,
        Floor("net.metadata"),
    ),
    row(
        "Fetches from {}, which your settings list.",
        |h| h.effect.class == HostClass::Allowed,
        Level(Medium),
    ),
    row(
        "Fetches from {}, a service on this machine.",
        |h| h.effect.class == HostClass::Loopback,
        TellAt("net.loopback", High),
    ),
    row(
        "Fetches from {}, a host of the inner network.",
        |h| h.effect.class == HostClass::Private,
        Tell("net.private"),
    ),
    row("Fetches from {}, a host that was refused.", |h| h.effect.class == HostClass::Refused, Verdict),
    row("Fetches from {}.", |_| true, Tell("net.contact")),
];

/// An install.
pub(crate) struct Packages {
    pub(crate) source: InstallSource,
    pub(crate) system: bool,
}

/// Installs.
pub(crate) const INSTALLS: &[RiskRow<Packages>] = &[
    row(
        "Installs a package from a URL with {}.",
        |i| i.source == InstallSource::Url,
        Tell("shell.remote_code"),
    ),
    row("Installs packages for the whole system with {}.", |i| i.system, Tell("shell.privilege")),
    row("Installs packages with {}.", |_| true, Level(Medium)),
];

/// A file that a command runs.
pub(crate) struct Runs {
    pub(crate) seen: bool,
    /// Its text is at hand, in a language that isn't read as code.
    pub(crate) there: bool,
    /// Written, downloaded or changed in this session.
    pub(crate) of_session: bool,
    pub(crate) downloaded: bool,
    pub(crate) outside: bool,
}

/// Files that commands run.
pub(crate) const RUNS: &[RiskRow<Runs>] = &[
    row(
        "Runs {}, which was downloaded and can not be read.",
        |r| r.downloaded && !r.seen,
        TellAt("shell.remote_code", High),
    ),
    row(
        "Runs {}, which this session changed and which can not be read.",
        |r| r.of_session && !r.seen,
        TellAt("shell.file_unseen", High),
    ),
    row(
        "Runs or obeys {}, whose text is in no language that is read as code.",
        |r| !r.seen && r.there,
        Tell("shell.file_unseen"),
    ),
    row("Runs {}, whose content was not found.", |r| !r.seen, Tell("shell.file_unseen")),
    row("Runs {}, which was read.", |r| !r.outside, Level(Medium)),
    row("Runs {}, a program outside your project.", |_| true, Level(Medium)),
];

/// The first row that fits.
pub(crate) fn first<'t, T>(table: &'t [RiskRow<T>], case: &T) -> Option<&'t RiskRow<T>> {
    table.iter().find(|row| (row.when)(case))
}

/// Risk and findings as they add up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tally {
    pub(crate) risk: SecurityRisk,
    pub(crate) findings: Vec<Finding>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { risk: Low, findings: Vec::new() }
    }
}

impl Tally {
    /// Weighs one effect by its table. `what` names it in the message; `code` is used by rows that take the code
    /// from elsewhere.
    pub(crate) fn weigh<T>(
        &mut self,
        table: &[RiskRow<T>],
        case: &T,
        what: &str,
        span: Span,
        code: Option<&str>,
    ) {
        // INVARIANT: every table ends with a row that always fits; none fitting is judged as the worst.
        let Some(row) = first(table, case) else {
            return self.tell(Finding::new("shell.unsupported", "no row fits").at(span));
        };
        let what = if what.is_empty() {
            "something that is only known when it runs".to_owned()
        } else {
            shown(what)
        };
        let message = row.why.replacen("{}", &what, 1);
        match row.gives {
            Level(risk) => self.risk = self.risk.join(risk),
            Tell(code) => self.tell(Finding::new(code, message).at(span)),
            TellAt(code, risk) => self.tell(Finding::new(code, message).at(span).with_risk(risk)),
            Floor(code) => self.tell(floor(Finding::new(code, message).at(span))),
            Forbidden => {
                self.tell(floor(Finding::new(code.unwrap_or("path.denied").to_owned(), message).at(span)));
            }
            Verdict => self.tell(Finding::new(code.unwrap_or("net.refused").to_owned(), message).at(span)),
        }
    }

    /// Takes a finding and its risk.
    pub(crate) fn tell(&mut self, mut finding: Finding) {
        // The analysis marks unknown parts by noncharacters; people read an ellipsis.
        if finding.message.contains(is_noncharacter) {
            finding.message = finding.message.replace(is_noncharacter, "…");
        }
        if let Some(risk) = finding.risk {
            self.risk = self.risk.join(risk);
        }
        let known =
            self.findings.iter_mut().find(|known| known.code == finding.code && known.span == finding.span);
        let Some(known) = known else {
            self.findings.push(finding);
            return;
        };
        known.suggestion = known.suggestion.take().or(finding.suggestion);
        if known.severity < finding.severity || known.risk != finding.risk {
            known.severity = known.severity.max(finding.severity);
            known.risk = match (known.risk, finding.risk) {
                (Some(left), Some(right)) => Some(left.join(right)),
                (left, right) => left.or(right),
            };
            known.floor |= finding.floor;
            known.blocking |= finding.blocking;
        }
    }

    /// One step up; UNKNOWN has no next step.
    pub(crate) fn step_up(&mut self) {
        self.risk = match self.risk {
            Low => Medium,
            Medium | High => High,
            SecurityRisk::Unknown => SecurityRisk::Unknown,
        };
    }

    /// A score in the band of the level: more findings at that level, and more severe ones, lie higher.
    pub(crate) fn score(&self) -> Option<u8> {
        let (from, to) = self.risk.band()?;
        let worst = self.findings.iter().map(|finding| finding.severity).max();
        let start = match (self.risk, worst) {
            (High, Some(Severity::Critical)) => 95,
            (High, _) => 85,
            (Medium, _) => 50,
            _ => from + if self.findings.is_empty() { 0 } else { 10 },
        };
        let at_level = self.findings.iter().filter(|finding| finding.risk == Some(self.risk)).count();
        let more = u8::try_from(at_level.saturating_sub(1).min(20)).unwrap_or(20);
        Some(start.saturating_add(more).min(to))
    }
}

/// A denial whatever the policy says.
pub(crate) fn floor(mut finding: Finding) -> Finding {
    finding.floor = true;
    finding.blocking = true;
    finding
}

const fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}')
}

/// Characters of a path or host that a message shows.
const SHOWN: usize = 80;

/// A path or host in a message: one line, and of a long one the beginning and the end.
fn shown(text: &str) -> String {
    let plain = |c: char| {
        if c.is_control() || doorward_paths::key::is_ignorable(c) { '\u{fffd}' } else { c }
    };
    let line: Vec<char> = text.chars().take(4096).map(plain).collect();
    if line.len() <= SHOWN {
        return line.into_iter().collect();
    }
    let front = line.iter().take(SHOWN / 2 - 1);
    let back = line.iter().skip(line.len() - SHOWN / 2);
    front.chain(std::iter::once(&'…')).chain(back).collect()
}

/// The name of a code's language, for files that are run.
pub(crate) fn language_of(code: &Code) -> Option<&str> {
    match code {
        Code::Shell => Some("shell"),
        Code::Language(language) => Some(language),
        Code::None => None,
    }
}
