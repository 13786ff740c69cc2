//! The hook surface: a client's event in, the client's reply out. Custody is `advised`, or `bound` for shell calls
//! that the settings bind.
//!
//! Everything in an event is a claim, and claims only tighten: the session is the claimed id plus the client's
//! process, the root is where that process was started, the mode is capped. What the client is told for a verdict is
//! looked up in one table (`doorward_hooks::emission`, docs/emission.md); what it then does is recorded as it happens.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::approval::Answer as Answered;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Surface, ToolCall, Workplace,
};
use doorward_core::decision::{Basis, Decision, Verdict};
use doorward_core::id::SessionId;
use doorward_core::json::Value;
use doorward_core::mode::PermissionMode;
use doorward_core::record::Outcome;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::{CanonicalTool, Client};
use doorward_gate::{Admission, Case, Done, Pending, Permit};
use doorward_hooks::clients::{self, Asked, ClientMode, Contract, Untold};
use doorward_hooks::emission::{Emission, Situation, emission};
use doorward_hooks::{After, Answer, Event, HookCall, Reply, Say};
use doorward_policy::shorthand::USER_ALLOW;
use doorward_settings::{Ask, Hooks, OnNoMatch, Relieve, ShellCustody};
use jiff::Timestamp;

use self::account::Account;
use self::calls::{Calls, Told, Why};
use self::counted::Counted;
pub use self::counted::counted;
use crate::Door;
use crate::bind::{self, Refusal, Wanted};
use crate::client_rules;
use crate::entrance::{Entrance, LabelDuty};
use crate::explaining;
use crate::links::Ways;
use crate::mcp;
use crate::process::{self, ClientProcess};
use crate::project::Project;
use crate::served;
use crate::terminal::Terminal;

mod account;
mod calls;
mod canary;
mod counted;
mod reaching;
mod second;
mod terminals;
mod words;

pub use second::{Second, second};

/// Who is at the other end of the socket, as the kernel says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// User.
    pub uid: u32,
    /// Process.
    pub pid: Option<i32>,
}

/// How long a hook waits that doesn't say so; below the time-out that is installed in clients.
const LONGEST: Duration = Duration::from_secs(110);
/// What is left of that for judging once more after a person's yes.
const AFTER_YES: Duration = Duration::from_secs(10);

/// How long a hook waits for a person where somebody has the console or the list of questions open, unless
/// `hooks.wait_s` says otherwise.
const WHILE_SOMEBODY_LOOKS: Duration = Duration::from_secs(20);

/// What is remembered of sessions: the roots that they were pinned to at their first event, what is known of their
/// terminals, and their calls.
#[derive(Debug, Default)]
pub struct Pinned {
    roots: Mutex<HashMap<SessionId, PathBuf>>,
    terminals: Mutex<HashMap<SessionId, Terminal>>,
    calls: Calls,
    counted: Counted,
}

impl Pinned {
    /// The root of a session: where the client's process runs, pinned when it is first seen. The claimed folder
    /// only stands in where the kernel doesn't tell, or where the client's events name the workspace (`told`), and then
    /// stays what it was first.
    fn root(
        &self,
        session: &SessionId,
        process: Option<&ClientProcess>,
        claimed: &str,
        told: bool,
    ) -> PathBuf {
        let process = process.filter(|_| !told || claimed.is_empty());
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots
            .entry(session.to_owned())
            .or_insert_with(|| {
                process.and_then(|process| process.cwd.clone()).unwrap_or_else(|| PathBuf::from(claimed))
            })
            .clone()
    }

    /// The root of a session that was seen before.
    fn known_root(&self, session: &SessionId) -> Option<PathBuf> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).get(session).cloned()
    }

    fn forget(&self, session: &SessionId) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
        self.terminals.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
        self.calls.forget(session);
    }
}

