//! Risk from effects: one table a kind of effect, read from the top; the first row that fits gives the level and
//! the finding. The most severe level over all effects is the call's.

use doorward_core::effect::{
    DeleteEffect, HostClass, HostEffect, Protection, ReadEffect, Scope, WriteEffect,
};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{Certainty, Code, Direction, Form, InstallSource, Span, WriteMode};
use doorward_core::risk::SecurityRisk;

use crate::place::Via;

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
    /// Why, in words; the message of the finding.
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
    row("inside a root that forbids it", |r| r.forbidden, Forbidden),
    row("leads outside the roots", |r| r.effect.scope == Scope::Escape, Tell("path.escape")),
    row(
        "a secret's content reaches a host",
        |r| content(r) && r.effect.secret && r.effect.reaches_host && r.sent_to_stranger && !r.stays_here,
        Floor("flow.secret_to_egress"),
    ),
    row(
        "holds secrets by its name",
        |r| content(r) && r.effect.secret && r.via == Via::Argument,
        Tell("path.secret"),
    ),
    row("holds secrets by its name", |r| content(r) && r.effect.secret, Tell("shell.secret_read")),
    row(
        "holds files where the user keeps secrets",
        |r| content(r) && r.walks_secrets && r.via == Via::Argument,
        Tell("path.secret"),
    ),
    row(
        "holds files where the user keeps secrets",
        |r| content(r) && r.walks_secrets,
        Tell("shell.secret_read"),
    ),
    row(
        "could be a secret, and reaches a host",
        |r| content(r) && r.maybe_secret && r.effect.reaches_host,
        Tell("shell.secret_read"),
    ),
    row(
        "written so that a secret is what it fits",
        |r| content(r) && r.maybe_secret,
        Tell("shell.secret_read"),
    ),
    row(
        "a camera, microphone, screen or keyboard",
        |r| content(r) && is_sensor(&r.effect.path) && r.effect.scope != Scope::Elsewhere,
        Tell("shell.sensing"),
    ),
    row("on another machine or in a container", |r| r.effect.scope == Scope::Elsewhere, Level(Low)),
    row("a device that only makes bytes", |r| r.effect.scope == Scope::Harmless, Level(Low)),
    row(
        "openly outside the roots",
        |r| r.via == Via::Argument && r.effect.scope == Scope::Outside,
        TellAt("path.outside", Medium),
    ),
    row("only metadata", |r| r.effect.metadata, Level(Low)),
    row(
        "unknown files reach a host or an interpreter",
        |r| r.form == Form::Unknown && (r.effect.reaches_host || r.reaches_code),
        TellAt("shell.read_unknown", High),
    ),
    row(
        "content from outside the roots is sent",
        |r| r.effect.scope == Scope::Outside && r.effect.reaches_host && r.sent_to_stranger,
        Tell("shell.upload"),
    ),
    row("outside the roots", |r| r.effect.scope == Scope::Outside, Tell("shell.read_outside")),
    row(
        "which files can't be told beforehand",
        |r| r.form != Form::Literal || r.effect.scope == Scope::Unknown,
        Tell("shell.read_unknown"),
    ),
    row("inside a root or scratch", |_| true, Level(Low)),
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
}

/// Writes.
pub(crate) const WRITES: &[RiskRow<Write>] = &[
    row("Doorward's own files", |w| w.effect.protection == Some(Protection::Own), Tell("path.own_files")),
    row("inside a root that forbids it", |w| w.forbidden, Forbidden),
    row("leads outside the roots", |w| w.effect.scope == Scope::Escape, Tell("path.escape")),
    row("swallowed by a device", |w| w.effect.scope == Scope::Harmless, Level(Low)),
    row(
        "set-uid, set-gid or world-writable",
        |w| w.chmod.is_some_and(|bits| bits & 0o6002 != 0),
        Tell("shell.privilege"),
    ),
    row("a protected name", |w| w.effect.protection.is_some(), Tell("path.protected")),
    row("makes something run later", |w| is_persistence(&w.effect.path), Tell("shell.persistence")),
    row("a log or history of the system", |w| is_trail(&w.effect.path), Tell("shell.tamper")),
    row(
        "a raw device",
        |w| w.effect.path.starts_with("/dev/") && !w.effect.path.starts_with("/dev/shm/"),
        Tell("shell.data_loss"),
    ),
    row("on another machine or in a container", |w| w.effect.scope == Scope::Elsewhere, Level(Medium)),
    row(
        "moved out of the roots",
        |w| w.moved_from_inside && w.effect.scope != Scope::Inside,
        Tell("shell.delete"),
    ),
    row("openly outside the roots", |w| w.effect.scope == Scope::Outside, Tell("path.outside")),
    row("nobody can tell where", |w| w.effect.scope == Scope::Unknown, Tell("path.outside")),
    row("moved across the border of the roots", |w| w.moved_from_elsewhere, Tell("path.outside")),
    row("a file that holds secrets", |w| w.secret && w.via == Via::Argument, Tell("path.secret")),
    row(
        "emptied",
        |w| {
            w.effect.mode == WriteMode::Truncate && w.effect.scope == Scope::Inside && !w.new && !w.disposable
        },
        Tell("shell.delete"),
    ),
    row("inside a root or scratch", |_| true, Level(Medium)),
];

