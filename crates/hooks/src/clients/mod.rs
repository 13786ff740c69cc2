//! One file a client: how its events read and how it wants to be answered.

use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::tool::{self, AgentSwitches, Client};

use crate::{After, Answer, Event, EventError, HookCall, Reply};

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini_cli;
mod windsurf;

/// A client's contract.
pub trait Adapter: Sync {
    /// What an event says.
    ///
    /// # Errors
    /// [`EventError`] if it can't be read; never a guess.
    fn event(&self, value: &Value) -> Result<Event, EventError>;

    /// What starts this client without the hooks it is installed with.
    fn switches(&self) -> Option<AgentSwitches> {
        None
    }

    /// Whether a client that was started with these words asks nobody, whatever mode its events claim.
    fn asks_nobody(&self, _words: &[String]) -> bool {
        false
    }

    /// An answer in the client's shape. `event` is the name of the event it answers.
    fn reply(&self, event: &str, answer: &Answer) -> Reply;
}

/// What starts a coding agent without its hooks, for every agent that is known.
#[must_use]
pub fn switches() -> Vec<AgentSwitches> {
    [Client::ClaudeCode, Client::Codex, Client::GeminiCli, Client::Cursor, Client::Copilot]
        .into_iter()
        .filter_map(|client| adapter(client).switches())
        .collect()
}

/// The adapter of a client. Clients without hooks of their own are read like Claude Code.
#[must_use]
pub fn adapter(client: Client) -> &'static dyn Adapter {
    match client {
        Client::Codex => &codex::Codex,
        Client::GeminiCli => &gemini_cli::GeminiCli,
        Client::Cursor => &cursor::Cursor,
        Client::Copilot => &copilot::Copilot,
        Client::Windsurf => &windsurf::Windsurf,
        _ => &claude_code::ClaudeCode,
    }
}

/// Events that come before something and have nothing to judge. Sources: the clients' references.
const NOTHING_TO_JUDGE: &[&str] = &[
    "BeforeAgent",
    "BeforeModel",
    "BeforeToolSelection",
    "PreCompact",
    "PreCompress",
    "beforeSubmitPrompt",
    "preCompact",
    "pre_user_prompt",
];

/// An event that the client's table doesn't hold. One that announces something to come may be a call under a name that
/// a newer version of the client gave it: it is refused until it is known.
fn not_judged(event: &str) -> Result<Event, EventError> {
    let begins = event.to_ascii_lowercase();
    let announces = begins.starts_with("pre") || begins.starts_with("before");
    if announces && !NOTHING_TO_JUDGE.contains(&event) {
        return Err(EventError::Unknown(event.chars().take(64).collect()));
    }
    Ok(Event::Other)
}

/// Whether one of the words is among `plain`, or one of `pairs` stands there as `NAME VALUE` or `NAME=VALUE`.
fn started_with(words: &[String], plain: &[&str], pairs: &[(&str, &str)]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map(String::as_str);
        plain.contains(&word.as_str())
            || pairs.iter().any(|(name, value)| {
                (word == name && next == Some(*value))
                    || word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) == Some(*value)
            })
    })
}

fn text<'v>(value: &'v Value, member: &'static str) -> Result<&'v str, EventError> {
    value.get(member).and_then(Value::as_str).ok_or(EventError::Member(member))
}

fn optional(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned)
}

/// Arguments as an object; some clients send them as a JSON string, which is read just as strictly.
fn arguments(value: &Value, member: &'static str) -> Result<Object, EventError> {
    match value.get(member) {
        None | Some(Value::Null) => Ok(Object::new()),
        Some(Value::Object(members)) => Ok(members.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Object::new()),
        Some(Value::String(text)) => match Value::parse(text)? {
            Value::Object(members) => Ok(members),
            _ => Err(EventError::Member(member)),
        },
        Some(_) => Err(EventError::Member(member)),
    }
}

