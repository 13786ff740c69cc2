//! Codex's trust in hooks: a hook that isn't trusted is skipped without a word, and every call runs unguarded.
//!
//! Spoken with Codex's own app server, over its standard streams, as its own interface does it: the list of hooks with
//! their digests, and an entry for each in the configuration. In a user's own configuration only Doorward's hook is
//! ever trusted, and only where the user said so; an uninstallation takes that trust back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use doorward::rooms::core::tool::Client;
use doorward_hooks::install;
use serde_json::{Value, json};

use crate::output::Failure;

/// The hooks of one file, and the configuration that trusts them.
#[derive(Debug, Clone)]
pub(crate) struct Hooks {
    /// The file of hooks.
    file: PathBuf,
    /// Codex's own folder of configuration.
    config: PathBuf,
    /// The folder that Codex is asked about.
    cwd: PathBuf,
}

impl Hooks {
    /// Those of a file in Codex's own folder, or of a project, whose hooks the user's own folder trusts.
    pub(crate) fn of(file: &Path, project: Option<&Path>) -> Self {
        let beside = || file.parent().unwrap_or(Path::new("/")).to_owned();
        let own = || {
            let named = std::env::var_os("CODEX_HOME").map(PathBuf::from);
            named.or_else(|| Some(doorward::home()?.join(".codex"))).unwrap_or_else(beside)
        };
        let config = if project.is_some() { own() } else { beside() };
        let cwd = project.map_or_else(|| config.clone(), Path::to_owned);
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Self { file: absolute(file.to_owned()), config: absolute(config), cwd: absolute(cwd) }
    }

    /// Every hook of a folder that Doorward made itself.
    pub(crate) fn trust_all(codex: &Path, config: &Path) -> Result<(), Failure> {
        let mut server = Server::start(codex, config)?;
        let hooks = server.hooks(config)?;
        server.trust(&hooks)?;
        settled(&server.hooks(config)?)
    }

    /// Has Codex trust the hook of Doorward's in the file, and nothing else. The user was asked.
    pub(crate) fn trust(&self, codex: &Path) -> Result<(), Failure> {
        let mut server = Server::start(codex, &self.config)?;
        let hooks = self.ours(&mut server)?;
        self.keep_config()?;
        server.trust(&hooks)?;
        settled(&self.ours(&mut server)?)
    }

    /// Whether Codex trusts the hook of Doorward's in the file, and runs it.
    pub(crate) fn is_trusted(&self, codex: &Path) -> Result<bool, Failure> {
        let mut server = Server::start(codex, &self.config)?;
        Ok(settled(&self.ours(&mut server)?).is_ok())
    }

    /// What Codex says of each entry of Doorward's in the file.
    fn ours(&self, server: &mut Server) -> Result<Vec<Value>, Failure> {
        let Some(target) = install::target(Client::Codex) else { return Ok(Vec::new()) };
        let entries = install::installed(target, &self.file)?;
        let real = |path: &str| std::fs::canonicalize(path).ok();
        let file = real(&self.file.to_string_lossy());
        let text = |hook: &Value, name: &str| hook.get(name).and_then(Value::as_str).map(str::to_owned);
        let is_ours = |hook: &Value| {
            let command = text(hook, "command").unwrap_or_default();
            entries.iter().any(|(_, own)| *own == command)
                && text(hook, "sourcePath").is_some_and(|source| real(&source) == file)
        };
        let found: Vec<Value> = server.hooks(&self.cwd)?.into_iter().filter(is_ours).collect();
        if found.len() < entries.len() {
            let why =
                format!("Codex doesn't list the hook of {}, so it wouldn't run it", self.file.display());
            return Err(Failure::new("codex.trust", why));
        }
        Ok(found)
    }

    fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    fn kept_config(&self) -> PathBuf {
        self.config.join("config.toml.codex.before-doorward")
    }

    /// Keeps Codex's configuration as it is before it holds the first trust in our hook.
    fn keep_config(&self) -> Result<(), Failure> {
        let (file, kept) = (self.config_file(), self.kept_config());
        match std::fs::read_to_string(&file) {
            Ok(text) if text.contains(&self.key_start()) => {}
            Ok(_) => drop(std::fs::copy(&file, &kept)?),
            Err(_) => forget(&kept)?,
        }
        Ok(())
    }

    /// How the names of this file's hooks begin in the configuration.
    fn key_start(&self) -> String {
        format!("{}:", self.file.display())
    }

