//! The specification of a run: program, view of the files, network, limits, tier. Plain, self-contained data.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use doorward_core::Tier;
use doorward_core::effect::Protection;
use serde::{Deserialize, Serialize};

/// Access below a [`Root`], the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Full access.
    Write,
    /// For a git directory: git's state can be written, but nothing that makes git run programs.
    Git,
    /// Read and execute.
    Read,
    /// No access: an empty directory or file is shown instead.
    Deny,
    /// No access, and opening it fails: git would take an empty file for a change and commit it.
    Closed,
}

/// A place visible to the program, at its own path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Absolute path; links in it are resolved once, before the run.
    pub path: PathBuf,
    /// Access there. The longest matching root decides, so a denial can lie inside a permission and the reverse.
    pub access: Access,
}

impl Root {
    /// A root the program may write to.
    pub fn write(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Write }
    }

    /// A root the program may only read.
    pub fn read(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Read }
    }

    /// A place hidden from the program.
    pub fn deny(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Deny }
    }
}

/// What happens when a run creates a protected name that doesn't exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenMissing {
    /// The call that would create it fails.
    Refused,
    /// It is created, and reported afterwards.
    Reported,
}

/// A name that can't be changed below any writable root: read-only if it exists, and not to be created otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Relative to the root, `/` between components.
    pub name: String,
    /// What happens if it is missing and the run creates it.
    pub missing: WhenMissing,
}

/// Names from which other programs later run code: settings of coding agents and editors, and our own files.
///
/// These are the names of [`doorward_paths::PROTECTED`] in the classes `Deny` and `Own`, except `.git`: a git
/// directory is partly writable, so that a commit works.
#[must_use]
pub fn protected_names() -> Vec<Protected> {
    doorward_paths::PROTECTED
        .iter()
        .filter(|row| row.class != Protection::Ask && row.names != [".git"])
        .map(|row| {
            let name = row.names.join("/");
            let missing = match name.as_str() {
                name if OF_WORK.contains(&name) => WhenMissing::Reported,
                _ => WhenMissing::Refused,
            };
            Protected { name, missing }
        })
        .collect()
}

/// Names that work in a repository makes.
const OF_WORK: &[&str] = &[".gitmodules", ".hg", ".jj"];

/// Network access.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Network {
    /// None: an empty namespace, or no socket families at all.
    #[default]
    None,
    /// Only through the egress proxy: a listener on `127.0.0.1:port` inside the empty namespace, whose connections
    /// are joined to the proxy's Unix socket outside. Needs [`Tier::Full`].
    Relay {
        /// The proxy's Unix socket.
        socket: PathBuf,
        /// Identifies traffic of this run: the user part of the proxy URL given to the program.
        token: String,
        /// Port inside.
        port: u16,
    },
}

/// Destination of one of the program's output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Kept, up to the limit, and returned in the report; also passed to the listener as it arrives.
    #[default]
    Capture,
    /// Passed to the listener as it arrives, not kept.
    Stream,
    /// Our own stream: the program writes straight to it. Neither counted nor limited.
    Inherit,
    /// Discarded.
    Null,
}

/// Source of the program's input.
#[derive(Debug, Default)]
pub enum ProgramInput {
    /// Empty.
    #[default]
    Null,
    /// These bytes.
    Bytes(Vec<u8>),
    /// An open file, pipe or terminal.
    Descriptor(OwnedFd),
}

/// Limits of a run. The report lists all of them, with the mechanism that enforced each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time.
    pub wall: Duration,
    /// Time between SIGTERM and SIGKILL once the wall time is over.
    pub grace: Duration,
    /// Memory of the whole tree, in bytes.
    pub memory: u64,
    /// Processes and threads of the whole tree.
    pub processes: u32,
    /// CPU time of each process, in whole seconds (rounded up).
    pub cpu: Duration,
    /// Largest file, in bytes.
    pub file_size: u64,
    /// Open descriptors of each process.
    pub open_files: u32,
    /// Bytes of each output stream.
    pub output: u64,
    /// Beyond `output`: true ends the program, false drops further output.
    pub end_on_output: bool,
    /// Size of the private file system that holds the temp folder, shared memory and home, in bytes.
    pub disk: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            grace: Duration::from_millis(500),
            memory: 512 << 20,
            processes: 256,
            cpu: Duration::from_secs(30),
            file_size: 1 << 30,
            open_files: 1024,
            output: 8 << 20,
            end_on_output: false,
            disk: 256 << 20,
        }
    }
}

