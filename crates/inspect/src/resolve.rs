//! Intent to effects: every item placed in the world, weighed by its table, kept with the span it came from.

use std::collections::BTreeSet;

use doorward_core::effect::{DeleteEffect, Effects, Protection, ReadEffect, Scope, Tri, WriteEffect};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{
    Below, Certainty, DeleteIntent, Form, HistoryLoss, Intent, Mention, MentionKind, Operand, Origin,
    ReadIntent, Span, Unknown, WriteIntent, WriteMode,
};
use doorward_core::risk::SecurityRisk;
use doorward_core::world::FileKind;

use crate::hosts::Hosts;
use crate::own::Walk;
use crate::place::{CallContext, PlacedPath, Use, Via, share_a_place};
use crate::risk::{DELETES, Delete, INSTALLS, Packages, READS, Read, Tally, WRITES, Write};
use crate::session::remote_added;
use crate::tools::CallKind;

mod amount;
mod bounds;
mod history;
mod hosts;
mod replaced;

use replaced::Spoken;

/// Names a glob is expanded to; beyond, it is judged as a pattern.
const GLOB_LIMIT: usize = 64;
/// Changed files that are looked at.
const MOST_CHANGED: usize = 256;
/// Files that a sentence names before it says "and more".
const SHOWN_FILES: usize = 3;
/// Files and folders of a `git clean` that are judged one by one; more are judged as the folder.
const MOST_CLEANED: usize = 64;
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
    pub(crate) ground: &'g CallContext<'a>,
    pub(crate) hosts: &'g Hosts,
    pub(crate) manner: CallKind,
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
    /// Where the commands stand that do more than read.
    acts: Vec<Span>,
    /// The commands, for what their writes lose.
    spoken: Vec<Spoken>,
    /// What the deletes took so far.
    taken: amount::Taken,
    /// The call makes a link or a mount.
    links: bool,
    /// Where the call moves what nobody makes again, and where it says so.
    moved: Vec<(String, Span)>,
    /// Folders that are read with what is below them.
    pub(crate) walks: Vec<Walk>,
}

impl<'g, 'a> Resolve<'g, 'a> {
    pub(crate) fn new(ground: &'g CallContext<'a>, hosts: &'g Hosts, manner: CallKind) -> Self {
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
            acts: Vec::new(),
            spoken: Vec::new(),
            taken: amount::Taken::default(),
            links: false,
            moved: Vec::new(),
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
        self.looked_at(&intent.reads, |read| &read.path).into_iter().for_each(|read| self.read(read));
        self.spoken = intent.commands.iter().map(Spoken::of).collect();
        self.looked_at(&intent.writes, |write| &write.path).into_iter().for_each(|write| self.write(write));
        self.handed_over(&intent);
        self.links |= intent.commands.iter().any(|command| gone::makes_links(&command.program));
        self.acts = intent.commands.iter().filter(|command| !command.read_only).map(|it| it.span).collect();
        for delete in self.looked_at(&intent.deletes, |delete| &delete.path) {
            match self.untracked(delete) {
                Some(listed) => listed.iter().for_each(|delete| self.delete(delete)),
                None => self.delete(delete),
            }
        }
        for read in &intent.env_reads {
            self.environment(&read.name, read.reaches_host, read.span);
        }
        for privilege in &intent.privilege {
            self.tally.tell(Finding::new("shell.privilege", privilege.detail.clone()).at(privilege.span));
        }
        let history_loss: Vec<HistoryLoss> =
            intent.history_loss.into_iter().filter_map(|loss| self.looked_up(loss)).collect();
        for loss in &history_loss {
            let mut finding =
                Finding::new("shell.history_loss", format!("loses {}", loss.what)).at(loss.span);
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
            let (code, what) = match command.origin {
                Origin::Network => ("shell.remote_code", "runs code from the network"),
                Origin::Generated => ("shell.generated_code", "runs code that is only known when it runs"),
                Origin::Literal | Origin::File(_) => continue,
            };
            let known =
                !command.program.is_empty() && !command.program.contains(|c: char| !c.is_ascii_graphic());
            let with = if known { format!(" with {}", command.program) } else { String::new() };
            self.tally.tell(Finding::new(code, format!("{what}{with}")).at(command.span));
        }
        for finding in intent.findings {
            self.destructive |= is_destructive(&finding.code);
            self.tally.tell(finding);
        }
        self.effects.executes.extend(intent.commands);
        self.effects.connectors.extend(intent.connectors);
        self.effects.privilege.extend(intent.privilege);
        self.effects.history_loss.extend(history_loss);
        self.effects.installs.extend(intent.installs);
        self.effects.unknown.extend(intent.unknown);
        self.effects.network |= !self.effects.hosts.is_empty();
    }

