//! The seed contract: a request in, a decision out, and the same simulated for `check` and batches.

use std::sync::Arc;
use std::time::Instant;

use doorward_core::approval::Binding;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Prompt, Root, RootAccess, Surface, ToolCall, Workplace,
};
use doorward_core::decision::{Obligation, Verdict};
use doorward_core::effect::SandboxFacts;
use doorward_core::finding::Finding;
use doorward_core::id::DecisionId;
use doorward_core::json::Value;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::{CanonicalTool, Client};
use doorward_gate::{Admission, Case, Pending};
use doorward_hooks::clients::ClientMode;
use doorward_mcp::schema::Prepared;
use doorward_policy::request::{RefusedRequest, SeedRequest};
use doorward_settings::{OnNoMatch, Settings};
use serde::Serialize;
use serde_json::json;

use crate::entrance::{Entrance, only_root};
use crate::layers::has_settings;
use crate::project::Project;
use crate::{Door, mcp};
pub use batch::batch_line;

/// How far the caller's word goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// A local caller of the same user: `cwd`, `roots` and `mode` are taken from the request's context.
    Local,
    /// Anyone else: they are not.
    Network,
}

/// The contract's answer.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// ALLOW, DENY or REQUIRE_USER_CONFIRMATION.
    pub decision: Verdict,
    /// Why.
    pub reason: String,
    /// What is owed.
    pub obligations: Vec<Obligation>,
    /// Stable code of what decided.
    pub code: String,
    /// Policies that decided.
    pub policies: Vec<String>,
    /// The confirmation event, where a person decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<serde_json::Value>,
    /// The record, where one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<DecisionId>,
    /// What the request said and this way in doesn't take.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Response {
    /// As JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Decides and records a request. The answer is advice to the caller, who carries it out: custody is `advised`.
///
/// # Errors
/// [`RefusedRequest`] for what is no request (HTTP 400).
pub async fn decide(door: &Arc<Door>, trust: Trust, body: &[u8]) -> Result<Response, RefusedRequest> {
    decide_with(door, trust, Defaults::SERVICE, body).await
}

/// As [`decide`], for the program that embeds the gate: its word on `cwd`, `roots` and `mode` is taken, and it meets
/// each obligation of an allowed call or reports the call as refused.
///
/// # Errors
/// As [`decide`].
pub async fn decide_embedded(door: &Arc<Door>, body: &[u8]) -> Result<Response, RefusedRequest> {
    decide_with(door, Trust::Local, Defaults::LIBRARY, body).await
}

async fn decide_with(
    door: &Arc<Door>,
    trust: Trust,
    defaults: Defaults,
    body: &[u8],
) -> Result<Response, RefusedRequest> {
    let request = SeedRequest::parse(body, &[])?;
    claims(&request, trust)?;
    let project = project_of(door, &request, trust);
    let mut call = call_of(door, &project, &request, trust, defaults).await;
    if trust == Trust::Network {
        refuse_files_without_roots(&mut call);
    }
    let notes = not_taken(&request, trust);
    let tool_name = call.tool.to_string();
    let admission = project.admit(call).await;
    let decided = admission.case().map(|case| case.decision().clone());
    let (policies, obligations, code) = decided
        .map(|decision| (decision.policy.policies, decision.obligations, decision.code))
        .unwrap_or_default();
    let of = |decision, reason: String, code: String, record_id| Response {
        decision,
        reason,
        obligations,
        code,
        policies,
        confirmation: None,
        record_id,
        notes,
    };
    Ok(match admission {
        Admission::Admitted(permit) => {
            let reason = permit.case().decision().reason.clone();
            let record_id = permit.hand_over();
            of(Verdict::Allow, reason, code, Some(record_id))
        }
        Admission::Denied(denial) => {
            let record_id = denial.decision;
            of(Verdict::Deny, denial.reason, denial.code, record_id)
        }
        Admission::Pending(Pending { ask, .. }) => {
            let confirmation = json!({
                "toolName": tool_name,
                "args": serde_json::Value::from(&ask.args),
                "confirmationId": ask.id,
                "security_warning": {"level": ask.warning.level.as_str(), "message": ask.warning.message},
                "level": ask.confirm.level,
                "phrase": ask.confirm.phrase,
                "expires": ask.expires,
            });
            let response = of(Verdict::Confirm, ask.reason, code, Some(ask.decision));
            Response { confirmation: Some(confirmation), ..response }
        }
    })
}

