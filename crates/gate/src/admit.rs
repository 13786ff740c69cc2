//! The way of a call, from top to bottom.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use doorward_core::approval::{Approver, Ask, Binding, Grant, Presence};
use doorward_core::assessment::{Analyzer, AnalyzerVerdict, Assessment};
use doorward_core::call::{Prompt, RootAccess, Surface, ToolCall};
use doorward_core::decision::{Basis, Decision, PolicyDecision, PolicyEngine, Verdict};
use doorward_core::effect::Inspected;
use doorward_core::evaluation::{Guardian, GuardianContext, GuardianEvaluation, GuardianStatus};
use doorward_core::finding::{Finding, Severity};
use doorward_core::json;
use doorward_core::mode::PermissionMode;
use doorward_core::record::{
    self, DecisionRecord, Ledger, PolicySummary, Record, ResourceName, RiskBy, RiskSummary, UserDecision,
    UserSummary,
};
use doorward_core::risk::SecurityRisk;
use futures_util::FutureExt as _;
use jiff::{SignedDuration, Timestamp};

use crate::judge::{Standing, judge, with_guardian, without_prompt};
use crate::permit::{DecisionId, OpenPermits, OutcomeDuty, Permit, Sealed};
use crate::stages::{Inspect, Sessions, Settle};

/// How a call ends at the gate. The default way out is [`Admission::Denied`].
#[derive(Debug)]
#[must_use]
pub enum Admission {
    /// Go ahead, with this permit.
    Admitted(Permit),
    /// No, and why.
    Denied(Denial),
    /// A person decides; the question is durable. A yes becomes a grant, and the call comes again with it.
    Pending(Box<Ask>),
}

/// A denial that tells its reason. Never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Stable code.
    pub code: String,
    /// For the agent and the person: which rule or finding, and what would make it pass.
    pub reason: String,
    /// The record, if one could be written.
    pub decision: Option<DecisionId>,
    /// What the denial rests on.
    pub basis: Basis,
}

/// The rooms a gate is built from.
#[derive(Clone)]
pub struct Rooms {
    /// Effects of a call.
    pub inspect: Arc<dyn Inspect>,
    /// State of sessions.
    pub sessions: Arc<dyn Sessions>,
    /// Analyzers beside the effects, which are always in `Inspected`.
    pub analyzers: Vec<Arc<dyn Analyzer>>,
    /// Rules.
    pub policy: Arc<dyn PolicyEngine>,
    /// Mode and confirmation policy.
    pub settle: Arc<dyn Settle>,
    /// The reviewer; the built-in score where no model is configured.
    pub guardian: Arc<dyn Guardian>,
    /// Consulted for every call not proved read-only, not just for delegable confirms.
    pub review_all: bool,
    /// People.
    pub approver: Arc<dyn Approver>,
    /// The record.
    pub ledger: Arc<dyn Ledger>,
    /// Arguments are kept redacted in the record, not only as a digest.
    pub keep_args: bool,
    /// How long a question stays open.
    pub ask_ttl: SignedDuration,
}

/// The door. Cheap to clone; every surface holds one.
#[derive(Clone)]
pub struct Gate {
    rooms: Rooms,
    open: Arc<OpenPermits>,
}

/// A call with everything that was decided about it.
#[derive(Debug)]
pub struct Judged {
    /// The call and what it would do.
    pub inspected: Inspected,
    /// How risky it is.
    pub assessment: Assessment,
    /// The answer.
    pub decision: Decision,
    /// The guardian's evaluation, if it was asked.
    pub guardian: Option<GuardianEvaluation>,
    /// The yes that settled it, if one did.
    pub grant: Option<Grant>,
    /// Time it took, in microseconds.
    pub took_us: u64,
}

impl Judged {
    /// What a yes would be bound to. Digests what the call does, so it is made only for those who ask.
    #[must_use]
    pub fn binding(&self) -> Binding {
        binding(&self.inspected, &self.decision.policy)
    }
}

impl Gate {
    /// A gate over these rooms.
    #[must_use]
    pub fn new(rooms: Rooms) -> Self {
        Self::sharing(rooms, Arc::default())
    }

    /// A gate over these rooms that shares its open permits with others: one service, several projects.
    #[must_use]
    pub const fn sharing(rooms: Rooms, open: Arc<OpenPermits>) -> Self {
        Self { rooms, open }
    }

