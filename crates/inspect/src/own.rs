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
use doorward_paths::{glob, lexical};
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
/// Programs that signal, stop, trace or starve processes by number.
const BY_NUMBER: &[&str] = &[
    "cgclassify",
    "choom",
    "chrt",
    "cpulimit",
    "criu",
    "gcore",
    "gdb",
    "ionice",
    "kill",
    "lldb",
    "ltrace",
    "nsenter",
    "perf",
    "prlimit",
    "py-spy",
    "renice",
    "reptyr",
    "strace",
    "taskset",
    "uclampset",
];
/// Programs that signal processes by name or pattern.
const BY_NAME: &[&str] = &["killall", "killall5", "pkill", "skill", "snice"];
/// Programs that choose among lines.
const CHOOSING: &[&str] =
    &["awk", "gawk", "grep", "egrep", "fgrep", "head", "jq", "pgrep", "rg", "sed", "tail"];
/// Programs that are handed texts, which may speak of a port without reaching it.
const TEXTUAL: &[&str] = &["git", "jq", "perl", "sed", "tee", "yq"];
/// Programs to which a bare number is a port.
const TALKING: &[&str] =
    &["bore", "cloudflared", "lt", "masscan", "nc", "ncat", "netcat", "ngrok", "nmap", "socat", "telnet"];
/// Programs that find the numbers of processes.
const FINDING: &[&str] = &["lsof", "pgrep", "pidof", "ps", "ss"];
/// Managers of services.
const MANAGERS: &[&str] = &["initctl", "rc-service", "service", "sv", "systemctl"];
/// Subcommands of managers that end every process of a user or a session (loginctl(1), systemctl(1)).
const ENDING_ALL: &[(&str, &[&str])] = &[
    ("loginctl", &["kill-session", "kill-user", "terminate-seat", "terminate-session", "terminate-user"]),
    ("systemctl", &["emergency", "exit", "halt", "isolate", "kexec", "poweroff", "reboot", "rescue"]),
];
/// Files of a control group through which its processes are ended, stopped or moved (cgroups(7)).
const GROUP_FILES: &[&str] = &["cgroup.freeze", "cgroup.kill"];
/// Files that take a process into a control group.
const GROUP_MEMBERS: &[&str] = &["cgroup.procs", "cgroup.threads", "/tasks"];
/// Files of a process that tell no more than `ps` does (proc(5)).
const PROCESS_FACTS: &[&str] =
    &["cgroup", "cmdline", "comm", "io", "limits", "sched", "stat", "statm", "status"];
/// Subcommands that have subcommands of their own, so that `--help` may follow the second word.
const NESTED: &[&str] =
    &["approvals", "audit", "config", "experiences", "guardian", "mcp", "net", "policy", "sandbox"];
/// Files and folders of the state directory, for patterns that could match them.
pub const STATE_NAMES: &[&str] =
    &["doorward.db", "doorward.sock", "egress.sock", "ledger", "ledger/key", "token"];
/// Programs that change permissions or owners, with everything below where they are told so.
const GUARDING: &[&str] = &["chattr", "chcon", "chgrp", "chmod", "chown", "setfacl"];
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

/// The finding that denies a call, if it reaches for Doorward itself.
pub(crate) fn floor(
    own: &OwnParts,
    home: Option<&str>,
    cwd: &str,
    (effects, walks): (&Effects, &[Walk]),
    said: Said<'_>,
) -> Option<Finding> {
    let looks = Looks { own, home, cwd, said };
    looks
        .reads(effects)
        .or_else(|| looks.walks(walks))
        .or_else(|| looks.patterns(effects))
        .or_else(|| looks.kernel_files(effects))
        .or_else(|| looks.hosts(effects))
        .or_else(|| effects.executes.iter().find_map(|command| looks.command(command)))
        .or_else(|| looks.found_and_stopped(&effects.executes))
        .or_else(|| match said {
            Said::Code(code) => looks.text(code),
            Said::Arguments(texts) => texts.iter().find_map(|text| looks.text(text)),
            Said::Command(_) | Said::Nothing => None,
        })
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
    home: Option<&'a str>,
    cwd: &'a str,
    said: Said<'a>,
}