/// A question about a tool from another contract, as a call.
#[derive(Debug, Clone)]
pub struct Question {
    /// The call.
    pub call: ToolCall,
    /// What the question said and isn't taken, and what was assumed in its place.
    pub notes: Vec<String>,
}

impl Question {
    /// As a network caller asks it, with people asked or not. Its calls are judged in the roots that `paths.callers`
    /// gives it; without any as in `/workspace`, where it may act, and in the configured roots.
    pub async fn of(door: &Door, request: &SeedRequest, prompt: Prompt) -> Self {
        let project = project_of(door, request, Trust::Network);
        let mut call = call_of(door, &project, request, Trust::Network, Defaults::SERVICE).await;
        let mut notes = not_taken(request, Trust::Network);
        let caller = &request.principal.id;
        if project.settings().paths.of_caller(caller).is_none() {
            call.cwd = Defaults::CHECK.cwd.to_owned();
            call.roots = project.roots(std::path::Path::new(&call.cwd));
            notes.push(format!(
                "{caller} has no roots, so paths are judged as in {}: [paths.callers] gives it some",
                call.cwd
            ));
        }
        call.prompt = prompt;
        Self { call, notes }
    }
}

/// What a caller over the network says of itself in vain.
fn not_taken(request: &SeedRequest, trust: Trust) -> Vec<String> {
    let said = |(name, key): &(&str, &str)| {
        let is_said = trust == Trust::Network && request.context.contains_key(*name);
        is_said.then(|| format!("context.{name} isn't taken from a caller over the network; {key} says it"))
    };
    [("cwd", "paths.callers"), ("roots", "paths.callers"), ("mode", "modes.default")]
        .iter()
        .filter_map(said)
        .collect()
}

/// Takes a question through the gate: decided, recorded, and put to people where it says so.
pub async fn admit(door: &Arc<Door>, question: Question) -> Admission {
    door.project_for(None, OnNoMatch::Deny).admit(question.call).await
}

/// What a yes to an admitted question would be bound to.
#[must_use]
pub fn binding_of(door: &Arc<Door>, case: &Case) -> Option<Binding> {
    door.project_for(None, OnNoMatch::Deny).judge().binding_of(case).ok()
}

/// Judges a question without a record. Never an authority.
pub async fn weigh(door: &Arc<Door>, question: Question) -> Verdict {
    let session = door.sessions().look(&question.call);
    let project = door.project_for(None, OnNoMatch::Deny);
    let judged = project.judge().simulate(question.call, session).await;
    judged.map_or(Verdict::Deny, |judged| judged.verdict())
}

/// A call judged without a record.
#[derive(Debug)]
pub struct Simulated {
    judged: Case,
    micros: u64,
}

/// Judges a request without recording it, as the gate would for a trusted local caller.
///
/// # Errors
/// [`RefusedRequest`].
pub async fn simulate(door: &Arc<Door>, body: &[u8]) -> Result<Simulated, RefusedRequest> {
    simulate_request(door, &SeedRequest::parse(body, &[])?, None).await
}

/// The rooms of the project that a trusted caller says it is in; any other is in none.
fn project_of(door: &Door, request: &SeedRequest, trust: Trust) -> Arc<Project> {
    if trust == Trust::Network {
        return door.project_for(None, OnNoMatch::Deny);
    }
    let roots = request.context.get("roots").and_then(Value::as_array).into_iter().flatten();
    let roots = roots.filter_map(Value::as_str).map(Root::parse);
    let root = roots.into_iter().find(|root| root.access == RootAccess::Write).map(|root| root.path);
    let cwd = || request.context.get("cwd").and_then(Value::as_str).map(str::to_owned);
    let root = root.or_else(cwd).map(std::path::PathBuf::from);
    door.project(root.as_deref().filter(|root| has_settings(root)))
}

async fn simulate_request(
    door: &Arc<Door>,
    request: &SeedRequest,
    files: Option<batch::Files>,
) -> Result<Simulated, RefusedRequest> {
    let started = Instant::now();
    claims(request, Trust::Local)?;
    let project = project_of(door, request, Trust::Local);
    let call = call_of(door, &project, request, Trust::Local, Defaults::CHECK).await;
    let judge = match files {
        Some(files) => project.with_files(door.projects().shared(), &call.cwd, files),
        None => project.judge().clone(),
    };
    let session = door.sessions().look(&call);
    let judged = judge
        .simulate(call, session)
        .await
        .map_err(|denial| RefusedRequest { code: "internal.panic", message: denial.reason })?;
    let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Simulated { judged: judged.into_case(), micros })
}