/// Answers one event of a client, before the hook's time is over: `left`, as far as it says.
pub async fn answer(door: &Door, peer: Peer, client: Client, event: &[u8], left: Option<Duration>) -> Reply {
    let left = left.map_or(LONGEST, |left| left.min(LONGEST));
    let deadline = Timestamp::now().checked_add(left).unwrap_or(Timestamp::MAX);

    let event = match doorward_hooks::event(client, event) {
        Ok(event) => event,
        Err(error) => return fault(door, client, peer, &error.to_string()),
    };
    if !served::may_send_events(peer.uid) {
        let name = user_name(served::uid());
        return fault(door, client, peer, &format!("this service is {name}'s (service.other_user)"));
    }
    let process = peer.pid.and_then(ClientProcess::of_hook);
    match event {
        Event::Call(call) if canary::word(&call).is_some() => {
            let name = call.event.clone();
            doorward_hooks::reply(client, &name, &canary::answer(door, &call))
        }
        Event::Call(call) => {
            let name = call.event.clone();
            let session = session_key(client, &call.session, process.as_ref());
            let asking = Asking {
                door,
                contract: clients::contract(client),
                session,
                peer,
                process: process.as_ref(),
                deadline,
            };
            match asking.answer(*call).await {
                Ok(answer) => doorward_hooks::reply(client, &name, &answer),
                Err(reason) => fault(door, client, peer, &reason),
            }
        }
        Event::After(after) => {
            if let Some(end) = &after.terminal {
                let session = session_key(client, &after.session, process.as_ref());
                door.projects().pinned().ended(&session, &after.args_digest, end);
            }
            observe(door, client, peer, &after, process.as_ref()).await
        }
        Event::Turn { session, turn, over, prompt, transcript } => {
            let account = account(client, transcript, process.as_ref(), peer);
            let session = session_key(client, &session, process.as_ref());
            let title = prompt.and_then(|prompt| door.sessions().said(&session, &prompt));
            let Some(records) = door.records() else { return Reply::default() };
            if let Some(title) = title {
                let own = ("session".into(), Value::from(session.to_string()));
                records.note("session.title", title, std::iter::once(own).collect());
            }
            for decision in door.projects().pinned().calls.over(&session, turn.as_deref(), over) {
                // Nothing waits for this event: it must stop neither the person's prompt nor the end of the turn.
                if let Err(error) =
                    records.open().turn_over(&decision, |call| account.meaning(call.as_str())).await
                {
                    tracing::error!("{error}");
                }
            }
            Reply::default()
        }
        Event::SessionEnd { session, transcript } => {
            let account = account(client, transcript, process.as_ref(), peer);
            let session = session_key(client, &session, process.as_ref());
            door.sessions().ended(&session);
            door.approvals().end_tasks(&session).await;
            door.projects().pinned().forget(&session);
            bind::sweep(door, Some(&session)).await;
            let Some(records) = door.records() else { return Reply::default() };
            match records.open().end_session(&session, |call| account.meaning(call.as_str())).await {
                Ok(_) => Reply::default(),
                Err(error) => fault(door, client, peer, &error.to_string()),
            }
        }
        Event::Other => Reply::default(),
    }
}

fn account(client: Client, file: Option<String>, process: Option<&ClientProcess>, peer: Peer) -> Account<'_> {
    Account { contract: clients::contract(client), file, process, user: peer.uid }
}

/// Hands an allowed call over; what its client is told.
fn passing(permit: Permit, said: Emission, project: &Project) -> Answer {
    let note = words::paused(permit.case().decision(), project);
    let _recorded = permit.hand_over();
    match (said, note) {
        (Emission::Yes, _) => Answer::Allow,
        (_, Some(note)) => Answer::Noted { note },
        (_, None) => Answer::NoOpinion,
    }
}

/// The denial for an event that couldn't be read, judged or recorded; that it came is recorded.
fn fault(door: &Door, client: Client, peer: Peer, reason: &str) -> Reply {
    if let Some(records) = door.records() {
        let from = [("client", client.as_str().to_owned()), ("user", user_name(peer.uid))];
        records.fault("hook.fault", reason, &from);
    }
    doorward_hooks::fault(client, reason)
}

/// A client that asks about a call.
struct Asking<'a> {
    door: &'a Door,
    contract: &'static Contract,
    session: SessionId,
    peer: Peer,
    process: Option<&'a ClientProcess>,
    deadline: Timestamp,
}

/// A call as it enters the gate, with what its client does about it.
struct Entering {
    call: ToolCall,
    project: std::sync::Arc<Project>,
    root: PathBuf,
    untold: Untold,
    asked: Asked,
    attended: bool,
    bound: bool,
    own: client_rules::OwnSettings,
}

/// Where the agent is, and who runs the call.
struct Surroundings {
    root: PathBuf,
    bound: bool,
    enclosed: bool,
}

