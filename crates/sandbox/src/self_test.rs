//! Measures the sandbox's cost and whether its limits hold, with programs of our own. Runs no caller's command, so
//! it needs no permit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use doorward_core::Tier;

use crate::error::SandboxError;
use crate::probe::Peer;
use crate::report::{Cause, Report, Status};
use crate::spec::{Limits, Output, Root, Spec};
use crate::{Engine, engine, sys};

/// Start-up times of one launcher.
#[derive(Debug, Clone)]
pub struct StartUp {
    /// Its name.
    pub name: &'static str,
    /// One per round, sorted.
    pub times: Vec<Duration>,
}

impl StartUp {
    /// The shortest.
    #[must_use]
    pub fn min(&self) -> Duration {
        self.times.first().copied().unwrap_or_default()
    }

    /// The median.
    #[must_use]
    pub fn median(&self) -> Duration {
        self.times.get(self.times.len() / 2).copied().unwrap_or_default()
    }
}

/// Runs `/bin/true` under each launcher in turn, round by round. Peers that aren't installed are skipped.
///
/// # Errors
/// If the sandbox itself can't run it.
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
    // Peers run in a workspace of their own: their namespaces may have no access to other folders.
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
            // The first round warms caches and makes the survey.
            if well && round > 0 {
                told.times.push(started.elapsed());
            }
        }
    }
    all.iter_mut().for_each(|told| told.times.sort());
    Ok(all)
}

/// A limit that was tested.
#[derive(Debug)]
pub struct LimitTrial {
    /// Name of the test.
    pub name: &'static str,
    /// Its report.
    pub report: Report,
}

const PYTHON_HOG: &str = "exec python3 -c 'b = []\nwhile True: b.append(bytearray(b\"x\") * (1 << 20))'";
const NODE_HOG: &str = "exec node -e 'const b = []; for (;;) b.push(Buffer.alloc(1 << 20, 1))'";
// An unlimited heap, so that only our limit applies.
const JAVA_HOG: &str = "echo 'public class Hog { public static void main(String[] a) { var b = new \
    java.util.ArrayList<byte[]>();\
    while (true) { var x = new byte[1 << 20]; java.util.Arrays.fill(x, (byte) 1); b.add(x); } } }' > Hog.java;\
    exec java -Xmx4g Hog.java";
const CHILDREN: &str =
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do perl -e 'my $b = \"x\" x (50 << 20); sleep 15' & done; wait";

/// Exceeds each limit at its default (30 s, 512 MiB) or, with `short`, at small values.
///
/// # Errors
/// If a run can't be started.
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
        ("memory: many children", false, true, CHILDREN),
        ("memory: python", false, true, PYTHON_HOG),
        ("memory: python, supervised", false, false, PYTHON_HOG),
        ("memory: node", false, true, NODE_HOG),
        ("memory: node, supervised", false, false, NODE_HOG),
        ("memory: java", false, true, JAVA_HOG),
        ("memory: java, supervised", false, false, JAVA_HOG),
        ("memory: many children, supervised", false, false, CHILDREN),
        ("pids: fork bomb, supervised", false, false, "bomb() { bomb | bomb & }; bomb; sleep 15"),
        ("pids: fork bomb", false, true, "bomb() { bomb | bomb & }; bomb; sleep 15"),
        ("disk: temp folder filled", false, true, "head -c 600m /dev/zero > /tmp/fill; sleep 15"),
        ("output: flood", false, true, "yes"),
    ];
    TRIALS
        .iter()
        .map(|(name, wall, group, command)| {
            let engine = if *group { Engine::new() } else { Engine::new().without_cgroup() };
            let mut spec = Spec::new("/bin/sh", folder.path()).arg("-c").arg(*command);
            let search = toolchains().map(|place| place.join("bin").display().to_string());
            let search: Vec<String> = search.chain(["/usr/bin:/bin".to_owned()]).collect();
            spec.env.insert("PATH".to_owned(), search.join(":"));
            spec.roots.extend(toolchains().map(Root::read));
            spec.limits = if *wall { bounds.clone() } else { slow.clone() };
            spec.limits.end_on_output = true;
            Ok(LimitTrial { name, report: engine.run(spec)? })
        })
        .collect()
}

