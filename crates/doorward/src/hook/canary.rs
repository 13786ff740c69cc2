//! The call that `doorward doctor` sends through a client's hook: always refused, with the word that it carries.
//!
//! It proves every link up to the service and leaves no trace: nothing is judged, recorded or remembered, and whoever
//! sends it gets a denial. What would keep a real call from being judged as the settings say is told in its place.

use std::path::Path;

use doorward_core::json::Value;
use doorward_core::tool::CanonicalTool;
use doorward_hooks::{Answer, HookCall};

use super::{NO_RECORD, posture_refuses, refused};
use crate::bind::Refusal;
use crate::{Door, stops};

/// How the command begins.
const COMMAND: &str = "doorward-canary ";
/// Shortest word that it carries.
const SHORTEST: usize = 16;

/// The word of a canary: a command of nothing but the name and a random word.
pub(super) fn word(call: &HookCall) -> Option<&str> {
    let command = call.args.get("command").and_then(Value::as_str)?;
    let word = command.strip_prefix(COMMAND)?;
    let is_word = word.len() >= SHORTEST && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_word && call.tool == CanonicalTool::Shell).then_some(word)
}

/// The denial, with the first thing that is wrong or with the canary's word.
pub(super) fn answer(door: &Door, call: &HookCall) -> Answer {
    let wrong = |code: &str, reason: String| refused(&Refusal::new(code, reason));
    if door.records().is_none() {
        return wrong("service.no_record", NO_RECORD.to_owned());
    }
    let project = door.project(Some(Path::new(&call.cwd)));
    if let Some(problem) = project.problem() {
        return wrong(problem.code(), problem.text().to_owned());
    }
    if let Some(refusal) = posture_refuses(&project, false) {
        return refused(&refusal);
    }
    if let Some(by) = door.approvals().stops().all().get(stops::ALL) {
        return wrong("kill_switch", format!("{by} stopped everything; lift it with `doorward resume all`"));
    }
    if let Some(problem) = door.health().problems.first() {
        return wrong("service.problem", problem.clone());
    }
    let word = word(call).unwrap_or_default();
    wrong("doctor.canary", format!("the canary {word} is refused, as it must be"))
}
