//! The schema of the context: its members and their types.
//!
//! A condition that reads a member which no context has, or compares a member with a value of another type, would err
//! on every call and so deny all of them. Such a policy is refused at load. What a caller supplies (`args`,
//! `request`, `action`, counters) isn't checked, because its members are known only when a call comes.

use cedar_policy::pst::{BinaryOp, Clause, Expr, Literal, UnaryOp, Var};
use doorward_settings::nearest;

use super::mention::{parts, path_or_context};
use super::probe::{ALWAYS, Kind, RECORDS};

/// Members of the context that may be missing.
pub(super) const OPTIONAL: &[(&[&str], MemberType)] = &[
    (&["ip"], MemberType::Address),
    (&["approval"], MemberType::Record),
    (&["risk", "score"], MemberType::Long),
    (&["sandbox", "wall_s"], MemberType::Long),
    (&["sandbox", "memory_mb"], MemberType::Long),
    (&["sandbox", "hosts"], MemberType::Set),
    (&["sandbox", "reads"], MemberType::Set),
    (&["sandbox", "writes"], MemberType::Set),
    (&["sandbox", "declares"], MemberType::Record),
    (&["sandbox", "declares", "tier"], MemberType::Text),
    (&["sandbox", "declares", "wall_s"], MemberType::Long),
    (&["sandbox", "declares", "memory_mb"], MemberType::Long),
    (&["sandbox", "declares", "hosts"], MemberType::Set),
    (&["sandbox", "declares", "reads"], MemberType::Set),
    (&["sandbox", "declares", "writes"], MemberType::Set),
];

/// Members that exist whenever their parent does.
const WITHIN: &[(&[&str], MemberType)] = &[
    (&["approval", "at"], MemberType::Time),
    (&["approval", "by"], MemberType::Entity),
    (&["approval", "level"], MemberType::Long),
    (&["effects", "outside"], MemberType::Record),
];

/// Members whose contents the caller or the settings define. `action` exists for entity requests only.
const OPEN: &[&str] = &["action", "args", "count", "request"];

/// Type of a member of the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberType {
    Address,
    Bool,
    Entity,
    Long,
    Record,
    Set,
    Text,
    Time,
}

impl MemberType {
    const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Set => Self::Set,
            Kind::Bool => Self::Bool,
            Kind::Text => Self::Text,
            Kind::Long => Self::Long,
            Kind::Time => Self::Time,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Address => "an IP address",
            Self::Bool => "true or false",
            Self::Entity => "an entity",
            Self::Long => "a number",
            Self::Record => "a record",
            Self::Set => "a set",
            Self::Text => "text",
            Self::Time => "a time",
        }
    }
}

/// A part of a policy that doesn't fit the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misfit {
    /// The member's path; the last name is the one that doesn't fit.
    pub(super) path: Vec<String>,
    pub(super) message: String,
    pub(super) help: String,
}

/// The first condition of a policy that errs or fails for every call because of the schema.
pub(super) fn misfit(clauses: &[Clause]) -> Option<Misfit> {
    clauses.iter().find_map(|clause| {
        let (Clause::When(expr) | Clause::Unless(expr)) = clause;
        walk(expr)
    })
}

fn walk(expr: &Expr) -> Option<Misfit> {
    let below = || parts(expr).unwrap_or_default().into_iter().find_map(walk);
    if let Expr::HasAttr { expr: base, attrs } = expr {
        let Some(mut path) = path_or_context(base) else { return below() };
        path.extend(attrs.iter().map(ToString::to_string));
        return member(&path).err();
    }
    if let Some(path) = path_or_context(expr).filter(|path| !path.is_empty()) {
        return member(&path).err();
    }
    below().or_else(|| operands(expr))
}

/// The type of a member; `None` if only the call determines it.
fn member(path: &[String]) -> Result<Option<MemberType>, Misfit> {
    let mut found = Some(MemberType::Record);
    for length in 1..=path.len() {
        let (own, within) = (path.get(..length).unwrap_or(path), path.get(..length - 1).unwrap_or_default());
        if own.first().is_some_and(|first| OPEN.contains(&first.as_str())) {
            return Ok((length == path.len() && length == 1).then_some(MemberType::Record));
        }
        let known = rows().find(|(row, _)| row.iter().eq(own));
        match known {
            Some((_, kind)) => found = Some(kind),
            None => return Err(unknown(own, within, found)),
        }
    }
    Ok(found)
}

