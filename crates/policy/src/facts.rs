//! What a policy engine is asked: who calls which tool with which arguments, and every fact known about it.
//!
//! [`EngineRequest`] is made from an inspected call, or from bare facts (tests, `policy test`, replay). All
//! facts are ours: nothing of the caller's own context but the address and the session id reaches them.

use std::collections::{BTreeMap, BTreeSet};

use doorward_core::approval::{Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::call::{Custody, Principal, RootAccess};
use doorward_core::effect::{EffectFacts, Inspected, SandboxFacts};
use doorward_core::finding::Finding;
use doorward_core::json::{Object, Value};
use doorward_core::kept::CallFacts;
pub use doorward_core::kept::{SessionFacts, WorkflowFacts};
use doorward_core::record::DecisionRecord;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::{ToolClass, ToolName};
use jiff::Timestamp;

/// A question to a policy engine.
#[derive(Debug, Clone)]
pub struct EngineRequest {
    /// Who.
    pub principal: Principal,
    /// The verb: `tool:execute` unless the caller says otherwise.
    pub action: String,
    /// The canonical tool.
    pub tool: ToolName,
    /// The canonical arguments.
    pub args: Object,
    /// What is known about the call.
    pub facts: Facts,
    /// An approval that was presented.
    pub presented: Option<Presented>,
}

/// An approval that was presented with a call, and what an approval of this very call is bound to.
#[derive(Debug, Clone)]
pub struct Presented {
    /// The approval.
    pub grant: Grant,
    /// What it has to be bound to; `None` where a digest of the call can't be computed, which fits no approval.
    pub binding: Option<Binding>,
}

/// What is known about a call.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What it would do.
    pub effects: EffectFacts,
    /// Codes of what was found.
    pub findings: BTreeSet<String>,
    /// What each finding says, the gravest of a code first. No policy reads it: an answer tells it.
    pub sentences: BTreeMap<String, Vec<String>>,
    /// Fused risk.
    pub risk: SecurityRisk,
    /// Fused score.
    pub score: Option<u8>,
    /// Who would run it.
    pub custody: Custody,
    /// Where it would run.
    pub sandbox: SandboxFacts,
    /// The session before it.
    pub session: SessionFacts,
    /// The workflow before it.
    pub workflow: WorkflowFacts,
    /// Declared counters that could be read.
    pub count: BTreeMap<String, i64>,
    /// What the rule shorthands say.
    pub rules: RuleFacts,
    /// Our clock.
    pub now: Timestamp,
    /// The caller's address as claimed; no fact unless it is one.
    pub ip: Option<String>,
    /// The caller's other context.
    pub request: Object,
}

/// What the rule shorthands say about a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFacts {
    /// An allow rule covers it.
    pub covered: bool,
    /// Allow rules that name the form of what they allow cover it; one that names only a program doesn't count.
    pub named: bool,
    /// Allow rules name everything that is deleted, by its place or by a program that only deletes, all of it
    /// inside the roots: they settle the question about it.
    pub deletes: bool,
    /// Whether such rules could settle it, whatever they name: all that is lost is deleted inside the roots, by name.
    pub deletable: bool,
    /// `deny:0`, `ask:2`, `allow:1`: rules that match, by list and place.
    pub matched: BTreeSet<String>,
    /// What couldn't be seen of the call, where a rule may therefore match.
    pub unseen: Option<String>,
}

impl Facts {
    fn new(
        known: CallFacts,
        risk: SecurityRisk,
        score: Option<u8>,
        custody: Custody,
        rules: RuleFacts,
    ) -> Self {
        let CallFacts { effects, findings, sandbox, session, workflow, count, now, ip, request } = known;
        Self {
            effects,
            findings,
            sentences: BTreeMap::new(),
            risk,
            score,
            custody,
            sandbox,
            session,
            workflow,
            count,
            rules,
            now,
            ip,
            request,
        }
    }

