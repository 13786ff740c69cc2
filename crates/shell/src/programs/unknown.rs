//! Programs nobody described: what can still be said about their words.
//!
//! Plain arguments are MEDIUM. One that takes a command line is a wrapper that isn't in the tables, and hides what
//! runs. A word that happens to be the name of a program is no command line yet (`generate ruby client`): what
//! follows it, or the option in front of it, must read like one.

use doorward_core::intent::Direction;

use crate::deed::Word;

use super::call::Call;
use super::lookup;
use super::word;
use doorward_knowledge::row::{Nature, ProgramRow};

/// Sub-command words that many tools share with programs.
const COMMON_WORDS: &str = "test install time watch find diff log env link make build run config \
    exec date split join format check list show get set start stop status info sync watch patch file \
    id who at history help export import apply top less more cut sort script service host dig route \
    ip mount reset clear complete type kill read write login logout shell init sum paste tree last \
    factor expand command local node go yes true false look print mail batch bind jobs wait view \
    open strip convert render display source screen trap identify compare play record";

/// Programs that run what stands behind them, so that a word behind them is enough.
const RUNNERS: &str = "sudo doas su pkexec env nohup setsid timeout nice ionice xargs exec eval \
    stdbuf command busybox chroot unshare nsenter strace ltrace";

/// Words that, at the end of an option's name, say that its value is run.
const RUN_BY_NAME: &[&str] = &[
    "askpass",
    "browser",
    "change",
    "cmd",
    "command",
    "editor",
    "eval",
    "exec",
    "execute",
    "failure",
    "filter",
    "hook",
    "launcher",
    "mailer",
    "pager",
    "passwordeval",
    "prog",
    "program",
    "rsh",
    "run",
    "runner",
    "script",
    "sh",
    "shell",
    "ssh",
    "success",
    "terminal",
    "tool",
    "viewer",
    "wrapper",
];

/// Of those, the ones whose value is a program even where it is a single word; the others often name a kind (`--shell
/// bash`).
const PROGRAM_BY_NAME: &[&str] =
    &["cmd", "command", "exec", "execute", "rsh", "eval", "run", "program", "prog", "wrapper"];

/// Of those, the ones that as often name something else: only a known program makes their value a command.
const WEAK_BY_NAME: &[&str] = &["change", "failure", "filter", "script", "success", "tool"];

/// Words in an option's name that say its value is text for people, or a pattern.
const TEXT_BY_NAME: &[&str] = &[
    "body",
    "comment",
    "description",
    "desc",
    "format",
    "grep",
    "label",
    "match",
    "message",
    "msg",
    "name",
    "note",
    "notes",
    "pattern",
    "prompt",
    "query",
    "reason",
    "regex",
    "regexp",
    "search",
    "subject",
    "summary",
    "text",
    "title",
];

/// Whether an option's name says that its value is text for people, or a pattern.
pub(super) fn says_text(option: &str) -> bool {
    option.starts_with("--")
        && option
            .trim_start_matches('-')
            .split(['-', '_', '.'])
            .any(|part| TEXT_BY_NAME.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether an option's name says that its value is run.
pub(super) fn says_command(option: &str) -> bool {
    let last = option.trim_start_matches('-').rsplit(['-', '_', '.']).next().unwrap_or_default();
    option.starts_with("--") && RUN_BY_NAME.contains(&last.to_ascii_lowercase().as_str())
}

/// Describes a call of a program that isn't in the tables.
pub(crate) fn describe(call: &mut Call<'_>) {
    call.deeds.known = false;
    call.acts = true;
    let words = call.operands.clone();
    if !command_line_of(call, &words) {
        call.deeds.unlisted = true;
        call.deeds.chooses.extend(words.iter().filter_map(|word| runs_by_name(&word.text)));
        call.finding(
            "shell.unknown_program",
            format!("runs {}, a program that Doorward does not know", call.program),
        );
    }
    for word in &words {
        mention(call, word);
        let value = word::halves(word, '=').map_or_else(|| word.clone(), |(_, value)| value);
        if is_native(&value.text) {
            call.run_native(&value);
        }
    }
    super::written_elsewhere(call);
    changes_outside(call, &words);
    // The value of an option may be settings as well.
    let given: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            at.checked_sub(1).and_then(|at| words.get(at)).is_none_or(|own| !own.text.starts_with('-'))
        })
        .map(|(_, word)| word.text.as_str())
        .collect();
    sends_from_outside(call, |file| given.contains(&file));
}

/// Verbs, as an option or as the first word, by which what stands behind them is gone.
const DELETING: &[&str] = &["delete", "erase", "purge", "remove", "shred", "unlink", "wipe"];

