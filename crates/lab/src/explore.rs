//! Exploration: tries a tool in the sandbox and records its effects.
//!
//! Without a model: arguments are derived from the tools' schemas ([`arguments`]), the server runs in the sandbox
//! on a seeded workspace without network ([`server`], [`workspace`]), changes are recorded after every call, and
//! claims are compared with behaviour ([`profile`]). Every tool gets its own session, so that hosts and programs
//! can be attributed. The state is stored after each tool, so an interrupted exploration can continue.

pub mod arguments;
pub mod model;
pub mod postgres;
pub mod profile;
mod remote;
pub mod server;
mod snapshot;
pub mod terminal;
pub mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use doorward_sandbox::Report;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::runner::{RunError, Runner};
use arguments::Trial;
use postgres::Database;
use profile::{Observation, Profile, Seen, TrialAnswer};
use server::{Answer, Bounds, Launch, ServerError, Session, Transcript};
use workspace::{Snapshot, Workspace, WorkspaceError};

/// Specification of an exploration.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name used in its rules.
    pub name: String,
    /// How it is started, or its address.
    pub launch: Launch,
    /// The folder used by a remote server; without it, a fresh one.
    pub folder: Option<PathBuf>,
    /// A database for the server.
    pub database: Option<Arc<Database>>,
    /// Call only tools that claim to be read-only: for a server with real effects.
    pub readers_only: bool,
    /// Limit on trial calls of each tool.
    pub trials: usize,
    /// Limits of a session.
    pub bounds: Bounds,
    /// Folder for state, transcript and profile.
    pub out: PathBuf,
    /// Discard an earlier run's results.
    pub fresh: bool,
}

/// Progress of an exploration.
#[derive(Debug)]
pub enum Progress<'a> {
    /// The exploration begins, with its total number of steps and those done by an earlier run.
    Begins {
        /// Total steps.
        steps: usize,
        /// Steps done earlier.
        done: usize,
    },
    /// A step begins.
    Step(&'a str),
    /// A step is complete.
    Done,
}

