//! Self-protection: what no call may do to Doorward itself, in any permission mode and through any tool.
//!
//! Writes and deletes of Doorward's own files are judged with all other paths ([`doorward_paths::protected`]). This is
//! the rest of the floor: reading its key, token and records; running the commands of its own program that change
//! what it protects; reaching its sockets and port; stopping its processes; and starting a coding agent with the hooks
//! switched off. Judged over effects and simple commands, so that a file tool, a shell command and code that was read
//! get the same answer.

use doorward_core::call::ToolCall;
use doorward_core::effect::Effects;
use doorward_core::finding::Finding;
use doorward_core::intent::{Code, SimpleCommand, Span};
use doorward_core::tool::AgentSwitches;
use doorward_paths::{OwnFiles, glob, lexical};

mod leaves;
mod ports;
mod signals;
mod trees;

/// What belongs to Doorward on this machine.
#[derive(Debug, Clone, Default)]
pub struct OwnParts {
    /// Folders that nobody but Doorward reads: key, token, database, ledger, sockets. Absolute paths.
    pub state: Vec<String>,
    /// The programs: Doorward's own, and those that hook entries name. Absolute paths.
    pub programs: Vec<String>,
    /// Loopback ports of the service and of its proxy.
    pub ports: Vec<u16>,
    /// Process ids of the service.
    pub processes: Vec<u32>,
    /// Coding agents, and what would start them without our hooks.
    pub agents: Vec<AgentSwitches>,
}

/// Names of Doorward's programs.
const PROGRAMS: &[&str] = &["doorward", "doorward-thin"];
/// Names of the service's sockets, wherever they are reached from.
const SOCKETS: &[&str] = &["doorward.sock", "egress.sock"];
/// Subcommands that judge or show, and change nothing. Everything else of `doorward` is a person's.
const SHOWING: &[&str] = &[
    "check",
    "completions",
    "doctor",
    "eval",
    "explain",
    "fetch",
    "help",
    "net",
    "policy",
    "run",
    "sandbox",
    "scan",
    "status",
];
/// Subcommands of which only these second words change nothing.
const SHOWING_WITH: &[(&str, &[&str])] = &[
    ("approvals", &["list", "show", "rules", "stops"]),
    ("audit", &["receipt", "show", "tail", "verify"]),
    ("config", &["check", "explain", "path", "schema"]),
    ("experiences", &["detect", "export", "list", "show", "versions"]),
    ("guardian", &["score"]),
    ("knowledge", &["check", "show"]),
    ("mcp", &["pins", "scan"]),
    ("rules", &["list"]),
];
/// Programs that only tell of a name, and need not be kept from naming the state folder.
const NAMING: &[&str] =
    &["[", "basename", "dirname", "du", "echo", "ls", "printf", "readlink", "realpath", "stat", "test"];
/// Programs that only tell of a program, and neither start nor copy it.
const TELLING: &[&str] = &[
    "[",
    "basename",
    "command",
    "dirname",
    "du",
    "echo",
    "file",
    "ls",
    "md5sum",
    "printf",
    "readlink",
    "realpath",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "size",
    "stat",
    "test",
    "type",
    "which",
];
/// Programs that are handed texts, which may speak of a port without reaching it.
const TEXTUAL: &[&str] = &["git", "jq", "perl", "sed", "tee", "yq"];
/// Programs to which a bare number is a port.
const TALKING: &[&str] =
    &["bore", "cloudflared", "lt", "masscan", "nc", "ncat", "netcat", "ngrok", "nmap", "socat", "telnet"];
/// Subcommands that have subcommands of their own, so that `--help` may follow the second word.
const NESTED: &[&str] = &[
    "approvals",
    "audit",
    "config",
    "experiences",
    "guardian",
    "knowledge",
    "mcp",
    "net",
    "policy",
    "sandbox",
];
/// Files and folders of the state directory, for patterns that could match them.
pub const STATE_NAMES: &[&str] =
    &["doorward.db", "doorward.sock", "egress.sock", "ledger", "ledger/key", "token"];
/// What code says when it talks to a host.
const NETWORK_WORDS: &[&str] = &[
    "connect",
    "fetch",
    "http",
    "net.",
    "request",
    "socket",
    "sockopen",
    "tcp",
    "urlopen",
    "websocket",
    "ws:",
];

