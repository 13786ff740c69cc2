//! The hook surface: a client's event in, the client's reply out. Custody is `advised`.
//!
//! Everything in an event is a claim, and claims only tighten: the session is the claimed id plus the client's
//! process, the root is where that process was started, the mode is capped. `basis = mode` is no opinion, so that a
//! client with modes of its own asks as it always did.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use doorward_core::approval::Answer as Answered;
use doorward_core::call::{Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Surface, ToolCall};
use doorward_core::decision::{Basis, Decision, Verdict};
use doorward_core::json::Object;
use doorward_core::record::Outcome;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::Client;
use doorward_gate::{Admission, Denial, Done, Judged};
use doorward_hooks::{After, Answer, Event, HookCall, Reply};
use doorward_settings::{Ask, Hooks, Relieve};
use jiff::Timestamp;

use crate::Door;

/// Who is at the other end of the socket, as the kernel says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// User.
    pub uid: u32,
    /// Process.
    pub pid: Option<i32>,
}

/// How long a hook's question may wait in our queue; below the client's time-out.
const WAIT: Duration = Duration::from_secs(100);

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

/// Answers one event of a client.
pub async fn answer(door: &Door, peer: Peer, client: Client, event: &[u8]) -> Reply {
    let event = match doorward_hooks::event(client, event) {
        Ok(event) => event,
        Err(error) => return doorward_hooks::fault(client, &error.to_string()),
    };
    let process = peer.pid.and_then(ClientProcess::of_hook);
    match event {
        Event::Call(call) => {
            let name = call.event.clone();
            match decide(door, peer, client, *call, process.as_ref()).await {
                Ok(answer) => doorward_hooks::reply(client, &name, &answer),
                Err(reason) => doorward_hooks::fault(client, &reason),
            }
        }
        Event::After(after) => observe(door, client, &after, process.as_ref()).await,
        Event::SessionEnd { session } => {
            let session = session_key(client, &session, process.as_ref());
            door.pinned.forget(&session);
            door.sessions.end(&session);
            match door.open.end_session(&*door.ledger, &session).await {
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
) -> Result<Answer, String> {
    let session = session_key(client, &hook.session, process);
    let root = door.pinned.root(&session, process, &hook.cwd);
    let project = door.project(Some(&root));
    let hooks = &project.settings().hooks;
    let cwd = if hook.cwd.is_empty() { root.display().to_string() } else { hook.cwd.clone() };
    let mode = hook.mode.unwrap_or(project.settings().modes.default);
    let call = ToolCall {
        id: hook.call.clone().unwrap_or_else(doorward_core::record::new_id),
        principal: Principal { id: user_name(peer.uid), groups: Vec::new() },
        session,
        agent: hook.agent.clone(),
        workflow: None,
        client,
        surface: Surface::Hook,
        custody: Custody::Advised,
        tool: hook.tool.clone(),
        action: "tool:execute".to_owned(),
        args: hook.args.clone(),
        cwd,
        roots: project.roots(&root),
        outside: project.settings().paths.roots.unwrap_or(OutsideRoots::Ask),
        mode: doorward_policy::mode::effective(mode, &project.settings().modes),
        prompt: prompt(client, hooks, door.has_approver()),
        context: Object::new(),
        deadline: None,
    };
    let (mut admission, mut judged) = project.gate().admit_judged(call.clone()).await;
    if let Admission::Pending(ask) = &admission
        && !goes_to_client(client, judged.as_ref(), call.prompt, ask.confirm.level)
    {
        // Our own queue: a yes becomes a grant, and the call enters from the start with it.
        let until = Timestamp::now().checked_add(WAIT).unwrap_or(Timestamp::MAX);
        match door.approver.wait(&ask.id, until).await {
            Answered::Allowed { .. } => (admission, judged) = project.gate().admit_judged(call.clone()).await,
            other => return Ok(Answer::Deny { reason: unanswered(&other, &ask.reason, &ask.id) }),
        }
    }
    Ok(match admission {
        Admission::Admitted(permit) => {
            let yes = judged.as_ref().is_some_and(|judged| waives_prompt(hooks, judged));
            let _ = permit.hand_over();
            if yes { Answer::Allow } else { Answer::NoOpinion }
        }
        Admission::Denied(denial) => Answer::Deny { reason: told(&denial) },
        Admission::Pending(ask) => match judged.as_ref().map(|judged| judged.decision.basis) {
            Some(Basis::Mode) if has_own_modes(client) => Answer::NoOpinion,
            _ => Answer::Ask { reason: ask.reason },
        },
    })
}

async fn observe(door: &Door, client: Client, after: &After, process: Option<&ClientProcess>) -> Reply {
    let session = session_key(client, &after.session, process);
    let outcome = if after.failed { Outcome::Failed } else { Outcome::Ran };
    let done = Done { output_digest: after.output_digest.clone(), bytes: after.bytes, ..Done::default() };
    let seen = door
        .open
        .observe(&*door.ledger, &session, after.call.as_deref(), &after.args_digest, outcome, done)
        .await;
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

fn goes_to_client(client: Client, judged: Option<&Judged>, prompt: Prompt, level: u8) -> bool {
    let by_mode = judged.is_some_and(|judged| judged.decision.basis == Basis::Mode) && has_own_modes(client);
    by_mode || (prompt == Prompt::Client && level <= 1 && honours_ask(client))
}

/// Whether our yes replaces the client's own prompt: a person's approval, a rule of the user's, or, where the user
/// chose so, a call proved harmless.
fn waives_prompt(hooks: &Hooks, judged: &Judged) -> bool {
    let Judged { decision, inspected, .. } = judged;
    let proven = inspected.effects.read_only
        && inspected.effects.unknown.is_empty()
        && inspected.risk == SecurityRisk::Low;
    judged.grant.is_some()
        || by_user_rule(decision)
        || (hooks.relieve == Relieve::Proven && proven && decision.verdict == Verdict::Allow)
}

fn by_user_rule(decision: &Decision) -> bool {
    decision.basis == Basis::Rule && decision.policy.policies.iter().any(|id| id.starts_with("rules."))
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

/// The process a hook was spawned by: the nearest ancestor that is no shell.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ClientProcess {
    pid: i32,
    /// Clock ticks after boot, so that a reused number isn't taken for the same process.
    started: u64,
    cwd: Option<PathBuf>,
}

impl ClientProcess {
    fn of_hook(hook: i32) -> Option<Self> {
        let mut pid = Stat::of(hook)?.parent;
        for _ in 0..4 {
            let stat = Stat::of(pid)?;
            let shell =
                matches!(stat.name.as_str(), "sh" | "bash" | "dash" | "zsh" | "ksh" | "env" | "timeout");
            if !shell {
                let cwd =
                    std::fs::read_link(format!("/proc/{pid}/cwd")).ok().filter(|cwd| cwd != Path::new("/"));
                return Some(Self { pid, started: stat.started, cwd });
            }
            pid = stat.parent;
        }
        None
    }
}

struct Stat {
    name: String,
    parent: i32,
    started: u64,
}

impl Stat {
    /// Fields of `/proc/<pid>/stat` (proc(5)): the name is in parentheses and may itself hold any character.
    fn of(pid: i32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (before, after) = text.rsplit_once(')')?;
        let name = before.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = after.split_whitespace().collect();
        Some(Self { name, parent: fields.get(1)?.parse().ok()?, started: fields.get(19)?.parse().ok()? })
    }
}

/// The user's name from the password database, or the number.
#[must_use]
pub fn user_name(uid: u32) -> String {
    let database = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = database.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse::<u32>().ok()? == uid).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| format!("uid-{uid}"))
}

/// A root for reading and writing.
#[must_use]
pub fn writable(path: &Path) -> Root {
    Root { path: path.display().to_string(), access: RootAccess::Write }
}