/// Folders of interpreters and compilers outside the system's own, if they exist here.
fn toolchains() -> impl Iterator<Item = std::path::PathBuf> {
    let asked =
        [("rustc", &["--print", "sysroot"][..]), ("python3", &["-c", "import sys; print(sys.base_prefix)"])];
    let told = asked.into_iter().filter_map(|(program, words)| {
        let told = Command::new(program).args(words).stderr(Stdio::null()).output().ok()?;
        let path = std::path::PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
        (path.is_dir() && !path.starts_with("/usr")).then_some(path)
    });
    told.collect::<Vec<_>>().into_iter()
}

/// How long a supervised program survives after it crossed its memory limit, per round: from its own time stamp to
/// the moment we know of its end.
///
/// # Errors
/// If a run can't be started.
pub fn supervised_delay(rounds: usize) -> Result<Vec<Duration>, SandboxError> {
    // Prints the monotonic clock after each MiB.
    const HOG: &str = "use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC); $| = 1; my @b; \
        while (1) { push @b, \"x\" x (1 << 20); printf \"%.6f\\n\", clock_gettime(CLOCK_MONOTONIC) }";
    const MIB: usize = 128;
    let folder = Workspace::new()?;
    let engine = Engine::new().without_cgroup();
    let mut delays = Vec::new();
    for _ in 0..rounds {
        let mut spec = Spec::new("perl", folder.path()).arg("-e").arg(HOG);
        spec.limits.memory = (MIB as u64) << 20;
        let report = engine.run(spec)?;
        let ended = sys::monotonic();
        let told = String::from_utf8_lossy(&report.stdout).into_owned();
        // It holds slightly more than it counts, so it crossed the limit no later than this.
        let crossed = told.lines().take(MIB).last().and_then(|line| line.parse::<f64>().ok());
        if let (Status::Killed { by: Cause::Memory }, Some(crossed)) = (report.status, crossed) {
            delays.push(ended.saturating_sub(Duration::from_secs_f64(crossed)));
        }
    }
    delays.sort();
    Ok(delays)
}

/// Cost of a build.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Elapsed time.
    pub wall: Duration,
    /// CPU time of all its processes.
    pub processor: Duration,
}

/// Runs the same build inside and outside in turn, and returns the least cost of each. The build is a crate of a
/// thousand small functions if cargo is installed, else many short processes, files and pages.
///
/// # Errors
/// If a run can't be started.
pub fn overhead(rounds: usize) -> Result<(Cost, Cost), SandboxError> {
    // Our own folder, used by the build outside as well.
    let folder = Workspace(engine::private_folder(None)?);
    let fault = SandboxError::Helper;
    std::fs::create_dir(folder.path().join("src")).map_err(fault)?;
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    std::fs::write(folder.path().join("Cargo.toml"), manifest).map_err(fault)?;
    let body = |n| {
        format!(
            "pub fn f{n}(x: u64) -> String {{ let mut v: Vec<u64> = (0..x).map(|y| y.wrapping_mul({n})).collect(); \
             v.sort_by_key(|y| y % {}); format!(\"{{v:?}} {{}}\", v.len()) }}\n",
            n + 3
        )
    };
    let source: String =
        (0..1000).map(body).chain(["fn main() { println!(\"{}\", f7(3)); }\n".to_owned()]).collect();
    std::fs::write(folder.path().join("src/main.rs"), source).map_err(fault)?;
    let toolchains: Vec<_> = toolchains().collect();
    let cargo = toolchains.iter().map(|place| place.join("bin")).find(|place| place.join("cargo").exists());
    let build = match &cargo {
        Some(_) => "rm -rf target && cargo build --release --offline -q",
        None => {
            "i=0; while [ $i -lt 400 ]; do i=$((i+1)); head -c 200000 /dev/zero | sha256sum > f$((i % 20)); \
             perl -e 'my %h; $h{$_} = $_ x 3 for 1..20000' ; done"
        }
    };
    let search =
        format!("{}:/usr/bin:/bin", cargo.map(|place| place.display().to_string()).unwrap_or_default());
    let engine = Engine::new();
    let most = Cost { wall: Duration::MAX, processor: Duration::MAX };
    let least = |one: Cost, other: Cost| Cost {
        wall: one.wall.min(other.wall),
        processor: one.processor.min(other.processor),
    };
    let (mut inside, mut outside) = (most, most);
    for _ in 0..rounds {
        let mut spec = Spec::new("/bin/sh", folder.path()).arg("-c").arg(build);
        spec.roots.extend(toolchains.iter().map(Root::read));
        spec.env.insert("PATH".to_owned(), search.clone());
        let long = Duration::from_secs(600);
        spec.limits = Limits { wall: long, cpu: long, memory: 4 << 30, ..Limits::default() };
        let started = Instant::now();
        let report = engine.run(spec)?;
        if report.status != (Status::Exited { code: 0 }) {
            let told = String::from_utf8_lossy(&report.stderr).into_owned();
            return Err(SandboxError::Helper(std::io::Error::other(told)));
        }
        let processor = report.cpu_user + report.cpu_system;
        inside = least(inside, Cost { wall: started.elapsed(), processor });
        // The helper is reaped in the background and would otherwise count in the next measurement.
        std::thread::sleep(Duration::from_millis(500));
        let (before, started) = (sys::children_usage(), Instant::now());
        let mut command = Command::new("/bin/sh");
        let _ = command
            .args(["-c", build])
            .current_dir(folder.path())
            .env("PATH", &search)
            .status()
            .map_err(fault)?;
        let wall = started.elapsed();
        let after = sys::children_usage();
        let processor = (after.0 + after.1).saturating_sub(before.0 + before.1);
        outside = least(outside, Cost { wall, processor });
    }
    Ok((inside, outside))
}