/// What the floor stands on: the call, and what belongs to Doorward.
#[derive(Clone, Copy)]
pub(crate) struct OwnGround<'a> {
    pub(crate) own: &'a OwnParts,
    /// Files and folders by their places: state, settings, programs, and the settings of clients.
    pub(crate) files: &'a OwnFiles,
    pub(crate) home: Option<&'a str>,
    pub(crate) call: &'a ToolCall,
    pub(crate) said: Said<'a>,
}

/// The finding that denies a call, if it reaches for Doorward itself.
pub(crate) fn floor(ground: OwnGround<'_>, effects: &Effects, walks: &[Walk]) -> Option<Finding> {
    let looks = Looks::on(ground);
    looks
        .reads(effects)
        .or_else(|| looks.walks(walks))
        .or_else(|| looks.patterns(effects))
        .or_else(|| looks.kernel_files(effects))
        .or_else(|| looks.hosts(effects))
        .or_else(|| effects.executes.iter().find_map(|command| looks.command(command)))
        .or_else(|| looks.handles_program(effects))
        .or_else(|| looks.found_and_stopped(effects))
        .or_else(|| match ground.said {
            Said::Code(code) => looks.text(code),
            Said::Arguments(texts) => {
                texts.iter().find_map(|text| looks.argument(text)).or_else(|| looks.leaves(effects, texts))
            }
            Said::Command(_) | Said::Nothing => None,
        })
}

/// What is asked about, since Doorward's own folders lie somewhere in a tree that a call takes as a whole: from the
/// home folder upwards.
pub(crate) fn questions(ground: OwnGround<'_>, effects: &Effects, walks: &[Walk]) -> Vec<Finding> {
    let looks = Looks::on(ground);
    let opened = effects.executes.iter().filter_map(|command| looks.opens_tree(command));
    let ports = effects.executes.iter().filter_map(|command| looks.may_name_port(command));
    looks.trees(walks).into_iter().chain(opened).chain(ports).collect()
}

/// The text of the call, where it is one that runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Said<'a> {
    /// A shell command.
    Command(&'a str),
    /// Code of an interpreter.
    Code(&'a str),
    /// Texts in the arguments of a tool whose doings nobody knows.
    Arguments(&'a [&'a str]),
    /// Arguments of another tool.
    Nothing,
}

/// A folder that is read with what is below it.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) path: String,
    /// Names that begin with a dot are left out.
    pub(crate) visible: bool,
    pub(crate) span: Span,
}

/// The folder that a search tool reads with everything below it: one with a pattern and a path, unless a filter leaves
/// out every name that the state has.
pub(crate) fn searched(call: &ToolCall, effects: &Effects) -> Option<Walk> {
    call.arg("pattern").and(call.arg("path"))?;
    let filter =
        ["glob", "include", "include_pattern", "includePattern"].iter().find_map(|name| call.arg(name));
    let fits = |filter: &str| {
        let name = filter.rsplit('/').next().unwrap_or(filter);
        filter.contains(['{', '!', ',']) || STATE_NAMES.iter().any(|own| glob::matches_component(name, own))
    };
    if filter.is_some_and(|filter| !fits(filter)) {
        return None;
    }
    let read = effects.reads.iter().find(|read| !read.metadata)?;
    Some(Walk { path: read.path.clone(), visible: false, span: read.span })
}

struct Looks<'a> {
    own: &'a OwnParts,
    files: &'a OwnFiles,
    home: Option<&'a str>,
    call: &'a ToolCall,
    cwd: &'a str,
    said: Said<'a>,
}

impl<'a> Looks<'a> {
    fn on(ground: OwnGround<'a>) -> Self {
        let OwnGround { own, files, home, call, said } = ground;
        Self { own, files, home, call, cwd: &call.cwd, said }
    }

    fn reads(&self, effects: &Effects) -> Option<Finding> {
        let read = effects.reads.iter().find(|read| !read.metadata && self.is_state(&read.path))?;
        Some(state(&read.path).at(read.span))
    }

    /// A pattern over folders that matches the state, what is in it, or a folder that holds it.
    fn patterns(&self, effects: &Effects) -> Option<Finding> {
        let reads = effects.reads.iter().filter(|read| !read.metadata).map(|read| (&read.path, read.span));
        let writes = effects.writes.iter().map(|write| (&write.path, write.span));
        let deletes = effects.deletes.iter().map(|delete| (&delete.path, delete.span));
        let (pattern, span) = reads.chain(writes).chain(deletes).find(|(path, _)| {
            path.contains("**") && self.own.state.iter().any(|place| reaches_state(path, place))
        })?;
        Some(state(pattern).at(span))
    }

