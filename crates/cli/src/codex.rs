//! Codex's trust in hooks: without it a hook is skipped without a word.
//!
//! Spoken with Codex's own app server, over its standard streams, as its own interface does it: the list of hooks with
//! their digests, and an entry for each in the configuration.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::output::Failure;

/// Trusts every hook that the configuration folder `config` holds. It must be a folder of ours: in the user's own one
/// the user is asked first.
pub(crate) fn trust(codex: &Path, config: &Path) -> Result<(), Failure> {
    let mut server = Server::start(codex, config)?;
    let hooks = server.hooks(config)?;
    let mut state = serde_json::Map::new();
    for hook in &hooks {
        let text = |name: &str| hook.get(name).and_then(Value::as_str);
        let (Some(key), Some(hash)) = (text("key"), text("currentHash")) else { continue };
        state.insert(key.to_owned(), json!({"trusted_hash": hash}));
    }
    let edit = json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"});
    server.ask("config/batchWrite", json!({"edits": [edit], "filePath": null, "expectedVersion": null}))?;
    let trusted = server.hooks(config)?;
    if trusted.is_empty()
        || trusted.iter().any(|hook| hook.get("trustStatus").and_then(Value::as_str) != Some("trusted"))
    {
        return Err(Failure::new("codex.trust", "Codex doesn't trust the hook, so it would be skipped"));
    }
    Ok(())
}

/// Whether Codex trusts every hook that the configuration folder `config` holds.
pub(crate) fn is_trusted(codex: &Path, config: &Path) -> Result<bool, Failure> {
    let hooks = Server::start(codex, config)?.hooks(config)?;
    let trusted = |hook: &Value| hook.get("trustStatus").and_then(Value::as_str) == Some("trusted");
    Ok(!hooks.is_empty() && hooks.iter().all(trusted))
}

struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    fn start(codex: &Path, config: &Path) -> Result<Self, Failure> {
        let mut child = Command::new(codex)
            .arg("app-server")
            .env("CODEX_HOME", config)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let gone = || Failure::new("codex.app_server", "Codex's app server has no streams");
        let to = child.stdin.take().ok_or_else(gone)?;
        let from = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        let mut server = Self { child, to, from, next: 0 };
        server.ask(
            "initialize",
            json!({"clientInfo": {"name": "doorward", "version": env!("CARGO_PKG_VERSION")}}),
        )?;
        server.to.write_all(b"{\"method\":\"initialized\"}\n")?;
        Ok(server)
    }

    fn hooks(&mut self, config: &Path) -> Result<Vec<Value>, Failure> {
        let answer = self.ask("hooks/list", json!({"cwds": [config]}))?;
        let folders = answer.get("data").and_then(Value::as_array).cloned().unwrap_or_default();
        let hooks = folders.iter().filter_map(|folder| folder.get("hooks").and_then(Value::as_array));
        Ok(hooks.flatten().cloned().collect())
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.next += 1;
        let id = self.next;
        writeln!(self.to, "{}", json!({"id": id, "method": method, "params": params}))?;
        self.to.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.from.read_line(&mut line)? == 0 {
                return Err(Failure::new(
                    "codex.app_server",
                    format!("Codex's app server ended at {method}"),
                ));
            }
            let answer: Value = serde_json::from_str(&line).unwrap_or_default();
            if answer.get("id").and_then(Value::as_u64) != Some(id) {
                continue;
            }
            return match answer.get("error").filter(|error| !error.is_null()) {
                Some(error) => Err(Failure::new("codex.app_server", format!("{method}: {error}"))),
                None => Ok(answer.get("result").cloned().unwrap_or_default()),
            };
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
