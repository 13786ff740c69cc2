//! Parses shorthand rules, with a suggestion for invalid ones.

use doorward_core::json::Value;
use doorward_core::tool::{CANONICAL, CanonicalTool, ToolClass, ToolName};
use doorward_hooks::clients::aliases;
use doorward_settings::nearest;

use super::command::WordRule;
use super::glob::PathRule;
use super::host::HostRule;
use super::{List, RuleSource, Subject};

/// Why a rule is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RefusedRule {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl RefusedRule {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a name before the parenthesis means. Doorward's names come first, then the clients' tool names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Shell,
    Read,
    Edit,
    Delete,
    Net,
    Mcp,
    Call,
}

const FORMS: &[(&str, Form)] = &[
    ("shell", Form::Shell),
    ("Bash", Form::Shell),
    ("Shell", Form::Shell),
    ("PowerShell", Form::Shell),
    ("shell:execute", Form::Shell),
    ("Read", Form::Read),
    ("read", Form::Read),
    ("fs:read", Form::Read),
    ("Edit", Form::Edit),
    ("edit", Form::Edit),
    ("Write", Form::Edit),
    ("fs:write", Form::Edit),
    ("Delete", Form::Delete),
    ("delete", Form::Delete),
    ("fs:delete", Form::Delete),
    ("net", Form::Net),
    ("WebFetch", Form::Net),
    ("net:fetch", Form::Net),
    ("mcp", Form::Mcp),
    ("call", Form::Call),
];

pub(crate) fn rule(source: &RuleSource) -> Result<Subject, RefusedRule> {
    let text = source.text.trim();
    if text.is_empty() {
        return Err(RefusedRule::new("an empty rule"));
    }
    match text.split_once('(') {
        None => bare(text),
        Some((name, rest)) => {
            let inside = rest
                .strip_suffix(')')
                .ok_or_else(|| RefusedRule::new("the parenthesis isn't closed").help(format!("{text})")))?;
            specified(name.trim(), inside, source.list)
        }
    }
}

fn form(name: &str) -> Option<Form> {
    let own = FORMS.iter().find(|(own, _)| *own == name).map(|(_, form)| *form);
    own.or_else(|| {
        Some(match alias(name)? {
            CanonicalTool::Shell => Form::Shell,
            CanonicalTool::Read => Form::Read,
            CanonicalTool::Write => Form::Edit,
            CanonicalTool::Delete => Form::Delete,
            CanonicalTool::Fetch => Form::Net,
            _ => return None,
        })
    })
}

/// The canonical tool that clients call by this name, if they agree.
fn alias(name: &str) -> Option<CanonicalTool> {
    let mut found = aliases().map(|(_, row)| row).filter(|row| row.name == name);
    let first = found.next()?.canonical;
    if found.all(|row| row.canonical == first) { CanonicalTool::from_name(first) } else { None }
}

fn unknown(name: &str) -> RefusedRule {
    let refused = RefusedRule::new(format!("no tool is called `{name}`"));
    let known = FORMS
        .iter()
        .map(|(name, _)| *name)
        .chain(CANONICAL.iter().map(|(name, _)| *name))
        .chain(aliases().map(|(_, row)| row.name));
    match nearest(name, known) {
        Some(near) => refused.help(format!("did you mean `{near}`?")),
        None => refused.help(
            "rules are shell(…), Read(…), Edit(…), Delete(…), net(…), mcp(server/tool), or a tool's name",
        ),
    }
}