/// Why the exploration failed.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// The server failed.
    #[error("{0}")]
    Server(#[from] ServerError),
    /// The run failed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// The workspace failed.
    #[error("{0}")]
    Workspace(#[from] WorkspaceError),
    /// The model failed.
    #[error("{0}")]
    Ask(#[from] crate::ask::AskError),
    /// The result folder can't be used.
    #[error("lab.out: {path}: {source}")]
    Out {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// State stored between runs.
#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct State {
    v: u32,
    launch: Launch,
    trials: usize,
    pin: String,
    server: Value,
    tier: String,
    start: Seen,
    tools: BTreeMap<String, Seen>,
}

/// Limits on tools tried in a chain, and on tools that precede them.
const CHAINED: usize = 24;
const WRITERS: usize = 4;
/// Trials of a tool in a chain.
const IN_CHAIN: usize = 4;
/// Wait after an answer before recording changes, so that late effects are attributed to the tool.
const SETTLE: std::time::Duration = std::time::Duration::from_millis(25);

/// Explores a server without a model.
///
/// # Errors
/// [`ExploreError`]. Earlier results are kept.
pub fn explore(
    runner: &Runner,
    plan: &Plan,
    hear: &mut dyn FnMut(Progress<'_>),
) -> Result<(Profile, Vec<Value>), ExploreError> {
    let out = Out::open(&plan.out)?;
    let workspace = plan.workspace()?;
    let transcript = out.transcript(plan.fresh)?;
    let explorer = Explorer { plan, workspace: &workspace, transcript: &transcript, runner };
    let (definitions, fresh) = explorer.first_start()?;
    let mut state = out.state(&fresh).filter(|_| !plan.fresh).unwrap_or(fresh);
    hear(Progress::Begins { steps: definitions.len() + 1, done: state.tools.len() });
    for definition in &definitions {
        let name = profile::name_of(definition).to_owned();
        let known = state.tools.get(&name);
        if known.is_some_and(|seen| !seen.skipped || plan.leaves_alone(definition)) {
            continue;
        }
        hear(Progress::Step(&name));
        let seen = if plan.leaves_alone(definition) {
            Seen { skipped: true, ..Seen::default() }
        } else {
            explorer.alone(definition, &state.start)?
        };
        state.tools.insert(name, seen);
        out.keep("state.json", &state)?;
        hear(Progress::Done);
    }
    hear(Progress::Step("tools after tools"));
    for (name, more) in explorer.chained(&definitions, &state)? {
        if let Some(seen) = state.tools.get_mut(&name) {
            seen.observations.extend(more.observations);
            seen.hosts.extend(more.hosts);
            seen.programs.extend(more.programs);
        }
    }
    hear(Progress::Done);
    let profile = state.into_profile(plan, &definitions);
    out.keep("profile.json", &profile)?;
    out.write(&format!("{}.json", plan.name), &profile.experiences().to_text())?;
    Ok((profile, definitions))
}

impl State {
    fn into_profile(self, plan: &Plan, definitions: &[Value]) -> Profile {
        let unseen = Seen::default();
        let seen = |definition| self.tools.get(profile::name_of(definition)).unwrap_or(&unseen);
        let tools =
            definitions.iter().map(|definition| profile::tool(definition, seen(definition))).collect();
        Profile {
            v: 1,
            name: plan.name.clone(),
            server: self.server,
            command: plan.launch.url.clone().unwrap_or_else(|| plan.launch.command.clone()),
            pin: self.pin,
            tier: self.tier,
            start: self.start,
            tools,
        }
    }
}

/// Shown instead of the sandbox's tier if there is no sandbox.
pub const ELSEWHERE: &str = "elsewhere";

impl Plan {
    /// A workspace in its initial state.
    pub(crate) fn workspace(&self) -> Result<Workspace, WorkspaceError> {
        let workspace = match &self.folder {
            Some(folder) => Workspace::at_folder(folder)?,
            None => Workspace::new()?,
        };
        workspace.with_database(self.database.clone())
    }

    fn leaves_alone(&self, definition: &Value) -> bool {
        let claims = profile::hints(definition);
        self.readers_only && !(claims.read_only_hint == Some(true) && claims.destructive_hint != Some(true))
    }
}

struct Explorer<'a> {
    plan: &'a Plan,
    workspace: &'a Workspace,
    transcript: &'a Transcript,
    runner: &'a Runner,
}

impl Explorer<'_> {
    fn session(&self) -> Result<Session, ServerError> {
        let transcript = Arc::clone(self.transcript);
        Session::start(self.runner, &self.plan.launch, self.workspace, self.plan.bounds, transcript)
    }

    /// Starts the server once without a call, so that start-up effects aren't blamed on a tool. Returns its tools and
    /// the state of an exploration that begins.
    fn first_start(&self) -> Result<(Vec<Value>, State), ExploreError> {
        let mut session = self.session()?;
        let definitions = session.tools()?;
        let server = session.info.clone();
        std::thread::sleep(SETTLE);
        let asked = session.asked.iter().cloned().collect();
        let report = session.finish()?;
        let mut start = seen(report.as_ref(), &Seen::default());
        start.asked = asked;
        let changes = self.workspace.pristine().changes(&self.workspace.look());
        if !changes.is_empty() {
            start.observations.push(started(changes));
        }
        self.workspace.restore()?;
        let state = State {
            v: 1,
            launch: self.plan.launch.clone(),
            trials: self.plan.trials,
            pin: profile::server_pin(&definitions).into_string(),
            server,
            tier: report.map_or(ELSEWHERE, |report| report.tier.as_str()).to_owned(),
            start,
            tools: BTreeMap::new(),
        };
        Ok((definitions, state))
    }

    /// All trials of one tool, each on the workspace in its initial state.
    fn alone(&self, definition: &Value, start: &Seen) -> Result<Seen, ExploreError> {
        let name = profile::name_of(definition);
        let mut found = Seen::default();
        let mut session = self.session()?;
        let mut before = self.workspace.look();
        for trial in self.trials(definition) {
            if !session.is_alive() {
                self.over(session, start, &mut found)?;
                self.workspace.restore()?;
                session = self.session()?;
                before = self.workspace.look();
            }
            let mut observation = self.attempt(&mut session, name, &trial, &mut before);
            if !observation.changes.is_empty()
                && observation.answered == TrialAnswer::Ok
                && found_again(&found)
            {
                let again = self.attempt(&mut session, name, &trial, &mut before);
                observation.again = Some(again.changes);
            }
            if !observation.changes.is_empty() {
                self.workspace.restore()?;
                before = self.workspace.look();
            }
            found.observations.push(observation);
        }
        self.over(session, start, &mut found)?;
        // Changes found only now were made by this tool.
        let late = before.changes(&self.workspace.look());
        if let Some(last) = found.observations.last_mut() {
            last.changes.extend(late);
        }
        self.workspace.restore()?;
        Ok(found)
    }

    /// Tries tools that destroyed nothing on their own again, after tools that create something to work on.
    fn chained(&self, definitions: &[Value], state: &State) -> Result<Vec<(String, Seen)>, ExploreError> {
        let seen = |definition: &&Value| state.tools.get(profile::name_of(definition));
        let destroyed = |definition: &&Value| {
            let mut changes =
                seen(definition).into_iter().flat_map(|seen| &seen.observations).flat_map(|one| &one.changes);
            changes.any(|change| change.how.destroys() || change.how == workspace::How::Moved)
        };
        let creates = |definition: &&Value| {
            let plain = seen(definition).and_then(|seen| seen.observations.first());
            plain.is_some_and(|first| {
                let adds = |change: &workspace::WorkspaceChange| !change.how.destroys();
                !first.changes.is_empty() && first.changes.iter().all(adds)
            })
        };
        let writers: Vec<&Value> = definitions.iter().filter(creates).take(WRITERS).collect();
        let tried = |definition: &&Value| !self.plan.leaves_alone(definition);
        let idle = definitions.iter().filter(tried).filter(|definition| !destroyed(definition)).take(CHAINED);
        let mut found = Vec::new();
        if writers.is_empty() {
            return Ok(found);
        }
        for definition in idle {
            let name = profile::name_of(definition);
            let mut more = Seen::default();
            let mut session = self.session()?;
            for writer in &writers {
                for trial in self.trials(definition).into_iter().take(IN_CHAIN) {
                    if !session.is_alive() {
                        break;
                    }
                    let first = self.trials(writer).into_iter().next();
                    let mut before = self.workspace.look();
                    if let Some(first) = first {
                        self.attempt(&mut session, profile::name_of(writer), &first, &mut before);
                    }
                    let mut observation = self.attempt(&mut session, name, &trial, &mut before);
                    observation.after = Some(profile::name_of(writer).to_owned());
                    let changed = !observation.changes.is_empty();
                    more.observations.push(observation);
                    self.workspace.restore()?;
                    if changed {
                        break;
                    }
                }
            }
            self.over(session, &state.start, &mut more)?;
            self.workspace.restore()?;
            // Another tool's programs and hosts are in the same session; only changes can be attributed.
            more.hosts.clear();
            more.programs.clear();
            more.observations.retain(|observation| !observation.changes.is_empty());
            found.push((name.to_owned(), more));
        }
        Ok(found)
    }

    fn trials(&self, definition: &Value) -> Vec<Trial> {
        let schema = definition.get("inputSchema").cloned().unwrap_or_else(|| json!({"type": "object"}));
        arguments::trials(&schema, self.workspace.path(), self.plan.trials)
    }

    /// Makes one call and records its changes; `before` is updated to the new state.
    fn attempt(
        &self,
        session: &mut Session,
        tool: &str,
        trial: &Trial,
        before: &mut Snapshot,
    ) -> Observation {
        let answer = session.call(tool, &trial.arguments);
        std::thread::sleep(SETTLE);
        let now = self.workspace.look();
        let changes = before.changes(&now);
        *before = now;
        observation(trial, &answer, changes, self.workspace.path())
    }

    fn over(&self, session: Session, start: &Seen, found: &mut Seen) -> Result<(), RunError> {
        found.asked.extend(session.asked.iter().cloned());
        let more = seen(session.finish()?.as_ref(), start);
        found.hosts.extend(more.hosts);
        found.programs.extend(more.programs);
        Ok(())
    }
}

/// Whether more repeated calls are needed for this tool: a few are enough.
fn found_again(found: &Seen) -> bool {
    found.observations.iter().filter(|observation| observation.again.is_some()).count() < 3
}

fn started(changes: Vec<workspace::WorkspaceChange>) -> Observation {
    Observation {
        trial: "start".to_owned(),
        after: None,
        arguments: json!({}),
        answered: TrialAnswer::Ok,
        text: String::new(),
        changes,
        quoted: Vec::new(),
        told: Vec::new(),
        again: None,
    }
}

pub(crate) fn observation(
    trial: &Trial,
    answer: &Answer,
    changes: Vec<workspace::WorkspaceChange>,
    workspace: &Path,
) -> Observation {
    let (answered, text) = match answer {
        Answer::Result(result) => {
            let failed = result.get("isError") == Some(&json!(true));
            (if failed { TrialAnswer::ToolError } else { TrialAnswer::Ok }, texts(result))
        }
        Answer::Error(text) => (TrialAnswer::Error, text.clone()),
        Answer::Silence => (TrialAnswer::Silence, String::new()),
        Answer::Gone => (TrialAnswer::Gone, String::new()),
    };
    let question = trial.arguments.to_string();
    let place = workspace.display().to_string();
    let hidden = |text: &str| text.replace(&place, "{workspace}");
    Observation {
        trial: trial.label.clone(),
        after: None,
        arguments: shortened(&trial.arguments, &hidden),
        answered,
        quoted: workspace::quoted_files(&text),
        told: workspace::told_names(&text, &question),
        text: hidden(&text).chars().take(300).collect(),
        changes,
        again: None,
    }
}

/// All strings of a result, structured or not.
fn texts(result: &Value) -> String {
    let mut all = Vec::new();
    collect(result, &mut all);
    all.join("\n")
}

fn collect<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(members) => {
            for (name, inside) in members {
                into.push(name);
                collect(inside, into);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn shortened(value: &Value, hidden: &dyn Fn(&str) -> String) -> Value {
    const SHOWN: usize = 200;
    match value {
        Value::String(text) if text.chars().count() > SHOWN => {
            let head: String = text.chars().take(SHOWN).collect();
            json!(format!("{}… ({} characters)", hidden(&head), text.chars().count()))
        }
        Value::String(text) => json!(hidden(text)),
        Value::Array(items) => items.iter().map(|item| shortened(item, hidden)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, inside)| (name.clone(), shortened(inside, hidden))).collect()
        }
        other => other.clone(),
    }
}

/// Hosts and programs of a run that aren't in `beyond`.
fn seen(report: Option<&Report>, beyond: &Seen) -> Seen {
    let Some(observed) = report.and_then(|report| report.observed.as_ref()) else { return Seen::default() };
    let hosts: BTreeSet<String> = observed
        .hosts
        .iter()
        .map(|host| match host.port {
            Some(port) => format!("{}:{port}", host.host),
            None => host.host.clone(),
        })
        .filter(|host| !beyond.hosts.contains(host))
        .collect();
    let programs = observed
        .executes
        .iter()
        .map(|command| command.program.clone())
        .filter(|program| !beyond.programs.contains(program))
        .collect();
    Seen { hosts, programs, ..Seen::default() }
}

/// The folder for results.
pub(crate) struct Out(PathBuf);

impl Out {
    pub(crate) fn open(path: &Path) -> Result<Self, ExploreError> {
        let out = Self(path.to_owned());
        std::fs::create_dir_all(path).map_err(|source| out.fault("", source))?;
        Ok(out)
    }

    fn fault(&self, name: &str, source: std::io::Error) -> ExploreError {
        ExploreError::Out { path: self.0.join(name), source }
    }

    /// An earlier run's state, if it had the same inputs.
    fn state(&self, now: &State) -> Option<State> {
        let kept: State = self.read("state.json")?;
        let same =
            kept.v == now.v && kept.launch == now.launch && kept.trials == now.trials && kept.pin == now.pin;
        same.then_some(kept)
    }

    pub(crate) fn keep<T: Serialize>(&self, name: &str, value: &T) -> Result<(), ExploreError> {
        let text = serde_json::to_string_pretty(value).map_err(|error| self.fault(name, error.into()))?;
        self.write(name, &(text + "\n"))
    }

    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&std::fs::read_to_string(self.0.join(name)).ok()?).ok()
    }

    /// Writes a file atomically.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), ExploreError> {
        let fresh = self.0.join(format!(".{name}.new"));
        std::fs::write(&fresh, text)
            .and_then(|()| std::fs::rename(&fresh, self.0.join(name)))
            .map_err(|source| self.fault(name, source))
    }

    pub(crate) fn transcript(&self, fresh: bool) -> Result<Transcript, ExploreError> {
        let path = self.0.join("transcript.jsonl");
        let mut options = std::fs::OpenOptions::new();
        options.create(true).write(true).append(!fresh).truncate(fresh);
        let file = options.open(&path).map_err(|source| self.fault("transcript.jsonl", source))?;
        let mut file = std::io::BufWriter::new(file);
        Ok(Arc::new(Mutex::new(move |line: &server::TranscriptLine| {
            if serde_json::to_writer(&mut file, line).is_ok() {
                let _ = file.write_all(b"\n").and_then(|()| file.flush());
            }
        })))
    }
}
