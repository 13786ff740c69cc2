//! The combination: one pure function from the evidence about a call to the decision.
//!
//! hard floor → deny rules and plan mode's denials → confirm rules → allow rules → if no rule applied: the stricter
//! of mode default and confirmation policy. The steps are ordered by strictness, and no later step can undo an
//! earlier one.

use doorward_core::approval::{Grant, Presence, Warning};
use doorward_core::assessment::Assessment;
use doorward_core::call::Prompt;
use doorward_core::decision::{Basis, Confirm, Decision, PolicyDecision, Verdict};
use doorward_core::effect::{Inspected, Scope, Tri};
use doorward_core::evaluation::{GuardianDecision, GuardianEvaluation, GuardianStatus};
use doorward_core::finding::{Finding, Severity};
use doorward_core::mode::PermissionMode;
use doorward_core::tool::{CanonicalTool, ToolClass, ToolName};

use crate::reason::{self, because, with_suggestion};

/// The phrase to type for a CRITICAL call if no rule names one.
pub const PHRASE: &str = "I confirm";

/// The stricter of the permission mode's and the confirmation policy's verdict for one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settling {
    /// The mode in force.
    pub mode: PermissionMode,
    /// The verdict for a call that no floor and no rule decides.
    pub verdict: Verdict,
    /// Its code (`mode.allow`, `mode.confirm`, `mode.plan`, `confirm.policy`, …).
    pub code: String,
    /// The mode's default, or the confirmation policy.
    pub basis: Basis,
    /// Whether this is a denial that no rule can lift: plan mode's, or one that every mode gives.
    pub fixed: bool,
    /// The bases whose confirms the guardian may settle, besides rules marked `@delegate`.
    pub delegate: Vec<Basis>,
    /// Only floors stop a call; whatever else would is recorded.
    pub observed: bool,
}

/// The inputs of the combination.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The call and what it would do.
    pub inspected: &'a Inspected,
    /// Risk of the call.
    pub assessment: &'a Assessment,
    /// The policy engine's decision.
    pub policy: &'a PolicyDecision,
    /// The verdict of mode and confirmation policy.
    pub settling: &'a Settling,
    /// A grant for this call, already verified against its binding.
    pub grant: Option<&'a Grant>,
}

/// The decision from rules, mode and confirmation policy. No I/O, no clock.
pub fn combine(evidence: Evidence<'_>) -> Decision {
    let Evidence { inspected, policy, settling, .. } = evidence;

    if let Some(finding) = worst(inspected, |finding| finding.floor) {
        return deny(evidence, Basis::Finding, &finding.code, &with_suggestion(finding));
    }
    if policy.decision == Verdict::Deny && !policy.unsettled {
        return deny(evidence, Basis::Rule, &policy.code, &policy.reason);
    }
    if settling.verdict == Verdict::Deny && settling.fixed {
        return deny(evidence, settling.basis, &settling.code, &refusal(evidence));
    }
    if policy.decision == Verdict::Confirm && !policy.unsettled {
        return confirm(evidence, Basis::Rule, &policy.code, &with_flow(evidence));
    }
    if policy.decision == Verdict::Allow && !policy.unsettled {
        let grave = |finding: &Finding| finding.severity == Severity::Critical && !is_bounded(finding);
        return match worst(inspected, |finding| finding.blocking || grave(finding)) {
            Some(finding) => confirm(evidence, Basis::Finding, &finding.code, &with_suggestion(finding)),
            None => allow(evidence, Basis::Rule, &policy.code, &policy.reason),
        };
    }
    unsettled(evidence)
}

/// The verdict if no rule applied: the stricter of mode default and confirmation policy.
fn unsettled(evidence: Evidence<'_>) -> Decision {
    let Evidence { inspected, assessment, settling, .. } = evidence;
    let tool = told(&inspected.call.tool);
    match settling.verdict {
        Verdict::Deny => deny(evidence, settling.basis, &settling.code, &refusal(evidence)),
        Verdict::Confirm => {
            let reason = match settling.basis {
                Basis::Mode => {
                    because(evidence).unwrap_or_else(|| format!("Mode {} asks about {tool}.", settling.mode))
                }
                _ => reason::of_risk(evidence),
            };
            confirm(evidence, settling.basis, &settling.code, &reason)
        }
        Verdict::Allow => {
            let reason = format!("Mode {} allows {tool} at risk {}.", settling.mode, assessment.risk);
            allow(evidence, settling.basis, &settling.code, &reason)
        }
    }
}