fn bare(name: &str) -> Result<Subject, RefusedRule> {
    if let Some(rest) = name.strip_prefix("mcp__") {
        return joined(rest, name);
    }
    if let Some(tool) = CanonicalTool::from_name(name) {
        return Ok(Subject::Tool(tool));
    }
    match form(name) {
        Some(Form::Shell) => return Ok(Subject::Tool(CanonicalTool::Shell)),
        Some(Form::Read) => return Ok(Subject::Tool(CanonicalTool::Read)),
        Some(Form::Delete) => return Ok(Subject::Tool(CanonicalTool::Delete)),
        Some(Form::Edit) => return Ok(Subject::Class(ToolClass::Edit)),
        Some(Form::Net) => return Ok(Subject::Tool(CanonicalTool::Fetch)),
        Some(Form::Mcp) => return Ok(Subject::Class(ToolClass::Mcp)),
        Some(Form::Call) => {
            return Err(RefusedRule::new("`call` names a tool and its arguments")
                .help("call(mcp:db/query {\"sql\": \"SELECT 1\"})"));
        }
        None => {}
    }
    if let Some(tool) = alias(name) {
        return Ok(Subject::Tool(tool));
    }
    // A custom tool may have any name with a colon; another name is a mistake.
    match ToolName::new(name) {
        Ok(own) => match own.mcp_parts() {
            Some((server, tool)) => server_tool(server, tool),
            None if name.contains(':') && own.class().is_none() => Ok(Subject::Named(own)),
            None => Err(unknown(name)),
        },
        Err(_) => Err(unknown(name)),
    }
}

fn specified(name: &str, inside: &str, list: List) -> Result<Subject, RefusedRule> {
    let form = form(name).ok_or_else(|| unknown(name))?;
    let inside = inside.trim();
    if inside.is_empty() {
        return Err(RefusedRule::new(format!("`{name}()` says nothing"))
            .help(format!("{name} alone means every call")));
    }
    match form {
        Form::Shell => words(name, inside, list),
        Form::Read => Ok(Subject::Reads(path(inside)?)),
        Form::Edit => Ok(Subject::Edits(path(inside)?)),
        Form::Delete => Ok(Subject::Deletes(path(inside)?)),
        Form::Net => {
            let pattern = inside.strip_prefix("domain:").unwrap_or(inside).trim();
            if pattern == "*" {
                return match list {
                    List::Allow => Ok(Subject::Tool(CanonicalTool::Fetch)),
                    List::Ask | List::Deny => {
                        Err(RefusedRule::new("a bare `*` denies every host by accident")
                            .help(format!("{name} alone means every call")))
                    }
                };
            }
            let rule = HostRule::parse(pattern).ok_or_else(|| {
                RefusedRule::new(format!("`{pattern}` is no host"))
                    .help("example.com, *.example.com or **.example.com")
            })?;
            if list != List::Allow && rule.has_scheme() {
                let message = "only an allow rule names a scheme: a deny would miss the other";
                return Err(RefusedRule::new(message).help("name the host alone"));
            }
            Ok(Subject::Hosts(rule))
        }
        Form::Call => call(inside, list),
        Form::Mcp => {
            let (server, tool) = inside.split_once('/').ok_or_else(|| {
                let refused = RefusedRule::new("mcp(server/tool) or mcp(server/*)");
                if is_server(inside.trim()) {
                    return refused.help(format!("mcp({}/*)", inside.trim()));
                }
                every_server(refused, inside, "*")
            })?;
            server_tool(server.trim(), tool.trim())
        }
    }
}

/// `git diff *`, `git diff:*`, `*`, or exact words.
fn words(name: &str, inside: &str, list: List) -> Result<Subject, RefusedRule> {
    let (text, mut open) = match inside.strip_suffix(":*") {
        Some(text) => (text, true),
        None => (inside, false),
    };
    let marked = super::typed::mark(text);
    if list != List::Allow && marked != text {
        return Err(RefusedRule::new("only an allow rule has typed wildcards: a deny would miss spellings")
            .help("name the words up to where they differ, then ` *`"));
    }
    let mut words = super::command::split(&marked)
        .ok_or_else(|| RefusedRule::new("a rule names one simple command: no operators, no open quotes"))?;
    if words.last().is_some_and(|last| last == "*") {
        words.pop();
        open = true;
    }
    if let Some(word) = words.iter().find(|word| word.ends_with('*') && !word.starts_with('-')) {
        let stem = word.trim_end_matches('*');
        let fixed = inside.replacen(word.as_str(), &format!("{stem} *"), 1);
        return Err(RefusedRule::new(format!(
            "`{word}` without a blank would match {stem} and every longer name"
        ))
        .help(format!("{name}({fixed})")));
    }
    if words.iter().any(|word| word == "*") {
        return Err(RefusedRule::new("`*` is allowed only at the end, for further words")
            .help("name the words up to where they differ, then ` *`"));
    }
    if words.is_empty() && !open {
        return Err(RefusedRule::new("no words"));
    }
    if words.first().is_some_and(|program| super::typed::is_typed(program)) {
        return Err(RefusedRule::new("the program is named, not typed"));
    }
    Ok(Subject::Words(WordRule::new(words, open)))
}

