//! What a program does besides the roles of its words: conditions and effects as data, and the engine that applies
//! them.
//!
//! The rules come from the specs under `knowledge/programs`. Most of what a program does is said there; a rule names a
//! function of this crate ([`Act::Rust`]) only for what these words can't express.

use std::borrow::Cow;

use doorward_core::intent::{Code, Direction, InstallSource, Place, PrivilegeKind, RecoverableBy, WriteMode};

use crate::deed::{Output, Run, Stdin, Word};

use super::call::Call;
use super::copying::{self, Copying};
use super::picks::{self, BLANK, Pick};
use super::row::{Nature, Role};
use super::searching::{self, Names, Searching};
use super::word;

/// Effects that hold together, if every condition does.
pub(crate) struct Rule {
    pub(crate) when: &'static [Condition],
    pub(crate) acts: &'static [Act],
}

/// A list of words of which one must fit.
pub(crate) type AnyOf = &'static [&'static str];

/// A place among the operands: behind `--`, if that was given.
pub(crate) const AFTER_DASHES: usize = usize::MAX;

/// A place among the operands: where a command begins. That is the first known program, what stands behind `--`, or
/// else the last operand.
pub(crate) const FROM_COMMAND: usize = usize::MAX - 1;

/// What must hold for a rule.
pub(crate) enum Condition {
    /// One of these options was given.
    Has(AnyOf),
    /// None of these options was given.
    Lacks(AnyOf),
    /// The first operand is one of these.
    First(AnyOf),
    /// The first operand is none of these, or there is none.
    FirstNot(AnyOf),
    /// A rule picks at least one word.
    At(Pick),
    /// The first operand names one of these kinds of things: `secret/x`, `pods,secrets`.
    Kind(AnyOf),
    /// The command was spelled like this.
    Called(AnyOf),
    /// It is one of these programs.
    Program(AnyOf),
    /// How many operands there are, from the least to the most.
    Operands(usize, usize),
    /// Which operand it is can't be seen.
    HiddenOperand,
    /// One of these options has a value that is one of these; `*` stands for any characters.
    Value(AnyOf, AnyOf),
    /// One of the words, as typed, is one of these.
    Word(AnyOf),
    /// One of the words contains one of these.
    Contains(AnyOf),
    /// One of the operands is one of these, in the patterns of [`Condition::Value`].
    Operand(AnyOf),
    /// None of the operands is one of these.
    NoOperand(AnyOf),
    /// The operands begin with these words: `secrets/versions/access`. A word may be a pattern of
    /// [`Condition::Value`], `*` any word.
    Path(AnyOf),
    /// One of the operands is, or begins with, one of these verbs: `delete-stack`, `apps:delete`.
    Verb(AnyOf),
    /// How many options were given, from the least to the most.
    Options(usize, usize),
    /// How many words stand behind the program's name, from the least to the most.
    Words(usize, usize),
    /// What standard input is.
    Stdin(Arrives),
}

/// What is known of standard input.
#[derive(Clone, Copy)]
pub(crate) enum Arrives {
    /// Another program writes it, and what it writes can't be seen.
    Piped,
    /// It holds nothing.
    Empty,
    /// It is anything but the caller's own.
    Given,
}

