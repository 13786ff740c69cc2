//! The targets by name: the code under test, its invariants, and the source of inputs.

use crate::mutate::Mutator;

mod hooks;
mod json;
mod ledger;
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
    Target { name: "json", check: json::check, inputs: json::inputs },
    Target { name: "ledger", check: ledger::check, inputs: ledger::inputs },
    Target { name: "proxy_head", check: proxy::check, inputs: proxy::heads },
    Target { name: "rules", check: settings::check_rules, inputs: settings::rules },
    Target { name: "settings", check: settings::check_settings, inputs: settings::settings },
];

/// Runs the check of a target by its name.
///
/// # Panics
/// If an invariant is violated, or no target has that name.
pub fn check(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of that name");
    (target.check)(bytes);
}
