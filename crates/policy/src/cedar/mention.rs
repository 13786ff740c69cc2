//! Which parts of the context a policy reads, and which approval it requires.
//!
//! Members that no policy reads needn't be built. If the context is used other than by a plain chain of attributes,
//! all of it counts as read.

use std::collections::BTreeSet;

use cedar_policy::pst::{BinaryOp, Clause, Expr, Literal, Var};

/// The parts of the context that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Mentions {
    everything: bool,
    members: BTreeSet<String>,
    all_effects: bool,
    effects: BTreeSet<String>,
    /// All groups named; a hypothetical approver is a member of each.
    pub(crate) groups: BTreeSet<String>,
    /// The highest approval level in a comparison.
    pub(crate) level: u8,
    /// Whether the approver is compared with the principal.
    pub(crate) second_person: bool,
}

impl Mentions {
    /// The parts that the clauses of one policy read.
    pub(crate) fn of(clauses: &[Clause]) -> Self {
        let mut found = Self::default();
        for clause in clauses {
            let (Clause::When(expr) | Clause::Unless(expr)) = clause;
            found.walk(expr);
        }
        found
    }

    /// Adds the parts that another policy reads.
    pub(crate) fn join(&mut self, other: &Self) {
        self.everything |= other.everything;
        self.all_effects |= other.all_effects;
        self.members.extend(other.members.iter().cloned());
        self.effects.extend(other.effects.iter().cloned());
        self.groups.extend(other.groups.iter().cloned());
        self.level = self.level.max(other.level);
        self.second_person |= other.second_person;
    }

    pub(crate) fn reads(&self, member: &str) -> bool {
        self.everything || self.members.contains(member)
    }

    pub(crate) fn reads_effect(&self, member: &str) -> bool {
        self.everything || self.all_effects || self.effects.contains(member)
    }

    /// Whether an effect is read by its own name.
    pub(crate) fn names_effect(&self, member: &str) -> bool {
        self.effects.contains(member)
    }

    pub(crate) fn approval(&self) -> bool {
        self.reads("approval")
    }

    fn walk(&mut self, expr: &Expr) {
        if let Some(path) = path(expr) {
            self.read(&path);
            return;
        }
        match expr {
            Expr::Literal(Literal::EntityUID(uid)) if uid.ty.to_string() == "Group" => {
                self.groups.insert(uid.eid.to_string());
            }
            Expr::Var(Var::Context) => self.everything = true,
            Expr::HasAttr { expr, attrs } if path(expr).is_some() => {
                let mut base = path(expr).unwrap_or_default();
                base.extend(attrs.iter().map(ToString::to_string));
                self.read(&base);
            }
            expr => {
                if let Expr::BinaryOp { op, left, right } = expr {
                    self.approval_demand(op, left, right);
                }
                match parts(expr) {
                    Some(parts) => parts.into_iter().for_each(|part| self.walk(part)),
                    None => self.everything = true,
                }
            }
        }
    }

    fn read(&mut self, path: &[String]) {
        let Some(first) = path.first() else {
            self.everything = true;
            return;
        };
        self.members.insert(first.clone());
        if first == "effects" {
            match path.get(1) {
                Some(second) => {
                    self.effects.insert(second.clone());
                }
                None => self.all_effects = true,
            }
        }
    }

    /// Derives the required approval from conditions such as `context.approval.level >= 2` or
    /// `context.approval.by != principal`. Otherwise a weaker annotation would ask a question whose answer can't
    /// satisfy the policy.
    fn approval_demand(&mut self, op: &BinaryOp, left: &Expr, right: &Expr) {
        let is = |expr: &Expr, member: &str| {
            path(expr).is_some_and(|path| path == ["approval".to_owned(), member.to_owned()])
        };
        let principal = |expr: &Expr| matches!(expr, Expr::Var(Var::Principal));
        if (is(left, "by") && principal(right)) || (is(right, "by") && principal(left)) {
            self.second_person = true;
        }
        let (level, number, more) = match (left, right) {
            (level, Expr::Literal(Literal::Long(number))) => {
                (level, *number, matches!(op, BinaryOp::Greater))
            }
            (Expr::Literal(Literal::Long(number)), level) => (level, *number, matches!(op, BinaryOp::Less)),
            _ => return,
        };
        if is(level, "level") {
            let needed = u8::try_from(number).unwrap_or(u8::MAX).saturating_add(u8::from(more));
            self.level = self.level.max(needed.min(3));
        }
    }
}

