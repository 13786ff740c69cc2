//! Parsing shared by most clients, and the one place where a client's call gets canonical names.

use doorward_core::arguments::{patched_files, urls_in};
use doorward_core::id::{CallId, Digest};
use doorward_core::json::{Object, Value};
use doorward_core::tool::{CanonicalTool, Client, ToolName, ToolNameError, confusable};

use super::{Alias, ClientMode, contract};
use crate::{After, Event, EventError, HookCall, Reply};

/// Events before something that contain nothing to judge. Sources: the clients' references.
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

/// Handles an event missing from the client's table. If its name announces something to come, it may be a call under
/// a newer version's name, so it is refused.
pub(super) fn not_judged(event: &str) -> Result<Event, EventError> {
    let begins = event.to_ascii_lowercase();
    let announces = begins.starts_with("pre") || begins.starts_with("before");
    if announces && !NOTHING_TO_JUDGE.contains(&event) {
        return Err(EventError::Unknown(event.chars().take(64).collect()));
    }
    Ok(Event::Other)
}

/// Whether one of the words is in `plain`, or one of `pairs` occurs as `NAME VALUE` or `NAME=VALUE`.
pub(super) fn started_with(words: &[String], plain: &[&str], pairs: &[(&str, &str)]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map(String::as_str);
        plain.contains(&word.as_str())
            || pairs.iter().any(|(name, value)| {
                (word == name && next == Some(*value))
                    || word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) == Some(*value)
            })
    })
}

pub(super) fn text<'v>(value: &'v Value, member: &'static str) -> Result<&'v str, EventError> {
    value.get(member).and_then(Value::as_str).ok_or(EventError::Member(member))
}

pub(super) fn optional(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned)
}

/// Arguments as an object. Some clients send them as a JSON string, which is parsed as strictly.
pub(super) fn arguments(value: &Value, member: &'static str) -> Result<Object, EventError> {
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

/// The canonical name of a client's tool, and its row in the alias table, if any.
///
/// Names are trimmed first; canonical names are accepted from every client. MCP names are `mcp__server__tool`
/// (Claude, Codex) or in the form of the client's contract. An unknown name stays as it is, without a class: it is
/// judged as Execute, with finding `tool.unknown`.
///
/// # Errors
/// [`ToolNameError`] for invalid characters, or for a name that imitates a known tool.
pub fn canonical(client: Client, name: &str) -> Result<(ToolName, Option<&'static Alias>), ToolNameError> {
    let name = name.trim();
    let own = contract(client);
    if let Some(row) = own.tools.iter().find(|row| row.name == name) {
        return Ok((ToolName::new(row.canonical)?, Some(row)));
    }
    if let Some(known) = confusable(name, own.tools.iter().map(|row| row.name)) {
        return Err(ToolNameError::Confusable { known: known.to_owned() });
    }
    let joined = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    let joined = joined.filter(|(server, tool)| !server.is_empty() && !tool.is_empty());
    if let Some((server, tool)) = joined.or_else(|| (own.mcp_name)(name)) {
        return ToolName::new(&format!("mcp:{server}/{tool}")).map(|name| (name, None));
    }
    ToolName::new(name).map(|name| (name, None))
}

/// A client's call under canonical names: the tool and its arguments, with those found in text added (files of a
/// patch, URLs of a fetch prompt).
///
/// # Errors
/// As [`canonical`].
pub fn canonical_call(client: Client, name: &str, args: Object) -> Result<(ToolName, Object), ToolNameError> {
    if let Some((tool, args)) = (contract(client).split_tool)(name.trim(), &args) {
        return Ok((ToolName::new(tool)?, args));
    }
    let (tool, alias) = canonical(client, name)?;
    let args = match alias {
        Some(row) => row.rename(args),
        None => args,
    };
    let args = with_what_text_names(&tool, args);
    Ok((tool, args))
}

fn with_what_text_names(tool: &ToolName, mut args: Object) -> Object {
    if *tool == CanonicalTool::Write
        && let Some(patch) = args.get("patch").and_then(Value::as_str)
    {
        let files = patched_files(patch);
        let paths = files.iter().map(|file| Value::from(file.path)).collect();
        args.insert("paths".to_owned(), Value::Array(paths));
    }
    if *tool == CanonicalTool::Fetch
        && !args.contains_key("url")
        && let Some(prompt) = args.get("prompt").and_then(Value::as_str)
    {
        let urls: Vec<Value> = urls_in(prompt).map(Value::from).collect();
        args.insert("urls".to_owned(), Value::Array(urls));
    }
    args
}

/// The members of an event that most clients share.
pub(super) struct Common<'v> {
    pub(super) client: Client,
    pub(super) value: &'v Value,
    pub(super) event: &'v str,
    pub(super) name: &'v str,
    pub(super) input: Object,
}

