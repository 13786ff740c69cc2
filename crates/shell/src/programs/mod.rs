//! What known programs do with their words: one engine, and tables as data.
//!
//! [`describe`] looks the program up, takes its words apart by the row's grammar, applies the role of every option
//! and operand, and calls the function beside the row where a row can't say it all. It never recurses: code that
//! would run comes back as [`Run`](crate::deed::Run) requests. It never looks at the world, and what it doesn't know
//! it says (`known`, `shell.unknown_program`, `shell.obfuscated`).

mod archives;
pub(crate) mod asked;
mod build;
mod builtins;
mod call;
mod carried;
mod choosers;
pub(crate) mod compact;
mod containers;
mod copying;
mod coreutils;
mod debug;
mod editors;
mod effects;
pub(crate) mod embedded;
pub(crate) mod endless;
mod environment;
mod find;
mod functions;
pub mod git;
mod interpreters;
mod lasting;
mod mentions;
mod modules;
mod names;
mod network;
mod own;
mod packages;
mod parse;
pub(crate) mod patches;
mod picks;
mod readers;
mod searching;
mod shells;
mod shipped;
mod show;
mod ssh;
mod text;
mod unknown;
mod url;
mod windows;
mod word;
mod wrappers;

use doorward_core::finding::Finding;
use doorward_core::intent::{Form, MentionKind, Place};
use doorward_core::risk::SecurityRisk;
use doorward_knowledge::NamedRow;
use doorward_knowledge::row::{Nature, ProgramRow, Role, Style};

use crate::deed::{Argv, Deeds, Word};

use call::Call;
use shipped::{lookup, resolve};

pub use compact::example;
pub use environment::is_harmless;
pub(crate) use environment::{is_exported, is_harmless_value};
pub use own::{ToolFile, Tools};
pub(crate) use shipped::of_windows;
pub use shipped::{names, source};
pub use show::show;
pub(crate) use url::host as host_of;

/// What is known about the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// Home folder, where known.
    pub home: Option<String>,
    /// Programs that the user, the administrator or the project described.
    pub tools: Tools,
}

/// The words of a program of git's own folder as git is called: `git-push` is `git push`.
pub(crate) fn spelled(first: &Word, words: impl FnOnce() -> Vec<Word>) -> Option<Vec<Word>> {
    if first.form != Form::Literal || !first.text.contains("git-") {
        return None;
    }
    git::dashed(&Named::of(&first.text).name, &words())
}

/// What this argv does.
#[must_use]
pub fn describe(argv: &Argv, ctx: &Context) -> Deeds {
    let Some(first) = argv.words.first() else {
        return Deeds { known: true, read_only: true, plain: true, ..Deeds::default() };
    };
    let program = Named::of(&first.text);
    if first.form == Form::Literal
        && let Some(words) = git::dashed(&program.name, &argv.words)
    {
        return describe(&Argv { words, ..argv.clone() }, ctx);
    }
    if let Some(given) = environment::as_options(&program.name, argv) {
        return describe(&given, ctx);
    }
    let shipped = resolve(&program.name);
    let own = if program.folder == Folder::System && !program.is_file {
        ctx.tools.of(&program.name, shipped.map(|(name, _)| name))
    } else {
        own::Found::default()
    };
    let (base, further) = own.with(shipped);
    let mut deeds = describe_by(argv, ctx, &program, base);
    for row in further {
        own::tighten(&mut deeds, describe_by(argv, ctx, &program, Some(row)));
    }
    deeds
}

