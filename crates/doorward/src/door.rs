//! The assembly page: one process, one ledger, one book of sessions, and a gate for every project.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::finding::Severity;
use doorward_core::record::{self, LedgerError, NoteRecord, PolicyRecord, Posture, Record, StartRecord};
use doorward_gate::Outcomes;
use doorward_inspect::OwnParts;
use doorward_ledger::{ArgsKept, Log};
use doorward_paths::bounded;
use doorward_sandbox::{Engine, Sandbox};
use doorward_settings::{Layer, LedgerArgs, OnNoMatch, Settings};
use jiff::Timestamp;
use serde::Serialize;

use crate::anchoring::{Anchoring, Pending};
use crate::attendance::Attendance;
use crate::bind::Tickets;
use crate::dialogs::Dialogs;
use crate::egress::Egress;
use crate::hook::{Peer, Pinned};
use crate::layers::Places;
use crate::notices::NoticeBoard;
use crate::placeholders::Placeholders;
use crate::posture::{self, Measured};
use crate::process;
use crate::project::Project;
use crate::records::Records;
use crate::served;
use crate::sessions::SessionBook;
use crate::stops::Stops;

/// Name of the file that holds the HTTP API's token.
pub const TOKEN_FILE: &str = "token";

/// How a door is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// State directory; `None` keeps nothing at all (simulation).
    pub state: Option<PathBuf>,
    /// Where the layers of the settings are.
    pub places: Places,
    /// The service's socket, where it isn't in the state directory.
    pub socket: Option<PathBuf>,
    /// State directory of the service that this stands beside: out of every call's reach like its own.
    pub beside: Option<PathBuf>,
}

impl Options {
    /// A state directory, and settings from these places.
    #[must_use]
    pub const fn at(state: PathBuf, places: Places) -> Self {
        Self { state: Some(state), places, socket: None, beside: None }
    }

    /// The usual places for a state directory: the user's own settings with the user's own state, and for any other
    /// state directory the `doorward.toml` inside it, so that one command line says everything.
    #[must_use]
    pub fn usual(state: &Path) -> Self {
        let places = if state == doorward_hooks::thin::default_state() {
            Places::usual(crate::home().as_deref())
        } else {
            Places { user: Some(state.join(crate::layers::FILE)), ..Places::usual(None) }
        };
        Self::at(state.to_owned(), places)
    }

    /// Judges only: no ledger, no sessions, no approvals.
    #[must_use]
    pub fn simulation(places: Places) -> Self {
        Self { state: None, places, socket: None, beside: None }
    }
}

