//! The rooms of one project: its settings, policies and gate, replaced whole when their content changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::approval::Grant;
use doorward_core::assessment::Assessment;
use doorward_core::call::{Root, ToolCall};
use doorward_core::decision::{PolicyDecision, PolicyEngine};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::Guardian;
use doorward_gate::{Admission, Denial, Gate, Inspect, Judge, Review, Rooms, Stages};
use doorward_guardian::{EffectsOf, Investigator};
use doorward_paths::bounded;
use doorward_policy::cedar::{CedarEngine, Compiled, Source};
use doorward_policy::packs::{self, PACKS, Pack};
use doorward_policy::shorthand::{List, RuleSource, RuleSources};
use doorward_settings::{ConfirmPolicy, Knowledge, Layer, LedgerArgs, OnNoMatch, Profile, Settings};
use doorward_shell::programs::Tools;
use jiff::SignedDuration;

use crate::counters;
use crate::elsewhere::{Both, Elsewhere};
use crate::hook::writable;
use crate::inspecting::{Inspecting, Remembering};
use crate::layers::LayerError;
use crate::notices::NamedNotices;
use crate::own_tools::{self, KnowledgeFile};
use crate::problem::Problem;
use crate::projects::Shared;
use crate::reviewing;
use crate::settle::ModeAndPolicy;
use crate::starting;
use crate::watched;

/// The pack in force where no settings name one.
const DEFAULT_PACK: &str = "coding-agent";

/// A project's rooms.
pub struct Project {
    root: Option<PathBuf>,
    settings: Settings,
    sources: Seen,
    judge: Judge,
    /// Where there is a record: without one nothing may run.
    gate: Option<Gate>,
    engine: Arc<dyn PolicyEngine>,
    /// The embedded engine, for questions that aren't calls.
    cedar: Option<Arc<CedarEngine>>,
    /// The policy engine elsewhere, where the settings name one.
    elsewhere: Option<Arc<Elsewhere>>,
    problem: Option<Problem>,
    /// What the settings name and can't be asked.
    faults: Vec<String>,
    /// What they ask for and get in part only.
    notes: Vec<String>,
}

/// Everything a project was loaded from, to see whether it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    /// Names and texts of the layers, or why they couldn't be read.
    layers: Result<Vec<(String, String)>, String>,
    /// The policies that the settings name; `None` where the settings didn't load.
    policies: Option<Vec<PolicyFile>>,
    /// The descriptions of programs that they name.
    knowledge: Option<(Knowledge, Vec<KnowledgeFile>)>,
    /// What is known of tools, as a digest of the files.
    experiences: String,
}

/// A file of policies.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PolicyFile {
    /// As the settings name it.
    named: String,
    path: PathBuf,
    /// `None` if it can't be read.
    text: Option<String>,
}

impl Project {
    /// Loads settings and policies. What doesn't load leaves `before` in force; with none, every call is denied.
    pub(crate) fn load(
        shared: &Shared,
        root: Option<&Path>,
        on_no_match: OnNoMatch,
        layers: Result<Vec<Layer>, LayerError>,
        before: Option<&Self>,
    ) -> Self {
        let mut sources = Seen {
            layers: texts_of(&layers),
            policies: None,
            knowledge: None,
            experiences: reviewing::identity_of(shared.installation.experiences().as_deref()),
        };
        let loaded = layers.and_then(|layers| {
            Settings::load(&layers).map_err(|error| LayerError::Settings(Box::new(error)))
        });
        let compiled = loaded.map_err(Problem::from).and_then(|loaded| {
            let policies = sources.policies.insert(read_policies(&loaded.settings.policy.files, root));
            let named = &loaded.settings.knowledge;
            sources.knowledge = Some((named.clone(), own_tools::read(named, root)));
            let compiled = compile(&loaded.settings, policies, on_no_match)?;
            let elsewhere =
                shared.engines.of(&loaded.settings).map_err(|why| Problem::new("policy.remote", why))?;
            Ok((loaded.settings, compiled, elsewhere))
        });
        match (compiled, before) {
            (Ok((settings, compiled, elsewhere)), _) => {
                let cedar = Arc::new(CedarEngine::new(compiled));
                let engine = Both::of(Arc::clone(&cedar) as Arc<dyn PolicyEngine>, elsewhere.as_ref());
                let (mut faults, notes) = (reviewing::faults(&settings), reviewing::notes(&settings));
                faults.extend(sources.knowledge.iter().flat_map(|(_, files)| own_tools::tools(files).1));
                let (judge, gate) = judge_and_gate(shared, root, &settings, Arc::clone(&engine));
                Self {
                    judge,
                    root: root.map(Path::to_owned),
                    settings,
                    sources,
                    gate,
                    engine,
                    cedar: Some(cedar),
                    elsewhere,
                    problem: None,
                    faults,
                    notes,
                }
            }
            (Err(problem), Some(good)) if good.problem.is_none() || !good.bundle().is_empty() => Self {
                root: root.map(Path::to_owned),
                settings: good.settings.clone(),
                sources,
                judge: good.judge.clone(),
                gate: good.gate.clone(),
                engine: Arc::clone(&good.engine),
                cedar: good.cedar.clone(),
                elsewhere: good.elsewhere.clone(),
                problem: Some(problem.but_kept()),
                faults: good.faults.clone(),
                notes: good.notes.clone(),
            },
            (Err(problem), _) => {
                let (code, reason) = (problem.code().to_owned(), problem.text().to_owned());
                let engine: Arc<dyn PolicyEngine> = Arc::new(Refusing { code, reason });
                let settings = Settings::default();
                let (judge, gate) = judge_and_gate(shared, root, &settings, Arc::clone(&engine));
                Self {
                    judge,
                    root: root.map(Path::to_owned),
                    settings,
                    sources,
                    gate,
                    engine,
                    cedar: None,
                    elsewhere: None,
                    problem: Some(problem),
                    faults: Vec::new(),
                    notes: Vec::new(),
                }
            }
        }
    }

