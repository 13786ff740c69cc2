//! Computes score and decision from a valid reply; the model doesn't decide.
//!
//! All steps except one only raise the score. The lowering step (for a target that the user named, in a message shown
//! in full, without a sign of injection) never goes below 79 and doesn't apply to 95 and above. The floor from the
//! effects comes last, so the model's answer is never looser than what the effects prove.

use doorward_core::evaluation::{
    GuardianContext, GuardianDecision, GuardianEvaluation, GuardianStatus, Spent,
};

use crate::reply::{Authorization, Reply};

/// Scores from which to ask or deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// Score from which a person is asked.
    pub prompt_at: u8,
    /// Score from which the call is denied.
    pub deny_at: Option<u8>,
    /// Whether a failure asks a person instead of denying.
    pub prompt_on_failure: bool,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { prompt_at: 80, deny_at: None, prompt_on_failure: false }
    }
}

/// Facts about the call that don't depend on the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Score of the effects; `None` if they are unknown.
    pub floor: Option<u8>,
    /// Proved to only read, inside the roots.
    pub read_only: bool,
    /// Whether a trusted message that was shown in full names the action's target.
    pub target_named: bool,
    /// Whether the action was cut and its analysis was incomplete.
    pub cut_unparsed: bool,
}

/// Computes the score from the reply and the facts about the call.
#[must_use]
pub fn score(reply: &Reply, facts: Facts) -> u8 {
    let mut s = reply.risk_score.min(100);
    let checked = facts.target_named && !reply.injection_evidence;
    if reply.user_authorization == Authorization::High && checked && (80..95).contains(&s) {
        s = 79;
    }
    if reply.user_authorization == Authorization::Low && s >= 40 {
        s = s.saturating_add(15).min(100);
    }
    if reply.injection_evidence && !facts.read_only {
        s = s.max(85);
    }
    s = match reply.decision {
        Some(GuardianDecision::PromptUser) => s.max(80),
        Some(GuardianDecision::Deny) => s.max(90),
        _ => s,
    };
    if facts.cut_unparsed {
        s = s.max(80);
    }
    s.max(facts.floor.unwrap_or(0))
}

/// The decision for a score, depending on whether a person can be asked.
#[must_use]
pub fn decide(score: Option<u8>, thresholds: Thresholds, context: &GuardianContext) -> GuardianDecision {
    match score {
        Some(score) if thresholds.deny_at.is_some_and(|at| score >= at) => GuardianDecision::Deny,
        Some(score) if score < thresholds.prompt_at => GuardianDecision::Approve,
        _ => prompt(context),
    }
}

/// Asks if a person can answer, else denies. A mode that skips its own prompts doesn't cause a denial: the question
/// waits in Doorward's queue.
#[must_use]
pub const fn prompt(context: &GuardianContext) -> GuardianDecision {
    if context.can_prompt_user { GuardianDecision::PromptUser } else { GuardianDecision::Deny }
}

/// The evaluation of a valid reply.
#[must_use]
pub fn evaluated(
    reply: &Reply,
    facts: Facts,
    thresholds: Thresholds,
    context: &GuardianContext,
) -> GuardianEvaluation {
    let score = score(reply, facts);
    let decision = if reply.decision == Some(GuardianDecision::Deny) {
        GuardianDecision::Deny
    } else {
        decide(Some(score), thresholds, context)
    };
    let mut flags = Vec::new();
    if reply.decision == Some(GuardianDecision::Approve) && decision != GuardianDecision::Approve {
        flags.push("contradiction".to_owned());
    }
    if reply.injection_evidence {
        flags.push("injection_evidence".to_owned());
    }
    if facts.cut_unparsed {
        flags.push("action_truncated".to_owned());
    }
    GuardianEvaluation {
        risk_score: Some(score),
        reasoning: told(&reply.reasoning),
        decision,
        risks: reply.risks.iter().map(|risk| told(risk)).collect(),
        status: GuardianStatus::Evaluated,
        model: String::new(),
        prompt_digest: None,
        flags,
        spent: Spent::default(),
    }
}

/// The evaluation of a failure: no score, and the failure's own status.
#[must_use]
pub fn failed(
    status: GuardianStatus,
    why: &str,
    thresholds: Thresholds,
    context: &GuardianContext,
) -> GuardianEvaluation {
    let mut evaluation = GuardianEvaluation::fault(status, why);
    let unable =
        matches!(status, GuardianStatus::Unavailable | GuardianStatus::Invalid | GuardianStatus::TimedOut);
    if thresholds.prompt_on_failure && unable {
        evaluation.decision = prompt(context);
    }
    evaluation
}

/// Shortens a model's text and removes control and invisible characters, because the agent will read it.
pub(crate) fn told(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if crate::fence::is_treacherous(c) || c == '\n' { ' ' } else { c })
        .take(LONGEST_TOLD)
        .collect();
    doorward_secrets::redact_text(clean.trim())
}

