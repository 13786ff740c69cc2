//! A tool call resolved against the world: what it would do, what is worth telling, and how bad it could be.
//!
//! [`Inspector::inspect`] is the one stage that looks outside. It is synchronous and bounded, runs nothing,
//! contacts nobody, and what it can't see stays absent or UNKNOWN. It decides nothing: modes, policies and people
//! do, on the [`Inspected`] that comes out.
//!
//! ```
//! use std::sync::Arc;
//! use doorward_inspect::{EmptyWorld, Inspector};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
//! let call = doorward_inspect::example_call("fs:read", "path", "../secret")?;
//! let inspected = inspector.inspect(&call, &Default::default(), &Default::default());
//! assert!(inspected.findings.iter().any(|finding| finding.code == "path.escape" && finding.floor));
//! # Ok(())
//! # }
//! ```

mod arguments;
mod carrying;
mod classes;
mod copied;
mod covered;
mod egress;
mod git_runs;
mod hosts;
mod leaves;
mod loads;
mod outputs;
mod own;
mod picked;
mod place;
mod planted;
mod readable;
mod recipes;
mod redact;
mod relative;
mod resolve;
mod risk;
mod run;
mod seal;
mod secrets;
pub mod session;
mod tools;
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Root, RootAccess, Settlement, Surface, ToolCall, Workplace,
};
use doorward_core::effect::{Effects, HostClass, HostEffect, Inspected, SandboxFacts};
use doorward_core::finding::Finding;
use doorward_core::id::Digest;
use doorward_core::intent::Intent;
use doorward_core::json::{Object, Value};
use doorward_core::mode::CallClass;
use doorward_core::risk::SecurityRisk;
use doorward_core::session::{SessionView, WrittenFile};
use doorward_core::tool::{Client, ToolName, ToolNameError};
use doorward_core::world::{Unseen, VcsState, World};
use doorward_paths::OwnFiles;
use doorward_shell::programs::Tools;
use doorward_shell::{Folders, Options, Standing};

pub use covered::covered;
pub use hosts::Hosts;
pub use own::{OwnParts, STATE_NAMES};
pub use redact::{redacted, redacted_session};
pub use seal::same_commands;
pub use secrets::{NoSecrets, SecretFinder, SecretHit};
pub use session::{Deed, EGRESS, UNTRUSTED_CONTENT, Written, taints, written};
pub use world::{EmptyWorld, GivenFiles, LiveWorld, MapWorld};

#[cfg(target_os = "linux")]
pub use doorward_paths::scope_row;

use egress::Egress;
use place::{CallContext, Via};
use resolve::Resolve;
use run::Follow;
use tools::{CallKind, Said};

/// Names of a folder that patterns are compared with.
const MOST_NAMES: usize = 512;

/// Says of an MCP tool whether a trusted server declares it read-only.
pub type TrustedReads = Arc<dyn Fn(&ToolName) -> bool + Send + Sync>;

/// Inspects calls. Cheap to share; holds no state of a call.
#[derive(Clone)]
pub struct Inspector {
    world: Arc<dyn World>,
    hosts: Arc<Hosts>,
    secrets: Arc<dyn SecretFinder>,
    trusted_reads: TrustedReads,
    own: Arc<OwnFiles>,
    own_parts: Arc<dyn Fn() -> OwnParts + Send + Sync>,
    limits: Limits,
    tools: Tools,
}

/// How commands may be joined (`shell.structure`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structure {
    /// In any way.
    #[default]
    Any,
    /// Only by pipes.
    Pipeline,
    /// Not at all.
    Single,
}

/// What the configuration forbids beside the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// How commands may be joined.
    pub structure: Structure,
    /// Paths in arguments, commands and code may neither be absolute nor hold `..`.
    pub relative_only: bool,
    /// The literal reading: every delete and every command that isn't proved to read only is HIGH.
    pub strict: bool,
}

impl std::fmt::Debug for Inspector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspector").field("own", &self.own).finish_non_exhaustive()
    }
}

impl Inspector {
    /// Over a world, with hosts judged as without settings, no detector of secrets, nothing of ours to protect and no
    /// trusted server.
    #[must_use]
    pub fn new(world: Arc<dyn World>) -> Self {
        Self {
            world,
            hosts: Arc::new(Hosts::default()),
            secrets: Arc::new(NoSecrets),
            trusted_reads: Arc::new(|_| false),
            own: Arc::default(),
            own_parts: Arc::new(OwnParts::default),
            limits: Limits::default(),
            tools: Tools::default(),
        }
    }

