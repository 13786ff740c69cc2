//! Rows of policy tests (the format of `policy test`): a policy set, a request, and the expected verdict.
//!
//! A row of level `engine` contains its facts and is decided here. A row of level `whole` needs Doorward's full
//! analysis: the caller supplies a function that judges the request under the row's policies.

use std::collections::BTreeMap;

use doorward_core::approval::{Binding, Grant, Presence, Reach};
use doorward_core::decision::{PolicyDecision, Verdict};
use doorward_core::id::SessionId;
use doorward_core::json::Value;
use doorward_core::risk::SecurityRisk;
use doorward_hooks::clients::ClientMode;
use doorward_settings::OnNoMatch;
use jiff::Timestamp;
use serde::Deserialize;

use crate::cedar::{Compiled, LoadError, Source};
use crate::facts::{EngineRequest, Facts, Presented, WorkflowFacts};
use crate::packs::Pack;
use crate::request::SeedRequest;
use crate::shorthand::RuleSources;

/// A row as written.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// Its group.
    #[serde(default)]
    pub group: String,
    /// `engine` or `whole`.
    #[serde(default = "engine")]
    pub level: String,
    /// Cedar text, `{"rules": …}` or `{"pack": …}`.
    pub policies: serde_json::Value,
    /// The request as JSON.
    #[serde(default)]
    pub request: Option<Value>,
    /// The request as raw text, if its spelling matters.
    #[serde(default)]
    pub request_text: Option<String>,
    /// Facts, for level `engine`.
    #[serde(default)]
    pub facts: Option<RowFacts>,
    /// An approval to present.
    #[serde(default)]
    pub approval: Option<RowApproval>,
    /// Further known tool names.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Permission mode.
    #[serde(default, deserialize_with = "claimed")]
    pub mode: Option<ClientMode>,
    /// Names that the row's resolver knows, with addresses.
    #[serde(default)]
    pub dns: BTreeMap<String, Vec<String>>,
    /// Expected verdict.
    pub expect: String,
    /// Expected code.
    #[serde(default)]
    pub expect_code: Option<String>,
    /// Whether a stricter verdict passes too.
    #[serde(default)]
    pub at_least: bool,
    /// Text that the reason must contain.
    #[serde(default)]
    pub expect_reason_contains: Option<String>,
    /// Expected obligations, in any order.
    #[serde(default)]
    pub obligations: Option<Vec<serde_json::Value>>,
    /// Expected kinds of confirmation, as annotated.
    #[serde(default)]
    pub confirm: Option<Vec<String>>,
    /// `security_warning.level`
    #[serde(default)]
    pub warning: Option<String>,
    /// Expected number of flips of trial policies.
    #[serde(default)]
    pub flips: Option<usize>,
    /// Expected deciding policies.
    #[serde(default)]
    pub determining: Option<Vec<String>>,
    /// Expected permits that nearly applied.
    #[serde(default)]
    pub nearest: Option<Vec<String>>,
    /// Expected warnings of the load.
    #[serde(default)]
    pub lint: Option<Vec<String>>,
}

fn claimed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<ClientMode>, D::Error> {
    let Some(word) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let unknown = |known| serde::de::Error::custom(format!("unknown mode {word}: it is {known}"));
    ClientMode::claimed(&word).map(Some).map_err(unknown)
}

fn engine() -> String {
    "engine".to_owned()
}