impl Entering {
    fn here(&self) -> words::Here<'_> {
        words::Here { project: &self.root, home: crate::home() }
    }

    fn situation(&self, decision: &Decision, waives: bool) -> Situation {
        Situation {
            verdict: decision.verdict,
            basis: decision.basis,
            level: decision.confirm.as_ref().map_or(1, |confirm| confirm.level),
            waives,
            ..self.if_asked(Basis::Rule)
        }
    }

    /// A plain question that rests on this.
    fn if_asked(&self, basis: Basis) -> Situation {
        let queued = self.project.settings().hooks.ask == Ask::Queue;
        Situation {
            verdict: Verdict::Confirm,
            basis,
            level: 1,
            untold: self.untold,
            asked: self.asked,
            waives: false,
            // In dontAsk nobody is asked at the client's prompt: the only question there, the guardian's, waits.
            queue_first: queued || self.call.mode == PermissionMode::DontAsk,
            bound: self.bound,
        }
    }
}

impl Asking<'_> {
    /// The answer to one event: made once for all that announce the same call.
    async fn answer(&self, hook: HookCall) -> Result<Answer, String> {
        let calls = &self.door.projects().pinned().calls;
        if let Some(told) = calls.told_before(&self.session, &hook).filter(|told| !told.bound) {
            return self.later_event(&hook, &told);
        }
        let own = self.peer.pid.and_then(ClientProcess::of);
        let place = calls.place(&self.session, &hook, own.map(|own| own.started));
        let mut made = place.lock().await;
        if let Some((_, answer)) = &*made {
            return Ok(answer.clone());
        }
        let (answer, told) = self.decide(&hook).await?;
        if matches!(answer, Answer::Allow | Answer::NoOpinion | Answer::Noted { .. }) {
            self.goes_to_terminal(&hook);
        }
        if let Some(told) = told {
            calls.told(&self.session, &place, told);
        }
        *made = Some((process::ticks_now(), answer.clone()));
        Ok(answer)
    }

    /// The client asks a person about a call that was judged at an earlier event: no second decision is made.
    fn later_event(&self, hook: &HookCall, told: &Told) -> Result<Answer, String> {
        let records = self.door.records().ok_or(NO_RECORD)?;
        match told.emission {
            Emission::Nothing | Emission::Ask => {
                // Claude Code 2.1.330 announces a dialog also where nobody sees it, and refuses the call.
                if told.attended {
                    records.open().dialog_shown(&told.decision);
                }
                Ok(Answer::NoOpinion)
            }
            Emission::Yes if self.contract.asks_by_event == Some(hook.event.as_str()) => Ok(Answer::Allow),
            Emission::Yes => Ok(Answer::NoOpinion),
            Emission::Queue | Emission::No => {
                Ok(Answer::Deny { reason: "Doorward: this call was denied before (call.denied)".to_owned() })
            }
        }
    }

    async fn decide(&self, hook: &HookCall) -> Result<(Answer, Option<Told>), String> {
        let door = self.door;
        let records = door.records().ok_or(NO_RECORD)?;
        let entering = match self.entering(hook).await? {
            Ok(entering) => entering,
            Err(answer) => return Ok((answer, None)),
        };
        let mut admission = entering.project.admit(entering.call.clone()).await;
        if let Admission::Pending(pending) = &admission
            && by_mode_alone(pending)
            && entering.own.allow(pending.case.inspected())
        {
            admission = bind::pass_by_client_rule(door, &entering.project, &entering.call, &pending.ask)
                .await
                .map_err(|refusal| refusal.to_string())?;
        }
        let mut said = self.emission(&entering, &admission);
        door.projects().pinned().counted.add(&admission, said);
        if let Admission::Pending(pending) = &admission
            && said == Emission::Queue
        {
            if by_mode_alone(pending) && entering.call.mode_prompt == Some(Prompt::Client) {
                // It was left to rules of the client's own, and they don't settle it.
                door.approvals().approver().ask(&pending.ask).await?;
            }
            match self.wait(&entering, pending).await {
                Ok(()) => admission = entering.project.admit(entering.call.clone()).await,
                Err(reason) => {
                    let attended = entering.attended;
                    let told = Told {
                        decision: pending.ask.decision.clone(),
                        emission: said,
                        attended,
                        bound: entering.bound,
                        why: Why::from(pending.case.decision()),
                        at: Instant::now(),
                    };
                    return Ok((Answer::Deny { reason }, Some(told)));
                }
            }
            said = self.emission(&entering, &admission);
        }
        if let Admission::Pending(pending) = &admission
            && said == Emission::Ask
        {
            records.open().dialog_shown(&pending.ask.decision);
        }
        let decision = match &admission {
            Admission::Admitted(permit) => Some(permit.decision().clone()),
            Admission::Denied(denial) => denial.decision.clone(),
            Admission::Pending(pending) => Some(pending.ask.decision.clone()),
        };
        let told = decision.map(|decision| Told {
            decision,
            emission: said,
            attended: entering.attended,
            bound: entering.bound,
            why: admission.case().map(|case| Why::from(case.decision())).unwrap_or_default(),
            at: Instant::now(),
        });
        if entering.bound {
            return Ok((self.bound(hook, admission, &entering).await?, told));
        }
        let answer = match (admission, said) {
            (Admission::Admitted(permit), said) => passing(permit, said, &entering.project),
            (Admission::Denied(denial), _) => Answer::Deny { reason: words::denied(&denial) },
            (Admission::Pending(_), Emission::Nothing) => Answer::NoOpinion,
            (Admission::Pending(pending), Emission::Ask) => {
                let rules = self.passing_rules(&entering, &pending).await;
                Answer::Ask { reason: words::asked(&pending.ask.reason, rules.as_deref(), &entering.here()) }
            }
            // Approved, and the call is no longer what was approved: asked once more.
            (Admission::Pending(pending), _) => {
                Answer::Deny { reason: self.waiting(&entering, &pending).await }
            }
        };
        Ok((answer, told))
    }

    /// The user's rules that would let this call pass.
    async fn passing_rules(&self, entering: &Entering, pending: &Pending) -> Option<Vec<String>> {
        explaining::passing_rules(self.door, std::sync::Arc::clone(&entering.project), &pending.case).await
    }

    /// That a question waits in our queue.
    async fn waiting(&self, entering: &Entering, pending: &Pending) -> String {
        let rules = self.passing_rules(entering, pending).await;
        let ways = Ways::of(self.door, &pending.ask).await;
        words::waiting(&pending.ask, &ways, rules.as_deref(), &entering.here())
    }

    /// What this client is told, by the table.
    fn emission(&self, entering: &Entering, admission: &Admission) -> Emission {
        let Some(case) = admission.case() else { return Emission::No };
        let hooks = &entering.project.settings().hooks;
        let verdict = match admission {
            Admission::Admitted(_) => Verdict::Allow,
            Admission::Pending(_) => Verdict::Confirm,
            Admission::Denied(_) => Verdict::Deny,
        };
        let situation = entering.situation(case.decision(), waives_prompt(hooks, case));
        emission(&Situation { verdict, ..situation })
    }

    /// Our own queue: a yes becomes a grant, with which the call enters from the start.
    async fn wait(&self, entering: &Entering, pending: &Pending) -> Result<(), String> {
        let attendance = self.door.approvals().attendance();
        reaching::tell(self.door, &pending.ask, self.process);
        // Made before the waiting, which ends shortly before the hook's own time does.
        let waiting = self.waiting(entering, pending).await;
        let left = Duration::try_from(self.deadline.duration_since(Timestamp::now())).unwrap_or_default();
        let longest = match entering.project.settings().hooks.wait_s {
            Some(seconds) => Duration::from_secs(seconds),
            None if attendance.is_somebody_there() => WHILE_SOMEBODY_LOOKS,
            None => Duration::ZERO,
        };
        let wait = longest.min(left.saturating_sub(AFTER_YES.min(left / 4)));
        let until = Timestamp::now().checked_add(wait).unwrap_or(self.deadline);
        match self.door.approvals().approver().wait(&pending.ask.id, until).await {
            Answered::Allowed { .. } => Ok(()),
            other => Err(match words::unanswered(&other, &pending.ask) {
                Some(reason) => reason,
                None => waiting,
            }),
        }
    }

    /// The call with everything that is known beside the event, or an answer that needs no judging.
    async fn entering(&self, hook: &HookCall) -> Result<Result<Entering, Answer>, String> {
        let (door, contract) = (self.door, self.contract);
        let records = door.records().ok_or(NO_RECORD)?;
        let root =
            door.projects().pinned().root(&self.session, self.process, &hook.cwd, contract.tells_workspace);
        let mut project = door.project(Some(&root));
        let enclosed = self.peer.pid.is_some_and(process::is_guarded);
        if enclosed {
            records.enclosed(&self.session).await.map_err(|error| error.to_string())?;
        }
        if let Some(refusal) = posture_refuses(&project, enclosed) {
            return Ok(Err(refused(&refusal)));
        }
        let bind = enclosed || project.settings().hooks.shell == ShellCustody::Bind;
        // A tool of another shell can't be handed the line that a bound command becomes.
        let bound = bind && hook.tool == CanonicalTool::Shell && !hook.args.contains_key("shell");
        let mut own = client_rules::OwnSettings::default();
        let agents = Surroundings { root, bound, enclosed };
        if bound {
            let command = hook.args.get("command").and_then(Value::as_str).unwrap_or_default();
            if let Some(left) = door.custody().tickets().stands_for(&self.session, command) {
                if let Some(decision) = left.filter(|_| is_dialog(contract, hook)) {
                    records.open().dialog_shown(&decision);
                }
                return Ok(Err(Answer::NoOpinion));
            }
            if is_dialog(contract, hook) {
                return Ok(Err(refused(&Refusal::new(
                    "ticket.missing",
                    "this shell call didn't come through the gate, so it doesn't run",
                ))));
            }
        }
        // The client reads its rules itself, for calls that it sees as they were written.
        if let Some(process) = self.process.filter(|_| bound) {
            own = match door.projects().clients().rules(contract, &agents.root, process) {
                Ok(own) => own,
                Err(error) => return Ok(Err(Answer::Deny { reason: format!("Doorward: {error}") })),
            };
            project = door.project_with(Some(&agents.root), OnNoMatch::Mode, own.layers.clone());
        }
        Ok(match self.begins_in(hook) {
            Ok(cwd) => {
                let mut entering = self.call(hook, cwd, project, agents, own);
                mcp::hold_to_pinned_schema(door, &mut entering.call).await;
                Ok(entering)
            }
            Err(refusal) => Err(refused(&refusal)),
        })
    }

    fn call(
        &self,
        hook: &HookCall,
        cwd: String,
        project: std::sync::Arc<Project>,
        surroundings: Surroundings,
        own: client_rules::OwnSettings,
    ) -> Entering {
        let Surroundings { root, bound, enclosed } = surroundings;
        let (door, contract) = (self.door, self.contract);
        let words = self.process.map(ClientProcess::words).unwrap_or_default();
        let settings = project.settings();
        let claimed = hook.mode.or_else(|| (contract.started_in)(&words));
        let mode = claimed.unwrap_or_else(|| ClientMode::from_word(settings.modes.default.as_str()));
        let silenced =
            self.process.is_some_and(|process| self.door.projects().clients().is_silenced(contract, process));
        let attended = !(silenced || (contract.asks_nobody)(&words));
        let (untold, asked) = contract.does(mode, attended, hook);
        let user = user_name(self.peer.uid);
        let caller = Caller {
            principal: Principal { groups: settings.policy.groups_of(&user), id: user },
            session: self.session.clone(),
            client: contract.client,
            surface: Surface::Hook,
            custody: if bound { Custody::Bound } else { Custody::Advised },
        };
        let mut workplace = Workplace { cwd, roots: project.roots(&root), outside: OutsideRoots::Ask };
        if workplace.cwd.is_empty() {
            workplace.cwd = root.display().to_string();
        }
        let entrance = Entrance::new(caller, hook.tool.clone(), hook.args.clone(), workplace);
        // The schemas are the client's own, so nobody owes a label here.
        let entrance = Entrance { mode: claimed, label: LabelDuty::Volunteered, ..entrance };
        let mut call = entrance.call(settings);
        if let Some(id) = &hook.call {
            call.id = id.clone();
        }
        call.agent.clone_from(&hook.agent);
        call.deadline = Some(self.deadline);
        call.rewrites = contract.takes_rewrites;
        call.enclosed = enclosed;
        if bound {
            let promised = bind::promised(door, &project, &root, &call, in_background(hook));
            call.sandbox = Some(Box::new(promised));
        }
        call.unreported = !contract.reports_outcomes;
        let mut entering = Entering { call, project, root, untold, asked, attended, bound, own };
        // Whoever would be told to ask, or would ask by itself, is the one who asks.
        let through = |basis| match emission(&entering.if_asked(basis)) {
            Emission::Nothing | Emission::Ask => Prompt::Client,
            _ if door.approvals().asks() => Prompt::Queue,
            _ => Prompt::None,
        };
        let (mut for_mode, for_rest) = (through(Basis::Mode), through(Basis::Rule));
        if entering.own.allows_some() {
            // Its own rules may settle what only the mode asks about; the queue comes after them.
            for_mode = Prompt::Client;
        }
        entering.call.prompt = for_rest;
        entering.call.mode_prompt = (for_mode != for_rest).then_some(for_mode);
        entering
    }

    /// The answer for a call that Doorward runs itself: a ticket in its place, or a denial.
    async fn bound(
        &self,
        hook: &HookCall,
        admission: Admission,
        entering: &Entering,
    ) -> Result<Answer, String> {
        let door = self.door;
        let Some(process) = self.process else {
            if let Admission::Admitted(permit) = admission {
                permit.withdraw().await.map_err(|error| error.to_string())?;
            }
            return Ok(refused(&Refusal::new("ticket.unbound", "it isn't known which process asks")));
        };
        let predicted = admission.case().map(|case| case.inspected().effects.clone()).unwrap_or_default();
        let wanted = Wanted {
            call: &entering.call,
            project: &entering.project,
            root: &entering.root,
            process,
            predicted: &predicted,
            background: in_background(hook),
            follows: self.contract.keeps_folder,
        };
        let (held, say) = match admission {
            // What we run in bounds of ours needs no second yes from the client; its own rules were read with ours.
            Admission::Admitted(permit) => (door.custody().tickets().hold(door, permit, &wanted), Say::Allow),
            Admission::Denied(denial) => return Ok(Answer::Deny { reason: words::denied(&denial) }),
            Admission::Pending(pending) if self.asks(entering, &pending) => {
                let command = entering.call.arg("command").unwrap_or_default();
                let reason = words::asked_to_run(&pending.ask.reason, command);
                (door.custody().tickets().ask(door, *pending.ask, &wanted), Say::Ask { reason })
            }
            Admission::Pending(pending) => {
                return Ok(Answer::Deny { reason: self.waiting(entering, &pending).await });
            }
        };
        // A dialog shows the description: there it is the command as it was written.
        let shown = matches!(say, Say::Ask { .. }).then(|| entering.call.arg("command")).flatten();
        let written = held.and_then(|held| rewritten(&hook.raw_args, held.text, shown));
        Ok(written.map_or_else(|refusal| refused(&refusal), |input| Answer::Rewrite { input, say }))
    }

    fn asks(&self, entering: &Entering, pending: &Pending) -> bool {
        emission(&entering.situation(pending.case.decision(), false)) == Emission::Ask
    }
}

