//! Intent to effects: every item placed in the world, weighed by its table, kept with the span it came from.

use std::collections::BTreeSet;

use doorward_core::effect::{DeleteEffect, Effects, HostClass, HostEffect, ReadEffect, Scope, WriteEffect};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{
    Below, Certainty, DeleteIntent, Direction, Form, HostIntent, Intent, Operand, Origin, ReadIntent, Span,
    Unknown, WriteIntent,
};
use doorward_core::risk::SecurityRisk;

use crate::hosts::HostJudge;
use crate::own::Walk;
use crate::place::{Ground, Place, Use, Via};
use crate::risk::{
    DELETES, Delete, FETCHES, HOSTS, Host, INSTALLS, Packages, READS, Read, Tally, WRITES, Write,
};
use crate::session::remote_added;
use crate::tools::Manner;

/// Names a glob is expanded to; beyond, it is judged as a pattern.
const GLOB_LIMIT: usize = 64;
/// Words in a variable's name that say it holds a secret.
const SECRET_WORDS: &[&str] = &[
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "API_KEY",
    "APIKEY",
    "PRIVATE_KEY",
    "ACCESS_KEY",
    "CREDENTIAL",
];

/// Resolves an intent; effects and tally grow.
pub(crate) struct Resolve<'g, 'a> {
    pub(crate) ground: &'g Ground<'a>,
    pub(crate) hosts: &'g dyn HostJudge,
    pub(crate) manner: Manner,
    pub(crate) effects: Effects,
    pub(crate) tally: Tally,
    /// Something is destroyed for good, or wasn't understood.
    pub(crate) destructive: bool,
    /// Some host of the call isn't on the list.
    stranger: bool,
    /// What the hosts of the call are sent, as written; empty where nobody says.
    bodies: Vec<String>,
    /// Remotes that the call itself adds: what it sends them, it sends to a URL of its own.
    added_here: BTreeSet<String>,
    /// Folders that are read with what is below them.
    pub(crate) walks: Vec<Walk>,
}

impl<'g, 'a> Resolve<'g, 'a> {
    pub(crate) fn new(ground: &'g Ground<'a>, hosts: &'g dyn HostJudge, manner: Manner) -> Self {
        Self {
            ground,
            hosts,
            manner,
            effects: Effects::default(),
            tally: Tally::default(),
            destructive: false,
            stranger: false,
            bodies: Vec::new(),
            added_here: BTreeSet::new(),
            walks: Vec::new(),
        }
    }

    /// Takes everything an intent says.
    pub(crate) fn take(&mut self, intent: Intent) {
        let read_only = intent.is_read_only();
        self.added_here.extend(intent.commands.iter().filter_map(remote_added).map(str::to_owned));
        if !read_only && !intent.commands.is_empty() {
            self.tally.risk = self.tally.risk.join(SecurityRisk::Medium);
        }
        // Hosts first: whether one is a stranger matters to what is read for it.
        intent.hosts.iter().for_each(|host| self.host(host));
        intent.reads.iter().for_each(|read| self.read(read));
        intent.writes.iter().for_each(|write| self.write(write));
        intent.deletes.iter().for_each(|delete| self.delete(delete));
        for read in &intent.env_reads {
            self.environment(&read.name, read.reaches_host, read.span);
        }
        for privilege in &intent.privilege {
            self.tally.tell(Finding::new("shell.privilege", privilege.detail.clone()).at(privilege.span));
        }
        for loss in &intent.history_loss {
            let mut finding = Finding::new("shell.history_loss", loss.what.clone()).at(loss.span);
            if loss.recoverable_by == doorward_core::intent::RecoverableBy::None {
                finding.severity = Severity::Critical;
            }
            self.destructive = true;
            self.tally.tell(finding);
        }
        for install in &intent.installs {
            let case = Packages { source: install.source, system: install.system };
            self.effects.network = true;
            self.tally.weigh(INSTALLS, &case, &install.manager, install.span, None);
        }
        for unknown in &intent.unknown {
            self.destructive = true;
            self.tally.tell(Finding::new(unknown.code.clone(), unknown.reason.clone()).at(unknown.span));
        }
        for command in &intent.commands {
            let code = match command.origin {
                Origin::Network => "shell.remote_code",
                Origin::Generated => "shell.generated_code",
                Origin::Literal | Origin::File(_) => continue,
            };
            self.tally.tell(Finding::new(code, format!("`{}` runs it", command.program)).at(command.span));
        }
        for finding in intent.findings {
            self.destructive |= is_destructive(&finding.code);
            self.tally.tell(finding);
        }
        self.effects.executes.extend(intent.commands);
        self.effects.connectors.extend(intent.connectors);
        self.effects.privilege.extend(intent.privilege);
        self.effects.history_loss.extend(intent.history_loss);
        self.effects.installs.extend(intent.installs);
        self.effects.unknown.extend(intent.unknown);
        self.effects.network |= !self.effects.hosts.is_empty();
    }

