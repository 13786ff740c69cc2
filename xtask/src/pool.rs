//! Runs suites side by side. One that mostly waits (for a process, a time limit, a client) leaves its core to the next:
//! another suite is started whenever few threads of those that run want a processor, so that no list of what waits has to
//! be kept.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::runnable::Runnable;

/// The most suites at once, whatever the processors do: each has threads, services and databases of its own.
const MOST: usize = 8;
/// Threads per core, in tenths, that may want a processor when another suite is started.
const WANTED: usize = 6;
/// A suite that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(20 * 60);
/// How often the suites are looked at.
const PAUSE: Duration = Duration::from_millis(40);

/// Something to run, with what it is called in reports.
#[derive(Debug)]
pub(crate) struct Suite {
    /// The room and the suite: `cli mcp_http::hostile`.
    pub(crate) name: String,
    /// What it is run by, without the names of tests.
    pub(crate) command: Command,
    /// Tests by name, where the suite is a part of a test program.
    pub(crate) tests: Vec<String>,
    /// What has to be installed before; where that fails, the suite lacked something and isn't run.
    pub(crate) prepare: Option<Command>,
    /// It drives programs that wait for a person at a terminal or in a browser, and that draw late on a busy machine: all
    /// other suites give way to it.
    pub(crate) hurried: bool,
}

impl Suite {
    pub(crate) fn new(room: &str, name: &str, command: Command) -> Self {
        Self { name: format!("{room} {name}"), command, tests: Vec::new(), prepare: None, hurried: false }
    }

    pub(crate) fn with(mut self, tests: Vec<String>) -> Self {
        self.tests = tests;
        self
    }

    pub(crate) fn room(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }

    /// Adds variables for everything that it starts.
    pub(crate) fn envs(&mut self, env: &[(String, String)]) {
        for command in [Some(&mut self.command), self.prepare.as_mut()].into_iter().flatten() {
            command.envs(env.iter().cloned());
        }
    }
}

/// What became of a suite.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) name: String,
    /// All that it printed.
    pub(crate) output: String,
    /// How many tests it had to run.
    pub(crate) tests: usize,
    pub(crate) wall: Duration,
    /// Processor time of the suite and of the processes that it waited for.
    pub(crate) busy: Duration,
    /// Why it failed, if it did.
    pub(crate) failed: Option<String>,
    /// What it lacked, so that it wasn't run.
    pub(crate) lacked: Option<String>,
}

/// Runs `together` side by side, in their order as far as there is room, and then `alone` one by one. `told` hears of
/// each that ended.
pub(crate) fn run(
    together: Vec<Suite>,
    alone: Vec<Suite>,
    logs: &Path,
    mut told: impl FnMut(&Ended),
) -> Vec<Ended> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut together = together.into_iter().peekable();
    let mut alone = alone.into_iter().peekable();
    let mut runnable = Runnable::new();
    let mut running: Vec<Running> = Vec::new();
    let mut ended = Vec::new();
    while together.peek().is_some() || alone.peek().is_some() || !running.is_empty() {
        let mut still = Vec::new();
        for mut suite in running {
            match suite.look() {
                None => still.push(suite),
                Some(end) => {
                    let suite = suite.ended(end);
                    told(&suite);
                    ended.push(suite);
                }
            }
        }
        running = still;
        let few = runnable.tenths().is_some_and(|tenths| tenths <= WANTED * cores);
        let room = running.len() < cores || (running.len() < MOST && few);
        let next = match together.peek() {
            Some(_) if room => together.next(),
            None if running.is_empty() => alone.next(),
            _ => None,
        };
        if let Some(suite) = next {
            running.push(Running::start(suite, logs, cores));
            runnable = Runnable::new();
        }
        std::thread::sleep(PAUSE);
    }
    ended
}

/// A suite that runs.
struct Running {
    suite: Suite,
    log: PathBuf,
    begun: Instant,
    busy: Duration,
    preparing: bool,
    child: Result<Child, String>,
}

/// How a suite ended.
enum End {
    Passed,
    Failed(String),
    /// It could not be prepared.
    Lacked(String),
}