impl Looks<'_> {
    fn reads(&self, effects: &Effects) -> Option<Finding> {
        let read = effects.reads.iter().find(|read| !read.metadata && self.is_state(&read.path))?;
        Some(state(&read.path).at(read.span))
    }

    /// A folder above the state that is read with everything below it.
    fn walks(&self, walks: &[Walk]) -> Option<Finding> {
        let reaches = |walk: &&Walk| {
            self.own
                .state
                .iter()
                .filter_map(|place| below(place, &walk.path))
                .any(|rest| !walk.visible || !rest.split('/').any(|name| name.starts_with('.')))
        };
        let walk = walks.iter().find(reaches)?;
        Some(state(&walk.path).suggest("name the folders that you mean").at(walk.span))
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

    /// Files of the kernel through which a process is read, changed or ended.
    fn kernel_files(&self, effects: &Effects) -> Option<Finding> {
        let ours = |path: &str| {
            let rest = path.strip_prefix("/proc/").and_then(|rest| rest.split_once('/'));
            let number = rest.and_then(|(number, _)| number.parse().ok());
            number.is_some_and(|pid| self.own.processes.contains(&pid))
                && rest.is_some_and(|(_, file)| !PROCESS_FACTS.contains(&file))
        };
        let numbers = || effects.executes.iter().flat_map(|command| &command.words).map(|word| word.parse());
        let moves = || numbers().any(|number| number.is_ok_and(|pid| self.own.processes.contains(&pid)));
        let group = |path: &str| {
            let ends = |names: &[&str]| names.iter().any(|name| path.ends_with(name));
            path.starts_with("/sys/fs/cgroup/") && (ends(GROUP_FILES) || (ends(GROUP_MEMBERS) && moves()))
        };
        let reads = effects.reads.iter().filter(|read| !read.metadata).map(|read| (&read.path, read.span));
        let writes = effects.writes.iter().map(|write| (&write.path, write.span));
        let (_, span) = reads
            .chain(writes.clone())
            .find(|(path, _)| ours(path))
            .or_else(|| writes.clone().find(|(path, _)| group(path)))?;
        Some(process("through a file of the kernel").at(span))
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
            .or_else(|| self.opens_state(command))
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

    /// Changes of permissions or owners with everything below a folder that holds the state.
    fn opens_state(&self, command: &SimpleCommand) -> Option<Finding> {
        let recursive = |word: &String| {
            word == "--recursive"
                || word
                    .strip_prefix('-')
                    .is_some_and(|letters| !letters.starts_with('-') && letters.contains('R'))
        };
        if !GUARDING.contains(&command.program.as_str()) || !command.words.iter().any(recursive) {
            return None;
        }
        let holds = |place: &String| self.own.state.iter().any(|own| below(own, place).is_some());
        let folder = command.words.iter().skip(1).map(|word| self.resolved(word)).find(holds)?;
        Some(state(&folder))
    }

    /// A signal for a process of ours: by number, name, pattern, open file or manager.
    fn signals(&self, command: &SimpleCommand) -> Option<Finding> {
        let program = command.program.as_str();
        let words: Vec<&str> = command.words.iter().skip(1).map(String::as_str).collect();
        if BY_NUMBER.contains(&program) && self.signals_number(program, &words) {
            return Some(process("by its number"));
        }
        if BY_NAME.contains(&program) && self.signals_name(program, &words) {
            return Some(process("by its name"));
        }
        if program == "fuser" && words.iter().any(|word| word.starts_with('-') && word.contains('k')) {
            let port = |word: &str| word.split('/').next().and_then(|port| port.parse::<u16>().ok());
            let ours = |word: &&str| {
                port(word).is_some_and(|port| self.own.ports.contains(&port))
                    || self.own.programs.contains(&self.resolved(word))
            };
            let file_system = |word: &&str| word.starts_with('-') && word.contains(['m', 'M', 'c']);
            let any = words.iter().any(ours) || words.iter().any(file_system);
            return any.then(|| process("by a file or port that it holds"));
        }
        let ends_all =
            |(own, verbs): &(&str, &[&str])| *own == program && words.iter().any(|word| verbs.contains(word));
        if ENDING_ALL.iter().any(ends_all) {
            return Some(process("with everything else of its user"));
        }
        let unit = |word: &&str| {
            let could_be = |name: &str| glob::matches_component(word, name);
            word.contains("doorward") || could_be("doorward") || could_be("doorward.service")
        };
        let managed = MANAGERS.contains(&program) && words.iter().any(unit);
        let changes = |word: &&str| !matches!(*word, "status" | "show" | "is-active" | "cat" | "list-units");
        let verb = words.iter().find(|word| !word.starts_with('-') && !unit(word));
        (managed && verb.is_some_and(changes)).then(|| process("through its manager"))
    }

    /// Whether a program that signals by name or pattern could mean ours. What can't be read as a pattern could.
    fn signals_name(&self, program: &str, words: &[&str]) -> bool {
        let flags = |word: &&&str| word.starts_with('-') && word.len() > 1;
        let lists = |word: &&str| matches!(*word, "-l" | "--list" | "-V" | "-0");
        if program == "killall5" || (program != "pkill" && words.iter().any(lists)) {
            return program == "killall5";
        }
        let value = |at: usize| {
            at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| VALUED.contains(word))
        };
        let operands = words.iter().enumerate().filter(|(at, word)| !flags(word) && !value(*at));
        let named: Vec<&str> = operands.map(|(_, word)| *word).collect();
        // By user, group, terminal or session, without a name: everything that fits, us among it.
        if named.is_empty() {
            return true;
        }
        let has = |short: char, long: &str| {
            words.iter().any(|word| {
                *word == long || (word.starts_with('-') && !word.starts_with("--") && word.contains(short))
            })
        };
        // All but what matches: us among it, unless the pattern is our own name.
        if program == "pkill" && has('v', "--inverse") {
            return true;
        }
        let by_pattern = program == "pkill" || has('r', "--regexp");
        let subjects = self.subjects(program == "pkill" && has('f', "--full"));
        named.iter().any(|name| {
            if !by_pattern {
                let name = name.to_lowercase();
                return PROGRAMS.contains(&name.as_str()) || name.contains("doorward");
            }
            let pattern = if has('i', "--ignore-case") || has('I', "") {
                name.to_lowercase()
            } else {
                (*name).to_owned()
            };
            Regex::new(&pattern)
                .map_or(true, |pattern| subjects.iter().any(|subject| pattern.is_match(subject.as_str())))
        })
    }

    /// What a pattern is held against: names of our programs, or the command lines that they run under.
    fn subjects(&self, whole: bool) -> Vec<String> {
        if !whole {
            return PROGRAMS.iter().map(|name| (*name).to_owned()).collect();
        }
        let state = self.own.state.first().map(String::as_str).unwrap_or_default();
        let named = self.own.programs.iter().map(String::as_str).chain(["doorward"]);
        named
            .map(|program| format!("{program} serve --state {state}"))
            .chain(["doorward-thin hook".to_owned()])
            .collect()
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
        let words =
            |command: &SimpleCommand| -> Vec<String> { command.words.iter().skip(1).cloned().collect() };
        let looked_up = commands.iter().any(|command| {
            let words = words(command);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match command.program.as_str() {
                "pgrep" => self.signals_name("pkill", &words),
                "pidof" => self.signals_name("killall", &words),
                // Every number of a range that ours lies in.
                "seq" => self.counts_over(&words),
                // Every process of the user, with nothing that chooses among them.
                "ps" => {
                    let chosen = commands.iter().any(|other| CHOOSING.contains(&other.program.as_str()));
                    let some =
                        words.iter().any(|word| matches!(*word, "--ppid" | "--pid" | "-p" | "-C" | "-t"));
                    !chosen && !some && words.iter().any(|word| word.contains("pid"))
                }
                _ => false,
            }
        });
        let walks_all = |text: &str| text.contains("/proc/[") || text.contains("/proc/*");
        let everybody = looked_up || matches!(self.said, Said::Command(text) if walks_all(text));
        let stops = |command: &&SimpleCommand| {
            command.program == "kill"
                && !command.words.iter().any(|word| matches!(word.as_str(), "-l" | "-0"))
        };
        let stop = commands.iter().find(stops)?;
        (everybody || (finds && mentioned))
            .then(|| process("by a number that was looked up by its name").at(stop.span))
    }

    fn counts_over(&self, words: &[&str]) -> bool {
        let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let first = if numbers.len() > 1 { numbers.first().copied().unwrap_or(1) } else { 1 };
        let last = numbers.last().copied().unwrap_or(0);
        self.own.processes.iter().any(|pid| (first.min(last)..=first.max(last)).contains(pid))
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
        // Joined from pieces: `".local", "state", "doorward"`.
        let bare = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
        let (whole, mut below_home) =
            (bare(text), self.own.state.iter().filter_map(|place| below(place, self.home?)));
        if let Some(rest) = below_home.find(|rest| whole.contains(&bare(rest))) {
            return Some(state(&format!("~/{rest}")));
        }
        if let Some(name) = SOCKETS.iter().find(|name| text.contains(**name)) {
            return Some(socket(name));
        }
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
        .suggest("a person ends it with `doorward stop`")
}

fn own_command(name: &str) -> Finding {
    Finding::new("own.command", format!("runs `doorward {name}`, which changes what Doorward protects"))
        .suggest("a person runs it in a terminal of their own")
}

fn unguarded(program: &str, by: &str) -> Finding {
    Finding::new("own.agent", format!("starts {program} without Doorward's hooks (`{by}`)"))
}