/// What stands in for what a request doesn't say.
struct Defaults {
    cwd: &'static str,
    outside: OutsideRoots,
    surface: Surface,
}

impl Defaults {
    const SERVICE: Self = Self { cwd: "/", outside: OutsideRoots::Strict, surface: Surface::Http };
    const LIBRARY: Self = Self { surface: Surface::Library, ..Self::SERVICE };
    const CHECK: Self = Self { cwd: "/workspace", outside: OutsideRoots::Ask, surface: Surface::Cli };
}

/// Whether what a trusted caller says of its place and its mode can be taken at its word. A word that nobody knows
/// isn't read as the default.
fn claims(request: &SeedRequest, trust: Trust) -> Result<(), RefusedRequest> {
    let claimed = |name: &str| {
        request.context.get(name).filter(|value| trust == Trust::Local && **value != Value::Null)
    };
    let refuse = |message: String| Err(RefusedRequest { code: "request.invalid", message });
    if let Some(mode) = claimed("mode")
        && let Err(known) = ClientMode::claimed(mode.as_str().unwrap_or_default())
    {
        return refuse(format!("context.mode is {known}: {}", mode.canonical()));
    }
    if let Some(cwd) = claimed("cwd")
        && !cwd.as_str().is_some_and(|cwd| cwd.starts_with('/'))
    {
        return refuse(format!("context.cwd is an absolute path: {}", cwd.canonical()));
    }
    let is_list = |roots: &Value| {
        roots.as_array().is_some_and(|roots| roots.iter().all(|root| root.as_str().is_some()))
    };
    if let Some(roots) = claimed("roots")
        && !is_list(roots)
    {
        return refuse(format!("context.roots is a list of paths: {}", roots.canonical()));
    }
    Ok(())
}

/// The request as a call under a project's settings, held to the schema of the MCP server that it names, too.
async fn call_of(
    door: &Door,
    project: &Project,
    request: &SeedRequest,
    trust: Trust,
    defaults: Defaults,
) -> ToolCall {
    let settings = project.settings();
    let local = |key: &str| (trust == Trust::Local).then(|| request.context.get(key)).flatten();
    // Where a network caller may act is what the settings say, never what it says itself.
    let assigned = settings.paths.of_caller(&request.principal.id).filter(|_| trust == Trust::Network);
    let assigned: Option<Vec<Root>> =
        assigned.map(|roots| roots.iter().map(|root| Root::parse(root)).collect());
    let home = assigned.iter().flatten().find(|root| root.access == RootAccess::Write);
    let cwd = home.map_or(defaults.cwd, |root| root.path.as_str());
    let cwd = local("cwd").and_then(Value::as_str).unwrap_or(cwd).to_owned();
    let roots: Vec<Root> = match local("roots").and_then(Value::as_array) {
        Some(roots) => roots.iter().filter_map(Value::as_str).map(Root::parse).collect(),
        None if trust == Trust::Local => vec![Root::parse(&cwd)],
        None => assigned.unwrap_or_default(),
    };
    let place = Workplace { cwd, roots, outside: defaults.outside };
    let asked = defaults.surface == Surface::Cli || door.approvals().asks();
    let prompt = if asked { Prompt::Queue } else { Prompt::None };
    let mode = local("mode").and_then(Value::as_str).and_then(|word| ClientMode::claimed(word).ok());
    let settled = |entrance: Entrance| entrance.settled(mode, prompt);
    let mut call = entered(request, defaults.surface, place, settled, settings);
    mcp::hold_to_pinned_schema(door, &mut call).await;
    call
}

/// A request as a call in an empty workspace, for whole-way tests.
pub(crate) fn call_in_workspace(
    request: &SeedRequest,
    mode: ClientMode,
    root: &std::path::Path,
    settings: &Settings,
) -> ToolCall {
    let place = only_root(&root.display().to_string());
    let settled = |entrance: Entrance| entrance.settled(Some(mode), Prompt::Queue);
    entered(request, Surface::Cli, place, settled, settings)
}