    /// With a policy of hosts.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Arc<Hosts>) -> Self {
        self.hosts = hosts;
        self
    }

    /// With a detector of secrets.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Arc<dyn SecretFinder>) -> Self {
        self.secrets = secrets;
        self
    }

    /// With what else belongs to Doorward: asked at every call, because a service learns its port late.
    #[must_use]
    pub fn with_own_parts(mut self, parts: Arc<dyn Fn() -> OwnParts + Send + Sync>) -> Self {
        self.own_parts = parts;
        self
    }

    /// With Doorward's own files: state, configuration, hook entries.
    #[must_use]
    pub fn with_own_files(mut self, own: OwnFiles) -> Self {
        self.own = Arc::new(own);
        self
    }

    /// With what trusted servers declare of their tools.
    #[must_use]
    pub fn with_trusted_reads(mut self, trusted: TrustedReads) -> Self {
        self.trusted_reads = trusted;
        self
    }

    /// With programs that the user, the administrator or the project described.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }

    /// With what the configuration forbids.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// As [`Inspector::take`], of copies.
    #[must_use]
    pub fn inspect(&self, call: &ToolCall, session: &SessionView, sandbox: &SandboxFacts) -> Inspected {
        self.take(call.clone(), Arc::new(session.clone()), sandbox)
    }

    /// Resolves a call, which the result owns.
    #[must_use]
    pub fn take(&self, call: ToolCall, session: Arc<SessionView>, sandbox: &SandboxFacts) -> Inspected {
        let Found { effects, mut findings, risk, score, classes } = self.look(&call, &session, sandbox);
        let session_digest = session.digest().unwrap_or_else(|error| {
            // What can't be named in the record can't be judged on.
            let why = format!("what the session did has no digest: {error}");
            findings.push(risk::floor(Finding::new("internal.digest", why)));
            Digest::of(b"")
        });
        Inspected {
            args_digest: call.args_digest(),
            call,
            effects,
            findings,
            risk,
            score,
            classes,
            session,
            session_digest,
            sandbox: sandbox.clone(),
            now: self.world.now(),
        }
    }

    fn look(&self, call: &ToolCall, session: &SessionView, sandbox: &SandboxFacts) -> Found {
        let (standing, work_tree) = (|path: &str| self.standing(path), |folder: &str| self.work_tree(folder));
        let folders = Folders::known_by(&standing).in_repositories(&work_tree);
        let options = self.options(call, session, folders);
        let Said { manner, intent, runs, mut marks } = tools::say(call, &options);
        marks.retain(|mark| !self.is_there(mark.unless_there.as_deref(), call));
        let via =
            if matches!(manner, CallKind::Command | CallKind::Code) { Via::Command } else { Via::Argument };
        let ground = CallContext::new(call, session, self.world.as_ref(), &self.own, via);
        let ground = if manner == CallKind::Unknown { ground.doubtful() } else { ground };
        let spoken = (!runs.is_empty())
            .then(|| CallContext::new(call, session, self.world.as_ref(), &self.own, Via::Command));
        let mut resolved = Resolve::new(&ground, self.hosts.as_ref(), manner);

        let read_only = intent.is_read_only() || says_nothing(&intent);
        // What the call itself writes is there when it runs.
        let own = written(&intent, &call.cwd, session);
        let mut follow = Follow::new(&ground, &options, self.hosts.as_ref(), own);
        follow.follow(&intent, &mut resolved.tally);
        let Follow { judged, found, .. } = follow;
        let nothing_else = says_nothing(&found) || found.is_read_only();
        let planted = self.planted(manner, call, &intent, &ground, &options);
        let said = || std::iter::once(&intent).chain(runs.iter().map(|(run, _)| run));
        let not_relative = self.limits.relative_only.then(|| relative::refused(said())).flatten();
        resolved.take(intent);
        resolved.take(found);
        planted.into_iter().for_each(|finding| resolved.tally.tell(finding));
        resolved.effects.judged_files = judged;
        if let Some(spoken) = &spoken {
            leaves::take_runs(&mut resolved, spoken, &options, runs);
        }
        if manner == CallKind::Mcp {
            leaves::hold(&mut resolved.tally);
        }
        for mark in &marks {
            resolved.tally.tell(tools::finding_of(mark));
        }
        let arguments::Checked { broken, unchecked } = arguments::check(call);
        broken.into_iter().for_each(|finding| resolved.tally.tell(finding));
        self.secrets(manner, call, &mut resolved);
        combination(call, manner, session, &mut resolved);
        manner_findings(manner, sandbox, &mut resolved);
        resolved.effects.read_only = match manner {
            CallKind::Command | CallKind::Code => resolved.proves_read_only(read_only && nothing_else),
            _ => {
                resolved.effects.writes.is_empty()
                    && resolved.effects.deletes.is_empty()
                    && manner == CallKind::Files
            }
        };
        self.limit(manner, &mut resolved);
        not_relative.into_iter().for_each(|finding| resolved.tally.tell(finding));
        resolved.name_undecidable();
        self.protect_itself(manner, call, &mut resolved);
        let trusted = manner == CallKind::Mcp && (call.declared_reading || (self.trusted_reads)(&call.tool));
        if manner == CallKind::Mcp && !trusted {
            let sent = leaves::sends_away(call, &resolved.effects);
            leaves::order(call).into_iter().chain(sent).for_each(|finding| resolved.tally.tell(finding));
        }
        let classes = classes::classes(&resolved, &marks, sandbox, trusted);
        let score = resolved.tally.score();
        // A note, which weighs nothing.
        resolved.tally.findings.extend(unchecked);
        name_missing_roots(call, &mut resolved.tally.findings);
        Found {
            risk: resolved.tally.risk,
            findings: resolved.tally.findings,
            effects: resolved.effects,
            score,
            classes,
        }
    }

    /// Files that a command line writes with a dangerous command in them, and uses.
    fn planted(
        &self,
        manner: CallKind,
        call: &ToolCall,
        intent: &Intent,
        ground: &CallContext<'_>,
        options: &Options<'_>,
    ) -> Vec<Finding> {
        let Some(text) = call.arg("command").filter(|_| manner == CallKind::Command) else {
            return Vec::new();
        };
        let risk = |intent: Intent| {
            let mut resolved = Resolve::new(ground, self.hosts.as_ref(), manner);
            resolved.take(intent);
            resolved.tally.risk
        };
        planted::findings(text, intent, options, &risk)
    }

    /// What an admitted call leaves in the session: content it writes, remotes it adds.
    #[must_use]
    pub fn writes_of(&self, call: &ToolCall, session: &SessionView) -> Written {
        let (standing, work_tree) = (|path: &str| self.standing(path), |folder: &str| self.work_tree(folder));
        let folders = Folders::known_by(&standing).in_repositories(&work_tree);
        let mut said = tools::say(call, &self.options(call, session, folders));
        for (run, _) in std::mem::take(&mut said.runs) {
            said.intent.absorb(run, doorward_core::Span::default());
        }
        let mut written = written(&said.intent, &call.cwd, session);
        if let [(path, file)] = written.files.as_mut_slice()
            && file.content.is_none()
            && let Some(text) = self.edited(call, path)
        {
            file.digest = Some(Digest::of(text.as_bytes()));
            file.content = Some(text.into());
        }
        self.name_moved(call, session, &said.intent, &mut written);
        for (path, file) in &mut written.files {
            let earlier = session.written.get(path);
            file.moved |= earlier.is_some_and(|earlier| earlier.moved);
            file.created = earlier.is_some_and(|earlier| earlier.created)
                || self.world.kind(path) == Err(Unseen::Missing);
            file.from_clean = match earlier {
                Some(earlier) => earlier.from_clean,
                None => self.world.vcs(path) == Ok(VcsState::Clean),
            };
        }
        written
    }

    /// Says of each file that was moved whether it is something of the user's, and where it lies now.
    fn name_moved(&self, call: &ToolCall, session: &SessionView, intent: &Intent, written: &mut Written) {
        let ground = CallContext::new(call, session, self.world.as_ref(), &self.own, Via::Command);
        for write in &intent.writes {
            let Some(from) = &write.moved_from else { continue };
            let from = ground.place(from, place::Use::Delete);
            let to = ground.moved_to(&ground.place(&write.path, place::Use::Write).path, &from.path);
            if ground.is_made_again(&from) {
                continue;
            }
            match written.files.iter_mut().find(|(path, _)| *path == to) {
                Some((_, file)) => file.moved = true,
                None => written.files.push((to, WrittenFile { moved: true, ..WrittenFile::default() })),
            }
        }
    }

    /// What a file tool's edit makes of a file: one text in the place of another, which stands there once.
    fn edited(&self, call: &ToolCall, path: &str) -> Option<String> {
        const LONGEST: u64 = 64 << 10;
        let argument = |names: &[&str]| names.iter().find_map(|name| call.arg(name));
        let old = argument(&["old_string", "old_str"]).filter(|old| !old.is_empty())?;
        let new = argument(&["new_string", "new_str"])?;
        if call.tool.as_str() != "fs:write" {
            return None;
        }
        let text = self.world.read_text(path, LONGEST).ok()?;
        (text.matches(old).count() == 1).then(|| text.replacen(old, new, 1))
    }

    /// The last look before execution, on exactly what will run: the same simple commands as judged, the same
    /// content of files that were judged.
    ///
    /// # Errors
    /// The finding that forbids it.
    pub fn final_check(&self, inspected: &Inspected) -> Result<(), Finding> {
        seal::check(self, inspected)
    }

    /// The floor under Doorward itself.
    fn protect_itself(&self, manner: CallKind, call: &ToolCall, resolved: &mut Resolve<'_, '_>) {
        let home = self.world.home();
        let mut texts = Vec::new();
        call.args.values().for_each(|value| collect(value, &mut texts));
        let said = match manner {
            CallKind::Command => own::Said::Command(call.arg("command").unwrap_or_default()),
            CallKind::Code => own::Said::Code(call.arg("code").unwrap_or_default()),
            CallKind::Mcp | CallKind::Unknown => own::Said::Arguments(&texts),
            _ => own::Said::Nothing,
        };
        let parts = (self.own_parts)();
        if manner == CallKind::Files {
            resolved.walks.extend(own::searched(call, &resolved.effects));
        }
        let ground =
            own::OwnGround { own: &parts, files: self.own.as_ref(), home: home.as_deref(), call, said };
        let found = own::floor(ground, &resolved.effects, &resolved.walks);
        for question in own::questions(ground, &resolved.effects, &resolved.walks) {
            resolved.tally.tell(question);
        }
        if let Some(finding) = found {
            resolved.tally.tell(finding);
        }
    }

    /// Something of that very name is there, so nobody meant it to be expanded.
    fn is_there(&self, path: Option<&str>, call: &ToolCall) -> bool {
        path.is_some_and(|path| self.world.kind(&doorward_paths::lexical::join(&call.cwd, path)).is_ok())
    }

    fn limit(&self, manner: CallKind, resolved: &mut Resolve<'_, '_>) {
        use doorward_core::intent::Connector;
        let forbids = |connector: &Connector| match self.limits.structure {
            Structure::Any => false,
            Structure::Pipeline => *connector != Connector::Pipe,
            Structure::Single => true,
        };
        if let Some(connector) = resolved.effects.connectors.iter().find(|connector| forbids(connector)) {
            let message = format!("commands may not be joined by `{}` here", connector.as_str());
            resolved.tally.tell(risk::floor(Finding::new("shell.structure", message)));
        }
        let acts = !resolved.effects.deletes.is_empty()
            || (matches!(manner, CallKind::Command | CallKind::Code) && !resolved.effects.read_only);
        if self.limits.strict && acts {
            resolved.tally.risk = resolved.tally.risk.join(SecurityRisk::High);
        }
    }

    pub(crate) fn options<'w>(
        &self,
        call: &ToolCall,
        session: &SessionView,
        folders: Folders<'w>,
    ) -> Options<'w> {
        let has_pattern = call.arg("command").is_some_and(|text| text.contains(['*', '?', '[']));
        let mut names = match has_pattern {
            true => self.world.names(&call.cwd, MOST_NAMES + 1).unwrap_or_default(),
            false => Vec::new(),
        };
        if names.len() > MOST_NAMES {
            names.clear();
        }
        Options {
            home: self.world.home(),
            cwd: Some(call.cwd.clone()),
            names,
            files: files_of(session, call),
            tools: self.tools.clone(),
            folders,
            ..Options::default()
        }
    }

    /// What stands at an absolute path, for a `cd` and a `mkdir`.
    pub(crate) fn standing(&self, path: &str) -> Standing {
        match self.world.enters(path) {
            Ok(true) => Standing::Folder,
            Err(Unseen::Missing) => Standing::Nothing,
            Ok(false) | Err(_) => Standing::Unknown,
        }
    }

    /// The top folder of the repository around a folder, unless the repository's own settings name another.
    pub(crate) fn work_tree(&self, folder: &str) -> Option<String> {
        let settings = self.world.git_settings(folder).ok()?;
        let is_elsewhere = settings.iter().any(|setting| setting.key.eq_ignore_ascii_case("core.worktree"));
        settings.into_iter().next().filter(|_| !is_elsewhere).map(|setting| setting.work)
    }

    pub(crate) fn world(&self) -> &dyn World {
        self.world.as_ref()
    }

    /// Secrets that stand in the arguments: where they go decides.
    fn secrets(&self, manner: CallKind, call: &ToolCall, resolved: &mut Resolve<'_, '_>) {
        let mut texts = Vec::new();
        call.args.values().for_each(|value| collect(value, &mut texts));
        let single = texts.len() == 1 || call.tool.as_str() == "shell:execute";
        let mut found = Vec::new();
        for text in texts {
            let hits = self.secrets.find(text);
            let egress = (manner == CallKind::Command && !hits.is_empty())
                .then(|| Egress::new(text, &resolved.effects));
            for hit in hits {
                let fate = match &egress {
                    Some(egress) => egress.fate(&hit),
                    None => egress::fate_of_argument(&hit, &resolved.effects.hosts),
                };
                found.push((hit, fate));
            }
        }
        let leaves = |(hit, fate): &&(SecretHit, egress::Fate)| {
            matches!(fate, egress::Fate::Stays) && hit.severity >= doorward_core::finding::Severity::High
        };
        if manner == CallKind::Mcp
            && let Some((hit, _)) = found.iter().find(leaves)
            && let Some(finding) = leaves::passes_on(call, &hit.slug)
        {
            resolved.tally.tell(finding);
        }
        for (hit, fate) in found {
            let span = doorward_core::Span::new(hit.start, hit.end);
            for finding in egress::findings(&hit, fate) {
                resolved.tally.tell(if single { finding.at(span) } else { finding });
            }
        }
    }
}

