//! The reviewer without a model: a score from the effects of a call, with a reason for each point.
//!
//! One table of initial scores: every matching row is a reason, and the highest score counts. The effects determine
//! the risk level, so the score is moved into that level's band. An UNKNOWN level has no score, whatever matches. A
//! chain of commands gets the score of its worst part, because effects belong to the whole call.

use std::borrow::Cow;
use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::effect::{Effects, HostClass, Inspected, Scope, Tri};
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation, GuardianStatus, Spent};
use doorward_core::intent::{Direction, InstallSource, WriteMode};
use doorward_core::risk::SecurityRisk;
use serde::Serialize;

use crate::rule::{Thresholds, decide};

/// A matching row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The row's stable name; for a finding, its code.
    pub id: Cow<'static, str>,
    /// Its initial score.
    pub points: u8,
    /// Explanation, with the matched objects.
    pub why: String,
}

/// A score with its reasons, worst first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Score {
    /// 0 to 100, within the band of `level`; `None` for UNKNOWN.
    pub score: Option<u8>,
    /// The risk level of the effects.
    pub level: SecurityRisk,
    /// Matching rows.
    pub reasons: Vec<Reason>,
}

/// Scores an inspected call.
#[must_use]
pub fn score(inspected: &Inspected) -> Score {
    let mut reasons: Vec<Reason> = Vec::new();
    for row in EFFECTS {
        if let Some(what) = (row.fits)(inspected) {
            reasons.push(Reason { id: row.id.into(), points: row.points, why: worded(row.why, &what) });
        }
    }
    for finding in &inspected.findings {
        let code = finding.code.to_string();
        let row = FINDINGS.iter().find(|(family, _)| match family.strip_suffix('*') {
            Some(head) => code.starts_with(head),
            None => *family == code,
        });
        if let Some((_, points)) = row {
            reasons.push(Reason { id: code.into(), points: *points, why: finding.message.clone() });
        }
    }
    reasons.sort_by(|left, right| right.points.cmp(&left.points).then_with(|| left.id.cmp(&right.id)));
    reasons.dedup();
    let worst = reasons.first().map_or(0, |reason| reason.points);
    let score = inspected.risk.band().map(|(from, to)| worst.clamp(from, to));
    // If the level changed the score, that is a reason too.
    let moved = score.zip(inspected.risk.band()).filter(|(score, _)| *score != worst && !reasons.is_empty());
    if let Some((score, (from, to))) = moved {
        let edge = if score == from { format!("begins at {from}") } else { format!("ends at {to}") };
        let why = format!("what it does counts as {}, which {edge}", inspected.risk);
        reasons.push(Reason { id: "level".into(), points: score, why });
    }
    Score { score, level: inspected.risk, reasons }
}

/// A row about effects: describes the matching ones, or returns nothing.
struct Row {
    id: &'static str,
    points: u8,
    why: &'static str,
    fits: fn(&Inspected) -> Option<String>,
}

const fn row(id: &'static str, points: u8, why: &'static str, fits: fn(&Inspected) -> Option<String>) -> Row {
    Row { id, points, why, fits }
}

