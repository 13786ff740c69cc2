//! The permit's executor: runs exactly what a permit owns.
//!
//! The sealed call becomes the program; its roots become the program's view; the obligations tighten the bounds,
//! and one that can't be met here is a refusal. The caller gets the report and the duty to record the outcome.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use doorward_core::call::{RootAccess, ToolCall};
use doorward_core::decision::{Obligation, Tier};
use doorward_core::id::{DecisionId, Digest};
use doorward_core::json::{self, Value};
use doorward_core::record::{LedgerError, ObligationDone, Outcome};
use doorward_gate::{Done, OutcomeDuty, Permit};

use crate::engine::{Engine, Listener, Stopper};
use crate::overlay::Overlay;
use crate::report::{Report, Status};
use crate::spec::{Limits, Network, Output, ProgramInput, Root, Spec, clean_environment};

/// Options of a run that the permit doesn't set.
#[derive(Debug)]
pub struct Manner {
    /// Least tier; obligations may raise it.
    pub min_tier: Tier,
    /// Limits; obligations may tighten them.
    pub limits: Limits,
    /// Network access.
    pub network: Network,
    /// If set, the only hosts reachable.
    pub only_hosts: Option<Vec<String>>,
    /// Standard input.
    pub stdin: ProgramInput,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// Collect writes for review.
    pub overlay: bool,
    /// Observe hosts contacted and programs started.
    pub observe: bool,
    /// Mount the roots read-only, whatever the call says: enforces that a call proved read-only writes nothing.
    pub read_only: bool,
    /// Return the folder that a shell command ended in.
    pub final_cwd: bool,
    /// Variables added to the clean environment.
    pub env: BTreeMap<String, String>,
    /// Places outside the roots that the call was judged to read.
    pub judged: Vec<PathBuf>,
    /// A folder that is seen as `/tmp`, for runs of one session.
    pub tmp: Option<PathBuf>,
    /// Further readable places.
    pub readable: Vec<PathBuf>,
    /// Places hidden from it: state, keys, admin socket.
    pub hidden: Vec<PathBuf>,
    /// Files that can't be changed even inside a writable root.
    pub fixed: Vec<PathBuf>,
    /// Obligations that the caller meets itself (`notify`, `log_output`, `redact_output`).
    pub met_outside: Vec<&'static str>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            min_tier: Tier::Full,
            limits: Limits::default(),
            network: Network::None,
            only_hosts: None,
            stdin: ProgramInput::Null,
            stdout: Output::Capture,
            stderr: Output::Capture,
            overlay: false,
            observe: false,
            read_only: false,
            final_cwd: false,
            env: BTreeMap::new(),
            judged: Vec::new(),
            tmp: None,
            readable: Vec::new(),
            hidden: Vec::new(),
            fixed: Vec::new(),
            met_outside: Vec::new(),
        }
    }
}

/// A finished run, with the duty to record it.
#[derive(Debug)]
#[must_use = "the outcome has to be recorded"]
pub struct Finished {
    /// The bounds, how it ended, and its output.
    pub report: Report,
    /// Writes collected for review.
    pub overlays: Vec<Overlay>,
    /// The duty to record the outcome.
    pub owed: Owed,
}

/// A run that didn't happen, with the duty to record that.
#[derive(Debug)]
#[must_use = "the refusal has to be recorded"]
pub struct NotRun {
    /// Stable code.
    pub code: String,
    /// Explanation.
    pub reason: String,
    /// The duty to record the refusal.
    pub owed: Owed,
}

/// An outcome that is known but not yet recorded.
#[derive(Debug)]
#[must_use = "the outcome has to be recorded"]
pub struct Owed {
    duty: OutcomeDuty,
    outcome: Outcome,
    done: Done,
}

impl Owed {
    /// The decision it belongs to.
    #[must_use]
    pub fn decision(&self) -> &DecisionId {
        self.duty.decision()
    }

    /// The outcome that will be recorded.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Adds what the caller knows about the run: the digest of the streamed, redacted output, and further detail
    /// members.
    pub fn note(&mut self, output_digest: Option<Digest>, detail: impl IntoIterator<Item = (String, Value)>) {
        self.done.output_digest = output_digest.or(self.done.output_digest.take());
        let mut members = match self.done.detail.take() {
            Some(Value::Object(members)) => members,
            _ => json::Object::new(),
        };
        members.extend(detail);
        self.done.detail = Some(Value::Object(members));
    }

    /// Adds the output, without secrets: it is recorded where the decision demands `log_output`.
    pub fn keep(&mut self, output: Option<String>) {
        self.done.output = output;
    }

    /// Records it; resolves when the record is durable.
    pub async fn close(self) -> Result<u64, LedgerError> {
        self.duty.close(self.outcome, self.done).await
    }
}

/// Runs permits.
#[derive(Debug, Default)]
pub struct Sandbox {
    engine: Engine,
}

