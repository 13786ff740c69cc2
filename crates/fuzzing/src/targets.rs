//! The targets by name: the code under test, its invariants, and the source of inputs.

use serde_json::Value;

use crate::mutate::Mutator;

mod hooks;
mod json;
mod ledger;
#[cfg(target_os = "linux")]
mod paths;
mod proxy;
mod settings;

/// One parser of hostile bytes.
#[derive(Debug)]
pub struct Target {
    /// Its name on command lines and in `fuzz/`.
    pub name: &'static str,
    /// Panics if an invariant is violated.
    pub check: fn(&[u8]),
    /// Source of inputs.
    pub inputs: fn() -> Mutator,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "client_hello", check: doorward_net::proxy::fuzz::client_hello, inputs: proxy::hellos },
    Target { name: "hook_event", check: hooks::check, inputs: hooks::inputs },
    Target { name: "json", check: json::check, inputs: || listed("json") },
    Target { name: "ledger", check: ledger::check, inputs: ledger::inputs },
    #[cfg(target_os = "linux")]
    Target { name: "paths", check: paths::check, inputs: || listed("paths") },
    Target { name: "proxy_head", check: proxy::check, inputs: || listed("proxy_head") },
    Target { name: "rules", check: settings::check_rules, inputs: || listed("rules") },
    Target { name: "settings", check: settings::check_settings, inputs: || listed("settings") },
];

/// Runs the check of a target by its name.
///
/// # Panics
/// If an invariant is violated, or no target has that name.
pub fn check(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of that name");
    (target.check)(bytes);
}

/// Inputs from the seeds and words that `targets.json` has for a target.
fn listed(name: &str) -> Mutator {
    let all: Value = serde_json::from_str(include_str!("targets.json")).expect("targets.json is JSON");
    let texts = |kind: &str| -> Vec<Vec<u8>> {
        let rows = all.get(name).and_then(|own| own.get(kind)).and_then(Value::as_array);
        rows.into_iter().flatten().filter_map(Value::as_str).map(|text| text.as_bytes().to_vec()).collect()
    };
    Mutator::new(texts("seeds"), texts("words"))
}
