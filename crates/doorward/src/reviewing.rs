//! Who reviews: the guardian and the analyzers that the settings name.
//!
//! A model that is named but can't be set up is no reason to judge without it: its place is taken by one that is
//! unavailable and says why.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

pub use doorward_analyzers::AnalyzerName;
use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{
    Guardian, GuardianContext, GuardianDecision, GuardianEvaluation, GuardianStatus,
};
use doorward_core::finding::Finding;
use doorward_core::id::Digest;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_gate::Review;
use doorward_guardian::experiences::{Library, Order};
use doorward_guardian::rule::failed;
use doorward_guardian::wire::Prices;
use doorward_guardian::{
    Builtin, Investigator, Model, ModelConfig, ModelGuardian, Prefix, ReviewConfig, Thresholds, ToolShield,
    ToolShieldConfig,
};
use doorward_paths::bounded;
use doorward_settings::{
    ConfirmPolicy, OnUnavailable, Profile, Relieve, Review as Reviewed, Settings, nearest,
};

/// The analyzers in force beside the effects, read once: those of `analyzers.list`, else OpenHands' own default in its
/// profile. A name that nobody knows is a fault ([`unknown_analyzer`]).
fn chosen(settings: &Settings) -> impl Iterator<Item = AnalyzerName> {
    let listed = &settings.analyzers.list;
    let upstreams_own = listed.is_empty() && settings.analyzers.profile == Profile::OpenhandsCompat;
    let named = listed.iter().filter_map(|word| AnalyzerName::from_word(word));
    named.chain(upstreams_own.then_some(AnalyzerName::SelfReport))
}

/// Whether these settings use this analyzer.
#[must_use]
pub fn uses(settings: &Settings, analyzer: AnalyzerName) -> bool {
    chosen(settings).any(|chosen| chosen == analyzer)
}

/// What is wrong with the list of analyzers, with the nearest name there is.
pub(crate) fn unknown_analyzer(settings: &Settings) -> Option<String> {
    let name = settings.analyzers.list.iter().find(|name| AnalyzerName::from_word(name).is_none())?;
    let all = || AnalyzerName::ALL.iter().copied();
    let names = || all().flat_map(|name| [name.as_str(), name.upstream()]).filter(|name| !name.is_empty());
    let meant = nearest(name, names()).map_or_else(String::new, |meant| format!("; did you mean {meant:?}"));
    let there: Vec<&str> = all().map(AnalyzerName::as_str).collect();
    Some(format!("analyzers.list: there is no analyzer {name:?}{meant}; there are {}", there.join(", ")))
}

/// Which calls the guardian judges. The built-in score takes part in questions only: it knows what can be counted, not
/// what was asked for.
pub(crate) const fn review(settings: &Settings) -> Review {
    match settings.guardian.review {
        Reviewed::Asked => Review::Asked,
        Reviewed::Unasked if settings.guardian.model.is_none() => Review::Asked,
        Reviewed::Unasked => Review::Unasked,
        Reviewed::All => Review::All,
    }
}

/// Evaluations since this process began, by how they ended, and what they took.
#[derive(Debug, Default)]
pub struct Reviews {
    ended: Mutex<HashMap<(GuardianStatus, GuardianDecision), u64>>,
    /// Why the newest evaluation failed, where it did.
    failing: Mutex<Option<String>>,
    /// Requests to models.
    pub requests: AtomicU64,
    /// Tokens read by models, cached ones included.
    pub tokens_in: AtomicU64,
    /// Of which from a cache.
    pub tokens_cached: AtomicU64,
    /// Tokens written by models.
    pub tokens_out: AtomicU64,
    /// Millionths of a dollar, as far as prices are known.
    pub cost: AtomicU64,
}