const LONGEST_TOLD: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_core::risk::SecurityRisk;

    fn reply(risk_score: u8) -> Reply {
        Reply { risk_score, reasoning: "r".into(), ..Reply::default() }
    }

    #[test]
    fn every_pinned_reply_gives_its_decision() {
        let rows = include_str!("../testdata/guardian_replies.jsonl");
        let mut replies = 0;
        for line in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            for (can_prompt_user, key) in [(false, "decision_no_prompt"), (true, "decision_can_prompt")] {
                let context = GuardianContext { can_prompt_user, ..GuardianContext::default() };
                let thresholds = Thresholds::default();
                let evaluation = match (row["fault"].as_str().unwrap(), row["reply"].as_str()) {
                    ("reply", Some(text)) => match crate::reply::read(text) {
                        Ok(reply) => evaluated(&reply, Facts::default(), thresholds, &context),
                        Err(invalid) => {
                            failed(GuardianStatus::Invalid, &invalid.to_string(), thresholds, &context)
                        }
                    },
                    ("timeout", _) => failed(GuardianStatus::TimedOut, "late", thresholds, &context),
                    ("cancelled", _) => failed(GuardianStatus::Cancelled, "withdrawn", thresholds, &context),
                    (_, _) => failed(GuardianStatus::Unavailable, "down", thresholds, &context),
                };
                let decision = serde_json::to_value(evaluation.decision).unwrap();
                assert_eq!(decision, row[key], "{} {evaluation:?}", row["id"]);
                let valid = matches!(row["class"].as_str(), Some("valid" | "contradiction"));
                assert_eq!(evaluation.status == GuardianStatus::Evaluated, valid, "{}", row["id"]);
                assert_eq!(evaluation.risk_score.is_some(), valid, "{}", row["id"]);
            }
            replies += 1;
        }
        assert_eq!(replies, 54);
    }

    #[test]
    fn the_score_rises_with_every_stricter_input() {
        for s in 0..=100 {
            let plain = score(&reply(s), Facts::default());
            assert_eq!(plain, s);
            let stricter = [
                Reply { user_authorization: Authorization::Low, ..reply(s) },
                Reply { injection_evidence: true, ..reply(s) },
                Reply { decision: Some(GuardianDecision::PromptUser), ..reply(s) },
                Reply { decision: Some(GuardianDecision::Deny), ..reply(s) },
                Reply { decision: Some(GuardianDecision::Approve), ..reply(s) },
                Reply { user_authorization: Authorization::High, ..reply(s) },
            ];
            for reply in stricter {
                assert!(score(&reply, Facts::default()) >= plain, "{reply:?}");
            }
            for floor in 0..=100 {
                assert!(score(&reply(s), Facts { floor: Some(floor), ..Facts::default() }) >= floor.max(s));
            }
        }
    }

    #[test]
    fn a_named_target_lowers_to_79_at_most_and_nothing_from_95_on() {
        let named = Facts { target_named: true, ..Facts::default() };
        let mut before = 0;
        for s in 0..=100 {
            let high = Reply { user_authorization: Authorization::High, ..reply(s) };
            let now = score(&high, named);
            assert!(now >= before, "monotone at {s}");
            before = now;
            assert_eq!(now, if (80..95).contains(&s) { 79 } else { s });
            assert_eq!(score(&Reply { injection_evidence: true, ..high.clone() }, named), s.max(85));
            assert_eq!(score(&high, Facts { floor: Some(90), ..named }), now.max(90));
        }
    }

    #[test]
    fn high_and_the_prompt_threshold_agree_on_every_integer() {
        let context = GuardianContext { can_prompt_user: true, ..GuardianContext::default() };
        for s in 0..=100 {
            let asks = decide(Some(s), Thresholds::default(), &context) != GuardianDecision::Approve;
            assert_eq!(asks, SecurityRisk::of_score(s) == SecurityRisk::High, "{s}");
        }
    }

    #[test]
    fn nobody_to_ask_makes_every_question_a_denial() {
        for yolo_mode in [false, true] {
            let context = GuardianContext { yolo_mode, ..GuardianContext::default() };
            assert_eq!(decide(Some(80), Thresholds::default(), &context), GuardianDecision::Deny);
            assert_eq!(decide(None, Thresholds::default(), &context), GuardianDecision::Deny);
            let lenient = Thresholds { prompt_on_failure: true, ..Thresholds::default() };
            let down = failed(GuardianStatus::Unavailable, "down", lenient, &context);
            assert_eq!(down.decision, GuardianDecision::Deny);
        }
    }

    #[test]
    fn the_reviewers_words_carry_no_secret_and_no_hidden_text_on() {
        let key = format!("AKIA{}", "QYLPMN5HHHFPZAM2");
        let evaluation = evaluated(
            &Reply { reasoning: format!("uses {key}\u{202e}\u{200b}\nIgnore"), ..reply(5) },
            Facts::default(),
            Thresholds::default(),
            &GuardianContext::default(),
        );
        assert!(!evaluation.reasoning.contains(&key), "{}", evaluation.reasoning);
        assert!(!evaluation.reasoning.contains(['\u{202e}', '\u{200b}', '\n']));
    }
}
