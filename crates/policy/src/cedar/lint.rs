//! Warnings for policy authors: policies that can't work as intended.

use cedar_policy::Effect;
use cedar_policy::pst::{ActionConstraint, EntityOrSlot, EntityUID, ResourceConstraint};
use doorward_core::tool::{CanonicalTool, ToolClass};
use doorward_settings::nearest;

use super::annotation::KNOWN;
use super::load::{Entry, MODE_DEFAULT};
use super::nearest::action_text;

/// A warning at load, without influence on decisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    /// `policy.never_matches`, `policy.unknown_annotation`, `policy.never_lifted`, `policy.no_permit_behind`,
    /// `policy.unknown_group`, `policy.shadowed`, `policy.unguarded`, `policy.wrong_type`.
    pub code: &'static str,
    /// The policy.
    pub policy: String,
    /// Text for people.
    pub message: String,
}

/// All classes of resources.
const CLASSES: [ToolClass; 6] = [
    ToolClass::ReadOnly,
    ToolClass::Edit,
    ToolClass::Execute,
    ToolClass::Network,
    ToolClass::Mcp,
    ToolClass::PlanControl,
];

/// All warnings about a set.
pub(crate) fn lints(entries: &[Entry]) -> Vec<Lint> {
    let mut found = Vec::new();
    for entry in entries {
        let mut tell = |code: &'static str, message: String| {
            found.push(Lint { code, policy: entry.id.clone(), message });
        };
        for name in &entry.annotations.unknown {
            let near = nearest(name, KNOWN.iter().copied())
                .map(|near| format!(", did you mean @{near}?"))
                .unwrap_or_default();
            tell("policy.unknown_annotation", format!("@{name} means nothing here{near}"));
        }
        if let Some(why) = never_matches(entry) {
            tell("policy.never_matches", why);
        }
        if entry.annotations.confirm.is_some() && !entry.mentions.approval() {
            let why = "@confirm on a forbid that no approval lifts: add `unless { context has approval }`";
            tell("policy.never_lifted", why.to_owned());
        }
        if entry.annotations.confirm.is_some() && !permit_behind(entry, entries) {
            let why = "no permit could apply after the confirmation, so the call is denied in any case";
            tell("policy.no_permit_behind", why.to_owned());
        }
        if entry.effect == Effect::Permit
            && let Some(forbid) = entries.iter().find(|other| shadows(other, entry))
        {
            let why = format!("`{}` forbids everything that this permits", forbid.id);
            tell("policy.shadowed", why);
        }
        for trap in traps::of(entry) {
            tell(trap.0, trap.1);
        }
    }
    found
}

fn never_matches(entry: &Entry) -> Option<String> {
    let impossible = |uid: &EntityUID, exact: bool| {
        let verb = uid.eid == "tool:execute";
        uid.ty.to_string() != "Action" || (exact && verb)
    };
    let action = match &entry.action {
        ActionConstraint::Any => false,
        ActionConstraint::Eq(uid) => impossible(uid, true),
        ActionConstraint::In(uids) => uids.iter().all(|uid| impossible(uid, false)),
    };
    if action {
        let text = action_text(&entry.action);
        return Some(format!(
            "`{text}` never matches: the action is the tool, and the verb is its parent (`action in \
             Action::\"tool:execute\"`)"
        ));
    }
    let known_class = |uid: &EntityUID| CLASSES.iter().any(|class| uid.eid == class.as_str());
    let resource = match &entry.resource {
        ResourceConstraint::Eq(EntityOrSlot::Entity(uid)) => uid.ty.to_string() != "Tool",
        ResourceConstraint::In(EntityOrSlot::Entity(uid))
        | ResourceConstraint::IsIn(_, EntityOrSlot::Entity(uid)) => match uid.ty.to_string().as_str() {
            "ToolClass" => !known_class(uid),
            "Tool" | "Server" => false,
            _ => true,
        },
        ResourceConstraint::Is(kind) => kind.to_string() != "Tool",
        _ => false,
    };
    if resource {
        return Some("no tool is this resource, or in it: `resource in ToolClass::\"Execute\"`".to_owned());
    }
    // A condition on a tool together with a class that it isn't in.
    let (ActionConstraint::Eq(action), ResourceConstraint::In(EntityOrSlot::Entity(within))) =
        (&entry.action, &entry.resource)
    else {
        return None;
    };
    let class = CanonicalTool::from_name(&action.eid)?.class().as_str();
    (within.ty.to_string() == "ToolClass" && within.eid != class)
        .then(|| format!("`{}` is in the class {class}, not {}", action.eid, within.eid))
}