/// A request of the contract as it enters at this place.
fn entered(
    request: &SeedRequest,
    surface: Surface,
    place: Workplace,
    settled: impl FnOnce(Entrance) -> Entrance,
    settings: &Settings,
) -> ToolCall {
    let text = |key: &str| request.context.get(key).and_then(Value::as_str);
    let caller = Caller {
        principal: request.principal.clone(),
        // The request's reader takes `session_id` out of the context.
        session: request.session.clone().unwrap_or_else(doorward_core::id::fresh).into(),
        client: text("client").and_then(Client::from_word).unwrap_or_default(),
        surface,
        custody: Custody::Advised,
    };
    let mut entrance = Entrance::new(caller, request.tool.clone(), request.args.clone(), place);
    entrance.schema =
        request.schema.clone().map(|schema| Arc::new(Prepared::of((&Value::Object(schema)).into())));
    entrance.context.clone_from(&request.context);
    // Engines and records see the address with the rest; the reader of requests took it out.
    entrance.context.extend(request.ip.iter().map(|ip| ("ip_address".to_owned(), Value::from(ip.as_str()))));
    let mut call = settled(entrance).call(settings);
    if let Some(id) = text("call_id") {
        call.id = id.to_owned().into();
    }
    call.vouched = settings.obligations.of(&call.principal.id);
    call.sandbox = request.sandbox.clone().map(|bounds| Box::new(SandboxFacts::declared(bounds)));
    call.agent = text("agent").map(str::to_owned);
    call.workflow = text("workflow").map(str::to_owned);
    call.action.clone_from(&request.action);
    call
}

/// A caller over the network that the settings give no roots names files nowhere: a call of a file tool is denied, with
/// the line that would give it some.
fn refuse_files_without_roots(call: &mut ToolCall) {
    if !call.roots.is_empty() || !call.tool.canonical().is_some_and(CanonicalTool::is_of_files) {
        return;
    }
    let caller = serde_json::Value::from(call.principal.id.as_str());
    let message = format!("{caller} has no roots, so it may use no file");
    let line = format!("give it some in doorward.toml: [paths.callers] {caller} = [\"/absolute/folder\"]");
    let finding = Finding { floor: true, blocking: true, ..Finding::new("path.no_roots", message) };
    call.found.push(finding.suggest(line));
}

impl Simulated {
    /// The answer.
    pub fn verdict(&self) -> Verdict {
        self.judged.decision().verdict
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.judged.decision().reason
    }

    /// What decided.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.judged.decision().code
    }

    /// Fused risk.
    #[must_use]
    pub fn risk(&self) -> SecurityRisk {
        self.judged.assessment().risk
    }

    /// Fused score.
    #[must_use]
    pub fn score(&self) -> Option<u8> {
        self.judged.assessment().score
    }

    /// What was found.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.judged.inspected().findings
    }

    /// Policies that decided.
    #[must_use]
    pub fn policies(&self) -> &[String] {
        &self.judged.decision().policy.policies
    }

    /// Everything that was found out.
    #[must_use]
    pub const fn judged(&self) -> &Case {
        &self.judged
    }

    /// The effects in words, one a line.
    #[must_use]
    pub fn effect_lines(&self) -> Vec<String> {
        let facts = self.judged.inspected().effects.facts();
        let listed = [
            ("runs", facts.executes),
            ("reads", facts.reads),
            ("writes", facts.writes),
            ("deletes", facts.deletes),
            ("contacts", facts.hosts),
            ("reads variables", facts.env_reads),
            ("installs", facts.installs),
            ("not understood", facts.unknown),
        ];
        listed
            .into_iter()
            .filter(|(_, items)| !items.is_empty())
            .map(|(word, items)| format!("{word} {}", items.into_iter().collect::<Vec<_>>().join(", ")))
            .collect()
    }

    /// The command with its effects under the words, for shell calls.
    #[must_use]
    pub fn explain(&self, colour: bool) -> Option<String> {
        let inspected = self.judged.inspected();
        let command =
            inspected.call.arg("command").filter(|_| inspected.call.tool == CanonicalTool::Shell)?;
        Some(doorward_shell::explain(command, &self.labels(), colour))
    }

    /// As `check --json` prints it.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let (decision, inspected, assessment) =
            (self.judged.decision(), self.judged.inspected(), self.judged.assessment());
        json!({
            "decision": decision.verdict,
            "reason": decision.reason,
            "code": decision.code,
            "basis": decision.basis,
            "risk": assessment.risk,
            "score": assessment.score,
            "findings": inspected.findings,
            "effects": inspected.effects.facts(),
            "policies": decision.policy.policies,
            "obligations": decision.obligations,
            "confirm": decision.confirm,
            "security_warning": decision.warning,
            "guardian": self.judged.guardian(),
            "micros": self.micros,
        })
    }
}

mod batch;
