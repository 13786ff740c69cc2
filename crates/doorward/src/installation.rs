//! Where a door is installed: its state folder, settings, programs and ports, how far all of it is out of the agent's
//! reach, and the token of its HTTP API.

use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::assessment::Analyzer;
use doorward_core::record::Posture;
use doorward_inspect::OwnParts;
use doorward_paths::bounded;
use doorward_settings::Settings;

use crate::door::OpenError;
use crate::layers::Places;
use crate::posture::{self, Measured};

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
    /// Socket of the egress proxy that is opened with the door; `None` for no proxy. Only a door with a store
    /// (`Door::open_with_store`) opens one.
    pub egress: Option<PathBuf>,
    /// Analyzers of the embedding program, which take part beside those that the settings name.
    pub analyzers: OwnAnalyzers,
}

/// Analyzers of the program that embeds the gate. None of them can lower what another found.
#[derive(Clone, Default)]
pub struct OwnAnalyzers(pub Vec<Arc<dyn Analyzer>>);

impl std::fmt::Debug for OwnAnalyzers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|analyzer| analyzer.name())).finish()
    }
}

impl Options {
    /// A state directory, and settings from these places.
    #[must_use]
    pub const fn at(state: PathBuf, places: Places) -> Self {
        let analyzers = OwnAnalyzers(Vec::new());
        Self { state: Some(state), places, socket: None, beside: None, egress: None, analyzers }
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
    pub const fn simulation(places: Places) -> Self {
        let analyzers = OwnAnalyzers(Vec::new());
        Self { state: None, places, socket: None, beside: None, egress: None, analyzers }
    }
}

/// What belongs to Doorward on this machine.
pub(crate) struct Installation {
    options: Options,
    measured: Measured,
    token: String,
    /// Loopback ports of this service.
    ports: Arc<Mutex<Vec<u16>>>,
}

impl Installation {
    /// Makes the state directory and the token, and measures the posture.
    ///
    /// # Errors
    /// [`OpenError::State`]; [`OpenError::Posture`] if the settings require more than is reached.
    pub(crate) fn new(options: Options, user: &Settings) -> Result<Self, OpenError> {
        let token = match &options.state {
            Some(state) => {
                let unwritable = |source| OpenError::State { path: state.clone(), source };
                std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state).map_err(unwritable)?;
                token(state)?
            }
            None => String::new(),
        };
        let measured = posture::measure(options.state.as_deref(), options.socket.as_deref(), &options.places);
        if options.state.is_some() && !measured.reaches(user.service.posture) {
            return Err(OpenError::Posture(measured.shortfall(user.service.posture)));
        }
        Ok(Self { options, measured, token, ports: Arc::default() })
    }

    /// The state directory, where there is one.
    pub(crate) fn state(&self) -> Option<&Path> {
        self.options.state.as_deref()
    }

    /// Where the layers of the settings are.
    pub(crate) const fn places(&self) -> &Places {
        &self.options.places
    }

    /// Analyzers of the embedding program.
    pub(crate) fn analyzers(&self) -> &[Arc<dyn Analyzer>] {
        &self.options.analyzers.0
    }

    /// How far it is out of the agent's reach, as measured when it was opened.
    pub(crate) const fn measured(&self) -> &Measured {
        &self.measured
    }

    pub(crate) fn posture(&self) -> Posture {
        self.measured.posture
    }

    /// Where what people know of tools is kept: in the state directory, also for what only judges in its place.
    pub(crate) fn experiences(&self) -> Option<PathBuf> {
        let state = self.state().map(Path::to_owned).or_else(|| self.places().state())?;
        Some(state.join(crate::reviewing::EXPERIENCES))
    }

    /// Whether a token opens the HTTP API. Compared in constant time.
    pub(crate) fn knows_token(&self, token: &str) -> bool {
        let own = self.token.as_bytes();
        let given = token.as_bytes();
        let same = own.iter().zip(given).fold(0_u8, |differs, (own, given)| differs | (own ^ given)) == 0;
        !own.is_empty() && own.len() == given.len() && same
    }

    /// Folders that are Doorward's own, which no call may touch.
    pub(crate) fn own_files(&self) -> Vec<String> {
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
    pub(crate) fn own_programs() -> Vec<String> {
        let home = crate::home();
        let settings = home.iter().flat_map(|home| {
            doorward_hooks::install::SETTINGS
                .iter()
                .filter_map(|file| bounded::read_text(&home.join(file)).ok())
        });
        let named = settings.flat_map(|text| doorward_hooks::install::programs_named(&text));
        let own = doorward_hooks::companion::both();
        let mut all: Vec<String> =
            own.into_iter().chain(named).map(|path| path.display().to_string()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Files that a run inside the sandbox leaves as they are: our programs, and client settings with hook entries.
    pub(crate) fn fixed_files() -> Vec<PathBuf> {
        let home = crate::home();
        let settings =
            home.iter().flat_map(|home| doorward_hooks::install::SETTINGS.iter().map(|file| home.join(file)));
        Self::own_programs().into_iter().map(Into::into).chain(settings).collect()
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
            programs: Self::own_programs(),
            ports: Vec::new(),
            processes: self.options.state.iter().map(|_| std::process::id()).collect(),
            agents: doorward_hooks::clients::switches(),
        };
        let ports = Arc::clone(&self.ports);
        Arc::new(move || OwnParts {
            ports: ports.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            ..parts.clone()
        })
    }

    /// A loopback port that belongs to this service: no call may reach it.
    pub(crate) fn add_port(&self, port: u16) {
        self.ports.lock().unwrap_or_else(PoisonError::into_inner).push(port);
    }
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