/// Why a door can't be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The state directory can't be written.
    #[error(
        "state.unwritable: {path}: {source}; Doorward keeps its ledger there, so give a directory it can write"
    )]
    State {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The ledger refuses to open.
    #[error("{error}{hint}", error = .0, hint = crate::anchoring::what_to_do(.0.code))]
    Ledger(Box<doorward_ledger::OpenError>),
    /// The settings require a posture that isn't reached.
    #[error("{0}")]
    Posture(String),
    /// The first record couldn't be written.
    #[error("{0}")]
    Record(#[from] LedgerError),
}

/// The library's one handle: build it once, ask it for gates.
pub struct Door {
    /// State of sessions.
    pub sessions: Arc<SessionBook>,
    /// People.
    pub approver: Arc<dyn Approver>,
    /// Roots of hook sessions.
    pub pinned: Pinned,
    /// What a person stopped.
    pub stops: Arc<Stops>,
    /// What rules want told.
    pub notices: Arc<NoticeBoard>,
    /// What stands for credentials in children's environments.
    pub placeholders: Arc<Placeholders>,
    /// Shell calls that wait to be run here.
    pub(crate) tickets: Tickets,
    /// What the dialogs of clients said yes to.
    pub(crate) dialogs: Arc<Dialogs>,
    /// Runs what permits own.
    pub(crate) sandbox: Arc<Sandbox>,
    /// Sessions of agents that run inside our sandbox.
    enclosed: Mutex<HashSet<String>>,
    options: Options,
    measured: Measured,
    records: Option<Records>,
    /// The checkpoint that the store has yet to take.
    pending: Option<Pending>,
    token: String,
    asks: bool,
    egress: OnceLock<Arc<Egress>>,
    /// Loopback ports of this service.
    ports: Arc<Mutex<Vec<u16>>>,
    projects: Mutex<HashMap<Place, Arc<Project>>>,
    /// Held while the saved rules are rewritten.
    rewriting: Mutex<()>,
}

/// A project's root, what its callers get where nothing permits a call, and further layers by name.
type Place = (Option<PathBuf>, OnNoMatch, Vec<String>);

/// How the door is doing.
#[derive(Debug, Clone, Serialize)]
pub struct Health {
    /// Everything works.
    pub ok: bool,
    /// Version of the program.
    pub version: &'static str,
    /// How far it is out of the agent's reach, as measured.
    pub posture: Posture,
    /// Why it is no more than that.
    pub posture_reasons: Vec<String>,
    /// Durable records.
    pub records: u64,
    /// Of which signed.
    pub signed: u64,
    /// Sessions known.
    pub sessions: usize,
    /// Admitted calls without an outcome.
    pub open_permits: usize,
    /// Where the console is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console: Option<String>,
    /// What is wrong, if anything.
    pub problems: Vec<String>,
    /// What isn't as the settings say and keeps nothing from working: a port that was taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Door {
    /// Opens the state and writes the start record. Settings that can't be read don't keep the door shut: it opens and
    /// denies every call with the reason.
    ///
    /// # Errors
    /// [`OpenError`]: an unwritable state directory, a second instance, a damaged ledger.
    pub fn open(options: Options) -> Result<Arc<Self>, OpenError> {
        Self::open_with(options, None)
    }

    /// As [`Door::open`], with people to ask.
    ///
    /// # Errors
    /// As [`Door::open`].
    pub fn open_with(options: Options, approver: Option<Arc<dyn Approver>>) -> Result<Arc<Self>, OpenError> {
        Self::open_anchored(options, approver, Anchoring::default())
    }

    /// As [`Door::open_with`], over a ledger whose checkpoints are remembered elsewhere: one that was rolled back or
    /// replaced doesn't open.
    ///
    /// # Errors
    /// As [`Door::open`].
    pub fn open_anchored(
        options: Options,
        approver: Option<Arc<dyn Approver>>,
        anchoring: Anchoring,
    ) -> Result<Arc<Self>, OpenError> {
        let user = options.places.load(None).map(|loaded| loaded.settings).unwrap_or_default();
        let forgotten = anchoring.remember.is_some() && anchoring.known.is_empty();
        let pending = anchoring.pending.clone();
        let (log, token) = match &options.state {
            Some(state) => (Some(open_log(state, &user, anchoring)?), token(state)?),
            None => (None, String::new()),
        };
        let sessions = Arc::<SessionBook>::default();
        let records = log.map(|log| Records::new(log, Arc::clone(&sessions) as Arc<dyn Outcomes>));
        let measured = posture::measure(options.state.as_deref(), options.socket.as_deref(), &options.places);
        if options.state.is_some() && !measured.reaches(user.service.posture) {
            return Err(OpenError::Posture(measured.shortfall(user.service.posture)));
        }
        let asks = approver.is_some();
        let dialogs = Dialogs::over(approver.unwrap_or_else(|| Arc::new(Nobody)));
        let door = Arc::new(Self {
            sessions,
            approver: Arc::clone(&dialogs) as Arc<dyn Approver>,
            pinned: Pinned::default(),
            stops: Arc::default(),
            notices: Arc::default(),
            placeholders: Arc::default(),
            egress: OnceLock::new(),
            ports: Arc::default(),
            tickets: Tickets::default(),
            dialogs,
            sandbox: Arc::new(Sandbox::new(Engine::new().with_spare())),
            enclosed: Mutex::default(),
            options,
            measured,
            records,
            pending,
            token,
            asks,
            projects: Mutex::default(),
            rewriting: Mutex::default(),
        });
        if let Some(records) = &door.records {
            if forgotten && records.log().size() > 0 {
                tell_forgotten(records.log())?;
            }
            records.log().append_blocking(Record::Start(StartRecord {
                v: 1,
                id: record::new_id(),
                time: Timestamp::now(),
                posture: door.posture(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            }))?;
        }
        // The first call shouldn't pay for compiling the policies.
        let _ = door.project(None);
        Ok(door)
    }

    /// The rooms of a project, with what it says about calls that nothing permits left to it. Settings and policies
    /// are read again when their content changed; what doesn't load leaves the last good set in force.
    pub fn project(&self, root: Option<&Path>) -> Arc<Project> {
        self.project_for(root, OnNoMatch::Mode)
    }

    /// As [`Door::project`], for callers whose calls are denied when nothing permits them.
    pub fn project_for(&self, root: Option<&Path>, on_no_match: OnNoMatch) -> Arc<Project> {
        self.project_with(root, on_no_match, Vec::new())
    }

    /// As [`Door::project_for`], with layers that only tighten beside the files'.
    pub(crate) fn project_with(
        &self,
        root: Option<&Path>,
        on_no_match: OnNoMatch,
        further: Vec<Layer>,
    ) -> Arc<Project> {
        let names = further.iter().map(|layer| layer.name.clone()).collect();
        let key = (root.map(Path::to_owned), on_no_match, names);
        let known = self.projects.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let layers = self.options.places.read(root).map(|mut layers| {
            layers.extend(further);
            layers
        });
        if let Some(known) = &known
            && known.is_current(&layers)
        {
            return Arc::clone(known);
        }
        let before = known.as_ref().map(|project| project.bundle()).unwrap_or_default();
        let fresh = Arc::new(Project::load(self, root, on_no_match, layers, known.as_deref()));
        self.tell(&fresh, before);
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if projects.len() >= MOST_PROJECTS {
            projects.clear();
        }
        projects.insert(key, Arc::clone(&fresh));
        fresh
    }

    /// Records, once a session, that its agent runs inside our sandbox.
    ///
    /// # Errors
    /// Why it couldn't be recorded; then nothing of the session may go on.
    pub(crate) async fn enclosed(&self, session: &str) -> Result<(), String> {
        let known = || self.enclosed.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(session) {
            return Ok(());
        }
        let start = StartRecord {
            v: 1,
            id: record::new_id(),
            time: Timestamp::now(),
            posture: Posture::Enclosed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let Some(records) = &self.records else { return Err("nothing is recorded here".to_owned()) };
        records.append(Record::Start(start)).await.map_err(|error| error.to_string())?;
        let mut sessions = known();
        if sessions.len() >= MOST_PROJECTS {
            sessions.clear();
        }
        sessions.insert(session.to_owned());
        Ok(())
    }

    /// The user's own settings, or the defaults while they can't be read.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.project(None).settings().clone()
    }

    /// The way out for what bound calls run, once it is open. Without it there is none.
    #[must_use]
    pub fn egress(&self) -> Option<&Arc<Egress>> {
        self.egress.get()
    }

    /// Joins the door with its egress proxy; the first one stays.
    pub fn set_egress(&self, egress: Arc<Egress>) {
        let _ = self.egress.set(egress);
    }

    /// Whether somebody is there to answer a question, and where.
    #[must_use]
    pub fn attendance(&self) -> Arc<Attendance> {
        Arc::clone(self.dialogs.attendance())
    }

    /// Whether people can be asked.
    #[must_use]
    pub fn has_approver(&self) -> bool {
        self.asks
    }

    /// The log, where there is one.
    #[must_use]
    pub fn log(&self) -> Option<&Arc<Log>> {
        self.records.as_ref().map(Records::log)
    }

    /// The record with its open permits, where there is one. Nothing may run without.
    #[must_use]
    pub const fn records(&self) -> Option<&Records> {
        self.records.as_ref()
    }

    /// Where the layers of the settings are.
    pub(crate) fn places(&self) -> &Places {
        &self.options.places
    }

    pub(crate) fn rewriting(&self) -> MutexGuard<'_, ()> {
        // What it guards is a file that is replaced whole.
        self.rewriting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state directory, where there is one.
    #[must_use]
    pub fn state(&self) -> Option<&Path> {
        self.options.state.as_deref()
    }

    /// Where what people know of tools is kept, where there is a state.
    #[must_use]
    pub fn experiences(&self) -> Option<PathBuf> {
        Some(self.state()?.join(crate::reviewing::EXPERIENCES))
    }

    /// Whether a token opens the HTTP API. Compared in constant time.
    #[must_use]
    pub fn knows_token(&self, token: &str) -> bool {
        let own = self.token.as_bytes();
        let given = token.as_bytes();
        let same = own.iter().zip(given).fold(0_u8, |differs, (own, given)| differs | (own ^ given)) == 0;
        !own.is_empty() && own.len() == given.len() && same
    }

    /// Files that are Doorward's own, which no call may touch.
    #[must_use]
    pub fn own_files(&self) -> Vec<String> {
        let places = &self.options.places;
        let configured = [places.user.as_deref(), places.admin.as_deref()];
        configured
            .into_iter()
            .flatten()
            .filter_map(Path::parent)
            .chain(self.options.state.as_deref())
            .chain(self.options.beside.as_deref())
            .map(|path| path.display().to_string())
            .collect()
    }

    /// Programs that no call may change: Doorward's own, and those that the hook entries of clients name.
    pub(crate) fn own_programs(&self) -> Vec<String> {
        let own = [std::env::current_exe().ok(), doorward_hooks::companion::program().ok()];
        let home = crate::home();
        let settings = home.iter().flat_map(|home| {
            doorward_hooks::install::SETTINGS
                .iter()
                .filter_map(|file| bounded::read_text(&home.join(file)).ok())
        });
        let named = settings.flat_map(|text| doorward_hooks::install::programs_named(&text));
        let mut all: Vec<String> =
            own.into_iter().flatten().chain(named).map(|path| path.display().to_string()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Files that a run inside the sandbox leaves as they are: our programs, and client settings with hook entries.
    #[must_use]
    pub fn fixed_files(&self) -> Vec<std::path::PathBuf> {
        let home = crate::home();
        let settings =
            home.iter().flat_map(|home| doorward_hooks::install::SETTINGS.iter().map(|file| home.join(file)));
        self.own_programs().into_iter().map(Into::into).chain(settings).collect()
    }

    /// What else of Doorward is out of every call's reach, as it stands when it is asked.
    pub(crate) fn own_parts(&self) -> Arc<dyn Fn() -> OwnParts + Send + Sync> {
        let state = self.options.state.clone().unwrap_or_else(doorward_hooks::thin::default_state);
        let parts = OwnParts {
            state: [Some(state), self.options.beside.clone()]
                .into_iter()
                .flatten()
                .map(|state| state.display().to_string())
                .collect(),
            programs: self.own_programs(),
            ports: Vec::new(),
            processes: self.records.iter().map(|_| std::process::id()).collect(),
            agents: doorward_hooks::clients::switches(),
        };
        let ports = Arc::clone(&self.ports);
        Arc::new(move || OwnParts {
            ports: ports.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            ..parts.clone()
        })
    }

    /// Whether a socket's peer is a person's program at a terminal: not below a coding agent, as far as ancestors tell.
    #[must_use]
    pub fn is_at_terminal(&self, peer: Peer) -> bool {
        let is_client = |pid, started| self.sessions.is_client(pid, started);
        // Where the service has a user of its own, the agent's user can be nobody else but the agent.
        let agents = served::is_another() && peer.uid == served::uid();
        !agents && peer.pid.is_some_and(|pid| process::at_terminal(pid, &is_client))
    }

    /// A loopback port that belongs to this service: no call may reach it.
    pub fn add_port(&self, port: u16) {
        self.ports.lock().unwrap_or_else(PoisonError::into_inner).push(port);
    }

    /// How far it is out of the agent's reach, as measured when it was opened.
    #[must_use]
    pub fn posture(&self) -> Posture {
        self.measured.posture
    }

    /// The same with the reasons.
    #[must_use]
    pub const fn measured(&self) -> &Measured {
        &self.measured
    }

    /// How it is doing.
    #[must_use]
    pub fn health(&self) -> Health {
        let log = self.log().map(|log| log.health()).unwrap_or_default();
        let mut problems: Vec<String> =
            [log.unwritable, log.unsigned, log.unanchored].into_iter().flatten().collect();
        problems.extend(self.project(None).problem().map(|problem| problem.text().to_owned()));
        Health {
            ok: problems.is_empty(),
            version: env!("CARGO_PKG_VERSION"),
            posture: self.posture(),
            posture_reasons: self.measured.reasons.clone(),
            records: log.size,
            signed: log.signed,
            sessions: self.sessions.len(),
            open_permits: self.records.as_ref().map_or(0, |records| records.open().len()),
            console: self.attendance().console(),
            notes: self.attendance().port_note().into_iter().collect(),
            problems,
        }
    }

    /// Writes the outcomes that are owed and closes the ledger.
    pub async fn close(&self) {
        if let Some(records) = &self.records {
            records.close().await;
        }
        if let Some(pending) = &self.pending {
            pending.stored().await;
        }
    }

    fn tell(&self, project: &Project, previous: String) {
        let failed = project.problem();
        if let Some(problem) = failed {
            tracing::error!("{}", problem.text());
        }
        let Some(records) = &self.records else { return };
        let told = records.log().append(Record::Policy(PolicyRecord {
            v: 1,
            id: record::new_id(),
            time: Timestamp::now(),
            event: if failed.is_some() { "reload_failed" } else { "loaded" }.to_owned(),
            bundle: project.bundle(),
            previous,
            by: String::new(),
        }));
        if let Err(error) = told {
            tracing::error!("{error}");
        }
    }
}

/// Projects whose rooms are kept.
const MOST_PROJECTS: usize = 256;

fn open_log(state: &Path, settings: &Settings, anchoring: Anchoring) -> Result<Arc<Log>, OpenError> {
    let unwritable = |source| OpenError::State { path: state.to_owned(), source };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state).map_err(unwritable)?;
    let args = match settings.ledger.args {
        LedgerArgs::Redacted => ArgsKept::Redacted,
        LedgerArgs::Digest => ArgsKept::Digest,
        LedgerArgs::None => ArgsKept::None,
    };
    let options = doorward_ledger::Options {
        args,
        anchors: anchoring.known,
        anchor: anchoring.remember,
        ..doorward_ledger::Options::default()
    };
    Log::open(state.join("ledger"), options).map(Arc::new).map_err(|error| OpenError::Ledger(Box::new(error)))
}

/// A ledger with records beside a database that has never heard of it: the database was removed or restored, or the
/// ledger was brought from elsewhere. Older records can't be compared with anything, and the record says so.
fn tell_forgotten(log: &Log) -> Result<(), LedgerError> {
    let message = format!(
        "the database remembers no checkpoint of this ledger, which held {} records when it was opened",
        log.size()
    );
    tracing::warn!("{message} (ledger.unremembered)");
    log.append_blocking(Record::Note(NoteRecord {
        v: 1,
        id: record::new_id(),
        time: Timestamp::now(),
        code: "ledger.unremembered".to_owned(),
        message,
        detail: None,
    }))
    .map(drop)
}

/// The API's token: made once, readable by its owner only.
fn token(state: &Path) -> Result<String, OpenError> {
    let path = state.join(TOKEN_FILE);
    if let Ok(kept) = std::fs::read_to_string(&path)
        && kept.trim().len() == 64
    {
        return Ok(kept.trim().to_owned());
    }
    let failed = |source| OpenError::State { path: path.clone(), source };
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&path).map_err(failed)?;
    file.write_all(token.as_bytes()).map_err(failed)?;
    Ok(token)
}

/// Nobody to ask.
#[derive(Debug)]
pub(crate) struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(std::future::ready(Err("nobody can be asked".to_owned())))
    }

    fn wait<'a>(&'a self, _: &'a str, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(std::future::ready(Answer::NoApprover))
    }

    fn redeem<'a>(&'a self, _: &'a Binding, _: Severity, _: Timestamp) -> Boxed<'a, Option<Grant>> {
        Box::pin(std::future::ready(None))
    }
}
