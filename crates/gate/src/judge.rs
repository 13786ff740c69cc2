//! The judge: inspect → assess → policy → combine → guardian. It only advises: it records nothing, asks nobody and
//! can't make a permit. `check`, simulation, explanation, replay and the lab use it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use doorward_core::approval::{Binding, Grant};
use doorward_core::assessment::{Analyzer, AnalyzerVerdict, Assessment};
use doorward_core::call::{Prompt, RootAccess, Surface, ToolCall};
use doorward_core::decision::{Basis, Decision, PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation, GuardianStatus};
use doorward_core::finding::Finding;
use doorward_core::id::Digest;
use doorward_core::json;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use futures_util::FutureExt as _;

use crate::combine::{Evidence, combine, only_observed, with_guardian, without_prompt};
use crate::gate::Denial;
use crate::judged::{CallToConfirm, Case, Judged};
use crate::stages::{CoveredContent, Inspect, Settle};

/// Which calls the guardian reviews. Calls proved read-only are never reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Review {
    /// Only questions that it may settle.
    Asked,
    /// Also calls that a mode allows without asking a person.
    Unasked,
    /// Also every other call that isn't denied.
    All,
}

impl Review {
    fn covers(self, inspected: &Inspected, decision: &Decision) -> bool {
        match self {
            Self::Asked => false,
            Self::Unasked => decision.verdict == Verdict::Allow && is_let_run(inspected, decision),
            Self::All => true,
        }
    }
}

/// Whether the call is allowed only because Doorward's or the client's mode asks nobody.
fn is_let_run(inspected: &Inspected, decision: &Decision) -> bool {
    let by_mode = matches!(decision.basis, Basis::Mode | Basis::Risk);
    let asks = matches!(decision.mode, PermissionMode::Default | PermissionMode::Plan);
    by_mode && (!asks || client_mode(inspected) == Some("auto"))
}

/// The mode that the client reports for itself.
fn client_mode(inspected: &Inspected) -> Option<&str> {
    inspected.call.context.get("client_mode").and_then(json::Value::as_str)
}

/// The parts of a judge.
#[derive(Clone)]
pub struct Stages {
    /// Finds the effects of a call.
    pub inspect: Arc<dyn Inspect>,
    /// Analyzers besides the effects, which are always part of `Inspected`.
    pub analyzers: Vec<Arc<dyn Analyzer>>,
    /// Rules.
    pub policy: Arc<dyn PolicyEngine>,
    /// Mode and confirmation policy.
    pub settle: Arc<dyn Settle>,
    /// The reviewer; the built-in score if no model is configured.
    pub guardian: Arc<dyn Guardian>,
    /// Which calls it reviews besides the questions that it may settle.
    pub review: Review,
    /// Whether the effects' risk takes part in the fusion. The profile `openhands-compat` only records it and takes
    /// the risk from the listed analyzers.
    pub effects_count: bool,
}

/// Judges calls. Cheap to clone.
#[derive(Clone)]
pub struct Judge {
    stages: Stages,
}

impl Judge {
    /// A judge from these stages.
    #[must_use]
    pub const fn new(stages: Stages) -> Self {
        Self { stages }
    }

    /// Its stages, for building a judge with another one.
    #[must_use]
    pub const fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Judges a call in the given session state. Every error on the way is a denial with its own code.
    ///
    /// # Errors
    /// [`Denial`] if a stage failed internally, so that nothing is known about the call.
    pub async fn simulate(&self, call: ToolCall, session: Arc<SessionView>) -> Result<Judged, Denial> {
        let judging = AssertUnwindSafe(async {
            let inspected = self.inspect(call, session);
            unasked(self.judge(inspected).await)
        });
        judging.catch_unwind().await.map_err(|_| Denial::panicked())
    }

    /// The first stage: what the call would do.
    #[must_use]
    pub fn inspect(&self, call: ToolCall, session: Arc<SessionView>) -> Inspected {
        self.stages.inspect.inspect(call, session)
    }