/// Why nothing is decided at all.
const NO_RECORD: &str = "this service keeps no record, so nothing is decided (ledger.none)";

/// A plain question of the mode's.
fn by_mode_alone(pending: &Pending) -> bool {
    pending.ask.confirm.level <= 1 && pending.case.decision().basis == Basis::Mode
}

/// Whether the event says that the client asks a person, and not that a call is to be made.
fn is_dialog(contract: &Contract, hook: &HookCall) -> bool {
    let first = contract.install.and_then(|target| target.events.first());
    first.is_some_and(|first| *first != hook.event)
        && contract.install.is_some_and(|target| target.events.contains(&hook.event.as_str()))
}

/// What the settings demand of the agent's surroundings and isn't there.
fn posture_refuses(project: &Project, enclosed: bool) -> Option<Refusal> {
    if enclosed {
        return None;
    }
    let settings = project.settings();
    if served::is_another() && settings.hooks.shell == ShellCustody::Bind {
        // A call that Doorward runs would run as its own user, who isn't the agent's.
        let reason = "hooks.shell = \"bind\" needs a service of the agent's own user";
        return Some(Refusal::new("bind.separate", reason));
    }
    if settings.service.posture == doorward_settings::Posture::Enclosed {
        let reason = "service.posture requires enclosed agents: start it with `doorward guard -- …`";
        return Some(Refusal::new("posture.not_reached", reason));
    }
    None
}