/// Facts of a row. Missing ones are empty, false or absent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RowFacts {
    effects: doorward_core::effect::EffectFacts,
    session: RowSession,
    workflow: RowWorkflow,
    count: BTreeMap<String, i64>,
    risk: Option<RowRisk>,
    /// Sandbox facts; the only facts that a `whole` row may give.
    pub sandbox: doorward_core::effect::SandboxFacts,
    now: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RowSession {
    id: String,
    turn: i64,
    calls: i64,
    denials: i64,
    minutes: i64,
    taints: std::collections::BTreeSet<String>,
    flows: std::collections::BTreeSet<String>,
    intent: i64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RowWorkflow {
    id: String,
    agents: i64,
    taints: std::collections::BTreeSet<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowRisk {
    level: SecurityRisk,
    #[serde(default)]
    known: Option<bool>,
    #[serde(default)]
    score: Option<u8>,
}

/// An approval in a row.
#[derive(Debug, Clone, Deserialize)]
pub struct RowApproval {
    /// Its level.
    pub level: u8,
    /// Who gave it.
    pub by: String,
    /// Their groups.
    #[serde(default)]
    pub by_groups: Vec<String>,
    /// The arguments it was given for.
    pub args: Value,
    /// Its exclusive end.
    pub expires: String,
    /// Uses left.
    #[serde(default)]
    pub uses_left: Option<u32>,
    /// The tool it was given to, if another.
    #[serde(default)]
    pub tool: Option<String>,
    /// The caller it was given to, if another.
    #[serde(default)]
    pub caller: Option<String>,
}

/// Result of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowResult {
    /// The row.
    pub id: String,
    /// Differences from the expectation; empty if the row passed.
    pub failures: Vec<String>,
    /// The decision.
    pub decision: PolicyDecision,
}

impl RowResult {
    /// Whether the row passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// The default time of a row.
const NOON: &str = "2026-11-21T12:00:00Z";

/// Runs a row. `whole` judges rows of level `whole`: it gets the row, its compiled policies and the validated
/// request, and returns the final decision.
pub fn run_row(
    row: &Row,
    whole: &mut dyn FnMut(&Row, &Compiled, &SeedRequest) -> PolicyDecision,
) -> RowResult {
    let (decision, compiled) = answer(row, whole);
    let failures = compare(row, &decision, compiled.as_ref());
    RowResult { id: row.id.clone(), failures, decision }
}

/// Compiles a row's policies, with its `on_no_match`.
///
/// # Errors
/// [`LoadError`] if the row expects `policy.load`, or is broken.
pub fn compile(row: &Row) -> Result<Compiled, LoadError> {
    if let Some(text) = row.policies.as_str() {
        return Compiled::load(&[Source::new("row", text)], &RuleSources::default(), OnNoMatch::Deny);
    }
    if let Some(pack) = row.policies.get("pack").and_then(serde_json::Value::as_str).and_then(Pack::named) {
        let rules = RuleSources { rules: pack.rules(), home: None };
        return Compiled::load(&[pack.source()], &rules, pack.on_no_match.unwrap_or(OnNoMatch::Deny));
    }
    let list = |name: &str| -> Vec<&str> {
        let items = row.policies.get("rules").and_then(|rules| rules.get(name)?.as_array());
        items.into_iter().flatten().filter_map(serde_json::Value::as_str).collect()
    };
    let mut rules = RuleSources::lists(&list("allow"), &list("ask"), &list("deny"));
    rules.home = Some("/home/user".to_owned());
    Compiled::load(&[], &rules, OnNoMatch::Mode)
}

fn answer(
    row: &Row,
    whole: &mut dyn FnMut(&Row, &Compiled, &SeedRequest) -> PolicyDecision,
) -> (PolicyDecision, Option<Compiled>) {
    let read = match (&row.request_text, &row.request) {
        (Some(text), _) => SeedRequest::parse(text.as_bytes(), &row.tools),
        (None, Some(value)) => SeedRequest::of(value, &row.tools),
        (None, None) => return (PolicyDecision::deny("request.invalid", "the row has no request"), None),
    };
    let request = match read {
        Ok(request) => request,
        Err(refused) => return (PolicyDecision::deny(refused.code, refused.message), None),
    };
    let compiled = match compile(row) {
        Ok(compiled) => compiled,
        Err(error) => return (PolicyDecision::deny("policy.load", error.to_string()), None),
    };
    if row.level == "whole" {
        let decision = whole(row, &compiled, &request);
        return (decision, Some(compiled));
    }
    match engine_request(row, &request, compiled.identity()) {
        Ok(request) => {
            let decision = compiled.decide(&request);
            (decision, Some(compiled))
        }
        Err(why) => (PolicyDecision::deny("request.invalid", why), Some(compiled)),
    }
}

/// The request of a row of level `engine`, with its facts.
///
/// # Errors
/// If a time in the row is invalid.
pub fn engine_request(row: &Row, request: &SeedRequest, bundle: &str) -> Result<EngineRequest, String> {
    let given = row.facts.clone().unwrap_or_default();
    let now = time(given.now.as_deref().unwrap_or(NOON))?;
    let mut facts = Facts::at(now);
    facts.effects = given.effects;
    facts.sandbox = given.sandbox;
    facts.count = given.count;
    facts.session = crate::facts::SessionFacts {
        id: given.session.id.into(),
        turn: given.session.turn,
        calls: given.session.calls,
        denials: given.session.denials,
        minutes: given.session.minutes,
        taints: given.session.taints,
        flows: given.session.flows,
        intent: given.session.intent,
    };
    facts.workflow =
        WorkflowFacts { id: given.workflow.id, agents: given.workflow.agents, taints: given.workflow.taints };
    if let Some(risk) = given.risk.filter(|risk| risk.known != Some(false)) {
        facts.risk = risk.level;
        facts.score = risk.score;
    }
    facts.ip.clone_from(&request.ip);
    facts.request.clone_from(&request.context);
    let args_digest = Value::Object(request.args.clone()).digest();
    let binding = Binding {
        caller: request.principal.id.clone(),
        session: SessionId::default(),
        project: String::new(),
        cwd: String::new(),
        server: String::new(),
        tool: request.tool.to_string(),
        effects_digest: args_digest.clone(),
        pin_digest: None,
        preview_digest: args_digest.clone(),
        args_digest,
        policy_version: bundle.to_owned(),
    };
    let presented = match &row.approval {
        None => None,
        Some(approval) => {
            let grant = Grant {
                nonce: row.id.clone(),
                binding: Binding {
                    caller: approval.caller.clone().unwrap_or_else(|| binding.caller.clone()),
                    tool: approval.tool.clone().unwrap_or_else(|| binding.tool.clone()),
                    args_digest: approval.args.digest(),
                    ..binding.clone()
                },
                level: approval.level,
                by: approval.by.clone(),
                by_groups: approval.by_groups.clone(),
                presence: Presence::Passphrase,
                at: now,
                expires: time(&approval.expires)?,
                reach: Reach::Once,
                uses_left: approval.uses_left,
            };
            Some(Presented { grant, binding: Some(binding) })
        }
    };
    Ok(EngineRequest {
        principal: request.principal.clone(),
        action: request.action.clone(),
        tool: request.tool.clone(),
        args: request.args.clone(),
        facts,
        presented,
    })
}

fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("`{text}` isn't a time"))
}