    /// Whether the files still say what this was loaded from.
    pub(crate) fn is_current(
        &self,
        layers: &Result<Vec<Layer>, LayerError>,
        experiences: Option<&Path>,
    ) -> bool {
        let same = |seen: &Vec<PolicyFile>| {
            let names: Vec<String> = seen.iter().map(|file| file.named.clone()).collect();
            *seen == read_policies(&names, self.root.as_deref())
        };
        self.sources.layers == texts_of(layers)
            && self.sources.experiences == reviewing::identity_of(experiences)
            && self.sources.policies.as_ref().is_none_or(same)
            && self
                .sources
                .knowledge
                .as_ref()
                .is_none_or(|(named, files)| *files == own_tools::read(named, self.root.as_deref()))
    }

    /// The files it was loaded from besides the settings: policies and descriptions of programs.
    pub(crate) fn named_files(&self) -> Vec<PathBuf> {
        let policies = self.sources.policies.iter().flatten().map(|file| &file.path);
        let knowledge = self.sources.knowledge.iter().flat_map(|(_, files)| files).map(|file| &file.path);
        policies.chain(knowledge).cloned().collect()
    }

    /// Whether these settings would load, with their policies.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn loads(settings: &Settings) -> Result<(), String> {
        Self::engine_of(settings, None).map(drop)
    }

    /// The policies of these settings, without a project around them.
    pub(crate) fn engine_of(settings: &Settings, root: Option<&Path>) -> Result<CedarEngine, String> {
        let files = read_policies(&settings.policy.files, root);
        let compiled =
            compile(settings, &files, OnNoMatch::Mode).map_err(|problem| problem.text().to_owned())?;
        Ok(CedarEngine::new(compiled))
    }

    /// A judge under other settings of the same project, for judging a call again.
    ///
    /// # Errors
    /// Why the settings don't load.
    pub(crate) fn trial(
        &self,
        shared: &Shared,
        settings: &Settings,
        guardian: Arc<dyn Guardian>,
    ) -> Result<Judge, String> {
        let engine = Both::of(Arc::new(Self::engine_of(settings, None)?), self.elsewhere.as_ref());
        let stages = judge(shared, None, settings, engine).stages().clone();
        Ok(Judge::new(Stages { guardian, review: Review::Asked, ..stages }))
    }

    /// A judge of one call in a world that holds these files beside those of this machine.
    pub(crate) fn with_files(&self, shared: &Shared, cwd: &str, files: BTreeMap<String, String>) -> Judge {
        let inspecting = Inspecting::with_files(shared, &self.settings, cwd, files);
        Judge::new(Stages { inspect: Arc::new(inspecting), ..self.judge.stages().clone() })
    }

    /// The packs that these settings put in force.
    pub fn packs_of(settings: &Settings) -> Vec<String> {
        settings.policy.packs.clone().unwrap_or_else(|| vec![DEFAULT_PACK.to_owned()])
    }

    /// The file of the settings in which a rule stands, as written.
    pub fn file_of(&self, rule: &str) -> Option<String> {
        let holds = |text: &str| {
            text.contains(rule) || text.contains(&serde_json::to_string(rule).unwrap_or_default())
        };
        self.sources.layers.iter().flatten().find(|(_, text)| holds(text)).map(|(name, _)| name.clone())
    }

    /// The judge.
    #[must_use]
    pub const fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The gate; `None` where the door keeps no record, so that nothing may run.
    #[must_use]
    pub const fn gate(&self) -> Option<&Gate> {
        self.gate.as_ref()
    }

    /// Takes a call through the gate. Without a record there is none, and the call is denied.
    pub async fn admit(&self, call: ToolCall) -> Admission {
        match &self.gate {
            Some(gate) => gate.admit(call).await,
            None => {
                Admission::Denied(Denial::fault("ledger.none", "nothing is recorded here, so nothing runs"))
            }
        }
    }

    /// Programs that the settings' files describe.
    #[must_use]
    pub fn tools(&self) -> Tools {
        self.sources.knowledge.as_ref().map(|(_, files)| own_tools::tools(files).0).unwrap_or_default()
    }

    /// The settings in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The policies in force, for questions that aren't calls.
    #[must_use]
    pub fn policies(&self) -> Option<Arc<Compiled>> {
        Some(self.cedar.as_ref()?.current())
    }

    /// Identity of the policies in force; empty while there are none.
    #[must_use]
    pub fn bundle(&self) -> String {
        self.engine.bundle()
    }

    /// What is wrong with the settings or policies, if anything.
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// Reviewers that the settings name and that can't be asked as they are set up, each with the key to mend. What
    /// they would have been asked about is judged without their yes.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// What the settings ask for and get in part only, by their own will.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The roots of a session in this project: where it was started, then what the settings add.
    #[must_use]
    pub fn roots(&self, root: &Path) -> Vec<Root> {
        let extra = self.settings.paths.extra_roots.iter().map(|text| {
            let mut root = Root::parse(text);
            if let Some(rest) = root.path.strip_prefix("~/")
                && let Some(home) = crate::home()
            {
                root.path = home.join(rest).display().to_string();
            }
            root
        });
        std::iter::once(writable(root)).chain(extra).collect()
    }
}

