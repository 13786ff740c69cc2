//! Commands that `doorward run` gives the service: judged in mode `default`, and run here, in bounds, for a ticket.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::approval::Ask;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Settlement, Surface, ToolCall,
    Workplace,
};
use doorward_core::id::SessionId;
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::tool::{Client, ToolName};
use doorward_gate::{Admission, Pending};

use crate::Door;
use crate::bind::{Refusal, Wanted};
use crate::hook::{Peer, user_name};
use crate::process::ClientProcess;

/// A command as it was typed.
#[derive(Debug, Clone)]
pub struct Typed {
    /// For a shell.
    pub command: String,
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

/// The call that a typed command is.
///
/// # Errors
/// The name of the tool doesn't parse, which it does.
pub fn call_of(
    typed: &Typed,
    by: &str,
    session: SessionId,
) -> Result<ToolCall, doorward_core::tool::ToolNameError> {
    let caller = Caller {
        principal: Principal { id: by.to_owned(), groups: Vec::new() },
        session,
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Bound,
    };
    let roots = vec![Root { path: typed.cwd.clone(), access: RootAccess::Write }];
    let place = Workplace { cwd: typed.cwd.clone(), roots, outside: OutsideRoots::Ask };
    let prompt = if typed.queue { Prompt::Queue } else { Prompt::None };
    let settlement = Settlement { mode: PermissionMode::Default, prompt };
    let args = Object::from([("command".to_owned(), Value::from(typed.command.as_str()))]);
    Ok(ToolCall::new(caller, ToolName::new("shell:execute")?, args, place, settlement))
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
    let call = call_of(&typed, &user_name(peer.uid), session.into())
        .map_err(|error| Refusal::new("internal.tool", error.to_string()))?;
    let project = door.project(Some(&folder));
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
