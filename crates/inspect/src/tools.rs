//! The grammar of each tool: what a call's arguments say it would do, before the world is looked at.

use doorward_core::arguments::{PatchChange, patched_files, urls_in};
use doorward_core::call::ToolCall;
use doorward_core::finding::Finding;
use doorward_core::intent::{
    Below, Certainty, DeleteIntent, Direction, Form, HostIntent, Intent, Operand, ReadIntent, Span, Unknown,
    WriteIntent, WriteMode,
};
use doorward_core::json::Value;
use doorward_paths::text;
use doorward_shell::Options;

use crate::leaves;

/// What kind of judgement a call gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// A command.
    Command,
    /// Code in a language of its own.
    Code,
    /// Files by name.
    Files,
    /// A fetch or a search.
    Net,
    /// A tool of an MCP server.
    Mcp,
    /// Plans, questions, todo lists.
    Plan,
    /// Leaving plan mode.
    LeavePlan,
    /// A tool nobody knows.
    Unknown,
}

/// What the arguments say.
pub(crate) struct Said {
    pub(crate) manner: CallKind,
    pub(crate) intent: Intent,
    /// What arguments of a server's tool run: command lines, code, SQL.
    pub(crate) runs: Vec<(Intent, leaves::Run)>,
    /// Texts of paths that are no paths, or look like a trick.
    pub(crate) marks: Vec<Mark>,
}

/// A path argument that its text alone gives away.
pub(crate) struct Mark {
    pub(crate) code: doorward_paths::Code,
    pub(crate) detail: String,
    /// Refused, not asked about.
    pub(crate) refused: bool,
    pub(crate) writes: bool,
    /// The path it is about, where something of that very name being there would settle it.
    pub(crate) unless_there: Option<String>,
}

/// Reads a call.
pub(crate) fn say(call: &ToolCall, options: &Options<'_>) -> Said {
    let tool = call.tool.as_str();
    let mut said =
        Said { manner: manner_of(tool), intent: Intent::default(), runs: Vec::new(), marks: Vec::new() };
    match tool {
        "shell:execute" => said.intent = command(call, options),
        "fs:read" => read(call, &mut said),
        "fs:write" => write(call, &mut said),
        "fs:mkdir" => paths(call, PATHS, &mut said, true, |intent, path| {
            intent.writes.push(plain_write(path, WriteMode::Create))
        }),
        "fs:delete" => delete(call, &mut said),
        "fs:move" | "fs:copy" => transfer(call, &mut said, tool == "fs:move"),
        "net:fetch" => fetch(call, &mut said.intent),
        "net:search" => {}
        _ if tool.starts_with("plan:") && call.tool.class().is_some() => {}
        _ if call.tool.is_code() => said.intent = code(call, tool, options),
        _ if said.manner == CallKind::Mcp => leaves::say(call, options, &mut said),
        _ => {
            // What its texts say is read like those of a server's tool; what it does with them nobody knows.
            leaves::say(call, options, &mut said);
            said.intent.unknown.push(Unknown {
                code: "tool.unknown".to_owned(),
                reason: "nobody knows what this tool does".to_owned(),
                span: Span::default(),
            });
        }
    }
    if said.manner == CallKind::Files
        && let Some(name) =
            PATHS.iter().find(|name| call.args.get(**name).is_some_and(|value| !names_files(value)))
    {
        said.intent.unknown.extend(unreadable(name).unknown);
    }
    said
}

/// Whether a path argument is text all through: one path, a list of them, or members with a `path`.
fn names_files(value: &Value) -> bool {
    match value {
        // What many clients send for an argument that isn't given.
        Value::Null | Value::String(_) => true,
        Value::Array(items) => items.iter().all(names_files),
        Value::Object(members) => matches!(members.get("path"), Some(Value::String(_))),
        _ => false,
    }
}