impl Limits {
    /// The tighter of two, limit by limit. Joins a project's configuration or an obligation to the defaults.
    #[must_use]
    pub fn tighten(&self, other: &Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            grace: self.grace.min(other.grace),
            memory: self.memory.min(other.memory),
            processes: self.processes.min(other.processes),
            cpu: self.cpu.min(other.cpu),
            file_size: self.file_size.min(other.file_size),
            open_files: self.open_files.min(other.open_files),
            output: self.output.min(other.output),
            end_on_output: self.end_on_output || other.end_on_output,
            disk: self.disk.min(other.disk),
        }
    }
}

/// A run.
#[derive(Debug)]
pub struct Spec {
    /// Program and arguments. Without a slash the program is looked up in `PATH` of `env`.
    pub argv: Vec<Vec<u8>>,
    /// Working directory. Must lie in a root; other places of the host don't exist inside.
    pub cwd: PathBuf,
    /// The whole environment; nothing is inherited. See [`clean_environment`].
    pub env: BTreeMap<String, String>,
    /// Visible places besides the system's read-only ones. Writable roots come from policy, never from `cwd`.
    pub roots: Vec<Root>,
    /// Places that the call was judged to read, shown without files that have the names of secret files.
    pub judged: Vec<PathBuf>,
    /// A folder of the host that the run sees as `/tmp`, instead of a private one that ends with it.
    pub tmp: Option<PathBuf>,
    /// Names below writable roots that can't be changed.
    pub protected: Vec<Protected>,
    /// The tier to try for.
    pub tier: Tier,
    /// Below this tier the run is refused.
    pub min_tier: Tier,
    /// Limits.
    pub limits: Limits,
    /// Network access.
    pub network: Network,
    /// Standard input.
    pub stdin: ProgramInput,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// Collect writes beside the writable roots for review. See [`Overlay`](crate::Overlay).
    pub overlay: bool,
    /// Return the shell's last working directory: only with [`Spec::shell`].
    pub final_cwd: bool,
    /// Observe hosts contacted and programs started.
    pub observe: bool,
}

impl Spec {
    /// A program whose working directory is its only writable root, in the full tier or not at all.
    pub fn new(program: impl Into<Vec<u8>>, cwd: impl AsRef<Path>) -> Self {
        let cwd = cwd.as_ref().to_owned();
        Self {
            argv: vec![program.into()],
            roots: vec![Root::write(&cwd)],
            cwd,
            env: clean_environment(std::env::vars(), &[]),
            judged: Vec::new(),
            tmp: None,
            protected: protected_names(),
            tier: Tier::Full,
            min_tier: Tier::Full,
            limits: Limits::default(),
            network: Network::None,
            stdin: ProgramInput::Null,
            stdout: Output::Capture,
            stderr: Output::Capture,
            overlay: false,
            final_cwd: false,
            observe: false,
        }
    }

    /// A shell command. The report returns the shell's last working directory.
    pub fn shell(command: &str, cwd: impl AsRef<Path>) -> Self {
        // `$0` carries the text, so that it isn't spliced into our script.
        let wrapper = r#"trap 'pwd -P >&3' EXIT; eval "$0""#;
        let mut spec = Self::new("/bin/sh", cwd);
        spec.argv.extend([b"-c".to_vec(), wrapper.into(), command.into()]);
        spec.final_cwd = true;
        spec
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<Vec<u8>>) -> Self {
        self.argv.push(argument.into());
        self
    }

    /// Adds a root.
    #[must_use]
    pub fn root(mut self, root: Root) -> Self {
        self.roots.push(root);
        self
    }
}

/// The variables that a sandboxed program inherits: `PATH HOME LANG LC_* TERM TZ USER` and those added by policy.
/// An allow-list, because a deny-list misses the next secret's name.
///
/// ```
/// let ours = [("PATH", "/usr/bin"), ("LC_ALL", "C"), ("API_TOKEN", "s3cret")];
/// let clean = doorward_sandbox::clean_environment(ours.map(|(k, v)| (k.to_owned(), v.to_owned())), &[]);
/// assert_eq!(clean.len(), 2);
/// assert!(!clean.contains_key("API_TOKEN"));
/// ```
#[must_use]
pub fn clean_environment(
    variables: impl IntoIterator<Item = (String, String)>,
    also: &[String],
) -> BTreeMap<String, String> {
    const KEPT: &[&str] = &["PATH", "HOME", "LANG", "TERM", "TZ", "USER"];
    variables
        .into_iter()
        .filter(|(name, _)| {
            KEPT.contains(&name.as_str()) || name.starts_with("LC_") || also.iter().any(|kept| kept == name)
        })
        .collect()
}
