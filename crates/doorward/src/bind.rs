//! Shell calls of coding agents that Doorward runs itself (`hooks.shell = "bind"`). Custody is `bound`.
//!
//! An admitted call's permit waits here under a ticket. Whoever presents the ticket gets no say in what runs: the
//! permit owns that. A ticket is good once, for a short while, for descendants of the process that asked, in the
//! folder that was judged. What nobody presents is recorded as abandoned. There is no way from a refused ticket to a
//! run.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use doorward_core::approval::{Ask, Grant, Presence, Reach};
use doorward_core::call::{Root, RootAccess, Surface, ToolCall};
use doorward_core::decision::{Obligation, Tier};
use doorward_core::effect::{Effects, HostClass, ReadEffect, SandboxFacts, Scope};
use doorward_core::id::{Digest, SessionId};
use doorward_core::intent::Certainty;
use doorward_core::json::{self, Value};
use doorward_core::record::Outcome;
use doorward_gate::{Admission, Done, Permit};
use doorward_hooks::ticket::{Ended, Presented};
use doorward_sandbox::{
    Cause, Finished, LeftoverCode, Limits, Listener, Manner, Network, Output, ProgramInput, Status, Stopper,
    Stream,
};
use doorward_secrets::{Detector, Redactor};
use doorward_settings::RunProfile;
use jiff::Timestamp;

pub(crate) use self::tickets::Wanted;
use self::tickets::{GOOD, Right, Ticket, later};
pub use self::tickets::{Refusal, Tickets, sweep};
use crate::Door;
use crate::egress::{Errand, WayOut};
use crate::hook::Peer;
use crate::process::ClientProcess;
use crate::project::Project;
use crate::records::Records;

mod session_tmp;
mod surroundings;
mod tickets;

pub use self::surroundings::Surroundings;

/// Wall time of a call that the client lets go on beside its work.
const BACKGROUND: Duration = Duration::from_secs(24 * 3_600);

/// Where a command reaches the proxy, in a network of its own.
const PROXY_PORT: u16 = 3128;

/// The other end of a run: output as it comes, input, and the news that nobody listens any more.
pub struct Line {
    /// Hears redacted output.
    pub output: Box<dyn FnMut(Stream, Vec<u8>) + Send>,
    /// Standard input.
    pub input: Option<OwnedFd>,
    /// Turns true when the other end is gone.
    pub gone: tokio::sync::watch::Receiver<bool>,
}

/// Runs what a ticket stands for, or says why not.
pub async fn exec(door: &Arc<Door>, peer: Peer, presented: Presented, line: Line) -> Ended {
    let Some(pid) = peer.pid else {
        return Refusal::new("ticket.foreign", "the kernel doesn't tell who presents it").ended();
    };
    if presented.folder {
        return match door.custody().tickets().folder(&presented, pid) {
            Ok(folder) => Ended { folder: Some(folder), ..Ended::default() },
            Err(refusal) => refusal.ended(),
        };
    }
    match run(door, pid, &presented, line).await {
        Ok(ended) => ended,
        Err(refusal) => refusal.ended(),
    }
}

