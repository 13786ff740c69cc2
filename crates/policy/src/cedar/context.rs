//! A request in Cedar's terms: entities, and a context of facts.
//!
//! The context is built from typed values and never through Cedar's JSON reader, which would turn an argument with
//! the key `__entity` or `__extn` into an entity or a call. Members that no policy of the slice reads are left out:
//! they can't influence the decision, and building them is most of the cost.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::str::FromStr as _;
use std::sync::LazyLock;

use cedar_policy::{Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, RestrictedExpression};
use doorward_core::effect::{EffectFacts, SandboxFacts};
use doorward_core::json::{Number, Value};
use doorward_core::tool::CanonicalTool;
use jiff::Timestamp;

use super::mention::Mentions;
use crate::facts::EngineRequest;

/// The request can't be expressed in Cedar; why.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unbuilt(pub(crate) String);

macro_rules! entity_types {
    ($($name:ident = $text:literal),* $(,)?) => {
        $(
            #[allow(clippy::expect_used)]
            // INVARIANT: every literal identifier is a valid entity type name; a test builds each of them.
            static $name: LazyLock<EntityTypeName> =
                LazyLock::new(|| EntityTypeName::from_str($text).expect("an identifier"));
        )*
    };
}

entity_types! {
    USER = "User", GROUP = "Group", ACTION = "Action", TOOL = "Tool", CLASS = "ToolClass", SERVER = "Server",
}

/// `User::"<id>"`
pub(crate) fn user(id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(USER.clone(), EntityId::new(id))
}

/// `Group::"<id>"`
pub(crate) fn group(id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(GROUP.clone(), EntityId::new(id))
}

/// `Action::"<id>"`
pub(crate) fn action(id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(ACTION.clone(), EntityId::new(id))
}

fn tool(id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(TOOL.clone(), EntityId::new(id))
}

/// The action and resource of a request with their parents. The same for all calls of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) action: EntityUid,
    pub(crate) resource: EntityUid,
    pub(crate) entities: [Entity; 2],
}

impl Target {
    pub(crate) fn of(request: &EngineRequest) -> Self {
        let name = request.tool.as_str();
        let own_action = action(name);
        let own_tool = tool(name);
        let above = action_parents(request).into_iter().map(action).collect();
        let mut within = std::collections::HashSet::from([EntityUid::from_type_name_and_id(
            CLASS.clone(),
            EntityId::new(request.class().as_str()),
        )]);
        if let Some((server, _)) = request.tool.mcp_parts() {
            within.insert(EntityUid::from_type_name_and_id(SERVER.clone(), EntityId::new(server)));
        }
        Self {
            entities: [
                Entity::new_no_attrs(own_action.clone(), above),
                Entity::new_no_attrs(own_tool.clone(), within),
            ],
            action: own_action,
            resource: own_tool,
        }
    }
}

/// Parents of the tool's action: the verb, and `code:execute` for interpreters.
pub(crate) fn action_parents(request: &EngineRequest) -> Vec<&str> {
    let own = request.tool.as_str();
    let code = request.tool.is_code().then_some(CanonicalTool::Code.as_str());
    let mut above: Vec<&str> =
        [Some(request.action.as_str()), code].into_iter().flatten().filter(|parent| *parent != own).collect();
    above.dedup();
    above
}

/// An approval in the context.
#[derive(Debug, Clone)]
pub(crate) struct ApprovalFact<'a> {
    pub(crate) level: i64,
    pub(crate) by: &'a str,
    pub(crate) groups: &'a [String],
    pub(crate) at: Timestamp,
}

/// Principal, action, resource and approver with their parents.
pub(crate) fn entities(
    request: &EngineRequest,
    target: &Target,
    approval: Option<&ApprovalFact<'_>>,
) -> Result<Entities, Unbuilt> {
    let [own_action, own_tool] = target.entities.clone();
    let groups = |names: &[String]| names.iter().map(|name| group(name)).collect();
    let principal = Entity::new_no_attrs(user(&request.principal.id), groups(&request.principal.groups));
    // If the approver is the principal, the groups from the principal's authentication count.
    let approver = approval
        .filter(|approval| approval.by != request.principal.id)
        .map(|approval| Entity::new_no_attrs(user(approval.by), groups(approval.groups)));
    Entities::from_entities([principal, own_action, own_tool].into_iter().chain(approver), None)
        .map_err(|error| Unbuilt(error.to_string()))
}

