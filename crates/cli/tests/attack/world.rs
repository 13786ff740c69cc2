//! The machine that is attacked: two ordinary users with homes of their own, and the programs where both can run them.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Names of the accounts that the suite makes where they are missing, unless `DOORWARD_ATTACK_USERS` names two others.
const USERS: [&str; 2] = ["doorward-one", "doorward-two"];
/// How names of accounts begin that are for this suite alone.
const OWN: &str = "doorward-";
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub struct World {
    programs: tempfile::TempDir,
    /// Held while the suite runs: another one on this machine would use the same accounts.
    _alone: std::fs::File,
}

impl World {
    /// Makes the accounts and puts the programs where everybody may run them.
    pub fn new() -> Result<Self, String> {
        if !is_root() {
            return Err("two ordinary users: only root can become them; run the suite as root".to_owned());
        }
        let alone =
            std::fs::File::create(std::env::temp_dir().join(format!("doorward-attack-{}.lock", users()[0])))
                .and_then(|file| file.lock().map(|()| file))
                .map_err(|error| format!("the lock of the accounts: {error}"))?;
        for name in users() {
            if account(name).is_none() {
                let made =
                    Command::new("useradd").args(["--create-home", "--shell", "/bin/bash", name]).output();
                if !made.as_ref().is_ok_and(|made| made.status.success()) {
                    return Err(format!("the account {name}: useradd failed: {made:?}"));
                }
            }
        }
        let programs = tempfile::tempdir().map_err(|error| error.to_string())?;
        std::fs::set_permissions(programs.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let built = std::env::var_os("DOORWARD_BIN").map(PathBuf::from);
        let built =
            built.unwrap_or_else(|| Path::new(env!("CARGO_BIN_EXE_doorward")).parent().unwrap().into());
        for name in ["doorward", "doorward-thin"] {
            std::fs::copy(built.join(name), programs.path().join(name))
                .map_err(|error| format!("{}: {error}", built.join(name).display()))?;
        }
        Ok(Self { programs, _alone: alone })
    }

    /// The first user, with an empty home and nothing of Doorward running.
    pub fn user(&self) -> User {
        self.reset(0)
    }

    /// The second user, likewise.
    pub fn other(&self) -> User {
        self.reset(1)
    }

    fn reset(&self, number: usize) -> User {
        let name = users()[number];
        let (uid, gid, home) = account(name).unwrap();
        let user = User { name, uid, gid, home, programs: self.programs.path().to_owned() };
        user.end_service();
        user.end_all();
        for entry in std::fs::read_dir(&user.home).unwrap().flatten() {
            let path = entry.path();
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let _ = if is_dir { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        }
        std::fs::set_permissions(&user.home, std::fs::Permissions::from_mode(0o700)).unwrap();
        let made = user.sh("mkdir -p project && cd project && git init -q . && git config user.email t@example.com \
                            && git config user.name t && echo one > tracked.txt && git add . && git commit -qm one");
        assert!(made.status.success(), "{made:?}");
        user
    }
}

/// An ordinary user of this machine. What it started is ended with it.
pub struct User {
    pub name: &'static str,
    pub uid: u32,
    pub gid: u32,
    pub home: PathBuf,
    programs: PathBuf,
}

/// What a hook answered.
#[derive(Debug)]
pub struct Said {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            exit: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// `permissionDecision` of Claude Code's shape; `deny` also for exit 2 with text; `none` for no opinion.
    pub fn decision(&self) -> String {
        if self.exit == 2 && !self.err.trim().is_empty() {
            return "deny".to_owned();
        }
        let value: Value = serde_json::from_str(&self.out).unwrap_or_default();
        let specific = &value["hookSpecificOutput"];
        let said = specific["permissionDecision"].as_str().or(specific["decision"]["behavior"].as_str());
        said.unwrap_or(if self.exit == 0 && self.out.trim().is_empty() { "none" } else { "broken" })
            .to_owned()
    }

    pub fn reason(&self) -> String {
        let value: Value = serde_json::from_str(&self.out).unwrap_or_default();
        let reason = value["hookSpecificOutput"]["permissionDecisionReason"].as_str();
        reason.map_or_else(|| self.err.trim().to_owned(), str::to_owned)
    }
}

impl User {
    pub fn project(&self) -> PathBuf {
        self.home.join("project")
    }

    pub fn state(&self) -> PathBuf {
        self.home.join(".local/state/doorward")
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// A command as this user, in its home, with a clean environment.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new("setpriv");
        command
            .arg(format!("--reuid={}", self.uid))
            .arg(format!("--regid={}", self.gid))
            .args(["--init-groups", "--"])
            .arg(program.as_ref())
            .env_clear()
            .env("HOME", &self.home)
            .env("USER", self.name)
            .env("PATH", format!("{}:{PATH}", self.programs.display()))
            .current_dir(&self.home)
            .stdin(Stdio::null());
        command
    }

    pub fn sh(&self, script: &str) -> Output {
        self.command("/bin/bash").args(["-c", script]).output().unwrap()
    }

    pub fn doorward(&self, words: &[&str]) -> (i32, String) {
        let output =
            self.command(self.program("doorward")).args(words).current_dir(self.project()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    }

    /// Writes the user's own `doorward.toml`.
    pub fn settings(&self, text: &str) {
        self.write(&self.home.join(".config/doorward/doorward.toml"), text);
    }

    /// Writes a file as this user.
    pub fn write(&self, path: &Path, text: &str) {
        let mut child = self
            .command("/bin/bash")
            .args(["-c", "mkdir -p \"$(dirname \"$1\")\" && cat > \"$1\"", "write"])
            .arg(path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{}", path.display());
        // A running service takes an edit of its settings up within a second.
        if path.ends_with("doorward.toml") && self.state().join("doorward.sock").exists() {
            std::thread::sleep(std::time::Duration::from_millis(1_100));
        }
    }

    /// One event through the hook as a client would send it. Three seconds are left for the answer.
    pub fn hook(&self, client: &str, event: &Value) -> Said {
        self.hook_with(client, &event.to_string(), &["--deadline-ms", "3000"])
    }

    pub fn hook_with(&self, client: &str, event: &str, more: &[&str]) -> Said {
        let mut child = self
            .command(self.program("doorward-thin"))
            .args(["hook", client])
            .args(more)
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said {
            exit: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// One event as an agent sends it that is a process of its own, beside the test.
    pub fn hook_of_an_agent(&self, client: &str, event: &Value) -> Said {
        let file = self.home.join("event.json");
        self.write(&file, &event.to_string());
        // flock(1) stays as the parent of what it runs, as an agent does.
        let line = format!("doorward-thin hook {client} --deadline-ms 3000 < {}", file.display());
        let lock = self.home.join(".lock");
        let mut command = self.command("/usr/bin/flock");
        command.arg(lock).args(["/bin/bash", "-c", &line]).current_dir(self.project());
        Said::of(&command.output().unwrap())
    }

    /// A Claude Code `PreToolUse` event about a shell command.
    pub fn shell_event(&self, mode: &str, command: &str) -> Value {
        self.tool_event(mode, "Bash", json!({"command": command}))
    }

    pub fn tool_event(&self, mode: &str, tool: &str, input: Value) -> Value {
        json!({"hook_event_name": "PreToolUse", "session_id": "attack", "cwd": self.project(),
            "permission_mode": mode, "tool_name": tool, "tool_input": input,
            "tool_use_id": format!("toolu_{}", number())})
    }

    /// A shell command in a mode, through Claude Code's hook.
    pub fn shell(&self, mode: &str, command: &str) -> Said {
        self.hook("claude-code", &self.shell_event(mode, command))
    }

    /// Starts the service as this user, and waits until it answers.
    pub fn serve(&self, words: &[&str]) -> Service {
        let log = std::fs::File::create(self.programs.join(format!("{}.log", self.name))).unwrap();
        let child = self
            .command(self.program("doorward"))
            .arg("serve")
            .args(words)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let service = Service { child };
        let until = Instant::now() + Duration::from_secs(20);
        while std::os::unix::net::UnixStream::connect(self.state().join("doorward.sock")).is_err() {
            assert!(Instant::now() < until, "{}: no service: {}", self.name, self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
        while !self.log().contains("open the console") && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        service
    }

    pub fn log(&self) -> String {
        let own =
            std::fs::read_to_string(self.programs.join(format!("{}.log", self.name))).unwrap_or_default();
        own + &std::fs::read_to_string(self.state().join("service.log")).unwrap_or_default()
    }

    /// Every entry of this user's ledger.
    pub fn ledger(&self) -> Vec<Value> {
        let (code, text) = self.doorward(&["audit", "tail", "-n", "1000000", "--json"]);
        assert_eq!(code, 0, "{text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Ends what still runs as this user: a service that a late hook started would keep its ledger open over the next
    /// attack's. Of a user whom this suite didn't make, only Doorward's own processes.
    fn end_all(&self) {
        for _ in 0..100 {
            let running = self.running();
            if running.is_empty() {
                return;
            }
            let _ = Command::new("kill").arg("-9").args(running).stderr(Stdio::null()).status();
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Numbers of the processes of this user that aren't defunct.
    fn running(&self) -> Vec<String> {
        let made_here = self.name.starts_with(OWN);
        let of_user = |place: &Path| {
            let owner = std::fs::metadata(place).map(|meta| std::os::unix::fs::MetadataExt::uid(&meta));
            let exe = std::fs::read_link(place.join("exe"));
            let ours = exe.is_ok_and(|exe| made_here || exe.starts_with(&self.programs));
            owner.is_ok_and(|owner| owner == self.uid) && ours
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        all.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
            .filter(|entry| of_user(&entry.path()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// Ends a service of this user that a hook started.
    pub fn end_service(&self) {
        let Ok(pid) = std::fs::read_to_string(self.state().join("service.pid")) else { return };
        let exe = std::fs::read_link(format!("/proc/{}/exe", pid.trim())).unwrap_or_default();
        // Only a process of the very program under attack, so that a number used again hits nobody else. `install` puts
        // a copy of it below the home.
        if exe.starts_with(&self.programs) || exe.starts_with(&self.home) {
            let _ = Command::new("kill").arg(pid.trim()).status();
            let until = Instant::now() + Duration::from_secs(5);
            while Path::new(&format!("/proc/{}", pid.trim())).exists() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

impl Drop for User {
    fn drop(&mut self) {
        self.end_service();
        self.end_all();
    }
}

/// A service that the test started itself.
pub struct Service {
    child: Child,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

fn users() -> [&'static str; 2] {
    static NAMES: std::sync::OnceLock<[String; 2]> = std::sync::OnceLock::new();
    NAMES
        .get_or_init(|| {
            let named = std::env::var("DOORWARD_ATTACK_USERS").unwrap_or_default();
            match named.split_once(',') {
                Some((one, other)) => [one.to_owned(), other.to_owned()],
                None => USERS.map(str::to_owned),
            }
        })
        .each_ref()
        .map(String::as_str)
}

fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self").map(|meta| std::os::unix::fs::MetadataExt::uid(&meta));
    own.is_ok_and(|uid| uid == 0)
}

/// User id, group id and home of an account.
fn account(name: &str) -> Option<(u32, u32, PathBuf)> {
    let found = Command::new("getent").args(["passwd", name]).output().ok()?;
    let line = String::from_utf8(found.stdout).ok()?;
    let fields: Vec<&str> = line.trim().split(':').collect();
    Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?, PathBuf::from(fields.get(5)?)))
}

fn number() -> u64 {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}