async fn run(door: &Arc<Door>, pid: i32, presented: &Presented, mut line: Line) -> Result<Ended, Refusal> {
    let ticket = door.custody().tickets().take(presented, pid)?;
    let altered = altered(&ticket, presented);
    let Ticket { right, project, root, session, process, background, predicted, cwd, .. } = ticket;
    let permit = match right {
        Right::Held(permit) => permit,
        Right::Asked { call, ask } => {
            if let Some(refusal) = altered {
                return Err(refusal);
            }
            admit_again(door, &project, *call, &ask).await?
        }
    };
    if let Some(refusal) = altered {
        refuse(permit, &refusal).await;
        return Err(refusal);
    }
    let call = &permit.case().inspected().call;
    let code = call.tool.is_code();
    // A typed command is a session of its own.
    let lasts = call.surface == Surface::Hook;
    let mut manner = manner(door, &project, &process, &predicted, code, background, line.input.take());
    manner.tmp = door.state().filter(|_| lasts).and_then(|state| session_tmp::of(state, &session));
    let only = only_hosts(&permit.case().decision().obligations);
    let way = if predicted.read_only {
        None
    } else {
        way_out(door, &session, permit.decision().as_str(), &root, only.clone())
    };
    manner.only_hosts = only;
    if let Some(way) = &way {
        manner.network =
            Network::Relay { socket: way.socket().to_owned(), token: String::new(), port: PROXY_PORT };
        manner.env.extend(way.environment(&format!("127.0.0.1:{PROXY_PORT}")));
        manner.readable.extend(way.readable().map(Path::to_owned));
    }
    let decision = permit.decision().clone();
    let (ended, finished) = carry_out(door, permit, manner, line, way.as_ref()).await?;
    door.sessions().brought(&session, &decision, &ended.1.raw);
    let mut owed = finished.owed;
    let mispredicted = mispredicted(&predicted, finished.report.observed.as_deref());
    let mut detail = vec![("background".to_owned(), Value::from(background))];
    if !mispredicted.is_empty() {
        let all = mispredicted.into_iter().map(Value::from).collect();
        detail.push(("effects.mispredicted".to_owned(), Value::Array(all)));
    }
    owed.note(ended.1.digest, detail);
    owed.keep(door.kept_output(&String::from_utf8_lossy(&ended.1.told)));
    let kept = owed.close().await;
    if let Err(error) = kept {
        tracing::error!("{error}");
    }
    let folder = inside(&project, &root, finished.report.final_cwd.as_deref()).unwrap_or(cwd);
    door.custody().tickets().ended_in(&presented.ticket, folder);
    Ok(ended.0)
}

/// What differs from what was judged, if anything.
fn altered(ticket: &Ticket, presented: &Presented) -> Option<Refusal> {
    if presented.command.as_ref().is_some_and(|command| *command != ticket.command) {
        return Some(Refusal::new(
            "ticket.altered",
            "the command beside the ticket isn't the one that was judged",
        ));
    }
    let place = |path: &str| std::fs::canonicalize(path).ok();
    if place(&presented.cwd).is_none() || place(&presented.cwd) != place(&ticket.cwd) {
        return Some(Refusal::new("ticket.folder", "it was judged for another working folder"));
    }
    None
}

async fn refuse(permit: Permit, refusal: &Refusal) {
    let duty = match permit.redeem() {
        Ok((_, _, duty)) => duty,
        Err(refused) => refused.duty,
    };
    let detail = json::Object::from([("refused".to_owned(), Value::from(refusal.code.clone()))]);
    let done = Done { detail: Some(Value::Object(detail)), ..Done::default() };
    if let Err(error) = duty.close(Outcome::Refused, done).await {
        tracing::error!("{error}");
    }
}

/// What a call that was agreed to must end in.
fn settled(admission: Admission) -> Result<Permit, Refusal> {
    match admission {
        Admission::Admitted(permit) => Ok(permit),
        Admission::Denied(denial) => Err(Refusal { code: denial.code, reason: denial.reason }),
        Admission::Pending(pending) => Err(Refusal::new("approval.mismatch", pending.ask.reason)),
    }
}

fn yes(ask: &Ask, call: &ToolCall, presence: Presence) -> Grant {
    let now = Timestamp::now();
    Grant {
        nonce: ask.id.to_string(),
        binding: ask.binding.clone(),
        level: 1,
        by: call.principal.id.clone(),
        by_groups: Vec::new(),
        presence,
        at: now,
        expires: later(now, GOOD),
        reach: Reach::Once,
        uses_left: Some(1),
    }
}

/// The client's own flow let the call go on: a yes like that of its dialog, with which the call enters once more.
async fn admit_again(door: &Door, project: &Project, call: ToolCall, ask: &Ask) -> Result<Permit, Refusal> {
    settled(pass_by_client_rule(door, project, &call, ask).await?)
}

/// The client's own rules, or its dialog where one was shown, let a call pass that was left to them: recorded as what
/// it is, and the call enters once more.
///
/// # Errors
/// [`Refusal`]: it couldn't be recorded.
pub(crate) async fn pass_by_client_rule(
    door: &Door,
    project: &Project,
    call: &ToolCall,
    ask: &Ask,
) -> Result<Admission, Refusal> {
    let open = door
        .records()
        .map(Records::open)
        .ok_or_else(|| Refusal::new("ledger.none", "nothing is recorded here"))?;
    let presence = match open.answered(&ask.decision).await {
        Ok(presence) => presence.unwrap_or(Presence::ClientRule),
        Err(error) => return Err(Refusal::new(error.code(), error.to_string())),
    };
    door.approvals().dialogs().say_yes(yes(ask, call, presence));
    Ok(project.admit(call.clone()).await)
}

