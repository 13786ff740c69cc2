//! The gate of what a person starts at a terminal without the service: a durable record of its own, and the terminal as
//! the place where questions are asked.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use doorward::hook::Peer;
use doorward::rooms::core::Boxed;
use doorward::rooms::core::approval::{Answer, Approver, Ask, Binding, Grant, Presence, Reach};
use doorward::rooms::core::call::ToolCall;
use doorward::rooms::core::finding::Severity;
use doorward::rooms::core::id::{QuestionId, RecordId};
use doorward::rooms::core::record::{ApprovalEvent, ApprovalRecord, Record, UserDecision};
use doorward::rooms::gate::{Admission, Permit};
use doorward::{Door, Options};
use jiff::{SignedDuration, Timestamp};

use crate::approvals::visible;
use crate::output::Failure;
use crate::state::StateOption;

/// Folder of these records in the state directory.
const FOLDER: &str = "runs";
/// How long a yes at the terminal is good for: the call enters the gate again at once.
const GOOD: SignedDuration = SignedDuration::from_secs(60);

/// What typing a command says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typed {
    /// Nothing: what needs a person is asked.
    SaysNothing,
    /// The person wants exactly this: an agent that is started enclosed.
    IsTheYes,
}

/// A gate with a durable record of its own, in a new folder below the state directory.
pub(crate) struct OwnRecord {
    /// Judges, records and holds the sandbox.
    pub(crate) door: Arc<Door>,
    terminal: Arc<Terminal>,
}

impl OwnRecord {
    /// Opens it beside a service's state. `what` begins the folder's name.
    pub(crate) fn open(what: &str, service: &StateOption) -> Result<Self, Failure> {
        let state = service.folder();
        let folder =
            state.join(FOLDER).join(format!("{what}-{}", doorward::rooms::core::id::fresh().to_lowercase()));
        let options = Options { beside: Some(state), ..Options::at(folder, service.places()) };
        let terminal = Arc::<Terminal>::default();
        let door = Door::open_with(options, Arc::clone(&terminal) as Arc<dyn Approver>)?;
        Ok(Self { door, terminal })
    }

    /// Where the record is kept, to be read with `doorward audit --state`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.door.state().map(PathBuf::from).unwrap_or_default()
    }

    /// Takes a call through the gate. What needs a person is asked at the terminal; with `typed`, having typed the
    /// command is the yes where a plain one is enough.
    pub(crate) async fn admit(&self, call: ToolCall, typed: Typed) -> Result<Permit, Failure> {
        let project = self.door.project(None);
        let pending = match project.admit(call.clone()).await {
            Admission::Admitted(permit) => return Ok(permit),
            Admission::Denied(denial) => return Err(Failure::new(denial.code, denial.reason)),
            Admission::Pending(pending) => pending,
        };
        let ask = &pending.ask;
        let plain = ask.confirm.level <= 1 && ask.confirm.groups.is_empty();
        let (yes, presence) = if typed == Typed::IsTheYes && plain {
            let there = self.door.is_at_terminal(own_process());
            (true, if there { Presence::Terminal } else { Presence::PeerUid })
        } else {
            (ask_at_terminal(&self.door, ask)?, Presence::Terminal)
        };
        self.record(ask, &call.principal.id, yes, presence).await?;
        if !yes {
            return Err(Failure::new("approval.rejected", "you said no, so nothing runs"));
        }
        self.terminal.say_yes(grant(ask, &call.principal.id, presence));
        match project.admit(call).await {
            Admission::Admitted(permit) => Ok(permit),
            Admission::Denied(denial) => Err(Failure::new(denial.code, denial.reason)),
            Admission::Pending(pending) => Err(Failure::new(
                "approval.mismatch",
                format!("what would run is no longer what you were asked about: {}", pending.ask.reason),
            )),
        }
    }

    async fn record(&self, ask: &Ask, by: &str, yes: bool, presence: Presence) -> Result<(), Failure> {
        let records =
            self.door.records().ok_or_else(|| Failure::new("ledger.none", "nothing is recorded"))?;
        let answer = ApprovalRecord {
            v: 1,
            id: RecordId::fresh(),
            time: Timestamp::now(),
            of: ask.decision.clone(),
            event: ApprovalEvent::Answered,
            decision: Some(if yes { UserDecision::Allowed } else { UserDecision::Denied }),
            by: by.to_owned(),
            presence: Some(presence),
            level: ask.confirm.level,
            via: "terminal".to_owned(),
        };
        records.append(Record::Approval(answer)).await?;
        Ok(())
    }
}

