//! `inspect` as the gate asks for it: over the live world, with the detectors and the host policy of a project.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::approval::Presence;
use doorward_core::call::{Custody, OutsideRoots, Prompt, ToolCall};
use doorward_core::decision::Verdict;
use doorward_core::effect::{Inspected, Protection, SandboxFacts};
use doorward_core::finding::Finding;
use doorward_core::id::DecisionId;
use doorward_core::json::Value;
use doorward_core::session::SessionView;
use doorward_core::tool::CanonicalTool;
use doorward_core::world::World;
use doorward_gate::{Case, CoveredContent, Denial, Inspect, Sessions, Turn};
use doorward_guardian::EffectsOf;
use doorward_inspect::{Deed, GivenFiles, Hosts, Inspector, Limits, LiveWorld, Structure, Written};
use doorward_paths::OwnFiles;
use doorward_settings::Settings;

use crate::counters::Counting;
use crate::installation::Installation;
use crate::own_tools::{self, KnowledgeFile};
use crate::projects::Shared;
use crate::secrets::{Secrets, masked, named, redact};
use crate::sessions::{Place, SessionBook};
use crate::stops::Stops;
use crate::watched::Watched;

/// An inspector with what is known of the sandbox.
#[derive(Debug, Clone)]
pub(crate) struct Inspecting {
    inspector: Inspector,
    sandbox: SandboxFacts,
    stops: Arc<Stops>,
    /// What sessions remember; none where single calls are tried.
    sessions: Option<Arc<SessionBook>>,
    counting: Counting,
    watched: Watched,
}

/// The files of this machine.
fn live(settings: &Settings) -> LiveWorld {
    // With `paths.roots = "strict"` there is no scratch: the temp folder is outside like any other place.
    let is_strict = settings.paths.roots == Some(OutsideRoots::Strict);
    let scratch = (!is_strict).then(|| std::env::temp_dir().display().to_string());
    LiveWorld::new(crate::home().map(|home| home.display().to_string()), scratch.into_iter().collect())
}

impl Inspecting {
    pub(crate) fn new(shared: &Shared, root: Option<&Path>, settings: &Settings) -> Self {
        let world = Arc::new(live(settings));
        let knowledge = own_tools::read(&settings.knowledge, root);
        let own = with_knowledge(own_files(&shared.installation, root), &knowledge);
        let over = Self::over(world, settings, own, SandboxFacts::default());
        let inspector = over
            .inspector
            .with_tools(own_tools::tools(&knowledge).0)
            .with_secrets(Arc::new(Secrets::knowing(&shared.placeholders)))
            .with_own_parts(shared.installation.own_parts());
        let sessions = Some(Arc::clone(&shared.sessions));
        Self { inspector, stops: Arc::clone(&shared.stops), sessions, ..over }
    }

    /// Over the live world with further files in it, named absolutely or from `cwd`.
    pub(crate) fn with_files(
        shared: &Shared,
        settings: &Settings,
        cwd: &str,
        files: BTreeMap<String, String>,
    ) -> Self {
        let files = files.into_iter().map(|(path, text)| (doorward_paths::lexical::join(cwd, &path), text));
        let world = Arc::new(GivenFiles::over(Arc::new(live(settings)), files.collect()));
        let over =
            Self::over(world, settings, own_files(&shared.installation, None), SandboxFacts::default());
        let inspector = over.inspector.with_own_parts(shared.installation.own_parts());
        Self { inspector, ..over }
    }

    /// Over any world, for tests and replays.
    #[must_use]
    pub(crate) fn over(
        world: Arc<dyn World>,
        settings: &Settings,
        own: OwnFiles,
        sandbox: SandboxFacts,
    ) -> Self {
        let inspector = Inspector::new(world)
            .with_hosts(Arc::new(Hosts::new(&settings.net)))
            .with_secrets(Arc::new(Secrets::default()))
            .with_own_files(with_protected(own, &settings.paths.protected))
            .with_tools(own_tools::tools(&own_tools::read(&settings.knowledge, None)).0)
            .with_limits(limits(settings));
        Self {
            inspector,
            sandbox,
            stops: Arc::default(),
            sessions: None,
            counting: Counting::of(settings),
            watched: Watched::of(settings),
        }
    }