fn manner_of(tool: &str) -> CallKind {
    match tool.split_once(':') {
        Some(("shell", "execute")) => CallKind::Command,
        Some((_, "execute")) => CallKind::Code,
        Some(("fs", "read" | "write" | "mkdir" | "move" | "copy" | "delete")) => CallKind::Files,
        Some(("net", "fetch" | "search")) => CallKind::Net,
        Some(("mcp", _)) => CallKind::Mcp,
        Some(("plan", "leave")) => CallKind::LeavePlan,
        Some(("plan", "submit" | "ask" | "todo" | "think" | "delegate" | "watch" | "stop")) => CallKind::Plan,
        _ => CallKind::Unknown,
    }
}

/// The language in which a call's shell reads its command; `None` for a POSIX shell.
fn shell_language(call: &ToolCall) -> Option<&'static str> {
    let shell = call.arg("shell")?.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    match shell.strip_suffix(".exe").unwrap_or(&shell) {
        "powershell" | "pwsh" => Some("powershell"),
        "cmd" => Some("cmd"),
        _ => None,
    }
}

fn command(call: &ToolCall, options: &Options<'_>) -> Intent {
    if let Some(language) = shell_language(call) {
        return match call.arg("command") {
            Some(text) => doorward_shell::analyze_code(language, text, options),
            None => unreadable("command"),
        };
    }
    match call.args.get("command") {
        Some(Value::String(text)) => doorward_shell::analyze(text, options),
        // An argument vector runs as it stands; `bash -lc TEXT` is a carrier like any other.
        Some(Value::Array(words)) => {
            let quoted: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(quote)).collect();
            quoted.map_or_else(
                || unreadable("command"),
                |words| doorward_shell::analyze(&words.join(" "), options),
            )
        }
        _ => unreadable("command"),
    }
}

fn code(call: &ToolCall, tool: &str, options: &Options<'_>) -> Intent {
    let named = call.arg("language").unwrap_or("python");
    let language = match tool.strip_suffix(":execute").unwrap_or(tool) {
        "code" => named,
        "node" => "javascript",
        language => language,
    };
    match call.arg("code").or_else(|| call.arg("command")) {
        Some(text) => doorward_shell::analyze_code(language, text, options),
        None => unreadable("code"),
    }
}

pub(crate) fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn unreadable(argument: &str) -> Intent {
    let mut intent = Intent::default();
    intent.unknown.push(Unknown {
        code: "args.schema".to_owned(),
        reason: format!("the argument `{argument}` is missing or not a text"),
        span: Span::default(),
    });
    intent
}

/// Names of path arguments.
const PATHS: &[&str] = &["path", "paths", "file", "files"];

/// Path arguments under some names.
fn paths(
    call: &ToolCall,
    names: &[&str],
    said: &mut Said,
    writes: bool,
    mut take: impl FnMut(&mut Intent, Operand),
) {
    let texts: Vec<&str> = names.iter().filter_map(|name| call.args.get(*name)).flat_map(texts_of).collect();
    for text in texts {
        if let Some(path) = operand(text, writes, said) {
            take(&mut said.intent, path);
        }
    }
}

fn texts_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(members) => members.get("path").map(texts_of).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// A path argument as an operand; what its text gives away goes to the marks.
pub(crate) fn operand(argument: &str, writes: bool, said: &mut Said) -> Option<Operand> {
    match text::read(argument) {
        Err(refusal) => {
            let mark = Mark {
                code: refusal.code,
                detail: refusal.detail,
                refused: true,
                writes,
                unless_there: None,
            };
            said.marks.push(mark);
            None
        }
        Ok(read) => {
            let mark = |code, unless_there| Mark {
                code,
                detail: "the text is not what it looks like".to_owned(),
                refused: false,
                writes,
                unless_there,
            };
            said.marks.extend(read.marks.iter().map(|code| mark(*code, None)));
            said.marks.extend(read.expands.map(|code| mark(code, Some(read.path.clone().into_owned()))));
            Some(Operand::literal(read.path.into_owned(), Span::default()))
        }
    }
}