impl Common<'_> {
    pub(super) fn call(self) -> Result<Event, EventError> {
        let raw_args = Value::Object(self.input.clone());
        let (tool, args) = canonical_call(self.client, self.name, self.input)?;
        let mode = self.value.get("permission_mode").and_then(Value::as_str).map(ClientMode::from_word);
        Ok(Event::Call(Box::new(HookCall {
            event: self.event.to_owned(),
            session: session(self.value)?,
            agent: optional(self.value, "agent_id"),
            call: optional(self.value, "tool_use_id").map(CallId::from),
            turn: turn(self.value),
            tool,
            args,
            raw_args,
            cwd: optional(self.value, "cwd").unwrap_or_default(),
            mode,
        })))
    }

    pub(super) fn after(self, failed: bool, response: Option<&Value>) -> Result<Event, EventError> {
        let (_, args) = canonical_call(self.client, self.name, self.input)?;
        let output = response.map(Value::canonical);
        Ok(Event::After(After {
            session: session(self.value)?,
            call: optional(self.value, "tool_use_id").map(CallId::from),
            args_digest: Value::Object(args).digest(),
            failed,
            output_digest: output.as_ref().map(|text| Digest::of(text.as_bytes())),
            bytes: output.map_or(0, |text| u64::try_from(text.len()).unwrap_or(u64::MAX)),
            output: response.map(texts).unwrap_or_default(),
            terminal: None,
        }))
    }
}

/// Most bytes taken from a result's texts.
const MOST_OUTPUT: usize = 256 << 10;

/// The texts in a value, one per line, without JSON syntax.
fn texts(value: &Value) -> String {
    fn collect(value: &Value, out: &mut String) {
        match value {
            Value::String(text) if out.len() < MOST_OUTPUT => {
                let room = MOST_OUTPUT - out.len();
                out.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
                out.push('\n');
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
            Value::Object(members) => members.values().for_each(|member| collect(member, out)),
            _ => {}
        }
    }
    let mut out = String::new();
    collect(value, &mut out);
    out
}

/// The claimed session id.
pub(super) fn session(value: &Value) -> Result<String, EventError> {
    ["session_id", "sessionId", "conversation_id", "trajectory_id"]
        .iter()
        .find_map(|member| optional(value, member))
        .filter(|session| !session.is_empty())
        .ok_or(EventError::Member("session_id"))
}

/// The client's id of the turn: everything between two prompts of the person.
pub(super) fn turn(value: &Value) -> Option<String> {
    optional(value, "prompt_id").or_else(|| optional(value, "turn_id"))
}

/// A reply by JSON on standard output, exit code 0.
pub(super) fn json(value: &serde_json::Value) -> Reply {
    Reply { stdout: format!("{value}\n"), ..Reply::default() }
}

/// A reply by text on standard error, exit code 2.
pub(super) fn blocked(reason: &str) -> Reply {
    Reply { stderr: format!("{}\n", crate::non_empty(reason)), exit: 2, ..Reply::default() }
}

/// The denial for a client that accepts exit code 2 with text.
pub(super) fn fault_by_exit(reason: &str) -> Reply {
    Reply { stdout: String::new(), stderr: format!("doorward: {}\n", crate::non_empty(reason)), exit: 2 }
}
