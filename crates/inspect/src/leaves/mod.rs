//! The arguments of an MCP tool, read by what they look like.
//!
//! A server names its parameters as it likes, so every text of the arguments, at any depth, is read by its own look: a
//! path, a URL or host, a command line or the words of one, SQL, code. Only a text that as a whole looks like one counts;
//! a sentence that mentions a path or a command doesn't. The name of a parameter only helps where the look alone leaves
//! it open, and what a tool writes into a file that the call names is content, which nobody runs.

mod acts;
mod orders;
mod places;
mod queries;
mod sql;
mod texts;
mod tool;

use doorward_core::call::ToolCall;
use doorward_core::finding::Finding;
use doorward_core::intent::{HostIntent, Intent, Operand, Span, Unknown};
use doorward_core::json::{Object, Value};
use doorward_core::risk::SecurityRisk;
use doorward_shell::Options;

use crate::place::CallContext;
use crate::resolve::Resolve;
use crate::risk::Tally;
use crate::run::Follow;
use crate::session::written;
use crate::tools::{self, CallKind, Said};

pub(crate) use orders::{order, passes_on, sends_away};
use places::Place;
pub(crate) use tool::ToolWords;

/// JSON inside of a text of JSON is followed so deep.
const NESTED: u8 = 6;

/// Parameters that hold text for people, in small letters.
const PROSE: &[&str] = &[
    "body",
    "caption",
    "comment",
    "content",
    "contents",
    "description",
    "insight",
    "instructions",
    "markdown",
    "message",
    "note",
    "notes",
    "observation",
    "observations",
    "prompt",
    "question",
    "reason",
    "subject",
    "summary",
    "task",
    "text",
    "thought",
    "title",
    "topic",
];
/// Parameters of tools that search, with what is sought.
const SOUGHT: &[&str] = &["keywords", "q", "queries", "query", "search", "search_term", "term"];
/// Parameters whose text a tool puts into a file that another parameter names.
const CONTENT: &[&str] = &[
    "append",
    "body",
    "code",
    "content",
    "contents",
    "data",
    "file_text",
    "filetext",
    "insert_text",
    "markdown",
    "new_content",
    "new_str",
    "new_string",
    "new_text",
    "newcontent",
    "newstring",
    "newtext",
    "old_str",
    "old_string",
    "old_text",
    "oldstring",
    "oldtext",
    "replacement",
    "snippet",
    "source",
    "text",
];
/// Parameters that name the file of a content.
const FILES: &[&str] = &[
    "document",
    "file",
    "file_name",
    "file_path",
    "filename",
    "filepath",
    "notebook_path",
    "page",
    "path",
    "relative_path",
    "relativepath",
    "target_file",
    "uri",
];
/// Parameters that name what comes out.
const RESULTS: &[&str] = &[
    "dest",
    "destination",
    "dst",
    "into",
    "out",
    "outfile",
    "output",
    "output_file",
    "output_path",
    "save_as",
    "saveas",
    "target_path",
];
/// Parameters that name what is moved.
const MOVED: &[&str] =
    &["from", "from_path", "old", "old_path", "oldpath", "source", "source_path", "sourcepath", "src"];
/// Parameters that hold a command line or the name of a program.
const COMMANDS: &[&str] = &[
    "cmd",
    "command",
    "command_line",
    "commandline",
    "exec",
    "executable",
    "program",
    "run",
    "script",
    "shell_command",
];
/// Parameters that hold the words behind a program's name.
const WORDS: &[&str] = &["arguments", "args", "argv", "flags", "options", "parameters", "params"];
/// Parameters that name the language of the code beside them.
const LANGUAGES: &[&str] = &["interpreter", "kernel", "lang", "language", "runtime"];

/// What the place of a text among the arguments says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing.
    Plain,
    /// Text for people, unless it looks like something else all through.
    Prose,
    /// A command line, or a program's name.
    Command,
    /// What a file gets, which the call names.
    Content,
}

/// What a text of the arguments runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    /// A command line, or a program's contact with a host.
    Command,
    /// Code or SQL.
    Code,
}

/// Reads the arguments of a call into what they say.
pub(crate) fn say(call: &ToolCall, options: &Options<'_>, said: &mut Said) {
    let mut reader = Reader { tool: ToolWords::of(call), call, options, said, nested: 0, moved: None };
    reader.members(&call.args, false, true);
    if let Reader { moved: Some(from), said, .. } = reader {
        let writes = &mut said.intent.writes;
        if writes.is_empty() {
            writes.push(tools::plain_write(from.clone(), doorward_core::intent::WriteMode::Create));
        }
        writes.iter_mut().for_each(|write| write.moved_from = Some(from.clone()));
    }
}

struct Reader<'r> {
    tool: ToolWords,
    call: &'r ToolCall,
    options: &'r Options<'r>,
    said: &'r mut Said,
    /// How deep in JSON inside of texts.
    nested: u8,
    /// What leaves its place.
    moved: Option<Operand>,
}