/// The sandbox that a bound call of this project runs in, as policies see it: what stands here, the run holds, or it
/// doesn't happen. Where the machine offers less than bound calls need, nothing is verified.
pub(crate) fn promised(
    door: &Door,
    project: &Project,
    root: &Path,
    call: &ToolCall,
    background: bool,
) -> SandboxFacts {
    let settings = &project.settings().sandbox;
    let offered = door.custody().sandbox().engine().offer().map_or(Tier::None, |offer| offer.best);
    let hosts = match door.custody().egress() {
        Some(egress) if offered >= Tier::Full => egress.hosts(root),
        // Without a way out there is no network at all.
        _ => Some(BTreeSet::new()),
    };
    let RunProfile { wall_s, memory_mb } = settings.profile(call.tool.is_code());
    let wall_s = if background { u32::try_from(BACKGROUND.as_secs()).ok() } else { Some(wall_s) };
    Promised { offered, least: least_tier(settings), wall_s, memory_mb: Some(memory_mb), hosts }
        .over(&call.roots)
}

/// What a run of ours is held to, beside its folders.
#[derive(Debug, Clone)]
pub struct Promised {
    /// The best tier that this machine offers.
    pub offered: Tier,
    /// The least tier that it runs with.
    pub least: Tier,
    /// Wall time in seconds, if limited.
    pub wall_s: Option<u32>,
    /// Memory in MiB, if limited.
    pub memory_mb: Option<u32>,
    /// The hosts it can reach, if limited.
    pub hosts: Option<BTreeSet<String>>,
}

impl Promised {
    /// The facts for a call with these roots.
    #[must_use]
    pub fn over(self, roots: &[Root]) -> SandboxFacts {
        let Self { offered, least, wall_s, memory_mb, hosts } = self;
        if offered < least || offered == Tier::None {
            return SandboxFacts { declared: true, ..SandboxFacts::default() };
        }
        let folders = |wanted: fn(RootAccess) -> bool| {
            Some(roots.iter().filter(|root| wanted(root.access)).map(|root| root.path.clone()).collect())
        };
        SandboxFacts {
            declared: true,
            verified: true,
            tier: offered,
            wall_s,
            memory_mb,
            hosts,
            reads: folders(|access| access != RootAccess::Deny),
            writes: folders(|access| access == RootAccess::Write),
            declares: None,
        }
    }
}

/// Code of others runs in bound calls: with less than this they aren't run at all.
fn least_tier(settings: &doorward_settings::Sandbox) -> Tier {
    settings.min_tier.max(Tier::Restricted)
}

/// The only hosts that a call may reach by the rules that allowed it, where they name any: those that all of them name.
#[must_use]
pub fn only_hosts(obligations: &[Obligation]) -> Option<Vec<String>> {
    let named = obligations.iter().filter_map(|owed| match owed {
        Obligation::Sandbox { hosts, .. } => hosts.clone(),
        _ => None,
    });
    named.reduce(|mut some, others| {
        some.retain(|host| others.contains(host));
        some
    })
}

/// Files and folders outside the roots whose content a call was judged to read. What looks like a secret isn't among
/// them.
#[must_use]
pub fn judged(effects: &Effects) -> Vec<PathBuf> {
    let outside = |read: &&ReadEffect| {
        read.scope == Scope::Outside && !read.secret && !read.metadata && read.certainty == Certainty::Exact
    };
    effects.reads.iter().filter(outside).map(|read| PathBuf::from(&read.path)).collect()
}