fn compare(row: &Row, decision: &PolicyDecision, compiled: Option<&Compiled>) -> Vec<String> {
    let mut failures = Vec::new();
    let mut check = |what: &str, expected: String, got: String| {
        if expected != got {
            failures.push(format!("{what}: expected {expected}, got {got}"));
        }
    };
    let rank = |word: &str| {
        [Verdict::Allow, Verdict::Confirm, Verdict::Deny].iter().position(|v| v.as_str() == word)
    };
    let got = decision.decision.as_str();
    let stricter = row.at_least && rank(got) > rank(&row.expect);
    if !stricter {
        check("verdict", row.expect.clone(), got.to_owned());
        if let Some(code) = &row.expect_code {
            check("code", code.clone(), decision.code.clone());
        }
    }
    if let Some(part) = &row.expect_reason_contains
        && !decision.reason.contains(part.as_str())
    {
        check("reason", format!("… {part} …"), decision.reason.clone());
    }
    if let Some(expected) = &row.obligations {
        let got = decision.obligations.iter().filter_map(|one| serde_json::to_value(one).ok());
        check("obligations", sorted(expected.iter().cloned()), sorted(got));
    }
    if let Some(expected) = &row.determining {
        check("determining", sorted(expected.iter()), sorted(decision.policies.iter()));
    }
    if let (Some(expected), Some(compiled)) = (&row.confirm, compiled) {
        check("confirm", sorted(expected.iter()), sorted(compiled.confirm_kinds(decision).iter()));
    }
    if let Some(expected) = &row.warning {
        let got = decision.severity.map_or("none", doorward_core::finding::Severity::as_str);
        check("warning", expected.clone(), got.to_owned());
    }
    if let Some(expected) = row.flips {
        check("flips", expected.to_string(), usize::from(!decision.flips.is_empty()).to_string());
    }
    if let Some(expected) = &row.nearest {
        for id in expected {
            if !decision.nearest.iter().any(|near| near.policy == *id) {
                check("nearest", id.clone(), format!("{:?}", decision.nearest));
            }
        }
    }
    if let (Some(expected), Some(compiled)) = (&row.lint, compiled) {
        for code in expected {
            if !compiled.lints().iter().any(|lint| lint.code == code) {
                check("lint", code.clone(), format!("{:?}", compiled.lints()));
            }
        }
    }
    failures
}

fn sorted<T: serde::Serialize>(items: impl Iterator<Item = T>) -> String {
    let mut all: Vec<String> =
        items.filter_map(|item| doorward_core::json::canonical_of(&item).ok()).collect();
    all.sort();
    all.join(" ")
}
