//! Decisions about entities other than user and tool: AuthZEN's other types.
//!
//! The type `report` becomes the Cedar type `Report`. Properties are attributes, the action's properties are
//! `context.action`, the caller's context is `context.request`. All facts about calls are present but empty, so that
//! policies written for calls don't err. Evaluates the whole set: such requests are rare, and the index is built for
//! tools.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::str::FromStr as _;

use cedar_policy::{Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, RestrictedExpression};
use doorward_core::call::Principal;
use doorward_core::decision::PolicyDecision;
use doorward_core::json::{Object, Value};
use doorward_core::tool::ToolName;
use jiff::Timestamp;

use super::context::{
    ApprovalFact, Unbuilt, action, context, expression, group, object, user, with_approval,
};
use super::evaluate::{Asked, authorize};
use super::index::Index;
use crate::facts::{EngineRequest, Facts};

/// An entity as described by the caller and its directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityFacts {
    /// `user`, `report`, …
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its properties; the list of strings `groups` names its groups.
    pub properties: Object,
}

/// A request about two entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRequest {
    /// The subject.
    pub subject: EntityFacts,
    /// The action's name.
    pub action: String,
    /// The action's properties: `context.action`.
    pub action_properties: Object,
    /// The resource.
    pub resource: EntityFacts,
    /// The caller's context: `context.request`.
    pub context: Object,
    /// Doorward's clock.
    pub now: Timestamp,
}

/// Placeholder for the tool of a request without one. No tool and no policy uses this name.
const NO_TOOL: &str = "tool:none";

pub(crate) fn decide(index: &Index, request: &EntityRequest) -> PolicyDecision {
    let unknown = |kind: &str| {
        PolicyDecision::deny(
            crate::remote::NO_PERMIT,
            format!("no policy permits this: `{kind}` is no entity type"),
        )
    };
    let Some(subject) = uid(&request.subject) else { return unknown(&request.subject.kind) };
    let Some(resource) = uid(&request.resource) else { return unknown(&request.resource.kind) };
    let Ok(tool) = ToolName::new(NO_TOOL) else { return unknown(NO_TOOL) };
    let mut facts = Facts::at(request.now);
    facts.request.clone_from(&request.context);
    let call = EngineRequest {
        principal: Principal { id: request.subject.id.clone(), groups: groups(&request.subject) },
        action: request.action.clone(),
        tool,
        args: Object::new(),
        facts,
        presented: None,
    };
    let prepared = index.whole();
    let evaluate = |approval: Option<&ApprovalFact<'_>>| {
        let facts = with_action(context(&call, &prepared.mentions)?, &request.action_properties)?;
        let context = with_approval(facts, approval)?;
        let entities = entities(request, (&subject, &resource), approval)?;
        authorize(subject.clone(), action(&request.action), resource.clone(), context, &entities, &prepared)
    };
    Asked { index, request: &call, prepared: &prepared, evaluate: &evaluate, slice: None }.decision()
}

fn with_action(context: Context, properties: &Object) -> Result<Context, Unbuilt> {
    let action = Context::from_pairs([("action".to_owned(), object(properties)?)])
        .map_err(|error| Unbuilt(error.to_string()))?;
    context.merge(action).map_err(|error| Unbuilt(error.to_string()))
}

/// The Cedar uid: `report` becomes `Report`. `None` if the result isn't an identifier.
fn uid(facts: &EntityFacts) -> Option<EntityUid> {
    let mut chars = facts.kind.chars();
    let first = chars.next()?.to_ascii_uppercase();
    let name = EntityTypeName::from_str(&format!("{first}{}", chars.as_str())).ok()?;
    Some(EntityUid::from_type_name_and_id(name, EntityId::new(&facts.id)))
}

