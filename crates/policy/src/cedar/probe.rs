//! Necessary conditions of a policy that can be checked without evaluating it.
//!
//! A policy is a chain of conjuncts: its scope, then its conditions from left to right. A conjunct that compares a
//! fact with literals fails for a request with another value, so the policy can be left out for that request. This
//! holds only if no conjunct to the left can err, because an error is a denial. Expressions that aren't recognised
//! here give no condition, and the policy stays in.

use std::collections::BTreeSet;

use cedar_policy::pst::{
    BinaryOp, Clause, EntityOrSlot, EntityUID, Expr, Literal, PatternElem, PrincipalConstraint, UnaryOp, Var,
};

use super::context::{Shape, shape};
use super::mention::{path, path_or_context};
use crate::facts::EngineRequest;

/// A necessary condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Probe {
    pub(crate) fact: Fact,
    pub(crate) test: Test,
}

/// The value that is checked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Fact {
    /// The principal and its groups.
    Principal,
    /// An argument of the call.
    Argument(String),
    /// A context member that always exists.
    Known(&'static str, &'static str),
}

/// The check on the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Test {
    /// It equals one of these. `or_absent`: absence would be an error, so the policy must be kept then.
    OneOf { values: Vec<Literally>, or_absent: bool },
    /// It exists.
    Present,
    /// The set holds one of these.
    Holds(Vec<String>),
    /// The set is empty (`true`) or not (`false`).
    Empty(bool),
    /// Every element of the set is one of these.
    Within(Vec<String>),
    /// It starts with this.
    Starts { prefix: String, or_absent: bool },
    /// The principal is one of these or in one of these groups.
    Is { users: Vec<String>, groups: Vec<String> },
}

/// A literal that facts are compared with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Literally {
    Text(String),
    Long(i64),
    Bool(bool),
}

/// Types of the members of every context, as a table that can be compared with the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Set,
    Bool,
    Text,
    Long,
    Time,
}

pub(super) const ALWAYS: &[(&str, &str, Kind)] = &[
    ("effects", "executes", Kind::Set),
    ("effects", "reads", Kind::Set),
    ("effects", "secret_reads", Kind::Set),
    ("effects", "writes", Kind::Set),
    ("effects", "deletes", Kind::Set),
    ("effects", "hosts", Kind::Set),
    ("effects", "env_reads", Kind::Set),
    ("effects", "installs", Kind::Set),
    ("effects", "unknown", Kind::Set),
    ("effects", "connectors", Kind::Set),
    ("effects", "privilege", Kind::Bool),
    ("effects", "history_loss", Kind::Bool),
    ("effects", "network", Kind::Bool),
    ("effects", "recursive_delete", Kind::Bool),
    ("effects", "commands", Kind::Long),
    ("outside", "reads", Kind::Set),
    ("outside", "writes", Kind::Set),
    ("outside", "deletes", Kind::Set),
    ("findings", "", Kind::Set),
    ("risk", "level", Kind::Text),
    ("risk", "known", Kind::Bool),
    ("custody", "", Kind::Text),
    ("sandbox", "declared", Kind::Bool),
    ("sandbox", "verified", Kind::Bool),
    ("sandbox", "tier", Kind::Text),
    ("session", "id", Kind::Text),
    ("session", "turn", Kind::Long),
    ("session", "calls", Kind::Long),
    ("session", "denials", Kind::Long),
    ("session", "minutes", Kind::Long),
    ("session", "taints", Kind::Set),
    ("session", "flows", Kind::Set),
    ("session", "intent", Kind::Long),
    ("workflow", "id", Kind::Text),
    ("workflow", "agents", Kind::Long),
    ("workflow", "taints", Kind::Set),
    ("rules", "covered", Kind::Bool),
    ("rules", "deletes", Kind::Bool),
    ("rules", "matched", Kind::Set),
    ("rules", "named", Kind::Bool),
    ("now", "", Kind::Time),
];

/// Records in every context.
pub(super) const RECORDS: &[&str] =
    &["args", "effects", "risk", "sandbox", "session", "workflow", "count", "rules", "request"];

