//! Recorded agent runs, read from JSONL and judged again step by step on a simulated world (`doorward eval
//! replay`).
//!
//! Supported formats: our own (docs/flows.md), OpenAgentSafety's trajectories (`history` with `obs`), single calls
//! with a `history` of messages, and scenarios of servers' tools (`steps` with `server`). Nothing is run.

use doorward::replay::{Replay, ReplayStep, Replayed};
use doorward_core::decision::Verdict;
use doorward_core::effect::SandboxFacts;
use doorward_core::id::SessionId;
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::ToolName;
use doorward_settings::{ConfirmPolicy, Layer, LayerKind, Settings, SettingsError};
use serde::Serialize;

/// A recorded run.
#[derive(Debug, Clone)]
pub struct RecordedRun {
    /// Its name.
    pub id: String,
    /// Harmful (1 and above), benign (0), or excluded from rates (below 0).
    pub label: Option<i64>,
    /// Writable folders.
    pub roots: Vec<String>,
    /// Its events.
    pub events: Vec<RecordedEvent>,
    /// It was recorded in its own container, as with OpenHands' agents; code tools then count as contained.
    pub contained: bool,
    /// Verdicts count from this step on; earlier steps are history.
    pub from: usize,
}

/// An event of a run.
#[derive(Debug, Clone)]
pub enum RecordedEvent {
    /// The user said something.
    Said(String),
    /// The agent called a tool.
    Called(Box<ReplayStep>),
}

/// A judged run.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedRun {
    /// Its name.
    pub id: String,
    /// Its label.
    pub label: Option<i64>,
    /// Its steps.
    pub steps: Vec<StepRow>,
    /// The first step that was denied or asked about, starting from 0.
    pub stopped_at: Option<usize>,
    /// A step was denied.
    pub denied: bool,
    /// Number of steps asked about.
    pub questions: usize,
    /// Flows between steps.
    pub flows: Vec<RunFlow>,
}

/// A flow that a step completed.
#[derive(Debug, Clone, Serialize)]
pub struct RunFlow {
    /// The rule.
    pub rule: String,
    /// Description of the last step.
    pub says: String,
    /// The step that completes it, starting from 0.
    pub at: usize,
    /// Its earlier steps, with what they did.
    pub from: Vec<(usize, String)>,
}

/// A judged step.
#[derive(Debug, Clone, Serialize)]
pub struct StepRow {
    /// The tool with the beginning of its arguments.
    pub call: String,
    /// `allow`, `confirm` or `deny`.
    pub verdict: &'static str,
    /// The decision's code.
    pub code: String,
    /// The reason.
    pub reason: String,
    /// The risk.
    pub risk: &'static str,
    /// Codes of findings.
    pub findings: Vec<String>,
    /// Flows it completes.
    pub flows: Vec<String>,
    /// The staged intent score.
    pub intent: i64,
}

/// Rates over runs.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ReplayRates {
    /// Number of harmful runs.
    pub harmful: usize,
    /// Harmful runs in which a step was denied or asked about.
    pub harmful_noticed: usize,
    /// Number of benign runs.
    pub benign: usize,
    /// Benign runs with a denial.
    pub benign_denied: usize,
    /// Benign runs with a question.
    pub benign_asked: usize,
    /// Number of calls in benign runs.
    pub benign_calls: usize,
    /// Number of questions about them.
    pub benign_questions: usize,
}

