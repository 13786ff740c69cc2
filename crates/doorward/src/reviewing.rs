//! Who reviews: the guardian and the analyzers that the settings name.
//!
//! A model that is named but can't be set up is no reason to judge without it: its place is taken by one that is
//! unavailable and says why.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use doorward_analyzers::compat::{Ensemble, Pattern, Rail};
use doorward_analyzers::{NoOp, SelfReport};
use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{
    Guardian, GuardianContext, GuardianDecision, GuardianEvaluation, GuardianStatus,
};
use doorward_core::finding::Finding;
use doorward_core::risk::SecurityRisk;
use doorward_guardian::experiences::{Library, Order};
use doorward_guardian::rule::failed;
use doorward_guardian::wire::Prices;
use doorward_guardian::{
    Builtin, Investigator, Model, ModelConfig, ModelGuardian, Prefix, ReviewConfig, Thresholds, ToolShield,
    ToolShieldConfig,
};
use doorward_settings::{OnUnavailable, Profile, Settings, nearest};

/// Analyzers that can be listed, each with the name OpenHands gives it; `effects` is part of every call.
const ANALYZERS: &[(&str, &str)] = &[
    ("effects", ""),
    ("noop", "NoOpSecurityAnalyzer"),
    ("llm", "LLMSecurityAnalyzer"),
    ("toolshield", "ToolShieldLLMSecurityAnalyzer"),
    ("pattern", "PatternSecurityAnalyzer"),
    ("rail", "PolicyRailSecurityAnalyzer"),
    ("ensemble", "EnsembleSecurityAnalyzer"),
];

/// Our name of an analyzer, by ours or OpenHands'.
fn known(name: &str) -> Option<&'static str> {
    ANALYZERS
        .iter()
        .find(|(ours, theirs)| !name.is_empty() && (*ours == name || *theirs == name))
        .map(|(ours, _)| *ours)
}

/// What is wrong with the list of analyzers, with the nearest name there is.
pub(crate) fn unknown_analyzer(settings: &Settings) -> Option<String> {
    let name = settings.analyzers.list.iter().find(|name| known(name).is_none())?;
    let names =
        || ANALYZERS.iter().flat_map(|(ours, theirs)| [*ours, *theirs]).filter(|name| !name.is_empty());
    let meant = nearest(name, names()).map_or_else(String::new, |meant| format!("; did you mean {meant:?}"));
    let there: Vec<&str> = ANALYZERS.iter().map(|(ours, _)| *ours).collect();
    Some(format!("analyzers.list: there is no analyzer {name:?}{meant}; there are {}", there.join(", ")))
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
pub(crate) fn guardian(settings: &Settings, investigator: Investigator) -> Arc<dyn Guardian> {
    Arc::new(Counted(reviewer(settings, investigator)))
}

fn reviewer(settings: &Settings, investigator: Investigator) -> Arc<dyn Guardian> {
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
            let guardian = ModelGuardian::new(model, prefix(settings), config);
            Arc::new(if settings.guardian.investigate { guardian.looking(investigator) } else { guardian })
        }
        Some(Err(why)) => Arc::new(Missing { why, thresholds }),
    }
}

/// What every prompt of these settings begins with: the operator's policy, and what is known of shells and files,
/// whatever tool is in play, so that the bytes stay the same and providers can cache them.
#[must_use]
pub fn prefix(settings: &Settings) -> Prefix {
    let families = ["terminal-mcp".to_owned(), "filesystem-mcp".to_owned()];
    let known = experiences().render(&families, Order::Natural);
    Prefix::new(settings.guardian.policy.as_deref().unwrap_or_default(), &known)
}

