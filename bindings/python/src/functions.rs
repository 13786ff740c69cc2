//! Plain functions of the rooms: text in, JSON text out. They keep nothing and reach nothing.

use doorward_core::call::Root;
use doorward_secrets::Detector;
use pyo3::prelude::*;
use serde_json::json;

/// Secrets in a text, as JSON: kind, severity, and the place in characters. Never the value.
#[pyfunction]
fn secrets_find(py: Python<'_>, text: &str) -> String {
    py.detach(|| {
        // Python counts characters and the detector bytes.
        let place = |byte: usize| text.get(..byte).map_or(0, |head| head.chars().count());
        let hits: Vec<serde_json::Value> = Detector::shared()
            .find(text)
            .iter()
            .filter(|hit| !hit.quiet)
            .map(|hit| {
                json!({
                    "kind": hit.slug, "severity": hit.severity, "start": place(hit.start), "end": place(hit.end),
                    "description": hit.description,
                })
            })
            .collect();
        serde_json::Value::from(hits).to_string()
    })
}

/// The text with every secret masked.
#[pyfunction]
fn secrets_redact(py: Python<'_>, text: &str) -> String {
    py.detach(|| doorward_secrets::redact_text(text))
}

/// What the text of a URL says: host, port, class, and the code of what is wrong with it.
#[pyfunction]
fn net_check_url(py: Python<'_>, url: &str) -> String {
    py.detach(|| {
        let guard = doorward_net::Guard::default();
        let told = doorward_net::judge_url(&guard, url);
        let refused = guard.judge_url(url).err();
        let code = refused.map(|refusal| refusal.public_code());
        json!({"allowed": code.is_none(), "code": code, "host": told.host, "port": told.port, "class": told.class})
            .to_string()
    })
}

/// The class of an address that may not be reached, or nothing.
#[pyfunction]
fn net_check_address(address: &str) -> PyResult<Option<String>> {
    let address = address.parse().map_err(|error| crate::problem("net.address", error))?;
    Ok(doorward_net::judge_address(address).map(|class| class.as_str().to_owned()))
}

/// What a command line would do, as JSON (the shell's intent).
#[pyfunction]
#[pyo3(signature = (command, cwd=None, home=None))]
fn shell_analyze(
    py: Python<'_>,
    command: &str,
    cwd: Option<String>,
    home: Option<String>,
) -> PyResult<String> {
    py.detach(|| {
        let options = doorward_shell::Options { cwd, home, ..Default::default() };
        let intent = doorward_shell::analyze(command, &options);
        serde_json::to_string(&intent).map_err(|error| crate::problem("internal.json", error))
    })
}

/// The command with its effects drawn under its words.
#[pyfunction]
fn shell_explain(py: Python<'_>, command: &str) -> String {
    py.detach(|| {
        let intent = doorward_shell::analyze(command, &doorward_shell::Options::default());
        doorward_shell::explain(command, &doorward_shell::labels(&intent), false)
    })
}

/// Where a path leads, for one operation, as a pair of scope and code.
#[pyfunction]
fn paths_check(
    py: Python<'_>,
    path: &str,
    operation: &str,
    roots: Vec<String>,
    cwd: &str,
) -> (String, Option<String>) {
    py.detach(|| {
        let roots: Vec<Root> = roots.iter().map(|root| Root::parse(root)).collect();
        let (answer, code) = doorward_paths::scope_row(path, operation, &roots, cwd);
        (answer.as_str().to_owned(), code.map(|code| code.as_str().to_owned()))
    })
}

/// Whether a path's name says that it holds secrets.
#[pyfunction]
fn paths_is_secret(path: &str) -> bool {
    doorward_paths::is_secret(path)
}

/// One step of what is known of a terminal's folder: state (empty for a new one) and event in, JSON out.
#[pyfunction]
fn terminal(py: Python<'_>, state: &str, event: &str) -> PyResult<String> {
    py.detach(|| {
        crate::terminal::step(state, event).map_err(|error| crate::problem("request.invalid", error))
    })
}

/// The state folder of the service that answers this user.
#[pyfunction]
fn default_state() -> std::path::PathBuf {
    doorward_hooks::thin::default_state()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(default_state, module)?)?;
    module.add_function(wrap_pyfunction!(secrets_find, module)?)?;
    module.add_function(wrap_pyfunction!(secrets_redact, module)?)?;
    module.add_function(wrap_pyfunction!(net_check_url, module)?)?;
    module.add_function(wrap_pyfunction!(net_check_address, module)?)?;
    module.add_function(wrap_pyfunction!(shell_analyze, module)?)?;
    module.add_function(wrap_pyfunction!(shell_explain, module)?)?;
    module.add_function(wrap_pyfunction!(terminal, module)?)?;
    module.add_function(wrap_pyfunction!(paths_check, module)?)?;
    module.add_function(wrap_pyfunction!(paths_is_secret, module)?)
}
