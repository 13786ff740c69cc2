//! The engine: a compiled set behind an atomic pointer, replaced only by one that loaded.

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

/// A policy of a set, as it is listed.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// Its `@id`.
    pub id: &'a str,
    /// The pack (`pack:NAME`) or file it is from.
    pub source: &'a str,
    /// Whether it is a `forbid`.
    pub forbids: bool,
    /// What it says about itself.
    pub annotations: &'a Annotations,
}

/// A set of policies and rules, ready to decide. Immutable.
#[derive(Debug)]
pub struct Compiled {
    enforced: Index,
    /// The enforced set and the trial policies, when there are any.
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
    /// [`LoadError`], pointing at the text.
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

    /// `sha256:` over the sorted names and contents, the rules and what happens to a call nothing permits.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Warnings of the load.
    #[must_use]
    pub fn lints(&self) -> &[Lint] {
        &self.lints
    }

    /// The rule shorthands.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// What happens to a call that nothing permits.
    #[must_use]
    pub fn on_no_match(&self) -> OnNoMatch {
        self.on_no_match
    }

    /// How many policies are in it, built-in and compiled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.enforced.entries.len()
    }

    /// Whether it holds no policy at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The policies as written, in their order: neither the rule shorthands nor what is built in.
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

    /// How the policies of a decision want to be confirmed, as written.
    #[must_use]
    pub fn confirm_kinds(&self, decision: &PolicyDecision) -> Vec<String> {
        let asking = decision.confirm.iter().flat_map(|confirm| &confirm.policies);
        asking.filter_map(|id| self.annotations(id)?.confirm.as_ref().map(ConfirmKind::text)).collect()
    }

    /// The decision for a request, trial policies compared beside it.
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

    /// The decision about entities that aren't a user and a tool (AuthZEN's other types).
    pub fn decide_entities(&self, request: &EntityRequest) -> PolicyDecision {
        self.dressed(entity::decide(&self.enforced, request))
    }

    fn dressed(&self, mut decision: PolicyDecision) -> PolicyDecision {
        decision.mode_applies = self.on_no_match == OnNoMatch::Mode;
        decision.bundle.clone_from(&self.identity);
        decision
    }

    /// Trial policies that made the difference; empty where there is none, or where one of them was an error.
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

    /// Whether a tool is worth showing to a principal: hidden only if it is denied whatever the arguments.
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

/// Whether a tool is shown in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visibility {
    /// Some call of it may be permitted.
    Shown,
    /// No call of it can be: the policy that says so, or `policy.no_permit`.
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

/// What a reload did.
#[derive(Debug)]
pub enum Reload {
    /// Nothing: the content is the same.
    Unchanged,
    /// The new set is in force.
    Loaded {
        /// Its identity.
        identity: String,
        /// The one before, if any.
        before: Option<String>,
        /// Its warnings.
        lints: Vec<Lint>,
    },
    /// The new set was refused: `policy.reload_failed`. The last good one stays; with none, every call is denied.
    Failed(LoadError),
}

/// Flips of trial policies, counted over the life of the engine.
pub type Shadow = BTreeMap<String, u64>;

/// The embedded [`PolicyEngine`].
#[derive(Debug, Default)]
pub struct CedarEngine {
    current: ArcSwapOption<Compiled>,
    failure: ArcSwapOption<String>,
    decided: AtomicU64,
}

impl CedarEngine {
    /// With a set in force.
    #[must_use]
    pub fn new(compiled: Compiled) -> Self {
        let engine = Self::default();
        engine.current.store(Some(Arc::new(compiled)));
        engine
    }

    /// With nothing in force: every call is denied `policy.load` until a [`CedarEngine::reload`] succeeds.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The set in force.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Compiled>> {
        self.current.load_full()
    }

    /// Why the last reload failed, until one succeeds.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.failure.load_full().map(|why| (*why).clone())
    }

    /// Decisions made so far.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.decided.load(Ordering::Relaxed)
    }

    /// Replaces the set by what the sources say now, if their content differs.
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

    /// The decision for bare facts.
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
