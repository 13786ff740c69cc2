//! What coding agents write down about their sessions, read as runs: what was said, which tools were called, what
//! came back. Files are only read; a line that can't be read is left out and counted. What an agent typed into a
//! command that runs (Codex's `write_stdin`) is no call of its own.

use std::path::{Path, PathBuf};

use doorward::rooms::core::json::Value;
use doorward::rooms::core::tool::Client;

/// Bytes read of one file at most.
const MOST_OF_FILE: u64 = 256 << 20;
/// Characters of a result that are judged.
const MOST_OF_RESULT: usize = 64 << 10;

/// One session.
#[derive(Debug, Default)]
pub(super) struct WrittenRun {
    /// Its own name.
    pub(super) id: String,
    /// The folder it was started in; empty where its account doesn't say.
    pub(super) folder: String,
    /// In the order they happened.
    pub(super) events: Vec<RunEvent>,
    /// Lines or files that can't be read.
    pub(super) unread: usize,
}

/// Something that happened.
#[derive(Debug)]
pub(super) enum RunEvent {
    /// The person said something.
    Said(String),
    /// The agent called a tool.
    Called { id: String, tool: String, args: Value, folder: Option<String> },
    /// What the call of this id brought back.
    Returned { id: String, result: String },
}

/// Where an agent keeps its accounts, and how a session is read.
pub(super) struct Account {
    pub(super) client: Client,
    /// Below the home folder.
    folder: &'static str,
    /// Whether a file below it holds a session.
    is_session: fn(&Path) -> bool,
    read: fn(&Path, &mut WrittenRun),
}

/// Measured of Codex 0.169; read in the sources of Gemini CLI 0.61; by the shape that Claude Code's hooks name
/// (`transcript_path`); OpenCode by its documentation.
pub(super) const ACCOUNTS: &[Account] = &[
    Account {
        client: Client::ClaudeCode,
        folder: ".claude/projects",
        is_session: |path| ends(path, "jsonl"),
        read: |path, run| lines(path, run, claude_code),
    },
    Account {
        client: Client::Codex,
        folder: ".codex/sessions",
        is_session: |path| ends(path, "jsonl"),
        read: |path, run| lines(path, run, codex),
    },
    Account {
        client: Client::GeminiCli,
        folder: ".gemini/tmp",
        is_session: |path| name(path).starts_with("session-") && (ends(path, "json") || ends(path, "jsonl")),
        read: gemini_cli,
    },
    Account {
        client: Client::Opencode,
        folder: ".local/share/opencode/storage/session",
        is_session: |path| name(path).starts_with("ses_") && ends(path, "json"),
        read: opencode,
    },
];

impl Account {
    /// Every session below a home folder, the oldest first.
    pub(super) fn runs(&self, home: &Path) -> Vec<WrittenRun> {
        let mut files = Vec::new();
        below(&home.join(self.folder), &mut files);
        files.retain(|path| (self.is_session)(path));
        files.sort_by_key(|path| path.metadata().and_then(|meta| meta.modified()).ok());
        let read = |path: &PathBuf| {
            let mut run = WrittenRun { id: name(path).to_owned(), ..WrittenRun::default() };
            (self.read)(path, &mut run);
            run
        };
        files.iter().map(read).collect()
    }
}

/// All files below a folder. Links are not followed.
fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut items: Vec<PathBuf> = items.map(|item| item.path()).collect();
    items.sort();
    for path in items {
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => below(&path, files),
            Ok(meta) if meta.is_file() => files.push(path),
            _ => {}
        }
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn ends(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

fn items<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_array).unwrap_or_default()
}

/// Reads a file that has one JSON object a line.
fn lines(path: &Path, run: &mut WrittenRun, entry: fn(&Value, &mut WrittenRun)) {
    let Ok(text) = doorward_paths::bounded::read_text_to(path, MOST_OF_FILE) else {
        run.unread += 1;
        return;
    };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match Value::parse(line) {
            Ok(value) => entry(&value, run),
            Err(_) => run.unread += 1,
        }
    }
}

fn whole(path: &Path, run: &mut WrittenRun) -> Option<Value> {
    let text = doorward_paths::bounded::read_text_to(path, MOST_OF_FILE).ok();
    let value = text.and_then(|text| Value::parse(&text).ok());
    run.unread += usize::from(value.is_none());
    value
}

/// Text, or blocks that have text, as one string.
fn told(value: Option<&Value>) -> String {
    let told = match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| text(block, "text")).collect();
            texts.join("\n")
        }
        Some(Value::Null) | None => String::new(),
        Some(other) => other.canonical(),
    };
    told.chars().take(MOST_OF_RESULT).collect()
}

impl WrittenRun {
    fn in_folder(&mut self, folder: Option<&str>) {
        if let Some(folder) = folder.filter(|_| self.folder.is_empty()) {
            folder.clone_into(&mut self.folder);
        }
    }

    /// Adds a call once: some accounts write it again as it goes on.
    fn called(&mut self, id: &str, tool: &str, args: Value, folder: Option<&str>) {
        let is_known = |event: &RunEvent| matches!(event, RunEvent::Called { id: known, .. } if known == id);
        if id.is_empty() || !self.events.iter().rev().take(64).any(is_known) {
            let (id, tool, folder) = (id.to_owned(), tool.to_owned(), folder.map(str::to_owned));
            self.events.push(RunEvent::Called { id, tool, args, folder });
        }
    }

    fn returned(&mut self, id: &str, result: String) {
        self.events.push(RunEvent::Returned { id: id.to_owned(), result });
    }
}