/// A path of a list that is read: tools that take lists take patterns.
pub(crate) fn pattern(argument: &str, said: &mut Said) -> Option<Operand> {
    let before = said.marks.len();
    let path = operand(argument, false, said)?;
    let is_pattern = said.marks.iter().skip(before).any(|mark| mark.code == doorward_paths::Code::Wildcard);
    if !is_pattern {
        return Some(path);
    }
    said.marks.retain(|mark| mark.code != doorward_paths::Code::Wildcard);
    Some(Operand { form: Form::Glob, certainty: Certainty::May, ..path })
}

pub(crate) fn plain_read(path: Operand, metadata: bool) -> ReadIntent {
    ReadIntent { path, metadata, reaches_host: false, reaches_code: false, below: Below::default() }
}

pub(crate) fn plain_write(path: Operand, mode: WriteMode) -> WriteIntent {
    WriteIntent {
        path,
        mode,
        content: None,
        downloaded: false,
        chmod: None,
        moved_from: None,
        redirected: false,
    }
}

fn read(call: &ToolCall, said: &mut Said) {
    let before = said.marks.len();
    // A search or a listing names a folder and reads what is in it.
    let named = PATHS.iter().any(|name| call.args.contains_key(*name));
    let listed: Vec<String> =
        call.args.get("paths").map(texts_of).unwrap_or_default().into_iter().map(str::to_owned).collect();
    for text in &listed {
        let path = pattern(text, said);
        said.intent.reads.extend(path.map(|path| plain_read(path, false)));
    }
    paths(call, &["path", "file", "files"], said, false, |intent, path| {
        intent.reads.push(plain_read(path, false))
    });
    if !named && said.marks.len() == before {
        said.intent.reads.push(plain_read(Operand::literal(".", Span::default()), true));
    }
    // Which files a search reads; a name that only secrets have says what it is after.
    let folder = call.arg("path").unwrap_or_default().trim_end_matches('/').to_owned();
    for pattern in ["glob", "include", "include_pattern", "includePattern", "file_pattern"]
        .iter()
        .filter_map(|name| call.arg(name))
    {
        for pattern in pattern.split(',').map(str::trim) {
            let text = if folder.is_empty() { pattern.to_owned() } else { format!("{folder}/{pattern}") };
            if doorward_paths::could_be_secret(&text) || doorward_paths::is_secret(&text) {
                let path =
                    Operand { text, form: Form::Glob, certainty: Certainty::May, ..Operand::default() };
                said.intent.reads.push(plain_read(path, false));
            }
        }
    }
    // A pattern beside it stays below the folder, unless it says otherwise.
    for pattern in ["pattern", "glob", "include"].iter().filter_map(|name| call.arg(name)) {
        if pattern.starts_with('/') || pattern.starts_with('~') || pattern.split('/').any(|name| name == "..")
        {
            let path = Operand {
                text: pattern.to_owned(),
                form: Form::Glob,
                certainty: Certainty::May,
                ..Operand::default()
            };
            said.intent.reads.push(plain_read(path, false));
        }
    }
}

fn write(call: &ToolCall, said: &mut Said) {
    if let Some(patch) = call.arg("patch") {
        patched(patch, said);
    }
    // One editor tool for looking and for changing.
    if call.arg("command") == Some("view") {
        return read(call, said);
    }
    let content = ["content", "file_text", "new_str", "new_string", "contents", "text"]
        .iter()
        .find_map(|name| call.arg(name));
    let whole = call.args.contains_key("content")
        || call.args.contains_key("file_text")
        || call.args.contains_key("contents");
    let mode = if whole { WriteMode::Create } else { WriteMode::InPlace };
    let content = content.filter(|_| whole).map(bounded);
    paths(call, PATHS, said, true, |intent, path| {
        intent.writes.push(WriteIntent { content: content.clone(), ..plain_write(path, mode) });
    });
    if said.intent == Intent::default() && said.marks.is_empty() {
        said.intent = unreadable("path");
    }
}