    /// Nothing known but the time: no effects, risk UNKNOWN, no sandbox.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            effects: EffectFacts::default(),
            findings: BTreeSet::new(),
            sentences: BTreeMap::new(),
            risk: SecurityRisk::Unknown,
            score: None,
            custody: Custody::Advised,
            sandbox: SandboxFacts::default(),
            session: SessionFacts::default(),
            workflow: WorkflowFacts::default(),
            count: BTreeMap::new(),
            rules: RuleFacts::default(),
            now,
            ip: None,
            request: Object::new(),
        }
    }
}

impl EngineRequest {
    /// From an inspected call. `bundle` is the policy set an approval must have been given under.
    #[must_use]
    pub fn of(
        inspected: &Inspected,
        assessment: &Assessment,
        grant: Option<&Grant>,
        rules: RuleFacts,
        bundle: &str,
    ) -> Self {
        let call = &inspected.call;
        let facts = CallFacts::of(inspected, &inspected.session);
        let mut facts = Facts::new(facts, assessment.risk, assessment.score, call.custody, rules);
        facts.sentences = sentences(&inspected.findings);
        Self {
            principal: call.principal.clone(),
            action: call.action.clone(),
            tool: call.tool.clone(),
            args: call.args.clone(),
            facts,
            presented: grant
                .map(|grant| Presented { grant: grant.clone(), binding: binding(inspected, grant, bundle) }),
        }
    }

    /// From a decision record and the facts that were kept with it, for a replay under other policies. The request
    /// has the arguments that the record holds, and no grant. `None` for a tool without a proper name.
    #[must_use]
    pub fn recorded(record: &DecisionRecord, facts: CallFacts, rules: RuleFacts) -> Option<Self> {
        let args = match &record.args {
            Some(Value::Object(args)) => args.clone(),
            _ => Object::new(),
        };
        Some(Self {
            principal: record.principal.clone(),
            action: record.action.clone(),
            tool: ToolName::new(&record.resource.name).ok()?,
            args,
            facts: Facts::new(facts, record.risk.level, record.risk.score, record.custody, rules),
            presented: None,
        })
    }

    /// The class of the tool; one nobody knows counts as Execute.
    #[must_use]
    pub fn class(&self) -> ToolClass {
        self.tool.class().unwrap_or(ToolClass::Execute)
    }

    /// The grant, if everything it is bound to is the same; else the code that says what differs.
    ///
    /// # Errors
    /// `approval.args`, `.tool`, `.caller`, `.expired`, `.used`, …
    pub fn verified(&self) -> Result<Option<&Grant>, String> {
        let Some(Presented { grant, binding }) = &self.presented else { return Ok(None) };
        let Some(binding) = binding else { return Err("approval.effects".to_owned()) };
        match grant.mismatch(binding, self.facts.now) {
            None => Ok(Some(grant)),
            Some(word) => Err(format!("approval.{word}")),
        }
    }
}

fn sentences(findings: &[Finding]) -> BTreeMap<String, Vec<String>> {
    let mut gravest: Vec<&Finding> = findings.iter().collect();
    gravest.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut sentences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for finding in gravest {
        let own = sentences.entry(finding.code.to_string()).or_default();
        let sentence = finding.sentence();
        if !own.contains(&sentence) {
            own.push(sentence);
        }
    }
    sentences
}