/// What the words say of files elsewhere, where nobody described the program: `PROGRAM IN OUT` makes the last file of
/// the others, `--delete PATH` deletes, and the path behind an option whose name says so is run.
fn changes_outside(call: &mut Call<'_>, words: &[Word]) {
    let is_path = |word: &Word| !word.text.starts_with('-') && reads_like_path(&word.text);
    for (at, pair) in words.windows(2).enumerate() {
        let [verb, value] = pair else { continue };
        let name = verb.text.trim_start_matches('-');
        let is_verb = verb.text.starts_with("--") || at == 0 && !verb.text.starts_with('-');
        if is_verb && DELETING.contains(&name) && leads_out(&value.text) && is_path(value) {
            call.delete(value, true, true);
        }
        let runs = ["cmd", "command", "exec", "hook", "prog", "program", "launcher", "wrapper"];
        if verb.text.starts_with('-')
            && runs.iter().any(|end| name.ends_with(end))
            && value.text.contains('/')
            && !value.text.contains(' ')
        {
            call.run_file(value, "", Vec::new());
        }
    }
    let files: Vec<&Word> = words.iter().filter(|word| is_path(word) && !word.text.contains("://")).collect();
    if let [_, .., last] = files.as_slice()
        && words.last() == Some(*last)
        && leads_out(&last.text)
        && !words.iter().any(|word| word.text.contains("://"))
    {
        call.write(last, doorward_core::intent::WriteMode::Create);
    }
}

/// Whether a path may lead out of the project.
pub(super) fn leads_out(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.split('/').any(|part| part == "..")
}

/// A call that names a host, and files from elsewhere: those that may be what it sends are.
pub(super) fn sends_from_outside(call: &mut Call<'_>, may_be_sent: impl Fn(&str) -> bool) {
    let reaches = |host: &&mut doorward_core::intent::HostIntent| host.direction != Direction::Listen;
    let Some(host) = call.deeds.hosts.iter_mut().rfind(reaches) else { return };
    let outside = |path: &str| leads_out(path) && may_be_sent(path);
    for read in call.deeds.reads.iter_mut().filter(|read| outside(&read.path.text)) {
        read.reaches_host = true;
        if !host.body_from.contains(&read.path.text) {
            host.body_from.push(read.path.text.clone());
        }
    }
}

/// A library that is named by its path.
fn is_native(text: &str) -> bool {
    let ending = [".so", ".dylib", ".dll"].iter().any(|ending| text.ends_with(ending));
    ending && text.contains('/') && !text.contains(' ')
}

/// The option or setting in a word whose name says that its value is run (`--pager=x`, `core.editor=x`).
fn runs_by_name(word: &str) -> Option<String> {
    let option = word.split('=').next().unwrap_or(word);
    if !(option.starts_with("--") || word.contains('=')) {
        return None;
    }
    let name = option.trim_start_matches('-').to_ascii_lowercase();
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    let runs = RUN_BY_NAME.contains(&last)
        || ["cmd", "command", "exec", "hook", "editor", "pager"].iter().any(|end| last.ends_with(end));
    runs.then(|| option.to_owned())
}

/// Follows the command line among the words of something that isn't in the tables; whether there is one.
pub(crate) fn command_line_of(call: &mut Call<'_>, words: &[Word]) -> bool {
    let Some(line) = command_line(words) else { return false };
    match line {
        CommandLine::Words(words) => {
            hides(call);
            call.run_argv(words);
        }
        CommandLine::Text(text) => {
            hides(call);
            call.run_shell(text);
        }
        CommandLine::Code(language, text) => call.run_language(language, text),
    }
    true
}

fn hides(call: &mut Call<'_>) {
    let message = format!("gives a command line to {}, a program that Doorward does not know", call.program);
    call.finding("shell.obfuscated", message);
}

/// The path that stands at a short option without a blank: `-o/home/user/x`.
pub(super) fn glued(word: &Word) -> Option<Word> {
    let mut letters = word.text.chars();
    let is_option =
        letters.next() == Some('-') && letters.next().is_some_and(|name| name.is_ascii_alphanumeric());
    let is_path = is_option && matches!(letters.next(), Some('/' | '~'));
    is_path.then(|| word::slice(word, 2, word.text.len()))
}

/// What an argument of unknown meaning names: a URL, or a file that may be read.
pub(crate) fn mention(call: &mut Call<'_>, word: &Word) {
    let value = match word.text.split_once('=') {
        Some((option, _)) if option.starts_with('-') => word::halves(word, '=').map(|(_, value)| value),
        _ if word.text.starts_with('-') => glued(word),
        _ => Some(word.clone()),
    };
    let Some(value) = value else { return };
    let value = word::after(&value, "@").unwrap_or(value);
    if value.text.contains("://") {
        word::fields(&value).iter().filter_map(url_in).for_each(|url| {
            call.contact(&url, "https", Direction::Both, Vec::new());
        });
    } else if reads_like_path(&value.text) {
        call.read(&value);
        if let Some(read) = call.deeds.reads.last_mut() {
            read.path.certainty = doorward_core::intent::Certainty::May;
        }
        if call.nature != Nature::Reads {
            super::mentions::add(call, &value);
        }
    }
}