    /// An operand as what it stands for: itself, or the names that its pattern matches.
    fn places(&self, operand: &Operand, what: Use) -> Vec<(Place, Form)> {
        if operand.form == Form::Glob
            && operand.place == doorward_core::intent::Place::Local
            && !operand.text.contains('…')
            && !operand.text.split('/').any(|name| name == "**")
            && let Some(names) = self.ground.expand(&operand.text, GLOB_LIMIT)
            && !names.is_empty()
        {
            return names.iter().map(|name| (self.ground.place_text(name, what), Form::Literal)).collect();
        }
        vec![(self.ground.place(operand, what), operand.form)]
    }

    fn read(&mut self, read: &ReadIntent) {
        for (place, form) in self.places(&read.path, Use::Read) {
            let span = read.path.span;
            let effect = ReadEffect {
                path: place.path.clone(),
                scope: place.scope,
                secret: place.secret,
                metadata: read.metadata,
                reaches_host: read.reaches_host,
                certainty: read.path.certainty,
                span,
            };
            let case = Read {
                effect,
                form,
                maybe_secret: place.maybe_secret,
                reaches_code: read.reaches_code,
                walks_secrets: self.walks_secrets(read, &place),
                // With no host in sight the bytes still leave: somebody said so.
                stays_here: self.stays_here(),
                sent_to_stranger: (self.stranger || self.effects.hosts.is_empty()) && self.is_sent(read),
                forbidden: place.forbidden.is_some(),
                via: self.ground.via,
            };
            self.tally.weigh(READS, &case, &place.path, span, place.forbidden);
            self.kind(&place, read.metadata, span);
            self.walked(read, &place);
            if !read.metadata && !read.below.is_nothing() {
                let visible = read.below == Below::Visible;
                self.walks.push(Walk { path: place.path.clone(), visible, span });
            }
            self.effects.reads.push(case.effect);
        }
    }

    /// Whether the user's own secrets lie where a walk or a pattern leads.
    fn walks_secrets(&self, read: &ReadIntent, place: &Place) -> bool {
        let home = self.ground.home.as_deref();
        let local = read.path.place == doorward_core::intent::Place::Local;
        let walks = match read.below {
            Below::Nothing => false,
            Below::Visible => doorward_paths::holds_secrets(&place.path, home, true),
            Below::Everything => doorward_paths::holds_secrets(&place.path, home, false),
        };
        local && (walks || place.reaches_secrets)
    }

    /// Says which files with secrets a walk over a folder of the project reads; they are no reason to ask.
    fn walked(&mut self, read: &ReadIntent, place: &Place) {
        if read.below.is_nothing() || place.scope != Scope::Inside {
            return;
        }
        let visible = read.below == Below::Visible;
        let names = self.ground.world.names(&place.path, 512).unwrap_or_default();
        let kept = |name: &&String| doorward_paths::is_secret(name) && !(visible && name.starts_with('.'));
        let secrets: Vec<&str> = names.iter().filter(kept).map(String::as_str).take(4).collect();
        if !secrets.is_empty() {
            let message = format!("`{}`: what is read there holds {}", place.path, secrets.join(", "));
            self.tally.tell(Finding::new("shell.secret_walk", message).at(read.path.span));
        }
    }

    /// Whether a read is part of what is sent: a key that only opens the way (`scp -i`) isn't. Where the hosts don't
    /// say what they are sent, or are sent a stream, everything that reaches them is.
    fn is_sent(&self, read: &ReadIntent) -> bool {
        let plain = |text: &str| text.trim_start_matches('@').trim_start_matches("./").to_owned();
        let own = plain(&read.path.text);
        let stream = |body: &String| body == "-" || body.contains('…') || body.starts_with('$');
        self.bodies.is_empty() || self.bodies.iter().any(|body| stream(body) || plain(body) == own)
    }

    fn write(&mut self, write: &WriteIntent) {
        for (mut place, _) in self.places(&write.path, Use::Write) {
            let span = write.path.span;
            // Unpacking or copying a tree into the home folder replaces whatever of it lies there, ours too.
            let fills_home = write.mode != doorward_core::intent::WriteMode::Metadata
                && self
                    .ground
                    .home
                    .as_deref()
                    .is_some_and(|home| doorward_paths::lexical::is_within(home, &place.path));
            if fills_home && place.scope != Scope::Inside {
                place.protection = self.ground.own.inside(std::path::Path::new(&place.path));
            }
            let from = write.moved_from.as_ref().map(|from| self.ground.place(from, Use::Delete));
            let effect = WriteEffect {
                path: place.path.clone(),
                scope: place.scope,
                mode: write.mode,
                protection: place.protection,
                redirected: write.redirected,
                certainty: write.path.certainty,
                span,
            };
            let moved_from_inside = from.as_ref().is_some_and(|from| from.scope == Scope::Inside);
            let moved_from_elsewhere = from
                .as_ref()
                .is_some_and(|from| matches!(from.scope, Scope::Outside | Scope::Escape | Scope::Forbidden));
            let case = Write {
                effect,
                secret: place.secret || place.maybe_secret,
                forbidden: place.forbidden.is_some(),
                via: self.ground.via,
                chmod: write.chmod.as_deref().and_then(|bits| u32::from_str_radix(bits, 8).ok()),
                moved_from_inside,
                moved_from_elsewhere,
                new: self.ground.is_new(&place.path) || self.ground.is_own_work(&place.path),
                disposable: place.path.ends_with(".log") || place.path.ends_with(".tmp"),
            };
            self.tally.weigh(WRITES, &case, &place.path, span, place.forbidden);
            self.kind(&place, false, span);
            self.effects.writes.push(case.effect);
        }
        // A move takes the old name away: a protected one may not go, wherever it goes to.
        if let Some(from) = &write.moved_from {
            let place = self.ground.place(from, Use::Delete);
            if let Some(class) = place.protection {
                let code = if class == doorward_core::effect::Protection::Own {
                    "path.own_files"
                } else {
                    "path.protected"
                };
                self.tally.tell(Finding::new(code, format!("`{}`: moved away", place.path)).at(from.span));
                self.effects.writes.push(WriteEffect {
                    path: place.path,
                    scope: place.scope,
                    mode: write.mode,
                    protection: Some(class),
                    redirected: false,
                    certainty: from.certainty,
                    span: from.span,
                });
            } else if place.secret {
                let code = if self.ground.via == Via::Argument { "path.secret" } else { "shell.secret_read" };
                self.tally.tell(
                    Finding::new(code, format!("`{}`: moved to another name", place.path)).at(from.span),
                );
            }
        }
    }

