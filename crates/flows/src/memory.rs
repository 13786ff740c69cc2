//! The memory of one session: what its calls did, which values it saw, and which files contain such values.
//!
//! A call is judged against finished and running calls ([`Memory::judge`]). The resulting step is added once the
//! call ran ([`Memory::ran`]), and its result is searched for values ([`Memory::returned`]). Everything is bounded;
//! no text of a secret or of other people is kept.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use doorward_core::effect::{Inspected, Scope};
use doorward_core::finding::{Finding, Severity};
use doorward_core::id::Digest;
use doorward_core::intent::WriteMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::CanonicalTool;

use crate::atoms;
use crate::facts::{self, Fact};
use crate::fingerprint::Key;
use crate::kind::Kind;
use crate::pieces::Piece;
use crate::prose::{self, Texts};
use crate::rules::{self, Carried, Seen};
use crate::score::{self, ScoreStage};
use crate::source::{Label, Source};
use crate::table::{Table, TableError, Then};
use crate::values::Values;

/// Limit on facts of one kind; the newest are kept.
pub(crate) const MOST_OF_A_KIND: usize = 64;
/// Limit on files whose origin is kept.
const MOST_MARKS: usize = 1_024;
/// Number of calls over which pieces of a secret add up.
const PIECES_OVER: u64 = 8;
const MOST_PIECES: usize = 256;
/// Limit on completed flows kept for display.
const MOST_FLOWS: usize = 64;
/// Limit on flows that a person allowed.
const MOST_ALLOWED: usize = 128;

/// A fact with its turn.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct TurnedFact {
    pub(crate) turn: u64,
    pub(crate) objects: Vec<Box<str>>,
    /// It surely happened, with no other call running: it may end a flow.
    #[serde(default)]
    pub(crate) ends: bool,
}

/// A completed flow: for findings, `sessions show` and the console.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CompletedFlow {
    /// The rule.
    pub rule: String,
    /// The finding's code.
    pub code: String,
    /// The consequence for the call.
    pub then: Then,
    /// The turn of the call that completes it.
    pub turn: u64,
    /// The last step, in words.
    pub says: String,
    /// Earlier steps, oldest first: turn, and what was done.
    pub path: Vec<(u64, String)>,
    /// The kind of its last step, which a person agrees to by allowing the flow.
    #[serde(default)]
    pub last: String,
    /// It is joined by an object or by order, so the same steps are the same flow again.
    #[serde(default)]
    pub repeats: bool,
    /// Digest of what a person agrees to by allowing the flow: the files that are run, or this exact call.
    #[serde(default)]
    pub act: String,
}

impl CompletedFlow {
    /// The key under which a person's approval of this flow applies again; `None` for flows joined by a value,
    /// which may differ each time.
    fn settled_as(&self) -> Option<String> {
        let first = self.path.first().map_or("", |(_, what)| what.as_str());
        let turn = self.path.first().map_or(0, |(turn, _)| *turn);
        (self.repeats && self.then == Then::Ask && !self.act.is_empty())
            .then(|| format!("{} {turn} {first} {} {}", self.rule, self.last, self.act))
    }

    /// One sentence: from where, to where, through which turns.
    #[must_use]
    pub fn sentence(&self) -> String {
        let path: Vec<String> = self.path.iter().map(|(turn, what)| format!("turn {turn} {what}")).collect();
        format!("{}: {}.", self.says, path.join(", then "))
    }
}

/// What a call adds to the memory when it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub(crate) turn: u64,
    facts: Vec<Fact>,
    pieces: Vec<Piece>,
    /// Files that contain values of these sources.
    pub(crate) marks: Vec<(String, u16)>,
    /// Names and addresses that the agent used, by fingerprint.
    pub(crate) used: Vec<u64>,
    /// Files whose whole content is replaced, so earlier origins no longer count.
    rewritten: Vec<String>,
    pub(crate) reads_secret: bool,
    flows: Vec<CompletedFlow>,
}

impl Step {
    pub(crate) fn facts(&self) -> &[Fact] {
        &self.facts
    }

    pub(crate) const fn turn(&self) -> u64 {
        self.turn
    }

    /// Applies `clean` to all objects, which masks secrets in them.
    pub fn clean(&mut self, clean: &dyn Fn(&str) -> String) {
        let facts = self.facts.iter_mut().flat_map(|fact| fact.objects.iter_mut());
        for object in facts {
            *object = Box::from(clean(object));
        }
        for flow in &mut self.flows {
            flow.says = clean(&flow.says);
        }
    }
}