    /// Permits without an outcome.
    #[must_use]
    pub fn open(&self) -> &Arc<OpenPermits> {
        &self.open
    }

    /// The rooms it was built from.
    #[must_use]
    pub const fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// Takes a call through the gate. Every fault on the way is a denial with its own code.
    pub async fn admit(&self, call: ToolCall) -> Admission {
        self.admit_judged(call).await.0
    }

    /// As [`Gate::admit`], with what was found out, for surfaces that show it.
    pub async fn admit_judged(&self, call: ToolCall) -> (Admission, Option<Judged>) {
        match AssertUnwindSafe(self.admit_once(call)).catch_unwind().await {
            Ok(answer) => answer,
            Err(_) => (
                Admission::Denied(Denial::fault("internal.panic", "the gate failed inside; nothing runs")),
                None,
            ),
        }
    }

    /// Judges without recording, asking or permitting: for `check`, replay and explain. Never an authority.
    pub async fn simulate(&self, call: ToolCall) -> Result<Judged, Denial> {
        AssertUnwindSafe(self.judged(&call, false))
            .catch_unwind()
            .await
            .map_err(|_| Denial::fault("internal.panic", "the gate failed inside"))
    }

    async fn admit_once(&self, call: ToolCall) -> (Admission, Option<Judged>) {
        let mut judged = self.judged(&call, true).await;
        if judged.decision.verdict == Verdict::Allow
            && let Err(finding) = self.rooms.inspect.final_check(&call, &judged.inspected)
        {
            judged.decision = refused_at_last(judged.decision, &finding);
        }
        let (record, id, kept) = self.record(&call, &judged);
        // The record is on its way to the disk while what it names is kept. If that fails nobody receives its index,
        // and the ledger closes the permit as abandoned.
        let appending = self.rooms.ledger.append(record);
        let appended = match self.rooms.ledger.keep(kept.as_bytes()) {
            Ok(()) => appending.await,
            Err(error) => Err(error),
        };
        let index = match appended {
            Ok(index) => index,
            Err(error) => {
                let reason = format!("the decision could not be recorded, so nothing runs: {error}");
                return (Admission::Denied(Denial::fault(error.code(), &reason)), Some(judged));
            }
        };
        self.rooms.sessions.settled(&judged.inspected, &judged.decision);
        let admission = match judged.decision.verdict {
            Verdict::Allow => self.permit(call, &judged, id, index),
            Verdict::Confirm => self.ask(&call, &judged, id, index).await,
            Verdict::Deny => Admission::Denied(Denial {
                code: judged.decision.code.clone(),
                reason: judged.decision.reason.clone(),
                decision: Some(id),
                basis: judged.decision.basis,
            }),
        };
        (admission, Some(judged))
    }

    /// inspect → assess → policy → judge → guardian, and once more with a grant if one fits.
    async fn judged(&self, call: &ToolCall, redeem: bool) -> Judged {
        let started = Instant::now();
        let rooms = &self.rooms;
        let session = rooms.sessions.view(call);
        let inspected = rooms.inspect.inspect(call, &session);
        let assessment = assess(&rooms.analyzers, &inspected).await;
        let settling = rooms.settle.settling(&inspected, &assessment);

        let policy = rooms.policy.decide(&inspected, &assessment, None).await;
        let standing = Standing {
            inspected: &inspected,
            assessment: &assessment,
            policy: &policy,
            settling: &settling,
            grant: None,
        };
        let mut decision = judge(standing);
        let guardian = self.consult(&inspected, &decision).await;
        if let Some(evaluation) = &guardian {
            decision = with_guardian(decision, evaluation);
        }
        let mut grant = None;
        if redeem && decision.verdict == Verdict::Confirm {
            let binding = binding(&inspected, &policy);
            let warned = decision.warning.as_ref().map_or(Severity::High, |warning| warning.level);
            grant = rooms.approver.redeem(&binding, warned, inspected.now).await;
        }
        if let Some(yes) = &grant {
            // Everything once more from the rules on, with the yes in hand; it satisfies a confirm, never a denial.
            let policy = rooms.policy.decide(&inspected, &assessment, Some(yes)).await;
            decision = judge(Standing { policy: &policy, grant: Some(yes), ..standing });
        }
        let decision = without_prompt(decision, settling.mode, call.prompt);
        let took_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        Judged { inspected, assessment, decision, guardian, grant, took_us }
    }