impl Reviews {
    /// How often an evaluation ended like this.
    #[must_use]
    pub fn ended(&self) -> Vec<(GuardianStatus, GuardianDecision, u64)> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.iter().map(|((status, decision), count)| (*status, *decision, *count)).collect()
    }

    /// Why the newest evaluation failed, where it did: a guardian that can't be reached approves nothing.
    #[must_use]
    pub fn failing(&self) -> Option<String> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, evaluation: &GuardianEvaluation) {
        let why = match evaluation.status {
            GuardianStatus::Evaluated => Some(None),
            // Of a call that was withdrawn nothing is known.
            GuardianStatus::Cancelled => None,
            GuardianStatus::Unavailable | GuardianStatus::Invalid | GuardianStatus::TimedOut => {
                Some(Some(format!("guardian: {}", evaluation.reasoning)))
            }
        };
        if let Some(why) = why {
            *self.failing.lock().unwrap_or_else(PoisonError::into_inner) = why;
        }
        let key = (evaluation.status, evaluation.decision);
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        let spent = &evaluation.spent;
        for (counter, more) in [
            (&self.requests, u64::from(spent.attempts)),
            (&self.tokens_in, spent.input_total),
            (&self.tokens_cached, spent.cached_read),
            (&self.tokens_out, spent.output_total),
            (&self.cost, spent.cost_micro_usd.unwrap_or(0)),
        ] {
            counter.fetch_add(more, Ordering::Relaxed);
        }
    }
}

static REVIEWS: LazyLock<Reviews> = LazyLock::new(Reviews::default);

/// What the guardians of this process did so far, for the metrics.
#[must_use]
pub fn reviews() -> &'static Reviews {
    &REVIEWS
}

/// A guardian whose evaluations are counted.
struct Counted(Arc<dyn Guardian>);

impl Guardian for Counted {
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        inspected: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation> {
        Box::pin(async move {
            let evaluation = self.0.evaluate(context, inspected).await;
            reviews().note(&evaluation);
            evaluation
        })
    }
}

/// The guardian of the settings; the built-in score where they name no model.
pub(crate) fn guardian(
    settings: &Settings,
    investigator: Investigator,
    experiences: Option<&Path>,
) -> Arc<dyn Guardian> {
    Arc::new(Counted(reviewer(settings, investigator, experiences)))
}

fn reviewer(
    settings: &Settings,
    investigator: Investigator,
    experiences: Option<&Path>,
) -> Arc<dyn Guardian> {
    let thresholds = thresholds(settings);
    match model(settings) {
        None => Builtin::new(thresholds).shared(),
        Some(Ok(model)) => {
            let config = ReviewConfig {
                thresholds,
                timeout: Duration::from_millis(settings.guardian.timeout_ms),
                history_window: window(settings),
                ..ReviewConfig::default()
            };
            let guardian = ModelGuardian::new(model, prefix(settings, experiences), config);
            Arc::new(if settings.guardian.investigate { guardian.looking(investigator) } else { guardian })
        }
        Some(Err(why)) => Arc::new(Missing { why, thresholds }),
    }
}

/// What every prompt of these settings begins with: the operator's policy, and what is known of shells and files,
/// whatever tool is in play, so that the bytes stay the same and providers can cache them. `experiences` is the
/// folder of what the user keeps beside the seeds.
#[must_use]
pub fn prefix(settings: &Settings, experiences: Option<&Path>) -> Prefix {
    let families = ["terminal-mcp".to_owned(), "filesystem-mcp".to_owned()];
    let known = experiences_of(experiences).render(&families, Order::Natural);
    Prefix::new(settings.guardian.policy.as_deref().unwrap_or_default(), &known)
}

/// The analyzers of the settings; `effects` is part of every call.
pub(crate) fn analyzers(settings: &Settings, folder: Option<&Path>) -> Vec<Arc<dyn Analyzer>> {
    let made = |name: AnalyzerName| match name {
        AnalyzerName::ToolShield => Some(toolshield(settings, folder)),
        name => name.made(),
    };
    chosen(settings).filter_map(made).collect()
}

/// Those that ask no model.
pub(crate) fn without_models(settings: &Settings) -> Vec<Arc<dyn Analyzer>> {
    chosen(settings).filter_map(AnalyzerName::made).collect()
}