/// What this argv does, as one row of the tables says; `found` is the row and the program's name in it.
fn describe_by(argv: &Argv, ctx: &Context, program: &Named, found: Option<NamedRow>) -> Deeds {
    let Some((first, rest)) = argv.words.split_first() else { return Deeds::default() };
    let row = found.map(|(_, row)| row);
    let mut call = Call {
        argv,
        ctx,
        program: found.map_or_else(|| program.name.clone(), |(name, _)| name.to_owned()),
        path: Vec::new(),
        spelled: "",
        nature: row.map_or(Nature::Works, |row| row.nature),
        given: Vec::new(),
        operands: rest.to_vec(),
        dashes_at: None,
        strangers: Vec::new(),
        deeds: Deeds { known: true, ..Deeds::default() },
        beyond_plain: false,
        acts: false,
        carries_code: false,
        reads_own_words: row.is_none_or(|row| row.style == Style::Raw || row.style.is_lenient()),
        is_raw: row.is_none_or(|row| row.style == Style::Raw),
    };
    environment::apply(&mut call, &argv.assignments);
    if first.form != Form::Literal {
        call.deeds.known = false;
        call.acts = true;
        call.finding("shell.obfuscated", "which program runs can't be seen");
        call.operands.clone().iter().for_each(|word| unknown::mention(&mut call, word));
    } else if program.is_file && environment::is_trusted_bin(&first.text) {
        // A folder of programs can't be run: what was listed in it stands here.
        call.deeds.known = false;
        call.acts = true;
        call.finding("shell.obfuscated", "which program runs can't be seen");
        call.operands.clone().iter().for_each(|word| unknown::mention(&mut call, word));
    } else if program.is_file || (program.folder == Folder::Own && row.is_none()) {
        call.run_file(first, "", rest.to_vec());
        call.beyond_plain = false;
        call.operands.clone().iter().for_each(|word| unknown::mention(&mut call, word));
    } else if let Some(row) = row {
        if program.folder == Folder::Own {
            call.run_file(first, "", rest.to_vec());
        }
        if asks_for_help(rest, row) {
            call.nature = Nature::Reads;
            call.operands.clear();
        } else {
            known(&mut call, row);
        }
    } else {
        unknown::describe(&mut call);
    }
    choosers::note(&mut call);
    if !call.deeds.transparent {
        lasting::note(&mut call);
        carried::note(&mut call);
    }
    mentions::note(&mut call);
    carried::note_ways(&mut call);
    finish(call)
}

pub(crate) use names::is_word;

/// Whether a program of this name is in the tables.
#[must_use]
pub fn is_known(name: &str) -> bool {
    lookup(&Named::of(name).name).is_some()
}

/// Whether a program makes programs of sources: what it writes, it makes again.
#[must_use]
pub fn is_compiler(name: &str) -> bool {
    asked::COMPILERS.contains(&name)
}

/// Whether a program only reads, and prints of its input what fits.
pub(crate) fn is_filter(name: &str) -> bool {
    lookup(&Named::of(name).name)
        .is_some_and(|row| row.nature == Nature::Reads && row.output == crate::deed::Output::Filtered)
}

/// Describes a call by its row: options, sub-commands, roles, and the function beside it.
fn known(call: &mut Call<'_>, mut row: &'static ProgramRow) {
    let throughout = row.throughout;
    let mut words = std::mem::take(&mut call.operands);
    // Options that a lenient row doesn't list.
    let mut unlisted = Vec::new();
    loop {
        let parsed = parse::parse(&words, row);
        call.given.extend(parsed.given);
        if row.style.is_lenient() {
            unlisted.extend(parsed.strangers);
        } else {
            call.strangers.extend(parsed.strangers);
        }
        call.operands = parsed.operands;
        call.dashes_at = parsed.dashes_at;
        call.acts |= parsed.loose && row.specs().any(|spec| spec.role.is_some_and(Role::acts));
        call.nature = row.nature;
        call.reads_own_words |= row.style == Style::Raw || row.style.is_lenient();
        call.is_raw |= matches!(row.style, Style::Raw | Style::LenientWord | Style::LenientWordPosix);
        call.deeds.output = row.output;
        call.deeds.stdin = row.stdin;
        if !row.has_commands() {
            break;
        }
        let Some((first, rest)) = call.operands.split_first() else { break };
        let Some((sub, spelled)) = first.known().and_then(|name| names::command_of(row, name)) else {
            apply_options(call);
            effects::apply(call, throughout.all());
            settle(call, row);
            if !effects::apply(call, row.otherwise.all()) && !call.deeds.runs.iter().any(is_alias) {
                let words = call.operands.clone();
                let (word, rest) =
                    words.split_first().map_or_else(Default::default, |(word, rest)| (word.clone(), rest));
                if !unknown::command_line_of(call, rest) {
                    call.unknown_sub(&word);
                }
                call.operands.clone().iter().for_each(|word| unknown::mention(call, word));
            }
            strangers(call);
            return;
        };
        let rest = rest.to_vec();
        // A shortened word is never a read: another version may know another word that it is short for.
        call.acts |= !first.text.eq_ignore_ascii_case(spelled);
        // The parent's rules see the global options.
        settle(call, row);
        call.path.push(sub.names.split(' ').next().unwrap_or_default());
        call.spelled = spelled;
        if asks_for_help(&rest, sub) {
            call.nature = Nature::Reads;
            call.operands.clear();
            return;
        }
        row = sub;
        words = rest;
    }
    apply_options(call);
    if row.operands.is_empty() {
        if row.rules.is_empty() && !call.operands.is_empty() {
            call.deeds.known = false;
            call.operands.clone().iter().for_each(|word| unknown::mention(call, word));
        }
    } else {
        call.apply_operands(row.operands);
    }
    effects::apply(call, throughout.all());
    settle(call, row);
    // Of words that are taken as they are, nothing says which are files.
    let is_rough = row.style == Style::Raw && row.nature == Nature::Works && !row.rules.is_empty();
    if is_rough || row.style.is_lenient() {
        hidden_names(call);
        written_elsewhere(call);
    }
    strangers(call);
    let has_readers = matches!(row.style, Style::LenientWord | Style::LenientWordPosix)
        && readers::of(&call.program).next().is_some();
    if call.nature == Nature::Reads && !has_readers {
        report_unlisted(call, &unlisted);
    }
    unlisted_options(call, row);
    if call.nature == Nature::Reads
        && let Some(verb) = call.operands.iter().find(|word| !word.text.starts_with('-')).cloned()
        && readers::is_unlisted_verb(&call.program, &verb.text)
    {
        call.acts = true;
        let message = format!("uses `{} {}`, which Doorward does not know", call.program, verb.text);
        call.finding("shell.unknown_option", message);
    }
}

