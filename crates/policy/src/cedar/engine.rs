//! The engine: a compiled set behind an atomic pointer, which only a successfully loaded set replaces.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;
use cedar_policy::Effect;
use cedar_policy::pst::{ActionConstraint, EntityUID as EntityUid};
use doorward_core::Boxed;
use doorward_core::approval::Grant;
use doorward_core::assessment::Assessment;
use doorward_core::call::Principal;
use doorward_core::decision::{PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::id::Digest;
use doorward_core::json::Object;
use doorward_core::tool::ToolName;
use doorward_settings::OnNoMatch;

use super::annotation::{Annotations, ConfirmKind};
use super::entity::{self, EntityRequest};
use super::evaluate::decide;
use super::index::Index;
use super::lint::{Lint, lints};
use super::load::{Entry, LoadError, Loaded, Source};
use super::nearest::principal_matches;
use crate::facts::{EngineRequest, Facts};
use crate::shorthand::{RuleSet, RuleSources};

/// A policy of a set, for listings.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
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
        let loaded = Loaded::read(&all, on_no_match)?;
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
    pub fn listed(&self) -> impl Iterator<Item = Listed<'_>> {
        let written = self.enforced.entries.iter().filter(|entry| !entry.source.starts_with('\u{1}'));
        written.map(|entry| Listed {
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

    /// Whether to show a tool to a principal: hidden only if it is denied for all arguments.
    #[must_use]
    pub fn visibility(&self, principal: &Principal, tool: &ToolName, now: jiff::Timestamp) -> Visibility {
        let request = EngineRequest {
            principal: principal.clone(),
            action: "tool:execute".to_owned(),
            tool: tool.clone(),
            args: Object::new(),
            facts: Facts::at(now),
            presented: None,
        };
        let slice = self.enforced.slice(&request);
        let matching = || {
            slice
                .all
                .iter()
                .filter_map(|at| self.enforced.entries.get(usize::try_from(*at).ok()?))
                .filter(|entry| principal_matches(entry, &request))
        };
        let forbidden = matching().find(|entry| entry.effect == Effect::Forbid && entry.clauses.is_empty());
        if let Some(forbid) = forbidden {
            return Visibility::Hidden(forbid.id.clone());
        }
        if matching().any(|entry| entry.effect == Effect::Permit) {
            Visibility::Shown
        } else {
            Visibility::Hidden("policy.no_permit".to_owned())
        }
    }
}

/// Whether a tool is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visibility {
    /// A call of it may be permitted.
    Shown,
    /// No call of it can be permitted, because of this policy, or `policy.no_permit`.
    Hidden(String),
}

/// Whether a policy of the user's permits deletes in so many words: by its action, or by a condition on what is
/// deleted.
fn is_about_deletes(entry: &Entry) -> bool {
    let own = !entry.source.starts_with('\u{1}') && !entry.source.starts_with("pack:");
    let is_delete = |uid: &EntityUid| uid.eid == "fs:delete";
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

/// The result of a reload.
#[derive(Debug)]
pub enum Reload {
    /// Nothing: the content is the same.
    Unchanged,
    /// The new set is active.
    Loaded {
        /// Its identity.
        identity: String,
        /// Identity of the previous set, if any.
        before: Option<String>,
        /// Its warnings.
        lints: Vec<Lint>,
    },
    /// The new set was refused: `policy.reload_failed`. The last good set stays; without one, every call is denied.
    Failed(LoadError),
}

/// Flips per trial policy, counted since the engine was created.
pub type Shadow = BTreeMap<String, u64>;

/// The embedded [`PolicyEngine`].
#[derive(Debug, Default)]
pub struct CedarEngine {
    current: ArcSwapOption<Compiled>,
    failure: ArcSwapOption<String>,
    decided: AtomicU64,
}

impl CedarEngine {
    /// With an active set.
    #[must_use]
    pub fn new(compiled: Compiled) -> Self {
        let engine = Self::default();
        engine.current.store(Some(Arc::new(compiled)));
        engine
    }

    /// Without a set: every call is denied `policy.load` until a [`CedarEngine::reload`] succeeds.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The active set.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Compiled>> {
        self.current.load_full()
    }

    /// The error of the last reload; `None` once one succeeds.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.failure.load_full().map(|why| (*why).clone())
    }

    /// Number of decisions made.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.decided.load(Ordering::Relaxed)
    }

    /// Loads the sources and activates the set, if their content changed.
    pub fn reload(&self, sources: &[Source], rules: &RuleSources, on_no_match: OnNoMatch) -> Reload {
        match Compiled::load(sources, rules, on_no_match) {
            Err(error) => {
                self.failure.store(Some(Arc::new(error.to_string())));
                Reload::Failed(error)
            }
            Ok(compiled) => {
                self.failure.store(None);
                let before = self.current().map(|current| current.identity.clone());
                if before.as_deref() == Some(compiled.identity()) {
                    return Reload::Unchanged;
                }
                let identity = compiled.identity.clone();
                let lints = compiled.lints.clone();
                self.current.store(Some(Arc::new(compiled)));
                Reload::Loaded { identity, before, lints }
            }
        }
    }

    /// The decision for a request built from facts.
    pub fn decide_request(&self, request: &EngineRequest) -> PolicyDecision {
        self.decided.fetch_add(1, Ordering::Relaxed);
        match &*self.current.load() {
            Some(compiled) => compiled.decide(request),
            None => self.unloaded(),
        }
    }

    /// The decision for an inspected call.
    pub fn decide_call(
        &self,
        inspected: &Inspected,
        assessment: &Assessment,
        grant: Option<&Grant>,
    ) -> PolicyDecision {
        self.decided.fetch_add(1, Ordering::Relaxed);
        let current = self.current.load();
        let Some(compiled) = &*current else { return self.unloaded() };
        let rules = compiled.rules.facts(inspected);
        let request = EngineRequest::of(inspected, assessment, grant, rules, &compiled.identity);
        compiled.decide(&request)
    }

    fn unloaded(&self) -> PolicyDecision {
        let why = self.failure().unwrap_or_else(|| "nothing was loaded".to_owned());
        PolicyDecision::deny("policy.load", format!("no policies are in force: {why}"))
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
        self.current().map_or_else(String::new, |compiled| compiled.identity.clone())
    }
}