    fn delete(&mut self, delete: &DeleteIntent) {
        let local = delete.path.place == doorward_core::intent::Place::Local;
        let all_in_it = delete.path.form == Form::Glob && local && {
            let pattern = self.ground.place(&delete.path, Use::Delete).path;
            pattern.ends_with("/*") && self.ground.is_everything(&pattern)
        };
        for (place, form) in self.places(&delete.path, Use::Delete) {
            let span = delete.path.span;
            let regenerable = self.ground.regenerable(&place, form);
            let effect = DeleteEffect {
                path: place.path.clone(),
                scope: place.scope,
                recursive: delete.recursive,
                force: delete.force,
                regenerable,
                in_version_control: self.ground.in_version_control(&place.path),
                protection: place.protection,
                certainty: delete.path.certainty,
                span,
            };
            let outside = matches!(place.scope, Scope::Outside | Scope::Unknown);
            let case = Delete {
                forbidden: place.forbidden.is_some(),
                harmless: (delete.own || delete.ignored_only) && place.protection.is_none(),
                own_work: self.ground.is_own_work(&place.path),
                everything: self.ground.is_everything(&place.path) && local,
                all_in_it,
                effect,
            };
            let before = self.tally.findings.len();
            self.tally.weigh(DELETES, &case, &place.path, span, place.forbidden);
            self.irreversible(&case.effect, before);
            if outside && !case.harmless && self.ground.via == Via::Argument {
                self.tally.tell(
                    Finding::new("path.outside", format!("`{}`: openly outside the roots", place.path))
                        .at(span),
                );
            }
            let lost = !case.harmless
                && regenerable != doorward_core::effect::Tri::Yes
                && place.scope != Scope::Scratch;
            self.destructive |= lost && (delete.recursive || !case.own_work);
            self.effects.recursive_delete |= delete.recursive && delete.force;
            self.effects.deletes.push(case.effect);
        }
    }

    /// A delete that is sure, and that version control is known to have no copy of.
    fn irreversible(&mut self, effect: &DeleteEffect, from: usize) {
        let lost = effect.certainty == Certainty::Exact
            && effect.in_version_control == doorward_core::effect::Tri::No;
        for finding in self.tally.findings.iter_mut().skip(from) {
            if lost && finding.code == "shell.delete" && !self.ground.is_new(&effect.path) {
                finding.severity = Severity::Critical;
            }
        }
    }

    /// What only file tools care about: the kind of what is there.
    fn kind(&mut self, place: &Place, metadata: bool, span: Span) {
        let special = self.ground.via == Via::Argument
            && !metadata
            && place.scope != Scope::Harmless
            && self.ground.kind(&place.path) == Some(doorward_core::world::FileKind::Special);
        if special {
            let mut finding =
                Finding::new("path.special_file", format!("`{}`: a pipe, socket or device", place.path))
                    .at(span);
            finding.floor = true;
            finding.blocking = true;
            self.tally.tell(finding);
        }
    }

    fn environment(&mut self, name: &str, reaches_host: bool, span: Span) {
        self.effects.env_reads.insert(name.to_owned());
        if name == "*" {
            let finding = Finding::new("shell.env_dump", "the whole environment").at(span);
            self.tally.tell(if reaches_host { finding.with_risk(SecurityRisk::High) } else { finding });
            return;
        }
        let upper = name.to_ascii_uppercase();
        if SECRET_WORDS.iter().any(|word| upper.contains(word)) {
            self.tally.tell(
                Finding::new("shell.secret_read", format!("`${name}` holds a secret by its name")).at(span),
            );
        }
    }

    /// Whether this machine is the only one that is contacted.
    fn stays_here(&self) -> bool {
        let hosts = &self.effects.hosts;
        !hosts.is_empty() && hosts.iter().all(|host| host.class == HostClass::Loopback)
    }