/// What becomes of a decision while calls are only observed: floors and denials that no rule lifts (plan mode's) stand,
/// everything else passes, under a code that says what would have been. The basis is one that waives no prompt of a
/// client's.
pub(crate) fn only_observed(decision: Decision, inspected: &Inspected, settling: &Settling) -> Decision {
    let (code, would) = match decision.verdict {
        Verdict::Allow => return decision,
        Verdict::Confirm => ("observe.asked", "asked about"),
        Verdict::Deny => ("observe.stopped", "stopped"),
    };
    let is_fixed = settling.fixed && settling.verdict == Verdict::Deny;
    if !settling.observed || is_fixed || inspected.findings.iter().any(|finding| finding.floor) {
        return decision;
    }
    Decision {
        verdict: Verdict::Allow,
        code: code.to_owned(),
        reason: format!("Only observed; it would have been {would}: {} ({})", decision.reason, decision.code),
        basis: Basis::Finding,
        confirm: None,
        ..decision
    }
}

/// A rule's reason, with what the flow that the call completes goes through: from where, to where, in which turns. A
/// rule can only say that there is one.
fn with_flow(evidence: Evidence<'_>) -> String {
    let reason = &evidence.policy.reason;
    let is_flow = |finding: &Finding| finding.code.starts_with("flow.") && finding.risk.is_some();
    match worst(evidence.inspected, is_flow) {
        Some(flow) if reason.contains(&flow.sentence()) => reason.clone(),
        Some(flow) => format!("{reason} {}", flow.sentence()),
        None => reason.clone(),
    }
}

fn refusal(evidence: Evidence<'_>) -> String {
    let Evidence { inspected, settling, .. } = evidence;
    let way_out = if settling.mode == PermissionMode::Plan {
        "; leave plan mode first, a person has to agree"
    } else {
        ""
    };
    let does = because(evidence).map(|sentence| format!(" {sentence}")).unwrap_or_default();
    let tool = told(&inspected.call.tool);
    format!("Mode {} doesn't allow {tool}{way_out}.{does}", settling.mode)
}

/// Name of a tool as people say it.
fn told(tool: &ToolName) -> String {
    let word = match tool.canonical() {
        Some(CanonicalTool::Shell) => "commands",
        Some(CanonicalTool::Read) => "reading files",
        Some(CanonicalTool::Delete) => "deleting files",
        Some(CanonicalTool::Fetch) => "fetching pages",
        Some(CanonicalTool::Search) => "searching the web",
        _ if tool.is_code() => "running code",
        _ if tool.class() == Some(ToolClass::Edit) => "changing files",
        _ => tool.as_str(),
    };
    word.to_owned()
}

