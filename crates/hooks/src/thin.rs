//! The hook process: reads one event, asks the service, writes one reply. It never judges.
//!
//! Every failure becomes a denial in the client's format: no service, another user's service, an invalid answer, a
//! panic, a time-out. Without a service, only the client's own read tools inside the working folder are allowed.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use doorward_core::json::Value;
use doorward_core::tool::{Client, ToolClass};
use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;

use crate::ticket::{self, HOOK_SOCKET};
use crate::{Event, HookCall, Reply, companion, fault};

/// Longest accepted event.
const MAX_EVENT: u64 = 8 * 1024 * 1024;
/// Time allowed for starting the service.
const START: Duration = Duration::from_secs(5);
/// Log file of a service that a hook started.
pub const LOG: &str = "service.log";
/// Bytes read from the end of that log to find why the service ended.
const MOST_LOG: u64 = 2048;
/// Header with the milliseconds that the hook can still wait for an answer.
pub const TIME_LEFT: &str = "Doorward-Time-Left-Ms";
/// Name of the service's socket in the state directory.
pub const SOCKET: &str = "doorward.sock";

/// Must be below the time-out that `install` writes into the client's configuration.
const DEADLINE: Duration = Duration::from_secs(110);

/// `doorward hook CLIENT --state DIR`: the process that a coding agent starts for each event. Reads no environment.
pub fn main(mut words: impl Iterator<Item = OsString>) -> ! {
    let client = words.next().and_then(|word| Client::from_word(word.to_str()?));
    let Some(client) = client else {
        // Text on standard error with exit code 2 is a denial for every client.
        eprintln!(
            "doorward: hook.usage: no such agent; the hook's command line is broken, run `doorward install`"
        );
        std::process::exit(2);
    };
    let mut state = None;
    let mut deadline = DEADLINE;
    let mut enclosed = false;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--state") => state = words.next().map(PathBuf::from),
            Some("--enclosed") => enclosed = true,
            Some("--deadline-ms") => {
                let millis = words.next().and_then(|word| word.to_str()?.parse().ok());
                deadline = millis.map_or(DEADLINE, Duration::from_millis).min(DEADLINE);
            }
            _ => {}
        }
    }
    let state = state.unwrap_or_else(default_state);
    Thin { client, state, deadline, enclosed, only_tells: Arc::default() }.run()
}

/// Options of the hook.
#[derive(Debug, Clone)]
pub struct Thin {
    /// The client that sent the event.
    pub client: Client,
    /// State directory of the service: absolute, from the hook's own command line.
    pub state: PathBuf,
    /// Time limit, below the client's own time-out; after that the hook denies.
    pub deadline: Duration,
    /// Whether it runs beside an agent in Doorward's sandbox: it uses the agents' socket, and can't start a service.
    pub enclosed: bool,
    /// Whether the event announces no call, so that nothing needs a denial. Set once the event was read.
    pub only_tells: Arc<AtomicBool>,
}