/// The necessary conditions of a policy.
pub(crate) fn probes(principal: &PrincipalConstraint, clauses: &[Clause]) -> Vec<Probe> {
    let mut found: Vec<Probe> = of_principal(principal).into_iter().collect();
    let mut conjuncts = Vec::new();
    for clause in clauses {
        match clause {
            Clause::When(expr) => split(expr, false, &mut conjuncts),
            Clause::Unless(expr) => split(expr, true, &mut conjuncts),
        }
    }
    let mut guards = BTreeSet::new();
    for (expr, negated) in conjuncts {
        found.extend(probe(expr, negated, &guards));
        if !sure(expr, &guards) {
            break;
        }
        if let (Expr::HasAttr { expr: base, attrs }, false) = (expr, negated)
            && path(base).is_some_and(|path| path == ["args".to_owned()])
            && attrs.len() == 1
        {
            guards.insert(attrs.first().to_string());
        }
    }
    found
}

fn of_principal(constraint: &PrincipalConstraint) -> Option<Probe> {
    let is = |uid: &EntityUID, exact: bool| {
        let name = uid.eid.to_string();
        let kind = uid.ty.to_string();
        let (mut users, mut groups) = (Vec::new(), Vec::new());
        if kind == "User" {
            users.push(name);
        } else if kind == "Group" && !exact {
            groups.push(name);
        }
        Probe { fact: Fact::Principal, test: Test::Is { users, groups } }
    };
    match constraint {
        PrincipalConstraint::Eq(EntityOrSlot::Entity(uid)) => Some(is(uid, true)),
        PrincipalConstraint::In(EntityOrSlot::Entity(uid))
        | PrincipalConstraint::IsIn(_, EntityOrSlot::Entity(uid)) => Some(is(uid, false)),
        _ => None,
    }
}

/// Conjuncts in order of evaluation. `!(a || b)` becomes `!a && !b`, which short-circuits in the same way.
fn split<'e>(expr: &'e Expr, negated: bool, out: &mut Vec<(&'e Expr, bool)>) {
    match expr {
        Expr::BinaryOp { op: BinaryOp::And, left, right } if !negated => {
            split(left, false, out);
            split(right, false, out);
        }
        Expr::BinaryOp { op: BinaryOp::Or, left, right } if negated => {
            split(left, true, out);
            split(right, true, out);
        }
        Expr::UnaryOp { op: UnaryOp::Not, expr } => split(expr, !negated, out),
        other => out.push((other, negated)),
    }
}

fn known(expr: &Expr) -> Option<(Fact, Kind)> {
    let path = path(expr)?;
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let (first, second) = match names.as_slice() {
        [only] => (*only, ""),
        [first, second] => (*first, *second),
        ["effects", "outside", third] => ("outside", *third),
        _ => return None,
    };
    // In the table, `outside` stands for `effects.outside`; the context has no such top-level member.
    if first == "outside" && names.len() < 3 {
        return None;
    }
    let (first, second, kind) = ALWAYS.iter().find(|(one, two, _)| *one == first && *two == second)?;
    Some((Fact::Known(first, second), *kind))
}