    fn host(&mut self, host: &HostIntent) {
        let configured = host.configured_remote.as_ref();
        let (name, port, scheme, class, code) = match (&host.url, configured) {
            (Some(url), _)
                if !url.contains('…') && (url.contains("://") || host.scheme.starts_with("http")) =>
            {
                // `curl example.com/x` has no scheme; the program's own is what it means.
                let whole =
                    if url.contains("://") { url.clone() } else { format!("{}://{url}", host.scheme) };
                let judged = self.hosts.judge_url(&whole);
                (judged.host, judged.port.or(host.port), judged.scheme, judged.class, judged.code)
            }
            (_, Some(remote)) if host.host.is_empty() || host.host == "…" => self.remote(remote, host),
            _ if host.form != Form::Literal || host.host == "…" || host.host.is_empty() => {
                (host.host.clone(), host.port, host.scheme.clone(), HostClass::Unknown, None)
            }
            _ => {
                let (class, code) = self.hosts.judge_host(&host.host, host.port, &host.scheme);
                (host.host.clone(), host.port, host.scheme.clone(), class, code)
            }
        };
        let new_remote = match configured {
            Some(remote) => {
                self.ground.session.remotes_added.contains(remote) || self.added_here.contains(remote)
            }
            None => is_push(host),
        };
        let sends = matches!(host.direction, Direction::Send | Direction::Both);
        self.bodies.extend(host.body_from.iter().cloned());
        let effect = HostEffect {
            host: name.clone(),
            port,
            scheme,
            direction: host.direction,
            class,
            code: code.clone(),
            configured: configured.is_some() && !new_remote,
            redirected: host.redirected,
            span: host.span,
        };
        self.stranger |= !matches!(class, HostClass::Allowed) && host.direction != Direction::Listen;
        let case = Host {
            sends_content: sends && !host.body_from.is_empty(),
            raw_socket: matches!(host.scheme.as_str(), "tcp" | "udp"),
            new_remote: new_remote && sends,
            effect,
        };
        let table = if matches!(self.manner, Manner::Net | Manner::Mcp) { FETCHES } else { HOSTS };
        self.tally.weigh(table, &case, &name, host.span, code.as_deref());
        self.effects.hosts.push(case.effect);
    }

    /// A remote by name: what the repository's config says, else that it is configured.
    fn remote(
        &self,
        remote: &str,
        host: &HostIntent,
    ) -> (String, Option<u16>, String, HostClass, Option<String>) {
        let Ok(url) = self.ground.world.remote_url(&self.ground.call.cwd, remote) else {
            return (format!("remote:{remote}"), None, host.scheme.clone(), HostClass::Unknown, None);
        };
        // `git@host:path` has no scheme.
        let spelled = match url.split_once("://") {
            Some(_) => url,
            None if url.starts_with(['/', '.']) => {
                return ("localhost".to_owned(), None, "file".to_owned(), HostClass::Loopback, None);
            }
            None => format!("ssh://{}", url.replacen(':', "/", 1)),
        };
        let judged = self.hosts.judge_url(&spelled);
        (judged.host, judged.port, judged.scheme, judged.class, judged.code)
    }

    /// Undecidable names and deceptive characters are also effects nobody can name: policies see them in
    /// `effects.unknown`, whatever their risk.
    pub(crate) fn name_undecidable(&mut self) {
        let undecidable = self
            .tally
            .findings
            .iter()
            .filter(|finding| matches!(&*finding.code, "shell.obfuscated" | "shell.invisible"));
        let unknown: Vec<Unknown> = undecidable
            .map(|finding| Unknown {
                code: finding.code.to_string(),
                reason: finding.message.clone(),
                span: finding.span.unwrap_or_default(),
            })
            .collect();
        self.effects.unknown.extend(unknown);
    }

    /// Whether everything was proved to read only, inside the roots or openly outside and not secret.
    pub(crate) fn proves_read_only(&self, intent_read_only: bool) -> bool {
        intent_read_only
            && self.tally.risk.is_known()
            && self.tally.risk != SecurityRisk::High
            && self.effects.writes.is_empty()
            && self.effects.deletes.is_empty()
            && self.effects.hosts.is_empty()
            && self
                .effects
                .reads
                .iter()
                .all(|read| read.metadata || (!read.secret && read.scope != Scope::Unknown))
            && !self.tally.findings.iter().any(|finding| finding.code == "shell.env_dump")
    }

    /// Secrets that the call reads.
    pub(crate) fn reads_secret(&self) -> bool {
        self.effects.reads.iter().any(|read| read.secret && !read.metadata)
            || self.tally.findings.iter().any(|finding| finding.code == "shell.secret_read")
    }
}

/// A push given by URL: no configured remote, and bytes go out through git.
fn is_push(host: &HostIntent) -> bool {
    matches!(host.direction, Direction::Send) && host.scheme.starts_with("git")
}

/// Findings that say something is destroyed or hidden.
fn is_destructive(code: &str) -> bool {
    const CODES: &[&str] = &[
        "shell.delete",
        "shell.delete_everything",
        "shell.data_loss",
        "shell.infra",
        "shell.history_loss",
        "shell.obfuscated",
        "shell.resource",
        "shell.remote_code",
        "shell.generated_code",
    ];
    CODES.contains(&code)
}