impl Thin {
    /// Runs and exits the process. Nothing is written before the verdict; the exit code is the reply's.
    pub fn run(self) -> ! {
        let client = self.client;
        let deadline = self.deadline;
        let begun = Instant::now();
        // The watchdog answers if the rest hangs; the first of the two writes and exits.
        let only_tells = Arc::clone(&self.only_tells);
        std::thread::spawn(move || {
            std::thread::sleep(deadline);
            let late = "no answer in time, so it is denied (hook.timeout)";
            let quiet = only_tells.load(Ordering::Relaxed);
            finish(&if quiet { Reply::default() } else { fault(client, late) });
        });
        std::panic::set_hook(Box::new(|_| {}));
        let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.answer(begun)))
            .unwrap_or_else(|_| fault(client, "the hook failed inside, so it is denied (internal.panic)"));
        finish(&reply)
    }

    /// Reads standard input and gets the reply.
    fn answer(&self, begun: Instant) -> Reply {
        let mut event = Vec::new();
        match std::io::stdin().lock().take(MAX_EVENT + 1).read_to_end(&mut event) {
            Ok(read) if read as u64 <= MAX_EVENT => {}
            Ok(_) => return fault(self.client, "the event is longer than 8 MiB (json.too_long)"),
            Err(error) => return fault(self.client, &format!("the event could not be read: {error}")),
        }
        self.ask_since(&event, begun)
    }

    /// The reply to one event.
    #[must_use]
    pub fn ask(&self, event: &[u8]) -> Reply {
        self.ask_since(event, Instant::now())
    }

    fn ask_since(&self, event: &[u8], begun: Instant) -> Reply {
        // Turns and sessions aren't stopped: a denial would erase the person's prompt or keep the agent running.
        let read = crate::event(self.client, event);
        let told = matches!(read, Ok(Event::Turn { .. } | Event::SessionEnd { .. }));
        self.only_tells.store(told, Ordering::Relaxed);
        // A session can't have been remembered without a running service, so its end doesn't start one.
        let starts = !matches!(read, Ok(Event::SessionEnd { .. }));
        let stream = match self.connect(starts) {
            Ok(stream) => stream,
            Err(reason) => return self.without_service(event, &reason),
        };
        match exchange(stream, self.client, event, self.deadline.saturating_sub(begun.elapsed())) {
            Ok(reply) => reply,
            Err(_) if told => Reply::default(),
            Err(reason) => {
                fault(self.client, &format!("no usable answer from the service: {reason} (service.broken)"))
            }
        }
    }

    fn connect(&self, starts: bool) -> Result<UnixStream, String> {
        if self.enclosed {
            return dial(&ticket::agents(&self.state).join(HOOK_SOCKET), true);
        }
        let socket = self.state.join(SOCKET);
        if let Ok(stream) = dial(&socket, false) {
            return Ok(stream);
        }
        if !starts {
            return Err("no service runs".to_owned());
        }
        self.start(&socket)
    }

    /// Starts the service if none runs. One process starts it, all others wait for the socket.
    fn start(&self, socket: &Path) -> Result<UnixStream, String> {
        if is_system_folder(&self.state) {
            // That service runs as its own user. One started here would run as this user and couldn't be protected
            // from it.
            return Err(format!("the system's service doesn't answer at {}", socket.display()));
        }
        let until = Instant::now() + START.min(self.deadline / 2);
        std::fs::create_dir_all(&self.state).map_err(|error| format!("{}: {error}", self.state.display()))?;
        let lock = std::fs::File::create(self.state.join("starting.lock"))
            .map_err(|error| format!("nothing can be written in {}: {error}", self.state.display()))?;
        let mut started = None;
        let alone = rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok();
        if alone {
            if let Ok(stream) = dial(socket, false) {
                return Ok(stream);
            }
            let child = self.spawn().map_err(|error| format!("the service could not be started: {error}"))?;
            started = Some(child);
        }
        while Instant::now() < until {
            if let Ok(stream) = dial(socket, false) {
                return Ok(stream);
            }
            if let Some(Ok(Some(_))) = started.as_mut().map(Child::try_wait) {
                let why = last_line(&self.state.join(LOG)).unwrap_or_default();
                // Another process starts the service and it will answer soon.
                if !["ledger.locked", "service.running"].iter().any(|code| why.contains(code)) {
                    return Err(format!("the service doesn't start: {}", code_last(&why)));
                }
                started = None;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        Err("no service answers, and none could be started in time".to_owned())
    }

    fn spawn(&self) -> std::io::Result<Child> {
        use std::os::unix::process::CommandExt as _;
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.state.join(LOG))?;
        Command::new(companion::whole()?)
            .arg("serve")
            .arg("--state")
            .arg(&self.state)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .process_group(0)
            .spawn()
    }

    fn without_service(&self, event: &[u8], reason: &str) -> Reply {
        match crate::event(self.client, event) {
            Ok(Event::Call(call)) if reads_inside(&call) => {
                crate::reply(self.client, &call.event, &crate::Answer::NoOpinion)
            }
            Ok(Event::Call(_)) => fault(
                self.client,
                &format!(
                    "no service of Doorward judges calls: {reason}. Nothing is wrong with this call; tell the user, \
                     whom `doorward doctor` tells what mends it (service.unavailable)"
                ),
            ),
            Ok(_) => Reply::default(),
            Err(error) => fault(self.client, &error.to_string()),
        }
    }
}

