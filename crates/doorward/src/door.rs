//! The assembly page: one process, one ledger, one book of sessions, and a gate for every project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::finding::Severity;
use doorward_core::id::{DecisionId, Digest, QuestionId};
use doorward_core::record::{LedgerError, Posture};
use doorward_gate::Outcomes;
use doorward_ledger::{Log, Reader};
use doorward_settings::{Layer, OnNoMatch, Settings};
use doorward_store::{Store, StoreError};
use jiff::Timestamp;
use serde::Serialize;

use crate::always::Always;
use crate::anchoring::{Anchoring, Remembered, compare_later};
use crate::approvals::Approvals;
use crate::broker::Broker;
use crate::custody::Custody;
use crate::dialogs::Dialogs;
use crate::egress::{Egress, EgressError};
use crate::elsewhere::EngineHealth;
use crate::hook::Peer;
use crate::installation::{Installation, Options};
use crate::posture::Measured;
use crate::process::{self, KnownClients};
use crate::project::Project;
use crate::projects::{Projects, Shared};
use crate::records::Records;
use crate::reviewing;
use crate::saved_rules::{Asked, SavedRules};
use crate::seals::LedgerSeals;
use crate::served;
use crate::sessions::SessionBook;
use crate::stops::Stops;

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
    /// The store can't be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A setting names a service whose answers count, and not by its key.
    #[error(
        "store.signers: `{0}` is no verifier key; each service shows its own in the file `ledger/vkey` of its state folder"
    )]
    Signer(String),
    /// The egress proxy can't be opened.
    #[error("{0}")]
    Egress(#[from] EgressError),
    /// The first record couldn't be written.
    #[error("{0}")]
    Record(#[from] LedgerError),
}

/// The library's one handle: build it once, ask it for gates.
pub struct Door {
    installation: Arc<Installation>,
    /// `None` where nothing is kept: then nothing may run.
    records: Option<Arc<Records>>,
    sessions: Arc<SessionBook>,
    projects: Arc<Projects>,
    approvals: Approvals,
    custody: Custody,
}

/// How the door is doing.
#[derive(Debug, Clone, Serialize)]
pub struct Health {
    /// Everything works.
    pub ok: bool,
    /// Version of the program.
    pub version: &'static str,
    /// Version, commit, day and profile of the program.
    pub build: &'static str,
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
    /// How the policy engines elsewhere are doing that the settings name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policy_engines: Vec<EngineHealth>,
    /// Where the console is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console: Option<String>,
    /// What is wrong, if anything.
    pub problems: Vec<String>,
    /// What isn't as the settings say and keeps nothing from working: a port that was taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a door is built of before anybody can be asked.
struct Foundation {
    installation: Arc<Installation>,
    records: Option<Arc<Records>>,
    sessions: Arc<SessionBook>,
    stops: Arc<Stops>,
    saved: Arc<SavedRules>,
}

impl Foundation {
    /// Opens the state: directory, token, posture, ledger.
    fn lay(options: Options, anchoring: Anchoring) -> Result<Self, OpenError> {
        let user = options.places.load(None).map(|loaded| loaded.settings).unwrap_or_default();
        let installation = Arc::new(Installation::new(options, &user)?);
        let sessions = Arc::<SessionBook>::default();
        let outcomes = Arc::clone(&sessions) as Arc<dyn Outcomes>;
        let records = match installation.state() {
            Some(state) => Some(Arc::new(Records::open_in(state, &user, anchoring, outcomes)?)),
            None => None,
        };
        let saved = Arc::new(SavedRules::new(Arc::clone(&installation), records.clone()));
        Ok(Self { installation, records, sessions, stops: Arc::default(), saved })
    }

    /// Projects over it, whose calls `people` are asked about.
    fn projects(&self, people: &Arc<Dialogs>) -> Arc<Projects> {
        Projects::new(Shared {
            installation: Arc::clone(&self.installation),
            records: self.records.clone(),
            sessions: Arc::clone(&self.sessions),
            approver: Arc::clone(people) as Arc<dyn Approver>,
            stops: Arc::clone(&self.stops),
            notices: Arc::default(),
            placeholders: Arc::default(),
            engines: Arc::default(),
        })
    }
}

/// Bytes of a call's output that the record keeps.
const MOST_KEPT: usize = 1 << 20;

impl Door {
    /// Opens the state and writes the start record. Nobody can be asked. Settings that can't be read don't keep the
    /// door shut: it opens and denies every call with the reason.
    ///
    /// # Errors
    /// [`OpenError`]: an unwritable state directory, a second instance, a damaged ledger.
    pub fn open(options: Options) -> Result<Arc<Self>, OpenError> {
        let foundation = Foundation::lay(options, Anchoring::default())?;
        let people = Dialogs::over(Arc::new(Nobody));
        let projects = foundation.projects(&people);
        Self::assemble(foundation, projects, Asking { people, asks: false, broker: None }, None)
    }

    /// As [`Door::open`], with an approver of the caller's own.
    ///
    /// # Errors
    /// As [`Door::open`].
    pub fn open_with(options: Options, approver: Arc<dyn Approver>) -> Result<Arc<Self>, OpenError> {
        let foundation = Foundation::lay(options, Anchoring::default())?;
        let people = Dialogs::over(approver);
        let projects = foundation.projects(&people);
        Self::assemble(foundation, projects, Asking { people, asks: true, broker: None }, None)
    }

    /// As [`Door::open`], over a store: questions are durable and answered through it, stops are shared with every
    /// other service on it, and a ledger that was rolled back or replaced beside it doesn't open.
    ///
    /// # Errors
    /// As [`Door::open`], or the store can't be read, or the egress proxy can't be opened.
    pub async fn open_with_store(
        options: Options,
        store: Store,
        remembered: Remembered,
    ) -> Result<Arc<Self>, OpenError> {
        let anchoring = Anchoring::over(&store, remembered).await?;
        let signers =
            options.places.load(None).map(|loaded| loaded.settings.store.signers).unwrap_or_default();
        let unknown = anchoring.unknown.clone();
        let egress = options.egress.clone();
        let foundation = Foundation::lay(options, anchoring)?;
        let records = foundation.records.as_ref().ok_or_else(Self::unrecorded)?;
        let (ledger, stops) = (records.ledger(), Arc::clone(&foundation.stops));
        if let Some(remembered) = unknown {
            let (log, stops) = (records.log(), Arc::downgrade(&stops));
            let place = (log.dir().to_owned(), log.size());
            tokio::spawn(compare_later(store.clone(), remembered, place, stops));
        }
        let seals = LedgerSeals::new(Arc::clone(records.log()), &signers).map_err(OpenError::Signer)?;
        store.seal_with(Arc::new(seals));
        SessionBook::keep_in(&foundation.sessions, store.clone()).await?;
        let (saved, sessions) = (Arc::clone(&foundation.saved), Arc::clone(&foundation.sessions));
        let broker = Broker::over(store, ledger, stops, saved, sessions).await?;
        let people = Dialogs::over(Arc::clone(&broker) as Arc<dyn Approver>);
        let projects = foundation.projects(&people);
        let egress = match egress {
            Some(socket) => Some(Egress::over(&projects, socket).await?),
            None => None,
        };
        Self::assemble(foundation, projects, Asking { people, asks: true, broker: Some(broker) }, egress)
    }

    fn unrecorded() -> OpenError {
        OpenError::Egress(EgressError::Unrecorded)
    }

    /// Puts the parts together and writes the start record.
    fn assemble(
        foundation: Foundation,
        projects: Arc<Projects>,
        asking: Asking,
        egress: Option<Arc<Egress>>,
    ) -> Result<Arc<Self>, OpenError> {
        let Foundation { installation, records, sessions, stops, saved } = foundation;
        let always = Always::new(saved, Arc::clone(&projects));
        let notices = Arc::clone(&projects.shared().notices);
        let approvals = Approvals::new(asking.broker, asking.people, asking.asks, stops, notices, always);
        if let Some(records) = &records {
            let unreadable = |error: std::io::Error| doorward_ledger::OpenError {
                code: "ledger.unreadable",
                message: format!("marks of sessions can't be read: {error}"),
                report: None,
            };
            let restored = Reader::open(records.log().dir()).and_then(|log| sessions.restore(&log));
            restored.map_err(|error| OpenError::Ledger(Box::new(unreadable(error))))?;
            sessions.note_in(records.ledger());
            records.started(installation.posture())?;
        }
        let custody = Custody::new(egress);
        let door = Arc::new(Self { installation, records, sessions, projects, approvals, custody });
        // The first call shouldn't pay for compiling the policies.
        let _ = door.project(None);
        Ok(door)
    }

    /// The projects.
    #[must_use]
    pub const fn projects(&self) -> &Arc<Projects> {
        &self.projects
    }

    /// What people say about calls.
    #[must_use]
    pub const fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// What Doorward runs itself.
    #[must_use]
    pub const fn custody(&self) -> &Custody {
        &self.custody
    }

    /// State of sessions.
    #[must_use]
    pub const fn sessions(&self) -> &Arc<SessionBook> {
        &self.sessions
    }

    /// The record with its open permits, where there is one. Nothing may run without.
    #[must_use]
    pub fn records(&self) -> Option<&Records> {
        self.records.as_deref()
    }

    /// The log, where there is one.
    #[must_use]
    pub fn log(&self) -> Option<&Arc<Log>> {
        self.records().map(Records::log)
    }

    /// As [`Projects::get`].
    pub fn project(&self, root: Option<&Path>) -> Arc<Project> {
        self.projects.get(root)
    }

    /// As [`Projects::get_for`].
    pub fn project_for(&self, root: Option<&Path>, on_no_match: OnNoMatch) -> Arc<Project> {
        self.projects.get_for(root, on_no_match)
    }

    /// As `Projects::get_with`.
    pub(crate) fn project_with(
        &self,
        root: Option<&Path>,
        on_no_match: OnNoMatch,
        further: Vec<Layer>,
    ) -> Arc<Project> {
        self.projects.get_with(root, on_no_match, further)
    }

    /// The user's own settings, or the defaults while they can't be read.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.project(None).settings().clone()
    }

    /// What a call put out, as the record keeps it where the settings say so: without secrets, its beginning.
    #[must_use]
    pub fn kept_output(&self, text: &str) -> Option<String> {
        (self.settings().ledger.keep_output && !text.is_empty()).then(|| {
            crate::secrets::redact(text.get(..text.floor_char_boundary(MOST_KEPT)).unwrap_or_default())
        })
    }

    /// The digest of what a call put out, without secrets, and its text where the settings keep it.
    #[must_use]
    pub fn output(&self, text: &str) -> (Option<Digest>, Option<String>) {
        let digest = (!text.is_empty()).then(|| Digest::of(crate::secrets::redact(text).as_bytes()));
        (digest, self.kept_output(text))
    }

    /// What the ledger kept of a question. `None` where it can't be had; then nothing can be saved either.
    #[must_use]
    pub fn asked(&self, decision: &DecisionId) -> Option<Asked> {
        self.approvals.always().saved().asked(decision)
    }

    pub(crate) const fn installation(&self) -> &Arc<Installation> {
        &self.installation
    }

    /// The state directory, where there is one.
    #[must_use]
    pub fn state(&self) -> Option<&Path> {
        self.installation.state()
    }

    /// Where what people know of tools is kept, where there is a state.
    #[must_use]
    pub fn experiences(&self) -> Option<PathBuf> {
        self.installation.experiences()
    }

    /// Whether a token opens the HTTP API. Compared in constant time.
    #[must_use]
    pub fn knows_token(&self, token: &str) -> bool {
        self.installation.knows_token(token)
    }

    /// Folders that are Doorward's own, which no call may touch.
    #[must_use]
    pub fn own_files(&self) -> Vec<String> {
        self.installation.own_files()
    }

    /// Files that a run inside the sandbox leaves as they are: our programs, and client settings with hook entries.
    #[must_use]
    pub fn fixed_files(&self) -> Vec<PathBuf> {
        Installation::fixed_files()
    }

    /// Whether a socket's peer is a person's program at a terminal that no coding agent can have made.
    #[must_use]
    pub fn is_at_terminal(&self, peer: Peer) -> bool {
        let is_client = |pid, started| self.sessions.is_client(pid, started);
        // Where the service has a user of its own, the agent's user can be nobody else but the agent.
        let agents = served::is_another() && peer.uid == served::uid();
        let clients = KnownClients { is_client: &is_client, oldest: self.sessions.oldest_client() };
        !agents && peer.pid.is_some_and(|pid| process::at_terminal(pid, &clients))
    }

    /// Whether a caller may loosen what guards this user: a person at a terminal, or anybody while no agent was seen.
    #[must_use]
    pub fn may_loosen(&self, is_person: bool) -> bool {
        is_person || self.sessions.oldest_client().is_none()
    }

    /// A loopback port that belongs to this service: no call may reach it.
    pub fn add_port(&self, port: u16) {
        self.installation.add_port(port);
    }

    /// How far it is out of the agent's reach, as measured when it was opened, with the reasons.
    #[must_use]
    pub fn measured(&self) -> &Measured {
        self.installation.measured()
    }

    /// Until when only floors stop a call, while a person has it so.
    #[must_use]
    pub fn paused_until(&self) -> Option<Timestamp> {
        self.project(None).settings().modes.observes(Timestamp::now())
    }

    /// How it is doing.
    #[must_use]
    pub fn health(&self) -> Health {
        let log = self.log().map(|log| log.health()).unwrap_or_default();
        let mut problems: Vec<String> =
            [log.unwritable, log.unsigned, log.unanchored].into_iter().flatten().collect();
        problems.extend(self.approvals.broker().and_then(|broker| broker.problem()));
        let project = self.project(None);
        problems.extend(project.problem().map(|problem| format!("{} ({})", problem.text(), problem.code())));
        problems.extend(project.faults().iter().cloned());
        problems.extend(reviewing::reviews().failing());
        let observing = self.paused_until();
        let observing = observing
            .map(|until| format!("only floors stop calls until {until:.0}; end it with: doorward pause off"));
        let policy_engines = self.projects.shared().engines.health();
        problems.extend(policy_engines.iter().filter_map(|engine| engine.fault.clone()));
        Health {
            ok: problems.is_empty(),
            version: env!("CARGO_PKG_VERSION"),
            build: crate::BUILD,
            posture: self.installation.posture(),
            posture_reasons: self.measured().reasons.clone(),
            records: log.size,
            signed: log.signed,
            sessions: self.sessions.len(),
            open_permits: self.records().map_or(0, |records| records.open().len()),
            policy_engines,
            console: self.approvals.attendance().console(),
            notes: self
                .approvals
                .attendance()
                .port_note()
                .into_iter()
                .chain(observing)
                .chain(project.notes().iter().cloned())
                .collect(),
            problems,
        }
    }

    /// Writes the outcomes that are owed and closes the ledger.
    pub async fn close(&self) {
        self.sessions.flush().await;
        if let Some(records) = &self.records {
            records.close().await;
        }
    }
}

/// Who is asked, as the door is put together.
struct Asking {
    people: Arc<Dialogs>,
    asks: bool,
    broker: Option<Arc<Broker>>,
}

/// Nobody to ask.
#[derive(Debug)]
pub(crate) struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(std::future::ready(Err("nobody can be asked".to_owned())))
    }

    fn wait<'a>(&'a self, _: &'a QuestionId, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(std::future::ready(Answer::NoApprover))
    }

    fn redeem<'a>(&'a self, _: &'a Binding, _: Severity, _: Timestamp) -> Boxed<'a, Option<Grant>> {
        Box::pin(std::future::ready(None))
    }
}