/// The guardian's model, if the settings name one.
///
/// # Errors
/// Why it can't be asked.
#[must_use]
pub fn model(settings: &Settings) -> Option<Result<Arc<Model>, String>> {
    let guardian = &settings.guardian;
    let named = Named {
        section: "guardian",
        model: guardian.model.as_deref()?,
        base_url: guardian.base_url.as_deref(),
        api_key_env: guardian.api_key_env.as_deref(),
    };
    Some(set_up(named, settings))
}

/// ToolShield's own model, or else the guardian's, if the settings name one.
fn toolshield_model(settings: &Settings) -> Option<Result<Arc<Model>, String>> {
    let own = &settings.toolshield;
    let Some(named) = own.model.as_deref() else { return model(settings) };
    let named = Named {
        section: "toolshield",
        model: named,
        base_url: own.base_url.as_deref(),
        api_key_env: own.api_key_env.as_deref(),
    };
    Some(set_up(named, settings))
}

/// A model as a section of the settings names it.
#[derive(Clone, Copy)]
struct Named<'a> {
    section: &'a str,
    model: &'a str,
    base_url: Option<&'a str>,
    api_key_env: Option<&'a str>,
}

fn set_up(named: Named<'_>, settings: &Settings) -> Result<Arc<Model>, String> {
    let config = ModelConfig {
        model: named.model.to_owned(),
        base_url: named.base_url.map(str::to_owned),
        api_key_env: named.api_key_env.map(str::to_owned),
        net: settings.net.clone(),
        prices: prices(settings)?,
        ..ModelConfig::default()
    };
    Model::new(config).map(Arc::new).map_err(|error| format!("{}.{error}", named.section))
}

/// Reviewers that are named and can't be asked as they are set up, each with the key to mend.
pub(crate) fn faults(settings: &Settings) -> Vec<String> {
    let mut faults: Vec<String> = model(settings).and_then(Result::err).into_iter().collect();
    let own = &settings.toolshield;
    if own.model.is_some() {
        faults.extend(toolshield_model(settings).and_then(Result::err));
    } else if own.base_url.is_some() || own.api_key_env.is_some() {
        faults.push(
            "toolshield.model: unset, so that toolshield.base_url and toolshield.api_key_env belong to no model"
                .to_owned(),
        );
    }
    faults
}

/// What the settings ask for and get in part only, by their own will: said when they load, and no fault.
pub(crate) fn notes(settings: &Settings) -> Vec<String> {
    let without = uses(settings, AnalyzerName::ToolShield) && toolshield_model(settings).is_none();
    let mut notes: Vec<String> = without.then(|| WITHOUT_MODEL.to_owned()).into_iter().collect();
    if settings.hooks.relieve != Relieve::Policy {
        let milder = settings.modes.default != PermissionMode::Default
            && settings.modes.default != PermissionMode::Plan;
        let never = settings.confirm.policy == Some(ConfirmPolicy::NeverConfirm {});
        let mode = format!("modes.default = \"{}\"", settings.modes.default.as_str());
        let named = [(never, "confirm.policy = NeverConfirm"), (milder, mode.as_str())];
        notes.extend(named.iter().filter(|(is, _)| *is).map(|(_, what)| format!("{what}: {UNREACHED}")));
    }
    notes
}

/// Why a setting that asks less changes nothing in a client with a hook.
const UNREACHED: &str = "a coding agent with a hook still asks by its own settings; hooks.relieve = \"policy\" answers \
                         allow in place of its question";

/// ToolShield is an analyzer by a model; what is known without one is the effects analyzer's, which always runs.
const WITHOUT_MODEL: &str = "analyzers.list names toolshield, and neither toolshield.model nor guardian.model names a \
                             model: calls are judged by their effects alone";

