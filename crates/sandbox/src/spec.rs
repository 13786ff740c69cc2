//! What a run asks for: program, view of the files, network, limits, tier. Plain data, complete in itself.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use doorward_core::Tier;
use doorward_core::effect::Protection;
use serde::{Deserialize, Serialize};

/// What may be done below a [`Root`], the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everything.
    Write,
    /// A git directory: git's state is written, nothing that makes git run programs.
    Git,
    /// Read and execute.
    Read,
    /// Nothing: an empty directory or file lies there instead.
    Deny,
    /// Nothing, and it can't be opened: git would take an empty file for a change and commit it.
    Closed,
}

/// A place the program sees, at its own path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Absolute path; links in it are resolved once, before the run.
    pub path: PathBuf,
    /// What may be done there. The longest matching root decides, so denials hold inside permissions and the reverse.
    pub access: Access,
}

impl Root {
    /// A root the program may write.
    pub fn write(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Write }
    }

    /// A root the program may only read.
    pub fn read(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Read }
    }

    /// A place the program must not see.
    pub fn deny(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), access: Access::Deny }
    }
}

/// What keeps the place of a protected name that doesn't exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenMissing {
    /// An empty directory, for the time of the run: the name can't be made.
    Placeholder,
    /// Nothing: an empty directory of this name would break the tool that reads it. What is made is told afterwards.
    Nothing,
}

/// A name below every writable root that stays as it is: read-only when it exists, and not to be created when not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Relative to the root, `/` between components.
    pub name: String,
    /// What happens where it is missing.
    pub missing: WhenMissing,
}

/// Names whose content another program runs later: the settings of coding agents and editors, and our own files.
///
/// These are the names of [`doorward_paths::PROTECTED`] in the classes `Deny` and `Own`, but for `.git`: a git
/// directory is writable in part, so that a commit works.
#[must_use]
pub fn protected_names() -> Vec<Protected> {
    doorward_paths::PROTECTED
        .iter()
        .filter(|row| row.class != Protection::Ask && row.names != [".git"])
        .map(|row| {
            let name = row.names.join("/");
            let missing = match name.as_str() {
                name if NEVER_EMPTY.contains(&name) => WhenMissing::Nothing,
                _ => WhenMissing::Placeholder,
            };
            Protected { name, missing }
        })
        .collect()
}

/// Names that can't be kept by an empty directory: git fails at a `.gitmodules` that is one, and editors take a `.hg`
/// or `.jj` for a repository.
const NEVER_EMPTY: &[&str] = &[".gitmodules", ".hg", ".jj"];

/// The way out.
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
        /// Binds traffic to this run: the user part of the proxy URL the program is given.
        token: String,
        /// Port inside.
        port: u16,
    },
}

/// Where a stream of the program's output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Kept, up to the limit, and handed back in the report; also given to the listener as it comes.
    #[default]
    Capture,
    /// Given to the listener as it comes, not kept.
    Stream,
    /// Ours: the program writes straight to it. Neither counted nor limited.
    Inherit,
    /// Nowhere.
    Null,
}

/// Where the program's input comes from.
#[derive(Debug, Default)]
pub enum Input {
    /// Nowhere.
    #[default]
    Null,
    /// These bytes.
    Bytes(Vec<u8>),
    /// An open file, pipe or terminal.
    Descriptor(OwnedFd),
}

/// Bounds of a run. All of them end up in the report, with the mechanism that held them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time.
    pub wall: Duration,
    /// Between SIGTERM and SIGKILL when the wall time is over.
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
    /// What happens past `output`: the program is ended, or goes on unheard.
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
    /// The tighter of two, limit by limit: how a project's configuration or an obligation joins ours.
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
    /// Where it starts. Must lie in a root, or nowhere outside exists for it.
    pub cwd: PathBuf,
    /// The whole environment. See [`clean_environment`].
    pub env: BTreeMap<String, String>,
    /// The places it sees beside the system's own read-only ones. Written roots come from policy, never from `cwd`.
    pub roots: Vec<Root>,
    /// Names below written roots that stay as they are.
    pub protected: Vec<Protected>,
    /// The tier to try for.
    pub tier: Tier,
    /// Below this tier the run is refused.
    pub min_tier: Tier,
    /// Bounds.
    pub limits: Limits,
    /// Way out.
    pub network: Network,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// Collect writes below written roots beside them instead of in them. See [`Overlay`](crate::Overlay).
    pub overlay: bool,
    /// Hand back the shell's last working directory: only with [`Spec::shell`].
    pub final_cwd: bool,
    /// Watch which hosts are tried and which programs start.
    pub observe: bool,
}

impl Spec {
    /// A program in a working directory that is also the one root it may write, in the full tier or not at all.
    pub fn new(program: impl Into<Vec<u8>>, cwd: impl AsRef<Path>) -> Self {
        let cwd = cwd.as_ref().to_owned();
        Self {
            argv: vec![program.into()],
            roots: vec![Root::write(&cwd)],
            cwd,
            env: clean_environment(std::env::vars(), &[]),
            protected: protected_names(),
            tier: Tier::Full,
            min_tier: Tier::Full,
            limits: Limits::default(),
            network: Network::None,
            stdin: Input::Null,
            stdout: Output::Capture,
            stderr: Output::Capture,
            overlay: false,
            final_cwd: false,
            observe: false,
        }
    }

    /// A shell command. The shell's last working directory comes back in the report.
    pub fn shell(command: &str, cwd: impl AsRef<Path>) -> Self {
        // `$0` carries the text, so nothing of it is spliced into ours.
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

/// The variables a sandboxed program gets from ours: `PATH HOME LANG LC_* TERM TZ USER` and what policy adds. An
/// allow-list: a deny-list of names never knows the next secret's name.
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