/// `mcp:db/query {"sql": "SELECT name FROM users WHERE id = <int>"}`: one tool with exactly these arguments.
fn call(inside: &str, list: List) -> Result<Subject, RefusedRule> {
    let form = || {
        RefusedRule::new("a tool's name and its arguments").help("call(mcp:db/query {\"sql\": \"SELECT 1\"})")
    };
    if list != List::Allow {
        return Err(RefusedRule::new("only an allow rule names a whole call: a deny would miss spellings")
            .help("name the tool alone, or its paths, hosts or commands"));
    }
    let (tool, args) = inside.split_once(char::is_whitespace).ok_or_else(form)?;
    let tool = ToolName::new(tool).map_err(|_| unknown(tool))?;
    let args = Value::parse(args.trim())
        .map_err(|error| RefusedRule::new(format!("the arguments aren't a JSON object: {error}")))?;
    match args.map_strings(&mut |text| super::typed::mark(text)) {
        Value::Object(args) => Ok(Subject::Call { tool, args }),
        _ => Err(form()),
    }
}

fn path(text: &str) -> Result<PathRule, RefusedRule> {
    PathRule::parse(text).map_err(RefusedRule::new)
}

fn is_server(name: &str) -> bool {
    !name.is_empty() && ToolName::new(name).is_ok_and(|name| !name.as_str().contains('/'))
}

/// Adds a suggestion for authors who meant all servers.
fn every_server(refused: RefusedRule, server: &str, tool: &str) -> RefusedRule {
    match (server.trim(), tool.trim()) {
        ("*", "*" | "**") => refused.help("`mcp` alone is every tool of every server"),
        ("*", _) => refused.help("a rule names one server: write one for each"),
        _ => refused,
    }
}

fn server_tool(server: &str, tool: &str) -> Result<Subject, RefusedRule> {
    if !is_server(server) {
        let refused = RefusedRule::new(format!("`{server}` is no server's name"));
        return Err(every_server(refused, server, tool));
    }
    if tool == "*" {
        return Ok(Subject::Mcp { server: server.to_owned(), tool: None });
    }
    // Names of prompts and resources begin with their kind.
    if matches!(tool, "prompts/*" | "resources/*") {
        return Ok(Subject::Mcp { server: server.to_owned(), tool: Some(tool.to_owned()) });
    }
    let own = ToolName::new(&format!("mcp:{server}/{tool}"));
    if tool.is_empty() || tool.contains('*') || own.is_err() {
        return Err(RefusedRule::new(format!("`{tool}` is no tool's name")).help(format!("mcp({server}/*)")));
    }
    Ok(Subject::Mcp { server: server.to_owned(), tool: Some(tool.to_owned()) })
}

/// `mcp__server`, `mcp__server__*`, `mcp__server__tool`. An ambiguous name isn't split.
fn joined(rest: &str, whole: &str) -> Result<Subject, RefusedRule> {
    let parts: Vec<&str> = rest.split("__").collect();
    match parts.as_slice() {
        [server] => server_tool(server, "*"),
        [server, tool] => server_tool(server, tool),
        _ => {
            Err(RefusedRule::new(format!("`{whole}` can be cut in more than one place"))
                .help("mcp(server/tool)"))
        }
    }
}