    /// What a program may write although nobody says so: of the paths that it is given, Doorward's own files and,
    /// outside the roots, what other programs obey; inside them what clients obey, for a program that nobody described.
    fn handed_over(&mut self, intent: &Intent) {
        // `source FILE` says what the file is for.
        let runs = |mention: &Mention| {
            intent.commands.iter().any(|command| {
                let is_here = command.span.start <= mention.path.span.start
                    && mention.path.span.end <= command.span.end;
                is_here && matches!(&command.origin, Origin::File(own) if own.text == mention.path.text)
            })
        };
        let written = intent
            .mentions
            .iter()
            .filter(|mention| mention.kind != MentionKind::Arithmetic && !runs(mention));
        for mention in written.take(GLOB_LIMIT) {
            let place = self.ground.place(&mention.path, Use::Write);
            let outside = matches!(place.scope, Scope::Outside | Scope::Escape)
                && (place.protection.is_some() || crate::risk::decides_later(&place.path, place.secret));
            let may_matter = match place.protection {
                Some(Protection::Own) => true,
                Some(Protection::Deny) if mention.kind == MentionKind::Unlisted => true,
                _ => outside,
            };
            if may_matter {
                self.write(&WriteIntent {
                    path: Operand { certainty: Certainty::May, ..mention.path.clone() },
                    mode: WriteMode::InPlace,
                    content: None,
                    downloaded: false,
                    chmod: None,
                    moved_from: None,
                    redirected: false,
                });
            }
        }
    }

    /// An operand as what it stands for: itself, or the names that its pattern matches.
    fn places(&self, operand: &Operand, what: Use) -> Vec<(PlacedPath, Form)> {
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
    fn walks_secrets(&self, read: &ReadIntent, place: &PlacedPath) -> bool {
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
    fn walked(&mut self, read: &ReadIntent, place: &PlacedPath) {
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
        for (mut place, form) in self.places(&write.path, Use::Write) {
            let span = write.path.span;
            if place.scope != Scope::Inside {
                let filled = self.filled(write, &place);
                place.protection =
                    filled.into_iter().chain(place.protection).max_by_key(crate::place::strictness);
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
            if let Some(from) = &from
                && (!self.ground.is_made_again(from) || self.holds_moved(&from.path, span))
            {
                self.moved.push((self.ground.moved_to(&place.path, &from.path), span));
            }
            let moved_from_elsewhere = from
                .as_ref()
                .is_some_and(|from| matches!(from.scope, Scope::Outside | Scope::Escape | Scope::Forbidden));
            let replaced = self.replaced(write, &place, form);
            let takes_away = from.as_ref().filter(|from| self.taken_away(from, write));
            let case = Write {
                effect,
                replaces: replaced.is_some(),
                kept: self.is_kept(&place.path),
                takes_away: takes_away.is_some(),
                settings: form == Form::Literal && self.is_setting(write, &place.path),
                makes_folder: self.makes_folder(write),
                is_folder: self.ground.kind(&place.path) == Some(FileKind::Directory),
                secret: place.secret || place.maybe_secret,
                forbidden: place.forbidden.is_some(),
                via: self.ground.via,
                chmod: write.chmod.as_deref().and_then(|bits| u32::from_str_radix(bits, 8).ok()),
                moved_from_inside: from.as_ref().is_some_and(|from| from.scope == Scope::Inside),
                moved_from_elsewhere,
                new: form == Form::Literal
                    && (self.ground.is_new(&place.path) || self.ground.is_own_work(&place.path)),
                disposable: place.path.ends_with(".log") || place.path.ends_with(".tmp"),
            };
            let what = replaced.as_ref().or(takes_away.map(|from| &from.path)).unwrap_or(&place.path);
            let before = self.tally.findings.len();
            self.tally.weigh(WRITES, &case, what, span, place.forbidden);
            self.explain_protection(&place.path, before);
            self.destructive |= replaced.is_some() || takes_away.is_some();
            self.kind(&place, false, span);
            self.effects.writes.push(case.effect);
        }
        if let Some(from) = &write.moved_from {
            self.moved_away(from, write.mode);
        }
    }

    /// A move takes the old name away: a protected one may not go, wherever it goes to.
    fn moved_away(&mut self, from: &Operand, mode: WriteMode) {
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
                mode,
                protection: Some(class),
                redirected: false,
                certainty: from.certainty,
                span: from.span,
            });
        } else if place.secret {
            let code = if self.ground.via == Via::Argument { "path.secret" } else { "shell.secret_read" };
            self.tally
                .tell(Finding::new(code, format!("`{}`: moved to another name", place.path)).at(from.span));
        }
    }

    /// Whether the user's own work was moved to this path before a word of the call.
    fn holds_moved(&self, path: &str, word: Span) -> bool {
        let before = |span: &Span| span.start <= word.start;
        let here = |(moved, span): &(String, Span)| before(span) && share_a_place(moved, path);
        self.moved.iter().any(here) || self.ground.holds_moved(path)
    }