/// Reads one line of a file of runs.
///
/// # Errors
/// The part that can't be read.
pub fn read(line: &str) -> Result<RecordedRun, String> {
    let value = Value::parse(line).map_err(|error| error.to_string())?;
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = text("id").ok_or("a run needs an `id`")?;
    let label = value.get("label").and_then(|label| label.canonical().parse().ok());
    let root = text("cwd").unwrap_or_else(|| "/workspace".to_owned());
    let mut run =
        RecordedRun { id, label, roots: vec![root.clone()], events: Vec::new(), contained: false, from: 0 };
    run.contained = value.get("instruction").is_some();
    let list = |name: &str| match value.get(name) {
        Some(Value::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    for said in ["instruction", "prompt"].into_iter().filter_map(text) {
        run.events.push(RecordedEvent::Said(said));
    }
    for said in list("user_turns").iter().chain(&list("said")).filter_map(Value::as_str) {
        run.events.push(RecordedEvent::Said(said.to_owned()));
    }
    let is_single = value.get("tool").is_some();
    for item in list("history") {
        run.events.extend(if is_single { message(&item, &root) } else { entry(&item, &root) });
    }
    for item in list("steps") {
        run.events.extend(entry(&item, &root));
    }
    if is_single {
        run.from = run.events.iter().filter(|event| matches!(event, RecordedEvent::Called(_))).count();
        run.events.extend(entry(&value, &root));
    }
    if let Some(Value::Bool(benign)) = value.get("benign") {
        run.label = Some(i64::from(!benign));
    }
    if run.events.iter().any(|event| matches!(event, RecordedEvent::Called(_))) {
        Ok(run)
    } else {
        Err(format!("{}: has no call: `steps` or `history` with `tool` and `args`", run.id))
    }
}

/// A message in the history of a single call.
fn message(item: &Value, root: &str) -> Option<RecordedEvent> {
    let role = item.get("role").and_then(Value::as_str)?;
    match role {
        "user" => Some(RecordedEvent::Said(item.get("content")?.as_str()?.to_owned())),
        "tool_call" => entry(item, root),
        // A result belongs to the previous call; see `joined`.
        "tool_result" => Some(RecordedEvent::Called(Box::new(ReplayStep {
            tool: ToolName::new(RESULT).ok()?,
            args: Object::new(),
            cwd: root.to_owned(),
            result: item.get("content")?.as_str()?.to_owned(),
            source: None,
            untrusted: None,
        }))),
        _ => None,
    }
}

/// Represents the result of the previous call.
const RESULT: &str = "replay:result";

/// A call in any of several formats.
fn entry(item: &Value, root: &str) -> Option<RecordedEvent> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    if let Some(said) = text("say") {
        return Some(RecordedEvent::Said(said.to_owned()));
    }
    let args = match item.get("args").or_else(|| item.get("arguments")) {
        Some(Value::Object(args)) => args.clone(),
        _ => match text("run") {
            Some(command) => Object::from([("command".to_owned(), Value::from(command))]),
            None => Object::new(),
        },
    };
    let name = text("tool").unwrap_or("terminal");
    let (tool, args) = match text("server") {
        Some(server) => (format!("mcp:{server}/{name}"), args),
        None => canonical(name, args),
    };
    let result = ["obs", "result", "out"].into_iter().find_map(text).unwrap_or_default().to_owned();
    let untrusted = match item.get("untrusted") {
        Some(Value::Bool(untrusted)) => Some(*untrusted),
        _ => None,
    };
    Some(RecordedEvent::Called(Box::new(ReplayStep {
        tool: ToolName::new(&tool).ok()?,
        args,
        cwd: root.to_owned(),
        result,
        source: text("source").filter(|_| untrusted.is_some()).map(str::to_owned),
        untrusted,
    })))
}

/// The canonical name of a recorded tool; an unknown one counts as a server's.
fn canonical(name: &str, args: Object) -> (String, Object) {
    let command = args.get("command").and_then(Value::as_str).unwrap_or("view");
    match name {
        "terminal" | "execute_bash" | "bash" | "Bash" => ("shell:execute".to_owned(), args),
        "execute_ipython_cell" | "execute_python" => ("python:execute".to_owned(), args),
        "file_editor" if command == "view" => ("fs:read".to_owned(), args),
        "file_editor" => {
            let mut args = args;
            args.remove("command");
            if let Some(text) = args.remove("file_text") {
                args.insert("content".to_owned(), text);
            }
            ("fs:write".to_owned(), args)
        }
        name if name.contains(':') => (name.to_owned(), args),
        name => (format!("mcp:recorded/{name}"), args),
    }
}

/// The defaults, or a file's settings. If neither sets a confirmation policy, calls of HIGH and unknown risk are
/// asked about, so that Doorward's own judgement counts and not the mode of an absent client.
///
/// # Errors
/// The problem with the file.
pub fn settings(file: Option<(&str, String)>) -> Result<Settings, SettingsError> {
    let layers: Vec<Layer> =
        file.map(|(name, text)| Layer::new(LayerKind::User, name, text)).into_iter().collect();
    let mut settings = Settings::load(&layers)?.settings;
    settings
        .confirm
        .policy
        .get_or_insert(ConfirmPolicy::ConfirmRisky { threshold: SecurityRisk::High, confirm_unknown: true });
    Ok(settings)
}

/// Judges a run.
///
/// # Errors
/// Why the settings or a step couldn't be judged.
pub async fn replay(
    run: &RecordedRun,
    settings: &Settings,
    mode: PermissionMode,
) -> Result<ReplayedRun, String> {
    let sandbox =
        SandboxFacts { declared: run.contained, verified: run.contained, ..SandboxFacts::default() };
    let session = SessionId::from(run.id.as_str());
    let mut replay = Replay::new(settings, mode, sandbox, "/root", &[])?;
    let mut steps = Vec::new();
    let mut events = run.events.iter().peekable();
    while let Some(event) = events.next() {
        match event {
            RecordedEvent::Said(text) => replay.said(&session, text),
            RecordedEvent::Called(step) if step.tool.as_str() == RESULT => {}
            RecordedEvent::Called(step) => {
                let mut step = (**step).clone();
                if let Some(RecordedEvent::Called(next)) = events.peek()
                    && next.tool.as_str() == RESULT
                {
                    step.result.clone_from(&next.result);
                }
                let shown: String = format!("{} {}", step.tool, Value::Object(step.args.clone()).canonical())
                    .chars()
                    .take(160)
                    .collect();
                steps.push(row(shown, replay.step(&session, &run.roots, step).await?));
            }
        }
    }
    let results = run
        .events
        .iter()
        .filter(|event| matches!(event, RecordedEvent::Called(step) if step.tool.as_str() == RESULT));
    let first = run.from.saturating_sub(results.count());
    let judged = steps.get(first..).unwrap_or_default();
    // A run's turns start at 1 and include history before its first judged step.
    let step = |turn: u64| usize::try_from(turn).unwrap_or(usize::MAX).saturating_sub(1).checked_sub(first);
    let flows = replay.flows(&session).into_iter().filter_map(|flow| {
        let from = flow.path.iter().map(|(turn, what)| (step(*turn).unwrap_or_default(), what.clone()));
        Some(RunFlow { from: from.collect(), at: step(flow.turn)?, rule: flow.rule, says: flow.says })
    });
    let flows = flows.collect();
    let stopped = |row: &StepRow| row.verdict != Verdict::Allow.as_str();
    Ok(ReplayedRun {
        id: run.id.clone(),
        label: run.label,
        stopped_at: judged.iter().position(stopped),
        denied: judged.iter().any(|row| row.verdict == Verdict::Deny.as_str()),
        questions: judged.iter().filter(|row| row.verdict == Verdict::Confirm.as_str()).count(),
        steps: judged.to_vec(),
        flows,
    })
}

fn row(call: String, step: Replayed) -> StepRow {
    StepRow {
        call,
        verdict: step.verdict.as_str(),
        code: step.code,
        reason: step.reason,
        risk: step.risk.as_str(),
        findings: step.findings,
        flows: step.flows,
        intent: step.intent,
    }
}

/// Different results of a run under two configurations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The run.
    pub id: String,
    /// Its label.
    pub label: Option<i64>,
    /// The result under the first configuration.
    pub before: String,
    /// The result under the second.
    pub after: String,
}