impl Sandbox {
    /// A sandbox that uses this engine.
    #[must_use]
    pub const fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// The engine: reports what this machine offers, and runs probes.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Runs what the permit owns, to the end. Blocks.
    ///
    /// # Errors
    /// [`NotRun`]: the final check failed, an obligation can't be met, or the bounds aren't available. Nothing ran.
    pub fn run(
        &self,
        permit: Permit,
        manner: Manner,
        listener: Option<Listener>,
    ) -> Result<Finished, Box<NotRun>> {
        self.run_stoppable(permit, manner, listener, |_| {})
    }

    /// As [`Sandbox::run`]; calls `started` with a handle that can end the run from another thread.
    ///
    /// # Errors
    /// As [`Sandbox::run`].
    pub fn run_stoppable(
        &self,
        permit: Permit,
        manner: Manner,
        listener: Option<Listener>,
        started: impl FnOnce(Stopper),
    ) -> Result<Finished, Box<NotRun>> {
        let (sealed, obligations, duty) = match permit.redeem() {
            Ok(redeemed) => redeemed,
            Err(refused) => {
                return Err(not_run(refused.finding.code.to_string(), refused.finding.message, refused.duty));
            }
        };
        let spec = match spec(sealed.call(), &obligations, manner) {
            Ok(spec) => spec,
            Err((code, reason)) => return Err(not_run(code.to_owned(), reason, duty)),
        };
        let ran = self.engine.start(spec, listener).and_then(|running| {
            started(running.stopper());
            running.wait_with_overlays()
        });
        match ran {
            Ok((report, overlays)) => {
                let owed = owed(&report, &obligations, duty);
                Ok(Finished { report, overlays, owed })
            }
            Err(error) => {
                let text = error.to_string();
                let code = text.split_once(':').map_or("sandbox.failed", |(code, _)| code).to_owned();
                Err(not_run(code, text, duty))
            }
        }
    }
}

/// The spec for a call and its obligations.
fn spec(call: &ToolCall, obligations: &[Obligation], manner: Manner) -> Result<Spec, (&'static str, String)> {
    let final_cwd = manner.final_cwd && call.tool.as_str() == "shell:execute";
    let program = program(call, final_cwd)?;
    let (min_tier, limits) = bounds(call, obligations, &manner)?;
    let writes = |root: &&doorward_core::call::Root| root.access == RootAccess::Write;
    let held = |file: &PathBuf| {
        call.roots.iter().filter(writes).any(|root| file.starts_with(&root.path)) && file.exists()
    };
    let mut spec = Spec::new("", Path::new(&call.cwd));
    spec.argv = program;
    spec.roots = call
        .roots
        .iter()
        .map(|root| match root.access {
            RootAccess::Write if manner.read_only => Root::read(&root.path),
            RootAccess::Write => Root::write(&root.path),
            RootAccess::Read => Root::read(&root.path),
            RootAccess::Deny => Root::deny(&root.path),
        })
        .chain(manner.readable.into_iter().map(Root::read))
        .chain(manner.fixed.into_iter().filter(held).map(Root::read))
        .chain(manner.hidden.into_iter().map(Root::deny))
        .collect();
    spec.judged = manner.judged;
    spec.tmp = manner.tmp;
    spec.env = clean_environment(std::env::vars(), &[]);
    spec.env.extend(manner.env);
    spec.tier = Tier::Full;
    spec.min_tier = min_tier;
    spec.limits = limits;
    spec.network = manner.network;
    spec.stdin = manner.stdin;
    spec.stdout = manner.stdout;
    spec.stderr = manner.stderr;
    spec.overlay = manner.overlay;
    spec.observe = manner.observe;
    spec.final_cwd = final_cwd;
    Ok(spec)
}

/// The program of a call: the sealed text, passed to its interpreter as one argument.
fn program(call: &ToolCall, final_cwd: bool) -> Result<Vec<Vec<u8>>, (&'static str, String)> {
    const INTERPRETERS: &[(&str, &str, &str, &[&str])] = &[
        ("shell:execute", "command", "bash", &["-c"]),
        ("python:execute", "code", "python3", &["-c"]),
        ("node:execute", "code", "node", &["-e"]),
        ("ruby:execute", "code", "ruby", &["-e"]),
        ("perl:execute", "code", "perl", &["-e"]),
        ("php:execute", "code", "php", &["-r"]),
    ];
    let refusal = |reason: String| ("sandbox.not_runnable", reason);
    let (_, argument, interpreter, options) = INTERPRETERS
        .iter()
        .find(|(tool, ..)| *tool == call.tool.as_str())
        .ok_or_else(|| refusal(format!("{} isn't run in a sandbox", call.tool)))?;
    // A call judged as PowerShell or cmd must not go to a shell that reads it differently.
    if let Some(shell) = call.arg("shell").filter(|shell| !matches!(*shell, "bash" | "sh")) {
        return Err(refusal(format!("commands for {shell} aren't run in a sandbox")));
    }
    let text = call.arg(argument).ok_or_else(|| refusal(format!("the call has no `{argument}`")))?;
    if final_cwd {
        // `$0` carries the text, so that it isn't spliced into our script.
        let wrapper = r#"trap 'pwd -P >&3' EXIT; eval "$0""#;
        return Ok(["bash", "-c", wrapper, text].map(|word| word.as_bytes().to_vec()).to_vec());
    }
    let words = std::iter::once(*interpreter).chain(options.iter().copied()).chain(std::iter::once(text));
    Ok(words.map(|word| word.as_bytes().to_vec()).collect())
}