/// Places whose content runs later without anybody asking: cron(8), systemd.unit(5), sshd(8), ld.so(8), PAM, XDG
/// autostart, launchd(8). A `*` stands for one component.
const PERSISTENCE: &[&str] = &[
    "/etc/cron*",
    "/var/spool/cron",
    "/etc/anacrontab",
    "/etc/systemd",
    "/usr/lib/systemd",
    "/lib/systemd",
    "/run/systemd",
    "/etc/init.d",
    "/etc/rc*",
    "/etc/profile*",
    "/etc/bash.bashrc",
    "/etc/environment",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf*",
    "/etc/pam.d",
    "/etc/xdg/autostart",
    "/etc/udev",
    "/etc/modules*",
    "/etc/apt/apt.conf.d",
    "/etc/update-motd.d",
    "/etc/logrotate.d",
    "/etc/NetworkManager/dispatcher.d",
];
/// The same below any home folder.
const PERSISTENCE_HOME: &[&str] = &[
    ".config/systemd",
    ".config/autostart",
    ".ssh/authorized_keys",
    ".ssh/authorized_keys2",
    ".ssh/rc",
    ".ssh/config",
    ".local/share/systemd",
    "Library/LaunchAgents",
    "Library/LaunchDaemons",
    ".pam_environment",
];

fn is_persistence(path: &str) -> bool {
    let system = PERSISTENCE.iter().any(|place| {
        let wild = place.strip_suffix('*');
        match wild {
            Some(head) => path.starts_with(head),
            None => path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        }
    });
    system || PERSISTENCE_HOME.iter().any(|place| names_below(path, place))
}

fn names_below(path: &str, place: &str) -> bool {
    path.match_indices(place).any(|(at, _)| {
        let before = at == 0 || path.get(..at).is_some_and(|head| head.ends_with('/'));
        let after = path.get(at + place.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        before && after
    })
}

/// Where others look up what happened.
const TRAILS: &[&str] =
    &[".bash_history", ".zsh_history", ".sh_history", ".python_history", ".psql_history", ".mysql_history"];

fn is_trail(path: &str) -> bool {
    path.starts_with("/var/log/")
        || path.starts_with("/etc/audit/")
        || path.starts_with("/etc/rsyslog")
        || TRAILS.iter().any(|name| path.ends_with(name))
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
        "the root, the home folder or a folder of the system",
        |d| d.effect.recursive && (d.all_in_it || d.everything && d.effect.certainty == Certainty::Exact),
        Tell("shell.delete_everything"),
    ),
    row("Doorward's own files", |d| d.effect.protection == Some(Protection::Own), Tell("path.own_files")),
    row(
        "could be the root, the home folder or a folder of the system",
        |d| d.everything,
        Tell("shell.delete"),
    ),
    row("inside a root that forbids it", |d| d.forbidden, Forbidden),
    row("leads outside the roots", |d| d.effect.scope == Scope::Escape, Tell("path.escape")),
    row("a protected name", |d| d.effect.protection.is_some(), Tell("path.protected")),
    row("a log or history of the system", |d| is_trail(&d.effect.path), Tell("shell.tamper")),
    row("made by this very command, or ignored", |d| d.harmless, Tell("shell.delete_regenerable")),
    row("below the temp folder", |d| d.effect.scope == Scope::Scratch, Tell("shell.delete_regenerable")),
    row("made again by a build or install", |d| d.by_build, Tell("shell.delete_regenerable")),
    row("not there", |d| d.missing, Tell("shell.delete_regenerable")),
    row("in the last commit as it is", |d| d.comes_back, Tell("shell.delete_regenerable")),
    row("written in this session", |d| d.own_work && !d.effect.recursive, Tell("shell.delete_regenerable")),
    row("may not come back", |_| true, Tell("shell.delete")),
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
    row("a cloud metadata address", |h| h.effect.class == HostClass::Metadata, Floor("net.metadata")),
    row("a port is opened", |h| h.effect.direction == Direction::Listen, TellAt("net.loopback", Medium)),
    row("on the list", |h| h.effect.class == HostClass::Allowed, Level(Medium)),
    row(
        "a remote that is configured",
        |h| h.effect.configured && !h.new_remote,
        TellAt("net.contact", Medium),
    ),
    row("content is sent through a raw socket", |h| h.raw_socket && h.sends_content, Tell("shell.upload")),
    row("this machine", |h| h.effect.class == HostClass::Loopback, Tell("net.loopback")),
    row(
        "a login on a private host",
        |h| {
            h.effect.class == HostClass::Private
                && h.effect.scheme == "ssh"
                && !h.sends_content
                && !h.new_remote
        },
        TellAt("net.private", Medium),
    ),
    row("a private address", |h| h.effect.class == HostClass::Private, Tell("net.private")),
    row("a host that was refused", |h| h.effect.class == HostClass::Refused, Verdict),
    row("pushed to a remote that the project didn't have", |h| h.new_remote, Tell("shell.upload")),
    row("content is sent to a host that isn't on the list", |h| h.sends_content, Tell("shell.upload")),
    row("contact with a host", |_| true, Tell("net.contact")),
];

