//! Installs the hook in a client's configuration, and removes it.
//!
//! Installing is idempotent. Other content keeps its place, order and layout. After uninstallation the file has its
//! original bytes (`file`), or is removed if it didn't exist.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use doorward_core::tool::Client;
use serde_json::{Map, Value, json};

use crate::{clients, jsonc};

mod file;
mod text;

/// A client's hooks file and its format.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The client.
    pub client: Client,
    /// Configuration file below the user's home.
    pub user_file: &'static str,
    /// Configuration file below a project.
    pub project_file: &'static str,
    /// Events that the hook is installed for.
    pub events: &'static [&'static str],
    /// Events without a tool, whose entries have no matcher.
    pub(crate) plain_events: &'static [&'static str],
    /// Format of an entry.
    pub(crate) shape: Shape,
    /// Time-out in the configuration, in the client's unit.
    pub timeout: u64,
    /// Whether the client accepts comments and trailing commas in that file.
    pub(crate) comments: bool,
}

/// Format of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `hooks.<Event>[].{matcher, hooks: [{type, command, timeout, …}]}`
    Nested {
        /// Supports `onFailure: "block"`.
        on_failure: bool,
        /// Supports `statusMessage`, shown while the hook runs.
        status: bool,
        /// Supports `name`, shown in place of the command line.
        named: bool,
    },
    /// `{"version": 1, "hooks": {<event>: [{command, …}]}}`
    Flat {
        /// Name of the member with the command.
        command: &'static str,
        /// Supports `failClosed: true`.
        fail_closed: bool,
    },
}

/// Files that decide whether a client runs its hooks, below a home folder or a project.
pub static SETTINGS: LazyLock<Vec<&'static str>> = LazyLock::new(clients::settings_files);

/// Message that a client shows while its hook runs. Only waiting for a person takes long.
const STATUS: &str = "Doorward looks at this call; if it waits for you, answer with `doorward approvals`";

/// All clients for which the hook can be installed.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    clients::all().filter_map(|contract| contract.install)
}

/// The target of a client.
#[must_use]
pub fn target(client: Client) -> Option<&'static Target> {
    clients::contract(client).install
}

/// Absolute paths of the programs named by hook entries of a settings file.
#[must_use]
pub fn programs_named(settings: &str) -> Vec<PathBuf> {
    fn collect(value: &Value, found: &mut Vec<PathBuf>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    match value.as_str() {
                        Some(text) if name == "command" || name == "bash" => {
                            let words = text.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
                            found.extend(words.filter(|word| word.starts_with('/')).map(PathBuf::from));
                            // A path with blanks in it consists of several words.
                            found.extend(program_of(text).filter(|program| program.is_absolute()));
                        }
                        _ => collect(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let settings: Value = serde_json::from_str(&jsonc::blanked(settings)).unwrap_or_default();
    collect(settings.get("hooks").unwrap_or(&Value::Null), &mut found);
    found
}

/// The result of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub file: PathBuf,
    /// Whether it was changed.
    pub changed: bool,
    /// The copy of the file from before the installation, if there was a file.
    pub backup: Option<PathBuf>,
}

/// Why an installation failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// No hooks are known for this client.
    #[error("install.unknown_client: no hook installation is known for {0}")]
    UnknownClient(&'static str),
    /// The file isn't valid JSON; it isn't touched.
    #[error(
        "install.unreadable: {file} is not valid JSON ({reason}); correct it or move it away, nothing was changed"
    )]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The parser's message.
        reason: String,
    },
    /// The file's structure differs from the client's reference.
    #[error("install.shape: `{member}` in {file} is not what {client} expects; nothing was changed")]
    Shape {
        /// The file.
        file: PathBuf,
        /// The member.
        member: String,
        /// The client.
        client: &'static str,
    },
    /// Reading or writing failed.
    #[error("install.io: {file}: {source}")]
    Io {
        /// The file.
        file: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

/// The command that a client's hook runs.
#[derive(Debug, Clone, Copy)]
pub struct HookCommand<'a> {
    /// The program: an absolute path, or a bare name that the client's own `PATH` finds (shared project settings).
    pub program: &'a Path,
    /// The client.
    pub client: Client,
    /// State directory of the service, if not the user's default.
    pub state: Option<&'a Path>,
    /// Whether it runs beside an agent in Doorward's sandbox.
    pub enclosed: bool,
}