fn judge(shared: &Shared, root: Option<&Path>, settings: &Settings, policy: Arc<dyn PolicyEngine>) -> Judge {
    judge_of(shared, settings, policy, &Arc::new(Inspecting::new(shared, root, settings)))
}

fn judge_of(
    shared: &Shared,
    settings: &Settings,
    policy: Arc<dyn PolicyEngine>,
    inspecting: &Arc<Inspecting>,
) -> Judge {
    let experiences = shared.installation.experiences();
    let own = shared.installation.own_files().into_iter().map(PathBuf::from);
    let investigator =
        Investigator::default().without(own).with_effects(Arc::clone(inspecting) as Arc<dyn EffectsOf>);
    let mut analyzers = reviewing::analyzers(settings, experiences.as_deref());
    analyzers.extend(shared.installation.analyzers().iter().cloned());
    Judge::new(Stages {
        inspect: Arc::clone(inspecting) as Arc<dyn Inspect>,
        analyzers,
        policy,
        settle: Arc::new(ModeAndPolicy::new(settings, shared.installation.posture())),
        guardian: reviewing::guardian(settings, investigator, experiences.as_deref()),
        review: reviewing::review(settings),
        effects_count: settings.analyzers.profile == Profile::Default,
    })
}

fn judge_and_gate(
    shared: &Shared,
    root: Option<&Path>,
    settings: &Settings,
    policy: Arc<dyn PolicyEngine>,
) -> (Judge, Option<Gate>) {
    let inspecting = Arc::new(Inspecting::new(shared, root, settings));
    let judge = judge_of(shared, settings, policy, &inspecting);
    let gate = shared.records.as_ref().map(|records| {
        if root.is_none() {
            records.open().set_limit(std::time::Duration::from_secs(settings.ledger.outcome_s.into()));
        }
        let sessions = Remembering { book: Arc::clone(&shared.sessions), inspecting };
        let rooms = Rooms {
            sessions: Arc::new(sessions),
            approver: Arc::clone(&shared.approver),
            ledger: records.ledger(),
            notices: Arc::new(NamedNotices {
                board: Arc::clone(&shared.notices),
                names: settings.notify.webhooks.iter().filter_map(|hook| hook.name.clone()).collect(),
            }),
            open: Arc::clone(records.open()),
            keep_args: settings.ledger.args == LedgerArgs::Redacted,
            ask_ttl: SignedDuration::from_secs(i64::try_from(settings.approvals.timeout_s).unwrap_or(300)),
        };
        Gate::new(judge.clone(), rooms)
    });
    (judge, gate)
}

