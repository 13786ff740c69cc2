//! The terminals of clients whose shell stays from call to call: in which folder a command is judged.

use std::path::Path;
use std::sync::PoisonError;

use doorward_core::id::{Digest, SessionId};
use doorward_core::json::Value;
use doorward_core::tool::CanonicalTool;
use doorward_hooks::HookCall;
use doorward_hooks::terminal::{TerminalCall, TerminalEnd};

use super::{Asking, Pinned};
use crate::bind::Refusal;
use crate::terminal::Terminal;

impl Pinned {
    /// The terminal of a session, noted at its first call. How many calls of one turn the client runs side by side isn't
    /// told, so more than one is taken for possible.
    fn terminal<T>(
        &self,
        session: &SessionId,
        root: &Path,
        met_before: bool,
        then: impl FnOnce(&mut Terminal) -> T,
    ) -> T {
        let mut terminals = self.terminals.lock().unwrap_or_else(PoisonError::into_inner);
        then(terminals.entry(session.to_owned()).or_insert_with(|| {
            let mut terminal = Terminal::new(root.display().to_string(), true);
            if met_before {
                terminal.lose("the service was started after this conversation");
            }
            terminal
        }))
    }

    /// A call to the terminal has ended.
    pub(super) fn ended(&self, session: &SessionId, call: &Digest, end: &TerminalEnd) {
        let mut terminals = self.terminals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(terminal) = terminals.get_mut(session) {
            terminal.ended(call.as_str(), end);
        }
    }
}

impl Asking<'_> {
    fn in_terminal(&self, hook: &HookCall) -> bool {
        self.contract.keeps_terminal && hook.tool == CanonicalTool::Shell
    }

    /// What is known of this session's terminal.
    fn terminal<T>(&self, claimed: &str, then: impl FnOnce(&mut Terminal) -> T) -> T {
        let pinned = self.door.projects().pinned();
        let root = pinned.root(&self.session, self.process, claimed, self.contract.tells_workspace);
        let met = self.door.sessions().get(&self.session).is_some_and(|session| session.calls > 0);
        pinned.terminal(&self.session, &root, met, then)
    }

    /// The folder in which a call begins.
    pub(super) fn begins_in(&self, hook: &HookCall) -> Result<String, Refusal> {
        if !self.contract.keeps_terminal {
            return Ok(hook.cwd.clone());
        }
        // Also for other tools: that a session has begun is seen at its first call.
        let stands = self.terminal(&hook.cwd, |terminal| terminal.stands(&TerminalCall::of(&hook.args)));
        if !self.in_terminal(hook) {
            return Ok(hook.cwd.clone());
        }
        stands.map_err(|reason| Refusal { code: "hook.folder_unknown".to_owned(), reason })
    }

    /// Notes a call that is let through.
    pub(super) fn goes_to_terminal(&self, hook: &HookCall) {
        if self.in_terminal(hook) {
            let id = Value::Object(hook.args.clone()).digest();
            let call = TerminalCall::of(&hook.args);
            self.terminal(&hook.cwd, |terminal| terminal.sent(id.as_str(), &call));
        }
    }
}