/// A line of Claude Code: `{"type", "cwd", "message": {"content": text or blocks}}`.
fn claude_code(line: &Value, run: &mut WrittenRun) {
    let folder = text(line, "cwd");
    run.in_folder(folder);
    let Some(message) = line.get("message") else { return };
    let is_user = text(line, "type") == Some("user");
    if let Some(said) = text(message, "content").filter(|_| is_user) {
        run.events.push(RunEvent::Said(said.to_owned()));
    }
    for block in items(message, "content") {
        match text(block, "type") {
            Some("text") if is_user => run.events.push(RunEvent::Said(told(block.get("text")))),
            Some("tool_use") => {
                let args = block.get("input").cloned().unwrap_or(Value::Null);
                let (id, tool) = (text(block, "id"), text(block, "name"));
                run.called(id.unwrap_or_default(), tool.unwrap_or_default(), args, folder);
            }
            Some("tool_result") => {
                run.returned(text(block, "tool_use_id").unwrap_or_default(), told(block.get("content")));
            }
            _ => {}
        }
    }
}

/// A line of Codex: `{"type", "payload": {…}}`.
fn codex(line: &Value, run: &mut WrittenRun) {
    let Some(payload) = line.get("payload") else { return };
    run.in_folder(text(payload, "cwd"));
    let id = text(payload, "call_id").unwrap_or_default();
    match (text(line, "type"), text(payload, "type")) {
        (Some("response_item"), Some("message")) if text(payload, "role") == Some("user") => {
            run.events.push(RunEvent::Said(told(payload.get("content"))));
        }
        (Some("response_item"), Some("function_call")) => {
            // Its arguments are JSON inside a string.
            let args = text(payload, "arguments").and_then(|text| Value::parse(text).ok());
            let args = args.unwrap_or(Value::Null);
            let folder = text(&args, "workdir").map(str::to_owned);
            match (text(payload, "name").unwrap_or_default(), codex_command(&args)) {
                ("exec_command" | "shell" | "shell_command" | "local_shell", Some(command)) => {
                    let args = Value::Object([("command".to_owned(), Value::from(command.as_str()))].into());
                    run.called(id, "Bash", args, folder.as_deref());
                }
                // Keys for a command that was judged when it was started.
                ("write_stdin", _) => {}
                (tool, _) => run.called(id, tool, args, folder.as_deref()),
            }
        }
        (Some("response_item"), Some("custom_tool_call")) => {
            let input = payload.get("input").cloned().unwrap_or(Value::Null);
            let args = Value::Object([("command".to_owned(), input)].into());
            run.called(id, text(payload, "name").unwrap_or_default(), args, None);
        }
        (Some("response_item"), Some("function_call_output" | "custom_tool_call_output")) => {
            run.returned(id, told(payload.get("output")));
        }
        _ => {}
    }
}

/// The command line that Codex's hook is told for a call of its shell: a text, or words of which the last is one for a
/// shell.
fn codex_command(args: &Value) -> Option<String> {
    if let Some(command) = text(args, "cmd").or_else(|| text(args, "command")) {
        return Some(command.to_owned());
    }
    let words: Vec<&str> = items(args, "command").iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [] => None,
        ["bash" | "sh" | "zsh" | "/bin/bash" | "/bin/sh" | "/bin/zsh", "-c" | "-lc", command] => {
            Some((*command).to_owned())
        }
        words => {
            let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
            Some(quoted.collect::<Vec<_>>().join(" "))
        }
    }
}

/// A session of Gemini CLI: one object with `messages`, or a message a line. The folder is in `.project_root` above it.
fn gemini_cli(path: &Path, run: &mut WrittenRun) {
    let project = path.ancestors().nth(2).map(|folder| folder.join(".project_root"));
    let root = project.and_then(|file| std::fs::read_to_string(file).ok());
    run.in_folder(root.as_deref().map(str::trim));
    if ends(path, "jsonl") {
        lines(path, run, gemini_message);
    } else if let Some(session) = whole(path, run) {
        items(&session, "messages").iter().for_each(|message| gemini_message(message, run));
    }
}

fn gemini_message(message: &Value, run: &mut WrittenRun) {
    if text(message, "type") == Some("user") {
        run.events.push(RunEvent::Said(told(message.get("content"))));
    }
    for call in items(message, "toolCalls") {
        let id = text(call, "id").unwrap_or_default();
        let args = call.get("args").cloned().unwrap_or(Value::Null);
        run.called(id, text(call, "name").unwrap_or_default(), args, None);
        if let Some(result) = call.get("result") {
            run.returned(id, told(Some(result)));
        }
    }
}

/// A session of OpenCode: its folder is in the file, its messages and their parts in folders beside it.
fn opencode(path: &Path, run: &mut WrittenRun) {
    let Some(session) = whole(path, run) else { return };
    run.in_folder(text(&session, "directory"));
    let Some(storage) = path.ancestors().nth(3) else { return };
    let mut messages = Vec::new();
    below(&storage.join("message").join(name(&path.with_extension(""))), &mut messages);
    for message in messages {
        let mut parts = Vec::new();
        below(&storage.join("part").join(name(&message.with_extension(""))), &mut parts);
        let from_user = whole(&message, run).is_some_and(|message| text(&message, "role") == Some("user"));
        for part in parts {
            if let Some(part) = whole(&part, run) {
                opencode_part(&part, from_user, run);
            }
        }
    }
}

fn opencode_part(part: &Value, from_user: bool, run: &mut WrittenRun) {
    match (text(part, "type"), part.get("state")) {
        (Some("text"), _) if from_user => run.events.push(RunEvent::Said(told(part.get("text")))),
        (Some("tool"), Some(state)) => {
            let id = text(part, "callID").unwrap_or_default();
            let args = state.get("input").cloned().unwrap_or(Value::Null);
            run.called(id, text(part, "tool").unwrap_or_default(), args, None);
            run.returned(id, told(state.get("output")));
        }
        _ => {}
    }
}