/// Least tier and limits: from the options, tightened by what the policy was promised of this sandbox and by its
/// obligations.
fn bounds(
    call: &ToolCall,
    obligations: &[Obligation],
    manner: &Manner,
) -> Result<(Tier, Limits), (&'static str, String)> {
    let mut least = manner.min_tier;
    let mut limits = manner.limits.clone();
    let mut tighten = |tier: Tier, wall_s: Option<u32>, memory_mb: Option<u32>| {
        least = least.max(tier);
        if let Some(seconds) = wall_s {
            limits.wall = limits.wall.min(std::time::Duration::from_secs(u64::from(seconds)));
            limits.cpu = limits.cpu.min(limits.wall);
        }
        if let Some(mib) = memory_mb {
            limits.memory = limits.memory.min(u64::from(mib) << 20);
        }
    };
    if let Some(told) = call.sandbox.as_deref().filter(|told| told.verified) {
        tighten(told.tier, told.wall_s, told.memory_mb);
    }
    for obligation in obligations {
        match obligation {
            Obligation::Sandbox { min_tier, wall_s, memory_mb, hosts } => {
                tighten(*min_tier, *wall_s, *memory_mb);
                let within = |hosts: &Vec<String>| {
                    manner
                        .only_hosts
                        .as_ref()
                        .is_some_and(|only| only.iter().all(|host| hosts.contains(host)))
                };
                if matches!(manner.network, Network::Relay { .. })
                    && hosts.as_ref().is_some_and(|hosts| !within(hosts))
                {
                    let why = "the rule names the only hosts that it may reach, and this way out isn't held to them";
                    return Err(("obligation.unmet", why.to_owned()));
                }
            }
            Obligation::Expires { at } if *at <= jiff::Timestamp::now() => {
                return Err(("obligation.expired", "the permission has ended".to_owned()));
            }
            // The gate sent the notices before it made the permit.
            Obligation::Expires { .. } | Obligation::Notify { .. } => {}
            other if manner.met_outside.contains(&other.name()) => {}
            other => {
                return Err((
                    "obligation.unmet",
                    format!("{} can't be met here, so nothing runs", other.name()),
                ));
            }
        }
    }
    Ok((least, limits))
}

fn owed(report: &Report, obligations: &[Obligation], duty: OutcomeDuty) -> Owed {
    let outcome = match report.status {
        Status::Killed { .. } => Outcome::Killed,
        Status::Exited { code: 0 } => Outcome::Ran,
        Status::Exited { .. } | Status::Signaled { .. } | Status::NotExecutable { .. } => Outcome::Failed,
    };
    let limits_hit = report.limits_hit.iter().map(|hit| word(&hit.limit)).collect();
    let detail = json::to_value(&serde_json::json!({
        "tier": report.tier, "features": report.features, "gaps": report.gaps, "ruleset": report.ruleset,
        "limits": report.limits, "limits_hit": report.limits_hit, "peak_memory": report.peak_memory,
        "peak_processes": report.peak_processes, "wall_ms": u64::try_from(report.wall.as_millis()).unwrap_or(u64::MAX),
        "leftovers": report.leftovers,
    }));
    let done = Done {
        exit: Some(report.status.exit_code()),
        limits_hit,
        output_digest: (!report.stdout.is_empty()).then(|| Digest::of(&report.stdout)),
        bytes: report.stdout_bytes.saturating_add(report.stderr_bytes),
        obligations: obligations
            .iter()
            // The notifier records it.
            .filter(|obligation| !matches!(obligation, Obligation::Notify { .. }))
            .map(|obligation| ObligationDone { kind: obligation.name().to_owned(), done: true })
            .collect(),
        detail: detail.ok(),
        output: None,
    };
    Owed { duty, outcome, done }
}

fn not_run(code: String, reason: String, duty: OutcomeDuty) -> Box<NotRun> {
    let detail = Value::Object(json::Object::from([("refused".to_owned(), Value::from(code.clone()))]));
    let done = Done { detail: Some(detail), ..Done::default() };
    Box::new(NotRun { code, reason, owed: Owed { duty, outcome: Outcome::Refused, done } })
}

/// The wire word of any value that serialises as a string.
fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