/// Initial scores of effects.
const EFFECTS: &[Row] = &[
    row("read.metadata", 15, "looks up names, sizes or times", |i| {
        read(&i.effects, |r| r.metadata && !r.secret)
    }),
    row("read.inside", 5, "reads inside the roots", |i| {
        read(&i.effects, |r| !r.metadata && !r.secret && matches!(r.scope, Scope::Inside | Scope::Harmless))
    }),
    row("read.outside", 25, "reads outside the roots", |i| {
        read(&i.effects, |r| !r.metadata && !r.secret && r.scope == Scope::Outside)
    }),
    row("read.credentials", 70, "reads what holds secrets", |i| {
        read(&i.effects, |r| r.secret && !r.metadata)
    }),
    row("egress.credentials", 95, "a secret's content reaches a host", |i| {
        read(&i.effects, |r| r.secret && r.reaches_host && !r.metadata)
    }),
    row("egress.tainted", 95, "contacts a new host after secrets were read in this session", |i| {
        let tainted = i.session.taints.iter().chain(&i.session.workflow_taints).any(|t| t == "secret_read");
        if tainted { host(&i.effects, is_stranger) } else { None }
    }),
    row("write.inside", 20, "writes inside the roots", |i| {
        write(&i.effects, |w| matches!(w.scope, Scope::Inside | Scope::Scratch) && w.protection.is_none())
    }),
    row("write.outside", 55, "writes outside the roots", |i| {
        write(&i.effects, |w| {
            matches!(w.scope, Scope::Outside | Scope::Escape | Scope::Forbidden | Scope::Unknown)
        })
    }),
    row("write.protected", 85, "writes a protected name", |i| write(&i.effects, |w| w.protection.is_some())),
    row("write.emptied", 60, "empties a file", |i| {
        write(&i.effects, |w| w.mode == WriteMode::Truncate && w.scope == Scope::Inside)
    }),
    row("delete.tracked", 35, "deletes a file that version control has", |i| {
        delete(&i.effects, |d| !d.recursive && d.in_version_control == Tri::Yes)
    }),
    row("delete.generated", 25, "deletes what a build or install makes again", |i| {
        delete(&i.effects, |d| d.regenerable == Tri::Yes)
    }),
    row("delete.inside", 60, "deletes inside the roots", |i| {
        delete(&i.effects, |d| {
            d.regenerable != Tri::Yes
                && d.scope == Scope::Inside
                && (d.recursive || d.in_version_control != Tri::Yes)
        })
    }),
    row("delete.outside", 90, "deletes outside the roots", |i| {
        delete(&i.effects, |d| {
            matches!(d.scope, Scope::Outside | Scope::Escape | Scope::Forbidden | Scope::Unknown)
        })
    }),
    row("download.to_file", 35, "writes what comes from the network", |i| {
        let fetches =
            i.effects.hosts.iter().any(|h| matches!(h.direction, Direction::Fetch | Direction::Both));
        if fetches { write(&i.effects, |_| true) } else { None }
    }),
    row("egress.known", 15, "contacts a known host", |i| host(&i.effects, |h| !is_stranger(h))),
    row("egress.unknown", 45, "contacts a host that nobody named", |i| host(&i.effects, is_stranger)),
    row("install.registry", 45, "installs packages", |i| {
        install(&i.effects, |n| matches!(n.source, InstallSource::Registry | InstallSource::Path))
    }),
    row("install.lockfile", 30, "installs what the lock file names", |i| {
        install(&i.effects, |n| n.source == InstallSource::Lockfile)
    }),
    row("install.url", 92, "installs code from a URL", |i| {
        install(&i.effects, |n| n.source == InstallSource::Url)
    }),
    row("privilege.change", 85, "gains or hands out privilege", |i| {
        i.effects.privilege.first().map(|privilege| privilege.detail.clone())
    }),
    row("history.loss", 82, "loses history or uncommitted work", |i| {
        i.effects.history_loss.first().map(|loss| loss.what.clone())
    }),
    row("environment.dump", 60, "reads out the whole environment", |i| {
        i.effects.env_reads.contains("*").then(String::new)
    }),
    row("not.understood", 80, "could not be analysed", |i| {
        i.effects.unknown.first().map(|unknown| unknown.reason.clone())
    }),
];