fn groups(facts: &EntityFacts) -> Vec<String> {
    let items = facts.properties.get("groups").and_then(Value::as_array).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn entities(
    request: &EntityRequest,
    (subject, resource): (&EntityUid, &EntityUid),
    approval: Option<&ApprovalFact<'_>>,
) -> Result<Entities, Unbuilt> {
    let built = |uid: &EntityUid, facts: &EntityFacts| -> Result<Entity, Unbuilt> {
        let mut attributes: HashMap<String, RestrictedExpression> = HashMap::new();
        for (name, value) in &facts.properties {
            attributes.extend(expression(value)?.map(|value| (name.clone(), value)));
        }
        let parents: HashSet<EntityUid> = groups(facts).iter().map(|name| group(name)).collect();
        Entity::new(uid.clone(), attributes, parents).map_err(|error| Unbuilt(error.to_string()))
    };
    let mut all: BTreeMap<String, Entity> = BTreeMap::new();
    all.insert(resource.to_string(), built(resource, &request.resource)?);
    all.insert(subject.to_string(), built(subject, &request.subject)?);
    if let Some(approval) = approval {
        let parents = approval.groups.iter().map(|name| group(name)).collect();
        let approver = user(approval.by);
        all.entry(approver.to_string()).or_insert_with(|| Entity::new_no_attrs(approver, parents));
    }
    Entities::from_entities(all.into_values(), None).map_err(|error| Unbuilt(error.to_string()))
}

#[cfg(test)]
mod tests {
    use doorward_core::decision::Verdict;
    use doorward_settings::OnNoMatch;

    use super::*;
    use crate::cedar::{Compiled, Source};
    use crate::shorthand::RuleSources;

    const POLICIES: &str = r#"
        @id("read") permit(principal is User, action == Action::"read", resource is Report);
        @id("edit") permit(principal == User::"dana", action == Action::"edit", resource is Report)
        unless { resource has locked && resource.locked };
        @id("ops") permit(principal is User, action == Action::"edit", resource is Report)
        when { principal has team && principal.team == "ops" && resource has locked && resource.locked };
        @id("purge") permit(principal in Group::"admin", action == Action::"purge", resource is Report)
        when { context.action has dry_run && context.action.dry_run };
        @id("burn") @confirm("click") forbid(principal, action == Action::"burn", resource)
        unless { context has approval };
        @id("burn.permit") permit(principal, action == Action::"burn", resource is Report);
        @id("calls") forbid(principal, action, resource) when { context.effects.network };
    "#;

    #[test]
    fn properties_are_attributes_and_the_action_has_its_own() {
        let set =
            Compiled::load(&[Source::new("t", POLICIES)], &RuleSources::default(), OnNoMatch::Deny).unwrap();
        let object = |text: &str| Value::parse(text).unwrap().as_object().unwrap().clone();
        for (subject, properties, action, of_action, kind, of_resource, verdict) in [
            ("dana", "{}", "read", "{}", "report", "{}", Verdict::Allow),
            ("dana", "{}", "read", "{}", "memo", "{}", Verdict::Deny),
            ("dana", "{}", "read", "{}", "no type", "{}", Verdict::Deny),
            ("dana", "{}", "read", "{}", "", "{}", Verdict::Deny),
            ("dana", "{}", "edit", "{}", "report", r#"{"locked":false}"#, Verdict::Allow),
            ("dana", "{}", "edit", "{}", "report", r#"{"locked":true}"#, Verdict::Deny),
            ("erik", r#"{"team":"ops"}"#, "edit", "{}", "report", r#"{"locked":false}"#, Verdict::Deny),
            ("erik", r#"{"team":"ops"}"#, "edit", "{}", "report", r#"{"locked":true}"#, Verdict::Allow),
            (
                "erik",
                r#"{"groups":["admin"]}"#,
                "purge",
                r#"{"dry_run":true}"#,
                "report",
                "{}",
                Verdict::Allow,
            ),
            ("erik", r#"{"groups":["admin"]}"#, "purge", "{}", "report", "{}", Verdict::Deny),
            ("erik", r#"{"groups":"admin"}"#, "purge", r#"{"dry_run":true}"#, "report", "{}", Verdict::Deny),
            ("erik", "{}", "burn", "{}", "report", "{}", Verdict::Confirm),
            ("erik", "{}", "burn", "{}", "memo", "{}", Verdict::Deny),
        ] {
            let request = EntityRequest {
                subject: EntityFacts {
                    kind: "user".into(),
                    id: subject.into(),
                    properties: object(properties),
                },
                action: action.into(),
                action_properties: object(of_action),
                resource: EntityFacts { kind: kind.into(), id: "q1".into(), properties: object(of_resource) },
                context: object(r#"{"__entity":{"type":"User","id":"dana"}}"#),
                now: "2026-11-21T12:00:00Z".parse().unwrap(),
            };
            let decision = set.decide_entities(&request);
            assert_eq!(decision.decision, verdict, "{subject} {action} {kind}: {decision:?}");
            assert_ne!(decision.code, "policy.error", "{decision:?}");
        }
    }
}
