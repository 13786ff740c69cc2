//! Self-protection: what no call may do to Doorward itself, in any permission mode and through any tool.
//!
//! Writes and deletes of Doorward's own files are judged with all other paths ([`doorward_paths::protected`]). This is
//! the rest of the floor: reading its key, token and records; running the commands of its own program that change
//! what it protects; reaching its sockets and port; stopping its processes; and starting a coding agent with the hooks
//! switched off. Judged over effects and simple commands, so that a file tool, a shell command and code that was read
//! get the same answer.

use doorward_core::effect::{Effects, HostClass};
use doorward_core::finding::Finding;
use doorward_core::intent::{Code, SimpleCommand};
use doorward_core::tool::AgentSwitches;
use doorward_paths::lexical;
use regex_automata::meta::Regex;

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
    ("approvals", &["list", "show", "rules"]),
    ("audit", &["receipt", "show", "tail", "verify"]),
    ("config", &["check", "explain", "schema"]),
    ("experiences", &["detect", "export", "list", "show", "versions"]),
    ("guardian", &["score"]),
    ("mcp", &["scan"]),
];
/// Programs that only tell of a name, and need not be kept from naming the state folder.
const NAMING: &[&str] =
    &["[", "basename", "dirname", "du", "echo", "ls", "printf", "readlink", "realpath", "stat", "test"];
/// Programs that signal or stop processes by number.
const BY_NUMBER: &[&str] =
    &["criu", "gcore", "gdb", "kill", "lldb", "ltrace", "nsenter", "prlimit", "renice", "reptyr", "strace"];
/// Programs that signal processes by name or pattern.
const BY_NAME: &[&str] = &["killall", "killall5", "pkill", "skill", "snice"];
/// Programs that find the numbers of processes.
const FINDING: &[&str] = &["lsof", "pgrep", "pidof", "ps", "ss"];
/// Managers of services.
const MANAGERS: &[&str] = &["initctl", "rc-service", "service", "sv", "systemctl"];

/// The finding that denies a call, if it reaches for Doorward itself.
pub(crate) fn floor(
    own: &OwnParts,
    home: Option<&str>,
    cwd: &str,
    effects: &Effects,
    said: Said<'_>,
) -> Option<Finding> {
    let looks = Looks { own, home, cwd, said };
    looks
        .reads(effects)
        .or_else(|| looks.hosts(effects))
        .or_else(|| effects.executes.iter().find_map(|command| looks.command(command)))
        .or_else(|| looks.found_and_stopped(&effects.executes))
        .or_else(|| if let Said::Code(code) = said { looks.text(code) } else { None })
}

/// The text of the call, where it is one that runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Said<'a> {
    /// A shell command.
    Command(&'a str),
    /// Code of an interpreter.
    Code(&'a str),
    /// Arguments of another tool.
    Nothing,
}

struct Looks<'a> {
    own: &'a OwnParts,
    home: Option<&'a str>,
    cwd: &'a str,
    said: Said<'a>,
}