fn unknown(own: &[String], within: &[String], kind: Option<MemberType>) -> Misfit {
    let base =
        std::iter::once("context".to_owned()).chain(within.iter().cloned()).collect::<Vec<_>>().join(".");
    let name = own.last().map_or("", String::as_str);
    let mut members: Vec<&str> = rows()
        .map(|(row, _)| row)
        .filter(|row| row.len() == own.len() && row.iter().take(within.len()).eq(within))
        .filter_map(|row| row.last().copied())
        .collect();
    members.extend(OPEN.iter().filter(|_| within.is_empty()));
    members.sort_unstable();
    members.dedup();
    let help = match (nearest(name, members.iter().copied()), kind) {
        (Some(near), _) => format!("did you mean `{base}.{near}`?"),
        (None, Some(kind)) if members.is_empty() => format!("`{base}` is {}", kind.words()),
        (None, _) => format!("`{base}` has {}", members.join(", ")),
    };
    Misfit { path: own.to_vec(), message: format!("`{base}` has no `{name}`"), help }
}

/// Every member with a fixed type.
fn rows() -> impl Iterator<Item = (Vec<&'static str>, MemberType)> {
    let always = ALWAYS.iter().map(|(first, second, kind)| {
        let path = match (*first, *second) {
            ("outside", second) => vec!["effects", "outside", second],
            (first, "") => vec![first],
            (first, second) => vec![first, second],
        };
        (path, MemberType::of(*kind))
    });
    let records =
        RECORDS.iter().filter(|name| !OPEN.contains(name)).map(|name| (vec![*name], MemberType::Record));
    let rest = OPTIONAL.iter().chain(WITHIN).map(|(path, kind)| (path.to_vec(), *kind));
    always.chain(records).chain(rest)
}

/// An operator applied to a member of a type that it doesn't accept, or a comparison that is never true.
fn operands(expr: &Expr) -> Option<Misfit> {
    match expr {
        Expr::Like { expr, .. } => wants(expr, "`like`", &[MemberType::Text]),
        Expr::UnaryOp { op: UnaryOp::Not, expr } => wants(expr, "`!`", &[MemberType::Bool]),
        Expr::UnaryOp { op: UnaryOp::IsEmpty, expr } => wants(expr, "`isEmpty`", &[MemberType::Set]),
        Expr::IfThenElse { cond, .. } => wants(cond, "`if`", &[MemberType::Bool]),
        Expr::BinaryOp { op, left, right } => match op {
            BinaryOp::And | BinaryOp::Or => {
                let each = |side| wants(side, "`&&` or `||`", &[MemberType::Bool]);
                each(left).or_else(|| each(right))
            }
            BinaryOp::Contains => wants(left, "`contains`", &[MemberType::Set]),
            BinaryOp::ContainsAll | BinaryOp::ContainsAny => {
                let each = |side| wants(side, "`containsAll` or `containsAny`", &[MemberType::Set]);
                each(left).or_else(|| each(right))
            }
            BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq => {
                let each = |side| wants(side, "an order comparison", &[MemberType::Long, MemberType::Time]);
                each(left).or_else(|| each(right)).or_else(|| same(left, right))
            }
            BinaryOp::Eq | BinaryOp::NotEq => same(left, right),
            _ => None,
        },
        _ => None,
    }
}

fn wants(expr: &Expr, operator: &str, wanted: &[MemberType]) -> Option<Misfit> {
    let path = path_or_context(expr)?;
    let kind = member(&path).ok()??;
    let words: Vec<&str> = wanted.iter().map(|kind| kind.words()).collect();
    (!wanted.contains(&kind)).then(|| Misfit {
        message: format!("`context.{}` is {}", path.join("."), kind.words()),
        help: format!("{operator} is for {}", words.join(" or ")),
        path,
    })
}

/// A comparison of two values of known, different types: never equal, and not ordered.
fn same(left: &Expr, right: &Expr) -> Option<Misfit> {
    let (one, other) = (type_of(left)?, type_of(right)?);
    let path =
        [left, right].into_iter().find_map(|side| path_or_context(side).filter(|path| !path.is_empty()))?;
    (one != other).then(|| Misfit {
        message: format!("compares {} with {}", one.words(), other.words()),
        help: format!("the two sides of a comparison have one type; `context.{}` is given", path.join(".")),
        path,
    })
}