impl Running {
    fn start(mut suite: Suite, logs: &Path, cores: usize) -> Self {
        let log = logs.join(format!("{}.log", suite.name.replace([' ', ':'], "-")));
        if !suite.tests.is_empty() {
            suite.command.args(["--exact", "--test-threads", &cores.to_string()]).args(&suite.tests);
        }
        if !suite.hurried {
            suite.command = giving_way(&suite.command);
        }
        let preparing = suite.prepare.is_some();
        let child =
            File::create(&log).map_err(|error| format!("{}: {error}", log.display())).and_then(|file| {
                let command = suite.prepare.as_mut().unwrap_or(&mut suite.command);
                spawn(command, file)
            });
        Self { suite, log, begun: Instant::now(), busy: Duration::ZERO, preparing, child }
    }

    /// Takes note of its processor time, and gives its end if it is over.
    fn look(&mut self) -> Option<End> {
        let child = match &mut self.child {
            Ok(child) => child,
            Err(error) => return Some(End::Failed(error.clone())),
        };
        if let Some(busy) = busy_of(child.id()) {
            self.busy = busy;
        }
        match child.try_wait() {
            Err(error) => Some(End::Failed(error.to_string())),
            Ok(None) if self.begun.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                Some(End::Failed(format!("it was ended after {} minutes", LIMIT.as_secs() / 60)))
            }
            Ok(None) => None,
            Ok(Some(status)) if self.preparing => self.prepared(status),
            Ok(Some(status)) if status.success() => Some(End::Passed),
            Ok(Some(status)) => Some(End::Failed(status.to_string())),
        }
    }

    fn prepared(&mut self, status: ExitStatus) -> Option<End> {
        if !status.success() {
            return Some(End::Lacked(format!("{:?} ended with {status}", self.suite.prepare)));
        }
        self.preparing = false;
        let opened = File::options().append(true).open(&self.log);
        let opened = opened.map_err(|error| format!("{}: {error}", self.log.display()));
        self.child = opened.and_then(|file| spawn(&mut self.suite.command, file));
        None
    }

    fn ended(self, end: End) -> Ended {
        let (failed, lacked) = match end {
            End::Passed => (None, None),
            End::Failed(why) => (Some(why), None),
            End::Lacked(what) => (None, Some(what)),
        };
        Ended {
            output: String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned(),
            name: self.suite.name,
            tests: self.suite.tests.len(),
            wall: self.begun.elapsed(),
            busy: self.busy,
            failed,
            lacked,
        }
    }
}

/// The same command at a lower priority (nice(1)).
fn giving_way(command: &Command) -> Command {
    let mut nice = Command::new("nice");
    nice.args(["-n", "10"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        nice.current_dir(folder);
    }
    nice
}

/// Starts a process that writes all that it says to one file, in the order in which it says it.
fn spawn(command: &mut Command, file: File) -> Result<Child, String> {
    let again = file.try_clone().map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(file).stderr(again);
    command.spawn().map_err(|error| format!("{command:?}: {error}"))
}

/// Processor time of a process and of its children that have ended: fields 14 to 17 of `/proc/PID/stat` (proc(5)), in
/// hundredths of a second.
fn busy_of(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(ticks.sum::<Option<u64>>()? * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(name: &str, script: &str) -> Suite {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Suite::new("room", name, command)
    }

    #[test]
    fn suites_that_wait_run_side_by_side_and_each_failure_is_told() {
        let folder = std::env::temp_dir().join(format!("doorward-xtask-pool-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut lacking = shell("c", "echo never");
        lacking.prepare = Some(Command::new("false"));
        let together =
            vec![shell("a", "sleep 1; echo out; echo err >&2"), shell("b", "sleep 1; exit 3"), lacking];
        let begun = Instant::now();
        let mut told = Vec::new();
        let ended =
            run(together, vec![shell("d", "echo alone")], &folder, |ended| told.push(ended.name.clone()));
        assert!(begun.elapsed() < Duration::from_millis(1_900), "{:?}", begun.elapsed());
        assert_eq!(told.last().map(String::as_str), Some("room d"), "alone means after all others");
        let of = |name: &str| ended.iter().find(|ended| ended.name == name).unwrap();
        assert_eq!((of("room a").output.as_str(), &of("room a").failed), ("out\nerr\n", &None));
        assert!(of("room b").failed.as_ref().is_some_and(|why| why.contains('3')), "{:?}", of("room b"));
        assert!(of("room c").lacked.is_some() && of("room c").output.is_empty(), "{:?}", of("room c"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn processor_time_is_read_from_the_system() {
        assert!(busy_of(std::process::id()).is_some());
    }
}
