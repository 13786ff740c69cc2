//! Tickets: what stands between a hook's answer and the run it became.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use doorward_core::approval::Ask;
use doorward_core::call::ToolCall;
use doorward_core::effect::Effects;
use doorward_core::id::{DecisionId, Digest, SessionId};
use doorward_gate::Permit;
use doorward_hooks::ticket::{Ended, NOT_RUN, Presented, Written};
use doorward_sandbox::Sandbox;
use jiff::{SignedDuration, Timestamp};

use crate::Door;
use crate::process::ClientProcess;
use crate::project::Project;

/// How long an admitted call's ticket is good.
pub(super) const GOOD: SignedDuration = SignedDuration::from_secs(60);
/// How long it is remembered that a ticket was used or lapsed, so that its next use is told so.
const REMEMBERED: SignedDuration = SignedDuration::from_mins(15);
/// Tickets that wait, all sessions together.
const MOST: usize = 4_096;

/// What stands behind a ticket.
pub(super) enum Right {
    /// An admitted call.
    Held(Permit),
    /// A call that the client's own flow decides about: its coming here is the yes, and it enters the gate again with
    /// it.
    Asked { call: Box<ToolCall>, ask: Box<Ask> },
}

pub(super) struct Ticket {
    pub(super) right: Right,
    pub(super) project: Arc<Project>,
    pub(super) root: PathBuf,
    pub(super) session: SessionId,
    pub(super) process: ClientProcess,
    pub(super) cwd: String,
    pub(super) command: String,
    /// The command the client was given instead.
    pub(super) text: String,
    pub(super) expires: Timestamp,
    pub(super) background: bool,
    pub(super) predicted: Arc<Effects>,
}

/// A ticket as it was issued.
pub(crate) struct Held {
    /// The secret.
    pub(crate) ticket: String,
    /// The command that a client runs instead of its own.
    pub(crate) text: String,
}

enum Slot {
    Open(Box<Ticket>),
    Gone { why: &'static str, process: ClientProcess, until: Timestamp, folder: Option<String> },
}

/// What a hook says about the call that a ticket is for.
pub(crate) struct Wanted<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) project: &'a Arc<Project>,
    pub(crate) root: &'a Path,
    pub(crate) process: &'a ClientProcess,
    pub(crate) predicted: &'a Effects,
    /// The client lets it run beside its work.
    pub(crate) background: bool,
    /// The client's shell keeps its folder from call to call.
    pub(crate) follows: bool,
}

/// Tickets by the digest of their secret.
#[derive(Default)]
pub struct Tickets {
    slots: Mutex<HashMap<Digest, Slot>>,
}

/// Why nothing ran.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {reason}")]
pub struct Refusal {
    /// Stable code.
    pub code: String,
    /// In words.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(code: &str, reason: impl Into<String>) -> Self {
        Self { code: code.to_owned(), reason: reason.into() }
    }

    pub(super) fn ended(self) -> Ended {
        Ended {
            exit: i32::from(NOT_RUN),
            code: Some(self.code),
            reason: Some(format!("nothing ran: {}", self.reason)),
            folder: None,
        }
    }
}