    /// Whether nothing is there to delete: the path is missing now, and no command before this one makes anything.
    /// A later one could only bring the user's own work there, for the next turn of a loop, by moving it.
    fn is_missing(&self, delete: &DeleteIntent, path: &str) -> bool {
        let word = delete.path.span;
        // What a script does has the span of the command that runs it, so its order isn't known.
        let later = |span: &Span| span.start > word.start && span != &Span::default();
        let around =
            |span: &Span| span.start <= word.start && word.end <= span.end && span != &Span::default();
        let absent = match delete.path.form {
            Form::Literal => self.ground.is_new(path) || self.holds_nothing(path),
            // A pattern that fits nothing, in a project that can be seen.
            Form::Glob => self.fits_nothing(&delete.path),
            Form::Unknown => false,
        };
        absent
            && delete.path.place == doorward_core::intent::Place::Local
            && self.moved.is_empty()
            && self.effects.writes.iter().all(|write| later(&write.span))
            && self.acts.iter().all(|act| later(act) || around(act))
    }

    fn delete(&mut self, delete: &DeleteIntent) {
        let local = delete.path.place == doorward_core::intent::Place::Local;
        let all_in_it = delete.path.form == Form::Glob && local && {
            let pattern = self.ground.place(&delete.path, Use::Delete).path;
            (pattern.ends_with("/*") || pattern.ends_with("/**")) && self.ground.is_everything(&pattern)
        };
        for (place, form) in self.places(&delete.path, Use::Delete) {
            let span = delete.path.span;
            // What was moved there is what it was, whatever its name is now.
            let moved = self.holds_moved(&place.path, span);
            let elsewhere = moved || self.may_lead_away(delete, &place.path);
            let by_build = if elsewhere { Tri::No } else { self.ground.regenerable(&place, form) };
            let in_version_control = self.ground.in_version_control(&place.path);
            let missing = !moved && self.is_missing(delete, &place.path);
            let comes_back = self.comes_back(delete, &place.path, in_version_control);
            let made = !moved && self.is_made_here(delete, &place.path);
            let own_work = made || self.ground.is_own_work(&place.path) && !moved;
            let nothing_lost = place.scope == Scope::Inside
                && place.protection.is_none()
                && (missing || comes_back || made || own_work && !delete.recursive);
            let regenerable = if nothing_lost { Tri::Yes } else { by_build };
            let effect = DeleteEffect {
                path: place.path.clone(),
                scope: place.scope,
                recursive: delete.recursive,
                force: delete.force,
                regenerable,
                in_version_control,
                protection: place.protection,
                certainty: delete.path.certainty,
                span,
            };
            let outside = matches!(place.scope, Scope::Outside | Scope::Unknown);
            let case = Delete {
                forbidden: place.forbidden.is_some(),
                harmless: delete.own && place.protection.is_none() || made && nothing_lost,
                missing: missing && nothing_lost,
                comes_back: comes_back && nothing_lost,
                by_build: by_build == Tri::Yes,
                own_work,
                everything: self.ground.is_everything(&place.path) && local,
                all_in_it,
                effect,
            };
            let before = self.tally.findings.len();
            self.tally.weigh(DELETES, &case, &place.path, span, place.forbidden);
            self.explain_protection(&place.path, before);
            self.irreversible(&case.effect, before);
            let is_loss = |finding: &Finding| matches!(&*finding.code, "shell.delete" | "path.protected");
            let lost = self.tally.findings.iter().skip(before).any(is_loss);
            if lost
                && local
                && let Some(finding) = self.great_loss(&place, form, delete.recursive)
            {
                self.tally.tell(finding.at(span));
            }
            if outside && !case.harmless && self.ground.via == Via::Argument {
                self.tally.tell(
                    Finding::new(
                        "path.outside",
                        format!("Deletes {}, which is outside your project.", place.path),
                    )
                    .at(span),
                );
            }
            let lost = !case.harmless && regenerable != Tri::Yes && place.scope != Scope::Scratch;
            self.destructive |= lost && (delete.recursive || !case.own_work);
            self.effects.recursive_delete |= delete.recursive && delete.force;
            self.effects.deletes.push(case.effect);
        }
    }

    /// A delete that is sure, and that version control is known to have no copy of.
    fn irreversible(&mut self, effect: &DeleteEffect, from: usize) {
        let lost = effect.certainty == Certainty::Exact && effect.in_version_control == Tri::No;
        for finding in self.tally.findings.iter_mut().skip(from) {
            if lost && finding.code == "shell.delete" && !self.ground.is_new(&effect.path) {
                finding.severity = Severity::Critical;
            }
        }
    }

    /// What only file tools care about: the kind of what is there.
    fn kind(&mut self, place: &PlacedPath, metadata: bool, span: Span) {
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
            self.environment_leaves(reaches_host, span);
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

mod gone;
#[cfg(test)]
mod tests;