/// `error [room.reason] words` as `words (room.reason)`.
fn code_last(line: &str) -> String {
    let parts = line.strip_prefix("error [").and_then(|rest| rest.split_once("] "));
    parts.map_or_else(|| line.to_owned(), |(code, why)| format!("{why} ({code})"))
}

/// The last line of a service's log, without colours: it says why the service ended.
#[must_use]
pub fn last_line(log: &Path) -> Option<String> {
    use std::io::{Seek as _, SeekFrom};
    let mut file = std::fs::File::open(log).ok()?;
    let start = file.metadata().ok()?.len().saturating_sub(MOST_LOG);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut tail = Vec::new();
    file.take(MOST_LOG).read_to_end(&mut tail).ok()?;
    let text = String::from_utf8_lossy(&tail);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let mut plain = String::new();
    let mut escape = false;
    for ch in line.chars() {
        match ch {
            '\u{1b}' => escape = true,
            _ if escape => escape = !ch.is_ascii_alphabetic(),
            _ if ch.is_control() => {}
            _ => plain.push(ch),
        }
    }
    Some(plain.trim().to_owned())
}

/// Connects to the service of this state directory; starts it if none runs.
///
/// # Errors
/// Why no service could be reached.
pub fn reach(state: &Path) -> Result<(), String> {
    let client = Client::Doorward;
    let only_tells = Arc::default();
    Thin { client, state: state.to_owned(), deadline: START, enclosed: false, only_tells }
        .connect(true)
        .map(drop)
}

/// Arguments that name the file to read.
const NAMES_A_FILE: &[&str] = &["absolute_path", "file_path", "notebook_path", "path", "paths"];
/// Arguments that select a part of the file.
const NAMES_A_PART: &[&str] = &["limit", "offset", "pages", "view_range"];
/// Parts of file names that suggest secrets; such files are never read without judgement.
const MAY_BE_SECRET: &[&str] =
    &["auth", "credential", "key", "kube", "pass", "pem", "private", "secret", "token", "vault", "wallet"];

/// Whether the call is a client's own read tool on plain files of the working folder: not hidden, no name that
/// suggests secrets, no link out, and no tool that reads more than the named files (search, glob).
fn reads_inside(call: &HookCall) -> bool {
    if call.tool.class() != Some(ToolClass::ReadOnly) || call.cwd.is_empty() {
        return false;
    }
    let Ok(root) = std::fs::canonicalize(&call.cwd) else { return false };
    let mut named = 0_usize;
    for (name, value) in &call.args {
        if NAMES_A_PART.contains(&name.as_str()) {
            continue;
        }
        if !NAMES_A_FILE.contains(&name.as_str()) {
            return false;
        }
        let files: Vec<&str> = match value {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            _ => return false,
        };
        if value.as_array().is_some_and(|items| items.len() != files.len()) {
            return false;
        }
        named += files.len();
        if !files.iter().all(|file| is_plain(&root, file)) {
            return false;
        }
    }
    named > 0
}

/// Whether it is a regular file below the root, with no part of its path hidden or suggesting secrets.
fn is_plain(root: &Path, file: &str) -> bool {
    let Ok(path) = std::fs::canonicalize(root.join(file)) else { return false };
    let Ok(inside) = path.strip_prefix(root) else { return false };
    let harmless = |part: std::path::Component<'_>| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        !name.starts_with('.') && !MAY_BE_SECRET.iter().any(|part| name.contains(part))
    };
    path.is_file() && inside.components().all(harmless)
}

/// Connects, and refuses a socket of another user. A service must belong to this user, to root, or to the user of the
/// system's service. In a user namespace, outside users have no names; there the socket is the one that the sandbox
/// provided.
pub(crate) fn dial(socket: &Path, enclosed: bool) -> Result<UnixStream, String> {
    let stream = UnixStream::connect(socket).map_err(|error| error.to_string())?;
    let own = rustix::process::getuid().as_raw();
    // The kernel returns plain integers here, and process 0 for a peer outside of this pid namespace. A type that
    // can't hold 0 would turn such credentials into an error (unix(7), SO_PEERCRED).
    let peer = getsockopt(&stream, PeerCredentials).map_err(|error| error.to_string())?;
    let system = || socket.parent().is_some_and(|folder| owner_out_of_reach(folder) == Some(peer.uid()));
    if peer.uid() == own || peer.uid() == 0 || (enclosed && peer.uid() == nameless()) || system() {
        return Ok(stream);
    }
    let owner = std::fs::metadata(socket).map(|meta| meta.uid()).unwrap_or_default();
    Err(format!("the service's socket belongs to user {owner}"))
}