/// Files of the session that the command's text names, by the names it could use.
fn files_of(session: &SessionView, call: &ToolCall) -> std::collections::BTreeMap<String, String> {
    let mut files = std::collections::BTreeMap::new();
    let text = call.arg("command").or_else(|| call.arg("code")).unwrap_or_default();
    for (path, file) in &session.written {
        let leaf = path.rsplit('/').next().unwrap_or(path);
        let Some(content) = file.content.as_ref().filter(|_| text.contains(leaf)) else { continue };
        if let Some(below) = doorward_paths::lexical::below(path, &call.cwd) {
            files.insert(below.to_owned(), content.to_string());
            files.insert(format!("./{below}"), content.to_string());
        }
        files.insert(path.clone(), content.to_string());
    }
    files
}

fn says_nothing(intent: &doorward_core::intent::Intent) -> bool {
    intent.commands.is_empty()
        && intent.writes.is_empty()
        && intent.deletes.is_empty()
        && intent.hosts.is_empty()
        && intent.privilege.is_empty()
        && intent.history_loss.is_empty()
        && intent.installs.is_empty()
        && intent.unknown.is_empty()
}

fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        _ => {}
    }
}

/// A secret read and a stranger contacted, in one session but not in one flow: one step up. Whether the call could carry
/// anything is told apart, for rules that ask about that alone.
fn combination(call: &ToolCall, kind: CallKind, session: &SessionView, resolved: &mut Resolve<'_, '_>) {
    let has_mark = |mark: &&str| session.taints.contains(*mark);
    let secret_before =
        !session.secrets_read.is_empty() || [session::SECRET_READ, session::ENV_DUMP].iter().any(has_mark);
    let read_before = secret_before || has_mark(&session::PRIVATE_READ);
    let reads_now = resolved.reads_secret();
    let contacts_now = resolved.effects.hosts.iter().any(is_stranger);
    let contacted_before = session.taints.contains(session::EGRESS);
    let flows = resolved.tally.findings.iter().any(|finding| finding.code == "flow.secret_to_egress");
    let both = (contacts_now && (read_before || reads_now)) || (reads_now && contacted_before);
    if both && !flows {
        let before = resolved.tally.risk;
        resolved.tally.step_up();
        let message = combined(session, contacts_now.then_some(resolved));
        let mut finding = Finding::new("flow.combination", message);
        if contacts_now {
            finding = finding.suggest(LET_PASS);
        }
        // The finding carries the step up, so that a question about it says why.
        finding.risk = Some(resolved.tally.risk).filter(|risk| *risk != before);
        resolved.tally.tell(finding);
        if contacts_now
            && (secret_before || reads_now)
            && carrying::could_carry(call, kind, &resolved.effects)
        {
            resolved.tally.tell(Finding::new("flow.could_carry", "it is more than a plain request"));
        }
    }
}