fn type_of(expr: &Expr) -> Option<MemberType> {
    if let Some(path) = path_or_context(expr) {
        return member(&path).ok()?;
    }
    Some(match expr {
        Expr::Literal(Literal::String(_)) => MemberType::Text,
        Expr::Literal(Literal::Long(_)) => MemberType::Long,
        Expr::Literal(Literal::Bool(_)) => MemberType::Bool,
        Expr::Literal(Literal::EntityUID(_)) | Expr::Var(Var::Principal | Var::Action | Var::Resource) => {
            MemberType::Entity
        }
        Expr::Set(_) => MemberType::Set,
        Expr::Record(_) => MemberType::Record,
        Expr::UnaryOp { op: UnaryOp::Datetime, .. } => MemberType::Time,
        Expr::UnaryOp { op: UnaryOp::Ip, .. } => MemberType::Address,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cedar_policy::{EvalResult, Policy};
    use doorward_core::call::Principal;
    use doorward_core::json::Object;
    use doorward_core::tool::ToolName;

    use super::super::context::context;
    use super::super::mention::Mentions;
    use super::*;
    use crate::facts::{EngineRequest, Facts};

    fn of(condition: &str) -> Option<Misfit> {
        let text = format!("forbid(principal, action, resource) {condition};");
        let policy = Policy::parse(None, text).unwrap().to_pst().unwrap();
        misfit(policy.body().clauses())
    }

    /// Every member of a context, including those of nested records.
    fn members(value: &EvalResult, path: &[String], all: &mut BTreeSet<Vec<String>>) {
        let EvalResult::Record(record) = value else { return };
        for (name, value) in record.iter() {
            let own: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            members(value, &own, all);
            all.insert(own);
        }
    }

    #[test]
    fn the_schema_has_exactly_what_a_context_has() {
        let request = EngineRequest {
            principal: Principal { id: "u".to_owned(), groups: Vec::new() },
            action: "tool:execute".to_owned(),
            tool: ToolName::new("shell:execute").unwrap(),
            args: Object::new(),
            facts: Facts::at(jiff::Timestamp::UNIX_EPOCH),
            presented: None,
        };
        let everything =
            Policy::parse(None, "forbid(principal, action, resource) when { context == {} };").unwrap();
        let mentions = Mentions::of(everything.to_pst().unwrap().body().clauses());
        let built = context(&request, &mentions).unwrap();
        let mut given = BTreeSet::new();
        for (name, _) in built.clone() {
            members(&built.get(&name).unwrap(), std::slice::from_ref(&name), &mut given);
            given.insert(vec![name]);
        }
        for path in &given {
            assert!(member(path).is_ok(), "{path:?} is in the context and not in the schema");
        }
        let optional = |path: &[&str]| {
            path.first() == Some(&"approval") || OPTIONAL.iter().any(|(row, _)| path.starts_with(row))
        };
        for (path, _) in rows().filter(|(path, _)| !optional(path)) {
            let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
            assert!(given.contains(&path), "{path:?} is in the schema and not in the context");
        }
    }

    #[test]
    fn what_no_context_has_is_found_wherever_it_is_read() {
        for (condition, message) in [
            ("when { context.effects.hostz.contains(\"x\") }", "`context.effects` has no `hostz`"),
            ("when { context.efects.network }", "`context` has no `efects`"),
            ("when { true && !(context.session.turns > 3) }", "`context.session` has no `turns`"),
            ("unless { context has aproval }", "`context` has no `aproval`"),
            ("unless { context has approval.lvl }", "`context.approval` has no `lvl`"),
            ("when { context.effects has hostz }", "`context.effects` has no `hostz`"),
            ("when { context[\"sandbox\"][\"teir\"] == \"full\" }", "`context.sandbox` has no `teir`"),
            ("when { [context.risk.levl].contains(\"HIGH\") }", "`context.risk` has no `levl`"),
            ("when { context.effects.outside.hosts.isEmpty() }", "`context.effects.outside` has no `hosts`"),
            ("when { context.effects.hosts.first == \"x\" }", "`context.effects.hosts` has no `first`"),
            ("when { if context.rules.name then true else false }", "`context.rules` has no `name`"),
            ("when { context.risk.level == 2 }", "compares text with a number"),
            ("when { context.effects.hosts == \"x\" }", "compares a set with text"),
            (
                "when { context.effects.network.contains(\"x\") }",
                "`context.effects.network` is true or false",
            ),
            ("when { context.effects.hosts like \"*x*\" }", "`context.effects.hosts` is a set"),
            ("when { context.risk.level > 3 }", "`context.risk.level` is text"),
            ("when { context.effects.executes }", ""),
        ] {
            let found = of(condition).map(|misfit| misfit.message);
            if message.is_empty() {
                // Cedar itself reports a condition that isn't a boolean, so the schema needn't.
                continue;
            }
            assert_eq!(found.as_deref(), Some(message), "{condition}");
        }
    }

    #[test]
    fn what_a_context_has_or_a_caller_gives_fits() {
        for condition in [
            "when { context.args.anything.at.all > 3 }",
            "when { context.args has env && context.args.env == \"prod\" }",
            "when { context.request.vpn }",
            "when { context.action has dry_run && context.action.dry_run }",
            "when { context.count.mails_today > 5 }",
            "unless { context has approval && context.approval.level >= 2 && context.approval.by != principal }",
            "when { context has ip && context.ip.isLoopback() }",
            "when { context.now.toTime() > duration(\"17h\") && context.now < datetime(\"2030-01-01\") }",
            "when { context.risk.known && context.risk has score && context.risk.score > 79 }",
            "when { context.sandbox has declares.wall_s && context.sandbox.declares.wall_s > 3 }",
            "when { context.effects.outside.writes.containsAny([\"/etc\"]) }",
            "when { (if true then context else context).whatever }",
            "when { principal has team && resource.owner == principal }",
            "when { context == {} }",
        ] {
            assert_eq!(of(condition), None, "{condition}");
        }
    }
}