/// Paths of secrets that a call reads.
pub(crate) fn secret_paths(effects: &Effects) -> BTreeSet<String> {
    effects.reads.iter().filter(|read| read.secret && !read.metadata).map(|read| read.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use doorward_core::effect::{Protection, Tri};
    use doorward_core::intent::{
        Code, HistoryLoss, Install, InstallSource, Privilege, PrivilegeKind, RecoverableBy, SimpleCommand,
        WriteMode,
    };
    use doorward_core::mode::CallClass;
    use doorward_core::session::{SessionView, WrittenFile};
    use doorward_core::world::{VcsState, World};
    use doorward_paths::OwnFiles;
    use doorward_shell::Options;

    use super::*;
    use crate::run::Follow;
    use crate::{EmptyWorld, MapWorld, PlainHosts};
    use SecurityRisk::{High, Low, Medium, Unknown as Unclear};

    fn path(text: &str) -> Operand {
        let form = match text {
            _ if text.contains('…') => Form::Unknown,
            _ if doorward_paths::glob::is_pattern(text) => Form::Glob,
            _ => Form::Literal,
        };
        let certainty = if form == Form::Literal { Certainty::Exact } else { Certainty::May };
        Operand { text: text.to_owned(), form, certainty, ..Operand::default() }
    }

    fn read(text: &str) -> Intent {
        let read = ReadIntent {
            path: path(text),
            metadata: false,
            reaches_host: false,
            reaches_code: false,
            below: Below::default(),
        };
        Intent { reads: vec![read], commands: vec![command("cat", true)], ..Intent::default() }
    }

    fn sent(text: &str, host: &str) -> Intent {
        let mut intent = read(text);
        intent.reads[0].reaches_host = true;
        intent.commands[0].read_only = false;
        intent.hosts = vec![contact(host, Direction::Send, &[text])];
        intent
    }

    /// `scp -i KEY FILE HOST:`
    fn keyed(key: &str, file: &str, host: &str) -> Intent {
        let mut intent = sent(key, host);
        intent.hosts[0].body_from = vec![file.to_owned()];
        intent
    }

    fn write(text: &str, mode: WriteMode) -> Intent {
        let write = WriteIntent {
            path: path(text),
            mode,
            content: None,
            downloaded: false,
            chmod: None,
            moved_from: None,
            redirected: false,
        };
        Intent { writes: vec![write], commands: vec![command("tee", false)], ..Intent::default() }
    }

    fn moved(from: &str, to: &str) -> Intent {
        let mut intent = write(to, WriteMode::Create);
        intent.writes[0].moved_from = Some(path(from));
        intent
    }

    fn chmod(text: &str, bits: &str) -> Intent {
        let mut intent = write(text, WriteMode::Metadata);
        intent.writes[0].chmod = Some(bits.to_owned());
        intent
    }

    fn delete(text: &str, recursive: bool) -> Intent {
        let delete =
            DeleteIntent { path: path(text), recursive, force: recursive, own: false, ignored_only: false };
        Intent { deletes: vec![delete], commands: vec![command("rm", false)], ..Intent::default() }
    }

    fn contact(host: &str, direction: Direction, body: &[&str]) -> HostIntent {
        HostIntent {
            host: host.to_owned(),
            form: if host.contains('…') { Form::Unknown } else { Form::Literal },
            port: None,
            scheme: "https".to_owned(),
            url: None,
            direction,
            body_from: body.iter().map(|text| (*text).to_owned()).collect(),
            configured_remote: None,
            redirected: false,
            span: Span::default(),
        }
    }

    fn host(host: &str, direction: Direction, body: &[&str]) -> Intent {
        Intent {
            hosts: vec![contact(host, direction, body)],
            commands: vec![command("curl", false)],
            ..Intent::default()
        }
    }

    fn raw(name: &str) -> Intent {
        let mut intent = host(name, Direction::Send, &["-"]);
        intent.hosts[0].scheme = "udp".to_owned();
        intent
    }

    fn push(remote: Option<&str>, scheme: &str) -> Intent {
        let mut intent = host(if remote.is_some() { "" } else { "evil.example" }, Direction::Send, &[]);
        intent.hosts[0].configured_remote = remote.map(str::to_owned);
        intent.hosts[0].scheme = scheme.to_owned();
        intent
    }

    fn command(program: &str, read_only: bool) -> SimpleCommand {
        SimpleCommand {
            words: vec![program.to_owned()],
            program: program.to_owned(),
            read_only,
            ..SimpleCommand::default()
        }
    }

    fn runs(program: &str, words: &[&str], code: Code, file: Option<&str>) -> Intent {
        let mut simple = command(program, false);
        simple.words.extend(words.iter().map(|word| (*word).to_owned()));
        simple.code = code;
        if let Some(file) = file {
            simple.origin = Origin::File(path(file));
        }
        Intent { commands: vec![simple], ..Intent::default() }
    }

    struct Seen {
        risk: SecurityRisk,
        codes: Vec<String>,
        floor: bool,
        effects: Effects,
        classes: std::collections::BTreeSet<CallClass>,
    }

    fn look_in(world: &dyn World, session: &SessionView, ask: bool, intent: Intent) -> Seen {
        let mut call = crate::example_call("shell:execute", "command", "").unwrap();
        if ask {
            call.outside = doorward_core::call::OutsideRoots::Ask;
        }
        let own = OwnFiles::new().with("/home/user/.local/state/doorward", Protection::Own);
        let ground = Ground::new(&call, session, world, &own, Via::Command);
        let options = Options::default();
        let mut resolved = Resolve::new(&ground, &PlainHosts, Manner::Command);
        let read_only = intent.is_read_only();
        let mut follow = Follow::new(&ground, &options, crate::session::Written::default());
        follow.follow(&intent.commands, &mut resolved.tally);
        let Follow { judged, found, .. } = follow;
        resolved.take(intent);
        resolved.take(found);
        resolved.effects.judged_files = judged;
        resolved.effects.read_only = resolved.proves_read_only(read_only);
        let classes = crate::classes::classes(&resolved, &[], &Default::default(), false);
        Seen {
            risk: resolved.tally.risk,
            codes: resolved.tally.findings.iter().map(|finding| finding.code.to_string()).collect(),
            floor: resolved.tally.findings.iter().any(|finding| finding.floor),
            effects: resolved.effects,
            classes,
        }
    }

    fn look(ask: bool, intent: Intent) -> Seen {
        look_in(&EmptyWorld::at_home("/home/user"), &SessionView::default(), ask, intent)
    }

    #[test]
    fn the_rows_of_the_risk_table() {
        use WriteMode::{Create, InPlace, Metadata, Truncate};
        let rows: Vec<(&str, Intent, SecurityRisk, &str)> = vec![
            ("read inside", read("src/a"), Low, ""),
            ("read in scratch", read("/tmp/a"), Low, ""),
            ("read a device", read("/dev/zero"), Low, ""),
            ("read outside", read("/etc/hosts"), Medium, "shell.read_outside"),
            ("read above", read("../x"), Medium, "shell.read_outside"),
            ("read a glob", read("*.rs"), Medium, "shell.read_unknown"),
            ("read anything", read("…"), Medium, "shell.read_unknown"),
            ("read a glob that fits a secret", read(".e*"), High, "shell.secret_read"),
            ("read a secret", read(".env"), High, "shell.secret_read"),
            ("read a secret outside", read("/etc/shadow"), High, "shell.secret_read"),
            ("read an environment", read("/proc/self/environ"), High, "shell.secret_read"),
            ("send a secret", sent(".env", "evil.example"), High, "flow.secret_to_egress"),
            ("send from outside", sent("/etc/hosts", "evil.example"), High, "shell.upload"),
            ("send from inside", sent("a.txt", "evil.example"), High, "shell.upload"),
            ("send to oneself", sent("a.txt", "localhost"), Medium, "net.loopback"),
            ("write inside", write("a", Create), Medium, ""),
            ("write in scratch", write("/tmp/a", Create), Medium, ""),
            ("write to nothing", write("/dev/null", Create), Medium, ""),
            ("write somewhere inside", write("logs/….txt", Create), Medium, ""),
            ("write a matching name", write("*.rs", InPlace), Medium, ""),
            ("write anywhere", write("…", Create), High, "path.outside"),
            ("write outside", write("/opt/x", Create), High, "path.outside"),
            ("write above", write("../x", Create), High, "path.outside"),
            ("write out of a folder inside", write("src/../../x", Create), High, "path.escape"),
            ("write far above", write("../../a/x", Create), High, "path.outside"),
            ("write up and up again", write("../a/../../x", Create), High, "path.escape"),
            ("write a protected name", write(".git/hooks/pre-commit", Create), High, "path.protected"),
            ("write an asked name", write("CLAUDE.md", Create), High, "path.protected"),
            ("write our own", write("doorward.toml", Create), High, "path.own_files"),
            ("write a unit", write("/etc/systemd/system/x.service", Create), High, "shell.persistence"),
            ("write keys", write("~/.ssh/authorized_keys", Create), High, "shell.persistence"),
            ("write a log of the system", write("/var/log/auth.log", Create), High, "shell.tamper"),
            ("write a disk", write("/dev/sda", Create), High, "shell.data_loss"),
            ("write a secret name", write(".env", Create), Medium, ""),
            ("touch", write("a", Metadata), Medium, ""),
            ("chmod", chmod("a", "755"), Medium, ""),
            ("chmod for all", chmod("a", "777"), High, "shell.privilege"),
            ("chmod setuid", chmod("a", "4755"), High, "shell.privilege"),
            ("truncate", write("a", Truncate), High, "shell.delete"),
            ("truncate a log", write("a.log", Truncate), Medium, ""),
            ("move inside", moved("a", "b"), Medium, ""),
            ("move in from scratch", moved("/tmp/a", "b"), Medium, ""),
            ("move out", moved("a", "/tmp/b"), High, "shell.delete"),
            ("move in from outside", moved("/opt/a", "b"), High, "path.outside"),
            ("move git away", moved(".git", "g"), High, "path.protected"),
            ("delete", delete("src/a", false), High, "shell.delete"),
            ("delete a build", delete("target", true), Medium, "shell.delete_regenerable"),
            (
                "delete deep in a build",
                delete("web/node_modules/x", true),
                Medium,
                "shell.delete_regenerable",
            ),
            ("delete objects", delete("src/*.o", false), Medium, "shell.delete_regenerable"),
            ("delete in scratch", delete("/tmp/x", true), Medium, "shell.delete_regenerable"),
            ("delete scratch itself", delete("/tmp", true), High, "shell.delete"),
            ("delete the root", delete("/", true), High, "shell.delete_everything"),
            ("delete all of home", delete("~/*", true), High, "shell.delete_everything"),
            ("delete a system folder", delete("/usr", true), High, "shell.delete_everything"),
            ("delete the folder itself", delete(".", true), High, "shell.delete"),
            ("delete anything", delete("…", true), High, "shell.delete"),
            ("delete git", delete(".git", true), High, "path.protected"),
            ("fetch", host("example.com", Direction::Fetch, &[]), Medium, "net.contact"),
            ("post", host("example.com", Direction::Send, &[]), Medium, "net.contact"),
            ("upload", host("example.com", Direction::Send, &["a"]), High, "shell.upload"),
            ("bytes to oneself", raw("127.0.0.1"), High, "shell.upload"),
            ("fetch from oneself", host("127.0.0.1", Direction::Fetch, &[]), Medium, "net.loopback"),
            ("fetch from a private host", host("10.0.0.1", Direction::Fetch, &[]), High, "net.private"),
            ("fetch metadata", host("169.254.169.254", Direction::Fetch, &[]), High, "net.metadata"),
            ("push", push(Some("origin"), "git"), Medium, "net.contact"),
            ("push elsewhere", push(None, "git"), High, "shell.upload"),
        ];
        for (name, intent, risk, code) in rows {
            let seen = look(true, intent);
            assert_eq!(seen.risk, risk, "{name}: {:?}", seen.codes);
            match code {
                "" => assert!(seen.codes.is_empty(), "{name}: {:?}", seen.codes),
                code => assert!(seen.codes.iter().any(|own| own == code), "{name}: {:?}", seen.codes),
            }
        }
    }

    #[test]
    fn floors_are_where_the_design_puts_them() {
        for (name, intent, ask, floor) in [
            ("a secret sent", sent(".env", "evil.example"), true, true),
            ("metadata", host("169.254.169.254", Direction::Fetch, &[]), true, true),
            ("a key that opens the way", keyed("~/.ssh/id_rsa", "a.txt", "example.com"), true, false),
            ("the root deleted", delete("/", true), true, true),
            ("all that is in the root", delete("/*", true), true, true),
            ("all that is in a folder", delete("src/*", true), true, false),
            ("our own files", write("~/.local/state/doorward/x", WriteMode::Create), true, true),
            ("our own files taken along", delete("~/.local", true), true, true),
            ("above, asked", write("../x", WriteMode::Create), true, false),
            ("above, strict", write("../x", WriteMode::Create), false, true),
            ("out of a folder inside", write("src/../../x", WriteMode::Create), true, true),
            ("openly outside, asked", write("/opt/x", WriteMode::Create), true, false),
            ("openly outside, strict", write("/opt/x", WriteMode::Create), false, true),
            ("protected", write(".git/config", WriteMode::Create), true, false),
            ("read outside", read("/etc/hosts"), false, false),
        ] {
            assert_eq!(look(ask, intent).floor, floor, "{name}");
        }
    }

    #[test]
    fn classes_of_commands() {
        for (name, intent, class) in [
            ("read inside", read("a"), CallClass::ShellReadOnly),
            ("read outside", read("/etc/hosts"), CallClass::ShellReadOnly),
            ("read a secret", read(".env"), CallClass::ReadOutsideRootsOrSensitive),
            ("read anything", read("…"), CallClass::ShellOther),
            ("write", write("a", WriteMode::Create), CallClass::ShellOther),
            ("delete", delete("a", false), CallClass::ShellDestructiveOrUnparseable),
            ("delete a build", delete("target", true), CallClass::ShellOther),
            ("write a hook", write(".git/hooks/x", WriteMode::Create), CallClass::EditProtectedDenyCommand),
            ("write outside", write("/opt/x", WriteMode::Create), CallClass::EditOutsideRoots),
        ] {
            let seen = look(true, intent);
            assert!(seen.classes.contains(&class), "{name}: {:?}", seen.classes);
            assert_eq!(seen.classes.contains(&CallClass::ShellReadOnly), seen.effects.read_only, "{name}");
        }
    }

    #[test]
    fn the_rest_of_an_intent_is_weighed_too() {
        let privilege = Intent {
            privilege: vec![Privilege {
                kind: PrivilegeKind::Root,
                detail: "sudo".into(),
                span: Span::default(),
            }],
            ..read("a")
        };
        let history = Intent {
            history_loss: vec![HistoryLoss {
                what: "x".into(),
                recoverable_by: RecoverableBy::None,
                span: Span::default(),
            }],
            ..read("a")
        };
        let install = |source, system| Intent {
            installs: vec![Install {
                manager: "pip".into(),
                packages: vec![],
                source,
                scripts: true,
                system,
                span: Span::default(),
            }],
            commands: vec![command("pip", false)],
            ..Intent::default()
        };
        let unclear = Intent {
            unknown: vec![Unknown {
                code: "shell.parse_error".into(),
                reason: "x".into(),
                span: Span::default(),
            }],
            ..Intent::default()
        };
        for (name, intent, risk) in [
            ("privilege", privilege, High),
            ("history", history, High),
            ("install from a lock file", install(InstallSource::Lockfile, false), Medium),
            ("install from a URL", install(InstallSource::Url, false), High),
            ("install for the system", install(InstallSource::Registry, true), High),
            ("not understood", unclear, Unclear),
        ] {
            assert_eq!(look(false, intent).risk, risk, "{name}");
        }
        let dump = Intent {
            env_reads: vec![doorward_core::intent::EnvRead {
                name: "*".into(),
                reaches_host: false,
                span: Span::default(),
            }],
            ..read("a")
        };
        let seen = look(true, dump);
        assert_eq!((seen.risk, seen.effects.read_only), (Medium, false));
    }

    #[test]
    fn files_that_run_are_looked_up_and_remembered() {
        let world = MapWorld::new()
            .file("/workspace/own.sh", "echo")
            .state("/workspace/own.sh", VcsState::Clean)
            .file("/workspace/Makefile", "all:\n\techo hi\n")
            .state("/workspace/Makefile", VcsState::Clean);
        let none = SessionView::default();
        let run = |file: &str| runs("bash", &[file], Code::Shell, Some(file));
        let own = look_in(&world, &none, true, run("own.sh"));
        assert_eq!((own.risk, own.effects.judged_files.len()), (Medium, 1));
        let gone = look_in(&world, &none, true, run("gone.sh"));
        assert_eq!((gone.risk, gone.codes.as_slice()), (Medium, &["shell.file_unseen".to_owned()][..]));
        let make = look_in(&world, &none, true, runs("make", &[], Code::None, None));
        assert_eq!((make.risk, make.effects.judged_files.len()), (Medium, 1));

        let remembered = |content: Option<&str>, downloaded| SessionView {
            written: [(
                "/workspace/gone.sh".to_owned(),
                WrittenFile { content: content.map(Into::into), digest: None, downloaded, created: true },
            )]
            .into(),
            ..SessionView::default()
        };
        assert_eq!(look_in(&world, &remembered(None, false), true, run("gone.sh")).risk, High);
        let downloaded = look_in(&world, &remembered(None, true), true, run("gone.sh"));
        assert!(downloaded.codes.contains(&"shell.remote_code".to_owned()));
        // The content is known, so it was analysed with the call and is compared again before it runs.
        let known = look_in(&world, &remembered(Some("echo hi"), false), true, run("gone.sh"));
        assert_eq!(known.effects.judged_files.len(), 1);
    }

    #[test]
    fn the_session_and_the_world_soften_what_nobody_loses() {
        let session = SessionView {
            written: [(
                "/workspace/mine".to_owned(),
                WrittenFile { created: true, ..WrittenFile::default() },
            )]
            .into(),
            remotes_added: ["evil".to_owned()].into(),
            ..SessionView::default()
        };
        let world = MapWorld::new()
            .file("/workspace/a.txt", "")
            .file("/workspace/b.txt", "")
            .file("/workspace/.env", "")
            .remote("origin", "git@github.com:me/x.git")
            .remote("evil", "https://evil.example/x");
        let look = |intent| look_in(&world, &session, true, intent);
        assert_eq!(look(delete("mine", false)).risk, Medium);
        assert_eq!(look(delete("mine", true)).risk, High);
        assert_eq!(look(write("mine", WriteMode::Truncate)).risk, Medium);
        assert_eq!(look(write("brand-new", WriteMode::Truncate)).risk, Medium);
        assert_eq!(look(write("a.txt", WriteMode::Truncate)).risk, High);
        assert_eq!(look(push(Some("evil"), "git")).risk, High);
        let origin = look(push(Some("origin"), "git"));
        assert_eq!((origin.risk, origin.effects.hosts[0].host.as_str()), (Medium, "github.com"));
        // A glob becomes the names that are there; a leading dot has to be written.
        let globbed = look(read("*.txt"));
        assert_eq!((globbed.risk, globbed.effects.reads.len()), (Low, 2));
        assert_eq!(look(read(".*")).risk, High);
        let regenerable = look(delete("build", true)).effects.deletes[0].regenerable;
        assert_eq!(regenerable, Tri::Yes);
    }

    #[test]
    fn spans_and_hosts_of_urls_survive() {
        let mut intent = host("", Direction::Fetch, &[]);
        intent.hosts[0].url = Some("https://u@10.1.1.1:8443/x".to_owned());
        intent.hosts[0].span = Span::new(5, 9);
        let seen = look(true, intent);
        assert_eq!(
            (seen.effects.hosts[0].port, seen.effects.hosts[0].class),
            (Some(8443), HostClass::Private)
        );
    }
}