fn binding(inspected: &Inspected, grant: &Grant, bundle: &str) -> Option<Binding> {
    let call = &inspected.call;
    let working = call.roots.iter().find(|root| root.access == RootAccess::Write);
    Some(Binding {
        caller: call.principal.id.clone(),
        session: call.session.clone(),
        project: working.map(|root| root.path.clone()).unwrap_or_default(),
        cwd: call.cwd.clone(),
        server: call.tool.mcp_parts().map(|(server, _)| server.to_owned()).unwrap_or_default(),
        tool: call.tool.to_string(),
        args_digest: inspected.args_digest.clone(),
        effects_digest: inspected.effects_digest().ok()?,
        // Pins and previews are the gateway's and the broker's to compare; neither is known here.
        pin_digest: grant.binding.pin_digest.clone(),
        preview_digest: grant.binding.preview_digest.clone(),
        policy_version: bundle.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use doorward_core::call::{Prompt, Surface};
    use doorward_core::decision::{Basis, Verdict};
    use doorward_core::finding::Finding;
    use doorward_core::id::Digest;
    use doorward_core::json::Limits;
    use doorward_core::kept::KeptCall;
    use doorward_core::record::{PolicySummary, ResourceName, RiskSummary};
    use doorward_core::session::SessionView;
    use doorward_testing::{call_of, inspected};

    use super::*;

    /// The record that the gate writes of this call.
    fn recorded(of: &Inspected) -> DecisionRecord {
        let call = &of.call;
        DecisionRecord {
            v: DecisionRecord::VERSION,
            id: "01".into(),
            time: of.now,
            surface: Surface::Library,
            custody: call.custody,
            principal: call.principal.clone(),
            agent: None,
            session: call.session.clone(),
            workflow: None,
            call: call.id.clone(),
            action: call.action.clone(),
            resource: ResourceName { kind: "tool".into(), name: call.tool.to_string() },
            class: call.class(),
            args_digest: Some(of.args_digest.clone()),
            args: Some(call.args_value()),
            inspected: Digest::of(b""),
            sandbox: None,
            policy: PolicySummary {
                decision: None,
                code: String::new(),
                reason: String::new(),
                ids: Vec::new(),
                bundle: String::new(),
                flips: Vec::new(),
            },
            mode: call.mode,
            basis: Basis::Rule,
            risk: RiskSummary { level: of.risk, score: of.score, by: Vec::new() },
            guardian: None,
            user: None,
            verdict: Verdict::Deny,
            code: String::new(),
            reason: String::new(),
            marks: vec![],
            obligations: Vec::new(),
            took_us: 0,
        }
    }

    #[test]
    fn a_recorded_call_asks_the_engine_what_the_call_itself_asked() {
        let mut call = call_of("file:write", "path", "/w/a", "/w", Prompt::Queue);
        call.context = Object::from([
            ("ip_address".to_owned(), "10.0.0.1".into()),
            ("session_id".to_owned(), "claimed".into()),
            ("empty".to_owned(), "".into()),
            ("ticket".to_owned(), "T-1".into()),
        ]);
        let mut call = inspected(call, vec![Finding::new("shell.test", "found")], SecurityRisk::Medium);
        call.effects.env_reads.insert("PATH".to_owned());
        call.sandbox.wall_s = Some(30);
        let session = SessionView {
            turn: 4,
            taints: BTreeSet::from(["secret_read".to_owned()]),
            counters: BTreeMap::from([("pushes".to_owned(), 0)]),
            workflow_agents: 3,
            ..SessionView::default()
        };
        call.session = Arc::new(session);
        let assessment = Assessment { risk: call.risk, score: call.score, by: Vec::new() };
        let mut then = EngineRequest::of(&call, &assessment, None, RuleFacts::default(), "bundle");
        // What is told and no policy reads isn't kept.
        then.facts.sentences.clear();

        // What is kept of the session is in the facts alone.
        let redacted = Inspected { session: Arc::default(), ..call.clone() };
        let kept = KeptCall::new(redacted, &call.session).to_bytes().unwrap();
        let canonical = Value::parse_bytes(&kept, Limits::default()).unwrap().canonical();
        assert_eq!(canonical.as_bytes(), kept);
        assert_eq!(KeptCall::read_inspected(&kept).unwrap().call, call.call);
        let facts = CallFacts::read(&kept).unwrap();
        let again = EngineRequest::recorded(&recorded(&call), facts, RuleFacts::default()).unwrap();
        assert_eq!(format!("{again:?}"), format!("{then:?}"));
    }
}