/// How a bound call runs: the settings' bounds, the client's toolchains, our own files out of view.
fn manner(
    door: &Door,
    project: &Project,
    process: &ClientProcess,
    predicted: &Effects,
    code: bool,
    background: bool,
    input: Option<OwnedFd>,
) -> Manner {
    let settings = &project.settings().sandbox;
    let RunProfile { wall_s, memory_mb } = settings.profile(code);
    let wall = if background { BACKGROUND } else { Duration::from_secs(u64::from(wall_s)) };
    let limits = limits(wall, Some(u64::from(memory_mb)));
    let Surroundings { env, readable } = Surroundings::of(process.environment());
    Manner {
        min_tier: least_tier(settings),
        limits,
        stdin: input.map_or(ProgramInput::Null, ProgramInput::Descriptor),
        stdout: Output::Stream,
        stderr: Output::Stream,
        observe: true,
        read_only: predicted.read_only,
        final_cwd: true,
        env,
        judged: judged(predicted),
        readable,
        // Ours are hidden also while they aren't there: the run must not make them.
        hidden: door.own_files().into_iter().map(PathBuf::from).collect(),
        fixed: door.fixed_files(),
        met_outside: MET_BY_TELLING.to_vec(),
        ..Manner::default()
    }
}

/// The limits of a command: this time and memory in MiB, and room for everyday work.
#[must_use]
pub fn limits(wall: Duration, memory_mb: Option<u64>) -> Limits {
    Limits {
        wall,
        cpu: wall,
        memory: memory_mb.map_or(u64::MAX >> 1, |mib| mib << 20),
        processes: 2_048,
        file_size: 8 << 30,
        open_files: open_files(4_096),
        disk: 2 << 30,
        ..Limits::default()
    }
}

/// As many open descriptors as wanted, or as there can be.
#[must_use]
pub fn open_files(wanted: u32) -> u32 {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    most.and_then(|most| u32::try_from(most).ok()).map_or(wanted, |most| most.min(wanted))
}

/// The session's way out, where the service runs a proxy and the sandbox can hold a command to it. Else there is none.
fn way_out(
    door: &Door,
    session: &SessionId,
    command: &str,
    root: &Path,
    only: Option<Vec<String>>,
) -> Option<WayOut> {
    let egress = door.custody().egress()?;
    if door.custody().sandbox().engine().offer().ok()?.best < Tier::Full {
        return None;
    }
    let errand = Errand { root: Some(root.to_owned()), only, ..Errand::new(session, command) };
    egress.way_out(&errand).inspect_err(|error| tracing::warn!("no way out: {error}")).ok()
}

/// What is owed for a run that happened, after its output was told: how it ended, and the digest of its output.
type Told = (Ended, Printed);

async fn carry_out(
    door: &Arc<Door>,
    permit: Permit,
    manner: Manner,
    line: Line,
    way: Option<&WayOut>,
) -> Result<(Told, Finished), Refusal> {
    let Line { mut output, mut gone, .. } = line;
    let sandbox = Arc::clone(door.custody().sandbox());
    let (started, stopper) = tokio::sync::oneshot::channel::<Stopper>();
    let ending = tokio::spawn(async move {
        let Ok(stopper) = stopper.await else { return };
        // An error means that nobody can tell any more: gone as well.
        let _ = gone.wait_for(|gone| *gone).await;
        stopper.stop(Cause::GateStopped);
    });
    let ran = tokio::task::spawn_blocking(move || {
        let (to_run, heard) = std::sync::mpsc::channel::<(Stream, Vec<u8>)>();
        let listener: Listener = Box::new(move |stream, bytes| drop(to_run.send((stream, bytes.to_vec()))));
        // One thread reads the run, this one redacts, so that a busy redactor never makes the run wait for its pipes.
        let told = std::thread::spawn(move || tell(&heard, &mut *output));
        let ran =
            sandbox.run_stoppable(permit, manner, Some(listener), |stopper| drop(started.send(stopper)));
        (ran, told.join().unwrap_or_default())
    })
    .await;
    ending.abort();
    let (ran, output) = ran.map_err(|_| Refusal::new("internal.panic", "the run failed inside"))?;
    match ran {
        Ok(mut finished) => {
            finished.report.refused = way.map(WayOut::refused).unwrap_or_default();
            Ok(((ended(&finished), output), finished))
        }
        Err(refused) => {
            let refusal = Refusal { code: refused.code.clone(), reason: refused.reason.clone() };
            if let Err(error) = refused.owed.close().await {
                tracing::error!("{error}");
            }
            Err(refusal)
        }
    }
}

/// What a run printed.
#[derive(Debug, Default)]
struct Printed {
    /// Digest of what was told, without secrets.
    digest: Option<Digest>,
    /// What was told.
    told: Vec<u8>,
    /// The beginning of what was printed, as it was: for the session's fingerprints, and never kept.
    raw: Vec<u8>,
}

