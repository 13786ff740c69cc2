//! The engine that carries out what a program does besides the roles of its words.
//!
//! The rules come from the specs under `knowledge/programs` (`doorward_knowledge::effect`). Most of what a program does is said there; a rule names a
//! function of this crate ([`Act::Rust`]) only for what these words can't express.

use std::borrow::Cow;

use doorward_core::intent::{Code, Direction, InstallSource, Place, PrivilegeKind, RecoverableBy, WriteMode};
use doorward_knowledge::effect::{
    AFTER_DASHES, Act, Arrives, Condition, FROM_COMMAND, Rights, Rule, Transfer, WayBack,
};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, Stdin, Word};

use super::call::Call;
use super::picks::{self, BLANK};
use super::{copying, functions, searching, word};

/// Applies the rules of a row; whether one of them held.
pub(crate) fn apply(call: &mut Call<'_>, rules: &'static [Rule]) -> bool {
    let mut held = false;
    for rule in rules {
        if !rule.when.iter().all(|condition| holds(condition, call)) {
            continue;
        }
        held = true;
        for act in rule.acts.all() {
            if matches!(act, Act::Stop) {
                return held;
            }
            carry_out(act, call);
        }
    }
    held
}

fn holds(condition: &Condition, call: &Call<'_>) -> bool {
    let first = call.operands.first().map(|word| word.text.as_str());
    let words = || call.argv.words.iter().skip(1).map(|word| word.text.as_str());
    match condition {
        Condition::Has(options) => call.any(options),
        Condition::Lacks(options) => !call.any(options),
        Condition::First(texts) => first.is_some_and(|first| fits_any(texts, first)),
        Condition::At(pick) => !picks::words(call, pick).is_empty(),
        Condition::FirstNot(texts) => !first.is_some_and(|first| fits_any(texts, first)),
        Condition::Kind(kinds) => first.is_some_and(|first| {
            first.split([',', '/', '.']).any(|kind| kinds.contains(&kind.to_ascii_lowercase().as_str()))
        }),
        Condition::HiddenOperand => call.operands.iter().any(|word| word.known().is_none()),
        Condition::Called(names) => names.contains(&call.spelled),
        Condition::Program(names) => names.contains(&call.program.as_str()),
        Condition::Operands(least, most) => is_between(*least, *most, call.operands.len()),
        Condition::Value(options, texts) => call.given.iter().any(|given| {
            let value = given.value.as_ref().map(|value| value.text.as_str());
            options.contains(&given.name) && value.is_some_and(|value| fits_any(texts, value))
        }),
        Condition::Word(texts) => words().any(|word| texts.contains(&word)),
        Condition::Operand(texts) => is_operand(call, texts),
        Condition::NoOperand(texts) => !is_operand(call, texts),
        // Words that begin with a dash are options, also where words are taken as they are.
        Condition::Path(paths) => paths.iter().any(|path| is_path(call, path)),
        Condition::Verb(verbs) => call.operands.iter().any(|word| is_verb(verbs, &word.text)),
        Condition::Words(least, most) => is_between(*least, *most, words().count()),
        Condition::Options(least, most) => is_between(*least, *most, call.given.len()),
        Condition::Stdin(Arrives::Piped) => matches!(call.argv.stdin, Stdin::Unknown { .. }),
        Condition::Stdin(Arrives::Empty) => call.stdin_is_empty(),
        Condition::Stdin(Arrives::Given) => !matches!(call.argv.stdin, Stdin::Inherited),
        Condition::Contains(texts) => words().any(|word| texts.iter().any(|text| word.contains(text))),
    }
}