/// What a person can do about a question that is asked because a secret was read.
const LET_PASS: &str = "answer yes if you know this host, or list it in `allowed_hosts` of `[net]`";

/// What was read, when, and which host the call would contact.
fn combined(session: &SessionView, contacts: Option<&Resolve<'_, '_>>) -> String {
    let Some(resolved) = contacts else {
        return "reads a secret after this session contacted a host, which a later call could send it to"
            .to_owned();
    };
    let host =
        resolved.effects.hosts.iter().find(|host| is_stranger(host)).map_or("a host", |host| &host.host);
    // The first secret that was read; those read by this very call have no turn yet.
    let secret = match session.secret_turns.iter().min_by_key(|(_, turn)| **turn) {
        Some((secret, turn)) => format!("turn {turn} read {secret}"),
        None if resolved.reads_secret() => "it reads a secret itself".to_owned(),
        None if session.taints.contains(session::PRIVATE_READ) => {
            return format!("contacts {host} although this session read what your settings call private");
        }
        None => "this session read a secret".to_owned(),
    };
    format!("contacts {host} although {secret}, so the secret could leave with it")
}

fn is_stranger(host: &HostEffect) -> bool {
    !matches!(host.class, HostClass::Allowed | HostClass::Loopback)
}

/// What was found out about a call, before it joins the call.
struct Found {
    effects: Effects,
    findings: Vec<Finding>,
    risk: SecurityRisk,
    score: Option<u8>,
    classes: BTreeSet<CallClass>,
}