fn compile(settings: &Settings, files: &[PolicyFile], on_no_match: OnNoMatch) -> Result<Compiled, Problem> {
    if let Some(why) = reviewing::unknown_analyzer(settings) {
        return Err(Problem::new("settings.unknown_analyzer", why));
    }
    starting::check(settings)?;
    watched::check(settings).map_err(|why| Problem::new("settings.canary", why))?;
    counters::check(settings).map_err(|why| Problem::new("settings.unknown_fact", why))?;
    let names = Project::packs_of(settings);
    let packs = names.iter().map(|name| named(name)).collect::<Result<Vec<_>, _>>()?;
    let on_no_match = packs::on_no_match(&packs, settings.policy.on_no_match, on_no_match);
    let mut sources: Vec<Source> = packs.iter().map(Pack::source).collect();
    let mut rules = RuleSources::of(&settings.rules, crate::home().map(|home| home.display().to_string()));
    // Whoever wants no confirmations, and says so, isn't asked about deletes inside the project either.
    if matches!(settings.confirm.policy, Some(ConfirmPolicy::NeverConfirm {})) {
        let lifts = RuleSource { of_pack: true, ..RuleSource::new(List::Allow, "Delete(./**)") };
        rules.rules.push(lifts);
    }
    rules.rules.extend(packs.iter().flat_map(Pack::rules));
    for PolicyFile { path, text, named } in files {
        let text = text.as_ref().ok_or_else(|| Problem::new("policy.load", unread(path, named)))?;
        sources.push(Source::new(path.display().to_string(), text.clone()));
    }
    Ok(Compiled::load(&sources, &rules, on_no_match)?)
}

/// Why a policy file couldn't be read: a relative name is looked for in the project, wherever the settings are.
fn unread(path: &Path, named: &str) -> String {
    let why = match std::fs::metadata(path) {
        Ok(_) => "can't be read".to_owned(),
        Err(error) => format!("can't be read ({error})"),
    };
    if Path::new(named).is_relative() {
        return format!(
            "policy.files: `{named}` is looked for in the project, and {} {why}; give the file's whole path",
            path.display()
        );
    }
    format!("policy.files: {} {why}", path.display())
}

fn named(name: &str) -> Result<Pack, Problem> {
    Pack::named(name).ok_or_else(|| {
        let known: Vec<&str> = PACKS.iter().map(|pack| pack.name).collect();
        let known = known.join(", ");
        Problem::new("policy.load", format!("policy.packs: there is no pack {name:?}; there are {known}"))
    })
}

/// Names and texts of layers, to compare them by.
fn texts_of(layers: &Result<Vec<Layer>, LayerError>) -> Result<Vec<(String, String)>, String> {
    match layers {
        Ok(layers) => Ok(layers.iter().map(|layer| (layer.name.clone(), layer.text.clone())).collect()),
        Err(error) => Err(error.to_string()),
    }
}

fn read_policies(names: &[String], root: Option<&Path>) -> Vec<PolicyFile> {
    names
        .iter()
        .map(|named| {
            let path = root.map_or_else(|| PathBuf::from(named), |root| root.join(named));
            let text = read_policy(&path, named, root);
            PolicyFile { named: named.clone(), path, text }
        })
        .collect()
}

/// A policy file; one that is named relative to the project must lie in it.
fn read_policy(path: &Path, named: &str, root: Option<&Path>) -> Option<String> {
    match root {
        Some(root) if Path::new(named).is_relative() => bounded::read_text_below(root, Path::new(named)).ok(),
        _ => bounded::read_text(path).ok(),
    }
}

/// Stands in for policies that can't be loaded while none were good before: every call is denied with the reason.
struct Refusing {
    code: String,
    reason: String,
}

impl PolicyEngine for Refusing {
    fn decide<'a>(
        &'a self,
        _: &'a Inspected,
        _: &'a Assessment,
        _: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision> {
        Box::pin(std::future::ready(PolicyDecision::deny(self.code.clone(), self.reason.clone())))
    }

    fn bundle(&self) -> String {
        String::new()
    }
}