    /// All stages after inspection. A confirm stays a confirm even if no one can be asked, since a grant may already
    /// exist; the gate and [`Judge::simulate`] turn it into a denial.
    pub async fn judge(&self, inspected: Inspected) -> Judged {
        let started = Instant::now();
        let stages = &self.stages;
        let assessment = assess(stages, &inspected).await;
        let policy = stages.policy.decide(&inspected, &assessment, None).await;
        let settling = stages.settle.settling(&inspected, &assessment);
        let evidence = Evidence {
            inspected: &inspected,
            assessment: &assessment,
            policy: &policy,
            settling: &settling,
            grant: None,
        };
        let mut decision = combine(evidence);
        let guardian = self.consult(&inspected, &decision).await;
        if let Some(evaluation) = &guardian {
            decision = with_guardian(decision, evaluation);
        }
        decision = only_observed(decision, &inspected, &settling);
        let (mode, took_us) = (settling.mode, micros(started));
        self.sort(Case { inspected, assessment, decision, guardian, grant: None, mode, took_us })
    }

    /// Judges a call again, from the rules on, with a grant. A grant satisfies a confirm, never a denial.
    pub async fn with_grant(&self, asked: CallToConfirm, grant: Grant) -> Judged {
        let started = Instant::now();
        let Case { inspected, assessment, guardian, took_us, .. } = *asked.case;
        let policy = self.stages.policy.decide(&inspected, &assessment, Some(&grant)).await;
        let settling = self.stages.settle.settling(&inspected, &assessment);
        let decision = combine(Evidence {
            inspected: &inspected,
            assessment: &assessment,
            policy: &policy,
            settling: &settling,
            grant: Some(&grant),
        });
        let decision = only_observed(decision, &inspected, &settling);
        let (mode, took_us) = (settling.mode, took_us.saturating_add(micros(started)));
        self.sort(Case { inspected, assessment, decision, guardian, grant: Some(grant), mode, took_us })
    }

    /// The case as the type of its verdict. A confirm whose binding can't be computed is a denial.
    fn sort(&self, mut case: Case) -> Judged {
        if case.decision.verdict != Verdict::Confirm {
            return Judged::sort(Box::new(case), None);
        }
        let covered = self.stages.inspect.covered(&case.inspected);
        if let Some(confirm) = &mut case.decision.confirm {
            confirm.one_attempt = covered.unfollowed;
        }
        match Self::binding(&*self.stages.inspect, &case.inspected, &case.decision.policy, covered) {
            Ok(binding) => Judged::sort(Box::new(case), Some(Box::new(binding))),
            Err(error) => {
                let why = format!("the digests that an approval is bound to can't be computed: {error}");
                case.decision = refused(case.decision, "internal.digest", why);
                Judged::sort(Box::new(case), None)
            }
        }
    }

    /// What an approval of this call would be bound to.
    ///
    /// # Errors
    /// [`JsonError`](json::JsonError) if a digest can't be computed.
    pub fn binding_of(&self, case: &Case) -> Result<Binding, json::JsonError> {
        let inspect = &*self.stages.inspect;
        Self::binding(inspect, &case.inspected, &case.decision.policy, inspect.covered(&case.inspected))
    }

    fn binding(
        inspect: &dyn Inspect,
        inspected: &Inspected,
        policy: &PolicyDecision,
        covered: CoveredContent,
    ) -> Result<Binding, json::JsonError> {
        let call = &inspected.call;
        let server = call.tool.mcp_parts().map(|(server, _)| server).unwrap_or_default();
        let project =
            call.roots.iter().find(|root| root.access == RootAccess::Write).map(|root| root.path.clone());
        let effects = inspected.effects_digest()?;
        // The same effects on other content are another call.
        let effects_digest = match covered.digest {
            Some(content) => Digest::of(format!("{effects}\n{content}").as_bytes()),
            None => effects,
        };
        Ok(Binding {
            caller: call.principal.id.clone(),
            session: call.session.clone(),
            project: project.unwrap_or_default(),
            cwd: call.cwd.clone(),
            server: server.to_owned(),
            tool: call.tool.to_string(),
            args_digest: inspected.args_digest.clone(),
            effects_digest,
            pin_digest: call.pin.clone(),
            preview_digest: inspect.shown(inspected).digest(),
            policy_version: policy.bundle.clone(),
        })
    }

