//! The guardian with a model: one deadline, one repair, a breaker for denials, a short memory of approvals.
//!
//! Every outcome is an evaluation with its own status, and only a valid verdict can approve. It has no permit and
//! starts nothing; the call it sees is redacted.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use doorward_core::Boxed;
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{
    Guardian, GuardianContext, GuardianDecision, GuardianEvaluation, GuardianStatus, Spent,
};
use doorward_core::id::{Digest, SessionId};

use doorward_core::risk::SecurityRisk;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::client::{Fault, Model, ModelInquiry};
use crate::conversation::{Conversations, Past};
use crate::fence::Budgets;
use crate::investigate::{self, Investigator};
use crate::prompt::{Prefix, Prompt, schema};
use crate::reply::{self, Reply};
use crate::rule::{self, Facts, Thresholds};

/// Configuration of the model guardian.
#[derive(Debug, Clone)]
pub struct ReviewConfig {
    /// Scores from which to ask or deny.
    pub thresholds: Thresholds,
    /// Time limit for everything: investigation, retries, repair.
    pub timeout: Duration,
    /// Number of past actions that it sees.
    pub history_window: usize,
    /// Budgets of the prompt.
    pub budgets: Budgets,
    /// How long an approval is remembered; zero disables this.
    pub remember: Duration,
}

impl Default for ReviewConfig {
    fn default() -> Self {
        Self {
            thresholds: Thresholds::default(),
            timeout: Duration::from_secs(90),
            history_window: 20,
            budgets: Budgets::default(),
            remember: Duration::from_secs(600),
        }
    }
}

/// A guardian that asks a model.
pub struct ModelGuardian {
    model: Arc<Model>,
    prefix: Prefix,
    config: ReviewConfig,
    investigator: Option<Investigator>,
    schema: serde_json::Value,
    conversations: Conversations,
    denials: Mutex<HashMap<SessionId, Denials>>,
    approvals: Mutex<BTreeMap<Digest, (Instant, GuardianEvaluation)>>,
    withdrawn: watch::Sender<bool>,
}

/// Time that a hook needs to pass on the answer.
const HOST_MARGIN: Duration = Duration::from_secs(2);
/// Minimum remaining time for a repair.
const REPAIR_NEEDS: Duration = Duration::from_secs(5);
const MOST_REMEMBERED: usize = 512;
const MOST_SESSIONS: usize = 1024;

impl ModelGuardian {
    /// With a model and the prefix of its prompts.
    #[must_use]
    pub fn new(model: Arc<Model>, prefix: Prefix, config: ReviewConfig) -> Self {
        Self {
            model,
            prefix,
            config,
            investigator: None,
            schema: schema(),
            conversations: Conversations::default(),
            denials: Mutex::default(),
            approvals: Mutex::default(),
            withdrawn: watch::Sender::new(false),
        }
    }

    /// Lets the model look at files before it decides, if it is in doubt.
    #[must_use]
    pub fn looking(mut self, investigator: Investigator) -> Self {
        self.investigator = Some(investigator);
        self
    }

    /// Cancels all running evaluations and refuses new ones: the service is stopping.
    pub fn withdraw(&self) {
        self.withdrawn.send_replace(true);
    }

    async fn review(&self, context: &GuardianContext, inspected: &Inspected) -> GuardianEvaluation {
        let started = Instant::now();
        let mut spent = Spent::default();
        let mut evaluation = match self.prepared(context, inspected) {
            Ok(PreparedReview { past, prompt, facts, key }) => {
                if let Some(known) = self.remembered(&key, started) {
                    return known;
                }
                let deadline = started + time(inspected, self.config.timeout);
                let mut sent = prompt;
                let mut evaluation = self.asked(context, &sent, facts, deadline, &mut spent).await;
                if let Some(investigator) = self.investigator.as_ref().filter(|_| in_doubt(&evaluation)) {
                    let review = ReviewSubject { context, inspected, past: &past, facts, deadline };
                    (evaluation, sent) =
                        self.after_looking(investigator, review, evaluation, sent, &mut spent).await;
                }
                evaluation.prompt_digest = Some(sent.digest());
                evaluation.reasoning = sent.without_nonces(&evaluation.reasoning);
                for risk in &mut evaluation.risks {
                    *risk = sent.without_nonces(risk);
                }
                self.remember(key, &evaluation);
                evaluation
            }
            Err(why) => self.failed(GuardianStatus::Unavailable, &why, context),
        };
        spent.latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        evaluation.spent = spent;
        self.model.name().clone_into(&mut evaluation.model);
        evaluation
    }

