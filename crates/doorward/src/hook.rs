//! The hook surface: a client's event in, the client's reply out. Custody is `advised`, or `bound` for shell calls
//! that the settings bind.
//!
//! Everything in an event is a claim, and claims only tighten: the session is the claimed id plus the client's
//! process, the root is where that process was started, the mode is capped. `basis = mode` is no opinion, so that a
//! client with modes of its own asks as it always did.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use doorward_core::approval::Answer as Answered;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Settlement, Surface, ToolCall,
    Workplace,
};
use doorward_core::decision::{Basis, Decision, Verdict};
use doorward_core::json::Value;
use doorward_core::mode::PermissionMode;
use doorward_core::record::Outcome;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::Client;
use doorward_gate::{Admission, Case, Denial, Done, OpenPermits, Pending};
use doorward_hooks::{After, Answer, Event, HookCall, Reply, Say};
use doorward_policy::shorthand::USER_ALLOW;
use doorward_settings::{Ask, Hooks, OnNoMatch, Relieve, ShellCustody};
use jiff::Timestamp;

use crate::Door;
use crate::bind::{self, Refusal, Wanted};
use crate::client_rules;
use crate::process::{self, ClientProcess};
use crate::served;

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

/// Roots that sessions were pinned to at their first event.
#[derive(Debug, Default)]
pub struct Pinned {
    roots: Mutex<HashMap<String, PathBuf>>,
}

impl Pinned {
    /// The root of a session: where the client's process runs, pinned when it is first seen. The claimed folder
    /// only stands in where the kernel doesn't tell, and then stays what it was first.
    fn root(&self, session: &str, process: Option<&ClientProcess>, claimed: &str) -> PathBuf {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots
            .entry(session.to_owned())
            .or_insert_with(|| {
                process.and_then(|process| process.cwd.clone()).unwrap_or_else(|| PathBuf::from(claimed))
            })
            .clone()
    }