    fn hosts(&self, effects: &Effects) -> Option<Finding> {
        let own = |port: Option<u16>| port.is_some_and(|port| self.own.ports.contains(&port));
        // Whatever its name says: `127.1`, `0` and names of other zones lead to this machine as well.
        let host = effects.hosts.iter().find(|host| own(host.port))?;
        let port = host.port.unwrap_or_default();
        Some(socket(&format!("port {port} of this machine")).at(host.span))
    }

    fn command(&self, command: &SimpleCommand) -> Option<Finding> {
        self.own_program(command)
            .or_else(|| self.names_state(command))
            .or_else(|| self.names_port(command))
            .or_else(|| self.fits_port(command))
            .or_else(|| self.opens_state(command))
            .or_else(|| self.pulls(command))
            .or_else(|| self.signals(command))
            .or_else(|| self.agent(command))
            .map(|finding| finding.at(command.span))
    }

    fn is_ours(&self, command: &SimpleCommand) -> bool {
        let by_path = |first: &String| first.contains('/') && self.is_program(first);
        PROGRAMS.contains(&command.program.as_str()) || command.words.first().is_some_and(by_path)
    }

    fn is_program(&self, word: &str) -> bool {
        self.own.programs.contains(&self.resolved(word))
    }

    /// Our own program among the words or in the code of another one, which could start it, copy it or link to it.
    /// Where a wrapper was followed to the command that it runs, that command was judged.
    fn handles_program(&self, effects: &Effects) -> Option<Finding> {
        let followed = |wrapper: &SimpleCommand| {
            let within = |inner: &&SimpleCommand| {
                wrapper.span.start <= inner.span.start && inner.span.end <= wrapper.span.end
            };
            effects.executes.iter().filter(within).any(|inner| self.is_ours(inner))
        };
        let handles = |word: &String| {
            let value = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
            (word.contains('/') && self.is_program(word)) || (value.contains('/') && self.is_program(value))
        };
        let spells = |word: &String| {
            let home = |program: &String| Some(below(program, self.home?)?.to_owned());
            self.own
                .programs
                .iter()
                .any(|own| word.contains(own.as_str()) || home(own).is_some_and(|own| word.contains(&own)))
        };
        let command = effects.executes.iter().find(|command| {
            let in_code = matches!(command.code, Code::Language(_));
            let mut words = command.words.iter().skip(1);
            let named = words.any(|word| handles(word) || in_code && spells(word));
            named && !TELLING.contains(&command.program.as_str()) && !followed(command)
        })?;
        let message = format!("hands Doorward's own program to `{}`", command.program);
        Some(Finding::new("own.command", message).at(command.span))
    }

    /// `doorward SUBCOMMAND`, unless the subcommand only judges or shows.
    fn own_program(&self, command: &SimpleCommand) -> Option<Finding> {
        if !self.is_ours(command) {
            return None;
        }
        let mut words = command.words.iter().skip(1).map(String::as_str);
        let Some(name) = words.by_ref().find(|word| !word.starts_with('-')) else {
            let asks = |word: &str| matches!(word, "--help" | "-h" | "--version" | "-V");
            let only_help = command.words.iter().skip(1).all(|word| asks(word));
            return (!only_help).then(|| own_command("without a subcommand"));
        };
        let second = words.find(|word| !word.starts_with('-')).unwrap_or("list");
        // A page may be written to any place, past the judgement of what the command writes.
        let writes = name == "eval" && command.words.iter().any(|word| word.starts_with("--html"));
        let shows = !writes && SHOWING.contains(&name)
            || SHOWING_WITH.iter().any(|(own, seconds)| *own == name && seconds.contains(&second));
        // Behind a subcommand's operands, `--help` can belong to the program that it starts.
        let subcommands = if NESTED.contains(&name) { 3 } else { 2 };
        let asks = |word: &String| word == "--help" || word == "-h";
        let asks_help = command.words.iter().skip(1).take(subcommands).any(asks);
        (!shows && !asks_help).then(|| own_command(name))
    }