    fn prepared(&self, context: &GuardianContext, inspected: &Inspected) -> Result<PreparedReview, String> {
        let budgets = self.config.budgets;
        let past = self.conversations.past(inspected, self.config.history_window, budgets);
        let mut past = past.map_err(|error| error.to_string())?;
        if self.config.history_window == 0 {
            past = past.newest(0);
        }
        let prompt = self.prefix.prompt(&past, &[], context, inspected, budgets);
        let prompt = prompt.map_err(|error| error.to_string())?;
        let covered = inspected.effects.unknown.is_empty() && inspected.risk != SecurityRisk::Unknown;
        let facts = Facts {
            floor: crate::builtin::score(inspected).score,
            read_only: inspected.effects.read_only,
            target_named: !prompt.trusted_cut && names_target(context, inspected),
            cut_unparsed: prompt.action_cut && !covered,
        };
        let key = serde_json::json!([
            self.prefix.digest(),
            self.model.name(),
            context,
            inspected.effects_digest().map_err(|error| error.to_string())?,
            inspected.call.session,
            past.left_out,
            past.entries,
            inspected.session.taints,
        ]);
        Ok(PreparedReview { past, prompt, facts, key: Digest::of(key.to_string().as_bytes()) })
    }

    async fn asked(
        &self,
        context: &GuardianContext,
        prompt: &Prompt,
        facts: Facts,
        deadline: Instant,
        spent: &mut Spent,
    ) -> GuardianEvaluation {
        match self.verdict(prompt, deadline, spent).await {
            Ok((reply, repaired)) => {
                let mut evaluation = rule::evaluated(&reply, facts, self.config.thresholds, context);
                if repaired {
                    evaluation.flags.push("repaired".to_owned());
                }
                evaluation
            }
            Err(fault) => {
                let status = match fault {
                    Fault::Unavailable(_) => GuardianStatus::Unavailable,
                    Fault::TimedOut => GuardianStatus::TimedOut,
                    Fault::Invalid(_) => GuardianStatus::Invalid,
                };
                tracing::warn!(model = self.model.name(), status = ?status, "{fault}");
                self.failed(status, &fault.to_string(), context)
            }
        }
    }

    /// Performs the looks that the model asks for and has it judge again. On any failure the first verdict stands.
    async fn after_looking(
        &self,
        investigator: &Investigator,
        review: ReviewSubject<'_>,
        mut first: GuardianEvaluation,
        prompt: Prompt,
        spent: &mut Spent,
    ) -> (GuardianEvaluation, Prompt) {
        let ReviewSubject { context, inspected, past, facts, deadline } = review;
        let schema = investigate::schema();
        let mut looking = investigator.begin(inspected, deadline);
        let mut seen = Vec::new();
        let mut current = prompt;
        for _ in 0..investigator.bounds().rounds {
            if looking.is_over() {
                break;
            }
            let user = [current.user.as_str(), investigate::INVITATION];
            let Prompt { system, stays, .. } = &current;
            let ask = ModelInquiry { system, stays, user: &user, schema: Some(&schema), deadline };
            let asked = self.model.ask(ask, spent).await.map_err(|fault| fault.to_string());
            let looks =
                asked.and_then(|text| investigate::read(&text).map_err(|invalid| invalid.to_string()));
            let looks = match looks {
                Ok(looks) if looks.is_empty() => break,
                Ok(looks) => looks,
                Err(why) => {
                    tracing::warn!(model = self.model.name(), "the reviewer's look failed: {why}");
                    first.flags.push("look_failed".to_owned());
                    break;
                }
            };
            seen.extend(looking.look(looks).await);
            match self.prefix.prompt(past, &seen, context, inspected, self.config.budgets) {
                Ok(prompt) => current = prompt,
                Err(_) => return (first, current),
            }
        }
        if seen.is_empty() {
            return (first, current);
        }
        let mut second = self.asked(context, &current, facts, deadline, spent).await;
        if second.status != GuardianStatus::Evaluated {
            first.flags.push("look_failed".to_owned());
            return (first, current);
        }
        second.flags.push(format!("looked:{}", seen.len()));
        (second, current)
    }