/// The client's own arguments with another command, and with what is shown of it in place of its description;
/// everything else stays.
fn rewritten(raw: &Value, text: String, shown: Option<&str>) -> Result<Value, Refusal> {
    let Value::Object(members) = raw else { return Err(unwritable()) };
    let mut members = members.clone();
    let name = ["command", "cmd", "command_line"].into_iter().find(|name| members.contains_key(*name));
    members.insert(name.ok_or_else(unwritable)?.to_owned(), Value::from(text));
    if let (Some(description), Some(shown)) = (members.get_mut("description"), shown) {
        *description = Value::from(shown);
    }
    Ok(Value::Object(members))
}

fn unwritable() -> Refusal {
    Refusal {
        code: "ticket.unwritable".to_owned(),
        reason: "the client's arguments have no command to put a ticket in place of".to_owned(),
    }
}

fn refused(refusal: &Refusal) -> Answer {
    Answer::Deny { reason: format!("Doorward: {} ({})", refusal.reason, refusal.code) }
}

async fn observe(
    door: &Door,
    client: Client,
    peer: Peer,
    after: &After,
    process: Option<&ClientProcess>,
) -> Reply {
    let session = session_key(client, &after.session, process);
    let outcome = if after.failed { Outcome::Failed } else { Outcome::Ran };
    let done = Done {
        output_digest: after.output_digest.clone(),
        bytes: after.bytes,
        output: door.kept_output(&after.output),
        ..Done::default()
    };
    let Some(records) = door.records() else { return Reply::default() };
    let open = records.open();
    let seen = open.observe(&session, after.call.as_ref(), &after.args_digest, outcome, done).await;
    match seen {
        Ok(Some(decision)) => {
            door.sessions().brought(&session, &decision, after.output.as_bytes());
            Reply::default()
        }
        // An event that opened nothing closes nothing, and is no reason to stop the client.
        Ok(None) => Reply::default(),
        Err(error) => fault(door, client, peer, &error.to_string()),
    }
}