    /// Asks the guardian where its answer can matter: delegable confirms, and with `review = "all"` every call not
    /// proved read-only. Never on a denial.
    async fn consult(&self, inspected: &Inspected, decision: &Decision) -> Option<GuardianEvaluation> {
        let delegable = decision.confirm.as_ref().is_some_and(|confirm| confirm.delegable);
        let reviewed = self.rooms.review_all && !inspected.effects.read_only;
        if decision.verdict == Verdict::Deny || !(delegable || reviewed) {
            return None;
        }
        let redacted = self.rooms.inspect.redact(inspected);
        let context = GuardianContext {
            tool_name: redacted.call.tool.to_string(),
            content: redacted.call.args_value().canonical(),
            cwd: redacted.call.cwd.clone(),
            recent_files: redacted.session.written.keys().rev().take(20).cloned().collect(),
            yolo_mode: redacted.call.mode == PermissionMode::BypassPermissions,
            can_prompt_user: redacted.call.prompt != Prompt::None
                && redacted.call.mode != PermissionMode::DontAsk,
            trusted_messages: vouched(&redacted.call),
        };
        let asked = AssertUnwindSafe(self.rooms.guardian.evaluate(&context, &redacted)).catch_unwind().await;
        Some(asked.unwrap_or_else(|_| {
            GuardianEvaluation::fault(GuardianStatus::Unavailable, "the guardian failed inside")
        }))
    }

    fn permit(&self, call: ToolCall, judged: &Judged, id: DecisionId, index: u64) -> Admission {
        let duty = OutcomeDuty::new(
            id,
            index,
            &call,
            &judged.inspected.args_digest,
            Arc::clone(&self.open),
            Arc::clone(&self.rooms.inspect),
        );
        let sealed = Sealed::new(call, judged.inspected.clone());
        Admission::Admitted(Permit::new(sealed, judged.decision.obligations.clone(), duty))
    }

    async fn ask(&self, call: &ToolCall, judged: &Judged, id: DecisionId, index: u64) -> Admission {
        let now = judged.inspected.now;
        let lapses = now.checked_add(self.rooms.ask_ttl).unwrap_or(now);
        let ask = Ask {
            id: record::new_id(),
            decision: id.as_str().to_owned(),
            binding: judged.binding(),
            confirm: judged.decision.confirm.clone().unwrap_or_default(),
            warning: judged.decision.warning.clone().unwrap_or_else(|| doorward_core::approval::Warning {
                level: Severity::High,
                message: judged.decision.reason.clone(),
            }),
            args: self.rooms.inspect.shown(&judged.inspected),
            reason: judged.decision.reason.clone(),
            expires: lapses,
        };
        // A client that shows its own dialog is the channel; everyone else answers from the queue.
        if call.prompt == Prompt::Client && ask.confirm.level <= 1 {
            self.open.asked(&id, call, &judged.inspected.args_digest, index);
            return Admission::Pending(Box::new(ask));
        }
        match self.rooms.approver.ask(&ask).await {
            Ok(()) => Admission::Pending(Box::new(ask)),
            Err(reason) => Admission::Denied(Denial {
                code: "approval.error".to_owned(),
                reason: format!("it needs a person, and the question could not be put: {reason}"),
                decision: Some(id),
                basis: judged.decision.basis,
            }),
        }
    }

    /// The decision record, its id, and the redacted `Inspected` it names by digest.
    fn record(&self, call: &ToolCall, judged: &Judged) -> (Record, DecisionId, String) {
        let redacted = self.rooms.inspect.redact(&judged.inspected.without_history());
        let kept = json::canonical_of(&redacted).unwrap_or_default();
        let inspected = json::digest(kept.as_bytes());
        let id = DecisionId(record::new_id());
        let decision = &judged.decision;
        let record = DecisionRecord {
            v: 1,
            id: id.as_str().to_owned(),
            time: Timestamp::now(),
            surface: call.surface,
            custody: call.custody,
            principal: call.principal.clone(),
            agent: call.agent.clone(),
            session: call.session.clone(),
            workflow: call.workflow.clone(),
            call: call.id.clone(),
            action: call.action.clone(),
            resource: ResourceName { kind: "tool".to_owned(), name: call.tool.to_string() },
            class: call.class(),
            args_digest: judged.inspected.args_digest.clone(),
            args: self.rooms.keep_args.then(|| bounded(redacted.call.args_value())),
            inspected,
            policy: summary(&decision.policy),
            mode: decision.mode,
            basis: decision.basis,
            risk: risk_summary(&judged.assessment),
            guardian: judged.guardian.as_ref().map(Into::into),
            user: judged.grant.as_ref().filter(|grant| grant.presence != Presence::ClientRule).map(|grant| {
                UserSummary {
                    decision: UserDecision::Allowed,
                    by: grant.by.clone(),
                    presence: Some(grant.presence),
                    level: grant.level,
                    at: grant.at,
                    approval: Some(grant.nonce.clone()),
                }
            }),
            verdict: decision.verdict,
            code: decision.code.clone(),
            reason: decision.reason.chars().take(2_000).collect(),
            obligations: decision.obligations.clone(),
            took_us: judged.took_us,
        };
        (Record::Decision(Box::new(record)), id, kept)
    }
}