    fn forget(&self, session: &str) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

/// Answers one event of a client, before the hook's time is over: `left`, as far as it says.
pub async fn answer(door: &Door, peer: Peer, client: Client, event: &[u8], left: Option<Duration>) -> Reply {
    let left = left.map_or(LONGEST, |left| left.min(LONGEST));
    let deadline = Timestamp::now().checked_add(left).unwrap_or(Timestamp::MAX);

    let event = match doorward_hooks::event(client, event) {
        Ok(event) => event,
        Err(error) => return doorward_hooks::fault(client, &error.to_string()),
    };
    if !served::may_send_events(peer.uid) {
        let name = user_name(served::uid());
        return doorward_hooks::fault(client, &format!("this service is {name}'s (service.other_user)"));
    }
    let process = peer.pid.and_then(ClientProcess::of_hook);
    match event {
        Event::Call(call) => {
            let name = call.event.clone();
            match decide(door, peer, client, *call, process.as_ref(), deadline).await {
                Ok(answer) => doorward_hooks::reply(client, &name, &answer),
                Err(reason) => doorward_hooks::fault(client, &reason),
            }
        }
        Event::After(after) => observe(door, client, &after, process.as_ref()).await,
        Event::SessionEnd { session } => {
            let session = session_key(client, &session, process.as_ref());
            door.projects().pinned().forget(&session);
            bind::sweep(door, Some(&session)).await;
            let Some(records) = door.records() else { return Reply::default() };
            match records.open().end_session(&session).await {
                Ok(_) => Reply::default(),
                Err(error) => doorward_hooks::fault(client, &error.to_string()),
            }
        }
        Event::Other => Reply::default(),
    }
}

async fn decide(
    door: &Door,
    peer: Peer,
    client: Client,
    hook: HookCall,
    process: Option<&ClientProcess>,
    deadline: Timestamp,
) -> Result<Answer, String> {
    let records =
        door.records().ok_or("this service keeps no record, so nothing is decided (ledger.none)")?;
    let open = records.open();
    let session = session_key(client, &hook.session, process);
    let root = door.projects().pinned().root(&session, process, &hook.cwd);
    let mut project = door.project(Some(&root));
    let enclosed = peer.pid.is_some_and(process::is_guarded);
    if enclosed {
        records.enclosed(&session).await.map_err(|error| error.to_string())?;
    }
    // A call that Doorward runs would run as its own user, who isn't the agent's.
    if !enclosed && served::is_another() && project.settings().hooks.shell == ShellCustody::Bind {
        let reason =
            "Doorward: hooks.shell = \"bind\" needs a service of the agent's own user (bind.separate)";
        return Ok(Answer::Deny { reason: reason.to_owned() });
    }
    if !enclosed && project.settings().service.posture == doorward_settings::Posture::Enclosed {
        let reason = "Doorward: service.posture requires enclosed agents: start it with `doorward guard -- …` \
                      (posture.not_reached)";
        return Ok(Answer::Deny { reason: reason.to_owned() });
    }
    let bind = enclosed || project.settings().hooks.shell == ShellCustody::Bind;
    let bound = bind && hook.tool.as_str() == "shell:execute";
    if bound {
        let command = hook.args.get("command").and_then(Value::as_str).unwrap_or_default();
        if let Some(left) = door.custody().tickets().stands_for(&session, command) {
            if let Some(decision) = left.filter(|_| hook.event == "PermissionRequest") {
                open.dialog_shown(&decision);
            }
            return Ok(Answer::NoOpinion);
        }
        if hook.event == "PermissionRequest" {
            let reason =
                "Doorward: this shell call didn't come through the gate, so it doesn't run (ticket.missing)";
            return Ok(Answer::Deny { reason: reason.to_owned() });
        }
        if let Some(process) = process {
            let further = match client_rules::layers(client, &root, process) {
                Ok(layers) => layers,
                Err(unreadable) => return Ok(Answer::Deny { reason: format!("Doorward: {unreadable}") }),
            };
            project = door.project_with(Some(&root), OnNoMatch::Mode, further);
        }
    }
    if hook.event == "PermissionRequest"
        && let Some(decision) =
            open.decision_left_to_client(&session, &Value::Object(hook.args.clone()).digest())
    {
        // The client is about to ask the person itself, about a call that was judged already and left to it.
        open.dialog_shown(&decision);
        return Ok(Answer::NoOpinion);
    }
    let hooks = &project.settings().hooks;
    let cwd = if hook.cwd.is_empty() { root.display().to_string() } else { hook.cwd.clone() };
    let mode = hook.mode.unwrap_or(project.settings().modes.default);
    let words = process.map(ClientProcess::words).unwrap_or_default();
    let asks = asks_by_itself(client, mode, &words);
    let caller = Caller {
        principal: Principal { id: user_name(peer.uid), groups: Vec::new() },
        session,
        client,
        surface: Surface::Hook,
        custody: if bound { Custody::Bound } else { Custody::Advised },
    };
    let workplace = Workplace {
        cwd,
        roots: project.roots(&root),
        outside: project.settings().paths.roots.unwrap_or(OutsideRoots::Ask),
    };
    let settlement = Settlement {
        mode: doorward_policy::mode::effective(mode, &project.settings().modes),
        prompt: prompt(client, hooks, door.approvals().asks()),
    };
    let mut call = ToolCall::new(caller, hook.tool.clone(), hook.args.clone(), workplace, settlement);
    if let Some(id) = &hook.call {
        call.id.clone_from(id);
    }
    call.agent.clone_from(&hook.agent);
    call.deadline = Some(deadline);
    call.rewrites = matches!(client, Client::ClaudeCode | Client::Codex | Client::GeminiCli);
    let mut admission = project.admit(call.clone()).await;
    if let Admission::Pending(pending) = &admission
        && !goes_to_client(client, pending, call.prompt, asks)
    {
        // Our own queue: a yes becomes a grant, and the call enters from the start with it.
        let left = Duration::try_from(deadline.duration_since(Timestamp::now())).unwrap_or_default();
        let until = deadline.checked_sub(AFTER_YES.min(left / 4)).unwrap_or(deadline);
        match door.approvals().approver().wait(&pending.ask.id, until).await {
            Answered::Allowed { .. } => admission = project.admit(call.clone()).await,
            other => {
                return Ok(Answer::Deny { reason: unanswered(&other, &pending.ask.reason, &pending.ask.id) });
            }
        }
    }
    if bound {
        let predicted = admission.case().map(|case| case.inspected().effects.clone()).unwrap_or_default();
        let by_mode = asks && admission.case().is_some_and(|case| case.decision().basis == Basis::Mode);
        let Some(process) = process else {
            if let Admission::Admitted(permit) = admission {
                permit.withdraw().await.map_err(|error| error.to_string())?;
            }
            return Ok(refused(&Refusal {
                code: "ticket.unbound".to_owned(),
                reason: "it isn't known which process asks".to_owned(),
            }));
        };
        let wanted = Wanted {
            call: &call,
            project: &project,
            root: &root,
            process,
            predicted: &predicted,
            background: hook.raw_args.get("run_in_background").and_then(Value::as_bool) == Some(true),
            follows: client == Client::ClaudeCode,
        };
        return Ok(bind_call(door, open, admission, by_mode, &hook.raw_args, &wanted));
    }
    Ok(match admission {
        Admission::Admitted(permit) => {
            let yes = waives_prompt(hooks, permit.case());
            let _recorded = permit.hand_over();
            if yes { Answer::Allow } else { Answer::NoOpinion }
        }
        Admission::Denied(denial) => Answer::Deny { reason: told(&denial) },
        Admission::Pending(Pending { case, .. }) if asks && case.decision().basis == Basis::Mode => {
            Answer::NoOpinion
        }
        Admission::Pending(Pending { ask, .. }) => {
            open.dialog_shown(&ask.decision);
            Answer::Ask { reason: ask.reason }
        }
    })
}

/// The answer for a call that Doorward runs itself: a ticket in its place, or a denial.
fn bind_call(
    door: &Door,
    open: &OpenPermits,
    admission: Admission,
    by_mode: bool,
    raw: &Value,
    wanted: &Wanted<'_>,
) -> Answer {
    let (held, say) = match admission {
        // What we run in bounds of ours needs no second yes from the client; its own rules were read with ours.
        Admission::Admitted(permit) => (door.custody().tickets().hold(door, permit, wanted), Say::Allow),
        Admission::Denied(denial) => return Answer::Deny { reason: told(&denial) },
        Admission::Pending(Pending { ask, .. }) => {
            let say = if by_mode {
                Say::Nothing
            } else {
                open.dialog_shown(&ask.decision);
                Say::Ask { reason: ask.reason.clone() }
            };
            (door.custody().tickets().ask(door, *ask, wanted), say)
        }
    };
    let written = held.and_then(|held| rewritten(raw, held.text));
    written.map_or_else(|refusal| refused(&refusal), |input| Answer::Rewrite { input, say })
}

/// The client's own arguments with another command; everything else stays.
fn rewritten(raw: &Value, text: String) -> Result<Value, Refusal> {
    let Value::Object(members) = raw else { return Err(unwritable()) };
    let mut members = members.clone();
    let name = ["command", "cmd", "command_line"].into_iter().find(|name| members.contains_key(*name));
    members.insert(name.ok_or_else(unwritable)?.to_owned(), Value::from(text));
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

async fn observe(door: &Door, client: Client, after: &After, process: Option<&ClientProcess>) -> Reply {
    let session = session_key(client, &after.session, process);
    let outcome = if after.failed { Outcome::Failed } else { Outcome::Ran };
    let done = Done { output_digest: after.output_digest.clone(), bytes: after.bytes, ..Done::default() };
    let Some(records) = door.records() else { return Reply::default() };
    let open = records.open();
    let seen = open.observe(&session, after.call.as_deref(), &after.args_digest, outcome, done).await;
    match seen {
        // An event that opened nothing closes nothing, and is no reason to stop the client.
        Ok(_) => Reply::default(),
        Err(error) => doorward_hooks::fault(client, &error.to_string()),
    }
}

/// Clients whose own flow asks when we have no opinion.
const fn has_own_modes(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Codex | Client::GeminiCli | Client::Copilot)
}

/// Clients whose own dialog honours `ask`.
const fn honours_ask(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Copilot)
}