/// Whether our yes replaces the client's own prompt: a person's approval, a rule of the user's, the guardian's approval
/// of what the settings delegate to it, or what `hooks.relieve` names.
fn waives_prompt(hooks: &Hooks, case: &Case) -> bool {
    let (decision, inspected) = (case.decision(), case.inspected());
    let proven = inspected.effects.read_only
        && inspected.effects.unknown.is_empty()
        && inspected.risk == SecurityRisk::Low;
    let by_policy = matches!(decision.basis, Basis::Mode | Basis::Risk);
    let relieved = match hooks.relieve {
        Relieve::Off => false,
        Relieve::Proven => proven,
        Relieve::Policy => proven || by_policy,
    };
    case.grant().is_some()
        || by_user_rule(decision)
        || (decision.verdict == Verdict::Allow && (relieved || decision.basis == Basis::Guardian))
}

/// Code of what an engine elsewhere allowed.
const REMOTE_ALLOW: &str = "remote.permit";

/// Whether a rule of the user's allowed it, or the engine that the settings name.
fn by_user_rule(decision: &Decision) -> bool {
    let by_rule = || decision.policy.policies.iter().any(|id| id == USER_ALLOW);
    decision.basis == Basis::Rule
        && decision.verdict == Verdict::Allow
        && (by_rule() || decision.code == REMOTE_ALLOW)
}

fn session_key(client: Client, claimed: &str, process: Option<&ClientProcess>) -> SessionId {
    let client = client.as_str();
    let key = match process {
        Some(process) => format!("{client}/{claimed}@{}.{}", process.pid, process.started),
        None => format!("{client}/{claimed}"),
    };
    key.into()
}

/// The user's name from the system's user database (NSS), or the number.
#[must_use]
pub fn user_name(uid: u32) -> String {
    served::name_of(uid)
}

/// A root for reading and writing.
#[must_use]
pub fn writable(path: &Path) -> Root {
    Root { path: path.display().to_string(), access: RootAccess::Write }
}

/// Whether the client lets the call run beside its work.
fn in_background(hook: &HookCall) -> bool {
    hook.raw_args.get("run_in_background").and_then(Value::as_bool) == Some(true)
}