/// The analyzers of the settings; `effects` is part of every call. OpenHands' own default is what the model says.
pub(crate) fn analyzers(settings: &Settings, folder: Option<&Path>) -> Vec<Arc<dyn Analyzer>> {
    let listed = &settings.analyzers.list;
    if listed.is_empty() && settings.analyzers.profile == Profile::OpenhandsCompat {
        return vec![Arc::new(SelfReport)];
    }
    listed
        .iter()
        .filter_map(|name| match known(name)? {
            "noop" => Some(Arc::new(NoOp) as Arc<dyn Analyzer>),
            "llm" => Some(Arc::new(SelfReport)),
            "toolshield" => Some(toolshield(settings, folder)),
            "pattern" => Some(Arc::new(Pattern)),
            "rail" => Some(Arc::new(Rail)),
            "ensemble" => {
                let children: Vec<Arc<dyn Analyzer>> = vec![Arc::new(Rail), Arc::new(Pattern)];
                Ensemble::new(children, false).ok().map(|ensemble| Arc::new(ensemble) as Arc<dyn Analyzer>)
            }
            _ => None,
        })
        .collect()
}

/// The model the settings name, if they name one.
///
/// # Errors
/// Why it can't be asked.
#[must_use]
pub fn model(settings: &Settings) -> Option<Result<Arc<Model>, String>> {
    let guardian = &settings.guardian;
    let config = ModelConfig {
        model: guardian.model.clone()?,
        base_url: guardian.base_url.clone(),
        api_key_env: guardian.api_key_env.clone(),
        net: settings.net.clone(),
        ..ModelConfig::default()
    };
    Some(prices(settings).and_then(|prices| {
        Model::new(ModelConfig { prices, ..config }).map(Arc::new).map_err(|error| error.to_string())
    }))
}

/// Reviewers that are named and can't be asked as they are set up, each with the key to mend.
pub(crate) fn faults(settings: &Settings) -> Vec<String> {
    model(settings).and_then(Result::err).into_iter().collect()
}

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
    usize::try_from(settings.guardian.history_window).unwrap_or(20).max(1)
}

fn toolshield(settings: &Settings, folder: Option<&Path>) -> Arc<dyn Analyzer> {
    let compat = settings.analyzers.profile == Profile::OpenhandsCompat;
    let unavailable = |why: String| Arc::new(Unasked(why)) as Arc<dyn Analyzer>;
    let model = match model(settings) {
        Some(Ok(model)) => model,
        Some(Err(why)) => return unavailable(why),
        None => return unavailable("guardian.model names no model for it".to_owned()),
    };
    let config = ToolShieldConfig {
        history_window: window(settings),
        // Upstream's default is to have none.
        experiences: if compat {
            Library::default()
        } else {
            folder.map_or_else(experiences, experiences_in)
        },
        compat,
        timeout: Duration::from_millis(settings.guardian.timeout_ms),
    };
    match ToolShield::new(model, config) {
        Ok(toolshield) => Arc::new(toolshield),
        Err(error) => unavailable(error.to_string()),
    }
}

/// The seeds, and what the user keeps below the usual state directory.
#[must_use]
pub fn experiences() -> Library {
    experiences_in(&doorward_hooks::thin::default_state().join(EXPERIENCES))
}

/// Name of the folder of experiences in a state directory.
pub(crate) const EXPERIENCES: &str = "experiences";

fn experiences_in(folder: &Path) -> Library {
    match Library::load(folder) {
        Ok(own) => Library::seeded().overlaid(own),
        Err(error) => {
            tracing::error!("{error}; the shipped experiences are used alone");
            Library::seeded()
        }
    }
}

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

/// Stands in for a ToolShield without a model.
struct Unasked(String);

impl Analyzer for Unasked {
    fn name(&self) -> &'static str {
        "toolshield"
    }

    fn analyze<'a>(&'a self, _: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        Box::pin(std::future::ready(AnalyzerVerdict {
            analyzer: "toolshield".to_owned(),
            risk: SecurityRisk::Unknown,
            score: None,
            mandatory: true,
            applies: true,
            findings: vec![Finding::new("guardrail.unavailable", self.0.clone())],
            detail: self.0.clone(),
        }))
    }
}