    /// A valid reply, with one repair attempt if the first was invalid and time remains.
    async fn verdict(
        &self,
        prompt: &Prompt,
        deadline: Instant,
        spent: &mut Spent,
    ) -> Result<(Reply, bool), Fault> {
        let schema = Some(&self.schema);
        let first = [prompt.user.as_str()];
        let ask =
            ModelInquiry { system: &prompt.system, stays: &prompt.stays, user: &first, schema, deadline };
        let why = match self.model.ask(ask, spent).await {
            Ok(text) => match reply::read(&text) {
                Ok(reply) => return Ok((reply, false)),
                Err(invalid) => invalid.0.to_owned(),
            },
            Err(Fault::Invalid(why)) => why,
            Err(fault) => return Err(fault),
        };
        if deadline.saturating_duration_since(Instant::now()) < REPAIR_NEEDS {
            return Err(Fault::Invalid(why));
        }
        let note = format!(
            "Your last answer was not usable: {why}. Answer again with exactly one JSON object of the contract \
             and nothing around it."
        );
        let second = [prompt.user.as_str(), note.as_str()];
        let text = self.model.ask(ModelInquiry { user: &second, ..ask }, spent).await?;
        reply::read(&text).map(|reply| (reply, true)).map_err(|invalid| Fault::Invalid(invalid.0.to_owned()))
    }

    fn failed(&self, status: GuardianStatus, why: &str, context: &GuardianContext) -> GuardianEvaluation {
        rule::failed(status, why, self.config.thresholds, context)
    }

    fn remembered(&self, key: &Digest, now: Instant) -> Option<GuardianEvaluation> {
        let mut approvals = lock(&self.approvals);
        approvals.retain(|_, (until, _)| now < *until);
        approvals.get(key).map(|(_, evaluation)| {
            let mut known = evaluation.clone();
            known.flags.push("cached".to_owned());
            known.spent = Spent::default();
            known
        })
    }

    fn remember(&self, key: Digest, evaluation: &GuardianEvaluation) {
        if evaluation.decision != GuardianDecision::Approve || self.config.remember.is_zero() {
            return;
        }
        let mut known = evaluation.clone();
        self.model.name().clone_into(&mut known.model);
        let mut approvals = lock(&self.approvals);
        if approvals.len() >= MOST_REMEMBERED {
            approvals.clear();
        }
        approvals.insert(key, (Instant::now() + self.config.remember, known));
    }
}

impl Guardian for ModelGuardian {
    fn evaluate<'a>(
        &'a self,
        context: &'a GuardianContext,
        inspected: &'a Inspected,
    ) -> Boxed<'a, GuardianEvaluation> {
        Box::pin(async move {
            let session = &inspected.call.session;
            let tripped = lock(&self.denials).get_mut(session).is_some_and(Denials::take_tripped);
            if tripped {
                let why =
                    "the guardian refused several actions in a row: a person has to look before it goes on";
                let mut evaluation = self.failed(GuardianStatus::Evaluated, why, context);
                evaluation.decision = rule::prompt(context);
                evaluation.flags.push("denial_breaker".to_owned());
                self.model.name().clone_into(&mut evaluation.model);
                return evaluation;
            }
            let mut withdrawn = self.withdrawn.subscribe();
            let evaluation = tokio::select! {
                biased;
                _ = withdrawn.wait_for(|withdrawn| *withdrawn) => {
                    return self.failed(GuardianStatus::Cancelled, "the evaluation was withdrawn", context);
                }
                evaluation = self.review(context, inspected) => evaluation,
            };
            if evaluation.status == GuardianStatus::Evaluated {
                let mut sessions = lock(&self.denials);
                if sessions.len() >= MOST_SESSIONS && !sessions.contains_key(session) {
                    sessions.clear();
                }
                let denied = evaluation.decision == GuardianDecision::Deny;
                sessions.entry(session.clone()).or_default().note(denied);
            }
            evaluation
        })
    }
}

/// The configured time limit, or less if the client waits less.
pub(crate) fn time(inspected: &Inspected, configured: Duration) -> Duration {
    let Some(deadline) = inspected.call.deadline else { return configured };
    let left = deadline.duration_since(jiff::Timestamp::now());
    let left = Duration::try_from(left).unwrap_or_default().saturating_sub(HOST_MARGIN);
    configured.min(left)
}