/// Says that a caller was given no folder at all, where that is why a path isn't inside one, and how it gets one.
fn name_missing_roots(call: &ToolCall, findings: &mut [Finding]) {
    if !call.roots.is_empty() {
        return;
    }
    let leads_out = |finding: &&mut Finding| matches!(&*finding.code, "path.escape" | "path.outside");
    for finding in findings.iter_mut().filter(leads_out) {
        for words in ["which leads out of your project", "which is outside your project"] {
            finding.message =
                finding.message.replace(words, "and this caller was given no folder to work in");
        }
        let caller = &call.principal.id;
        finding.suggestion = Some(match call.surface {
            Surface::Http => format!(
                "give the caller its folders in the settings: [paths] callers = {{ \"{caller}\" = [\"/its/folder\"] }}"
            ),
            _ => "name the folders in the call's roots".to_owned(),
        });
    }
}

/// What the kind of tool itself gives.
fn manner_findings(manner: CallKind, sandbox: &SandboxFacts, resolved: &mut Resolve<'_, '_>) {
    match manner {
        CallKind::Code if !sandbox.verified => {
            resolved.tally.tell(Finding::new("code.unsandboxed", "no verified sandbox runs this code"));
        }
        CallKind::Mcp | CallKind::Net => resolved.tally.risk = resolved.tally.risk.join(SecurityRisk::Medium),
        CallKind::LeavePlan => resolved.tally.risk = resolved.tally.risk.join(SecurityRisk::Medium),
        _ => {}
    }
    if manner == CallKind::Net {
        resolved.effects.network = true;
    }
}

/// A call for examples and tests: one text argument, root and working folder `/workspace`, strict.
///
/// # Errors
/// [`ToolNameError`] for a tool that can't be one.
pub fn example_call(tool: &str, argument: &str, text: &str) -> Result<ToolCall, ToolNameError> {
    let caller = Caller {
        principal: Principal { id: "user-123".to_owned(), groups: Vec::new() },
        session: "example".into(),
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Advised,
    };
    let workplace = Workplace {
        cwd: "/workspace".to_owned(),
        roots: vec![Root { path: "/workspace".to_owned(), access: RootAccess::Write }],
        outside: OutsideRoots::Strict,
    };
    let settlement = Settlement { mode: Default::default(), prompt: Default::default() };
    let args = Object::from([(argument.to_owned(), Value::String(text.to_owned()))]);
    Ok(ToolCall::new(caller, ToolName::new(tool)?, args, workplace, settlement))
}

/// Findings' codes, for tests and tables.
#[must_use]
pub fn codes(inspected: &Inspected) -> BTreeSet<String> {
    inspected.findings.iter().map(|finding| finding.code.to_string()).collect()
}