fn carry_out(act: &Act, call: &mut Call<'_>) {
    match *act {
        Act::OnlyReads => call.nature = Nature::Reads,
        Act::Acts => call.acts = true,
        Act::Works => call.nature = Nature::Works,
        Act::Named => call.nature = Nature::Named,
        Act::BeyondPlain => call.beyond_plain = true,
        Act::Unknown => call.deeds.known = false,
        Act::Finding(code, message) => {
            let message = filled(call, message);
            call.finding(code, message);
        }
        Act::Loses(what, back) => call.loses(what, way_back(back)),
        Act::Contacts(host, scheme, direction) => {
            let host = filled(call, host);
            call.contact_named(&host, scheme, self::direction(direction));
        }
        Act::ContactsRemote(remote, scheme, direction) => {
            call.contact_remote(remote, scheme, self::direction(direction))
        }
        Act::ContactsUnknown(scheme, direction) => call.contact_unknown(scheme, self::direction(direction)),
        Act::ContactsUrls(scheme, direction) => {
            let urls = call.operands.iter().filter(|word| word.text.contains("://"));
            let urls: Vec<Word> = urls.cloned().collect();
            urls.iter().for_each(|url| call.contact(url, scheme, self::direction(direction), Vec::new()));
        }
        Act::Listens(address, scheme, port) => {
            let address = filled(call, address);
            match address.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()) {
                Some((address, port)) => call.listen(address, port.parse().ok(), scheme),
                None => call.listen(&address, picks::port(call, port), scheme),
            }
        }
        Act::DeletesBuild(folder) => call.write_own_delete(folder),
        Act::DeletesValue(option) => {
            call.values(option).iter().for_each(|path| call.delete(path, true, true));
        }
        Act::WritesFile(path) => match with_defaults(call, path) {
            Ok(path) => call.write_named(&path, WriteMode::Create),
            Err(unseen) => call.write(&unseen, WriteMode::Create),
        },
        Act::Operand(from, to_end, role) => {
            operands(call, from, to_end).iter().for_each(|word| call.apply(role, word));
        }
        Act::DeletesOperand(from, to_end, recursive, force) => {
            let (recursive, force) = (picks::holds(call, recursive), picks::holds(call, force));
            let words = operands(call, from, to_end);
            words.iter().for_each(|word| call.delete(word, recursive, force));
        }
        Act::Value(option, role) => {
            call.values(option).iter().for_each(|value| call.apply(role, value));
        }
        Act::Copies(copying) => copying::apply(call, copying),
        Act::Searches(searching) => searching::apply(call, searching),
        Act::Lists(names) => searching::lists(call, names),
        Act::Privilege(kind, detail) => {
            let detail = filled(call, detail);
            call.privilege(rights(kind), detail);
        }
        Act::RunsProject("{first}", language) => {
            let Some(file) = call.operand(0) else { return };
            // What the program is there for stays its plain use.
            let before = call.beyond_plain;
            let args = call.operands_from(1);
            call.run_file(&file, language, args);
            call.beyond_plain = before;
        }
        // The file that an option names: running it is what the program is there for.
        Act::RunsProject(file, language) if file.starts_with("{-") => {
            let before = call.beyond_plain;
            for file in call.values(file.trim_matches(['{', '}'])) {
                call.run_file(&file, language, Vec::new());
            }
            call.beyond_plain = before;
        }
        Act::RunsProject(file, "") => call.run_own(file, Code::None),
        Act::RunsProject(file, language) => call.run_own(file, super::call::code(language)),
        Act::Runs(from) => {
            let words = operands(call, from, true);
            call.run_argv(words);
        }
        Act::RunsWith(from, program) => {
            let words = call.value(program).into_iter().chain(operands(call, from, true)).collect();
            call.run_argv(words);
        }
        Act::RunsAs(program, from) => {
            let mut words = vec![Word::literal(program, call.span())];
            words.extend(operands(call, from, true));
            call.run_argv(words);
        }
        Act::RunsShell(from) => {
            if let Some(text) = word::join(&operands(call, from, true)) {
                call.run_shell(text);
            }
        }
        Act::Wraps(from) => {
            let words = operands(call, from, true);
            call.transparent();
            call.run_argv(words);
        }
        Act::WrapsWith(from, wrapping) => {
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
        Act::WrapsShell(from) => super::wrappers::shell_text(call, usize::from(from)),
        Act::RunsRemote(from, on) => {
            if let Some(text) = word::join(&operands(call, from, true)) {
                let on = filled(call, on);
                call.run_shell_in(text, Vec::new(), Place::Remote(on));
            }
        }
        Act::RunsRemoteValue(option, on) => {
            for text in call.values(option) {
                call.run_shell_in(text, Vec::new(), Place::Remote(on.to_owned()));
            }
        }
        Act::Picked(ref pick, role) => picks::give(call, pick, role, ["", ""]),
        Act::PickedBare(ref pick, role, letters) => picks::give(call, pick, role, letters),
        Act::DeletesPicked(ref pick, recursive, force) => {
            let (recursive, force) = (picks::holds(call, recursive), picks::holds(call, force));
            picks::words(call, pick).iter().for_each(|word| call.delete(word, recursive, force));
        }
        Act::RunsCode(ref pick, language) => match word::join(&picks::words(call, pick)) {
            Some(text) if language.is_empty() => call.run_shell(text),
            Some(text) => call.run_language(language, text),
            None => {}
        },
        Act::Part(option, keys, role, alone) => picks::part(call, option, keys, role, alone),
        Act::ContactsAt(ref pick, scheme, direction, port, otherwise, stdin) => {
            let before = call.deeds.hosts.len();
            picks::contact(call, pick, scheme, self::direction(direction), port, otherwise);
            if stdin {
                picks::sends_stdin(call, before);
            }
        }
        Act::SendsPicked(ref pick) => {
            let files = picks::words(call, pick);
            send(call, files);
        }
        Act::RunsBehind(marks) => {
            let at = call.argv.words.iter().position(|word| marks.contains(&word.text.as_str()));
            let words = at.and_then(|at| call.argv.words.get(at + 1..)).unwrap_or_default().to_vec();
            call.run_argv(words);
        }
        Act::ShellText(option) => {
            // The first parameter is the name of the shell.
            let mut args = vec![Word::literal(call.program.clone(), call.span())];
            args.extend(call.operands.iter().cloned());
            if let Some(text) = call.value(option) {
                let place = call.argv.place.clone();
                call.run_shell_in(text, args, place);
            }
        }
        Act::Installs(ref pick, registry, without_scripts, system, newest) => {
            let packages = picks::words(call, pick);
            let (scripts, system) = (!picks::holds(call, without_scripts), picks::holds(call, system));
            super::packages::install(call, &packages, scripts, system, registry);
            if let Some(install) = call.deeds.installs.last_mut().filter(|_| newest) {
                install.source = InstallSource::Registry;
            }
        }
        Act::Sends(from, to_end) => {
            let files = operands(call, from, to_end);
            send(call, files);
        }
        Act::SendsValue(option) => {
            let files = call.values(option);
            send(call, files);
        }
        Act::RunsAfter(mark) => {
            let words = call.argv.words.iter().skip(1);
            let texts: Vec<Word> = words.filter_map(|word| word::after(word, mark)).collect();
            texts.into_iter().for_each(|text| call.run_shell(text));
        }
        Act::ReadsAfter(marks) => {
            let words = call.argv.words.iter().skip(1);
            let files: Vec<Word> = words.filter_map(|word| behind(word, &marks)).collect();
            files.iter().for_each(|file| call.read(file));
        }
        Act::Interprets(language, unless) => super::interpreters::file_or_stdin(call, language, &unless),
        Act::RunsStdin("*") => call.run_stdin(&call.program.clone(), Vec::new()),
        Act::RunsStdin(language) => call.run_stdin(language, Vec::new()),
        Act::Transparent => call.transparent(),
        Act::Environment(true) => call.env_read("*"),
        Act::Environment(false) => call.env_read_quietly(),
        Act::Mode(option) => {
            if let Some(mode) = call.value(option) {
                super::coreutils::judge_mode(call, &mode);
            }
        }
        Act::Prints(output) => call.deeds.output = output,
        Act::Empties => call.empties(),
        Act::RunsPath(option) => {
            let paths = call.values(option).into_iter().filter(|path| path.text.contains('/'));
            paths.collect::<Vec<_>>().iter().for_each(|path| call.run_file(path, "", Vec::new()));
        }
        Act::RunsInside(from, program) => {
            let container = call.operands.first().map(|name| name.text.clone()).unwrap_or_default();
            let words =
                call.values(program).into_iter().chain(call.operands_from(usize::from(from))).collect();
            inside(call, container, words);
        }
        Act::RunsInsideOf(from, options) => {
            let name = options.iter().find_map(|option| call.value(option));
            let words = operands(call, from, true);
            inside(call, name.map(|name| name.text).unwrap_or_default(), words);
        }
        Act::RunsInsideAfterDashes(place) => {
            let container = call.operands.first().map(|name| name.text.clone()).unwrap_or_default();
            let place = if place == AFTER_DASHES { usize::MAX } else { usize::from(place) };
            let words = call.operands_from(call.dashes_at.unwrap_or(place));
            inside(call, container, words);
        }
        Act::Mentions => {
            call.operands.clone().iter().for_each(|word| super::unknown::mention(call, word));
        }
        Act::UnknownCommand => {
            let word = call.operand(0).unwrap_or_default();
            call.unknown_sub(&word);
        }
        Act::Rust(function) => match functions::named(function) {
            Some(function) => function(call),
            None => call.deeds.known = false,
        },
        Act::Stop => {}
    }
}