/// The attributes of a chain that starts at `context`. `None` for anything else, including bare `context`.
pub(crate) fn path(expr: &Expr) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut at = expr;
    loop {
        match at {
            Expr::GetAttr { expr, attr } => {
                names.push(attr.to_string());
                at = expr;
            }
            Expr::Var(Var::Context) if !names.is_empty() => {
                names.reverse();
                return Some(names);
            }
            _ => return None,
        }
    }
}

/// The parts of an expression; `None` for a construct of a later Cedar version.
pub(crate) fn parts(expr: &Expr) -> Option<Vec<&Expr>> {
    Some(match expr {
        Expr::Literal(_) | Expr::Slot(_) | Expr::Var(_) | Expr::Unknown { .. } => Vec::new(),
        Expr::UnaryOp { expr, .. }
        | Expr::GetAttr { expr, .. }
        | Expr::HasAttr { expr, .. }
        | Expr::Like { expr, .. } => vec![expr],
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Is { expr, in_expr, .. } => std::iter::once(expr).chain(in_expr).map(AsRef::as_ref).collect(),
        Expr::IfThenElse { cond, then_expr, else_expr } => vec![cond, then_expr, else_expr],
        Expr::Set(items) => items.iter().map(AsRef::as_ref).collect(),
        Expr::Record(members) => members.values().map(AsRef::as_ref).collect(),
        _ => return None,
    })
}

/// Like [`path`], but bare `context` gives the empty path.
pub(crate) fn path_or_context(expr: &Expr) -> Option<Vec<String>> {
    if matches!(expr, Expr::Var(Var::Context)) { Some(Vec::new()) } else { path(expr) }
}

#[cfg(test)]
mod tests {
    use cedar_policy::Policy;

    use super::*;

    fn of(condition: &str) -> Mentions {
        let text = format!("forbid(principal, action, resource) {condition};");
        let policy = Policy::parse(None, text).unwrap().to_pst().unwrap();
        Mentions::of(policy.body().clauses())
    }

    #[test]
    fn plain_chains_are_read_and_anything_else_is_everything() {
        let some = of("when { context.effects.network && context.session.taints.contains(\"x\") }");
        assert!(some.reads("effects") && some.reads("session") && !some.reads("args"));
        assert!(some.reads_effect("network") && !some.reads_effect("hosts"));
        assert!(of("when { context has approval }").approval());
        assert!(of("unless { context has ip && context.ip.isLoopback() }").reads("ip"));
        assert!(of("when { context.effects == context.effects }").reads_effect("hosts"));
        assert!(of("when { context == {} }").reads("count"));
        assert!(of("when { (if true then context else context).args.x == 1 }").reads("now"));
        assert!(of("when { context[\"args\"].x == 1 }").reads("args"));
        assert!(of("when { context has args.x }").reads("args"));
        assert!(!of("when { true }").reads("args"));
    }

    #[test]
    fn what_an_approval_must_be_is_read_off_the_rule() {
        let rule = of(
            "unless { context has approval && context.approval.level >= 2 && context.approval.by != principal \
             && context.approval.by in Group::\"security\" }",
        );
        assert_eq!(rule.level, 2);
        assert!(rule.second_person);
        assert!(rule.groups.contains("security"));
        assert_eq!(of("unless { context has approval && 1 < context.approval.level }").level, 2);
        assert_eq!(of("unless { context has approval && context.approval.level > 2 }").level, 3);
        assert_eq!(of("when { context.session.turn > 2 }").level, 0);
    }
}