/// A program that makes, renames and removes `files` files by path, in a plain folder and in a repository, where
/// the keeper is notified of each such call. Returns the least cost of `rounds` for each.
///
/// # Errors
/// If a run can't be started.
pub fn many_writes(rounds: usize, files: usize) -> Result<(Cost, Cost), SandboxError> {
    let engine = Engine::new();
    let work = format!(
        "mkdir 'd'; for (1..{files}) {{ open F, '>', \"d/$_\"; close F; rename \"d/$_\", \"d/x$_\"; unlink \
         \"d/x$_\" }} rmdir 'd'"
    );
    let mut costs = [Cost { wall: Duration::MAX, processor: Duration::MAX }; 2];
    for _ in 0..rounds {
        for (with_git, cost) in costs.iter_mut().enumerate() {
            let folder = Workspace(engine::private_folder(None)?);
            if with_git == 1 {
                for part in ["objects", "refs"] {
                    std::fs::create_dir_all(folder.path().join(".git").join(part))
                        .map_err(SandboxError::Helper)?;
                }
                std::fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/main\n")
                    .map_err(SandboxError::Helper)?;
            }
            let spec = Spec::new("/usr/bin/perl", folder.path()).arg("-e").arg(work.as_str());
            let started = Instant::now();
            let report = engine.run(spec)?;
            if report.status != (Status::Exited { code: 0 }) {
                return Err(SandboxError::Helper(std::io::Error::other("the writes failed")));
            }
            cost.wall = cost.wall.min(started.elapsed());
            cost.processor = cost.processor.min(report.cpu_user + report.cpu_system);
        }
    }
    let [plain, git] = costs;
    Ok((plain, git))
}

/// Runs `/bin/true` in an empty folder and in one with `folders` folders of ten files each, which is searched for
/// leftovers. Returns the shortest time of `rounds` for each.
///
/// # Errors
/// If a run can't be started.
pub fn large_root(rounds: usize, folders: usize) -> Result<(Duration, Duration), SandboxError> {
    let engine = Engine::new();
    let fault = SandboxError::Helper;
    let (empty, large) = (Workspace(engine::private_folder(None)?), Workspace(engine::private_folder(None)?));
    for number in 0..folders {
        let folder = large.path().join(format!("{}/{}/{number}", number % 10, number % 100));
        std::fs::create_dir_all(&folder).map_err(fault)?;
        for file in 0..10 {
            std::fs::write(folder.join(file.to_string()), "").map_err(fault)?;
        }
    }
    let mut least = [Duration::MAX; 2];
    for _ in 0..rounds {
        for (place, least) in [&empty, &large].into_iter().zip(&mut least) {
            let started = Instant::now();
            engine.run(Spec::new("/bin/true", place.path()))?;
            *least = started.elapsed().min(*least);
        }
    }
    let [empty, large] = least;
    Ok((empty, large))
}

struct Workspace(std::path::PathBuf);

impl Workspace {
    /// A folder that the restricted tier can also use: uid 0 can't run that tier on its own files.
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