impl Tickets {
    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Slot>> {
        // Every critical section is one change of one slot, so a poisoned map is still whole.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts an admitted call under a ticket.
    pub(crate) fn hold(&self, door: &Door, permit: Permit, wanted: &Wanted<'_>) -> Result<Held, Refusal> {
        let until = later(Timestamp::now(), GOOD);
        self.issue(door, Right::Held(permit), until, wanted)
    }

    /// Puts a call under a ticket that the client's own flow decides about.
    pub(crate) fn ask(&self, door: &Door, ask: Ask, wanted: &Wanted<'_>) -> Result<Held, Refusal> {
        let until = ask.expires;
        let right = Right::Asked { call: Box::new(wanted.call.clone()), ask: Box::new(ask) };
        self.issue(door, right, until, wanted)
    }

    fn issue(
        &self,
        door: &Door,
        right: Right,
        until: Timestamp,
        wanted: &Wanted<'_>,
    ) -> Result<Held, Refusal> {
        let unwritable = |reason: &str| Refusal::new("ticket.unwritable", reason);
        let command = wanted.call.text().ok_or_else(|| unwritable("the call has no text to run"))?;
        let state = door.state().ok_or_else(|| unwritable("this service keeps no state"))?;
        let binary = doorward_hooks::companion::program()
            .map_err(|_| unwritable("the program's own path isn't known"))?;
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|_| unwritable("there is no randomness"))?;
        let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let follows = wanted.follows && may_change_folder(command);
        let text = Written { binary: &binary, state, ticket: &secret, command, follows }.text();
        let ticket = Ticket {
            right,
            project: Arc::clone(wanted.project),
            root: wanted.root.to_owned(),
            session: wanted.call.session.clone(),
            process: wanted.process.clone(),
            cwd: wanted.call.cwd.clone(),
            command: command.to_owned(),
            text: text.clone(),
            expires: until,
            background: wanted.background,
            predicted: Arc::new(wanted.predicted.clone()),
        };
        let mut slots = self.lock();
        if slots.len() >= MOST {
            let now = Timestamp::now();
            slots.retain(|_, slot| matches!(slot, Slot::Open(_)) || !slot.is_over(now));
            if slots.len() >= MOST {
                return Err(Refusal::new("ticket.too_many", "too many calls wait to be run"));
            }
        }
        slots.insert(digest(&secret), Slot::Open(Box::new(ticket)));
        drop(slots);
        make_ready(door.custody().sandbox());
        Ok(Held { ticket: secret, text })
    }

    /// Whether this is exactly the text of a ticket that waits in this session, and the decision that left it to the
    /// client's own flow, if one did.
    pub(crate) fn stands_for(&self, session: &SessionId, text: &str) -> Option<Option<DecisionId>> {
        let now = Timestamp::now();
        self.lock().values().find_map(|slot| match slot {
            Slot::Open(ticket)
                if ticket.session == *session && ticket.text == text && now < ticket.expires =>
            {
                Some(match &ticket.right {
                    Right::Asked { ask, .. } => Some(ask.decision.clone()),
                    Right::Held(_) => None,
                })
            }
            Slot::Open(_) | Slot::Gone { .. } => None,
        })
    }

    /// Takes the ticket, once. Whatever is wrong with the presentation uses it up, except that it isn't the
    /// presenter's.
    pub(super) fn take(&self, presented: &Presented, peer: i32) -> Result<Ticket, Refusal> {
        let now = Timestamp::now();
        let key = digest(&presented.ticket);
        let mut slots = self.lock();
        let unknown = || Refusal::new("ticket.unknown", "there is no such ticket");
        let process = match slots.get(&key).ok_or_else(unknown)? {
            Slot::Open(ticket) => ticket.process.clone(),
            Slot::Gone { process, .. } => process.clone(),
        };
        if !process.is_above(peer) {
            return Err(Refusal::new("ticket.foreign", "this ticket was given to another client"));
        }
        let gone =
            |why| Slot::Gone { why, process: process.clone(), until: later(now, REMEMBERED), folder: None };
        match slots.remove(&key) {
            None => Err(unknown()),
            Some(Slot::Gone { why, process, until, folder }) => {
                slots.insert(key, Slot::Gone { why, process, until, folder });
                Err(Refusal::new(why, "a ticket is good once; make the call again"))
            }
            // Left to the sweep, which records that nobody ran it.
            Some(Slot::Open(ticket)) if now >= ticket.expires => {
                slots.insert(key, Slot::Open(ticket));
                Err(Refusal::new("ticket.expired", "it wasn't used in time; make the call again"))
            }
            Some(Slot::Open(ticket)) => {
                slots.insert(key, gone("ticket.used"));
                Ok(*ticket)
            }
        }
    }

    pub(super) fn ended_in(&self, secret: &str, ended: String) {
        if let Some(Slot::Gone { folder, .. }) = self.lock().get_mut(&digest(secret)) {
            *folder = Some(ended);
        }
    }