/// Initial scores of findings that don't appear in the lists of effects. The first matching row counts.
const FINDINGS: &[(&str, u8)] = &[
    ("shell.invisible", 95),
    ("shell.control_character", 95),
    ("shell.delete_everything", 97),
    ("shell.remote_code", 92),
    ("shell.generated_code", 70),
    ("shell.obfuscated", 85),
    ("shell.persistence", 85),
    ("shell.privilege", 85),
    ("shell.tamper", 90),
    ("shell.history_loss", 82),
    ("shell.data_loss", 90),
    ("shell.infra", 90),
    ("shell.resource", 85),
    ("shell.upload", 88),
    ("shell.secret_read", 70),
    ("shell.file_unseen", 50),
    ("shell.unknown_program", 45),
    ("shell.unknown_option", 45),
    ("shell.secret_walk", 50),
    ("shell.sensing", 88),
    ("shell.beacon", 85),
    ("shell.encoded_word", 85),
    ("shell.shadowed", 55),
    ("code.unsandboxed", 80),
    ("code.snippet", 40),
    ("flow.*", 95),
    ("secret.*", 80),
    ("path.own_files", 97),
    ("path.escape", 90),
    ("path.protected", 85),
    ("path.secret", 70),
    ("path.denied", 90),
    ("path.read_only", 85),
    ("net.metadata", 97),
    ("net.private", 82),
    ("net.loopback", 15),
    ("net.contact", 45),
    ("net.*", 85),
    ("pin.*", 90),
    ("mcp.*", 85),
    ("tool.unknown", 80),
    ("effects.mispredicted", 90),
];

fn is_stranger(host: &doorward_core::effect::HostEffect) -> bool {
    !host.configured && !matches!(host.class, HostClass::Allowed | HostClass::Loopback)
}

fn read(effects: &Effects, which: impl Fn(&doorward_core::effect::ReadEffect) -> bool) -> Option<String> {
    effects.reads.iter().find(|read| which(read)).map(|read| read.path.clone())
}

fn write(effects: &Effects, which: impl Fn(&doorward_core::effect::WriteEffect) -> bool) -> Option<String> {
    effects.writes.iter().find(|write| which(write)).map(|write| write.path.clone())
}

fn delete(effects: &Effects, which: impl Fn(&doorward_core::effect::DeleteEffect) -> bool) -> Option<String> {
    effects.deletes.iter().find(|delete| which(delete)).map(|delete| delete.path.clone())
}

fn host(effects: &Effects, which: impl Fn(&doorward_core::effect::HostEffect) -> bool) -> Option<String> {
    effects.hosts.iter().find(|host| which(host)).map(|host| host.host.clone())
}

fn install(effects: &Effects, which: impl Fn(&doorward_core::intent::Install) -> bool) -> Option<String> {
    effects
        .installs
        .iter()
        .find(|install| which(install))
        .map(|install| format!("{} {}", install.manager, install.packages.join(" ")).trim().to_owned())
}

fn worded(why: &str, what: &str) -> String {
    let what: String = what.chars().take(120).collect();
    if what.is_empty() { why.to_owned() } else { format!("{why}: {what}") }
}

/// The reviewer that is used if no model is configured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin {
    thresholds: Thresholds,
}

impl Builtin {
    /// With these thresholds.
    #[must_use]
    pub const fn new(thresholds: Thresholds) -> Self {
        Self { thresholds }
    }

    /// The evaluation, computed at once.
    #[must_use]
    pub fn evaluation(&self, context: &GuardianContext, inspected: &Inspected) -> GuardianEvaluation {
        let scored = score(inspected);
        let reasoning = match (scored.score, scored.reasons.first()) {
            (None, Some(reason)) => format!("its effects aren't known: {}", reason.why),
            (None, None) => "its effects aren't known".to_owned(),
            (Some(_), Some(reason)) => reason.why.clone(),
            (Some(_), None) => "nothing of note".to_owned(),
        };
        GuardianEvaluation {
            risk_score: scored.score,
            reasoning,
            decision: decide(scored.score, self.thresholds, context),
            risks: scored.reasons.iter().map(|reason| reason.id.to_string()).collect(),
            status: GuardianStatus::Evaluated,
            model: "builtin".to_owned(),
            prompt_digest: None,
            flags: Vec::new(),
            spent: Spent::default(),
        }
    }

    /// As a shared trait object, for the gate.
    #[must_use]
    pub fn shared(self) -> Arc<dyn Guardian> {
        Arc::new(self)
    }
}

