//! Processes of Doorward's service: signals, tracing, starving and control groups that would stop it, by number, name,
//! pattern, open file, manager or a lookup.

use doorward_core::effect::Effects;
use doorward_core::finding::Finding;
use doorward_core::intent::SimpleCommand;
use doorward_paths::glob;
use regex_automata::meta::Regex;

use super::{Looks, PROGRAMS, Said, process};

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
/// Programs that find the numbers of processes.
const FINDING: &[&str] = &["lsof", "pgrep", "pidof", "ps", "ss"];
/// Managers of services.
const MANAGERS: &[&str] = &["initctl", "rc-service", "service", "sv", "systemctl"];
/// Programs that call methods of services over the system's or the user's bus, a manager's among them.
const BUS: &[&str] = &["busctl", "dbus-send", "gdbus", "qdbus", "qdbus-qt5", "qdbus6"];
/// Words of theirs that only show something (busctl(1), gdbus(1)).
const BUS_SHOWS: &[&str] =
    &["capture", "get-property", "introspect", "list", "monitor", "status", "tree", "wait"];
/// Parts of names of methods that end everything of a user or a session (org.freedesktop.login1(5), systemd1(5)).
const BUS_ENDS_ALL: &[&str] =
    &["KillSession", "KillUser", "Manager.Exit", "TerminateSeat", "TerminateSession", "TerminateUser"];
/// Subcommands of managers that end every process of a user or a session (loginctl(1), systemctl(1)).
const ENDING_ALL: &[(&str, &[&str])] = &[
    ("loginctl", &["kill-session", "kill-user", "terminate-seat", "terminate-session", "terminate-user"]),
    ("systemctl", &["emergency", "exit", "isolate", "rescue"]),
];
/// Files of a control group through which its processes are ended, stopped or moved (cgroups(7)).
const GROUP_FILES: &[&str] = &["cgroup.freeze", "cgroup.kill"];
/// Files that take a process into a control group.
const GROUP_MEMBERS: &[&str] = &["cgroup.procs", "cgroup.threads", "/tasks"];
/// Files of a process that tell no more than `ps` does (proc(5)).
const PROCESS_FACTS: &[&str] =
    &["cgroup", "cmdline", "comm", "io", "limits", "sched", "stat", "statm", "status"];
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

/// A file through which some process is changed, held or ended.
fn is_of_process(path: &str) -> bool {
    let ends = |names: &[&str]| names.iter().any(|name| path.ends_with(name));
    let own = ["/proc/self/", "/proc/thread-self/"].iter().any(|own| path.starts_with(own));
    path.starts_with("/proc/") && !own
        || path.starts_with("/sys/fs/cgroup/") && (ends(GROUP_FILES) || ends(GROUP_MEMBERS))
}

impl Looks<'_> {
    /// Files of the kernel through which a process is read, changed or ended.
    pub(super) fn kernel_files(&self, effects: &Effects) -> Option<Finding> {
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

    /// A signal for a process of ours: by number, name, pattern, open file or manager.
    pub(super) fn signals(&self, command: &SimpleCommand) -> Option<Finding> {
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
        if BUS.contains(&program) && self.signals_over_bus(&words) {
            return Some(process("over the bus"));
        }
        let managed = MANAGERS.contains(&program) && words.iter().any(unit);
        let changes = |word: &&str| !matches!(*word, "status" | "show" | "is-active" | "cat" | "list-units");
        let verb = words.iter().find(|word| !word.starts_with('-') && !unit(word));
        (managed && verb.is_some_and(changes)).then(|| process("through its manager"))
    }

    fn signals_over_bus(&self, words: &[&str]) -> bool {
        let shows =
            words.iter().find(|word| !word.starts_with('-')).is_some_and(|verb| BUS_SHOWS.contains(verb));
        let names_us = |word: &&str| word.to_ascii_lowercase().contains("doorward");
        let ends_all = |word: &&str| BUS_ENDS_ALL.iter().any(|method| word.contains(method));
        let numbers_us = |word: &&str| {
            let mut digits = word.split(|ch: char| !ch.is_ascii_digit()).filter(|digits| !digits.is_empty());
            digits.any(|digits| digits.parse().is_ok_and(|pid| self.own.processes.contains(&pid)))
        };
        !shows && words.iter().any(|word| names_us(word) || ends_all(word) || numbers_us(word))
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

    /// One command finds our processes by name, and another one of the same call stops, starves or moves processes.
    pub(super) fn found_and_stopped(&self, effects: &Effects) -> Option<Finding> {
        let commands = &effects.executes;
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
        let shows = |word: &String| matches!(word.as_str(), "-l" | "-0");
        let takes_number =
            |word: &String| word.starts_with("-p") || word.starts_with("--pid") || word.contains('…');
        let stops = |command: &&SimpleCommand| match command.program.as_str() {
            "kill" => !command.words.iter().any(shows),
            program => BY_NUMBER.contains(&program) && command.words.iter().skip(1).any(takes_number),
        };
        let files =
            || effects.writes.iter().filter(|write| is_of_process(&write.path)).map(|write| write.span);
        let stop = commands.iter().find(stops).map(|command| command.span).or_else(|| files().next())?;
        (everybody || (finds && mentioned))
            .then(|| process("by a number that was looked up by its name").at(stop))
    }

    fn counts_over(&self, words: &[&str]) -> bool {
        let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let first = if numbers.len() > 1 { numbers.first().copied().unwrap_or(1) } else { 1 };
        let last = numbers.last().copied().unwrap_or(0);
        self.own.processes.iter().any(|pid| (first.min(last)..=first.max(last)).contains(pid))
    }
}