/// The session's judgement of a call.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Findings, to be added to the call's own.
    pub findings: Vec<Finding>,
    /// Flows that this call completes.
    pub flows: Vec<CompletedFlow>,
    /// The staged intent score including this call.
    pub score: u16,
    /// Its stages, the heaviest first.
    pub stages: Vec<ScoreStage>,
    /// The memory's step if the call runs.
    pub step: Step,
}

/// The memory of one session.
#[derive(Debug, Clone)]
pub struct Memory {
    pub(crate) key: Arc<Key>,
    pub(crate) values: Values,
    pub(crate) events: BTreeMap<Kind, VecDeque<TurnedFact>>,
    pub(crate) marks: BTreeMap<String, Vec<u16>>,
    pub(crate) pieces: VecDeque<(u64, Piece)>,
    pub(crate) flows: VecDeque<CompletedFlow>,
    /// Flows that a person allowed, by [`CompletedFlow::settled_as`].
    pub(crate) allowed: BTreeSet<String>,
    /// The latest turn in this memory. Sessions of one workflow, and a resumed one, count their own turns from 1;
    /// the memory continues from this.
    pub(crate) newest: u64,
}

impl Memory {
    /// An empty memory.
    #[must_use]
    pub fn new(key: Arc<Key>) -> Self {
        Self {
            key,
            values: Values::default(),
            events: BTreeMap::new(),
            marks: BTreeMap::new(),
            pieces: VecDeque::new(),
            flows: VecDeque::new(),
            allowed: BTreeSet::new(),
            newest: 0,
        }
    }

    /// Flows that calls of this session completed, oldest first.
    pub fn flows(&self) -> impl Iterator<Item = &CompletedFlow> {
        self.flows.iter()
    }