    /// The names under which Codex keeps its trust in our entries: event and place in the file.
    pub(crate) fn keys(&self) -> Vec<String> {
        let Some(target) = install::target(Client::Codex) else { return Vec::new() };
        let ours = install::installed(target, &self.file).unwrap_or_default();
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let settings: Value = serde_json::from_str(&text).unwrap_or_default();
        let real = std::fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        let mut keys = Vec::new();
        for event in target.events {
            let groups = settings.pointer(&format!("/hooks/{event}")).and_then(Value::as_array);
            for (group, entry) in groups.into_iter().flatten().enumerate() {
                let hooks = entry.get("hooks").and_then(Value::as_array);
                for (place, hook) in hooks.into_iter().flatten().enumerate() {
                    let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
                    if ours.iter().any(|(_, own)| own == command) {
                        let own = format!("{}:{group}:{place}", snake(event));
                        keys.push(format!("{}:{own}", real.display()));
                        keys.push(format!("{}{own}", self.key_start()));
                    }
                }
            }
        }
        keys
    }

    /// Takes the trust of these names back. Codex's configuration is then as it was before, byte for byte, where
    /// nothing else of it was changed.
    pub(crate) fn distrust(&self, keys: &[String]) -> Result<(), Failure> {
        let (file, kept) = (self.config_file(), self.kept_config());
        let Ok(text) = std::fs::read_to_string(&file) else { return Ok(forget(&kept)?) };
        let left = without(&text, keys)
            .map_err(|error| Failure::new("install.toml", format!("{}: {error}", file.display())))?;
        let before = std::fs::read_to_string(&kept).ok();
        let same =
            before.filter(|before| without(before, &[]).is_ok_and(|before| before.trim() == left.trim()));
        match same {
            Some(before) => std::fs::write(&file, before)?,
            None if left.trim().is_empty() => std::fs::remove_file(&file)?,
            None if left != text => std::fs::write(&file, left)?,
            None => {}
        }
        Ok(forget(&kept)?)
    }
}

/// The configuration without these names, and without the tables that are empty then.
fn without(text: &str, keys: &[String]) -> Result<String, toml_edit::TomlError> {
    let mut document: toml_edit::DocumentMut = text.parse()?;
    let Some(hooks) = document.get_mut("hooks").and_then(toml_edit::Item::as_table_like_mut) else {
        return Ok(text.to_owned());
    };
    if let Some(state) = hooks.get_mut("state").and_then(toml_edit::Item::as_table_like_mut) {
        for key in keys {
            state.remove(key);
        }
        if state.is_empty() {
            hooks.remove("state");
        }
    }
    if hooks.is_empty() {
        document.remove("hooks");
    }
    Ok(document.to_string())
}

/// `PreToolUse` as Codex writes it in a hook's name.
fn snake(event: &str) -> String {
    let mut out = String::new();
    for (at, letter) in event.chars().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn forget(file: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Every hook is trusted and switched on.
fn settled(hooks: &[Value]) -> Result<(), Failure> {
    let is_settled = |hook: &Value| {
        hook.get("trustStatus").and_then(Value::as_str) == Some("trusted")
            && hook.get("enabled").and_then(Value::as_bool) != Some(false)
    };
    if hooks.is_empty() || !hooks.iter().all(is_settled) {
        return Err(Failure::new("codex.trust", "Codex doesn't trust the hook, so it would be skipped"));
    }
    Ok(())
}

/// The program `codex` of the user's `PATH`.
pub(crate) fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("codex")).find(|place| place.is_file())
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

    /// Has the digests that these hooks have now written down as trusted.
    fn trust(&mut self, hooks: &[Value]) -> Result<(), Failure> {
        let mut state = serde_json::Map::new();
        for hook in hooks {
            let text = |name: &str| hook.get(name).and_then(Value::as_str);
            let (Some(key), Some(hash)) = (text("key"), text("currentHash")) else { continue };
            state.insert(key.to_owned(), json!({"trusted_hash": hash}));
        }
        let edit = json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"});
        self.ask("config/batchWrite", json!({"edits": [edit], "filePath": null, "expectedVersion": null}))?;
        Ok(())
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.next += 1;
        let id = self.next;
        let ended = |_| Failure::new("codex.app_server", format!("Codex's app server ended at {method}"));
        writeln!(self.to, "{}", json!({"id": id, "method": method, "params": params}))
            .and_then(|()| self.to.flush())
            .map_err(ended)?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.from.read_line(&mut line).map_err(ended)? == 0 {
                return Err(ended(std::io::ErrorKind::UnexpectedEof.into()));
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