    pub(super) fn folder(&self, presented: &Presented, peer: i32) -> Result<String, Refusal> {
        match self.lock().get_mut(&digest(&presented.ticket)) {
            Some(Slot::Gone { process, folder, .. }) if process.is_above(peer) => folder
                .take()
                .ok_or_else(|| Refusal::new("ticket.no_folder", "the run left no folder to go to")),
            Some(_) => Err(Refusal::new("ticket.foreign", "this ticket was given to another client")),
            None => Err(Refusal::new("ticket.unknown", "there is no such ticket")),
        }
    }

    /// Takes out what lapsed, or, with a session, everything of it.
    fn lapsed(&self, session: Option<&SessionId>) -> Vec<Ticket> {
        let now = Timestamp::now();
        let mut slots = self.lock();
        slots.retain(|_, slot| matches!(slot, Slot::Open(_)) || !slot.is_over(now));
        let over: Vec<Digest> = slots
            .iter()
            .filter(|(_, slot)| match slot {
                Slot::Open(ticket) => {
                    session.map_or(now >= ticket.expires, |session| ticket.session == *session)
                }
                Slot::Gone { .. } => false,
            })
            .map(|(key, _)| key.clone())
            .collect();
        let mut lapsed = Vec::new();
        for key in over {
            if let Some(Slot::Open(ticket)) = slots.remove(&key) {
                let process = ticket.process.clone();
                let until = later(now, REMEMBERED);
                slots.insert(key, Slot::Gone { why: "ticket.expired", process, until, folder: None });
                lapsed.push(*ticket);
            }
        }
        lapsed
    }
}

impl Slot {
    fn is_over(&self, now: Timestamp) -> bool {
        matches!(self, Self::Gone { until, .. } if now >= *until)
    }
}

/// A run will come soon: its sandbox is made ready while the client takes up the ticket. Without a thread for it the
/// run makes its own.
fn make_ready(sandbox: &Arc<Sandbox>) {
    let sandbox = Arc::clone(sandbox);
    let _ =
        std::thread::Builder::new().name("sandbox-ready".into()).spawn(move || sandbox.engine().prepare());
}

/// Records what nobody ran: lapsed tickets, or, with a session, all of it.
pub async fn sweep(door: &Door, session: Option<&SessionId>) {
    for ticket in door.custody().tickets().lapsed(session) {
        if let Right::Held(permit) = ticket.right
            && let Err(error) = permit.withdraw().await
        {
            tracing::error!("{error}");
        }
    }
}

/// Whether a command's text names anything that may leave its shell in another folder.
fn may_change_folder(command: &str) -> bool {
    command
        .split(|ch: char| !(ch.is_alphanumeric() || ch == '_' || ch == '.'))
        .any(|word| matches!(word, "cd" | "chdir" | "pushd" | "popd" | "source" | "." | "eval" | "z" | "j"))
}

pub(super) fn later(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.checked_add(by).unwrap_or(Timestamp::MAX)
}