    /// Origins of values, oldest first.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.values.sources()
    }

    /// The memory's approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let event =
            |event: &TurnedFact| 40 + event.objects.iter().map(|object| object.len() + 16).sum::<usize>();
        let events: usize = self.events.values().flatten().map(event).sum();
        let marks: usize = self.marks.iter().map(|(path, sources)| path.len() + 64 + sources.len() * 2).sum();
        self.values.bytes() + events + marks + self.pieces.len() * 16 + self.flows.len() * 256
    }

    /// Records the user's words: names in them are endorsed.
    pub fn said(&mut self, text: &str) {
        self.values.endorse(&self.key, text);
    }

    /// Judges a call. `pending` are steps of allowed calls that may still be running.
    ///
    /// # Errors
    /// [`TableError`] if the built-in table can't be read: then no call can be judged.
    pub fn judge(&self, inspected: &Inspected, pending: &[&Step]) -> Result<Judged, TableError> {
        let table = Table::shipped()?;
        Ok(self.judge_by(table, inspected, pending))
    }

    /// As [`Memory::judge`], with another table.
    #[must_use]
    pub fn judge_by(&self, table: &Table, inspected: &Inspected, pending: &[&Step]) -> Judged {
        let latest = pending.iter().map(|step| step.turn).fold(self.newest, u64::max);
        let turn = inspected.session.turn.max(latest + 1);
        let mut facts = facts::of(table, inspected);
        facts.extend(self.moved(table, inspected, pending));
        // A running call may finish after the clean-up.
        facts.iter_mut().for_each(|fact| fact.ends &= pending.is_empty());
        let act = act(inspected);
        let (carried, pieces) = self.carried(table, inspected, pending, turn);
        let said = |name: &str| self.values.has_said(&self.key, name);
        let tool = inspected.call.tool.as_str();
        let seen =
            Seen { table, events: &self.events, pending, now: &facts, turn, said: &said, tool, act: &act };
        let mut flows = rules::complete(&seen, &carried, &self.values);
        for flow in &mut flows {
            if flow.settled_as().is_some_and(|settled| self.allowed.contains(&settled)) {
                flow.then = Then::No;
            }
        }
        let (score, stages) = score::of(&seen);
        let mut findings: Vec<Finding> = flows.iter().map(finding).collect();
        if carried.unsearched && !inspected.effects.read_only {
            let message = "Its arguments are longer than 1 MiB, and only the first part was searched for secrets and \
                           other people's text of this session";
            findings.push(Finding::new("flow.unsearched", message));
        }
        if score >= table.score.raise && !inspected.effects.read_only && stages.len() >= 3 {
            findings.push(Finding::new("flow.staged", score::sentence(score, &stages)));
        }
        let mut step = Step {
            turn,
            pieces,
            marks: self.made(inspected, pending, &carried),
            used: self.used(inspected),
            rewritten: rewritten(inspected),
            reads_secret: facts.iter().any(|fact| fact.kind == table.known.secret_read),
            flows: flows.clone(),
            facts: Vec::new(),
        };
        step.facts = facts;
        Judged { findings, flows, score, stages, step }
    }

    /// Values that a call carries: in its arguments, in files it reads and sends, and in files it runs.
    fn carried(
        &self,
        table: &Table,
        inspected: &Inspected,
        pending: &[&Step],
        turn: u64,
    ) -> (Carried, Vec<Piece>) {
        let mut carried = Carried::default();
        if !self.values.is_empty() {
            let earlier: Vec<Piece> = self
                .pieces
                .iter()
                .filter(|(at, _)| at + PIECES_OVER >= turn)
                .map(|(_, piece)| *piece)
                .chain(pending.iter().flat_map(|step| step.pieces.iter().copied()))
                .collect();
            let texts = Texts::of(table, inspected);
            carried.unsearched = texts.cut;
            let mut all = texts.all.clone();
            let commands = inspected.effects.executes.iter().flat_map(|command| &command.words);
            let words: Vec<&str> = commands.map(String::as_str).collect();
            // Words after expanding variables and quotes, joined: a value may be split over several words.
            let expanded = words.join(" ");
            if !all.iter().any(|text| text.contains(&expanded)) {
                all.push(&expanded);
            }
            let joined = texts.joined(&texts.all);
            all.extend(texts.names.iter().copied().chain(joined.as_deref()));
            let found = self.values.search(&self.key, &all, &earlier);
            carried.by_text = found.hits;
            self.note_use(&texts, inspected, &mut carried);
            let plain = prose::steering_words(&table.prose, inspected);
            let steering = match &plain {
                Some(words) => Some(vec![words.as_str()]),
                None if inspected.call.tool.mcp_parts().is_some() && texts.has_prose => Some(texts.steering),
                // Commands of a file that is run belong to that file; the call that wrote them was judged.
                None => (!inspected.effects.judged_files.is_empty()).then_some(texts.all),
            };
            if let Some(steering) = steering {
                let steering = self.values.search(&self.key, &steering, &[]);
                let travels = |source| !self.label(source).is_some_and(|label| label.is(Label::Untrusted));
                carried.by_text.retain(|hit| travels(hit.source));
                carried.by_text.extend(steering.hits.into_iter().filter(|hit| !travels(hit.source)));
            }
            let pieces = found.pieces;
            self.carried_files(table, inspected, pending, &mut carried);
            return (carried, pieces);
        }
        self.carried_files(table, inspected, pending, &mut carried);
        (carried, Vec::new())
    }

    /// Notes evidence for a legitimate use of secrets in a call to a server.
    fn note_use(&self, texts: &Texts<'_>, inspected: &Inspected, carried: &mut Carried) {
        let is_secret = |source| matches!(self.label(source), Some(Label::Secret | Label::Likely));
        if inspected.call.tool.mcp_parts().is_none()
            || !carried.by_text.iter().any(|hit| is_secret(hit.source))
        {
            return;
        }
        let joined = texts.joined(&texts.other);
        let other: Vec<&str> =
            texts.other.iter().chain(&texts.names).copied().chain(joined.as_deref()).collect();
        let other = self.values.search(&self.key, &other, &[]);
        let is_there = |source| other.pieces.iter().any(|piece| self.values.is_of(piece, source));
        let sources = carried.by_text.iter().map(|hit| hit.source);
        carried.signs_in = sources.filter(|source| is_secret(*source) && !is_there(*source)).collect();
        let effects = &inspected.effects;
        let inside = |write: &doorward_core::effect::WriteEffect| write.scope == Scope::Inside;
        carried.stays_inside =
            !effects.writes.is_empty() && effects.writes.iter().all(inside) && effects.hosts.is_empty();
    }

    /// Sources of files that a call sends, or passes to a tool by name.
    fn carried_files(&self, table: &Table, inspected: &Inspected, pending: &[&Step], carried: &mut Carried) {
        if self.marks.is_empty() && pending.iter().all(|step| step.marks.is_empty()) {
            return;
        }
        let sent =
            inspected.effects.reads.iter().filter(|read| read.reaches_host).map(|read| read.path.as_str());
        let mut named = Vec::new();
        if inspected.call.tool.mcp_parts().is_some() {
            named = Texts::of(table, inspected).all;
        }
        for path in sent.chain(named.iter().copied().filter(|text| text.starts_with('/'))) {
            for source in self.sources_of(path, pending) {
                carried.by_file.push((path.to_owned(), source));
            }
        }
        let paths: Vec<&String> = self
            .marks
            .keys()
            .chain(pending.iter().flat_map(|step| step.marks.iter().map(|(path, _)| path)))
            .collect();
        carried.marked = paths
            .into_iter()
            .flat_map(|path| self.sources_of(path, pending).into_iter().map(|source| (path.clone(), source)))
            .collect();
    }

    fn label(&self, source: u16) -> Option<Label> {
        self.values.source(source).map(|source| source.label)
    }

    fn sources_of(&self, path: &str, pending: &[&Step]) -> Vec<u16> {
        let mut all: Vec<u16> = self.marks.get(path).cloned().unwrap_or_default();
        let pending = pending.iter().flat_map(|step| &step.marks).filter(|(marked, _)| marked == path);
        all.extend(pending.map(|(_, source)| *source));
        all
    }

    /// Files that the call writes with values in them: the new content has them, or the call reads a file that has
    /// them.
    fn made(&self, inspected: &Inspected, pending: &[&Step], carried: &Carried) -> Vec<(String, u16)> {
        let mut sources: Vec<u16> =
            carried.by_text.iter().filter(|hit| !hit.atom).map(|hit| hit.source).collect();
        for read in inspected.effects.reads.iter().filter(|read| !read.metadata) {
            sources.extend(self.sources_of(&read.path, pending));
            if read.secret {
                let same = |source: &Source| source.label == Label::Secret && source.from == read.path;
                let known = self.values.sources().iter().position(same);
                sources.extend(known.and_then(|at| u16::try_from(at).ok()));
            }
        }
        sources.sort_unstable();
        sources.dedup();
        let writes = inspected.effects.writes.iter().take(32);
        writes.flat_map(|write| sources.iter().map(|source| (write.path.clone(), *source))).take(64).collect()
    }

    /// Names that the agent uses before they appear in other people's text.
    fn used(&self, inspected: &Inspected) -> Vec<u64> {
        let Ok(table) = Table::shipped() else { return Vec::new() };
        let texts = Texts::of(table, inspected);
        let words = texts.all.iter().flat_map(|text| atoms::of(text)).take(32);
        words.map(|atom| self.key.name(atom)).collect()
    }

    /// Files that the call moves or copies keep their origin under the new names.
    fn moved(&self, table: &Table, inspected: &Inspected, pending: &[&Step]) -> Vec<Fact> {
        const PROGRAMS: &[&str] = &["mv", "cp", "ln", "install", "rsync", "cat", "dd", "tee"];
        const KINDS: &[&str] =
            &["downloaded", "cloned", "dumped", "archived", "collected", "credential_made"];
        let moving = inspected.effects.executes.iter().filter(|one| PROGRAMS.contains(&one.program.as_str()));
        let sources: Vec<String> = moving
            .flat_map(|one| {
                one.words.iter().skip(1).map(|word| facts::join(&facts::folder(inspected, one), word))
            })
            .collect();
        if sources.is_empty() {
            return Vec::new();
        }
        let is_source = |object: &str| sources.iter().any(|source| rules::is_same_place(object, source));
        let targets: Vec<Box<str>> = facts::content_writes(inspected)
            .filter(|write| !sources.iter().any(|source| source == &write.path) || sources.len() > 1)
            .map(|write| facts::bounded(&write.path))
            .take(facts::MOST_OBJECTS)
            .collect();
        let holds = |kind: Kind| {
            let ran = self.events.get(&kind).into_iter().flatten().flat_map(|event| &event.objects);
            let under_way = pending.iter().flat_map(|step| step.facts()).filter(|fact| fact.kind == kind);
            ran.chain(under_way.flat_map(|fact| &fact.objects)).any(|object| is_source(object))
        };
        let kinds = KINDS.iter().filter_map(|word| table.kind(word)).filter(|kind| holds(*kind));
        kinds
            .filter(|_| !targets.is_empty())
            .map(|kind| Fact { kind, objects: targets.clone(), ends: false })
            .collect()
    }

    /// The call of this step ran, with unknown success: what it should have undone may remain.
    pub fn may_have_run(&mut self, step: &Step) {
        let mut step = step.clone();
        step.facts.iter_mut().for_each(|fact| fact.ends = false);
        self.ran(&step);
    }

    /// The call of this step ran and succeeded.
    pub fn ran(&mut self, step: &Step) {
        self.newest = self.newest.max(step.turn);
        for path in &step.rewritten {
            self.marks.remove(path);
        }
        for fact in &step.facts {
            self.happened(
                fact.kind,
                TurnedFact { turn: step.turn, objects: fact.objects.clone(), ends: fact.ends },
            );
        }
        self.pieces.extend(step.pieces.iter().map(|piece| (step.turn, *piece)));
        let surplus = self.pieces.len().saturating_sub(MOST_PIECES);
        self.pieces.drain(..surplus);
        for (path, source) in &step.marks {
            if self.marks.len() >= MOST_MARKS && !self.marks.contains_key(path) {
                self.values.full = true;
                continue;
            }
            let sources = self.marks.entry(path.clone()).or_default();
            if !sources.contains(source) && sources.len() < 16 {
                sources.push(*source);
            }
        }
        for print in &step.used {
            self.values.use_atom(*print);
        }
        self.flows.extend(step.flows.iter().cloned());
        let surplus = self.flows.len().saturating_sub(MOST_FLOWS);
        self.flows.drain(..surplus);
    }

    /// A person was asked and allowed the call of this step: the same flow isn't asked about again.
    pub fn allowed(&mut self, step: &Step) {
        let room = MOST_ALLOWED.saturating_sub(self.allowed.len());
        self.allowed.extend(step.flows.iter().filter_map(CompletedFlow::settled_as).take(room));
    }

    /// How many calls made a fact of this kind within the last `within` calls, `now` included; 0 is the whole session.
    /// At most 64 calls of a kind are remembered.
    #[must_use]
    pub fn count(&self, kind: Kind, within: u64, pending: &[&Step], now: &Step) -> usize {
        let from = if within == 0 { 0 } else { now.turn.saturating_sub(within) };
        let does = |step: &&Step| step.turn >= from && step.facts.iter().any(|fact| fact.kind == kind);
        let ran = self.events.get(&kind).into_iter().flatten().filter(|event| event.turn >= from).count();
        ran + pending.iter().copied().chain([now]).filter(does).count()
    }

    /// A process that a call started reached a host.
    pub fn reached(&mut self, host: &str) {
        let Ok(table) = Table::shipped() else { return };
        let host: Box<str> = Box::from(host.get(..host.floor_char_boundary(200)).unwrap_or_default());
        let turn = self.newest.max(1);
        let known = self.events.get(&table.known.contacted).and_then(VecDeque::back);
        if known.is_some_and(|event| event.turn == turn && event.objects.contains(&host)) {
            return;
        }
        self.happened(table.known.contacted, TurnedFact { turn, objects: vec![host], ends: false });
    }

    /// Forgets other people's text and the facts about its arrival. Secrets and facts of calls stay.
    pub fn forget_untrusted(&mut self) {
        let Ok(table) = Table::shipped() else { return };
        self.values.forget_untrusted();
        for kind in [table.known.untrusted_seen, table.known.instructed, table.known.requested] {
            self.events.remove(&kind);
        }
    }

    pub(crate) fn happened(&mut self, kind: Kind, event: TurnedFact) {
        self.newest = self.newest.max(event.turn);
        let events = self.events.entry(kind).or_default();
        if events.len() >= MOST_OF_A_KIND {
            events.pop_front();
        }
        events.push_back(event);
    }
}