/// What the row's rules say of the call.
fn settle(call: &mut Call<'_>, row: &'static ProgramRow) {
    effects::apply(call, row.rules.all());
}

/// Long options that only choose how something is shown, whatever the program.
const SHOWING: &str = "--all --all-namespaces --color --colour --help --human-readable --json --list \
    --long --no-color --no-colour --no-header --no-headers --no-legend --no-pager --no-trunc --quiet \
    --reverse --silent --verbose --version --wide";

/// Options that nobody described, of a row whose function reads the words and found that the call only reads: what
/// they do isn't known, so the call isn't proved to read.
fn unlisted_options(call: &mut Call<'_>, row: &'static ProgramRow) {
    let lenient = matches!(row.style, Style::LenientWord | Style::LenientWordPosix);
    let asks = row.style == Style::Raw && row.reading != Style::Raw
        || lenient && readers::of(&call.program).next().is_some();
    if !asks || call.nature != Nature::Reads {
        return;
    }
    let words: Vec<Word> = call.argv.words.iter().skip(1).cloned().collect();
    let mut listing = ProgramRow { style: row.reading, ..*row };
    let readers: Vec<&readers::Reader> = readers::of(&call.program).collect();
    if let Some(reader) = readers.first() {
        // What a lenient row lists isn't said to read.
        let common = if lenient { "" } else { row.options };
        listing = ProgramRow { style: reader.style, options: reader.options, common, ..listing };
    }
    if let Some(reader) = readers.get(1) {
        listing.more = reader.options;
    }
    let parsed = parse::parse(&words, &listing);
    report_unlisted(call, &parsed.strangers);
    // What the row itself lists was applied before.
    let fresh = |given: &&parse::GivenOption| !lenient || !row.specs().any(|spec| spec.name() == given.name);
    for given in parsed.given.iter().filter(fresh) {
        if let (Some(role), Some(value)) = (given.role, &given.value) {
            call.apply(role, value);
        }
    }
}

/// Says of each option that isn't listed that the call isn't proved to read.
fn report_unlisted(call: &mut Call<'_>, strangers: &[parse::Stranger]) {
    let words: Vec<Word> = call.argv.words.iter().skip(1).cloned().collect();
    for stranger in strangers {
        let text = stranger.word.text.as_str();
        let name = text.split('=').next().unwrap_or(text);
        let number =
            text.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if number || SHOWING.split_ascii_whitespace().any(|own| own == name) {
            continue;
        }
        call.acts = true;
        let next =
            words.iter().position(|word| word == &stranger.word).and_then(|at| words.get(at + 1)).cloned();
        let value = stranger.value.clone().or(next.filter(|next| !next.text.starts_with('-')));
        if name.starts_with("--") && unknown::option_of(call, &stranger.word, value.as_ref()) {
            call.finding(
                "shell.obfuscated",
                format!("uses the option {name} of {}, which Doorward does not know", call.via()),
            );
            continue;
        }
        call.finding(
            "shell.unknown_option",
            format!("uses the option {name} of {}, which Doorward does not know", call.via()),
        );
        if let Some(value) = value {
            unknown::mention(call, &value);
        }
    }
}