/// The context of facts, limited to what `mentions` reads. [`with_approval`] adds the approval.
pub(crate) fn context(request: &EngineRequest, mentions: &Mentions) -> Result<Context, Unbuilt> {
    let facts = &request.facts;
    let mut pairs: Vec<(String, RestrictedExpression)> = Vec::with_capacity(14);
    let mut put = |name: &str, value: RestrictedExpression| pairs.push((name.to_owned(), value));
    if mentions.reads("args") {
        put("args", object(&request.args)?);
    }
    if mentions.reads("effects") {
        put("effects", effects(&facts.effects, mentions)?);
    }
    if mentions.reads("findings") {
        put("findings", strings(&facts.findings));
    }
    if mentions.reads("risk") {
        let mut members = vec![
            ("level", string(facts.risk.as_str())),
            ("known", RestrictedExpression::new_bool(facts.risk.is_known())),
        ];
        if let Some(score) = facts.score.filter(|_| facts.risk.is_known()) {
            members.push(("score", RestrictedExpression::new_long(score.into())));
        }
        put("risk", record(members)?);
    }
    if mentions.reads("custody") {
        put("custody", string(facts.custody.as_str()));
    }
    if mentions.reads("sandbox") {
        put("sandbox", sandbox(&facts.sandbox)?);
    }
    if mentions.reads("session") {
        let session = &facts.session;
        let members = vec![
            ("id", string(session.id.as_str())),
            ("turn", RestrictedExpression::new_long(session.turn)),
            ("calls", RestrictedExpression::new_long(session.calls)),
            ("denials", RestrictedExpression::new_long(session.denials)),
            ("minutes", RestrictedExpression::new_long(session.minutes)),
            ("taints", strings(&session.taints)),
            ("flows", strings(&session.flows)),
            ("intent", RestrictedExpression::new_long(session.intent)),
        ];
        put("session", record(members)?);
    }
    if mentions.reads("workflow") {
        let workflow = &facts.workflow;
        let members = vec![
            ("id", string(&workflow.id)),
            ("agents", RestrictedExpression::new_long(workflow.agents)),
            ("taints", strings(&workflow.taints)),
        ];
        put("workflow", record(members)?);
    }
    if mentions.reads("count") {
        let members = facts.count.iter().map(|(name, value)| (name, RestrictedExpression::new_long(*value)));
        put("count", record(members)?);
    }
    if mentions.reads("rules") {
        let members = vec![
            ("covered", RestrictedExpression::new_bool(facts.rules.covered)),
            ("deletes", RestrictedExpression::new_bool(facts.rules.deletes)),
            ("matched", strings(&facts.rules.matched)),
            ("named", RestrictedExpression::new_bool(facts.rules.named)),
        ];
        put("rules", record(members)?);
    }
    if mentions.reads("now") {
        put("now", datetime(facts.now));
    }
    if mentions.reads("ip")
        && let Some(address) = facts.ip.as_deref().and_then(|text| text.parse::<IpAddr>().ok())
    {
        // Cedar can't read IPv4-mapped IPv6 addresses, so they become plain IPv4.
        put("ip", RestrictedExpression::new_ip(address.to_canonical().to_string()));
    }
    if mentions.reads("request") {
        put("request", object(&facts.request)?);
    }
    Context::from_pairs(pairs).map_err(|error| Unbuilt(error.to_string()))
}

/// The facts, with the approval added if there is one.
pub(crate) fn with_approval(facts: Context, approval: Option<&ApprovalFact<'_>>) -> Result<Context, Unbuilt> {
    let Some(approval) = approval else { return Ok(facts) };
    let members = vec![
        ("level", RestrictedExpression::new_long(approval.level)),
        ("by", RestrictedExpression::new_entity_uid(user(approval.by))),
        ("at", datetime(approval.at)),
    ];
    let own = Context::from_pairs([("approval".to_owned(), record(members)?)])
        .map_err(|error| Unbuilt(error.to_string()))?;
    facts.merge(own).map_err(|error| Unbuilt(error.to_string()))
}