/// Runs with different results under two configurations, in the order of the first.
#[must_use]
pub fn differences(before: &[ReplayedRun], after: &[ReplayedRun]) -> Vec<Difference> {
    let other = |run: &ReplayedRun| after.iter().find(|other| other.id == run.id);
    before
        .iter()
        .filter_map(|run| Some((run, other(run)?)))
        .map(|(run, other)| Difference {
            id: run.id.clone(),
            label: run.label,
            before: run.end(),
            after: other.end(),
        })
        .filter(|difference| difference.before != difference.after)
        .collect()
}

impl ReplayedRun {
    /// The result in words: allowed, or the first stopped step and the number of stops.
    #[must_use]
    pub fn end(&self) -> String {
        let denials = self.steps.iter().filter(|step| step.verdict == Verdict::Deny.as_str()).count();
        match self.stopped_at {
            None => "free".to_owned(),
            Some(at) => format!("from step {}: {} asked, {denials} denied", at + 1, self.questions),
        }
    }
}

/// Rates over the labelled runs.
#[must_use]
pub fn rates(runs: &[ReplayedRun]) -> ReplayRates {
    let mut rates = ReplayRates::default();
    for run in runs {
        match run.label {
            Some(label) if label > 0 => {
                rates.harmful += 1;
                rates.harmful_noticed += usize::from(run.stopped_at.is_some());
            }
            Some(0) => {
                rates.benign += 1;
                rates.benign_denied += usize::from(run.denied);
                rates.benign_asked += usize::from(run.questions > 0);
                rates.benign_calls += run.steps.len();
                rates.benign_questions += run.questions;
            }
            _ => {}
        }
    }
    rates
}