fn digest(secret: &str) -> Digest {
    Digest::of(secret.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_core::approval::{Binding, Warning};
    use doorward_core::decision::Confirm;
    use doorward_core::finding::Severity;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn own() -> (i32, ClientProcess) {
        let pid = i32::try_from(std::process::id()).unwrap();
        (pid, ClientProcess::of(pid).unwrap())
    }

    /// A book with one ticket of this process, good for so many seconds.
    fn book(good: i64) -> (Arc<Door>, Tickets) {
        let door = Door::open(crate::Options::simulation(crate::layers::Places::default())).unwrap();
        let call = doorward_inspect::example_call("shell:execute", "command", "ls").unwrap();
        let now = Timestamp::now();
        let ask = Ask {
            id: "a".into(),
            decision: "d".into(),
            binding: Binding {
                caller: String::new(),
                session: "s".into(),
                project: String::new(),
                cwd: String::new(),
                server: String::new(),
                tool: String::new(),
                args_digest: Digest::of(b"arguments"),
                effects_digest: Digest::of(b"effects"),
                pin_digest: None,
                preview_digest: Digest::of(b"preview"),
                policy_version: String::new(),
            },
            confirm: Confirm::default(),
            warning: Warning { level: Severity::Low, message: String::new() },
            args: call.args_value(),
            reason: String::new(),
            guardian: None,
            origin: doorward_core::approval::AskOrigin::default(),
            expires: now,
        };
        let ticket = Ticket {
            right: Right::Asked { call: Box::new(call), ask: Box::new(ask) },
            project: door.project(None),
            root: PathBuf::from("/"),
            session: "s".into(),
            process: own().1,
            cwd: "/".to_owned(),
            command: "ls".to_owned(),
            text: "doorward exec".to_owned(),
            expires: later(now, SignedDuration::from_secs(good)),
            background: false,
            predicted: Arc::default(),
        };
        let tickets = Tickets::default();
        tickets.lock().insert(digest(SECRET), Slot::Open(Box::new(ticket)));
        (door, tickets)
    }

    fn presented(secret: &str) -> Presented {
        Presented {
            ticket: secret.to_owned(),
            cwd: "/".to_owned(),
            command: None,
            folder: false,
            input: false,
        }
    }

    fn code(taken: Result<Ticket, Refusal>) -> String {
        taken.map_or_else(|refusal| refusal.code, |_| "taken".to_owned())
    }

    #[test]
    fn a_ticket_is_taken_once_in_time_by_its_own() {
        let pid = own().0;
        let (_door, tickets) = book(60);
        assert!(tickets.stands_for(&"s".into(), "doorward exec").is_some());
        assert!(tickets.stands_for(&"t".into(), "doorward exec").is_none());
        assert_eq!(code(tickets.take(&presented(&"0".repeat(32)), pid)), "ticket.unknown");
        assert_eq!(code(tickets.take(&presented(SECRET), 1)), "ticket.foreign");
        assert_eq!(code(tickets.take(&presented(SECRET), pid)), "taken");
        assert_eq!(code(tickets.take(&presented(SECRET), pid)), "ticket.used");
        assert!(
            tickets.stands_for(&"s".into(), "doorward exec").is_none(),
            "what was used stands for nothing"
        );
    }

    #[test]
    fn a_late_ticket_is_refused_before_and_after_the_sweep() {
        let pid = own().0;
        let (_door, tickets) = book(-1);
        assert!(tickets.stands_for(&"s".into(), "doorward exec").is_none());
        assert_eq!(code(tickets.take(&presented(SECRET), pid)), "ticket.expired");
        assert_eq!(tickets.lapsed(None).len(), 1);
        assert_eq!(tickets.lapsed(None).len(), 0);
        assert_eq!(code(tickets.take(&presented(SECRET), pid)), "ticket.expired");
    }

    #[test]
    fn a_session_that_ends_takes_its_tickets_along() {
        let (_door, tickets) = book(60);
        assert_eq!(tickets.lapsed(None).len(), 0);
        assert_eq!(tickets.lapsed(Some(&"t".into())).len(), 0);
        assert_eq!(tickets.lapsed(Some(&"s".into())).len(), 1);
        assert_eq!(code(tickets.take(&presented(SECRET), own().0)), "ticket.expired");
    }

    #[test]
    fn the_folder_of_a_run_is_told_once_and_only_to_its_own() {
        let pid = own().0;
        let (_door, tickets) = book(60);
        assert_eq!(
            tickets.folder(&presented(SECRET), pid).unwrap_err().code,
            "ticket.foreign",
            "it didn't run yet"
        );
        assert_eq!(code(tickets.take(&presented(SECRET), pid)), "taken");
        tickets.ended_in(SECRET, "/below".to_owned());
        assert_eq!(tickets.folder(&presented(SECRET), 1).unwrap_err().code, "ticket.foreign");
        assert_eq!(tickets.folder(&presented(SECRET), pid).unwrap(), "/below");
        assert_eq!(tickets.folder(&presented(SECRET), pid).unwrap_err().code, "ticket.no_folder");
    }

    #[test]
    fn what_moves_a_shell_is_seen() {
        for moving in ["cd x", "a && cd", "pushd ..;ls", ". ./env", "source env", "(eval \"$x\")"] {
            assert!(may_change_folder(moving), "{moving}");
        }
        for staying in ["ls", "abcd x", "git log --oneline", "echo 'a.b'"] {
            assert!(!may_change_folder(staying), "{staying}");
        }
    }
}