    /// A word that names the state folder or a socket of the service.
    fn names_state(&self, command: &SimpleCommand) -> Option<Finding> {
        if NAMING.contains(&command.program.as_str()) {
            return None;
        }
        let carries_code = command.code != Code::None;
        for word in command.words.iter().skip(1) {
            let value = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
            let named = value.trim_start_matches('@');
            let value = (value.len() < word.len()).then_some(value);
            let named = (named.len() < value.map_or(word.len(), str::len)).then_some(named);
            for text in [Some(word.as_str()), value, named].into_iter().flatten() {
                let place = self.resolved(text);
                if self.is_state(&place) {
                    return Some(state(&place));
                }
                let name = text.rsplit(['/', ':', ',']).next().unwrap_or(text);
                if !command.read_only && SOCKETS.contains(&name) {
                    return Some(socket(name));
                }
            }
            if carries_code && let Some(found) = self.text(word) {
                return Some(found);
            }
        }
        None
    }

    /// A word that names our port as that of a host, however the host is spelled: a name can lead to this machine.
    fn names_port(&self, command: &SimpleCommand) -> Option<Finding> {
        let program = command.program.as_str();
        if NAMING.contains(&program) || TEXTUAL.contains(&program) || command.read_only {
            return None;
        }
        let starts = |digits: &str, port: u16| {
            let number: String = digits.chars().take_while(char::is_ascii_digit).collect();
            number.parse() == Ok(port)
        };
        let mut words = command.words.iter().skip(1);
        let port = |word: &String| {
            let names = |port: &&u16| {
                word.split(':').skip(1).any(|rest| starts(rest, **port)) || word.parse() == Ok(**port)
            };
            self.own.ports.iter().find(names).copied()
        };
        let number_means_port = TALKING.contains(&program);
        let named = words.find_map(|word| port(word).filter(|_| number_means_port || word.contains(':')))?;
        Some(socket(&format!("port {named}")))
    }

    /// A coding agent started so that our hooks don't run.
    fn agent(&self, command: &SimpleCommand) -> Option<Finding> {
        let agent = self.own.agents.iter().find(|agent| agent.program == command.program)?;
        let mut words = command.words.iter().skip(1).peekable();
        while let Some(word) = words.next() {
            let (name, value) =
                word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            if agent.words.contains(&name) {
                return Some(unguarded(agent.program, name));
            }
            let next = value.or_else(|| words.peek().map(|word| word.as_str())).unwrap_or_default();
            let switches_off = |part: &str| next.contains(part) && !agent.harmless.contains(&next);
            if agent.pairs.iter().any(|(own, part)| *own == name && switches_off(part)) {
                return Some(unguarded(agent.program, word));
            }
        }
        if let Some(setting) = sets_hooks(command) {
            return Some(unguarded(agent.program, setting));
        }
        // In front of the command, exported before it or through `env`: wherever the text gives it a value.
        let Said::Command(text) = self.said else { return None };
        let moved = agent.variables.iter().find(|variable| {
            text.match_indices(&format!("{variable}=")).any(|(at, _)| {
                text.get(..at).and_then(|before| before.chars().next_back()).is_none_or(|ch| !is_name(ch))
            })
        })?;
        Some(unguarded(agent.program, moved))
    }

    /// Code, or a text that carries code: literals that name our state, sockets, port or processes.
    fn text(&self, text: &str) -> Option<Finding> {
        self.names(text).or_else(|| self.does(text))
    }

    /// Literals that name our state or sockets.
    fn names(&self, text: &str) -> Option<Finding> {
        if let Some(place) = self.own.state.iter().find(|place| text.contains(place.as_str())) {
            return Some(state(place));
        }
        let mut patterns = text
            .split(|ch: char| ch.is_whitespace() || "\"'`(),;".contains(ch))
            .filter(|piece| piece.contains('*') && piece.starts_with(['~', '/']));
        let fits = |piece: &&str| {
            let pattern = self.resolved(piece);
            let held = |place: &String, name: &str| glob::matches_path(&pattern, &format!("{place}/{name}"));
            self.own.state.iter().any(|place| STATE_NAMES.iter().any(|name| held(place, name)))
        };
        if let Some(pattern) = patterns.find(fits) {
            return Some(state(pattern));
        }
        let below_home = self.own.state.iter().filter_map(|place| place.strip_prefix(self.home?));
        if let Some(place) =
            below_home.map(|rest| rest.trim_start_matches('/')).find(|rest| text.contains(rest))
        {
            return Some(state(&format!("~/{place}")));
        }
        // Joined from pieces: `".local", "state", "doorward"`.
        let bare = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
        let (whole, mut below_home) =
            (bare(text), self.own.state.iter().filter_map(|place| below(place, self.home?)));
        if let Some(rest) = below_home.find(|rest| whole.contains(&bare(rest))) {
            return Some(state(&format!("~/{rest}")));
        }
        SOCKETS.iter().find(|name| text.contains(**name)).map(|name| socket(name))
    }

