//! Runs commands through the gate and in the sandbox: the only way anything runs in the lab.
//!
//! The user started the exploration, and the program sees a temporary workspace without network. So the user's
//! rules about their own machine aren't applied ([`Lab`]); the floor, the administrator's rules and the full tier
//! still are. The records stay in the lab's own ledger: a trial authorises nothing.

use std::path::Path;
use std::sync::Arc;

use doorward::entrance::{Entrance, LabelDuty};
use doorward::layers::{FILE, Places};
use doorward::rooms::hooks::ClientMode;
use doorward::{Door, Options, Project};
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Surface, ToolCall, Workplace,
};
use doorward_core::json::{Object, Value};
use doorward_core::tool::{CanonicalTool, Client};
use doorward_gate::{Admission, Case, Denial, Judged, Permit};
use doorward_net::GuardConfig;
use doorward_sandbox::{Engine, Finished, Listener, Manner, Sandbox, Stopper};

/// Why something didn't run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The gate denied it, or required a person.
    #[error("lab.refused: {reason} ({code})")]
    Refused {
        /// The gate's code.
        code: String,
        /// Why.
        reason: String,
    },
    /// The sandbox couldn't provide the required bounds.
    #[error("lab.sandbox: {reason} ({code})")]
    Sandbox {
        /// The sandbox's code.
        code: String,
        /// Why.
        reason: String,
    },
    /// The record couldn't be closed.
    #[error("lab.record: {0}")]
    Record(String),
    /// A runtime, thread or pipe couldn't be created.
    #[error("lab.io: {0}")]
    Io(#[from] std::io::Error),
}

/// The lab's settings: without rules about the user's machine.
const SETTINGS: &str = "[policy]\npacks = []\n";

/// A gate for the lab, with its own settings and the administrator's.
pub struct Lab {
    door: Arc<Door>,
    project: Arc<Project>,
    // The settings are read again for every project. They have a separate folder, because everything next to
    // settings counts as Doorward's own.
    _settings: tempfile::TempDir,
}

impl std::fmt::Debug for Lab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab").finish_non_exhaustive()
    }
}

impl Lab {
    /// With the settings for exploration.
    ///
    /// # Errors
    /// As [`Lab::with`].
    pub fn open() -> Result<Self, RunError> {
        Self::with(SETTINGS)
    }

    /// With these settings instead of the user's.
    ///
    /// # Errors
    /// [`RunError::Io`]: the settings can't be written. [`RunError::Refused`]: they, or the administrator's, don't
    /// load.
    pub fn with(settings: &str) -> Result<Self, RunError> {
        let refused = |reason: String| RunError::Refused { code: "lab.settings".to_owned(), reason };
        let folder = tempfile::Builder::new().prefix("doorward-settings-").tempdir()?;
        let file = folder.path().join(FILE);
        std::fs::write(&file, settings)?;
        let places = Places { user: Some(file), ..Places::usual(None) };
        // Runs are recorded as usual, in a ledger of the lab's own.
        let options = Options { state: Some(folder.path().join("state")), ..Options::simulation(places) };
        let door = Door::open(options).map_err(|error| refused(error.to_string()))?;
        let project = door.project(None);
        match project.problem() {
            Some(problem) => Err(refused(problem.text().to_owned())),
            None => Ok(Self { door, project, _settings: folder }),
        }
    }
}

/// Runs commands that the gate admits.
pub struct Runner {
    lab: Lab,
    sandbox: Arc<Sandbox>,
    net: GuardConfig,
    runtime: tokio::runtime::Runtime,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").finish_non_exhaustive()
    }
}