/// At most 64 KiB of a content, for the session's memory.
fn bounded(text: &str) -> String {
    let mut end = text.len().min(64 << 10);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

/// Whether a text is a patch, by its first line.
pub(crate) fn is_patch(text: &str) -> bool {
    ["*** Begin Patch", "diff --git ", "--- a/", "--- /dev/null"].iter().any(|front| text.starts_with(front))
}

/// What a patch does to the files that it names.
pub(crate) fn patched(patch: &str, said: &mut Said) {
    let files = patched_files(patch);
    let mut before: Option<&str> = None;
    for file in &files {
        match file.change {
            PatchChange::Write => push_write(file.path, said),
            PatchChange::Delete => {
                if let Some(path) = operand(file.path, true, said) {
                    said.intent.deletes.push(plain_delete(path));
                }
            }
            PatchChange::MoveTo => {
                if let Some(target) = operand(file.path, true, said) {
                    let moved_from = before.map(|from| Operand::literal(from, Span::default()));
                    let write = plain_write(target, WriteMode::Create);
                    said.intent.writes.push(WriteIntent { moved_from, ..write });
                }
            }
        }
        before = (file.change == PatchChange::Write).then_some(file.path);
    }
    if files.is_empty() {
        said.intent.unknown.push(Unknown {
            code: "shell.unsupported".to_owned(),
            reason: "a patch that names no file".to_owned(),
            span: Span::default(),
        });
    }
}

fn push_write(path: &str, said: &mut Said) {
    if said.intent.writes.iter().any(|write| write.path.text == path) {
        return;
    }
    if let Some(path) = operand(path, true, said) {
        said.intent.writes.push(plain_write(path, WriteMode::InPlace));
    }
}

pub(crate) fn plain_delete(path: Operand) -> DeleteIntent {
    DeleteIntent { path, recursive: false, force: false, own: false, untracked: None }
}

fn delete(call: &ToolCall, said: &mut Said) {
    let recursive = call.args.get("recursive").and_then(Value::as_bool).unwrap_or(false);
    paths(call, PATHS, said, true, |intent, path| {
        intent.deletes.push(DeleteIntent { recursive, ..plain_delete(path) });
    });
    if said.intent.deletes.is_empty() && said.marks.is_empty() {
        said.intent = unreadable("path");
    }
}

fn transfer(call: &ToolCall, said: &mut Said, moves: bool) {
    let named = |names: &[&str]| names.iter().find_map(|name| call.arg(name)).map(str::to_owned);
    let from = named(&["source", "from", "path", "src"]);
    let to = named(&["destination", "to", "target", "dest", "new_path"]);
    let (Some(from), Some(to)) = (from, to) else {
        said.intent = unreadable("source");
        return;
    };
    let (Some(from), Some(to)) = (operand(&from, moves, said), operand(&to, true, said)) else { return };
    if !moves {
        said.intent.reads.push(plain_read(from.clone(), false));
    }
    let moved_from = moves.then_some(from);
    said.intent.writes.push(WriteIntent { moved_from, ..plain_write(to, WriteMode::Create) });
}

fn fetch(call: &ToolCall, intent: &mut Intent) {
    let urls: Vec<&str> =
        ["url", "urls"].iter().filter_map(|name| call.args.get(*name)).flat_map(texts_of).collect();
    if urls.is_empty() {
        *intent = match call.arg("prompt") {
            // Gemini's fetch takes its URLs from the prompt's text.
            Some(prompt) => {
                let mut found = Intent::default();
                found.hosts.extend(urls_in(prompt).map(url_intent));
                if found.hosts.is_empty() { unreadable("url") } else { found }
            }
            None => unreadable("url"),
        };
        return;
    }
    intent.hosts.extend(urls.into_iter().map(url_intent));
}

pub(crate) fn url_intent(url: &str) -> HostIntent {
    HostIntent {
        host: String::new(),
        form: Form::Literal,
        port: None,
        scheme: url.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase(),
        url: Some(url.to_owned()),
        direction: Direction::Fetch,
        body_from: Vec::new(),
        configured_remote: None,
        redirected: false,
        span: Span::default(),
    }
}

/// The findings of marks.
pub(crate) fn finding_of(mark: &Mark) -> Finding {
    let mut finding = Finding::new(mark.code.as_str(), mark.detail.clone());
    finding.floor = mark.refused;
    finding.blocking = mark.refused;
    finding
}