/// Applies a guardian's evaluation: approval turns a delegable confirm into an allow; a denial only tightens. The
/// reason then contains the guardian's score, risks and explanation.
///
/// If the guardian repeats a question of the mode, the basis becomes the guardian. Otherwise a client would decide
/// the question by its own rules, which don't know the score.
pub fn with_guardian(mut decision: Decision, evaluation: &GuardianEvaluation) -> Decision {
    let delegable = decision.confirm.as_ref().is_some_and(|confirm| confirm.delegable);
    let said = words_of(evaluation);
    match (decision.verdict, evaluation.decision) {
        (Verdict::Deny, _) | (Verdict::Allow, GuardianDecision::Approve) => {}
        (Verdict::Confirm, GuardianDecision::Approve) if delegable => {
            decision.verdict = Verdict::Allow;
            decision.basis = Basis::Guardian;
            "guardian.approve".clone_into(&mut decision.code);
            decision.reason = format!("The guardian approved. {said}");
            decision.confirm = None;
            decision.warning = None;
        }
        // The guardian can't settle this question. The person still sees its evaluation.
        (Verdict::Confirm, GuardianDecision::Approve) => {
            decision.reason = format!("{} {said}", decision.reason);
        }
        (Verdict::Confirm, GuardianDecision::PromptUser) => {
            if decision.basis == Basis::Mode {
                decision.basis = Basis::Guardian;
                asks_by(evaluation.status).clone_into(&mut decision.code);
            }
            decision.reason = format!("{} {said}", decision.reason);
            decision.warning = Some(warned(decision.warning.take(), &decision.reason));
        }
        (Verdict::Allow, GuardianDecision::PromptUser) => {
            decision.verdict = Verdict::Confirm;
            decision.basis = Basis::Guardian;
            asks_by(evaluation.status).clone_into(&mut decision.code);
            decision.reason = format!("The guardian wants a person to look. {said}");
            decision.confirm = Some(Confirm { level: 1, ..Confirm::default() });
            decision.warning = Some(warned(decision.warning.take(), &decision.reason));
        }
        (Verdict::Allow | Verdict::Confirm, GuardianDecision::Deny) => {
            decision.verdict = Verdict::Deny;
            decision.basis = Basis::Guardian;
            refusal_of(evaluation.status).clone_into(&mut decision.code);
            decision.reason = match evaluation.status {
                GuardianStatus::Evaluated => format!("The guardian refused. {said}{STOP_HERE}"),
                _ => said,
            };
            decision.confirm = None;
            decision.warning = None;
        }
    }
    decision
}

/// A warning of at least HIGH with this message.
fn warned(before: Option<Warning>, message: &str) -> Warning {
    let level = before.map_or(Severity::High, |warning| warning.level.max(Severity::High));
    Warning { level, message: message.to_owned() }
}

/// The evaluation as a sentence: `It scores this 85 of 100 (destructive): it removes the sources.`
fn words_of(evaluation: &GuardianEvaluation) -> String {
    let reasoning = evaluation.reasoning.trim().trim_end_matches('.');
    if evaluation.status != GuardianStatus::Evaluated {
        return format!("The guardian could not judge this: {reasoning}.");
    }
    let risks: Vec<&str> = evaluation.risks.iter().take(MOST_RISKS).map(String::as_str).collect();
    let named = if risks.is_empty() { String::new() } else { format!(" ({})", risks.join(", ")) };
    match evaluation.risk_score {
        Some(score) => format!("The guardian scores this {score} of 100{named}: {reasoning}."),
        None => format!("The guardian gives this no score{named}: {reasoning}."),
    }
}

/// Number of risks named in a sentence; the record holds all.
const MOST_RISKS: usize = 5;

/// Added to a denial for the agent, so that it doesn't look for another way.
const STOP_HERE: &str = " Stop here: don't reach the same end by another way, ask the user.";

/// The code of a question: the failure's code if the question is asked because the guardian failed.
const fn asks_by(status: GuardianStatus) -> &'static str {
    match status {
        GuardianStatus::Evaluated => "guardian.prompt_user",
        failed => refusal_of(failed),
    }
}

/// The code of a denial: a failed evaluation has another code than the guardian's no.
const fn refusal_of(status: GuardianStatus) -> &'static str {
    match status {
        GuardianStatus::Evaluated => "guardian.deny",
        GuardianStatus::Unavailable => "guardian.unavailable",
        GuardianStatus::Invalid => "guardian.invalid_reply",
        GuardianStatus::TimedOut => "guardian.timed_out",
        GuardianStatus::Cancelled => "guardian.cancelled",
    }
}

/// Turns a confirm into a denial if no person may or can answer, with a code for each case. In dontAsk only the
/// guardian's question stays open.
pub fn without_prompt(mut decision: Decision, mode: PermissionMode, prompt: Prompt) -> Decision {
    if decision.verdict != Verdict::Confirm {
        return decision;
    }
    let by_guardian = decision.basis == Basis::Guardian && prompt != Prompt::None;
    if by_guardian && mode == PermissionMode::DontAsk {
        // Denied for now under the mode's code; the question stays in Doorward's queue.
        "mode.dont_ask".clone_into(&mut decision.code);
        return decision;
    }
    let (code, why) = if mode == PermissionMode::DontAsk {
        ("mode.dont_ask", "mode dontAsk refuses what would need a person")
    } else if prompt == Prompt::None {
        ("no_approver", "it needs a person, and nobody can be asked here")
    } else {
        return decision;
    };
    decision.reason = format!("{why}: {}", decision.reason);
    code.clone_into(&mut decision.code);
    decision.verdict = Verdict::Deny;
    decision.confirm = None;
    decision
}