fn finding(flow: &CompletedFlow) -> Finding {
    let mut finding = Finding::new(flow.code.clone(), flow.sentence());
    match flow.then {
        Then::No => {
            (finding.severity, finding.risk, finding.floor, finding.blocking) =
                (Severity::Low, None, false, false)
        }
        Then::Ask => {
            (finding.risk, finding.floor) = (Some(SecurityRisk::High), false);
            finding.blocking = false;
        }
        Then::Deny => {
            (finding.risk, finding.floor, finding.blocking) = (Some(SecurityRisk::High), true, true)
        }
    }
    finding
}

/// A digest of what a call does: its tool, folder and arguments (without descriptive ones), and the content of the
/// files that it runs.
fn act(inspected: &Inspected) -> String {
    let call = &inspected.call;
    let is_shell = call.tool == CanonicalTool::Shell;
    let describes = |name: &str| is_shell && matches!(name, "description" | "timeout" | "run_in_background");
    let args: Vec<_> = call.args.iter().filter(|(name, _)| !describes(name)).collect();
    let files: Vec<_> =
        inspected.effects.judged_files.iter().map(|file| (&file.path, file.digest.to_string())).collect();
    Digest::of(format!("{:?} {:?} {args:?} {files:?}", call.tool.as_str(), call.cwd).as_bytes()).to_string()
}

/// Files whose whole content a call replaces.
fn rewritten(inspected: &Inspected) -> Vec<String> {
    let whole = |write: &&doorward_core::effect::WriteEffect| {
        matches!(write.mode, WriteMode::Create | WriteMode::Truncate)
            && write.certainty == doorward_core::intent::Certainty::Exact
    };
    inspected.effects.writes.iter().filter(whole).map(|write| write.path.clone()).take(32).collect()
}