/// Everything prepared before the model is asked.
struct PreparedReview {
    past: Past,
    prompt: Prompt,
    facts: Facts,
    /// Key under which an approval is remembered.
    key: Digest,
}

/// The subject of one evaluation.
#[derive(Clone, Copy)]
struct ReviewSubject<'r> {
    context: &'r GuardianContext,
    inspected: &'r Inspected,
    past: &'r Past,
    facts: Facts,
    deadline: Instant,
}

/// Whether the score is near the threshold for asking, so that more information may change the decision.
fn in_doubt(evaluation: &GuardianEvaluation) -> bool {
    let near = evaluation.risk_score.is_some_and(|score| (60..95).contains(&score));
    near && evaluation.status == GuardianStatus::Evaluated && evaluation.decision != GuardianDecision::Deny
}

/// Denials in one conversation: after three in a row, or ten of the last fifty, a person is asked. Failures don't
/// count.
#[derive(Debug, Default)]
struct Denials {
    last: VecDeque<bool>,
}

impl Denials {
    fn note(&mut self, denied: bool) {
        self.last.push_back(denied);
        if self.last.len() > 50 {
            self.last.pop_front();
        }
    }

    /// Whether a person must look now; resets the count.
    fn take_tripped(&mut self) -> bool {
        let in_a_row = self.last.iter().rev().take_while(|denied| **denied).count();
        let in_all = self.last.iter().filter(|denied| **denied).count();
        let tripped = in_a_row >= 3 || in_all >= 10;
        if tripped {
            self.last.clear();
        }
        tripped
    }
}

/// Whether the user's messages name the action's main target.
fn names_target(context: &GuardianContext, inspected: &Inspected) -> bool {
    let effects = &inspected.effects;
    let targets: Vec<&str> = [
        effects.deletes.iter().map(|delete| delete.path.as_str()).collect::<Vec<_>>(),
        effects.hosts.iter().map(|host| host.host.as_str()).collect(),
        effects.writes.iter().map(|write| write.path.as_str()).collect(),
    ]
    .into_iter()
    .find(|targets| !targets.is_empty())
    .unwrap_or_default();
    let named = |target: &str| {
        let inside = target.strip_prefix(context.cwd.as_str()).and_then(|rest| rest.strip_prefix('/'));
        context
            .trusted_messages
            .iter()
            .any(|message| occurs(message, target) || inside.is_some_and(|inside| occurs(message, inside)))
    };
    !targets.is_empty() && targets.into_iter().all(named)
}

/// Whether it occurs as a separate word, so that `/srv/abc` doesn't name `/srv/a`, and a bare `a` is never named.
fn occurs(message: &str, target: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    target.len() >= 3
        && message.match_indices(target).any(|(at, _)| {
            let before = message.get(..at).and_then(|head| head.chars().next_back());
            let behind = message.get(at + target.len()..).unwrap_or_default();
            let mut behind = behind.chars();
            let after = match behind.next() {
                // A full stop may end the sentence.
                Some('.') => behind.next(),
                other => other,
            };
            !before.is_some_and(joins) && !after.is_some_and(joins)
        })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_denials_in_a_row_or_ten_of_fifty_call_a_person_once() {
        let mut denials = Denials::default();
        for denied in [true, true, false, true, true] {
            denials.note(denied);
            assert!(!denials.take_tripped());
        }
        denials.note(true);
        assert!(denials.take_tripped() && !denials.take_tripped());
        let mut denials = Denials::default();
        for at in 0..49 {
            denials.note(at % 5 == 0);
        }
        assert!(denials.take_tripped());
    }

    #[test]
    fn a_target_is_named_only_as_a_word_of_its_own() {
        for (message, target, named) in [
            ("please delete /srv/data now", "/srv/data", true),
            ("please delete /srv/data.", "/srv/data", true),
            ("please delete /srv/database", "/srv/data", false),
            ("please delete /srv/data.old", "/srv/data", false),
            ("see /x/srv/data", "/srv/data", false),
            ("push to git.example.com", "git.example.com", true),
            ("a", "a", false),
        ] {
            assert_eq!(occurs(message, target), named, "{message}");
        }
    }
}
