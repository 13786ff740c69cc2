//! Derives the contract's three decisions from Cedar's two.
//!
//! A confirm rule is a `forbid … unless { context has approval … }`. So a denied request is evaluated again with a
//! hypothetical approval that meets every condition on approvals: if that is allowed, a person is asked. An error of
//! any policy in either evaluation is a denial, because Cedar itself skips an erring forbid.

use std::cell::OnceCell;
use std::sync::Arc;

use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, Request};
use doorward_core::decision::{Confirm, Obligation, PolicyDecision, Verdict};
use doorward_core::finding::Severity;

use super::annotation::ConfirmKind;
use super::context::{ApprovalFact, Unbuilt, context, entities, user, with_approval};
use super::index::{Index, PreparedSet, Slice, groups};
use super::load::{Entry, MODE_DEFAULT};
use super::nearest;
use crate::facts::EngineRequest;
use crate::shorthand::UNSEEN;

/// Most findings' messages shown for one policy.
const SENTENCES: usize = 2;

/// Result of one evaluation.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct EvaluationOutcome {
    pub(crate) allowed: bool,
    /// Ids of the satisfied permits or forbids, sorted.
    pub(crate) reasons: Vec<String>,
    /// Ids of the policies that erred, with Cedar's message.
    pub(crate) errors: Vec<(String, String)>,
}

/// The inputs of a decision.
pub(crate) struct Asked<'a> {
    pub(crate) index: &'a Index,
    pub(crate) request: &'a EngineRequest,
    pub(crate) prepared: &'a PreparedSet,
    /// Evaluates once, with an approval or without.
    pub(crate) evaluate: &'a dyn Fn(Option<&ApprovalFact<'_>>) -> Result<EvaluationOutcome, Unbuilt>,
    /// Searched for permits that nearly applied.
    pub(crate) slice: Option<&'a Slice>,
}

/// Names of the hypothetical approver, which no account can have. The second is used if the principal has the first.
const SOMEONE: [&str; 2] = ["\u{1}someone", "\u{1}someone else"];

/// The decision of a set.
pub(crate) fn decide(index: &Index, request: &EngineRequest, whole: bool) -> PolicyDecision {
    let slice = index.slice(request);
    let prepared = if whole { index.whole() } else { index.prepared(&slice, request) };
    // The facts don't depend on the approval, so they are built once.
    let facts = OnceCell::new();
    let evaluate = |approval: Option<&ApprovalFact<'_>>| {
        if prepared.len == 0 {
            return Ok(EvaluationOutcome::default());
        }
        let facts = facts.get_or_init(|| context(request, &prepared.mentions));
        let context = with_approval(facts.clone()?, approval)?;
        evaluate(request, &slice, context, &prepared, approval)
    };
    Asked { index, request, prepared: &prepared, evaluate: &evaluate, slice: Some(&slice) }.decision()
}

fn evaluate(
    request: &EngineRequest,
    slice: &Slice,
    context: Context,
    prepared: &PreparedSet,
    approval: Option<&ApprovalFact<'_>>,
) -> Result<EvaluationOutcome, Unbuilt> {
    let target = &slice.target;
    let entities = match approval {
        None => slice.entities(request)?,
        Some(_) => Arc::new(entities(request, target, approval)?),
    };
    let principal = user(&request.principal.id);
    authorize(principal, target.action.clone(), target.resource.clone(), context, &entities, prepared)
}

/// Cedar's answer, reduced to the parts used here.
pub(crate) fn authorize(
    principal: EntityUid,
    action: EntityUid,
    resource: EntityUid,
    context: Context,
    entities: &Entities,
    prepared: &PreparedSet,
) -> Result<EvaluationOutcome, Unbuilt> {
    let question = Request::new(principal, action, resource, context, None)
        .map_err(|error| Unbuilt(error.to_string()))?;
    let answer = Authorizer::new().is_authorized(&question, &prepared.set, entities);
    let mut reasons: Vec<String> = answer.diagnostics().reason().map(ToString::to_string).collect();
    reasons.sort();
    let mut errors: Vec<(String, String)> = answer
        .diagnostics()
        .errors()
        .map(|error| match error {
            cedar_policy::AuthorizationError::PolicyEvaluationError(error) => {
                (error.policy_id().to_string(), error.inner().to_string())
            }
        })
        .collect();
    errors.sort();
    Ok(EvaluationOutcome { allowed: answer.decision() == Decision::Allow, reasons, errors })
}

