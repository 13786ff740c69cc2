//! What OpenHands' own analyzers, confirmation policies and experience helpers answer (docs/openhands.md).

use doorward_analyzers::compat::{self, PatternRules, Rail, ScannedAction};
use doorward_analyzers::self_report::{Enhancement, extract};
use doorward_core::risk::SecurityRisk;
use doorward_guardian::experiences::{Library, Order, names};
use doorward_guardian::{risk_line, toolshield};
use doorward_policy::confirmation::ConfirmationPolicy;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::problem;

/// An action event, reduced to what the analyzers read.
#[derive(Deserialize)]
struct Told {
    tool_name: String,
    #[serde(default)]
    tool_call_name: Option<String>,
    arguments: String,
    #[serde(default)]
    summary: Option<String>,
    #[serde(default)]
    thought: Vec<String>,
    #[serde(default)]
    reasoning_content: Option<String>,
}

fn action(text: &str) -> PyResult<ScannedAction> {
    let told: Told = serde_json::from_str(text).map_err(|error| problem("request.invalid", error))?;
    Ok(ScannedAction {
        tool_call_name: told.tool_call_name.unwrap_or_else(|| told.tool_name.clone()),
        tool_name: told.tool_name,
        arguments: told.arguments,
        summary: told.summary,
        thought: told.thought,
        reasoning_content: told.reasoning_content,
    })
}

fn risk(word: &str) -> PyResult<SecurityRisk> {
    SecurityRisk::from_word(word)
        .ok_or_else(|| PyValueError::new_err(format!("{word:?} is no risk: UNKNOWN, LOW, MEDIUM or HIGH")))
}

/// The pattern analyzer: risk, and the detector that decided.
#[pyfunction]
fn pattern(py: Python<'_>, event: &str) -> PyResult<(&'static str, &'static str)> {
    let action = action(event)?;
    let hit = py.detach(|| PatternRules.judge(&action));
    Ok((hit.risk.as_str(), hit.rule))
}

/// The policy rails: risk, and the rule that decided.
#[pyfunction]
fn rail(py: Python<'_>, event: &str) -> PyResult<(&'static str, &'static str)> {
    let action = action(event)?;
    let hit = py.detach(|| Rail.judge(&action));
    Ok((hit.risk.as_str(), hit.rule))
}

/// The policy rails over texts of commands.
#[pyfunction]
fn rail_texts(py: Python<'_>, texts: Vec<String>) -> (&'static str, &'static str) {
    let hit = py.detach(|| Rail.judge_texts(&texts));
    (hit.risk.as_str(), hit.rule)
}

/// Whether a command deletes recursively and by force, and whether that couldn't be settled.
#[pyfunction]
fn shell_scan(py: Python<'_>, text: &str) -> (bool, bool) {
    let scanned = py.detach(|| compat::scan(text));
    (scanned.found, scanned.open)
}

/// Text as the pattern analyzer reads it.
#[pyfunction]
fn normalise(py: Python<'_>, text: &str) -> String {
    py.detach(|| compat::normalise(text))
}

/// Several risks as one, by OpenHands' rule.
#[pyfunction]
fn fuse(risks: Vec<String>, propagate_unknown: bool) -> PyResult<&'static str> {
    let risks: Vec<SecurityRisk> = risks.iter().map(|word| risk(word)).collect::<PyResult<_>>()?;
    Ok(compat::fuse(&risks, propagate_unknown).as_str())
}

/// The risk of a score between two thresholds.
#[pyfunction]
fn risk_of_score(score: f64, low: f64, medium: f64) -> &'static str {
    compat::risk_of_score(score, low, medium).as_str()
}

/// Whether one risk is above another, or as high where `reflexive`.
#[pyfunction]
#[pyo3(signature = (own, other, reflexive=true))]
fn is_riskier(own: &str, other: &str, reflexive: bool) -> PyResult<bool> {
    let (own, other) = (risk(own)?, risk(other)?);
    let compared = if reflexive { own.is_riskier(other) } else { own.is_strictly_riskier(other) };
    compared.map_err(|_| PyValueError::new_err("Cannot compare unknown risk levels."))
}