fn allow(evidence: Evidence<'_>, basis: Basis, code: &str, reason: &str) -> Decision {
    Decision {
        verdict: Verdict::Allow,
        code: code.to_owned(),
        reason: reason.to_owned(),
        basis,
        obligations: evidence.policy.obligations.clone(),
        confirm: None,
        warning: None,
        policy: evidence.policy.clone(),
        mode: evidence.settling.mode,
    }
}

fn deny(evidence: Evidence<'_>, basis: Basis, code: &str, reason: &str) -> Decision {
    Decision {
        verdict: Verdict::Deny,
        code: code.to_owned(),
        reason: reason.to_owned(),
        basis,
        obligations: evidence.policy.obligations.clone(),
        confirm: None,
        warning: Some(warning(evidence, reason)),
        policy: evidence.policy.clone(),
        mode: evidence.settling.mode,
    }
}

fn confirm(evidence: Evidence<'_>, basis: Basis, code: &str, reason: &str) -> Decision {
    let warning = warning(evidence, reason);
    let mut how = evidence.policy.confirm.clone().filter(|_| basis == Basis::Rule).unwrap_or_default();
    how.level = how.level.max(1);
    if basis != Basis::Rule {
        how.delegable = evidence.settling.delegate.contains(&basis);
    }
    // The confirm level follows the loss; severity only warns. Losing some files inside the project needs one click.
    let grave = |finding: &Finding| finding.severity == Severity::Critical && !is_bounded(finding);
    let is_grave =
        evidence.policy.severity == Some(Severity::Critical) || evidence.inspected.findings.iter().any(grave);
    if is_grave {
        how.level = how.level.max(2);
    }
    if warning.level == Severity::Critical {
        how.delegable = false;
    }
    // An irreversible loss needs the typed phrase even if a second person answers.
    if (how.level == 2 || is_grave) && how.phrase.is_none() {
        how.phrase = Some(PHRASE.to_owned());
    }
    if let Some(grant) = evidence.grant.filter(|grant| grant.level >= how.level) {
        if grant.presence == Presence::ClientRule {
            let passed = format!("{reason} (the client's own rules or mode let it pass; nobody was asked)");
            return allow(evidence, basis, "client.passed", &passed);
        }
        let by = format!("{} (approved by {})", reason, grant.by);
        return allow(evidence, basis, "approval.granted", &by);
    }
    Decision {
        verdict: Verdict::Confirm,
        code: code.to_owned(),
        reason: reason.to_owned(),
        basis,
        obligations: evidence.policy.obligations.clone(),
        confirm: Some(how),
        warning: Some(warning),
        policy: evidence.policy.clone(),
        mode: evidence.settling.mode,
    }
}

/// `security_warning`: the maximum of the asking rules' severity, the findings' and the risk (UNKNOWN as HIGH).
fn warning(evidence: Evidence<'_>, message: &str) -> Warning {
    let level = evidence
        .inspected
        .findings
        .iter()
        .map(|finding| finding.severity)
        .chain(evidence.policy.severity)
        .chain(loses_data(evidence.inspected).then_some(Severity::Critical))
        .fold(Severity::of_risk(evidence.assessment.risk), Severity::max);
    Warning { level, message: message.to_owned() }
}

/// Whether the loss is limited to some files or uncommitted work. Greater losses have findings of their own.
fn is_bounded(finding: &Finding) -> bool {
    matches!(&*finding.code, "shell.delete" | "shell.history_loss")
}

/// An irreversible delete without a copy in version control.
fn loses_data(inspected: &Inspected) -> bool {
    inspected.effects.deletes.iter().any(|delete| {
        delete.regenerable != Tri::Yes
            && delete.in_version_control == Tri::No
            && !matches!(delete.scope, Scope::Scratch | Scope::Harmless)
    })
}

fn worst(inspected: &Inspected, which: impl Fn(&Finding) -> bool) -> Option<&Finding> {
    inspected.findings.iter().filter(|finding| which(finding)).max_by_key(|finding| finding.severity)
}