impl Guardian for Builtin {
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        inspected: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation> {
        Box::pin(std::future::ready(self.evaluation(context, inspected)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inspected;
    use doorward_core::effect::{DeleteEffect, ReadEffect};
    use doorward_core::evaluation::GuardianDecision;
    use doorward_core::finding::Finding;
    use doorward_core::intent::{Certainty, Span};

    fn a_read(path: &str, scope: Scope, secret: bool) -> ReadEffect {
        ReadEffect {
            path: path.into(),
            scope,
            secret,
            metadata: false,
            reaches_host: false,
            certainty: Certainty::default(),
            span: Span::default(),
        }
    }

    #[test]
    fn the_score_lies_in_the_band_of_the_level_and_the_worst_reason_comes_first() {
        let mut call = inspected("shell:execute", r#"{"command":"cat a ~/.ssh/id_ed25519"}"#);
        call.effects.reads = vec![
            a_read("/w/a", Scope::Inside, false),
            a_read("/home/u/.ssh/id_ed25519", Scope::Outside, true),
        ];
        for level in SecurityRisk::ALL {
            call.risk = level;
            let scored = score(&call);
            assert_eq!(scored.reasons[0].id, "read.credentials");
            assert_eq!(scored.score.map(SecurityRisk::of_score), level.is_known().then_some(level));
        }
    }

    #[test]
    fn a_starting_score_never_lowers_a_level_and_unknown_has_none() {
        let mut call = inspected("shell:execute", r#"{"command":"x"}"#);
        call.risk = SecurityRisk::High;
        assert_eq!(score(&call).score, Some(80));
        call.findings = vec![Finding::new("shell.invisible", "a tag character")];
        assert_eq!(score(&call).score, Some(95));
        call.risk = SecurityRisk::Unknown;
        assert_eq!(score(&call).score, None);
        let asked = GuardianContext { can_prompt_user: true, ..GuardianContext::default() };
        let evaluation = Builtin::default().evaluation(&asked, &call);
        assert_eq!(evaluation.decision, GuardianDecision::PromptUser);
        assert_eq!(
            Builtin::default().evaluation(&GuardianContext::default(), &call).decision,
            GuardianDecision::Deny
        );
    }

    #[test]
    fn a_bare_safe_name_settles_nothing() {
        // A list of "always safe" tool names once gave score 5 for any arguments.
        let mut call = inspected("fs:read", r#"{"path":"/w/x"}"#);
        call.risk = SecurityRisk::High;
        call.effects.deletes = vec![DeleteEffect {
            path: "/home/u".into(),
            scope: Scope::Outside,
            recursive: true,
            force: true,
            regenerable: Tri::No,
            in_version_control: Tri::No,
            protection: None,
            certainty: Certainty::Exact,
            span: Span::default(),
        }];
        assert_eq!(score(&call).score, Some(90));
    }

    #[test]
    fn a_taint_of_the_session_makes_a_strange_host_the_worst() {
        let mut call = inspected("shell:execute", r#"{"command":"curl https://x.example"}"#);
        call.risk = SecurityRisk::High;
        call.effects.hosts = vec![doorward_core::effect::HostEffect {
            host: "x.example".into(),
            port: None,
            scheme: "https".into(),
            direction: Direction::Fetch,
            class: HostClass::Public,
            code: None,
            configured: false,
            redirected: false,
            span: Span::default(),
        }];
        assert_eq!(score(&call).score, Some(80));
        call.session_mut().taints.insert("secret_read".into());
        assert_eq!(score(&call).score, Some(95));
    }

    #[test]
    fn every_finding_row_is_reachable() {
        for (at, (code, _)) in FINDINGS.iter().enumerate() {
            let earlier = FINDINGS.iter().take(at);
            let hidden =
                earlier.filter_map(|(family, _)| family.strip_suffix('*')).any(|head| code.starts_with(head));
            assert!(!hidden, "{code} is behind its family");
        }
    }
}