/// Whether a confirmation policy (its wire form, JSON) asks about a risk.
#[pyfunction]
fn should_confirm(policy: &str, of: &str) -> PyResult<bool> {
    let policy: ConfirmationPolicy =
        serde_json::from_str(policy).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(policy.should_confirm(risk(of)?))
}

/// The label that a model put into a call's arguments (JSON), as OpenHands takes it out.
#[pyfunction]
fn label(arguments: &str, read_only: bool, configured: bool) -> PyResult<&'static str> {
    extract(arguments, read_only, configured, Enhancement::OpenhandsCompat)
        .map(|extracted| extracted.risk.as_str())
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The one label of a guardrail's answer, or nothing where there isn't exactly one.
#[pyfunction]
fn parse_risk(py: Python<'_>, text: &str) -> Option<&'static str> {
    py.detach(|| risk_line::parse(text)).map(SecurityRisk::as_str)
}

/// An action as the guardrail is shown it.
#[pyfunction]
fn render_action(tool: &str, arguments: &str, summary: &str, thought: &str, unparsed: bool) -> String {
    toolshield::GuardrailAction { tool, summary, thought, arguments, unparsed }.rendered()
}

/// The guardrail's system message, with rules about the tools in play.
#[pyfunction]
fn guardrail_system(experiences: &str) -> String {
    toolshield::compat_system(experiences)
}

/// The guardrail's user message: past actions and the one to judge, each as `render_action` gives it.
#[pyfunction]
fn guardrail_user(past: Vec<String>, action: &str) -> String {
    toolshield::history_and_action(&past, action)
}

/// The experience file of a server's name, which may be no safe name of a file.
#[pyfunction]
fn experience_of_server(server: &str) -> String {
    names::from_server(server)
}

/// The experience files of declared servers and built-in tools.
#[pyfunction]
fn experiences_of(servers: Vec<String>, tools: Vec<String>) -> Vec<String> {
    names::from_config(servers.iter().map(String::as_str), tools.iter().map(String::as_str))
}

/// The rules of tools as text: the seeds, with the files of a folder on top.
#[pyfunction]
#[pyo3(signature = (tools, folder=None, natural=true))]
fn render_experiences(
    tools: Vec<String>,
    folder: Option<std::path::PathBuf>,
    natural: bool,
) -> PyResult<String> {
    let own = folder.map_or_else(|| Ok(Library::default()), |folder| Library::load(&folder));
    let own = own.map_err(|error| problem("experiences", error))?;
    let order = if natural { Order::Natural } else { Order::Lexicographic };
    Ok(Library::seeded().overlaid(own).render(&tools, order))
}

/// Tools that have rules.
#[pyfunction]
#[pyo3(signature = (folder=None))]
fn experience_tools(folder: Option<std::path::PathBuf>) -> PyResult<Vec<String>> {
    let own = folder.map_or_else(|| Ok(Library::default()), |folder| Library::load(&folder));
    let own = own.map_err(|error| problem("experiences", error))?;
    Ok(Library::seeded().overlaid(own).tools().map(|(name, _)| name.to_owned()).collect())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(pattern, module)?)?;
    module.add_function(wrap_pyfunction!(rail, module)?)?;
    module.add_function(wrap_pyfunction!(rail_texts, module)?)?;
    module.add_function(wrap_pyfunction!(shell_scan, module)?)?;
    module.add_function(wrap_pyfunction!(normalise, module)?)?;
    module.add_function(wrap_pyfunction!(fuse, module)?)?;
    module.add_function(wrap_pyfunction!(risk_of_score, module)?)?;
    module.add_function(wrap_pyfunction!(is_riskier, module)?)?;
    module.add_function(wrap_pyfunction!(should_confirm, module)?)?;
    module.add_function(wrap_pyfunction!(label, module)?)?;
    module.add_function(wrap_pyfunction!(parse_risk, module)?)?;
    module.add_function(wrap_pyfunction!(render_action, module)?)?;
    module.add_function(wrap_pyfunction!(guardrail_system, module)?)?;
    module.add_function(wrap_pyfunction!(guardrail_user, module)?)?;
    module.add_function(wrap_pyfunction!(experience_of_server, module)?)?;
    module.add_function(wrap_pyfunction!(experiences_of, module)?)?;
    module.add_function(wrap_pyfunction!(render_experiences, module)?)?;
    module.add_function(wrap_pyfunction!(experience_tools, module)?)
}
