//! The engine: a compiled set of policies, and the decisions by it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cedar_policy::Effect;
use cedar_policy::pst::{ActionConstraint, EntityUID as EntityUid};
use doorward_core::Boxed;
use doorward_core::approval::Grant;
use doorward_core::assessment::Assessment;
use doorward_core::decision::{PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::id::Digest;
use doorward_core::tool::CanonicalTool;
use doorward_settings::OnNoMatch;

use super::annotation::{Annotations, ConfirmKind};
use super::entity::{self, EntityRequest};
use super::evaluate::decide;
use super::index::Index;
use super::lint::{Lint, lints};
use super::load::{Entry, LoadError, LoadedSet, Source};
use crate::facts::EngineRequest;
use crate::shorthand::{RuleSet, RuleSources};

/// A policy of a set, for listings.
#[derive(Debug, Clone, Copy)]
pub struct ListedPolicy<'a> {
    /// Its `@id`.
    pub id: &'a str,
    /// Its pack (`pack:NAME`) or file.
    pub source: &'a str,
    /// Whether it is a `forbid`.
    pub forbids: bool,
    /// Its annotations.
    pub annotations: &'a Annotations,
}

/// A set of policies and rules, ready to decide. Immutable.
#[derive(Debug)]
pub struct Compiled {
    enforced: Index,
    /// The enforced and the trial policies together, if there are trial policies.
    trial: Option<Index>,
    rules: RuleSet,
    lints: Vec<Lint>,
    on_no_match: OnNoMatch,
    identity: String,
}

impl Compiled {
    /// Loads sources and rules into a set.
    ///
    /// # Errors
    /// [`LoadError`] with the position in the text.
    pub fn load(sources: &[Source], rules: &RuleSources, on_no_match: OnNoMatch) -> Result<Self, LoadError> {
        let rules = RuleSet::compile(rules)?;
        let mut all = sources.to_vec();
        all.extend(rules.policies());
        let loaded = LoadedSet::read(&all, on_no_match)?;
        let entries = Arc::new(loaded.entries);
        let numbered = || entries.iter().zip(0_u32..);
        let enforced =
            numbered().filter(|(entry, _)| !entry.annotations.log_only).map(|(_, at)| at).collect();
        let trial = entries.iter().any(|entry| entry.annotations.log_only);
        let everything = numbered().map(|(_, at)| at).collect();
        let lints = lints(&entries);
        Ok(Self {
            enforced: Index::new(Arc::clone(&entries), enforced),
            trial: trial.then(|| Index::new(Arc::clone(&entries), everything)),
            identity: identity(&all, &rules, on_no_match),
            rules,
            lints,
            on_no_match,
        })
    }

    /// `sha256:` over the sorted names and contents, the rules and `on_no_match`.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Warnings of the load.
    #[must_use]
    pub fn lints(&self) -> &[Lint] {
        &self.lints
    }

    /// The shorthand rules.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The decision for calls that no policy permits.
    #[must_use]
    pub fn on_no_match(&self) -> OnNoMatch {
        self.on_no_match
    }

