//! The folder of an OpenHands terminal, step by step: the analyzer keeps the state as text and hands it in again.

use doorward::terminal::Terminal;
use doorward_core::json::{Object, Value};
use doorward_hooks::terminal::{TerminalCall, TerminalEnd};
use serde::Deserialize;
use serde_json::json;

/// What happened, or what is asked.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum Step {
    /// A terminal whose shell begins here.
    New { start: String, parallel: bool },
    /// In which folder is this call to be judged?
    Stands { args: Object },
    /// A call that may run.
    Sent { id: String, args: Object },
    /// It ended so.
    Ended { id: String, observation: Value },
    /// It ended by an error of the tool.
    Failed { id: String },
    /// It never ran.
    Refused { id: String },
    /// The kernel's word on where the shell stands.
    Seen { folder: String, rests: bool },
    /// What happened before isn't known.
    Lost { why: String },
}

/// One step. The answer has the new `state`; `folder` or `why` after `stands`; and whether the folder is `open`.
pub(crate) fn step(state: &str, event: &str) -> Result<String, serde_json::Error> {
    let event: Step = serde_json::from_str(event)?;
    let mut terminal = match (state, &event) {
        (_, Step::New { start, parallel }) => Terminal::new(start.as_str(), *parallel),
        (state, _) => serde_json::from_str(state)?,
    };
    let mut stands = None;
    match event {
        Step::New { .. } => {}
        Step::Stands { args } => stands = Some(terminal.stands(&TerminalCall::of(&args))),
        Step::Sent { id, args } => terminal.sent(&id, &TerminalCall::of(&args)),
        Step::Ended { id, observation } => terminal.ended(&id, &TerminalEnd::of(&observation)),
        Step::Failed { id } => terminal.ended(&id, &TerminalEnd { failed: true, ..TerminalEnd::default() }),
        Step::Refused { id } => terminal.refused(&id),
        Step::Seen { folder, rests } => terminal.seen(&folder, rests),
        Step::Lost { why } => terminal.lose(&why),
    }
    let (folder, why) = stands.map_or((None, None), |stands| (stands.clone().ok(), stands.err()));
    let answer = json!({
        "state": serde_json::to_string(&terminal)?, "folder": folder, "why": why, "open": terminal.is_open(),
    });
    Ok(answer.to_string())
}