impl Asked<'_> {
    pub(crate) fn decision(&self) -> PolicyDecision {
        self.answer().unwrap_or_else(|Unbuilt(why)| {
            PolicyDecision::deny("policy.error", format!("the request can't be put to the policies: {why}"))
        })
    }

    fn answer(&self) -> Result<PolicyDecision, Unbuilt> {
        let (grant, lapsed) = match self.request.verified() {
            Ok(grant) => (grant, None),
            Err(code) => (None, Some(code)),
        };
        let fact = grant.map(|grant| ApprovalFact {
            level: grant.level.into(),
            by: &grant.by,
            groups: &grant.by_groups,
            at: grant.at,
        });
        let first = (self.evaluate)(fact.as_ref())?;
        if let Some(denial) = erred(&first, &first) {
            return Ok(denial);
        }
        if first.allowed {
            return self.allowed(&first, fact.is_some());
        }
        // If no policy reads the approval, a second evaluation would give the same result.
        if self.prepared.mentions.approval() {
            let second = (self.evaluate)(Some(&self.hypothetical(&groups(&self.prepared.mentions))))?;
            if let Some(denial) = erred(&second, &first) {
                return Ok(denial);
            }
            if second.allowed {
                return Ok(self.confirm(&first, &second, lapsed));
            }
        }
        Ok(self.denied(&first))
    }

    fn hypothetical<'g>(&self, groups: &'g [String]) -> ApprovalFact<'g> {
        let [one, other] = SOMEONE;
        let by = if self.request.principal.id == one { other } else { one };
        ApprovalFact { level: 3, by, groups, at: self.request.facts.now }
    }

    fn allowed(&self, first: &EvaluationOutcome, with_approval: bool) -> Result<PolicyDecision, Unbuilt> {
        let mut owing = self.entries(&first.reasons);
        if with_approval && self.prepared.mentions.approval() {
            // Obligations of the forbids that the approval lifted still apply.
            let without = (self.evaluate)(None)?;
            if !without.allowed {
                owing.extend(self.entries(&without.reasons));
            }
        }
        let by_mode = first.reasons.as_slice() == [MODE_DEFAULT.to_owned()];
        let mut decision = PolicyDecision::deny(crate::remote::NO_PERMIT, "no policy permits this call");
        decision.obligations = obligations(&owing);
        if by_mode {
            decision.unsettled = true;
            decision.reason.push_str("; the permission mode decides");
            return Ok(decision);
        }
        let settled: Vec<&Entry> =
            self.entries(&first.reasons).into_iter().filter(|entry| entry.id != MODE_DEFAULT).collect();
        decision.decision = Verdict::Allow;
        decision.code = code_of(&settled, "rule.allow", "policy.permit");
        decision.reason = self.reason_of(&settled, "permitted");
        decision.policies = settled.iter().map(|entry| entry.id.clone()).collect();
        Ok(decision)
    }

    fn confirm(
        &self,
        first: &EvaluationOutcome,
        second: &EvaluationOutcome,
        lapsed: Option<String>,
    ) -> PolicyDecision {
        // The asking policies: the forbids that were lifted, or else the permits that require an approval.
        let asking = self.entries(if first.reasons.is_empty() { &second.reasons } else { &first.reasons });
        let asking: Vec<&Entry> = asking.into_iter().filter(|entry| entry.id != MODE_DEFAULT).collect();
        let level = asking.iter().map(|entry| entry.level()).max().unwrap_or(1);
        let kinds = || asking.iter().filter_map(|entry| entry.annotations.confirm.as_ref());
        let phrase = kinds().find_map(|kind| match kind {
            ConfirmKind::Type(phrase) => Some(phrase.clone()),
            _ => None,
        });
        let mut groups: Vec<String> = kinds()
            .filter_map(|kind| match kind {
                ConfirmKind::Group(group) => Some(group.clone()),
                _ => None,
            })
            .collect();
        groups.dedup();
        let mut owing = asking.clone();
        owing.extend(self.entries(&second.reasons));
        let code = lapsed.unwrap_or_else(|| code_of(&asking, "rule.ask", "policy.confirm"));
        let mut reason = self.reason_of(&asking, "asked about");
        if let Some(unseen) = &self.request.facts.rules.unseen {
            reason = reason.replace(UNSEEN, unseen);
        }
        let mut decision = PolicyDecision::deny(code, reason);
        decision.decision = Verdict::Confirm;
        decision.obligations = obligations(&owing);
        decision.policies = first.reasons.clone();
        decision.severity = severity(&asking);
        decision.confirm = Some(Confirm {
            level,
            phrase,
            groups,
            policies: asking.iter().map(|entry| entry.id.clone()).collect(),
            delegable: level == 1 && asking.iter().all(|entry| entry.annotations.delegable),
            one_attempt: false,
        });
        decision
    }

    fn denied(&self, first: &EvaluationOutcome) -> PolicyDecision {
        let forbids = self.entries(&first.reasons);
        if forbids.is_empty() {
            let mut decision = PolicyDecision::deny(crate::remote::NO_PERMIT, "no policy permits this call");
            decision.nearest =
                self.slice.map(|slice| nearest::permits(self.index, slice, self.request)).unwrap_or_default();
            if let Some(near) = decision.nearest.first() {
                decision.reason = format!(
                    "no policy permits this call; the nearest is `{}`, but not: {}",
                    near.policy, near.clause
                );
            }
            return decision;
        }
        let mut decision = PolicyDecision::deny(
            code_of(&forbids, "rule.deny", "policy.forbid"),
            self.reason_of(&forbids, "forbidden"),
        );
        decision.obligations = obligations(&forbids);
        decision.policies = first.reasons.clone();
        decision.severity = severity(&forbids);
        decision
    }

    /// Reasons of the gravest of these policies, each with its id.
    fn reason_of(&self, entries: &[&Entry], word: &str) -> String {
        let mut graver: Vec<&&Entry> = entries.iter().filter(|entry| !entry.annotations.told_alone).collect();
        if graver.is_empty() {
            graver = entries.iter().collect();
        }
        graver.sort_by_key(|entry| std::cmp::Reverse(entry.annotations.severity));
        let reasons: Vec<String> = graver
            .into_iter()
            .map(|entry| match self.told_by_finding(entry).or_else(|| entry.annotations.reason.clone()) {
                Some(reason) => format!("{reason} [{}]", entry.id),
                None => format!("{word} by policy `{}`", entry.id),
            })
            .collect();
        // A call that can't be analysed could match every rule; two reasons are enough.
        let (told, more) = reasons.split_at(reasons.len().min(2));
        match more.len() {
            0 => told.join(" "),
            more => format!("{} (and {more} more)", told.join(" ")),
        }
    }

    /// Messages of the findings that the policy names: they name what is touched.
    fn told_by_finding(&self, entry: &Entry) -> Option<String> {
        let sentences = &self.request.facts.sentences;
        let own: Vec<&str> = entry
            .annotations
            .findings
            .iter()
            .flat_map(|code| {
                let family = code.strip_suffix('*');
                sentences.iter().filter(move |(own, _)| match family {
                    Some(family) => own.starts_with(family),
                    None => *own == code,
                })
            })
            .flat_map(|(_, sentences)| sentences)
            .map(String::as_str)
            .collect();
        let (told, more) = own.split_at(own.len().min(SENTENCES));
        match (told, more.len()) {
            ([], _) => None,
            (told, 0) => Some(told.join(" ")),
            (told, more) => Some(format!("{} (and {more} more)", told.join(" "))),
        }
    }

    fn entries(&self, ids: &[String]) -> Vec<&Entry> {
        ids.iter().filter_map(|id| self.index.entry(id)).collect()
    }
}