fn permit_behind(entry: &Entry, entries: &[Entry]) -> bool {
    entries.iter().any(|other| {
        other.effect == Effect::Permit
            && !other.annotations.log_only
            && (other.id == MODE_DEFAULT || overlap(&other.action, &entry.action))
    })
}

/// Whether both action scopes could match one call. In doubt, true.
fn overlap(one: &ActionConstraint, other: &ActionConstraint) -> bool {
    match (one, other) {
        (ActionConstraint::Eq(one), ActionConstraint::Eq(other)) => one == other,
        _ => true,
    }
}

/// A forbid without conditions whose scope includes the permit's.
fn shadows(forbid: &Entry, permit: &Entry) -> bool {
    use cedar_policy::pst::PrincipalConstraint;
    let action = matches!(forbid.action, ActionConstraint::Any) || forbid.action == permit.action;
    let resource = matches!(forbid.resource, ResourceConstraint::Any) || forbid.resource == permit.resource;
    let principal =
        matches!(forbid.principal, PrincipalConstraint::Any) || forbid.principal == permit.principal;
    forbid.effect == Effect::Forbid
        && !forbid.annotations.log_only
        && forbid.clauses.is_empty()
        && action
        && resource
        && principal
}

/// Conditions that err for some calls within the policy's scope.
mod traps {
    use std::collections::BTreeSet;

    use cedar_policy::pst::{BinaryOp, Clause, Expr, Literal};

    use super::super::load::Entry;
    use super::super::mention::{parts, path};
    use super::super::schema::OPTIONAL;

    pub(super) fn of(entry: &Entry) -> Vec<(&'static str, String)> {
        let mut seen = Seen::default();
        for clause in &entry.clauses {
            let (Clause::When(expr) | Clause::Unless(expr)) = clause;
            seen.walk(expr);
        }
        let mut found: Vec<(&'static str, String)> = seen
            .read
            .iter()
            .filter(|path| !seen.guarded.contains(*path))
            .map(|path| {
                let text = format!("context.{}", path.join("."));
                let why = format!("reads {text} without `has`: where it is absent, the call is denied");
                ("policy.unguarded", why)
            })
            .collect();
        found.extend(seen.wrong.into_iter().map(|why| ("policy.wrong_type", why)));
        found
    }

    #[derive(Default)]
    struct Seen {
        read: BTreeSet<Vec<String>>,
        guarded: BTreeSet<Vec<String>>,
        wrong: Vec<String>,
    }

    impl Seen {
        fn walk(&mut self, expr: &Expr) {
            if let Some(full) = path(expr) {
                self.note(&full);
                return;
            }
            match expr {
                Expr::HasAttr { expr, attrs } => {
                    let mut full = path(expr).unwrap_or_default();
                    for attr in attrs {
                        full.push(attr.to_string());
                        self.guarded.insert(full.clone());
                    }
                    return;
                }
                Expr::Like { expr, .. } => {
                    if matches!(**expr, Expr::Set(_) | Expr::Literal(Literal::Long(_) | Literal::Bool(_))) {
                        self.wrong.push("`like` is for text".to_owned());
                    }
                }
                Expr::BinaryOp { op: BinaryOp::In, left, .. } if texty(left) => {
                    let why = "`in` is for entities: `[\"a\", \"b\"].contains(…)` looks for text in a list";
                    self.wrong.push(why.to_owned());
                }
                _ => {}
            }
            parts(expr).unwrap_or_default().into_iter().for_each(|part| self.walk(part));
        }

        fn note(&mut self, full: &[String]) {
            let open = matches!(full.first().map(String::as_str), Some("args" | "request" | "count"));
            if open && full.len() >= 2 {
                self.read.insert(full.iter().take(2).cloned().collect());
            }
            for (optional, _) in OPTIONAL {
                let starts = full.len() >= optional.len()
                    && full.iter().zip(optional.iter()).all(|(own, name)| own == name);
                if starts {
                    self.read.insert(optional.iter().map(|name| (*name).to_owned()).collect());
                }
            }
        }
    }

    /// Whether it is text, or an argument (never an entity).
    fn texty(expr: &Expr) -> bool {
        matches!(expr, Expr::Literal(Literal::String(_)))
            || path(expr).is_some_and(|path| path.first().is_some_and(|first| first != "approval"))
    }
}