/// Hidden files that are named to a program whose function beside the row didn't speak of them: it may read them.
fn hidden_names(call: &mut Call<'_>) {
    let hidden = |text: &str| {
        text.split(['/', '@', '=']).any(|part| {
            part.strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        })
    };
    let told = |call: &Call<'_>, text: &str| {
        let deeds = &call.deeds;
        deeds.reads.iter().any(|read| text.ends_with(read.path.text.as_str()))
            || deeds.writes.iter().any(|write| text.ends_with(write.path.text.as_str()))
            || deeds.deletes.iter().any(|delete| text.ends_with(delete.path.text.as_str()))
    };
    if !call.deeds.runs.is_empty()
        && !call.deeds.runs.iter().all(|run| matches!(run, crate::deed::Run::File { .. }))
    {
        return;
    }
    for word in call.argv.words.iter().skip(1) {
        if word.text.len() < 256 && hidden(&word.text) && !told(call, &word.text) {
            unknown::mention(call, word);
        }
    }
}

/// Options that name a file which is written, where their value leads out of the working folder. A row whose function
/// reads every word by itself says the rest.
fn written_elsewhere(call: &mut Call<'_>) {
    const NAMES: &[&str] = &[
        "-o",
        "-out",
        "--log",
        "--log-file",
        "--logfile",
        "--artifact-dir",
        "--out",
        "--out-dir",
        "--out-file",
        "--outdir",
        "--outfile",
        "--output",
        "--output-dir",
        "--output-file",
        "--report-file",
        "--junitxml",
        "--save",
        "--target-dir",
    ];
    let words: Vec<Word> = call.argv.words.iter().skip(1).cloned().collect();
    for (at, word) in words.iter().enumerate() {
        let value = match word::halves(word, '=') {
            Some((option, value)) if NAMES.contains(&option.text.as_str()) => value,
            None if NAMES.contains(&word.text.as_str()) => match words.get(at + 1) {
                Some(next) => next.clone(),
                None => continue,
            },
            _ => continue,
        };
        let told = call.deeds.writes.iter().any(|write| write.path.text == value.text);
        let stream = value.text.starts_with("/dev/null") || value.text.starts_with("/dev/std");
        if unknown::leads_out(&value.text) && !told && !stream && !value.text.contains("://") {
            call.beyond_plain = true;
            call.write(&value, doorward_core::intent::WriteMode::Create);
        }
    }
}

fn is_alias(run: &crate::deed::Run) -> bool {
    matches!(run, crate::deed::Run::Shell { via, .. } if via == "git alias")
}

fn apply_options(call: &mut Call<'_>) {
    let given = call.given.clone();
    for given in &given {
        if let (Some(role), Some(value)) = (given.role, &given.value) {
            call.apply(role, value);
        }
    }
}

/// Options that aren't in the row.
fn strangers(call: &mut Call<'_>) {
    let strangers = std::mem::take(&mut call.strangers);
    for stranger in &strangers {
        call.deeds.known = false;
        call.acts = true;
        let text = &stranger.word.text;
        let name = text.split('=').next().unwrap_or(text);
        let says =
            ["exec", "command", "cmd", "program", "eval", "script", "hook", "shell", "preprocess", "filter"]
                .iter()
                .any(|word| name.contains(word))
                && stranger.value.is_some();
        let words = &call.argv.words;
        let next =
            words.iter().position(|word| word == &stranger.word).and_then(|at| words.get(at + 1).cloned());
        let value = stranger.value.clone().or_else(|| next.filter(|_| text.len() > 2));
        let execs = unknown::option_of(call, &stranger.word, value.as_ref()) || says;
        if call.nature == Nature::Wrapper || execs {
            call.finding(
                "shell.obfuscated",
                format!("uses the option {name} of {}, which Doorward does not know", call.via()),
            );
        } else {
            call.finding(
                "shell.unknown_option",
                format!("uses the option {name} of {}, which Doorward does not know", call.via()),
            );
        }
        if let Some(value) = &stranger.value {
            unknown::mention(call, value);
        }
    }
    call.strangers = strangers;
}