/// A policy's error is a denial, whatever other policies say.
fn erred(outcome: &EvaluationOutcome, first: &EvaluationOutcome) -> Option<PolicyDecision> {
    let (id, why) = outcome.errors.first()?;
    let more = outcome.errors.len() - 1;
    let others = if more == 0 { String::new() } else { format!(" (and {more} more)") };
    let mut decision = PolicyDecision::deny(
        "policy.error",
        format!("policy `{id}` can't be evaluated for this call: {why}{others}"),
    );
    decision.policies = first.reasons.clone();
    Some(decision)
}

/// The rules' own code, if only shorthand rules decided and one of them has this verdict; else the policies' code.
fn code_of(entries: &[&Entry], rule: &str, policy: &str) -> String {
    let only_rules = entries.iter().all(|entry| entry.id.starts_with("rule."));
    let says = entries.iter().any(|entry| entry.id.starts_with(rule));
    if only_rules && says { rule.to_owned() } else { policy.to_owned() }
}

fn severity(entries: &[&Entry]) -> Option<Severity> {
    entries.iter().filter_map(|entry| entry.annotations.severity).max()
}

/// The obligations of these policies, without duplicates.
fn obligations(entries: &[&Entry]) -> Vec<Obligation> {
    let mut owed: Vec<Obligation> = Vec::new();
    for obligation in entries.iter().flat_map(|entry| &entry.annotations.obligations) {
        if !owed.contains(obligation) {
            owed.push(obligation.clone());
        }
    }
    owed
}