impl Reader<'_> {
    /// `top`: the parameters themselves, whose names the server chose.
    fn members(&mut self, members: &Object, in_file: bool, top: bool) {
        let lower = |name: &String| name.to_ascii_lowercase();
        let names_file = in_file
            || members.iter().any(|(name, value)| {
                FILES.contains(&lower(name).as_str()) && matches!(value, Value::String(_))
            });
        let language = members
            .iter()
            .find(|(name, _)| LANGUAGES.contains(&lower(name).as_str()))
            .and_then(|(_, value)| texts::language(value.as_str()?));
        let joined = self.joined(members);
        // A path beside its content is written.
        let stored = names_file
            && self.tool.stores
            && members.keys().any(|name| CONTENT.contains(&lower(name).as_str()));
        let changes = self.tool.changes;
        self.tool.changes |= stored && !self.tool.reads;
        for (name, value) in members {
            let key = lower(name);
            if !top {
                // A map of files has their paths for names.
                self.place(name, &key, true);
            }
            if let (Some(language), Value::String(text)) = (language, value)
                && (CONTENT.contains(&key.as_str()) || key == "script")
                && (!names_file || self.tool.runs)
            {
                self.code(language, text);
            } else if !(joined && (COMMANDS.contains(&key.as_str()) || WORDS.contains(&key.as_str()))) {
                self.value(&key, value, names_file);
            }
        }
        self.tool.changes = changes;
    }

    fn value(&mut self, key: &str, value: &Value, in_file: bool) {
        match value {
            Value::String(text) => self.text(key, text, in_file),
            Value::Array(items) => {
                let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
                match words.and_then(|words| texts::words(&words, COMMANDS.contains(&key))) {
                    Some(line) => self.command(&line),
                    None => items.iter().for_each(|item| self.value(key, item, in_file)),
                }
            }
            Value::Object(members) => self.members(members, in_file, false),
            _ => {}
        }
    }

    /// A program's name beside the words for it: one command line.
    fn joined(&mut self, members: &Object) -> bool {
        let of = |names: &[&str]| {
            members.iter().find(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()))
        };
        let (program, words) = (of(COMMANDS), of(WORDS));
        let line = match (program, words) {
            (Some((_, Value::String(program))), Some((_, words))) => texts::joined(program, words),
            _ => None,
        };
        let named = line.is_some();
        // Words alone are for the program that the server is called by; a program's name beside a list with an option
        // or a path is one, whatever they are called.
        let of_server =
            || texts::joined(self.tool.program.as_deref()?, words.filter(|_| program.is_none())?.1);
        if let Some(line) = line.or_else(of_server).or_else(|| texts::split(members.values())) {
            self.command(&line);
        }
        named
    }

    fn text(&mut self, key: &str, text: &str, in_file: bool) {
        let role = self.role(key, in_file);
        let plain = text.trim();
        if plain.is_empty() || role == Role::Content {
            return;
        }
        if plain.starts_with(['{', '['])
            && let Ok(inner @ (Value::Object(_) | Value::Array(_))) = Value::parse(plain)
        {
            return self.inner(key, &inner, in_file);
        }
        if self.place(plain, key, false) || self.list(plain, key) {
            return;
        }
        if tools::is_patch(plain) {
            return tools::patched(plain, self.said);
        }
        if role == Role::Prose && self.tool.tells_people {
            return;
        }
        // A cell of a notebook that a shell runs.
        if let Some(script) = ["%%bash", "%%sh", "!"].iter().find_map(|mark| plain.strip_prefix(mark))
            && self.tool.runs
        {
            return self.command(script);
        }
        if sql::is_sql(plain, role) {
            return self.code("sql", plain);
        }
        if let Some(statement) = sql::carried(plain).filter(|_| role == Role::Plain) {
            return self.code("sql", statement);
        }
        // A command line that is searched for runs nowhere.
        let is_sought = self.tool.searches && !self.tool.runs && SOUGHT.contains(&key);
        match texts::look(plain, role, self.tool.runs) {
            Some(texts::Look::Command) if is_sought => {}
            Some(texts::Look::Command) => {
                // The server of a program may take its words alone: `reset --hard` for git.
                if let Some(program) = self.tool.takes_words.as_deref().filter(|own| !plain.starts_with(*own))
                {
                    self.command(&format!("{program} {plain}"));
                }
                self.command(plain);
            }
            Some(texts::Look::Code(language)) => self.code(language, plain),
            None => {}
        }
    }

    /// JSON inside of a text.
    fn inner(&mut self, key: &str, inner: &Value, in_file: bool) {
        if self.nested < NESTED {
            self.nested += 1;
            self.value(key, inner, in_file);
            self.nested -= 1;
            return;
        }
        self.said.intent.unknown.push(Unknown {
            code: "args.unchecked".to_owned(),
            reason: "JSON inside of JSON, deeper than is followed".to_owned(),
            span: Span::default(),
        });
    }

    fn role(&self, key: &str, in_file: bool) -> Role {
        if COMMANDS.contains(&key) {
            Role::Command
        } else if in_file && CONTENT.contains(&key) && self.tool.stores && !self.tool.runs {
            Role::Content
        } else if PROSE.contains(&key) || self.tool.searches && SOUGHT.contains(&key) {
            Role::Prose
        } else {
            Role::Plain
        }
    }

    /// A list of places in one text, separated by commas or line ends.
    fn list(&mut self, text: &str, key: &str) -> bool {
        let parts: Vec<&str> =
            text.split([',', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect();
        let single = |part: &&str| !part.contains(char::is_whitespace);
        if parts.len() < 2 || parts.len() > 256 || !parts.iter().all(single) {
            return false;
        }
        // Every one of them is looked at, not only up to the first that is a place.
        let found = parts.iter().filter(|part| self.place(part, key, false)).count();
        found > 0
    }

    /// A text that is a path, a URL or a host. `by_look`: its place among the arguments says nothing about it.
    fn place(&mut self, text: &str, key: &str, by_look: bool) -> bool {
        let key = if by_look { "" } else { key };
        let Some(place) = places::look(text, key, &self.tool, self.call, self.options) else { return false };
        match place {
            Place::Url(url) => self.said.intent.hosts.push(tools::url_intent(&url)),
            Place::Server(host) => self.run(Intent { hosts: vec![host], ..Intent::default() }),
            Place::Path(path) => {
                if let Some(path) = tools::operand(&path, self.writes(key), self.said) {
                    self.use_path(key, path);
                }
            }
            Place::Pattern(pattern) => {
                if let Some(path) = tools::pattern(&pattern, self.said) {
                    self.use_path(key, path);
                }
            }
        }
        true
    }

    /// Whether a path under this name is written.
    fn writes(&self, key: &str) -> bool {
        let made = self.tool.gives_out && (FILES.contains(&key) || key == "target");
        self.tool.changes || !self.tool.reads && (made || RESULTS.contains(&key))
    }

    fn use_path(&mut self, key: &str, path: Operand) {
        let is_written = self.writes(key);
        let intent = &mut self.said.intent;
        if self.tool.moves && MOVED.contains(&key) && self.moved.is_none() {
            self.moved = Some(path);
        } else if self.tool.deletes {
            let mut delete = tools::plain_delete(path);
            delete.recursive = self.tool.recursive;
            intent.deletes.push(delete);
        } else if is_written {
            intent.writes.push(tools::plain_write(path, doorward_core::intent::WriteMode::Create));
        } else {
            intent.reads.push(tools::plain_read(path, false));
        }
    }

    fn command(&mut self, line: &str) {
        self.run(doorward_shell::analyze(line, self.options));
    }

    fn code(&mut self, language: &str, text: &str) {
        let mut intent = doorward_shell::analyze_code(language, text, self.options);
        // A call of a server is MEDIUM anyway; that nothing dangerous was found in the code adds nothing.
        intent.findings.retain(|finding| finding.code != "code.snippet");
        self.said.runs.push((intent, Run::Code));
    }

    fn run(&mut self, intent: Intent) {
        self.said.runs.push((intent, Run::Command));
    }
}

/// What the texts run, resolved as the same thing is for a shell command.
pub(crate) fn take_runs<'g, 'a>(
    resolved: &mut Resolve<'g, 'a>,
    spoken: &'g CallContext<'a>,
    options: &Options<'_>,
    runs: Vec<(Intent, Run)>,
) {
    let before = (resolved.ground, resolved.manner);
    (resolved.ground, resolved.manner) = (spoken, CallKind::Command);
    for (intent, run) in runs {
        let known = resolved.tally.findings.len();
        let own = written(&intent, &spoken.call.cwd, spoken.session);
        let mut follow = Follow::new(spoken, options, resolved.hosts, own);
        follow.follow(&intent, &mut resolved.tally);
        let Follow { judged, found, .. } = follow;
        resolved.take(intent);
        resolved.take(found);
        resolved.effects.judged_files.extend(judged);
        // A command that only reads outside is covered by a rule for it; code and queries are no such command.
        let outside = resolved.tally.findings.iter_mut().skip(known);
        outside
            .filter(|finding| run == Run::Code && finding.code == "shell.read_outside")
            .for_each(|finding| finding.blocking = true);
    }
    (resolved.ground, resolved.manner) = before;
}

/// Whether a text reads as a command line or as code, or hides what it is.
pub(crate) fn reads_as_code(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_whitespace) || texts::look(text, Role::Plain, false).is_some()
}

/// Keeps an allow rule for the tool from covering what its arguments name: a rule that names a tool is no yes to places
/// outside the roots, to hosts that are refused, or to a destruction.
pub(crate) fn hold(tally: &mut Tally) {
    let counts = |finding: &Finding| {
        matches!(finding.risk, Some(SecurityRisk::High | SecurityRisk::Unknown))
            || finding.code == "path.outside"
    };
    tally.findings.iter_mut().filter(|finding| counts(finding)).for_each(|finding| finding.blocking = true);
}

/// A host without a URL that a fetch tool would take: judged like one that a program contacts.
fn server(host: &str, port: Option<u16>, scheme: &str, url: Option<String>) -> HostIntent {
    let mut intent = tools::url_intent("");
    host.clone_into(&mut intent.host);
    scheme.clone_into(&mut intent.scheme);
    intent.port = port;
    intent.url = url;
    intent
}
