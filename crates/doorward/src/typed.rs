//! Commands and code that `doorward run` gives the service: judged in mode `default`, and run here, in bounds, for a
//! ticket.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::approval::Ask;
use doorward_core::call::{Custody, Principal, Prompt, ToolCall};
use doorward_core::id::SessionId;
use doorward_core::json::{Object, Value};
use doorward_core::tool::{CanonicalTool, ToolName};
use doorward_gate::{Admission, Pending};
use doorward_hooks::clients::ClientMode;
use doorward_settings::Settings;

use crate::Door;
use crate::bind::{self, Refusal, Wanted};
use crate::entrance::{Entrance, LabelDuty, only_root, own_caller};
use crate::hook::{Peer, user_name};
use crate::process::ClientProcess;

/// A command, or code, as it was typed.
#[derive(Debug, Clone)]
pub struct Typed {
    /// What runs it: `shell:execute`, `python:execute` and the other code tools.
    pub tool: ToolName,
    /// The command or the code.
    pub text: String,
    /// Where, absolute.
    pub cwd: String,
    /// Put what needs a person into the queue; else it is denied.
    pub queue: bool,
}

/// What the gate says to it.
#[derive(Debug)]
pub enum Offered {
    /// It may run, for whoever presents this ticket.
    Ticket(String),
    /// A person is asked; the command comes again with the yes.
    Asked(Box<Ask>),
}

/// The tools whose calls can be typed: a shell, and the languages that the sandbox starts an interpreter for.
pub const TOOLS: [CanonicalTool; 6] = [
    CanonicalTool::Shell,
    CanonicalTool::Python,
    CanonicalTool::Node,
    CanonicalTool::Ruby,
    CanonicalTool::Perl,
    CanonicalTool::Php,
];

/// The call that a typed command is, in the sandbox that it is promised.
///
/// # Errors
/// `run.tool`: it is no tool of [`TOOLS`].
pub fn call_of(
    typed: &Typed,
    settings: &Settings,
    by: &str,
    session: SessionId,
) -> Result<ToolCall, Refusal> {
    let can_run = typed.tool.canonical().is_some_and(|tool| TOOLS.contains(&tool));
    let argument = typed.tool.text_argument().filter(|_| can_run);
    let argument = argument.ok_or_else(|| {
        let known = TOOLS.map(CanonicalTool::as_str).join(", ");
        Refusal::new("run.tool", format!("{} can't be run here; these can: {known}", typed.tool))
    })?;
    let principal = Principal { id: by.to_owned(), groups: settings.policy.groups_of(by) };
    let caller = own_caller(principal, session, Custody::Bound);
    let prompt = if typed.queue { Prompt::Queue } else { Prompt::None };
    let args = Object::from([(argument.to_owned(), Value::from(typed.text.as_str()))]);
    let entrance = Entrance::new(caller, typed.tool.clone(), args, only_root(&typed.cwd));
    let entrance = entrance.settled(Some(ClientMode::Default), prompt);
    // A person's own words carry no label.
    Ok(Entrance { label: LabelDuty::Volunteered, ..entrance }.call(settings))
}

/// Takes a typed command through the gate. An admitted one waits under a ticket that only this peer can present.
///
/// # Errors
/// Why it doesn't run.
pub async fn offer(door: &Arc<Door>, peer: Peer, typed: Typed) -> Result<Offered, Refusal> {
    let foreign = || Refusal::new("run.foreign", "the kernel doesn't tell which process asks");
    let process = peer.pid.and_then(ClientProcess::of).ok_or_else(foreign)?;
    let folder = PathBuf::from(&typed.cwd);
    if !folder.is_absolute() || !folder.is_dir() {
        let why = format!("the working folder {:?} has to be an absolute path of a folder", typed.cwd);
        return Err(Refusal::new("run.folder", why));
    }
    let session = format!("run@{}", process.pid());
    let project = door.project(Some(&folder));
    let mut call = call_of(&typed, project.settings(), &user_name(peer.uid), session.into())?;
    call.sandbox = Some(Box::new(bind::promised(door, &project, &folder, &call, false)));
    match project.admit(call).await {
        Admission::Admitted(permit) => {
            let inspected = permit.case().inspected();
            let (call, predicted) = (inspected.call.clone(), inspected.effects.clone());
            let wanted = Wanted {
                call: &call,
                project: &project,
                root: Path::new(&typed.cwd),
                process: &process,
                predicted: &predicted,
                background: false,
                follows: false,
            };
            door.custody().tickets().hold(door, permit, &wanted).map(|held| Offered::Ticket(held.ticket))
        }
        Admission::Denied(denial) => Err(Refusal { code: denial.code, reason: denial.reason }),
        Admission::Pending(Pending { ask, .. }) => Ok(Offered::Asked(ask)),
    }
}
