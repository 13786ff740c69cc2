//! `doorward stop service`, `doorward restart`, `doorward logs`: the service as its person handles it.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use doorward_hooks::companion;
use doorward_hooks::thin::{LOG, SOCKET};
use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;
use rustix::process::{Pid, Signal, kill_process};

use crate::output::{Failure, as_json, say};
use crate::state::StateOption;
use crate::status;

/// How long a service may take to end: it finishes what it writes.
const ENDING: Duration = Duration::from_secs(15);
/// How long one may take to answer after it was started.
const STARTING: Duration = Duration::from_secs(10);
/// How often is looked.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    state: StateOption,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Logs {
    #[command(flatten)]
    state: StateOption,
    /// How many lines from the end
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    lines: usize,
    /// Go on with what is written from now on, until interrupted
    #[arg(short, long)]
    follow: bool,
}

/// `doorward stop service`
pub(crate) fn stop(state: &StateOption) -> Result<ExitCode, Failure> {
    let state = state.folder();
    match end(&state)? {
        Some(pid) => say!("stopped the service (process {pid})"),
        None => say!("no service runs for {}", state.display()),
    }
    say!("the next call of an agent starts it again; `doorward uninstall CLIENT` takes the hook out");
    Ok(ExitCode::SUCCESS)
}

/// `doorward restart`
pub(crate) fn restart(args: Args) -> Result<ExitCode, Failure> {
    let state = std::path::absolute(args.state.folder())?;
    end(&state)?;
    std::fs::create_dir_all(&state)?;
    let log = state.join(LOG);
    let written = std::fs::OpenOptions::new().create(true).append(true).open(&log)?;
    let mut child = Command::new(companion::whole()?)
        .arg("serve")
        .arg("--state")
        .arg(&state)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(written)
        .process_group(0)
        .spawn()?;
    let until = Instant::now() + STARTING;
    while Instant::now() < until {
        if let Ok(health) = status::ask(&state.join(SOCKET)) {
            let version = health.get("version").and_then(serde_json::Value::as_str).unwrap_or_default();
            say!("the service {version} runs (process {})", child.id());
            return Ok(ExitCode::SUCCESS);
        }
        if child.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(LOOK);
    }
    let why = tail(&log, 5).unwrap_or_default();
    Err(Failure::new("service.not_started", format!("the service doesn't answer. Its log ends:\n{why}")))
}

/// `doorward logs`
pub(crate) fn logs(args: Logs) -> Result<ExitCode, Failure> {
    let path = args.state.folder().join(LOG);
    let text = tail(&path, args.lines).map_err(|error| {
        let why =
            "a service that was started by hand or by systemd writes where it was told to (`journalctl`)";
        Failure::new("logs.none", format!("{}: {error}; {why}", path.display()))
    })?;
    let mut out = std::io::stdout().lock();
    let print = |out: &mut std::io::StdoutLock<'_>, text: &str| -> Result<(), Failure> {
        if !as_json() {
            write!(out, "{text}")?;
            return Ok(out.flush()?);
        }
        for line in text.lines() {
            writeln!(out, "{}", serde_json::json!({"line": line}))?;
        }
        Ok(out.flush()?)
    };
    print(&mut out, &text)?;
    if !args.follow {
        return Ok(ExitCode::SUCCESS);
    }
    let mut file = File::open(&path)?;
    let mut at = file.seek(SeekFrom::End(0))?;
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let length = std::fs::metadata(&path)?.len();
        if length < at {
            // It was cut or replaced: begin again.
            file = File::open(&path)?;
            at = 0;
        }
        let mut more = Vec::new();
        file.seek(SeekFrom::Start(at))?;
        at += file.read_to_end(&mut more)? as u64;
        print(&mut out, &String::from_utf8_lossy(&more))?;
    }
}

/// Ends the service of a state directory and waits until it is gone; `None` where none runs.
fn end(state: &Path) -> Result<Option<i32>, Failure> {
    let Some((pid, uid)) = serving(&state.join(SOCKET))? else { return Ok(None) };
    let own = rustix::process::getuid().as_raw();
    if uid != own && own != 0 {
        let user = doorward::hook::user_name(uid);
        let why = format!(
            "the service runs as {user}, out of your reach; as root: systemctl stop doorward@{own}.service"
        );
        return Err(Failure::new("service.other_user", why));
    }
    let failed = |why: String| Failure::new("service.not_stopped", format!("process {pid}: {why}"));
    let process = Pid::from_raw(pid).ok_or_else(|| failed("has no number".to_owned()))?;
    // One that hangs is ended hard: what it had answered is durable already.
    for signal in [Signal::TERM, Signal::KILL] {
        kill_process(process, signal).map_err(|error| failed(error.to_string()))?;
        let until = Instant::now() + ENDING;
        while Instant::now() < until {
            if !is_running(pid) {
                return Ok(Some(pid));
            }
            std::thread::sleep(LOOK);
        }
    }
    Err(failed("still runs; `doorward logs` tells what it does".to_owned()))
}

/// Whether a process is there and hasn't ended.
fn is_running(pid: i32) -> bool {
    let stat = std::fs::read_to_string(PathBuf::from(format!("/proc/{pid}/stat"))).unwrap_or_default();
    // The state follows the name, which stands in parentheses: Z is one that ended and wasn't waited for.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Process and user of whoever listens on a socket, by the kernel's word; `None` where nobody does.
fn serving(socket: &Path) -> Result<Option<(i32, u32)>, Failure> {
    match UnixStream::connect(socket) {
        Ok(stream) => {
            let peer = getsockopt(&stream, PeerCredentials)?;
            Ok(Some((peer.pid(), peer.uid())))
        }
        // It listens and takes nobody in any more: it wrote down which process it is.
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(written_down(socket)),
        Err(_) => Ok(None),
    }
}

/// The process that a service wrote down beside its socket, if that still is a `doorward`.
fn written_down(socket: &Path) -> Option<(i32, u32)> {
    use std::os::unix::fs::MetadataExt as _;
    let pid = std::fs::read_to_string(socket.with_file_name("service.pid")).ok()?.trim().parse().ok()?;
    let process = PathBuf::from(format!("/proc/{pid}"));
    let name = std::fs::read_to_string(process.join("comm")).ok()?;
    (name.trim() == "doorward").then_some((pid, process.metadata().ok()?.uid()))
}

/// Process of the service that answers in a state directory.
pub(crate) fn pid_of_service(socket: &Path) -> Option<i32> {
    serving(socket).ok().flatten().map(|(pid, _)| pid)
}

/// The last lines of a file, as they are.
fn tail(path: &Path, lines: usize) -> std::io::Result<String> {
    /// Longest part of the end that is read.
    const MOST: u64 = 1 << 20;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    let shown = all.get(all.len().saturating_sub(lines)..).unwrap_or_default();
    Ok(shown.iter().map(|line| format!("{line}\n")).collect())
}