/// The user id that represents users without a mapping in this namespace (user_namespaces(7)).
fn nameless() -> u32 {
    let text = std::fs::read_to_string("/proc/sys/kernel/overflowuid").unwrap_or_default();
    text.trim().parse().unwrap_or(65_534)
}

fn exchange(mut stream: UnixStream, client: Client, event: &[u8], left: Duration) -> Result<Reply, String> {
    let text = |error: std::io::Error| error.to_string();
    // A time-out of zero would mean no time-out.
    let left = left.max(Duration::from_millis(1));
    stream.set_read_timeout(Some(left)).map_err(text)?;
    stream.set_write_timeout(Some(left)).map_err(text)?;
    let head = format!(
        "POST /v1/hook/{} HTTP/1.1\r\nHost: doorward\r\nContent-Type: application/json\r\nContent-Length: \
         {}\r\n{TIME_LEFT}: {}\r\nConnection: close\r\n\r\n",
        client.as_str(),
        event.len(),
        left.as_millis()
    );
    stream.write_all(head.as_bytes()).map_err(text)?;
    stream.write_all(event).map_err(text)?;
    let mut answer = Vec::new();
    stream.take(MAX_EVENT).read_to_end(&mut answer).map_err(text)?;
    let (head, body) = split(&answer).ok_or("a broken answer")?;
    if !head.starts_with(b"HTTP/1.1 200 ") {
        return Err("the service refused the event".to_owned());
    }
    serde_json::from_slice(body).map_err(|_| "a broken answer".to_owned())
}

fn split(answer: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some((answer.get(..at)?, answer.get(at + 4..)?))
}

fn finish(reply: &Reply) -> ! {
    // The watchdog and the answer may race here; only one may write.
    static ONCE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _held = ONCE.lock();
    let out = std::io::stdout().lock().write_all(reply.stdout.as_bytes());
    let _ = std::io::stderr().lock().write_all(reply.stderr.as_bytes());
    let lost = out.is_err() || std::io::stdout().flush().is_err();
    // If the denial couldn't be written, the exit code must still block.
    std::process::exit(if lost { 2 } else { i32::from(reply.exit) })
}

/// Home folder of a user, from the system's user database (NSS), never from the environment.
#[must_use]
pub fn home_of(uid: u32) -> Option<PathBuf> {
    let user = nix::unistd::User::from_uid(uid.into()).ok()??;
    (!user.dir.as_os_str().is_empty()).then_some(user.dir)
}

/// Folder of the sockets of services that run as their own user, with a subfolder for each served user.
pub const SYSTEM: &str = "/run/doorward";

/// Folder with the socket of the system's service for a user (posture `separate`).
#[must_use]
pub fn system_folder(uid: u32) -> PathBuf {
    Path::new(SYSTEM).join(uid.to_string())
}

fn is_system_folder(folder: &Path) -> bool {
    folder.parent() == Some(Path::new(SYSTEM))
}

/// The owner of a system service's folder, if this user can change neither it nor its parent folder.
fn owner_out_of_reach(folder: &Path) -> Option<u32> {
    let own = rustix::process::getuid().as_raw();
    if !is_system_folder(folder) {
        return None;
    }
    let unreachable = |place: &Path| {
        let meta = std::fs::symlink_metadata(place).ok()?;
        (meta.is_dir() && meta.uid() != own && meta.mode() & 0o022 == 0).then_some(meta.uid())
    };
    unreachable(Path::new(SYSTEM)).filter(|owner| *owner == 0)?;
    unreachable(folder)
}

/// The default state directory: the folder of the system's service for this user, if it exists, else
/// `~/.local/state/doorward`.
#[must_use]
pub fn default_state() -> PathBuf {
    let uid = rustix::process::getuid().as_raw();
    let system = system_folder(uid);
    if owner_out_of_reach(&system).is_some() {
        return system;
    }
    home_of(uid).map_or_else(
        || PathBuf::from(format!("/run/user/{uid}/doorward")),
        |home| home.join(".local/state/doorward"),
    )
}