impl std::fmt::Display for HookCommand<'_> {
    /// The command line. It never varies, because clients ask to trust a changed hook. Most clients would run the
    /// call if the program were missing, so the line itself reports that and exits with 2, which every client treats
    /// as refusal.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let program = quoted(self.program);
        let there = match self.program.is_absolute() {
            true => format!("[ -x {program} ]"),
            false => format!("command -v {program} >/dev/null"),
        };
        write!(f, "{there} && exec {program} hook {}", self.client.as_str())?;
        if let Some(state) = self.state {
            write!(f, " --state {}", quoted(state))?;
        }
        if self.enclosed {
            f.write_str(" --enclosed")?;
        }
        write!(f, "; echo '{MISSING} {}' >&2; exit 2", self.client.as_str())
    }
}

/// Message to the client if the hook's program is missing.
const MISSING: &str = "Doorward is not where this hook expects it, so the call is refused (hook.missing). \
                       Install it again: doorward install";

/// Installs the hook in `file`.
///
/// # Errors
/// [`InstallError`]; nothing was changed then.
pub fn install(target: &Target, file: &Path, command: &str) -> Result<Change, InstallError> {
    file::put_in(target, file, command)
}

/// Removes every entry of Doorward from `file`. If nothing else changed since the installation, the file gets its
/// original bytes; if the installation created it, it is removed.
///
/// # Errors
/// [`InstallError`]; nothing was changed then.
pub fn uninstall(target: &Target, file: &Path) -> Result<Change, InstallError> {
    file::take_out(target, file)
}

/// Doorward's commands in `file`, by event.
///
/// # Errors
/// [`InstallError`] if the file can't be read.
pub fn installed(target: &Target, file: &Path) -> Result<Vec<(String, String)>, InstallError> {
    let settings = file::read(target, file)?.settings;
    let mut found = Vec::new();
    for event in target.events {
        for entry in settings
            .get("hooks")
            .and_then(|hooks| hooks.get(event))
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            for command in commands(target, entry) {
                found.push(((*event).to_owned(), command));
            }
        }
    }
    Ok(found)
}

/// Events whose entry in `file` differs from what [`install`] writes around the command (a matcher that excludes
/// tools, a condition, a shorter time-out, an asynchronous entry), with the differences.
///
/// # Errors
/// [`InstallError`] if the file can't be read.
pub fn weakened(target: &Target, file: &Path) -> Result<Vec<(String, String)>, InstallError> {
    let settings = file::read(target, file)?.settings;
    let mut found = Vec::new();
    for event in target.events {
        let entries = settings.get("hooks").and_then(|hooks| hooks.get(event)).and_then(Value::as_array);
        let ours: Vec<&Value> =
            entries.into_iter().flatten().filter(|entry| !commands(target, entry).is_empty()).collect();
        let whole = ours.iter().any(|own| {
            commands(target, own).first().is_some_and(|command| **own == entry(target, event, command))
        });
        if let (Some(own), false) = (ours.first(), whole) {
            let command = commands(target, own).into_iter().next().unwrap_or_default();
            found.push(((*event).to_owned(), difference(own, &entry(target, event, &command))));
        }
    }
    Ok(found)
}

/// The members in which an entry differs from the written one.
fn difference(own: &Value, written: &Value) -> String {
    fn flat(value: &Value, name: &str, all: &mut Vec<(String, String)>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(key, value)| flat(value, key, all)),
            Value::Array(items) => items.iter().for_each(|item| flat(item, name, all)),
            plain => all.push((name.to_owned(), plain.to_string())),
        }
    }
    let (mut has, mut should) = (Vec::new(), Vec::new());
    flat(own, "", &mut has);
    flat(written, "", &mut should);
    let more =
        has.iter().filter(|one| !should.contains(one)).map(|(name, value)| format!("{name} is {value}"));
    let less = should
        .iter()
        .filter(|(name, _)| !has.iter().any(|(own, _)| own == name))
        .map(|(name, value)| format!("{name} isn't {value}"));
    more.chain(less).collect::<Vec<_>>().join(", ")
}

fn add(
    target: &Target,
    file: &Path,
    settings: &mut Map<String, Value>,
    command: &str,
) -> Result<(), InstallError> {
    let shape_error = |member: &str| InstallError::Shape {
        file: file.to_owned(),
        member: member.to_owned(),
        client: target.client.as_str(),
    };
    let already = target.events.iter().all(|event| {
        let entries = settings.get("hooks").and_then(|hooks| hooks.get(event)).and_then(Value::as_array);
        let ours: Vec<&Value> =
            entries.into_iter().flatten().filter(|entry| is_ours(target, entry)).collect();
        ours.len() == 1 && ours.first().is_some_and(|ours| **ours == entry(target, event, command))
    });
    if already {
        return Ok(());
    }
    remove(target, settings);
    if let Shape::Flat { .. } = target.shape {
        settings.entry("version").or_insert_with(|| json!(1));
    }
    let hooks = settings.entry("hooks").or_insert_with(|| json!({}));
    let hooks = hooks.as_object_mut().ok_or_else(|| shape_error("hooks"))?;
    for event in target.events {
        let entries = hooks.entry(*event).or_insert_with(|| json!([]));
        entries.as_array_mut().ok_or_else(|| shape_error(event))?.push(entry(target, event, command));
    }
    Ok(())
}