    /// Number of policies, including built-in and compiled ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.enforced.entries.len()
    }

    /// Whether it has no policies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The policies as written, in order; without shorthand rules and built-in policies.
    pub fn listed(&self) -> impl Iterator<Item = ListedPolicy<'_>> {
        let written = self.enforced.entries.iter().filter(|entry| !entry.source.starts_with('\u{1}'));
        written.map(|entry| ListedPolicy {
            id: &entry.id,
            source: &entry.source,
            forbids: entry.effect == Effect::Forbid,
            annotations: &entry.annotations,
        })
    }

    /// The annotations of a policy.
    #[must_use]
    pub fn annotations(&self, id: &str) -> Option<&Annotations> {
        self.enforced.entry(id).map(|entry| &entry.annotations)
    }

    /// The `@confirm` annotations of a decision's policies.
    #[must_use]
    pub fn confirm_kinds(&self, decision: &PolicyDecision) -> Vec<String> {
        let asking = decision.confirm.iter().flat_map(|confirm| &confirm.policies);
        asking.filter_map(|id| self.annotations(id)?.confirm.as_ref().map(ConfirmKind::text)).collect()
    }

    /// The decision for a request, with the flips of trial policies.
    pub fn decide(&self, request: &EngineRequest) -> PolicyDecision {
        let mut decision = self.decided(request, false);
        if let Some(trial) = &self.trial {
            let other = decide(trial, request, false);
            decision.flips = self.flips(&decision, &other);
        }
        decision
    }

    /// What the enforced set says. A question about a bounded delete, and no other, is settled by a permit of the
    /// user's that is about deletes; another engine may settle it too.
    fn decided(&self, request: &EngineRequest, whole: bool) -> PolicyDecision {
        let mut asked = self.dressed(decide(&self.enforced, request, whole));
        let rules = &request.facts.rules;
        if asked.decision != Verdict::Confirm || !rules.deletable || rules.deletes {
            return asked;
        }
        let mut settled = request.clone();
        settled.facts.rules.deletes = true;
        let settled = self.dressed(decide(&self.enforced, &settled, whole));
        if settled.decision != Verdict::Allow && !settled.unsettled {
            return asked;
        }
        let mut entries = settled.policies.iter().filter_map(|id| self.enforced.entry(id));
        if entries.any(is_about_deletes) {
            return settled;
        }
        asked.yields = true;
        asked
    }

    /// The same decided by Cedar over the whole set, without the index. For comparison.
    pub fn decide_unsliced(&self, request: &EngineRequest) -> PolicyDecision {
        let mut decision = self.decided(request, true);
        if let Some(trial) = &self.trial {
            let other = decide(trial, request, true);
            decision.flips = self.flips(&decision, &other);
        }
        decision
    }

    /// The decision about entities other than user and tool (AuthZEN's other types).
    pub fn decide_entities(&self, request: &EntityRequest) -> PolicyDecision {
        self.dressed(entity::decide(&self.enforced, request))
    }

    fn dressed(&self, mut decision: PolicyDecision) -> PolicyDecision {
        decision.mode_applies = self.on_no_match == OnNoMatch::Mode;
        decision.bundle.clone_from(&self.identity);
        decision
    }

    /// The trial policies that changed the decision; empty without a change, or if one of them erred.
    fn flips(&self, enforced: &PolicyDecision, trial: &PolicyDecision) -> Vec<String> {
        let same = enforced.decision == trial.decision && enforced.unsettled == trial.unsettled;
        if same || trial.code == "policy.error" {
            return Vec::new();
        }
        let on_trial = |id: &&String| self.annotations(id).is_some_and(|annotations| annotations.log_only);
        let mut named: Vec<String> = trial.policies.iter().filter(on_trial).cloned().collect();
        if named.is_empty() {
            let asking = trial.confirm.iter().flat_map(|confirm| &confirm.policies);
            named = asking.filter(on_trial).cloned().collect();
        }
        named
    }
}

/// Whether a policy of the user's permits deletes in so many words: by its action, or by a condition on what is
/// deleted.
fn is_about_deletes(entry: &Entry) -> bool {
    let own = !entry.source.starts_with('\u{1}') && !entry.source.starts_with("pack:");
    let is_delete = |uid: &EntityUid| uid.eid == CanonicalTool::Delete.as_str();
    let by_action = match &entry.action {
        ActionConstraint::Eq(uid) => is_delete(uid),
        ActionConstraint::In(uids) => uids.iter().any(is_delete),
        _ => false,
    };
    own && entry.effect == Effect::Permit && (by_action || entry.mentions.names_effect("deletes"))
}

fn identity(sources: &[Source], rules: &RuleSet, on_no_match: OnNoMatch) -> String {
    let mut parts: Vec<(&str, &str)> =
        sources.iter().map(|source| (source.name.as_str(), source.text.as_str())).collect();
    parts.sort_unstable();
    let text = serde_json::to_string(&(parts, rules.texts(), on_no_match)).unwrap_or_default();
    Digest::of(text.as_bytes()).into_string()
}

/// Flips per trial policy, counted since the engine was created.
pub type Shadow = BTreeMap<String, u64>;

/// The embedded [`PolicyEngine`].
#[derive(Debug)]
pub struct CedarEngine {
    compiled: Arc<Compiled>,
    decided: AtomicU64,
}

impl CedarEngine {
    /// An engine that decides by this set.
    #[must_use]
    pub fn new(compiled: Compiled) -> Self {
        Self { compiled: Arc::new(compiled), decided: AtomicU64::new(0) }
    }

    /// The set.
    #[must_use]
    pub fn current(&self) -> Arc<Compiled> {
        Arc::clone(&self.compiled)
    }

    /// Number of decisions made.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.decided.load(Ordering::Relaxed)
    }

    /// The decision for an inspected call.
    pub fn decide_call(
        &self,
        inspected: &Inspected,
        assessment: &Assessment,
        grant: Option<&Grant>,
    ) -> PolicyDecision {
        self.decided.fetch_add(1, Ordering::Relaxed);
        let rules = self.compiled.rules.facts(inspected);
        let request = EngineRequest::of(inspected, assessment, grant, rules, &self.compiled.identity);
        self.compiled.decide(&request)
    }
}

impl PolicyEngine for CedarEngine {
    fn decide<'a>(
        &'a self,
        inspected: &'a Inspected,
        assessment: &'a Assessment,
        grant: Option<&'a Grant>,
    ) -> Boxed<'a, PolicyDecision> {
        Box::pin(std::future::ready(self.decide_call(inspected, assessment, grant)))
    }

    fn bundle(&self) -> String {
        self.compiled.identity.clone()
    }
}