/// The operator's price list; empty where the settings name none.
fn prices(settings: &Settings) -> Result<Prices, String> {
    let Some(file) = &settings.guardian.prices else { return Ok(Prices::default()) };
    let text = std::fs::read_to_string(file).map_err(|error| format!("guardian.prices: {file}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("guardian.prices: {file}: {error}"))
}

fn thresholds(settings: &Settings) -> Thresholds {
    Thresholds {
        prompt_at: settings.guardian.prompt_at,
        deny_at: settings.guardian.deny_at,
        prompt_on_failure: settings.guardian.on_unavailable == OnUnavailable::Prompt,
    }
}

fn window(settings: &Settings) -> usize {
    usize::try_from(settings.guardian.history_window).unwrap_or(20)
}

fn toolshield(settings: &Settings, folder: Option<&Path>) -> Arc<dyn Analyzer> {
    let compat = settings.analyzers.profile == Profile::OpenhandsCompat;
    let model = match toolshield_model(settings) {
        Some(Ok(model)) => model,
        Some(Err(why)) => return Arc::new(Unasked { why, applies: true }),
        None => return Arc::new(Unasked { why: WITHOUT_MODEL.to_owned(), applies: false }),
    };
    let own_window = settings.toolshield.history_window.and_then(|window| usize::try_from(window).ok());
    let config = ToolShieldConfig {
        history_window: own_window.unwrap_or_else(|| window(settings)),
        // Upstream's default is to have none.
        experiences: if compat { Library::default() } else { experiences_of(folder) },
        safety_experiences: settings.toolshield.safety_experiences.clone(),
        compat,
        timeout: Duration::from_millis(settings.guardian.timeout_ms),
    };
    Arc::new(ToolShield::new(model, config))
}

/// The seeds, and what the user keeps in this folder; the seeds alone where there is none.
#[must_use]
pub fn experiences_of(folder: Option<&Path>) -> Library {
    match folder.map(Library::load) {
        None => Library::seeded(),
        Some(Ok(own)) => Library::seeded().overlaid(own),
        Some(Err(error)) => {
            tracing::error!("{error}; the shipped experiences are used alone");
            Library::seeded()
        }
    }
}

/// The folder itself and the files in it, in order: what has to be looked at to see an edit.
pub(crate) fn files_of(folder: Option<&Path>) -> Vec<PathBuf> {
    let Some(folder) = folder else { return Vec::new() };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .take(MOST_FILES)
        .collect();
    files.sort();
    files.insert(0, folder.to_owned());
    files
}

/// Tells one state of the folder from another: a digest of the names and contents of its files.
pub(crate) fn identity_of(folder: Option<&Path>) -> String {
    let files = files_of(folder);
    let texts = files.iter().skip(1).map(|file| {
        let text = bounded::read_text(file).unwrap_or_default();
        (file.display().to_string(), text)
    });
    let texts: Vec<(String, String)> = texts.collect();
    Digest::of(serde_json::to_string(&texts).unwrap_or_default().as_bytes()).into_string()
}

/// Files of experiences that are looked at: a tool has one or two.
const MOST_FILES: usize = 1_000;

/// Name of the folder of experiences in a state directory.
pub const EXPERIENCES: &str = "experiences";

/// Stands in for a model that is configured and can't be set up.
struct Missing {
    why: String,
    thresholds: Thresholds,
}

impl Guardian for Missing {
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        _: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation> {
        let evaluation = failed(GuardianStatus::Unavailable, &self.why, self.thresholds, context);
        Box::pin(std::future::ready(evaluation))
    }
}

/// Stands in for a ToolShield that asks no model: one that can't be asked leaves the risk open, one that nobody named
/// takes no part.
struct Unasked {
    why: String,
    applies: bool,
}

impl Analyzer for Unasked {
    fn name(&self) -> &'static str {
        "toolshield"
    }

    fn analyze<'a>(&'a self, _: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        let finding = self.applies.then(|| Finding::new("guardrail.unavailable", self.why.clone()));
        Box::pin(std::future::ready(AnalyzerVerdict {
            analyzer: "toolshield".to_owned(),
            risk: SecurityRisk::Unknown,
            score: None,
            mandatory: self.applies,
            applies: self.applies,
            findings: finding.into_iter().collect(),
            detail: self.why.clone(),
        }))
    }
}