/// The part of an event that most clients share.
struct Common<'v> {
    client: Client,
    value: &'v Value,
    event: &'v str,
    name: &'v str,
    input: Object,
}

impl Common<'_> {
    fn call(self) -> Result<Event, EventError> {
        let (tool, alias) = tool::canonical(self.client, self.name)?;
        let raw_args = Value::Object(self.input.clone());
        let args = alias.map_or_else(|| self.input.clone(), |row| row.rename(self.input.clone()));
        Ok(Event::Call(Box::new(HookCall {
            event: self.event.to_owned(),
            session: session(self.value)?,
            agent: optional(self.value, "agent_id"),
            call: optional(self.value, "tool_use_id"),
            args: derived(tool.as_str(), args),
            tool,
            raw_args,
            cwd: optional(self.value, "cwd").unwrap_or_default(),
            mode: self
                .value
                .get("permission_mode")
                .and_then(Value::as_str)
                .and_then(PermissionMode::from_word),
        })))
    }

    fn after(self, failed: bool, response: Option<&Value>) -> Result<Event, EventError> {
        let (tool, alias) = tool::canonical(self.client, self.name)?;
        let args = alias.map_or_else(|| self.input.clone(), |row| row.rename(self.input.clone()));
        let args = Value::Object(derived(tool.as_str(), args));
        let output = response.map(Value::canonical);
        Ok(Event::After(After {
            session: session(self.value)?,
            call: optional(self.value, "tool_use_id"),
            args_digest: args.digest(),
            failed,
            output_digest: output.as_ref().map(|text| doorward_core::json::digest(text.as_bytes())),
            bytes: output.map_or(0, |text| u64::try_from(text.len()).unwrap_or(u64::MAX)),
        }))
    }
}

fn session(value: &Value) -> Result<String, EventError> {
    ["session_id", "sessionId", "conversation_id", "trajectory_id"]
        .iter()
        .find_map(|member| optional(value, member))
        .filter(|session| !session.is_empty())
        .ok_or(EventError::Member("session_id"))
}

/// Arguments that are there but hidden in text: the paths of a patch, the URLs of a fetch prompt.
fn derived(tool: &str, mut args: Object) -> Object {
    if tool == "fs:write"
        && let Some(patch) = args.get("patch").and_then(Value::as_str)
    {
        let paths: Vec<Value> = patch_paths(patch).map(Value::from).collect();
        args.insert("paths".to_owned(), Value::Array(paths));
    }
    if tool == "net:fetch"
        && !args.contains_key("url")
        && let Some(prompt) = args.get("prompt").and_then(Value::as_str)
    {
        let urls: Vec<Value> = urls(prompt).map(Value::from).collect();
        args.insert("urls".to_owned(), Value::Array(urls));
    }
    args
}

/// Files named by a patch in the `*** Begin Patch` format, or by a unified diff.
fn patch_paths(patch: &str) -> impl Iterator<Item = &str> {
    const HEADERS: [&str; 6] =
        ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ", "+++ ", "--- "];
    patch.lines().filter_map(|line| {
        let path = HEADERS.iter().find_map(|header| line.trim_start().strip_prefix(header))?.trim();
        (path != "/dev/null").then_some(path)
    })
}

fn urls(prompt: &str) -> impl Iterator<Item = &str> {
    prompt
        .split(|ch: char| {
            ch.is_whitespace() || matches!(ch, '<' | '>' | '"' | '\'' | '`' | '(' | ')' | '[' | ']')
        })
        .filter(|word| word.contains("://"))
        .map(|word| word.trim_end_matches(['.', ',', ';', '!', '?']))
}

/// JSON on standard output, exit 0.
fn json(value: &serde_json::Value) -> Reply {
    Reply { stdout: format!("{value}\n"), ..Reply::default() }
}

/// Text on standard error, exit 2.
fn blocked(reason: &str) -> Reply {
    Reply { stderr: format!("{}\n", crate::non_empty(reason)), exit: 2, ..Reply::default() }
}
