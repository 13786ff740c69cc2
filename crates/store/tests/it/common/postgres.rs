//! A PostgreSQL cluster for one test, if the server is installed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A PostgreSQL server for one test, on a Unix socket in a temporary directory.
pub(crate) struct Postgres {
    server: Child,
    dir: tempfile::TempDir,
    user: String,
}

impl Postgres {
    /// Starts a server. `None`, with a message, if it isn't installed or can't be started.
    pub(crate) fn start() -> Option<Self> {
        let Some(bin) = binaries() else {
            doorward_needs::lacking!("PostgreSQL isn't installed (Debian: postgresql)");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir(&data).unwrap();
        // PostgreSQL refuses to run as root; then run it as user nobody.
        let root = rights().is_some();
        if let Some(uid) = rights() {
            std::os::unix::fs::chown(&data, Some(uid), None).unwrap();
            std::os::unix::fs::chown(dir.path(), Some(uid), None).unwrap();
        }
        let command = |program: &str| {
            let mut command = if root { Command::new("setpriv") } else { Command::new(bin.join(program)) };
            if root {
                command
                    .args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"])
                    .arg(bin.join(program));
            }
            command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            command
        };
        let made = command("initdb")
            .args(["-A", "trust", "-U", "doorward", "-N", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        if !made.status.success() {
            doorward_needs::lacking!("initdb failed: {}", String::from_utf8_lossy(&made.stderr));
            return None;
        }
        let server = command("postgres")
            .stderr(Stdio::null())
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(dir.path())
            .args(["-c", "listen_addresses=", "-c", "max_connections=60"])
            .spawn()
            .unwrap();
        let started = Self { server, dir, user: "doorward".to_owned() };
        for _ in 0..300 {
            if started.dir.path().join(".s.PGSQL.5432").exists() {
                return Some(started);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        doorward_needs::lacking!("the PostgreSQL server didn't come up");
        None
    }

    /// Its socket.
    #[allow(dead_code, reason = "only some of the programs that have this module need it")]
    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.path().join(".s.PGSQL.5432")
    }

    pub(crate) fn url(&self) -> String {
        let host = self.dir.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://{}@{host}/postgres", self.user)
    }
}

impl Postgres {
    /// Ends the server and all connections, as a failing machine would. Idempotent.
    pub(crate) fn end(&mut self) {
        if matches!(self.server.try_wait(), Ok(Some(_))) {
            return;
        }
        // SIGQUIT: the server ends its sessions without waiting for them.
        let _ = Command::new("kill").args(["-QUIT", &self.server.id().to_string()]).status();
        for _ in 0..50 {
            if matches!(self.server.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.end();
    }
}

fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    versions
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .find(|bin| bin.join("initdb").exists() && bin.join("postgres").exists())
}

/// The user to switch to, if running as root.
fn rights() -> Option<u32> {
    let id = |args: &[&str]| {
        let output = Command::new("id").args(args).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    (id(&["-u"])? == 0).then(|| id(&["-u", "nobody"]))?
}