    /// With what sessions remember.
    #[must_use]
    pub(crate) fn remembering(mut self, sessions: &Arc<SessionBook>) -> Self {
        self.sessions = Some(Arc::clone(sessions));
        self
    }

    /// What is known of the sandbox of a call. Only of our own anything is verified: what whoever carries out a call
    /// says of its sandbox is declared.
    fn sandbox_of(&self, call: &ToolCall) -> SandboxFacts {
        match (call.sandbox.as_deref(), call.custody) {
            (Some(promised), Custody::Bound) => promised.clone(),
            (Some(claimed), Custody::Advised | Custody::Relayed) => claimed.clone().unchecked(),
            (None, _) => self.sandbox.clone(),
        }
    }

    pub(crate) fn written(&self, inspected: &Inspected) -> Written {
        self.inspector.writes_of(&inspected.call, &inspected.session)
    }
}

impl Inspect for Inspecting {
    fn inspect(&self, call: ToolCall, session: Arc<SessionView>) -> Inspected {
        let sandbox = self.sandbox_of(&call);
        let mut inspected = self.inspector.take(call, session, &sandbox);
        inspected.findings.extend(self.stops.finding(&inspected.call));
        let labelled = self.watched.findings(&inspected);
        for finding in inspected.call.found.clone().into_iter().chain(labelled) {
            inspected.risk = finding.risk.map_or(inspected.risk, |risk| inspected.risk.join(risk));
            inspected.findings.push(finding);
        }
        let doubt = self.stops.doubt(&inspected);
        inspected.findings.extend(doubt);
        if let Some(sessions) = &self.sessions {
            sessions.judge(&mut inspected, &self.counting);
        }
        inspected
    }

    fn final_check(&self, inspected: &Inspected) -> Result<(), Finding> {
        // Stopped while it was judged: it doesn't run.
        self.stops.finding(&inspected.call).map_or(Ok(()), Err)?;
        self.inspector.final_check(inspected)
    }

    fn covered(&self, inspected: &Inspected) -> CoveredContent {
        let (digest, unfollowed) = doorward_inspect::covered(&self.inspector, inspected);
        CoveredContent { digest, unfollowed }
    }

    fn redact_session(&self, session: &SessionView) -> SessionView {
        doorward_inspect::redacted_session(session, &redact)
    }

    fn redact(&self, inspected: &Inspected) -> Inspected {
        let mut redacted = doorward_inspect::redacted(inspected, &redact);
        // A value may be a secret by the name it stands under.
        if let Value::Object(args) = masked(&inspected.call.args_value()) {
            redacted.call.args = args;
        }
        redacted
    }

    fn shown(&self, inspected: &Inspected) -> Value {
        named(&inspected.call.args_value())
    }
}

impl EffectsOf for Inspecting {
    fn effects_of(&self, inspected: &Inspected, command: &str) -> serde_json::Value {
        let args = [("command".to_owned(), command.into())].into();
        let mut call = inspected.call.clone();
        (call.tool, call.args) = (CanonicalTool::Shell.into(), args);
        let seen = self.redact(&self.inspector.inspect(&call, &inspected.session, &self.sandbox));
        serde_json::json!({
            "risk": seen.risk,
            "effects": seen.effects.facts(),
            "findings": seen.findings.iter().map(|finding| &finding.message).collect::<Vec<_>>(),
        })
    }
}

/// The book of sessions with the project's inspector beside it, which knows what a call writes.
pub(crate) struct Remembering {
    pub(crate) book: Arc<SessionBook>,
    pub(crate) inspecting: Arc<Inspecting>,
}