/// The enforced sandbox facts, and under `declares` the executor's claims.
fn sandbox(facts: &SandboxFacts) -> Result<RestrictedExpression, Unbuilt> {
    let SandboxFacts { declared, verified, tier, wall_s, memory_mb, hosts, reads, writes, declares } = facts;
    let mut members = vec![
        ("declared", RestrictedExpression::new_bool(*declared)),
        ("verified", RestrictedExpression::new_bool(*verified)),
        ("tier", string(tier.as_str())),
    ];
    members.extend(limits([*wall_s, *memory_mb], [hosts, reads, writes]));
    if let Some(said) = declares {
        let mut bounds: Vec<_> = said.tier.map(|tier| ("tier", string(tier.as_str()))).into_iter().collect();
        bounds.extend(limits([said.wall_s, said.memory_mb], [&said.hosts, &said.reads, &said.writes]));
        members.push(("declares", record(bounds)?));
    }
    record(members)
}

/// The limits that are set, by name.
fn limits(
    [wall_s, memory_mb]: [Option<u32>; 2],
    [hosts, reads, writes]: [&Option<BTreeSet<String>>; 3],
) -> Vec<(&'static str, RestrictedExpression)> {
    let long = |limit: u32| RestrictedExpression::new_long(limit.into());
    let numbers = [("wall_s", wall_s), ("memory_mb", memory_mb)];
    let sets = [("hosts", hosts), ("reads", reads), ("writes", writes)];
    let numbers = numbers.into_iter().filter_map(|(name, limit)| Some((name, long(limit?))));
    numbers.chain(sets.into_iter().filter_map(|(name, set)| Some((name, strings(set.as_ref()?))))).collect()
}

fn effects(facts: &EffectFacts, mentions: &Mentions) -> Result<RestrictedExpression, Unbuilt> {
    let mut members: Vec<(&str, RestrictedExpression)> = Vec::with_capacity(16);
    for (name, set) in [
        ("executes", &facts.executes),
        ("reads", &facts.reads),
        ("secret_reads", &facts.secret_reads),
        ("writes", &facts.writes),
        ("deletes", &facts.deletes),
        ("hosts", &facts.hosts),
        ("env_reads", &facts.env_reads),
        ("installs", &facts.installs),
        ("unknown", &facts.unknown),
        ("connectors", &facts.connectors),
    ] {
        if mentions.reads_effect(name) {
            members.push((name, strings(set)));
        }
    }
    for (name, value) in [
        ("privilege", facts.privilege),
        ("history_loss", facts.history_loss),
        ("network", facts.network),
        ("recursive_delete", facts.recursive_delete),
    ] {
        if mentions.reads_effect(name) {
            members.push((name, RestrictedExpression::new_bool(value)));
        }
    }
    if mentions.reads_effect("commands") {
        members.push(("commands", RestrictedExpression::new_long(facts.commands)));
    }
    if mentions.reads_effect("outside") {
        let outside = &facts.outside;
        let inner = vec![
            ("reads", strings(&outside.reads)),
            ("writes", strings(&outside.writes)),
            ("deletes", strings(&outside.deletes)),
        ];
        members.push(("outside", record(inner)?));
    }
    record(members)
}

fn record<N: Into<String>>(
    members: impl IntoIterator<Item = (N, RestrictedExpression)>,
) -> Result<RestrictedExpression, Unbuilt> {
    RestrictedExpression::new_record(members.into_iter().map(|(name, value)| (name.into(), value)))
        .map_err(|error| Unbuilt(error.to_string()))
}

fn string(text: &str) -> RestrictedExpression {
    RestrictedExpression::new_string(text.to_owned())
}

fn strings(set: &BTreeSet<String>) -> RestrictedExpression {
    RestrictedExpression::new_set(set.iter().map(|text| string(text)))
}

fn datetime(at: Timestamp) -> RestrictedExpression {
    // Cedar reads exactly three decimals. Truncating never makes a time later.
    let at = at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ");
    RestrictedExpression::new_datetime(at.to_string())
}