/// Whether a count lies between these; the greatest number stands for no bound.
fn is_between(least: u16, most: u16, count: usize) -> bool {
    count >= usize::from(least) && (most == u16::MAX || count <= usize::from(most))
}

const fn direction(transfer: Transfer) -> Direction {
    match transfer {
        Transfer::Fetch => Direction::Fetch,
        Transfer::Send => Direction::Send,
        Transfer::Both => Direction::Both,
    }
}

const fn rights(rights: Rights) -> PrivilegeKind {
    match rights {
        Rights::Root => PrivilegeKind::Root,
        Rights::Group => PrivilegeKind::Group,
        Rights::Container => PrivilegeKind::ContainerEscape,
        Rights::Kernel => PrivilegeKind::Kernel,
        Rights::Capability => PrivilegeKind::Capability,
    }
}

const fn way_back(back: WayBack) -> RecoverableBy {
    match back {
        WayBack::None => RecoverableBy::None,
        WayBack::Reflog => RecoverableBy::Reflog,
        WayBack::Remote => RecoverableBy::Remote,
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

fn operands(call: &Call<'_>, from: u16, to_end: bool) -> Vec<Word> {
    let from = match from {
        AFTER_DASHES => call.dashes_at.unwrap_or(usize::MAX),
        FROM_COMMAND => picks::command(call),
        from => usize::from(from),
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