impl Runner {
    /// Uses this gate.
    ///
    /// # Errors
    /// [`RunError::Io`]: no runtime.
    pub fn new(lab: Lab) -> Result<Self, RunError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        Ok(Self { lab, sandbox: Arc::new(Sandbox::new(Engine::new())), net: GuardConfig::default(), runtime })
    }

    /// Uses the user's own list of reachable hosts; for remote servers.
    #[must_use]
    pub fn reaching(mut self, net: GuardConfig) -> Self {
        self.net = net;
        self
    }

    /// The hosts that may be reached.
    #[must_use]
    pub const fn net(&self) -> &GuardConfig {
        &self.net
    }

    /// Runs a future in the background.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(future);
    }

    /// Runs a future to its end.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// A shell command as the call of an agent in mode bypassPermissions.
    #[must_use]
    pub fn command(&self, text: &str, cwd: &Path, roots: &[&Path], session: &str) -> ToolCall {
        let root = |path: &&Path| Root { path: path.display().to_string(), access: RootAccess::Write };
        let caller = Caller {
            principal: Principal { id: "lab".to_owned(), groups: Vec::new() },
            session: session.into(),
            client: Client::Doorward,
            surface: Surface::Cli,
            custody: Custody::Bound,
        };
        let place = Workplace {
            cwd: cwd.display().to_string(),
            roots: roots.iter().map(root).collect(),
            outside: OutsideRoots::Ask,
        };
        let args = Object::from([("command".to_owned(), Value::from(text))]);
        let entrance = Entrance::new(caller, CanonicalTool::Shell.into(), args, place);
        let entrance = entrance.settled(Some(ClientMode::Bypass), Prompt::Client);
        // Nobody asked a model for a label here.
        Entrance { label: LabelDuty::Volunteered, ..entrance }.call(self.lab.project.settings())
    }

    /// The effects of a call, and the verdict on it.
    ///
    /// # Errors
    /// [`RunError::Refused`].
    pub fn judged(&self, call: ToolCall) -> Result<Case, RunError> {
        let session = self.lab.door.sessions().look(&call);
        let judged = self.runtime.block_on(self.lab.project.judge().simulate(call, session));
        let refused = |denial: Denial| RunError::Refused { code: denial.code, reason: denial.reason };
        judged.map(Judged::into_case).map_err(refused)
    }

    /// Requests a permit for a call.
    ///
    /// # Errors
    /// [`RunError::Refused`]: a denial, or a question, which can't be answered here.
    pub fn admit(&self, call: ToolCall) -> Result<Permit, RunError> {
        match self.runtime.block_on(self.lab.project.admit(call)) {
            Admission::Admitted(permit) => Ok(permit),
            Admission::Denied(denial) => Err(RunError::Refused { code: denial.code, reason: denial.reason }),
            Admission::Pending(pending) => {
                Err(RunError::Refused { code: "lab.needs_person".to_owned(), reason: pending.ask.reason })
            }
        }
    }

    /// Runs a permit to its end. Blocks; `started` gets a handle that can end it.
    pub fn run(
        &self,
        permit: Permit,
        manner: Manner,
        listener: Option<Listener>,
        started: impl FnOnce(Stopper),
    ) -> Result<RecordedRun, RunError> {
        let ended = run(&self.sandbox, permit, manner, listener, started);
        self.runtime.block_on(close(ended))
    }

    /// As [`Runner::run`], on a new thread.
    pub(crate) fn start(
        &self,
        permit: Permit,
        manner: Manner,
        listener: Listener,
        started: impl FnOnce(Stopper) + Send + 'static,
    ) -> std::thread::JoinHandle<Result<RecordedRun, RunError>> {
        let sandbox = Arc::clone(&self.sandbox);
        let handle = self.runtime.handle().clone();
        std::thread::spawn(move || {
            let ended = run(&sandbox, permit, manner, Some(listener), started);
            handle.block_on(close(ended))
        })
    }
}

/// A finished and recorded run.
#[derive(Debug)]
pub struct RecordedRun {
    /// Its bounds, status and observations.
    pub report: doorward_sandbox::Report,
}

type Ended = Result<Finished, Box<doorward_sandbox::NotRun>>;

fn run(
    sandbox: &Sandbox,
    permit: Permit,
    manner: Manner,
    listener: Option<Listener>,
    started: impl FnOnce(Stopper),
) -> Ended {
    sandbox.run_stoppable(permit, manner, listener, started)
}

async fn close(ended: Ended) -> Result<RecordedRun, RunError> {
    let record = |error: doorward_core::record::LedgerError| RunError::Record(error.to_string());
    match ended {
        Ok(finished) => {
            finished.owed.close().await.map_err(record)?;
            Ok(RecordedRun { report: finished.report })
        }
        Err(refused) => {
            refused.owed.close().await.map_err(record)?;
            Err(RunError::Sandbox { code: refused.code, reason: refused.reason })
        }
    }
}