/// Settles what the whole amounts to.
fn finish(call: Call<'_>) -> Deeds {
    let Call { mut deeds, nature, beyond_plain, acts, argv, carries_code, .. } = call;
    let writes = !deeds.writes.is_empty() || !deeds.deletes.is_empty();
    let mut graves =
        deeds.findings.iter().filter(|finding| finding.risk == Some(SecurityRisk::High)).peekable();
    let grave = graves.peek().is_some();
    let grave_by_upload = grave && graves.all(|finding| finding.code == "shell.upload");
    let touches = writes
        || !deeds.hosts.is_empty()
        || !deeds.privilege.is_empty()
        || !deeds.history_loss.is_empty()
        || !deeds.installs.is_empty()
        || !deeds.unknown.is_empty()
        || !deeds
            .runs
            .iter()
            .all(|run| is_judged_apart(run) || matches!(run, crate::deed::Run::Language { .. }));
    let reads = deeds.known && !touches && deeds.chooses.is_empty() && deeds.findings.iter().all(is_remark);
    deeds.read_only_with_code = carries_code && reads && (nature == Nature::Reads || !acts);
    deeds.read_only = nature == Nature::Reads && reads && !acts && !carries_code;
    let does_no_more = deeds.known
        && !beyond_plain
        && deeds.privilege.is_empty()
        && deeds.history_loss.is_empty()
        && (!writes || nature == Nature::Named)
        && (nature != Nature::Wrapper || deeds.transparent);
    let sends_nothing = deeds.hosts.iter().all(|host| host.body_from.iter().all(|from| from == "-"));
    let plain = does_no_more && !grave && sends_nothing;
    deeds.plain = plain && !carries_code;
    deeds.plain_upload = does_no_more && grave_by_upload && !carries_code;
    deeds.plain_with_code = plain;
    let kind = if deeds.known { MentionKind::Described } else { MentionKind::Unlisted };
    deeds.mentions.iter_mut().for_each(|mention| mention.kind = kind);
    deeds.unlisted &= !grave && !carries_code && deeds.runs.is_empty() && deeds.unknown.is_empty();
    if argv.place != Place::Local {
        let place = &argv.place;
        deeds.writes.iter_mut().for_each(|write| write.path.place = place.clone());
        deeds.deletes.iter_mut().for_each(|delete| delete.path.place = place.clone());
    }
    deeds
}

/// What `find -exec` and `fd -x` run stands beside them as a command of its own: they themselves still only read.
fn is_judged_apart(run: &crate::deed::Run) -> bool {
    matches!(run, crate::deed::Run::Argv { via, .. } if via.starts_with("find -") || via == "fd -x")
}

fn is_remark(finding: &Finding) -> bool {
    finding.risk.is_none()
}

/// `--help`, `--version` and kin as the only word.
fn asks_for_help(words: &[Word], row: &ProgramRow) -> bool {
    let [only] = words else { return false };
    match only.known() {
        Some("--help" | "--version") => true,
        Some("/?") => row.style == Style::Windows,
        Some(text @ ("-h" | "-V" | "-version" | "-help" | "--usage" | "-?")) => {
            row.style != Style::Raw && !row.specs().any(|spec| spec.spellings().any(|own| own == text))
        }
        _ => false,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folder {
    /// None was written, or one of the system's.
    System,
    /// Another folder called `bin`: known by name, but somebody's own file.
    Own,
}

/// A command word, read as a program's name.
struct Named {
    name: String,
    folder: Folder,
    /// It names a file that is no installed program.
    is_file: bool,
}

impl Named {
    fn of(text: &str) -> Self {
        let own = |name: &str| Self { name: name.to_owned(), folder: Folder::System, is_file: false };
        if !text.contains('/') {
            return own(text);
        }
        let absolute = text.starts_with('/');
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                ".." if absolute => {}
                part => parts.push(part),
            }
        }
        let name = parts.pop().unwrap_or_default();
        let folder = format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"));
        if absolute && environment::is_trusted_bin(&folder) || name.starts_with("ld-") && name.contains(".so")
        {
            return own(name);
        }
        let in_bin =
            parts.last().is_some_and(|last| matches!(*last, "bin" | ".bin" | "sbin" | "shims" | "Scripts"));
        if in_bin && lookup(name).is_some() {
            return Self { name: name.to_owned(), folder: Folder::Own, is_file: false };
        }
        Self { name: name.to_owned(), folder: Folder::Own, is_file: true }
    }
}

#[cfg(test)]
mod tests {
    use super::Named;

    #[test]
    fn paths_lead_to_programs() {
        for (text, name, is_file) in [
            ("/usr/bin/rm", "rm", false),
            ("/usr//bin/./rm", "rm", false),
            ("/bin/../bin/rm", "rm", false),
            ("./rm", "rm", true),
            (".venv/bin/python", "python", false),
            ("scripts/deploy.sh", "deploy.sh", true),
            ("/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2", false),
        ] {
            let found = Named::of(text);
            assert_eq!((found.name.as_str(), found.is_file), (name, is_file), "{text}");
        }
    }
}
