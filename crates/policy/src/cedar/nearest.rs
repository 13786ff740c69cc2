//! Finds permits that nearly applied, with the clause that failed, which Cedar's answer doesn't contain.

use std::str::FromStr as _;
use std::sync::Arc;

use cedar_policy::pst::{
    ActionConstraint, BinaryOp, Clause, EntityOrSlot, Expr, PrincipalConstraint, ResourceConstraint,
};
use cedar_policy::{Entities, EvalResult, Expression, Request, eval_expression};
use doorward_core::decision::Nearest;

use super::context::{context, user};
use super::index::{Index, Slice};
use super::load::{Entry, MODE_DEFAULT};
use super::mention::Mentions;
use crate::facts::EngineRequest;

/// Most permits named.
const SHOWN: usize = 3;

/// Permits whose action and principal match, each with the first clause that fails.
pub(crate) fn permits(index: &Index, slice: &Slice, request: &EngineRequest) -> Vec<Nearest> {
    let mut matching: Vec<(usize, &Entry)> = slice
        .permits
        .iter()
        .filter_map(|at| Some((*at, index.entries.get(usize::try_from(*at).ok()?)?)))
        .filter(|(_, entry)| entry.id != MODE_DEFAULT && principal_matches(entry, request))
        .map(|(at, entry)| {
            // Order them by what can be checked without evaluation.
            let missed = entry.probes.iter().filter(|probe| !probe.may_hold(request)).count();
            let elsewhere = usize::from(!slice.holds(at));
            (missed + elsewhere * 100, entry)
        })
        .collect();
    matching.sort_by_key(|(distance, _)| *distance);
    matching.truncate(SHOWN);
    let mut mentions = Mentions::default();
    matching.iter().for_each(|(_, entry)| mentions.join(&entry.mentions));
    let Some(question) = ConditionQuestion::of(slice, request, &mentions) else { return Vec::new() };
    matching
        .into_iter()
        .filter_map(|(_, entry)| Some(Nearest { policy: entry.id.clone(), clause: question.failing(entry)? }))
        .collect()
}

/// The conditions of a policy one by one, as text and ready to evaluate.
#[derive(Debug)]
pub(crate) struct Conditions(Vec<(String, Option<Expression>)>);

impl Conditions {
    pub(crate) fn of(entry: &Entry) -> Self {
        let mut texts: Vec<String> = resource_text(&entry.resource).into_iter().collect();
        for clause in &entry.clauses {
            match clause {
                Clause::When(expr) => texts.extend(conjuncts(expr).into_iter().map(ToString::to_string)),
                Clause::Unless(expr) => texts.push(format!("!({expr})")),
            }
        }
        Self(texts.into_iter().map(|text| (text.clone(), Expression::from_str(&text).ok())).collect())
    }
}

/// A request against which single conditions can be evaluated.
pub(crate) struct ConditionQuestion {
    request: Request,
    entities: Arc<Entities>,
}

impl ConditionQuestion {
    pub(crate) fn of(slice: &Slice, request: &EngineRequest, mentions: &Mentions) -> Option<Self> {
        let context = context(request, mentions).ok()?;
        let entities = slice.entities(request).ok()?;
        let principal = user(&request.principal.id);
        let (action, resource) = (slice.target.action.clone(), slice.target.resource.clone());
        Some(Self { request: Request::new(principal, action, resource, context, None).ok()?, entities })
    }

    /// The first condition that doesn't hold, in its own text.
    pub(crate) fn failing(&self, entry: &Entry) -> Option<String> {
        let conditions = entry.conditions.get_or_init(|| Conditions::of(entry));
        let failing = conditions.0.iter().find(|(_, expression)| {
            !expression.as_ref().is_some_and(|expression| {
                matches!(
                    eval_expression(&self.request, &self.entities, expression),
                    Ok(EvalResult::Bool(true))
                )
            })
        });
        failing.map(|(text, _)| text.clone())
    }
}

fn principal_matches(entry: &Entry, request: &EngineRequest) -> bool {
    let exact = |uid: &cedar_policy::pst::EntityUID| {
        uid.ty.to_string() == "User" && uid.eid == request.principal.id.as_str()
    };
    let within = |uid: &cedar_policy::pst::EntityUID| {
        exact(uid)
            || (uid.ty.to_string() == "Group"
                && request.principal.groups.iter().any(|group| uid.eid == group.as_str()))
    };
    match &entry.principal {
        PrincipalConstraint::Any => true,
        PrincipalConstraint::Is(kind) => kind.to_string() == "User",
        PrincipalConstraint::Eq(EntityOrSlot::Entity(uid)) => exact(uid),
        PrincipalConstraint::In(EntityOrSlot::Entity(uid)) => within(uid),
        PrincipalConstraint::IsIn(kind, EntityOrSlot::Entity(uid)) => {
            kind.to_string() == "User" && within(uid)
        }
        _ => false,
    }
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::BinaryOp { op: BinaryOp::And, left, right } => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        other => vec![other],
    }
}

fn resource_text(constraint: &ResourceConstraint) -> Option<String> {
    match constraint {
        ResourceConstraint::Any => None,
        ResourceConstraint::Eq(EntityOrSlot::Entity(uid)) => Some(format!("resource == {uid}")),
        ResourceConstraint::In(EntityOrSlot::Entity(uid)) => Some(format!("resource in {uid}")),
        ResourceConstraint::Is(kind) => Some(format!("resource is {kind}")),
        ResourceConstraint::IsIn(kind, EntityOrSlot::Entity(uid)) => {
            Some(format!("resource is {kind} in {uid}"))
        }
        _ => None,
    }
}

/// The text of an action scope, for lints.
pub(crate) fn action_text(constraint: &ActionConstraint) -> String {
    match constraint {
        ActionConstraint::Any => "action".to_owned(),
        ActionConstraint::Eq(uid) => format!("action == {uid}"),
        ActionConstraint::In(uids) => {
            let all: Vec<String> = uids.iter().map(ToString::to_string).collect();
            format!("action in [{}]", all.join(", "))
        }
    }
}