    /// Consults the guardian if its answer can matter: on questions that it may settle, and on the calls that
    /// [`Review`] names. Never on a denial.
    async fn consult(&self, inspected: &Inspected, decision: &Decision) -> Option<GuardianEvaluation> {
        let delegable = decision.confirm.as_ref().is_some_and(|confirm| confirm.delegable);
        let reviewed = !inspected.effects.read_only && self.stages.review.covers(inspected, decision);
        if decision.verdict == Verdict::Deny || !(delegable || reviewed) {
            return None;
        }
        let session = Arc::new(self.stages.inspect.redact_session(&inspected.session));
        let redacted = Inspected { session, ..self.stages.inspect.redact(inspected) };
        let context = GuardianContext {
            tool_name: redacted.call.tool.to_string(),
            content: redacted.call.args_value().canonical(),
            cwd: redacted.call.cwd.clone(),
            recent_files: redacted.session.written.keys().rev().take(20).cloned().collect(),
            yolo_mode: matches!(
                redacted.call.mode,
                PermissionMode::BypassPermissions | PermissionMode::DontAsk
            ),
            client_mode: client_mode(&redacted).map(str::to_owned),
            can_prompt_user: redacted.call.prompt != Prompt::None,
            trusted_messages: vouched(&redacted.call),
        };
        let asked = AssertUnwindSafe(self.stages.guardian.evaluate(&context, &redacted)).catch_unwind().await;
        Some(asked.unwrap_or_else(|_| {
            GuardianEvaluation::fault(GuardianStatus::Unavailable, "the guardian failed inside")
        }))
    }
}

/// Turns a confirm into a denial if no person may or can answer.
pub(crate) fn unasked(judged: Judged) -> Judged {
    let Judged::Confirm(CallToConfirm { mut case, binding }) = judged else { return judged };
    let level = case.decision.confirm.as_ref().map_or(1, |confirm| confirm.level);
    let through = case.inspected.call.asked_through(case.decision.basis, level);
    case.decision = without_prompt(case.decision, case.mode, through);
    Judged::sort(case, Some(binding))
}

/// Turns a combined decision into a denial.
pub(crate) fn refused(mut decision: Decision, code: &str, reason: String) -> Decision {
    decision.verdict = Verdict::Deny;
    decision.basis = Basis::Finding;
    code.clone_into(&mut decision.code);
    decision.reason = reason;
    decision.confirm = None;
    decision
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The user's messages, if the surface can vouch for them. Only a program that embeds the gate can: it supplies them
/// itself in `user_messages` of the call's context. What a hook, a server or a network caller reports as the user's
/// words is a claim, and claims authorise nothing.
fn vouched(call: &ToolCall) -> Vec<String> {
    if call.surface != Surface::Library {
        return Vec::new();
    }
    let said = call.context.get("user_messages").and_then(json::Value::as_array);
    said.into_iter().flatten().filter_map(json::Value::as_str).map(str::to_owned).collect()
}

async fn assess(stages: &Stages, inspected: &Inspected) -> Assessment {
    let mut by = vec![AnalyzerVerdict {
        analyzer: "effects".to_owned(),
        risk: inspected.risk,
        score: inspected.score,
        mandatory: true,
        applies: stages.effects_count,
        findings: inspected.findings.clone(),
        detail: String::new(),
    }];
    for analyzer in &stages.analyzers {
        let asked = AssertUnwindSafe(async { analyzer.analyze(inspected).await }).catch_unwind().await;
        by.push(asked.unwrap_or_else(|_| AnalyzerVerdict {
            analyzer: analyzer.name().to_owned(),
            risk: SecurityRisk::High,
            score: None,
            mandatory: true,
            applies: true,
            findings: vec![Finding::new(
                "analyzer.failed",
                format!("the analyzer {} failed", analyzer.name()),
            )],
            detail: "failed inside".to_owned(),
        }));
    }
    Assessment::fuse(by)
}