fn prompt(client: Client, hooks: &Hooks, approver: bool) -> Prompt {
    if honours_ask(client) && hooks.ask == Ask::Client {
        Prompt::Client
    } else if approver {
        Prompt::Queue
    } else if has_own_modes(client) {
        // Only the client's own question is left; anything it would not ask about is denied below.
        Prompt::Client
    } else {
        Prompt::None
    }
}

/// Whether the client, in the mode that it claims and as it was started, asks a person by itself about what it would
/// do. Only then may a confirm of the mode be left to it.
fn asks_by_itself(client: Client, claimed: PermissionMode, words: &[String]) -> bool {
    has_own_modes(client)
        && !matches!(claimed, PermissionMode::BypassPermissions | PermissionMode::DontAsk)
        && !doorward_hooks::clients::adapter(client).asks_nobody(words)
}

/// Whether the client's own dialog decides about a confirm: never where it takes a typed phrase or a second person.
fn goes_to_client(client: Client, pending: &Pending, prompt: Prompt, asks: bool) -> bool {
    let by_mode = asks && pending.case.decision().basis == Basis::Mode;
    pending.ask.confirm.level <= 1 && (by_mode || (prompt == Prompt::Client && honours_ask(client)))
}

/// Whether our yes replaces the client's own prompt: a person's approval, a rule of the user's, or, where the user
/// chose so, a call proved harmless.
fn waives_prompt(hooks: &Hooks, case: &Case) -> bool {
    let (decision, inspected) = (case.decision(), case.inspected());
    let proven = inspected.effects.read_only
        && inspected.effects.unknown.is_empty()
        && inspected.risk == SecurityRisk::Low;
    case.grant().is_some()
        || by_user_rule(decision)
        || (hooks.relieve == Relieve::Proven && proven && decision.verdict == Verdict::Allow)
}