impl Sessions for Remembering {
    fn enter<'a>(&'a self, call: &'a ToolCall) -> Boxed<'a, Result<Box<dyn Turn>, Denial>> {
        Box::pin(async move {
            let place = SessionBook::enter(&self.book, call).await?;
            let inspecting = Arc::clone(&self.inspecting);
            Ok(Box::new(Remembered { place, inspecting }) as Box<dyn Turn>)
        })
    }
}

struct Remembered {
    place: Place,
    inspecting: Arc<Inspecting>,
}

impl Turn for Remembered {
    fn view(&self) -> Arc<SessionView> {
        self.place.view()
    }

    fn under_way(&mut self, inspected: &Inspected) {
        self.place.under_way(Deed::of(inspected, self.inspecting.written(inspected)));
    }

    fn marks(&self) -> Vec<String> {
        self.place.marks()
    }

    fn settled(&mut self, case: &Case, decision: &DecisionId) {
        let (decided, call) = (case.decision(), &case.inspected().call);
        let level = decided.confirm.as_ref().map_or(1, |confirm| confirm.level);
        let left =
            decided.verdict == Verdict::Confirm && call.asked_through(decided.basis, level) == Prompt::Client;
        // Nobody will tell whether the client's dialog let it pass: it counts as a call that may have run.
        let counts_as = if left && call.unreported { Verdict::Allow } else { decided.verdict };
        if decided.verdict == Verdict::Allow && by_a_person(case) {
            self.place.agreed();
        }
        self.place.settled(counts_as, decision);
    }
}

/// Whether a person's yes settled the call, whichever way it came.
fn by_a_person(case: &Case) -> bool {
    case.grant().is_some_and(|grant| grant.presence != Presence::ClientRule)
}

/// What the settings forbid beside the tables.
fn limits(settings: &Settings) -> Limits {
    let structure = match settings.shell.structure {
        doorward_settings::Structure::Any => Structure::Any,
        doorward_settings::Structure::Pipeline => Structure::Pipeline,
        doorward_settings::Structure::Single => Structure::Single,
    };
    Limits { structure, relative_only: settings.paths.relative_only, ..Limits::default() }
}

/// Further names that are asked about: absolute, below the home, or wherever a folder of this name is.
fn with_protected(mut own: OwnFiles, protected: &[String]) -> OwnFiles {
    for text in protected {
        let below_home = text.strip_prefix("~/").zip(crate::home());
        match below_home.map(|(rest, home)| home.join(rest)) {
            Some(place) => own.add(place, Protection::Ask),
            None if text.starts_with('/') => own.add(text, Protection::Ask),
            None => own.add_name(text, Protection::Ask),
        }
    }
    own
}

/// Who can change these files can change how their programs are judged.
fn with_knowledge(mut own: OwnFiles, files: &[KnowledgeFile]) -> OwnFiles {
    for file in files {
        own.add(&file.path, Protection::Own);
    }
    own
}

/// Doorward's own files: its state, its settings, its programs, and the settings of clients that decide whether their
/// hooks run, in the home folder and in the project.
fn own_files(installation: &Installation, root: Option<&Path>) -> OwnFiles {
    let mut own = OwnFiles::new();
    let (mut state, programs) = (installation.own_files(), Installation::own_programs());
    // Where they are by default as well, also for what only judges and reads no settings.
    let usual = crate::layers::Places::usual(crate::home().as_deref());
    let folders =
        [usual.user.as_deref(), usual.admin.as_deref()].into_iter().flatten().filter_map(Path::parent);
    state.extend(folders.map(|folder| folder.display().to_string()));
    state.push(doorward_hooks::thin::default_state().display().to_string());
    for place in state.iter().chain(&programs) {
        own.add(place, Protection::Own);
    }
    // By name too, for patterns that could match them.
    for folder in &state {
        for name in doorward_inspect::STATE_NAMES {
            own.add(Path::new(folder).join(name), Protection::Own);
        }
    }
    for folder in crate::home().as_deref().into_iter().chain(root) {
        for file in doorward_hooks::install::SETTINGS.iter() {
            own.add(folder.join(file), Protection::Own);
        }
    }
    own
}