impl Denial {
    /// A denial because something failed, not because something forbade it.
    #[must_use]
    pub fn fault(code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: reason.to_owned(), decision: None, basis: Basis::Finding }
    }
}

/// Entries hold at most 64 KiB; arguments beyond this stay as their digest.
const KEPT_ARGS: usize = 24 * 1024;

fn bounded(args: json::Value) -> json::Value {
    let text = args.canonical();
    if text.len() <= KEPT_ARGS {
        return args;
    }
    json::Value::Object(json::Object::from([
        ("…".to_owned(), json::Value::from(format!("{} bytes left out", text.len()))),
        ("digest".to_owned(), json::Value::from(json::digest(text.as_bytes()))),
    ]))
}

/// What the user said, where the surface can vouch for it. Only a program that embeds the gate can: it hands the
/// messages over itself, in `user_messages` of the call's context. What a hook, a server or a network caller says the
/// user said is a claim, and claims authorise nothing.
fn vouched(call: &ToolCall) -> Vec<String> {
    if call.surface != Surface::Library {
        return Vec::new();
    }
    let said = call.context.get("user_messages").and_then(json::Value::as_array);
    said.into_iter().flatten().filter_map(json::Value::as_str).map(str::to_owned).collect()
}

async fn assess(analyzers: &[Arc<dyn Analyzer>], inspected: &Inspected) -> Assessment {
    let mut by = vec![AnalyzerVerdict {
        analyzer: "effects".to_owned(),
        risk: inspected.risk,
        score: inspected.score,
        mandatory: true,
        applies: true,
        findings: inspected.findings.clone(),
        detail: String::new(),
    }];
    for analyzer in analyzers {
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

fn binding(inspected: &Inspected, policy: &PolicyDecision) -> Binding {
    let call = &inspected.call;
    let server = call.tool.mcp_parts().map(|(server, _)| server).unwrap_or_default();
    let project =
        call.roots.iter().find(|root| root.access == RootAccess::Write).map(|root| root.path.clone());
    Binding {
        caller: call.principal.id.clone(),
        session: call.session.clone(),
        project: project.unwrap_or_default(),
        cwd: call.cwd.clone(),
        server: server.to_owned(),
        tool: call.tool.to_string(),
        args_digest: inspected.args_digest.clone(),
        effects_digest: inspected.effects_digest(),
        pin_digest: String::new(),
        preview_digest: String::new(),
        policy_version: policy.bundle.clone(),
    }
}

fn refused_at_last(mut decision: Decision, finding: &Finding) -> Decision {
    decision.verdict = Verdict::Deny;
    decision.basis = Basis::Finding;
    decision.code = finding.code.to_string();
    decision.reason = format!("the final check failed: {}", finding.message);
    decision
}

fn summary(policy: &PolicyDecision) -> PolicySummary {
    PolicySummary {
        decision: policy.decision,
        code: policy.code.clone(),
        reason: policy.reason.chars().take(2_000).collect(),
        ids: policy.policies.clone(),
        bundle: policy.bundle.clone(),
        flips: policy.flips.clone(),
    }
}

fn risk_summary(assessment: &Assessment) -> RiskSummary {
    RiskSummary {
        level: assessment.risk,
        score: assessment.score,
        by: assessment
            .by
            .iter()
            .map(|verdict| RiskBy {
                analyzer: verdict.analyzer.clone(),
                risk: verdict.risk,
                score: verdict.score,
                findings: verdict.findings.iter().map(|finding| finding.code.to_string()).collect(),
            })
            .collect(),
    }
}