fn argument(expr: &Expr) -> Option<String> {
    match path(expr)?.as_slice() {
        [args, name] if args == "args" => Some(name.clone()),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<Literally> {
    match expr {
        Expr::Literal(Literal::String(text)) => Some(Literally::Text(text.to_string())),
        Expr::Literal(Literal::Long(number)) => Some(Literally::Long(*number)),
        Expr::Literal(Literal::Bool(value)) => Some(Literally::Bool(*value)),
        _ => None,
    }
}

fn texts(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Set(items) = expr else { return None };
    items
        .iter()
        .map(|item| match literal(item)? {
            Literally::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}

fn probe(expr: &Expr, negated: bool, guards: &BTreeSet<String>) -> Option<Probe> {
    if let Some((fact, Kind::Bool)) = known(expr) {
        let values = vec![Literally::Bool(!negated)];
        return Some(Probe { fact, test: Test::OneOf { values, or_absent: false } });
    }
    match (expr, negated) {
        (Expr::UnaryOp { op: UnaryOp::IsEmpty, expr }, _) => match known(expr)? {
            (fact, Kind::Set) => Some(Probe { fact, test: Test::Empty(!negated) }),
            _ => None,
        },
        (Expr::HasAttr { expr, attrs }, false) if attrs.len() == 1 => match path(expr)?.as_slice() {
            [args] if args == "args" => {
                Some(Probe { fact: Fact::Argument(attrs.first().to_string()), test: Test::Present })
            }
            _ => None,
        },
        (Expr::Like { expr, pattern }, false) => {
            let prefix: String = pattern
                .iter()
                .map_while(|elem| match elem {
                    PatternElem::Char(ch) => Some(*ch),
                    PatternElem::Wildcard => None,
                })
                .collect();
            let (fact, or_absent) = value(expr, guards)?;
            (!prefix.is_empty()).then_some(Probe { fact, test: Test::Starts { prefix, or_absent } })
        }
        (Expr::BinaryOp { op, left, right }, false) => binary(*op, left, right, guards),
        _ => None,
    }
}

/// A fact with a single value, and whether its absence would be an error here.
fn value(expr: &Expr, guards: &BTreeSet<String>) -> Option<(Fact, bool)> {
    if let Some(name) = argument(expr) {
        let or_absent = !guards.contains(&name);
        return Some((Fact::Argument(name), or_absent));
    }
    match known(expr)? {
        (fact, Kind::Text | Kind::Long | Kind::Bool) => Some((fact, false)),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr, guards: &BTreeSet<String>) -> Option<Probe> {
    match op {
        BinaryOp::Eq => {
            let (side, literal) = match (literal(left), literal(right)) {
                (None, Some(literal)) => (left, literal),
                (Some(literal), None) => (right, literal),
                _ => return None,
            };
            let (fact, or_absent) = value(side, guards)?;
            Some(Probe { fact, test: Test::OneOf { values: vec![literal], or_absent } })
        }
        BinaryOp::Contains => {
            if let Some(Literally::Text(text)) = literal(right)
                && let Some((fact, Kind::Set)) = known(left)
            {
                return Some(Probe { fact, test: Test::Holds(vec![text]) });
            }
            let Expr::Set(items) = left else { return None };
            let values = items.iter().map(|item| literal(item)).collect::<Option<Vec<_>>>()?;
            let (fact, or_absent) = value(right, guards)?;
            Some(Probe { fact, test: Test::OneOf { values, or_absent } })
        }
        BinaryOp::ContainsAny => {
            let (side, texts) = match (texts(left), texts(right)) {
                (None, Some(texts)) => (left, texts),
                (Some(texts), None) => (right, texts),
                _ => return None,
            };
            match known(side)? {
                (fact, Kind::Set) => Some(Probe { fact, test: Test::Holds(texts) }),
                _ => None,
            }
        }
        BinaryOp::ContainsAll => match (texts(left), known(right)) {
            (Some(texts), Some((fact, Kind::Set))) => Some(Probe { fact, test: Test::Within(texts) }),
            _ => None,
        },
        BinaryOp::In => {
            let Expr::Literal(Literal::EntityUID(uid)) = right else { return None };
            if !matches!(left, Expr::Var(Var::Principal)) {
                return None;
            }
            of_principal(&PrincipalConstraint::In(EntityOrSlot::Entity(uid.clone())))
        }
        BinaryOp::Or => {
            let left = probe(left, false, guards)?;
            let right = probe(right, false, guards)?;
            if left.fact != right.fact {
                return None;
            }
            let test = match (left.test, right.test) {
                (Test::OneOf { mut values, or_absent }, Test::OneOf { values: more, or_absent: also }) => {
                    values.extend(more);
                    Test::OneOf { values, or_absent: or_absent || also }
                }
                (Test::Holds(mut texts), Test::Holds(more)) => {
                    texts.extend(more);
                    Test::Holds(texts)
                }
                _ => return None,
            };
            Some(Probe { fact: left.fact, test })
        }
        _ => None,
    }
}

/// Whether evaluating this can't err for any request.
fn sure(expr: &Expr, guards: &BTreeSet<String>) -> bool {
    let value_sure = |expr: &Expr| {
        literal(expr).is_some()
            || matches!(expr, Expr::Literal(_) | Expr::Var(_))
            || known(expr).is_some()
            || argument(expr).is_some_and(|name| guards.contains(&name))
            || matches!(expr, Expr::Set(items) if items.iter().all(|item| literal(item).is_some()))
    };
    let kind = |expr: &Expr| known(expr).map(|(_, kind)| kind);
    match expr {
        Expr::Literal(Literal::Bool(_)) => true,
        Expr::UnaryOp { op: UnaryOp::Not, expr } => sure(expr, guards),
        Expr::UnaryOp { op: UnaryOp::IsEmpty, expr } => kind(expr) == Some(Kind::Set),
        Expr::HasAttr { expr, attrs } if attrs.len() == 1 => match path_or_context(expr).as_deref() {
            Some([]) => true,
            Some([record]) => RECORDS.contains(&record.as_str()),
            _ => false,
        },
        Expr::Like { expr, .. } => kind(expr) == Some(Kind::Text),
        Expr::BinaryOp { op, left, right } => match op {
            BinaryOp::And | BinaryOp::Or => sure(left, guards) && sure(right, guards),
            BinaryOp::Eq | BinaryOp::NotEq => value_sure(left) && value_sure(right),
            BinaryOp::Contains => {
                (kind(left) == Some(Kind::Set) || texts(left).is_some()) && value_sure(right)
            }
            BinaryOp::ContainsAny | BinaryOp::ContainsAll => {
                (kind(left) == Some(Kind::Set) || texts(left).is_some())
                    && (kind(right) == Some(Kind::Set) || texts(right).is_some())
            }
            BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq => {
                let long = |expr: &Expr| {
                    kind(expr) == Some(Kind::Long) || matches!(literal(expr), Some(Literally::Long(_)))
                };
                long(left) && long(right)
            }
            BinaryOp::In => {
                matches!(**left, Expr::Var(Var::Principal | Var::Action | Var::Resource))
                    && matches!(**right, Expr::Literal(Literal::EntityUID(_)))
            }
            _ => false,
        },
        other => kind(other) == Some(Kind::Bool),
    }
}

impl Probe {
    /// Whether it may hold for the request. In doubt, true.
    pub(crate) fn may_hold(&self, request: &EngineRequest) -> bool {
        match (&self.fact, &self.test) {
            (Fact::Principal, Test::Is { users, groups }) => {
                users.contains(&request.principal.id)
                    || groups.iter().any(|group| request.principal.groups.contains(group))
            }
            (Fact::Argument(name), test) => {
                let found = request.args.get(name).map_or(Shape::Absent, shape);
                match test {
                    Test::Present => found != Shape::Absent,
                    Test::OneOf { values, or_absent } => match literally(found) {
                        Some(found) => values.contains(&found),
                        None => found == Shape::Absent && *or_absent,
                    },
                    // `like` on a value other than text is an error, so the policy must be kept.
                    Test::Starts { prefix, or_absent } => match found {
                        Shape::Text(text) => text.starts_with(prefix.as_str()),
                        Shape::Absent => *or_absent,
                        _ => true,
                    },
                    _ => true,
                }
            }
            (Fact::Known(first, second), test) => match (lookup(request, first, second), test) {
                (Looked::Set(set), Test::Holds(texts)) => texts.iter().any(|text| set.contains(text)),
                (Looked::Set(set), Test::Empty(empty)) => set.is_empty() == *empty,
                (Looked::Set(set), Test::Within(texts)) => set.iter().all(|text| texts.contains(text)),
                (Looked::Value(found), Test::OneOf { values, .. }) => values.contains(&found),
                (Looked::Value(Literally::Text(text)), Test::Starts { prefix, .. }) => {
                    text.starts_with(prefix.as_str())
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// The literals that the fact may equal, as keys of buckets; and whether requests without the fact must match
    /// too.
    pub(crate) fn bucket(&self) -> Option<(Vec<Literally>, bool)> {
        match &self.test {
            Test::OneOf { values, or_absent } => Some((values.clone(), *or_absent)),
            Test::Holds(texts) => Some((texts.iter().cloned().map(Literally::Text).collect(), false)),
            // The kind is part of the key, so users and groups can't be confused.
            Test::Is { users, groups } => {
                let users = users.iter().map(|user| format!("u:{user}"));
                let groups = groups.iter().map(|group| format!("g:{group}"));
                Some((users.chain(groups).map(Literally::Text).collect(), false))
            }
            _ => None,
        }
    }
}

fn literally(shape: Shape<'_>) -> Option<Literally> {
    match shape {
        Shape::Text(text) => Some(Literally::Text(text.to_owned())),
        Shape::Long(number) => Some(Literally::Long(number)),
        Shape::Bool(value) => Some(Literally::Bool(value)),
        // These equal no literal.
        Shape::Absent | Shape::Decimal(_) | Shape::Set(_) | Shape::Record(_) => None,
    }
}

enum Looked<'r> {
    Set(&'r BTreeSet<String>),
    Value(Literally),
    Nothing,
}

/// The bucket keys of a request for a fact; `None` for a missing argument.
pub(crate) fn keys(fact: &Fact, request: &EngineRequest) -> Option<Vec<Literally>> {
    match fact {
        Fact::Principal => {
            let user = std::iter::once(format!("u:{}", request.principal.id));
            let groups = request.principal.groups.iter().map(|group| format!("g:{group}"));
            Some(user.chain(groups).map(Literally::Text).collect())
        }
        Fact::Argument(name) => match request.args.get(name).map_or(Shape::Absent, shape) {
            Shape::Absent => None,
            found => Some(literally(found).into_iter().collect()),
        },
        Fact::Known(first, second) => Some(match lookup(request, first, second) {
            Looked::Set(set) => set.iter().cloned().map(Literally::Text).collect(),
            Looked::Value(value) => vec![value],
            Looked::Nothing => Vec::new(),
        }),
    }
}

fn lookup<'r>(request: &'r EngineRequest, first: &str, second: &str) -> Looked<'r> {
    let facts = &request.facts;
    let effects = &facts.effects;
    let text = |text: &str| Looked::Value(Literally::Text(text.to_owned()));
    let long = |number: i64| Looked::Value(Literally::Long(number));
    let truth = |value: bool| Looked::Value(Literally::Bool(value));
    match (first, second) {
        ("effects", "executes") => Looked::Set(&effects.executes),
        ("effects", "reads") => Looked::Set(&effects.reads),
        ("effects", "secret_reads") => Looked::Set(&effects.secret_reads),
        ("effects", "writes") => Looked::Set(&effects.writes),
        ("effects", "deletes") => Looked::Set(&effects.deletes),
        ("effects", "hosts") => Looked::Set(&effects.hosts),
        ("effects", "env_reads") => Looked::Set(&effects.env_reads),
        ("effects", "installs") => Looked::Set(&effects.installs),
        ("effects", "unknown") => Looked::Set(&effects.unknown),
        ("effects", "connectors") => Looked::Set(&effects.connectors),
        ("effects", "privilege") => truth(effects.privilege),
        ("effects", "history_loss") => truth(effects.history_loss),
        ("effects", "network") => truth(effects.network),
        ("effects", "recursive_delete") => truth(effects.recursive_delete),
        ("effects", "commands") => long(effects.commands),
        ("outside", "reads") => Looked::Set(&effects.outside.reads),
        ("outside", "writes") => Looked::Set(&effects.outside.writes),
        ("outside", "deletes") => Looked::Set(&effects.outside.deletes),
        ("findings", "") => Looked::Set(&facts.findings),
        ("risk", "level") => text(facts.risk.as_str()),
        ("risk", "known") => truth(facts.risk.is_known()),
        ("custody", "") => text(facts.custody.as_str()),
        ("sandbox", "declared") => truth(facts.sandbox.declared),
        ("sandbox", "verified") => truth(facts.sandbox.verified),
        ("sandbox", "tier") => text(facts.sandbox.tier.as_str()),
        ("session", "id") => text(facts.session.id.as_str()),
        ("session", "turn") => long(facts.session.turn),
        ("session", "calls") => long(facts.session.calls),
        ("session", "denials") => long(facts.session.denials),
        ("session", "minutes") => long(facts.session.minutes),
        ("session", "taints") => Looked::Set(&facts.session.taints),
        ("session", "flows") => Looked::Set(&facts.session.flows),
        ("session", "intent") => long(facts.session.intent),
        ("workflow", "id") => text(&facts.workflow.id),
        ("workflow", "agents") => long(facts.workflow.agents),
        ("workflow", "taints") => Looked::Set(&facts.workflow.taints),
        ("rules", "covered") => truth(facts.rules.covered),
        ("rules", "deletes") => truth(facts.rules.deletes),
        ("rules", "matched") => Looked::Set(&facts.rules.matched),
        ("rules", "named") => truth(facts.rules.named),
        _ => Looked::Nothing,
    }
}