fn grant(ask: &Ask, by: &str, presence: Presence) -> Grant {
    let now = Timestamp::now();
    Grant {
        nonce: ask.id.to_string(),
        binding: ask.binding.clone(),
        level: ask.confirm.level.max(1),
        by: by.to_owned(),
        by_groups: Vec::new(),
        presence,
        at: now,
        expires: now.checked_add(GOOD).unwrap_or(now),
        reach: Reach::Once,
        uses_left: Some(1),
    }
}

/// Shows what would happen and reads the answer. Only a person at a terminal that no agent owns is asked.
fn ask_at_terminal(door: &Door, ask: &Ask) -> Result<bool, Failure> {
    let why = visible(&ask.reason);
    let refuse = |code: &str, then: &str| {
        Failure::new(code, format!("it needs a person's yes: {}; {then}", why.trim_end_matches('.')))
    };
    if ask.confirm.level > 2 || !ask.confirm.groups.is_empty() {
        let then = "a second person or a group has to agree, which takes the service: doorward serve";
        return Err(refuse("approval.level", then));
    }
    if !std::io::stderr().is_terminal() || !door.is_at_terminal(own_process()) {
        let then = "run it at a terminal, or allow it by a rule in doorward.toml";
        return Err(refuse("approval.no_terminal", then));
    }
    let mut terminal = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/tty")
        .map_err(|_| refuse("approval.no_terminal", "run it at a terminal, or allow it by a rule"))?;
    let level = ask.warning.level.as_str();
    writeln!(terminal, "\u{1b}[33m{level}\u{1b}[0m  {}", visible(&ask.warning.message))?;
    if ask.warning.message != ask.reason {
        writeln!(terminal, "        {why}")?;
    }
    let wanted = ask.confirm.phrase.as_deref().filter(|_| ask.confirm.level == 2);
    match wanted {
        Some(phrase) => write!(terminal, "type {phrase:?} to run it: ")?,
        None => write!(terminal, "run it? [y/N] ")?,
    }
    terminal.flush()?;
    let mut line = String::new();
    std::io::BufReader::new(terminal).read_line(&mut line)?;
    let said = line.trim();
    Ok(wanted.map_or_else(|| matches!(said, "y" | "Y" | "yes"), |phrase| said == phrase))
}

fn own_process() -> Peer {
    Peer { uid: rustix::process::getuid().as_raw(), pid: i32::try_from(std::process::id()).ok() }
}

/// The person at the terminal, as the gate knows people: a question is put when the gate has answered, and the yes is
/// kept for the call's second entrance.
#[derive(Default)]
struct Terminal {
    yes: Mutex<Option<Grant>>,
}

impl Terminal {
    fn say_yes(&self, grant: Grant) {
        *self.yes.lock().unwrap_or_else(PoisonError::into_inner) = Some(grant);
    }
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, _: &'a Ask) -> Boxed<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn wait<'a>(&'a self, _: &'a QuestionId, _: Timestamp) -> Boxed<'a, Answer> {
        Box::pin(std::future::ready(Answer::NoApprover))
    }

    fn redeem<'a>(&'a self, binding: &'a Binding, _: Severity, now: Timestamp) -> Boxed<'a, Option<Grant>> {
        let mut yes = self.yes.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = yes.as_ref().is_some_and(|grant| grant.mismatch(binding, now).is_none());
        Box::pin(std::future::ready(if fits { yes.take() } else { None }))
    }
}