    /// Code that would stop our processes or talk to our port.
    fn does(&self, text: &str) -> Option<Finding> {
        let stops = text.contains("kill") || text.contains("signal") || text.contains("terminate");
        let mut numbers = text.split(|ch: char| !ch.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let ours = |digits: &str| digits.parse().is_ok_and(|pid| self.own.processes.contains(&pid));
        let everybody = text.contains("kill(")
            && ["kill(-1", "process_iter", "\"/proc\"", "'/proc'", "/proc/*", "/proc/["]
                .iter()
                .any(|part| text.contains(part));
        let of_process = |pid: &u32| text.contains(&format!("/proc/{pid}/"));
        if everybody
            || self.own.processes.iter().any(of_process)
            || (stops && (text.contains("doorward") || numbers.any(ours)))
        {
            return Some(process("from code"));
        }
        // Whatever host it names: many spellings lead to this machine.
        let lower = text.to_ascii_lowercase();
        let local = NETWORK_WORDS.iter().any(|word| lower.contains(word));
        let mut numbers = text.split(|ch: char| !ch.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let port = |digits: &str| digits.parse().is_ok_and(|port| self.own.ports.contains(&port));
        (local && numbers.any(port)).then(|| socket("its port on this machine"))
    }

    fn is_state(&self, path: &str) -> bool {
        self.own.state.iter().any(|place| {
            path.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// A word as an absolute path.
    fn resolved(&self, word: &str) -> String {
        match (word.strip_prefix("~/"), self.home) {
            (Some(rest), Some(home)) => lexical::join(home, rest),
            _ => lexical::join(self.cwd, word),
        }
    }
}

/// A setting that decides whether hooks run, where an agent's own command changes it.
fn sets_hooks(command: &SimpleCommand) -> Option<&str> {
    const SHOWS: &[&str] = &["get", "list", "ls", "show"];
    let mut words = command.words.iter().skip(1).map(String::as_str).filter(|word| !word.starts_with('-'));
    let of_settings = words.next().is_some_and(|first| matches!(first, "config" | "settings" | "hooks"));
    let changes = words.next().is_some_and(|verb| !SHOWS.contains(&verb));
    let steers =
        |word: &&str| word.starts_with("hooks") || word.to_ascii_lowercase().contains("disableallhooks");
    let on = command.words.last().is_some_and(|last| last == "false");
    command.words.iter().skip(1).map(String::as_str).find(steers).filter(|_| of_settings && changes && !on)
}

const fn is_name(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || ch == '_'
}

/// What lies between a folder and a place in it; none where the place isn't in it.
fn below<'a>(place: &'a str, folder: &str) -> Option<&'a str> {
    place.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/')
}

/// Whether a pattern with `**` matches the state directory, a folder that holds it, or what it is known to hold. What
/// it would match in any folder whatever counts only where it is one of these names.
fn reaches_state(pattern: &str, place: &str) -> bool {
    let held = STATE_NAMES.iter().any(|name| glob::matches_path(pattern, &format!("{place}/{name}")));
    held || glob::matches_path_or_above(pattern, place)
}

fn state(place: &str) -> Finding {
    let message = format!("reads or uses Doorward's own state ({place}): its key, token and records");
    Finding::new("own.state", message)
        .suggest("use `doorward status` or `doorward audit` for what may be seen")
}

fn socket(what: &str) -> Finding {
    Finding::new("own.socket", format!("talks to Doorward's service past its programs ({what})"))
}

fn process(how: &str) -> Finding {
    Finding::new("own.process", format!("stops or takes over Doorward's service ({how})"))
        .suggest("a person ends it with `doorward stop service`")
}

fn own_command(name: &str) -> Finding {
    let what = match name {
        "logs" | "sessions" => "shows what Doorward keeps for people",
        _ => "changes what Doorward protects",
    };
    Finding::new("own.command", format!("runs `doorward {name}`, which {what}"))
        .suggest("a person runs it in a terminal of their own")
}

fn unguarded(program: &str, by: &str) -> Finding {
    Finding::new("own.agent", format!("starts {program} without Doorward's hooks (`{by}`)"))
}
