//! The request to a policy engine: principal, tool, arguments, and all facts about the call.
//!
//! [`EngineRequest`] is made from an inspected call, or from bare facts (tests, `policy test`, replay). Doorward
//! establishes all facts itself; from the caller's own context they take only the address and the session id.

use std::collections::{BTreeMap, BTreeSet};

use doorward_core::approval::{Binding, Grant};
use doorward_core::assessment::Assessment;
use doorward_core::call::{Custody, Principal, RootAccess};
use doorward_core::effect::{EffectFacts, Inspected, SandboxFacts};
use doorward_core::finding::Finding;
use doorward_core::json::Object;
use doorward_core::kept::CallFacts;
pub use doorward_core::kept::{SessionFacts, WorkflowFacts};
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::{ToolClass, ToolName};
use jiff::Timestamp;

/// A request to a policy engine.
#[derive(Debug, Clone)]
pub struct EngineRequest {
    /// Who makes the call.
    pub principal: Principal,
    /// The verb: `tool:execute` unless the caller says otherwise.
    pub action: String,
    /// The canonical tool.
    pub tool: ToolName,
    /// The canonical arguments.
    pub args: Object,
    /// Facts about the call.
    pub facts: Facts,
    /// An approval presented with the call.
    pub presented: Option<Presented>,
}

/// An approval presented with a call, and the binding that this call requires.
#[derive(Debug, Clone)]
pub struct Presented {
    /// The approval.
    pub grant: Grant,
    /// The required binding; `None` if a digest of the call can't be computed, so that no approval fits.
    pub binding: Option<Binding>,
}

/// Facts about a call.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Its effects.
    pub effects: EffectFacts,
    /// Codes of its findings.
    pub findings: BTreeSet<String>,
    /// Messages by finding code, gravest first. For explanations only; policies can't read them.
    pub sentences: BTreeMap<String, Vec<String>>,
    /// Fused risk.
    pub risk: SecurityRisk,
    /// Fused score.
    pub score: Option<u8>,
    /// Who would execute it.
    pub custody: Custody,
    /// The sandbox it would run in.
    pub sandbox: SandboxFacts,
    /// The session before the call.
    pub session: SessionFacts,
    /// The workflow before the call.
    pub workflow: WorkflowFacts,
    /// The declared counters that could be read.
    pub count: BTreeMap<String, i64>,
    /// Results of the shorthand rules.
    pub rules: RuleFacts,
    /// Doorward's clock.
    pub now: Timestamp,
    /// The caller's claimed address; left out of the facts if it isn't a valid one.
    pub ip: Option<String>,
    /// The rest of the caller's context.
    pub request: Object,
}

/// Results of the shorthand rules for a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFacts {
    /// Whether allow rules cover it.
    pub covered: bool,
    /// Whether it is covered by allow rules that name a form of the command; rules that name only a program don't
    /// count.
    pub named: bool,
    /// Whether allow rules settle the question about its deletes: every deleted path is inside the roots and named by
    /// a rule, directly or by a program that only deletes.
    pub deletes: bool,
    /// Whether such rules could settle it, whatever they name: all that is lost is deleted inside the roots, by name.
    pub deletable: bool,
    /// `deny:0`, `ask:2`, `allow:1`: rules that match, by list and place.
    pub matched: BTreeSet<String>,
    /// Description of the part that can't be analysed, if a rule could match it.
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

    /// Only the time is known: no effects, risk UNKNOWN, no sandbox.
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
    /// From an inspected call. `bundle`: the policy set under which an approval must have been given.
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

    /// The class of the tool; an unknown tool counts as Execute.
    #[must_use]
    pub fn class(&self) -> ToolClass {
        self.tool.class().unwrap_or(ToolClass::Execute)
    }

    /// The grant, if its whole binding matches; else the code of the first difference.
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
        // The gateway compares pins and the broker previews; neither is known here.
        pin_digest: grant.binding.pin_digest.clone(),
        preview_digest: grant.binding.preview_digest.clone(),
        policy_version: bundle.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use doorward_core::call::Prompt;
    use doorward_core::finding::Finding;
    use doorward_core::json::{Limits, Value};
    use doorward_core::kept::KeptCall;
    use doorward_core::session::SessionView;
    use doorward_testing::{call_of, inspected};

    use super::*;

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
        // Messages aren't stored, because no policy reads them.
        then.facts.sentences.clear();

        // Of the session, only the facts are stored.
        let redacted = Inspected { session: Arc::default(), ..call.clone() };
        let kept = KeptCall::new(redacted, &call.session).to_bytes().unwrap();
        let canonical = Value::parse_bytes(&kept, Limits::default()).unwrap().canonical();
        assert_eq!(canonical.as_bytes(), kept);
        assert_eq!(KeptCall::read_inspected(&kept).unwrap().call, call.call);
        let facts = CallFacts::read(&kept).unwrap();
        let again = Facts::new(facts, call.risk, call.score, call.call.custody, RuleFacts::default());
        assert_eq!(format!("{again:?}"), format!("{:?}", then.facts));
    }
}