impl Looks<'_> {
    fn reads(&self, effects: &Effects) -> Option<Finding> {
        let read = effects.reads.iter().find(|read| !read.metadata && self.is_state(&read.path))?;
        Some(state(&read.path).at(read.span))
    }

    fn hosts(&self, effects: &Effects) -> Option<Finding> {
        let own = |port: Option<u16>| port.is_some_and(|port| self.own.ports.contains(&port));
        let host = effects.hosts.iter().find(|host| host.class == HostClass::Loopback && own(host.port))?;
        let port = host.port.unwrap_or_default();
        Some(socket(&format!("port {port} of this machine")).at(host.span))
    }

    fn command(&self, command: &SimpleCommand) -> Option<Finding> {
        self.own_program(command)
            .or_else(|| self.names_state(command))
            .or_else(|| self.signals(command))
            .or_else(|| self.agent(command))
            .map(|finding| finding.at(command.span))
    }

    /// `doorward SUBCOMMAND`, unless the subcommand only judges or shows.
    fn own_program(&self, command: &SimpleCommand) -> Option<Finding> {
        let first = command.words.first()?;
        let is_ours = PROGRAMS.contains(&command.program.as_str())
            || (first.contains('/') && self.own.programs.contains(&self.resolved(first)));
        if !is_ours {
            return None;
        }
        let mut words = command.words.iter().skip(1).map(String::as_str);
        let Some(name) = words.by_ref().find(|word| !word.starts_with('-')) else {
            let asks = |word: &str| matches!(word, "--help" | "-h" | "--version" | "-V");
            let only_help = command.words.iter().skip(1).all(|word| asks(word));
            return (!only_help).then(|| own_command("without a subcommand"));
        };
        let second = words.find(|word| !word.starts_with('-')).unwrap_or("list");
        let shows = SHOWING.contains(&name)
            || SHOWING_WITH.iter().any(|(own, seconds)| *own == name && seconds.contains(&second));
        let asks_help = command.words.iter().any(|word| word == "--help" || word == "-h");
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
            for text in [word.as_str(), value, value.trim_start_matches('@')] {
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

    /// A signal for a process of ours: by number, name, pattern, open file or manager.
    fn signals(&self, command: &SimpleCommand) -> Option<Finding> {
        let program = command.program.as_str();
        let words: Vec<&str> = command.words.iter().skip(1).map(String::as_str).collect();
        if BY_NUMBER.contains(&program) && self.signals_number(program, &words) {
            return Some(process("by its number"));
        }
        if BY_NAME.contains(&program) && signals_name(program, &words) {
            return Some(process("by its name"));
        }
        if program == "fuser" && words.iter().any(|word| word.starts_with('-') && word.contains('k')) {
            let port = |word: &str| word.split('/').next().and_then(|port| port.parse::<u16>().ok());
            let ours = |word: &&str| {
                port(word).is_some_and(|port| self.own.ports.contains(&port))
                    || self.own.programs.contains(&self.resolved(word))
            };
            return words.iter().any(ours).then(|| process("by a file or port that it holds"));
        }
        let managed = MANAGERS.contains(&program) && words.iter().any(|word| word.contains("doorward"));
        let changes = |word: &&str| !matches!(*word, "status" | "show" | "is-active" | "cat" | "list-units");
        let verb = words.iter().find(|word| !word.starts_with('-') && !word.contains("doorward"));
        (managed && verb.is_some_and(changes)).then(|| process("through its manager"))
    }

    fn signals_number(&self, program: &str, words: &[&str]) -> bool {
        let shows = words.iter().any(|word| matches!(*word, "-l" | "-L" | "--list" | "--table" | "-0"));
        if program == "kill" && shows {
            return false;
        }
        // The first word with a dash is a signal; a later one is a process group, and -1 is everybody.
        let everybody = program == "kill" && words.iter().skip(1).any(|word| *word == "-1");
        let number = |word: &str| {
            let digits = word.rsplit(['=', '-', 'p']).next().unwrap_or(word);
            digits.parse::<u32>().ok()
        };
        let ours = |word: &&str| number(word).is_some_and(|pid| self.own.processes.contains(&pid));
        everybody || words.iter().any(ours)
    }

    /// One command finds our processes by name, and another one of the same call stops processes.
    fn found_and_stopped(&self, commands: &[SimpleCommand]) -> Option<Finding> {
        let names_us = |command: &SimpleCommand| {
            command.words.iter().skip(1).any(|word| {
                word.contains("doorward")
                    || self.own.ports.iter().any(|port| word.ends_with(&format!(":{port}")))
            })
        };
        let mentioned = commands.iter().any(names_us);
        let finds = commands.iter().any(|command| FINDING.contains(&command.program.as_str()));
        let stops = |command: &&SimpleCommand| {
            command.program == "kill"
                && !command.words.iter().any(|word| matches!(word.as_str(), "-l" | "-0"))
        };
        let stop = commands.iter().find(stops)?;
        (finds && mentioned).then(|| process("by a number that was looked up by its name").at(stop.span))
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
        if let Some(place) = self.own.state.iter().find(|place| text.contains(place.as_str())) {
            return Some(state(place));
        }
        let below_home = self.own.state.iter().filter_map(|place| place.strip_prefix(self.home?));
        if let Some(place) =
            below_home.map(|rest| rest.trim_start_matches('/')).find(|rest| text.contains(rest))
        {
            return Some(state(&format!("~/{place}")));
        }
        if let Some(name) = SOCKETS.iter().find(|name| text.contains(**name)) {
            return Some(socket(name));
        }
        let stops = text.contains("kill") || text.contains("signal") || text.contains("terminate");
        let mut numbers = text.split(|ch: char| !ch.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let ours = |digits: &str| digits.parse().is_ok_and(|pid| self.own.processes.contains(&pid));
        if stops && (text.contains("doorward") || numbers.any(ours)) {
            return Some(process("from code"));
        }
        let local =
            ["127.0.0.1", "localhost", "[::1]", "'::1'", "\"::1\""].iter().any(|host| text.contains(host));
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

const fn is_name(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || ch == '_'
}

/// Options of `pkill`, `killall` and `skill` that take the next word as their value (pkill(1), killall(1)).
const VALUED: &[&str] = &[
    "-F",
    "-G",
    "-P",
    "-U",
    "-Z",
    "-g",
    "-n",
    "-o",
    "-s",
    "-t",
    "-u",
    "-y",
    "--euid",
    "--group",
    "--ns",
    "--older-than",
    "--parent",
    "--pgroup",
    "--pidfile",
    "--session",
    "--signal",
    "--terminal",
    "--uid",
    "--user",
    "--younger-than",
];

/// Whether a program that signals by name or pattern could mean ours. What can't be read as a pattern could.
fn signals_name(program: &str, words: &[&str]) -> bool {
    let flags = |word: &&&str| word.starts_with('-') && word.len() > 1;
    if program == "killall5" || words.iter().any(|word| matches!(*word, "-l" | "--list" | "-V" | "-0")) {
        return program == "killall5";
    }
    let value =
        |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| VALUED.contains(word));
    let operands = words.iter().enumerate().filter(|(at, word)| !flags(word) && !value(*at));
    let named: Vec<&str> = operands.map(|(_, word)| *word).collect();
    // By user, group, terminal or session, without a name: everything that fits, us among it.
    if named.is_empty() {
        return true;
    }
    let by_pattern = program == "pkill" || words.iter().any(|word| matches!(*word, "-r" | "--regexp"));
    named.iter().any(|name| {
        if !by_pattern {
            return PROGRAMS.contains(name) || name.contains("doorward");
        }
        let whole = words.iter().any(|word| matches!(*word, "-f" | "--full"));
        let subjects: &[&str] =
            if whole { &["doorward serve --state", "doorward-thin hook"] } else { PROGRAMS };
        Regex::new(name).map_or(true, |pattern| subjects.iter().any(|subject| pattern.is_match(subject)))
    })
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
        .suggest("a person ends it with `doorward stop`")
}

fn own_command(name: &str) -> Finding {
    Finding::new("own.command", format!("runs `doorward {name}`, which changes what Doorward protects"))
        .suggest("a person runs it in a terminal of their own")
}

fn unguarded(program: &str, by: &str) -> Finding {
    Finding::new("own.agent", format!("starts {program} without Doorward's hooks (`{by}`)"))
}