fn entry(target: &Target, event: &str, command: &str) -> Value {
    match target.shape {
        Shape::Nested { on_failure, status, named } => {
            let mut hook = json!({"type": "command", "command": command, "timeout": target.timeout});
            if named {
                put(&mut hook, "name", json!("doorward"));
            }
            let decides = event == "PreToolUse" || event == "PermissionRequest";
            if on_failure && decides {
                put(&mut hook, "onFailure", json!("block"));
            }
            if status && decides {
                put(&mut hook, "statusMessage", json!(STATUS));
            }
            if target.plain_events.contains(&event) {
                json!({"hooks": [hook]})
            } else {
                json!({"matcher": "*", "hooks": [hook]})
            }
        }
        Shape::Flat { command: member, fail_closed } => {
            let mut hook = json!({});
            if member == "bash" {
                put(&mut hook, "type", json!("command"));
                put(&mut hook, "timeoutSec", json!(target.timeout));
            }
            put(&mut hook, member, json!(command));
            if fail_closed {
                put(&mut hook, "timeout", json!(target.timeout));
                put(&mut hook, "failClosed", json!(event.starts_with("pre") || event.starts_with("before")));
            }
            hook
        }
    }
}

fn remove(target: &Target, settings: &mut Map<String, Value>) {
    let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) else { return };
    let mut touched = false;
    for entries in hooks.values_mut().filter_map(Value::as_array_mut) {
        let before = entries.len();
        entries.retain(|entry| !is_ours(target, entry));
        touched |= entries.len() != before;
    }
    if touched {
        hooks.retain(|_, entries| entries.as_array().is_none_or(|entries| !entries.is_empty()));
        if hooks.is_empty() {
            settings.shift_remove("hooks");
        }
    }
}

/// Whether the entry's only command is `… doorward… hook <client> …`.
fn is_ours(target: &Target, entry: &Value) -> bool {
    let commands = commands(target, entry);
    !commands.is_empty() && commands.len() == entry.get("hooks").and_then(Value::as_array).map_or(1, Vec::len)
}

fn commands(target: &Target, entry: &Value) -> Vec<String> {
    let ours = |hook: &Value| {
        let member = if let Shape::Flat { command, .. } = target.shape { command } else { "command" };
        hook.get(member)
            .and_then(Value::as_str)
            .filter(|text| starts_us(text, target.client))
            .map(str::to_owned)
    };
    match entry.get("hooks").and_then(Value::as_array) {
        Some(hooks) => hooks.iter().filter_map(ours).collect(),
        None => ours(entry).into_iter().collect(),
    }
}

/// Whether a command line starts this client's hook (`…doorward… hook CLIENT`), also inside a wrapper.
fn starts_us(command: &str, client: Client) -> bool {
    let words: Vec<&str> = command.split([' ', ';']).collect();
    words.windows(3).any(|three| match three {
        [program, "hook", name] => {
            let program = program.trim_matches(['\'', '"']);
            let file = program.rsplit('/').next().unwrap_or(program);
            file.starts_with("doorward") && *name == client.as_str()
        }
        _ => false,
    })
}

/// The state directory in a hook's command line, if given.
#[must_use]
pub fn state_of(command: &str) -> Option<PathBuf> {
    let (_, rest) = command.split_once(" --state ")?;
    let quoted = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(path, _)| path);
    Some(PathBuf::from(quoted.or_else(|| rest.split([' ', ';']).next())?))
}

/// The program in a hook's command line.
#[must_use]
pub fn program_of(command: &str) -> Option<PathBuf> {
    let (before, _) = command.split_once(" hook ")?;
    let program = match before.strip_suffix('\'') {
        Some(quoted) => quoted.rsplit('\'').next(),
        None => before.rsplit(' ').next(),
    };
    program.filter(|program| !program.is_empty()).map(PathBuf::from)
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}

fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte));
    if plain { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str =
        "[ -x /usr/bin/doorward ] && exec /usr/bin/doorward hook claude-code --state /s; exit 2";

    fn scratch(name: &str, content: Option<&str>) -> PathBuf {
        let dir = tempfile::tempdir().unwrap().keep();
        let file = dir.join(name);
        if let Some(content) = content {
            std::fs::write(&file, content).unwrap();
        }
        file
    }

    #[test]
    fn the_command_line_refuses_by_itself_where_the_program_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["bin", "my tools"] {
            let program = dir.path().join(folder).join("doorward-thin");
            let state = dir.path().join("state");
            let line = |state| {
                let (client, enclosed) = (Client::ClaudeCode, false);
                HookCommand { program: &program, client, state, enclosed }.to_string()
            };
            for (line, state) in [(line(None), None), (line(Some(state.as_path())), Some(state.clone()))] {
                assert!(starts_us(&line, Client::ClaudeCode) && !starts_us(&line, Client::Codex), "{line}");
                assert_eq!(program_of(&line).as_deref(), Some(program.as_path()), "{line}");
                assert_eq!(state_of(&line), state, "{line}");
                let gone = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
                assert_eq!(gone.status.code(), Some(2), "{line}");
                assert!(String::from_utf8_lossy(&gone.stderr).contains("hook.missing"), "{line}");
            }
        }
        let bare = HookCommand {
            program: Path::new("doorward-is-nowhere-here"),
            client: Client::Codex,
            state: None,
            enclosed: false,
        };
        let gone = std::process::Command::new("sh").args(["-c", &bare.to_string()]).output().unwrap();
        assert_eq!(gone.status.code(), Some(2), "{bare}");
        for old in
            ["/usr/bin/doorward hook codex --state /s", "'/opt/my tools/doorward-thin' hook codex --state /s"]
        {
            assert!(starts_us(old, Client::Codex), "{old}");
        }
        assert!(!starts_us("/usr/bin/other hook codex", Client::Codex));
    }

    #[test]
    fn a_client_that_reads_comments_keeps_them_and_gets_its_bytes_back() {
        let gemini = target(Client::GeminiCli).unwrap();
        let command = COMMAND.replace("claude-code", "gemini-cli");
        for text in [
            "// mine\n{\n  \"theme\": \"dark\", // at night\n}\n",
            "{\n  /* none\n  yet, ] */\n  \"hooks\": {\n    \"BeforeTool\": \
             [\n      { \"matcher\": \"x\", \"hooks\": [], }, // keep\n    ],\n  },\n}",
            "{ \"url\": \"https://example.com/a,}\", }",
        ] {
            let file = scratch("settings.json", Some(text));
            install(gemini, &file, &command).unwrap();
            let with = std::fs::read_to_string(&file).unwrap();
            for comment in jsonc::comments(text) {
                assert!(with.contains(comment), "{comment} is gone: {with}");
            }
            assert_eq!(installed(gemini, &file).unwrap().len(), gemini.events.len(), "{with}");
            assert_eq!(weakened(gemini, &file).unwrap(), [], "{with}");
            assert!(programs_named(&with).contains(&PathBuf::from("/usr/bin/doorward")), "{with}");
            assert!(!install(gemini, &file, &command).unwrap().changed, "twice: {with}");
            // A change that the user made in between is kept, and so are the comments.
            let other = scratch("settings.json", Some(text));
            install(gemini, &other, &command).unwrap();
            let edited = std::fs::read_to_string(&other).unwrap().replacen('{', "{ \"new\": 1,", 1);
            std::fs::write(&other, edited).unwrap();
            uninstall(gemini, &other).unwrap();
            let left = std::fs::read_to_string(&other).unwrap();
            assert!(left.contains("\"new\": 1") && !left.contains("doorward hook"), "{left}");
            assert!(jsonc::comments(text).all(|comment| left.contains(comment)), "{left}");
            uninstall(gemini, &file).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        // A file that isn't JSON even with comments isn't touched.
        for broken in ["{ \"a\": 1 /* ", "{ a: 1 }", "{ \"a\": 1,, }", "[1, ]"] {
            let file = scratch("settings.json", Some(broken));
            assert!(install(gemini, &file, &command).is_err(), "{broken}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
        }
    }

    #[test]
    fn a_file_that_is_not_json_is_left_alone() {
        let file = scratch("settings.json", Some("{ // comment\n}"));
        let error = install(target(Client::ClaudeCode).unwrap(), &file, COMMAND).unwrap_err();
        assert!(error.to_string().starts_with("install.unreadable"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ // comment\n}");
    }
}
