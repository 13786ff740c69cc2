//! What the sandbox costs and whether its limits hold, measured with programs of our own. Runs no command of a
//! caller's, so it needs no permit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use doorward_core::Tier;

use crate::error::SandboxError;
use crate::probe::Peer;
use crate::report::{Report, Status};
use crate::spec::{Limits, Output, Root, Spec};
use crate::{Engine, engine, sys};

/// Start-up times of one launcher.
#[derive(Debug, Clone)]
pub struct StartUp {
    /// Its name.
    pub name: &'static str,
    /// One for each round, sorted.
    pub times: Vec<Duration>,
}

impl StartUp {
    /// The fastest.
    #[must_use]
    pub fn min(&self) -> Duration {
        self.times.first().copied().unwrap_or_default()
    }

    /// The one in the middle.
    #[must_use]
    pub fn median(&self) -> Duration {
        self.times.get(self.times.len() / 2).copied().unwrap_or_default()
    }
}

/// Runs `/bin/true` under each launcher in turn, round by round. Peers that aren't installed are left out.
///
/// # Errors
/// When the sandbox itself can't run it.
pub fn start_up(rounds: usize) -> Result<Vec<StartUp>, SandboxError> {
    let folder = Workspace::new()?;
    let with_group = Engine::new();
    let without_group = Engine::new().without_cgroup();
    let ready = Engine::new().with_spare();
    ready.prepare();
    let quiet = |mut spec: Spec, tier: Tier| {
        (spec.tier, spec.min_tier) = (tier, tier);
        (spec.stdout, spec.stderr) = (Output::Null, Output::Null);
        spec.roots = vec![Root::write(folder.path())];
        spec
    };
    let own = |engine: &Engine, tier: Tier| -> Result<bool, SandboxError> {
        let report = engine.run(quiet(Spec::new("/bin/true", folder.path()), tier))?;
        Ok(report.status == Status::Exited { code: 0 })
    };
    // Peers run in one of our own, as namespaces of theirs may not reach into somebody else's.
    let theirs = Workspace(engine::private_folder(None)?);
    let peer = |argv: &[&str]| -> bool {
        let Some((program, rest)) = argv.split_first() else { return false };
        let mut command = Command::new(program);
        command
            .args(rest)
            .current_dir(theirs.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    type Launch<'a> = Box<dyn Fn() -> Result<bool, SandboxError> + 'a>;
    let mut launchers: Vec<(&'static str, Launch<'_>)> = vec![
        ("nothing", Box::new(|| Ok(peer(&["/bin/true"])))),
        ("doorward limited", Box::new(|| own(&without_group, Tier::Limited))),
        ("doorward restricted", Box::new(|| own(&without_group, Tier::Restricted))),
        ("doorward full, supervised", Box::new(|| own(&without_group, Tier::Full))),
        ("doorward full, control group", Box::new(|| own(&with_group, Tier::Full))),
        ("doorward full, helper ready", Box::new(|| own(&ready, Tier::Full))),
    ];
    let place = theirs.path().display().to_string();
    let own_program = std::env::current_exe().map_err(SandboxError::Helper)?.display().to_string();
    for known in Peer::KNOWN.iter().filter(|known| !known.argv.is_empty()) {
        let mut words = known.words(theirs.path(), &place, "/nonexistent", &own_program);
        words.push("/bin/true".to_owned());
        let run = move || {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            peer(&words)
        };
        if run() {
            launchers.push((known.name, Box::new(move || Ok(run()))));
        } else {
            eprintln!("LACKING: {} isn't here or can't run here", known.name);
        }
    }
    let mut all: Vec<StartUp> =
        launchers.iter().map(|(name, _)| StartUp { name, times: Vec::with_capacity(rounds) }).collect();
    for round in 0..=rounds {
        for ((_, launch), told) in launchers.iter().zip(&mut all) {
            let started = Instant::now();
            let well = launch()?;
            // The first round warms caches and takes the survey.
            if well && round > 0 {
                told.times.push(started.elapsed());
            }
        }
    }
    all.iter_mut().for_each(|told| told.times.sort());
    Ok(all)
}

/// A limit tried out.
#[derive(Debug)]
pub struct LimitTrial {
    /// What ran.
    pub name: &'static str,
    /// What came of it.
    pub report: Report,
}

/// Goes over each limit at its default (30 s, 512 MiB) or, with `short`, at small ones.
///
/// # Errors
/// When a run can't be started.
pub fn limits(short: bool) -> Result<Vec<LimitTrial>, SandboxError> {
    let folder = Workspace::new()?;
    let bounds = if short {
        Limits { wall: Duration::from_secs(1), memory: 64 << 20, disk: 16 << 20, ..Limits::default() }
    } else {
        Limits::default()
    };
    let slow = Limits { wall: Duration::from_secs(20), ..bounds.clone() };
    const TRIALS: &[(&str, bool, bool, &str)] = &[
        ("wall: sleep", true, true, "sleep 60"),
        (
            "wall: setsid escape, deaf to TERM",
            true,
            true,
            "setsid sh -c 'trap \"\" TERM; sleep 60' & sleep 60",
        ),
        (
            "memory: one process",
            false,
            true,
            "exec perl -e 'my @b; while (1) { push @b, \"x\" x (1 << 20) }'",
        ),
        (
            "memory: one process, supervised",
            false,
            false,
            "exec perl -e 'my @b; while (1) { push @b, \"x\" x (1 << 20) }'",
        ),
        (
            "memory: many children",
            false,
            true,
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do perl -e 'my $b = \"x\" x (50 << 20); sleep 15' & done; wait",
        ),
        ("pids: fork bomb", false, true, "bomb() { bomb | bomb & }; bomb; sleep 15"),
        ("disk: temp folder filled", false, true, "head -c 600m /dev/zero > /tmp/fill; sleep 15"),
        ("output: flood", false, true, "yes"),
    ];
    TRIALS
        .iter()
        .map(|(name, wall, group, command)| {
            let engine = if *group { Engine::new() } else { Engine::new().without_cgroup() };
            let mut spec = Spec::new("/bin/sh", folder.path()).arg("-c").arg(*command);
            spec.limits = if *wall { bounds.clone() } else { slow.clone() };
            spec.limits.end_on_output = true;
            Ok(LimitTrial { name, report: engine.run(spec)? })
        })
        .collect()
}

/// Processor work of about the given length inside and outside, in turn; the fastest of each.
///
/// # Errors
/// When a run can't be started.
pub fn overhead(rounds: usize) -> Result<(Duration, Duration), SandboxError> {
    // Many short processes, files and pages, as a build makes them.
    const BUILD: &str = "i=0; while [ $i -lt 400 ]; do i=$((i+1)); head -c 200000 /dev/zero | sha256sum > f$((i % 20)); \
        perl -e 'my %h; $h{$_} = $_ x 3 for 1..20000' ; done";
    let folder = Workspace::new()?;
    let engine = Engine::new();
    let (mut inside, mut outside) = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let mut spec = Spec::new("/bin/sh", folder.path()).arg("-c").arg(BUILD);
        spec.limits =
            Limits { wall: Duration::from_secs(120), cpu: Duration::from_secs(120), ..Limits::default() };
        let started = Instant::now();
        engine.run(spec)?;
        inside = inside.min(started.elapsed());
        let started = Instant::now();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", BUILD]).current_dir(folder.path()).status().map_err(SandboxError::Helper)?;
        outside = outside.min(started.elapsed());
    }
    Ok((inside, outside))
}

struct Workspace(std::path::PathBuf);

impl Workspace {
    /// A folder that the restricted tier can use as well: uid 0 can't run that one on its own files.
    fn new() -> Result<Self, SandboxError> {
        let folder = Self(engine::private_folder(None)?);
        if sys::ids().0 == 0 {
            std::os::unix::fs::chown(folder.path(), Some(1000), Some(1000)).map_err(SandboxError::Helper)?;
        }
        Ok(folder)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