fn by_user_rule(decision: &Decision) -> bool {
    decision.basis == Basis::Rule
        && decision.verdict == Verdict::Allow
        && decision.policy.policies.iter().any(|id| id == USER_ALLOW)
}

fn told(denial: &Denial) -> String {
    format!(
        "Doorward: {} ({}). Don't try to reach the same end another way; ask the user if it is needed.",
        denial.reason, denial.code
    )
}

fn unanswered(answer: &Answered, reason: &str, id: &str) -> String {
    let how = format!("approve it with `doorward approvals` or in the console ({id}), then try again");
    match answer {
        Answered::Denied { by, reason: why } => {
            format!("Doorward: {by} refused: {}", why.as_deref().unwrap_or("no reason given"))
        }
        Answered::TimedOut => format!("Doorward: nobody answered in time (timed_out): {reason}; {how}"),
        Answered::NoApprover => format!("Doorward: nobody can be asked here (no_approver): {reason}; {how}"),
        Answered::Error { reason: error } => format!("Doorward: asking failed (approval.error): {error}"),
        Answered::Allowed { .. } => reason.to_owned(),
    }
}

fn session_key(client: Client, claimed: &str, process: Option<&ClientProcess>) -> String {
    let client = client.as_str();
    match process {
        Some(process) => format!("{client}/{claimed}@{}.{}", process.pid, process.started),
        None => format!("{client}/{claimed}"),
    }
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