/// One effect.
pub(crate) enum Act {
    /// It only reads after all.
    OnlyReads,
    /// It doesn't only read.
    Acts,
    /// It changes things itself, as far as its rights go, and runs no command.
    Works,
    /// It does what its name says.
    Named,
    /// It is more than the program's plain use.
    BeyondPlain,
    /// What it does isn't known after all.
    Unknown,
    /// A finding with its sentence.
    Finding(&'static str, &'static str),
    /// What is lost, and the way back.
    Loses(&'static str, RecoverableBy),
    /// A server by name.
    Contacts(&'static str, &'static str, Direction),
    /// A server that the project's own configuration names.
    ContactsRemote(&'static str, &'static str, Direction),
    /// A server that the words don't name.
    ContactsUnknown(&'static str, Direction),
    /// The addresses among the operands (`://`).
    ContactsUrls(&'static str, Direction),
    /// A port is opened: address, scheme, and the words that name the port, or a number.
    Listens(&'static str, &'static str, AnyOf),
    /// A build folder that the program made is deleted, which is its plain use.
    DeletesBuild(&'static str),
    /// The folder or file that an option names is deleted with all below.
    DeletesValue(&'static str),
    /// A file that isn't among the words is written; `{--option|DEFAULT}` is the value of an option.
    WritesFile(&'static str),
    /// The operand at a place, or all from there on, has this role. [`AFTER_DASHES`] is the place behind `--`.
    Operand(usize, bool, Role),
    /// Operands are deleted; the options that make it recursive, and that force it.
    DeletesOperand(usize, bool, AnyOf, AnyOf),
    /// The value of an option has this role.
    Value(&'static str, Role),
    /// Operands are read, and written to the last of them or to a folder.
    Copies(&'static Copying),
    /// A pattern is searched in the operands.
    Searches(&'static Searching),
    /// What it prints are names.
    Lists(Names),
    /// Rights that the call takes or gives.
    Privilege(PrivilegeKind, &'static str),
    /// A file of the project that running this program is for; `{first}` is the one that the first operand names.
    RunsProject(&'static str, &'static str),
    /// The operands from a place on are a command.
    Runs(usize),
    /// The value of an option is a program or file that is run, if it is a path.
    RunsPath(&'static str),
    /// The operands from a place on are a command, or arguments of the program that an option names.
    RunsWith(usize, &'static str),
    /// The operands from a place on are a command in the container, or under the root, that an option names.
    RunsInsideOf(usize, AnyOf),
    /// The same inside a container, which the first operand names; the option names the program in front of them.
    RunsInside(usize, &'static str),
    /// The operands behind `--` are a command inside a container, which the first operand names; without `--` those
    /// from this place on.
    RunsInsideAfterDashes(usize),
    /// Words that a rule picks have this role.
    Picked(Pick, Role),
    /// The same without these letters at their front and back.
    PickedBare(Pick, Role, [&'static str; 2]),
    /// Words that a rule picks are deleted; the options that make it recursive, and that force it.
    DeletesPicked(Pick, AnyOf, AnyOf),
    /// Words that a rule picks, joined, are shell text, or code of a language.
    RunsCode(Pick, &'static str),
    /// Settings in the value of an option have this role: by their keys; with `true` also a value that is no setting.
    Part(&'static str, AnyOf, Role, bool),
    /// The server that words name: scheme, direction, the words that name the port, and the usual server; with `true`
    /// it gets what stands on standard input.
    ContactsAt(Pick, &'static str, Direction, AnyOf, &'static str, bool),
    /// Files that words name are sent to the host that was named last.
    SendsPicked(Pick),
    /// The words behind the first of these are a command.
    RunsBehind(AnyOf),
    /// The value of an option is shell text, and the operands are its parameters.
    ShellText(&'static str),
    /// The operands from this one on are words for another program, which is run.
    RunsAs(&'static str, usize),
    /// The operands from this one on, joined, are shell text.
    RunsShell(usize),
    /// The operands from this one on are a command that is judged in the place of the program.
    Wraps(usize),
    /// The same behind assignments, and in the folder that an option names; or as arguments of the program that an
    /// option names.
    WrapsWith(usize, &'static Wrapping),
    /// The same, joined, as shell text.
    WrapsShell(usize),
    /// The operands from this one on, joined, are shell text that runs on another machine; which one, in words.
    RunsRemote(usize, &'static str),
    /// The value of an option is.
    RunsRemoteValue(&'static str, &'static str),
    /// Words are packages of a registry; the options with which none of their scripts run and those with which
    /// everybody gets them (`always` for no matter which), and whether newer ones than the lock file names are meant.
    Installs(Pick, &'static str, AnyOf, AnyOf, bool),
    /// The operand at a place, or all from there on, are files whose content goes to the host that was named last.
    Sends(usize, bool),
    /// The file that an option names is.
    SendsValue(&'static str),
    /// What stands behind this mark, in a word that begins with it, is shell text.
    RunsAfter(&'static str),
    /// Words that hold one of these marks name a file behind it, which is read: `@`, `file://`.
    ReadsAfter(AnyOf),
    /// The first operand is a file of a language, else standard input is, unless one of these options was given.
    Interprets(&'static str, AnyOf),
    /// Standard input is code of a language.
    RunsStdin(&'static str),
    /// What it does is what its command does.
    Transparent,
    /// All variables of the environment are printed (`true`), or filled into what it prints.
    Environment(bool),
    /// The value of an option is a mode that may give rights away.
    Mode(&'static str),
    /// What it prints after all.
    Prints(Output),
    /// Files that it changes in place lose what was in them.
    Empties,
    /// Hidden files and secrets that the operands name may be read.
    Mentions,
    /// What only code can say.
    Rust(fn(&mut Call<'_>)),
    /// The first operand is a command that isn't described.
    UnknownCommand,
    /// Later rules don't hold.
    Stop,
}

/// What stands in front of a command that is judged in the place of the program.
pub(crate) struct Wrapping {
    /// `NAME=VALUE` in front of it sets variables.
    pub(crate) assignments: bool,
    /// The option that names the folder it runs in.
    pub(crate) chdir: &'static str,
    /// The option that names the program.
    pub(crate) program: &'static str,
}

/// Applies the rules of a row; whether one of them held.
pub(crate) fn apply(call: &mut Call<'_>, rules: &'static [Rule]) -> bool {
    let mut held = false;
    for rule in rules {
        if !rule.when.iter().all(|condition| condition.holds(call)) {
            continue;
        }
        held = true;
        for act in rule.acts {
            if matches!(act, Act::Stop) {
                return held;
            }
            act.apply(call);
        }
    }
    held
}

impl Condition {
    fn holds(&self, call: &Call<'_>) -> bool {
        let first = call.operands.first().map(|word| word.text.as_str());
        let words = || call.argv.words.iter().skip(1).map(|word| word.text.as_str());
        match self {
            Self::Has(options) => call.any(options),
            Self::Lacks(options) => !call.any(options),
            Self::First(texts) => first.is_some_and(|first| fits_any(texts, first)),
            Self::At(pick) => !picks::words(call, pick).is_empty(),
            Self::FirstNot(texts) => !first.is_some_and(|first| fits_any(texts, first)),
            Self::Kind(kinds) => first.is_some_and(|first| {
                first.split([',', '/', '.']).any(|kind| kinds.contains(&kind.to_ascii_lowercase().as_str()))
            }),
            Self::HiddenOperand => call.operands.iter().any(|word| word.known().is_none()),
            Self::Called(names) => names.contains(&call.spelled),
            Self::Program(names) => names.contains(&call.program.as_str()),
            Self::Operands(least, most) => (*least..=*most).contains(&call.operands.len()),
            Self::Value(options, texts) => call.given.iter().any(|given| {
                let value = given.value.as_ref().map(|value| value.text.as_str());
                options.contains(&given.name) && value.is_some_and(|value| fits_any(texts, value))
            }),
            Self::Word(texts) => words().any(|word| texts.contains(&word)),
            Self::Operand(texts) => is_operand(call, texts),
            Self::NoOperand(texts) => !is_operand(call, texts),
            // Words that begin with a dash are options, also where words are taken as they are.
            Self::Path(paths) => paths.iter().any(|path| is_path(call, path)),
            Self::Verb(verbs) => call.operands.iter().any(|word| is_verb(verbs, &word.text)),
            Self::Words(least, most) => (*least..=*most).contains(&words().count()),
            Self::Options(least, most) => (*least..=*most).contains(&call.given.len()),
            Self::Stdin(Arrives::Piped) => matches!(call.argv.stdin, Stdin::Unknown { .. }),
            Self::Stdin(Arrives::Empty) => call.stdin_is_empty(),
            Self::Stdin(Arrives::Given) => !matches!(call.argv.stdin, Stdin::Inherited),
            Self::Contains(texts) => words().any(|word| texts.iter().any(|text| word.contains(text))),
        }
    }
}

impl Act {
    fn apply(&self, call: &mut Call<'_>) {
        match *self {
            Self::OnlyReads => call.nature = Nature::Reads,
            Self::Acts => call.acts = true,
            Self::Works => call.nature = Nature::Works,
            Self::Named => call.nature = Nature::Named,
            Self::BeyondPlain => call.beyond_plain = true,
            Self::Unknown => call.deeds.known = false,
            Self::Finding(code, message) => {
                let message = filled(call, message);
                call.finding(code, message);
            }
            Self::Loses(what, back) => call.loses(what, back),
            Self::Contacts(host, scheme, direction) => {
                let host = filled(call, host);
                call.contact_named(&host, scheme, direction);
            }
            Self::ContactsRemote(remote, scheme, direction) => call.contact_remote(remote, scheme, direction),
            Self::ContactsUnknown(scheme, direction) => call.contact_unknown(scheme, direction),
            Self::ContactsUrls(scheme, direction) => {
                let urls = call.operands.iter().filter(|word| word.text.contains("://"));
                let urls: Vec<Word> = urls.cloned().collect();
                urls.iter().for_each(|url| call.contact(url, scheme, direction, Vec::new()));
            }
            Self::Listens(address, scheme, port) => {
                let address = filled(call, address);
                match address.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()) {
                    Some((address, port)) => call.listen(address, port.parse().ok(), scheme),
                    None => call.listen(&address, picks::port(call, port), scheme),
                }
            }
            Self::DeletesBuild(folder) => call.write_own_delete(folder),
            Self::DeletesValue(option) => {
                call.values(option).iter().for_each(|path| call.delete(path, true, true));
            }
            Self::WritesFile(path) => match with_defaults(call, path) {
                Ok(path) => call.write_named(&path, WriteMode::Create),
                Err(unseen) => call.write(&unseen, WriteMode::Create),
            },
            Self::Operand(from, to_end, role) => {
                operands(call, from, to_end).iter().for_each(|word| call.apply(role, word));
            }
            Self::DeletesOperand(from, to_end, recursive, force) => {
                let (recursive, force) = (picks::holds(call, recursive), picks::holds(call, force));
                let words = operands(call, from, to_end);
                words.iter().for_each(|word| call.delete(word, recursive, force));
            }
            Self::Value(option, role) => {
                call.values(option).iter().for_each(|value| call.apply(role, value));
            }
            Self::Copies(copying) => copying::apply(call, copying),
            Self::Searches(searching) => searching::apply(call, searching),
            Self::Lists(names) => searching::lists(call, names),
            Self::Privilege(kind, detail) => {
                let detail = filled(call, detail);
                call.privilege(kind, detail);
            }
            Self::RunsProject("{first}", language) => {
                let Some(file) = call.operand(0) else { return };
                // What the program is there for stays its plain use.
                let before = call.beyond_plain;
                let args = call.operands_from(1);
                call.run_file(&file, language, args);
                call.beyond_plain = before;
            }
            // The file that an option names: running it is what the program is there for.
            Self::RunsProject(file, language) if file.starts_with("{-") => {
                let before = call.beyond_plain;
                for file in call.values(file.trim_matches(['{', '}'])) {
                    call.run_file(&file, language, Vec::new());
                }
                call.beyond_plain = before;
            }
            Self::RunsProject(file, "") => call.run_own(file, Code::None),
            Self::RunsProject(file, language) => call.run_own(file, super::call::code(language)),
            Self::Runs(from) => {
                let words = operands(call, from, true);
                call.run_argv(words);
            }
            Self::RunsWith(from, program) => {
                let words = call.value(program).into_iter().chain(operands(call, from, true)).collect();
                call.run_argv(words);
            }
            Self::RunsAs(program, from) => {
                let mut words = vec![Word::literal(program, call.span())];
                words.extend(operands(call, from, true));
                call.run_argv(words);
            }
            Self::RunsShell(from) => {
                if let Some(text) = word::join(&operands(call, from, true)) {
                    call.run_shell(text);
                }
            }
            Self::Wraps(from) => {
                let words = operands(call, from, true);
                call.transparent();
                call.run_argv(words);
            }
            Self::WrapsWith(from, wrapping) => {
                let words: Vec<Word> =
                    call.value(wrapping.program).into_iter().chain(operands(call, from, true)).collect();
                call.transparent();
                if wrapping.assignments {
                    let folder = call.value(wrapping.chdir);
                    super::wrappers::run_assigned(call, &words, folder);
                } else {
                    call.run_argv(words);
                }
            }
            Self::WrapsShell(from) => super::wrappers::shell_text(call, from),
            Self::RunsRemote(from, on) => {
                if let Some(text) = word::join(&operands(call, from, true)) {
                    let on = filled(call, on);
                    call.run_shell_in(text, Vec::new(), Place::Remote(on));
                }
            }
            Self::RunsRemoteValue(option, on) => {
                for text in call.values(option) {
                    call.run_shell_in(text, Vec::new(), Place::Remote(on.to_owned()));
                }
            }
            Self::Picked(ref pick, role) => picks::give(call, pick, role, ["", ""]),
            Self::PickedBare(ref pick, role, letters) => picks::give(call, pick, role, letters),
            Self::DeletesPicked(ref pick, recursive, force) => {
                let (recursive, force) = (picks::holds(call, recursive), picks::holds(call, force));
                picks::words(call, pick).iter().for_each(|word| call.delete(word, recursive, force));
            }
            Self::RunsCode(ref pick, language) => match word::join(&picks::words(call, pick)) {
                Some(text) if language.is_empty() => call.run_shell(text),
                Some(text) => call.run_language(language, text),
                None => {}
            },
            Self::Part(option, keys, role, alone) => picks::part(call, option, keys, role, alone),
            Self::ContactsAt(ref pick, scheme, direction, port, otherwise, stdin) => {
                let before = call.deeds.hosts.len();
                picks::contact(call, pick, scheme, direction, port, otherwise);
                if stdin {
                    picks::sends_stdin(call, before);
                }
            }
            Self::SendsPicked(ref pick) => {
                let files = picks::words(call, pick);
                send(call, files);
            }
            Self::RunsBehind(marks) => {
                let at = call.argv.words.iter().position(|word| marks.contains(&word.text.as_str()));
                let words = at.and_then(|at| call.argv.words.get(at + 1..)).unwrap_or_default().to_vec();
                call.run_argv(words);
            }
            Self::ShellText(option) => {
                // The first parameter is the name of the shell.
                let mut args = vec![Word::literal(call.program.clone(), call.span())];
                args.extend(call.operands.iter().cloned());
                if let Some(text) = call.value(option) {
                    let place = call.argv.place.clone();
                    call.run_shell_in(text, args, place);
                }
            }
            Self::Installs(ref pick, registry, without_scripts, system, newest) => {
                let packages = picks::words(call, pick);
                let (scripts, system) = (!picks::holds(call, without_scripts), picks::holds(call, system));
                super::packages::install(call, &packages, scripts, system, registry);
                if let Some(install) = call.deeds.installs.last_mut().filter(|_| newest) {
                    install.source = InstallSource::Registry;
                }
            }
            Self::Sends(from, to_end) => {
                let files = operands(call, from, to_end);
                send(call, files);
            }
            Self::SendsValue(option) => {
                let files = call.values(option);
                send(call, files);
            }
            Self::RunsAfter(mark) => {
                let words = call.argv.words.iter().skip(1);
                let texts: Vec<Word> = words.filter_map(|word| word::after(word, mark)).collect();
                texts.into_iter().for_each(|text| call.run_shell(text));
            }
            Self::ReadsAfter(marks) => {
                let words = call.argv.words.iter().skip(1);
                let files: Vec<Word> = words.filter_map(|word| behind(word, marks)).collect();
                files.iter().for_each(|file| call.read(file));
            }
            Self::Interprets(language, unless) => super::interpreters::file_or_stdin(call, language, unless),
            Self::RunsStdin("*") => call.run_stdin(&call.program.clone(), Vec::new()),
            Self::RunsStdin(language) => call.run_stdin(language, Vec::new()),
            Self::Transparent => call.transparent(),
            Self::Environment(true) => call.env_read("*"),
            Self::Environment(false) => call.env_read_quietly(),
            Self::Mode(option) => {
                if let Some(mode) = call.value(option) {
                    super::coreutils::judge_mode(call, &mode);
                }
            }
            Self::Prints(output) => call.deeds.output = output,
            Self::Empties => call.empties(),
            Self::RunsPath(option) => {
                let paths = call.values(option).into_iter().filter(|path| path.text.contains('/'));
                paths.collect::<Vec<_>>().iter().for_each(|path| call.run_file(path, "", Vec::new()));
            }
            Self::RunsInside(from, program) => {
                let container = call.operands.first().map(|name| name.text.clone()).unwrap_or_default();
                let words = call.values(program).into_iter().chain(call.operands_from(from)).collect();
                inside(call, container, words);
            }
            Self::RunsInsideOf(from, options) => {
                let name = options.iter().find_map(|option| call.value(option));
                let words = operands(call, from, true);
                inside(call, name.map(|name| name.text).unwrap_or_default(), words);
            }
            Self::RunsInsideAfterDashes(place) => {
                let container = call.operands.first().map(|name| name.text.clone()).unwrap_or_default();
                let words = call.operands_from(call.dashes_at.unwrap_or(place));
                inside(call, container, words);
            }
            Self::Mentions => {
                call.operands.clone().iter().for_each(|word| super::unknown::mention(call, word));
            }
            Self::UnknownCommand => {
                let word = call.operand(0).unwrap_or_default();
                call.unknown_sub(&word);
            }
            Self::Rust(function) => function(call),
            Self::Stop => {}
        }
    }
}

/// Files whose content goes to the host that was named last.
fn send(call: &mut Call<'_>, files: Vec<Word>) {
    let before = call.deeds.reads.len();
    files.iter().for_each(|file| call.read(file));
    call.deeds.reads.iter_mut().skip(before).for_each(|read| read.reaches_host = true);
    if let Some(host) = call.deeds.hosts.last_mut() {
        host.body_from.extend(files.into_iter().map(|file| file.text));
    }
}

/// A command that runs inside a container, with or without `--` in front of it.
pub(crate) fn inside(call: &mut Call<'_>, container: String, mut words: Vec<Word>) {
    if words.first().is_some_and(|word| word.text == "--") {
        words.remove(0);
    }
    if words.is_empty() {
        return;
    }
    let via = call.program.clone();
    // `chroot /` leads to no other place.
    let is_here = !container.is_empty() && container.trim_matches(['/', '.']).is_empty();
    let place = if is_here { call.argv.place.clone() } else { Place::Container(container) };
    call.run(Run::Argv {
        words,
        assignments: Vec::new(),
        more_operands: false,
        via,
        place,
        chdir: None,
        passes_stdin: true,
    });
}

fn operands(call: &Call<'_>, from: usize, to_end: bool) -> Vec<Word> {
    let from = match from {
        AFTER_DASHES => call.dashes_at.unwrap_or(from),
        FROM_COMMAND => picks::command(call),
        from => from,
    };
    let mut words = call.operands_from(from);
    words.truncate(if to_end { usize::MAX } else { 1 });
    words
}

fn is_operand(call: &Call<'_>, texts: &[&str]) -> bool {
    call.operands.iter().any(|word| fits_any(texts, &word.text))
}

/// Whether the operands begin with the words of `path`, which `/` separates. A word with a dash is an option, unless
/// the path has one there.
fn is_path(call: &Call<'_>, path: &str) -> bool {
    let mut operands = call.operands.iter();
    path.split('/').all(|text| {
        let word = operands.find(|word| text.starts_with('-') || !word.text.starts_with('-'));
        word.is_some_and(|word| text == "*" || fits(text, &word.text))
    })
}

/// Whether a word is one of the verbs, or its last part (behind `:`) begins with one: `delete-stack`, `apps:delete`.
fn is_verb(verbs: &[&str], word: &str) -> bool {
    if word.starts_with('-') {
        return false;
    }
    let last = word.rsplit(':').next().unwrap_or(word);
    let first = last.split(['-', '_']).next().unwrap_or(last);
    [word, last, first].iter().any(|part| verbs.contains(part))
}

/// What stands behind the first of these marks that a word holds.
fn behind(word: &Word, marks: &[&str]) -> Option<Word> {
    let (at, mark) = marks.iter().filter_map(|mark| Some((word.text.find(mark)?, mark))).min()?;
    Some(word::slice(word, at + mark.len(), word.text.len())).filter(|file| !file.text.is_empty())
}

/// A path of a spec in which `{--option|DEFAULT}` stands for the value of an option, by its first spelling, and
/// `{1|DEFAULT}` for an operand; the value itself if it can't be seen.
fn with_defaults(call: &Call<'_>, path: &str) -> Result<String, Word> {
    let Some((front, (named, rest))) =
        path.split_once('{').and_then(|(front, rest)| Some((front, rest.split_once('}')?)))
    else {
        return Ok(path.to_owned());
    };
    let (option, default) = named.split_once('|').unwrap_or((named, ""));
    let operand = option.parse().ok().map(|place| call.operand(place));
    let value = match operand.clone().unwrap_or_else(|| call.value(option)) {
        Some(value) if value.known().is_none() && operand.is_none() => return Err(value),
        Some(value) => value.text,
        None => default.to_owned(),
    };
    Ok(format!("{front}{value}{}", with_defaults(call, rest)?))
}

/// Whether a value is one of these texts.
fn fits_any(texts: &[&str], value: &str) -> bool {
    texts.iter().any(|text| fits(text, value))
}

/// Whether a value is this text, in which `*` stands for any characters and `␣` for a blank. `#` alone is a number, and
/// a text that begins with `~` is compared in any case, unless it is a path (`~/x`).
pub(super) fn fits(text: &str, value: &str) -> bool {
    if text == "#" {
        return value.parse::<f64>().is_ok();
    }
    let spaced =
        if text.contains(BLANK) { Cow::Owned(text.replace(BLANK, " ")) } else { Cow::Borrowed(text) };
    match text.strip_prefix('~').filter(|text| !text.starts_with('/') && *text != "*" && !text.is_empty()) {
        Some(_) => {
            let spaced = spaced.to_lowercase();
            fits_exactly(spaced.strip_prefix('~').unwrap_or(&spaced), &value.to_lowercase())
        }
        None => fits_exactly(&spaced, value),
    }
}

fn fits_exactly(text: &str, mut value: &str) -> bool {
    let Some((front, rest)) = text.split_once('*') else { return value == text };
    value = match value.strip_prefix(front) {
        Some(rest) => rest,
        None => return false,
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let back = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, rest)) = value.split_once(part) else { return false };
        value = rest;
    }
    value.ends_with(back)
}

/// A sentence of a spec: `{program}`, `{command}`, the `{first}` operand, and the value of `{--option}`.
fn filled(call: &Call<'_>, sentence: &str) -> String {
    if !sentence.contains('{') {
        return sentence.to_owned();
    }
    let first = call.operands.first().map(|word| word.text.as_str()).unwrap_or_default();
    let mut command = call.path.clone();
    if let Some(last) = command.last_mut() {
        *last = call.spelled;
    }
    let filled = sentence
        .replace("{program}", &call.program)
        .replace("{command}", &command.join(" "))
        .replace("{first}", first);
    call.given
        .iter()
        .filter_map(|given| Some((given.name, given.value.as_ref()?)))
        .fold(filled, |sentence, (name, value)| sentence.replace(&format!("{{{name}}}"), &value.text))
}
