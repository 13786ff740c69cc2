//! Who reviews: the guardian and the analyzers that the settings name.
//!
//! A model that is named but can't be set up is no reason to judge without it: its place is taken by one that is
//! unavailable and says why.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use doorward_analyzers::{NoOp, SelfReport};
use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation, GuardianStatus};
use doorward_core::finding::Finding;
use doorward_core::risk::SecurityRisk;
use doorward_guardian::experiences::Library;
use doorward_guardian::rule::failed;
use doorward_guardian::{
    Builtin, Model, ModelConfig, ModelGuardian, Prefix, ReviewConfig, Thresholds, ToolShield,
    ToolShieldConfig,
};
use doorward_settings::{OnUnavailable, Profile, Settings};

/// The guardian of the settings; the built-in score where they name no model.
pub(crate) fn guardian(settings: &Settings) -> Arc<dyn Guardian> {
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
            Arc::new(ModelGuardian::new(model, Prefix::new("", ""), config))
        }
        Some(Err(why)) => Arc::new(Missing { why, thresholds }),
    }
}

/// The analyzers of the settings; `effects` is part of every call.
pub(crate) fn analyzers(settings: &Settings, folder: Option<&Path>) -> Vec<Arc<dyn Analyzer>> {
    settings
        .analyzers
        .list
        .iter()
        .filter_map(|name| match name.as_str() {
            "noop" => Some(Arc::new(NoOp) as Arc<dyn Analyzer>),
            "llm" => Some(Arc::new(SelfReport) as Arc<dyn Analyzer>),
            "toolshield" => Some(toolshield(settings, folder)),
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
    Some(Model::new(config).map(Arc::new).map_err(|error| error.to_string()))
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