/// The URL inside one word of a text: it begins with its scheme and ends where a sentence or a shell would go on.
fn url_in(part: &Word) -> Option<Word> {
    let colon = part.text.find("://")?;
    let front = part.text.get(..colon)?;
    let start = front.rfind(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.…".contains(letter));
    let start = start.and_then(|at| front.get(at..)?.chars().next().map(|letter| at + letter.len_utf8()));
    let end = part.text.find(['"', '\'', '|', ';', '<', '>', ')', '`', '\n']);
    let (start, end) = (start.unwrap_or_default(), end.unwrap_or(part.text.len()));
    Some(if start < colon && colon < end { word::slice(part, start, end) } else { part.clone() })
}

fn reads_like_path(text: &str) -> bool {
    !text.contains([' ', '\n', '(', ';', '{'])
        && (text.starts_with(['.', '~', '/']) || text.contains('/') || text.contains('.'))
        && !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

enum CommandLine {
    Words(Vec<Word>),
    Text(Word),
    Code(&'static str, Word),
}

/// The command line among the words, if there is one.
fn command_line(words: &[Word]) -> Option<CommandLine> {
    let mut value_of_option = false;
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at + 1..).unwrap_or_default();
        let after_option = std::mem::take(&mut value_of_option);
        if word.text == "--" {
            let next = rest.first()?;
            if rest.len() == 1 && is_command_text(&next.text) {
                return Some(CommandLine::Text(next.clone()));
            }
            let runs = is_program(&next.text) || next.text.contains('/') || next.known().is_none();
            return runs.then(|| CommandLine::Words(rest.to_vec()));
        }
        if word.text.starts_with('-') {
            let (name, value) = match word::halves(word, '=') {
                Some((name, value)) => (name.text, Some(value)),
                None => (word.text.clone(), rest.first().cloned()),
            };
            let behind = rest.get(1..).unwrap_or_default();
            let attached = word.text.contains('=');
            // `-k'rm -rf x'`.
            let short = word.text.get(..2).and_then(|option| word::after(word, option));
            if let Some(text) = short.filter(|text| !word.text.starts_with("--") && text.text.contains(' '))
                && let Some(line) = option_line("-", text, true, &[])
            {
                return Some(line);
            }
            if let Some(line) = value.and_then(|value| option_line(&name, value, attached, behind)) {
                return Some(line);
            }
            value_of_option = !attached;
            continue;
        }
        // The value of an option is rarely a command; one with options of its own that changes files is.
        let changes = || {
            lookup(&word.text).is_some_and(|row| row.nature == Nature::Named)
                && rest.first().is_some_and(|next| next.text.starts_with('-'))
        };
        // `.` is this folder: what a shell means by it, no program runs.
        if word.text != "."
            && !word.text.contains('=')
            && (!after_option || changes())
            && acts_as_program(&word.text)
            && reads_as_command(&word.text, rest)
        {
            return Some(CommandLine::Words(words.get(at..).unwrap_or_default().to_vec()));
        }
        if !after_option && is_command_text(&word.text) {
            return Some(CommandLine::Text(word.clone()));
        }
    }
    None
}

/// Follows what the value of an option that isn't in a program's row runs; whether it runs anything.
pub(crate) fn option_of(call: &mut Call<'_>, option: &Word, value: Option<&Word>) -> bool {
    let name = option.text.split('=').next().unwrap_or_default().to_owned();
    let attached = option.text.contains('=');
    let Some(value) = value else { return false };
    match option_line(&name, value.clone(), attached, &[]) {
        Some(CommandLine::Words(words)) => call.run_argv(words),
        Some(CommandLine::Text(text)) => call.run_shell(text),
        Some(CommandLine::Code(language, text)) => {
            call.run_language(language, text);
            return false;
        }
        None => return false,
    }
    true
}

/// What the value of an option is, if it is run: by the option's name, or because it reads like nothing else.
fn option_line(name: &str, value: Word, attached: bool, behind: &[Word]) -> Option<CommandLine> {
    match name {
        "--python-expr" | "--python-exec" | "--py-expr" => return Some(CommandLine::Code("python", value)),
        "--lua-expr" => return Some(CommandLine::Code("lua", value)),
        _ => {}
    }
    if value.text.starts_with('-')
        || super::environment::is_usual("EDITOR", &value.text)
        || super::environment::is_usual("PAGER", &value.text)
    {
        return None;
    }
    // `-o ProxyCommand=…`, `--set command='…'`: a setting inside the value.
    if let Some((key, inner)) = word::halves(&value, '=')
        && inner.text.trim().contains(char::is_whitespace)
        && key.text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && key.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    {
        return option_line(&format!("--{}", key.text), inner, true, &[]);
    }
    let parts: Vec<String> =
        name.trim_start_matches('-').split(['-', '_', '.']).map(str::to_ascii_lowercase).collect();
    let last = parts.last().map(String::as_str).unwrap_or_default();
    let short = matches!(name, "-c" | "-e" | "-x");
    let event = matches!(parts.first().map(String::as_str), Some("on" | "pre" | "post" | "before" | "after"));
    let named = short
        || event
        || RUN_BY_NAME.iter().any(|word| last == *word || last.ends_with("cmd") || last.ends_with("command"));
    let says_text = parts.iter().any(|part| TEXT_BY_NAME.contains(&part.as_str()));
    let spaced = value.text.split_ascii_whitespace().nth(1).is_some();
    let first = value.text.split_ascii_whitespace().next().unwrap_or_default();
    // rpm's macros: `%(command)`.
    if last == "eval" && value.text.contains("%(") {
        let inner = value.text.split("%(").nth(1).unwrap_or_default().trim_end_matches([')', '}']).to_owned();
        return Some(CommandLine::Text(word::instead(&value, inner)));
    }
    if last == "eval" && !is_program(first) {
        return Some(CommandLine::Code("eval", value));
    }
    // `!` in front of a command line, as git has it in its settings.
    if let Some(inner) = word::after(&value, "!")
        && spaced
        && !says_text
        && is_program(first.trim_start_matches('!'))
    {
        return Some(CommandLine::Text(inner));
    }
    // Without a name that says so, only what reads like nothing else counts.
    let weak = !short && !event && WEAK_BY_NAME.contains(&last);
    let shell = looks_like_shell(&value.text) && (!weak || is_program(first)) || named && is_program(first);
    if spaced && shell && !says_text && (named || runs_by_itself(first)) {
        return Some(CommandLine::Text(value));
    }
    let code = value.text.contains('(') && value.text.contains(['"', '\'']);
    if named && !says_text && code {
        return Some(CommandLine::Code("eval", value));
    }
    let names_program = short || PROGRAM_BY_NAME.contains(&last) || name == "-exec";
    if names_program && !spaced && is_program(&value.text) && !is_common(&value.text) {
        let behind = if attached { &[] } else { behind };
        let mut words = vec![value];
        words.extend(behind.iter().cloned());
        return Some(CommandLine::Words(words));
    }
    None
}

/// A program by which a text is surely a command, whatever option it is given to.
fn runs_by_itself(first: &str) -> bool {
    acts_as_program(first) || first.starts_with('/') && is_program(first)
}

/// Whether the words behind a program's name read like its arguments.
fn reads_as_command(program: &str, rest: &[Word]) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    let Some(next) = rest.first() else { return false };
    if matches!(next.text.as_str(), "--help" | "--version" | "-h" | "-V") {
        return false;
    }
    let names_file = |word: &Word| word.known().is_none() || word.text.contains(['/', '*', '$', '~']);
    let is_option = |word: &Word| word.text.starts_with('-') && word.text.len() > 1;
    let runner = RUNNERS.split_ascii_whitespace().any(|own| own == name);
    let kind = lookup(name).map(|row: &ProgramRow| row.nature);
    match kind {
        // Its operands are what it does something to: any word will do that no tool uses for one of its own commands.
        Some(Nature::Named) => {
            rest.iter().any(|word| is_option(word) || names_file(word) || word.text.contains('.'))
        }
        _ if runner => {
            let text = matches!(name, "eval" | "exec") && next.text.contains([' ', '(', ';']);
            is_option(next) || names_file(next) || is_program(&next.text) || text
        }
        _ => is_option(next) || names_file(next) || next.text.contains('.'),
    }
}

/// A single word that is a command line: it begins with a program that acts, and reads like shell.
fn is_command_text(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    let (Some(first), Some(_)) = (fields.next(), fields.next()) else { return false };
    acts_as_program(first) && looks_like_shell(text)
}

/// Text that is a command rather than a sentence that starts with a command's name.
fn looks_like_shell(text: &str) -> bool {
    text.contains([';', '|', '&', '>', '`', '$', '/']) || text.contains(" -")
}

fn is_program(text: &str) -> bool {
    lookup(text.rsplit('/').next().unwrap_or(text)).is_some()
}

fn is_common(text: &str) -> bool {
    COMMON_WORDS.split_ascii_whitespace().any(|word| word == text)
}

fn acts_as_program(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    !is_common(name) && lookup(name).is_some_and(|row| row.nature != Nature::Reads)
}