/// The Cedar form of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape<'v> {
    /// No attribute.
    Absent,
    Bool(bool),
    Long(i64),
    Decimal(&'v str),
    Text(&'v str),
    Set(&'v [Value]),
    Record(&'v doorward_core::json::Object),
}

/// Maps a JSON value. A number that Cedar can't hold exactly stays text: then an order comparison errs and so denies,
/// equality with a Long is false, and `has` stays true.
pub(crate) fn shape(value: &Value) -> Shape<'_> {
    match value {
        Value::Null => Shape::Absent,
        Value::Bool(value) => Shape::Bool(*value),
        Value::String(text) => Shape::Text(text),
        Value::Array(items) => Shape::Set(items),
        Value::Object(members) => Shape::Record(members),
        Value::Number(number) => match number.as_i64() {
            Some(value) => Shape::Long(value),
            None if is_decimal(number) => Shape::Decimal(number.as_text()),
            None => Shape::Text(number.as_text()),
        },
    }
}

pub(crate) fn expression(value: &Value) -> Result<Option<RestrictedExpression>, Unbuilt> {
    Ok(Some(match shape(value) {
        Shape::Absent => return Ok(None),
        Shape::Bool(value) => RestrictedExpression::new_bool(value),
        Shape::Long(value) => RestrictedExpression::new_long(value),
        Shape::Decimal(text) => RestrictedExpression::new_decimal(text),
        Shape::Text(text) => string(text),
        Shape::Record(members) => object(members)?,
        Shape::Set(items) => {
            let built: Vec<_> = items.iter().map(expression).collect::<Result<_, _>>()?;
            RestrictedExpression::new_set(built.into_iter().flatten())
        }
    }))
}

// Depth is bounded by the JSON reader (64).
pub(crate) fn object(members: &doorward_core::json::Object) -> Result<RestrictedExpression, Unbuilt> {
    let mut built = Vec::with_capacity(members.len());
    for (name, value) in members {
        if let Some(value) = expression(value)? {
            built.push((name.clone(), value));
        }
    }
    record(built)
}

/// Exact with at most four decimal places, within ±922337203685477.5807.
fn is_decimal(number: &Number) -> bool {
    let Some(places @ 1..=4) = number.places() else { return false };
    let digits: String = number.as_text().chars().filter(|ch| *ch != '.').collect();
    let scale = 10_i128.pow(4_u32.saturating_sub(u32::try_from(places).unwrap_or(4)));
    digits
        .parse::<i128>()
        .is_ok_and(|value| value.checked_mul(scale).is_some_and(|scaled| i64::try_from(scaled).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_place() {
        for (text, expected) in [
            ("1.0", Shape::Long(1)),
            ("1e3", Shape::Long(1000)),
            ("-0", Shape::Long(0)),
            ("9223372036854775807", Shape::Long(i64::MAX)),
            ("9223372036854775808", Shape::Text("9223372036854775808")),
            ("6.5", Shape::Decimal("6.5")),
            ("0.0001", Shape::Decimal("0.0001")),
            ("0.00001", Shape::Text("0.00001")),
            ("922337203685477.5807", Shape::Decimal("922337203685477.5807")),
            ("922337203685477.5808", Shape::Text("922337203685477.5808")),
            ("-922337203685477.5808", Shape::Decimal("-922337203685477.5808")),
            ("-922337203685477.5809", Shape::Text("-922337203685477.5809")),
        ] {
            let value = Value::parse(text).unwrap();
            assert_eq!(shape(&value), expected, "{text}");
            assert!(expression(&value).unwrap().is_some());
            if matches!(expected, Shape::Decimal(_)) {
                let pairs = [("n".to_owned(), expression(&value).unwrap().unwrap())];
                assert!(Context::from_pairs(pairs).is_ok(), "{text} is a decimal for Cedar too");
            }
        }
    }

    #[test]
    fn entity_types_are_names() {
        for uid in [user("a"), group("b"), action("c"), tool("d")] {
            assert!(!uid.to_string().is_empty());
        }
        assert_eq!(CLASS.to_string(), "ToolClass");
        assert_eq!(SERVER.to_string(), "Server");
    }
}
