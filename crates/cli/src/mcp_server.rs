//! The server behind a gateway: its name, what is pinned of it, and its process.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use doorward::rooms::core::id::Digest;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::output::Failure;

/// Programs that run other programs: what is behind them is the server.
const RUNNERS: &[&str] = &[
    "npx", "npm", "pnpm", "pnpx", "yarn", "bunx", "bun", "deno", "node", "uvx", "uv", "pipx", "python",
    "python3", "ruby", "java", "docker", "podman", "env", "sh", "bash", "tsx", "ts-node", "dotnet", "go",
    "cargo",
];
/// Words of runners that name nothing.
const VERBS: &[&str] = &["run", "exec", "tool", "dlx", "x", "start"];
/// Folders that name nothing.
const PLAIN: &[&str] = &["dist", "src", "build", "lib", "bin", "out", "."];
/// A longer file isn't digested: its length stands for it.
const LARGEST: u64 = 64 << 20;
/// How long a server may take to end by itself, and after it was asked to.
const BY_ITSELF: Duration = Duration::from_secs(2);
const ONCE_ASKED: Duration = Duration::from_secs(3);

/// A name that a rule can write.
pub(crate) fn checked_name(name: &str) -> Result<String, Failure> {
    let fits = (1..=64).contains(&name.len())
        && name.bytes().any(|byte| byte.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if fits {
        return Ok(name.to_owned());
    }
    Err(Failure::new(
        "mcp.name",
        format!("{name:?} is no name of a server: 1 to 64 characters of A-Z a-z 0-9 _ . -"),
    ))
}

/// The server's name, from its command: the last part of the package or file that runs.
pub(crate) fn name_of(command: &[String]) -> Result<String, Failure> {
    let stem = |word: &str| {
        let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let last = last.rsplit_once('@').filter(|(name, _)| !name.is_empty()).map_or(last, |(name, _)| name);
        let last = last.split(['=', '[']).next().unwrap_or(last);
        [".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".exe", ".jar"]
            .iter()
            .find_map(|end| last.strip_suffix(end))
            .unwrap_or(last)
            .to_owned()
    };
    let is_runner = |word: &str| RUNNERS.contains(&stem(word).as_str());
    let mut named = command.iter().filter(|word| !word.starts_with('-')).filter(|word| !is_runner(word));
    let behind = named.find(|word| !VERBS.contains(&word.as_str()) && !word.contains(['=', ' ']));
    let mut name = stem(behind.or(command.first()).map_or("", String::as_str));
    if matches!(name.as_str(), "index" | "main" | "server" | "cli" | "__main__") {
        // The folder names it, but for those that every project has.
        let folders = behind.into_iter().flat_map(|word| Path::new(word).ancestors().skip(1));
        let telling = folders.filter_map(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name = telling.into_iter().find(|name| !PLAIN.contains(&name.as_str())).unwrap_or(name);
    }
    for extra in ["mcp-server-", "server-", "mcp-"] {
        name = name.strip_prefix(extra).unwrap_or(&name).to_owned();
    }
    for extra in ["-mcp-server", "-server", "-mcp"] {
        name = name.strip_suffix(extra).unwrap_or(&name).to_owned();
    }
    name.retain(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    checked_name(&name)
        .map_err(|_| Failure::new("mcp.name", "give the server a name: doorward mcp --name NAME -- …"))
}

/// What is pinned of a server: its command, and digests of the files in it. Interpreters are named, not digested: an
/// update of theirs is no other server.
pub(crate) fn identity_of(command: &[String]) -> String {
    let mut files = serde_json::Map::new();
    for (at, word) in command.iter().enumerate() {
        let path =
            if at == 0 { program(word) } else { Some(PathBuf::from(word)).filter(|path| path.is_file()) };
        let Some(path) = path else { continue };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if at == 0 && RUNNERS.contains(&name.as_str()) {
            continue;
        }
        let told = match std::fs::metadata(&path).map(|file| file.len()) {
            Ok(length) if length > LARGEST => format!("{length} bytes"),
            _ => std::fs::read(&path)
                .map_or_else(|_| "unreadable".to_owned(), |bytes| Digest::of(&bytes).into_string()),
        };
        files.insert(path.display().to_string(), Value::from(told));
    }
    serde_json::to_string_pretty(&json!({"command": command, "files": files})).unwrap_or_default()
}

/// Where a program lies.
fn program(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(PathBuf::from(word)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|path| path.is_file())
}

/// A server that was started.
pub(crate) struct Started {
    child: Child,
}

impl Started {
    /// Starts it in a process group of its own. What it writes to its standard error comes out at ours, without
    /// secrets.
    pub(crate) fn of(command: &[String]) -> Result<Self, Failure> {
        let [program, args @ ..] = command else {
            return Err(Failure::new("mcp.command", "give the server's command: doorward mcp -- COMMAND"));
        };
        let started = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn();
        let mut child = started.map_err(|error| {
            Failure::new("mcp.command", format!("the server can't be started: {program}: {error}"))
        })?;
        if let Some(errors) = child.stderr.take() {
            tokio::spawn(async move {
                let mut lines = BufReader::new(errors);
                let mut line = Vec::new();
                // Bounded by what a line of a log may be; longer ones come in parts.
                while let Ok(1..) =
                    tokio::io::AsyncReadExt::take(&mut lines, 64 << 10).read_until(b'\n', &mut line).await
                {
                    let text = doorward_secrets::redact_text(&String::from_utf8_lossy(&line));
                    if tokio::io::stderr().write_all(text.as_bytes()).await.is_err() {
                        return;
                    }
                    line.clear();
                }
            });
        }
        Ok(Self { child })
    }

    /// Its standard input and output.
    pub(crate) fn pipes(&mut self) -> Result<(ChildStdin, ChildStdout), Failure> {
        let taken = self.child.stdin.take().zip(self.child.stdout.take());
        taken.ok_or_else(|| Failure::new("mcp.command", "the server has no pipes"))
    }

    /// Waits for its end, asks for it, and in the end makes it. How it ended, in words.
    pub(crate) async fn end(&mut self, patiently: bool) -> String {
        let first = if patiently { BY_ITSELF } else { Duration::from_millis(200) };
        for (signal, patience) in [(None, first), (Some(rustix::process::Signal::TERM), ONCE_ASKED)] {
            if let Some(signal) = signal {
                self.signal(signal);
            }
            if let Ok(status) = tokio::time::timeout(patience, self.child.wait()).await {
                // What it started itself goes with it.
                self.signal(rustix::process::Signal::KILL);
                return status.map_or_else(|error| error.to_string(), |status| status.to_string());
            }
        }
        self.signal(rustix::process::Signal::KILL);
        let _ = self.child.wait().await;
        "it had to be killed".to_owned()
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = self.child.id().and_then(|pid| i32::try_from(pid).ok());
        if let Some(group) = pid.and_then(rustix::process::Pid::from_raw) {
            // A group that is gone needs no signal.
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_what_runs() {
        let name = |line: &str| name_of(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap();
        assert_eq!(name("npx -y @modelcontextprotocol/server-filesystem /w"), "filesystem");
        assert_eq!(name("npx -y @modelcontextprotocol/server-memory@1.2.3"), "memory");
        assert_eq!(
            name("node /x/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio"),
            "everything"
        );
        assert_eq!(name("uvx mcp-server-git --repository /w"), "git");
        assert_eq!(name("docker run -i --rm ghcr.io/github/github-mcp-server"), "github");
        assert_eq!(name("/opt/tools/my-mcp"), "my");
        assert!(name_of(&["-".to_owned()]).is_err());
    }
}