/// Hosts that a fetch tool or an MCP tool's argument names.
pub(crate) const FETCHES: &[RiskRow<Host>] = &[
    row("a cloud metadata address", |h| h.effect.class == HostClass::Metadata, Floor("net.metadata")),
    row("on the list", |h| h.effect.class == HostClass::Allowed, Level(Medium)),
    row("this machine", |h| h.effect.class == HostClass::Loopback, TellAt("net.loopback", High)),
    row("a private address", |h| h.effect.class == HostClass::Private, Tell("net.private")),
    row("a host that was refused", |h| h.effect.class == HostClass::Refused, Verdict),
    row("contact with a host", |_| true, Tell("net.contact")),
];

/// An install.
pub(crate) struct Packages {
    pub(crate) source: InstallSource,
    pub(crate) system: bool,
}

/// Installs.
pub(crate) const INSTALLS: &[RiskRow<Packages>] = &[
    row("from a URL: code from the network", |i| i.source == InstallSource::Url, Tell("shell.remote_code")),
    row("for the whole system", |i| i.system, Tell("shell.privilege")),
    row("for the project", |_| true, Level(Medium)),
];

/// A file that a command runs.
pub(crate) struct Runs {
    pub(crate) seen: bool,
    /// Written, downloaded or changed in this session.
    pub(crate) of_session: bool,
    pub(crate) downloaded: bool,
    pub(crate) outside: bool,
}

/// Files that commands run.
pub(crate) const RUNS: &[RiskRow<Runs>] = &[
    row("downloaded, and not analysable", |r| r.downloaded && !r.seen, TellAt("shell.remote_code", High)),
    row(
        "changed in this session, and not analysable",
        |r| r.of_session && !r.seen,
        TellAt("shell.file_unseen", High),
    ),
    row("its content wasn't seen", |r| !r.seen, Tell("shell.file_unseen")),
    row("its content was judged with the call", |r| !r.outside, Level(Medium)),
    row("a program outside the roots", |_| true, Level(Medium)),
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
        let message = format!("`{}`: {}", shown(what), row.why);
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
        match known {
            None => self.findings.push(finding),
            Some(known) if known.severity < finding.severity || known.risk != finding.risk => {
                known.severity = known.severity.max(finding.severity);
                known.risk = match (known.risk, finding.risk) {
                    (Some(left), Some(right)) => Some(left.join(right)),
                    (left, right) => left.or(right),
                };
                known.floor |= finding.floor;
                known.blocking |= finding.blocking;
            }
            Some(_) => {}
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

/// A path or host in a message: one line, bounded.
fn shown(text: &str) -> String {
    let line: String = text
        .chars()
        .take(120)
        .map(|c| if c.is_control() || doorward_paths::key::is_ignorable(c) { '\u{fffd}' } else { c })
        .collect();
    if text.chars().count() > 120 { format!("{line}…") } else { line }
}

/// The name of a code's language, for files that are run.
pub(crate) fn language_of(code: &Code) -> Option<&str> {
    match code {
        Code::Shell => Some("shell"),
        Code::Language(language) => Some(language),
        Code::None => None,
    }
}