/// Bytes of a run's output that the session looks at.
const MOST_RAW: usize = 256 << 10;

/// The obligations that passing a run's output through [`redacted`] meets, with the digest noted in its outcome.
pub const MET_BY_TELLING: [&str; 2] = ["redact_output", "log_output"];

/// Passes on both streams of a run as they come, without secrets; the digest of what was told.
pub fn redacted(
    heard: &std::sync::mpsc::Receiver<(Stream, Vec<u8>)>,
    output: &mut (dyn FnMut(Stream, Vec<u8>) + Send),
) -> Option<Digest> {
    tell(heard, output).digest
}

/// Redacts both streams as they come; what was told.
fn tell(
    heard: &std::sync::mpsc::Receiver<(Stream, Vec<u8>)>,
    output: &mut (dyn FnMut(Stream, Vec<u8>) + Send),
) -> Printed {
    let mut out = Redactor::new(Detector::shared());
    let mut err = Redactor::new(Detector::shared());
    let mut all = Vec::new();
    let mut pass = |stream, bytes: Vec<u8>| {
        if !bytes.is_empty() {
            all.extend_from_slice(&bytes);
            output(stream, bytes);
        }
    };
    let mut raw: Vec<u8> = Vec::new();
    while let Ok((stream, bytes)) = heard.recv() {
        let room = MOST_RAW.saturating_sub(raw.len()).min(bytes.len());
        raw.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let clean = if stream == Stream::Out { out.push(&bytes) } else { err.push(&bytes) };
        pass(stream, clean);
    }
    pass(Stream::Out, out.finish());
    pass(Stream::Err, err.finish());
    Printed { digest: Some(Digest::of(&all)), told: all, raw }
}

fn ended(finished: &Finished) -> Ended {
    let report = &finished.report;
    let by = match report.status {
        Status::Killed { by } if report.limits_hit.is_empty() => Some(stopped(by)),
        _ => report.limits_hit.first().map(|hit| hit.limit.as_str().to_owned()).zip(report.last_word()),
    };
    // What was put out of effect is told to whoever made it: its next step may want to use it.
    let left =
        report.leftovers.iter().find(|left| left.moved_to.is_some() || left.code == LeftoverCode::Armed);
    let told = by.map(|(code, reason)| (format!("sandbox.{code}"), reason)).or_else(|| {
        left.map(|left| (left.code.as_str().to_owned(), format!("{}: {}", left.path.display(), left.message)))
    });
    let told = told.or_else(|| Some(("sandbox.withheld".to_owned(), report.last_word()?)));
    let (code, reason) = told.unzip();
    Ended { exit: report.status.exit_code(), code, reason, folder: None }
}

/// A run that no limit ended.
fn stopped(by: Cause) -> (String, String) {
    let reason = match by {
        Cause::ApprovalRevoked => "the approval was revoked, so the run was stopped",
        Cause::ProtectionLost => {
            "a protected name was replaced from outside and couldn't be held again, so the run was stopped"
        }
        _ => "the run was stopped",
    };
    (by.as_str().to_owned(), reason.to_owned())
}

/// Hosts that were tried and not predicted.
fn mispredicted(predicted: &Effects, observed: Option<&Effects>) -> Vec<String> {
    let Some(observed) = observed else { return Vec::new() };
    let known = |host: &str| predicted.hosts.iter().any(|own| own.host == host);
    let mut all: Vec<String> = observed
        .hosts
        .iter()
        .filter(|host| host.class != HostClass::Loopback && !known(&host.host))
        .map(|host| match host.port {
            Some(port) => format!("host {}:{port}", host.host),
            None => format!("host {}", host.host),
        })
        .collect();
    all.sort();
    all.dedup();
    all.truncate(32);
    all
}

/// The folder a run ended in, if it is one the session may work in: what a shell inside says is only a claim.
fn inside(project: &Project, root: &Path, ended: Option<&Path>) -> Option<String> {
    let ended = std::fs::canonicalize(ended?).ok()?;
    let roots = project.roots(root);
    let within = |access| {
        roots
            .iter()
            .filter(|root| (root.access == RootAccess::Deny) == access)
            .any(|root| std::fs::canonicalize(&root.path).is_ok_and(|root| ended.starts_with(root)))
    };
    (within(false) && !within(true)).then(|| ended.display().to_string())
}
